"""Studies in TOML files: read with all mistakes at once, each with its line; and written."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from ..validation import shown
from .declaration import SECTIONS, Fault, Study, faults, is_table

FIELDS: dict[str, tuple[str, ...]] = {
    section: tuple(name for name, own in SECTIONS.items() if own == section) for section in ("study", "problem")
}


def read_study(path: Path) -> Study:
    """Read a study from a TOML file.

    Args:
        path: the file, with the sections `[study]`, `[problem]` and `[grid]`.

    Returns:
        The study.

    Raises:
        ValueError: with all mistakes, one line each: where, what, and the nearest valid name.
        OSError: if the file cannot be read.
    """
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text in UTF-8: give a TOML file") from None
    except OSError as error:
        remedy = "give a TOML file, such as `bygones study new` writes"
        raise OSError(f"{path} cannot be read: {error.strerror}; {remedy}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None
    fields: dict[str, Any] = {}
    misplaced = list(_taken(data, fields))
    if isinstance(fields.get("costs"), list):  # tables are looked for beside the file
        fields["costs"] = [_beside(path.parent, each) for each in fields["costs"]]
    found = [*misplaced, *faults(fields)]
    if found:
        placed = sorted(((_line(text, fault, fields), str(fault)) for fault in found), key=lambda pair: pair[0])
        said = [f"{path}, line {line}: {fault}" if line else f"{path}: {fault}" for line, fault in placed]
        raise ValueError("\n".join(said))
    return Study(**fields)


def _taken(data: Mapping[str, Any], fields: dict[str, Any]) -> Iterator[Fault]:
    """Take the fields out of the sections; what has no place is a fault."""
    for section, content in data.items():
        if section not in (*FIELDS, "grid") or not isinstance(content, dict):
            yield Fault(section, "", f"there is no such section{_meant(section, [*FIELDS, 'grid'])}")
        elif section == "grid":
            fields["grid"] = content
        else:
            for name, value in content.items():
                if name in FIELDS[section]:
                    fields[name] = value
                else:
                    elsewhere = (
                        f"; it belongs in [{SECTIONS[name]}]" if name in SECTIONS else _meant(name, FIELDS[section])
                    )
                    yield Fault(section, name, f"unknown field {shown(name)} in [{section}]{elsewhere}")


def _beside(folder: Path, costs: Any) -> Any:  # noqa: ANN401
    """Costs in words; the path of a table, which is from a folder, is made absolute: files that name it may move."""
    table = isinstance(costs, str) and is_table(costs) and not costs.startswith("@")
    return str((folder / costs).absolute()) if table else costs


def _meant(name: str, names: Any) -> str:  # noqa: ANN401
    """The nearest valid name, as a question; else all of them."""
    close = get_close_matches(name, names, n=1)
    return f": did you mean {close[0]!r}?" if close else f": there are {', '.join(names)}"


def _line(text: str, fault: Fault, fields: Mapping[str, Any]) -> int:
    """The line of a fault, of its value where that is in a list; 0 if its key cannot be found."""
    lines = text.splitlines()
    section, at = "", 0
    for number, line in enumerate(lines, 1):
        if heading := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            section = heading[1]
            at = number if section == fault.section and not fault.field else at
        elif section == fault.section and re.match(rf"\s*[\"']?{re.escape(fault.field)}[\"']?\s*[.=]", line):
            at = number
        if at:
            break
    values = fields.get(fault.field, fields.get("grid", {}).get(fault.field))
    if at and fault.place is not None and isinstance(values, list):
        quoted = re.escape(_value(values[fault.place]))
        for number in range(at, len(lines) + 1):
            line = lines[number - 1].partition("=")[2] if number == at else lines[number - 1]
            if re.search(rf"(?<![\w.]){quoted}(?![\w.])", line):
                return number
            if "]" in line:
                break
    return at


def written(study: Study) -> str:
    """A study as TOML, which `read_study` reads; what is at its default is left out. Paths of tables are absolute.

    >>> print(written(Study(learners=["hedge"], costs=["stochet"], memory="window:{H}", grid={"H": [8, 16]})))
    [study]
    learners = ["hedge"]
    costs = ["stochet"]
    <BLANKLINE>
    [problem]
    memory = "window:{H}"
    <BLANKLINE>
    [grid]
    H = [8, 16]
    <BLANKLINE>
    """
    usual = {field.name: field.default for field in msgspec.structs.fields(Study)}
    sections: dict[str, dict[str, Any]] = {"study": {}, "problem": {}, "grid": study.grid}
    for name, section in SECTIONS.items():
        value = getattr(study, name)
        if name == "costs":
            value = [_beside(Path(), each) for each in value]
        if value != usual[name] and value != []:
            sections[section][name] = value
    parts = [
        f"[{section}]\n" + "".join(f"{_key(name)} = {_value(value)}\n" for name, value in fields.items())
        for section, fields in sections.items()
        if fields
    ]
    return "\n".join(parts)


def _value(value: Any) -> str:  # noqa: ANN401
    """A value in TOML."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name} = {_value(each)}' for name, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, float):
        return repr(value)  # which has nan and inf as TOML has them
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """A key in TOML: letters beyond ASCII go in quotes."""
    return name if name.isascii() else _value(name)


EXAMPLE = """\
# A study: everything below is crossed with everything else, and repeated.
# Run it with:  bygones study run FILE
# Run it again after a change: only what is missing is computed.

[study]
name = "how regret grows with the window"
# Who plays, in words; {H} stands for a parameter of [grid] below.
learners = ["ftarl", "hedge", "steering", "lsa"]
# Families of costs in words, "@flights", or the path of a table of your own.
costs = ["stochet", "cyclic:hold=50,vectors=2"]
replicates = 20         # runs of each configuration
seed = 0
method = "simulate"     # or "expected": exact over the learners' own randomness
record = "end"          # or "all", a number of rounds, "log:100", or a list such as [1000, 10000]
switches = false        # keep how much the decisions moved
guarantees = false      # keep what was guaranteed at the recorded rounds
# zipped = [["horizon", "H"]]  # parameters that go together instead of being crossed

[problem]               # each of these may be a list, or a range as in [grid]
actions = 10
horizon = [1000, 4000]
memory = "window:{H}"
cost_range = 1.0        # or "unknown"

[grid]
H = { log = [8, 128], steps = 5 }       # or { linear = [0.1, 1.0], steps = 4 }, or a list
"""
