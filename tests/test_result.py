import re
import sys

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from samples import Stranger

import bygones as by
from bygones import store

PROBLEM = by.Problem(3, 200, by.Window(10))


@pytest.fixture(scope="module")
def result():
    return by.simulate(PROBLEM, [by.FTARL(), by.LSA(), by.LSA(tuning="geulen")], by.StocHet(), replicates=20, seed=3)


def test_frames(result):
    columns = ["mean", "sd", "se", "q05", "q50", "q95"]
    summary, curves = result.summary(), result.curves()
    assert summary.columns == ["learner", *columns]
    assert curves.columns == ["learner", "round", *columns]
    assert summary["learner"].to_list() == ["FTARL", "LSA", "LSA(tuning='geulen')"]
    assert len(curves) == 3 * 200
    for label, row in zip(result.regrets, summary.iter_rows(named=True), strict=True):
        ends = result.regrets[label][:, -1]
        assert row["mean"] == pytest.approx(ends.mean())
        assert row["sd"] == pytest.approx(ends.std(ddof=1))
        assert row["se"] == pytest.approx(ends.std(ddof=1) / 20**0.5)
        assert [row["q05"], row["q50"], row["q95"]] == pytest.approx(np.quantile(ends, [0.05, 0.5, 0.95]))
    assert curves.filter(round=200).drop("round").equals(summary)


def test_one_replicate_has_no_deviation():
    single = by.simulate(PROBLEM, [by.FTARL()], by.StocHet(), replicates=1)
    assert single.summary().select("sd", "se").row(0) == (None, None)
    assert "regret" in repr(single)
    assert single.plot() is not None


def test_everything_in_one_frame(result):
    frame = result.to_frame()
    assert frame.columns == ["learner", "replicate", "round", "regret"]
    assert len(frame) == 3 * 20 * 200
    one = frame.filter(learner="LSA", replicate=7)
    assert (one["regret"].to_numpy() == result.regrets["LSA"][7]).all()


def test_pandas_without_pyarrow(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame, pandas = result.to_frame(), result.to_pandas()
    assert list(pandas.columns) == frame.columns
    assert pl.DataFrame(pandas.to_dict("list")).equals(frame)
    assert pandas["regret"].dtype == np.float64
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        ImportError, match=r"needs pandas, which is not installed: install it with `pip install pandas`"
    ):
        result.to_pandas()


def test_paired_comparison(result):
    row = result.compare("LSA", "FTARL").row(0, named=True)
    ends = result.regrets["LSA"][:, -1] - result.regrets["FTARL"][:, -1]
    assert (row["first"], row["second"]) == ("LSA", "FTARL")
    assert row["difference"] == pytest.approx(ends.mean())
    assert row["se"] == pytest.approx(ends.std(ddof=1) / 20**0.5)
    with pytest.raises(ValueError, match="there is no learner 'Hedge': the learners are FTARL, LSA"):
        result.compare("Hedge", "LSA")
    with pytest.raises(
        ValueError, match=r"compare\(\) was given 'LSA' alone: give two learners, or none for all pairs"
    ):
        result.compare("LSA")


def test_all_pairs_are_compared(result):
    pairs = result.compare()
    assert pairs.columns == ["first", "second", "difference", "se"]
    first, second, third = result.regrets
    assert pairs.select("first", "second").rows() == [(first, second), (first, third), (second, third)]
    for row in pairs.iter_rows(named=True):
        assert result.compare(row["first"], row["second"]).row(0, named=True) == row
    alone = made({"a": [1.0, 2.0]})
    assert alone.compare().is_empty()
    assert alone.compare().columns == pairs.columns


def made(ends):
    """A result of fixed actions with these regrets in the only recorded round."""
    problem = by.Problem([*ends, "spare"], 1, by.Window(1))
    regrets = [np.array(each)[:, np.newaxis] for each in ends.values()]
    return by.Result(problem, list(map(by.Fixed, ends)), np.array([1]), regrets, {})


