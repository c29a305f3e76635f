import math

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from samples import MEMORIES as EXAMPLES
from strategies import memories

import bygones as by
from bygones.checks import check_memory
from bygones.memory import MEMORIES, Form


@pytest.mark.parametrize("memory", EXAMPLES, ids=repr)
def test_examples_keep_the_contract(memory):
    check_memory(memory)


@given(memories)
def test_any_memory_keeps_the_contract(memory):
    check_memory(memory)


def test_there_is_an_example_of_every_memory():
    assert {type(memory) for memory in EXAMPLES} == set(MEMORIES)


@given(st.integers(1, 12), st.integers(2, 4), st.integers(1, 40), st.integers(0, 2**32))
def test_window_equals_both_of_the_papers_views(H, n, T, seed):
    decisions = np.random.default_rng(seed).dirichlet(np.ones(n), T)
    state = by.Window(H).start(n)
    for t in range(1, T + 1):
        y, beta = state.carried()
        x = state.push(decisions[t - 1])
        np.testing.assert_allclose(x, reference.average(decisions, t, H), rtol=0, atol=1e-14)
        np.testing.assert_allclose(y, reference.carried(decisions, t - 1, H), rtol=0, atol=1e-14)
        assert beta == reference.beta(t, H)
        np.testing.assert_allclose(y + beta * decisions[t - 1], x, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "memory", [pytest.param(by.Window(1000), marks=pytest.mark.compiled), by.Window(999), by.FullHistory()], ids=repr
)
def test_pure_decisions_are_counted_without_any_drift(memory):
    """A million pure decisions: the states are whole counts over the length, to the last bit."""
    actions = np.random.default_rng(0).integers(0, 3, 1_000_000)
    state = memory.start(3)
    last = state.extend(actions)[-1]
    length = min(getattr(memory, "length", len(actions)), len(actions))
    assert (last == np.bincount(actions[-length:], minlength=3) / length).all()


def test_mixed_decisions_do_not_drift_either():
    """Two hundred thousand rounds of fractions, then the window is summed by hand."""
    decisions = np.random.default_rng(1).dirichlet(np.ones(3), 200_000)
    states = by.Window(300).start(3).extend(decisions)
    np.testing.assert_allclose(states[-1], decisions[-300:].mean(axis=0), rtol=0, atol=1e-14)
    everything = by.FullHistory().start(3).extend(decisions)
    exact = [math.fsum(column) / len(decisions) for column in decisions.T]
    np.testing.assert_allclose(everything[-1], exact, rtol=1e-15, atol=0)


def test_fractions_leave_no_trace_once_they_are_summed_afresh():
    fractions = np.random.default_rng(2).dirichlet(np.ones(3), 1001)
    state = by.Window(7).start(3, history=fractions)
    states = state.extend([0] * 14)
    assert (states >= 0).all()
    assert (states[-1] == [1.0, 0.0, 0.0]).all()


@pytest.mark.parametrize("gap", [1e-4, 1e-6, 1e-9, 1e-12, 1e-16])
def test_a_geometric_memory_that_hardly_fades(gap):
    memory = by.Geometric(1 - gap)
    check_memory(memory)
    assert memory.mean_lag(10) == pytest.approx(4.5, rel=20 * gap)
    assert memory.lag_total(10) == pytest.approx(22.5, rel=20 * gap)


def test_long_sums_of_mean_lags_are_integrals_that_agree():
    for rho in (1 - 1e-4, 1 - 3e-5):
        memory, short = by.Geometric(rho), 2**21
        lags = memory._lags(np.arange(1.0, short + 1))
        assert memory.lag_total(short) == pytest.approx(math.fsum(lags), rel=1e-12)
    debye = 0.777504634112248  # the integral of x/(exp(x) - 1) from 0 to 1
    assert by.Geometric(1 - 1e-9).lag_total(10**9) == pytest.approx((1 - debye) * 1e18, rel=1e-6)


def test_a_window_of_any_length_takes_only_the_room_it_needs():
    state = by.Window(10**12).start(4, history=[0, 1])
    np.testing.assert_array_equal(state.push([0, 0, 0, 1.0]), [1 / 3, 1 / 3, 0, 1 / 3])
    assert len(state.ring) < 10


def test_the_state_is_a_fresh_array():
    state = by.Window(2).start(2)
    first = state.push([1, 0])
    state.push([0, 1])
    assert (first == [1, 0]).all()


