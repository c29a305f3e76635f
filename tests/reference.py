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


def state(lags, decisions):
    """The state that decisions lead to, the first of a history included; `lags(t)` are the weights of the memory."""
    a = lags(len(decisions))
    return sum(a[k] * decisions[len(decisions) - 1 - k] for k in range(len(a)))


def steer(weights, lags, taken):
    """The decision that takes the state, after those taken, as near to the weights as one decision can."""
    a = lags(len(taken) + 1)
    y = sum((a[k] * taken[len(taken) - k] for k in range(1, len(a))), np.zeros(len(weights)))
    return nearest((weights - y) / a[0])


def adaptive(costs, lags, aiming, rates=None, real=(), past=()):
    """AdaHedge, or steering: decisions, states, deltas and the D_t; `lags(t)` are the weights of the memory.

    `real` are the decisions really taken in the first rounds, None: those advised; `past` are those of a history.
    """
    T, n = costs.shape
    totals, total_delta, largest = np.zeros(n), 0.0, 0.0
    taken, decisions, states, deltas, largests = list(past), [], [], [], []
    for t in range(1, T + 1):
        own = np.log(n) / largest if largest > 0 else np.inf
        rate = own if rates is None else rates[t - 1]
        weights = exponential_weights(totals, rate)
        decisions.append(steer(weights, lags, taken) if aiming else weights)
        taken.append(real[t - 1] if t <= len(real) and real[t - 1] is not None else decisions[-1])
        states.append(state(lags, taken))
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


# Guarded. A proposal is a function of the costs so far and of all decisions really taken, a history's first.


def hedge_ahead(costs, rate, psi):
    """v^t = u^t + sum_j psi_j (u^(t-j+1) - u^(t-j)), where u is uniform up to round 1."""
    T, n = costs.shape
    u = {t: np.full(n, 1 / n) for t in range(1 - len(psi), 2)}
    decisions = []
    for t in range(1, T + 1):
        u[t] = exponential_weights(costs[: t - 1].sum(axis=0), rate)
        decisions.append(u[t] + sum(p * (u[t - j + 1] - u[t - j]) for j, p in enumerate(psi, start=1)))
    return np.array(decisions)


def ahead_bound(kernel, psi, speed, n, T, eps=None):
    """The bound of playing ahead for a range of 1; `kernel` has a_0, a_1, ... Without an eps, it is that of a grid."""
    phi = [0.0] + [1 + (psi[j - 1] if j <= len(psi) else 0.0) for j in range(1, T)]
    a = [kernel[k] if k < len(kernel) else 0.0 for k in range(T)]
    last = min(len(kernel) + len(psi) - 1, T - 1)
    k = {j: sum(a[j - i] * phi[i] for i in range(1, j + 1)) - 1 for j in range(1, last + 1)}
    grid = np.linspace(0, np.pi, 2001)
    if eps is None:
        eps = max(0.0, -min(sum((k[j] * np.cos(j * grid) for j in k), np.zeros(len(grid)))))
    main = np.log(n) / speed + speed * T / 8 * (1 + 2 * eps)
    rest = sum(abs(k[j]) * (speed * T / 4 * (np.exp(speed * j / 2) - 1) + 3 / 32 * speed**2 * T) for j in k)
    start = 0.0
    for t in range(2, min(T, len(kernel)) + 1):
        A = sum(a[:t])
        moved = sum(a[t - s] * sum(abs(phi[j]) for j in range(1, s)) for s in range(1, t + 1))
        start += max(1 - A, 0.0) * min(1 - 1 / n, speed / 4 * moved / A)
    return main + rest + start


def distance(one, other):
    return sum(abs(one - other)) / 2


def charge(lags, tau, last, before):
    """What the decision of round tau weighs in the states up to the last, after a history of so many decisions."""
    return sum(lags(before + t)[t - tau] for t in range(tau, last + 1) if t - tau < len(lags(before + t)))


def contribution(lags, decisions, t, before):
    """What given decisions, those of the first rounds and of a history before, contribute to the state of round t."""
    a = lags(before + t)
    parts = [a[k] * decisions[before + t - 1 - k] for k in range(len(a)) if before + t - 1 - k < len(decisions)]
    return sum(parts, 0 * decisions[0])


