"""Studies: learners, costs and problems crossed, computed once and kept, from one process to a cluster.

A `Study` declares what is swept. It expands into `Configuration`s, which are cut into cells: one configuration and a
block of replicates. A cell's result is one file, named by all that determines it, so that nothing is computed twice.
"""

from .declaration import Study
from .sweeping import sweep

__all__ = ["Study", "sweep"]
