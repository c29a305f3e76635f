"""Seeds: whole numbers, numpy's SeedSequence, or a Generator that draws one."""

import math
from typing import TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence

from ..validation import whole

Seed: TypeAlias = int | SeedSequence | Generator


def as_seed(seed: object) -> int | SeedSequence:
    """What feeds a player: the seed itself, or one whole number below 2**63 that a Generator draws.

    Raises:
        ValueError: if it is neither a whole number from 0 on, nor a SeedSequence, nor a Generator.

    >>> as_seed(7), as_seed(np.random.default_rng(7))
    (7, 5765488047046174021)
    """
    if isinstance(seed, SeedSequence):
        return seed
    if isinstance(seed, Generator):
        return int(seed.integers(2**63, dtype=np.uint64))
    return whole("the seed", seed, 0, math.inf)


def as_entropy(seed: object) -> int:
    """A seed as one whole number, which can be recorded and gives the same run again.

    A SeedSequence that was made from a whole number alone is that number; any other gives one below 2**63.

    Raises:
        ValueError: if it is neither a whole number from 0 on, nor a SeedSequence, nor a Generator.

    >>> as_entropy(7), as_entropy(np.random.SeedSequence(7))
    (7, 7)
    """
    given = as_seed(seed)
    if isinstance(given, int):
        return given
    if isinstance(given.entropy, int) and not given.spawn_key:
        return given.entropy
    return int(given.generate_state(1, np.uint64)[0]) >> 1
