"""Saved files that were damaged or changed on purpose: a sentence, or what was saved; never a crash or a hang."""

import io
import json
import os
import resource
import signal
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from samples import PROBLEM
from tables import table

import bygones as by
from bygones import store
from bygones.backtesting.outcome import FRAMES
from bygones.store import sealed
from bygones.store.players import HEADER

FLIPS = {"player": 2_000, "result": 2_000, "backtest": 1_000}
RESEALED = 2_000
LOADS = {"player": by.load, "result": by.Result.load, "backtest": by.Backtest.load}


@contextmanager
def watched(seconds=20, more=2**30):
    """End what hangs, and refuse memory beyond a gigabyte more than there is."""

    def late(*_):
        raise AssertionError(f"still loading after {seconds} s")

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGESIZE") + more, limit[1]))
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limit)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """One file of each kind."""
    folder = tmp_path_factory.mktemp("saves")
    player = by.Steering().start(PROBLEM, seed=7, history=[0, 1])
    player.play(by.StocHet().draw(3, 20, np.random.default_rng(0)))
    by.save(player, folder / "player")
    by.simulate(PROBLEM, [by.FTARL(), by.Hedge()], by.StocHet(), replicates=2, guarantee=True).save(folder / "result")
    by.backtest(table(40), "window:4", [by.Hedge()], cost_range=9.0).save(folder / "backtest")
    return {kind: (folder / kind).read_bytes() for kind in FLIPS}


def flipped(content, count, seed):
    """The content with one bit changed, at many places, spread evenly."""
    rng = np.random.default_rng(seed)
    places = np.linspace(0, len(content) - 1, count).astype(int)
    for place, bit in zip(places, rng.integers(8, size=count), strict=True):
        yield content[:place] + bytes([content[place] ^ (1 << int(bit))]) + content[place + 1 :]


@pytest.mark.parametrize("kind", FLIPS)
def test_every_flipped_bit_is_noticed(saved, kind, tmp_path, counted):
    path, refused = tmp_path / "save", 0
    for content in flipped(saved[kind], FLIPS[kind], seed=1):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="save is not a saved"):
            LOADS[kind](path)
        refused += 1
    counted("flipped bits in saves", refused)
    assert refused == FLIPS[kind]
    path.write_bytes(saved[kind])
    LOADS[kind](path)


def test_so_many_bits_were_flipped():
    assert sum(FLIPS.values()) >= 5_000


