"""The steps of a CECP engine's check in which it moves; see ``cecp_steps``."""

from __future__ import annotations

import asyncio
import random
import time

from ryugi_engine.games.game import PASS, counted
from ryugi_engine.match.cecp_text import refuses
from ryugi_engine.match.compliance import cecp_thinking
from ryugi_engine.match.compliance.cecp import LONG, CecpChecker
from ryugi_engine.match.compliance.cecp_lines import is_result, is_thinking_line, parse_result
from ryugi_engine.match.compliance.connection import shown
from ryugi_engine.match.compliance.steps import Fault, Skip

#: Seconds in which nothing may come that is not due.
_QUIET = 0.7
#: A score that says "I win with this move".
_MATE_IN_ONE = 100_001


async def go(checker: CecpChecker) -> str:
    """``new`` and ``go``: it plays the side on move, legally, wherever the game stands."""
    places = [checker.places.start, *checker.places.walks]
    for place in places:
        await checker.set_up(place)
        await checker.go(place)
    return counted(len(places), "position") + ", a legal move in each"


async def usermove(checker: CecpChecker) -> str:
    """It answers a move by one, and plays on so."""
    rng = random.Random(1)
    place = checker.places.start
    side = place.position.side
    await checker.set_up(place)
    search = await checker.go(place)
    for _ in range(12):
        place = place.after(search.move) if search.move else place
        if not search.move or place.position.side == side or place.position.outcome() is not None:
            break
        replies = [place.after(move) for move in place.position.legal_moves()]
        replies = [p for p in replies if p.position.side == side and p.position.outcome() is None]
        if not replies:
            break
        place = rng.choice(replies)
        search = await checker.go(place, begin_by=checker.last_move(place))
    await checker.wait_idle()
    return counted(len(place.position.moves), "ply", "plies")


async def setboard(checker: CecpChecker) -> str:
    """Positions by their text, White or Black on move; what is none does not disturb it."""
    checker.need("setboard")
    for place in checker.places.walks:
        one = place.bare()
        await checker.set_up(one, by_text=True)
        await checker.go(one)
    await checker.new_game()
    checker.connection.send("setboard this is no position")
    await checker.ping()
    return counted(len(checker.places.walks), "position") + ", a legal move in each"


