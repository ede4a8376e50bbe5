"""A game without one of its rules: what is then different shows whether that rule matters."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from variants.chess.definition.definition import Definition
from variants.chess.definition.game_rules import NONE, NOWHERE, Rules, meanings
from variants.chess.family.exposed import read_position

#: Keys that are no rule by themselves, or that others below have together.
_PASSED_OVER = {
    "castling_rook_pieces", "lone_minors", "promotion", "promoted_piece_type", "n_move_rule",
    "n_move_limit", "n_fold_rule", "n_fold_limit", "stalemate_value", "extinction_piece_types",
    "extinction_piece_count", "extinction_opponent_piece_count", "flag_piece", "flag_piece_count",
    "connect_piece_types",
}  # fmt: skip


#: What stands for no squares and no pieces; the defaults of such keys may be texts.
_OFF = {
    rule.name: NOWHERE if rule.metadata["kind"] == "region" else NONE
    for rule in fields(Rules)
    if rule.metadata["kind"] in ("region", "set")
}
#: What a start's text may not have without a rule: pieces in hand, rights, numbers of checks.
_EXTRAS = (r"(?!)", r"\[[^]]*\]", r" [0-9]\+[0-9]", r"(?<= [wb] )\S+")


def _started(game: Definition) -> Definition | None:
    """Return a game whose start can be read; None if it cannot."""
    for extra in _EXTRAS:
        start = re.sub(extra, "-" if extra.endswith("S+") else "", game.start, count=1)
        with contextlib.suppress(ValueError):
            read_position(game, start)
            return replace(game, start=start)
    return None


def _castling(game: Definition) -> Definition | None:
    if not game.ways:
        return None
    board, side, _rights, *rest = game.start.split()
    start = " ".join([board, side, "-", *rest])
    return replace(game, ways=(), castling_texts={}, castlers={}, idle_rights="", start=start)


def _changed(game: Definition, **rules: object) -> Definition | None:
    return _started(replace(game, rules=replace(game.rules, **rules)))  # type: ignore[arg-type]


def _double_step(game: Definition) -> Definition | None:
    initial = any(move.initial for piece in game.pieces.values() for move in piece.moves)
    pawn = game.pawn in game.pieces and game.pieces[game.pawn].moves
    there = (pawn or initial) and any(game.rules.double_step_region)
    return _changed(game, double_step_region=NOWHERE) if there else None


def _en_passant(game: Definition) -> Definition | None:
    rules = game.rules
    there = _double_step(game) and any(rules.en_passant_types) and any(rules.en_passant_region)
    return _changed(game, en_passant_types=NONE) if there else None


def _promotion(game: Definition) -> Definition | None:
    rules = game.rules
    if rules.promoted_piece_type:
        return _changed(game, promoted_piece_type={})
    there = any(rules.promotion) and any(rules.promotion_pawn_types)
    return _changed(game, promotion_pawn_types=NONE) if there else None


def _move_rule(game: Definition) -> Definition | None:
    return _changed(game, n_move_rule=0, n_move_limit=0) if game.rules.n_move_rule else None


def _repetition(game: Definition) -> Definition | None:
    return _changed(game, n_fold_rule=0, n_fold_limit=0) if game.rules.n_fold_rule else None


def _stalemate(game: Definition) -> Definition | None:
    other = {"draw": "loss", "loss": "draw", "win": "draw"}[game.rules.stalemate_value]
    return _changed(game, stalemate_value=other)


#: Rules that many games have, by their names.
_USUAL: dict[str, Callable[[Definition], Definition | None]] = {
    "castling": _castling,
    "the double step": _double_step,
    "en passant": _en_passant,
    "promotion": _promotion,
    "the result of stalemate": _stalemate,
    "repetition": _repetition,
    "the draw after many moves without progress": _move_rule,
}


#: What rules are called that are often told by another name than their key.
_NAMES = {
    "flag_region": "the goal",
    "gating": "gating",
    "seirawan_gating": "gating",
    "check_counting": "counting checks",
    "piece_drops": "drops",
    "captures_to_hand": "captures to hand",
    "walling_rule": "walls",
    "must_capture": "having to capture",
    "extinction_value": "extinction",
}


def without(game: Definition) -> Iterator[tuple[str, Definition]]:
    """Yield a game without one of its rules each, and what that rule is called.

    A rule that is not usual is called by its key and its meaning.
    """
    for name, change in _USUAL.items():
        changed = change(game)
        if changed is not None:
            yield name, changed
    for key in game.unusual_rules():
        if key not in _PASSED_OVER:
            changed = _changed(game, **{key: _OFF.get(key, getattr(Rules(), key))})
            if changed is not None:
                yield f"{_NAMES.get(key, key)} ({_clause(key)})", changed


def _clause(key: str) -> str:
    """Return a rule's meaning as a clause."""
    text = re.sub(r", see \[.*", "", meanings()[key].partition(".")[0])
    return text[:1].lower() + text[1:]
