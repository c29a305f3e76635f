"""What a study has found: a frame that is read cell by cell as it is needed, summaries, and exports."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ..learners import Learner
from ..report import latex_table
from ..result import QUANTILES
from ..store import as_bytes, frame_from, replacing
from .cells import FORM, Cell, key_of, problem_of
from .configurations import Configuration, Point, configurations
from .declaration import Study
from .folder import Folder
from .planning import gaps

FIXED = ("learner", "costs", "memory", "actions", "horizon", "cost_range")
KINDS: dict[str, Any] = {"actions": pl.Int64, "horizon": pl.Int64, "cost_range": pl.Float64}
ENDINGS = (".parquet", ".csv", ".tex")


class Piece(NamedTuple):
    """A cell that is there, and the first of its replicates that no other one has given."""

    cell: Cell
    first: int
    parameters: dict[str, Any]


class Found:
    """The results of a study in a folder.

    Args:
        study: what is swept.
        folder: where the cells are.
    """

    def __init__(self, study: Study, folder: Folder) -> None:
        self.study, self.folder = study, folder

    def pieces(self) -> Iterator[Piece]:
        """The cells that are there, in the order of the study, each replicate once."""
        there = self.folder.found()
        for point in configurations(self.study):
            key, at = key_of(point.configuration), 0
            for first, stop in sorted(there.get(key, ())):
                if stop > at and first < self.study.replicates:
                    yield Piece(Cell(key, point.configuration, first, stop), max(first, at), point.parameters)
                    at = stop

    def missing(self) -> int:
        """How many replicates of all configurations are not there."""
        there = self.folder.found()
        keys = (key_of(point.configuration) for point in configurations(self.study))
        return sum(stop - first for key in keys for first, stop in gaps(there.get(key, ()), self.study.replicates))

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The columns: the configuration, the parameters of the grid, and what was recorded."""
        kinds = {name: _kind(values) for name, values in self.study.axes.items() if name in self.study.grid}
        fixed = {name: KINDS.get(name, pl.String) for name in FIXED}
        recorded: dict[str, Any] = {"replicate": pl.Int64, "round": pl.Int64, "regret": pl.Float64}
        recorded |= {"guarantee": pl.Float64} if self.study.guarantees else {}
        recorded |= {"switches": pl.Float64} if self.study.switches else {}
        return fixed | kinds | recorded

    def frame(self) -> pl.LazyFrame:
        """All that was recorded: one row per configuration, replicate and recorded round.

        A cell is read, and its checksum verified, when its rows are asked for.
        """
        from polars.io.plugins import register_io_source

        def read(
            columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            for piece in self.pieces():
                part = self.read(piece)
                part = part if predicate is None else part.filter(predicate)
                part = part if columns is None else part.select(columns)
                if rows is not None:
                    part, rows = part.head(rows), rows - part.height
                yield part
                if rows is not None and rows <= 0:
                    return

        return register_io_source(read, schema=self.schema)

    def read(self, piece: Piece) -> pl.DataFrame:
        """The rows of one cell; raises ValueError if its file is damaged or something else."""
        path = self.folder.place(piece.cell)
        header, frame = self._opened(path, piece.cell)
        del header
        here = piece.cell.configuration
        last = self.study.replicates
        frame = frame.filter(pl.col("replicate").is_between(piece.first, last - 1))
        fixed = {name: getattr(here, name) for name in FIXED}
        if here.horizon is None:
            problem = problem_of(here)
            fixed |= {"actions": problem.n, "horizon": problem.horizon}
        named = fixed | {name: piece.parameters.get(name) for name in self.study.grid}
        literals = [pl.lit(value, dtype=self.schema[name]).alias(name) for name, value in named.items()]
        return frame.with_columns(literals).select(list(self.schema))

    def _opened(self, path: Path, cell: Cell) -> tuple[Any, pl.DataFrame]:
        content = FORM.read(path)
        with FORM.reading(str(path)):
            header, frame = frame_from(content)
            if (header["key"], header["replicates"]) != (cell.key, [cell.first, cell.stop]):
                raise ValueError("it is another cell")
        return header, frame

    def damaged(self) -> list[Path]:
        """The files of cells that are not what was written; all are read, and their checksums verified."""
        return [path for path, cell in self._places() if not _is_sound(path, cell)]

    def _places(self) -> Iterator[tuple[Path, Cell]]:
        for piece in self.pieces():
            yield self.folder.place(piece.cell), piece.cell

    def failures(self) -> list[dict[str, Any]]:
        """What failed of the study, and was not computed since."""
        return list(self.folder.failures({key_of(point.configuration) for point in configurations(self.study)}))

    def summary(self) -> pl.DataFrame:
        """End regret of each configuration: mean, sd, se, q05, q50, q95, replicates, and the learner's bound."""
        by = [*FIXED, *self.study.grid]
        ends = self.frame().filter(pl.col("round") == pl.col("round").max().over(by)).collect()
        regret = pl.col("regret")
        figures = [regret.mean().alias("mean"), regret.std().alias("sd")]
        figures.append((regret.std() / regret.len().sqrt()).alias("se"))
        figures += [regret.quantile(at, "linear").alias(name) for name, at in QUANTILES.items()]
        made = ends.group_by(by, maintain_order=True).agg(*figures, pl.len().alias("replicates"))
        bounds = [_bound(point) for point in self._present(made)]
        return made.with_columns(pl.Series("bound", bounds, dtype=pl.Float64))

    def _present(self, made: pl.DataFrame) -> Iterator[Point]:
        """The configurations of the rows of a summary, in their order."""
        there = self.folder.found()
        points = (point for point in configurations(self.study) if key_of(point.configuration) in there)
        return (point for point, _ in zip(points, range(made.height), strict=False))

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
            frame = self.frame().collect()
            write = frame.write_csv if ending == ".csv" else frame.write_parquet
            content = as_bytes(write)
        with replacing(path) as file:
            file.write(content)

    def _latex(self) -> str:
        """The summary as a table, one row per configuration."""
        made = self.summary()
        varied = [name for name in (*FIXED, *self.study.grid) if made[name].n_unique() > 1]
        rows = [
            (", ".join(str(row[name]) for name in varied) or row["learner"], row["mean"], row["se"])
            for row in made.iter_rows(named=True)
        ]
        return latex_table("Regret", rows, set())


def load(path: str | Path, study: Study | None = None) -> Found:
    """The results in a folder.

    Args:
        path: the folder.
        study: what is swept; None: what was last run there.

    Returns:
        The results.

    Raises:
        ValueError: if it is not the folder of a study.
    """
    from .reading import read_study

    folder = Folder.there(Path(path))
    return Found(study or read_study(folder.declared), folder)


def _is_sound(path: Path, cell: Cell) -> bool:
    """Whether a file is the cell that its name says; once its checksum is right, what it says of itself is true."""
    try:
        content = FORM.read(path)
    except (ValueError, OSError):
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
