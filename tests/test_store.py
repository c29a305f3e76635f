import io
import json
import os
import zipfile

import numpy as np
import pytest
from samples import LEARNERS as EXAMPLES
from samples import PROBLEM

import bygones as by
from bygones import store
from bygones.store.players import HEADER


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "player.npz"
    player = by.FTARL().start(PROBLEM, seed=7, history=[0, 1])
    player.play(by.StocHet().draw(3, 20, np.random.default_rng(0)))
    by.save(player, path)
    return path


def rewritten(path, change):
    """The same archive with its header changed, and sealed again."""
    members = store.from_zip(path.read_bytes())
    header = json.loads(members[HEADER])
    change(header)
    path.write_bytes(store.to_zip(members | {HEADER: json.dumps(header).encode()}))


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
@pytest.mark.parametrize("unknown", [{}, {"horizon": None, "cost_range": None}], ids=["known", "unknown"])
def test_every_player_round_trips(learner, unknown, tmp_path):
    problem = PROBLEM.replace(**unknown)
    if unknown and hasattr(learner, "rate"):
        learner = type(learner)(rate=0.1, **({"share": 0.1} if isinstance(learner, by.FixedShare) else {}))
    if unknown and isinstance(learner, by.HedgeAhead):  # needs both
        problem = PROBLEM.replace(horizon=400)
    if unknown and isinstance(learner, by.Pure):
        learner = by.Pure(by.Steering(), learner.how)
    if unknown and isinstance(learner, by.Steering):
        learner = by.Steering(by.Discounted(rate=0.1))
    if unknown and isinstance(learner, by.Guarded):  # needs the range
        problem, learner = PROBLEM.replace(horizon=None), by.Guarded(by.Steering(), slack=learner.slack)
    player = learner.start(problem, seed=3)
    player.play(by.StocHet().draw(3, 20, np.random.default_rng(0)))
    by.save(player, tmp_path / "player.npz")
    again = by.load(tmp_path / "player.npz")
    assert again.learner == player.learner
    assert again.problem == player.problem
    more = by.StocHet().draw(3, 30, np.random.default_rng(1))
    assert (again.play(more) == player.play(more)).all()


def test_the_history_is_kept(saved):
    assert (by.load(saved).history == [[1, 0, 0], [0, 1, 0]]).all()


def test_there_is_one_readable_header_and_no_pickle(saved):
    with zipfile.ZipFile(saved) as archive:
        assert json.loads(archive.read("player.json"))["learner"] == {"type": "FTARL"}
        for name in archive.namelist():
            if name != "player.json":
                np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)


def test_the_same_player_gives_the_same_bytes(saved, tmp_path):
    by.save(by.load(saved), tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()


def test_every_cut_of_the_file_is_refused(saved):
    whole = saved.read_bytes()
    for length in [0, 1, 10, *range(20, len(whole), 97), len(whole) - 1]:
        saved.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is not a saved player, or it is damaged"):
            by.load(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h: h.update(version=3, bygones="9.9"), r"written by a newer bygones \(9.9, format 3; .*upgrade"),
        (lambda h: h.update(format="something else"), "is not a saved player"),
        (lambda h: h.pop("numbers"), "is not a saved player"),
        (lambda h: h.update(numbers=[]), "is not a saved player"),
        (lambda h: h.update(version=0), "is not a saved player"),
        (lambda h: h["learner"].update(type=["FTARL"]), "names no learner"),
        (lambda h: h["numbers"].update(rounds=-3), "the snapshot is damaged"),
        (lambda h: h["numbers"].update(rate=float("nan")), "the snapshot is damaged"),
        (lambda h: h["learner"].update(type="LSA"), "this is no snapshot of LSA.*noise missing or not fitting"),
        (lambda h: h["learner"].update(type="Mine"), "it names the learner Mine, .*: pass learners="),
        (lambda h: h["learner"].update(colour="red"), "unknown field `colour`"),
        (
            lambda h: h["problem"].update(actions=4),
            "player.npz cannot be resumed: this is no snapshot of FTARL",
        ),
        (lambda h: h["problem"]["memory"].update(length=0), "the window's length is 0"),
        (lambda h: h["numbers"].update(rounds="many"), "rounds missing or not fitting"),
        (lambda h: h["numbers"].update(extra=1), "extra missing or not fitting"),
        (lambda h: h["numbers"].update({"generator.state": -1}), "its generator must be whole numbers from 0 on"),
        (lambda h: h["numbers"].update({"generator.state": 1.5}), "its generator must be whole numbers from 0 on"),
        (lambda h: h["numbers"].update({"generator.state": 2**200}), "the snapshot's generator is damaged"),
        (lambda h: h["numbers"].update(rounds=1.5), "its rounds and its generator must be whole"),
        (lambda h: h["numbers"].update(rounds=True), "its rounds and its generator must be whole"),
        (lambda h: h["numbers"].update(rate=-1.0), "the snapshot's rate is -1.0"),
        (lambda h: h["numbers"].update(rate=float("inf")), "the snapshot's rate is inf"),
    ],
)
def test_a_foreign_file_is_refused(saved, change, message):
    rewritten(saved, change)
    with pytest.raises(ValueError, match=message):
        by.load(saved)


