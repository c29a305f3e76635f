"""The benchmark works; its figures are nobody's business here."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import growth
import timing

FOLDER = Path(timing.__file__).parent


def test_jobs_run_in_turns_and_the_first_turn_is_not_timed():
    done = []
    times = timing.in_turns({name: lambda name=name: done.append(name) for name in "ab"}, turns=2)
    assert done == ["a", "b"] * 3
    assert all(0 <= taken.best <= taken.median for taken in times.values())


def test_an_exponent_is_fitted_only_where_the_fixed_cost_is_small():
    grown = growth.Growth("T", 1, (10, 100, 1000), {})
    times = {1: 1.0, 10: 5.0, 100: 20.0, 1000: 200.0}
    used, exponent = grown.fitted({value: timing.Times(taken, taken) for value, taken in times.items()})
    assert used == [100, 1000]
    assert exponent == pytest.approx(1.0)
    used, exponent = grown.fitted({value: timing.Times(1.0, 1.0) for value in times})
    assert used == []
    assert exponent != exponent


@pytest.mark.slow
def test_the_whole_benchmark_runs_at_a_small_size():
    before = {path: path.read_bytes() for path in FOLDER.glob("*.*")}
    done = subprocess.run([sys.executable, FOLDER / "run.py", "--quick"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    titles = [line.removeprefix("## ").split(":")[0] for line in done.stdout.splitlines() if line.startswith("## ")]
    assert [" ".join(title.split()[:2]) for title in titles] == [
        "Standard job",
        "Big job",
        "Exact means",
        "One round",
        "Backtest of",
        "How time",
        "First use",
        "Peak memory",
    ]
    assert before == {path: path.read_bytes() for path in FOLDER.glob("*.*")}


@pytest.mark.slow
def test_the_large_benchmark_runs_at_a_small_size():
    done = subprocess.run([sys.executable, FOLDER / "backtest.py", "2000"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "backtested with six learners" in done.stdout
