"""Options that are renamed, retired, and that join."""

import numpy as np
import pytest
from driving import made, table

import bygones as by

PROBLEM = by.Problem(["rail", "road", "sea"], None, by.Window(4), 1.0)


@pytest.fixture
def journal(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as made_one:
        for row in table(20):
            made_one.observe(row)
        yield made_one


def test_another_name_changes_no_number(journal):
    before = journal.decide()
    journal.rename("road", "lorry")
    assert journal.names == ("rail", "lorry", "sea")
    assert np.array_equal(journal.decide(), before)
    with pytest.raises(ValueError, match="there is no option 'road'"):
        journal.observe({"rail": 0.1, "road": 0.2, "sea": 0.3})
    journal.observe({"rail": 0.1, "lorry": 0.2, "sea": 0.3})
    player = by.Guarded().start(PROBLEM)
    player.play(np.vstack([table(20), [0.1, 0.2, 0.3]]))
    assert np.array_equal(journal.decide(), player.decide())
    assert journal.guarantee == player.guarantee
    for other in ("lorry", "rail"):
        with pytest.raises(ValueError, match="already"):
            journal.rename("sea", other)
    assert journal.verify().sound


def test_a_retired_option_is_never_decided_and_its_weight_runs_out(journal):
    favourite = journal.names[journal.decide().argmax()]
    place = journal.names.index(favourite)
    held = journal.state
    journal.retire(favourite)
    others = [name for name in journal.names if name != favourite]
    weights = []
    for row in table(30, seed=3)[:10]:
        assert journal.decide()[place] == 0
        assert journal.decide().sum() == pytest.approx(1)
        weights.append(journal.state[place])
        costs = dict(zip(others, row, strict=False))
        if weights[-1] > 0:
            with pytest.raises(ValueError, match=favourite):
                journal.observe(costs)
            costs[favourite] = 0.5
        else:
            with pytest.raises(ValueError, match=f"{favourite} was retired and is not in the state any more"):
                journal.observe(costs | {favourite: 0.5})
        journal.observe(costs)
    assert held[place] > 0
    assert weights[:4] == sorted(weights[:4], reverse=True)
    assert weights[3:] == [0] * 7
    assert journal.retired == (favourite,)
    assert journal.guarantee is None
    assert f"{favourite} was retired before round 21" in journal.status().promise.ended
    for entry in (lambda: journal.override(favourite), lambda: journal.retire(favourite)):
        with pytest.raises(ValueError, match=f"{favourite} was retired: the options are"):
            entry()
    with pytest.raises(ValueError, match="one of the last two options"):
        journal.retire(others[0])
    before = journal.status()
    journal.ledger.forget()
    assert journal.status() == before
    assert journal.verify().sound


def test_the_learner_goes_on_as_if_the_retired_option_had_never_been(tmp_path):
    """With decisions that never held it, the others are decided as by a learner that knew only them."""
    learner, rows = by.Hedge(rate=0.5), table(40)
    with made(tmp_path / "j.db", learner, PROBLEM) as journal:
        for row in rows[:30]:
            journal.override([0.25, 0.75, 0.0])
            journal.observe(row)
        journal.retire("sea")
        for row in rows[30:]:
            journal.observe({"rail": row[0], "road": row[1]})
        player = learner.start(PROBLEM.replace(actions=["rail", "road"]))
        player.play(rows[:, :2])
        assert np.array_equal(journal.decide()[:2], player.decide())


def test_a_newcomer_counts_as_having_cost_what_was_paid(tmp_path):
    learner, rows = by.Hedge(rate=0.5), table(40, 4)
    with made(tmp_path / "j.db", learner, PROBLEM) as journal:
        for row in rows[:30]:
            journal.observe(row[:3])
        done = journal.history().select("^decision: .*$").to_numpy()
        paid = (rows[:30, :3] * PROBLEM.memory.start(3).extend(done)).sum(axis=1)
        regret = journal.regret
        journal.join("air")
        assert journal.names == ("rail", "road", "sea", "air")
        assert journal.regret == pytest.approx(regret)
        exponents = -0.5 * np.append(rows[:30, :3].sum(axis=0), paid.sum())
        expected = np.exp(exponents - exponents.max())
        assert journal.decide() == pytest.approx(expected / expected.sum())
        assert journal.guarantee is None
        for row in rows[30:]:
            journal.observe(row)
        assert journal.state.sum() == pytest.approx(1)
        with pytest.raises(ValueError, match="there is an option 'air' already"):
            journal.join("air")
        before = journal.status()
        journal.ledger.forget()
        assert journal.status() == before
        assert journal.history()["cost: air"].null_count() == 30
        assert journal.verify().sound


def test_regret_counts_an_option_for_the_rounds_in_which_it_was_there(tmp_path):
    with made(tmp_path / "j.db", by.Uniform(), PROBLEM.replace(memory=by.Window(1))) as journal:
        journal.observe([0.9, 0.6, 0.3])
        assert journal.regret == pytest.approx(0.3)
        journal.join("air")
        journal.observe([0.8, 0.8, 0.8, 0.0])
        assert journal.regret == pytest.approx(max(0.6 - 0.0, 0.6 + 0.6 - 0.3 - 0.8))


def test_regret_to_an_option_that_has_gone_stays_as_it_was(tmp_path):
    with made(tmp_path / "j.db", by.Fixed("rail"), PROBLEM.replace(memory=by.Window(1))) as journal:
        journal.observe([0.9, 0.6, 0.1])
        journal.retire("sea")
        for _ in range(3):
            journal.observe({"rail": 0.9, "road": 0.8})
        assert journal.regret == pytest.approx(0.8)


def test_undo_brings_an_option_back(journal):
    before = journal.status()
    journal.retire("sea")
    journal.observe({"rail": 0.1, "road": 0.2, "sea": 0.3})
    journal.undo()
    journal.undo()
    after = journal.status()
    assert (after.options, after.promise, after.regret) == (before.options, before.promise, before.regret)
    journal.join("air")
    journal.undo()
    assert journal.status().options == before.options
    assert journal.names == ("rail", "road", "sea")


def test_a_retired_option_may_come_back(journal):
    journal.retire("sea")
    for _ in range(6):
        journal.observe(
            {name: 0.5 for name, each in zip(journal.names, journal.ledger.game.needed(), strict=True) if each}
        )
    journal.join("sea")
    assert journal.retired == ()
    assert journal.decide().shape == (3,)
    for row in table(50, seed=2):
        journal.observe(row)
    assert journal.decide()[2] > 0
    assert journal.verify().sound


def test_options_come_and_go_while_costs_are_late(journal):
    stand = journal.decide()
    journal.commit("a")
    journal.commit("b")
    journal.retire("sea")
    journal.join("air")
    journal.rename("air", "plane")
    needed = [name for name, each in zip(journal.names, journal.ledger.game.needed(), strict=True) if each]
    journal.observe(dict.fromkeys(needed, 0.5))
    assert journal.history().select("^decision: .*$").to_numpy()[-1, :3] == pytest.approx(stand)
    journal.observe({"rail": 0.5, "road": 0.4, "sea": 0.3, "plane": 0.1})
    before = journal.status()
    journal.ledger.forget()
    assert journal.status() == before
    assert journal.verify().sound
    while journal.rounds:
        journal.undo()
    journal.ledger.forget()
    assert journal.names == ("rail", "road", "sea")


def test_what_a_retired_option_holds_when_it_is_little_counts_as_the_rest(tmp_path):
    problem = PROBLEM.replace(memory=by.Geometric(0.5))
    with made(tmp_path / "j.db", by.Hedge(rate=0.5), problem) as journal:
        journal.override("sea")
        journal.observe([0.1, 0.2, 0.3])
        journal.retire("sea")
        held = []
        for _ in range(9):
            needed = journal.status().options[2].needed
            held.append((needed, journal.state[2] > 0.01))
            journal.observe({"rail": 0.4, "road": 0.6} | ({"sea": 0.3} if needed else {}))
        assert held == [(True, True)] * 5 + [(False, False)] * 4
        state, decision = journal.state, journal.decide()
        total = journal.status().total
        journal.observe({"rail": 0.4, "road": 0.6})
        assert 0 < state[2] < 0.01
        assert journal.status().total - total == pytest.approx(
            (0.4 * state[0] + 0.6 * state[1]) / (state[0] + state[1])
        )
        journal.undo()
        journal.observe({"rail": 0.4, "road": 0.6, "sea": 0.3})
        assert journal.status().total - total == pytest.approx(state @ [0.4, 0.6, 0.3])
        assert decision[2] == 0
        assert journal.verify().sound


def test_a_table_may_have_what_runs_out_of_the_state_on_the_way(journal):
    journal.retire("sea")
    rows = {
        "week": [f"2026-0{k}-01" for k in range(1, 10)],
        **{name: [0.1 * k for k in range(9)] for name in journal.names},
    }
    assert len(journal.observe_all(rows)) == 9
    assert journal.history()["cost: sea"].null_count() > 3
    assert journal.verify().sound


@pytest.mark.parametrize("change", ["retire", "join"])
def test_options_do_not_change_under_what_is_really_done(journal, change):
    option = {"retire": "rail", "join": "air"}[change]
    journal.override("road")
    with pytest.raises(ValueError, match="round 21 has an override: undo it"):
        getattr(journal, change)(option)
    assert journal.status().overridden
    journal.undo()
    journal.propose("road")
    with pytest.raises(ValueError, match="round 21 has a proposal: undo it"):
        getattr(journal, change)(option)
    journal.undo()
    getattr(journal, change)(option)


def test_an_option_goes_that_a_waiting_proposal_was_about(journal):
    journal.commit("p1")
    journal.propose("rail")
    journal.commit("p2")
    journal.retire("rail")
    before = journal.status()
    journal.ledger.forget()
    assert journal.status() == before
    journal.observe([0.1, 0.2, 0.3])
    journal.observe([0.1, 0.2, 0.3])
    assert journal.verify().sound
