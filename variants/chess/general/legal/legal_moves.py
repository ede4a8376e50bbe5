"""The legal moves: pseudo-legal ones, with walls and gates, that all rules allow."""

from __future__ import annotations

from ryugi_engine.kernel.abi import MAX_MOVES, OVERFULL
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.ends.endings import game_result
from variants.chess.general.legal.legality import (
    both_boards_allow,
    king_allows,
    leaves_king_safe,
    rules_allow,
)
from variants.chess.general.legal.pins import add_royal_pins, find_pins, find_their_pins
from variants.chess.general.legal.royalty import find_pseudo_royals, pseudo_royals_allow
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import has, walls_of
from variants.chess.general.moves.attacks import distance, is_attacked
from variants.chess.general.moves.makemove import make
from variants.chess.general.moves.movegen import list_pseudo
from variants.chess.general.moves.moves import (
    choice_of,
    fits,
    kind_of,
    moved_code,
    origin_of,
    put_move,
    square_of,
    takes,
    target_of,
    turned_piece,
)
from variants.chess.general.moves.resting_promotions import promotes_at_rest
from variants.chess.general.moves.useful_walls import keep_useful_walls, weigh_walls
from variants.chess.general.moves.walls import ARROW, DUCK, STATIC, list_walls, show_walls

#: Distance from a list to that of the moves which get walls or gates. A list that has grown beyond
#: MAX_MOVES by all forms of one move ends before it.
BEHIND = 2 * MAX_MOVES
#: Which moves are kept.
_CAPTURES, _DROPS, _NO_PASSES = range(3)


@kernel
def _may_gate(t, frame, us, kind, square):
    """Return whether a side may gate a piece on a square that its piece leaves."""
    code = kind + L.BLACK * us
    if frame.hand[code] == 0 or (t.royal[code] and frame.king[us] >= 0):
        return False
    return has(t.drop_zone[code], square)


@kernel
def _gate(t, S, frame, us, move, square, out):
    """List a move with every piece that it may gate on a square; return their number."""
    place = L.AT_ORIGIN if square == origin_of(move) else L.AT_PARTNER
    n = 0
    for kind in range(1, t.kinds + 1):
        if _may_gate(t, frame, us, kind, square):
            put_move(S, out + n, move | place << 19 | kind << 23)
            n += 1
    return n


@kernel
def gates_on(t, frame, us, square):
    """Return how many pieces a side may gate on a square that its piece leaves."""
    n = 0
    for kind in range(1, t.kinds + 1):
        n += 1 if _may_gate(t, frame, us, kind, square) else 0
    return n


@kernel
def add_gates(t, S, frame, us, first, n, out):
    """List ``n`` moves from ``first`` with every piece that they may gate; return their number."""
    count = 0
    for i in range(n):
        if count > MAX_MOVES:
            return OVERFULL
        move = load32(S, first + i)
        put_move(S, out + count, move)
        count += 1
        origin, kind = origin_of(move), kind_of(move)
        if kind not in (L.NORMAL, L.CASTLE, L.EN_PASSANT) or not has(frame.gates, origin):
            continue
        target = target_of(move)
        if kind == L.CASTLE:
            beside = target - 1 if target > origin else target + 1
            if origin not in (target, beside):
                count += _gate(t, S, frame, us, move, origin, out + count)
            for j in range(t.ways[us]):
                way = t.way[us][j]
                if way.king == origin and way.king_to == target and has(frame.gates, way.rook):
                    if way.rook not in (target, beside):
                        count += _gate(t, S, frame, us, move, way.rook, out + count)
        else:
            count += _gate(t, S, frame, us, move, origin, out + count)
    return count


@kernel
def _gives_check(T, S, f, us, move):
    """Return whether a move attacks the enemy's king."""
    g = make(T, S, f, move)
    king = L.FRAME(S, g).king[1 - us]
    return king >= 0 and is_attacked(T, S, g, king, us)


