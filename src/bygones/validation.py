"""Checks of what users give, each with an error that names the value, the rule and the remedy."""

import operator
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from numbers import Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import narwhals as nw
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1e100  # of a number; sums and squares of larger ones could overflow
LONGEST = 2**53  # of a count; floats hold those exactly
SHOWN = 60  # characters of a value in a message


def nearest(name: object, names: Iterable[str]) -> str:
    """A hint for a message about an unknown name: the name that was probably meant.

    Args:
        name: what was written.
        names: those that there are.

    Returns:
        Such as `" (did you mean rail?)"`; empty if no name is close.
    """
    close = get_close_matches(str(name), names, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def whole(what: str, value: object, least: int, most: float = LONGEST) -> int:
    """A whole number from `least` to `most`, or an error that says so.

    Args:
        what: what the value is, as the message calls it.
        value: what was given.
        least: the smallest number allowed.
        most: the largest number allowed.

    Returns:
        The value as an int.

    Raises:
        ValueError: if it is not a whole number, or out of range; True and False are not numbers here.
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if not least <= number <= most or isinstance(value, bool):
        upper = f" and at most {most}" if number > most else ""
        raise ValueError(f"{what} is {value!r}: give a whole number of at least {least}{upper}")
    return number


def real(what: str, value: object) -> float:
    """A number as a float, or an error that says so.

    Args:
        what: what the value is, as the message calls it.
        value: what was given.

    Returns:
        The value as a float; it may be infinite or nan.

    Raises:
        ValueError: if it is not a real number, or too large for a float; True and False are not numbers here.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{what} is {value!r}: give a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{what} has more than 300 digits: give a number of at most {LARGEST:g}") from None


def positive(what: str, value: object) -> float:
    """A number above zero, neither too small nor too large to compute with, or an error that says so.

    Args:
        what: what the value is, as the message calls it.
        value: what was given.

    Returns:
        The value as a float.

    Raises:
        ValueError: if it is not a number from `1 / LARGEST` to `LARGEST`.
    """
    number = real(what, value)
    if not 1 / LARGEST <= number <= LARGEST:
        raise ValueError(f"{what} is {value!r}: give a number above 0, between {1 / LARGEST:g} and {LARGEST:g}")
    return number


def word(what: str, value: object, words: tuple[str, ...]) -> str:
    """One of some words, or an error that lists them.

    Args:
        what: what the value is, as the message calls it.
        value: what was given.
        words: those allowed.

    Returns:
        The value, unchanged.

    Raises:
        ValueError: if it is none of them.
    """
    if not isinstance(value, str) or value not in words:
        known = ", ".join(map(repr, words))
        raise ValueError(f"{what} is {value!r}: give one of {known}{nearest(value, words)}")
    return value


def distinct(what: str, names: Iterable[object], least: int) -> tuple[str, ...]:
    """Names that all differ, or an error that says which does not.

    Args:
        what: what the names are of, as the message calls it, in the plural: `"the actions"`.
        names: what was given.
        least: how many there must be at least.

    Returns:
        The names as a tuple.

    Raises:
        ValueError: if a name is not a text, two are the same, or there are too few.
    """
    given = tuple(names)
    if isinstance(names, str) or not all(isinstance(name, str) for name in given):
        raise ValueError(f"{what} are {names!r}: give a list of names")
    seen: set[object] = set()
    for name in given:
        if name in seen:
            raise ValueError(f"two of {what} are called {shown(name)}: names must differ")
        seen.add(name)
    if len(given) < least:
        raise ValueError(f"{what} are {list(given)!r}: give at least {least}")
    return tuple(map(str, given))


def shown(value: object) -> str:
    """A value as a message shows it: in quotes, and not too much of it.

    >>> shown("rail"), shown(2.5)
    ("'rail'", '2.5')
    >>> shown("x" * 50_000_000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' and so on, 50,000,000 characters"
    """
    if isinstance(value, str):
        text, cut = repr(value[:SHOWN]), len(value) > SHOWN
        return f"{text} and so on, {len(value):,} characters" if cut else text
    text = repr(value) if not isinstance(value, float) else f"{value:g}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names as a message shows them.

    Args:
        names: all of them.
        most: how many to show; the rest are only counted.

    Returns:
        The names in quotes, with commas between them.

    >>> listed(["rail", "road"]), listed("abc", most=2)
    ("'rail', 'road'", "'a', 'b' and 1 more")
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(shown, names[:most])) + more


