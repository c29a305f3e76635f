"""What you really did: your row in every table, and advice that starts from what you hold."""

from datetime import date, timedelta
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import BACKTESTED
from strategies import memories
from tables import costs_of, table

import bygones as by
from bygones import accounting
from bygones.backtesting.upcoming import arrival

SUPPLIERS = ["Alpha", "Beta"]


def broken(seed=0, rows=260):
    """Two suppliers that change places in the middle."""
    rng = np.random.default_rng(seed)
    first = (np.arange(rows) < rows // 2)[:, np.newaxis]
    costs = np.where(first, [10.0, 12.0], [14.0, 11.0]) + 0.5 * rng.standard_normal((rows, 2))
    weeks = [date(2020, 1, 6) + timedelta(weeks=k) for k in range(rows)]
    return pl.DataFrame({"week": weeks} | {name: costs[:, k] for k, name in enumerate(SUPPLIERS)})


def test_five_rows_by_hand():
    """A window of two, and b held in the last three of five periods: your state is known in the last two.

    You pay b, b there: 0 + 1, where a has 1 + 0; the leader plays a, b, a, b, b, with states of a half each, then b,
    and pays 0.5 + 1 in these periods.
    """
    frame = pl.DataFrame({"a": [1.0, 0.0, 1.0, 1.0, 0.0], "b": [0.0, 1.0, 0.0, 0.0, 1.0]})
    done = by.backtest(frame, "window:2", [by.FollowTheLeader()], cost_range=1, held=["b", "b", "b"], switch_cost=0.1)
    leader, you = done.accounts.to_dicts()
    assert you | {"learner": "you", "periods": 2, "total": 1.0, "regret": 0.0, "switches": 0.0, "saved": 0.0} == you
    assert you["average"] == 0.5
    assert you["gap"] == pytest.approx(1.0 - accounting.clairvoyant(costs_of(frame)[3:], by.Window(2), [1]))
    assert you["bound"] is you["guarantee"] is you["low"] is None
    # Of its switches, a to b in period 2, b to a in 3 and a to b in 4, the last leads into these periods.
    assert leader["saved"] == pytest.approx(1.0 - 1.5)
    assert done.path.filter(learner="you").select("time", "cost", "regret").rows() == [(4, 0.0, 0.0), (5, 1.0, 0.0)]
    assert done.decisions.filter(learner="you", option="b")["state"].to_list() == [1, 1]
    # b is cheaper by one in all, so the leader decides for b again, which is what is held.
    assert done.next.select("target", "decision", "state").rows() == [(0, 0, 0), (1, 1, 1)]
    other = by.backtest(frame, "window:2", [by.FollowTheLeader()], cost_range=1, held=["b", "b", "a"])
    assert other.next.select("target", "decision", "state").rows() == [(0, 0, 0.5), (1, 1, 0.5)]
    assert other.facts.arrival == 2
    # Steering sees half of a in the state to come, and can do no more than decide for b.
    steered = by.backtest(frame, "window:2", [by.Steering(by.Fixed("b"))], cost_range=1, held=["b", "b", "a"])
    assert steered.next.select("target", "decision", "state").rows() == [(0, 0, 0.5), (1, 1, 0.5)]
    aimed = by.Steering(by.Uniform())
    steered = by.backtest(frame, "window:2", [aimed], cost_range=1, held=["a", "a", "a"])
    assert steered.next.select("target", "decision", "state").rows() == [(0.5, 0, 0.5), (0.5, 1, 0.5)]


def known_from(memory, periods, count):
    """The first of the held decisions whose state is known, if there were others before them."""
    weights = memory.weights(periods)
    return (
        0
        if count >= periods
        else next(k for k in range(count) if 1 - weights[: k + 1].sum() <= (1e-12 if memory.support else 0.01))
    )


@given(memories, st.integers(0, 2**32), st.booleans())
@settings(max_examples=25)
def test_your_own_advice_followed_changes_nothing(memory, seed, dated):
    """With what a learner decided as `held`, you are that learner, and it advises the same."""
    costs = np.random.default_rng(seed).normal(size=(40, 3))
    if (memory.support or 1) > 40:
        return
    frame = pl.DataFrame(costs, schema=["a", "b", "c"])
    if dated:
        frame = frame.with_columns(day=pl.date_range(date(2024, 1, 1), date(2024, 2, 9), eager=True))
    plain = by.backtest(frame, memory, BACKTESTED, cost_range=20.0, switch_cost=0.3)
    for learner in done_mixed(plain):
        own = plain.decisions.filter(learner=learner).pivot("option", index="time", values="decision")
        done = by.backtest(
            frame, memory, BACKTESTED, cost_range=20.0, switch_cost=0.3, held=own if dated else own.drop("time")
        )
        assert done.next.filter(learner=learner).equals(plain.next.filter(learner=learner))
        mine, yours = (done.accounts.filter(learner=who).row(0, named=True) for who in (learner, "you"))
        for name in ("periods", "total", "average", "regret", "share", "gap"):
            assert yours[name] == pytest.approx(mine[name], abs=1e-9), name
        if mine["low"] is None:
            assert yours["switches"] == pytest.approx(mine["switches"], abs=1e-9)
            assert mine["saved"] == pytest.approx(0, abs=1e-9)
        assert done.accounts.drop("periods", "saved").head(-1).equals(plain.accounts)


@pytest.mark.parametrize("memory", ["window:1", "window:2", "window:9", "geometric:0.7", "weights:0.2,0.5,0.3"])
@pytest.mark.parametrize("prices", [False, True])
def test_your_own_advice_followed_for_a_while_saves_nothing(memory, prices):
    """The move into the first period that is judged counts neither for a learner nor for you."""
    rng = np.random.default_rng(4)
    table = np.exp(np.cumsum(rng.normal(0, 0.3, (61, 3)), axis=0)) if prices else rng.normal(size=(60, 3))
    dear = {"prices": True, "trade_cost": 0.1} if prices else {"switch_cost": 1.0}
    learners = ["followtheleader", "hedge", "steering", "guarded"]
    plain = by.backtest(table, memory, learners, cost_range=20.0, **dear)
    for learner, count in product(plain.learners, (21, 33, 59)):
        own = plain.decisions.filter(learner=learner).pivot("option", index="time", values="decision").tail(count)
        done = by.backtest(table, memory, [learner], cost_range=20.0, held=own.drop("time"), **dear)
        rest = 0.01 if memory.startswith("geometric") else 1e-9  # what decisions before them weigh
        assert done.accounts["saved"][0] == pytest.approx(0, abs=rest)
        assert done.facts.savings[0].total == pytest.approx(0, abs=rest)
        assert done.accounts["periods"][1] == count - known_from(done.problem.memory, 60, count)


@pytest.mark.parametrize("memory", ["window:12", "full", "geometric:0.9"])
def test_decisions_before_those_held_are_unknown_whether_or_not_they_were_played(memory):
    """The first ten of a hundred periods are not played; what was decided then still counts."""
    costs = np.random.default_rng(2).random((100, 2))
    held = np.repeat([[1.0, 0.0], [0.0, 1.0]], [10, 90], axis=0)
    whole = by.backtest(costs, memory, ["hedge"], held=held)
    if memory == "full":
        with pytest.raises(ValueError, match="held= has 90 decisions, .* 10 % of the weight"):
            by.backtest(costs, memory, ["hedge"], held=held[10:])
        return
    part = by.backtest(costs, memory, ["hedge"], held=held[10:])
    known = known_from(part.problem.memory, 100, 90)
    assert part.accounts["periods"].to_list() == [90, 90 - known]
    assert whole.accounts["periods"].to_list() == [90, 90]
    both = [each.decisions.filter(learner="you", option="1")["state"][-90 + known :] for each in (whole, part)]
    np.testing.assert_allclose(*both, atol=1e-9 if memory == "window:12" else 0.01)


def test_windows_whose_weights_do_not_quite_add_up_to_one():
    costs = np.random.default_rng(0).random((37_700, 2))
    done = by.backtest(costs, "window:37669", ["hedge"], cost_range=1.0, held=[0] * 37_680)
    assert done.accounts["periods"][1] == 12


def test_what_a_fading_memory_would_keep_from_before_the_table_is_said():
    costs = np.random.default_rng(0).random((30, 2))
    notes = by.backtest(costs, "geometric:0.99", ["hedge"], cost_range=1.0, held=[0] * 30).about["notes"]
    assert "would have 43 % of the weight" in notes[-1]
    assert not by.backtest(costs, "geometric:0.5", ["hedge"], cost_range=1.0, held=[0] * 30).about["notes"]


def test_the_past_is_given_once():
    costs = np.random.default_rng(0).random((30, 2))
    with pytest.raises(ValueError, match="held= has 1 decisions from before the table, and history= has them too"):
        by.backtest(costs, "window:3", ["hedge"], cost_range=1.0, held=[0] * 31, history=[1] * 3)
    done = by.backtest(costs, "window:3", ["hedge"], cost_range=1.0, held=[0] * 30, history=[1] * 3)
    assert done.decisions.filter(learner="you", option="1")["state"][:3].to_list() == pytest.approx([2 / 3, 1 / 3, 0])


def done_mixed(done):
    """Learners whose decisions in the frame are those that advise: their exact means."""
    return [label for label, learner in done.learners.items() if not learner.randomised or learner.mean() is not None]


@given(memories, st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=25)
def test_another_past_is_gone_on_from(memory, seed, count):
    """The advice is that of a player who is told of every real decision; your row is plain accounting."""
    rng = np.random.default_rng(seed)
    costs, held = rng.normal(size=(40, 3)), rng.dirichlet([1, 1, 1], size=count)
    if (memory.support or 1) > 40 or (
        count < 40 and memory.weights(40)[count:].sum() > (0 if memory.support else 0.01)
    ):
        return
    frame = pl.DataFrame(costs, schema=["a", "b", "c"])
    learners = [by.Steering(), by.Guarded(), by.Hedge(), by.Steering(by.FixedShare())]
    done = by.backtest(frame, memory, learners, cost_range=20.0, held=held)
    begin, known = 40 - count, known_from(memory, 40, count)
    states = memory.start(3).extend(held)[known:]
    for label, learner in done.learners.items():
        player = learner.start(done.problem)
        player.play(costs[:begin])
        player.play(costs[begin:], decisions=held)
        own = done.next.filter(learner=label)
        np.testing.assert_array_equal(own["decision"], player.decide())
        expected = memory.start(3, held).push(player.decide())
        np.testing.assert_allclose(own["state"], expected, atol=1e-12)
    you = done.accounts.row(-1, named=True)
    paid, past = costs[begin + known :], held[:known]
    assert you["total"] == pytest.approx(accounting.losses(paid, states).sum(), abs=1e-9)
    assert you["regret"] == pytest.approx(accounting.regret(paid, states)[-1], abs=1e-9)
    assert you["gap"] == pytest.approx(you["total"] - accounting.clairvoyant(paid, memory, past), abs=1e-9)
    assert you["switches"] == pytest.approx(accounting.switches(held[known:]), abs=1e-9)


def test_what_was_held_before_is_not_taken_for_what_was_held_first():
    """Twelve cheap decisions after many dear ones: only in the last period are the dear ones gone."""
    costs = np.tile([10.0, 20.0], (60, 1)) + np.random.default_rng(0).random((60, 2)) / 10
    held = np.repeat([[0.0, 1.0], [1.0, 0.0]], [48, 12], axis=0)
    whole, part = (
        by.backtest(costs, "window:12", ["hedge"], cost_range=11.0, held=each) for each in (held, held[-12:])
    )
    assert part.accounts["periods"].to_list() == [60, 1]
    assert part.accounts["total"][1] == pytest.approx(costs[-1, 0])
    assert part.next.equals(whole.next)


def test_the_advice_starts_from_decisions_before_the_periods_played():
    """Real decisions of the burn-in count in the state that is steered."""
    rng = np.random.default_rng(7)
    costs = rng.random((60, 2)) + np.column_stack([np.where(np.arange(60) % 2, 0.5, -0.5), np.zeros(60)])
    held = np.repeat([[1.0, 0.0], [0.5, 0.5]], [10, 50], axis=0)
    done = by.backtest(costs, "full", ["steering"], held=held)
    own = done.next
    y, beta = by.FullHistory().start(2, held).carried()
    nearest = min(np.linspace(0, 1, 1001), key=lambda share: abs(y[0] + beta * share - own["target"][0]))
    assert own["decision"][0] == pytest.approx(nearest, abs=2e-3)


def test_decisions_before_the_periods_played_count_in_your_state():
    """The first tenth is not played, and what you held then still counts."""
    frame = table(60)
    held = np.random.default_rng(0).dirichlet([1, 1, 1], size=70)
    done = by.backtest(frame, "window:8", ["hedge"], held=held)
    assert done.about["burn_in"] == 10
    states = by.Window(8).start(3, held[:20]).extend(held[20:])
    you = done.accounts.row(-1, named=True)
    assert you["periods"] == 50
    assert you["total"] == pytest.approx(accounting.losses(costs_of(frame)[10:], states).sum(), abs=1e-9)
    assert you["gap"] == pytest.approx(
        you["total"] - accounting.clairvoyant(costs_of(frame)[10:], by.Window(8), held[:20]), abs=1e-9
    )


def test_long_tables_and_the_cut_into_blocks_change_no_bit(monkeypatch):
    frame, held = table(2500, dated=False), ["option 1"] * 777
    first = by.backtest(frame, "window:7", ["guarded", "hedge"], cost_range=20.0, held=held, switch_cost=0.5)
    exact = by.Hedge().start(first.problem)
    decisions = exact.play(costs_of(frame))
    states = by.Window(7).start(3).extend(decisions)
    mine = accounting.losses(costs_of(frame), states)[-771:].sum() + 0.5 * accounting.switches(decisions[-771:])
    yours = costs_of(frame)[-771:, 1].sum()
    assert first.accounts.filter(learner="Hedge")["saved"][0] == pytest.approx(yours - mine, abs=1e-8)
    monkeypatch.setattr("bygones.engine.feed.BLOCK", 100)
    again = by.backtest(frame, "window:7", ["guarded", "hedge"], cost_range=20.0, held=held, switch_cost=0.5)
    for name in ("accounts", "next", "path", "decisions", "comparison", "rivals", "paths", "costs"):
        assert getattr(first, name).equals(getattr(again, name)), name
    assert first.facts == again.facts


def test_the_answer_starts_from_what_is_held():
    frame = broken()
    held = pl.DataFrame({"week": frame["week"][-40:], "choice": ["Alpha"] * 40})
    done = by.backtest(frame, "window:12", held=held)
    told = done.answer
    assert told.clear
    assert told.decision[0] == ("Beta", pytest.approx(1.0))
    assert told.held == [("Alpha", 1.0), ("Beta", 0.0)]
    assert "in 12 periods if nothing changes" in told.arrives
    assert told.saves[0].startswith("Against what you did in the last 29 periods, ")
    saving = done.facts.savings[0]
    assert (saving.against, saving.periods) == ("you", 29)
    assert saving.low < saving.total < saving.high
    assert saving.total == pytest.approx(done.accounts.filter(learner=done.adviser)["saved"][0])


@pytest.mark.parametrize(
    ("held", "memory", "words"),
    [
        (["a"] * 3, "window:4", "held= has 3 decisions, .* 25 % .*: give at least the last 4"),
        (["a"] * 4, "geometric:0.8", "41 % of the weight under a memory that keeps .*: give at least the last 21"),
        (["a"] * 30, "full", "25 % of the weight .*: give at least the last 40"),
        (["c"] * 40, "window:4", "in held=: there is no action 'c'"),
        ([[0.5, 0.6]] * 40, "window:4", "in held=: decision 1 is"),
        (pl.DataFrame({"choice": ["c"]}), "window:4", "in held=: .*one column must hold"),
    ],
)
def test_what_is_held_must_be_known_and_be_decisions(held, memory, words):
    frame = pl.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), schema=["a", "b"])
    with pytest.raises(ValueError, match=words):
        by.backtest(frame, memory, ["hedge"], cost_range=9.0, held=held)


