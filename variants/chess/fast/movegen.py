"""Legal move generation: pins and checks from the king's rays, then all pieces of a type.

One body serves listing and counting (popcounts at the leaves of perft); the compiler specialises it
for both and for both colours. A pinned piece keeps its moves along the pin, and can never parry a
check.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import TACTICAL
from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import call5, ctz
from ryugi_engine.kernel.move_list import listing, put
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import attacked, diag_attacks, ortho_attacks, rider_attacks
from variants.chess.fast.pawns import Position, pawn_moves, put_targets
from variants.chess.fast.special import castles, en_passant


@routine
def _pinned_moves(position, square, line, moves):
    """Add the moves of a pinned piece along its pin, ``line``, which includes the pinner."""
    t = position.t
    sets = position.frame.by_type
    if sets[L.PAWN].has(square) != 0:
        return pawn_moves(position, one(square), line, moves)
    targets = bits(0, 0)
    if sets[L.ORTHO].has(square) != 0:
        targets = ortho_attacks(t, square, position.occupied)
    if sets[L.DIAG].has(square) != 0:
        targets |= diag_attacks(t, square, position.occupied)
    if sets[L.RIDER].has(square) != 0:
        targets |= rider_attacks(t, square, position.occupied)
    for group in range(t.leaper_sets):
        if sets[L.LEAPER + group].has(square) != 0:
            targets |= t.leaps[group][square]
    if position.kind == TACTICAL:
        targets &= position.them
    return put_targets(moves, square, targets & line)


@kernel
def _set_moves(position, pieces, component, targets, moves):
    """Add the moves of all pieces of one component to the targets.

    One loop for each word: popping squares from both words without a branch makes a long chain of
    dependent instructions, and measured a quarter slower.
    """
    t = position.t
    left = pieces.lo
    base = 0
    for _word in range(2):
        while left != 0:
            square = ctz(left) + base
            left &= left - 1
            if component == L.ORTHO:
                reach = ortho_attacks(t, square, position.occupied)
            elif component == L.DIAG:
                reach = diag_attacks(t, square, position.occupied)
            elif component == L.RIDER:
                reach = rider_attacks(t, square, position.occupied)
            else:
                reach = t.leaps[component - L.LEAPER][square]
            moves = put_targets(moves, square, reach & targets)
        left = pieces.hi
        base = 64
    return moves


@kernel
def _king_moves(position, targets, moves):
    """Add king moves to targets that are not attacked once the king has left its square."""
    t = position.t
    king = position.king
    occupied = position.occupied & ~one(king)
    targets &= t.rays[king].king
    while targets:
        to, targets = targets.pop()
        if not attacked(t, position.frame, position.us, to, position.them, occupied):
            moves = put(moves, king | to << 7)
    return moves


@kernel
def generate(S, T, f, us, kind, empty):
    """Return the empty list with the legal moves of ``us`` in frame ``f``, of a kind of abi's."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    own = frame.by_color[us]
    them = frame.by_color[1 - us]
    king = frame.king[us]
    position = Position(t, frame, us, king, own, them, own | them, kind)
    moves = empty

    # checks and pins by riders on the king's rays
    rays = t.rays[king]
    snipers = frame.by_type[L.ORTHO] & rays.ortho
    snipers |= frame.by_type[L.DIAG] & rays.diag
    snipers |= frame.by_type[L.RIDER] & rays.rider
    snipers &= them
    pinned = bits(0, 0)
    mask = bits(-1, -1)
    checks = 0
    while snipers:
        sniper, snipers = snipers.pop()
        line = t.between[king][sniper]
        between = line & position.occupied
        blockers = between.count()
        if blockers <= 1:
            line |= one(sniper)
            if blockers == 0:
                checks += 1
                mask = line
            elif between & own:
                pinned |= between
                moves = _pinned_moves(position, between.first(), line, moves)

    # checks by leapers and pawns
    leapers = frame.by_type[L.PAWN] & t.pawn_attacks[us][king]
    for group in range(t.leaper_sets):
        leapers |= frame.by_type[L.LEAPER + group] & t.leaps[group][king]
    leapers &= them
    if leapers:
        checks += leapers.count()
        mask = leapers

    targets = ~own
    if kind == TACTICAL:
        targets = them
    if checks != 0:
        moves = empty  # a pinned piece cannot parry a check: drop its moves
    moves = _king_moves(position, targets, moves)
    if checks > 1:
        return moves
    if checks == 0:
        if kind != TACTICAL and (frame.castling & (3 << 2 * us)) != 0:
            moves = castles(position, moves)
    targets &= mask
    free = own & ~pinned
    moves = _set_moves(position, frame.by_type[L.ORTHO] & free, L.ORTHO, targets, moves)
    moves = _set_moves(position, frame.by_type[L.DIAG] & free, L.DIAG, targets, moves)
    moves = _set_moves(position, frame.by_type[L.RIDER] & free, L.RIDER, targets, moves)
    for group in range(t.leaper_sets):
        which = L.LEAPER + group
        moves = _set_moves(position, frame.by_type[which] & free, which, targets, moves)
    moves = pawn_moves(position, frame.by_type[L.PAWN] & free, mask, moves)
    if frame.en_passant >= 0:
        moves = en_passant(position, frame.en_passant, moves)
    return moves


@entry(5)
def list_white(S: int, T: int, f: int, kind: int, out: int) -> int:
    """Write White's moves of a kind to 32-bit words of S from ``out`` on; return their number."""
    return generate(S, T, f, 0, kind, listing(S, out)).next - out


@entry(5)
def list_black(S: int, T: int, f: int, kind: int, out: int) -> int:
    """Write Black's moves of a kind to 32-bit words of S from ``out`` on; return their number."""
    return generate(S, T, f, 1, kind, listing(S, out)).next - out


# Other kernels call these two through their addresses in the table block. Inlined, they would be
# compiled again with each caller, for minutes in all.


def connect(block: Block) -> None:
    """Store the addresses of the two generators in a table block."""
    L.DRAFT.of(block)["lister"] = list_white.address, list_black.address


@kernel
def list_moves(S, T, f, us, kind, out):
    """List the moves of ``us``; return their number."""
    return call5(L.TABLES(T).lister[us], S, T, f, kind, out)
