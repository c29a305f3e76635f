import gzip
import io
import itertools
import mmap
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import GOOD, JSON, LONG, arrow, parquet

import bygones as by
from bygones import datasets
from bygones.io import binary, files, open_blocks, read_history, read_table, rows, text
from bygones.validation import shown

FLIGHTS = datasets.load("flights")
CARRIERS = FLIGHTS.columns[1:]


@pytest.fixture
def write(tmp_path):
    numbers = itertools.count()

    def write(content, name="a.csv"):
        path = tmp_path / f"{next(numbers)}-{name}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def same(one, other, notes=True):
    assert one.names == other.names
    assert one.times.to_list() == other.times.to_list()
    np.testing.assert_array_equal(one.values, other.values)
    assert not notes or one.notes == other.notes
    return True


def as_csv(frame, **options):
    return frame.write_csv(**options)


def as_file(frame, kind):
    file = io.BytesIO()
    getattr(frame, f"write_{kind}")(file)
    return file.getvalue()


LONG_FLIGHTS = FLIGHTS.unpivot(index="date", variable_name="carrier", value_name="delay")
FORMS = {
    "data set": lambda write: "@flights",
    "csv": lambda write: write(as_csv(FLIGHTS)),
    "path as text": lambda write: str(write(as_csv(FLIGHTS))),
    "tsv": lambda write: write(as_csv(FLIGHTS, separator="\t"), "a.tsv"),
    "txt": lambda write: write(as_csv(FLIGHTS, separator="|"), "a.txt"),
    "semicolons": lambda write: write(as_csv(FLIGHTS, separator=";")),
    "tabs in a csv": lambda write: write(as_csv(FLIGHTS, separator="\t")),
    "quotes": lambda write: write(as_csv(FLIGHTS, quote_style="always")),
    "Windows": lambda write: write(b"\xef\xbb\xbf" + as_csv(FLIGHTS, line_terminator="\r\n").encode()),
    "blank lines": lambda write: write("\n\n" + as_csv(FLIGHTS, line_terminator="\n\n")),
    "blank lines of Windows": lambda write: write(as_csv(FLIGHTS, line_terminator="\r\n\r\n")),
    "no line end": lambda write: write(as_csv(FLIGHTS).rstrip("\n")),
    "blanks": lambda write: write(as_csv(FLIGHTS).replace(",", " , ")),
    "capitals": lambda write: write(as_csv(FLIGHTS), "A.CSV"),
    "packed": lambda write: write(gzip.compress(as_csv(FLIGHTS).encode()), "a.csv.gz"),
    "parquet": lambda write: write(as_file(FLIGHTS, "parquet"), "a.parquet"),
    "parquet of text": lambda write: write(as_file(FLIGHTS.cast(pl.String), "parquet"), "a.parquet"),
    "arrow": lambda write: write(as_file(FLIGHTS, "ipc"), "a.arrow"),
    "feather": lambda write: write(as_file(FLIGHTS, "ipc"), "a.feather"),
    "stream": lambda write: write(as_file(FLIGHTS, "ipc_stream"), "a.ipc"),
    "json lines": lambda write: write(as_file(FLIGHTS, "ndjson"), "a.jsonl"),
    "packed json": lambda write: write(gzip.compress(as_file(FLIGHTS, "ndjson")), "a.ndjson.gz"),
    "day first": lambda write: write(as_csv(FLIGHTS.with_columns(pl.col("date").dt.to_string("%d.%m.%Y")))),
    "rows": lambda write: read_table(FLIGHTS),
    "blocks": lambda write: (FLIGHTS[start : start + 100] for start in range(0, 365, 100)),
    "blocks of a long table": lambda write: (
        LONG_FLIGHTS.sort("date", maintain_order=True)[start : start + 100] for start in range(0, 12 * 365, 100)
    ),
    "polars": lambda write: FLIGHTS,
    "lazy": lambda write: FLIGHTS.lazy(),
    "pandas": lambda write: as_pandas(FLIGHTS),
    "pandas with an index": lambda write: as_pandas(FLIGHTS).set_index("date"),
    "pandas with a nameless index": lambda write: as_pandas(FLIGHTS).set_index("date").rename_axis(None),
    "pandas with periods": lambda write: as_pandas(FLIGHTS).set_index("date").to_period("D"),
    "pandas with days as objects": lambda write: as_pandas(FLIGHTS).assign(date=FLIGHTS["date"].to_list()),
    "written by pandas": lambda write: write(as_pandas(FLIGHTS).set_index("date").rename_axis(None).to_csv()),
    "long csv": lambda write: write(as_csv(LONG_FLIGHTS)),
    "long csv, packed": lambda write: write(gzip.compress(as_csv(LONG_FLIGHTS).encode()), "a.csv.gz"),
    "long csv by date": lambda write: write(as_csv(LONG_FLIGHTS.sort("date", maintain_order=True))),
    "long, columns in another order": lambda write: write(as_csv(LONG_FLIGHTS.select("delay", "date", "carrier"))),
    "long parquet": lambda write: write(as_file(LONG_FLIGHTS, "parquet"), "a.parquet"),
    "long categories": lambda write: LONG_FLIGHTS.cast({"carrier": pl.Categorical}),
    "long pandas": lambda write: as_pandas(LONG_FLIGHTS),
}


