"""Castling of the general and the fast family: its texts, and rights in position texts."""

from __future__ import annotations

import random
import re

import pyffish
import pytest

from ryugi_engine.conformance.random_games import RandomGames
from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import catalogue, registry
from ryugi_engine.records.san import engine_move, to_san
from tests.support.effort import effort
from tests.support.helpers import walked
from variants import chess as chess_games

#: Games in which rights to castle, or gates, stand in position texts.
CASTLING = [name for name in catalogue() if registry().game(name).start.split()[2] != "-"]
#: King, castling and its text, by what else the king can do: (betza, way, text).
WAYS = [
    ("K", "e1 f1 h1 e1", "e1h1"),
    ("K", "e1 f1 h1 g1", "e1h1"),
    ("K", "e1 g1 h1 f1", "e1g1"),
    ("KD", "e1 g1 h1 f1", "e1h1"),
    ("KAD", "e1 g1 h1 f1", "e1h1"),
    ("KH", "e1 g1 h1 f1", "e1g1"),
    ("KR3", "e1 g1 h1 f1", "e1h1"),
    ("KcR3", "e1 g1 h1 f1", "e1g1"),
    ("KmafK", "e1 g1 h1 f1", "e1h1"),
    ("F", "e1 f1 h1 e1", "e1f1"),
]
FAST = ("K", "KD", "KAD", "KH", "F")


def _game(king: str, way: str, *more: str) -> Game:
    lines = ["[own]", 'start = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kk - 0 1"', *more]
    lines += [f'pieces = {{ K = "{king}", R = "R", N = "N" }}', 'promotion = "RN"']
    lines += ["files = 8", "ranks = 8", "[own.castling]", f'K = ["{way}"]']
    return chess_games.define(read_text("\n".join(lines), "own.toml")[0])


@pytest.mark.parametrize("family", ["general", "fast"])
@pytest.mark.parametrize(("king", "way", "text"), WAYS)
def test_castling_is_no_step(
    king: str, way: str, text: str, family: str, source: random.Random
) -> None:
    """Written as a step of the king it would be that step; so it is the king taking its rook."""
    game = _game(king, way, *(["stalemate_value = 'loss'"] if family == "general" else []))
    if (game.package == "variants.chess.general") != (family == "general"):
        assert king not in FAST
        return
    position = Position(game)
    moves = position.legal_moves()
    assert text in moves
    assert len(set(moves)) == len(moves)
    castling = position.parse_move("O-O")
    assert position.move_text(castling) == text
    assert position.parse_move(text) == castling
    assert position.parse_move(engine_move(position, "O-O")) == castling
    for code in position.legal_codes():
        assert position.parse_move(engine_move(position, to_san(position, code))) == code
    reference = game.reference(position.text())
    assert sorted(reference.legal_moves()) == sorted(moves)
    position.push(castling)
    squares = way.split()
    board = position.rules.board(position.state)
    files = "abcdefgh"
    assert board[files.index(squares[1][0]), 0] == "K"
    assert board[files.index(squares[3][0]), 0] == "R"
    assert reference.legal_moves()[text].text() == position.text()
    walk = RandomGames(game, source, Tracer(), pytest.fail)
    walk.play(game.start, 40)


@pytest.mark.parametrize(
    ("king", "to"), [("K", "f"), ("K", "g"), ("KD", "g"), ("KH", "g"), ("FD", "f"), ("WA", "g")]
)
def test_castling_is_written_as_fairy_stockfish_does(king: str, to: str) -> None:
    name = f"castlingtext{king.lower()}{to}"
    text = f"[{name}:chess]\nking = k:{king}\ncastlingKingsideFile = {to}\nstalemateValue = loss\n"
    text += "startFen = r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\n"
    pyffish.load_variant_config(text)
    position = Position(_of_ini(text))
    theirs = pyffish.legal_moves(name, pyffish.start_fen(name), [])
    assert sorted(position.legal_moves()) == sorted(theirs)


def _of_ini(text: str) -> Game:
    from variants.chess.formats.ini_reading import read_sections, reader_of

    sections, faults, _ = read_sections(text, "own.ini", chess_games._catalogue().get)
    assert not faults
    return chess_games.define(reader_of(next(iter(sections.values()))))


