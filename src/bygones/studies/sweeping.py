"""`sweep`: a study in one line, for notebooks; what it computes is kept."""

import warnings
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..costs import Costs
from ..kernels import cache
from ..learners import Learner
from ..memory import Memory, Window
from ..validation import shown
from .declaration import Study

if TYPE_CHECKING:
    from .results import Found

KEPT = "studies"  # in the user's cache


def sweep(
    learners: Learner | str | Sequence[Learner | str],
    costs: Any,  # noqa: ANN401
    *,
    memory: Any,  # noqa: ANN401
    out: str | PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    **more: Any,  # noqa: ANN401
) -> "Found":
    """Cross learners, costs and problems, compute what was not computed before, and compare.

    Whatever is swept is a list. What is computed is kept in the user's cache, so that a second call, or one with more
    replicates or values, computes only what is new.

    Args:
        learners: who plays: descriptions or words.
        costs: families or words, `"@flights"`, or paths of tables.
        memory: how far back decisions count: descriptions, words, or lengths of windows.
        out: a folder for the results; None: the user's cache, in `~/.cache/bygones/studies`.
        workers: threads; None: one for each core.
        progress: show a bar; None: on a terminal.
        more: whatever else `by.Study` takes, such as `horizon`, `actions`, `replicates` and `method`; other names are
            parameters that the words of learners, costs or memories have in braces.

    Returns:
        The results: `summary()`, `frame()`, `plot()`, `report(path)` and `export(path)`.

    Raises:
        ValueError: with all that is wrong, one line each; or if there is no safe cache.
        OSError: if a file cannot be written.

    >>> import bygones as by, tempfile
    >>> found = by.sweep(["ftarl", "hedge"], "stochet", horizon=[100, 200], memory=[5, 10], replicates=3,
    ...                  out=tempfile.mkdtemp())
    >>> found.summary().select("learner", "horizon", "memory").row(-1)
    ('hedge', 200, 'window:10')
    """
    from .running import Session

    fields = {name: _listed(value) for name, value in more.items() if name in Study.__struct_fields__}
    grid = fields.pop("grid", {}) | {
        name: _listed(value) for name, value in more.items() if name not in Study.__struct_fields__
    }
    study = Study(
        learners=[_words(each, Learner) for each in _several(learners)],
        costs=[_words(each, Costs) for each in _several(costs)],
        memory=[_memory(each) for each in _several(memory)],
        grid=grid,
        **fields,
    )
    session = Session(study, _kept() if out is None else Path(out))
    ran = session.run(workers=workers, progress=progress)
    if ran.failed:
        first = next((each["error"] for each in session.found.failures()), "")
        warnings.warn(f"{ran.failed:,} cells failed, and their replicates are missing: {first}", stacklevel=2)
    return session.found


def _kept() -> Path:
    """The folder of all sweeps: cells that two of them have in common are computed once."""
    try:
        return cache.own_folder(KEPT, make=True)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"there is no safe place to keep results: {error}; name a folder with out=") from None


def _several(given: Any) -> list[Any]:  # noqa: ANN401
    """One or several things, as a list."""
    single = isinstance(given, str | PathLike | int | Learner | Costs | Memory) or not isinstance(given, Iterable)
    return [given] if single else list(given)


def _listed(given: Any) -> Any:  # noqa: ANN401
    """What is swept, as plain values: numpy has numbers and arrays of its own."""
    if hasattr(given, "tolist"):
        return given.tolist()
    return list(given) if isinstance(given, range | tuple) else given


def _memory(given: Any) -> str:  # noqa: ANN401
    length = _listed(given)
    return _words(Window(length) if isinstance(length, int) else given, Memory)


def _words(given: Any, kind: type[Any]) -> str:  # noqa: ANN401
    """A description in words, or words as they are."""
    if isinstance(given, str | PathLike):
        return str(given)
    if isinstance(given, kind):
        return str(given.words)
    raise ValueError(f"a sweep was given {shown(given)}: give a {kind.__name__}, its words, or of a table the path")
