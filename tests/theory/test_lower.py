"""What no learner can beat: the trap's values, that they are attained, and that nobody is below."""

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import memories

import bygones as by
from bygones.accounting import regret
from bygones.learners import one_of_each
from bygones.theory import claim_floor, long_trap_floor, short_trap_floor


def in_the_mean(learner, problem, final):
    """The expected regret in a trap, in the mean over the coin."""
    ends = []
    for coin in range(problem.n):
        trap = by.Trap(final, coin=coin).draw(problem.n, problem.horizon, np.random.default_rng(0))
        costs = problem.cost_range * trap
        decisions = learner.mean().start(problem).play(costs)
        ends.append(regret(costs, problem.memory.start(problem.n).extend(decisions))[-1])
    return np.mean(ends)


def ignorance(memory, T, final):
    """The weight of the decisions up to the trap's first round, in the states from that round on."""
    start = T - final + 1
    return fsum(memory.weights(t)[t - start :].sum() for t in range(start, T + 1))


@pytest.mark.parametrize("H", [4, 8, 32])
@pytest.mark.parametrize("n", [2, 3, 10])
@pytest.mark.parametrize("R", [1.0, 2.5])
def test_the_trap_of_a_quarter_costs_follow_the_leader_its_floor(H, n, R):
    for T in (H - 2 + H // 4, 2 * H, 200):
        problem = by.Problem(n, T, by.Window(H), R)
        assert in_the_mean(by.FollowTheLeader(), problem, H // 4) == pytest.approx(short_trap_floor(problem))
    assert short_trap_floor(by.Problem(2, 200, by.Window(32))) == 7 * 32 / 64 + 1 / 16


@pytest.mark.parametrize(
    "memory",
    [by.Window(1), by.Window(2), by.Window(5), by.Window(32), by.Weights([0.2, 0.5, 0.3]), by.Weights([0.5, 0.0, 0.5])],
    ids=repr,
)
@pytest.mark.parametrize("n", [2, 7])
def test_the_long_trap_costs_follow_the_leader_its_floor(memory, n):
    L = memory.support
    for T in (max(1, 2 * L - 2), 2 * L - 1, 150):
        problem = by.Problem(n, T, memory, 2.5)
        floor = long_trap_floor(problem)
        assert floor == pytest.approx(2.5 * (1 - 1 / n) * (1 + memory.mean_lag()))
        assert in_the_mean(by.FollowTheLeader(), problem, L) == pytest.approx(floor)
    assert long_trap_floor(by.Problem(2, 150, by.Window(32))) == 33 / 4


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("T", [1, 2, 3, 50, 301])
def test_under_full_history_the_floor_is_a_shade_below_what_the_trap_costs(n, T):
    problem = by.Problem(n, T, by.FullHistory(), 2.5)
    final = T - int(np.ceil(T / np.e)) + 1
    paid = in_the_mean(by.FollowTheLeader(), problem, final)
    assert paid == pytest.approx(2.5 * (1 - 1 / n) * ignorance(problem.memory, T, final))
    assert 0 < paid - long_trap_floor(problem) < 2.5 / 2
    if T > 3:  # no other trap is dearer by more than a round
        dearest = max(ignorance(problem.memory, T, other) for other in range(1, T + 1))
        assert dearest * 2.5 * (1 - 1 / n) - long_trap_floor(problem) < 2.5
        endless = problem.replace(memory=by.Window(T))
        assert long_trap_floor(endless) == long_trap_floor(problem)


@pytest.mark.parametrize("rho", [0.01, 0.5, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize("T", [1, 2, 7, 300])
def test_under_geometric_memory_the_floor_is_below_what_the_trap_costs_and_near_it_in_the_long_run(rho, T):
    problem = by.Problem(3, T, by.Geometric(rho), 2.5)
    final = (T + 1) // 2
    paid = in_the_mean(by.FollowTheLeader(), problem, final)
    assert paid == pytest.approx(2.5 * (1 - 1 / 3) * ignorance(problem.memory, T, final))
    assert 0 < long_trap_floor(problem) <= paid * (1 + 1e-12)
    start = T - final + 1
    fading = fsum(rho ** (t - start) - rho**t for t in range(start, T + 1))  # without the division by 1 - rho^t
    assert long_trap_floor(problem) == pytest.approx(2.5 * (1 - 1 / 3) * fading, rel=1e-9)
    if rho <= 0.9 and T == 300:
        assert long_trap_floor(problem) == pytest.approx(paid, rel=1e-5)
        assert long_trap_floor(problem) == pytest.approx(2.5 * (1 - 1 / 3) / (1 - rho), rel=1e-5)


@pytest.mark.parametrize(
    "learner",
    [*one_of_each(), by.FTARL(tuning="sharp"), by.LSA(tuning="geulen"), by.Hedge(tuning="anytime")],
    ids=repr,
)
@pytest.mark.parametrize(
    ("memory", "finals"),
    [
        (by.Window(12), {claim_floor: 3, short_trap_floor: 3, long_trap_floor: 12}),
        (by.Weights([0.2, 0.5, 0.3]), {long_trap_floor: 3}),
        (by.Geometric(0.9), {long_trap_floor: 40}),
        (by.FullHistory(), {long_trap_floor: 51}),
    ],
    ids=["window", "weights", "geometric", "full"],
)
def test_no_learner_of_the_library_is_below(learner, memory, finals):
    for n in (2, 5) if learner != by.HedgeAhead() or memory != by.FullHistory() else ():
        problem = by.Problem(n, 80, memory)
        for floor, final in finals.items():
            assert in_the_mean(learner, problem, final) >= floor(problem) - 1e-9


@given(st.integers(2, 60), st.integers(1, 2000), memories)
def test_no_floor_is_above_a_promise(n, T, memory):
    frame = by.bounds(by.Problem(n, T, memory))
    floors = frame.filter(kind="floor")
    assert not floors["vacuous"].any()
    for floor in floors["value"]:
        assert floor <= frame.filter(kind="promise")["value"].min()


def test_floors_are_there_only_where_they_are_proved():
    class Own(by.Memory):
        """A user's memory, which says nothing of traps."""

        length: int

        def weights(self, t):
            return by.Window(self.length).weights(t)

    for floor, length, least in ((claim_floor, 16, 20), (short_trap_floor, 16, 18), (long_trap_floor, 16, 30)):
        window = by.Problem(2, least, by.Window(length))
        assert floor(window) > 0
        assert floor(window.replace(horizon=least - 1)) is None
        assert floor(window.replace(memory=Own(length))) is None
    for floor in (claim_floor, short_trap_floor):
        for memory in (by.Window(15), by.Window(18), by.Geometric(0.5), by.FullHistory(), by.Weights([0.25] * 4)):
            assert floor(by.Problem(2, 1000, memory)) is None
    assert long_trap_floor(by.Problem(2, 3, by.Weights([0.5, 0.3, 0.2]))) is None
    assert claim_floor(by.Problem(2, 20, by.Window(16), 2.5)) == 2.5 * 16 / 32
