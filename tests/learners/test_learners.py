"""The shared checks over every learner, and what the contract says of players."""

import copy
import json
import pkgutil
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws import assert_frequencies, replicates
from samples import LEARNERS as EXAMPLES
from samples import PROBLEM, Stranger
from strategies import memories

import bygones as by
from bygones import learners as room
from bygones.accounting import regret
from bygones.checks import LEARNER_CHECKS, problems, problems_for
from bygones.description import from_dict
from bygones.learners import LEARNERS, Learner, as_entropy, as_seed
from bygones.learners.guarded import GuardedPlayer

PINNED = {
    by.FTARL(rate=0.5): "122222222111122222222111",
    by.LSA(rate=0.5): "122222222222222222222200",
    by.FTPL(rate=0.5): "121221222112210222121211",
}


@pytest.mark.parametrize("check", LEARNER_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
def test_every_learner_keeps_the_contract(learner, check):
    for problem in problems_for(learner):
        check(learner, problem)


def test_only_learners_that_play_ahead_refuse_a_memory():
    for learner in EXAMPLES:
        refused = [problem.memory for problem in problems() if problem not in problems_for(learner)]
        assert refused == ([by.FullHistory()] if "HedgeAhead" in repr(learner) else [])


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
def test_other_ranges_and_names_too(learner):
    for check in LEARNER_CHECKS:
        check(learner, by.Problem([f"option {i}" for i in range(7)], 90, by.Window(10), cost_range=250.0))
        check(learner, by.Problem(2, 40, by.Geometric(0.6), cost_range=1e-6))


def test_every_learner_of_the_room_is_in_the_list_and_among_the_examples():
    modules = [
        name for _, name, _ in pkgutil.iter_modules(room.__path__) if name not in ("base", "player", "seeds", "words")
    ]
    found = {
        value
        for name in modules
        for value in vars(__import__(f"bygones.learners.{name}", fromlist=["*"])).values()
        if isinstance(value, type) and issubclass(value, Learner) and value.__module__.endswith(f".{name}")
    }
    assert found == set(LEARNERS) == {type(learner) for learner in EXAMPLES}
    assert len(modules) == len(LEARNERS)
    assert all(getattr(by, learner.__name__) is learner for learner in LEARNERS)


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
def test_descriptions_are_frozen_comparable_and_round_trip(learner):
    again = from_dict(json.loads(json.dumps(learner.to_dict())), LEARNERS, "learner")
    assert again == learner
    assert hash(again) == hash(learner)
    if " decisions" not in repr(learner):  # of a long table of advice
        assert eval(repr(learner), vars(by)) == learner  # noqa: S307
    with pytest.raises(AttributeError, match="immutable"):
        learner.rate = 3.0


def test_a_learner_that_nobody_knows_is_named():
    with pytest.raises(ValueError, match=r"names no learner: .*did you mean Hedge"):
        from_dict({"type": "Hegde"}, LEARNERS, "learner")
    with pytest.raises(ValueError, match=r"learner Hedge: .*unknown field `speed` \(its parameters: rate, tuning\)"):
        from_dict({"type": "Hedge", "speed": 1}, LEARNERS, "learner")


@given(
    st.sampled_from([learner.mean() or learner for learner in EXAMPLES if learner.bound(PROBLEM) is not None]),
    memories,
    st.integers(2, 6),
    st.integers(1, 300),
    st.integers(0, 2**32),
)
def test_no_random_game_exceeds_a_bound(learner, memory, n, T, seed):
    assert_under_bound(learner, memory, n, T, seed)


@pytest.mark.slow
@settings(max_examples=2000)
@given(
    st.sampled_from([learner.mean() or learner for learner in EXAMPLES if learner.bound(PROBLEM) is not None]),
    memories,
    st.integers(2, 12),
    st.integers(1, 1500),
    st.integers(0, 2**32),
)
def test_no_random_game_exceeds_a_bound_in_many(learner, memory, n, T, seed):
    assert_under_bound(learner, memory, n, T, seed)


def assert_under_bound(learner, memory, n, T, seed):
    rng = np.random.default_rng(seed)
    assume("HedgeAhead" not in repr(learner) or memory != by.FullHistory())
    problem = by.Problem(n, T, memory)
    bound = learner.bound(problem)
    family = [
        by.StocId(),
        by.StocHet(),
        by.Blocks(int(rng.integers(1, T + 1))),
        by.SquareWave(int(rng.integers(1, T + 1))),
        by.Cyclic(int(rng.integers(1, T + 1)), int(rng.integers(1, n + 1))),
        by.Trap(int(rng.integers(1, T + 1))),
    ][rng.integers(6)]
    costs = family.draw(n, T, rng)
    states = memory.start(n).extend(learner.start(problem).play(costs))
    assert regret(costs, states)[-1] <= bound * (1 + 1e-9)


@pytest.mark.parametrize("learner", [by.FTARL(), by.LSA(), by.LSA(tuning="geulen"), by.Hedge(), by.FTPL()], ids=repr)
@pytest.mark.parametrize(("unknown", "named"), [({"horizon": None}, "horizon"), ({"cost_range": None}, "cost_range")])
def test_what_a_rate_needs_is_said_with_a_way_out(learner, unknown, named):
    problem = PROBLEM.replace(**unknown)
    with pytest.raises(ValueError, match=rf"needs the problem's {named}, unknown here: .*rate=.*AdaHedge\(\)"):
        learner.start(problem)
    assert learner.bound(problem) is None
    type(learner)(rate=0.1).start(problem).observe([0.0, 0.5, 1.0])
    for careless in (by.AdaHedge(), by.Steering()):
        careless.start(problem).observe([0.0, 0.5, 1.0])


def test_observing_past_the_horizon_is_allowed_and_warned_of_once():
    player = by.Hedge().start(PROBLEM.replace(horizon=2))
    player.play([[0.0, 0.5, 1.0]] * 2)
    with pytest.warns(UserWarning, match="round 3 is past the horizon of 2: what Hedge"):
        player.observe([0.0, 0.5, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        player.observe([0.0, 0.5, 1.0])
    assert player.rounds == 4


def test_the_warning_is_not_repeated_after_loading(tmp_path):
    player = by.Hedge().start(PROBLEM.replace(horizon=2))
    with pytest.warns(UserWarning, match="past the horizon"):
        player.play([[0.0, 0.5, 1.0]] * 3)
    by.save(player, tmp_path / "player.npz")
    by.load(tmp_path / "player.npz").observe([0.0, 0.5, 1.0])


def test_a_warning_that_is_made_an_error_leaves_the_player_as_it_was():
    player = by.FTPL().start(PROBLEM.replace(horizon=2))
    before = player.snapshot()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(UserWarning):
                player.play([[0.0, 0.5, 1.0]] * 3)
    after = player.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)


FRAME = {"sea": [0.1, 0.9], "day": ["Mon", "Tue"], "rail": [0.3, 0.2], "road": [0.5, 0.6]}


@pytest.mark.parametrize(
    "frame", [pl.DataFrame(FRAME), pl.LazyFrame(FRAME), pd.DataFrame(FRAME)], ids=["polars", "lazy", "pandas"]
)
def test_the_columns_of_a_data_frame_are_matched_to_the_names(frame):
    expected = by.Hedge().start(PROBLEM)
    expected.play([[0.3, 0.5, 0.1], [0.2, 0.6, 0.9]])
    player = by.Hedge().start(PROBLEM)
    player.play(frame)
    assert (player.decide() == expected.decide()).all()
    with pytest.raises(ValueError, match="nothing here is called 'rail': the names are 'sea'"):
        player.play(pl.DataFrame({"sea": [0.1]}))


def test_the_costs_of_a_round_may_be_given_by_name():
    expected = by.Hedge().start(PROBLEM)
    expected.observe([0.3, 0.5, 0.1])
    row = {"sea": 0.1, "rail": 0.3, "road": 0.5}
    for costs in (row, pd.Series(row), pl.DataFrame(row).row(0, named=True)):
        player = by.Hedge().start(PROBLEM)
        player.observe(costs)
        assert (player.decide() == expected.decide()).all()
    with pytest.raises(ValueError, match="nothing here is called 'road'"):
        player.observe({"sea": 0.1, "rail": 0.3})
    unnamed = by.Hedge().start(PROBLEM.replace(actions=3))
    for costs in (pd.Series([0.3, 0.5, 0.1], index=[7, 8, 9]), pl.Series([0.3, 0.5, 0.1])):
        unnamed.observe(costs)


def test_a_history_may_be_given_by_name():
    by_name = by.FTARL().start(PROBLEM, history=["rail", "sea"])
    assert (by_name.history == by.FTARL().start(PROBLEM, history=[0, 2]).history).all()
    frame = {"sea": [0.0, 1.0], "rail": [1.0, 0.0], "road": [0.0, 0.0]}
    names = ["rail", "sea"]
    for history in (
        pl.DataFrame(frame),
        pl.LazyFrame(frame),
        pd.DataFrame(frame),
        pd.Series(names),
        pl.Series(names),
        np.array(names),
    ):
        assert (by.FTARL().start(PROBLEM, history=history).history == by_name.history).all()
    with pytest.raises(ValueError, match="there is no action 'air'"):
        by.FTARL().start(PROBLEM, history=["air"])


def test_an_empty_block_is_no_round():
    for learner in EXAMPLES:
        player = learner.start(PROBLEM)
        decisions = player.play(np.zeros((0, 3)))
        assert decisions.shape == ((0,) if player.pure else (0, 3))
        assert player.rounds == 0


@pytest.mark.parametrize("learner", [*EXAMPLES, Stranger()], ids=repr)
def test_an_empty_block_leaves_an_override_and_a_proposal_in_place(learner):
    player, costs = learner.start(PROBLEM), np.random.default_rng(0).random((4, 3))
    player.play(costs)
    if isinstance(player, GuardedPlayer):
        player.propose("sea")
    player.override("road")
    before = player.snapshot()
    assert len(player.play(np.zeros((0, 3)))) == 0
    after = player.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert player.decide().tolist() == [0, 1, 0]


@pytest.mark.parametrize("learner", [*EXAMPLES, Stranger()], ids=repr)
def test_an_override_is_of_the_first_round_of_a_block(learner):
    block, single, costs = learner.start(PROBLEM), learner.start(PROBLEM), np.random.default_rng(0).random((9, 3))
    for player in (block, single):
        player.play(costs[:3])
        player.override([0.25, 0.75, 0.0])
    advice = block.play(costs[3:])
    first = single.action if single.pure else single.advice
    single.observe(costs[3])
    assert np.array_equal(advice[0], first)
    assert np.array_equal(advice[1:], single.play(costs[4:]))
    one, other = block.snapshot(), single.snapshot()
    assert all(np.array_equal(one[name], other[name]) for name in one)


class Diary(Stranger):
    """Keeps what was done, as it is told by `decide` while it observes."""

    @property
    def player_type(self):
        return DiaryPlayer


class DiaryPlayer(Stranger().player_type):
    def begin(self):
        super().begin()
        self.before, self.after = np.zeros((2, self.problem.n))

    def observe(self, costs):
        decided = self.decide()
        super().observe(costs)
        self.before = self.before + decided
        self.after = self.after + self.decide()  # the override still counts, until the last `observe` is through


@pytest.mark.parametrize("inner", [Diary(), by.Guarded(Diary(), slack=0.0), by.Steering(Diary())], ids=repr)
def test_a_stranger_is_told_of_each_round_what_was_really_done(inner):
    """Alone and inside others, by `override`, by `play` and after both; the next round is its own again."""
    costs, real = np.random.default_rng(0).random((6, 3)), np.random.default_rng(1).dirichlet(np.ones(3), 6)
    player, expected = inner.start(PROBLEM), np.zeros(3)
    diary = player if isinstance(inner, Diary) else player.inner
    for t in range(2):
        player.override(real[t])
        player.observe(costs[t])
        expected += real[t]
        np.testing.assert_allclose([diary.before, diary.after], [expected, expected])
        assert np.array_equal(player.decide(), player.advice)
    player.play(costs[2:4], decisions=real[2:4])
    expected += real[2:4].sum(axis=0)
    np.testing.assert_allclose([diary.before, diary.after], [expected, expected])
    own = player.decide()
    player.observe(costs[4])
    np.testing.assert_allclose(diary.before, expected + own)
    with pytest.raises(ValueError, match="cost"):
        player.observe([np.nan] * 3)
    player.override(real[5])
    with pytest.raises(ValueError, match="cost"):
        player.observe([np.nan] * 3)
    assert np.array_equal(player.decide(), real[5])


def test_the_action_of_a_mixture_is_no_action():
    with pytest.raises(AttributeError, match=r"Hedge\(\) plays mixtures, not single actions: use decide\(\)"):
        _ = by.Hedge().start(PROBLEM).action


def test_ties_go_to_the_lowest_number():
    player = by.FollowTheLeader().start(PROBLEM)
    assert player.play([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]).tolist() == [0, 0, 1]
    assert player.action == 0


def test_ftpl_is_ftarl_in_law(monkeypatch):
    """The same rate, bound and law in every round; a chi-square test at four rounds, wrong with probability 1e-5."""
    problem = by.Problem(4, 40, by.Window(5))
    assert by.FTPL().rate_for(problem) == by.FTARL().rate_for(problem)
    assert by.FTPL(rate=0.2).bound(problem) == by.FTARL(rate=0.2).bound(problem)
    costs = by.StocHet().draw(4, 40, np.random.default_rng(3))
    player = replicates(by.FTPL(rate=0.2), problem)
    actions = player.advance(player.survey(costs))
    means = by.FTARL(rate=0.2, play="mean").start(problem).play(costs)
    for t in (0, 1, 10, 39):
        assert_frequencies(actions[:, t], means[t], 1e-5 / 4)
    whole = by.FTPL().start(problem).play(costs)
    monkeypatch.setattr(by.learners.ftpl, "NOISE_AT_ONCE", 12)  # three rounds at a time
    assert (by.FTPL().start(problem).play(costs) == whole).all()


@pytest.mark.parametrize("memory", [by.Window(7), by.FullHistory(), by.Geometric(0.9), by.Weights([0.2, 0.5, 0.3])])
def test_hedge_at_a_falling_rate(memory):
    """Against the formula, round by round; and it needs no horizon, but the range."""
    problem = by.Problem(4, None, memory, cost_range=2.0)
    costs = 2 * by.StocHet().draw(4, 80, np.random.default_rng(8))
    decisions = by.Hedge(tuning="anytime").start(problem).play(costs)
    lags = np.arange(2000.0)
    kernel = np.zeros(1) if isinstance(memory, by.FullHistory) else memory.weights(2000)
    m1, m2 = lags[: len(kernel)] @ kernel, (lags * (lags - 1))[: len(kernel)] @ kernel
    totals, lag_sum = np.zeros(4), m1**2 + 2 * m1 + m2
    for t in range(1, 81):
        lag_sum += 1 + 2 * memory.mean_lag(t)
        weights = np.exp(-2 * np.sqrt(np.log(4) / (4 * lag_sum)) * (totals - totals.min()))
        np.testing.assert_allclose(decisions[t - 1], weights / weights.sum(), rtol=0, atol=1e-12)
        totals += costs[t - 1]
    with pytest.raises(ValueError, match="the anytime rate needs the problem's cost_range"):
        by.Hedge(tuning="anytime").start(problem.replace(cost_range=None))
    with pytest.raises(ValueError, match="rate=1.0 and tuning='anytime' are given"):
        by.Hedge(rate=1.0, tuning="anytime")


def test_lsa_promises_what_hedge_does_at_its_rate():
    for learner in (by.LSA(), by.LSA(tuning="geulen"), by.LSA(rate=0.3)):
        assert learner.bound(PROBLEM) == by.Hedge(rate=learner.rate_for(PROBLEM)).bound(PROBLEM)
    with pytest.raises(ValueError, match="both rate=0.3 and tuning='geulen' are given"):
        by.LSA(rate=0.3, tuning="geulen")


def test_seeds_make_these_runs_for_ever():
    """Pinned, so that a run published with its seed can be made again."""
    costs = by.Blocks(3).draw(3, 24, np.random.default_rng(1))
    runs = {
        learner: "".join(map(str, learner.start(PROBLEM, seed=7).play(costs)))
        for learner in (by.FTARL(rate=0.5), by.LSA(rate=0.5), by.FTPL(rate=0.5))
    }
    assert runs == PINNED


def test_a_snapshot_is_a_copy_and_can_be_resumed_more_than_once():
    costs = by.StocHet().draw(3, 20, np.random.default_rng(0))
    for learner in EXAMPLES:
        player = learner.start(PROBLEM, seed=2)
        player.play(costs[:7])
        taken = player.snapshot()
        kept = {name: np.copy(value) for name, value in taken.items()}
        first = player.play(costs[7:])
        assert all(np.array_equal(kept[name], taken[name]) for name in kept)
        for _ in range(2):
            player.restore(taken)
            assert (player.play(costs[7:]) == first).all()


def test_decisions_cannot_be_written_to():
    for learner in EXAMPLES:
        player = learner.start(PROBLEM, seed=2)
        for taken in (player, copy.deepcopy(player)):
            decision = taken.decide()
            assert not decision.flags.writeable
            taken.observe([0.0, 0.5, 1.0])
            before = decision.copy()
            taken.observe([1.0, 0.5, 0.0])
            assert (decision == before).all()
        vertex = by.Fixed(1).start(PROBLEM).decide()
        with pytest.raises(ValueError, match="WRITEABLE"):
            vertex.setflags(write=True)  # all rounds share it


def test_copies_are_players_of_their_own():
    for learner in EXAMPLES:
        player = learner.start(PROBLEM, seed=2)
        for again in (copy.copy(player), copy.deepcopy(player)):
            before = player.snapshot()
            again.play([[0.0, 0.5, 1.0]] * 9)
            assert all(np.array_equal(before[name], value) for name, value in player.snapshot().items())
    state = by.Window(2).start(2)
    copy.copy(state).push([1, 0])
    assert state.count == 0


def test_players_say_what_they_are():
    player = by.Hedge().start(by.Problem(2, 9, by.Window(3)), history=[0, 1])
    assert repr(player) == (
        "<Hedge() on Problem(actions=2, horizon=9, memory=Window(length=3)), 0 rounds observed, "
        "after a history of 2, so that regret and policy regret differ>"
    )
    assert repr(by.Window(3).start(2)) == "<Window(length=3) over 2 actions, 0 decisions in it>"


def test_a_player_of_several_seeds_is_not_saved():
    player = by.LSA().player_type(by.LSA(), PROBLEM, [1, 2])
    with pytest.raises(ValueError, match="has 2 seeds: only a player of one can be saved"):
        player.snapshot()


def test_the_history_is_the_players_own():
    history = np.eye(3)[[0, 1]]
    player = by.LSA().start(PROBLEM, history=history)
    history[:] = 9
    assert (player.history == np.eye(3)[[0, 1]]).all()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True, [1, 2]])
