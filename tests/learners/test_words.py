"""Learners as words."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bygones as by
from bygones.learners import LEARNERS, as_learners
from bygones.learners.base import Wrapper


@pytest.mark.parametrize("kind", LEARNERS, ids=lambda kind: kind.__name__)
def test_every_learner_has_its_word(kind):
    name = kind.__name__
    for word in (name, name.lower(), name.upper(), f" {name} "):
        assert by.Learner.parse(word) == kind()


@pytest.mark.parametrize(
    ("text", "learner"),
    [
        ("follow-the-leader", by.FollowTheLeader()),
        ("Ada_Hedge", by.AdaHedge()),
        ("ftarl:tuning=sharp", by.FTARL(tuning="sharp")),
        ("FTARL: play = mean , memory_bound=12", by.FTARL(play="mean", memory_bound=12)),
        ("hedge:rate=1e-3", by.Hedge(rate=1e-3)),
        ("fixed:action=2", by.Fixed("2")),
        ("fixed:action=Delta Air Lines", by.Fixed("Delta Air Lines")),
        ("pure:learner=steering,how=independent", by.Pure(by.Steering(), how="independent")),
        ("fixed:action=#2", by.Fixed(2)),
        ('fixed:action="a, (b): \\"c\\" #1"', by.Fixed('a, (b): "c" #1')),
        ("pure(steering)", by.Pure(by.Steering())),
        ("Pure ( hedge : rate=0.1 ) : how=independent", by.Pure(by.Hedge(rate=0.1), how="independent")),
        ("pure:learner=hedge:rate=0.1", by.Pure(by.Hedge(rate=0.1))),
        ("pure:learner=ftarl:play=mean", by.Pure(by.FTARL(play="mean"))),
    ],
)
def test_parameters(text, learner):
    assert by.Learner.parse(text) == learner


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the learner is '': give one of 'ftarl', 'lsa'"),
        ("hegde", r"the learner is 'hegde': give one of .* \(did you mean hedge\?\)"),
        ("ftarl:tunning=sharp", r"a parameter of FTARL is 'tunning': give one of .* \(did you mean tuning\?\)"),
        ("ftarl:tuning=shrap", r"tuning is 'shrap': give one of 'paper', 'sharp' \(did you mean sharp\?\)"),
        ("hedge:rate=fast", "the learner is 'hedge:rate=fast', and the rate is 'fast': give a number"),
        (
            "hedge:rate",
            "'rate' is not name=value: give such as rate=...; learners look like steering, ftarl:tuning=sharp",
        ),
        ("hedge:", "'' is not name=value"),
        ("hedge:rate=1,rate=2", "rate is given twice: give it once"),
        ("uniform:a=1", "Uniform has no parameters: leave 'a=1' out"),
        ("pure:learner=ftarl", "give one that plays mixtures"),
        ("pure(hedge", "'\\(hedge' has no closing parenthesis"),
        ("pure(hedge)x", "'\\)x' is not understood|no closing parenthesis"),
        ("hedge(steering)", "Hedge has no learner inside: leave '\\(steering\\)' out"),
        ("pure(hedge):learner=hedge", "learner is given twice"),
        ('fixed:action="a', "is not a text in quotes"),
        ("fixed:action=#a", "the number after # is 'a': give a whole number"),
        ("hegde:rate=1", "did you mean hedge"),
        ("hegde:Class", "there is no learner or module 'hegde' .*did you mean hedge.*looked for where"),
        ("no.such:Class", "there is no learner or module 'no.such'; modules are looked for where"),
        ("bygones.learners:Hegde", "the module 'bygones.learners' has no class 'Hegde' \\(did you mean Hedge"),
        ("bygones:Window", "bygones.Window is not a subclass of bygones.Learner"),
        ("pure:learner=hegde", "did you mean hedge"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(ValueError, match=message):
        by.Learner.parse(text)


RATES = st.floats(1e-100, 1e100)
DRAWN = {"play": st.sampled_from(["pure", "mean"])}
ROOM = {
    by.FTARL: st.one_of(
        st.fixed_dictionaries({}, optional=DRAWN | {"rate": RATES}),
        st.fixed_dictionaries({"tuning": st.sampled_from(["paper", "sharp"])}, optional=DRAWN),
        st.fixed_dictionaries({"memory_bound": RATES}, optional=DRAWN),
    ),
    by.LSA: st.fixed_dictionaries({}, optional=DRAWN | {"rate": RATES})
    | st.fixed_dictionaries({"tuning": st.sampled_from(["anava", "geulen"])}, optional=DRAWN),
    by.Hedge: st.fixed_dictionaries({}, optional={"rate": RATES})
    | st.fixed_dictionaries({"tuning": st.sampled_from(["horizon", "anytime"])}),
    by.Discounted: st.fixed_dictionaries({}, optional={"rate": RATES, "half_life": RATES}),
    by.FixedShare: st.fixed_dictionaries(
        {}, optional={"rate": RATES, "changes": st.integers(0, 2**53), "share": st.just(0.0) | st.floats(1e-99, 0.999)}
    ),
    by.FTPL: st.fixed_dictionaries({}, optional=DRAWN | {"rate": RATES}),
    by.Fixed: st.fixed_dictionaries(
        {"action": st.integers(0, 2**53) | st.text() | st.text(alphabet='#\\",()=: 1a')},
    ),
}


def any_of(kinds):
    return st.one_of([ROOM.get(kind, st.just({})).map(lambda given, kind=kind: kind(**given)) for kind in kinds])


def mixed(learner):
    return not learner.randomised and not learner.player_type.pure


SINGLE = any_of([kind for kind in LEARNERS if not issubclass(kind, Wrapper)])
SHADOWS = any_of([by.Hedge, by.FixedShare])
WRAPPED = st.recursive(
    SINGLE,
    lambda inner: (
        st.builds(by.Steering, inner)
        | st.builds(by.Guarded, inner, st.floats(0, 9), SHADOWS, st.booleans())
        | st.builds(by.Pure, inner.filter(mixed), st.sampled_from(["lazy", "independent"]))
    ),
    max_leaves=4,
)


@given(WRAPPED)
def test_words_make_the_very_learner(learner):
    again = by.Learner.parse(learner.words)
    assert again == learner
    assert again.to_dict() == learner.to_dict()
    assert again.words == learner.words


def test_lists_of_learners_and_words():
    assert as_learners(("hedge", by.FTARL())) == [by.Hedge(), by.FTARL()]
    assert by.Pure("hedge") == by.Pure(learner="hedge") == by.Pure(by.Hedge())
    for bad in ([], "hedge", by.Hedge(), None, [by.Hedge], ["hedge", 3]):
        with pytest.raises(ValueError, match="the learners are .*: give a list, such as"):
            as_learners(bad)
    with pytest.raises(ValueError, match="is given twice: give every learner once"):
        as_learners(["hedge", by.Hedge()])


MODULE = """
import bygones as by