@pytest.mark.parametrize(
    ("parent", "more"),
    [
        ("duck", ""),
        ("seirawan", "startFen = r3k2r/8/8/8/8/8/8/R3K2R[HEhe] w KQkqAHah - 0 1\n"),
        (
            "crazyhouse",
            "castlingDroppedPiece = true\nstartFen = 4k3/8/8/8/8/8/8/4K2R[R] w KQkq - 0 1\n",
        ),
        ("chess", "pass = true\n"),
    ],
)
def test_castling_beside_walls_gates_drops_and_passes(parent: str, more: str) -> None:
    name = f"castlingtext{parent}"
    text = f"[{name}:{parent}]\ncastlingKingsideFile = f\n"
    text += more if "startFen" in more else f"{more}startFen = 4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\n"
    pyffish.load_variant_config(text)
    game = _of_ini(text)
    theirs = pyffish.legal_moves(name, pyffish.start_fen(name), [])
    assert sorted(Position(game).legal_moves()) == sorted(theirs)
    assert sorted(game.reference(game.start).legal_moves()) == sorted(theirs)


def test_a_step_that_is_not_there_is_castling() -> None:
    """A king that hops to the square beyond: without its hurdle only castling goes there."""
    game = _game("KmpR", "e1 g1 h1 f1")
    position = Position(game)
    assert "e1h1" in position.legal_moves()
    assert position.move_text(position.parse_move("e1g1")) == "e1h1"


@pytest.mark.parametrize("rule", ["", "stalemate_value = 'loss'\n"])
@pytest.mark.parametrize(
    ("castling", "reason"),
    [
        ('K = ["e1 f1 h1 e1", "e1 h1 h1 g1"]', "two ways to castle are e1h1"),
        ('K = ["e1 d1 h1 e1"]\nQ = ["e1 d1 a1 e1"]', "two ways to castle are e1"),
    ],
)
def test_castlings_that_no_text_tells_apart_are_refused(
    castling: str, reason: str, rule: str
) -> None:
    text = '[own]\nstart = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kk - 0 1"\nfiles = 8\n'
    text += f'ranks = 8\n{rule}pieces = {{ K = "K", R = "R" }}\npromotion = "R"\n[own.castling]\n'
    with pytest.raises(DefinitionError, match=reason):
        chess_games.define(read_text(text + castling, "own.toml")[0])


def test_other_moves_with_one_text() -> None:
    """A piece that can go to a square quietly does not take en passant there (as pyffish)."""
    start = "4k3/3p4/8/4A3/8/8/8/4K3 b - - 0 1"
    text = '[own]\npieces = { K = "K", A = "mfFcefF", P = "fmWfceF" }\nen_passant_types = "PA"\n'
    text += f'double_step_region = ["*2", "*7"]\nstart = "{start}"\n'
    position = Position(chess_games.define(read_text(text, "own.toml")[0]))
    position.push(position.parse_move("d7d5"))
    assert sorted(m for m in position.legal_moves() if m[:2] == "e5") == ["e5d6", "e5f6"]
    pyffish.load_variant_config(
        f"[textsame:chess]\ncustomPiece1 = a:mfFcefF\nenPassantTypes = pa\nstartFen = {start}\n"
    )
    position.push(position.parse_move("e5d6"))
    fen = pyffish.get_fen("textsame", start, ["d7d5", "e5d6"])
    assert position.text().split()[0] == fen.split()[0]
    lion = text.replace('K = "K"', 'K = "KmabK"').replace("start =", "passing = true\nstart =")
    with pytest.raises(UserError, match="moves that come back do not go with passing"):
        chess_games.define(read_text(lion, "own.toml")[0])


_CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R[] w {} - 0 1"


@pytest.mark.parametrize(
    ("name", "text", "rights"),
    [
        ("crazyhouse", _CORNERS.format("HAha"), "KQkq"),
        ("crazyhouse", _CORNERS.format("AHah"), "KQkq"),
        ("crazyhouse", _CORNERS.format("qkQK"), "KQkq"),
        ("crazyhouse", _CORNERS.format("Hk"), "Kk"),
        ("crazyhouse", _CORNERS.format("-"), "-"),
        ("seirawan", "rnbqkbnr/8/8/8/8/8/8/RNBQK2R[HEhe] w EAHeah - 0 1", "KQkq"),
        ("seirawan", "rnbqkbnr/8/8/8/8/8/8/RNBQK2R[HEhe] w KQBeb - 0 1", "KQBbe"),
        ("atomic", "r3k2r/8/8/8/8/8/8/R3K2R w AHha - 0 1", "KQkq"),
    ],
)
def test_rights_are_read(name: str, text: str, rights: str) -> None:
    game = registry().game(name)
    assert Position(game, text).text().split()[2] == rights
    assert game.reference(text).text() == Position(game, text).text()
    theirs = pyffish.get_fen(name, text, []).split()[2]
    assert set(theirs) == set(rights) or theirs == text.split()[2]


