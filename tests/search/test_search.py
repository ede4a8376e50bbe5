"""The search finds what is there, keeps its promises on limits, and repeats itself."""

from __future__ import annotations

import contextlib
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from ryugi_engine.games.definitions import DefinitionError, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import DRAWN, ONGOING, PROMISING, used_words
from ryugi_engine.search import layout as L
from ryugi_engine.search.bench import run_bench
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report, Result
from ryugi_engine.search.searcher import Searcher
from tests.conftest import FAMILY, GAMES
from tests.support.effort import effort
from tests.support.helpers import codes_of, patient, rounds, walked, wild_position
from variants import chess as chess_games
from variants.chess.fast import entries
from variants.chess.fast.layout import TABLES


def search(position: Position, searcher: Searcher | None = None, **limits: object) -> Result:
    searcher = searcher or Searcher(4)
    searcher.prepare(position, Limits(**limits))  # type: ignore[arg-type]
    return searcher.run(position, lambda report: None)


@pytest.mark.parametrize(
    ("name", "text", "mate"),
    [
        ("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("chess", "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("chess", "8/8/8/8/8/5k2/7q/5K2 b - - 0 1", 1),
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("ryugi", "k9/10/1K8/10/10/10/10/3R6 w - - 0 1", 1),
        ("ryugi", "9k/8pp/10/10/10/10/R9/RK8 w - - 0 1", 1),
    ],
)
def test_mates(name: str, text: str, mate: int) -> None:
    result = search(Position(registry().game(name), text), depth=2 * mate + 4)
    assert result.score.mate == mate


def brute_force_mate(position: Position, plies: int) -> bool:
    """Whether the side to move mates within ``plies`` plies, by trying everything."""
    for move in position.legal_codes():
        position.push(move)
        replies = position.legal_codes()
        won = not replies and position.in_check()
        if not won and replies and plies > 2:
            won = True
            for reply in replies:
                position.push(reply)
                won = brute_force_mate(position, plies - 2)
                position.pop()
                if not won:
                    break
        position.pop()
        if won:
            return True
    return False


def hunted_king(source: random.Random) -> Position | None:
    """A bare or almost bare black king among some white pieces, White to move."""
    squares = [chr(97 + f) + str(r) for f in range(10) for r in range(1, 9)]
    source.shuffle(squares)
    pieces = {squares.pop(): "K", squares.pop(): "k"}
    pieces |= {squares.pop(): source.choice("QDMRNBI") for _ in range(source.randrange(2, 5))}
    pieces |= {squares.pop(): source.choice("nbi") for _ in range(source.randrange(2))}
    rows = []
    for rank in range(8, 0, -1):
        cells = "".join(pieces.get(f"{file}{rank}", "1") for file in "abcdefghij")
        rows.append(re.sub("1+", lambda run: str(len(run.group())), cells))
    try:
        return Position(registry().game("ryugi"), "/".join(rows) + " w - - 0 1")
    except ValueError:
        return None


@pytest.mark.more
def test_short_mates_against_brute_force(source: random.Random) -> None:
    """Every claimed mate in two is there, and nearly all that are there are found.

    Forward pruning may put the shortest mate off by some plies, never invent one.
    """
    seen: Counter[str] = Counter()
    for _ in rounds(effort(15, 100), seen, known=4):
        position = hunted_king(source)
        if position is None or position.outcome() is not None:
            continue
        there = brute_force_mate(position, 3)
        result = search(position, depth=effort(9, 12))
        claimed = result.score.mate is not None and 0 < result.score.mate <= 2
        assert there or not claimed, position.text()
        seen["known"] += there
        seen["found"] += claimed
    assert seen["found"] >= 0.9 * seen["known"] - 1


def test_finished_games_have_no_move() -> None:
    for text in ("k9/1Q8/2K7/10/10/10/10/10 b - - 0 1", "k9/2Q7/2K7/10/10/10/10/10 b - - 0 1"):
        assert search(Position(registry().game("ryugi"), text), depth=3).best == ""


def test_draws_are_seen_in_the_tree() -> None:
    # the pawn is lost or Black is stalemated
    position = Position(registry().game("chess"), "k7/P7/K7/8/8/8/8/8 w - - 0 1")
    assert search(position, depth=8).score.cp == 0
    # a position that stood before within the search is a draw
    position = Position(registry().game("ryugi"), "5k4/10/10/10/10/10/2R7/5K4 w - - 0 1")
    for move in ("c2c3", "f8f7", "c3c2", "f7f8"):
        assert entries.status(position.state.address, 10) == ONGOING
        position.push(move)
    assert entries.status(position.state.address, 4) == DRAWN
    assert entries.status(position.state.address, 3) == ONGOING
    # a rook ahead, but the move rule is about to end the game
    text = "5k4/10/10/10/10/10/2R7/5K4 w - - 126 100"
    assert abs(search(Position(registry().game("ryugi"), text), depth=6).score.cp) < 30


def test_the_board_is_left_as_it_was() -> None:
    position = Position(registry().game("ryugi"))
    words = used_words(position.state).copy()
    search(position, depth=7)
    assert (words == used_words(position.state)).all()
    assert (position.text(), position.moves) == (position.game.start, [])


def test_a_shallow_search_comes_to_an_end() -> None:
    """Re-searches a ply deeper, one below the other: Shogi's depth 4 had 15 million nodes."""
    result = search(Position(registry().game("shogi")), depth=5, nodes=200_000)
    assert result.depth == 5
    assert result.nodes < 100_000


def test_node_limit_is_exact_enough() -> None:
    for nodes in (1, 50, 5000):
        result = search(Position(registry().game("ryugi")), nodes=nodes)
        assert result.best
        assert result.nodes <= nodes + 40


def test_bench_repeats_itself() -> None:
    games = [registry().game(name) for name in ("ryugi", "chess")]
    first = run_bench(games, 6, lambda line: None)
    assert first == run_bench(games, 6, lambda line: None)


#: Riders and riders with leaps: a board of them has captures without end.
_RIDERS = {"Q": "RB", "A": "RBN", "N": "NN", "M": "RBNN", "R": "R", "B": "B", "C": "RN"}


def crowded_game(source: random.Random, kinds: int) -> Game:
    """A game on 10x8 without an empty rank: both sides' riders fill it, but for a few squares."""
    letters = source.sample(sorted(_RIDERS), kinds)
    while True:
        with contextlib.suppress(DefinitionError):  # the side not to move is in check
            return _crowded_game(source, letters)


def _crowded_game(source: random.Random, letters: list[str]) -> Game:
    squares = [source.choice(letters) for _ in range(40)]
    squares[4] = "K"
    for at in source.sample([at for at in range(40) if at != 4], source.choice((0, 0, 2, 8))):
        squares[at] = "1"
    rows = ["".join(squares[at : at + 10]) for at in range(0, 40, 10)]
    start = "/".join([row.lower() for row in rows] + rows[::-1])
    start = re.sub("1+", lambda match: str(len(match.group())), start)
    pieces = "".join(f'{letter} = "{_RIDERS[letter]}"\n' for letter in letters)
    text = f'[crowd]\nfiles = 10\nranks = 8\npromotion = "{letters[0]}"\n'
    text += f'start = "{start} w - - 0 1"\n[crowd.pieces]\nK = "K"\n{pieces}'
    (reader,) = read_text(text, "crowd.toml")
    return chess_games.define(reader)


@pytest.mark.parametrize("kinds", [1, 2, 4])
def test_crowded_boards_are_searched_all_the_same(kinds: int, source: random.Random) -> None:
    """Captures without end do not keep a leaf: at most some thousand nodes a root move.

    A leaf may have 4,096, is searched again where it surprises, and counts its nodes on its
    way back; hardly any board comes to 1,000 a move, one of some hundreds to 13,000.
    """
    for _ in range(5):
        position = Position(crowded_game(source, kinds))
        moves = len(position.legal_codes())
        result = search(position, depth=1, nodes=5_000_000)
        assert result.depth == 1, position.text()
        assert result.nodes < 20_000 * (moves + 10), position.text()


@pytest.mark.more
def test_shipped_games_do_not_notice_the_bound_of_crowded_ones(
    monkeypatch: pytest.MonkeyPatch, source: random.Random
) -> None:
    games = [registry().game(name) for name in GAMES if name != "goryujin"]
    games = source.sample(games, effort(4, len(games)))
    depth: int = effort(4, 6)
    bounded = run_bench(games, depth, lambda line: None)
    monkeypatch.setattr(L, "QSEARCH_NODES", 1 << 40)
    assert run_bench(games, depth, lambda line: None) == bounded
    # chess does notice a bound that is too low
    chess, counts = [registry().game("chess")], set()
    for bound in (1 << 40, 16):
        monkeypatch.setattr(L, "QSEARCH_NODES", bound)
        counts.add(run_bench(chess, depth, lambda line: None))
    assert len(counts) == 2


def test_search_moves_and_multipv() -> None:
    position = Position(registry().game("ryugi"))
    assert search(position, depth=5, search_moves=("a2a3",)).best == "a2a3"
    searcher = Searcher(4)
    searcher.multipv = 3
    reports: list[Report] = []
    searcher.prepare(position, Limits(depth=6))
    searcher.run(position, reports.append)
    last = reports[-3:]
    assert [report.multipv for report in last] == [1, 2, 3]
    assert len({report.pv[0] for report in last}) == 3
    assert last[0].score.cp >= last[1].score.cp >= last[2].score.cp


@pytest.mark.parametrize("name", ["chess", "ryugi", "gorogo"])
def test_the_last_lines_are_different_moves_wherever_the_search_stops(
    name: str, source: random.Random
) -> None:
    """Sorted, the best one first; of all moves or of chosen ones."""
    game = registry().game(name)
    searcher = Searcher(4)
    for _ in range(effort(40, 400)):
        position = walked(game, source)
        moves = position.legal_moves()
        chosen = (
            source.sample(moves, source.randint(1, len(moves))) if source.random() < 0.3 else []
        )
        searcher.multipv = source.randint(1, 8)
        reports: list[Report] = []
        nodes = int(10 ** source.uniform(0, 4))
        searcher.prepare(position, Limits(nodes=nodes, search_moves=tuple(chosen)))
        result = searcher.run(position, reports.append)
        count = min(searcher.multipv, len(chosen or moves))
        last = reports[-count:]
        firsts, scores = [line.pv[0] for line in last], [line.score.cp for line in last]
        where = position.text(), nodes, searcher.multipv, chosen
        assert [line.multipv for line in last] == list(range(1, count + 1)), where
        assert firsts[0] == result.best, where
        assert len(set(firsts)) == count, where
        assert set(firsts) <= set(chosen or moves), where
        assert scores == sorted(scores, reverse=True), where


def test_time_limits_hold() -> None:
    """On an idle machine at once; a busy one is tried again, and never overrun by seconds."""
    position = Position(registry().game("ryugi"))
    searcher = Searcher(4)
    for limits, most in (
        (Limits(move_time=0.2), 0.3),
        (Limits(time=(0.05, 0.05)), 0.1),
        (Limits(time=(2.0, 2.0), increment=(0.1, 0.1)), 0.9),
    ):
        taken: list[float] = []
        while not taken or (min(taken) >= most and len(taken) < 20):
            began = time.thread_time()  # of the processor: what others took of it does not count
            searcher.prepare(position, limits)
            assert searcher.run(position, lambda report: None).best
            taken.append(time.thread_time() - began)
        assert min(taken) < most, taken


def _later(act: Callable[[], None]) -> threading.Event:
    """Do something in a while; the event is set just before."""
    asked = threading.Event()

    def do() -> None:
        asked.set()
        act()

    threading.Timer(0.4, do).start()
    return asked


def test_stop_and_ponderhit() -> None:
    position = Position(registry().game("ryugi"))
    searcher = Searcher(4, threads=2)
    searcher.prepare(position, Limits(infinite=True))
    asked = _later(searcher.stop)
    assert searcher.run(position, lambda report: None).best
    assert asked.is_set()  # not before, and not for ever

    searcher.prepare(position, Limits(time=(1.0, 1.0), ponder=True))
    asked = _later(searcher.clock.start)
    assert searcher.run(position, lambda report: None).best
    assert asked.is_set()


def test_infinite_waits_for_stop_even_when_all_is_known() -> None:
    position = Position(registry().game("chess"), "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    searcher = Searcher(4)
    searcher.prepare(position, Limits(infinite=True, depth=3))
    asked = _later(searcher.stop)
    assert searcher.run(position, lambda report: None).score.mate == 1
    assert asked.is_set()


@pytest.mark.parametrize("name", FAMILY)
def test_evaluation_is_symmetric(name: str, source: random.Random) -> None:
    """Mirroring ranks and colours changes nothing for the side to move."""
    game = registry().game(name)
    seen: Counter[str] = Counter()
    for _ in rounds(60, seen, compared=10):
        position = wild_position(game, source)
        if position is None:
            continue
        seen["compared"] += 1
        board, side, *_rest = position.text().split()
        mirrored = "/".join(reversed(board.swapcase().split("/")))
        other = Position(game, f"{mirrored} {'b' if side == 'w' else 'w'} - - 0 1")
        again = Position(game, f"{board} {side} - - 0 1")
        assert again.evaluate() == other.evaluate(), position.text()


def reference_exchange(position: Position, square: str) -> int:
    """Best material gain of capturing on a square, recaptures included, by playing it out."""
    best = 0
    words = position.state.words
    values: dict[str, int] = {}
    rules = position.rules
    table = TABLES.of(rules._tables)  # type: ignore[attr-defined]
    del words
    for code, letter in rules._signs.items():  # type: ignore[attr-defined]
        values[letter] = int(table["value"][code])
    data = rules._data(position.state)  # type: ignore[attr-defined]
    at = (ord(square[0]) - 97, int(square[1:]) - 1)
    for move in position.legal_moves():
        if move[2:4] != square or len(move) > 4:
            continue
        gain = values[data.board[at]]
        position.push(move)
        gain -= reference_exchange(position, square)
        position.pop()
        best = max(best, gain)
    return best


@pytest.mark.parametrize(("move", "wins"), [("a7a8q", 1), ("d5e6", 1), ("e1g1", 0)])
def test_quiescence_does_not_leave_out_promotions(move: str, wins: int) -> None:
    """Futility pruning asks what a move wins at least."""
    position = Position(registry().game("chess"), "4k3/P7/8/3Pp3/8/8/8/4K2R w K e6 0 1")
    code = {position.move_text(code): code for code in position.legal_codes()}[move]
    assert position.kernels.exchange(position.state.address, code, 300) == wins


@pytest.mark.more
def test_exchange_against_playing_it_out(source: random.Random) -> None:
    """Where no piece is pinned or in check, swapping off is what the moves themselves give."""
    game = registry().game("ryugi")
    compared = 0
    agreed = 0
    while compared < effort(80, 400):
        position = wild_position(game, source, 24)
        if position is None or position.in_check():
            continue
        occupied = {m[2:4] for m in position.legal_moves()}
        data = position.rules._data(position.state)  # type: ignore[attr-defined]
        targets = {chr(97 + f) + str(r + 1) for f, r in data.board} & occupied
        for square in sorted(targets)[:4]:
            for code in position.legal_codes():
                move = position.move_text(code)
                if move[2:4] != square or len(move) > 4:
                    continue
                at = (ord(square[0]) - 97, int(square[1:]) - 1)
                letter = data.board[at]
                rules = position.rules
                code_of = rules._codes[letter]  # type: ignore[attr-defined]
                tables = TABLES.of(rules._tables)  # type: ignore[attr-defined]
                gain = int(tables["value"][code_of])
                position.push(code)
                gain -= reference_exchange(position, square)
                position.pop()
                kernel = entries.exchange(position.state.address, code, gain)
                above = entries.exchange(position.state.address, code, gain + 1)
                compared += 1
                agreed += bool(kernel) and not above
    # pins, checks and promotions that recapture are beyond the exchange on one square
    assert agreed / compared > 0.85


def wins_at_once(position: Position) -> bool:
    """Whether some move ends the game in favour of the side to move."""
    side = position.side
    for code in position.legal_codes():
        position.push(code)
        outcome = position.outcome()
        position.pop()
        if outcome is not None and outcome.result == ("1-0", "0-1")[side]:
            return True
    return False


@pytest.mark.parametrize("name", GAMES)
def test_promising_moves_leave_out_nothing_good(name: str, source: random.Random) -> None:
    """A move that the search skips loses at once, or is no better than a win at once."""
    game = registry().game(name)
    seen: Counter[str] = Counter()
    for number in rounds(60, seen, left_out=int(name.startswith("gomokuroku"))):
        position = Position(game, source.choice(game.positions("bench")))
        for _ in range(number % 20):
            codes = position.legal_codes()
            if codes:
                position.push(source.choice(codes))
        if position.outcome() is not None:
            continue
        every, promising = set(position.legal_codes()), set(codes_of(position, PROMISING))
        assert promising
        assert promising <= every
        if every == promising or wins_at_once(position):
            continue
        side = position.side
        for code in every - promising:
            seen["left_out"] += 1
            position.push(code)
            assert position.side != side
            assert wins_at_once(position), position.text()
            position.pop()
    assert seen["left_out"] == 0 or name.startswith(("gomokuroku", "goryujin"))


def test_a_pondered_move_that_was_played_has_the_new_clock() -> None:
    """With one legal move nothing needs to be thought about; while pondering it is."""
    position = Position(registry().game("chess"), "k3r3/pppp4/8/8/8/8/PP4q1/7K w - - 0 1")
    assert len(position.legal_codes()) == 1
    searcher, deep = Searcher(1), threading.Event()
    searcher.prepare(position, Limits(ponder=True, time=(1e6, 1e6)))

    def report(found: Report) -> None:
        if found.depth >= 5:
            deep.set()

    search = threading.Thread(target=searcher.run, args=(position, report), daemon=True)
    search.start()
    assert deep.wait(patient(60))
    assert search.is_alive()
    searcher.clock.start(Limits(time=(1e6, 1e6)))
    search.join(patient(60))
    ended = not search.is_alive()
    searcher.stop()
    search.join(patient(60))
    assert ended
