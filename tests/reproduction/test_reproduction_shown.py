"""What a reader of the report sees, held to what was computed: every number by a way of its own."""

import io
import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib import image

import bygones as by
from bygones import paper
from bygones.cli import main
from bygones.reproduction import figure1, page, reproduce
from bygones.reproduction.changing import CHANGING
from bygones.reproduction.folder import DOTS
from bygones.reproduction.sections import promises

pytestmark = pytest.mark.compiled
RUNS, DRAWS = 30, 10
DOCS = Path(__file__).parents[2] / "docs"
ROUNDS = 10_000


@pytest.fixture(scope="module")
def done():
    return reproduce(("figure1", "past"), RUNS, 0, quick=True)


@pytest.fixture(scope="module")
def ours():
    """End regrets of every run, and whole curves, by `simulate`."""
    learners = list(paper.LEARNERS.values())
    return {
        family: dict(zip(paper.LEARNERS, by.simulate(paper.PROBLEM, learners, costs, RUNS, 0).regrets.values()))  # noqa: B905
        for family, costs in paper.FAMILIES.items()
    }


@pytest.fixture(scope="module")
def charts(done):
    """The charts of the page, by the beginning of what they say."""
    html = html_of(done)
    found = re.findall(r'aria-label="([^"]*)"></div><script type="application/json">(.*?)</script>', html)
    return {said: json.loads(spec) for said, spec in found}


def html_of(done):
    """The page, with letters for entities."""
    return unescape(page(done, "bygones reproduce", 1.0, {}).html())


def chart(charts, beginning):
    (spec,) = (spec for said, spec in charts.items() if said.startswith(beginning))
    return {trace.get("name", f"band of {trace.get('legendgroup')}"): trace for trace in spec["data"]}


def read(family, learner):
    rows = paper.published().filter(family=family, learner=learner)
    return rows["round"].to_list(), rows["mean_regret"].to_list(), rows["pixel"].to_list()


def test_z_counts_three_errors(done, ours):
    for row in done.table.drop_nulls("published").to_dicts():
        ends = ours[row["costs"]][row["learner"]][:, -1]
        _, means, pixels = read(row["costs"], row["learner"].partition(",")[0])
        variance = ends.var(ddof=1)
        error = np.sqrt(variance / RUNS + variance / 100 + pixels[-1] ** 2)
        assert row["published"] == means[-1]
        assert row["z"] == pytest.approx((ends.mean() - means[-1]) / error)
        assert row["se"] == pytest.approx(np.sqrt(variance / RUNS))


def test_what_was_never_published_has_no_z(done):
    rest = done.table.filter(costs="Cyc, all ten")
    assert rest.height == len(paper.LEARNERS)
    assert rest["z"].is_null().all()
    assert (rest["verdict"] == "not in the paper's figure").all()


def test_the_fit_looks_at_every_round_that_was_read(done, ours):
    assert done.fits.height == len(paper.PANELS) * len(paper.LEARNERS)
    for row in done.fits.to_dicts():
        rounds, means, pixels = (np.array(each) for each in read(row["costs"], row["learner"].partition(",")[0]))
        curves = ours[row["costs"]][row["learner"]][:, rounds - 1]
        draws = 1 if row["costs"] == "Cyc" else DRAWS
        learner = paper.LEARNERS[row["learner"]]
        exact = by.expected(paper.PROBLEM, [learner], paper.FAMILIES[row["costs"]], replicates=draws, progress=False)
        (exact,) = (each[:, rounds - 1] for each in exact.regrets.values())
        left = exact.var(axis=0, ddof=1) / draws if draws > 1 else 0
        z = (exact.mean(axis=0) - means) / np.sqrt(left + curves.var(axis=0, ddof=1) / 100 + pixels**2)
        worst = np.argmax(np.abs(z))
        assert (row["z"], row["round"]) == (pytest.approx(z[worst]), rounds[worst])
        assert row["apart"] == pytest.approx(np.sqrt(((exact.mean(axis=0) - means) ** 2).mean()))
        near, lower = (np.abs(z) <= 3).sum(), (z < 0).sum()
        assert row["verdict"] == f"fits at {near} of {len(z)} rounds, lower than published at {lower}"


