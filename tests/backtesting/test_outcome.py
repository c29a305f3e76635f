"""What a backtest says of its outcome: other lengths, sentences, and saving."""

import numpy as np
import polars as pl
import pytest
from samples import BACKTESTED
from tables import costs_of, table

import bygones as by
from bygones import accounting
from bygones.backtesting import sentences
from bygones.backtesting.outcome import FRAMES
from bygones.backtesting.sensitivity import varied

# Other lengths.


def test_the_diagonal_of_the_sensitivity_is_the_run_itself():
    for memory in ("window:8", "geometric:0.8"):
        done = by.backtest(table(), memory, BACKTESTED)
        own = done.sensitivity.filter(memory=memory)
        assert own["learner"].to_list() == ["Steering", "Hedge"]
        for label, _, _, known, assumed in own.rows():
            assert known == assumed == done.result.regrets[label][0, -1]


def test_other_lengths_are_played_with_the_right_or_the_wrong_memory():
    frame = table()
    costs, names = costs_of(frame), frame.columns[1:]
    done = by.backtest(frame, "window:8", [by.Steering(), by.Hedge()], cost_range=9.0)
    assert done.sensitivity["length"][:5].to_list() == [1, 2, 4, 8, 16]
    for learner in (by.Steering(), by.Hedge()):
        for _, _, length, known, assumed in done.sensitivity.filter(learner=type(learner).__name__).rows():
            true = by.Window(int(length))
            for assumption, regret in ((true, known), (by.Window(8), assumed)):
                decisions = learner.start(by.Problem(names, 120, assumption, 9.0)).play(costs)
                paid = accounting.regret(costs, true.start(3).extend(decisions))[-1]
                assert regret == pytest.approx(paid, rel=1e-11)


def test_where_there_is_no_length_to_vary_it_is_said():
    assert varied(by.FullHistory(), 100) == varied(by.Weights([0.5, 0.5]), 100) == []
    assert varied(by.Window(1), 100) == [by.Window(1), by.Window(2), by.Window(4)]
    assert varied(by.Window(30), 100) == [by.Window(length) for length in (1, 7, 15, 30, 60)]
    assert varied(by.Window(30), 2_000_000) == [by.Window(length) for length in (1, 7, 15, 30, 60, 120)]
    done = by.backtest(table(), "full", ["steering"])
    assert done.sensitivity.height == 0
    assert sentences.lengths(done) == "There is no length to vary in a memory of all periods."


# Words, and saving.


def test_it_has_a_result_and_survives_saving(tmp_path):
    done = by.backtest(table(), "window:7", ["steering", "ftarl:tuning=sharp"])
    assert isinstance(done.result, by.Result)
    assert repr(done).startswith("<Backtest: 108 periods of DataFrame, 3 options\n  Steering  cost ")
    assert done.learners == {"Steering": by.Steering(), "FTARL": by.FTARL(tuning="sharp")}
    assert "<td>Steering</td>" in done._repr_html_()
    done.save(tmp_path / "backtest.zip")
    loaded = by.Backtest.load(tmp_path / "backtest.zip")
    assert type(loaded) is by.Backtest
    assert (loaded.facts, loaded.about, loaded.problem) == (done.facts, done.about, done.problem)
    for name in (*FRAMES, "sensitivity"):
        assert getattr(loaded, name).equals(getattr(done, name)), name
    assert loaded.result.curves().equals(done.result.curves())
    assert (repr(loaded), loaded.recommendation) == (repr(done), done.recommendation)
    loaded.report(tmp_path / "report")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_backtest_is_refused(content, tmp_path):
    (tmp_path / "backtest.zip").write_bytes(content)
    with pytest.raises(ValueError, match="backtest.zip is not a saved backtest, or it is damaged"):
        by.Backtest.load(tmp_path / "backtest.zip")
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        by.Backtest.load(tmp_path / "none.zip")


def test_the_guarantee_in_the_accounts_is_that_of_the_last_period():
    done = by.backtest(table(), "window:7", ["hedge"], cost_range=20.0)
    held = done.result.guarantees["Hedge"][0]
    assert held[-1] != held[0]
    assert done.accounts["guarantee"][0] == held[-1] == done.path["guarantee"][-1]


def test_the_recommendation_names_who_what_and_when():
    frame = table(60, n=3).with_columns(pl.col("option 1") - 5)
    done = by.backtest(frame, "window:4", ["followtheleader"])
    assert done.answer.headline == "For the period after 2024-02-29, FollowTheLeader decides: 100 % option 1."
    assert done.recommendation.startswith(done.answer.headline)
    even = by.backtest(table(60, n=8), "window:4", ["uniform"])
    said = "Uniform decides: " + ", ".join(f"12 % option {k}" for k in range(5)) + ", 38 % in 3 others."
    assert said in even.answer.headline
    drawn = by.backtest(table(60), "window:4", ["ftarl"]).answer.headline
    assert "FTARL draws one option by these weights, once, and keeps it as long as it can: " in drawn


def test_a_learner_that_beats_the_best_option_is_told_to_have_paid_less():
    done = by.backtest(table(40), "window:1", [by.Steering()], cost_range=9.0)
    assert " more than " in sentences.summary(done)[1].partition("held all the time")[0]
    done.accounts = done.accounts.with_columns(regret=-5.0)
    assert sentences.summary(done)[1].startswith("That is 5 less than ")


def test_the_rest_of_a_recommendation_counts_those_that_have_a_part():
    frame = pl.DataFrame({f"o{k}": np.full(30, 0.0 if k < 6 else 50.0) for k in range(8)})
    done = by.backtest(frame, "window:2", [by.Hedge(rate=50.0)], cost_range=100.0)
    assert done.next.filter(decision=0.0).height == 2
    assert "17 % in 1 other." in done.answer.headline
    frame = pl.DataFrame({f"o{k}": np.full(30, float(k)) for k in range(8)})
    done = by.backtest(frame, "window:2", [by.Hedge(rate=0.01)], cost_range=7.0)
    assert "in 3 others" in done.answer.headline
    shares = done.answer.headline.partition("decides: ")[2].split(", ")
    assert sum(float(part.split()[0]) for part in shares) == pytest.approx(100, abs=4)


def test_the_verdict_at_very_few_periods():
    assert sentences.verdict(by.Problem(20, 2, by.Window(2))).endswith("Hedge's is vacuous too: 106 %.")
    assert "Hedge's is vacuous: " in sentences.verdict(by.Problem(99, 3, by.Geometric(0.99)))
