"""Goryujin: the rule book's sample, rules told another way, the race, turns lost on time."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

import pytest

from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import PASS
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import IllegalMove, Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import PROMISING
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from tests.support.effort import effort
from tests.support.goryujin_race import kernels_race, naive_race
from tests.support.helpers import ROOT, codes_of, rounds
from variants.goryujin.picture import _FILLS, LAST, cells_of
from variants.goryujin.shapes import INDEX, SHAPES, End, neighbour
from variants.goryujin.text import (
    FILES,
    HOME,
    RANKS,
    Dragon,
    Placement,
    PositionData,
    format_text,
    parse_placement,
    parse_text,
)

GAME = registry().game("goryujin")
NOBODY_MOVES = (
    "N0@am4.W2@al8.F6@ai9.W0@af9.L7@ac12.P3@z13+,Y6@k4.P4@k8+"
    ",P1@w1.N1@s2.F2@p3.U1@n4,P5@e1,P2@ao1.L1@ap4.F6@at5.T2@aw6.V2@az4"
    "/P4@aw28.Y4@ax24.N3@az25.Y7@bd25.U2@be27,P6@k28,P5@n29"
    ",N5@ae28.F7@ab27.N0@ab23.T2@aa20.L1@w19.L3@t17.F3@q16.P4@q19+,P7@b29 w 1 21"
)
EXAMPLE = ["P7@av1", "P3@au29", "Z0@ay2", "T0@ax27", "P1@bb3+", "P3@au29+", "P5@ak1"]


def played(source: random.Random, plies: int, touchdowns: float = 0.05) -> Position:
    """A position of a random game in which dragons grow; the game goes on."""
    position = Position(GAME)
    while len(position.moves) < plies and position.outcome() is None:
        moves = position.legal_moves()
        landing = [move for move in moves if move.endswith("+")]
        growing = [move for move in moves if move[0] not in "Pp"]
        if landing and source.random() < touchdowns:
            position.push(source.choice(landing))
        else:
            position.push(source.choice(growing if growing and source.random() < 0.85 else moves))
    while position.outcome() is not None:
        position.pop()
    return position


def test_checks_of_the_rule_book() -> None:
    position = Position(GAME)
    assert len(position.legal_moves()) == 468
    for move in EXAMPLE:
        position.push(move)
    assert position.text() == "Z0@ay2.P1@bb3+,P5@ak1/T0@ax27.P3@au29+ b 0 4"
    without = Position(GAME)
    for move in EXAMPLE:
        without.push(move.removesuffix("+").swapcase())
    assert without.text() == position.text()


def test_sample_position() -> None:
    """All 64 pieces of the rule book's picture are dragons by our shapes, ends and contacts."""
    sample = json.loads((ROOT / "variants/goryujin/playthroughs/sample.json").read_text())
    by_cells = {shape.cells: shape for shape in SHAPES}
    data = PositionData()
    for side, name in enumerate(("red", "black")):
        pieces = []
        for letter, squares in sample[name]:
            cells = [(file, RANKS - 1 - row) for row, file in squares]
            left, low = min(x for x, _ in cells), min(y for _, y in cells)
            shape = by_cells[tuple(sorted((x - left, y - low) for x, y in cells))]
            assert shape.letter == letter
            pieces.append(Placement(shape, left, low))
        while pieces:
            chain = [pieces.pop(0)]
            while more := [p for p in pieces if any(p.joins(c) for c in (chain[0], chain[-1]))]:
                pieces.remove(more[0])
                if more[0].joins(chain[-1]):
                    chain.append(more[0])
                else:
                    chain.insert(0, more[0])

            def at_home(piece: Placement, side: int = side) -> bool:
                return any(rank == HOME[side] for _file, rank in piece.cells)

            if at_home(chain[-1]):
                chain.reverse()
            finished = not at_home(chain[0])
            if finished and chain[0].shape.letter == "P":
                chain.reverse()
            data.dragons[side].append(Dragon(chain, finished))
    position = Position(GAME, format_text(data))
    assert sum(len(d.pieces) for side in data.dragons for d in side) == 64
    assert position.text() == format_text(data)
    assert sorted(position.legal_moves()) == sorted(GAME.reference(position.text()).legal_moves())


