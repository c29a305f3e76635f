"""Measure the learners side by side and write `docs/learners.md`: `make tables`.

Numbers, and who is ahead of whom, are filled in from what was measured. They have few digits, so that they are the same
on every machine; a test compares the page with what is measured.
"""

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from comparison import (
    COSTS,
    LEARNERS,
    PAPERS,
    PROBLEM,
    REPLICATES,
    STEADY,
    Means,
    Measured,
    ahead,
    amount,
    difference,
    entry,
    listed,
    measured,
    paragraph,
    paths,
    percent,
    poold,
    table,
    trusts,
)
from waves_and_traps import traps, waves

import bygones as by
from bygones.kernels import Array
from bygones.reproduction.changing import CHANGES, CHANGING
from bygones.reproduction.promised import against, changes, holds, needs

PAGE = Path(__file__).resolve().parent.parent / "docs" / "learners.md"
LARGEST = 1.5388  # the mean of the largest of ten standard normals
# For each promise, how many hostile games the tests played against it, and the largest regret over the promise.
ATTACKS: dict[str, tuple[int, float]] = {
    "Guarded": (5_000, 0.9813),
    "Guarded, after a history": (5_000, 0.9582),
    "Guarded, against paths": (5_000, 0.9275),
    "Guarded, against paths, after a history": (5_000, 0.9293),
    "Guarded, at every horizon": (5_000, 0.9674),
    "Guarded, at every horizon, after a history": (5_000, 0.9700),
    "Guarded's guarantee, under overrides": (5_000, 1.0000),
    "Guarded's guarantee against paths, under overrides": (5_000, 1.0000),
    "Guarded's guarantee at every horizon, under overrides": (5_000, 0.9884),
    "Hedge": (5_000, 0.8995),
    "Hedge, anytime": (5_000, 0.8493),
    "HedgeAhead": (5_000, 0.8142),
    "HedgeAhead, rates and lengths by hand": (5_000, 0.9421),
    "FTARL, sharp, its mean": (5_000, 0.5018),
    "FixedShare, against paths": (5_000, 0.9008),
    "Steering(Hedge()), geometric": (5_000, 0.9106),
    "AdaHedge, under overrides": (5_000, 1.0000),
    "Steering, under overrides": (5_000, 1.0000),
    "AdaHedge in Guarded, under overrides": (5_000, 1.0000),
    "the potential inequality, for any decisions": (5_000, 1.0000),
}

HEAD = f"""\
*This page is made by `make tables`, text and all.*

## Ten actions, 10,000 rounds, a window of 100

Expected regret, exact over the learners' own randomness. Where the costs are random it is the mean of {REPLICATES}
draws, with its standard error in brackets. **Bold** is the least of a column, and all that two standard errors of the
paired difference do not tell from it. The last column is what the learner promises, whatever the costs.

The costs are `StocHet()`; `Cyclic(hold=..., vectors=2)`, two actions that take turns of 50, 100 and 150 rounds, and
those of 100 also from the middle of a turn on; `Cyclic(hold=50)`, where all ten take turns; `Blocks(100)`;
`StocId()`; and [three whose best action changes](#when-the-best-action-changes). How each learner is written is
[below](#who-promises-what). FTPL has FTARL's law in every round, and hence FTARL's regret; Pure has the regret of the
learner inside; Fixed, at its best, is what regret is measured against. The last rows are
[rivals](#rivals-delayed-feedback) of another package.
"""
CHANGE = """\
## When the best action changes

Three more kinds of costs, all between 0 and 1 or between -1 and 0:

- **one break**: costs are uniform within 0.3 of their means. In the first half action 0 has the mean 0.3, and all
  others 0.5. In the second half action 0 has 0.7, action 1 has 0.4, and the others still have 0.5.
- **random walk**: costs are uniform within 0.25 of means that begin at 0.5. Each mean moves in every round by a step
  that is uniform between -0.01 and 0.01, and turns back at 0.25 and 0.75.
- **turns of 500**: `Cyclic(hold=500)`, all ten take turns of 500 rounds, and all have two turns.

Regret to the best fixed action is in the table above. Below it is the regret to the best path of actions that changes
at most 1, 3 and 10 times, each round paid at its own cost, as `accounting.regret(costs, states, changes=3)` gives it.
"""


