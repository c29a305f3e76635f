"""The report's page: every experiment and claim of the paper, recomputed, compared and explained."""

import platform
from collections.abc import Mapping
from importlib.metadata import version

from .. import paper
from ..learners import FTARL, Hedge
from ..report import File, Page
from ..theory import perturbed_bound
from ..version import __version__
from .headline import headline, nearest, result
from .question import question
from .runs import AGREE, DRAWN, Reproduction
from .sections import audit, figure1, horizon, past, states


def page(done: Reproduction, command: str, seconds: float, files: Mapping[str, File]) -> Page:
    """The page of a reproduction.

    Args:
        done: the results.
        command: the command that made it.
        seconds: how long the computing took.
        files: the files that belong to the page.

    Returns:
        The page, which is not written yet.
    """
    page = Page("Online Decision Making with History-Average Dependent Costs, reproduced", files)
    if said := result(done):
        page.lead(said)
    page.text(
        "Hebbar and Langbort (2024) study decisions that are made round after round, when the cost of a round depends",
        "on the average of the last H decisions. This average is the state, and the rule that makes it from past",
        "decisions is the memory: here a window of H rounds. A learner is a rule that decides from the costs of",
        "earlier rounds. Regret is how much more a learner pays than the best fixed action does. A bound on regret is",
        "vacuous if no run could exceed it anyway.",
    )
    page.text(
        "Their learner FTARL draws random noise once and then plays the action whose past cost, minus its noise, is",
        "lowest. They compare it with LSA, which draws an action from exponential weights and keeps it as long as its",
        "weight allows. The paper does not state LSA's rate, which is how strongly costs change the weights, so this",
        "page tries several. It recomputes their experiments and claims and compares them with the published values.",
    )
    page.heading("Summary")
    headline(page, done)
    page.items(_summary(done))
    if done.sampled:
        figure1(page, done, [name for name in files if name.startswith("figure1.")])
        states(page, done)
    if done.trap.height:
        horizon(page, done)
    if done.audit:
        audit(page, done)
    if done.past:
        question(page, done)
        past(page, done)
    page.heading("Errata")
    page.text("What to know before implementing the paper, in our words.")
    page.items(paper.ERRATA)
    page.heading("How this was made")
    made = {name: version(name) for name in ("numpy", "numba", "polars", "matplotlib", "plotly")}
    page.items(
        [
            f"Command: {command}",
            f"Computed in {seconds:.1f} s, not counting the start of the program and the writing of this page.",
            f"bygones {__version__}, Python {platform.python_version()}, "
            + ", ".join(f"{name} {number}" for name, number in made.items())
            + ".",
            "Run r draws its costs from numpy's SeedSequence(seed, spawn_key=(r, 0)); its learners draw from (r, 1).",
        ]
    )
    if files:
        page.text("The numbers and figures are in files that belong to this page:")
        page.links()
    return page


def _summary(done: Reproduction) -> list[str]:
    said = []
    if done.sampled:
        ours = done.table.filter(learner=paper.FTARL_LABEL).drop_nulls("published")
        agree = sum(abs(z) <= AGREE for z in ours["z"])
        found = ", ".join(f"{row['costs']} {row['ours']:,.0f} ({row['published']:,.0f})" for row in ours.to_dicts())
        judged = (
            f"The regret of FTARL after the last round agrees with the published value within {AGREE:g} standard "
            f"errors on {agree} of {ours.height} kinds of costs"
        )
        head = f"{done.few}. The regret of FTARL after the last round is" if done.few else judged
        said.append(f"{head}: {found}. Published values are in brackets.")
        said += [] if done.few else _rates(done)
        sharper = perturbed_bound(paper.PROBLEM, FTARL().rate_for(paper.PROBLEM))
        theorem, better, hedge = (learner.bound(paper.PROBLEM) for learner in (FTARL(), FTARL(tuning="sharp"), Hedge()))
        said.append(
            f"The paper's theorem bounds the regret of FTARL by {theorem:,.0f} here; no run can "
            f"exceed {paper.PROBLEM.horizon:,}. A sharper bound for the same learner is {sharper:,.0f}, and "
            f"{better:,.0f} at a better rate. The bound of Hedge is {hedge:,.0f}."
        )
    said += growth(done)
    if done.audit:
        passed = sum(each.passed for each in done.audit)
        said.append(f"The audit of the theory: {passed} of {len(done.audit)} statements hold.")
    return [*said, *beyond(done)]


