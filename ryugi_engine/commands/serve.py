"""No command at all: wait for the word that begins a conversation."""

from __future__ import annotations

import argparse
import sys

from ryugi_engine import process
from ryugi_engine.errors import UserError


def first_game(parser: argparse.ArgumentParser, default: str) -> None:
    """The option that says what is played before a GUI says it."""
    text = f"the game until the GUI chooses one (default: {default})"
    parser.add_argument("--variant", default="", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Converse until the GUI is done; the protocol that is the command has begun already."""
    from ryugi_engine.core.conversation import Conversation
    from uci.loop import Loop as Uci
    from xboard.loop import Loop as Xboard

    process.interrupt_quietly()
    if sys.stdin is None or sys.stdout is None:
        raise UserError("standard input or output is closed")
    conversation = Conversation(
        sys.stdin.buffer,
        sys.stdout,
        arguments.variants,
        {"uci": Uci, "xboard": Xboard},
        getattr(arguments, "variant", None) or "",
    )
    return conversation.run(arguments.command or "")