def test_a_seed_is_a_whole_number_or_a_sequence(seed):
    with pytest.raises(ValueError, match="the seed is .*: give a whole number of at least 0"):
        by.FTARL().start(PROBLEM, seed=seed)


def test_large_constants_cost_no_digits():
    """Hedge, LSA and FTARL's mean take the least cost off each round before they sum."""
    costs = by.StocHet().draw(3, 50, np.random.default_rng(4))
    for learner in (by.Hedge(), by.LSA(play="mean"), by.FTARL(play="mean")):
        plain, far = (learner.start(PROBLEM).play(table) for table in (costs, costs + 1e9))
        np.testing.assert_allclose(plain, far, rtol=0, atol=1e-5)


@pytest.mark.parametrize("start", [None, by.Window(5), 7])
def test_what_is_no_problem_is_told(start):
    with pytest.raises(ValueError, match="the problem is .*: give a Problem"):
        by.Hedge().start(start)
    with pytest.raises(ValueError, match="the problem is .*: give a Problem"):
        by.bounds(start)


def test_fixed_takes_names_and_numbers():
    assert by.Fixed("sea").start(PROBLEM).action == by.Fixed(2).start(PROBLEM).action == 2
    with pytest.raises(ValueError, match="there is no action 'air'"):
        by.Fixed("air").start(PROBLEM)


