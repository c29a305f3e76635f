"""One round at a time, decide and observe: all learners, with costs laid out in three ways; and the peers."""

from collections.abc import Callable, Sequence
from itertools import cycle, islice

import numpy as np
from peers import INSTALLED, LIKE, peers
from timing import Sizes, in_turns, ratios, table

import bygones as by
from bygones.learners import one_of_each

DISTINCT = 1_000_000  # numbers in the rows of a stream, which are taken again and again where there are more rounds
LAYOUTS: dict[str, Callable[[np.ndarray], Sequence[object]]] = {
    "rows": list,
    "lists": lambda costs: costs.tolist(),
    "strided": lambda costs: list(np.asfortranarray(costs)),
}


def stream(learner: by.Learner, problem: by.Problem, rows: Sequence[object]) -> None:
    """A fresh player for the whole horizon, its start included."""
    player = learner.start(problem)
    for row in islice(cycle(rows), problem.horizon):
        player.decide()
        player.observe(row)


def section(sizes: Sizes) -> str:
    """Microseconds per round, and the peers against the learners that are most like them."""
    learners, jobs, shares = one_of_each(), {}, {}
    for n in sizes.stream_actions:
        problem = by.Problem(n, sizes.rounds, by.Window(100))
        costs = -np.random.default_rng(0).random((min(sizes.rounds, DISTINCT // n), n))
        for layout, lay in LAYOUTS.items():
            rows = lay(costs)
            for learner in learners:
                name = _name(learner, n, layout)
                jobs[name] = lambda learner=learner, problem=problem, rows=rows: stream(learner, problem, rows)
                shares[name] = sizes.rounds
        if INSTALLED:
            few = costs[: 1000 if n <= 100 else 200]
            for peer, play in peers(n).items():
                jobs[f"{peer}, n = {n:,}"] = lambda play=play, few=few: [play(row) for row in few]
                shares[f"{peer}, n = {n:,}"] = len(few)
    times = {name: taken.scaled(1 / shares[name]) for name, taken in in_turns(jobs, sizes.few_turns).items()}
    places = [(n, layout) for n in sizes.stream_actions for layout in LAYOUTS]
    rows = []
    for learner in learners:
        each = [times[_name(learner, n, layout)] for n, layout in places]
        rows.append([repr(learner), *(f"{taken.best * 1e6:.1f} ({taken.median * 1e6:.1f})" for taken in each)])
    text = (
        f"## One round at a time: decide and observe, T = {sizes.rounds:,}, window of 100\n\n"
        "Microseconds per round, best and (median). Every run has a fresh player, whose start counts. Costs come as\n"
        "contiguous rows of an array, as lists of numbers, and as rows of a column-major array.\n\n"
    ) + table(["learner", *(f"n = {n:,}, {layout}" for n, layout in places)], rows)
    if not INSTALLED:
        return text + "\nThe peers are not installed here; `make bench` installs them.\n"
    pairs = [
        (f"{peer}, n = {n:,}", _name(learner, n, "rows"))
        for peer, learner in LIKE.items()
        for n in sizes.stream_actions
    ]
    return text + "\nThe peers, on contiguous rows, one round:\n\n" + ratios(times, pairs)


def _name(learner: by.Learner, n: int, layout: str) -> str:
    return f"{learner!r}, n = {n:,}, {layout}"
