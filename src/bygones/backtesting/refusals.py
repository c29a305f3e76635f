"""What a backtest refuses because its answer would mislead, and what it notes for that reason."""

from ..io import Rows
from ..memory import Memory
from ..validation import shown

NAMED = 5  # options in a note


def check_current(rows: Rows) -> None:
    """Refuse a table whose last period has no value at all, as then no option can be recommended.

    Args:
        rows: the table.

    Raises:
        ValueError: if all values of the last period were carried on.
    """
    if len(rows.ended) == len(rows.names):
        raise ValueError(
            f"no option has a value at {rows.times[-1]}, the last period, so none can be recommended after it: leave "
            "out the rows at the end that have no values"
        )


def long_gaps(rows: Rows, memory: Memory) -> list[str]:
    """A note on options whose values were carried on for longer than a decision counts.

    Args:
        rows: the table.
        memory: how long decisions count.

    Returns:
        One note, or none.
    """
    length = memory.span if memory.support is None else memory.support
    longest: dict[str, str] = {}
    for each in rows.carried:
        if each.periods > length:
            stretch = f"{each.periods:,} periods after {each.after}"
            longest[each.option] = f"{longest[each.option]} and {stretch}" if each.option in longest else stretch
    if not longest:
        return []
    named = ", ".join(f"{shown(name)} for {stretch}" for name, stretch in list(longest.items())[:NAMED])
    more = f" and {len(longest) - NAMED:,} more" if len(longest) > NAMED else ""
    return [f"values were carried on for longer than the memory: {named}{more}; what these cost then is a guess"]
