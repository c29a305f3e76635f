"""What hypothesis draws from, for tests of more than one room."""

import math

import numpy as np
from hypothesis import strategies as st

import bygones as by

memories = st.one_of(
    st.builds(by.Window, st.integers(1, 40)),
    st.just(by.FullHistory()),
    st.builds(by.Geometric, st.floats(0.01, 0.999)),
    st.lists(st.floats(0.01, 1), min_size=1, max_size=12).map(lambda w: by.Weights([x / math.fsum(w) for x in w])),
)
games = st.tuples(
    st.integers(2, 6),
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(0, 2**32),
    st.sampled_from(["uniform", "decimal", "whole"]),
)


def game(n, T, seed, kind):
    """Costs without ties, with many near ties (multiples of 0.1), or with many ties."""
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return -rng.random((T, n))
    return -rng.integers(0, 11, (T, n)) / 10 if kind == "decimal" else -rng.integers(0, 2, (T, n)).astype(float)
