"""A compliance check's side of UCI: handshake, options, searches."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path

from ryugi_engine.games.game import PASS, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.connection import Line, shown
from ryugi_engine.match.compliance.parsing import Malformed
from ryugi_engine.match.compliance.sample_positions import Place
from ryugi_engine.match.compliance.steps import Checker, Fault, Search, Settings, Skip, legal_move
from ryugi_engine.match.compliance.uci_lines import Option, parse_bestmove, parse_option

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
        self.options: dict[str, Option] = {}
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
        option = self.options[name.lower()]
        message = "" if option.kind == "button" else f" value {value}"
        self.connection.send(f"setoption name {option.name}{message}")

    async def set_options(self) -> None:
        """Set what the user has asked for; Fault if there is no such option."""
        given = dict(self.spec.options)
        lower = {name.lower() for name in given}
        file = self.settings.variants_file
        if file and "variantpath" in self.options and "variantpath" not in lower:
            given = {"VariantPath": str(Path(file).resolve()), **given}
        for name, value in given.items():
            if name.lower() not in self.options:
                raise Fault(f"it has no option '{name[:60]}'")
            self.set(name, value)
        self._loads = "VariantPath" in given
        await self.ready()

    _loads = False

    async def choose_game(self) -> str:
        """Set UCI_Variant; return the engine's name of the game."""
        name = self.spec.variant or self.game.name
        option = self.options.get("uci_variant")
        if option is None:
            if self.game.name != "chess":
                raise Fault(f"no option UCI_Variant: it cannot be set to play {self.game.name}")
            return "chess, the only game it has"
        choices = {choice.lower(): choice for choice in option.choices}
        if name.lower() not in choices and not self._loads:
            known = shown(", ".join(option.choices))
            raise Fault(f"it does not play '{name}', it plays {known}")
        self.set("UCI_Variant", choices.get(name.lower(), name))
        await self.ready()
        return choices.get(name.lower(), name)

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
        game, sent = self.game, place.sent
        start = sent.root == game.start and game.name == "chess"
        text = "position startpos" if start else f"position fen {sent.root}"
        messages = ["0000" if move == PASS else move for move in (*place.told_moves, *moves)]
        return " ".join([text, "moves", *messages]) if messages else text

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

    def need(self, option: str) -> Option:
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