def test_middle_games_with_lost_turns(source: random.Random) -> None:
    """Kernels and reference rules agree, also where a referee has passed for somebody."""
    for _ in range(4):
        position, ref = Position(GAME), GAME.reference(GAME.start)
        while position.outcome() is None:
            moves = ref.legal_moves()
            assert sorted(position.legal_moves()) == sorted(moves)
            if source.random() < 0.15:
                position.push(PASS, refereed=True)
                ref = moves[PASS] if PASS in moves else ref.timeout_pass()  # type: ignore[attr-defined]
            else:
                move = source.choice(sorted(moves))
                position.push(move)
                ref = moves[move]
            assert position.text() == ref.text()
        outcome = position.outcome()
        assert outcome is not None
        assert (outcome.result, outcome.reason) == ref.result()


def test_five_passes_end_the_game() -> None:
    position = Position(GAME)
    with pytest.raises(IllegalMove):
        position.push(PASS)
    for _ in range(5):
        assert position.outcome() is None
        position.push(PASS, refereed=True)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("0-1", "five passes, no touchdown")
    assert position.text() == "-/- b 5 3"
    assert Position(GAME, "-/- b 5 3").outcome() == outcome
    with pytest.raises(IllegalMove):
        position.push(PASS, refereed=True)


@pytest.mark.parametrize(
    ("white", "black", "result", "why"),
    [
        ("I1@a20.P5@f20+", "-", "1-0", "one more touchdown"),
        ("-", "I1@a20.P5@f20+", "0-1", "one more touchdown"),
        ("I1@a20.P5@f20+", "I1@a10.P5@f10+", "0-1", "equal touchdowns"),
        ("I1@a21.P5@f21+", "I1@a10.P5@f10+", "1-0", "nearer touchdown"),
        ("I1@a21.P5@f21+", "I1@a10.P5@f10+,I1@p10.P5@u10+", "1-0", "nearer touchdown"),
        ("I1@a20.P5@f20+", "I1@a10.P5@f10+,I1@p10.P5@u10+", "0-1", "one more touchdown"),
        ("I1@a20.P5@f20+,I1@p20.P5@u20+", "I1@a10.P5@f10+", "1-0", "one more touchdown"),
    ],
)
def test_comparisons(white: str, black: str, result: str, why: str) -> None:
    outcome = Position(GAME, f"{white}/{black} w 5 9").outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == (result, f"five passes, {why}")


def mirrored(placement: Placement, turned: bool) -> Placement:
    """The image in the board's vertical axis, or in its horizontal one."""
    if turned:
        cells = [(x, RANKS - 1 - y) for x, y in placement.cells]
    else:
        cells = [(FILES - 1 - x, y) for x, y in placement.cells]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    shape = next(
        s for s in SHAPES if s.cells == tuple(sorted((x - left, y - low) for x, y in cells))
    )
    return Placement(shape, left, low)


def test_evaluation_is_symmetric(source: random.Random) -> None:
    for _ in range(40):
        position = played(source, source.randrange(1, 60))
        data = parse_text(position.text())
        for turned in (False, True):
            for side in range(2):
                for dragon in data.dragons[side]:
                    dragon.pieces[:] = [mirrored(piece, turned) for piece in dragon.pieces]
            if turned:
                data.dragons = (data.dragons[1], data.dragons[0])
                data.side = 1 - data.side
            other = Position(GAME, format_text(data))
            assert len(other.legal_moves()) == len(position.legal_moves())
            assert other.evaluate() == position.evaluate(), position.text()


