"""Memories recovered from decisions and outcomes, and records that cannot tell."""

import json
import re
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure

import bygones as by
from bygones.cli import main
from bygones.fitting.candidates import LEAST_WEIGHT, as_weights, folds
from bygones.fitting.free import effects_of, free_weights

SEEDS = 100
EFFECTS = np.array([3.0, 1.0, 0.0])


def decided_at_random(generator, periods, style):
    """Decisions over three options: single ones that last for some periods, or weights that move slowly."""
    if style == "runs":
        return np.repeat(generator.integers(0, 3, periods), generator.geometric(0.2, periods))[:periods]
    walk = generator.standard_normal((periods, 3))
    for t in range(1, periods):
        walk[t] = 0.9 * walk[t - 1] + 0.44 * walk[t]
    weights = np.exp(1.5 * walk)
    return weights / weights.sum(axis=1, keepdims=True)


def played(memory, seed, *, known=True, style="runs", periods=400, noise=3**-0.5):
    """Costs, decisions and outcomes, half of whose standard deviation is noise; no memory: nothing but noise."""
    generator = np.random.default_rng(seed)
    decisions, costs = decided_at_random(generator, periods, style), generator.normal(10, 2, (periods, 3))
    if memory is None:
        return costs if known else None, decisions, generator.standard_normal(periods)
    states = by.Memory.parse(memory).start(3).extend(decisions)
    signal = (costs * states).sum(axis=1) if known else 5 + states @ EFFECTS
    return costs if known else None, decisions, signal + generator.normal(0, noise * signal.std(), periods)


def recovered(memory, fit):
    kind, _, number = memory.partition(":")
    if fit.memory.words.partition(":")[0] != kind:
        return False
    return abs(fit.memory.length - 8) <= 1 if kind == "window" else abs(fit.memory.rho - float(number)) <= 0.05


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("memory", ["window:8", "geometric:0.8"])
def test_a_memory_is_recovered(memory, known):
    fit = by.fit_memory(*played(memory, 0, known=known))
    assert recovered(memory, fit)
    assert fit.decided
    assert fit.reason == ""
    assert fit.memory.short_words in fit.sentences[0]
    low, high = fit.interval
    assert low.span <= fit.memory.span <= high.span
    assert (fit.effects is None) == known
    if not known:
        each = np.array(list(fit.effects.values()))  # of which only differences count, as weights add up to one
        assert each - each[2] == pytest.approx(EFFECTS, abs=0.8)


def test_the_table_has_every_candidate_with_its_error():
    costs, decisions, paid = played("window:3", 1, periods=120)
    fit = by.fit_memory(costs, decisions, paid, longest=6)
    assert {f"window:{length}" for length in range(1, 7)} <= set(fit.table["memory"])
    assert set(fit.table["kind"]) == {"constant", "free weights", "geometric", "window"}
    own = fit.table.filter(memory=fit.memory.words).row(0, named=True)
    assert own["worse"] == own["low"] == own["high"] == 0
    assert own["as_good"]
    assert fit.table.filter(memory="constant")["explained"].item() == pytest.approx(0)
    window = fit.table.filter(memory="window:3")["error"].item()
    assert window == pytest.approx(_crossed_error(costs, decisions, paid, by.Window(3), 6))
    assert (fit.table["low"] <= fit.table["worse"]).all()
    assert (fit.table["worse"] <= fit.table["high"]).all()


def _crossed_error(costs, decisions, paid, memory, longest):
    """The error of one memory, part by part, as the docstring has it."""
    signal = (costs * memory.start(3).extend(decisions)).sum(axis=1)[longest - 1 :]
    paid, squares = paid[longest - 1 :], []
    edges = np.linspace(0, len(paid), 6).astype(int)
    for first, end in pairwise(edges):
        others = np.r_[0 : max(0, first - longest), min(len(paid), end + longest) : len(paid)]
        constant = (paid - signal)[others].mean()
        squares += ((paid - signal)[first:end] - constant).tolist()
    return np.sqrt(np.mean(np.square(squares)))


