"""The benchmark works, and so do the rivals; how fast they are is nobody's business here."""

import re
import subprocess
import sys
from pathlib import Path

import delays
import numpy as np
import polars as pl
import pytest

import bygones as by

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import comparison
import growth
import many_cores
import peers
import rivals
import timing

FOLDER = Path(timing.__file__).parent
LIMITED = [problem for problem in by.checks.problems() if problem.memory.support is not None]
KINDS = [(name, hints) for name in ("AdaHedgeD", "DORMPlus") for hints in (False, True)]
with_poold = pytest.mark.skipif(not peers.INSTALLED, reason="poold is not installed; `make .venv/.bench` installs it")


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
def test_the_benchmark_of_the_service_runs_at_a_small_size():
    sections = {"throughput": "Durable rounds", "waiting": "Waiting for a decision", "inside": "Without HTTP"}
    sections["sizes"] = "Many journals"
    before = (FOLDER / "service.md").read_bytes()
    command = [sys.executable, FOLDER / "service.py", *sections, "--quick"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    found = re.split(r"(?m)^## ", done.stdout)[1:]
    assert [each.partition("\n")[0] for each in found] == [*sections.values()]
    rows = [line.split("|")[1:5] for line in found[0].splitlines() if line.startswith("| ")][2:]
    assert [row[0].strip() for row in rows] == ["one journal, 8 writers", "64 journals, 64 clients"]
    assert all(int(rate.replace(",", "")) > 0 for row in rows for rate in row[1:])
    assert (FOLDER / "service.md").read_bytes() == before


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
        "Wrappers",
        "One round",
        "Playing ahead",
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
    assert "backtested with the default learners" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "said"), [("studies.py", "resumed start, all there"), ("many_cores.py", "| 3,000 |")]
)
def test_the_benchmarks_of_studies_run_at_a_small_size(script, said):
    done = subprocess.run([sys.executable, FOLDER / script, "--quick"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_the_simulation_of_many_cores_agrees_with_what_is_known():
    free = many_cores.Costs(0.0, 0.0, 0.0)
    assert many_cores.simulated(1, 1.0, free, 500) == pytest.approx(500, rel=0.01)
    assert many_cores.simulated(10, 1.0, free, 5000) == pytest.approx(500, rel=0.01)
    slow = many_cores.simulated(1000, 1.0, free._replace(scheduler=0.01), 20_000)
    assert slow == pytest.approx(200, rel=0.02)  # as many as the scheduler can hand out
    slow = many_cores.simulated(1000, 1.0, free._replace(writer=0.02), 20_000)
    assert slow == pytest.approx(400, rel=0.02)


class Notebook(delays.PlainRival):
    """Writes down what it is told, and plays something else in every round."""

    def __init__(self, n):
        super().__init__(n)
        self.told = []

    def update_and_play(self, losses, hint):
        self.told.append([(t, loss["grad"](None), loss["fun"](w=self.played[t])) for t, loss in losses])
        return super().update_and_play([], hint)

    def decide(self, hint):
        return np.random.default_rng(len(self.played)).dirichlet(np.ones(self.n))


class Noted(rivals.AdaHedgeD):
    def rival(self, n):
        return Notebook(n)


@pytest.mark.parametrize("history", [None, [0, 1, 1]])
@pytest.mark.parametrize("memory", [by.Window(1), by.Window(5), by.Weights([0.2, 0.5, 0.3])], ids=repr)
def test_a_rival_is_told_of_a_decision_when_all_that_it_is_charged_is_known(memory, history, rng):
    H, past, rounds = memory.support, len(history or []), 12
    costs, real = rng.random((rounds, 3)), rng.dirichlet(np.ones(3), rounds)
    player = Noted(hints=True).start(by.Problem(3, rounds, memory), history=history)
    player.play(costs, decisions=real)
    player.decide()
    relative = costs - costs.min(axis=1, keepdims=True)
    charges, book = memory.charges(relative, past), player._rival
    assert len(book.told) == rounds + 1  # before the first round, and after each
    for after, told in enumerate(book.told):
        assert [t for t, _, _ in told] == ([after - H] if after >= H else [])
        for t, charge, loss in told:
            np.testing.assert_allclose(charge, charges[t], atol=1e-12)
            assert loss == pytest.approx(charges[t] @ real[t])  # of the decision really taken
        open_now = memory.charges(relative[:after], past)[max(0, after - H + 1) :]
        np.testing.assert_allclose(book.hints[after], open_now.sum(axis=0), atol=1e-12)


def test_a_rival_needs_a_memory_that_ends():
    for memory in (by.Geometric(0.9), by.FullHistory()):
        with pytest.raises(ValueError, match="no feedback is ever complete.*Window"):
            rivals.DORMPlus().start(by.Problem(3, 10, memory))


def test_the_hint_of_dormplus_is_the_regret_of_what_is_not_settled(rng):
    charges, played = rng.random((4, 3)), rng.dirichlet(np.ones(3), 4)
    regrets = sum(v @ c - c for c, v in zip(charges, played, strict=True))
    np.testing.assert_allclose(rivals.DORMPlus().hint(charges, played), regrets)


@pytest.mark.parametrize("problem", LIMITED, ids=lambda problem: repr(problem.memory))
@pytest.mark.parametrize(("name", "hints"), KINDS)
def test_rivals_without_poold_pass_the_checks_of_every_learner(name, hints, problem):
    by.checks.check_learner(getattr(delays, name)(hints=hints), problem)


@with_poold
@pytest.mark.parametrize("problem", LIMITED, ids=lambda problem: repr(problem.memory))
@pytest.mark.parametrize(("name", "hints"), KINDS)
def test_rivals_of_poold_pass_the_checks_and_are_the_plain_ones(name, hints, problem):
    real, plain = (getattr(module, name)(hints=hints) for module in (rivals, delays))
    by.checks.check_learner(real, problem)
    for costs in (by.StocHet(), by.Cyclic(hold=20), by.Blocks(10), by.Trap(50)):
        table = costs.draw(problem.n, problem.horizon, np.random.default_rng(1))
        one, other = (learner.start(problem).play(table) for learner in (real, plain))
        np.testing.assert_allclose(one, other, atol=1e-9)


@pytest.mark.parametrize("column", ["mid-turn", "turns of 500"])
@pytest.mark.parametrize(("name", "hints"), KINDS)
@pytest.mark.compiled
def test_the_figures_of_the_rivals_on_the_learners_page_are_those_of_the_plain_ones(name, hints, column):
    kept = pl.read_csv(comparison.RIVALS, comment_prefix="#").filter(costs=column)
    learner = getattr(delays, name)(hints=hints)
    (regret,) = comparison.ends(comparison.PROBLEM, [learner], comparison.COSTS[column])
    assert kept[f"{name} (hints)" if hints else name].to_list() == pytest.approx(regret, abs=0.01)
