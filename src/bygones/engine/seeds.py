"""The rule for seeds: what feeds the costs and the learners of each replicate."""

from numpy.random import PCG64, Generator, SeedSequence


def costs_generator(seed: int, replicate: int) -> Generator:
    """Draws the costs of a replicate: `SeedSequence(seed, spawn_key=(replicate, 0))`.

    Args:
        seed: of the whole run.
        replicate: its number, from 0.

    Returns:
        A fresh generator.
    """
    return Generator(PCG64(SeedSequence(seed, spawn_key=(replicate, 0))))


def learner_seed(seed: int, replicate: int) -> SeedSequence:
    """Feeds every learner of a replicate: `SeedSequence(seed, spawn_key=(replicate, 1))`.

    Args:
        seed: of the whole run.
        replicate: its number, from 0.

    Returns:
        The seed, the same for every learner.
    """
    return SeedSequence(seed, spawn_key=(replicate, 1))
