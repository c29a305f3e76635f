"""HedgeAhead: against a plain transcription, its states, its regret beside Hedge's, saving, and what it says."""

import subprocess
import sys

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import bygones as by
from bygones.learners import hedge_ahead
from bygones.reproduction.changing import CHANGING
from bygones.theory import design
from bygones.theory.ahead import errors_of

PROBLEM = by.Problem(3, 365, by.Window(12))
FAMILIES = {  # those of the learners' page at the paper's size, but StocId
    "StocHet": by.StocHet(),
    **{f"hold {hold}": by.Cyclic(hold=hold, vectors=2) for hold in (50, 100, 150)},
    "mid-turn": by.Cyclic(hold=100, vectors=2).draw(10, 10_050, np.random.default_rng(0))[50:],
    "all ten": by.Cyclic(hold=50),
    "Blocks": by.Blocks(100),
    **CHANGING,
}


def costs_of(problem, seed=0):
    return by.StocHet().draw(problem.n, problem.horizon, np.random.default_rng(seed)) * problem.cost_range


@given(st.integers(2, 5), st.integers(1, 8), st.integers(1, 40), st.floats(0.1, 10.0), st.integers(0, 2**32))
@settings(max_examples=60)
def test_it_plays_the_reference(n, H, times, R, seed):
    problem = by.Problem(n, H * times, by.Window(H), R)
    costs = R * np.random.default_rng(seed).random((H * times, n))
    learner = by.HedgeAhead()
    plan = learner.plan(problem)
    decisions = learner.start(problem).play(costs)
    assert np.allclose(decisions, reference.hedge_ahead(costs, plan.rate, plan.psi), atol=1e-11)
    assert decisions.min() >= 0


def test_its_state_is_hedge_s_decision_and_some_moves():
    """x_t = u_t + sum_j k_j D_(t-j), once the memory is full of decisions; under Geometric there are no errors."""
    costs = costs_of(PROBLEM)
    plan = by.HedgeAhead().plan(PROBLEM)
    states = PROBLEM.memory.start(3).extend(by.HedgeAhead().start(PROBLEM).play(costs))
    u = by.Hedge(rate=plan.rate).start(PROBLEM).play(costs)
    moves, errors = np.diff(u, axis=0), errors_of(PROBLEM.memory, plan.psi, 365)
    for t in (50, 200, 364):
        carried = sum(k * moves[t - j] for j, k in enumerate(errors, start=1) if j <= t)
        assert np.allclose(states[t], u[t] + carried, atol=1e-12)


def test_a_geometric_memory_is_undone():
    problem = by.Problem(3, 4000, by.Geometric(0.9))
    costs = costs_of(problem)
    states = problem.memory.start(3).extend(by.HedgeAhead().start(problem).play(costs))
    alone = by.Hedge(rate=by.HedgeAhead().plan(problem).rate).start(problem).play(costs)
    assert np.abs(states - alone)[400:].max() < 1e-12  # the start fades as rho^t
    assert by.HedgeAhead().bound(problem) < by.Hedge().bound(problem) / 2


@pytest.mark.compiled
@pytest.mark.parametrize("name", FAMILIES)
def test_its_regret_is_below_hedge_s_at_the_paper_s_size(name):
    """On 25 draws of each family, paired: the mean difference is 5 standard errors below 0, or 0 in no draw."""
    problem = by.Problem(10, 10_000, by.Window(100))
    result = by.simulate(problem, [by.HedgeAhead(), by.Hedge()], FAMILIES[name], replicates=25, seed=1)
    lost = {name: curves[:, -1] for name, curves in result.regrets.items()}
    difference = lost["HedgeAhead"] - lost["Hedge"]
    se = difference.std(ddof=1) / 5
    assert difference.mean() < -5 * se
    assert difference.mean() < -0.15 * lost["Hedge"].mean()


@pytest.mark.compiled
def test_on_costs_that_are_alike_all_learners_expect_the_same():
    """Paired over 100 draws of StocId, the difference is 0 within 3.5 standard errors (one false alarm in 2,000)."""
    problem = by.Problem(10, 2_000, by.Window(20))
    result = by.simulate(problem, [by.HedgeAhead(), by.Hedge()], by.StocId(), replicates=100, seed=1)
    difference = result.regrets["HedgeAhead"][:, -1] - result.regrets["Hedge"][:, -1]
    assert abs(difference.mean()) < 3.5 * difference.std(ddof=1) / 10


def test_in_few_rounds_it_is_hedge():
    problem = by.Problem(3, 20, by.Window(12))
    costs = costs_of(problem)
    player = by.HedgeAhead().start(problem)
    assert (player.play(costs) == by.Hedge().start(problem).play(costs)).all()
    assert by.HedgeAhead().bound(problem) == by.Hedge().bound(problem)
    assert player.describe() == (
        "HedgeAhead plays exponential weights at the rate 0.224746, as Hedge does: "
        "at this size no filter promises less."
    )
    assert repr(player).endswith("20 rounds observed, a filter of no moves, as Hedge>")


