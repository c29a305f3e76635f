"""A plain transcription of the paper: however slow, line by line, and with nothing of the library in it.

Hebbar and Langbort (2024), Online Decision Making with History-Average Dependent Costs. Rounds are numbered from 1, as
there; `decisions[t - 1]` is v^t.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np


def unit(i, n):
    e = np.zeros(n)
    e[i] = 1.0
    return e


# The state, in the paper's two views.


def average(decisions, t, H):
    """Equation (1): the mean of the last min(t, H) decisions."""
    if t < H:
        return sum(decisions[tau - 1] for tau in range(1, t + 1)) / t
    return sum(decisions[tau - 1] for tau in range(t - H + 1, t + 1)) / H


def beta(t, H):
    return 1 / min(t, H)


def carried(decisions, t, H):
    """y^t, as it should read: the first case holds from t = 1 on, and the summand is v^tau."""
    n = len(decisions[0])
    if t == 0:
        return np.zeros(n)
    if t < H:
        return sum(decisions[tau - 1] for tau in range(1, t + 1)) / (t + 1)
    return sum((decisions[tau - 1] for tau in range(t - H + 2, t + 1)), np.zeros(n)) / H


# Algorithm 1.


def leader(totals, noise):
    """The lowest of the argmin of G - Z."""
    scores = [g - z for g, z in zip(totals, noise, strict=True)]
    return scores.index(min(scores))


def ftarl(costs, noise, H):
    """Actions, states and losses of the rounds 1 to T."""
    T, n = costs.shape
    totals = np.zeros(n)
    actions, decisions, states, losses = [], [], [], []
    for t in range(1, T + 1):
        actions.append(leader(totals, noise))
        decisions.append(unit(actions[-1], n))
        states.append(average(decisions, t, H))
        losses.append(sum(g * x for g, x in zip(costs[t - 1], states[-1], strict=True)))
        totals = totals + costs[t - 1]
    return np.array(actions), np.array(states), np.array(losses)


# The same algorithm as a regularised leader, in exact arithmetic.


def simplex_argmin(quadratic, linear):
    """The x in the simplex that makes (quadratic/2)|x|^2 + <linear, x> least, by trying every set of positive weights.

    With quadratic > 0 it is unique. On the support S: quadratic x_i + linear_i = mu, the x_i add up to one; off it
    linear_j >= mu.
    """
    n = len(linear)
    for size in range(1, n + 1):
        for support in combinations(range(n), size):
            mu = (quadratic + sum(linear[i] for i in support)) / size
            x = [(mu - linear[i]) / quadratic if i in support else Fraction(0) for i in range(n)]
            if min(x) >= 0 and all(linear[j] >= mu for j in range(n) if j not in support):
                return x
    raise AssertionError("a strictly convex problem has a solution")


def ftarl_by_regularisers(costs, noise, H, delta):
    """States x^1 to x^(T+1) from the regularisers R^t; everything in fractions."""
    T, n = len(costs), len(noise)
    vertex = lambda i: [Fraction(int(k == i)) for k in range(n)]  # noqa: E731
    totals = [Fraction(0)] * n
    stars = [vertex(leader(totals, noise))]  # v_*^1
    states = [stars[0]]  # x^1 makes R^0(x) = -<Z, x> least
    for t in range(1, T + 1):
        totals = [g + c for g, c in zip(totals, costs[t - 1], strict=True)]
        stars.append(vertex(leader(totals, noise)))  # v_*^(t+1)
        past = [Fraction(0)] * n
        for tau in range(1, t + 1) if t < H else range(t - H + 2, t + 1):
            past = [p + v for p, v in zip(past, stars[tau - 1], strict=True)]
        y = [p / (t + 1 if t < H else H) for p in past]
        b = Fraction(1, min(t + 1, H))
        # R^t(x) + <G^t, x> = delta (|x - y|^2/2 - b <v_*^(t+1), x>) - <G^t, x> + <G^t, x>
        linear = [-delta * yi - delta * b * vi - gi + gi for yi, vi, gi in zip(y, stars[-1], totals, strict=True)]
        states.append(simplex_argmin(delta, linear))
    return states


def theorem_2(costs, noise, H, M):
    """The terms (A), (B) and (C) of Theorem 2 by the values of the regularisers, and its left side; in fractions."""
    T, n = len(costs), len(noise)
    inner = lambda u, v: sum(a * b for a, b in zip(u, v, strict=True))  # noqa: E731
    totals = [[sum((g[i] for g in costs[:t]), Fraction(0)) for i in range(n)] for t in range(T + 1)]
    v = {t: [Fraction(int(k == leader(totals[t - 1], noise))) for k in range(n)] for t in range(1, T + 2)}
    x = {t: [sum(v[s][k] for s in range(max(1, t - H + 1), t + 1)) / min(t, H) for k in range(n)] for t in v}
    delta = M * H / T

    def R(t, at):
        if t == 0:
            return -inner(noise, at)
        h = min(t + 1, H)
        y = [sum((v[s][k] for s in range(max(1, t - H + 2), t + 1)), Fraction(0)) / h for k in range(n)]
        far = [a - b for a, b in zip(at, y, strict=True)]
        return delta * (inner(far, far) / 2 - inner(v[t + 1], at) / h) - inner(totals[t], at)

    best = [Fraction(int(k == totals[T].index(min(totals[T])))) for k in range(n)]
    A = sum(inner(costs[t - 1], x[t]) - inner(costs[t - 1], x[t + 1]) for t in range(1, T + 1))
    B = sum(R(t, x[t + 2]) - R(t, x[t + 1]) for t in range(T))
    C = R(T, best) - R(T, x[T + 1])
    return A, B, C, sum(inner(costs[t - 1], x[t]) for t in range(1, T + 1)) - min(totals[T])


# Regret.


def regret(costs, states):
    """Equation (2)."""
    total = sum(float(np.dot(g, x)) for g, x in zip(costs, states, strict=True))
    return total - min(costs.sum(axis=0))


def policy_regret(costs, states, H):
    """Equation (3): every action i, played in all rounds."""
    T, n = costs.shape
    total = sum(float(np.dot(g, x)) for g, x in zip(costs, states, strict=True))
    constant = [
        sum(float(np.dot(costs[t - 1], average([unit(i, n)] * T, t, H))) for t in range(1, T + 1)) for i in range(n)
    ]
    return total - min(constant)


# Laws.


def leader_law(a):
    """P(i leads) from a_i = exp(-eps (G_i - min G)), in fractions: a_i sum_S (-1)^|S| prod_S a_k / (|S| + 1)."""
    law = []
    for i, own in enumerate(a):
        others = [x for k, x in enumerate(a) if k != i]
        total = Fraction(0)
        for size in range(len(others) + 1):
            for chosen in combinations(others, size):
                product = Fraction((-1) ** size, size + 1)
                for x in chosen:
                    product *= x
                total += product
        law.append(own * total)
    return law


def dartboard_law(costs, alpha):
    """The law of the low-switch algorithm's action in every round, and the expected number of redraws."""
    n = costs.shape[1]
    law, weights, redraws = np.full(n, 1 / n), np.ones(n), 0.0
    laws = [law]
    for g in costs[:-1]:
        keep = np.exp(-alpha * (g - g.min()))
        weights = weights * keep
        missed = float(law @ (1 - keep))
        law = law * keep + missed * weights / weights.sum()
        redraws += missed
        laws.append(law)
    return np.array(laws), redraws