def compared(found: Measured, means: Means) -> str:
    """The first section: all learners on all costs, and what there is to see."""
    header = ["", *COSTS, "promise"]
    rows = [[*row, _promise(row[0])] for row in _rows(found)]
    remarks = [paper_against_the_rest(found), aiming(means), leading(found, means), luck(means)]
    remarks.append(still(means["all ten"]))
    return "\n".join([HEAD, table(header, rows), *remarks, alike(found["StocId"])])


def _promise(name: str) -> str:
    if name not in LEARNERS:
        return "not computed"
    promise = LEARNERS[name].bound(PROBLEM)
    return "nothing" if promise is None else amount(promise)


def _rows(columns: Measured) -> list[list[str]]:
    """One row for each learner, the least of a column in bold."""
    rows = [[name] for name in next(iter(columns.values()))]
    for regrets in columns.values():
        least = min(regrets.values(), key=np.mean)
        for row in rows:
            text = entry(regrets[row[0]])
            row.append(text if ahead(least, regrets[row[0]]) else f"**{text}**")
    return rows


def opening(found: Measured, means: Means) -> str:
    """Which learner to take, first of all."""
    regrets = {name: [amount(means[c][name]) for c in ("StocHet", "one break")] for name in LEARNERS}
    promise = {name: _promise(name) for name in LEARNERS}
    steering, hedge, share = (
        regrets[name] for name in ("Guarded (Steering)", "Hedge (horizon)", "Steering (FixedShare)")
    )
    unaware: Any = by.Guarded(by.Steering()).start(PROBLEM.replace(horizon=None))
    unaware.play(np.zeros(((PROBLEM.horizon or 1) - 1, PROBLEM.n)))
    later = amount(unaware.promise)
    return "\n".join(
        [
            "# Which learner\n",
            paragraph(
                "**In short.** May a decision be split, and are the horizon and the range of the costs known? Take "
                "`Guarded(Steering())`. Steering aims the state that you pay for, not the decision, and has low "
                "regret; alone it promises nothing. The guard follows it as far as a promise of 1.1 times Hedge's "
                f"allows. {_followed(means)} On StocHet below that is {steering[0]}, where Hedge has {hedge[0]}, with "
                f"a promise of {promise['Guarded (Steering)']}. Without the horizon `Guarded(Steering())` promises "
                f"{later} after as many rounds (and nothing on the full history, where it needs the horizon). Without "
                "the range take `Steering()`, which needs neither and promises nothing beforehand."
            ),
            paragraph(
                f"**The least promise** here is that of `HedgeAhead()`, {promise['HedgeAhead']}, where Hedge promises "
                f"{promise['Hedge (horizon)']}. Take it if what counts is the promise, on a window or on weights of "
                "your own. It never promises more than Hedge; in every case computed with windows of 5 to 500 rounds, "
                "2 to 100 actions and at least ten times as many rounds, it promises less. On StocHet it has a regret "
                f"of {regrets['HedgeAhead'][0]}, so for low regret with a promise `Guarded(Steering())` stays the one "
                "to take. On the full history `Hedge()` promises least, and under a geometric memory "
                "`Steering(Hedge())` does."
            ),
            paragraph(
                "If the best action changes now and then, take `Steering(FixedShare())`: after one break in the middle "
                f"it has a regret of {share[1]}, so it costs less than the best fixed action, where Steering alone has "
                f"{steering[1]}. Where nothing changes that has a price: {share[0]} on StocHet instead of "
                f"{steering[0]}. `FixedShare()` promises against every path of actions with so many changes, and "
                "`Guarded(Steering(FixedShare()), shadow=FixedShare())` does too, with less regret." + _outdone(found)
            ),
            paragraph(
                "If a decision must be a single action, `FTARL()` and `LSA()` draw one and rarely change it, and on a "
                'window `FTARL(tuning="sharp")` promises less regret than `FTARL()`; or wrap any other, as in '
                "`Pure(Guarded(Steering()))`, which draws by its weights: in expectation nothing changes, but the "
                "action does often. Decisions of a model or a person are `Advice(table)`, and "
                "`Guarded(Advice(table))` follows them within the promise. The full history is the hardest memory: no "
                "learner can promise less there than about `(1 - 1/n)/e` of the range times the rounds. `bygones "
                "bound` says what is promised on your problem."
            ),
        ]
    )


