"""Small tables of real measurements: `DATASETS` lists them, and `load` gives one.

>>> import bygones as by
>>> by.datasets.names()
('flights', 'wikipedia')
>>> delays = by.datasets.load("flights")
>>> delays.columns[:3], len(delays)
(['date', 'AirTran Airways', 'Alaska Airlines'], 365)

A problem whose actions have the options' names picks the columns by itself:

>>> carriers = by.datasets.find("flights").options
>>> problem = by.Problem(carriers, horizon=365, memory=by.Window(7), cost_range=None)
>>> by.expected(problem, [by.Steering(), by.Uniform()], delays)
<Result: 1 replicates, 365 rounds of DataFrame, exact over the learners' own randomness
  Steering  regret 316.6
  Uniform   regret 5,797.0>

Anything that takes costs takes `@` and the name of a data set too. Rewards become costs in a `Table`:

>>> views = by.Table("@wikipedia")
>>> problem = by.Problem(views.names, horizon=550, memory=by.Geometric(0.9), cost_range=None)
>>> result = by.expected(problem, [by.Steering(), by.Uniform()], views)
>>> result.summary()["learner"].to_list()
['Steering', 'Uniform']
"""

from datetime import date
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from ..parallel import check_fork
from ..validation import word

if TYPE_CHECKING:
    import polars as pl

_FOLDER = files(__name__)


class Dataset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a table.

    Args:
        name: what `load` calls it.
        about: what was measured, in a line.
        rewards: the entries are gains; False: they are costs.
        source: who measured, and which package the table was made from.
        licence: under which the data may be used.
        rows: how many rounds.
        options: the columns after the date.
        first: the first row's date.
        last: the last row's date.
        sha256: of the file.
    """

    name: str
    about: str
    rewards: bool
    source: str
    licence: str
    rows: int
    options: tuple[str, ...]
    first: date
    last: date
    sha256: str


DATASETS: tuple[Dataset, ...] = msgspec.json.decode(
    _FOLDER.joinpath("datasets.json").read_bytes(), type=tuple[Dataset, ...]
)


def names() -> tuple[str, ...]:
    """What `load` and `find` can be asked for."""
    return tuple(dataset.name for dataset in DATASETS)


def find(name: str) -> Dataset:
    """The description of one table.

    >>> found = find("flights")
    >>> found.rows, len(found.options), found.rewards, found.licence
    (365, 12, False, 'CC0')
    """
    return DATASETS[names().index(word("the data set", name, names()))]


def load(name: str) -> "pl.DataFrame":
    """One table: its first column is the date, each other one an option; one row per day, no day and no entry missing.

    >>> load("flight")
    Traceback (most recent call last):
    ValueError: the data set is 'flight': give one of 'flights', 'wikipedia' (did you mean flights?)
    """
    import polars as pl

    check_fork()
    dataset = find(name)
    file = _FOLDER.joinpath(f"{name}.csv")
    content = file.read_bytes()
    digest = sha256(content).hexdigest()
    if digest != dataset.sha256:
        raise ValueError(
            f"{file} is damaged: its sha256 begins with {digest[:8]}, and should with {dataset.sha256[:8]}; "
            "reinstall bygones"
        )
    return pl.read_csv(content, try_parse_dates=True, infer_schema_length=None)
