"""The nearest point of the simplex."""

from .arrays import Array
from .compiler import compiled


def _project(point: Array, out: Array) -> int:
    """Write the point of the simplex that is nearest to `point`, and give the number of passes it took.

    It is `max(point - tau, 0)` with the one `tau` that makes the weights add up to one. All that lies one or more below
    the largest entry gets nothing; what is left is dropped from below, as long as the `tau` of the rest asks for it.
    The steps of `tau` shrink by the factor dropped/left at least. So a pass over the rest that drops less than half of
    what it leaves halves the step, which the digits of a float allow some sixty times; any other shortens the rest by a
    third. The time is linear. `out` must not be `point`, which may be longer: the rest of it does not count.

    Reference: Michelot (1986), *A Finite Algorithm for Finding the Projection of a Point onto the Canonical Simplex*.
    """
    n = out.shape[0]
    top: float = point[0]
    for i in range(1, n):
        if point[i] > top:
            top = point[i]
    for i in range(n):
        out[i] = point[i] - top  # relative to the top, so that large entries cost no digits
    tau = -1.0
    kept = n
    passes = 0
    while True:
        passes += 1
        count = 0
        total = 0.0
        for i in range(kept):  # the rest moves to the front
            below = out[i]
            if below > tau:
                out[count] = below
                count += 1
                total += below
        tau = (total - 1.0) / count
        if count == kept and passes > 1:
            break
        kept = count
    for i in range(n):
        out[i] = max(point[i] - top - tau, 0.0)
    return passes


project = compiled(_project)
