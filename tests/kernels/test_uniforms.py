"""Uniform numbers are those of numpy's generator, and leave it as numpy leaves it."""

import numpy as np
import pytest

import bygones as by
from bygones.kernels.uniforms import ENOUGH, LANES, fill_uniforms, uniforms

COUNTS = [0, 1, ENOUGH - 1, ENOUGH, ENOUGH + 1, ENOUGH + LANES - 1, 3 * ENOUGH + LANES, 100_003]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("seed", [0, 1, 2**100])
def test_numbers_and_states_are_numpys(count, seed):
    ours, numpys = np.random.default_rng(seed), np.random.default_rng(seed)
    for generator in (ours, numpys):
        generator.integers(9, dtype=np.uint32)  # leaves half a word for later, which must stay
    numbers = np.empty(count)
    fill_uniforms(ours, numbers)
    np.testing.assert_array_equal(numbers, numpys.random(count))
    assert ours.bit_generator.state == numpys.bit_generator.state


@pytest.mark.compiled
def test_large_draws_are_compiled(monkeypatch):
    calls = []
    real = uniforms.ready()
    monkeypatch.setattr(uniforms, "call", lambda *given: calls.append(real(*given)))
    fill_uniforms(np.random.default_rng(0), np.empty((2, ENOUGH)))
    fill_uniforms(np.random.default_rng(0), np.empty(ENOUGH - 1))
    assert len(calls) == 1


@pytest.mark.parametrize("kind", [np.random.PCG64DXSM, np.random.MT19937, np.random.Philox])
def test_other_generators_draw_by_themselves(kind):
    numbers = np.empty(2 * ENOUGH)
    fill_uniforms(np.random.Generator(kind(7)), numbers)
    np.testing.assert_array_equal(numbers, np.random.Generator(kind(7)).random(2 * ENOUGH))


@pytest.mark.parametrize("rounds", [10, 9000])
def test_what_numpy_refuses_is_refused(rounds):
    table = np.full((rounds, 3), 7.0)
    with pytest.raises(ValueError, match="contiguous"):
        by.StocId().start(2, rounds, np.random.default_rng(0)).fill(table[:, :2])