@pytest.mark.parametrize("rows", [30, 361])
def test_parts_and_what_they_are_fitted_to_are_apart(rows):
    parts = folds(rows, gap=8)
    gap = min(8, rows // 15)
    assert np.concatenate([np.arange(rows)[part] for part, _ in parts]).tolist() == list(range(rows))
    for part, others in parts:
        assert not others[max(0, part.start - gap) : part.stop + gap].any()
        assert others.sum() >= rows - (part.stop - part.start) - 2 * gap


def test_no_memory_can_be_the_answer():
    fit = by.fit_memory(*played("window:1", 3))
    assert fit.memory == by.Window(1)
    assert fit.decided
    assert "the past does not count" in fit.sentences[0]


def test_a_memory_too_short_to_matter_is_none():
    fits = [by.fit_memory(*played("window:1", seed, known=False)) for seed in range(8)]
    assert all(fit.memory == by.Window(1) for fit in fits)
    least = [fit.table.filter(pl.col("kind") != "free weights").sort("error")["memory"][0] for fit in fits[:8]]
    assert any(name.startswith("geometric:0.") for name in least)  # some of which fit a little better


@pytest.mark.parametrize("known", [True, False])
def test_noise_tells_nothing(known):
    fit = by.fit_memory(*played(None, 0, known=known))
    assert not fit.decided
    assert fit.reason == "no memory explains the outcomes clearly better than a constant does"
    assert fit.sentences[0] == f"The data cannot tell how long the past counts: {fit.reason}."


def test_decisions_that_never_change_tell_nothing():
    costs, _, paid = played("window:8", 0, periods=60)
    fit = by.fit_memory(costs, np.zeros(60, dtype=int), costs[:, 0])
    assert not fit.decided
    assert fit.reason == "the decisions never change"
    assert not by.fit_memory(None, np.full((60, 2), 0.5), paid).decided


def test_few_periods_tell_nothing():
    costs, decisions, paid = played("window:4", 0, periods=400)
    fit = by.fit_memory(costs[:20], decisions[:20], paid[:20])
    assert not fit.decided
    assert fit.table["error"].is_finite().all()


def test_free_weights_are_chosen_where_nothing_else_fits():
    fit = by.fit_memory(*played("weights:0.5,0,0,0,0,0,0,0,0.5", 0))
    assert fit.memory == fit.free
    assert fit.decided
    assert fit.interval is None
    assert np.array(fit.free.lags)[[0, 8]] == pytest.approx([0.5, 0.5], abs=0.15)
    assert "weights of no simple shape" in fit.sentences[0]


def test_free_weights_solve_least_squares_on_the_simplex():
    """Optimality: the slope is the same, and least, wherever there is weight."""
    generator = np.random.default_rng(0)
    lagged = generator.standard_normal((80, 6, 1))
    outcomes = lagged[:, :, 0] @ [0.6, 0.4, 0, 0, 0, 0] + generator.standard_normal(80)
    weights = free_weights(lagged, outcomes, np.full(6, 1 / 6), known=True)
    series = lagged[:, :, 0] - lagged[:, :, 0].mean(axis=0)
    slope = series.T @ (series @ weights - (outcomes - outcomes.mean()))
    assert weights.sum() == pytest.approx(1)
    assert slope[weights > 1e-4] == pytest.approx(np.full((weights > 1e-4).sum(), slope.min()), abs=0.02)


def test_effects_of_collinear_features_are_the_smallest():
    states = by.Window(2).start(2).extend(np.array([0, 1, 1, 0, 1, 0, 0, 1]))
    constant, each = effects_of(states, states @ [4.0, 2.0] + 10, known=False)
    assert states @ each + constant == pytest.approx(states @ [4.0, 2.0] + 10)
    assert each == pytest.approx([1, -1])


def test_weights_are_a_memory_whose_newest_decision_counts():
    memory = as_weights(np.array([0.0, 0.5, 0.5, 0.0]))
    assert memory.support == 3
    assert memory.lags[0] == pytest.approx(LEAST_WEIGHT, rel=1e-3)


def test_names_numbers_weights_and_frames_are_the_same_decisions():
    costs, decisions, paid = played("window:3", 2, periods=80)
    names = ["sea", "rail", "road"]
    frame = pl.DataFrame(costs, schema=names)
    kinds = [
        (costs, decisions),
        (frame, [names[k] for k in decisions]),
        (frame, pl.DataFrame({"chosen": [names[k] for k in decisions]})),
        (frame, pl.DataFrame(np.eye(3)[decisions], schema=names)),
        (pd.DataFrame(costs, columns=names), np.eye(3)[decisions]),
    ]
    fits = [by.fit_memory(*kind, paid) for kind in kinds]
    assert len({(fit.memory, fit.rivals.squares.tobytes()) for fit in fits}) == 1


def test_earlier_decisions_leave_more_outcomes():
    costs, decisions, paid = played("window:3", 2, periods=100)
    fit = by.fit_memory(costs[40:], decisions, paid[40:])
    assert len(fit.record.explained) == 60
    assert len(by.fit_memory(costs[40:], decisions[40:], paid[40:]).record.explained) == 49


def test_amounts_of_any_size_have_effects():
    generator = np.random.default_rng(0)
    spent = pl.DataFrame({"television": np.where(generator.random(300) < 0.3, 900.0, 0)})
    sold = 100 + 0.5 * by.Geometric(0.7).start(1).take(spent.to_numpy())[:, 0] + generator.normal(0, 40, 300)
    fit = by.fit_memory(None, spent, sold)
    assert fit.decided
    assert fit.memory.rho == pytest.approx(0.7, abs=0.05)
    assert fit.effects["television"] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("costs", "decisions", "outcomes", "message"),
    [
        (None, np.zeros(30, dtype=int), np.zeros(10), "10 outcomes: give at least 20"),
        (None, np.zeros(30, dtype=int), np.zeros((30, 2)), "one finite number per period"),
        (None, np.zeros(30, dtype=int), [np.nan] * 30, "one finite number per period"),
        (np.zeros((29, 2)), np.zeros(30, dtype=int), np.zeros(30), "one row per outcome"),
        (np.full((30, 2), np.inf), np.zeros(30, dtype=int), np.zeros(30), "not all finite"),
        (np.zeros((30, 2)), np.zeros(29, dtype=int), np.zeros(30), "29 decisions for 30 outcomes"),
        (np.zeros((30, 2)), np.full(30, 2), np.zeros(30), "the numbers go from 0 to 1"),
        (np.zeros((30, 2)), np.ones((30, 2)), np.zeros(30), "must add up to one"),
        (None, np.full((30, 2), np.nan), np.zeros(30), "one row of weights or amounts per period"),
        (None, np.linspace(0, 1, 30), np.zeros(30), "one row of weights or amounts per period"),
        (pl.DataFrame({"a": [0.0] * 30, "b": [1.0] * 30}), ["a", "c"] * 15, np.zeros(30), "nothing here is called 'c'"),
    ],
)
def test_wrong_input_is_refused(costs, decisions, outcomes, message):
    with pytest.raises(ValueError, match=message):
        by.fit_memory(costs, decisions, outcomes)


