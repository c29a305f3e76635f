"""Wealth, drawdown, turnover with drift, and costs, against a plain recomputation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from money import relatives_of, worth

from bygones.engine import Portfolio, Wealth


def test_states_by_hand():
    """Two assets: the first doubles, then the second, then both halve.

    All in the first makes 2. Half of it goes to the second, so that 1 is traded, and 0.7 of the 2 are left: 1.4, which
    grow by half to 2.1. These have drifted to 1/3 and 2/3. All goes to the second, so that 2/3 are traded, and 0.8 are
    left: 1.68, which halve to 0.84.
    """
    portfolio = Portfolio(2, trade_cost=0.3)
    portfolio.hold(np.array([[2.0, 1.0], [1.0, 2.0], [0.5, 0.5]]), np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]))
    wealth = portfolio.wealth
    assert np.exp(wealth.logs) == pytest.approx([0.84])
    assert wealth.turnover == pytest.approx([1 + 2 / 3])
    assert wealth.lost == pytest.approx([1 - 0.7 * 0.8])
    assert wealth.drawdowns == pytest.approx([1 - 0.84 / 2.1])
    assert wealth.deviations == pytest.approx([np.std(np.log([2, 0.7 * 1.5, 0.8 * 0.5]), ddof=1)])


def test_a_fall_at_once_is_a_drawdown_from_the_start():
    wealth = Wealth(2)
    wealth.grow(np.log([[0.5, 2.0], [2.0, 0.25]]))
    assert wealth.drawdowns == pytest.approx([0.5, 0.75])
    assert Wealth(1).drawdowns == Wealth(1).deviations == Wealth(1).lost == [0.0]


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 5),
    periods=st.integers(1, 30),
    block=st.integers(1, 30),
    trade_cost=st.floats(0, 0.4999),
    volatility=st.floats(0.001, 3),
)
def test_it_agrees_with_a_plain_recomputation_however_it_is_cut(seed, n, periods, block, trade_cost, volatility):
    rng = np.random.default_rng(seed)
    prices = np.exp(rng.normal(0, volatility, (periods + 1, n)).cumsum(axis=0))
    states, relatives = rng.dirichlet(np.full(n, 0.3), periods), relatives_of(prices)
    traded, bought = Portfolio(n, trade_cost), Portfolio(n, trade_cost)
    for first in range(0, periods, block):
        here = slice(first, first + block)
        traded.hold(relatives[here], states[here])
        bought.hold(relatives[here])
    drifted = prices[:-1] / prices[0]
    for portfolio, held in ((traded, states), (bought, drifted / drifted.sum(axis=1, keepdims=True))):
        wealth, plain = portfolio.wealth, worth(prices, held, trade_cost)
        assert np.exp(wealth.logs[0]) == pytest.approx(plain["wealth"], rel=1e-9)
        for name, figure in (
            ("drawdown", wealth.drawdowns),
            ("turnover", wealth.turnover),
            ("cost", wealth.lost),
            ("volatility", wealth.deviations),
        ):
            assert figure[0] == pytest.approx(plain[name], rel=1e-9, abs=1e-9), name


@given(seed=st.integers(0, 2**32), n=st.integers(2, 6), volatility=st.floats(0.001, 5))
def test_holding_a_state_earns_at_least_what_is_counted(seed, n, volatility):
    """Jensen: the log of the mean is at least the mean of the logs."""
    rng = np.random.default_rng(seed)
    gains, states = rng.normal(0, volatility, (8, n)), rng.dirichlet(np.ones(n), 8)
    portfolio = Portfolio(n)
    portfolio.hold(np.exp(gains), states)
    assert portfolio.wealth.logs[0] >= (gains * states).sum() - 1e-12


@pytest.mark.parametrize("trade_cost", [0.25, np.nextafter(0.5, 0)])
def test_the_largest_cost_of_the_largest_trade_leaves_something(trade_cost):
    portfolio = Portfolio(3, trade_cost)
    states = np.eye(3)[np.arange(40) % 3] * (1 + 4e-16)  # so that rounding makes more than 2 of what is traded
    portfolio.hold(np.ones((40, 3)), states)
    assert np.isfinite(portfolio.wealth.logs).all()
    assert portfolio.wealth.turnover == pytest.approx([78.0])
    assert portfolio.wealth.charges == pytest.approx([39 * np.log1p(-2 * trade_cost)])
