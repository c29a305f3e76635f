"""Prices, and what a portfolio is worth in plain numpy, for tests of more than one room."""

import numpy as np


def relatives_of(prices):
    return prices[1:] / prices[:-1]


def worth(prices, states, trade_cost=0.0, yearly=1.0):
    """One period after the other: trade, then hold; states has one row fewer than prices."""
    wealth, peak, drawdown, turnover, kept, growths = 1.0, 1.0, 0.0, 0.0, 1.0, []
    drifted = states[0]
    for state, relative in zip(states, relatives_of(prices), strict=True):
        traded = np.abs(state - drifted).sum()
        factor = (1 - trade_cost * traded) * (state @ relative)
        drifted = state * relative / (state @ relative)
        wealth *= factor
        turnover += traded
        kept *= 1 - trade_cost * traded
        growths.append(np.log(factor))
        peak = max(peak, wealth)
        drawdown = max(drawdown, 1 - wealth / peak)
    return {
        "wealth": wealth,
        "growth": wealth ** (yearly / len(states)) - 1,
        "volatility": np.std(growths, ddof=1) * np.sqrt(yearly) if len(growths) > 1 else 0.0,
        "drawdown": drawdown,
        "turnover": turnover,
        "cost": 1 - kept,
    }
