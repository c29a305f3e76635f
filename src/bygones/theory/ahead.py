"""Playing ahead of the memory: a filter for exponential weights, and what it promises.

The programs that design such filters are in `design`.
"""

import math
from typing import NamedTuple

import numpy as np

from ..kernels import Array
from ..memory import Memory
from ..problem import Problem
from .requirements import known

FINE, COARSE = 256, 64  # points per lag of the grid on which a spectrum is certified
MANY = 2**12  # lags from which on the coarse grid is used
ROUNDING = 1e-12  # of a transform, in units of the sum of what is transformed


class Spectrum(NamedTuple):
    """What a filter leaves of the memory's errors.

    Args:
        errors: `k_1, k_2, ...`.
        excess: a certified eps: `eps + sum_j k_j cos(j w) >= 0` for all w.
    """

    errors: Array
    excess: float


def ahead_bound(problem: Problem, rate: float, psi: Array) -> float:
    """What exponential weights that play ahead promise; infinity where their decisions could leave the simplex.

    `u_t = softmin(eta G^(t-1))`, moves `D_s = u_(s+1) - u_s`, none before round one, and `phi_j = 1 + psi_j`. Played is

        v_t = u_t + sum_j psi_j D_(t-j),

    under a memory with the kernel `a_0, a_1, ...`, whose errors are `k_j = sum_(i<=j) a_(j-i) phi_i - 1`. If
    `(e^(eta R) - 1) sum_j |psi_j| e^(eta R (j-1)) <= 1`, and `eps + sum_j k_j cos(j w) >= 0` for all w, then on every
    path of costs

        regret <= ln n/eta + (eta R^2 T/8)(1 + 2 eps) + sum_j |k_j| [(eta R^2 T/4)(e^(eta R j/2) - 1)
                  + (3/32) eta^2 R^3 T] + S,

        S = sum_(t>=2) (1 - A_t) min{ R (1 - 1/n), (eta R^2/4) sum_(s<=t) a_(t-s) sum_(j<s) |phi_j| / A_t },

    with `A_t = a_0 + ... + a_(t-1)`, the weight that the memory has had decisions for.

    Proof. Let c_t be the costs of round t less their mean under u_t, and R the range of costs.

    1. The simplex. A step changes no weight by more than the factor `e^(eta R)`, so `|D_(t-j)|` is at most
       `(e^(eta R) - 1) e^(eta R (j-1)) u_t`, action by action, and the condition keeps v_t from falling below 0.
    2. The state. As `u_t = u_1 + sum_j D_(t-j)`, also `v_t = u_1 + sum_j phi_j D_(t-j)`. With a past imagined uniform
       the memory makes of it `x_t = u_t + sum_j k_j D_(t-j)`. Hedge pays `ln n/eta + eta R^2 T/8` on u alone.
    3. The moves. `D_s = -eta u_s c_s + r_s`. The remainder is half the second derivative of `<g, u>` by eta, a
       covariance of g and `c^2`. As `c^2` lies in [0, R^2] and its mean m, a variance, is at most R^2/4, that is in
       size at most (R/2) E|c^2 - m| <= (R/2) 2 m (1 - m/R^2) <= (3/16) R^3, at every rate in between. So
       `|<g, r_s>| <= (3/32) eta^2 R^3`.
    4. The main part, `-eta sum_t sum_j k_j sum_i u_(t-j) c_(t-j) c_t`. Put `sqrt(u_t u_(t-j))` in the place of
       `u_(t-j)`: the factor between them is within `e^(+-eta R j/2)` of one, so with `y_t = sqrt(u_t) c_t` it costs at
       most `eta |k_j| (e^(eta R j/2) - 1) sum_t |y_t| |y_(t-j)|`, where `sum_t |y_t|^2 <= T R^2/4`. What is left is
       `-eta sum_t sum_j k_j <y_t, y_(t-j)>`. By Parseval that is the integral of `-eta sum_j k_j cos(j w)` times a
       power spectrum, at most `eta eps sum_t |y_t|^2 <= eta eps R^2 T/4`: a filter whose spectrum is nowhere below
       -eps cannot be made to lose more.
    5. The start. The memory averages the decisions that there are, and the imagined one has `1 - A_t` of uniform ones.
       The two states differ by `(1 - A_t)` times the mean of `v_s - u_1` with the weights `a_(t-s)/A_t`: in half their
       L1 distance at most `1 - 1/n`, and in cost at most `(eta R^2/4) sum_(j<s) |phi_j|` for decision s.

    No more than T - 1 errors count, and S has no more than T terms. For `psi = 0` on a window eps is `(H - 1)/2`, by
    Fejer's kernel; `theory.hedge_bound` is then better by lower-order terms. eps is certified by `spectrum`. A test
    plays hostile games against the bound.

    Args:
        problem: what is decided; the memory must have a kernel.
        rate: `eta`.
        psi: the filter, `psi_1, psi_2, ...`.

    Returns:
        The bound.

    >>> import bygones as by
    >>> problem = by.Problem(10, 10_000, by.Geometric(0.9))
    >>> round(ahead_bound(problem, 0.04, np.array(problem.memory.inverse)), 1)
    108.7
    """
    T, R = known(problem, "a bound for playing ahead")
    speed = rate * R
    if crowding(speed, psi) > 1:
        return math.inf
    errors, excess = spectrum(problem.memory, psi, T)
    left = np.flatnonzero(errors)  # for where there is no error, even an infinite penalty costs nothing
    price = float(penalties(speed, len(errors))[left] @ np.abs(errors[left]))
    lost = math.log(problem.n) / speed + speed * T / 8 * (1 + 2 * excess + price)
    return R * (lost + _start(problem.memory, psi, speed, problem.n, T))


