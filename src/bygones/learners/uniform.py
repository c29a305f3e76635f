"""Uniform: all actions alike."""

import numpy as np

from ..kernels import Array, Block, Tally
from .base import Learner
from .player import BlockPlayer, Player


class Uniform(Learner):
    """Give every action the weight 1/n in every round; a baseline.

    >>> import bygones as by
    >>> by.Uniform().start(by.Problem(4, None, by.Window(5))).decide()
    array([0.25, 0.25, 0.25, 0.25])
    """

    @property
    def player_type(self) -> type[Player]:
        """All actions."""
        return UniformPlayer


class UniformPlayer(BlockPlayer):
    """Plays all actions alike."""

    def begin(self) -> None:
        """Weigh all actions alike."""
        self.tally = Tally(self.problem.n)
        self.current = np.full(self.problem.n, 1 / self.problem.n)

    def run(self, block: Block) -> Array:
        """Play all actions."""
        return np.tile(self.current, (block.rounds, 1))

    def step(self, costs: Array) -> bool:
        """Only count the costs."""
        return self.admit(costs)