def test_exact_means_have_the_error_that_the_draws_of_costs_leave(done):
    for row in done.table.filter(learner="FTARL").to_dicts():
        ends = next(iter(done.exact[row["costs"]].regrets.values()))[:, -1]
        if row["costs"].startswith("Cyc"):
            assert (len(ends), row["exact_se"]) == (1, None)
        else:
            assert len(ends) == DRAWS
            assert row["exact_se"] == pytest.approx(ends.std(ddof=1) / np.sqrt(DRAWS))


def test_the_figure_draws_what_it_says(done, ours):
    panels = dict(zip("abcdef", figure1(done).axes, strict=True))
    for row, family in enumerate(paper.PANELS):
        for letter, shown in (("ace"[row], ("FTARL", "LSA, Anava")), ("bdf"[row], ("FTARL",))):
            axes = panels[letter]
            assert axes.get_title() == f"({letter}) {family}"
            lines = {drawn.get_label(): drawn for drawn in axes.get_lines()}
            thin = [drawn for drawn in axes.get_lines() if drawn.get_linewidth() == 0.5]
            ends, highs, lows = [], [], []
            for name in shown:
                curves = ours[family][name]
                mean, sd = curves[:, -1].mean(), curves[:, -1].std(ddof=1)
                assert lines[name].get_xydata()[-1] == pytest.approx([ROUNDS, mean])
                marks = lines[f"{name.partition(',')[0]}, published"]
                assert marks.get_ydata() == pytest.approx(read(family, name.partition(",")[0])[1])
                ends.append(done.curve("exact", family, name)[1][-1])
                highs.append(mean + sd)
                lows.append(mean - sd)
            assert sorted(drawn.get_ydata()[-1] for drawn in thin) == pytest.approx(sorted(ends))
            corners = [
                band.get_paths()[0].vertices[band.get_paths()[0].vertices[:, 0] == ROUNDS, 1]
                for band in axes.collections
            ]
            assert sorted(each.max() for each in corners) == pytest.approx(sorted(highs))
            assert sorted(each.min() for each in corners) == pytest.approx(sorted(lows))
            assert axes.get_ylim()[0] <= min(lows)
        length = {"StocHet": 100, "StocId": 1, "Cyc": 100}[family]
        drawn = {each.get_label(): each for each in panels["bdf"[row]].get_lines()}["the paper's bound curve"]
        assert drawn.get_ydata()[-1] == pytest.approx(np.sqrt(ROUNDS * length * np.log(10)))


def test_the_charts_of_figure_1_draw_what_they_say(charts, done, ours):
    for family in paper.FAMILIES:
        traces = chart(charts, f"{family}: regret of FTARL and LSA")
        for name in paper.LEARNERS:
            curves = ours[family][name]
            assert traces[name]["x"][-1] == ROUNDS
            assert traces[name]["y"][-1] == pytest.approx(curves[:, -1].mean(), rel=1e-5)
        for name in ("FTARL", "LSA, Anava"):
            mean, sd = ours[family][name][:, -1].mean(), ours[family][name][:, -1].std(ddof=1)
            band = traces[f"band of {name}"]
            ends = [y for x, y in zip(band["x"], band["y"], strict=True) if x == ROUNDS]
            assert ends == pytest.approx([mean + sd, mean - sd], rel=1e-5)
            exact = traces[f"{name}, exact"]["y"][-1]
            assert exact == pytest.approx(done.curve("exact", family, name)[1][-1], rel=1e-5)
            learner = name.partition(",")[0]
            if family in paper.PANELS:
                assert (traces[f"{learner}, published"]["x"], traces[f"{learner}, published"]["y"]) == read(
                    family, learner
                )[:2]
            else:
                assert f"{learner}, published" not in traces
        if family in paper.PANELS:
            length = {"StocHet": 100, "StocId": 1, "Cyc": 100}[family]
            bound = np.sqrt(ROUNDS * length * np.log(10))
            assert traces["the paper's bound curve"]["y"][-1] == pytest.approx(bound, rel=1e-5)


