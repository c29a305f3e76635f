"""What a journal takes, acknowledges again, and refuses; whatever is refused changes nothing."""

import json
from datetime import date

import numpy as np
import polars as pl
import pytest
from driving import made, table
from hypothesis import given
from hypothesis import strategies as st

import bygones as by
from bygones.live.entries import label

PROBLEM = by.Problem(["rail", "road", "sea"], None, by.Window(4), 1.0)


@pytest.fixture
def journal(tmp_path):
    with made(tmp_path / "j.db", by.Guarded(), PROBLEM) as made_one:
        yield made_one


def unchanged(journal, entry, match):
    before = journal.status()
    game = journal.ledger.game
    with pytest.raises(ValueError, match=match):
        entry()
    assert journal.status() == before
    assert journal.ledger.game is game


def test_the_same_period_with_the_same_costs_is_acknowledged_again(journal):
    first = journal.observe({"rail": 0.1, "road": 0.2, "sea": 0.3}, "2026-11-16")
    assert journal.observe({"sea": 0.3, "road": 0.2, "rail": 0.1}, "2026-11-16") == first
    assert journal.observe([0.1, 0.2, 0.3], date(2026, 11, 16)) == first
    assert (journal.rounds, len(journal.events())) == (1, 2)


def test_the_same_period_with_other_costs_is_refused_and_both_are_named(journal):
    journal.observe([0.1, 0.2, 0.3], "2026-11-16")
    said = "2026-11-16 has other costs already: 'rail=0.1, road=0.2, sea=0.3', not .*0.4"
    unchanged(journal, lambda: journal.observe([0.1, 0.2, 0.4], "2026-11-16"), said)


@pytest.mark.parametrize(
    ("costs", "match"),
    [
        ({"rail": 0.1, "road": 0.2}, "sea"),
        ({"rail": 0.1, "road": 0.2, "see": 0.3}, "there is no option 'see'.*did you mean sea"),
        ([0.1, 0.2], "give 3 costs a round"),
        ([0.1, 0.2, float("nan")], "nan"),
        ([0.1, 0.2, 1.5], "the range of the journal is 1:"),
        ([0.1, 0.2, "x"], "give a number"),
        (None, "give"),
        ("rail", "give"),
        ({}, "rail"),
    ],
)
def test_costs_that_do_not_fit_are_refused(journal, costs, match):
    journal.observe([0.1, 0.2, 0.3], "2026-11-16")
    unchanged(journal, lambda: journal.observe(costs, "2026-11-17"), match)


@pytest.mark.parametrize(
    ("period", "match"),
    [
        ("2026-11-15", "2026-11-15 is before the last period, 2026-11-16: costs are entered in order"),
        ("2026-11-16T00:00", "2026-11-16T00:00 is before the last period, 2026-11-16"),
        ("", "the period is ''"),
        (" x", "spaces around it"),
        ("a\nb", "line breaks"),
        ("a\x00", "hidden characters"),
        ("\ud800", "hidden characters"),
        ("x" * 201, "at most 200"),
        (True, "the period is True"),
    ],
)
def test_periods_that_are_none_are_refused(journal, period, match):
    journal.observe([0.1, 0.2, 0.3], "2026-11-16")
    unchanged(journal, lambda: journal.observe([0.1, 0.2, 0.3], period), match)


def test_periods_may_be_any_text_and_without_one_it_is_the_number_of_the_round(journal):
    assert journal.observe([0.1, 0.2, 0.3], "week <b>1</b> 🚆").period == "week <b>1</b> 🚆"
    assert journal.observe([0.1, 0.2, 0.3], "a week").period == "a week"
    assert journal.observe([0.1, 0.2, 0.3]).period == "3"
    journal.observe([0.1, 0.2, 0.3], "5")
    unchanged(journal, lambda: journal.observe([0.1, 0.2, 0.3]), "5 is what another round is called: give period=")


@pytest.mark.parametrize(
    ("decision", "match"),
    [
        ("air", "there is no option 'air'"),
        ([0.5, 0.6, 0.0], "add up to one"),
        ([0.5, 0.5], "decision"),
        ({"rail": 0.5, "air": 0.5}, "there is no option 'air'"),
        (7, "action's number is 7"),
        (None, "give 3 weights"),
        (True, "give 3 weights"),
        ([np.nan, 0.5, 0.5], "negative|add up"),
    ],
)
def test_decisions_that_are_none_are_refused(journal, decision, match):
    unchanged(journal, lambda: journal.override(decision), match)
    unchanged(journal, lambda: journal.propose(decision), match)
    unchanged(journal, lambda: journal.preview(decision), match)


