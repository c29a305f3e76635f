"""What problems, memories, learners and cost families have in common: they are frozen, comparable descriptions."""

from abc import ABCMeta
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Self, TypeVar, dataclass_transform

import msgspec
from msgspec.structs import force_setattr

from .validation import nearest, shown

DEEPEST = 32  # wrappers around a description


@dataclass_transform(field_specifiers=(msgspec.field,), frozen_default=True)
class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


class Description(
    msgspec.Struct, metaclass=_AbstractStruct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True
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
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        usual = dict(zip(reversed(given), reversed(self.__struct_defaults__), strict=False))  # of the last ones
        shown = (f"{name}={value!r}" for name, value in given.items() if name not in usual or value != usual[name])
        return f"{type(self).__name__}({', '.join(shown)})"

    def replace(self, **changes: object) -> Self:
        """A copy with some parameters changed."""
        return msgspec.structs.replace(self, **changes)

    def _set(self, name: str, value: object) -> None:
        """Put a checked value in place of the one given; for `__post_init__` only."""
        force_setattr(self, name, value)


D = TypeVar("D", bound=Description)


def from_dict(data: Mapping[str, Any], kinds: Iterable[type[D]], what: str, argument: str = "", depth: int = 0) -> D:
    """Make a description of one of several kinds from its plain form.

    Args:
        data: the plain form.
        kinds: the classes it may name under `type`.
        what: what they are called in messages, such as `learner`.
        argument: the caller's argument that takes more classes, such as `learners`; messages give it as the remedy.
        depth: how many descriptions are around this one.

    Returns:
        The description.

    Raises:
        ValueError: if `type` names none of the kinds, a parameter is unknown or invalid, or there are too many
            descriptions in each other.
    """
    if depth > DEEPEST:
        raise ValueError(f"it has a {what} in a {what} more than {DEEPEST} times over: nest fewer")
    by_name = {kind.__name__: kind for kind in kinds}
    name = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or name not in by_name:
        meant = nearest(name, by_name)
        if argument and isinstance(name, str):
            raise ValueError(
                f"it names the {what} {name}, which bygones does not have{meant}: pass {argument}=[{name}]"
            )
        raise ValueError(f"{shown(data)} names no {what}: `type` must be one of {', '.join(by_name)}{meant}")
    inner = {
        key: from_dict(value, by_name.values(), what, argument, depth + 1)
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
