"""What a backtest found, as frames, sentences, files and a page."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from ..description import html_table
from ..learners import Learner
from ..memory import Memory
from ..parallel import check_fork
from ..result import Result
from ..store import Form, as_bytes, frame_from, from_zip, replacing, to_zip
from .answer import Answer, answer
from .certainty import YOU, Change, Saving
from .sentences import caveat, figure, holds, verdict, worded

FORM = Form("backtest", "Backtest.save")
FRAMES = (
    *("accounts", "options", "comparison", "since", "rivals", "paths"),
    *("stretches", "next", "path", "decisions", "costs"),
)
OVER_TIME = ("path", "decisions", "costs")
FACTS, RESULT, SENSITIVITY, WEALTH = "facts.json", "result.parquet", "sensitivity", "wealth"


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
    adviser: str  # the label of the learner that advises
    arrival: int | None  # periods until the state is at its target; None: it takes long
    passed_over: list[str]  # labels of those that would advise before, had they not cost more than an even split
    savings: list[Saving]  # by the adviser, against what was really done, if that is known, and an even split
    change: Change | None  # of the best option
    beaten: list[str]  # options than which some other is clearly better


@dataclass(repr=False, eq=False)
class Backtest:
    """What learners would have done on a table of the past.

    - `result`: the curves of regret, a `Result` of one replicate.
    - `facts`: single figures; `clairvoyant` is the least that anybody could have paid, all costs foreseen.
    - `accounts`: for each learner, what it would have cost, and against what.
      With `held`, the last row, `you`, is what you really did, and `saved` what each learner would have saved you.
    - `options`: for each option, what it would have cost to hold it all the time; the best first.
    - `comparison`: how much worse each option is than the best per period, with intervals that hold at 95 % for all
      together: option, difference, low, high, distinguishable. `since` is the same since the best option changed.
    - `rivals`: the same for the learners, cost of switches included.
    - `paths`: the best fixed option, and the best paths with 1, 2 and 5 changes: changes, total, saved, dates, options.
    - `stretches`: for each learner, the periods that cost it the most against the best option.
    - `sensitivity`: regret if the memory is longer or shorter, for learners that know it and that do not; computed
      when it is first asked for.
    - `next`: for the period after the last, where each learner wants the state to go, its decision, and the state that
      this leads to: learner, option, target, decision, state. It starts from what you hold, if `held` says so.
    - `adviser`: the label of the learner that advises.
    - `costs`: what each option cost over time, at up to 1,000 periods; over longer tables, means.
    - `wealth`: of prices, what holding each learner's states, each asset and two benchmarks would have made of 1; the
      most wealth first; None where the table holds no prices.
    - `path` and `decisions`: costs, regrets, decisions and states over time, at up to 1,000 periods.
    - `verdict` and `recommendation`: what the theory promises at this size, and what to do next, as sentences.
    - `problem`: what was decided; `learners`: who decided, by their labels; `periods`: how many were played; `about`:
      how it was made, as plain values.

    Args:
        result: the curves of regret.
        facts: single figures.
        _vary: computes the sensitivity.
        accounts: this and the rest are the frames named above.
    """

    result: Result
    facts: Facts
    _vary: Callable[[], pl.DataFrame]
    accounts: pl.DataFrame
    options: pl.DataFrame
    comparison: pl.DataFrame
    since: pl.DataFrame
    rivals: pl.DataFrame
    paths: pl.DataFrame
    stretches: pl.DataFrame
    next: pl.DataFrame
    path: pl.DataFrame
    decisions: pl.DataFrame
    costs: pl.DataFrame
    wealth: pl.DataFrame | None = None

    def __post_init__(self) -> None:
        self.problem, self.about, self.clairvoyant = self.result.problem, self.result.about, self.facts.clairvoyant
        self.learners = dict(zip(self.result.regrets, self.result.learners, strict=True))
        self.periods = int(self.result.rounds[-1])
        self.adviser = self.facts.adviser

    @cached_property
    def sensitivity(self) -> pl.DataFrame:
        """Regret if the memory has another length: learner, memory, length, known, assumed."""
        return self._vary()

    def __repr__(self) -> str:
        width, what = max(map(len, self.learners)), holds(self)
        head = f"<Backtest: {self.periods:,} periods of {self.about['costs']}, {self.problem.n} options"
        lines = [f"  {label:{width}}  {what} {total}, regret {regret}" for label, total, regret in self._rows()]
        return "\n".join([head, *lines]) + ">"

    def _repr_html_(self) -> str:
        return html_table(self._rows(), ("learner", holds(self), "regret"), self.recommendation)

    def _rows(self) -> list[tuple[str, str, str]]:
        check_fork()
        shown = worded(self, self.accounts).filter(pl.col("learner") != YOU).select("learner", "total", "regret")
        return [(label, figure(total), figure(regret)) for label, total, regret in shown.iter_rows()]

    @property
    def verdict(self) -> str:
        """What the theory promises at this size, in a sentence."""
        return verdict(self.problem, but=caveat(self))

    @cached_property
    def answer(self) -> Answer:
        """What to do in the period after the last, what that rests on, how sure it is, and what it would have saved."""
        check_fork()
        return answer(self)

    @property
    def recommendation(self) -> str:
        """What to do in the period after the last, in sentences, and what is at stake."""
        said = self.answer
        return " ".join(filter(None, (said.headline, said.arrives, *said.sure)))

    def to_dict(self) -> dict[str, Any]:
        """Everything but what is over time, as plain values: what `bygones backtest --json` prints.

        >>> import bygones as by
        >>> plain = by.backtest("@flights", "window:7").to_dict()
        >>> plain["adviser"], plain["answer"]["clear"], plain["answer"]["decision"][0]
        ('Guarded', True, {'option': 'Alaska Airlines', 'share': 1.0})
        """
        check_fork()
        told = self.answer
        shares = {
            name: [{"option": option, "share": share} for option, share in pairs] if pairs is not None else None
            for name, pairs in (("decision", told.decision), ("held", told.held))
        }
        facts = self.facts._asdict() | {
            "savings": [each._asdict() for each in self.facts.savings],
            "change": None if self.facts.change is None else self.facts.change._asdict(),
        }
        tables = {name: getattr(self, name).to_dicts() for name in (*FRAMES, SENSITIVITY) if name not in OVER_TIME}
        plain: dict[str, Any] = {
            "recommendation": self.recommendation,
            "adviser": self.adviser,
            "answer": told._asdict() | shares,
            "verdict": self.verdict,
            "problem": self.problem.to_dict(),
            "about": self.about,
            "facts": facts,
            **tables,
            **({} if self.wealth is None else {WEALTH: self.wealth.to_dicts()}),
        }
        said: dict[str, Any] = json.loads(msgspec.json.encode(plain, enc_hook=str))  # which has no nan and infinity
        return said

    def report(self, path: str | PathLike[str], single_file: bool = False) -> None:
        """Write a page that works offline.

        Args:
            path: a new folder, or one with an earlier backtest, for `index.html` with the data beside it.
            single_file: write one file of HTML at `path` instead, with script and data inside, to be mailed.

        Raises:
            ValueError: if the path holds something else.
            OSError: if it cannot be written.

        >>> import bygones as by, tempfile
        >>> by.backtest("@flights", "window:7").report(tempfile.mkdtemp())
        """
        from .page import write

        check_fork()
        write(self, Path(path), single_file)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to one file, a zip archive of Parquet and JSON.

        >>> import bygones as by, tempfile, pathlib
        >>> done, path = by.backtest("@flights", "window:7"), pathlib.Path(tempfile.mkdtemp()) / "flights.zip"
        >>> done.save(path)
        >>> by.Backtest.load(path).recommendation == done.recommendation
        True
        """
        members = {FACTS: json.dumps(self.facts._asdict()).encode(), RESULT: self.result.to_bytes()}
        for name in (*FRAMES, SENSITIVITY, *([WEALTH] if self.wealth is not None else [])):
            members[f"{name}.parquet"] = as_bytes(getattr(self, name).write_parquet)
        with replacing(Path(path)) as file:
            file.write(to_zip(members))

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

        Returns:
            The backtest; its sensitivity is read from the file, not computed again.

        Raises:
            ValueError: the file is not a saved backtest, or it is damaged.
            FileNotFoundError: there is no such file.
        """
        if not Path(path).is_file():
            raise FileNotFoundError(f"{path}: there is no such file")
        check_fork()
        content = FORM.read(Path(path))
        with FORM.reading(str(path)):
            members = from_zip(content)
            said = json.loads(members[FACTS])
            facts, kept = msgspec.convert([said[name] for name in Facts._fields], Facts), members[RESULT]
            frames = {name: frame_from(members[f"{name}.parquet"])[1] for name in (*FRAMES, SENSITIVITY)}
            if f"{WEALTH}.parquet" in members:
                frames[WEALTH] = frame_from(members[f"{WEALTH}.parquet"])[1]
        varied = frames.pop(SENSITIVITY)
        result = Result.from_bytes(kept, str(path), learners, memories)
        return Backtest(result, facts, lambda: varied, **frames)
