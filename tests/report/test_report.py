import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.report import File, Lane, Page, Share, Verdict, area, band, lanes, line, report_folder, thin
from bygones.report import folder as folder_module
from bygones.report.folder import check_writable
from bygones.store import held

EVIL = '<script>alert("&")</script>'


def test_everything_on_a_page_is_escaped():
    page = Page(EVIL, {EVIL: File(EVIL, b"content")})
    page.heading(EVIL)
    page.lead(EVIL)
    page.text(EVIL, EVIL)
    page.items([EVIL])
    page.links()
    page.card(EVIL, EVIL, {EVIL: [Share(EVIL, 1.0, 0)]}, {EVIL: [EVIL]}, lambda _: EVIL)
    page.verdicts([Verdict(EVIL, EVIL, EVIL, EVIL, True)])
    traces, layout = lanes({EVIL: Lane([1.0, 2.0], None)}, [EVIL, EVIL], span=(0, 1), marks=[EVIL])
    page.chart(traces, EVIL, **layout)
    page.table(pl.DataFrame({EVIL: [EVIL, None]}), EVIL, {EVIL: lambda value: value * 2})
    page.chart([line(EVIL, [1, 2], [3, 4], 0), band([1, 2], [0, 1], [2, 3], 0, EVIL), area(EVIL, [1], [2], 3)], EVIL)
    for html in (page.html(), page.html(single_file=True)):
        assert "alert" in html
        assert "<script>alert" not in html
        assert '<script type="application/json">{"data"' in html
        for wrong in (EVIL, '("&")', "('&')"):
            assert wrong not in html


def test_charts_hold_what_they_were_given():
    page = Page("a page")
    page.chart([line("one", [1, 2], [3.5, 4.5], 9, legendgroup="g")], "a chart", x="day", y="cost")
    written = page.html().partition('<script type="application/json">')[2].partition("</script>")[0]
    spec = json.loads(written)
    assert spec["data"][0]["y"] == [3.5, 4.5]
    assert spec["data"][0]["legendgroup"] == "g"
    assert spec["layout"]["xaxis"]["title"]["text"] == "day"
    assert page.html().count("<figure>") == page.charts == 1


def test_tables_show_numbers_as_asked_and_leave_holes_empty():
    page = Page("a page")
    page.table(pl.DataFrame({"name": ["a", "b"], "value": [1234.5678, None]}), "said", {"value": "{:,.1f}".format})
    html = page.html()
    assert '<td class="number">1,234.6</td>' in html
    assert '<td class="number"></td>' in html
    assert "None" not in html.partition("<main>")[2].partition("</main>")[0]


def test_a_page_is_written_with_plotlys_script(tmp_path):
    page = Page("a page")
    page.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "plotly.min.js"}
    assert (tmp_path / "plotly.min.js").read_bytes().startswith(b"/**\n* plotly.js")
    html = (tmp_path / "index.html").read_text()
    assert html == page.html()
    assert '<script src="plotly.min.js"></script>' in html
    assert "{{" not in html
    assert "{%" not in html


def test_curves_are_thinned_evenly_from_the_first_point_to_the_last():
    t, two = thin(np.arange(1, 10_001), np.arange(20_000.0).reshape(-1, 2), most=250)
    assert (len(t), t[0], t[-1], two.shape) == (250, 1, 10_000, (250, 2))
    assert set(np.diff(t)) <= {40, 41}
    assert (two[:, 0] == 2 * (t - 1)).all()
    (short,) = thin(np.arange(5), most=250)
    assert short.tolist() == [0, 1, 2, 3, 4]
    assert len(thin(np.arange(1_000))[0]) == 400


