"""The rounds as pages draw them: followed as a journal grows, and the same as when read from the beginning."""

import numpy as np
import pytest

import bygones as by
from bygones.live.pages import Trail, Visitor, drawing, journal_page, seen, trail, wording
from bygones.live.pages.drawing import Fill, Share
from bygones.live.pages.periods import following, places


@pytest.fixture
def journal(tmp_path):
    problem = by.Problem(["rail", "road", "sea"], 3000, by.Geometric(0.9), 5.0)
    with by.Journal.create(tmp_path / "journals.db", "parts", problem, author="ann") as made:
        yield made


def follow(journal, followed):
    journal.reading(lambda connection: followed.follow(journal.ledger, connection))
    return followed


def same(one, other):
    return len(one) == len(other) and all(
        all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
        for first, second in zip(one, other, strict=True)
    )


def test_a_trail_that_was_broken_off_begins_anew(journal, monkeypatch):
    followed = Trail()
    journal.observe([1.0, 2.0, 3.0])
    follow(journal, followed)
    journal.observe([1.0, 2.0, 3.0])
    mark = Trail._mark

    def broken(*arguments):
        mark(*arguments)
        raise ConnectionError("the database is gone")

    with monkeypatch.context() as patch:
        patch.setattr(Trail, "_mark", broken)
        with pytest.raises(ConnectionError):
            follow(journal, followed)
    assert same(follow(journal, followed).marks, follow(journal, Trail()).marks)


@pytest.mark.parametrize(("marks", "every"), [(480, 256), (7, 3)])
def test_a_trail_that_follows_is_one_that_begins_anew(journal, monkeypatch, marks, every):
    """With overrides, proposals, late costs, options that come and go, and undo back and forth."""
    monkeypatch.setattr(trail, "MARKS", marks)
    monkeypatch.setattr(trail, "EVERY", every)
    rng, followed = np.random.default_rng(3), Trail()
    for step in range(60):
        what = rng.integers(8)
        if step in (20, 30, 40) and journal.status().overridden:  # options do not change under an override
            journal.commit(f"p{step}")
        if step in (20, 40):
            journal.join(f"new {step}")
        elif step == 30:
            journal.retire("road")
        elif what == 0 and journal.status().events > 1:
            for _ in range(min(int(rng.integers(1, 6)), journal.rounds)):
                journal.undo()
        elif what == 1 and not journal.status().overridden:
            journal.override(str(rng.choice(["rail", "sea"])))
        elif what == 2 and len(journal.waiting) < 2:
            journal.commit(f"p{step}")
        else:
            needed = [each.name for each in journal.status().options if each.needed]
            journal.observe({name: float(rng.random() * 4) for name in needed})
        if step % 3 == 0:
            follow(journal, followed)
    follow(journal, followed)
    anew = follow(journal, Trail())
    assert len(followed.last) > 5
    assert same(followed.last, anew.last)
    assert followed.marks[-1].round == anew.marks[-1].round == journal.rounds
    if marks > 60:
        assert same(followed.marks, anew.marks)
    assert len(followed.marks) <= marks
    assert sum(mark.rounds for mark in followed.marks) == journal.rounds
    history = journal.history()
    n = len(journal.names)
    done = history.select(f"decision: {name}" for name in journal.names).to_numpy()
    states = history.select(f"state: {name}" for name in journal.names).to_numpy()
    sums = trail.stacked([mark.decisions for mark in followed.marks], n)
    at = [mark.round - 1 for mark in followed.marks]
    assert np.allclose(sums.cumsum(axis=0), done.cumsum(axis=0)[at])
    assert np.allclose(trail.stacked([mark.state for mark in followed.marks], n), states[at])
    assert followed.marks[-1].regret == journal.regret
    assert [each.paid for each in followed.last] == pytest.approx(history["paid"].to_list()[-len(followed.last) :])


def test_a_trail_notices_another_database(tmp_path):
    """Restored from a backup, or begun anew under the same name: nothing of the old one is left."""
    journals = []
    for k in (1, 2):
        made = by.Journal.create(tmp_path / f"{k}.db", "parts", by.Problem(2, None, by.Window(2), 5.0))
        for _ in range(6):
            made.observe([float(k), 1.0])
        journals.append(made)
    followed = Trail()
    for journal in journals:
        follow(journal, followed)
        assert same(followed.last, follow(journal, Trail()).last)
        journal.close()


