"""The report's page: every experiment and claim of the paper, recomputed, compared and explained."""

import platform
from collections.abc import Mapping
from importlib.metadata import version

from .. import paper
from ..learners import FTARL
from ..report import Page
from ..theory import bounds, perturbed_bound
from ..version import __version__
from .runs import AGREE, DRAWN, ENOUGH, Reproduction
from .sections import audit, figure1, horizon, past, states


def page(done: Reproduction, command: str, seconds: float, files: Mapping[str, str]) -> Page:
    """The page, from what was computed.

    Args:
        done: the results.
        command: what was typed.
        seconds: how long the computing took.
        files: those beside the page, each with what it holds.
    """
    told = Page("Online Decision Making with History-Average Dependent Costs, reproduced")
    told.text(
        "Hebbar and Langbort (2024) study decisions, round after round, when the cost of a round depends on the",
        "average of the last H decisions. Their algorithm FTARL draws a noise once and follows the leader of the costs",
        "so far less that noise. This page recomputes their experiments and claims, and compares them with what they",
        "published.",
    )
    told.heading("Summary")
    told.items(_summary(done))
    if done.sampled:
        figure1(told, done, {name: what for name, what in files.items() if name.startswith("figure1.")})
        states(told, done)
    if done.trap is not None:
        horizon(told, done)
    if done.audit:
        audit(told, done)
    if done.past:
        past(told, done)
    told.heading("Errata")
    told.text("What an implementer of the paper meets, in our words.")
    told.items(paper.ERRATA)
    told.heading("How this was made")
    made = {name: version(name) for name in ("numpy", "numba", "polars", "matplotlib", "plotly")}
    told.items(
        [
            f"Command: {command}",
            f"Computed in {seconds:.1f} s; starting the program and writing this page come on top.",
            f"bygones {__version__}, Python {platform.python_version()}, "
            + ", ".join(f"{name} {number}" for name, number in made.items())
            + ".",
            "Run r draws costs from numpy's SeedSequence(seed, spawn_key=(r, 0)) and feeds its learners from (r, 1).",
        ]
    )
    if files:
        told.text("The numbers and the figures, in files beside this page:")
        told.links(files)
    return told


def _summary(done: Reproduction) -> list[str]:
    said = []
    if done.sampled:
        ours = done.table.filter(learner=paper.FTARL_LABEL).drop_nulls("published")
        agree = sum(abs(z) <= AGREE for z in ours["z"])
        said.append(
            (
                f"FTARL's end values agree with the published ones within {AGREE:g} standard errors on {agree} of "
                f"{ours.height} kinds of costs: "
                if done.replicates >= ENOUGH
                else f"{done.replicates} runs are too few to judge by; FTARL's end values are: "
            )
            + ", ".join(f"{row['costs']} {row['ours']:,.0f} ({row['published']:,.0f})" for row in ours.to_dicts())
            + "; published in brackets."
        )
        said += _rates(done) if done.replicates >= ENOUGH else []
        sharper = perturbed_bound(paper.PROBLEM, FTARL().rate_for(paper.PROBLEM))
        promised = {row["name"]: row["value"] for row in bounds(paper.PROBLEM).to_dicts()}
        said.append(
            f"The theorem promises {promised['FTARL, theorem']:,.0f} here, of {paper.PROBLEM.horizon:,} that no run "
            f"can exceed. A sharper bound on the same algorithm is {sharper:,.0f}, at a better rate "
            f"{promised['FTARL, sharper rate']:,.0f}; Hedge's is {promised['Hedge']:,.0f}."
        )
    said += growth(done)
    if done.audit:
        passed = sum(each.passed for each in done.audit)
        said.append(f"{passed} of {len(done.audit)} lines of the audit of the theory pass.")
    return [*said, *beyond(done)]


def growth(done: Reproduction) -> list[str]:
    """How regret grows with the number of rounds."""
    if done.growth is None:
        return []
    own = {(row["setting"], row["learner"]): row for row in done.growth.to_dicts()}
    full, root = own["full history, trap of T/4", paper.FTARL_LABEL], own[DRAWN, paper.FTARL_LABEL]
    bound = done.growth.filter(learner="bound")
    speaking = bound.filter(bound["regret"] < bound["T"])["T"].to_list()
    says = f"from T = {speaking[0]:,} on" if speaking else f"beyond T = {bound['T'][-1]:,}"
    lost = done.growth.filter(setting=DRAWN)["regret"].to_numpy() / bound["regret"].to_numpy()
    said = (
        f"Under full history regret grows like T to the power {full['exponent']:.2f} in a trap: no learner can help "
        f"it. With H = sqrt(T) it grows less than linearly, on StocHet like T to the power {root['exponent']:.2f} "
        f"(standard error {root['exponent_se']:.2f}). At these T that is at most {lost.max():.0%} of the theorem's "
        f"bound, which has the power {bound['exponent'][0]:.2f} and says something only {says}."
    )
    return [said]


def beyond(done: Reproduction) -> list[str]:
    """What Tracking, which is past the paper, has on the paper's costs."""
    if not done.past:
        return []
    ends = {(row["costs"], row["learner"]): row["regret"] for row in done.ends.to_dicts()}
    return [
        "Tracking, which aims the state instead of the decision and finds its own rate, has "
        + ", ".join(
            f"{ends[family, 'Tracking']:,.1f} on {family} (FTARL {ends[family, paper.FTARL_LABEL]:,.0f})"
            for family in done.past
        )
        + f"; exact over their own randomness, in the mean of {max(done.ends['draws'])} draws of random costs."
    ]


def _rates(done: Reproduction) -> list[str]:
    """Which rate of LSA fits what was published, at the end and all along."""
    said, apart, fitting = [], {}, []
    for name in paper.LEARNERS:
        if name == paper.FTARL_LABEL:
            continue
        end = max(abs(z) for z in done.table.filter(learner=name).drop_nulls("z")["z"])
        along = done.fits.filter(learner=name)
        most = max(abs(z) for z in along["z"])
        apart[name] = max(along["apart"])
        fits = "fits" if most <= AGREE else "does not fit"
        fitting += [name] * (most <= AGREE)
        said.append(
            f"The rate of {name!r} {fits} LSA's published curves: ours is up to {end:.1f} standard errors off at the "
            f"end, its exact mean up to {most:.1f} anywhere, and {apart[name]:,.0f} away (root mean square)."
        )
    nearest = min(apart, key=lambda name: apart[name])
    others = " and ".join(repr(name) for name in fitting if name != nearest)
    but = f"; what was published cannot tell it from {others}" if nearest in fitting and others else ""
    return [*said, f"The nearest of these is {nearest!r}{but}."]