def test_the_longest_memory_leaves_periods():
    with pytest.raises(ValueError, match="longest is 90: give a whole number of at least 2 and at most 80"):
        by.fit_memory(*played("window:3", 0, periods=100), longest=90)


def test_the_picture_has_the_weights():
    fit = by.fit_memory(*played("window:3", 1, periods=150, noise=0.2))
    axes = fit.plot()
    assert axes.get_xlabel() == "periods ago"
    assert fit.plot(axes) is axes
    assert [text.get_text() for text in axes.get_legend().get_texts()][-1] == "window:3"


def edited(seed):
    """One of three topics for four weeks each, and readers who remember six."""
    generator = np.random.default_rng(seed)
    decisions = np.repeat(generator.integers(0, 3, 50), 4)
    states = by.Window(6).start(3).extend(decisions)
    return decisions, states @ [50.0, 40.0, 20.0] + generator.normal(0, 3, 200)


@pytest.mark.parametrize("seed", [3, 9, 13])
def test_what_explains_nothing_does_not_fit_as_well(seed):
    fit = by.fit_memory(None, *edited(seed))
    good = fit.table.filter("as_good")
    assert fit.decided
    assert fit.memory.words in good["memory"]
    assert good["explained"].min() > 0.3
    unable = fit.table.filter((pl.col("low") <= 0) & ~pl.col("as_good"))
    assert unable.height, "not clearly worse, as the intervals of very bad fits are wide"


