"""What looks like a mistake in a definition that can be read: ``check`` shows it."""

from __future__ import annotations

from collections.abc import Iterator

from ryugi_engine.games.game import NAMES
from ryugi_engine.kernel.abi import MAX_MOVES
from variants.chess.definition.definition import Definition
from variants.chess.family.exposed import read_position
from variants.chess.notation.text import PositionData

#: Rules that need no king to end a game.
_ENDS = ("connect_n", "connect_nxn", "collinear_n", "check_counting", "castling_wins")


def faults(result: tuple[str, str] | None, moves: int) -> Iterator[str]:
    """Yield why a start position cannot be played: by its result, and its number of moves."""
    if result is not None:
        yield f"start: the game is over: {result[0]} ({result[1] or 'no move'})"
    if moves > MAX_MOVES:
        yield f"start: it has more than {MAX_MOVES:,} moves ({moves:,}), which is the limit"


def doubts(game: Definition) -> Iterator[str]:
    """Yield what can be played and is hardly meant."""
    start = read_position(game, game.start)
    yield from _kings(game, start)
    yield from _pieces(game, start)
    yield from _hands(game, start)
    yield from _castling(game, start)
    rules = game.rules
    if not game.royal and not _can_end(game):
        yield "royal: there is no royal piece, and no other rule ends a game by a win"
    if rules.promotion != (frozenset(), frozenset()) and not any(rules.promotion_pawn_types):
        yield "promotion: no piece promotes; promotion_pawn_types names those that do"
    if any(rules.promotion) and not any(rules.promotion_region):
        yield "promotion_region: it has no square"
    largest = len(_droppable(game, start)) * game.files * game.ranks
    if largest > MAX_MOVES:
        yield f"piece_drops: a position may have more than {MAX_MOVES:,} moves, see LIMITS.md"


def _letters(game: Definition, start: PositionData, side: int) -> set[str]:
    """Return the letters of a side's pieces at the start, on the board and in hand."""
    signs = [*start.board.values(), *(sign for sign, count in start.hands.items() if count)]
    return {s.strip("~+").upper() for s in signs if s != "*" and s.strip("~+").isupper() != side}


def _kings(game: Definition, start: PositionData) -> Iterator[str]:
    if not game.royal:
        return
    without = [
        name for side, name in enumerate(NAMES) if game.royal not in _letters(game, start, side)
    ]
    if len(without) == 2:
        yield f"royal: no side has a {game.royal}, so none can be checkmated"
    elif without:
        yield f"start: {without[0]} has no {game.royal}, so it cannot be checkmated"


def _pieces(game: Definition, start: PositionData) -> Iterator[str]:
    """Yield pieces that never come onto the board."""
    rules = game.rules
    seen = _letters(game, start, 0) | _letters(game, start, 1)
    seen |= rules.promotion[0] | rules.promotion[1]
    if rules.free_drops:
        seen |= {*game.pieces}
    while more := {b for a, b in rules.promoted_piece_type.items() if a in seen} - seen:
        seen |= more
    for letter in game.pieces:
        if letter not in seen:
            yield f"pieces.{letter}: it is nowhere at the start, and nothing becomes it"
    for key in ("flag_piece", "extinction_piece_types", "connect_piece_types"):
        region = key != "flag_piece" or any(rules.flag_region)
        for letters in getattr(rules, key) if region else ():
            if letters and letters != frozenset("*") and not letters & seen:
                yield f"{key}: {''.join(sorted(letters))} is nowhere at the start"
                break


def _droppable(game: Definition, start: PositionData) -> set[str]:
    """Return the letters of what may come into a hand."""
    rules = game.rules
    if not rules.piece_drops:
        return set()
    if rules.free_drops or rules.captures_to_hand:
        return {*game.pieces} - {game.royal}
    return {sign.upper() for sign, count in start.hands.items() if count}


def _hands(game: Definition, start: PositionData) -> Iterator[str]:
    rules = game.rules
    held = any(start.hands.values())
    if rules.piece_drops and not (held or rules.captures_to_hand or rules.free_drops):
        yield "piece_drops: no piece ever comes into a hand"
    if rules.captures_to_hand and not (rules.piece_drops or rules.seirawan_gating):
        yield "captures_to_hand: nothing is dropped without piece_drops"
    if rules.seirawan_gating and not held and not rules.captures_to_hand:
        yield "seirawan_gating: no piece ever comes into a hand"
    if rules.seirawan_gating and not start.gates:
        yield "seirawan_gating: no piece may gate at the start"
    for key in ("drop_checks", "must_drop", "drop_promoted", "drop_loop"):
        if getattr(rules, key) != (key == "drop_checks") and not has_drops(game):
            yield f"{key}: it means nothing without drops"


def has_drops(game: Definition) -> bool:
    """Return whether a side may drop or gate pieces."""
    return game.rules.piece_drops or game.rules.seirawan_gating


def _castling(game: Definition, start: PositionData) -> Iterator[str]:
    if game.idle_rights and not game.rules.castling_dropped_piece:
        yield f"start: for the rights {game.idle_rights} there is no way to castle"
    if game.ways and not start.castling and not game.rules.castling_dropped_piece:
        yield "castling: the start position has no right to castle"


def _can_end(game: Definition) -> bool:
    rules = game.rules
    return (
        rules.extinction_value != "none"
        or any(rules.flag_region)
        or any(rules.connect_region1)
        or rules.stalemate_value != "draw"
        or rules.material_counting != "none"
        or rules.stalemate_piece_count
        or rules.adjudicate_full_board
        or any(getattr(rules, key) for key in _ENDS)
        or rules.n_fold_value != "draw"
    )
