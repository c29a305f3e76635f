"""Compile kernels, and cache them safely."""

import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE = Path(__file__).resolve().parent.parent
_ONE_AT_A_TIME = threading.RLock()
_plain = False  # whether kernels that were not called yet run as plain Python
KEPT = 30 * 24 * 3600.0  # seconds that the unused kernels of a version are kept


class Kernel(Generic[P, R]):
    """A plain function that numba compiles at its first call.

    Neither making a kernel nor importing it imports numba. A kernel may call other kernels by their global names.
    `call` is the fastest way to run it: the compiled function itself, as soon as it exists.
    """

    call: Callable[P, R]

    def __init__(self, function: Callable[P, R], inline: bool) -> None:
        self.function, self._inline = function, inline
        self.call = self._first_call
        self.__doc__ = function.__doc__
        self._ready: Callable[P, R] | None = None

    def ready(self) -> Callable[P, R]:
        """The compiled function, or the plain one if numba's compiler is switched off."""
        if self._ready is None:
            with _ONE_AT_A_TIME:
                self._ready = _compile(self.function, self._inline)
        return self._ready

    @property
    def interpreted(self) -> bool:
        """Whether a call runs as plain Python."""
        return (_plain and self._ready is None) or self.ready() is self.function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it; the first call compiles it."""
        return self.call(*args, **kwargs)

    def _first_call(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if _plain:
            return self.function(*args, **kwargs)
        try:
            value = self.ready()(*args, **kwargs)
        except (UnpicklingError, EOFError):  # numba's cache is damaged
            shutil.rmtree(cache_directory() or "", ignore_errors=True)
            cache_directory.cache_clear()
            self._ready = None
            value = self.ready()(*args, **kwargs)
        self.call = self.ready()
        return value


def compiled(function: Callable[P, R], inline: bool = False) -> Kernel[P, R]:
    """Make a kernel of a plain function.

    Args:
        function: what it does.
        inline: compile it into each kernel that calls it. A call costs about as much as counting its arrays' users.

    Returns:
        The kernel.

    >>> from bygones.kernels import compiled
    >>> def _double(x):
    ...     return 2.0 * x
    >>> double = compiled(_double)
    >>> double(21.0), double.function is _double
    (42.0, True)
    """
    return Kernel(function, inline)


@contextmanager
def uncompiled(where: bool) -> Iterator[None]:
    """Run kernels that were not called yet as plain Python, with the same bits: for work shorter than compiling.

    Args:
        where: whether to do so; False changes nothing.
    """
    global _plain
    before, _plain = _plain, _plain or where
    try:
        yield
    finally:
        _plain = before


def _compile(function: Callable[P, R], inline: bool) -> Callable[P, R]:
    import numba

    config: Any = numba.config
    if config.DISABLE_JIT:
        return function
    plain = cast("FunctionType", function)
    callees = {name: plain.__globals__.get(name) for name in plain.__code__.co_names}
    scope = plain.__globals__ | {name: callee.ready() for name, callee in callees.items() if isinstance(callee, Kernel)}
    twin = FunctionType(plain.__code__, scope, plain.__name__)
    twin.__qualname__, twin.__module__ = plain.__qualname__, plain.__module__
    # numba reads the directory when it decorates. Its own choice would depend on the outer function's file alone.
    directory = cache_directory() if Path(plain.__code__.co_filename).is_relative_to(_PACKAGE) else None
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory or before)
    try:
        into: Any = "always" if inline else "never"
        kernel: Any = numba.njit(cache=directory is not None, nogil=True, error_model="numpy", inline=into)(twin)
    finally:
        config.CACHE_DIR = before
    if directory is not None:
        kernel._cache.save_overload = _where_there_is_room(kernel._cache.save_overload)
    return cast("Callable[P, R]", kernel)


def _where_there_is_room(save: Callable[..., None]) -> Callable[..., None]:
    """Ignore a full disk: the kernel runs, and is compiled again next time."""

    def saved(*args: object) -> None:
        with suppress(OSError):
            save(*args)

    return saved


def compiled_before(kernel: Kernel[P, R]) -> bool:
    """Whether the cache holds a kernel of this version."""
    try:
        return any(_own_directory().rglob(f"*.{kernel.function.__name__}-*.nbi"))
    except (OSError, RuntimeError):
        return False


def _own_directory() -> Path:
    """The cache of this version, named by a digest of the whole package: after an edit it is a new one."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "bygones" / digest.hexdigest()[:16]


@cache
def cache_directory() -> Path | None:
    """The folder of the compiled kernels; None if it cannot be written. Kernels of older code are never used."""
    try:
        directory = _own_directory()
        if not directory.exists():
            print("bygones: compiling kernels, once for this version (some seconds in total)", file=sys.stderr)
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(directory)
        for other in directory.parent.iterdir():  # caches of versions that were not used for long
            if other.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(other, ignore_errors=True)
    except (OSError, RuntimeError):
        return None
    return directory if os.access(directory, os.W_OK) else None