def _outdone(found: Measured) -> str:
    """Which rivals follow a change better than what is recommended for that."""
    ours, columns = "Steering (FixedShare)", ("one break", "random walk")
    rivals = [name for name in found["one break"] if name not in LEARNERS]
    first = [name for name in rivals if all(ahead(found[c][name], found[c][ours]) for c in columns)]
    if not first:
        return ""
    return f" On {listed([*columns])} the [rivals](#rivals-delayed-feedback) {listed(first)} are ahead of it."


def _followed(means: Means) -> str:
    """Whether the guard follows Steering everywhere."""
    apart = [c for c in means if abs(means[c]["Guarded (Steering)"] - means[c]["Steering (adaptive)"]) > 1e-6]
    if apart:
        return f"On {listed(apart)} of this page it holds back; elsewhere its regret is Steering's."
    return "On all costs of this page it follows in full, and its regret is Steering's."


def paper_against_the_rest(found: Measured) -> str:
    """Where FTARL or LSA is ahead of a learner beyond the paper."""
    bullets, nowhere = [], []
    for column, regrets in found.items():
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


def aiming(means: Means) -> str:
    """What Steering leaves of the regret of others."""
    columns = [column for column in STEADY if column not in ("StocId", "all ten")]
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


def leading(found: Measured, means: Means) -> str:
    """What playing ahead leaves of Hedge's regret."""
    ours, theirs = "HedgeAhead", "Hedge (horizon)"
    won = [column for column in COSTS if ahead(found[column][ours], found[column][theirs])]
    others = [column for column in COSTS if column not in won]
    shares = listed([f"{amount(means[c][ours])} against {amount(means[c][theirs])} on {c}" for c in won])
    rest = f" On {listed(others)} it is not ahead." if others else ""
    return paragraph(
        "**Playing ahead**: a window blurs the weights of exponential weights, and HedgeAhead sharpens them "
        "beforehand, so that their average arrives nearly on time. It is ahead of Hedge (horizon), by more than two "
        f"standard errors of the paired difference, with {shares}.{rest} Steering (adaptive) aims its state "
        "in every round, at weights whose rate adapts, and mostly has less regret; but it promises nothing."
    )


def luck(means: Means) -> str:
    """That FollowTheLeader's zeros mean nothing."""
    zeros = [column for column, regrets in means.items() if abs(regrets["FollowTheLeader"]) < 1e-6]
    late = means["mid-turn"]
    return paragraph(
        f"**FollowTheLeader's {amount(0)}** on {listed(zeros)} is an accident of where the costs begin: the first "
        "action leads or ties ever after, and ties go to the lowest number. Begun in the middle of a turn, those of "
        f"hold 100 cost it {amount(late['FollowTheLeader'])}, FTARL (paper) {amount(late['FTARL (paper)'])}, and "
        f"Steering (adaptive) {amount(late['Steering (adaptive)'])}. It promises nothing, and is no learner for costs "
        f"that take turns. Under a guard it has {amount(late['Guarded (FollowTheLeader)'])}, within a promise."
    )


def still(means: dict[str, float]) -> str:
    """That on all ten there is little to learn."""
    below = listed([name for name in means if means[name] < means["Uniform"] - 1e-6])
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
    widest = max(pairs, key=lambda name: abs(pairs[name][0]))
    apart, error = (amount(value, 2) for value in pairs[widest])
    T = PROBLEM.horizon or 0
    return paragraph(
        "**On StocId all are equal in expectation**, because no state knows anything of its round's costs: about "
        f"{LARGEST:.3f} sqrt(T/12) = {amount(LARGEST * sqrt(T / 12), 1)}. The largest paired difference from FTARL "
        f"(paper) is that of {widest}, {apart} with a standard error of {error}; none is beyond "
        f"{np.ceil(10 * farthest) / 10:.1f} standard errors."
    )


