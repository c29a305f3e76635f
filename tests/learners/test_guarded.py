"""Guarded against plain transcriptions: what it decides, trusts, guarantees and leaves, whoever proposes."""

from math import log, sqrt

import numpy as np
import pytest
import reference
from samples import FadingByHand, Stranger, WeightsByHand, WindowByHand

import bygones as by
from bygones.accounting import regret
from bygones.checks import LEARNER_CHECKS

T, N = 18, 3
MEMORIES = [
    by.Window(1),
    by.Window(5),
    by.Window(1000),
    by.FullHistory(),
    by.Geometric(0.5),
    by.Weights([0.5, 0.2, 0.3]),
    WindowByHand(),
    WeightsByHand(),
]
FORGETTING = {  # m1^2 + 2 m1 + m2 of the memories that forget, 0 where m2 is not given; and how long decisions count
    by.Window(1): (0.0, 1),
    by.Window(5): (2**2 + 2 * 2 + 4, 5),
    by.Geometric(0.5): (3 + 2, 50),
    by.Weights([0.5, 0.2, 0.3]): (0.8**2 + 2 * 0.8 + 0.6, 3),
    by.Weights([0.5, 0.0, 0.0, 0.5]): (1.5**2 + 2 * 1.5 + 3, 4),
    WindowByHand(): (1 + 2 + 2 / 3, 3),
    WeightsByHand(): (0.0, 3),
    FadingByHand(): (3 * (2 / 3) ** 2 + 2 * 2 / 3, 40),
}
INNER = {
    "leader": by.FollowTheLeader(),
    "adaptive": by.AdaHedge(),
    "steering": by.Steering(),
    "shared": by.Steering(by.FixedShare(rate=0.4, share=0.1)),
    "stranger": Stranger(),
    "guarded": by.Guarded(by.FollowTheLeader(), slack=0.3, shadow=by.Hedge(rate=0.2)),
    "open": by.Guarded(by.FollowTheLeader(), slack=0.3, shadow=by.Hedge(tuning="anytime")),
    "advice": by.Advice([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0], [0.9, 0.0, 0.1]] * T),
}


