"""The installable peers, one round at a time, on the nearest job that each can do."""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

import bygones as by

Array = NDArray[np.float64]
INSTALLED = all(find_spec(name) for name in ("river", "poold"))
# The learner of ours that does the nearest job.
LIKE = {
    "river EWARegressor": by.Hedge(),
    "river Exp3 (sees one cost per round)": by.LSA(),
    "poold AdaHedgeD": by.AdaHedge(),
}


def peers(n: int) -> dict[str, Callable[[Array], object]]:
    """For each peer, one round: decide, then learn from the round's costs."""
    from poold.learners import AdaHedgeD
    from river import bandit, ensemble
    from river.base import Regressor

    class Expert(Regressor):
        def __init__(self, i: int = 0) -> None:
            self.i = i

        def predict_one(self, x: Array) -> float:
            return float(x[self.i])

        def learn_one(self, x: Array, y: float) -> None:
            pass

    class Linear:
        """The loss of an expert is its own prediction."""

        def __call__(self, y_true: float, y_pred: float) -> float:
            return y_pred

    ewa = ensemble.EWARegressor([Expert(i) for i in range(n)], loss=Linear(), learning_rate=0.001)
    exp3, arms = bandit.Exp3(gamma=0.01, seed=1), list(range(n))
    hedge = AdaHedgeD([str(i) for i in range(n)], T=10**6)
    clock = iter(range(10**9))

    def play_ewa(costs: Array) -> None:
        ewa.predict_one(costs)
        ewa.learn_one(costs, 0.0)

    def play_exp3(costs: Array) -> None:
        action = exp3.pull(arms)
        exp3.update(action, 1.0 + costs[action])

    def play_adahedged(costs: Array) -> None:
        t = next(clock)  # it learns of a round when it plays the next
        loss = {"fun": lambda w: float(w @ costs), "grad": lambda w: costs}
        hedge.update_and_play([(t - 1, loss)] if t else [], hint=None)

    return dict(zip(LIKE, (play_ewa, play_exp3, play_adahedged), strict=True))
