"""How tables are written: what settles a reading, what does not, and what blocks and sources change in it: nothing."""

import io
import zipfile
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
import xlsxwriter
from business import BUSINESS, DAYS, PLAIN, VALUES, comma, german, short, wide
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeping import swept
from tables import same

import bygones as by
from bygones.io import files, read_table, text
from bygones.io.dates import day_or_month
from bygones.io.numerals import find_decimal, parse
from bygones.io.times import form

READ = [
    case for case in BUSINESS if not case.asked and not case.keywords and case.file.endswith((".csv", ".txt", ".tsv"))
]


@swept(60, 600)
def test_numbers_are_read_as_they_were_written(examples):
    """To the bit, however they are grouped and signed: as Python reads the plain text."""

    @settings(max_examples=examples)
    @given(
        st.decimals(-(10**9), 10**9, places=2, allow_nan=False),
        st.sampled_from([(".", ","), (".", "'"), (".", " "), (",", "."), (",", "\u00a0"), (",", "\u202f"), (",", "")]),
        st.sampled_from(["{}", "{} €", "€{}", "EUR {}", "{} %", "{}%"]),
        st.sampled_from(["-{}", "{}-", "({})", "\u2212{}"]),
    )
    def holds(value, marks, around, sign):
        decimal, group = marks
        digits = f"{abs(value):,}".translate({ord(","): group, ord("."): decimal})
        written = around.format(digits)
        written = sign.format(written) if value < 0 else written
        plain = f"{value}e-2" if "%" in around else f"{value}"
        assert parse(pl.Series([written]), decimal).numbers.to_list() == [float(plain)]

    holds()


@pytest.mark.parametrize(
    "text",
    ["", "-", "$", "1-", "--1", "(1", "1)", "-(1)", "1 2", "1,2,3", "1.2.3", "%", "1%%", "€1€", "1e", "x1", "12 34"],
)
def test_what_is_no_number_is_none(text):
    for decimal in (".", ","):
        found = parse(pl.Series([text]), decimal).numbers[0]
        assert found is None or (text, found) == ("1-", -1)


@pytest.mark.parametrize(
    ("texts", "decimal"),
    [
        (["1", "2"], None),
        (["1.5", "2"], None),  # plain
        (["1,5", "2"], ","),
        (["1,234", "0,75"], ","),
        (["1,234", "1.5"], "."),
        (["1,234", "2,345"], None),
        (["1.234", "1,5"], ","),
        (["1.234.567", "1.234"], ","),
        (["1,234,567"], "."),
        (["1.234 €", "1.50 €"], "."),
        (["1.234,5", "1,234.5"], None),  # both
        (["1'234", "2,5"], ","),
        (["0,123", "1,234"], ","),
        (["a,5", "b,5", "1,5"], None),  # hardly numbers
    ],
)
def test_what_settles_the_decimal_point(texts, decimal):
    assert find_decimal(pl.DataFrame({"a": texts})) == decimal
    assert find_decimal(pl.DataFrame({"a": ["x"] * len(texts), "b": texts})) == decimal


def test_one_column_settles_it_for_all():
    table = {"day": DAYS, "rail": ["1.234"] * 16, "road": ["950"] * 15 + ["0,5"]}
    rows = read_table(table)
    assert rows.values[0].tolist() == [1234, 950]
    assert rows.values[-1].tolist() == [1234, 0.5]
    with pytest.raises(
        ValueError, match=r"column 'road' is '0,5', with a decimal comma, and the table has decimal poi"
    ):
        read_table(table, decimal=".")


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (["31/12/2013", "01/01/2014"], "%d/%m/%Y"),
        (["12/31/2013", "01/01/2014"], "%m/%d/%Y"),
        (["01/02/2013", "02/02/2013"], None),
        (["31/12/2013", "12/31/2013"], None),  # each fits one
        (["31-12-13", "01-01-14"], None),  # or 2031 and 2001
        (
            [f"{day:02}/12/13" for day in range(18, 32)] + ["01/01/14"],
            "%d/%m/%y",
        ),  # 2018 to 2031, and 2001, go both ways
        ([f"{day:02}/02/2013" for day in range(1, 13)], None),  # both go forward
        ([f"01/{month:02}/2013" for month in (3, 1, 2, 5, 4, 7, 6, 9, 8, 10, 11)], None),  # neither
        ([f"{month:02}/01/{year}" for year in (2012, 2013) for month in range(1, 13)], None),
        ([f"{month:02}/0{day}/2013" for month in range(1, 13) for day in (1, 2)], "%m/%d/%Y"),  # the other goes back
    ],
)
def test_what_settles_the_order_of_dates(texts, written):
    assert day_or_month(pl.Series(texts)) == written


