"""Rates and bounds where the best action changes: against paths of actions, each round paid at its own cost."""

from math import log, log1p, sqrt
from typing import NamedTuple

from ..problem import Problem
from .requirements import known, lag_sum

STEPS = 60  # of the search for the best share and rate, which settles long before


class ShareTuning(NamedTuple):
    """The rate and the share of FixedShare."""

    rate: float
    share: float


def share_tuning(problem: Problem, changes: int, rate: float | None = None, share: float | None = None) -> ShareTuning:
    """The rate and the share that nearly minimise `share_bound`; either may be given.

    The rate is `sqrt(8 [...] / S_T) / R`, with the bracket of the bound. The share is
    `K / (T - 1 + eta R sum_t m1(t))`: without memory the fraction of rounds that change, and less where a share spreads
    over a long memory. Each depends on the other, so they are found in turns.

    Args:
        problem: what is decided.
        changes: K, at most `T - 1`.
        rate: `eta`, by hand; None: find it.
        share: by hand; None: find it.

    Returns:
        Both.

    >>> import bygones as by
    >>> share_tuning(by.Problem(2, 260, by.Window(12)), changes=3)
    ShareTuning(rate=0.2..., share=0.00...)
    """
    T, R = known(problem, "FixedShare's tuning")
    K, lags, eta, a = min(changes, T - 1), (lag_sum(problem) - T) / 2, rate or 0.0, share or 0.0
    for _ in range(STEPS):
        if share is None and K:
            a = K / (T - 1 + eta * R * lags)
        if rate is None:
            eta = sqrt(8 * path_prior(problem, K, a) / lag_sum(problem)) / R
    return ShareTuning(eta, a)


def share_bound(problem: Problem, rate: float, share: float, changes: int) -> float | None:
    """What FixedShare pays at most more than any path of actions with at most K changes, on every path of costs.

    `(1/eta) [ln n + K ln(n/a) - (T-1-K) ln(1 - a + a/n)] + sum_t [(eta R^2/8)(1 + 2 m1(t)) + a (1 - 1/n) R m1(t)]`,
    where a is the share. A share of 0 is Hedge, which promises something for K = 0 only.

    Proof. The weights are those of a mixture over all paths, whose prior gives a path with K changes
    `(1/n)(a/n)^K (1 - a + a/n)^(T-1-K)`: so the mix losses `-(1/eta) ln <w^t, exp(-eta g^t)>` add up to at most the
    path's loss and the first bracket over eta. By Hoeffding's lemma the mix loss is at least `<w^t, g^t> - eta R^2/8`.
    The state has the decision of k rounds ago with weight `a_k`; a round moves `<w, g>` by at most `eta R^2/4` through
    the exponentials, a covariance, and by `a R (1 - 1/n)` through the share. So a lag of k costs at most k times both.

    A test plays hostile games against it.

    Args:
        problem: what is decided.
        rate: `eta`.
        share: a, from 0 to 1.
        changes: K, at most `T - 1`.

    Returns:
        The bound; None if nothing is proved.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> round(share_bound(problem, by.theory.hedge_rate(problem), 0.0, 0), 1)  # Hedge's
    1070.3
    >>> round(share_bound(problem, *share_tuning(problem, 3), 3), 1)
    4353.7
    """
    T, R = known(problem, "FixedShare's bound")
    K, lags = min(changes, T - 1), (lag_sum(problem) - T) / 2
    if share == 0 and K > 0:
        return None
    spread = share * (1 - 1 / problem.n) * R * lags
    return path_prior(problem, K, share) / rate + rate * R * (R / 8) * lag_sum(problem) + spread


def path_prior(problem: Problem, changes: int, share: float) -> float:
    """`ln n + K ln(n/a) - (T-1-K) ln(1 - a + a/n)`: the logarithm of what the prior gives a path, negated.

    Args:
        problem: what is decided; its horizon must be known.
        changes: K, at most `T - 1`.
        share: a; 0: `ln n`.

    Returns:
        The number.
    """
    n, T = problem.n, problem.horizon or 1
    K = min(changes, T - 1)
    if share == 0:
        return log(n)
    return log(n) + K * log(n / share) - (T - 1 - K) * log1p(-share * (1 - 1 / n))
