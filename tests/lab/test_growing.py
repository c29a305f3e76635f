"""Growth: the worst cases at several sizes, and their exponents."""

import polars as pl
import pytest

import bygones as by


def test_hedge_s_worst_case_grows_like_the_root_of_both():
    frame = by.lab.growth(["hedge"], [200, 400, 800], [2, 4, 8], effort=0.2, progress=False)
    assert len(frame) == 9
    assert (frame["share"] == frame["regret"] / frame["bound"]).all()
    fits = by.lab.exponents(frame)
    assert fits.columns == ["learner", "parameter", "at", "exponent", "se", "misfit", "promised"]
    assert fits["parameter"].to_list() == ["horizon"] * 3 + ["length"] * 3
    assert fits["at"].to_list() == [2, 4, 8, 200, 400, 800]
    for row in fits.iter_rows(named=True):
        assert row["exponent"] == pytest.approx(0.5, abs=0.1)
        assert row["promised"] == pytest.approx(0.5, abs=0.02)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_exponents_of_long_games():
    frame = by.lab.growth(["hedge"], effort=0.2, progress=False)
    assert frame["share"].min() > 0.75
    for row in by.lab.exponents(frame).iter_rows(named=True):
        # A horizon of 1,000 is short for a window of 64, so that the exponents of the length are a little lower.
        assert row["exponent"] == pytest.approx(0.5, abs=0.06 if row["parameter"] == "horizon" else 0.08), row


def test_a_row_is_a_worst_case():
    frame = by.lab.growth([by.Hedge(), by.Hedge(rate=0.3)], [50], [3], effort=0.05, seed=2, progress=False)
    assert frame["learner"].to_list() == ["Hedge", "Hedge(rate=0.3)"]
    found = by.lab.worst_case(by.Hedge(), by.Problem(2, 50, by.Window(3)), effort=0.05, seed=2, progress=False)
    assert frame.row(0)[1:] == (50, 3, *found[1:5])


def test_exponents_that_are_known_are_found():
    rows = [("x", T, H, 2.0 * T**0.7 * H**0.2, None) for T in (10, 20, 40) for H in (1, 2, 4)]
    schema = ["learner", "horizon", "length", "regret", "bound"]
    fits = by.lab.exponents(pl.DataFrame(rows, schema=schema, orient="row"))
    assert fits.filter(parameter="horizon")["exponent"].to_list() == pytest.approx([0.7] * 3)
    assert fits.filter(parameter="length")["exponent"].to_list() == pytest.approx([0.2] * 3)
    assert fits["promised"].to_list() == [None] * 6


def test_bad_arguments():
    with pytest.raises(ValueError, match="a horizon is 0: give a whole number"):
        by.lab.growth(["hedge"], [0], [2])
    with pytest.raises(ValueError, match=r"the frame has no column 'horizon': give one as growth\(\) returns it"):
        by.lab.exponents(pl.DataFrame({"learner": ["Hedge"]}))
    with pytest.raises(ValueError, match="is given twice"):
        by.lab.growth(["hedge", by.Hedge()], [5], [2])
