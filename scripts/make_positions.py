"""Write a game's openings and bench positions: the files are made by this and then kept.

Openings: each ply is drawn from the moves that a shallow search finds nearly as good as the best;
kept where a longer search finds neither side ahead and every castling right is left. Bench
positions: from games that the engine plays against itself out of such openings; a game that has
some keeps them, since its bench count depends on them.

    scripts/make_positions.py GAME [--openings N] [--plies P] [--last L] [--seed S]
                              [--depth D] [--near CP] [--seconds S] [--balance CP]
"""

from __future__ import annotations

import argparse
import datetime
import random
import sys

from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

DEPTH, NEAR, SECONDS, BALANCE = 8, 30, 10.0, 60
#: Moves among which a ply is drawn.
CHOICE = 6
#: So many games in a row that give no opening: there are no more of that kind.
PATIENCE = 200


def search(searcher: Searcher, position: Position, limits: Limits) -> tuple[str, int]:
    """Best move and score of a search."""
    searcher.multipv = 1
    searcher.prepare(position, limits)
    result = searcher.run(position, lambda report: None)
    return result.best, result.score.cp


def good_moves(searcher: Searcher, position: Position, depth: int, near: int) -> list[str]:
    """Moves whose score is at most ``near`` centipawns below that of the best."""
    lines: dict[int, Report] = {}
    searcher.multipv = CHOICE
    searcher.prepare(position, Limits(depth=depth))
    searcher.run(position, lambda report: lines.update({report.multipv: report}))
    best = lines[1].score.cp
    return [line.pv[0] for line in lines.values() if line.score.cp >= best - near]


def castling_rights(position: Position) -> list[str]:
    """The position text's field of castling rights; [] in a game without a king."""
    return position.text().split()[2:3] if position.game.royal else []


def bench_positions(
    searcher: Searcher, game: Game, openings: list[str], last: int, depth: int
) -> list[str]:
    """Return the start position and positions of self-play out of openings, up to ply ``last``."""
    bench: list[str] = [game.start]
    stops = [round(last * part) for part in (0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1.0)]
    for text, stop in zip(openings, stops, strict=False):
        position = Position(game, text)
        searcher.clear()
        for _ in range(stop):
            move, _score = search(searcher, position, Limits(depth=depth - 1))
            if not move or position.outcome() is not None:
                break
            position.push(move)
        while position.outcome() is not None:
            position.pop()
        bench.append(position.text())
    return bench


def write(game: Game, folder: str, header: str, texts: list[str]) -> None:
    """Write position texts, a line each, to the game's file in ``folder``."""
    path = game.data_file(folder)
    assert path is not None
    path.parent.mkdir(exist_ok=True)
    path.write_text(header + "".join(f"{text}\n" for text in texts), encoding="utf-8")
    print(f"{path}: {counted(len(texts), 'position')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("game")
    add = parser.add_argument
    add("--openings", type=int, default=200)
    add("--plies", type=int, default=8)
    add("--last", type=int, default=80, help="plies of the longest game")
    add("--seed", type=int, default=1)
    add("--depth", type=int, default=DEPTH, help="depth of the search that draws a move")
    add("--near", type=int, default=NEAR, help="centipawns that such a move may be worse")
    add("--seconds", type=float, default=SECONDS, help="seconds that an opening is searched")
    add("--balance", type=int, default=BALANCE, help="centipawns that a side may be ahead")
    arguments = parser.parse_args()
    game = registry().game(arguments.game)
    source = random.Random(f"{game.name} {arguments.seed}")
    searcher = Searcher(16)
    openings: list[str] = []
    missed = 0
    while len(openings) < arguments.openings:
        if missed == PATIENCE:
            raise SystemExit(
                f"{game.name}: {counted(len(openings), 'opening')}, then {PATIENCE} games in a row"
                f" that gave none: other --plies, fewer --seconds or a larger --balance may"
            )
        missed += 1
        position = Position(game)
        rights = castling_rights(position)
        for _ in range(arguments.plies):
            if position.outcome() is not None:
                break
            choice = good_moves(searcher, position, arguments.depth, arguments.near)
            position.push(source.choice(choice))
        if position.outcome() is not None or position.text() in openings:
            continue
        if castling_rights(position) != rights:
            continue
        _, score = search(searcher, position, Limits(move_time=arguments.seconds))
        if abs(score) <= arguments.balance:
            openings.append(position.text())
            missed = 0
            print(f"\r{len(openings)} of {arguments.openings}", end="", file=sys.stderr)
    print(file=sys.stderr)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    command = f"# {today}: scripts/make_positions.py {' '.join(sys.argv[1:])}\n"
    write(game, "openings", command, openings)
    bench = game.data_file("bench")
    if bench is None or not bench.exists():
        texts = bench_positions(searcher, game, openings, arguments.last, arguments.depth)
        write(game, "bench", command, texts)


if __name__ == "__main__":
    main()
