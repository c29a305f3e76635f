"""Measure the learners side by side and write `docs/learners.md`: `make tables`.

Numbers, and who is ahead of whom, are filled in from what was measured. They have few digits, so that they are the same
on every machine; a test compares the page with what is measured.
"""

from math import sqrt
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

import bygones as by
from bygones.kernels import Array

PAGE = Path(__file__).resolve().parent.parent / "docs" / "learners.md"
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
    "AdaHedge": by.AdaHedge(),
    "Steering (adaptive)": by.Steering(),
    "Steering (anytime)": by.Steering(by.Hedge(tuning="anytime")),
    "Steering (horizon)": by.Steering(by.Hedge()),
    "FixedShare (3 changes)": by.FixedShare(),
    "Discounted (half-life 50)": by.Discounted(),
    "FollowTheLeader": by.FollowTheLeader(),
    "Uniform": by.Uniform(),
}
MID_TURN = by.Cyclic(hold=100, vectors=2).draw(10, 10_050, np.random.default_rng(0))[50:]
COSTS: dict[str, Any] = {
    "StocHet": by.StocHet(),
    "hold 50": by.Cyclic(hold=50, vectors=2),
    "hold 100": by.Cyclic(hold=100, vectors=2),
    "mid-turn": MID_TURN,
    "hold 150": by.Cyclic(hold=150, vectors=2),
    "all ten": by.Cyclic(hold=50),
    "Blocks": by.Blocks(length=100),
    "StocId": by.StocId(),
}
RANDOM = ("StocHet", "Blocks", "StocId")
LARGEST = 1.5388  # the mean of the largest of ten standard normals
WAVES = [(400_000, 100, L) for L in (100, 200, 400, 800)]  # rounds, window, turn
WAVES += [(100_000, 100, 200), (400_000, 25, 50)]  # a quarter of the rounds, a quarter of the window
WAVES += [(400_000, 10, 10)]  # a short one
WINDOWS = (8, 32, 128, 512)

OPENING = """\
# Which learner

**In short.** May decisions be split, and do you want a promise? Take `Hedge()`: on a window, on weights of your own and
on the full history its promise is the least one; under a geometric memory that of `Steering(Hedge())` is. Both
need the horizon and the range of the costs. Without the horizon take `Hedge(tuning="anytime")`, whose promise holds at
every horizon. Without the range, or if low regret matters more to you than a promise, take `Steering()`: it needs
neither, and aims the state that you pay for, not the decision. If a decision must be a single action, `FTARL()` and
`LSA()` draw one and rarely change it, and on a window `FTARL(tuning="sharp")` promises less regret than `FTARL()`; or
wrap any other, as in `Pure(Steering())`, which draws by its weights: in expectation nothing changes, but the action
does often. If the best action changes now and then, take `FixedShare(changes=3)`, which promises against every path of
actions with so many changes. The full history is the hardest memory: no learner can promise less there than about
`(1 - 1/n)/e` of the range times the rounds. `bygones bound` says what is promised on your problem.
"""

HEAD = f"""\
*This page is made by `make tables`, text and all.*

## Ten actions, 10,000 rounds, a window of 100

Expected regret, exact over the learners' own randomness. Where the costs are random it is the mean of {REPLICATES}
draws, with its standard error in brackets. **Bold** is the least of a column, and all that two standard errors of the
paired difference do not tell from it. The last column is what the learner promises, whatever the costs.

The costs are `StocHet()`; `Cyclic(hold=..., vectors=2)`, two actions that take turns of 50, 100 and 150 rounds, and
those of 100 also from the middle of a turn on; `Cyclic(hold=50)`, where all ten take turns; `Blocks(100)`; and
`StocId()`. FTPL has FTARL's law in every round, and hence FTARL's regret; Fixed, at its best, is what regret is
measured against.
"""


def ends(problem: by.Problem, learners: list[by.Learner], costs: Any, replicates: int = 1) -> list[Array]:  # noqa: ANN401
    """Every learner's expected regret at the end, one number per replicate."""
    result = by.expected(problem, learners, costs, replicates=replicates, record="end", progress=False)
    return [values[:, -1] for values in result.regrets.values()]


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
    return f"{amount(mean)} ({amount(difference(values, 0 * values)[1], int(abs(mean) < 9.95))})"


