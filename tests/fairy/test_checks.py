"""Checks in positions made for them: by every kind of piece, from every square where it can."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import chess.variant
import pyffish
import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import COMPELLED, IN_CHECK
from ryugi_engine.records.san import to_san
from tests.fairy.test_rules import GAMES, OWN
from tests.support.effort import effort
from tests.support.helpers import rounds
from variants.chess.definition.definition import Definition, Square
from variants.chess.notation.text import PositionData, format_text
from variants.chess.reference.board import Board, owner
from variants.chess.reference.position import Reference
from variants.chess.reference.results import Judge


def definition_of(game: Game) -> Definition:
    reference = game.reference(game.start)
    assert isinstance(reference, Reference)
    return reference.game


def king_of(game: Definition) -> str:
    """Return the letter of the royal or pseudo-royal king, "" if a game has none."""
    pseudo = game.rules.extinction_pseudo_royal and "K" in game.rules.extinction_piece_types[0]
    return game.royal or "K" * pseudo


WITH_KING = [game for game in GAMES if king_of(definition_of(game))]
CASTLING = [
    game for game in WITH_KING
    if definition_of(game).ways and not definition_of(game).rules.must_capture
]  # fmt: skip


def of(side: int, sign: str) -> str:
    return sign.upper() if side == 0 else sign.lower()


def with_other_king(game: Definition, data: PositionData) -> PositionData:
    """Return a position with the other side's king where it attacks nothing and is not attacked."""
    side = data.side
    other = of(1 - side, king_of(game))
    own = [at for at in data.board if owner(data.board[at]) == side]
    for at in sorted(game.on_board(), key=lambda at: -abs(at[1] - own[0][1])):
        area = game.rules.mobility_region.get(king_of(game))
        if at in data.board or (area is not None and at not in area[1 - side]):
            continue
        position = Board(game, replace(data, board={**data.board, at: other}))
        if not position.attacked(at, side):
            if not any(position.attacked(square, 1 - side) for square in own):
                return position.data
    raise AssertionError("no square for the other king")


def between(a: Square, b: Square) -> Iterator[Square]:
    """Yield the squares that a move from a square to another may cross."""
    for file in range(min(a[0], b[0]), max(a[0], b[0]) + 1):
        for rank in range(min(a[1], b[1]), max(a[1], b[1]) + 1):
            if (file, rank) not in (a, b):
                yield file, rank


def checks(game: Definition, data: PositionData, king: Square) -> Iterator[PositionData]:
    """Yield positions in which one more piece of the other side attacks a square.

    A piece that may need another one for its attack gets it on every square between.
    """
    side = data.side
    for kind in game.kinds():
        sign = of(1 - side, kind.sign)
        if kind.moves_as == king_of(game) or kind.sign.endswith("~"):
            continue
        hops = any(m.hop or m.jump or m.legs for m in game.pieces[kind.moves_as].moves)
        area = game.rules.mobility_region.get(kind.moves_as)
        for at in game.on_board():
            if at in data.board or (area is not None and at not in area[1 - side]):
                continue
            board = {**data.board, at: sign}
            hurdles = [to for to in between(at, king) if to not in board and game.pawn and hops]
            for more in ({}, *({to: of(side, game.pawn)} for to in hurdles)):
                checked = replace(data, board={**board, **more})
                if Board(game, checked).attacked(king, 1 - side):
                    yield checked


@pytest.mark.parametrize("game", CASTLING, ids=lambda game: game.name)
def test_no_king_castles_out_of_check(game: Game) -> None:
    """Whatever gives it, from wherever it can."""
    definition = definition_of(game)
    start = Reference.parse(definition, game.start).data
    for way in definition.ways:
        side = int(way.right.islower())
        king = start.board.get(way.king_from, of(side, king_of(definition)))
        if king.upper() != king_of(definition):
            continue  # as a Spartan captain, which would stand there
        partner = start.board.get(way.rook_from, of(side, "R"))
        left = definition.turn_moves()[side] if definition.has_long_turns() else 0
        data = replace(
            start, board={way.king_from: king, way.rook_from: partner}, hands={}, side=side,
            moves_left=left, castling=way.right, en_passant=frozenset(),
        )  # fmt: skip
        data = with_other_king(definition, data)
        castling = square_name(way.king_from) + square_name(way.king_to)
        assert castling in Position(game, format_text(definition, data)).legal_moves()
        for checked in checks(definition, data, way.king_from):
            if not Board(definition, checked).in_check(1 - side):
                text = format_text(definition, checked)
                assert castling not in Position(game, text).legal_moves(), text