def test_latex_has_every_learner_and_the_best_in_bold():
    common = np.linspace(-40.0, 40.0, 9)  # what the costs do to all
    jitter = np.array([-1.0, 1.0, -1.0, 1.0, 0.0, 1.0, -1.0, 1.0, -1.0])
    ends = {
        "best": 1000 + common,
        "no worse": 1000.4 + common + jitter,
        "worse": 1001 + common + jitter,  # by less than its own error, and by more than two of the difference
        "a_b & 100% $x^2$ {~} #\\": 5000 + common,
    }
    table = made(ends).to_latex().split("\n")
    assert table[:2] == [r"\begin{tabular}{lr}", r"\toprule"]
    assert table[2:4] == [r"Learner & Regret \\", r"\midrule"]
    assert table[-2:] == [r"\bottomrule", r"\end{tabular}"]
    rows = table[4:-2]
    assert [r"\mathbf" in row for row in rows] == [True, True, False, False]
    assert rows[0] == rf"Fixed(action='best') & $\mathbf{{1{{,}}000.0}} \pm {common.std(ddof=1) / 3:.1f}$ \\"
    escaped = r"a\_b \& 100\% \$x\textasciicircum{}2\$ \{\textasciitilde{}\} \#\textbackslash{}\textbackslash{}"
    assert rows[3].startswith(rf"Fixed(action='{escaped}') & $")
    assert all(row.endswith(r"$ \\") and row.count(" & ") == 1 for row in rows)


def test_latex_of_one_replicate_has_no_errors_and_one_best():
    table = made({"a": [0.0012345], "b": [0.1]}).to_latex()
    assert r"\pm" not in table
    assert re.findall(r"\$(.*)\$", table) == [r"\mathbf{0.0012}", "0.1000"]
    assert r"$\mathbf{0.000}$" in made({"a": [0.0], "b": [0.0]}).to_latex()


def test_saving_and_loading(result, tmp_path):
    path = tmp_path / "run.parquet"
    result.save(path)
    again = by.Result.load(path)
    assert again.problem == result.problem
    assert again.learners == result.learners
    assert again.about == result.about
    assert again.about["seed"] == 3
    assert (again.rounds == result.rounds).all()
    assert all((again.regrets[label] == result.regrets[label]).all() for label in result.regrets)
    assert pl.read_parquet(path).equals(result.to_frame())
    first = path.read_bytes()
    result.save(path)
    assert path.read_bytes() == first


def test_newer_versions_and_other_headers_are_refused(result, tmp_path):
    path = tmp_path / "run.parquet"
    header, frame = store.frame_from(result.to_bytes())
    for change, message in (
        ({"version": 3}, "by a newer bygones"),
        ({"version": 1}, "is not a saved result"),
        ({"format": "x"}, "is not a saved result"),
        ({"learners": []}, "is not a saved result"),
        ({"learners": header["learners"][:2]}, "is not a saved result"),
        ({"about": None}, "is not a saved result"),
    ):
        path.write_bytes(store.sealed_frame(frame, header | change))
        with pytest.raises(ValueError, match=message):
            by.Result.load(path)
    for odd in (frame.drop("regret"), frame[1:], frame.with_columns(regret=pl.lit("x")), frame.clear()):
        path.write_bytes(store.sealed_frame(odd, header))
        with pytest.raises(ValueError, match="is not a saved result"):
            by.Result.load(path)


