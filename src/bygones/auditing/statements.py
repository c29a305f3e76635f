"""The statements that are audited, in words and formulas, and how each is checked."""

EVERY_PATH, EXPECTATION, FREQUENCY = "every path", "expectation", "frequency"
EXACT_MEAN, EXACT_RECURSION = "exact mean", "exact recursion"

STATEMENTS = {
    "Theorem 2": (EVERY_PATH, "FTARL's regret <= A + B + C, played for T + 1 rounds, with the paper's regularisers"),
    "Theorem 2, equality": (
        EVERY_PATH,
        "A + B + C - regret = (d/2)(|x* - x^(T+1)|^2 + sum_(t=2..T) |x^(t+1) - x^t|^2) + <Z, x^1 - x^2>, d = RH/T",
    ),
    "I.1": (EVERY_PATH, "x^(t+1) - x^t = (e_(i_t) - e_(i_(t-H)))/H for t >= H"),
    "I.2": (EVERY_PATH, "x^(t+1) - x^t = (e_(i_t) - x^t)/(t+1) for 1 <= t < H"),
    "I.3": (EVERY_PATH, "|x^(t+1) - x^t|_1 <= 2/min(t, H)"),
    "Leaders' values": (
        EVERY_PATH,
        "leaders of rounds t-Theta..t differ in G - Z by at most R Theta, in all these rounds, for Theta = 1 and H",
    ),
    "Term A, path": (EVERY_PATH, "A <= 2RH + (2R/H) N, where N counts t > H with i_t != i_(t-H)"),
    "Term B, path": (
        EVERY_PATH,
        (
            "B <= d(T-1) + R(H-1) + R((H-1)/H) N + <Z, x^(H+1) - x^(T+1) + x^1 - x^2>; "
            "the paper's step (e) holds by the range of G^t, and by Hoelder's inequality lacks a factor 2"
        ),
    ),
    "Term C, path": (EVERY_PATH, "C <= d + RH + <Z, x^(T+1) - x*>"),
    "Leader changes": (
        FREQUENCY,
        "P(x^t != x^(t+1)) <= 1 - exp(-eps R H) for every t from H to T; the m that the paper prints is M",
    ),
    "Largest noise": (EXPECTATION, "E |Z|_inf = (1 + 1/2 + ... + 1/n)/eps"),
    "Term A": (EXPECTATION, "E A <= 2RH + 2 eps R^2 (T-H)"),
    "Term B": (
        EXPECTATION,
        "E B <= d(T-1) + RH + eps R^2 H(T-H) + E <Z, x^(H+1) - x^(T+1) + x^1 - x^2>; printed as a bound on (C)",
    ),
    "Term C": (EXPECTATION, "E C <= d + RH + E <Z, x^(T+1) - x*>"),
    "Terms together": (
        EXPECTATION,
        "E[A + B + C] <= 4RH + dT + eps R^2 (2+H)(T-H) + E <Z, x^(H+1) - x*> + E <Z, x^1 - x^2>",
    ),
    "FTARL's mean": (EXPECTATION, "FTARL's expected regret is the regret of its mean decision"),
    "Theorem": (EXACT_MEAN, "FTARL's expected regret <= 5RH + 4R sqrt((T-H)(H+2)(ln n + 1))"),
    "Corollary": (
        EXACT_MEAN,
        (
            "with only Theta = H + 1 known, FTARL's expected regret <= 5R Theta + 4R sqrt(T Theta (ln n + 1)); "
            "true for every Theta >= H, while the printed proof needs Theta >= H + 2"
        ),
    ),
    "FTARL, sharper": (EXACT_MEAN, "FTARL's expected regret <= (H_n - 1)/eps + (eps R^2/2) sum_t (2 + 2 m1(t))"),
    "Hedge": (EVERY_PATH, "Hedge's regret <= ln n/eta + (eta R^2/8) sum_t (1 + 2 m1(t))"),
    "Hedge, each round": (EVERY_PATH, "delta_t <= (eta R^2/8)(1 + 2 m1(t)) in every round of Hedge at a fixed rate"),
    "Hedge, anytime": (EVERY_PATH, "anytime Hedge's regret <= R sqrt((T H + (H^2 - 1)/12) ln n)"),
    "HedgeAhead": (
        EVERY_PATH,
        (
            "HedgeAhead's regret <= ln n/eta + (eta R^2 T/8)(1 + 2 eps) + sum_j |k_j| [(eta R^2 T/4)(e^(eta R j/2) - 1)"
            " + (3/32) eta^2 R^3 T] + S, for the errors k_j that its filter leaves, their eps, and S for the start"
        ),
    ),
    "HedgeAhead, spectrum": (
        EVERY_PATH,
        "its filter's eps + sum_j k_j cos(j w) >= 0 for all w, at frequencies other than those that certify eps",
    ),
    "HedgeAhead, errors": (
        EVERY_PATH,
        (
            "-sum_t sum_j k_j <y_t, y_(t-j)> <= eps sum_t |y_t|^2, where y_t = sqrt(u_t) c_t and c_t is the costs "
            "less their mean under Hedge's weights u_t; in units of regret, that is times eta"
        ),
    ),
    "HedgeAhead, states": (
        EVERY_PATH,
        (
            "A_t x_t + (1 - A_t)/n = u_t + sum_j k_j (u_(t-j+1) - u_(t-j)) in every round, where A_t is the weight "
            "that the memory has had decisions for"
        ),
    ),
    "FixedShare": (
        EVERY_PATH,
        "FixedShare pays at most its bound for 3 changes more than any path of actions with at most 3 changes",
    ),
    "Potential inequality": (
        EVERY_PATH,
        "regret <= sum_t delta_t + ln n/eta_T at rates that do not rise (here anytime Hedge's), for any learner",
    ),
    "AdaHedge": (EVERY_PATH, "AdaHedge's regret <= sum_t delta_t + D_(T-1) <= 2 D_T"),
    "Steering": (EVERY_PATH, "adaptive Steering's regret <= sum_t delta_t + D_(T-1) <= 2 D_T"),
    "Geometric steering": (
        EVERY_PATH,
        "on geometric memory Steering's regret <= ln n/eta + eta R^2 T/8 for eta <= ln(1/rho)/R",
    ),
    "Geometric steering, states": (
        EVERY_PATH,
        "there its state is the decision of Hedge without memory, in every round",
    ),
    "Guarded": (
        EVERY_PATH,
        "Guarded's regret_t <= Gamma_t <= 1.05 times Hedge's bound, here where the worst action so far is proposed",
    ),
    "Guarded, history": (EVERY_PATH, "after H rounds of the worst action its regret is at most its promise"),
    "Guarded, any horizon": (
        EVERY_PATH,
        "where the horizon is unknown its regret_T <= 1.05 b_T at every T, b_T being anytime Hedge's bound",
    ),
    "Guarded, paths": (
        EVERY_PATH,
        "with FixedShare as its shadow it pays at most 1.05 times that bound more than any path with at most 3 changes",
    ),
    "Overrides": (
        EVERY_PATH,
        "where other decisions are taken than Steering's, their regret <= sum_t delta_t + D_(T-1) by its meter",
    ),
    "LSA's law": (
        EXACT_RECURSION,
        "the law of LSA's action, computed from its own rule to keep or redraw, is Hedge's decision; 200 rounds",
    ),
    "LSA's refreshes": (
        EXPECTATION,
        "LSA's expected changes of action, at most its refreshes, <= ln n + alpha min_i sum_t (g^t_i - min_k g^t_k)",
    ),
    "Policy regret": (EVERY_PATH, "regret = policy regret, for any learner"),
}

UNDRAWN = frozenset(  # checked without a draw
    {
        *("Theorem", "Corollary", "FTARL, sharper", "Hedge", "Hedge, each round", "Hedge, anytime", "AdaHedge"),
        *("Potential inequality", "Steering", "Geometric steering", "Geometric steering, states", "LSA's law"),
        *("HedgeAhead", "HedgeAhead, spectrum", "HedgeAhead, errors", "HedgeAhead, states"),
        *("FixedShare", "Guarded", "Guarded, history", "Guarded, any horizon", "Guarded, paths", "Overrides"),
    }
)
