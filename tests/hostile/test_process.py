"""What only a real process shows: interruptions, closed pipes, little address space, python -OO, and forks."""

import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import bygones as by
from bygones.cli import main
from bygones.engine.feed import BLOCK, LAGS, TOGETHER, block_rounds, tables_at_once
from bygones.memory import geometric

HANGS = 20  # seconds; a watchdog, no measure
BOUND = ["bound", "--actions", "3", "--horizon", "100", "--memory", "window:3"]

# Runs that would take from minutes to hours.
LONG = {
    "one worker": "by.simulate(problem(10), ['hedge'], by.StocHet(), 10_000, workers=1)",
    "two workers": "by.simulate(problem(10), ['hedge', 'ftarl'], by.StocHet(), 10_000, workers=2)",
    "shared costs": "by.simulate(problem(10), ['ftpl'], by.StocHet(), 1_000, workers=2, costs_per='shared')",
    "many actions": "by.simulate(problem(20_000), ['ftpl'], by.StocHet(), 100, workers=1)",
    "exact": "by.expected(problem(10), ['ftarl'], by.StocHet(), replicates=10_000)",
    "many weights": "by.simulate(problem(10, by.Weights([1e-4] * 10_000)), ['uniform'], by.StocHet(), 100, workers=1)",
}
SCRIPT = """
import bygones as by
from bygones.engine import run
problem = lambda n, memory=by.Window(100): by.Problem(n, 1_000_000, memory)
before, told = run.Feed.__iter__, []
def spoken(self):
    for piece in before(self):
        told or print("running", flush=True)
        told.append(1)
        yield piece
run.Feed.__iter__ = spoken
{call}
"""


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_a_long_simulation_can_be_interrupted(call, counted):
    words = [sys.executable, "-c", SCRIPT.format(call=call)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline().startswith("running")
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=HANGS)
        finally:
            child.kill()
    assert "KeyboardInterrupt: the simulation was interrupted, and nothing of it is kept" in err
    assert child.returncode in (-signal.SIGINT, 130)
    counted("interrupted simulations")


@pytest.mark.parametrize("n", [2, 10, 1_000])
@pytest.mark.parametrize("lags", [1, 1_000, 10_000, 1_000_000])
def test_the_work_of_a_kernel_is_bounded(n, lags):
    problem = by.Problem(n, 10**6, by.Weights(np.full(lags, 1 / lags)))
    rounds = block_rounds(problem)
    assert rounds == 1 or rounds * n * lags <= 2 * BLOCK * LAGS
    assert tables_at_once(problem, 10**6) * rounds * n * lags <= 2 * TOGETHER * BLOCK * LAGS or rounds == 1


def test_many_weights_give_the_same_bits_in_shorter_blocks(monkeypatch):
    weights = np.linspace(2, 1, 1_500)
    problem = by.Problem(3, 2_000, by.Weights(weights / weights.sum()))
    one = by.simulate(problem, ["ftarl", "hedge"], by.StocHet(), 2)
    monkeypatch.setattr("bygones.engine.feed.LAGS", 3)
    two = by.simulate(problem, ["ftarl", "hedge"], by.StocHet(), 2)
    for label, regrets in one.regrets.items():
        np.testing.assert_array_equal(regrets, two.regrets[label])


@pytest.fixture
def terms(monkeypatch):
    """How many mean lags were asked for, in each call."""
    asked, lags = [], geometric.Geometric._lags
    monkeypatch.setattr(geometric.Geometric, "_lags", lambda self, t: asked.append(len(t)) or lags(self, t))
    return asked


@pytest.mark.parametrize("rho", [0.99, 0.999, 1 - 1e-6, 1 - 1e-12, 1 - 2**-53])
@pytest.mark.parametrize("t", [8_192, 8_193, 100_000])
def test_mean_lags_add_up_without_a_long_sum(rho, t, terms):
    memory = by.Geometric(rho)
    assert memory.lag_total(t) == pytest.approx(math.fsum(memory.mean_lag(s) for s in range(1, t + 1)), rel=4e-15)
    assert max(terms) < 10_000


@pytest.mark.parametrize("horizon", [10_000, 10**6, 10**8])
def test_a_bound_under_slowly_fading_weights_needs_few_terms(horizon, terms):
    """It looks for the round from which on it says something; many millions of terms took up to 20 seconds."""
    words = ["bound", "--actions", "3", "--horizon", str(horizon), "--memory", "geometric:0.9999999999999999"]
    assert main(words) == 0
    assert 0 < sum(terms) < 200_000


