"""`bygones live`: what its commands enter and print, and what they refuse."""

import doctest
import json
import re
import shlex
import sqlite3
import subprocess
import sys
from datetime import date, timedelta
from inspect import cleandoc
from pathlib import Path

import pytest
from msgspec import to_builtins

import bygones as by
from bygones.cli import main

NEW = ["new", "--journal", "parts", "--option", "rail", "--option", "road", "--memory", "window:4", "--range", "5"]


@pytest.fixture
def live(tmp_path, monkeypatch, capsys):
    """Runs a command on a database in a new folder, and gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("BYGONES_DB", "j.db")

    def run(*words):
        code = main(["live", *map(str, words)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return run


@pytest.fixture
def parts(live):
    assert live(*NEW)[0] == 0
    return live


def opened():
    return by.Journal.open("j.db", "parts")


def told(run, *words):
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_journal_begins_with_options(live):
    code, out, _ = live(*NEW)
    lines = out.splitlines()
    assert code == 0
    assert lines[:4] == [
        "Began parts in j.db.",
        "For round 1: rail 50 %, road 50 %.",
        "  rail  ███████████████ 50 %",
        "  road  ███████████████ 50 %",
    ]
    assert "Promised: a regret of at most" in out
    code, out, err = live(*NEW)
    assert (code, out) == (2, "")
    assert "there is a journal 'parts' already" in err
    other = [
        "new",
        "--journal",
        "b",
        "--option",
        "1",
        "--option",
        "a,b",
        "--memory",
        "full",
        "--learner",
        "hedge:rate=0.5",
    ]
    status = told(live, *other, "--horizon", "9", "--seed", "3", "--gains", "--author", "ann")
    assert [each["name"] for each in status["options"]] == ["1", "a,b"]
    assert (status["horizon"], status["gains"], status["cost_range"]) == (9, True, None)
    with by.Journal.open("j.db", "b") as journal:
        (first,) = journal.events()
    assert (first.author, first.data["seed"], first.data["learner"]["type"]) == ("ann", 3, "Hedge")


def test_a_journal_begins_with_a_past(live, tmp_path):
    days = [date(2026, 1, 1) + timedelta(k) for k in range(12)]
    rows = [f"{day:%d.%m.%Y};{k % 3},5;{(k + 1) % 4},25" for k, day in enumerate(days)]
    (tmp_path / "costs.csv").write_text("day;rail;road\n" + "\n".join(rows))
    held = "".join(f"{day:%d.%m.%Y};road\n" for day in days[-5:])
    (tmp_path / "held.csv").write_text(f"day;choice\n{held}")
    past = [
        "--table",
        "costs.csv",
        "--held",
        "held.csv",
        "--memory",
        "window:4",
        "--decimal",
        ",",
        "--date-format",
        "day-first",
    ]
    code, out, _ = live("new", "--journal", "a", *past)
    assert code == 0
    assert [line.rstrip() for line in out.splitlines()[:3]] == [
        "Began a in j.db.",
        "Entered 12 rounds from costs.csv, the last one 2026-01-12.",
        "From now on the range of its costs is 2.75, the most by which those of a period",
    ]
    assert "Held before: road 100 %." in out
    status = told(live, "new", "--journal", "b", *past, "--range", "9", "--actions", "road,rail")
    assert (status["cost_range"], [each["name"] for each in status["options"]]) == (9.0, ["road", "rail"])
    assert told(live, "observe", "--journal", "a", *past[:2], *past[-4:]) == {"events": []}
    (tmp_path / "more.csv").write_text("\n".join(["day;rail;road", *rows[-2:], "13.01.2026;1;2", "14.01.2026;2;1"]))
    words = ["observe", "--journal", "a", "--table", "more.csv", *past[-4:]]
    code, out, _ = live(*words)
    assert (code, out.splitlines()[0]) == (0, "2 new rounds entered from more.csv: 2026-01-13 to 2026-01-14.")
    assert live(*words)[1].splitlines()[0] == "0 new rounds entered from more.csv."
    (tmp_path / "more.csv").write_text("\n".join(["day;rail;road", "15.01.2026;1;2", "16.01.2026;9;1"]))
    code, out, err = live(*words)
    assert (code, out) == (2, "")
    assert "with --clip" in err
    assert told(live, "decide", "--journal", "a")["round"] == 15, "of a table all rows are entered, or none"
    assert len(told(live, *words, "--clip")["events"]) == 2
    long = "time,who,cost\n2026-01-01,rail,1\n2026-01-01,road,2\n2026-01-02,rail,3\n2026-01-02,road,1\n"
    (tmp_path / "long.csv").write_text(long)
    form = ["--table", "long.csv", "--option", "who", "--value", "cost"]
    assert told(live, "new", "--journal", "c", "--memory", "window:2", *form)["rounds"] == 2
    assert told(live, "observe", "--journal", "c", *form)["events"] == []


def test_a_day_in_the_life_of_a_journal(parts):
    code, out, _ = parts("observe", "rail=1,road=3", "--period", "2026-11-16")
    assert (code, out.splitlines()[0]) == (0, "Round 1, 2026-11-16: its costs are entered (event 2).")
    assert out.splitlines()[1].startswith("For round 2, after 2026-11-16: rail ")
    code, out, _ = parts("observe", "1,3.0", "--period", "2026-11-16")
    assert (code, out.splitlines()[0]) == (0, "Round 1, 2026-11-16 is event 2 already: nothing has changed.")
    assert told(parts, "observe", "1,3", "--period", "2026-11-16")["new"] is False
    code, out, _ = parts("override", "road")
    assert code == 0
    assert "For round 2, after 2026-11-16: road, which is really done." in out
    assert "The learner advises: rail " in out
    assert told(parts, "decide")["decision"] == {"road": 1.0}
    assert parts("undo")[1].startswith("Round 2: the last entry about it is taken back (event 4).\n")
    event = told(parts, "propose", "rail=0.5,road=0.5", "--author", "ann", "--key", "k")
    assert (event["kind"], event["author"], event["key"], event["new"]) == ("proposed", "ann", "k", True)
    assert told(parts, "propose", "rail=0.5,road=0.5", "--key", "k") == event | {"new": False}
    out = parts("commit", "--period", "2026-11-17")[1]
    assert "Decided, with costs still to come: 2026-11-17." in out
    assert parts("observe", "-1,-2", "--period", "2026-11-17")[0] == 0, "what begins with a minus is no option"
    assert parts("join", "barge")[1].startswith("Round 3: the option has joined (event 8).")
    assert "Retired but still held, so that costs are needed: rail." in parts("retire", "rail")[1]
    assert parts("rename", "road", "truck")[0] == 0
    status = told(parts, "status")
    assert [(each["name"], each["open"]) for each in status["options"]] == [
        ("rail", False),
        ("truck", True),
        ("barge", True),
    ]
    assert told(parts, "observe", "1,2,3", "--period", "2026-11-18")["body"]["costs"] == [1, 2, 3]
    out = parts("status")[1]
    assert "Nothing is promised any more: barge joined before round 3." in out
    assert "In 3 rounds you paid" in out
    assert told(parts, "verify") == {"sound": True, "events": 11, "rounds": 3, "faults": [], "notes": []}


def test_json_is_what_the_library_says(parts, tmp_path):
    parts("observe", "1,3", "--period", "a")
    with opened() as journal:
        status = journal.status()
        assert told(parts, "status") == to_builtins(status)
        assert told(parts, "decide") == {
            "journal": "parts",
            "round": 2,
            "decision": status.decision,
            "state": {each.name: each.state for each in status.options},
            "overridden": False,
            "events": 2,
            "hash": status.hash,
        }
        assert told(parts, "history")["rounds"] == journal.history().to_dicts()
        assert told(parts, "list") == [{"journal": "parts", "rounds": 1, "last": "a", "events": 2, "hash": status.hash}]
        assert told(parts, "export", "--out", "log.jsonl") == {"path": "log.jsonl"}
        log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
        assert log == [each.public() for each in journal.events()]
    event = told(parts, "observe", "1,2", "--period", "b")
    assert event.pop("new") is True
    with opened() as journal:
        assert event == journal.events()[-1].public()


def test_tables_are_printed(parts, tmp_path):
    for k in range(12):
        parts("observe", "1,3", "--period", f"day {k}")
    out = parts("history", "--last", "3")[1]
    assert [f"day {k}" in out for k in (8, 9, 11)] == [False, True, True]
    assert "rail 100 %" in out
    assert parts("export", "--out", "rounds.csv")[1] == "Wrote rounds.csv\n"
    assert len((tmp_path / "rounds.csv").read_text().splitlines()) == 13
    assert "day 11" in parts("list")[1]


def test_answers_are_short(live):
    names = [f"a supplier with a rather long name, number {k}" for k in range(30)]
    options = [word for name in names for word in ("--option", name)]
    assert live("new", "--journal", "j", *options, "--memory", "window:9", "--range", "5")[0] == 0
    row = ",".join(str(k % 5) for k in range(30))
    for k in range(3):
        live("observe", row, "--period", f"period {k}")
    live("override", names[7])
    live("commit", "--period", "x" * 200)
    live("retire", names[3])
    code, out, _ = live("status")
    assert code == 0
    assert len(out.splitlines()) <= 25
    assert max(map(len, out.splitlines())) <= 80
    assert live("decide")[1].splitlines()[0].startswith("For round 5, after x")


def test_the_only_journal_needs_no_name(live):
    code, _, err = live("status")
    assert (code, err) == (2, "bygones: there is no database j.db: create a journal first\n")
    live(*NEW)
    assert told(live, "status")["journal"] == "parts"
    live("new", "--journal", "b", "--option", "x", "--option", "y", "--memory", "full", "--learner", "hedge:rate=1")
    code, _, err = live("status")
    assert (code, err) == (2, "bygones: j.db holds several journals, b, parts: name one with --journal\n")
    assert told(live, "status", "--journal", "b", "--db", "j.db")["journal"] == "b"
    code, _, err = live("status", "--journal", "c")
    assert (code, err) == (2, "bygones: there is no journal 'c': there are b, parts\n")


def test_the_database_is_an_option_or_in_the_environment(live, monkeypatch):
    monkeypatch.delenv("BYGONES_DB")
    code, _, err = live("list")
    assert code == 2
    assert "Missing option '--db' (env var: 'BYGONES_DB')" in err


ODD = ["a=b", "one, two", 'say "x"', "1", "-2", "day 1"]


def test_names_may_have_any_sign_in_them(live):
    live(
        "new",
        "--journal",
        "odd",
        *[f"--option={name}" for name in ODD],
        "--memory",
        "window:4",
        "--range",
        9,
    )
    costs = 'a=b=1,"one, two"=2,"say ""x"""=3,1=4,-2=5,day 1=6'
    assert told(live, "observe", costs, "--period", "1")["body"]["costs"] == [1, 2, 3, 4, 5, 6]
    for k, name in enumerate(ODD):
        if not name.startswith("-"):
            assert told(live, "override", name)["body"]["decision"] == k
            live("undo")
    assert told(live, "override", '"one, two"')["body"]["decision"] == 1
    live("undo")
    assert told(live, "override", '"one, two"=0.25,a=b=0.75')["body"]["decision"][:2] == [0.75, 0.25]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["observe", "rail=1,road=2"], "the round has no name: give it a date or any text with --period"),
        (["observe"], "give costs, such as rail=1.2,road=0.9, or a table with --table: one of the two"),
        (["observe", "1,2", "--table", "costs.csv"], "one of the two"),
        (["observe", "--table", "costs.csv", "--period", "b"], "--period and --key are about one round"),
        (["observe", "--table", "costs.csv", "--key", "b"], "--period and --key are about one round"),
        (["observe", "--table", "nothing.csv"], "nothing.csv: there is no such file"),
        (["observe", "rail=1,road=two", "--period", "b"], "that of 'road' is 'two'; give rail=1.2,road=0.9"),
        (["observe", "rail=1,2", "--period", "b"], "some have names, and others have none"),
        (["observe", "rail=1,rail=2", "--period", "b"], "'rail' is there twice"),
        (["observe", "1;2", "--period", "b"], "'1;2' is no number"),
        (["observe", "", "--period", "b"], "the costs given as ''"),
        (["observe", "rail=1", "--period", "b"], "the cost of 'road' is missing: give those of 'rail', 'road'"),
        (["observe", "rail=1,raod=2", "--period", "b"], "there is no option 'raod'"),
        (["observe", "1,2,3", "--period", "b"], "give 2 costs a round"),
        (["observe", "1,nan", "--period", "b"], "is nan at round 2"),
        (["observe", "1,99", "--period", "b"], "the range of the journal is 5: correct it, or let the learner see"),
        (["observe", "1,99", "--period", "b"], "with --clip; promises end then"),
        (["observe", "1,2", "--period", "2026-11-16"], "has other costs already: 'rail=1, road=3', not [1.0, 2.0]"),
        (["observe", "1,2", "--period", "2026-11-15"], "2026-11-15 is before the last period, 2026-11-16"),
        (["observe", "1,2", "--period", " b"], "the period is ' b': give a text without line breaks"),
        (
            ["observe", "1,2", "--perid", "b"],
            "unexpected extra argument(s) (--perid b); see bygones live observe --help",
        ),
        (["observe", "--tabel=costs.csv"], "No such option: --tabel=costs.csv"),
        (["observe", "1,2", "--period", "b", "--key", "\x1b"], r"the key is '\x1b': give a text without line breaks"),
        (["override", "raod"], "there is no option 'raod'"),
        (["override", "rail=0.5,road=0.6"], "must add up to one"),
        (["override", "0.5,road=0.6"], "the decision given as"),
        (["propose", "rail=2"], "must not be negative and must add up to one"),
        (["commit", "--period", "2026-11-16"], "2026-11-16 was decided already"),
        (["commit", "--period", "2026-11-15"], "2026-11-15 is before the last period, 2026-11-16"),
        (["rename", "raod", "truck"], "there is no option 'raod'"),
        (["rename", "rail", "road"], "there is or was an option 'road' already"),
        (["retire", "rail"], "one of the last two options"),
        (["join", "rail"], "there is an option 'rail' already"),
        (["export", "--out", "rounds.txt"], "give one that ends in .csv, .parquet, .jsonl"),
        (["history", "--last", "0"], "--last is 0: give a whole number of at least 1"),
        (["status", "--journal", "../parts"], "the journal's name is '../parts'"),
        (["status", "--learner-class", "hedge"], "the class of a learner is 'hedge': give package.module:Class"),
        (["status", "--learner-class", "no_such:Mine"], "there is no learner or module 'no_such'"),
        (["status", "--memory-class", "json:JSONDecoder"], "is not a subclass of bygones.Memory"),
        (["status", "--db", "mysql://a:secret@b/c"], "give a path, sqlite:///path or postgresql://user@host/name"),
        (["status", "--author", "x"], "No such option: --author"),
        (["decide", "--db", "costs.csv"], "costs.csv is damaged, or is not a database"),
        (["new", "--journal", "b", "--memory", "full"], "name the options, each with --option, or give --table"),
        (["new", "--journal", "b", "--memory", "full", "--option", "a"], "give at least 2"),
        (["new", "--journal", "b", "--memory", "window", "--option", "a"], "the memory is 'window'"),
        (["new", *NEW[3:-2], "--journal", "b"], "needs the problem's cost_range, unknown here: give --range"),
        (["new", *NEW[3:], "--journal", "b", "--learner", "hegde"], "the learner is 'hegde'"),
        (["new", *NEW[3:], "--journal", "a/b"], "the journal's name is 'a/b'"),
        (
            ["new", *NEW[3:], "--journal", "b", "--held", "x.csv"],
            "--held is about a table: give --table, or leave it out",
        ),
        (["new", *NEW[3:], "--journal", "b", "--sort", "ascending"], "--sort is about a table"),
        (
            ["new", *NEW[3:], "--journal", "b", "--table", "costs.csv"],
            "--option names a column of a long table, so once",
        ),
        (["new", *NEW[3:], "--journal", "b", "--db", "nowhere/j.db"], "there is no folder nowhere"),
    ],
)
def test_mistakes_are_sentences_and_change_nothing(parts, tmp_path, words, complaint):
    parts("observe", "1,3", "--period", "2026-11-16")
    (tmp_path / "costs.csv").write_text("day,rail,road\n2026-11-16,1,3\n2026-11-17,1,2\n")
    before = told(parts, "list")
    code, out, err = parts(*words)
    assert (code, out) == (2 if "damaged" not in complaint else 1, "")
    assert err.startswith("bygones: ")
    assert err.count("\n") == 1
    assert complaint in err
    assert "secret" not in err
    assert told(parts, "list") == before


