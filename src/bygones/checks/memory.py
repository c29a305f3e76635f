"""What every memory must satisfy."""

import numpy as np

from ..accounting import losses
from ..kernels import Array
from ..memory import Memory
from .common import TOLERANCE, close, demand, refuses, same


def check_memory(memory: Memory) -> None:
    """Check a memory.

    The checks are:

    - states lie on the simplex and are the weighted sums of the decisions;
    - the paper's two forms, the average and the recursion `y + beta v`, agree;
    - a constant decision is its own state;
    - single decisions, blocks and an initial history give the same bits;
    - decisions are not modified; bad ones raise a ValueError and change nothing;
    - the mean lag, its sum and the charges follow from the weights.

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
        demand(
            bool((weights >= 0).all()) and abs(weights.sum() - 1) < TOLERANCE,
            memory,
            f"the weights {weights} are negative or do not sum to 1",
        )
        demand(
            weights[0] > 0 and abs(weights[0] - memory.beta(t)) < TOLERANCE,
            memory,
            f"beta at round {t} is not the newest weight",
        )
        lag = float(np.arange(len(weights)) @ weights)
        demand(
            abs(lag - memory.mean_lag(t)) < TOLERANCE * (1 + lag),
            memory,
            f"the mean lag at round {t} does not follow from the weights",
        )
        demand(lag <= memory.mean_lag() + TOLERANCE, memory, f"the mean lag at round {t} exceeds its limit")
        carried, beta = state.carried()
        pushed[t - 1] = state.push(decision)
        average = weights @ decisions[t - len(weights) : t][::-1]
        demand(close(average, pushed[t - 1]), memory, f"the state of round {t} is not the weighted sum")
        demand(
            close(carried + beta * decision, pushed[t - 1]),
            memory,
            f"the recursion does not give the state of round {t}",
        )
    demand(
        close(pushed.sum(axis=1), np.ones(rounds)) and bool((pushed >= 0).all()), memory, "states are off the simplex"
    )
    demand(same(memory.start(n).extend(decisions), pushed), memory, "a block gives other states")
    later = memory.start(n, history=decisions[:20]).extend(decisions[20:])
    demand(same(later, pushed[20:]), memory, "a history gives other states")
    demand(same(kept, decisions), memory, "it modifies the decisions it is given")
    constant = memory.start(n).extend([1] * rounds)
    demand(close(constant, np.tile([0.0, 1.0, 0.0], (rounds, 1))), memory, "a constant decision is not its own state")
    _check_sums(memory, decisions, pushed)
    before = state.carried()[0]
    for bad in ([1.0, 1.0, 0.0], [1.0, 0.0], [np.nan, 0.5, 0.5], ["a", "b", "c"], [2.0, -1.0, 0.0], [1j, 0, 0]):
        demand(refuses(state.push, bad), memory, f"accepts {bad} as a decision")
    demand(same(before, state.carried()[0]), memory, "bad input changes its state")


def _check_sums(memory: Memory, decisions: Array, states: Array) -> None:
    """Mean lags add up, and so do charges, with and without a past."""
    rounds, n = decisions.shape
    lags = sum(memory.mean_lag(t) for t in range(1, rounds + 1))
    demand(
        abs(lags - memory.lag_total(rounds)) < TOLERANCE * (1 + lags),
        memory,
        "lag_total is not the sum of the mean lags",
    )
    costs = np.random.default_rng(1).uniform(-1, 1, (rounds, n))
    for past in (0, 20):
        run = slice(past, None)
        inherited = memory.start(n, decisions[:past]).coast(rounds - past)
        paid = losses(costs[run], states[run]).sum() - losses(costs[run], inherited).sum()
        charged = losses(memory.charges(costs[run], past), decisions[run]).sum()
        demand(abs(paid - charged) < TOLERANCE, memory, f"after {past} rounds charges are {charged}, losses {paid}")
