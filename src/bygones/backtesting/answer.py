"""The answer of a backtest: what to do next, what that rests on, how sure it is, and what it would have saved."""

import math
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ..learners import Learner
from .cautions import caveats
from .certainty import ADVISERS, EVEN, FALLBACK, MOST_LOG, YOU, Saving
from .sentences import called, figure, grown, holds, notes, per, percent, rough, spoken, when

if TYPE_CHECKING:
    from .outcome import Backtest

NAMED = 5  # options in a sentence
FORGETS = "FixedShare"  # the learner that forgets
LEAST = 0.005  # the least share that is shown
KEPT = 0.9  # of the changes that drawing anew in every period would make; fewer: draws are kept


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
    held, decision = _held(done, "state"), _shares(done, done.next.filter(learner=done.adviser), "decision")
    after, who = f"For the period after {when(done.facts.last)}", spoken(done)[done.adviser]
    if not decision:
        headline = f"{after}, {who} has no decision, for its table ends there."
    elif follows:
        headline = f"{after}, {who} {_decides(done)}: {mix(done, decision)}."
        if not clear:
            headline += " But the options cannot be told apart."
    else:
        decision, do = _whatever(done)
        headline = f"{after}, {do}."
    return Answer(
        clear=clear,
        adviser=done.adviser if follows else None,
        decision=decision,
        headline=" ".join([headline, *ended(done)]),
        arrives=_arrives(done) if follows else "",
        rests_on=_rests_on(done, follows),
        sure=_sure(done),
        saves=[_saved(done, each, follows) for each in done.facts.savings],
        caveats=caveats(done, follows),
        read_as=notes(done),
        held=held,
        look_again=_look_again(done, clear),
    )


def mix(done: "Backtest", shares: list[tuple[str, float]]) -> str:
    """A mix of options in words.

    Args:
        done: the backtest.
        shares: options and their shares, the largest first.

    Returns:
        Such as `98 % Costa, 2.4 % Adler`.
    """
    short = called(done.problem.names)
    shown = [(name, share) for name, share in shares if share >= LEAST][:NAMED] or shares[:NAMED]
    parts = [f"{percent(share)} {short[name]}" for name, share in shown]
    rest = 1 - sum(share for _, share in shown)
    if rest >= LEAST:
        others = sum(share > 0 for _, share in shares) - len(shown)
        parts.append(f"{percent(rest)} in {others} other{'s'[: others > 1]}")
    return ", ".join(parts)


def _shares(done: "Backtest", frame: pl.DataFrame, column: str) -> list[tuple[str, float]]:
    """Options and their shares, the largest first; in the order of the table where they are alike."""
    return frame.select("option", column).sort(column, descending=True, maintain_order=True).rows()


def _held(done: "Backtest", column: str) -> list[tuple[str, float]] | None:
    """What is held now, the `state` of the decisions really taken, or the last `decision`; None: it is not known."""
    own = done.decisions.filter(pl.col("learner") == YOU)
    return _shares(done, own.tail(done.problem.n), column) if own.height else None


def _whatever(done: "Backtest") -> tuple[list[tuple[str, float]], str]:
    """What to do where nothing can be told apart: the shares, and that in words."""
    live, last = [name for name in done.problem.names if name not in done.about["ended"]], _held(done, "decision")
    decision, do = [(name, 1 / len(live)) for name in live], "split evenly, or as you like"
    if len(live) == 1:
        return decision, f"choose {called(done.problem.names)[live[0]]}, the only option that is left"
    if last is not None and all(name in live for name, share in last if share > 0):
        decision, do = last, "decide as before, or as you like"
    few = not math.isfinite(max(done.since["high"]))
    why = f"{done.periods:,} periods are too few to tell" if few else f"the {done.problem.n} options cannot be told"
    return decision, f"{do}: {why}{' options' * few} apart"


def _decides(done: "Backtest") -> str:
    """How the adviser comes to its decision."""
    learner = done.learners[done.adviser]
    if learner.randomised and learner.mean() is None:
        return "decides, in one draw"
    if not _draws(done):
        return "decides"
    changes, anew = _changes(done)
    how = "once, and keeps it as long as it can" if changes < KEPT * anew else "anew in every period"
    return f"draws one option by these weights, {how}"


def _draws(done: "Backtest") -> bool:
    """Whether the decision is the law of a draw."""
    several = (done.next.filter(learner=done.adviser)["decision"] >= LEAST).sum() > 1
    learner = done.learners[done.adviser]
    return bool(learner.randomised and learner.mean() is not None and several)


def _changes(done: "Backtest") -> tuple[float, float]:
    """How often the adviser's draws change their option on average, and if it were drawn anew in every period."""
    laws = done.decisions.filter(learner=done.adviser)["decision"].to_numpy().reshape(-1, done.problem.n)
    anew = float(1 - (laws[1:] * laws[:-1]).sum(axis=1).mean()) * (done.periods - 1) if len(laws) > 1 else 0.0
    return float(done.accounts.filter(learner=done.adviser)["switches"][0]), anew


