"""Two sections of the learners' page: square waves, where the window is felt, and traps, which no learner can beat."""

import numpy as np
from comparison import LEARNERS, amount, ends, listed, paragraph, percent, table

import bygones as by

WAVES = [(400_000, 100, L) for L in (100, 200, 400, 800)]  # rounds, window, turn
WAVES += [(100_000, 100, 200), (400_000, 25, 50)]  # a quarter of the rounds, a quarter of the window
WAVES += [(400_000, 10, 10)]  # a short one
WINDOWS = (8, 32, 128, 512)


def waves() -> str:
    """The sixth section: on the square wave a fixed rate pays for the window."""
    names = ["Hedge (horizon)", "FTARL (paper)", "Steering (horizon)", "Steering (adaptive)", "HedgeAhead"]
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
    ahead = [percent(ended[4], ended[0]) for ended in regrets]
    lengths = [f"T = {T:,}, H = {H}, L = {L}" for T, H, L in WAVES]
    most, least = (choose(range(len(WAVES)), key=lambda k: regrets[k][4] / regrets[k][0]) for choose in (max, min))
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
                f"{listed(beaten)} Hedge has less than Steering (adaptive)."
            ),
            paragraph(
                "**The factor `sqrt(H)` is not forced on every learner**, where the memory is a fixed average: for "
                "fixed H, as T grows, the leading term of what is proved of playing ahead does not grow with H, if the "
                f"filter is long enough. HedgeAhead, with its default filter, has between {ahead[least]} "
                f"({lengths[least]}) and {ahead[most]} ({lengths[most]}) of the regret of Hedge here."
            ),
        ]
    )


def traps() -> str:
    """The last section: what no learner can beat, and how near each comes."""
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
    guards = listed([name for name, learner in LEARNERS.items() if isinstance(learner, by.Guarded)])
    rated = [name for name, learner in LEARNERS.items() if learner.bound(problems[0]) and name not in guards]
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
                f"{attained} have the least there can be, Steering (adaptive) at most "
                f"{above['Steering (adaptive)']:.1f}% more, and Guarded (Steering) {above['Guarded (Steering)']:.1f}%. "
                f"The other learners that promise something have at least {percent(least, 1)} of Uniform's regret: "
                "their rates are made for all 10,000 rounds, and the trap is over before they move."
            ),
        ]
    )
