"""Books: what is kept of a run. Each takes pieces, and the decisions that were made on them."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..accounting import follow_paths, start_courses
from ..kernels import Actions, Array, Block, catch_up, compiled, softmin
from ..learners import HedgeTwin, Player
from ..memory import Ledger, Memory, start_paths, vertices
from .feed import Piece
from .wealth import Portfolio

if TYPE_CHECKING:
    from collections.abc import Sequence


class Regrets:
    """The regrets of replicates at the recorded rounds.

    Args:
        memory: under which the decisions are paid for.
        n: the number of actions.
        pure: the decisions are action numbers.
        regrets: (replicates, recorded rounds), where they are written.
        history: decisions taken before.
    """

    def __init__(self, memory: Memory, n: int, pure: bool, regrets: Array, history: ArrayLike | None = None) -> None:
        self.paths = start_paths(memory, n, len(regrets), pure, history)
        self.total, self.regrets = np.zeros(len(regrets)), regrets

    def enter(self, piece: Piece, decisions: Array | Actions) -> None:
        """Pay for the decisions."""
        self.paths.pay(piece.block, decisions, Ledger(self.total, piece.picks, self.regrets, piece.column))


class Switches:
    """How much the decisions of each replicate moved: `sum_t |v^t - v^(t-1)|_1 / 2`.

    Args:
        replicates: how many there are.
        recorded: how many rounds are recorded.
    """

    def __init__(self, replicates: int, recorded: int) -> None:
        self.total, self.recorded = np.zeros(replicates), np.empty(recorded)  # at the recorded rounds, their mean
        self._last: Array | Actions | None = None

    def enter(self, piece: Piece, decisions: Array | Actions) -> None:
        """Count the changes."""
        last: Any = decisions[:, :1] if self._last is None else self._last
        all_: Any = np.concatenate([last, decisions], axis=1)
        changed = all_[:, 1:] != all_[:, :-1] if all_.ndim == 2 else np.abs(np.diff(all_, axis=1)).sum(axis=2) / 2
        sums = self.total[:, np.newaxis] + np.cumsum(changed, axis=1)[:, piece.picks]
        self.recorded[piece.column : piece.column + len(piece.picks)] = sums.mean(axis=0)
        self.total += changed.sum(axis=1)
        self._last = decisions[:, -1:].copy()


class Guarantee:
    """What the guarantee of a learner needs besides its regrets: `min_i G_i - Phi(G)` at the recorded rounds.

    The guarantee is about what learners saw, the totals `G~`. The parts that were cut off, the totals `c`, come on top:
    the learner has paid its share of them, and every action at least `min_i c_i`. So the regret ends at most at
    `loss - Phi(G~) - min_i c_i` and the terms still to come, as long as later rounds keep within the range.

    Args:
        twin: the problem and the rate of the Hedge whose potential bounds the regret.
        slacks: (tables, recorded rounds), where it is written.
    """

    def __init__(self, twin: HedgeTwin, slacks: Array) -> None:
        self.twin, self.slacks = twin, slacks

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        slack(piece.seen, self.twin.rate, piece.picks, self.slacks, piece.column)
        if piece.unseen is not None:
            self.slacks[:, piece.column : piece.column + len(piece.picks)] += piece.unseen[piece.picks]


class Gammas:
    """The guarantees of watched players at the recorded rounds.

    Args:
        gammas: (replicates, recorded rounds), where they are written.
    """

    def __init__(self, gammas: Array) -> None:
        self.gammas = gammas
        self.players: Sequence[Player] = ()  # set once they sit

    def enter(self, piece: Piece, decisions: Array | Actions) -> None:
        """Write what the players have kept."""
        for own, player in zip(self.gammas, self.players, strict=True):
            own[piece.column : piece.column + len(piece.picks)] = player.guarantees[piece.picks]


def _slack(block: Block, rate: float, picks: Actions, slacks: Array, column: int) -> None:
    tables, _, n = block.costs.shape
    totals, law = np.empty(n), np.empty(n)
    for k in range(tables):
        costs, low, marks = block.costs[k], block.low[k], block.marks[k]
        at = -1
        for j in range(picks.shape[0]):
            catch_up(costs, low, marks, at, picks[j] + 1, totals)
            at = picks[j] + 1
            slacks[k, column + j] = block.best[k, picks[j]] - softmin(totals, rate, law)


def _total_up(block: Block, picks: Actions, totals: Array) -> None:
    """Write the actions' totals after the picked rounds of a block with one table."""
    now = np.empty(totals.shape[1])
    at = -1
    for j in range(picks.shape[0]):
        catch_up(block.costs[0], block.low[0], block.marks[0], at, picks[j] + 1, now)
        at = picks[j] + 1
        for i in range(now.shape[0]):
            totals[j, i] = now[i]


slack = compiled(_slack)
total_up = compiled(_total_up)


class Paths:
    """The best paths of actions with at most so many changes, and what they save against the best fixed action.

    Args:
        n: the number of actions.
        changes: how many, at most.
        gaps: (tables,), where it is written.
    """

    def __init__(self, n: int, changes: int, gaps: Array) -> None:
        self.tables, self.gaps = [start_courses(n, changes) for _ in gaps], gaps

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        block = piece.block
        for k, (totals, moves) in enumerate(self.tables):
            behind = block.costs[k] - block.low[k][:, np.newaxis]
            follow_paths(behind, piece.first, np.empty(block.rounds), totals, moves)
            self.gaps[k] = totals[0].min() - totals[-1].min()


