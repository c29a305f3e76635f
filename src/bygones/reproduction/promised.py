"""Who promises what: against whom, and what must be known for it."""

from ..learners import FixedShare, Guarded, Learner
from ..problem import Problem


def changes(learner: Learner) -> int:
    """How often the path may change that a learner's promise compares it with; 0: it is the best fixed action."""
    who = learner.shadow if isinstance(learner, Guarded) else learner
    return int(who.changes) if isinstance(who, FixedShare) else 0


def against(learner: Learner) -> str:
    """Whom a learner's promise compares it with.

    >>> against(FixedShare(changes=1)), against(Guarded())
    ('any path with 1 change', 'the best action')
    """
    most = changes(learner)
    return f"any path with {most} change{'s'[: most != 1]}" if most else "the best action"


def holds(learner: Learner) -> str:
    """In which sense a learner's promise holds."""
    return "in expectation" if learner.randomised else "on every path of costs"


def needs(learner: Learner, problem: Problem) -> str:
    """What must be known of a problem for a learner to play, and for its promise.

    Args:
        learner: who plays.
        problem: one whose horizon and range are known.

    Returns:
        `horizon`, `range`, both, or `nothing`.

    >>> import bygones as by
    >>> problem = by.Problem(2, 100, by.Window(5))
    >>> needs(by.Guarded(), problem), needs(by.Hedge(tuning="anytime"), problem), needs(by.Steering(), problem)
    ('horizon, range', 'range', 'nothing')
    """
    who = [learner.learner, learner.shadow] if isinstance(learner, Guarded) else [learner]
    unknown = {"horizon": problem.replace(horizon=None), "range": problem.replace(cost_range=None)}
    return ", ".join(word for word, less in unknown.items() if not all(_plays(one, less) for one in who)) or "nothing"


def _plays(learner: Learner, problem: Problem) -> bool:
    try:
        learner.start(problem)
    except ValueError:
        return False
    return True
