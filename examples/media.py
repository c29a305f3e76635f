"""A media house that lives off its reputation: readers come for what it has been about over the last four weeks.

The table is real: daily views of eight Wikipedia articles. A day's gain is the views of the mean of 28 days' choices.
"""

import polars as pl

import bygones as by


def main() -> None:
    """Who would have had the most readers, and how much the length of the public's memory matters."""
    result = by.backtest("@wikipedia", "window:28")
    print(result)
    print(f"Always {result.options['option'][0]}: {-result.options['total'][0]:,.0f} views.")
    print(f"With all views foreseen: {-result.clairvoyant:,.0f}.")
    with pl.Config(tbl_rows=20, float_precision=0):
        print(result.sensitivity.filter(learner="Steering").drop("learner", "length"))


if __name__ == "__main__":
    main()
