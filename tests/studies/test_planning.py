import pytest
from hypothesis import given
from hypothesis import strategies as st
from studying import cells, command, module, said, small, toml

from bygones.studies.cells import key_of
from bygones.studies.configurations import configurations
from bygones.studies.folder import Folder
from bygones.studies.planning import Pace, blocks, gaps, missing

COMPILING = "bygones: compiling kernels, once for this version (some seconds in total)\n"
SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda pair: (pair[0], pair[0] + pair[1])))


@given(SPANS, st.integers(1, 30))
def test_gaps_and_spans_cover_every_replicate_and_gaps_none_that_is_there(spans, stop):
    there = {each for span in spans for each in range(*span)}
    left = [each for gap in gaps(spans, stop) for each in range(*gap)]
    assert left == [each for each in range(stop) if each not in there]


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 5))
def test_blocks_are_cut_at_the_same_places_wherever_they_begin(first, more, power):
    size = 2**power
    found = list(blocks(first, first + more, size))
    assert [each for block in found for each in range(*block)] == list(range(first, first + more))
    assert all(end % size == 0 for _, end in found[:-1])
    assert all(0 < end - begin <= size for begin, end in found)


class Fixed(Pace):
    def seconds(self, this):
        return 0.3


def test_what_is_missing_is_planned_and_nothing_else():
    all_ = [point.configuration for point in configurations(small())]
    there = {key_of(all_[0]): [(0, 6)], key_of(all_[1]): [(2, 4)]}
    found = list(missing(all_, 6, there, Fixed()))
    spans = [(cell.first, cell.stop) for cell in found if cell.configuration == all_[1]]
    assert spans == [(0, 2), (4, 6)]
    assert all_[0] not in {cell.configuration for cell in found}
    assert all(cell.key == key_of(cell.configuration) for cell in found)


def test_a_pace_is_measured_once_for_each_kind_and_kept_for_all_runs(tmp_path, monkeypatch):
    from bygones.studies import planning

    measured = []
    monkeypatch.setattr(planning, "_measured", lambda this, _: measured.append(this) or 0.001 * len(measured))
    (tmp_path / "study.toml").write_text("")
    kinds = [point.configuration for point in configurations(small(horizon=[20, 30]))]
    first, second = (Pace(Folder(tmp_path).pace) for _ in range(2))
    sizes = [first.size(each) for each in kinds]
    assert len(measured) == 2  # learners; neither windows nor horizons make another kind
    assert sizes == [second.size(each) for each in kinds]
    assert len(measured) == 2
    assert first.seconds(kinds[0]._replace(horizon=40)) == pytest.approx(2 * first.seconds(kinds[0]))


@pytest.mark.parametrize("fault", ["raise SystemExit(3)", "raise GeneratorExit", "raise RuntimeError"])
def test_whatever_a_learner_raises_while_it_is_measured_is_the_failure_of_its_cells(fault, tmp_path):
    learner = module(tmp_path, "raising_at_once", fault).replace("H=3", "H=2")  # the first window
    path = toml(tmp_path, learners=[learner, "hedge"], horizon=20)
    code, out, err = said(command("study", "run", path, "--out", "out", cwd=tmp_path))
    assert (code, err.replace(COMPILING, "")) == (1, "")
    assert "6 cells failed: see bygones study status out" in out
    assert len(cells(tmp_path / "out")) == 2 + 6  # those of the other window, of one replicate each


@pytest.mark.compiled
def test_a_cell_takes_about_a_second():
    this = next(iter(configurations(small(horizon=200_000)))).configuration
    pace = Pace()
    assert 0.5 <= pace.size(this) * pace.seconds(this) <= 1.0 or pace.size(this) == 1