def changing(found: Measured, means: Means, less: dict[str, Array]) -> str:
    """The second section: regret to the best paths where the best action changes."""
    columns = {
        f"{c}, {K} change{'s'[: K > 1]}": {name: regrets + less[c][:, k] for name, regrets in found[c].items()}
        for c in CHANGING
        for k, K in enumerate(CHANGES)
    }
    gains = [
        f"{listed([amount(value) for value in less[column].mean(axis=0)])} less on {column}" for column in CHANGING
    ]
    bullets = []
    for column in CHANGING:
        regrets = found[column]
        first = [name for name in regrets if ahead(regrets[name], regrets["Steering (FixedShare)"])]
        said = f"ahead of it {'is' if len(first) == 1 else 'are'} {listed(first)}" if first else "nobody is ahead of it"
        ours = [amount(means[column][name]) for name in ("Steering (FixedShare)", "Steering (adaptive)")]
        bullets.append(
            paragraph(
                f"{column}: Steering (FixedShare) has {ours[0]} to the best fixed action, Steering (adaptive) "
                f"{ours[1]}; {said}.",
                "- ",
            )
        )
    steady = [c for c in STEADY if ahead(found[c]["Steering (adaptive)"], found[c]["Steering (FixedShare)"])]
    price = [amount(means[c]["Steering (FixedShare)"] - means[c]["Steering (adaptive)"]) + f" on {c}" for c in steady]
    return "\n".join(
        [
            CHANGE,
            table(["", *columns], _rows(columns)),
            paragraph(
                f"The best paths with {listed([str(K) for K in CHANGES])} changes cost {'; '.join(gains)} than the "
                "best fixed action. So the numbers of a column differ from those of another on the same costs by a "
                "constant, and who is ahead is the same."
            ),
            paragraph(
                "**Learners that add up all costs are late**: after a change they hold on to what was best until "
                "another action has made up for all that it had cost more. FixedShare comes back sooner, and aiming "
                "the state makes it sooner still. By more than two standard errors of the paired difference:"
            ),
            "".join(bullets),
            paragraph(
                f"**What that costs where nothing changes**: Steering (FixedShare) has more regret than Steering "
                f"(adaptive), by {listed(price)}. Give `FixedShare(changes=K)` the number of changes that you expect: "
                "with more of them it is quicker, and its promise is larger. `Discounted()` forgets at a fixed pace; "
                "it promises nothing."
            ),
        ]
    )


def promising(means: Means, less: dict[str, Array]) -> str:
    """The third section: who promises what, against whom, what must be known; and how far guards follow."""
    rows, silent = [], []
    for name, learner in LEARNERS.items():
        promise, K = learner.bound(PROBLEM), changes(learner)
        written = repr(learner).replace("learner=", "")
        row = [name, f"`{written}`", "", "", needs(learner, PROBLEM), _promise(name), ""]
        if promise is None:
            silent.append(name)
        else:
            more = {c: less[c].mean(axis=0)[CHANGES.index(K)] if K else 0.0 for c in COSTS}
            row[2:4] = against(learner), holds(learner)
            row[6] = percent(max(means[c][name] + more[c] for c in COSTS), promise)
        rows.append(row)
    trust = trusts()
    seen = [[c, *(f"{mean:.2f} ({least:.2f})" for mean, least in (trust[name][c] for name in trust))] for c in COSTS]
    share = by.FixedShare()
    other = [f"{amount(share.bound(PROBLEM, changes=K) or 0.0)} with {K}" for K in CHANGES if share.changes != K]
    tuned = [f"{amount(by.FixedShare(changes=K).bound(PROBLEM) or 0.0)} with {K}" for K in CHANGES]
    return "\n".join(
        [
            "## Who promises what\n",
            paragraph(
                "What a learner's regret is at most at this size, whatever the costs in a range of 1; against whom; "
                "whether that holds on every path of costs or in expectation over the learner's own draws; what must "
                "be known of the problem, apart from its memory; and how much of the promise the worst column of this "
                "page uses up. No run can lose more than 10,000."
            ),
            table(["learner", "written", "against", "holds", "must be known", "promise", "used"], rows, left=5),
            paragraph(
                f"**Promising nothing**, before the first round and on a window, are {listed(silent)}: that some of "
                "their numbers are small here says nothing of other costs. (The adaptive ones bound their regret as "
                "they go, by what they have met.)"
            ),
            paragraph(
                "**Against paths** a promise is larger, for each change costs what the memory holds. FixedShare, made "
                f"for {share.changes} changes, promises {listed(other)} changes too; made for them, it promises "
                f"{listed(tuned)} changes."
            ),
            paragraph(
                "**Trust** is how far a guard follows: 1 is all the way, 0 is the shadow's decision, Hedge's or "
                "FixedShare's. Its mean over all rounds and draws, and the least of all rounds in brackets:"
            ),
            table(["", *trust], seen),
            paragraph(_guards(means, trust)),
        ]
    )


