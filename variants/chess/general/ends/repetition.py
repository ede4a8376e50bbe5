"""Results: by a rule, repetition, the n-move rule, or no legal move."""

from __future__ import annotations

from ryugi_engine.kernel.abi import DRAWN, HEADER, LOST, ONGOING, WON
from ryugi_engine.kernel.jit import kernel, template
from ryugi_engine.kernel.memory import load32
from ryugi_engine.kernel.repetition import plies_since_repetition
from variants.chess.general.ends.dead import is_dead
from variants.chess.general.ends.endings import counted_material, game_result, turned
from variants.chess.general.ends.repeated_moves import (
    REPEATED,
    back_and_forth,
    is_perpetual_attack,
    is_perpetual_chase,
    is_perpetual_check,
)
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import PLAY
from variants.chess.general.memory.sets import any_of, pop, squares_of
from variants.chess.general.moves.attacks import attacks
from variants.chess.general.moves.en_passant import list_aside
from variants.chess.general.moves.honour_counts import is_count_over
from variants.chess.general.moves.moves import kind_of
from variants.chess.general.moves.resting_promotions import is_bare_pawn, promotes_at_rest

_KEY = L.FRAME.word("key")
#: Checks of a side that count for the n-move rule in games with chases.
COUNTED_CHECKS = 10


@kernel
def _fold_result(t, T, S, f, back):
    """Return the result of a repetition over ``back`` plies."""
    frame = L.FRAME(S, f)
    theirs, ours = False, False
    if t.perpetual_check_illegal:
        # ``checked`` of a frame says that the move before it gave check
        theirs = is_perpetual_check(S, f, back, True)
        ours = is_perpetual_check(S, f, back, False)
        if theirs != ours:
            L.STATE(S).scratch.repeats = L.PERPETUAL_CHECK
            return WON if theirs else LOST
    if t.chasing_rule and not theirs:
        theirs = is_perpetual_chase(T, S, f, back, True)
        ours = is_perpetual_chase(T, S, f, back, False)
        if theirs != ours:
            L.STATE(S).scratch.repeats = L.PERPETUAL_CHASE
            return WON if theirs else LOST
    if t.perpetual_attack_illegal and not theirs:
        theirs = is_perpetual_attack(T, S, f, back, True)
        if theirs != is_perpetual_attack(T, S, f, back, False):
            L.STATE(S).scratch.repeats = L.PERPETUAL_ATTACK
            return WON if theirs else LOST
    result = t.n_fold_value
    if t.n_fold_value_absolute and frame.side == 1:
        result = turned(result)
    if result == DRAWN and t.material_counting:
        return counted_material(t, frame, frame.side)
    return result


@kernel
def _only_promotes(S):
    """Return whether the side to move has moves, and all are promotions: then it need not move."""
    n = list_aside(S)
    only = n != 0
    for i in range(n):
        only = only and promotes_at_rest(load32(S, L.LISTS_ASIDE + i))
    return only


@kernel
def _uncounted_plies(t, S, f):
    """Return how many plies do not count for the n-move rule: a side's checks beyond the tenth.

    The side that has given more of them decides. Source: rules of the Asian Xiangqi Federation,
    2017, as Fairy-Stockfish reads them (its issue 405).
    """
    if t.chasing_rule == 0:
        return 0
    frame = L.FRAME(S, f)
    theirs, ours = 0, 0
    for ply in range(min(frame.clock, frame.null_distance)):
        checked = L.FRAME(S, f - ply * L.FRAME_WORDS).checked
        if ply & 1:
            ours += checked
        else:
            theirs += checked
    return 2 * max(max(theirs, ours) - COUNTED_CHECKS, 0)


