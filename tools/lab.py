"""Compute the laboratory's figures, draw its pictures and write its page, text and all: `make lab`.

What takes minutes is kept in `docs/lab-*.csv`; `page` and the pictures are made from these. A test computes parts of
them again, and compares the page.
"""

import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure

import bygones as by
from bygones import lab
from bygones.report import COLOURS, LINES
from bygones.theory import ahead, ahead_plan, hedge_bound, hedge_rate, theorem_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGE = DOCS / "lab.md"
VALUES, WORST, EXACT = (DOCS / f"lab-{name}.csv" for name in ("values", "worst", "exact"))
DOTS = 150  # an inch
LEARNERS = ("hedge", "hedgeahead", "steering(hedge)", "steering", "ftarl:play=mean")
HORIZONS, LENGTHS, EFFORT = (1_000, 2_000, 4_000, 8_000, 16_000), (4, 8, 16, 32, 64), 0.5
SMALL, SHORT = 16, (2, 3, 4)  # rounds and windows of games that are gone through
AT_T, AT_H = 16_000, 32
SIZES = (  # actions, rounds, window
    (10, 10_000, 100),
    (10, 100_000, 100),
    (10, 1_000_000, 100),
    (10, 10_000, 20),
    (10, 1_000, 10),
    (3, 365, 12),
    (2, 20_000, 32),
)
RESONANT = by.Problem(2, 20_000, by.Window(32))


def compute() -> None:
    """Everything that takes minutes."""
    _kept(lab.values_table(), VALUES)
    _kept(lab.growth(LEARNERS, HORIZONS, LENGTHS, effort=EFFORT), WORST)
    rows: list[tuple[str, int | None, float, float | None]] = []
    for length in SHORT:
        problem = by.Problem(2, SMALL, by.Window(length))
        rows.append(("any", length, lab.minimax([SMALL], length)[0].value, None))
        for words in LEARNERS:
            found = lab.exact_worst_case(words, problem)
            rows.append((words, length, found.regret, found.bound))
    alone = by.Hedge().rate_for(RESONANT.replace(memory=by.Window(1)))
    for learner in (by.Hedge(), by.HedgeAhead(), by.Steering(by.Hedge(rate=alone)), by.Steering()):
        found = lab.worst_case(learner, RESONANT, effort=1.0)
        rows.append((_called(learner), RESONANT.memory.support, found.regret, found.bound))
    _kept(pl.DataFrame(rows, schema=["learner", "length", "regret", "bound"], orient="row"), EXACT)


def _called(learner: by.Learner) -> str:
    return "Steering(Hedge) at Hedge's rate without memory" if "rate" in repr(learner) else repr(learner)


def _kept(frame: pl.DataFrame, path: Path) -> None:
    frame.write_csv(path, float_precision=6)


def page() -> str:
    """The page, from what is kept."""
    values, worst, exact = (pl.read_csv(path) for path in (VALUES, WORST, EXACT))
    return TEXT.format(
        bounds=_bounds(), values=_values(values), worst=_worst(worst), growth=_growth(worst), exact=_exact(exact),
        resonance=_resonance(exact), most=f"{_most(values):.3f}",
    )  # fmt: skip


