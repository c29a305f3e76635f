"""The two kinds of array that everything here is made of."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]  # costs, decisions, states: one row a round, one column an action
Actions = NDArray[np.int64]  # action numbers
