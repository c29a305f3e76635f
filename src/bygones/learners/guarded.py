"""Guarded: anybody's decisions, within a promise."""

from copy import deepcopy
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import Array, Block
from ..memory import MemoryState, Running, linger
from ..problem import Problem
from ..theory import NEGLIGIBLE, OpenPlan, known_plan, open_bound, path_prior
from ..validation import LARGEST, real
from .ada_hedge import AdaHedge
from .base import Learner, Wrapper
from .fixed_share import FixedShare
from .hedge import Hedge
from .player import OWN, Player, StatePlayer, reweigh
from .player.guard import (
    ENFORCED,
    GAMMA,
    LEAST,
    LOST,
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
from .steering import Steering, steered

FEW = 8  # rounds to look ahead at first


class Guarded(Wrapper):
    r"""Follow another learner, or anybody, as far as a promise allows.

    Beside the proposals `p^t` runs a shadow: Hedge at its fixed rate, whose decisions `w^t` depend on the costs alone.
    Its bound is b, and the promise is `B = (1 + slack) b`. With `q_t = |p^t - w^t|_1 / 2`, and `ch_t` what the decision
    of round t weighs in all states up to the horizon, play

        v^t = w^t + lambda_t (p^t - w^t),        lambda_t = min(1, max(0, B - Gamma_(t-1)) / (R q_t ch_t)),
        Gamma_t = sum_(s<=t) <g^s, x^s> - Phi_eta(G^t) + ln n/eta + (eta R^2/8) sum_(s>t) (1 + 2 m1(s))
                  + R [sum_(s<=t) lambda_s q_s ch_s - sum_(s<=t) Q^s],

    where `Q^s` is the memory's state of the numbers `lambda q`. Then `regret_t <= Gamma_t <= B` in every round, on
    every path of costs within the range, under any memory and for any proposals, also where the costs react to them.

    Proof. Without the bracket, and with the shadow's states `h^s` in place of `x^s`, Gamma is the guarantee of the
    shadow, which begins at b and never rises (`theory.hedge_guarantee`). The states differ by the memory's state of
    `v - w`, so `<x^s - h^s, g^s> <= R |x^s - h^s|_1 / 2 <= R Q^s`. Hence a round raises Gamma by at most
    `R lambda_t q_t ch_t`, which `lambda_t` keeps within the room `B - Gamma_(t-1)`. The bracket is what decisions so
    far still weigh in later states: it is never negative, and 0 at the horizon. And `regret_t <= Gamma_t`, because
    `Phi_eta(G) <= min_i G_i + ln n/eta`. So room comes back as the shadow's guarantee falls, as proposals do better
    than the shadow, and as what was feared does not happen. Tests play hostile games, with proposals that collude with
    the costs, against it.

    With `shadow=FixedShare(changes=K)` the regret against every path with at most K changes is within
    `(1 + slack)` times FixedShare's bound: `Phi_eta` gives way to the sum of the mix losses
    `-(1/eta) ln <w^t, exp(-eta g^t)>`, and the terms are those of `theory.share_bound`; the proof is the same.

    Where the horizon is unknown the shadow is anytime Hedge, and the regret is at most `(1 + slack) b_T` at every T,
    `b_T` being the sum (1) of `theory.anytime_bound` with charges that no horizon cuts. The room is then
    `slack b_t + max(0, max_(s<t) save_s) - sum_(s<t) <x^s - h^s, g^s> - R [...]` with the bracket as above, and
    `save_s` is what the shadow is known after round s to stay below its bound by, at every later horizon:

        save_t = sum_(r<=t) d_r - [sum_(s<=t) <g^s, h^s> - Phi_(eta')(G^t) + R sum_(s>t) |y_s - mu_s w'|_1 / 2
                 + eta' R^2 M_(t+1)^2/8],

    where `eta'` and `w'` are the shadow's next rate and decision, `y_s` is what its decisions so far contribute to the
    state of round s, and `mu_s` their weight there. Proof: from round t on, let all its decisions so far be `w'`. That
    costs at most the sum of the distances. They are then one decision with charges of range `R M_(t+1)`, made at the
    totals `G^t` themselves, so Hoeffding's lemma bounds it by the last term, and all later ones by `d_r` as before.

    With a history, the shadow imagines uniform decisions before round one, which makes `m1(t)` smaller; what the real
    ones can do, `R sum_t |sum_(r<=0) a^(t)_(t-r) (v^r - u)|_1 / 2`, is added to Gamma and to the promise.

    `player.promise` is what holds for the player at hand, `player.trust` is this round's lambda, `player.room` what is
    left of the budget, and `player.guarantee` is Gamma. `player.propose(v)` takes the place of the learner's proposal
    for this round. Under `override` the real decision counts, whatever the guard would have allowed: then Gamma may
    pass B, and `player.lost` is the round that lost the promise, until the room is back.

    Reference: this project's.

    Args:
        learner: who proposes, or its words.
        slack: how much more than the shadow's bound is promised, as a part of it; from 0 on.
        shadow: `Hedge()`, or `Hedge(rate=...)` or `FixedShare(changes=K)`, which need the horizon.
        enforce: False honours every proposal in full and only reports the room; then nothing is promised.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> round(by.Guarded(by.Steering(), slack=0.05).bound(problem), 1)
    1123.8
    >>> player = by.Guarded(by.FollowTheLeader(), slack=0.05).start(by.Problem(2, 100, by.Window(4)))
    >>> for t in range(9):
    ...     player.observe([t // 4 % 2, 1 - t // 4 % 2])
    >>> player.decide().round(2), round(player.trust, 2), round(player.room, 2)
    (array([0.59, 0.41]), 0.19, 0.09)
    >>> player.guarantee <= player.promise
    True
    """

    learner: Any = Steering()
    slack: float = 0.1
    shadow: Any = Hedge()
    enforce: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.shadow, str):
            self._set("shadow", Learner.parse(self.shadow))
        super().__post_init__()
        slack = real("the slack", self.slack)
        if not 0 <= slack <= LARGEST:
            raise ValueError(
                f"the slack is {self.slack!r}: give a number from 0 to {LARGEST:g}, such as 0.1 for a tenth more"
            )
        self._set("slack", slack)
        if type(self.shadow) not in (Hedge, FixedShare):
            raise ValueError(f"the shadow is {self.shadow!r}: give Hedge() or FixedShare(changes=...)")
        if not isinstance(self.enforce, bool):
            raise ValueError(f"enforce is {self.enforce!r}: give True or False")

    @property
    def opens(self) -> bool:
        """Whether the shadow needs no horizon."""
        return isinstance(self.shadow, Hedge) and self.shadow.tuning == "anytime"

    def bound(self, problem: Problem) -> float | None:
        """`(1 + slack)` times the shadow's bound, for a start without a history; None where nothing is enforced."""
        bound: float | None = self.shadow.bound(problem) if self.enforce else None
        if bound is not None and self.opens:
            bound = open_bound(problem)
        return None if bound is None else (1 + self.slack) * bound

    @property
    def source(self) -> str:
        """The bound is this project's."""
        return "bygones, by a guard"

    @property
    def player_type(self) -> type[Player]:
        """The guard."""
        return GuardedPlayer


class GuardedPlayer(StatePlayer):
    """Plays what a guard allows of proposals.

    Its memory has a column more than there are actions, for how far the decision was from the shadow's; where the
    horizon is open, the shadow's decisions follow.
    """

    learner: Guarded

    def layers(self) -> tuple[bool, Learner | None]:
        """The layers of the learner inside."""
        inner: Learner = self.learner.learner
        if isinstance(inner, Steering):
            return steered(inner, self.problem)
        return False, None if type(inner) is AdaHedge else inner

    def set_up(self) -> MemoryState:
        """Plan the rounds, and give the memory."""
        learner, problem, n, history = self.learner, self.problem, self.problem.n, self.history
        self.proposed = 0
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
        terms, done = self._terms(self.rounds, block.rounds), (*running, self.memory.count, decisions)
        keep.call(block, proposals, real, *mine, terms, self.rounds, self._aiming, *done)
        self._keep_pace()

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
        for have, what in ((self.proposed, "a proposal"), (len(self.real), "an override")):
            if have:
                raise ValueError(f"round {self.rounds + 1} has {what} already: observe the round's costs first")
        self.current[:] = row
        self._blend(self._before())
        self.proposed, self._decision = 1, None

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