def _scattered(game: Definition, source: random.Random) -> PositionData | None:
    """Return a position with White's king and one more piece of each kind; None if it is over."""
    start = Reference.parse(game, game.start).data
    letters = [king_of(game), *(p for p in game.pieces if p != king_of(game))]
    board: dict[Square, str] = {}
    for letter in letters:
        area = game.rules.mobility_region.get(letter)
        free = [at for at in game.on_board() if area is None or at in area[0]]
        at = source.choice(free)
        if letter == king_of(game) or source.random() < 0.7:
            board.setdefault(at, letter)
    left = game.turn_moves()[0] if game.has_long_turns() else 0
    data = replace(
        start, board=board, hands={}, side=0, moves_left=left, castling="", gates=frozenset(),
        en_passant=frozenset(),
    )  # fmt: skip
    try:
        data = with_other_king(game, data)
    except AssertionError:
        return None
    return None if Judge(Board(game, data)).ended() is not None else data


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_KING, ids=lambda game: game.name)
def test_answers_to_checks_are_those_of_others(game: Game, source: random.Random) -> None:
    """A check by each kind of piece: moves, results and the move rule by the reference rules.

    Moves by pyffish, too.
    """
    definition = definition_of(game)
    for _ in range(effort(1, 10)):
        data = _scattered(definition, source)
        if data is None:
            continue
        king = next(at for at, sign in data.board.items() if sign == king_of(definition))
        found = list(checks(definition, data, king))
        for checked in source.sample(found, min(6, len(found))):
            waiting = Board(definition, replace(checked, side=1))
            if waiting.in_check(1) or Judge(waiting).in_check():
                continue  # a royal piece of the side that waits can be taken
            checked.clock = 2 * definition.rules.n_move_rule * source.randrange(2)
            text = format_text(definition, checked)
            position, reference = Position(game, text), Reference.parse(definition, text)
            moves = sorted(position.legal_moves())
            assert moves == sorted(reference.legal_moves()), text
            if game.name not in OWN:
                assert moves == sorted(pyffish.legal_moves(game.name, text, [])), text
            assert position.in_check() == Judge(reference).in_check(), text
            outcome, result = position.outcome(), reference.result()
            assert (outcome and (outcome.result, outcome.reason)) == result, text


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("kingofthehill", "6Rk/8/8/8/8/8/8/K7 b - - 100 80", "50-move rule"),
        ("chess", "6Rk/8/8/8/8/8/8/K7 b - - 150 80", "75-move rule"),
        ("kingofthehill", "6Rk/7p/5N2/8/8/8/8/K7 b - - 100 80", "checkmate"),
        ("chess", "6Rk/7p/5N2/8/8/8/8/K7 b - - 150 80", "checkmate"),
        ("atomic", "BQ6/Rk6/8/8/8/8/8/4K3 b - - 100 80", "checkmate"),
        ("atomic", "BQ6/Rk6/8/8/8/8/8/4K3 b - - 0 1", "checkmate"),
        ("atomic", "r6k/8/8/8/8/8/8/K7 w - - 100 80", "50-move rule"),
        ("coregal", "6Rk/8/8/8/8/8/8/K7 b - - 100 80", "50-move rule"),
        ("3check", "6Rk/8/8/8/8/8/8/K7 b - - 3+3 100 80", "50-move rule"),
    ],
)
def test_mate_comes_before_the_move_rule_and_nothing_else(
    name: str, text: str, reason: str
) -> None:
    """Whatever royal piece is mated; a side in check that has a move is drawn."""
    position = Position(registry().game(name), text)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == reason
    assert position.in_check()
    if reason != "checkmate" and name in pyffish.variants() and name != "chess":
        assert pyffish.is_optional_game_end(name, text, []) == (True, 0)


def test_sans_of_atomic_chess_are_those_of_python_chess(source: random.Random) -> None:
    """Checks and mates of kings that are taken: signs that pyffish does not write."""
    seen: Counter[str] = Counter()
    for _ in rounds(effort(6, 60), seen, checks=5):
        position, board = Position(registry().game("atomic")), chess.variant.AtomicBoard()
        for _ in range(60):
            codes = position.legal_codes()
            if not codes or position.outcome() is not None:
                break
            sans = {position.move_text(code): to_san(position, code) for code in codes}
            signed = []
            for move, san in sans.items():
                theirs = board.san(chess.Move.from_uci(move))
                board.push_uci(move)
                over = board.is_variant_end()  # they write # for that, too
                board.pop()
                assert over or san == theirs, (board.fen(), move)
                signed += [move] if san[-1] in "+#" else []
            seen["checks"] += len(signed)
            move = source.choice(signed if signed and source.random() < 0.5 else sorted(sans))
            position.push(position.parse_move(move))
            board.push_uci(move)


@pytest.mark.parametrize("name", ["antichess", "codrus", "giveaway"])
def test_a_capture_that_is_a_duty_is_an_answer_to_a_threat(
    name: str, source: random.Random
) -> None:
    """The search does not prune such positions, and tells them from those in check."""
    game = registry().game(name)
    duties = 0
    for _ in range(20):
        position = Position(game, game.start)
        for _ in range(40):
            moves = position.legal_moves()
            if not moves or position.outcome() is not None:
                break
            board = position.text().split()[0]
            men = sum(letter.isalpha() for letter in board)
            captures = 0
            for move in moves:
                position.push(move)
                left = sum(letter.isalpha() for letter in position.text().split()[0])
                captures += left < men
                position.pop()
            check = int(position.header["check"])
            if position.text().split()[3] == "-":
                expected = COMPELLED if captures > 0 else 0
                assert check == (IN_CHECK if position.in_check() else expected), position.text()
            duties += check == COMPELLED
            position.push(source.choice(moves))
    assert duties > 20
