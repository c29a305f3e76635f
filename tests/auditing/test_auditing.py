"""The audit passes on sound code; and for each of its lines there is an error in the library that makes it fail."""

import inspect
from functools import lru_cache

import numpy as np
import pytest

import bygones as by
from bygones import auditing
from bygones.auditing import ftarl, lines
from bygones.auditing import hedge as hedge_audit
from bygones.engine import books
from bygones.kernels import follow
from bygones.kernels.block import survey
from bygones.kernels.leader import look
from bygones.learners import hedge
from bygones.learners.fixed_share import reshare, share_out
from bygones.learners.ftarl import FTARLPlayer, follow_mean
from bygones.learners.ftpl import FTPLPlayer
from bygones.learners.hedge import weigh
from bygones.learners.hedge_ahead import HedgeAheadPlayer, lead, lead_on
from bygones.learners.lsa import throw_darts
from bygones.learners.player.guard import account, blend, keep, turn
from bygones.learners.player.state import aim, live, reweigh
from bygones.learners.steering import SteeringPlayer, steered
from bygones.memory import Form, MemoryState, RunningState, start_paths
from bygones.memory.charges import charge
from bygones.memory.form import WINDOW
from bygones.theory import ahead, design

T, H = auditing.PROBLEM.horizon, auditing.PROBLEM.memory.length
HURTING = [by.Blocks(H), by.Trap(T // 2), by.SquareWave(H)]


def rewrite(monkeypatch, kernel, *changes, users=()):
    """Change the text of a kernel, which then runs uncompiled, as do the kernels that call it."""
    text, made = inspect.getsource(kernel.function), {}
    for old, new in changes:
        assert text.count(old) == 1, f"the kernel has changed: {old!r} is in it {text.count(old)} times"
        text = text.replace(old, new)
    exec(text, kernel.function.__globals__, made)  # noqa: S102
    monkeypatch.setattr(kernel, "call", *made.values())
    for user in users:
        monkeypatch.setattr(user, "call", user.function)


def begin_with(monkeypatch, player, change):
    """Let something happen to a player before its first round."""
    begin = player.begin

    def both(self):
        begin(self)
        change(self)

    monkeypatch.setattr(player, "begin", both)


MUTATIONS = {}


def breaks(*lines):
    """An error in the library, and the lines of the audit that must notice."""

    def register(mutation):
        MUTATIONS[mutation] = set(lines)
        return mutation

    return register


@breaks("Theorem 2", "Theorem 2, equality", "I.1", "I.2", "Leaders' values", "Term B, path", "Leader changes", "Term C")
def ftarl_redraws_its_noise_every_round(monkeypatch):
    mean = by.FTARL(play="mean").player_type

    class Redrawing(FTPLPlayer):
        def begin(self):
            super().begin()
            self.noise = self._draw(1)[:, 0]

    kind = property(lambda learner: Redrawing if learner.play == "pure" else mean)
    monkeypatch.setattr(by.FTARL, "player_type", kind)


@breaks("Theorem 2, equality", "I.1", "Leaders' values", "Term C, path", "Term C", "Terms together", "FTARL's mean")
def ftarl_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, look, ("lead(totals, noise, r)", "lead(-totals, -noise, r)"), users=[follow])


@breaks("Theorem 2, equality", "I.1", "Leaders' values", "Term B, path", "Term C, path", "FTARL's mean")
def ftarl_trusts_its_lead_too_long(monkeypatch):
    rewrite(monkeypatch, look, ("due[r] = used + gap", "due[r] = used + 30.0 * gap"), users=[follow])


@breaks("I.1", "Leaders' values", "Term B, path", "Term B", "FTARL's mean")
def ftarl_looks_at_its_leader_every_900_rounds(monkeypatch):
    rewrite(monkeypatch, follow, ("spent[last] < first_due", "last % 900 != 899"))


@breaks("I.1", "Leader changes", "Term A")
def ftarl_follows_the_last_costs_only(monkeypatch):
    rewrite(
        monkeypatch,
        follow,
        ("look(totals, spent[last], noise", "look(costs[last], spent[last], 0.0 * noise"),
    )


@breaks("Theorem 2, equality", "I.1", "I.2", "Leaders' values")
def ftarl_plays_a_round_late(monkeypatch):
    run = FTARLPlayer.run

    def late(self, costs):
        actions = run(self, costs)
        return np.hstack([actions[:, :1], actions[:, :-1]])

    monkeypatch.setattr(FTARLPlayer, "run", late)


@breaks("Theorem 2", "Leaders' values")
def ftarl_begins_with_the_least_noise(monkeypatch):
    def least(self):
        self.current = self.noise.argmin(axis=1)

    begin_with(monkeypatch, FTARLPlayer, least)


@breaks("Largest noise")
def ftarl_has_half_the_noise(monkeypatch):
    def shrink(self):
        self.noise /= 2

    begin_with(monkeypatch, FTARLPlayer, shrink)


@breaks("Largest noise", "Leader changes")
def ftarl_has_a_tenth_of_the_noise(monkeypatch):
    def shrink(self):
        self.noise /= 10

    begin_with(monkeypatch, FTARLPlayer, shrink)


def window_of(monkeypatch, length):
    monkeypatch.setattr(by.Window, "state", lambda self, n: RunningState(self, n, Form(WINDOW, length(self.length))))


@breaks("Theorem 2, equality", "I.1", "Hedge, each round", "Policy regret")
def the_window_is_one_too_long(monkeypatch):
    window_of(monkeypatch, lambda length: length + 1)


@breaks("Theorem 2, equality", "I.1", "I.2", "I.3", "Policy regret")
def the_window_is_one_too_short(monkeypatch):
    window_of(monkeypatch, lambda length: max(1, length - 1))


@breaks("Theorem 2", "I.1", "I.2", "I.3", "Term A, path", "Policy regret")
def the_window_forgets_all_but_the_last(monkeypatch):
    window_of(monkeypatch, lambda length: 1)


@breaks("Theorem 2, equality", "I.1", "I.2", "Hedge, each round", "Geometric steering, states", "Policy regret")
def states_lag_a_round(monkeypatch):
    take = MemoryState.take

    def late(self, decisions):
        states = take(self, decisions)
        return np.vstack([states[:1], states[:-1]])

    monkeypatch.setattr(MemoryState, "take", late)


@breaks("Theorem 2, equality", "Steering", "Policy regret")
def the_simulation_pays_for_a_longer_window(monkeypatch):
    def longer(memory, *rest):
        return start_paths(by.Window(memory.length + 1) if isinstance(memory, by.Window) else memory, *rest)

    monkeypatch.setattr(books, "start_paths", longer)


@breaks(
    *("Theorem 2", "Theorem 2, equality", "Theorem", "Corollary", "FTARL, sharper", "Hedge", "Hedge, anytime"),
    *("Potential inequality", "AdaHedge", "Steering", "Geometric steering", "Policy regret"),
)
def regret_is_against_the_best_of_each_round(monkeypatch):
    rewrite(
        monkeypatch,
        survey,
        ("= lead0, lead1, lead2, lead3", "= 0.0, 0.0, 0.0, 0.0"),
        ("low0, lead0, used", "low0, 0.0, used"),
    )


@breaks("Policy regret")
def decisions_are_charged_a_round_too_many(monkeypatch):
    rewrite(monkeypatch, charge, ("if k >= length:", "if k > length:"))


@breaks("FTARL's mean", "Theorem", "Corollary", "FTARL, sharper")
def the_mean_of_ftarl_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, follow_mean, ("perturbed_mean(totals", "perturbed_mean(-totals"))


