"""SAN of the general family's games: against Fairy-Stockfish and python-chess, and read back."""

from __future__ import annotations

import io
import random
import re

import chess.pgn
import chess.variant
import pyffish
import pytest

from ryugi_engine.games.game import Game, IllegalMove
from ryugi_engine.games.notation import squares_of
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import Record, Step, format_record, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.san import engine_move, in_san, to_san
from tests.fairy.test_rules import GAMES
from tests.support.effort import effort
from variants.chess.general.rules import GeneralRules

#: Walls: pyffish tells queens apart by where an arrow on a1 would be legal.
_OTHER_ORIGINS = ("amazons", "isolation", "isolation7x7", "joust", "snailtrail", "duck")
_PSEUDO_ROYAL = ("atomic", "coregal", "petrified", "spartan")
_SAMPLE = 6
#: pyffish's games; others end its process.
_KNOWN = set(pyffish.variants()) - set(_OTHER_ORIGINS)


def _theirs(game: Game, text: str, move: str) -> str:
    """pyffish's SAN, with promotion written as in shogi where pieces promote so."""
    san = str(pyffish.get_san(game.name, text, move, False, pyffish.NOTATION_SAN))
    if "N" in game.pieces and "H" not in game.pieces:
        san = re.sub("^H", "N", san)
    if "B" in game.pieces and "E" not in game.pieces:
        san = re.sub("^E", "B", san)
    return san if game.san == "chess" else san.rstrip("+")


@pytest.mark.parametrize(
    ("name", "text", "word", "move"),
    [
        ("crazyhouse", "r3k2r/8/8/8/8/8/8/4K2R[PNp] w Kkq - 0 1", "@e5", "P@e5"),
        ("crazyhouse", "r3k2r/8/8/8/8/8/8/4K2R[PNp] w Kkq - 0 1", "N*d6+", "N@d6"),
        ("seirawan", "r3k2r/8/8/8/8/8/8/R3K2R[HEhe] w KQkq - 0 1", "0-0/Hh1", "h1e1h"),
        ("seirawan", "r3k2r/8/8/8/8/8/8/R3K2R[HEhe] w KQkq - 0 1", "O-O-O/Ee1+", "e1c1e"),
        ("duck", "r3k2r/8/8/8/8/8/8/4K2R w K - 0 1", "O-O,f1", ""),
        ("duck", "r3k2r/8/8/8/8/8/8/4K2R w K - 0 1", "O-O,e1", "e1g1,g1e1"),
        ("duck", "r3k2r/8/8/8/8/8/8/4K2R w K - 0 1", "Ke2,e1", "e1e2,e2e1"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb8+", "e5b8+"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb8=", "e5b8"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb8", "e5b8"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb8=H", "e5b8+"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb8=+B", "e5b8+"),
        ("shogi", "4k4/9/9/9/4B4/9/9/9/4K4[] w - - 0 1", "Bb2+", "e5b2"),
        ("shogi", "4k4/9/9/9/4+B4/9/9/9/4K4[] w - - 0 1", "+Bd5", "e5d5"),
        ("xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "Hg3", "h1g3"),
    ],
)
def test_other_spellings_are_read(name: str, text: str, word: str, move: str) -> None:
    position = Position(registry().game(name), text)
    if not move:
        with pytest.raises(IllegalMove):
            position.parse_move(engine_move(position, word))
        return
    assert position.move_text(position.parse_move(engine_move(position, word))) == move


@pytest.mark.parametrize(
    "name",
    [
        "crazyhouse", "atomic", "antichess", "3check", "kingofthehill", "racingkings", "horde",
        "giveaway", "suicide",
    ],
)  # fmt: skip
def test_python_chess_reads_records_and_the_other_way_round(
    name: str, source: random.Random
) -> None:
    position = Position(registry().game(name))
    for _ in range(80):
        codes = position.legal_codes()
        if not codes or position.outcome() is not None:
            break
        position.push(source.choice(codes))
    sans = in_san(Position(position.game), position.moves)
    tags = {"Result": "*", "Variant": name}
    text = format_record(Record(tags, [Step(san) for san in sans]))
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert not theirs.errors
    board = theirs.end().board()
    assert type(board).uci_variant not in (None, "chess")
    assert board.board_fen().replace("~", "") == position.text().split()[0].split("[")[0].replace(
        "~", ""
    )
    again = Playback.of(parse_records(str(theirs) + "\n\n")[0], registry())
    assert again.position.moves == position.moves


def _ours(position: Position, code: int) -> str:
    """This engine's SAN, with the letters of promoted pieces instead of plus signs."""
    san = to_san(position, code)
    if position.game.san == "chess":
        return san
    rules = position.rules
    assert isinstance(rules, GeneralRules)
    becomes = rules.definition.rules.promoted_piece_type
    board, move = rules.board(position.state), position.move_text(code)
    if move[-1] in "+-" and "@" not in move:
        letter = board[squares_of(move)[0]].upper().strip("+")
        new = becomes[letter] if move[-1] == "+" else letter
        mate = "#" * san.endswith("#")
        san = f"{san.rstrip('#')[:-1]}={new}{mate}"
    return re.sub(r"^\+([A-Z])", lambda match: becomes[match[1]], san)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_san_of_pyffish_and_back(game: Game, source: random.Random) -> None:
    """In random games: written as pyffish does, and read as the move that it was."""
    position = Position(game)
    for _ in range(effort(5, 200)):
        codes = position.legal_codes()
        if not codes or position.outcome() is not None:
            break
        text = position.text()
        sample = source.sample(codes, min(_SAMPLE, len(codes)))
        rare = [code for code in codes if not position.move_text(code)[-1].isdigit()]
        for code in sample + source.sample(rare, min(4, len(rare))):
            move = position.move_text(code)
            san = to_san(position, code)
            assert position.parse_move(engine_move(position, san)) == code, (text, move, san)
            if move != "pass" and game.name in _KNOWN:
                both = _ours(position, code), _theirs(game, text, move)
                if game.name in _PSEUDO_ROYAL:  # whose checks pyffish does not mark
                    both = both[0].rstrip("+#"), both[1].rstrip("+#")
                if game.san == "shogi":  # to pyffish a promoted silver is a gold general, too
                    both = tuple(
                        re.sub(r"^([A-Z])[a-wyz]?[0-9]*(x?[a-z][0-9])", r"\1\2", s) for s in both
                    )
                assert both[0] == both[1], (text, move)
        position.push(source.choice(rare if rare and source.random() < 0.5 else codes))