def test_foreign_files_are_refused(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("nothing")
    for name in ("other.parquet", "text.parquet"):
        with pytest.raises(ValueError, match="is not a saved result, or it is damaged, or an earlier bygones"):
            by.Result.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        by.Result.load(tmp_path / "missing.parquet")


def test_the_figure_shows_every_learner_and_bounds_on_request(result):
    labels = [text.get_text() for text in result.plot().get_legend().get_texts()]
    assert labels == list(result.regrets)
    bounded = [text.get_text() for text in result.plot(bounds=True).get_legend().get_texts()]
    assert "FTARL, bound" in bounded


def test_plot_draws_on_given_axes_or_on_new_ones(result):
    given = Figure().subplots()
    assert result.plot(ax=given) is given
    assert [line.get_label() for line in given.get_lines()] == list(result.regrets)
    new = result.plot(figsize=(3, 2))
    assert isinstance(new, Axes)
    assert new.figure.get_size_inches().tolist() == [3, 2]
    assert result.plot().figure.get_size_inches().tolist() == [7, 4.2]
    with pytest.raises(ValueError, match=r"figsize is \(3, 2\), and ax has a figure already: give one of them"):
        result.plot(given, (3, 2))


def test_a_notebook_shows_a_plot_without_pyplot(result):
    """IPython looks for `_repr_png_` on what a cell ends with."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    open_before = pyplot.get_fignums() if pyplot else []
    axes = result.plot(figsize=(3, 2))
    shown = axes._repr_png_()
    assert shown.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(shown[place : place + 4], "big") for place in (16, 20))
    assert (width, height) == tuple(axes.figure.get_size_inches() * axes.figure.dpi)
    assert (pyplot.get_fignums() if pyplot else []) == open_before
    axes.remove()
    assert axes._repr_png_() is None


def test_notebooks_show_tables_with_everything_escaped(result):
    shown = result._repr_html_()
    assert shown.startswith("<table><caption>20 replicates, 200 rounds of StocHet()</caption>")
    assert re.findall("<th>(.*?)</th>", shown) == ["learner", "mean regret", "standard error", "5 %", "median", "95 %"]
    cells = re.findall("<td>(.*?)</td>", shown)
    assert cells[::6] == ["FTARL", "LSA", "LSA(tuning=&#x27;geulen&#x27;)"]
    mean, se = result.summary().row(0)[1], result.summary().row(0)[3]
    assert cells[1:3] == [f"{mean:,.1f}", f"{se:,.1f}"]
    odd = made({"<b>": [1.0], "another": [2.0]})
    assert "Fixed(action=&#x27;&lt;b&gt;&#x27;)</td><td>1.0</td><td></td>" in odd._repr_html_()
    problem = odd.problem._repr_html_()
    assert "<tr><th>actions</th><td>&#x27;&lt;b&gt;&#x27;, &#x27;another&#x27;, &#x27;spare&#x27;</td></tr>" in problem
    assert "<tr><th>horizon</th><td>unknown</td></tr>" in by.Problem(2, None, by.Window(3))._repr_html_()
    assert "<tr><th>memory</th><td>Window(length=3)</td></tr>" in by.Problem(2, None, by.Window(3))._repr_html_()
    player = by.Fixed("<b>").start(odd.problem, history=["<b>"])
    player.observe([0.0, 1.0, 0.5])
    assert "<th>learner</th><td>Fixed(action=&#x27;&lt;b&gt;&#x27;)</td>" in player._repr_html_()
    assert "<th>observed</th><td>1 rounds, after a history of 1</td>" in player._repr_html_()


class Mine(by.Hedge):
    """A learner that bygones does not have."""


class Short(by.Window):
    """A memory that bygones does not have."""


def test_a_class_that_bygones_does_not_have_is_named_with_the_remedy(tmp_path):
    problem = by.Problem(2, 20, Short(5))
    by.simulate(problem, [Mine()], by.StocHet(), replicates=2).save(tmp_path / "run.parquet")
    by.save(Mine().start(problem), tmp_path / "player.npz")
    for load, name in ((by.Result.load, "run.parquet"), (by.load, "player.npz")):
        for known, said in (
            ({"memories": [Short]}, r"it names the learner Mine, which bygones does not have: pass learners=\[Mine\]"),
            ({"learners": [Mine]}, r"it names the memory Short, which bygones does not have: pass memories=\[Short\]"),
        ):
            with pytest.raises(ValueError, match=f"{name} cannot be .*: {said}"):
                load(tmp_path / name, **known)
        again = load(tmp_path / name, learners=[Mine], memories=[Short])
        assert again.problem == problem


def test_repr_has_the_essentials(result):
    shown = repr(result)
    assert shown.startswith("<Result: 20 replicates, 200 rounds of StocHet()")
    assert shown.count("regret") == 3


@pytest.mark.parametrize("costs_per", ["replicate", "shared"])
def test_the_summary_can_compare_with_paths(costs_per):
    """Each replicate with its own best path; the costs are drawn again, in blocks that differ from those of the run."""
    learners, family = [by.FTARL(), by.FixedShare(2)], by.Blocks(30)
    run = by.simulate(PROBLEM, learners, family, replicates=3, seed=5, costs_per=costs_per)
    tables = [
        family.draw(
            3, 200, np.random.default_rng(np.random.SeedSequence(5, spawn_key=(r * (costs_per != "shared"), 0)))
        )
        for r in range(3)
    ]
    for changes in (0, 1, 3, 500):
        least = np.array([by.accounting.best_path(table, changes).totals[-1] for table in tables])
        fixed = np.array([table.sum(axis=0).min() for table in tables])
        ends = run.regrets["FTARL"][:, -1] + fixed - least
        row = run.summary(changes=changes).row(0, named=True)
        assert row["mean"] == pytest.approx(ends.mean())
        assert row["sd"] == pytest.approx(ends.std(ddof=1))
        assert row["q50"] == pytest.approx(np.median(ends))
    assert run.summary(0).equals(run.summary())
    held = by.expected(PROBLEM, [by.Hedge()], by.Cyclic(9), guarantee=True)
    assert "guarantee" in held.summary().columns
    assert "guarantee" not in held.summary(1).columns  # which is about the best fixed action


def test_paths_go_through_the_ends_of_blocks():
    problem = by.Problem(2, 200_000, by.Window(3))  # several blocks
    costs = np.repeat([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [65_536, 65_536, 68_928], axis=0)
    run = by.expected(problem, [by.Hedge()], costs, record="end")
    fixed = run.summary()["mean"][0]
    assert [run.summary(changes)["mean"][0] - fixed for changes in (1, 2, 3)] == pytest.approx([0, 65_536, 65_536])


def test_paths_need_the_costs(result, tmp_path):
    table = np.random.default_rng(0).random((200, 3))
    np.save(tmp_path / "costs.npy", table)
    read = by.expected(PROBLEM, [by.Hedge()], tmp_path / "costs.npy")
    assert read.summary(2).equals(by.expected(PROBLEM, [by.Hedge()], table).summary(2))
    once = by.expected(PROBLEM, [by.Hedge()], iter([table]))
    with pytest.raises(ValueError, match="the costs were an iterator, which is used up: give a table"):
        once.summary(changes=2)
    result.save(tmp_path / "result.parquet")
    with pytest.raises(ValueError, match="changes is 2, and the costs are not kept .*: simulate again"):
        by.Result.load(tmp_path / "result.parquet").summary(changes=2)
    with pytest.raises(ValueError, match="changes"):
        result.summary(changes=-1)


def test_guards_keep_their_guarantee():
    problem = by.Problem(3, 150, by.Window(6))
    table = by.Blocks(7).draw(3, 180, np.random.default_rng(2))
    learners = [by.Guarded(), by.Guarded(Stranger()), by.Hedge()]
    with pytest.warns(UserWarning, match="past the horizon"):
        run = by.expected(problem, learners, table, guarantee=True, record="all")
    for learner in learners[:2]:
        player, held = learner.start(problem), run.guarantees[by.learners.labels(learners)[learners.index(learner)]][0]
        for t, row in enumerate(table[:150]):
            player.observe(row)
            assert held[t] == player.guarantee
        assert np.isnan(held[150:]).all()
    short = by.expected(problem, learners[:1], iter([table[:40]]), guarantee=True, record=7)
    player = learners[0].start(problem)
    player.play(table[:40])
    assert short.guarantees["Guarded"][0, -1] == player.guarantee
