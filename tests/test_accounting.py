from itertools import product

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import memories

import bygones as by
from bygones import accounting


@st.composite
def runs(draw):
    memory, n, T = draw(memories), draw(st.integers(2, 4)), draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    decisions = rng.dirichlet(np.ones(n), T)
    return memory, rng.uniform(-1, 1, (T, n)), decisions, memory.start(n).extend(decisions)


@given(runs())
def test_policy_regret_equals_regret(run):
    """The paper's lemma, for every memory."""
    memory, costs, _, states = run
    assert accounting.policy_regret(costs, states, memory) == pytest.approx(
        accounting.regret(costs, states)[-1], abs=1e-11
    )


@given(st.integers(1, 9), st.integers(2, 4), st.integers(1, 25), st.integers(0, 2**32))
def test_regrets_equal_the_papers_definitions(H, n, T, seed):
    rng = np.random.default_rng(seed)
    costs, decisions = -rng.random((T, n)), rng.dirichlet(np.ones(n), T)
    states = by.Window(H).start(n).extend(decisions)
    assert accounting.regret(costs, states)[-1] == pytest.approx(reference.regret(costs, states), abs=1e-11)
    assert accounting.policy_regret(costs, states, by.Window(H)) == pytest.approx(
        reference.policy_regret(costs, states, H), abs=1e-11
    )


@given(runs())
def test_the_parts_add_up(run):
    _, costs, decisions, states = run
    total = accounting.losses(costs, states).sum()
    assert accounting.split(costs, states).sum() == pytest.approx(total, abs=1e-12)
    against = accounting.regret_against(costs, states)
    assert against.max() == pytest.approx(accounting.regret(costs, states)[-1], abs=1e-12)
    np.testing.assert_allclose(against, total - costs.sum(axis=0), atol=1e-12)
    assert 0 <= accounting.switches(decisions) <= len(costs) - 1


@given(runs(), st.integers(0, 5))
def test_nobody_beats_the_clairvoyant(run, past):
    memory, costs, decisions, _ = run
    history = np.tile(decisions[0], (past, 1))
    states = memory.start(costs.shape[1], history).extend(decisions)
    assert accounting.clairvoyant(costs, memory, history) <= accounting.losses(costs, states).sum() + 1e-11


@pytest.mark.parametrize("memory", [by.Window(2), by.FullHistory(), by.Geometric(0.6), by.Weights([0.2, 0.5, 0.3])])
@pytest.mark.parametrize("history", [None, [1], [0, 1, 1]])
def test_the_clairvoyant_is_the_best_of_all_pure_plays(memory, history):
    costs = np.random.default_rng(3).uniform(-1, 1, (6, 2))
    every = (memory.start(2, history).extend(np.array(actions)) for actions in product(range(2), repeat=6))
    best = min(accounting.losses(costs, states).sum() for states in every)
    assert accounting.clairvoyant(costs, memory, history) == pytest.approx(best, abs=1e-12)


@given(runs(), st.integers(0, 5), st.integers(1, 12))
def test_hindsight_in_blocks_is_the_same(run, past, rows):
    memory, costs, decisions, states = run
    history = np.tile(decisions[0], (past, 1))
    whole = accounting.clairvoyant(costs, memory, history), accounting.policy_regret(costs, states, memory, history)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounting, "BLOCK", rows * costs.shape[1])
        assert accounting.clairvoyant(costs, memory, history) == pytest.approx(whole[0], abs=1e-12)
        assert accounting.policy_regret(costs, states, memory, history) == pytest.approx(whole[1], abs=1e-12)


def test_a_windows_charges_forget_what_has_left_it():
    """Digits that a huge cost takes away are back once it is out of the window."""
    costs = np.random.default_rng(5).random((200, 2))
    costs[150] = 1e16
    ahead = np.lib.stride_tricks.sliding_window_view(costs, 7, axis=0).sum(axis=2) / 7
    np.testing.assert_allclose(by.Window(7).charges(costs)[6:130], ahead[6:130], rtol=1e-12)


def test_with_a_history_policy_regret_is_another_thing():
    """Whoever plays one action from now on drags the same past along; the fixed action of the regret does not."""
    costs = np.array([[-1.0, 0.0]] * 4)
    history = [1, 1, 1]
    states = by.Window(4).start(2, history).extend([0] * 4)
    assert accounting.regret(costs, states)[-1] == pytest.approx(0.75 + 0.5 + 0.25)
    assert accounting.policy_regret(costs, states, by.Window(4), history) == pytest.approx(0.0)


def test_switches():
    assert accounting.switches(np.array([1])) == 0
    assert accounting.switches(np.eye(3)[[0, 0, 2, 1]]) == accounting.switches(np.array([0, 0, 2, 1])) == 2


def test_lists_will_do():
    assert accounting.regret([[0, 1], [1, 0]], [[1, 0], [0.5, 0.5]]).tolist() == [0.0, -0.5]
    assert accounting.switches([0, 1, 0]) == 2
    assert accounting.clairvoyant([[0, 1], [1, 0]], by.Window(1)) == 0


def test_shapes_must_agree():
    with pytest.raises(ValueError, match=r"costs of shape \(3, 2\) and states of shape \(2, 2\)"):
        accounting.losses(np.zeros((3, 2)), np.zeros((2, 2)))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_path_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    T, n = 8, int(rng.integers(2, 5))
    costs = rng.integers(-3, 4, (T, n)) * 1.0 + rng.integers(0, 50, (T, 1))
    for changes in range(5):
        path, totals = accounting.best_path(costs, changes)
        np.testing.assert_allclose(totals, reference.best_paths(costs, changes), atol=1e-9)
        assert np.count_nonzero(np.diff(path)) <= changes
        assert costs[np.arange(T), path].sum() == pytest.approx(totals[-1])
    states = rng.dirichlet(np.ones(n), T)
    paid = np.einsum("ti,ti->t", costs, states).cumsum()
    for changes in (0, 1, 3):
        curve = [paid[t] - reference.best_paths(costs[: t + 1], min(changes, t))[-1] for t in range(T)]
        np.testing.assert_allclose(accounting.regret(costs, states, changes), curve, atol=1e-9)


def test_the_best_path_has_limits():
    costs = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    assert len(accounting.best_path(costs, 10**9).totals) == 3  # more changes than rounds are as many as fit
    assert accounting.best_path(costs[:1], 5).actions.tolist() == [0]
    for bad in (np.zeros((0, 2)), np.zeros(3)):
        with pytest.raises(ValueError, match="give one row per round"):
            accounting.best_path(bad, 1)
    for bad in (-1, None, 0.5):
        with pytest.raises(ValueError, match=f"changes is {bad}: give a whole number of at least 0"):
            accounting.regret(costs, costs, changes=bad)
