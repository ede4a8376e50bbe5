"""Which few pieces mate a bare king: found by games of the engine against itself.

Games with tablebases play exactly. In others a mate that is found is one; that none was found in a
few games is no proof that there is none.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.study.balance import Games
from ryugi_engine.study.estimates import Figure, share

#: Games of each set, plies of a game at most, and positions that are drawn until one is legal.
GAMES, PLIES, _TRIES = 10, 160, 200
#: Kinds of pieces of which pairs are tried: more make too many.
_MOST = 12


def sets_of(game: Game) -> list[str]:
    """Return the pieces, and pairs of them, that are tried: those that neither promote nor reign.

    Empty where mate of a king is no aim.
    """
    if not game.royal or game.placed or not game.pieces:
        return []
    left_out = {game.royal, game.pawn, *game.promotes, *game.neutral}
    kinds = [kind for kind, moves in game.pieces.items() if kind not in left_out and moves]
    if game.promoted:
        kinds = [kind for kind in kinds if kind not in game.promoted]
    pairs = combinations_with_replacement(kinds[:_MOST], 2)
    return [*kinds, *("".join(pair) for pair in pairs)]


def ending(game: Game, pieces: str, source: random.Random) -> Position | None:
    """Return a random position of a king with pieces, to move, against a bare king."""
    rules = rules_of(game)
    places = rules.places()
    for _ in range(_TRIES):
        editor = rules.editor(game.start)
        for side, hand in enumerate(editor.hands()):
            for letter, count in hand.items():
                if count:
                    editor.hold(letter.lower() if side else letter, -count)
        editor.clear()
        squares = source.sample(places, 2 + len(pieces))
        signs = (game.royal, game.royal.lower(), *pieces)
        for sign, at in zip(signs, squares, strict=True):
            editor.put(sign, square_name(at))
        editor.turn(0)
        try:
            position = Position(game, editor.text())
        except UserError:
            continue
        outcome = position.outcome()
        if outcome is None or outcome.winner is None:
            return position
    return None


def are_exact(game: Game, pieces: str) -> bool:
    """Return whether a tablebase knows a set of pieces, so that the games are played exactly."""
    position = ending(game, pieces, random.Random(0))
    return position is not None and position.rules.tablebase_position(position.state) is not None


class Mate(NamedTuple):
    """How often a set of pieces has mated a bare king."""

    pieces: str
    mates: Figure
    #: Plies to the mate, on average; 0 without one.
    plies: float


def mates_of(sets: Sequence[str], games: Games) -> list[Mate]:
    """Return what is known of each set that was tried."""
    found = []
    for pieces in sets:
        those = [game for game in games if game["set"] == pieces]
        if not those:
            continue
        won = [int(game["plies"]) for game in those if float(game["points"]) == 1]
        found.append(Mate(pieces, share(len(won), len(those)), sum(won) / len(won) if won else 0.0))
    return found
