"""The folder of a study: one file for each cell, what failed, and what each run did.

study.toml          the study, as it was last run
cells/ab/ab...      results, by their names
claims/...          cells that a run is computing; others take them last
failed/...json      cells that raised, with what they raised
pace/...            seconds that a round takes, by kind, so that all runs cut the replicates at the same places
runs/...json        a line on each run: when, where, with which versions, how much
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..store import UNFINISHED, replacing, sweep
from .cells import Cell
from .planning import gaps

MARK = "study.toml"
PARTS = ("cells", "claims", "failed", "pace", "runs")
NAME = re.compile(r"([0-9a-f]{40})-(\d+)-(\d+)\.parquet")


class Folder:
    """Where the results of a study are.

    Args:
        path: the folder; made if it is not there.

    Raises:
        ValueError: if something else is there.
        OSError: if it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is not a folder: name another place")
        others = (each.name for each in path.iterdir()) if path.is_dir() and not (path / MARK).exists() else ()
        if any(name not in PARTS and not name.startswith(UNFINISHED) for name in others):  # not ours, begun or killed
            raise ValueError(f"{path} holds something else than a study: name a new or empty folder")
        with self._changing():
            for part in PARTS:
                (path / part).mkdir(parents=True, exist_ok=True)

    @staticmethod
    def there(path: Path) -> "Folder":
        """A folder that a run has made; raises ValueError if it is none."""
        if not (path / MARK).is_file():
            raise ValueError(f"{path} is not the folder of a study: give one that `bygones study run` made")
        return Folder(path)

    @property
    def declared(self) -> Path:
        """The file with the study that was last run."""
        return self.path / MARK

    def declare(self, text: str) -> None:
        """Write down what is being run."""
        self._write(self.declared, text.encode())

    def place(self, cell: Cell) -> Path:
        """Where a cell's file is, or will be."""
        return self.path / "cells" / cell.key[:2] / cell.name

    def found(self) -> dict[str, list[tuple[int, int]]]:
        """The replicates that are there, by the keys of their configurations: told by names, no file is opened."""
        there: dict[str, list[tuple[int, int]]] = {}
        for part in os.scandir(self.path / "cells"):
            for file in os.scandir(part.path) if part.is_dir() else ():
                if name := NAME.fullmatch(file.name):
                    there.setdefault(name[1], []).append((int(name[2]), int(name[3])))
        return there

    def tidy(self) -> None:
        """Remove what killed runs left."""
        for part in (self.path, *self.path.glob("*/"), *self.path.glob("cells/*/")):
            sweep(part)

    def claim(self, cell: Cell) -> bool:
        """Say that a cell is being computed; False if another run has said so, which may have been killed since."""
        try:
            with self._changing():
                self._claim(cell).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def release(self, cell: Cell) -> None:
        """A cell is not being computed any more."""
        with suppress(OSError):
            self._claim(cell).unlink()

    def keep(self, cell: Cell, content: bytes) -> None:
        """Write a cell's result, whole or not at all; it has not failed any more.

        Args:
            cell: which.
            content: what was computed.
        """
        place = self.place(cell)
        with self._changing():
            place.parent.mkdir(exist_ok=True)
            self._failure(cell).unlink(missing_ok=True)
        self._write(place, content)
        self.release(cell)

    def fail(self, cell: Cell, error: str) -> None:
        """Write down what a cell raised.

        Args:
            cell: which.
            error: what it raised.
        """
        about = {"configuration": cell.configuration._asdict(), "replicates": [cell.first, cell.stop], "error": error}
        self._write(self._failure(cell), json.dumps(about, indent=1).encode())
        self.release(cell)

    def failures(self, keys: Collection[str]) -> Iterator[dict[str, Any]]:
        """What failed of some configurations and was not computed since.

        Args:
            keys: of the configurations.

        Yields:
            The configuration, its replicates, and the error.
        """
        there = self.found()
        for path in sorted((self.path / "failed").glob("*.json")):
            with suppress(ValueError, OSError):  # of a file that is not ours, or has just been removed
                key, first, stop = path.stem.split("-")
                missing = gaps(there.get(key, ()), int(stop))
                if key in keys and any(end > int(first) for _, end in missing):
                    yield json.loads(path.read_bytes())

    def pace(self, kind: str, measure: Callable[[], float]) -> float:
        """How long a round takes, as the first run measured it: so all runs cut the replicates at the same places.

        Args:
            kind: a digest of what is played.
            measure: gives seconds per round.

        Returns:
            Seconds per round.
        """
        path = self.path / "pace" / kind
        with suppress(OSError, ValueError):
            return float(path.read_text())
        seconds = measure()
        try:
            with self._changing(), path.open("x") as file:
                file.write(repr(seconds))
        except FileExistsError:  # of another run, a moment ago
            with suppress(OSError, ValueError):
                return float(path.read_text())
        return seconds

    def note(self, name: str, about: dict[str, Any]) -> None:
        """Write down what a run did.

        Args:
            name: of the run.
            about: when, where, with which versions, and how much.
        """
        self._write(self.path / "runs" / f"{name}.json", json.dumps(about, indent=1).encode())

    def _claim(self, cell: Cell) -> Path:
        return self.path / "claims" / cell.name

    def _failure(self, cell: Cell) -> Path:
        return self.path / "failed" / f"{cell.key}-{cell.first}-{cell.stop}.json"

    def _write(self, path: Path, content: bytes) -> None:
        with self._changing(), replacing(path, swept=True) as file:
            file.write(content)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """What cannot be written, as one sentence."""
        try:
            yield
        except FileExistsError:
            raise
        except OSError as error:
            remedy = "what is there is kept: make room for the rest or name another folder, and run it again"
            raise OSError(f"{self.path} cannot be written: {error.strerror or error}; {remedy}") from error