def test_whole_numbers_are_days_of_excel_only_by_their_name_and_size():
    for name, numbers, kind in (
        ("date", [41639, 41640], "days of Excel"),
        ("Due date", [41639.5, 41640.25], "days of Excel with fractions"),
        ("date", [2013, 2014], "whole numbers"),
        ("cost", [41639, 41640], "whole numbers"),
        ("period", [41639, 41640], "whole numbers"),
    ):
        assert form(pl.Series(name, numbers)) == kind
    rows = read_table({"Due date": [41639.5, 41640.25], "rail": [1, 2], "road": [3, 4]})
    assert rows.times.to_list() == [datetime(2013, 12, 31, 12), datetime(2014, 1, 1, 6)]


@pytest.mark.parametrize("case", READ, ids=lambda case: case.about)
def test_blocks_change_nothing(case, tmp_path, monkeypatch):
    path = tmp_path / case.file
    path.write_bytes(case.content())
    whole = read_table(path)
    for block in (250, 400):  # all that stands above the first rows is in one block
        monkeypatch.setattr(text, "BLOCK", block)
        parts = read_table(path)
        assert same(whole, parts, notes=False)
        assert len(parts.notes) == len(whole.notes)


def test_what_comes_after_the_first_rows_is_read_or_refused(tmp_path, monkeypatch):
    """Signs that the first rows do not have, in a table of more rows than are looked at."""
    path = tmp_path / "a.csv"
    days = pl.date_range(date(2000, 1, 1), date(2009, 12, 31), eager=True)

    def read(last, **keywords):
        rows = [[str(day), str(k % 700), str(k % 500)] for k, day in enumerate(days)]
        rows[-1][1] = last
        path.write_text("day;rail;road\n" + "\n".join(map(";".join, rows)), encoding="utf-8")
        return read_table(path, **keywords).values[-1, 0]

    for monkey in (text.BLOCK, 5000):
        monkeypatch.setattr(text, "BLOCK", monkey)
        assert read("1,234.5") == 1234.5
        assert read("$5") == 5
        assert read("(5)") == -5
        assert read("0,5", decimal=",") == 0.5
        assert read("1.234", decimal=",") == 1234
        assert read("1,234", decimal=".") == 1234
        for last, words in (
            ("0,5", 'say decimal=","'),
            ("1,234", "its comma may be decimal"),
            ("5%", "has a percent sign"),
        ):
            with pytest.raises(ValueError, match=rf"row {len(days)} \(2009-12-31, .*{words}"):
                read(last)


