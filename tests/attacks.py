"""Attacks on promises: costs chosen to hurt, together with proposals and with decisions really taken.

A promise plays a game and gives the largest share of itself that was used up, over all rounds at which it is made. A
search opens with a game of some kind, which may react to the player, and climbs from there: it changes a few costs,
proposals or decisions at a time, and keeps what does not make it worse. Every sequence played is a game.
"""

from copy import deepcopy
from itertools import product
from typing import NamedTuple

import numpy as np

import bygones as by
from bygones.accounting import regret

SLACKS = (0.0, 0.01, 0.1, 0.5, 3.0)


class Game(NamedTuple):
    """A row per round; a row of `real` that begins with nan: what was advised is done."""

    problem: by.Problem
    history: np.ndarray
    costs: np.ndarray
    proposals: np.ndarray
    real: np.ndarray

    def states(self, decisions):
        return self.problem.memory.start(self.problem.n, self.history).extend(decisions)

    def regrets(self, decisions, changes=0):
        return regret(self.costs, self.states(decisions), changes)

    def shares(self, regrets, promised):
        """What share of a promise was used up at most: above 1 if the regret is above it, also where it is negative."""
        scale = np.maximum(np.abs(promised), 0.01 * self.problem.cost_range)  # of a promise near 0, rounding is much
        return float((1 + (np.asarray(regrets) - promised) / scale).max())


def memory_of(rng, forgets):
    """A memory of any kind; one that forgets, for horizons that are not known."""
    length = int(rng.integers(1, 9))
    kinds = [
        by.Window(length),
        by.Geometric(float(rng.uniform(0.05, 0.9))),
        by.Weights(list(rng.dirichlet(np.full(length, 0.5)) * 0.9 + 0.1 / length)),
        by.FullHistory(),
    ]
    return kinds[int(rng.integers(3 if forgets else 4))]


def wave(rng, T, n):
    """Actions that take turns at being dear, for as long as a period lasts; some of the time one is always cheap."""
    turn = np.arange(T) // int(rng.integers(1, T + 1)) % int(rng.integers(2, n + 1))
    return (turn[:, np.newaxis] == np.arange(n)) * 1.0


def opening(rng, problem, rounds, past, overridden):
    """A game without reactions: costs of all kinds, and proposals and decisions that are often single actions."""
    T, n, R = rounds, problem.n, problem.cost_range
    kind = int(rng.integers(5))
    if kind < 2:
        costs = (rng.random((T, n)) < 0.5) * 1.0
    elif kind == 2:
        costs = rng.random((T, n))
    elif kind == 3:
        costs = wave(rng, T, n)
    else:  # one action is good in the end, and nothing tells
        costs = np.where(np.arange(T)[:, np.newaxis] < int(rng.integers(T + 1)), 0.0, np.arange(n) > 0)
    who = rng.integers(0, n, T) if rng.random() < 0.5 else np.full(T, rng.integers(n))
    proposals = np.eye(n)[who]
    if rng.random() < 0.3:  # what is proposed is dear in its round
        proposals = np.eye(n)[costs.argmax(axis=1)]
    real = np.full((T, n), np.nan)
    told = rng.random(T) < rng.random() * overridden
    real[told] = np.eye(n)[rng.integers(0, n, told.sum())]
    history = np.eye(n)[rng.integers(0, n, past) if rng.random() < 0.5 else np.zeros(past, dtype=int)]
    return Game(problem, history, R * costs, proposals, real)


def reaction(rng, game, promise):
    """The same game, but what is dear depends on what the player holds, and on what its shadow would."""
    n, R, mode = game.problem.n, game.problem.cost_range, int(rng.integers(4))
    player, state = promise.start(game), game.problem.memory.start(n, game.history)
    shadows, costs, proposals = game.problem.memory.start(n, np.full((len(game.history), n), 1 / n)), [], []
    totals, stubborn = np.zeros(n), int(rng.integers(3))
    for t in range(len(game.costs)):
        shadow = getattr(player, "shadow", np.full(n, 1 / n))
        proposed = (totals.argmax(), shadow.argmin(), game.proposals[t].argmax())[stubborn]
        proposals.append(np.eye(n)[proposed])
        decision = promise.turn(player, game, t, proposals[-1])
        x, h = state.push(decision), shadows.push(shadow)
        row = (
            np.arange(n) == x.argmax(),  # what the state has most of
            np.arange(n) != x.argmin(),  # all but what it has least of
            x > h,  # what it has more of than the shadow's state
            np.arange(n) == proposed,
        )[mode] * R
        costs.append(row)
        player.observe(row)
        totals += row
    return game._replace(costs=np.array(costs), proposals=np.array(proposals))


