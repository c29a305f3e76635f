"""The page of a backtest, and the files beside it: what to do, why, how it was judged, and what theory says."""

import math
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from ..report import File, Page, Share, as_csv
from ..store import as_bytes
from ..theory import known
from . import charts, sentences
from .certainty import YOU
from .sentences import called, figure, holds, named, per, percent, ranked, richest, shortened, when, worded

if TYPE_CHECKING:
    from .outcome import Backtest

SHARES = 6  # options with a share in a bar; the others share one
CAVEATS = 2  # on the card
AT_ONCE = "As they hold for all learners at once, these limits are wider than those of one saving."
STACKED = 9  # options in the tables of the next period
LISTED = 50  # options in a table; files have all
DETAILS = ("switches", "switch_cost", "low", "high")  # columns of the second table
PROMISES = ("bound", "share", "guarantee")  # columns that are explained with the theory
HEADS = {
    "average": "per period",
    "gap": "worse than the clairvoyant",
    "switch_cost": "cost of switches",
    "total_with_switches": "total with switches",
    "saved": "would have saved you",
    "low": "5 % of draws below",
    "high": "95 % of draws below",
    "guarantee": "guarantee at the end",
}
SHOW = {"from": when, "to": when}

KIND = "backtest"
FILES = {
    "results.parquet": "costs and regrets over time, at up to 1,000 periods",
    "decisions.parquet": "decisions and states over time, at up to 1,000 periods",
    "learners.csv": "what each learner would have cost; gains count as negative costs",
    "options.csv": "what each option would have cost if it was held all the time",
    "stretches.csv": "the worst stretch of periods for each learner",
    "sensitivity.csv": "regret with memories of other lengths",
    "next.csv": "decisions for the next period, and the states that they lead to",
}
WEALTH = {"wealth.csv": "what holding each portfolio would have made of a wealth of 1"}


def write(done: "Backtest", path: Path, single_file: bool = False) -> None:
    """Write the page and its data, or nothing; the same results give the same bytes, except for the page.

    Args:
        done: the backtest.
        path: a new or empty folder, or one that holds an earlier backtest; or the one file.
        single_file: write one file of HTML, with script and data inside.
    """
    page(done).report(path, KIND, single_file)


def _files(done: "Backtest") -> dict[str, File]:
    """The files that belong to the page."""
    frames = [done.path, done.decisions, done.accounts, done.options, done.stretches, done.sensitivity, done.next]
    files = dict(zip(FILES.items(), frames, strict=True))
    files |= {} if done.wealth is None else dict.fromkeys(WEALTH.items(), done.wealth)
    return {
        name: File(what, as_csv(frame) if name.endswith(".csv") else as_bytes(frame.write_parquet))
        for (name, what), frame in files.items()
    }


def page(done: "Backtest") -> Page:
    """The page: the decision first, then why, how it was judged, the theory, and how it was made."""
    page = Page(f"Backtest of {shortened([done.about['costs']], 80)[0]}", _files(done))
    _card(page, done)
    page.text(
        "A learner is a rule that chooses options in each period, one or a mix, from earlier periods only. What a",
        f"period {'gains' if done.about['gains'] else 'costs'} depends on the state, the average of past decisions",
        f"that the memory gives: here {done.problem.memory.phrase}. The backtest lets learners decide through the",
        "past, and takes its advice from one of them.",
    )
    _why(page, done)
    _judged(page, done)
    _theory(page, done)
    _made(page, done)
    return page


def _card(page: Page, done: "Backtest") -> None:
    """What to do, how sure that is, what is at stake, and when to look again."""
    told = done.answer
    bars = {"The next period": _bar(done, told.decision)} if told.decision else {}
    if told.held is not None:
        bars["What you hold now"] = _bar(done, told.held)
        if told.arrives:
            own = done.next.filter(learner=done.adviser).sort("state", descending=True, maintain_order=True)
            bars["What you hold then"] = _bar(done, own.select("option", "state").rows())
    notes: dict[str, Sequence[str]] = {
        "How sure": told.sure,
        f"What it would have {'gained' if done.about['gains'] else 'saved'}": told.saves,
        "What it rests on": told.rests_on,
        "Where it leads": [told.arrives] if told.arrives else [],
        "Before you rely on it": told.caveats[:CAVEATS],
        "How the table was read": told.read_as,
        "When to look again": [told.look_again],
    }
    page.card("What to do next", told.headline, bars, notes, percent)


