"""What portfolios are worth where the costs are log price relatives, with the sign flipped: `-ln(p^t_i / p^(t-1)_i)`.

Holding the state `x^t` in period t multiplies wealth by `sum_i x^t_i r^t_i`, where `r^t_i = p^t_i / p^(t-1)_i`. The
logarithm is concave, so that `ln sum_i x_i r_i >= sum_i x_i ln r_i` (Jensen's inequality): without costs of trading,
log wealth is at least the gain that the accounts count, and a bound on regret also bounds how far log wealth ends below
that of the best single asset.

After period t the weights have drifted to `y^t_i = x^t_i r^t_i / sum_j x^t_j r^t_j`. At the start of the next period
`traded = sum_i |x^(t+1)_i - y^t_i|` is traded, purchases and sales both counted, and wealth is multiplied by
`1 - trade_cost * traded`. The first purchase is free.
"""

import numpy as np

from ..kernels import Array, compiled
from .feed import Piece


class Wealth:
    """How portfolios grow, one figure per portfolio, from the growth of each period.

    Args:
        count: how many portfolios there are.
    """

    def __init__(self, count: int) -> None:
        self.periods = 0
        self.logs, self.peaks, self.falls = np.zeros((3, count))  # log wealth, its highest, its deepest fall from there
        self.means, self.squares = np.zeros((2, count))  # of the log growth per period: mean, squared deviations
        self.turnover, self.charges = np.zeros((2, count))  # all that was traded, and what it cost in log wealth

    def grow(self, growths: Array) -> None:
        """Take periods in.

        Args:
            growths: (B, portfolios), the log growth of each period.
        """
        grow(growths, self.periods, self.logs, self.peaks, self.falls, self.means, self.squares)
        self.periods += len(growths)

    @property
    def drawdowns(self) -> Array:
        """The largest fall from an earlier high at the end of a period, the start included, as a share of that high."""
        falls: Array = -np.expm1(-self.falls)
        return falls

    @property
    def deviations(self) -> Array:
        """The standard deviation of log growth per period, `sqrt(sum_t (g_t - mean)^2 / (T - 1))`."""
        deviations: Array = np.sqrt(self.squares / max(1, self.periods - 1))
        return deviations

    @property
    def lost(self) -> Array:
        """The share of the final wealth that trading took, `1 - prod_t (1 - trade_cost * traded_t)`."""
        lost: Array = 0.0 - np.expm1(self.charges)  # not -0.0
        return lost


def _grow(growths: Array, before: int, logs: Array, peaks: Array, falls: Array, means: Array, squares: Array) -> None:
    # Mean and squared deviations as Welford adds them up.
    for b in range(growths.shape[0]):
        share = 1.0 / (before + b + 1)
        for k in range(growths.shape[1]):
            growth = growths[b, k]
            logs[k] += growth
            peaks[k] = max(peaks[k], logs[k])
            falls[k] = max(falls[k], peaks[k] - logs[k])
            step = growth - means[k]
            means[k] += step * share
            squares[k] += step * (growth - means[k])


grow = compiled(_grow)


class Portfolio:
    """One portfolio, from the weights that are held.

    Args:
        n: the number of assets.
        trade_cost: what trading costs, in parts of what is traded; below 0.5, as at most 2 are traded in a period.

    >>> portfolio = Portfolio(2, trade_cost=0.01)
    >>> logs, charges = portfolio.hold(np.array([[2.0, 1.0], [1.0, 1.0]]), np.array([[0.5, 0.5], [0.5, 0.5]]))
    >>> np.exp(logs).round(9)  # grows by half, and a third of it is traded
    array([1.5  , 1.495])
    """

    def __init__(self, n: int, trade_cost: float = 0.0) -> None:
        self.trade_cost, self.wealth = trade_cost, Wealth(1)
        self.weights = np.full(n, 1 / n)  # as they are before the next trade

    def hold(self, relatives: Array, states: Array | None = None) -> tuple[Array, Array]:
        """Hold states, and trade in between.

        Args:
            relatives: (B, n), the price of each asset over the one before.
            states: (B, n), what is held in each period, on the simplex; None: never trade, beginning with all assets in
                equal parts.

        Returns:
            (B,) log wealth after each period, and (B,) what of it trading took so far, below zero.
        """
        values, traded = np.empty((2, len(relatives)))
        hold(relatives, np.empty((0, 0)) if states is None else states, self.weights, values, traded)
        if not self.wealth.periods:
            traded[:1] = 0.0
        paid = np.log1p(-self.trade_cost * traded)
        growths = np.log(values) + paid
        logs, charges = (
            np.cumsum(np.concatenate([before, new]))[1:]
            for before, new in ((self.wealth.logs, growths), (self.wealth.charges, paid))
        )
        self.wealth.turnover += traded.sum()
        self.wealth.charges += paid.sum()
        self.wealth.grow(growths[:, np.newaxis])
        return logs, charges


def _hold(relatives: Array, states: Array, weights: Array, values: Array, traded: Array) -> None:
    rounds, n = relatives.shape
    for b in range(rounds):
        moved = 0.0
        if states.shape[0] > 0:
            for i in range(n):
                moved += abs(states[b, i] - weights[i])
                weights[i] = states[b, i]
        value = 0.0
        for i in range(n):
            weights[i] *= relatives[b, i]
            value += weights[i]
        scale = 1.0 / value
        for i in range(n):
            weights[i] *= scale
        values[b] = value
        traded[b] = min(moved, 2.0)  # which rounding may exceed


hold = compiled(_hold)


class Benchmarks:
    """What needs no learner: every asset held, all in equal parts and rebalanced in each period, and bought and held.

    Args:
        n: the number of assets.
        trade_cost: what trading costs.
        recorded: how many periods are recorded.
    """

    def __init__(self, n: int, trade_cost: float, recorded: int) -> None:
        self.assets, self.even = Wealth(n), np.empty(recorded)  # log wealth in equal parts, at the recorded periods
        self.rebalanced, self.bought = Portfolio(n, trade_cost), Portfolio(n, trade_cost)

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        if piece.relatives is not None:
            self.assets.grow(-piece.block.costs[0])
            logs, _ = self.rebalanced.hold(
                piece.relatives, np.full(piece.relatives.shape, 1 / piece.relatives.shape[1])
            )
            self.even[piece.column : piece.column + len(piece.picks)] = logs[piece.picks]
            self.bought.hold(piece.relatives)
