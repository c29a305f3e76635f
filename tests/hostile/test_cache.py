"""A kernel cache that is damaged, shared, or attacked by another user gives right answers and runs nobody's code."""

import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bygones.kernels import first_off_simplex
from bygones.kernels.cache import MARKER, Signatures, _version, sealed

pytestmark = [pytest.mark.compiled, pytest.mark.slow, pytest.mark.xdist_group("cache")]

SECONDS = 120  # after which a process that hangs is ended
STRANGER = 65534  # another user

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
REFUSED = (
    "bygones: kernels are not cached, and every process compiles them again: {} {}; "
    "change that, or set XDG_CACHE_HOME to a folder that only you can write\n"
)


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
STARTS = range(0, len(CORRUPTIONS), AT_ONCE)


@pytest.mark.parametrize("begin", STARTS)
def test_a_damaged_cache_gives_right_answers_and_is_repaired(sound, tmp_path, begin, counted):
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
    counted("corruptions of the kernel cache", len(shown))
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


# Other users.

needs_two_users = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


def first_off_simplex_signature():
    import numpy as np

    first_off_simplex(np.eye(2), 1e-9)
    return first_off_simplex.ready().signatures[0]


def place(folder, signature):
    from numba.core.registry import cpu_target

    return Signatures(first_off_simplex.function, folder)._place(signature, cpu_target.target_context.codegen())


class Attack:
    """What a stranger would put into the cache: a file with a right checksum that runs their code."""

    def __init__(self, folder):
        self.folder, self.struck = folder, folder / "struck"

    def __reduce__(self):
        return exec, (f"open({str(self.struck)!r}, 'w')",)

    def write(self):
        """Write it to `forged`, under the name that the next process looks for."""
        identity, path = place(self.folder / "forged" / _version(), first_off_simplex_signature())
        path.parent.mkdir(parents=True)
        path.write_bytes(sealed(identity, pickle.dumps(self)))
        (path.parent / MARKER).touch()

    def do(self, script, user):
        """Run a shell script; R is the root of the cache, B the folder in it, N this version's, F what is forged."""
        names = {"R": "cache", "B": "cache/bygones", "N": f"cache/bygones/{_version()}", "F": f"forged/{_version()}"}
        names = {name: str(self.folder / path) for name, path in names.items()}
        options = {} if user == 0 else {"user": user, "group": user, "extra_groups": []}
        command = ["/bin/sh", "-euc", f"umask 0; {script}"]
        return subprocess.Popen(command, env=names, cwd=self.folder, start_new_session=True, **options)

    def done(self, script, user):
        assert self.do(script, user).wait(SECONDS) == 0, script


@pytest.fixture
def attack():
    """In a folder that others can see; those of pytest are closed to them."""
    with tempfile.TemporaryDirectory(prefix="bygones-") as folder:
        Path(folder).chmod(0o755)
        attack = Attack(Path(folder))
        attack.write()
        yield attack


WRITABLE, STRANGERS = "can be written by other users", "belongs to another user"
MINE = "mkdir -m 755 -p $R $B; cp -r $F $N; chmod 755 $N; rm $N/*.kernel; "  # the user's own, empty

