"""What every memory must satisfy."""

import numpy as np

from ..accounting import losses
from ..kernels import Array
from ..memory import Memory
from .common import TOLERANCE, Demands, check, close, refuses, same


@check
def check_memory(memory: Memory) -> Demands:
    """Check a memory.

    The checks are:

    - states lie on the simplex and are the weighted sums of the decisions;
    - the paper's two forms, the average and the recursion `y + beta v`, agree;
    - a constant decision is its own state;
    - single decisions, blocks and an initial history give the same bits;
    - decisions are not modified; bad ones raise a ValueError and change nothing;
    - the mean lag, its sum and the charges follow from the weights;
    - so do the weights of all rounds from the kernel, if there is one, and the inverse undoes it.

    Raises:
        CheckError: if a check fails.
    """
    n, rounds = 3, 50
    generator = np.random.default_rng(0)
    decisions = generator.dirichlet(np.ones(n), rounds)
    kept = decisions.copy()
    state = memory.start(n)
    pushed = np.empty_like(decisions)
    for t, decision in enumerate(decisions, start=1):
        weights = memory.weights(t)
        sound = (weights >= 0).all() and abs(weights.sum() - 1) < TOLERANCE
        yield sound, f"the weights {weights} are negative or do not sum to 1"
        newest = weights[0] > 0 and abs(weights[0] - memory.beta(t)) < TOLERANCE
        yield newest, f"beta at round {t} is not the newest weight"
        lag = float(np.arange(len(weights)) @ weights)
        follows = abs(lag - memory.mean_lag(t)) < TOLERANCE * (1 + lag)
        yield follows, f"the mean lag at round {t} does not follow from the weights"
        yield lag <= memory.mean_lag() + TOLERANCE, f"the mean lag at round {t} exceeds its limit"
        carried, beta = state.carried()
        pushed[t - 1] = state.push(decision)
        average = weights @ decisions[t - len(weights) : t][::-1]
        yield close(average, pushed[t - 1]), f"the state of round {t} is not the weighted sum"
        recursion = carried + beta * decision
        yield close(recursion, pushed[t - 1]), f"the recursion does not give the state of round {t}"
    yield close(pushed.sum(axis=1), np.ones(rounds)) and (pushed >= 0).all(), "states are off the simplex"
    yield same(memory.start(n).extend(decisions), pushed), "a block gives other states"
    later = memory.start(n, history=decisions[:20]).extend(decisions[20:])
    yield same(later, pushed[20:]), "a history gives other states"
    yield same(kept, decisions), "it modifies the decisions it is given"
    constant = memory.start(n).extend([1] * rounds)
    yield close(constant, np.tile([0.0, 1.0, 0.0], (rounds, 1))), "a constant decision is not its own state"
    yield from _sums(memory, decisions, pushed)
    yield from _kernel(memory, rounds)
    before = state.carried()[0]
    for bad in ([1.0, 1.0, 0.0], [1.0, 0.0], [np.nan, 0.5, 0.5], ["a", "b", "c"], [2.0, -1.0, 0.0], [1j, 0, 0]):
        yield refuses(state.push, bad), f"accepts {bad} as a decision"
    yield same(before, state.carried()[0]), "bad input changes its state"


def _sums(memory: Memory, decisions: Array, states: Array) -> Demands:
    """Mean lags add up, and so do charges, with and without a past."""
    rounds, n = decisions.shape
    lags = sum(memory.mean_lag(t) for t in range(1, rounds + 1))
    total = memory.lag_total(rounds)
    yield abs(lags - total) < TOLERANCE * (1 + lags), "lag_total is not the sum of the mean lags"
    costs = np.random.default_rng(1).uniform(-1, 1, (rounds, n))
    for past in (0, 20):
        run = slice(past, None)
        inherited = memory.start(n, decisions[:past]).coast(rounds - past)
        paid = losses(costs[run], states[run]).sum() - losses(costs[run], inherited).sum()
        charged = losses(memory.charges(costs[run], past), decisions[run]).sum()
        yield abs(paid - charged) < TOLERANCE, f"after {past} rounds charges are {charged}, losses {paid}"


def _kernel(memory: Memory, rounds: int) -> Demands:
    """A kernel, cut and divided by its sum, gives the weights of every round; the inverse undoes it."""
    for t in range(1, rounds + 1):
        kernel, weights = memory.kernel(t), memory.weights(t)
        if kernel is not None:
            longest = memory.kernel(rounds)
            cut = longest is not None and same(kernel, longest[:t]) and len(kernel) <= t
            yield cut, f"the first {t} weights of the kernel are not those of a longer one"
            given, due = (np.pad(values, (0, t - len(values))) for values in (kernel / kernel.sum(), weights))
            yield close(given, due), f"the weights of round {t} are not the kernel, cut and divided by its sum"
            full = memory.support is None or t < memory.support or abs(kernel.sum() - 1) < TOLERANCE
            yield full, "the kernel does not sum to 1"
    kernel, inverse = memory.kernel(rounds), memory.inverse
    if kernel is not None and inverse is not None:
        phi = np.ones(rounds)
        phi[: len(inverse)] += inverse[:rounds]
        undone = close(np.convolve(np.pad(kernel, (0, rounds - len(kernel))), phi)[:rounds], np.ones(rounds))
        yield undone, f"the inverse {inverse} does not undo the kernel"
