"""The check of a CECP engine."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from functools import partial

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import PASS, IllegalMove, counted, read_move
from ryugi_engine.games.notation import own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.cecp_text import castling_spelled, refuses, usermove
from ryugi_engine.match.compliance import steps
from ryugi_engine.match.compliance.cecp_lines import (
    is_result,
    is_thinking_line,
    parse_features,
    parse_result,
    parse_setup,
    parse_thinking_line,
)
from ryugi_engine.match.compliance.checker import Checker, Fault, Search, Skip, legal_move
from ryugi_engine.match.compliance.lines import Info, Malformed
from ryugi_engine.match.compliance.places import Place
from ryugi_engine.match.compliance.steps import LAST_STEPS, Step
from ryugi_engine.match.engine import FalseClaim
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.records.san import engine_move

#: Seconds in which nothing may come that is not due.
_QUIET = 0.7
#: Limits under which a search takes long.
_LONG = ("level 0 60 0", "time 360000", "otim 360000")
_UNKNOWN = ("xyzzy", "protover", "level", "st", "time x", "option", "result")
#: Games that every engine and GUI know, by the protocol's names: no ``setup`` is due.
_KNOWN = frozenset(
    """
    normal nocastle fischerandom bughouse crazyhouse losers suicide giveaway twokings kriegspiel
    atomic 3check xiangqi shogi capablanca gothic knightmate janus shatranj berolina cylinder
    wildcastle amazon falcon courier makruk great spartan super
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


class CecpChecker(Checker):
    """Checker of a CECP engine."""

    engine: CecpEngine
    strict_variations = False  # they may be in a spelling of the engine's own
    fast, bounded = "st=1 depth=4", "st=2 "

    def new_engine(self, spec: EngineSpec, timeouts: Timeouts) -> CecpEngine:
        return CecpEngine(spec, self.game, self.settings.variants_file, timeouts)

    def think_long(self, place: Place) -> None:
        self.think(*_LONG)

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


async def introduction(checker: CecpChecker) -> str:
    """Check that ``protover 2`` is answered by features, the last of which is ``done=1``."""
    await checker.introduced()
    if not checker.has("done"):
        raise Fault("no 'feature done=1'")
    name = checker.engine.features.get("myname", "")
    if not name:
        raise Fault("no feature myname")
    lines = checker.log.lines
    return f"{checker.engine.name}: done=1 after {lines[-1].when - lines[0].when:.2f} s"


async def features(checker: CecpChecker) -> str:
    """Check that every feature and option has an allowed value."""
    await checker.introduced()
    number = 0
    for line in checker.answers():
        if line.text.split()[:1] == ["feature"]:
            try:
                number += len(parse_features(line.text))
            except Malformed as error:
                raise Fault(f"'{line.shown}': {error}") from None
    checker.send("rejected nonesuch", "accepted nonesuch")
    await checker.engine.ready()
    return f"{counted(number, 'feature')}, {counted(len(checker.engine.options), 'option')}"


async def ping(checker: CecpChecker) -> str:
    """Check that ``ping`` is answered by ``pong`` with its number."""
    await checker.introduced()
    checker.need("ping")
    await checker.engine.ready()
    seconds = [await checker.quick(5) for _ in range(5)]
    return f"after {max(seconds) * 1000:.0f} ms at most"


async def game(checker: CecpChecker) -> str:
    """Check that the engine lists the game in ``variants``, and that ``variant`` begins it."""
    await checker.introduced()
    await checker.engine.configure()
    begin = len(checker.log.lines)
    await checker.engine.begin_game(Position(checker.game))
    checker.no_objection(begin, [f"variant {checker.engine.variant}"])
    return checker.engine.variant


async def setup(checker: CecpChecker) -> str:
    """Check that ``setup`` describes a game that GUIs do not know: board, letters, start."""
    name, board = checker.engine.variant, checker.game
    begin = len(checker.log.lines)
    await checker.engine.begin_game(Position(checker.game))
    line = next((line for line in checker.answers(begin) if line.text.startswith("setup")), None)
    if line is None and name in _KNOWN:
        raise Skip(f"every GUI knows {name}")
    if line is None:
        raise Fault(f"no 'setup' after 'variant {name}'")
    try:
        files, ranks, start = parse_setup(line.text)
    except Malformed as error:
        raise Fault(f"'{line.shown}': {error}") from None
    size = f"{board.files}x{board.ranks}"
    if files and f"{files}x{ranks}" != size:
        raise Fault(f"a board of {files}x{ranks}, where the game has {size}")
    if start.split()[0] != board.start.split()[0]:
        raise Fault(f"the start is '{start[:200]}', not '{board.start}'")
    return f"{files}x{ranks}"


