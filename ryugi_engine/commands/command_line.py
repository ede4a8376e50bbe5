"""The parser of the command line."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from ryugi_engine.commands.common import WRONG, variants_option
from ryugi_engine.errors import did_you_mean
from ryugi_engine.files import output
from ryugi_engine.text.plain_text import plain

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
    "web": "play, watch and study games on a page in the browser",
    "solve": "solve a position exactly, for games that have a solver",
    "check": "check a file of game definitions, or a game that you are writing",
    "positions": "find openings for a game, and positions for its bench",
    "train": "learn an evaluation for a game from its own play",
    "study": "find out by self-play whether a game is fair, drawn or sharp, as a web page",
    "warmup": "compile the kernels into the cache, so that the first start is quick",
    "doctor": "look for what is wrong with the installation, and tell what to do about it",
    "gui": "print the entries that make GUIs know the engine, or install them",
    "games": "list the games",
    "rules": "print the rules of a game, with diagrams of how its pieces move",
    "variants-ini": "write chess-like games as Fairy-Stockfish's variants.ini",
    "diagram": "write a chess-like game as an Interactive Diagram for a web page",
}


def module_of(command: str | None) -> ModuleType:
    """Return the module of a command; None: the one that talks to GUIs."""
    name = (command or "serve").replace("-", "_")
    return importlib.import_module(f"ryugi_engine.commands.{name}")


class _Parser(argparse.ArgumentParser):
    """Parser that reports errors in one line, without the usage, and suggests similar names.

    Messages name the wrong word: an unknown option or a stray word. Without that argparse would
    miss another argument, or take an option's value for a command.
    """

    _words: Sequence[str] = ()
    #: The error of which another word may be the cause.
    _first_error = ""

    def __init__(self, **options: Any) -> None:
        # an abbreviation would take --variant for --variants where a command has only that
        super().__init__(allow_abbrev=False, **options)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            near = did_you_mean(str(value), names) or f"choose from {', '.join(names)}"
            raise argparse.ArgumentError(action, f"'{value}' is unknown, {near}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and refuse unknown arguments with a suggestion of similar ones."""
        self._words = list(sys.argv[1:] if args is None else args)
        self._refuse_misplaced()
        namespace, rest = super().parse_known_args(self._words, namespace)
        for argument in rest:
            option = argument.partition("=")[0]
            if option.startswith("-") and option != "-":
                near = did_you_mean(option, list(self._option_string_actions))
                self._leave(f"unknown option {option[:40]}" + (f", {near}" if near else ""))
        if rest:
            missing = f"; {self._first_error}" if self._first_error else ""
            self._leave(f"'{rest[0][:40]}' belongs to no option{missing}")
        return namespace, rest

    def _refuse_misplaced(self) -> None:
        """Refuse an option before a command or action that is none of its options here."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                break
        else:
            return
        at = 0
        while at < len(self._words) and self._words[at].startswith("-"):
            option, equals, _value = self._words[at].partition("=")
            known = self._option_string_actions.get(option)
            if known is None:
                near = did_you_mean(option, list(self._option_string_actions))
                for word in self._words[at + 1 :]:
                    if option in getattr(action.choices.get(word), "_option_string_actions", ()):
                        self._leave(f"{option[:40]} goes after '{word}', it is one of its options")
                self._leave(f"unknown option {option[:40]}" + (f", {near}" if near else ""))
            at += 1 if equals or known.nargs == 0 else 2

    def error(self, message: str) -> NoReturn:
        if not self._first_error:
            # parse again with nothing required: no return if a word is itself at fault
            self._first_error = message
            for action in self._actions:
                action.required = False
            for group in self._mutually_exclusive_groups:
                group.required = False
            self.parse_known_args(self._words)
        self._leave(message)

    def _leave(self, message: str) -> NoReturn:
        message = f"{self.prog}: error: {plain(message)}; '{self.prog} --help' lists the arguments"
        self.exit(WRONG, message + "\n")


class _Version(argparse.Action):
    """Print which engine this is, as soon as it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *values: object) -> NoReturn:
        from ryugi_engine import about

        print("\n".join(about.lines()))
        parser.exit()


def parser_of(command_line: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser of all commands, importing only the modules of those in the command line."""
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
            module_of(name).arguments(parser)
    return top


def parser() -> argparse.ArgumentParser:
    """Return the full parser, from which the manual page is made."""
    return parser_of(tuple(COMMANDS))
