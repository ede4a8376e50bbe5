"""The rules of a definition in sentences, for people who play the game."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import square_name
from variants.chess.definition import Definition, Region
from variants.chess.game_rules import Rules, meanings
from variants.chess.pictures.figures import names_of
from variants.chess.regions import mirrored

#: What some values of choices mean.
_CHOSEN = {
    ("walling_rule", "arrow"): "A piece that has moved blocks a square, as its move goes.",
    ("walling_rule", "duck"): "After each move the duck goes to another empty square.",
    ("walling_rule", "edge"): "After each move a square at the edge is blocked.",
    ("walling_rule", "past"): "The square that a piece leaves is blocked.",
    ("walling_rule", "static"): "After each move a square is blocked.",
    ("enclosing_drop", "reversi"): "A drop must enclose enemy pieces in a line.",
    ("enclosing_drop", "ataxx"): "A drop must touch a piece of one's own.",
    ("enclosing_drop", "top"): "A dropped piece falls from the top.",
    ("flip_enclosed_pieces", "reversi"): "Enclosed pieces change their colour.",
    ("flip_enclosed_pieces", "ataxx"): "The pieces around change their colour.",
    ("material_counting", "janggi"): "Points for pieces decide in the end.",
    ("material_counting", "unweighted"): "Who has more pieces in the end wins.",
    ("material_counting", "whitedrawodds"): "A draw counts as White's win.",
    ("material_counting", "blackdrawodds"): "A draw counts as Black's win.",
}
#: What switches mean that are on unless a game switches them off.
_OFF = {
    "mandatory_pawn_promotion": "Pawns need not promote.",
    "drop_checks": "Drops must not give check.",
    "checking": "No move may give check.",
    "connect_vertical": "Rows are not vertical.",
    "connect_horizontal": "Rows are not horizontal.",
    "connect_diagonal": "Rows are not diagonal.",
}
#: Rules that only mean something if another is set.
_NEEDS = {
    "promotion_region": ("promotion", "promoted_piece_type"),
    "mandatory_pawn_promotion": ("promotion",),
    "drop_region": ("piece_drops",),
    "must_drop_type": ("must_drop",),
    "walling_region": ("walling_rule",),
    "flag_piece": ("flag_region",),
    "extinction_piece_types": ("extinction_value",),
    "connect_piece_types": ("connect_n", "connect_nxn", "collinear_n"),
    "check_ends_turn": ("moves_a_turn",),
    "n_move_rule_types": ("n_move_rule",),
    "n_fold_value": ("n_fold_rule",),
    "extinction_piece_count": ("extinction_value",),
}
#: Rules about notation, or that the kernels alone look at, and those that have their own sentence.
_LEFT_OUT = {"lone_minors", "castling_rook_pieces", "gating", "soldier_promotion_rank"}
_ALWAYS = ("stalemate_value", "n_move_rule", "n_fold_rule")


def sentences(game: Definition) -> Iterator[str]:
    """Yield what a player must know, a sentence each."""
    yield f"The board has {counted(game.files, 'file')} and {counted(game.ranks, 'rank')}."
    if game.royal and not game.rules.extinction_pseudo_royal:
        yield f"{_piece(game, game.royal)} must not be captured."
    if game.soldier and game.rules.soldier_promotion_rank > 1:
        rank = game.rules.soldier_promotion_rank
        yield f"From rank {rank} on also sideways: {_piece(game, game.soldier)}."
    if game.cannons:
        yield f"{_pieces(game, game.cannons)}: neither leaps over nor captures its like."
    yield from _castling(game)
    plain = Rules()
    for field in dataclasses.fields(Rules):
        value, key = getattr(game.rules, field.name), field.name
        if key in _LEFT_OUT or not _matters(game, key):
            continue
        if value == getattr(plain, key) and key not in _ALWAYS:
            continue
        said = _sentence(game, key, field.metadata["kind"], value)
        if said:
            yield said


def _matters(game: Definition, key: str) -> bool:
    """Return whether a rule that needs others has them."""
    plain, rules = Rules(), game.rules
    if key == "double_step_region":
        return bool(game.pawn) or any(m.initial for p in game.pieces.values() for m in p.moves)
    needed = _NEEDS.get(key, ())
    return not needed or any(
        getattr(rules, one) != getattr(plain, one)
        and getattr(rules, one) not in ((frozenset(), frozenset()), {})
        for one in needed
    )


def _sentence(game: Definition, key: str, kind: str, value: Any) -> str:
    """Return a rule as a sentence; "" if its value says nothing."""
    meaning = re.sub(r", see \[.*\]\(.*\)|; \S+: .*", "", meanings()[key]).rstrip(".")
    meaning = re.sub("`([a-z_]+)`", lambda match: _named(game, match[1]), meaning)
    if kind == "flag":
        return f"{meaning}." if value else _OFF.get(key, "")
    if kind == "flags":
        who = {(True, True): "", (True, False): "White: ", (False, True): "Black: "}
        return f"{who[value]}{meaning}." if any(value) else ""
    if kind == "choice" and (key, value) in _CHOSEN:
        return _CHOSEN[key, value]
    if kind in ("set", "region"):
        shown = _by_colour(game, key, kind, value)
    elif kind in ("number", "choice", "rights"):
        shown = str(value or "")
    else:
        joint = " to " if kind == "pieces" else " "
        shown = _map(game, value, joint)
    return f"{meaning}: {shown}." if shown else ""


def _named(game: Definition, key: str) -> str:
    """Return what stands for a key that another one's comment names."""
    value = getattr(game.rules, key, None)
    if isinstance(value, tuple) and value[0] and isinstance(next(iter(value[0])), str):
        return "all pieces" if "*" in value[0] else _pieces(game, value[0])
    return key.replace("_", " ")  # a value