@template(2, PLAY)
def status(S: int, plies: int) -> int:
    """Return the result by a rule, a dead position, repetition or the n-move rule, else ONGOING."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    if t.ends:
        result = game_result(T, S, f)
        if result != ONGOING:
            return result
    if t.dead and is_dead(t, frame):
        return DRAWN
    if t.sittuyin_promotion and is_bare_pawn(t, frame, frame.side) and _only_promotes(S):
        return DRAWN
    if t.n_fold_rule and frame.null_distance >= 4:
        reach = frame.null_distance
        if not t.captures_to_hand:
            reach = min(reach, frame.clock)
        step = 1 if t.long_turns else 2
        L.STATE(S).scratch.repeats = 0
        if t.move_repetition_illegal:
            moves = back_and_forth(T, S, f)
            if moves == REPEATED:
                L.STATE(S).scratch.repeats = L.REPEATED_MOVES
                return WON
            # who goes on with it loses sooner than the line is drawn
            plies = plies if moves < 2 else 0
        back = plies_since_repetition(S, f, L.FRAME_WORDS, _KEY, reach, step, plies, t.n_fold_rule)
        if back != 0:
            return _fold_result(t, T, S, f, back)
    limit = 2 * t.n_move_rule
    if limit and frame.clock >= limit and frame.clock - _uncounted_plies(t, S, f) >= limit:
        # mate takes precedence
        if not frame.checked or list_aside(S):
            if not t.material_counting:
                return DRAWN
            return counted_material(t, frame, frame.side)
    if t.counting_rule and is_count_over(frame):
        if not frame.checked or list_aside(S):
            return DRAWN
    return ONGOING


@kernel
def _mated_by_pawn_drop(t, T, S, f, us):
    """Return whether the drop of a pawn mates where that is forbidden."""
    frame = L.FRAME(S, f)
    king = frame.king[us]
    if king < 0 or frame.last == 0 or kind_of(frame.last) != L.DROP:
        return False
    checkers = 0
    enemies = squares_of(t, frame.by_color[1 - us])
    while any_of(enemies):
        square, enemies = pop(enemies)
        code = frame.board[square]
        if attacks(T, S, f, code, square, king):
            if not t.mates_in_vain[code]:
                return False
            checkers += 1
    return checkers != 0


@kernel
def _checks_of(t, T, S, f, us):
    """Return by which sorts of pieces a side is in check: OF_KNIGHT, OF_ROOK, or 4 for others."""
    frame = L.FRAME(S, f)
    found = 0
    left = squares_of(t, frame.by_color[1 - us])
    while any_of(left):
        square, left = pop(left)
        code = frame.board[square]
        if attacks(T, S, f, code, square, frame.king[us]):
            found |= t.shak[code] if t.shak[code] else 4
    return found


@kernel
def _mate_in_shatar(t, T, S, f, us):
    """Return the result of a mate: by the pieces that gave the checks one after the other."""
    if _checks_of(t, T, S, f, us) == L.OF_KNIGHT:
        return WON
    at = f
    while L.FRAME(S, at).checked:
        if _checks_of(t, T, S, at, us) & (L.OF_KNIGHT | L.OF_ROOK):
            return t.checkmate_value
        if L.FRAME(S, at).null_distance < 2:
            return DRAWN
        at -= 2 * L.FRAME_WORDS
    return DRAWN


@template(1, PLAY)
def no_moves(S: int) -> int:
    """Return the result of a position without a legal move: checkmate or stalemate."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    us = frame.side
    if frame.checked:
        if t.shatar_mate_rule:
            return _mate_in_shatar(t, T, S, f, us)
        if t.shogi_pawn_drop_mate_illegal and _mated_by_pawn_drop(t, T, S, f, us):
            return WON
        return t.checkmate_value
    result = t.stalemate_value
    if t.stalemate_piece_count:
        difference = frame.pieces[us] - frame.pieces[1 - us]
        if difference == 0:
            return DRAWN
        result = t.stalemate_value if difference < 0 else turned(t.stalemate_value)
    if result == DRAWN and t.material_counting:
        return counted_material(t, frame, us)
    return result
