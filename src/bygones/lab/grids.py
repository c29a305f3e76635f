"""The dynamic program behind `minimax`: minimax regret for two actions over the content of a window.

A state is the lead D of the costs so far and the decisions that the window still holds, each one of the points of a
grid. It is stored as an array of rows, one for each D >= 0 of the right parity (the game is symmetric: all signs may be
changed), and in a row the newest decision varies fastest.
"""

import numpy as np

from ..kernels import Array, compiled


def _frontier(up: Array, down: Array) -> int:
    """Keep the points (up, down) that some lift may need: the lower left of their convex hull, in place.

    Higher decisions cost more if the lead rises, and less if it falls, so `up` ascends and `down` descends along the
    frontier. Points that are out of this order are left out, which can only raise the value.

    Returns:
        The index of the last point kept.
    """
    last = 0
    for i in range(1, up.shape[0]):
        u, d = up[i], down[i]
        if d < down[last]:
            while last >= 0 and up[last] >= u:
                last -= 1
            while last >= 1:
                along, across = up[last] - up[last - 1], down[last] - down[last - 1]
                if across * (u - up[last - 1]) < along * (d - down[last - 1]):
                    break
                last -= 1
            last += 1
            up[last], down[last] = u, d
    return last


frontier = compiled(_frontier, inline=True)


def _least(up: Array, down: Array, last: int, lift: float, at: int) -> float:
    """The least of `max(up + lift, down - lift)` on a frontier, whose point `at` is the last with the second larger."""
    if at < 0:
        return float(up[0] + lift)
    if at == last:
        return float(down[last] - lift)
    here, there = up[at] - down[at] + 2.0 * lift, up[at + 1] - down[at + 1] + 2.0 * lift
    return float(up[at] + lift + here / (here - there) * (up[at + 1] - up[at]))


least = compiled(_least, inline=True)


def _go_back(table: Array, points: Array, length: int, rows: int, parity: int, row: Array) -> None:
    """Take the value before a round from that after it, in place, for the leads `parity`, `parity + 2`, ...

    Args:
        table: (rows or more, m^(length - 1)) values after the round; those before it are written over them.
        points: (m,) the grid of decisions, from -1 to 1 and symmetric.
        length: of the window.
        rows: how many leads to do.
        parity: of the leads before the round; those after it have the other.
        row: (m^(length - 1),) for work.
    """
    m, size = points.shape[0], table.shape[1]
    others = size // m
    up, down = np.empty(m), np.empty(m)
    for step in range(rows):
        k = step if parity == 1 else rows - 1 - step  # so that no value is written over before it is read
        for z in range(others):
            held, digits = 0.0, z
            for _ in range(length - 2):
                held += points[digits % m]
                digits //= m
            for i in range(m):
                state = (points[i] + held) / (2.0 * length)
                place = z * m + i
                if parity == 1:
                    up[i], down[i] = table[k + 1, place], table[k, place]
                elif k > 0:
                    up[i], down[i] = table[k, place], table[k - 1, place]
                else:
                    up[i], down[i] = table[0, place], table[0, size - 1 - place]  # a lead of -1 is one of 1, mirrored
                up[i] += state
                down[i] -= state
            at = last = frontier(up, down)
            for j in range(m):  # the oldest decision, which leaves; the higher it is, the lower the best new one
                lift = points[j] / (2.0 * length)
                while at >= 0 and up[at] + lift > down[at] - lift:
                    at -= 1
                row[j * others + z] = least(up, down, last, lift, at)
        for place in range(size):
            table[k, place] = row[place]


go_back = compiled(_go_back)


def _go_back_early(up_after: Array, down_after: Array, points: Array, t: int, before: Array) -> None:
    """The same for a round in which the window is not yet full, so that no decision leaves.

    Args:
        up_after: (m^t,) values after the round, if it raised the lead.
        down_after: (m^t,) values if it lowered the lead.
        points: (m,) the grid.
        t: the round's number, at most the window's length less one.
        before: (m^(t - 1),) written.
    """
    m = points.shape[0]
    up, down = np.empty(m), np.empty(m)
    for z in range(before.shape[0]):
        held, digits = 0.0, z
        for _ in range(t - 1):
            held += points[digits % m]
            digits //= m
        for i in range(m):
            state = (points[i] + held) / (2.0 * t)
            up[i], down[i] = up_after[z * m + i] + state, down_after[z * m + i] - state
        at = last = frontier(up, down)
        while at >= 0 and up[at] > down[at]:
            at -= 1
        before[z] = least(up, down, last, 0.0, at)


go_back_early = compiled(_go_back_early)


def grid(size: int) -> Array:
    """Points from -1 to 1, `sin(pi s / 2)` of equal steps s: closer at the ends, where decisions settle.

    >>> grid(5).round(3)
    array([-1.   , -0.707,  0.   ,  0.707,  1.   ])
    """
    half = np.sin(np.pi / 2 * np.linspace(0, 1, size // 2 + 1))
    points: Array = np.concatenate([-half[:0:-1], half])
    return points


def decided(lead: int, left: int, points: Array, length: int) -> Array:
    """The value where the lead can no longer change its sign, for all that a full window may hold.

    The learner plays the leader to the end, and the costs fall where the decisions held are wrong: each of them adds
    `(1 + q)/(2 length)` for every round that it stays.

    Args:
        lead: D, at least `left`.
        left: the rounds that are left.
        points: (m,) the grid.
        length: of the window.

    Returns:
        (m^(length - 1),) values.
    """
    value = np.full(1, lead / 2)
    for age in range(length - 1):  # the newest varies fastest, so every older one goes in front
        stays = min(left, length - 1 - age)
        value = (value[np.newaxis, :] + stays / (2 * length) * (points[:, np.newaxis] + 1)).reshape(-1)
    return value


def opened(table: Array, points: Array, length: int) -> float:
    """The value of a game from its first round on.

    Args:
        table: the values before round `length`, the first in which the window is full.
        points: (m,) the grid.
        length: of the window.

    Returns:
        The value.
    """
    rounds = length - 1
    after = {lead: table[abs(lead) // 2][:: 1 if lead >= 0 else -1] for lead in range(-rounds, rounds + 1, 2)}
    for t in range(rounds, 0, -1):
        before = {}
        for lead in range(1 - t, t, 2):
            before[lead] = np.empty(len(points) ** (t - 1))
            up, down = np.ascontiguousarray(after[lead + 1]), np.ascontiguousarray(after[lead - 1])
            go_back_early.call(up, down, points, t, before[lead])
        after = before
    return float(after[0][0])