def test_a_round_is_overridden_and_proposed_once(journal):
    journal.propose({"rail": 1.0})
    unchanged(journal, lambda: journal.propose("road"), "round 1 has a proposal already: undo it")
    journal.override([0.0, 0.5, 0.5])
    assert journal.decide().tolist() == [0.0, 0.5, 0.5]
    unchanged(journal, lambda: journal.override("road"), "round 1 has an override already: undo it")
    unchanged(journal, lambda: journal.propose("road"), "round 1 has an? .* already")
    journal.undo()
    journal.undo()
    journal.override("road")
    journal.observe([0.1, 0.2, 0.3])
    assert journal.history().select("^decision: .*$").row(0) == (0.0, 1.0, 0.0)


def test_only_guarded_takes_proposals(tmp_path):
    with made(tmp_path / "k.db", by.Hedge(rate=0.1), PROBLEM) as journal:
        unchanged(journal, lambda: journal.propose("rail"), "takes no proposals: begin a journal with Guarded")


def test_a_preview_says_what_an_override_would_do_and_enters_nothing(journal):
    for row in table(30):
        journal.observe(row)
    before = journal.status()
    seen = journal.preview("sea")
    assert journal.status() == before
    journal.override("sea")
    assert journal.status().options == seen.options
    assert journal.status().promise == seen.promise
    assert seen.overridden


def test_undo_takes_back_one_by_one_and_both_stay_in_the_log(journal):
    decisions = [journal.decide()]
    for row in table(5):
        journal.observe(row)
        decisions.append(journal.decide())
    for t in range(4, -1, -1):
        assert journal.undo().undoes == t + 2
        assert np.array_equal(journal.decide(), decisions[t])
        assert journal.rounds == t
    unchanged(journal, journal.undo, "there is nothing to undo")
    assert [event.kind for event in journal.events()] == ["created", *["observed"] * 5, *["undone"] * 5]
    journal.observe(table(5)[0])
    assert np.array_equal(journal.decide(), decisions[1])
    assert journal.verify().sound


def test_undo_goes_back_past_all_snapshots(journal, monkeypatch):
    monkeypatch.setattr("bygones.live.ledger.EVERY", 8)
    decisions = [journal.decide()]
    for row in table(100):
        journal.observe(row)
        decisions.append(journal.decide())
    for t in range(99, 9, -1):
        journal.undo()
        assert np.array_equal(journal.decide(), decisions[t])
    assert journal.verify().sound


def test_a_request_with_a_key_is_entered_once(journal):
    costs = {"rail": 0.1, "road": 0.2, "sea": 0.3}
    first = journal.observe(costs, "monday", key="a1")
    assert journal.observe(costs, "monday", key="a1") == first
    unchanged(journal, lambda: journal.observe(costs, "tuesday", key="a1"), "the key 'a1' was used for event 2")
    unchanged(journal, lambda: journal.undo(key="a1"), "the key 'a1' was used for event 2")
    second = journal.override("sea", key="b2")
    assert journal.override("sea", key="b2") == second
    third = journal.undo(key="c3")
    assert journal.undo(key="c3") == third
    assert [event.kind for event in journal.events()] == ["created", "observed", "overridden", "undone"]


def test_a_table_is_entered_as_far_as_it_is_new_and_whole_or_not_at_all(journal):
    frame = pl.DataFrame(
        {
            "week": ["2026-01-05", "2026-01-12", "2026-01-19"],
            "sea": [0.3, 0.2, 0.1],
            "rail": [0.1] * 3,
            "road": [0.4] * 3,
        }
    )
    assert [event.period for event in journal.observe_all(frame.head(2))] == ["2026-01-05", "2026-01-12"]
    assert [event.period for event in journal.observe_all(frame)] == ["2026-01-19"]
    assert journal.observe_all(frame) == []
    other = frame.with_columns(pl.Series("sea", [0.3, 0.2, 0.4]))
    unchanged(journal, lambda: journal.observe_all(other), "2026-01-19 has other costs already")
    later = pl.DataFrame(
        {"week": ["2026-01-26", "2026-02-02"], "rail": [0.1, 0.1], "road": [0.4, 3.4], "sea": [0.3, 0.2]}
    )
    with pytest.raises(ValueError, match="the range of the journal is 1:"):
        journal.observe_all(later)
    assert journal.rounds == 3
    unchanged(journal, lambda: journal.observe_all(frame.drop("week")), "no column with times")
    assert journal.history()["cost: sea"].to_list() == [0.3, 0.2, 0.1]


