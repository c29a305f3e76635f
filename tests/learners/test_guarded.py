"""Guarded against plain transcriptions: what it decides, trusts, guarantees and leaves, whoever proposes."""

from math import log, sqrt

import numpy as np
import pytest
import reference
from samples import FadingByHand, Stranger, WeightsByHand, WindowByHand

import bygones as by

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
    advised, trusts, gammas, rooms, promises = [], [], [], [player.room], []
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
    return np.array(advised), np.array(trusts), np.array(gammas), np.array(rooms), np.array(promises)


def assert_alike(said, expected, names=("decisions", "trust", "guarantee", "room")):
    for name, one, other in zip(names, said, expected, strict=False):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-9, err_msg=name)


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