def test_the_states_are_means_of_the_last_hundred_decisions(charts, done):
    table = by.StocHet().draw(10, ROUNDS, by_seed(0, 0))
    for name, learner in (("FTARL", by.FTARL()), ("LSA, Anava", by.LSA()), ("Steering", by.Steering())):
        decisions = learner.start(paper.PROBLEM, np.random.SeedSequence(0, spawn_key=(0, 1))).play(table)
        weights = np.eye(10)[decisions] if decisions.ndim == 1 else decisions
        states, moved = done.states["StocHet"][name]
        for t in (1, 50, 101, 7_777, ROUNDS):
            np.testing.assert_allclose(states[t - 1], weights[max(0, t - 100) : t].mean(axis=0), atol=1e-9)
        assert moved == pytest.approx(np.abs(np.diff(weights, axis=0)).sum() / 2)
        traces = chart(charts, f"StocHet: the state of {name}")
        for place in (0, 125, -1):
            at = round(traces["action 0"]["x"][place]) - 1
            assert [traces[f"action {i}"]["y"][place] for i in range(10)] == pytest.approx(states[at], rel=1e-5)
        steps = np.abs(np.diff(states, axis=0)).sum(axis=1)
        here = round(traces["action 0"]["x"][0]) - 1
        assert round(traces["action 0"]["x"][-1]) - here == 600
        assert steps[here : here + 599].sum() == pytest.approx(max(steps[k : k + 599].sum() for k in range(9_401)))


def by_seed(replicate, part):
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(0, spawn_key=(replicate, part))))


def test_the_curves_in_the_file_have_their_standard_errors(done, ours):
    curves = done.curves()
    for family, name in (("StocHet", "FTARL"), ("Cyc", "LSA, Geulen")):
        own = curves.filter(section="sampled", family=family, learner=name)
        np.testing.assert_allclose(own["mean"], ours[family][name].mean(axis=0))
        np.testing.assert_allclose(own["se"], ours[family][name].std(axis=0, ddof=1) / np.sqrt(RUNS), atol=1e-12)


def test_at_full_size_ftarl_agrees_with_what_was_published_and_the_summary_says_so():
    """Within 3 standard errors, on all three kinds of costs; and the tables say which rate of LSA does."""
    done = reproduce(("figure1",), paper.REPLICATES, 0)
    table = done.table.drop_nulls("published")
    ftarl = table.filter(learner="FTARL")
    assert ftarl["costs"].to_list() == list(paper.PANELS)
    assert (ftarl["z"].abs() <= 3).all()
    assert (done.fits.filter(learner="FTARL")["z"].abs() <= 3).all()
    drawn = io.BytesIO()
    figure1(done).savefig(drawn, dpi=DOTS, metadata={"Software": None})
    shown, kept = (image.imread(file) for file in (io.BytesIO(drawn.getvalue()), DOCS / "figure1.png"))
    assert shown.shape == kept.shape
    assert (shown != kept).any(axis=2).mean() < 0.001, "docs/figure1.png is stale: make reproduce pictures"
    html = html_of(done)
    assert "agrees with the published value within 3 standard errors on 3 of 3 kinds of costs" in html
    fitting = {"LSA, Anava": True, "LSA, Geulen": False, "LSA, half of Geulen": True, "LSA, Anava with nM": False}
    for name, fits in fitting.items():
        along = done.fits.filter(learner=name)
        end = done.table.filter(learner=name).drop_nulls("z")["z"].abs().max()
        assert (along["z"].abs().max() <= 3) == (end <= 3) == fits
        assert table.filter(learner=name)["verdict"].str.starts_with("agrees").all() == fits
        assert (
            f"The rate of {name!r} {'fits' if fits else 'does not fit'} the published curves of LSA. At the end our "
            f"mean is up to {end:.1f} standard errors away; over all rounds the exact mean is up to "
            f"{along['z'].abs().max():.1f} standard errors away, and the root mean square difference is "
            f"{along['apart'].max():,.0f}."
        ) in html
    nearest = "The closest of these rates is that of 'LSA, half of Geulen'; the published values do not distinguish it"
    assert f"{nearest} from 'LSA, Anava'." in html


def test_few_runs_judge_nothing():
    done = reproduce(("figure1",), 29, 0, quick=True)
    for frame in (done.table.drop_nulls("published"), done.fits):
        assert (frame["verdict"] == "29 runs are too few to judge by").all()
    html = html_of(done)
    assert "29 runs are too few to judge by. The regret of FTARL after the last round is: StocHet " in html
    assert "The rate of" not in html


