"""A kernel cache that is damaged or shared by processes gives right answers."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bygones.kernels import first_off_simplex
from bygones.kernels.cache import MARKER, Signatures, _version, sealed

pytestmark = [pytest.mark.compiled, pytest.mark.xdist_group("cache")]

SECONDS = 120  # after which a process that hangs is ended

# Each line is the answer of one kernel.
KERNELS = """
import numpy as np
from bygones.kernels import first_fault, first_off_simplex, lower, moments, perturbed_mean, project, quadrature

def answers(form):
    costs = np.random.default_rng(5).random((4, 3))
    one, other = np.empty(3), np.empty(3)
    yield "first_fault", form(first_fault)(costs, 0.9, 1.0)
    yield "first_off_simplex", form(first_off_simplex)(np.eye(3), 1e-9)
    form(moments)(costs, one, other)
    yield "moments", one.tolist(), other.tolist()
    yield "project", form(project)(costs[0], one), one.tolist()
    form(perturbed_mean)(costs[1], 0.5, *quadrature(3), one, other)
    yield "perturbed_mean", other.tolist()
    form(lower)(costs)
    yield "lower", costs.tolist()
"""
PROGRAM = KERNELS + "for answer in answers(lambda kernel: kernel): print(*answer, flush=True)"
ONE = "import numpy as np; from bygones.kernels import first_off_simplex as k; print(k(np.eye(2), 1e-9))"

FIRST = "bygones: compiling kernels, once for this version (some seconds in total)\n"
DAMAGED = "bygones: some cached kernels are damaged, and are compiled again\n"


def expected():
    """The answers of the kernels as plain Python."""
    names = {}
    exec(KERNELS, names)  # noqa: S102
    return "".join(" ".join(map(str, answer)) + "\n" for answer in names["answers"](lambda kernel: kernel.function))


def start(program, cache, **options):
    """A process with its own cache."""
    env = os.environ | {"XDG_CACHE_HOME": str(cache)}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", program], env=env, stdout=pipe, stderr=pipe, text=True, **options)


def ended(process):
    """What a process printed on stdout and stderr."""
    try:
        out, err = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert process.returncode == 0, f"{process.returncode} after\n{out}\n{err}"
    return out, err


def run(program, cache, **options):
    return ended(start(program, cache, **options))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A cache with all kernels of the program."""
    folder = tmp_path_factory.mktemp("sound")
    assert run(PROGRAM, folder) == (expected(), FIRST)
    return folder


def files(cache):
    return sorted((cache / "bygones" / _version()).glob("*.kernel"))


# Damage.


def flip(dice, path, _):
    content = bytearray(path.read_bytes())
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def truncate(dice, path, _):
    os.truncate(path, dice.randrange(1, path.stat().st_size))


def empty(_, path, __):
    path.write_bytes(b"")


def delete(_, path, __):
    path.unlink()


def swap(_, path, other):
    one, two = path.read_bytes(), other.read_bytes()
    path.write_bytes(two)
    other.write_bytes(one)


def scramble(dice, path, _):
    begin = dice.randrange(path.stat().st_size)
    content = path.read_bytes()
    path.write_bytes(content[:begin] + dice.randbytes(200) + content[begin + 200 :])


DAMAGES = {flip: 40, truncate: 15, empty: 10, delete: 10, swap: 15, scramble: 10}
CORRUPTIONS = [damage for damage, times in DAMAGES.items() for _ in range(times)]
random.Random(3).shuffle(CORRUPTIONS)  # noqa: S311
AT_ONCE = 5  # in one process, each to a kernel of its own
USUAL = 4  # of the processes, in a run without the slow tests
STARTS = range(0, len(CORRUPTIONS), AT_ONCE)


@pytest.mark.parametrize(
    "begin", [pytest.param(begin, marks=[pytest.mark.slow] if begin >= USUAL * AT_ONCE else []) for begin in STARTS]
)
def test_a_damaged_cache_gives_right_answers_and_is_repaired(sound, tmp_path, begin):
    cache, dice = tmp_path / "cache", random.Random(begin)  # noqa: S311
    shutil.copytree(sound, cache)
    paths, damages = files(cache), CORRUPTIONS[begin : begin + AT_ONCE]
    before = {path: path.read_bytes() for path in paths}
    dice.shuffle(paths)
    *singles, spare = paths
    for damage, path in zip(damages, singles, strict=True):
        damage(dice, path, spare)
    spoilt = {path: path.read_bytes() for path in paths if path.exists() and path.read_bytes() != before[path]}
    shown = [(damage.__name__, path.name) for damage, path in zip(damages, singles, strict=True)]
    assert len(spoilt) >= len(damages) - damages.count(delete), shown
    assert run(PROGRAM, cache) == (expected(), DAMAGED if spoilt else ""), shown
    assert set(files(cache)) == set(before), shown
    assert not [path.name for path, content in spoilt.items() if path.read_bytes() == content], shown


