"""Theorem 2 of the paper on a run of FTARL: its terms (A), (B) and (C), the slack they leave, and their bounds.

The paper's regularisers are `R^0(x) = -<Z, x>` and, with `d = RH/T`,

    R^t(x) = d (|x - y^t|^2 / 2 - beta^(t+1) <v_*^(t+1), x>) - <G^t, x>,        v_*^(t+1) = e_(i_t).

Completing the square, that is `(d/2) |x - w^(t+1)|^2 - <G^t, x>` and a constant, where `w^t = y^(t-1) + beta^t v_*^t`
is the state that the algorithm should have. Only differences of a regulariser are needed, in which the constant
cancels. Everything here is a pure function of a run; a constant added to a round's costs changes nothing.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..kernels import Actions, Array


@dataclass(frozen=True, eq=False)
class Run:
    """Runs of FTARL on the same costs, one per draw of the noise, played for one round more than the horizon T.

    Args:
        costs: (T, n).
        noise: (draws, n), the Z.
        actions: (draws, T + 1), of `v^1` to `v^(T+1)`.
        states: (draws, T + 1, n), `x^1` to `x^(T+1)`.
        length: H, of the window.
        cost_range: R.

    >>> costs, noise = np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([[0.5, 1.0]])
    >>> run = Run(costs, noise, np.array([[1, 0, 1]]), np.array([[[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]]), 2, 3.0)
    >>> run.leaders
    array([[1, 0, 1]])
    >>> terms, slack = decompose(run)
    >>> terms.total - slack  # the regret: 1 and 1.5 are paid, and the second action costs 1
    array([1.5])
    """

    costs: Array
    noise: Array
    actions: Actions
    states: Array
    length: int
    cost_range: float

    @cached_property
    def totals(self) -> Array:
        """(T + 1, n): `G^0` to `G^T`."""
        return np.vstack([np.zeros(self.costs.shape[1]), np.cumsum(self.costs, axis=0)])

    @cached_property
    def scores(self) -> Array:
        """(draws, T + 1, n): `G^t - Z`."""
        return self.totals - self.noise[:, np.newaxis]

    @cached_property
    def leaders(self) -> Actions:
        """(draws, T + 1): `i_t = argmin_i G^t_i - Z_i` for t from 0 to T, by their definition."""
        lead: Actions = self.scores.argmin(axis=2)
        return lead

    @cached_property
    def stars(self) -> Array:
        """(draws, T + 1, n): `v_*^(t+1) = e_(i_t)`."""
        return np.eye(self.costs.shape[1])[self.leaders]

    @property
    def targets(self) -> Array:
        """(draws, T + 1, n): `w^t = y^(t-1) + beta^t v_*^t`, from the decisions before t and the leader."""
        draws, rounds, n = self.states.shape
        decided = np.zeros((draws, rounds + 1, n))
        np.cumsum(np.eye(n)[self.actions], axis=1, out=decided[:, 1:])
        held = decided[:, :-1] + self.stars
        held[:, self.length :] -= decided[:, 1 : -self.length]
        held /= np.minimum(np.arange(1, rounds + 1), self.length)[:, np.newaxis]
        return held

    @property
    def best(self) -> Array:
        """`x*`: the best fixed action."""
        best: Array = np.eye(self.costs.shape[1])[self.totals[-1].argmin()]
        return best

    @property
    def curvature(self) -> float:
        """`d = RH/T`, the paper's delta."""
        return self.cost_range * self.length / len(self.costs)


class Terms(NamedTuple):
    """One number per draw: the three terms of Theorem 2, or their bounds."""

    A: Array
    B: Array
    C: Array

    @property
    def total(self) -> Array:
        """`A + B + C`."""
        return self.A + self.B + self.C


def decompose(run: Run) -> tuple[Terms, Array]:
    """The terms of Theorem 2, and the slack that they leave over the regret.

    With `dx^t = x^(t+1) - x^t` and the regularisers above,

        A = -sum_(t=1..T) <g^t, dx^t>
        B = sum_(t=0..T-1) R^t(x^(t+2)) - R^t(x^(t+1))
        C = R^T(x*) - R^T(x^(T+1)).

    On every path of FTARL `A + B + C - regret` equals the slack,
    `(d/2) |x* - x^(T+1)|^2 + (d/2) sum_(t=1..T-1) |dx^(t+1)|^2 + <Z, x^1 - x^2>`, which is not negative.
    """
    x, w, totals, d, best = run.states, run.targets, run.totals, run.curvature, run.best
    step, left = np.diff(x, axis=1), best - x[:, -1]
    first = _along_noise(run, x[:, 0] - x[:, 1])
    bent = _squares(x[:, 2:] - w[:, 1:-1]) - _squares(x[:, 1:-1] - w[:, 1:-1])
    terms = Terms(
        -np.einsum("ti,rti->r", run.costs, step),
        first + d / 2 * bent - np.einsum("ti,rti->r", totals[1:-1], step[:, 1:]),
        d / 2 * (_squares(best - w[:, -1:]) - _squares(x[:, -1:] - w[:, -1:])) - left @ totals[-1],
    )
    return terms, d / 2 * (_squares(left[:, np.newaxis]) + _squares(step[:, 1:])) + first


def path_bounds(run: Run) -> Terms:
    """Bounds on the terms on every path, by the number N of rounds t > H with `i_t != i_(t-H)`.

    `A <= 2RH + (2R/H) N`, `B <= d(T-1) + R(H-1) + R((H-1)/H) N + <Z, x^(H+1) - x^(T+1) + x^1 - x^2>` and
    `C <= d + RH + <Z, x^(T+1) - x*>`.
    """
    T, H, R, d = len(run.costs), run.length, run.cost_range, run.curvature
    changes = np.count_nonzero(run.leaders[:, H + 1 :] != run.leaders[:, 1:-H], axis=1)
    moved, final = _moves(run)
    return Terms(
        2 * R * H + 2 * R / H * changes,
        d * (T - 1) + R * (H - 1) + R * (H - 1) / H * changes + moved,
        d + R * H + final,
    )


def mean_bounds(run: Run, rate: float) -> Terms:
    """Bounds on the terms in expectation over the noise, as in the paper's appendix; take their means over the draws.

    `A <= 2RH + 2 eps R^2 (T-H)`, `B <= d(T-1) + RH + eps R^2 H(T-H) + <Z, x^(H+1) - x^(T+1) + x^1 - x^2>` and
    `C <= d + RH + <Z, x^(T+1) - x*>`.

    Args:
        run: the runs.
        rate: `eps`.

    Returns:
        The bounds.
    """
    T, H, R, d = len(run.costs), run.length, run.cost_range, run.curvature
    moved, final = _moves(run)
    return Terms(
        np.full(len(run.noise), 2 * R * H + 2 * rate * R**2 * (T - H)),
        d * (T - 1) + R * H + rate * R**2 * H * (T - H) + moved,
        d + R * H + final,
    )


def _moves(run: Run) -> tuple[Array, Array]:
    """`<Z, x^(H+1) - x^(T+1) + x^1 - x^2>` and `<Z, x^(T+1) - x*>`."""
    x = run.states
    moved = x[:, run.length] - x[:, -1] + x[:, 0] - x[:, 1]
    return _along_noise(run, moved), _along_noise(run, x[:, -1] - run.best)


def _along_noise(run: Run, direction: Array) -> Array:
    product: Array = np.einsum("ri,ri->r", run.noise, direction)
    return product


def _squares(rows: Array) -> Array:
    """`sum_t |row_t|^2` of each draw."""
    total: Array = np.einsum("rti,rti->r", rows, rows)
    return total
