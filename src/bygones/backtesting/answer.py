"""The answer of a backtest: what to do next, what that rests on, how sure it is, and what it would have saved."""

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ..learners import Learner
from ..theory import known
from .certainty import ADVISERS, EVEN, FALLBACK, MOST_LOG, YOU, Saving
from .moves import NAMED, arrives, decides, held, mix, shares
from .sentences import called, figure, grown, holds, notes, past, per, percent, rough, spoken, when

if TYPE_CHECKING:
    from .outcome import Backtest

FORGETS = "FixedShare"  # the learner that forgets
FORECASTS = re.compile(
    r"(?i)(?:^|[\W_])(?:arima|brier|crps|ets|forecast(?:er)?s?|log[\W_]?loss|mae|mape|mase|mse|naive|pinball|prophet|"
    r"residuals?|rmse|sarima|smape|(?:abs(?:olute)?|squared?|forecast|prediction)?errors?(?!-free))(?:$|[\W_\d])"
)
OUTCOMES = re.compile(r"(?i)(?:actuals?|observ(?:ed|ations?)|truth|y_true)(?:[\W_]values?)?")  # what was forecast


class Answer(NamedTuple):
    """What to do in the next period, as plain values and sentences.

    Args:
        clear: the past shows a difference: between options, or between the adviser and an even split.
        adviser: the label of the learner whose advice this is; None: nothing is clear, so that none is followed.
        decision: the options to choose and their shares, the largest first.
        headline: what to do, in a sentence.
        arrives: how long a draw is kept, the state that this leads to, and when the target is reached.
        rests_on: which periods, which learner, and how that did.
        sure: which options can be told apart, and what is at stake.
        saves: what it would have saved against what was done, or against an even split.
        caveats: what to know before following it, the weightiest first.
        read_as: how the tables were read, where that is worth a note.
        held: what you hold now: options and their shares; None: not known.
        look_again: when to ask again.
    """

    clear: bool
    adviser: str | None
    decision: list[tuple[str, float]]
    headline: str
    arrives: str
    rests_on: list[str]
    sure: list[str]
    saves: list[str]
    caveats: list[str]
    read_as: list[str]
    held: list[tuple[str, float]] | None
    look_again: str


def answer(done: "Backtest") -> Answer:
    """The answer of a backtest."""
    known_ = done.facts.change is not None or bool(done.facts.beaten)
    clear = known_ or bool(done.since["distinguishable"].any()) or done.facts.savings[-1].clear
    follows = clear or done.about["chosen"]
    decision = shares(done, done.next.filter(learner=done.adviser), "decision")
    after, who = f"For the period after {when(done.facts.last)}", spoken(done)[done.adviser]
    if not decision:
        headline = f"{after}, {who} has no decision, for its table ends there."
    elif follows:
        headline = f"{after}, {who} {decides(done)}: {mix(done, decision)}."
        if not clear:
            headline += " But the options cannot be told apart."
    else:
        decision, do = _whatever(done)
        headline = f"{after}, {do}."
    return Answer(
        clear=clear,
        adviser=done.adviser if follows else None,
        decision=decision,
        headline=" ".join([headline, *ended(done), *[f"But {text}" for text, _ in _no_losses(done)]]),
        arrives=arrives(done) if follows else "",
        rests_on=_rests_on(done, follows),
        sure=_sure(done),
        saves=[_saved(done, each, clear, follows) for each in done.facts.savings],
        caveats=caveats(done, follows),
        read_as=notes(done),
        held=held(done, "state"),
        look_again=_look_again(done, clear),
    )


def _whatever(done: "Backtest") -> tuple[list[tuple[str, float]], str]:
    """What to do where nothing can be told apart: the shares, and that in words."""
    live, last = [name for name in done.problem.names if name not in done.about["ended"]], held(done, "decision")
    decision, do = [(name, 1 / len(live)) for name in live], "split evenly, or as you like"
    if len(live) == 1:
        return decision, f"choose {called(done.problem.names)[live[0]]}, the only option that is left"
    if last is not None and all(name in live for name, share in last if share > 0):
        decision, do = last, "decide as before, or as you like"
    few = not math.isfinite(max(done.since["high"]))
    why = f"{done.periods:,} periods are too few to tell" if few else f"the {done.problem.n} options cannot be told"
    return decision, f"{do}: {why}{' options' * few} apart"


def _rests_on(done: "Backtest", follows: bool) -> list[str]:
    """The periods and the learner, how it did, and why it advises, if it does."""
    over = f"Over {done.periods:,} periods, from {when(done.facts.first)} to {when(done.facts.last)}, the learner"
    found = _account(done) if done.wealth is None else _worth(done, done.wealth)
    return [f"{over} {spoken(done)[done.adviser]} would have {found}.", *[_why(done)] * follows, *_changed(done)]