def _bar(done: "Backtest", shares: Sequence[tuple[str, float]]) -> list[Share]:
    """The shares of a mix, the largest first, and the small ones as one."""
    names, colours = called(done.problem.names), charts.numbers(done)
    large = [(name, share) for name, share in shares if share >= charts.SEEN / 2][:SHARES] or list(shares[:SHARES])
    bar = [Share(names[name], share, colours.get(name)) for name, share in large]
    others, rest = sum(share > 0 for _, share in shares) - len(large), 1 - sum(share for _, share in large)
    return [*bar, Share(f"{others} other{'s'[: others > 1]}", rest, None)] if rest >= charts.SEEN / 2 else bar


def _table(page: Page, done: "Backtest", frame: pl.DataFrame, caption: str) -> None:
    """Add a table, with short names and plain headings, and gains where the table holds gains."""
    heads = (
        HEADS | {"total": f"total {holds(done)}"} | ({"saved": "would have gained you"} if done.about["gains"] else {})
    )
    page.table(named(done, worded(done, frame)).rename(heads, strict=False), caption, SHOW, figure)


def _why(page: Page, done: "Backtest") -> None:
    what, change, left = holds(done), done.facts.change, len(done.options) - LISTED
    page.heading("Why")
    page.heading("The options", 3)
    charts.values(page, done)
    more = f" {left:,} more are in options.csv." if left > 0 else ""
    _compared(
        page,
        done,
        done.options.select("option", "total", "average").join(done.comparison, on="option", maintain_order="left"),
        f"The {what} of each option if it is held all the time, the best one first, and how much worse it is than that "
        f"one per period.{more}",
    )
    if change is not None:
        since = f"How much worse each option is per period than the best one since {when(change.when)}"
        _compared(page, done, done.since, f"{since}, when the best option changed.")
    page.heading("The learners compared", 3)
    charts.differences(page, done)
    for label in charts.shown(done):
        if label in (done.adviser, YOU):
            page.heading("What you did" if label == YOU else "What the adviser decided", 3)
            charts.bands(page, done, label, "decision")
            charts.bands(page, done, label, "state")
    page.heading("If the best option changes", 3)
    names = called(done.problem.names)
    paths = done.paths.with_columns(
        pl.col("dates").list.eval(pl.element().cast(pl.String)).list.join(", "),
        pl.Series("options", [", then ".join(names[name] for name in own) for own in done.paths["options"]], pl.String),
    )
    said = "The best that could have been done in hindsight with at most so many changes, and how much better it is."
    _table(page, done, paths.rename({"saved": "better by", "dates": "when"}), said)


def _compared(page: Page, done: "Backtest", frame: pl.DataFrame, caption: str) -> None:
    """Add a table of differences to the best, with their intervals, where the first is the best."""
    told = pl.when("distinguishable").then(pl.lit("clearly")).otherwise(pl.lit("cannot tell"))
    best = pl.int_range(pl.len()) == 0
    noise = 1e-9 * pl.col("high").max()  # what rounding leaves of zero
    shown = frame.head(LISTED).with_columns(
        pl.when(pl.col(name).abs() > noise).then(name).otherwise(0.0).alias(name)
        for name in ("difference", "low", "high")
    )
    shown = shown.with_columns(worse=pl.when(best).then(pl.lit("the best")).otherwise(told)).drop("distinguishable")
    heads = {"difference": "worse by", "low": "at least", "high": "at most", "worse": "worse?"}
    said = f"{caption} 'at least' and 'at most' hold at 95 % for all rows together."
    _table(page, done, shown.rename(heads), said)


def _judged(page: Page, done: "Backtest") -> None:
    page.heading("How it was judged")
    page.text(
        "Every learner decided through the same past. Regret is how much worse a learner did than the best single",
        "option, held all the time. A clairvoyant knows all periods in advance.",
    )
    page.items(sentences.summary(done))
    if done.wealth is not None:
        _wealth(page, done, done.wealth)
    _learners(page, done)
    others = [label for label in charts.shown(done) if label not in (done.adviser, YOU)]
    if others:
        page.heading("What other learners decided", 3)
    for label in others:
        charts.bands(page, done, label, "decision")
    _next(page, done)
    page.heading("Other lengths of the memory", 3)
    page.text(sentences.lengths(done))
    if done.sensitivity.height:
        charts.lengths(page, done)
        said = f"Regret at the end. The backtest has the memory {done.problem.memory.short_words}."
        _table(page, done, done.sensitivity, said)


