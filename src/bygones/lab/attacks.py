"""Costs that hurt, and small changes of them. A sequence is an array of letters, which are numbers of cost vectors."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from ..kernels import Actions, Array
from ..learners import Learner
from ..problem import Problem

MOST_ACTIONS = 1000


def corners(n: int) -> Array:
    """The cost vectors to choose from, in units of the range; the first two are opposite halves.

    Args:
        n: the number of actions.

    Returns:
        For two actions both; for more one half dear, the other half dear, one cheap, and one dear.

    Raises:
        ValueError: if there are more than 1,000 actions.

    >>> corners(3)
    array([[1., 1., 0.],
           [0., 0., 1.],
           [0., 1., 1.],
           [1., 0., 1.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    if n > MOST_ACTIONS:
        raise ValueError(
            f"the problem has {n:,} actions: a search goes through costs for each of them, and takes {MOST_ACTIONS:,} "
            "at most; give fewer actions"
        )
    half = (np.arange(n) < (n + 1) // 2) * 1.0
    rows = np.vstack([half, 1 - half, 1 - np.eye(n), np.eye(n)])
    _, first = np.unique(rows, axis=0, return_index=True)
    chosen: Array = rows[np.sort(first)]
    return chosen


class Wave(NamedTuple):
    """Two letters that take turns, and one to the end; all lengths are in rounds."""

    first: int  # of the second letter, before the turns begin
    up: int  # of the first letter, in each turn
    down: int  # of the second
    last: int  # of the letter at the end
    pair: tuple[int, int]
    end: int

    def letters(self, rounds: int) -> Actions:
        """The sequence.

        >>> Wave(1, 2, 1, 2, (0, 1), 0).letters(9)
        array([1, 0, 0, 1, 0, 0, 1, 0, 0])
        """
        t = np.arange(rounds) - self.first
        up = (t >= 0) & (t % (self.up + self.down) < self.up)
        return np.where(t + self.first >= rounds - self.last, self.end, np.where(up, *self.pair))

    def changed(self, rng: Generator, rounds: int, count: int) -> "Wave":
        """Another wave near it.

        Args:
            rng: makes the choices.
            rounds: T.
            count: how many letters there are.

        Returns:
            The wave with one or two of its lengths changed, by a round or by a factor, or another letter at the end.
        """
        made = self
        for _ in range(int(rng.integers(1, 3))):
            kind = int(rng.integers(6))
            if kind == 0:
                made = made._replace(end=int(rng.integers(count)))
            elif kind == 1:  # both halves, so that neither vector wins
                factor = math.exp(0.3 * rng.standard_normal())
                made = made._replace(up=_near(made.up * factor, 1, rounds), down=_near(made.down * factor, 1, rounds))
            elif kind == 2:
                made = made._replace(up=_moved(rng, made.up, 1, rounds))
            elif kind == 3:
                made = made._replace(down=_moved(rng, made.down, 1, rounds))
            elif kind == 4:
                made = made._replace(first=_moved(rng, made.first, 0, made.up + made.down))
            else:
                made = made._replace(last=_moved(rng, max(made.last, rounds // 50), 0, rounds))
        return made


def _near(value: float, least: int, most: int) -> int:
    return int(min(max(least, round(value)), most))


def _moved(rng: Generator, value: int, least: int, most: int) -> int:
    """A length by a round or two more or less, or times a factor."""
    if rng.random() < 0.4:
        return _near(value + int(rng.choice([-2, -1, 1, 2])), least, most)
    return _near((value + 1) * math.exp(0.5 * rng.standard_normal()) - 1, least, most)


def pattern(rng: Generator, rounds: int, length: int, count: int) -> Actions:
    """A periodic sequence: a few stretches of letters, repeated, and some of the time one letter at the end.

    Args:
        rng: makes the choices.
        rounds: T.
        length: of the memory; periods go to four times that.
        count: how many letters there are.

    Returns:
        The sequence.
    """
    period = int(rng.integers(2, 4 * length + 3))
    cuts = np.sort(rng.integers(1, period, int(rng.integers(1, 5))))
    letters = np.empty(period, dtype=np.int64)
    pair = rng.integers(0, count, 2) if rng.random() < 0.5 else np.array([0, 1])
    for place, (begin, end) in enumerate(pairwise([0, *cuts.tolist(), period])):
        letters[begin:end] = pair[place % 2]
    made = np.resize(letters, rounds)
    if rng.random() < 0.5:
        last = int(rounds * 0.3 * rng.random())
        made[rounds - last :] = int(rng.integers(count))
    return made


def changed(rng: Generator, letters: Actions, length: int, count: int) -> Actions:
    """A sequence with one change: a stretch flipped, moved, copied, or a boundary between two stretches moved.

    Args:
        rng: makes the choices.
        letters: the sequence.
        length: of the memory.
        count: how many letters there are.

    Returns:
        Another sequence.
    """
    rounds, made = len(letters), letters.copy()
    size = min(rounds, 1 + int(rng.exponential(rng.choice([1.0, length / 4, length, 4.0 * length, rounds / 8]))))
    begin = int(rng.integers(rounds - size + 1))
    stretch = slice(begin, begin + size)
    kind = int(rng.integers(6))
    if kind == 0:  # another letter for a stretch
        made[stretch] = int(rng.integers(count))
    elif kind == 1:  # two letters of a stretch, exchanged
        one, other = np.unique(letters[stretch])[[0, -1]] if count > 2 else (0, 1)
        made[stretch] = np.where(
            letters[stretch] == one, other, np.where(letters[stretch] == other, one, made[stretch])
        )
    elif kind == 2:  # all later rounds come later or earlier, so that their stretches keep their lengths
        shift = int(rng.integers(1, max(2, length // 2)))
        if rng.random() < 0.5:
            made[begin + shift :] = letters[begin : rounds - shift]
        else:
            made[begin : rounds - shift] = letters[begin + shift :]
    elif kind == 3:  # a stretch copied to another place
        made[stretch] = np.roll(letters, int(rng.integers(1, rounds + 1)))[stretch]
    else:  # a boundary moved
        edges = np.flatnonzero(np.diff(letters)) + 1
        if len(edges):
            edge, by = int(rng.choice(edges)), 1 + int(rng.exponential(max(1.0, length / 16)))
            if rng.random() < 0.5:
                made[edge : edge + by] = letters[edge - 1]
            else:
                made[max(0, edge - by) : edge] = letters[edge]
    return made


def reaction(learner: Learner, problem: Problem, vectors: Array, rounds: int, every: int) -> Actions:
    """The letter that costs the current state most, chosen again every few rounds; of equal ones not the last one.

    Args:
        learner: against which it is.
        problem: what is decided.
        vectors: (k, n) the costs of each letter.
        rounds: T.
        every: how many rounds a choice lasts.

    Returns:
        The sequence.
    """
    player, state = learner.start(problem), problem.memory.start(problem.n)
    letters = np.empty(rounds, dtype=np.int64)
    held, before = np.full(problem.n, 1 / problem.n), -1
    for begin in range(0, rounds, every):
        worth = vectors @ (held - held.mean())
        worth -= vectors.mean(axis=1) * 1e-9
        if before >= 0:
            worth[before] -= 1e-9
        before = int(worth.argmax())
        block = slice(begin, min(begin + every, rounds))
        letters[block] = before
        held = state.extend(player.play(vectors[letters[block]]))[-1]
    return letters