def _account(done: "Backtest") -> str:
    """What the adviser paid, and how that compares with the best option."""
    total, (option, best, *_) = _paid(done, done.adviser), done.options.row(0)
    sign, worse, better = (-1, "less", "more") if done.about["gains"] else (1, "more", "less")
    switches = ", cost of switches included" if done.about["switch_cost"] else ""
    return (
        f"had a {holds(done)} of {figure(sign * total)}, {figure(sign * total / done.periods)} per period{switches}. "
        f"That is {figure(abs(total - best))} {worse if total >= best else better} than the best single option in "
        f"hindsight, {called(done.problem.names)[option]}"
    )


def _worth(done: "Backtest", wealth: pl.DataFrame) -> str:
    """What the adviser made of a wealth of 1, and the best asset."""
    mine = wealth.filter(kind="learner", name=done.adviser).row(0, named=True)
    asset = wealth.filter(kind="asset").row(0, named=True)
    growth = "" if mine["growth"] is None else f", {percent(mine['growth'])} {per(done)}"
    charged = ", cost of trading included" if done.about["trade_cost"] else ""
    return (
        f"made {grown(mine['wealth'])} of 1{growth}{charged}. The best single asset in hindsight, "
        f"{called(done.problem.names)[asset['name']]}, made {grown(asset['wealth'])}"
    )


def _paid(done: "Backtest", label: str) -> float:
    """What a learner paid, cost of switches included; on prices, its log wealth with the sign flipped."""
    if done.wealth is not None:
        made = done.wealth.filter(kind="learner", name=label)["wealth"][0]
        return -math.log(made) if made else math.inf if made == 0 else -math.inf
    return float(done.accounts.filter(learner=label)["total_with_switches"][0])


def _size(done: "Backtest", value: float, worse: bool = True) -> str:
    """An estimated difference; that of log wealth as a part of the larger wealth, or of the smaller one.

    Args:
        done: the backtest.
        value: the difference.
        worse: it is said of what is worse; else of what is better.

    Returns:
        A number, or a percentage.
    """
    if done.wealth is None:
        return rough(value)
    return percent(-math.expm1(-value) if worse else math.expm1(min(value, MOST_LOG)))


def _why(done: "Backtest") -> str:
    """Why this learner advises."""
    names = spoken(done)
    passed = _listed([names[label] for label in done.facts.passed_over])
    who, best = names[done.adviser], names[done.rivals["learner"][0]]
    apart = done.rivals.filter(learner=done.adviser).row(0, named=True)
    by = f"by {_size(done, apart['difference'], worse=False)} per period"
    better = f"{best} did clearly better, {by}, at 95 % for all learners together"
    if done.about["chosen"]:
        first, others = f"{who} advises, as it was given first", len(done.learners) - 1
        none = f"; none of the {others + 1} learners given did clearly better" if others else ""
        return f"{first}; but {better}." if apart["distinguishable"] else f"{first}{none}."
    if done.learners[done.adviser] == Learner.parse(FALLBACK):
        return f"{who}, the even split, advises, as {passed} did worse (at 95 % each)."
    own = [label for label, each in done.learners.items() if each in map(Learner.parse, ADVISERS)]
    *some, last = [names[label] for label in own]
    left = [names[label] for label in own if label not in done.facts.passed_over]
    listed = f"{', '.join(some)} and {last}"
    beaten = f"; {passed} did worse than an even split (at 95 %)" if passed else ""
    if done.facts.change and FORGETS in repr(done.learners[done.adviser]) and not apart["distinguishable"]:
        return f"{who} advises, as the best option changed and it forgets; no other learner clearly beats it{beaten}."
    if apart["distinguishable"]:
        only = f"the best of {_listed(left)}" if len(left) > 1 else f"the only one left of {listed}"
        return f"{who} advises, {only}{beaten}; but {better}."
    return f"{who} advises, the first of {listed} that no other learner clearly beats{beaten}."


def _changed(done: "Backtest") -> list[str]:
    """That the best option changed, and whether a learner that forgets did better."""
    change, short, who = done.facts.change, called(done.problem.names), spoken(done)
    if change is None:
        return []
    between = f"from {short[change.before]} to {short[change.after]}"
    said = f"The best option changed at about {when(change.when)}, {between}."
    forgets = [FORGETS in repr(done.learners[label]) for label in done.rivals["learner"]]
    others = done.rivals.filter(~pl.Series(forgets))
    if forgets[0] and others.height and others["distinguishable"].all():
        nearest = others.row(0, named=True)
        difference, low, high = (_size(done, nearest[name], False) for name in ("difference", "low", "high"))
        said += (
            f" {who[done.rivals['learner'][0]]}, which forgets, did clearly better than all learners that do not: by "
            f"{difference} per period ({low} to {high}, at 95 % for all learners together)."
        )
    return [said]