def test_play_reads_any_real_table_and_writes_none():
    for table in ([[0, 1, 0]] * 4, np.asfortranarray(np.eye(3)), np.eye(3, dtype=np.float32), np.eye(6)[::2, ::2]):
        expected = by.FTARL(rate=0.1).start(PROBLEM).play(np.array(table, dtype=np.float64))
        assert (by.FTARL(rate=0.1).start(PROBLEM).play(table) == expected).all()
    frozen = np.eye(3)
    frozen.flags.writeable = False
    by.FTARL(rate=0.1).start(PROBLEM).play(frozen)


def test_a_stranger_warns_of_the_horizon_once():
    player = Stranger().start(PROBLEM.replace(horizon=2))
    with pytest.warns(UserWarning, match="past the horizon") as caught:
        player.play([[0.0, 0.5, 1.0]] * 5)
    assert len(caught) == 1


@pytest.mark.parametrize("learner", [by.FTARL(), by.LSA(rate=0.5), by.FTPL()], ids=repr)
def test_replicates_that_share_the_costs_are_the_players_of_their_seeds(learner):
    """A player of many seeds makes the very decisions that each seed makes on its own."""
    costs = by.StocHet().draw(3, 50, np.random.default_rng(1))
    together = learner.player_type(learner, PROBLEM, [3, 4, 5])
    halves = costs[:20], costs[20:]
    decisions = np.hstack([together.advance(together.survey(half)) for half in halves])
    alone = [learner.start(PROBLEM, seed=seed).play(costs) for seed in (3, 4, 5)]
    assert (decisions == alone).all()


