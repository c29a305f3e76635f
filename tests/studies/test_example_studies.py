"""The studies of `examples/studies`: reduced, and the paper's against the library."""

from pathlib import Path

import msgspec
import pytest

import bygones as by
from bygones import paper
from bygones.studies.comparing import ranking
from bygones.studies.page import study_page
from bygones.studies.running import Session

EXAMPLES = Path(__file__).parents[2] / "examples" / "studies"
NAMES = ("change", "growth", "learners", "paper")
REDUCED = {"replicates": 2, "horizon": 60, "actions": 3}


def ran(name, path, **fewer):
    study = msgspec.structs.replace(by.Study.read(EXAMPLES / f"{name}.toml"), **fewer)
    session = Session(study, path)
    done = session.run(workers=1, progress=False)
    assert (done.failed, done.damaged) == (0, 0)
    return session.found


def test_every_example_is_here():
    assert sorted(path.stem for path in EXAMPLES.glob("*.toml")) == sorted(NAMES)


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_reduced_and_has_a_page(name, tmp_path):
    fewer = REDUCED | ({"record": 5} if name == "paper" else {})
    found = ran(name, tmp_path / name, **fewer)
    assert found.missing() == 0
    assert len(ranking(found.ends).standings) == len(found.study.learners)
    assert f"<h1>{found.study.name}</h1>" in study_page(found).html()


@pytest.mark.compiled
def test_the_paper_s_study_is_the_reproduction_to_the_last_bit(tmp_path):
    """All that makes the numbers is the paper's: the problem, learners, families, seed and rounds recorded."""
    found = ran("paper", tmp_path / "paper", replicates=2)
    assert by.Study.read(EXAMPLES / "paper.toml").replicates == paper.REPLICATES
    frame = found.frame().collect()
    assert found.study.learners == [learner.words for learner in paper.LEARNERS.values()]
    assert frame["learner"].n_unique() == len(paper.LEARNERS)
    assert frame["costs"].n_unique() == len(paper.FAMILIES)
    for family in paper.FAMILIES.values():
        result = by.simulate(paper.PROBLEM, list(paper.LEARNERS.values()), family, replicates=2, record="all")
        for learner, regrets in zip(paper.LEARNERS.values(), result.regrets.values(), strict=True):
            own = frame.filter(learner=learner.words, costs=family.words)
            rounds = own["round"].unique(maintain_order=True).to_numpy()
            assert len(rounds) == 100
            assert own["regret"].to_list() == regrets[:, rounds - 1].reshape(-1).tolist()