@pytest.mark.parametrize("kind", FLIPS)
def test_what_is_cut_off_or_added_is_noticed(saved, kind, tmp_path, counted):
    path, content = tmp_path / "save", saved[kind]
    wrong = [content[:length] for length in range(0, len(content), len(content) // 50)]
    for other in (*wrong, content + b"\0", b"\0" + content, content.replace(b"bygones-sha256:", b"bygones-sha512:")):
        path.write_bytes(other)
        with pytest.raises(ValueError, match="save is not a saved"):
            LOADS[kind](path)
        counted("saves with something cut off or added")


@pytest.mark.parametrize("kind", FLIPS)
def test_a_file_without_a_digest_may_be_an_earlier_one(saved, kind, tmp_path):
    (tmp_path / "save").write_bytes(saved[kind].replace(b"bygones-sha256:", b"               "))
    with pytest.raises(ValueError, match="or it is damaged, or an earlier bygones saved it, without a digest: give"):
        LOADS[kind](tmp_path / "save")


def test_a_changed_player_with_a_new_digest_is_refused_or_can_be_played(saved, tmp_path, counted):
    """The digest shows damage only: who changes a file on purpose computes it again."""
    path, loaded = tmp_path / "save", 0
    members = store.from_zip(saved["player"])
    spread = [name for name in members for _ in range(RESEALED // len(members) + 1)][:RESEALED]
    changed = {name: flipped(content, spread.count(name), seed=len(content)) for name, content in members.items()}
    costs = np.random.default_rng(0).random((3, 3))
    for name in spread:
        path.write_bytes(store.to_zip(members | {name: next(changed[name])}))
        counted("flipped bits in saves, under a new digest")
        with watched():
            try:
                player = by.load(path)
            except ValueError as error:
                assert str(path) in str(error)  # noqa: PT017
                continue
            loaded += 1
            player.play(costs)
    assert 0 < loaded < RESEALED


def nested(depth):
    learner = {"type": "Hedge"}
    for _ in range(depth):
        learner = {"type": "Pure", "learner": learner}
    return learner


WRONG = {
    "900 wrappers": (lambda h: h.update(learner=nested(900)), "more than 32 times over: nest fewer"),
    "33 wrappers": (lambda h: h.update(learner=nested(33)), "more than 32 times over: nest fewer"),
    "900 memories": (lambda h: h["problem"].update(memory=nested(900)), "it names the memory|more than 32 times over"),
    "a trillion actions": (lambda h: h["problem"].update(actions=10**12), "names 1000000000000 actions and has"),
    "a billion actions": (lambda h: h["problem"].update(actions=10**9), "names 1000000000 actions and has"),
    "a million actions": (lambda h: h["problem"].update(actions=10**6), "names 1000000 actions and has"),
    "actions past floats": (lambda h: h["problem"].update(actions=10**400), "the number of actions is 1000"),
    "horizon past floats": (lambda h: h["problem"].update(horizon=10**400), "the horizon is 1000"),
    "a long horizon": (lambda h: h["problem"].update(horizon=2**53), "this is no snapshot of"),
    "window past floats": (lambda h: h["problem"]["memory"].update(length=10**400), "the window's length is|int"),
    "a long window": (lambda h: h["problem"]["memory"].update(length=10**15), "this is no snapshot of"),
    "a range of 1e400": (lambda h: h["problem"].update(cost_range=10**400), "cost range has more than 300 digits"),
    "a tiny rho": (lambda h: h["problem"].update(memory={"type": "Geometric", "rho": 1e-320}), "cannot be resumed: "),
    "rounds past floats": (lambda h: h["numbers"].update(rounds=10**400), "the snapshot is damaged"),
    "a count past floats": (lambda h: h["numbers"].update({"memory.count": 10**400}), "has too many digits"),
    "5,000 digits": (lambda h: h["numbers"].update(rounds=1234567890123), "the snapshot|is not a saved player"),
    "a list of a learner": (lambda h: h.update(learner={"type": "Pure", "learner": ["x"] * 10**5}), "the learner is"),
    "a long name": (lambda h: h["learner"].update(type=["x"] * 10**5), "names no learner"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_header_that_claims_too_much_is_refused(saved, tmp_path, case, counted):
    change, message = WRONG[case]
    members = store.from_zip(saved["player"])
    header = json.loads(members[HEADER])
    change(header)
    said = json.dumps(header).replace("1234567890123", "9" * 5_000)
    path = tmp_path / "save"
    path.write_bytes(store.to_zip(members | {HEADER: said.encode()}))
    with watched(), pytest.raises(ValueError, match=message) as raised:
        by.load(path)
    assert str(path) in str(raised.value)
    counted("saves that claim too much")


def test_deep_json_is_refused(saved, tmp_path):
    path = tmp_path / "save"
    deep = b"[" * 100_000 + b"]" * 100_000
    path.write_bytes(store.to_zip(store.from_zip(saved["player"]) | {HEADER: deep}))
    with watched(), pytest.raises(ValueError, match="is not a saved player"):
        by.load(path)
    path.write_bytes(store.to_zip(store.from_zip(saved["backtest"]) | {"facts.json": deep}))
    with pytest.raises(ValueError, match="is not a saved backtest"):
        by.Backtest.load(path)


def test_a_window_that_its_rounds_would_fill_must_be_full(tmp_path):
    """Otherwise the next round would make room for all of it."""
    path = tmp_path / "save"
    player = by.AdaHedge().start(by.Problem(3, None, by.Window(2**52)))
    by.save(player, path)
    members = store.from_zip(path.read_bytes())
    header = json.loads(members[HEADER])
    header["numbers"] |= {"rounds": 2**50, "memory.count": 2**50}
    path.write_bytes(store.to_zip(members | {HEADER: json.dumps(header).encode()}))
    with watched(), pytest.raises(ValueError, match="memory.ring does not fit: it holds 0 decisions, not 11258999068"):
        by.load(path)


def npy(shape, kind="<f8", content=b""):
    """An array file whose header says what it likes."""
    said = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(said).to_bytes(2, "little") + said + content


ARRAYS = [
    npy("(10000000000000,)"),
    npy("(1000000000,)", content=bytes(24)),
    npy("(3, 1000000000000000000000)", content=bytes(24)),
    npy("(-1, -3)", content=bytes(24)),
    npy("(3,)", "<f4", bytes(24)),
    npy("(3,)", "|O", bytes(24)),
    npy("(3,)", "|S1000000000000", bytes(24)),
    npy("(0, 1000000000000)"),
    npy("(" + "3, " * 100 + ")", content=bytes(24)),
    npy("-" * 9_000 + "3", content=bytes(24)),
    npy("(" * 9_000, content=bytes(24)),
    npy("(3,)", content=bytes(23)),
    npy("(True, 3)", content=bytes(24)),
    b"\x93NUMPY\x01\x00\xff\xff",
    b"\x93NUMPY\x03\x00\xff\xff\xff\xff",
    b"\x93NUMPY\x09\x00\x00\x00",
    b"",
]


@pytest.mark.parametrize("content", ARRAYS, ids=range(len(ARRAYS)))
def test_an_array_that_claims_another_size_is_refused(saved, tmp_path, content, counted):
    path = tmp_path / "save"
    path.write_bytes(store.to_zip(store.from_zip(saved["player"]) | {"tally.totals.npy": content}))
    with watched(), pytest.raises(ValueError, match="save (is not a saved player|cannot be resumed)"):
        by.load(path)
    counted("saves that claim too much")


def test_an_array_that_claims_too_much_is_refused_unread(monkeypatch):
    read = []
    monkeypatch.setattr(np.lib.format, "read_array", lambda *_, **__: read.append(1))
    for content in ARRAYS[:3]:
        with pytest.raises(ValueError, match="does not have these bytes"):
            sealed.array_from(content)
    assert not read


def archive(members, how=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as made:
        made.comment = sealed.BLANK.encode()
        for name, content in members.items():
            made.writestr(name, content)
    return buffer.getvalue()


def overlapping(members, copies):
    """An archive whose list names the same bytes many times."""
    content = archive(members)
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06", start)
    total, size = copies * len(members), copies * (end - start)
    last = bytearray(content[end:])
    last[8:12] = total.to_bytes(2, "little") * 2
    last[12:16] = size.to_bytes(4, "little")
    return content[:start] + content[start:end] * copies + bytes(last)


@pytest.mark.parametrize("kind", ["player", "backtest"])
def test_a_member_larger_than_its_archive_is_refused_unread(saved, kind, tmp_path, monkeypatch):
    path, members, read = tmp_path / "save", store.from_zip(saved[kind]), []
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda _, member: read.append(member) or b"")
    bombs = [
        archive(members | {"bomb.npy": bytes(2**24)}, zipfile.ZIP_DEFLATED),
        archive(members | {"bomb.npy": bytes(2**24)}, zipfile.ZIP_LZMA),
        overlapping(members | {"bomb.npy": bytes(2**16)}, copies=500),
    ]
    for bomb in bombs:
        path.write_bytes(sealed._sealed(bomb))
        with watched(), pytest.raises(ValueError, match="save is not a saved"):
            LOADS[kind](path)
    assert not read


@pytest.mark.parametrize("kind", ["result", "backtest"])
def test_parquet_that_unpacks_to_far_more_is_refused_unread(saved, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(sealed, "ROOMY", 2**20)
    rows = 300_000
    bomb = pl.DataFrame({name: np.zeros(rows) for name in ("learner", "replicate", "round", "regret")})
    path = tmp_path / "save"
    if kind == "result":
        header = sealed.frame_from(saved["result"])[0]
        path.write_bytes(store.sealed_frame(bomb, header))
    else:
        members = {"path.parquet": store.as_bytes(bomb.write_parquet)}
        path.write_bytes(store.to_zip(store.from_zip(saved["backtest"]) | members))
    assert path.stat().st_size < rows / 4
    read = []
    monkeypatch.setattr(pl, "read_parquet", lambda *_: read.append(1))
    with pytest.raises(ValueError, match="save is not a saved"):
        LOADS[kind](path)
    assert len(read) <= len(FRAMES[:8])  # those of a backtest that come first


def test_facts_of_another_kind_are_refused(saved, tmp_path):
    members = store.from_zip(saved["backtest"])
    facts = json.loads(members["facts.json"])
    for wrong in ({"clairvoyant": "much"}, {"policy_regrets": 3}, {"first": None}, {"cut_entries": 1.5}):
        (tmp_path / "save").write_bytes(store.to_zip(members | {"facts.json": json.dumps(facts | wrong).encode()}))
        with pytest.raises(ValueError, match="is not a saved backtest"):
            by.Backtest.load(tmp_path / "save")


def test_a_pipe_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with watched(), pytest.raises(ValueError, match="pipe is not a saved player"):
        by.load(tmp_path / "pipe")


def test_many_actions_can_be_saved_and_loaded(tmp_path):
    problem = by.Problem(200_000, 10, by.Window(3))
    by.save(by.Hedge().start(problem), tmp_path / "save")
    assert by.load(tmp_path / "save").problem == problem


def test_the_text_of_a_seal_in_a_header_does_no_harm(tmp_path):
    result = by.simulate(PROBLEM, [by.Hedge()], by.StocHet(), replicates=1)
    result.about["note"] = f"{sealed.SEAL} {sealed.BLANK}"
    result.save(tmp_path / "save")
    assert by.Result.load(tmp_path / "save").about == result.about
