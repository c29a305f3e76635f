"""Odd tables, as data: each a name, a file's name and its bytes. Some can be read; none may do harm."""

import gzip
import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import polars as pl


class Odd(NamedTuple):
    about: str
    file: str
    content: bytes


# fmt: off
HEAD, ROWS = "date,rail,road", ["2013-01-01,1,2", "2013-01-02,3,4", "2013-01-03,5,6.5", "2013-01-04,2,1"]
CELLS = (
    *("", " ", "-", "--", ".", "NA", "nan", "NaN", "inf", "-inf", "Infinity", "null", "None", "#N/A", "#REF!", "TRUE", "false"),
    *("1e400", "-1e400", "1e-400", "1e308", "1e101", "9" * 400, "0x1F", "1_000", "1 000", "1,000", "1.000.000", "1'000", "12%"),
    *("$5", "5€", "٣", "１２", "½", "1e", "e5", "+-1", "1..2", "1.2.3", "=1+1", "@SUM(1)", "'1", '"', '""', "\\N", "\x00"),
    *("\x1b[31m1", "\u202e1", "\ufeff1", "1\u00a0", "2013-01-01", "12:30", "(5)", "5-", "1e5e5", "∞", "1/2", "a" * 70_000),
)
NAMES = (
    *("", " ", "rail", "RAIL", "date", "time", "0", "1.5", "a,b", "=cmd()", "@x", "<script>alert(1)</script>", "{{ 7 * 7 }}"),
    *("\x1b[2J", "\u202eroad", "\x00", "a\tb", "null", "nan", "x" * 100_000, "ö", "o\u0308", "🚆", "__index_level_0__"),
    *("&lt;b&gt;", "%s%n", "../../etc/passwd", "$(reboot)", "'; drop table x; --", "\r", "\u2028", "\ud7ff", "-", "--out"),
)
TIMES = (
    *("", "2013-13-01", "2013-02-30", "0000-01-01", "9999-12-31", "10000-01-01", "-2013-01-01", "31.12.2013", "12/31/2013"),
    *("2013-01-01T25:00", "2013-01-01 08:00+99:00", "20130101", "1356998400", "1e9", "yesterday", "2013-W01", "2013Q1", "nan"),
    *("2013-01-02", "2012-12-31", "2013-01-01 00:00:00.000000001", "13-01-01", "0", "-1", "1.5", "２０１３-01-01"),
)
SHAPES = (
    *("", "\n", "\n\n\n", ",", ",,\n,,", "date", "date\n", "date,rail", "date,rail,road", "date,rail,road\n", "rail\n1\n2\n3"),
    *("rail,road\n1,2", "1,2\n3,4\n5,6", "a,a\n1,2\n3,4", "a,b\n1\n2,3", "a,b\n1,2,3\n4,5", "a,b\n1,2\n\n\n3,4", "a,b\r1,2\r3,4"),
    *("a,b\n1,2\n" * 3, "sep=;\na;b\n1;2\n3;4", "a;b\n1,5;2\n3;4", "a\tb\n1\t2\n3\t4", "a|b\n1|2\n3|4", "a b\n1 2\n3 4"),
    *('"a,b\n1,2\n3,4', '"a","b"\n"1","2"\n"3","4"', 'a,b\n"1,2\n3,4', 'a,b\n1"2,3\n4,5', '"a\nb",c\n1,2\n3,4', "# note\na,b\n1,2"),
    *("a,b\n1,2\n3,4\nTotal,6", "a,b\n1,2\n3,4\n,,", "id,a,b\n1,2,3\n2,3,4\n3,1,2", "a,b,Total\n1,2,3\n3,4,7\n5,6,11", "{}", "[]"),
    *("date,option,cost\n2013-01-01,rail,1\n2013-01-01,rail,2", "date,option,cost\n2013-01-01,rail,1\n2013-01-02,road,2"),
    *("date,option,cost\n2013-01-01,,1\n2013-01-01,road,2", "<html><table><tr><td>1</td></tr></table>", "%PDF-1.4\n1 0 obj"),
    *(",".join(f"c{k}" for k in range(3000)) + ("\n" + ",".join(["1"] * 3000)) * 3, "a,b\n" + "1,2\n" * 30_000, "a," * 5000 + "\n"),
)
JSON = (
    *("{}", "[]", "1", "null", '"a"', "{", '{"a":1}', '{"a":1,"b":2}\n{"a":3}', '{"a":1,"b":2}\n{"a":3,"b":4,"c":5}'),
    *('{"a":1,"a":2,"b":3}', '{"a":[1],"b":2}', '{"a":{"b":1},"c":2}', '{"a":1e999,"b":2}', '{"a":NaN,"b":1}', '{"":1,"b":2}'),
    *('{"a":"1","b":"2"}\n' * 3, '{"a":true,"b":false}\n' * 3, '{"a":1,"b":2} {"a":3,"b":4}', '[{"a":1,"b":2}]', "\n\n\n"),
    *('{"a":' + "[" * 5000 + "]" * 5000 + ',"b":1}', '{"a":9007199254740993,"b":1}\n' * 2, '{"a":' + "9" * 500 + ',"b":1}\n{"a":1,"b":2}'),
    *('{"date":"2013-01-01","a":1,"b":2}\n{"date":"2013-01-01","a":3,"b":4}', '{"a":1,"b":2}\n{"a":null,"b":null}\n{"a":3,"b":4}'),
)
DAYS = [date(2013, 1, day) for day in range(1, 5)]
COLUMNS: dict[str, Any] = {
    "lists": [[1.0], [2.0], [3.0], [4.0]],
    "structs": [{"x": 1.0}] * 4,
    "bytes": [b"\x00"] * 4,
    "truths": [True, False, True, False],
    "decimals": [Decimal("1.10"), Decimal(2), Decimal(3), Decimal(4)],
    "durations": [timedelta(days=1)] * 4,
    "clocks": [time(8, 30)] * 4,
    "numerals": pl.Series(["1", "2", "3", "4"], dtype=pl.Categorical),
    "words": ["a", "b", "c", "d"],
    "nulls": [None] * 4,
    "infinite": [float("inf"), 1.0, 2.0, 3.0],
    "huge": [1e300, 1.0, 2.0, 3.0],
    "wide integers": pl.Series([2**63, 1, 2, 3], dtype=pl.UInt64),
    "times": [datetime(2013, 1, day) for day in range(1, 5)],
    "empty lists": pl.Series([[], [], [], []], dtype=pl.List(pl.Float64)),
    "mixed": pl.Series([1, "a", None, 2.5], dtype=pl.Object),
}
# fmt: on