def test_nothing_to_undo_and_no_guard(live):
    live("new", "--journal", "h", "--option", "x", "--option", "y", "--memory", "full", "--learner", "hedge:rate=1")
    code, _, err = live("undo")
    assert (code, err) == (2, "bygones: there is nothing to undo: nothing was entered since the journal began\n")
    assert "which takes no proposals" in live("propose", "x")[2]


OWN = """
    import bygones as by

    class Mine(by.Hedge, frozen=True):
        '''Hedge under another name.'''
"""


def test_classes_of_ones_own(live, tmp_path, monkeypatch):
    (tmp_path / "our_learners.py").write_text(cleandoc(OWN))
    monkeypatch.syspath_prepend(tmp_path)
    words = ["--option", "x", "--option", "y", "--memory", "full", "--learner", "our_learners:Mine:rate=1.0"]
    assert live("new", "--journal", "j", *words)[0] == 0
    code, _, err = live("decide")
    assert code == 2
    assert "the learner Mine, which bygones does not have: give --learner-class package.module:Mine\n" in err
    assert told(live, "decide", "--learner-class", "our_learners:Mine")["decision"] == {"x": 0.5, "y": 0.5}
    assert live("observe", "1,2", "--period", "a", "--learner-class", "our_learners:Mine")[0] == 0


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE bygones_events SET body = replace(body, '3', '4') WHERE number = 2", "event 2 (observed, "),
        ("UPDATE bygones_events SET body = 'x' WHERE number = 1", "event 1 (created, "),
        ("DELETE FROM bygones_events WHERE number = 3", "events are missing at its end"),
        ("DELETE FROM bygones_rounds WHERE round = 1", "the index of the rounds is not that of the log"),
        (
            "DELETE FROM bygones_rounds; DELETE FROM bygones_events; UPDATE bygones_journals SET events = 0",
            "event 1 is missing",
        ),
    ],
)
def test_verify_finds_damage_and_says_so_by_its_exit_code(parts, damage, found):
    for period in "ab":
        parts("observe", "1,3", "--period", period)
    assert parts("verify") == (0, "3 events and 2 rounds: sound\n", "")
    with sqlite3.connect("j.db") as database:
        database.executescript(damage)
    database.close()
    code, out, _ = parts("verify")
    assert code == 1
    assert out.splitlines()[0].endswith(": damaged")
    assert found in out
    code, out, _ = parts("verify", "--json")
    assert (code, json.loads(out)["sound"]) == (1, False)
    if "bygones_rounds WHERE" not in damage:
        code, out, err = parts("observe", "1,2", "--period", "c")
        assert (code, out) == (1, "")
        assert "restore it from a backup" in err


