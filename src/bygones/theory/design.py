"""Linear programs that find the filter with the least bound; see `ahead`."""

import math
import os
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np

from ..kernels import Array
from ..memory import Memory
from ..problem import Problem
from ..programs import Program
from .ahead import ahead_bound, crowding, errors_of, kernel_of, penalties, transformed
from .any_memory import hedge_bound, hedge_rate
from .requirements import known

COEFFICIENTS = 64  # of a filter at most; those of a long one are spread evenly
SHORTEST = 16  # lags that a filter may look back by default, at least
FEWEST = 2  # times the memory's length: in fewer rounds a filter gains next to nothing
LONGEST = 2**13  # decisions in a memory, or its mean lag; for longer ones no filter is sought
FARTHEST = 2 * LONGEST  # rounds that a filter may look back; programs for more would fill the computer's memory
SAMPLED = 400  # errors that stand for all of them in a program
FIRST, CUTS = 9, 30  # how many cuts a program begins with, and how often some are added
BROKEN = 1e-4  # by what part of 1 + eps a spectrum may be below -eps before it is cut
UNPAYABLE = 1e4  # what costs more than this in a program stays at 0
SLOWEST, FASTEST = 0.02, 1.3  # rates that are searched, in units of Hedge's without memory
NEAR = 0.08  # by what part a rate may miss the best one
ROUNDING = 1e-12  # by which a condition is kept that rounding could break
GOLDEN = (math.sqrt(5) - 1) / 2
ONE_AT_A_TIME = Lock()  # threads that play one problem wait for one plan, and do not all solve for it


class AheadPlan(NamedTuple):
    """How to play ahead, and what is proved of it.

    Args:
        rate: `eta`.
        psi: the filter, read-only; empty where plain Hedge promises more.
        bound: on the regret, on every path.
    """

    rate: float
    psi: Array
    bound: float


def ahead_plan(problem: Problem, rate: float | None = None, length: int | None = None) -> AheadPlan:
    """A rate and a filter of nearly the least bound; no filter and Hedge's rate where none promises less.

    At a given rate the bound of `ahead_bound` is linear in eps and in the sizes of the errors `k_j`, but for its small
    term S, and these are linear in the filter. So it is a linear program, with the condition on the simplex as a row;
    the condition on the spectrum is cut in where a transform finds it broken. The rate is searched on a line. The
    program's own optimum is not used: filter and rate are rounded, and `ahead_bound` is computed for what that gives.
    Of a long memory the program samples the errors. Where the memory has an exact inverse, that is the filter.

    Args:
        problem: what is decided, with a known horizon and range, under a memory with a kernel.
        rate: `eta`, by hand; None: searched.
        length: how many rounds back the filter may look, at most 16,384; None: twice as many as the memory, and at
            least 16. Where that is over 64, it has 64 coefficients, spread evenly.

    Returns:
        The plan.

    Raises:
        ValueError: if the horizon or the range is unknown, or the memory has no kernel.

    >>> import bygones as by
    >>> plan = ahead_plan(by.Problem(3, 365, by.Window(12)))
    >>> round(plan.bound, 1), len(plan.psi) <= 24, len(np.flatnonzero(plan.psi)) < 12
    (32.5, True, True)
    >>> ahead_plan(by.Problem(3, 20, by.Window(12))).psi            # too few rounds
    array([], dtype=float64)
    """
    T, R = known(problem, "HedgeAhead's filter")
    kernel_of(problem.memory, 1)
    speed = None if rate is None else rate * R
    with ONE_AT_A_TIME:
        plan = _planned(problem.n, T, problem.memory, speed, length)
    return AheadPlan(plan.rate / R if rate is None else rate, plan.psi, plan.bound * R)


@lru_cache(maxsize=256)
def _planned(n: int, T: int, memory: Memory, speed: float | None, length: int | None) -> AheadPlan:
    """The plan for a range of one."""
    problem = Problem(n, T, memory, 1.0)
    plain = hedge_rate(problem) if speed is None else speed
    best = AheadPlan(plain, _sealed(np.zeros(0)), hedge_bound(problem, plain))
    find: Callable[[float], Array]
    if memory.inverse is not None and memory.mean_lag() <= LONGEST:
        inverse = np.array(memory.inverse)
        find = lambda _: inverse  # noqa: E731
    elif memory.inverse is None and memory.support is not None and 1 < memory.support <= min(LONGEST, T / FEWEST):
        find = _Designer(memory, T, length).filter
    else:
        return best

    def played(speed: float) -> AheadPlan:
        psi = _sealed(find(speed))
        return AheadPlan(speed, psi, ahead_bound(problem, speed, psi))

    if speed is not None:
        return min(best, played(speed), key=lambda plan: plan.bound)
    alone = math.sqrt(8 * math.log(n) / T)
    ceiling = min(FASTEST * alone, (memory.fastest_rate or math.inf) * (1 - ROUNDING))
    tried: dict[float, AheadPlan] = {}

    def lost(exponent: float) -> float:
        speed = float(f"{math.exp(exponent):.6g}")
        if speed not in tried:
            tried[speed] = played(min(speed, ceiling))
        return tried[speed].bound

    _narrow(lost, math.log(min(SLOWEST * alone, ceiling / 2)), math.log(ceiling))
    lost(math.log(ceiling))
    return min(best, *tried.values(), key=lambda plan: plan.bound)


