"""The check of a CECP engine."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from functools import partial
from itertools import filterfalse

from ryugi_engine.games.game import counted, is_pass
from ryugi_engine.games.position import Position
from ryugi_engine.match.cecp_text import refuses, usermove
from ryugi_engine.match.compliance import steps
from ryugi_engine.match.compliance.cecp_checker import LONG, CecpChecker
from ryugi_engine.match.compliance.cecp_lines import (
    is_result,
    is_thinking_line,
    parse_features,
    parse_result,
)
from ryugi_engine.match.compliance.checker import Fault, Skip
from ryugi_engine.match.compliance.lines import Malformed
from ryugi_engine.match.compliance.steps import LAST_STEPS, Step
from ryugi_engine.match.engine import FalseClaim

_UNKNOWN = ("xyzzy", "protover", "level", "st", "time x", "option", "result")


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


def _is_refusal(words: Sequence[str], line: str) -> bool:
    return refuses(line, words) or line.startswith("Error")


async def illegal(checker: CecpChecker) -> str:
    """Check that an illegal move is refused and changes nothing."""
    place = checker.places.middle
    everywhere = (checker.places.start, *checker.places.walks)
    others = {move for other in everywhere for move in other.position.legal_moves()}
    wrong = sorted(filterfalse(is_pass, others.difference(place.position.legal_moves())))
    wrong = wrong[:: max(1, len(wrong) // 4)][:4]
    if not wrong:
        raise Skip("no such move was found")
    for move in wrong:
        await checker.set_up(place)
        line = usermove(move, checker.game, checker.engine.features)
        begin = checker.send(line)
        await checker.engine.ready()
        words = [line.split()[-1]]
        refused = await checker.look(begin, partial(_is_refusal, words), checker.margin)
        if refused is None:
            raise Fault(f"'{line}' is not refused in {place.position.text()}")
        await checker.answer(place)
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
    await checker.answer(other)
    return "one move, and two"


async def force(checker: CecpChecker) -> str:
    """Check that the engine does not move in force mode, even if ``force`` ends a search."""
    place = checker.places.middle
    await checker.set_up(place)
    checker.think(*LONG)
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
        begin = checker.think(*LONG)
        await asyncio.sleep(wait)
        now = time.perf_counter()
        checker.send("?")
        message = "no move after '?'"
        search = await checker.finish(checker.places.middle, "?", begin, checker.margin, message)
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
    checker.think(*LONG)
    await asyncio.sleep(0.2)
    await checker.still("result * {the check}")
    checker.engine.opponent = ("computer",)
    return line.shown


STEPS = (
    Step("introduction", introduction, alone=True, needed=True),
    Step("features", features, alone=True),
    Step("ping", ping, alone=True),
    Step("game", game, alone=True, needed=True),
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
    Step("analyze", analyze),
    Step("win in one", steps.win),
    Step("mate score", steps.mate_score),
    Step("result", result),
    Step("thinking output", steps.lines),
    Step("principal variations", steps.variations),
    *LAST_STEPS,
)
