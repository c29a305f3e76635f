import gzip
import os
import random
import shutil
import tempfile
from pathlib import Path

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import GOOD, JSON, LONG, MALFORMED, arrow, parquet, workbook
from sweeping import swept

from bygones.io import Rows, read_table, text
from bygones.io.times import ticks

WELL = {
    "a.csv": GOOD,
    "long.csv": LONG,
    "a.tsv": GOOD.replace(b",", b"\t"),
    "quoted.csv": b'"date","rail","road"\r\n"2013-01-01","1","2"\r\n"2013-01-02","3","4"\r\n',
    "a.csv.gz": gzip.compress(GOOD, mtime=0),
    "a.jsonl": JSON,
    "a.xlsx": workbook()(),
    "a.parquet": parquet()(),
    "a.arrow": arrow()(),
    "stream.arrow": arrow(stream=True)(),
}
TEXTS = [name for name in WELL if not name.endswith((".parquet", ".arrow", ".xlsx"))]
NUMBERS = [pl.Int8, pl.UInt64, pl.Int128, pl.Float32, pl.Decimal(10, 2)]
OTHERS = [pl.Boolean, pl.Date, pl.Time, pl.Duration, pl.Binary, pl.Null, pl.List(pl.Int8), pl.Categorical, pl.String]
TYPES = [*NUMBERS, *OTHERS, pl.Datetime("ns", "Europe/Berlin")]
MISSING = st.sampled_from(["error", "drop", "carry"])


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.about)
def test_what_cannot_be_read_is_refused(case, tmp_path):
    path = tmp_path / case.file
    path.write_bytes(case.bytes())
    with pytest.raises((ValueError, OSError)) as error:
        read_table(path, **case.keywords)
    assert one_sentence(path, error.value)
    for words in case.words:
        assert words in str(error.value)


def test_a_tab_is_not_shown_as_it_is(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(b'time\trail\troad\n1\t"a"b\t2\n2\t3\t4\n')
    with pytest.raises(ValueError, match="row 1 .line 2. goes on after a closing quote") as error:
        read_table(path)
    assert one_sentence(path, error.value)


def one_sentence(path, error):
    message = str(error)
    assert message.startswith(f"{path}: ")
    assert len(message) < len(str(path)) + 600
    assert message.isprintable()
    return error.__suppress_context__


def outcome(path, **keywords):
    """Rows as they must be, or an error in a sentence: nothing else may come."""
    try:
        rows = read_table(path, **keywords)
    except (ValueError, OSError) as error:
        assert one_sentence(path, error)  # noqa: PT017
        return None
    assert isinstance(rows, Rows)
    assert rows.values.shape == (len(rows.values), len(rows.names))
    assert rows.values.shape >= (2, 2)
    assert (abs(rows.values) <= 1e100).all()
    assert not rows.values.flags.writeable
    assert len(set(rows.names)) == len(rows.names)
    assert len(rows.times) == len(rows.values)
    assert (ticks(rows.times)[1:] > ticks(rows.times)[:-1]).all()
    return rows


def outcome_of(name, content, **keywords):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return outcome(path, **keywords)


@pytest.mark.parametrize("name", WELL)
def test_what_is_well_is_read(name):
    rows = outcome_of(name, WELL[name])
    assert rows.names == ("rail", "road")
    assert len(rows.values) == (3 if WELL[name] in (GOOD, WELL["a.tsv"], WELL["a.csv.gz"]) else 2)


@pytest.mark.parametrize("name", WELL)
@swept(20, 300)
def test_random_bytes(name, examples):
    @settings(max_examples=examples)
    @given(content=st.binary(max_size=300))
    def holds(content):
        outcome_of(name, content)

    holds()


@pytest.mark.parametrize("name", TEXTS)
@swept(40, 400)
def test_mutated_texts(name, examples):
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 2**32), missing=MISSING, prices=st.booleans())
    def holds(seed, missing, prices):
        mutated(name, seed, missing=missing, prices=prices)

    holds()


@pytest.mark.parametrize("name", [name for name in WELL if name not in TEXTS])
@swept(5, 12)  # each takes another process
def test_mutated_binaries(name, examples):
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 2**32))
    def holds(seed):
        mutated(name, seed)

    holds()


@pytest.mark.parametrize("place", [42, 137, 259])
def test_a_byte_that_makes_polars_abort_is_caught(place):
    content = bytearray(WELL["a.parquet"])
    content[place] = 127
    assert outcome_of("a.parquet", bytes(content)) is None


def mutated(name, seed, **keywords):
    # Bytes changed, taken out, put in or doubled, some of them signs that have a meaning.
    chance = random.Random(seed)  # noqa: S311
    content = bytearray(WELL[name])
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice([0, 1, 1, 1, 5, 40]))
        new = chance.choice(
            [b"", b",", b'"', b"\n", b"\r", b"-", b"9", b"\xff", b"\0", b"{", b"nan", content[start:end] * 2]
        )
        content[start:end] = new
        content = content or bytearray(b"x")
    outcome_of(name, bytes(content), **keywords)


