"""Numbers as people write them: decimal commas, groups of digits, percent signs, currencies and brackets."""

import re
from typing import NamedTuple

import numpy as np
import polars as pl

from ..validation import listed, shown

BLANKS = " \u00a0\u2009\u202f"
CODES = "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KRW MXN NOK NZD PLN RUB SEK SGD TRY USD ZAR"
CURRENCY = rf"[A-Z]{{0,2}}\$|[€£¥₹₽₩₺₴₪₫₱฿]|{CODES.replace(' ', '|')}|kr\.?|zł|Kč|Ft|S?Fr\.|Rs\.?"
SIGN, DASH = "[-+\u2212]", "[-\u2013\u2014]{1,2}"
NOTHING = rf"^(?:({CURRENCY})\s*{DASH}|{DASH}\s*({CURRENCY}))$"  # in Excel's accounts
NUMERAL = (
    rf"^(?P<open>\()?\s*(?P<first>{SIGN})?\s*(?P<currency>{CURRENCY})?\s*(?P<inner>\()?\s*(?P<second>{SIGN})?\s*"
    rf"(?P<body>\d(?:[\d.,'\u2019{BLANKS}]*\d)?|[.,]\d+)(?:(?P<zero>[.,]){DASH}|(?P<end>[.,]))?(?P<power>[eE][-+]?\d+)?"
    rf"\s*(?P<third>{SIGN})?\s*(?P<unit>[%‰]|{CURRENCY})?\s*(?P<fourth>{SIGN})?\s*(?P<close>\))?$"
)
GROUPED = {".": r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}", ",": r"[1-9]\d{0,2}(?:\.\d{3})+"}
OTHERS = rf"[1-9]\d{{0,2}}(?:['\u2019]\d{{3}})+|[1-9]\d{{0,2}}(?:[{BLANKS}]\d{{3}})+"
BODIES = {point: rf"^(?:(?:\d+|{GROUPED[point]}|{OTHERS})(?:[{point}]\d*)?|[{point}]\d+)$" for point in (".", ",")}
FRACTION = r"\.(\d{0,2}|\d{4,})([eE]|\s*$)|^\s*[-+]?(0|\d{4,})\d*\.\d|^-?\d+e-"  # surely
THOUSANDS, HUNDREDS = r"^\s*[-+]?[1-9]\d{0,2}(\.\d{3})+\s*$", r"^\s*[-+]?(\d{1,3}|\d+e0)\s*$"
POINTED = re.compile(r"(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d")  # months, or numbers
LEAST, CELLS = 10, 2**17  # rows, and numbers, in which the decimal point is looked for
POWERS = {"%": "e-2", "‰": "e-3"}
UNITS = ("%", "‰")
OTHER = {".": ",", ",": "."}
NAMES = {".": "point", ",": "comma"}


class Parsed(NamedTuple):
    """Texts taken apart, one row each.

    Args:
        numbers: what they are; null: not a number under this reading.
        signs: the percent or per mille sign of each, and `""` where there is none; null: not a number.
        currencies: the same for currencies.
        grouped: which have groups of digits.
        negative: which are negative by brackets or by a minus behind the number.
    """

    numbers: pl.Series
    signs: pl.Series
    currencies: pl.Series
    grouped: pl.Series
    negative: pl.Series


