"""The whole of `bygones backtest`, from a file on disk to the files of its report."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from disks import room
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import MALFORMED
from sweeping import swept

import bygones as by
from bygones.backtesting import run
from bygones.backtesting.sentences import summary
from bygones.cli import main
from bygones.cli.options import as_options


def flags(keywords):
    """Keywords of Python as the command line has them."""
    words = []
    for name, value in keywords.items():
        words += [f"--{name.replace('_', '-')}"] + (
            [] if value is True else [",".join(value) if isinstance(value, list) else str(value)]
        )
    return words


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.about)
def test_what_cannot_be_read_ends_in_a_sentence(case, tmp_path, capsys):
    path, out = tmp_path / case.file, tmp_path / "report"
    path.write_bytes(case.bytes())
    words = ["backtest", str(path), "--memory", "window:1", "--range", "10", "--out", str(out), *flags(case.keywords)]
    assert main(words) == 2
    message = capsys.readouterr().err
    for word in case.words:
        assert as_options(word) in message
    assert message.startswith("bygones: ")
    assert "Traceback" not in message
    assert len(message) < 700
    assert not out.exists()


@pytest.fixture(scope="module")
def flights(tmp_path_factory):
    """One table in many forms."""
    folder = tmp_path_factory.mktemp("flights")
    frame = by.datasets.load("flights")
    long = frame.unpivot(index="date", variable_name="carrier", value_name="delay")
    frame.write_csv(folder / "wide.csv")
    long.write_csv(folder / "long.csv")
    frame.write_csv(folder / "wide.tsv", separator="\t")
    frame.write_parquet(folder / "wide.parquet")
    long.write_parquet(folder / "long.parquet")
    frame.write_ipc(folder / "wide.arrow", compression="uncompressed")
    frame.with_columns(pl.col("date").cast(pl.String)).write_ndjson(folder / "wide.jsonl")
    paths = {path.name: str(path) for path in folder.iterdir()}
    other = pd.DataFrame(frame.to_dict(as_series=False))
    return paths | {"polars": frame, "pandas": other, "pandas with an index": other.set_index("date")}


def test_whichever_way_a_table_comes_its_numbers_are_the_same(flights):
    first = by.backtest("@flights", "window:7")
    for name, data in flights.items():
        done = by.backtest(data, "window:7")
        for what in ("accounts", "options", "stretches", "sensitivity", "next"):
            assert getattr(done, what).equals(getattr(first, what)), (name, what)
        assert done.path.equals(first.path), name
        assert done.decisions.equals(first.decisions), name


@swept(6, 24)
def test_no_file_shows_anything_of_the_future(examples, tmp_path_factory):
    """What is written of a period does not change with any row after it; rows before period 20 settle the range."""

    @settings(max_examples=examples)
    @given(st.integers(20, 58), st.integers(0, 2**32 - 1), st.sampled_from(["window:5", "geometric:0.8", "full"]))
    def holds(last, seed, memory):
        folder = tmp_path_factory.mktemp("future")
        generator = np.random.default_rng(seed)
        costs = generator.normal(size=(60, 3))
        other = costs.copy()
        other[last:] = 10 ** generator.uniform(-3, 3) * generator.normal(size=(60 - last, 3))
        written = []
        for name, values in (("one", costs), ("other", other)):
            frame = pl.DataFrame({"period": np.arange(1, 61)}).with_columns(
                pl.Series(option, values[:, k]) for k, option in enumerate(("rail", "road", "sea"))
            )
            frame.write_csv(folder / f"{name}.csv")
            words = ["backtest", str(folder / f"{name}.csv"), "--memory", memory, "--out", str(folder / name)]
            assert main([*words, "--learner", "steering", "--learner", "ftarl", "--learner", "hedge"]) == 0
            decided = pl.read_parquet(folder / name / "decisions.parquet")
            paid = pl.read_parquet(folder / name / "results.parquet")
            written.append((decided, paid))
        for (one, two), after in zip(zip(*written, strict=True), (1, 0), strict=True):
            assert one.filter(pl.col("time") <= last + after).equals(two.filter(pl.col("time") <= last + after))
            assert one.height == two.height

    holds()


@pytest.mark.parametrize("lines", [0, 1])
def test_the_report_is_written_though_the_reader_of_a_pipe_leaves(lines, tmp_path):
    """After a line, as `head` does, or before the first."""
    words = [sys.executable, "-m", "bygones", "backtest", "@flights", "--memory", "window:7", "--out", str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for _ in range(lines):
            assert process.stdout.readline().startswith(b"For the period after 2013-12-31")
        process.stdout.close()
        said = process.stderr.read()
    assert (tmp_path / "index.html").exists()
    assert process.returncode in (0, 141)
    assert b"Traceback" not in said


def test_the_answer_is_printed_before_the_sensitivity_is_computed(tmp_path, capsys, monkeypatch):
    before, vary = [], run._sensitivity

    def late(*given):
        before.append(capsys.readouterr().out)
        return vary(*given)

    monkeypatch.setattr(run, "_sensitivity", late)
    assert main(["backtest", "@flights", "--memory", "window:7", "--out", str(tmp_path), "--verbose"]) == 0
    (first,), after = before, capsys.readouterr().out
    done = by.backtest("@flights", "window:7")
    assert first.startswith(done.answer.headline)
    assert " ".join([*summary(done), done.verdict]) in " ".join(first.split())
    assert "Worst stretches" in first
    assert after.index("Guarded, other memories") < after.index(f"The report: {tmp_path / 'index.html'}")


def test_gains_are_shown_as_gains(tmp_path, capsys):
    assert main(["backtest", "@wikipedia", "--memory", "window:28", "--out", str(tmp_path), "--verbose"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    done = by.backtest("@wikipedia", "window:28")
    best = done.accounts.sort("total").row(0, named=True)
    for said in (
        f"{best['learner']} would have had the most gain of the learners: {-best['total']:,.0f}",
        f"{best['regret']:,.0f} less than Gen Hoshino held all the time",
        f"{best['gap']:,.0f} less than a clairvoyant",
    ):
        assert said in shown
        assert said in " ".join(summary(done))
    low, high = done.accounts.filter(learner="FTARL").select("low", "high").row(0)
    assert f"│ {-high:,.0f} │ {-low:,.0f} │" in shown
    html = (tmp_path / "index.html").read_text()
    assert "total gain" in html
    assert f"{-best['total']:,.0f}</td>" in html
    assert "  Steering                        gain 9,076,933, regret 275,381" in repr(done).splitlines()
    assert pl.read_csv(tmp_path / "learners.csv")["total"].max() < 0, "files have costs"


@pytest.mark.parametrize("size", [1_000, 3_000_000])
def test_a_full_disk_is_told_and_leaves_nothing_behind(tmp_path, size, capsys):
    out = tmp_path / "report"
    with room(size):
        assert main(["backtest", "@flights", "--memory", "window:7", "--out", str(out)]) == 2
    assert capsys.readouterr().err.endswith(f"bygones: {out} cannot be written: File too large; name another folder\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.compiled
def test_a_small_table_needs_no_compiler(tmp_path):
    """On a fresh install nothing is compiled for it, and its files have the same bytes."""
    words = ["backtest", "@flights", "--memory", "window:7", "--out"]
    assert main([*words, str(tmp_path / "compiled")]) == 0
    fresh = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", "-m", "bygones", *words, str(tmp_path / "plain")]
    run = subprocess.run(command, env=fresh, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert not (tmp_path / "cache").exists()
    for path in (tmp_path / "compiled").glob("*.[cp]*"):  # but for the page, which has the command
        assert path.read_bytes() == (tmp_path / "plain" / path.name).read_bytes()


def test_the_order_of_the_columns_and_an_outlier_cost_no_digits():
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({name: generator.normal(size=60) for name in "abc"})
    frame[30, "a"] = 1e15
    for columns in (["a", "b", "c"], ["c", "b", "a"]):
        done = by.backtest(frame.select(columns), "window:5", ["hedge", "uniform"], cost_range=10.0)
        totals = dict(done.options.select("option", "total").rows())
        for name in "bc":
            assert totals[name] == pytest.approx(frame[name].sum(), abs=1e-12)
        problem = by.Problem(columns, 60, by.Window(5), cost_range=None)
        states = problem.memory.start(3).extend(np.full((60, 3), 1 / 3))
        paid = by.accounting.losses(frame.select(columns).to_numpy(), states).sum()
        assert done.accounts.filter(learner="Uniform")["total"][0] == pytest.approx(paid, rel=1e-15)


def test_where_switches_cost_something_they_count_in_who_is_best(tmp_path, capsys):
    words = ["backtest", "@flights", "--memory", "window:7", "--switch-cost", "30", "--out", str(tmp_path), "--verbose"]
    assert main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    done = by.backtest("@flights", "window:7", switch_cost=30)
    best = done.accounts.sort("total_with_switches").row(0, named=True)
    assert best["learner"] == "FollowTheLeader"
    assert (
        f"FollowTheLeader would have had the least cost of the learners, cost of switches included: "
        f"{best['total_with_switches']:,.1f}" in shown
    )
    held = done.options["total"][0]
    assert f"That is {best['total_with_switches'] - held:,.1f} more than Alaska Airlines" in shown
    assert f"and {best['total_with_switches'] - done.clairvoyant:,.1f} more than a clairvoyant" in shown
    assert shown.index("│ FollowTheLeader") < shown.index("│ Steering")


def test_promises_are_for_what_is_within_the_range():
    past, within = by.backtest("@flights", "window:7"), by.backtest("@flights", "window:7", cost_range=400)
    assert past.verdict.endswith("Hedge's is 16 %, for costs within the range.")
    assert within.verdict.endswith("Hedge's is 15 %.")
    assert "the bounds do not apply to this run" in " ".join(summary(past))
    assert "do not apply" not in " ".join(summary(within))


def test_a_name_that_holds_a_comma_can_be_asked_for(tmp_path, capsys):
    frame = pl.DataFrame({"a, b": np.arange(30.0) % 7, "c": np.arange(30.0) % 5, "d": np.arange(30.0) % 3})
    frame.write_csv(tmp_path / "t.csv")
    words = ["backtest", str(tmp_path / "t.csv"), "--memory", "window:2", "--out", str(tmp_path / "r")]
    assert main([*words, "--actions", '"a, b",c']) == 0
    assert set(pl.read_csv(tmp_path / "r" / "options.csv")["option"]) == {"a, b", "c"}
    assert main([*words, "--actions", "a\rb,c"]) == 2
    assert "--actions is 'a\\rb,c', which is not a list of names such as rail,road" in capsys.readouterr().err


def test_names_of_files_and_options_may_be_odd(tmp_path, capsys):
    frame = pl.DataFrame({"t": range(30), "1": np.arange(30.0) % 7, "2": np.arange(30.0) % 5, "3": np.arange(30.0) % 3})
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")  # no UTF-8
    path.write_text(frame.write_csv())
    words = ["backtest", str(path), "--memory", "window:2", "--out", str(tmp_path / "r"), "--learner"]
    assert main([*words, "fixed:action=1"]) == 0
    assert "decides: 100 % 1." in capsys.readouterr().out
    assert main([*words, "fixed:action=0"]) == 2
    assert "there is no action '0': the actions are '1', '2', '3'" in capsys.readouterr().err


def test_the_page_tells_of_switches_only_where_they_cost(tmp_path):
    for cost in (0.0, 2.0):
        by.backtest("@flights", "window:7", switch_cost=cost).report(tmp_path)
        assert ("total with switches" in (tmp_path / "index.html").read_text()) == (cost > 0)


def test_the_next_period_shows_the_options_that_matter_first(tmp_path):
    frame = pl.DataFrame({f"o{k}": np.full(40, 20.0 - k) for k in range(12)})
    done = by.backtest(frame, "window:2", ["followtheleader", "uniform"], cost_range=20.0)
    done.report(tmp_path)
    table = (tmp_path / "index.html").read_text().partition("What each learner decides")[2]
    assert table.partition("<tbody><tr><td>")[2].startswith("o11</td>")


@pytest.mark.parametrize("columns", [[0, 1, 2], [3.5, "b", 7]])
def test_columns_of_pandas_need_not_be_called_by_words(columns):
    values = np.random.default_rng(0).normal(size=(40, 3))
    done = by.backtest(pd.DataFrame(values, columns=columns), "window:3", ["uniform"], cost_range=10.0)
    plain = by.backtest(pl.DataFrame(values, schema=list(map(str, columns))), "window:3", ["uniform"], cost_range=10.0)
    assert done.accounts.equals(plain.accounts)
    levels = pd.DataFrame(values, columns=pd.MultiIndex.from_product([["a"], list("xyz")]))
    with pytest.raises(ValueError, match="its columns have several levels: give each one name"):
        by.backtest(levels, "window:3")


def test_a_share_called_t_is_no_time():
    values = np.random.default_rng(0).integers(10, 99, size=(40, 2))
    assert by.backtest(pd.DataFrame(values, columns=["T", "KO"]), "window:3").problem.names == ("T", "KO")
    dated = pl.DataFrame({"date": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 2, 9), eager=True)}).with_columns(
        T=pl.Series(values[:, 0]), KO=pl.Series(values[:, 1])
    )
    assert by.backtest(dated, "window:3").problem.names == ("T", "KO")
