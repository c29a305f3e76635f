"""The checks can fail: for each of them, something that breaks just that part of the contract."""

import numpy as np
import pytest
from samples import Player

import bygones as by
from bygones.checks import CheckError, check_costs, check_learner, check_memory
from bygones.checks import learner as checks
from bygones.memory import Memory

PROBLEM = by.Problem(3, 40, by.Window(4))


class OffSimplex(Player):
    def decide(self):
        return self.mixture(self.weights())


class Writable(Player):
    def decide(self):
        return np.array(super().decide())


class Reused(Player):
    def begin(self):
        super().begin()
        self._room = np.zeros(self.problem.n)

    def decide(self):
        self._room[:] = super().decide()
        view = self._room.view()
        view.flags.writeable = False
        return view


class Restless(Player):
    def decide(self):
        self.totals[0] += 1e-3
        return super().decide()


class Foreseeing(Player):
    def play(self, costs):
        decisions = super().play(costs)
        return np.vstack([decisions[1:], decisions[-1:]])


class Absolute(Player):
    def weights(self):
        return np.exp(-0.3 * np.abs(self.totals))


class Partial(Player):
    def weights(self):
        return super().weights() * np.arange(1, self.problem.n + 1)


class Hurried(Player):
    """A block is played with the decision of its first round."""

    def advance(self, block):
        decisions = np.tile(self.decide(), (len(block.costs), 1))
        super().advance(block)
        return decisions


class Forgetful(Player):
    def begin(self):
        super().begin()
        self._hidden = 0.0

    def observe(self, costs):
        super().observe(costs)
        self._hidden += 0.1

    def weights(self):
        return super().weights() + self._hidden


class Moody(Player):
    """Draws, and says that it does not."""

    def begin(self):
        self.totals = self.generator.random(self.problem.n)


class Clockwise(Player):
    """Every player is another, whatever the seed."""

    count = 0

    def begin(self):
        Clockwise.count += 1
        self.totals = np.arange(self.problem.n) * 0.01 * Clockwise.count


class Scribbling(Player):
    def observe(self, costs):
        super().observe(costs)
        costs[0] = 0.5


class Gullible(Player):
    def observe(self, costs):
        self.rounds += 1
        self.totals = self.totals + np.nan_to_num(np.resize(np.asarray(costs, dtype=complex).real, self.problem.n))


class Careless(Player):
    """Refuses, but only after it has counted the round."""

    def observe(self, costs):
        self.rounds += 1
        self.rounds -= 1 if np.isfinite(self.totals + self.accept(costs)).all() else 0
        self.totals += costs


class Deaf(Player):
    def override(self, decision):
        self.problem.check_decision(decision, self.rounds)


class Counting(Player):
    """Counts overrides, so that its own decisions as overrides change its state."""

    def begin(self):
        super().begin()
        self.overridden = 0

    def observe(self, costs):
        super().observe(costs)
        self.overridden += len(self.real)


class Moved(Player):
    def observe(self, costs):
        row = self.accept(costs)
        self.totals += row + (np.arange(len(row)) if len(self.real) else 0.0)


class Promising(Player):
    @property
    def guarantee(self):
        return -1e3


class Described(by.Learner):
    kind: str = "Player"

    @property
    def player_type(self):
        return globals()[self.kind]


class Boastful(Described):
    def bound(self, problem):
        return 1e-3


BROKEN = [
    (OffSimplex, "check_decisions", "is off the simplex"),
    (Writable, "check_decisions", "can be written to"),
    (Reused, "check_decisions", "an earlier decision has changed"),
    (Restless, "check_decisions", "deciding twice"),
    (Foreseeing, "check_future", "depends on its own or later costs"),
    (Absolute, "check_constants", "adding a constant"),
    (Partial, "check_labels", "treated differently"),
    (Hurried, "check_blocks", "change decisions"),
    (Forgetful, "check_saving", "decides differently"),
    (Moody, "check_seeds", "the seed matters"),
    (Clockwise, "check_seeds", "the same seed gives different runs"),
    (Scribbling, "check_inputs", "it modifies the costs that it observes"),
    (Gullible, "check_bad_input", "without a ValueError"),
    (Careless, "check_bad_input", "bad input changes its state"),
    (Deaf, "check_overrides", "decide does not give the override"),
    (Counting, "check_overrides", "its own decisions as overrides change its state"),
    (Moved, "check_overrides", "its own decisions as overrides change its decisions"),
    (Promising, "check_overrides", "overrides the regret is .*, and the guarantee -1000"),
]


def test_a_sound_learner_passes():
    check_learner(Described())
    check_learner(Described(), PROBLEM)