def test_a_damaged_file_is_damage(parts, tmp_path):
    with sqlite3.connect("j.db") as database:
        database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    content = (tmp_path / "j.db").read_bytes()
    (tmp_path / "j.db").write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))
    code, out, err = parts("verify")
    assert (code, out) == (1, "")
    assert err == "bygones: j.db is damaged, or is not a database: restore it from a backup\n"


def test_what_is_not_installed_is_said(live, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("bygones.live")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(by, "live", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    for words in (NEW, ["list"], ["decide"]):
        code, out, err = live(*words)
        assert (code, out) == (2, "")
        assert err == "bygones: a journal needs SQLAlchemy, which is not installed: pip install bygones[live]\n"


WRITER = """
    import sys
    from bygones.cli import main

    for k in range(20):
        words = ["observe", f"{k % 3},{k % 5}", "--period", f"{sys.argv[1]} {k}", "--author", sys.argv[1]]
        if main(["live", *words]) != 0:
            sys.exit(1)
"""


def test_two_processes_that_write_at_once_lose_nothing(parts):
    command = [sys.executable, "-c", cleandoc(WRITER)]
    both = [subprocess.Popen([*command, who], stdout=subprocess.DEVNULL) for who in ("ann", "bob")]
    assert [each.wait() for each in both] == [0, 0]
    with opened() as journal:
        rounds = journal.history()
        assert journal.verify().sound
    for who in ("ann", "bob"):
        own = rounds.filter(author=who)
        assert own["period"].to_list() == [f"{who} {k}" for k in range(20)]
        assert own["cost: road"].to_list() == [k % 5 for k in range(20)]
    assert len(rounds) == 40


KILLED = """
    import os, signal, sys
    from bygones.cli import main
    from bygones.live.ledger import Ledger

    enter, left = Ledger.enter, int(sys.argv[1])

    def counted(*given, **named):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return enter(*given, **named)

    Ledger.enter = counted
    main(["live", "observe", "--table", "costs.csv"])
"""


@pytest.mark.parametrize("entered", [1, 300])
def test_of_a_table_all_is_entered_or_nothing_when_killed(parts, tmp_path, entered):
    lines = ["day,rail,road", *(f"{date(2026, 1, 1) + timedelta(k)},{k % 3},{k % 5}" for k in range(400))]
    (tmp_path / "costs.csv").write_text("\n".join(lines))
    killed = subprocess.run([sys.executable, "-c", cleandoc(KILLED), str(entered)], capture_output=True, check=False)
    assert killed.returncode == -9
    assert told(parts, "decide")["round"] == 1
    assert len(told(parts, "observe", "--table", "costs.csv")["events"]) == 400
    assert told(parts, "verify")["rounds"] == 400


def test_the_page_shows_what_its_commands_print(live, tmp_path):
    root = Path(__file__).parents[2]
    (tmp_path / "examples").symlink_to(root / "examples")
    page = (root / "docs" / "live.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\n\$ bygones live ([^\n]*)\n(.*?)```", page, flags=re.S)
    assert len(blocks) == 7
    for command, shown in blocks:
        code, out, err = live(*shlex.split(command))
        assert code == (2 if shown.startswith("bygones: ") else 0)
        printed = "".join(f"{line.rstrip()}\n" for line in (out + err).replace("j.db", "journals.db").splitlines())
        assert doctest.OutputChecker().check_output(shown, printed, 0), f"{command} prints:\n{printed}"
    for word in ("learner", "memory", "state", "Regret"):
        assert re.search(rf"\*{word}\*", page)