def test_an_action_that_does_not_exist_is_refused():
    player = by.FTARL().start(PROBLEM)
    before = player.snapshot()
    with pytest.raises(ValueError, match="plays action .*with 3 actions there is none such"):
        player.restore(before | {"current": np.array([3])})
    assert all(np.array_equal(before[name], value) for name, value in player.snapshot().items())


def test_a_player_for_another_problem_is_refused(saved):
    assert by.load(saved, problem=PROBLEM).rounds == 20
    with pytest.raises(ValueError, match="it was saved for .*not for .*start a new player"):
        by.load(saved, problem=PROBLEM.replace(horizon=51))


def test_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "text.npz").write_text("rounds,cost\n1,2\n")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(ValueError, match="is not a saved player"):
            by.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        by.load(tmp_path / "missing.npz")
    with pytest.raises(IsADirectoryError):
        by.load(tmp_path)


def test_a_failed_save_leaves_the_old_file_and_nothing_else(saved, monkeypatch):
    before = saved.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        by.save(by.Hedge().start(PROBLEM), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["player.npz"]


def test_restoring_in_place_forgets_the_decision_at_hand():
    player = by.FTARL(rate=0.1).start(PROBLEM, seed=1)
    start = player.snapshot()
    first = player.decide()
    player.play([list(first)] * 45)
    assert (player.decide() != first).any()
    player.restore(start)
    assert (player.decide() == first).all()


class Mine(by.Window):
    """A memory of somebody's own."""


def test_a_memory_of_ones_own_is_loaded_by_its_class_or_with_its_problem(tmp_path):
    problem = PROBLEM.replace(memory=Mine(4))
    path = tmp_path / "player.npz"
    by.save(by.Hedge().start(problem), path)
    assert by.load(path, memories=[Mine]).problem == by.load(path, problem=problem).problem == problem
    with pytest.raises(ValueError, match="it names the memory Mine, .*: pass memories="):
        by.load(path)


def test_saving_follows_links_keeps_modes_and_spares_what_is_no_file(tmp_path):
    player = by.Hedge().start(PROBLEM)
    place, link = tmp_path / "place.npz", tmp_path / "link.npz"
    place.touch(0o600)
    place.chmod(0o600)
    link.symlink_to(place)
    by.save(player, link)
    assert link.is_symlink()
    assert place.stat().st_mode & 0o777 == 0o600
    by.save(player, tmp_path / "new.npz")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "new.npz").stat().st_mode & 0o777 == 0o666 & ~mask
    os.mkfifo(tmp_path / "pipe")
    for wrong, message in (("pipe", "is not a file"), (".", "is not a file"), ("no/player.npz", "there is no folder")):
        with pytest.raises(ValueError, match=message):
            by.save(player, tmp_path / wrong)
    with pytest.raises(ValueError, match="is not a player: give what a learner's `start` returned"):
        by.save(by.Hedge(), tmp_path / "learner.npz")
