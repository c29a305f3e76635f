"""Tables for LaTeX papers."""

import math
from collections.abc import Collection, Sequence

_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


Name = str | tuple[str, ...]


def latex_table(
    head: str,
    rows: Sequence[tuple[Name, float, float | None]],
    bold: Collection[Name],
    names: Sequence[str] = ("Learner",),
) -> str:
    r"""A table of means with standard errors, which needs the LaTeX package booktabs.

    Args:
        head: what the means are of.
        rows: a name, a mean, and its standard error or None; a name may have several parts.
        bold: the names whose means are bold.
        names: what the parts of a name are: one column each.

    Returns:
        The `tabular` environment; numbers show two digits of the smallest standard error.

    >>> print(latex_table("Regret", [("FTARL", 1234.5678, 2.13), ("A & B", 1300.0, 12.0)], {"FTARL"}))
    \begin{tabular}{lr}
    \toprule
    Learner & Regret \\
    \midrule
    FTARL & $\mathbf{1{,}234.6} \pm 2.1$ \\
    A \& B & $1{,}300.0 \pm 12.0$ \\
    \bottomrule
    \end{tabular}
    """
    largest = max(abs(mean) for _, mean, _ in rows) or 1.0
    finest = max(min((error for *_, error in rows if error), default=largest / 100), largest * 1e-6)
    decimals = max(0, 1 - math.floor(math.log10(finest)))

    def number(value: float) -> str:
        return f"{value:,.{decimals}f}".replace(",", "{,}")

    lines = []
    for name, mean, error in rows:
        value = rf"\mathbf{{{number(mean)}}}" if name in bold else number(mean)
        spread = "" if error is None else rf" \pm {number(error)}"
        lines.append(rf"{_parts((name,) if isinstance(name, str) else name)} & ${value}{spread}$ \\")
    begin = rf"\begin{{tabular}}{{{'l' * len(names)}r}}"
    top = [begin, r"\toprule", rf"{_parts(names)} & {head} \\", r"\midrule"]
    return "\n".join([*top, *lines, r"\bottomrule", r"\end{tabular}"])


def _parts(names: Sequence[str]) -> str:
    return " & ".join(name.translate(_SPECIAL) for name in names)
