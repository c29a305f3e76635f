"""How worst cases grow with the horizon and with the length of the window."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..exponents import fitted
from ..learners import Learner, labels
from ..memory import Window
from ..parallel import check_fork, showing
from ..problem import Problem
from ..validation import whole
from .searching import worst_case

if TYPE_CHECKING:
    import polars as pl

HORIZONS = (1_000, 2_000, 4_000, 8_000, 16_000)
LENGTHS = (4, 8, 16, 32, 64)


def growth(
    learners: Sequence[Learner | str],
    horizons: Sequence[int] = HORIZONS,
    lengths: Sequence[int] = LENGTHS,
    *,
    actions: int = 2,
    effort: float = 0.5,
    seed: int = 0,
    progress: bool | None = None,
) -> "pl.DataFrame":
    """The worst cases found at several horizons and window lengths; `exponents` fits how they grow.

    Args:
        learners: whose worst cases to search, or their words.
        horizons: T.
        lengths: H of the windows.
        actions: how many there are.
        effort: of every search; see `worst_case`.
        seed: of every search.
        progress: None shows a progress bar on a terminal only.

    Returns:
        A frame with the columns learner, horizon, length, regret, bound, share (of the bound) and found_by; one row
        for each learner, horizon and length. All in about a minute for each learner.

    >>> frame = growth(["hedge"], [200, 400], [2, 4], effort=0.1)
    >>> frame.columns, len(frame), bool((frame["regret"] < frame["bound"]).all())
    (['learner', 'horizon', 'length', 'regret', 'bound', 'share', 'found_by'], 4, True)
    """
    check_fork()
    import polars as pl

    given = [Learner.parse(each) if isinstance(each, str) else each for each in learners]
    cells = list(product(zip(given, labels(given), strict=True), horizons, lengths))
    rows = []
    with showing(progress, len(cells), "searching worst cases") as tick:
        for (learner, label), horizon, length in cells:
            problem = Problem(actions, whole("a horizon", horizon, 1), Window(whole("a window's length", length, 1)))
            found = worst_case(learner, problem, effort, seed, progress=False)
            rows.append((label, horizon, length, found.regret, found.bound, found.share, found.found_by))
            tick(1)
    numbers = dict.fromkeys(("regret", "bound", "share"), pl.Float64)
    schema = {"learner": pl.String, "horizon": pl.Int64, "length": pl.Int64, **numbers, "found_by": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def exponents(frame: "pl.DataFrame") -> "pl.DataFrame":
    """How worst cases grow: the exponent of T at each H, and that of H at each T, by least squares of logarithms.

    Args:
        frame: as `growth` returns it, with three horizons or lengths at least.

    Returns:
        A frame with the columns learner, parameter ("horizon" or "length"), at (the value of the other one), exponent,
        se (its standard error, of the regression), misfit (the largest share by which a regret is off the line) and
        promised (the exponent of the bound, if there is one).

    Raises:
        ValueError: if the frame lacks a column.

    >>> frame = growth(["hedge"], [200, 400, 800], [4], effort=0.1)
    >>> fit = exponents(frame).row(0, named=True)
    >>> fit["parameter"], fit["at"], round(fit["exponent"], 1), round(fit["promised"], 1)
    ('horizon', 4, 0.5, 0.5)
    """
    check_fork()
    import polars as pl

    needed = ["learner", "horizon", "length", "regret", "bound"]
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise ValueError(f"the frame has no column {missing[0]!r}: give one as growth() returns it")
    rows = []
    for parameter, other in (("horizon", "length"), ("length", "horizon")):
        for (learner, at), group in frame.group_by("learner", other, maintain_order=True):
            ordered = group.sort(parameter)
            x = ordered[parameter].to_list()
            fit = fitted(x, ordered["regret"].to_numpy()[np.newaxis])
            if fit is not None:
                whole_bound = ordered["bound"].null_count() == 0
                promised = fitted(x, ordered["bound"].to_numpy()[np.newaxis]) if whole_bound else None
                rows.append((learner, parameter, at, *fit, promised and promised.exponent))
    numbers = dict.fromkeys(("exponent", "se", "misfit", "promised"), pl.Float64)
    schema = {"learner": pl.String, "parameter": pl.String, "at": pl.Int64, **numbers}
    return pl.DataFrame(rows, schema=schema, orient="row")
