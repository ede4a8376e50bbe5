"""CECP's lines: options, the game's name, moves in all their forms, refusals.

Source: T. Mann and H. G. Muller, "Chess Engine Communication Protocol".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, is_pass
from ryugi_engine.games.notation import CECP_NAMES, cecp_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import GameUnknown, Unsupported
from ryugi_engine.match.engine_options import (
    EngineOption,
    given_options,
    loads_games,
    unknown_option,
)
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.records.san import in_san

#: Options that have a command of their own where a feature says so: command, feature, limits.
_COMMANDS = {
    "hash": ("memory", "memory", 1, 10**9),
    "memory": ("memory", "memory", 1, 10**9),
    "threads": ("cores", "smp", 1, 10**6),
    "cores": ("cores", "smp", 1, 10**6),
}
#: Characters of a list of games in a message.
_LISTED = 300
#: ``ply score time nodes pv``; GNU Chess puts a sign after the ply, or before a score above zero.
_THOUGHT = re.compile(r"\s*([0-9]{1,5})[^\s0-9]?\s+([-+]?[0-9]{1,9})\s+[0-9]+\s+[0-9]+(?!\S)(.*)")
#: Counts between the nodes and the PV, and the move numbers in it.
_COUNT = re.compile(r"[0-9]*[.…]*")
#: A reason beside a complaint: HaChu's ``Illegal move {Repeats earlier position}`` names no move.
#: It ends at the next opening brace, too: many that are not closed then take linear time.
_REMARK = re.compile(r"\{[^{}]*\}|\([^()]*\)")


def option_lines(
    spec: EngineSpec,
    options: Mapping[str, EngineOption],
    features: Mapping[str, str],
    variants_file: str,
) -> list[str]:
    """Return the lines that set an engine's options, sent before the game is chosen.

    ``options`` are the engine's options by lower-case name. Unsupported if the engine lacks an
    option or refuses its value.
    """
    given = given_options(spec, options, variants_file)
    lines = []
    for name, value in given.items():
        lower = name.lower()
        option = options.get(lower) or options.get(lower.replace(" ", ""))
        command, feature, low, high = _COMMANDS.get(lower, ("", "", 0, 0))
        try:
            if option is not None:
                lines.append(_option_line(option, option.read(value, loaded=loads_games(given))))
            elif features.get(feature) == "1":
                number = EngineOption(name, "spin", low=low, high=high).read(value)
                lines.append(f"{command} {number}")
            else:
                known = [option.name for option in options.values()]
                known += [n for n, (_, has, *_) in _COMMANDS.items() if features.get(has) == "1"]
                raise Unsupported(unknown_option(name, known))
        except UserError as error:
            raise Unsupported(f"option {name}: {error}") from None
    return lines


def _option_line(option: EngineOption, value: str) -> str:
    """Return the line that sets an option to a value in UCI's spelling."""
    if not option.has_value:
        return f"option {option.name}"
    if option.kind == "check":
        value = "1" if value == "true" else "0"
    return f"option {option.name}={value}"


def game_name(spec: EngineSpec, game: Game, features: Mapping[str, str]) -> str:
    """Return an engine's name of a game; GameUnknown if its ``variants`` do not list it."""
    name = spec.variant or CECP_NAMES.get(game.name, game.name)
    value = features.get("variants", "normal")
    games = [known.strip() for known in value.split(",")]
    # larger boards an engine need not announce: no GUI could show them
    if name not in games and game.files <= 16 and game.ranks <= 17:
        raise GameUnknown(f"it does not play '{name}', it plays {value[:_LISTED]}")
    return name


def usermove(move: str, game: Game, features: Mapping[str, str]) -> str:
    """Return the line that plays a move."""
    word = "usermove " if features.get("usermove") == "1" else ""
    return word + cecp_move(move, game.ranks)


def castling_spelled(position: Position, moves: Sequence[str]) -> Sequence[str]:
    """Return a game's last moves with castling as ``O-O``, CECP's notation in Chess960."""
    if not position.game.setup_of or position.moves[len(position.moves) - len(moves) :] != [*moves]:
        return moves
    sans = in_san(Position(position.game, position.root_text), position.moves)
    last = zip(moves, sans[len(sans) - len(moves) :], strict=True)
    return [san.rstrip("+#") if san.startswith("O-O") else move for move, san in last]


class Thought(NamedTuple):
    """A line of thinking output."""

    depth: int
    score: int
    #: The first move of its PV as the engine writes it, "" if there is none.
    first: str
    #: Whether the score is exact, and no bound.
    exact: bool


def read_thought(line: str) -> Thought | None:
    """Parse a line of thinking output; None if it is none, or a PV in parentheses.

    Those are no search: a book's moves, or a pondered one. A PV that ends in ``?`` or ``!`` has a
    bound for a score.
    """
    match = _THOUGHT.match(line)
    if match is None or match[3].lstrip().startswith("("):
        return None
    pv = match[3].rstrip()
    first = next((word for word in pv.split() if not _COUNT.fullmatch(word)), "")
    return Thought(int(match[1]), int(match[2]), first.rstrip("!?"), not pv.endswith(("?", "!")))


class MoveReader:
    """Parser of an engine's moves, in any form that the protocol has had.

    GNU Chess sends every move twice, as ``1. ... e2e4`` and as ``My move is : e2e4``. Only one
    counts: the form that the engine used for its first move. A move of two legs is two lines,
    ``move d1d4,`` and ``move d4d6``.
    """

    def __init__(self) -> None:
        self._old: bool | None = None
        self._first_leg = ""

    def read(self, line: str) -> str | None:
        """Return the line's move, "" if it lacks one; None if the line makes no move."""
        tokens = line.split(maxsplit=3)
        old = line.startswith("My move is")
        if old:
            tokens = line.partition(":")[2].split(maxsplit=1)
        elif tokens[:1] == ["move"]:
            tokens = tokens[1:]
        elif len(tokens) == 3 and tokens[1] == "..." and tokens[0][0].isdigit():
            tokens = tokens[2:]
        else:
            return None
        if self._old is None:
            self._old = old
        if old != self._old:
            return None
        move = self._first_leg + (tokens[0] if tokens else "")
        self._first_leg = move if move.endswith(",") else ""
        return None if self._first_leg else move


def refuses(line: str, moves: Collection[str]) -> bool:
    """Return whether a line refuses one of ``moves``, which were sent to the engine, as illegal.

    Engines complain in the same way about unknown commands: ``Illegal move: computer``. A line
    that names no move is about the line sent last. A reason may stand in braces or parentheses.
    """
    text = line.strip().lower()
    if not text.startswith("illegal move"):
        return False
    rest = _REMARK.sub("", text.removeprefix("illegal move"))
    spelled = ["@@@@" if is_pass(move) else move.lower() for move in moves]
    return any(move in rest or not rest.strip(" .:!") for move in spelled)
