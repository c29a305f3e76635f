"""What a study found, in words and short tables: for the terminal, notebooks and the page."""

from ..exponents import Fit, fitted
from .comparing import Curve, curves, numeric, ranking
from .results import Found

SHOWN = 8  # learners of a short table
STRAIGHT = 0.25  # the largest misfit of what is said to grow like a power
Fitted = tuple[str, Curve, Fit | None, Fit | None]  # a parameter, its curve, its exponent, and that of the bound


def answer(found: Found) -> str:
    """Which learner is best, by how much, and on what: in one sentence."""
    ranked = ranking(found.ends)
    if not ranked.standings:
        return "No problem has results of all learners yet."
    first, *others = ranked.standings
    many = f"{_count(ranked.problems, 'problem')} and {_count(ranked.replicates, 'replicate')}"
    said = f"{first.learner} has a regret of {number(first.mean)} in the mean over {many}"
    if not others:
        return f"{said}."
    rivals = [each.learner for each in others if not each.clear]
    if rivals:
        named = rivals[0] if len(rivals) == 1 else f"{rivals[0]} and {_count(len(rivals) - 1, 'other')}"
        return f"{said}, the lowest; that {named} {'is' if len(rivals) == 1 else 'are'} worse is not shown."
    spread = "" if others[0].se is None else f" (standard error {error(others[0].se)})"
    return f"{said}, the lowest; {others[0].learner} is next with {number(others[0].more)} more{spread}."


def standings(found: Found, most: int = SHOWN) -> tuple[list[str], list[list[str]]]:
    """The learners, the best first.

    Args:
        found: the results.
        most: how many at most.

    Returns:
        The headings, and the rows.
    """
    ranked = ranking(found.ends)
    rows = [
        [
            each.learner,
            number(each.mean),
            "" if not place else number(each.more) + ("" if each.se is None else f" ({error(each.se)})"),
            f"{each.best:,} of {ranked.problems:,}",
        ]
        for place, each in enumerate(ranked.standings[:most])
    ]
    return ["learner", "mean regret", "more than the best (se)", "lowest in"], rows


def exponents(found: Found) -> list[Fitted]:
    """How regret grows with every numeric parameter, for each learner and kind of costs, and how the bound does."""
    made: list[Fitted] = []
    for name in numeric(found.study):
        for curve in curves(found.study, found.ends, [name]):
            x = [value for (value,) in curve.values]
            promised = None if curve.bounds is None else fitted(x, curve.bounds[None])
            made.append((name, curve, fitted(x, curve.table), promised))
    return made


def growth(found: Found, most: int = 4) -> list[str]:
    """How the regret of the best learner grows, where it is a power: one sentence per parameter and kind of costs.

    Args:
        found: the results.
        most: how many at most.

    Returns:
        The sentences.
    """
    ranked = ranking(found.ends).standings
    best = {each.learner for each in ranked[:1]}
    said = []
    for name, curve, fit, _ in exponents(found):
        if curve.learner in best and fit is not None and fit.misfit <= STRAIGHT:
            said.append(f"Its regret grows like {name}^{power(fit.exponent)} (se {power(fit.se)}) on {curve.costs}.")
    return said[:most]


def power(value: float) -> str:
    """An exponent for readers.

    >>> power(0.4962), power(-0.001)
    ('0.50', '0.00')
    """
    return f"{round(value, 2) + 0.0:.2f}"


def number(value: float) -> str:
    """A number for readers.

    >>> number(1234.56), number(2.345), number(0.01234)
    ('1,235', '2.3', '0.012')
    """
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 1 else f"{value:.2g}"


def error(value: float) -> str:
    """A standard error for readers: two digits.

    >>> error(0.0), error(1.638), error(23.4)
    ('0', '1.6', '23')
    """
    return f"{float(f'{value:.2g}'):,.10g}"


def _count(many: int, what: str) -> str:
    return f"{many:,} {what}{'' if many == 1 else 's'}"
