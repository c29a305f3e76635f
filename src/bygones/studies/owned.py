"""What of a configuration is the user's own: the modules of the classes that it names, and what those import."""

import ast
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..costs import Costs
from ..learners import Learner
from ..memory import Memory
from .configurations import Configuration
from .declaration import is_table

OTHERS = frozenset(("bygones", "msgspec", *sys.stdlib_module_names))
INSTALLED = {"site-packages", "dist-packages"}


class Module(NamedTuple):
    """A module's file."""

    digest: str
    installed: bool  # as a package of others
    imports: list[str]  # and the packages around them


_known: dict[str, tuple[object, Module | None]] = {}  # with what they were loaded as, which a reload replaces


def owned(configuration: Configuration) -> list[tuple[str, str]]:
    """Names and digests of the user's modules that the classes of a configuration are in or import, themselves or not.

    Raises:
        ValueError: if a class is in no file.
    """
    found: dict[str, str] = {}
    for words, parse in zip(configuration[:3], (Learner.parse, Costs.parse, Memory.parse), strict=True):
        if not (parse is Costs.parse and is_table(words)) and not _is_ours(words, parse):
            for kind in _classes(parse(words)):  # a module may have been loaded again
                found |= modules(kind.__module__)
                if kind.__module__ not in found:
                    raise ValueError(
                        f"the source of {kind.__module__}:{kind.__qualname__} cannot be found, so that its results "
                        "could not be told from those of another version: put the class into a module"
                    )
    return sorted(found.items())


@lru_cache(maxsize=8192)
def _is_ours(words: str, parse: Callable[[str], Any]) -> bool:
    """Whether all classes that words name are the library's."""
    return not any(_classes(parse(words)))


def _classes(described: Any) -> Iterator[type]:  # noqa: ANN401
    """The user's classes in a description, and those that they are built on."""
    for kind in type(described).__mro__:
        if kind.__module__.partition(".")[0] not in OTHERS:
            yield kind
    for value in msgspec.structs.asdict(described).values():
        if isinstance(value, Learner | Costs | Memory):
            yield from _classes(value)


def modules(first: str) -> dict[str, str]:
    """A module and those that it imports, directly or not, but for the standard library and installed packages.

    Of an installed module, the others of its package are among them.

    Args:
        first: its name.

    Returns:
        The digests of their files, by name: where the files lie makes no difference.
    """
    package, found, left = first.partition(".")[0], dict[str, str](), _with_packages(first)
    while left:
        name = left.pop()
        top = name.partition(".")[0]
        module = _module(name) if name not in found and top not in OTHERS else None
        if module is not None and (top == package or not module.installed):
            found[name] = module.digest
            left += module.imports
    return found


def _module(name: str) -> Module | None:
    """A module's file, as it was when the module was loaded, if it is; None: there is none."""
    loaded = sys.modules.get(name)
    if loaded is None:
        spec = _spec(name)
        return _look(name, spec.origin) if spec and spec.has_location else None
    version = loaded.__spec__ or loaded
    if name not in _known or _known[name][0] is not version:
        _known[name] = version, _look(name, getattr(loaded, "__file__", None))
    return _known[name][1]


def _look(name: str, path: str | None) -> Module | None:
    """What is in a file now; None: it is not there, or in an archive."""
    if path is None:
        return None
    try:
        found = Path(path).stat()
        return _read(name, Path(path), found.st_mtime_ns, found.st_size, found.st_ino)
    except OSError:
        return None


def _spec(name: str) -> ModuleSpec | None:
    """Where a module is; `importlib.util.find_spec` would import the packages around it."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__spec__", None)
    package = name.rpartition(".")[0]
    around = _spec(package) if package else None
    places = around.submodule_search_locations if around else None
    if package and places is None:  # an attribute, not a module
        return None
    specs = (finder.find_spec(name, places) for finder in sys.meta_path)
    return next((spec for spec in specs if spec is not None), None)


@lru_cache(maxsize=1024)
def _read(name: str, path: Path, *version: int) -> Module:
    """The digest of a file, and what it imports; read again when it was written again."""
    del version
    content, imports = path.read_bytes(), list[str]()
    with suppress(SyntaxError, ValueError):  # of what is not Python, such as a compiled module
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(content)):
            imports += _imported(node, package)
    digest = hashlib.sha256(content).hexdigest()
    return Module(digest, not INSTALLED.isdisjoint(path.parts), list(dict.fromkeys(imports)))


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    """The modules that a statement may import."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield from _with_packages(each.name)
    elif isinstance(node, ast.ImportFrom):
        with suppress(ImportError):  # beyond the outermost package
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from _with_packages(base)
            yield from (f"{base}.{each.name}" for each in node.names)  # which may be modules


def _with_packages(name: str) -> list[str]:
    """A module's name, and those of the packages around it."""
    parts = name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
