"""A journal that this process holds in memory, and what is shown of it without asking anybody."""

from threading import Lock

from ..ledger import Ledger
from .bodies import Decided


class Seat:
    """A journal, and the lock of whoever looks at its game or enters something.

    Args:
        name: of the journal.
    """

    def __init__(self, name: str) -> None:
        self.name, self.ledger, self.lock = name, Ledger(name), Lock()
        self.shown: Decided | None = None  # of the last commit that this process knows

    def show(self) -> Decided | None:
        """The decision of the round at hand, None if there is none, as after a table of advice; it must be locked."""
        try:
            return decided_of(self.ledger)
        except ValueError:
            return None


def decided_of(ledger: Ledger) -> Decided:
    """The decision of the round at hand.

    Args:
        ledger: caught up with.

    Returns:
        The weights of the open options.
    """
    game = ledger.game
    decision, (_, state) = game.decision(), game.states()
    here = [(name, i) for i, name in enumerate(game.names) if game.open[i] or state[i] > 0]
    return Decided(
        round=game.round,
        decision={name: float(decision[i]) for name, i in here if game.open[i]},
        state={name: float(state[i]) for name, i in here},
        overridden=game.real is not None,
        events=ledger.number,
        hash=ledger.hash,
    )
