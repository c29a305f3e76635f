"""Files, frames and arrays of every format, and what is not one."""

import gzip
from datetime import datetime

import numpy as np
import polars as pl
import pytest
from malformed import GOOD, JSON, LONG, arrow, parquet
from tables import (
    CARRIERS,
    FLIGHTS,
    FORMS,
    UNNAMED,
    VALUES,
    as_csv,
    as_file,
    is_mapped,
    same,
    saved,
)

import bygones as by
from bygones.io import binary, files, open_blocks, read_table, rows, text


@pytest.mark.parametrize("form", FORMS)
def test_one_table_in_every_form(form, write):
    read_rows = read_table(FORMS[form](write))
    assert read_rows.names == tuple(CARRIERS)
    assert read_rows.times.to_list() == FLIGHTS["date"].to_list()
    np.testing.assert_array_equal(read_rows.values, FLIGHTS.drop("date").to_numpy())
    assert read_rows.notes == (("the dates of 'date' have the day first, as in '01.01.2013'",) * (form == "day first"))
    assert not read_rows.values.flags.writeable


@pytest.mark.parametrize("form", ["csv", "quotes", "packed", "parquet", "arrow", "json lines", "long csv by date"])
@pytest.mark.parametrize(
    ("keywords", "periods"),
    [({}, 120), ({"prices": True}, 119), ({"missing": "drop"}, 117), ({"missing": "carry"}, 120)],
)
def test_blocks_and_temporary_files_change_nothing(form, keywords, periods, write, sound, monkeypatch):
    holed = FLIGHTS.head(120).with_columns(pl.col(CARRIERS) + 100.0)
    if "missing" in keywords:
        holed = holed.with_columns(pl.when(pl.int_range(120) % 50 != 10).then(pl.col(CARRIERS[3])))
    long = holed.unpivot(index="date").sort("date", maintain_order=True)
    kind = {"parquet": "parquet", "arrow": "ipc", "json lines": "ndjson"}.get(form)
    name = {"parquet": "a.parquet", "arrow": "a.arrow", "json lines": "a.jsonl", "packed": "a.csv.gz"}.get(
        form, "a.csv"
    )
    table = long if form.startswith("long") else holed
    content = (
        as_file(table, kind) if kind else as_csv(table, quote_style="always" if form == "quotes" else None).encode()
    )
    path = write(gzip.compress(content) if form == "packed" else content, name)
    whole = read_table(path, **keywords)
    assert type(whole.values) is np.ndarray
    monkeypatch.setattr(text, "BLOCK", 300 if table is long else 100)  # less than a period, or about a row
    monkeypatch.setattr(binary, "ROWS", 10)
    monkeypatch.setattr(files, "LARGE", 100)
    monkeypatch.setattr(rows, "IN_MEMORY", 2000)
    parts = read_table(path, **keywords)
    assert isinstance(parts.values, np.memmap)
    assert not parts.values.flags.writeable
    assert same(whole, parts)
    assert len(whole.values) == periods


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_of_any_unit_go_forward_over_blocks(unit, zone, write, sound, monkeypatch):
    times = pl.Series([datetime(2013, 1, day) for day in (1, 2, 3)]).cast(pl.Datetime(unit)).dt.replace_time_zone(zone)
    frame = pl.DataFrame({"time": times, "rail": [1, 2, 3], "road": [4, 5, 6]})
    monkeypatch.setattr(binary, "ROWS", 1)
    assert read_table(write(as_file(frame, "parquet"), "a.parquet")).times.to_list() == times.to_list()
    with pytest.raises(ValueError, match=r"row 3 \(2013-01-01 .*\) is earlier than row 2 \(2013-01-03"):
        read_table(write(as_file(frame[[1, 2, 0]], "parquet"), "a.parquet"))


def test_a_binary_file_is_large_by_its_rows(write, sound, monkeypatch):
    """However well it is packed: rows of a long table must then come period by period."""
    long = pl.DataFrame({"t": [*range(2000)] * 2, "option": ["rail"] * 2000 + ["road"] * 2000, "value": 1.0})
    path = write(as_file(long, "parquet"), "a.parquet")
    assert path.stat().st_size < 8 * 3 * 4000 - 1
    monkeypatch.setattr(files, "LARGE", 8 * 3 * 4000)
    assert len(read_table(path).values) == 2000
    monkeypatch.setattr(files, "LARGE", 8 * 3 * 4000 - 1)
    with pytest.raises(ValueError, match="too large to be sorted here"):
        read_table(path)


