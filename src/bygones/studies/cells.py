"""Cells: one configuration and a block of replicates, which one worker computes at once."""

import hashlib
import json
import platform
import time
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import datasets
from ..costs import Costs, Table
from ..engine import Replicates, some_replicates
from ..engine.plan import Record
from ..kernels import cache as kernel_cache
from ..learners import Learner
from ..memory import Memory
from ..problem import Problem
from ..store import Form, sealed_frame, stamped
from ..validation import shown
from ..version import __version__
from .configurations import Configuration
from .declaration import is_table
from .owned import owned

FORM = Form("cell", "bygones study run")
FORMAT = 1  # of what a cell holds; another one never mixes with this
# What computes the numbers of a cell. Whatever else is changed, such as a page, leaves them as they are.
ROOMS = (
    *("accounting", "costs", "datasets", "description", "engine", "io", "kernels", "learners", "memory"),
    *("problem", "programs", "studies/cells", "theory", "validation", "words"),
)


class MismatchError(ValueError):
    """A worker has other sources than the one that planned a cell."""


class Cell(NamedTuple):
    """Replicates `first` up to `stop`, without it, of a configuration."""

    key: str  # of the configuration, and of all that computes it
    configuration: Configuration
    first: int
    stop: int

    @property
    def name(self) -> str:
        """The name of its file: all that determines it."""
        return f"{self.key}-{self.first}-{self.stop}.parquet"


def key_of(configuration: Configuration) -> str:
    """A digest of everything that determines the regrets of a configuration, replicate by replicate.

    That is the configuration itself, the content of its table, the sources that compute it, the user's modules behind
    its classes, the format of a cell, and the releases of numpy and numba, which may change a last digit.
    """
    parts = configuration._asdict() | {"costs": _identity(configuration.costs)}
    about = [FORMAT, sources(), owned(configuration), *_releases()]
    return hashlib.sha256(json.dumps([parts, about], sort_keys=True).encode()).hexdigest()[:40]


def compute(cell: Cell, table: Path | None = None) -> bytes | str:
    """The content of a cell's file, or what the cell raised: whatever a worker itself raises is no fault of a cell.

    Args:
        cell: which.
        table: where its table is on this worker, if not where the cell says.

    Returns:
        Replicate, round, regret, and what else is recorded, with how it was made; or a sentence.

    Raises:
        MismatchError: if this worker has other sources than the one that planned the cell.
    """
    here = cell.configuration if table is None else cell.configuration._replace(costs=str(table))
    _check_worker(cell.key, here)
    try:
        return _computed(cell, here)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit; as text, since not every exception can be sent
        return f"{type(error).__name__}: {error}"


def _check_worker(key: str, configuration: Configuration) -> None:
    """Raise MismatchError if the key that a cell was planned with is not the one here."""
    who = f"this worker ({platform.node()}, bygones {__version__}, numpy {np.__version__})"
    try:
        same = key_of(configuration) == key
    except ValueError as error:  # what was found where the study was planned
        raise MismatchError(f"{who} lacks something: {error}") from None
    if not same:
        raise MismatchError(
            f"{who} has another bygones, numpy or numba than the one that planned the study, or another version of a "
            "class or table of yours: install the same everywhere, and start the workers again"
        )


def _computed(cell: Cell, this: Configuration) -> bytes:
    """What a cell records, as the content of a file."""
    import polars as pl

    begun = time.perf_counter()
    made = played(this, problem_of(this), range(cell.first, cell.stop), this.record)
    count, recorded = made.regrets.shape
    columns: dict[str, Any] = {
        "replicate": np.repeat(np.arange(cell.first, cell.stop), recorded),
        "round": np.tile(made.rounds, count),
        "regret": made.regrets.reshape(-1),
    }
    if this.guarantees:
        held = np.full(made.regrets.size, np.nan) if made.guarantees is None else made.guarantees.reshape(-1)
        columns["guarantee"] = held
    if made.switches is not None:
        columns["switches"] = np.repeat(made.switches, recorded)
    header = stamped(
        FORM,
        key=cell.key,
        configuration=cell.configuration._asdict(),
        replicates=[cell.first, cell.stop],
        recorded=recorded,
        made={
            "seconds": round(time.perf_counter() - begun, 6),
            "host": platform.node(),
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
    )
    return sealed_frame(pl.DataFrame(columns).with_columns(pl.col("^guarantee$").fill_nan(None)), header)


def played(this: Configuration, problem: Problem, replicates: range, record: Record) -> Replicates:
    """Some replicates of a configuration.

    Args:
        this: the configuration.
        problem: what is decided, which may have another horizon than the configuration.
        replicates: their numbers.
        record: which rounds to keep.

    Returns:
        What was kept of them.
    """
    return some_replicates(
        problem,
        Learner.parse(this.learner),
        costs_of(this.costs),
        replicates,
        this.seed,
        exact=this.method == "expected",
        record=record,
        guarantee=this.guarantees,
        switches=this.switches,
    )


def problem_of(configuration: Configuration) -> Problem:
    """The problem that a configuration is about; of a table, its columns are the actions and its rows the rounds."""
    memory, actions, horizon = Memory.parse(configuration.memory), configuration.actions, configuration.horizon
    if actions is None or horizon is None:
        table = costs_of(configuration.costs)
        return Problem(table.names or table.data.shape[1], len(table.data), memory, configuration.cost_range)
    return Problem(actions, horizon, memory, configuration.cost_range)


def costs_of(words: str) -> Any:  # noqa: ANN401
    """Costs from their words: a family, or a table."""
    return _table(words, _identity(words)) if is_table(words) else Costs.parse(words)


@lru_cache(maxsize=16)
def _table(words: str, identity: str) -> Table:
    """A table, read again when its content has changed."""
    del identity
    return Table(words)


def _identity(costs: str) -> str:
    """Costs, told by what they are: a table by its content."""
    if costs.startswith("@"):
        return f"table {datasets.find(costs[1:]).sha256}"
    if not is_table(costs):
        return costs
    try:
        found = Path(costs).stat()
        return f"table {_content(costs, found.st_mtime_ns, found.st_size, found.st_ino)}"
    except OSError as error:
        raise ValueError(f"the table {shown(costs)} cannot be read here: {error.strerror}") from None


@lru_cache(maxsize=256)
def _content(path: str, *version: int) -> str:
    """The digest of a file, computed again when it was written again."""
    del version
    return digest_of(Path(path))


def digest_of(path: Path) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def sources() -> str:
    """A digest of the sources that compute the numbers."""
    digest = hashlib.sha256()
    for room in ROOMS:
        place = kernel_cache.PACKAGE / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
            digest.update(
                path.relative_to(kernel_cache.PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()


@cache
def _releases() -> tuple[str, ...]:
    """The releases of what computes besides ourselves."""
    import numba

    return tuple(".".join(version.split(".")[:2]) for version in (np.__version__, numba.__version__))
