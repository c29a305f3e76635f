"""How much is held at once: blocks and groups of tables are bounded, however short or wide the games."""

import numpy as np
import pytest

import bygones as by
from bygones.engine import feed


@pytest.mark.parametrize(("n", "rounds"), [(2, 1), (10, 5), (10, 10_000), (1000, 50), (3, 10**7)])
def test_tables_that_are_drawn_together_are_few_and_fit(n, rounds):
    problem = by.Problem(n, rounds, by.Window(5))
    together = feed.tables_at_once(problem, rounds)
    block = min(rounds, feed.block_rounds(problem)) * n
    assert 1 <= together <= feed.AT_ONCE
    assert together == 1 or together * block <= feed.TOGETHER * feed.BLOCK


@pytest.mark.parametrize("width", [1, 3, 100, 10 * feed.BLOCK])
def test_pieces_are_as_short_as_what_is_kept_of_a_round_is_wide(width):
    rounds = 60_000
    problem = by.Problem(3, rounds, by.Window(2))
    table = by.StocId().draw(3, rounds, np.random.default_rng(0))
    longest = max(1, feed.BLOCK // max(3, width))
    cut = feed.Feed(problem, [table[: 20 * longest]], np.array([rounds]), width=width)
    sizes = [piece.block.rounds for piece in cut]
    assert sum(sizes) == min(rounds, 20 * longest)
    assert max(sizes) == min(longest, rounds)
