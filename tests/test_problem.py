import json
import tomllib

import numpy as np
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from strategies import memories

import bygones as by

problems = st.builds(
    by.Problem,
    actions=st.one_of(st.integers(2, 10**6), st.lists(st.text(), min_size=2, max_size=5, unique=True)),
    horizon=st.one_of(st.none(), st.integers(1, 10**12)),
    memory=memories,
    cost_range=st.one_of(st.none(), st.floats(1e-100, 1e100)),
)


@given(problems)
def test_round_trips_through_json(problem):
    assert by.Problem.from_dict(json.loads(json.dumps(problem.to_dict()))) == problem


@given(problems)
def test_round_trips_through_toml(problem):
    assert by.Problem.from_dict(tomllib.loads(tomli_w.dumps(problem.to_dict()))) == problem


def test_is_frozen_comparable_and_hashable():
    problem = by.Problem(["rail", "road"], 100, by.Window(5))
    assert problem == by.Problem(("rail", "road"), np.int64(100), by.Window(5), 1)
    assert len({problem, by.Problem(("rail", "road"), 100, by.Window(5))}) == 1
    assert problem != by.Problem(["rail", "road"], 100, by.Window(6))
    with pytest.raises(AttributeError, match="immutable"):
        problem.horizon = 5


def test_names():
    assert by.Problem(3, None, by.FullHistory()).names == ("0", "1", "2")
    problem = by.Problem(["rail", "road"], None, by.FullHistory())
    assert (problem.n, problem.names) == (2, ("rail", "road"))
    assert problem.number("road") == problem.number(1) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: by.Problem(1, 10, by.Window(5)), "the number of actions is 1: give a whole number of at least 2"),
        (lambda: by.Problem(["a"], 10, by.Window(5)), r"the actions are \['a'\]: give at least 2"),
        (
            lambda: by.Problem(["a", "b", "a"], 10, by.Window(5)),
            "two of the actions are called 'a': names must differ",
        ),
        (lambda: by.Problem("ab", 10, by.Window(5)), "the actions are 'ab': give a list of names"),
        (lambda: by.Problem([1, 2], 10, by.Window(5)), r"the actions are \[1, 2\]"),
        (lambda: by.Problem(2, 0, by.Window(5)), "the horizon is 0"),
        (lambda: by.Problem(2, 10, 5), "the memory is 5: give one such as Window"),
        (lambda: by.Problem(2, 10, by.Window(5), 0), "the cost range is 0"),
        (lambda: by.Problem(2, 10, by.Window(5), float("inf")), "the cost range is inf"),
        (
            lambda: by.Problem(["a", "b"], 10, by.Window(5)).number("c"),
            "there is no action 'c': the actions are 'a', 'b'",
        ),
        (lambda: by.Problem(2, 10, by.Window(5)).number(2), "the action's number is 2: with 2 actions the last"),
        (lambda: by.Problem.from_dict({"actions": 2}), "a problem has the fields actions, cost_range"),
        (lambda: by.Problem.from_dict([]), "a problem has the fields"),
        (
            lambda: by.Problem.from_dict(by.Problem(2, 10, by.Window(5)).to_dict() | {"colour": "red"}),
            "and this has actions, horizon, memory, cost_range, colour",
        ),
        (
            lambda: by.Problem.from_dict({"actions": 2, "horizon": 5, "memory": {"type": "Windw"}}),
            r"it names the memory Windw, .*\(did you mean Window\?\): pass memories=\[Windw\]",
        ),
        (
            lambda: by.Problem.from_dict({"actions": 2, "horizon": 5, "memory": {"type": "Window", "size": 3}}),
            r"memory Window: .*unknown field `size` \(its parameters: length\)",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0.0, np.nan]], r"costs\[1\] \(action 'road'\) is nan at round 41: give a number"),
        ([[0.0, 0.5], [-np.inf, 0.0]], r"costs\[0\] \(action 'rail'\) is -inf at round 42"),
        ([[0.0, 1e101]], r"costs\[1\] \(action 'road'\) is 1e\+101 at round 41"),
        ([[0.0, "dear"]], r"costs\[1\] \(action 'road'\) is 'dear' at round 41: give a number"),
        ([[0.0, None]], r"costs\[1\] \(action 'road'\) is None"),
        ([[0.0, 1j]], r"costs\[1\] \(action 'road'\) is 1j"),
        ([[0.0, 0.5, 0.5]], r"costs of shape \(3,\): give 2 costs a round"),
        ([0.0, 0.5], r"costs of shape \(2,\): give 2 costs a round"),
        ([[0.0, 0.5], [0.5]], "the rows differ in length"),
        (
            [[0.0, 0.5], [-1.25, 0.5]],
            r"round 42 spread over 1.75, from -1.25 \(action 'rail'\) to 0.5 .*: declare cost_range=1.75",
        ),
    ],
)
def test_bad_costs(costs, message):
    with pytest.raises(ValueError, match=message):
        by.Problem(["rail", "road"], 100, by.Window(5)).check_costs(costs, seen=40)


def test_the_range_has_a_little_slack_and_none_checks_nothing():
    problem = by.Problem(2, 100, by.Window(5), cost_range=0.1)
    assert problem.check_costs([[0.0, 0.1 * (1 + 0.9e-9)]], 0).shape == (1, 2)
    with pytest.raises(ValueError, match="spread"):
        problem.check_costs([[0.0, 0.1 * (1 + 1.1e-9)]], 0)
    assert by.Problem(2, 100, by.Window(5), None).check_costs([[0.0, 1e99]], 0).shape == (1, 2)


def test_numbers_of_other_kinds_are_numbers_too():
    from fractions import Fraction

    problem = by.Problem(2, 100, by.Window(5))
    for costs in ([[0, 1]], [[False, True]], [[Fraction(1, 2), 0.25]], np.zeros((3, 2), np.float32)):
        assert problem.check_costs(costs, 0).dtype == np.float64
