import os
import tempfile
from pathlib import Path

import pytest
from disks import room
from studying import SMALL, cells, computed, exported, run, small, toml

import bygones as by
from bygones.cli import main
from bygones.studies.folder import Folder
from bygones.studies.results import Found


def truncate(path, others):
    path.write_bytes(path.read_bytes()[:-40])


def flip(path, others):
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 4
    path.write_bytes(bytes(content))


def empty(path, others):
    path.write_bytes(b"")


def foreign(path, others):
    path.write_text("something else")


def renamed(path, others):
    path.write_bytes(others[0].read_bytes())


def sealed_by_us(path, others):
    by.save(by.Hedge().start(by.Problem(2, 3, by.Window(2))), path)


def other_block(path, others):
    key, first, stop = path.stem.split("-")
    path.rename(path.with_name(f"{key}-{first}-{int(stop) + 1}.parquet"))


@pytest.mark.parametrize("damage", [truncate, flip, empty, foreign, renamed, sealed_by_us, other_block])
def test_a_damaged_cell_is_found_computed_again_and_reported(damage, tmp_path, capsys):
    study, folder = small(), tmp_path / "out"
    run(study, folder)
    whole, before = exported(study, folder), cells(folder)
    path, *others = sorted(folder.glob("cells/*/*.parquet"))
    damage(path, others)
    if damage is not other_block:
        with pytest.raises(ValueError, match="is not a saved cell, or it is damaged"):
            exported(study, folder)
    (tmp_path / "study.toml").write_text((folder / "study.toml").read_text())
    assert main(["study", "run", str(tmp_path / "study.toml"), "--out", str(folder)]) == 0
    assert "1 cell was damaged, and computed again." in capsys.readouterr().out
    assert exported(study, folder) == whole
    after = cells(folder)
    assert [name for name in before if after[name] != before[name]] == [path.name]


def test_a_cell_that_cannot_be_read_just_now_is_not_removed(tmp_path, monkeypatch):
    study, folder = small(), tmp_path / "out"
    run(study, folder)
    before = cells(folder)

    def busy(*_):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(Path, "read_bytes", busy)
    with pytest.raises(OSError, match="Too many open files"):
        Found(study, Folder(folder)).damaged()
    with pytest.raises(OSError, match="Too many open files"):
        run(study, folder)
    assert cells(folder) == before


def test_what_is_no_cell_is_left_alone(tmp_path):
    study, folder = small(), tmp_path / "out"
    run(study, folder)
    whole = exported(study, folder)
    for name in ("notes.txt", "cells/notes.txt", "cells/00", "failed/notes.json", "failed/a-b-c.json", "cells/zz"):
        (folder / name).mkdir(exist_ok=True) if name.endswith(("00", "zz")) else (folder / name).write_text("{")
    assert run(study, folder).computed == 0
    assert exported(study, folder) == whole
    assert Found(study, Folder(folder)).failures() == []
    assert (folder / "cells" / "notes.txt").exists()


def test_what_a_killed_run_left_is_removed(tmp_path):
    study, folder = small(), tmp_path / "out"
    run(study, folder)
    part = next(folder.glob("cells/*"))
    (part / ".bygones-unfinished-1").write_text("half")
    (folder / ".bygones-unfinished-2").write_text("half")
    run(study, folder)
    assert not list(folder.rglob(".bygones-unfinished-*"))


def test_a_folder_whose_run_was_killed_before_it_began_is_taken(tmp_path):
    Folder(tmp_path / "out")
    (tmp_path / "out" / ".bygones-unfinished-1").write_text("half")
    assert run(small(), tmp_path / "out").computed == 8


def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="holds something else than a study: name a new or empty folder"):
        Folder(tmp_path)
    with pytest.raises(ValueError, match="is not a folder: name another place"):
        Folder(tmp_path / "notes.txt")
    with pytest.raises(ValueError, match="is not the folder of a study"):
        Folder.there(tmp_path)


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(tmp_path, capsys):
    path, folder = toml(tmp_path, record="all", horizon=400), tmp_path / "out"
    with room(4_000):
        assert main(["study", "run", str(path), "--out", str(folder), "--workers", "1"]) == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert told.startswith(f"bygones: {folder} cannot be written: File too large; what is there is kept: make room")
    assert not list(folder.rglob(".bygones-unfinished-*"))
    assert main(["study", "run", str(path), "--out", str(folder)]) == 0
    study = small(record="all", horizon=400)
    run(study, tmp_path / "undisturbed")
    assert exported(study, folder) == exported(study, tmp_path / "undisturbed")


def test_a_read_only_folder_is_a_sentence(capsys):
    nobody, me = 65_534, os.geteuid()
    with tempfile.TemporaryDirectory() as outer:
        path = toml(Path(outer))
        Path(outer).chmod(0o555)
        os.seteuid(nobody if me == 0 else me)  # root may write everywhere
        try:
            assert main(["study", "run", str(path), "--out", f"{outer}/new"]) == 2
            told = capsys.readouterr().err
        finally:
            os.seteuid(me)
            Path(outer).chmod(0o700)
    assert told.splitlines()[-1] == (
        f"bygones: {outer}/new cannot be written: Permission denied; what is there is kept: "
        "make room for the rest or name another folder, and run it again"
    )


def test_every_run_is_written_down(tmp_path):
    run(small(), tmp_path / "out")
    run(small(replicates=SMALL["replicates"] + 2), tmp_path / "out")
    first, second = computed(tmp_path / "out")
    assert first == second == 8
