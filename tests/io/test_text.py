"""Text files in blocks: fields, quotes, rows and lines."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import GOOD
from sweeping import swept
from tables import CARRIERS, LONG_FLIGHTS, as_csv, as_file, same

from bygones.io import files, read_table, text

fields = st.sampled_from(["1", "", "x", '"a"', '"a,b"', '""', '"', 'a"b', '"a""b"', '"a\nb"', ' "a"', '"a" ', '","'])


@swept(200, 2000)
def test_fields_are_those_of_the_slow_path(examples):
    @settings(max_examples=examples)
    @given(st.lists(st.lists(fields, min_size=1, max_size=3), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
    def holds(rows, ends):
        head = text.Header(("a", "b"), ",", text.Lines(b"", 0, 0))
        lines = text.Lines((ends.join(map(",".join, rows)) + ends).encode(), 7, 0)
        outcomes = []
        for way in (
            lambda: (lambda frame, ends: (frame.rows(), ends.tolist()))(*text._fields(lines, head, (), 3)),
            lambda: (lambda texts, ends: (np.reshape(texts, (-1, 2)).tolist(), ends))(*text._slowly(lines, 2, ",", 3)),
        ):
            try:
                found, numbers = way()
                outcomes.append(([tuple(field or None for field in row) for row in found], numbers))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]

    holds()


def test_a_block_never_cuts_a_quoted_field(write, monkeypatch):
    table = pl.DataFrame(
        {"t": [1, 2, 3, 4], 'a\n"b"': [1.5, 2, 3, 4], "c": [1, 2, 3, 4], "note": ["x\n,y", '"', "\n\n", "z"]}
    )
    path = write(as_csv(table))
    whole = read_table(path, actions=['a\n"b"', "c"])
    assert whole.values.tolist() == [[1.5, 1], [2, 2], [3, 3], [4, 4]]
    for block in range(1, 80):
        monkeypatch.setattr(text, "BLOCK", block)
        assert same(whole, read_table(path, actions=['a\n"b"', "c"]))


def test_a_quote_that_never_closes_ends_the_reading(write, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 100)
    monkeypatch.setattr(text, "LONGEST", 1000)
    with pytest.raises(ValueError, match="line 5 opens a quote that is not closed within 1,000 bytes: close it"):
        read_table(write(GOOD + b'2013-01-04,"1,2\n' + b"2013-01-05,1,2\n" * 200))


def test_time_goes_forward_over_blocks(write, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 10)
    with pytest.raises(ValueError, match=r"row 3 \(2, line 4\) has the same time as row 2 \(2, line 3\)"):
        read_table(write("t,a,b\n1,1.25,1\n2,1.25,2\n2,1.25,3\n"))
    with pytest.raises(ValueError, match=r"row 3 \(1, line 4\) is earlier than row 2 \(2, line 3\)"):
        read_table(write("t,a,b\n1,1.25,1\n2,1.25,2\n1,1.25,3\n"))


def test_rows_without_a_time_are_counted_once_in_blocks(write, monkeypatch):
    content = as_csv(LONG_FLIGHTS.sort("date", maintain_order=True))
    content = content.replace("\n", "\n" + ",nowhere,1\n" * 3, 1)
    monkeypatch.setattr(text, "BLOCK", 5000)
    for large in (files.LARGE, 100):
        monkeypatch.setattr(files, "LARGE", large)
        assert read_table(write(content), missing="drop").notes == ("3 rows have no time: left out",)
    with pytest.raises(ValueError, match="it has 0 periods: give at least two"):
        read_table(write("date,option,cost\n,rail,1\n,road,2\n"), missing="drop")


def test_rows_and_lines_are_counted_over_blocks(write, monkeypatch):
    lines = [f"{day},{day + 7},2" for day in range(1, 200)]
    lines[150] = "151,x,2"
    path = write("t,a,b\n" + "\n".join(lines))
    for block in (2**23, 64):
        monkeypatch.setattr(text, "BLOCK", block)
        with pytest.raises(ValueError, match=r"row 151 \(151, line 152\), column 'a' is 'x', not a number"):
            read_table(path)
    lines[150] = "150,1,2"
    with pytest.raises(ValueError, match=r"row 151 \(150, line 152\) has the same time as row 150 \(150, line 151\)"):
        read_table(write("t,a,b\n" + "\n".join(lines)))


def test_a_large_long_table_must_come_period_by_period(write, monkeypatch):
    path = write(as_csv(LONG_FLIGHTS))
    monkeypatch.setattr(files, "LARGE", 100)
    with pytest.raises(ValueError, match=r"row 366 \(2013-01-01, line 367\) is earlier than row 365.*sort it by time"):
        read_table(path)
    late = as_csv(LONG_FLIGHTS.sort("date", maintain_order=True)) + "2014-01-01,Concorde,3\n"
    monkeypatch.setattr(text, "BLOCK", 5000)
    with pytest.raises(ValueError, match=r"row 4381 \(2014-01-01, line 4382\) is the first with 'Concorde'"):
        read_table(write(late))
    monkeypatch.setattr(text, "BLOCK", 30)
    early = as_csv(LONG_FLIGHTS.sort("date", maintain_order=True).head(120)) + "2014-01-01,Concorde,3\n"
    with pytest.raises(ValueError, match=r"row 121 \(2014-01-01, line 122\) is the first with 'Concorde'"):
        read_table(write(early))
    with pytest.raises(ValueError, match="only 'rail' is an option: give at least two"):
        read_table(write("date,option,cost\n" + "".join(f"2013-01-0{day},rail,1\n" for day in range(1, 8))))
    assert read_table(write(early), actions=CARRIERS[:2], missing="drop").values.shape == (10, 2)


def test_a_key_that_comes_late_is_refused_in_blocks_too(write, monkeypatch):
    content = (
        as_file(pl.DataFrame({"t": range(50), "a": range(7, 57), "b": range(7, 57)}), "ndjson") + b'{"t":50,"c":1}\n'
    )
    monkeypatch.setattr(text, "BLOCK", 200)
    with pytest.raises(ValueError, match=r"row 51 \(line 51\) is the first with 'c'"):
        read_table(write(content, "a.jsonl"))
    with pytest.raises(ValueError, match=r"row 51 \(50, line 51\), column 'a' is missing"):
        read_table(write(content, "a.jsonl"), actions=["a", "b"])


@pytest.mark.parametrize("first", [3, 2000])
def test_the_rows_that_show_what_columns_hold_may_end_anywhere(first, tmp_path, monkeypatch):
    """The rows that are looked at are read as text, the others as numbers; the table is the same wherever they end."""
    path = tmp_path / "a.csv"
    hours = [f"2013-02-{1 + row // 24:02} {row % 24:02}:00" for row in range(600)]
    lines = [f"{hour},{row},{row / 8},{'' if row == 599 else row % 7}" for row, hour in enumerate(hours)]
    path.write_text("hour,whole,half,gap\n" + "\n".join(lines) + "\n")
    monkeypatch.setattr(text, "SAMPLE", first)
    keywords = {"time": "hour", "actions": ["whole", "half", "gap"], "missing": "carry"}
    rows = read_table(path, **keywords)
    assert rows.values[:, :2].tolist() == [[row, row / 8] for row in range(600)]
    assert rows.values[-1, 2] == rows.values[-2, 2] == 598 % 7
    path.write_text(path.read_text().replace("599,74.875", "599,x"))
    with pytest.raises(ValueError, match=r"row 600 \(.*line 601\), column 'half' is 'x', not a number"):
        read_table(path, **keywords)
