"""Fitting a memory: candidates, their errors, and which of them the data can tell apart."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..kernels import Array
from ..memory import Memory, Window
from ..validation import whole
from .candidates import LONGEST, SHARE, finer_grid, first_grid, fitted_weights, missed, missed_freely
from .fitted import MemoryFit
from .free import effects_of
from .record import FEWEST, as_record
from .rivals import CONSTANT, FREE, Rivals

NO_MEMORY = Window(1)
SOME, CLEAR = 0.5, 1.0  # mean lags, of windows of two and three: less than the first is no memory


def fit_memory(costs: Any, decisions: Any, outcomes: Any, longest: int | None = None) -> MemoryFit:  # noqa: ANN401
    """Which memory fits past decisions and what was really paid, or sold.

    The state of a period is `x^t = sum_k a_k v^(t-k)`. With known costs the outcome is `y_t = b + <g^t, x^t>` and
    noise; without them each option has an unknown effect that stays the same, `y_t = b + <theta, x^t>`, as in
    advertising. The weights `a` are tried as windows, as geometrically fading ones, and as free weights on the simplex.

    Each memory is judged by its squared error on parts of the record that its constants were not fitted to (five
    consecutive parts, with a gap on either side). The memory is the window or fading one with the least error; free
    weights only if they are clearly better. Clearly means: by an interval that holds for all candidates together
    (`bootstrap.compare`). The data decide where the memory is clearly better than a constant, and than no memory
    (`window:1`); or where no memory is the best, and all with a mean lag of a period or more are clearly worse.

    Args:
        costs: of each option in each period, any source of a table; None: unknown and constant.
        decisions: one per outcome, the oldest first: weights (T, n), numbers or names of options (T,), or a data frame
            of either. Without costs they may be amounts of any size, such as money spent. More rows than outcomes are
            earlier decisions.
        outcomes: what was really paid or sold in each period, (T,).
        longest: the most periods that are tried; None: a fifth of the record, and at most 52.

    Returns:
        The `memory`, a `table` of all that were tried, and `decided`: False if the data cannot tell.

    Raises:
        ValueError: if these are not numbers of fitting shapes, or too few.

    >>> import numpy as np
    >>> import bygones as by
    >>> generator = np.random.default_rng(0)
    >>> decisions = np.repeat(generator.integers(0, 3, 60), generator.integers(1, 9, 60))[:200]
    >>> costs = generator.normal(10, 2, (200, 3))
    >>> paid = (costs * by.Window(4).start(3).extend(decisions)).sum(axis=1) + generator.normal(0, 0.5, 200)
    >>> fit = by.fit_memory(costs, decisions, paid)
    >>> fit.memory, fit.decided
    (Window(length=4), True)
    """
    record = as_record(costs, decisions, outcomes)
    most = len(record.decisions) - FEWEST
    longest = min(LONGEST, len(record.outcomes) // SHARE) if longest is None else whole("longest", longest, 2, most)
    record = replace(record, skipped=max(0, longest - 1 - (len(record.decisions) - len(record.outcomes))))
    tried: dict[Memory, Array] = {memory: missed(record, longest, memory) for memory in first_grid(longest)}
    for kind in dict.fromkeys(type(memory) for memory in tried):
        grid = [memory for memory in tried if type(memory) is kind]
        nearby = finer_grid(grid, _least(tried, grid))
        tried |= {memory: missed(record, longest, memory) for memory in nearby}
    best = _least(tried, list(tried))
    free = fitted_weights(record, longest, best)
    errors = {CONSTANT: missed(record, longest, None), FREE: missed_freely(record, longest, best)}
    errors |= {memory.words: each for memory, each in tried.items()}
    rivals = Rivals(list(tried), list(errors), np.stack(list(errors.values()), axis=1))
    memory: Memory = free if rivals.clearly_better(FREE, best.words) else best
    if memory.mean_lag() < SOME:
        memory = NO_MEMORY
    constant, effects = effects_of(record.features(memory), record.explained, record.costs is not None)
    return MemoryFit(
        memory=memory,
        decided=_decided(rivals, memory),
        free=free,
        interval=rivals.interval(memory),
        constant=constant,
        effects=None if record.costs is not None else dict(zip(record.names, effects.tolist(), strict=True)),
        record=record,
        rivals=rivals,
        longest=longest,
    )


def _least(tried: dict[Memory, Array], among: list[Memory]) -> Memory:
    """The memory with the least mean error; of equal ones the first."""
    return min(among, key=lambda memory: float(tried[memory].mean()))


def _decided(rivals: Rivals, memory: Memory) -> bool:
    """Whether a memory is clearly better than a constant and than none; of none, whether others are clearly worse."""
    better = rivals.clearly_better(rivals.name(memory), CONSTANT)
    if memory != NO_MEMORY:
        return better and rivals.clearly_better(rivals.name(memory), NO_MEMORY.words)
    longer = [each.words for each in rivals.memories if each.mean_lag() >= CLEAR]
    return better and rivals.clearly_worse(longer, NO_MEMORY.words)
