"""Advice: how far bounds reach, against brute force, and what is said."""

from math import inf, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import memories

import bygones as by
from bygones import theory
from bygones.promises import advise, longest_window, promised, speaks_from

PROMISING = [
    by.FTARL(),
    by.FTARL(tuning="sharp"),
    by.LSA(),
    by.LSA(tuning="geulen"),
    by.Hedge(),
    by.Hedge(tuning="anytime"),
    by.Steering(by.Hedge()),
    by.FTPL(),
]
GROWING = [one for one in PROMISING if one not in (by.Hedge(tuning="anytime"), by.FTPL())]  # with the window
FAR = 4000  # a horizon past all that these small problems ask for
JUMPY = by.Weights([0.5, *[0.0] * 18, 0.5])  # its mean lag leaps at round 20


def vacuous(bound, problem):
    value = bound(problem)
    return (inf if value is None else value) >= problem.cost_range * problem.horizon


@pytest.mark.parametrize("learner", PROMISING, ids=repr)
@pytest.mark.parametrize("n", [2, 10, 10**4])
@pytest.mark.parametrize(
    "memory", [by.Window(1), by.Window(9), by.Geometric(0.8), JUMPY], ids=["none", "window", "geometric", "jumpy"]
)
def test_the_horizon_from_which_a_bound_speaks_is_the_one_after_the_last_vacuous_one(learner, n, memory):
    problem = by.Problem(n, 1, memory, 2.5)
    silent = [T for T in range(1, FAR) if vacuous(learner.bound, problem.replace(horizon=T))]
    proved = learner.bound(problem) is not None
    assert speaks_from(learner.bound, problem) == (max(silent, default=0) + 1 if proved else None)


def test_a_bound_may_speak_fall_silent_and_speak_again():
    problem = by.Problem(10**4, 1, JUMPY)
    early, later = (vacuous(by.Hedge().bound, problem.replace(horizon=T)) for T in (15, 40))
    assert not early
    assert later
    assert speaks_from(by.Hedge().bound, problem) > 40


def test_under_full_history_the_theorem_never_speaks_and_hedge_does_for_few_actions():
    for n in (2, 10, 54, 55, 1000):
        problem = by.Problem(n, 1, by.FullHistory())
        assert speaks_from(theory.theorem_bound, problem) is None
        silent = [T for T in range(1, FAR) if vacuous(by.Hedge().bound, problem.replace(horizon=T))]
        assert speaks_from(by.Hedge().bound, problem) == (max(silent, default=0) + 1 if n < 55 else None)


@pytest.mark.parametrize("learner", GROWING, ids=repr)
@pytest.mark.parametrize("n", [2, 10, 60, 10**6])
@pytest.mark.parametrize("T", [1, 2, 3, 50, 400])
def test_the_longest_window_is_the_last_that_is_not_vacuous(learner, n, T):
    problem = by.Problem(n, T, by.FullHistory(), 2.5)
    speaking = [H for H in range(1, T + 1) if not vacuous(learner.bound, problem.replace(memory=by.Window(H)))]
    assert longest_window(learner.bound, problem) == max(speaking, default=0) == len(speaking)


def test_very_long_games_are_no_harder():
    """The theorem's reach has a closed form: with c = (H + 2)(ln n + 1), T - H > 4 (sqrt(c) + sqrt(c + H))^2."""
    problem = by.Problem(10, 10**15, by.Window(10**9))
    c = (10**9 + 2) * (log(10) + 1)
    reach = 10**9 + 4 * (sqrt(c) + sqrt(c + 10**9)) ** 2
    assert speaks_from(theory.theorem_bound, problem) == pytest.approx(reach, abs=1)
    longest = longest_window(theory.theorem_bound, problem)
    assert not vacuous(theory.theorem_bound, problem.replace(memory=by.Window(longest)))
    assert vacuous(theory.theorem_bound, problem.replace(memory=by.Window(longest + 1)))
    assert len(advise(by.Problem(54, 10**15, by.FullHistory()))) in (5, 6)


@given(st.integers(2, 1000), st.integers(1, 10**5), memories)
def test_advice_follows_the_least_bound(n, T, memory):
    problem = by.Problem(n, T, memory)
    first = advise(problem)[0]
    least = min(promised(problem), key=lambda line: line.value)
    if least.value >= T:
        assert first.startswith(f"No guarantee says anything here: the least, that of {least.name}, is ")
    else:
        assert least.learner in (by.Hedge(), by.HedgeAhead(), by.Steering(by.Hedge()))  # which play weights to draw by
        follows = by.Guarded().bound(problem) < T
        assert first.startswith(f"Use {by.Guarded() if follows else least.learner!r}: its regret is at most ")
        if follows:
            assert advise(problem)[1].startswith(f"The least promise is that of {least.learner!r}, ")


def test_advice_where_everything_speaks():
    assert advise(by.Problem(10, 10_000, by.Window(100))) == [
        (
            "Use Guarded(): its regret is at most 1,177.4, or 0.1177 a round, and inside that promise it follows "
            "Steering, which had less regret than Hedge on nearly all costs measured."
        ),
        "The least promise is that of HedgeAhead(), 615.6: use it where only the worst case counts.",
        "Where a decision cannot be split, Pure draws the action by its weights: the same then holds in expectation.",
        "The guarantee of Hedge says something from 2 rounds on, the paper's theorem from 6,264 rounds on.",
        "With 10,000 rounds it does so with any window, the paper's theorem with windows of up to 160.",
        "No learner can promise less than 45.45.",
    ]


def test_advice_where_nothing_speaks_tells_what_would_help():
    window = advise(by.Problem(1000, 30, by.Window(20)))
    assert window[0].endswith("What would help: fewer actions, more rounds, a shorter window.")
    full = advise(by.Problem(1000, 30, by.FullHistory()))
    assert full[0].endswith("What would help: fewer actions, a shorter window.")
    assert full[1] == (
        "The guarantee of Hedge says something at no number of rounds, the paper's theorem at no number of rounds."
    )
    assert advise(by.Problem(1000, 3, by.Geometric(0.9)))[0].endswith("What would help: fewer actions, more rounds.")
    assert advise(by.Problem(1000, 1, by.FullHistory()))[0].endswith("What would help: fewer actions.")


def test_advice_on_other_memories_says_nothing_of_windows():
    said = advise(by.Problem(3, 365, by.Geometric(0.9), 2.5))
    assert said[1].startswith("The least promise is that of Steering(learner=Hedge()), 38.09: use it where only")
    assert not any("window" in sentence or "theorem" in sentence for sentence in said)


def test_what_is_unknown_is_asked_for():
    with pytest.raises(ValueError, match="advice needs the problem's horizon, unknown here"):
        advise(by.Problem(3, None, by.Window(5)))
