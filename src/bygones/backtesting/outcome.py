"""What a backtest found, as frames, sentences, files and a page."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..description import html_table
from ..learners import Learner
from ..memory import Memory
from ..problem import Problem
from ..result import Result
from ..store import as_bytes, replacing
from .sentences import caveat, figure, recommendation, verdict

if TYPE_CHECKING:
    import polars as pl

FRAMES = ("accounts", "options", "stretches", "next", "path", "decisions")
FACTS, RESULT, SENSITIVITY = "facts.json", "result.parquet", "sensitivity.parquet"


class Facts(NamedTuple):
    """Single figures of a backtest."""

    clairvoyant: float  # the least that anybody could have paid, all costs foreseen
    policy_regrets: dict[str, float]  # each learner's, against the best option played from the first period on
    first: str  # the time of the first period
    last: str  # that of the last
    cut_entries: int  # how many costs went past the range and were cut off for the learners
    cut_periods: int  # in how many periods
    widest: float  # how far the costs of those spread at most
    widest_at: str  # and when


class Backtest:
    """What learners would have done on a table of the past.

    - `result`: the curves of regret, a `Result` of one replicate.
    - `accounts`: for each learner, what it would have cost, and against what.
    - `options`: for each option, what it would have cost to hold it all the time; the best first.
    - `stretches`: for each learner, the periods that cost it the most against the best option.
    - `sensitivity`: regret if the memory is longer or shorter, for learners that know it and that do not; computed
      when it is first asked for.
    - `next`: each learner's decision for the period after the last, and the state it would lead to.
    - `path` and `decisions`: costs, regrets, decisions and states over time, at up to 1,000 periods.
    - `verdict` and `recommendation`: what the theory promises at this size, and what to do next, as sentences.

    Args:
        result: the curves of regret.
        frames: those named above.
        facts: single figures.
        vary: computes the sensitivity.
    """

    accounts: "pl.DataFrame"
    options: "pl.DataFrame"
    stretches: "pl.DataFrame"
    next: "pl.DataFrame"
    path: "pl.DataFrame"
    decisions: "pl.DataFrame"

    def __init__(
        self,
        result: Result,
        frames: "Mapping[str, pl.DataFrame]",
        facts: Facts,
        vary: "Callable[[], pl.DataFrame]",
    ) -> None:
        self.result, self.facts, self._vary = result, facts, vary
        for name in FRAMES:
            setattr(self, name, frames[name])

    @property
    def problem(self) -> Problem:
        """What was decided."""
        return self.result.problem

    @property
    def learners(self) -> dict[str, Learner]:
        """Who decided, by their labels."""
        return dict(zip(self.result.regrets, self.result.learners, strict=True))

    @property
    def about(self) -> dict[str, Any]:
        """How it was made, as plain values."""
        return self.result.about

    @property
    def periods(self) -> int:
        """How many were played."""
        return int(self.result.rounds[-1])

    @cached_property
    def sensitivity(self) -> "pl.DataFrame":
        """Regret if the memory has another length: learner, memory, length, known, assumed."""
        return self._vary()

    def __repr__(self) -> str:
        width = max(map(len, self.learners))
        head = f"{self.periods:,} periods of {self.about['costs']}, {self.problem.n} options"
        what, sign = ("gain", -1) if self.about["gains"] else ("cost", 1)
        lines = [
            f"  {label:{width}}  {what} {figure(sign * total)}, regret {figure(regret)}"
            for label, total, regret in self.accounts.select("learner", "total", "regret").iter_rows()
        ]
        return "\n".join([f"<Backtest: {head}", *lines]) + ">"

    def _repr_html_(self) -> str:
        what, sign = ("gain", -1) if self.about["gains"] else ("cost", 1)
        rows = [
            (label, figure(sign * total), figure(regret))
            for label, total, regret in self.accounts.select("learner", "total", "regret").iter_rows()
        ]
        return html_table(rows, ("learner", what, "regret"), self.recommendation)

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
        return self.facts.clairvoyant

    def report(self, folder: str | PathLike[str]) -> None:
        """Write a page that works offline, `index.html`, with the data beside it, into a new folder or an earlier one.

        >>> import bygones as by, tempfile
        >>> by.backtest("@flights", "window:7").report(tempfile.mkdtemp())
        """
        from .page import write

        write(self, folder)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to one file, a zip archive of Parquet and JSON.

        >>> import bygones as by, tempfile, pathlib
        >>> done, path = by.backtest("@flights", "window:7"), pathlib.Path(tempfile.mkdtemp()) / "flights.zip"
        >>> done.save(path)
        >>> by.Backtest.load(path).recommendation == done.recommendation
        True
        """
        frames = {f"{name}.parquet": getattr(self, name) for name in FRAMES} | {SENSITIVITY: self.sensitivity}
        with replacing(Path(path)) as file, zipfile.ZipFile(file, "w") as archive:
            archive.writestr(FACTS, json.dumps(self.facts._asdict()))
            archive.writestr(RESULT, self.result.to_bytes())
            for name, frame in frames.items():
                archive.writestr(name, as_bytes(frame.write_parquet))

    @staticmethod
    def load(
        path: str | PathLike[str],
        *,
        learners: Iterable[type[Learner]] = (),
        memories: Iterable[type[Memory]] = (),
    ) -> "Backtest":
        """Read a backtest that `save` wrote.

        Args:
            path: the file.
            learners: classes of your own learners that it may name.
            memories: classes of your own memories that it may name.

        Raises:
            ValueError: the file is not a saved backtest, or it is damaged.
            FileNotFoundError: there is no such file.
        """
        import polars as pl

        try:
            with zipfile.ZipFile(path) as archive:
                parts = {name: archive.read(name) for name in archive.namelist()}
            facts = Facts(**json.loads(parts.pop(FACTS)))
            kept = parts.pop(RESULT)
            frames = {name.removesuffix(".parquet"): pl.read_parquet(io.BytesIO(part)) for name, part in parts.items()}
            varied = frames.pop("sensitivity")
            missing = set(FRAMES) - set(frames)
        except FileNotFoundError:
            raise FileNotFoundError(f"{path}: there is no such file") from None
        except (Exception, pl.exceptions.PanicException):
            missing = {"all"}
        if missing:
            raise ValueError(f"{path} is not a saved backtest, or it is damaged: give a file that Backtest.save wrote")
        result = Result.from_bytes(kept, str(path), learners, memories)
        return Backtest(result, frames, facts, lambda: varied)
