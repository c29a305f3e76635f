"""Advice: a table of decisions, played as it is, by itself and inside others."""

import numpy as np
import pytest

import bygones as by

ROWS = [[1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
ACTIONS = [0, 1, 1]
AROUND = [
    by.Advice(ROWS),
    by.Advice(ACTIONS),
    by.Guarded(by.Advice(ROWS)),
    by.Guarded(by.Advice(ACTIONS)),
    by.Steering(by.Advice(ROWS)),
    by.Guarded(by.Steering(by.Advice(ACTIONS))),
    by.Guarded(by.Guarded(by.Advice(ROWS))),
    by.Steering(by.Guarded(by.Advice(ACTIONS))),
    by.Pure(by.Advice(ROWS)),
    by.Pure(by.Guarded(by.Advice(ROWS))),
    by.Guarded(by.Pure(by.Guarded(by.Advice(ROWS)))),
    by.Pure(by.Steering(by.Guarded(by.Advice(ROWS)))),
]


@pytest.mark.parametrize("horizon", [3, None])
@pytest.mark.parametrize("learner", AROUND, ids=repr)
def test_a_table_lasts_to_its_last_row_and_then_nothing_changes(learner, horizon):
    """Whoever is around it: the last row is played, and a round more is refused, single or in a block."""
    problem, costs = by.Problem(2, horizon, by.Window(2)), np.random.default_rng(0).random((4, 2))
    single, block = learner.start(problem), learner.start(problem)
    decisions = [single.decide()]
    for row in costs[:2]:
        single.observe(row)
        decisions.append(single.decide())
    single.observe(costs[2])
    played = block.play(costs[:3])
    assert np.array_equal(np.array(decisions), by.Window(1).start(2).extend(played))
    for player in (single, block):
        before = player.snapshot()
        for late in (
            lambda player=player: player.observe(costs[3]),
            lambda player=player: player.play(costs[3:]),
            lambda player=player: player.play(costs[3:], decisions=[0]),
            lambda player=player: player.decide(),
        ):
            with pytest.raises(ValueError, match="the advice ends after 3 decisions, and there is none for round 4"):
                late()
        after = player.snapshot()
        assert all(np.array_equal(before[name], after[name]) for name in before)
    assert all(np.array_equal(single.snapshot()[name], block.snapshot()[name]) for name in before)
