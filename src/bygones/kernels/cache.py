"""Compiled kernels on disk: loaded only if nobody else could have written them and their checksum is right.

numba's own cache is not used. It unpickles whatever it finds, and its index gives two processes the same file name for
different signatures. Here each signature has a file of its own: a checksum, then what numba needs to load the kernel.
"""

import errno
import hashlib
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = 30 * 24 * 3600.0  # seconds that the unused kernels of a version are kept
MARKER = "made-by-bygones"  # the file without which a folder is never deleted
LINKS = 40  # symbolic links that are followed in one path, as many as Linux does


@cache
def cache_directory() -> Path | None:
    """The folder of the compiled kernels of this version; None, and a sentence on stderr, if none can be trusted."""
    try:
        try:
            directory = _own_directory(make=False)
        except FileNotFoundError:
            directory = _own_directory(make=True)
            say("compiling kernels, once for this version (some seconds in total)")
        if not (directory / MARKER).exists():
            (directory / MARKER).write_text("Compiled kernels of bygones. This folder can be deleted.\n")
        os.utime(directory)
    except (OSError, RuntimeError) as error:
        remedy = "change that, or set XDG_CACHE_HOME to a folder that only you can write"
        say(f"kernels are not cached, and every process compiles them again: {error}; {remedy}")
        return None
    _delete_unused(directory)
    return directory


def holds(function: Callable[..., object]) -> bool:
    """Whether the cache has a signature of this function."""
    try:
        return any(_own_directory(make=False).glob(f"{_stem(function)}-*.kernel"))
    except (OSError, RuntimeError):
        return False


@cache
def say(sentence: str) -> None:
    """Print a sentence on stderr, once per process."""
    print(f"bygones: {sentence}", file=sys.stderr)


class Signatures:
    """The compiled signatures of one kernel, in the part of a cache that numba's dispatcher calls.

    Args:
        function: the plain function.
        directory: where the files are; nobody else can write there.
    """

    def __init__(self, function: Callable[..., object], directory: Path) -> None:
        self._stem, self._directory = _stem(function), directory

    def load_overload(self, signature: object, context: Any) -> object:  # noqa: ANN401
        """Load a signature.

        Args:
            signature: the types of the arguments.
            context: numba's target.

        Returns:
            What numba compiled once; None if it is missing, damaged or not ours.
        """
        from numba.core import compiler

        untyped: Any = compiler
        context.refresh()
        identity, path = self._place(signature, context.codegen())
        try:
            trusted = not _distrust(path.lstat(), path)
            content = path.read_bytes()
        except OSError:
            return None
        payload = content[hashlib.sha256().digest_size :]
        if not trusted or sealed(identity, payload) != content:
            say("some cached kernels are damaged, and are compiled again")
            return None
        stored, reduced = pickle.loads(payload)  # noqa: S301 only this user can have written it
        return untyped.CompileResult._rebuild(context, *reduced) if stored == signature else None

    def save_overload(self, signature: object, result: Any) -> None:  # noqa: ANN401
        """Save a signature; a full disk only means that it is compiled again next time.

        Args:
            signature: the types of the arguments.
            result: what numba compiled.
        """
        from numba.core import serialize

        untyped: Any = serialize
        if result.library.has_dynamic_globals:  # addresses of this process
            return
        identity, path = self._place(signature, result.codegen)
        content = sealed(identity, untyped.dumps((signature, result._reduce())))
        with suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self._directory)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(name).replace(path)  # other processes find the whole file or none
            finally:
                Path(name).unlink(missing_ok=True)

    def _place(self, signature: object, codegen: Any) -> tuple[str, Path]:  # noqa: ANN401
        """What the checksum covers beside the content, so that no other file can take the place of this one."""
        import numba

        where = (self._directory.name, self._stem, sys.implementation.cache_tag, numba.__version__)
        identity = hashlib.sha256(repr((where, codegen.magic_tuple(), signature)).encode()).hexdigest()
        return identity, self._directory / f"{self._stem}-{identity[:16]}.kernel"


def sealed(identity: str, payload: bytes) -> bytes:
    """The content of a file.

    Args:
        identity: of the kernel, its signature and the machine.
        payload: what is stored.

    Returns:
        The checksum of both, and the payload.
    """
    return hashlib.sha256(identity.encode() + payload).digest() + payload


def _stem(function: Callable[..., object]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


@cache
def _version() -> str:
    """A digest of the whole package: after an edit the kernels are new ones."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _own_directory(make: bool) -> Path:
    """The real path of this version's cache, which nobody else can change: PermissionError if somebody could."""
    return own_folder(_version(), make)


def own_folder(name: str, make: bool) -> Path:
    """The real path of a folder of the user's cache, which nobody else can change.

    Args:
        name: of the folder.
        make: make it, for this user alone, if it is not there.

    Returns:
        The path.

    Raises:
        OSError: if it is not there, or (PermissionError) somebody else could change it.
    """
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    root = given if given.is_absolute() else Path.home().absolute() / ".cache"
    # In a sticky folder such as /tmp nobody else can replace what is ours, but the cache itself is not shared.
    root = _descend(Path(root.anchor), root.parts[1:], make, pardoned=stat.S_ISVTX)
    return _descend(root, ("bygones", name), make, pardoned=0)


def _descend(here: Path, parts: Iterable[str], make: bool, pardoned: int) -> Path:
    """Follow a path from a real folder, and look at each step before taking the next.

    Nobody else can replace what lies in a folder that only we can write. So what was checked stays true: there is no
    time between check and use in which another user could change the path.

    Args:
        here: where to start.
        parts: the names to follow; their links are resolved.
        make: whether to make missing folders, for this user alone.
        pardoned: the mode with which a folder may be writable by others.

    Returns:
        The real path of the last one.

    Raises:
        PermissionError: another user owns a folder or link on the way, or can write to a folder.
    """
    ahead, links = list(parts)[::-1], 0
    while True:
        info = here.lstat()
        if reason := _distrust(info, here, pardoned):
            raise PermissionError(reason)
        if stat.S_ISLNK(info.st_mode):
            links += 1
            if links > LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(here))
            target = here.readlink()
            here = Path(target.anchor) if target.is_absolute() else here.parent
            ahead += [part for part in reversed(target.parts) if part != target.anchor]
        elif not stat.S_ISDIR(info.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(here))
        elif not ahead:
            return here
        else:
            part = ahead.pop()
            here = here.parent if part == ".." else here / part
            if make and not os.path.lexists(here):
                here.mkdir(mode=0o700, exist_ok=True)  # exist_ok: another process may be as far


def _distrust(info: os.stat_result, path: Path, pardoned: int = 0) -> str:
    """Why another user could have made or changed this, or no text."""
    if os.name != "posix":  # access is not in the mode, and the home is closed to others by default
        return ""
    if info.st_uid not in (0, os.geteuid(), Path("/").stat().st_uid):  # the last: of root in a user namespace
        return f"{path} belongs to another user"
    if info.st_mode & 0o022 and not info.st_mode & pardoned and not stat.S_ISLNK(info.st_mode):
        return f"{path} can be written by other users"
    return ""


def _delete_unused(directory: Path) -> None:
    """Delete the caches of versions that were not used for long; nothing but what a version of bygones made."""
    with suppress(OSError):
        for other in directory.parent.iterdir():
            own = re.fullmatch("[0-9a-f]{16}", other.name) and not other.is_symlink() and (other / MARKER).is_file()
            if own and other != directory and other.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(other, ignore_errors=True)
