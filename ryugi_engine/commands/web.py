"""``web``: a page on this machine with a board for every game."""

from __future__ import annotations

import argparse
import asyncio
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import (
    game_of,
    game_option,
    net_option,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.errors import UserError
from ryugi_engine.files.output import output_option
from ryugi_engine.files.reading import naming
from ryugi_engine.processes import process
from ryugi_engine.text.plain_text import plain

if TYPE_CHECKING:
    from ryugi_engine.web.server import Server
    from ryugi_engine.web.table import Table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "a record to continue or study; made if it is missing (default: a new one)"
    output_option(parser, "record", None, nargs="?", metavar="RECORD", help=text)
    game_option(parser)
    text = "port to listen on (default: any free one)"
    parser.add_argument("--port", type=whole_number(0, 65535), default=0, metavar="N", help=text)
    text = "another address to listen on; whoever reaches it can read what is sent"
    parser.add_argument("--host", default="", metavar="H", help=text)
    net_option(parser)
    text = "open no browser; the address is the first line of output anyway"
    parser.add_argument("--no-open", action="store_true", help=text)


def _table(arguments: argparse.Namespace) -> Table:
    from ryugi_engine.web.record_folder import home
    from ryugi_engine.web.table import Table

    record: Path | None = arguments.record
    folder = home()
    if record is not None:
        with naming(record):
            if record.is_dir():
                raise UserError(f"{record}: is a folder, not a record")
            folder = record.resolve().parent
            if not folder.is_dir():
                raise UserError(f"{record}: there is no folder {folder}")
            record = record.resolve()
            if record.exists() and arguments.variant is not None:
                raise UserError(f"{record} is there already, and says itself which game it is")
    own = home().parent / "variants.toml"
    table = Table(folder, game_of(arguments).name, record, arguments.variants, own)
    if arguments.net:
        table.room.thinker.use_net(arguments.net)
    table.room.choosing = record is None and arguments.variant is None
    return table


async def _serve(server: Server, port: int, browse: bool) -> None:
    await server.start(port)
    print(server.address, flush=True)
    if browse:
        # a browser may take seconds, and may write to our output
        await asyncio.to_thread(webbrowser.open, server.address)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    try:
        from ryugi_engine.web.server import Server, check_host
    except ImportError as error:
        raise UserError(
            f"the page needs {error.name}: pip install 'ryugi-engine[web]' installs it"
        ) from None
    host: str = arguments.host
    if host:
        check_host(host)
        print(
            f"ryugi-engine: --host {plain(host)}: whoever can listen on the way sees all that the"
            " page and the engine send each other, the token too",
            file=sys.stderr,
        )
    tell_of_compiling()
    table = _table(arguments)
    server = Server(table, host)
    table.start()
    try:
        with process.ending_tidily():
            asyncio.run(_serve(server, int(arguments.port), not arguments.no_open))
    finally:
        table.stop()
    return 0