# What the user did, what the stranger does, and then the folder that is refused and why. Without a folder, only the
# file is refused, after what the user did last.
ATTACKS = {
    "a shared root": ("mkdir -m 777 $R", "mkdir $B; cp -r $F $N", "cache", WRITABLE),
    "a shared sticky root": ("mkdir -m 1777 $R", "mkdir $B; cp -r $F $N", "cache", WRITABLE),
    "a root for a group": (f"mkdir -m 775 $R; chgrp {STRANGER} $R", "mkdir $B; cp -r $F $N", "cache", WRITABLE),
    "a stranger's root": (f"mkdir $R; chown {STRANGER} $R; chmod 755 $R", "mkdir $B; cp -r $F $N", "cache", STRANGERS),
    "a stranger's root in a sticky folder": (
        "chmod 1777 .",
        "mkdir -m 755 $R $B; cp -r $F $N; chmod 755 $N",
        "cache",
        STRANGERS,
    ),
    "a shared parent": (f"{MINE} chmod 777 .", "mv $R old; mkdir $R $B; cp -r $F $N", "", WRITABLE),
    "a shared parent, not used yet": (f"{MINE} chmod 777 .", "true", "", WRITABLE),
    "a shared folder": (f"{MINE} chmod 777 $B", "mv $N $B/old; cp -r $F $N", "cache/bygones", WRITABLE),
    "a sticky folder": ("mkdir -m 755 $R; mkdir -m 1777 $B", "cp -r $F $N", "cache/bygones", WRITABLE),
    "a shared version": (f"{MINE} chmod 777 $N", "cp $F/*.kernel $N", "cache/bygones/{}", WRITABLE),
    "a stranger's version": (
        f"mkdir -m 755 $R $B; cp -r $F $N; chown -R {STRANGER} $N",
        "chmod 755 $N",
        "cache/bygones/{}",
        STRANGERS,
    ),
    "a stranger's link to their folder": (
        "chmod 1777 .",
        "mkdir -m 755 theirs theirs/bygones; cp -r $F theirs/bygones; ln -s theirs $R",
        "cache",
        STRANGERS,
    ),
    "a stranger's link to the user's folder": (
        "chmod 1777 .; mkdir -m 755 mine mine/bygones; cp -r $F mine/bygones",
        "ln -s mine $R",
        "cache",
        STRANGERS,
    ),
    "a stranger's link among the versions": (
        f"{MINE} rm -r $N; ln -s ../../forged/{'{}'} $N; chown -h {STRANGER} $N",
        "true",
        "cache/bygones/{}",
        STRANGERS,
    ),
    "the user's link to a stranger's folder": (
        "chmod 1777 .; ln -s theirs $R",
        "mkdir -m 755 theirs theirs/bygones; cp -r $F theirs/bygones",
        "theirs",
        STRANGERS,
    ),
    "the user's link through a shared folder": (
        "mkdir -m 777 open; mkdir -m 755 open/mine; ln -s open/mine $R",
        "mv open/mine open/old; mkdir -p open/mine/bygones; cp -r $F open/mine/bygones",
        "open",
        WRITABLE,
    ),
    "a stranger's file in a folder that was shared": (
        f"{MINE} chmod 777 $N",
        "cp $F/*.kernel $N",
        None,
        "chmod 755 $N",
    ),
    "a stranger's link to a file": (f"{MINE} chmod 777 $N", "ln -s $F/*.kernel $N", None, "chmod 755 $N"),
    "a file that others can write": (f"{MINE} cp $F/* $N; chmod 666 $N/*.kernel", "cp $F/*.kernel $N", None, "true"),
}


@needs_two_users
@pytest.mark.parametrize("name", ATTACKS)
def test_another_user_gets_no_code_run(attack, name, counted):
    mine, theirs, folder, reason = ATTACKS[name]
    attack.done(mine.replace("{}", _version()), 0)
    attack.done(theirs, STRANGER)
    if folder is None:
        attack.done(reason, 0)
        said = DAMAGED
    else:
        said = REFUSED.format(attack.folder / folder.format(_version()), reason)
    before = sorted(attack.folder.rglob("*"))
    assert run(ONE, attack.folder / "cache") == ("-1\n", said)
    assert not attack.struck.exists()
    counted("attacks on the kernel cache by a second user")
    assert sorted(attack.folder.rglob("*")) == before


def test_the_attack_would_work_on_a_cache_that_is_trusted(attack):
    """So the tests above can fail."""
    attack.done("mkdir -m 700 $R $B; cp -r $F $N; chmod 700 $N; chmod 600 $N/*", 0)
    process = start(ONE, attack.folder / "cache")
    process.communicate(timeout=SECONDS)
    assert attack.struck.exists()