async def illegal(checker: CecpChecker) -> str:
    """A move that is not legal is refused, and changes nothing."""
    place = checker.places.middle
    legal = set(place.position.legal_moves())
    others = [
        move
        for other in (checker.places.start, *checker.places.walks)
        for move in other.position.legal_moves()
        if move not in legal and move != PASS
    ]
    if not others:
        raise Skip("no such move was found")
    wrong = sorted(set(others))[:: max(1, len(set(others)) // 4)][:4]
    words = [checker.usermove(move).split()[-1] for move in wrong]
    for move in wrong:
        await checker.set_up(place)
        begin = checker.connection.send(checker.usermove(move))
        if checker.has("ping"):
            await checker.ping()
        message = f"'{checker.usermove(move)}' is not refused in {place.position.text()}"
        line = await checker.connection.look(
            begin, lambda line: refuses(line, words) or line.startswith("Error"), checker.margin
        )
        if line is None:
            raise Fault(message)
        await checker.go(place)
    return ", ".join(wrong)


async def undo(checker: CecpChecker) -> str:
    """``undo`` takes a move back in force mode, ``remove`` two."""
    start = checker.places.start
    if start.position.side != 0:
        raise Skip("Black begins: the passes would be counted")
    moves = start.position.legal_moves()
    first, other_first = moves[0], moves[-1]
    behind = start.after(first)
    if behind.position.side == start.position.side:
        raise Skip("turns do not alternate")
    replies = behind.position.legal_moves()
    await checker.set_up(start)
    lines = (
        checker.last_move(behind),
        checker.last_move(behind.after(replies[0])),
        "undo",
        checker.last_move(behind.after(replies[-1])),
        "remove",
        checker.last_move(start.after(other_first)),
    )
    begin = checker.connection.send(*lines)
    await checker.ping()
    checker.no_objection(begin, lines)
    await checker.go(start.after(other_first))
    return "one move, and two"


async def force(checker: CecpChecker) -> str:
    """In force mode it does not move, be it in the middle of a search."""
    place = checker.places.middle
    await checker.set_up(place)
    begin, _began = checker.begin_thinking(LONG)
    await asyncio.sleep(0.3)
    checker.connection.send("force")
    await checker.ping(checker.margin + 5)
    await _no_move(checker, begin, "behind force")
    move = place.position.legal_moves()[0]
    begin = checker.connection.send(checker.last_move(place.after(move)))
    await _no_move(checker, begin, "in force mode")
    return ""


async def _no_move(checker: CecpChecker, begin: int, where: str) -> None:
    line = await checker.connection.look(begin, checker.is_move, _QUIET)
    if line is not None:
        raise Fault(f"'{shown(line.text)}' {where}")


async def per_move(checker: CecpChecker) -> str:
    """``st`` is kept."""
    return await _in_time(checker, (("st 1", 1.0), ("st 2", 2.0)))


async def clock(checker: CecpChecker) -> str:
    """Its clock is kept, be it by ``level`` or by ``time``."""
    limits = (
        ("level 0 5 0;time 100;otim 30000", 1.0),
        ("level 40 5 0;time 200;otim 100", 2.0),
        ("level 0 2 1;time 60;otim 12000", 0.6),
        ("level 0 0:03 0;time 300;otim 300", 3.0),
    )
    return await _in_time(checker, limits)


async def _in_time(checker: CecpChecker, limits: tuple[tuple[str, float], ...]) -> str:
    late = -9.0
    for place in (checker.places.start, checker.places.middle):
        for message, seconds in limits:
            await checker.set_up(place)
            search = await checker.go(place, message, seconds + 30 + checker.margin)
            late = max(late, search.seconds - seconds)
            if late > checker.margin:
                raise Fault(f"'{message}': its move {late * 1000:.0f} ms too late")
    return f"{late * 1000:.0f} ms over at most" if late > 0 else "no flag fell"


async def depth(checker: CecpChecker) -> str:
    """``sd`` goes no deeper."""
    reached = []
    for wanted in (1, 3):
        place = checker.places.middle
        await checker.set_up(place)
        search = await checker.go(place, f"st 2;sd {wanted}")
        result = cecp_thinking.deepest(search)
        if result > wanted:
            raise Fault(f"ply {result} behind 'sd {wanted}'")
        reached.append(result)
    return "plies " + ", ".join(map(str, reached))


async def move_now(checker: CecpChecker) -> str:
    """``?`` makes it move at once."""
    slowest = 0.0
    for wait in (0.5, 0.1):
        place = checker.places.middle
        await checker.set_up(place)
        begin, began = checker.begin_thinking(LONG)
        await asyncio.sleep(wait)
        now = time.perf_counter()
        checker.connection.send("?")
        line = await checker.connection.wait(
            begin, checker.is_move, checker.margin, "no move behind '?'"
        )
        checker.ended(place, LONG, begin, began, line)
        slowest = max(slowest, line.when - now)
    return f"{slowest * 1000:.0f} ms behind it at most"


async def ping_in_search(checker: CecpChecker) -> str:
    """A ``ping`` while it is on move is answered behind its move, and does not hurry it."""
    checker.need("ping")
    place = checker.places.middle
    await checker.set_up(place)
    begin, began = checker.begin_thinking("st 3")
    await asyncio.sleep(0.2)
    checker._pings += 1
    checker.connection.send(f"ping {checker._pings}")
    pong = await checker.pong(begin, 10 + checker.margin)
    if not any(
        checker.is_move(line.text)
        for line in checker.connection.answers(begin)
        if line.when <= pong.when
    ):
        line = await checker.connection.look(begin, checker.is_move, 10 + checker.margin)
        if line is not None:
            raise Fault(f"'{shown(pong.text)}' before '{shown(line.text)}'")
        raise Fault("no move behind 'ping'")
    await checker.finish(place, "", begin, began)
    return ""


async def hard(checker: CecpChecker) -> str:
    """``hard``: it may think on, answers ``ping`` and moves meanwhile, and plays on."""
    place = checker.places.start
    side = place.position.side
    await checker.set_up(place)
    checker.connection.send("hard")
    search = await checker.go(place)
    seconds = 0.0
    for _ in range(3):
        place = place.after(search.move) if search.move else place
        if not search.move or place.position.side == side:
            break
        await asyncio.sleep(0.2)
        seconds = max(seconds, await checker.ping(checker.margin + 2))
        replies = [place.after(move) for move in place.position.legal_moves()]
        replies = [p for p in replies if p.position.side == side and p.position.outcome() is None]
        if not replies:
            break
        place = replies[0]
        search = await checker.go(place, begin_by=checker.last_move(place))
    checker.connection.send("easy")
    return f"pong after {seconds * 1000:.0f} ms at most" if checker.has("ping") else ""


async def analyze(checker: CecpChecker) -> str:
    """``analyze`` tells without moving, follows moves and their undoing, and ``exit`` ends it."""
    if checker.features.get("analyze", "1") == "0":
        raise Skip("feature analyze=0")
    place = checker.places.middle
    await checker.set_up(place)
    begin = checker.connection.send("post", "analyze")
    timeout = checker.margin + 5
    message = "no thinking output behind"
    await checker.connection.wait(begin, is_thinking_line, timeout, f"{message} 'analyze'")
    others = map(place.after, place.position.legal_moves())
    other = next((other for other in others if other.position.outcome() is None), None)
    if other is None:
        raise Skip("every move ends the game")
    for line in (checker.last_move(other), "undo"):
        at = checker.connection.send(line)
        await checker.connection.wait(at, is_thinking_line, timeout, f"{message} '{line}'")
    seconds = await checker.ping(timeout)
    at = checker.connection.send(".")
    status = await checker.connection.look(at, lambda line: line.startswith("stat01:"), 0.5)
    checker.connection.send("exit")
    await checker.ping(timeout)
    at = checker.connection.length
    await _no_move(checker, begin, "in analysis")
    late = [line for line in checker.connection.answers(at) if is_thinking_line(line.text)]
    if late:
        raise Fault(f"'{shown(late[0].text)}' behind 'exit'")
    message = f"pong after {seconds * 1000:.0f} ms"
    return message + ("" if status is not None else "; no answer to '.'")


async def win(checker: CecpChecker) -> str:
    """A win in one is found."""
    place = checker.places.winning
    if place is None:
        raise Skip("no such position was found")
    await checker.set_up(place)
    search = await checker.go(place, "st 2;sd 5")
    outcome = place.after(search.move).position.outcome() if search.move else None
    if outcome is None or outcome.winner != place.position.side:
        message = shown(place.position.text())
        raise Fault(f"'{shown(search.end.text)}' does not win in {message}")
    return search.move


async def mate_score(checker: CecpChecker) -> str:
    """A mate in one is reported by its score."""
    place = checker.places.winning
    if place is None:
        raise Skip("no such position was found")
    await checker.set_up(place)
    search = await checker.go(place, "st 2;sd 5")
    last = list(cecp_thinking.thinking(search))
    if not last:
        raise Skip("no thinking output")
    if last[-1][1].score != _MATE_IN_ONE:
        message = shown(last[-1][0].text)
        raise Fault(f"'{message}' where the win at once by {search.move} is {_MATE_IN_ONE}")
    return str(_MATE_IN_ONE)


async def result(checker: CecpChecker) -> str:
    """Its winning move is followed by the result, and it is silent when the game is over."""
    place, won = checker.places.winning, checker.places.won
    if place is None or won is None:
        raise Skip("no such position was found")
    outcome = won.position.outcome()
    await checker.set_up(place)
    search = await checker.go(place, "st 2;sd 5")
    if not search.move or place.after(search.move).position.outcome() is None:
        raise Skip("it did not win")
    end = checker.connection.lines.index(search.end)
    line = await checker.connection.look(end, is_result, checker.margin + 1)
    if line is None:
        raise Fault(f"no result behind '{shown(search.end.text)}', which wins")
    if outcome is not None and parse_result(line.text) != outcome.result:
        raise Fault(f"'{shown(line.text)}' where the result is {outcome.result}")
    await checker.set_up(won)
    begin = checker.connection.send("st 1", "go")
    await checker.ping(checker.margin + 10)
    await _no_move(checker, begin, "where the game is over")
    await checker.set_up(checker.places.middle)
    begin, _began = checker.begin_thinking(LONG)
    await asyncio.sleep(0.2)
    checker.connection.send("result * {the check}")
    await checker.ping(checker.margin + 5)
    await _no_move(checker, begin, "behind 'result'")
    return shown(line.text)