def test_beyond_the_paper_every_learner_has_its_own_numbers(done, charts):
    html = html_of(done)
    for family, costs in (("StocHet", by.StocHet()), ("Cyc", by.Cyclic(hold=50, vectors=2))):
        own = done.ends.filter(costs=family)
        draws = 3 if family == "StocHet" else 1
        for name, learner in (("FTARL", by.FTARL()), ("Steering", by.Steering()), ("AdaHedge", by.AdaHedge())):
            result = by.expected(paper.PROBLEM, [learner], costs, replicates=draws, record="end").summary()
            row = own.filter(learner=name).to_dicts()[0]
            assert row["regret"] == pytest.approx(result["mean"][0])
            assert (row["draws"], row["se"]) == (draws, pytest.approx(result["se"][0]))
            assert chart(charts, f"{family}: regret of learners beyond")[name]["y"][-1] == pytest.approx(
                row["regret"], rel=1e-5
            )
        ends = {row["learner"]: row["regret"] for row in own.to_dicts()}
        assert f"{ends['Steering']:,.1f} on {family} (FTARL {ends['FTARL']:,.0f})" in html


def test_the_open_question_has_bounds_at_several_sizes(done, charts):
    assert done.bounded.columns == ["T", "H", "the paper", "Hedge", "HedgeAhead"]
    assert done.bounded.select("T", "H").rows() == [(1_000, 10), (1_000, 100), (10_000, 10), (10_000, 100)]
    html = re.sub(r">\s+<", "><", html_of(done))
    traces = chart(charts, "Bounds on regret with ten actions")
    assert set(traces) == {
        "the paper, T = 10,000",
        "Hedge, T = 10,000",
        *("HedgeAhead, T = 1,000", "HedgeAhead, T = 10,000"),
    }
    learners = {"the paper": by.FTARL(), "Hedge": by.Hedge(), "HedgeAhead": by.HedgeAhead()}
    for row in done.bounded.to_dicts():
        problem = by.Problem(10, row["T"], by.Window(row["H"]))
        for name, learner in learners.items():
            assert row[name] == learner.bound(problem)
            if f"{name}, T = {row['T']:,}" in traces:
                drawn = traces[f"{name}, T = {row['T']:,}"]
                unit = np.sqrt(row["T"] * np.log(10) / 2)
                assert drawn["y"][drawn["x"].index(row["H"])] == pytest.approx(row[name] / unit, rel=1e-5)
        assert row["HedgeAhead"] < row["Hedge"] < row["the paper"]
        assert f'<td class="number">{row["HedgeAhead"]:,.1f}</td>' in html
    assert "HedgeAhead, which plays ahead of the memory, has a bound of 616 here, where Hedge has 1,070" in html
    for name in ("Kumar, Dean and Kleinberg (2023)", "What may not be said"):
        assert name in html


def test_the_open_question_has_the_regret_of_three_learners(done):
    html = re.sub(r">\s+<", "><", html_of(done))
    table = html.partition("<figcaption>Regret of FTARL, Hedge and HedgeAhead")[2].partition("</table>")[0]
    rows = [re.findall("<td.*?>(.*?)</td>", row) for row in table.split("<tr>") if "<td" in row]
    learners = {"FTARL": by.FTARL(), "Hedge": by.Hedge(), "HedgeAhead": by.HedgeAhead()}
    assert [tuple(row[:2]) for row in rows] == [(family, name) for family in paper.PANELS for name in learners]
    for family, name, regret, error, draws, less, of_that in rows:
        count = 1 if family == "Cyc" else 3
        result = by.expected(paper.PROBLEM, list(learners.values()), paper.FAMILIES[family], replicates=count)
        ends = {label: values[:, -1] for label, values in result.regrets.items()}
        apart = ends["Hedge"] - ends[name]
        assert (regret, draws) == (f"{ends[name].mean():,.1f}", str(count))
        assert error == (f"{ends[name].std(ddof=1) / 3**0.5:,.1f}" if count > 1 else "")
        assert less == (f"{apart.mean():,.2f}" if name != "Hedge" else "")
        assert of_that == (f"{apart.std(ddof=1) / 3**0.5:,.2f}" if name != "Hedge" and count > 1 else "")


