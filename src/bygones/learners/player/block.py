"""Players that kernels advance over blocks of rounds."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...kernels import Actions, Array, Block, Tally, admit, first_fault
from ...memory import Memory, MemoryState, as_decisions
from .player import Player, Snapshot

FLOAT = np.dtype(np.float64)
INTEGER = np.iinfo(np.int64)


class BlockPlayer(Player):
    """A player that a kernel advances over a block of rounds; a single round is a block of one row.

    It may have several seeds: that many replicates, which see the same costs or, with `many_tables`, each its own. Its
    `current` is the decision of the round at hand, made when the previous round was observed: (replicates,) action
    numbers for pure play, else (n,).
    """

    many_tables: ClassVar[bool] = False  # True: a block may have a table for each replicate
    tally: Tally
    current: Array | Actions

    @abstractmethod
    def run(self, block: Block) -> Array | Actions:
        """Run the kernel over a block and give the decisions: (replicates, B) action numbers, or (B, n)."""

    def respond(self, block: Block, real: Array) -> Array | Actions:
        """The same where other decisions were taken than those advised; a reactive player says what follows from that.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken.

        Returns:
            What was advised.
        """
        return self.run(block)

    def step(self, costs: Array) -> bool:
        """Take one round in, with the bits of a block of one row, if its costs are sound; give whether they are.

        If `self.real` has a row, that is the decision really taken.
        A player with a compiled round of its own gives that instead, which begins with the kernel `admit`.
        """
        row = costs[np.newaxis]
        if first_fault.call(row, *self._limits)[0] >= 0:
            return False
        block = self.survey(row)
        if len(self.real):
            self.respond(block, self.real)
        else:
            self.run(block)
        return True

    def admit(self, costs: Array) -> bool:
        """Add one round's costs to the tally, if they are sound; give whether they are."""
        low = admit.call(costs, *self._limits, self.tally.totals, self.tally.spent)
        return low == low

    def decide(self) -> Array:
        """This round's decision; for several replicates, the first one's."""
        if self._decision is None:
            self._decision = self.mixture(self.real[0]) if len(self.real) else self._advised()
        return self._decision

    @property
    def advice(self) -> Array:
        """What it decided, whatever was really done."""
        return self._advised() if len(self.real) else self.decide()

    def _advised(self) -> Array:
        return self.coming

    @property
    def coming(self) -> Array:
        """What it will advise next, whether or not there can be such a round."""
        return self.vertex(int(self.current[0])) if self.pure else self.mixture(self.current)

    def observe(self, costs: ArrayLike) -> None:
        """Take the round's costs in, and make the next decision."""
        row = _plain(costs)
        last = self.rounds == self.problem.horizon  # the next one is past it
        if last or row is None or row.shape != self._shape or not self.step(row):
            checked = self.problem.check_row(costs, self.rounds)[0]
            self.ready(1)
            self._expect(1)
            self.step(checked)
        self.count(1)

    def count(self, rounds: int) -> None:
        """Count rounds that were taken in, if any; the decision is another one now."""
        if rounds == 0:
            return
        self.rounds += rounds
        self._decision = None
        if len(self.real):
            self.real = self.real[:0]

    def _check(self, mine: Snapshot, snapshot: Mapping[str, Any]) -> None:
        super()._check(mine, snapshot)
        inside = tuple(f"{name}." for name in self._inside())
        own = {name: value for name, value in mine.items() if not name.startswith(inside)}
        for name, new in snapshot.items():
            if isinstance(new, int) and not name.startswith("generator.") and abs(new) > INTEGER.max:
                raise ValueError(f"the snapshot's {name} has too many digits: kernels take {INTEGER.bits} bits")
        for name, old in own.items():
            if isinstance(old, np.ndarray) and name not in ("history", "real"):
                new = snapshot[name]
                grows = name.endswith(".ring")  # of a window that fills
                same = new.dtype == old.dtype and new.ndim == old.ndim and new.shape[grows:] == old.shape[grows:]
                if not same or not np.all(np.isfinite(new)):
                    rule = f"finite numbers of type {old.dtype} in the shape {old.shape}"
                    raise ValueError(f"the snapshot's {name} does not fit: it should hold {rule}")
        for name, owner, attribute, _ in self._parts():
            if isinstance(owner, MemoryState) and attribute == "ring" and name in own:
                here, needed = len(snapshot[name]), _needed(owner.memory, snapshot[f"{name.removesuffix('ring')}count"])
                if here < needed:
                    raise ValueError(f"the snapshot's {name} does not fit: it holds {here} decisions, not {needed}")
        if not 0 < snapshot.get("rate", 1.0) < math.inf:
            raise ValueError(f"the snapshot's rate is {snapshot['rate']!r}: it should be a number above 0")
        current = snapshot["current"]
        if self.pure and not np.all((current >= 0) & (current < self.problem.n)):
            raise ValueError(f"the snapshot plays action {current}: with {self.problem.n} actions there is none such")
        if not self.pure:
            as_decisions(current[np.newaxis], self.problem.n)

    def survey(self, costs: Array) -> Block:
        """The next rounds as a block, added to the tally."""
        return self.tally.survey(costs[np.newaxis], math.inf)[0]

    def advance(self, block: Block, real: Array | None = None) -> Array | Actions:
        """Run the kernel, and count the rounds.

        Args:
            block: the rounds.
            real: (B, n) the decisions really taken; None: those advised.

        Returns:
            What was advised.
        """
        decisions = self.run(block) if real is None else self.respond(block, real)
        self.tally.jump(block)
        self.count(block.rounds)
        return decisions


def _needed(memory: Memory, count: float) -> float:
    """How many of so many decisions a memory keeps one by one."""
    if memory.support is not None:
        return min(count, memory.support)
    return count if memory.form is None else 0


def _plain(costs: object) -> Array | None:
    """One round's costs as kernels take them, if that is quickly done; None: look at them more closely."""
    if type(costs) is not np.ndarray:
        try:
            costs = np.array(costs) if type(costs) is list or type(costs) is tuple else None
        except ValueError:  # lists of different lengths
            return None
    if type(costs) is not np.ndarray or costs.dtype is not FLOAT:
        return None
    return costs if costs.flags.carray else costs.copy()
