"""The player of Guarded: what a guard allows of proposals."""

from copy import deepcopy
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...kernels import Array, Block
from ...memory import MemoryState, Running, linger
from ...theory import NEGLIGIBLE, OpenPlan, known_plan, path_prior
from ..ada_hedge import AdaHedge
from ..base import Learner
from ..fixed_share import FixedShare
from ..hedge import Hedge
from ..steering import Steering, steered
from .guard import (
    ENFORCED,
    GAMMA,
    LEAST,
    LOST,
    NEXT_CHARGE,
    OPEN,
    PROMISE,
    RANGE,
    RATE,
    ROOM,
    ROUNDING,
    SHARE,
    SLACK,
    TRUST,
    TRUSTED,
    WEIGHING,
    account,
    blend,
    credit,
    fill,
    keep,
    keep_round,
)
from .state import OWN, StatePlayer, reweigh

if TYPE_CHECKING:
    from ..guarded import Guarded


FEW = 8  # rounds to look ahead at first


class GuardedPlayer(StatePlayer):
    """Plays what a guard allows of proposals.

    Its memory has a column more than there are actions, for how far the decision was from the shadow's; where the
    horizon is open, the shadow's decisions follow.
    """

    learner: "Guarded"
    watched = True

    def layers(self) -> tuple[bool, Learner | None]:
        """The layers of the learner inside."""
        inner: Learner = self.learner.learner
        if type(inner) is Steering:
            return steered(inner, self.problem)
        return False, None if type(inner) is AdaHedge else inner

    def set_up(self) -> MemoryState:
        """Plan the rounds, and give the memory."""
        learner, problem, n, history = self.learner, self.problem, self.problem.n, self.history
        self.proposed, self._gammas = 0, np.zeros(0)
        self.shadow, self.gauge, self._rules = np.full(n, 1 / n), np.zeros(12), np.zeros(7)
        self.gauge[LEAST] = 1.0
        rules = self._rules
        if problem.cost_range is None:
            raise ValueError(
                "Guarded's promise needs the problem's cost_range, unknown here: give Problem(cost_range=...), "
                f"or {learner.learner!r} without a guard"
            )
        rules[ENFORCED], rules[SLACK], rules[RANGE] = learner.enforce, learner.slack, problem.cost_range
        self._opens = learner.opens or (problem.horizon is None and learner.shadow == Hedge())
        if problem.horizon is None and not self._opens:
            raise ValueError(
                f"the shadow is {learner.shadow!r}, which promises nothing without a horizon: "
                "give Problem(horizon=...), or shadow=Hedge(), with which Guarded promises something at every horizon"
            )
        if self._opens:
            rules[OPEN] = 1.0
            self._open = OpenPlan(problem, history)
            self.pace = self._open.begin.copy()
            rules[PROMISE] = self._open.inherited
            self.gauge[ROOM] = learner.slack * self._open.bound(self.pace, 0)
        else:
            self._plan_known(learner.shadow)
        self._known = self._before()
        memory = problem.memory.state(2 * n + 1 if self._opens else n + 1)
        past = np.zeros((len(history), memory.n))
        past[:, :n], past[:, n + 1 :] = history, 1 / n
        memory.take(past)
        return memory

    def _plan_known(self, shadow: Hedge | FixedShare) -> None:
        rules, problem = self._rules, self.problem
        if shadow.bound(problem) is None:
            raise ValueError(
                f"the shadow is {shadow!r}, which promises nothing with changes and without a share: "
                "give a share above 0, or changes=0"
            )
        if isinstance(shadow, FixedShare):
            rules[RATE], rules[SHARE] = shadow.tuning_for(problem)
            prior = path_prior(problem, shadow.changes, rules[SHARE])
        else:
            rules[RATE], prior = shadow.rate_for(problem), log(problem.n)
        plan = known_plan(problem, prior / rules[RATE], float(rules[RATE]), float(rules[SHARE]), self.history)
        self._plan, inherited = plan.rows, float(plan.rows[0, 3])
        rules[PROMISE] = (1 + rules[SLACK]) * plan.bound + inherited
        self.gauge[GAMMA] = plan.bound + inherited
        self.gauge[ROOM] = rules[PROMISE] - self.gauge[GAMMA]

    def _terms(self, before: int, rounds: int) -> Array:
        """What is known of so many rounds, after so many others; past the horizon nothing counts. Advances the pace."""
        if self._opens:
            rows, self._pace = self._open.rows(self.pace, before, rounds)
            return rows[1:]
        here = self._plan[before + 1 : before + 1 + rounds]
        return here if len(here) == rounds else np.vstack([here, np.zeros((rounds - len(here), here.shape[1]))])

    def _keep_pace(self) -> None:
        if self._opens:
            self.pace = self._pace

    def play_block(self, block: Block, proposals: Array, real: Array, running: Running, decisions: Array) -> None:
        """Run the guard's kernel over a block.

        Args:
            block: the rounds.
            proposals: (B, n) what lies below, for the rounds that those of the block lead to; none: own weights.
            real: (B, n) the decisions really taken; none: those advised.
            running: what kernels take of the memory.
            decisions: (B, n), written.
        """
        mine = (self.meter, self.weights, self.current, self.shadow, self.gauge, self._rules)
        terms, done = self._terms(self.rounds, block.rounds), (*running, self.memory.count, decisions, self._gammas)
        keep.call(block, proposals, real, *mine, terms, self.rounds, self._aiming, *done)
        self._keep_pace()

    def respond(self, block: Block, real: Array) -> Array:
        """Play the block, and keep the guarantees.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken; none: those advised.

        Returns:
            What was advised.
        """
        self._gammas = np.empty(block.rounds)
        return super().respond(block, real)

    @property
    def guarantees(self) -> Array:
        """Gamma after each round of the last block."""
        return self._gammas

    def play_round(self, costs: Array, running: Running) -> bool:
        """Run the guard's kernel over one round, whose decision is `current`.

        Args:
            costs: (n,).
            running: what kernels take of the memory.

        Returns:
            Whether the costs are sound; if not, nothing has changed.
        """
        tally, t, k = self.tally, self.rounds, 0
        if self._opens or t + 1 >= len(self._plan):
            terms = self._terms(t, 1)
        else:
            terms, k = self._plan, t + 1
        largest, widest = self._limits
        sound = keep_round.call(
            costs,
            largest,
            widest,
            tally.totals,
            tally.spent,
            self.meter,
            self.weights,
            self.current,
            self.shadow,
            self.gauge,
            self._rules,
            terms,
            k,
            t,
            self._aiming,
            self._source == OWN,
            *running,
            self.memory.count,
        )
        if sound:
            self._keep_pace()
        return sound

    def learn(self, costs: Array, low: float, totals: Array, before: int) -> None:
        """Take one round in, up to the next weights and the room.

        Args:
            costs: (n,).
            low: the least of them.
            totals: (n,) costs so far, the round's included.
            before: how many rounds came before.
        """
        row, terms, rules = np.zeros((1, self.memory.n)), self._terms(before, 1), self._rules
        fill.call(self.current, self.shadow, rules, row)
        state = self.memory.take(row)
        loss = float((costs - low) @ state[0, : len(costs)])
        if self._source == OWN:
            reweigh.call(loss, totals, self.meter, self.weights)
        mine = (row, state, self.shadow, self.gauge, rules, terms, 0, before + 1)
        account.call(costs[np.newaxis], 0, low, loss, totals, *mine)
        if self._opens:
            credit.call(self._lingering(float(terms[0, WEIGHING])), self.gauge, rules, terms, 0)
        self._known = terms
        if self.rounds <= before < self.rounds + len(self._gammas):  # a block is played
            self._gammas[before - self.rounds] = self.gauge[GAMMA]
        self._keep_pace()

    def _lingering(self, weighing: float) -> float:
        """How far the shadow's decisions are from its next one while they still count, added up."""
        running, shadow = self.memory.running(0), self.shadow
        if running is not None:
            return linger.call(*running, self.memory.count, weighing, shadow)
        state, left, step, total = deepcopy(self.memory), self._open.reach, FEW, 0.0
        while left > 0:
            ahead = state.idle(min(step, left))[:, -len(shadow) :]
            mass = ahead.sum(axis=1, keepdims=True)
            total += float(np.abs(ahead - mass * shadow).sum()) / 2
            if mass.max() <= NEGLIGIBLE:
                break
            left, step = left - len(ahead), 2 * step
        return total

    def choose(self) -> None:
        """Make the next decision from the weights, as far as the room allows."""
        super().choose()
        self._blend(self._known)

    def _blend(self, known: Array) -> None:
        """Follow the proposal that is `current` as far as the room allows, with the terms of the round before."""
        blend.call(self.current, self.shadow, self.gauge, self._rules, known, 0)

    def _before(self) -> Array:
        """The terms of the last round observed."""
        return self._open.rows(self.pace, self.rounds, 0)[0] if self._opens else self._terms(self.rounds - 1, 1)

    def count(self, rounds: int) -> None:
        """Another round, without a proposal yet."""
        super().count(rounds)
        if rounds:
            self.proposed = 0

    def propose(self, decision: ArrayLike | str) -> None:
        """Propose a decision for this round, in place of the learner's; `decide` gives what the guard allows of it.

        Args:
            decision: n weights, or an action by its number or name.

        Raises:
            ValueError: if it is not a decision, or this round has a proposal or an override already.
        """
        row = self.problem.check_decision(decision, self.rounds)[0]
        self.ready(1)
        for have, what in ((self.proposed, "a proposal"), (len(self.real), "an override")):
            if have:
                raise ValueError(f"round {self.rounds + 1} has {what} already: observe the round's costs first")
        self.current[:] = row
        self._blend(self._before())
        self.proposed, self._decision = 1, None

    @property
    def target(self) -> Array:
        """The proposal's, as far as it is followed, and the shadow's decision for the rest."""
        below = super().target
        return self.mixture(self.shadow + self.trust * (below - self.shadow)) if self._aiming else below

    @property
    def trust(self) -> float:
        """This round's lambda: which part of the way from the shadow's decision to the proposal it goes."""
        return float(self.gauge[TRUST])

    @property
    def mean_trust(self) -> float:
        """The mean of all rounds observed so far; before the first, this round's."""
        return float(self.gauge[TRUSTED]) / self.rounds if self.rounds else self.trust

    @property
    def least_trust(self) -> float:
        """The least of all rounds observed so far."""
        return float(self.gauge[LEAST])

    @property
    def room(self) -> float | None:
        """What is left of the budget: how much this round's decision may be feared for; negative: it is overrun.

        None past the horizon.
        """
        if self._past_horizon:
            return None
        room = float(self.gauge[ROOM])
        return 0.0 if abs(room) <= ROUNDING * self._promised else room

    @property
    def feared(self) -> float:
        """How much of the room this round's decision takes at most, an override's too.

        The promise is kept in this round, whatever the costs, if that is not more than the room.
        """
        apart = float(np.abs(self.decide() - self.shadow).sum()) / 2
        return float(self._rules[RANGE] * self._before()[0, NEXT_CHARGE]) * apart

    @property
    def promise(self) -> float | None:
        """What the regret at the horizon is at most, if the guard's decisions are followed from now on.

        That is B; once the promise is lost, Gamma. Where the horizon is unknown, it is about the rounds so far; before
        the first, about that one.
        """
        if not self.learner.enforce or self._past_horizon:
            return None
        return max(self._promised, float(self.gauge[GAMMA])) if self.lost else self._promised

    @property
    def _promised(self) -> float:
        if self._opens:
            bound = self._open.bound(self.pace, self.rounds)
            return float((1 + self.learner.slack) * bound + self._rules[PROMISE])
        return float(self._rules[PROMISE])

    @property
    def _past_horizon(self) -> bool:
        return not self._opens and self.rounds > (self.problem.horizon or 0)

    @property
    def lost(self) -> int | None:
        """The round whose real decision lost the promise; None while it holds."""
        return None if self._past_horizon else int(self.gauge[LOST]) or None

    @property
    def guarantee(self) -> float | None:
        """Gamma: the regret so far is at most this, and so is that at the horizon if the shadow is followed from now.

        Where the horizon is unknown, only the former. None past the horizon.
        """
        return None if self._past_horizon else float(self.gauge[GAMMA])

    def __repr__(self) -> str:
        said = super().__repr__()
        if self.lost is None or self.promise is None:
            return said
        return f"{said[:-1]}, the promise of {self._promised:.6g} lost in round {self.lost}, {self.promise:.6g} holds>"
