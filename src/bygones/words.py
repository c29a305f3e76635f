"""Descriptions in words, for command lines, files and calls.

Words are `name` or `name:parameter=value,parameter=value`. The name goes in any case, with hyphens or underscores; a
class of the user is `package.module:Class` instead. A description that another one wraps stands in parentheses:
`name(name:parameter=value):parameter=value`. A value with a mark in it goes in double quotes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Generic, get_origin

from msgspec.structs import FieldInfo, fields

from .description import D
from .validation import nearest, whole, word

_OWN = re.compile(r"\s*([^\W\d][\w.]*)\s*:\s*([^\W\d][\w.]*)\s*(?=$|[(:])")  # a class in a module
DEEPEST = 50  # descriptions around each other
_PLAIN = re.compile(r"[^\s,:()\"#=]([^,:()\"#=]*[^\s,:()\"#=])?")  # text that needs no quotes


@dataclass(frozen=True)
class Words(Generic[D]):
    """How descriptions of one sort are written and read.

    Args:
        what: the sort, such as `learner`; a parameter of that name is another one of the same sort.
        plural: of that word.
        base: what a class of the user must be a subclass of.
        kinds: the library's classes, by their names in words.
        forms: what the words look like, for messages.
        bare: where a class has one parameter only, its name is left out.
        own: a class of the user may be named, and its module is imported; False: never, as where strangers write.
    """

    what: str
    plural: str
    base: Any
    kinds: Mapping[str, type[D]]
    forms: str
    bare: bool = False
    own: bool = True

    def parse(self, text: object) -> D:
        """The description that words make.

        Raises:
            ValueError: if there is no such class, module or parameter, or a value is not allowed.
        """
        words = str(text)
        if words.count("(") + words.count(f"{self.what}=") > DEEPEST:
            raise ValueError(f"the {self.what} has more than {DEEPEST} others around it: leave some out")
        name = re.split("[(:]", words, maxsplit=1)[0]
        plain = name.lower().replace("-", "").replace("_", "").strip()
        own = _OWN.match(words)
        look = f"{self.plural} look like {self.forms}"
        try:
            if plain in self.kinds:
                return self._made(self.kinds[plain], words[len(name) :].strip())
            if own and not self.own:
                raise ValueError("no module is imported here: name one of the library's own")
            if own:
                return self._made(self._imported(own[1], own[2]), words[own.end() :].strip())
        except ValueError as error:
            ending = "" if look in str(error) else f"; {look}"
            raise ValueError(f"the {self.what} is {text!r}, and {error}{ending}") from None
        if not self.bare:
            word(f"the {self.what}", name.strip() or words, tuple(self.kinds))
        meant = ""
        for kind in reversed(list(self.kinds)):  # whose parameter may have been given alone
            try:
                meant = f" (did you mean {self.write(self.parse(f'{kind}:{text}'))}?)"
            except ValueError:
                continue
        meant = meant or nearest(plain, self.kinds)
        raise ValueError(f"the {self.what} is {text!r}{meant}: give one that looks like {self.forms}")

    def named(self, text: str) -> type[D]:
        """A class that somebody wrote, from `package.module:Class`.

        Raises:
            ValueError: if it is not written so, or there is no such class.
        """
        if not (found := _OWN.fullmatch(text)):
            raise ValueError(f"the class of a {self.what} is {text!r}: give package.module:Class")
        return self._imported(found[1], found[2])

    def _imported(self, module: str, name: str) -> type[D]:
        """A class that somebody wrote, from its module."""
        try:
            found: Any = import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise ValueError(f"the module {module!r} cannot be imported: {error}") from error
            raise ValueError(
                f"there is no {self.what} or module {module!r}{nearest(module, self.kinds)}; modules are looked for "
                "where Python imports them from, by the command line in the working directory too"
            ) from None
        except (Exception, SystemExit) as error:  # whatever the user's module does when it is imported
            raise ValueError(f"the module {module!r} cannot be imported: {type(error).__name__}: {error}") from error
        for part in name.split("."):
            if not hasattr(found, part):
                raise ValueError(f"the module {module!r} has no class {name!r}{nearest(part, dir(found))}")
            found = getattr(found, part)
        if not (isinstance(found, type) and issubclass(found, self.base)):
            raise ValueError(f"{module}.{name} is not a subclass of bygones.{self.base.__name__}")
        kind: type[D] = found
        return kind

    def _made(self, kind: type[D], rest: str) -> D:
        """A description from what follows its name: another one in parentheses, then a colon and parameters."""
        known = _fields(kind)
        given: dict[str, Any] = {}
        if rest.startswith("("):
            inside = _pieces(rest, ":")[0].rstrip()
            if not inside.endswith(")"):
                raise ValueError(f"{inside!r} has no closing parenthesis")
            if self.what not in known:
                raise ValueError(f"{kind.__name__} has no {self.what} inside: leave {inside!r} out")
            given[self.what] = self.parse(inside[1:-1])
            rest = rest[len(inside) :].lstrip()
        if rest and not rest.startswith(":"):
            raise ValueError(f"{rest!r} is not understood")
        only = next(iter(known)) if self.bare and len(known) == 1 else ""
        several = bool(only) and _several(known[only])
        parts = [rest[1:]] if several else _pieces(rest[1:], ",")
        for part in parts if rest else ():
            if not known:
                raise ValueError(f"{kind.__name__} has no parameters: leave {part!r} out")
            quoted = part.lstrip().startswith('"')  # a value alone, whatever is in it
            key, equals, value = (part.strip(), "", "") if quoted else (piece.strip() for piece in part.partition("="))
            if only and not equals:
                key, value = only, key
            if not key or not (value or several):
                raise ValueError(f"{part!r} is not name=value: give such as {next(iter(known))}=...")
            if word(f"a parameter of {kind.__name__}", key, tuple(known)) in given:
                raise ValueError(f"{key} is given twice: give it once")
            if several:
                given[key] = [_number(number.strip()) for number in value.split(",")]
            else:
                given[key] = self.parse(_bare(value)) if self._nested(known[key]) else _read(value, known[key])
        missing = [field.name for field in known.values() if field.required and field.name not in given]
        if missing:
            raise ValueError(f"{missing[0]} is missing: {kind.__name__} needs {', '.join(missing)}")
        try:
            return kind(**given)
        except TypeError as error:  # as of a class of the user that compares a text with a number
            raise ValueError(str(error)) from None

    def _nested(self, field: FieldInfo) -> bool:
        """Whether a parameter is another description of the same sort."""
        return field.name == self.what or isinstance(field.default, self.base)

    def write(self, description: D) -> str:
        """The words of a description, to the last digit; parameters at their defaults are left out.

        Raises:
            ValueError: if a parameter has no words.
        """
        kind = type(description)
        names = {known: name for name, known in self.kinds.items()}
        said, parameters = names.get(kind, f"{kind.__module__}:{kind.__qualname__}"), []
        bare = self.bare and len(_fields(type(description))) == 1
        for field in _fields(type(description)).values():
            value = getattr(description, field.name)
            if field.name == self.what and isinstance(value, self.base):
                said += f"({self.write(value)})"
            elif isinstance(value, self.base):
                parameters += [] if value == field.default else [f"{field.name}=({self.write(value)})"]
            elif bare and _several(field):
                parameters = list(map(repr, value))
            elif field.required or value != field.default or type(value) is not type(field.default):
                parameters.append(_written(value, field) if bare else f"{field.name}={_written(value, field)}")
        return said + (f":{','.join(parameters)}" if parameters else "")


@lru_cache(maxsize=1024)
def _fields(kind: type) -> dict[str, FieldInfo]:
    """The parameters of a class, by name; to look them up takes longer than all else."""
    return {field.name: field for field in fields(kind)}


def _bare(text: str) -> str:
    """A text without the parentheses around it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _pieces(text: str, mark: str) -> list[str]:
    """A text cut at a mark, where that stands neither in quotes nor in parentheses."""
    pieces, depth, first = [], 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|.', text, flags=re.S):
        depth += (found[0] == "(") - (found[0] == ")")
        if found[0] == mark and depth == 0:
            pieces.append(text[first : found.start()])
            first = found.end()
    return [*pieces, text[first:]]


def _either(field: FieldInfo) -> bool:
    """Whether a parameter is a name or a number, as an action is: its bare value is the name."""
    return bool(field.type == (int | str))


def _several(field: FieldInfo) -> bool:
    """Whether a parameter is a list of numbers."""
    return get_origin(field.type) is Sequence


def _read(text: str, field: FieldInfo) -> Any:  # noqa: ANN401
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


def _written(value: object, field: FieldInfo) -> str:
    """The words of a value."""
    if isinstance(value, str):
        bare = _PLAIN.fullmatch(value) and (_either(field) or _number(value) == value)
        return value if bare else json.dumps(value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float):
        raise ValueError(f"{field.name}={value!r} has no words: give numbers, texts and descriptions only")
    return f"#{value!r}" if _either(field) else repr(value)