@pytest.mark.more
@pytest.mark.slow
def test_the_race_by_single_ends(source: random.Random) -> None:
    """The kernels' race, result and fastest ways, is that of a search over single ends."""
    seen: Counter[str] = Counter()
    for _ in rounds(effort(5, 120), seen, far_edge=2, blocked=1):
        plies = source.randrange(1, source.choice((15, 110)))
        position = played(source, plies, touchdowns=source.choice((0.0, 0.1)))
        for side in range(2):
            wanted = naive_race(position.text(), side)
            assert kernels_race(position, side) == wanted, (side, position.text())
            seen["far_edge" if wanted.distance == 1 else "blocked"] += 1


def test_search_finds_the_touchdown_and_the_block() -> None:
    """A win at once is played; the enemy's is stopped where that can be done."""
    searcher = Searcher(1)

    def best(text: str) -> tuple[str, Any]:
        position = Position(GAME, text)
        searcher.clear()
        searcher.prepare(position, Limits(depth=4))
        result = searcher.run(position, lambda report: None)
        return result.best, result.score

    long = "P2@a1.I0@b4.I0@b9.I0@b14.I0@b19.Y2@b24"
    move, score = best(f"{long}/P0@z28.I0@z23 w 0 7")
    assert move.endswith("+")
    assert score.mate == 1
    # Black has one turn before White lands on its first row, in two ways only
    move, score = best(f"{long}/P0@e28.I0@e23 b 0 7")
    position = Position(GAME, f"{long}/P0@e28.I0@e23 b 0 7")
    position.push(move)
    landing = [m for m in position.legal_moves() if m.endswith("+")]
    nearest = [RANKS - max(r for _f, r in parse_placement(m[:-1]).cells) for m in landing]
    assert 1 not in nearest
    # no one has a turn after three of White's eight, which wins: its touchdown is nearer
    position = Position(GAME, NOBODY_MOVES)
    move, score = best(NOBODY_MOVES)
    assert score.mate == 1
    position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_shapes_are_the_rule_books() -> None:
    assert len(SHAPES) == len(INDEX) == 63
    ends = {shape.letter: len(shape.ends) for shape in SHAPES}
    assert ends == dict(zip("FILNPTUVWXYZ", (3, 2, 2, 2, 1, 3, 2, 2, 2, 4, 3, 2), strict=True))
    p0 = Placement(SHAPES[[s.name for s in SHAPES].index("P0")], 12, 0)
    assert p0.name == "P0@m1"
    assert p0.ends == [End((12, 0), 2)]


def test_lost_turns_in_protocols() -> None:
    """A referee's pass is taken in a list of moves; an engine's own choice it never is."""
    from ryugi_engine.core.session import Session

    session = Session(lambda event: None)
    session.set_variant("goryujin")
    session.set_position(None, ["P2@a1", "0000", "@@@@", "pass"])
    assert session.position.text() == "P2@a1/- w 3 3"
    with pytest.raises(IllegalMove):
        session.position.push(PASS)


