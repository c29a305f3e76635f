"""What a journal can be begun with, each in one plain sentence."""

from typing import NamedTuple


class Choice(NamedTuple):
    """Something to choose: its words, its name, and what it is for.

    Args:
        words: as `Learner.parse` or `Memory.parse` reads them; of a memory with a number, what precedes it.
        name: for readers.
        about: one sentence.
        number: what the number says that belongs to it; empty: there is none.
        value: to begin with.
    """

    words: str
    name: str
    about: str
    number: str = ""
    value: str = ""


MEMORIES = (
    Choice("window:", "The last few decisions", "They count equally, and older ones not at all.", "How many", "7"),
    Choice(
        "geometric:",
        "Fading",
        "Every decision counts, an older one less by this factor each period.",
        "Factor, between 0 and 1",
        "0.9",
    ),
    Choice("full", "All decisions", "The state is the average of everything decided so far."),
    Choice(
        "weights:",
        "My own weights",
        "What each of the last decisions weighs, the newest first.",
        "Weights",
        "0.5,0.3,0.2",
    ),
)
LEARNERS = (
    Choice("guarded", "Guarded", "Does as well as it can, within a promise about regret; takes proposals of yours."),
    Choice(
        "guarded(fixedshare:changes=3)",
        "Guarded, for changing times",
        "Expects the best option to change now and then; needs the number of rounds.",
    ),
    Choice("steering", "Steering", "Moves the state to where it should be as fast as possible; promises less."),
    Choice("hedge", "Hedge", "The textbook rule: shifts weight slowly to what was cheap; needs the number of rounds."),
    Choice("adahedge", "AdaHedge", "Like Hedge, and needs to know neither the range nor the number of rounds."),
    Choice(
        "ftarl", "FTARL", "The paper's rule: one option at a time, kept for long; needs range and number of rounds."
    ),
    Choice(
        "pure(guarded)",
        "Guarded, one option at a time",
        "Draws a single option by Guarded's weights, for who cannot split.",
    ),
    Choice("followtheleader", "Follow the leader", "Always the cheapest option so far; promises nothing."),
)
