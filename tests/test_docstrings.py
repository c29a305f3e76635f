"""Public functions with two or more parameters say what they take, what they return and what they raise."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "bygones"
NOT_YET: tuple[str, ...] = ()
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parameters(function: Function) -> list[str]:
    """Without self and cls."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *filter(None, [given.vararg]), *given.kwonlyargs]
    named += filter(None, [given.kwarg])
    return [one.arg for one in named if one.arg not in ("self", "cls")]


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes within, but not those of functions and classes inside."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Function | ast.ClassDef | ast.Lambda):
            yield from own_nodes(child)


def raised(function: Function) -> set[str]:
    """The names of the exceptions that a function raises itself; not those it lets pass."""
    calls = [node.exc for node in own_nodes(function) if isinstance(node, ast.Raise) and node.exc is not None]
    kinds = [call.func if isinstance(call, ast.Call) else call for call in calls]
    return {kind.id for kind in kinds if isinstance(kind, ast.Name) and kind.id[:1].isupper()}


def sections(docstring: str) -> dict[str, str]:
    """The sections of a docstring in Google style, by their names."""
    parts = re.split(r"^(Args|Returns|Yields|Raises):$", docstring, flags=re.M)
    bodies = [re.split(r"^\S", part, maxsplit=1, flags=re.M)[0] for part in parts[2::2]]
    return dict(zip(parts[1::2], bodies, strict=True))


def entries(section: str) -> set[str]:
    """What a section explains: the names before the colons at its first indent."""
    return set(re.findall(r"^    (\w+):", section, flags=re.M))


def decorators(function: Function) -> list[str]:
    return [ast.unparse(one).split("(")[0] for one in function.decorator_list]


def missing(function: Function) -> list[str]:
    """What the docstring of a function lacks, and the parameters it explains that the function does not have."""
    found = sections(ast.get_docstring(function) or "")
    given, explained = parameters(function), entries(found.get("Args", ""))
    lacks = [f"Args: {name}" for name in given if name not in explained]
    lacks += [f"Args: no {name}" for name in sorted(explained.difference(given))]
    gives = function.returns is not None and ast.unparse(function.returns) not in ("None", "NoReturn", "Never")
    if gives and "check" not in decorators(function) and not {"Returns", "Yields"} & found.keys():
        lacks.append("Returns")
    return lacks + [f"Raises: {name}" for name in sorted(raised(function) - entries(found.get("Raises", "")))]


class Package:
    """All sources together: commands, and classes where the docstring of a method may be found."""

    def __init__(self, trees: Iterable[ast.Module]) -> None:
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self.classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        made = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Call)]
        self.commands = {  # by a call, as in app.command("bound")(bound.bound)
            ast.unparse(call.args[0]).split(".")[-1]
            for call in made
            if call.args and ast.unparse(call.func.func).endswith(".command")
        }

    def bases(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The classes that a class extends, and those that they extend."""
        for base in node.bases:
            name = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(name, ast.Name) and name.id in self.classes and name.id != node.name:
                yield self.classes[name.id]
                yield from self.bases(self.classes[name.id])

    def protocols(self) -> Iterator[ast.ClassDef]:
        """Those that a class satisfies without extending them."""
        for node in self.classes.values():
            if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
                yield node

    def explained(self, owner: ast.ClassDef, method: Function) -> bool:
        """Whether a class that the owner extends, or a protocol, says all about the method."""
        others = [
            other
            for node in (*self.bases(owner), *self.protocols())
            if node is not owner
            for other in node.body
            if isinstance(other, Function) and other.name == method.name
        ]
        return any(
            parameters(other) == parameters(method)
            and not missing(other)
            and raised(method) <= entries(sections(ast.get_docstring(other) or "").get("Raises", ""))
            for other in others
        )


def faults(tree: ast.Module, package: Package) -> list[str]:
    """The public functions and methods of a module whose docstrings lack something, and what they lack."""
    about = ast.get_docstring(tree) or ""
    owners = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    public: list[tuple[ast.ClassDef | None, Function]] = [
        (owner, node)
        for owner, body in [(None, tree.body), *((owner, owner.body) for owner in owners)]
        for node in body
        if isinstance(node, Function) and not node.name.startswith("_")
    ]
    found = []
    for owner, function in public:
        given, marks = parameters(function), decorators(function)
        excused = (
            len(given) < 2
            or function.name in package.commands  # the docstring is the help text
            or any(mark.endswith(".command") for mark in marks)
            or ("check" in marks and all(f"`{name}`" in about for name in given))
            or (owner is not None and package.explained(owner, function))
        )
        if not excused and (lacks := missing(function)):
            name = function.name if owner is None else f"{owner.name}.{function.name}"
            found.append(f"line {function.lineno}, {name}: {', '.join(lacks)}")
    return found


def faults_of(source):
    tree = ast.parse(source)
    return faults(tree, Package([tree]))


TREES = {file: ast.parse((ROOT / file).read_text(encoding="utf-8")) for file in FILES}
PACKAGE = Package(TREES.values())


@pytest.mark.parametrize("file", [file for file in FILES if not file.startswith(NOT_YET)])
def test_public_functions_explain_themselves(file):
    assert faults(TREES[file], PACKAGE) == []


BARE = '''
def share(part: float, whole: float) -> float:
    """A part of a whole."""
    if whole == 0:
        raise ValueError("the whole is 0: give another number")
    return part / whole
'''
ARGS = """
    Args:
        part: a number.
        whole: another one, not 0.
"""
RETURNS = """
    Returns:
        Their quotient.
"""
RAISES = """
    Raises:
        ValueError: if the whole is 0.
"""


def with_sections(*texts):
    return BARE.replace('whole."""', f'whole.\n{"".join(texts)}    """')


def test_the_rule_catches_a_function_without_sections():
    assert faults_of(BARE) == ["line 2, share: Args: part, Args: whole, Returns, Raises: ValueError"]
    assert faults_of(with_sections(RETURNS, RAISES)) == ["line 2, share: Args: part, Args: whole"]
    assert faults_of(with_sections(ARGS, RAISES)) == ["line 2, share: Returns"]
    assert faults_of(with_sections(ARGS, RETURNS)) == ["line 2, share: Raises: ValueError"]
    assert faults_of(with_sections(ARGS, RETURNS, RAISES)) == []
    assert faults_of(BARE.replace("share", "_share")) == []


def test_the_rule_catches_a_parameter_that_is_gone():
    renamed = with_sections(ARGS.replace("whole:", "all:"), RETURNS, RAISES)
    assert faults_of(renamed) == ["line 2, share: Args: whole, Args: no all"]


FAMILY = '''
class Base:
    def draw(self, n: int, rounds: int) -> float:
        """Draw costs.

        Args:
            n: the number of actions.
            rounds: how many.

        Returns:
            A cost.
        """

class Own(Base):
    def draw(self, n: int, rounds: int) -> float:
        """Draw nothing."""
'''


def test_an_override_may_leave_the_rest_to_its_base():
    assert faults_of(FAMILY) == []
    assert len(faults_of(FAMILY.replace("(Base)", ""))) == 1
    assert len(faults_of(FAMILY.replace("Args:", "Some:"))) == 2, "the base must have it all"
    assert len(faults_of(FAMILY + "        raise ValueError")) == 1, "the base does not say that it may raise"
