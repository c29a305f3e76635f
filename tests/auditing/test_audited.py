"""Every margin of the audit on one table of costs, against its statement written out."""

from collections import defaultdict
from math import exp, log, sqrt

import numpy as np
import pytest
import reference

import bygones as by
from bygones.auditing import STATEMENTS
from bygones.auditing.ahead import led, of_ahead
from bygones.auditing.case import Case
from bygones.auditing.ftarl import of_ftarl
from bygones.auditing.guarded import of_guarded
from bygones.auditing.hedge import of_any, of_fading, of_hedge
from bygones.auditing.lsa import of_lsa
from bygones.learners import steering
from bygones.learners.hedge import HedgePlayer
from bygones.memory import MemoryState
from bygones.theory import spectrum, steering_rate

n, T, H, R, SEED, DRAWS = 3, 60, 4, 2.0, 5, 20
PROBLEM = by.Problem(n, T, by.Window(H), cost_range=R)
COSTS = np.random.default_rng(1).random((T, n)) * [2.0, 1.9, 1.8]
BEHIND = COSTS - COSTS.min(axis=1, keepdims=True)
G = np.vstack([np.zeros(n), np.cumsum(BEHIND, axis=0)])  # G^0 to G^T
LENGTHS = np.minimum(np.arange(1, T + 1), H)  # 1 + 2 m1(t)
S = np.cumsum(LENGTHS)
ROUND = 1e-12 * max(1.0, G[-1].max())
# Equalities have 1 less what rounding takes; and how often they are looked at.
EQUALITIES = {"Theorem 2, equality": 1, "I.1": 1, "I.2": 1, "Geometric steering, states": 1, "LSA's law": 1}
EQUALITIES["HedgeAhead, states"] = 1
EQUALITIES["Policy regret"] = 8 + 4 + 1  # draws of FTARL, learners, and one on geometric memory


def within(excess, tolerance=T * ROUND):
    return (1 - np.max(excess) / tolerance,)


def chance(mean, deviation):
    error = deviation / sqrt(DRAWS) + T * ROUND
    return 3.5 - mean / error, error


def below(excess):
    return chance(np.mean(excess), np.std(excess, ddof=1))


def averaged(decisions):
    return np.array([reference.average(decisions, t, H) for t in range(1, T + 1)])


def lost(states):
    return (COSTS * states).sum() - COSTS.sum(axis=0).min()


def draw(number):
    return np.random.SeedSequence(SEED, spawn_key=(number, 1))


def weights(rates):
    return np.array([reference.exponential_weights(G[t], rate) for t, rate in enumerate(rates)])


def deltas(states, rates):
    grown = [reference.potential(G[t + 1], rate) - reference.potential(G[t], rate) for t, rate in enumerate(rates)]
    return (BEHIND * states).sum(axis=1) - grown


def apart(theta, actions, scores):
    """The most between any two leaders of rounds s to s + theta, in any of these rounds."""
    windows = [slice(s, s + theta + 1) for s in range(T + 1 - theta)]
    return max(np.ptp(scores[window][:, np.unique(actions[window])], axis=1).max() for window in windows)


