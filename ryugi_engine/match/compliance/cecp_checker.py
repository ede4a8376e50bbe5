"""A CECP engine that is checked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import IllegalMove, read_move
from ryugi_engine.games.notation import own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.cecp_text import castling_spelled, refuses, usermove
from ryugi_engine.match.compliance.cecp_lines import is_thinking_line, parse_thinking_line
from ryugi_engine.match.compliance.checker import Checker, Fault, Search, Skip, legal_move
from ryugi_engine.match.compliance.lines import Info
from ryugi_engine.match.compliance.places import Place
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.records.san import engine_move

#: Seconds in which nothing may come that is not due.
_QUIET = 0.7
#: Limits under which a search takes long.
LONG = ("level 0 60 0", "time 360000", "otim 360000")


class CecpChecker(Checker):
    """Checker of a CECP engine."""

    engine: CecpEngine
    strict_variations = False  # they may be in a spelling of the engine's own
    fast, bounded = "st=1 depth=4", "st=2 "

    def new_engine(self, spec: EngineSpec, timeouts: Timeouts) -> CecpEngine:
        return CecpEngine(spec, self.game, self.settings.variants_file, timeouts)

    def think_long(self, place: Place) -> None:
        self.think(*LONG)

    def read_info(self, line: str) -> Info | None:
        return parse_thinking_line(line) if is_thinking_line(line) else None

    def legal(self, position: Position, text: str, line: str) -> str:
        text = own_ranks(text, position.game.ranks)
        try:
            text = read_move(engine_move(position, text))
        except IllegalMove:
            raise Fault(f"'{line}': {text[:20]} is not legal in {position.text()}") from None
        return legal_move(position, text, line)

    async def search(self, place: Place, limits: str, left: float = 0.0) -> Search:
        """Ask for a move in a new game."""
        await self.engine.begin_game(Position(self.game, place.position.root_text))
        return await self.play(place, limits, left)

    async def set_up(self, place: Place) -> None:
        """Begin a new game at a place, in force mode; Fault if the engine does not take it."""
        await self.engine.begin_game(Position(self.game, place.position.root_text))
        lines = self.engine.news(place.turn(TimeControl(1.0, 0.0)))
        begin = self.send(*lines)
        await self.engine.ready()
        self.no_objection(begin, lines)

    def no_objection(self, begin: int, sent: Sequence[str]) -> None:
        """Raise Fault if the engine has refused one of the lines that were sent before ``begin``.

        Objections to other lines are ignored, as to commands that an engine need not know.
        """
        moves = [line.removeprefix("usermove ") for line in sent]
        tokens = [word for line in sent for word in line.split()]
        for line in self.answers(begin):
            error = line.text.startswith("Error") and any(word in line.text for word in tokens)
            if error or refuses(line.text, moves) or line.text.startswith("tellusererror"):
                raise Fault(f"'{line.shown}' in answer to what is legal")

    def think(self, *limits: str) -> int:
        """Start a search where the engine is; return the index at which its answers begin."""
        self.engine.think(*limits, "go")
        return len(self.log.lines)

    async def answer(self, place: Place) -> int:
        """Let it move where it is; return the index at which its answers begin."""
        begin = self.think("st 1", "sd 4")
        await self.finish(place, "st=1", begin, 30.0)
        return begin

    async def still(self, *lines: str) -> int:
        """Send lines after which the engine may not move; return where their answers begin."""
        begin = self.send(*lines)
        self.engine.thinking = False
        await self.quick(5)
        await asyncio.sleep(_QUIET)
        self.check()
        return begin

    def last_move(self, place: Place) -> str:
        """Return the line of the last move of a place."""
        position = place.position
        (move,) = castling_spelled(position, position.moves[-1:])
        return usermove(move, self.game, self.engine.features)

    def has(self, feature: str) -> bool:
        """Return whether the engine has a feature."""
        return self.engine.features.get(feature) == "1"

    def need(self, feature: str) -> None:
        """Raise Skip if the engine has not got a feature."""
        if not self.has(feature):
            raise Skip(f"feature {feature}=0")
