"""Descriptions of games for GUIs that do not know them."""

from __future__ import annotations

import re

from variants.chess.definition.definition import Definition
from variants.chess.fast.game import FastGame

#: The modifiers of an atom; the one of captures en passant is ``e``.
_MODIFIERS = re.compile("[a-z]+")


def describe(game: Definition, fast: FastGame | None) -> dict[str, str]:
    """Return every piece's moves in Betza notation, with double steps and castling.

    ``i`` marks initial moves, ``O`` castling, each ``j`` before it a file between rook and edge.
    """
    rules, pieces = game.rules, dict(game.betza)
    if fast is not None:  # its pawn first and its king last, in a canonical notation
        kings = {game.royal: fast.movements[game.royal].betza()}
        others = {p: move.betza() for p, move in fast.movements.items() if p != game.royal}
        pieces = {game.pawn: pieces[game.pawn], **others, **kings}
    takers = rules.en_passant_types[0] if any(rules.en_passant_region[0]) else ()
    for letter, moves in pieces.items():
        pieces[letter] = _MODIFIERS.sub(_en_passant if letter in takers else _no_en_passant, moves)
    pawn = game.pawn
    if pawn and not any(move.initial for move in game.pieces[pawn].moves):
        if any(rules.double_step_region[0]):
            pieces[pawn] += "ifmnD"
    castling = "" if game.chess960 else _castling(game)  # from any files: no notation has it
    if game.royal and castling and not game.pieces[game.royal].castling:
        pieces[game.royal] += castling
    return pieces


def _en_passant(modifiers: re.Match[str]) -> str:
    """Return the modifiers of a move with ``e`` if it captures only, in one leg."""
    text = modifiers[0]
    captures = "c" in text and not set("mea") & set(text)
    return text.replace("c", "ce", 1) if captures else text


def _no_en_passant(modifiers: re.Match[str]) -> str:
    return modifiers[0].replace("e", "")


def _castling(game: Definition) -> str:
    """Return White's castling as ``isO2`` or ``irjO3ilO2``; a ``j`` for each file to the edge."""
    sides: dict[str, set[str]] = {"r": set(), "l": set()}
    for way in game.ways:
        if way.right in "KQ":
            inset = min(way.rook_from[0], game.files - 1 - way.rook_from[0])
            steps = abs(way.king_to[0] - way.king_from[0])
            sides["r" if way.right == "K" else "l"].add(f"{'j' * inset}O{steps}")
    if sides["r"] == sides["l"]:
        return "".join(f"is{how}" for how in sorted(sides["r"], reverse=True))
    ways = [(side, how) for side in "rl" for how in sorted(sides[side], reverse=True)]
    return "".join(f"i{side}{how}" for side, how in ways)


def parent_of(game: Definition) -> str:
    """Return XBoard's variant whose captures, drops and promotion are the game's."""
    rules = game.rules
    if rules.seirawan_gating:
        return "seirawan"
    if rules.promoted_piece_type:
        return "shogi"
    if rules.piece_drops or rules.captures_to_hand:
        return "crazyhouse"
    if rules.blast_on_capture:
        return "atomic"
    if sorted({at[1] for at in rules.promotion_region[0]}) == list(range(game.ranks)[-3:]):
        return "makruk" if rules.mandatory_pawn_promotion else "grand"
    return "fairy"


def template_of(game: Definition) -> str:
    """Return the template in the ``info string variant`` line: ``shogi``, ``fairy`` and so on."""
    parent = parent_of(game)
    return parent if parent in ("crazyhouse", "seirawan", "shogi") else "fairy"


def promotes(game: Definition) -> str:
    """Return the letter of the piece that becomes another at the far end; "" if there is none."""
    return game.main_pawn(0) if game.rules.promotion[0] else ""


def rearranges(game: Definition) -> bool:
    """Return whether moves change squares in ways that XBoard does not know."""
    rules = game.rules
    blasts = rules.blast_on_capture and any(rules.blast_immune_types)
    flips = rules.flip_enclosed_pieces != "none"
    return blasts or flips or rules.makes_stones() or rules.alice_boards
