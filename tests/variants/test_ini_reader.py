"""``variants.ini`` as Fairy-Stockfish's own reader takes it: pyffish reads every file, too."""

from __future__ import annotations

from pathlib import Path

import pyffish
import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import DefinitionFile, read_with_faults
from tests.support.helpers import command

_PAWN_ON_5 = "startFen = 7k/8/8/4P3/8/8/8/K7 w - - 0 1\n"
_PAWN_ON_7 = "startFen = 7k/4P3/8/8/8/8/8/K7 w - - 0 1\n"
_ROOKS = "startFen = 7k/3N4/8/8/8/8/8/KQR5 w - - 0 1\n"
_STEPS = "startFen = 7k/2p5/3p4/8/4P3/3P4/2P5/K7 {} - - 0 1\n"
_HANDS = "startFen = 7k/8/8/8/8/8/8/K7[Qq] {} - - 0 1\n"
_SEVEN = "maxRank = 7\nstartFen = 7k/3p4/2p5/8/8/8/K7 {} - - 0 1\n"

#: Name of a section's parent, and its lines.
SECTIONS: dict[str, tuple[str, str]] = {
    # old keys
    "promotionRank": ("chess", "promotionRank = 6\n" + _PAWN_ON_5),
    "promotionRank-low": ("chess", "promotionRank = 6\n" + _SEVEN.format("b")),
    "promotionRank-none": ("chess", "promotionRank = 0\n" + _PAWN_ON_7),
    "promotionRank-region": (
        "chess",
        "promotionRegionWhite = *8\npromotionRank = 6\n" + _PAWN_ON_5,
    ),
    "doubleStepRank": ("chess", "doubleStepRank = 3\n" + _STEPS.format("w")),
    "doubleStepRank-black": ("chess", "doubleStepRank = 3\n" + _STEPS.format("b")),
    "doubleStepRank-low": ("chess", "doubleStepRank = 3\n" + _SEVEN.format("b")),
    "doubleStepRankMin": ("chess", "doubleStepRankMin = 3\n" + _STEPS.format("w")),
    "doubleStepRankMin-one": ("chess", "doubleStepRankMin = 1\n" + _STEPS.format("w")),
    "doubleStepRank-both": (
        "chess",
        "doubleStepRankMin = 3\ndoubleStepRank = 4\n" + _STEPS.format("w"),
    ),
    "whiteFlag": ("chess", "flagPiece = k\nwhiteFlag = a1\n" + _PAWN_ON_5),
    "blackFlag": ("chess", "flagPiece = k\nblackFlag = h8\n" + _PAWN_ON_5),
    "whiteDropRegion": ("crazyhouse", "whiteDropRegion = *1 e4\n" + _HANDS.format("w")),
    "blackDropRegion": ("crazyhouse", "blackDropRegion = *8\n" + _HANDS.format("b")),
    "castlingRookPiece": (
        "chess",
        "castlingRookPiece = n\nstartFen = 4k2n/8/8/8/8/8/8/4K2N w Kk - 0 1\n",
    ),
    "dropOnTop": ("crazyhouse", "dropOnTop = true\n" + _HANDS.format("w")),
    "dropOnTop-false": ("crazyhouse", "dropOnTop = false\n" + _HANDS.format("w")),
    # lines
    "no-equals-sign": ("chess", "whatever\ndoubleStep = false\n"),
    "comments": ("chess", "# one\n; two\ndoubleStep = false\n"),
    "unknown-key": ("chess", "noSuchKey = 1\nfoo bar = 1\ndoubleStep = false\n"),
    "other-case": ("chess", "DoubleStep = false\n"),
    "no-value": ("chess", "doubleStep =\nstartFen =\n"),
    "twice": ("chess", "doubleStep = false\ndoubleStep = true\n"),
    "carriage-returns": ("chess", "doubleStep = false\r\nmaxRank = 8\r\n"),
    "aliases-first": ("chess", "enPassantTypes = n\npawnTypes = p\n" + _PAWN_ON_7),
    "colours-last": (
        "chess",
        "promotionPieceTypesWhite = q\npromotionPieceTypes = nr\n" + _PAWN_ON_7,
    ),
    # values
    "flag-case": ("crazyhouse", "pieceDrops = True\n" + _HANDS.format("w")),
    "flag-comment": ("chess", "doubleStep = false # no\n"),
    "flag-other": ("chess", "castling = maybe\n"),
    "number-comment": ("chess", "maxRank = 6 # low\nstartFen = 7k/8/8/8/8/K7 w - - 0 1\n"),
    "start-comment": ("chess", _PAWN_ON_7.rstrip() + " # here\n"),
    "region-comment": ("chess", "doubleStepRegionWhite = a2 b2 ; c2\n"),
    "region-case": ("chess", "doubleStepRegionWhite = A2 B*\n"),
    "region-end": ("chess", "doubleStepRegionWhite = a2 - b2\n"),
    "set-blanks": ("chess", "promotionPieceTypes = q n # two\n" + _PAWN_ON_7),
    "set-unknown": ("chess", "promotionPieceTypes = qxr\n" + _PAWN_ON_7),
    "set-end": ("chess", "promotionPieceTypes = q-r\n" + _PAWN_ON_7),
    "piece-comment": ("chess", "rook = - # none\n" + _PAWN_ON_7),
    "piece-more": ("chess", "rook = rr\nknight = n:B\n"),
    "piece-lame": (
        "chess",
        "customPiece1 = a:nCnNnH\nstartFen = k7/8/8/3p4/2A5/8/8/K7 w - - 0 1\n",
    ),
    "piece-palace": (
        "chess",
        "wazir = w\ncustomPiece1 = a:W\ndiagonalLines = d1 e2 f1 d3 f3\n"
        "startFen = k7/8/8/8/8/8/4A3/K2W4 w - - 0 1\n",
    ),
    "piece-blanks": ("chess", "customPiece1 = a : NN # here\nking = k : KN\n"),
    "limit": ("chess", "promotionLimit = q:1 r=1, n:1\n" + _PAWN_ON_7.replace("K7", "KQR5")),
    "values": ("chess", "pieceValueMg = q:900 x\npieceValueEg = q:900\n"),
    # no squares at all mean all squares
    "mobility-king": ("chess", "mobilityRegionWhiteKing = -\n" + _ROOKS),
    "mobility-rook": ("chess", "mobilityRegionWhiteRook = -\n" + _ROOKS),
    "mobility-pawn": ("chess", "mobilityRegionWhitePawn = -\n"),
    "mobility-hand": ("crazyhouse", "mobilityRegionWhiteQueen = -\n" + _HANDS.format("w")),
    "mobility-some": ("chess", "mobilityRegionWhiteKnight = a3\nmobilityRegionBlackKnight = -\n"),
}