def test_a_history_may_be_rows_or_action_numbers():
    rows = by.Window(3).start(2, history=[[1, 0], [0, 1]]).push([0, 1])
    numbers = by.Window(3).start(2, history=[0, 1]).push(1)
    assert (rows == numbers).all()
    assert (by.Window(3).start(2, history=[]).push(1) == [0, 1]).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: by.Window(0), "the window's length is 0: give a whole number of at least 1"),
        (lambda: by.Window(2.5), "the window's length is 2.5"),
        (lambda: by.Window(10**20), "give a whole number of at least 1 and at most 9007199254740992"),
        (lambda: by.Window(5).start(-1), "the number of actions is -1"),
        (lambda: by.Window(5).start("3"), "the number of actions is '3'"),
        (lambda: by.Weights(None), "the weights are None: give a list of numbers"),
        (lambda: by.Weights("1"), "the weights are '1'"),
        (lambda: by.Geometric("0.5"), "rho is '0.5': give a number"),
        (lambda: by.Window(2).start(2, history=[[1, 0], [1]]), "the rows differ in length"),
        (lambda: by.Window(True), "the window's length is True"),
        (lambda: by.Geometric(0), "rho is 0: give a number above 0 and below 1"),
        (lambda: by.Geometric(1.0), "rho is 1.0"),
        (lambda: by.Geometric(float("nan")), "rho is nan"),
        (lambda: by.Geometric("slow"), "rho is 'slow': give a number"),
        (lambda: by.Weights([0.5, 0.4]), "the weights add up to 0.9: they must add up to one; divide each by 0.9"),
        (lambda: by.Weights([1.5, -0.5]), "the weight of lag 1 is -0.5: give a number that is not negative"),
        (lambda: by.Weights([0.0, 1.0]), "the newest decision must count"),
        (lambda: by.Weights([]), "the weight of lag 0 is below 1e-100 or missing"),
        (lambda: by.Weights([1.0, float("nan")]), "the weight of lag 1 is nan"),
        (lambda: by.Window(2).start(3).push([0.5, 0.6, 0.0]), "decision 1 is .*must add up to one"),
        (lambda: by.Window(2).start(3, history=[0]).push([1.0, 0.0]), r"decisions of shape \(2,\).*give 3 weights"),
        (lambda: by.Window(2).start(3, history=[0, 3]), "decision 2 is action number 3: with 3 actions"),
        (lambda: by.Window(2).start(3).extend([[1, 0, 0], [0.5, 0.5, np.nan]]), "decision 2 is"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_memories_can_be_given_in_words():
    assert by.Memory.parse("window:12") == by.Memory.parse("Window: length=12") == by.Window(12)
    assert by.Memory.parse("full") == by.FullHistory()
    assert by.Memory.parse(" geometric:0.95 ") == by.Geometric(0.95)
    assert by.Memory.parse("weights:0.5, 0.25, 0.25") == by.Weights([0.5, 0.25, 0.25])
    assert by.Problem(3, 100, "window:12") == by.Problem(3, 100, by.Window(12))
    assert [type(by.Memory.parse(kind.example)) for kind in MEMORIES] == list(MEMORIES)
    assert [by.Memory.parse(kind.example).words for kind in MEMORIES] == [kind.example for kind in MEMORIES]


@given(
    st.one_of(
        memories,
        st.builds(by.Window, st.integers(1, 2**53)),
        st.builds(by.Geometric, st.floats(0, 1, exclude_min=True, exclude_max=True)),
    )
)
def test_words_are_exact(memory):
    assert by.Memory.parse(memory.words) == memory


FORMS = "window:100, full, geometric:0.9 or weights:0.5,0.3,0.2"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("window", "length is missing: Window needs length"),
        ("window:", "'' is not name=value: give such as length=..."),
        ("window:1.5", "the window's length is 1.5"),
        ("window:some", "the window's length is 'some': give a whole number of at least 1"),
        ("window:0", "the window's length is 0"),
        ("window:99999999999999999999", "at most 9007199254740992"),
        ("window:lenght=3", "a parameter of Window is 'lenght': give one of 'length' (did you mean length?)"),
        ("window:length=3,length=3", "length is given twice"),
        ("full:3", "FullHistory has no parameters: leave '3' out"),
        ("geometric:", "'' is not name=value"),
        ("geometric:nan", "rho is nan"),
        ("geometric:1", "rho is 1: give"),
        ("weights:", "the weight of lag 0 is '': give a number"),
        ("weights:0.5,half", "the weight of lag 1 is 'half': give a number"),
        ("weights:0.5,0.4", "the weights add up to 0.9"),
        ("weights:0,1", "the newest decision must count"),
        ("winodw:wide", "there is no memory or module 'winodw' (did you mean window?)"),
        ("math:sqrt", "math.sqrt is not a subclass of bygones.Memory"),
        ("math:none", "the module 'math' has no class 'none'"),
        ("winodw:3", "'winodw:3' (did you mean window?): give one"),
        ("..x:Half", "'..x:Half': give one"),
        ("", "'': give one"),
        ("12", "'12' (did you mean window:12?): give one"),
        ("0.9", "'0.9' (did you mean geometric:0.9?): give one"),
        ("0.5,0.5", "'0.5,0.5' (did you mean weights:0.5,0.5?): give one"),
        (100, "100 (did you mean window:100?): give one"),
    ],
)
def test_words_that_are_no_memory_are_refused_with_examples_of_those_that_are(text, fault):
    with pytest.raises(ValueError, match=f"looks? like {FORMS}$") as refused:
        by.Memory.parse(text)
    assert fault in str(refused.value)
    assert repr(text) in str(refused.value)


