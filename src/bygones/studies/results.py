"""What a study has found: a frame that is read cell by cell as it is needed, summaries, and exports."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from ..description import html_table
from ..kernels import Actions, Array
from ..learners import Learner
from ..report import as_csv, latex_table
from ..result import QUANTILES, moments_of
from ..store import as_bytes, frames_from, replacing
from .cells import FORM, Cell, key_of, problem_of
from .configurations import Configuration, Point, shown_configurations
from .declaration import Study, is_table, parameters
from .folder import Folder
from .planning import gaps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIXED = ("learner", "costs", "memory", "actions", "horizon", "cost_range")
KINDS: dict[str, Any] = {"actions": pl.Int64, "horizon": pl.Int64, "cost_range": pl.Float64}
TOGETHER, MANY = 4_000_000, 1000  # bytes, and cells, that are read at once
ENDINGS = (".parquet", ".csv", ".tex")


class Piece(NamedTuple):
    """A cell that is there, and the first of its replicates that no other one has given."""

    cell: Cell
    first: int
    point: Point


class End(NamedTuple):
    """A configuration's regrets after the last round: its columns, which replicates, and the learner's bound."""

    point: Point
    named: dict[str, Any]
    replicates: Actions
    regrets: Array
    bound: float | None


class Found:
    """The results of a study in a folder.

    Args:
        study: what is swept.
        folder: where the cells are.
        progress: show a bar where something takes long; None: on a terminal.
    """

    def __init__(self, study: Study, folder: Folder, progress: bool | None = None) -> None:
        self.study, self.folder, self.progress = study, folder, progress

    def _points(self, doing: str = "looking") -> Iterator[Point]:
        """All configurations, with a bar for what is done with them."""
        return shown_configurations(self.study, self.progress, doing)

    def pieces(self, doing: str = "reading") -> Iterator[Piece]:
        """The cells that are there, in the order of the study, each replicate once."""
        there = self.folder.found()
        for point in self._points(doing):
            key, at = key_of(point.configuration), 0
            for first, stop in sorted(there.get(key, ())):
                if stop > at and first < self.study.replicates:
                    yield Piece(Cell(key, point.configuration, first, stop), max(first, at), point)
                    at = stop

    def missing(self) -> int:
        """How many replicates of all configurations are not there."""
        there = self.folder.found()
        keys = (key_of(point.configuration) for point in self._points())
        return sum(stop - first for key in keys for first, stop in gaps(there.get(key, ()), self.study.replicates))

    @property
    def _columns(self) -> dict[str, Any]:
        """Those of the configuration, and the parameters of the grid."""
        kinds = {name: _kind(values) for name, values in self.study.axes.items() if name in self.study.grid}
        return {name: KINDS.get(name, pl.String) for name in FIXED} | kinds

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The columns: the configuration, the parameters of the grid, and what was recorded."""
        recorded: dict[str, Any] = {"replicate": pl.Int64, "round": pl.Int64, "regret": pl.Float64}
        recorded |= {"guarantee": pl.Float64} if self.study.guarantees else {}
        recorded |= {"switches": pl.Float64} if self.study.switches else {}
        return self._columns | recorded

    def frame(self) -> pl.LazyFrame:
        """All that was recorded: one row per configuration, replicate and recorded round.

        A cell is read, and its checksum verified, when its rows are asked for.
        """
        from polars.io.plugins import register_io_source

        def read(
            columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            for part in self._rows():
                part = part if predicate is None else part.filter(predicate)
                part = part if columns is None else part.select(columns)
                if rows is not None:
                    part, rows = part.head(rows), rows - part.height
                yield part
                if rows is not None and rows <= 0:
                    return

        return register_io_source(read, schema=self.schema)

    def _rows(self) -> Iterator[pl.DataFrame]:
        """All that was recorded, some cells at a time; raises ValueError if a file is damaged or something else."""
        for pieces, parts in self._opened():
            named = pl.DataFrame(
                [tuple(self.named(piece.point).values()) for piece in pieces], schema=self._columns, orient="row"
            )
            which = np.repeat(np.arange(len(pieces)), [part.height for part in parts])
            yield pl.concat([named[which], pl.concat(parts)], how="horizontal")

    def _opened(self) -> Iterator[tuple[list[Piece], list[pl.DataFrame]]]:
        """Some cells at a time, and what each recorded of the replicates that it is asked for."""
        pieces: list[Piece] = []
        contents: list[bytes] = []
        size = 0
        for piece in self.pieces():
            content = FORM.read(self.folder.place(piece.cell))
            if contents and (size + len(content) > TOGETHER or len(contents) == MANY):
                yield pieces, self._parts(pieces, contents)
                pieces, contents, size = [], [], 0
            pieces.append(piece)
            contents.append(content)
            size += len(content)
        if pieces:
            yield pieces, self._parts(pieces, contents)

    def named(self, point: Point) -> dict[str, Any]:
        """The columns of a configuration, and of the grid's parameters."""
        here = point.configuration
        fixed = {name: getattr(here, name) for name in FIXED} | {"costs": self._shown(here.costs)}
        if here.horizon is None:
            problem = problem_of(here)
            fixed |= {"actions": problem.n, "horizon": problem.horizon}
        return fixed | {name: point.parameters.get(name) for name in self.study.grid}

    def _shown(self, costs: str) -> str:
        """Costs as they are shown: a table by the name of its file, if no other has that name."""
        short = Path(costs).name if is_table(costs) else costs
        return short if sum(Path(each).name == short for each in self.study.costs) <= 1 else costs

    def _parts(self, pieces: list[Piece], contents: list[bytes]) -> list[pl.DataFrame]:
        """What some cells recorded of the replicates that they are asked for; verified."""
        try:
            headers, frame = frames_from(contents)
            said = [(header["key"], header["replicates"]) for header in headers]
            if said != [(piece.cell.key, [piece.cell.first, piece.cell.stop]) for piece in pieces]:
                raise ValueError("it is another cell")
            recorded = [header["recorded"] for header in headers]
            counts = [piece.cell.stop - piece.cell.first for piece in pieces]
        except Exception:  # whatever is raised by content that is something else
            if len(pieces) == 1:
                raise ValueError(FORM.refusal(str(self.folder.place(pieces[0].cell)))) from None
            return [self._parts([piece], [content])[0] for piece, content in zip(pieces, contents, strict=True)]
        parts, at = [], 0
        for piece, each, count in zip(pieces, recorded, counts, strict=True):
            stop = min(piece.cell.stop, self.study.replicates)
            parts.append(frame.slice(at + (piece.first - piece.cell.first) * each, (stop - piece.first) * each))
            at += count * each
        return parts

    def damaged(self) -> list[Path]:
        """The files of cells that are not what was written; all are read, and their checksums verified."""
        places = ((self.folder.place(piece.cell), piece.cell) for piece in self.pieces("checking"))
        return [path for path, cell in places if not _is_sound(path, cell)]

    def failures(self) -> list[dict[str, Any]]:
        """What failed of the study, and was not computed since."""
        return list(self.folder.failures({key_of(point.configuration) for point in self._points()}))

    @cached_property
    def ends(self) -> list[End]:
        """The regret after the last round, configuration by configuration; read once."""
        found: list[End] = []
        read = (pair for pieces, parts in self._opened() for pair in zip(pieces, parts, strict=True))
        for point, pairs in groupby(read, key=lambda pair: pair[0].point):
            rows = pl.concat([part for _, part in pairs])
            replicates, regrets = rows["replicate"].to_numpy(), rows["regret"].to_numpy()
            last = np.flatnonzero(np.diff(replicates, append=-1))  # of each replicate
            found.append(End(point, self.named(point), replicates[last], regrets[last], _bound(point)))
        return found

    def check(self) -> None:
        """Raise ValueError if there are no results, with the reason."""
        if self.ends:
            return
        others = "but those of another study, or of another version of bygones, numpy, numba or modules of yours"
        more = f", {others}" if self.folder.found() else ""
        raise ValueError(f"{self.folder.path} has no results yet{more}: run the study first")

    def summary(self) -> pl.DataFrame:
        """End regret of each configuration: mean, sd, se, q05, q50, q95, replicates, and the learner's bound."""
        kinds = {name: self.schema[name] for name in (*FIXED, *self.study.grid)}
        kinds |= dict.fromkeys(("mean", "sd", "se", *QUANTILES), pl.Float64)
        rows = []
        for end in self.ends:
            count, (mean, sd) = len(end.regrets), moments_of(end.regrets[:, np.newaxis])
            spread = (None, None) if count < 2 else (sd[0], sd[0] / math.sqrt(count))
            quantiles = np.quantile(end.regrets, list(QUANTILES.values()))
            rows.append((*end.named.values(), mean[0], *spread, *quantiles, count, end.bound))
        return pl.DataFrame(rows, schema=kinds | {"replicates": pl.Int64, "bound": pl.Float64}, orient="row")

    def curves(self) -> pl.DataFrame:
        """Regret over the recorded rounds: the columns of the summary, round, mean and sd."""
        by, regret = [*FIXED, *self.study.grid, "round"], pl.col("regret")
        figures = (regret.mean().alias("mean"), regret.std().fill_null(0.0).alias("sd"))
        return self.frame().group_by(by, maintain_order=True).agg(*figures).collect()

    @property
    def swept(self) -> list[str]:
        """The columns of the summary that tell its rows apart; those that follow from a parameter are left out."""
        study, axes = self.study, self.study.axes
        follows = [name for name in ("costs", "memory") if len(axes[name]) == 1 and parameters(str(axes[name][0]))]
        names = [name for name in (*FIXED, *study.grid) if name not in follows]
        return [name for name in names if len({end.named[name] for end in self.ends}) > 1] or ["learner"]

    def plot(self, against: str | None = None, costs: str | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw mean regret of each learner against a swept parameter, with its bound; without one, learners compared.

        Args:
            against: the parameter; None: the first that is a number.
            costs: which, as the summary names them; None: the first.
            ax: the axes to draw on; None: those of a new figure, which a notebook shows by itself.

        Returns:
            The axes; their figure is `axes.figure`.

        Raises:
            ValueError: if there is no such parameter, or nothing to draw.
        """
        from .figures import draw

        return draw(self, against, costs, ax)

    def report(self, path: str | PathLike[str], single_file: bool = False) -> None:
        """Write a page that works offline.

        Args:
            path: a new folder, or one with an earlier report of a study.
            single_file: write one file of HTML at `path` instead, with script and data inside, to be mailed.

        Raises:
            ValueError: if the path holds something else, or there are no results yet.
            OSError: if it cannot be written.
        """
        from .page import KIND, study_page

        study_page(self).report(Path(path), KIND, single_file)

    def __repr__(self) -> str:
        from .sentences import answer, standings

        head, rows = standings(self)
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in (head, *rows)]
        return "\n".join([f"<Study: {answer(self)}", *(f"  {line.rstrip()}" for line in lines if rows)]) + ">"

    def _repr_html_(self) -> str:
        from .sentences import answer, standings

        head, rows = standings(self)
        return html_table(rows, head, answer(self))

    def export(self, path: Path) -> None:
        """Write all that was recorded to Parquet or CSV, or the means as a LaTeX table: the same bytes every time.

        Args:
            path: a file that ends in .parquet, .csv or .tex.

        Raises:
            ValueError: if it ends otherwise, or a cell is damaged.
            OSError: if it cannot be written.
        """
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise ValueError(f"out is {str(path)!r}: give a file that ends in {', '.join(ENDINGS)}")
        if ending == ".tex":
            content = self._latex().encode()
        else:
            frame = self.frame().collect().rechunk()  # however the cells were cut
            content = as_csv(frame) if ending == ".csv" else as_bytes(frame.write_parquet)
        with replacing(path) as file:
            file.write(content)

    def _latex(self) -> str:
        """The summary as a table: one row per configuration, one column for whatever is swept."""
        self.check()
        rows = [
            (tuple(_text(row[name]) for name in self.swept), row["mean"], row["se"])
            for row in self.summary().iter_rows(named=True)
        ]
        return latex_table("Regret", rows, set(), [name.capitalize() if name in FIXED else name for name in self.swept])


def load(path: str | Path) -> Found:
    """The results in a folder, of what was last run there; raises ValueError if it is not the folder of a study."""
    from .reading import read_study

    folder = Folder.there(Path(path))
    return Found(read_study(folder.declared), folder)


def _is_sound(path: Path, cell: Cell) -> bool:
    """Whether a file is the cell that its name says; once its checksum is right, what it says of itself is true."""
    try:
        content = FORM.read(path)
    except (ValueError, FileNotFoundError):  # another OSError is no reason to remove it
        return False
    said = (f'"key": "{cell.key}"', f'"replicates": [{cell.first}, {cell.stop}]')
    return all(words.encode() in content for words in said)


def _kind(values: Sequence[object]) -> Any:  # noqa: ANN401
    """The type of a column with these values."""
    if all(isinstance(each, bool) for each in values):
        return pl.Boolean
    if all(isinstance(each, int) for each in values):
        return pl.Int64
    return pl.Float64 if all(isinstance(each, int | float) for each in values) else pl.String


def _bound(point: Point) -> float | None:
    """What a learner promises about its regret there."""
    here: Configuration = point.configuration
    bound = Learner.parse(here.learner).bound(problem_of(here))
    return None if bound is None or math.isnan(bound) else bound


def _text(value: object) -> str:
    """A value in a table."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