def _read(text: str, tmp_path: Path) -> DefinitionFile:
    path = tmp_path / "others.ini"
    path.write_bytes(text.encode())
    return read_with_faults(str(path))


@pytest.mark.parametrize("name", SECTIONS)
def test_moves_are_those_of_fairy_stockfish(name: str, tmp_path: Path) -> None:
    """At the start, two plies deep; and the kernels agree with the reference rules."""
    parent, lines = SECTIONS[name]
    theirs = "reader" + "".join(filter(str.isalnum, name.lower()))
    text = f"[{theirs}:{parent}]\n{lines}"
    pyffish.load_variant_config(text)
    file = _read(text, tmp_path)
    assert not file.faults
    (game,) = file.games
    position = Position(game)
    start = pyffish.start_fen(theirs)
    reference = game.reference(position.text())
    assert sorted(position.legal_moves()) == sorted(pyffish.legal_moves(theirs, start, []))
    assert sorted(reference.legal_moves()) == sorted(position.legal_moves())
    for move in position.legal_moves():
        position.push(position.parse_move(move))
        if position.outcome() is None:
            expected = pyffish.legal_moves(theirs, start, [move])
            assert sorted(position.legal_moves()) == sorted(expected), move
        position.pop()


def test_heirs_of_old_keys(tmp_path: Path) -> None:
    text = f"[readerone:chess]\npromotionRank = 6\n[readertwo:readerone]\n{_PAWN_ON_5}"
    pyffish.load_variant_config(text)
    game = _read(text, tmp_path).games[1]
    theirs = pyffish.legal_moves("readertwo", pyffish.start_fen("readertwo"), [])
    assert sorted(Position(game).legal_moves()) == sorted(theirs)


def test_headers(tmp_path: Path) -> None:
    """A byte order mark, words before the first section, after a header, and other letters."""
    text = "\ufeffMy games\n[One_1:chess] # mine\ndoubleStep = false\n[two:ONE_1]\n[2nd:]\n"
    file = _read(text, tmp_path)
    assert [game.name for game in file.games] == ["one_1", "two"]
    assert len(Position(file.games[1]).legal_moves()) == 12
    assert [str(fault).partition("others.ini:")[2][:6] for fault in file.faults] == ["5: 2nd"]


def test_what_is_passed_over_is_named(tmp_path: Path) -> None:
    lines = [
        "[a:chess]", "no sense", "DoubleStep = false", "castling = maybe", "rook = rr",
        "promotionPieceTypes = qx", "nMoveRule = 20 moves", "startFen =", "promotionRank = 9",
        "promotionRegionWhite = *8 x", "customPiece1 = y:WnC",
    ]  # fmt: skip
    expected = [
        "2: (syntax): is passed over: it is neither [name] nor key = value",
        "3: a.DoubleStep: is passed over: it is not a known key, did you mean 'doubleStep'?",
        "4: a.castling: 'maybe' is neither true nor false: it means false",
        "5: a.rook: 'r' is passed over: a piece has one letter",
        "6: a.promotionPieceTypes: 'x' is passed over",
        "7: a.nMoveRule: 'moves' is passed over",
        "8: a.startFen: is passed over: it has no value",
        "9: a.promotionRank: is passed over: 9 is not a rank of the board",
        "10: a.promotionRegionWhite: 'x' is passed over",
        "11: a.customPiece1: 'nC' is passed over: Fairy-Stockfish does not play it",
        " a: warning: pieces.Y: it is nowhere at the start, and nothing becomes it",
        " a: warning: start: for the rights KQkq there is no way to castle",
    ]
    path = tmp_path / "a.ini"
    path.write_text("\n".join(lines))
    done = command("check", str(path))
    assert done.returncode == 0
    assert done.stdout.startswith("a: ")
    said = [line.partition("a.ini:")[2] for line in done.stderr.splitlines()]
    assert sorted(said) == sorted(expected)
    done = command("perft", "--variants", str(path), "--variant", "a", "--depth", "1")
    assert done.returncode == 0
    assert "a.ini:2: (syntax): is passed over" in done.stderr


def test_remarks_have_an_end(tmp_path: Path) -> None:
    remarks = _read("[a:chess]\n" + "nonsense\n" * 5000, tmp_path).remarks
    assert len(remarks) == 101
    assert "passed over: 4900 further lines" in str(remarks[-1])
