"""A compliance check's side of UCI: handshake, options, searches."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence

from ryugi_engine.games.game import read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.connection import Line, shown
from ryugi_engine.match.compliance.parsing import Malformed
from ryugi_engine.match.compliance.sample_positions import Place
from ryugi_engine.match.compliance.steps import Checker, Fault, Search, Settings, Skip, legal_move
from ryugi_engine.match.compliance.uci_lines import parse_bestmove, parse_option
from ryugi_engine.match.engine_options import EngineOption
from ryugi_engine.match.uci import Setting, game_settings, position_line, setoption, user_settings

#: Searches of which the lines are looked at.
_MOST_SEARCHES = 200
_NOTHING = ("(none)", "0000", "none", "NULL")


def is_bestmove(line: str) -> bool:
    """Return whether a line ends a search."""
    return line.split()[:1] == ["bestmove"]


class UciChecker(Checker):
    """Speaks UCI with an engine that is checked."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.options: dict[str, EngineOption] = {}
        #: Names, in lower case, of the options that a match sets for this user and game.
        self.chosen: set[str] = set()
        #: Whether a search has come to its end: the first may take long.
        self._warm = False
        self._answered = 0

    # ---- the introduction ------------------------------------------------------------------

    async def handshake(self) -> list[Line]:
        """Start a process and send ``uci``; return its lines up to ``uciok``."""
        await self.open()
        self._answered = 0
        self._warm = False
        begin = self.connection.send("uci")
        await self.connection.wait(
            begin, lambda line: line.strip() == "uciok", self.start_timeout, "no 'uciok'"
        )
        lines = self.connection.answers(begin)
        for line in lines:
            if line.text.split()[:1] == ["option"]:
                with contextlib.suppress(Malformed):
                    option = parse_option(line.text)
                    self.options[option.name.lower()] = option
        return lines

    def set(self, name: str, value: str) -> None:
        """Set an option that the engine has."""
        self.connection.send(setoption(self.options[name.lower()], value))

    async def set_options(self) -> None:
        """Set what a match sets for the user; Unsupported if there is no such option."""
        await self._set(user_settings(self.spec, self.options, self.settings.variants_file))

    async def choose_game(self) -> str:
        """Set the options by which a match chooses the game; return them and their values."""
        settings = game_settings(
            self.spec, self.game, self.options, loaded="variantpath" in self.chosen
        )
        await self._set(settings)
        return ", ".join(f"{option.name} {value}" for option, value in settings) or (
            "chess, the only game it has"
        )

    async def _set(self, settings: Sequence[Setting]) -> None:
        for setting in settings:
            self.chosen.add(setting[0].name.lower())
            self.connection.send(setoption(*setting))
        await self.ready()

    async def get_ready(self) -> None:
        await self.handshake()
        await self.set_options()
        await self.choose_game()
        await self.new_game()

    async def new_game(self) -> None:
        """Announce a game, and wait until the engine is ready for it."""
        self.connection.send("ucinewgame")
        await self.ready()

    async def ready(self, timeout: float = 0.0) -> float:
        """Wait for ``readyok``; the seconds that it took."""
        begin = self.connection.send("isready")
        now = time.perf_counter()
        line = await self.connection.wait(
            begin,
            lambda line: line.strip() == "readyok",
            timeout or self.start_timeout,
            "no answer to 'isready'",
        )
        return line.when - now

    async def wait_idle(self) -> None:
        await self.ready()
        moves = [line for line in self.connection.answers(0) if is_bestmove(line.text)]
        if len(moves) > self._answered:
            raise Fault(f"'{shown(moves[-1].text)}' out of turn")

    # ---- searches --------------------------------------------------------------------------

    def place_line(self, place: Place, moves: Iterable[str] = ()) -> str:
        """Return the ``position`` command of a place, with moves played from it."""
        return position_line(self.game, place.sent.root, [*place.told_moves, *moves])

    def search_without_end(self, place: Place) -> None:
        self.begin(place, "infinite")

    def begin(self, place: Place, go: str, *, line: str = "") -> tuple[int, float]:
        """Send ``position`` and ``go``; return the index of the answers and the time."""
        begin = self.connection.send(line or self.place_line(place), f"go {go}".rstrip())
        return begin, time.perf_counter()

    async def search(
        self, place: Place, go: str, timeout: float = 60.0, *, line: str = ""
    ) -> Search:
        """Search a place to its end; Fault if there is no legal move then.

        ``line``: a ``position`` command to send instead of the usual one.
        """
        begin, began = self.begin(place, go, line=line)
        return await self.finish(place, go, begin, began, timeout)

    async def finish(
        self, place: Place, go: str, begin: int, began: float, timeout: float = 60.0
    ) -> Search:
        """Wait for the end of a search that has been begun."""
        if not self._warm:
            timeout = max(timeout, self.start_timeout)
        best = await self.connection.wait(begin, is_bestmove, timeout, f"no bestmove to 'go {go}'")
        self._warm = True
        return self.ended(place, go, begin, began, best)

    def ended(self, place: Place, go: str, begin: int, began: float, best: Line) -> Search:
        """Return a search whose ``bestmove`` has come; Fault if that is not a legal move."""
        self._answered += 1
        end = self.connection.lines.index(best, begin)
        lines = self.connection.answers(begin, end)
        search = Search(go, place.position.copy(), began, lines, best)
        if len(self.searches) < _MOST_SEARCHES:
            self.searches.append(search)
        try:
            search.move, search.ponder = parse_bestmove(best.text)
        except Malformed as error:
            raise Fault(f"'{shown(best.text)}': {error}") from None
        if place.position.legal_codes():
            self._judge(search)
        elif search.move not in _NOTHING:
            raise Fault(f"'{shown(best.text)}' where the game is over")
        return search

    def _judge(self, search: Search) -> None:
        """Raise Fault if the move, or the ponder move, is not legal."""
        position, message = search.position, shown(search.end.text)
        move = checked(position, search.move, message)
        if search.ponder:
            trial = position.copy()
            trial.push(move)
            if not trial.legal_codes():
                raise Fault(f"'{message}': the game is over where it would ponder")
            checked(trial, search.ponder, message)

    def need(self, option: str) -> EngineOption:
        """Return an option; raise Skip if the engine does not have it."""
        result = self.options.get(option.lower())
        if result is None:
            raise Skip(f"it has no option {option}")
        return result


def checked(position: Position, text: str, line: str) -> str:
    """Return a legal move that is written as UCI writes it; else raise Fault with its line."""
    move = legal_move(position, read_move(text), line)
    if text.lower() == move.lower() and text != move:
        raise Fault(f"'{line}': {text[:20]} is not written {move}")
    return move
