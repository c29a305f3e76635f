"""Cells: one configuration and a block of replicates, which one worker computes at once."""

import hashlib
import inspect
import json
import platform
import time
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from .. import datasets
from ..costs import Costs, Table
from ..engine import some_replicates
from ..kernels import cache as kernel_cache
from ..learners import Learner
from ..memory import Memory
from ..problem import Problem
from ..store import Form, sealed_frame, stamped
from ..validation import shown
from ..version import __version__
from .configurations import Configuration
from .declaration import is_table

FORM = Form("cell", "bygones study run")
FORMAT = 1  # of what a cell holds; another one never mixes with this
# What computes the numbers of a cell. Whatever else is changed, such as a page, leaves them as they are.
ROOMS = ("accounting", "costs", "datasets", "engine", "io", "kernels", "learners", "memory", "problem", "theory")


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

    That is the configuration itself, the content of its table, the sources that compute it, those of the user's own
    classes, the format of a cell, and the releases of numpy and numba, which may change a last digit.
    """
    parts = configuration.to_dict() | {"costs": _identity(configuration.costs)}
    about = [FORMAT, _sources(), _owned(configuration.learner), _owned(configuration.costs, costs=True), *_releases()]
    return hashlib.sha256(json.dumps([parts, about], sort_keys=True).encode()).hexdigest()[:40]


def compute(cell: Cell) -> bytes:
    """The content of a cell's file: replicate, round, regret, and what else is recorded, with how it was made.

    Raises:
        MismatchError: if this worker has other sources than the one that planned the cell.
        ValueError: if an argument does not fit.
    """
    if key_of(cell.configuration) != cell.key:
        raise MismatchError(
            f"this worker ({platform.node()}) has another bygones than the one that planned the study, or another "
            f"version of a class or table of yours; it has bygones {__version__}, numpy {np.__version__}: install the "
            "same everywhere"
        )
    import polars as pl

    begun, this = time.perf_counter(), cell.configuration
    made = some_replicates(
        problem_of(this),
        Learner.parse(this.learner),
        costs_of(this.costs),
        range(cell.first, cell.stop),
        this.seed,
        exact=this.method == "expected",
        record=this.record,
        guarantee=this.guarantees,
        switches=this.switches,
    )
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
        configuration=this.to_dict(),
        replicates=[cell.first, cell.stop],
        made={
            "seconds": round(time.perf_counter() - begun, 6),
            "host": platform.node(),
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
    )
    return sealed_frame(pl.DataFrame(columns).with_columns(pl.col("^guarantee$").fill_nan(None)), header)


def problem_of(configuration: Configuration) -> Problem:
    """The problem that a configuration is about; of a table, its columns are the actions and its rows the rounds."""
    memory, actions, horizon = Memory.parse(configuration.memory), configuration.actions, configuration.horizon
    if actions is None or horizon is None:
        table = costs_of(configuration.costs)
        return Problem(table.names or table.data.shape[1], len(table.data), memory, configuration.cost_range)
    return Problem(actions, horizon, memory, configuration.cost_range)


@lru_cache(maxsize=16)
def costs_of(words: str) -> Any:  # noqa: ANN401
    """Costs from their words: a family, or a table."""
    return Table(words) if is_table(words) else Costs.parse(words)


@lru_cache(maxsize=256)
def _identity(costs: str) -> str:
    """Costs, told by what they are: a table by its content."""
    if costs.startswith("@"):
        return f"table {datasets.find(costs[1:]).sha256}"
    if not is_table(costs):
        return costs
    try:
        return f"table {hashlib.sha256(Path(costs).read_bytes()).hexdigest()}"
    except OSError as error:
        raise ValueError(f"the table {shown(costs)} cannot be read here: {error.strerror}") from None


@cache
def _sources() -> str:
    """A digest of the sources that compute the numbers."""
    digest = hashlib.sha256()
    for room in ROOMS:
        place = kernel_cache.PACKAGE / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
            digest.update(
                path.relative_to(kernel_cache.PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()


@lru_cache(maxsize=4096)
def _owned(words: str, costs: bool = False) -> list[str]:
    """Digests of the files of classes that are the user's, in words."""
    if costs and is_table(words):
        return []
    found: list[str] = []
    left: list[Any] = [Costs.parse(words) if costs else Learner.parse(words)]
    while left:
        one = left.pop()
        if not type(one).__module__.startswith("bygones."):
            source = inspect.getsourcefile(type(one))
            found.append(hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else type(one).__qualname__)
        left += [value for value in msgspec.structs.asdict(one).values() if isinstance(value, Learner)]
    return sorted(found)


@cache
def _releases() -> tuple[str, ...]:
    """The releases of what computes besides ourselves."""
    import numba

    return tuple(".".join(version.split(".")[:2]) for version in (np.__version__, numba.__version__))
