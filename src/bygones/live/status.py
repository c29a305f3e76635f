"""What a journal has come to, as plain values: for programs, pages and terminals."""

from copy import deepcopy
from typing import Any

import msgspec

from ..learners.player.guarded import GuardedPlayer
from .entries import decided
from .events import Event, canonical
from .game import Game
from .ledger import Ledger
from .records import past_of


class Option(msgspec.Struct, frozen=True):
    """One option, now.

    Args:
        name: what it is called.
        open: it may be decided; False: it was retired.
        decision: its weight in the decision of the round at hand.
        advice: what the learner decides, whatever is really done.
        held: its weight in the state before; None: nothing was decided yet.
        state: its weight in the state that the decision makes.
        total: what it has cost, or gained, since it is there.
        needed: its cost is needed when the next costs are entered.
    """

    name: str
    open: bool
    decision: float
    advice: float
    held: float | None
    state: float
    total: float
    needed: bool


class Promise(msgspec.Struct, frozen=True):
    """What is promised about regret, as far as something is.

    Args:
        guarantee: what the regret is at most, by what was seen; None: nothing is proved.
        promise: what a guard keeps it below.
        room: what is left of it for this round's decision.
        trust: which part of the way the guard goes with what was proposed.
        lost: the round whose real decision lost the promise.
        ended: why nothing is promised any more; empty if nothing has ended it.
        feared: what this round's decision takes of the room at most; the promise is kept if that is not more.
    """

    guarantee: float | None = None
    promise: float | None = None
    room: float | None = None
    trust: float | None = None
    lost: int | None = None
    ended: str = ""
    feared: float | None = None


class Status(msgspec.Struct, frozen=True):
    """What a journal has come to.

    Args:
        journal: its name.
        learner: who decides.
        memory: how past decisions count, in words.
        horizon: how many rounds there will be; None: unknown.
        cost_range: the most that the costs of a round may differ; None: unknown.
        gains: what is entered are gains, not costs.
        rounds: how many were observed.
        round: the number of the round at hand.
        last: what the last round observed is called; None: there is none.
        waiting: the periods that were decided and whose costs are not known.
        overridden: what is really done in the round at hand was entered.
        proposed: somebody has proposed a decision for it.
        total: what was paid, or gained, so far.
        best: the option that was best so far; None: nothing was observed.
        regret: what was paid more than it would have cost, or gained less.
        promise: what is promised.
        options: all options, those that were retired too.
        events: how many entries there are.
        hash: of the last one.
    """

    journal: str
    learner: str
    memory: str
    horizon: int | None
    cost_range: float | None
    gains: bool
    rounds: int
    round: int
    last: str | None
    waiting: list[str]
    overridden: bool
    proposed: bool
    total: float
    best: str | None
    regret: float
    promise: Promise
    options: list[Option]
    events: int
    hash: str

    @property
    def decision(self) -> dict[str, float]:
        """The weights of the round at hand, by name; options without any are left out."""
        return {each.name: each.decision for each in self.options if each.decision}


def status_of(ledger: Ledger, game: Game) -> Status:
    """The status of a journal.

    Args:
        ledger: its log.
        game: what it has come to, or would.

    Returns:
        Plain values.
    """
    sign = -1.0 if game.gains else 1.0
    held, state = game.states()
    decision, advice, needed = game.decision(), game.advice(), game.needed()
    options = [
        Option(
            name,
            bool(game.open[i]),
            float(decision[i]),
            float(advice[i]),
            None if held is None else float(held[i]),
            float(state[i]),
            sign * float(game.totals[i]),
            bool(needed[i]),
        )
        for i, name in enumerate(game.names)
    ]
    best = int((game.beside - game.totals).argmax())
    problem = game.problem
    return Status(
        journal=ledger.name,
        learner=repr(game.learner),
        memory=problem.memory.short_words,
        horizon=problem.horizon,
        cost_range=problem.cost_range,
        gains=game.gains,
        rounds=game.rounds,
        round=game.round,
        last=game.period or None,
        waiting=[each.period for each in game.waiting],
        overridden=game.real is not None,
        proposed=game.proposal is not None,
        total=sign * game.paid,
        best=game.names[best] if game.rounds else None,
        regret=game.regret,
        promise=_promise(game),
        options=options,
        events=ledger.number,
        hash=ledger.hash,
    )


def preview_of(ledger: Ledger, kind: str, decision: Any) -> Status:  # noqa: ANN401
    """The status that a journal would have, if something were entered for the round at hand; nothing is.

    Args:
        ledger: its log.
        kind: `overridden` or `proposed`.
        decision: for the round at hand.

    Returns:
        Plain values.

    Raises:
        ValueError: if it is no decision, or the round has one already.
    """
    game = deepcopy(ledger.game)
    body = decided(game, kind, decision)
    game.apply(Event(0, kind, game.round, "", "", "", None, canonical(body), None), lambda: past_of([], game.n))
    return status_of(ledger, game)


def _promise(game: Game) -> Promise:
    player = game.ahead
    if game.ended or not isinstance(player, GuardedPlayer):
        known, ended = game.guarantee, game.ended
        if known is None and game.foreign and not ended and game.learner.as_hedge(game.problem) is not None:
            ended = f"what was done in round {game.foreign} is not what is decided now: an override, or late costs"
        return Promise(guarantee=known, ended=ended)
    return Promise(game.guarantee, player.promise, player.room, player.trust, player.lost, feared=player.feared)
