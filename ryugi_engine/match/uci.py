"""An engine that speaks UCI.

Sources: S. Meyer-Kahlen, "UCI protocol", 2006; Fairy-Stockfish for ``UCI_Variant``.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ryugi_engine.clocks.time_control import PlayerClock
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import PASS, Game, Outcome, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import (
    MATE,
    Answer,
    Engine,
    GameUnknown,
    ProtocolViolation,
    Turn,
    Unsupported,
)
from ryugi_engine.match.engine_options import (
    EngineOption,
    given_options,
    loads_games,
    uci_option,
    unknown_option,
)
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.records.pgn import score_text

#: The game that an engine plays which has no option for it.
_PLAIN = "chess"
#: Characters of a list of games in a message.
_LISTED = 300
_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
#: Words of an info line after a score that is only a bound of it.
_BOUNDS = ("lowerbound", "upperbound")


#: An option and the value that it is set to, in UCI's spelling.
Setting = tuple[EngineOption, str]


class SearchInfo(NamedTuple):
    """An info line about the best move."""

    #: ``cp`` or ``mate``, and the number after it.
    unit: str
    number: int
    depth: int
    #: Whether the score is exact, and no bound.
    exact: bool


def search_info(line: str) -> SearchInfo | None:
    """Return the score of an info line; None if it has none, or is not about the best move.

    What follows ``string`` is free text. A line of ``currmove`` without a ``pv`` is about the move
    that is being searched.
    """
    tokens = line.split()
    if "string" in tokens:
        tokens = tokens[: tokens.index("string")]
    values = dict(reversed([*itertools.pairwise(tokens)]))  # the first of each counts
    if values.get("multipv", "1") != "1" or ("currmove" in values and "pv" not in tokens):
        return None
    unit = values.get("score", "")
    number = values.get(unit, "") if unit in ("cp", "mate") else ""
    if not _NUMBER.fullmatch(number):
        return None
    depth = values.get("depth", "0")
    exact = not any(word in tokens for word in _BOUNDS)
    return SearchInfo(unit, int(number), int(depth) if _NUMBER.fullmatch(depth) else 0, exact)


def setoption(option: EngineOption, value: str) -> str:
    """Return the command that sets an option."""
    return f"setoption name {option.name}" + (f" value {value}" if option.has_value else "")


def user_settings(
    spec: EngineSpec, options: Mapping[str, EngineOption], variants_file: str
) -> list[Setting]:
    """Return the user's option settings, which are sent before the game is chosen.

    ``options`` are the engine's options by lower-case name. Unsupported if the engine lacks an
    option or refuses its value.
    """
    given = given_options(spec, options, variants_file)
    if spec.ponder and "ponder" in options and "ponder" not in map(str.lower, given):
        given["Ponder"] = "true"
    settings = []
    for name, value in given.items():
        option = options.get(name.lower())
        if option is None:
            raise Unsupported(unknown_option(name, [known.name for known in options.values()]))
        try:
            settings.append((option, option.read(value, loaded=loads_games(given))))
        except UserError as error:
            raise Unsupported(f"option {option.name}: {error}") from None
    return settings


def game_settings(
    spec: EngineSpec, game: Game, options: Mapping[str, EngineOption], loaded: bool
) -> list[Setting]:
    """Return the option settings that choose a game; GameUnknown if the engine does not list it.

    ``loaded``: the engine has read a file of games, and may know more games than it lists.
    """
    name, settings = spec.variant or game.name, []
    if not spec.variant and game.setup_of and "uci_chess960" in options:
        name = game.setup_of
        settings.append((options["uci_chess960"], "true"))
    option = options.get("uci_variant")
    if option is None:
        if name != _PLAIN and not spec.variant:
            raise GameUnknown(
                f"it does not play '{name}': without an option UCI_Variant it plays {_PLAIN} only"
            )
        return settings
    choices = {choice.lower(): choice for choice in option.choices}
    if choices and name.lower() not in choices and not loaded:
        known = ", ".join(option.choices)[:_LISTED]
        raise GameUnknown(f"it does not play '{name}', it plays {known}")
    return [*settings, (option, choices.get(name.lower(), name))]


def position_line(game: Game, root: str, moves: Sequence[str]) -> str:
    """Return the ``position`` command for a position text and the moves after it."""
    start = root == game.start and game.name == _PLAIN
    text = "position startpos" if start else f"position fen {root}"
    moves = ["0000" if move == PASS else move for move in moves]
    return " ".join([text, "moves", *moves]) if moves else text


class UciEngine(Engine):
    """Speaks UCI with an engine."""

    #: What the engine was set to, in this order.
    settings: Sequence[Setting] = ()
    _pondered: list[str] | None = None
    #: The last line with an exact score, or with a bound where none has come.
    _info: SearchInfo | None = None

    # ---- lines of the engine ---------------------------------------------------------------

    def _handle_line(self, line: str) -> None:
        word, *tokens = line.split(None, 1) or [""]
        rest = "".join(tokens).rstrip()
        if word == "info":
            info = search_info(rest) if self.thinking else None
            if info is not None and (info.exact or self._info is None or not self._info.exact):
                self._info = info
            return
        if word == "bestmove":
            if self.thinking:
                self._moved(rest.split(), line)
            else:
                self._fail(ProtocolViolation(f"'{line[:60]}' out of turn"))
        elif word == "option":
            with contextlib.suppress(ValueError):
                self._add_option(uci_option(line))
        elif word == "id" and rest.startswith("name "):
            self._reported_name = rest[5:].strip()
        elif word in ("uciok", "readyok"):
            self._resolve(word)

    # ---- lines to the engine ---------------------------------------------------------------

    async def handshake(self) -> None:
        """Send ``uci`` and read the options."""
        self.process.send("uci")
        await self._wait("uciok", self.timeouts.start, "no answer to 'uci'")

    async def configure(self) -> None:
        """Set the options, then those that choose the game."""
        settings = user_settings(self.spec, self.options, self._variants_file)
        self.set(settings)
        await self.ready()
        loaded = any(option.name.lower() == "variantpath" for option, _ in settings)
        chosen = game_settings(self.spec, self.game, self.options, loaded)
        self.set(chosen)
        self.settings = [*settings, *chosen]

    def set(self, settings: Sequence[Setting]) -> None:
        """Set options."""
        self.process.send(*(setoption(*setting) for setting in settings))

    async def ready(self, timeout: float = 0.0) -> None:
        """Wait for ``readyok``."""
        self.process.send("isready")
        await self._wait("readyok", timeout or self.timeouts.start, "no answer to 'isready'")

    async def _begin(self, position: Position) -> None:
        await self._rest()
        self.process.send("ucinewgame")
        await self.ready()

    async def _move(self, turn: Turn, timeout: float) -> Answer:
        position = turn.position
        expected, self._pondered = self._pondered, None
        if expected is not None and expected == position.moves:
            began = time.perf_counter()
            self.process.send("ponderhit")
        else:
            if expected is not None:
                await self._stop()
            self.think(self.place(turn), self._go(turn.position.side, turn.clocks))
            began = time.perf_counter()
        if expected is not None and not self.thinking:
            raise ProtocolViolation("a move before its turn had come")
        return await self.answer(turn, began, timeout)

    def think(self, place: str, go: str) -> None:
        """Start a search by a ``position`` command and the arguments of ``go``."""
        self._info, self.thinking = None, True
        self.process.send(place, f"go {go}")

    @staticmethod
    def place(turn: Turn, more: str = "") -> str:
        """Return the ``position`` command of a turn, after one more move if that is given."""
        position, sent = turn.position, turn.sent
        moves = position.moves[sent.root_ply :] + ([more] if more else [])
        return position_line(position.game, sent.root, moves)

    @staticmethod
    def _go(side: int, clocks: Sequence[PlayerClock]) -> str:
        control = clocks[side].control
        tokens = []
        if control.per_move:
            tokens.append(f"movetime {max(1, round(control.per_move * 1000))}")
        elif not control.endless:
            other = clocks[1 - side].control
            both = clocks if not (other.endless or other.per_move) else [clocks[side]] * 2
            for letter, clock in zip("wb", both, strict=True):
                tokens.append(f"{letter}time {max(1, round(clock.left * 1000))}")
            for letter, clock in zip("wb", both, strict=True):
                if clock.control.increment:
                    tokens.append(f"{letter}inc {round(clock.control.increment * 1000)}")
            if control.moves:
                tokens.append(f"movestogo {clocks[side].to_go}")
        if control.nodes:
            tokens.append(f"nodes {control.nodes}")
        if control.depth:
            tokens.append(f"depth {control.depth}")
        return " ".join(tokens) or "infinite"

    def _read_answer(self, best: Sequence[str], seconds: float, position: Position) -> Answer:
        tokens = best
        move = read_move(tokens[0]) if tokens and tokens[0] != "(none)" else ""
        ponder = read_move(tokens[2]) if len(tokens) > 2 and tokens[1] == "ponder" else ""
        info = self._info
        if info is None:
            return Answer(move, seconds, ponder=ponder)
        number = info.number
        if info.unit == "cp":
            text, centipawns = score_text(number, None), number
        else:
            text = score_text(0, number)
            centipawns = (MATE - number) if number > 0 else -MATE - number
        return Answer(move, seconds, text, info.depth, centipawns, ponder)

    # ---- thinking in the other's time ------------------------------------------------------

    async def ponder(self, turn: Turn, move: str) -> None:
        """Ponder on the expected move."""
        self._pondered = [*turn.position.moves, move]
        go = self._go(1 - turn.position.side, turn.clocks)
        self.think(self.place(turn, move), f"ponder {go}")

    async def _stop(self) -> None:
        if self.thinking:
            self.process.send("stop")
            await self._wait("move", self.timeouts.start, "no answer to 'stop'")

    async def _rest(self) -> None:
        """Stop any search."""
        expected, self._pondered = self._pondered, None
        if expected is not None:
            await self._stop()

    async def end_game(self, outcome: Outcome) -> None:
        """Stop pondering."""
        await self._rest()