class Mine(by.Learner):
    size: int
    share: float = 0.5
    name: str = "a"
    keen: bool = False
    inner: str | None = "x"
    player_type = by.Uniform().player_type

class Outer:
    class Inner(Mine):
        size: int = 4
"""


def test_learners_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "some_room").mkdir()
    (tmp_path / "some_room" / "__init__.py").write_text("")
    (tmp_path / "some_room" / "thing.py").write_text(MODULE)
    (tmp_path / "some_room" / "broken.py").write_text("import no_such_module_at_all")
    monkeypatch.syspath_prepend(tmp_path)
    mine = by.Learner.parse('some_room.thing:Mine:size=3,keen=true,inner=none,name="1"')
    assert (mine.size, mine.keen, mine.inner, mine.name) == (3, True, None, "1")
    assert by.Learner.parse(mine.words) == mine
    inner = by.Learner.parse("some_room.thing:Outer.Inner")
    assert inner.words == "some_room.thing:Outer.Inner"
    wrapped = by.Learner.parse("pure(some_room.thing:Mine:size=3)")
    assert wrapped.words == "pure(some_room.thing:Mine:size=3)"
    for text, message in [
        ("some_room.thing:Mine", "size"),
        ("some_room.thing:Mime", r"has no class 'Mime' \(did you mean Mine"),
        ("some_room.things:Mine", "no learner or module 'some_room.things'"),
        ("some_room.thing:Outer", "Outer is not a subclass of bygones.Learner"),
    ]:
        with pytest.raises(ValueError, match=message):
            by.Learner.parse(text)
    with pytest.raises(ValueError, match="cannot be imported: No module named 'no_such_module_at_all'"):
        by.Learner.parse("some_room.broken:Mine")


def test_the_command_line_finds_modules_of_the_working_directory(tmp_path):
    (tmp_path / "thing.py").write_text(MODULE)
    (tmp_path / "costs.csv").write_text("a,b\n" + "1,2\n2,1\n" * 12)
    program = (
        "import sys; sys.path[:] = [place for place in sys.path if place]; from bygones.cli.main import main; "
        "sys.exit(main(['backtest', 'costs.csv', '--memory', 'window:2', '--learner', 'thing:Mine:size=3']))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Mine" in done.stdout
