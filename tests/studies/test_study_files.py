"""Studies in TOML files."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bygones as by
from bygones.studies.reading import EXAMPLE, read_study, written

TEN = """\
[study]
learners = [
    "ftarl",
    "hegde",
    "hedge:rate={rat}",
]
costs = ["stochett"]
replicate = 5
seed = -1
method = "simulated"
switches = "yes"
zipped = [["rate", "horizon"]]

[problem]
memory = "windo:3"
horizon = [1000, 0]
replicates = 4

[grid]
rate = [0.1, 0.2, 0.3]
unused = [1, 2]

[gird]
x = 1
"""


def read(tmp_path, text):
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    return read_study(tmp_path / "study.toml")


def mistakes(tmp_path, text):
    with pytest.raises(ValueError, match="study.toml") as error:
        read(tmp_path, text)
    return [line.removeprefix(f"{tmp_path / 'study.toml'}, ") for line in str(error.value).splitlines()]


def test_all_mistakes_are_listed_at_once_each_with_path_line_and_nearest_name(tmp_path):
    expected = [
        (4, "study.learners[1]", "(did you mean hedge?)"),
        (5, "study.learners[2]", "(did you mean rate?)"),
        (7, "study.costs[0]", "(did you mean stochet?)"),
        (8, "study.replicate", "unknown field 'replicate' in [study]: did you mean 'replicates'?"),
        (9, "study.seed", "give a whole number of at least 0"),
        (10, "study.method", "(did you mean simulate?)"),
        (11, "study.switches", "give true or false"),
        (12, "study.zipped[0]", "rate 3, horizon 2"),
        (15, "problem.memory", "(did you mean window?)"),
        (16, "problem.horizon[1]", "give a whole number of at least 1"),
        (17, "problem.replicates", "it belongs in [study]"),
        (20, "grid.rate", "rate is used nowhere"),
        (21, "grid.unused", "unused is used nowhere"),
        (23, "[gird]", "there is no such section: did you mean 'grid'?"),
    ]
    found = mistakes(tmp_path, TEN)
    assert len(found) == len(expected)
    for line, (number, path, said) in zip(found, expected, strict=True):
        assert line.startswith(f"line {number}: {path}: ")
        assert said in line


def test_a_wrong_value_of_a_list_has_its_own_line(tmp_path):
    text = '[study]\nlearners = ["hedge:rate={rate}"]\ncosts = ["stochet"]\n[problem]\nmemory = "full"\n'
    (line,) = mistakes(tmp_path, f"{text}[grid]\nrate = [\n  0.1,\n  -1.5,\n  1.5,\n]\n")
    assert line.startswith("line 9: grid.rate[1]: the learner is 'hedge:rate=-1.5'")


def test_what_is_missing_is_said(tmp_path):
    said = " ".join(mistakes(tmp_path, ""))
    for name in ("study.learners", "study.costs", "problem.memory"):
        assert f"{name}: it is missing" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"[study", "is not TOML: expected"), (b"\xff\xfe", "is not a text in UTF-8"), (b"study = 5\n", "no such")],
)
def test_what_is_no_study_is_refused(tmp_path, content, said):
    (tmp_path / "study.toml").write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(said)):
        read_study(tmp_path / "study.toml")


def test_the_example_is_a_study(tmp_path):
    assert len(read(tmp_path, EXAMPLE)) == 80


def test_tables_are_looked_for_beside_the_file_and_stay_found_when_it_is_written_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "costs.csv").write_text("a,b\n1,2\n2,1\n")
    text = '[study]\nlearners = ["hedge"]\ncosts = ["own/costs.csv"]\n[problem]\nmemory = "window:2"\n'
    study = read(tmp_path, text)
    assert study.costs == [str(tmp_path / "own" / "costs.csv")]
    monkeypatch.chdir(tmp_path / "own")
    relative = by.Study(learners=["hedge"], costs=["./costs.csv"], memory="window:2")
    (tmp_path / "elsewhere").mkdir()
    assert read(tmp_path / "elsewhere", written(relative)) == study


names = st.from_regex(r"[^\W\d]\w{0,6}", fullmatch=True).filter(
    lambda name: name.isidentifier() and name not in by.Study.__struct_fields__
)
rates = st.one_of(
    st.floats(1e-9, 1e9),
    st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=4, unique=True),
    st.builds(lambda high, steps: {"log": [0.5, high], "steps": steps}, st.floats(1.0, 9.0), st.integers(2, 9)),
)


@st.composite
def studies(draw):
    name, text = draw(names), st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    lengths = draw(st.lists(st.integers(1, 50), min_size=1, max_size=3, unique=True))
    return by.Study(
        learners=[f"hedge:rate={{{name}}}", *draw(st.lists(st.sampled_from(["ftarl", "lsa", "uniform"]), max_size=2))],
        costs=draw(st.lists(st.sampled_from(["stochet", "@flights", "cyclic:hold=5"]), min_size=1, max_size=3)),
        memory=[f"window:{length}" for length in lengths],
        actions=draw(st.integers(2, 9)),
        horizon=draw(st.lists(st.integers(1, 10**6), min_size=len(lengths), max_size=len(lengths), unique=True)),
        cost_range=draw(st.one_of(st.just("unknown"), st.floats(1e-3, 1e3), st.just([1, 2.5]))),
        replicates=draw(st.integers(1, 10**6)),
        seed=draw(st.integers(0, 2**62)),
        method=draw(st.sampled_from(["simulate", "expected"])),
        record=draw(st.sampled_from(["end", "all", "log:5", 1, [1]])),
        switches=draw(st.booleans()),
        guarantees=draw(st.booleans()),
        grid={name: draw(rates)},
        zipped=draw(st.sampled_from([[], [["memory", "horizon"]]])),
        name=draw(text),
    )


@given(studies())
def test_to_toml_and_back_is_the_same_study(tmp_path_factory, study):
    assert read(tmp_path_factory.mktemp("study"), written(study)) == study
