"""Reading ends soon and with a sentence, whatever the file: limits, quotes, bombs, and what polars cannot read."""

import gzip
import random
from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from malformed import HOSTILE, NAMELESS, ODD, frame_file, wide

import bygones as by
from bygones.io import files, read_table, text
from bygones.io.times import form

PROBLEM = by.Problem(["rail", "road"], 40, "window:3")
DAYS = [date(2013, 1, 1) + timedelta(day) for day in range(40)]
ASKED = {
    "read_table": read_table,
    "Table": by.Table,
    "simulate": lambda source: by.simulate(PROBLEM, ["hedge"], source, replicates=2),
    "expected": lambda source: by.expected(PROBLEM, ["hedge"], source),
    "backtest": lambda source: by.backtest(source, "window:3", ["hedge"], replicates=2),
}
DAMAGES = 25  # of each kind of file


def test_so_many_cases_are_tried():
    assert len(HOSTILE) >= 60
    assert len(ODD) >= 15
    assert len({case.about for case in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.about)
def test_what_is_hostile_is_refused_in_a_sentence(case, tmp_path, counted):
    path = tmp_path / case.file
    path.write_bytes(case.bytes())
    with pytest.raises((ValueError, OSError)) as error:
        read_table(path, **case.keywords)
    counted("nasty tables")
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    assert len(message) < len(str(path)) + 600
    for words in case.words:
        assert words in message


@pytest.mark.parametrize("about", ODD)
def test_what_is_merely_odd_is_read(about, tmp_path, counted):
    file, content, names, values = ODD[about]
    path = tmp_path / file
    path.write_bytes(content if isinstance(content, bytes) else content())
    rows = read_table(path, missing="drop")
    counted("nasty tables")
    assert rows.names == names
    assert rows.values.tolist() == values


@pytest.mark.parametrize("block", [50, 64, 100])
def test_blocks_of_any_size_say_the_same(block, tmp_path, monkeypatch):
    """Wherever a block ends after the first row, a table is the same table, and a refusal the same sentence."""
    texts = [(case.file, case.bytes()) for case in HOSTILE if isinstance(case.content, bytes)]
    texts += [(file, content) for file, content, _, _ in ODD.values() if isinstance(content, bytes)]
    texts = [(file, content) for file, content in texts if len(content) < 400]
    assert len(texts) >= 20
    for file, content in texts:
        path = tmp_path / file
        path.write_bytes(content)
        outcomes = []
        for size in (2**23, block):
            monkeypatch.setattr(text, "BLOCK", size)
            try:
                outcomes.append(read_table(path).values.tolist())
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


def test_a_quote_that_is_not_closed_is_looked_at_once(tmp_path, monkeypatch):
    """However many blocks it goes on for, each byte is searched for the end of a line only when it is read."""
    searched = []
    cut = text._cut
    monkeypatch.setattr(text, "_cut", lambda piece, inside: searched.append(len(piece)) or cut(piece, inside))
    monkeypatch.setattr(text, "BLOCK", 1000)
    path = tmp_path / "a.csv"
    path.write_bytes(b't,a,b\n1,"1,2\n' + b"2,1,2\n" * 20_000)
    with pytest.raises(ValueError, match="row 1 .line 2. opens a quote that is never closed"):
        read_table(path)
    assert sum(searched) == path.stat().st_size


def test_a_packed_table_may_grow_a_little_or_be_small(tmp_path, monkeypatch):
    path = tmp_path / "a.csv.gz"
    frame = pl.DataFrame({"t": range(5000), "a": [1.5] * 5000, "b": [2.5] * 5000})
    path.write_bytes(gzip.compress(frame.write_csv().encode()))
    assert len(read_table(path).values) == 5000
    monkeypatch.setattr(text, "LARGE", 1000)
    monkeypatch.setattr(text, "GROWTH", 1)
    with pytest.raises(ValueError, match="bytes unpacked, over 1 times its size: unpack it to see"):
        read_table(path)


@pytest.mark.slow
def test_a_hundred_thousand_options_are_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(wide(100_000, 100)())
    rows = read_table(path)
    assert rows.names == tuple(f"o{option}" for option in range(100_000))
    assert rows.values.shape == (100, 100_000)
    assert (rows.values == 1.5).all()


def test_few_holes_in_json_are_read_whatever_their_share(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"t": {row}, "o{row % 90}": 1}}\n' for row in range(180)))
    with pytest.raises(ValueError, match=r"row 1 .*, column 'o1' is missing"):
        read_table(path)
    monkeypatch.setattr(files, "FEW", 10)
    monkeypatch.setattr(files, "SPARSE", 10)
    with pytest.raises(ValueError, match=r"up to row 180 \(line 180\) there are 91 different keys"):
        read_table(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "ipc"])
