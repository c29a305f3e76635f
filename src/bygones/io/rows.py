"""Rows: a checked table, in memory or, where it is large, in a temporary file."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from ..kernels import Array
from ..validation import shown

if TYPE_CHECKING:
    import polars as pl

FRAMES = ("narwhals", "polars", "pyo3_runtime")  # whose errors say that a frame is odd, or its file damaged
IN_MEMORY = 2**26  # bytes of values; more go to a temporary file


class Carried(NamedTuple):
    """A stretch of periods without values of an option, in which the last one was carried on.

    Args:
        option: its name.
        after: the time of the last value.
        until: the time of the last period without one.
        periods: how many have none.
    """

    option: str
    after: object
    until: object
    periods: int


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """A checked table: one row per period, one column per option.

    Args:
        names: the options; "0", "1" and so on where the table has no names.
        times: one per row, strictly ascending; the rows' numbers in the table where it has no column of times.
        values: as in the table, or its log price relatives; read-only; of a large table a map of a temporary file.
        notes: what the user should know: what was left out or carried on, uneven times, options that never change.
        gains: the values are rewards or price relatives, so more is better; False: they are costs.
        carried: of each option, the longest stretch of values that were carried on, and the one that the table ends in.
        prices: the values are log price relatives, `ln(p[t] / p[t-1])`.
        dropped: how many periods were left out, as they lack a value.
        before: of price relatives, the time of the price before the first one; None: it is not known.
    """

    names: tuple[str, ...]
    times: "pl.Series"
    values: Array
    notes: tuple[str, ...] = ()
    gains: bool = False
    carried: tuple[Carried, ...] = ()
    prices: bool = False
    dropped: int = 0
    before: object = None

    @property
    def ended(self) -> dict[str, object]:
        """The options without a value in the last period, and the time of the last one that they have."""
        return {each.option: each.after for each in self.carried if each.until == self.times[-1]}

    def __repr__(self) -> str:
        kind, (count, n) = "gains" if self.gains else "costs", self.values.shape
        span = f", {self.times[0]} to {self.times[-1]}" if count else ""
        return f"<Rows: {kind} of {n} options in {count:,} periods{span}>"


@runtime_checkable
class Tabular(Protocol):
    """What can give itself as rows, such as `Table`, which this room does not know."""

    def as_rows(self) -> Rows:
        """The table, checked."""


def numbered(count: int) -> tuple[str, ...]:
    """The names of options that have none.

    >>> numbered(3)
    ('0', '1', '2')
    """
    return tuple(map(str, range(count)))


def check_named(names: Sequence[str]) -> None:
    """Raise ValueError if an option has no name."""
    if "" in names:
        raise ValueError(f"option {names.index('') + 1} has no name: give its column one, or take it out")


@contextmanager
def calling(source: Any) -> Iterator[None]:  # noqa: ANN401
    """Begin an error with the table that it is about."""
    name = str(source) if isinstance(source, str | Path) else "the table"
    try:
        yield
    except BaseException as error:
        if type(error).__module__.partition(".")[0] in FRAMES:  # some of these are ValueErrors, of many lines
            fault = f"it cannot be read as a table ({shown(str(error).partition(chr(10))[0])})"
            raise ValueError(f"{name}: {fault}: look at its columns, or export it again") from None
        if isinstance(error, PermissionError):
            raise OSError(f"{name}: it may not be read: change its permissions, or copy it") from None
        if isinstance(error, OSError):
            raise OSError(f"{name}: {error.strerror or error}") from None
        if isinstance(error, ValueError):
            raise ValueError(f"{name}: {error}") from None
        raise


def resolved(source: Any) -> Any:  # noqa: ANN401
    """What a source stands for: the rows of a `Tabular`, the array of an `.npy` file; all else stands for itself."""
    if isinstance(source, Tabular):
        return source.as_rows()
    if isinstance(source, str | Path) and Path(source).suffix.lower() == ".npy":
        from .files import open_array

        return open_array(Path(source))
    return source


class Gathered:
    """Rows put together piece by piece, their values in memory as long as they are few."""

    def __init__(self) -> None:
        self.count = 0
        self._ranges: list[Array] = []  # of each piece, the least and the largest value of every column
        self.times: list[pl.Series] = []
        self._pieces: list[Array] = []
        self._file: IO[bytes] | None = None

    def add(self, times: "pl.Series", values: Array) -> None:
        """Append rows.

        Args:
            times: one per row.
            values: (rows, options).
        """
        if not len(values):
            return
        self.count += len(values)
        self._ranges.append(np.stack([values.min(axis=0), values.max(axis=0)]))
        self.times.append(times)
        self._pieces.append(values)
        if len(self._ranges) > 1 and self.count * values.shape[1] * 8 > IN_MEMORY:  # a single piece is there anyhow
            self._write()

    def _write(self) -> None:
        """Move what is in memory to the file."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
            for piece in self._pieces:
                self._file.write(np.ascontiguousarray(piece).data)
            self._file.flush()
        except OSError as error:
            if self._file is not None:
                with suppress(OSError):  # which says the same again
                    self._file.close()
            fault = f"the folder for temporary files, {tempfile.gettempdir()}, cannot hold {self.count:,} rows"
            raise OSError(f"{fault} ({error.strerror}): name another in the environment's TMPDIR") from None
        self._pieces = []

    def constant(self) -> list[int]:
        """The columns that never change."""
        return np.flatnonzero(np.ptp(self._ranges, axis=(0, 1)) == 0).tolist()

    def values(self) -> Array:
        """All values, read-only."""
        if self._file is not None:
            with self._file as file:  # the map keeps what the file held
                return np.memmap(file, mode="r", dtype=np.float64, shape=(self.count, self._ranges[0].shape[1]))
        values = self._pieces[0].view() if len(self._pieces) == 1 else np.concatenate(self._pieces)
        values.flags.writeable = False
        return values
