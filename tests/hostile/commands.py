"""Odd command lines as data: every option of every command with values that nobody should give.

`TABLE`, `HISTORY` and `LATIN` are files in the working directory, `report` is a new folder there, `full` one with
somebody else's file in it.
"""

TABLE, HISTORY, LATIN = "costs.csv", "history.csv", "latin.csv"
FILES = {
    TABLE: b"day,rail,road\n" + b"".join(b"%d,%d.5,%d\n" % (day, day % 3, day % 2) for day in range(1, 13)),
    HISTORY: b"rail,road\n0.5,0.5\n1,0\n",
    LATIN: "day,caf\xe9,th\xe9\n1,2,3\n2,3,4\n".encode("latin-1"),
    "empty.csv": b"",
    "escape.csv": b"day,\x1b[31mrail,\x1b]0;title\x07,a\n" + b"1,2,3,4\n2,3,4,5\n" * 6,
    "folder.csv/inside": b"",
    "full/thesis.tex": b"years of work",
    "broken.py": b"def",
    "leaving.py": b"raise SystemExit(1)",
}

ODD = {
    "empty": "",
    "blank": " ",
    "line break": "\n",
    "tab": "\t",
    "dash": "-",
    "two dashes": "--",
    "option-like": "--memory",
    "help-like": "--help",
    "negative": "-1",
    "minus zero": "-0.0",
    "zero": "0",
    "fraction": "1.5",
    "not a number": "nan",
    "infinite": "inf",
    "overflowing": "1e400",
    "tiny": "1e-400",
    "huge": "9" * 30,
    "too many digits": "9" * 5_000,
    "hexadecimal": "0x10",
    "with underscore": "1_0",
    "wide digits": "１２",  # noqa: RUF001
    "arabic digits": "٣",
    "unicode": "日本語 🚄",
    "right to left": "\u202egnp.exe",
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "csi": "\x9b31m",
    "half a character": "\udcff\ud800",
    "long": "a" * 10_000,
    "markup": "[bold]x[/bold] [/] :boom: [link=file:///]",
    "format": "%s %n {0} {} {{x}} ${HOME}",
    "shell": "$(touch hacked); `touch hacked` | touch hacked &",
    "quotes": "'\"",
    "unclosed": '"rail',
    "commas": ",,,",
    "None": "None",
    "True": "True",
    "colons": "a:b:c:d",
    "equals": "a=b=c",
    "parent": "..",
    "root": "/",
    "device": "/dev/null",
    "nowhere": "/no/such/place",
    "home": "~",
    "glob": "*",
    "at": "@",
    "at nothing": "@nothing",
    "address": "https://localhost:1/x.csv",
    "file address": "file:///etc/passwd",
}
MEMORIES = (
    *("window", "window:", "window:0", "window:-1", "window:1.5", "window:1e3", "window:nan", "window:1,2", "window:x"),
    *(
        "window:99999999999999999999",
        "WINDOW:2",
        " window:2 ",
        "window : 2",
        "window:length=2",
        "window:length=2,length=3",
    ),
    *(
        "window:2:3",
        "full:1",
        "full:",
        "full()",
        "geometric",
        "geometric:0",
        "geometric:1",
        "geometric:-0.5",
        "geometric:2",
    ),
    *("geometric:nan", "geometric:1e-320", "geometric:0.9999999999999999", "geometric:inf", "weights", "weights:"),
    *("weights:0", "weights:1", "weights:0.5,0.6", "weights:-1,2", "weights:nan,1", "weights:1e-300,1", "weights:,"),
    *("weights:[0.5,0.5]", "weights:" + ",".join(["0.0001"] * 10_000), "12", "hedge", "os:system", "os.path:join"),
    *(
        "bygones.memory:Window",
        "bygones.memory:Window:length=2",
        "bygones:Memory",
        "nothing.such:Memory",
        "costs:Memory",
    ),
    *(".:x", ":x", "x:", "bygones.memory.window:Window:0", "window(full):2", "(" * 2_000, "window:" + "9" * 5_000),
)
LEARNERS = (
    *("hedge:", "hedge:rate", "hedge:rate=", "hedge:rate=0", "hedge:rate=-1", "hedge:rate=nan", "hedge:rate=1e400"),
    *(
        "hedge:rate=1e300",
        "hedge:rate=x",
        "hedge:rate=1,rate=2",
        "hedge:speed=1",
        "hedge:tuning=",
        "hedge:tuning=paper",
    ),
    *(
        "hedge:play=pure",
        "hedge()",
        "hedge(hedge)",
        "pure",
        "pure()",
        "pure(",
        "pure)",
        "pure(pure(hedge))",
        "pure(fixed:0)",
    ),
    *("pure(" * 500 + "hedge" + ")" * 500, "pure(" * 50_000, "fixed", "fixed:0", "fixed:-1", "fixed:2", "fixed:rail"),
    *(
        "fixed:9999999999999999999999",
        "ftarl:tuning=sharp",
        "ftarl:rate=1e-320",
        "ftarl:memory_bound=nan",
        "lsa:tuning=x",
    ),
    *("lsa:rate=1e308", "steering(hedge)", "FTARL", "follow-the-leader", "follow_the_leader", "uniform:1"),
    *(
        "os:system",
        "sys:exit",
        "builtins:exec",
        "bygones.learners:Hedge",
        "bygones.learners:Hedge:rate=1",
        "bygones:Learner",
    ),
    *(
        "nothing.such:Learner",
        "costs:Learner",
        "costs.csv:Learner",
        "..costs:Learner",
        "bygones.cli:main",
        "__main__:x",
    ),
    *("broken:Learner", "leaving:Learner", "pure:learner=" * 500 + "hedge"),
    *('fixed:"', 'fixed:"0"', "ftpl:rate=[1]", "ftpl:rate={}", "window:2", "hedge:rate=0.1;hedge", "hedge,lsa"),
)

