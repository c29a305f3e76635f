"""Adversarial search: costs on which a learner does badly, in games too large to go through."""

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from ..kernels import Actions
from ..learners import Learner
from ..parallel import Tick, showing
from ..problem import Problem
from ..validation import positive, whole
from .attacks import Wave, changed, corners, pattern, reaction
from .cases import WorstCase, as_played, case, regret_on

TRIES = 1000  # at an effort of 1
FEWEST = 20
EVERY = (1, 2, 4, 6, 8, 12)  # how often a reaction is chosen again while the memory lasts
REACTION = 25  # sequences that a reaction takes as long as, because it is played in small blocks
ENDS = (0.1, 0.03, 0.2)  # shares of the rounds in which one vector stays, after a wave
STARTS = 4  # to climb from


def worst_case(
    learner: Learner | str, problem: Problem, effort: float = 1.0, seed: int = 0, progress: bool | None = None
) -> WorstCase:
    """Search for costs on which a learner has a large regret: a lower bound on its worst case, to set beside its bound.

    Costs are corners of `[0, R]^n`: for two actions `(R, 0)` and `(0, R)`; for more those with half of the actions
    dear, all but one dear, or one dear. The families, in turn:

    - square waves of half periods from 1 to T, spaced evenly on a scale of logarithms, and some near the memory's
      length; their number grows with the effort, and at an effort of 1 some 46 of 1,000 half periods are tried. The
      best of them is improved by other phases, unequal halves, and a stretch at the end in which one vector stays;
    - periodic patterns of a few stretches, with periods up to four times the length of the memory;
    - reactions: the vector that costs the current state most, chosen again every few rounds;
    - climbing from the best of these: stretches are flipped, moved or copied, and boundaries moved; what does not lower
      the regret is kept.

    Args:
        learner: one that draws nothing, or whose mean is known; a learner of your own will do; or its words.
        problem: what is decided; horizon and range must be known.
        effort: how long to search; 1 takes as long as playing about a thousand sequences. A reaction takes as long as
            25, so that somewhat fewer are played.
        seed: of the search; with the same one it finds the same costs.
        progress: None shows a progress bar on a terminal only.

    Returns:
        The worst case found. `regret` is that of a fresh player on `costs`, so that anybody can check it; `tries` is
        the number of sequences played.

    Raises:
        ValueError: if an argument is not what it should be, the learner's mean is not known, or there are more than
            1,000 actions.
        KeyboardInterrupt: if it is interrupted.

    >>> import bygones as by
    >>> problem = by.Problem(2, 100, by.Window(4))
    >>> found = worst_case(by.Hedge(), problem, effort=0.2)
    >>> found.regret > 9, round(found.bound, 1), found.costs.shape
    (True, 11.7, (100, 2))
    """
    given, mean = as_played(learner, problem)
    tries = max(FEWEST, round(TRIES * positive("the effort", effort)))
    rng = np.random.default_rng(whole("the seed", seed, 0))
    try:
        with showing(progress, tries, "searching") as tick:
            search = Search(mean, problem, rng, tries, tick)
            search.run()
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the search was interrupted, and nothing of it is kept") from None
    best = search.found[0]
    return case(given, mean, problem, search.vectors[best.letters], best.family, search.played)


class Found(NamedTuple):
    """Costs that were tried."""

    regret: float
    letters: Actions
    family: str


