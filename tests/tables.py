"""One table in every form in which tables can be given, and one of random numbers."""

import gzip
import io
import itertools
import mmap
import subprocess
from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bygones as by
from bygones import datasets
from bygones.io import read_table

FLIGHTS = datasets.load("flights")
CARRIERS = FLIGHTS.columns[1:]


@pytest.fixture
def write(tmp_path):
    numbers = itertools.count()

    def write(content, name="a.csv"):
        path = tmp_path / f"{next(numbers)}-{name}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def sound(monkeypatch):
    """Parquet and Arrow files are not tried in another process first, which takes an eighth of a second each."""
    monkeypatch.setattr(subprocess, "run", lambda program, **_: subprocess.CompletedProcess(program, 0))


def same(one, other, notes=True):
    assert one.names == other.names
    assert one.times.to_list() == other.times.to_list()
    np.testing.assert_array_equal(one.values, other.values)
    assert not notes or one.notes == other.notes
    return True


def as_csv(frame, **options):
    return frame.write_csv(**options)


def as_file(frame, kind):
    file = io.BytesIO()
    getattr(frame, f"write_{kind}")(file)
    return file.getvalue()


LONG_FLIGHTS = FLIGHTS.unpivot(index="date", variable_name="carrier", value_name="delay")
FORMS = {
    "data set": lambda write: "@flights",
    "csv": lambda write: write(as_csv(FLIGHTS)),
    "path as text": lambda write: str(write(as_csv(FLIGHTS))),
    "tsv": lambda write: write(as_csv(FLIGHTS, separator="\t"), "a.tsv"),
    "txt": lambda write: write(as_csv(FLIGHTS, separator="|"), "a.txt"),
    "semicolons": lambda write: write(as_csv(FLIGHTS, separator=";")),
    "tabs in a csv": lambda write: write(as_csv(FLIGHTS, separator="\t")),
    "quotes": lambda write: write(as_csv(FLIGHTS, quote_style="always")),
    "Windows": lambda write: write(b"\xef\xbb\xbf" + as_csv(FLIGHTS, line_terminator="\r\n").encode()),
    "blank lines": lambda write: write("\n\n" + as_csv(FLIGHTS, line_terminator="\n\n")),
    "blank lines of Windows": lambda write: write(as_csv(FLIGHTS, line_terminator="\r\n\r\n")),
    "no line end": lambda write: write(as_csv(FLIGHTS).rstrip("\n")),
    "blanks": lambda write: write(as_csv(FLIGHTS).replace(",", " , ")),
    "capitals": lambda write: write(as_csv(FLIGHTS), "A.CSV"),
    "packed": lambda write: write(gzip.compress(as_csv(FLIGHTS).encode()), "a.csv.gz"),
    "parquet": lambda write: write(as_file(FLIGHTS, "parquet"), "a.parquet"),
    "parquet of text": lambda write: write(as_file(FLIGHTS.cast(pl.String), "parquet"), "a.parquet"),
    "arrow": lambda write: write(as_file(FLIGHTS, "ipc"), "a.arrow"),
    "feather": lambda write: write(as_file(FLIGHTS, "ipc"), "a.feather"),
    "stream": lambda write: write(as_file(FLIGHTS, "ipc_stream"), "a.ipc"),
    "json lines": lambda write: write(as_file(FLIGHTS, "ndjson"), "a.jsonl"),
    "packed json": lambda write: write(gzip.compress(as_file(FLIGHTS, "ndjson")), "a.ndjson.gz"),
    "day first": lambda write: write(as_csv(FLIGHTS.with_columns(pl.col("date").dt.to_string("%d.%m.%Y")))),
    "rows": lambda write: read_table(FLIGHTS),
    "blocks": lambda write: (FLIGHTS[start : start + 100] for start in range(0, 365, 100)),
    "blocks of a long table": lambda write: (
        LONG_FLIGHTS.sort("date", maintain_order=True)[start : start + 100] for start in range(0, 12 * 365, 100)
    ),
    "polars": lambda write: FLIGHTS,
    "lazy": lambda write: FLIGHTS.lazy(),
    "pandas": lambda write: as_pandas(FLIGHTS),
    "pandas with an index": lambda write: as_pandas(FLIGHTS).set_index("date"),
    "pandas with a nameless index": lambda write: as_pandas(FLIGHTS).set_index("date").rename_axis(None),
    "pandas with periods": lambda write: as_pandas(FLIGHTS).set_index("date").to_period("D"),
    "pandas with days as objects": lambda write: as_pandas(FLIGHTS).assign(date=FLIGHTS["date"].to_list()),
    "written by pandas": lambda write: write(as_pandas(FLIGHTS).set_index("date").rename_axis(None).to_csv()),
    "long csv": lambda write: write(as_csv(LONG_FLIGHTS)),
    "long csv, packed": lambda write: write(gzip.compress(as_csv(LONG_FLIGHTS).encode()), "a.csv.gz"),
    "long csv by date": lambda write: write(as_csv(LONG_FLIGHTS.sort("date", maintain_order=True))),
    "long, columns in another order": lambda write: write(as_csv(LONG_FLIGHTS.select("delay", "date", "carrier"))),
    "long parquet": lambda write: write(as_file(LONG_FLIGHTS, "parquet"), "a.parquet"),
    "long categories": lambda write: LONG_FLIGHTS.cast({"carrier": pl.Categorical}),
    "long pandas": lambda write: as_pandas(LONG_FLIGHTS),
}


def as_pandas(frame):
    columns = {name: frame[name].to_numpy() for name in frame.columns}
    return pd.DataFrame(columns).astype({"date": "datetime64[ns]"})


VALUES = FLIGHTS.drop("date").to_numpy()
UNNAMED = {
    "array": lambda folder: VALUES,
    "columns first": lambda folder: np.asfortranarray(VALUES),
    "lists": lambda folder: VALUES.tolist(),
    "Table": lambda folder: by.Table(VALUES),
    "blocks": lambda folder: (VALUES[start : start + 50] for start in range(0, 365, 50)),
    "npy": lambda folder: saved(folder, VALUES),
    "npy, path as text": lambda folder: str(saved(folder, VALUES)),
}


def saved(folder, values):
    np.save(folder / "a.npy", values)
    return folder / "a.npy"


def is_mapped(values):
    while isinstance(values, np.ndarray) and not isinstance(values, np.memmap):
        values = values.base
    return isinstance(values, np.memmap | mmap.mmap)


def table(rows=120, n=3, seed=0, dated=True):
    values = np.random.default_rng(seed).normal(size=(rows, n)).round(3)
    days = {"day": [date(2024, 1, 1) + timedelta(days=k) for k in range(rows)]} if dated else {}
    return pl.DataFrame(days | {f"option {k}": values[:, k] for k in range(n)})


def costs_of(frame):
    return np.ascontiguousarray(frame.drop("day", strict=False).to_numpy())
