"""The steps of a UCI engine's check. Each returns a message, or raises Fault or Skip."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from ryugi_engine.games.game import counted
from ryugi_engine.match.compliance import uci_info
from ryugi_engine.match.compliance.connection import shown
from ryugi_engine.match.compliance.parsing import fault_of
from ryugi_engine.match.compliance.sample_positions import Place
from ryugi_engine.match.compliance.steps import LAST_STEPS, Fault, Search, Skip, Step
from ryugi_engine.match.compliance.uci import UciChecker, is_bestmove
from ryugi_engine.match.compliance.uci_lines import parse_option

#: A clock of which an engine should spend little.
_CLOCK = "wtime 60000 btime 60000 winc 100 binc 100"
#: Seconds in which nothing may come that is not due.
_QUIET = 1.0


async def introduction(checker: UciChecker) -> str:
    """``uci`` is answered by its name, its author and uciok."""
    began = time.perf_counter()
    lines = await checker.handshake()
    await checker.ready()
    again = [line for line in checker.connection.answers(0) if line.text.strip() == "uciok"]
    if len(again) > 1:
        raise Fault("'uciok' twice: perhaps once before 'uci' was said")
    tokens = [line.text.split() for line in lines]
    for key in ("name", "author"):
        if not any(w[:2] == ["id", key] and len(w) > 2 for w in tokens):
            raise Fault(f"no 'id {key}'")
    name = next(line.text.strip()[8:] for line in lines if line.text.startswith("id name "))
    return f"{shown(name)}: uciok after {lines[-1].when - began:.2f} s"


async def options(checker: UciChecker) -> str:
    """Every option has a type, and a default that it may have."""
    lines = await checker.handshake()
    names: set[str] = set()
    for line in lines:
        if line.text.split()[:1] != ["option"]:
            continue
        fault = fault_of(parse_option, line.text)
        if fault is not None:
            raise Fault(f"'{shown(line.text)}': {fault}")
        name = parse_option(line.text).name.lower()
        if name in names:
            raise Fault(f"'{shown(line.text)}': a second option of that name")
        names.add(name)
    return counted(len(names), "option")


async def game(checker: UciChecker) -> str:
    """It can be set to play the game, with the options that the user has given."""
    await checker.handshake()
    await checker.set_options()
    message = await checker.choose_game()
    await checker.new_game()
    return message


async def setting(checker: UciChecker) -> str:
    """Every option can be set to its default."""
    number = 0
    for option in checker.options.values():
        if option.kind in ("button", "string") or option.name.lower() in checker.chosen:
            continue  # a button does something, a string may name a file
        checker.set(option.name, option.default)
        number += 1
    checker.connection.send("setoption name No Such Option value 1")
    await checker.ready()
    return counted(number, "option") + " set to their defaults; one that there is not is ignored"


async def isready(checker: UciChecker) -> str:
    """``isready`` is answered, however it is spaced."""
    seconds = [await checker.ready(checker.margin + 1) for _ in range(5)]
    for line in ("\tisready  ", "isready\r"):
        begin = checker.connection.send(line)
        message = f"no answer to {line!r}"
        await checker.connection.wait(
            begin, lambda line: line.strip() == "readyok", checker.margin + 1, message
        )
    return f"after {max(seconds) * 1000:.0f} ms at most"


async def unknown(checker: UciChecker) -> str:
    """What it does not know it ignores."""
    lines = ("xyzzy", "joho debug off", "debug on", "debug off", "register later", "go2 depth 1")
    for line in (*lines, "stop", "ponderhit"):
        checker.connection.send(line)
        try:
            await checker.ready(checker.margin + 5)
        except Exception as error:
            raise Fault(f"after '{line}': {error}") from None
    return "unknown words, stop and ponderhit without a search"


async def startpos(checker: UciChecker) -> str:
    """``position startpos`` is the game's start."""
    start = checker.places.start
    await checker.search(start, "depth 2", line="position startpos")
    move = start.position.legal_moves()[0]
    behind = start.after(move)
    if behind.position.outcome() is None:
        await checker.search(behind, "depth 2", line=f"position startpos moves {move}")
    return f"'{shown(checker.searches[-1].end.text)}' behind {move}"


async def position(checker: UciChecker) -> str:
    """Positions by their text, and by the moves that lead to them."""
    number = 0
    for place in checker.places.walks:
        for one in (place, place.bare()):
            await checker.new_game()
            await checker.search(one, "depth 1")
            number += 1
    return counted(number, "position") + ", a legal move in each"


async def new_game(checker: UciChecker) -> str:
    """``ucinewgame`` between searches, and twice."""
    for _ in range(2):
        checker.connection.send("ucinewgame", "ucinewgame")
        await checker.ready()
        await checker.search(checker.places.start, "depth 2")
    return ""


