"""Periods as dates, where they are: where they stand on an axis, and what the next one is called."""

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

TICKS = 6  # at most, on an axis
SATURDAY = 5
MONTH = re.compile(r"(\d{4})-(\d{2})")


class Tick(NamedTuple):
    """A label on an axis: where, from 0 to 1, and what it says."""

    at: float
    text: str


def moment(period: str) -> datetime | None:
    """A period as a date; None: it is some other text."""
    try:
        found = datetime.fromisoformat(f"{period}-01" if MONTH.fullmatch(period) else period)
    except ValueError:
        return None
    return None if re.fullmatch(r"\d*", period) else found.replace(tzinfo=None)


def places(periods: Sequence[str], rounds: Sequence[int]) -> tuple[list[float], list[Tick]]:
    """Where periods stand on an axis from 0 to 1, and its labels: by their dates if they have some that rise.

    Args:
        periods: at least one.
        rounds: their numbers.

    Returns:
        One place for each period, and labels.

    >>> places(["2026-11-16", "2026-11-17", "2026-11-20"], [1, 2, 3])[0]
    [0.0, 0.25, 1.0]
    >>> places(["first", "second", "third"], [1, 2, 3])
    ([0.0, 0.5, 1.0], [Tick(at=0.0, text='first'), Tick(at=0.5, text='second'), Tick(at=1.0, text='third')])
    """
    moments = [found for each in periods if (found := moment(each)) is not None]
    dated = len(moments) == len(periods) > 1 and all(one < other for one, other in pairwise(moments))
    values = [each.timestamp() for each in moments] if dated else [float(each) for each in rounds]
    first, span = values[0], (values[-1] - values[0]) or 1.0
    if dated:
        ticks = [Tick((at.timestamp() - first) / span, text) for at, text in _dates(moments[0], moments[-1])]
    else:
        chosen = {round(k * (len(periods) - 1) / (TICKS - 2)) for k in range(TICKS - 1)}
        ticks = [Tick((values[k] - first) / span, _short(periods[k])) for k in sorted(chosen)]
    return [(value - first) / span for value in values], ticks


def following(periods: Sequence[str], number: int) -> str:
    """What the period after the last one is called, as far as one can guess: it stands in a form, to be changed.

    Args:
        periods: the last ones, in their order.
        number: of the next round.

    Returns:
        A date if they are dates, a step further; else the number.

    >>> following(["2026-11-16"], 2), following(["2026-01-31", "2026-02-28"], 3), following(["2026-11", "2026-12"], 3)
    ('2026-11-17', '2026-03-31', '2027-01')
    >>> following(["2026-11-12", "2026-11-13", "2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"], 8)
    '2026-11-23'
    >>> following([], 1), following(["spring"], 2), following(["2026-11-18 06:00:00", "2026-11-18 12:00:00"], 3)
    ('1', '2', '2026-11-18 18:00:00')
    """
    moments = [moment(each) for each in periods[-30:]]
    known = [each for each in moments if each is not None]
    if not known or moments[-1] is None:
        return str(number)
    try:
        return _as(periods[-1], _after(known, monthly=bool(MONTH.fullmatch(periods[-1]))))
    except (ValueError, OverflowError):  # after the last year that there is
        return str(number)


def _after(known: Sequence[datetime], monthly: bool) -> datetime:
    """The date a step after the last one."""
    last, steps = known[-1], Counter(after - before for before, after in pairwise(known))
    step = steps.most_common(1)[0][0] if steps else timedelta(days=1)
    if monthly or (steps and all(28 <= each.days <= 31 for each in steps)):
        year, month = last.year + last.month // 12, last.month % 12 + 1
        day = max(each.day for each in known)
        found = last.replace(year=year, month=month, day=min(day, monthrange(year, month)[1]))
    else:
        found = last + step
        working = len(known) > SATURDAY and all(each.weekday() < SATURDAY for each in known)
        while working and found.weekday() >= SATURDAY:
            found += timedelta(days=1)
    return found


def _as(period: str, found: datetime) -> str:
    """A date, written like a period."""
    if len(period) <= len("2026-11-16"):
        return found.date().isoformat()[: len(period)]
    return found.isoformat(sep=period[len("2026-11-16")])


def _short(period: str) -> str:
    return period if len(period) <= 12 else f"{period[:11]}…"


def _dates(first: datetime, last: datetime) -> list[tuple[datetime, str]]:
    """Round dates between two."""
    days = (last - first) / timedelta(days=1)
    if days / 28 >= 3:
        months = next(
            step
            for step in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 12_000)
            if days / 30.5 / step < TICKS + 1
        )
        found, year, month = [], first.year, 1
        while (at := datetime(year, month, 1)) <= last:
            if at >= first:
                text = f"{at:%Y}" if months >= 12 else f"{at:%b %Y}"
                found.append((at, text))
            year, month = year + (month - 1 + months) // 12, (month - 1 + months) % 12 + 1
            if year > 9999:
                break
        return found or [(first, f"{first:%Y}")]
    hours = next(step for step in (1, 2, 6, 12, 24, 48, 96, 168, 336, 672) if days * 24 / step <= TICKS or step == 672)
    at, found = first.replace(hour=0, minute=0, second=0, microsecond=0), []
    while at <= last:
        if at >= first:
            found.append((at, f"{at.day} {at:%b}" if hours >= 24 else f"{at.day} {at:%b %H:%M}"))
        at += timedelta(hours=hours)
    return found or [(first, f"{first:%H:%M:%S}")]
