"""What every learner must satisfy.

Each single check takes `learner`, the description to check, such as `Hedge()`, and `problem`, what it decides on. If
the horizon is unknown, the learner plays `ROUNDS` rounds. A check returns nothing, and raises a CheckError if it fails.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from ..accounting import regret
from ..costs import Blocks, Costs, Cyclic, SquareWave, StocHet, StocId, Trap
from ..kernels import Array
from ..learners import Learner
from ..memory import MEMORIES, Memory, as_decisions
from ..problem import Problem
from ..store import load, save
from .common import TOLERANCE, CheckError, Demands, check, close, equal, refuses, same

ROUNDS = 160


def problems(rounds: int = ROUNDS) -> list[Problem]:
    """The problems that learners are checked on: a few actions, and a memory of every kind."""
    words = ["window:1", "window:7", f"window:{rounds + 1}", "full", "geometric:0.8", "weights:0.2,0.5,0.3"]
    memories = [Memory.parse(text) for text in words]
    covered = set(map(type, memories))
    memories += [Memory.parse(kind.example) for kind in MEMORIES if kind not in covered]
    return [Problem(actions=4, horizon=rounds, memory=memory) for memory in memories]


def problems_for(learner: Learner) -> list[Problem]:
    """Those of them whose memory a learner accepts."""
    return [problem for problem in problems() if learner.accepts(problem.memory)]


def check_learner(learner: Learner, problem: Problem | None = None) -> None:
    """Check a learner on a problem with a known horizon, or on one of every kind of memory.

    The checks are:

    - decisions lie on the simplex, are read-only, and never change afterwards;
    - the decision of a round does not depend on its costs or on later ones;
    - a constant added to a round's costs changes nothing;
    - relabelled actions give relabelled decisions (of the mean, if the learner draws);
    - any division into blocks, and saving and loading in between, give the same bits;
    - the same seed gives the same run, and so does any seed if the learner says that it draws nothing;
    - arrays given to it are not modified;
    - bad input raises a ValueError and changes nothing;
    - overrides: the decisions really taken count, single or in blocks, and its guarantee, if any, holds for them;
    - the (expected) regret stays below the learner's own bound, on random and on hostile costs.

    Args:
        learner: the description, such as `Hedge()`.
        problem: what it decides on; None: one problem for every kind of memory that it accepts.

    Raises:
        CheckError: if a check fails.
        ValueError: if it is not a learner.
    """
    if not isinstance(learner, Learner):
        raise ValueError(f"{learner!r} is not a learner: give a description, such as Hedge()")
    for one in problems_for(learner) if problem is None else [problem]:
        for look in LEARNER_CHECKS:
            try:
                look(learner, one)
            except CheckError:
                raise
            except Exception as error:
                raise CheckError(f"{learner!r} on {one!r}: {look.__name__} ended in {error!r}") from error


@check
def check_decisions(learner: Learner, problem: Problem) -> Demands:
    """Decisions lie on the simplex, are read-only, and never change afterwards."""
    player = learner.start(problem, seed=1)
    seen: list[tuple[Array, Array]] = []
    for costs in _costs(problem):
        decision = player.decide()
        yield isinstance(decision, np.ndarray), f"a decision is {decision!r}, not an array"
        yield decision.shape == (problem.n,), f"a decision has the shape {decision.shape}"
        yield not decision.flags.writeable, "a decision can be written to"
        on_simplex = (decision >= 0).all() and abs(decision.sum() - 1) <= TOLERANCE
        yield on_simplex, f"the decision {decision} is off the simplex"
        yield (player.decide() == decision).all(), "deciding twice gives different decisions"
        if player.pure:
            yield decision[player.action] == 1, f"{player.action} is not the action of {decision}"
        seen.append((decision, decision.copy()))
        player.observe(costs)
    yield all((now == then).all() for now, then in seen), "an earlier decision has changed"


@check
def check_inputs(learner: Learner, problem: Problem) -> Demands:
    """Costs are not modified."""
    costs = _costs(problem)
    kept = costs.copy()
    player = learner.start(problem)
    player.observe(costs[0])
    yield same(costs, kept), "it modifies the costs that it observes"
    decision = player.decide().copy()
    costs[0] = costs[0, ::-1] / 2
    yield same(decision, player.decide()), "it keeps a reference to the array that it observes; copy the costs"
    kept = costs.copy()
    player.play(costs[1:])
    yield same(costs, kept), "it modifies the costs that it plays"


@check
def check_future(learner: Learner, problem: Problem) -> Demands:
    """The decision of a round does not depend on its costs, or on later ones."""
    costs = _costs(problem)
    decisions = learner.start(problem, seed=2).play(costs)
    for t in (0, 1, len(costs) // 2, len(costs) - 1):
        changed = costs.copy()
        changed[t:] = changed[t:, ::-1] * 0.5
        again = learner.start(problem, seed=2).play(changed)
        yield same(decisions[: t + 1], again[: t + 1]), f"round {t + 1} depends on its own or later costs"


@check
def check_constants(learner: Learner, problem: Problem) -> Demands:
    """A constant added to all costs of a round changes nothing, up to rounding."""
    costs = _costs(problem)
    shifts = np.random.default_rng(3).uniform(-1, 3, (len(costs), 1)) * np.ptp(costs)
    plain, shifted = (learner.start(problem, seed=3).play(table) for table in (costs, costs + shifts))
    yield close(plain, shifted), "adding a constant to each round's costs changes decisions"


@check
def check_labels(learner: Learner, problem: Problem) -> Demands:
    """Relabelled actions give relabelled decisions, from round two on (in round one all actions are tied)."""
    mean = learner.mean()
    if mean is None or not learner.symmetric:
        return
    costs, order = _costs(problem), np.roll(np.arange(problem.n), 1)
    plain = as_decisions(mean.start(problem).play(costs), problem.n)
    relabelled = as_decisions(mean.start(problem).play(costs[:, order]), problem.n)
    yield close(plain[1:, order], relabelled[1:]), "relabelled actions are treated differently"


@check
def check_blocks(learner: Learner, problem: Problem) -> Demands:
    """Any division into blocks gives the decisions of `decide` and `observe`, bit for bit."""
    costs = _costs(problem)
    player = learner.start(problem, seed=5)
    single: list[int | Array] = []
    for row in costs:
        single.append(player.action if player.pure else player.decide())
        player.observe(row)
    after = player.snapshot()
    for cuts in ([], [0, 0, 1], [len(costs) // 3, len(costs) // 2]):
        player = learner.start(problem, seed=5)
        pieces = [player.play(piece) for piece in np.split(costs, cuts)]
        yield same(np.array(single), np.concatenate(pieces)), f"blocks cut at {cuts} change decisions"
        yield equal(after, player.snapshot()), f"blocks cut at {cuts} give another state"
        yield player.rounds == len(costs), f"{player.rounds} rounds counted of {len(costs)}"


@check
def check_saving(learner: Learner, problem: Problem) -> Demands:
    """Saving and loading in the middle changes nothing."""
    costs = _costs(problem)
    half = len(costs) // 2
    player = learner.start(problem, seed=6, history=[0, 1, 1])
    player.play(costs[:half])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "player.npz"
        save(player, path)
        loaded = load(path, problem=problem, learners=_kinds(learner))
    yield equal(player.snapshot(), loaded.snapshot()), "a loaded player has another state"
    yield same(player.decide(), loaded.decide()), "a loaded player decides differently"
    yield same(player.play(costs[half:]), loaded.play(costs[half:])), "a loaded player diverges"


@check
def check_seeds(learner: Learner, problem: Problem) -> Demands:
    """The same seed gives the same run, and so does any seed if nothing is drawn."""
    costs = _costs(problem)
    first, second, other = (learner.start(problem, seed=seed).play(costs) for seed in (7, 7, 8))
    yield same(first, second), "the same seed gives different runs"
    if not learner.randomised:
        yield same(first, other), "it says that it draws nothing, but the seed matters"


@check
def check_bad_input(learner: Learner, problem: Problem) -> Demands:
    """Bad costs raise a ValueError and change nothing."""
    n = problem.n
    player = learner.start(problem, seed=9)
    player.play(_costs(problem)[:5])
    before, decision = player.snapshot(), player.decide()
    bad: list[object] = [0.0, np.zeros(n - 1), np.zeros((1, n)), np.full(n, np.nan), np.full(n, 1j)]
    bad += [[np.inf] + [0.0] * (n - 1), ["cheap"] * n, [None] * n]
    if problem.cost_range is not None:
        bad.append([0.0] * (n - 1) + [1.001 * problem.cost_range])
    for costs in bad:
        yield refuses(player.observe, costs), f"observes {costs!r} without a ValueError"
    block = [[0.0] * n, [np.nan] * n]
    yield refuses(player.play, block), "plays a block with nan in it without a ValueError"
    yield equal(before, player.snapshot()), "bad input changes its state"
    yield same(decision, player.decide()), "bad input changes its decision"


@check
def check_overrides(learner: Learner, problem: Problem) -> Demands:
    """The decisions really taken count, whatever was advised, and the learner's own draws stay as they are.

    Its own decisions as overrides change no bit. After others `decide` gives what was really done and `advice` what was
    advised; single rounds, blocks, and saving in between agree; a guarantee holds for the real decisions. A bad
    override is refused, and so is a second one for a round.
    """
    costs, n, half = _costs(problem), problem.n, _rounds(problem) // 2
    plain, told = learner.start(problem, seed=11), learner.start(problem, seed=11)
    advised = plain.play(costs)
    yield same(advised, told.play(costs, decisions=advised)), "its own decisions as overrides change its decisions"
    yield equal(plain.snapshot(), told.snapshot()), "its own decisions as overrides change its state"
    real = np.random.default_rng(12).dirichlet(np.full(n, 0.3), len(costs))
    player, others = learner.start(problem, seed=11), learner.start(problem, seed=11)
    advised = others.play(costs, decisions=real)
    for t, row in enumerate(costs):
        before = player.advice
        player.override(real[t])
        yield same(player.decide(), real[t]), "decide does not give the override"
        yield same(player.advice, before), "an override changes the advice of its own round"
        yield same(before, as_decisions(advised[t : t + 1], n)[0]), "play with decisions advises something else"
        if t == half:
            yield refuses(player.override, real[t]), "a second override in a round passes"
            with tempfile.TemporaryDirectory() as folder:
                save(player, Path(folder) / "player.npz")
                player = load(Path(folder) / "player.npz", problem=problem, learners=_kinds(learner))
            yield same(player.decide(), real[t]), "a loaded player has lost the override"
        player.observe(row)
        if t + 1 in (1, half, len(costs)) and player.guarantee is not None:
            lost = regret(costs[: t + 1], problem.memory.start(n).extend(real[: t + 1]))[-1]
            limit = player.guarantee + TOLERANCE * (1 + abs(player.guarantee))
            yield lost <= limit, f"after {t + 1} overrides the regret is {lost}, and the guarantee {player.guarantee}"
    yield equal(player.snapshot(), others.snapshot()), "play with decisions gives another state"
    state = player.snapshot()
    for bad in (np.zeros(n), np.full(n, np.nan), np.ones(n + 1) / (n + 1), [2.0, -1.0] + [0.0] * (n - 2), n, "?", None):
        yield refuses(player.override, bad), f"takes the override {bad!r} without a ValueError"
    yield equal(state, player.snapshot()), "a bad override changes its state"


@check
def check_bound(learner: Learner, problem: Problem) -> Demands:
    """The regret of the mean stays below the learner's own bound, on random and on hostile costs."""
    bound, mean = learner.bound(problem), learner.mean()
    if bound is None or mean is None:
        return
    for name, costs in _sequences(mean, problem):
        decisions = mean.start(problem).play(costs)
        paid = regret(costs, problem.memory.start(problem.n).extend(decisions))[-1]
        yield paid <= bound * (1 + TOLERANCE), f"the regret on {name} is {paid}, above the bound {bound}"


