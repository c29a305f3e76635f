"""Files that could be read wrong without a word: read right, or asked about."""

from datetime import datetime, timedelta

import pytest
import xlsxwriter

from bygones.io import read_table

DAYS = [datetime(2020, 1, 6) + timedelta(weeks=k) for k in range(12)]


@pytest.fixture
def book(tmp_path):
    """A workbook of rows, of which texts stay texts, dates are dates and numbers numbers."""

    def write(*rows):
        path = tmp_path / "a.xlsx"
        made = xlsxwriter.Workbook(path)
        page, form = made.add_worksheet(), made.add_format({"num_format": "dd.mm.yyyy"})
        for at, row in enumerate(rows):
            for place, cell in enumerate(row):
                if isinstance(cell, str):
                    page.write_string(at, place, cell)
                elif isinstance(cell, datetime):
                    page.write_datetime(at, place, cell, form)
                elif cell is not None:
                    page.write_number(at, place, cell)
        made.close()
        return path

    return write


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a.csv"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("text", ["1,46", "1,460"])
def test_one_text_with_a_comma_does_not_change_the_numbers_of_a_sheet(book, text):
    cells = [1.459, 1.469, text, 1.399, -2.5, 1e-7, 1234567.125, 1003.0]
    path = book(["date", "rail", "road"], *([DAYS[k], cell, 5 + k] for k, cell in enumerate(cells)))
    rows = read_table(path, decimal=",")
    assert rows.values[:, 0].tolist() == [1.46 if isinstance(cell, str) else cell for cell in cells]


def test_texts_with_points_among_whole_numbers_of_a_sheet_are_asked_about(book):
    path = book(
        ["date", "rail", "road"], *([DAYS[k], f"1.00{k}" if k in (4, 5) else 1000 + k, 900 + k] for k in range(9))
    )
    with pytest.raises(ValueError, match=r"in 'rail' three digits follow every point, as in '1.004'"):
        read_table(path)
    assert read_table(path, decimal=",").values[:, 0].tolist() == [1000 + k for k in range(9)]
    assert read_table(path, decimal=".").values[4, 0] == 1.004


def test_remarks_without_a_name_leave_the_header_where_it_is(book):
    rows = [[DAYS[k], 10.5 + k, 11.25, None, "strike" if k in (2, 6) else None] for k in range(9)]
    read = read_table(book(["date", "rail", "road"], *rows))
    assert (read.names, len(read.values)) == (("rail", "road"), 9)


@pytest.mark.parametrize(
    "first", ["Jan 2020;10.69;11.64", "2010Q1;10;11", "2020-W01;1;2", "2020-01-01;10 €;11 €", "01/01/2020 00:00;1;2"]
)
def test_a_row_of_values_is_not_taken_for_the_header(file, first):
    with pytest.raises(ValueError, match="not a name: give the columns' names there"):
        read_table(file(f"{first}\n" * 3))
    assert read_table(file("day;101;102\n1;2;3\n2;3;4\n")).names == ("101", "102")


def test_points_far_down_may_group_thousands_too(file):
    days = [datetime(2000, 1, 1) + timedelta(days=k) for k in range(2000)]
    lines = [f"{day:%Y-%m-%d};{500 + k % 9};{900 + k % 7 if k < 1500 else '1.234'}" for k, day in enumerate(days)]
    path = file("\n".join(["date;rail;road", *lines, ""]))
    with pytest.raises(ValueError, match=r"in 'road' three digits follow every point, as in '1.234'"):
        read_table(path)
    assert read_table(path, decimal=",").values[-1, 1] == 1234


def test_points_that_may_all_group_thousands_are_noted(file):
    path = file("date;rail;road\n2020-01-01;1.234;82.761\n2020-01-02;1.235;82.700\n")
    assert any('say decimal="," if it is not' in note for note in read_table(path).notes)
    assert read_table(path, decimal=",").values[0].tolist() == [1234, 82761]
    assert read_table(file("date;a;b\n2020-01-01;1.234;82.7\n2020-01-02;1.235;82.800\n")).notes == ()


def test_percent_beside_plain_numbers_is_noted(file):
    path = file("date;rail;road\n2020-01-01;4.5%;6.2\n2020-01-02;4.7%;6.1\n")
    assert any("'rail' has percent signs and 'road' has none" in note for note in read_table(path).notes)


@pytest.mark.parametrize("last", ["Source: SAP;;", "Mittelwert;5;5", "2021 Total;5;5"])
def test_rows_below_the_table_are_left_out(file, last):
    rows = read_table(file(f"date;rail;road\n2020-01-01;1;2\n2020-01-02;2;1\n\n{last}\n"))
    assert rows.values.tolist() == [[1, 2], [2, 1]]
    assert any("left out" in note for note in rows.notes)


def test_a_sum_below_a_table_without_times_is_left_out(file):
    lines = [f"{k % 5 + 1.5},{k % 3 + 2.25}" for k in range(12)]
    total = f"{sum(k % 5 + 1.5 for k in range(12))},{sum(k % 3 + 2.25 for k in range(12))}"
    rows = read_table(file("\n".join(["rail,road", *lines, total, ""])))
    assert len(rows.values) == len(rows.times) == 12
    assert "the last row is the sum of those above it: left out" in rows.notes


def test_one_text_among_the_dates_of_a_sheet_is_read_as_a_date(book):
    days = [day if k != 2 else f"{day:%d.%m.%Y}" for k, day in enumerate(DAYS)]
    rows = read_table(book(["date", "rail", "road"], *([day, 1.5 + k, 2] for k, day in enumerate(days))))
    assert rows.times.to_list() == [day.date() for day in DAYS]


def test_merged_dates_hold_for_the_rows_below(book):
    cells = [[DAYS[k // 2] if k % 2 == 0 else None, "ab"[k % 2], float(k)] for k in range(12)]
    rows = read_table(book(["date", "supplier", "cost"], *cells))
    assert (rows.names, rows.values[1].tolist(), len(rows.values)) == (("a", "b"), [2, 3], 6)
