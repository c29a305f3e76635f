"""The page of a study: which learner is best, how regret grows, and all configurations."""

import math
from typing import Any

import polars as pl

from ..report import File, Page, as_csv, band, dots, line
from .comparing import pairs, ranking
from .figures import logarithmic, problems, shown_curves, tick_values
from .reading import written
from .results import Found
from .sentences import answer, exponents, number, power

KIND = "study"
ROWS = 300  # of a table on the page; the file beside it has all
CHARTS, MAPS = 6, 6  # for one parameter, and heat maps
PALE_TO_DARK, INK = [[0.0, "#f2f7fc"], [1.0, "#7fb0df"]], "#16181d"  # dark text is read on all of it


def study_page(found: Found) -> Page:
    """The page of a study, with its table and its declaration to be downloaded; raises ValueError without results."""
    found.check()
    summary, study = found.summary(), found.study
    files = {
        "summary.csv": File("regret after the last round, of all configurations", as_csv(summary)),
        "study.toml": File("the study, to be run again with bygones study run", written(study).encode()),
    }
    page = Page(study.name or "A study", files)
    page.lead(answer(found))
    page.text(
        "A learner is a rule that decides in every round from the costs before it. What a round costs depends on the",
        "state: the average of past decisions that the memory gives. Regret is how much more a learner has paid than",
        f"the best fixed action. There are {summary.height:,} configurations with up to {study.replicates:,}",
        "replicates each, which have the same costs for all learners.",
    )
    left = found.missing()
    if left:
        page.text(f"{left:,} replicates are missing: the study is not complete.")
    _learners(page, found)
    if found.study.record != "end":
        _rounds(page, found)
    _growth(page, found)
    _maps(page, found)
    page.heading("All configurations")
    more = f" The first {ROWS} of {summary.height:,}; summary.csv has all." if summary.height > ROWS else ""
    shown = summary.select(*found.swept, "mean", "se", "q05", "q50", "q95", "replicates", "bound")
    caption = "Regret after the last round. bound: the most that the theory allows the learner, in the mean."
    page.table(shown.head(ROWS), caption + more, {name: "{:g}".format for name in study.grid if name in found.swept})
    page.heading("Files")
    page.links()
    return page


def _learners(page: Page, found: Found) -> None:
    """Who is best, on common costs."""
    ranked = ranking(found.ends)
    if len(ranked.standings) < 2:
        return
    page.heading("Learners compared")
    page.text(
        "All learners saw the same costs. So the difference to the best is taken for each problem and replicate, and",
        "averaged over the problems; its standard error is that of the mean over the replicates. A learner is shown to",
        "be worse if the difference is more than two standard errors.",
    )
    rows = ranked.standings
    errors = [2 * (each.se or 0.0) for each in rows]
    best = rows[0].learner
    page.chart(
        [dots("more regret than the best", [each.more for each in rows], [each.learner for each in rows], 0, errors)],
        f"How much more regret than {best} each learner has, with two standard errors.",
        x="more regret than the best",
        y="",
        yaxis={"automargin": True, "autorange": "reversed"},
        height=110 + 30 * len(rows),
    )
    page.table(
        pl.DataFrame(
            {
                "learner": [each.learner for each in rows],
                "mean": [each.mean for each in rows],
                "more": [each.more for each in rows],
                "se": pl.Series([each.se for each in rows], dtype=pl.Float64),
                "worse": [None, *("yes" if each.se is not None and each.clear else "not shown" for each in rows[1:])],
                "lowest in": [each.best for each in rows],
            }
        ),
        f"Regret in the mean over {ranked.problems:,} problems and {ranked.replicates:,} replicates. more: than "
        f"{best}, and se its standard error. lowest in: the number of problems in which its mean is the lowest.",
        dict.fromkeys(("mean", "more", "se"), number),
    )


def _rounds(page: Page, found: Found) -> None:
    """Regret over the rounds."""
    page.heading("Regret over the rounds")
    page.text("Lines are means over the replicates, and bands are one standard deviation.")
    for title, part in problems(found):
        traces: list[dict[str, Any]] = []
        for place, learner in enumerate(part["learner"].unique(maintain_order=True)):
            own = part.filter(learner=learner)
            t, mean, sd = (own[name].to_numpy() for name in ("round", "mean", "sd"))
            traces.append(line(learner, t, mean, place, legendgroup=learner))
            traces.append(band(t, mean - sd, mean + sd, place, learner))
        page.chart(traces, f"Regret over the rounds: {title}.")


