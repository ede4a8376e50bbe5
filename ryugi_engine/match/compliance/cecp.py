"""A compliance check's side of CECP: handshake, options, positions, searches."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence

from ryugi_engine.games.game import PASS, IllegalMove, read_move
from ryugi_engine.games.notation import own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.match.cecp import NUDGE
from ryugi_engine.match.cecp_text import (
    MoveReader,
    castling_spelled,
    edit_lines,
    game_name,
    option_lines,
    refuses,
    usermove,
)
from ryugi_engine.match.compliance.cecp_lines import is_result, parse_features, parse_option
from ryugi_engine.match.compliance.connection import Gone, Line, shown
from ryugi_engine.match.compliance.parsing import Malformed
from ryugi_engine.match.compliance.sample_positions import Place
from ryugi_engine.match.compliance.steps import Checker, Fault, Search, Settings, Skip, legal_move
from ryugi_engine.match.engine_options import EngineOption, cecp_option
from ryugi_engine.records.san import engine_move

#: Limits under which a search takes long.
LONG = "level 0 60 0;time 360000;otim 360000"
#: Features that are refused: this one would have moves in a spelling of people's.
_REFUSED = ("san",)


class CecpChecker(Checker):
    """Speaks CECP with an engine that is checked."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.features: dict[str, str] = {}
        self.options: dict[str, EngineOption] = {}
        self._pings = 0
        self._moves = 0
        self._warm = False
        self._reader = MoveReader()

    def is_move(self, line: str) -> bool:
        """Return whether a line is the engine's move."""
        return self._reader.read(line) is not None

    def has(self, feature: str) -> bool:
        """Return whether the engine has a feature."""
        return self.features.get(feature) == "1"

    def need(self, feature: str) -> None:
        """Skip if the engine has not got a feature."""
        if not self.has(feature):
            raise Skip(f"feature {feature}=0")

    # ---- the introduction ------------------------------------------------------------------

    async def handshake(self) -> list[Line]:
        """Start a process and send ``protover``; return its lines up to ``done=1``."""
        await self.open()
        self._pings = self._moves = 0
        self._warm = False
        self._reader = MoveReader()
        begin = at = self.connection.send("xboard", "protover 2")
        until = time.perf_counter() + self.start_timeout
        while True:
            left = until - time.perf_counter()
            silent = at == begin
            line = await self.connection.look(
                at,
                lambda line: line.split()[:1] == ["feature"],
                min(NUDGE, left) if silent else left,
            )
            if line is None:
                if not silent or left <= NUDGE:
                    raise Gone(f"no 'feature done=1' in {self.start_timeout:.1f} s")
                self._send_ping()
                continue
            at = self.connection.lines.index(line, at) + 1
            try:
                result = parse_features(line.text)
            except Malformed:
                result = re.findall(r"(done)=([01])", line.text)
            for name, value in result:
                if name == "option":
                    with contextlib.suppress(Malformed):
                        self.options[parse_option(value).lower()] = cecp_option(value)
                    continue
                self.features[name] = value
                if name != "done":
                    word = "rejected" if name in _REFUSED else "accepted"
                    self.connection.send(f"{word} {name}", reply=True)
            if ("done", "1") in result:
                return self.connection.answers(begin, at)

    async def get_ready(self) -> None:
        await self.handshake()
        await self.set_options()
        await self.new_game()

    async def set_options(self) -> None:
        """Set what a match sets for the user; Unsupported if there is no such option."""
        file = self.settings.variants_file
        self.connection.send(*option_lines(self.spec, self.options, self.features, file))
        await self.ping()

    @property
    def variant(self) -> str:
        """What the protocol, or the engine, calls the game; GameUnknown if it lacks that game."""
        return game_name(self.spec, self.game, self.features)

    async def ping(self, timeout: float = 0.0) -> float:
        """Wait for ``pong``; the seconds that it took. Without that feature nothing is known."""
        if not self.has("ping"):
            return 0.0
        begin = self._send_ping()
        now = time.perf_counter()
        line = await self.pong(begin, timeout)
        return line.when - now

    def _send_ping(self) -> int:
        self._pings += 1
        return self.connection.send(f"ping {self._pings}")

    async def pong(self, begin: int, timeout: float = 0.0) -> Line:
        """Wait for the answer to the last ``ping``."""
        wanted = ["pong", str(self._pings)]
        return await self.connection.wait(
            begin,
            lambda line: line.split() == wanted,
            timeout or self.start_timeout,
            f"no answer to 'ping {self._pings}'",
        )

    async def new_game(self) -> int:
        """Begin a game in force mode; where the answers begin."""
        lines = ["new"]
        if self.variant != "normal":
            lines.append(f"variant {self.variant}")
        # whoever shows placed pieces knows the rules, or the engine would correct a GUI's board
        lines += ["computer"] * self.game.placed
        begin = self.connection.send(*lines, "force", "easy", "post", "level 0 5 0")
        await self.ping()
        return begin

    async def wait_idle(self) -> None:
        if not self.has("ping"):
            return
        self.connection.send("force")
        await self.ping()
        moves = [line for line in self.connection.answers(0) if self.is_move(line.text)]
        if len(moves) > self._moves:
            raise Fault(f"'{shown(moves[-1].text)}' out of turn")

    # ---- positions -------------------------------------------------------------------------

    def usermove(self, move: str) -> str:
        """Return the command for a move as it is written."""
        return usermove(move, self.game, self.features)

    def last_move(self, place: Place) -> str:
        """Return the command for the last move of a place, as a match sends it."""
        position = place.position
        return self.usermove(*castling_spelled(position, position.moves[-1:]))

    def place_lines(self, place: Place, *, by_text: bool = False) -> list[str]:
        """Return the lines that set a place up in force mode; Skip if there are none.

        Turns alternate here: a side that is not on move passes.
        """
        position, sides = place.position, place.sent.sides
        lines, order = [], 0
        if by_text or position.root_text != self.game.start:
            if self.has("setboard"):
                lines.append(f"setboard {position.root_text}")
            else:
                lines += edit_lines(self.game, position.root_text) or []
                if not lines:
                    raise Skip("feature setboard=0")
            order = Position(self.game, position.root_text).side
        for side, move in zip(sides, castling_spelled(position, position.moves), strict=True):
            if side != order:
                lines.append(self.usermove(PASS))
                order ^= 1
            lines.append(self.usermove(move))
            order ^= 1
        if order != position.side and position.outcome() is None:
            lines.append(self.usermove(PASS))
        return lines

    async def set_up(self, place: Place, *, by_text: bool = False) -> None:
        """Begin a new game at a place; Fault if the engine does not take it."""
        lines = self.place_lines(place, by_text=by_text)
        await self.new_game()
        begin = self.connection.send(*lines) if lines else self.connection.length
        await self.ping()
        self.no_objection(begin, lines)

    def no_objection(self, begin: int, sent: Sequence[str]) -> None:
        """Fault if the engine has refused one of the lines that were sent before ``begin``.

        What it says of others, as of commands that it need not know, is ignored.
        """
        moves = [line.removeprefix("usermove ") for line in sent]
        tokens = [word for line in sent for word in line.split()]
        for line in self.connection.answers(begin):
            text = line.text
            error = text.startswith("Error") and any(word in text for word in tokens)
            if error or refuses(text, moves) or text.startswith("tellusererror"):
                raise Fault(f"'{shown(line.text)}' in answer to what is legal")

    # ---- moves -----------------------------------------------------------------------------

    async def go(
        self, place: Place, limits: str = "st 1;sd 4", timeout: float = 30.0, begin_by: str = "go"
    ) -> Search:
        """Let the engine move in a position that it knows; Fault if the move is not legal."""
        begin, began = self.begin_thinking(limits, begin_by)
        return await self.finish(place, limits, begin, began, timeout)

    def search_without_end(self, place: Place) -> None:
        self.begin_thinking(LONG)

    def begin_thinking(self, limits: str, begin_by: str = "go") -> tuple[int, float]:
        """Send the limits and ``go``; return the index of the answers and the time."""
        lines = [line for line in limits.split(";") if line]
        return self.connection.send(*lines, begin_by), time.perf_counter()

    async def finish(
        self, place: Place, limits: str, begin: int, began: float, timeout: float = 30.0
    ) -> Search:
        """Wait for the move of a search that has been begun."""
        if not self._warm:
            timeout = max(timeout, self.start_timeout)
        message = f"no move under '{limits}'"
        end = await self.connection.wait(begin, self._ends_thinking, timeout, message)
        self._warm = True
        return self.ended(place, limits, begin, began, end)

    def ended(self, place: Place, limits: str, begin: int, began: float, end: Line) -> Search:
        """Return a search whose move has come; Fault if the move is not legal."""
        lines = self.connection.answers(begin, self.connection.lines.index(end, begin))
        result = Search(limits, place.position.copy(), began, lines, end, "")
        self.searches.append(result)
        if is_result(end.text):
            raise Fault(f"'{shown(end.text)}' in a game that goes on")
        word = self._reader.read(end.text)
        if word is not None:
            self._moves += 1
            result.move = checked(place.position, word, shown(end.text))
        return result

    def _ends_thinking(self, line: str) -> bool:
        return self.is_move(line) or line.split()[:1] == ["resign"] or is_result(line)


def checked(position: Position, text: str, line: str) -> str:
    """Return a legal move of coordinates or SAN in our notation; else raise Fault with its line."""
    text = own_ranks(text, position.game.ranks)
    try:
        text = read_move(engine_move(position, text))
    except IllegalMove:
        raise Fault(f"'{line}': {text[:20]} is not legal in {position.text()}") from None
    return legal_move(position, text, line)
