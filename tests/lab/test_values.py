"""Minimax regret on grids."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import bygones as by
from bygones.lab import grids, values
from bygones.lab.values import COARSEST, on_grid

MEASURED = {  # V(T, H) - V(T, 1), within 0.004
    2: {16: 0.144, 32: 0.129, 64: 0.114, 128: 0.0985},
    3: {16: 0.274, 32: 0.268, 64: 0.253},
    4: {16: 0.419, 32: 0.432},
}
PAIRS = list(combinations(range(9), 2))
SLOPE = 0.18  # of what a window costs, per decision that it holds beside the newest


def by_binomials(T):
    even = T + T % 2
    return float(Fraction(even * math.comb(even, even // 2), 2 ** (even + 1)))


def test_without_memory_it_is_the_mean_of_a_walk():
    for T in (1, 2, 3, 6, 9):
        ends = [abs(sum(steps)) for steps in product((-1, 1), repeat=T)]
        assert by.lab.memoryless(T) == pytest.approx(np.mean(ends) / 2)
        assert by.lab.minimax([T], 1)[0].value == by.lab.memoryless(T)
    for T in (10_000, 10_001, 10_003, 20_000):  # where the series begins
        assert by.lab.memoryless(T) == pytest.approx(by_binomials(T), rel=1e-12)
    assert by.lab.memoryless(10**6) == pytest.approx(398.9423, abs=1e-3)
    assert by.lab.memoryless(100_000) == pytest.approx(math.sqrt(100_000 / (2 * math.pi)), rel=1e-5)


@pytest.mark.compiled
@pytest.mark.parametrize("length", MEASURED)
def test_what_a_window_costs(length):
    for found in by.lab.minimax(MEASURED[length], length, 0.002, progress=False):
        assert found.excess == pytest.approx(MEASURED[length][found.horizon], abs=0.004)
        assert found.value < found.upper
        assert found.error <= 0.002
        assert found.upper - by.lab.memoryless(found.horizon) <= SLOPE * (length - 1)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_whole_table():
    table = by.lab.values_table(progress=False)
    assert sorted(set(table["length"])) == [2, 3, 4, 5, 6]
    assert table.filter(length=3)["horizon"].max() == 512
    assert table.filter(length=6)["horizon"].max() == 128
    for row in table.iter_rows(named=True):
        assert row["upper"] - row["memoryless"] <= SLOPE * (row["length"] - 1)  # what is proved, not only extrapolated
        assert row["error"] <= 0.006 if row["length"] <= 4 else row["error"] <= 0.04
        measured = MEASURED.get(row["length"], {}).get(row["horizon"])
        assert measured is None or row["excess"] == pytest.approx(measured, abs=0.004)
    late = table.filter(length=3, horizon=512)["excess"].item()
    assert late == pytest.approx(0.184, abs=0.002)
    assert table.filter(length=6, horizon=128)["excess"].item() == pytest.approx(0.832, abs=0.01)


def test_finer_grids_are_lower_and_the_value_is_between_the_extrapolations():
    bounds = [float(on_grid([7], 3, size)[0]) for size in (5, 9, 17)]
    assert bounds == sorted(bounds, reverse=True)
    (found,) = by.lab.minimax([7], 3, accuracy=1e-9 + 0.05, progress=False)
    assert found.points == 4 * (COARSEST - 1) + 1
    assert found.upper == bounds[-1]
    assert found.value == pytest.approx((4 * bounds[-1] - bounds[-2]) / 3)


@pytest.mark.compiled
@pytest.mark.parametrize(("T", "H", "sizes"), [(20, 4, (33, 65, 129)), (30, 3, (9, 17, 33, 65)), (16, 6, (5, 9, 17))])
def test_a_finer_grid_is_never_higher(T, H, sizes):
    bounds = [float(on_grid([T], H, size)[0]) for size in sizes]
    assert bounds == sorted(bounds, reverse=True)


def test_the_least_is_that_of_all_mixtures_of_two_points():
    """Whatever bends the curve has, as those on a grid may; at its ends both may rise or fall."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        up, down = np.sort(rng.random(9)), np.sort(rng.random(9))[::-1].copy()
        up[0], down[-1] = rng.random(2)
        lift = rng.uniform(-0.6, 0.6)
        share = np.linspace(0, 1, 401)
        mixed = [np.maximum(u + lift, d - lift).min() for u, d in (_mixed(up, down, i, j, share) for i, j in PAIRS)]
        last = at = grids._frontier(up, down)
        while at >= 0 and up[at] + lift > down[at] - lift:
            at -= 1
        found = grids._least(up, down, last, lift, at)
        assert found <= min(mixed) + 1e-12
        assert found == pytest.approx(min(mixed), abs=0.003)


def _mixed(up, down, i, j, share):
    return up[i] + share * (up[j] - up[i]), down[i] + share * (down[j] - down[i])


def test_a_window_that_never_fills_is_as_long_as_the_game():
    (long,) = by.lab.minimax([3], 9, progress=False)
    (full,) = by.lab.minimax([3], 3, progress=False)
    assert long.length == 9
    assert long.value == full.value


def test_horizons_of_both_parities_come_in_the_order_asked_for():
    found = by.lab.minimax([6, 3, 5], 2, progress=False)
    assert [each.horizon for each in found] == [6, 3, 5]
    for each in found:
        assert by.lab.minimax([each.horizon], 2, progress=False)[0].value == pytest.approx(each.value, abs=each.error)


def test_a_table_of_few():
    table = by.lab.values_table([4, 8], [1, 2], progress=False)
    assert table.select("length", "horizon").rows() == [(1, 4), (1, 8), (2, 4), (2, 8)]
    assert (table["excess"] - (table["value"] - table["memoryless"])).abs().max() == 0
    assert table.filter(length=1)["excess"].to_list() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("horizons", "length", "accuracy", "said"),
    [
        ([0], 2, 0.01, "a horizon is 0: give a whole number of at least 1"),
        ([2.5], 2, 0.01, r"a horizon is 2\.5: give a whole number"),
        ([4], 0, 0.01, "the window's length is 0: give a whole number"),
        ([4], 2, 0, "the accuracy is 0: give a number above 0"),
        ([128], 12, 0.01, "a window of 12 over 128 rounds needs a grid that is too large: give a shorter window"),
        ([7], 7, 0.01, "a window of 7 over 7 rounds .* windows of up to 6 can be computed"),
        ([500], 500, 0.01, "a window of 500 over 500 rounds needs a grid that is too large"),
        ([16, 1000], 6, 0.01, "a window of 6 over 1000 rounds needs a grid that is too large"),
    ],
)
def test_bad_arguments(horizons, length, accuracy, said):
    with pytest.raises(ValueError, match=said):
        by.lab.minimax(horizons, length, accuracy)


def test_a_window_that_is_too_long_is_refused_before_anything_is_computed(monkeypatch):
    monkeypatch.setattr(values, "on_grid", None)
    with pytest.raises(ValueError, match="a window of 7 over 128 rounds needs a grid that is too large"):
        by.lab.minimax([4, 128], 7)
    with pytest.raises(ValueError, match="a window of 7 over 9 rounds needs a grid that is too large"):
        by.lab.values_table([9], [2, 7])
