"""The same jobs, done in other ways: the plain compiled loop, numpy, and the installable peers."""

from collections.abc import Callable

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@numba.njit(nogil=True)
def plain_ftarl(costs: Array, noise: Array, window: int, out: Array) -> None:
    """Every action of every replicate is looked at in every round; regret of all rounds."""
    T, n = costs.shape
    for r in range(noise.shape[0]):
        totals, counts, played = np.zeros(n), np.zeros(n), np.zeros(T, np.int64)
        lost = 0.0
        for t in range(T):
            leader = 0
            for i in range(1, n):
                if totals[i] - noise[r, i] < totals[leader] - noise[r, leader]:
                    leader = i
            played[t] = leader
            counts[leader] += 1.0
            if t >= window:
                counts[played[t - window]] -= 1.0
            best = np.inf
            loss = 0.0
            for i in range(n):
                loss += costs[t, i] * counts[i]
                totals[i] += costs[t, i]
                best = min(best, totals[i])
            lost += loss / min(t + 1, window)
            out[r, t] = lost - best


@numba.njit(nogil=True)
def plain_lsa(costs: Array, rate: float, first: NDArray[np.int64], uniforms: Array, window: int, out: Array) -> None:
    """Weights of all actions in every round, redrawn from all of them; regret of all rounds."""
    T, n = costs.shape
    for r in range(uniforms.shape[0]):
        totals, logs, counts, played = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(T, np.int64)
        action = first[r]
        lost = 0.0
        for t in range(T):
            played[t] = action
            counts[action] += 1.0
            if t >= window:
                counts[played[t - window]] -= 1.0
            best = np.inf
            loss = 0.0
            least = costs[t].min()
            for i in range(n):
                loss += costs[t, i] * counts[i]
                totals[i] += costs[t, i]
                best = min(best, totals[i])
                logs[i] -= rate * (costs[t, i] - least)
            lost += loss / min(t + 1, window)
            out[r, t] = lost - best
            weights = np.exp(logs - logs.max())
            keep = np.exp(-rate * (costs[t, action] - least))
            if uniforms[r, t] >= keep:
                left = (uniforms[r, t] - keep) / (1.0 - keep) * weights.sum()
                action = 0
                while left >= weights[action] and action < n - 1:
                    left -= weights[action]
                    action += 1


def numpy_ftarl(costs: Array, noise: Array, window: int, out: Array) -> None:
    """Vectorised over replicates that share the costs."""
    T, n = costs.shape
    replicates = np.arange(len(noise))
    totals, counts, lost = np.zeros(n), np.zeros(noise.shape), np.zeros(len(noise))
    played = np.zeros((T, len(noise)), np.int64)
    for t in range(T):
        played[t] = (totals - noise).argmin(axis=1)
        counts[replicates, played[t]] += 1
        if t >= window:
            counts[replicates, played[t - window]] -= 1
        lost += counts @ costs[t] / min(t + 1, window)
        totals += costs[t]
        out[:, t] = lost - totals.min()


def peers(n: int) -> dict[str, Callable[[Array], object]]:
    """For each peer, one round of the nearest job that it can do: decide, then learn from the round's costs."""
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

    return {
        "river EWARegressor": play_ewa,
        "river Exp3 (sees one cost a round)": play_exp3,
        "poold AdaHedgeD": play_adahedged,
    }
