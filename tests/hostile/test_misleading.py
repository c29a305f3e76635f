"""Tables on which a backtest would mislead: it refuses them or says so, and raises no alarm on sound ones."""

from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.backtesting import refusals
from bygones.backtesting.sentences import summary
from bygones.cli import main
from bygones.io import carry, read_table, suspects, text

ROWS = 60
RNG = np.random.default_rng(7)
NOISE = RNG.uniform(5, 15, (ROWS, 6)).round(2)
A, B, C, D = NOISE[:, :4].T
T = np.arange(ROWS, dtype=float)
DAYS = [date(2024, 1, 1) + timedelta(days=k) for k in range(ROWS)]
WALK = 100 * np.exp(np.cumsum(RNG.normal(0, 0.01, (ROWS, 3)), axis=0))


def spoiled(value: float, *at: int, column: np.ndarray = A) -> np.ndarray:
    """A column with some of its entries replaced."""
    other = column.copy()
    other[list(at)] = value
    return other


class Case(NamedTuple):
    about: str
    columns: dict[str, Any]
    refused: str = ""  # words of the error; empty: it is read
    noted: str = ""  # words of a note; empty: there is none
    keywords: dict[str, Any] = {}  # noqa: RUF012 never changed


SUM, MEAN = "is the sum of the other columns", "is the mean of the other columns"
NUMBER, SCALE, SIZE = "is a running number", "times those of the others", "the others would vanish"
VANISH = f"more than 9e+15 times a typical value of the table, 10.01: added up, {SIZE}"
TEN = {"rail": A, "road": B}

