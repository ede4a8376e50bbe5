"""By what games are compared: how their pieces move, what they are won by, their boards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from variants.chess.definition.definition import Definition, Kind


class Likeness(NamedTuple):
    """What a game is like, as facts: no names and no order of letters."""

    board: tuple[int, int]
    #: Keys of the kinds on the board, and of those that may be in hand.
    kinds: frozenset[str]
    hands: frozenset[str]
    aims: frozenset[str]


def class_of(game: Definition, kind: Kind) -> str:
    """Return the key of kinds that are alike: they move alike, and are royal, and promote.

    Pieces that turn over as they move are like those of such games alone.
    """
    pawns = game.rules.promotion_pawn_types[0] | game.rules.promotion_pawn_types[1]
    moves = sorted(map(repr, game.pieces[kind.moves_as].moves))
    facts = repr((moves, kind.moves_as in kings(game), kind.sign in pawns))
    facts += " turns over" * game.rules.piece_demotion
    return hashlib.sha256(facts.encode()).hexdigest()[:16]


def kings(game: Definition) -> frozenset[str]:
    """Return the pieces whose loss ends a game as a king's does: a side has one of each."""
    if game.royal:
        return frozenset(game.royal)
    dying = frozenset().union(*game.rules.extinction_piece_types)
    white = [*filter(str.isupper, game.start.split()[0].partition("[")[0])]
    ends = game.rules.extinction_value == "loss" and not game.rules.extinction_piece_count
    return dying if ends and len(dying) == 1 and white.count(*dying) == 1 else frozenset()


def likeness_of(game: Definition, held: Iterable[str]) -> Likeness:
    """Return what a game is like; pieces of the kinds ``held`` may be in hand."""
    classes = {kind.sign: class_of(game, kind) for kind in game.kinds()}
    hands = frozenset(classes[sign] for sign in held)
    return Likeness((game.files, game.ranks), frozenset(classes.values()), hands, aims_of(game))


LOSES_PIECES = "to lose pieces"
A_KIND = "to take all of a kind"


def aims_of(game: Definition) -> frozenset[str]:
    """Return what a game is won by, and what its pieces do that chess's do not, as phrases.

    How pieces move is not among them. Where a kind has to be taken, each such kind is one, by key.
    """
    rules = game.rules
    dying = frozenset().union(*rules.extinction_piece_types)
    extinct = rules.extinction_value == "loss"
    found = {
        LOSES_PIECES: rules.extinction_value == "win",
        "to be mated": rules.checkmate_value == "win",
        "to be stalemated": rules.stalemate_value == "win",
        "to stalemate": rules.stalemate_value == "loss",
        "to take all pieces": extinct and "*" in dying,
        A_KIND: extinct and not (dying <= kings(game) and not game.royal),
        "to give checks": rules.check_counting,
        "to reach squares": any(rules.flag_region),
        "to make a row": bool(rules.connect_n or rules.connect_nxn or rules.collinear_n),
        "to count pieces": rules.material_counting != "none",
        "captures are compulsory": rules.must_capture,
        "captures explode": rules.blast_on_capture,
        "captured pieces are dropped": rules.captures_to_hand,
        "pieces are dropped from anywhere": rules.free_drops,
        "the armies differ": not _armies_are_alike(game),
        "there are walls": rules.walling_rule != "none",
        "no check is given": not rules.checking,
        "several moves make a turn": game.has_long_turns(),
    }
    aims = {name for name, held in found.items() if held}
    if A_KIND in aims:
        movers = (kind for kind in game.kinds() if kind.moves_as in dying)
        aims.update(f"{A_KIND}: {class_of(game, kind)}" for kind in movers)
    return frozenset(aims)


def _armies_are_alike(game: Definition) -> bool:
    """Return whether both sides begin with pieces of the same kinds and numbers."""
    signs = sorted(filter(str.isalpha, game.start.split()[0].partition("[")[0]))
    return sorted(map(str.upper, filter(str.islower, signs))) == [*filter(str.isupper, signs)]