def parse(texts: pl.Series, decimal: str) -> Parsed:
    """Texts as numbers.

    A percent sign moves the decimal point by two places, so the result is that of the text with an exponent, to the
    bit. A dash in place of the cents, as in `120,-`, is no minus.

    Args:
        texts: without blanks around them.
        decimal: `"."` or `","`.

    Returns:
        What each text is.

    >>> parse(pl.Series(["1.234,50 €", "(12)", "7,5 %", "120,-", "$ -", "1.5"]), ",").numbers.to_list()
    [1234.5, -12.0, 0.075, 120.0, 0.0, None]
    """
    parts = texts.str.replace(NOTHING, "${1}0${2}").str.extract_groups(NUMERAL).struct.unnest()
    parts = parts.with_columns(body=pl.concat_str("body", pl.coalesce("zero", "end", pl.lit(""))))
    signs = [pl.col(name).is_not_null().cast(pl.Int8) for name in ("first", "second", "third", "fourth")]
    minus = pl.any_horizontal(pl.col(name).is_in(["-", "\u2212"]) for name in ("first", "second", "third", "fourth"))
    bracket = pl.col("open").is_not_null() | pl.col("inner").is_not_null()
    unit = pl.col("unit").is_in(UNITS)
    sound = (
        (pl.sum_horizontal(*signs, bracket.cast(pl.Int8)) <= 1)
        & (bracket == pl.col("close").is_not_null())
        & ~(pl.col("open").is_not_null() & pl.col("inner").is_not_null())
        & ~(pl.col("currency").is_not_null() & pl.col("unit").is_not_null() & ~unit.fill_null(False))
        & ~(pl.col("power").is_not_null() & unit.fill_null(False))
        & ~(pl.col("end").is_not_null() & pl.any_horizontal(pl.col("third", "fourth").is_not_null()))
        & pl.col("body").str.contains(BODIES[decimal])
    )
    digits = pl.col("body").str.replace_all(rf"[^\d{decimal}]", "").str.replace(decimal, ".", literal=True)
    power = pl.col("unit").replace_strict(POWERS, default=None).fill_null(pl.col("power")).fill_null("")
    sign = pl.when(minus | bracket).then(pl.lit("-")).otherwise(pl.lit(""))
    written = pl.concat_str(sign, digits.str.strip_chars_end("."), power)
    found = parts.select(
        numbers=pl.when(sound).then(written).cast(pl.Float64, strict=False),
        signs=pl.when(sound).then(pl.when(unit).then("unit").otherwise(pl.lit(""))),
        currencies=pl.when(sound).then(pl.coalesce(pl.col("currency"), pl.when(~unit).then("unit"), pl.lit(""))),
        grouped=sound & pl.col("body").str.contains(rf"[^\d{decimal}]"),
        negative=sound & (bracket | pl.col("third").is_not_null() | pl.col("fourth").is_not_null()),
    )
    return Parsed(*found.fill_null(False).get_columns())


