"""Rates and bounds, as pure functions of a problem.

`paper` holds what Hebbar and Langbort prove; `sharp` what holds for any memory, with better constants; `lower` what no
learner can beat; `advice` what follows for somebody who has to choose. Nothing here knows a learner or sees a cost.
"""

from .advice import advise, longest_window, speaks_from
from .any_memory import (
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
from .lower import claim_floor, long_trap_floor, short_trap_floor
from .paper import corollary_bound, corollary_rate, theorem_bound, theorem_rate
from .requirements import effective_length, known, known_range, lag_sum
from .table import ANY_LEARNER, bounds

__all__ = [
    "ANY_LEARNER",
    "advise",
    "anava_rate",
    "anytime_bound",
    "anytime_rates",
    "bounds",
    "claim_floor",
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
    "long_trap_floor",
    "longest_window",
    "perturbed_bound",
    "perturbed_rate",
    "short_trap_floor",
    "speaks_from",
    "theorem_bound",
    "theorem_rate",
    "tracking_bound",
    "tracking_rate",
]
