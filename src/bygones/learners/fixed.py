"""Fixed: one action for ever."""

import numpy as np

from ..kernels import Actions, Array, Block, Tally
from ..validation import whole
from .base import Learner
from .player import BlockPlayer, Player


class Fixed(Learner):
    """Play one action in every round; a baseline.

    Args:
        action: its number or its name.

    >>> import bygones as by
    >>> player = by.Fixed("road").start(by.Problem(["rail", "road"], None, by.Window(5)))
    >>> player.play([[0.0, 1.0], [0.0, 1.0]])
    array([1, 1])
    """

    action: int | str = 0

    symmetric = False

    def __post_init__(self) -> None:
        if not isinstance(self.action, str):
            self._set("action", whole("the action's number", self.action, 0))

    @property
    def player_type(self) -> type[Player]:
        """The action."""
        return FixedPlayer


class FixedPlayer(BlockPlayer):
    """Plays its action."""

    pure = True
    many_tables = True
    current: Actions
    learner: Fixed

    def begin(self) -> None:
        """Find the action."""
        self.tally = Tally(self.problem.n)
        self.current = np.full(len(self.generators), self.problem.number(self.learner.action))

    def run(self, block: Block) -> Actions:
        """Play the action."""
        return np.repeat(self.current[:, np.newaxis], block.rounds, axis=1)

    def step(self, costs: Array) -> bool:
        """Only count the costs."""
        return self.admit(costs)
