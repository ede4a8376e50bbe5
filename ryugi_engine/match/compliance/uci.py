"""The check of a UCI engine."""

from __future__ import annotations

import asyncio

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import counted, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance import steps
from ryugi_engine.match.compliance.checker import Checker, Fault, Skip
from ryugi_engine.match.compliance.steps import LAST_STEPS, Step
from ryugi_engine.match.compliance.uci_lines import Malformed, parse_option


async def introduction(checker: Checker) -> str:
    """Check that ``uci`` is answered by name, author and ``uciok``."""
    await checker.introduced()
    await checker.quick(checker.settings.timeouts.start)
    lines = checker.answers()
    done = [line for line in lines if line.text.strip() == "uciok"]
    if len(done) > 1:
        raise Fault("'uciok' twice: perhaps once before 'uci' was said")
    tokens = [line.text.split() for line in lines]
    for key in ("name", "author"):
        if not any(w[:2] == ["id", key] and len(w) > 2 for w in tokens):
            raise Fault(f"no 'id {key}'")
    name = next(line.shown[8:].strip() for line in lines if line.text.startswith("id name "))
    return f"{name}: uciok after {done[0].when - checker.log.lines[0].when:.2f} s"


async def options(checker: Checker) -> str:
    """Check that every option has a type and an allowed default."""
    await checker.introduced()
    names: set[str] = set()
    for line in checker.answers():
        if line.text.split()[:1] != ["option"]:
            continue
        try:
            name = parse_option(line.text).name.lower()
        except Malformed as error:
            raise Fault(f"'{line.shown}': {error}") from None
        if name in names:
            raise Fault(f"'{line.shown}': a second option of that name")
        names.add(name)
    return counted(len(names), "option")


async def game(checker: Checker) -> str:
    """Check that the engine can be set to the game, with the user's options."""
    await checker.introduced()
    await checker.engine.configure()
    await checker.engine.begin_game(Position(checker.game))
    chosen = [(o, value) for o, value in checker.engine.settings if o.name.startswith("UCI_")]
    listed = ", ".join(f"{option.name} {value}" for option, value in chosen)
    return listed or "chess, the only game it has"


async def setting(checker: Checker) -> str:
    """Check that every option can be set to its default; buttons and files are left out."""
    chosen = {option.name for option, _ in checker.engine.settings}
    usual = [o for o in checker.engine.options.values() if o.kind not in ("button", "string")]
    usual = [option for option in usual if option.name not in chosen]
    checker.engine.set([(option, option.default) for option in usual])
    checker.send("setoption name No Such Option value 1")
    await checker.engine.ready()
    return counted(len(usual), "option") + " set to their defaults; an unknown one is ignored"


async def isready(checker: Checker) -> str:
    """Check that ``isready`` is answered, also with extra blanks."""
    seconds = [await checker.quick() for _ in range(5)]
    for line in ("\tisready  ", "isready\r"):
        begin = checker.send(line)
        ready = await checker.look(begin, lambda t: t.strip() == "readyok", checker.margin + 1)
        if ready is None:
            raise Fault(f"no answer to {line!r}")
    return f"after {max(seconds) * 1000:.0f} ms at most"


async def startpos(checker: Checker) -> str:
    """Check that ``position startpos`` is the game's start."""
    start = checker.places.start
    await checker.go(start, "depth 2", "position startpos")
    move = start.position.legal_moves()[0]
    after = start.after(move)
    if after.position.outcome() is None:
        await checker.go(after, "depth 2", f"position startpos moves {move}")
    return f"'{checker.searches[-1].end.shown}' after {move}"


async def position(checker: Checker) -> str:
    """Check positions by their text, and by the moves that lead to them."""
    walks = checker.places.walks
    for place in [place for walk in walks for place in (walk, walk.bare())]:
        await checker.engine.begin_game(place.position)
        await checker.search(place, "depth=1")
    return counted(2 * len(walks), "position") + ", a legal move in each"