def percent(part: float, whole: float) -> str:
    """A share."""
    return f"{100 * part / whole:.0f}%"


def listed(items: list[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def table(header: list[str], rows: list[list[str]]) -> str:
    """A table, its numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def paragraph(text: str, bullet: str = "") -> str:
    """Text in lines of the page's width."""
    return fill(bullet + text, 120, subsequent_indent=" " * len(bullet), break_on_hyphens=False) + "\n"


def compared() -> str:
    """The first section: all learners on all costs, and what there is to see."""
    measured = {
        column: dict(
            zip(
                LEARNERS,
                ends(PROBLEM, list(LEARNERS.values()), costs, REPLICATES if column in RANDOM else 1),
                strict=True,
            )
        )
        for column, costs in COSTS.items()
    }
    promises = {name: learner.bound(PROBLEM) for name, learner in LEARNERS.items()}
    rows = []
    for name, promise in promises.items():
        row = [name]
        for regrets in measured.values():
            least = min(regrets.values(), key=np.mean)
            text = entry(regrets[name])
            row.append(text if ahead(least, regrets[name]) else f"**{text}**")
        rows.append([*row, "nothing" if promise is None else amount(promise)])
    means = {column: {name: float(r.mean()) for name, r in regrets.items()} for column, regrets in measured.items()}
    remarks = [paper_against_the_rest(measured), aiming(means), luck(means), still(means["all ten"])]
    remarks += [alike(measured["StocId"]), promised(promises, means)]
    return "\n".join([table(["", *COSTS, "promise"], rows), *remarks])


def paper_against_the_rest(measured: dict[str, dict[str, Array]]) -> str:
    """Where FTARL or LSA is ahead of a learner beyond the paper."""
    bullets, nowhere = [], []
    for column, regrets in measured.items():
        won: dict[str, list[str]] = {}  # whom they beat: who does
        for name in PAPERS:
            beaten = [other for other in LEARNERS if other not in PAPERS and ahead(regrets[name], regrets[other])]
            won.setdefault(listed([other for other in beaten if other != "Uniform"]), []).append(name)
        won.pop("", None)
        said = [f"{listed(names)} of {beaten}" for beaten, names in won.items()]
        if said:
            bullets.append(paragraph(f"{column}: {'; '.join(said)}.", "- "))
        else:
            nowhere.append(column)
    lead = "**FTARL and LSA are ahead** (by more than two standard errors of the paired difference, Uniform left out)"
    return paragraph(f"{lead} of none in the columns {listed(nowhere)}. Elsewhere they are:") + "\n" + "".join(bullets)


def aiming(means: dict[str, dict[str, float]]) -> str:
    """What Steering leaves of the regret of others."""
    columns = [column for column in means if column not in ("StocId", "all ten")]
    shares = listed([percent(means[c]["Steering (adaptive)"], means[c]["FTARL (paper)"]) + f" on {c}" for c in columns])
    same = listed([percent(means[c]["Steering (horizon)"], means[c]["Hedge (horizon)"]) + f" on {c}" for c in columns])
    ada, steering, anytime = (
        means["all ten"][name] for name in ("AdaHedge", "Steering (adaptive)", "Steering (anytime)")
    )
    better = [c for c in columns if means[c]["Steering (anytime)"] < means[c]["Steering (adaptive)"]]
    return paragraph(
        f"**Aiming the state** rather than the decision: Steering (adaptive) has {shares} of the regret of "
        f"FTARL (paper). At one and the same rate, Steering (horizon) has {same} of that of Hedge (horizon). The "
        f"adaptive rate is not the best everywhere: on {listed(better)} Steering (anytime) has less, and so it has on "
        f"all ten, {amount(anytime)} against {amount(steering)}, where AdaHedge has {amount(ada)}."
    )


def luck(means: dict[str, dict[str, float]]) -> str:
    """That FollowTheLeader's zeros mean nothing."""
    zeros = [column for column, regrets in means.items() if abs(regrets["FollowTheLeader"]) < 1e-6]
    late = means["mid-turn"]
    return paragraph(
        f"**FollowTheLeader's {amount(0)}** on {listed(zeros)} is an accident of where the costs begin: the first "
        "action leads or ties ever after, and ties go to the lowest number. Begun in the middle of a turn, those of "
        f"hold 100 cost it {amount(late['FollowTheLeader'])}, FTARL (paper) {amount(late['FTARL (paper)'])}, and "
        f"Steering (adaptive) {amount(late['Steering (adaptive)'])}. It promises nothing, and is no learner for costs "
        "that take turns."
    )


def still(means: dict[str, float]) -> str:
    """That on all ten there is little to learn."""
    below = listed([name for name in LEARNERS if means[name] < means["Uniform"] - 1e-6])
    less = f"only {below} less" if below else "none less"
    return paragraph(
        f"**Where all ten take turns** there is nothing to learn but the turns: Uniform has "
        f"{amount(means['Uniform'])}, and {less}. A slow rate is the good one there, which is why "
        "LSA does well. Regret can be negative, for the state may move and the action that it is compared with may not."
    )


def alike(regrets: dict[str, Array]) -> str:
    """That on StocId all are equal in expectation."""
    first = regrets["FTARL (paper)"]
    pairs = {name: difference(values, first) for name, values in regrets.items() if name != "FTARL (paper)"}
    farthest = max(abs(apart) / error for apart, error in pairs.values())
    said = listed([f"{name} {amount(apart, 2)} ({amount(error, 2)})" for name, (apart, error) in pairs.items()])
    T = PROBLEM.horizon or 0
    return paragraph(
        "**On StocId all are equal in expectation**, because no state knows anything of its round's costs: about "
        f"{LARGEST:.3f} sqrt(T/12) = {amount(LARGEST * sqrt(T / 12), 1)}. Paired differences from FTARL (paper), with "
        f"their standard errors: {said}; none is beyond {np.ceil(10 * farthest) / 10:.1f} standard errors."
    )


def promised(promises: dict[str, float | None], means: dict[str, dict[str, float]]) -> str:
    """Who promises what, and how much of it was used."""
    silent = listed([name for name, promise in promises.items() if promise is None])
    used = [
        percent(max(regrets[name] for regrets in means.values()), promise) + f" by {name}"
        for name, promise in promises.items()
        if promise is not None
    ]
    return paragraph(
        f"**Promises.** {silent} promise nothing before the first round on a window: that some of their numbers are "
        "small here says nothing of other costs. (The adaptive ones bound their regret as they go, by what they "
        f"have met.) Of the promises, the worst of these columns uses up {listed(used)}."
    )


def waves() -> str:
    """The second section: on the square wave a fixed rate pays for the window."""
    names = ["Hedge (horizon)", "FTARL (paper)", "Steering (horizon)", "Steering (adaptive)"]
    rows, regrets, near = [], [], []
    for T, H, L in WAVES:
        problem = by.Problem(2, T, by.Window(H))
        eta, eps = by.theory.hedge_rate(problem), by.theory.theorem_rate(problem)
        limits = np.array([eta, 2 * eps]) * T / 8 * (H - 2 * (H**2 - 1) / (3 * L))
        ended = np.concatenate(ends(problem, [LEARNERS[name] for name in names], by.SquareWave(half_period=L)))
        regrets.append(ended)
        near.append(100 * np.abs(1 - ended[:2] / limits))
        numbers = [ended[0], limits[0], ended[1], limits[1], *ended[2:]]
        rows.append([f"{T:,}", str(H), str(L), f"{eta * L:.2f}", *map(amount, numbers)])
    hedge, ftarl = np.max(near, axis=0)
    fewer, shorter = ([f"{part:.2f}" for part in regrets[k] / regrets[1]] for k in (4, 5))
    T, H, L = WAVES[3]
    long = by.Problem(2, T, by.Window(H))
    share = regrets[3][0] / by.theory.hedge_bound(long, by.theory.hedge_rate(long))
    beaten = [f"H = {H}, L = {L}" for (_, H, L), ended in zip(WAVES, regrets, strict=True) if ended[0] < ended[3]]
    return "\n".join(
        [
            "## Square waves: where a fixed rate pays for the window\n",
            paragraph(
                "Two actions take turns of L rounds, `SquareWave(half_period=L)`, with L at least H. As `eta L R` goes "
                "to 0, the regret of Hedge at a fixed rate eta goes to `(eta R^2 T/8)(H - 2(H^2 - 1)/(3L))`, and that "
                "of FTARL to twice that with its own rate for eta. Hedge (horizon) and FTARL (paper), range 1:"
            ),
            table(["T", "H", "L", "eta L", "Hedge", "its limit", "FTARL", "its limit", *names[2:]], rows),
            paragraph(
                f"Hedge is within {hedge:.1f}% of its limit everywhere, FTARL within {ftarl:.0f}%, and nearer where "
                "`eta L` is smaller. With long turns the limit is half of what Hedge promises; the longest here take "
                f"{share:.2f} of it. So `sqrt(TH)` is felt: a quarter of the rounds leaves Hedge {fewer[0]} and FTARL "
                f"{fewer[1]} of its regret, and a quarter of H and L {shorter[0]} and {shorter[1]}. Steering pays for "
                f"the rounds, {fewer[2]} (horizon) and {fewer[3]} (adaptive), but not for the window, {shorter[2]} (as "
                f"its rate is then twice as high) and {shorter[3]}; which is no gain where the window is short: at "
                f"{listed(beaten)} Hedge has less than Steering (adaptive). Whether some costs force `sqrt(TH)` on "
                "every learner is not known."
            ),
        ]
    )


def traps() -> str:
    """The third section: what no learner can beat, and how near each comes."""
    problems = [by.Problem(2, 10_000, by.Window(H)) for H in WINDOWS]
    games = [(problem, final) for problem, H in zip(problems, WINDOWS, strict=True) for final in (H // 4, H)]
    columns = []
    for problem, final in games:
        coins = [ends(problem, list(LEARNERS.values()), by.Trap(final, coin=coin)) for coin in (0, 1)]
        columns.append(np.mean(coins, axis=0)[:, 0])
    floors = []
    for problem in problems:
        floors += [by.theory.short_trap_floor(problem) or 0.0, by.theory.long_trap_floor(problem) or 0.0]
    claims = [text for H in WINDOWS for text in (amount(H / 32, 2), "")]
    rows = [["at least: the paper's H/32", *claims], ["at least: exactly", *(amount(floor, 2) for floor in floors)]]
    regrets = dict(zip(LEARNERS, np.array(columns).T, strict=True))
    rows += [[name, *(amount(value, 2) for value in values)] for name, values in regrets.items()]
    above = {name: 100 * (values / floors - 1).max() for name, values in regrets.items()}
    attained = listed([name for name in LEARNERS if above[name] < 1e-6])
    rated = [name for name, learner in LEARNERS.items() if learner.bound(problems[0]) is not None]
    least = min((values / regrets["Uniform"]).min() for values in (regrets[name] for name in rated))
    return "\n".join(
        [
            "## Traps: what no learner can beat\n",
            paragraph(
                "Two actions cost the same for long, then one of them, by a coin, is better by 1 in the last H/4 "
                "rounds (short) or the last H (long), `Trap(final)`; 10,000 rounds. In the mean over the coin no "
                "learner has less than `7H/64 + 1/16` in the short one and `(H + 1)/4` in the long one."
            ),
            table(["", *(f"H = {H}, {kind}" for H in WINDOWS for kind in ("short", "long"))], rows),
            paragraph(
                f"{attained} has the least there can be, and Steering (adaptive) at most "
                f"{above['Steering (adaptive)']:.1f}% more. The learners that promise "
                f"something have at least {percent(least, 1)} of Uniform's regret: their rates are made for all 10,000 "
                "rounds, and the trap is over before they move."
            ),
        ]
    )


def page() -> str:
    """The page."""
    return "\n".join([OPENING, HEAD, compared(), waves(), traps()])


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"bygones: wrote {PAGE}")