def test_rewards_are_costs_with_the_sign_flipped():
    rewards = np.random.default_rng(2).random((50, 3))
    flipped = by.Table(rewards, rewards=True).draw(3, 50, np.random.default_rng(0))
    assert (by.FTARL().start(PROBLEM).play(flipped) == by.FTARL().start(PROBLEM).play(-rewards)).all()


def test_a_seed_is_a_number_a_sequence_or_a_generator_that_draws_one():
    costs = by.StocHet().draw(3, 50, np.random.default_rng(1))
    drawn = as_seed(np.random.default_rng(4))
    assert 0 <= drawn < 2**63
    one, other = (by.FTPL().start(PROBLEM, seed=seed).play(costs) for seed in (drawn, np.random.default_rng(4)))
    assert (one == other).all()
    generator = np.random.default_rng(4)
    assert as_entropy(generator) == drawn != as_entropy(generator)
    assert as_entropy(np.random.SeedSequence(5)) == as_entropy(np.int64(5)) == 5
    assert 5 != as_entropy(np.random.SeedSequence(5, spawn_key=(1,))) < 2**63
    for bad in (-1, 0.5, "7", None, True):
        for read in (as_seed, as_entropy):
            with pytest.raises(ValueError, match="the seed is .*: give a whole number"):
                read(bad)


