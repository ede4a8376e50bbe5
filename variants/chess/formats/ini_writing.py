"""Games of the family as sections of Fairy-Stockfish's ``variants.ini``.

What the format has no words for is named in comments. Source: the comments of Fairy-Stockfish's own
``variants.ini``. ``ini_reading.py`` goes the other way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import file_name, square_name
from variants.chess.definition.definition import Square, Way
from variants.chess.fast.game import FastGame
from variants.chess.fast.movement import Movement, parse
from variants.chess.formats.ini_keys import PIECES

#: The games here that Fairy-Stockfish has by itself, under the same name and with the same moves.
BUILT_IN = ("capablanca", "chess", "embassy", "gothic", "janus")


def _name_by_movement() -> dict[Movement, str]:
    """Return Fairy-Stockfish's names of pieces that the fast kernels play."""
    names: dict[Movement, str] = {}
    for name, text in PIECES.items():
        with suppress(ValueError):
            names.setdefault(parse(text), name)
    return names


def write(game: FastGame) -> str:
    """Return a game's section; only a comment if Fairy-Stockfish has the game built in."""
    if game.name in BUILT_IN:
        return f"# {game.name}: Fairy-Stockfish has this game itself.\n"
    values = {"maxFile": file_name(game.files - 1), "maxRank": str(game.ranks)}
    gaps: list[str] = []
    values |= _pieces(game)
    values["startFen"] = game.start
    values["promotionPieceTypes"] = game.ordered(game.rules.promotion[0]).lower() or "-"
    values |= {"promotionRegionWhite": f"*{game.ranks}", "promotionRegionBlack": "*1"}
    if any(game.double_step):
        for colour, squares in zip(("White", "Black"), game.double_step, strict=True):
            names = " ".join(square_name(at) for at in sorted(squares))
            values[f"doubleStepRegion{colour}"] = names
    else:
        values["doubleStep"] = "false"
    values |= castling_keys(game.castling, game.castlers, gaps)
    rules = game.rules
    values |= {"nMoveRule": str(rules.n_move_rule), "nFoldRule": str(rules.n_fold_rule)}
    if rules.n_move_limit != rules.n_move_rule:
        gaps.append(
            f"the {rules.n_move_rule}-move rule is to be claimed, a draw by itself after"
            f" {rules.n_move_limit}"
        )
    if rules.n_fold_limit != rules.n_fold_rule:
        gaps.append(
            f"the same position {counted(rules.n_fold_rule, 'time')} is to be claimed,"
            f" {counted(rules.n_fold_limit, 'time')} a draw by itself"
        )
    comments = [game.title, *(f"Not said here: {gap}." for gap in gaps)]
    lines = [*(f"# {comment}" for comment in comments), f"[{game.name}]"]
    lines += [f"{key} = {value}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _pieces(game: FastGame) -> dict[str, str]:
    """Return the keys of the pieces: Fairy-Stockfish's names, or custom pieces."""
    values = {"pawn": game.pawn.lower()}
    names, custom = _name_by_movement(), 0
    for letter, movement in game.movements.items():
        betza = movement.betza()
        if letter == game.royal:
            values["king"] = letter.lower() + ("" if betza == "K" else f":{betza}")
        elif movement in names and names[movement] not in values:
            values[names[movement]] = letter.lower()
        else:
            custom += 1
            values[f"customPiece{custom}"] = f"{letter.lower()}:{betza}"
    return values


def castling_keys(
    castling: Mapping[str, Sequence[Way]], castlers: Mapping[Square, str], gaps: list[str]
) -> dict[str, str]:
    """Return the keys of castling; append to ``gaps`` what they cannot express.

    ``castling`` has the ways by right, ``castlers`` the pieces where they begin.
    """
    sides = {"K": "Kingside", "Q": "Queenside"}
    ways = {right: castling[right] for right in sides if right in castling}
    if not ways:
        return {"castling": "false"}
    first = next(iter(ways.values()))[0]
    values = {"castlingKingFile": file_name(first.king_from[0])}
    if first.king_from[1]:
        values["castlingRank"] = str(first.king_from[1] + 1)
    rooks = set()
    for right, own in ways.items():
        values[f"castling{sides[right]}File"] = file_name(own[0].king_to[0])
        values[f"castlingRook{sides[right]}File"] = file_name(own[0].rook_from[0])
        rooks.add(castlers.get(own[0].rook_from, "r").lower())  # where nobody stands yet, a rook
        if own[0].rook_to[0] != own[0].king_to[0] + (-1 if right == "K" else 1):
            gaps.append(f"where the rook goes that castles {sides[right].lower()}")
        if len(own) > 1:
            others = ", ".join(square_name(w.king_from) + square_name(w.king_to) for w in own[1:])
            gaps.append(f"the king may castle farther too: {others}")
    if rooks != {"r"}:
        values["castlingRookPieces"] = "".join(sorted(rooks))
    return values