def test_a_table_may_have_one_new_period(journal, tmp_path):
    path = tmp_path / "today.csv"
    path.write_text("week,rail,road,sea\n2026-01-05,0.1,0.2,0.3\n")
    assert [event.period for event in journal.observe_all(path)] == ["2026-01-05"]
    path.write_text("week,rail,road,sea\n")
    unchanged(journal, lambda: journal.observe_all(path), "no rows|no period|0 periods|give")


def test_costs_beyond_the_range_are_cut_off_where_asked_and_promises_end(journal):
    journal.observe([0.1, 0.2, 0.3])
    assert journal.guarantee is not None
    journal.observe([0.1, 5.2, 0.3], clip=True)
    status = journal.status()
    assert journal.guarantee is None
    assert "round 2 differed by more than the range" in status.promise.ended
    assert journal.history()["cost: road"].to_list() == [0.2, 5.2]
    player = by.Guarded().start(PROBLEM)
    player.play([[0.1, 0.2, 0.3], [0.1, 1.1, 0.3]])
    assert np.array_equal(journal.decide(), player.decide())
    journal.ledger.forget()
    assert journal.status() == status
    assert journal.verify().sound


def test_gains_are_costs_with_the_sign_flipped(tmp_path):
    rows = table(50)
    with (
        made(tmp_path / "a.db", by.Guarded(), PROBLEM) as costs,
        by.Journal.create(tmp_path / "b.db", "gains", PROBLEM, gains=True) as gains,
    ):
        for row in rows:
            costs.observe(-row)
            gains.observe(row)
        assert np.array_equal(costs.decide(), gains.decide())
        assert costs.regret == gains.regret
        assert gains.status().total == -costs.status().total
        assert gains.history()["gain: sea"].to_list() == rows[:, 2].tolist()


def test_late_costs_are_entered_in_order_and_decisions_stand(journal):
    rows = table(6)
    journal.observe(rows[0], "2026-11-16")
    stand = []
    for period in ("2026-11-17", "2026-11-18", "2026-11-19"):
        stand.append(journal.decide())
        journal.commit(period)
    assert journal.waiting == ("2026-11-17", "2026-11-18", "2026-11-19")
    unchanged(journal, lambda: journal.commit("2026-11-18"), "2026-11-18 was decided already")
    unchanged(journal, lambda: journal.commit("2026-11-16"), "2026-11-16 was decided already")
    unchanged(journal, lambda: journal.commit("2026-11-10"), "before the last period, 2026-11-19")
    unchanged(journal, lambda: journal.observe(rows[1], "2026-11-18"), "the costs of 2026-11-17 come first")
    assert journal.observe(rows[1], "2026-11-17").round == 2
    journal.observe(rows[2])
    assert journal.waiting == ("2026-11-19",)
    journal.override("sea")
    journal.observe(rows[3])
    assert journal.decide().tolist() == [0.0, 0.0, 1.0]
    journal.observe(rows[4])
    done = journal.history().select("^decision: .*$").to_numpy()
    assert np.array_equal(done[1:4], stand)
    player = by.Guarded().start(PROBLEM)
    player.play(rows[:5], decisions=done)
    assert np.array_equal(journal.decide(), player.decide())
    assert journal.verify().sound


def test_a_decision_ahead_is_the_one_for_equal_costs(journal):
    for row in table(20):
        journal.observe(row)
    journal.commit()
    player = by.Guarded().start(PROBLEM)
    player.play(table(20))
    player.observe([0.0, 0.0, 0.0])
    assert np.array_equal(journal.decide(), player.decide())


@pytest.mark.parametrize("every", [1, 256])
def test_proposals_survive_waiting_and_restarts(journal, every, monkeypatch):
    monkeypatch.setattr("bygones.live.ledger.EVERY", every)
    for row in table(20):
        journal.observe(row)
    journal.propose("sea")
    journal.commit("a")
    journal.propose("rail")
    second = journal.decide()
    journal.commit("b")
    journal.propose("road")
    third = journal.decide()
    journal.ledger.forget()
    assert np.array_equal(journal.decide(), third)
    journal.observe(table(23)[20])
    journal.observe(table(23)[21])
    assert np.array_equal(journal.history().select("^decision: .*$").to_numpy()[-1], second)
    status = journal.status()
    assert status.proposed
    journal.ledger.forget()
    assert journal.status() == status
    assert journal.verify().sound