@kernel
def _may_give_check(t, S, f, us, move):
    """Return whether a move may attack the enemy's king."""
    frame = L.FRAME(S, f)
    pins = L.STATE(S).scratch.pins[1]
    king = frame.king[1 - us]
    kind = kind_of(move)
    if king < 0:
        return False
    if kind not in (L.NORMAL, L.DROP, L.PROMOTION) or pins.slow or t.blast_on_capture:
        return True
    target = target_of(move)
    code = moved_code(frame, us, move)
    if kind == L.PROMOTION:
        code = t.promotion[us][choice_of(move)]
    if has(pins.opening, target) or t.reach[code][distance(target, king)]:
        return True
    if kind == L.DROP:
        return choice_of(move) != 0  # dropped as what it promotes to
    return has(pins.sensitive, origin_of(move))


@kernel
def _is_surely_safe(t, frame, pins, us, move):
    """Return whether a move surely exposes no royal piece; else that has to be tried."""
    kind = kind_of(move)
    if kind not in (L.NORMAL, L.DROP, L.PROMOTION, L.PIECE_PROMOTION):
        return False
    if (pins.slow | pins.checkers | t.flip_enclosed_pieces) != 0:
        return False
    target = target_of(move)
    if has(pins.opening, target):
        return False
    if t.walling_rule and (t.wall_or_move or has(pins.opening, square_of(move))):
        return False
    code = moved_code(frame, us, move)
    if t.royal[code] | t.extinction_piece_types[code]:
        return False
    if kind == L.DROP:
        return choice_of(move) == 0
    if has(pins.sensitive, origin_of(move)):
        return False
    if kind == L.PROMOTION and t.extinction_piece_types[t.promotion[us][choice_of(move)]]:
        return False
    if kind == L.PIECE_PROMOTION and t.extinction_piece_types[turned_piece(t, code, move)]:
        return False
    return frame.board[target] == 0 or not (t.blast_on_capture | t.petrify)


@kernel
def _is_legal(t, T, S, f, us, move):
    frame = L.FRAME(S, f)
    if t.alice_boards:
        return both_boards_allow(T, S, f, us, move)
    if t.plain:
        return king_allows(T, S, f, us, move)
    if t.move_rules and not rules_allow(T, S, f, us, move):
        return False
    if t.sittuyin_promotion and promotes_at_rest(move) and _gives_check(T, S, f, us, move):
        return False
    if not t.checking or (not t.drop_checks and kind_of(move) == L.DROP):
        if _may_give_check(t, S, f, us, move) and _gives_check(T, S, f, us, move):
            return False
    if _is_surely_safe(t, frame, L.STATE(S).scratch.pins[0], us, move):
        return True
    if t.extinction_pseudo_royal:
        if not pseudo_royals_allow(T, S, f, us, move):
            return False
        return leaves_king_safe(T, S, f, us, move)
    return king_allows(T, S, f, us, move)


@kernel
def _only(S, frame, first, n, wanted):
    """Keep the wanted ones of ``n`` moves from ``first`` on; return their number."""
    kept = 0
    for i in range(n):
        move = load32(S, first + i)
        suits = takes(frame, move)
        if wanted == _DROPS:
            suits = kind_of(move) == L.DROP
        elif wanted == _NO_PASSES:
            suits = kind_of(move) != L.PASS
        if suits:
            put_move(S, first + kept, move)
            kept += 1
    return kept


@kernel
def _rather(S, frame, first, n, wanted):
    """Keep the wanted moves, or all if there are none; return their number."""
    kept = _only(S, frame, first, n, wanted)
    return kept if kept != 0 else n


@kernel
def _must_drop(t, S, frame, us, out, n):
    """Apply the rule that pieces in hand are dropped first."""
    held = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        if t.must_drop_type[code]:
            held += frame.hand[code]
    if held == 0:
        return n
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        if kind_of(move) != L.DROP or t.must_drop_type[origin_of(move) + L.BLACK * us]:
            put_move(S, out + kept, move)
            kept += 1
    return _rather(S, frame, out, kept, _DROPS)


