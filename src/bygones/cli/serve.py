"""`bygones serve`: journals over HTTP, and the tokens of those who may use them."""

import sys
from json import dumps
from typing import Annotated

import typer

from .grids import TEXT, Terminal, grid
from .journals import Db, library
from .options import examples

SERVE = examples(
    "bygones serve --db journals.db",
    "bygones serve --db postgresql://bygones@db/bygones --host 0.0.0.0 --name journals.example.org",
)
NEW = examples(
    "bygones serve token new ann --db journals.db --scope admin",
    "bygones serve token new nightly --db journals.db --scope observe --journal parts --days 90",
)
LIST = examples("bygones serve token list --db journals.db")
REVOKE = examples("bygones serve token revoke 3f9a0c1b2d4e --db journals.db")

app = typer.Typer(
    help=(
        "Serve the journals of a database over HTTP, until it is told to stop: pages, an API and tokens.\n\n"
        "On this machine nobody needs a token as long as there is none. The log goes to stderr, one JSON object per "
        "line."
    ),
    invoke_without_command=True,
    epilog=SERVE,
)
token = typer.Typer(help="Tokens: who may do what with which journals.", no_args_is_help=True)
app.add_typer(token, name="token")


@app.callback()
def serve(
    context: typer.Context,
    db: Annotated[
        str | None,
        typer.Option(
            "--db", envvar="BYGONES_DB", help="The database: the path of a file, or postgresql://user@host/name."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; beyond this machine only with tokens.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8765,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name by which browsers and programs call this service; give it once for each."),
    ] = None,
    rate: Annotated[float, typer.Option(min=0.1, help="Requests per second of one client.")] = 500.0,
) -> None:
    """Serve, unless another command is given.

    Args:
        context: typer's, which knows the command.
        db: the database.
        host: the address to listen on.
        port: likewise.
        name: the names of the service.
        rate: requests per second of one client.

    Raises:
        ValueError: if no database is given, or it would be open to others without tokens.
    """
    if context.invoked_subcommand is not None:
        return
    if db is None:
        raise ValueError("no database is given: name one with --db, such as --db journals.db")
    library("live.service")
    from ..live.service.asked import Limits
    from ..live.service.running import run

    def told(address: str) -> None:
        print(f"Serving journals on {address}", flush=True)

    run(db, host, port, name or [], Limits(rate=rate), told)


@token.command("new", epilog=NEW)
def new(
    name: Annotated[str, typer.Argument(help="Whose it is: a person, or a program. Journals show it as the author.")],
    db: Db,
    scope: Annotated[
        list[str],
        typer.Option(help="What it may do: read, observe (enter costs), decide or admin; give it once for each."),
    ],
    journal: Annotated[
        list[str] | None, typer.Option(help="A journal that it may touch; once for each. Default: all.")
    ] = None,
    days: Annotated[float | None, typer.Option(help="After how many days it expires. Default: never.")] = None,
) -> None:
    """Make a token, and print it. It is shown this once."""
    library("live.service")
    from ..live.schema import Database
    from ..live.service.tokens import Tokens

    with Database(db, make=True) as database:
        made = Tokens(database).new(name, scope, journal or None, days)
    print(made)
    print("Keep it: it is not shown again.", file=sys.stderr)


@token.command("list", epilog=LIST)
def list_(db: Db, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List tokens; what they are is not kept."""
    library("live.service")
    from ..live.schema import Database
    from ..live.service.tokens import Tokens

    with Database(db) as database:
        found = Tokens(database).all()
    if as_json:
        print(dumps([each.public() for each in found], indent=2))
        return
    rows = []
    for each in found:
        touches = each.touches
        ended = each.ended() or "holds"
        rows.append((each.id, each.name, each.scopes, "all" if touches is None else ", ".join(touches), ended))
    columns = {"id": TEXT, "name": TEXT, "may": TEXT, "journals": TEXT, "now": TEXT}
    Terminal().print(grid("Tokens", columns, rows))


@token.command("revoke", epilog=REVOKE)
def revoke(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The id that `bygones serve token list` shows, or a name.")],
    db: Db,
) -> None:
    """Let a token hold no more, from now on."""
    library("live.service")
    from ..live.schema import Database
    from ..live.service.tokens import Tokens

    with Database(db) as database:
        found = Tokens(database).revoke(id_)
    print(f"Revoked {found.id} ({found.name}).")