def as_table(data: Any, wanted: Sequence[str] | None = None) -> "tuple[tuple[str, ...] | None, NDArray[np.float64]]":  # noqa: ANN401
    """The columns' names, if there are any, and the values; an array of floats is not copied.

    Args:
        data: an array, nested lists, or any data frame.
        wanted: of a data frame, the columns to read, in this order; None: all.

    Returns:
        The names, or None for an array, and one row per round, one column per action.

    Raises:
        ValueError: if the data are not a table of numbers, or a wanted column is missing.
    """
    import narwhals as nw
    import numpy as np

    frame = as_frame(data)
    if frame is None:
        values = as_array(data)
        if values.ndim != 2 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"a table of shape {values.shape} and type {values.dtype}: give numbers, one row per round, one column "
                "per action"
            )
        return None, np.ascontiguousarray(values, dtype=np.float64)
    if wanted is not None:
        frame = frame[:, matched(frame.columns, wanted)]
    names = tuple(map(str, frame.columns))
    values = np.empty((len(frame), len(names)))
    for column, (name, series) in enumerate(zip(names, frame.iter_columns(), strict=True)):
        if not series.dtype.is_numeric():
            raise ValueError(
                f"column {name!r} holds {series.dtype}, such as {series[0] if len(series) else None!r}: "
                "every column is an action and holds its costs; drop the others first"
            )
        values[:, column] = series.cast(nw.Float64()).to_numpy()
    return names, values


def as_frame(data: Any) -> "nw.DataFrame[Any] | None":  # noqa: ANN401
    """A data frame of any kind, or a dict of columns, collected if it is lazy; None if the data are neither."""
    import narwhals as nw

    if isinstance(data, dict):
        data = _from_columns(data)
    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise ValueError("two columns have the same name, and names must differ: rename one") from None
    if isinstance(frame, nw.LazyFrame):
        return frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _from_columns(columns: dict[Any, Any]) -> Any:  # noqa: ANN401
    """A dict of columns as a data frame; raises ValueError if they are not columns of one length."""
    import polars as pl

    series = {}
    for name, values in columns.items():
        values = values.to_numpy() if hasattr(values, "to_numpy") else values
        try:
            series[str(name)] = pl.Series(list(values) if not hasattr(values, "dtype") else values, strict=False)
        except (TypeError, ValueError, pl.exceptions.PolarsError):
            raise ValueError(f"column {shown(name)} is {shown(values)}: give one value per period, in a list") from None
    lengths = {name: len(each) for name, each in series.items()}
    if len(set(lengths.values())) > 1:
        least, most = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        fault = f"column {shown(least)} has {lengths[least]:,} values, and {shown(most)} has {lengths[most]:,}"
        raise ValueError(f"{fault}: give one value per period in each")
    return pl.DataFrame(series)


def as_array(data: Any) -> "NDArray[Any]":  # noqa: ANN401
    """An array of any type, nan where it is masked; raises ValueError if the rows differ in length."""
    import numpy as np

    if isinstance(data, np.ma.MaskedArray):
        return np.ma.filled(data.astype(np.float64), np.nan)
    try:
        return np.asarray(data)
    except ValueError:
        raise ValueError("the rows differ in length: give one number for each action in every row") from None


def matched(here: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted names stand among those that are here; raises ValueError if one is missing.

    Args:
        here: the names that there are.
        wanted: the names to find.

    Returns:
        For each wanted name, its place in `here`, from 0.

    Raises:
        ValueError: if a wanted name is missing.
    """
    places = {name: place for place, name in enumerate(here)}
    missing = [name for name in wanted if name not in places]
    if missing:
        raise ValueError(
            f"nothing here is called {shown(missing[0])}: the names are {listed(here)}{nearest(missing[0], here)}"
        )
    return [places[name] for name in wanted]
