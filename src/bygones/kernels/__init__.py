"""Compiled primitives that more than one room needs.

A kernel is a plain function over arrays, written with `math.*` and loops only, so that it can be read, covered and
run uncompiled with the very same bits; `compiled` makes it fast.
"""

from .arrays import Actions, Array
from .block import Block, Tally, catch_up, replicates_of
from .compiler import Kernel, compiled, compiled_before, uncompiled
from .faults import first_fault, first_off_simplex, lower
from .leader import follow, follow_round, lead
from .moments import moments
from .perturbed import perturbed_mean, quadrature
from .projection import project
from .round import admit
from .softmin import softmin
from .uniforms import fill_uniforms

__all__ = [
    "Actions",
    "Array",
    "Block",
    "Kernel",
    "Tally",
    "admit",
    "catch_up",
    "compiled",
    "compiled_before",
    "fill_uniforms",
    "first_fault",
    "first_off_simplex",
    "follow",
    "follow_round",
    "lead",
    "lower",
    "moments",
    "perturbed_mean",
    "project",
    "quadrature",
    "replicates_of",
    "softmin",
    "uncompiled",
]