def test_where_the_best_action_changes_every_learner_has_its_regret_to_every_path(done):
    html = html_of(done)
    assert done.changing.columns == ["costs", "learner", "regret", "se", "draws", "1 change", "3 changes", "10 changes"]
    assert done.changing.height == 3 * len(paper.PAST)
    shown = [("one break", "FTARL"), ("random walk", "Steering, FixedShare"), ("turns of 500", "Guarded Steering")]
    for family, name in shown:
        row = done.changing.filter(costs=family, learner=name).to_dicts()[0]
        draws = 1 if family == "turns of 500" else 3
        ends = {K: [] for K in (0, 1, 3, 10)}
        for r in range(draws):
            costs = CHANGING[family].draw(10, ROUNDS, by_seed(r, 0))
            player = (paper.PAST[name].mean() or paper.PAST[name]).start(paper.PROBLEM)
            states = paper.PROBLEM.memory.start(10).extend(player.play(costs))
            for K, kept in ends.items():
                kept.append(by.accounting.regret(costs, states, changes=K)[-1])
        found = [row[key] for key in ("regret", "1 change", "3 changes", "10 changes")]
        assert found == pytest.approx([np.mean(kept) for kept in ends.values()])
        assert (row["draws"], row["se"]) == (
            draws,
            None if draws == 1 else pytest.approx(np.std(ends[0], ddof=1) / np.sqrt(draws)),
        )
        assert f'<td class="number">{row["10 changes"]:,.1f}</td>' in html
    broken = {row["learner"]: row["regret"] for row in done.changing.filter(costs="one break").to_dicts()}
    assert (
        f"FixedShare with Steering has a regret of {broken['Steering, FixedShare']:,.0f} to the best fixed action, "
        f"Steering alone one of {broken['Steering']:,.0f}, and FTARL one of {broken['FTARL']:,.0f}."
    ) in html


def test_who_promises_what_is_shown(done):
    html = html_of(done)
    assert "promises a regret of at most 1,177 whatever the costs" in html
    rows = {row["learner"]: row for row in promises().to_dicts()}
    assert list(rows) == list(paper.PAST)
    for name, learner in paper.PAST.items():
        assert rows[name]["promise"] == learner.bound(paper.PROBLEM)
    assert rows["FixedShare"]["against"] == "any path with 3 changes"
    assert rows["Guarded Steering"]["holds"] == "on every path of costs"
    assert rows["FTARL"]["holds"] == "in expectation"
    assert rows["Steering"] == {
        "learner": "Steering",
        "promise": None,
        "share": None,
        "against": None,
        "holds": None,
        "must be known": "nothing",
    }
    assert '<td class="number">1,177.4</td><td class="number">11.8%</td>' in re.sub(r">\s+<", "><", html)


def test_the_trap_is_drawn_with_learners_that_are_alike_as_one():
    done = reproduce(("horizon",), 2, 0, quick=True)
    html = html_of(done)
    spec = json.loads(html.partition('<script type="application/json">')[2].partition("</script>")[0])
    names = [name for trace in spec["data"] for name in trace["name"].split(" = ")]
    assert sorted(names) == sorted(done.trap["learner"].unique())
    for trace in spec["data"]:
        for name in trace["name"].split(" = "):
            own = done.trap.filter(learner=name)
            assert trace["x"] == own["H"].to_list()
            assert trace["y"] == pytest.approx((own["regret"] / own["H"]).to_list(), rel=1e-5, abs=1e-8)
    floor = done.trap.filter(learner="floor: 7H/64 + 1/16")
    assert floor["regret"].to_list() == pytest.approx((7 * floor["H"] / 64 + 1 / 16).to_list())


def test_the_audit_is_shown_with_its_standard_errors():
    done = reproduce(("audit",), 2, 0, quick=True)
    frame = done.tables()["audit"]
    chance = pl.col("kind").is_in(["expectation", "frequency"])
    assert frame.filter(chance)["error"].is_not_null().all()
    assert frame.filter(~chance)["error"].is_null().all()
    html = html_of(done)
    assert "Problem(actions=3, horizon=2000, memory=Window(length=4))" in html
    for each in done.audit:
        if each.error is not None:
            assert f'<td class="number">{each.error:.3g}</td>' in html