def test_a_binary_file_is_read_without_the_folder_at_hand(write, monkeypatch, tmp_path):
    path = write(as_file(FLIGHTS, "parquet"), "a.parquet")
    for name in ("polars.py", "random.py"):
        (tmp_path / name).write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    assert len(read_table(path).values) == 365


def test_a_large_stream_is_refused(write, sound, monkeypatch):
    monkeypatch.setattr(binary, "LARGE", 100)
    with pytest.raises(ValueError, match="it is an Arrow stream, and large: save it as an Arrow file"):
        read_table(write(arrow(stream=True)(), "a.arrow"))


def test_the_files_of_the_lists_are_well(write):
    for content, name in ((GOOD, "a.csv"), (LONG, "a.csv"), (JSON, "a.jsonl"), (parquet()(), "a.parquet")):
        assert read_table(write(content, name)).names == ("rail", "road")


@pytest.mark.parametrize("form", UNNAMED)
def test_a_table_without_names(form, tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "IN_MEMORY", 1000)
    table = read_table(UNNAMED[form](tmp_path))
    assert table.names == tuple(map(str, range(12)))
    assert table.times.to_list() == list(range(1, 366))
    np.testing.assert_array_equal(table.values, VALUES)
    assert (table.notes, table.gains, table.values.flags.writeable) == ((), False, False)
    some = read_table(UNNAMED[form](tmp_path), actions=["3", "0"])
    np.testing.assert_array_equal(some.values, VALUES[:, [3, 0]])
    with pytest.raises(ValueError, match="time= is 'date', and it has no such column"):
        read_table(UNNAMED[form](tmp_path), time="date")


def test_an_array_is_neither_copied_nor_locked(tmp_path):
    values = VALUES.copy()
    assert np.shares_memory(read_table(values).values, values)
    assert values.flags.writeable
    mapped = read_table(saved(tmp_path, values)).values
    assert is_mapped(mapped)


def test_what_is_wrong_with_an_array_has_its_place(tmp_path):
    holed = [[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]]
    with pytest.raises(ValueError, match="^the table: row 2, column '1' is missing: give it, .* missing=\"drop\""):
        read_table(holed)
    assert read_table(holed, missing="drop").times.to_list() == [1, 3]
    np.testing.assert_allclose(read_table(holed, missing="carry", prices=True).values, np.log([[3, 1], [5 / 3, 3]]))
    with pytest.raises(ValueError, match="row 3, column '0' is inf"):
        read_table(iter([[[1.0, 2.0]], [[1.0, 2.0], [np.inf, 2.0]]]))
    with pytest.raises(ValueError, match="after row 1 there are 3 columns, and before it 2"):
        read_table(iter([[[1.0, 2.0]], [[1.0, 2.0, 3.0]]]))
    for wrong, message in (
        (iter([]), "an iterator without blocks"),
        ([[1.0], [2.0]], "it has 1 columns: give at least two"),
        ([[1.0, 2.0]], "it has 1 period: give at least two"),
        ([["a", "b"], ["c", "d"]], "not a table of numbers"),
        ([[1.0], [1.0, 2.0]], "the rows differ in length"),
    ):
        with pytest.raises(ValueError, match=f"^the table: .*{message}"):
            read_table(wrong)


def test_a_damaged_array_is_refused_and_never_unpickled(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.array([[object()]]), allow_pickle=True)
    pickled = path.read_bytes()
    np.savez(tmp_path / "a.npz", VALUES)
    for content in (
        b"nothing of the kind",
        pickled,
        (tmp_path / "a.npz").read_bytes(),
        b"PK\x03\x04",
        b"\x93NUMPY\x01\x00",
    ):
        path.write_bytes(content)
        for ask in (read_table, by.Table, lambda path: open_blocks(path, None, None, 10)):
            with pytest.raises(ValueError, match="a.npy: it is not an array that numpy saved, or only a part of one"):
                ask(path)
    with pytest.raises(ValueError, match="none.npy: there is no such file"):
        read_table(tmp_path / "none.npy")
