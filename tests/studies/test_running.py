import pytest
from studying import cells, command, computed, exported, module, run, said, small, toml

from bygones.cli import main
from bygones.studies import planning, running
from bygones.studies.cells import compute
from bygones.studies.running import Session

WAYS = {
    "threads": {"workers": 2},
    "one thread": {"workers": 1},
    "processes": {"workers": 2, "processes": True},
    "Dask": {"cluster": "local:2"},
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """What the small study gives."""
    folder = tmp_path_factory.mktemp("table") / "out"
    run(small(), folder, workers=1)
    return exported(small(), folder)


@pytest.mark.compiled
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whoever_computes_the_table_is_the_same(way, table, tmp_path):
    assert run(small(), tmp_path / "out", **way) == (8, 0, 0)
    assert exported(small(), tmp_path / "out") == table


@pytest.mark.parametrize("size", [1, 2, 4])
def test_however_the_replicates_are_cut_the_table_is_the_same(size, table, tmp_path, monkeypatch):
    monkeypatch.setattr(planning.Pace, "size", lambda *_: size)
    assert run(small(), tmp_path / "out").computed == 8 * -(-6 // size)
    assert exported(small(), tmp_path / "out") == table


def test_a_study_that_grows_gives_the_table_and_computes_nothing_twice(table, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    run(small(replicates=2, learners=["ftarl"], horizon=30), folder)
    monkeypatch.setattr(planning.Pace, "size", lambda *_: 4)
    run(small(replicates=3, grid={"H": [3]}), folder)
    before = cells(folder)
    run(small(), folder)
    assert {name: cells(folder)[name] for name in before} == before
    assert exported(small(), folder) == table
    assert run(small(), folder).computed == 0
    spans = sorted(tuple(map(int, name[41:-8].split("-"))) for name in cells(folder))
    assert len(spans) == len(cells(folder)) == sum(computed(folder))


def faulty(tmp_path, name, fault="raise RuntimeError('on purpose')"):
    """A study of which one configuration in four fails."""
    return {"learners": ["hedge", module(tmp_path, name, fault)], "horizon": 20}


def test_a_learner_that_raises_fails_alone_and_is_tried_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    path = toml(tmp_path, **faulty(tmp_path, "raising"))
    assert main(["study", "run", str(path), "--out", "out"]) == 1
    assert "1 cell failed: see bygones study status out" in capsys.readouterr().out
    assert main(["study", "status", "out"]) == 0
    told = capsys.readouterr().out
    assert "18 of 24 replicates are there" in told
    assert "Failed: raising:Mine:H=3 on stochet, window:3: RuntimeError: on purpose" in " ".join(told.split())
    before = cells(tmp_path / "out")
    assert len(before) == 3
    assert main(["study", "run", str(path), "--out", "out"]) == 1  # tried again
    assert cells(tmp_path / "out") == before
    monkeypatch.setattr(planning.Pace, "size", lambda *_: 2)
    assert main(["study", "run", str(path), "--out", "out"]) == 1
    assert "3 cells failed" in capsys.readouterr().out
    monkeypatch.setattr(running, "crew", fixed_crew)
    assert main(["study", "run", str(path), "--out", "out"]) == 0
    capsys.readouterr()
    assert main(["study", "status", "out"]) == 0
    assert "Failed" not in capsys.readouterr().out  # though one failed as one block, and was computed in three


def fixed_crew(*words):
    """Workers on which the learner does not raise."""
    from contextlib import contextmanager

    from bygones.studies import workers

    @contextmanager
    def made():
        import raising

        raising.Player.begin = raising.UniformPlayer.begin
        with workers.crew(*words) as found:
            yield found

    return made()


@pytest.mark.compiled
@pytest.mark.parametrize("way", ["--processes", "--cluster=local:2"])
def test_a_cell_that_kills_its_worker_fails_and_the_others_go_on(way, tmp_path):
    path = toml(tmp_path, **faulty(tmp_path, "killing_worker", "os.kill(os.getpid(), 9)"))
    code, out, err = said(command("study", "run", path, "--out", "out", way, cwd=tmp_path))
    assert code == 1, err
    assert "1 cell failed" in out
    _, out, _ = said(command("study", "status", "out", cwd=tmp_path))
    assert "its worker died" in " ".join(out.split())
    assert len(cells(tmp_path / "out")) == 3


ANOTHER = """
import bygones.studies.cells as cells
cells.FORMAT = cells.FORMAT + (__import__("multiprocessing").parent_process() is not None)
"""


@pytest.mark.compiled
@pytest.mark.parametrize("way", ["--processes", "--cluster=local:2"])
@pytest.mark.parametrize("lacks", ["version", "module"])
def test_a_worker_that_differs_is_one_sentence_and_no_failed_cells(way, lacks, tmp_path):
    fault = "pass"
    learner = module(tmp_path, "differing", fault)
    if lacks == "version":
        mine = tmp_path / "differing.py"
        mine.write_text(mine.read_text() + ANOTHER)
    else:
        guard = "if __import__('multiprocessing').parent_process(): raise ImportError('not here')\n"
        (tmp_path / "differing.py").write_text(guard + (tmp_path / "differing.py").read_text())
    path = toml(tmp_path, learners=["hedge", learner])
    code, _, err = said(command("study", "run", path, "--out", "out", way, cwd=tmp_path))
    assert code == 2
    expected = "has another bygones, numpy or numba" if lacks == "version" else "'differing' cannot be imported"
    assert expected in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("bygones: this worker (")
    assert not list((tmp_path / "out" / "failed").iterdir())


def test_too_few_workers_are_a_sentence(tmp_path, capsys):
    path = toml(tmp_path)
    assert main(["study", "run", str(path), "--workers", "0"]) == 2
    assert "workers is 0" in capsys.readouterr().err


def test_a_bounded_number_of_cells_is_in_flight(tmp_path, monkeypatch):
    flying, most = set(), []
    original = running.crew

    from contextlib import contextmanager

    @contextmanager
    def counting(*words):
        with original(*words) as found:

            def submit(cell):
                flying.add(cell.name)
                most.append(len(flying))
                future = found.submit(cell)
                future.add_done_callback(lambda _: flying.discard(cell.name))
                return future

            yield found._replace(submit=submit)

    monkeypatch.setattr(running, "crew", counting)
    monkeypatch.setattr(planning.Pace, "size", lambda *_: 1)
    assert run(small(), tmp_path / "out", workers=1).computed == 48
    assert max(most) <= running.AHEAD


def test_a_bar_shows_whatever_takes_long_in_a_large_study(tmp_path, monkeypatch):
    from contextlib import nullcontext

    from bygones.studies import configurations

    shown, ticks = [], []

    def showing(*words):
        shown.append(words)
        return nullcontext(ticks.append)

    for where in (configurations, running):
        monkeypatch.setattr(where, "showing", showing)
    session = Session(small(), tmp_path / "out")
    session.plan()
    session.run(progress=True)
    assert session.found.ends
    assert shown == [(None, 8, "planning"), (True, 8, "computing"), (True, 8, "checking"), (True, 8, "reading")]
    assert sum(ticks) == 4 * 8


def test_a_plan_says_what_is_left(tmp_path):
    folder = tmp_path / "out"
    session = Session(small(), folder, dry=True)
    assert session.plan()[:4] == (8, 8, 0, 48)
    assert not folder.exists()
    run(small(replicates=4), folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    plan = Session(small(), folder, dry=True).plan()
    assert plan[:4] == (8, 8, 32, 48)
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    run(small(), folder)
    assert Session(small(), folder).plan().sentence(2) == "All 48 replicates of 8 configurations are there."


def test_the_time_that_is_left_counts_what_a_cell_takes_beside_its_rounds():
    assert "about 4 minutes with 2 at a time" in running.Planned(180_000, 180_000, 0, 180_000, 120.0).sentence(2)


def test_cells_that_another_run_is_computing_are_taken_last(tmp_path, monkeypatch):
    session = Session(small(), tmp_path / "out")
    planned = list(session.cells())
    assert all(session.folder.claim(cell) for cell in planned[:3])  # by a run that was killed since
    assert not session.folder.claim(planned[0])
    order = []
    keep = running.Folder.keep
    monkeypatch.setattr(running.Folder, "keep", lambda *given: order.append(given[1]) or keep(*given))
    assert run(small(), tmp_path / "out", workers=1).computed == 8
    assert order == planned[3:] + planned[:3]
    assert not list((tmp_path / "out" / "claims").iterdir())


def test_replicates_that_were_computed_in_several_blocks_are_counted_once(table, tmp_path):
    session = Session(small(), tmp_path / "out")
    for cell in session.cells():
        for first, stop in ((0, 4), (1, 3), (2, 6), (0, 6)):
            block = cell._replace(first=first, stop=stop)
            session.folder.keep(block, compute(block))
    assert run(small(), tmp_path / "out").computed == 0
    assert exported(small(), tmp_path / "out") == table


def test_processes_that_never_answer_end_the_run_with_a_sentence(tmp_path, monkeypatch):
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool
    from contextlib import nullcontext

    from bygones.studies.workers import Crew

    def broken(_):
        future = Future()
        future.set_exception(BrokenProcessPool("gone"))
        return future

    begun = []
    monkeypatch.setattr(
        running, "crew", lambda *_: begun.append(1) or nullcontext(Crew(broken, lambda: 2, died=(BrokenProcessPool,)))
    )
    monkeypatch.setattr(planning.Pace, "size", lambda *_: 1)
    with pytest.raises(OSError, match="the processes end before they compute anything: try fewer workers, or threads"):
        run(small(replicates=50), tmp_path / "out")
    assert len(begun) == running.LOSSES + 1
