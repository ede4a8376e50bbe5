"""The engine without a command: wait for ``uci`` or ``xboard``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from ryugi_engine.errors import UserError
from ryugi_engine.processes import process

if TYPE_CHECKING:
    import argparse

    from ryugi_engine.core.conversation import ProtocolHandler


def first_game(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--variant``: the game until the GUI chooses another one."""
    from ryugi_engine.commands.common import net_option

    text = (
        f"the game until the GUI chooses one (default: {default}, or with --variants FILE of one"
        " game that one)"
    )
    parser.add_argument("--variant", default="", metavar="GAME", help=text)
    net_option(parser)


def _uci() -> type[ProtocolHandler]:
    from uci.protocol import UciProtocol

    return UciProtocol


def _xboard() -> type[ProtocolHandler]:
    from xboard.protocol import CecpProtocol

    return CecpProtocol


def run(arguments: Any) -> int:
    """Run a conversation that begins with the command's protocol, until the GUI quits."""
    from ryugi_engine.core.conversation import Conversation

    # numpy is used for a few tables: threads that it might multiply matrices with only take time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    process.interrupt_quietly()
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise UserError("standard input or output is closed")
    process.write_utf8()
    if not arguments.command and sys.stdin.isatty():
        from ryugi_engine import about

        print(f"{about.engine()}: type 'uci' or 'xboard'; 'ryugi-engine play' plays, --help lists")
    try:
        conversation = Conversation(
            sys.stdin.buffer,
            sys.stdout,
            arguments.variants,
            {"uci": _uci, "xboard": _xboard},
            getattr(arguments, "variant", None) or "",
            getattr(arguments, "net", ""),
        )
    except UserError as error:
        raise _told(str(error), arguments.command or "") from None
    return conversation.run(arguments.command or "")


def _told(fault: str, protocol: str) -> UserError:
    """Tell a GUI's user why there is no engine; returns what to say on standard error.

    XBoard shows nothing of an engine that has ended before it was introduced to, and waits quietly
    for one that has asked it to. What it reads on standard error it takes for the engine's words.
    """
    from ryugi_engine.core.conversation import read_lines
    from xboard.writer import safe_text

    if not sys.stdin.isatty() and protocol != "uci":
        for line in read_lines(sys.stdin.buffer):
            word = line.text.split(maxsplit=1)[0] if line.text else ""
            protocol = protocol or ("xboard" if word in ("xboard", "protover") else word)
            if word == "protover":
                fault = safe_text(fault)
                print(f"feature done=0\ntellusererror ryugi-engine: {fault}", flush=True)
            if word in ("protover", "quit") or protocol != "xboard":
                break
    if protocol == "uci":
        print(f"info string error: {fault}", flush=True)
    return UserError(fault)