def as_pandas(frame):
    columns = {name: frame[name].to_numpy() for name in frame.columns}
    return pd.DataFrame(columns).astype({"date": "datetime64[ns]"})


@pytest.mark.parametrize("form", FORMS)
def test_one_table_in_every_form(form, write):
    read_rows = read_table(FORMS[form](write))
    assert read_rows.names == tuple(CARRIERS)
    assert read_rows.times.to_list() == FLIGHTS["date"].to_list()
    np.testing.assert_array_equal(read_rows.values, FLIGHTS.drop("date").to_numpy())
    assert read_rows.notes == ()
    assert not read_rows.values.flags.writeable


@pytest.mark.parametrize("form", ["csv", "quotes", "packed", "parquet", "arrow", "json lines", "long csv by date"])
@pytest.mark.parametrize(
    ("keywords", "periods"),
    [({}, 365), ({"prices": True}, 364), ({"missing": "drop"}, 357), ({"missing": "carry"}, 365)],
)
def test_blocks_and_temporary_files_change_nothing(form, keywords, periods, write, monkeypatch):
    holed = FLIGHTS.with_columns(pl.col(CARRIERS) + 100.0)
    if "missing" in keywords:
        holed = holed.with_columns(pl.when(pl.int_range(365) % 50 != 10).then(pl.col(CARRIERS[3])))
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
    monkeypatch.setattr(text, "BLOCK", 100)
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
def test_times_of_any_unit_go_forward_over_blocks(unit, zone, write, monkeypatch):
    times = pl.Series([datetime(2013, 1, day) for day in (1, 2, 3)]).cast(pl.Datetime(unit)).dt.replace_time_zone(zone)
    frame = pl.DataFrame({"time": times, "rail": [1, 2, 3], "road": [4, 5, 6]})
    monkeypatch.setattr(binary, "ROWS", 1)
    assert read_table(write(as_file(frame, "parquet"), "a.parquet")).times.to_list() == times.to_list()
    with pytest.raises(ValueError, match=r"row 3 \(2013-01-01 .*\) is earlier than row 2 \(2013-01-03"):
        read_table(write(as_file(frame[[1, 2, 0]], "parquet"), "a.parquet"))


def test_a_binary_file_is_large_by_its_rows(write, monkeypatch):
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


fields = st.sampled_from(["1", "", "x", '"a"', '"a,b"', '""', '"', 'a"b', '"a""b"', '"a\nb"', ' "a"', '"a" ', '","'])