LEARNER_CHECKS: tuple[Callable[[Learner, Problem], None], ...] = (
    check_decisions,
    check_inputs,
    check_seeds,
    check_future,
    check_constants,
    check_labels,
    check_blocks,
    check_saving,
    check_bad_input,
    check_overrides,
    check_bound,
)


def _kinds(learner: Learner) -> list[type[Learner]]:
    """The classes that a saved player names: the learner's, and those of the learners inside."""
    inside = (getattr(learner, field.name) for field in msgspec.structs.fields(learner))
    return [type(learner), *(kind for value in inside if isinstance(value, Learner) for kind in _kinds(value))]


def _rounds(problem: Problem) -> int:
    return ROUNDS if problem.horizon is None else problem.horizon


def _costs(problem: Problem) -> Array:
    """Costs without ties, within the problem's range."""
    costs = StocHet().draw(problem.n, _rounds(problem), np.random.default_rng(0))
    return costs * (1.0 if problem.cost_range is None else problem.cost_range)


def _sequences(mean: Learner, problem: Problem) -> Iterator[tuple[str, Array]]:
    """Cost tables, random and hostile, within the problem's range."""
    rounds, n, scale = _rounds(problem), problem.n, problem.cost_range or 1.0
    generator = np.random.default_rng(10)
    families: list[Costs] = [StocId(), StocHet(), Cyclic(hold=5), Cyclic(hold=3, vectors=2)]
    families += [Blocks(length) for length in (1, 4, 16, 64)]
    families += [SquareWave(half) for half in (1, 2, 3, 5, 8, 13, 21, 34, 55) if half < rounds]
    families += [Trap(final) for final in (1, rounds // 8, rounds // 2, rounds) if final > 0]
    for family in families:
        yield repr(family), scale * family.draw(n, rounds, generator)
    player, state = mean.start(problem), problem.memory.start(n)
    hostile = np.zeros((rounds, n))
    for row in hostile:
        row[state.push(player.decide()).argmin()] = -scale
        player.observe(row)
    yield "costs that reward what the state holds least of", hostile