def guarded(costs, lags, R, propose, slack, eta, horizon, share=0.0, changes=0, past=(), real=()):
    """A guard whose shadow is Hedge at a fixed rate, or FixedShare, with all that it says of itself.

    Gives what it advises, the lambdas, the Gammas and the rooms, the last two also before round one, and the promise.
    """
    T, n = costs.shape
    N, uniform = len(past), np.full(n, 1 / n)
    charges = [charge(lags, t, horizon, N) for t in range(1, horizon + 1)]
    terms = []  # what the bound of the shadow has for each round
    for t in range(1, horizon + 1):
        a = lags(N + t)
        lag = sum(min(k, t - 1) * a[k] for k in range(len(a)))
        terms.append(eta * R**2 / 8 * (1 + 2 * lag) + share * (1 - 1 / n) * R * lag)
    K = min(changes, horizon - 1)
    prior = np.log(n)
    if share > 0:
        prior = np.log(n) + K * np.log(n / share) - (horizon - 1 - K) * np.log(1 - share + share / n)
    bound = prior / eta + sum(terms)
    away = [v - uniform for v in past]
    inherited = [R * sum(abs(contribution(lags, away, t, N))) / 2 if N else 0.0 for t in range(1, horizon + 1)]
    promise = (1 + slack) * bound + sum(inherited)
    gammas = [bound + sum(inherited)]
    w, totals, mixed, shadow_loss, excess = uniform, np.zeros(n), 0.0, 0.0, 0.0
    taken, imagined, apart = list(past), [uniform] * N, [np.zeros(1)] * N
    advised, trusts, feared, over = [], [], 0.0, 0.0
    for t in range(1, T + 1):
        p = propose(costs[: t - 1], taken)
        q = distance(p, w)
        room = max(0.0, promise - gammas[-1])
        trusts.append(min(1.0, room / (R * q * charges[t - 1])) if q * charges[t - 1] > 0 else 1.0)
        advised.append(w + trusts[-1] * (p - w))
        taken.append(real[t - 1] if t <= len(real) and real[t - 1] is not None else advised[-1])
        imagined.append(w)
        apart.append(np.array([distance(taken[-1], w)]))
        x, h, Q = state(lags, taken), state(lags, imagined), state(lags, apart)[0]
        g = costs[t - 1]
        shadow_loss += g @ h
        excess += g @ (x - h)
        feared += apart[-1][0] * charges[t - 1]
        over += Q
        mixed -= np.log(w @ np.exp(-eta * g)) / eta
        totals = totals + g
        grown = w * np.exp(-eta * g)
        w = (1 - share) * grown / grown.sum() + share / n
        if share == 0:
            w = exponential_weights(totals, eta)
            assert abs(mixed - potential(totals, eta)) <= 1e-6 * (1 + abs(mixed))  # the mix losses telescope
        S = shadow_loss - mixed + prior / eta + sum(terms[t:])
        gammas.append(S + excess + R * (feared - over) + sum(inherited[t:]))
    return np.array(advised), np.array(trusts), np.array(gammas), promise - np.array(gammas), promise


def guarded_open(costs, lags, R, propose, slack, start_up, reach, past=(), real=()):
    """A guard whose shadow is anytime Hedge; `reach` is how many rounds a decision may count.

    Gives what it advises, the lambdas, the Gammas after each round, the rooms of all rounds and of the next one, and
    what is promised after each round.
    """
    T, n = costs.shape
    N, uniform = len(past), np.full(n, 1 / n)
    lag_sums = np.cumsum([1 + 2 * sum(k * a for k, a in enumerate(lags(t))) for t in range(1, T + 2)])
    rates = [2 * np.sqrt(np.log(n) / (S + start_up)) / R for S in lag_sums]
    charges = [charge(lags, t, t + reach, N) for t in range(1, T + 2)]
    ones = [np.ones(1)]
    carried = [sum(contribution(lags, ones * N, t, N)[0] for t in range(1, reach + 1)) if N else 0.0]
    for ch in charges:  # M_1, M_2, ...
        carried.append(carried[-1] + ch - 1)
    d = [rates[0] * R**2 * carried[0] ** 2 / 8]  # of the history
    for eta, ch, M in zip(rates, charges, carried[:-1], strict=True):
        d.append(min(R * ch, eta * R**2 / 8 * (ch**2 + 2 * ch * M)))
    bounds = [sum(d[: t + 1]) + np.log(n) / rates[t - 1] for t in range(1, T + 2)]
    away = [v - uniform for v in past]
    inherited = [R * sum(abs(contribution(lags, away, t, N))) / 2 if N else 0.0 for t in range(1, T + reach + 1)]
    w, totals, shadow_loss, excess = uniform, np.zeros(n), 0.0, 0.0
    taken, imagined, apart = list(past), [uniform] * N, [np.zeros(1)] * N
    advised, trusts, gammas, saves, feared, over = [], [], [], [0.0], 0.0, 0.0
    rooms = [slack * bounds[0]]
    for t in range(1, T + 1):
        p = propose(costs[: t - 1], taken)
        q = distance(p, w)
        trusts.append(min(1.0, max(0.0, rooms[-1]) / (R * q * charges[t - 1])) if q > 0 else 1.0)
        advised.append(w + trusts[-1] * (p - w))
        taken.append(real[t - 1] if t <= len(real) and real[t - 1] is not None else advised[-1])
        imagined.append(w)
        apart.append(np.array([distance(taken[-1], w)]))
        x, h, Q = state(lags, taken), state(lags, imagined), state(lags, apart)[0]
        g = costs[t - 1]
        shadow_loss += g @ h
        excess += g @ (x - h)
        feared += apart[-1][0] * charges[t - 1]
        over += Q
        totals = totals + g
        eta, w = rates[t], exponential_weights(totals, rates[t])
        fear = R * (feared - over) + sum(inherited[t:])
        gammas.append(bounds[t - 1] - max(saves) + excess + fear)
        moved = 0.0
        for s in range(t + 1, t + reach + 1):
            y, mu = contribution(lags, imagined, s, N), contribution(lags, ones * (N + t), s, N)[0]
            moved += distance(y, mu * w)
        known = shadow_loss - potential(totals, eta) + R * moved + eta * R**2 * carried[t] ** 2 / 8
        saves.append(sum(d[: t + 1]) - known)
        rooms.append(slack * bounds[t] + sum(inherited) + max(saves) - excess - fear)
    promises = [(1 + slack) * b + sum(inherited) for b in bounds[:T]]
    return np.array(advised), np.array(trusts), np.array(gammas), np.array(rooms), np.array(promises)
