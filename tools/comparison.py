"""What the learners' page compares, how it is measured, and how its numbers and tables are written."""

from math import sqrt
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
import polars as pl

import bygones as by
from bygones.engine import costs_generator
from bygones.kernels import Array
from bygones.reproduction.changing import CHANGING, saved

RIVALS = Path(__file__).resolve().parent.parent / "benchmarks" / "rivals.csv"  # made by `make rivals`
PROBLEM = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
REPLICATES = 25  # where the costs are random
PAPERS: dict[str, by.Learner] = {
    "FTARL (paper)": by.FTARL(),
    "FTARL (sharp)": by.FTARL(tuning="sharp"),
    "LSA (anava)": by.LSA(),
    "LSA (geulen)": by.LSA(tuning="geulen"),
}
LEARNERS: dict[str, by.Learner] = PAPERS | {
    "Hedge (horizon)": by.Hedge(),
    "Hedge (anytime)": by.Hedge(tuning="anytime"),
    "HedgeAhead": by.HedgeAhead(),
    "AdaHedge": by.AdaHedge(),
    "Steering (adaptive)": by.Steering(),
    "Steering (anytime)": by.Steering(by.Hedge(tuning="anytime")),
    "Steering (horizon)": by.Steering(by.Hedge()),
    "Steering (FixedShare)": by.Steering(by.FixedShare()),
    "FixedShare (3 changes)": by.FixedShare(),
    "Discounted (half-life 50)": by.Discounted(),
    "FollowTheLeader": by.FollowTheLeader(),
    "Guarded (Steering)": by.Guarded(by.Steering()),
    "Guarded (FollowTheLeader)": by.Guarded(by.FollowTheLeader()),
    "Guarded (against paths)": by.Guarded(by.Steering(by.FixedShare()), shadow=by.FixedShare()),
    "Uniform": by.Uniform(),
}
MID_TURN = by.Cyclic(hold=100, vectors=2).draw(10, 10_050, np.random.default_rng(0))[50:]
STEADY: dict[str, Any] = {
    "StocHet": by.StocHet(),
    "hold 50": by.Cyclic(hold=50, vectors=2),
    "hold 100": by.Cyclic(hold=100, vectors=2),
    "mid-turn": MID_TURN,
    "hold 150": by.Cyclic(hold=150, vectors=2),
    "all ten": by.Cyclic(hold=50),
    "Blocks": by.Blocks(length=100),
    "StocId": by.StocId(),
}
COSTS: dict[str, Any] = STEADY | CHANGING
RANDOM = ("StocHet", "Blocks", "StocId", "one break", "random walk")

Measured = dict[str, dict[str, Array]]  # for each column and each learner, the regret of every draw
Means = dict[str, dict[str, float]]


def draws(column: str) -> int:
    """How many draws of the costs are averaged."""
    return REPLICATES if column in RANDOM else 1


def drawn(column: str, draw: int) -> Array:
    """The costs of a column, as `by.expected` draws them."""
    costs = COSTS[column]
    if isinstance(costs, np.ndarray):
        return costs
    table: Array = costs.draw(PROBLEM.n, PROBLEM.horizon, costs_generator(0, draw))
    return table


def ends(problem: by.Problem, learners: list[by.Learner], costs: Any, replicates: int = 1) -> list[Array]:  # noqa: ANN401
    """Every learner's expected regret at the end, one number per replicate."""
    result = by.expected(problem, learners, costs, replicates=replicates, record="end", progress=False)
    return [values[:, -1] for values in result.regrets.values()]


def measured() -> Measured:
    """The regret of every learner on all costs, and that of the rivals as it was measured on the same ones."""
    found, kept = {}, pl.read_csv(RIVALS, comment_prefix="#")
    for column, costs in COSTS.items():
        regrets = dict(zip(LEARNERS, ends(PROBLEM, list(LEARNERS.values()), costs, draws(column)), strict=True))
        rivals = {own.name: own.to_numpy() for own in kept.filter(costs=column).drop("costs", "draw")}
        same, here = rivals.pop("Uniform"), regrets["Uniform"]
        if same.shape != here.shape or not np.allclose(same, here, atol=1e-5):
            raise ValueError(f"{RIVALS.name} is of other costs than the column {column!r}: run `make rivals` first")
        found[column] = regrets | rivals
    return found


def poold() -> str:
    """The version of poold that the rivals were measured with."""
    return RIVALS.read_text().partition("poold ")[2].partition("\n")[0]


def paths() -> dict[str, Array]:
    """For each column, by how much less the best paths cost than the best fixed action: (draws, paths)."""
    return {column: np.array([saved(drawn(column, draw)) for draw in range(draws(column))]) for column in COSTS}


def trusts() -> dict[str, dict[str, tuple[float, float]]]:
    """For each guard and each column, its mean trust, and the least of all rounds and draws."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for column in COSTS:
        tables = [drawn(column, draw) for draw in range(draws(column))]
        for name, learner in LEARNERS.items():
            if isinstance(learner, by.Guarded):
                players: list[Any] = [learner.start(PROBLEM) for _ in tables]
                for player, costs in zip(players, tables, strict=True):
                    player.play(costs)
                mean = float(np.mean([player.mean_trust for player in players]))
                found.setdefault(name, {})[column] = mean, min(player.least_trust for player in players)
    return found


def difference(first: Array, second: Array) -> tuple[float, float]:
    """The paired difference of two learners' regret, and its standard error."""
    apart = first - second
    return float(apart.mean()), float(apart.std(ddof=1) / sqrt(len(apart))) if len(apart) > 1 else 0.0


def ahead(first: Array, second: Array) -> bool:
    """Whether the first has less regret, by more than two standard errors and more than rounding."""
    apart, error = difference(first, second)
    return apart < -max(2 * error, 1e-6)


def amount(value: float, digits: int | None = None) -> str:
    """Format a regret, without minus zero.

    Args:
        value: the regret.
        digits: after the point; None: one below 10, else none.
    """
    digits = int(abs(value) < 9.95) if digits is None else digits
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def entry(values: Array) -> str:
    """A mean, with its standard error if it has one."""
    mean = float(values.mean())
    if len(values) == 1:
        return amount(mean)
    error = difference(values, 0 * values)[1]
    return f"{amount(mean)} ({amount(error, int(abs(mean) < 9.95 or error < 0.95))})"


def percent(part: float, whole: float) -> str:
    """A share."""
    return f"{100 * part / whole:.0f}%"


def listed(items: list[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def table(header: list[str], rows: list[list[str]], left: int = 1) -> str:
    """A table, its numbers to the right; so many columns are texts, and stand to the left."""
    lines = [header, ["---"] * left + ["---:"] * (len(header) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def paragraph(text: str, bullet: str = "") -> str:
    """Text in lines of the page's width."""
    return fill(bullet + text, 120, subsequent_indent=" " * len(bullet), break_on_hyphens=False) + "\n"
