"""Exact worst cases of explicit learners: the largest regret over all sequences of costs (1, 0) and (0, 1)."""

import math
from copy import deepcopy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import Actions, Array, compiled
from ..learners import Learner
from ..memory import vertices
from ..parallel import showing
from ..problem import Problem
from .cases import WorstCase, as_played, case, power

ALWAYS = 16  # rounds of games whose sequences are all played, whatever decisions seem to depend on
LONGEST = 20  # rounds, where all sequences are played because nothing else will do
MOST_LAGS = 10
SAMPLES = 300  # histories that show what decisions depend on
ENTRIES = 300_000_000  # of a table of choices
STEPS = 5_000_000_000  # of the dynamic program
ALIKE = 1e-9
CHUNK = 4096  # sequences whose states are computed together


def exact_worst_case(learner: Learner | str, problem: Problem, progress: bool | None = None) -> WorstCase:
    """The largest regret of a learner for two actions, over all sequences of costs `(R, 0)` and `(0, R)`.

    Games of up to 16 rounds are played: all `2^(T-1)` sequences of the steps that decisions can depend on.

    Longer ones are gone through by dynamic programming, where decisions depend only on the lead `D_t = sum_s d_s` of
    the costs so far (`d = 1` for `(R, 0)`, -1 for `(0, R)`) and on the last few of these steps, as those of Hedge and
    of FTARL's mean do. The largest regret is then a shortest path. With `x` the weight of the first action in the
    state, and k steps enough to know all decisions that it is made of,

        W_t(D, last k steps) = max_d [ R d x + W_(t+1)(D + d, last k steps) ],     W_(T+1)(D, .) = -R min(D, 0).

    How many steps are needed is found out on a sample: 300 pairs of histories that agree in D and these steps. The
    decisions themselves are those of the learner's own players, and the regret is played once more. All the same a
    learner that is made to deceive, by decisions that are others on few histories, could have a worse case than this.
    Learners whose decisions depend on more play all sequences of up to 20 rounds.

    Args:
        learner: one that draws nothing, or whose mean is known; or its words.
        problem: of two actions; horizon and range must be known.
        progress: None shows a progress bar on a terminal only, where all sequences are played.

    Returns:
        The worst case. `found_by` says how: "all sequences, played" or "dynamic programming". The costs are the
        sequence, and the regret is that of a fresh player on it.

    Raises:
        ValueError: if there are more than two actions, or the game is longer than 20 rounds and the table is too large,
            or decisions are seen to depend on more than the sums of costs and the last few of them.

    >>> import bygones as by
    >>> problem = by.Problem(2, 100, by.Window(4))
    >>> worst = exact_worst_case(by.Hedge(), problem)
    >>> round(worst.regret, 3), round(worst.bound, 3), worst.found_by
    (9.88, 11.685, 'dynamic programming')
    """
    given, mean = as_played(learner, problem)
    if problem.n != 2:
        raise ValueError(f"the problem has {problem.n} actions: exact worst cases are for two; worst_case searches")
    rounds = problem.horizon or 0
    support = min(problem.memory.support or rounds, rounds)
    if rounds > ALWAYS:
        lags = _lags_needed(mean, problem, rounds)
        if lags is None:
            why = f"the decisions of {given!r} depend on more than the sums of costs and the last few of them"
        elif not _fits(rounds, support, lags):
            entries = power((2 * math.log2(rounds) + lags + support - 1) * math.log10(2))
            why = f"the decisions of {given!r} make a table of {entries} entries"
        else:
            value, steps = _by_program(mean, problem, rounds, support, lags)
            found = case(given, mean, problem, _costs(problem, steps), "dynamic programming", 0)
            if abs(found.regret - value) <= ALIKE * (1 + abs(value)) * rounds:
                return found
            why = (
                f"{given!r} has a regret of {found.regret!r} on the costs computed, not {value!r}, so its decisions "
                f"depend on more than the sums of costs and the last {lags} of them"
            )
        if rounds > LONGEST:
            raise ValueError(
                f"{why}, and all sequences can be played over {LONGEST} rounds at most: give a shorter horizon or "
                "memory, or use worst_case, which searches"
            )
    steps, tries = _by_playing(mean, problem, rounds, progress)
    return case(given, mean, problem, _costs(problem, steps), "all sequences, played", tries)


