import subprocess
import sys
import zipfile
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bygones as by
from bygones import datasets
from bygones.cli import main

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/bygones/datasets"


@pytest.fixture(params=datasets.DATASETS, ids=datasets.names())
def data(request):
    return request.param


def test_the_file_is_the_one_that_was_described(data):
    assert sha256((FOLDER / f"{data.name}.csv").read_bytes()).hexdigest() == data.sha256
    frame = datasets.load(data.name)
    assert frame.columns == ["date", *data.options]
    assert frame.height == data.rows
    assert datasets.find(data.name) is data
    assert data.about.endswith(".")
    assert "CC0" in data.licence
    assert "package" in data.source


def test_there_are_no_holes(data):
    frame = datasets.load(data.name)
    assert frame["date"].dtype == pl.Date
    assert frame["date"].to_list() == [data.first + timedelta(days=day) for day in range(data.rows)]
    assert frame["date"][-1] == data.last
    assert sum(frame.null_count().row(0)) == 0
    assert np.isfinite(frame.drop("date").to_numpy()).all()


def test_every_file_has_a_description():
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(datasets.names())


def test_the_delays_are_delays():
    delays = datasets.load("flights").drop("date")
    assert delays.shape == (365, 12)
    assert set(delays.dtypes) == {pl.Float64}
    assert not datasets.find("flights").rewards
    values = delays.to_numpy()
    assert (values > -90).all()
    assert (values < 300).all()
    assert (values.std(axis=0) > 10).all()
    # Computed separately, from the flights themselves.
    frame = datasets.load("flights").filter(pl.col("date") == pl.date(2013, 2, 9))
    assert frame["Virgin America"].item() == -2.5
    assert delays["American Airlines"].mean() == pytest.approx(0.3849, abs=1e-3)
    assert delays["ExpressJet Airlines"].max() == 158.96


def test_the_views_are_views():
    views = datasets.load("wikipedia").drop("date")
    assert views.shape == (550, 8)
    assert set(views.dtypes) == {pl.Int64}
    assert datasets.find("wikipedia").rewards
    assert views.min_horizontal().min() > 100
    assert views.max_horizontal().max() == views["Gen Hoshino"].max() == 198_475
    assert all(title.isascii() and "_" not in title for title in views.columns)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wikipdia", "the data set is 'wikipdia': give one of 'flights', 'wikipedia' (did you mean wikipedia?)"),
        ("", "the data set is '': give one of 'flights', 'wikipedia'"),
        (3, "the data set is 3: give one of 'flights', 'wikipedia'"),
    ],
)
def test_an_unknown_name_gets_those_there_are(name, message):
    for ask in (datasets.load, datasets.find):
        with pytest.raises(ValueError) as error:  # noqa: PT011
            ask(name)
        assert str(error.value) == message


def test_a_damaged_file_is_refused(tmp_path, monkeypatch):
    content = (FOLDER / "flights.csv").read_bytes()
    (tmp_path / "flights.csv").write_bytes(content.replace(b"5.30", b"5.31", 1))
    monkeypatch.setattr(datasets, "_FOLDER", tmp_path)
    with pytest.raises(ValueError, match="flights.csv is damaged: its sha256 begins with .* reinstall bygones"):
        datasets.load("flights")
    (tmp_path / "flights.csv").write_bytes(content)
    assert datasets.load("flights").height == 365


def test_descriptions_are_frozen():
    with pytest.raises(AttributeError):
        datasets.DATASETS[0].rows = 3


def test_the_frame_is_played_with_the_date_or_without():
    delays = datasets.load("flights")
    problem = by.Problem(datasets.find("flights").options, 365, by.Window(7), cost_range=None)
    learners = [by.Steering(), by.FollowTheLeader()]
    results = [by.expected(problem, learners, costs) for costs in (delays, delays.drop("date"))]
    assert results[0].summary().equals(results[1].summary())
    best = delays.drop("date").sum().row(0)
    assert delays.columns[1 + int(np.argmin(best))] == "Alaska Airlines"
    for source in (delays, "@flights", FOLDER / "flights.csv"):
        assert by.Table(source).names == tuple(delays.columns[1:])
        np.testing.assert_array_equal(by.Table(source).data, delays.drop("date").to_numpy())


def test_listing_what_there_is_needs_neither_numpy_nor_polars():
    program = "import sys, bygones as by; by.datasets.names(); print('numpy' in sys.modules, 'polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_list_shows_the_data_sets_whole_at_any_width(columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("Cost families") < shown.index("Data sets")
    lines = shown[shown.index("Data sets") :].splitlines()
    assert max(map(len, lines)) <= int(columns)
    text = " ".join(line.split("│")[2].strip() for line in lines if line.startswith("│"))
    for data in datasets.DATASETS:
        assert any(line.startswith(f"│ {data.name} ") for line in lines)
        size = f"{data.rows} rows, {len(data.options)} options, {'rewards' if data.rewards else 'costs'}"
        assert f"{data.about} {size} {data.source}; {data.licence}" in text


def test_the_wheel_has_the_tables(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for data in datasets.DATASETS:
            assert sha256(archive.read(f"bygones/datasets/{data.name}.csv")).hexdigest() == data.sha256
        assert "bygones/datasets/datasets.json" in archive.namelist()


def test_every_data_set_has_a_page_with_its_picture_and_source():
    index = (ROOT / "docs/datasets.md").read_text(encoding="utf-8")
    pages = {data.name: (ROOT / f"docs/{data.name}.md").read_text(encoding="utf-8") for data in datasets.DATASETS}
    for data in datasets.DATASETS:
        assert f"({data.name}.md)" in index
        package, version = data.source.split()[-2:]
        assert f"`{package}` {version}" in pages[data.name]
        assert f"]({data.name}.png)" in pages[data.name]
        assert (ROOT / f"docs/{data.name}.png").read_bytes().startswith(b"\x89PNG")
    for option in datasets.find("wikipedia").options:
        assert f"| {option} |" in pages["wikipedia"]
