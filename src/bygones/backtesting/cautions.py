"""What to know before following the answer of a backtest."""

import math
import re
from typing import TYPE_CHECKING

from ..theory import known
from .certainty import YOU
from .sentences import figure, holds, past, percent, spoken

if TYPE_CHECKING:
    from .outcome import Backtest

FORECASTS = re.compile(
    r"(?i)(?:^|[\W_])(?:arima|brier|crps|ets|forecast(?:er)?s?|log[\W_]?loss|mae|mape|mase|mse|naive|pinball|prophet|"
    r"rmse|sarima|smape|(?:abs(?:olute)?|squared?|forecast|prediction)[\W_]*errors?)(?:$|[\W_\d])"
)


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
    last = "period" if saving.periods == 1 else f"{saving.periods:,} periods"
    return [f"What you really did in the last {last} was better than {who}{chance}."]


def _exceeded(done: "Backtest") -> list[str]:
    """That the range was exceeded, so that bounds do not apply."""
    facts, R = done.facts, known(done.problem, "a backtest")[1]
    if not facts.cut_periods:
        return []
    where = "" if done.about["range"] == "declared" else f" of the first {done.about['burn_in']:,}"
    widest = f"{holds(done)}s differed by more than the range{where}, {figure(R)}"
    return [f"In {facts.cut_periods:,} of {done.periods:,} periods {widest}, so the bounds do not apply to this run."]


def _forecasts(done: "Backtest") -> list[str]:
    """A caution where the columns look like errors of forecasts."""
    said = (
        "These look like errors of forecasts: what is counted is the mean of the single forecasts' errors. The error "
        "of the mixed forecast is another thing; squared or absolute, it is never larger and often much smaller."
    )
    texts = (*done.problem.names, re.sub(r".*[/\\]", "", done.about["costs"]))
    return [said] * any(FORECASTS.search(text) for text in texts)


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
    within = f" for {holds(done)}s within the range" if done.facts.cut_periods else ""
    if done.wealth is not None:
        part = f"{percent(math.exp(-bound))} of the wealth of the best single asset"
        return [f"{who} promises{within} at least {part}, before the cost of trading."]
    return [f"{who} promises{within} to be at most {figure(bound)} worse than the best single option, or {share}."]
