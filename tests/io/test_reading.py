"""What a table says: times, names, numbers, what is missing, prices and histories."""

import io
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import GOOD, LONG
from sweeping import swept
from tables import CARRIERS, FLIGHTS, as_csv, same

import bygones as by
from bygones import datasets
from bygones.io import read_history, read_table, text, times
from bygones.validation import shown


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
    assert read_table(write("date,day,a,b\n2013-01-01,1,1,2\n2013-01-02,2,1,2\n"), time="date").names == ("a", "b")


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
    pointed = write("date;rail;road\n2013-01-31;1.069;2\n2013-02-01;3.500;4\n")
    plain = read_table(pointed, decimal=".")
    assert plain.values.tolist() == [[1.069, 2], [3.5, 4]]
    assert read_table(pointed, decimal=",").values.tolist() == [[1069, 2], [3500, 4]]
    with pytest.raises(
        ValueError, match="'1.069', which may be a fraction or thousands: say decimal=\"\\.\" or decimal"
    ):
        read_table(pointed)
    every = write("date;rail;road\n2013-01-31;1.069;2.111\n2013-02-01;3.500;4.000\n")
    assert read_table(every).values.tolist() == [[1.069, 2.111], [3.5, 4]]  # every number has its point
    assert same(plain, read_table(write("sep=;\r\ndate;rail;road\r\n2013-01-31;1.069;2\r\n2013-02-01;3.5;4\r\n")))
    assert plain.notes == ()
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


def test_prices_become_log_relatives_after_what_is_missing(write):
    table = read_table(write(HOLES), prices=True, missing="carry")
    np.testing.assert_array_equal(table.values, np.log([[1, 2], [1, 1], [8, 1], [9 / 8, 2.5]]))
    assert table.times.to_list() == [date(2013, 1, day) for day in (2, 3, 4, 5)]
    assert table.prices
    said = "prices became log price relatives, so that gains add up to log wealth; the first period has none"
    assert said in table.notes
    with pytest.raises(
        ValueError,
        match=r"it has 1 return left, as 3 lack a value, 2 that of 'rail': give at least two, or name .* actions=",
    ):
        read_table(write(HOLES), prices=True, missing="drop")


@pytest.mark.parametrize("piece", [1, 4, 2**20])
def test_notes_say_what_is_legitimate_but_odd(piece, monkeypatch):
    monkeypatch.setattr(times, "PIECE", piece)
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


@swept(25, 120)
def test_numbers_survive_to_the_bit(examples, tmp_path, monkeypatch):
    text_file, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"

    @settings(max_examples=examples)
    @given(st.lists(st.lists(st.floats(-1e100, 1e100), min_size=3, max_size=3), min_size=2, max_size=6))
    def holds(values):
        table = pl.DataFrame(values, ["a", "b", "c"], orient="row")
        text_file.write_text("a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in values))
        table.write_ndjson(lines)
        for source in (text_file, lines, table):
            np.testing.assert_array_equal(read_table(source).values, values)
        with monkeypatch.context() as patched:
            patched.setattr(text, "BLOCK", 40)  # later blocks have numbers with a point read as such at once
            np.testing.assert_array_equal(read_table(text_file).values, values)

    holds()


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
    newest = write("Datum;Bahn;Straße\n31.12.2012;0,25;75 %\n30.12.2012;1;0 %\n".encode("cp1252"))
    assert read_history(newest, ["Bahn", "Straße"], before=date(2013, 1, 1)).tolist() == [[1, 0], [0.25, 0.75]]
    unclear = write("day,choice\n01/02/2013,rail\n02/02/2013,road\n")
    for said, last in (("day-first", date(2013, 2, 2)), ("month-first", date(2013, 2, 2))):
        with pytest.raises(ValueError, match=r"row 2 \(2013-02-02, line 3\) is not before 2013-02-02"):
            read_history(unclear, names, before=last, reading={"date_format": said, "sheet": "another"})
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
        ("date,rail,road\n2013-01-02,1,0\n2013-01-01,0,1\n2013-01-03,0,1\n", r"row 2 .* is not after row 1"),
    ):
        with pytest.raises(ValueError, match=message):
            read_history(write(content), names)


def test_a_history_that_lacks_a_column_later_on_is_refused(write, monkeypatch):
    whole = '{"rail": 1, "road": 0}\n'
    monkeypatch.setattr(text, "BLOCK", 4 * len(whole))
    for lacking in ('{"rail": 1}\n', "{}\n"):
        later = write(whole * 4 + lacking * 40, "a.jsonl")
        with pytest.raises(ValueError, match=r"row 5 \(line 5\), column 'r.*' is nan: give a weight"):
            read_history(later, ["rail", "road"])
    with pytest.raises(ValueError, match=r"row 1 \(line 1\) is {}: give each option a key"):
        read_history(write("{}\n{}\n", "a.jsonl"), ["rail", "road"])


def test_a_history_goes_forward_from_block_to_block(write, monkeypatch):
    rows = "".join(f"2012-{month:02}-01,rail\n" for month in (1, 2, 3, 2))
    monkeypatch.setattr(text, "BLOCK", len(rows) // 4)
    with pytest.raises(ValueError, match=r"row 4 \(2012-02-01, line 5\) is not after row 3 "):
        read_history(write(f"date,choice\n{rows}"), ["rail", "road"])


def test_a_message_shows_no_more_than_it_must():
    assert len(shown(list(range(1000)))) < 80
    assert shown("a\nb") == r"'a\nb'"


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
