"""Check a game against the contract of games: random games, compared move by move.

The kernels list, order, make and unmake moves. That is compared with the reference rules, the
limits of :mod:`ryugi_engine.kernel.abi` and positions set up from their texts. Every fault is one
line that names the game and what is wrong.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ryugi_engine.conformance.data_files import (
    count_faults,
    fact_faults,
    file_faults,
    missing_files,
    start_faults,
)
from ryugi_engine.conformance.greedy_games import evaluation_faults
from ryugi_engine.conformance.random_games import RandomGames, Unplayable
from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.errors import GameError, UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.packages import describe_error
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel import jit
from ryugi_engine.kernel.abi import CrowdedPosition
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

#: Positions of a check.
POSITIONS = 300
_SEARCH_DEPTH = 4
#: Texts that no game accepts as a position.
_NONSENSE = ("", "x", "8", "/ w", "%s %s")


class Report(NamedTuple):
    """The faults found, one line each, the number of positions checked, and hints."""

    faults: list[str]
    positions: int
    #: What the game could still have, one line each.
    hints: tuple[str, ...] = ()


def _search_faults(game: Game, tracer: Tracer) -> Iterator[str]:
    """Yield faults of short searches: they need a move and must leave the position unchanged."""
    searcher = Searcher(1)
    for text in (game.start, *game.positions("bench")[:2]):
        tracer.at(text)
        tracer.position(game, text)
        tracer.step("search")
        position = Position(game, text)  # the search calls the kernels by their addresses
        searcher.prepare(position, Limits(depth=min(_SEARCH_DEPTH, game.bench_depth)))
        result = searcher.run(position, lambda report: None)
        if position.text() != Position(game, text).text():
            yield f"search: the position is another than before in {text}"
        if not result.best and position.legal_codes() and position.outcome() is None:
            yield f"search: no move in {text}"


def _parse_faults(game: Game, tracer: Tracer) -> Iterator[str]:
    """Yield texts that are accepted as positions and should not be."""
    for text in _NONSENSE:
        try:
            tracer.position(game, text)
        except UserError:
            continue
        yield f"new_state: the text '{text}' is taken for a position"


def examine(
    game: Game, source: random.Random, positions: int = POSITIONS, tracer: Tracer | None = None
) -> Report:
    """Check a game in ``positions`` positions of random games; return a report.

    With ``RYUGI_BOUNDSCHECK=1`` the process stops at a kernel's access beyond its block.
    """
    tracer = tracer or Tracer()
    faults: dict[str, None] = {}

    def report(fault: str) -> None:
        line = f"{game.name}: {fault}"
        if line not in faults:
            faults[line] = None
            tracer.fault(line)

    walk = RandomGames(game, source, tracer, report)

    def walk_faults() -> Iterable[str]:
        roots = [game.start, *game.positions("openings")]
        rest = 0
        with contextlib.suppress(Unplayable):
            while walk.positions < positions and rest < positions:
                walk.play(game.start if rest % 2 == 0 else source.choice(roots), positions)
                rest += 1
        return ()  # they have been reported

    parts: tuple[tuple[Callable[[], Iterable[str]], ...], ...] = (
        (lambda: _load_faults(game, tracer),),
        (lambda: start_faults(game, tracer),),
        (lambda: fact_faults(game), lambda: _parse_faults(game, tracer), walk_faults),
        # what is broken may not end
        (
            lambda: evaluation_faults(game, source, tracer),
            lambda: file_faults(game, tracer),
            lambda: _perft_faults(game, tracer),
            lambda: _search_faults(game, tracer),
        ),
    )
    for step in parts:
        for part in step:
            _collect(game, part, report)
        if faults:
            break
    return Report(list(faults), walk.positions, tuple(missing_files(game)))


def _load_faults(game: Game, tracer: Tracer) -> Iterable[str]:
    """Load all kernels; their faults are errors."""
    tracer.step("compiling")
    jit.load_all(rules_of(game).entries())
    return ()


def _perft_faults(game: Game, tracer: Tracer) -> Iterator[str]:
    tracer.at("")
    tracer.step("perft of its file")
    return count_faults(game)


def _collect(game: Game, part: Callable[[], Iterable[str]], report: Callable[[str], None]) -> None:
    """Report the faults of a part; an error of the game's code is a fault."""
    try:
        for fault in part():
            report(fault)
    except GameError as error:
        report(str(error).removeprefix(f"{game.name}: "))
    except CrowdedPosition as error:
        report(f"generate: {error}")
    except Exception as error:
        report(describe_error(error))