@pytest.mark.parametrize("held", [["a", "b", "b"], pl.DataFrame({"chosen": ["a", "b", "b"]})])
def test_periods_that_were_left_out_cannot_be_counted_off(held):
    table = {"a": [1.0, None, 2.0, 3.0, 1.0], "b": [2.0, 1.0, 2.0, 1.0, 0.0]}
    with pytest.raises(ValueError, match="in held=: .*1 period of the table was left out"):
        by.backtest(table, "window:2", cost_range=3.0, missing="drop", held=held)
    assert by.backtest(table, "window:2", cost_range=3.0, missing="drop").problem.horizon == 4


def test_a_fading_memory_may_lack_a_hundredth():
    frame = pl.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), schema=["a", "b"])
    done = by.backtest(frame, "geometric:0.8", ["hedge"], cost_range=9.0, held=["a"] * 21)
    assert done.accounts["periods"].to_list() == [40, 1]


def test_when_a_target_is_reached():
    far = by.Window(10).start(2, history=[0] * 10)
    assert arrival(far, np.array([0.0, 1.0]), aims=True) == arrival(far, np.array([0.0, 1.0]), aims=False) == 10
    assert arrival(far, np.array([0.7, 0.3]), aims=True) == 3
    assert arrival(far, np.array([1.0, 0.0]), aims=True) == 1
    fading = by.Geometric(0.9).start(2, history=[0] * 200)
    assert arrival(fading, np.array([0.0, 1.0]), aims=False) == int(np.ceil(np.log(0.01) / np.log(0.9)))
    assert arrival(by.FullHistory().start(2, history=[0] * 200), np.array([0.0, 1.0]), aims=True) is None
    assert far.count == 10