async def new_game(checker: Checker) -> str:
    """Check ``ucinewgame`` between searches, and twice in a row."""
    for _ in range(2):
        checker.send("ucinewgame", "ucinewgame")
        await checker.engine.ready()
        await checker.search(checker.places.start, "depth=2")
    return ""


async def nodes(checker: Checker) -> str:
    """Check that ``go nodes`` stops near the limit."""
    results = []
    for wanted in (1, 1000, 20_000):
        search = await checker.search(checker.places.middle, f"nodes={wanted}")
        spent = max((info.numbers.get("nodes", 0) for _, info in search.infos), default=0)
        if spent > 2 * wanted + 10_000:
            raise Fault(f"{counted(spent, 'node')} in 'go nodes {wanted}'")
        results.append(spent)
    return "nodes " + ", ".join(map(str, results))


async def movetime(checker: Checker) -> str:
    """Check that ``go movetime`` is kept."""
    limits = [(f"st={seconds}", seconds) for seconds in (0.02, 0.1, 0.5)]
    return await steps.in_time(checker, [checker.places.middle], limits)


async def searchmoves(checker: Checker) -> str:
    """Check that ``searchmoves`` is obeyed."""
    place = checker.places.middle
    best = (await checker.search(place, "depth=2")).move
    others = [move for move in place.position.legal_moves() if move not in (best, "pass")]
    for chosen in ([others[0]], [others[-1]], others[:2]):
        search = await checker.go(place, f"depth 3 searchmoves {' '.join(chosen)}")
        first = [read_move(info.pv[0]) for _, info in search.infos if info.pv]
        for move in (search.move, *first):
            if move not in chosen:
                raise Fault(f"'{search.limits}': {move}")
    return "one move and two"


async def stop(checker: Checker) -> str:
    """Check that ``go infinite`` waits for ``stop``, which one move answers at once."""
    places = checker.places
    for place in (places.middle, places.start, places.winning or places.start):
        begin = checker.think(place, "infinite")
        await checker.quiet("infinite", place)
        await checker.stopped(place, begin)
    slowest = 0.0
    for wait in (0.0, 0.0, 0.01, 0.05, 0.2):
        begin = checker.think(places.middle, "infinite")
        await asyncio.sleep(wait)
        slowest = max(slowest, await checker.stopped(places.middle, begin))
    return f"bestmove {slowest * 1000:.0f} ms after stop at most"


async def searching(checker: Checker) -> str:
    """Check that ``isready`` and unknown words are accepted during a search."""
    place = checker.places.middle
    begin = checker.think(place, "infinite")
    seconds = await checker.quick()
    checker.send("xyzzy")
    seconds = max(seconds, await checker.quick())
    if not checker.engine.thinking:
        raise Fault(f"'{checker.engine.last_line}' before stop, after isready")
    await checker.stopped(place, begin)
    return f"readyok after {seconds * 1000:.0f} ms at most"


async def ponder(checker: Checker) -> str:
    """Check that ``go ponder`` waits for ``ponderhit`` or ``stop``, and then has a clock."""
    option = checker.option("Ponder")
    place = next((p for p in checker.places.walks if p.replies(1 - p.position.side)), None)
    if place is None:
        raise Skip("no position was found where sides alternate")
    checker.engine.set([(option, "true")])
    reply = place.replies(1 - place.position.side)[0]
    for left in (0.3, 60.0):
        turn = reply.turn(TimeControl(left, 0.0))
        turn.position = place.position
        await checker.engine.ponder(turn, reply.position.moves[-1])
        begin = len(checker.log.lines)
        await checker.quiet("ponder", reply)
        if left < 1:
            answer = await checker.engine.play(reply.turn(turn.control, left))
            checker.searched(reply, "go ponder", begin, answer)
            if answer.seconds > left + checker.margin:
                raise Fault(f"'go ponder': {answer.seconds:.2f} s from ponderhit to bestmove")
        else:
            seconds = await checker.stopped(reply, begin, "ponder")
    checker.engine.set([(option, option.default)])
    return f"a hit with 0.3 s on the clock: {answer.seconds:.2f} s; stop: {seconds * 1000:.0f} ms"


