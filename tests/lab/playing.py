"""What the laboratory's tests share: learners, and worst cases by brute force."""

from itertools import product

import numpy as np

import bygones as by
from bygones.accounting import regret


class AheadPlayer(by.RowPlayer):
    """Plays `u_t + psi (u_t - u_(t-1))`, with u of Hedge."""

    def begin(self):
        self.totals = np.zeros((2, self.problem.n))  # before the last round, and now

    def decide(self):
        before, now = (np.exp(-0.3 * (row - row.min())) for row in self.totals)
        before, now = before / before.sum(), now / now.sum()
        return self.mixture(now + 0.8 * (now - before))

    def observe(self, costs):
        row = self.problem.check_row(costs, self.rounds)[0]
        self.totals = np.array([self.totals[1], self.totals[1] + row])
        self.rounds += 1


class Ahead(by.Learner):
    """A learner of somebody's own, whose decisions depend on the lead and on one step."""

    player_type = AheadPlayer


LEARNERS = [
    by.Hedge(),
    by.Hedge(tuning="anytime"),
    by.Hedge(rate=2.0),
    by.FTARL(play="mean", tuning="sharp"),
    by.FTPL(play="mean"),
    by.AdaHedge(),
    by.FixedShare(changes=1),
    by.FollowTheLeader(),
    by.Steering(),
    by.Steering(by.Hedge()),
    by.Guarded(),
    by.LSA(),
    by.Fixed(1),
    Ahead(),
]


def by_force(learner, problem):
    """The largest regret over all sequences, each played from the start."""
    worst = -np.inf
    for letters in product((0, 1), repeat=problem.horizon):
        costs = problem.cost_range * np.eye(2)[list(letters)]
        states = problem.memory.start(2).extend(learner.mean().start(problem).play(costs))
        worst = max(worst, float(regret(costs, states)[-1]))
    return worst


def replayed(learner, problem, costs):
    """The regret of a fresh player that decides and observes, round by round."""
    player, state = learner.mean().start(problem), problem.memory.start(problem.n)
    paid = 0.0
    for row in costs:
        paid += row @ state.push(player.decide())
        player.observe(row)
    return paid - costs.sum(axis=0).min()
