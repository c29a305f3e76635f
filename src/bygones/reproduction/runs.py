"""Run what `paper` declares, and collect frames and curves; nothing is drawn here."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.random import default_rng
from numpy.typing import ArrayLike

from .. import paper
from ..accounting import switches
from ..auditing import DRAWS, QUICK_DRAWS, Line, audit
from ..costs import Costs, StocHet, Trap
from ..engine import costs_generator, expected, learner_seed, simulate
from ..kernels import Actions, Array
from ..learners import FTARL, FollowTheLeader, Learner, one_of_each
from ..memory import FullHistory, Window
from ..problem import Problem
from ..result import Result
from ..theory import corollary_bound, theorem_bound
from .changing import CHANGES, CHANGING, saved

Say = Callable[[str], None]
READING = 1.0  # pixels: the standard error of reading a curve off a picture
AGREE = 3.0  # standard errors
ENOUGH = 30  # runs needed for a reliable standard deviation
GROWTH_DRAWS = 5  # of random costs, for each number of rounds
DRAWN = "H = sqrt(T), StocHet"
CALLED = {**paper.LEARNERS, **paper.PAST}
NAMES = {learner: name for name, learner in CALLED.items()}


@dataclass
class Reproduction:
    """All results, by section; a section that was not requested is empty."""

    replicates: int
    seed: int
    quick: bool
    sampled: dict[str, Result] = field(default_factory=dict)
    exact: dict[str, Result] = field(default_factory=dict)
    past: dict[str, Result] = field(default_factory=dict)
    states: dict[str, dict[str, tuple[Array, float]]] = field(default_factory=dict)  # and how much the decisions moved
    trap: pl.DataFrame = field(default_factory=pl.DataFrame)
    growth: pl.DataFrame = field(default_factory=pl.DataFrame)
    thetas: pl.DataFrame = field(default_factory=pl.DataFrame)
    audit: list[Line] = field(default_factory=list)
    changing: pl.DataFrame = field(default_factory=pl.DataFrame)
    bounded: pl.DataFrame = field(default_factory=pl.DataFrame)

    def curve(self, section: str, family: str, name: str) -> tuple[Actions, Array, Array]:
        """One curve.

        Args:
            section: `sampled`, `exact` or `past`.
            family: the kind of costs.
            name: the learner's name in `paper`.

        Returns:
            Rounds, means and standard deviations.
        """
        result: Result = getattr(self, section)[family]
        return (result.rounds, *result.moments(_labels(result)[name]))

    def curves(self) -> pl.DataFrame:
        """Every curve in one frame: section, family, learner, round, mean, sd, se, and guarantee where there is one."""
        frames = []
        for section in ("sampled", "exact", "past"):
            for family, result in getattr(self, section).items():
                for name, label in _labels(result).items():
                    mean, sd = result.moments(label)
                    held = result.guarantees.get(label)
                    columns = {"section": section, "family": family, "learner": name, "round": result.rounds}
                    columns |= {"mean": mean, "sd": sd, "se": sd / math.sqrt(result.replicates)}
                    columns["guarantee"] = np.full(len(mean), np.nan) if held is None else held.mean(axis=0)
                    frames.append(pl.DataFrame(columns).fill_nan(None))
        return pl.concat(frames)

    @cached_property
    def fits(self) -> pl.DataFrame:
        """How well each learner fits the published curves, over all rounds that were read off the figure.

        Columns: costs, learner, apart, z, round. `apart` is the root mean square difference of the exact and the
        published mean curve, `z` their largest difference in standard errors, and `round` the round where it occurs.
        """
        rows = []
        for family, name in product(paper.PANELS if self.sampled else (), paper.LEARNERS):
            own = _apart(self, family, name)
            apart, z = (own["exact"] - own["mean_regret"]).to_numpy(), own["z_exact"].to_numpy()
            near, worst = int((np.abs(z) <= AGREE).sum()), int(np.abs(z).argmax())
            row = {"costs": family, "learner": name, "apart": float(np.sqrt(np.mean(apart**2))), "z": float(z[worst])}
            verdict = f"fits at {near} of {len(z)} rounds, lower than published at {(z < 0).sum()}"
            rows.append(row | {"round": own["round"][worst], "verdict": self.few or verdict})
        return pl.DataFrame(rows)

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row for each kind of costs and learner: published, ours, exact, z, the bound, and a sentence."""
        rows = []
        for family, result in self.sampled.items():
            ours, exact = result.summary().to_dicts(), self.exact[family].summary().to_dicts()
            for own, mean, (name, learner) in zip(ours, exact, paper.LEARNERS.items(), strict=True):
                there: dict[str, Any] = next(_apart(self, family, name).tail(1).iter_rows(named=True), {})
                published, z = there.get("mean_regret"), there.get("z")
                row = {"costs": family, "learner": name, "published": published, "ours": own["mean"], "se": own["se"]}
                row |= {"exact": mean["mean"], "exact_se": mean["se"], "z": z, "bound": learner.bound(paper.PROBLEM)}
                rows.append(row | {"verdict": self._verdict(z, own["mean"], published)})
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def few(self) -> str:
        """Why nothing is judged; empty if there are enough runs."""
        return "" if self.replicates >= ENOUGH else f"{self.replicates} runs are too few to judge by"

    def _verdict(self, z: float | None, ours: float, there: float | None) -> str:
        if z is None or there is None:
            return "not in the paper's figure"
        side = "more" if ours > there else "less"
        apart = f"does not agree: ours is {side} by {abs(ours - there):,.0f}, {abs(z):.1f} errors"
        return self.few or (f"agrees: {abs(z):.1f} standard errors apart" if abs(z) <= AGREE else apart)

    def less_than(self, family: str, name: str, other: str) -> tuple[float, float | None]:
        """By how much less one learner beyond the paper loses than another on the same costs; and the standard error.

        Args:
            family: the kind of costs.
            name: the one, as in `paper`.
            other: the other.

        Returns:
            The mean over the draws of the costs, and its standard error: None where there is one draw.
        """
        result = self.past[family]
        one, another = (result.regrets[_labels(result)[each]][:, -1] for each in (name, other))
        less, draws = another - one, result.replicates
        return float(less.mean()), float(less.std(ddof=1) / math.sqrt(draws)) if draws > 1 else None

    @cached_property
    def ends(self) -> pl.DataFrame:
        """Final regret of the learners beyond the paper: costs, learner, regret, se, and draws of costs."""
        rows = [
            {"costs": family, "learner": name, "regret": end["mean"], "se": end["se"], "draws": result.replicates}
            for family, result in self.past.items()
            for name, end in zip(_labels(result), result.summary().to_dicts(), strict=True)
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables of the requested sections, by the names of their files."""
        audited = pl.DataFrame([each._asdict() for each in self.audit], infer_schema_length=None)
        frames = {"table": self.table, "fits": self.fits, "trap": self.trap, "growth": self.growth}
        frames |= {"theta": self.thetas, "audit": audited, "past": self.ends, "changing": self.changing}
        frames["bounds"] = self.bounded
        return {name: frame for name, frame in frames.items() if frame.height}


def reproduce(
    sections: tuple[str, ...], replicates: int, seed: int, quick: bool = False, say: Say = lambda _: None
) -> Reproduction:
    """Run the sections named: `figure1`, `horizon`, `audit`, `past`.

    Args:
        sections: the names of the sections.
        replicates: the number of runs of each experiment.
        seed: the seed of all randomness.
        quick: exact means of fewer draws, and smaller grids.
        say: called with a line of text before each computation.

    Returns:
        The results.
    """
    done = Reproduction(replicates, seed, quick)
    few = min(replicates, 10 if quick else 100)
    exact = partial(expected, paper.PROBLEM, seed=seed, progress=False)
    if "figure1" in sections:
        learners = list(paper.LEARNERS.values())
        for family, costs in paper.FAMILIES.items():
            say(f"Figure 1: {family}, {replicates} runs")
            done.sampled[family] = simulate(paper.PROBLEM, learners, costs, replicates, seed, progress=False)
            say(f"Figure 1: {family}, exact means")
            done.exact[family] = exact(learners, costs, replicates=_draws(costs, few))
        say("Figure 1: states")
        done.states = {family: _states(paper.FAMILIES[family], seed) for family in paper.PANELS}
    if "horizon" in sections:
        say("The length of the window: traps")
        done.trap = _traps(paper.TRAP_LENGTHS[:: 2 if quick else 1])
        say("The length of the window: growth")
        done.growth = _growth(paper.GROWTH_HORIZONS[: 4 if quick else None], seed)
        say("The length of the window: a bound on it")
        done.thetas = _thetas(seed, 2 if quick else 10)
    if "audit" in sections:
        say("The audit: every statement of the theory, on real runs")
        done.audit = audit(seed=seed, draws=QUICK_DRAWS if quick else DRAWS)
    if "past" in sections:
        for family in paper.PANELS:
            say(f"Beyond the paper: {family}")
            costs, most = paper.FAMILIES[family], min(few, 3 if quick else 25)
            learners = list(paper.PAST.values())
            done.past[family] = exact(learners, costs, replicates=_draws(costs, most), guarantee=True)
        say("Beyond the paper: costs whose best action changes")
        done.changing = _changing(seed, min(few, 3 if quick else 25))
        say("Beyond the paper: bounds of learners that play ahead")
        done.bounded = _bounded(
            paper.BOUNDED_HORIZONS[: 2 if quick else None], paper.BOUNDED_LENGTHS[:: 3 if quick else 1]
        )
    return done


def bound_curve(family: str, t: Array | Actions) -> Array:
    """The curve that the paper draws beside FTARL.

    Args:
        family: the kind of costs.
        t: rounds, from 1, in an array of any shape.

    Returns:
        Its value at each round, of the shape of `t`.
    """
    curve: Array = np.sqrt(t * paper.DRAWN_LENGTH[family] * math.log(paper.PROBLEM.n))
    return curve


def _draws(costs: Costs, most: int) -> int:
    """How many draws of a family are worth averaging: one, if two of them do not differ."""
    one, other = (costs.draw(2, 2, default_rng(seed)) for seed in (0, 1))
    return 1 if np.array_equal(one, other) else most


def _labels(result: Result) -> dict[str, str]:
    """The learners' labels in a result, by their names in `paper`."""
    return {NAMES[learner]: label for learner, label in zip(result.learners, result.regrets, strict=True)}


def _states(costs: Costs, seed: int) -> dict[str, tuple[Array, float]]:
    """The states of the first run of some learners, and how much their decisions moved."""
    problem = paper.PROBLEM
    table = costs.draw(problem.n, problem.horizon or 0, costs_generator(seed, 0))
    states = {}
    for name in (paper.FTARL_LABEL, "LSA, Anava", "Steering"):
        decisions = CALLED[name].start(problem, learner_seed(seed, 0)).play(table)
        states[name] = problem.memory.start(problem.n).extend(decisions), switches(decisions)
    return states


def _trapped(learners: Sequence[Learner], problem: Problem, final: int) -> dict[str, float]:
    """The regret of each learner's mean decision in a trap, in the mean over its coin."""
    traps = [Trap(final, coin=coin) for coin in range(problem.n)]
    results = [expected(problem, learners, trap, workers=1, record="end", progress=False) for trap in traps]
    return {label: float(np.mean([each.regrets[label] for each in results])) for label in results[0].regrets}


def _traps(lengths: tuple[int, ...]) -> pl.DataFrame:
    """Regret in the paper's trap, of H/4 rounds, in the mean over its coin: H, learner, regret; and the two floors."""
    rows: list[dict[str, Any]] = []
    for H in lengths:
        floors = {"floor: the paper's H/32": H / 32, "floor: 7H/64 + 1/16": 7 * H / 64 + 1 / 16}
        lost = _trapped(one_of_each(), Problem(2, paper.TRAP_HORIZON, Window(H)), H // 4)
        rows += [{"H": H, "learner": name, "regret": regret} for name, regret in (floors | lost).items()]
    return pl.DataFrame(rows)


def _growth(horizons: tuple[int, ...], seed: int) -> pl.DataFrame:
    """How regret grows with T: under full history in a trap of T/4 rounds, and with H of the order of sqrt(T)."""
    rows: list[dict[str, Any]] = []
    drawn = []  # at each T, the regrets of the draws of StocHet
    for T in horizons:
        H, fools = math.isqrt(T), [FTARL(), FollowTheLeader()]
        problem = Problem(10, T, Window(H))
        means = expected(
            problem, [FTARL()], StocHet(), replicates=GROWTH_DRAWS, seed=seed, record="end", progress=False
        )
        drawn.append(means.regrets[paper.FTARL_LABEL][:, -1])
        lost = {
            "full history, trap of T/4": _trapped(fools, Problem(2, T, FullHistory()), T // 4),
            "H = sqrt(T), trap of H/4": _trapped(fools, Problem(2, T, Window(H)), H // 4),
            DRAWN: {paper.FTARL_LABEL: float(drawn[-1].mean())},
            "H = sqrt(T), the theorem": {"bound": theorem_bound(problem)},
        }
        for setting, found in lost.items():
            rows += [{"setting": setting, "learner": name, "T": T, "regret": end} for name, end in found.items()]
    frame = pl.DataFrame(rows)
    error = np.std([_exponent(horizons, each) for each in np.transpose(drawn)], ddof=1) / math.sqrt(GROWTH_DRAWS)
    slopes = [
        (*names, _exponent(part["T"], part["regret"]), error if DRAWN in names else None)
        for names, part in frame.group_by("setting", "learner", maintain_order=True)
    ]
    by = ["setting", "learner"]
    fitted = pl.DataFrame(slopes, [*by, "exponent", "exponent_se"], orient="row", infer_schema_length=None)
    return frame.join(fitted, on=by, how="left", maintain_order="left")


def _exponent(sizes: ArrayLike, values: ArrayLike) -> float:
    """The slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def _thetas(seed: int, replicates: int) -> pl.DataFrame:
    """FTARL that knows only a bound Theta on the window's length: its regret, and the corollary's bound.

    The regret is exact over its own noise; the standard error is that of the draws of costs.
    """
    learners = [FTARL(memory_bound=theta) for theta in paper.THETAS]
    rows = []
    for family in paper.PANELS:
        costs = paper.FAMILIES[family]
        count = _draws(costs, replicates)
        result = expected(paper.PROBLEM, learners, costs, replicates=count, seed=seed, record="end", progress=False)
        for theta, end in zip(paper.THETAS, result.summary().to_dicts(), strict=True):
            promised = corollary_bound(paper.PROBLEM, theta)
            row = {"costs": family, "Theta": theta, "regret": end["mean"], "se": end["se"], "draws": count}
            rows.append(row | {"corollary's bound": promised, "share": promised / (paper.PROBLEM.horizon or 1)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _changing(seed: int, replicates: int) -> pl.DataFrame:
    """Regret of the learners beyond the paper where the best action changes: to the best action, and to best paths."""
    problem, rows = paper.PROBLEM, []
    for family, costs in CHANGING.items():
        count = _draws(costs, replicates)
        learners = list(paper.PAST.values())
        result = expected(problem, learners, costs, replicates=count, seed=seed, record="end", progress=False)
        tables = (costs.draw(problem.n, problem.horizon or 0, costs_generator(seed, r)) for r in range(count))
        less = np.mean([saved(table) for table in tables], axis=0)
        for name, end in zip(_labels(result), result.summary().to_dicts(), strict=True):
            row = {"costs": family, "learner": name, "regret": end["mean"], "se": end["se"], "draws": count}
            rows.append(row | {f"{K} change{'s'[: K > 1]}": end["mean"] + less[k] for k, K in enumerate(CHANGES)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _bounded(horizons: Sequence[int], lengths: Sequence[int]) -> pl.DataFrame:
    """What is promised to ten actions on windows of at most a tenth of the rounds: T, H, and the learners' bounds."""
    rows = []
    for T, H in product(horizons, lengths):
        if T >= 10 * H:
            problem = paper.PROBLEM.replace(horizon=T, memory=Window(H))
            rows.append({"T": T, "H": H} | {name: learner.bound(problem) for name, learner in paper.BOUNDED.items()})
    return pl.DataFrame(rows)


def _apart(done: Reproduction, family: str, name: str) -> pl.DataFrame:
    """Differences from the published curve of a learner: round, mean_regret, exact; z and z_exact, in standard errors.

    `z` is our mean minus the published one, `z_exact` the exact mean minus the published one. The standard errors
    combine those of our runs (or of the draws of costs under the exact mean), of the paper's runs, and of reading the
    figure.
    """
    read = paper.published().filter(family=family, learner=type(paper.LEARNERS[name]).__name__)
    picks, there = read["round"].to_numpy() - 1, read["mean_regret"].to_numpy()
    _, mean, sd = (values[picks] for values in done.curve("sampled", family, name))
    _, exact, left = (values[picks] for values in done.curve("exact", family, name))
    theirs = sd**2 / paper.REPLICATES + (READING * read["pixel"].to_numpy()) ** 2
    draws = done.exact[family].replicates
    z = (mean - there) / np.sqrt(sd**2 / done.replicates + theirs)
    z_exact = (exact - there) / np.sqrt((left**2 / draws if draws > 1 else 0.0) + theirs)
    return read.select("round", "mean_regret", exact=exact, z=z, z_exact=z_exact)