def _by_colour(game: Definition, key: str, kind: str, value: Any) -> str:
    """Return pieces or squares, Black's only if they are no mirror image; "" if usual."""
    first, second = value
    if kind == "set":
        usual = {game.pawn} if key.endswith("_types") and "extinction" not in key else set()
        if first == second:
            return "" if set(first) in (usual, set(game.pieces)) else _pieces(game, first)
        return f"White {_pieces(game, first) or '-'}, Black {_pieces(game, second) or '-'}"
    if second == mirrored(first, game.ranks) or first == second:
        return "" if len(first) in (0, game.files * game.ranks) else _squares(game, first)
    return f"White {_squares(game, first) or '-'}, Black {_squares(game, second) or '-'}"


def _map(game: Definition, value: Mapping[str, Any], joint: str) -> str:
    """Return a table by pieces: limits, other pieces, or regions."""
    entries = []
    for letter, entry in value.items():
        shown = _piece(game, entry) if isinstance(entry, str) else entry
        if isinstance(entry, tuple):
            shown = _squares(game, entry[0])
        entries.append(f"{_piece(game, letter)}{joint}{shown}")
    return ", ".join(entries)


def _piece(game: Definition, letter: str) -> str:
    name = names_of(game).get(letter, "")
    return f"{name} ({letter})" if name else letter


def _pieces(game: Definition, letters: frozenset[str]) -> str:
    if "*" in letters:
        return "all pieces together"
    return ", ".join(_piece(game, p) for p in game.pieces if p in letters)


def _squares(game: Definition, region: Region) -> str:
    """Return a region in words: ranks, a rectangle, or squares; "" if it is empty."""
    if not region:
        return ""
    files, ranks = sorted({at[0] for at in region}), sorted({at[1] for at in region})
    low, high = (files[0], ranks[0]), (files[-1], ranks[-1])
    if len(region) == (high[0] - low[0] + 1) * (high[1] - low[1] + 1) > 1:
        if high[0] - low[0] + 1 == game.files:
            several = f"ranks {low[1] + 1} to {high[1] + 1}"
            return several if low[1] < high[1] else f"rank {low[1] + 1}"
        return f"{square_name(low)} to {square_name(high)}"
    return " ".join(square_name(at) for at in sorted(region, key=lambda at: at[::-1]))


def _castling(game: Definition) -> Iterator[str]:
    ways = [way for way in game.ways if way.right in "KQ"]
    if ways and game.chess960:
        yield "Castling ends as in the game itself, from any files of king and rook."
    elif ways:
        shown = (
            f"{square_name(way.king_from)}-{square_name(way.king_to)} with"
            f" {square_name(way.rook_from)}-{square_name(way.rook_to)}"
            for way in ways
        )
        yield f"White's castling: {', '.join(shown)}."
