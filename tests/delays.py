"""The learners of poold that are rivals in the benchmarks, in plain lines and without poold: what they are held to.

They take the place of poold's own objects, so that all but these can be tested where poold is not installed. From
Flaspohler et al. (2021), *Online Learning with Optimism and Delay*, and poold 0.0.5.
"""

import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import rivals


class PlainRival:
    """Decisions by their rounds, and the hints given with them."""

    def __init__(self, n):
        self.n, self.history = n, self
        self.played, self.hints = [], []

    def record_play(self, t, decision):
        self.played[t] = decision

    def update_and_play(self, losses, hint):
        given = np.zeros(self.n) if hint is None else hint["grad"](None)
        for t, loss in losses:
            self.learn(t, loss["grad"](None))
        self.played.append(self.decide(given))
        self.hints.append(given)
        return self.played[-1]


class PlainDORMPlus(PlainRival):
    """Regret matching with everything below zero cut off; the last hint is taken back when there is a new one."""

    def __init__(self, n):
        super().__init__(n)
        self.sums = np.zeros(n)

    def learn(self, t, charge):
        self.sums = self.sums + (self.played[t] @ charge - charge)

    def decide(self, hint):
        self.sums = np.maximum(0, self.sums + hint - (self.hints[-1] if self.hints else 0.0))
        total = self.sums.sum()
        return self.sums / total if total > 0 else np.full(self.n, 1 / self.n)


class PlainAdaHedgeD(PlainRival):
    """Exponential weights; the temperature grows by the least of three bounds on what a round's delay costs."""

    def __init__(self, n):
        super().__init__(n)
        self.totals, self.heat = np.zeros(n), 0.0
        self.heats, self.charges = [], []

    def learn(self, t, charge):
        decision, hint, heat = self.played[t], self.hints[t], self.heats[t]
        delay = len(self.played) - 1 - t  # how many rounds ago it was played
        self.charges.append(charge)
        self.totals = self.totals + charge
        missing = sum(self.charges[max(0, t - delay) :])  # what was not settled when it was played, itself included
        apart = np.abs(hint - missing).max()
        mixed = missing + min(1.0, np.abs(charge).max() / apart if apart else 1.0) * (hint - missing)
        middle = weights(self.totals - missing + mixed, heat)
        costs = [
            charge @ (decision - weights(self.totals, heat)),
            self.gap(decision, hint - missing, heat),
            self.gap(middle, mixed - missing, heat) + charge @ (decision - middle),
        ]
        self.heat += max(0.0, min(costs)) / math.log(self.n)

    def gap(self, decision, error, heat):
        if heat <= 1e-8:
            return self.totals @ decision - self.totals.min()
        most = error[decision > 0].max()
        with np.errstate(over="ignore", invalid="ignore"):
            return heat * math.log(np.sum(decision * np.exp((error - most) / heat))) - error @ decision + most

    def decide(self, hint):
        self.heats.append(self.heat)
        return weights(self.totals + hint, self.heat)


def weights(totals, heat):
    low = totals.min()
    raw = (totals == low) * 1.0 if heat <= 1e-8 else np.exp(-(totals - low) / heat)
    return raw / raw.sum()


class DORMPlus(rivals.DORMPlus):
    def rival(self, n):
        return PlainDORMPlus(n)


class AdaHedgeD(rivals.AdaHedgeD):
    def rival(self, n):
        return PlainAdaHedgeD(n)
