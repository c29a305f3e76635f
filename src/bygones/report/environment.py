"""The environment of all templates: every text is escaped."""

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "templates"


def environment(*packages: str) -> "Environment":
    """Templates of some packages, then those of the reports.

    Args:
        packages: names of packages that have a folder of templates; the first one that has a template gives it.

    Returns:
        The environment.

    >>> environment().get_template("text.html.jinja").render(part={"text": "costs < gains"})
    '<p>costs &lt; gains</p>'
    """
    from jinja2 import Environment, FunctionLoader

    places = [files(package) / FOLDER for package in (*packages, __package__)]

    def template(name: str) -> str | None:
        found = next((place / name for place in places if (place / name).is_file()), None)
        return None if found is None else found.read_text(encoding="utf-8")

    made = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=FunctionLoader(template),
    )
    made.policies["json.dumps_kwargs"] = {}  # keep the order of keys
    return made
