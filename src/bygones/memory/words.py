"""Memories as words, for command lines, files and calls."""

from ..words import Words
from .base import Memory


class MemoryWords(Words[Memory]):
    """How memories are written and read."""

    what, plural, base, bare = "memory", "memories", Memory, True
    no_module = "No module named {module!r}{meant}"
    no_class = "module {module!r} has no attribute {name!r}{meant}"
    no_kind = "{module}:{name} is no subclass of {base}"

    def __init__(self) -> None:
        from . import MEMORIES  # which is made once all memories are there

        examples = [kind.example for kind in MEMORIES if kind.example]
        names = [(kind.example or kind.__name__.lower()).partition(":")[0] for kind in MEMORIES]
        super().__init__(dict(zip(names, MEMORIES, strict=True)), f"{', '.join(examples[:-1])} or {examples[-1]}")

    def unknown(self, text: object, name: str) -> ValueError:
        """The error guesses whose parameter was given alone."""
        meant = ""
        for kind in reversed(self.kinds):
            try:
                meant = f" (did you mean {self.parse(f'{kind}:{text}').words}?)"
            except ValueError:
                continue
        return ValueError(f"the memory is {text!r}{meant}: give one that looks like {self.forms}")
