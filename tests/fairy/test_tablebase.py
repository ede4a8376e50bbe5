"""Distances to mate of a bare king: published maxima, the reference rules, and what players see.

Sources of the maxima: https://en.wikipedia.org/wiki/Pawnless_chess_endgame, and J. Nunn, "Secrets
of Pawnless Endings", for two bishops.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ryugi_engine.games.game import Game, Reference
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report, Result
from ryugi_engine.search.searcher import Searcher
from tests.support.effort import effort
from tests.support.helpers import EngineUnderTest
from variants import chess as chess_games
from variants.chess.family.rules import FamilyRules
from variants.chess.fast.game import kernels_of
from variants.chess.notation.text import PositionData, format_text
from variants.chess.tablebase.pieces import piece_rays
from variants.chess.tablebase.tables import Army, Board, Table

#: Longer than any generation.
_LONG = 60.0


def definition_of(game: Game) -> chess_games.Definition:
    rules = rules_of(game)
    assert isinstance(rules, FamilyRules)
    return rules.definition


def without_stalemate() -> Game:
    """Return chess on 5x5 squares, an odd number of files, where stalemate loses."""
    gardner = definition_of(registry().game("gardner"))
    rules = replace(gardner.rules, stalemate_value="loss")
    changed = replace(gardner, name="lost-stalemate", rules=rules)
    return chess_games.game_of(changed, kernels_of(changed))


@pytest.mark.parametrize(
    ("pieces", "moves"), [("R", 16), ("Q", 10), ("N", 0), ("BN", 33), ("BB", 19), ("NN", 1)]
)
def test_the_longest_mates_of_chess(pieces: str, moves: int) -> None:
    """Two knights mate a king that is in the corner already."""
    game = definition_of(registry().game("chess"))
    white, black = piece_rays(game)
    board = Board(8, 8, stalemate_loses=False)
    army = Army(white["K"], black["K"], tuple(white[letter] for letter in pieces))
    alone = [whole(Table(board, army._replace(pieces=(rays,)))) for rays in army.pieces[::-1]]
    table = whole(Table(board, army, alone)) if len(pieces) > 1 else alone[0]
    assert table.longest == moves


def whole(table: Table) -> Table:
    while table.advance():
        pass
    return table


# ---- the reference rules -------------------------------------------------------------------------


def some_position(game: Game, army: str, strong: int, source: random.Random) -> str:
    """Return a random position of an army against a bare king, legal and not over."""
    definition = definition_of(game)
    royal = definition.royal
    while True:
        letters = [royal, *army]
        squares = source.sample(definition.on_board(), len(letters) + 1)
        signs = [*(p.lower() if strong else p for p in letters), royal if strong else royal.lower()]
        board = dict(zip(squares, signs, strict=True))
        text = format_text(definition, PositionData(board, side=source.randrange(2)))
        try:
            if Position(game, text).outcome() is None:
                return text
        except PositionError:
            continue


def plies_by_tables(game: Game, reference: Reference) -> int | None:
    """Return the plies to mate of a position of the reference rules; None for no mate."""
    result = reference.result()
    if result is not None:
        return None if result[0] == "1/2-1/2" else 0
    position = Position(game, reference.text())
    known = position.rules.tablebase_position(position.state)
    if known is None:
        return None
    assert known.is_ready(_LONG, whole=True)
    return known.exact_moves(position.legal_moves())[0].plies


@pytest.mark.parametrize(
    ("name", "army"),
    [("makruk", "SS"), ("makruk", "RS"), ("makruk", "MN"), ("asean", "BQ"), ("cambodian", "R"),
     ("sittuyin", "NS"), ("chess", "BN"), ("losalamos", "NQ"), ("knightmate", "QR"),
     ("lost-stalemate", "BN"), ("lost-stalemate", "R")],
)  # fmt: skip
def test_each_distance_follows_from_those_after_it(
    name: str, army: str, source: random.Random
) -> None:
    """By the moves of the reference rules; together with the mates that is a whole proof."""
    game = without_stalemate() if name == "lost-stalemate" else registry().game(name)
    for number in range(effort(12, 300)):
        text = some_position(game, army, number % 2, source)
        position = Position(game, text)
        known = position.rules.tablebase_position(position.state)
        assert known is not None
        assert known.is_ready(_LONG, whole=True)
        after = {
            move: plies_by_tables(game, reference)
            for move, reference in game.reference(text).legal_moves().items()
        }
        wanted = {move: None if plies is None else plies + 1 for move, plies in after.items()}
        assert {m.move: m.plies for m in known.exact_moves([*after])} == wanted, text


# ---- search --------------------------------------------------------------------------------------


def searched(position: Position, limits: Limits, multipv: int = 1) -> tuple[Result, list[Report]]:
    searcher, reports = Searcher(1), list[Report]()
    searcher.multipv = multipv
    searcher.prepare(position, limits)
    return searcher.run(position, reports.append), reports


def two_khons(moves: int, source: random.Random) -> str:
    """Return a position with two khons that are mate in so many moves, with 22 to count."""
    game = registry().game("makruk")
    while True:
        fields = some_position(game, "SS", source.randrange(2), source).split()
        text = " ".join([*fields[:3], "44", "0", *fields[5:]])
        position = Position(game, text)
        known = position.rules.tablebase_position(position.state)
        assert known is not None
        assert known.is_ready(_LONG, whole=True)
        best = known.exact_moves(position.legal_moves())[0]
        if not known.defends and best.plies == 2 * moves - 1:
            return text


def played_out(text: str, limits: Limits) -> str:
    """Return the result of a game of the engine against itself."""
    position, searcher = Position(registry().game("makruk"), text), Searcher(1)
    while (outcome := position.outcome()) is None:
        searcher.prepare(position, limits)
        position.push(searcher.run(position, lambda report: None).best)
    return f"{outcome.winner} {outcome.reason}"


def test_endings_that_are_won_in_time_are_won(source: random.Random) -> None:
    """The last move of the count mates: it is the king's 22nd, and the 23rd of the khons' side."""
    for moves in (20,) * effort(6, 40) + (22, 23):
        text = two_khons(moves, source)
        assert played_out(text, Limits(nodes=50_000)) == f"{'wb'.index(text.split()[1])} checkmate"


def test_endings_that_are_not_won_in_time_are_held(source: random.Random) -> None:
    for _ in range(effort(4, 40)):
        assert played_out(two_khons(24, source), Limits(nodes=50_000)) == "None counting rule"


def test_the_score_is_the_distance_and_the_line_mates(source: random.Random) -> None:
    position = Position(registry().game("makruk"), two_khons(20, source))
    result, reports = searched(position, Limits(nodes=50_000), multipv=3)
    assert result.score.mate == 20
    assert [report.multipv for report in reports[-3:]] == [1, 2, 3]
    assert len(result.line) == 39
    for move in result.line:
        position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == "checkmate"


def test_a_count_that_makes_it_a_draw_is_zero(source: random.Random) -> None:
    position = Position(registry().game("makruk"), two_khons(24, source))
    result, _ = searched(position, Limits(nodes=50_000))
    assert (result.score.cp, result.score.mate) == (0, None)


def test_a_count_that_has_not_begun_begins_with_the_next_move() -> None:
    """Pieces' honour begins at four: mate in 20 moves comes too late, mate in 16 does not."""
    position = Position(registry().game("makruk"), "8/8/8/K7/4k3/1S6/5S2/8 w - - 0 60")
    assert searched(position, Limits(nodes=1000))[0].score.cp == 0
    position = Position(registry().game("makruk"), "7k/8/5K2/4SS2/8/8/8/8 w - - 0 60")
    assert searched(position, Limits(nodes=1000))[0].score.mate


