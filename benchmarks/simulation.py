"""The standard job and the big one, against their draws alone and against rivals; and exact means."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import rivals
from timing import Sizes, Times, in_turns, ratios

import bygones as by
from bygones.kernels import fill_uniforms

Fill = Callable[[np.random.Generator, rivals.Array], None]
PAIR = [by.FTARL(), by.LSA()]
FAMILIES = (by.StocHet(), by.StocId(), by.Cyclic(hold=50, vectors=2))
BUFFER = 4096  # numbers that are drawn at once: 32 kB, which the nearest cache holds
LARGE_BUFFER = 2**17  # numbers that a thread draws at once, so that threads hardly wait for each other


def by_numpy(generator: np.random.Generator, out: rivals.Array) -> None:
    """Draw uniforms as anybody would."""
    generator.random(out=out)


def draw(generator: np.random.Generator, buffer: rivals.Array, count: int, fill: Fill = by_numpy) -> None:
    """Draw so many uniforms, and do nothing with them."""
    for first in range(0, count, len(buffer)):
        fill(generator, buffer[: count - first])


def standard_draws(
    problem: by.Problem, replicates: int, rounds: int, buffer_size: int = BUFFER, fill: Fill = by_numpy
) -> None:
    """All that the standard job draws: two families' tables, StocHet's intervals, LSA's darts and FTARL's noise."""
    generator, buffer, n = np.random.default_rng(0), np.empty(buffer_size), problem.n
    for _ in range(replicates):
        draw(generator, buffer, rounds * n + 2 * n, fill)  # StocHet
        draw(generator, buffer, rounds * n, fill)  # StocId; Cyclic draws nothing
        for _ in FAMILIES:
            draw(generator, buffer, rounds + 1, fill)  # LSA: a first action, then one uniform per round
            generator.standard_exponential(n)  # FTARL


def shared_draws(problem: by.Problem, replicates: int, rounds: int) -> None:
    """The same, shared by two threads: what two workers could gain at the most on this machine."""
    with ThreadPoolExecutor(2) as pool:
        for half in [pool.submit(standard_draws, problem, replicates // 2, rounds, LARGE_BUFFER) for _ in range(2)]:
            half.result()


def standard(problem: by.Problem, replicates: int, workers: int, curves: bool = False) -> list[by.Result]:
    """The standard job, with the moments of all rounds or with the whole frame of curves."""
    results = []
    for family in FAMILIES:
        result = by.simulate(problem, PAIR, family, replicates, workers=workers, progress=False)
        if curves:
            result.curves()
        else:
            for label in result.regrets:
                result.moments(label)
        results.append(result)
    return results


def standard_section(sizes: Sizes) -> str:
    """The paper's three families, FTARL and LSA, own costs for every replicate, regret of all rounds."""
    rounds, replicates, few = sizes.rounds, sizes.replicates, sizes.interpreted_rounds
    problem = by.Problem(actions=10, horizon=rounds, memory=by.Window(min(100, rounds)))
    floor, one, two = "its draws alone", "bygones, 1 worker", "bygones, 2 workers"
    halves, lanes = "its draws alone, in 2 threads", "its draws alone, by bygones"
    plain, arrays = "plain compiled loop", "numpy over all replicates at once"
    slow = f"plain Python, scaled from {few} rounds of one replicate per family"
    times = in_turns(
        {
            floor: lambda: standard_draws(problem, replicates, rounds),
            halves: lambda: shared_draws(problem, replicates, rounds),
            lanes: lambda: standard_draws(problem, replicates, rounds, LARGE_BUFFER, fill_uniforms),
            one: lambda: standard(problem, replicates, 1),
            two: lambda: standard(problem, replicates, 2),
            f"{one}, with curves()": lambda: standard(problem, replicates, 1, curves=True),
            f"{two}, with curves()": lambda: standard(problem, replicates, 2, curves=True),
            plain: lambda: rivals.standard_plain(problem, FAMILIES, replicates, rounds),
            arrays: lambda: rivals.standard_numpy(problem, FAMILIES, replicates, rounds),
            slow: lambda: rivals.standard_plain(problem, FAMILIES, 1, few, compiled=False),
        },
        sizes.turns,
    )
    times[slow] = times[slow].scaled(replicates * rounds / few)
    ours = [regrets for result in standard(problem, replicates, 1) for regrets in result.regrets.values()]
    apart = 0.0
    for theirs in (
        rivals.standard_plain(problem, FAMILIES, replicates, rounds),
        rivals.standard_numpy(problem, FAMILIES, replicates, rounds),
    ):
        apart = max(apart, *(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True)))
    assert apart < 1e-6, f"the rivals' regrets differ from ours by {apart}: they do another job"
    bare = [(job, floor) for job in times if job.startswith("bygones") or job == plain]
    return (
        f"## Standard job: 3 families, FTARL and LSA, {replicates} replicates, T = {rounds:,}, n = 10, own costs\n\n"
        "The floor draws exactly the random numbers that the job needs, with one numpy generator into a buffer of\n"
        f"{BUFFER * 8 // 1024} kB, and does nothing with them. Every other row is the whole job: costs are drawn,\n"
        "both learners play, regret is kept for all rounds, and its mean and standard deviation over the replicates\n"
        "are computed; ours also checks its input. The draws in two threads, in buffers of 1 MB, show what a second\n"
        "worker can gain on this machine. bygones draws numpy's numbers, to the bit, in a kernel of its own; the\n"
        "rivals draw by numpy. The plain loop computes LSA's weights only when it redraws. Plain Python is the\n"
        "paper's transcription for FTARL and the uncompiled plain loop for LSA. The regrets of the plain loop and of\n"
        f"numpy differ from ours by at most {apart:.0e}.\n\n"
    ) + ratios(times, [(halves, floor), (lanes, floor), *bare, (two, halves), (plain, one), (arrays, one), (slow, one)])


