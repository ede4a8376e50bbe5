"""Captures on the way, pieces that are not traded, and bare kings, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from variants.chess.definition.definition import Definition, Move
from variants.chess.gui import rules_words as words
from variants.chess.notation.castling_text import ends


def bare_king(game: Definition) -> Iterator[str]:
    """Yield when a side loses that has only its royal piece left."""
    rules = game.rules
    if not rules.bare_king_rule:
        return
    kings = words.listed(game, rules.extinction_piece_types[0], "or", words.name)
    yield f"A side loses that has only a {kings} left, if the other has any other piece."
    yield f"It does not while its {kings} is next to the only other piece, or attacks a royal one."
    minor = rules.bare_king_minor_types[0]
    if minor:
        yield f"{words.listed(game, minor, 'and', words.plural)} are no other piece in this sense."
    yield "If neither side has more, the game is drawn. What can never move again does not count."


def lions(game: Definition) -> Iterator[str]:
    """Yield which pieces capture on the way or pass, and which are not traded."""
    twice = [p for p, piece in game.pieces.items() if any(map(_captures_on_way, piece.moves))]
    if twice:
        which = words.listed(game, twice, "or", words.a)
        yield f"{which} may capture on the way, and go on or come back, as the diagram shows."
    passing = [p for p, piece in game.pieces.items() if any(_passes(game, m) for m in piece.moves)]
    if passing:
        which = words.listed(game, passing, "or", words.a)
        yield f"{which} may pass, by a step to an empty square and back."
    yield from _trades(game)


def _trades(game: Definition) -> Iterator[str]:
    """Yield the rules about trading lions."""
    types, bait = game.rules.lion_types[0], game.rules.lion_bait_types[0]
    if not types:
        return
    lion = words.listed(game, types, "or", words.a)
    yield f"{lion} captures any {words.listed(game, types, 'or', words.name)} next to it."
    yield f"Farther away it captures {lion} only where no enemy could capture back."
    if bait:
        other = words.listed(game, bait, "or", words.a)
        yield f"It may do so anywhere if it captures another piece on its way, but not {other}."
    yield f"When another piece has captured {lion}, only {lion} captures one elsewhere in reply."


def _captures_on_way(move: Move) -> bool:
    return any("c" in leg.enter or "d" in leg.enter for leg in move.legs[:-1])


def _passes(game: Definition, move: Move) -> bool:
    """Return whether a move may end where it began, without a capture."""
    free = all("m" in leg.enter for leg in move.legs)
    return bool(move.legs) and free and (0, 0) in ends(move, (0, 0), game.files)
