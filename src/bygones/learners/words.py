"""Learners as words, for command lines, files and calls."""

from collections.abc import Iterable, Sequence

from ..words import Words
from .base import Learner, labels


def learner_words() -> Words[Learner]:
    """How learners are written and read."""
    from . import LEARNERS  # which is made once all learners are there

    kinds = {kind.__name__.lower(): kind for kind in LEARNERS}
    forms = "steering, ftarl:tuning=sharp, pure(hedge:rate=0.1):how=independent or package.module:Class"
    return Words("learner", "learners", Learner, kinds, forms)


def as_learners(learners: Sequence[Learner | str]) -> list[Learner]:
    """Learners and words as a list of learners, each of them once.

    Raises:
        ValueError: if it is not a list, or something in it is neither a learner nor its words, or is in it twice.

    >>> import bygones as by
    >>> as_learners([by.FTARL(), "hedge:rate=0.1"])
    [FTARL(), Hedge(rate=0.1)]
    """
    several = isinstance(learners, Iterable) and not isinstance(learners, str | Learner)
    given = [Learner.parse(one) if isinstance(one, str) else one for one in learners] if several else []
    if not given or not all(isinstance(one, Learner) for one in given):
        raise ValueError(f"the learners are {learners!r}: give a list, such as [FTARL(), 'hedge:rate=0.1']")
    labels(given)
    return given
