"""What problems, memories, learners and cost families have in common: they are frozen, comparable descriptions."""

import operator
from abc import ABCMeta
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from numbers import Real
from typing import Any, Self, TypeVar, dataclass_transform

import msgspec
from msgspec.structs import force_setattr

LARGEST = 1e100  # of a number; sums and squares of larger ones could overflow
LONGEST = 2**53  # of a count; floats hold those exactly
SHOWN = 60  # characters of a value in a message


@dataclass_transform(field_specifiers=(msgspec.field,), frozen_default=True)
class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


class Description(
    msgspec.Struct,
    metaclass=_AbstractStruct,
    frozen=True,
    tag=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A frozen set of parameters: comparable, hashable, and as good as its JSON or TOML form."""

    def to_dict(self) -> dict[str, Any]:
        """The kind and the parameters that differ from their defaults, as plain values.

        >>> import bygones as by
        >>> by.Window(100).to_dict()
        {'type': 'Window', 'length': 100}
        """
        try:
            data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        except TypeError:
            raise ValueError(f"{self!r} has no plain form: it holds a function or data") from None
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`; a parameter that there is not is refused.

        >>> import bygones as by
        >>> by.Window.from_dict({"type": "Window", "length": 100})
        Window(length=100)
        """
        return from_dict(data, [cls], cls.__name__)

    def __repr__(self) -> str:
        given = [(field, getattr(self, field.name)) for field in msgspec.structs.fields(self)]
        shown = (f"{field.name}={value!r}" for field, value in given if field.required or value != field.default)
        return f"{type(self).__name__}({', '.join(shown)})"

    def replace(self, **changes: object) -> Self:
        """A copy with some parameters changed."""
        return msgspec.structs.replace(self, **changes)

    def _set(self, name: str, value: object) -> None:
        """Put a checked value in place of the one given; for `__post_init__` only."""
        force_setattr(self, name, value)


D = TypeVar("D", bound=Description)


def from_dict(data: Mapping[str, Any], kinds: Iterable[type[D]], what: str) -> D:
    """Make a description of one of several kinds from its plain form.

    Args:
        data: the plain form.
        kinds: the classes it may name under `type`.
        what: what they are called, for messages.
    """
    by_name = {kind.__name__: kind for kind in kinds}
    name = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or name not in by_name:
        known = ", ".join(by_name)
        raise ValueError(f"{data!r} names no {what}: `type` must be one of {known}{nearest(name, by_name)}")
    inner = {key: from_dict(value, by_name.values(), what) for key, value in data.items() if isinstance(value, Mapping)}
    try:
        return msgspec.convert({**data, **inner}, by_name[name])
    except msgspec.ValidationError as error:
        allowed = ", ".join(field.name for field in msgspec.structs.fields(by_name[name])) or "none"
        raise ValueError(f"{what} {name}: {error} (its parameters: {allowed})") from None


def nearest(name: object, names: Iterable[str]) -> str:
    """What somebody may have meant who wrote a name that there is not."""
    close = get_close_matches(str(name), names, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def whole(what: str, value: object, least: int, most: float = LONGEST) -> int:
    """A whole number from `least` to `most`, or an error that says so."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if not least <= number <= most or isinstance(value, bool):
        upper = f" and at most {most}" if number > most else ""
        raise ValueError(f"{what} is {value!r}: give a whole number of at least {least}{upper}")
    return number


def real(what: str, value: object) -> float:
    """A number as a float, or an error that says so."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{what} is {value!r}: give a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{what} has more than 300 digits: give a number of at most {LARGEST:g}") from None


def positive(what: str, value: object) -> float:
    """A number above zero, neither too small nor too large to reckon with, or an error that says so."""
    number = real(what, value)
    if not 1 / LARGEST <= number <= LARGEST:
        raise ValueError(f"{what} is {value!r}: give a number above 0, between {1 / LARGEST:g} and {LARGEST:g}")
    return number


def word(what: str, value: object, words: tuple[str, ...]) -> str:
    """One of some words, or an error that lists them."""
    if not isinstance(value, str) or value not in words:
        known = ", ".join(map(repr, words))
        raise ValueError(f"{what} is {value!r}: give one of {known}{nearest(value, words)}")
    return value


def distinct(what: str, names: Iterable[object], least: int) -> tuple[str, ...]:
    """Names that all differ, or an error that says which does not."""
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

    >>> listed(["rail", "road"]), listed("abc", most=2)
    ("'rail', 'road'", "'a', 'b' and 1 more")
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(shown, names[:most])) + more
