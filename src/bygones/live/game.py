"""What a journal has come to: who plays, the real state, what was paid, and which options there are."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..guarantees import guarantee
from ..kernels import Array
from ..learners import Learner, Player
from ..learners.player.guarded import GuardedPlayer
from ..problem import RANGE_SLACK, Problem
from ..validation import listed, nearest, shown
from .events import COMMITTED, JOINED, OBSERVED, OVERRIDDEN, PROPOSED, RENAMED, RETIRED, Event, plain
from .records import Past, among, entered, paid_with, weights_of
from .refusals import check_there, too_wide

SMALL = 0.01  # of the state: an option that has gone and holds no more may go without a cost


class Waiting(NamedTuple):
    """A round whose decision stands and whose costs are not known yet."""

    period: str
    decision: Array
    proposal: Array | None


class Game:
    """A journal at work. Events advance it; the same events always lead to the same game, to the bit.

    Arrays are over all options, in the order in which they came; one that has gone keeps its place. The player plays
    among those that are open.

    Args:
        problem: what is decided, with the names of the options.
        learner: who decides.
        seed: of its randomness.
        history: (B, n) decisions from before the first round.
        gains: what is entered are gains, the more the better; costs are these with the sign flipped.
    """

    def __init__(self, problem: Problem, learner: Learner, seed: int, history: Array, gains: bool = False) -> None:
        self.problem, self.learner, self.seed, self.history = problem, learner, seed, history
        self.gains = gains
        self.ids, self.names = list(problem.names), list(problem.names)  # an option keeps the name that it began with
        self.open = np.ones(problem.n, dtype=bool)
        self.player: Player = learner.start(problem, seed, history)
        self.memory = problem.memory.start(problem.n, history)
        self.rounds, self.paid, self.period = 0, 0.0, ""  # and what the last round observed is called
        self.totals, self.beside = np.zeros(problem.n), np.zeros(problem.n)  # since each option is open: its, and paid
        self.waiting: list[Waiting] = []
        self.proposal: Array | None = None  # of the round at hand
        self.real: Array | None = None  # what is really done in it, if an override says so
        self.foreign = 0  # the last round in which something else was done than the player decided
        self.ended = ""  # why no promise holds any more
        self.ahead = self.player  # the player in the round at hand, the costs before it taken as equal where unknown
        self.last: Array | None = None  # the state of the last round observed
        if len(history):
            self.last = problem.memory.start(problem.n, history[:-1]).push(history[-1])

    @property
    def n(self) -> int:
        """How many options there are and were."""
        return len(self.ids)

    @property
    def round(self) -> int:
        """The round at hand, whose decision is not made for good."""
        return self.rounds + len(self.waiting) + 1

    def decision(self) -> Array:
        """The decision of the round at hand, over all options."""
        return self.spread(self.ahead.decide())

    def advice(self) -> Array:
        """What the learner advises in it, whatever is really done."""
        return self.spread(self.ahead.advice)

    def spread(self, weights: Array) -> Array:
        """Weights of the open options over all of them."""
        found = np.zeros(self.n)
        found[self.open] = weights
        found.setflags(write=False)
        return found

    def states(self) -> tuple[Array | None, Array]:
        """The state before the round at hand, None if there is none, and the one that the decision makes of it."""
        memory, held = deepcopy(self.memory), self.last
        for each in self.waiting:
            held = memory.push(each.decision)
        return held, memory.push(self.decision())

    @property
    def regret(self) -> float:
        """What was paid more than the best single option; one counts for the rounds in which it was open."""
        return float((self.beside - self.totals).max())

    @property
    def guarantee(self) -> float | None:
        """What the regret at the horizon is at most, as the learner promises it; None where nothing is proved."""
        if self.ended:
            return None
        known = self.player.guarantee
        past = self.rounds > (self.problem.horizon or 0)
        drawn = self.player.pure  # what is proved holds in expectation, not for what was drawn
        if known is not None or self.player.watched or drawn or self.foreign or len(self.history) or past:
            return known
        return guarantee(self.problem, self.learner, self.paid, self.totals, self.rounds)

    # What is asked for is checked first, and becomes the body of an event.

    def number(self, option: str, *, gone: bool = False) -> int:
        """The number of an option by its name; one that has gone is refused, unless it may have.

        Args:
            option: its name.
            gone: it may have been retired.

        Returns:
            Its number.

        Raises:
            ValueError: if there is no such option.
        """
        if option not in self.names:
            raise ValueError(
                f"there is no option {shown(option)}: there are {listed(self.current)}{nearest(option, self.current)}"
            )
        found = self.names.index(option)
        if not gone and not self.open[found]:
            raise ValueError(f"{option} was retired: the options are {listed(self.current)}")
        return found

    @property
    def current(self) -> list[str]:
        """The names of the open options."""
        return self.named(self.open)

    def checked_decision(self, given: Any) -> Array:  # noqa: ANN401
        """A decision over all options, from weights, a mapping, or the name of an option.

        Raises:
            ValueError: if it is not a decision over the open options.
        """
        now = Problem(self.current, None, self.problem.memory)
        if isinstance(given, str):
            self.number(given)
        if isinstance(given, Mapping):
            for name in given:
                self.number(str(name))
            given = {name: given.get(name, 0.0) for name in self.current}
        elif isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == self.n:
            weights = np.asarray(given, dtype=float)
            if weights.shape == (self.n,) and not weights[~self.open].any():
                given = weights[self.open]
        return self.spread(now.check_decision(given, self.round - 1)[0])

    def needed(self) -> NDArray[np.bool_]:
        """The options whose costs the next observation needs: those that are open, and those still in the state."""
        return self.open | (self._paying() > SMALL)

    def counts(self, option: int) -> bool:
        """Whether the next observation can have a cost of an option: not if it has gone and is not in the state."""
        return bool(self.open[option] or self._paying()[option] > 0)

    def named(self, chosen: NDArray[np.bool_]) -> list[str]:
        """The names of some options."""
        return [name for name, here in zip(self.names, chosen, strict=True) if here]

    def _paying(self) -> Array:
        """The state with which the next costs will be paid."""
        if self.open.all():
            return np.zeros(self.n)  # all are needed anyway
        y, beta = self.memory.carried()
        state: Array = y + beta * (self.waiting[0].decision if self.waiting else self.decision())
        return state

    def checked_costs(self, given: Any, clip: bool = False) -> Array:  # noqa: ANN401
        """The costs of the first round that waits for them, over all options; nan where one has none.

        Args:
            given: a mapping, or a list of the open options' costs, or of all.
            clip: let the learner see costs that spread over more than the range as cut off there.

        Returns:
            (n,)

        Raises:
            ValueError: if a cost is missing, not a number, or beyond the range.
        """
        taken = self.needed()
        if isinstance(given, Mapping):
            for name in map(str, given):
                place = self.number(name, gone=True)
                if not self.counts(place):
                    raise ValueError(f"{name} was retired and is not in the state any more: leave its cost out")
                taken[place] = True
        elif isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == self.n:
            taken |= (self._paying() > 0) & [each is not None and each == each for each in given]
            given = [each for each, here in zip(given, taken, strict=True) if here]
        names = self.named(taken)
        if isinstance(given, Mapping):
            check_there(given, names, self.current)
        row = Problem(names, None, self.problem.memory, None).check_row(given, self.rounds)[0]
        costs = np.full(self.n, math.nan)
        costs[taken] = -row if self.gains else row
        if not clip and self._is_wide(costs[self.open]):
            given = dict(zip(self.current, (-costs if self.gains else costs)[self.open].tolist(), strict=True))
            raise too_wide(self.rounds + 1, given, self.problem.cost_range)
        return costs

    def priced(self) -> list[str]:
        """The options whose costs are needed now, or for one of the rounds that wait.

        Returns:
            (n,)
        """
        later = [each.decision > 0 for each in self.waiting]
        return self.named(np.any([self.needed(), *later], axis=0))

    # Events are applied when they were checked, or read from a journal.

    def apply(self, event: Event, past: Callable[[], Past]) -> None:
        """Advance by an event.

        Args:
            event: what happened.
            past: gives the `Past` before it, when options come or go.
        """
        data = event.data
        if event.kind == OBSERVED:
            self._observe(data, event.period)
        elif event.kind == COMMITTED:
            self._commit(event.period)
        elif event.kind == PROPOSED:
            self.proposal = weights_of(data["decision"], self.n)
            self._propose(self.ahead, self.proposal)
        elif event.kind == OVERRIDDEN:
            self.real = weights_of(data["decision"], self.n)
            self.ahead.override(self.real[self.open])
        elif event.kind == RENAMED:
            self.names[self.names.index(data["option"])] = data["name"]
        elif event.kind == RETIRED:
            self.open[self.names.index(data["option"])] = False
            self._begin_again(past(), f"{data['option']} was retired before round {event.round}")
        elif event.kind == JOINED:
            self._join(data["option"])
            self._begin_again(past(), f"{data['option']} joined before round {event.round}")

    def observation(self, costs: Array, clip: bool) -> dict[str, Any]:
        """The body of an event: costs, and what was really done in their round.

        Args:
            costs: (n,), checked.
            clip: they may be cut off at the range.

        Returns:
            Plain values.
        """
        decision = self.waiting[0].decision if self.waiting else self.decision()
        given = (-costs if self.gains else costs).tolist()
        body: dict[str, Any] = {"costs": [None if math.isnan(each) else each for each in given]}
        body["decision"] = plain(decision)
        if clip and self._is_wide(costs[self.open]):
            body["clipped"] = True
        return body

    def _is_wide(self, costs: Array) -> bool:
        most = self.problem.cost_range
        return most is not None and float(np.ptp(costs)) > most * (1 + RANGE_SLACK)

    def _observe(self, data: Mapping[str, Any], period: str) -> None:
        costs = entered(data, self.n)
        costs = -costs if self.gains else costs
        decision = weights_of(data["decision"], self.n)
        waited = bool(self.waiting)
        if waited and (proposal := self.waiting.pop(0).proposal) is not None:
            self._propose(self.player, proposal)
        if self._settle(self.player, decision):
            self.foreign = self.rounds + 1
        if data.get("clipped"):
            self.ended = self.ended or f"the costs of round {self.rounds + 1} differed by more than the range"
        self.player.observe(self._seen(costs, bool(data.get("clipped"))))
        self.last = self.memory.push(decision)
        paid = float(paid_with(costs, self.last))
        self.paid += paid
        self.totals[self.open] += costs[self.open]
        self.beside[self.open] += paid
        self.rounds, self.period = self.rounds + 1, period
        if waited:
            self._look_ahead()
        else:
            self.proposal = self.real = None

    def _seen(self, costs: Array, clipped: bool) -> Array:
        """What the player sees of some costs."""
        row: Array = costs[self.open]
        if clipped and self.problem.cost_range is not None:
            row = np.minimum(row, row.min() + self.problem.cost_range)
        return row

    def _settle(self, player: Player, decision: Array) -> bool:
        """Tell a player what is really done, if it does not know; whether that is something else than it advised."""
        real = among(decision, self.open)
        if real is not None and (real != player.decide()).any():
            player.override(real)
        return bool((self.spread(player.advice) != decision).any())

    def _propose(self, player: Player, decision: Array) -> None:
        if isinstance(player, GuardedPlayer):
            player.propose(decision[self.open])

    def _commit(self, period: str) -> None:
        proposal = self.proposal if self.waiting else None  # the first one's is with the player
        self.waiting.append(Waiting(period, self.decision(), proposal))
        self.proposal = self.real = None
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Bring the player to the round at hand: costs that are not known are equal, of which nobody learns."""
        self.ahead = deepcopy(self.player) if self.waiting else self.player
        for each in self.waiting:
            if each.proposal is not None:
                self._propose(self.ahead, each.proposal)
            self._settle(self.ahead, each.decision)
            self.ahead.observe(np.zeros(int(self.open.sum())))
        if self.proposal is not None:
            self._propose(self.ahead, self.proposal)
        if self.real is not None:
            self.ahead.override(self.real[self.open])

    def resume(self) -> None:
        """Go on from a snapshot."""
        if self.waiting:
            self._look_ahead()
        else:  # what was proposed or really done is with the player
            self.ahead = self.player

    def _join(self, option: str) -> None:
        if option in self.names:  # it comes back
            self.open[self.names.index(option)] = True
            return
        self.ids.append(option if option not in self.ids else f"{option} ({self.n + 1})")
        self.names.append(option)
        self.open = np.append(self.open, True)
        self.totals, self.beside = np.append(self.totals, 0.0), np.append(self.beside, 0.0)
        self.waiting = [each._replace(decision=np.append(each.decision, 0.0)) for each in self.waiting]

    def _begin_again(self, past: Past, why: str) -> None:
        """Let the learner begin among the options that are open now, and replay the past.

        An option that was not there counts as having cost what was paid, so that a newcomer is as good as what was
        done so far, and the learner gives it the weight that this deserves. Decisions are those really taken, in the
        same proportions among the open options.
        """
        self.ended = self.ended or why
        history = np.zeros((len(self.history), self.n))
        history[:, : self.history.shape[1]] = self.history
        self.memory = self.problem.memory.start(self.n, history)
        states = self.memory.extend(past.decisions)
        self.last = states[-1] if len(states) else None
        given = -past.costs if self.gains else past.costs
        paid = paid_with(given, states)
        known = np.where(np.isnan(given), paid[:, np.newaxis], given)
        names = [name for name, is_open in zip(self.ids, self.open, strict=True) if is_open]
        among = [row for row in (among(each, self.open) for each in history) if row is not None]
        self.player = self.learner.start(self.problem.replace(actions=names), self.seed, among or None)
        for costs, decision, clipped in zip(known, past.decisions, past.clipped, strict=True):
            self._settle(self.player, decision)
            wide = clipped or self._is_wide(costs[self.open])
            self.player.observe(self._seen(costs, wide))
        self.foreign = self.rounds
        self.waiting = [each._replace(proposal=None) for each in self.waiting]  # they were made to another player
        self._look_ahead()