def texts() -> Iterator[tuple[str, str]]:
    """CSV files as text: odd cells, names, times and shapes."""
    for cell in CELLS:
        yield f"the cell {cell[:20]!r}", "\n".join([HEAD, ROWS[0], f"2013-01-02,{cell},4", *ROWS[2:]]) + "\n"
    for name in NAMES:
        yield f"the name {name[:20]!r}", "\n".join([f"date,{name},road", *ROWS]) + "\n"
    for when in TIMES:
        yield f"the time {when!r}", "\n".join([HEAD, ROWS[0], f"{when},3,4", *ROWS[2:]]) + "\n"
    for shape in SHAPES:
        yield f"the shape {shape[:30]!r}", shape


def encoded() -> Iterator[Odd]:
    """A sound table in odd bytes."""
    plain = "\n".join([HEAD, *ROWS]) + "\n"
    for coding, end in product(
        ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp037"), ("\n", "\r\n", "\r")
    ):
        yield Odd(f"{coding}, {end!r}", "odd.csv", plain.replace("rail", "rä").replace("\n", end).encode(coding))
    packed = gzip.compress(plain.encode(), mtime=0)
    for about, content in {
        "packed": packed,
        "packed twice": gzip.compress(packed, mtime=0),
        "cut": packed[:-9],
        "with a tail": packed + b"tail",
        "not packed": plain.encode(),
        "nothing": b"",
        "damaged": packed[:20] + bytes([packed[20] ^ 8]) + packed[21:],
        "nothing, packed": gzip.compress(b"", mtime=0),
        "two members": packed + gzip.compress(b"2013-01-05,1,1\n", mtime=0),
    }.items():
        yield Odd(f"gzip: {about}", "odd.csv.gz", content)
    for ending in ("xlsx", "xls", "json", "pkl", "db", "", "CSV", "csv.bz2", "txt", "tsv"):
        yield Odd(f"the ending {ending!r}", f"odd.{ending}" if ending else "odd", plain.encode())
    rng = np.random.default_rng(0)
    for number in range(60):
        damaged = bytearray(plain.encode() * 3)
        for place in rng.integers(len(damaged), size=1 + number % 4):
            damaged[place] = int(rng.integers(256))
        yield Odd(f"damaged text {number}", "odd.csv", bytes(damaged))
    yield Odd("random bytes", "odd.csv", rng.bytes(10_000))


