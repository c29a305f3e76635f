"""How a table of the user's, of whatever kind, becomes blocks of rows."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .costs import Table
from .problem import Problem
from .validation import matched, whole


def feed(costs: Any, problem: Problem, rounds: int | None, step: int) -> tuple[int, Iterable[Any]]:  # noqa: ANN401
    """How many rounds a table of the user's has, and its rows in blocks.

    Args:
        costs: an array, any data frame, a `Table`, an iterator of blocks, or the path of an `.npy` or Parquet file.
        problem: whose names and horizon count.
        rounds: how many are wanted; None: all, of an iterator up to the horizon.
        step: how many rows of a Parquet file to read at once.
    """
    if isinstance(costs, str | Path):
        return _file_blocks(Path(costs), problem, rounds, step)
    if isinstance(costs, Iterator):
        limit = problem.horizon if rounds is None else whole("rounds", rounds, 1)
        if limit is None:
            raise ValueError("the problem's horizon is unknown, and so is how many blocks there are: give rounds=")
        return limit, _first(costs, problem, limit)
    if isinstance(costs, Table):
        named = costs.names is not None and not isinstance(problem.actions, int)
        costs = (costs.columns(problem.names) if named else costs).data
    table = costs if isinstance(costs, np.ndarray) and costs.ndim == 2 else problem.check_costs(costs, 0)
    return _some(len(table), rounds), [table[:rounds]]


def _some(count: int, rounds: int | None) -> int:
    """How many of the rows that there are to play."""
    wanted = count if rounds is None else whole("rounds", rounds, 1)
    if wanted > count or count == 0:
        raise ValueError(f"the table has {count} rows, and {wanted} rounds are asked for: give more or ask for fewer")
    return wanted


def _first(blocks: Iterator[Any], problem: Problem, rounds: int) -> Iterator[Any]:
    """The first rounds of an iterator's blocks."""
    seen = 0
    for block in blocks:
        table = problem.check_costs(block, seen)[: rounds - seen]
        seen += len(table)
        yield table
        if seen >= rounds:
            return


def _file_blocks(path: Path, problem: Problem, rounds: int | None, step: int) -> tuple[int, Iterable[Any]]:
    """The rows of a file, read as they are played."""
    if path.suffix not in (".npy", ".parquet"):
        raise ValueError(f"{path}: give an .npy or a .parquet file, or read it into a data frame first")
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    if path.suffix == ".npy":
        try:
            table = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError, OSError):
            raise ValueError(f"{path} is no array that numpy saved, or only a part of one") from None
        if table.ndim != 2:
            problem.check_costs(table, 0)  # which tells what is wrong
        return _some(len(table), rounds), [table[:rounds]]
    import polars as pl

    try:
        frame = pl.scan_parquet(path)
        if not isinstance(problem.actions, int):
            here = frame.collect_schema().names()
            frame = frame.select(here[place] for place in matched(here, problem.names))
        count = _some(int(frame.select(pl.len()).collect().item()), rounds)
    except pl.exceptions.PolarsError:
        raise ValueError(f"{path} is no Parquet file, or only a part of one") from None
    return count, frame.head(count).collect_batches(chunk_size=step, maintain_order=True)
