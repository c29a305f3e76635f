"""Options and texts that the commands share, and messages of the library in the words of the command line."""

import re
from pathlib import Path
from typing import Annotated

import typer

MemoryWords = Annotated[
    str,
    typer.Option(
        help="How far back decisions count: window:12 (the last 12, equally), full (all), geometric:0.9 (fading by "
        "that factor) or weights:0.5,0.3,0.2 (newest first)."
    ),
]
Folder = Annotated[
    Path,
    typer.Option(help="Folder for the report: a new or empty one, or one with an earlier report, which is replaced."),
]
SingleFile = Annotated[
    bool,
    typer.Option(
        "--single-file", help="Write one HTML file with everything inside, to be mailed, not a folder: OUT.html."
    ),
]
# How a table is written, for commands that read one; their parameters have the names of `by.read_table`.
Missing = Annotated[str, typer.Option(help="For missing entries: error, drop the row, or carry the last value on.")]
Decimal = Annotated[str | None, typer.Option(help="What separates fractions: . or , Default: found from the table.")]
DateFormat = Annotated[
    str | None, typer.Option(help="How dates are written: day-first, month-first, or a format such as %d/%m/%Y.")
]
Encoding = Annotated[str | None, typer.Option(help="Of a text file: utf-8, cp1252, utf-16, ... Default: found.")]
Sort = Annotated[
    str | None,
    typer.Option(help="ascending: sort the rows by time. descending: the newest row is first, turn them around."),
]
ValueColumn = Annotated[str | None, typer.Option("--value", help="Of a long table, the column with the values.")]
OptionColumn = Annotated[str | None, typer.Option("--option", help="Of a long table, the column with the options.")]
Sheet = Annotated[str | None, typer.Option(help="Of an Excel workbook, the sheet. Default: the one with a table.")]

SAME = (
    *("actions", "effects", "held", "history", "horizon", "longest", "memory", "missing", "prices", "replicates"),
    *("rewards", "rounds", "seed", "time"),
    *("decimal", "encoding", "option", "sheet", "sort", "value"),
    *("clip", "gains", "key", "period"),
)
OPTIONS = {name: f"--{name}" for name in SAME}
OPTIONS |= {
    "cost_range": "--range",
    "learners": "--learner",
    "switch_cost": "--switch-cost",
    "trade_cost": "--trade-cost",
    "date_format": "--date-format",
}
# Quoted texts, such as names of columns, stay as they are, and so do paths: a keyword follows a blank.
QUOTED = r"""(?<![\w=])(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
KEYWORD = re.compile(rf"""{QUOTED}|(?<![^\s(])({"|".join(OPTIONS)})=("[^"]*"|'[^']*'|-?[\w.]*\w)?""")


# Keywords that are not said in a call as it would be typed, but in Python alone.
OWN_CLASS = re.compile(r"pass (learner|memor)(?:s|ies)=\[(\w+)\]")
OF_PROBLEM = re.compile(rf"Problem\(({'|'.join(OPTIONS)})=\.\.\.\)")


def examples(*commands: str) -> str:
    """The end of a help text: examples, one per line."""
    return "\n\n".join(["Examples:", *(f"[bold]{command}[/]" for command in commands)])


def page_at(out: Path, single_file: bool) -> Path:
    """Where the page of a report is.

    Args:
        out: the folder, or the name of the one file, with or without its ending.
        single_file: the report is one file.

    Returns:
        The path of the page.

    >>> str(page_at(Path("costs"), False)), str(page_at(Path("costs"), True)), str(page_at(Path("a.html"), True))
    ('costs/index.html', 'costs.html', 'a.html')
    """
    if not single_file:
        return out / "index.html"
    return out if out.suffix.lower() in (".html", ".htm") else out.with_name(f"{out.name}.html")


def as_options(message: str) -> str:
    """Replace each keyword argument in a message by its command-line option.

    >>> as_options('row 2 is missing: give it, or leave it out with missing="drop", or name others in actions=')
    'row 2 is missing: give it, or leave it out with --missing drop, or name others in --actions'
    >>> as_options("column 'time=' is 'x': declare cost_range=2.5 or more, or leave prices=True out")
    "column 'time=' is 'x': declare --range 2.5 or more, or leave --prices out"
    >>> as_options("cost_range is -1.0: give a number above 0")
    '--range is -1.0: give a number above 0'
    >>> as_options("in held=: there is no action 'sea'")
    "in --held: there is no action 'sea'"
    >>> as_options("bygones does not have it: pass learners=[Mine]; or give Problem(cost_range=...)")
    'bygones does not have it: give --learner-class package.module:Mine; or give --range'
    """
    message = OWN_CLASS.sub(_own_class, message).replace("use worst_case, which", "leave --exact out, which")
    message = OF_PROBLEM.sub(r"\1=", message)
    subject, verb, rest = message.partition(" is ")
    return KEYWORD.sub(_option, f"{OPTIONS.get(subject, subject)}{verb}{rest}")


def _own_class(found: re.Match[str]) -> str:
    what = "learner" if found[1] == "learner" else "memory"
    return f"give --{what}-class package.module:{found[2]}"


def _option(found: re.Match[str]) -> str:
    keyword, value = found.groups()
    if keyword is None:
        return found[0]
    plain = "" if value in (None, "True") else " " + value.strip("\"'")
    return OPTIONS[keyword] + plain
