"""Legal move generation: pins and checks out of the king's rays, then whole sets.

One body serves counting (``emit`` 0: popcounts at the leaves of perft) and listing (``emit``
1); it is specialised for both and for both colours by the compiler. Splitting it would cost
speed. A piece pinned by a rider keeps the moves along the pin; since its line to the king
holds no other piece it can never parry a check.
"""

from __future__ import annotations

from ryugi_engine.abi import TACTICAL, Block
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import call5, const64, ctz, load64, store32
from variants.chess_family import layout as L
from variants.chess_family.attacks import (
    attacked,
    component,
    count_bits,
    diag_attacks,
    first_square,
    has,
    leaps,
    ortho_attacks,
    pop_square,
    rider_attacks,
    square_bits,
)
from variants.chess_family.pawns import pawn_moves, put_targets
from variants.chess_family.special import castles, en_passant


@routine
def _pinned_moves(
    S, T, f, square, us, lo, hi, enemy_lo, enemy_hi, line_lo, line_hi, kind, out, n, emit
):
    """Moves of one pinned piece along its pin (the squares of ``line``, the pinner included)."""
    t_lo = 0
    t_hi = 0
    if has(load64(S, f + L.PAWN), load64(S, f + L.HALF + L.PAWN), square) != 0:
        p_lo, p_hi = square_bits(square)
        n = pawn_moves(
            S, T, us, p_lo, p_hi, lo, hi, enemy_lo, enemy_hi, line_lo, line_hi, kind, out, n, emit
        )
    else:
        if has(load64(S, f + L.ORTHO), load64(S, f + L.HALF + L.ORTHO), square) != 0:
            t_lo, t_hi = ortho_attacks(T, square, lo, hi)
        if has(load64(S, f + L.DIAG), load64(S, f + L.HALF + L.DIAG), square) != 0:
            a, b = diag_attacks(T, square, lo, hi)
            t_lo |= a
            t_hi |= b
        if has(load64(S, f + L.RIDER), load64(S, f + L.HALF + L.RIDER), square) != 0:
            a, b = rider_attacks(T, square, lo, hi)
            t_lo |= a
            t_hi |= b
        for g in range(const64(T, L.T_LEAPER_SETS)):
            w = L.LEAPER + g
            if has(load64(S, f + w), load64(S, f + L.HALF + w), square) != 0:
                a, b = leaps(T, g, square)
                t_lo |= a
                t_hi |= b
        if kind == TACTICAL:
            t_lo &= enemy_lo
            t_hi &= enemy_hi
        n = put_targets(S, out, n, square, t_lo & line_lo, t_hi & line_hi, emit)
    return n


@kernel
def _riders(S, T, from_lo, from_hi, which, occ_lo, occ_hi, t_lo, t_hi, out, n, emit):
    """Moves of all pieces of one rider component onto the targets.

    A loop for each word: squares picked from both without a jump make one long chain of
    dependent instructions, which measured a quarter slower.
    """
    base = 0
    for word in range(2):
        left = from_lo
        if word == 1:
            left = from_hi
            base = 64
        while left != 0:
            square = ctz(left) + base
            left &= left - 1
            if which == L.ORTHO:
                a, b = ortho_attacks(T, square, occ_lo, occ_hi)
            elif which == L.DIAG:
                a, b = diag_attacks(T, square, occ_lo, occ_hi)
            else:
                a, b = rider_attacks(T, square, occ_lo, occ_hi)
            n = put_targets(S, out, n, square, a & t_lo, b & t_hi, emit)
    return n


@kernel
def _leapers(S, T, from_lo, from_hi, group, t_lo, t_hi, out, n, emit):
    base = 0
    for word in range(2):
        left = from_lo
        if word == 1:
            left = from_hi
            base = 64
        while left != 0:
            square = ctz(left) + base
            left &= left - 1
            a, b = leaps(T, group, square)
            n = put_targets(S, out, n, square, a & t_lo, b & t_hi, emit)
    return n


