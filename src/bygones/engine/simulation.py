"""`simulate` and `expected`: learners on common costs, many replicates at once."""

from collections.abc import Sequence
from typing import Any, Literal

from ..learners import Learner, Seed
from ..problem import Problem
from ..result import Result
from .plan import Plan, Record
from .tables import Replicates, played


def simulate(
    problem: Problem,
    learners: Sequence[Learner | str],
    costs: Any,  # noqa: ANN401
    replicates: int = 100,
    seed: Seed = 0,
    *,
    rounds: int | None = None,
    workers: int | None = None,
    record: Record = None,
    costs_per: Literal["replicate", "shared"] = "replicate",
    guarantee: bool = False,
    progress: bool | None = None,
) -> Result:
    """Run learners against costs, and keep their regret.

    Replicate r draws its costs from `SeedSequence(seed, spawn_key=(r, 0))` and feeds every learner from `(r, 1)`, so
    another learner or replicate changes no other number. Any number of workers gives the same bits.

    Args:
        problem: what is to be decided.
        learners: who decides.
        costs: a family; or one table that all replicates share: an array, any data frame, a `Table`, an iterator of
            blocks, a path, or `"@flights"`. Iterators, `.npy`, Parquet and Arrow files are read block by block.
        replicates: how many runs.
        seed: of all randomness.
        rounds: how many; None: the problem's horizon for a family and for an iterator, all there are of a table.
        workers: threads; None: one for each core.
        record: which rounds to keep: `"all"`, `"end"`, a number of evenly spaced ones, or `"log:100"` for so many
            spaced evenly in their logarithm, or a list of rounds, to which the last one is added. None: all up to
            10,000, else 1,000 evenly spaced.
        costs_per: of a family, `"replicate"` draws new costs for each, `"shared"` one table for all.
        guarantee: keep `by.guarantee` at the recorded rounds too, for learners that have one and draw nothing; of
            Guarded, its player's `guarantee`.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    Returns:
        The regret of every learner and replicate at the recorded rounds.

    Raises:
        ValueError: if an argument or a cost does not fit, or the number of rounds is unknown.
        KeyboardInterrupt: if it is interrupted; nothing is kept.

    >>> import bygones as by
    >>> problem = by.Problem(actions=4, horizon=1000, memory=by.Window(10))
    >>> result = by.simulate(problem, [by.FTARL(), by.LSA()], by.StocHet(), replicates=20, seed=0)
    >>> result.summary().columns
    ['learner', 'mean', 'sd', 'se', 'q05', 'q50', 'q95']
    >>> result.summary()["learner"].to_list()
    ['FTARL', 'LSA']
    """
    plan = Plan.of(
        problem,
        learners,
        costs,
        exact=False,
        replicates=replicates,
        seed=seed,
        rounds=rounds,
        record=record,
        costs_per=costs_per,
        guarantee=guarantee,
        workers=workers,
        progress=progress,
    )
    return played(plan).result()


def expected(
    problem: Problem,
    learners: Sequence[Learner | str],
    costs: Any,  # noqa: ANN401
    *,
    replicates: int = 1,
    seed: Seed = 0,
    rounds: int | None = None,
    workers: int | None = None,
    record: Record = None,
    guarantee: bool = False,
    progress: bool | None = None,
) -> Result:
    """The same as `simulate`, exact over the learners' own randomness: each plays its mean decision.

    Over a random family it averages replicates whose costs are those of `simulate` with the same seed, so that the two
    can be compared pair by pair.

    Args:
        problem: what is to be decided.
        learners: who decides; their means must be known.
        costs: a family or one table, as in `simulate`.
        replicates: how many draws of the costs to average over; 1 is enough if nothing in them is random.
        seed: of the draws of the costs.
        rounds: how many; None: the problem's horizon for a family and for an iterator, all there are of a table.
        workers: threads; None: one for each core.
        record: which rounds to keep, as in `simulate`.
        guarantee: keep `by.guarantee` at the recorded rounds too, for learners that have one; of Guarded, its player's
            `guarantee`.
        progress: show a bar if it takes more than two seconds; None: on a terminal only.

    Returns:
        The regret of every learner's mean at the recorded rounds, one replicate per draw of the costs.

    Raises:
        ValueError: if an argument or a cost does not fit, the mean of a learner is not known, or the number of rounds
            is unknown.
        KeyboardInterrupt: if it is interrupted; nothing is kept.

    >>> import bygones as by
    >>> problem = by.Problem(actions=10, horizon=10_000, memory=by.Window(100))
    >>> result = by.expected(problem, [by.FTARL(), by.LSA(tuning="geulen")], by.Cyclic(hold=50, vectors=2))
    >>> result.summary()["mean"].round(1).to_list()
    [415.7, 1078.6]
    """
    plan = Plan.of(
        problem,
        learners,
        costs,
        exact=True,
        replicates=replicates,
        seed=seed,
        rounds=rounds,
        record=record,
        costs_per="replicate",
        guarantee=guarantee,
        workers=workers,
        progress=progress,
    )
    return played(plan).result()


def some_replicates(
    problem: Problem,
    learner: Learner,
    costs: Any,  # noqa: ANN401
    replicates: range,
    seed: Seed = 0,
    *,
    exact: bool = False,
    record: Record = None,
    guarantee: bool = False,
    switches: bool = False,
) -> Replicates:
    """Some of the replicates that `simulate`, or `expected`, would run, to the same bits; in the calling thread.

    Args:
        problem: what is to be decided.
        learner: who decides.
        costs: a family or one table, as in `simulate`.
        replicates: their numbers, one after the other.
        seed: of all replicates.
        exact: play the learner's mean, as `expected` does.
        record: which rounds to keep, as in `simulate`.
        guarantee: keep guarantees too.
        switches: keep how much the decisions moved in all.

    Returns:
        What was kept of them.

    Raises:
        ValueError: if an argument or a cost does not fit.

    >>> import bygones as by
    >>> problem = by.Problem(actions=4, horizon=1000, memory=by.Window(10))
    >>> all_ = by.simulate(problem, [by.LSA()], by.StocHet(), replicates=6, record="end")
    >>> some = some_replicates(problem, by.LSA(), by.StocHet(), range(4, 6), record="end")
    >>> some.regrets[:, -1].tolist() == all_.regrets["LSA"][4:, -1].tolist()
    True
    """
    plan = Plan.of(
        problem,
        [learner],
        costs,
        exact=exact,
        replicates=len(replicates),
        seed=seed,
        rounds=None,
        record=record,
        costs_per="replicate",
        guarantee=guarantee,
        workers=1,
        progress=False,
        first=replicates.start,
        switches=switches,
    )
    return played(plan).first_learner()