LIST = ["list"]
BOUND = ["bound", "--actions", "3", "--horizon", "20", "--memory", "window:2"]
BACKTEST = ["backtest", TABLE, "--memory", "window:2", "--learner", "uniform", "--range", "5", "--out", "report"]
REPRODUCE = ["reproduce", "--out", "report", "--format", "none"]  # a format that there is not: nothing is ever run


def _with(words, option, value):
    """A command line with another value of one option, which is its first positional argument if it has no name."""
    if not option:
        return [words[0], value, *words[2:]]
    if option in words:
        at = words.index(option)
        return [*words[: at + 1], value, *words[at + 2 :]]
    return [*words, option, value]


def _all():
    options = {
        "list": (LIST, ("--actions", "--horizon", "--window")),
        "bound": (BOUND, ("--actions", "--horizon", "--memory", "--range")),
        "backtest": (
            BACKTEST,
            (
                *("", "--memory", "--learner", "--time", "--actions", "--range", "--missing", "--history"),
                *("--switch-cost", "--trade-cost"),
            ),
        ),
        "reproduce": (REPRODUCE, ("--replicates", "--seed", "--only", "--format")),
    }
    for command, (words, names) in options.items():
        for name in names:
            for what, value in ODD.items():
                yield f"{command} {name or 'table'}: {what}", _with(words, name, value)
            if name:
                yield f"{command} {name}: no value", [*words, name]
                yield f"{command} {name}: with an equals sign", [*words, f"{name}=1"]
                yield f"{command} {name}: shortened", [*words, name[:-1], "1"]
    for what, value in ODD.items():
        if what not in ("parent", "home", "long"):  # which are folders outside, or too long a name
            yield f"backtest --out: {what}", _with(BACKTEST, "--out", value)
    for words, name in ((BOUND, "bound"), (BACKTEST, "backtest")):
        for k, memory in enumerate(MEMORIES):
            yield f"{name} memory {k}: {memory[:40]}", _with(words, "--memory", memory)
    for k, learner in enumerate(LEARNERS):
        yield f"backtest learner {k}: {learner[:40]}", _with(BACKTEST, "--learner", learner)
    for what, value in ODD.items():
        yield f"command: {what}", [value]
        yield f"option: {what}", [f"--{value}"]
    for table in ("empty.csv", "escape.csv", "folder.csv", LATIN, ".", HISTORY, "full/thesis.tex"):
        yield f"backtest of {table}", _with(BACKTEST, "", table)
    for out in ("full", TABLE, f"{TABLE}/deeper", "full/thesis.tex", "report/" * 40, "report/../report"):
        yield f"backtest into {out[:30]}", _with(BACKTEST, "--out", out)
        yield f"reproduce into {out[:30]}", _with(REPRODUCE, "--out", out)
    yield "backtest into too long a name", _with(BACKTEST, "--out", "a" * 10_000)
    yield "nothing", []
    yield "two commands", ["list", "bound"]
    yield "a table too many", [*BACKTEST, TABLE]
    yield "everything twice", [*BACKTEST, *BACKTEST[2:]]
    yield "rewards and prices", [*BACKTEST, "--rewards", "--prices"]
    yield "rewards with a value", [*BACKTEST, "--rewards=yes"]
    yield "a negated flag", [*BACKTEST, "--no-rewards"]
    yield "prices of a table that has zeros", [*BACKTEST, "--prices"]
    yield "the same learner twice", [*BACKTEST, "--learner", "uniform"]
    yield "a hundred learners", [*BACKTEST, *["--learner", "uniform"] * 100]
    yield "a history", [*BACKTEST, "--history", HISTORY]
    yield "a history that is a folder", [*BACKTEST, "--history", "full"]
    yield "one action", [*BACKTEST, "--actions", "rail"]
    yield "an action twice", [*BACKTEST, "--actions", "rail,rail"]
    yield "the time as an action", [*BACKTEST, "--actions", "day,rail"]
    yield "an action as the time", [*BACKTEST, "--time", "rail"]
    yield "options after two dashes", ["backtest", "--", TABLE, "--memory", "window:2"]
    yield "the version and a command", ["--version", "list"]
    yield "the help of nothing", ["--help", "nothing"]
    yield "all sections and nothing", [*REPRODUCE, "--only", "figure1", "--only", "nothing"]


COMMANDS = list(_all())
# Some of them as processes of their own: what only a real process shows, such as bytes that are no text.
PROCESSES = [case for k, case in enumerate(COMMANDS) if k % 37 == 0 and not any("\ud800" in word for word in case[1])]