@pytest.mark.parametrize("block", [text.BLOCK, 5000])
def test_groups_of_thousands_stay_groups_after_the_first_rows(block, write, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", block)
    rows = "".join(f"{k};{1 + k % 9}.{k % 1000:03};{'0,5' if k == 7 else '2'}\n" for k in range(3000))
    found = read_table(write(f"t;rail;road\n{rows}")).values[:, 0]
    assert found.tolist() == [1000 * (1 + k % 9) + k % 1000 for k in range(3000)]


def test_encodings_are_found_wherever_they_show(write, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 50)
    rows = "".join(f"{day};{day + 5};7\n" for day in range(1, 30))
    late = read_table(write(f"t;rail;road\n{rows}30;5;7 \u20ac\n".encode("cp1252")))
    assert (len(late.values), late.values[-1, 1]) == (30, 7)
    assert any("cp1252" in note for note in late.notes)
    mixed = f"t;rail;Straße\n{rows}".encode() + "30;5;7 \u20ac\n".encode("cp1252")
    with pytest.raises(
        ValueError, match=r"line 31 is not UTF-8 \(byte 0x80\), as other text here is: say .* encoding=\"cp1252\""
    ):
        read_table(write(mixed))
    assert len(read_table(write(mixed), encoding="cp1252").values) == 30
    monkeypatch.setattr(text, "BLOCK", 2**23)
    with pytest.raises(ValueError, match=r"line 31 is not UTF-8 \(byte 0x80\), as other text here is"):
        read_table(write(mixed))
    for encoding in ("utf-8", "utf-16", "latin-1", "cp850", "mac-roman"):
        assert read_table(write(f"t;Straße;é\n{rows}".encode(encoding)), encoding=encoding).names == ("Straße", "é")


def test_words_that_are_none(write):
    path = write("t,a,b\n1,2,3\n2,3,4\n")
    for keywords, words in (
        ({"decimal": ";"}, r"decimal= is ';': give one of '\.', ','"),
        ({"sort": "up"}, "sort= is 'up': give one of 'ascending', 'descending'"),
        ({"date_format": "dayfirst"}, "date_format= is 'dayfirst': give one of 'day-first', 'month-first'"),
        ({"date_format": "%Q"}, "date_format= is '%Q.*'|no column has such dates"),
        ({"encoding": "rot13"}, "encoding= is 'rot13': give one of utf-8"),
        ({"encoding": "\0"}, "encoding= is .*: give one of utf-8"),
        ({"value": "c"}, "nothing here is called 'c'"),
        ({"option": "c"}, "nothing here is called 'c'"),
    ):
        with pytest.raises(ValueError, match=words):
            read_table(path, **keywords)
    with pytest.raises(ValueError, match="a long table needs a column of times, and there is none: name it with time="):
        read_table({"a": ["x", "y"], "b": [1, 2]}, value="b")
    with pytest.raises(TypeError, match="decimals"):
        by.backtest(path, "window:1", decimals=",")


def test_a_large_table_is_not_turned_around(write, monkeypatch):
    path = write(wide(comma, short, turn=-1)())
    assert read_table(path).times.to_list() == DAYS
    monkeypatch.setattr(files, "LARGE", 100)
    with pytest.raises(ValueError, match="too large for that: sort it by time"):
        read_table(path)


def test_newest_first_is_turned_before_it_is_cleaned(write):
    """What is carried on, and what prices become, goes forward in time."""
    path = write("day,a,b\n2013-01-04,4,\n2013-01-03,,8\n2013-01-02,2,\n2013-01-01,1,5\n")
    carried = read_table(path, missing="carry")
    assert carried.values.tolist() == [[1, 5], [2, 5], [2, 8], [4, 8]]
    assert "the newest row is first: the table was turned around" in carried.notes
    prices = read_table({"year": [2014, 2013, 2012], "a": [4.0, 2.0, 1.0], "b": [3.0, 3.0, 1.5]}, prices=True)
    np.testing.assert_allclose(prices.values, np.log(2) * np.array([[1, 1], [1, 0]]), atol=1e-15)
    with pytest.raises(ValueError, match=r"row 3 .2013-01-02, line 4. is earlier than row 4 .2013-01-03"):
        read_table(
            write("day,a,b\n2013-01-04,4,1\n2013-01-03,3,8\n2013-01-02,2,1\n2013-01-03,1,5\n"), sort="descending"
        )
    turned = read_table(np.array([[3.0, 4.0], [1.0, 2.0]]), progress=False)
    assert turned.values.tolist() == [[3, 4], [1, 2]]


DICTS = {
    "lists": {"day": list(map(str, DAYS)), **{name: VALUES[:, i].tolist() for i, name in enumerate(PLAIN)}},
    "arrays": {"day": np.array(DAYS, dtype="datetime64[ns]"), **{name: VALUES[:, i] for i, name in enumerate(PLAIN)}},
    "texts": {
        "day": [short(day) for day in DAYS],
        **{name: list(map(german, VALUES[:, i])) for i, name in enumerate(PLAIN)},
    },
    "series": {"day": DAYS, **{name: pl.Series(VALUES[:, i]) for i, name in enumerate(PLAIN)}},
    "tuples": {"day": tuple(DAYS), **{name: tuple(VALUES[:, i]) for i, name in enumerate(PLAIN)}},
}


@pytest.mark.parametrize("about", DICTS)
def test_a_dict_of_columns_is_a_table(about):
    rows = read_table(DICTS[about])
    assert rows.names == PLAIN
    assert [day if type(day) is date else day.date() for day in rows.times] == DAYS
    np.testing.assert_array_equal(rows.values, VALUES)
    np.testing.assert_array_equal(by.Table(DICTS[about]).data, VALUES)
    problem = by.Problem(PLAIN, len(VALUES), "window:3", cost_range=2e6)
    one, other = (by.expected(problem, ["hedge"], source).summary() for source in (DICTS[about], VALUES))
    assert one.equals(other)
    done = by.backtest(DICTS[about], "window:2", ["hedge"], cost_range=2e6)
    assert done.accounts.equals(by.backtest(rows, "window:2", ["hedge"], cost_range=2e6).accounts)


def test_a_dict_that_is_no_table_is_refused():
    for source, words in (
        ({"a": [1, 2], "b": [1]}, "column 'b' has 1 values, and 'a' has 2: give one value per period in each"),
        ({"a": 1, "b": 2}, "column 'a' is 1: give one value per period, in a list"),
        ({"a": [1, 2]}, "only 'a' is an option"),
        ({}, "no columns"),
        ({"a": [object(), object()], "b": [1, 2]}, "column 'a' is"),
    ):
        with pytest.raises(ValueError, match=f"^the table: .*{words}"):
            read_table(source)


def test_numbers_of_a_workbook_keep_all_digits(tmp_path):
    """Also where a cell of their column is text."""
    path, numbers = tmp_path / "a.xlsx", [0.1 + 0.2, 1 / 3, 2 / 3, 123456789.12345679]
    written = dict(zip((b"11.5", b"12.5", b"13.5", b"14.5"), numbers, strict=True))
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file)  # writes 16 digits only, so the numbers are put in later
    page = book.add_worksheet()
    page.write_row(0, 0, ["year", "rail", "road"])
    for row, number in enumerate(written, 1):
        page.write_row(row, 0, [2000 + row, float(number), float(number)])
    page.write_row(6, 0, [2006, "-", 2.0])
    book.close()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            for stand_in, number in written.items():
                content = content.replace(b"<v>%b</v>" % stand_in, f"<v>{number!r}</v>".encode())
            new.writestr(name, content)
    rows = read_table(path, missing="drop")
    assert rows.values.tolist() == [[number, number] for number in numbers]
    with pytest.raises(ValueError, match=r"row 5 \(2006, line 7\), column 'rail' is missing"):
        read_table(path)


