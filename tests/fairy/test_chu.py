"""Chu Shogi: Lishogi's rules, against published counts and a second generator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import HEADER
from tests.support import chu_generator
from tests.support.effort import effort

#: Positions with their moves as shogiops counts them, Lishogi's library.
COUNTS = [
    (" ".join(words[:-1]), int(words[-1]))
    for line in (Path(__file__).parent / "chu.txt").read_text().splitlines()
    if not line.startswith("#")
    for words in [line.split()]
]
#: Sequences of 1 to 3 moves that differ on the board.
START_COUNTS = (36, 1296, 48315)


@pytest.fixture
def game() -> Game:
    return registry().game("chu")


def _squares(usi: str) -> str:
    """Return a move of shogi's coordinates (``4h4g``, ``7g6f5e``) in the engine's."""
    found, at = [], 0
    usi = usi.rstrip("+")
    while at < len(usi):
        digits = 2 if usi[at + 1].isdigit() else 1
        file, rank = int(usi[at : at + digits]), usi[at + digits]
        found.append(square_name((12 - file, 11 - (ord(rank) - ord("a")))))
        at += digits + 1
    if len(found) == 2:
        return "".join(found)
    return f"{found[0]}{found[1]},{found[1]}{found[2]}"


def _perft(position: Position, depth: int) -> int:
    first = int(HEADER.of(position.state)["moves"])
    return position.kernels.perft(position.state.address, depth, 1, first)


def _compare(position: Position) -> chu_generator.Position:
    """Compare the moves of a position, and what they lead to, with those of the generator."""
    other = chu_generator.parse(position.text())
    effects = chu_generator.effects(other)
    codes = dict(zip(position.legal_moves(), position.legal_codes(), strict=True))
    assert sorted(codes) == sorted(effects), position.text()
    for text, code in codes.items():
        position.push(code)
        assert chu_generator.parse(position.text()) == effects[text], text
        position.pop()
    return other


@pytest.mark.parametrize("number", range(len(COUNTS)))
def test_moves_are_as_many_as_published(game: Game, number: int) -> None:
    text, count = COUNTS[number]
    other = _compare(Position(game, text))
    assert len(list(chu_generator.moves(other))) == count


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_perft(game: Game, depth: int, source) -> None:  # type: ignore[no-untyped-def]
    """Of the start and of 20 positions; of 3 plies, half a minute each, some of them."""
    position = Position(game)
    assert _perft(position, depth) == START_COUNTS[depth - 1]
    number = {1: 20, 2: effort(6, 20), 3: effort(1, 20)}[depth]
    texts = [position.text(), *(text for text, _count in source.sample(COUNTS[:20], number))]
    for text in texts:
        position = Position(game, text)
        other = chu_generator.parse(position.text())
        assert _perft(position, depth) == chu_generator.perft(other, depth), text


def test_games_of_random_moves(game: Game, source) -> None:  # type: ignore[no-untyped-def]
    """Moves, results and the square of a captured lion, up to the end of the game."""
    position = Position(game)
    for _ in range(effort(150, 2000)):
        other = chu_generator.parse(position.text())
        assert sorted(position.legal_moves()) == sorted(chu_generator.effects(other))
        outcome = position.outcome()
        if outcome is not None and "repetition" not in outcome.reason:
            result = chu_generator.result(other)
            side = {"loss": ("0-1", "1-0"), "win": ("1-0", "0-1")}.get(
                result or "", ("1/2-1/2",) * 2
            )
            assert result is None or outcome.result == side[position.side]
        if outcome is not None:
            position = Position(game)
            continue
        captures = [code for code in position.legal_codes() if "," in position.move_text(code)]
        position.push(source.choice(captures or position.legal_codes()))


#: Positions of Lishogi's tests, moves played there, then moves that are legal and that are not.
LIONS = [
    # a protected lion two squares away, one that is not; next to it; after a pawn; after more
    ("12/12/12/12/4B2l4/4S7/5N6/7n4/12/12/12/12 b", "", "7g5e 8e5h", "7g5h"),
    ("12/12/12/12/4B2l4/4S7/5N6/7n4/12/12/12/12 w", "", "5h5j", "5h7g"),
    ("12/12/12/12/7g4/6n5/5N6/12/12/12/12/12 b", "", "7g6f 7g6f5e 7g6f6e", ""),
    ("12/12/12/12/3n1H6/3sp7/5N6/5P6/1k5b4/12/12/12 b", "", "7g9e", "7g8f9e"),
    ("12/12/12/12/12/4N7/4p7/4n7/12/12/12/12 b", "", "8f8g", "8f8h 8f8g8h"),
    ("12/12/12/12/6+o1r3/4gi6/6N5/7s4/8n3/12/12/12 b", "", "6g5h4i 6g7f", "6g4i 6g6e 6g7f6e"),
    ("11l/6l5/5Nn5/11n/9N2/12/1N10/9n2/1n7N2/4r7/4nN6/4r7 b", "", "7c6c 3i3h 7k8k", "3e1d"),
    # another piece has captured a lion: elsewhere only lions capture lions
    ("12/12/12/12/12/4r7/12/12/5o3n1n/4N6P/12/6B5 w", "8f8j", "6l8j", "6l3i"),
    ("12/12/12/12/12/4r7/12/12/5o3n1n/4N6P/12/6B5 w", "7i8j+", "6l8j", "6l3i"),
    ("12/12/12/12/12/4r7/12/12/5o3n1n/4N6P/12/6B5 w", "3i3i", "6l3i 1j1i", ""),
    ("12/12/12/10bm/9N2/12/5n6/6N5/5r6/12/9K2/12 b", "6h7g", "2d3e", ""),
    ("12/12/12/12/12/12/12/12/4+ho3n2/4N7/12/6B5 w", "8i8j8i", "", "6l3i"),
    ("k11/12/12/12/6n5/6P5/12/5+h6/12/5N6/12/11K b", "6f6e", "7h7i", "7h7j"),
    ("k11/12/12/12/6n5/12/6P5/7+d4/12/5N6/12/11K b", "", "6g6f", ""),
]  # fmt: skip
BARE = [
    # before the capture that leaves a king alone, and the results after moves
    ("12/12/12/12/6k5/4g7/4G7/6K5/12/12/12/12 b - 1", "8g8f", ("1-0", "bare king")),
    ("12/12/12/12/3I2k5/12/12/5+pK5/12/12/12/12 b - 1", "6h7h 6e7d", None),
    ("12/12/12/12/3I2k5/12/12/5+pK5/12/12/12/12 b - 1", "6h7h 6e7d 9e9d+", ("1-0", "bare king")),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f", None),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f 6e7f", ("1/2-1/2", "bare king")),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f 6e6d", ("1-0", "bare king")),
    ("1P3PP3P1/12/12/12/6k5/12/12/6K5/12/12/12/l10l b - 1", "", ("1/2-1/2", "bare king")),
    ("12/12/12/12/6k5/5K6/12/4G7/12/12/12/12 w - 1", "", None),
    ("k11/12/12/12/6G5/12/12/12/12/12/12/K10+e b - 1", "", None),
]  # fmt: skip


def _at(game: Game, text: str, moves: str) -> Position:
    """Return a position of Lishogi after moves; kings that it lacks are added in corners."""
    rows, *rest = text.split()
    found = rows.split("/")
    for number, king in ((0, "k"), (11, "K")):
        if king not in rows and found[number] == "12":
            found[number] = f"11{king}"
        elif king not in rows:
            count = re.match(r"\d+", found[number])
            assert count is not None
            found[number] = f"{king}{int(count[0]) - 1 or ''}{found[number][count.end() :]}"
    position = Position(game, " ".join(["/".join(found), *rest, *["-", "1"][len(rest) - 1 :]]))
    for move in moves.split():
        position.push(_squares(move) + "+" * move.endswith("+"))
    return position


@pytest.mark.parametrize(("text", "moves", "legal", "illegal"), LIONS)
def test_lions_are_not_traded(game: Game, text: str, moves: str, legal: str, illegal: str) -> None:
    found = set(_at(game, text, moves).legal_moves())
    assert {_squares(move) for move in legal.split()} <= found
    assert not {_squares(move) for move in illegal.split()} & found


@pytest.mark.parametrize(("text", "moves", "result"), BARE)
def test_bare_kings(game: Game, text: str, moves: str, result: tuple[str, str] | None) -> None:
    position = Position(game, text)
    for move in moves.split():
        assert position.outcome() is None
        position.push(_squares(move) + "+" * move.endswith("+"))
    outcome = position.outcome()
    assert (outcome and (outcome.result, outcome.reason)) == result
    assert game.reference(position.text()).result() == result


def test_promotions(game: Game) -> None:
    """On entering, by captures there and out of there, and where a pawn could not go on."""
    text = "10p1/2I1pP2p1LL/1Rp1PB2LL2/12/7L4/1p10/12/12/11k/12/11K/12 b - 1"
    moves = Position(game, text).legal_moves()
    for move, may in {
        "7c8b": True, "7c6b": False, "7b7a": True, "5e5c": True, "11c11f": True, "11c11d": False,
    }.items():  # fmt: skip
        assert _squares(move) in moves
        assert (_squares(move) + "+" in moves) == may, move


@pytest.mark.parametrize(
    ("text", "first", "cycle", "result"),
    [
        # nobody attacks; the piece that moves attacks each time
        ("startpos", "", "4h4g 9e9f 4g4h 9f9e", ("1/2-1/2", "fourfold repetition")),
        (
            "lfcsgek1scfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/8i3/3I8/3g8/8I3/PPPPPPPPPPPP"
            "/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL w - 1",
            "1d1e 9f9e", "4e4f 9e9f 4f4e 9f9e", ("0-1", "perpetual attack"),
        ),
    ],
)  # fmt: skip
def test_repetition(game: Game, text: str, first: str, cycle: str, result: tuple[str, str]) -> None:
    position = Position(game, None if text == "startpos" else text)
    reference = game.reference(position.text())
    for move in [*first.split(), *(cycle.split() * 4)]:
        if position.outcome() is not None:
            break
        position.push(_squares(move))
        reference = reference.legal_moves()[_squares(move)]
        outcome = position.outcome()
        assert (outcome and (outcome.result, outcome.reason)) == reference.result()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == result


def test_texts(game: Game) -> None:
    """Of Lishogi, with the square where a lion was captured, and the engine's own."""
    text = "k11/12/12/12/12/12/12/12/12/4+o7/12/6B4K"
    assert Position(game, f"{text} b 8j 3").text() == f"{text} w - e3 0 2"
    assert Position(game, f"{text} w - e3 0 2").text() == f"{text} w - e3 0 2"
