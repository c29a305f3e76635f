"""Players: learners at work."""

import hashlib
import json
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import ArrayLike

from ..description import html_table
from ..kernels import Actions, Array, Block, Tally, admit, first_fault
from ..memory import Memory, MemoryState, as_decisions
from ..problem import Problem
from ..validation import LONGEST, as_array, as_table
from .seeds import Seed, as_seed

if TYPE_CHECKING:
    from .base import Learner

Snapshot: TypeAlias = dict[str, Any]
FLOAT = np.dtype(np.float64)
INTEGER = np.iinfo(np.int64)


class Player(ABC):
    """A learner at work: `decide`, then `observe`, round after round; or `play`, many rounds at once.

    State lives in public attributes that are arrays, numbers, the state of a memory or a player inside, so that it can
    be saved; what begins with an underscore is a help that `begin` makes again.
    """

    pure: ClassVar[bool] = False  # True: one action a round, and `play` gives action numbers
    shrinking: ClassVar[bool] = False  # True: weights that only shrink, once a round's least cost is taken off

    def __init__(
        self, learner: "Learner", problem: Problem, seeds: Sequence[Seed], history: ArrayLike | None = None
    ) -> None:
        if not isinstance(problem, Problem):
            raise ValueError(f"the problem is {problem!r}: give a Problem")
        self.learner = learner
        self.problem = problem
        self.generators = tuple(Generator(PCG64(as_seed(seed))) for seed in seeds)
        self.history = np.zeros((0, problem.n)) if history is None else _past(problem, history)
        self.rounds = 0
        self._shape, self._limits = (problem.n,), problem.limits
        self._decision: Array | None = None
        self._vertex: tuple[int, Array] | None = None
        self.begin()

    def __repr__(self) -> str:
        past = len(self.history)
        begun = f", after a history of {past}, so that regret and policy regret differ" if past else ""
        return f"<{self.learner!r} on {self.problem!r}, {self.rounds} rounds observed{begun}>"

    def _repr_html_(self) -> str:
        seen = f"{self.rounds} rounds" + f", after a history of {len(self.history)}" * bool(len(self.history))
        problem = (("actions", self.problem.n), ("memory", self.problem.memory))
        return html_table((("learner", self.learner), *problem, ("observed", seen)))

    def __copy__(self) -> "Player":
        return deepcopy(self)

    def __getstate__(self) -> Snapshot:
        return vars(self) | {"_decision": None, "_vertex": None}  # for a copied array could be written to

    @abstractmethod
    def begin(self) -> None:
        """Set the state up for the first round."""

    @abstractmethod
    def decide(self) -> Array:
        """This round's decision: a read-only array on the simplex, the same until `observe`, never changed later."""

    @abstractmethod
    def observe(self, costs: ArrayLike) -> None:
        """Take the round's costs in, one for each action. On bad input a ValueError, and nothing has changed."""

    @abstractmethod
    def survey(self, costs: Array) -> Block:
        """The next rounds as a block, from checked costs."""

    @abstractmethod
    def advance(self, block: Block) -> Array | Actions:
        """Play a block, and give all decisions: (replicates, B) action numbers, or (B, n)."""

    def play(self, costs: ArrayLike) -> Array | Actions:
        """Take the costs of many rounds in, one row each, and give the very decisions of `decide` and `observe`.

        Returns:
            (B,) action numbers for pure play, (B, n) otherwise.
        """
        table = self.problem.check_costs(costs, self.rounds)
        self._expect(len(table))
        decisions = self.advance(self.survey(table))
        return decisions[0] if self.pure else decisions

    @property
    def action(self) -> int:
        """This round's action number, for pure play."""
        if not self.pure:
            raise AttributeError(f"{self.learner!r} plays mixtures, not single actions: use decide()")
        return int(self.decide().argmax())

    @property
    def expected_switches(self) -> float | None:
        """How many changes of action were to be expected so far, over the draws; None: the player does not know."""
        return None

    @property
    def generator(self) -> Generator:
        """The learner's own randomness."""
        return self.generators[0]

    def snapshot(self) -> Snapshot:
        """All that resuming needs, under flat names: arrays and numbers, copied.

        >>> import bygones as by
        >>> player = by.Hedge(rate=0.1).start(by.Problem(2, None, by.Window(3)))
        >>> player.observe([0.0, 1.0])
        >>> [name for name in player.snapshot() if not name.startswith("generator.")]
        ['identity', 'history', 'rounds', 'rate', 'tally.totals', 'tally.spent', 'current']
        """
        if len(self.generators) > 1:
            raise ValueError(f"{self!r} has {len(self.generators)} seeds: only a player of one can be saved")
        taken: Snapshot = {"identity": _identity(self.learner, self.problem)}
        for name, _, _, value in self._parts():
            if not isinstance(value, np.ndarray | np.number | int | float):
                raise TypeError(
                    f"{type(self).__name__}.{name} is {value!r}: keep state in arrays, numbers and a memory's state, "
                    "and give helpers a name that begins with an underscore"
                )
            taken[name] = value.copy() if isinstance(value, np.ndarray) else np.asarray(value).item()
        state = self.generator.bit_generator.state
        numbers = state["state"] | {name: state[name] for name in ("has_uint32", "uinteger")}
        return taken | {f"generator.{name}": number for name, number in numbers.items()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on from a snapshot. On one of another learner or problem a ValueError, and nothing has changed."""
        mine = self.snapshot()
        odd = sorted(snapshot.keys() ^ mine.keys()) or [name for name in mine if not _fits(mine[name], snapshot[name])]
        if odd or snapshot["identity"] != mine["identity"]:
            raise ValueError(
                f"this is no snapshot of {self.learner!r} on {self.problem!r}"
                + (f": {', '.join(odd)} missing or not fitting" if odd else "")
            )
        self._check(mine, snapshot)
        bits = PCG64(0)
        numbers = {name.split(".")[1]: number for name, number in snapshot.items() if name.startswith("generator.")}
        inner = {name: numbers.pop(name) for name in ("state", "inc")}
        state: Any = {"bit_generator": "PCG64", "state": inner, **numbers}
        try:
            bits.state = state
        except (OverflowError, ValueError, TypeError) as error:
            raise ValueError(f"the snapshot's generator is damaged: {error}") from None
        self.begin()
        self.generators = (Generator(bits),)
        for name, owner, attribute, _ in list(self._parts()):
            value = snapshot[name]
            setattr(owner, attribute, value.copy() if isinstance(value, np.ndarray) else value)
            if isinstance(owner, Player):
                owner._decision = None

    def _parts(self, within: str = "") -> Iterator[tuple[str, object, str, Any]]:
        """All that makes up the state: its flat name, whose attribute it is, which one, and the value."""
        for name, value in vars(self).items():
            if isinstance(value, MemoryState | Tally):
                own = {part: inner for part, inner in vars(value).items() if part not in ("memory", "n")}
                parts = {part: inner for part, inner in own.items() if not part.startswith("_")}
                yield from ((f"{within}{name}.{part}", value, part, inner) for part, inner in parts.items())
            elif isinstance(value, Player):
                yield from value._parts(f"{within}{name}.")
            elif not name.startswith("_") and name not in ("learner", "problem", "generators"):
                yield within + name, self, name, value

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        """Refuse a snapshot with values that no player of this kind can have."""
        counts = [number for name, number in snapshot.items() if name == "rounds" or name.startswith("generator.")]
        if not all(type(count) is int and count >= 0 for count in counts) or snapshot["rounds"] > LONGEST:
            raise ValueError("the snapshot is damaged: its rounds and its generator must be whole numbers from 0 on")
        if any(np.any(snapshot[name] != snapshot[name]) for name in mine):
            raise ValueError("the snapshot is damaged: it has nan in it")
        as_decisions(snapshot["history"], self.problem.n)

    def mixture(self, weights: ArrayLike) -> Array:
        """A decision that `decide` may give: a read-only copy of some weights."""
        decision = np.array(weights, dtype=np.float64)
        decision.setflags(write=False)
        return decision

    def vertex(self, action: int) -> Array:
        """A decision that `decide` may give: one action, with weight one."""
        if self._vertex is None or self._vertex[0] != action:
            base = np.zeros(self._shape)
            base[action] = 1.0
            base.setflags(write=False)
            self._vertex = action, base[:]  # a view, which nobody can make writable again
        return self._vertex[1]

    def _expect(self, rounds: int) -> None:
        """Warn once, and before anything changes, if so many more rounds pass the horizon."""
        horizon = self.problem.horizon
        if horizon is not None and self.rounds <= horizon < self.rounds + rounds:
            warnings.warn(
                f"round {horizon + 1} is past the horizon of {horizon}: what {self.learner!r} was tuned for and "
                "promises ends there",
                stacklevel=3,
            )


def _past(problem: Problem, history: ArrayLike) -> Array:
    """Earlier decisions as rows; actions may be given by their names."""
    if isinstance(history, list | tuple | np.ndarray) or np.ndim(history) == 1:
        given = as_array(history)
    else:
        given = as_table(history, None if isinstance(problem.actions, int) else problem.names)[1]
    named = given.ndim == 1 and given.dtype.kind in "UTO"
    return as_decisions([problem.number(name) for name in given.tolist()] if named else given, problem.n).copy()


def _identity(learner: "Learner", problem: Problem) -> int:
    """A number that tells what a snapshot is of."""
    said = json.dumps([learner.to_dict(), problem.to_dict()], sort_keys=True)
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:6], "big")


def _fits(old: object, new: object) -> bool:
    """Whether a value can take another's place: an array an array's, a number a number's."""
    return isinstance(new, np.ndarray if isinstance(old, np.ndarray) else int | float)


def _needed(memory: Memory, count: float) -> float:
    """How many of so many decisions a memory keeps one by one."""
    if memory.support is not None:
        return min(count, memory.support)
    return count if memory.form is None else 0


def _plain(costs: object) -> Array | None:
    """One round's costs as kernels take them, if that is quickly done; None: look at them more closely."""
    if type(costs) is not np.ndarray:
        try:
            costs = np.array(costs) if type(costs) is list or type(costs) is tuple else None
        except ValueError:  # lists of different lengths
            return None
    if type(costs) is not np.ndarray or costs.dtype is not FLOAT:
        return None
    return costs if costs.flags.carray else costs.copy()


class RowPlayer(Player):
    """A player in plain Python: give `begin`, `decide` and `observe`, and `play` goes row by row."""

    _playing = False

    def accept(self, costs: ArrayLike) -> Array:
        """One round's costs, checked and counted: what `observe` calls first."""
        row: Array = self.problem.check_row(costs, self.rounds)[0].copy()  # it may be the caller's own
        row.setflags(write=False)
        if not self._playing:
            self._expect(1)
        self.rounds += 1
        return row

    def survey(self, costs: Array) -> Block:
        """The next rounds as a block."""
        return Tally(self.problem.n).survey(costs[np.newaxis], math.inf)[0]

    def advance(self, block: Block) -> Array | Actions:
        """Decide and observe, row by row."""
        decisions = np.empty((block.rounds, self.problem.n))
        self._playing = True  # so that `play` alone warns of the horizon
        try:
            for row, decision in zip(block.costs[0].copy(), decisions, strict=True):
                decision[:] = self.decide()
                self.observe(row)
        finally:
            self._playing = False
        return decisions.argmax(axis=1)[np.newaxis] if self.pure else decisions


class BlockPlayer(Player):
    """A player that a kernel advances over a block of rounds; a single round is a block of one row.

    It may have several seeds: that many replicates, which see the same costs or, with `many_tables`, each its own. Its
    `current` is the decision of the round at hand, made when the previous round was observed: (replicates,) action
    numbers for pure play, else (n,).
    """

    many_tables: ClassVar[bool] = False  # True: a block may have a table for each replicate
    tally: Tally
    current: Array | Actions

    @abstractmethod
    def run(self, block: Block) -> Array | Actions:
        """Run the kernel over a block and give the decisions: (replicates, B) action numbers, or (B, n)."""

    def step(self, costs: Array) -> bool:
        """Take one round in, with the bits of a block of one row, if its costs are sound; give whether they are.

        A player with a compiled round of its own gives that instead, which begins with the kernel `admit`.
        """
        row = costs[np.newaxis]
        if first_fault.call(row, *self._limits)[0] >= 0:
            return False
        self.run(self.survey(row))
        return True

    def admit(self, costs: Array) -> bool:
        """Add one round's costs to the tally, if they are sound; give whether they are."""
        low = admit.call(costs, *self._limits, self.tally.totals, self.tally.spent)
        return low == low

    def decide(self) -> Array:
        """This round's decision; for several replicates, the first one's."""
        if self._decision is None:
            self._decision = self.vertex(int(self.current[0])) if self.pure else self.mixture(self.current)
        return self._decision

    def observe(self, costs: ArrayLike) -> None:
        """Take the round's costs in, and make the next decision."""
        row = _plain(costs)
        last = self.rounds == self.problem.horizon  # the next one is past it
        if last or row is None or row.shape != self._shape or not self.step(row):
            checked = self.problem.check_row(costs, self.rounds)[0]
            self._expect(1)
            self.step(checked)
        self.count(1)

    def count(self, rounds: int) -> None:
        """Count rounds that were taken in; the decision is another one now."""
        self.rounds += rounds
        self._decision = None

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        super()._check(mine, snapshot)
        for name, new in snapshot.items():
            if isinstance(new, int) and not name.startswith("generator.") and abs(new) > INTEGER.max:
                raise ValueError(f"the snapshot's {name} has too many digits: kernels take {INTEGER.bits} bits")
        for name, old in mine.items():
            if isinstance(old, np.ndarray) and name.rpartition(".")[2] != "history":
                new = snapshot[name]
                grows = name.endswith(".ring")  # of a window that fills
                same = new.dtype == old.dtype and new.ndim == old.ndim and new.shape[grows:] == old.shape[grows:]
                if not same or not np.all(np.isfinite(new)):
                    rule = f"finite numbers of type {old.dtype} in the shape {old.shape}"
                    raise ValueError(f"the snapshot's {name} does not fit: it should hold {rule}")
        for name, owner, attribute, _ in self._parts():
            if isinstance(owner, MemoryState) and attribute == "ring":
                here, needed = len(snapshot[name]), _needed(owner.memory, snapshot[f"{name.removesuffix('ring')}count"])
                if here < needed:
                    raise ValueError(f"the snapshot's {name} does not fit: it holds {here} decisions, not {needed}")
        if not 0 < snapshot.get("rate", 1.0) < math.inf:
            raise ValueError(f"the snapshot's rate is {snapshot['rate']!r}: it should be a number above 0")
        current = snapshot["current"]
        if self.pure and not np.all((current >= 0) & (current < self.problem.n)):
            raise ValueError(f"the snapshot plays action {current}: with {self.problem.n} actions there is none such")
        if not self.pure:
            as_decisions(current[np.newaxis], self.problem.n)

    def survey(self, costs: Array) -> Block:
        """The next rounds as a block, added to the tally."""
        return self.tally.survey(costs[np.newaxis], math.inf)[0]

    def advance(self, block: Block) -> Array | Actions:
        """Run the kernel, and count the rounds."""
        decisions = self.run(block)
        self.tally.jump(block)
        self.count(block.rounds)
        return decisions
