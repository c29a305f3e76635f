"""`by.sweep`: one line in a notebook."""

import os
import stat

import numpy as np
import pytest

import bygones as by
from bygones.studies import workers


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def swept(**more):
    given = {"memory": [3, 6], "horizon": [40, 80], "replicates": 4, "actions": 3, "progress": False}
    return by.sweep([by.FTARL(), "hedge"], [by.StocHet(), "stocid"], **given | more)


def test_a_sweep_is_a_study_with_the_regrets_of_simulate():
    found = swept()
    assert found.summary().height == 16
    row = found.summary().filter(learner="hedge", costs="stocid", memory="window:6", horizon=80)
    result = by.simulate(by.Problem(3, 80, by.Window(6)), ["hedge"], by.StocId(), replicates=4)
    assert row["mean"].item() == result.summary()["mean"].item()


def test_a_second_call_computes_nothing_and_a_larger_one_only_what_is_new(monkeypatch):
    first = swept().summary()
    computed = []
    own = workers.compute
    monkeypatch.setattr(workers, "compute", lambda cell: computed.append(cell) or own(cell))
    assert swept().summary().equals(first)
    assert computed == []
    swept(replicates=6)
    assert {(cell.first, cell.stop) for cell in computed} == {(4, 6)}
    computed.clear()
    swept(memory=[3, 6, 9])
    assert {cell.configuration.memory for cell in computed} == {"window:9"}


@pytest.mark.skipif(os.name != "posix", reason="access is not in the mode")
def test_what_is_kept_only_the_user_can_write(home):
    swept()
    kept = home / "cache" / "bygones" / "studies"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    kept.chmod(0o777)
    with pytest.raises(ValueError, match="can be written by other users; name a folder with out="):
        swept()
    assert swept(out=home / "own").summary().height == 16


def test_parameters_and_arrays_of_numpy():
    found = by.sweep(
        "hedge:rate={rate}", "stochet", memory=by.Window(3), horizon=np.array([40, 80]), rate=(0.1, 0.2),
        replicates=2, cost_range=np.float64(1.0), progress=False,
    )  # fmt: skip
    assert found.summary()["rate"].to_list() == [0.1, 0.2, 0.1, 0.2]
    assert found.summary()["horizon"].to_list() == [40, 40, 80, 80]


def test_mistakes_are_sentences():
    with pytest.raises(ValueError, match=r"replicate cannot be the name of a parameter \(did you mean replicates\?\)"):
        by.sweep("hedge", "stochet", memory=5, replicate=3)
    with pytest.raises(ValueError, match=r"horizn is used nowhere \(did you mean horizon\?\)"):
        by.sweep("hedge", "stochet", memory=5, horizn=3)
    with pytest.raises(ValueError, match="a sweep was given 3: give a Learner, its words"):
        by.sweep([3], "stochet", memory=5)
    with pytest.raises(ValueError, match="a sweep was given .*: give a Costs, its words, or of a table the path"):
        by.sweep("hedge", np.zeros((3, 2)), memory=5)
    with pytest.raises(ValueError, match="did you mean hedge"):
        by.sweep("hegde", "stochet", memory=5)


def test_what_fails_is_warned_of(monkeypatch):
    own = workers.compute

    def compute(cell):
        return "it has no rate" if cell.configuration.learner == "ftarl" else own(cell)

    monkeypatch.setattr(workers, "compute", compute)
    with pytest.warns(UserWarning, match="8 cells failed, and their replicates are missing: .*it has no rate"):
        found = swept()
    assert found.summary()["learner"].unique().to_list() == ["hedge"]


def test_a_run_that_was_ended_while_it_planned_leaves_no_mess(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("bygones.studies.running.Folder.declare", interrupted)
        with pytest.raises(KeyboardInterrupt):
            swept()
    assert swept().summary().height == 16