def of_the_papers_paths():
    eps, d = sqrt(4 * (log(n) + 1) / ((T - H) * (2 + H))) / R, R * H / T
    best = np.eye(n)[G[-1].argmin()]
    excess, regrets, changed = defaultdict(list), [], np.zeros(T - H + 1)
    for number in range(DRAWS):
        Z = np.random.Generator(np.random.PCG64(draw(number))).standard_exponential(n) / eps
        i, x, _ = reference.ftarl(np.vstack([COSTS, np.zeros(n)]), Z, H)  # i_0 to i_T, x^1 to x^(T+1)
        step, left, N = np.diff(x, axis=0), best - x[T], np.sum(i[H + 1 :] != i[1:-H])
        moved, final = Z @ (x[H] - x[T] + x[0] - x[1]), Z @ (x[T] - best)
        A = -(BEHIND * step).sum()
        B = Z @ (x[0] - x[1]) + d / 2 * (step[1:] ** 2).sum() - (G[1:-1] * step[1:]).sum()
        C = d / 2 * (left @ left) - G[T] @ left
        regrets.append(lost(x[:-1]))
        changed += (x[H:] != x[H - 1 : -1]).any(axis=1)
        for name, value in {
            "Theorem 2": regrets[-1] - (A + B + C),
            "I.3": (np.abs(step).sum(axis=1) - 2 / LENGTHS).max(),
            "Leaders, 1": apart(1, i, G - Z) - R,
            "Leaders, H": apart(H, i, G - Z) - R * H,
            "Term A, path": A - (2 * R * H + 2 * R / H * N),
            "Term B, path": B - (d * (T - 1) + R * (H - 1) + R * (H - 1) / H * N + moved),
            "Term C, path": C - (d + R * H + final),
            "Term A": A - (2 * R * H + 2 * eps * R**2 * (T - H)),
            "Term B": B - (d * (T - 1) + R * H + eps * R**2 * H * (T - H) + moved),
            "Term C": C - (d + R * H + final),
            "Terms together": A + B + C - (4 * R * H + d * T + eps * R**2 * (2 + H) * (T - H) + moved + final),
            "Largest noise": Z.max() - (1 + 1 / 2 + 1 / 3) / eps,
        }.items():
            excess[name].append(value)
    margins = {name: [within(excess[name])] for name in ("Theorem 2", *(f"Term {letter}, path" for letter in "ABC"))}
    margins["I.3"] = [within(excess["I.3"], 1e-12)]
    margins["Leaders' values"] = [within(excess[name], ROUND) for name in ("Leaders, 1", "Leaders, H")]
    margins |= {name: [below(excess[name])] for name in ("Term A", "Term B", "Term C", "Terms together")}
    margins["Largest noise"] = [chance(abs(np.mean(excess["Largest noise"])), sqrt(1 + 1 / 4 + 1 / 9) / eps)]
    likely = 1 - exp(-eps * R * H)
    margins["Leader changes"] = [chance(changed.max() / DRAWS - likely, sqrt(likely * (1 - likely)))]
    return margins | of_ftarls_means(eps, regrets)


def of_ftarls_means(eps, regrets):
    theta = H + 1
    rates = eps, sqrt(4 * (log(n) + 1) / (T * theta)) / R, sqrt(2 * log(n) / (T + S[-1])) / R
    laws = [np.array([reference.leader_law(np.exp(-rate * (row - row.min()))) for row in G[:-1]]) for rate in rates]
    means = [lost(averaged(law)) for law in laws]
    charges = np.array([sum(BEHIND[t] / LENGTHS[t] for t in range(s, min(s + H, T))) for s in range(T)])
    deviation = sum(sqrt(p @ (c - p @ c) ** 2) for p, c in zip(laws[0], charges, strict=True))
    bounds = [(1 / 2 + 1 / 3) / rate + rate * R**2 / 2 * (T + S[-1]) for rate in rates]
    return {
        "FTARL's mean": [chance(abs(np.mean(regrets) - means[0]), deviation)],
        "Theorem": [within(means[0] - (5 * R * H + 4 * R * sqrt((T - H) * (H + 2) * (log(n) + 1))))],
        "Corollary": [within(means[1] - (5 * R * theta + 4 * R * sqrt(T * theta * (log(n) + 1))))],
        "FTARL, sharper": [within(mean - bound) for mean, bound in zip(means, bounds, strict=True)],
    }


def sharing():
    """The share and the rate for three changes, each found from the other until they settle."""
    eps = 0.0
    for _ in range(100):
        share = 3 / (T - 1 + eps * R * (S[-1] - T) / 2)
        eps = sqrt(8 * (log(n) + 3 * log(n / share) - (T - 4) * log(1 - share + share / n)) / S[-1]) / R
    return share, eps


