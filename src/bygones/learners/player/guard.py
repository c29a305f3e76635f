"""The guard, as kernels: what adds up in a round, what room that leaves, and how far a proposal is followed."""

import math

import numpy as np

from ...kernels import Array, Block, admit, compiled, softmin
from ...memory import average, carry, linger
from ..fixed_share import reshare
from .state import aim, reweigh

# Of the rules: whether the horizon is open, and whether the promise is enforced; the shadow's rate and share; the
# range, the slack, and the promise (where the horizon is open, what is added to it for the history).
OPEN, ENFORCED, RATE, SHARE, RANGE, SLACK, PROMISE = range(7)

# Of the gauge, what adds up: what was paid; the potential, or the shadow's mix losses; what decisions are feared for in
# all, and what of it is over; what the shadow would have paid, and what it is known to save. Then what follows from it:
# the guarantee, the room of the round at hand and its trust; the sum and the least of all trusts; and the round that
# lost the promise, 0 while it holds.
PAID, GROWN, FEARED, OVER, IMAGINED, SAVED, GAMMA, ROOM, TRUST, TRUSTED, LEAST, LOST = range(12)

# Of the terms of a round, see `theory.guard`.
CHARGE, NEXT_CHARGE, REST, INHERITED, NEXT_REST, NEXT_RATE, TERMS_SO_FAR, WEIGHING = range(8)

ROUNDING = 1e-9  # of a promise, which the sums may be off by


def _fill(current: Array, shadow: Array, rules: Array, row: Array) -> None:
    """Write what the memory takes in: the decision, how far it is from the shadow's, and the shadow's if that counts.

    Args:
        current: (n,) the decision.
        shadow: (n,) the shadow's.
        rules: of the guard.
        row: (1, columns), written.
    """
    n = current.shape[0]
    row[0, n] = distance(current, shadow)
    for i in range(n):
        row[0, i] = current[i]
        if rules[OPEN] > 0.0:
            row[0, n + 1 + i] = shadow[i]


def _account(
    costs: Array,
    b: int,
    low: float,
    loss: float,
    totals: Array,
    row: Array,
    state: Array,
    shadow: Array,
    gauge: Array,
    rules: Array,
    terms: Array,
    k: int,
    t: int,
) -> None:
    """Take in what a round cost: find the shadow's next weights, and what is guaranteed now.

    Args:
        costs: (B, n) of rounds in a row.
        b: the one that it is about.
        low: the least cost there.
        loss: of the state, that taken off.
        totals: (n,) so far, the round's included.
        row: (1, columns) what the memory took in.
        state: (1, columns) what came of it.
        shadow: (n,), written.
        gauge: advanced.
        rules: of the guard.
        terms: of rounds in a row.
        k: the row of this one.
        t: its number.
    """
    n = totals.shape[0]
    gauge[PAID] += loss
    gauge[FEARED] += row[0, n] * terms[k, CHARGE]
    gauge[OVER] += state[0, n]
    gauge[TRUSTED] += gauge[TRUST]
    gauge[LEAST] = min(gauge[LEAST], gauge[TRUST])
    fear = rules[RANGE] * (gauge[FEARED] - gauge[OVER]) + terms[k, INHERITED]
    promise = rules[PROMISE]
    if rules[SHARE] > 0.0:
        gauge[GROWN] += mix(costs[b], low, rules, shadow)
    else:
        gauge[GROWN] = softmin(totals, terms[k, NEXT_RATE] if rules[OPEN] > 0.0 else rules[RATE], shadow)
    if rules[OPEN] > 0.0:
        for i in range(n):
            gauge[IMAGINED] += (costs[b, i] - low) * state[0, n + 1 + i]
        gauge[GAMMA] = terms[k, REST] - gauge[SAVED] + gauge[PAID] - gauge[IMAGINED] + fear
        promise += (1.0 + rules[SLACK]) * terms[k, REST]
    else:
        gauge[GAMMA] = gauge[PAID] - gauge[GROWN] + terms[k, REST] + fear
        gauge[ROOM] = promise - gauge[GAMMA]
    if gauge[GAMMA] <= promise * (1.0 + ROUNDING):
        gauge[LOST] = 0.0
    elif gauge[LOST] == 0.0:
        gauge[LOST] = t


def _mix(costs: Array, low: float, rules: Array, shadow: Array) -> float:
    """Write the next weights of FixedShare, and give the mix loss of the last ones.

    Args:
        costs: (n,) of the round.
        low: the least of them.
        rules: of the guard.
        shadow: (n,), written.

    Returns:
        The mix loss, the least cost taken off.
    """
    mass = reshare(costs, low, rules[RATE], rules[SHARE], shadow)
    loss: float = -math.log(max(mass, 5e-324)) / rules[RATE]
    return loss


def _credit(lingering: float, gauge: Array, rules: Array, terms: Array, k: int) -> None:
    """Find what the shadow of an open horizon is known to save by now, and the room that this makes.

    Args:
        lingering: how far the shadow's decisions are from its next one while they still count, added up.
        gauge: advanced.
        rules: of the guard.
        terms: of rounds in a row.
        k: the row of this one.
    """
    R = rules[RANGE]
    turn = terms[k, NEXT_RATE] * R * R * terms[k, WEIGHING] ** 2 / 8.0
    save = terms[k, TERMS_SO_FAR] - (gauge[IMAGINED] - gauge[GROWN] + R * lingering + turn)
    gauge[SAVED] = max(gauge[SAVED], save)
    fear = R * (gauge[FEARED] - gauge[OVER]) + terms[k, INHERITED]
    allowed = rules[SLACK] * terms[k, NEXT_REST] + rules[PROMISE] + gauge[SAVED]
    gauge[ROOM] = allowed - (gauge[PAID] - gauge[IMAGINED]) - fear


