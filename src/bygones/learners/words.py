"""Learners as words, for command lines, files and calls."""

import json
import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import msgspec

from ..validation import nearest, whole, word
from .base import Learner, labels

FORMS = "tracking, ftarl:tuning=sharp, pure(hedge:rate=0.1):how=independent or package.module:Class"
_OWN = re.compile(r"\s*([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)\s*(?=$|[(:])")  # a class in a module
_NAME = re.compile(r"[^(:]*")
_PLAIN = re.compile(r"[^\s,:()\"#=]([^,:()\"#=]*[^\s,:()\"#=])?")  # text that needs no quotes


def parse(text: str) -> Learner:
    """A learner from its words; see `Learner.parse`."""
    from . import LEARNERS  # whose list is made once all learners are there

    names = {kind.__name__.lower(): kind for kind in LEARNERS}
    text = str(text)
    name = _NAME.match(text)[0]  # type: ignore[index]  # it matches any text
    plain = name.lower().replace("-", "").replace("_", "").strip()
    own = None if plain in names else _OWN.match(text)
    if own:
        kind, rest = _imported(text, own[1], own[2], names), text[own.end() :]
    else:
        kind = names[word("the learner", plain if plain in names else name.strip(), tuple(names))]
        rest = text[len(name) :]
    try:
        return kind(**_given(kind, rest.strip()))
    except (ValueError, TypeError) as error:  # TypeError: a parameter that must be given is not
        raise ValueError(f"the learner is {text!r}, and {error}") from None


def _imported(text: str, module: str, name: str, names: Iterable[str]) -> type[Learner]:
    """A class of learners that somebody wrote, from its module."""
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, and misses another
        raise ValueError(
            f"the learner is {text!r}: there is no learner or module {module!r}{nearest(module, names)}; "
            "modules are looked for where Python imports them from, by the command line in the working directory too"
        ) from None
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError(
                f"the learner is {text!r}: the module {module!r} has no class {name!r}{nearest(part, dir(found))}"
            )
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise ValueError(f"the learner is {text!r}: {module}.{name} is not a subclass of bygones.Learner")
    return found


def _given(kind: type[Learner], rest: str) -> dict[str, Any]:
    """The parameters: a learner in parentheses, then a colon and a list of name=value."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    given: dict[str, Any] = {}
    if rest.startswith("("):
        inside = _pieces(rest, ":")[0].rstrip()
        if not inside.endswith(")"):
            raise ValueError(f"{inside!r} has no closing parenthesis; learners look like {FORMS}")
        if "learner" not in fields:
            raise ValueError(f"{kind.__name__} has no learner inside: leave {inside!r} out")
        given["learner"] = parse(inside[1:-1])
        rest = rest[len(inside) :].lstrip()
    if rest and not rest.startswith(":"):
        raise ValueError(f"{rest!r} is not understood; learners look like {FORMS}")
    for part in _pieces(rest[1:], ",") if rest else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise ValueError(f"{part!r} is no name=value; learners look like {FORMS}")
        if not fields:
            raise ValueError(f"{kind.__name__} has no parameters: leave {part!r} out")
        if word(f"a parameter of {kind.__name__}", key, tuple(fields)) in given:
            raise ValueError(f"{key} is given twice: give it once")
        given[key] = parse(value) if key == "learner" else _read(value, fields[key])
    return given


def _pieces(text: str, mark: str) -> list[str]:
    """A text cut at a mark, where that stands neither in quotes nor in parentheses."""
    pieces, depth, first = [], 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|.', text, flags=re.S):
        depth += (found[0] == "(") - (found[0] == ")")
        if found[0] == mark and depth == 0:
            pieces.append(text[first : found.start()])
            first = found.end()
    return [*pieces, text[first:]]


def _either(field: Any) -> bool:  # noqa: ANN401
    """Whether a parameter is a name or a number, as an action is: its bare value is the name."""
    return bool(field.type == (int | str))


def _read(text: str, field: Any) -> Any:  # noqa: ANN401
    """A value from its words."""
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            raise ValueError(f'{text} is not a text in quotes: close it, and write \\" for a quote in it') from None
    if _either(field):
        return whole("the number after #", _number(text[1:]), 0) if text.startswith("#") else text
    return _number(text)


def _number(text: str) -> int | float | bool | str | None:
    """A number, true, false or none where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text, text)


def words(learner: Learner) -> str:
    """The words of a learner; see `Learner.words`."""
    from . import LEARNERS

    kind = type(learner)
    said = kind.__name__.lower() if kind in LEARNERS else f"{kind.__module__}:{kind.__qualname__}"
    parameters = []
    for field in msgspec.structs.fields(learner):
        value = getattr(learner, field.name)
        if field.name == "learner" and isinstance(value, Learner):
            said += f"({value.words})"
        elif field.required or value != field.default or type(value) is not type(field.default):
            parameters.append(f"{field.name}={_written(value, field)}")
    return said + (f":{','.join(parameters)}" if parameters else "")


def _written(value: object, field: Any) -> str:  # noqa: ANN401
    """The words of a value."""
    if isinstance(value, str):
        bare = _PLAIN.fullmatch(value) and (_either(field) or _number(value) == value)
        return value if bare else json.dumps(value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float):
        raise ValueError(f"{field.name}={value!r} has no words: give numbers, texts and learners only")
    return f"#{value!r}" if _either(field) else repr(value)


def as_learners(learners: Sequence[Learner | str]) -> list[Learner]:
    """Learners and words as a list of learners, each of them once.

    Raises:
        ValueError: if it is not a list, or something in it is neither a learner nor its words, or is in it twice.

    >>> import bygones as by
    >>> as_learners([by.FTARL(), "hedge:rate=0.1"])
    [FTARL(), Hedge(rate=0.1)]
    """
    several = isinstance(learners, Iterable) and not isinstance(learners, str | Learner)
    given = [parse(one) if isinstance(one, str) else one for one in learners] if several else []
    if not given or not all(isinstance(one, Learner) for one in given):
        raise ValueError(f"the learners are {learners!r}: give a list, such as [FTARL(), 'hedge:rate=0.1']")
    labels(given)
    return given
