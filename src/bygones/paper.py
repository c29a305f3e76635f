"""The paper's experiments and claims, as data.

Hebbar and Langbort (2024), *Online Decision Making with History-Average Dependent Costs*. `bygones
reproduce` runs what is declared here. Where the paper's text leaves something open, we use the notebook that it names,
LearningWithHist by vijeth27 on GitHub; the cells that drew Figure 1 are not in it.
"""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from .costs import Costs, Cyclic, StocHet, StocId
from .learners import FTARL, LSA, AdaHedge, FixedShare, Guarded, Hedge, HedgeAhead, Learner, Steering
from .memory import Window
from .problem import Problem
from .theory import anava_rate, geulen_rate

if TYPE_CHECKING:
    import polars as pl

# Figure 1: T = 10,000 rounds, H = 100, L = 50, S = 100 runs. That n = 10 is read off its bound curve.
PROBLEM = Problem(actions=10, horizon=10_000, memory=Window(100))
REPLICATES = 100
FAMILIES: dict[str, Costs] = {
    "StocHet": StocHet(),
    "StocId": StocId(),
    "Cyc": Cyclic(hold=50, vectors=2),  # as the figure must have been made, and as the notebook has it
    "Cyc, all ten": Cyclic(hold=50),  # as the text says
}
PANELS = ("StocHet", "StocId", "Cyc")  # (a)-(b), (c)-(d) and (e)-(f)

# The learners of the figure. The paper does not state LSA's rate; these are candidates. Geulen's, and Anava's with a
# bound nM on the norm of the costs, are in the notebook; Anava's with a bound M is the default of `LSA`.
FTARL_LABEL = "FTARL"
LEARNERS: dict[str, Learner] = {
    FTARL_LABEL: FTARL(),
    "LSA, Anava": LSA(),
    "LSA, Geulen": LSA(tuning="geulen"),
    "LSA, half of Geulen": LSA(rate=geulen_rate(PROBLEM) / 2),
    "LSA, Anava with nM": LSA(rate=anava_rate(PROBLEM) / PROBLEM.n),
}

# The curve drawn beside FTARL is M sqrt(T H ln n), of StocId M sqrt(T ln n): it is not the theorem's bound.
DRAWN_LENGTH = {"StocHet": 100, "StocId": 1, "Cyc": 100}

# The horizon's length: the trap of the paper's claim, full history, H of the order of sqrt(T), a bound Theta on H.
TRAP_LENGTHS = (8, 16, 32, 64, 128, 256, 512)
TRAP_HORIZON = 2_000
GROWTH_HORIZONS = (400, 784, 1_600, 3_600, 6_400, 14_400)
THETAS = (100, 200, 400, 800)

# Beyond the paper.
PAST: dict[str, Learner] = {
    FTARL_LABEL: FTARL(),
    "Hedge": Hedge(),
    "HedgeAhead": HedgeAhead(),
    "AdaHedge": AdaHedge(),
    "Steering": Steering(),
    "Steering, anytime": Steering(Hedge(tuning="anytime")),
    "FixedShare": FixedShare(),
    "Steering, FixedShare": Steering(FixedShare()),
    "Guarded Steering": Guarded(Steering()),
}

# The open question, whether the factor sqrt(H) is needed: learners whose bounds are compared, and at which sizes.
BOUNDED: dict[str, Learner] = {"the paper": FTARL(), "Hedge": Hedge(), "HedgeAhead": HedgeAhead()}
BOUNDED_HORIZONS = (1_000, 10_000, 100_000)
BOUNDED_LENGTHS = (10, 20, 50, 100)

ERRATA = (
    "The state that the past carries over, y^t: its first case holds from t = 1 on, and both cases add up v^tau.",
    "In the proof of the remark on it, 't > 1' is to be read as 't >= 1'.",
    "The text of the experiments has costs in [0, 1], the analysis has none above zero. Only their range matters.",
    "Step (e) of the bound on term (B), read as Hoelder with identity I.3, lacks a factor of 2.",
    "What holds there on every path is <G^t, x^(t+1) - x^(t+2)> <= M t/(t + 1); and '(C) <=' at its end is about (B).",
    "The 'm' in the claim on changes of the leader is M.",
    "The corollary holds for every Theta of at least H; its printed proof needs Theta >= H + 2.",
    "The bound curve in Figure 1 is M sqrt(T H ln n), for StocId M sqrt(T ln n): less than the theorem's bound.",
    "Figure 1 does not state the number of actions: n = 10 is read off that curve. Its bands are about one deviation.",
    "Figure 1 (e)-(f) must have been made with two of the ten cyclic vectors: all ten give FTARL a regret of about 62.",
    "The notebook that the paper names takes turns between two as well.",
    "The text does not give StocHet's intervals; the notebook has [b, a], a = -0.2 U, b = a - 0.8 U, uniform draws U.",
    "The text does not give LSA's rate. The notebook has Geulen's, and Anava's with a bound nM on the costs' norm.",
    "The notebook lacks the cells that drew Figure 1; so which rate of LSA that shows can only be judged by its fit.",
)


@cache
def published() -> "pl.DataFrame":
    """The mean curves of Figure 1 as read off the published pictures: family, learner, round, mean_regret, pixel.

    >>> published().filter(family="Cyc", round=10_000)["mean_regret"].to_list()
    [398.6, 2197.5]
    """
    import polars as pl

    with (files("bygones") / "published" / "figure1.csv").open("rb") as file:
        return pl.read_csv(file)
