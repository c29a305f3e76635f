"""Data frames of any kind, with the index of pandas where it is the time."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import narwhals as nw
import polars as pl

from ..validation import as_frame, distinct, shown
from .batches import SAMPLE, Batch, Source, following, sampled
from .times import dated, form

KINDS = (({int}, pl.Int64), ({bool}, pl.Boolean), ({int, float}, pl.Float64))  # of plain values


def open_frames(frames: Iterator[Any], time: str | None, large: bool) -> Source:
    """Data frames as a source of one batch each.

    Args:
        frames: data frames that narwhals knows, one after the other.
        time: the column of times, if it was named.
        large: they may not fit in memory together.

    Returns:
        The source.
    """
    return Source(*sampled(_batches(frames, time)), None, large, [])


def _batches(frames: Iterator[Any], time: str | None) -> Iterator[Batch]:
    start = 0
    for each in frames:
        given = as_frame(each)
        if given is None:
            remedy = "give a path, the name of a data set, or a data frame"
            raise ValueError(f"it is of type {type(each).__name__}: {remedy}")
        if given.implementation.is_pandas_like():
            given = nw.from_native(_with_index(given.to_native(), time), eager_only=True)
        frame = as_polars(given)
        if not frame.width:
            raise ValueError("it has no columns: give one for each option")
        yield Batch(frame, pl.DataFrame({"row": following(start, frame.height)}), frame.height)
        start += frame.height


def as_polars(given: nw.DataFrame[Any]) -> pl.DataFrame:
    """A data frame in polars' form, without the index of pandas."""
    native = given.to_native()
    if isinstance(native, pl.DataFrame):
        return native
    names = distinct("its columns", map(str, given.columns), 0)
    return pl.DataFrame({name: _series(series) for name, series in zip(names, given.iter_columns(), strict=True)})


def _with_index(frame: Any, time: str | None) -> Any:  # noqa: ANN401
    """A pandas frame with its index as the first column, if that is the time: it has a name, or holds dates."""
    if frame.index.nlevels > 1:
        raise ValueError("its index has several levels: make columns of them with reset_index()")
    if frame.columns.nlevels > 1:
        raise ValueError("its columns have several levels: give each one name")
    if hasattr(frame.index, "to_timestamp"):  # periods
        frame = frame.set_axis(frame.index.to_timestamp())
    name, kind = "" if frame.index.name is None else frame.index.name, frame.index.dtype.kind
    dates = kind == "M" or (kind == "O" and dated(form(column(frame.index[:SAMPLE].tolist()))))
    if (name == "" and not dates) or time not in (None, name):
        return frame
    if name in frame.columns:
        raise ValueError(f"its index and a column are both called {shown(name)}: rename or drop one of them")
    return frame.reset_index(names=[name])


def _series(series: nw.Series[Any]) -> pl.Series:
    """One column in polars' form; days stay days where pandas made them times at midnight."""
    if series.dtype.is_numeric() and not series.dtype.is_decimal():
        values = series.to_numpy()
        return pl.Series(values if values.dtype.kind in "iuf" else series.cast(nw.Float64()).to_numpy())
    if isinstance(series.dtype, nw.Datetime):
        zone = series.dtype.time_zone
        plain = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if zone else series
        times = pl.Series(plain.to_numpy().astype("datetime64[us]"))
        if zone is None:
            return times.dt.date() if bool((times.dt.truncate("1d") == times).all()) else times
        times = times.dt.replace_time_zone("UTC")
        with suppress(pl.exceptions.ComputeError):  # zones without a name stay UTC
            return times.dt.convert_time_zone(zone)
        return times
    gone = series.is_null().to_list()
    return column([None if away else value for value, away in zip(series.to_list(), gone, strict=True)])


def column(values: list[Any]) -> pl.Series:
    """Plain values as a column of numbers or truths, or else of text; None and nan are missing."""
    kinds = set(map(type, values)) - {type(None)}
    with suppress(OverflowError, TypeError, pl.exceptions.PolarsError):  # numbers of too many digits stay text
        for known, dtype in KINDS:
            if kinds <= known:
                return pl.Series(values, dtype=dtype)
    texts = [None if value is None or value != value else str(value) for value in values]
    return pl.Series(texts, dtype=pl.String)