@pytest.mark.parametrize(
    "learner", [by.FTARL(), by.LSA(), by.FTPL(), by.Pure(by.Steering(by.Hedge(tuning="anytime")))], ids=repr
)
def test_several_seeds_observe_as_they_play(learner):
    costs = by.StocHet().draw(3, 50, np.random.default_rng(1))
    streamed, played = (learner.player_type(learner, PROBLEM, [3, 4, 5]) for _ in range(2))
    for row in costs:
        streamed.observe(row)
    played.advance(played.survey(costs))
    assert (streamed.current == played.current).all()
    assert (streamed.tally.totals == played.tally.totals).all()


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
def test_costs_of_any_form_are_observed_alike(learner):
    """Strided, read-only, lists, tuples, and numbers of other types."""
    table = np.asfortranarray(np.round(by.StocHet().draw(3, 40, np.random.default_rng(1)) * 8) / 8)
    locked = table.copy()
    locked.setflags(write=False)
    forms = [
        list(np.ascontiguousarray(table)),
        list(table),
        list(locked),
        table.tolist(),
        list(map(tuple, table.tolist())),
        list(table.astype(np.float32)),
        list(table.astype(">f8")),
    ]
    ends = []
    for rows in forms:
        player = learner.start(PROBLEM, seed=3)
        for row in rows:
            player.observe(row)
        ends.append(player.snapshot())
    for other in ends[1:]:
        assert all(np.array_equal(value, other[name]) for name, value in ends[0].items())


