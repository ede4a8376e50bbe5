"""First moves and promotions, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from variants.chess.definition.definition import Definition
from variants.chess.gui import rules_words as words


def first_moves(game: Definition) -> Iterator[str]:
    """Yield what pieces may do as long as they have not moved."""
    rules, pawn = game.rules, game.pawn
    initial = any(move.initial for piece in game.pieces.values() for move in piece.moves)
    who = words.a(game, pawn) if pawn else "A piece with an initial move"
    if any(rules.double_step_region) and (pawn or initial):
        where = words.region(game, rules.double_step_region)
        moves = "may go two squares at once" if pawn else "makes it"
        yield f"{who} {moves} from {where}."
    if any(rules.triple_step_region):
        yield f"{who} may go three squares from {words.region(game, rules.triple_step_region)}."
    takers = rules.en_passant_types[0] | rules.en_passant_types[1]
    if takers and any(rules.en_passant_region) and any(rules.double_step_region):
        every = set(rules.en_passant_region[0]) >= set(game.on_board())
        where = "" if every else f" on {words.region(game, rules.en_passant_region)}"
        yield f"{words.listed(game, takers, 'and', words.plural)} capture en passant{where}."
    yield from _first_leaps(game)


def _first_leaps(game: Definition) -> Iterator[str]:
    if not game.rules.cambodian_moves:
        return
    ferz = next((piece for piece, moves in game.betza.items() if moves == "F"), "")
    rook = next((piece for piece, moves in game.betza.items() if moves == "R"), "")
    if game.royal:
        king = words.name(game, game.royal)
        yield f"A {king} that has not moved may leap as a knight, aside and one rank ahead."
        yield f"It may not do so in check, or once {words.a(game, rook)} came to its rank or file."
    if ferz:
        yield f"{words.a(game, ferz)} that has not moved may leap two squares straight ahead."


def promotion(game: Definition) -> Iterator[str]:
    """Yield which pieces promote, where and to what."""
    rules = game.rules
    where = words.region(game, rules.promotion_region)
    same = rules.promotion[0] == rules.promotion[1]
    for side in range(1 if same else 2):
        choices, pawns = rules.promotion[side], rules.promotion_pawn_types[side]
        if not choices or not pawns:
            continue
        whose = "" if same else f"{game.appearance.sides[side]}: "
        who = words.listed(game, pawns, "or", words.a)
        verb = "becomes" if rules.mandatory_pawn_promotion else "may become"
        what = words.listed(game, choices, "or", words.name)
        if rules.sittuyin_promotion:
            yield f"{whose}{who} on {where} may become {words.article(what)} {what}."
            continue
        yield f"{whose}{who} {verb} {words.article(what)} {what} on {where}."
    yield from words.chosen(
        (rules.sittuyin_promotion, "A side's last such piece may do so on any square."),
        (rules.sittuyin_promotion, "That is a move, and the new piece may go one step with it."),
        (rules.sittuyin_promotion, "It may then neither give check nor attack a piece."),
    )
    for letter, most in rules.promotion_limit.items():
        what = words.name(game, letter) if most == 1 else words.plural(game, letter)
        yield f"A side with {most} {what} cannot get another by promotion."
    if rules.promoted_piece_type:
        yield from _turning(game, where)


def _turning(game: Definition, where: str) -> Iterator[str]:
    rules = game.rules
    must = "must" if rules.mandatory_piece_promotion else "may"
    if rules.piece_promotion_on_entry:
        yield f"A piece {must} promote when it comes to {where}."
        yield "When it is there it promotes only by a capture, or where it could never move again."
    elif rules.piece_promotion_on_capture:
        yield f"A piece {must} promote when it captures."
    else:
        any_square = rules.promotion_region[0] >= set(game.on_board())
        move = "" if any_square else f" to, from or within {where}"
        yield f"A piece that moves{move} {must} promote."
    by_kind: dict[str, list[str]] = {}
    for letter, becomes in rules.promoted_piece_type.items():
        by_kind.setdefault(becomes, []).append(letter)
    for becomes, letters in by_kind.items():
        which = words.listed(game, letters, "or", words.name)
        yield f"A promoted {which} moves as {words.a(game, becomes)}."
    if rules.piece_demotion:
        yield "A promoted piece may turn back."