def test_displays_leave_digits_out():
    assert by.Geometric(1 / 3).short_words == "geometric:0.3333"
    assert by.Geometric(1 - 1e-9).short_words == "geometric:0.999999999"
    assert by.Weights([1 / 3, 2 / 3]).short_words == "weights:0.3333,0.6667"
    assert by.Window(1_234).short_words == "window:1234"
    assert by.Window(1_234).phrase == "a 1,234-period window"
    an = [
        length
        for length in (1, 8, 10, 11, 18, 80, 100, 110, 180, 811, 1_100, 8_000, 11_000, 18_500)
        if by.Window(length).phrase.startswith("an ")
    ]
    assert an == [8, 11, 18, 80, 811, 8_000, 11_000, 18_500]
    assert by.FullHistory().phrase == "a memory of all periods"
    assert by.Weights([0.5, 0.5]).phrase == "a memory of 2 periods"
    assert Fading().phrase == "the memory Fading()"


class Fading(by.Memory):
    """Geometric memory by its weights alone."""

    rho: float = 0.75

    def weights(self, t):
        shares = self.rho ** np.arange(t)
        return shares / shares.sum()


class Three(by.Memory):
    """A window of three by its weights alone, but for its support."""

    def weights(self, t):
        return np.full(min(t, 3), 1 / min(t, 3))

    @property
    def support(self):
        return 3


class Everything(by.Memory):
    """Full history by its weights alone."""

    def weights(self, t):
        return np.full(t, 1 / t)


TWINS = [(Fading(), by.Geometric(0.75)), (Three(), by.Window(3)), (Everything(), by.FullHistory())]


@pytest.mark.parametrize(("own", "twin"), TWINS, ids=repr)
def test_a_memory_is_its_weights(own, twin):
    check_memory(own)
    decisions = np.random.default_rng(0).dirichlet(np.ones(3), 60)
    np.testing.assert_allclose(own.start(3).extend(decisions), twin.start(3).extend(decisions), rtol=0, atol=1e-12)
    assert own.mean_lag() == pytest.approx(twin.mean_lag(), rel=1e-9)
    for t in (1, 2, 60, 5000):
        assert own.beta(t) == pytest.approx(twin.beta(t))
        assert own.lag_total(t) == pytest.approx(twin.lag_total(t))
    costs = np.random.default_rng(1).random((30, 3))
    for past in (0, 7):
        np.testing.assert_allclose(own.charges(costs, past), twin.charges(costs, past), rtol=0, atol=1e-12)
    regrets = [
        by.simulate(by.Problem(3, 60, memory), [by.FTARL(), by.Steering()], by.StocHet(), 3).summary()["mean"]
        for memory in (own, twin)
    ]
    np.testing.assert_allclose(*regrets, rtol=0, atol=1e-9)


def test_a_memory_that_ends_keeps_no_more_than_it_needs():
    state = Three().start(2, history=[0] * 50)
    assert len(state.ring) == 3
    assert Three().lag_total(10**15) == by.Window(3).lag_total(10**15)


def test_what_would_take_for_ever_to_add_up_is_asked_for():
    assert Everything().mean_lag() == math.inf
    with pytest.raises(ValueError, match=r"1,000,000 rounds of Everything\(\).*give Everything a method lag_total"):
        Everything().lag_total(10**6)


def test_memories_of_ones_own_have_words_too():
    own = Fading(rho=0.5)
    assert own.words == f"{__name__}:Fading:0.5"
    assert by.Memory.parse(own.words) == own == by.Memory.parse(f"{__name__}:Fading:rho=0.5")
    assert by.Memory.parse(Fading().words) == Fading()


def test_what_the_memories_are_over_a_horizon():
    everything = by.FullHistory()
    assert [memory.window(50) for memory in (by.Window(7), by.Window(70), everything)] == [7, 70, 50]
    assert [memory.window(50) for memory in (by.Geometric(0.5), by.Weights([0.5, 0.5]), Three())] == [None] * 3
    assert [memory.fastest_rate for memory in (by.Window(1), everything, by.Weights([1.0]), Three())] == [None] * 4
    assert by.Geometric(0.5).fastest_rate == math.log(2)
    assert (by.Window(7).span, by.Geometric(0.5).span, by.Weights([0.5, 0.5]).span) == (7, 1, 0.5)
    assert [memory.form for memory in (by.Window(7), everything, Three())] == [Form(0, length=7), Form(1), None]


def test_other_lengths():
    assert [by.Window(6).scaled(factor) for factor in (0, 0.25, 1, 4)] == [by.Window(H) for H in (1, 1, 6, 24)]
    fading = by.Geometric(0.9)
    assert fading.scaled(1) == fading
    assert fading.scaled(2).mean_lag() == pytest.approx(18)
    assert fading.scaled(0) is None
    assert by.Geometric(1 - 1e-16).scaled(4) is None
    assert [memory.scaled(2) for memory in (by.FullHistory(), by.Weights([1.0]), Three())] == [None] * 3


class Named(by.Memory):
    """A memory with a text for its only parameter."""

    name: str

    def weights(self, t):
        return np.ones(1)


@pytest.mark.parametrize("name", ["a", "a=b", "1", 'a "b", c', "x:y", " "])
def test_a_text_alone_is_read_back(name):
    memory = Named(name)
    assert by.Memory.parse(memory.words) == memory
