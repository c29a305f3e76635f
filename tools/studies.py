"""Run the studies of `examples/studies` and draw their pictures for the docs: `make studies`.

The results are kept in `bygones-studies/`, so that only what is missing is computed.
"""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import bygones as by
from bygones.studies.figures import growth_figure, ranking_figure, rounds_figure
from bygones.studies.running import Session
from bygones.studies.sentences import answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bygones.studies.results import Found

EXAMPLES, RESULTS, DOCS = Path("examples/studies"), Path("bygones-studies"), Path("docs")
DOTS = 150  # an inch


def drawn(name: str, found: "Found") -> "Figure":
    """The picture of a study: what it is about."""
    if name == "paper":
        return rounds_figure(found)
    if name == "learners":
        return ranking_figure(found)
    return growth_figure(found, {"growth": "H", "change": "hold"}[name])


def main() -> int:
    """Run them all."""
    for path in sorted(EXAMPLES.glob("*.toml")):
        begun = time.perf_counter()
        session = Session(by.Study.read(path), RESULTS / path.stem)
        ran = session.run()
        if ran.failed:
            print(f"bygones: {ran.failed} cells of {path} failed", file=sys.stderr)
            return 1
        found = session.found
        drawn(path.stem, found).savefig(DOCS / f"study-{path.stem}.png", dpi=DOTS, metadata={"Software": None})
        print(f"{path}: {answer(found)} ({time.perf_counter() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
