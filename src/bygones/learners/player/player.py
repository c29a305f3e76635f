"""Players: learners at work."""

import hashlib
import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import ArrayLike

from ...description import html_table
from ...kernels import Actions, Array, Block, Tally
from ...memory import MemoryState, as_decisions
from ...problem import Problem
from ...validation import LONGEST
from ..seeds import Seed, as_seed

if TYPE_CHECKING:
    from ..base import Learner

Snapshot: TypeAlias = dict[str, Any]


class Player(ABC):
    """A learner at work: `decide`, then `observe`, round after round; or `play`, many rounds at once.

    Where something else was done than what it decided, `override` says so before `observe`. All that looks at
    decisions, such as states, meters and guarantees, is about those really taken.

    State lives in public attributes that are arrays, numbers, the state of a memory or a player inside, so that it can
    be saved; what begins with an underscore is a help that `begin` makes again.

    Args:
        learner: whose player it is.
        problem: what is decided.
        seeds: one for each replicate. A Generator is used as it is, and shared with whoever else has it.
        history: decisions taken before round one.
    """

    pure: ClassVar[bool] = False  # True: one action a round, and `play` gives action numbers
    watched: ClassVar[bool] = False  # True: `guarantees` are known after every round, at the horizon too
    shrinking: ClassVar[bool] = False  # True: weights that only shrink, once a round's least cost is taken off

    def __init__(
        self, learner: "Learner", problem: Problem, seeds: Sequence[Seed], history: ArrayLike | None = None
    ) -> None:
        if not isinstance(problem, Problem):
            raise ValueError(f"the problem is {problem!r}: give a Problem")
        self.learner = learner
        self.problem = problem
        self.generators = tuple(
            seed if isinstance(seed, Generator) else Generator(PCG64(as_seed(seed))) for seed in seeds
        )
        self.history = np.zeros((0, problem.n)) if history is None else problem.check_decisions(history)
        self.real = np.zeros((0, problem.n))  # the decision really taken this round, if an override says so
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
        """This round's decision: a read-only array on the simplex, the same until `observe`, never changed later.

        It is what was advised; after an `override`, what was really done.
        """

    @property
    @abstractmethod
    def advice(self) -> Array:
        """What the player decided this round, whatever was really done."""

    @property
    def coming(self) -> Array:
        """What it will advise next, whether or not there can be such a round: a table of advice may have ended."""
        return self.advice

    @property
    def target(self) -> Array:
        """Where its decisions take the state in the end, if nothing changes: what it will advise, unless it aims."""
        return self.coming

    @property
    def aims(self) -> bool:
        """Whether it aims the state at the target, rather than deciding for the target itself."""
        return False

    def override(self, decision: ArrayLike | str) -> None:
        """Say what is really done this round, before `observe`: all later states are those of the real decisions.

        The player's own draws stay as they are: one that keeps an action goes on from the one that it had kept.

        Args:
            decision: n weights, or an action by its number or name.

        Raises:
            ValueError: if it is not a decision, or this round has an override already; nothing has changed.

        >>> import bygones as by
        >>> player = by.AdaHedge().start(by.Problem(["rail", "road"], None, by.Window(5)))
        >>> player.override("road")
        >>> player.decide(), player.advice
        (array([0., 1.]), array([0.5, 0.5]))
        """
        real = self.problem.check_decision(decision, self.rounds)
        if len(self.real):
            raise ValueError(
                f"round {self.rounds + 1} has an override already, {self.real[0]}: observe the round's costs first"
            )
        self.real = real
        self._decision = None

    @abstractmethod
    def observe(self, costs: ArrayLike) -> None:
        """Take the round's costs in, one for each action. On bad input a ValueError, and nothing has changed."""

    @abstractmethod
    def survey(self, costs: Array) -> Block:
        """The next rounds as a block, from checked costs."""

    @abstractmethod
    def advance(self, block: Block, real: Array | None = None) -> Array | Actions:
        """Play a block, and give all that was advised: (replicates, B) action numbers, or (B, n).

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken; None: those advised.

        Returns:
            The advice.
        """

    def play(self, costs: ArrayLike, decisions: ArrayLike | None = None) -> Array | Actions:
        """Take the costs of many rounds in, one row each, and give the very decisions of `decide` and `observe`.

        Args:
            costs: (B, n).
            decisions: what was really done in these rounds, as with `override`: (B, n) weights, or actions by their
                numbers or names. None: what was advised.

        Returns:
            What was advised: (B,) action numbers for pure play, (B, n) otherwise.

        Raises:
            ValueError: if the costs or the decisions do not fit; nothing has changed.
        """
        table = self.problem.check_costs(costs, self.rounds)
        rounds, real = len(table), None
        if decisions is not None:
            real = self.problem.check_decisions(decisions, self.rounds)
            if len(real) != rounds:
                raise ValueError(f"{len(real)} decisions are given for {rounds} rounds: give one for each round")
            if rounds and len(self.real):
                raise ValueError(
                    f"round {self.rounds + 1} has an override already, {self.real[0]}, and decisions= has another: "
                    "observe the round's costs first, or give no decisions"
                )
        self.ready(rounds)
        self._expect(rounds)
        if rounds and len(self.real):
            first: Any = self.advance(self.survey(table[:1]), self.real)
            others: Any = self.advance(self.survey(table[1:]))
            advised: Any = np.concatenate([first, others], axis=int(self.pure))
        else:
            block = self.survey(table)
            advised = self.advance(block) if real is None else self.advance(block, real)
        decided: Array | Actions = advised[0] if self.pure else advised
        return decided

    @property
    def reactive(self) -> bool:
        """Whether later decisions depend on the decisions really taken, rather than on the costs alone."""
        return False

    def ready(self, rounds: int) -> None:
        """Raise a ValueError, before anything changes, if so many more rounds cannot be played."""
        return

    @property
    def action(self) -> int:
        """This round's action number, for pure play: the advised one."""
        if not self.pure:
            raise AttributeError(f"{self.learner!r} plays mixtures, not single actions: use decide()")
        return int(self.advice.argmax())

    @property
    def guarantee(self) -> float | None:
        """What the regret of the real decisions is at most so far, by what was seen; None: nothing is proved."""
        return None

    @property
    def expected_switches(self) -> float | None:
        """How many changes of action were to be expected so far, over the draws; None: the player does not know."""
        return None

    @property
    def generator(self) -> Generator:
        """The learner's own randomness."""
        return self.generators[0]

    @property
    def guarantees(self) -> Array:
        """Of a watched player, its guarantee after each round of the last block."""
        return np.zeros(0)

    def snapshot(self) -> Snapshot:
        """All that resuming needs, under flat names: arrays and numbers, copied.

        >>> import bygones as by
        >>> player = by.Hedge(rate=0.1).start(by.Problem(2, None, by.Window(3)))
        >>> player.observe([0.0, 1.0])
        >>> [name for name in player.snapshot() if not name.startswith("generator.")]
        ['identity', 'history', 'real', 'rounds', 'rate', 'tally.totals', 'tally.spent', 'current']
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
        self.history = snapshot["history"].copy()  # first, for what `begin` makes may depend on it
        self.begin()
        self._draw_from((Generator(bits),))
        for name, owner, attribute, _ in list(self._parts()):
            value = snapshot[name]
            setattr(owner, attribute, value.copy() if isinstance(value, np.ndarray) else value)
            if isinstance(owner, Player):
                owner._decision = None

    def within(self, learner: "Learner") -> "Player":
        """A player inside this one, before its first round: with the same problem, past and randomness."""
        return learner.player_type(learner, self.problem, self.generators, self.history)

    def _draw_from(self, generators: tuple[Generator, ...]) -> None:
        self.generators = generators
        for inner in self._inside().values():
            inner._draw_from(generators)

    def _inside(self) -> "dict[str, Player]":
        """The players inside this one, by their names."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Player)}

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
        if len(as_decisions(snapshot["real"], self.problem.n)) > 1:
            raise ValueError("the snapshot is damaged: it has more than one decision for the round at hand")
        for name, player in self._inside().items():
            old, new = (
                {key.removeprefix(f"{name}."): value for key, value in taken.items() if key.startswith(f"{name}.")}
                for taken in (mine, snapshot)
            )
            player._check(old, new)
            if new["rounds"] != snapshot["rounds"]:
                raise ValueError("the snapshot is damaged: the player inside has seen another number of rounds")

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


def _identity(learner: "Learner", problem: Problem) -> int:
    """A number that tells what a snapshot is of."""
    said = json.dumps([learner.to_dict(), problem.to_dict()], sort_keys=True)
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:6], "big")


def _fits(old: object, new: object) -> bool:
    """Whether a value can take another's place: an array an array's, a number a number's."""
    return isinstance(new, np.ndarray if isinstance(old, np.ndarray) else int | float)