def test_a_move_that_lets_a_draw_be_claimed_is_no_win() -> None:
    """The best move would be a third occurrence: the second best wins, a move later."""
    position = Position(registry().game("chess"), "8/8/8/8/3k4/8/8/KR6 w - - 0 1")
    best, reply = searched(position, Limits(nodes=1000))[0].line[:2]
    for move in (best, reply, best[2:] + best[:2], reply[2:] + reply[:2]) * 2:
        position.push(move)
    assert searched(position, Limits(nodes=1000))[0].best != best


def test_searchmoves_have_their_own_distances() -> None:
    position = Position(registry().game("chess"), "8/8/8/8/3k4/8/8/K1R5 w - - 0 1")
    best, worse = (
        searched(position, Limits(nodes=1000, search_moves=moves))[0]
        for moves in ((), ("c1c8", "c1b1"))
    )
    assert worse.best in ("c1c8", "c1b1")
    assert best.score.mate
    assert worse.score.mate
    assert worse.score.mate > best.score.mate


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_a_mate_is_found_on_the_clock(protocol: str) -> None:
    """At the latest when the tables are there: a busy machine may need longer than one move."""
    engine = EngineUnderTest(protocol)
    position = "8/2S5/8/8/8/5S2/k7/3K4 w - 44 0 60"
    if protocol == "uci":
        engine.ready("setoption name UCI_Variant value makruk")
        search, end, mate = (f"position fen {position}", "go movetime 100"), "bestmove", "mate 20"
    else:
        engine.send("xboard", "protover 2", "new", "variant makruk", "post", "st 0.1")
        search, end, mate = ("force", f"setboard {position}", "go"), "move", "100020"
    for _ in range(100):
        engine.send(*search)
        engine.wait(end)
        if any(mate in line for line in engine.log):
            break
    assert engine.quit() == ""
    assert any(mate in line for line in engine.log), engine.log