def _sure(done: "Backtest") -> list[str]:
    """Which options can be told apart, and what is at stake."""
    short, frame, change = called(done.problem.names), done.since, done.facts.change
    others = frame[1:]
    since = f"Since {when(change.when)}" if change else f"Over {done.periods:,} periods"
    all_, mean = "at 95 % for all options together", abs(float(done.options["average"][0]))
    apart, alike = (others.filter(pl.col("distinguishable") == told) for told in (True, False))
    worst = max(alike["high"], default=0.0)
    part = (
        f" ({percent(worst / mean)} of the best option's {holds(done)})" if worst < mean and done.wealth is None else ""
    )
    stake = f"at most {_size(done, worst)} per period{part}"
    if not math.isfinite(worst):
        few = f"{since}: too few to tell options apart."
        return [f"{since}, so lately that the difference cannot be measured yet." if change else few]
    if apart.is_empty() and done.facts.beaten:
        worse = _listed([short[name] for name in done.facts.beaten])
        none = f"{since} no option can be told apart from the best, {short[frame['option'][0]]}"
        return [f"{none}, but {worse} can from others, which are clearly better, {all_}."]
    if apart.is_empty():
        none = f"{since} no option can be told apart from the others"
        return [f"{none}: {stake} is at stake between them, {all_}."]
    nearest, best = apart.row(0, named=True), short[frame["option"][0]]
    limits = f"{_size(done, nearest['low'])} to {_size(done, nearest['high'])}, {all_}"
    than, near = _listed([short[name] for name in apart["option"]]), short[nearest["option"]]
    by = f"by {_size(done, nearest['difference'])} per period ({limits})"
    which = f"than the nearest of them, {near}, " * (apart.height > 1)
    said = f"{since}, {best} is clearly better than {than}: {which}{by}."
    like = _listed([short[name] for name in alike["option"]])
    return [said, *[f"It cannot be told apart from {like}: {stake}."] * (alike.height > 0)]