def texts_of(sample: pl.DataFrame) -> pl.DataFrame:
    """All texts of the first rows, below each other: a table may have 100,000 columns.

    >>> texts_of(pl.DataFrame({"a": ["x", None], "b": [1, 2]})).rows()
    [('a', 'x')]
    """
    texts = sample.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String))
    if not texts.width:
        return pl.DataFrame(schema={"variable": pl.String, "value": pl.String})
    texts = texts.head(max(LEAST, CELLS // texts.width))
    names = pl.Series(texts.columns).gather(np.repeat(np.arange(texts.width), texts.height))
    return pl.DataFrame({"variable": names, "value": pl.concat(texts.get_columns())}).drop_nulls()


def find_decimal(sample: pl.DataFrame) -> str | None:
    """What separates fractions in all columns of numbers together; None: the table does not say, or says both.

    Args:
        sample: the first rows.

    Returns:
        `"."` or `","`.

    >>> find_decimal(pl.DataFrame({"rail": ["1.234", "953"], "road": ["0,75", "2"]}))
    ','
    >>> find_decimal(pl.DataFrame({"rail": ["1,234", "953"]}))  # thousands, or a fraction
    """
    cells = texts_of(sample)
    marked = cells["value"].str.contains(r"[.,][\d\p{Pd}]")
    if not (marked & cells["value"].cast(pl.Float64, strict=False).is_null()).any():
        return None
    marked &= ~cells["value"].str.contains(rf"^\s*{POINTED.pattern}\s*$")
    cells = cells.filter(cells["variable"].is_in(cells["variable"].filter(marked).unique().implode()))
    trimmed = cells["value"].str.strip_chars()
    readings = {decimal: parse(trimmed, decimal).numbers for decimal in GROUPED}
    point, comma = (readings[decimal].is_not_null() for decimal in (".", ","))
    cells = cells.with_columns(numeral=point | comma, point=point & ~comma, comma=comma & ~point)
    numeric = cells.group_by("variable").agg(pl.col("numeral").mean()).filter(pl.col("numeral") >= 0.5)
    said = cells.filter(pl.col("variable").is_in(numeric["variable"].implode()))
    points, commas = bool(said["point"].any()), bool(said["comma"].any())
    return None if points == commas else "." if points else ","


class Numerals:
    """How the numbers of one table are written, and what was seen of it.

    Args:
        decimal: what separates fractions; None: the table does not say, and plain numbers have a point.
    """

    def __init__(self, decimal: str | None = None) -> None:
        self.decimal = decimal
        self.signs: dict[str, str] = {}  # of each column, its percent sign; "": none
        self.currencies: dict[str, str] = {}
        self._seen: dict[str, str] = {}  # kinds of notes, and an example each
        self._points: dict[str, tuple[str, str]] = {}  # of numbers with a point, or fewer than four digits: an example

    def parse(self, texts: pl.Series, column: str) -> tuple[pl.Series, pl.Series]:
        """Texts of a column as numbers; null where one is not a number, or may be two.

        Args:
            texts: without blanks around them.
            column: its name.

        Returns:
            The numbers, and which of them have a percent sign.

        Raises:
            ValueError: if there are two currencies; the message lacks the place.
        """
        decimal = self.decimal or "."
        found = parse(texts, decimal)
        numbers = found.numbers
        if self.decimal is None:
            other = parse(texts, ",").numbers
            numbers = numbers.set(other.is_not_null() & (other != numbers), None)
        marks = {*found.currencies.unique()} - {None, ""} | {self.currencies.get(column, "")} - {""}
        if len(marks) > 1:
            raise ValueError(f"has amounts in {' and '.join(sorted(marks))}: convert them, or leave it out of actions=")
        for mark in marks:
            self.currencies[column] = mark
        signed = (found.signs != "").fill_null(False)
        kinds = {
            "comma": texts.str.contains(",", literal=True) if decimal == "," else None,
            "grouped": found.grouped,
            "dash": texts.str.contains(rf"[.,]{DASH}"),
            "negative": found.negative,
            "percent": signed,
            "currency": found.currencies != "",
        }
        for kind, there in kinds.items():
            if there is not None and kind not in self._seen and (there & numbers.is_not_null()).any():
                self._seen[kind] = texts[(there & numbers.is_not_null()).arg_max() or 0]
        return numbers, signed

    def look(self, texts: pl.Series) -> None:
        """Look for points that may group thousands, in some texts of a column."""
        if self.decimal is None and "fraction" not in self._points:
            for kind, shape in (("fraction", FRACTION), ("thousands", THOUSANDS), ("hundreds", HUNDREDS)):
                if kind not in self._points:
                    there = texts.str.contains(shape).fill_null(False)
                    if there.any():
                        self._points[kind] = texts.name, texts[there.arg_max() or 0].strip()

    def check(self) -> None:
        """Raise ValueError where points may group thousands: three digits follow each, and some numbers have none.

        >>> numerals = Numerals()
        >>> numerals.look(pl.Series("rail", ["1.069", "953"]))
        >>> numerals.check()
        Traceback (most recent call last):
        ValueError: in 'rail' three digits follow every point, as in '1.069', which may be a fraction or thousands: say
        decimal="." or decimal=","
        """
        if self._points.keys() == {"thousands", "hundreds"}:
            raise ValueError(f'{self._unclear()}: say decimal="." or decimal=","')

    def _unclear(self) -> str:
        """What is unclear about points."""
        name, text = self._points["thousands"]
        what = f"in {shown(name)} three digits follow every point, as in {shown(text)}"
        return f"{what}, which may be a fraction or thousands"

    def fault(self, text: str) -> str | None:
        """What keeps a text from being read as a number, and what to do; None: it is not like a number.

        >>> Numerals().fault("1,234")
        'and its comma may be decimal, or may group thousands: say decimal="," or decimal="."'
        >>> Numerals(".").fault("0,75")
        'with a decimal comma, and the table has decimal points: write all numbers alike'
        """
        one = pl.Series([text.strip()])
        point, comma = (parse(one, decimal).numbers[0] for decimal in (".", ","))
        if point is None and comma is None:
            return None
        if point is not None and comma is not None:
            return 'and its comma may be decimal, or may group thousands: say decimal="," or decimal="."'
        is_comma = comma is not None
        if self.decimal is None:
            return f'with a decimal {NAMES["," if is_comma else "."]}: say decimal="{"," if is_comma else "."}"'
        other = NAMES[self.decimal]
        return (
            f"with a decimal {NAMES[OTHER[self.decimal]]}, and the table has decimal {other}s: write all numbers alike"
        )

    def notes(self) -> list[str]:
        """What was read in another way than it stands there."""
        told = {
            "comma": "numbers are read with a decimal comma, as in {}",
            "grouped": "digits in groups are read as one number, as in {}",
            "dash": "a dash in place of cents means none, as in {}",
            "negative": "brackets and a minus behind a number make it negative, as in {}",
            "percent": "percent signs are read as hundredths, so 12 % is 0.12, as in {}",
            "currency": "currencies are left out, as in {}",
        }
        notes = [told[kind].format(shown(text)) for kind, text in self._seen.items()]
        if self._points.keys() == {"thousands"}:
            notes.append(f'{self._unclear()}: read as a fraction; say decimal="," if it is not')
        percent = [name for name, sign in self.signs.items() if sign]
        if percent and len(percent) < len(self.signs):
            others = listed([name for name, sign in self.signs.items() if not sign])
            notes.append(
                f"{listed(percent)} has percent signs and {others} has none: compared as hundredths and numbers"
            )
        several = sorted(set(self.currencies.values()))
        if len(several) > 1:
            notes.append(f"the amounts are in {' and '.join(several)}, and compared as they stand")
        return notes