@given(st.lists(st.lists(fields, min_size=1, max_size=3), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=500)
def test_fields_are_those_of_the_slow_path(rows, ends):
    lines = text.Lines((ends.join(map(",".join, rows)) + ends).encode(), 7, 0)
    outcomes = []
    for way in (
        lambda: (lambda frame, ends: (frame.rows(), ends.tolist()))(*text._fields(lines, "abc"[:2], (), ",", 3)),
        lambda: text._slowly(lines, 2, ",", 3),
    ):
        try:
            found, numbers = way()
            outcomes.append(([tuple(field or None for field in row) for row in found], numbers))
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


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
    with pytest.raises(ValueError, match="line 5 does not end within 1,000 bytes: close its quotes"):
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


def test_a_large_stream_is_refused(write, monkeypatch):
    monkeypatch.setattr(binary, "LARGE", 100)
    with pytest.raises(ValueError, match="it is an Arrow stream, and large: save it as an Arrow file"):
        read_table(write(arrow(stream=True)(), "a.arrow"))


@pytest.mark.parametrize(
    ("times", "first"),
    [
        (["2013-01-17", "2013-01-18"], date(2013, 1, 17)),
        (["2013/01/17", "2013/1/18"], date(2013, 1, 17)),
        (["2013-01", "2013-02"], date(2013, 1, 1)),
        (["2013-01-17 08:30", "2013-01-17 09:30"], datetime(2013, 1, 17, 8, 30)),
        (["2013-01-17T08:30:15.5", "2013-01-17T09:30:00"], datetime(2013, 1, 17, 8, 30, 15, 500_000)),
        (["2013-01-17T08:30Z", "2013-01-17T09:30Z"], datetime(2013, 1, 17, 8, 30, tzinfo=UTC)),
        (["2013-01-17 08:30:00+01:00", "2013-01-17 09:30:00+0100"], datetime(2013, 1, 17, 7, 30, tzinfo=UTC)),
        (["30.12.2013", "31.12.2013"], date(2013, 12, 30)),
        (["1/2/2013", "13/2/2013"], date(2013, 2, 1)),
        (["31.12.2013 08:30", "31.12.2013 09:30"], datetime(2013, 12, 31, 8, 30)),
        (["2013", "2014"], 2013),
        (["1700000000000000001", "1700000000000000002"], 1700000000000000001),
        (["-2", "-1"], -2),
    ],
)
def test_times_as_they_are_written(times, first, write):
    table = read_table(write(f"a,Date,b\n1,{times[0]},2\n3,{times[1]},4\n"))
    assert table.names == ("a", "b")
    assert table.times[0] == first
    assert table.times[1] > first


def test_which_column_is_the_time(write):
    assert read_table(write("a,b\n1,2\n3,4\n")).times.to_list() == [1, 2]
    assert read_table(write("a,b\n1,2\n,4\n3,4\n4,5\n"), missing="drop", prices=True).times.to_list() == [3, 4]
    assert read_table(write("x,y,when\n1,2,2013-01-01\n3,4,2013-01-02\n")).names == ("x", "y")
    assert read_table(write("WEEK,y,z\n1,2,3\n2,4,3\n")).names == ("y", "z")
    assert read_table(write("time,y\n1.5,2\n1.3,4\n")).names == ("time", "y")  # an option of that name
    assert read_table(write("time,y,z\n0.5,2,3\n1,4,3\n")).times.to_list() == [0.5, 1.0]
    assert read_table(write("day,time\n3,2\n1,4\n"), actions=["day", "time"]).times.to_list() == [1, 2]
    chosen = read_table(write("k,y,z\n0.5,2,3\n2,4,3\n"), time="k")
    assert (chosen.times.to_list(), chosen.names) == ([0.5, 2.0], ("y", "z"))
    assert read_table(write("date,day,a,b\n2013-01-01,1,1,2\n2013-01-02,2,1,2\n"), time="date").names == (
        "day",
        "a",
        "b",
    )


def test_row_numbers_without_a_name_are_left_out(write):
    frame = pd.DataFrame({"rail": [1.0, 2.0], "road": [3.0, 4.0]})
    table = read_table(write(frame.to_csv()))
    assert (table.names, table.times.to_list()) == (("rail", "road"), [1, 2])
    assert table.notes == ("the first column has no name and was taken for row numbers",)
    assert same(
        read_table(frame), read_table(frame.set_index(np.array([7, 3])))
    )  # a nameless index is no time, unless it has dates


def test_an_index_that_was_written_and_read_again_is_left_out(write):
    for name in ("index", "Unnamed: 0"):
        table = read_table(write(f"{name},rail,road\n" + "".join(f"{row},{row}.5,2\n" for row in range(30))))
        assert table.names == ("rail", "road")
        assert f"the first column is called '{name}' and was taken for row numbers" in table.notes


def test_what_spreadsheets_write(write):
    plain = read_table(write("date;rail;road\n2013-01-31;1.069;2\n2013-02-01;3.500;4\n"))
    assert plain.values.tolist() == [[1.069, 2], [3.5, 4]]  # every number of the column has its point
    assert same(plain, read_table(write("sep=;\r\ndate;rail;road\r\n2013-01-31;1.069;2\r\n2013-02-01;3.5;4\r\n")))
    assert plain.notes == ()
    (note,) = read_table(write("date;rail;road\n2013-01-31;1.069;2\n2013-02-01;953;4\n")).notes
    assert note.startswith("in 'rail' three digits follow every point, as in '1.069': these are read as fractions")
    rows = "2013-01-31,rail,1\n2013-01-31,road ,2\n2013-02-01,rail,3\n2013-02-01,road,4\n"
    assert read_table(write(f"date,option,cost\n{rows}")).names == ("rail", "road")
    numbered = "Index,date,rail,road\n" + "".join(f"{k},2013-01-{k:02},{k % 3},{k % 2}\n" for k in range(1, 13))
    assert read_table(write(numbered)).names == ("rail", "road")


def test_days_of_eight_digits_are_days(write):
    content = "day,rail,road\n20130131,1,2\n20130201,3,4\n"
    for table in (read_table(write(content)), read_table(pl.read_csv(io.StringIO(content)))):
        assert table.times.to_list() == [date(2013, 1, 31), date(2013, 2, 1)]
        assert table.notes == ()
    assert read_table(write(content.replace("0201", "0231"))).times.to_list() == [20130131, 20130231]  # no such day


def test_an_index_of_pandas(write):
    frame = pd.DataFrame({"rail": [1.0, 2.0], "road": [3.0, 4.0]}, index=pd.Index([2013, 2014], name="year"))
    assert read_table(frame).times.to_list() == [2013, 2014]
    berlin = frame.set_index(pd.date_range("2013-01-01", periods=2, tz="Europe/Berlin"))
    for zone, hour in (("Europe/Berlin", 0), ("+01:00", 23)):  # a zone without a name becomes UTC
        first = read_table(berlin.tz_convert(zone)).times.to_list()[0]
        assert (first, first.hour) == (datetime(2012, 12, 31, 23, tzinfo=UTC), hour)
    assert read_table(berlin.assign(k=[1, 2]), time="k").times.to_list() == [1, 2]
    assert read_table(frame.set_axis(["2013-01-01", "2013-01-02"])).times.to_list() == [
        date(2013, 1, 1),
        date(2013, 1, 2),
    ]
    assert read_table(frame.set_axis(["x", "y"])).times.to_list() == [1, 2]
    for wrong, message in (
        (frame.set_index("rail", append=True), "several levels.*reset_index"),
        (frame.assign(year=1), "index and a column are both called 'year'"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "names must differ"),
        (pd.DataFrame(index=[1, 2]), "no columns"),
        (berlin.assign(road=[True, False]), "column 'road' is True, not a number"),
    ):
        with pytest.raises(ValueError, match=f"^the table: .*{message}"):
            read_table(wrong)


def test_numbers_of_every_kind():
    exact = pl.Series([1, 2], dtype=pl.Decimal(10, 2))
    table = pl.DataFrame({"a": exact, "b": pl.Series([1, 2], dtype=pl.Int128), "c": ["1e-3", " 7 "], "d": [1.5, 2.5]})
    assert read_table(table).values.tolist() == [[1, 1, 0.001, 1.5], [2, 2, 7, 2.5]]
    frame = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": pd.Categorical(["5", "6"]), "c": [1, 2.5]})
    assert read_table(frame).values.tolist() == [[1, 5, 1], [2, 6, 2.5]]
    frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [1, 2.5]})
    with pytest.raises(ValueError, match="^the table: row 2, column 'a' is missing"):
        read_table(frame)