def test_a_backtest_takes_the_words_too(write):
    path = write(wide(comma, lambda day: day.strftime("%d/%m/%Y"), days=DAYS[12:], values=VALUES[12:])())
    done = by.backtest(path, "window:2", ["uniform"], cost_range=2e6, date_format="day-first", decimal=",")
    assert (done.facts.first, done.facts.last) == ("2020-01-01", "2020-01-04")
    history = write("day;choice\n30/12/2019;rail\n31/12/2019;sea\n")
    past = {"history": history, "cost_range": 2e6, "date_format": "day-first"}
    assert by.backtest(path, "window:2", ["uniform"], **past).about["history"] == 2


def test_columns_without_a_name_at_the_end_are_empty(write):
    assert read_table(write("t;a;b;;\n1;2;3;;\n2;3;4;;\n")).names == ("a", "b")
    assert read_table(write("t;a;b\n1;2;3;\n2;3;4;\n")).names == ("a", "b")
    with pytest.raises(
        ValueError, match=r"row 2 \(line 3\) has a value in column 4 without a name: name it, or take it out"
    ):
        read_table(write("t;a;b;\n1;2;3;\n2;3;4;x\n"))
    with pytest.raises(ValueError, match="column 2 has no name"):
        read_table(write("t;;b;\n1;2;3;\n2;3;4;\n"))


def test_a_gap_is_told_with_what_each_remedy_loses():
    late = {"t": range(6), "a": [1, 2, 3, 4, 5, 7], "b": [None, None, 3, 4, 5, 1], "c": [1, 2, 3, 4, None, 1]}
    with pytest.raises(ValueError) as error:  # noqa: PT011
        read_table(late)
    assert str(error.value) == (
        "the table: row 1 (0), column 'b' is missing, and there is none before it (the first one given is row 3 (2), "
        "column 'b'): give it, leave such periods out with missing=\"drop\" (3 of 6 are lost), or name the options "
        "without 'b' in actions= (1 of 6 is lost); missing=\"carry\" fills nothing before the first value of an option"
    )
    early = {"t": range(4), "a": [1, 2, 3, 4], "b": [2, 1, None, None], "c": [1, 2, 4, 3]}
    with pytest.raises(ValueError) as error:  # noqa: PT011
        read_table(early)
    assert str(error.value) == (
        "the table: row 3 (2), column 'b' is missing, and 'b' has none in the last period: give it, leave such periods "
        'out with missing="drop" (2 of 4 are lost), repeat the value before with missing="carry", or name the '
        "options without 'b' in actions= (none is lost)"
    )
    both = late | {"c": [1, None, 3, 4, None, 1]}
    with pytest.raises(
        ValueError, match=r"drop. \(3 of 6 are lost\), or .* without 'b' in actions= \(2 of 6 are lost\)"
    ):
        read_table(both)
    assert read_table(late, missing="drop").values.shape == (3, 3)
    assert read_table(late, actions=["a", "c"], missing="drop").values.shape == (5, 2)
    with pytest.raises(ValueError, match="none before it.*missing=\"drop\".*without 'b' in actions=.*lost\\)$"):
        read_table(late, missing="carry")