SWAPS = """
mkdir -m 755 open/theirs open/theirs/bygones; cp -r $F open/theirs/bygones; chmod -R go-w open/theirs
exec 2>/dev/null; set +e
while :; do
    for number in 0 1 2; do ln -s ../open/theirs sticky/$number; rm sticky/$number; done
    mv open/cache open/mine; mv open/theirs open/cache; mv open/cache open/theirs; mv open/mine open/cache
done
"""


@needs_two_users
def test_a_stranger_who_swaps_folders_all_the_time_gets_no_code_run(attack, counted):
    """In a sticky folder they may be first, but what they made is then theirs; any other shared folder is refused."""
    attack.done(f"mkdir -m 777 open; mkdir -m 1777 sticky; {MINE} mv $R open/cache", 0)
    stranger = attack.do(SWAPS, STRANGER)
    try:
        refused = REFUSED.format(attack.folder / "open", WRITABLE)
        assert run(ONE, attack.folder / "open" / "cache") == ("-1\n", refused)
        for number in range(3):
            cache = attack.folder / "sticky" / str(number)
            out, err = run(ONE, cache)
            assert out == "-1\n"
            assert err in (FIRST, REFUSED.format(cache, STRANGERS))
        assert stranger.poll() is None
    finally:
        os.killpg(stranger.pid, signal.SIGKILL)
        stranger.wait()
    assert not attack.struck.exists()
    counted("attacks on the kernel cache by a second user")


# Caches that are used, with what the user did before; R is made for them alone if it is missing.
USED = {
    "a new root": "true",
    "a new root in a sticky folder": "chmod 1777 .",
    "a root that others can read": "mkdir -m 755 $R",
    "the user's link": "mkdir -m 755 mine; ln -s mine $R",
    "the user's links through a sticky folder": "mkdir -m 755 mine; mkdir -m 1777 t; ln -s ../mine t/x; ln -s t/x $R",
    "an absolute link to a new folder": "ln -s $PWD/mine/new $R; mkdir -m 755 mine",
}


@pytest.mark.parametrize("name", USED)
def test_a_cache_of_the_user_alone_is_used(attack, name):
    attack.done(USED[name], 0)
    cache = attack.folder / "cache"
    assert run(ONE, cache) == ("-1\n", FIRST)
    assert run(ONE, cache) == ("-1\n", "")
    for folder in (cache / "bygones", cache / "bygones" / _version()):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in files(cache)] == [0o600]


# Becomes another user after all is read, because Python itself may be closed to others.
AS_STRANGER = f"""
import os
from bygones.kernels import cache
cache._version()
os.setgroups([]); os.setgid({STRANGER}); os.setuid({STRANGER})
print(cache.cache_directory())
"""


@needs_two_users
def test_a_user_who_is_not_root_has_a_cache_below_the_folders_of_root(attack):
    attack.done(f"mkdir -m 700 $R; chown {STRANGER}:{STRANGER} $R", 0)
    cache = attack.folder / "cache"
    directory = cache / "bygones" / _version()
    assert run(AS_STRANGER, cache) == (f"{directory}\n", FIRST)
    assert run(AS_STRANGER, cache) == (f"{directory}\n", "")
    assert (directory.stat().st_uid, directory.stat().st_mode & 0o777) == (STRANGER, 0o700)
    assert run(ONE, cache) == ("-1\n", REFUSED.format(cache, STRANGERS))  # root trusts no other user


def test_links_in_a_circle_only_mean_no_cache(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    out, err = run(ONE, tmp_path / "one")
    assert out == "-1\n"
    assert re.fullmatch(r"bygones: kernels are not cached.*symbolic links.*\n", err)


def test_enough_was_tried():
    assert len(CORRUPTIONS) == 100
    assert len(STARTS) * AT_ONCE == len(CORRUPTIONS)
    assert len(ATTACKS) >= 19
    assert len(USED) >= 6
    assert len(KEPT) >= 6