def test_actions_choose_and_order(write):
    path = write("date,note,rail,road,sea\n2013-01-01,x,1,2,\n2013-01-02,y,3,4,oops\n")
    table = read_table(path, actions=["road", "rail"])
    assert table.names == ("road", "rail")
    assert table.values.tolist() == [[2, 1], [4, 3]]
    words = write("date,rail,road\n2013-01-01,a,1\n2013-01-02,b,3\n")  # asked for as columns, it is no long table
    with pytest.raises(ValueError, match="column 'rail' is 'a', not a number"):
        read_table(words, actions=["rail", "road"])
    table = read_table(
        write(LONG.replace(b"2013-01-02,rail", b"2013-01-02,sea,\n2013-01-02,rail")), actions=["road", "rail"]
    )
    assert table.values.tolist() == [[2, 1], [4, 3]]


HOLES = "date,rail,road\n2013-01-01,1,2\n2013-01-02,,4\n2013-01-03,,nan\n2013-01-04,8,NA\n2013-01-05,9,10\n"


def test_missing_values_are_dropped_or_carried(write):
    path = write(HOLES)
    dropped = read_table(path, missing="drop")
    assert dropped.values.tolist() == [[1, 2], [9, 10]]
    assert dropped.times.to_list() == [date(2013, 1, 1), date(2013, 1, 5)]
    assert dropped.notes == ("3 periods lack a value: left out",)
    carried = read_table(path, missing="carry")
    assert carried.values.tolist() == [[1, 2], [1, 4], [1, 4], [8, 4], [9, 10]]
    assert carried.notes == ("4 missing values were carried on",)
    untimed = read_table(write(HOLES.replace("2013-01-02", "")), missing="drop")
    assert same(untimed, dropped, notes=False)
    assert untimed.notes == ("1 row has no time: left out", "2 periods lack a value: left out")
    long = read_table(write(LONG + b",rail,7\n"), missing="drop")
    assert (long.values.tolist(), long.notes) == ([[1, 2], [3, 4]], ("1 row has no time: left out",))
    with pytest.raises(ValueError, match="missing= is 'skip': give one of 'error', 'drop', 'carry'"):
        read_table(path, missing="skip")


