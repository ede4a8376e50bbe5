"""Pieces in hand: gates, drops of promoted pieces, mate by a pawn's drop, and large numbers."""

from __future__ import annotations

import random
from pathlib import Path

import pyffish
import pytest

from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER
from tests.support.effort import effort
from variants.chess import define, read_ini


def defined(text: str) -> Game:
    """Return the game of a definition."""
    (reader,) = read_text(text, "game.toml")
    return define(reader)


def in_ini(text: str, folder: Path) -> Game:
    """Return the last game of a ``variants.ini``, which pyffish knows too."""
    path = folder / "variants.ini"
    path.write_text(text)
    pyffish.load_variant_config(text)
    return read_ini(path)[0][-1]


def agreed(game: Game, text: str) -> list[str]:
    """Return the moves, which kernels list and count as the reference rules have them."""
    position = Position(game, text)
    moves = sorted(position.legal_moves())
    assert moves == sorted(game.reference(text).legal_moves()), text
    first = int(HEADER.of(position.state)["moves"])
    assert position.kernels.perft(position.state.address, 1, 1, first) == len(moves), text
    return moves


# ---- gates ---------------------------------------------------------------------------------------

_MANY = """[gates]
seirawan_gating = true
gating = true
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[{hands}] w KQkqABCDEFGHabcdefgh - 0 1"
pieces = {{ {pieces}, K = "KisO2" }}
"""


@pytest.mark.parametrize("number", [1, 14, 18, 25])
def test_every_piece_can_be_gated(number: int, source: random.Random) -> None:
    """However many the game has, in castling also beside the king."""
    further = source.sample("ACDEFGHIJLMOSTUVWXYZ", max(number - 5, 0))
    letters = ["P", "R", "N", "B", "Q", *further]
    moves = {"P": "fmWfceFifmnD", "R": "R", "N": "N", "B": "B", "Q": "Q"}
    pieces = ", ".join(f'{p} = "{moves.get(p, "W")}"' for p in letters)
    last = letters[-1]
    game = defined(_MANY.format(hands=last + last.lower(), pieces=pieces))
    moves_there = agreed(game, game.start)
    gated = {f"{move}{last.lower()}" for move in ("b1a3", "b1c3", "g1f3", "g1h3")}
    assert gated <= set(moves_there)
    text = f"4k3/8/8/8/8/8/8/R3K2R[{''.join(letters)}] w KQAEH - 0 1"
    for move in (wanted := set(agreed(game, text)) & {f"e1g1{p.lower()}" for p in letters}):
        position = Position(game, text)
        position.push(move)
        reference = game.reference(text).legal_moves()[move]
        assert position.text() == reference.text()
    assert len(wanted) == len(letters) - 1  # pawns have no place on the first rank
    assert f"h1e1{last.lower()}" in agreed(game, text)


# ---- drops and promotions ------------------------------------------------------------------------


def _section(source: random.Random, name: str) -> str:
    """Return a section of ``variants.ini`` with random rules of drops and promotions."""
    base = source.choice(("shogi", "minishogi", "euroshogi"))
    pieces = {"shogi": "plnsgbr", "minishogi": "psgbr", "euroshogi": "pngbr"}[base]
    lines = [f"[{name}:{base}]"]
    for key in ("dropPromoted", "immobilityIllegal", "pieceDemotion", "mandatoryPiecePromotion",
                "piecePromotionOnCapture"):  # fmt: skip
        lines.append(f"{key} = {source.choice(('true', 'false'))}")
    # not to itself, nor to a pawn: pyffish counts that one among a file's pawns
    pairs = [
        f"{p}:{source.choice([to for to in pieces if to not in ('p', p)])}"
        for p in source.sample(pieces, 2)
    ]
    lines.append(f"promotedPieceType = {' '.join(pairs)}")
    if source.random() < 0.5:
        lines.append(f"promotionLimit = {source.choice(pieces)}:{source.randint(1, 2)}")
    return "\n".join(lines) + "\n"


def _in_order(text: str) -> list[str]:
    """Return the board, the letters in hand by the alphabet, and the side to move."""
    board, hands = text.split("[")
    hand, _, rest = hands.partition("]")
    return [board, "".join(sorted(hand)), rest.split()[0]]


def test_promotions_and_drops_are_those_of_pyffish(source: random.Random, tmp_path: Path) -> None:
    """Also of pieces that are dropped promoted, promote again, or turn back."""
    for _ in range(effort(8, 200)):
        name = f"odd{source.randrange(1 << 40)}"
        section = _section(source, name)
        game = in_ini(section, tmp_path)
        position = Position(game)
        for _ in range(effort(12, 60)):
            text = position.text()
            theirs = sorted(pyffish.legal_moves(name, text, []))
            assert agreed(game, text) == theirs, f"{section}{text}"
            if not theirs or position.outcome() is not None:
                break
            rare = [move for move in theirs if set(move) & set("+-@")]
            move = source.choice(rare if rare and source.random() < 0.6 else theirs)
            position.push(move)
            after = pyffish.get_fen(name, text, [move])
            assert _in_order(position.text()) == _in_order(after), f"{section}{text} {move}"


@pytest.mark.parametrize("immobile", ["LNP", "lnp"])
def test_a_piece_is_dropped_promoted_where_it_could_not_move_before(
    immobile: str, tmp_path: Path
) -> None:
    game = in_ini("[dpp:shogi]\ndropPromoted = true\n", tmp_path)
    side = "w" if immobile.isupper() else "b"
    text = f"4k4/9/9/9/9/9/9/9/4K4[{immobile}] {side} - - 0 1"
    moves = agreed(game, text)
    assert moves == sorted(pyffish.legal_moves("dpp", text, []))
    far = "a9" if side == "w" else "a1"
    assert {f"+P@{far}", f"+L@{far}", f"+N@{far}"} <= set(moves)
    assert not {f"P@{far}", f"L@{far}", f"N@{far}"} & set(moves)


