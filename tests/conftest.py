import attacks
import counting
import numpy as np
import pytest
from browsing import browser, tabs  # noqa: F401 fixtures
from counting import counted  # noqa: F401 a fixture
from hypothesis import settings
from postgres import postgres  # noqa: F401 a fixture
from small_study import small  # noqa: F401 a fixture

# The same examples in every run: a test here fails always or never.
settings.register_profile("bygones", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("bygones")


@pytest.fixture
def rng():
    return np.random.default_rng(20240507)


def pytest_terminal_summary(terminalreporter):
    """What a run has tried, and what its sweeps have found, whichever processes ran them."""
    attacks.summarise(terminalreporter)
    counting.summarise(terminalreporter)
