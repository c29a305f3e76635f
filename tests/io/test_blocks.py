"""Tables as blocks of costs."""

import numpy as np
import polars as pl
import pytest
from tables import CARRIERS, FLIGHTS, FORMS, LONG_FLIGHTS, UNNAMED, VALUES, as_file, as_pandas, is_mapped, saved

import bygones as by
from bygones.io import binary, open_blocks, read_table

SHUFFLED = FLIGHTS.select(CARRIERS[2], pl.lit("x").alias("note"), CARRIERS[0], "date", *CARRIERS[1:2])
PICKED = CARRIERS[:3]


def played(source, names=None, rounds=None, step=100):
    count, blocks = open_blocks(source, names, rounds, step)
    parts = list(blocks)
    assert {part.dtype for part in parts} == {np.dtype(np.float64)}
    assert count in (None, sum(map(len, parts)))
    return np.concatenate(parts)


@pytest.mark.parametrize("form", FORMS)
def test_blocks_of_every_form(form, write, sound):
    np.testing.assert_array_equal(played(FORMS[form](write)), VALUES)
    np.testing.assert_array_equal(played(FORMS[form](write), CARRIERS[::-1], 70), VALUES[:70, ::-1])


@pytest.mark.parametrize("form", UNNAMED)
def test_blocks_without_names_go_by_place(form, tmp_path):
    for names in (None, CARRIERS):
        np.testing.assert_array_equal(played(UNNAMED[form](tmp_path), names, 120), VALUES[:120])


def test_blocks_pick_columns_by_name_and_ignore_the_others(write, sound):
    unsorted = SHUFFLED[::-1]  # the time does not matter where the columns are named
    for source in (
        unsorted,
        unsorted.lazy(),
        as_pandas(unsorted),
        write(as_file(unsorted, "parquet"), "a.parquet"),
        write(as_file(unsorted, "ipc"), "a.arrow"),
        by.Table(unsorted.drop("date", "note")),
        (unsorted[start : start + 50] for start in range(0, 365, 50)),
    ):
        np.testing.assert_array_equal(played(source, PICKED), VALUES[::-1, :3])
    for source in (FLIGHTS, "@flights", by.Table(FLIGHTS), write(as_file(FLIGHTS, "parquet"), "a.parquet")):
        with pytest.raises(ValueError, match="nothing here is called 'sea'"):
            open_blocks(source, ["sea", CARRIERS[0]], None, 10)


def test_blocks_are_costs_of_at_most_so_many_rows(tmp_path):
    count, blocks = open_blocks("@wikipedia", None, None, 200)
    parts = list(blocks)
    assert (count, [len(part) for part in parts]) == (550, [200, 200, 150])
    np.testing.assert_array_equal(np.concatenate(parts), -read_table("@wikipedia").values)
    values = VALUES.copy()
    assert np.shares_memory(next(open_blocks(values, None, None, 10)[1]), values)
    block = next(open_blocks(saved(tmp_path, values), None, None, 10)[1])
    assert is_mapped(block)
    assert not is_mapped(values)
    few = saved(tmp_path, np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_array_equal(played(few), [[0, 1, 2], [3, 4, 5]])


def test_blocks_ask_for_no_more_than_is_played(write, sound, monkeypatch):
    asked = []

    def endless():
        while True:
            asked.append(1)
            yield VALUES

    count, blocks = open_blocks(endless(), None, 800, 10)
    assert (count, asked) == (None, [])
    assert [len(block) for block in blocks] == [365, 365, 70]
    assert len(asked) == 3
    monkeypatch.setattr(binary, "ROWS", 10)
    batches = []
    only = binary.following
    monkeypatch.setattr(binary, "following", lambda start, count: batches.append(count) or only(start, count))
    count, blocks = open_blocks(write(as_file(FLIGHTS, "parquet"), "a.parquet"), CARRIERS, 40, 10)
    assert count == 40
    assert len(batches) <= 1
    assert len(np.concatenate(list(blocks))) == 40
    assert sum(batches) < 100


@pytest.mark.parametrize(
    ("source", "rounds", "message"),
    [
        (VALUES, 366, "the table has 365 rows, and 366 rounds are asked for: give more or ask for fewer"),
        ("@flights", 366, "the table has 365 rows, and 366 rounds"),
        (np.zeros((0, 3)), None, "the table has 0 rows"),
        (VALUES, 0, "rounds is 0"),
        ("missing.npy", None, "missing.npy: there is no such file"),
        ("missing.csv", None, "missing.csv: there is no such file"),
    ],
)
def test_blocks_that_cannot_be_given(source, rounds, message):
    with pytest.raises(ValueError, match=message):
        open_blocks(source, None, rounds, 10)


def test_an_iterator_of_blocks_is_one_table():
    """However its blocks cut a period, and whatever the order of options or columns in a later block."""
    days = 50
    long = LONG_FLIGHTS.sort("date", maintain_order=True)[: 12 * days]
    turned = pl.concat([long[:216], long[216:].sort("date", "carrier", descending=[False, True])])
    for size in (1, 7, 12, 216):
        blocks = (turned[start : start + size] for start in range(0, turned.height, size))
        np.testing.assert_array_equal(played(blocks), VALUES[:days])
    wide = (FLIGHTS[[day]].select("date", *(CARRIERS if day < 9 else CARRIERS[::-1])) for day in range(days))
    np.testing.assert_array_equal(played(wide), VALUES[:days])
    numbers = (FLIGHTS[[day]].select(CARRIERS if day < 9 else CARRIERS[::-1]) for day in range(days))
    np.testing.assert_array_equal(played(numbers), VALUES[:days])
    for wrong, words in ((None, "a table of shape"), ({"rail": 1.0}, "column 'rail' is 1: give one value per period")):
        with pytest.raises(ValueError, match=words):
            list(open_blocks(iter([wrong]), None, None, 10)[1])
    assert list(open_blocks(iter([]), None, None, 10)[1]) == []


def test_a_damaged_parquet_file_has_no_blocks(write):
    for content in (b"nothing of the kind", b"PAR1" * 5):
        with pytest.raises(ValueError, match="a.parquet: it is not a Parquet file, or only a part of one"):
            open_blocks(write(content, "a.parquet"), None, None, 10)
