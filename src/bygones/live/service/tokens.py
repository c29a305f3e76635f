"""Tokens: who may do what with which journals. Only digests of them are kept."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from ...validation import shown
from ..entries import journal_name, label
from ..schema import Database, tokens
from .refusals import RefusedError

READ, OBSERVE, DECIDE, ADMIN = "read", "observe", "decide", "admin"
SCOPES = (READ, OBSERVE, DECIDE, ADMIN)
CONTAINS = {READ: {READ}, OBSERVE: {READ, OBSERVE}, DECIDE: {READ, DECIDE}, ADMIN: set(SCOPES)}
HEAD = "bygones"


class Who(NamedTuple):
    """Somebody who asks.

    Args:
        name: what the token is called; stands in the log of a journal as the author.
        scopes: what it may do.
        journals: the names of the journals that it may touch; None: all.
        token: the id of its token; empty: it has none.
    """

    name: str
    scopes: frozenset[str]
    journals: frozenset[str] | None = None
    token: str = ""

    def may(self, scope: str) -> bool:
        """Whether it may do something to the journals that it may touch."""
        return any(scope in CONTAINS[each] for each in self.scopes)

    def touches(self, journal: str) -> bool:
        """Whether it may touch a journal, be there one of that name or not."""
        return self.journals is None or journal in self.journals

    def check(self, scope: str, journal: str | None = None) -> None:
        """Refuse what it may not do.

        Args:
            scope: that is needed.
            journal: what is to be touched; None: no journal.

        Raises:
            RefusedError: if it may not.
        """
        if not self.may(scope):
            has = ", ".join(sorted(self.scopes))
            raise RefusedError(403, f"this needs the scope {scope}, and your token has {has}: ask for another token")
        if journal is not None and not self.touches(journal):
            raise RefusedError(403, "your token may not touch a journal of that name: ask for another token")


NOBODY = Who("local", frozenset({ADMIN}))  # on this machine, while there are no tokens


class Token(NamedTuple):
    """What is kept of a token."""

    id: str
    digest: str
    name: str
    scopes: str
    journals: str | None
    created: str
    expires: str | None
    revoked: str | None

    @property
    def touches(self) -> list[str] | None:
        """The journals that it may touch; None: all."""
        return None if self.journals is None else list(json.loads(self.journals))

    def public(self) -> dict[str, object]:
        """What may be shown of it."""
        found = self._asdict() | {"scopes": self.scopes.split(","), "journals": self.touches, "ended": self.ended()}
        del found["digest"]
        return found

    def ended(self) -> str:
        """Why it does not hold any more; empty if it does."""
        now = _written(datetime.now(UTC))
        if self.revoked is not None:
            return "was revoked"
        return "has expired" if self.expires is not None and self.expires <= now else ""


class Tokens:
    """The tokens of a database, known for as long as nobody asks to look again.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known: dict[str, Token] = {}
        self.looked = False  # whether anybody has looked what there is; who serves looks again and again

    def new(
        self, name: str, scopes: Iterable[str], journals: Iterable[str] | None = None, days: float | None = None
    ) -> str:
        """Make a token.

        Args:
            name: what it is called, such as of whom or of which program it is.
            scopes: what it may do.
            journals: what it may touch; None: all.
            days: after which it expires; None: never.

        Returns:
            The token. Nobody can show it again.

        Raises:
            ValueError: if an argument does not fit.
        """
        asked = list(dict.fromkeys(scopes))
        wrong = [each for each in asked if each not in SCOPES]
        if wrong or not asked:
            raise ValueError(f"the scope is {shown(wrong[0]) if wrong else 'missing'}: give {', '.join(SCOPES)}")
        touched = None if journals is None else json.dumps([journal_name(each) for each in journals])
        if days is not None and not 0 < days <= 36525:
            raise ValueError(f"the token would expire after {days} days: give more than 0 and at most 36,525")
        now = datetime.now(UTC)
        expires = None if days is None else _written(now + timedelta(days=days))
        secret, number = secrets.token_urlsafe(32), secrets.token_hex(6)
        row = Token(
            number, _digest(secret), label("the name", name), ",".join(asked), touched, _written(now), expires, None
        )
        with self.database.writing() as connection:
            connection.execute(tokens.insert(), row._asdict())
        return f"{HEAD}_{number}_{secret}"

    def revoke(self, number: str) -> Token:
        """Let a token hold no more.

        Args:
            number: its id, or its name if no other has it.

        Returns:
            What is kept of it.

        Raises:
            ValueError: if there is no such token, or several.
        """
        found = [each for each in self.all() if number in (each.id, each.name) and each.revoked is None]
        if len(found) != 1:
            many = f"there are {len(found)} tokens" if found else "there is no token"
            raise ValueError(f"{many} {shown(number)} to revoke: give an id that `bygones serve token list` shows")
        when = _written(datetime.now(UTC))
        with self.database.writing() as connection:
            connection.execute(tokens.update().where(tokens.c.id == found[0].id).values(revoked=when))
        return found[0]._replace(revoked=when)

    def all(self) -> list[Token]:
        """All tokens, from the database."""
        with self.database.reading() as connection:
            found = [Token(*row) for row in connection.execute(sa.select(tokens).order_by(tokens.c.created))]
        self._known, self.looked = {each.id: each for each in found}, True
        return found

    def __len__(self) -> int:
        return len(self._known)

    def knows(self, token: str) -> bool:
        """Whether there is a token of its id, as far as was looked."""
        return _parts(token)[0] in self._known

    def who(self, token: str) -> Who:
        """Whose token it is.

        Args:
            token: what was sent.

        Returns:
            What it may do.

        Raises:
            RefusedError: if it is wrong, revoked or expired.
        """
        number, secret = _parts(token)
        kept = self._known.get(number)
        same = hmac.compare_digest(_digest(secret), kept.digest if kept else _digest(""))
        if kept is None or not same:
            raise RefusedError(401, "the token is wrong: give one that holds", WWW_Authenticate="Bearer")
        ended = kept.ended()
        if ended:
            raise RefusedError(401, f"the token {ended}: ask for a new one", WWW_Authenticate="Bearer")
        touched = kept.touches
        journals = None if touched is None else frozenset(touched)
        return Who(kept.name, frozenset(kept.scopes.split(",")), journals, number)

    def hold(self, who: Who) -> bool:
        """Whether somebody who was let in would be now, as far as was looked; without a token, while there is none."""
        kept = self._known.get(who.token)
        return not kept.ended() if kept is not None else not who.token and not self._known


def _parts(token: str) -> tuple[str, str]:
    """The id of a token, and its secret."""
    head, _, rest = token.strip().partition("_")
    number, _, secret = rest.partition("_")
    return (number, secret) if head == HEAD else ("", "")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _written(when: datetime) -> str:
    return when.isoformat(timespec="microseconds")