def _table(head: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _number(value: float | None, digits: int = 0) -> str:
    return "none" if value is None else f"{value:,.{digits}f}"


def _bounds() -> str:
    rows = []
    for n, T, H in SIZES:
        problem = by.Problem(n, T, by.Window(H))
        plan = ahead_plan(problem)
        eps = ahead.spectrum(problem.memory, plan.psi, T).excess
        hedge = hedge_bound(problem, hedge_rate(problem))
        few = hedge < 100
        shown = [_number(value, int(few)) for value in (theorem_bound(problem), hedge, plan.bound)]
        coefficients = len(np.flatnonzero(plan.psi))
        rows.append([f"{n}, {T:,}, {H}", *shown, f"{coefficients}", f"{(H - 1) / 2:.1f}", f"{eps:.2f}"])
    head = ["actions, rounds, window", "paper", "Hedge", "HedgeAhead", "coefficients", "eps of Hedge", "of HedgeAhead"]
    return _table(head, rows)


def _values(frame: pl.DataFrame) -> str:
    horizons = sorted(frame["horizon"].unique())
    rows = []
    for (length,), group in frame.group_by("length", maintain_order=True):
        found = {row["horizon"]: row for row in group.iter_rows(named=True)}
        rows.append([str(length), *(_excess(found.get(T)) for T in horizons)])
    return _table(["H", *(f"T = {T}" for T in horizons)], rows)


def _excess(row: dict[str, float] | None) -> str:
    return "" if row is None else f"{row['excess']:.3f} ({_thousandth(row['error']):.3f})"


def _thousandth(value: float) -> float:
    """A bound in three digits: rounded up."""
    return math.ceil(1000 * value) / 1000


def _most(frame: pl.DataFrame) -> float:
    """By the upper bounds."""
    share = (frame["upper"] - frame["memoryless"]) / (frame["length"] - 1)
    return _thousandth(float(share.max()))  # type: ignore[arg-type]


def _worst(frame: pl.DataFrame) -> str:
    rows = []
    for (learner,), group in frame.filter(pl.col("horizon") == AT_T).group_by("learner", maintain_order=True):
        found = {row["length"]: row for row in group.iter_rows(named=True)}
        cells = (
            _number(found[H]["regret"]) + (f" of {_number(found[H]['bound'])}" if found[H]["bound"] else "")
            for H in LENGTHS
        )
        rows.append([str(learner), *cells])
    return _table(["learner", *(f"H = {H}" for H in LENGTHS)], rows)


def _growth(frame: pl.DataFrame) -> str:
    fits = lab.exponents(frame)
    rows = []
    for learner in frame["learner"].unique(maintain_order=True):
        cells = [learner]
        for parameter, at in (("horizon", AT_H), ("length", AT_T)):
            fit = fits.filter(learner=learner, parameter=parameter, at=at).row(0, named=True)
            cells += [f"{fit['exponent']:.2f} ({fit['se']:.2f})", _number(fit["promised"], 2)]
        rows.append(cells)
    head = ["learner", f"of T, H = {AT_H}", "its bound's", f"of H, T = {AT_T:,}", "its bound's"]
    return _table(head, rows)


def _exact(frame: pl.DataFrame) -> str:
    rows = []
    for learner in ("any", *LEARNERS):
        here = frame.filter(learner=learner)
        cells = [
            _number(row["regret"], 2) + (f" of {row['bound']:.2f}" if row["bound"] else "")
            for row in here.iter_rows(named=True)
        ]
        rows.append(["the best there can be" if learner == "any" else f"`{learner}`", *cells])
    return _table(["learner", *(f"H = {H}" for H in SHORT)], rows)


def _resonance(frame: pl.DataFrame) -> str:
    here = frame.filter(pl.col("length") == RESONANT.memory.support)
    rows = [[row["learner"], _number(row["regret"]), _number(row["bound"])] for row in here.iter_rows(named=True)]
    return _table(["learner", "worst found", "bound"], rows)


def spectra() -> Figure:
    """Filters, and the spectra that they leave."""
    problem = by.Problem(10, 10_000, by.Window(100))
    psi = ahead_plan(problem).psi
    figure = Figure(figsize=(7.2, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1)
    shown: tuple[tuple[str, Any], ...] = (("Hedge", np.zeros(0)), ("HedgeAhead", psi))
    for number, (name, filter_) in enumerate(shown):
        wave, points = ahead.transformed(ahead.errors_of(problem.memory, filter_, 10_000), 64)
        periods = points / np.arange(1, len(wave))
        below.plot(periods, wave[1:], color=COLOURS[number], linestyle=LINES[number], label=name)
        eps = max(0.0, -float(wave.min()))
        below.axhline(-eps, color=COLOURS[number], linestyle=":", linewidth=0.8)
        below.annotate(f"-eps = {-eps:.1f}", (4000, -eps), color=COLOURS[number], va="bottom", ha="right")
    lags = np.flatnonzero(psi) + 1
    above.vlines(lags, 0, psi[lags - 1], color=COLOURS[1], linewidth=2)
    above.axhline(0, color="0.6", linewidth=0.8)
    above.set(xlabel="lag j, rounds", ylabel="coefficient psi_j")
    below.set(xscale="log", xlim=(8, 5000), xlabel="period of the costs, rounds", ylabel="sum of k_j cos(j w)")
    below.legend(frameon=False)
    return figure


def values_figure() -> Figure:
    """What a window costs the best learner."""
    frame = pl.read_csv(VALUES)
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes = figure.subplots()
    for number, ((length,), group) in enumerate(frame.group_by("length", maintain_order=True)):
        axes.errorbar(
            group["horizon"], group["excess"] / (int(str(length)) - 1), group["error"] / (int(str(length)) - 1),
            color=COLOURS[number], linestyle=LINES[number], marker="o", markersize=3, capsize=2, label=f"H = {length}",
        )  # fmt: skip
    axes.axhline(_most(frame), color="0.5", linewidth=0.8, linestyle=":", label=f"proved: < {_most(frame):.3f}")
    axes.set(xscale="log", xlabel="rounds T", ylabel="(V(T, H) - V(T, 1)) / (H - 1)", ylim=(0, 0.2))
    axes.set_xticks([16, 32, 64, 128, 256, 512], ["16", "32", "64", "128", "256", "512"], minor=False)
    axes.minorticks_off()
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def growth_figure() -> Figure:
    """Worst cases found, and bounds, over the length of the window and over the horizon."""
    frame = pl.read_csv(WORST)
    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, parameter, other, at in ((left, "length", "horizon", AT_T), (right, "horizon", "length", AT_H)):
        for number, ((learner,), group) in enumerate(
            frame.filter(pl.col(other) == at).group_by("learner", maintain_order=True)
        ):
            ordered, look = group.sort(parameter), {"color": COLOURS[number]}
            axes.plot(ordered[parameter], ordered["regret"], **look, marker="o", markersize=3, label=str(learner))
            if ordered["bound"].null_count() == 0:
                axes.plot(ordered[parameter], ordered["bound"], **look, linestyle=":", linewidth=1)
        axes.set(xscale="log", yscale="log")
        ticks = LENGTHS if parameter == "length" else HORIZONS
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks], minor=False)
        axes.minorticks_off()
    left.set(xlabel=f"window H, at {AT_T:,} rounds", ylabel="worst regret found; dotted: bound")
    right.set(xlabel=f"rounds T, at a window of {AT_H}")
    figure.legend(*left.get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=3)
    return figure


