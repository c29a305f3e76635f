"""An example of every learner and every memory, and a learner and memories that the library does not know."""

import numpy as np

import bygones as by

PROBLEM = by.Problem(["rail", "road", "sea"], 50, by.Window(5))
MEMORIES = [
    by.Window(1),
    by.Window(7),
    by.Window(1000),
    by.FullHistory(),
    by.Geometric(0.5),
    by.Geometric(0.99),
    by.Weights([1.0]),
    by.Weights([0.2, 0.5, 0.3]),
    by.Weights([0.5, 0.0, 0.5]),
]
LEARNERS = [
    by.FTARL(),
    by.FTARL(play="mean"),
    by.FTARL(rate=0.1),
    by.FTARL(rate=0.1, play="mean"),
    by.FTARL(memory_bound=40),
    by.FTARL(tuning="sharp", play="mean"),
    by.LSA(),
    by.LSA(tuning="geulen"),
    by.LSA(rate=0.5),
    by.LSA(play="mean"),
    by.Hedge(),
    by.Hedge(rate=2.0),
    by.Hedge(tuning="anytime"),
    by.HedgeAhead(),
    by.HedgeAhead(rate=0.1, length=5),
    by.Guarded(by.HedgeAhead()),
    by.AdaHedge(),
    by.Steering(),
    by.Steering(by.Hedge(rate=0.3)),
    by.Steering(by.Hedge(tuning="anytime")),
    by.Steering(by.Hedge()),
    by.Steering(by.FixedShare()),
    by.Steering(by.FTARL()),
    by.Guarded(),
    by.Guarded(by.FollowTheLeader(), slack=0.0),
    by.Guarded(by.Steering(by.FixedShare()), shadow=by.FixedShare(changes=2)),
    by.Guarded(by.AdaHedge(), shadow=by.Hedge(rate=0.05), enforce=False),
    by.Guarded(by.Guarded(by.LSA()), slack=0.02),
    by.Discounted(),
    by.Discounted(rate=0.4, half_life=2),
    by.FixedShare(),
    by.FixedShare(changes=0),
    by.FixedShare(changes=10**6, rate=0.2),
    by.FixedShare(rate=0.5, share=0.1),
    by.Pure(by.Hedge()),
    by.Pure(by.Steering()),
    by.Pure(by.FixedShare()),
    by.Pure(by.Guarded(by.Steering(by.FixedShare(changes=3)))),
    by.Pure(by.FTARL(play="mean"), how="independent"),
    by.FollowTheLeader(),
    by.FTPL(),
    by.FTPL(play="mean"),
    by.Fixed(1),
    by.Uniform(),
    by.Advice([0, 1, 1, 0, 1] * 400),
    by.Guarded(by.Advice([1, 0] * 1000)),
]
BACKTESTED = [by.Steering(), by.AdaHedge(), by.Hedge(), by.FTARL(), by.FollowTheLeader(), by.LSA(), by.Uniform()]


class Player(by.RowPlayer):
    """A sound player: exponential weights."""

    def begin(self):
        self.totals = np.zeros(self.problem.n)

    def weights(self):
        return np.exp(-0.3 * (self.totals - self.totals.min()))

    def decide(self):
        return self.mixture(self.weights() / self.weights().sum())

    def observe(self, costs):
        self.totals += self.accept(costs)


class Stranger(by.Learner):
    """A learner of somebody's own, like Hedge(rate=0.3)."""

    @property
    def player_type(self):
        return Player


class WindowByHand(by.Memory):
    """A window of three by hand: a memory that no kernel knows."""

    def weights(self, t):
        return np.full(min(t, 3), 1 / min(t, 3))

    def beta(self, t):
        return 1 / min(t, 3)

    def mean_lag(self, t=None):
        return (min(t or 3, 3) - 1) / 2

    second_lag = 2 / 3

    def lag_total(self, t):
        return sum(self.mean_lag(s) for s in range(1, t + 1))

    def charges(self, costs, past=0):
        return by.Window(3).charges(costs, past)

    def state(self, n):
        return WindowByHandState(self, n)


class WindowByHandState(by.MemoryState):
    """Keeps the last two decisions."""

    def __init__(self, memory, n):
        super().__init__(memory, n)
        self.last = np.zeros((2, n))

    def _advance(self, decisions, states):
        for b, decision in enumerate(decisions):
            states[b] = (self.last.sum(axis=0) + decision) / min(self.count + b + 1, 3)
            self.last = np.vstack([self.last[1:], decision])


class WeightsByHand(by.Memory):
    """Weights that are all there is to know of a memory, but for where they end."""

    support = 3

    def weights(self, t):
        here = np.array([0.5, 0.2, 0.3][:t])
        return here / here.sum()


class FadingByHand(by.Memory):
    """Weights that fade for ever, in plain Python."""

    second_lag = 2 * (0.4 / 0.6) ** 2

    def weights(self, t):
        here = 0.4 ** np.arange(t)
        return here / here.sum()
