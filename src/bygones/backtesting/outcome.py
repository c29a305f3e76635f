"""What a backtest found, as frames, sentences, files and a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import Actions, Array
from ..learners import Learner
from ..memory import Memory
from ..problem import Problem
from ..result import QUANTILES, Result
from ..theory import hedge_guarantee, known
from .periods import Tally
from .playing import Draws, Seat, Watch
from .sensitivity import in_short, length, varied
from .sentences import caveat, figure, recommendation, verdict

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Record:
    """What was kept of the run; learners by their numbers."""

    tally: Tally
    times: "pl.Series"  # of every period
    seats: list[Seat]
    draws: dict[int, Draws]
    watches: dict[int, Watch]
    others: list[Memory]  # of other lengths than the one given
    knowing: dict[int, list[Seat]]  # learners that were told those
    least: float  # the clairvoyant's loss; of this and the next, the periods' least costs taken off
    policies: Array  # of each option, played from the first period on after the past


class Backtest(Result):
    """What learners would have done on a table of the past: a `Result`, and more.

    Besides the curves of regret it has these frames:

    - `accounts`: of each learner, what it would have cost, and against what.
    - `options`: of each option, what it would have cost to hold it all the time; the best first.
    - `stretches`: of each learner, the stretch that cost it the most against the best option.
    - `sensitivity`: regret if the memory is longer or shorter, for learners that know it and that do not.
    - `next`: each learner's decision for the period after the last, and the state it would lead to.
    - `verdict` and `recommendation`: what the theory promises at this size, and what to do next, as sentences.
    - `path()` and `decisions()`: costs, regrets, decisions and states over time, at up to 1,000 periods.
    """

    def __init__(
        self,
        problem: Problem,
        learners: Sequence[Learner],
        rounds: Actions,
        record: Record,
        about: Mapping[str, Any],
    ) -> None:
        regrets = [seat.accounts[0].regrets[np.newaxis] for seat in record.seats]
        guarantees = [
            hedge_guarantee(*record.watches[k].like, regrets[k], record.watches[k].slacks, rounds)
            if k in record.watches
            else None
            for k in range(len(regrets))
        ]
        super().__init__(problem, learners, rounds, regrets, about, guarantees)
        self.record = record
        self.times = record.times[rounds - 1]
        self.accounts = self._accounts()
        self.options = self._options()
        self.stretches = self._stretches()
        self.sensitivity = self._sensitivity()
        self.next = self._next()

    def __repr__(self) -> str:
        width = max(map(len, self.regrets))
        head = f"{self.rounds[-1]:,} periods of {self.about['costs']}, {len(self.problem.names)} options"
        what, sign = ("gain", -1) if self.about["gains"] else ("cost", 1)
        lines = [
            f"  {label:{width}}  {what} {figure(sign * total)}, regret {figure(regret)}"
            for label, total, regret in self.accounts.select("learner", "total", "regret").iter_rows()
        ]
        return "\n".join([f"<Backtest: {head}", *lines]) + ">"

    @property
    def verdict(self) -> str:
        """What the theory promises at this size, in a sentence."""
        return verdict(self.problem, but=caveat(self))

    @property
    def recommendation(self) -> str:
        """What the first learner would do in the period after the last, and the best one where that is another."""
        return recommendation(self)

    @property
    def clairvoyant(self) -> float:
        """The least that anybody could have paid, all costs foreseen."""
        return self.record.least + float(self.record.tally.spent[0])

    def policy_regret(self, label: str) -> float:
        """A learner's regret against the best option played from the first period on after the same history."""
        seat = self.record.seats[list(self.regrets).index(label)]
        return float(seat.accounts[0].sums[0] - self.record.policies.min())

    def path(self) -> "pl.DataFrame":
        """Over time: learner, time, round, cost so far, regret, and the guarantee if there is one."""
        import polars as pl

        frames = [
            pl.DataFrame(
                {
                    "learner": label,
                    "time": self.times,
                    "round": self.rounds,
                    "cost": seat.accounts[0].paid,
                    "regret": seat.accounts[0].regrets,
                    "guarantee": self._held(label)[0],
                }
            )
            for label, seat in self._seats()
        ]
        return pl.concat(frames).with_columns(pl.col("guarantee").fill_nan(None))

    def decisions(self) -> "pl.DataFrame":
        """Over time: learner, time, option, the weight that was decided, and the one in the state."""
        import polars as pl

        names, count, n = pl.Series(self.problem.names, dtype=pl.String), len(self.times), self.problem.n
        when, which = self.times.gather(np.repeat(np.arange(count), n)), names.gather(np.tile(np.arange(n), count))
        return pl.concat(
            pl.DataFrame(
                {
                    "learner": label,
                    "time": when,
                    "option": which,
                    "decision": seat.accounts[0].decisions.reshape(-1),
                    "state": seat.accounts[0].states.reshape(-1),
                }
            )
            for label, seat in self._seats()
        )

    def report(self, folder: str | PathLike[str]) -> None:
        """Write a page that works offline, `index.html`, with the data beside it, into a new folder or an earlier one.

        >>> import bygones as by, tempfile
        >>> by.backtest("@flights", "window:7").report(tempfile.mkdtemp())
        """
        from .page import write

        write(self, folder)

    def _seats(self) -> list[tuple[str, Seat]]:
        return list(zip(self.regrets, self.record.seats, strict=True))

    def _accounts(self) -> "pl.DataFrame":
        import polars as pl

        (T, R), spent = known(self.problem, "a backtest"), float(self.record.tally.spent[0])
        rows = []
        for k, (label, seat) in enumerate(self._seats()):
            own, drawn = seat.accounts[0], self.record.draws.get(k)
            lost, regret = float(own.sums[0]), float(own.regrets[-1])
            switches, low, high = float(own.sums[1]), None, None
            if drawn is not None:
                paid = drawn.totals + self.record.tally.relative[0]  # draws are reckoned against the first option
                switches = float(drawn.switches.mean())
                low, high = (_plain(end + spent, R * T) for end in np.quantile(paid, _ENDS))
                if self.learners[k].mean() is None:  # the mean of the draws is all there is
                    lost = float(paid.mean())
                    regret = lost - float(self.record.tally.relative.min())
            total = _plain(lost + spent, R * T)
            rows.append(
                {
                    "learner": label,
                    "total": total,
                    "average": total / T,
                    "regret": regret,
                    "share": regret / (R * T),
                    "gap": lost - self.record.least,
                    "switches": switches,
                    "switch_cost": self.about["switch_cost"] * switches,
                    "total_with_switches": total + self.about["switch_cost"] * switches,
                    "low": low,
                    "high": high,
                    "bound": None if self.about["history"] else self.learners[k].bound(self.problem),
                    "guarantee": float(self.guarantees[label][0, -1]) if label in self.guarantees else None,
                }
            )
        return pl.DataFrame(rows, schema={name: pl.Float64 if name != "learner" else pl.String for name in rows[0]})

    def _options(self) -> "pl.DataFrame":
        import polars as pl

        totals, relative = self.record.tally.totals, self.record.tally.relative
        frame = pl.DataFrame(
            {
                "option": pl.Series(self.problem.names, dtype=pl.String),
                "total": totals,
                "average": totals / self.rounds[-1],
                "regret": relative - relative.min(),
            }
        )
        return frame.sort("regret", maintain_order=True)

    def _stretches(self) -> "pl.DataFrame":
        import polars as pl

        found = [(label, seat.accounts[0]) for label, seat in self._seats() if seat.accounts[0].marks[1] >= 0]
        starts, ends = (np.array([own.marks[mark] for _, own in found], dtype=np.int64) for mark in (1, 2))
        return pl.DataFrame(
            {
                "learner": pl.Series([label for label, _ in found], dtype=pl.String),
                "from": self.record.times.gather(starts),
                "to": self.record.times.gather(ends),
                "periods": ends - starts + 1,
                "excess": pl.Series([own.sums[3] for _, own in found], dtype=pl.Float64),
            }
        )

    def _sensitivity(self) -> "pl.DataFrame":
        import polars as pl

        rows, best = [], self.record.tally.relative.min()
        for k, knowing in self.record.knowing.items():
            label, own = self._seats()[k]
            assuming = dict(zip(self.record.others, own.accounts[1:], strict=True))
            known_ = dict(zip(self.record.others, (seat.accounts[0] for seat in knowing), strict=True))
            for memory in varied(self.problem.memory, int(self.rounds[-1])):
                paid = (accounts.get(memory, own.accounts[0]).sums[0] for accounts in (known_, assuming))
                rows.append((label, in_short(memory), length(memory), *(float(loss - best) for loss in paid)))
        schema = {"learner": pl.String, "memory": pl.String} | dict.fromkeys(("length", "known", "assumed"), pl.Float64)
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _next(self) -> "pl.DataFrame":
        import polars as pl

        names, frames = self.problem.names, []
        for label, seat in self._seats():
            decision = seat.player.decide()
            y, beta = seat.accounts[0].memory.carried()
            weights = {"decision": decision, "state": y + beta * decision}
            frames.append(pl.DataFrame({"learner": label, "option": pl.Series(names, dtype=pl.String)} | weights))
        return pl.concat(frames)


def _plain(value: float, scale: float) -> float:
    """A sum without what rounding leaves of zero."""
    return 0.0 if abs(value) < 1e-14 * scale else float(value)


_ENDS = [QUANTILES["q05"], QUANTILES["q95"]]
