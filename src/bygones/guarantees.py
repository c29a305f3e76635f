"""Guarantees that tighten: what the regret at the horizon can still become, known before it is reached."""

import math

import numpy as np
from numpy.typing import ArrayLike

from .kernels import softmin
from .learners import Learner
from .problem import Problem
from .theory import hedge_guarantee
from .validation import as_array, real, whole

TOLERANCE = 1e-9


def guarantee(problem: Problem, learner: Learner, loss: float, totals: ArrayLike, round: int) -> float | None:  # noqa: A002
    """An upper bound on the regret at the horizon, whatever costs within the range still come.

    `loss_t - Phi_eta(G^t) + ln n/eta + (eta R^2/8) sum_(s > t) (1 + 2 m1(s))`, with the potential
    `Phi_eta(G) = -(1/eta) ln((1/n) sum_i exp(-eta G_i))`. Before the first round it is the learner's bound, it never
    rises, and at the horizon it is the regret itself and at most `ln n/eta` more. Known for Hedge at a fixed rate on
    any memory, and for Steering under a geometric memory at a fixed, feasible rate; for LSA in expectation, from its
    expected loss.

    Args:
        problem: what is decided; its horizon and its range must be known.
        learner: who decides, from the first round on, without a history.
        loss: what it has paid so far, `sum <g^s, x^s>`.
        totals: what each action would have cost so far, `G^t`.
        round: t, how many rounds that is.

    Returns:
        The bound; None where nothing is proved.

    Raises:
        ValueError: if an argument is of the wrong kind or shape, or the loss or the totals are impossible after so many
            rounds within the range.

    >>> import bygones as by
    >>> problem = by.Problem(actions=2, horizon=1000, memory=by.Window(10))
    >>> by.guarantee(problem, by.Hedge(), loss=0.0, totals=[0.0, 0.0], round=0) == by.Hedge().bound(problem)
    True
    >>> round(by.guarantee(problem, by.Hedge(), loss=231.0, totals=[200.0, 300.0], round=500), 1)
    49.6
    """
    if not isinstance(problem, Problem) or not isinstance(learner, Learner):
        raise ValueError(f"the problem is {problem!r} and the learner {learner!r}: give a Problem, then a learner")
    sums = as_array(totals)
    if sums.shape != (problem.n,) or sums.dtype.kind not in "iuf" or not np.isfinite(sums).all():
        raise ValueError(f"the totals are {totals!r}: give {problem.n} numbers, one for each action")
    paid = real("the loss", loss)
    if not math.isfinite(paid):
        raise ValueError(f"the loss is {loss!r}: give a finite number")
    t = whole("the round", round, 0, problem.horizon or math.inf)
    like = learner.as_hedge(problem)
    if like is None or problem.cost_range is None:
        return None
    least, most = sums.min(), problem.cost_range * t * (1 + TOLERANCE)
    for what, spread in (
        ("the totals spread over", np.ptp(sums)),
        ("the loss is off the least total by", paid - least),
    ):
        if abs(spread) > most:
            raise ValueError(
                f"{what} {abs(spread):g}: in {t} rounds of range {problem.cost_range:g} give at most {most:g}"
            )
    slack = -softmin(sums - least, like.rate, np.empty(problem.n))
    return float(hedge_guarantee(*like, np.array([paid - least]), np.array([slack]), np.array([t]))[0])
