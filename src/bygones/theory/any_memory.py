"""Rates and bounds that hold for any memory, through its mean lag.

Throughout, `S_T = sum_t (1 + 2 m1(t))`, which for a window is `sum_t min(t, H)`.
"""

from math import fsum, log, log1p, sqrt

import numpy as np

from ..kernels import Actions, Array
from ..memory import Memory, Window
from ..problem import Problem
from .requirements import effective_length, known, known_range, lag_sum, lag_sums

COMPUTED = 2**16  # rounds over which a bound is added up


def hedge_rate(problem: Problem) -> float:
    """`eta = sqrt(8 ln n / (R^2 S_T))`, which minimises `hedge_bound`."""
    _, R = known(problem, "Hedge's rate")
    return sqrt(8 * log(problem.n) / lag_sum(problem)) / R


def hedge_bound(problem: Problem, rate: float) -> float:
    """`ln n / eta + (eta R^2 / 8) S_T`: Hedge's regret on every path, and LSA's expected regret at the same rate.

    Proof: round t costs `delta_t = <g^t, x^t> - [Phi(G^t) - Phi(G^(t-1))]` more than the potential `Phi` grows (see
    `theory.potential`). Hoeffding's lemma gives `Phi(G^t) - Phi(G^(t-1)) >= <g^t, w^t> - eta R^2/8`. The state is the
    mean of `w^(t-k)` with weights `a_k`, and a step of the weights moves `<g^t, w>` by at most `eta` times a covariance
    of two variables of range R, so by `eta R^2/4`. Hence `delta_t <= (eta R^2/8)(1 + 2 m1(t))`; the potentials
    telescope, and the last is at most `min_i G_i + ln n/eta`.

    Args:
        problem: what is decided.
        rate: `eta`.

    Returns:
        The bound.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> round(hedge_bound(problem, hedge_rate(problem)), 1)
    1070.3
    """
    _, R = known(problem, "Hedge's bound")
    return log(problem.n) / rate + rate * R * (R / 8) * lag_sum(problem)


def hedge_guarantee(problem: Problem, rate: float, regrets: Array, slacks: Array, rounds: Actions) -> Array:
    """`regret_t + slack_t + ln n/eta + (eta R^2/8)(S_T - S_t)`: no run of Hedge ends above it, whatever follows.

    `slack_t = min_i G^t_i - Phi_eta(G^t)`, so the first two terms are the loss minus the potential. Round t adds at
    most `(eta R^2/8)(1 + 2 m1(t))` to that difference, whatever its costs: the guarantee starts at the bound and never
    rises.

    Args:
        problem: what is decided.
        rate: `eta`.
        regrets: the regret so far, at some rounds.
        slacks: the slack at those rounds.
        rounds: their numbers; 0 is before the first.

    Returns:
        The guarantee at those rounds; nan after the horizon.
    """
    T, R = known(problem, "a guarantee")
    lags = lag_sums(problem.memory, rounds.tolist())
    left = log(problem.n) / rate + rate * R * (R / 8) * (lag_sum(problem) - lags)
    return regrets + slacks + np.where(rounds <= T, left, np.nan)


def anytime_rates(problem: Problem, lag_sums: Array) -> Array:
    """`eta_t = 2 sqrt(ln n / (R^2 (S_t + c)))`: rates for Hedge where the horizon is unknown; see `anytime_bound`.

    Args:
        problem: what is decided.
        lag_sums: `S_t` of the rounds.

    Returns:
        One rate per round.
    """
    start_up = _start_up(problem.memory) or 0.0
    rates: Array = 2 * np.sqrt(log(problem.n) / (lag_sums + start_up)) / known_range(problem, "the anytime rate")
    return rates


