"""Compiled primitives that more than one room needs.

A kernel is a plain function over arrays, written with `math.*` and loops only, so that it can be read, covered and
run uncompiled with the very same bits; `compiled` makes it fast.
"""

from .arrays import Actions, Array
from .compiling import Kernel, compiled
from .faults import first_fault, first_off_simplex
from .leader import follow, lead
from .perturbed import perturbed_mean, quadrature
from .softmin import add_shifted, softmin

__all__ = [
    "Actions",
    "Array",
    "Kernel",
    "add_shifted",
    "compiled",
    "first_fault",
    "first_off_simplex",
    "follow",
    "lead",
    "perturbed_mean",
    "quadrature",
    "softmin",
]
