"""Run what `paper` declares, and collect frames and curves; nothing is drawn here."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import default_rng

from .. import paper
from ..accounting import switches
from ..auditing import DRAWS, QUICK_DRAWS, Line, audit
from ..costs import Costs, StocHet, Trap
from ..engine import costs_generator, expected, learner_seed, simulate
from ..kernels import Actions, Array
from ..learners import FTARL, LEARNERS, FollowTheLeader, Learner
from ..memory import FullHistory, Memory, Window
from ..problem import Problem
from ..result import Result
from ..theory import corollary_bound, theorem_bound

if TYPE_CHECKING:
    import polars as pl

Say = Callable[[str], None]
READING = 1.0  # pixels: the standard error of reading a curve off a picture
AGREE = 3.0  # standard errors
ENOUGH = 30  # runs needed for a reliable standard deviation
GROWTH_DRAWS = 5  # of random costs, for each number of rounds
DRAWN = "H = sqrt(T), StocHet"


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
    trap: "pl.DataFrame | None" = None
    growth: "pl.DataFrame | None" = None
    thetas: "pl.DataFrame | None" = None
    audit: list[Line] = field(default_factory=list)

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
        labels = {called: label for label, called in _names(result).items()}
        return (result.rounds, *result.moments(labels[name]))

    def curves(self) -> "pl.DataFrame":
        """Every curve in one frame: section, family, learner, round, mean, sd, se, and guarantee where there is one."""
        import polars as pl

        frames = []
        for section, results in (("sampled", self.sampled), ("exact", self.exact), ("past", self.past)):
            for family, result in results.items():
                for label, name in _names(result).items():
                    mean, sd = result.moments(label)
                    held = result.guarantees.get(label)
                    columns = {"section": section, "family": family, "learner": name, "round": result.rounds}
                    columns |= {"mean": mean, "sd": sd, "se": sd / math.sqrt(result.replicates)}
                    columns["guarantee"] = np.full(len(mean), np.nan) if held is None else held.mean(axis=0)
                    frames.append(pl.DataFrame(columns).fill_nan(None))
        return pl.concat(frames)

    @cached_property
    def fits(self) -> "pl.DataFrame":
        """How well each learner fits the published curves, over all rounds that were read off the figure.

        Columns: costs, learner, apart, z, round. `apart` is the root mean square difference of the exact and the
        published mean curve, `z` their largest difference in standard errors, and `round` the round where it occurs.
        """
        import polars as pl

        rows: list[dict[str, Any]] = []
        for family in paper.PANELS:
            for name in paper.LEARNERS:
                own = _apart(self, family, name)
                apart = float(np.sqrt(np.mean((own["exact"].to_numpy() - own["mean_regret"].to_numpy()) ** 2)))
                worst = own.row(int(np.argmax(np.abs(own["z_exact"].to_numpy()))), named=True)
                near, lower = (own["z_exact"].abs() <= AGREE).sum(), (own["z_exact"] < 0).sum()
                verdict = f"fits at {near} of {own.height} rounds, lower than published at {lower}"
                if self.replicates < ENOUGH:
                    verdict = _few(self.replicates)
                rows.append(
                    {"costs": family, "learner": name, "apart": apart, "z": worst["z_exact"], "round": worst["round"]}
                )
                rows[-1]["verdict"] = verdict
        return pl.DataFrame(rows)

    @cached_property
    def table(self) -> "pl.DataFrame":
        """One row for each kind of costs and learner: published, ours, exact, z, the bound, and a sentence."""
        import polars as pl

        return pl.DataFrame(list(_rows(self)), infer_schema_length=None)

    @cached_property
    def ends(self) -> "pl.DataFrame":
        """Final regret of the learners beyond the paper: costs, learner, regret, se, and draws of costs."""
        import polars as pl

        frames = []
        for family, result in self.past.items():
            own = result.summary().select(
                pl.lit(family).alias("costs"),
                pl.Series("learner", list(_names(result).values())),
                pl.col("mean").alias("regret"),
                "se",
                pl.lit(result.replicates).alias("draws"),
            )
            frames.append(own)
        return pl.concat(frames)

    def tables(self) -> "dict[str, pl.DataFrame]":
        """The tables of the requested sections, by the names of their files."""
        import polars as pl

        frames: dict[str, pl.DataFrame] = {}
        if self.sampled:
            frames |= {"table": self.table, "fits": self.fits}
        for name, frame in (("trap", self.trap), ("growth", self.growth), ("theta", self.thetas)):
            if frame is not None:
                frames[name] = frame
        if self.audit:
            frames["audit"] = pl.DataFrame([each._asdict() for each in self.audit], infer_schema_length=None)
        if self.past:
            frames["past"] = self.ends
        return frames


def reproduce(
    sections: tuple[str, ...],
    replicates: int,
    seed: int,
    quick: bool = False,
    say: Say = lambda _: None,
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
    if "figure1" in sections:
        for family, costs in paper.FAMILIES.items():
            say(f"Figure 1: {family}, {replicates} runs")
            learners = list(paper.LEARNERS.values())
            done.sampled[family] = simulate(paper.PROBLEM, learners, costs, replicates, seed, progress=False)
            say(f"Figure 1: {family}, exact means")
            done.exact[family] = expected(
                paper.PROBLEM, learners, costs, replicates=few if _drawn(costs) else 1, seed=seed, progress=False
            )
        say("Figure 1: states")
        done.states = {family: _states(paper.FAMILIES[family], seed) for family in paper.PANELS}
    if "horizon" in sections:
        say("The horizon's length: traps")
        done.trap = _traps(paper.TRAP_LENGTHS[:: 2 if quick else 1])
        say("The horizon's length: growth")
        done.growth = _growth(paper.GROWTH_HORIZONS[: 4 if quick else None], seed)
        say("The horizon's length: a bound on it")
        done.thetas = _thetas(seed, 2 if quick else 10)
    if "audit" in sections:
        say("The audit: every statement of the theory, on real runs")
        done.audit = audit(seed=seed, draws=QUICK_DRAWS if quick else DRAWS)
    if "past" in sections:
        for family in paper.PANELS:
            say(f"Beyond the paper: {family}")
            costs = paper.FAMILIES[family]
            done.past[family] = expected(
                paper.PROBLEM,
                list(paper.PAST.values()),
                costs,
                replicates=min(few, 3 if quick else 25) if _drawn(costs) else 1,
                seed=seed,
                guarantee=True,
                progress=False,
            )
    return done


def _drawn(costs: Costs) -> bool:
    """Whether two draws of a family differ."""
    one, other = (costs.draw(2, 2, default_rng(seed)) for seed in (0, 1))
    return not np.array_equal(one, other)


def _names(result: Result) -> dict[str, str]:
    """The learners' names in `paper`, by their labels in a result."""
    called = {**paper.LEARNERS, **paper.PAST}
    by_learner = {learner: name for name, learner in called.items()}
    return {label: by_learner[learner] for label, learner in zip(result.regrets, result.learners, strict=True)}