async def multipv(checker: Checker) -> str:
    """Check that ``MultiPV`` gives that many lines with distinct moves in the last iteration."""
    option = checker.option("MultiPV")
    if option.high < 2:
        raise Skip("MultiPV cannot be more than 1")
    place = checker.places.middle
    wanted = min(3, option.high, len(place.position.legal_codes()))
    checker.engine.set([(option, str(wanted))])
    search = await checker.search(place, "depth=4")
    checker.engine.set([(option, option.default)])
    results: dict[int, dict[int, str]] = {}
    for line, info in search.infos:
        if info.pv and not info.bound:
            if wanted > 1 and "multipv" not in info.numbers:
                raise Fault(f"'{line.shown}': no multipv")
            if info.rank > wanted:
                raise Fault(f"'{line.shown}': {wanted} were asked for")
            results.setdefault(info.numbers.get("depth", 0), {})[info.rank] = info.pv[0]
    last = results[max(results)] if results else {}
    if sorted(last) != list(range(1, wanted + 1)):
        have = ", ".join(map(str, sorted(last))) or "none"
        raise Fault(f"lines {have} of the last depth; {wanted} were asked for")
    if len(set(last.values())) < wanted:
        raise Fault(f"the same first move twice: {', '.join(last.values())}")
    return counted(wanted, "line")


async def finished(checker: Checker) -> str:
    """Check finished positions: ``bestmove (none)`` or 0000, and the result's score."""
    won, drawn = checker.places.won, checker.places.drawn
    moves = []
    for place in (won, drawn, won and won.bare()):
        if place is None or place.position.legal_codes():
            continue
        outcome = place.position.outcome()
        winner = None if outcome is None else outcome.winner
        for limits in ("depth=3", "st=0.05"):
            search = await checker.search(place, limits)
            moves.append(search.end.shown)
            for line, info in search.infos if winner != place.position.side else ():
                wrong = info.cp != 0 if winner is None else info.mate != 0
                if info.pv or (info.scored and wrong):
                    over = "drawn" if winner is None else "lost"
                    raise Fault(f"'{line.shown}' where the game is {over}")
    if not moves:
        raise Skip("no such position was found")
    return f"'{moves[0]}' in {counted(len(moves) // 2, 'position')}"


async def scores(checker: Checker) -> str:
    """Check that variations have scores and depths, and each search a score that is no bound."""
    number = exact = 0
    for search in checker.searches:
        scored = [(line, info) for line, info in search.infos if info.scored]
        for line, info in search.infos:
            for lacking, what in (
                (not info.scored, "a variation without a score"),
                (info.mate == 0, "mate 0, and moves to it"),
                ("depth" not in info.numbers, "a variation without a depth"),
            ):
                if info.pv and lacking:
                    raise Fault(f"'{line.shown}': {what}")
        number += len(scored)
        exact += sum(not info.bound for _line, info in scored)
        if scored and search.limits != "nodes=1" and all(info.bound for _line, info in scored):
            raise Fault(f"only bounds under {search.limits}: '{scored[-1][0].shown}'")
    if not number:
        raise Fault("no score in any search")
    return f"{counted(number, 'score')}, {number - exact} of them bounds"


STEPS = (
    Step("introduction", introduction, alone=True, needed=True),
    Step("options", options, alone=True),
    Step("game", game, alone=True, needed=True),
    Step("isready", isready),
    Step("setting options", setting),
    Step("unknown commands", steps.unknown),
    Step("position startpos", startpos),
    Step("position", position),
    Step("ucinewgame", new_game),
    Step("go depth", steps.depth),
    Step("go nodes", nodes),
    Step("go movetime", movetime),
    Step("clock", steps.clock),
    Step("searchmoves", searchmoves),
    Step("stop", stop),
    Step("isready in a search", searching),
    Step("ponder", ponder),
    Step("MultiPV", multipv),
    Step("win in one", steps.mate_score),
    Step("finished games", finished),
    Step("a game", steps.game),
    Step("info lines", steps.lines),
    Step("principal variations", steps.variations),
    Step("scores", scores),
    *LAST_STEPS,
)
