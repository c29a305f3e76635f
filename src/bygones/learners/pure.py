"""Pure: one action a round from any learner that plays mixtures."""

import math
from typing import Any, Literal

import numpy as np

from ..kernels import Actions, Array, Block, Tally, compiled, fill_uniforms
from ..problem import Problem
from ..validation import word
from .base import HedgeTwin, Learner, Wrapper
from .hedge import Hedge
from .player import BlockPlayer, Player

DARTBOARD, COUPLING, INDEPENDENT = range(3)


class Pure(Wrapper):
    """Draw one action a round, so that its law in every round is exactly the decision of another learner.

    The loss is linear in the decisions, so the expected regret is the other learner's regret, and its bound holds in
    expectation. The other learner goes on seeing its own decisions, which are the mean of what is played: one that
    steers sees its mean state. An override with anything but the action drawn is told to it as the decision really
    taken, and the draws go on from the action that was kept. So meters and guarantees of the player inside are about
    its mixtures, where nothing else is said.

    With p the law of this round's action and q that of the next, `how="lazy"` keeps the action i where it can:

    - Where the other learner's weights only shrink, once the round's least cost is taken off (Hedge at a fixed rate),
      by the shrinking dartboard: keep with probability `(q_i/p_i) / max_k (q_k/p_k)`, else draw from q. For Hedge this
      is LSA.
    - Otherwise by a maximal coupling: keep with probability `min(1, q_i/p_i)`, else draw from the positive part of
      `q - p`. A change has the probability `|q - p|_1 / 2`, and no law has a lesser one.

    With `how="independent"` every round draws from q again. How many changes of action are expected so far, over the
    draws, is the player's `expected_switches`.

    Args:
        learner: who plays mixtures, or its words.
        how: `"lazy"` or `"independent"`.

    >>> import bygones as by
    >>> problem = by.Problem(actions=3, horizon=1000, memory=by.Window(20))
    >>> costs = by.StocId().draw(n=3, rounds=1000, generator=np.random.default_rng(0))
    >>> for how in ("lazy", "independent"):
    ...     player = by.Pure(by.Steering(by.Hedge(tuning="anytime")), how=how).start(problem, seed=1)
    ...     print(by.accounting.switches(player.play(costs)), round(player.expected_switches, 1))
    413.0 411.7
    671.0 665.2
    """

    learner: Any = Hedge()
    how: Literal["lazy", "independent"] = "lazy"

    remedy = 'give one that plays mixtures and draws nothing itself, such as Hedge(), Steering() or FTARL(play="mean")'

    def __post_init__(self) -> None:
        super().__post_init__()
        word("how", self.how, ("lazy", "independent"))

    def wraps(self, learner: Learner) -> bool:
        """Whether it plays mixtures and draws nothing."""
        return not learner.randomised and not learner.player_type.pure

    @property
    def randomised(self) -> bool:
        """It draws."""
        return True

    def mean(self) -> Learner:
        """The other learner."""
        mean: Learner = self.learner
        return mean

    def bound(self, problem: Problem) -> float | None:
        """The other learner's, in expectation."""
        promised: float | None = self.learner.bound(problem)
        return promised

    @property
    def source(self) -> str:
        """The other learner's."""
        return str(self.learner.source)

    @classmethod
    def variants(cls, problem: Problem) -> "tuple[Pure, ...]":
        """None: its bound is the other learner's, which has a line."""
        return ()

    def as_hedge(self, problem: Problem) -> HedgeTwin | None:
        """The other learner's, in expectation."""
        like: HedgeTwin | None = self.learner.as_hedge(problem)
        return like

    @property
    def player_type(self) -> type[Player]:
        """The draws."""
        return PurePlayer