def test_names_of_journals(tmp_path):
    made(tmp_path / "j.db", by.Hedge(), PROBLEM.replace(horizon=9), name="Teile 2026_a.b-c").close()
    for wrong in ("", " a", "a ", "../x", "a/b", "a..b", ".a", "-a", "x" * 101, "a\n", 7, "<b>"):
        with pytest.raises(ValueError, match="the journal's name is"):
            made(tmp_path / "j.db", by.Hedge(), PROBLEM.replace(horizon=9), name=wrong)
    with pytest.raises(ValueError, match=r"there is a journal 'Teile 2026_a.b-c' already"):
        made(tmp_path / "j.db", by.Hedge(), PROBLEM.replace(horizon=9), name="Teile 2026_a.b-c")
    with pytest.raises(ValueError, match=r"there is no journal 'x': there are Teile 2026_a.b-c"):
        by.Journal.open(tmp_path / "j.db", "x")


@given(st.text(max_size=220))
def test_labels_are_kept_as_they_are_or_refused(text):
    try:
        found = label("the period", text)
    except ValueError:
        return
    assert found == text == text.strip()
    assert 0 < len(text) <= 200
    assert json.loads(json.dumps(text)) == text
    assert text.isprintable() or not any(character in text for character in "\n\r\t\x00")


def test_wrong_beginnings_make_nothing(tmp_path):
    path = tmp_path / "j.db"
    for how, match in (
        ((7, "hedge"), "the problem is 7"),
        ((PROBLEM, "hegde"), "did you mean hedge"),
        ((PROBLEM, 7), "the learner is 7"),
        ((PROBLEM, "hedge"), "horizon"),
        ((PROBLEM, "guarded", -1), "the seed is -1"),
    ):
        with pytest.raises(ValueError, match=match):
            by.Journal.create(path, "parts", *how)
    with pytest.raises(ValueError, match="the author is"):
        by.Journal.create(path, "parts", PROBLEM, author="a\nb")
    with pytest.raises(ValueError, match="there is no database"):
        by.Journal.open(path, "parts")
    assert not path.exists()


def test_exports_hold_every_round_and_every_event(journal, tmp_path):
    for row in table(5):
        journal.observe(row)
    journal.undo()
    for name in ("rounds.csv", "rounds.parquet", "events.jsonl"):
        journal.export(tmp_path / name)
    assert pl.read_csv(tmp_path / "rounds.csv").height == 4
    assert pl.read_parquet(tmp_path / "rounds.parquet").equals(journal.history())
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [event["kind"] for event in events] == ["created", *["observed"] * 5, "undone"]
    with pytest.raises(ValueError, match=r"ends in .csv, .parquet, .jsonl"):
        journal.export(tmp_path / "x.xlsx")


def test_a_history_goes_before_the_first_round(tmp_path):
    problem = PROBLEM.replace(horizon=50)
    with by.Journal.create(tmp_path / "j.db", "parts", problem, "hedge", history=["sea", "sea", "rail"]) as journal:
        assert journal.state.tolist() == pytest.approx([0.25 + 1 / 12, 1 / 12, 0.5 + 1 / 12])
        assert journal.status().options[2].held == pytest.approx(2 / 3)
        for row in table(9):
            journal.observe(row)
        player = by.Hedge().start(problem, history=[2, 2, 0])
        player.play(table(9))
        assert np.array_equal(journal.decide(), player.decide())
        assert journal.history().select("^state: .*$").to_numpy()[0] == pytest.approx([1 / 3, 1 / 12, 7 / 12])
        assert journal.guarantee is None


def test_the_player_knows_what_was_decided_before_the_costs_came(tmp_path):
    learner, rows = by.Steering(by.Hedge(rate=2.0)), table(40)
    with made(tmp_path / "j.db", learner, PROBLEM) as journal:
        for row in rows[:20]:
            journal.observe(row)
        for late in range(20, 40, 4):
            for _ in range(4):
                journal.commit()
            for row in rows[late : late + 4]:
                journal.observe(row)
        done = journal.history().select("^decision: .*$").to_numpy()
        player, alone = learner.start(PROBLEM), learner.start(PROBLEM)
        player.play(rows, decisions=done)
        alone.play(rows)
        assert np.array_equal(journal.decide(), player.decide())
        assert not np.array_equal(player.decide(), alone.decide())