def filled_squares(svg: str) -> dict[tuple[int, int], str]:
    """Return the colours of squares inside filled paths, by the even-odd rule on their edges."""
    colours = {}
    for path, fill in re.findall(r'<path d="([^"]*)z" fill="(#[^"]*)"', svg):
        x, y = (float(value) for value in path[1:].replace("h", "v").split("v")[0].split())
        edges: dict[tuple[int, int], int] = {}  # upright edges by file and rank, with their number
        for direction, length in re.findall("([hv])([^hv]*)", path):
            if direction == "h":
                x += float(length)
                continue
            tops = [y + 16 * n for n in range(int(float(length)) // 16)]
            tops += [y - 16 * n - 16 for n in range(int(-float(length)) // 16)]
            for top in tops:
                at = round((x - 1.6 * 16) / 16), RANKS - 1 - round((top - 16) / 16)
                edges[at] = edges.get(at, 0) + 1
            y += float(length)
        for rank in {rank for _, rank in edges}:
            files = sorted(file for file, other in edges if other == rank)
            if len(files) % 2:  # the last edge is the one that "z" draws
                files = sorted([*files, round((x - 1.6 * 16) / 16)])
            for left, right in zip(files[::2], files[1::2], strict=True):
                colours |= {(file, rank): fill for file in range(left, right)}
    return colours


def test_pictures(source: random.Random) -> None:
    """Every covered square is drawn in its side's colour, the last piece marked, ends shown."""
    position = played(source, 40, touchdowns=0.3)
    svg = position.draw().svg()
    data = parse_text(position.text())
    wanted = {
        cell: _FILLS[side][data.dragons[side][number].finished]
        for cell, (side, number, _) in data.board().items()
    }
    wanted |= dict.fromkeys(cells_of(position.last_move), LAST[1 - position.side])
    assert filled_squares(svg) == wanted
    growing = [d for side in data.dragons for d in side if not d.finished]
    assert svg.count("<circle") == sum(len(d.free_ends()) for d in growing)
    lines = position.board_text(mark=True).splitlines()
    assert all(len(line) == 63 for line in lines[:30])
    rows = [line[3:] for line in lines[:30]]
    shown = {
        (file, RANKS - 1 - row)
        for row, line in enumerate(rows)
        for file, sign in enumerate(line)
        if sign != "."
    }
    board = set(data.board())
    free = {neighbour(end.cell, end.direction) for dragon in growing for end in dragon.free_ends()}
    free = {cell for cell in free if cell[0] in range(FILES) and cell[1] in range(RANKS)} - board
    assert shown == board | free
    assert sum(line.count("o") for line in rows) == len(free)
    marked = sum(line.count("*") for line in rows)
    assert marked == (0 if position.last_move == PASS else 5)
    colours = position.board_text(Ink(colours=True), mark=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colours).splitlines()[30:] == lines[30:]


def raced(source: random.Random) -> Position:
    """White runs straight for the far edge, Black plays anything; the game goes on."""
    position = Position(GAME)
    file = source.randrange(FILES - 2)
    corners = (
        ("P2", 0, 1),
        ("I0", 1, 4),
        ("I0", 1, 9),
        ("I0", 1, 14),
        ("I0", 1, 19),
        ("Y2", 1, 24),
    )
    run = [f"{name}@{square_name((file + right, rank - 1))}" for name, right, rank in corners]
    for move in run[: source.randrange(5, 7)]:
        moves = position.legal_moves()
        if move not in moves:
            break
        position.push(move)
        replies = position.legal_moves()
        growing = [reply for reply in replies if not reply.startswith("P")]
        reply = source.choice(growing if growing and source.random() < 0.8 else replies)
        position.push(reply)
    if source.random() < 0.8:
        position.pop()
    return position


def landing_wins(position: Position) -> list[str]:
    """Turns that win at once."""
    wins = []
    for move in position.legal_moves():
        if move.endswith("+"):
            ranks = [rank for _file, rank in parse_placement(move[:-1]).cells]
            if (RANKS - 1 in ranks) if position.side == 0 else (0 in ranks):
                wins.append(move)
    return wins


@pytest.mark.slow
def test_threats_are_seen_and_only_lost_turns_left_out(source: random.Random) -> None:
    """What the search leaves out allows a landing at distance 1; what it keeps need not."""
    seen: Counter[str] = Counter()
    for _ in rounds(20, seen, threats=3, answers=1):
        position = raced(source)
        kept = set(codes_of(position, PROMISING))
        every = set(position.legal_codes())
        assert kept <= every
        assert kept
        wins = landing_wins(position)
        if wins:
            assert len(kept) == 1
            assert position.move_text(kept.pop()) in wins
            continue
        passed = position.copy()
        passed.push(GAME.timeout_pass)
        assert position.in_check() == bool(landing_wins(passed)), position.text()
        if not position.in_check():
            assert kept == every
            continue
        seen["threats"] += 1
        seen["answers"] += len(kept) > 1
        for code in every - kept:
            position.push(code)
            assert landing_wins(position), position.text()
            position.pop()