class PurePlayer(BlockPlayer):
    """Draws actions by the decisions of a player inside; one uniform a round."""

    pure = True
    current: Actions
    learner: Pure

    def begin(self) -> None:
        """Draw the first action."""
        self.inner = self.within(self.learner.learner)
        lazily = DARTBOARD if self.inner.shrinking else COUPLING
        self._how = INDEPENDENT if self.learner.how == "independent" else lazily
        self.tally = Tally(self.problem.n)
        self.moved = np.zeros(1)
        self.current = np.zeros(len(self.generators), dtype=np.int64)
        nothing, first = np.zeros(self.problem.n), self.inner.decide()
        self._couple(np.array([nothing, first]), INDEPENDENT)
        self.moved[0] = 0.0

    @property
    def reactive(self) -> bool:
        """Whether the player inside is."""
        return self.inner.reactive

    @property
    def target(self) -> Array:
        """That of the player inside."""
        return self.inner.target

    @property
    def aims(self) -> bool:
        """Whether the player inside does."""
        return self.inner.aims

    def ready(self, rounds: int) -> None:
        """Ask the player inside."""
        self.inner.ready(rounds)

    def _advised(self) -> Array:
        self.ready(1)
        return super()._advised()

    @property
    def expected_switches(self) -> float:
        """How many changes of action were to be expected so far, over the draws."""
        return float(self.moved[0])

    def run(self, block: Block) -> Actions:
        """Draw."""
        return self._drawn(self.inner.advance(block))

    def respond(self, block: Block, real: Array) -> Actions:
        """Draw, once the player inside knows what was really done; the action that was drawn is no news to it.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken.

        Returns:
            The actions that were drawn.
        """
        inner, drawn = self.inner, np.empty((len(self.generators), block.rounds), dtype=np.int64)
        if not inner.reactive:
            return self.run(block)
        for b in range(block.rounds):
            row = inner.survey(block.costs[0, b : b + 1].copy())
            news = self._is_news(real[b])
            drawn[:, b] = self._drawn(inner.advance(row, real[b : b + 1]) if news else inner.advance(row))[:, 0]
        return drawn

    def _is_news(self, real: Array) -> bool:
        """Whether a decision is another one than the action drawn."""
        return not np.array_equal(real, self.vertex(int(self.current[0])))

    def _drawn(self, decisions: Array | Actions) -> Actions:
        return self._couple(np.vstack([decisions, self.inner.coming]), self._how)

    def step(self, costs: Array) -> bool:
        """Draw, once the player inside has the costs."""
        inner = self.inner
        if not isinstance(inner, BlockPlayer):
            return super().step(costs)
        before = inner.decide()
        if len(self.real) and self._is_news(self.real[0]):
            inner.real = self.real
        if not inner.step(costs):
            inner.real = self.real[:0]
            return False
        self.admit(costs)
        inner.count(1)
        self._couple(np.array([before, inner.coming]), self._how)
        return True

    def _couple(self, laws: Array, how: int) -> Actions:
        uniforms = np.empty((len(self.generators), len(laws) - 1))
        for generator, room in zip(self.generators, uniforms, strict=True):
            fill_uniforms(generator, room)
        actions = np.empty(uniforms.shape, dtype=np.int64)
        couple.call(laws, how, uniforms, self.moved, self.current, actions)
        return actions


def _couple(laws: Array, how: int, uniforms: Array, moved: Array, current: Actions, actions: Actions) -> None:
    replicates, rounds = uniforms.shape
    n = laws.shape[1]
    for b in range(rounds):
        top = 0.0  # of q/p
        for i in range(n):
            if how == DARTBOARD and laws[b + 1, i] > 0.0:
                top = max(top, laws[b + 1, i] / laws[b, i]) if laws[b, i] > 0.0 else math.inf
        staying = 0.0
        for i in range(n):
            p = laws[b, i]
            q = laws[b + 1, i]
            if how == DARTBOARD:
                staying += q / top + (p - q / top) * q
            elif how == COUPLING:
                staying += min(p, q)
            else:
                staying += p * q
        moved[0] += max(1.0 - staying, 0.0)
        for r in range(replicates):
            action = current[r]
            actions[r, b] = action
            keep = 0.0
            if how != INDEPENDENT and laws[b + 1, action] > 0.0:
                keep = laws[b + 1, action] / laws[b, action]
                keep = keep / top if how == DARTBOARD else min(keep, 1.0)
            if uniforms[r, b] < keep:
                continue
            mass = 0.0
            for i in range(n):
                mass += max(laws[b + 1, i] - laws[b, i], 0.0) if how == COUPLING else laws[b + 1, i]
            # What is left of the uniform is one again. It passes weights until it is used up; rounding may leave a
            # rest, which the last weight takes.
            left = mass * (uniforms[r, b] - keep) / (1.0 - keep)
            for i in range(n):
                weight = max(laws[b + 1, i] - laws[b, i], 0.0) if how == COUPLING else laws[b + 1, i]
                if weight > 0.0:
                    current[r] = i
                    left -= weight
                    if left < 0.0:
                        break


couple = compiled(_couple)