@pytest.mark.parametrize(
    ("good", "said"),
    [
        ({"window:3"}, "Nothing else fits as well."),
        ({"window:2", "window:3", "window:5", "free weights"}, "window:2 to window:3, window:5, free weights."),
        ({"window:3", "window:4", "window:5", "window:6"}, "window:3 to window:6."),
    ],
)
def test_a_range_has_no_gap(good, said):
    fit = by.fit_memory(*played("window:3", 1, periods=120), longest=6)
    vars(fit)["table"] = fit.table.with_columns(as_good=pl.col("memory").is_in(list(good)))
    assert fit.memory == by.Window(3)
    assert fit.sentences[3] == (said if len(good) == 1 else f"Cannot be ruled out: {said}")


def test_less_than_nothing_is_worse_than_a_constant():
    generator = np.random.default_rng(0)
    costs, decisions = generator.normal(10, 2, (150, 3)), generator.integers(0, 3, 150)
    fit = by.fit_memory(costs, decisions, (costs * by.Window(12).start(3).extend(decisions)).sum(axis=1))
    assert fit.decided
    assert fit.table.filter(memory="window:1")["explained"].item() < 0
    assert "no memory (window:1) does worse than a constant, on parts" in fit.sentences[2]


@pytest.mark.parametrize("memory", ["window:8", "geometric:0.8"])
def test_the_band_holds_every_memory_of_the_interval(memory):
    fit = by.fit_memory(*played(memory, 0, periods=200, noise=1.0))
    axes = Figure().add_subplot()
    with patch.object(axes, "fill_between", wraps=axes.fill_between) as band:
        fit.plot(axes)
    _, low, high = band.call_args.args
    kind, (first, last) = type(fit.memory), fit.interval
    assert fit.decided
    assert first != last
    tried = [each for each in fit.rivals.memories if type(each) is kind and first.span <= each.span <= last.span]
    assert fit.memory in tried
    drawn = np.array([np.pad(own, (0, fit.longest - len(own))) for own in (m.weights(fit.longest) for m in tried)])
    assert (low == drawn.min(axis=0)).all()
    assert (high == drawn.max(axis=0)).all()
    said = [text.get_text() for text in axes.get_legend().get_texts()]
    assert f"{first.short_words} to {last.short_words}, 95 % of resamples" in said


def test_there_is_no_band_where_the_data_cannot_tell():
    fit = by.fit_memory(*played(None, 0, periods=100))
    assert not fit.decided
    assert fit.interval is not None
    with patch("matplotlib.axes.Axes.fill_between") as band:
        fit.plot()
    assert not band.called


@pytest.mark.slow
@pytest.mark.parametrize("style", ["runs", "smooth"])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("memory", ["window:8", "geometric:0.8", None])
def test_memories_are_recovered_and_noise_is_not_believed(memory, known, style, capsys):
    fits = [by.fit_memory(*played(memory, seed, known=known, style=style)) for seed in range(SEEDS)]
    decided, right = sum(fit.decided for fit in fits), sum(bool(memory) and recovered(memory, fit) for fit in fits)
    with capsys.disabled():
        print(f"\n{memory}, costs known: {known}, {style}: {right} right, {decided} decided, of {SEEDS}")
    if memory is None:
        assert decided <= 10
    else:
        assert right >= 80