class Paying(by.RowPlayer):
    """Keeps what its decisions have cost, as somebody would write it who never heard of overrides."""

    def begin(self):
        self.paid = 0.0

    def decide(self):
        return self.mixture([0.75, 0.25])

    def observe(self, costs):
        self.paid += float(self.accept(costs) @ self.decide())


class Beside:
    """What a class beside a player's gives."""

    def decide(self):
        return self.mixture([0.75, 0.25])

    def observe(self, costs):
        self.paid += float(self.accept(costs) @ self.decide())


class Borrowing(Beside, by.RowPlayer):
    def begin(self):
        self.paid = 0.0


class Somebodys(by.Learner):
    borrows: bool = False

    @property
    def player_type(self):
        return Borrowing if self.borrows else Paying


@pytest.mark.parametrize("borrows", [False, True], ids=["own methods", "borrowed methods"])
@pytest.mark.parametrize(
    "around", [lambda one: one, by.Pure, by.Steering, by.Guarded, lambda one: by.Guarded(by.Pure(one))]
)
def test_a_strangers_account_is_that_of_the_real_decisions_whoever_is_around_it(around, borrows):
    costs, real = np.random.default_rng(3).random((12, 2)), np.tile([0.5, 0.5], (12, 1))
    for block in (True, False):
        player = around(Somebodys(borrows)).start(by.Problem(2, 12, by.Window(3)), seed=1)
        if block:
            player.play(costs, decisions=real)
        else:
            for row, decision in zip(costs, real, strict=True):
                player.override(decision)
                player.observe(row)
        while not isinstance(player, by.RowPlayer):
            player = player.inner
        assert player.paid == pytest.approx((costs * real).sum())
        assert not len(player.real)