def test_a_promoted_piece_promotes_to_what_its_moves_promote_to(tmp_path: Path) -> None:
    game = in_ini("[ppt:shogi]\npromotedPieceType = b:r\n", tmp_path)
    text = "4k4/9/9/9/9/9/2+b6/9/4K4[] b - - 0 1"
    assert agreed(game, text) == sorted(pyffish.legal_moves("ppt", text, []))
    position = Position(game, text)
    position.push("c3b3+")
    assert position.text().split()[0] == pyffish.get_fen("ppt", text, ["c3b3+"]).split()[0]
    with pytest.raises(ValueError, match="c3b3-"):
        Position(game, text).push("c3b3-")


# ---- mate by a pawn's drop -----------------------------------------------------------------------

_MATES = """[mates]
files = 5
ranks = 5
start = "4k/2G2/3G1/5/K1R2[PG] w - - 0 1"
piece_drops = true
captures_to_hand = true
shogi_pawn_drop_mate_illegal = {rule}
drop_no_doubled = "{doubled}"
drop_promoted = {promoted}
promoted_piece_type = {{ P = "G" }}
pieces = {{ P = "{pawn}", G = "WfF", R = "R", K = "K" }}
"""


@pytest.mark.parametrize("doubled", ["-", "P", "G"])
@pytest.mark.parametrize("pawn", ["fW", "fmWfceF"])
@pytest.mark.parametrize("rule", ["true", "false"])
def test_mate_by_a_pawns_drop(rule: str, pawn: str, doubled: str) -> None:
    """The rule needs no other one, and is about pawns that are dropped as such."""
    game = defined(_MATES.format(rule=rule, pawn=pawn, doubled=doubled, promoted="true"))
    results = {}
    for move in ("P@e4", "+P@e4", "G@e4", "P@d4"):
        position, reference = Position(game), game.reference(game.start)
        position.push(move)
        outcome, result = position.outcome(), reference.legal_moves()[move].result()
        assert (outcome and (outcome.result, outcome.reason)) == result, move
        results[move] = outcome and outcome.result
    assert results["+P@e4"] == results["G@e4"] == "1-0"
    if pawn == "fW":
        assert results["P@e4"] == ("0-1" if rule == "true" else "1-0")


@pytest.mark.parametrize(
    ("section", "text", "move"),
    [
        ("minishogi", "4k/2G2/3G1/5/K1R2[P] w - - 0 1", "P@e4"),
        ("minishogi", "4k/2G2/3G1/5/K1R2[G] w - - 0 1", "G@e4"),
        ("minishogi", "k1r2/5/3g1/2g2/4K[p] b - - 0 1", "P@e2"),
        ("crazyhouse", "5Nbk/8/5K2/8/8/8/8/8[P] w - - 0 1", "P@g7"),
        ("crazyhouse", "8/8/8/8/8/5k2/8/5nBK[p] b - - 0 1", "P@g2"),
    ],
)
@pytest.mark.parametrize("doubled", ["-", "p"])
@pytest.mark.parametrize("rule", ["true", "false"])
def test_mate_by_a_drop_is_as_pyffish_has_it(
    section: str, text: str, move: str, doubled: str, rule: str, tmp_path: Path
) -> None:
    name = f"drops{section}{ord(doubled)}{rule}"
    lines = [f"[{name}:{section}]", f"shogiPawnDropMateIllegal = {rule}"]
    lines += [f"dropNoDoubled = {doubled}"]
    game = in_ini("\n".join(lines) + "\n", tmp_path)
    position, reference = Position(game, text), game.reference(text).legal_moves()
    position.push(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == reference[move].result()
    value = pyffish.game_result(name, text, [move])  # of the side to move
    wins = outcome.winner == int(position.text().split()[1] == "b")
    assert wins == (value > 0)


# ---- large numbers -------------------------------------------------------------------------------

_BIG = """[big]
files = 16
ranks = 16
piece_drops = true
captures_to_hand = true
royal = "-"
extinction_value = "loss"
extinction_piece_types = "*"
start = "{rows} w - - 0 1"
pieces = {{ P = "W", Q = "Q" }}
"""


def _big(board: str, hands: str = "") -> Game:
    return defined(_BIG.format(rows=f"{board}[{hands}]"))


def test_256_pieces_of_a_kind_are_counted() -> None:
    rows = "/".join(["P" * 16] * 16)
    game = _big(rows)
    outcome = Position(game).outcome()
    assert outcome is not None
    assert game.reference(game.start).result() == (outcome.result, outcome.reason)
    assert outcome.result == "1-0"


def test_hands_are_written_as_they_are_read() -> None:
    """Up to the largest ones that moves lead to."""
    board = "/".join(["15p", "15Q", *["16"] * 14])
    game = _big(board, "P" * 252)
    position = Position(game)
    position.push("p15p16")
    assert position.text().count("P") == 253
    assert Position(game, position.text()).text() == position.text()
    reference = game.reference(game.start).legal_moves()["p15p16"]
    assert reference.text() == position.text()


@pytest.mark.parametrize("hands", ["P" * 255 + "p" * 2, "P" * 256, "999P"])
def test_too_many_pieces_are_refused_in_a_line(hands: str) -> None:
    game = _big("/".join(["15p", "15Q", *["16"] * 14]))
    with pytest.raises(PositionError, match="holdings: more than 25[56] pieces") as error:
        Position(game, game.start.replace("[]", f"[{hands}]"))
    assert "\n" not in str(error.value)