def growth(done: Reproduction) -> list[str]:
    """How regret grows with the number of rounds, in a sentence; none if it was not computed."""
    if done.growth.is_empty():
        return []
    own = {(row["setting"], row["learner"]): row for row in done.growth.to_dicts()}
    full, root = own["full history, trap of T/4", paper.FTARL_LABEL], own[DRAWN, paper.FTARL_LABEL]
    bound = done.growth.filter(learner="bound")
    empty = bound.filter(bound["regret"] >= bound["T"])["T"].to_list()
    lost = done.growth.filter(setting=DRAWN)["regret"].to_numpy() / bound["regret"].to_numpy()
    said = (
        "T is the number of rounds, and a trap is a sequence of costs that shows the better of two actions only near "
        f"its end. If the memory is the full history, regret in a trap grows like T to the power "
        f"{full['exponent']:.2f}, and no learner can avoid that. With a window of sqrt(T) rounds it grows less than "
        f"linearly: on StocHet like T to the power {root['exponent']:.2f} (standard error {root['exponent_se']:.2f}). "
        f"At these T it is at most {lost.max():.0%} of the theorem's bound, which grows like T to the power "
        f"{bound['exponent'][0]:.2f} and is vacuous " + (f"up to T = {empty[-1]:,}." if empty else "at none of them.")
    )
    return [said]


def beyond(done: Reproduction) -> list[str]:
    """The regret of learners that are not in the paper, and what a guard promises; none if it was not computed."""
    if not done.past:
        return []
    ends = {(row["costs"], row["learner"]): row["regret"] for row in done.ends.to_dicts()}
    promise = paper.PAST["Guarded Steering"].bound(paper.PROBLEM)
    found = ", ".join(
        f"{ends[family, 'Steering']:,.1f} on {family} (FTARL {ends[family, paper.FTARL_LABEL]:,.0f})"
        for family in done.past
    )
    guarded = ", ".join(f"{ends[family, 'Guarded Steering']:,.1f} on {family}" for family in done.past)
    steering = (
        f"Steering, which steers the state instead of the decision and finds its own rate, has a regret of {found}. "
        "These are exact means over the learners' own randomness; random costs are averaged over "
        f"{max(done.ends['draws'])} draws. Guarded Steering, which promises a regret of at most {promise:,.0f} "
        f"whatever the costs, has {guarded}."
    )
    broken = {row["learner"]: f"{row['regret']:,.0f}" for row in done.changing.filter(costs="one break").to_dicts()}
    changing = (
        "Where the best action changes once in the middle, FixedShare with Steering has a regret of "
        f"{broken['Steering, FixedShare']} to the best fixed action, Steering alone one of {broken['Steering']}, and "
        f"FTARL one of {broken[paper.FTARL_LABEL]}."
    )
    bound = {name: learner.bound(paper.PROBLEM) for name, learner in paper.BOUNDED.items()}
    ahead = (
        "The paper leaves open whether the factor sqrt(H) in its bound is needed. For a fixed average and many rounds "
        f"it is not: HedgeAhead, which plays ahead of the memory, has a bound of {bound['HedgeAhead']:,.0f} here, "
        f"where Hedge has {bound['Hedge']:,.0f} and the paper's theorem {bound['the paper']:,.0f}."
    )
    return [steering, changing, ahead]


def _rates(done: Reproduction) -> list[str]:
    """Which rate of LSA fits the published values, at the end and at every round."""
    said, (closest, fitting) = [], nearest(done)
    for name in (name for name in paper.LEARNERS if name != paper.FTARL_LABEL):
        along = done.fits.filter(learner=name)
        end = max(abs(z) for z in done.table.filter(learner=name).drop_nulls("z")["z"])
        said.append(
            f"The rate of {name!r} {'fits' if name in fitting else 'does not fit'} the published curves of LSA. At the "
            f"end our mean is up to {end:.1f} standard errors away; over all rounds the exact mean is up to "
            f"{max(abs(z) for z in along['z']):.1f} standard errors away, and the root mean square difference is "
            f"{max(along['apart']):,.0f}."
        )
    others = " and ".join(repr(name) for name in fitting if name != closest)
    but = f"; the published values do not distinguish it from {others}" if closest in fitting and others else ""
    return [*said, f"The closest of these rates is that of {closest!r}{but}."]