def _keeps(done: "Backtest") -> str:
    """That a draw is kept, so that nobody pays for changes that the accounts do not have."""
    changes, anew = _changes(done) if _draws(done) else (0.0, 0.0)
    if changes >= KEPT * anew:
        return ""
    last = _held(done, "decision") or []
    chosen = [called(done.problem.names)[name] for name, share in last if share == 1]
    mine = f" If {chosen[0]}, which you chose last, was such a draw, do not draw again now." if chosen else ""
    return (
        f"Its draws would have changed {rough(changes)} times in {done.periods:,} periods on average, and its "
        f"{holds(done)} counts no more; one drawn anew in every period would have changed some {rough(anew)} times."
        f"{mine} "
    )


def _arrives(done: "Backtest") -> str:
    """The state that the decision leads to, and when the target is reached."""
    own, periods = done.next.filter(learner=done.adviser), done.facts.arrival
    if own.is_empty():
        return ""
    target, state = (mix(done, _shares(done, own, column)) for column in ("target", "state"))
    keeps, mean = _keeps(done), "on average over the draws, " * _draws(done)
    if not done.about["held"]:
        return f"{keeps}Had it decided all along, the state, the average you pay for, would then be {mean}{state}."
    if periods == 1:
        return f"{keeps}That takes the state, the average you pay for, to where it should be: {mean}{state}."
    soon = "only after many periods" if periods is None else f"in {periods:,} periods"
    return (
        f"{keeps}That makes the state, the average you pay for, {mean}{state}. Its target, {target}, is reached {soon} "
        "if nothing changes."
    )


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
    who, best = names[done.adviser], names[done.rivals["learner"][0]]
    apart = done.rivals.filter(learner=done.adviser).row(0, named=True)
    better = f"{best} did clearly better, by {_size(done, apart['difference'], worse=False)} per period"
    if done.about["chosen"]:
        first = f"{who} advises, as it was given first"
        return f"{first}; but {better}." if apart["distinguishable"] else f"{first}; no learner did clearly better."
    *some, last = [names[label] for label, each in done.learners.items() if each in map(Learner.parse, ADVISERS)]
    listed, passed = f"{', '.join(some)} and {last}", _listed([names[label] for label in done.facts.passed_over])
    beaten = f"; {passed} did worse than an even split (at 95 %)" if passed else ""
    if done.learners[done.adviser] == Learner.parse(FALLBACK):
        return f"{who}, the even split, advises, as {passed} did worse (at 95 % each)."
    if done.facts.change and FORGETS in repr(done.learners[done.adviser]) and not apart["distinguishable"]:
        return f"{who} advises, as the best option changed and it forgets; no other learner clearly beats it{beaten}."
    if apart["distinguishable"]:
        return f"{who} advises, the best of {listed}{beaten}; but {better}."
    return f"{who} advises, the first of {listed} that no other learner clearly beats{beaten}."


def _changed(done: "Backtest") -> list[str]:
    """That the best option changed, and whether a learner that forgets did better."""
    change, short, who = done.facts.change, called(done.problem.names), spoken(done)
    if change is None:
        return []
    between = f"from {short[change.before]} to {short[change.after]}"
    said = f"The best option changed at about {when(change.when)}, {between}."
    forgetting = [label for label, learner in done.learners.items() if FORGETS in repr(learner)]
    others = [_paid(done, label) for label in done.learners if label not in forgetting]
    for label in forgetting[:1]:
        ahead = min(others, default=-math.inf) - _paid(done, label)
        if ahead > 0:
            said += (
                f" {who[label]}, which forgets, is {_size(done, ahead, worse=False)} ahead of all learners that do not."
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
    part = f" ({percent(worst / mean)})" if worst < mean and done.wealth is None else ""
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


def _saved(done: "Backtest", saving: Saving, follows: bool) -> str:
    """What the adviser would have saved, or the learner that would advise if anything were clear."""
    who, gains, total = spoken(done)[done.adviser], done.about["gains"], saving.total
    last = "period" if saving.periods == 1 else f"{saving.periods:,} periods"
    other = f"what you did in the last {last}" if saving.against == YOU else EVEN
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
    if follows:
        return f"Against {other}, {who} would have {said}{share}{spread}."
    chance = " One in 20 such intervals excludes 0 by chance, so that this is no proof." * (low > 0)
    return f"Had you followed {who}, it would have {said}{share} against {other}{spread}.{chance}"


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
        return "Look again when there are clearly more periods, say half as many again."
    if periods is None or periods == 1:
        return "Look again when the next period's values are known."
    return f"Look again when the next period's values are known; the move takes {periods:,} periods."