@pytest.mark.parametrize("textual", [False, True])
def test_damaged_files_are_refused_or_read_whole(kind, textual, tmp_path, counted):
    """Whoever opens them; rows never go missing without a word."""
    chance = random.Random(7)  # noqa: S311
    generator = np.random.default_rng(7)
    frame = pl.DataFrame({"date": DAYS, "rail": generator.random(40), "road": generator.random(40)})
    if textual:
        frame = frame.cast(pl.String)
    sound = frame_file(frame, kind)()
    path = tmp_path / {"parquet": "a.parquet", "ipc": "a.arrow"}[kind]
    refused = 0
    for number in range(DAMAGES):
        content = bytearray(sound)
        for _ in range(chance.randint(1, 3)):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        asked = list(ASKED)[number % len(ASKED)]
        try:
            done = ASKED[asked](path)
        except (ValueError, OSError) as error:
            refused += 1
            assert str(error).isprintable()  # noqa: PT017
        else:
            assert asked != "read_table" or len(done.values) == 40
        counted("damaged Parquet and Arrow files")
    assert refused > 0


ODD_FRAMES = {
    "no columns": (pl.DataFrame(), "no columns|the columns are"),
    "no columns, of pandas": (pd.DataFrame(), "no columns|the columns are"),
    "a column without a name": (NAMELESS, "option 1 has no name: give its column one|nothing here is called 'rail'"),
    "numbers without a name": (NAMELESS.drop("date"), "option 1 has no name|nothing here is called 'rail'"),
    "pandas without a name": (
        pd.DataFrame({"": [1.5, 2.5], "road": [1.0, 2.0]}),
        "option 1 has no name|nothing here is called 'rail'",
    ),
    "lazy, without its column": (pl.DataFrame({"rail": [1.0]}).lazy().select("road"), "cannot be read as a table"),
    "lazy, with text for numbers": (
        pl.DataFrame({"rail": ["x"], "road": ["y"]}).lazy().cast(pl.Float64),
        "cannot be read as a table",
    ),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("about", ODD_FRAMES)
def test_odd_frames_are_refused_by_everybody(about, asked, counted):
    source, words = ODD_FRAMES[about]
    with pytest.raises(ValueError, match=words) as error:
        ASKED[asked](source)
    assert str(error.value).isprintable()
    counted("odd data frames")


@pytest.mark.parametrize("asked", ASKED)
def test_a_damaged_file_that_is_scanned_is_refused(asked, tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(frame_file(NAMELESS, "parquet")()[:-60])
    with pytest.raises((ValueError, OSError), match=r"^the table: "):
        ASKED[asked](pl.scan_parquet(path))


def test_numbers_of_any_kind_are_costs():
    days = {"rail": pl.Series(range(40), dtype=pl.Int128), "road": pl.Series(range(40), dtype=pl.Decimal(20, 2))}
    frame = pl.DataFrame(days)
    whole = by.expected(PROBLEM, ["hedge"], frame.cast(pl.Float64)).summary()
    assert by.expected(PROBLEM, ["hedge"], frame).summary().equals(whole)
    categories = frame.cast(pl.Int64).cast(pl.String).cast(pl.Categorical)
    numerals = read_table(categories, actions=["rail", "road"]).values
    assert numerals.tolist() == frame.cast(pl.Float64).to_numpy().tolist()
    missing = pd.DataFrame({"rail": pd.array([1, None] * 20, dtype="Int64"), "road": [1.0] * 40})
    with pytest.raises(ValueError, match=r"costs\[0\] .*nan at round 2"):
        by.expected(PROBLEM, ["hedge"], missing)


def test_tiny_blocks_of_a_long_table_are_one_table():
    n = 300
    long = pl.DataFrame(
        {
            "t": [period for period in range(3) for _ in range(n)],
            "option": [f"o{option}" for _ in range(3) for option in range(n)],
            "cost": np.arange(3.0 * n),
        }
    )
    rows = read_table(long[row : row + 1] for row in range(long.height))
    assert rows.values.tolist() == np.arange(3.0 * n).reshape(3, n).tolist()


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (["1", "2"], "whole numbers"),
        (["1", None], "whole numbers"),
        (["1", "nan"], "whole numbers"),
        (["1.5", "2"], "numbers"),
        (["inf", "2"], "whole numbers"),
        ([None, None], None),
        ([], None),
        (["20130101", "20130102"], "%Y%m%d"),
        (["20130101", None], "%Y%m%d"),
        (["20130101", "20130199"], "whole numbers"),
        ([" 1", "2 "], "whole numbers"),
        (["x", "y"], None),
        (["2013-01-17", "2013-01-18"], "%Y-%m-%d"),
    ],
)
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_plain_numbers_are_found_as_the_others_are(texts, written, dtype):
    assert form(pl.Series(texts, dtype=pl.String).cast(dtype)) == written
