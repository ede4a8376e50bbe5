"""Drops, and what moves do besides, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from variants.chess.definition.definition import Definition
from variants.chess.gui import rules_words as words

#: What the rules of enclosing drops ask for.
_ENCLOSING = {
    "reversi": "A dropped piece must enclose enemy pieces in a line.",
    "ataxx": "A dropped piece must touch a piece of one's own.",
    "quadwrangle": "A dropped piece must touch a piece of one's own.",
    "snort": "A dropped piece must not touch an enemy piece.",
    "anyside": "A dropped piece slides in from an edge of the board.",
    "top": "A dropped piece falls from the top of its file.",
}
_FLIPPING = {
    "reversi": "Enemy pieces that a move encloses in a line change sides.",
    "ataxx": "Enemy pieces next to the square that a piece comes to change sides.",
    "quadwrangle": "Enemy pieces next to the square that a piece comes to change sides.",
}
_WALLING = {
    "arrow": "After each move the piece that has moved blocks a further square, as if it moved on.",
    "duck": "After each move you put the duck on another empty square; no piece passes it.",
    "edge": "After each move you block a square at the edge.",
    "past": "The square that a piece leaves is blocked for good.",
    "static": "After each move you block an empty square.",
}


def drops(game: Definition) -> Iterator[str]:
    """Yield what is dropped, where, and when."""
    rules = game.rules
    if rules.captures_to_hand:
        state = " unpromoted" if rules.promoted_piece_type and not rules.drop_loop else ""
        yield f"A piece that you capture becomes yours, and goes{state} to your hand."
        if rules.drop_loop:
            yield "A captured piece stays promoted."
    if not (rules.piece_drops or rules.free_drops):
        return
    if rules.free_drops:
        yield "As a move you may drop a new piece on an empty square."
    else:
        yield "As a move you may drop a piece from your hand on an empty square."
    if set(rules.drop_region[0]) < set(game.on_board()):
        yield f"Pieces are dropped on {words.region(game, rules.drop_region)}."
    for letters in dict.fromkeys(rules.drop_no_doubled):
        many = rules.drop_no_doubled_count
        for letter in sorted(letters):
            name, has = words.name(game, letter), "an unpromoted" if many == 1 else f"{many}"
            yield (
                f"{words.a(game, letter)} may not be dropped on a file that already has {has}"
                f" {name if many == 1 else words.plural(game, letter)} of yours."
            )
    pawns = words.plural(game, game.pawn) if game.pawn else "Pawns"
    rooks = words.listed(game, [p for p, m in game.betza.items() if m == "R"], "or", words.plural)
    if rules.must_drop:
        every = set(rules.must_drop_type[0]) >= set(game.pieces)
        types = "pieces" if every else words.listed(
            game, rules.must_drop_type[0], "and", words.plural
        )  # fmt: skip
        yield f"While you have {types} in hand, you must drop them."
    yield from words.chosen(
        (rules.first_rank_pawn_drops, f"{pawns} may be dropped on the first rank."),
        (rules.promotion_zone_pawn_drops, f"{pawns} may be dropped where they promote."),
        (rules.drop_promoted, "Pieces may be dropped on their promoted side."),
        (rules.sittuyin_rook_drop, f"{rooks} are dropped on the first rank."),
        (not rules.drop_checks, "A drop must not give check."),
        (rules.drop_opposite_colored_bishop, "Bishops go by turns to squares of either colour."),
        (rules.enclosing_drop != "none", _ENCLOSING.get(rules.enclosing_drop, "")),
    )
    if any(rules.enclosing_drop_start):
        where = words.region(game, rules.enclosing_drop_start)
        yield f"The first drops go to {where}, and need not enclose."


def effects(game: Definition) -> Iterator[str]:
    """Yield what moves do besides: flips, blasts, walls."""
    rules = game.rules
    yield from words.chosen(
        (rules.flip_enclosed_pieces != "none", _FLIPPING.get(rules.flip_enclosed_pieces, "")),
        (rules.walling_rule != "none", _WALLING.get(rules.walling_rule, "")),
        (rules.wall_or_move, "A turn is either a move or a block."),
        (
            rules.seirawan_gating,
            "When a piece first leaves its square, a piece in hand may come onto that square.",
        ),
        (
            rules.blast_on_capture,
            "A capture explodes: both pieces go, and all pieces around but Pawns."
            if game.pawn and not any(rules.blast_immune_types)
            else "A capture explodes: both pieces go, and the pieces around.",
        ),
    )
    if rules.petrify_blast_pieces:
        yield "Pieces that an explosion removes turn to stone."
    if rules.walling_rule != "none" and set(rules.walling_region[0]) < set(game.on_board()):
        yield f"Blocks go to {words.region(game, rules.walling_region)}."
    for sets, text in (
        (rules.blast_immune_types, "survive explosions"),
        (rules.petrify_on_capture_types, "turn to stone when they capture"),
    ):
        for whose, letters in words.by_side(game, sets):
            if letters:
                which = words.listed(game, letters, "and", words.plural)
                yield f"{which}{whose and ' of '}{whose} {text}."