def of_weights():
    eta, falling = sqrt(8 * log(n) / S[-1]) / R, 2 * np.sqrt(log(n) / (S + (H - 1) * (7 * H + 1) / 12)) / R
    fixed, anytime = (averaged(weights(rates)) for rates in (np.full(T, eta), falling))
    lags = lambda t: np.full(min(t, H), 1 / min(t, H))  # noqa: E731
    adaptive = {name: reference.adaptive(BEHIND, lags, name == "Steering") for name in ("AdaHedge", "Steering")}
    everyone = fixed, anytime, *(states for _, states, _, _ in adaptive.values())
    margins = {
        "Hedge": [within(lost(fixed) - (log(n) / eta + eta * R**2 / 8 * S[-1]))],
        "Hedge, anytime": [within(lost(anytime) - R * sqrt((T * H + (H**2 - 1) / 12) * log(n)))],
        "Hedge, each round": [within(deltas(fixed, np.full(T, eta)) - eta * R**2 / 8 * LENGTHS, ROUND)],
        "Potential inequality": [
            within(lost(states) - deltas(states, falling).sum() - log(n) / falling[-1]) for states in everyone
        ],
    }
    for name, (_, states, own, D) in adaptive.items():
        margins[name] = [within([lost(states) - own.sum() - D[-2], own.sum() + D[-2] - 2 * D[-1]])]
    share, eps = sharing()
    prior = log(n) + 3 * log(n / share) - (T - 4) * log(1 - share + share / n)
    bound = prior / eps + eps * R**2 / 8 * S[-1] + share * (1 - 1 / n) * R * (S[-1] - T) / 2
    shared = averaged(reference.fixed_share(BEHIND, eps, share))
    paid = np.einsum("ti,ti->", BEHIND, shared)
    margins["FixedShare"] = [within(paid - by.accounting.best_path(BEHIND, 3).totals[-1] - bound)]
    slow = min(sqrt(8 * log(n) / T), log((H + 1) / H)) / R
    margins["Geometric steering"] = [within(lost(weights([slow] * T)) - (log(n) / slow + slow * R**2 * T / 8))]
    return margins


def of_playing_ahead():
    """On the window of the problem, which has a filter."""
    plan = by.HedgeAhead().plan(PROBLEM)
    eta, psi = plan.rate, plan.psi
    phi = [1 + (psi[j - 1] if j <= len(psi) else 0.0) for j in range(1, len(psi) + H)]
    k = {j: sum(phi[max(1, j - H + 1) - 1 : j]) / H - 1 for j in range(1, len(psi) + H)}
    eps = spectrum(PROBLEM.memory, psi, T).excess
    bound = R * reference.ahead_bound([1 / H] * H, psi, eta * R, n, T, eps)
    w = np.linspace(0, np.pi, 200_003)
    lowest = min(eps + sum(k[j] * np.cos(j * w) for j in k))
    u = weights([eta] * T)
    y = [np.sqrt(u[t]) * (COSTS[t] - u[t] @ COSTS[t]) for t in range(T)]
    gained = -sum(k[j] * (y[t] @ y[t - j]) for t in range(T) for j in k if j <= t) - eps * sum(one @ one for one in y)
    return {
        "HedgeAhead": [within(lost(averaged(reference.hedge_ahead(BEHIND, eta, psi))) - bound)],
        "HedgeAhead, spectrum": [within(-lowest, 1e-9)],
        "HedgeAhead, errors": [within(eta * gained)],
    }