def anytime_bound(problem: Problem) -> float:
    """`R sqrt((S_T + c) ln n)`, on every path and at every T, with `c = m1^2 + 2 m1 + m2`, `m2 = sum_k k (k - 1) a_k`.

    For a window and `T >= H` it is `R sqrt((T H + (H^2 - 1)/12) ln n)`. It holds for memories whose weights are cut to
    the lags there are and renormalised, and have a finite `m2`. For all others, such as full history, c is 0 in the
    rates, and the bound is the sum (1) below; for very many rounds with its first term replaced by R T, which is more.

    Proof. Charge each decision by itself: the loss is `sum_t <w^t, c^t>` with `c^t = sum_(s>=t) a^(s)_(s-t) g^s`. Let
    `C^t = c^1 + ... + c^t`, so that `C^T = G^T`, and let `ch_t = sum_(s>=t) a^(s)_(s-t)` be all that decision t weighs,
    and `M_t = sum_(r<t) (ch_r - 1)` what earlier decisions still weigh from round t on. Rates do not rise and
    `Phi_eta` falls in eta, so the potentials of `C` telescope: with
    `d_t = <w^t, c^t> - [Phi_(eta_t)(C^t) - Phi_(eta_t)(C^(t-1))]` the regret is at most `sum_t d_t + ln n/eta_T`.
    Here `d_t <= R ch_t`, the range of `c^t`. And `C^(t-1) - G^(t-1)` has a range of at most `R M_t`, so that weights
    of `C^(t-1)` instead of `G^(t-1)` change `<w^t, c^t>` by at most `eta_t R^2 ch_t M_t/4`, a covariance; Hoeffding's
    lemma adds `eta_t R^2 ch_t^2/8`. Hence

        regret <= sum_t min(R ch_t, (eta_t R^2/8)(ch_t^2 + 2 ch_t M_t)) + ln n/eta_T.                        (1)

    Since `ch_t^2 + 2 ch_t M_t = (M_(t+1) + 1)^2 - M_t^2`, the sum of these up to t is
    `U_t = M_(t+1)^2 + 2 M_(t+1) + t + 2 sum_(s<=t) M_s`. M rises to `m1`, and `sum_(s<=t) (M_s - m1(s))` rises to
    `m2/2`; so `U_t <= S_t + c`. Summed by parts, with `eta_t` as above, (1) is at most
    `(R/2) sqrt((S_T + c) ln n) + (R/2) sqrt((S_T + c) ln n)`.

    A test plays hostile games against it, and compares it with (1).

    >>> import bygones as by
    >>> round(anytime_bound(by.Problem(10, 10_000, by.Window(100))), 1)
    1518.1
    >>> round(anytime_bound(by.Problem(10, 1_500, by.Geometric(0.9))), 1)
    256.1
    """
    T, R = known(problem, "Hedge's anytime bound")
    start_up = _start_up(problem.memory)
    if start_up is not None:
        return R * sqrt((lag_sum(problem) + start_up) * log(problem.n))
    last = log(problem.n) / float(anytime_rates(problem, np.array([lag_sum(problem)]))[0])
    return last + (R * T if T > COMPUTED else _charged(problem, T, R))


def _start_up(memory: Memory) -> float | None:
    """`c = m1^2 + 2 m1 + m2`; None where it is not known, or infinite."""
    second, first = memory.second_lag, memory.mean_lag()
    return None if second is None else first**2 + 2 * first + second


def _charged(problem: Problem, T: int, R: float) -> float:
    """`sum_t min(R ch_t, (eta_t R^2/8)(ch_t^2 + 2 ch_t M_t))`."""
    rates = anytime_rates(problem, lag_sums(problem.memory, range(1, T + 1)))
    charges = problem.memory.charges(np.ones((T, 1)))[:, 0]
    carried = np.cumsum(charges - 1) - (charges - 1)
    return float(np.minimum(R * charges, rates * R * (R / 8) * charges * (charges + 2 * carried)).sum())


