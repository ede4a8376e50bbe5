"""The group in which a game is listed."""

from __future__ import annotations

from ryugi_engine.games.groups import GROUPS
from ryugi_engine.games.look import CHEQUERED
from variants.chess.definition.appearance import CHESS
from variants.chess.definition.definition import Definition
from variants.chess.pictures.figures import assign

_RYUGI, _CHESS, _LARGE, _SMALL, _DROPS, _PIECES, _RULES, _ASIAN, _OTHERS = GROUPS
_USUAL = ("King", "Queen", "Rook", "Bishop", "Knight")


def group_of(game: Definition) -> str:
    """Return the group in which a game is listed: its own, or the one that its rules give it."""
    look, rules = game.appearance, game.rules
    if look.group:
        return look.group
    if look.board != CHEQUERED or look.piece_set != CHESS:
        return _ASIAN
    if not game.royal and rules.extinction_value == "none":
        return _OTHERS
    if rules.piece_drops or rules.seirawan_gating or rules.captures_to_hand:
        return _DROPS
    if game.files > 8 or game.ranks > 8:
        return _LARGE
    if game.files * game.ranks < 64:
        return _SMALL
    if any(_is_other_goal(rule) for rule in game.unusual_rules()):
        return _RULES
    names, pawns = assign(game), frozenset().union(*rules.promotion_pawn_types)
    placed = {*game.start.split()[0].upper()} & {*game.letters} - pawns
    return _CHESS if all(names.get(letter) in _USUAL for letter in placed) else _PIECES


def _is_other_goal(rule: str) -> bool:
    """Return whether a rule changes what the game is about."""
    beginnings = ("extinction", "flag", "check", "connect", "blast", "walling", "must", "moves_a")
    return rule.startswith(beginnings)
