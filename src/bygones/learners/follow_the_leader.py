"""FollowTheLeader: whatever has been cheapest so far."""

import numpy as np

from ..kernels import Actions, Array, Block, Tally, follow, follow_round
from .base import Learner
from .player import BlockPlayer, Player


class FollowTheLeader(Learner):
    """Play the action with the least cost so far; ties go to the lowest number.

        i_t = argmin_i G^(t-1)_i

    It needs no rate, horizon or range, and promises nothing: costs that alternate make it pay every round. Where one
    action is suddenly revealed to be better, it is the quickest to go there.

    Reference: Cesa-Bianchi and Lugosi (2006), *Prediction, Learning, and Games*.

    >>> import bygones as by
    >>> player = by.FollowTheLeader().start(by.Problem(2, None, by.Window(5), cost_range=None))
    >>> player.play([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
    array([0, 1, 0])
    """

    @property
    def player_type(self) -> type[Player]:
        """One leader, without noise."""
        return FollowTheLeaderPlayer


class FollowTheLeaderPlayer(BlockPlayer):
    """Plays the leader of the totals."""

    pure = True
    many_tables = True
    current: Actions

    def begin(self) -> None:
        """Begin with the first action."""
        self.tally = Tally(self.problem.n)
        self.current = np.zeros(len(self.generators), dtype=np.int64)
        self.due = np.zeros(len(self.generators))
        self._silence = np.zeros((len(self.generators), self.problem.n))

    def run(self, block: Block) -> Actions:
        """Play the leaders."""
        actions = np.empty((len(self.current), block.rounds), dtype=np.int64)
        follow.call(block, self._silence, self.due, self.current, actions)
        return actions

    def step(self, costs: Array) -> bool:
        """Find the leader, if it can have changed."""
        tally = self.tally
        return follow_round.call(costs, *self._limits, tally.totals, tally.spent, self._silence, self.due, self.current)
