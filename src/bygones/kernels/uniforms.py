"""Uniform numbers: those of numpy's own generator, to the bit, in less time."""

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from .arrays import Array
from .compiler import compiled

ENOUGH = 2**13  # numbers from which on it is worth it
LANES = 32  # steps at once
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64
INVERSE, LEAP = pow(MULTIPLIER, -1, 2**128), pow(MULTIPLIER, LANES, 2**128)
LEAP_STEP = sum(MULTIPLIER**k for k in range(LANES))


def _words(*numbers: int) -> NDArray[np.uint64]:
    """Numbers modulo 2**128 as words of 64 bits, the lower one first."""
    return np.frombuffer(bytearray().join((number % 2**128).to_bytes(16, "little") for number in numbers), np.uint64)


FACTORS = _words(INVERSE, LEAP)


def fill_uniforms(generator: Generator, out: Array) -> None:
    """Write what `generator.random(out=out)` writes, and leave the generator as that leaves it.

    PCG64 steps `s -> M s + c` modulo 2**128, and each step waits for the one before. So many lanes go side by side
    instead, each by as many steps at once: `s -> M^k s + (1 + M + ... + M^(k-1)) c`.

    Reference: O'Neill (2014), *PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
    Number Generation*. numpy promises that the numbers of a PCG64 stay the same.

    Args:
        generator: the source of randomness.
        out: any shape, contiguous; written.

    >>> one, other = np.random.default_rng(0), np.random.default_rng(0)
    >>> numbers = np.empty((9, 1000))
    >>> fill_uniforms(one, numbers)
    >>> bool((numbers == other.random((9, 1000))).all()), one.random() == other.random()
    (True, True)
    """
    small = out.size < ENOUGH or not out.flags.c_contiguous  # of which numpy refuses the second
    if small or type(generator.bit_generator) is not PCG64 or uniforms.interpreted:
        generator.random(out=out)
        return
    bits = generator.bit_generator
    numbers, state = out.reshape(-1), bits.state
    inner = state["state"]
    words = _words(inner["state"], -INVERSE * inner["inc"], LEAP_STEP * inner["inc"])
    uniforms.call(words, FACTORS, numbers)
    inner["state"] = int.from_bytes(words[:2].tobytes(), "little")
    bits.state = state
    generator.random(out=numbers[len(numbers) // LANES * LANES :])


def _uniforms(words: NDArray[np.uint64], factors: NDArray[np.uint64], out: Array) -> None:
    """Write as many numbers at a time as there are lanes, as long as there is room.

    Args:
        words: the state, advanced, and what a step back and a leap add.
        factors: of a step back and a leap; given, because the compiler would turn products with numbers that it knows
            into longer sums.
        out: (B,), written up to a multiple of the lanes.
    """
    low, high, back_low, back_high, add_low, add_high = words
    inverse_low, inverse_high, leap_low, leap_high = factors
    lows, highs = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    for j in range(LANES):
        lows[LANES - 1 - j], highs[LANES - 1 - j] = low, high
        low, high = step(low, high, inverse_low, inverse_high, back_low, back_high)
    for k in range(out.shape[0] // LANES):
        for j in range(LANES):
            low, high = step(lows[j], highs[j], leap_low, leap_high, add_low, add_high)
            lows[j], highs[j] = low, high
            # The halves, mixed and rotated by the first bits; of that, the first 53 bits.
            mixed, turn = low ^ high, high >> np.uint64(58)
            turned = (mixed >> turn) | (mixed << ((np.uint64(64) - turn) & np.uint64(63)))
            out[LANES * k + j] = np.int64(turned >> np.uint64(11)) * 2.0**-53
    words[0], words[1] = lows[LANES - 1], highs[LANES - 1]


def _step(
    low: np.uint64, high: np.uint64, by_low: np.uint64, by_high: np.uint64, add_low: np.uint64, add_high: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """`state * by + add` modulo 2**128, in halves; the upper half of a product by the halves of its factors."""
    half, lower = np.uint64(32), np.uint64(2**32 - 1)
    x_low, x_high, y_low, y_high = low & lower, low >> half, by_low & lower, by_low >> half
    middle = x_high * y_low + (x_low * y_low >> half)
    other = x_low * y_high + (middle & lower)
    upper = x_high * y_high + (middle >> half) + (other >> half)
    product = low * by_low
    total = product + add_low
    return total, upper + high * by_low + low * by_high + add_high + np.uint64(total < product)


step = compiled(_step, inline=True)
uniforms = compiled(_uniforms)