async def depth(checker: UciChecker) -> str:
    """``go depth`` goes no deeper."""
    most = []
    for wanted in (1, 2, 4):
        search = await checker.search(checker.places.middle, f"depth {wanted}")
        reached = max(uci_info.depths(search), default=0)
        if reached > wanted:
            raise Fault(f"depth {reached} in 'go depth {wanted}'")
        most.append(reached)
    return "depths " + ", ".join(map(str, most))


async def nodes(checker: UciChecker) -> str:
    """``go nodes`` stops about there."""
    messages = []
    for wanted in (1, 1000, 20_000):
        search = await checker.search(checker.places.middle, f"nodes {wanted}")
        spent = max(uci_info.nodes(search), default=0)
        if spent > 2 * wanted + 10_000:
            raise Fault(counted(spent, "node") + f" in 'go nodes {wanted}'")
        messages.append(spent)
    return "nodes " + ", ".join(map(str, messages))


async def movetime(checker: UciChecker) -> str:
    """``go movetime`` is kept."""
    late = 0.0
    for wanted in (20, 100, 500):
        late = max(late, await _in_time(checker, f"movetime {wanted}", wanted / 1000))
    return f"{late * 1000:.0f} ms over at most" if late > 0 else "never over"


async def clock(checker: UciChecker) -> str:
    """Its clock is kept, be it White's or Black's."""
    late = -9.0
    for place in (checker.places.start, checker.places.middle, _other(checker)):
        own, other = "wb" if place.position.side == 0 else "bw"
        for limits, seconds in (
            (f"{own}time 1000 {other}time 600000", 1.0),
            (f"{own}time 300 {other}time 600000 {own}inc 100 {other}inc 100", 0.3),
            (f"{own}time 1000 {other}time 600000 movestogo 1", 1.0),
            (f"{own}time 20 {other}time 600000", 0.02),
        ):
            late = max(late, await _in_time(checker, limits, seconds, place))
    return f"{late * 1000:.0f} ms over at most" if late > 0 else "no flag fell"


async def _in_time(
    checker: UciChecker, limits: str, seconds: float, place: Place | None = None
) -> float:
    """Search under a limit; the seconds beyond it. Fault if these are too many."""
    timeout = seconds + 30 + checker.margin
    search = await checker.search(place or checker.places.middle, limits, timeout)
    late = search.seconds - seconds
    if late > checker.margin:
        raise Fault(f"'go {limits}': bestmove {late * 1000:.0f} ms too late")
    return late


async def searchmoves(checker: UciChecker) -> str:
    """``searchmoves`` is obeyed."""
    place = checker.places.middle
    best = (await checker.search(place, "depth 2")).move
    others = [move for move in place.position.legal_moves() if move not in (best, "pass")]
    for chosen in ([others[0]], [others[-1]], others[:2]):
        search = await checker.search(place, f"depth 3 searchmoves {' '.join(chosen)}")
        for move in (search.move, *uci_info.first_moves(search)):
            if move not in chosen:
                raise Fault(f"'go {search.limits}': {move}")
    return "one move and two"


async def stop(checker: UciChecker) -> str:
    """``go infinite`` waits for stop, which is answered at once, by one move."""
    places = [checker.places.middle, checker.places.start]
    if checker.places.winning is not None:
        places.append(checker.places.winning)
    for place in places:
        begin, began = checker.begin(place, "infinite")
        early = await checker.connection.look(begin, is_bestmove, _QUIET)
        if early is not None:
            message = shown(place.position.text())
            raise Fault(f"'go infinite': '{shown(early.text)}' before stop in {message}")
        await _stopped(checker, place, "infinite", begin, began)
    slowest = 0.0
    for wait in (0.0, 0.0, 0.01, 0.05, 0.2):
        place = checker.places.middle
        begin, began = checker.begin(place, "infinite")
        if wait:
            await asyncio.sleep(wait)
        slowest = max(slowest, await _stopped(checker, place, "infinite", begin, began))
    return f"bestmove {slowest * 1000:.0f} ms after stop at most"


async def _stopped(checker: UciChecker, place: Place, go: str, begin: int, began: float) -> float:
    """Stop a search; the seconds until it has stopped."""
    now = time.perf_counter()
    checker.connection.send("stop")
    best = await checker.connection.wait(
        begin, is_bestmove, checker.margin, f"'go {go}': no bestmove after stop"
    )
    checker.ended(place, go, begin, began, best)
    return best.when - now


async def searching(checker: UciChecker) -> str:
    """``isready`` and unknown words are taken while it searches."""
    place = checker.places.middle
    begin, began = checker.begin(place, "infinite")
    seconds = await checker.ready(checker.margin + 1)
    checker.connection.send("xyzzy")
    seconds = max(seconds, await checker.ready(checker.margin + 1))
    early = [line for line in checker.connection.answers(begin) if is_bestmove(line.text)]
    if early:
        raise Fault(f"'{shown(early[0].text)}' before stop, after isready")
    await _stopped(checker, place, "infinite", begin, began)
    return f"readyok after {seconds * 1000:.0f} ms at most"


