"""The command line. Without a command the engine waits for ``uci`` or ``xboard``."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from ryugi_engine import output, process
from ryugi_engine.commands.common import WRONG, variants_option
from ryugi_engine.errors import UserError, did_you_mean
from ryugi_engine.files import fault
from ryugi_engine.plain_text import plain

#: A command's name and what it does. Its module in ``commands``, of the same name, has
#: ``arguments(parser)``, which adds its arguments, and
#: ``run(arguments)``, which returns its exit code.
COMMANDS = {
    "uci": "speak UCI at once",
    "xboard": "speak the XBoard protocol at once",
    "perft": "count legal move sequences",
    "bench": "search a fixed set of positions; prints nodes and nodes a second",
    "match": "play games between two engines",
    "show": "show a position as text, or as a picture",
    "record": "keep, send and replay games as files",
    "play": "play against the engine in this terminal",
    "solve": "solve a position exactly, for games that have a solver",
    "check": "check a file of game definitions, or a game that you are writing",
    "train": "learn an evaluation for a game from its own play",
    "warmup": "compile the kernels into the cache, so that the first start is quick",
    "doctor": "look for what is wrong with the installation, and tell what to do about it",
    "gui": "print the entries that make GUIs know the engine, or install them",
    "games": "list the games",
    "variants-ini": "write chess-like games as Fairy-Stockfish's variants.ini",
}


def _module(command: str | None) -> ModuleType:
    name = (command or "serve").replace("-", "_")
    return importlib.import_module(f"ryugi_engine.commands.{name}")


class _Parser(argparse.ArgumentParser):
    """Parser that reports errors in one line, without the usage, and suggests similar names."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            near = did_you_mean(str(value), names) or f"choose from {', '.join(names)}"
            raise argparse.ArgumentError(action, f"'{value}' is unknown, {near}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and refuse unknown options here, where the similar ones are known."""
        namespace, rest = super().parse_known_args(args, namespace)
        for argument in rest:
            option = argument.partition("=")[0]
            if option.startswith("--"):
                near = did_you_mean(option, list(self._option_string_actions))
                self.error(f"unknown option {option[:40]}" + (f", {near}" if near else ""))
        return namespace, rest

    def error(self, message: str) -> NoReturn:
        message = f"{self.prog}: error: {plain(message)}; '{self.prog} --help' lists the arguments"
        self.exit(WRONG, message + "\n")


class _Version(argparse.Action):
    """Tells which engine this is, as soon as it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *values: object) -> NoReturn:
        from ryugi_engine import about

        print("\n".join(about.lines()))
        parser.exit()


def _parser(command_line: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser of all commands; only those in the command line are imported."""
    top = _Parser(
        prog="ryugi-engine",
        description="An engine for Ryugi, other chess-like games on boards of up to 10x8 and "
        "placement games; 'games' lists them. Without a command it waits for 'uci' or 'xboard'. "
        "'help COMMAND' explains a command.",
    )
    text = "tell version, commit, numba and nets"
    top.add_argument("--version", action=_Version, nargs=0, help=text)
    text = "your own game definitions"
    top.add_argument("--variants", type=output.FileName, metavar="FILE", default="", help=text)
    parsers = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, does in COMMANDS.items():
        parser = parsers.add_parser(name, help=does, description=does[0].upper() + does[1:] + ".")
        variants_option(parser)
        if name in command_line:
            _module(name).arguments(parser)
    return top


def parser() -> argparse.ArgumentParser:
    """Return the full parser, from which the manual page is made."""
    return _parser(tuple(COMMANDS))


def _check_tuning() -> None:
    """Refuse a developer's wish for other numbers in the search, before anything has begun."""
    if os.environ.get("RYUGI_TUNE"):
        importlib.import_module("ryugi_engine.search.parameters")


def main(command_line: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's; returns the exit code."""
    command_line = list(sys.argv[1:] if command_line is None else command_line)
    if command_line[:1] == ["help"]:
        command_line = [*command_line[1:], "--help"]
    elif command_line == ["version"]:
        command_line = ["--version"]
    try:
        arguments = _parser(command_line).parse_args(command_line)
        _check_tuning()
        with output.running(arguments):
            exit_code: int = _module(arguments.command).run(arguments)
        return exit_code
    except UserError as error:
        print(f"ryugi-engine: {plain(str(error))}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("ryugi-engine: interrupted", file=sys.stderr)
        return process.INTERRUPTED
    except BrokenPipeError:
        return 0  # whoever was reading has seen enough
    except OSError as error:
        message = fault(error.filename, error) if error.filename else error.strerror or error
        print(f"ryugi-engine: {plain(str(message))}", file=sys.stderr)
        return WRONG
