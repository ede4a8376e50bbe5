"""What games are won by, and what else makes one unlike chess, as facts that are compared."""

from __future__ import annotations

from variants.chess.definition.definition import Definition


def loses_pieces(game: Definition) -> bool:
    """Return whether a side wins by losing its pieces."""
    return game.rules.extinction_value == "win"


def aims_of(game: Definition) -> frozenset[str]:
    """Return what a game is won by, and what its pieces do that chess's do not, as phrases.

    How pieces move is not among them.
    """
    rules = game.rules
    dying = frozenset().union(*rules.extinction_piece_types)
    extinct = rules.extinction_value == "loss"
    found = {
        "to lose pieces": loses_pieces(game),
        "to be mated": rules.checkmate_value == "win",
        "to be stalemated": rules.stalemate_value == "win",
        "to stalemate": rules.stalemate_value == "loss",
        "to take all pieces": extinct and "*" in dying,
        # a king that is taken ends other games, too
        "to take all of a kind": extinct and len(dying - {"*"}) + rules.extinction_piece_count > 1,
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
    return frozenset(name for name, held in found.items() if held)


def _armies_are_alike(game: Definition) -> bool:
    """Return whether both sides begin with pieces of the same kinds and numbers."""
    signs = sorted(filter(str.isalpha, game.start.split()[0].partition("[")[0]))
    return sorted(map(str.upper, filter(str.islower, signs))) == [*filter(str.isupper, signs)]