def test_what_is_repaired_is_sound(sound, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(sound, cache)
    for path in files(cache):
        path.write_bytes(path.read_bytes()[::-1])
    (cache / "bygones" / _version() / MARKER).unlink()
    assert run(PROGRAM, cache) == (expected(), DAMAGED)
    assert run(PROGRAM, cache) == (expected(), "")
    assert (cache / "bygones" / _version() / MARKER).is_file()


def test_a_kernel_of_another_version_is_not_loaded(sound, tmp_path):
    """Its file has the right name, but the checksum covers the version too."""
    other = tmp_path / "other" / "0123456789abcdef"
    signature = first_off_simplex_signature()
    (identity, _), (foreign, _) = (place(folder, signature) for folder in (Path(_version()), other))
    assert identity != foreign
    cache = tmp_path / "cache"
    shutil.copytree(sound, cache)
    (path,) = (path for path in files(cache) if "off_simplex" in path.name)
    path.write_bytes(sealed(foreign, path.read_bytes()[32:]))
    assert run(PROGRAM, cache) == (expected(), DAMAGED)


def test_processes_that_fill_one_cache_at_once_do_not_harm_each_other(tmp_path):
    """They compile the same kernels, two of them for another signature."""
    rows = "import numpy as np; from bygones.kernels import first_off_simplex as k; print(k(np.ones((3, 2)).T, 1e-9))"
    processes = [start(program, tmp_path) for program in (PROGRAM, rows, PROGRAM, rows)]
    answers = [ended(process)[0] for process in processes]
    assert answers == [expected(), "0\n", expected(), "0\n"]
    kept = files(tmp_path)
    assert len(kept) == 7
    assert {path.name for path in kept[0].parent.iterdir()} == {MARKER, *(path.name for path in kept)}
    before = [(path.stat().st_ino, path.stat().st_mtime_ns) for path in kept]
    assert run(PROGRAM, tmp_path) == (expected(), "")
    assert run(rows, tmp_path) == ("0\n", "")
    assert [(path.stat().st_ino, path.stat().st_mtime_ns) for path in kept] == before


# What is deleted.

KEPT = ["notes", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdef0", "0123456789abcdef.old", "g123456789abcdef"]


def test_only_folders_that_bygones_made_are_deleted(tmp_path):
    assert run(ONE, tmp_path)[0] == "-1\n"
    folder = tmp_path / "bygones"
    for name in [*KEPT, "0000000000000001", "0000000000000002"]:
        (folder / name).mkdir()
        (folder / name / MARKER).touch()
    (folder / "0000000000000003").mkdir()  # without a marker
    (folder / "0000000000000003" / "thesis.tex").touch()
    (folder / "0000000000000004").write_text("a file")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / MARKER).touch()
    (folder / "0000000000000005").symlink_to(tmp_path / "elsewhere")
    for path in [*folder.iterdir(), tmp_path / "elsewhere"]:
        os.utime(path, (0, 0))
    os.utime(folder / "0000000000000002")  # used not long ago
    before = {path.name for path in folder.iterdir()}
    assert run(ONE, tmp_path) == ("-1\n", "")
    assert {path.name for path in folder.iterdir()} == before - {"0000000000000001"}
    assert (tmp_path / "elsewhere" / MARKER).exists()
    assert (folder / "0000000000000003" / "thesis.tex").exists()


def first_off_simplex_signature():
    import numpy as np

    first_off_simplex(np.eye(2), 1e-9)
    return first_off_simplex.ready().signatures[0]


def place(folder, signature):
    from numba.core.registry import cpu_target

    return Signatures(first_off_simplex.function, folder)._place(signature, cpu_target.target_context.codegen())


def test_enough_was_tried():
    assert len(CORRUPTIONS) == 100
    assert len(STARTS) * AT_ONCE == len(CORRUPTIONS)
    assert len(KEPT) >= 6