@kernel
def _king_moves(S, T, f, us, king, them_lo, them_hi, lo, hi, t_lo, t_hi, out, n, emit):
    """King steps onto the targets that no enemy attacks once the king has left its square."""
    k_lo, k_hi = square_bits(king)
    lo &= ~k_lo
    hi &= ~k_hi
    left_lo = t_lo & const64(T, L.T_KING_RAYS + 8 * king + 6)
    left_hi = t_hi & const64(T, L.T_KING_RAYS + 8 * king + 7)
    while (left_lo | left_hi) != 0:
        to, left_lo, left_hi = pop_square(left_lo, left_hi)
        if not attacked(S, T, f, to, us, them_lo, them_hi, lo, hi):
            if emit != 0:
                store32(S, out + n, king | to << 7)
            n += 1
    return n


@kernel
def generate(S, T, f, us, kind, out, emit):
    """Legal moves of ``us`` in frame ``f``: their number, and with ``emit`` the moves themselves.

    ``out`` is the index of 32-bit words in S at which the list begins.
    """
    them = 1 - us
    own_lo = load64(S, f + L.OCCUPIED + us)
    own_hi = load64(S, f + L.HALF + L.OCCUPIED + us)
    them_lo = load64(S, f + L.OCCUPIED + them)
    them_hi = load64(S, f + L.HALF + L.OCCUPIED + them)
    lo = own_lo | them_lo
    hi = own_hi | them_hi
    king = load64(S, f + L.KING_SQUARE + us)
    rays = L.T_KING_RAYS + 8 * king
    o_lo, o_hi = component(S, f, L.ORTHO, them_lo, them_hi)
    d_lo, d_hi = component(S, f, L.DIAG, them_lo, them_hi)
    r_lo, r_hi = component(S, f, L.RIDER, them_lo, them_hi)

    # checks and pins by riders on the king's rays
    sniper_lo = (
        (o_lo & const64(T, rays)) | (d_lo & const64(T, rays + 2)) | (r_lo & const64(T, rays + 4))
    )
    sniper_hi = (
        (o_hi & const64(T, rays + 1))
        | (d_hi & const64(T, rays + 3))
        | (r_hi & const64(T, rays + 5))
    )
    pinned_lo = 0
    pinned_hi = 0
    checks = 0
    mask_lo = -1
    mask_hi = -1
    n = 0
    while (sniper_lo | sniper_hi) != 0:
        sniper, sniper_lo, sniper_hi = pop_square(sniper_lo, sniper_hi)
        at = L.T_BETWEEN + (king * 128 + sniper) * 2
        line_lo = const64(T, at)
        line_hi = const64(T, at + 1)
        b_lo = line_lo & lo
        b_hi = line_hi & hi
        blockers = count_bits(b_lo, b_hi)
        if blockers <= 1:
            s_lo, s_hi = square_bits(sniper)
            line_lo |= s_lo
            line_hi |= s_hi
            if blockers == 0:
                checks += 1
                mask_lo = line_lo
                mask_hi = line_hi
            elif ((b_lo & own_lo) | (b_hi & own_hi)) != 0:
                pinned_lo |= b_lo
                pinned_hi |= b_hi
                blocker = first_square(b_lo, b_hi)
                n = _pinned_moves(
                    S,
                    T,
                    f,
                    blocker,
                    us,
                    lo,
                    hi,
                    them_lo,
                    them_hi,
                    line_lo,
                    line_hi,
                    kind,
                    out,
                    n,
                    emit,
                )

    # checks by leapers and pawns
    at = L.T_PAWN_ATTACKS + 256 * us + 2 * king
    h_lo = load64(S, f + L.PAWN) & const64(T, at)
    h_hi = load64(S, f + L.HALF + L.PAWN) & const64(T, at + 1)
    groups = const64(T, L.T_LEAPER_SETS)
    for g in range(groups):
        a, b = leaps(T, g, king)
        h_lo |= load64(S, f + L.LEAPER + g) & a
        h_hi |= load64(S, f + L.HALF + L.LEAPER + g) & b
    h_lo &= them_lo
    h_hi &= them_hi
    if (h_lo | h_hi) != 0:
        checks += count_bits(h_lo, h_hi)
        mask_lo = h_lo
        mask_hi = h_hi

    t_lo = ~own_lo
    t_hi = ~own_hi
    if kind == TACTICAL:
        t_lo = them_lo
        t_hi = them_hi
    if checks != 0:
        n = 0  # a pinned piece cannot parry: what was found for it is void
    n = _king_moves(S, T, f, us, king, them_lo, them_hi, lo, hi, t_lo, t_hi, out, n, emit)
    if checks > 1:
        return n
    if checks == 0:
        rights = load64(S, f + L.CASTLING)
        if kind != TACTICAL and (rights & (3 << 2 * us)) != 0:
            n = castles(S, T, f, us, rights, them_lo, them_hi, lo, hi, out, n, emit)
    t_lo &= mask_lo
    t_hi &= mask_hi
    free_lo = own_lo & ~pinned_lo
    free_hi = own_hi & ~pinned_hi
    a, b = component(S, f, L.ORTHO, free_lo, free_hi)
    n = _riders(S, T, a, b, L.ORTHO, lo, hi, t_lo, t_hi, out, n, emit)
    a, b = component(S, f, L.DIAG, free_lo, free_hi)
    n = _riders(S, T, a, b, L.DIAG, lo, hi, t_lo, t_hi, out, n, emit)
    a, b = component(S, f, L.RIDER, free_lo, free_hi)
    n = _riders(S, T, a, b, L.RIDER, lo, hi, t_lo, t_hi, out, n, emit)
    for g in range(groups):
        a, b = component(S, f, L.LEAPER + g, free_lo, free_hi)
        n = _leapers(S, T, a, b, g, t_lo, t_hi, out, n, emit)
    a, b = component(S, f, L.PAWN, free_lo, free_hi)
    n = pawn_moves(S, T, us, a, b, lo, hi, them_lo, them_hi, mask_lo, mask_hi, kind, out, n, emit)
    target = load64(S, f + L.EN_PASSANT)
    if target >= 0:
        n = en_passant(
            S, T, f, us, king, target, own_lo, own_hi, them_lo, them_hi, lo, hi, out, n, emit
        )
    return n


