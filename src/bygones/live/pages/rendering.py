"""Pages from templates: what a journal has come to, read in one transaction and put into words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import sqlalchemy as sa

from ... import datasets
from ...backtesting.sentences import figure
from ...learners.player.guarded import GuardedPlayer
from ...report import environment
from ...version import __version__
from .. import __name__ as package
from ..events import Event
from ..ledger import Ledger
from ..status import Status, status_of
from . import wording
from .choices import LEARNERS, MEMORIES
from .drawing import bands_of, fill_of, regret_chart, shares_of
from .periods import following
from .trail import Mark, Round, Trail, stacked

if TYPE_CHECKING:
    from jinja2 import Environment

LOG, ROUNDS = 12, 14  # entries and rounds that are shown
COLUMNS = 30  # options in the table of rounds


class Visitor(NamedTuple):
    """Who looks at a page.

    Args:
        name: as it stands in the log; empty: unknown.
        may: the scopes: what they may do.
    """

    name: str
    may: Collection[str]


class Seen(NamedTuple):
    """A journal, as it was read."""

    status: Status
    guarded: bool
    memory: str
    marks: Sequence[Mark]
    rounds: Sequence[Round]
    events: Sequence[Event]  # the last ones
    undone: Collection[int]
    undo: Event | None


def seen(ledger: Ledger, connection: sa.Connection, trail: Trail) -> Seen:
    """Read a journal for its page.

    Args:
        ledger: of the journal, caught up with.
        connection: within the same transaction.
        trail: of the journal; follows it, and nobody else does meanwhile.

    Returns:
        All that the page shows.
    """
    trail.follow(ledger, connection)
    marks, rounds = list(trail.marks), trail.last
    game = ledger.game
    events = ledger.log(connection, max(0, ledger.number - LOG))
    undo = ledger.last(connection)
    undone = {event.undoes for event in events if event.undoes}
    guarded = isinstance(game.player, GuardedPlayer)
    status, memory = status_of(ledger, game), game.problem.memory.phrase
    return Seen(status, guarded, memory, marks, rounds, events, undone, undo)


def journals_page(
    visitor: Visitor, found: Iterable[Status], after: str | None = None, closed: Mapping[str, str] | None = None
) -> str:
    """Journals at a glance.

    Args:
        visitor: who looks.
        found: some of them.
        after: more come after the one of this name; None: these are the last.
        closed: those that cannot be opened, and why.

    Returns:
        HTML.
    """
    journals = [
        {
            "name": each.journal,
            "headline": wording.decided(each),
            "last": each.last,
            "rounds": f"{each.rounds:,}",
            "regret": figure(each.regret),
            "learner": wording.learner(each),
            "waits": wording.waits(each),
        }
        for each in found
    ]
    return _page("journals", visitor, journals=journals, next=after, closed=closed or {})


def journal_page(visitor: Visitor, found: Seen) -> str:
    """One journal: what to do, why, what was done, and forms to enter more.

    Args:
        visitor: who looks.
        found: what was read.

    Returns:
        HTML.
    """
    status, marks = found.status, found.marks
    names, n = [each.name for each in status.options], len(status.options)
    waiting = status.waiting[0] if status.waiting else None
    periods = [each.period for each in found.rounds] + status.waiting
    period = following(periods, status.round)
    drawn: dict[str, Any] = {"chart": None}
    if marks:
        drawn = {
            "chart": regret_chart(marks),
            "decisions": bands_of("decisions", marks, names),
            "states": bands_of("state", marks, names),
            "rounds": [_row(each, names) for each in found.rounds[: -ROUNDS - 1 : -1]],
        }
    said = [wording.said(each, names, status.gains, each.number in found.undone) for each in reversed(found.events)]
    last = wording.said(found.undo, names, status.gains, False) if found.undo else None
    decision, state = ([getattr(each, column) for each in status.options] for column in ("decision", "state"))
    held = None if status.options[0].held is None else [each.held or 0.0 for each in status.options]
    return _page(
        "journal",
        visitor,
        status=status,
        api=f"/api/journals/{quote(status.journal)}",
        learner=wording.learner(status),
        memory=found.memory,
        headline=wording.headline(status),
        at=wording.when(status, period),
        period=period,
        waiting=waiting,
        guarded=found.guarded,
        forms=bool({"observe", "decide", "admin"} & set(visitor.may)),
        limit=figure(status.cost_range) if status.cost_range else "",
        decision=shares_of(names, decision)[0],
        held=None if held is None else shares_of(names, held, state),
        fills=[fill_of(i) for i in (*range(n), None)],
        move=wording.move(status),
        sure=wording.sure(status),
        waits=wording.waits(status),
        verdicts=wording.verdicts(status),
        names=names[:COLUMNS],
        log=said,
        news=f"{said[0].author or 'somebody'} {said[0].text}." if said else "",
        undo=last,
        **drawn,
    )


def new_page(visitor: Visitor) -> str:
    """A form to begin a journal."""
    return _page("begin", visitor, tables=datasets.DATASETS, learners=LEARNERS, memories=MEMORIES)


def login_page(problem: str = "", to: str = "/") -> str:
    """A form that asks for a token.

    Args:
        problem: why the last one was not taken.
        to: the page to go on with.

    Returns:
        HTML.
    """
    return _page("login", Visitor("", ()), problem=problem, to=to)


def refused_page(said: str) -> str:
    """Why there is no page.

    Args:
        said: a sentence.

    Returns:
        HTML.
    """
    return _page("refused", Visitor("", ()), said=f"{said[:1].upper()}{said[1:]}.")


def _row(each: Round, names: Sequence[str]) -> dict[str, Any]:
    weights, costs = stacked([each.decision], len(names))[0], each.costs[:COLUMNS].tolist()
    return {
        "round": f"{each.round:,}",
        "period": each.period,
        "done": wording.mix(names, weights.tolist()),
        "overridden": each.overridden,
        "paid": figure(each.paid),
        "regret": figure(each.regret),
        "costs": ["" if cost != cost else figure(cost) for cost in costs]
        + [""] * (min(len(names), COLUMNS) - len(costs)),
    }


def _page(name: str, visitor: Visitor, **fields: object) -> str:
    template = _templates().get_template(f"{name}.html.jinja")
    return template.render(here=name, author=visitor.name, may=visitor.may, version=__version__, **fields)


@cache
def _templates() -> "Environment":
    return environment(package)
