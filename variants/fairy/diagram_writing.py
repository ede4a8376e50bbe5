"""Writing a game of the family as an Interactive Diagram."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from variants.chess_family import diagram_text
from variants.chess_family.fast_game import FastGame
from variants.fairy.definition import Definition
from variants.fairy.game_rules import NOWHERE, Rules
from variants.fairy.gui import describe
from variants.fairy.start import board_of

#: Rules that a diagram has in a form of its own.
_SAID = (
    "promotion", "promotion_region", "promotion_pawn_types", "promoted_piece_type",
    "mandatory_pawn_promotion", "double_step_region", "en_passant_region",
    "en_passant_types", "piece_drops", "captures_to_hand", "drop_region", "walling_region",
    "must_drop_type", "flag_piece", "connect_piece_types", "castling_rook_pieces", "n_fold_rule",
    "n_move_rule", "n_move_rule_types", "n_move_limit", "n_fold_limit", "lone_minors",
)  # fmt: skip


def writer(game: Definition, fast: FastGame | None) -> Callable[[], str] | None:
    """Return what writes a game's diagram; None if that cannot say the game's rules."""
    rules, plain = game.rules, Rules()
    if game.chess960:
        return None
    for field in dataclasses.fields(Rules):
        if field.name not in _SAID:
            value, default = getattr(rules, field.name), getattr(plain, field.name)
            empty = field.metadata["kind"] in ("region", "set") and not any(value)
            if value != default and not empty:
                return None
    region = rules.promotion_region[0]
    ranks = sorted({at[1] for at in region})
    promotes = any(rules.promotion) or rules.promoted_piece_type
    far = ranks == list(range(game.ranks))[-len(ranks) :] if ranks else not promotes
    both = rules.promotion[0] == rules.promotion[1]
    twice = any(rules.promotion) and rules.promoted_piece_type
    hands = rules.piece_drops == rules.captures_to_hand and "[" not in game.start.replace("[]", "")
    whole = len(region) == len(ranks) * game.files
    usual = rules.mandatory_pawn_promotion == (len(ranks) == 1) or not any(rules.promotion)
    if not (far and both and whole and usual and hands) or twice or game.soldier or game.cannons:
        return None
    if "*" in game.start or not _begins_where_it_steps(game):
        return None
    everywhere = frozenset(game.on_board())
    passing, drops = rules.en_passant_region, rules.drop_region
    if passing not in (NOWHERE, (everywhere, everywhere)):
        return None
    if rules.piece_drops and drops != (everywhere, everywhere):
        return None
    return lambda: diagram_text.write(_said(game, describe(game, fast), len(ranks) or 1))


def _begins_where_it_steps(game: Definition) -> bool:
    """Return whether pieces have their initial moves just where they begin."""
    if not any(game.rules.double_step_region[0]):
        return True
    letters = {p for p, moves in game.pieces.items() if any(m.initial for m in moves.moves)}
    letters |= {game.pawn} if game.pawn else set()
    board = board_of(game.start.split()[0].partition("[")[0], game.files, game.ranks, game.letters)
    begins = {at for at, sign in board.items() if sign in letters}
    return begins == game.rules.double_step_region[0]


def _said(game: Definition, pieces: Mapping[str, str], zone: int) -> diagram_text.Game:
    rules = game.rules
    rows = game.start.split()[0].partition("[")[0]
    return diagram_text.Game(
        files=game.files,
        ranks=game.ranks,
        pieces=pieces,
        board=board_of(rows, game.files, game.ranks, game.letters),
        royal=game.royal,
        pawns="".join(p for p in game.pieces if p in rules.promotion_pawn_types[0])
        if any(rules.promotion)
        else "",
        choice="".join(p for p in game.pieces if p in rules.promotion[0]),
        zone=zone,
        promoted=rules.promoted_piece_type,
        drops=rules.captures_to_hand,
    )