def _states(costs: Costs, seed: int) -> dict[str, tuple[Array, float]]:
    """The states of the first run of some learners, and how much their decisions moved."""
    problem = paper.PROBLEM
    table = costs.draw(problem.n, problem.horizon or 0, costs_generator(seed, 0))
    shown: Mapping[str, Learner] = {**paper.LEARNERS, "Tracking": paper.PAST["Tracking"]}
    states = {}
    for name in (paper.FTARL_LABEL, "LSA, Anava", "Tracking"):
        decisions = shown[name].start(problem, learner_seed(seed, 0)).play(table)
        states[name] = problem.memory.start(problem.n).extend(decisions), switches(decisions)
    return states


def _trapped(learners: Sequence[Learner], problem: Problem, final: int) -> "dict[str, float]":
    """The regret of each learner's mean decision in a trap, in the mean over its coin."""
    traps = [Trap(final, coin=coin) for coin in range(problem.n)]
    results = [expected(problem, learners, trap, workers=1, record="end", progress=False) for trap in traps]
    return {label: float(np.mean([each.regrets[label] for each in results])) for label in results[0].regrets}


def _traps(lengths: tuple[int, ...]) -> "pl.DataFrame":
    """Regret in the paper's trap, of H/4 rounds, in the mean over its coin: H, learner, regret; and the two floors."""
    import polars as pl

    rows: list[dict[str, Any]] = []
    for H in lengths:
        problem = Problem(2, paper.TRAP_HORIZON, Window(H))
        rows += [{"H": H, "learner": "floor: the paper's H/32", "regret": H / 32}]
        rows += [{"H": H, "learner": "floor: 7H/64 + 1/16", "regret": 7 * H / 64 + 1 / 16}]
        lost = _trapped([kind() for kind in LEARNERS], problem, H // 4)
        rows += [{"H": H, "learner": label, "regret": regret} for label, regret in lost.items()]
    return pl.DataFrame(rows)


def _growth(horizons: tuple[int, ...], seed: int) -> "pl.DataFrame":
    """How regret grows with T: under full history in a trap of T/4 rounds, and with H of the order of sqrt(T)."""
    import polars as pl

    rows: list[dict[str, Any]] = []
    drawn = []  # at each T, the regrets of the draws of StocHet
    for T in horizons:
        H = math.isqrt(T)
        settings: tuple[tuple[str, Memory, int], ...] = (
            ("full history, trap of T/4", FullHistory(), T // 4),
            ("H = sqrt(T), trap of H/4", Window(H), H // 4),
        )
        for setting, memory, final in settings:
            problem = Problem(2, T, memory)
            for name, regret in _trapped([FTARL(), FollowTheLeader()], problem, final).items():
                rows.append({"setting": setting, "learner": name, "T": T, "regret": regret})
        problem = Problem(10, T, Window(H))
        means = expected(
            problem, [FTARL()], StocHet(), replicates=GROWTH_DRAWS, seed=seed, record="end", progress=False
        )
        drawn.append(means.regrets[paper.FTARL_LABEL][:, -1])
        lost = float(drawn[-1].mean())
        rows.append({"setting": DRAWN, "learner": paper.FTARL_LABEL, "T": T, "regret": lost})
        promised = theorem_bound(problem)
        rows.append({"setting": "H = sqrt(T), the theorem", "learner": "bound", "T": T, "regret": promised})
    frame = pl.DataFrame(rows)
    apart = [_exponent(np.array(horizons), each) for each in np.transpose(drawn)]
    slopes = [
        {
            "setting": setting,
            "learner": learner,
            "exponent": _exponent(part["T"].to_numpy(), part["regret"].to_numpy()),
            "exponent_se": np.std(apart, ddof=1) / math.sqrt(GROWTH_DRAWS) if setting == DRAWN else None,
        }
        for (setting, learner), part in frame.group_by("setting", "learner", maintain_order=True)
    ]
    fitted = pl.DataFrame(slopes, infer_schema_length=None)
    return frame.join(fitted, on=["setting", "learner"], how="left", maintain_order="left")


def _exponent(sizes: Array, values: Array) -> float:
    """The slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def _thetas(seed: int, replicates: int) -> "pl.DataFrame":
    """FTARL that knows only a bound Theta on the window's length: its regret, and the corollary's bound.

    The regret is exact over its own noise; the standard error is that of the draws of costs.
    """
    import polars as pl

    learners = [FTARL(memory_bound=theta) for theta in paper.THETAS]
    rows: list[dict[str, Any]] = []
    for family in paper.PANELS:
        costs = paper.FAMILIES[family]
        count = replicates if _drawn(costs) else 1
        result = expected(paper.PROBLEM, learners, costs, replicates=count, seed=seed, record="end", progress=False)
        ends = result.summary().select("mean", "se").rows()
        for theta, (mean, se) in zip(paper.THETAS, ends, strict=True):
            promised = corollary_bound(paper.PROBLEM, theta)
            row = {"costs": family, "Theta": theta, "regret": mean, "se": se, "draws": count}
            rows.append(row | {"corollary's bound": promised, "share": promised / (paper.PROBLEM.horizon or 1)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _apart(done: Reproduction, family: str, name: str) -> "pl.DataFrame":
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


def _rows(done: Reproduction) -> Iterator[dict[str, Any]]:
    for family, result in done.sampled.items():
        ours, exact = result.summary().to_dicts(), done.exact[family].summary().to_dicts()
        for own, mean, (name, learner) in zip(ours, exact, paper.LEARNERS.items(), strict=True):
            there = _apart(done, family, name).tail(1).to_dicts()
            published, z = (there[0]["mean_regret"], there[0]["z"]) if there else (None, None)
            yield {
                "costs": family,
                "learner": name,
                "published": published,
                "ours": own["mean"],
                "se": own["se"],
                "exact": mean["mean"],
                "exact_se": mean["se"],
                "z": z,
                "bound": learner.bound(paper.PROBLEM),
                "verdict": _verdict(z, own["mean"], published, done.replicates),
            }


def _few(runs: int) -> str:
    return f"{runs} runs are too few to judge by"


def _verdict(z: float | None, ours: float, there: float | None, runs: int) -> str:
    if z is None or there is None:
        return "not in the paper's figure"
    if runs < ENOUGH:
        return _few(runs)
    if abs(z) <= AGREE:
        return f"agrees: {abs(z):.1f} standard errors apart"
    return (
        f"does not agree: ours is {'more' if ours > there else 'less'} by {abs(ours - there):,.0f}, {abs(z):.1f} errors"
    )