def _wealth(page: Page, done: "Backtest", wealth: pl.DataFrame) -> None:
    page.heading("Wealth", 3)
    page.text(
        "What holding each portfolio would have made of a wealth of 1. A learner's portfolio is its state; one that",
        "draws holds its exact mean where that is known. Gains are logarithms: without costs of trading, log wealth is",
        "at least the gain of the learner in the tables below. Volatility is the standard deviation of log growth. The",
        "drawdown is the largest fall from an earlier high. The turnover is all that was traded, in parts of the",
        "wealth at the time, purchases and sales both counted, whether decisions or prices moved the weights.",
    )
    heads = {"growth": f"growth {per(done)}", "volatility": f"volatility {per(done)}", "cost": "lost to trading"}
    frame = richest(done, wealth, LISTED).rename(heads, strict=False)
    shares = dict.fromkeys([*heads.values(), "drawdown"], percent)
    yours = " You come last, as your row is about fewer periods." * ("periods" in wealth.columns)
    page.table(frame, f"Portfolios, the most wealth first.{yours}", shares, figure)


def _learners(page: Page, done: "Backtest") -> None:
    page.heading(f"The {holds(done)} of each learner", 3)
    page.text(
        "A learner that draws at random is shown by its exact mean where that is known, and otherwise by the mean of",
        f"{done.about['replicates']} draws and the curves of one. Its switches are a mean over the draws, and 5 % and",
        f"95 % of the draws stay below the {holds(done)}s in the second table.",
    )
    frame = ranked(done).drop(PROMISES)
    if not done.about["switch_cost"]:
        frame = frame.drop("switch_cost", "total_with_switches")
    frame = frame.drop([name for name in frame.columns if frame[name].is_null().all()])
    besides = [name for name in DETAILS if name in frame.columns]
    first = "best one" if done.wealth is None else "one with the most wealth"
    logs = " What they would have gained you is in log wealth." * (done.wealth is not None and "saved" in frame.columns)
    _table(page, done, frame.drop(besides), f"{holds(done).capitalize()}s of the learners, the {first} first.{logs}")
    _table(page, done, frame.select("learner", *besides), "How often they switched, and how far their draws spread.")
    said = "How much worse each learner did per period than the best, switches included."
    _compared(page, done, done.rivals, f"{said} {AT_ONCE}")
    if done.stretches.height:
        page.heading("The worst stretches", 3)
        said = "For each learner, the stretch of periods in which it did worst against the best fixed option."
        _table(page, done, done.stretches.sort("excess", descending=True), said)


def _next(page: Page, done: "Backtest") -> None:
    page.heading("The next period, by learner", 3)
    page.text(done.answer.headline)
    if done.next.is_empty():
        return
    count = f"{min(STACKED, done.problem.n)} of {done.problem.n} options; next.csv has all."
    for what, caption in (
        ("target", "The state that each learner aims at"),
        ("decision", "What each learner decides"),
        ("state", "The state that this leads to"),
    ):
        frame = named(done, done.next).pivot("learner", index="option", values=what, maintain_order=True)
        ordered = frame.sort(frame.columns[1:], descending=True, maintain_order=True)  # the first learner counts first
        page.table(ordered.head(STACKED), f"{caption}: {count}", number=percent)


def _theory(page: Page, done: "Backtest") -> None:
    page.heading("The theory, for those who want it")
    page.text(
        "A bound is the largest regret that a learner can have, whatever the periods bring. It is known before the",
        f"first one. The trivial bound is the range of a period's {holds(done)}s times the number of periods: no run",
        "within the range can have more regret, so a bound that is not below it says nothing, and is called vacuous.",
    )
    page.items(sentences.promises(done))
    bounded = done.accounts.drop_nulls("bound")
    if bounded.height:
        most = math.prod(known(done.problem, "a backtest"))
        shares = [percent(bound / most) if bound < most else "vacuous" for bound in bounded["bound"]]
        columns = ["learner", "bound", "regret", *["guarantee"] * (not bounded["guarantee"].is_null().all())]
        frame = bounded.select(columns).with_columns(pl.Series("of the trivial bound", shares, pl.String))
        _table(page, done, frame, "What learners promised beforehand, and the regret that they had.")
    if done.result.guarantees:
        page.text(
            "A guarantee is the largest regret that the learner can still have at the end, whatever comes within the",
            "range. It falls from period to period, unless a period exceeds the range.",
        )
        charts.guarantees(page, done)


def _made(page: Page, done: "Backtest") -> None:
    about = done.about
    page.heading("How this was made")
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    page.items(
        [
            *([f"Command: {about['command']}"] if "command" in about else []),
            f"{done.periods:,} periods, {done.problem.n} options, memory {done.problem.memory.short_words}.",
            f"Learners: {', '.join(shortened(list(map(repr, done.learners.values())), 80))}.",
            "Every decision uses earlier periods only, never its own or a later one.",
            f"Seed {about['seed']}; draw r of a learner comes from numpy's SeedSequence(seed, spawn_key=(r, 1)).",
            f"{versions}, Python {platform.python_version()}.",
        ]
    )
    page.text("The numbers are in files that belong to this page:")
    page.links()
