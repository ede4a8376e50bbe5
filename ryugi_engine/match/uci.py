"""An engine that speaks UCI.

Sources: S. Meyer-Kahlen, "UCI protocol", 2006; Fairy-Stockfish for ``UCI_Variant``.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from pathlib import Path

from ryugi_engine.games.game import PASS, Outcome, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import MATE, Answer, Engine, EngineFailure, ProtocolViolation, Turn
from ryugi_engine.match.timecontrol import PlayerClock
from ryugi_engine.records.pgn import score_text

#: The game that an engine plays which has no option for it.
_PLAIN = "chess"
_SCORE = re.compile(r"\sscore (cp|mate) (-?\d{1,9})\b")
_DEPTH = re.compile(r"\sdepth (\d{1,6})\b")


def option_parts(line: str) -> tuple[str, str, str]:
    """Split an ``option`` line into the option's name, its type and what follows.

    ValueError if the line is not like ``option name NAME type TYPE ...``.
    """
    tokens = line.split()
    at = tokens.index("type", 3)
    if tokens[:2] != ["option", "name"] or at + 1 == len(tokens):
        raise ValueError(line[:100])
    return " ".join(tokens[2:at]), tokens[at + 1], " ".join(tokens[at + 2 :])


def _choices(rest: str) -> list[str]:
    """Return the choices of an option, from what follows its type."""
    return [choice.strip() for choice in f" {rest} ".split(" var ")[1:]]


def _uci_move(move: str) -> str:
    return "0000" if move == PASS else move


class UciEngine(Engine):
    """Speaks UCI with an engine."""

    #: Where answers of the engine belong: a move that nobody waits for is a fault.
    _thinking = False
    _pondered: list[str] | None = None
    _info = ""

    # ---- lines of the engine ---------------------------------------------------------------

    def _handle_line(self, line: str) -> None:
        if line.startswith("info "):
            if self._thinking and " score " in line and _is_main(line):
                self._info = line
            return
        word, _, rest = line.strip().partition(" ")
        if word == "bestmove":
            if not self._thinking:
                self._fail(ProtocolViolation(f"'{line[:60]}' out of turn"))
                return
            self._thinking = False
            self._resolve("bestmove", (rest.split(), time.perf_counter()))
        elif word == "option":
            with contextlib.suppress(ValueError):
                self._add_option(*option_parts(line))
        elif word == "id" and rest.startswith("name "):
            self._reported_name = rest[5:].strip()
        elif word in ("uciok", "readyok"):
            self._resolve(word)

    # ---- lines to the engine ---------------------------------------------------------------

    async def _introduce(self) -> None:
        self.process.send("uci")
        await self._wait("uciok", self.timeouts.start, "no answer to 'uci'")
        given = dict(self.spec.options)
        lower = {name.lower() for name in given}
        if self._variants_file and "variantpath" in self._options and "variantpath" not in lower:
            given = {"VariantPath": str(Path(self._variants_file).resolve()), **given}
        if self.spec.ponder and "ponder" in self._options and "ponder" not in lower:
            given["Ponder"] = "true"
        for name, value in given.items():
            known = self._options.get(name.lower())
            if known is None:
                raise EngineFailure(f"it has no option '{name[:60]}'")
            message = "" if known[1] == "button" else f" value {value}"
            self.process.send(f"setoption name {known[0]}{message}")
        await self._ready()
        await self._choose_game(loaded="VariantPath" in given)

    async def _choose_game(self, loaded: bool) -> None:
        """Tell the engine the game; ``loaded``: it may know more games than it says."""
        name = self.spec.variant or self.game.name
        if not self.spec.variant and self.game.setup_of and "uci_chess960" in self._options:
            name = self.game.setup_of
            self.process.send("setoption name UCI_Chess960 value true")
        known = self._options.get("uci_variant")
        if known is None:
            return
        choices = {choice.lower(): choice for choice in _choices(known[2])}
        if choices and name.lower() not in choices and not loaded:
            message = ", ".join(choices.values())[:300]
            raise EngineFailure(f"it does not play '{name}', it plays {message}")
        self.process.send(f"setoption name {known[0]} value {choices.get(name.lower(), name)}")

    async def _ready(self) -> None:
        self.process.send("isready")
        await self._wait("readyok", self.timeouts.start, "no answer to 'isready'")

    async def _begin(self, position: Position) -> None:
        await self._rest()
        self.process.send("ucinewgame")
        await self._ready()

    async def _move(self, turn: Turn, timeout: float) -> Answer:
        position = turn.position
        expected, self._pondered = self._pondered, None
        if expected is not None and expected == position.moves:
            began = time.perf_counter()
            self.process.send("ponderhit")
        else:
            if expected is not None:
                await self._stop()
            place = self._place(turn)
            go = self._go(turn.position.side, turn.clocks)
            self._info, self._thinking = "", True
            self.process.send(place, f"go {go}")
            began = time.perf_counter()
        if expected is not None and not self._thinking:
            raise ProtocolViolation("a move before its turn had come")
        tokens, ended = await self._wait("bestmove", timeout, "no answer")
        return self._answer(tokens, max(ended - began, 0.0))

    @staticmethod
    def _place(turn: Turn, more: str = "") -> str:
        position, root = turn.position, turn.sent.root
        moves = position.moves[turn.sent.root_ply :] + ([more] if more else [])
        start = root == position.game.start and position.game.name == _PLAIN
        text = "position startpos" if start else f"position fen {root}"
        if PASS in moves:
            moves = [_uci_move(move) for move in moves]
        return " ".join([text, "moves", *moves]) if moves else text

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

    def _answer(self, tokens: Sequence[str], seconds: float) -> Answer:
        move = read_move(tokens[0]) if tokens and tokens[0] != "(none)" else ""
        ponder = read_move(tokens[2]) if len(tokens) > 2 and tokens[1] == "ponder" else ""
        match = _SCORE.search(self._info)
        depth = _DEPTH.search(self._info)
        if match is None:
            return Answer(move, seconds, ponder=ponder)
        number = int(match[2])
        if match[1] == "cp":
            text, centipawns = score_text(number, None), number
        else:
            text = score_text(0, number)
            centipawns = (MATE - number) if number > 0 else -MATE - number
        return Answer(move, seconds, text, int(depth[1]) if depth else 0, centipawns, ponder)

    # ---- thinking in the other's time ------------------------------------------------------

    async def ponder(self, turn: Turn, move: str) -> None:
        """Ponder on the expected move."""
        self._pondered = [*turn.position.moves, move]
        self._info, self._thinking = "", True
        go = self._go(1 - turn.position.side, turn.clocks)
        self.process.send(self._place(turn, move), f"go ponder {go}")

    async def _stop(self) -> None:
        if self._thinking:
            self.process.send("stop")
            await self._wait("bestmove", self.timeouts.start, "no answer to 'stop'")

    async def _rest(self) -> None:
        """Stop any search."""
        expected, self._pondered = self._pondered, None
        if expected is not None:
            await self._stop()

    async def end_game(self, outcome: Outcome) -> None:
        """Stop pondering."""
        await self._rest()


def _is_main(line: str) -> bool:
    """Return whether an info line is about the best move."""
    return " multipv " not in line or " multipv 1 " in line
