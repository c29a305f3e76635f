"""Guarded: anybody's decisions, within a promise."""

from typing import Any

from ..problem import Problem
from ..theory import open_bound
from ..validation import LARGEST, real
from .base import Learner, Wrapper
from .fixed_share import FixedShare
from .hedge import Hedge
from .player import Player
from .player.guarded import GuardedPlayer
from .steering import Steering


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
        shadow: `Hedge()`; or `Hedge(rate=...)` or `FixedShare(changes=K)`, which need the horizon; or
            `Hedge(tuning="anytime")`, which is taken for `Hedge()` where the horizon is unknown.
        enforce: False honours every proposal in full and only reports the room; then nothing is promised.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> round(by.Guarded(by.Steering(), slack=0.05).bound(problem), 1)
    1123.8
    >>> player = by.Guarded(by.FollowTheLeader(), slack=0.05).start(by.Problem(2, 100, by.Window(4)))
    >>> for t in range(35):
    ...     player.observe([t // 3 % 2, 1 - t // 3 % 2])
    >>> player.decide().round(2), round(player.trust, 2), round(player.room, 2)
    (array([0.94, 0.06]), 0.88, 0.41)
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
