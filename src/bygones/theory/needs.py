"""What a rate or a bound needs to know of a problem."""

from ..problem import Problem


def known(problem: Problem, who: str) -> tuple[int, float]:
    """The horizon T and the cost range R, or an error that says what is missing and how to do without."""
    if problem.horizon is None or problem.cost_range is None:
        missing = [word for word in ("horizon", "cost_range") if getattr(problem, word) is None]
        raise ValueError(
            f"{who} needs the problem's {' and '.join(missing)}, unknown here: "
            f"give Problem({', '.join(f'{word}=...' for word in missing)}), or set rate= by hand, "
            "or use FollowTheLeader() or Uniform(), which need neither"
        )
    return problem.horizon, problem.cost_range


def effective_length(problem: Problem) -> float:
    """`1 + 2 m1`, at most T: what stands for the paper's H where the memory is not a window; of a window it is H.

    >>> import bygones as by
    >>> [effective_length(by.Problem(2, 100, memory)) for memory in (by.Window(7), by.Geometric(0.5), by.FullHistory())]
    [7.0, 3.0, 100]
    """
    horizon, _ = known(problem, "the memory's effective length")
    return min(1 + 2 * problem.memory.mean_lag(), horizon)


def lag_sum(problem: Problem) -> float:
    """`S_T = sum_t (1 + 2 m1(t))`; of a window it is `sum_t min(t, H)`.

    >>> import bygones as by
    >>> lag_sum(by.Problem(10, 10_000, by.Window(100)))
    995050.0
    """
    horizon, _ = known(problem, "the sum of the lags")
    return horizon + 2 * problem.memory.lag_total(horizon)
