"""Learners as words, for command lines and files."""

from typing import Any

import msgspec

from ..validation import word
from .base import Learner

FORMS = "tracking, ftarl:tuning=sharp or hedge:rate=0.1"


def read_learner(text: str) -> Learner:
    """A learner from its words: its name in any case, with hyphens or without, then its parameters if any.

    An action goes by its name, which may be a number.

    >>> [read_learner(text) for text in ("ada-hedge", "FTARL:tuning=sharp,play=mean", "pure:learner=tracking")]
    [AdaHedge(), FTARL(play='mean', tuning='sharp'), Pure(learner=Tracking())]
    >>> read_learner("ftral")
    Traceback (most recent call last):
    ValueError: the learner is 'ftral': give one of 'ftarl', ... (did you mean ftarl?)
    """
    from . import LEARNERS  # whose list is made once all learners are there

    names = {kind.__name__.lower(): kind for kind in LEARNERS}
    name, colon, rest = str(text).strip().partition(":")
    plain = name.lower().replace("-", "").replace("_", "").strip()
    kind = names[word("the learner", plain if plain in names else name, tuple(names))]
    known = tuple(field.name for field in msgspec.structs.fields(kind))
    given: dict[str, Any] = {}
    try:
        for part in rest.split(",") if colon else ():
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not (key and equals and value):
                raise ValueError(f"{part!r} is no name=value; learners look like {FORMS}")
            if not known:
                raise ValueError(f"{kind.__name__} has no parameters: leave {part!r} out")
            if word(f"a parameter of {kind.__name__}", key, known) in given:
                raise ValueError(f"{key} is given twice: give it once")
            given[key] = read_learner(value) if key == "learner" else value if key == "action" else _value(value)
        return kind(**given)
    except ValueError as error:
        raise ValueError(f"the learner is {text!r}, and {error}") from None


def _value(text: str) -> int | float | str:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
