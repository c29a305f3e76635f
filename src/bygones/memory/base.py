"""What all memories share: a description that answers for itself."""

import math
from abc import abstractmethod
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..description import Description
from ..kernels import Array
from ..validation import whole
from .charges import charges_of
from .form import Form
from .plain import PlainState, plain_charges
from .running import RunningState
from .state import MemoryState

SETTLED = 1e-12  # relative change of a mean lag that no longer moves
PROBED: list[int] = [2**k for k in range(10, 21)]  # rounds at which a mean lag is looked at for its limit
ADDED = 2**15  # mean lags that are added up one by one


class Memory(Description):
    """How past decisions make today's state; the base class of all memories.

    A memory of your own needs `weights` and nothing else. Everything else has a default that is built from the weights;
    closed forms (`beta`, `mean_lag`, `lag_total`) and a `support` make it faster.
    """

    example: ClassVar[str] = ""  # its words, for messages and checks; they begin with the name it has in words

    @abstractmethod
    def weights(self, t: int) -> Array:
        """The weights `a_k^(t)` of the decisions of rounds t, t-1, ...: not negative, and adding up to one."""

    @property
    def support(self) -> int | None:
        """How many decisions, the newest included, can have any weight; None: there is no end to them.

        Where there is an end, the weights are the same in all rounds from that one on.
        """
        return None

    @property
    def form(self) -> Form | None:
        """How the library's compiled kernels average; None: in plain Python, from the weights."""
        return None

    def beta(self, t: int) -> float:
        """`beta^t = a_0^(t)`: the weight of the newest decision."""
        return float(self.weights(t)[0])

    def mean_lag(self, t: int | None = None) -> float:
        """`m1(t) = sum_k k a_k^(t)`; without a round, its limit: infinity if it does not settle in a million rounds."""
        if t is None:
            settled = self.settled()
            return math.inf if settled is None else self.mean_lag(settled)
        weights = self.weights(t)
        return float(np.arange(len(weights)) @ weights)

    @property
    def second_lag(self) -> float | None:
        """`m2 = sum_k k (k - 1) a_k` of weights that are cut to the lags there are and renormalised; None: unknown."""
        return None

    def lag_total(self, t: int) -> float:
        """`m1(1) + ... + m1(t)`."""
        settled = self.settled() if t > PROBED[0] else None  # a few are quicker added up than probed
        rounds = t if settled is None else min(t, settled)
        if rounds > ADDED:
            raise ValueError(
                f"the mean lags of {t:,} rounds of {self!r} take too long to add up: "
                f"give {type(self).__name__} a method lag_total(t) with their sum in closed form"
            )
        total = math.fsum(self.mean_lag(s) for s in range(1, rounds + 1))
        return total if rounds == t else total + (t - rounds) * self.mean_lag(rounds)

    def kernel(self, count: int) -> Array | None:
        """The first `count` of the weights `a_0, a_1, ...` of a memory that is full; at most so many as there are.

        Only of a memory whose weights in earlier rounds are these, cut to the decisions there are and divided by their
        sum. None: its weights change in another way, or nobody says.
        """
        return None

    @property
    def inverse(self) -> tuple[float, ...] | None:
        """The filter `psi_1, psi_2, ...` that undoes the memory exactly (see `theory.ahead`); None: there is none."""
        return None

    def settled(self) -> int | None:
        """A round from which on the mean lag stays the same; None: none was found."""
        support: int | None = self.support
        if support is not None:
            return support
        for early, late in pairwise(PROBED):
            lag = self.mean_lag(early)
            if abs(self.mean_lag(late) - lag) <= SETTLED * (1 + lag):
                return early
        return None

    def charges(self, costs: Array, past: int = 0) -> Array:
        """What each decision is charged in the end: row tau is `c^tau = sum_(t >= tau) a_(t-tau)^(t) g^t`.

        The loss of a run is `sum_tau <c^tau, v^tau>`, plus what decisions before it still cost.

        Args:
            costs: of the run, one row per round.
            past: how many decisions were taken before.

        Returns:
            One row per decision.
        """
        return plain_charges(self, costs, past) if self.form is None else charges_of(self, costs, past)

    def state(self, n: int) -> MemoryState:
        """A running memory over `n` actions with nothing in it."""
        return PlainState(self, n) if self.form is None else RunningState(self, n, self.form)

    def start(self, n: int, history: ArrayLike | None = None) -> MemoryState:
        """A running memory over `n` actions, with the decisions of `history` already in it.

        Args:
            n: the number of actions.
            history: earlier decisions, oldest first: one row per round, or action numbers.

        Returns:
            The running memory.
        """
        state = self.state(whole("the number of actions", n, 1))
        if history is not None:
            state.extend(history)
        return state

    def window(self, T: int) -> int | None:
        """The length H of the paper's window that this memory is over T rounds; None: it is not a window."""
        return None

    def ignorance(self, T: int) -> float | None:
        """The weight that decisions taken in ignorance have in a trap that lasts as long as the memory.

        Costs are alike for long, then one action is better to the end. The decision of the first round that shows it,
        and all before, know nothing of it; the sum of their weights in the states from that round on is what the trap
        costs every learner, in units of `R (1 - 1/n)`. A lower bound of it will do. None: nothing is proved.
        """
        return None

    @property
    def fastest_rate(self) -> float | None:
        """The largest rate times range at which a state can follow Hedge's weights exactly; None: there is none."""
        return None

    @property
    def span(self) -> float:
        """How long the memory is: its mean lag; of a window the length."""
        return self.mean_lag()

    def scaled(self, factor: float) -> "Memory | None":
        """The same kind of memory with its span times a factor; 0: the shortest. None: there is no length to vary."""
        return None

    @staticmethod
    def parse(text: str) -> "Memory":
        """A memory from its words; the inverse of `words`.

        `window:100`, `full`, `geometric:0.9`, `weights:0.5,0.3,0.2` with the newest decision's weight first, or a class
        of your own with its parameters: `package.module:Class:name=value,name=value`.

        Raises:
            ValueError: if the words do not describe a memory.

        >>> import bygones as by
        >>> [by.Memory.parse(text) for text in ("window:100", "full", "geometric:0.9", "weights:0.5,0.3,0.2")]
        [Window(length=100), FullHistory(), Geometric(rho=0.9), Weights(lags=(0.5, 0.3, 0.2))]
        >>> by.Memory.parse("12")
        Traceback (most recent call last):
        ValueError: the memory is '12' (did you mean window:12?): give one that looks like window:100, full, ...
        """
        from .words import memory_words  # which knows all memories

        return memory_words().parse(text)

    @property
    def words(self) -> str:
        """The memory as command lines and files have it, to the last digit; the inverse of `parse`.

        >>> import bygones as by
        >>> by.Window(100).words, by.FullHistory().words, by.Weights([0.5, 0.3, 0.2]).words
        ('window:100', 'full', 'weights:0.5,0.3,0.2')
        """
        from .words import memory_words

        return memory_words().write(self)

    @property
    def short_words(self) -> str:
        """Its words, without digits that few would read."""
        return self.words

    @property
    def phrase(self) -> str:
        """The memory in a sentence.

        >>> import bygones as by
        >>> by.Window(7).phrase, by.Geometric(0.9).phrase
        ('a 7-period window', 'a memory that keeps 0.9 of itself each period')
        """
        return f"the memory {self!r}" if self.support is None else f"a memory of {self.support:,} periods"
