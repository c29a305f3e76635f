"""Learners: the descriptions, and what they have in common."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec
from numpy.typing import ArrayLike

from ..description import Description
from ..memory import Memory
from ..problem import Problem
from ..validation import positive, word
from .player import Player
from .seeds import Seed, as_seed


class HedgeTwin(NamedTuple):
    """The Hedge whose potential bounds a learner's (expected) regret: the problem it plays, and its rate."""

    problem: Problem
    rate: float


class Learner(Description):
    """A frozen, comparable description of a way to decide.

    A subclass gives its parameters as annotated fields, and `player_type`, the class of the players it starts.
    """

    solves: ClassVar[bool] = False  # True: a bound takes linear programs, so searches over problems leave it out

    @property
    @abstractmethod
    def player_type(self) -> type[Player]:
        """The class of the players that this learner starts."""

    @staticmethod
    def parse(text: str) -> "Learner":
        """A learner from its words: its name in any case, with hyphens or without, then its parameters if any.

        A learner that another one wraps stands in parentheses. `package.module:Class` is a learner of your own, which
        is imported. An action goes by its name, which may be a number; `#2` is the action number 2.

        Raises:
            ValueError: if there is no such learner, module, class or parameter, or a value is not allowed.

        >>> import bygones as by
        >>> by.Learner.parse("ada-hedge"), by.Learner.parse("FTARL:tuning=sharp,play=mean")
        (AdaHedge(), FTARL(play='mean', tuning='sharp'))
        >>> by.Learner.parse("pure(hedge:rate=0.1):how=independent")
        Pure(learner=Hedge(rate=0.1), how='independent')
        >>> by.Learner.parse("ftral")
        Traceback (most recent call last):
        ValueError: the learner is 'ftral': give one of 'ftarl', ... (did you mean ftarl?)
        """
        from .words import learner_words  # which knows all learners

        return learner_words().parse(text)

    @property
    def words(self) -> str:
        """The words that `parse` makes this learner from.

        Raises:
            ValueError: if a parameter is neither a number, nor a text, nor a learner.

        >>> import bygones as by
        >>> by.Pure(by.Hedge(rate=0.1)).words
        'pure(hedge:rate=0.1)'
        """
        from .words import learner_words

        return learner_words().write(self)

    def accepts(self, memory: Memory) -> bool:
        """Whether it can be started under a memory; most can under any."""
        return True

    @property
    def symmetric(self) -> bool:
        """Whether it treats all actions alike; not where their numbers matter, as with Fixed."""
        return True

    @property
    def randomised(self) -> bool:
        """Whether two seeds can make different decisions on the same costs."""
        return False

    def mean(self) -> "Learner | None":
        """The learner that plays this one's mean decision: itself if it draws nothing, None if nobody knows it."""
        return None if self.randomised else self

    def bound(self, problem: Problem) -> float | None:
        """What this learner promises on a problem: an upper bound on its (expected) regret, or None.

        It is for a run without a history: decisions taken before the first round can make the regret larger.
        """
        return None

    @property
    def source(self) -> str:
        """Who proves the bound: a short citation, for the table of bounds."""
        return ""

    def later(self, rounds: int) -> "Learner":
        """The learner for a run that begins so many rounds later: the same, unless it has a table of decisions."""
        return self

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[Learner, ...]":
        """The learners of this kind that have a line in the table of bounds, where they have a bound.

        The default is the learner without parameters, if it needs none.
        """
        return () if any(field.required for field in msgspec.structs.fields(cls)) else (cls(),)

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """The Hedge whose potential bounds this learner's (expected) regret; None: there is none."""
        return None

    def start(self, problem: Problem, seed: Seed = 0, history: ArrayLike | None = None) -> Player:
        """A player before its first round.

        Args:
            problem: what is to be decided.
            seed: feeds the learner's own randomness, if it has any: a whole number, a SeedSequence, or a Generator,
                which draws one whole number.
            history: decisions taken before round one, oldest first: one row each, or actions by their
                numbers or names.

        Returns:
            A player.

        Raises:
            ValueError: if an argument is not what it should be.
        """
        return self.player_type(self, problem, [as_seed(seed)], history)


