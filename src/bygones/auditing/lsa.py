"""LSA: the law of its action, computed from its own darts, and its refreshes."""

from collections.abc import Iterator
from math import log, nextafter
from typing import Any

import numpy as np

from ..kernels import Array
from ..learners import LSA, Hedge
from .case import Case, Margin

ROUNDS = 200  # for which the law is computed
LAW_TOLERANCE = 1e-9
AIMS = np.array([1e-6, 0.5, 1 - 1e-6])  # where three darts hit a piece, as shares of it
LAST = nextafter(1.0, 0.0)  # the largest dart


def of_lsa(case: Case) -> Iterator[Margin]:
    """Margins of the statements on LSA, in expectation over the draws and by the exact recursion of the law."""
    learner, problem = LSA(), case.problem
    rate = learner.rate_for(problem)
    player = learner.player_type(learner, problem, case.seeds)
    actions = player.advance(player.survey(case.costs))
    changes = np.count_nonzero(np.diff(actions, axis=1), axis=1)
    yield "LSA's refreshes", *case.below(changes - log(problem.n) - rate * case.behind.sum(axis=0).min())
    laws: Any = Hedge(rate=rate).start(problem).play(case.costs[: ROUNDS + 1])
    yield "LSA's law", case.within(np.abs(_follow(case, learner, laws) - laws), LAW_TOLERANCE)


class Darts:
    """A stand-in for the generator of one replicate; it returns the dart that was set."""

    dart = 0.0

    def random(self, out: Array | None = None) -> float:
        """The dart, as a number or in all of an array."""
        if out is not None:
            out[:] = self.dart
        return self.dart


def _follow(case: Case, learner: LSA, laws: Array) -> Array:
    """The law of the action, for as many rounds as there are laws of Hedge, from what the player does with each dart.

    In theory all darts in a piece of [0, 1) lead to the same action: darts below `exp(-alpha c_i)` keep the action i,
    and the rest is divided among the actions, in their order, in proportion to Hedge's weights. Three darts hit each
    piece, near both ends and in the middle. If all three lead to the right action, the widths of the pieces are the
    player's probabilities; if not, its law comes out wrong.
    """
    n, rate = case.problem.n, learner.rate_for(case.problem)
    held = np.repeat(np.arange(n), (n + 1) * len(AIMS))
    player: Any = learner.player_type(learner, case.problem, [0] * len(held))
    player.generators = tuple(Darts() for _ in held)
    _throw(player, np.full((1, n), 1 / n))
    player.begin()
    law: Array = np.bincount(player.current[: n * len(AIMS)], minlength=n) / (n * len(AIMS))
    followed = [law]
    for t in range(len(laws) - 1):
        keep = np.exp(-rate * case.behind[t])[:, np.newaxis]
        widths = np.hstack([keep, (1 - keep) * laws[t + 1]])
        _throw(player, widths)
        player.current[:] = held
        player.advance(player.survey(case.costs[t : t + 1]))
        masses = law[held] * np.repeat(widths, len(AIMS)) / len(AIMS)
        law = np.bincount(player.current, masses, minlength=n).astype(np.float64)
        followed.append(law)
    return np.array(followed)


def _throw(player: Any, widths: Array) -> None:  # noqa: ANN401
    """Aim the next darts of the replicates at pieces of the given widths, row by row."""
    lows = np.cumsum(widths, axis=1) - widths
    darts = np.minimum(lows[..., np.newaxis] + widths[..., np.newaxis] * AIMS, LAST)
    for generator, dart in zip(player.generators, darts.ravel().tolist(), strict=False):
        generator.dart = dart