def of_guards():
    """The worst action so far, proposed to guards and taken in place of what Steering decides."""
    eta, slack, lags = sqrt(8 * log(n) / S[-1]) / R, 0.05, lambda t: np.full(min(t, H), 1 / min(t, H))
    worst = np.eye(n)[G[:-1].argmax(axis=1)]
    propose = lambda costs, taken: worst[len(costs)]  # noqa: E731
    ends = np.cumsum([len(part) for part in np.array_split(COSTS, 40)])

    def regrets(decisions, past=()):
        held = [np.mean(([*past, *decisions])[: len(past) + t][-H:], axis=0) for t in range(1, T + 1)]
        return np.cumsum((BEHIND * np.array(held)).sum(axis=1)) - G[1:].min(axis=1)

    advised, _, gammas, _, promise = reference.guarded(BEHIND, lags, R, propose, slack, eta, T)
    excess = [max(regrets(advised)[t - 1] - gammas[t], gammas[t] - promise) for t in ends]
    margins = {"Guarded": [within(excess)]}
    past = [np.eye(n)[G[-1].argmax()]] * H
    advised, _, _, _, promise = reference.guarded(BEHIND, lags, R, propose, slack, eta, T, past=past)
    margins["Guarded, history"] = [within([regrets(advised, past)[t - 1] - promise for t in ends])]
    start_up = (H - 1) * (7 * H + 1) / 12
    advised, _, _, _, promises = reference.guarded_open(BEHIND, lags, R, propose, slack, start_up, H)
    margins["Guarded, any horizon"] = [within([regrets(advised)[t - 1] - promises[t - 1] for t in ends])]
    share, eps = sharing()
    advised, _, _, _, promise = reference.guarded(BEHIND, lags, R, propose, slack, eps, T, share, 3)
    paid = regrets(advised)[-1] + G[-1].min()
    margins["Guarded, paths"] = [within(paid - by.accounting.best_path(BEHIND, 3).totals[-1] - promise)]
    _, _, own, D = reference.adaptive(BEHIND, lags, True, real=list(worst))
    margins["Overrides"] = [within(regrets(worst)[-1] - own.sum() - D[-2])]
    return margins


def of_the_dartboard():
    alpha = sqrt((1 + log(T + 1)) / (H * T)) / (4 * R)
    changes = [np.count_nonzero(np.diff(by.LSA().start(PROBLEM, draw(k)).play(COSTS))) for k in range(DRAWS)]
    return {"LSA's refreshes": [below(np.array(changes) - log(n) - alpha * G[-1].min())]}


@pytest.fixture(scope="module")
def written():
    return of_the_papers_paths() | of_weights() | of_playing_ahead() | of_guards() | of_the_dartboard()


def looks():
    """All margins, before the least of each line is taken."""
    margins, case = defaultdict(list), Case(PROBLEM, COSTS, SEED, DRAWS)
    for look in (of_ftarl, of_hedge, of_ahead, of_any, of_fading, of_guarded, of_lsa):
        for name, *margin in look(case):
            margins[name].append(margin)
    return margins


@pytest.fixture(scope="module")
def audited():
    return looks()


@pytest.mark.parametrize("name", STATEMENTS)
def test_margins_are_those_of_the_statement_written_out(name, written, audited):
    if name in EQUALITIES:
        assert len(audited[name]) == EQUALITIES[name]
        assert all(0 <= margin <= 1 for (margin,) in audited[name])
    else:
        assert np.array(audited[name]) == pytest.approx(np.array(written[name]), rel=1e-8, abs=1e-3)


def test_states_may_err_by_rounding_only(monkeypatch):
    take = MemoryState.take

    def shaken(self, decisions):
        states = take(self, decisions)
        return states + 1e-9 * (np.arange(len(states)) % 2)[:, np.newaxis]

    monkeypatch.setattr(MemoryState, "take", shaken)
    margins = looks()
    for name in ("I.1", "I.2", "Geometric steering, states", "HedgeAhead, states"):
        assert margins[name] == [[pytest.approx(1 - 1e-9 / 1e-12, rel=1e-3)]]


def test_a_rate_of_hedge_that_is_a_millionth_too_high_is_noticed(monkeypatch):
    monkeypatch.setattr(HedgePlayer, "rates", lambda self, rounds: np.full(rounds, (1 + 1e-6) * self.rate))
    monkeypatch.setattr(steering, "steering_rate", lambda problem: (1 + 1e-6) * steering_rate(problem))
    margins = looks()
    for name in ("LSA's law", "Geometric steering, states"):
        ((margin,),) = margins[name]
        assert margin < 0


@pytest.mark.parametrize(("horizon", "length", "audited"), [(60, 4, 4), (30, 29, 7), (9, 8, 1)])
def test_playing_ahead_is_audited_on_the_longest_halved_window_with_a_filter(horizon, length, audited):
    problem, plan = led(Case(by.Problem(3, horizon, by.Window(length)), np.zeros((horizon, 3)), 0, 2))
    assert problem.memory == by.Window(audited)
    assert (len(plan.psi) > 0) == (audited > 1)