def costs_of(number, rounds=T, R=1.0):
    """Costs that turn now and then, so that the guard has something to do."""
    rng = np.random.default_rng(number)
    return R * (rng.random((rounds, N)) * 0.3 + 0.7 * (np.arange(rounds)[:, np.newaxis] // 4 % N == np.arange(N)))


def proposer(who, memory, R, horizon):
    """What a learner inside proposes, by transcriptions alone; of all decisions taken the first ones are a history."""
    lags, advice = memory.weights, INNER["advice"].table

    def propose(costs, taken):
        more, past, real = np.vstack([costs, np.zeros(N)]), taken[: len(taken) - len(costs)], taken[-len(costs) :]
        totals, real = costs.sum(axis=0), list(real) if len(costs) else []
        if who == "leader":
            return reference.unit(reference.leader(totals, np.zeros(N)), N)
        if who in ("adaptive", "steering"):
            return reference.adaptive(more, lags, who == "steering", real=real, past=past)[0][-1]
        if who == "shared":
            return reference.steer(reference.fixed_share(more, 0.4, 0.1)[-1], lags, taken)
        if who == "stranger":
            return reference.exponential_weights(totals, 0.3)
        if who == "guarded":
            inside = proposer("leader", memory, R, horizon)
            return reference.guarded(more, lags, R, inside, 0.3, 0.2, horizon, past=past, real=real)[0][-1]
        if who == "open":
            inside = proposer("leader", memory, R, horizon)
            said = (R, inside, 0.3, *FORGETTING[memory])
            return reference.guarded_open(more, lags, *said, past=past, real=real)[0][-1]
        return np.array(advice[len(costs)])

    return propose


def tuned(memory, R, horizon):
    lags = [sum(k * a for k, a in enumerate(memory.weights(t))) for t in range(1, horizon + 1)]
    return sqrt(8 * log(N) / sum(1 + 2 * lag for lag in lags)) / R


def follow(player, costs, given=(), real=()):
    """Play round by round, with proposals and overrides, and give what the player says of itself."""
    advised, trusts, gammas, rooms, promises, lost = [], [], [], [player.room], [], []
    for t, row in enumerate(costs):
        if t < len(given) and given[t] is not None:
            player.propose(given[t])
        advised.append(player.advice)
        trusts.append(player.trust)
        if t < len(real) and real[t] is not None:
            player.override(real[t])
        player.observe(row)
        gammas.append(player.guarantee)
        rooms.append(player.room)
        promises.append(player.promise)
        lost.append(player.lost)
    assert player.mean_trust == pytest.approx(np.mean(trusts))
    assert player.least_trust == min(trusts)
    return np.array(advised), np.array(trusts), np.array(gammas), np.array(rooms), np.array(promises), lost


def assert_alike(said, expected, names=("decisions", "trust", "guarantee", "room")):
    for name, one, other in zip(names, said, expected, strict=False):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-9, err_msg=name)


def losing(gammas, promises):
    """The round that lost the promise, after each; None while it holds."""
    lost = [None]
    for t, beyond in enumerate(gammas > promises * (1 + 1e-9), 1):
        lost.append((lost[-1] or t) if beyond else None)
    return lost[1:]


def given_to(propose, given):
    """The same proposals, but for those that somebody else makes."""
    return lambda costs, taken: (
        given[len(costs)] if len(costs) < len(given) and given[len(costs)] is not None else propose(costs, taken)
    )


def some(number, share, rounds=T):
    """Decisions for some of the rounds, None for the others."""
    rng = np.random.default_rng(number)
    rows = rng.dirichlet(np.full(N, 0.4), rounds)
    return [row if rng.random() < share else None for row in rows]


@pytest.mark.parametrize("who", [who for who in INNER if who != "open"])
@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_with_a_known_horizon_it_is_its_transcription(memory, who):
    """Alone, with proposals by others, with overrides, after a history, and with a range; single rounds and blocks."""
    least = 1.0
    for number, (slack, R, past, share) in enumerate(
        ((0.1, 1.0, 0, 0), (0.0, 1.0, 0, 0), (0.3, 5.0, 0, 0.5), (0.2, 0.5, 4, 0), (0.05, 2.0, 7, 0.4))
    ):
        problem, costs = by.Problem(N, T + 2, memory, R), costs_of(number, R=R)
        history = list(np.random.default_rng(number).dirichlet(np.full(N, 0.3), past))
        given, real = some(number + 50, share), some(number + 90, share)
        propose = given_to(proposer(who, memory, R, T + 2), given)
        rate = tuned(memory, R, T + 2)
        twin = reference.guarded(costs, memory.weights, R, propose, slack, rate, T + 2, past=history, real=real)
        learner = by.Guarded(INNER[who], slack=slack)
        player = learner.start(problem, history=history or None)
        start = player.guarantee
        said = follow(player, costs, given, real)
        assert_alike(said, (*twin[:2], twin[2][1:], twin[3]))
        assert start == pytest.approx(twin[2][0])
        held = np.where(twin[2][1:] > twin[4] * (1 + 1e-9), twin[2][1:], twin[4])  # Gamma, where it is lost
        np.testing.assert_allclose(said[4], held, rtol=1e-12)
        assert said[5] == losing(twin[2][1:], np.full(T, twin[4]))
        if past == 0:
            assert learner.bound(problem) == pytest.approx(twin[4])
        least = min(least, said[1].min())
        if share == 0:
            blocks = learner.start(problem, history=history or None)
            decisions = np.vstack([blocks.play(piece) for piece in np.split(costs, [1, 7, 7])])
            assert np.array_equal(decisions, said[0])
            assert blocks.snapshot().keys() == player.snapshot().keys()
            assert np.array_equal(blocks.gauge, player.gauge)
    assert least < 1  # else the guard had nothing to do


@pytest.mark.parametrize("who", ["leader", "shared", "steering"])
@pytest.mark.parametrize("memory", MEMORIES, ids=repr)
def test_with_fixed_share_as_its_shadow_it_is_its_transcription(memory, who):
    for number, (shadow, past, share) in enumerate(
        (
            (by.FixedShare(changes=2), 0, 0),
            (by.FixedShare(changes=4, rate=0.7), 5, 0.4),
            (by.FixedShare(changes=1, rate=0.5, share=0.2), 0, 0.3),
            (by.FixedShare(changes=0), 3, 0),
        )
    ):
        problem, costs = by.Problem(N, T, memory, 2.0), costs_of(number, R=2.0)
        history = list(np.random.default_rng(number).dirichlet(np.full(N, 0.3), past))
        given, real = some(number + 50, share), some(number + 90, share)
        propose = given_to(proposer(who, memory, 2.0, T), given)
        rate, part = shadow.tuning_for(problem)
        said = (0.02, rate, T, part, shadow.changes, history, real)
        twin = reference.guarded(costs, memory.weights, 2.0, propose, *said)
        learner = by.Guarded(INNER[who], slack=0.02, shadow=shadow)
        player = learner.start(problem, history=history or None)
        assert_alike(follow(player, costs, given, real), (*twin[:2], twin[2][1:], twin[3]))
        if past == 0:
            assert learner.bound(problem) == pytest.approx(twin[4])


OPEN = [
    (memory, who)
    for memory in FORGETTING
    for who in INNER
    if who != "guarded" and (who == "leader" or memory != FadingByHand())  # which is slow
]


@pytest.mark.parametrize(("memory", "who"), OPEN, ids=repr)
def test_with_an_open_horizon_it_is_its_transcription(memory, who):
    for number, (slack, R, past, share) in enumerate(
        ((0.1, 1.0, 0, 0), (0.0, 3.0, 0, 0), (0.3, 1.0, 0, 0.5), (0.2, 0.5, 4, 0), (0.05, 2.0, 7, 0.4))
    ):
        problem, costs = by.Problem(N, None, memory, R), costs_of(number, R=R)
        history = list(np.random.default_rng(number).dirichlet(np.full(N, 0.3), past))
        given, real = some(number + 50, share), some(number + 90, share)
        propose, (c, reach) = given_to(proposer(who, memory, R, T), given), FORGETTING[memory]
        twin = reference.guarded_open(costs, memory.weights, R, propose, slack, c, reach, past=history, real=real)
        learner = by.Guarded(INNER[who], slack=slack)
        player = learner.start(problem, history=history or None)
        said = follow(player, costs, given, real)
        assert_alike(said, twin)
        held = np.where(twin[2] > twin[4] * (1 + 1e-9), twin[2], twin[4])
        np.testing.assert_allclose(said[4], held, rtol=1e-9)
        assert said[5] == losing(twin[2], twin[4])
        if share == 0:
            blocks = learner.start(problem, history=history or None)
            decisions = np.vstack([blocks.play(piece) for piece in np.split(costs, [1, 7, 7])])
            assert np.array_equal(decisions, said[0])
            assert np.array_equal(blocks.gauge, player.gauge)
            assert np.array_equal(blocks.pace, player.pace)
            told = learner.replace(shadow=by.Hedge(tuning="anytime")).start(
                problem.replace(horizon=T), history=history or None
            )
            assert np.array_equal(told.play(costs), said[0])  # the same where the horizon is there, but not used


class ListedByHand(by.Memory):
    """A memory with a parameter that has no hash."""

    lags: list[float]

    @property
    def support(self):
        return len(self.lags)

    def weights(self, t):
        here = np.array(self.lags[:t])
        return here / here.sum()


@pytest.mark.parametrize("horizon", [T, None])
def test_a_memory_with_a_list_is_planned_too(horizon):
    problem, costs = by.Problem(N, horizon, ListedByHand([0.75, 0.25])), costs_of(3)
    inner = by.FollowTheLeader()
    mine = by.Guarded(inner).start(problem).play(costs)
    ours = by.Guarded(inner).start(problem.replace(memory=by.Weights([0.75, 0.25])))
    if horizon is None:  # the same rates, as if c were not known
        twin = reference.guarded_open(
            costs, by.Weights([0.75, 0.25]).weights, 1.0, proposer("leader", by.Window(1), 1.0, T), 0.1, 0.0, 2
        )[0]
    else:
        twin = ours.play(costs)
    np.testing.assert_allclose(mine, twin, rtol=0, atol=1e-9)


ANYTIME = by.Guarded(by.FollowTheLeader(), shadow=by.Hedge(tuning="anytime"))


@pytest.mark.parametrize("memory", FORGETTING, ids=repr)
def test_the_bound_of_an_anytime_shadow_is_what_the_guard_keeps_to(memory):
    """Where the bound is not a closed form, the guard's charges do not end at the horizon, and so cost more."""
    c, reach = FORGETTING[memory]
    for rounds in (1, 2, 9, 30):
        problem, costs = by.Problem(N, rounds, memory, 3.0), np.zeros((rounds, N))
        kept = reference.guarded_open(costs, memory.weights, 3.0, lambda *_: np.full(N, 1 / N), 0.1, c, reach)[4][-1]
        bound = ANYTIME.bound(problem)
        player = ANYTIME.start(problem)
        player.play(costs)
        assert player.promise == pytest.approx(kept)
        assert bound == pytest.approx(kept) if memory.second_lag is None else bound >= kept
    assert ANYTIME.replace(enforce=False).bound(problem) is None
    assert ANYTIME.bound(problem.replace(cost_range=None)) is None


def test_a_term_of_the_bound_is_never_more_than_a_decision_can_cost():
    """With many actions early rates are so high that the lesser of the two terms is that one."""
    memory, n, rounds = ListedByHand([0.125] * 8), 50, 12
    costs = np.zeros((rounds, n))
    twin = reference.guarded_open(costs, memory.weights, 1.0, lambda *_: np.full(n, 1 / n), 0.1, 0.0, 8)
    player = by.Guarded(by.Uniform(), slack=0.1).start(by.Problem(n, None, memory))
    promises = []
    for row in costs:
        player.observe(row)
        promises.append(player.promise)
    np.testing.assert_allclose(promises, twin[4], rtol=1e-12)
    assert player.room == pytest.approx(twin[3][-1])


def test_a_guard_that_cannot_be_started_has_no_bound():
    for memory in (by.FullHistory(), by.Geometric(1 - 1e-9), by.Window(10**9)):
        assert ANYTIME.bound(by.Problem(N, T, memory)) is None


LONG = [by.FullHistory(), by.Geometric(1 - 1e-9), by.Window(10**9)]
CASES = [
    (
        lambda: by.Guarded(slack=-0.1),
        r"the slack is -0.1: give a number from 0 to 1e\+100, such as 0.1 for a tenth more",
    ),
    (lambda: by.Guarded(slack=np.nan), "the slack is nan: give a number from 0 to"),
    (lambda: by.Guarded(slack=np.inf), "the slack is inf: give a number from 0 to"),
    (lambda: by.Guarded(slack="much"), "the slack is 'much': give a number"),
    (lambda: by.Guarded(enforce=1), "enforce is 1: give True or False"),
    (lambda: by.Guarded(by.Hedge), "the learner is <class .*Hedge'>: give one, such as Hedge"),
    (lambda: by.Guarded("hegde"), "the learner is 'hegde': give one of .*did you mean hedge"),
    (lambda: by.Guarded(shadow=by.AdaHedge()), r"the shadow is AdaHedge\(\): give Hedge\(\) or FixedShare\(changes"),
    (lambda: by.Guarded(shadow=None), r"the shadow is None: give Hedge\(\) or FixedShare\(changes"),
    (lambda: by.FixedShare(changes=-1), "changes is -1: give a whole number of at least 0"),
    (
        lambda: by.Guarded().start(by.Problem(N, T, by.Window(2), cost_range=None)),
        r"the problem's cost_range, unknown here: give Problem\(cost_range=...\), or Steering\(\) without a guard",
    ),
    *(
        (
            lambda memory=memory: by.Guarded().start(by.Problem(N, None, memory)),
            r"counts for ever, or for too many rounds to plan, so .*: give Problem\(horizon=...\), or a memory",
        )
        for memory in LONG
    ),
    *(
        (
            lambda shadow=shadow: by.Guarded(shadow=shadow).start(by.Problem(N, None, by.Window(2))),
            r"the shadow is .*promises nothing without a horizon: give Problem\(horizon=...\), or shadow=Hedge\(\)",
        )
        for shadow in (by.Hedge(rate=0.1), by.FixedShare(), by.FixedShare(rate=0.1, share=0.1))
    ),
    (
        lambda: by.Guarded(shadow=by.FixedShare(rate=0.1, share=0)).start(by.Problem(N, T, by.Window(2))),
        "promises nothing with changes and without a share: give a share above 0, or changes=0",
    ),
    (
        lambda: by.Guarded().start(by.Problem(N, 2**24 + 1, by.Window(2))),
        "is 16,777,217, and Guarded plans every round up to 16,777,216: give a shorter one, or horizon=None",
    ),
    (
        lambda: by.Guarded(by.Advice([0, 1])).start(by.Problem(N, T, by.Window(2))),
        f"the advice has 2 decisions, and there are {T} rounds or more: give a table with one decision for each round",
    ),
]


@pytest.mark.parametrize(("attempt", "said"), CASES)
def test_what_no_guard_can_be_made_of_is_refused_with_a_way_out(attempt, said):
    with pytest.raises(ValueError, match=said):
        attempt()


def test_more_changes_than_rounds_are_all_rounds_and_none_are_hedge():
    problem, costs = by.Problem(N, T, by.Window(3)), costs_of(0)
    many, all_rounds, none, hedge = (
        by.Guarded(by.FollowTheLeader(), shadow=shadow).start(problem)
        for shadow in (by.FixedShare(changes=10**9), by.FixedShare(changes=T - 1), by.FixedShare(changes=0), by.Hedge())
    )
    assert np.array_equal(many.play(costs), all_rounds.play(costs))
    assert many.promise == all_rounds.promise
    assert np.array_equal(none.play(costs), hedge.play(costs))
    assert none.promise == pytest.approx(hedge.promise)


STANDARD = by.Problem(10, 10_000, by.Window(100))


@pytest.mark.compiled
def test_at_the_papers_setting_it_promises_a_seventh_and_leaves_steering_alone():
    guarded = by.Guarded(by.Steering(), slack=0.05)
    assert guarded.bound(STANDARD) == pytest.approx(1123.8, abs=0.05)
    assert by.FTARL().bound(STANDARD) == pytest.approx(7804.7, abs=0.05)
    for family, mean in ((by.StocHet(), 4.9), (by.Cyclic(hold=50, vectors=2), 3.4), (by.Blocks(100), 154)):
        result = by.expected(STANDARD, [by.Steering(), guarded], family, replicates=25, record="end")
        alone, held = result.regrets.values()
        assert np.array_equal(alone, held)
        assert held.mean() == pytest.approx(mean, abs=0.05 if mean < 10 else 0.5)
        for seed in range(3):
            player = guarded.start(STANDARD)
            player.play(family.draw(10, 10_000, np.random.default_rng(seed)))
            assert player.least_trust == player.mean_trust == 1.0
            assert player.guarantee <= player.promise


@pytest.mark.compiled
def test_the_leader_guarded_does_not_fall_for_turns():
    costs = by.Cyclic(hold=100, vectors=2).draw(10, 10_050, np.random.default_rng(0))[50:]
    ends, guarded = [], by.Guarded(by.FollowTheLeader(), slack=0.05)
    for learner in (by.FollowTheLeader(), guarded):
        states = STANDARD.memory.start(10).extend(learner.start(STANDARD).play(costs))
        ends.append(regret(costs, states)[-1])
    assert ends == pytest.approx([2475, 962.6], abs=0.05)


class WorstPlayer(by.RowPlayer):
    """Plays the action that has cost most so far."""

    def begin(self):
        self.totals = np.zeros(self.problem.n)

    def decide(self):
        return self.vertex(int(self.totals.argmax()))

    def observe(self, costs):
        self.totals += self.accept(costs)


class Worst(by.Learner):
    """A learner that nobody should follow."""

    @property
    def player_type(self):
        return WorstPlayer


@pytest.mark.compiled
@pytest.mark.parametrize("slack", [0.0, 0.05])
def test_the_worst_learner_stays_within_the_promise_on_every_family(slack):
    """It comes near the promise, and alone it is far beyond it: the guard is what holds it."""
    problem, near = STANDARD, 0.0
    guarded = by.Guarded(Worst(), slack=slack)
    families = [by.StocHet(), by.StocId(), by.Blocks(100), by.SquareWave(100), by.Trap(300)]
    families += [by.Cyclic(hold, vectors) for hold in (50, 100, 150) for vectors in (2, 10)]
    beyond = 0
    for family in families:
        costs = family.draw(10, 10_000, np.random.default_rng(1))
        player = guarded.start(problem)
        end = regret(costs, problem.memory.start(10).extend(player.play(costs)))[-1]
        assert end <= player.guarantee * (1 + 1e-9) <= player.promise * (1 + 2e-9)
        assert player.promise == pytest.approx(guarded.bound(problem))
        near = max(near, end / player.promise)
        beyond += (
            regret(costs, problem.memory.start(10).extend(Worst().start(problem).play(costs)))[-1] > player.promise
        )
    assert near > 0.9
    assert beyond >= 3


def test_steering_with_shares_sees_a_supplier_break():
    """Costs of 10 and 12, of 14 and 11 after week 130 of 260."""
    noise = np.random.default_rng(0).normal(0, 0.5, (260, 2))
    costs = np.where(np.arange(260)[:, np.newaxis] < 130, [10.0, 12.0], [14.0, 11.0]) + noise
    problem = by.Problem(2, 260, by.Window(12), float(np.ptp(costs, axis=1).max()))
    ends = []
    for learner in (by.Steering(by.FixedShare(changes=3)), by.Steering(by.AdaHedge())):
        states = problem.memory.start(2).extend(learner.start(problem).play(costs))
        ends.append(regret(costs, states)[-1])
    assert ends[0] < -150
    assert ends == pytest.approx([-170.94, 12.23], abs=0.01)


@pytest.mark.parametrize("memory", [by.Window(4), WindowByHand()], ids=repr)
@pytest.mark.parametrize("horizon", [T, None])
def test_without_enforcing_it_honours_proposals_and_reports(memory, horizon):
    """The guarantee and the room are those of the proposals, by the transcription; nothing is promised."""
    problem, costs = by.Problem(N, horizon, memory), costs_of(2)
    learner = by.Guarded(by.FollowTheLeader(), slack=0.01, enforce=False)
    propose = proposer("leader", memory, 1.0, T)
    leader = [propose(costs[:t], []) for t in range(T)]
    c, reach = {3: (1 + 2 + 2 / 3, 3), 4: (1.5**2 + 2 * 1.5 + 2, 4)}[len(memory.weights(9))]
    if horizon is None:
        twin = reference.guarded_open(costs, memory.weights, 1.0, propose, 0.01, c, reach, real=leader)
    else:
        twin = reference.guarded(costs, memory.weights, 1.0, propose, 0.01, tuned(memory, 1.0, T), T, real=leader)
        twin = (*twin[:2], twin[2][1:], *twin[3:])
    player = learner.start(problem)
    said = follow(player, costs)
    assert_alike(said, (leader, np.ones(T), *twin[2:4]))
    assert said[4].tolist() == [None] * T
    assert learner.bound(problem) is None
    assert said[5] == losing(twin[2], np.broadcast_to(twin[4], T))
    assert any(said[5])  # else nothing would have had to be enforced


def test_a_promise_is_lost_by_what_is_really_done_and_comes_back():
    problem = by.Problem(2, 200, by.Window(4))
    player = by.Guarded(by.FollowTheLeader(), slack=0.02).start(problem)
    kept, lost = player.promise, []
    for t in range(200):
        if t < 2:
            player.override(0)
        player.observe([1.0, 0.0] if t < 2 else [0.0, 1.0] if t < 20 else [t % 2, 1 - t % 2])
        lost.append(player.lost)
        if player.lost:
            assert player.room < 0
            assert player.promise == player.guarantee > kept
            assert f"the promise of {kept:.6g} lost in round 1, {player.promise:.6g} holds" in repr(player)
            assert player.trust in (0.0, 1.0)  # 1 where the leader is what the shadow plays
        else:
            assert player.promise == kept >= player.guarantee
            assert "lost" not in repr(player)
    back = lost.index(None)
    assert back > 2
    assert set(lost[:back]) == {1}
    assert set(lost[back:]) == {None}


@pytest.mark.parametrize("horizon", [60, None])
def test_what_a_decision_is_feared_for_is_more_than_it_does(horizon):
    """The guard's own decisions never take more than the room; an override that does may lose the promise."""
    rng, missed, tight = np.random.default_rng(4), 0, 0.0
    player = by.Guarded(by.FollowTheLeader(), slack=0.05).start(by.Problem(N, horizon, by.Window(4), 2.0))
    for _ in range(60):
        advised, room, before = player.feared, player.room, player.guarantee
        assert advised <= max(room, 0.0) + 1e-9
        if rng.random() < 0.5:
            player.override(int(rng.integers(N)))
        feared, kept = player.feared, player.feared <= room
        player.observe(2.0 * (np.arange(N) == player.decide().argmax()))
        assert player.lost is None or not kept
        missed += not kept
        if horizon:
            assert player.guarantee - before <= feared + 1e-9
            tight = max(tight, (player.guarantee - before) / max(feared, 1e-9))
    assert missed > 5
    assert horizon is None or tight > 0.9


def test_past_the_horizon_nothing_is_promised_and_blocks_are_rounds():
    problem, costs = by.Problem(N, T, by.Window(3)), costs_of(5, T + 9)
    for learner in (by.Guarded(by.FollowTheLeader()), by.Guarded(by.Steering(), shadow=by.FixedShare(changes=1))):
        single, block = learner.start(problem), learner.start(problem)
        decisions = []
        for row in costs[:T]:
            decisions.append(single.decide())
            single.observe(row)
        decisions.append(single.decide())
        with pytest.warns(UserWarning, match=f"round {T + 1} is past the horizon"):
            single.observe(costs[T])
        for row in costs[T + 1 :]:
            decisions.append(single.decide())
            single.observe(row)
        with pytest.warns(UserWarning, match=f"round {T + 1} is past the horizon"):
            played = block.play(costs)
        assert np.array_equal(played, decisions)
        assert np.array_equal(single.gauge, block.gauge)
        assert single.promise is single.guarantee is single.room is single.lost is None


@pytest.mark.parametrize("memory", [*list(FORGETTING)[:-1], by.Window(200)], ids=repr)
def test_the_contract_holds_where_the_horizon_is_open(memory):
    for learner in (by.Guarded(), by.Guarded(by.FollowTheLeader(), slack=0.0), by.Guarded(Stranger(), slack=0.5)):
        for check in LEARNER_CHECKS:
            check(learner, by.Problem(3, None, memory))


def player_in_the_middle():
    player = by.Guarded(by.FollowTheLeader()).start(by.Problem(["rail", "road", "sea"], 50, by.Window(5)))
    player.play(costs_of(1, 7))
    return player


BAD = [
    ([0.5, 0.4, 0.0], r"decision 8 is \[0.5 0.4 0. \]: its weights must not be negative and must add up to one"),
    ([1.5, -0.5, 0.0], r"decision 8 is .*: its weights must not be negative and must add up to one"),
    ([np.nan, 0.5, 0.5], r"decision 8 is \[nan 0.5 0.5\]: its weights must not be negative and must add up to one"),
    ([0.5, 0.5], r"decisions of shape \(2,\) .*: give 3 weights a decision, one for each action"),
    ([[1, 0, 0]], r"decisions of shape \(1, 3\) .*: give 3 weights a decision, one for each action"),
    ({"rail": 1.0}, "nothing here is called 'road': the names are 'rail'"),
    ("air", "there is no action 'air': the actions are 'rail', 'road', 'sea'"),
    (3, "the action's number is 3: with 3 actions the last one is 2"),
    (-1, "the action's number is -1: give a whole number of at least 0"),
    *(
        (odd, r"decision 8 is .*: give 3 weights, one for each action, or an action by its number or name")
        for odd in (None, True, 1.0, np.inf, 2j, b"rail")
    ),
]


@pytest.mark.parametrize(("bad", "said"), BAD)
@pytest.mark.parametrize("how", ["override", "propose"])
def test_what_is_no_decision_is_refused_and_changes_nothing(how, bad, said):
    player = player_in_the_middle()
    before, decision, trust = player.snapshot(), player.decide(), player.trust
    with pytest.raises(ValueError, match=said):
        getattr(player, how)(bad)
    if how == "override":
        with pytest.raises(ValueError, match="decision|action"):
            player.play(np.zeros((2, 3)), decisions=[bad, bad])
    after = player.snapshot()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert np.array_equal(player.decide(), decision)
    assert player.trust == trust


def test_a_round_has_one_proposal_and_one_override_and_the_latter_is_last():
    player, costs = player_in_the_middle(), costs_of(1, 2)
    own = player.decide()
    player.propose("rail")
    allowed, trust = player.decide(), player.trust
    assert 0 < trust < 1
    assert allowed[0] > own[0]
    refused = [
        (lambda: player.propose("road"), "round 8 has a proposal already: observe the round's costs first"),
        (lambda: player.override("road"), ""),
        (lambda: player.override("rail"), r"round 8 has an override already, \[0. 1. 0.\]: observe the round's costs"),
        (lambda: player.propose("rail"), "round 8 has a proposal already"),
        (
            lambda: player.play(costs, decisions=["sea", "sea"]),
            r"round 8 has an override already, \[0. 1. 0.\], and decisions= has another: observe the round's costs",
        ),
        (lambda: player.play(costs, decisions=["sea"]), "1 decisions are given for 2 rounds: give one for each round"),
    ]
    for attempt, said in refused:
        before = player.snapshot()
        if not said:
            attempt()
            continue
        with pytest.raises(ValueError, match=said):
            attempt()
        after = player.snapshot()
        assert all(np.array_equal(before[name], after[name]) for name in before)
    assert player.decide().tolist() == [0, 1, 0]
    assert np.array_equal(player.advice, allowed)
    player.observe(costs[0])
    player.override("rail")
    with pytest.raises(ValueError, match="round 9 has an override already: observe the round's costs first"):
        player.propose("rail")


@pytest.mark.parametrize("horizon", [50, None])
def test_a_proposal_is_saved(tmp_path, horizon):
    problem, costs = by.Problem(N, horizon, by.Window(5)), costs_of(1, 12)
    player = by.Guarded().start(problem, history=[0, 1])
    player.play(costs[:6])
    player.propose(2)
    by.save(player, tmp_path / "player.npz")
    again = by.load(tmp_path / "player.npz")
    with pytest.raises(ValueError, match="has a proposal already"):
        again.propose(2)
    assert (again.trust, again.room, again.guarantee, again.promise) == (
        player.trust,
        player.room,
        player.guarantee,
        player.promise,
    )
    assert np.array_equal(again.play(costs[6:]), player.play(costs[6:]))
    again.propose(1)
    player.propose(1)
    assert np.array_equal(again.decide(), player.decide())
    assert again.guarantee == player.guarantee


def test_costs_that_are_refused_leave_the_guard_as_it_was():
    for horizon in (50, None):
        for inner in (by.FollowTheLeader(), by.Steering(), Stranger(), by.Advice([0, 1, 2] * 20)):
            problem, costs = by.Problem(N, horizon, by.Window(5)), costs_of(1, 12)
            player, other = (by.Guarded(inner).start(problem) for _ in range(2))
            for row in costs:
                for bad in (row * np.nan, [2.0, 0.0, 0.0], row[:2], None):
                    with pytest.raises(ValueError, match="cost"):
                        player.observe(bad)
                player.observe(row)
                other.observe(row)
            before, after = player.snapshot(), other.snapshot()
            assert all(np.array_equal(before[name], after[name]) for name in before)
