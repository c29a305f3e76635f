"""Reading what a memory is fitted to from two files: outcomes, with or without costs, and decisions."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import polars as pl

from ..io import Reading, read_decisions, read_held, read_table
from ..io.columns import INDICES, find_time, parts_of_time
from ..io.reading import checked
from ..io.rows import calling
from ..io.table import open_source
from ..kernels import Array
from ..validation import listed, matched, shown

NOTHING = "\0"  # the name of a column of zeros, for a table is of two columns or more


class Read(NamedTuple):
    """What two files say."""

    names: tuple[str, ...]  # the options
    costs: Array | None  # (T, n); None: the table has none
    decisions: Array  # (T, n), or more: earlier ones first
    outcomes: Array  # (T,)
    notes: tuple[str, ...]


def read_record(
    table: Any,  # noqa: ANN401
    held: Any,  # noqa: ANN401
    outcome: str,
    *,
    effects: bool = False,
    time: str | None = None,
    actions: Sequence[str] | None = None,
    missing: str = "error",
    **reading: Unpack[Reading],
) -> Read:
    """Read outcomes, the costs of the options if they are known, and the decisions of the same periods.

    Args:
        table: a file or data frame with the outcome; its other columns are the costs of the options.
        held: a file or data frame of decisions, matched by time; as for `io.read_held`.
        outcome: the column with what was really paid or sold.
        effects: the costs are unknown: leave other columns of the table alone.
        time: the column of times; None: find it.
        actions: the options; None: all columns but time and outcome, or those of the decisions.
        missing: what to do about a value that is missing, as for `read_table`.
        reading: how the tables are written, where that is not clear: the keywords of `read_table`.

    Returns:
        All, over the periods that have a decision.

    Raises:
        ValueError: if a column is missing, or the files do not fit each other.
    """
    with calling(table):
        said = checked(reading)
        source = open_source(table, time, said)
        columns = source.sample.columns
        matched(columns, [outcome])
        rest = [name for name in columns if name != outcome and name.lower() not in INDICES]
        time = find_time(source.sample, rest) if time is None else time
        rest = [name for name in rest if name not in parts_of_time(source.sample, time, rest)]
        others = [name for name in rest if name != time] if actions is None else [*actions]
        if len(others) == 1 and not effects:
            remedy = "give one for each option, or leave it alone with effects=True"
            raise ValueError(f"{shown(others[0])} is the only column of costs besides {shown(outcome)}: {remedy}")
    if others and not effects:
        rows = read_table(table, time=time, actions=[*others, outcome], missing=missing, **said)
        names, costs = tuple(others), rows.values[:, :-1]
    else:
        frame = pl.concat([batch.frame for batch in open_source(table, time, said).batches])
        with calling(table):
            frame = frame.select([*[time] * (time is not None), outcome]).with_columns(pl.lit(0.0).alias(NOTHING))
        written = Reading(decimal=said.get("decimal"), sort=said.get("sort"))
        rows = read_table(frame, time=time, actions=[NOTHING, outcome], missing=missing, **written)
        names, costs = tuple(actions or _options(held, rows.times.name, said)), None
    decimal = None if source.numerals is None else source.numerals.decimal
    decisions, notes = read_held(held, names, rows.times, said, rows.dropped, decimal, amounts=costs is None)
    count = min(len(decisions), len(rows.values))
    late = len(rows.values) - count
    if late:
        notes.append(f"the first {late:,} of {len(rows.values):,} periods have no decision: left out")
    kept = None if costs is None else costs[late:]
    heard = tuple(note for note in (*rows.notes, *notes) if shown(NOTHING) not in note)
    return Read(names, kept, decisions, rows.values[late:, -1], heard)


def _options(held: Any, time: str, reading: Reading) -> tuple[str, ...]:  # noqa: ANN401
    """The options of a table of decisions: its columns of numbers, or the names in its column of texts."""
    columns = {name: values for name, values in read_decisions(held, reading).items() if name != time}
    texts = [name for name, values in columns.items() if any(isinstance(each, str) and _word(each) for each in values)]
    if len(texts) == 1:
        return tuple(sorted({str(each).strip() for each in columns[texts[0]]}))
    if texts or not columns:
        raise ValueError(f"the columns of decisions are {listed(list(columns))}: name the options in actions=")
    return tuple(columns)


def _word(text: str) -> bool:
    """Whether a text has a letter."""
    return any(each.isalpha() for each in text)