def test_weights_that_fade_at_once_have_no_lag():
    memory = by.Geometric(1e-320)
    assert 0 <= memory.mean_lag(3) <= memory.lag_total(10) < 1e-300
    assert main(["bound", "--actions", "3", "--horizon", "20", "--memory", "geometric:1e-320"]) == 0


def run(words, *python, before=None):
    command = [sys.executable, *python, "-m", "bygones", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", [["list"], BOUND, ["--version"], ["list", "--help"], ["nothing"], []])
@pytest.mark.parametrize("both", [False, True])
def test_a_reader_that_leaves_is_no_failed_audit(words, both, counted):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "bygones", *words]
    with os.fdopen(writer, "w") as pipe:
        err = pipe if both else subprocess.PIPE
        done = subprocess.run(command, stdout=pipe, stderr=err, text=True, timeout=HANGS, check=False)
    assert done.returncode == (2 if words == ["nothing"] and not both else 141)
    assert both or "Traceback" not in done.stderr
    assert both or "Exception ignored" not in done.stderr
    counted("closed pipes")


@pytest.mark.parametrize("words", [["list"], BOUND, ["--help"], ["list", "--help"]])
def test_no_docstrings_are_needed(words):
    code, out, err = run(words, "-OO")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) > 5


@pytest.mark.parametrize("megabytes", [500, 1_000, 1_500])
def test_little_address_space_is_a_sentence(megabytes, tmp_path, counted):
    resource = pytest.importorskip("resource")

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 10**6,) * 2)

    words = ["backtest", "@flights", "--memory", "window:7", "--out", str(tmp_path / "report")]
    code, out, err = run(words, before=limited)
    assert (code, out) == (2, "")
    assert err.startswith("bygones: the address space is limited to ")
    assert err.endswith("allow 2 GB or more, as in ulimit -v 2000000\n")
    assert run(["--version"], before=limited)[0] == 0
    counted("small limits of the address space")


FORK = """
import os, sys
import numpy as np, polars as pl
import bygones as by
problem = by.Problem(3, 200, by.Window(5))
result = by.simulate(problem, ["hedge"], by.StocHet(), 2, workers=1)
frame = pl.DataFrame({{"a": np.arange(30.0), "b": np.arange(30.0) % 7}})
if {used}:
    import tempfile
    folder = tempfile.mkdtemp()
    saved = folder + "/saved"
    done = by.backtest("@flights", "window:7", ["hedge"])
    done.save(saved)
    frame.lazy().group_by("b").agg(pl.col("a").sum()).sort("b").collect()
child = os.fork()
if child == 0:
    try:
        {call}
    except RuntimeError as error:
        print(error, flush=True)
        os._exit(3)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
POLARS = (
    *("by.bounds(problem)", "by.read_table('@flights')", "by.backtest('@flights', 'window:7')", "result.summary()"),
    *("result.to_frame()", "by.datasets.load('flights')", "by.read_table(frame)", "result.curves()"),
    *("by.backtest(np.eye(30)[:, :2], 'window:3', ['hedge'], cost_range=1)", "by.read_table([[1.0, 2.0], [3.0, 4.0]])"),
    *(
        "done.recommendation",
        "repr(done)",
        "done.report(folder)",
        "done.save(folder + '/x')",
        "by.Backtest.load(saved)",
    ),
)
OTHERS = (
    "by.simulate(problem, ['ftarl'], by.StocHet(), 4, workers=2)",
    "by.FTARL().start(problem).play(np.zeros((9, 3)))",
    "by.Hedge().bound(problem)",
    "os.execv(sys.executable, [sys.executable, '-c', 'import bygones as by; by.read_table(\\'@flights\\')'])",
)


def forked(call, used):
    words = [sys.executable, "-c", FORK.format(call=call, used=used)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        try:
            out, _ = parent.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            os.killpg(parent.pid, signal.SIGKILL)  # the child, which waits for ever, too
            raise
    return parent.returncode, out


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the threads of a process")
@pytest.mark.parametrize("call", POLARS)
def test_a_fork_that_would_hang_is_told(call, counted):
    code, out = forked(call, used=True)
    assert code == 3
    assert 'start processes with multiprocessing.get_context("spawn") instead' in out
    counted("forks")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the threads of a process")
@pytest.mark.parametrize(
    ("call", "used"), [*((call, True) for call in OTHERS), *((call, False) for call in POLARS[4:5])]
)
def test_and_no_other_fork_is(call, used, counted):
    assert forked(call, used) == (0, "")
    counted("forks")


def test_they_are_many():
    assert len(LONG) >= 6
    assert len(POLARS) >= 8
    assert len(OTHERS) >= 4