def test_a_promise_for_its_own_decisions_ends_with_others(tmp_path):
    problem = PROBLEM.replace(horizon=100)
    with made(tmp_path / "j.db", by.Hedge(), problem) as journal:
        for row in table(10):
            journal.observe(row)
        assert journal.guarantee == pytest.approx(
            by.expected(problem, [by.Hedge()], np.vstack([table(10), np.zeros((90, 3))]), guarantee=True).guarantees[
                "Hedge"
            ][0, 9]
        )
        journal.override("sea")
        assert journal.guarantee is not None
        journal.observe([0.3, 0.4, 0.5])
        assert journal.guarantee is None
        journal.undo()
        assert journal.guarantee is not None


def test_proposals_that_wait_are_proposals_still(tmp_path):
    """Their player's guarantee is that of a player to whom they were proposed, not of one who was overridden."""
    guarded, rows = by.Guarded(by.FollowTheLeader(), slack=0.0), table(40)
    problem = PROBLEM.replace(horizon=40)
    with made(tmp_path / "j.db", guarded, problem) as journal:
        player = guarded.start(problem)
        for late in range(0, 40, 4):
            for k in range(4):
                journal.propose(problem.names[(late + k) % 3])
                journal.commit()
            for row in rows[late : late + 4]:
                journal.observe(row)
        for t, done in enumerate(journal.history().select("^decision: .*$").to_numpy()):
            player.propose(problem.names[t % 3])
            if (player.decide() != done).any():
                player.override(done)
            player.observe(rows[t])
        assert journal.guarantee == player.guarantee
        plain = guarded.start(problem)
        plain.play(rows, decisions=journal.history().select("^decision: .*$").to_numpy())
        assert (plain.mean_trust, plain.least_trust) != (player.mean_trust, player.least_trust)
        mine = journal.ledger.game.player
        assert (mine.mean_trust, mine.least_trust) == (player.mean_trust, player.least_trust)


@pytest.mark.parametrize("learner", [by.Pure(by.Hedge()), by.LSA(), by.FTARL()], ids=repr)
def test_what_holds_in_expectation_is_no_guarantee_of_what_was_drawn(tmp_path, learner):
    with made(tmp_path / "j.db", learner, PROBLEM.replace(horizon=40)) as journal:
        for row in table(10):
            journal.observe(row)
            assert journal.guarantee is None
        assert journal.status().promise.ended == ""


def test_late_costs_say_that_they_end_a_guarantee(tmp_path):
    with made(tmp_path / "j.db", by.Hedge(rate=3.0), PROBLEM.replace(horizon=40)) as journal:
        for row in table(10):
            journal.observe(row)
        journal.commit()
        journal.commit()
        for row in table(12)[10:]:
            journal.observe(row)
        assert journal.guarantee is None
        assert "round 12 is not what is decided now: an override, or late costs" in journal.status().promise.ended


def test_a_list_with_none_is_the_same_when_it_is_sent_again(journal):
    journal.retire("rail")
    first = journal.observe([None, 0.2, 0.3], "a")
    assert journal.observe([None, 0.2, 0.3], "a") == first


def test_a_range_that_is_too_small_for_a_table_names_the_one_it_needs(tmp_path):
    table = {"day": ["2026-01-01", "2026-01-02", "2026-01-03"], "rail": [1.0, 9.0, 2.0], "road": [2.0, 2.0, 2.0]}
    said = "the entries of 2026-01-02 differ by 7, and the range given is 3: give at least 7, or leave it out"
    with pytest.raises(ValueError, match=said):
        by.Journal.from_backtest(tmp_path / "j.db", "parts", table, "window:2", cost_range=3.0)
    by.Journal.from_backtest(tmp_path / "j.db", "parts", table, "window:2", cost_range=7.0).close()


def test_a_number_of_rounds_below_those_of_a_table_is_refused(tmp_path):
    table = {"day": ["2026-01-01", "2026-01-02", "2026-01-03"], "rail": [1.0, 9.0, 2.0], "road": [2.0, 2.0, 2.0]}
    with pytest.raises(ValueError, match="the table has 3 rounds, and 2 in all were given: count those of the table"):
        by.Journal.from_backtest(tmp_path / "j.db", "parts", table, "window:2", horizon=2)
    by.Journal.from_backtest(tmp_path / "j.db", "parts", table, "window:2", horizon=3).close()