def _guards(means: Means, trust: dict[str, dict[str, tuple[float, float]]]) -> str:
    """Where guards hold back, and what that does."""
    said = []
    for name, columns in trust.items():
        held = [column for column, (_, least) in columns.items() if least < 1]
        said.append(f"{name} holds back on {listed(held)}" if held else f"{name} never holds back")
    late = means["mid-turn"]
    lost, kept = (amount(late[name]) for name in ("FollowTheLeader", "Guarded (FollowTheLeader)"))
    promise = _promise("Guarded (FollowTheLeader)")
    return f"{'; '.join(said)}. On mid-turn that makes {kept} of the {lost} of FollowTheLeader, within {promise}."


def attacked() -> str:
    """The fourth section: how hard the promises were attacked."""
    lead = (
        "`make test-slow` plays hostile games against every promise: random ones, and searches for the worst costs, "
        "with proposals that collude with them. The largest ratio is that of a regret to what was promised; a promise "
        "is broken above 1. Guarantees of what was already seen come close to 1, as they should."
    )
    rows = [[name, f"{games:,}", f"{ratio:.3f}"] for name, (games, ratio) in ATTACKS.items()]
    found = table(["promise", "games", "largest ratio"], rows) if rows else "No figures are on this page yet.\n"
    return "\n".join(["## How hard the promises were attacked\n", paragraph(lead), found])


def delayed(found: Measured) -> str:
    """The fifth section: the rivals for delayed feedback."""
    others = [name for name in found["StocHet"] if name not in LEARNERS]
    ours = "Steering (adaptive)"
    bullets = []
    for other in others:
        won = [c for c in COSTS if ahead(found[c][other], found[c][ours])]
        lost = [c for c in COSTS if ahead(found[c][ours], found[c][other])]
        bullets.append(paragraph(f"{other}: less on {listed(won) or 'none'}; more on {listed(lost) or 'none'}.", "- "))
    return "\n".join(
        [
            "## Rivals: delayed feedback\n",
            paragraph(
                "What a decision is charged in the end, over all rounds in which it counts, is known after H - 1 more "
                "rounds. So a memory can be seen as delayed feedback, for which the package "
                f"[poold](https://pypi.org/project/poold/) (here {poold()}) has AdaHedgeD and DORMPlus, by Flaspohler "
                "et al. (2021), *Online Learning with Optimism and Delay*. In the tables above each is told of a "
                "decision's charges when they are settled, H - 1 rounds later. With hints it is also told, in every "
                "round, what is known already of those that are not. DORMPlus cuts every sum of regrets off at zero: "
                "so it forgets, and follows changes. poold computes no promise before the first round. "
                "Its figures are read from `benchmarks/rivals.csv`, which `make rivals` measures on the same costs. "
                f"Compared with {ours}, by more than two standard errors of the paired difference:"
            ),
            "".join(bullets),
        ]
    )


def page() -> str:
    """The page."""
    found, less = measured(), paths()
    means = {column: {name: float(r.mean()) for name, r in regrets.items()} for column, regrets in found.items()}
    sections = [compared(found, means), changing(found, means, less), promising(means, less), attacked()]
    return "\n".join([opening(found, means), *sections, delayed(found), waves(), traps()])


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"bygones: wrote {PAGE}")