LEAP = np.array(
    [[0.3, 0.2, 0.1], [0, 0.5, 0.7], [0.5, 0.5, 0.5], [0.8, 0.8, 0.9], [0.2, 0.9, 0.2], [0.3, 0.6, 0.8]]
    + [[0.8, 0.4, 0.3], [0.3, 0.7, 0.6], [51.4, 77.3, 26.7], [0.2, 0.4, 0.6], [0.4, 0.3, 0.2]] * 6
)[:ROWS]
CASES = [
    # totals and means
    Case("a total", TEN | {"Total": A + B}, f"'Total' {SUM}"),
    Case("a total first", {"all": A + B} | TEN, f"'all' {SUM}"),
    Case("a total by another name", TEN | {"sea": C, "x": A + B + C}, f"'x' {SUM}"),
    Case("a total of many", {f"o{k}": NOISE[:, k] for k in range(6)} | {"sum": NOISE.sum(axis=1)}, f"'sum' {SUM}"),
    Case("a total, rounded", TEN | {"total": (A + B).round(1)}, f"'total' {SUM}"),
    Case("a total of gains and losses", {"a": A - 10, "b": B - 10, "net": A + B - 20}, f"'net' {SUM}"),
    Case("a total with a flat fee", {"rail": A, "fee": T * 0 + 5, "total": A + 5}, f"'total' {SUM}"),
    Case("a total of parts that grow", {"a": A + T, "b": B + 2 * T, "c": A + B + 3 * T}, f"'c' {SUM}"),
    Case("a total with one part that grows", {"a": A, "b": 3 + T / 2, "c": A + 3 + T / 2}, f"'c' {SUM}"),
    Case("a total of large and small", {"a": 1e6 * A, "b": B, "c": 1e6 * A + B}, f"'c' {SUM}"),
    Case("a mean", TEN | {"Average": (A + B) / 2}, f"'Average' {MEAN}"),
    Case("a mean, rounded", TEN | {"sea": C, "avg": ((A + B + C) / 3).round(2)}, f"'avg' {MEAN}"),
    Case("a total and a mean", TEN | {"sum": A + B, "mean": (A + B) / 2}, f"'sum' {SUM}"),
    Case("a mean and a total", TEN | {"mean": (A + B) / 2, "Grand total": A + B}, f"'Grand total' {SUM}"),
    Case("a total beside an option called so", {"Total Energies": A, "b": B, "sum": A + B}, f"'sum' {SUM}"),
    Case("a total of whole numbers", {"a": A.round(), "b": B.round(), "c": A.round() + B.round()}, f"'c' {SUM}"),
    Case("a total of prices", {"a": A, "b": B, "index": A + B}, f"'index' {SUM}", keywords={"prices": True}),
    Case(
        "a total where values are missing",
        {"a": spoiled(np.nan, 5), "b": B, "c": A + B},
        SUM,
        keywords={"missing": "carry"},
    ),
    Case("a total and dropped rows", {"a": spoiled(np.nan, 5), "b": B, "c": A + B}, SUM, keywords={"missing": "drop"}),
    # numbers of rows and of orders
    Case("row numbers", {"row": T + 1} | TEN, "'row' counts the rows"),
    Case("row numbers as floats", {"x": T + 1.0} | TEN, "counts the rows"),
    Case("numbers from a thousand on", {"id": T + 1001} | TEN, f"'id' {NUMBER}"),
    Case("numbers of orders", {"order_id": (7 * T + 48_211)} | TEN, f"'order_id' {NUMBER}"),
    Case("numbers of orders, in one word", {"orderId": np.cumsum(A.round()) + 4e4} | TEN, f"'orderId' {NUMBER}"),
    Case("numbers of invoices", {"Invoice No.": T + 310} | TEN, f"'Invoice No.' {NUMBER}"),
    Case("numbers without a name", {"x": T + 1001} | TEN, f"'x' {NUMBER}"),
    Case("years by another name", {"vintage": T + 1960} | TEN, f"'vintage' {NUMBER}"),
    # magnitudes
    Case("from 1e-40 to 1e40", {f"o{k}": 10 ** RNG.uniform(-40, 40, ROWS) for k in range(2)}, SIZE),
    Case("from 1e-40 to 1e40, three", {f"o{k}": 10 ** RNG.uniform(-40, 40, ROWS) for k in range(3)}, SIZE),
    Case("from 1e-40 to 1e40, ten", {f"o{k}": 10 ** RNG.uniform(-40, 40, ROWS) for k in range(10)}, SIZE),
    Case(
        "falling from 1e40 to 1e-40",
        {"a": np.geomspace(1e40, 1e-40, ROWS), "b": A * np.geomspace(1e40, 1e-40, ROWS)},
        SIZE,
    ),
    Case(
        "rising from 1e-40 to 1e40",
        {"a": np.geomspace(1e-40, 1e40, ROWS), "b": A * np.geomspace(1e-40, 1e40, ROWS)},
        SIZE,
    ),
    Case("one period of 1e20", TEN | {"sea": spoiled(1e20, 40, column=C)}, f"at 2024-02-10, 'sea' is 1e+20, {VANISH}"),
    Case(
        "one period of -1e30", TEN | {"sea": spoiled(-1e30, 3, column=C)}, f"at 2024-01-04, 'sea' is -1e+30, {VANISH}"
    ),
    Case("a few periods of 1e25", TEN | {"sea": spoiled(1e25, 3, 20, 40, 41, 55, column=C)}, SIZE),
    Case("a period of 1e40 for all", {"a": spoiled(1e40, 30), "b": spoiled(2e40, 30, column=B)}, SIZE),
    Case("zeros and one 1e40", TEN | {"sea": spoiled(1e40, 30, column=0 * C)}, SIZE),
    Case("tiny costs and one of 1", {"a": spoiled(1.0, 9, column=A * 1e-30), "b": B * 1e-30}, SIZE),
    # what only looks like a total or a number
    Case("a period in which all leap", dict(zip("abc", LEAP.T, strict=True))),
    Case("Norway, whose costs rise", {"NO": 3 + 2 * T, "SE": A, "DK": B}),
    # columns that may be options, but look odd
    Case("a constant", TEN | {"cash": T * 0 + 9}, noted="'cash' never changes"),
    Case("a volume", TEN | {"volume": 1000 * C}, noted=f"'volume' are at least 20 {SCALE}"),
    Case(
        "a volume and a revenue",
        TEN | {"sea": D, "volume": 1e3 * C, "revenue": 5e4 * C * A},
        noted="'volume', 'revenue' are",
    ),
    Case("a constant that is large", TEN | {"capacity": T * 0 + 5000}, noted="'capacity' are at least"),
    Case("a share", TEN | {"share": C / 1000}, noted="'share' are at most 1/20 of those of the others"),
    Case("weeks of six days", TEN | {"x": T // 6 + 1}, f"'x' {NUMBER}"),
    Case("months of days, over a year", TEN | {"x": (T // 4 + 9) % 12 + 1}, f"'x' {NUMBER}"),
    # sound tables
    Case("ones and twos", {"a": (A > 9) + 1.0, "b": (B > 9) + 1.0}),
    Case("small whole numbers", {"a": A.round() - 4, "b": B.round() - 4}),
    Case("two options", TEN),
    Case("two options, one twice the other", {"rail": A, "road": 2 * A}),
    Case("two options, one much larger", {"rail": A, "road": 1000 * B}),
    Case("two options, the same", {"rail": A, "road": A}, keywords={"cost_range": 9.0}),
    Case("three options", TEN | {"sea": C}),
    Case("an option called total", TEN | {"Total Energies": C}),
    Case("an option called id", TEN | {"ID": C.round(), "NO": D.round()}),
    Case("six options", {f"o{k}": NOISE[:, k] for k in range(6)}),
    Case("nearly a mean", TEN | {"sea": (A + B) / 2 + RNG.normal(0, 0.5, ROWS)}),
    Case("nearly a total", TEN | {"sea": A + B + RNG.normal(0, 0.5, ROWS)}),
    Case("a total in nearly all rows", TEN | {"sea": spoiled(3.0, 17, column=A + B)}),
    Case("one, two and three of the same", {"small": A, "medium": 2 * A, "large": 3 * A}),
    Case("fares by class, rounded", {"a": A, "b": (1.37 * A).round(2), "c": (2.37 * A).round(2)}),
    Case("the same, three times", {"a": A, "b": A, "c": A}, keywords={"cost_range": 9.0}),
    Case("the same twice, and nothing", {"a": A, "b": A, "c": 0 * A}, noted="'c' never changes"),
    Case("all nothing but one", {"a": A, "b": 0 * A, "c": 0 * A}, noted="'b', 'c' never change"),
    Case("straight lines that add up", {"a": 10 + T / 2, "b": 20 + T / 4, "c": 30 + 3 * T / 4}),
    Case("costs that grow by one", {"a": 7 + T, "b": B + 30}),
    Case("costs that grow by one, among three", {"a": 7 + T, "b": B + 30, "c": C + 20}),
    Case("costs that grow together", {"a": 5 * 1.02**T, "b": 7 * 1.02**T, "c": 12 * 1.02**T}),
    Case("costs that grow, with noise", {"a": 5 * 1.02**T + A, "b": 7 * 1.02**T + B, "c": 12 * 1.02**T + C}),
    Case(
        "costs that grow, with little noise",
        {"a": 100 * 1.05**T * (1 + A / 5e3), "b": 200 * 1.05**T * (1 + B / 5e3), "c": 300 * 1.05**T * (1 + C / 5e3)},
    ),
    Case(
        "rare events that exclude each other",
        {"a": (T % 9 == 1) * 1.0, "b": (T % 9 == 4) * 1.0, "c": (T % 9 % 3 == 1) * (T % 9 < 7) * 1.0},
    ),
    Case("noughts and ones", {f"o{k}": (NOISE[:, k] > 9) * 1.0 for k in range(4)}),
    Case("a total in nine rows", {"a": A[:9], "b": B[:9], "c": (A + B)[:9]}, keywords={"cost_range": 20.0}),
    Case("numbers in nine rows", {"id": T[:9] + 1001, "a": A[:9], "b": B[:9]}, keywords={"cost_range": 2000.0}),
    Case("articles of all sizes", {f"o{k}": A * 4.0**k for k in range(9)}),
    Case("two small options of four", {"a": A, "b": B, "c": 50 * C, "d": 50 * D}),
    Case(
        "prices of other scales", {"a": WALK[:, 0], "b": WALK[:, 1], "c": 1e4 * WALK[:, 2]}, keywords={"prices": True}
    ),
    Case("hyperinflation", {"a": A * 10 ** (T / 2), "b": B * 10 ** (T / 2)}, keywords={"prices": True}),
    Case("an outlier of a million", TEN | {"sea": spoiled(1e7, 40, column=C)}),
    Case("an outlier of a billion, at first", TEN | {"sea": spoiled(1e10, 2, column=C)}),
    Case("outliers of 1e14", TEN | {"sea": spoiled(1e15, 20, 40, column=C)}),
    Case("all costs are tiny", {"a": A * 1e-60, "b": B * 1e-60}),
    Case("all costs are huge", {"a": A * 1e60, "b": B * 1e60}),
    Case("huge costs, close together", {"a": 1e15 + A.round(), "b": 1e15 + B.round()}),
    Case("mostly zeros", {"a": spoiled(5.0, 3, 30, column=0 * A), "b": spoiled(900.0, 6, column=0 * A)}),
    Case("what rounding leaves of zero", {"a": spoiled(5e-17, *range(0, 60, 2)), "b": B, "c": C}),
    Case("coins and houses", {"a": A * 1e-8, "b": B * 1e5}),
]
BAD = [case for case in CASES if case.refused]
NAMED = [case for case in BAD if not case.refused.endswith(SIZE)]


def frame(case: Case) -> pl.DataFrame:
    count = len(next(iter(case.columns.values())))
    return pl.DataFrame({"day": DAYS[:count]} | case.columns, nan_to_null=True)


def tried(case: Case, **more: Any) -> by.Backtest:
    return by.backtest(frame(case), "window:3", ["steering", "hedge"], **case.keywords, **more)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.about)
def test_a_table_is_refused_or_noted_or_neither(case, counted):
    if case.refused:
        with pytest.raises(ValueError, match=r": .*(actions=|rounding left tiny values)$") as error:
            tried(case)
        counted("tables that could mislead")
        assert case.refused in str(error.value)
        return
    done = tried(case)
    counted("tables that could mislead")
    odd = [note for note in done.about["notes"] if "prices became log price relatives" not in note]
    assert any(case.noted in note for note in odd) if case.noted else odd == []
    assert all(done.accounts[name].is_finite().all() for name in ("total", "regret", "gap", "total_with_switches"))


@pytest.mark.parametrize("case", NAMED, ids=lambda case: case.about)
def test_what_is_named_is_an_option(case):
    """`actions=` may name what is refused otherwise, and rows that were read so stay as they are."""
    rows = read_table(frame(case), actions=list(case.columns), **case.keywords)
    assert rows.names == tuple(case.columns)
    done = by.backtest(rows, "window:3", ["uniform"])
    assert done.problem.names == rows.names
    assert not any(SCALE in note for note in done.about["notes"])


@pytest.mark.parametrize("case", BAD[:1], ids=lambda case: case.about)
def test_a_total_is_refused_in_every_form(case, tmp_path, monkeypatch):
    table = frame(case)
    table.write_csv(tmp_path / "wide.csv")
    long = table.unpivot(index="day", variable_name="option", value_name="cost")
    long.write_csv(tmp_path / "long.csv")
    values = table.drop("day").to_numpy()
    for source in (
        tmp_path / "wide.csv",
        tmp_path / "long.csv",
        long,
        values,
        values.tolist(),
        iter([values[:30], values[30:]]),
    ):
        with pytest.raises(ValueError, match=SUM):
            read_table(source)
    assert read_table(values, actions=["0", "1", "2"]).names == ("0", "1", "2")
    monkeypatch.setattr(text, "BLOCK", 100)
    with pytest.raises(ValueError, match=f"'Total' {SUM} in each of the first 60 rows"):
        read_table(tmp_path / "wide.csv")


@pytest.mark.parametrize("name", ["@flights", "@wikipedia"])
def test_bundled_tables_raise_no_alarm(name):
    assert by.backtest(name, "window:7", ["uniform"]).about["notes"] == []
    for first in range(10):
        some = list(read_table(name).names[first : first + 3])
        if len(some) > 1:
            assert read_table(by.datasets.load(name[1:]).select("date", *some)).notes == ()


def test_a_cost_is_not_shown_as_zero_because_another_is_large():
    """An outlier in the burn-in, or a range that is declared too large, hides no total."""
    base = {"a": A, "b": B}
    plain = by.backtest(pl.DataFrame(base), "window:3", ["uniform"]).accounts["total"][0]
    early = by.backtest(pl.DataFrame(base | {"b": spoiled(1e15, 2, column=B)}), "window:3", ["uniform"])
    assert early.accounts["total"][0] == pytest.approx(plain, rel=1e-12)
    wide = by.backtest(pl.DataFrame(base), "window:3", ["uniform"], cost_range=1e60)
    assert wide.accounts["total"][0] == pytest.approx((A + B).sum() / 2, rel=1e-12)
    mirrored = by.backtest(pl.DataFrame({"a": np.r_[A, -A], "b": np.r_[B, -B]}), "window:1", ["uniform"], cost_range=20)
    assert mirrored.accounts["total"][0] == 0, "what rounding leaves of zero"


@pytest.mark.parametrize("cost", [1e308, 1e101, 1e60, 1e20])
def test_a_switch_that_costs_too_much_to_be_added_is_refused(cost, tmp_path, capsys):
    with pytest.raises(ValueError, match=r"the cost of a switch is .*the others would vanish; give at most"):
        by.backtest("@flights", "window:7", switch_cost=cost)
    words = ["backtest", "@flights", "--memory", "window:7", "--switch-cost", str(cost), "--out", str(tmp_path / "r")]
    assert main(words) == 2
    assert "the cost of a switch is" in capsys.readouterr().err
    zeros = pl.DataFrame({"a": [0.0] * 30, "b": [0.0] * 30})
    if cost > 1e100:
        with pytest.raises(ValueError, match="the cost of a switch is"):
            by.backtest(zeros, "window:3", switch_cost=cost, cost_range=1)


@pytest.mark.parametrize("cost", [0.0, 1e-9, 1e6, 1e12])
def test_a_switch_may_cost_what_can_be_added(cost):
    done = by.backtest("@flights", "window:7", ["followtheleader"], switch_cost=cost)
    row = done.accounts.row(0, named=True)
    assert row["total_with_switches"] == pytest.approx(row["total"] + cost * row["switches"], rel=1e-12)


def test_bundled_costs_are_not_called_rewards(tmp_path, capsys):
    with pytest.raises(ValueError, match=r"@flights holds costs, not gains \(Mean arrival.*: leave rewards=True out"):
        by.backtest("@flights", "window:7", rewards=True)
    words = ["--memory", "window:7", "--learner", "uniform", "--rewards", "--out", str(tmp_path / "r")]
    assert main(["backtest", "@flights", *words]) == 2
    assert capsys.readouterr().err.endswith("2013): leave --rewards out\n")
    assert main(["backtest", "@wikipedia", *words]) == 0
    assert by.backtest("@wikipedia", "window:7", ["uniform"], rewards=True).about["gains"]
    own = by.datasets.load("flights")
    assert by.backtest(own, "window:7", ["uniform"], rewards=True).about["gains"], "a table of one's own is free"


# Options that end, and values that were carried on.


class Dead(NamedTuple):
    about: str
    last: int  # the last row with a value of the option
    learners: tuple[str, ...]
    keywords: dict[str, Any] = {}  # noqa: RUF012 never changed


ALL = ("steering", "adahedge", "hedge", "ftarl", "followtheleader", "uniform", "lsa", "pure")
DEAD = [
    Dead("for most of the table", 10, ALL),
    Dead("for the last ten periods", ROWS - 11, ALL),
    Dead("in the last period", ROWS - 2, ALL),
    Dead("and nobody likes another", 30, ("fixed:action=sea", "steering")),
    Dead("with prices", 30, ALL, {"prices": True}),
    Dead("with rewards", 30, ALL, {"rewards": True}),
    Dead("with a history", 30, ("steering",), {"history": ["sea", "sea"], "cost_range": 20.0}),
]


def ending(last: int, gains: bool) -> pl.DataFrame:
    """A table whose best option, sea, has no value after some row."""
    best = np.where(np.arange(ROWS) <= last, C + 40 if gains else C / 10, np.nan)
    return pl.DataFrame({"day": DAYS, "rail": A, "road": B, "sea": best}, nan_to_null=True)


@pytest.mark.parametrize("case", DEAD, ids=lambda case: case.about)
def test_an_option_without_a_current_value_is_not_recommended(case, tmp_path, counted):
    learners = [word for word in case.learners if word != "pure"] + [by.Pure(by.Hedge())] * ("pure" in case.learners)
    table = ending(case.last, "rewards" in case.keywords)
    done = by.backtest(table, "window:4", learners, missing="carry", **case.keywords)
    counted("tables with an option that ends")
    sea = done.next.filter(option="sea")
    assert (sea["decision"] == 0).all()
    for own in done.next.partition_by("learner"):
        assert own["decision"].sum() == pytest.approx(1)
        assert (own["decision"] >= 0).all()
        assert own["state"].sum() == pytest.approx(1)
    share = "it gets no weight here, and the others share its part."
    assert f"sea has no value after {DAYS[case.last]}: {share}" in done.recommendation
    decided = done.recommendation.partition("sea has no value")[0]
    assert " % sea" not in decided
    assert by.backtest(table.drop("sea"), "window:4", ["uniform"], cost_range=20).about["ended"] == {}
    done.report(tmp_path / "report")
    assert pl.read_csv(tmp_path / "report" / "next.csv").equals(done.next)
    html = (tmp_path / "report" / "index.html").read_text()
    assert html.count(f"sea has no value after {DAYS[case.last]}: {share}") == 2
    done.save(tmp_path / "saved.zip")
    assert by.Backtest.load(tmp_path / "saved.zip").recommendation == done.recommendation


def test_the_others_share_the_part_in_proportion_or_the_best_of_them_has_it():
    values = ending(30, gains=False)
    done = by.backtest(values, "window:4", ["hedge:rate=0.01", "fixed:action=sea"], missing="carry", cost_range=20)
    filled = values.with_columns(pl.col("sea").forward_fill())
    base = by.backtest(filled, "window:4", ["hedge:rate=0.01", "fixed:action=sea"], cost_range=20)
    before, after = (each.next["decision"][:3].to_numpy() for each in (base, done))
    assert before[2] > 0
    np.testing.assert_allclose(after[:2], before[:2] / before[:2].sum(), rtol=1e-12)
    best = done.options.filter(pl.col("option") != "sea")["option"][0]
    assert done.next.filter(decision=1.0)["option"].to_list() == [best]
    assert base.accounts.equals(done.accounts), "the past is the same"


def test_an_option_that_has_a_value_again_is_recommended():
    back = ending(20, gains=False).with_columns(pl.col("sea").fill_null(0.5).fill_null(0.5))
    back = back.with_columns(pl.when(pl.int_range(ROWS).is_between(21, 50)).then(None).otherwise("sea").alias("sea"))
    done = by.backtest(back, "window:4", ["followtheleader"], missing="carry")
    assert "has no value" not in done.recommendation
    assert done.next.filter(option="sea")["decision"][0] == 1
    assert any("'sea' for 30 periods after 2024-01-21; what" in note for note in done.about["notes"])


def test_a_last_period_without_any_value_is_refused():
    table = pl.DataFrame({"rail": [*A, None], "road": [*B, None]})
    with pytest.raises(
        ValueError, match="no option has a value at 61, the last period.*: leave out the rows at the end"
    ):
        by.backtest(table, "window:4", missing="carry")
    assert by.backtest(table, "window:4", missing="drop").about["ended"] == {}


@pytest.mark.parametrize(
    ("memory", "length", "noted"),
    [
        ("window:4", 4, False),
        ("window:4", 5, True),
        ("weights:0.5,0.3,0.2", 3, False),
        ("weights:0.5,0.3,0.2", 4, True),
        ("geometric:0.9", 9, False),
        ("geometric:0.9", 10, True),
        ("full", 40, False),
    ],
)
def test_values_carried_on_for_longer_than_the_memory_are_noted(memory, length, noted):
    gone = [None if 12 <= k < 12 + length else value for k, value in enumerate(A.tolist())]
    done = by.backtest(pl.DataFrame({"day": DAYS, "a": gone, "b": B}), memory, ["uniform"], missing="carry")
    said = f"Values were carried on for longer than the memory: 'a' for {length} periods after 2024-01-12; what these"
    assert (said in " ".join(summary(done))) == noted
    assert done.about["ended"] == {}


def test_stretches_are_those_of_a_plain_search(tmp_path, monkeypatch):
    """Whatever the blocks: of each option the longest stretch, the first of that length, and the one at the end."""
    rng = np.random.default_rng(3)
    for trial in range(25):
        gaps = rng.random((40, 3)) < rng.choice([0.1, 0.5, 0.9])
        gaps[0] = False
        table = pl.DataFrame(
            {name: [None if gap else 1.5 + k for k, gap in enumerate(gaps[:, i])] for i, name in enumerate("abc")}
        )
        table.write_csv(tmp_path / f"{trial}.csv")
        expected = set()
        for i, name in enumerate("abc"):
            runs, start = [], None
            for k, gap in enumerate([*gaps[:, i].tolist(), False]):
                if gap and start is None:
                    start = k
                elif not gap and start is not None:
                    runs.append((name, start, k, k - start))
                    start = None
            if runs:
                expected |= {max(runs, key=lambda run: run[3])} | ({runs[-1]} if runs[-1][2] == 40 else set())
        for size in (20, 60, 2**23):
            monkeypatch.setattr(text, "BLOCK", size)
            rows = read_table(tmp_path / f"{trial}.csv", missing="carry")
            assert set(rows.carried) == expected
            assert rows.ended == {name: after for name, after, until, _ in expected if until == 40}
            assert read_table(rows).carried == rows.carried
            some = read_table(rows, actions=["a", "b"])
            assert set(some.carried) == {each for each in expected if each[0] != "c"}


def test_enough_was_tried():
    """At least sixty tables, and of each kind good ones and bad ones."""
    assert len(CASES) + len(DEAD) >= 80
    assert len({case.about for case in CASES}) == len(CASES)
    sound = [case for case in CASES if not case.refused and not case.noted]
    assert len(sound) >= 30
    assert len(NAMED) >= 25
    assert len(BAD) - len(NAMED) >= 10
    assert refusals.ADDABLE > 1e15
    assert suspects.SCALE == 20
    assert carry.Stretches().all() == []


def test_wide_tables_are_not_searched_for_totals_for_hours():
    """Every column is the mean of the others here, which took the square of their number to find out."""
    assert by.read_table(np.full((30, 20_000), 1.5)).values.shape == (30, 20_000)
