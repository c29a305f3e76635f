import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bygones as by
from bygones.checks import check_costs
from bygones.costs import FAMILIES

EXAMPLES = [
    by.StocId(),
    by.StocHet(),
    by.StocHet(law=lambda rng, n: (np.full(n, -1.0), -rng.random(n))),
    by.Cyclic(hold=7),
    by.Cyclic(hold=3, vectors=2),
    by.Trap(final=9),
    by.Trap(final=60),
    by.Trap(final=9, coin=1),
    by.Blocks(1),
    by.Blocks(9),
    by.Blocks(100),
    by.SquareWave(5),
    by.Table(np.random.default_rng(0).random((60, 4))),
]


@pytest.mark.parametrize("costs", EXAMPLES, ids=lambda costs: type(costs).__name__)
def test_families_keep_the_contract(costs):
    check_costs(costs)


def test_there_is_an_example_of_every_family():
    assert {type(costs) for costs in EXAMPLES} == set(FAMILIES)


@given(st.integers(1, 40), st.integers(2, 5), st.lists(st.integers(0, 30), max_size=8), st.integers(0, 2**32))
def test_blocks_are_the_same_however_they_are_taken(length, n, sizes, seed):
    rounds = sum(sizes)
    whole = by.Blocks(length).draw(n, rounds, np.random.default_rng(seed))
    source = by.Blocks(length).start(n, rounds, np.random.default_rng(seed))
    assert (np.vstack([np.zeros((0, n)), *map(source.take, sizes)]) == whole).all()


def test_stoc_id_is_uniform():
    costs = by.StocId().draw(5, 20_000, np.random.default_rng(1))
    assert -1 < costs.min() < costs.max() <= 0
    assert np.abs(costs.mean(axis=0) + 0.5).max() < 5 * (1 / 12 / 20_000) ** 0.5


def test_stoc_het_has_the_law_behind_the_figure():
    """a = -0.2 U, b = a - 0.8 U: over many replicates the ends have means -0.1 and -0.5."""
    tables = [by.StocHet().draw(10, 400, np.random.default_rng(r)) for r in range(200)]
    high = np.array([table.max(axis=0) for table in tables])
    low = np.array([table.min(axis=0) for table in tables])
    assert high.min() > -0.25
    assert low.min() >= -1
    assert high.mean() == pytest.approx(-0.1, abs=0.01)
    assert low.mean() == pytest.approx(-0.5, abs=0.03)


def test_blocks_toss_fair_coins():
    costs = by.Blocks(3).draw(4, 3 * 5000, np.random.default_rng(1))
    assert set(np.unique(costs)) == {-1.0, 0.0}
    assert (costs.reshape(5000, 3, 4) == costs[::3, np.newaxis]).all()
    assert costs.mean() == pytest.approx(-0.5, abs=5 * 0.5 / 20_000**0.5)


def test_the_trap_draws_its_action():
    coins = [by.Trap(1).draw(4, 3, np.random.default_rng(r))[-1].argmin() for r in range(400)]
    assert np.bincount(coins, minlength=4).min() > 60


def test_descriptions_compare():
    assert by.Cyclic(hold=5, vectors=2) == by.Cyclic(5, 2) != by.Cyclic(5)
    assert repr(by.Cyclic(hold=5, vectors=2)) == "Cyclic(hold=5, vectors=2)"
    assert by.StocHet() == by.StocHet()


RNG = np.random.default_rng(0)
FRAME = {"rail": [1.0, 2.0, 3.0], "road": [3, 1, 2]}


@pytest.mark.parametrize(
    "frame", [pl.DataFrame(FRAME), pl.LazyFrame(FRAME), pd.DataFrame(FRAME)], ids=["polars", "lazy", "pandas"]
)
def test_any_data_frame_is_a_table(frame):
    table = by.Table(frame)
    assert table.names == ("rail", "road")
    assert (table.data == [[1, 3], [2, 1], [3, 2]]).all()
    assert (table.columns(("road", "rail")).data == [[3, 1], [1, 2], [2, 3]]).all()
    assert (by.Table(frame, rewards=True).data == -table.data).all()