def _growth(page: Page, found: Found) -> None:
    """Regret against each parameter that is a number, and its exponents."""
    fits = exponents(found)
    for name in dict.fromkeys(name for name, *_ in fits):
        page.heading(f"Regret and {name}")
        others = [each for each in found.swept if each not in (name, "learner", "costs")]
        mean = f" It is the mean over all values of {', '.join(others)}." if others else ""
        page.text(f"Mean regret against {name}.{mean} Thin lines are the learners' bounds.")
        made = shown_curves(found, [name])
        kinds_of_costs = list(dict.fromkeys(curve.costs for curve in made))
        if len(kinds_of_costs) > CHARTS:
            page.text(f"The first {CHARTS} of {len(kinds_of_costs)} kinds of costs are drawn; the table has all.")
        for kind in kinds_of_costs[:CHARTS]:
            traces = []
            own = [curve for curve in made if curve.costs == kind]
            for place, curve in enumerate(own):
                x = [value for (value,) in curve.values]
                traces.append(line(curve.learner, x, curve.means, place, legendgroup=curve.learner))
                if curve.bounds is not None:
                    thin = {"legendgroup": curve.learner, "showlegend": False}
                    traces.append(line(curve.learner, x, curve.bounds, place, thin=True, ended=False, **thin))
            across, up = logarithmic(own)
            ticks = {"tickvals": tick_values(own), "ticktext": [f"{value:,.6g}" for value in tick_values(own)]}
            page.chart(
                traces,
                f"{kind}: mean regret against {name}, with bounds as thin lines.",
                xaxis=_axis(name) | ({"type": "log"} | ticks if across else {}),
                yaxis=_axis("regret") | ({"type": "log", "dtick": "D2"} if up else {}),
            )
        rows = [
            (
                curve.learner,
                curve.costs,
                fit.exponent,
                fit.se,
                fit.misfit,
                bound and bound.exponent,
            )
            for each, curve, fit, bound in fits
            if each == name and fit is not None
        ]
        if not rows:
            continue
        kinds: dict[str, Any] = dict.fromkeys(("exponent", "se", "misfit", "of the bound"), pl.Float64)
        frame = pl.DataFrame(rows, schema={"learner": pl.String, "costs": pl.String} | kinds, orient="row")
        several = found.study.replicates > 1
        page.table(
            frame,
            f"Exponents: regret grows like {name} to this power, by least squares on the logarithms of means. se: its "
            f"standard error, {'over replicates, by the jackknife' if several else 'of the regression'}. misfit: how "
            "far a mean is off the line at most. Left out: fewer than three values, or a mean that is not above zero.",
            dict.fromkeys(("exponent", "se", "of the bound"), power) | {"misfit": "{:.0%}".format},
        )


def _maps(page: Page, found: Found) -> None:
    """Mean regret against two parameters at once, of the best learner."""
    best = [each.learner for each in ranking(found.ends).standings[:1]]
    drawn = 0
    for across, up in pairs(found.study):
        made = [curve for curve in shown_curves(found, [across, up]) if not best or curve.learner in best]
        for curve in made[: MAPS - drawn]:
            if not drawn:
                page.heading("Two parameters at once")
            x, y = (sorted({values[place] for values in curve.values}) for place in (0, 1))
            means = dict(zip(curve.values, curve.means.tolist(), strict=True))
            table = [[means.get((a, b)) for a in x] for b in y]
            texts = [["" if value is None else number(value) for value in row] for row in table]
            page.chart(
                [_map(x, y, table, texts)],
                f"Mean regret of {curve.learner} on {curve.costs}: darker is more.",
                xaxis=_axis(across) | {"type": "category"},
                yaxis=_axis(up) | {"type": "category"},
            )
            drawn += 1


def _axis(title: str) -> dict[str, Any]:
    return {"title": {"text": title}, "automargin": True}


def _map(x: list[Any], y: list[Any], table: list[list[float | None]], texts: list[list[str]]) -> dict[str, Any]:
    """A heat map; colours follow the logarithm where that is possible, so that large numbers do not hide the others."""
    known = [value for row in table for value in row if value is not None]
    shade = math.log if min(known) > 0 else float
    shades = [[None if value is None else shade(value) for value in row] for row in table]
    names = [[f"{value:g}" for value in values] for values in (x, y)]
    quiet = {"showscale": False, "showlegend": False, "hoverinfo": "text", "xgap": 1, "ygap": 1}
    style = {"colorscale": PALE_TO_DARK, "text": texts, "texttemplate": "%{text}", "textfont": {"color": INK}}
    return {"type": "heatmap", "x": names[0], "y": names[1], "z": shades, **style, **quiet}
