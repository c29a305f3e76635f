"""Memories as words, for command lines, files and calls."""

from ..words import Words
from .base import Memory


def memory_words() -> Words[Memory]:
    """How memories are written and read."""
    from . import MEMORIES  # which is made once all memories are there

    examples = [kind.example for kind in MEMORIES if kind.example]
    kinds = {(kind.example or kind.__name__.lower()).partition(":")[0]: kind for kind in MEMORIES}
    forms = f"{', '.join(examples[:-1])} or {examples[-1]}"
    return Words("memory", "memories", Memory, kinds, forms, bare=True)
