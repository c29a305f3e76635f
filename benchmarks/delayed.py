"""Play poold's learners on the costs of the learners' page, and write `benchmarks/rivals.csv`: `make rivals`.

It takes about half an hour. `make tables` reads the file, so that the page can be written and tested where poold is not
installed; the regret of Uniform is in it too, and comes first: it tells whether the costs are still the same.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from comparison import COSTS, PROBLEM, RIVALS, drawn, draws, ends
from rivals import AdaHedgeD, DORMPlus

import bygones as by

PLAYED: dict[str, by.Learner] = {
    "Uniform": by.Uniform(),
    "AdaHedgeD": AdaHedgeD(),
    "AdaHedgeD (hints)": AdaHedgeD(hints=True),
    "DORMPlus": DORMPlus(),
    "DORMPlus (hints)": DORMPlus(hints=True),
}


def measure(column: str, draw: int) -> list[float]:
    """The regret of each rival on one draw of the costs."""
    regrets = [float(one[0]) for one in ends(PROBLEM, list(PLAYED.values()), drawn(column, draw))]
    print(f"{column}, draw {draw + 1}: {', '.join(f'{one:,.1f}' for one in regrets)}", flush=True)
    return regrets


def main() -> None:
    """Measure all, one process per core, and write the file."""
    jobs = [(column, draw) for column in COSTS for draw in range(draws(column))]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(jobs, pool.map(measure, *zip(*jobs, strict=True)), strict=True))
    lines = [f"# made by `make rivals` with poold {version('poold')}", ",".join(["costs", "draw", *PLAYED])]
    for (column, draw), regrets in found.items():
        lines.append(",".join([column, str(draw), *(f"{round(one, 6) + 0.0:.6f}" for one in regrets)]))
    RIVALS.write_text("\n".join(lines) + "\n")
    print(f"bygones: wrote {RIVALS}")


if __name__ == "__main__":
    main()
