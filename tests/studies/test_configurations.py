"""What a study crosses."""

from itertools import product

import pytest

import bygones as by
from bygones.studies.configurations import configurations


def study(**given):
    usual = {"learners": ["hedge"], "costs": ["stochet"], "memory": "window:5", "horizon": 100}
    return by.Study(**(usual | given))


def test_all_axes_are_crossed():
    made = study(
        learners=["hedge:rate={rate}", "ftarl"],
        costs=["stochet", "cyclic:hold={hold}"],
        memory="window:{H}",
        horizon=[100, 200],
        actions=[3, 4],
        grid={"rate": [0.1, 0.2], "H": [5, 6], "hold": [7, 8]},
    )
    found = {(each.learner, each.costs, each.memory, each.horizon, each.actions) for each, *_ in configurations(made)}
    learners, costs = ["hedge:rate=0.1", "hedge:rate=0.2", "ftarl"], ["stochet", "cyclic:hold=7", "cyclic:hold=8"]
    assert found == set(product(learners, costs, ["window:5", "window:6"], [100, 200], [3, 4]))
    assert len(made) == len(found) == 72  # and none of them twice


def test_a_point_names_the_parameters_that_make_a_difference_to_it():
    made = study(learners=["hedge:rate={rate}", "ftarl"], grid={"rate": [0.1, 0.2]})
    assert [(each.learner, named) for each, named, *_ in configurations(made)] == [
        ("hedge:rate=0.1", {"rate": 0.1}),
        ("ftarl", {}),
        ("hedge:rate=0.2", {"rate": 0.2}),
    ]


def test_zipped_parameters_go_together():
    made = study(memory="window:{H}", horizon=[100, 400, 900], grid={"H": [10, 20, 30]}, zipped=[["horizon", "H"]])
    assert [(each.horizon, each.memory) for each, *_ in configurations(made)] == [
        (100, "window:10"),
        (400, "window:20"),
        (900, "window:30"),
    ]


def test_values_that_go_together_may_repeat():
    costs, ranges = ["stochet", "stocid", "@flights"], [1.0, 1.0, 300.0]
    made = study(costs=costs, cost_range=ranges, zipped=[["costs", "cost_range"]])
    assert [(each.costs, each.cost_range) for each, *_ in configurations(made)] == list(zip(costs, ranges, strict=True))


def test_numbers_reach_the_words_to_the_last_digit():
    rate = 0.1 + 0.2
    (point,) = configurations(study(learners=["hedge:rate={rate}"], grid={"rate": rate}))
    assert by.Learner.parse(point.configuration.learner).rate == rate


def test_words_are_canonical_so_that_two_ways_to_write_them_are_one_configuration():
    assert len(study(learners=["hedge", "Hedge", "hedge:tuning=horizon"])) == len(study()) == 1


def test_a_table_has_its_own_actions_and_rounds():
    found = [each for each, *_ in configurations(study(costs=["@flights", "stochet"], horizon=[100, 200]))]
    assert [(each.costs, each.actions, each.horizon) for each in found] == [
        ("@flights", None, None),
        ("stochet", 10, 100),
        ("stochet", 10, 200),
    ]


@pytest.mark.parametrize(("given", "kept"), [("unknown", None), (2, 2.0)])
def test_the_range_of_costs_may_be_unknown(given, kept):
    (point,) = configurations(study(cost_range=given))
    assert point.configuration.cost_range == kept