@pytest.mark.parametrize("name", WELL)
def test_truncated_files(name):
    content = WELL[name]
    for end in range(0, len(content), max(1, len(content) // (200 if name in TEXTS else 8))):
        outcome_of(name, content[:end])


cells = st.one_of(
    st.sampled_from(
        ["", "nan", "1", "2.5", "-3", "1e99", "1e101", "inf", "2013-01-17", "2013-01-18 10:00", "rail", '"', "a,b"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=4),
    st.floats().map(str),
)


@swept(120, 800)
def test_random_tables_of_text(examples):
    @settings(max_examples=examples)
    @given(
        names=st.lists(cells, min_size=1, max_size=4),
        rows=st.lists(st.lists(cells, min_size=1, max_size=4), max_size=5),
        separator=st.sampled_from(",;\t|"),
        block=st.integers(1, 40),
        missing=MISSING,
    )
    def holds(names, rows, separator, block, missing):
        content = "\n".join(separator.join(row) for row in [["time", *names], *rows]).encode()
        whole = outcome_of("a.csv", content, missing=missing)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(text, "BLOCK", block)  # whatever the blocks, the table is the same
            parts = outcome_of("a.csv", content, missing=missing)
        assert (whole is None) == (parts is None)
        if whole is not None:
            assert whole.names == parts.names
            assert (whole.values == parts.values).all()

    holds()


values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=4), st.just([1])
)


@swept(60, 600)
def test_random_objects(examples):
    @settings(max_examples=examples)
    @given(rows=st.lists(st.dictionaries(st.sampled_from(["time", "a", "b"]), values), max_size=5), missing=MISSING)
    def holds(rows, missing):
        outcome_of("a.jsonl", b"\n".join(map(msgspec.json.encode, rows)), missing=missing)

    holds()


@swept(50, 400)
def test_columns_of_any_type(examples):
    @settings(max_examples=examples)
    @given(columns=st.lists(st.sampled_from(TYPES), min_size=1, max_size=4), missing=MISSING)
    def holds(columns, missing):
        blank = [pl.Series(f"c{place}", [None, None, None], dtype=kind) for place, kind in enumerate(columns)]
        with pytest.raises(ValueError, match="^the table: ") as error:
            read_table(pl.DataFrame(blank), missing=missing)
        assert str(error.value).isprintable()

    holds()


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name, words in (
        ("folder.csv", "it is a folder: name a file in it"),
        ("pipe.csv", "it is not a regular file"),
        ("none.csv", "there is no such file"),
        ("x" * 300 + ".csv", "File name too long"),
        ("folder.csv/a.csv", "there is no such file"),
    ):
        path = tmp_path / name
        with pytest.raises((ValueError, OSError), match=words) as error:
            read_table(path)
        assert str(error.value).startswith(f"{path}: ")


@pytest.mark.parametrize("mode", [0o644, 0o000])
def test_a_locked_file_is_refused(mode):
    """Of the file itself, or of its folder."""
    nobody, me = 65_534, os.geteuid()
    with tempfile.TemporaryDirectory() as outer:
        path = Path(outer) / "a.csv"
        path.write_bytes(GOOD)
        path.chmod(mode)
        Path(outer).chmod(0o700 if mode else 0o755)
        if me == 0:
            os.seteuid(nobody)
        try:
            if me == 0 or not mode:
                with pytest.raises(OSError, match="it may not be read"):
                    read_table(path)
        finally:
            os.seteuid(me)


@pytest.mark.parametrize("source", [None, 3, [1, 2], b"a.csv", pl.Series([1, 2])])
def test_what_is_no_table_is_refused(source):
    with pytest.raises(
        ValueError,
        match="^the table: it is of type .*, not a table of numbers: give a path, the name of a data set, a data",
    ):
        read_table(source)


def test_an_unknown_data_set_is_refused():
    with pytest.raises(ValueError, match="^@flight: the data set is 'flight': give one of .*did you mean flights"):
        read_table("@flight")


def test_a_full_disk_is_reported(tmp_path, monkeypatch):
    from bygones.io import rows

    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    path = tmp_path / "a.csv"
    shutil.copy(Path(__file__).parents[2] / "src/bygones/datasets/flights.csv", path)
    monkeypatch.setattr(rows, "IN_MEMORY", 100)
    monkeypatch.setattr(text, "BLOCK", 20_000)
    monkeypatch.setattr(rows.tempfile, "TemporaryFile", lambda: open("/dev/full", "wb"))  # noqa: PTH123, SIM115
    with pytest.raises(OSError, match=r"a.csv: the folder for temporary files, .*, cannot hold \d+ rows .*TMPDIR"):
        read_table(path)