@entry(5)
def list_white(S: int, T: int, f: int, kind: int, out: int) -> int:
    """White's moves of a kind, written to 32-bit words of S from ``out`` on."""
    return generate(S, T, f, 0, kind, out, 1)


@entry(5)
def list_black(S: int, T: int, f: int, kind: int, out: int) -> int:
    """Black's moves of a kind, written to 32-bit words of S from ``out`` on."""
    return generate(S, T, f, 1, kind, out, 1)


# Other kernels reach these two through their addresses in the table block: inlined into
# every caller they would be optimised again with each, for minutes in all.


def connect(block: Block) -> None:
    """Store the addresses of the generators in a table block."""
    for word, generator in enumerate((list_white, list_black), start=L.T_LIST):
        block.words[word] = generator.address


@kernel
def list_moves(S, T, f, us, kind, out):
    """List the moves of ``us``; returns how many."""
    return call5(const64(T, L.T_LIST + us), S, T, f, kind, out)


@kernel
def in_check(S, T, f, us):
    """Whether the king of ``us`` is attacked."""
    them_lo = load64(S, f + L.OCCUPIED + 1 - us)
    them_hi = load64(S, f + L.HALF + L.OCCUPIED + 1 - us)
    lo = them_lo | load64(S, f + L.OCCUPIED + us)
    hi = them_hi | load64(S, f + L.HALF + L.OCCUPIED + us)
    king = load64(S, f + L.KING_SQUARE + us)
    return attacked(S, T, f, king, us, them_lo, them_hi, lo, hi)