def test_a_chart_has_six_digits_and_shows_names_as_they_are():
    drawn = line("<b>a</b> & 'b'", np.arange(3), [1 / 3, 2_000_000, "2013-01-01"], 0)
    assert drawn["name"] == "&lt;b&gt;a&lt;/b&gt; &amp; 'b'"
    assert (drawn["x"], drawn["y"]) == ([0, 1, 2], [0.333333, 2_000_000, "2013-01-01"])
    stacked = area("<i>", np.arange(2), np.array([0.25, 2 / 3]), None, "hv")
    assert (stacked["name"], stacked["y"], stacked["line"]["shape"]) == ("&lt;i&gt;", [0.25, 0.666667], "hv")
    edges = band(np.arange(2), np.array([0.0, 1.0]), np.array([2.0, 3.0]), 0, "g")
    assert (edges["x"], edges["y"]) == ([0, 1, 1, 0], [2.0, 3.0, 1.0, 0.0])


def report(folder, text="one"):
    with report_folder(folder, "report") as place:
        (place / "index.html").write_text(text)


def test_a_report_is_written_whole_and_may_be_written_again(tmp_path):
    folder = tmp_path / "deep" / "report"
    report(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "report.json"]
    with report_folder(folder, "report") as place:
        (place / "other.html").write_text("two")
    assert sorted(path.name for path in folder.iterdir()) == ["other.html", "report.json"]
    assert [path.name for path in folder.parent.iterdir()] == ["report"]


def test_an_empty_folder_is_as_good_as_none(tmp_path):
    (tmp_path / "report").mkdir()
    report(tmp_path / "report")
    assert (tmp_path / "report" / "index.html").exists()


