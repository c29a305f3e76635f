"""The top of the page: does what was computed agree with what was published?"""

from typing import Any

from .. import paper
from ..report import Page, Verdict, dots
from .runs import AGREE, Reproduction

SHOWN = (paper.FTARL_LABEL, "LSA, Anava")


def result(done: Reproduction) -> str:
    """The result in one sentence, for readers who know none of its words; empty if there is nothing to judge."""
    verdicts = [] if done.few else _published(done)
    agree = sum(bool(each.holds) for each in verdicts)
    run = f"the paper's method does as published on {agree} of {len(verdicts)} kinds of costs" if verdicts else ""
    theory = "".join(f"{each.figure} statements of its theory hold" for each in _audited(done))
    return f"Computed again, {', and '.join(filter(None, (run, theory)))}." if run or theory else ""


def headline(page: Page, done: Reproduction) -> None:
    """Cards that say what agrees, and a figure of our means beside the published ones.

    Args:
        page: the page to add to.
        done: the results.
    """
    if done.sampled:
        page.text(
            "The paper has three kinds of costs. StocHet: random, cheaper for some actions than for others. StocId:",
            "random, and alike for all actions. Cyc: two actions take turns at being cheap, 50 rounds each.",
        )
    if cards := [*_published(done), *_rate(done), *_audited(done)]:
        page.verdicts(cards)
    if done.sampled:
        _means(page, done)


def nearest(done: Reproduction) -> tuple[str, list[str]]:
    """The candidate for LSA whose curves are closest to the published ones, and all that fit them."""
    along = {name: done.fits.filter(learner=name) for name in paper.LEARNERS if name != paper.FTARL_LABEL}
    fitting = [name for name, own in along.items() if max(abs(z) for z in own["z"]) <= AGREE]
    return min(along, key=lambda name: max(along[name]["apart"])), fitting


def _published(done: Reproduction) -> list[Verdict]:
    """For each kind of costs, whether FTARL's regret agrees with the published one."""
    if not done.sampled:
        return []
    return [
        Verdict(
            f"{row['costs']}: regret of FTARL",
            f"{row['ours']:,.0f} ± {row['se']:,.0f}",
            done.few or f"{'agrees' if abs(row['z']) <= AGREE else 'does not agree'} with the paper",
            f"± is the standard error. The paper: {row['published']:,.0f}, {abs(row['z']):.1f} standard errors away.",
            None if done.few else abs(row["z"]) <= AGREE,
        )
        for row in done.table.filter(learner=paper.FTARL_LABEL).drop_nulls("published").to_dicts()
    ]


def _rate(done: Reproduction) -> list[Verdict]:
    """Which rates of LSA fit."""
    if not done.sampled or done.few:
        return []
    closest, fitting = nearest(done)
    said = "fit the published curves" if len(fitting) != 1 else "fits the published curves"
    count = f"{len(fitting)} of {len(paper.LEARNERS) - 1} rates"
    return [Verdict("LSA, whose rate is not stated", count, said, f"The closest is {closest!r}.", bool(fitting))]


def _audited(done: Reproduction) -> list[Verdict]:
    """How many statements of the theory hold."""
    passed, count = sum(each.passed for each in done.audit), len(done.audit)
    said = Verdict("Audit of the theory", f"{passed} of {count}", "statements hold on runs", "", passed == count)
    return [said] if count else []


def _means(page: Page, done: Reproduction) -> None:
    rows: list[dict[str, Any]] = [
        row for row in done.table.drop_nulls("published").to_dicts() if row["learner"] in SHOWN
    ]
    names = [f"{row['costs']}, {row['learner'].partition(',')[0]}" for row in rows]
    ours, there = ([row[name] for row in rows] for name in ("ours", "published"))
    errors = [AGREE * abs((row["ours"] - row["published"]) / row["z"]) if row["z"] else 0.0 for row in rows]
    page.chart(
        [
            dots("this reproduction", ours, names, 0, errors),
            dots("published", there, names, 1, symbol="diamond-open"),
        ],
        f"Regret after {paper.PROBLEM.horizon:,} rounds: our means and the published ones. Whiskers span {AGREE:g} "
        "standard errors, which combine our runs, the paper's runs and the reading of its figure: where a whisker "
        "reaches the published mark, the two agree. LSA has Anava's rate here.",
        x="regret after the last round",
        y="",
        yaxis={"type": "category", "autorange": "reversed", "automargin": True},
        height=300,
    )