def _listed(names: list[str]) -> str:
    """Some names, and how many more.

    >>> _listed(["rail"]), _listed(["rail", "road"]), _listed(["rail", "road", "sea", "air"])
    ('rail', 'rail and road', 'rail, road and 2 more')
    """
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {len(names) - 2:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _saved(done: "Backtest", saving: Saving, clear: bool, follows: bool) -> str:
    """What the adviser would have saved, or the learner that would advise if anything were clear.

    Args:
        done: the backtest.
        saving: against what, and how much.
        clear: the past shows a difference; else it is said why this one shows none.
        follows: the advice is that of the learner.

    Returns:
        A sentence or two.
    """
    who, gains, total = spoken(done)[done.adviser], done.about["gains"], saving.total
    other = f"what you did in the last {_periods(saving)}" if saving.against == YOU else EVEN
    better, worse = ("gained {} more", "gained {} less") if gains else ("saved {}", "cost {} more")
    if done.wealth is not None:
        better, worse = "ended with {} more wealth", "ended with {} less wealth"
    share = f", {percent(abs(saving.share))}" if abs(saving.share) < 1 and done.wealth is None else ""
    low, high = (saving.low, saving.high) if total >= 0 else (-saving.high, -saving.low)
    if saving.against == EVEN and low == high == 0:
        return f"{who} is an even split, and saves nothing against one."
    said = (better if total >= 0 else worse).format(_size(done, abs(total), total < 0))
    ends = " to ".join(_size(done, end, total < 0) for end in (low, high))
    if done.wealth is not None and low < 0 < high:
        first, then = ("more", "less") if total < 0 else ("less", "more")
        ends = f"from {_size(done, -low, total >= 0)} {first} to {_size(done, high, total < 0)} {then}"
    spread = f" ({ends} at 95 %)" if math.isfinite(low) else ""
    unproved = " That is not clear: at 99 %, the level for such a claim, it may be nothing." * (
        not clear and low > 0 and not saving.clear
    )
    if follows:
        return f"Against {other}, {who} would have {said}{share}{spread}.{unproved}"
    return f"Had you followed {who}, it would have {said}{share} against {other}{spread}.{unproved}"


def _periods(saving: Saving) -> str:
    """How many periods a saving is about, behind 'the last'."""
    return "period" if saving.periods == 1 else f"{saving.periods:,} periods"


def caveats(done: "Backtest", follows: bool) -> list[str]:
    """What to know before following the advice, the weightiest first.

    Args:
        done: the backtest.
        follows: the advice is that of a learner.

    Returns:
        Sentences.
    """
    own = (_dearer(done), _promise(done)) if follows else ([], [])
    return [*own[0], *_forecasts(done), *past(done), *_exceeded(done), *own[1]]


def _dearer(done: "Backtest") -> list[str]:
    """That what was really done was better than the adviser."""
    saving, who = done.facts.savings[0], spoken(done)[done.adviser]
    if saving.against != YOU or saving.total >= 0:
        return []
    chance = "" if saving.high < 0 else ", which may be chance"
    return [f"What you really did in the last {_periods(saving)} was better than {who}{chance}."]


def _exceeded(done: "Backtest") -> list[str]:
    """That the range was exceeded, so that bounds do not apply."""
    facts, R = done.facts, known(done.problem, "a backtest")[1]
    if not facts.cut_periods:
        return []
    where = "" if done.about["range"] == "declared" else f" of the first {done.about['burn_in']:,}"
    widest = f"{holds(done)}s differed by more than the range{where}, {figure(R)}"
    return [f"In {facts.cut_periods:,} of {done.periods:,} periods {widest}, so no bound applies to this run."]


def _forecasts(done: "Backtest") -> list[str]:
    """Cautions where the columns look like forecasts, or like their errors."""
    said = (
        "These look like errors of forecasts: what is counted is the mean of the single forecasts' errors. The error "
        "of the mixed forecast is another thing; squared or absolute, it is never larger and often much smaller."
    )
    raw = any(map(OUTCOMES.fullmatch, done.problem.names))
    return [*(text for _, text in _no_losses(done)), *[said] * (_of_forecasts(done) and not raw)]


def _of_forecasts(done: "Backtest") -> bool:
    """Whether the columns, or the file, are named like forecasts or their errors."""
    texts = (*done.problem.names, re.sub(r".*[/\\]", "", done.about["costs"]))
    return any(map(FORECASTS.search, texts))


def _no_losses(done: "Backtest") -> list[tuple[str, str]]:
    """Why the values seem to be no losses of forecasts, so that the advice means nothing: in short, and in full."""
    what, values = holds(done), done.costs["value"]
    for name in filter(OUTCOMES.fullmatch, done.problem.names):
        own, short = called(done.problem.names)[name], f"these look like forecasts, not {what}s."
        full = f"{own!r} looks like what the others forecast. Forecasts are no {what}s: take the loss of each first"
        return [(short, f"{full}, such as its squared error, and leave {own!r} out.")]
    if not _of_forecasts(done) or done.wealth is not None or min(values) >= 0 or max(values) <= 0:
        return []
    full = "These look like signed errors: take squares or absolute values first. As they are, those furthest"
    side = "above" if done.about["gains"] else "below"
    short = "these look like signed errors, the best of which are closest to zero."
    return [(short, f"{full} {side} zero count as the best.")]


def _promise(done: "Backtest") -> list[str]:
    """What the adviser promises, marked where that says nothing."""
    who, bound = spoken(done)[done.adviser], done.accounts.filter(learner=done.adviser)["bound"][0]
    T, R = known(done.problem, "a backtest")
    if done.about["history"]:
        return []
    if bound is None:
        return [f"{who} promises nothing beforehand."]
    share = f"{percent(bound / (R * T))} of the range times the periods"
    if bound >= R * T:
        return [f"The promise of {who} is vacuous: {share}, and nobody can lose more."]
    exceeded = f"Had all {holds(done)}s been within the range, {who} would have promised"
    promises = exceeded if done.facts.cut_periods else f"{who} promises"
    if done.wealth is not None:
        part = f"{percent(math.exp(-bound))} of the wealth of the best single asset"
        return [f"{promises} at least {part}, before the cost of trading."]
    return [f"{promises} to be at most {figure(bound)} worse than the best single option, or {share}."]


def ended(done: "Backtest") -> list[str]:
    """Which options get no weight in the next period, as they have no current value."""
    gone = done.about["ended"]
    if not gone:
        return []
    names = called(done.problem.names)
    shown = [f"{names[option]} has no value after {when(after)}" for option, after in list(gone.items())[:NAMED]]
    more = [f"{len(gone) - NAMED} more have none in the last period"] if len(gone) > NAMED else []
    who, part = ("it gets", "its part") if len(gone) == 1 else ("they get", "their part")
    return [f"{', '.join(shown + more)}: {who} no weight here, and the others share {part}."]


def _look_again(done: "Backtest", clear: bool) -> str:
    """When to ask again."""
    periods = done.facts.arrival
    if not clear:
        return "Look again when there are many more periods, say half as many again."
    if periods is None or periods == 1:
        return "Look again when the next period's values are known."
    return f"Look again when the next period's values are known; the move takes {periods:,} periods."