@pytest.mark.parametrize("mark", [None, "{}", "no json", '{"format": "bygones report", "files": []}', "[]"])
def test_what_somebody_else_made_is_never_overwritten(tmp_path, mark):
    (tmp_path / "thesis.tex").write_text("years of work")
    if mark is not None:
        (tmp_path / "report.json").write_text(mark)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"holds '(thesis.tex|report.json)', which is no part of an earlier report"):
        report(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("content", ["precious", "<!doctype html>\n<title>mine, not bygones</title>"])
def test_a_file_of_somebody_else_is_never_overwritten(content, tmp_path):
    path, page = tmp_path / "page.html", Page("A page")
    path.write_text(content)
    for write in (lambda: page.report(path, "report", single_file=True), lambda: check_writable(path, "report", True)):
        with pytest.raises(ValueError, match=r"page\.html is a file that is not an earlier report: name another file"):
            write()
    assert path.read_text() == content
    path.write_text("")
    for title in ("A page", "Another page"):
        Page(title).report(path, "report", single_file=True)
        assert f"<title>{title}</title>" in path.read_text()


def test_a_report_of_another_kind_is_kept(tmp_path):
    report(tmp_path)
    with pytest.raises(ValueError, match=r"holds 'index.html', which is no part of an earlier backtest"):  # noqa: SIM117
        with report_folder(tmp_path, "backtest"):
            pass
    assert (tmp_path / "index.html").read_text() == "one"


def test_a_file_beside_an_earlier_report_is_kept(tmp_path):
    report(tmp_path / "report")
    (tmp_path / "report" / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"holds 'notes.txt'"):
        report(tmp_path / "report", "two")
    assert (tmp_path / "report" / "index.html").read_text() == "one"


def test_nothing_half_written_is_left(tmp_path):
    def fail(folder):
        with report_folder(folder, "report") as place:
            (place / "index.html").write_text("half")
            raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail(tmp_path / "report")
    assert list(tmp_path.iterdir()) == []
    report(tmp_path / "report")
    with pytest.raises(OSError, match="No space"):
        fail(tmp_path / "report")
    assert (tmp_path / "report" / "index.html").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def files(folder):
    """What the files of a report hold, the mark left out."""
    return {path.name: path.read_text() for path in folder.iterdir() if path.name != "report.json"}


@pytest.mark.parametrize("step", range(1, 6))  # of the marks and files that are moved
def test_a_move_that_stops_half_way_is_completed_by_the_next_run(tmp_path, monkeypatch, step):
    monkeypatch.chdir(tmp_path)  # which is not replaced, so that the files are moved one by one
    with report_folder(tmp_path, "report") as place:
        for name in ("index.html", "old.csv"):
            (place / name).write_text("one")
    old, new = files(tmp_path), {"index.html": "two", "new.csv": "two"}
    replace, calls = Path.replace, []

    def once(self, target):
        calls.append(target)
        if len(calls) == step:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    def again(keep=True):
        with report_folder(tmp_path, "report", keep=keep) as place:
            for name, text in new.items():
                (place / name).write_text(text)

    monkeypatch.setattr(Path, "replace", once)
    with pytest.raises(OSError, match=r"cannot be written: Input/output error; name another folder"):
        again()
    moving = "moving" in json.loads((tmp_path / "report.json").read_text())
    assert moving == (step > 2)
    again(keep=False)
    assert files(tmp_path) == (new if moving else old)
    again()
    assert files(tmp_path) == new


def test_a_folder_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    """The working directory, one whose parent is read-only, and any where two folders cannot change places."""
    nobody, me = 65_534, os.geteuid()

    def stays(folder):
        before = folder.stat().st_ino
        for text in ("one", "two"):
            report(folder, text)
            assert (folder.stat().st_ino, files(folder)) == (before, {"index.html": text})

    for name in ("here", "locked", "mounted"):
        (tmp_path / name / "report").mkdir(parents=True)
    with monkeypatch.context() as patched:
        patched.chdir(tmp_path / "here" / "report")
        stays(Path())
    with TemporaryDirectory() as outer:
        inner = Path(outer) / "report"
        inner.mkdir()
        os.chown(inner, nobody if me == 0 else me, -1)
        Path(outer).chmod(0o555)
        if me == 0:
            os.seteuid(nobody)
        try:
            stays(inner)
        finally:
            os.seteuid(me)
            Path(outer).chmod(0o700)
    rename = os.rename

    def apart(one, other):
        """As if the folder were a mount point."""
        if ("mounted/report" in str(one)) != ("mounted/report" in str(other)) or str(other).endswith("/report"):
            raise OSError(18, "Invalid cross-device link")
        rename(one, other)

    monkeypatch.setattr(os, "rename", apart)
    monkeypatch.setattr(folder_module, "_exchange", apart)
    stays(tmp_path / "mounted" / "report")
    assert [path.name for path in (tmp_path / "mounted").iterdir()] == ["report"]


def test_a_folder_that_is_replaced_keeps_its_mode_and_a_new_one_has_the_usual(tmp_path):
    mask = os.umask(0)
    os.umask(mask)
    report(tmp_path / "report")
    assert (tmp_path / "report").stat().st_mode & 0o7777 == 0o777 & ~mask
    (tmp_path / "report").chmod(0o750)
    before = (tmp_path / "report").stat().st_ino
    report(tmp_path / "report", "two")
    assert (tmp_path / "report").stat().st_ino != before
    assert (tmp_path / "report").stat().st_mode & 0o7777 == 0o750


def test_a_file_that_comes_in_the_last_moment_is_kept(tmp_path, monkeypatch):
    exchange, thesis = folder_module._exchange, tmp_path / "report" / "thesis.tex"
    report(tmp_path / "report")

    def late(one, other):
        if not calls:
            thesis.write_text("years of work")
        calls.append(other)
        exchange(one, other)

    calls = []
    monkeypatch.setattr(folder_module, "_exchange", late)
    with pytest.raises(ValueError, match=r"holds 'thesis.tex', which is no part of an earlier report"):
        report(tmp_path / "report", "two")
    assert len(calls) == 2
    assert files(tmp_path / "report") == {"index.html": "one", "thesis.tex": "years of work"}
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_mark_moves_nothing_from_elsewhere(tmp_path):
    (tmp_path / "other").mkdir()
    with report_folder(tmp_path / "other" / "report", "report") as place:
        (place / "thesis.tex").write_text("years of work")
    report(tmp_path / "mine")
    for moving in ("../other/report", str(tmp_path / "other" / "report"), "", ".", 5, None, ["x"]):
        mark = {"format": "bygones report", "kind": "report", "files": ["index.html", "report.json"], "moving": moving}
        (tmp_path / "mine" / "report.json").write_text(json.dumps(mark))
        report(tmp_path / "mine", "two")
        assert files(tmp_path / "mine") == {"index.html": "two"}
    assert files(tmp_path / "other" / "report") == {"thesis.tex": "years of work"}


def test_a_folder_with_the_name_of_a_reports_file_is_somebody_elses(tmp_path):
    report(tmp_path)
    (tmp_path / "index.html").unlink()
    (tmp_path / "index.html").mkdir()
    (tmp_path / "index.html" / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match=r"holds 'index.html', which is no part of an earlier report"):
        report(tmp_path)
    assert (tmp_path / "index.html" / "thesis.tex").exists()


def test_what_a_killed_run_left_goes_with_a_later_report(tmp_path):
    place, left = tmp_path / "report", []
    report(place)
    for folder in (place, tmp_path):
        for name in (".bygones-unfinished-0a1b", ".bygones-unfinished-2c3d"):
            (folder / name).mkdir()
            (folder / name / "index.html").write_text("half")
            left.append(folder / name)
    with held(left[0]), held(left[2]):  # as a run does that is still writing
        report(place, "two")
        assert [path.exists() for path in left] == [True, False, True, False]
    report(place, "three")
    assert files(place) == {"index.html": "three"}
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_hidden_folders_of_somebody_else_stay(tmp_path):
    (tmp_path / ".bygones-notes").mkdir()
    with pytest.raises(ValueError, match=r"holds '.bygones-notes', which is no part of an earlier report"):
        report(tmp_path)


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(ValueError, match="is a link that leads back to itself: name another folder"):
        report(tmp_path / "loop")


@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_folder_that_may_not_be_written_is_named(mode):
    nobody, me = 65_534, os.geteuid()
    with TemporaryDirectory() as outer:
        Path(outer).chmod(mode)
        folder = Path(outer) / "report"
        if me == 0:
            os.seteuid(nobody)
        try:
            with pytest.raises(OSError, match=r"cannot be written: Permission denied; name another folder") as raised:
                report(folder)
        finally:
            os.seteuid(me)
            Path(outer).chmod(0o700)
        assert str(raised.value).startswith(str(folder))
        assert list(Path(outer).iterdir()) == []


def test_a_try_leaves_nothing(tmp_path):
    with report_folder(tmp_path / "deep" / "report", "report", keep=False):
        pass
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(ValueError, match="is a file: name a folder"),
        report_folder(tmp_path / "file", "report", keep=False),
    ):
        pass


def test_a_result_becomes_a_page_with_its_data(tmp_path):
    problem = by.Problem(["<b>rail</b>", "road & sea"], 80, by.Window(5))
    result = by.simulate(problem, [by.FTARL(), by.Hedge()], by.StocHet(), 3, guarantee=True)
    result.report(tmp_path / "report")
    names = {"index.html", "plotly.min.js", "report.json", "result.parquet"}
    assert {path.name for path in (tmp_path / "report").iterdir()} == names
    html = (tmp_path / "report" / "index.html").read_text()
    assert "<b>rail" not in html
    assert "Hedge, guarantee" in html
    assert f"{result.summary()['mean'][1]:,.2f}" in html
    assert f"{by.Hedge().bound(problem):,.2f}" in html
    again = by.Result.load(tmp_path / "report" / "result.parquet")
    assert list(again.regrets) == ["FTARL", "Hedge"]
    with pytest.raises(ValueError, match="which is no part of an earlier result"):
        result.report(tmp_path)
