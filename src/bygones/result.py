"""Results: labelled curves and end values of one run or many."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .description import from_dict, html_table
from .kernels import Actions, Array, moments
from .learners import LEARNERS, Learner, labels
from .memory import Memory
from .parallel import check_fork
from .problem import Problem
from .report import draw_curves, latex_table, regret_page
from .store import Form, check_stamp, frame_from, replacing, sealed_frame, stamped
from .validation import whole

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes

FORM = Form("result", "Result.save")
QUANTILES = {"q05": 0.05, "q50": 0.5, "q95": 0.95}
SIZE = (7.0, 4.2)  # of a figure, in inches
CLEAR = 2.0  # standard errors beyond which a paired difference counts


class Result:
    """Regret of some learners on the same costs: one row per replicate, one column per recorded round.

    Regret is how much more a learner has paid so far than the best fixed action.

    Args:
        problem: the problem that was played.
        learners: the learners that played it.
        rounds: the recorded rounds, counted from 1.
        regrets: for each learner, its regrets: (replicates, rounds).
        about: how the result was made, as plain values.
        guarantees: for each learner, what `by.guarantee` gave at those rounds, of Guarded its player's `guarantee`, or
            None if it has no guarantee.
        gaps: gives, for a number of changes, what the best path with at most so many saves in each replicate.
    """

    def __init__(
        self,
        problem: Problem,
        learners: Sequence[Learner],
        rounds: Actions,
        regrets: Sequence[Array],
        about: Mapping[str, Any],
        guarantees: Sequence[Array | None] = (),
        gaps: Callable[[int], Array] | None = None,
    ) -> None:
        self.problem = problem
        self.learners = tuple(learners)
        self.rounds = rounds
        self.regrets = dict(zip(labels(self.learners), regrets, strict=True))
        self.about = dict(about)
        self._gaps, self._saved = gaps, dict[int, Array]()
        self.guarantees = {label: kept for label, kept in zip(self.regrets, guarantees) if kept is not None}  # noqa: B905

    @property
    def replicates(self) -> int:
        """The number of runs of each learner."""
        return len(next(iter(self.regrets.values())))

    def __repr__(self) -> str:
        width = max(map(len, self.regrets))
        lines = [f"<Result: {self._title()}"]
        for label, mean, se in self.summary().select("learner", "mean", "se").iter_rows():
            changes = self.about.get("expected_switches", {}).get(label)
            switches = "" if changes is None else f", switches expected: {changes:,.1f}"
            lines.append(f"  {label:{width}}  regret {mean:,.1f}" + ("" if se is None else f" ({se:.1f})") + switches)
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        shown = self.summary().select("learner", "mean", "se", *QUANTILES)
        rows = [[row[0], *("" if value is None else f"{value:,.1f}" for value in row[1:])] for row in shown.rows()]
        head = ("learner", "mean regret", "standard error", "5 %", "median", "95 %")
        return html_table(rows, head, self._title())

    def _title(self) -> str:
        exact = ", exact over the learners' own randomness" if self.about.get("exact") else ""
        return f"{self.replicates} replicates, {self.rounds[-1]} rounds of {self.about.get('costs', 'costs')}{exact}"

    def summary(self, changes: int = 0) -> "pl.DataFrame":
        """End regret: learner, mean, sd, se, q05, q50, q95; rows in the order of the learners.

        Args:
            changes: compare with the best path of actions that changes so often at most, each round paid at its own
                cost; 0: with the best fixed action. For this the costs are drawn or read once more.

        Returns:
            A polars frame.

        Raises:
            ValueError: if changes is not a whole number from 0, or the costs are not there any more.

        >>> import bygones as by
        >>> problem = by.Problem(actions=2, horizon=400, memory=by.Window(5))
        >>> result = by.simulate(problem, [by.FixedShare(1), by.Hedge()], by.SquareWave(200), replicates=1)
        >>> [result.summary(changes)["mean"].round(0).to_list() for changes in (0, 1)]
        [[-165.0, 2.0], [35.0, 202.0]]
        """
        gaps = self._path_gaps(changes) if whole("changes", changes, 0) else None
        return self._frame(slice(-1, None), gaps).drop("round")

    def _path_gaps(self, changes: int) -> Array:
        if changes not in self._saved:
            if self._gaps is None:
                raise ValueError(
                    f"changes is {changes}, and the costs are not kept with a result that was saved or backtested: "
                    "simulate again, or use accounting.regret(costs, states, changes)"
                )
            self._saved[changes] = self._gaps(changes)
        return self._saved[changes]

    def curves(self) -> "pl.DataFrame":
        """Regret over the rounds: learner, round, mean, sd, se, q05, q50, q95; and the mean guarantee, if kept."""
        return self._frame(slice(None))

    def _frame(self, columns: slice, gaps: Array | None = None) -> "pl.DataFrame":
        import polars as pl

        check_fork()
        frames = []
        for label, regrets in self.regrets.items():
            here = regrets[:, columns] if gaps is None else regrets[:, columns] + gaps[:, np.newaxis]
            mean, sd = moments_of(here)
            parts: dict[str, Any] = {"learner": label, "round": self.rounds[columns], "mean": mean, "sd": sd}
            parts["se"] = sd / np.sqrt(self.replicates)
            quantiles = np.quantile(here, list(QUANTILES.values()), axis=0)
            parts |= zip(QUANTILES, quantiles, strict=True)
            if self.guarantees and gaps is None:  # it is about the best fixed action
                parts["guarantee"] = self._held(label)[:, columns].mean(axis=0)
            frames.append(pl.DataFrame(parts))
        return pl.concat(frames).with_columns(pl.col("^(sd|se|guarantee)$").fill_nan(None))

    def moments(self, label: str, columns: slice = slice(None)) -> tuple[Array, Array]:
        """Mean and standard deviation of a learner's regret over the replicates.

        Args:
            label: the learner.
            columns: which of the recorded rounds; all by default.

        Returns:
            The means and the standard deviations, one per round.

        Raises:
            ValueError: if there is no such learner.
        """
        return moments_of(self._of(label)[:, columns])

    def _of(self, label: str) -> Array:
        if label not in self.regrets:
            raise ValueError(f"there is no learner {label!r}: the learners are {', '.join(self.regrets)}")
        return self.regrets[label]

    def _held(self, label: str) -> Array:
        """A learner's guarantees; nan where it has none."""
        return self.guarantees.get(label, np.full((self.replicates, len(self.rounds)), np.nan))

    def compare(self, first: str | None = None, second: str | None = None) -> "pl.DataFrame":
        """Paired differences in end regret, of two learners or of all pairs.

        All learners saw the same costs, so what the costs do to both drops out of a difference.

        Args:
            first: the label of one learner; None, for both: compare all pairs.
            second: the label of another learner.

        Returns:
            One row per pair: first, second, difference (first - second), se.

        Raises:
            ValueError: if there is no such learner, or only one is given.

        >>> import bygones as by
        >>> problem = by.Problem(actions=3, horizon=100, memory=by.Window(5))
        >>> result = by.simulate(problem, [by.FTARL(), by.Hedge(), by.Uniform()], by.StocHet(), replicates=5)
        >>> result.compare().select("first", "second").rows()
        [('FTARL', 'Hedge'), ('FTARL', 'Uniform'), ('Hedge', 'Uniform')]
        """
        import polars as pl

        if first is None and second is None:
            pairs = list(combinations(self.regrets, 2))
        elif first is not None and second is not None:
            pairs = [(first, second)]
        else:
            raise ValueError(f"compare() was given {first or second!r} alone: give two learners, or none for all pairs")
        rows = [(one, other, *self._difference(one, other)) for one, other in pairs]
        schema = {"first": pl.String, "second": pl.String, "difference": pl.Float64, "se": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _difference(self, first: str, second: str) -> tuple[float, float | None]:
        """The mean paired difference in end regret, and its standard error if there is more than one replicate."""
        ends = self._of(first)[:, -1] - self._of(second)[:, -1]
        return float(ends.mean()), float(ends.std(ddof=1)) / math.sqrt(len(ends)) if len(ends) > 1 else None

    def to_frame(self) -> "pl.DataFrame":
        """Everything as a polars frame: learner, replicate, round, regret, and guarantee if it was kept."""
        import polars as pl

        check_fork()
        count, recorded = self.replicates, len(self.rounds)
        return pl.concat(
            pl.DataFrame(
                {
                    "learner": label,
                    "replicate": np.repeat(np.arange(count), recorded),
                    "round": np.tile(self.rounds, count),
                    "regret": regrets.reshape(-1),
                    **({"guarantee": self._held(label).reshape(-1)} if self.guarantees else {}),
                }
            )
            for label, regrets in self.regrets.items()
        )

    def to_pandas(self) -> "pd.DataFrame":
        """The frame of `to_frame` as a pandas frame; pyarrow is not needed.

        Raises:
            ImportError: if pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            remedy = "install it with `pip install pandas`, or use to_frame(), which gives a polars frame"
            raise ImportError(f"to_pandas() needs pandas, which is not installed: {remedy}") from None
        return pd.DataFrame({series.name: series.to_numpy() for series in self.to_frame()})

    def to_latex(self) -> str:
        """End regret as a LaTeX table, mean ± standard error; it needs the LaTeX package booktabs.

        The learner with the lowest mean is bold. So is every learner whose paired difference to it, on the same costs,
        is at most two standard errors of that difference: the runs do not show that it is worse.
        """
        rows = self.summary().select("learner", "mean", "se").rows()
        best = min(rows, key=lambda row: row[1])[0]
        apart = {label: self._difference(label, best) for label in self.regrets}
        bold = {label for label, (difference, se) in apart.items() if difference <= CLEAR * (se or 0.0)}
        return latex_table("Regret", rows, bold)

    def plot(
        self, ax: "Axes | None" = None, figsize: tuple[float, float] | None = None, bounds: bool = False
    ) -> "Axes":
        """Draw mean regret over the rounds, with a band of one standard deviation, and guarantees if they were kept.

        Args:
            ax: the axes to draw on; None: those of a new figure, which a notebook shows by itself.
            figsize: width and height of the new figure in inches; None: 7 by 4.2.
            bounds: True also draws what each learner's `bound` promises.

        Returns:
            The axes; their figure is `axes.figure`.

        Raises:
            ValueError: if both ax and figsize are given.
        """
        from .report.axes import new_axes

        if ax is not None and figsize is not None:
            raise ValueError(f"figsize is {figsize!r}, and ax has a figure already: give one of them")
        axes = new_axes(figsize or SIZE) if ax is None else ax
        promised = zip(self.regrets, (learner.bound(self.problem) for learner in self.learners), strict=True)
        known = {label: bound for label, bound in promised if bound is not None}
        draw_curves(axes, self.curves(), known if bounds else None)
        axes.set_ylabel("regret")
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        return axes

    def report(self, path: str | PathLike[str], single_file: bool = False) -> None:
        """Write a page that works offline.

        Args:
            path: a new folder, or one with an earlier report, for `index.html` with the data beside it.
            single_file: write one file of HTML at `path` instead, with script and data inside, to be mailed.

        Raises:
            ValueError: if the path holds something else.
            OSError: if it cannot be written.

        >>> import bygones as by, tempfile
        >>> problem = by.Problem(actions=3, horizon=100, memory=by.Window(5))
        >>> result = by.simulate(problem, [by.FTARL(), by.Hedge()], by.StocHet(), replicates=5)
        >>> result.report(tempfile.mkdtemp())
        """
        regret_page(self).report(Path(path), "result", single_file)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to one Parquet file, with how it was made as JSON in its metadata."""
        with replacing(Path(path)) as file:
            file.write(self.to_bytes())

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        learners = [learner.to_dict() for learner in self.learners]
        header = stamped(FORM, problem=self.problem.to_dict(), learners=learners, about=self.about)
        return sealed_frame(self.to_frame(), header)

    @staticmethod
    def load(
        path: str | PathLike[str],
        *,
        learners: Iterable[type[Learner]] = (),
        memories: Iterable[type[Memory]] = (),
    ) -> "Result":
        """Read a result that `save` wrote.

        Args:
            path: the file.
            learners: your own classes of learners that it may name.
            memories: your own classes of memories that it may name.

        Returns:
            The result.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: if it is not a result, is damaged, or names a learner or memory that is not known.
        """
        if not Path(path).is_file():
            raise FileNotFoundError(f"{path}: there is no such file")
        return Result.from_bytes(Path(path).read_bytes(), str(path), learners, memories)

    @staticmethod
    def from_bytes(
        content: bytes, path: str, learners: Iterable[type[Learner]], memories: Iterable[type[Memory]]
    ) -> "Result":
        """The inverse of `to_bytes`.

        Args:
            content: what was saved.
            path: where it is from, for messages.
            learners: your own classes of learners that it may name.
            memories: your own classes of memories that it may name.

        Returns:
            The result.

        Raises:
            ValueError: if it is not a result, is damaged, or names a learner or memory that is not known.
        """
        check_fork()
        FORM.check(content, path)
        with FORM.reading(path):
            header, frame = frame_from(content)
        check_stamp(header, FORM, path, problem=dict, learners=list, about=dict)
        kinds = (*LEARNERS, *learners)
        try:
            described = [from_dict(learner, kinds, "learner", "learners") for learner in header["learners"]]
            problem = Problem.from_dict(header["problem"], memories)
        except ValueError as error:
            raise ValueError(f"{path} cannot be loaded: {error}") from None
        with FORM.reading(path):
            tables = [frame.filter(learner=label) for label in labels(described)]
            rounds = np.array(tables[0].filter(replicate=0)["round"], dtype=np.int64)
            regrets, held = (
                [np.array(table[name], dtype=np.float64).reshape(-1, len(rounds)) for table in tables]
                if name in frame.columns
                else []
                for name in ("regret", "guarantee")
            )
            if len({one.shape for one in (*regrets, *held)}) != 1 or regrets[0].size * len(tables) != frame.height:
                raise ValueError("the learners differ in their replicates or rounds")
            guarantees = [None if np.isnan(one).all() else one for one in held]
        return Result(problem, described, rounds, regrets, header["about"], guarantees)


def moments_of(values: Array) -> tuple[Array, Array]:
    """Mean and standard deviation over the rows, in their order."""
    mean, deviation = np.empty(values.shape[1]), np.empty(values.shape[1])
    moments(np.ascontiguousarray(values), mean, deviation)
    return mean, deviation
