"""A small study that several tests look at, run once."""

from unittest.mock import patch

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


def ran(path, size=8, **given):
    """The results of a study that is run in this process, in cells of `size` replicates, not of a measured number."""
    session = Session(by.Study(**given), path)
    with patch("bygones.studies.planning.Pace.size", lambda *_: size):
        session.run(workers=1, progress=False)
    return session.found


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    return ran(tmp_path_factory.mktemp("study") / "small", **SMALL)
