"""Alice Chess: two boards, against a generator that plays both by python-chess."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.kernel.abi import HEADER
from tests.support.effort import effort

#: Board A and board B; rights to castle are those of A.
_Boards = tuple[chess.Board, chess.Board]


_EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1"
#: Board A of another start, where all may castle at once.
_BARE = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def _start(board: str = chess.STARTING_FEN) -> _Boards:
    return chess.Board(board), chess.Board(_EMPTY)


def _is_safe(boards: _Boards, side: chess.Color) -> bool:
    kings = [(board, square) for board in boards for square in board.pieces(chess.KING, side)]
    return not any(board.is_attacked_by(not side, square) for board, square in kings)


def _name(square: chess.Square, number: int) -> str:
    return f"{chr(97 + chess.square_file(square) + 8 * number)}{chess.square_rank(square) + 1}"


def _moves(boards: _Boards) -> dict[str, _Boards]:
    """Return the boards after each legal move, by the move's text."""
    found = {}
    for number, board in enumerate(boards):
        for move in board.pseudo_legal_moves:
            after = boards[0].copy(stack=False), boards[1].copy(stack=False)
            own, other = after[number], after[1 - number]
            side, is_king = board.turn, board.piece_type_at(move.from_square) == chess.KING
            ends = [move.to_square]
            if board.is_castling(move):
                rook = (move.from_square + move.to_square) // 2
                way = range(
                    min(move.from_square, move.to_square), max(ends[0], move.from_square) + 1
                )
                if any(board.is_attacked_by(not side, square) for square in way):
                    continue
                ends.append(rook)
            if any(other.piece_at(square) for square in ends):
                continue
            own.push(move)
            if is_king and not _is_safe((own, own), side):
                continue
            for square in ends:
                other.set_piece_at(square, own.remove_piece_at(square))
            for one in after:
                one.turn, one.ep_square = not side, None
            own.castling_rights &= after[0].castling_rights if number == 0 else 0
            if _is_safe(after, side):
                text = _name(move.from_square, number) + _name(move.to_square, number)
                found[text + (chess.piece_symbol(move.promotion) if move.promotion else "")] = after
    return found


def _perft(boards: _Boards, depth: int) -> int:
    moves = _moves(boards).values()
    return len(moves) if depth == 1 else sum(_perft(after, depth - 1) for after in moves)


def test_perft_is_that_of_another_generator() -> None:
    position = Position(registry().game("alice"))
    kernels, first = position.rules.kernels, int(HEADER.of(position.state)["moves"])
    for depth in (1, 2, 3):
        expected = _perft(_start(), depth)
        assert kernels.perft(position.state.address, depth, 1, first) == expected


def test_random_games_have_the_moves_of_another_generator(source: random.Random) -> None:
    game = registry().game("alice")
    castled = 0
    for number in range(effort(12, 100)):
        first = _BARE if number % 3 == 0 else chess.STARTING_FEN
        rows, *rest = first.split()
        text = " ".join(
            ["/".join("16" if row == "8" else f"{row}8" for row in rows.split("/")), *rest]
        )
        position, boards = Position(game, text), _start(first)
        for _ in range(120):
            ours, theirs = position.legal_moves(), _moves(boards)
            assert sorted(ours) == sorted(theirs), position.text()
            outcome = position.outcome()
            if outcome is not None or not ours:
                if not ours:
                    mated = not _is_safe(boards, boards[0].turn)
                    assert outcome is not None
                    assert (outcome.reason == "checkmate") == mated
                break
            castling = [move for move in ours if move in ("e1g1", "e1c1", "e8g8", "e8c8")]
            move = source.choice(castling or ours)
            castled += bool(castling)
            position.push(move)
            boards = theirs[move]
    assert castled


def test_a_piece_that_has_moved_is_on_the_other_board() -> None:
    position = Position(registry().game("alice"))
    position.push("e2e4")
    assert position.text().split()[0] == "rnbqkbnr8/pppppppp8/16/16/12P3/16/PPPP1PPP8/RNBQKBNR8"
    position.push("e7e5")
    # the pawn on m4 sees that on m5 of its own board, and the queen leaves board A for it
    assert "m4m5" not in position.legal_moves()
    assert "d1h5" in position.legal_moves()


def test_a_king_is_safe_on_its_way_and_after_it() -> None:
    game = registry().game("alice")
    # on board A the rook attacks e2, on board B the knight l2
    for text, move, legal in [
        ("4k11/r15/16/16/16/16/16/4K11 w - - 0 1", "e1e2", True),
        ("4k11/16/16/16/16/16/r15/4K11 w - - 0 1", "e1e2", False),
        ("4k11/16/16/16/16/8r7/16/4K11 w - - 0 1", "e1e2", True),
        ("4k11/16/16/16/16/16/8r7/4K11 w - - 0 1", "e1e2", False),
        # a check is met from the other board only
        ("4k11/16/16/16/4r11/16/3Q12/4K11 w - - 0 1", "d2e3", False),
        ("4k11/16/16/16/4r11/16/11Q4/4K11 w - - 0 1", "l2m3", True),
    ]:
        position = Position(game, text)
        assert (move in position.legal_moves()) == legal, text
        assert (move in game.reference(text).legal_moves()) == legal, text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("files = 12", "needs files = 16"),
        ('en_passant_region = "*1"', "needs en_passant_region"),
        ("piece_drops = true", "not together with piece_drops"),
    ],
)
def test_what_two_boards_do_not_go_with(tmp_path: Path, line: str, reason: str) -> None:
    key = line.partition(" ")[0]
    lines = {
        "files": "files = 16", "alice_boards": "alice_boards = true",
        "en_passant_region": 'en_passant_region = "-"', "ranks": "ranks = 1",
        "pieces": 'pieces = { K = "K" }',
    }  # fmt: skip
    lines[key] = line
    files = 12 if key == "files" else 16
    lines["start"] = f'start = "K{files - 2}k w - - 0 1"'
    path = tmp_path / "two.toml"
    path.write_text("[two]\n" + "\n".join(lines.values()) + "\n")
    with pytest.raises(UserError, match=reason):
        read_definitions(str(path))