def lookahead(rng, game, promise):
    """The same game, but every round has the proposal and the costs that raise the guarantee, or the regret, most."""
    n, R, by_regret = game.problem.n, game.problem.cost_range, rng.random() < 0.5
    player, state, costs, proposals = promise.start(game), game.problem.memory.start(n, game.history), [], []
    rows = [R * np.array(row, dtype=float) for row in product((0, 1), repeat=n) if len(set(row)) > 1]
    totals, paid = np.zeros(n), 0.0
    for t in range(len(game.costs)):
        best, chosen = -np.inf, None
        for proposal in np.eye(n) if promise.proposes else np.eye(n)[:1]:
            asked = deepcopy(player)
            x = deepcopy(state).push(promise.turn(asked, game, t, proposal))
            for row in rows:
                value = paid + row @ x - (totals + row).min() + 1e-6 * R * rng.random()
                if not by_regret and player.guarantee is not None:
                    after = deepcopy(asked)
                    after.observe(row)
                    value += after.guarantee
                if value > best:
                    best, chosen = value, (proposal, row)
        proposal, row = chosen
        x = state.push(promise.turn(player, game, t, proposal))
        player.observe(row)
        totals, paid = totals + row, paid + row @ x
        costs.append(row)
        proposals.append(proposal)
    return game._replace(costs=np.array(costs), proposals=np.array(proposals))


def changed(rng, game, promise):
    """The same game with a few changes."""
    costs, proposals, real = game.costs.copy(), game.proposals.copy(), game.real.copy()
    (T, n), R = costs.shape, game.problem.cost_range
    for _ in range(int(rng.integers(1, 4))):
        t, i = int(rng.integers(T)), int(rng.integers(n))
        until = t + 1 if rng.random() < 0.7 else int(rng.integers(t, T)) + 1
        kind = int(rng.integers(2 + 2 * promise.proposes + 2 * (promise.overridden > 0)))
        if kind == 0:
            costs[t:until, i] = R - costs[t:until, i]
        elif kind == 1:
            costs[t, i] = R * rng.random()
        elif kind == 2 and promise.proposes:
            proposals[t:until] = np.eye(n)[i]
        elif kind == 3 and promise.proposes:
            proposals[t] = rng.dirichlet(np.full(n, 0.5))
        else:
            real[t:until] = np.eye(n)[i] if rng.random() < 0.7 else np.nan
    return game._replace(costs=costs, proposals=proposals, real=real)


class Promise:
    """What is attacked: how a player is started and takes its turn, and what share of the promise a game uses up."""

    name = ""
    proposes = False  # whether somebody proposes
    overridden = 0.0  # how often something else is done at most
    forgets = False
    open = False
    past = 0
    changes = 0

    def problem(self, rng):
        n, T = int(rng.integers(2, 5)), int(rng.integers(1, 13))
        R = float(10.0 ** rng.integers(-2, 3))
        self.rounds = T
        return by.Problem(n, None if self.open else T, memory_of(rng, self.forgets), R)

    def draw(self, rng):
        """Choose the learner's own parameters, if it has any."""

    def learner(self, problem):
        raise NotImplementedError

    def start(self, game):
        return self.learner(game.problem).start(game.problem, history=game.history)

    def turn(self, player, game, t, proposal):
        """Propose, override, and give what is really done."""
        if self.proposes:
            player.propose(proposal)
        if not np.isnan(game.real[t, 0]):
            player.override(game.real[t])
        return player.decide()

    def follow(self, game, decisions):
        """Play a game, and give the player after every round; what is really done is added to the decisions."""
        player = self.start(game)
        for t, row in enumerate(game.costs):
            decisions.append(self.turn(player, game, t, game.proposals[t]))
            player.observe(row)
            yield player

    def share(self, game):
        """The share of the bound that the regret at the horizon uses up; of a learner without proposals."""
        decisions = self.start(game).play(game.costs)
        bound = self.learner(game.problem).bound(game.problem)
        return game.shares(game.regrets(decisions, self.changes)[-1], bound)


def search(promise, seed, games):
    """Attack a promise with so many games; gives the largest share, and the game that used it up."""
    rng, played, largest, worst = np.random.default_rng(seed), 0, -np.inf, None
    while played < games:
        promise.draw(rng)
        problem = promise.problem(rng)
        past = int(rng.integers(1, promise.past + 1)) if promise.past else 0
        game = opening(rng, problem, promise.rounds, past, promise.overridden)
        react = rng.random()
        if react < 0.3:
            game = reaction(rng, game, promise)
        elif react < 0.35 and problem.n < 4:
            game = lookahead(rng, game, promise)
        best = promise.share(game)
        played += 1
        for _ in range(min(int(rng.integers(8, 80)), games - played)):
            other = changed(rng, game, promise)
            share = promise.share(other)
            played += 1
            if share >= best:
                game, best = other, share
        if best > largest:
            largest, worst = best, game
    return largest, worst


def summarise(terminalreporter):
    """Print how many games were played against each promise, and how near the worst came to it."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    found = [value for report in reports for name, value in report.user_properties if name == "attack"]
    if found:
        terminalreporter.section("games against promises")
        for name, games, largest in found:
            terminalreporter.write_line(f"{name}: {games:,} games, largest share {largest:.4f}")
        terminalreporter.write_line(f"in all: {sum(games for _, games, _ in found):,} games")
