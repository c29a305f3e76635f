"""Odd tables are read, or refused in a sentence: nothing else happens."""

import signal
from contextlib import contextmanager

import numpy as np
import odd_tables
import polars as pl
import pytest

import bygones as by

QUICK, BINARIES = odd_tables.quick(), list(odd_tables.binaries())
PATIENCE = 20  # seconds


@contextmanager
def watched():
    def give_up(*_):
        raise TimeoutError(f"it takes more than {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def harmless(odd, folder):
    """Read a table in all ways; whatever is wrong with it must be told in one sentence. Gives whether it was read."""
    path = folder / odd.file
    path.write_bytes(odd.content)
    taken = []
    for use in (by.read_table, lambda source: by.backtest(source, "window:2", ["hedge"], cost_range=1e6), simulated):
        with watched():
            try:
                taken.append(use(path))
            except (ValueError, OSError) as error:
                said = str(error)
                assert len(said) < 2000, f"{odd.about}: a message of {len(said)} characters"
                assert ": " in said, f"{odd.about}: {said}"
                assert "Traceback" not in said, f"{odd.about}: {said}"
                taken.append(None)
    rows, done, _ = taken
    if rows is not None:
        assert np.isfinite(rows.values).all(), odd.about
        assert len(set(rows.names)) == len(rows.names) >= 2, odd.about
        assert all(rows.names), odd.about
    if done is not None:
        figures = done.accounts.select(pl.col(pl.Float64)).drop("low", "high", "bound", "guarantee")
        assert np.isfinite(figures.to_numpy()).all(), odd.about
    assert list(folder.iterdir()) == [path], odd.about
    return rows is not None


def simulated(path):
    careless = by.Problem(2, None, "window:2", cost_range=None)
    return by.simulate(careless, ["hedge"], path, replicates=1, progress=False)


@pytest.mark.parametrize("part", range(8))
def test_odd_tables_do_no_harm(part, tmp_path, counted):
    read = [harmless(odd, _fresh(tmp_path)) for odd in QUICK[part::8]]
    counted("odd tables", len(read))
    assert 0 < sum(read) < len(read)  # both happen


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_odd_binary_tables_do_no_harm(part, tmp_path, counted):
    for odd in BINARIES[part::4]:
        harmless(odd, _fresh(tmp_path))
        counted("odd tables")


def test_there_are_enough_odd_tables():
    assert len(QUICK) + len(BINARIES) >= 400
    assert len({odd.about for odd in QUICK + BINARIES}) >= 400


def _fresh(folder):
    place = folder / str(len(list(folder.iterdir())))
    place.mkdir()
    return place
