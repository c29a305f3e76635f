"""`bygones reproduce`: every experiment and claim of the paper, recomputed, compared and explained."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import HEAVY_HEAD, SIMPLE_HEAD
from rich.text import Text

from .grids import NUMBER, TEXT, Terminal, grid
from .options import Folder, SingleFile, examples, page_at

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..reproduction import Reproduction

EXAMPLES = examples(
    "bygones reproduce",
    "bygones reproduce --quick --out quick-look",
    "bygones reproduce --only figure1 --format pdf",
)
BARS = "▁▂▃▄▅▆▇█"
RUNS, QUICK_RUNS = 100, 30
MOST_RUNS = 10_000  # whose curves take 16 GB
NARROW, WIDE = 60, 76  # columns needed for errors and exact means, and for the curves


def reproduce(
    out: Folder = Path("bygones-report"),
    replicates: Annotated[
        int | None, typer.Option(help="Runs of each experiment. Default: 100, as in the paper; 30 with --quick.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer runs and exact means, smaller grids, a coarser picture.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help="A section: figure1, horizon, audit, past (beyond the paper). Repeatable."),
    ] = None,
    formats: Annotated[
        str | None, typer.Option("--format", help="Formats of the figure. Default: png,pdf,svg; png with --quick.")
    ] = None,
    single_file: SingleFile = False,
) -> None:
    """Reproduce the paper: run its experiments, compare with what was published, and write a report.

    The paper is Hebbar and Langbort (2024), Online Decision Making with
    History-Average Dependent Costs. Its experiments compare learners, which are
    rules that decide in every round, by their regret: how much more they pay
    than the best single action, played in every round. A bound on regret is
    vacuous if no run could exceed it anyway.
    """
    from ..report import check_writable
    from ..reproduction import FORMATS, SECTIONS, write
    from ..reproduction import reproduce as run
    from ..reproduction.folder import KIND
    from ..reproduction.page import beyond, growth
    from ..validation import whole, word

    begun = time.perf_counter()
    runs = whole("--replicates", (QUICK_RUNS if quick else RUNS) if replicates is None else replicates, 2, MOST_RUNS)
    whole("--seed", seed, 0)
    sections = tuple(word("--only", section, SECTIONS) for section in only or SECTIONS)
    asked = ("png" if quick else ",".join(FORMATS)) if formats is None else formats
    kinds = tuple(dict.fromkeys(word("--format", kind, FORMATS) for kind in asked.replace(" ", "").split(",")))
    page = page_at(out, single_file)
    place = page if single_file else out
    check_writable(place, KIND, single_file)
    console = Terminal()
    with console.status("beginning") as status:
        done = run(sections, runs, seed, quick, say=status.update)
        status.update("writing the report")
        chosen = [word for section in only or () for word in ("--only", section)]
        words = ["--out", str(out), "--replicates", str(runs), "--seed", str(seed), "--format", ",".join(kinds)]
        command = shlex.join(["bygones", "reproduce", *words, *["--quick"] * quick, *chosen])
        command += " --single-file" * single_file
        write(done, place, kinds, command, time.perf_counter() - begun, single_file)
    if done.sampled:
        _show(console, done)
    failed = [each for each in done.audit if not each.passed]
    if done.audit:
        console.print(f"The audit of the theory: {len(done.audit) - len(failed)} of {len(done.audit)} statements hold.")
    for each in failed:
        console.print(f"  FAILED on {each.costs}: {each.statement}")
    for sentence in (*growth(done), *beyond(done)):
        console.print(sentence)
    console.wrote(page, time.perf_counter() - begun)
    if failed:
        raise typer.Exit(1)


def _show(console: Terminal, done: "Reproduction") -> None:
    """Print a compact table, each row with a small chart of its curve."""
    roomy, curves = console.width >= NARROW, console.width >= WIDE and console.encoding.startswith("utf")
    rows: list[list[RenderableType]] = []
    for (family,), part in done.table.group_by("costs", maintain_order=True):
        rows += [[], [Text(str(family), "bold")]]
        for row in part.to_dicts():
            numbers = [
                "" if row["published"] is None else f"{row['published']:,.0f}",
                f"{round(row['ours']):,}" + f" ({row['se']:.0f})" * roomy,
                *[f"{round(row['exact']):,}"] * roomy,
                "" if row["z"] is None else f"{row['z']:+.1f}",
            ]
            curve = _spark(list(done.curve("sampled", row["costs"], row["learner"])[1]))
            rows.append([f"  {row['learner']}", *numbers, *[curve] * curves])
    heads = ("paper", "ours (se)" if roomy else "ours", *["exact"] * roomy, "z")
    columns = {"costs, learner": TEXT} | dict.fromkeys(heads, NUMBER)
    columns |= {"over rounds": {"no_wrap": True}} if curves else {}
    caption = "exact: over the learner's own randomness; z: ours minus the paper's, in standard errors"
    made = grid("Regret after 10,000 rounds", columns, rows, caption)
    made.box = HEAVY_HEAD if roomy else SIMPLE_HEAD
    console.print(made)


def _spark(values: list[float], width: int = 12) -> str:
    """A curve as a row of bars.

    >>> _spark([0.0, 1.0, 2.0, 7.0], width=4)
    '▁▂▃█'
    """
    picks = [values[round(k * (len(values) - 1) / (width - 1))] for k in range(width)]
    low, high = min(0.0, *picks), max(picks)
    return "".join(BARS[round((value - low) / ((high - low) or 1) * (len(BARS) - 1))] for value in picks)
