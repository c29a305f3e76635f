"""Rates and bounds, as pure functions of a problem.

`paper` holds what Hebbar and Langbort prove; `any_memory` what holds for any memory, with better constants; `changing`
what holds where the best action changes; `ahead` what holds where decisions play ahead of the memory, and `design` how;
`lower` what no learner can beat. Nothing here depends on learners or costs;
the table of bounds is in `promises`.
"""

from .ahead import ahead_bound, can_lead, crowding, kernel_of, spectrum
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
    steering_bound,
    steering_rate,
)
from .changing import ShareTuning, path_prior, share_bound, share_tuning
from .design import FARTHEST, AheadPlan, ahead_plan
from .guard import NEGLIGIBLE, KnownPlan, OpenPlan, known_plan, open_bound
from .lower import claim_floor, long_trap_floor, short_trap_floor
from .paper import corollary_bound, corollary_rate, theorem_bound, theorem_rate
from .requirements import effective_length, known, known_range, lag_sum

__all__ = [
    "FARTHEST",
    "NEGLIGIBLE",
    "AheadPlan",
    "KnownPlan",
    "OpenPlan",
    "ShareTuning",
    "ahead_bound",
    "ahead_plan",
    "anava_rate",
    "anytime_bound",
    "anytime_rates",
    "can_lead",
    "claim_floor",
    "corollary_bound",
    "corollary_rate",
    "crowding",
    "effective_length",
    "geulen_rate",
    "hedge_bound",
    "hedge_guarantee",
    "hedge_rate",
    "kernel_of",
    "known",
    "known_plan",
    "known_range",
    "lag_sum",
    "long_trap_floor",
    "open_bound",
    "path_prior",
    "perturbed_bound",
    "perturbed_rate",
    "share_bound",
    "share_tuning",
    "short_trap_floor",
    "spectrum",
    "steering_bound",
    "steering_rate",
    "theorem_bound",
    "theorem_rate",
]
