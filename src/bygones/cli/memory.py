"""`bygones memory`: how long the past counts, from past decisions and what was really paid or sold."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from .backtest import option_names, small
from .grids import Terminal
from .options import DateFormat, Decimal, Encoding, Missing, Sheet, Sort, examples

EXAMPLES = examples(
    "bygones memory costs.csv --held decisions.csv --outcome paid",
    "bygones memory sales.csv --held spending.csv --outcome sales --out weights.png",
)
DOTS, PICTURES = 150, (".png", ".svg", ".pdf")  # an inch, and formats of pictures


def memory(
    table: Annotated[
        str,
        typer.Argument(
            help="A file with the outcome of each period; its other columns are the costs of the options, if known."
        ),
    ],
    held: Annotated[
        Path,
        typer.Option(
            help="A file with the decisions of the same periods: a column of weights for each option, or a column with "
            "the name of the option chosen. Without costs also amounts, such as money spent."
        ),
    ],
    outcome: Annotated[str, typer.Option(help="The column with what was really paid or sold.")],
    effects: Annotated[
        bool,
        typer.Option(
            "--effects",
            help="The costs are unknown: each option has a constant effect on the outcome. Default where the table has "
            "no column but time and outcome.",
        ),
    ] = False,
    longest: Annotated[
        int | None, typer.Option(help="The most periods to try. Default: a fifth of the periods, at most 52.")
    ] = None,
    time: Annotated[str | None, typer.Option(help="The column with the times. Default: found automatically.")] = None,
    actions: Annotated[str | None, typer.Option(help="The options to use: rail,road,sea. Default: all.")] = None,
    missing: Missing = "error",
    decimal: Decimal = None,
    date_format: DateFormat = None,
    encoding: Encoding = None,
    sort: Sort = None,
    sheet: Sheet = None,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, for programs.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="A file for the picture of the weights, such as weights.png.")
    ] = None,
) -> None:
    """Find how long the past counts, from past decisions and what was really paid or sold.

    The memory says how past decisions make what you pay today: the mean of the
    last 12 (window:12), or weights that fade (geometric:0.8). Each is judged by
    how well it explains periods that it was not fitted to. Where the data
    cannot tell, the answer says so.
    """
    import polars as pl
    from matplotlib.figure import Figure

    from ..fitting import fit_memory
    from ..fitting.fitted import SIZE
    from ..fitting.reading import read_record
    from ..kernels import compiled_before, project, uncompiled
    from ..store import replacing

    if out is not None and out.suffix.lower() not in PICTURES:
        raise ValueError(f"--out is {str(out)!r}: give a file that ends in {', '.join(PICTURES)}")
    read = read_record(
        table,
        held,
        outcome,
        effects=effects,
        time=time,
        actions=None if actions is None else option_names(actions),
        missing=missing,
        decimal=decimal,
        date_format=date_format,
        encoding=encoding,
        sort=sort,
        sheet=sheet,
    )
    with uncompiled(small(table) and not compiled_before(project)):
        decisions = pl.DataFrame(read.decisions, schema=list(read.names))
        fit = fit_memory(read.costs, decisions, read.outcomes, longest=longest)
        if out is not None:
            figure = Figure(figsize=SIZE, layout="constrained")
            fit.plot(figure.add_subplot())
            with replacing(out) as file:
                figure.savefig(file, format=out.suffix[1:].lower(), dpi=DOTS)
    if json:
        print(dumps(fit.to_dict() | {"notes": list(read.notes)}, indent=2, ensure_ascii=False, allow_nan=False))
        return
    console = Terminal()
    for sentence in fit.sentences:
        console.print(sentence)
    if fit.decided:
        console.print(f"Use it: --memory {fit.memory.short_words}", soft_wrap=True)
    for note in read.notes[:3]:
        console.print(f"Note: {note}")
    if out is not None:
        console.print(f"The picture: {out}", soft_wrap=True)
