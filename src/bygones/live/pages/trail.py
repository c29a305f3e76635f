"""A journal over its rounds, for charts: followed as it grows, and thinned so that it never grows large."""

from collections import deque
from copy import copy, deepcopy
from functools import partial
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa

from ...kernels import Array
from ..events import CREATED, OBSERVED, START, UNDONE, Event
from ..game import Game
from ..ledger import Ledger
from ..records import entered, past_of

MARKS = 480  # at most, of a journal; a screen shows no more
LAST = 30  # rounds in full; a page shows some, and guesses the next period from all
EVERY = 256  # events between two copies, from which it goes on after an undo
KEPT = 3


class Mark(NamedTuple):
    """Some rounds that follow each other: their mean decision, and what holds after the last one."""

    round: int  # the last one
    rounds: int  # how many
    period: str
    decisions: Array  # their sum
    state: Array
    regret: float
    guarantee: float | None


class Round(NamedTuple):
    """A round that was observed, in full."""

    round: int
    period: str
    decision: Array
    overridden: bool  # something else was done than the learner decided
    costs: Array  # or gains; nan where there is none
    paid: float
    regret: float
    event: Event


class _Log:
    """The trail as far as an event, and the game at it."""

    def __init__(self) -> None:
        self.number, self.hash = 0, START
        self.game: Game | None = None
        self.step = 1  # rounds of a mark
        self.marks: list[Mark] = []
        self.last: deque[Round] = deque(maxlen=LAST)

    def copied(self) -> "_Log":
        made = copy(self)
        made.game, made.marks, made.last = deepcopy(self.game), list(self.marks), copy(self.last)
        return made


class Trail:
    """A journal over its rounds."""

    def __init__(self) -> None:
        self._log, self._kept = _Log(), [_Log()]

    @property
    def marks(self) -> list[Mark]:
        """All rounds, at most so many together that there are few marks."""
        return self._log.marks

    @property
    def last(self) -> list[Round]:
        """The last rounds, in their order."""
        return list(self._log.last)

    def follow(self, ledger: Ledger, connection: sa.Connection) -> None:
        """Read what was entered since the last time.

        Args:
            ledger: of the journal, caught up with.
            connection: within the same transaction.
        """
        try:
            self._follow(ledger, connection)
        except BaseException:  # an event may have been taken in part
            self._log, self._kept = _Log(), [_Log()]
            raise

    def _follow(self, ledger: Ledger, connection: sa.Connection) -> None:
        if (self._log.number, self._log.hash) == (ledger.number, ledger.hash):
            return
        if self._log.number and [each.hash for each in ledger.log(connection, self._log.number - 1, 1)] != [
            self._log.hash
        ]:  # the journal was restored from a backup
            self._log, self._kept = _Log(), [_Log()]
        new = ledger.log(connection, self._log.number)
        back = min((each.undoes for each in new if each.undoes), default=ledger.number)
        if back <= self._log.number:
            self._kept = [each for each in self._kept if each.number < back]
            self._log = self._kept[-1].copied()
            new = ledger.log(connection, self._log.number)
        undone = {each.undoes for each in new}
        for event in new:
            if event.kind != UNDONE and event.number not in undone:
                self._take(ledger, connection, event)
            self._log.number, self._log.hash = event.number, event.hash
            if event.number - self._kept[-1].number >= EVERY:
                self._kept = [self._kept[0], *self._kept[1:][-KEPT:], self._log.copied()]

    def _take(self, ledger: Ledger, connection: sa.Connection, event: Event) -> None:
        log = self._log
        if event.kind == CREATED:
            log.game = ledger.begun(event.data)
            return
        game = log.game
        assert game is not None  # noqa: S101 - the first event creates
        apply = partial(game.apply, event, lambda: past_of(ledger.observed(connection, event.number), game.n))
        if event.kind != OBSERVED:
            apply()
            return
        first = game.waiting[0] if game.waiting else None
        decision = game.decision() if first is None else first.decision
        overridden, before = bool((game.spread(game.player.advice) != decision).any()), game.paid
        apply()
        sign = -1.0 if game.gains else 1.0
        paid, costs = sign * (game.paid - before), entered(event.data, game.n)
        log.last.append(Round(game.rounds, event.period, decision, overridden, costs, paid, game.regret, event))
        self._mark(game, decision)

    def _mark(self, game: Game, decision: Array) -> None:
        log = self._log
        assert game.last is not None  # noqa: S101 - a round was observed
        log.marks.append(Mark(game.rounds, 1, game.period, decision, game.last, game.regret, game.guarantee))
        if len(log.marks) > 1 and log.marks[-2].rounds < log.step:
            log.marks[-2:] = [_together(*log.marks[-2:])]
        if len(log.marks) > MARKS:
            log.step *= 2
            pairs = zip(log.marks[::2], log.marks[1::2], strict=False)
            log.marks = [_together(*pair) for pair in pairs] + log.marks[len(log.marks) // 2 * 2 :]


def _together(one: Mark, other: Mark) -> Mark:
    """Two marks that follow each other as one."""
    decisions = other.decisions.copy()
    decisions[: len(one.decisions)] += one.decisions
    return other._replace(rounds=one.rounds + other.rounds, decisions=decisions)


def stacked(arrays: list[Array], n: int) -> Array:
    """Weights as a table over all options; those that came later had nothing.

    Args:
        arrays: of the options that there were.
        n: how many there are now.

    Returns:
        One row for each array.
    """
    found = np.zeros((len(arrays), n))
    for row, array in zip(found, arrays, strict=True):
        row[: len(array)] = array
    return found