def test_a_table_neither_copies_nor_writes():
    values = np.random.default_rng(0).random((5, 3))
    table = by.Table(values)
    assert np.shares_memory(table.data, values)
    assert not table.data.flags.writeable
    assert values.flags.writeable
    kept = values.copy()
    block = table.start(3, 5, np.random.default_rng(0)).take(5)
    block[:] = 0
    assert (values == kept).all()


def test_replacing_a_parameter_of_a_reward_table_does_not_flip_it_back():
    table = by.Table([[1.0, 2.0]], rewards=True)
    assert (table.replace(names=("a", "b")).data == [[-1.0, -2.0]]).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: by.Cyclic(hold=0), "hold is 0"),
        (lambda: by.Cyclic(5, vectors=0), "vectors is 0"),
        (lambda: by.Cyclic(5, vectors=3).draw(2, 9, RNG), "vectors is 3: with 2 actions at most 2"),
        (lambda: by.Trap(0), "final is 0"),
        (lambda: by.Trap(10).draw(2, 9, RNG), "final is 10, but there are only 9 rounds"),
        (lambda: by.Trap(5, coin=2).draw(2, 9, RNG), "coin is 2: with 2 actions the last one is 1"),
        (lambda: by.Blocks(0), "length is 0"),
        (lambda: by.SquareWave(0.5), "half_period is 0.5"),
        (lambda: by.StocId().draw(1, 9, RNG), "the number of actions is 1"),
        (
            lambda: by.StocHet(law=lambda rng, n: (np.zeros(n), -np.ones(n))).draw(2, 9, RNG),
            "the interval of action 0 goes from 0.0 to -1.0: give finite ends",
        ),
        (lambda: by.StocHet(law=lambda rng, n: (np.zeros(3), np.zeros(3))).draw(2, 9, RNG), "it must give 2 numbers"),
        (lambda: by.StocId().draw(2, 9, 0), "the generator is 0: give one such as numpy.random.default_rng"),
        (lambda: by.StocHet(law=3), "the law is 3: give a function"),
        (lambda: by.StocHet(law=lambda rng, n: (0, 0)).to_dict(), "has no plain form"),
        (lambda: by.Table([[1.0, 2.0]]).to_dict(), "has no plain form"),
        (lambda: by.Table([[1.0, 2.0]], ["a", "b"]), r"rewards is \['a', 'b'\]: give True or False"),
        (lambda: by.Table([[1.0, 2.0]], names=("a", "b", "c")), "2 columns and 3 names"),
        (lambda: by.Table([[1.0]]), "1 columns and no names: give at least two columns"),
        (lambda: by.Table([[1.0, 2.0]], names=("a", "a")), "are called 'a': names must differ"),
        (lambda: by.Table([[1.0, 2.0]], names="ab"), "the columns are 'ab': give a list of names"),
        (lambda: by.Table(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])), "two columns have the same name"),
        (lambda: by.Table(np.ma.array([[1.0, 2.0]], mask=[[0, 1]])), "row 0, column 1 is nan"),
        (lambda: by.Table([[1.0, np.nan]]), "row 0, column 1 is nan"),
        (lambda: by.Table(pl.DataFrame({"a": [1.0, None], "b": [1.0, 2.0]})), "row 1, column 'a' is nan"),
        (lambda: by.Table(pl.DataFrame({"day": ["Mon"], "b": [1.0]})), "only 'b' is an option"),
        (lambda: by.Table([1.0, 2.0]), r"a table of shape \(2,\)"),
        (lambda: by.Table([["a", "b"]]), "a table of shape .* and type <U1"),
        (lambda: by.Table([[1.0], [1.0, 2.0]]), "rows differ in length"),
        (lambda: by.Table([[1.0, 2.0]], names=("a",)), r"the columns are \['a'\]: give at least 2"),
        (
            lambda: by.Table(pl.DataFrame(FRAME)).columns(["rail", "sea"]),
            "nothing here is called 'sea': the names are 'rail', 'road'",
        ),
        (lambda: by.Table([[1.0, 2.0]]).draw(3, 1, RNG), "the table has 2 columns, and there are 3 actions"),
        (lambda: by.Table([[1.0, 2.0]]).draw(2, 2, RNG), "the table has 1 rows, and 2 rounds are requested"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()
