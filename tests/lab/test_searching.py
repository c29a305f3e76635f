"""Adversarial search: what it finds is there, it finds much, and it finds it again."""

from itertools import pairwise

import numpy as np
import pytest
from playing import LEARNERS, Ahead, replayed

import bygones as by
from bygones.lab import attacks, searching

LONG = by.Problem(2, 20_000, by.Window(32))


class Dice(by.Uniform):
    """A learner that draws, and whose mean nobody knows."""

    @property
    def randomised(self):
        return True


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_it_finds_nine_tenths_of_the_worst_and_no_more_than_there_is(learner):
    problem = by.Problem(2, 9, by.Window(3), 0.5)
    exact = by.lab.exact_worst_case(learner, problem)
    found = by.lab.worst_case(learner, problem, effort=0.3, progress=False)
    assert 0.9 * exact.regret <= found.regret <= exact.regret + 1e-9
    assert found.regret == pytest.approx(replayed(learner, problem, found.costs), abs=1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize(("T", "H"), [(200, 4), (300, 6), (100, 9)])
@pytest.mark.parametrize("learner", [by.Hedge(), by.FTARL(play="mean", tuning="sharp")], ids=repr)
def test_it_finds_nine_tenths_of_the_worst_in_longer_games(learner, T, H):
    problem = by.Problem(2, T, by.Window(H))
    exact = by.lab.exact_worst_case(learner, problem)
    found = by.lab.worst_case(learner, problem, effort=1, progress=False)
    assert 0.9 * exact.regret <= found.regret <= exact.regret + 1e-9


@pytest.mark.compiled
def test_hedge_has_nearly_its_bound_at_a_long_window():
    found = by.lab.worst_case(by.Hedge(), LONG, effort=0.2, progress=False)
    assert 380 < found.regret <= found.bound == pytest.approx(470.8, abs=0.1)
    assert found.regret == pytest.approx(replayed(by.Hedge(), LONG, found.costs))


@pytest.mark.slow
@pytest.mark.compiled
def test_what_a_long_search_finds():
    """Steering resonates: at the rate of Hedge without memory its regret is beyond the bound of Hedge with it."""
    hedge = by.lab.worst_case(by.Hedge(), LONG, effort=3, progress=False)
    assert hedge.regret > 435
    memoryless = by.Hedge().rate_for(LONG.replace(memory=by.Window(1)))
    steering = by.lab.worst_case(by.Steering(by.Hedge(rate=memoryless)), LONG, effort=1, progress=False)
    assert steering.regret > 600
    assert steering.bound is None


@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize(
    "memory", [by.Window(4), by.Geometric(0.7), by.FullHistory(), by.Weights([0.3, 0.7])], ids=repr
)
def test_more_actions_and_other_memories(n, memory):
    problem = by.Problem(n, 60, memory, 3.0)
    found = by.lab.worst_case(by.Hedge(), problem, effort=0.1, progress=False)
    assert found.costs.shape == (60, n)
    assert set(np.unique(found.costs)) == {0.0, 3.0}
    assert found.regret == pytest.approx(replayed(by.Hedge(), problem, found.costs))
    assert 0.3 * found.bound < found.regret <= found.bound


def test_the_same_seed_finds_the_same_and_more_effort_tries_more():
    problem = by.Problem(2, 50, by.Window(5))

    def search(**given):
        return by.lab.worst_case(by.Steering(), problem, progress=False, **given)

    one, again, other = search(effort=0.1, seed=3), search(effort=0.1, seed=3), search(effort=0.1, seed=4)
    assert np.array_equal(one.costs, again.costs)
    assert one[1:] == again[1:]
    assert not np.array_equal(one.costs, other.costs)
    more = search(effort=0.5, seed=3)
    assert one.tries < 130
    assert 350 < more.tries < 500
    assert more.regret >= one.regret


@pytest.mark.parametrize("T", [1, 2, 3])
@pytest.mark.parametrize("n", [2, 3])
def test_short_games(T, n):
    problem = by.Problem(n, T, by.Window(5))
    found = by.lab.worst_case("hedge", problem, effort=0.02, progress=False)
    assert found.costs.shape == (T, n)
    if n == 2:
        assert found.regret == pytest.approx(by.lab.exact_worst_case("hedge", problem).regret)


def test_a_learner_of_ones_own_and_one_that_draws():
    problem = by.Problem(2, 30, by.Window(4))
    own = by.lab.worst_case(Ahead(), problem, effort=0.05, progress=False)
    assert own.bound is own.share is None
    assert own.regret == pytest.approx(replayed(Ahead(), problem, own.costs))
    drawn = by.lab.worst_case(by.LSA(), problem, effort=0.05, progress=False)
    assert drawn.bound == by.LSA().bound(problem)
    assert drawn.regret == pytest.approx(replayed(by.LSA(), problem, drawn.costs))


def test_climbing_goes_up():
    problem = by.Problem(2, 60, by.Window(5))
    told: list[int] = []
    search = searching.Search(by.Steering(), problem, np.random.default_rng(0), 100, told.append)
    start = searching.Found(0.5, np.zeros(60, dtype=np.int64), "start")
    end = search.climb(start, 100)
    assert end.family == "start"
    assert end.regret > 2.5
    assert end.regret == pytest.approx(replayed(by.Steering(), problem, np.eye(2)[end.letters]))
    assert (sum(told), search.found[0].family) == (100, "climbing from a start")
    assert start.letters.sum() == 0


def test_an_interruption_says_that_nothing_is_kept(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(searching, "regret_on", interrupted)
    with pytest.raises(KeyboardInterrupt, match="the search was interrupted, and nothing of it is kept"):
        by.lab.worst_case(by.Hedge(), by.Problem(2, 9, by.Window(2)), progress=False)


@pytest.mark.parametrize("rounds", [1, 2, 3, 40])
@pytest.mark.parametrize("count", [2, 5])
def test_attacks_are_sequences_of_letters(rounds, count):
    rng = np.random.default_rng(0)
    wave = attacks.Wave(0, 1, 1, 0, (0, count - 1), 0)
    letters = wave.letters(rounds)
    for _ in range(300):
        wave, before = wave.changed(rng, rounds, count), letters.copy()
        length = int(rng.integers(1, rounds + 1))
        for made in (
            wave.letters(rounds),
            attacks.pattern(rng, rounds, length, count),
            attacks.changed(rng, letters, length, count),
        ):
            assert made.shape == (rounds,)
            assert 0 <= made.min() <= made.max() < count
        assert np.array_equal(letters, before), "the sequence that is changed stays as it is"
        letters = made
    assert wave.up >= 1 <= wave.down


def test_a_reaction_costs_what_the_state_has_most_of():
    problem = by.Problem(2, 6, by.Window(2))
    letters = attacks.reaction(by.FollowTheLeader(), problem, attacks.corners(2), 6, 1)
    costs, player, state = attacks.corners(2)[letters], by.FollowTheLeader().start(problem), problem.memory.start(2)
    for before, row in pairwise(costs):
        held = state.push(player.decide())
        assert row @ held >= 0.5
        player.observe(before)


@pytest.mark.parametrize(
    ("learner", "changes", "given", "said"),
    [
        (by.Hedge(), {}, {"effort": 0}, "the effort is 0: give a number above 0"),
        (by.Hedge(), {}, {"effort": "much"}, "the effort is 'much': give a number"),
        (by.Hedge(), {}, {"seed": -1}, "the seed is -1: give a whole number of at least 0"),
        (3, {}, {}, r"the learner is 3: give one such as Hedge\(\), or its words"),
        ("hedg", {}, {}, "did you mean hedge"),
        (
            Dice(),
            {},
            {},
            r"Dice\(\) draws its decisions, and their mean is not known: give a learner that draws nothing",
        ),
        (by.Hedge(), {"horizon": None}, {}, "give horizon and cost_range"),
        (by.Hedge(), {"cost_range": None}, {}, "give horizon and cost_range"),
    ],
)
def test_bad_arguments(learner, changes, given, said):
    with pytest.raises(ValueError, match=said):
        by.lab.worst_case(learner, by.Problem(2, 9, by.Window(2)).replace(**changes), **given)


def test_half_periods_are_no_more_than_there_are():
    """However long the search is to be: all spacings of an effort of 1e12 would not fit into memory."""
    search = searching.Search(by.Hedge(), by.Problem(2, 9, by.Window(2)), np.random.default_rng(0), 10**15, lambda _: 0)
    assert sorted(wave.up for wave in search._square()) == list(range(1, 10))


def test_tries_are_the_sequences_played(monkeypatch):
    played, regret_on, told = set(), searching.regret_on, []

    def counted(learner, problem, costs):
        told.append(1)
        played.add(costs.tobytes())
        return regret_on(learner, problem, costs)

    monkeypatch.setattr(searching, "regret_on", counted)
    found = by.lab.worst_case(by.Hedge(), by.Problem(2, 50, by.Window(5)), effort=0.2, progress=False)
    assert found.tries == len(told) >= len(played)
    assert found.tries < 200, "a reaction takes as long as many sequences, and is one"


def test_more_than_a_thousand_actions_are_refused():
    problem = by.Problem(20_000, 9, by.Window(2))
    with pytest.raises(ValueError, match="the problem has 20,000 actions: .* takes 1,000 at most; give fewer actions"):
        by.lab.worst_case(by.Hedge(), problem)
    assert attacks.corners(1000).shape == (2002, 1000)


def test_a_problem_is_asked_for():
    with pytest.raises(ValueError, match="the problem is 'window:3': give a Problem"):
        by.lab.worst_case(by.Hedge(), "window:3")
