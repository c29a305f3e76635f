"""AdaHedge: exponential weights that find their own rate."""

from .base import Learner
from .player import Player, StatePlayer


class AdaHedge(Learner):
    r"""Weight every action by the exponential of its costs so far, at a rate that falls as the learner loses ground.

    With the potential `Phi_eta(G) = -(1/eta) ln((1/n) sum_i exp(-eta G_i))`, round t costs

        delta_t = <g^t, x^t> - [Phi_(eta_t)(G^t) - Phi_(eta_t)(G^(t-1))]

    more than the potential grows. The rate is `eta_(t+1) = ln n / D_t`, where `D_t` is the largest sum
    `delta_1 + ... + delta_s` up to t, or 0; while that is 0 the rate is infinite, and the weights are alike on the best
    actions. The loss is that of the state, so the rate knows of the memory. Nothing else need be known: neither the
    horizon, nor the memory, nor the range of the costs.

    On every path the regret is at most `sum_t delta_t + D_(T-1)`, hence at most `2 D_T`. Proof: summed up, the losses
    are `sum_t delta_t` and the growth of the potentials, which telescopes but for the changes of rate; those only take
    away, for `Phi_eta` does not fall when `eta` does; and `Phi_eta(G) <= min_i G_i + ln n/eta` at the end. The proof
    asks nothing of the decisions, so it holds where `override` says that others were taken. A bound before the first
    round is not known.

    Reference: de Rooij, van Erven, Gruenwald and Koolen (2014), *Follow the Leader If You Can, Hedge If You Must*, for
    memoryless losses. Where this differs: the loss is the state's, and the largest sum takes the place of the sum, for
    under a memory `delta_t` may be negative.

    >>> import bygones as by
    >>> player = by.AdaHedge().start(by.Problem(2, None, by.Window(5), cost_range=None))
    >>> player.play([[0.0, 1.0], [0.0, 1.0], [9.0, 0.0]]).round(3)
    array([[0.5  , 0.5  ],
           [0.8  , 0.2  ],
           [0.869, 0.131]])
    """

    @property
    def player_type(self) -> type[Player]:
        """The weights."""
        return AdaHedgePlayer


class AdaHedgePlayer(StatePlayer):
    """Plays the weights."""

    def layers(self) -> tuple[bool, None]:
        """The weights alone."""
        return False, None