def test_the_guarantee_that_is_drawn_is_that_of_each_round(journal):
    rng, expected, followed = np.random.default_rng(1), [], Trail()
    for _ in range(12):
        journal.observe(rng.random(3) * 5)
        expected.append((journal.regret, journal.guarantee))
    assert [(mark.regret, mark.guarantee) for mark in follow(journal, followed).marks] == expected
    chart = drawing.regret_chart(followed.marks)
    assert [line.name for line in chart.lines] == ["regret", "guarantee"]
    journal.join("air")
    journal.observe(rng.random(4))
    assert follow(journal, followed).marks[-1].guarantee is None
    assert drawing.regret_chart(followed.marks).lines[1].path.count("L") == 11  # the line ends


def test_charts_of_one_round_and_of_equal_values(tmp_path):
    with by.Journal.create(tmp_path / "j.db", "parts", by.Problem(2, None, by.Window(2)), "followtheleader") as journal:
        for value in (0.0, 0.0, -3.0):
            journal.observe([value, value])
            page = journal.reading(lambda c: journal_page(Visitor("", ()), seen(journal.ledger, c, Trail())))
            assert "nan" not in page
            assert "<form" not in page


def test_bars_of_many_options_share_what_is_small():
    weights = [0.5, 0.2, 0.1, 0.1, 0.05, 0.03, 0.01, 0.01]
    names = [f"o{k}" for k in range(8)]
    (shares,) = drawing.shares_of(names, weights)
    assert [share.name for share in shares] == [*names[:6], "2 others"]
    assert shares[-1].fill == drawing.fill_of(None)
    assert sum(share.weight for share in shares) == pytest.approx(100)
    assert shares[1] == Share("o1", 20.0, drawing.fill_of(1), 50.0, "20\xa0%")
    now, then = drawing.shares_of(["a", "b"], [1.0, 0.0], [0.3, 0.7])
    assert [(share.name, share.text) for share in now] == [("a", "100\xa0%"), ("b", "0\xa0%")]
    assert [share.begins for share in then] == [0.0, 30.0]
    looks = {drawing.fill_of(k)[1:] for k in range(84)}
    assert len(looks) == 84  # by colour and texture
    assert isinstance(drawing.fill_of(3), Fill)


@pytest.mark.parametrize(
    ("periods", "expected"),
    [
        (["2026-11-16 08:00:00", "2026-11-16 09:00:00"], "2026-11-16 10:00:00"),
        (["2026-11-16T08:00:00", "2026-11-17T08:00:00"], "2026-11-18T08:00:00"),
        (["2026-12-31"], "2027-01-01"),
        (["2026-11-30", "2026-12-31"], "2027-01-31"),
        (["2026-11-06", "2026-11-13", "2026-11-20"], "2026-11-27"),
        (["2026-08-03", "2026-08-31", "2026-09-28"], "2026-10-26"),
        (["2027-02-01", "2027-03-01"], "2027-04-01"),
        (["2026-11", "2026-12"], "2027-01"),
        (["20261116"], "5"),
        (["week 46", "week 47"], "5"),
        (["9999-12-31"], "5"),
    ],
)
def test_the_next_period_is_a_step_further(periods, expected):
    assert following(periods, 5) == expected


@pytest.mark.parametrize("last", ["2026-11-16T01:00:00", "2026-11-17", "2026-12-24", "2028-01-01", "2390-01-01"])
def test_an_axis_has_some_labels_for_any_span(last):
    at, ticks = places(["2026-11-16", last], [1, 2])
    assert at == [0.0, 1.0]
    assert 1 <= len(ticks) <= 8
    assert all(0 <= tick.at <= 1 for tick in ticks)
    assert len({tick.text for tick in ticks}) == len(ticks)


def test_words_for_a_lost_promise_and_one_that_is_at_risk(tmp_path):
    problem = by.Problem(3, 60, by.Window(4), 2.0)
    with by.Journal.create(tmp_path / "j.db", "parts", problem, "guarded:slack=0.02") as journal:
        said = []
        for _ in range(60):
            journal.override([float(k == 2) for k in range(3)])
            said.append(" ".join(wording.sure(journal.status())))
            journal.observe([0.0, 0.0, 2.0])
        said.append(" ".join(wording.sure(journal.status())))
    assert "whatever the costs are within the range, if you do what is decided here" in said[0]
    assert any("may be lost by what is done in this round" in each for each in said)
    assert any("The first promise was lost in round" in each for each in said)