async def go(checker: CecpChecker) -> str:
    """Check that after ``go`` the engine plays legal moves for the side on move."""
    return await steps.each(checker, [checker.places.start, *checker.places.walks])


async def setboard(checker: CecpChecker) -> str:
    """Check ``setboard`` with either side on move, and that a faulty position does no harm."""
    checker.need("setboard")
    message = await steps.each(checker, [place.bare() for place in checker.places.walks])
    await checker.engine.begin_game(Position(checker.game))
    checker.send("setboard this is no position")
    with contextlib.suppress(FalseClaim):  # in a match it would be a legal one that is refused
        await checker.engine.ready()
    checker.engine.fault = None
    return message


async def illegal(checker: CecpChecker) -> str:
    """Check that an illegal move is refused and changes nothing."""
    place = checker.places.middle
    everywhere = (checker.places.start, *checker.places.walks)
    others = {move for other in everywhere for move in other.position.legal_moves()}
    wrong = sorted(others - {*place.position.legal_moves(), PASS})
    wrong = wrong[:: max(1, len(wrong) // 4)][:4]
    if not wrong:
        raise Skip("no such move was found")
    for move in wrong:
        await checker.set_up(place)
        line = usermove(move, checker.game, checker.engine.features)
        begin = checker.send(line)
        await checker.engine.ready()
        words = [line.split()[-1]]
        refused = await checker.look(
            begin,
            lambda text, words=words: refuses(text, words) or text.startswith("Error"),  # type: ignore[misc]
            checker.margin,
        )
        if refused is None:
            raise Fault(f"'{line}' is not refused in {place.position.text()}")
        begin = checker.think("st 1", "sd 4")
        await checker.finish(place, "st=1", begin, 30.0)
    return ", ".join(wrong)


async def undo(checker: CecpChecker) -> str:
    """Check that ``undo`` takes one move back in force mode, and ``remove`` two."""
    start = checker.places.start
    if start.position.side != 0:
        raise Skip("Black begins: the passes would be counted")
    first, *_, other = [start.after(move) for move in start.position.legal_moves()]
    if first.position.side == start.position.side:
        raise Skip("turns do not alternate")
    reply, *_, last = [first.after(move) for move in first.position.legal_moves()]
    await checker.set_up(start)
    lines = [checker.last_move(place) for place in (first, reply, last, other)]
    lines = [*lines[:2], "undo", lines[2], "remove", lines[3]]
    begin = checker.send(*lines)
    await checker.engine.ready()
    checker.no_objection(begin, lines)
    begin = checker.think("st 1", "sd 4")
    await checker.finish(other, "st=1", begin, 30.0)
    return "one move, and two"


async def force(checker: CecpChecker) -> str:
    """Check that the engine does not move in force mode, even if ``force`` ends a search."""
    place = checker.places.middle
    await checker.set_up(place)
    checker.think(*_LONG)
    await asyncio.sleep(0.3)
    await checker.still("force")
    await checker.still(checker.last_move(place.after(place.position.legal_moves()[0])))
    return ""


async def per_move(checker: CecpChecker) -> str:
    """Check that the time of ``st`` is kept."""
    places = checker.places.start, checker.places.middle
    return await steps.in_time(checker, places, (("st=1", 1.0), ("st=2", 2.0)))


async def move_now(checker: CecpChecker) -> str:
    """Check that ``?`` makes the engine move at once."""
    slowest = 0.0
    for wait in (0.5, 0.1):
        await checker.set_up(checker.places.middle)
        begin = checker.think(*_LONG)
        await asyncio.sleep(wait)
        now = time.perf_counter()
        checker.send("?")
        search = await checker.finish(
            checker.places.middle, "?", begin, checker.margin, "no move after '?'"
        )
        slowest = max(slowest, search.end.when - now)
    return f"{slowest * 1000:.0f} ms after it at most"


async def ping_in_search(checker: CecpChecker) -> str:
    """Check that a ``ping`` during a search is answered after the move, and does not hurry it."""
    checker.need("ping")
    await checker.set_up(checker.places.middle)
    begin = checker.think("st 3")
    await asyncio.sleep(0.2)
    await checker.quick(10)
    if checker.engine.thinking:
        raise Fault("'pong' before its move")
    await checker.finish(checker.places.middle, "st=3", begin, 0.0)
    return ""


async def hard(checker: CecpChecker) -> str:
    """Check that with ``hard`` the engine answers ``ping`` and moves, and plays on."""
    return await steps.game(checker, moves=4, first="hard", pause=0.2)


async def analyze(checker: CecpChecker) -> str:
    """Check that ``analyze`` reports without moving, follows moves and undo, until ``exit``."""
    if checker.engine.features.get("analyze", "1") == "0":
        raise Skip("feature analyze=0")
    place = checker.places.middle
    others = place.replies()
    if not others:
        raise Skip("every move ends the game")
    await checker.set_up(place)
    for lines in (("post", "analyze"), (checker.last_move(others[0]),), ("undo",)):
        begin = checker.send(*lines)
        if await checker.look(begin, is_thinking_line, checker.margin + 5) is None:
            raise Fault(f"no thinking output after '{lines[-1]}'")
    seconds = await checker.quick(5)
    begin = checker.send(".")
    status = await checker.look(begin, lambda line: line.startswith("stat01:"), 0.5)
    checker.send("exit")
    await checker.quick(5)
    begin = await checker.still()
    late = [line for line in checker.answers(begin) if is_thinking_line(line.text)]
    if late:
        raise Fault(f"'{late[0].shown}' after 'exit'")
    return f"pong after {seconds * 1000:.0f} ms" + ("" if status else "; no answer to '.'")


async def result(checker: CecpChecker) -> str:
    """Check that a winning move is followed by the result, and no move by a finished game."""
    won = checker.places.won
    if not checker.game.placed:  # a GUI shows its user results, a program may not
        checker.engine.opponent = ()
    await steps.win(checker)
    assert won is not None
    outcome, search = won.position.outcome(), checker.searches[-1]
    begin = checker.log.lines.index(search.end)
    line = await checker.look(begin, is_result, checker.margin + 1)
    if line is None:
        raise Fault(f"no result after '{search.end.shown}', which wins")
    if outcome is not None and parse_result(line.text) != outcome.result:
        raise Fault(f"'{line.shown}' where the result is {outcome.result}")
    await checker.set_up(won)
    await checker.still("st 1", "go")
    await checker.set_up(checker.places.middle)
    checker.think(*_LONG)
    await asyncio.sleep(0.2)
    await checker.still("result * {the check}")
    checker.engine.opponent = ("computer",)
    return line.shown


async def settings(checker: CecpChecker) -> str:
    """Check that ``memory`` and ``cores`` are accepted if the engine has these features."""
    lines = ["memory 32"] * checker.has("memory") + ["cores 1"] * checker.has("smp")
    if not lines:
        raise Skip("features memory=0 smp=0")
    begin = checker.send(*lines)
    await checker.engine.ready()
    checker.no_objection(begin, lines)
    await checker.search(checker.places.start, checker.fast)
    return ", ".join(lines)


async def nopost(checker: CecpChecker) -> str:
    """Check that there is no thinking output after ``nopost``, and some after ``post``."""
    place = checker.places.start
    for word in ("nopost", "post"):
        await checker.set_up(place)
        checker.send(word)
        begin = checker.think("st 1", "sd 4")
        await checker.finish(place, "st=1", begin, 30.0)
        lines = [line for line in checker.answers(begin) if is_thinking_line(line.text)]
        if word == "nopost" and lines:
            raise Fault(f"'{lines[0].shown}' after nopost")
    if not lines:
        raise Fault("no thinking output after post")
    return f"{counted(len(lines), 'line')} after post"


STEPS = (
    Step("introduction", introduction, alone=True, needed=True),
    Step("features", features, alone=True),
    Step("ping", ping, alone=True),
    Step("game", game, alone=True, needed=True),
    Step("setup", setup),
    Step("unknown commands", partial(steps.unknown, lines=_UNKNOWN)),
    Step("go", go),
    Step("usermove", steps.game),
    Step("setboard", setboard),
    Step("illegal moves", illegal),
    Step("undo and remove", undo),
    Step("force", force),
    Step("st", per_move),
    Step("sd", steps.depth),
    Step("level and time", steps.clock),
    Step("move now", move_now),
    Step("ping in a search", ping_in_search),
    Step("hard", hard),
    Step("analyze", analyze),
    Step("win in one", steps.win),
    Step("mate score", steps.mate_score),
    Step("result", result),
    Step("memory and cores", settings),
    Step("nopost", nopost),
    Step("thinking output", steps.lines),
    Step("principal variations", steps.variations),
    *LAST_STEPS,
)
