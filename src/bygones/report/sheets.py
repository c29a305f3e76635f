"""CSV files that people open in a spreadsheet."""

from typing import TYPE_CHECKING

from ..store import as_bytes
from ..visible import cell

if TYPE_CHECKING:
    import polars as pl


def as_csv(frame: "pl.DataFrame") -> bytes:
    """A frame as a CSV file in which no text is a formula or holds a control character; numbers stay as they are."""
    import polars as pl

    texts = [series.map_elements(cell, return_dtype=pl.String) for series in frame if series.dtype == pl.String]
    return as_bytes(frame.with_columns(texts).write_csv)