class Search:
    """A search under way.

    Args:
        learner: one that draws nothing.
        problem: what is decided.
        rng: makes the choices.
        tries: as many sequences as could be played, about; slow ones count for more.
        tick: is told of what is spent of them.
    """

    def __init__(self, learner: Learner, problem: Problem, rng: Generator, tries: int, tick: Tick) -> None:
        self.learner, self.problem, self.rng, self.tries, self.tick = learner, problem, rng, tries, tick
        self.rounds = problem.horizon or 0
        self.length = min(self.rounds, max(1, round(1 + 2 * problem.memory.mean_lag(self.rounds))))
        self.vectors = float(problem.cost_range or 0.0) * corners(problem.n)
        self.found: list[Found] = []  # the best of each family, the largest regret first
        self.played = 0  # sequences
        self.spent = 0  # of the tries

    def run(self) -> None:
        """Try one family after the other, and climb from the best."""
        self._improve(self._square(), self._share(0.3))
        for _ in range(self._share(0.2)):
            self._try(pattern(self.rng, self.rounds, self.length, len(self.vectors)), "periodic pattern")
        for often in EVERY:
            if self._share(0.5) > REACTION:
                every = max(1, self.length // often)
                letters = reaction(self.learner, self.problem, self.vectors, self.rounds, every)
                self._try(letters, "reaction to the state", REACTION)
        climbers = self.found[:STARTS]
        while climbers:  # the worse half gives up after a third of what is left
            last = len(climbers) == 1
            each = self._share(1.0 if last else 1 / 3) // len(climbers)
            climbers = sorted((self.climb(one, each) for one in climbers), key=lambda one: -one.regret)
            climbers = [] if last else climbers[: len(climbers) // 2]

    def _share(self, share: float) -> int:
        """A share of the tries that are left."""
        return max(0, math.ceil(share * (self.tries - self.spent)))

    def _try(self, letters: Actions, family: str, count: int = 1) -> float:
        """Play a sequence, and keep it if it is the best of its family; gives the regret."""
        regret = regret_on(self.learner, self.problem, self.vectors[letters])
        self.played += 1
        self.spent += count
        self.tick(count)
        rivals = [each for each in self.found if each.family == family]
        if not rivals or regret > rivals[0].regret:
            others = [each for each in self.found if each.family != family]
            self.found = sorted([*others, Found(regret, letters, family)], key=lambda each: -each.regret)
        return regret

    def _pair(self) -> tuple[int, int]:
        """Two letters that take turns; of more than two actions often halves."""
        if self.problem.n == 2 or self.rng.random() < 0.5:
            return 0, 1
        one, other = self.rng.choice(len(self.vectors), 2, replace=False).tolist()
        return one, other

    def _square(self) -> list[Wave]:
        """Square waves of many half periods, the largest regret first."""
        spaced = np.geomspace(1, self.rounds, max(6, min(self.tries // 20, 10 * self.rounds)))
        near = self.length * np.array([0.5, 0.75, 1, 1.5, 2, 3, 4])
        halves = {int(min(max(1, round(half)), self.rounds)) for half in (*spaced.tolist(), *near.tolist())}
        made = []
        for half in sorted(halves):
            pair = self._pair()
            wave = Wave(0, half, half, 0, pair, pair[0])
            made.append((self._try(wave.letters(self.rounds), "square wave"), wave))
        return [wave for _, wave in sorted(made, key=lambda each: -each[0])]

    def _improve(self, waves: list[Wave], tries: int) -> None:
        """Change the best waves; the best of them is changed most."""
        for place, start in enumerate(waves[:STARTS]):
            wave, best = start, -math.inf
            ended = [start._replace(last=int(share * self.rounds), end=end) for share in ENDS for end in start.pair]
            for step in range(max(1, tries // 2 ** (place + 1))):
                other = ended[step] if step < len(ended) else wave.changed(self.rng, self.rounds, len(self.vectors))
                regret = self._try(other.letters(self.rounds), "wave with an end")
                if regret >= best:
                    wave, best = other, regret

    def climb(self, start: Found, tries: int) -> Found:
        """Change a sequence a little at a time, and keep what does not lower the regret.

        Args:
            start: where to begin.
            tries: how many changes to try.

        Returns:
            Where it ends, of the same family.
        """
        letters, best = start.letters, start.regret
        for _ in range(tries):
            other = changed(self.rng, letters, self.length, len(self.vectors))
            regret = self._try(other, f"climbing from a {start.family}")
            if regret >= best:
                letters, best = other, regret
        return Found(best, letters, start.family)
