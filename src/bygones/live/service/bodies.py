"""What goes over the wire: the bodies of requests, checked as they are read, and of answers."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..entries import NAME
from ..schema import LABEL
from ..status import Status

Name = Annotated[str, Meta(extra_json_schema={"pattern": f"^{NAME.pattern}$"})]
Label = Annotated[str, Meta(max_length=LABEL)]
Kind = Literal["proposed", "overridden", "committed", "observed", "renamed", "retired", "joined", "undone"]
Value = dict[str, float] | list[float] | str | None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be entered.

    Args:
        kind: what it is.
        value: costs by name, or in the order of the open options; a decision in the same ways, or one option's name;
            or the option that is renamed, retired or joins.
        period: what the round is called, such as a date; None: its number.
        name: the new name of an option.
        clip: costs beyond the range count as cut off there.
    """

    kind: Kind
    value: Value = None
    period: Label | None = None
    name: Label = ""
    clip: bool = False


class Preview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of which the outcome is asked.

    Args:
        kind: it would be overridden, or proposed.
        value: weights by name, or in the order of the open options, or one option's name.
    """

    kind: Literal["overridden", "proposed"]
    value: dict[str, float] | list[float] | str


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file, in any format that `read_table` reads.

    Args:
        filename: what it is called; its ending says how it is read.
        content: its bytes, in Base64.
    """

    filename: Annotated[str, Meta(max_length=255)]
    content: bytes


class NewJournal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A journal to begin, from the names of its options, or with the past that a table has.

    Args:
        name: what it is called.
        memory: how past decisions count, in words.
        learner: who decides, in words; one of the library's own.
        options: the names of the options; left out where a table has them.
        horizon: how many rounds there will be; None: unknown.
        cost_range: the most that the costs of a round differ; None: unknown, or that of the table.
        seed: feeds the learner's own randomness.
        gains: what is entered are gains, not costs.
        table: the past, one row per period: a file, or the text of a CSV file.
        held: the decisions that were really taken, likewise.
        time: the column of the table with the times.
        missing: what to do about missing entries of the table.
    """

    name: Name
    memory: str
    learner: str = "guarded"
    options: list[Label] | None = None
    horizon: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    cost_range: Annotated[float, Meta(gt=0)] | None = None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    gains: bool = False
    table: str | Sent | None = None
    held: str | Sent | None = None
    time: str | None = None
    missing: Literal["error", "drop", "carry"] = "error"


class Decided(msgspec.Struct, frozen=True):
    """The decision of the round at hand.

    Args:
        round: its number.
        decision: the weight of each option in it; options that were retired are left out.
        state: the weight of each in the state that the decision makes.
        overridden: somebody entered what is really done.
        events: how many entries there are.
        hash: of the last one.
    """

    round: int
    decision: dict[str, float]
    state: dict[str, float]
    overridden: bool
    events: int
    hash: str


class Entered(msgspec.Struct, frozen=True):
    """An event of the log.

    Args:
        number: events are numbered from 1 on.
        kind: what was entered.
        round: which round it is about.
        period: what that is called.
        time: when, in UTC.
        author: who.
        key: what the request was called.
        body: what was entered.
        undoes: the number of the event that it takes back.
        hash: of the event and the one before.
    """

    number: int
    kind: str
    round: int
    period: str
    time: str
    author: str
    key: str | None
    body: dict[str, Any]
    undoes: int | None
    hash: str


class Journals(msgspec.Struct, frozen=True):
    """Some journals.

    Args:
        items: in the order of their names.
        next: give this as `after` for those that follow; None: these are the last.
        closed: those among them that cannot be opened, and why.
    """

    items: list[Status]
    next: str | None
    closed: dict[str, str]


class Events(msgspec.Struct, frozen=True):
    """Some events.

    Args:
        items: in the order in which they were entered.
        next: give this as `after` for those that follow; None: these are the last.
    """

    items: list[Entered]
    next: int | None


class Taken(msgspec.Struct, frozen=True):
    """What was new in a table.

    Args:
        events: one for each period that was new.
    """

    events: list[Entered]


class Round(msgspec.Struct, frozen=True):
    """A round that was observed.

    Args:
        round: its number.
        period: what it is called.
        entered: when its costs were entered.
        author: by whom.
        paid: what was paid, or gained.
        costs: what each option cost, or gained; None where it had no cost.
        decision: what was really done.
        state: what was paid for.
    """

    round: int
    period: str
    entered: str
    author: str
    paid: float
    costs: dict[str, float | None]
    decision: dict[str, float]
    state: dict[str, float]


class History(msgspec.Struct, frozen=True):
    """The last rounds.

    Args:
        items: the newest last.
    """

    items: list[Round]


class Checked(msgspec.Struct, frozen=True):
    """What `verify` found.

    Args:
        sound: whether nothing is wrong.
        events: how many there are.
        rounds: how many stand.
        faults: what is wrong.
        notes: what is odd, and may be right.
    """

    sound: bool
    events: int
    rounds: int
    faults: list[str]
    notes: list[str]


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done.

    Args:
        error: a sentence.
    """

    error: str


class News(msgspec.Struct, frozen=True):
    """Something was entered.

    Args:
        journal: in which journal.
        events: how many entries it has now.
        hash: of the last one.
    """

    journal: str
    events: int
    hash: str


class Health(msgspec.Struct, frozen=True):
    """Whether the service answers.

    Args:
        ok: it does, and so does the database.
    """

    ok: bool
