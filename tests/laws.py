"""Whether actions follow a law: many replicates of one player, and a chi-square test."""

import numpy as np
from numpy.random import SeedSequence
from scipy.stats import chi2

SEEDS = [SeedSequence(11, spawn_key=(r,)) for r in range(20_000)]


def replicates(learner, problem):
    """One player for 20,000 seeds that see the same costs."""
    return learner.player_type(learner, problem, SEEDS)


def assert_frequencies(actions, law, error):
    expected = law * len(actions)
    counted = np.bincount(actions, minlength=len(law))
    frequent = expected >= 5
    statistic = ((counted - expected)[frequent] ** 2 / expected[frequent]).sum()
    assert statistic < chi2.isf(error, max(1, frequent.sum() - 1))
    assert counted[~frequent].sum() < 5 * (~frequent).sum() + 30