@breaks("FTARL's mean")
def the_mean_of_ftarl_is_far_too_fast(monkeypatch):
    rewrite(monkeypatch, follow_mean, ("perturbed_mean(totals, rate", "perturbed_mean(totals, 10.0 * rate"))


@breaks("Hedge, each round", "LSA's law")
def hedge_is_a_little_too_fast(monkeypatch):
    rewrite(monkeypatch, weigh, ("rates[b]", "1.1 * rates[b]"))


@breaks("Hedge", "Hedge, each round", "Hedge, anytime")
def hedge_is_far_too_fast(monkeypatch):
    rewrite(monkeypatch, weigh, ("rates[b]", "50.0 * rates[b]"))


@breaks("HedgeAhead", "HedgeAhead, states")
def hedge_ahead_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, lead, ("softmin(totals", "softmin(-totals"), users=[lead_on])


@breaks("HedgeAhead, states")
def hedge_ahead_has_a_filter_a_little_too_strong(monkeypatch):
    backs_and_values = HedgeAheadPlayer.filter.fget
    stronger = property(lambda player: (backs_and_values(player)[0], 1.000001 * backs_and_values(player)[1]))
    monkeypatch.setattr(HedgeAheadPlayer, "filter", stronger)


def spectra_of(monkeypatch, factor):
    """Let the library see spectra that are a factor of the true ones; what it computed of others is not taken."""
    transformed = ahead.transformed

    def seen(errors, finest):
        wave, points = transformed(errors, finest)
        return factor * wave, points

    monkeypatch.setattr(ahead, "transformed", seen)
    monkeypatch.setattr(design, "_planned", lru_cache(design._planned.__wrapped__))


