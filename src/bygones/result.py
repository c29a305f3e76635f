"""Results: labelled curves and end values of one run or many."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .description import from_dict
from .kernels import Actions, Array, moments
from .learners import LEARNERS, Learner, labels
from .memory import Memory
from .problem import Problem
from .report import SCRIPT, Page, band, draw_curves, line, plotly_script, writing
from .store import as_bytes, replacing
from .validation import word
from .version import __version__

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure

FORMAT = "bygones result"
VERSION = 1
SHOWN = 400  # points of a curve on a page
QUANTILES = {"q05": 0.05, "q50": 0.5, "q95": 0.95}


class Result:
    """Regret of some learners on common costs: one row a replicate, one column a recorded round.

    Args:
        problem: what was decided.
        learners: those who decided.
        rounds: the recorded rounds, from 1.
        regrets: for each learner, (replicates, rounds).
        about: how it was made, as plain values.
        guarantees: of the learners that have one, what `by.guarantee` said at those rounds; None for the others.
    """

    def __init__(
        self,
        problem: Problem,
        learners: Sequence[Learner],
        rounds: Actions,
        regrets: Sequence[Array],
        about: Mapping[str, Any],
        guarantees: Sequence[Array | None] = (),
    ) -> None:
        self.problem = problem
        self.learners = tuple(learners)
        self.rounds = rounds
        self.regrets = dict(zip(labels(self.learners), regrets, strict=True))
        self.about = dict(about)
        self.guarantees = {label: kept for label, kept in zip(self.regrets, guarantees) if kept is not None}  # noqa: B905

    @property
    def replicates(self) -> int:
        """The number of runs of each learner."""
        return len(next(iter(self.regrets.values())))

    def __repr__(self) -> str:
        exact = ", exact over the learners' own randomness" if self.about.get("exact") else ""
        head = f"{self.replicates} replicates, {self.rounds[-1]} rounds of {self.about.get('costs', 'costs')}{exact}"
        width = max(map(len, self.regrets))
        lines = [f"<Result: {head}"]
        for label, mean, se in self.summary().select("learner", "mean", "se").iter_rows():
            told = self.about.get("expected_switches", {}).get(label)
            switches = "" if told is None else f", switches expected: {told:,.1f}"
            lines.append(f"  {label:{width}}  regret {mean:,.1f}" + ("" if se is None else f" ({se:.1f})") + switches)
        return "\n".join(lines) + ">"

    def summary(self) -> "pl.DataFrame":
        """End regret: learner, mean, sd, se, q05, q50, q95; rows in the order of the learners."""
        return self._frame(slice(-1, None)).drop("round")

    def curves(self) -> "pl.DataFrame":
        """Regret over the rounds: learner, round, mean, sd, se, q05, q50, q95; and the mean guarantee, if kept."""
        return self._frame(slice(None))

    def _frame(self, columns: slice) -> "pl.DataFrame":
        import polars as pl

        frames = []
        for label, regrets in self.regrets.items():
            mean, sd = self.moments(label, columns)
            parts: dict[str, Any] = {"learner": label, "round": self.rounds[columns], "mean": mean, "sd": sd}
            parts["se"] = sd / np.sqrt(self.replicates)
            parts |= dict(
                zip(QUANTILES, np.quantile(regrets[:, columns], list(QUANTILES.values()), axis=0), strict=True)
            )
            if self.guarantees:
                parts["guarantee"] = self._held(label)[:, columns].mean(axis=0)
            frames.append(pl.DataFrame(parts))
        return pl.concat(frames).with_columns(
            pl.col("sd", "se", *(["guarantee"] if self.guarantees else [])).fill_nan(None)
        )

    def moments(self, label: str, columns: slice = slice(None)) -> tuple[Array, Array]:
        """Mean and standard deviation of a learner's regret, at every recorded round."""
        values = np.ascontiguousarray(self._of(label)[:, columns])
        mean, deviation = np.empty(values.shape[1]), np.empty(values.shape[1])
        moments(values, mean, deviation)
        return mean, deviation

    def _of(self, label: str) -> Array:
        if label not in self.regrets:
            raise ValueError(f"there is no learner {label!r}: the learners are {', '.join(self.regrets)}")
        return self.regrets[label]

    def _held(self, label: str) -> Array:
        """A learner's guarantees; nan where it has none."""
        return self.guarantees.get(label, np.full((self.replicates, len(self.rounds)), np.nan))

    def compare(self, first: str, second: str) -> "pl.DataFrame":
        """The paired difference in end regret of two learners: first, second, difference (first - second), se.

        Both saw the same costs, so what the costs do to both drops out.
        """
        import polars as pl

        ends = self._of(first)[:, -1] - self._of(second)[:, -1]
        se = ends.std(ddof=1) / len(ends) ** 0.5 if len(ends) > 1 else None
        return pl.DataFrame({"first": [first], "second": [second], "difference": [ends.mean()], "se": [se]})

    def to_frame(self, kind: Literal["polars", "pandas"] = "polars") -> "pl.DataFrame | pd.DataFrame":
        """Everything: learner, replicate, round, regret, and guarantee if kept; in polars, or pandas if asked."""
        import polars as pl

        word("kind", kind, ("polars", "pandas"))
        count, recorded = self.replicates, len(self.rounds)
        frame = pl.concat(
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
        if kind == "polars":
            return frame
        import pandas as pd

        return pd.DataFrame(frame.to_dict(as_series=False))

    def plot(self, bounds: bool = False) -> "Figure":
        """Mean regret over the rounds with a band of one standard deviation; guarantees if kept, bounds on request."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.subplots()
        promised = {
            label: learner.bound(self.problem) for label, learner in zip(self.regrets, self.learners, strict=True)
        }
        known = {label: bound for label, bound in promised.items() if bound is not None}
        draw_curves(axes, self.curves(), known if bounds else None)
        axes.set_ylabel("regret")
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        return figure

    def report(self, folder: str | PathLike[str]) -> None:
        """Write a page that works offline, `index.html`, with the data beside it, into a new folder or an earlier one.

        >>> import bygones as by, tempfile
        >>> problem = by.Problem(actions=3, horizon=100, memory=by.Window(5))
        >>> result = by.simulate(problem, [by.FTARL(), by.Hedge()], by.StocHet(), replicates=5)
        >>> result.report(tempfile.mkdtemp())
        """
        import polars as pl

        rounds = f"{self.rounds[-1]:,} rounds of {self.about.get('costs', 'costs')}"
        told = Page(f"Regret on {rounds}")
        told.text(f"{self.problem!r}, {self.replicates} replicates; bands are one standard deviation of regret.")
        picks = np.unique(np.linspace(0, len(self.rounds) - 1, SHOWN).round().astype(int))
        t = self.rounds[picks].tolist()
        traces = []
        for number, label in enumerate(self.regrets):
            mean, sd = (values[picks] for values in self.moments(label))
            traces.append(line(label, t, mean.tolist(), number, legendgroup=label))
            if self.replicates > 1:
                traces.append(band(t, (mean - sd).tolist(), (mean + sd).tolist(), number, label))
            if label in self.guarantees:
                held = self.guarantees[label].mean(axis=0)[picks].tolist()
                traces.append(line(f"{label}, guarantee", t, held, number, thin=True))
        told.chart(traces, f"Regret over {rounds}, of {', '.join(self.regrets)}.")
        promised = pl.Series("bound", [learner.bound(self.problem) for learner in self.learners], dtype=pl.Float64)
        ends, two = self.summary().with_columns(promised), "{:,.2f}".format
        told.table(ends, "End regret, and what each learner promises.", dict.fromkeys(ends.columns[1:], two))
        told.heading("How this was made")
        told.items([f"{name}: {value}" for name, value in self.about.items()])
        with writing(Path(folder), "result") as place:
            self.save(place / "result.parquet")
            (place / SCRIPT).write_bytes(plotly_script())
            (place / "index.html").write_text(told.html(), encoding="utf-8")

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to one Parquet file, with how it was made as JSON in its metadata."""
        frame: pl.DataFrame = self.to_frame()
        header = {
            "format": FORMAT,
            "version": VERSION,
            "bygones": __version__,
            "problem": self.problem.to_dict(),
            "learners": [learner.to_dict() for learner in self.learners],
            "about": self.about,
            "digest": _digest(frame),
        }
        told = {"bygones": json.dumps(header)}
        with replacing(Path(path)) as file:
            file.write(as_bytes(lambda buffer: frame.write_parquet(buffer, metadata=told)))

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
            learners: classes of learners of your own that it may name.
            memories: classes of memories of your own that it may name.
        """
        import polars as pl

        damaged = f"{path} is no result that bygones saved, or a damaged one: give a file that Result.save wrote"
        if not Path(path).is_file():
            raise FileNotFoundError(f"{path}: there is no such file")
        try:
            header = json.loads(pl.read_parquet_metadata(Path(path))["bygones"])
            frame = pl.read_parquet(Path(path))
            sound = header["format"] == FORMAT and header["version"] >= 1
            if sound and header["version"] <= VERSION:
                sound = header["digest"] == _digest(frame)
        except (Exception, pl.exceptions.PanicException):
            raise ValueError(damaged) from None
        if not sound:
            raise ValueError(damaged)
        if header["version"] > VERSION:
            raise ValueError(f"{path} was written by a newer bygones ({header['bygones']}): upgrade bygones to read it")
        kinds = (*LEARNERS, *learners)
        described = [from_dict(learner, kinds, "learner") for learner in header["learners"]]
        tables = [frame.filter(learner=label) for label in labels(described)]
        rounds = tables[0].filter(replicate=0)["round"].to_numpy().copy()
        problem = Problem.from_dict(header["problem"], memories)
        regrets, held = (
            [table[name].to_numpy().reshape(-1, len(rounds)).copy() for table in tables if name in frame.columns]
            for name in ("regret", "guarantee")
        )
        guarantees = [None if np.isnan(one).all() else one for one in held]
        return Result(problem, described, rounds, regrets, header["about"], guarantees)


def _digest(frame: "pl.DataFrame") -> str:
    """So that a damaged file is noticed."""
    digest = hashlib.sha256(str([frame.columns, frame["learner"].rle().to_list()]).encode())
    for name in frame.columns[1:]:
        digest.update(frame[name].to_numpy().tobytes())
    return digest.hexdigest()