def steering_rate(problem: Problem) -> float:
    """The rate of learners that steer the state, not the decision: `min(sqrt(8 ln n / (R^2 T)), ln(1/rho) / R)`.

    This is for geometric memory, where the state can follow Hedge's weights exactly at rates up to `ln(1/rho) / R`. For
    every other memory it is `hedge_rate`.

    >>> import bygones as by
    >>> [round(steering_rate(by.Problem(10, 10_000, by.Geometric(rho))), 6) for rho in (0.9, 0.99)]
    [0.042919, 0.01005]
    """
    T, R = known(problem, "the rate of steering")
    fastest = problem.memory.fastest_rate
    return hedge_rate(problem) if fastest is None else min(sqrt(8 * log(problem.n) / T) / R, fastest / R)


def steering_bound(problem: Problem, rate: float) -> float | None:
    """`ln n / eta + eta R^2 T / 8`, on every path, on geometric memory at a rate of at most `ln(1/rho) / R`; else None.

    There the state is the decision of Hedge without memory, and the bound is Hedge's. At `steering_rate` it is at most
    `R sqrt(T ln n / 2) + R ln n / ln(1/rho)`.

    Args:
        problem: what is decided.
        rate: `eta`.

    Returns:
        The bound, or None.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Geometric(0.9))
    >>> round(steering_bound(problem, steering_rate(problem)), 1), round(hedge_bound(problem, hedge_rate(problem)), 1)
    (107.3, 467.3)
    """
    _, R = known(problem, "the bound of steering")
    fastest = problem.memory.fastest_rate
    if fastest is None or rate > fastest / R:
        return None
    return hedge_bound(problem.replace(memory=Window(1)), rate)


def perturbed_rate(problem: Problem) -> float:
    """`eps = sqrt(2 ln n / (R^2 (T + S_T)))`, which nearly minimises `perturbed_bound`."""
    T, R = known(problem, "FTARL's sharper rate")
    return sqrt(2 * log(problem.n) / (T + lag_sum(problem))) / R


def perturbed_bound(problem: Problem, rate: float) -> float:
    """`(H_n - 1) / eps + (eps R^2 / 2) (T + S_T)`, on the expected regret of FTARL at any rate; `H_n` is harmonic.

    Proof: playing the leader of `G^t - Z` in round t has a regret of at most `E[max Z - Z_1] = (H_n - 1)/eps` (Kalai
    and Vempala's be-the-leader). The decision of k rounds ago is k + 1 steps behind that. An exponential law has no
    memory, so a step changes the leader with probability at most `1 - exp(-eps R) <= eps R`, which costs at most R: in
    total `eps R^2 sum_k (k + 1) a_k = eps R^2 (1 + m1(t))` per round.

    Args:
        problem: what is decided.
        rate: `eps`.

    Returns:
        The bound.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Window(100))
    >>> round(perturbed_bound(problem, perturbed_rate(problem)))
    1977
    """
    T, R = known(problem, "the bound of FTARL and FTPL")
    return (_harmonic(problem.n) - 1) / rate + rate * R * (R / 2) * (T + lag_sum(problem))


def _harmonic(n: int) -> float:
    """`1 + 1/2 + ... + 1/n`; for large n by its expansion, to the last digit."""
    if n <= 1000:
        return fsum(1 / k for k in range(1, n + 1))
    return log(n) + 0.5772156649015329 + 1 / (2 * n) - 1 / (12 * n**2)


def anava_rate(problem: Problem) -> float:
    """`alpha = sqrt((1 + ln(T + 1)) / (H T)) / (4R)`: Anava, Hazan and Mannor (2015), with G = R and D = 2."""
    T, R = known(problem, "LSA's rate")
    return sqrt((1 + log(T + 1)) / (effective_length(problem) * T)) / (4 * R)


def geulen_rate(problem: Problem) -> float:
    """`alpha = -ln(1 - eta) / R` with `eta = sqrt(ln n / (H T))`: Geulen, Voecking and Winkler (2010).

    Their weights are `(1 - eta)^cost`; `eta` is at most one half, which matters only in very short games.
    """
    T, R = known(problem, "LSA's rate")
    eta = min(sqrt(log(problem.n) / (effective_length(problem) * T)), 0.5)
    return -log1p(-eta) / R
