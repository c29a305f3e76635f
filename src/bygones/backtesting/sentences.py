"""The results of a backtest as sentences."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import polars as pl

from ..learners import FTARL, Hedge
from ..problem import Problem
from ..promises import amount, floors, promised
from ..theory import known
from .certainty import YOU
from .sensitivity import varied

if TYPE_CHECKING:
    from .outcome import Backtest

COSTS = ("total", "average", "total_with_switches", "low", "high", "cost")  # columns that are gains, sign flipped
PYTHON = re.compile(r"learner=|\(\)")  # what only Python needs of a learner
LONGEST = 40  # characters of a name in a sentence or a chart


def figure(value: float) -> str:
    """Format a cost.

    >>> figure(-7804.71), figure(0.0), figure(-1234567.8)
    ('-7,804.7', '0', '-1,234,568')
    """
    size = abs(value)
    return f"{'-' * (value < 0)}{f'{size:,.0f}' if 1e5 <= size < 1e9 else amount(size)}"


def rough(value: float) -> str:
    """Format an estimate, which is not known to more than three digits.

    >>> rough(0.21163), rough(-4748.9), rough(123456.0)
    ('0.212', '-4,750', '123,000')
    """
    return figure(float(f"{value:.3g}")).removesuffix(".0")


def percent(share: float) -> str:
    """Format a share as a percentage.

    >>> percent(1.2634), percent(0.0712), percent(-0.0712), percent(1e-9)
    ('126 %', '7.1 %', '-7.1 %', '0 %')
    """
    shown = 100 * share
    return f"{shown:.2g} %" if 0.005 <= abs(shown) < 9.95 else f"{shown:,.0f} %".replace("-0 %", "0 %")


def when(moment: object) -> str:
    """Format a time; midnight is left out.

    >>> from datetime import datetime
    >>> when(datetime(2024, 5, 7)), when(datetime(2024, 5, 7, 12, 30)), when(7)
    ('2024-05-07', '2024-05-07 12:30:00', '7')
    """
    return str(moment).removesuffix(" 00:00:00")


def shortened(names: Sequence[str], most: int = LONGEST) -> list[str]:
    """Shorten names so that they still differ; line breaks and other control characters become spaces.

    Args:
        names: full names, all different.
        most: the most characters of a short name.

    Returns:
        The short names, in the same order.

    >>> shortened(["rail", "a very long name indeed", "a very long name as well"], most=10)
    ['rail', 'a very lo…', 'a ver… (3)']
    """
    short: dict[str, None] = {}  # in their order
    for number, name in enumerate(names, start=1):
        plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split()) or "(no name)"
        mark = ""
        while (now := _cut(plain, most - len(mark)) + mark) in short:
            mark = f" ({number})" if not mark else f"{mark}'"
        short[now] = None
    return list(short)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def called(names: Iterable[str], most: int = LONGEST) -> dict[str, str]:
    """Short names of learners or options for texts, tables and charts.

    Args:
        names: full names, all different.
        most: the most characters of a short name.

    Returns:
        Short names by full names.
    """
    given = list(names)
    return dict(zip(given, shortened(given, most), strict=True))


def spoken(done: "Backtest", most: int = LONGEST) -> dict[str, str]:
    """Short names of the learners and of `you`, without what only Python needs: `Steering(FixedShare)`.

    Args:
        done: the backtest.
        most: the most characters of a short name.

    Returns:
        Short names by labels.
    """
    labels = [*done.learners, YOU]
    return dict(zip(labels, shortened([PYTHON.sub("", label) for label in labels], most), strict=True))


def named(done: "Backtest", frame: pl.DataFrame, most: int = LONGEST) -> pl.DataFrame:
    """Replace the names of learners and options in a frame by short ones.

    Args:
        done: the backtest.
        frame: may have the columns `learner` and `option`.
        most: the most characters of a short name.

    Returns:
        The frame with short names.
    """
    known_ = {"learner": spoken(done, most), "option": called(done.problem.names, most)}
    return frame.with_columns(frame[name].replace_strict(known_[name]) for name in known_ if name in frame.columns)


def holds(done: "Backtest") -> str:
    """What an entry of the table is: a gain or a cost."""
    return "gain" if done.about["gains"] else "cost"


def worded(done: "Backtest", frame: pl.DataFrame) -> pl.DataFrame:
    """Turn a frame of costs into gains where the table holds gains.

    Args:
        done: the backtest.
        frame: has some of the columns `COSTS`.

    Returns:
        The frame, with signs flipped if the table holds gains.
    """
    if not done.about["gains"]:
        return frame
    swapped = {"low": "high", "high": "low"} if "low" in frame.columns else {}
    gains = frame.with_columns(-frame[name] for name in COSTS if name in frame.columns).rename(swapped)
    return gains.select(frame.columns)


def ranked(done: "Backtest") -> pl.DataFrame:
    """The accounts, the best learner first: by wealth where there are prices, else by cost, with that of switches.

    You come last: over fewer periods, you have no rank.
    """
    order = done.accounts.sort("total_with_switches", maintain_order=True)
    if done.wealth is not None:
        richest = done.wealth.filter(done.wealth["kind"].is_in(["learner", YOU])).select(learner="name")
        order = richest.join(done.accounts, on="learner", maintain_order="left")
    return order.sort(order["learner"] == YOU, maintain_order=True)


def summary(done: "Backtest") -> list[str]:
    """The outcome: who did best, compared with what, and notes on the numbers."""
    found = compared(done) if done.wealth is None else worth(done, done.wealth)
    return [*found, *scale(done), *past(done), *notes(done)]


def notes(done: "Backtest") -> list[str]:
    """How the table was read, as sentences."""
    return [f"{note[0].upper()}{note[1:]}." for note in done.about["notes"]]


def compared(done: "Backtest") -> list[str]:
    """Who paid least, compared with the best option and with a clairvoyant."""
    best, facts = ranked(done).filter(pl.col("learner") != YOU).row(0, named=True), done.facts
    option, held = done.options.row(0)[:2]
    name, who = called(done.problem.names)[option], spoken(done)[best["learner"]]
    total, regret, gap, switches = best["total"], best["regret"], best["gap"], ""
    if done.about["switch_cost"]:
        total, switches = best["total_with_switches"], ", cost of switches included"
        regret, gap = total - held, total - done.clairvoyant
    costs = (1, "least cost", "more", "less")
    sign, best_of, worse, better = (-1, "most gain", "less", "more") if done.about["gains"] else costs
    outcome = (
        f"Over {done.periods:,} periods, from {when(facts.first)} to {when(facts.last)}, {who} would have had the "
        f"{best_of} of the learners{switches}: {figure(sign * total)}, or {figure(sign * total / done.periods)} per "
        "period."
    )
    against = (
        f"That is {figure(abs(regret))} {worse if regret >= 0 else better} than {name} held all the time, the best "
        f"single option in hindsight ({figure(sign * held)}), and {figure(gap)} {worse} than a clairvoyant, who knows "
        f"all {holds(done)}s in advance, would have had ({figure(sign * done.clairvoyant)})."
    )
    return [outcome, against]


def worth(done: "Backtest", wealth: pl.DataFrame) -> list[str]:
    """Who ended with the most wealth, and what the assets and the benchmarks ended with.

    Args:
        done: a backtest of prices.
        wealth: its frame of wealth.

    Returns:
        Two sentences.
    """
    held = {kind: wealth.filter(wealth["kind"] == kind).row(0, named=True) for kind in ("learner", "asset")}
    best, asset = held["learner"], held["asset"]
    even = dict(wealth.filter(wealth["kind"] == "benchmark").select("name", "wealth").iter_rows())
    who, name = spoken(done)[best["name"]], called(done.problem.names)[asset["name"]]
    charged = ", costs of trading included" * bool(done.about["trade_cost"])
    growth = "" if best["growth"] is None else f", which is {percent(best['growth'])} {per(done)}"
    outcome = (
        f"Over {done.periods:,} periods, from {when(done.facts.first)} to {when(done.facts.last)}, {who} would have "
        f"ended with the most wealth of the learners{charged}: {grown(best['wealth'])} for 1 at the start{growth}."
    )
    parts = " and ".join(f"{grown(value)} {name.removeprefix('uniform, ')}" for name, value in even.items())
    against = (
        f"{name} held all the time, the best single asset in hindsight, would have ended with "
        f"{grown(asset['wealth'])}; all assets in equal parts with {parts}."
    )
    return [outcome, against]


def grown(wealth: float | None) -> str:
    """Format a final wealth; None: more than a float can hold."""
    return "more than 1e308" if wealth is None else figure(wealth)


def per(done: "Backtest") -> str:
    """What growth and volatility are per: a year, if there are dates."""
    return "per year" if done.path["time"].dtype.is_temporal() else "per period"


def richest(done: "Backtest", wealth: pl.DataFrame, assets: int, most: int = LONGEST) -> pl.DataFrame:
    """The frame of wealth for a table: short names, and only the best assets.

    Args:
        done: the backtest.
        wealth: its frame of wealth.
        assets: how many are shown.
        most: the most characters of a name.

    Returns:
        The frame, without a column of costs where trading is free.
    """
    asset = wealth["kind"] == "asset"
    some = wealth.filter(~asset | (asset.cum_sum() <= assets))
    plain = [PYTHON.sub("", name) if kind == "learner" else name for name, kind in some.select("name", "kind").rows()]
    names = pl.Series("name", shortened(plain, most), dtype=pl.String)
    return some.with_columns(names).drop([] if done.about["trade_cost"] else ["cost"])


def scale(done: "Backtest") -> list[str]:
    """The range, where it comes from, and what exceeded it."""
    rounds, widest = known(done.problem, "a backtest")
    what = f"{holds(done)}s"
    if done.about["range"] == "declared":
        said = [f"The range of a period's {what} was declared: {figure(widest)}."]
    else:
        where = f"the first {done.about['burn_in']:,} periods, which are not played"
        said = [f"The range of a period's {what}, {figure(widest)}, is the largest in {where}."]
    entries, periods = done.facts.cut_entries, done.facts.cut_periods
    if periods:
        most = f"{figure(done.facts.widest)} at {when(done.facts.widest_at)}"
        taken = "; guarantees include what exceeded it so far" * bool(done.result.guarantees)
        said.append(
            f"In {periods:,} of {rounds:,} periods {what} differed by more, at most by {most}. Learners saw "
            f"{entries:,} {'entry' if entries == 1 else 'entries'} cut off at the range; the accounts use the full "
            f"{what}. Bounds hold only within the range, so the bounds do not apply to this run{taken}."
        )
    return said


def past(done: "Backtest") -> list[str]:
    """How a history changes what the numbers mean."""
    count = done.about["history"]
    if not count:
        return []
    who = spoken(done)[done.adviser]
    sentence = (
        f"The run begins after a history of {count:,} decision{'s'[: count > 1]}, so the paper's equality of regret "
        "and policy regret does not hold, and no guarantee applies: against the best option played from the first "
        f"period on after that history, {who}'s regret is {figure(done.facts.policy_regrets[done.adviser])}."
    )
    return [sentence]


def verdict(problem: Problem, but: str = "") -> str:
    """What the theory promises at this size.

    Args:
        problem: what is decided.
        but: what the promise is restricted to, if it does not apply to the run as it is.

    Returns:
        One sentence. A bound is vacuous if it is not below the trivial one, range times periods.

    >>> import bygones as by
    >>> print(verdict(by.Problem(12, 365, by.Window(7))))
    At 365 periods and a 7-period window the paper's guarantee is vacuous: 126 % of the trivial bound; Hedge's is 15 %.
    >>> print(verdict(by.Problem(2, 100, by.FullHistory())))
    At 100 periods ... the paper's guarantee is vacuous: 1,020 % of the trivial bound; Hedge's is 42 %.
    >>> print(verdict(by.Problem(2, 100, by.Geometric(0.9))))
    At 100 periods ... the paper's guarantee is not proved; Hedge's is 24 % of the trivial bound.
    """
    within = f", {but}" if but else ""
    T, R = known(problem, "a verdict")
    shares = {line.learner: line.value / (R * T) for line in promised(problem)}
    paper, hedge = shares.get(FTARL()), shares[Hedge()]
    head = f"At {problem.horizon:,} periods and {problem.memory.phrase} "
    if paper is None:
        verb = "is" if hedge < 1 else "is vacuous:"
        return (
            f"{head}the paper's guarantee is not proved; Hedge's {verb} {percent(hedge)} of the trivial bound{within}."
        )
    verb = "is" if paper < 1 else "is vacuous:"
    other = percent(hedge) if hedge < 1 else f"vacuous too: {percent(hedge)}"
    return f"{head}the paper's guarantee {verb} {percent(paper)} of the trivial bound; Hedge's is {other}{within}."


def caveat(done: "Backtest") -> str:
    """What bounds are restricted to, if they do not apply to the run as it is; else empty."""
    exceeded, history = bool(done.facts.cut_periods), bool(done.about["history"])
    return " and ".join([f"for {holds(done)}s within the range"] * exceeded + ["without the history"] * history)


def promises(done: "Backtest") -> list[str]:
    """What theory says in advance: the verdict, the best promise there is, and what no learner can beat."""
    best = min(promised(done.problem), key=lambda line: line.value)
    least = max((line.value for line in floors(done.problem)), default=None)
    but = f", {caveat(done)}" if caveat(done) else ""
    said = f"Of the learners with a bound known in advance, {best.name} promises the least regret: at most "
    floor = f", and none can promise less than {figure(least)}" if least is not None else ""
    return [done.verdict, *[f"{said}{figure(best.value)}{but}{floor}."] * (not done.about["history"])]


def lengths(done: "Backtest") -> str:
    """What the table of sensitivity shows, or why there is none."""
    if not varied(done.problem.memory, done.periods):
        return f"There is no length to vary in {done.problem.memory.phrase}."
    return (
        "Regret at the end if the memory has another length: when the learner knows it, and when it still assumes "
        f"{done.problem.memory.phrase}."
    )
