"""Exact minimax regret for two actions under a window: what the best learner can promise, and no more."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kernels import Array
from ..parallel import check_fork, showing
from ..validation import positive, whole
from .grids import decided, go_back, grid, opened

if TYPE_CHECKING:
    import polars as pl

ACCURACY = 0.006
COARSEST = 5  # points; each finer grid has twice as many intervals
WORK = 4_000_000_000  # steps of the dynamic program on one grid; about 15 seconds
ROOM = 60_000_000  # numbers in its table

HORIZONS = (16, 32, 64, 128, 256, 512)
LENGTHS = (2, 3, 4, 5, 6)
LONGEST = 3  # of the windows that go to all horizons; those beyond end at 128
SHORT = 128
WIDEST = 6  # of the windows with which three grids are small enough
GRIDS = 3  # that an estimate of the error needs
LARGE = 10_000  # rounds, beyond which binomials are computed by a series


class Value(NamedTuple):
    """Minimax regret, computed."""

    horizon: int
    length: int
    value: float  # extrapolated
    error: float  # estimated, of that
    upper: float  # proved: the value on the finest grid
    points: int  # of that grid

    @property
    def excess(self) -> float:
        """What the window costs: the value less that of the same game without memory."""
        return self.value - memoryless(self.horizon)


def memoryless(horizon: int) -> float:
    """`V(T, 1) = E|S_T| / 2`, for a walk S of T fair steps of size 1: about `sqrt(T / (2 pi))`.

    Without memory the best decision makes both costs equally good for whoever chooses them, so that any costs will do,
    such as those that a coin chooses.

    Args:
        horizon: T.

    Returns:
        The value.

    Raises:
        ValueError: if the horizon is not a whole number of at least 1.

    >>> memoryless(2), round(memoryless(512), 3)
    (0.5, 9.023)
    """
    half = (whole("the horizon", horizon, 1) + 1) // 2
    if half > LARGE // 2:  # Stirling's series; the next term is 5/(1024 half^3), less than 1e-13
        return math.sqrt(half / math.pi) * (1 - 1 / (8 * half) + 1 / (128 * half**2))
    return float(half * math.comb(2 * half, half) / 4**half)


def minimax(
    horizons: Iterable[int], length: int, accuracy: float = ACCURACY, progress: bool | None = None
) -> list[Value]:
    r"""Minimax regret `V(T, H)` of two actions, costs of range 1 and the memory `Window(H)`.

    Write `q` in [-1, 1] for the difference of the two weights, `d` for that of the two costs, and `D` for the sum of
    the d so far. The regret is `sum_t d_t (q_t + ... + q_(t-h+1))/(2h) + |D_T|/2`, `h = min(t, H)`. With
    `V_T(D, q_T, ...) = |D|/2` after the last round, the value before a round is

        V_(t-1)(D, q_(t-1), ..., q_(t-H+1)) = min_q max_d [ d (q + q_(t-1) + ...)/(2h) + V_t(D + d, q, q_(t-1), ...) ].

    *Differences of -1 and 1 are the worst.* Each `V_t` is convex in D and the q together: the last one is, a maximum
    over d of convex functions is, and so is the least over q of a function that is convex in all. Hence the bracket is
    convex in d, and largest at an end of [-1, 1].

    *Grids give upper bounds.* Let the decisions held be points of a grid that has -1 and 1, and put straight lines
    between any two of its points for `V_t` as a function of q. They are at least `V_t`: at the points by induction,
    between them because `V_t` is convex. So the value on a grid is at least `V_(t-1)`, and a best q is on the lower
    left of the convex hull of the points `(q/(2h) + V_t(D + 1, q, ...), -q/(2h) + V_t(D - 1, q, ...))`.

    *Extrapolation.* The error falls with the square of the grid's step. From two grids, one with half the step of the
    other, follows `(4 fine - coarse)/3`. The error stated is an estimate: the distance from there to the upper bound,
    and half of what the last grid has moved the extrapolation. It covers the true error in all games of up to eleven
    rounds, where linear programs give the value. Grids are refined until it is at most `accuracy`, or until the next
    grid would take more than about 15 seconds.

    Rounds are gone through backwards from the horizon, so one pass serves all horizons of one parity. Where the lead D
    is at least the number of rounds left, its sign is decided and the value is known.

    Args:
        horizons: T, any number of them.
        length: H, the window's length: windows of up to 6, and longer ones in games of up to 6 rounds.
        accuracy: the error at which to stop.
        progress: None shows a progress bar on a terminal only.

    Returns:
        One value per horizon, in their order.

    Raises:
        ValueError: if a horizon or the length is not a whole number of at least 1, the accuracy is not above 0, or
            three grids would be too large, as they are for windows of 7 and more.

    >>> [(value.horizon, round(value.value, 3), round(value.excess, 3)) for value in minimax([16, 32], 2, 0.0005)]
    [(16, 1.715, 0.144), (32, 2.368, 0.129)]
    """
    wanted = [whole("a horizon", T, 1) for T in horizons]
    whole("the window's length", length, 1)
    positive("the accuracy", accuracy)
    _check_size(wanted, length)
    made = {}
    for window in sorted({min(length, T) for T in wanted}):  # a window that never fills is as long as the game
        for parity in (0, 1):
            alike = sorted({T for T in wanted if min(length, T) == window and parity == T % 2})
            if alike:
                made.update({value.horizon: value for value in _refined(alike, window, accuracy, progress)})
    return [made[T]._replace(length=length) for T in wanted]


def values_table(
    horizons: Sequence[int] | None = None,
    lengths: Sequence[int] = LENGTHS,
    accuracy: float = ACCURACY,
    progress: bool | None = None,
) -> "pl.DataFrame":
    """A table of minimax regrets: what a window costs at best, for several lengths and horizons.

    Args:
        horizons: T. None: 16, 32, ... to 512 for windows of at most 3, to 128 for longer ones.
        lengths: H of the windows.
        accuracy: the error at which to stop; see `minimax`.
        progress: None shows a progress bar on a terminal only.

    Returns:
        A frame with the columns length, horizon, value, error, upper (proved), points (of the grid), memoryless
        (`V(T, 1)`) and excess (value less memoryless). All in about half a minute.

    >>> values_table([16], [1, 2]).select("length", "horizon", "error", "points").rows()
    [(1, 16, 0.0, 0), (2, 16, 0.005..., 17)]
    """
    check_fork()
    import polars as pl

    rows, cells = [], []
    for length in lengths:
        short = whole("the window's length", length, 1) > LONGEST
        chosen = [T for T in HORIZONS if T <= SHORT or not short] if horizons is None else horizons
        cells.append(([whole("a horizon", T, 1) for T in chosen], length))
        _check_size(*cells[-1])
    for chosen, length in cells:
        for value in minimax(chosen, length, accuracy, progress):
            rows.append((*value, memoryless(value.horizon), value.excess))
    schema = {"horizon": pl.Int64, "length": pl.Int64, "value": pl.Float64, "error": pl.Float64, "upper": pl.Float64}
    schema |= {"points": pl.Int64, "memoryless": pl.Float64, "excess": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row").select(
        "length", *(name for name in schema if name != "length")
    )


def _check_size(horizons: list[int], length: int) -> None:
    """Refuse windows whose third grid is too large, before anything is computed."""
    third = 2 ** (GRIDS - 1) * (COARSEST - 1) + 1
    for horizon in sorted(horizons, reverse=True):
        window = min(length, horizon)
        if window > 1 and (window > WIDEST or not _fits(horizon, window, third)):
            raise ValueError(
                f"a window of {length} over {horizon} rounds needs a grid that is too large: give a shorter window or "
                f"horizon; windows of up to {WIDEST} can be computed"
            )


def _fits(horizon: int, length: int, size: int) -> bool:
    """Whether a grid is small enough."""
    held = float(size) ** (length - 1)
    return held * horizon**2 <= 8 * WORK and held * _rows(horizon, length) <= ROOM


def _refined(horizons: list[int], length: int, accuracy: float, progress: bool | None) -> list[Value]:
    """The values at horizons of one parity, on finer and finer grids."""
    if length == 1:
        return [Value(T, 1, memoryless(T), 0.0, memoryless(T), 0) for T in horizons]
    last = max(horizons)
    bounds: list[Array] = []
    size = COARSEST
    while _fits(last, length, size):
        bounds.append(on_grid(horizons, length, size, progress))
        if len(bounds) >= GRIDS and _errors(bounds).max() <= accuracy:
            break
        size = 2 * size - 1
    best, points = _extrapolated(bounds), 2 ** (len(bounds) - 1) * (COARSEST - 1) + 1
    return [
        Value(T, length, float(value), float(error), float(upper), points)
        for T, value, error, upper in zip(horizons, best, _errors(bounds), bounds[-1], strict=True)
    ]


def _extrapolated(bounds: list[Array]) -> Array:
    """To a step of 0, with errors that fall with the square of the step."""
    limit: Array = (4 * bounds[-1] - bounds[-2]) / 3
    return limit


def _errors(bounds: list[Array]) -> Array:
    """Estimates of the errors of the extrapolation."""
    best = _extrapolated(bounds)
    errors: Array = np.abs(bounds[-1] - best) + np.abs(best - _extrapolated(bounds[:-1])) / 2
    return errors


def _rows(horizon: int, length: int) -> int:
    """How many leads the table has room for."""
    return horizon // 4 + length // 2 + 3


def on_grid(horizons: Sequence[int], length: int, size: int, progress: bool | None = False) -> Array:
    """Upper bounds of `V(T, H)`: the values if decisions are points of a grid, with straight lines between them.

    Args:
        horizons: T, ascending and of one parity, none below the length.
        length: H, at least 2.
        size: the number of points, odd.
        progress: None shows a progress bar on a terminal only.

    Returns:
        One number per horizon.

    >>> on_grid([16], 2, 5).round(4), on_grid([16], 2, 65).round(4)
    (array([1.7862]), array([1.7155]))
    """
    points, last = grid(size), horizons[-1]
    row = np.empty(size ** (length - 1))
    table = np.empty((_rows(last, length), len(row)))
    table[0] = last % 2 / 2
    made = []
    with showing(progress, last - length + 1, f"minimax regret, window {length}, {size} points") as tick:
        for left in range(last - length + 2):  # rounds left
            parity, most = (last - left) % 2, last - left  # the lead before round t is at most t - 1
            if left:
                rows = max(0, (min(left - 1, most) - parity) // 2 + 1)
                go_back.call(table, points, length, rows, parity, row)
                for lead in range(parity + 2 * rows, min(most, max(left, length - 2) + 1) + 1, 2):
                    table[lead // 2] = decided(lead, left, points, length)
                tick(1)
            if left + length - 1 in horizons:
                made.append(opened(table, points, length))
    return np.array(made)