def test_a_long_table_carries_what_has_no_row(write):
    path = write(LONG.replace(b"2013-01-02,road,4\n", b""))
    assert read_table(path, missing="carry").values.tolist() == [[1, 2], [3, 2]]


def test_prices_become_returns_after_what_is_missing(write):
    table = read_table(write(HOLES), prices=True, missing="carry")
    np.testing.assert_array_equal(table.values, [[0, 1], [0, 0], [7, 0], [9 / 8 - 1, 1.5]])
    assert table.times.to_list() == [date(2013, 1, day) for day in (2, 3, 4, 5)]
    said = "prices became returns since the period before, added up, not compounded; the first period has none"
    assert said in table.notes
    with pytest.raises(
        ValueError,
        match=r"it has 1 return left, as 3 lack a value, 2 that of 'rail': give at least two, or name .* actions=",
    ):
        read_table(write(HOLES), prices=True, missing="drop")


def test_notes_say_what_is_legitimate_but_odd():
    workdays = [
        date(2013, 1, 1) + timedelta(day) for day in range(21) if (date(2013, 1, 1) + timedelta(day)).weekday() < 5
    ]
    table = pl.DataFrame({"date": workdays, "cash": [0.0] * 15, "shares": range(7, 22)})
    assert read_table(table).notes == (
        "'cash' never changes",
        "the times are unevenly spaced: most steps are 1 day, 3 others go up to 3 days; each row counts as one period",
    )
    clock = pl.DataFrame({"t": [0.0, 24.0, 47.0, 71.0], "a": [1.0, 2.0, 4.0, 3.0], "b": [1.0, 5.0, 2.0, 2.0]})
    assert read_table(clock).notes == (
        "the times are unevenly spaced: most steps are 24, 1 other goes down to 23; each row counts as one period",
    )
    months = table.with_columns(pl.date_range(date(2013, 1, 1), date(2014, 3, 1), "1mo").alias("date"))
    assert read_table(months).notes == ("'cash' never changes",)
    halves = table.with_columns(pl.date_range(date(2013, 1, 1), date(2020, 1, 1), "6mo").alias("date"))
    assert read_table(halves).notes == ("'cash' never changes",)
    years = table.with_columns(pl.Series("date", [*range(14), 20]), cash=pl.Series(range(7, 22)))
    assert read_table(years).notes == (
        "the times are unevenly spaced: most steps are 1, 1 other goes up to 7; each row counts as one period",
    )