def _fits(rounds: int, support: int, lags: int) -> bool:
    """Whether the dynamic program is small enough."""
    if 2 * math.log2(rounds) + lags + support - 1 > math.log2(ENTRIES):
        return False
    return rounds**2 * 2.0 ** (lags + support - 1) * support <= STEPS


def _costs(problem: Problem, steps: Actions) -> Array:
    """Steps of 1 and -1 as costs."""
    return float(problem.cost_range or 0.0) * vertices((steps < 0).astype(np.int64), 2)


def _lags_needed(learner: Learner, problem: Problem, rounds: int) -> int | None:
    """How many of the last steps decisions of a sample depend on, beside the lead; None: on more than a few."""
    rng = np.random.default_rng(0)
    histories = []
    for sample in range(SAMPLES):
        count, bias = int(rng.integers(rounds)), (0.5, 0.8, 0.2)[sample % 3]
        histories.append(np.where(rng.random(count) < bias, 1, -1))
    decisions = [_decision(learner, problem, history) for history in histories]
    for lags in range(min(MOST_LAGS, rounds // 2) + 1):  # of more steps, too few histories differ before them
        if all(
            abs(_decision(learner, problem, _shortened(history, lags)) - decision) <= ALIKE
            for history, decision in zip(histories, decisions, strict=True)
        ):
            return lags
    return None


def _shortened(history: Actions, lags: int) -> Actions:
    """Another history with the same lead and the same last steps: all before them of one sign."""
    cut = max(0, len(history) - lags)
    lead = int(history[:cut].sum())
    return np.concatenate([np.full(abs(lead), 1 if lead > 0 else -1), history[cut:]])


def _decision(learner: Learner, problem: Problem, history: Actions) -> float:
    """The weight of the first action after a history."""
    player = learner.start(problem)
    player.play(_costs(problem, history))
    return float(player.decide()[0])


class Table(NamedTuple):
    """Decisions, as weights of the first action. The newest step is the lowest bit, and a bit is set where it was 1."""

    lags: int
    middle: int  # where a lead of 0 stands
    late: Array  # (leads, 2^lags): by the lead and the last steps
    early: Array  # (lags or 1, 2^lags): by the number of steps so far, where it is less than `lags`, and all of them


def _table(learner: Learner, problem: Problem, rounds: int, support: int, lags: int) -> Table:
    """All decisions that a game may need, by the learner's own players."""
    middle = rounds + support + 2 * lags
    late = np.full((2 * middle + 1, 2**lags), np.nan)
    early = np.full((max(lags, 1), 2**lags), np.nan)
    for count in range(lags):
        for bits in range(2**count):
            early[count, bits] = _decision(learner, problem, _steps(bits, count))
    for sign in (1, -1):
        player = learner.start(problem)
        for lead in range(rounds - lags):
            for bits in range(2**lags):
                steps = _steps(bits, lags)
                other = deepcopy(player) if lags else player
                if lags:
                    other.play(_costs(problem, steps))
                late[middle + sign * lead + steps.sum(), bits] = other.decide()[0]
            if lead + 1 < rounds:
                player.observe(_costs(problem, np.array([sign]))[0])
    return Table(lags, middle, late, early)


def _steps(bits: int, count: int) -> Actions:
    """Bits as steps, the oldest first."""
    return np.array([1 if bits >> place & 1 else -1 for place in range(count - 1, -1, -1)], dtype=np.int64)


def _by_program(learner: Learner, problem: Problem, rounds: int, support: int, lags: int) -> tuple[float, Actions]:
    """The largest regret, and the steps that lead to it."""
    weights = np.zeros((rounds, support))
    for t in range(1, rounds + 1):
        own = problem.memory.weights(t)[:support]
        weights[t - 1, : len(own)] = own
    known = lags + support - 1
    choices = np.zeros((rounds, rounds, 2**known), dtype=np.bool_)
    values = np.zeros((2 * rounds + 3, 2**known))
    for lead in range(-rounds, rounds + 1):
        values[lead + rounds + 1] = -min(lead, 0)
    plan.call(*_table(learner, problem, rounds, support, lags), weights, known, values, choices)
    steps, lead, bits = np.empty(rounds, dtype=np.int64), 0, 0
    for t in range(rounds):
        up = bool(choices[t, (lead + t) // 2, bits])
        steps[t] = 1 if up else -1
        lead += steps[t]
        bits = (2 * bits + up) & (2 ** min(t + 1, known) - 1)
    return float(problem.cost_range or 0.0) * float(values[rounds + 1, 0]), steps


def _plan(
    lags: int,
    middle: int,
    late: Array,
    early: Array,
    weights: Array,
    known: int,
    values: Array,
    choices: NDArray[np.bool_],
) -> None:
    """Go through the rounds backwards: values are those after a round, then those before it; leads alternate in parity.

    Args:
        lags: of the table of decisions, like the next three.
        middle: where a lead of 0 stands in it.
        late: (leads, 2^lags).
        early: (lags or 1, 2^lags).
        weights: (T, support) of the memory.
        known: how many steps are kept.
        values: (2T + 3, 2^known), by the lead plus T + 1; those after the last round are in it.
        choices: (T, T, 2^known), written: whether the step is up, by the round, the lead and the steps before.
    """
    rounds, support = weights.shape
    for t in range(rounds, 0, -1):
        before, after = min(t - 1, known), min(t, known)
        for k in range(t):
            lead = 2 * k - (t - 1)
            for bits in range(2**before):
                total, state = lead, 0.0
                for lag in range(min(t, support)):
                    seen, past = t - 1 - lag, bits >> lag
                    if seen >= lags:
                        state += weights[t - 1, lag] * late[middle + total, past & (2**lags - 1)]
                    else:
                        state += weights[t - 1, lag] * early[seen, past & (2**seen - 1)]
                    total -= 2 * (past & 1) - 1
                shifted = 2 * bits
                up = state + values[lead + rounds + 2, (shifted + 1) & (2**after - 1)]
                down = -state + values[lead + rounds, shifted & (2**after - 1)]
                choices[t - 1, k, bits] = up > down
                values[lead + rounds + 1, bits] = max(up, down)


plan = compiled(_plan)


def _by_playing(learner: Learner, problem: Problem, rounds: int, progress: bool | None) -> tuple[Actions, int]:
    """The steps of the largest regret, and how many sequences were played: the last step is chosen without playing."""
    averages = np.zeros((rounds, rounds))
    for t in range(1, rounds + 1):
        weights = problem.memory.weights(t)
        averages[t - 1, t - len(weights) : t] = weights[::-1]
    free = rounds - 1
    best, chosen = -np.inf, np.ones(rounds, dtype=np.int64)
    with showing(progress, 2**free, "playing all sequences") as tick:
        for first in range(0, 2**free, CHUNK):
            numbers = np.arange(first, min(first + CHUNK, 2**free))
            steps = np.ones((len(numbers), rounds), dtype=np.int64)
            for place in range(free):
                steps[:, rounds - 2 - place] = np.where(numbers >> place & 1, 1, -1)
            decisions = np.empty((len(numbers), rounds))
            for row, own in enumerate(steps):
                played = learner.start(problem).play(_costs(problem, own))
                decisions[row] = played[:, 0] if played.ndim == 2 else played == 0
            states = decisions @ averages.T
            before = (steps[:, :-1] * states[:, :-1]).sum(axis=1)
            for last in (1, -1):
                steps[:, -1] = last
                regrets = before + last * states[:, -1] - np.minimum(steps.sum(axis=1), 0)
                worst = int(regrets.argmax())
                if regrets[worst] > best:
                    best, chosen = regrets[worst], steps[worst].copy()
            tick(len(numbers))
    return chosen, 2**free
