"""What a study declares: the same in Python and in a TOML file."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from os import PathLike
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .. import datasets
from ..costs import Costs
from ..engine.plan import recorded_rounds
from ..learners import Learner
from ..memory import Memory
from ..result import QUANTILES
from ..validation import nearest, positive, shown, whole, word
from .ranges import Value, values_of

if TYPE_CHECKING:
    import polars as pl

METHODS = ("simulate", "expected")
UNKNOWN = "unknown"  # a range of costs: TOML has no null
MOST = 2_000_000  # configurations of a study
LISTED = 3  # wrong values of one parameter that are listed one by one
NAMES = {"bool": "true or false", "int": "a whole number", "str": "a text", "array": "a list", "object": "a table"}
# Of results, in which a parameter has a column of its own:
COLUMNS = ("learner", "replicate", "round", "regret", "guarantee", "mean", "sd", "se", *QUANTILES, "bound")
Zipped = Sequence[Sequence[str]]
Swept = Any  # a value, a list of values, or a range


class Fault(NamedTuple):
    """Something that is wrong with a study: in which section and field, perhaps at which place of a list."""

    section: str
    field: str
    sentence: str
    place: int | None = None

    def __str__(self) -> str:
        path = f"{self.section}.{self.field}" if self.field else f"[{self.section}]"
        return f"{path}{'' if self.place is None else f'[{self.place}]'}: {self.sentence}"


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Learners, costs and problems, crossed with each other and repeated.

    `{name}` in the words of learners, costs and memories stands for a parameter of `grid`. `memory`, `actions`,
    `horizon`, `cost_range` and the parameters of `grid` may each be a value, a list, or a range such as
    `{"log": [8, 512], "steps": 7}` or `{"linear": [0, 1], "steps": 5}`.

    Args:
        learners: who plays, in words.
        costs: families in words, `@` and the name of a bundled table, or the path of a table.
        memory: how far back decisions count, in words.
        actions: how many there are; a table has as many as columns.
        horizon: how many rounds; a table has as many as rows.
        cost_range: the most that the costs of a round differ, or `"unknown"`.
        replicates: how many runs of each configuration.
        seed: of all randomness.
        method: `"simulate"`, or `"expected"`, which is exact over the learners' own randomness.
        record: the rounds to keep: `"end"`, `"all"`, a number of them, `"log:100"`, or a list.
        switches: keep how much the decisions moved.
        guarantees: keep guarantees at the recorded rounds.
        grid: more parameters, by their names.
        zipped: lists of parameters that go together, value by value, instead of being crossed.
        name: what pictures and pages call it.

    Raises:
        ValueError: with all that is wrong, one line each.

    >>> import bygones as by
    >>> study = by.Study(learners=["ftarl", "hedge"], costs=["stochet"], memory="window:{H}", grid={"H": [10, 100]})
    >>> len(study)
    4
    """

    learners: list[str]
    costs: list[str]
    memory: Swept
    actions: Swept = 10
    horizon: Swept = 10_000
    cost_range: Swept = 1.0
    replicates: int = 100
    seed: int = 0
    method: str = METHODS[0]
    record: int | str | list[int] = "end"
    switches: bool = False
    guarantees: bool = False
    grid: dict[str, Swept] = {}
    zipped: list[list[str]] = []
    name: str = ""

    def __post_init__(self) -> None:
        found = [str(fault) for fault in faults({name: getattr(self, name) for name in self.__struct_fields__})]
        if found:
            raise ValueError("\n".join(found))

    @property
    def axes(self) -> dict[str, tuple[Value, ...]]:
        """The values of everything that may be swept, by name; costs and learners come last."""
        swept = {name: getattr(self, name) for name in SWEPT} | self.grid
        together = set(chain(*self.zipped))
        listed = {name: values_of(name, given, name in together) for name, given in swept.items()}
        return listed | {"costs": tuple(self.costs), "learners": tuple(self.learners)}

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The axes, those that go together in one group, in the order in which they are crossed."""
        return _groups(self.axes, self.zipped)

    @staticmethod
    def read(path: str | PathLike[str]) -> "Study":
        """Read a study from a TOML file.

        Raises:
            ValueError: with all mistakes, one line each: where, what, and the nearest valid name.
            OSError: if the file cannot be read.
        """
        from .reading import read_study

        return read_study(Path(path))

    @staticmethod
    def load(path: str | PathLike[str]) -> "pl.LazyFrame":
        """All that a study has recorded in a folder, read as it is needed.

        Raises:
            ValueError: if it is not the folder of a study.
        """
        from .results import load

        return load(Path(path)).frame()

    def __len__(self) -> int:
        """How many configurations there are, those that differ in nothing counted once."""
        from .configurations import configurations

        return sum(1 for _ in configurations(self))


SWEPT = ("memory", "actions", "horizon", "cost_range")  # the section [problem]; all of it may be swept
SECTIONS = {name: "problem" if name in SWEPT else "study" for name in Study.__struct_fields__ if name != "grid"}
TYPES = {field.name: field.type for field in msgspec.structs.fields(Study)}
REQUIRED = [field.name for field in msgspec.structs.fields(Study) if field.required]


def faults(given: Mapping[str, Any]) -> Iterator[Fault]:
    """All that is wrong with the fields of a study.

    Args:
        given: the fields, by name.

    Yields:
        The faults, one after the other.
    """
    for name in REQUIRED:
        if name not in given:
            yield Fault(SECTIONS[name], name, "it is missing: give it")
    fine = dict(given)
    for name, value in given.items():
        if sentence := _wrong_type(name, value):
            fine.pop(name)
            yield Fault(SECTIONS.get(name, name), name, sentence)
    axes: dict[str, tuple[Value, ...]] = {}
    grid, together = fine.get("grid", {}), set(chain(*fine.get("zipped", ())))
    for name, value in ({key: fine[key] for key in SWEPT if key in fine} | grid).items():
        section = SECTIONS.get(name, "grid") if name not in grid else "grid"
        try:
            if name in grid and (name in TYPES or name in COLUMNS or not name.isidentifier()):
                meant = "" if name in TYPES else nearest(name, TYPES)
                raise ValueError(f"{name} cannot be the name of a parameter{meant}: give one that is a word of its own")
            axes[name] = values_of(name, value, name in together)
        except ValueError as error:
            yield Fault(section, name, str(error))
    yield from _numbers(fine, axes)
    lists = axes | {name: tuple(fine[name]) for name in ("costs", "learners") if name in fine}
    yield from _together(fine, lists)
    zipped = [names for names in fine.get("zipped", ()) if len({len(lists.get(name, ())) for name in names}) == 1]
    total = math.prod(len(lists[group[0]]) for group in _groups(lists, zipped) if group[0] in lists)
    if total > MOST:
        yield Fault("grid", "", f"the values multiply to {total:,} configurations: give at most {MOST:,}")
    yield from _words(fine, axes, grid, zipped if total <= MOST else None)


def _wrong_type(name: str, value: object) -> str:
    """What is wrong with the type of a field, if anything."""
    try:
        msgspec.convert(value, TYPES[name])
    except msgspec.ValidationError as error:
        said, _, place = str(error).replace("`", "").partition(" - at $")
        wanted = re.sub(r"Expected (.*), got .*", r"\1", said).split(" | ")
        kinds = " or ".join(NAMES.get(kind, kind) for kind in wanted)
        return f"{name}{place.replace('[...]', '')} is {shown(value)}: give {kinds}"
    return ""


def _numbers(fine: Mapping[str, Any], axes: Mapping[str, tuple[Value, ...]]) -> Iterator[Fault]:
    """What is wrong with numbers and single words."""
    shortest = min((each for each in axes.get("horizon", ()) if isinstance(each, int)), default=10**9)
    checks: dict[str, Any] = {
        "replicates": lambda value: whole("replicates", value, 1),
        "seed": lambda value: whole("seed", value, 0),
        "method": lambda value: word("method", value, METHODS),
        "actions": lambda value: whole("actions", value, 2),
        "horizon": lambda value: whole("horizon", value, 1),
        "cost_range": lambda value: value == UNKNOWN or positive("cost_range", value),
        "record": lambda value: recorded_rounds(value, shortest),
    }
    for name, check in checks.items():
        values = axes.get(name, (fine[name],) if name in fine and name not in SWEPT else ())
        for number, value in enumerate(values):
            try:
                check(value)
            except ValueError as error:
                yield Fault(SECTIONS[name], name, str(error), number if len(values) > 1 else None)


def _words(
    fine: Mapping[str, Any], axes: Mapping[str, tuple[Value, ...]], grid: Mapping[str, Any], zipped: Zipped | None
) -> Iterator[Fault]:
    """What is wrong with learners, costs and memories in words, and with the parameters in them."""
    parsers: dict[str, Callable[[str], object]] = {
        "learners": Learner.parse,
        "costs": check_costs,
        "memory": Memory.parse,
    }
    used: set[str] = set()
    for field, parse in parsers.items():
        texts = axes.get(field, ()) if field == "memory" else fine.get(field, ())
        for number, text in enumerate(map(str, texts)):
            place = number if len(texts) > 1 or field != "memory" else None
            try:
                names = parameters(text)
                used |= set(names)
                unknown = [name for name in names if name not in grid]
                if unknown:
                    remedy = f"give its values in [grid]{nearest(unknown[0], grid)}"
                    raise ValueError(f"there is no parameter {unknown[0]!r} for {shown(text)}: {remedy}")
            except ValueError as error:
                yield Fault(SECTIONS[field], field, str(error), place)
                continue
            if all(name in axes for name in names):
                for fault in _values(text, names, parse, axes, zipped):
                    yield fault if fault.section else Fault(SECTIONS[field], field, fault.sentence, place)
    for field in ("learners", "costs"):
        if field in fine and not fine[field]:
            yield Fault("study", field, f"{field} is empty: give at least one")
    for name in grid:
        if name in axes and name not in used:
            said = f"{name} is used nowhere{nearest(name, TYPES)}: write {{{name}}} into a learner, costs or a memory"
            yield Fault("grid", name, said)


def _values(
    text: str,
    names: Sequence[str],
    parse: Callable[[str], object],
    axes: Mapping[str, tuple[Value, ...]],
    zipped: Zipped | None,
) -> Iterator[Fault]:
    """What is wrong with words for some values of their parameters, or without a section for all of them.

    Without `zipped` there are too many to try, and only the first values are.
    """
    own = {name: axes[name] if zipped is not None else axes[name][:1] for name in names}
    groups = [[name for name in group if name in own] for group in _groups(own, zipped or ())]
    rows = [list(zip(*(own[name] for name in group), strict=True)) for group in groups]
    wrong: list[tuple[dict[str, Value], str]] = []
    for row in product(*rows):
        chosen = dict(zip(chain(*groups), chain(*row), strict=True))
        try:
            parse(filled(text, chosen))
        except ValueError as error:
            wrong.append((chosen, str(error)))
    if wrong and len(wrong) == math.prod(map(len, rows)):
        yield Fault("", "", wrong[0][1])
        return
    for chosen, sentence in wrong[:LISTED]:
        place = axes[names[0]].index(chosen[names[0]])
        yield Fault("grid", names[0], sentence, place)
    if len(wrong) > LISTED:
        yield Fault("grid", names[0], f"so it is with {len(wrong) - LISTED:,} more values of {shown(text)}")


def _together(fine: Mapping[str, Any], lists: Mapping[str, Sequence[Value]]) -> Iterator[Fault]:
    """What is wrong with parameters that go together."""
    declared = {*SWEPT, "learners", "costs", *fine.get("grid", {})}  # if one has no list, that is a fault of its own
    seen: set[str] = set()
    for number, names in enumerate(fine.get("zipped", ())):
        for name in names:
            if name not in declared:
                yield Fault("study", "zipped", f"{name!r} is not swept{nearest(name, lists)}", number)
            elif name in seen:
                yield Fault("study", "zipped", f"{name!r} is there twice: give it once", number)
            seen.add(name)
        sizes = {name: len(lists[name]) for name in names if name in lists}
        if len(set(sizes.values())) > 1:
            counts = ", ".join(f"{name} {size}" for name, size in sizes.items())
            said = f"values go together one by one, and there are not as many of each: {counts}"
            yield Fault("study", "zipped", said, number)


def _groups(axes: Mapping[str, Sequence[Value]], zipped: Zipped) -> list[tuple[str, ...]]:
    """The axes, those that go together in one group."""
    group_of = {name: tuple(names) for names in zipped for name in names}
    return list(dict.fromkeys(group_of.get(name, (name,)) for name in axes))


def parameters(text: str) -> tuple[str, ...]:
    """The parameters that words name in braces.

    >>> parameters("hedge:rate={rate}")
    ('rate',)
    """
    try:
        return tuple(dict.fromkeys(name for _, name in _pieces(text) if name is not None))
    except ValueError:
        raise ValueError(f"{shown(text)} has a brace without its other: write {{name}} for a parameter") from None


@lru_cache(maxsize=8192)
def _pieces(text: str) -> tuple[tuple[str, str | None], ...]:
    """Words, cut at their parameters: the text before each, and what stands in its braces."""
    return tuple(
        (before, None if name is None else name + (f"!{how}" if how else "") + (f":{form}" if form else ""))
        for before, name, form, how in Formatter().parse(text)
    )


def filled(text: str, values: Mapping[str, Value]) -> str:
    """Words with values in place of the parameters.

    Args:
        text: the words.
        values: of all parameters in them.

    Returns:
        The words; numbers are written to the last digit.

    >>> filled("hedge:rate={rate}", {"rate": 0.1})
    'hedge:rate=0.1'
    """
    return "".join(before + ("" if name is None else str(values[name])) for before, name in _pieces(text))


def is_table(words: str) -> bool:
    """Whether costs in words are a table: `@` and a name, or the path of a file."""
    return words.startswith("@") or "/" in words or (":" not in words and "." in words)


def check_costs(words: str) -> None:
    """Raise ValueError if costs in words are neither a family nor a table that is there."""
    if words.startswith("@"):
        datasets.find(words[1:])
    elif is_table(words):
        if not Path(words).is_file():
            raise ValueError(f"costs are {shown(words)}, and there is no such file: give the path of a table")
    else:
        Costs.parse(words)
