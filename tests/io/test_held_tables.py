"""Decisions really taken, matched with the periods of a table."""

from datetime import date, datetime

import polars as pl
import pytest

from bygones.io import read_held

NAMES = ["rail", "road"]
UNTIMED = pl.Series("", [1, 2, 3, 4])
DAYS = pl.Series("day", [date(2024, 1, k) for k in (1, 2, 3, 4)])


def held(**columns):
    return pl.DataFrame(columns)


def test_decisions_go_to_the_periods_of_their_times_in_any_order():
    rows, notes = read_held(held(day=[DAYS[3], DAYS[1], DAYS[2]], choice=["rail", "road", "road"]), NAMES, DAYS)
    assert (rows.tolist(), notes) == ([[0, 1], [0, 1], [1, 0]], [])


def test_decisions_before_the_table_come_first():
    days = [date(2023, 12, 31), *DAYS]
    rows, _ = read_held(held(day=days, rail=[0.5, 1, 1, 1, 0], road=[0.5, 0, 0, 0, 1]), NAMES, DAYS)
    assert rows.tolist() == [[0.5, 0.5], [1, 0], [1, 0], [1, 0], [0, 1]]


def test_those_without_times_are_the_last():
    for times, said in ((DAYS, ["what was held has no times: taken as the last 2, the oldest first"]), (UNTIMED, [])):
        rows, notes = read_held(held(choice=["road", "rail"]), NAMES, times)
        assert (rows.tolist(), notes) == ([[0, 1], [1, 0]], said)
    assert len(read_held(held(day=list(DAYS), choice=["rail"] * 4), NAMES, UNTIMED)[0]) == 4


@pytest.mark.parametrize("times", [DAYS, UNTIMED])
def test_those_without_times_are_refused_where_periods_were_left_out(times):
    with pytest.raises(ValueError, match="2 periods of the table were left out, .* give the times of both"):
        read_held(held(choice=["road", "rail"]), NAMES, times, dropped=2)
    assert len(read_held(held(day=list(DAYS), choice=["rail"] * 4), NAMES, DAYS, dropped=2)[0]) == 4


def test_times_of_other_kinds_are_matched():
    clock = [datetime(2024, 1, 3), datetime(2024, 1, 4)]
    assert len(read_held(held(when=clock, choice=["rail", "road"]), NAMES, DAYS)[0]) == 2
    weeks = pl.Series("week", [1.0, 2.0])
    rows, _ = read_held(held(Week=[2, 1], choice=["rail", "road"]), NAMES, weeks)
    assert rows.tolist() == [[0, 1], [1, 0]], "by their times, not as they stand"


def test_a_time_that_the_table_has_not_is_left_out_and_said():
    weeks = pl.Series("week", [1, 3, 5])
    rows, notes = read_held(held(week=[3, 4, 5], choice=["rail", "rail", "road"]), NAMES, weeks)
    assert rows.tolist() == [[1, 0], [0, 1]]
    assert notes == ["1 decision is of times that the table has not, such as 4: left out"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"day": [DAYS[1], DAYS[3]], "choice": ["rail"] * 2}, "no decision for 2024-01-03.*from 2024-01-02 to 2024-01"),
        ({"day": [DAYS[1], DAYS[2]], "choice": ["rail"] * 2}, "no decision for 2024-01-04"),
        ({"day": [date(2023, 1, 1), DAYS[3]], "choice": ["rail"] * 2}, "no decision for 2024-01-01"),
        ({"day": [date(2023, 1, 1)], "choice": ["rail"]}, "no decision for 2024-01-01"),
        ({"day": [DAYS[3], date(2024, 1, 5)], "choice": ["rail"] * 2}, "after 2024-01-04, when the table ends: leave"),
        ({"day": [DAYS[3], DAYS[3]], "choice": ["rail"] * 2}, "same period as"),
        ({"day": [DAYS[3], None], "choice": ["rail"] * 2}, "has no time: give it"),
        ({"day": [4.0, 5.0], "choice": ["rail"] * 2}, "write both in the same way"),
        ({"day": [DAYS[3]], "choice": ["sea"]}, "one column must hold the names of options chosen"),
        ({"day": [DAYS[3]], "rail": [1.0]}, "road"),
        ({"a": [DAYS[3]], "b": [DAYS[3]], "choice": ["rail"]}, "could each be the time: call the one .* 'day'"),
    ],
)
def test_what_does_not_fit_is_a_sentence(columns, words):
    with pytest.raises(ValueError, match=words):
        read_held(held(**columns), NAMES, DAYS)
