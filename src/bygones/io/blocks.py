"""Any source as blocks of costs, for whoever plays them round after round."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import Array
from ..validation import LONGEST, as_array, as_frame, as_table, matched, whole
from .rows import Rows, calling, check_named, numbered, resolved

if TYPE_CHECKING:
    import narwhals as nw

Blocks = tuple[int | None, Iterator[Array]]
Values = tuple[tuple[str, ...] | None, NDArray[Any], bool]


def open_blocks(source: Any, names: Sequence[str] | None, rounds: int | None, step: int) -> Blocks:  # noqa: ANN401
    """The rows of any source as blocks of costs, for whoever plays them and checks them.

    Parquet and Arrow files and iterators are read as they are played, and `.npy` files are mapped. Other files are read
    once by `read_table`, and held in memory or a temporary file. Gains come with their sign flipped. What is not a
    table of numbers among arrays is passed on as it is: whoever checks the costs of a round can name its action.

    Args:
        source: as for `read_table`.
        names: the columns to pick, in this order, where the source has names; None: all columns but the time.
        rounds: how many rounds are wanted; None: all.
        step: the most rows of a block; an iterator's own blocks are not cut.

    Returns:
        The number of rounds, None if it is unknown beforehand, as of an iterator; and the blocks.

    Raises:
        ValueError: if the source is not a table, lacks a column, or has too few rows.

    >>> import bygones as by
    >>> count, blocks = open_blocks("@wikipedia", None, rounds=500, step=200)
    >>> count, [block.shape for block in blocks]
    (500, [(200, 8), (200, 8), (100, 8)])
    """
    wanted = None if rounds is None else whole("rounds", rounds, 1)
    if isinstance(source, Iterator):
        return None, _first(_streamed(source, names), wanted, source)
    if isinstance(source, str | Path):
        from .table import open_columns

        with calling(source):
            table = open_columns(source, names)
        if table is not None:
            count = _enough(table[0], wanted)
            return count, _first((part for piece in table[1] for part in _cut(piece.values, step)), count, source)
    _, values, gains = as_values(source, names)
    if values.ndim != 2:
        return None, iter([values])
    count = _enough(len(values), wanted)
    blocks = _cut(values[:count], step)
    return count, (-block for block in blocks) if gains else blocks


def as_values(source: Any, names: Sequence[str] | None = None) -> Values:  # noqa: ANN401
    """All values of a source at once.

    Arrays, and data frames that hold nothing but numbers and no time, are taken as they are, unchecked and without a
    copy; all else is read by `read_table`.

    Args:
        source: as for `read_table`.
        names: the columns to pick, in this order, where the source has names; None: all columns but the time.

    Returns:
        The columns' names, None if they have none; the values; and whether these are gains.
    """
    with calling(source):
        rows = resolved(source)
        if not isinstance(rows, Rows | str | Path | Iterator):
            frame = as_frame(rows)
            if frame is None or _plain(frame, names):
                return *_values(rows if frame is None else frame, names), False
    if not isinstance(rows, Rows):
        from .table import read_table

        rows = read_table(rows, actions=names)
    unnamed = rows.names == numbered(len(rows.names))
    if names is None or rows.names == tuple(names) or (unnamed and not set(names) <= set(rows.names)):
        return None if unnamed else rows.names, rows.values, rows.gains
    return tuple(names), rows.values[:, matched(rows.names, names)], rows.gains


def _streamed(blocks: Iterator[Any], names: Sequence[str] | None) -> Iterator[Array]:
    """The values of an iterator's blocks, which are one table: the first says what its columns are."""
    first = list(islice(blocks, 1))
    blocks = chain(first, blocks)
    frame = as_frame(first[0]) if first else None
    if frame is not None and not _plain(frame, names):
        from .table import open_pieces

        yield from (piece.values for piece in open_pieces(blocks, None, names, drop=False)[-1])
    columns = names if names is not None or frame is None else frame.columns
    for block in blocks:
        yield _values(block, columns)[1]


def _values(data: Any, names: Sequence[str] | None) -> tuple[tuple[str, ...] | None, NDArray[Any]]:  # noqa: ANN401
    """Arrays and lists as they are, and whatever else makes a table of numbers: its columns' names, and the values."""
    if isinstance(data, np.ndarray | list | tuple):
        return None, as_array(data)
    columns, values = as_table(data, names)
    check_named(columns or ())
    return columns, values


def _plain(frame: "nw.DataFrame[Any]", names: Sequence[str] | None) -> bool:
    """Whether a data frame has the wanted columns, as numbers; None: all are numbers, and none of them the time."""
    if names is not None:
        kinds = {str(name): dtype for name, dtype in frame.schema.items()}
        return all(name in kinds and kinds[name].is_numeric() for name in names)
    if not all(dtype.is_numeric() for dtype in frame.schema.values()):
        return False
    from .batches import SAMPLE
    from .columns import find_time
    from .frames import as_polars

    sample = as_polars(frame.head(SAMPLE))
    return find_time(sample, sample.columns) is None


def _enough(count: int, wanted: int | None) -> int:
    """How many of the rows that there are to play."""
    wanted = count if wanted is None else wanted
    if wanted > count or count == 0:
        raise ValueError(f"the table has {count} rows, and {wanted} rounds are asked for: give more or ask for fewer")
    return wanted


def _cut(values: NDArray[Any], step: int) -> Iterator[Array]:
    """Blocks of some rows each, as floats where they are numbers; an array of floats is not copied."""
    for start in range(0, len(values), step):
        block = values[start : start + step]
        yield np.asarray(block, dtype=np.float64 if block.dtype.kind in "biuf" else None)


def _first(blocks: Iterator[Any], rounds: int | None, source: Any) -> Iterator[Array]:  # noqa: ANN401
    """The first rounds of a source's blocks; None: all. No block is asked for beyond them."""
    left = LONGEST if rounds is None else rounds
    with calling(source):
        for block in blocks:
            yield block[:left] if block.ndim else block
            left -= len(block) if block.ndim else 1
            if left <= 0:
                return
