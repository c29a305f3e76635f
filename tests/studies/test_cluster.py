"""Studies on a Dask cluster, and clusters that cannot be used."""

import sys

import psutil
import pytest
from studying import cells, cluster, command, exported, run, said, small, toml

from bygones.cli import main
from bygones.studies.cluster import reached

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A scheduler and two workers, each in a folder of its own."""
    with cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def test_a_running_cluster_gives_the_same_table_and_a_table_travels_to_it(running, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("x,y,z\n" + "1,2,3\n3,1,2\n" * 20)
    study = small(costs=["stochet", "table.csv"], cost_range=10.0)
    assert run(study, tmp_path / "out", cluster=running.address).failed == 0
    run(study, tmp_path / "here", workers=1)
    assert exported(study, tmp_path / "out") == exported(study, tmp_path / "here")
    (tmp_path / "table.csv").write_text("x,y,z\n" + "1,2,3\n9,1,2\n" * 20)  # the same name, another content
    assert run(study, tmp_path / "out", cluster=running.address).computed == 4
    assert run(study, tmp_path / "here", workers=1).computed == 4
    assert exported(study, tmp_path / "out") == exported(study, tmp_path / "here")


def test_workers_without_the_users_module_are_one_sentence(running, tmp_path):
    from studying import module

    path = toml(tmp_path, learners=["hedge", module(tmp_path, "only_here", "pass")])
    code, _, err = said(command("study", "run", path, "--out", "out", "--cluster", running.address, cwd=tmp_path))
    assert code == 2
    assert "lacks something: the learner is 'only_here:Mine:H=3', and there is no learner or module" in err
    assert len(err.splitlines()) == 1
    assert not list((tmp_path / "out" / "failed").iterdir())
    code, _, err = said(command("study", "run", path, "--out", "out", cwd=tmp_path))
    assert code == 0, err
    assert len(cells(tmp_path / "out")) == 8


def listening(*processes):
    """The addresses at which processes, and those that they started, listen."""
    everyone = [each for process in processes for each in (process, *process.children(recursive=True))]
    found = [port for each in everyone for port in each.net_connections("inet")]
    return {port.laddr.ip for port in found if port.status == psutil.CONN_LISTEN}


def test_nobody_else_is_listened_to(running):
    with reached("local:2"):
        assert listening(psutil.Process()) == {"127.0.0.1"}
    assert listening(*(psutil.Process(each.pid) for each in (running.scheduler, *running.workers))) == {"127.0.0.1"}


def test_a_cluster_without_workers_is_one_sentence(tmp_path, capsys):
    with cluster(tmp_path, workers=0) as found:
        assert main(["study", "run", str(toml(tmp_path)), "--cluster", found.address]) == 2
    told = capsys.readouterr().err
    assert told == (
        f"bygones: the scheduler at {found.address} has no workers: start some with `dask worker {found.address}`\n"
    )


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1: start one with `dask scheduler`"),
        ("127.0.0.1:8786", "cluster is '127.0.0.1:8786': give the scheduler's address, tcp://... or tls://..."),
        ("local:none", "the number of a local cluster is 'none'"),
        ("local:0", "the number of a local cluster is 0"),
    ],
)
def test_a_cluster_that_is_not_there_is_one_sentence(address, sentence, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("bygones.studies.cluster.PATIENCE", 1)
    assert main(["study", "run", str(toml(tmp_path)), "--cluster", address]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told.splitlines()) == 1


def test_without_dask_a_cluster_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "bygones.studies.cluster", raising=False)
    assert main(["study", "run", str(toml(tmp_path)), "--cluster", "local:2"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("which is not installed: install it with `pip install bygones[cluster]`\n")
    assert main(["study", "run", str(toml(tmp_path))]) == 0


def test_a_cluster_that_loses_all_workers_is_one_sentence_and_keeps_what_was_done(tmp_path, monkeypatch):
    from bygones.studies import cluster as clusters
    from bygones.studies.running import Session, run_cells

    monkeypatch.setattr(clusters, "ALONE", 1.0)
    monkeypatch.setattr(clusters, "LOOK", 0.5)
    session = Session(small(), tmp_path / "out")
    with (
        cluster(tmp_path / "cluster", workers=1) as found,
        pytest.raises(ConnectionError, match="has had no workers for 1 seconds; what was computed is kept"),
    ):
        run_cells(
            session.cells(), session.folder, cluster=found.address, tick=lambda _: [w.kill() for w in found.workers]
        )
    assert cells(tmp_path / "out")
    assert run(small(), tmp_path / "out").failed == 0


def test_workers_without_bygones_are_one_sentence(running, tmp_path, monkeypatch):
    from distributed import Client

    original = Client.get_versions

    def without(*given, **named):
        found = original(*given, **named)
        next(iter(found["workers"].values()))["packages"]["bygones"] = None
        return found

    monkeypatch.setattr(Client, "get_versions", without)
    with pytest.raises(ValueError, match=r"there is no bygones on tcp://.*: install the same version there as here"):
        run(small(), tmp_path / "out", cluster=running.address)
