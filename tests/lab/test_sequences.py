"""Minimax regret by linear programs: on its own, and against the grids."""

import numpy as np
import pytest

import bygones as by
from bygones.lab.values import on_grid

GAMES = [(T, H) for H in (2, 3, 4, 5) for T in (4, 7, 10)]


@pytest.mark.parametrize(("T", "H"), GAMES)
def test_grids_are_upper_bounds_and_agree_to_their_error(T, H):
    exact = by.lab.sequence_value(by.Problem(2, T, by.Window(H)))
    sizes = (5, 9) if H > 3 else (5, 9, 17)
    for size in sizes:
        assert on_grid([T], min(T, H), size)[0] >= exact - 1e-9


@pytest.mark.compiled
@pytest.mark.parametrize(("T", "H"), GAMES)
def test_the_error_stated_is_not_too_small(T, H):
    exact = by.lab.sequence_value(by.Problem(2, T, by.Window(H)))
    for accuracy in (0.05, 0.002):
        (found,) = by.lab.minimax([T], H, accuracy, progress=False)
        assert found.value == pytest.approx(exact, abs=found.error + 1e-9)
        assert found.upper >= exact - 1e-9


@pytest.mark.slow
@pytest.mark.compiled
def test_a_longer_game_by_both():
    """At T = 12 and H = 4: the sizes at which a coarse grid is still visibly above the value."""
    exact = by.lab.sequence_value(by.Problem(2, 12, by.Window(4)))
    (found,) = by.lab.minimax([12], 4, 0.001, progress=False)
    assert found.value == pytest.approx(exact, abs=found.error)
    assert exact - by.lab.memoryless(12) == pytest.approx(0.4196, abs=1e-3)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_one_round_costs_all_but_the_share_of_the_best(n):
    assert by.lab.sequence_value(by.Problem(n, 1, by.Window(3), 2.0)) == pytest.approx(2 * (1 - 1 / n))


def test_without_memory_it_is_the_mean_of_a_walk():
    assert by.lab.sequence_value(by.Problem(2, 7, by.Window(1))) == pytest.approx(by.lab.memoryless(7))


def test_equal_memories_have_equal_values():
    def value(memory, T=5):
        return by.lab.sequence_value(by.Problem(2, T, memory))

    assert value(by.FullHistory()) == pytest.approx(value(by.Window(5)))
    assert value(by.Weights([0.5, 0.5])) == pytest.approx(value(by.Window(2)))
    assert value(by.Window(1)) < value(by.Geometric(0.5)) < value(by.Geometric(0.9)) < value(by.FullHistory())


def test_only_corners_matter():
    """Costs inside the range add nothing; costs that leave a corner out make the game easier."""
    problem = by.Problem(2, 4, by.Window(2))
    value = by.lab.sequence_value(problem)
    assert by.lab.sequence_value(problem, [[1, 0], [0, 1], [0.3, 0], [0.2, 0.9]]) == pytest.approx(value)
    assert by.lab.sequence_value(problem, [[1, 0], [0, 0.3]]) < value - 0.1
    assert by.lab.sequence_value(problem, [[1, 0]]) == pytest.approx(0)
    three = by.Problem(3, 3, by.Window(2))
    corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert by.lab.sequence_value(three) == pytest.approx(by.lab.sequence_value(three, corners))
    assert by.lab.sequence_value(three, [*corners, [0.5, 0.2, 0.9]]) == pytest.approx(by.lab.sequence_value(three))


@pytest.mark.parametrize("H", [1, 2, 4])
def test_no_learner_promises_less(H):
    problem = by.Problem(2, 7, by.Window(H))
    value = by.lab.sequence_value(problem)
    for learner in (by.Hedge(), by.AdaHedge(), by.Steering(), by.FTARL(play="mean", tuning="sharp")):
        assert by.lab.exact_worst_case(learner, problem).regret >= value - 1e-9


def test_bad_arguments():
    problem = by.Problem(2, 4, by.Window(2))
    for open_ended in (problem.replace(horizon=None), problem.replace(cost_range=None)):
        with pytest.raises(ValueError, match="give horizon and cost_range"):
            by.lab.sequence_value(open_ended)
    with pytest.raises(ValueError, match=r"make 3\.28e\+04 sequences: give a horizon or vectors with at most 5,000"):
        by.lab.sequence_value(problem.replace(horizon=15))
    with pytest.raises(ValueError, match=r"make 1\.36e\+331 sequences: give a horizon or vectors"):
        by.lab.sequence_value(problem.replace(horizon=1100))
    for n in (30, 5000):  # at once
        with pytest.raises(ValueError, match=r"e\+\d+ cost vectors in each of 1 rounds make .* sequences"):
            by.lab.sequence_value(by.Problem(n, 1, by.Window(2)))
    with pytest.raises(ValueError, match="decisions of 100 shares at 4,095 histories have 409,500 shares: .* 20,000"):
        by.lab.sequence_value(by.Problem(100, 12, by.Window(2)), np.eye(100)[:2])
    with pytest.raises(ValueError, match="decisions of 2 shares at 1,000,000,000 histories"):
        by.lab.sequence_value(problem.replace(horizon=10**9), [[1, 0]])
    with pytest.raises(ValueError, match=r"the vectors have the shape \(2,\): give one row of 2 costs or more"):
        by.lab.sequence_value(problem, [1, 0])
    with pytest.raises(ValueError, match="declare cost_range=2.0 or more"):
        by.lab.sequence_value(problem, np.array([[2.0, 0.0]]))