def test_it_shows_its_filter():
    player = by.HedgeAhead(length=2).start(PROBLEM)
    before = player.describe()
    assert "rounds observed>" in repr(player)
    player.play(costs_of(PROBLEM))
    assert player.describe() == before
    first, second = player.psi
    assert before.endswith(f"adds multiples of their moves: {first:.6g} (last round), {second:.6g} (1 round earlier).")
    assert repr(player).endswith("a filter of 2 moves, up to 2 rounds ago>")
    short = by.HedgeAhead(length=1).start(PROBLEM)
    short.observe([0.0, 1.0, 1.0])
    assert repr(short).endswith("a filter of 1 move, up to 1 round ago>")


def test_loading_solves_nothing(tmp_path, monkeypatch):
    player, costs = by.HedgeAhead().start(PROBLEM), costs_of(PROBLEM)
    player.play(costs[:100])
    by.save(player, tmp_path / "player.npz")
    monkeypatch.setattr(hedge_ahead, "ahead_plan", None)
    again = by.load(tmp_path / "player.npz")
    assert again.describe() == player.describe()
    assert (again.play(costs[100:]) == player.play(costs[100:])).all()


def test_starting_solves_nothing_and_programs_are_solved_once(monkeypatch):
    design._planned.cache_clear()
    solved = []
    find = design._Designer.filter
    monkeypatch.setattr(design._Designer, "filter", lambda self, speed: solved.append(speed) or find(self, speed))
    players = [by.HedgeAhead().start(PROBLEM) for _ in range(3)]
    assert not solved
    for player in players:
        player.observe([0.0, 1.0, 1.0])
    assert 5 < len(solved) < 20
    again = len(solved)
    assert by.HedgeAhead().bound(PROBLEM.replace(cost_range=7.0)) < 7 * by.Hedge().bound(PROBLEM)
    assert len(solved) == again


def test_its_target_is_where_equal_costs_lead():
    player = by.HedgeAhead().start(PROBLEM)
    player.play(costs_of(PROBLEM)[:100])
    target = player.target
    assert not np.allclose(player.decide(), target)
    player.play(np.zeros((24, 3)))
    assert np.allclose(player.decide(), target, atol=1e-12)


def test_bad_costs_in_the_first_round_change_nothing():
    player = by.HedgeAhead().start(PROBLEM)
    before = player.snapshot()
    with pytest.raises(ValueError, match="round 1"):
        player.observe([0.0, 1.0, 9.0])
    after = player.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(
    "change",
    [
        lambda psi, moves: {"psi": psi[:-1]},
        lambda psi, moves: {"psi": psi * np.nan},
        lambda psi, moves: {"psi": psi[:, np.newaxis]},
        lambda psi, moves: {"moves": np.hstack([moves, moves[:, :1]])},
        lambda psi, moves: {"moves": moves + np.inf},
        lambda psi, moves: {"moves": moves.astype(np.float32)},
        lambda psi, moves: {"weights": np.zeros(4)},
        lambda psi, moves: {"rounds": 0},
    ],
    ids=["short", "nan", "deep", "wide", "infinite", "single", "other actions", "too early"],
)
def test_a_snapshot_that_no_player_can_have_is_refused(change):
    player = by.HedgeAhead().start(PROBLEM)
    player.play(costs_of(PROBLEM)[:50])
    taken = player.snapshot()
    assert 12 < len(taken["psi"]) <= 24
    with pytest.raises(ValueError, match="snapshot"):
        by.HedgeAhead().start(PROBLEM).restore({**taken, **change(taken["psi"], taken["moves"])})


def test_where_a_filter_sharpens_too_far_decisions_stay_on_the_simplex():
    """As rounding could do, or costs beyond the range by what it tolerates; here by a filter that is far too strong."""
    player = by.HedgeAhead().start(PROBLEM.replace(cost_range=1.0))
    player.observe([0.0, 1.0, 1.0])
    player.psi = 30 * player.psi
    player._filter = None
    decisions = player.play(np.random.default_rng(0).integers(0, 2, (100, 3)) * 1.0)
    assert decisions.min() == 0
    assert np.abs(decisions.sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("words", ["hedge-ahead", "pure(hedge-ahead)", "guarded(hedge-ahead)", "steering(hedgeahead)"])
def test_it_composes(words):
    learner, costs = by.Learner.parse(words), costs_of(PROBLEM)
    assert by.Learner.parse(learner.words) == learner
    lost = by.simulate(PROBLEM, [learner, by.Uniform()], costs, replicates=2).summary()["mean"]
    assert lost[0] < lost[1]
    assert learner.bound(PROBLEM) is None or lost[0] < learner.bound(PROBLEM)


def test_what_others_did_with_the_solver_does_not_matter():
    """A number of threads that somebody else asked for stays for the process; programs must run all the same."""
    script = """
import highspy, bygones as by
other = highspy.Highs()
other.setOptionValue("output_flag", False)
other.setOptionValue("threads", 2)
other.addVar(0, 1)
other.run()
print(by.HedgeAhead().bound(by.Problem(3, 365, by.Window(12))))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) == by.HedgeAhead().bound(PROBLEM)