def _blend(current: Array, shadow: Array, gauge: Array, rules: Array, terms: Array, k: int) -> None:
    """Go from the shadow's decision towards the one proposed as far as the room allows.

    Args:
        current: (n,) what is proposed; what is decided is written there.
        shadow: (n,) its decision.
        gauge: its room is read, and its trust is written.
        rules: of the guard.
        terms: of rounds in a row.
        k: the row of the round before.
    """
    gauge[TRUST] = 1.0
    feared = rules[RANGE] * terms[k, NEXT_CHARGE] * distance(current, shadow)
    if rules[ENFORCED] > 0.0 and feared > 0.0 and feared > gauge[ROOM]:
        gauge[TRUST] = max(gauge[ROOM], 0.0) / feared
        for i in range(current.shape[0]):
            current[i] = shadow[i] + gauge[TRUST] * (current[i] - shadow[i])


def _distance(one: Array, other: Array) -> float:
    """Half the sum of the differences in size."""
    total = 0.0
    for i in range(one.shape[0]):
        total += abs(one[i] - other[i])
    return total / 2.0


def _turn(
    costs: Array,
    b: int,
    low: float,
    totals: Array,
    meter: Array,
    weights: Array,
    current: Array,
    shadow: Array,
    gauge: Array,
    rules: Array,
    terms: Array,
    k: int,
    t: int,
    aiming: bool,
    adaptive: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
    row: Array,
    state: Array,
    y: Array,
) -> None:
    """Take round b in, which is already in the totals, and make the next decision; the last three are room for that."""
    fill(current, shadow, rules, row)
    average(form, sums, ring, count, row, state)
    loss = 0.0
    for i in range(totals.shape[0]):
        loss += (costs[b, i] - low) * state[0, i]
    if adaptive:
        reweigh(loss, totals, meter, weights)
    account(costs, b, low, loss, totals, row, state, shadow, gauge, rules, terms, k, t)
    if rules[OPEN] > 0.0:
        credit(linger(form, sums, ring, count + 1, terms[k, WEIGHING], shadow), gauge, rules, terms, k)
    if aiming:
        beta = carry(form, sums, ring, count + 1, y)
        aim(weights, y, beta, current)
    else:
        for i in range(totals.shape[0]):
            current[i] = weights[i]
    blend(current, shadow, gauge, rules, terms, k)


def _keep(
    block: Block,
    proposals: Array,
    real: Array,
    meter: Array,
    weights: Array,
    current: Array,
    shadow: Array,
    gauge: Array,
    rules: Array,
    terms: Array,
    before: int,
    aiming: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
    decisions: Array,
    gammas: Array,
) -> None:
    """Play a block of rounds, and write the guarantee after each; see `StatePlayer.play_block`."""
    rounds, n = decisions.shape
    costs, low, totals, columns = block.costs[0], block.low[0], block.marks[0, 0].copy(), sums.shape[1]
    row, state, y = np.empty((1, columns)), np.empty((1, columns)), np.empty(columns)
    adaptive, overridden = proposals.shape[0] == 0, real.shape[0] > 0
    for b in range(rounds):
        for i in range(n):
            decisions[b, i] = current[i]
            totals[i] += costs[b, i] - low[b]
            if overridden:
                current[i] = real[b, i]
            if not adaptive:
                weights[i] = proposals[b, i]
        turn(
            costs,
            b,
            low[b],
            totals,
            meter,
            weights,
            current,
            shadow,
            gauge,
            rules,
            terms,
            b,
            before + b + 1,
            aiming,
            adaptive,
            form,
            sums,
            ring,
            count + b,
            row,
            state,
            y,
        )
        gammas[b] = gauge[GAMMA]


def _keep_round(
    costs: Array,
    largest: float,
    widest: float,
    totals: Array,
    spent: Array,
    meter: Array,
    weights: Array,
    current: Array,
    shadow: Array,
    gauge: Array,
    rules: Array,
    terms: Array,
    k: int,
    before: int,
    aiming: bool,
    adaptive: bool,
    form: Array,
    sums: Array,
    ring: Array,
    count: int,
) -> bool:
    """Play one round; see `StatePlayer.play_round`."""
    low = admit(costs, largest, widest, totals, spent)
    if low != low:
        return False
    columns = sums.shape[1]
    row, state, y = np.empty((1, columns)), np.empty((1, columns)), np.empty(columns)
    turn(
        costs.reshape((1, totals.shape[0])),
        0,
        low,
        totals,
        meter,
        weights,
        current,
        shadow,
        gauge,
        rules,
        terms,
        k,
        before + 1,
        aiming,
        adaptive,
        form,
        sums,
        ring,
        count,
        row,
        state,
        y,
    )
    return True


distance = compiled(_distance, inline=True)
fill = compiled(_fill, inline=True)
mix = compiled(_mix)
account = compiled(_account, inline=True)
credit = compiled(_credit)
blend = compiled(_blend, inline=True)
turn = compiled(_turn, inline=True)
keep = compiled(_keep)
keep_round = compiled(_keep_round)