@pytest.mark.parametrize(("player", "check", "message"), BROKEN, ids=lambda value: getattr(value, "__name__", None))
def test_a_broken_learner_is_caught_by_its_check(player, check, message):
    learner = Described(kind=player.__name__)
    with pytest.raises(CheckError, match=message):
        getattr(checks, check)(learner, PROBLEM)
    with pytest.raises(CheckError):
        check_learner(learner, PROBLEM)


def test_a_bound_that_is_exceeded_is_caught():
    with pytest.raises(CheckError, match="the regret on .* above the bound 0.001"):
        check_learner(Boastful())


def test_every_check_has_something_that_it_catches():
    assert {check for _, check, _ in BROKEN} | {"check_bound"} == {c.__name__ for c in checks.LEARNER_CHECKS}


def test_state_that_cannot_be_saved_is_named():
    player = Described().start(PROBLEM)
    player.notes = ["something"]
    with pytest.raises(TypeError, match=r"Player.notes is \['something'\]: keep state in arrays, numbers"):
        player.snapshot()


class Window(by.Window):
    """A window with one thing wrong."""

    wrong: str = ""

    def weights(self, t):
        return super().weights(t) * (2 if self.wrong == "weights" else 1)

    def beta(self, t):
        return super().beta(t + (self.wrong == "beta"))

    def mean_lag(self, t=None):
        return super().mean_lag(t) + (self.wrong == "lag")

    def lag_total(self, t):
        return super().lag_total(t) + (self.wrong == "total")

    def kernel(self, count):
        kernel = super().kernel(count)
        if self.wrong == "kernel":
            kernel[-1] *= 2
        scale = {"cut": 1 + 1 / count, "sum": 0.5}.get(self.wrong, 1)
        return kernel * scale

    @property
    def inverse(self):
        return (self.length - 1.0,) if self.wrong == "inverse" else super().inverse

    def charges(self, costs, past=0):
        return super().charges(costs, 0 if self.wrong == "past" else past) * (2 if self.wrong == "charges" else 1)

    def start(self, n, history=None):
        if self.wrong == "history":
            return super().start(n)
        return super().start(n, history) if self.wrong != "length" else by.Window(self.length + 1).start(n, history)


WRONG = {
    **dict.fromkeys(("weights", "beta", "lag", "total", "past", "charges", "history", "length"), "."),
    "kernel": "the first 1 weights of the kernel are not those of a longer one",
    "cut": "the first 1 weights of the kernel are not those of a longer one",
    "sum": "the kernel does not sum to 1",
    "inverse": "does not undo the kernel",
}


class Tilted(Window):
    """Its kernel sums to one, and is not what its weights are made of."""

    def kernel(self, count):
        return (np.arange(self.length, 0, -1) / (self.length * (self.length + 1) / 2))[:count]


def test_a_kernel_of_other_weights_is_caught():
    with pytest.raises(CheckError, match="the weights of round 2 are not the kernel, cut and divided by its sum"):
        check_memory(Tilted(5))


@pytest.mark.parametrize("wrong", WRONG)
def test_a_broken_memory_is_caught(wrong):
    check_memory(Window(5))
    with pytest.raises(CheckError, match=WRONG[wrong]):
        check_memory(Window(5, wrong))


class Drifting(by.StocId):
    """A family whose blocks depend on how they are cut."""

    wrong: str = "blocks"

    def start(self, n, rounds, generator):
        source = super().start(n, rounds, generator)
        take, fill = source.take, source._fill
        if self.wrong == "blocks":
            source.take = lambda count: take(count)[::-1]
        elif self.wrong == "shape":
            source.take = lambda count: take(count)[:, 1:]
        elif self.wrong == "finite":
            source._fill = lambda costs: costs.fill(np.inf)
        elif self.wrong == "unwritten":
            source._fill = lambda costs: fill(costs[1:])
        elif self.wrong == "reused":
            room = np.empty((rounds, n))
            source.take = lambda count: np.copyto(room[: len(block := take(count))], block) or room[: len(block)]
        return source


@pytest.mark.parametrize("wrong", ["blocks", "shape", "finite", "unwritten", "reused"])
def test_a_broken_family_is_caught(wrong):
    fault = "not a finite number" if wrong in ("finite", "unwritten") else "blocks of|has changed"
    with pytest.raises(CheckError, match=fault):
        check_costs(Drifting(wrong))


def test_the_base_classes_cannot_be_used_as_they_are():
    for base in (by.Learner, by.Costs, Memory):
        with pytest.raises(TypeError, match="abstract"):
            base()


def test_a_window_that_never_fills_passes():
    """A stream and a block keep rings of the same length."""
    check_learner(by.AdaHedge(), by.Problem(4, 160, by.Window(200)))
