"""Intervals that hold together, blocks of rows, and a change of the best option."""

import math

import numpy as np
import pytest

from bygones import accounting, bootstrap
from bygones.bootstrap import changes, comparison

SEEDS = 100
KINDS = ("normal", "heavy", "autoregressive")


def noise(kind, rows, n, seed):
    """Options that are all alike."""
    generator = np.random.default_rng([seed, rows])
    if kind == "heavy":
        return generator.standard_t(3, (rows, n))
    drawn = generator.standard_normal((rows + 50, n))
    for t in range(1, rows + 50 if kind == "autoregressive" else 0):
        drawn[t] += 0.5 * drawn[t - 1]
    return drawn[50:]


def broken(seed, kind="normal"):
    """Two suppliers, of whom the other one is cheaper after week 130 of 260."""
    return np.repeat([[10.0, 12.0], [14.0, 11.0]], 130, axis=0) + 0.5 * noise(kind, 260, 2, seed)


def naive_block_length(series):
    """The formulas of Politis and White, one by one."""
    rows, series = len(series), series - series.mean()
    R = [sum(series[t] * series[t + k] for t in range(rows - k)) / rows for k in range(rows)]
    bound = 2 * math.sqrt(math.log10(rows) / rows)
    most = math.ceil(math.sqrt(rows)) + 5
    m = next(m for m in range(most) if all(abs(R[m + k] / R[0]) < bound for k in range(1, 6)))
    M = min(2 * max(m, 1), most)
    flat = {k: 1 if abs(k) <= M / 2 else 2 * (1 - abs(k) / M) for k in range(-M, M + 1)}
    G = sum(flat[k] * abs(k) * R[abs(k)] for k in flat)
    D = 2 * sum(flat[k] * R[abs(k)] for k in flat) ** 2
    return min(max(1, (2 * G**2 / D) ** (1 / 3) * rows ** (1 / 3)), math.ceil(min(3 * math.sqrt(rows), rows / 3)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [40, 200])
def test_block_lengths_are_those_of_the_formulas(kind, rows):
    table = noise(kind, rows, 3, seed=1)
    assert [bootstrap.block_length(column) for column in table.T] == pytest.approx(
        [naive_block_length(column) for column in table.T]
    )
    assert bootstrap.block_length(table) == pytest.approx(max(bootstrap.block_length(column) for column in table.T))


@pytest.mark.parametrize("series", [[1.0], [1.0, 2.0], [3.0] * 20, np.zeros((10, 2)), np.zeros((10, 0))])
def test_series_that_say_nothing_have_a_block_length(series):
    assert 1 <= bootstrap.block_length(np.array(series)) <= 2


def test_resamples_are_runs_of_rows_of_the_mean_length():
    drawn = bootstrap.resample(50, length=5, resamples=2000)
    assert drawn.shape == (2000, 50)
    assert np.bincount(drawn.ravel()).min() > 1700  # 2,000 are expected of each, and 5 sd are 225 or more
    goes_on = (np.diff(drawn, axis=1) % 50 == 1).mean()
    assert goes_on == pytest.approx(1 - 1 / 5 + 1 / 5 / 50, abs=0.01)  # a new block may begin at the next row too
    assert (drawn == bootstrap.resample(50, length=5, resamples=2000)).all()
    assert (drawn != bootstrap.resample(50, length=5, resamples=2000, seed=1)).any()


def test_differences_are_per_period_to_the_least_mean():
    costs = np.array([3, 1, 2, 4]) + noise("normal", 30, 4, 0)
    done = bootstrap.compare(costs)
    assert done.best == 1
    assert done.differences == pytest.approx(costs.mean(axis=0) - costs[:, 1].mean())
    assert done.low[1] == done.high[1] == done.differences[1] == 0
    others = [0, 2, 3]
    assert (done.low[others] < done.differences[others]).all()
    assert (done.low + done.high)[others] == pytest.approx(2 * done.differences[others])


def test_two_options_have_the_interval_of_the_t_test():
    difference = 1 + noise("normal", 400, 1, 0)
    done = bootstrap.compare(np.hstack([np.zeros((400, 1)), difference]))
    assert done.high[1] - done.differences[1] == pytest.approx(1.966 * difference.std() / 20, rel=0.12)


def test_an_option_that_was_named_is_compared_with_the_others():
    costs = np.array([1, 0, 3, 1]) + noise("normal", 100, 4, 0)
    done, all_pairs = bootstrap.compare(costs, against=0), bootstrap.compare(costs)
    assert done.best == 0
    assert done.differences == pytest.approx(costs.mean(axis=0) - costs[:, 0].mean())
    assert (done.low[0], done.high[0]) == (0, 0)
    assert done.high[1] < 0 < done.low[2]
    assert done.low[3] < 0 < done.high[3]
    assert (done.high - done.low)[1] < (all_pairs.high - all_pairs.low)[0]  # the same pair, one of six there
    twin = bootstrap.compare(np.column_stack([costs, costs[:, 0] + 1e-9 * (np.arange(100) == 7)]), against=0)
    assert twin.high[1:4] == pytest.approx(done.high[1:4], rel=0.2)  # it does not rule the others


def test_skewed_differences_have_skewed_intervals():
    costs = np.column_stack([np.zeros(60), np.exp(1.2 * noise("normal", 60, 1, 3)[:, 0])])
    done = bootstrap.compare(costs, against=0)
    assert done.high[1] - done.differences[1] > 1.3 * (done.differences[1] - done.low[1])


def test_changes_know_that_periods_depend_on_each_other(monkeypatch):
    """Blocks alone would report more changes than there are."""
    drawn = [noise("autoregressive", 30, 4, seed) for seed in range(60)]
    known = sum(bootstrap.change(costs, alpha=0.05, resamples=199) is not None for costs in drawn)
    plain = changes.draw
    monkeypatch.setattr(changes, "draw", lambda *given: plain(*given)._replace(widening=1.0))
    assert sum(bootstrap.change(costs, alpha=0.05, resamples=199) is not None for costs in drawn) > known + 3


def test_intervals_know_that_periods_depend_on_each_other():
    """The mean of a series with the coefficient 0.5 has three times the variance; 30 rows in blocks show half of it."""
    wide = []
    for seed in range(40):
        difference = noise("autoregressive", 30, 1, seed)
        done = bootstrap.compare(np.hstack([np.zeros((30, 1)), difference]), resamples=199)
        wide.append((done.high - done.differences).max() / difference.std() * math.sqrt(30))
    assert np.mean(wide) > 2.05 * math.sqrt(3)


@pytest.mark.parametrize("n", [4, 70])
def test_sums_over_bins_give_the_same_differences(n):
    costs = noise("normal", 300, n, 0) + np.arange(n)
    edges = np.flatnonzero(np.arange(300) % 5 % 3 != 2)  # bins of one and two periods
    lengths = np.diff(edges, append=300)
    whole, binned = bootstrap.compare(costs), bootstrap.compare(np.add.reduceat(costs, edges), lengths)
    assert binned.differences == pytest.approx(whole.differences)
    assert binned.high - binned.low == pytest.approx(whole.high - whole.low, rel=0.25)


@pytest.mark.parametrize("n", [5, 70])
def test_constants_and_units_change_nothing(n):
    costs = np.round(noise("normal", 40, n, 0) * 2**10) / 2**10  # so that adding constants is exact
    done = bootstrap.compare(costs)
    moved = bootstrap.compare(costs * 8 + 2**20 * np.arange(40)[:, np.newaxis])
    assert moved.best == done.best
    assert moved.low == pytest.approx(8 * done.low, abs=1e-6)


def test_the_two_statistics_agree_where_options_are_alike(monkeypatch):
    costs = noise("normal", 200, 20, 0)
    pairs = bootstrap.compare(costs)
    monkeypatch.setattr(comparison, "PAIRS", 0)
    assert bootstrap.compare(costs).high - pairs.differences == pytest.approx(pairs.high - pairs.differences, rel=0.15)


def test_the_fast_maximum_over_pairs_is_the_maximum(monkeypatch):
    residuals = noise("heavy", 30, 12, 0) * np.arange(12)  # the first is constant
    residuals -= residuals.mean(axis=0)
    counts = np.random.default_rng(1).multinomial(30, np.full(30, 1 / 30), size=20) / 30
    errors = counts @ residuals
    scales = np.sqrt(np.maximum(counts @ residuals**2 - errors**2, 0))
    sums = scales[:, :, np.newaxis] + scales[:, np.newaxis] + 1e300 * np.eye(12)
    ratios = np.abs(errors[:, :, np.newaxis] - errors[:, np.newaxis]) / sums
    assert comparison._largest(residuals, counts) == pytest.approx(ratios.max(axis=(1, 2)))
    monkeypatch.setattr(comparison, "CHUNK", 30)
    assert comparison._largest(residuals, counts) == pytest.approx(ratios.max(axis=(1, 2)))


@pytest.mark.parametrize("n", [1, 2, 3, 70])
@pytest.mark.parametrize("rows", [1, 2, 7, 8, 10, 30])
def test_constant_and_equal_columns_are_no_trouble(n, rows):
    same = bootstrap.compare(np.full((rows, n), 7.25))
    assert (same.differences == 0).all()
    assert not (same.low > 0).any()
    assert bootstrap.change(np.full((rows, n), 7.25)) is None
    twins = np.repeat(1e9 + noise("normal", rows, 1, 0), n, axis=1)
    twins[:, -1] *= 1 + 1e-16
    assert not (bootstrap.compare(twins).low > 0).any()
    seldom = np.zeros((rows, n))
    seldom[0, -1] = 1
    done = bootstrap.compare(seldom)
    assert not (done.low > 0).any()
    assert not np.isnan([done.low, done.high]).any()


def test_a_constant_difference_is_certain_from_eight_rows_on():
    costs = np.array([0, 1]) + noise("normal", 8, 1, 0)
    assert bootstrap.compare(costs).low == pytest.approx([0, 1])
    assert (bootstrap.compare(costs[:7]).low == [0, -math.inf]).all()


@pytest.mark.parametrize("lengths", [[1, 2], [[1, 2, 3]], [1, 0, 1]])
def test_what_is_no_table_is_refused(lengths):
    with pytest.raises(ValueError, match="give the periods of each row"):
        bootstrap.compare(np.zeros((3, 2)), lengths)
    for costs in (np.zeros(3), np.zeros((0, 2)), [[1.0, math.nan]]):
        for ask in (bootstrap.compare, bootstrap.change):
            with pytest.raises(ValueError, match="finite numbers, one row per period"):
                ask(costs)


def test_large_tables_are_merged():
    costs = noise("normal", 200, 300, 0)
    costs[120:, 0] -= 9
    costs[:120, 1] -= 5
    whole = bootstrap.change(costs, resamples=199)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "VALUES", costs.size // 3)
        patch.setattr(changes, "VALUES", costs.size // 3)
        assert bootstrap.change(costs, resamples=199) == whole
        assert bootstrap.compare(costs).differences == pytest.approx(costs.mean(axis=0) - costs.mean(axis=0).min())


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_change_saves_what_the_best_path_saves(n):
    costs = noise("normal", 60, n, n)
    costs[:25, 0] -= 3
    costs[25:, 0] += 4
    found = bootstrap.change(costs)
    path = accounting.best_path(costs, changes=1)
    assert found.saved == pytest.approx(path.totals[0] - path.totals[1])
    assert (path.actions[found.row - 1], path.actions[found.row]) == (found.before, found.after)
    assert path.actions[found.row - 1] != path.actions[found.row]


def test_a_change_is_found_and_none_in_noise():
    found = bootstrap.change(broken(0))
    assert (found.row, found.before, found.after) == (130, 0, 1)
    assert found.p == 0.001
    assert bootstrap.change(broken(0)[:130]) is None
    assert bootstrap.change(broken(0)[120:149]) is None  # too few rows


def worse(costs):
    return (bootstrap.compare(costs).low > 0).any()


def naively_worse(costs):
    means, best = costs.mean(axis=0), costs.mean(axis=0).argmin()
    spread = (costs - costs[:, [best]]).std(axis=0, ddof=1) / math.sqrt(len(costs))
    return (means - means[best] > 1.645 * spread).any()


@pytest.mark.slow
@pytest.mark.parametrize("rows", [14, 24, 50, 200])
@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_seldom_called_a_difference(kind, rows, capsys):
    """At a true rate of 5 % eleven or more of 100 have a probability of 1.1 %; the seeds are fixed."""
    drawn = [noise(kind, rows, 4, seed) for seed in range(SEEDS)]
    found = np.array([(worse(costs), bootstrap.change(costs) is not None) for costs in drawn])
    claims, moved, either = *found.sum(axis=0), found.any(axis=1).sum()
    with capsys.disabled():
        print(f"\n{kind}, {rows} rows: {claims} differences, {moved} changes, {either} either, of {SEEDS}")
    assert claims <= 10
    assert moved <= 3
    assert either <= 10


@pytest.mark.slow
def test_naive_intervals_would_fail(capsys):
    failed = sum(naively_worse(noise("normal", 200, 4, seed)) for seed in range(SEEDS))
    with capsys.disabled():
        print(f"\nnaive claims: {failed} of {SEEDS}")
    assert failed >= 25


@pytest.mark.slow
def test_a_difference_of_one_sd_is_seen(capsys):
    apart = np.array([0, 1])
    seen = sum(bool(worse(apart + noise("normal", 200, 2, seed))) for seed in range(SEEDS))
    with capsys.disabled():
        print(f"\ntold apart: {seen} of {SEEDS}")
    assert seen >= 95


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_break_of_the_suppliers_is_dated(kind, capsys):
    found = [bootstrap.change(broken(seed, kind)) for seed in range(SEEDS)]
    near = sum(each is not None and abs(each.row - 130) <= 8 for each in found)
    with capsys.disabled():
        print(f"\n{kind}: dated within 8 weeks in {near} of {SEEDS}")
    assert near >= 99