# Past the paper.


def nearest(point):
    """The point of the simplex nearest to another, by sorting."""
    falling = np.sort(point)[::-1]
    taus = (np.cumsum(falling) - 1) / np.arange(1, len(point) + 1)
    return np.maximum(point - taus[falling > taus][-1], 0)


def potential(totals, rate):
    """-(1/rate) ln((1/n) sum exp(-rate G)); the least at an infinite rate."""
    least = totals.min()
    return least if rate == np.inf else least - np.log(np.mean(np.exp(-rate * (totals - least)))) / rate


def exponential_weights(totals, rate):
    behind = totals - totals.min()
    weights = (behind == 0) * 1.0 if rate == np.inf else np.exp(-rate * behind)
    return weights / weights.sum()


def adaptive(costs, lags, aiming, rates=None):
    """AdaHedge, or steering: decisions, states, deltas and the D_t; `lags(t)` are the weights of the memory."""
    T, n = costs.shape
    totals, total_delta, largest = np.zeros(n), 0.0, 0.0
    decisions, states, deltas, largests = [], [], [], []
    for t in range(1, T + 1):
        own = np.log(n) / largest if largest > 0 else np.inf
        rate = own if rates is None else rates[t - 1]
        weights, a = exponential_weights(totals, rate), lags(t)
        y = sum((a[k] * decisions[t - 1 - k] for k in range(1, len(a))), np.zeros(n))
        decisions.append(nearest((weights - y) / a[0]) if aiming else weights)
        states.append(y + a[0] * decisions[-1])
        deltas.append(costs[t - 1] @ states[-1] - potential(totals + costs[t - 1], rate) + potential(totals, rate))
        totals = totals + costs[t - 1]
        total_delta += deltas[-1]
        largest = max(largest, total_delta)
        largests.append(largest)
    return np.array(decisions), np.array(states), np.array(deltas), np.array(largests)


# Beyond the paper.


def best_paths(costs, changes):
    """The least total of a path with at most 0, 1, ... changes, by trying all of them."""
    T = len(costs)
    least = [min(costs.sum(axis=0))]
    for most in range(1, changes + 1):
        best = least[-1]
        for cuts in combinations(range(1, T), most):
            parts = np.split(costs, cuts)
            best = min(best, sum(part.sum(axis=0).min() for part in parts))
        least.append(best)
    return least


def fixed_share(costs, rate, share):
    """Exponential weights, mixed with the uniform ones after every round."""
    n = costs.shape[1]
    weights, decisions = np.full(n, 1 / n), []
    for cost in costs:
        decisions.append(weights)
        grown = weights * np.exp(-rate * cost)
        weights = (1 - share) * grown / grown.sum() + share / n
    return np.array(decisions)


def discounted(costs, rate, half_life):
    """Exponential weights of costs that count half after some rounds."""
    decisions = []
    for t in range(len(costs)):
        ages = np.arange(t, 0, -1) - 1
        totals = (costs[:t] * 2.0 ** (-ages / half_life)[:, np.newaxis]).sum(axis=0)
        weights = np.exp(-rate * (totals - totals.min()))
        decisions.append(weights / weights.sum())
    return np.array(decisions)
