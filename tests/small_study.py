"""A small study that several tests look at, run once."""

import pytest

import bygones as by
from bygones.studies.running import Session

SMALL = {
    "learners": ["ftarl", "hedge", "lsa", "steering"],
    "costs": ["stochet", "cyclic:hold=5,vectors=2"],
    "memory": "window:{H}",
    "actions": 4,
    "horizon": [60, 120, 240],
    "grid": {"H": [2, 4, 8]},
    "replicates": 6,
    "record": [10, 60],
    "name": "a small study",
}


def ran(path, **given):
    """The results of a study that is run in this process."""
    session = Session(by.Study(**given), path)
    session.run(workers=1, progress=False)
    return session.found


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    return ran(tmp_path_factory.mktemp("study") / "small", **SMALL)