class Stubborn(by.Steering):
    """Somebody's subclass, whose players do something else."""

    @property
    def player_type(self):
        return Always


class Always(by.RowPlayer):
    def begin(self):
        pass

    def decide(self):
        return self.vertex(1)

    def observe(self, costs):
        self.accept(costs)


def test_a_subclass_of_a_learner_plays_as_it_says():
    problem, costs = by.Problem(2, 6, by.Window(2)), np.tile([0.0, 0.1], (6, 1))
    assert (by.Guarded(Stubborn(), slack=9.0).start(problem).play(costs)[:, 1] == 1).all()


class Failing(Always):
    """Raises once, in the third round."""

    def observe(self, costs):
        if self.rounds == 2 and not hasattr(self, "_failed"):
            self._failed = True
            raise RuntimeError("no connection")
        super().observe(costs)


class Unreliable(by.Learner):
    player_type = Failing


def test_a_stranger_that_fails_leaves_the_guard_as_it_was():
    for learner in (by.Guarded(Unreliable()), by.Steering(Unreliable())):
        player = learner.start(by.Problem(2, 9, by.Window(3)))
        player.play([[0.0, 1.0]] * 2)
        before = player.snapshot()
        with pytest.raises(RuntimeError, match="no connection"):
            player.observe([1.0, 0.0])
        assert all(np.array_equal(value, player.snapshot()[name]) for name, value in before.items())
        player.observe([1.0, 0.0])
        assert player.rounds == player.inner.rounds == player.memory.count == 3