class TestCommand:
    """`bygones memory`."""

    @pytest.fixture
    def files(self, tmp_path):
        costs, decisions, paid = played("window:3", 1, periods=150, noise=0.2)
        names = ["rail", "road", "sea"]
        weeks = pl.date_range(pl.date(2020, 1, 6), pl.date(2022, 11, 14), "1w", eager=True).alias("week")
        table = pl.DataFrame(costs.round(3), schema=names).insert_column(0, weeks)
        table.with_columns(paid=paid.round(3)).write_csv(tmp_path / "costs.csv")
        pl.DataFrame({"week": weeks, "paid": paid.round(3)}).write_csv(tmp_path / "paid.csv")
        held = pl.DataFrame({"week": weeks, "chosen": [names[k] for k in decisions]})
        held.sample(fraction=1, shuffle=True, seed=0).write_csv(tmp_path / "held.csv")
        held.tail(100).write_csv(tmp_path / "late.csv")
        return tmp_path

    def run(self, files, *words):
        table, held, *rest = words
        return main(["memory", str(files / table), "--held", str(files / held), "--outcome", *rest])

    def test_the_answer_comes_first(self, files, capsys):
        assert self.run(files, "costs.csv", "held.csv", "paid", "--out", str(files / "weights.png")) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("The memory that fits best is window:3: the last 3 decisions count equally.")
        assert "Use it: --memory window:3" in lines
        assert len(lines) <= 25
        assert (files / "weights.png").read_bytes().startswith(b"\x89PNG")

    def test_everything_as_json(self, files, capsys):
        assert self.run(files, "costs.csv", "held.csv", "paid", "--json") == 0
        said = json.loads(capsys.readouterr().out)
        assert (said["memory"], said["decided"], said["effects"]) == ("window:3", True, None)
        assert {"memory", "error", "low", "high", "as_good"} <= said["table"][0].keys()

    @pytest.mark.parametrize(
        "words", [("paid.csv", "held.csv", "paid"), ("costs.csv", "held.csv", "paid", "--effects")]
    )
    def test_effects_are_fitted_without_costs(self, files, words, capsys):
        assert self.run(files, *words, "--json") == 0
        assert json.loads(capsys.readouterr().out)["effects"].keys() == {"rail", "road", "sea"}

    @pytest.mark.parametrize("effects", [[], ["--effects"]])
    def test_tables_as_people_write_them(self, files, effects, capsys):
        plain = ("costs.csv", "held.csv", "paid", "--json", *effects)
        assert self.run(files, *plain) == 0
        expected = json.loads(capsys.readouterr().out)
        lines = (files / "costs.csv").read_text().replace(",", ";").replace(".", ",").splitlines()
        lines = [re.sub(r"^(\d+)-(\d+)-(\d+)", r"\3/\2/\1", line) for line in lines]
        (files / "costs.csv").write_text("\n".join([lines[0], *lines[:0:-1]]), encoding="utf-16")
        written = ("--decimal", ",", "--date-format", "day-first", "--encoding", "utf-16", "--sort", "descending")
        held = pl.read_csv(files / "held.csv").with_columns(pl.col("week").str.to_date().dt.strftime("%d/%m/%Y"))
        (files / "held.csv").write_text(held.write_csv(), encoding="utf-16")
        assert self.run(files, *plain, *written) == 0
        said = json.loads(capsys.readouterr().out)
        assert said.pop("notes") != expected.pop("notes")
        assert said == expected

    def test_missing_values_are_left_out_with_times_only(self, files, capsys):
        lines = (files / "costs.csv").read_text().splitlines()
        lines[60] = lines[60].rpartition(",")[0] + ","
        (files / "costs.csv").write_text("\n".join(lines))
        assert self.run(files, "costs.csv", "held.csv", "paid") == 2
        assert "--missing drop" in capsys.readouterr().err
        assert self.run(files, "costs.csv", "held.csv", "paid", "--missing", "drop") == 0
        assert "1 decision is of times that the table has not" in " ".join(capsys.readouterr().out.split())
        pl.read_csv(files / "held.csv").sort("week").select("chosen").write_csv(files / "untimed.csv")
        assert self.run(files, "costs.csv", "untimed.csv", "paid", "--missing", "drop") == 2
        assert "the order does not say which decision is of which period" in capsys.readouterr().err

    def test_periods_without_a_decision_are_left_out(self, files, capsys):
        assert self.run(files, "costs.csv", "late.csv", "paid") == 0
        assert "the first 50 of 150 periods have no decision" in " ".join(capsys.readouterr().out.split())

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("costs.csv", "held.csv", "pad"), "did you mean paid?"),
            (("costs.csv", "paid.csv", "paid"), "a column of weights for each of 'rail', 'road', 'sea'"),
            (("costs.csv", "none.csv", "paid"), "there is no such file"),
            (("costs.csv", "held.csv", "paid", "--out", "weights.txt"), "give a file that ends in .png, .svg, .pdf"),
            (("costs.csv", "held.csv", "paid", "--longest", "1"), "--longest is 1: give a whole number of at least 2"),
            (("costs.csv", "held.csv", "paid", "--actions", "rail"), "or leave it alone with --effects"),
            (("costs.csv", "held.csv", "week"), "column 'week' is '2020-01-06', not a number"),
        ],
    )
    def test_mistakes_are_sentences(self, files, words, message, capsys):
        assert self.run(files, *words) == 2
        said = capsys.readouterr().err
        assert message in said
        assert "Traceback" not in said