def test_names_may_be_anything(write):
    names = ['<b>&"', "x" * 5000, "Straße\n2", " "]
    table = pl.DataFrame({"date": [date(2013, 1, 1), date(2013, 1, 2)]} | {name: [1.0, 2.0] for name in names})
    assert read_table(table).names == tuple(names)
    assert read_table(write(as_csv(table.drop(" ")))).names == tuple(names[:3])
    assert read_table(write(as_csv(table.drop(" ").unpivot(index="date")))).names == tuple(names[:3])


@given(
    values=st.lists(
        st.lists(st.floats(-1e100, 1e100), min_size=3, max_size=3),
        min_size=2,
        max_size=6,
    )
)
def test_numbers_survive_to_the_bit(values, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bits")
    table = pl.DataFrame(values, ["a", "b", "c"], orient="row")
    text_file, lines = folder / "a.csv", folder / "a.jsonl"
    text_file.write_text("a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in values))
    table.write_ndjson(lines)
    for source in (text_file, lines, table):
        np.testing.assert_array_equal(read_table(source).values, values)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text, "BLOCK", 40)  # later blocks have numbers with a point read as such at once
        np.testing.assert_array_equal(read_table(text_file).values, values)


def test_a_bar_shows_the_reading(write, capsys, monkeypatch):
    from bygones import parallel

    monkeypatch.setattr(parallel, "PATIENCE", -1.0)
    read_table(write(GOOD), progress=True)
    assert "reading" in capsys.readouterr().err
    read_table(write(GOOD))
    assert capsys.readouterr().err == ""


def test_history(write):
    names = ["rail", "road"]
    weights = write("date,road,rail\n2012-12-30,0.25,0.75\n2012-12-31,1,0\n")
    assert read_history(weights, names).tolist() == [[0.75, 0.25], [0, 1]]
    chosen = write("date,choice\n2012-12-30,road\n2012-12-31,rail\n")
    assert read_history(chosen, names).tolist() == [[0, 1], [1, 0]]
    blanks = write("choice\r\nroad\r\n\r\nrail\r\n")
    assert read_history(blanks, names).tolist() == [[0, 1], [1, 0]]
    assert read_history(write('{"choice": "road"}\n', "a.jsonl"), names).tolist() == [[0, 1]]
    assert read_history(write("choice\n2\n1\n"), ["1", "2"]).tolist() == [[0, 1], [1, 0]]
    paid = write("date,choice,paid\n2012-12-30, road ,2.5\n2012-12-31,rail,3.5\n")
    assert read_history(paid, names, before=date(2013, 1, 1)).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(
        ValueError, match=r"row 2 \(2012-12-31, line 3\) is not before 2012-12-31, when the table begins"
    ):
        read_history(paid, names, before=date(2012, 12, 31))
    for content in ("year,choice\n2011,road\n2012,rail\n", "day,year,month,choice\nMon,2012,1,road\nTue,2012,2,rail\n"):
        assert read_history(write(content), names, before=1).tolist() == [[0, 1], [1, 0]]
    zoned = write("time,choice\n2013-01-01T08:00Z,road\n2013-01-02T08:00Z,rail\n")
    assert read_history(zoned, names, before=datetime(2013, 1, 1, 8)).tolist() == [[0, 1], [1, 0]]
    assert read_history(pl.DataFrame({"choice": [" rail"]}), [" rail", "road"]).tolist() == [[1, 0]]
    for content, message in (
        ("rail\n0.5\n", "nothing here is called 'road'"),
        ("rail,road\n0.5,x\n", r"row 1 \(line 2\), column 'road' is 'x', not a number"),
        ("rail,road\n0.5,\n", r"row 1 \(line 2\), column 'road' is nan: give a weight"),
        (
            "choice\nrail\nsea\n",
            r"row 2 \(line 3\), column 'choice' is 'sea', not an option: give one of 'rail', 'road'",
        ),
        ("choice\nship\nsea\n", "of 'choice' none does"),
        ("a,b\nrail,road\n", "'a', 'b' each do"),
        ("rail,road\n", "no rows"),
        ("option,weight\nrail,0.5\nroad,0.5\n", "'option' has options and 'weight' numbers: give one option per row"),
        ("option,weight\nrail,60\nroad,40\n", "'option' has options and 'weight' numbers: give one option per row"),
        (
            "date,option\n2013-01-01,rail\n2013-01-01,road\n",
            r"row 2 \(2013-01-01, line 3\) is not after row 1 ",
        ),
        ("date,rail,road\n2013-01-02,1,0\n2013-01-01,0,1\n", r"row 2 .* is not after row 1"),
    ):
        with pytest.raises(ValueError, match=message):
            read_history(write(content), names)


def test_a_message_shows_no_more_than_it_must():
    assert len(shown(list(range(1000)))) < 80
    assert shown("a\nb") == r"'a\nb'"


def test_the_files_of_the_lists_are_well(write):
    for content, name in ((GOOD, "a.csv"), (LONG, "a.csv"), (JSON, "a.jsonl"), (parquet()(), "a.parquet")):
        assert read_table(write(content, name)).names == ("rail", "road")


VALUES = FLIGHTS.drop("date").to_numpy()
UNNAMED = {
    "array": lambda folder: VALUES,
    "columns first": lambda folder: np.asfortranarray(VALUES),
    "lists": lambda folder: VALUES.tolist(),
    "Table": lambda folder: by.Table(VALUES),
    "blocks": lambda folder: (VALUES[start : start + 50] for start in range(0, 365, 50)),
    "npy": lambda folder: saved(folder, VALUES),
    "npy, path as text": lambda folder: str(saved(folder, VALUES)),
}


def saved(folder, values):
    np.save(folder / "a.npy", values)
    return folder / "a.npy"


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


def is_mapped(values):
    while isinstance(values, np.ndarray) and not isinstance(values, np.memmap):
        values = values.base
    return isinstance(values, np.memmap | mmap.mmap)


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
    np.testing.assert_allclose(read_table(holed, missing="carry", prices=True).values, [[2, 0], [2 / 3, 2]])
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
    for content in (b"nothing of the kind", pickled, (tmp_path / "a.npz").read_bytes(), b"\x93NUMPY\x01\x00"):
        path.write_bytes(content)
        for ask in (read_table, by.Table, lambda path: open_blocks(path, None, None, 10)):
            with pytest.raises(ValueError, match="a.npy: it is not an array that numpy saved, or only a part of one"):
                ask(path)
    with pytest.raises(ValueError, match="none.npy: there is no such file"):
        read_table(tmp_path / "none.npy")


def test_rows_know_whether_they_are_gains():
    assert not read_table("@flights").gains
    assert read_table("@wikipedia").gains
    assert read_table(FLIGHTS.with_columns(pl.col(CARRIERS) + 100), prices=True).gains
    assert read_table(read_table("@wikipedia")).gains
    assert repr(read_table("@wikipedia")) == "<Rows: gains of 8 options in 550 periods, 2015-07-01 to 2016-12-31>"
    views = datasets.load("wikipedia").drop("date").to_numpy()
    for table in (by.Table("@wikipedia"), by.Table("@wikipedia", rewards=True), by.Table(read_table("@wikipedia"))):
        np.testing.assert_array_equal(table.data, -views)
    assert not read_table(by.Table("@wikipedia")).gains
    odd = read_table(pl.DataFrame({"t": [1, 2, 5], "a": [1.0, 1.0, 1.0], "b": [1.0, 2.0, 3.0]}))
    assert len(odd.notes) == 2
    assert same(read_table(odd), odd)


SHUFFLED = FLIGHTS.select(CARRIERS[2], pl.lit("x").alias("note"), CARRIERS[0], "date", *CARRIERS[1:2])
PICKED = CARRIERS[:3]


def played(source, names=None, rounds=None, step=100):
    count, blocks = open_blocks(source, names, rounds, step)
    parts = list(blocks)
    assert {part.dtype for part in parts} == {np.dtype(np.float64)}
    assert count in (None, sum(map(len, parts)))
    return np.concatenate(parts)


@pytest.mark.parametrize("form", FORMS)
def test_blocks_of_every_form(form, write):
    np.testing.assert_array_equal(played(FORMS[form](write)), VALUES)
    np.testing.assert_array_equal(played(FORMS[form](write), CARRIERS[::-1], 70), VALUES[:70, ::-1])


@pytest.mark.parametrize("form", UNNAMED)
def test_blocks_without_names_go_by_place(form, tmp_path):
    for names in (None, CARRIERS):
        np.testing.assert_array_equal(played(UNNAMED[form](tmp_path), names, 120), VALUES[:120])


def test_blocks_pick_columns_by_name_and_ignore_the_others(write):
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


def test_blocks_ask_for_no_more_than_is_played(write, monkeypatch):
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
    long = LONG_FLIGHTS.sort("date", maintain_order=True)
    turned = pl.concat([long[:600], long[600:].sort("date", "carrier", descending=[False, True])])
    for size in (1, 7, 12, 600):
        blocks = (turned[start : start + size] for start in range(0, turned.height, size))
        np.testing.assert_array_equal(played(blocks), VALUES)
    wide = (FLIGHTS[[day]].select("date", *(CARRIERS if day < 9 else CARRIERS[::-1])) for day in range(365))
    np.testing.assert_array_equal(played(wide), VALUES)
    numbers = (FLIGHTS[[day]].select(CARRIERS if day < 9 else CARRIERS[::-1]) for day in range(365))
    np.testing.assert_array_equal(played(numbers), VALUES)
    for wrong in (None, {"rail": 1.0}):
        with pytest.raises(ValueError, match="a table of shape"):
            list(open_blocks(iter([wrong]), None, None, 10)[1])
    assert list(open_blocks(iter([]), None, None, 10)[1]) == []


def test_a_damaged_parquet_file_has_no_blocks(write):
    for content in (b"nothing of the kind", b"PAR1" * 5):
        with pytest.raises(ValueError, match="a.parquet: it is not a Parquet file, or only a part of one"):
            open_blocks(write(content, "a.parquet"), None, None, 10)


def test_a_frame_of_numbers_alone_is_a_table_as_it_is(write):
    counting = pl.DataFrame({"a": range(20), "b": range(20, 40)})
    assert by.Table(counting).names == ("a", "b")
    timed = counting.with_columns(t=pl.int_range(20))
    assert by.Table(timed.select("t", "b", pl.col("a") * 2)).names == ("b", "a")
    with pytest.raises(ValueError, match=r"row 2 \(2, line 3\), column 'b' is missing"):
        by.Table(write("t,a,b\n1,1.5,2\n2,3,\n"))
    lines = ("1,2\n", "3,4\n")
    table = by.Table(write("a,b\n" + "".join(lines)), names=("rail", "road"))
    assert (table.names, table.data.tolist()) == (("rail", "road"), [[1, 2], [3, 4]])
