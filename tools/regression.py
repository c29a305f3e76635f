"""Write `tests/regression.json`, the numbers that a change must keep: `python tools/regression.py`.

For every learner under every memory: a hash of its decisions, its simulated end regrets, and its exact one; for both
bundled tables and a table of prices, all figures of a backtest. Only public names are used, so the script outlives
what is behind them. `tests/test_regression.py` compares.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np

import bygones as by

FILE = Path(__file__).resolve().parent.parent / "tests" / "regression.json"
ROUNDS, ACTIONS = 400, 4
LEARNERS: tuple[by.Learner, ...] = (
    by.FTARL(),
    by.FTARL(tuning="sharp"),
    by.FTARL(memory_bound=40),
    by.FTARL(rate=0.05),
    by.LSA(),
    by.LSA(tuning="geulen"),
    by.Hedge(),
    by.Hedge(rate=0.1),
    by.Hedge(tuning="anytime"),
    by.HedgeAhead(),
    by.AdaHedge(),
    by.Steering(),
    by.Steering(by.Hedge(tuning="anytime")),
    by.Steering(by.Hedge()),
    by.Steering(by.FixedShare()),
    by.Guarded(slack=0.02),
    by.Guarded(by.FollowTheLeader(), slack=0.02),
    by.Guarded(by.Steering(by.Hedge()), shadow=by.FixedShare(changes=2)),
    by.FixedShare(),
    by.Discounted(),
    by.FollowTheLeader(),
    by.FTPL(),
    by.Pure(),
    by.Pure(by.Steering(), how="independent"),
    by.Pure(by.AdaHedge()),
    by.Fixed(2),
    by.Uniform(),
)
MEMORIES: tuple[by.Memory, ...] = (
    by.Window(1),
    by.Window(7),
    by.Window(ROUNDS + 1),
    by.FullHistory(),
    by.Geometric(0.8),
    by.Weights([0.2, 0.5, 0.3]),
)
BACKTESTS = (("@flights", "window:7"), ("@flights", "geometric:0.9"), ("@wikipedia", "window:30"))
BACKTESTED = ("steering", "adahedge", "hedge", "ftarl", "lsa", "followtheleader", "uniform")
FRAMES = ("accounts", "options", "stretches", "sensitivity", "next")


def runs() -> dict[str, Any]:
    """Every learner under every memory."""
    costs = by.StocHet().draw(ACTIONS, ROUNDS, np.random.default_rng(11))
    found = {}
    for memory in MEMORIES:
        problem = by.Problem(ACTIONS, ROUNDS, memory)
        for learner in LEARNERS:
            if isinstance(learner, by.HedgeAhead) and memory.inverse is None:
                continue  # linear programs may end elsewhere with another release of HiGHS, or on another processor
            decisions = np.ascontiguousarray(learner.start(problem, seed=5).play(costs))
            drawn = by.simulate(problem, [learner], by.StocHet(), 4, seed=3, workers=1, record="end")
            shared = by.simulate(problem, [learner], costs, 4, seed=3, workers=1, record="end")
            exact = by.expected(problem, [learner], costs, workers=1, record="end")
            found[f"{learner!r} on {memory!r}"] = {
                "decisions": sha256(decisions.tobytes()).hexdigest()[:16],
                "bound": learner.bound(problem),
                "own": _ends(drawn),
                "shared": _ends(shared),
                "exact": _ends(exact),
            }
    return found


def _ends(result: by.Result) -> list[float]:
    return [float(value) for regrets in result.regrets.values() for value in regrets[:, -1]]


def backtests() -> dict[str, Any]:
    """Both bundled tables, all frames."""
    found = {}
    for table, memory in BACKTESTS:
        for more in cast("tuple[dict[str, Any], ...]", ({}, {"cost_range": 1e5, "switch_cost": 0.5})):
            done = by.backtest(table, memory, BACKTESTED, progress=False, **more)
            frames = {name: json.loads(getattr(done, name).write_json()) for name in FRAMES}
            found[f"{table} {memory} {more}"] = frames | {"clairvoyant": done.clairvoyant}
    walk = np.random.default_rng(7).normal(0, [0.005, 0.02, 0.05, 0.0], (ROUNDS, ACTIONS))
    prices = 100 * np.exp(walk.cumsum(axis=0))
    done = by.backtest(prices, "window:7", BACKTESTED, prices=True, trade_cost=0.002, progress=False)
    found["prices"] = {name: json.loads(getattr(done, name).write_json()) for name in (*FRAMES, "wealth")}
    return found


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps({"runs": runs(), "backtests": backtests()}, indent=0) + "\n")


if __name__ == "__main__":
    main()