@breaks("HedgeAhead, spectrum")
def the_eps_of_a_filter_is_a_little_too_small(monkeypatch):
    spectra_of(monkeypatch, 0.9999)


@breaks("HedgeAhead, spectrum", "HedgeAhead, errors")
def the_eps_of_a_filter_is_nearly_nothing(monkeypatch):
    spectra_of(monkeypatch, 0.0)


@breaks("HedgeAhead, states")
def errors_of_a_filter_are_a_round_late(monkeypatch):
    errors_of = ahead.errors_of
    monkeypatch.setattr(ahead, "errors_of", lambda *given: np.append(0.0, errors_of(*given)))
    monkeypatch.setattr(design, "_planned", lru_cache(design._planned.__wrapped__))


@breaks("FixedShare")
def fixed_share_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, reshare, ("math.exp(-rate *", "math.exp(rate *"), users=[share_out])


@breaks("Hedge", "Hedge, each round", "Hedge, anytime", "LSA's law")
def hedge_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, weigh, ("softmin(totals", "softmin(-totals"))


@breaks("Hedge, anytime", "Potential inequality")
def anytime_rates_rise(monkeypatch):
    for module in (hedge, hedge_audit):
        monkeypatch.setattr(module, "anytime_rates", lambda problem, sums: 1e-3 * sums)


@breaks("AdaHedge")
def the_meter_pays_for_the_decision(monkeypatch):
    rewrite(monkeypatch, live, ("* state[0, i]\n", "* decision[0, i]\n"))


@breaks("AdaHedge", "Steering")
def the_meter_forgets_half_of_its_maximum(monkeypatch):
    rewrite(monkeypatch, reweigh, ("= meter[DELTAS]\n", "= 0.5 * meter[DELTAS]\n"), users=[live])


@breaks("Geometric steering, states")
def steering_aims_the_decision(monkeypatch):
    monkeypatch.setattr(SteeringPlayer, "layers", lambda self: (False, *steered(self.learner, self.problem)[1:]))


@breaks("Geometric steering", "Geometric steering, states")
def steering_follows_the_worst(monkeypatch):
    rewrite(monkeypatch, aim, ("(weights[i] -", "((1.0 - weights[i]) / (weights.shape[0] - 1) -"), users=[live])


@breaks("Guarded", "Guarded, history", "Guarded, any horizon", "Guarded, paths")
def the_guard_lets_everything_pass(monkeypatch):
    rewrite(monkeypatch, blend, ("rules[ENFORCED] > 0.0", "False"), users=[turn, keep])


@breaks("Guarded")
def the_guard_forgets_what_it_fears(monkeypatch):
    rewrite(monkeypatch, account, ("gauge[FEARED] += row[0, n] *", "gauge[FEARED] += 0.0 *"), users=[turn, keep])


@breaks("Overrides")
def overrides_do_not_count(monkeypatch):
    rewrite(monkeypatch, live, ("current[i] = real[b, i]", "current[i] = current[i]"))


@breaks("LSA's law")
def lsa_keeps_its_action_a_little_too_rarely(monkeypatch):
    rewrite(monkeypatch, throw_darts, ("math.exp(-rate", "math.exp(-1.001 * rate"))


@breaks("LSA's law")
def lsa_redraws_from_old_weights(monkeypatch):
    old = "softmin(totals - (costs[b] - low[b]), rate"
    rewrite(monkeypatch, throw_darts, ("softmin(totals, rate", old))


@breaks("LSA's law")
def lsa_errs_once_a_hundred_rounds_are_over(monkeypatch):
    keep = "math.exp(-rate * (costs[b, action] - low[b]))"
    late = f"(1.0 if block.best[table, b] > 5.0 else {keep})"
    rewrite(monkeypatch, throw_darts, (keep, late))


@breaks("LSA's law", "LSA's refreshes")
def lsa_redraws_every_round(monkeypatch):
    keep = "math.exp(-rate * (costs[b, action] - low[b]))"
    rewrite(monkeypatch, throw_darts, ("1.0 - rate * widest", "0.0"), (keep, "0.0"))


@pytest.mark.compiled
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_an_error_in_the_library_makes_its_lines_fail(mutation, monkeypatch):
    mutation(monkeypatch)
    failed = {line.name for line in by.audit(costs=HURTING, draws=auditing.QUICK_DRAWS) if not line.passed}
    assert failed >= MUTATIONS[mutation]


def test_every_line_has_an_error_that_makes_it_fail():
    assert set().union(*MUTATIONS.values()) == set(auditing.STATEMENTS)


