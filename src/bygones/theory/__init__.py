"""Rates and bounds, as pure functions of a problem.

`paper` holds what Hebbar and Langbort prove; `sharp` what holds for any memory, with better constants. Nothing here
knows a learner or sees a cost.
"""

from .needs import effective_length, known, known_range, lag_sum
from .paper import corollary_bound, corollary_rate, theorem_bound, theorem_rate
from .sharp import (
    anava_rate,
    anytime_bound,
    anytime_rates,
    geulen_rate,
    hedge_bound,
    hedge_guarantee,
    hedge_rate,
    perturbed_bound,
    perturbed_rate,
    tracking_bound,
    tracking_rate,
)
from .table import bounds

__all__ = [
    "anava_rate",
    "anytime_bound",
    "anytime_rates",
    "bounds",
    "corollary_bound",
    "corollary_rate",
    "effective_length",
    "geulen_rate",
    "hedge_bound",
    "hedge_guarantee",
    "hedge_rate",
    "known",
    "known_range",
    "lag_sum",
    "perturbed_bound",
    "perturbed_rate",
    "theorem_bound",
    "theorem_rate",
    "tracking_bound",
    "tracking_rate",
]