def big(problem: by.Problem, costs: object, replicates: int) -> by.Result:
    """FTARL and LSA on one shared table."""
    result = by.simulate(problem, PAIR, costs, replicates, workers=1, costs_per="shared", progress=False)
    for label in result.regrets:
        result.moments(label)
    return result


def big_section(sizes: Sizes) -> str:
    """Many actions and rounds, one table for all replicates."""
    rounds, n, replicates = sizes.big_rounds, sizes.big_actions, sizes.big_replicates
    problem = by.Problem(actions=n, horizon=rounds, memory=by.Window(100))
    costs, ends = np.empty((rounds, n)), np.empty((2, rounds))
    rivals.fill(costs, by.StocId(), 0)
    floor, given, drawn = "the draws of its table alone", "bygones, the table given", "bygones, costs drawn in blocks"
    plain = f"plain compiled loop, the table given, scaled from one replicate of {replicates}"
    generator, buffer = np.random.default_rng(0), np.empty(BUFFER)
    times = in_turns(
        {
            floor: lambda: draw(generator, buffer, rounds * n),
            given: lambda: big(problem, costs, replicates),
            drawn: lambda: big(problem, by.StocId(), replicates),
            plain: lambda: rivals.plain(problem, costs, 0, *ends),
        },
        sizes.few_turns,
    )
    times[plain] = times[plain].scaled(replicates)
    result = big(problem, costs, 1)
    ours = np.array([result.regrets[label][0] for label in ("FTARL", "LSA")])
    apart = float(np.abs(ours - ends[:, result.rounds - 1]).max())
    assert apart < 1e-6, f"the plain loop's regrets differ from ours by {apart}: it does another job"
    return (
        f"## Big job: FTARL and LSA, {replicates} replicates of one shared table, T = {rounds:,}, n = {n:,}\n\n"
        f"One worker. The plain loop's regrets differ from ours by at most {apart:.0e}.\n\n"
    ) + ratios(times, [(given, floor), (drawn, floor), (plain, given)])


def exact_section(sizes: Sizes) -> str:
    """Exact means against one replicate."""
    problem = by.Problem(actions=10, horizon=sizes.rounds, memory=by.Window(100))
    exact, one = "expected: FTARL's exact mean", "simulate: one replicate of FTARL"
    times: dict[str, Times] = in_turns(
        {
            exact: lambda: by.expected(problem, [by.FTARL()], by.StocHet(), workers=1, progress=False),
            one: lambda: by.simulate(problem, [by.FTARL()], by.StocHet(), 1, workers=1, progress=False),
        },
        sizes.turns,
    )
    return "## Exact means\n\nThe standard problem, one worker.\n\n" + ratios(times, [(exact, one)])


def wrapped_section(sizes: Sizes) -> str:
    """What wrappers add: a whole run of one, and the block of a player."""
    problem = by.Problem(actions=10, horizon=sizes.rounds, memory=by.Window(100))
    costs = by.StocHet().draw(10, sizes.rounds, np.random.default_rng(0))
    inner = [by.AdaHedge(), by.Hedge(), by.FixedShare(), by.FTARL(play="mean")]
    jobs: dict[str, Callable[[], object]] = {
        f"expected: {learner!r}": lambda learner=learner: by.expected(
            problem, [learner], by.StocHet(), workers=1, progress=False
        )
        for learner in (by.Steering(), by.Guarded(), by.Guarded(by.FollowTheLeader()), by.FollowTheLeader())
    }
    for learner in (*inner, *(by.Steering(one) for one in inner)):
        jobs[f"block: {learner!r}"] = lambda learner=learner: learner.start(problem).play(costs)
    pairs = [
        (f"expected: {by.Guarded()!r}", f"expected: {by.Steering()!r}"),
        (f"expected: {by.Guarded(by.FollowTheLeader())!r}", f"expected: {by.FollowTheLeader()!r}"),
        *((f"block: {by.Steering(one)!r}", f"block: {one!r}") for one in inner),
    ]
    text = (
        f"## Wrappers\n\nT = {sizes.rounds:,}, n = 10, a window of 100; one worker. A block is all rounds at once.\n\n"
    )
    return text + ratios(in_turns(jobs, sizes.turns), pairs)