@kernel
def has_no_royalty(t, frame, us):
    """Return whether no move of a side can be illegal on account of royal pieces."""
    if frame.king[us] >= 0 or t.piece_drops:
        return False
    per_move = t.move_rules | t.extinction_pseudo_royal | (1 - t.checking) | t.bikjang_rule
    return per_move == 0


@routine
def only_legal(T, S, f, us, first, n):
    """Keep the legal ones of ``n`` moves from ``first`` on; return their number."""
    t = L.TABLES(T)
    if has_no_royalty(t, L.FRAME(S, f), us):
        return n
    kept = 0
    for i in range(n):
        move = load32(S, first + i)
        if _is_legal(t, T, S, f, us, move):
            put_move(S, first + kept, move)
            kept += 1
    return kept


@routine
def _with_walls(T, S, f, us, first, n, walls, out):
    """List the legal ones of ``n`` moves from ``first`` on, each with its walls; their number.

    With ``walls`` not 0, so many of the most useful ones.
    """
    if walls != 0 and n != 0:  # most leaves have no capture
        weigh_walls(T, S, f, us, first + n)
    count = 0
    for i in range(n):
        if count > MAX_MOVES:
            return OVERFULL
        forms = list_walls(T, S, f, us, load32(S, first + i), out + count)
        if walls != 0:
            forms = keep_useful_walls(S, out + count, forms, walls)
        count += only_legal(T, S, f, us, out + count, forms)
    return count


@routine
def note_pins(T, S, f, us):
    """Compute checks and pins of a side into the state's scratch, before its moves are filtered."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    find_pins(T, S, f, us)
    if t.extinction_pseudo_royal:
        find_pseudo_royals(T, S, f)
        walls = walls_of(t, frame)
        if t.walling_rule == DUCK:  # it leaves with every move
            show_walls(frame, walls, 0)
        add_royal_pins(T, S, f, us)
        if t.walling_rule == DUCK:
            show_walls(frame, walls, L.WALL)
    if not t.checking or not t.drop_checks:
        find_their_pins(T, S, f, us)
    return 0


@routine
def _captures(T, S, f, us, out):
    """List the legal captures, which come before all other moves; return their number."""
    frame = L.FRAME(S, f)
    n = list_pseudo(T, S, f, us, L.TABLES(T).must_capture, out)
    if not fits(out, n):
        return OVERFULL
    return only_legal(T, S, f, us, out, _only(S, frame, out, n, _CAPTURES))


@routine
def list_legal(T, S, f, us, tactical, walls, out):
    """List the legal moves from ``out`` on; return their number, 0 if the game is over.

    With ``walls`` not 0 at most so many of a move's walls are listed, where there are many and none
    is illegal. If there are more than MAX_MOVES the number is larger, and what was written is void.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    if t.ends and game_result(T, S, f):
        return 0
    copied = t.walling_rule != 0 or (t.seirawan_gating != 0 and frame.held[us] != 0)
    first = out + BEHIND if copied else out
    note_pins(T, S, f, us)
    if t.must_capture and copied == 0:
        kept = _captures(T, S, f, us, out)
        if kept != 0:
            return kept
    n = list_pseudo(T, S, f, us, tactical, first)
    if not fits(first, n):
        return OVERFULL
    if t.walling_rule:
        many = t.walling_rule in (ARROW, DUCK, STATIC) and has_no_royalty(t, frame, us)
        kept = _with_walls(T, S, f, us, first, n, walls if many else 0, out)
        first = out
    else:
        kept = only_legal(T, S, f, us, first, n)
    if kept > MAX_MOVES:
        return OVERFULL
    if not t.plain:
        if t.must_capture:
            kept = _rather(S, frame, first, kept, _CAPTURES)
        if t.must_drop:
            kept = _must_drop(t, S, frame, us, first, kept)
        if t.pass_on_stalemate[us]:
            kept = _rather(S, frame, first, kept, _NO_PASSES)
    if first != out:
        kept = add_gates(t, S, frame, us, first, kept, out)
    return kept
