"""What the adviser does next: its decision, how long a draw is kept, and the state that this leads to."""

from typing import TYPE_CHECKING

import polars as pl

from .certainty import YOU
from .sentences import called, holds, percent, rough, spoken

if TYPE_CHECKING:
    from .outcome import Backtest

NAMED = 5  # options in a sentence
LEAST = 0.005  # the least share that is shown
MOSTLY = 0.9  # of the target; less in the best option is explained
SELDOM = 0.1  # changes per period of draws that are kept as a rule
KEPT = 0.9  # of the changes that drawing anew in every period would make; fewer: draws are kept


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


def shares(done: "Backtest", frame: pl.DataFrame, column: str) -> list[tuple[str, float]]:
    """Options and their shares.

    Args:
        done: the backtest.
        frame: one row per option.
        column: with the shares.

    Returns:
        The largest first; in the order of the table where they are alike.
    """
    return frame.select("option", column).sort(column, descending=True, maintain_order=True).rows()


def held(done: "Backtest", column: str) -> list[tuple[str, float]] | None:
    """What is held now, or what was decided last.

    Args:
        done: the backtest.
        column: `state` or `decision`.

    Returns:
        Options and their shares, the largest first; None: it is not known.
    """
    own = done.decisions.filter(pl.col("learner") == YOU)
    return shares(done, own.tail(done.problem.n), column) if own.height else None


def decides(done: "Backtest") -> str:
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
    last = held(done, "decision") or []
    chosen = [called(done.problem.names)[name] for name, share in last if share == 1]
    who = spoken(done)[done.adviser]
    rare = changes < SELDOM * done.periods
    mine = f" If {chosen[0]}, your last choice, was such a draw, {who} as a rule keeps it." if chosen and rare else ""
    return (
        f"Its draws would have changed {rough(changes)} times in {done.periods:,} periods on average, and its "
        f"{holds(done)} counts no more; one drawn anew in every period would have changed some {rough(anew)} times."
        f"{mine} "
    )


def arrives(done: "Backtest") -> str:
    """The state that the decision leads to, and when the target is reached."""
    own, periods = done.next.filter(learner=done.adviser), done.facts.arrival
    if own.is_empty():
        return ""
    target, state = (mix(done, shares(done, own, column)) for column in ("target", "state"))
    average = f"the state, the average you {'gain by' if done.about['gains'] else 'pay for'},"
    keeps, mean, why = _keeps(done), "(on average over the draws) " * _draws(done), _hesitates(done, own)
    if not done.about["held"]:
        return f"{keeps}Had it decided all along, {average} would then be {mean}{state}.{why}"
    if periods == 1:
        return f"{keeps}That takes {average} to where it should be: {mean}{state}.{why}"
    soon = "only after many periods" if periods is None else f"in {periods:,} periods"
    return (
        f"{keeps}That makes {average} {mean}{state}. Its target, {target}, is reached {soon} if nothing changes.{why}"
    )


def _hesitates(done: "Backtest", own: pl.DataFrame) -> str:
    """Why the target is not the option that is clearly better, where that is so."""
    best = done.since["option"][0]
    equals = [best, *done.since[1:].filter(~pl.col("distinguishable"))["option"]]
    share = float(own.filter(pl.col("option").is_in(equals))["target"].sum())
    if not done.since["distinguishable"].any() or share >= MOSTLY:
        return ""
    name = called(done.problem.names)[best]
    which = name if len(equals) == 1 else f"{name} and those that cannot be told apart from it"
    yours = "; past decisions that were yours, not its own, may make it more careful" * bool(done.about["held"])
    return (
        f" It aims at only {percent(share)} in {which}, although others were clearly worse: it goes by its own rule, "
        f"not by this comparison{yours}."
    )
