"""What a study declares, and what is wrong with it."""

import pytest

import bygones as by
from bygones.studies.declaration import MOST, parameters

USUAL = {"learners": ["hedge"], "costs": ["stochet"], "memory": "window:5"}


def wrong(**given):
    with pytest.raises(ValueError, match=": ") as error:
        by.Study(**(USUAL | given))
    return str(error.value).splitlines()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"learners": "hedge"}, "study.learners: learners is 'hedge': give a list"),
        ({"learners": ["hedge", 5]}, "study.learners: learners[1] is ['hedge', 5]: give a text"),
        ({"learners": []}, "study.learners: learners is empty: give at least one"),
        ({"costs": []}, "study.costs: costs is empty"),
        ({"costs": ["stochet", "stocid:x=1"]}, "study.costs[1]: the cost family is 'stocid:x=1'"),
        ({"costs": ["@fligths"]}, "(did you mean flights?)"),
        ({"costs": ["gone.csv"]}, "there is no such file"),
        ({"memory": "widow:5"}, "problem.memory: the memory is 'widow:5' (did you mean window?)"),
        ({"memory": 5}, "problem.memory: the memory is '5' (did you mean window:5?)"),
        ({"actions": [2, 1]}, "problem.actions[1]: actions is 1: give a whole number of at least 2"),
        ({"horizon": 1.5}, "problem.horizon: horizon is 1.5"),
        ({"horizon": True}, "problem.horizon: horizon is True"),
        ({"cost_range": "unkown"}, "problem.cost_range: cost_range is 'unkown'"),
        ({"replicates": 0}, "study.replicates: replicates is 0"),
        ({"replicates": "5"}, "study.replicates: replicates is '5': give a whole number"),
        ({"method": "expect"}, "(did you mean expected?)"),
        ({"record": "ends"}, "study.record"),
        ({"record": 1.5}, "study.record: record is 1.5: give a whole number or a text or a list"),
        ({"record": [500], "horizon": [100, 1000]}, "study.record"),
        ({"guarantees": 1}, "study.guarantees: guarantees is 1: give true or false"),
        ({"grid": {"H": [1]}}, "grid.H: H is used nowhere: write {H} into a learner, costs or a memory"),
        ({"memory": "window:{H}"}, "problem.memory: there is no parameter 'H' for 'window:{H}': give its values"),
        ({"memory": "window:{Hh}", "grid": {"H": [1]}}, "(did you mean H?)"),
        ({"memory": "window:{H", "grid": {"H": [1]}}, "has a brace without its other"),
        ({"memory": "window:{H:.1f}", "grid": {"H": [1]}}, "there is no parameter 'H:.1f'"),
        ({"memory": "window:{}", "grid": {"H": [1]}}, "there is no parameter ''"),
        ({"grid": {"seed": [1]}}, "grid.seed: seed cannot be the name of a parameter"),
        ({"grid": {"regret": [1]}}, "grid.regret: regret cannot be the name of a parameter"),
        ({"grid": {"a b": [1]}}, "cannot be the name of a parameter"),
        ({"zipped": [["horizon", "actons"]]}, "study.zipped[0]: 'actons' is not swept (did you mean actions?)"),
        ({"zipped": [["horizon"], ["horizon"]]}, "study.zipped[1]: 'horizon' is there twice"),
        ({"horizon": [1, 2], "actions": [2, 3, 4], "zipped": [["horizon", "actions"]]}, "horizon 2, actions 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_path_and_remedy(given, said):
    assert any(said in line for line in wrong(**given)), wrong(**given)


def test_a_study_is_checked_in_all_its_parts_at_once():
    lines = wrong(learners=["hegde", "ftral"], seed=-1, horizon=[0, 5], method="x", grid={"H": []})
    assert [line.partition(": ")[0] for line in lines] == [
        "grid.H",
        "study.seed",
        "study.method",
        "problem.horizon[0]",
        "study.learners[0]",
        "study.learners[1]",
    ]


def test_every_value_of_a_parameter_is_tried_before_anything_runs():
    lines = wrong(learners=["hedge:rate={rate}"], grid={"rate": [0.1, 0.2, -0.3, 0.4]})
    assert len(lines) == 1
    assert lines[0].startswith("grid.rate[2]: the learner is 'hedge:rate=-0.3', and the rate is -0.3: give a number")


def test_many_wrong_values_of_a_parameter_are_counted():
    lines = wrong(learners=["hedge:rate={rate}"], grid={"rate": {"linear": [-10.0, 1.0], "steps": 12}})
    assert len(lines) == 4
    assert lines[-1] == "grid.rate: so it is with 8 more values of 'hedge:rate={rate}'"


def test_values_that_go_together_are_tried_together():
    """Weights add up to 1: crossed, these would not."""
    words = "weights:{first},{second}"
    grid = {"first": [0.25, 0.5], "second": [0.75, 0.5]}
    assert len(by.Study(**USUAL | {"memory": words, "grid": grid, "zipped": [["first", "second"]]})) == 2
    assert "grid.first[0]: the memory is 'weights:0.25,0.5'" in wrong(memory=words, grid=grid)[0]


def test_a_grid_has_a_limit_and_is_not_expanded_beyond_it():
    many = {"linear": [1, 10**6], "steps": 10**6}
    (line,) = wrong(memory="window:{H}", horizon=[10, 20, 30], grid={"H": many})
    assert line == f"[grid]: the values multiply to 3,000,000 configurations: give at most {MOST:,}"


def test_parameters_are_named_once_and_doubled_braces_are_braces():
    assert parameters("a:{x},{y},{x}") == ("x", "y")
    assert parameters("a:{{x}}") == ()
