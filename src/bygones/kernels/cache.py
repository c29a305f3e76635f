"""Compiled kernels on disk: loaded only if their checksum is right.

numba's own cache is not used. It unpickles whatever it finds, and its index gives two processes the same file name for
different signatures. Here each signature has a file of its own: a checksum, then what numba needs to load the kernel.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = 30 * 24 * 3600.0  # seconds that the unused kernels of a version are kept
MARKER = "made-by-bygones"  # the file without which a folder is never deleted


@cache
def cache_directory() -> Path | None:
    """The folder of the compiled kernels of this version; None if it cannot be written."""
    try:
        directory = _own_directory()
        if not directory.exists():
            say("compiling kernels, once for this version (some seconds in total)")
        directory.mkdir(parents=True, exist_ok=True)
        if not (directory / MARKER).exists():
            (directory / MARKER).write_text("Compiled kernels of bygones. This folder can be deleted.\n")
        os.utime(directory)
    except (OSError, RuntimeError):
        return None
    _delete_unused(directory)
    return directory


def holds(function: Callable[..., object]) -> bool:
    """Whether the cache has a signature of this function."""
    try:
        return any(_own_directory().glob(f"{_stem(function)}-*.kernel"))
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
        directory: where the files are.
    """

    def __init__(self, function: Callable[..., object], directory: Path) -> None:
        self._stem, self._directory = _stem(function), directory

    def load_overload(self, signature: object, context: Any) -> object:  # noqa: ANN401
        """Load a signature.

        Args:
            signature: the types of the arguments.
            context: numba's target.

        Returns:
            What numba compiled once; None if it is missing or damaged.
        """
        from numba.core import compiler

        untyped: Any = compiler
        context.refresh()
        identity, path = self._place(signature, context.codegen())
        try:
            content = path.read_bytes()
        except OSError:
            return None
        payload = content[hashlib.sha256().digest_size :]
        if sealed(identity, payload) != content:
            say("some cached kernels are damaged, and are compiled again")
            return None
        stored, reduced = pickle.loads(payload)  # noqa: S301
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


def _own_directory() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "bygones" / _version()


def _delete_unused(directory: Path) -> None:
    """Delete the caches of versions that were not used for long; nothing but what a version of bygones made."""
    with suppress(OSError):
        for other in directory.parent.iterdir():
            own = re.fullmatch("[0-9a-f]{16}", other.name) and not other.is_symlink() and (other / MARKER).is_file()
            if own and other != directory and other.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(other, ignore_errors=True)