def test_the_growth_is_that_of_the_traps_and_the_summary_tells_it():
    done = reproduce(("horizon",), 2, 0, quick=True)
    part = {
        setting: frame for (setting, learner), frame in done.growth.group_by("setting", "learner") if learner != "FTARL"
    }
    leader = part["H = sqrt(T), trap of H/4"]
    H = leader["T"].to_numpy() ** 0.5
    np.testing.assert_allclose(leader["regret"], 7 * H / 64 + 1 / 16)
    bound = part["H = sqrt(T), the theorem"]
    for T, value in bound.select("T", "regret").rows():
        assert value == pytest.approx(by.FTARL().bound(by.Problem(10, T, by.Window(round(T**0.5)))))
    powers = {
        setting: np.polyfit(np.log(own["T"].to_numpy()), np.log(own["regret"].to_numpy()), 1)[0]
        for (setting,), own in done.growth.filter(pl.col("learner") != "FollowTheLeader").group_by("setting")
    }
    ends = []
    for T in bound["T"]:
        problem = by.Problem(10, T, by.Window(round(T**0.5)))
        ends.append(by.expected(problem, [by.FTARL()], by.StocHet(), replicates=5, record="end").regrets["FTARL"][:, 0])
    slopes = [np.polyfit(np.log(bound["T"].to_numpy()), np.log(each), 1)[0] for each in np.transpose(ends)]
    error = np.std(slopes, ddof=1) / 5**0.5
    html = html_of(done)
    for said in (
        f"regret in a trap grows like T to the power {powers['full history, trap of T/4']:.2f}, and no learner",
        f"on StocHet like T to the power {powers['H = sqrt(T), StocHet']:.2f} (standard error {error:.2f})",
        f"which grows like T to the power {powers['H = sqrt(T), the theorem']:.2f} and is vacuous up to T = 3,600.",
        f"it is at most {max(np.mean(ends, axis=1) / bound['regret'].to_numpy()):.0%} of the theorem",
    ):
        assert said in html
    assert (bound["regret"] > bound["T"]).all()


def test_a_rate_that_fits_only_at_the_end_does_not_fit(done):
    html = html_of(done)
    other = reproduce((), RUNS, 0)
    other.sampled, other.exact, other.states = done.sampled, done.exact, {}
    early = (pl.col("learner") == "LSA, half of Geulen") & (pl.col("costs") == "StocId")
    other.fits = done.fits.with_columns(z=pl.when(early).then(-4.5).otherwise("z"))
    sentence = "The rate of 'LSA, half of Geulen' {} the published curves of LSA."
    assert sentence.format("fits") in html
    assert sentence.format("does not fit") in html_of(other)


def test_the_guarantee_and_the_bounds_are_drawn(done, charts):
    for family in paper.PANELS:
        traces = chart(charts, f"{family}: regret of learners beyond")
        held = done.past[family].guarantees["Hedge"]
        ends = traces["Hedge, guarantee"]["y"]
        assert [ends[0], ends[-1]] == pytest.approx(held.mean(axis=0)[[0, -1]], rel=1e-5)
        assert traces["Hedge, bound"]["y"] == pytest.approx([by.Hedge().bound(paper.PROBLEM)] * 2, rel=1e-5)
        sharp = [by.FTARL(tuning="sharp").bound(paper.PROBLEM)] * 2
        assert traces["FTARL(tuning='sharp'), bound"]["y"] == pytest.approx(sharp, rel=1e-5)


def test_another_seed_is_another_draw_everywhere():
    one, other = (reproduce(("figure1", "audit"), 2, seed, quick=True) for seed in (0, 3))
    assert not one.table["ours"].equals(other.table["ours"])
    assert one.audit != other.audit
    assert other.audit == by.audit(seed=3, draws=60)
    for name in ("FTARL", "LSA, Anava", "Steering"):
        assert not np.array_equal(one.states["StocHet"][name][0], other.states["StocHet"][name][0])


def test_the_terminal_tells_what_the_table_has(capsys, done, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    words = ["reproduce", "--quick", "--replicates", str(RUNS), "--only", "figure1", "--out", str(tmp_path / "a[/b]")]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert str(tmp_path / "a[/b]" / "index.html") in printed.replace("\n", "")
    lines = [line.split("│")[1:-1] for line in printed.splitlines() if line.startswith("│")]
    rows = [[cell.strip() for cell in line] for line in lines]
    here, seen = "", 0
    for name, there, mine, exact, z, curve in rows:
        if not mine:
            here = name
            continue
        row = done.table.filter(costs=here, learner=name).to_dicts()[0]
        assert there == ("" if row["published"] is None else f"{row['published']:,.0f}")
        assert mine == f"{round(row['ours']):,} ({row['se']:.0f})"
        assert exact == f"{round(row['exact']):,}"
        assert z == ("" if row["z"] is None else f"{row['z']:+.1f}")
        means = done.curve("sampled", here, name)[1]
        picks = means[np.linspace(0, len(means) - 1, len(curve)).round().astype(int)]
        low, high = min(0.0, picks.min()), picks.max()
        assert curve == "".join("▁▂▃▄▅▆▇█"[round(7 * share)] for share in (picks - low) / (high - low))
        seen += 1
    assert seen == done.table.height
