"""The numbers of `regression.json` are kept: decisions to the bit, regrets and figures of backtests to 1e-9."""

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
KEPT = json.loads((ROOT / "tests" / "regression.json").read_text())


@cache
def regression():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import regression as script
    finally:
        sys.path.pop(0)
    return script


def close(now, then, where):
    if isinstance(then, dict):
        assert now.keys() == then.keys(), where
        for name in then:
            close(now[name], then[name], f"{where}, {name}")
    elif isinstance(then, list):
        assert len(now) == len(then), where
        for place, (one, other) in enumerate(zip(now, then, strict=True)):
            close(one, other, f"{where}[{place}]")
    elif isinstance(then, float):
        assert np.isclose(now, then, rtol=1e-9, atol=1e-9), (where, now, then)
    else:
        assert now == then, where


@pytest.mark.compiled
@pytest.mark.parametrize("part", ["runs", "backtests"])
def test_numbers_are_kept(part):
    now = json.loads(json.dumps(getattr(regression(), part)()))
    close(now, KEPT[part], part)
