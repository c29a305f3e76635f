"""Compile kernels at their first call."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from .cache import PACKAGE, Signatures, cache_directory, holds

P = ParamSpec("P")
R = TypeVar("R")

_ONE_AT_A_TIME = threading.RLock()
_plain = False  # whether kernels that were not called yet run as plain Python


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
    into: Any = "always" if inline else "never"
    kernel: Any = numba.njit(nogil=True, error_model="numpy", inline=into)(twin)
    if Path(plain.__code__.co_filename).is_relative_to(PACKAGE) and (directory := cache_directory()):
        stored = Signatures(plain, directory)
        kernel._cache.load_overload, kernel._cache.save_overload = stored.load_overload, stored.save_overload
    return cast("Callable[P, R]", kernel)


def compiled_before(kernel: Kernel[P, R]) -> bool:
    """Whether the cache holds a kernel of this version."""
    return holds(kernel.function)
