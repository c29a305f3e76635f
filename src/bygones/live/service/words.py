"""Learners and memories in words that somebody on another machine sends: the library's own, and nothing is imported."""

from dataclasses import replace
from typing import Any

from ...learners import Learner
from ...learners.words import learner_words
from ...memory import Memory
from ...memory.words import memory_words
from ...words import Words

LONGEST = 10_000  # characters


def library_learner(text: str) -> Learner:
    """A learner of the library from its words.

    Raises:
        ValueError: if they are no such words, or name a module.

    >>> library_learner("guarded(steering(hedge:rate=0.1)):slack=0.2")
    Guarded(learner=Steering(learner=Hedge(rate=0.1)), slack=0.2)
    >>> library_learner("guarded(os.path:join)")
    Traceback (most recent call last):
    ValueError: the learner is 'guarded(os.path:join)', and the learner is 'os.path:join', and no module is imported ...
    """
    found: Learner = _parsed(learner_words(), text)
    return found


def library_memory(text: str) -> Memory:
    """A memory of the library from its words.

    Raises:
        ValueError: if they are no such words, or name a module.

    >>> library_memory("window:12")
    Window(length=12)
    """
    found: Memory = _parsed(memory_words(), text)
    return found


def _parsed(words: Words[Any], text: str) -> Any:  # noqa: ANN401
    if len(text) > LONGEST:
        raise ValueError(f"the {words.what} has {len(text):,} characters: give at most {LONGEST:,}")
    forms = words.forms.removesuffix(" or package.module:Class")
    return replace(words, own=False, forms=forms).parse(text)
