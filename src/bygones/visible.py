"""Texts from outside, made safe to show: a terminal obeys control characters, and a spreadsheet runs formulas."""

import unicodedata

UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, format (right-to-left, ...), half characters, breaks of lines
JOINERS = "\u200c\u200d"  # of letters and emoji, without which some names cannot be written
FORMULA = tuple("=+-@＝＋－＠")  # noqa: RUF001 - how a spreadsheet's formulas begin; some take wide signs too


def visible(text: str, keep: str = "") -> str:
    r"""Write characters that are not seen but obeyed, such as escapes of a terminal, as backslash sequences.

    Args:
        text: what somebody else may have written.
        keep: characters to leave as they are, such as a line break.

    Returns:
        The text in characters that can be seen.

    >>> print(visible("rail\x1b[31m\nroad\u202e"))
    rail\x1b[31m\nroad\u202e
    """
    if text.isprintable():
        return text
    left = keep + JOINERS
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in UNSEEN and sign not in left else sign
        for sign in text
    )


def cell(text: str) -> str:
    """A text as a cell of a CSV file: what a spreadsheet would run as a formula begins with an apostrophe.

    >>> [cell(text) for text in ("rail", "=cmd()", "@SUM(1)", "-1+1", "-1.5")]
    ['rail', "'=cmd()", "'@SUM(1)", "'-1+1", '-1.5']
    """
    shown = visible(text)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) and not _number(shown) else shown


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
