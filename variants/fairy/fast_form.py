"""Games that the fast family can play: their definitions as its own tables.

The fast family has bitboards and plays these games many times faster.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from ryugi_engine.games.notation import square_name
from variants.chess_family import betza as fast_betza
from variants.fairy.definition import Definition, Rules
from variants.fairy.regions import mirrored

#: Rules that the fast family reads itself, or has in another form.
_READ = (
    "promotion", "promotion_region", "promotion_pawn_types", "double_step_region",
    "en_passant_region", "en_passant_types", "n_move_rule", "n_move_rule_types", "n_fold_rule",
    "drop_region", "walling_region", "must_drop_type", "flag_piece", "connect_piece_types",
    "castling_rook_pieces", "promotion_zone_pawn_drops", "first_rank_pawn_drops",
)  # fmt: skip
_PAWN = "fmWfceF"
_CASTLING = re.compile("i[rls]?j*O[0-9]+")


def fast_table(game: Definition) -> dict[str, Any] | None:
    """Return the fast family's table for a game; None if it has something that is missing there."""
    rules, plain = game.rules, Rules()
    for field in dataclasses.fields(Rules):
        if field.name in _READ:
            continue
        value, default = getattr(rules, field.name), getattr(plain, field.name)
        nothing = field.metadata["kind"] in ("region", "set") and not any(value)
        if value != default and not nothing:
            return None
    last = frozenset((file, game.ranks - 1) for file in range(game.files))
    pawn = frozenset(game.pawn)
    everywhere = frozenset(game.on_board())
    fits = (
        game.royal
        and game.pawn
        and game.betza[game.pawn] in (_PAWN, "fmWfceFifmnD", "ifmnDfmWfceF")
        and rules.promotion[0] == rules.promotion[1]
        and rules.promotion_region == (last, mirrored(last, game.ranks))
        and rules.double_step_region[1] == mirrored(rules.double_step_region[0], game.ranks)
        and rules.promotion_pawn_types == (pawn, pawn)
        and rules.en_passant_types == (pawn, pawn)
        and rules.n_move_rule_types == (pawn, pawn)
        and rules.en_passant_region == (everywhere, everywhere)
        and rules.n_move_rule
        and rules.n_fold_rule
    )
    return _table(game) if fits else None


def _pieces(game: Definition) -> dict[str, str] | None:
    pieces: dict[str, str] = {}
    for letter, text in game.betza.items():
        if letter == game.pawn:
            continue
        moves = _CASTLING.sub("", text)  # castling is among the game's ways
        try:
            fast_betza.parse(moves)
        except ValueError:
            return None
        pieces[letter] = moves
    return pieces


def _table(game: Definition) -> dict[str, Any] | None:
    pieces, castling = _pieces(game), _castling(game)
    if pieces is None or castling is None:
        return None
    rules = game.rules
    fields = game.start.split()
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    if not castling:
        fields[2] = "-"
    room = [at for at in rules.double_step_region[0] if at[1] + 2 < game.ranks]
    table: dict[str, Any] = {
        "title": game.title, "aliases": list(game.aliases), "files": game.files,
        "ranks": game.ranks, "pieces": pieces, "royal": game.royal, "pawn": game.pawn,
        "start": " ".join(fields),
        "promotion": "".join(p for p in pieces if p in rules.promotion[0]),
        "double_step": [square_name(at) for at in sorted(room)],
        "rules": {"claim_moves": rules.n_move_rule, "claim_repetition": rules.n_fold_rule},
        "values": {p: v for p, v in game.values.items() if v >= 1},
    }  # fmt: skip
    if castling:
        table["castling"] = castling
    return table


def _castling(game: Definition) -> Mapping[str, list[str]] | None:
    """Return White's ways to castle; None if Black's are not the same mirrored."""
    ways: dict[str, list[str]] = {}
    for way in game.ways:
        if way.right in "KQ":
            text = " ".join(square_name(at) for at in way[1:])
            ways.setdefault(way.right, []).append(text)
    if not ways and not game.ways:
        return {}
    white = sorted(repr(way[1:]) for way in game.ways if way.right in "KQ")
    black = sorted(
        repr(tuple((file, game.ranks - 1 - rank) for file, rank in way[1:]))
        for way in game.ways
        if way.right in "kq"
    )
    return ways if white == black else None
