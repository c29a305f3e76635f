"""Reading what users call a table: an array, nested lists, or any data frame."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .describing import listed, nearest, shown
from .kernels import Array

if TYPE_CHECKING:
    import narwhals as nw


def read_table(data: Any, wanted: Sequence[str] | None = None) -> tuple[tuple[str, ...] | None, Array]:  # noqa: ANN401
    """The columns' names, if there are any, and the values; an array of floats is not copied.

    Args:
        data: an array, nested lists, or any data frame.
        wanted: of a data frame, the columns to read, in this order; None: all.
    """
    import narwhals as nw

    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"two columns have the same name, and names must differ: {error}") from None
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        return _read_frame(eager if wanted is None else eager[:, matched(eager.columns, wanted)])
    values = as_array(data)
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise ValueError(
            f"a table of shape {values.shape} and type {values.dtype}: give numbers, a row a round, a column an action"
        )
    return None, np.ascontiguousarray(values, dtype=np.float64)


def as_array(data: Any) -> NDArray[Any]:  # noqa: ANN401
    """An array of any type; what is masked becomes nan, and rows of different lengths an error."""
    if isinstance(data, np.ma.MaskedArray):
        return np.ma.filled(data.astype(np.float64), np.nan)
    try:
        return np.asarray(data)
    except ValueError:
        raise ValueError("the rows differ in length: give one number for each action in every row") from None


def _read_frame(frame: "nw.DataFrame[Any]") -> tuple[tuple[str, ...], Array]:
    names = tuple(map(str, frame.columns))
    values = np.empty((len(frame), len(names)))
    for column, (name, series) in enumerate(zip(names, frame.iter_columns(), strict=True)):
        if not series.dtype.is_numeric():
            raise ValueError(
                f"column {name!r} holds {series.dtype}, such as {series[0] if len(series) else None!r}: "
                "every column is an action and holds its costs; drop the others first"
            )
        values[:, column] = series.to_numpy()
    return names, values


def matched(here: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted names stand among those that are here; an error tells the first that is missing."""
    places = {name: place for place, name in enumerate(here)}
    missing = [name for name in wanted if name not in places]
    if missing:
        raise ValueError(
            f"nothing here is called {shown(missing[0])}: the names are {listed(here)}{nearest(missing[0], here)}"
        )
    return [places[name] for name in wanted]
