"""The engine against step-by-step players, and what must not change its numbers."""

import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.random import SeedSequence, default_rng
from samples import MEMORIES, Stranger
from sweeping import swept

import bygones as by
from bygones import parallel
from bygones.accounting import regret, switches
from bygones.engine import feed, some_replicates
from bygones.engine import tables as engine_tables
from bygones.kernels import Tally
from bygones.learners import BlockPlayer
from bygones.memory import Ledger
from bygones.memory.paths import StatePaths, start_paths

PROBLEM = by.Problem(["rail", "road", "sea"], 300, by.Window(10))
LEARNERS = [
    by.FTARL(),
    by.LSA(rate=0.2),
    by.FTPL(),
    by.Hedge(),
    by.FTARL(play="mean"),
    by.Steering(),
    by.Pure(by.AdaHedge()),
    by.FollowTheLeader(),
    by.Fixed(1),
]
FAMILIES = [by.StocHet(), by.StocId(), by.Cyclic(7, 2), by.Blocks(11), by.Trap(30), by.SquareWave(9)]


def same(one, other):
    return one.regrets.keys() == other.regrets.keys() and all(
        np.array_equal(one.regrets[label], other.regrets[label]) for label in one.regrets
    )


@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_losses_of_paths_are_those_of_their_states(memory):
    """Steady paths and wild ones, in blocks of odd sizes."""
    rng = default_rng(0)
    n, T = 4, 700
    costs = rng.uniform(-1, 1, (T, n))
    actions = np.vstack([np.repeat(rng.integers(0, n, T // 50), 50), rng.integers(0, n, T), np.full(T, 2)])
    paths, states, tally = start_paths(memory, n, 3), StatePaths(n, 3, memory, None), Tally(n)
    totals = np.zeros((2, 3))
    for piece in (slice(0, 1), slice(1, 130), slice(130, 131), slice(131, T)):
        block, paid = tally.survey(costs[np.newaxis, piece], np.inf)[0], []
        rounds = block.rounds
        for way, total in zip((paths, states), totals, strict=True):
            ledger = Ledger(total, np.arange(rounds), np.empty((3, rounds + 1)), 1)
            way.pay(block, np.ascontiguousarray(actions[:, piece]), ledger)
            paid.append(ledger.regrets[:, 1:])
            np.testing.assert_allclose(ledger.total - block.best[0, -1], paid[-1][:, -1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(paid[0], paid[1], rtol=0, atol=1e-11)


class Lazy(by.Window):
    """A window by name only: it has no form that kernels know, and its state is the newest decision."""

    form = None

    def state(self, n):
        return by.Window(1).state(n)


def test_a_memory_that_only_descends_from_ours_is_paid_by_its_own_states():
    learners = [by.Fixed(1), by.FTARL(rate=0.3)]
    own = by.simulate(PROBLEM.replace(memory=Lazy(50)), learners, by.Blocks(9), 3)
    assert same(own, by.simulate(PROBLEM.replace(memory=by.Window(1)), learners, by.Blocks(9), 3))


@pytest.mark.parametrize("offset", [2.0**20, -(2.0**40)])
def test_large_constants_cost_no_digits_of_regret(offset):
    costs = default_rng(0).integers(-256, 1, (2000, 3)) / 256  # so that adding the constant is exact
    learners = [by.Hedge(), by.Uniform(), by.Fixed(1)]
    plain, far = (by.simulate(PROBLEM.replace(horizon=2000), learners, table, 1) for table in (costs, costs + offset))
    for label in plain.regrets:
        np.testing.assert_allclose(plain.regrets[label], far.regrets[label], rtol=0, atol=1e-9)
    states = np.tile([0.25, 0.5, 0.25], (2000, 1))
    np.testing.assert_allclose(regret(costs, states), regret(costs + offset, states), rtol=0, atol=1e-9)


@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
@pytest.mark.parametrize("family", [by.StocHet(), by.Blocks(11)], ids=repr)
def test_simulation_makes_the_decisions_of_step_by_step_players(memory, family):
    problem = by.Problem(3, 200, memory)
    result = by.simulate(problem, LEARNERS, family, replicates=3, seed=5, workers=1)  # so that they share blocks
    for replicate in range(3):
        costs = family.draw(3, 200, default_rng(SeedSequence(5, spawn_key=(replicate, 0))))
        for label, learner in zip(result.regrets, LEARNERS, strict=True):
            player = learner.start(problem, SeedSequence(5, spawn_key=(replicate, 1)))
            state = memory.start(3)
            states = []
            for row in costs:
                states.append(state.push(player.decide()))
                player.observe(row)
            np.testing.assert_allclose(result.regrets[label][replicate], regret(costs, states), rtol=0, atol=1e-9)


def own_costs(family, replicate, seed=0):
    return family.draw(3, 300, default_rng(SeedSequence(seed, spawn_key=(replicate, 0))))


def test_each_replicate_has_its_own_guarantee_and_switches():
    learners = [by.Hedge(), by.Pure(by.Hedge())]
    both = by.simulate(PROBLEM, learners, by.StocHet(), replicates=4, workers=1, guarantee=True)
    moved = []
    for replicate in range(4):
        costs = own_costs(by.StocHet(), replicate)
        alone = by.expected(PROBLEM, [by.Hedge()], costs, guarantee=True)
        np.testing.assert_array_equal(both.guarantees["Hedge"][replicate], alone.guarantees["Hedge"][0])
        player = learners[1].start(PROBLEM, SeedSequence(0, spawn_key=(replicate, 1)))
        player.play(costs)
        moved.append(player.expected_switches)
    assert both.about["expected_switches"]["Pure"] == pytest.approx(np.mean(moved), rel=1e-12)


class Cheapest(by.Learner):
    """Plays the cheapest action of the last round; its player knows one table only, as most will."""

    @property
    def player_type(self):
        return CheapestPlayer


class CheapestPlayer(BlockPlayer):
    pure = True

    def begin(self):
        self.tally = Tally(self.problem.n)
        self.current = np.zeros(len(self.generators), dtype=np.int64)

    def run(self, block):
        best = block.costs[0].argmin(axis=1)
        path = np.concatenate([self.current[:1], best])
        self.current = np.full_like(self.current, path[-1])
        return np.tile(path[:-1], (len(self.current), 1))


@pytest.mark.parametrize("costs_per", ["replicate", "shared"])
def test_a_player_that_knows_one_table_plays_each_replicates_own(costs_per):
    result = by.simulate(PROBLEM, [Cheapest()], by.StocHet(), 4, workers=1, costs_per=costs_per)
    for replicate in range(4):
        costs = own_costs(by.StocHet(), replicate if costs_per == "replicate" else 0)
        alone = by.simulate(PROBLEM, [Cheapest()], costs, 1)
        np.testing.assert_array_equal(result.regrets["Cheapest"][replicate], alone.regrets["Cheapest"][0])


def test_a_range_that_is_broken_in_any_table_is_refused():
    started = []

    class Wide(by.StocId):
        def source(self, n, rounds, generator):
            source, started_before = super().source(n, rounds, generator), len(started)
            started.append(1)
            fill = source._fill

            def wide(costs):
                fill(costs)
                costs[6, 1] -= 3.0 * (started_before == 2)

            source._fill = wide
            return source

    with pytest.raises(ValueError, match="the costs of round 7 spread over 3"):
        by.simulate(PROBLEM, [by.FTARL()], Wide(), 5, workers=1)


@pytest.mark.parametrize("costs_per", ["replicate", "shared"])
def test_workers_and_blocks_change_no_bit(costs_per, monkeypatch):
    base = by.simulate(PROBLEM, LEARNERS, by.StocHet(), replicates=7, seed=1, workers=1, costs_per=costs_per)
    assert same(base, by.simulate(PROBLEM, LEARNERS, by.StocHet(), 7, 1, workers=3, costs_per=costs_per))
    for size in (3, 50, 333):
        monkeypatch.setattr(engine_tables, "AT_ONCE", 3)
        monkeypatch.setattr(feed, "BLOCK", size)
        assert same(base, by.simulate(PROBLEM, LEARNERS, by.StocHet(), 7, 1, workers=2, costs_per=costs_per))


def test_another_learner_or_replicate_changes_no_other_number():
    few = by.simulate(PROBLEM, [by.FTARL(), by.LSA()], by.StocHet(), replicates=3, seed=1)
    many = by.simulate(PROBLEM, [by.LSA(), by.Hedge(), by.FTARL()], by.StocHet(), replicates=5, seed=1)
    for label in few.regrets:
        assert (few.regrets[label] == many.regrets[label][:3]).all()
    assert not same(few, by.simulate(PROBLEM, [by.FTARL(), by.LSA()], by.StocHet(), replicates=3, seed=2))


@pytest.mark.parametrize("learner", [*LEARNERS, by.Guarded()], ids=repr)
@pytest.mark.parametrize("costs", [by.StocHet(), default_rng(5).random((300, 3))], ids=["family", "table"])
@pytest.mark.parametrize("exact", [False, True])
def test_some_replicates_are_those_of_the_whole(learner, costs, exact):
    run = by.expected if exact else by.simulate
    if exact and learner.mean() is None:
        return
    learner = learner.replace(action="road") if isinstance(learner, by.Fixed) else learner
    whole = run(PROBLEM, [learner], costs, replicates=5, seed=3, record="log:9", guarantee=True)
    some = some_replicates(
        PROBLEM, learner, costs, range(2, 5), 3, exact=exact, record="log:9", guarantee=True, switches=True
    )
    ((label, regrets),) = whole.regrets.items()
    assert some.rounds.tolist() == whole.rounds.tolist()
    assert some.regrets.tobytes() == regrets[2:].tobytes()
    kept = whole.guarantees.get(label)
    assert (some.guarantees is None) == (kept is None)
    if kept is not None:
        assert some.guarantees.tobytes() == kept[2:].tobytes()
    played = learner.mean() if exact else learner
    for replicate, moved in zip(range(2, 5), some.switches, strict=True):
        table = costs
        if isinstance(costs, by.Costs):
            table = costs.draw(3, 300, np.random.Generator(np.random.PCG64(SeedSequence(3, spawn_key=(replicate, 0)))))
        decisions = played.start(PROBLEM, SeedSequence(3, spawn_key=(replicate, 1))).play(table)
        assert moved == pytest.approx(switches(decisions), rel=1e-12)


def test_shared_costs_are_those_of_replicate_zero():
    shared = by.simulate(PROBLEM, [by.Hedge()], by.StocHet(), replicates=4, seed=3, costs_per="shared")
    own = by.simulate(PROBLEM, [by.Hedge()], by.StocHet(), replicates=4, seed=3)
    assert (shared.regrets["Hedge"] == own.regrets["Hedge"][0]).all()


def test_every_way_to_give_a_table_gives_the_same_numbers(tmp_path, monkeypatch):
    values = by.StocHet().draw(3, 300, default_rng(4))
    frame = pl.DataFrame(dict(zip(("rail", "road", "sea"), values.T, strict=True)))
    shuffled = frame.select("sea", "rail", "road", note=pl.lit("x"))
    np.save(tmp_path / "costs.npy", values)
    shuffled.write_parquet(tmp_path / "costs.parquet")
    base = by.simulate(PROBLEM, [by.FTARL(), by.LSA()], values, replicates=6, seed=1)
    monkeypatch.setattr(feed, "BLOCK", 60)
    frozen = values.copy()
    frozen.flags.writeable = False
    for costs in (
        values,
        frozen,
        np.asfortranarray(values),
        values.tolist(),
        by.Table(values),
        by.Table(shuffled.drop("note")),
        shuffled,
        shuffled.lazy(),
        pd.DataFrame(shuffled.to_dict(as_series=False)),
        (values[i : i + 7] for i in range(0, 300, 7)),
        (shuffled[i : i + 50] for i in range(0, 300, 50)),
        tmp_path / "costs.npy",
        str(tmp_path / "costs.parquet"),
    ):
        assert same(base, by.simulate(PROBLEM, [by.FTARL(), by.LSA()], costs, replicates=6, seed=1)), type(costs)


def test_an_iterator_may_end_early_or_go_on():
    values = by.StocHet().draw(3, 300, default_rng(4))
    short = by.simulate(PROBLEM, [by.Hedge()], iter([values[:100]]), replicates=1)
    assert short.rounds[-1] == 100
    for record in ("end", 7):
        sparse = by.simulate(PROBLEM, LEARNERS, iter([values[:60], values[60:100]]), 5, record=record, workers=2)
        whole = by.simulate(PROBLEM, LEARNERS, values[:100], 5)
        assert sparse.rounds[-1] == 100
        for label in whole.regrets:
            assert (sparse.regrets[label] == whole.regrets[label][:, sparse.rounds - 1]).all()
    long = by.simulate(PROBLEM, [by.Hedge()], iter([values, values]), replicates=1)
    assert long.rounds[-1] == 300
    assert (short.regrets["Hedge"] == long.regrets["Hedge"][:, :100]).all()


@pytest.mark.parametrize(
    ("record", "rounds"),
    [
        ("all", list(range(1, 301))),
        (None, list(range(1, 301))),
        ("end", [300]),
        (3, [100, 200, 300]),
        (1, [300]),
        (1000, list(range(1, 301))),
        ("log:1", [300]),
        ("log:3", [1, 17, 300]),
        ([17, 5], [5, 17, 300]),
    ],
)
def test_records(record, rounds):
    whole = by.simulate(PROBLEM, [by.FTARL()], by.StocHet(), 2)
    some = by.simulate(PROBLEM, [by.FTARL()], by.StocHet(), 2, record=record)
    assert some.rounds.tolist() == rounds
    assert (some.regrets["FTARL"] == whole.regrets["FTARL"][:, some.rounds - 1]).all()


def test_long_games_keep_a_thousand_rounds():
    result = by.simulate(by.Problem(2, 10_500, by.Window(5)), [by.Hedge()], by.StocId(), 1)
    assert (len(result.rounds), result.rounds[-1]) == (1000, 10_500)


@pytest.mark.compiled
@pytest.mark.parametrize("family", FAMILIES, ids=repr)
@swept(300, 1500)
def test_means_agree_with_the_exact_expectation(family, examples):
    """Paired on the same costs: within 4 standard errors for every learner that draws."""
    drawing = [by.FTARL(), by.LSA(rate=0.1), by.FTPL(rate=0.3), by.Pure(by.Steering())]
    sampled = by.simulate(PROBLEM, drawing, family, replicates=examples, seed=2, record="end")
    exact = by.expected(PROBLEM, drawing, family, replicates=examples, seed=2, record="end")
    for label in sampled.regrets:
        difference = (sampled.regrets[label] - exact.regrets[label])[:, 0]
        assert abs(difference.mean()) < 4 * difference.std(ddof=1) / examples**0.5 + 1e-9


def test_expected_wants_a_mean_and_finds_it():
    class Blind(by.FTARL):
        def mean(self):
            return None

    with pytest.raises(ValueError, match=r"Blind\(\) has no mean that is known: simulate it instead"):
        by.expected(PROBLEM, [Blind()], by.StocHet())
    exact = by.expected(PROBLEM, [by.FTARL(), by.Hedge()], by.StocHet(), replicates=2)
    assert exact.about["exact"]
    assert list(exact.regrets) == ["FTARL", "Hedge"]
    assert exact.learners == (by.FTARL(), by.Hedge())


def test_strangers_play_too():
    result = by.simulate(PROBLEM, [Stranger(), by.Hedge(rate=0.3)], by.StocHet(), replicates=3)
    np.testing.assert_allclose(result.regrets["Stranger"], result.regrets["Hedge"], rtol=0, atol=1e-9)


def test_rounds_past_the_horizon_are_warned_of():
    with pytest.warns(UserWarning, match="400 rounds are past the horizon of 300"):
        by.simulate(PROBLEM, [by.Hedge()], by.StocHet(), 1, rounds=400)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert by.simulate(PROBLEM, [by.Hedge()], by.StocHet(), 1, rounds=100).rounds[-1] == 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"costs": np.zeros((2, 50, 3))}, r"costs of shape \(2, 50, 3\): give 3 costs a round"),
        ({"costs": iter([np.zeros((1, 50, 3))])}, r"costs of shape \(50, 3\): give 3 costs a round"),
        ({"problem": 5}, "the problem is 5: give a Problem"),
        ({"learners": by.FTARL()}, r"the learners are FTARL\(\): give a list"),
        ({"learners": []}, r"the learners are \[\]: give a list"),
        ({"learners": [by.FTARL(), by.FTARL()]}, "is given twice"),
        ({"replicates": 0}, "replicates is 0"),
        ({"workers": 0}, "workers is 0"),
        ({"seed": -1}, "the seed is -1"),
        ({"record": "some"}, "record is 'some': give 'all', 'end'"),
        ({"record": 0}, "the number of rounds to record is 0"),
        ({"record": 2.7}, "the number of rounds to record is 2.7"),
        ({"record": True}, "the number of rounds to record is True"),
        ({"record": [1, 301]}, "a round to record is 301: give a whole number"),
        ({"record": "log:0"}, "record is 'log:0'"),
        ({"learners": 5}, "the learners are 5: give a list"),
        ({"costs": np.ma.array(np.zeros((5, 3)), mask=True)}, r"costs\[0\] \(action 'rail'\) is nan at round 1"),
        ({"costs": np.array(3.0)}, r"costs of shape \(\)"),
        ({"costs": iter([None])}, "a table of shape"),
        ({"costs": iter([{"rail": 1.0}])}, "column .rail. is 1: give one value per period"),
        ({"costs": "missing.npy"}, "missing.npy: there is no such file"),
        ({"costs_per": "each"}, "costs_per is 'each': give one of"),
        ({"rounds": 0}, "rounds is 0"),
        (
            {"problem": PROBLEM.replace(horizon=None), "learners": [by.Uniform()]},
            "a family of costs has no end: give rounds=",
        ),
        ({"costs": np.zeros((5, 2))}, r"costs of shape \(5, 2\): give 3 costs a round"),
        ({"costs": np.zeros((5, 3)), "rounds": 6}, "the table has 5 rows, and 6 rounds are asked for"),
        ({"costs": np.zeros((0, 3))}, "the table has 0 rows"),
        ({"costs": np.array([[0.0, 0.0, np.nan]])}, r"costs\[2\] \(action 'sea'\) is nan at round 1"),
        ({"costs": np.array([[0.0, 0.0, 0.0], [0.0, 5.0, 0.0]])}, "the costs of round 2 spread over 5.0"),
        ({"costs": "costs.csv"}, "costs.csv: there is no such file"),
        ({"costs": iter([]), "problem": PROBLEM.replace(horizon=None), "learners": [by.Uniform()]}, "give rounds="),
        ({"costs": iter([])}, "the costs end after 0 rounds"),
        ({"problem": PROBLEM.replace(cost_range=0.01)}, "spread over"),
    ],
)
def test_bad_input(change, message):
    given = {"problem": PROBLEM, "learners": [by.FTARL()], "costs": by.StocHet(), "replicates": 2} | change
    with pytest.raises(ValueError, match=message):
        by.simulate(**given)


@pytest.mark.parametrize("name", ["costs.npy", "costs.parquet"])
def test_damaged_files_are_told(name, tmp_path):
    for content in (b"", b"nothing of the kind", b"PAR1" * 5):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=f"{name}: it is (empty|not an? .*, or only a part of one)"):
            by.simulate(PROBLEM, [by.Hedge()], tmp_path / name, 1)
    pl.DataFrame({"rail": [1.0], "road": [1.0]}).write_parquet(tmp_path / "few.parquet")
    with pytest.raises(ValueError, match="nothing here is called 'sea'"):
        by.simulate(PROBLEM, [by.Hedge()], tmp_path / "few.parquet", 1)
    np.save(tmp_path / "whole.npy", np.arange(6, dtype=np.float32).reshape(2, 3) / 10)
    assert by.simulate(PROBLEM, [by.Hedge()], tmp_path / "whole.npy", 1).rounds[-1] == 2


def test_learners_may_come_from_a_generator():
    assert list(by.simulate(PROBLEM, (learner for learner in LEARNERS[:2]), by.StocId(), 2).regrets) == ["FTARL", "LSA"]


def test_seeds_may_be_as_long_as_entropy():
    seed = 2**100 + 1
    assert by.simulate(PROBLEM, [by.FTARL()], by.StocId(), 2, seed=seed).about["seed"] == seed
    by.FTARL().start(PROBLEM, seed=seed)


def test_an_interruption_leaves_no_thread_at_work(monkeypatch):
    """An interruption in one game stops another that is under way at its next block, and begins no further one."""
    monkeypatch.setattr(feed, "BLOCK", 30)
    started, taken = [], []

    class Counting(by.StocId):
        def source(self, n, rounds, generator):
            started.append(1)
            if len(started) == 20:
                raise KeyboardInterrupt
            source = super().source(n, rounds, generator)
            fill = source._fill

            def slowly(costs):
                taken.append(len(costs))
                time.sleep(0.01)
                fill(costs)

            source._fill = slowly
            return source

    with pytest.raises(KeyboardInterrupt):
        by.simulate(PROBLEM, [by.Hedge()], Counting(), 100, workers=2)
    assert len(started) < 40  # of 100; eight are begun together
    assert len(taken) < 1500  # of 3,000


def test_an_interruption_stops_all_threads():
    class Stopping(by.StocId):
        def source(self, n, rounds, generator):
            raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt, match="the simulation was interrupted, and nothing of it is kept"):
            by.simulate(PROBLEM, [by.Hedge()], Stopping(), 50, workers=workers)


def test_progress_is_shown_when_asked_for(capsys, monkeypatch):
    by.simulate(PROBLEM, [by.Hedge()], by.StocId(), 2, progress=True)
    assert capsys.readouterr().err == ""  # too quick to be worth a bar
    monkeypatch.setattr(parallel, "PATIENCE", 0.0)
    by.simulate(PROBLEM, [by.Hedge()], by.StocId(), 2, progress=True)
    assert "simulating" in capsys.readouterr().err
    by.simulate(PROBLEM, [by.Hedge()], by.StocId(), 2)
    assert capsys.readouterr().err == ""