def crowding(speed: float, psi: Array) -> float:
    """`(e^(eta R) - 1) sum_j |psi_j| e^(eta R (j-1))`; decisions stay on the simplex where it is at most one.

    Args:
        speed: `eta R`.
        psi: the filter.

    Returns:
        The sum; infinity where a float cannot hold it.
    """
    lags = np.flatnonzero(psi)
    if len(lags) == 0:
        return 0.0
    if speed * (lags[-1] + 1) > 700:
        return math.inf
    return math.expm1(speed) * float(np.abs(psi[lags]) @ np.exp(speed * lags))


def penalties(speed: float, count: int) -> Array:
    """What the errors `|k_j|` cost in units of `eta R^2 T/8`: `2 (e^(eta R j/2) - 1) + (3/4) eta R`.

    Args:
        speed: `eta R`.
        count: how many.

    Returns:
        One for each lag.
    """
    with np.errstate(over="ignore"):
        found: Array = 2 * np.expm1(speed * np.arange(1, count + 1) / 2) + 0.75 * speed
    return found


def spectrum(memory: Memory, psi: Array, T: int) -> Spectrum:
    """The errors `k_j` that a filter leaves, and an eps that is certified.

    The sum `sum_j k_j cos(j w)` is computed on a grid of M points by a fast transform. Between its points it is lower
    than at the nearest one by at most `(pi/M)^2/2 sum_j j^2 |k_j|`, because its slope at the least point is 0; that is
    added, and some for rounding.

    Args:
        memory: it has a kernel.
        psi: the filter.
        T: how many rounds; errors of longer lags do not matter.

    Returns:
        Errors and eps.

    >>> import bygones as by
    >>> spectrum(by.Window(3), np.zeros(0), 100)
    Spectrum(errors=array([-0.66666667, -0.33333333]), excess=1.0...)
    """
    if memory.inverse is not None and np.array_equal(psi, memory.inverse):
        return Spectrum(np.zeros(0), 0.0)
    errors = errors_of(memory, psi, T)
    if not errors.any():
        return Spectrum(errors, 0.0)
    wave, points = transformed(errors, FINE if len(errors) < MANY else COARSE)
    between = (math.pi / points) ** 2 / 2 * float(np.arange(1.0, len(errors) + 1) ** 2 @ np.abs(errors))
    return Spectrum(errors, max(0.0, -float(wave.min())) + between + ROUNDING * float(np.abs(errors).sum()))


def errors_of(memory: Memory, psi: Array, T: int) -> Array:
    """`k_j = sum_(i<=j) a_(j-i) phi_i - 1` for all j that matter within T rounds.

    Args:
        memory: it has a kernel.
        psi: the filter.
        T: how many rounds.

    Returns:
        One error for each lag.
    """
    kernel = kernel_of(memory, T)
    count = min(len(kernel) + len(psi) - 1, T - 1)
    phi = np.ones(max(count, 0))
    phi[: len(psi)] += psi[:count]
    errors: Array = _convolved(kernel, phi)[: len(phi)] - 1
    return errors


def kernel_of(memory: Memory, T: int) -> Array:
    """The weights of a full memory that T rounds can meet.

    Args:
        memory: any.
        T: how many rounds.

    Returns:
        At most T weights.

    Raises:
        ValueError: if the memory has no kernel.
    """
    kernel = memory.kernel(T)
    if kernel is None or not can_lead(memory):
        raise ValueError(
            f"HedgeAhead needs a memory whose weights stay the same once it is full, and {memory!r} has none such: "
            "give a window, weights or a geometric memory, or take Hedge()"
        )
    return kernel


def can_lead(memory: Memory) -> bool:
    """Whether decisions can play ahead of a memory: it has a kernel that ends, or that a filter undoes."""
    return memory.kernel(1) is not None and (memory.support is not None or memory.inverse is not None)


def transformed(errors: Array, finest: int) -> tuple[Array, int]:
    """`sum_j k_j cos(j w)` at `w = 2 pi m/M` for m up to M/2, and M.

    Args:
        errors: `k_1, k_2, ...`.
        finest: how many points there are per lag, at least.

    Returns:
        The sums, and M.
    """
    points = 1 << math.ceil(math.log2(finest * (len(errors) + 1)))
    wave: Array = np.fft.rfft(np.concatenate([[0.0], errors]), points).real
    return wave, points


def _start(memory: Memory, psi: Array, speed: float, n: int, T: int) -> float:
    """S over R: what a memory costs that starts with averages of fewer decisions."""
    kernel = kernel_of(memory, T)
    rounds = len(kernel)
    phi = np.ones(rounds)
    few = min(len(psi), rounds)
    phi[:few] += psi[:few]
    moved = np.cumsum(np.abs(phi)) - np.abs(phi)
    held = np.cumsum(kernel)
    rounding = ROUNDING * float(np.linalg.norm(kernel) * np.linalg.norm(moved))  # which a small A_t makes large
    drift = speed / 4 * (_convolved(kernel, moved)[:rounds] + rounding) / held
    return float((np.maximum(1 - held, 0.0) * np.minimum(1 - 1 / n, drift))[1:].sum())


def _convolved(one: Array, other: Array) -> Array:
    """Their convolution; directly where that is quick."""
    if len(one) == 0 or len(other) == 0:
        return np.zeros(0)
    if min(len(one), len(other)) <= 32 or len(one) * len(other) <= 2**20:
        return np.convolve(one, other)
    size = len(one) + len(other) - 1
    points = 1 << math.ceil(math.log2(size))
    product: Array = np.fft.irfft(np.fft.rfft(one, points) * np.fft.rfft(other, points), points)[:size]
    return product
