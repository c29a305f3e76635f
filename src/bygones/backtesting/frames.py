"""What was played, as frames."""

from typing import TYPE_CHECKING

import numpy as np

from ..learners import labels
from ..result import QUANTILES
from ..theory import hedge_guarantee, known
from .games import Played

if TYPE_CHECKING:
    import polars as pl

    from ..kernels import Array

ENDS = [QUANTILES["q05"], QUANTILES["q95"]]


def regrets(played: Played) -> "list[Array]":
    """The regrets of each learner at the recorded periods, as one replicate."""
    return [(account.recorded.losses - played.options.best)[np.newaxis] for account in played.accounts]


def guarantees(played: Played) -> "list[Array | None]":
    """The guarantees of each learner at the recorded periods; None where it has none."""
    own, rounds = dict(enumerate(regrets(played))), played.setup.recorded
    return [
        hedge_guarantee(*played.guarantees[k].twin, own[k], played.guarantees[k].slacks, rounds)
        if k in played.guarantees
        else None
        for k in own
    ]


def accounts(played: Played, switch_cost: float) -> "pl.DataFrame":
    """One row per learner: what it would have paid, and against what.

    Args:
        played: what was played.
        switch_cost: what it costs to change from one option to another.
    """
    import polars as pl

    setup, lows, best = played.setup, played.options.low, played.feed.best
    (T, R), curves, held = known(setup.problem, "a backtest"), regrets(played), guarantees(played)
    rows = []
    for k, (label, learner) in enumerate(zip(labels(setup.learners), setup.learners, strict=True)):
        own, guarantee = played.accounts[k], held[k]
        lost, regret = own.loss, float(curves[k][0, -1])
        switches, low, high = own.switches, None, None
        if k in played.draws:
            drawn, moved = played.draws[k]
            switches = float(moved.total.mean())
            low, high = (_plain(end + lows, R * T) for end in np.quantile(drawn.total, ENDS))
            if learner.mean() is None:  # the mean of the draws is all there is
                lost = float(drawn.total.mean())
                regret = lost - best
        total = _plain(lost + lows, R * T)
        rows.append(
            {
                "learner": label,
                "total": total,
                "average": total / T,
                "regret": regret,
                "share": regret / (R * T),
                "gap": lost - played.least,
                "switches": switches,
                "switch_cost": switch_cost * switches,
                "total_with_switches": total + switch_cost * switches,
                "low": low,
                "high": high,
                "bound": None if len(setup.history) else learner.bound(setup.problem),
                "guarantee": None if guarantee is None else float(guarantee[0, -1]),
            }
        )
    return pl.DataFrame(rows, schema={name: pl.Float64 if name != "learner" else pl.String for name in rows[0]})


def options(played: Played) -> "pl.DataFrame":
    """One row per option: what it would have cost to hold it all the time; the best first."""
    import polars as pl

    relative, names = played.feed.tally.totals, played.setup.problem.names
    totals = relative + played.options.low
    frame = pl.DataFrame(
        {
            "option": pl.Series(names, dtype=pl.String),
            "total": totals,
            "average": totals / played.feed.rounds,
            "regret": relative - relative.min(),
        }
    )
    return frame.sort("regret", maintain_order=True)


def stretches(played: Played, times: "pl.Series") -> "pl.DataFrame":
    """One row per learner: the periods that cost it the most against the best option.

    Args:
        played: what was played.
        times: of all periods.
    """
    import polars as pl

    star = int(played.feed.tally.totals.argmin())
    found = {
        label: worst
        for label, account in zip(labels(played.setup.learners), played.accounts, strict=True)
        if (worst := account.worst_stretch(star)) is not None
    }
    first, last, excess = (list(part) for part in zip(*found.values(), strict=True)) if found else ([], [], [])
    return pl.DataFrame(
        {
            "learner": pl.Series(list(found), dtype=pl.String),
            "from": times.gather(first),
            "to": times.gather(last),
            "periods": pl.Series(np.array(last, dtype=np.int64) - np.array(first, dtype=np.int64) + 1),
            "excess": pl.Series(excess, dtype=pl.Float64),
        }
    )


def upcoming(played: Played) -> "pl.DataFrame":
    """Each learner's decision for the period after the last, and the state it would lead to."""
    import polars as pl

    setup, frames = played.setup, []
    names = pl.Series(setup.problem.names, dtype=pl.String)
    for label, seat, account in zip(labels(setup.learners), played.seats, played.accounts, strict=True):
        decision = seat.players[0].decide()
        y, beta = account.memory.carried()
        frames.append(
            pl.DataFrame({"learner": label, "option": names, "decision": decision, "state": y + beta * decision})
        )
    return pl.concat(frames)


def path(played: Played, times: "pl.Series") -> "pl.DataFrame":
    """Over the recorded periods: learner, time, round, cost so far, regret, and the guarantee where there is one.

    Args:
        played: what was played.
        times: of the recorded periods.
    """
    import polars as pl

    frames = [
        pl.DataFrame(
            {
                "learner": label,
                "time": times,
                "round": played.setup.recorded,
                "cost": account.recorded.losses + played.options.lows,
                "regret": own[0],
                "guarantee": np.full(len(times), np.nan) if held is None else held[0],
            }
        )
        for label, account, own, held in zip(
            labels(played.setup.learners), played.accounts, regrets(played), guarantees(played), strict=True
        )
    ]
    return pl.concat(frames).with_columns(pl.col("guarantee").fill_nan(None))


def decisions(played: Played, times: "pl.Series") -> "pl.DataFrame":
    """Over the recorded periods: learner, time, option, the weight that was decided, and the one in the state.

    Args:
        played: what was played.
        times: of the recorded periods.
    """
    import polars as pl

    names = pl.Series(played.setup.problem.names, dtype=pl.String)
    count, n = len(times), len(names)
    when, which = times.gather(np.repeat(np.arange(count), n)), names.gather(np.tile(np.arange(n), count))
    return pl.concat(
        pl.DataFrame(
            {
                "learner": label,
                "time": when,
                "option": which,
                "decision": account.recorded.decisions.reshape(-1),
                "state": account.recorded.states.reshape(-1),
            }
        )
        for label, account in zip(labels(played.setup.learners), played.accounts, strict=True)
    )


def _plain(value: float, scale: float) -> float:
    """A sum without what rounding leaves of zero."""
    return 0.0 if abs(value) < 1e-14 * scale else float(value)
