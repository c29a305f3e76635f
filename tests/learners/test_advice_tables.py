"""Advice: tables of decisions, from anywhere."""

import json

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones.description import from_dict
from bygones.learners import LEARNERS

PROBLEM = by.Problem(["rail", "road"], 3, by.Window(2))
COSTS = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.0]])
ROWS = [[0.5, 0.5], [0.9, 0.1], [0.0, 1.0]]
WEEKS = ["2024-01-01", "2024-01-08", "2024-01-15"]
CHOSEN = ["rail", "road", "rail"]


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


@pytest.mark.parametrize(
    "table",
    [
        ROWS,
        np.array(ROWS),
        tuple(map(tuple, ROWS)),
        pl.DataFrame({"road": [0.5, 0.1, 1.0], "rail": [0.5, 0.9, 0.0]}),  # in another order
        pl.DataFrame({"week": WEEKS, "rail": [0.5, 0.9, 0.0], "road": [0.5, 0.1, 1.0]}),
    ],
    ids=["lists", "array", "tuples", "frame", "dates"],
)  # fmt: skip
def test_weights_are_played_as_they_are(table):
    player = by.Advice(table).start(PROBLEM)
    assert np.array_equal(player.play(COSTS), ROWS)


@pytest.mark.parametrize(
    "table", [CHOSEN, np.array(CHOSEN), [0, 1, 0], np.array([0, 1, 0])], ids=["names", "texts", "numbers", "array"]
)
def test_actions_are_pure_play(table):
    learner = by.Advice(table)
    player = learner.start(PROBLEM)
    assert player.action == 0
    assert player.play(COSTS).tolist() == [0, 1, 0]
    result = by.simulate(PROBLEM, [learner], COSTS, replicates=3)
    assert len(set(result.regrets["Advice"][:, -1])) == 1


def test_files_are_read_and_words_name_them(tmp_path, monkeypatch):
    path = tmp_path / "plan.csv"
    path.write_text("week,chosen\n2024-01-01,rail\n2024-01-08,road\n2024-01-15,rail\n")
    assert by.Advice(path).start(PROBLEM).play(COSTS).argmax(axis=1).tolist() == [0, 1, 0]
    monkeypatch.chdir(tmp_path)
    assert by.Learner.parse("advice:table=plan.csv") == by.Advice(path) == by.Advice("plan.csv")
    guarded = by.Learner.parse("guarded(advice:table=plan.csv):slack=0.2")
    assert guarded == by.Guarded(by.Advice(path), slack=0.2)
    with pytest.raises(ValueError, match=r"nothing\.csv"):
        by.Advice("nothing.csv")


def test_it_is_what_its_decisions_are(tmp_path):
    learner = by.Advice(pl.DataFrame({"rail": [0.5, 0.9, 0.0], "road": [0.5, 0.1, 1.0]}))
    again = from_dict(json.loads(json.dumps(learner.to_dict())), LEARNERS, "learner")
    assert again == learner
    assert hash(again) == hash(learner)
    assert by.Advice(ROWS) == by.Advice(np.array(ROWS)) != by.Advice(ROWS[::-1])
    long, other = by.Advice([0, 1] * 500), by.Advice([1, 0] * 500)
    assert repr(long) != repr(other)
    assert len(repr(long)) < 40
    player = learner.start(PROBLEM)
    player.observe(COSTS[0])
    by.save(player, tmp_path / "player.npz")
    assert np.array_equal(by.load(tmp_path / "player.npz").play(COSTS[1:]), ROWS[1:])


@pytest.mark.parametrize("learner", [by.Advice(ROWS), by.Advice(CHOSEN)], ids=["weights", "actions"])
def test_a_table_that_ends_early_is_refused_and_nothing_changes(learner):
    with pytest.raises(ValueError, match="the advice has 3 decisions, and there are 4 rounds or more: give"):
        learner.start(PROBLEM.replace(horizon=4))
    for one in (learner, by.Guarded(learner), by.Steering(learner)):
        player = one.start(PROBLEM.replace(horizon=None))
        player.play(COSTS[:2])
        state = player.snapshot()
        with pytest.raises(ValueError, match="ends after 3 decisions, and there is none for round 4"):
            player.play(COSTS)
        assert all(np.array_equal(player.snapshot()[name], state[name]) for name in state)
        player.observe(COSTS[2])
        state = player.snapshot()
        for call in (player.decide, lambda player=player: player.observe(COSTS[0])):
            with pytest.raises(ValueError, match="ends after 3 decisions, and there is none for round 4: give one"):
                call()
        assert all(np.array_equal(player.snapshot()[name], state[name]) for name in state)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ((), "the advice has 0 decisions"),
        ([[0.5, 0.6], *ROWS[1:]], "decision 1 is .* must add up to one"),
        ([[0.2, 0.3, 0.5]] * 3, "give 2 weights a decision"),
        (["rail", "sea", "rail"], "there is no action 'sea'"),
        ([0, 1, 2], "decision 3 is action number 2"),
        (pl.DataFrame({"rail": [1.0] * 3, "sea": [0.0] * 3}), "road"),
    ],
    ids=["nothing", "simplex", "width", "name", "number", "column"],
)
def test_what_is_not_a_decision_is_refused(table, message):
    with pytest.raises(ValueError, match=message):
        by.Advice(table).start(PROBLEM)


@pytest.mark.parametrize("table", [3, None, 0.5], ids=repr)
def test_what_is_not_a_table_is_refused(table):
    with pytest.raises(ValueError, match="the table of decisions is"):
        by.Advice(table)


def test_a_backtest_plays_it_beside_others():
    frame = pl.DataFrame({"rail": [1.0, 2.0, 1.0, 3.0, 2.0], "road": [2.0, 1.0, 2.0, 1.0, 1.0]})
    plan = by.Advice(["rail", "road", "rail", "road", "road"])
    done = by.backtest(frame, "window:2", [plan, "uniform"], cost_range=2.0)
    states = by.Window(2).start(2).extend(np.array([0, 1, 0, 1, 1]))
    assert done.accounts["total"][0] == pytest.approx((frame.to_numpy() * states).sum())
    assert done.next["learner"].unique().to_list() == ["Uniform"]  # the plan has no decision for the next period
    assert "Advice has no decision, for its table ends there" in done.recommendation
    longer = by.Advice(["rail", "road", "rail", "road", "road", "rail"])
    assert by.backtest(frame, "window:2", [longer], cost_range=2.0).next.row(0) == ("Advice", "rail", 1.0, 1.0, 0.5)


def test_a_backtest_that_skips_periods_skips_their_advice():
    costs = np.random.default_rng(0).random((60, 2))
    chosen = np.random.default_rng(1).integers(0, 2, 60)
    frame = pl.DataFrame(costs, schema=["rail", "road"])
    for plan in (by.Advice(chosen), by.Advice(np.eye(2)[chosen]), by.Guarded(by.Advice(chosen), enforce=False)):
        done = by.backtest(frame, "window:3", [plan])
        skipped = done.about["burn_in"]
        states = by.Window(3).start(2).extend(chosen[skipped:])
        assert skipped > 0
        assert done.accounts["total"][0] == pytest.approx((costs[skipped:] * states).sum())


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