class _Designer:
    """Programs for one memory, at one rate after another; the cuts that one has needed are the next one's too."""

    def __init__(self, memory: Memory, T: int, length: int | None) -> None:
        self.memory, self.T = memory, T
        self.kernel = kernel_of(memory, T)
        longest = max(2 * len(self.kernel), SHORTEST) if length is None else length
        longest = min(longest, T - len(self.kernel), FARTHEST)
        spread = np.linspace(1, longest, min(COEFFICIENTS, longest))
        self.lags = np.unique(np.round(spread).astype(np.int64))
        self.plain = errors_of(memory, np.zeros(longest), T)  # with no filter, of every lag
        samples = np.round(np.linspace(1, len(self.plain), min(SAMPLED, len(self.plain)))).astype(np.int64)
        self.samples = np.unique(samples)
        edges = np.concatenate([[0.5], (self.samples[1:] + self.samples[:-1]) / 2, [len(self.plain) + 0.5]])
        self.shares = np.diff(edges)  # for how many errors each of them stands
        back = self.samples[:, np.newaxis] - self.lags
        within = (back >= 0) & (back < len(self.kernel))
        self.effects = np.where(within, self.kernel[np.where(within, back, 0)], 0.0)
        self.frequencies = np.linspace(0, math.pi, FIRST)

    def filter(self, speed: float) -> Array:
        """The filter with the least bound at a rate, rounded; nothing is proved of it here."""
        width, count = len(self.lags), len(self.samples)
        worths = np.minimum(penalties(speed, len(self.plain)), UNPAYABLE)[self.samples - 1] * self.shares
        with np.errstate(over="ignore"):
            crowd = np.expm1(speed) * np.exp(speed * (self.lags - 1.0))
        highest = np.where(crowd < UNPAYABLE, math.inf, 0.0)
        high = np.concatenate([highest, highest, np.full(1 + 2 * count, math.inf)])
        program = Program(np.concatenate([np.zeros(2 * width), [2.0], worths, worths]), high=high)
        rows = np.hstack([-self.effects, self.effects, np.zeros((count, 1)), np.eye(count), -np.eye(count)])
        here = self.plain[self.samples - 1]
        program.add(rows, here, here)
        crowd = np.minimum(crowd, UNPAYABLE)
        program.add([np.concatenate([crowd, crowd, np.zeros(1 + 2 * count)])], high=1.0)
        program.add(*self._cuts(self.frequencies))
        for _ in range(CUTS):
            try:
                found = program.solve().variables
            except ArithmeticError:  # at a rate far from the best
                return np.zeros(0)
            psi = np.zeros(int(self.lags[-1]))
            psi[self.lags - 1] = found[:width] - found[width : 2 * width]
            eps = found[2 * width]
            wave, points = transformed(errors_of(self.memory, psi, self.T), 32)
            around = np.concatenate([[math.inf], wave, [math.inf]])
            low = (wave < -eps - BROKEN * (1 + eps)) & (wave <= around[:-2]) & (wave <= around[2:])
            if not low.any():
                break
            more = np.flatnonzero(low).astype(np.float64) * (2 * math.pi / points)
            self.frequencies = np.concatenate([self.frequencies, more])
            program.add(*self._cuts(more))
        psi = np.trim_zeros(np.round(psi, 6), "b")
        crowded = crowding(speed, psi)
        return psi if crowded <= 1 else psi * ((1 - ROUNDING) / crowded)

    def _cuts(self, frequencies: Array) -> tuple[Array, Array]:
        """Rows that say `eps + sum_j k_j cos(j w) >= 0` at some frequencies, and their right sides.

        A coefficient `psi_p` adds the real part of `e^(i p w) sum_m a_m e^(i m w)`, as far as the errors go.
        """
        lags = np.arange(1.0, len(self.plain) + 1)
        waves = np.exp(1j * np.outer(frequencies, np.arange(len(self.kernel)))) @ self.kernel
        effects = (waves[:, np.newaxis] * np.exp(1j * np.outer(frequencies, self.lags))).real
        sums = np.cos(np.outer(frequencies, lags)) @ self.plain
        blank = np.zeros((len(frequencies), 2 * len(self.samples)))
        return np.hstack([effects, -effects, np.ones((len(frequencies), 1)), blank]), -sums


def _narrow(lost: Callable[[float], float], low: float, high: float) -> None:
    """Look for the least value of a function that falls and then rises, by the golden section."""
    one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    values = lost(one), lost(other)
    while high - low > NEAR:
        if values[0] < values[1]:
            high, other = other, one
            one = high - GOLDEN * (high - low)
            values = lost(one), values[0]
        else:
            low, one = one, other
            other = low + GOLDEN * (high - low)
            values = values[1], lost(other)


def _sealed(psi: Array) -> Array:
    """A filter that nobody can change, for it is shared."""
    kept = psi.copy()
    kept.setflags(write=False)
    return kept


def _forked() -> None:
    """In the child of a fork nobody solves, whatever the parent's threads were doing."""
    global ONE_AT_A_TIME
    ONE_AT_A_TIME = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