def labels(learners: Sequence[Learner]) -> list[str]:
    """What learners are called in frames: their names, with the parameters given where two would clash.

    >>> import bygones as by
    >>> labels([by.FTARL(), by.LSA(), by.LSA(tuning="geulen")])
    ['FTARL', 'LSA', "LSA(tuning='geulen')"]
    """
    names = [type(learner).__name__ for learner in learners]
    given = [
        name if repr(learner) == f"{name}()" or names.count(name) == 1 else repr(learner)
        for name, learner in zip(names, learners, strict=True)
    ]
    for place, label in enumerate(given):
        if label in given[:place]:
            raise ValueError(f"{learners[place]!r} is given twice: give every learner once")
    return given


class RatedLearner(Learner):
    """A learner with a learning rate: the one given, or else the one that theory recommends for the problem."""

    rate: float | None = None

    def __post_init__(self) -> None:
        if self.rate is not None:
            self._set("rate", positive("the rate", self.rate))

    @abstractmethod
    def tuned_rate(self, problem: Problem) -> float:
        """The rate that theory recommends."""

    @abstractmethod
    def proved_bound(self, problem: Problem) -> float | None:
        """The bound at this learner's rate, on a problem whose horizon and range are known; None: nothing is proved."""

    @property
    def source(self) -> str:
        """Bounds at any rate and for any memory are this project's."""
        return "bygones, by the mean lag"

    def rate_for(self, problem: Problem) -> float:
        """The rate in use on a problem."""
        return self.tuned_rate(problem) if self.rate is None else self.rate

    def bound(self, problem: Problem) -> float | None:
        """An upper bound on the (expected) regret; None where the horizon or the range is unknown."""
        return None if problem.horizon is None or problem.cost_range is None else self.proved_bound(problem)


class RandomisedLearner(RatedLearner):
    """A learner that draws one action a round, or plays the mean of that for those who may split their decision."""

    play: Literal["pure", "mean"] = "pure"

    def __post_init__(self) -> None:
        super().__post_init__()
        word("play", self.play, ("pure", "mean"))

    @property
    def randomised(self) -> bool:
        """Whether it draws: not where it plays the mean."""
        return self.play == "pure"

    def mean(self) -> Learner:
        """The same learner, playing its mean."""
        return self.replace(play="mean")


class Wrapper(Learner):
    """A learner that makes something of another one's decisions.

    Args:
        learner: the other one, or its words.
    """

    learner: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.learner, str):
            self._set("learner", Learner.parse(self.learner))
        if not isinstance(self.learner, Learner) or not self.wraps(self.learner):
            raise ValueError(f"the learner is {self.learner!r}: {self.remedy}")
        for field in msgspec.structs.fields(type(self)):  # the very default where it is equal, for its plain form
            if isinstance(field.default, Learner) and getattr(self, field.name) == field.default:
                self._set(field.name, field.default)

    remedy: ClassVar[str] = "give one, such as Hedge(), or its words"

    def wraps(self, learner: Learner) -> bool:
        """Whether it can make something of a learner's decisions."""
        return True

    @property
    def randomised(self) -> bool:
        """Whether the other learner is."""
        return bool(self.learner.randomised)

    def accepts(self, memory: Memory) -> bool:
        """Whether the other learner can."""
        return bool(self.learner.accepts(memory))

    @property
    def symmetric(self) -> bool:
        """Whether the other learner is."""
        return bool(self.learner.symmetric)

    def later(self, rounds: int) -> "Wrapper":
        """The same around the other learner, as that is later."""
        return self.replace(learner=self.learner.later(rounds))
