"""Journals as tables: rounds, with what was paid and the states; and events, as they were entered."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import sqlalchemy as sa

from ..report import as_csv
from ..store import as_bytes, replacing
from .ledger import Ledger
from .records import entered, paid_with, weights_of

if TYPE_CHECKING:
    from .view import View

ENDINGS = (".csv", ".parquet", ".jsonl")


def history(ledger: Ledger, connection: sa.Connection, last: int | None = None) -> pl.DataFrame:
    """One row per round.

    Args:
        ledger: of the journal, caught up with.
        connection: within a transaction.
        last: how many rounds, the last ones; None: all.

    Returns:
        The columns round, period, entered, author, paid (or gained); then for each option its cost (or gain),
        decision and state.
    """
    game = ledger.game
    observed = ledger.observed(connection)
    read = [event.data for event in observed]
    costs = np.array([entered(data, game.n) for data in read]).reshape(-1, game.n)
    decisions = np.array([weights_of(data["decision"], game.n) for data in read]).reshape(-1, game.n)
    past = np.zeros((len(game.history), game.n))
    past[:, : game.history.shape[1]] = game.history
    states = game.problem.memory.start(game.n, past).extend(decisions)
    paid = paid_with(costs, states)
    columns: dict[str, object] = {
        "round": np.arange(1, len(observed) + 1),
        "period": [event.period for event in observed],
        "entered": [event.time for event in observed],
        "author": [event.author for event in observed],
        "gained" if game.gains else "paid": paid,
    }
    what = "gain" if game.gains else "cost"
    for part, table in ((what, costs), ("decision", decisions), ("state", states)):
        columns |= {f"{part}: {name}": table[:, i] for i, name in enumerate(game.names)}
    frame = pl.DataFrame(columns, schema_overrides={"period": pl.String, "entered": pl.String, "author": pl.String})
    frame = frame.with_columns(pl.col(f"^{what}: .*$").fill_nan(None))
    return frame if last is None else frame.tail(last)


def export(journal: "View", path: Path) -> None:
    """Write the rounds, or all events, to a file.

    Args:
        journal: what to write.
        path: a file that ends in .csv, .parquet or .jsonl.

    Raises:
        ValueError: if it ends otherwise.
        OSError: if it cannot be written.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(f"the file is {str(path)!r}: give one that ends in {', '.join(ENDINGS)}")
    if ending == ".jsonl":
        lines = [json.dumps(event.public(), ensure_ascii=False) for event in journal.events()]
        content = "".join(f"{line}\n" for line in lines).encode()
    else:
        frame = journal.history()
        content = as_csv(frame) if ending == ".csv" else as_bytes(frame.write_parquet)
    with replacing(path) as file:
        file.write(content)