@pytest.mark.parametrize("name", ["crazyhouse", "atomic", "3check", "coregal", "seirawan"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_CORNERS.format("KK"), "a letter stands twice in 'KK'"),
        (_CORNERS.format("KQkqH"), ""),  # the rook of K
        (_CORNERS.format("KXq"), "'X' is not a castling right"),
        (_CORNERS.format("K-"), "'-' is not a castling right"),
        (_CORNERS.format("Kk*"), "'[*]' is not a castling right"),
        (_CORNERS.format("B"), "'B' (is not a castling right|needs a piece on b1)"),
        (_CORNERS.format("KQ").replace("2R[", "2N["), "'K' needs R on h1"),
        (_CORNERS.format("KQ").replace("2R[", "3["), "'K' needs R on h1"),
        (_CORNERS.format("kq").replace("3k2r/", "4k1r/"), "'k' needs k on e8"),
        (_CORNERS.format("q").replace("r3", "R3"), "'q' needs r on a8"),
    ],
)
def test_rights_are_refused_not_dropped(name: str, text: str, reason: str) -> None:
    """As in chess: one line that names the letter."""
    game = registry().game(name)
    text = text if name in ("crazyhouse", "seirawan") else text.replace("[]", "")
    for read in (lambda: Position(game, text).text(), lambda: game.reference(text).text()):
        if not reason:
            assert read().split()[2] == "KQkq"
            continue
        with pytest.raises(PositionError, match=f"castling: {reason}"):
            read()


def test_what_a_game_s_own_start_says_is_read() -> None:
    """GUIs send the text of the definition, with rights that the game never has."""
    start = "rbnk1r/pppppp/6/6/PPPPPP/RBNK1R w KQkq - 0 1"
    text = f'[own]\nfiles = 6\nranks = 6\nstart = "{start}"\npromotion = "RBN"\n'
    text += 'pieces = { K = "K", R = "R", B = "B", N = "N" }\ncastling = { K = ["d1 e1 f1 d1"] }\n'
    game = chess_games.define(read_text(text, "own.toml")[0])
    assert game.start.split()[2] == "Kk"
    assert Position(game, start).text() == game.start
    with pytest.raises(PositionError, match="'F'|'B' is not a castling right of own"):
        Position(game, start.replace("KQkq", "B"))


def _home_rank(source: random.Random) -> str:
    """A first rank with its king in its place, rooks in corners, any pieces on other files."""
    corners = [source.choice("RRNBQ1") for _ in range(2)]
    middle = ["K" if file == 4 else source.choice("NBQ1111") for file in range(1, 7)]
    return "".join([corners[0], *middle, corners[1]])


def _packed(rank: str) -> str:
    return re.sub("1+", lambda empty: str(len(empty[0])), rank)


@pytest.mark.parametrize("name", ["seirawan", "shouse"])
def test_letters_of_files_are_gates_unless_king_and_rook_stand_there(
    name: str, source: random.Random
) -> None:
    """As pyffish reads them; and the text that is written is read as the same position."""
    game = registry().game(name)
    for _ in range(effort(150, 2000)):
        white, black = _home_rank(source), _home_rank(source).lower()
        rights = ""
        for rank, letters, castlings in ((white, "ABCDEFGH", "QK"), (black, "abcdefgh", "qk")):
            names = {letter for letter, sign in zip(letters, rank, strict=True) if sign != "1"}
            names |= {way for way, at in zip(castlings, (0, 7), strict=True) if rank[at] in "Rr"}
            rights += "".join(source.sample(sorted(names), source.randint(0, len(names))))
        rows = f"{_packed(black)}/pppppppp/8/8/8/8/PPPPPPPP/{_packed(white)}"
        text = f"{rows}[HEhe] {source.choice('wb')} {rights or '-'} - 0 1"
        position = Position(game, text)
        moves = sorted(position.legal_moves())
        assert moves == sorted(pyffish.legal_moves(name, text, [])), text
        written = position.text()
        assert moves == sorted(pyffish.legal_moves(name, written, [])), text
        again = Position(game, written)
        assert (sorted(again.legal_moves()), again.text()) == (moves, written), text


@pytest.mark.parametrize("name", CASTLING)
def test_a_text_that_is_written_is_read_as_the_same_position(
    name: str, source: random.Random
) -> None:
    game = registry().game(name)
    for _ in range(3):
        position = walked(game, source, 40)
        again = Position(game, position.text())
        assert again.text() == position.text()
        assert sorted(again.legal_moves()) == sorted(position.legal_moves()), position.text()
