"""Exact worst cases: against brute force, and against what is promised."""

from contextlib import contextmanager

import numpy as np
import pytest
from playing import LEARNERS, Ahead, by_force, replayed

import bygones as by
from bygones.lab import exact

PROGRAM, PLAYED = "dynamic programming", "all sequences, played"
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


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
@pytest.mark.filterwarnings("ignore:.*can depend on rounding:UserWarning")
def test_it_is_so_by_dynamic_programming(monkeypatch, learner, memory):
    monkeypatch.setattr(exact, "ALWAYS", 0)
    problem = by.Problem(2, 7, memory, 2.0)
    found = by.lab.exact_worst_case(learner, problem)
    assert found.regret == pytest.approx(by_force(learner, problem), abs=1e-9)


class Deceiver(by.RowPlayer):
    """Plays as Hedge does, until the costs have begun with a pattern; then it follows the worst action."""

    PATTERN = (1, -1, 1, -1)

    def begin(self):
        self.hedge, self.steps, self.totals = by.Hedge(rate=0.3).start(self.problem), [], np.zeros(2)

    def decide(self):
        if tuple(self.steps[:4]) == self.learner.pattern:
            return self.mixture(np.eye(2)[self.totals.argmax()])
        return self.hedge.decide()

    def observe(self, costs):
        row = self.problem.check_row(costs, self.rounds)[0]
        self.hedge.observe(row)
        self.steps.append(1 if row[0] else -1)
        self.totals += row
        self.rounds += 1


class Deceiving(by.Learner):
    player_type, pattern = Deceiver, (1, -1, 1, -1)


class DeceivingOtherwise(Deceiving):
    pattern = (-1, 1, -1, 1)  # not symmetric, though nobody has said so


@pytest.mark.parametrize("learner", [Deceiving(), DeceivingOtherwise()])
def test_a_short_game_is_played_whatever_a_sample_shows(monkeypatch, learner):
    monkeypatch.setattr(exact, "_lags_needed", lambda *_: 0)  # as a sample may show it
    problem = by.Problem(2, 9, by.Window(2))
    found = by.lab.exact_worst_case(learner, problem)
    assert found.found_by == PLAYED
    assert found.regret == pytest.approx(by_force(learner, problem), abs=1e-9)
    assert found.regret > by.lab.exact_worst_case(by.Hedge(rate=0.3), problem).regret + 1


def test_the_longest_game_that_is_always_played_is_of_sixteen_rounds():
    for rounds, way in ((16, PLAYED), (17, PROGRAM)):
        assert by.lab.exact_worst_case(by.Hedge(rate=0.3), by.Problem(2, rounds, by.Window(2))).found_by == way


def test_a_guard_whose_decisions_a_sample_does_not_tell_is_played():
    problem = by.Problem(2, 14, by.Window(2))
    found = by.lab.exact_worst_case(by.Guarded(by.FollowTheLeader(), slack=1.0), problem)
    assert found.found_by == PLAYED
    assert found.regret <= found.bound + 1e-9


def test_the_way_is_chosen_by_what_decisions_depend_on(monkeypatch):
    monkeypatch.setattr(exact, "ALWAYS", 9)
    problem = by.Problem(2, 10, by.Window(3))
    ways = {by.Hedge(): PROGRAM, by.FTARL(play="mean", tuning="sharp"): PROGRAM, Ahead(): PROGRAM}
    ways |= {by.Steering(): PLAYED, by.AdaHedge(): PLAYED, by.Hedge(tuning="anytime"): PLAYED}
    for learner, way in ways.items():
        assert by.lab.exact_worst_case(learner, problem).found_by == way, learner


@pytest.mark.parametrize("lags", [0, 1, 2])
def test_a_program_with_more_lags_than_needed_says_the_same(monkeypatch, lags):
    monkeypatch.setattr(exact, "ALWAYS", 8)
    problem = by.Problem(2, 9, by.Window(3))
    expected = by_force(by.Hedge(), problem)
    monkeypatch.setattr(exact, "_lags_needed", lambda *_: lags)
    found = by.lab.exact_worst_case(by.Hedge(), problem)
    assert found.found_by == PROGRAM
    assert found.regret == pytest.approx(expected, abs=1e-9)


def test_a_program_on_too_few_lags_is_found_out(monkeypatch):
    monkeypatch.setattr(exact, "_lags_needed", lambda *_: 0)
    monkeypatch.setattr(exact, "ALWAYS", 8)
    problem = by.Problem(2, 9, by.Window(4))
    found = by.lab.exact_worst_case(by.Steering(), problem)
    assert found.found_by == PLAYED
    assert found.regret == pytest.approx(by_force(by.Steering(), problem), abs=1e-9)
    monkeypatch.setattr(exact, "LONGEST", 8)
    said = r"^Steering\(\) has a regret of .*more than the sums of costs and the last 0 of them.*, or use worst_case"
    with pytest.raises(ValueError, match=said):
        by.lab.exact_worst_case(by.Steering(), problem)


@pytest.mark.compiled
@pytest.mark.parametrize(("T", "H"), [(500, 2), (300, 6), (100, 10)])
def test_long_games_stay_within_the_bound_and_near_it(T, H):
    problem = by.Problem(2, T, by.Window(H))
    found = by.lab.exact_worst_case("hedge", problem)
    assert 0.8 * found.bound < found.regret <= found.bound
    assert found.regret == pytest.approx(replayed(by.Hedge(), problem, found.costs))
    assert by.lab.minimax([T], H)[0].upper < found.regret if H < 4 else True


def test_sequences_that_are_played_are_counted_on_a_bar(monkeypatch):
    shown = []

    @contextmanager
    def showing(wanted, total, doing):
        shown.append((wanted, total))
        yield shown.append

    monkeypatch.setattr(exact, "showing", showing)
    monkeypatch.setattr(exact, "CHUNK", 5)
    by.lab.exact_worst_case(by.Hedge(), by.Problem(2, 4, by.Window(2)), progress=True)
    assert shown == [(True, 8), 5, 3]


def test_one_round():
    found = by.lab.exact_worst_case(by.Hedge(), by.Problem(2, 1, by.Window(4)))
    assert found.regret == 0.5
    assert found.costs.shape == (1, 2)


def test_a_learner_that_treats_actions_unlike_has_all_its_sequences_played():
    problem = by.Problem(2, 8, by.Window(2))
    table = np.array([[0.0, 1.0]] * 5 + [[0.4, 0.6]] * 3)  # so that the worst costs begin with those of action 1
    found = by.lab.exact_worst_case(by.Advice(table), problem)
    assert (found.found_by, found.tries) == (PLAYED, 2**7)
    assert found.regret == pytest.approx(by_force(by.Advice(table), problem))


def test_bad_arguments():
    problem = by.Problem(2, 40, by.Window(3))
    with pytest.raises(ValueError, match="the problem has 3 actions: exact worst cases are for two"):
        by.lab.exact_worst_case(by.Hedge(), problem.replace(actions=3))
    with pytest.raises(
        ValueError, match="depend on more than the sums of costs and the last few of them.*use worst_case"
    ):
        by.lab.exact_worst_case(by.Steering(), problem)
    with pytest.raises(ValueError, match=r"make a table of 8\.80e\+14 entries.*give a shorter horizon or memory"):
        by.lab.exact_worst_case(by.Hedge(), problem.replace(memory=by.FullHistory()))
    with pytest.raises(ValueError, match=r"make a table of \S+e\+457 entries.*give a shorter horizon or memory"):
        by.lab.exact_worst_case("hedge", by.Problem(2, 2000, by.Window(1500)))