async def ponder(checker: UciChecker) -> str:
    """``go ponder`` waits for ponderhit, or for stop, and then has a clock."""
    checker.need("Ponder")
    checker.set("Ponder", "true")
    place = checker.places.middle
    for go in ("ponder wtime 300 btime 300", f"ponder {_CLOCK}"):
        begin, began = checker.begin(place, go)
        early = await checker.connection.look(begin, is_bestmove, _QUIET)
        if early is not None:
            raise Fault(f"'go {go}': '{shown(early.text)}' before ponderhit")
        if "300" in go:
            hit = time.perf_counter()
            checker.connection.send("ponderhit")
            search = await checker.finish(place, go, begin, hit)
            if search.seconds > 0.3 + checker.margin:
                raise Fault(f"'go {go}': {search.seconds:.2f} s from ponderhit to bestmove")
        else:
            seconds = await _stopped(checker, place, go, begin, began)
    checker.set("Ponder", checker.need("Ponder").default)
    return f"a hit with 0.3 s on the clock: {search.seconds:.2f} s; stop: {seconds * 1000:.0f} ms"


async def multipv(checker: UciChecker) -> str:
    """``MultiPV`` has so many lines, each with another move."""
    option = checker.need("MultiPV")
    if option.high < 2:
        raise Skip("MultiPV cannot be more than 1")
    place = checker.places.middle
    wanted = min(3, option.high, len(place.position.legal_codes()))
    checker.set("MultiPV", str(wanted))
    search = await checker.search(place, "depth 4")
    checker.set("MultiPV", option.default)
    uci_info.judge_ranks(search, wanted)
    return counted(wanted, "line")


async def mate(checker: UciChecker) -> str:
    """A mate in one is found and reported as ``mate 1``."""
    place = checker.places.winning
    if place is None:
        raise Skip("no such position was found")
    for one in (place, place.bare()):
        search = await checker.search(one, "depth 5")
        trial = one.position.copy()
        side = trial.side
        trial.push(search.move)
        outcome = trial.outcome()
        if outcome is None or outcome.winner != side:
            message = shown(one.position.text())
            raise Fault(f"'{shown(search.end.text)}' does not win in {message}")
        uci_info.judge_mate(search)
    return f"{search.move}, mate 1"


async def finished(checker: UciChecker) -> str:
    """Where the game is over it says so: ``bestmove (none)`` or 0000."""
    places = [checker.places.won, checker.places.drawn]
    if checker.places.won is not None:
        places.append(checker.places.won.bare())
    messages = []
    for place in places:
        if place is None or place.position.legal_codes():
            continue
        outcome = place.position.outcome()
        for go in ("depth 3", "movetime 50"):
            search = await checker.search(place, go)
            winner = None if outcome is None else outcome.winner
            if winner != place.position.side:  # UCI has no score for a side that has won
                uci_info.judge_finished(search, winner is None)
        messages.append(search.move)
    if not messages:
        raise Skip("no such position was found")
    return f"bestmove {messages[0]} in " + counted(len(messages), "position")


async def long_game(checker: UciChecker) -> str:
    """A game sent as GUIs do: each time the same moves and two more."""
    place = checker.places.start
    while len(place.position.moves) < 24 and place.position.outcome() is None:
        search = await checker.search(place, "depth 1")
        place = place.after(search.move)
    return counted(len(place.position.moves), "ply", "plies") + " against itself"


def _all_searches(
    judge: Callable[[Sequence[Search], float], str],
) -> Callable[[UciChecker], Awaitable[str]]:
    """Return a step that judges the lines of all searches so far."""

    async def step(checker: UciChecker) -> str:
        if not checker.searches:
            raise Skip("no search came to its end")
        return judge(checker.searches, checker.margin)

    return step


def _other(checker: UciChecker) -> Place:
    """Return a position with the other side to move than in ``places.middle``."""
    side = checker.places.middle.position.side
    return next((p for p in checker.places.walks if p.position.side != side), checker.places.start)


STEPS = (
    Step("introduction", introduction, alone=True, needed=True),
    Step("options", options, alone=True),
    Step("game", game, alone=True, needed=True),
    Step("isready", isready),
    Step("setting options", setting),
    Step("unknown commands", unknown),
    Step("position startpos", startpos),
    Step("position", position),
    Step("ucinewgame", new_game),
    Step("go depth", depth),
    Step("go nodes", nodes),
    Step("go movetime", movetime),
    Step("clock", clock),
    Step("searchmoves", searchmoves),
    Step("stop", stop),
    Step("isready in a search", searching),
    Step("ponder", ponder),
    Step("MultiPV", multipv),
    Step("win in one", mate),
    Step("finished games", finished),
    Step("a game", long_game),
    Step("info lines", _all_searches(uci_info.judge_lines)),
    Step("principal variations", _all_searches(uci_info.judge_variations)),
    Step("scores", _all_searches(uci_info.judge_scores)),
    *LAST_STEPS,
)
