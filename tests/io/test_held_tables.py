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


@pytest.mark.parametrize("reading", [None, {"decimal": "."}])
def test_amounts_with_points_are_asked_about_unless_someone_says(reading):
    spent = held(day=list(DAYS), rail=["975", "0", "1.908", "1.200"], road=["0"] * 4)
    if reading is None:
        with pytest.raises(ValueError, match=r"three digits follow every point, as in '1.908'"):
            read_held(spent, NAMES, DAYS, amounts=True)
        rows, _ = read_held(spent, NAMES, DAYS, decimal=",", amounts=True)
        assert rows[:, 0].tolist() == [975, 0, 1908, 1200], "as the table is written"
    rows, _ = read_held(spent, NAMES, DAYS, {"decimal": "."}, decimal=",", amounts=True)
    assert rows[2, 0] == 1.908


def test_times_say_the_order_for_a_table_without_times_too():
    back = held(day=list(DAYS)[::-1], choice=["rail", "road", "road", "road"])
    assert read_held(back, NAMES, UNTIMED)[0].tolist() == [[0, 1], [0, 1], [0, 1], [1, 0]]
    mixed = held(day=[DAYS[1], DAYS[0], DAYS[2], DAYS[3]], choice=["rail"] * 4)
    with pytest.raises(ValueError, match=r"row 2 .* is not after row 1"):
        read_held(mixed, NAMES, UNTIMED)


def test_numbers_that_count_back_are_refused_by_any_name():
    weeks = pl.Series("week", [1, 2, 3, 4])
    for numbers in ([40, 39, 38, 37], ["W40", "W39", "W38", "W37"]):
        with pytest.raises(ValueError, match=r"'period' counts back, .* call it 'week'"):
            read_held(held(period=numbers, rail=[1, 0, 1, 0], road=[0, 1, 0, 1]), NAMES, weeks)
    rows, _ = read_held(held(week=["W4", "W3"], choice=["rail", "road"]), NAMES, weeks)
    assert rows.tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match=r"'week' is 'last' and the like, not times: write them as in the table"):
        read_held(held(week=["last", "first"], choice=["rail", "road"]), NAMES, weeks)


def test_weights_are_shares_or_percent():
    rows, notes = read_held(held(day=[DAYS[3], DAYS[2]], rail=[20, 100], road=[80, 0]), NAMES, DAYS)
    assert (rows.tolist(), notes) == (
        [[1, 0], [0.2, 0.8]],
        ["the weights of each decision add up to 100: read as percent"],
    )
    for rail, words in (
        (50, r"row 1 \(2024-01-04\) has weights that add up to 130, not to 1: give shares"),
        (-80, "shares"),
    ):
        with pytest.raises(ValueError, match=words):
            read_held(held(day=[DAYS[3], DAYS[2]], rail=[rail, 100], road=[80, 0]), NAMES, DAYS)


def test_a_total_of_what_was_held_is_left_out():
    spent = held(day=["2024-01-03", "2024-01-04", "Summe"], rail=[1, 0, 1], road=[0, 1, 1])
    assert read_held(spent, NAMES, DAYS)[0].tolist() == [[1, 0], [0, 1]]
