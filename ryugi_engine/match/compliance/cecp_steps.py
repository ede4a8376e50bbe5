"""The steps of a CECP engine's check. Each returns a message, or raises Fault or Skip."""

from __future__ import annotations

import time

from ryugi_engine.games.game import counted
from ryugi_engine.match.compliance import cecp_moves, cecp_thinking
from ryugi_engine.match.compliance.cecp import CecpChecker
from ryugi_engine.match.compliance.cecp_lines import parse_features, parse_setup
from ryugi_engine.match.compliance.connection import shown
from ryugi_engine.match.compliance.parsing import Malformed
from ryugi_engine.match.compliance.steps import LAST_STEPS, Fault, Skip, Step

#: Games that every engine and GUI know, by the protocol's names: no ``setup`` is due.
_KNOWN = frozenset(
    """
    normal nocastle fischerandom bughouse crazyhouse losers suicide giveaway twokings kriegspiel
    atomic 3check xiangqi shogi capablanca gothic knightmate janus shatranj berolina cylinder
    wildcastle amazon falcon courier makruk great spartan super
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


async def introduction(checker: CecpChecker) -> str:
    """``protover 2`` is answered by features, the last of which is ``done=1``."""
    began = time.perf_counter()
    lines = await checker.handshake()
    name = checker.features.get("myname", "")
    if not name:
        raise Fault("no feature myname")
    return f"{shown(name)}: done=1 after {lines[-1].when - began:.2f} s"


async def features(checker: CecpChecker) -> str:
    """Every feature has a value that it may have, options too."""
    lines = await checker.handshake()
    number = 0
    for line in lines:
        if line.text.split()[:1] == ["feature"]:
            try:
                number += len(parse_features(line.text))
            except Malformed as error:
                raise Fault(f"'{shown(line.text)}': {error}") from None
    checker.connection.send("rejected nonesuch", "accepted nonesuch")
    await checker.ping()
    return f"{counted(number, 'feature')}, {counted(len(checker.options), 'option')}"


async def game(checker: CecpChecker) -> str:
    """Its ``variants`` hold the game, and ``variant`` begins it."""
    await checker.handshake()
    await checker.set_options()
    begin = await checker.new_game()
    checker.no_objection(begin, [f"variant {checker.variant}"])
    return checker.variant


async def setup(checker: CecpChecker) -> str:
    """A game that GUIs do not know is described to them: board, letters, start."""
    name = checker.variant
    begin = await checker.new_game()
    lines = [line for line in checker.connection.answers(begin) if line.text.startswith("setup")]
    if not lines:
        if name in _KNOWN:
            raise Skip(f"every GUI knows {name}")
        raise Fault(f"no 'setup' behind 'variant {name}'")
    line = lines[0].text
    try:
        result = parse_setup(line)
    except Malformed as error:
        raise Fault(f"'{shown(line)}': {error}") from None
    board = checker.game
    if result.files and (result.files, result.ranks) != (board.files, board.ranks):
        size = f"{board.files}x{board.ranks}"
        raise Fault(f"a board of {result.files}x{result.ranks}, where the game has {size}")
    if result.start.split()[0] != board.start.split()[0]:
        raise Fault(f"the start is '{shown(result.start)}', not '{board.start}'")
    return f"{result.files}x{result.ranks}"


async def ping(checker: CecpChecker) -> str:
    """``ping`` is answered by ``pong`` with its number."""
    await checker.handshake()
    checker.need("ping")
    await checker.ping()
    seconds = [await checker.ping(checker.margin + 5) for _ in range(5)]
    return f"after {max(seconds) * 1000:.0f} ms at most"


async def unknown(checker: CecpChecker) -> str:
    """What it does not know does not disturb it."""
    for line in ("xyzzy", "protover", "level", "st", "time x", "option", "result"):
        checker.connection.send(line)
        try:
            await checker.ping(checker.margin + 5)
        except Exception as error:
            raise Fault(f"after '{line}': {error}") from None
    return "unknown words, and known ones without theirs"


async def settings(checker: CecpChecker) -> str:
    """``memory`` and ``cores`` are taken, where it has these features."""
    lines = ["memory 32"] * checker.has("memory") + ["cores 1"] * checker.has("smp")
    if not lines:
        raise Skip("features memory=0 smp=0")
    begin = checker.connection.send(*lines)
    await checker.ping()
    checker.no_objection(begin, lines)
    await checker.set_up(checker.places.start)
    await checker.go(checker.places.start)
    return ", ".join(lines)


STEPS = (
    Step("introduction", introduction, alone=True, needed=True),
    Step("features", features, alone=True),
    Step("ping", ping, alone=True),
    Step("game", game, alone=True, needed=True),
    Step("setup", setup),
    Step("unknown commands", unknown),
    Step("go", cecp_moves.go),
    Step("usermove", cecp_moves.usermove),
    Step("setboard", cecp_moves.setboard),
    Step("illegal moves", cecp_moves.illegal),
    Step("undo and remove", cecp_moves.undo),
    Step("force", cecp_moves.force),
    Step("st", cecp_moves.per_move),
    Step("sd", cecp_moves.depth),
    Step("level and time", cecp_moves.clock),
    Step("move now", cecp_moves.move_now),
    Step("ping in a search", cecp_moves.ping_in_search),
    Step("hard", cecp_moves.hard),
    Step("analyze", cecp_moves.analyze),
    Step("win in one", cecp_moves.win),
    Step("mate score", cecp_moves.mate_score),
    Step("result", cecp_moves.result),
    Step("memory and cores", settings),
    Step("nopost", cecp_thinking.nopost),
    Step("thinking output", cecp_thinking.lines),
    Step("principal variations", cecp_thinking.variations),
    *LAST_STEPS,
)
