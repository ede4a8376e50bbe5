"""How the steps of a compliance check are run, and those about searches and the end.

A step returns what is good to know, or raises Fault or Skip.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.checker import Checker, Fault, Line, Search, Skip
from ryugi_engine.match.compliance.places import Place
from ryugi_engine.match.compliance.uci_lines import Info
from ryugi_engine.match.engine import EngineFailure

#: Clocks: the time control, and the seconds that are left.
_CLOCKS = (("60+0", 1.0), ("60+0.1", 0.3), ("1/60", 1.0), ("3+0", 3.0), ("60+0", 0.02))
#: Lines that an engine must ignore: unknown, or out of place.
_UNKNOWN = (
    *("xyzzy", "joho debug off", "debug on", "debug off", "register later", "go2 depth 1"),
    *("stop", "ponderhit"),
)
#: Plies of a game.
_PLIES = 24


@dataclass(frozen=True)
class StepResult:
    """The result of a step: ``ok``, ``failed`` or ``skipped``, with a message."""

    step: str
    result: str
    message: str
    #: Transcript of a step that failed.
    transcript: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """A step of the check: name and function."""

    name: str
    take: Callable[[Any], Awaitable[str]]
    #: Whether it begins with no process, and leaves none running.
    alone: bool = False
    #: Whether nothing can follow where it fails.
    needed: bool = False


@dataclass
class Check:
    """Runs the steps of a check and reports their results."""

    checker: Checker
    steps: Sequence[Step]
    tell: Callable[[StepResult], None]
    results: list[StepResult] = field(default_factory=list)

    async def run(self) -> bool:
        """Run all steps; return whether none failed."""
        skip_reason = ""
        try:
            for step in self.steps:
                result = StepResult(step.name, "skipped", skip_reason)
                if not skip_reason:
                    result = await self._take(step)
                    if step.needed and result.result == "failed":
                        skip_reason = f"'{step.name}' failed"
                self.results.append(result)
                self.tell(result)
        finally:
            await self.checker.close()
        return all(result.result != "failed" for result in self.results)

    async def _take(self, step: Step) -> StepResult:
        checker = self.checker
        mark = 0
        try:
            if step.alone or not checker.running:
                await checker.close()
            if not step.alone:
                if not checker.running:
                    await checker.get_ready()
                mark = len(checker.log.lines)
            message = await step.take(checker)
            if not step.alone:
                await checker.quick(checker.settings.timeouts.start)  # no move out of turn
        except Skip as skip:
            return StepResult(step.name, "skipped", str(skip))
        except (Fault, EngineFailure) as fault:
            await checker.close()  # its next lines are unpredictable
            return StepResult(step.name, "failed", str(fault), checker.transcript(mark))
        finally:
            if step.alone:
                await checker.close()
        return StepResult(step.name, "ok", message)

    def counts(self) -> dict[str, int]:
        """Return how many steps were ok, failed and skipped."""
        results = [one.result for one in self.results]
        return {result: results.count(result) for result in ("ok", "failed", "skipped")}


# ---- searches ------------------------------------------------------------------------------


async def unknown(checker: Checker) -> str:
    """Check that unknown and misplaced lines do not disturb the engine."""
    for line in _UNKNOWN:
        checker.send(line)
        try:
            await checker.quick(5)
        except EngineFailure as error:
            raise Fault(f"after '{line}': {error}") from None
    return "unknown words, and known ones out of place"


async def depth(checker: Checker) -> str:
    """Check that a depth limit is kept."""
    reached = []
    for wanted in (1, 2, 4):
        search = await checker.search(checker.places.middle, f"depth={wanted}")
        if search.depth > wanted:
            raise Fault(f"depth {search.depth} under depth={wanted}")
        reached.append(search.depth)
    return "depths " + ", ".join(map(str, reached))


async def clock(checker: Checker) -> str:
    """Check that the engine keeps its clock, as White and as Black."""
    return await in_time(checker, checker.places.both_sides, _CLOCKS)


async def in_time(
    checker: Checker, places: Sequence[Place], clocks: Sequence[tuple[str, float]]
) -> str:
    """Search under limits of time; Fault if a move comes too late."""
    late = -9.0
    for place in places:
        for limits, left in clocks:
            search = await checker.search(place, limits, left)
            late = max(late, search.answer.seconds - left)
            if late > checker.margin:
                raise Fault(f"{limits}, {left:g} s left: its move {late * 1000:.0f} ms too late")
    return f"{late * 1000:.0f} ms over at most" if late > 0 else "no flag fell"


async def win(checker: Checker) -> str:
    """Check that a win in one is found."""
    place = checker.places.winning
    if place is None:
        raise Skip("no such position was found")
    search = await checker.search(place, "depth=5")
    outcome = place.after(search.move).position.outcome() if search.move else None
    if outcome is None or outcome.winner != place.position.side:
        raise Fault(f"'{search.end.shown}' does not win in {place.position.text()}")
    return search.move


async def mate_score(checker: Checker) -> str:
    """Check that the score of a win in one is a mate in one."""
    await win(checker)
    search = checker.searches[-1]
    scored = [(line, info) for line, info in search.infos if info.scored and info.rank == 1]
    if not scored:
        raise Skip("it tells no score")
    line, info = scored[-1]
    if info.mate != 1:
        raise Fault(f"'{line.shown}' where {search.move}, a win at once, is there")
    return f"{search.move}, mate in 1"


async def game(checker: Checker) -> str:
    """Play a game as a match does, with random answers to the engine's moves."""
    rng = random.Random(1)
    place = checker.places.start
    side = place.position.side
    await checker.engine.begin_game(Position(checker.game))
    for _ in range(_PLIES // 2):
        search = await checker.search(place, "depth=1")
        if not search.move:
            break
        place = place.after(search.move)
        replies = place.replies(side) if place.position.outcome() is None else []
        if place.position.side == side or not replies:
            break
        place = rng.choice(replies)
    return counted(len(place.position.moves), "ply", "plies")


# ---- what the searches so far have told ----------------------------------------------------


async def lines(checker: Checker) -> str:
    """Check that search output is well-formed, and that time and nodes never decrease."""
    number = 0
    for search in _searches(checker):
        if search.malformed:
            raise Fault(search.malformed)
        spent: dict[str, int] = {}
        for line, info in search.infos:
            number += 1
            for key in ("time", "nodes"):
                if info.numbers.get(key, 1 << 64) < spent.get(key, 0):
                    raise Fault(f"'{line.shown}': less {key} than before under {search.limits}")
                spent[key] = info.numbers.get(key, spent.get(key, 0))
            wall = line.when - (search.end.when - search.answer.seconds)
            # pondering counts its time from either beginning
            if "ponder" not in search.limits and spent["time"] / 1000 > wall + checker.margin:
                raise Fault(f"'{line.shown}': after {wall:.2f} s")
    if not number:
        raise Fault("it tells nothing in any search")
    return counted(number, "line")


async def variations(checker: Checker) -> str:
    """Check that variations are legal, see :func:`judge_variations`."""
    counts = [judge_variations(checker, search) for search in _searches(checker)]
    number, short = (sum(column) for column in zip(*counts, strict=True))
    if not number:
        raise Skip("it writes none in coordinates")
    message = f"; {counted(short, 'mate')} not shown to the end" if short else ""
    return counted(number, "variation") + message


def judge_variations(checker: Checker, search: Search) -> tuple[int, int]:
    """Return the number of variations, and of announced mates whose variation is too short.

    Fault if one is not legal, ends in no mate where it announces one, or if the last one does not
    begin with the move. After the last exact one there may be bounds. A search that is stopped in a
    fail high answers with the new move; one stopped in a fail low need not.
    """
    number = short = 0
    last: list[str] = []
    for line, info in search.infos:
        if info.pv is None:
            continue
        number += 1
        position = search.position.copy()
        plies = 0
        if info.mate and not info.bound and search.position.game.royal:
            plies = 2 * info.mate - 1 if info.mate > 0 else -2 * info.mate
            short += len(info.pv) < plies
        for ply, text in enumerate(info.pv, start=1):
            move = checker.legal(position, text, line.shown)
            if ply == 1 and info.rank == 1 and (not info.bound or last):
                last = [move] if not info.bound else [*last, move]
            position.push(move)
            if ply == plies:
                _judge_mate(search, position, info, line)
    if last and search.move not in last:
        raise Fault(f"'{search.end.shown}', but the last variation begins with {last[-1]}")
    return number, short


def _judge_mate(search: Search, position: Position, info: Info, line: Line) -> None:
    """Raise Fault if a variation's position is not the mate that it announces."""
    outcome = position.outcome()
    side = search.position.side
    if outcome is None or outcome.winner != (side if (info.mate or 0) > 0 else 1 - side):
        raise Fault(f"'{line.shown}': no mate at its end")


def _searches(checker: Checker) -> Sequence[Search]:
    if not checker.searches:
        raise Skip("no search came to its end")
    return checker.searches


# ---- the end -------------------------------------------------------------------------------


async def leave(checker: Checker) -> str:
    """Check that ``quit`` ends the engine, at rest and in a search."""
    return await _leave(checker, silently=False)


async def end_of_input(checker: Checker) -> str:
    """Check that the end of its input ends the engine, at rest and in a search."""
    return await _leave(checker, silently=True)


async def _leave(checker: Checker, *, silently: bool) -> str:
    slowest = 0.0
    for where in ("at rest", "while it searched"):
        await checker.close()
        await checker.get_ready()
        if where != "at rest":
            checker.think(checker.places.start, "infinite")
            await asyncio.sleep(0.3)
        began = time.perf_counter()
        if silently:
            checker.engine.process.end_input()
        else:
            checker.send("quit")
        how = await checker.ended(3.0 + checker.margin)
        slowest = max(slowest, time.perf_counter() - began)
        if not how:
            raise Fault(f"it did not end in {3.0 + checker.margin:.1f} s, {where}")
        if how.startswith("it was ended by"):
            raise Fault(f"{how}, {where}")
    return f"after {slowest:.2f} s at most"


#: The last steps with every engine.
LAST_STEPS = (Step("quit", leave, alone=True), Step("end of input", end_of_input, alone=True))