@pytest.mark.compiled
@pytest.mark.parametrize("draws", [auditing.DRAWS, auditing.QUICK_DRAWS])
def test_every_line_passes_on_sound_code(draws):
    audited = by.audit(draws=draws)
    assert [line.name for line in audited] == list(auditing.STATEMENTS)
    assert [line.name for line in audited if not line.passed] == []
    assert all(line.passed == (line.margin >= 0) for line in audited)
    drawn = {line.name: line.draws for line in audited if line.draws is not None}
    assert drawn.pop("Policy regret") == ftarl.FEW
    assert set(drawn.values()) == {draws}
    assert {line.costs for line in audited} <= set(map(repr, auditing.families(auditing.PROBLEM)))


@pytest.mark.parametrize(
    "problem",
    [
        by.Problem(2, 40, by.Window(2)),
        by.Problem(["rail", "road", "air", "sea"], 60, by.Window(7), cost_range=1e-3),
        by.Problem(3, 30, by.Window(29), cost_range=1e6),
    ],
    ids=repr,
)
def test_it_passes_on_other_problems(problem):
    assert [line.name for line in by.audit(problem, draws=12, seed=3) if not line.passed] == []


@pytest.mark.compiled
def test_each_line_names_the_costs_where_it_is_nearest_to_failing():
    kinds = auditing.families(auditing.PROBLEM)
    audited = {line.name: line for line in by.audit(draws=12)}
    assert len({line.costs for line in audited.values()}) > 2
    for count in (3, 5):
        part = {line.name: line for line in by.audit(costs=kinds[:count], draws=12)}
        for name, line in audited.items():
            there = list(map(repr, kinds)).index(line.costs)
            same = (part[name].margin, part[name].costs) == (line.margin, line.costs)
            assert same == (there < count), name


def test_no_bound_that_is_audited_is_above_what_can_be_lost():
    """Else its line could not fail."""
    promised = by.bounds(auditing.PROBLEM)
    assert not promised["vacuous"].any()
    assert by.FTARL(memory_bound=H + 1).bound(auditing.PROBLEM) < T / 2  # as the mean that follows the worst loses


def test_draws_are_looked_at_in_pieces(monkeypatch):
    problem = by.Problem(3, 50, by.Window(4))
    whole = by.audit(problem, draws=20)
    monkeypatch.setattr(ftarl, "AT_ONCE", 7 * 50 * 3)
    for one, other in zip(whole, by.audit(problem, draws=20), strict=True):
        assert one.margin == pytest.approx(other.margin, rel=1e-4)


def test_what_is_no_number_is_no_pass(monkeypatch):
    begin_with(monkeypatch, FTARLPlayer, lambda self: self.noise.fill(np.nan))
    passed = {line.name: line.passed for line in by.audit(by.Problem(2, 20, by.Window(2)), [by.StocId()], draws=3)}
    assert not passed["Largest noise"]
    assert not passed["Theorem 2"]
    assert passed["Hedge"]


def test_no_later_margin_hides_one_that_is_no_number(monkeypatch):
    margins = [("LSA's law", np.nan), ("LSA's law", 1.0), ("LSA's refreshes", 1.0)]
    monkeypatch.setattr(lines, "of_lsa", lambda case: iter(margins))
    passed = {line.name: line.passed for line in by.audit(by.Problem(2, 20, by.Window(2)), [by.StocId()], draws=3)}
    assert not passed["LSA's law"]
    assert passed["LSA's refreshes"]


@pytest.mark.parametrize(
    ("problem", "given", "said"),
    [
        (
            by.Problem(2, 50, by.FullHistory()),
            {},
            "needs a Window of at least 2 rounds that is shorter than the horizon",
        ),
        (by.Problem(2, 50, by.Window(1)), {}, "needs a Window of at least 2"),
        (by.Problem(2, 50, by.Window(50)), {}, "shorter than the horizon"),
        (by.Problem(2, None, by.Window(5)), {}, "an audit needs the problem's horizon"),
        (by.Problem(2, 50, by.Window(5), None), {}, "an audit needs the problem's cost_range"),
        (by.Problem(2, 50, by.Window(5)), {"costs": []}, "the costs are \\[\\]: give a list of kinds of costs"),
        (by.Problem(2, 50, by.Window(5)), {"costs": by.StocId()}, "give a list of kinds of costs"),
        (by.Problem(2, 50, by.Window(5)), {"draws": 1}, "draws is 1: give a whole number of at least 2"),
    ],
)
def test_what_cannot_be_audited_is_refused(problem, given, said):
    with pytest.raises(ValueError, match=said):
        by.audit(problem, **given)