TEXT = """\
*This page is made by `make lab`, text and all.*

# The laboratory

What does it cost to be judged by an average of your decisions, and can it be helped? This page says what is proved,
what is measured and what is open. `bygones lab` and `by.lab` let you check, with learners of your own.

The words: a *learner* is a rule that decides in every round from the costs of earlier rounds alone. The *memory* says
how past decisions make the *state*, the average whose costs you pay; with a window of H it is the mean of the last H
decisions. *Regret* is how much more you pay over T rounds than the best single action would have cost. A *bound* is
what a learner's regret can never exceed, whatever the costs. Here costs of a round differ by at most 1, n actions are
to be chosen from, and decisions may be split.

## The question

Hebbar and Langbort (2024) prove a bound of order `sqrt(T H ln n)`, and leave open whether the factor `sqrt(H)` is
needed. It is natural to think so: a decision lingers for H rounds, so a learner reacts H times too late. Kumar, Dean
and Kleinberg (2023, *Online convex optimization with unbounded memory*) prove a lower bound of order `sqrt(T H)`, but
for memories in which the loss may choose which past decisions count. It does not apply to a fixed average.

For a fixed average it is not forced when H is fixed and T grows: there are learners whose bound has a leading term
that does not grow with H. `HedgeAhead` is built on that. Its bound is computed for each T, H and n; in every case
computed with T at least ten times H (H from 5 to 500, 2 to 100 actions) it is below Hedge's, which is of order
`sqrt(T H)`. Its filters are short, 64 coefficients at most, so its own leading term does grow with H, but slowly.

## Proved

Exponential weights say where the state should be. The state is an average, so it arrives late.
[`HedgeAhead`](learners.md) plays the weights *and what they have moved by lately, several times over*: the average of
these decisions is nearly where the weights are. What is left are errors `k_j`: `x_t = u_t + sum_j k_j D_(t-j)`, with
the weights `u` and their moves `D`.

How much can costs make of these errors? The costs move the weights, and the moves return as errors some rounds later.
By Fourier's transform that is a matter of each frequency by itself. Costs of a period at which `sum_j k_j cos(j w)`
is positive work for the learner; where it is negative they work against it, and `-eps` is the most negative it gets.
The bound is

    ln n/eta + (eta T/8)(1 + 2 eps) + terms of higher order in eta + the price of the start

([all terms, and the proof](../src/bygones/theory/ahead.py)). For Hedge on a window eps is `(H - 1)/2`, and that is
where `sqrt(T H)` comes from. A filter that lifts the spectrum at its lowest point makes eps small; linear programs
find one of nearly the least bound, with the condition that decisions stay on the simplex.

<img src="lab-filter.png" width="640" alt="A filter of few coefficients, and the spectra with and without it">

*Above, the filter for 10,000 rounds, a window of 100 and 10 actions; below, the spectrum of the errors, with and
without it.*

{bounds}

Bounds on regret; `paper` is the theorem on FTARL. eps of HedgeAhead is certified: the least value on a fine grid,
plus all that the spectrum can be lower between two points of it. `by.HedgeAhead().bound(problem)` computes the bound
for your problem.

What this does *not* say: nothing is proved for all T and H at once, and in few rounds, mostly below some three to ten
times H, no filter promises less than none. The first terms of the bound alone are not a bound.

## Measured: the best there can be

For two actions the regret of the *best* learner against the *worst* costs can be computed, by going through the game
backwards: `V(T, H)`. Without memory it is about `sqrt(T/(2 pi))`. What a window of H adds, `V(T, H) - V(T, 1)`, with
an estimate of the error in brackets:

{values}

<img src="lab-values.png" width="640" alt="What a window costs the best learner, divided by H - 1">

In these games it is less than {most} (H - 1), proved. For H = 2 and 3 it falls as T grows; for 4 it rises at first,
and then falls; for 5 and 6 it seems to level off, but the errors are too large to be sure. So the memory seems to cost
a constant, and not to multiply `sqrt(T)`. The values are extrapolated from upper bounds on finer and finer grids; in
games of up to eleven rounds they agree with linear programs over all sequences of costs (`by.lab.sequence_value`).

## Measured: the worst that happens to learners

All sequences of costs (0, 1) and (1, 0) over {small} rounds, gone through; `of` is followed by the learner's bound:

{exact}

Longer games can only be searched: square waves of many periods, patterns, costs that react to the state, and climbing
from the best of them. The worst found at {at_t} rounds, two actions:

{worst}

How it grows, as exponents fitted to the worst cases found (standard error of the fit in brackets):

{growth}

<img src="lab-growth.png" width="640" alt="Worst cases found and bounds, over the window and over the rounds">

Hedge does grow like `sqrt(T H)`: its bound is met up to a constant. HedgeAhead's worst cases grow more slowly in H.
In T they, too, grow like `sqrt(T)` in the end; at these sizes the terms of higher order still count, and they grow
more slowly. They are also why the exponent of H is not 0.

**Plain steering resonates.** `Steering` takes the state at once to where the weights are, which has the least regret
on most of the costs that we measured. But what it does in one round, it must undo H rounds later, and costs with a
period near H, or a fraction of it, feed that back. With a window of 32, two actions and 20,000 rounds:

{resonance}

So `Guarded(Steering())` is what we recommend for low regret with a promise, and `HedgeAhead` for the least promise.

## Open

- Is there a learner with a bound of `c sqrt(T ln n)` plus a constant times H, for all T and H at once? The values
  above suggest that it may be so.
- The best learner for two actions steers against its oldest decision only, more and more strongly as rounds run out.
  Is there a rule for n actions?
- The horizon must be known. An anytime version is not proved, nor one that adapts its rate.
- Memories without an end, other than geometric ones, and full history.

## Try it

```sh
bygones lab worst hedge-ahead --horizon 20000 --memory window:32 --out worst.csv
bygones lab worst mypackage.mymodule:MyLearner --horizon 1000 --memory window:8
bygones lab values --window 2 --horizon 16 --horizon 64
bygones lab growth hedge hedge-ahead
```

```python
>>> import bygones as by
>>> problem = by.Problem(2, 400, by.Window(8))
>>> found = by.lab.worst_case("hedge", problem, effort=0.1)
>>> states = problem.memory.start(2).extend(by.Hedge().start(problem).play(found.costs))
>>> bool(by.accounting.regret(found.costs, states)[-1] == found.regret)     # anybody can check it
True

```
""".replace("{small}", str(SMALL)).replace("{at_t}", f"{AT_T:,}")


def main() -> int:
    """Compute if asked or if nothing is kept yet, then draw and write."""
    begun = time.perf_counter()
    if "--page" not in sys.argv:
        compute()
    for name, draw in (("filter", spectra), ("values", values_figure), ("growth", growth_figure)):
        draw().savefig(DOCS / f"lab-{name}.png", dpi=DOTS, metadata={"Software": None})
    PAGE.write_text(page())
    print(f"wrote {PAGE.relative_to(ROOT)} ({time.perf_counter() - begun:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
