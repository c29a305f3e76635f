"""What problems, memories, learners and cost families have in common: they are frozen, comparable descriptions."""

from abc import ABCMeta
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any, Self, TypeVar, dataclass_transform

import msgspec
from msgspec.structs import force_setattr

from .validation import nearest, word


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


def from_dict(data: Mapping[str, Any], kinds: Iterable[type[D]], what: str, argument: str = "") -> D:
    """Make a description of one of several kinds from its plain form.

    Args:
        data: the plain form.
        kinds: the classes it may name under `type`.
        what: what they are called in messages, such as `learner`.
        argument: the caller's argument that takes more classes, such as `learners`; messages give it as the remedy.

    Returns:
        The description.

    Raises:
        ValueError: if `type` names none of the kinds, or a parameter is unknown or invalid.
    """
    by_name = {kind.__name__: kind for kind in kinds}
    name = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or name not in by_name:
        meant = nearest(name, by_name)
        if argument and isinstance(name, str):
            raise ValueError(
                f"it names the {what} {name}, which bygones does not have{meant}: pass {argument}=[{name}]"
            )
        raise ValueError(f"{data!r} names no {what}: `type` must be one of {', '.join(by_name)}{meant}")
    inner = {
        key: from_dict(value, by_name.values(), what, argument)
        for key, value in data.items()
        if isinstance(value, Mapping)
    }
    try:
        return msgspec.convert({**data, **inner}, by_name[name])
    except msgspec.ValidationError as error:
        allowed = ", ".join(field.name for field in msgspec.structs.fields(by_name[name])) or "none"
        raise ValueError(f"{what} {name}: {error} (its parameters: {allowed})") from None


def html_table(rows: Iterable[Sequence[object]], head: Sequence[str] = (), caption: str = "") -> str:
    """A small table for notebooks, with every text escaped.

    Args:
        rows: the cells, row by row.
        head: the columns' names; none: there is no head, and each row's first cell is its name.
        caption: a text above the table.

    Returns:
        The table as HTML.

    >>> html_table([("actions", "rail & road")])
    '<table><tbody><tr><th>actions</th><td>rail &amp; road</td></tr></tbody></table>'
    """

    def row(cells: Sequence[object], named: int) -> str:
        kinds = ["th"] * named + ["td"] * (len(cells) - named)
        return "".join(f"<{kind}>{escape(str(cell))}</{kind}>" for kind, cell in zip(kinds, cells, strict=True))

    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = f"<thead><tr>{row(head, len(head))}</tr></thead>" if head else ""
    body = "".join(f"<tr>{row(cells, 0 if head else 1)}</tr>" for cells in rows)
    return f"<table>{above}{top}<tbody>{body}</tbody></table>"


def kind_named(text: str, base: type, kinds: Mapping[str, type[D]]) -> tuple[type[D], str | None] | None:
    """The class that words begin with, and what follows as its parameters.

    Words are `name` or `name:parameters`, the name in any case, or for a class of the user
    `package.module:Class` or `package.module:Class:parameters`.

    Args:
        text: the words.
        base: what a class of the user must be a subclass of.
        kinds: the library's classes, by their names in lower case.

    Returns:
        The class, and its parameters (None if no colon follows the name); None if no class is named.

    Raises:
        ValueError: if there is no such module, or no such class in it.
    """
    name, colon, rest = (part.strip() for part in text.partition(":"))
    plain = name.lower().replace("-", "").replace("_", "")
    if plain in kinds:
        return kinds[plain], rest if colon else None
    title, colon, rest = (part.strip() for part in rest.partition(":"))
    if not all(part.isidentifier() for part in (*name.split("."), title)):
        return None
    try:
        kind: Any = getattr(import_module(name), title)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{error}{nearest(name, kinds)}") from None
    fits = isinstance(kind, type) and issubclass(kind, base)
    if not fits:
        raise ValueError(f"{name}:{title} is no subclass of {base.__name__}")
    return kind, rest if colon else None


def read_parameters(kind: type[D], text: str | None) -> D:
    """A description from the words of its parameters: `name=value` pairs with commas between.

    The name of a single parameter may be left out.

    Args:
        kind: the class.
        text: the words; None: there are none.

    Raises:
        ValueError: if a parameter is unknown, missing or given twice, or has no value.
    """
    fields = msgspec.structs.fields(kind)
    known = tuple(field.name for field in fields)
    given: dict[str, Any] = {}
    for part in [] if text is None else text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not known:
            raise ValueError(f"{kind.__name__} has no parameters: leave {part!r} out")
        if len(known) == 1 and not equals:
            key, value = known[0], key
        if not value:
            raise ValueError(f"{part!r} is no name=value: give such as {known[0]}=...")
        if word(f"a parameter of {kind.__name__}", key, known) in given:
            raise ValueError(f"{key} is given twice: give it once")
        given[key] = read_value(value)
    missing = [field.name for field in fields if field.required and field.name not in given]
    if missing:
        raise ValueError(f"{missing[0]} is missing: {kind.__name__} needs {', '.join(missing)}")
    return kind(**given)


def read_value(text: str) -> int | float | str:
    """A number where it is one.

    >>> read_value("12"), read_value("1e-3"), read_value("rail")
    (12, 0.001, 'rail')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip()


def write_parameters(description: Description) -> str:
    """The inverse of `read_parameters`, to the last digit; parameters at their defaults are left out."""
    fields = msgspec.structs.fields(description)
    values = {field.name: getattr(description, field.name) for field in fields}
    given = {field.name: str(values[field.name]) for field in fields if values[field.name] != field.default}
    return ",".join(given.values() if len(fields) == 1 else (f"{name}={value}" for name, value in given.items()))