def arrays() -> Iterator[Odd]:
    """Arrays that numpy saved, and what only looks so."""
    made: dict[str, Any] = {
        "whole": np.arange(12).reshape(4, 3),
        "flat": np.arange(12.0),
        "cube": np.zeros((2, 2, 2)),
        "texts": np.array([["a", "b"], ["c", "d"]]),
        "complex": np.ones((3, 3)) * 1j,
        "nan": np.full((3, 3), np.nan),
        "infinite": np.full((3, 3), np.inf),
        "empty": np.zeros((0, 3)),
        "narrow": np.zeros((5, 1)),
        "records": np.zeros(3, dtype=[("a", float), ("b", float)]),
        "dates": np.array([["2013-01-01"] * 2] * 3, dtype="M8[D]"),
        "half": np.ones((4, 2), dtype=np.float16),
        "swapped": np.ones((4, 2), dtype=">f8"),
        "columns first": np.asfortranarray(np.ones((4, 2))),
    }
    for about, values in made.items():
        file = io.BytesIO()
        np.save(file, values)
        yield Odd(f"npy: {about}", "odd.npy", file.getvalue())
    file = io.BytesIO()
    np.save(file, np.array([[1, "a"], [None, 2]], dtype=object), allow_pickle=True)
    yield Odd("npy: pickled", "odd.npy", file.getvalue())
    file = io.BytesIO()
    np.save(file, np.ones((100, 3)))
    sound = file.getvalue()
    for about, content in (("cut", sound[:-7]), ("head only", sound[:60]), ("no array", b"PK\x03\x04")):
        yield Odd(f"npy: {about}", "odd.npy", content)
    yield Odd("npy: a huge shape", "odd.npy", sound.replace(b"(100, 3)", b"(9**19, 3)"[:8]))


def binaries() -> Iterator[Odd]:
    """Parquet and Arrow files with odd columns, without any, and damaged."""
    sound = pl.DataFrame({"date": DAYS, "rail": [1.0, 3.0, 5.0, 2.0], "road": [2.0, 4.0, 6.5, 1.0]})
    frames = {
        "sound": sound,
        "no columns": pl.DataFrame(),
        "no rows": sound.clear(),
        "an empty name": sound.rename({"rail": ""}),
    }
    for about, values in COLUMNS.items():
        odd = values.alias("rail") if isinstance(values, pl.Series) else pl.Series("rail", values)
        frames[about] = sound.with_columns(odd)
    for about, frame in frames.items():
        if pl.Object in frame.dtypes:
            continue
        for ending, write in (("parquet", frame.write_parquet), ("arrow", frame.write_ipc)):
            file = io.BytesIO()
            write(file)
            yield Odd(f"{ending}: {about}", f"odd.{ending}", file.getvalue())
    rng = np.random.default_rng(1)
    for ending, write in (("parquet", sound.write_parquet), ("arrow", sound.write_ipc)):
        file = io.BytesIO()
        write(file)
        content = file.getvalue()
        for number in range(15):
            damaged = bytearray(content)
            damaged[int(rng.integers(len(damaged)))] ^= 1 << int(rng.integers(8))
            yield Odd(f"{ending}: flipped {number}", f"odd.{ending}", bytes(damaged))
        yield Odd(f"{ending}: cut", f"odd.{ending}", content[: len(content) // 2])


def quick() -> list[Odd]:
    """All tables that this process reads by itself."""
    kinds = [Odd(about, "odd.csv", text.encode(errors="surrogatepass")) for about, text in texts()]
    kinds += [Odd(f"JSON: {text[:30]!r}", "odd.jsonl", text.encode()) for text in JSON]
    kinds += [
        Odd(f"tabs: {about}", "odd.tsv", text.replace(",", "\t").encode())
        for about, text in texts()
        if len(text) < 1000
    ]
    return [*kinds, *encoded(), *arrays()]
