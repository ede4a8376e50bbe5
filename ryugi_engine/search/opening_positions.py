"""A game's openings and bench positions, found by searches.

Openings: each ply is drawn from the moves that a shallow search finds nearly as good as the best.
One is kept where a longer search finds neither side ahead and every castling right is left. Bench
positions come from games that the engine plays against itself out of such openings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import CrowdingMove, Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.opening_settings import OpeningSettings
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

#: Moves among which a ply is drawn.
_CHOICE = 6
#: So many games in a row that give no opening: there are no more of that kind.
_PATIENCE = 200
_HASH_MEGABYTES = 16
#: Shares of the longest game at which bench positions are taken.
_STOPS = (0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1.0)


def _search(searcher: Searcher, position: Position, limits: Limits) -> tuple[str, int]:
    """Return best move and score of a search."""
    searcher.multipv = 1
    searcher.prepare(position, limits)
    result = searcher.run(position, lambda report: None)
    return result.best, result.score.cp


def _good_moves(searcher: Searcher, position: Position, depth: int, near: int) -> list[str]:
    """Return the moves whose score is at most ``near`` centipawns below that of the best."""
    lines: dict[int, Report] = {}
    searcher.multipv = _CHOICE
    searcher.prepare(position, Limits(depth=depth))
    searcher.run(position, lambda report: lines.update({report.multipv: report}))
    best = lines[1].score.cp
    return [line.pv[0] for line in lines.values() if line.score.cp >= best - near]


def _castling_rights(position: Position) -> list[str]:
    """Return the position text's field of castling rights; [] in a game without a king."""
    return position.text().split()[2:3] if position.game.royal else []


def find_openings(game: Game, settings: OpeningSettings) -> Iterator[str]:
    """Yield openings, all of them different; UserError if there are too few of that kind."""
    source = random.Random(f"{game.name} {settings.seed}")
    searcher = Searcher(_HASH_MEGABYTES)
    found: set[str] = set()
    missed = 0
    while len(found) < settings.openings:
        if missed == _PATIENCE:
            raise UserError(
                f"{game.name}: {counted(len(found), 'opening')}, then {_PATIENCE} games in a row"
                " that gave none: other --plies, fewer --seconds or a larger --balance may"
            )
        missed += 1
        position = Position(game)
        rights = _castling_rights(position)
        for _ in range(settings.plies):
            if position.outcome() is not None:
                break
            choice = _good_moves(searcher, position, settings.depth, settings.near)
            try:
                position.push(source.choice(choice))
            except CrowdingMove:
                break
        text = position.text()
        if len(position.moves) < settings.plies or position.outcome() is not None or text in found:
            continue
        if _castling_rights(position) != rights:
            continue
        _, score = _search(searcher, position, Limits(move_time=settings.seconds))
        if abs(score) <= settings.balance:
            found.add(text)
            missed = 0
            yield text


def bench_positions(game: Game, openings: Sequence[str], settings: OpeningSettings) -> list[str]:
    """Return the start position and positions of self-play out of openings."""
    searcher = Searcher(_HASH_MEGABYTES)
    bench: list[str] = [game.start]
    for text, share in zip(openings, _STOPS, strict=False):
        position = Position(game, text)
        searcher.clear()
        for _ in range(round(settings.last * share)):
            move, _score = _search(searcher, position, Limits(depth=settings.depth - 1))
            if not move or position.outcome() is not None:
                break
            position.push(move)
        while position.outcome() is not None:
            position.pop()
        bench.append(position.text())
    return bench