class Running(NamedTuple):
    """What adds up in an account; stretches of rounds are kept against each action."""

    loss: Array  # (1,) what was paid, each round's least cost taken off
    moved: Array  # (1,) how much the decisions moved
    last: Array  # (n,) the last decision
    excess: Array  # (n,) by how much the stretch at hand cost more than an action
    begin: Actions  # (n,) the first round of that stretch
    worst: Array  # (n,) the most that a stretch cost more
    start: Actions  # (n,) its first round; -1: no stretch cost more
    end: Actions  # (n,) its last round


class Recorded(NamedTuple):
    """What an account holds of the recorded rounds."""

    losses: Array  # (recorded,) so far, each round's least cost taken off
    moved: Array  # (recorded,) how much the decisions moved so far
    decisions: Array  # (recorded, n)
    states: Array  # (recorded, n)


class Account:
    """What one run of decisions pays, with its decisions and states at the recorded rounds.

    Args:
        memory: under which it pays.
        n: the number of actions.
        recorded: how many rounds are recorded.
        history: decisions taken before.
        portfolio: what holding the states is worth, where the costs are about prices.
    """

    def __init__(
        self,
        memory: Memory,
        n: int,
        recorded: int,
        history: ArrayLike | None = None,
        portfolio: Portfolio | None = None,
    ) -> None:
        self.memory, self.portfolio = memory.start(n, history), portfolio
        self.logs, self.charges = np.full((2, recorded), np.nan)  # of a portfolio: log wealth, and what trading took
        whole = [np.full(n, -1) for _ in range(3)]
        self.running = Running(
            np.zeros(1), np.zeros(1), np.zeros(n), np.zeros(n), whole[0], np.zeros(n), whole[1], whole[2]
        )
        nothing = (np.full(shape, np.nan) for shape in ((recorded,), (recorded,), (recorded, n), (recorded, n)))
        self.recorded = Recorded(*nothing)

    def enter(self, piece: Piece, decisions: Array | Actions) -> None:
        """Pay for the decisions of a piece."""
        own = decisions[0]
        rows: Array = own if own.ndim == 2 else vertices(own, self.memory.n)
        states = self.memory.take(rows)
        settle(piece.block, rows, states, piece.first, piece.picks, piece.column, self.running, self.recorded)
        if self.portfolio is not None and piece.relatives is not None:
            here = slice(piece.column, piece.column + len(piece.picks))
            logs, charges = self.portfolio.hold(piece.relatives, states)
            self.logs[here], self.charges[here] = logs[piece.picks], charges[piece.picks]

    def spent(self, lows: Array, switch_cost: float) -> Array:
        """What was paid up to the recorded rounds, switches included; of a portfolio, minus its log wealth.

        Args:
            lows: the least costs up to these rounds, which are taken off.
            switch_cost: what it costs to change from one action to another.

        Returns:
            One number per recorded round; nan where nothing was entered.
        """
        paid: Array = -self.logs - lows
        return paid if self.portfolio is not None else self.recorded.losses + switch_cost * self.recorded.moved

    @property
    def loss(self) -> float:
        """What was paid, each round's least cost taken off."""
        return float(self.running.loss[0])

    @property
    def switches(self) -> float:
        """How much the decisions moved; for pure play, the changes of action."""
        return float(self.running.moved[0])

    def worst_stretch(self, action: int) -> tuple[int, int, float] | None:
        """The rounds from which to which the decisions cost the most more than an action, from 0, and how much more."""
        if self.running.start[action] < 0:
            return None
        return int(self.running.start[action]), int(self.running.end[action]), float(self.running.worst[action])


def _settle(
    block: Block,
    decisions: Array,
    states: Array,
    before: int,
    picks: Actions,
    column: int,
    running: Running,
    recorded: Recorded,
) -> None:
    # The worst stretch is the contiguous one whose losses exceed an action's costs the most (Kadane).
    rounds, n = decisions.shape
    costs, lows = block.costs[0], block.low[0]
    paid, all_moved, last, excess, begin, worst, start, end = running
    k = 0
    for b in range(rounds):
        loss = 0.0
        moved = 0.0
        low = lows[b]
        for i in range(n):
            loss += (costs[b, i] - low) * states[b, i]
            moved += abs(decisions[b, i] - last[i])
            last[i] = decisions[b, i]
        t = before + b
        paid[0] += loss
        if t > 0:
            all_moved[0] += moved / 2
        for i in range(n):
            if excess[i] <= 0.0:
                excess[i] = 0.0
                begin[i] = t
            excess[i] += loss - (costs[b, i] - low)
            if excess[i] > worst[i]:
                worst[i] = excess[i]
                start[i] = begin[i]
                end[i] = t
        if k < picks.shape[0] and picks[k] == b:
            recorded.losses[column + k] = paid[0]
            recorded.moved[column + k] = all_moved[0]
            for i in range(n):
                recorded.decisions[column + k, i] = decisions[b, i]
                recorded.states[column + k, i] = states[b, i]
            k += 1


settle = compiled(_settle)


class Options:
    """What each fixed action costs, and the best of them, at the recorded rounds and in all.

    Args:
        recorded: how many rounds are recorded.
        n: the number of actions.
    """

    def __init__(self, recorded: int, n: int) -> None:
        self.lows, self.best = np.empty(recorded), np.empty(recorded)  # the least costs so far, and the best total
        self.totals = np.empty((recorded, n))  # each action's total so far, each round's least cost taken off
        self.low = 0.0

    def play(self, piece: Piece) -> None:
        """Take a piece in."""
        here = slice(piece.column, piece.column + len(piece.picks))
        lows = np.cumsum(np.concatenate([[self.low], piece.block.low[0]]))[1:]
        self.lows[here], self.best[here] = lows[piece.picks], piece.block.best[0, piece.picks]
        total_up(piece.block, piece.picks, self.totals[here])
        self.low = float(lows[-1])
