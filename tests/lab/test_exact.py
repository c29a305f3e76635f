"""Exact worst cases: against brute force, and against what is promised."""

import numpy as np
import pytest
from playing import LEARNERS, Ahead, by_force, replayed

import bygones as by
from bygones.lab import exact

PROGRAM, PLAYED = "all sequences, by dynamic programming", "all sequences, played"
MEMORIES = [by.Window(1), by.Window(3), by.Weights([0.2, 0.5, 0.3]), by.Geometric(0.6), by.FullHistory()]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
@pytest.mark.filterwarnings("ignore:.*can depend on rounding:UserWarning")
def test_it_is_the_worst_of_all_sequences(learner, memory):
    problem = by.Problem(2, 7, memory, 2.0)
    found = by.lab.exact_worst_case(learner, problem)
    assert found.regret == pytest.approx(by_force(learner, problem), abs=1e-9)
    assert found.regret == pytest.approx(replayed(learner, problem, found.costs), abs=1e-9)
    assert set(map(tuple, found.costs.tolist())) <= {(2.0, 0.0), (0.0, 2.0)}
    bound = learner.bound(problem)
    assert found.bound == bound
    if bound is not None:
        assert found.share == pytest.approx(found.regret / bound)
        assert found.regret <= bound + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("H", [2, 5])
def test_it_is_the_worst_of_all_sequences_of_twelve_rounds(learner, H):
    problem = by.Problem(2, 12, by.Window(H))
    found = by.lab.exact_worst_case(learner, problem)
    assert found.regret == pytest.approx(by_force(learner, problem), abs=1e-9)


def test_the_way_is_chosen_by_what_decisions_depend_on():
    problem = by.Problem(2, 10, by.Window(3))
    ways = {by.Hedge(): PROGRAM, by.FTARL(play="mean", tuning="sharp"): PROGRAM, Ahead(): PROGRAM}
    ways |= {by.Steering(): PLAYED, by.AdaHedge(): PLAYED, by.Hedge(tuning="anytime"): PLAYED}
    for learner, way in ways.items():
        assert by.lab.exact_worst_case(learner, problem).found_by == way, learner


@pytest.mark.parametrize("lags", [0, 1, 2])
def test_a_program_with_more_lags_than_needed_says_the_same(monkeypatch, lags):
    problem = by.Problem(2, 9, by.Window(3))
    expected = by_force(by.Hedge(), problem)
    monkeypatch.setattr(exact, "_lags_needed", lambda *_: lags)
    found = by.lab.exact_worst_case(by.Hedge(), problem)
    assert found.found_by == PROGRAM
    assert found.regret == pytest.approx(expected, abs=1e-9)


def test_a_program_on_too_few_lags_is_found_out(monkeypatch):
    monkeypatch.setattr(exact, "_lags_needed", lambda *_: 0)
    with pytest.raises(ArithmeticError, match="its decisions depend on more than the lead and 0 steps"):
        by.lab.exact_worst_case(by.Steering(), by.Problem(2, 9, by.Window(4)))


@pytest.mark.compiled
@pytest.mark.parametrize(("T", "H"), [(500, 2), (300, 6), (100, 10)])
def test_long_games_stay_within_the_bound_and_near_it(T, H):
    problem = by.Problem(2, T, by.Window(H))
    found = by.lab.exact_worst_case("hedge", problem)
    assert 0.8 * found.bound < found.regret <= found.bound
    assert found.regret == pytest.approx(replayed(by.Hedge(), problem, found.costs))
    assert by.lab.minimax([T], H)[0].upper < found.regret if H < 4 else True


def test_one_round():
    found = by.lab.exact_worst_case(by.Hedge(), by.Problem(2, 1, by.Window(4)))
    assert found.regret == 0.5
    assert found.costs.shape == (1, 2)


def test_a_learner_that_treats_actions_unlike_has_all_its_sequences_played(monkeypatch):
    monkeypatch.setattr(exact, "SAMPLES", 1)  # of short games all histories are looked at
    problem = by.Problem(2, 8, by.Window(2))
    table = np.array([[0.0, 1.0]] * 5 + [[0.4, 0.6]] * 3)  # so that the worst costs begin with those of action 1
    found = by.lab.exact_worst_case(by.Advice(table), problem)
    assert (found.found_by, found.tries) == (PLAYED, 2**7)
    assert found.regret == pytest.approx(by_force(by.Advice(table), problem))


def test_bad_arguments():
    problem = by.Problem(2, 40, by.Window(3))
    with pytest.raises(ValueError, match="the problem has 3 actions: exact worst cases are for two"):
        by.lab.exact_worst_case(by.Hedge(), problem.replace(actions=3))
    with pytest.raises(ValueError, match="depend on more than the lead and a few steps.*use worst_case"):
        by.lab.exact_worst_case(by.Steering(), problem)
    with pytest.raises(ValueError, match=r"make a table of 8\.8e\+14 entries.*give a shorter horizon or memory"):
        by.lab.exact_worst_case(by.Hedge(), problem.replace(memory=by.FullHistory()))
