"""Ordinary business files are read right, or asked about with options that then work; none needs editing."""

import numpy as np
import pytest
from business import BUSINESS

from bygones.cli import main
from bygones.io import read_table

ASKED = [case for case in BUSINESS if case.asked]


def test_there_are_enough():
    assert len(BUSINESS) >= 90
    assert len({case.about for case in BUSINESS}) == len(BUSINESS)
    assert len(ASKED) >= 12


@pytest.fixture
def file(tmp_path):
    def write(case):
        path = tmp_path / case.file
        path.write_bytes(case.content())
        return path

    return write


def holds(rows, case, answer=None):
    values = case.values if answer is None or answer.values is None else answer.values
    times = case.times if answer is None or answer.times is None else answer.times
    names = (answer.keywords.get("actions") if answer else None) or case.names
    assert rows.names == tuple(names)
    assert rows.times.to_list() == list(times)
    np.testing.assert_array_equal(rows.values, values)
    return True


@pytest.mark.parametrize("case", BUSINESS, ids=lambda case: case.about)
def test_a_business_file_is_read_right_or_asked_about(case, file, counted):
    path = file(case)
    if case.asked:
        with pytest.raises(ValueError, match=r"^.*: .*") as error:
            read_table(path)
        assert case.asked in str(error.value)
        for answer in case.answers:
            assert all(f"{keyword}=" in str(error.value) for keyword in list(answer.keywords)[:1])
            assert holds(read_table(path, **answer.keywords), case, answer)
    elif case.keywords:
        assert read_table(path, **case.keywords).values.tolist() == case.values.tolist()
    else:
        rows = read_table(path)
        assert holds(rows, case)
        assert any(case.noted in note for note in rows.notes) or not case.noted
    counted("business files")


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.about)
def test_the_command_line_asks_and_takes_the_answer(case, file, tmp_path, capsys):
    words = ["backtest", str(file(case)), "--memory", "window:2", "--learner", "uniform", "--range", "2e6"]
    words += ["--out", str(tmp_path / "out")]
    assert main(words) == 2
    question = capsys.readouterr().err
    for keyword, value in case.answers[0].keywords.items():
        option = f"--{keyword.replace('_', '-')}"
        assert option in question
        words += [option, ",".join(value) if isinstance(value, list) else value]
    assert main(words) == 0, capsys.readouterr().err
