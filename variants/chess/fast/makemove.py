"""Making and taking back moves.

Frames are copied forward: making writes the next frame from the current one in a few vector
instructions, so that only the mailbox is unmade. Perft has variants of :func:`make` that leave
out what it does not read.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import CORRECTION_KEYS, HEADER
from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.copying import merge
from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import in_check
from variants.chess.fast.special import en_passant_is_safe


@kernel
def origin_of(move):
    return move & 127


@kernel
def target_of(move):
    return (move >> 7) & 127


@kernel
def kind_of(move):
    return (move >> 14) & 7


@kernel
def extra_of(move):
    """Return the type promoted to, or the index of the castling move."""
    return move >> 17


@kernel
def correction_key_of(piece):
    """Return the index of the correction key that a piece's squares are hashed into."""
    if (piece & 15) == L.PAWN_TYPE:
        return 0
    return 1 + (piece >> 4)


@kernel
def _can_capture_en_passant(t, frame, us, target, exact):
    """Return whether a pawn of ``us`` attacks ``target``; ``exact``: and may capture there."""
    own = frame.by_color[us]
    pawns = frame.by_type[L.PAWN] & own & t.pawn_attacks[1 - us][target]
    if not pawns:
        return False
    if exact == 0:
        return True
    them = frame.by_color[1 - us]
    while pawns:
        origin, pawns = pawns.pop()
        if en_passant_is_safe(t, frame, us, origin, target, them, own | them):
            return True
    return False


@kernel
def _make(S, T, f, move, us, track, mail):
    """Write the frame after ``f``.

    ``track`` 1 adds keys, clocks and evaluation terms, ``mail`` 1 the mailbox and what
    :func:`unmake_mailbox` reads.
    """
    t = L.TABLES(T)
    mailbox = L.STATE(S).mailbox
    old = L.FRAME(S, f)
    new = L.FRAME(S, f + L.FRAME_WORDS)
    origin = origin_of(move)
    to = target_of(move)
    kind = kind_of(move)
    piece = mailbox[origin]
    placed = piece
    left = one(origin)
    captured = 0
    if track != 0 or mail != 0:
        captured = mailbox[to]
    victim = to
    passed = -1
    way = t.way[us][0]
    rook = 0
    if kind != L.NORMAL:
        if kind == L.PROMOTION:
            placed = 16 * us + extra_of(move)
        elif kind == L.EN_PASSANT_CAPTURE:
            victim = to - 16 + 32 * us
            left |= one(victim)
            captured = 16 * (1 - us) + L.PAWN_TYPE
        elif kind == L.CASTLE:
            way = t.way[us][extra_of(move)]
            rook = mailbox[way.rook]
            left |= one(way.rook)
            captured = 0  # the king may arrive where the rook stood
        else:
            passed = (origin + to) >> 1
    arrived = one(to)
    merge(new.by_type, old.by_type, t.membership[placed], ~(left | arrived), arrived)
    if kind == L.CASTLE:
        merge(new.by_type, new.by_type, t.membership[rook], bits(-1, -1), one(way.rook_to))
    king = old.king[us]
    new.king[us] = to if origin == king else king
    new.king[1 - us] = old.king[1 - us]
    rights = old.castling & t.keep_rights[origin] & t.keep_rights[to]
    new.castling = rights
    if passed >= 0 and not _can_capture_en_passant(t, new, 1 - us, passed, track):
        passed = -1
    new.en_passant = passed
    if mail != 0:
        new.moved = piece
        new.captured = captured
        new.move = move
        mailbox[origin] = 0
        if kind == L.EN_PASSANT_CAPTURE:
            mailbox[victim] = 0
        elif kind == L.CASTLE:
            mailbox[way.rook] = 0
            mailbox[way.rook_to] = rook
        mailbox[to] = placed
    if track != 0:
        for part in range(CORRECTION_KEYS):
            new.correction_keys[part] = old.correction_keys[part]
        new.correction_keys[correction_key_of(piece)] ^= t.key_piece[piece][origin]
        new.correction_keys[correction_key_of(placed)] ^= t.key_piece[placed][to]
        key = old.key ^ t.key_side
        key ^= t.key_piece[piece][origin] ^ t.key_piece[placed][to]
        psq = old.psq + t.psq[placed][to] - t.psq[piece][origin]
        clock = old.clock + 1
        if (piece & 15) == L.PAWN_TYPE:
            clock = 0
        if captured != 0:
            clock = 0
            key ^= t.key_piece[captured][victim]
            new.correction_keys[correction_key_of(captured)] ^= t.key_piece[captured][victim]
            psq -= t.psq[captured][victim]
        if kind == L.CASTLE:
            change = t.key_piece[rook][way.rook] ^ t.key_piece[rook][way.rook_to]
            new.correction_keys[correction_key_of(rook)] ^= change
            key ^= change
            psq += t.psq[rook][way.rook_to] - t.psq[rook][way.rook]
        key ^= t.key_castling[old.castling ^ rights]
        if old.en_passant >= 0:
            key ^= t.key_en_passant[old.en_passant]
        if passed >= 0:
            key ^= t.key_en_passant[passed]
        new.key = key
        new.psq = psq
        new.clock = clock
        new.null_distance = old.null_distance + 1
        new.fullmove = old.fullmove + us
        new.side = 1 - us


@kernel
def make(S, T, f, move, us):
    """Play a move of ``us``: write the frame after ``f`` and the mailbox."""
    _make(S, T, f, move, us, 1, 1)


@kernel
def make_untracked(S, T, f, move, us):
    """Play a move without keys, clocks and evaluation terms, which perft does not read."""
    _make(S, T, f, move, us, 0, 1)


@kernel
def make_for_count(S, T, f, move, us):
    """Write a frame whose moves can be counted; the mailbox stays, nothing is to be unmade."""
    _make(S, T, f, move, us, 0, 0)


@kernel
def unmake_mailbox(S, T, g, us):
    """Undo in the mailbox the move of ``us`` that made frame ``g``."""
    mailbox = L.STATE(S).mailbox
    frame = L.FRAME(S, g)
    move = frame.move
    to = target_of(move)
    kind = kind_of(move)
    if kind == L.EN_PASSANT_CAPTURE:
        mailbox[to] = 0
        mailbox[to - 16 + 32 * us] = frame.captured
    elif kind == L.CASTLE:
        way = L.TABLES(T).way[us][extra_of(move)]
        rook = mailbox[way.rook_to]
        mailbox[way.rook_to] = 0
        mailbox[to] = 0
        mailbox[way.rook] = rook
    else:
        mailbox[to] = frame.captured
    mailbox[origin_of(move)] = frame.moved


@kernel
def make_null(S, T, f):
    """Write the frame after a null move."""
    t = L.TABLES(T)
    old = L.FRAME(S, f)
    new = L.FRAME(S, f + L.FRAME_WORDS)
    for i in range(L.COMPONENTS):
        new.by_type[i] = old.by_type[i]
    for colour in range(2):
        new.by_color[colour] = old.by_color[colour]
        new.king[colour] = old.king[colour]
    for part in range(CORRECTION_KEYS):
        new.correction_keys[part] = old.correction_keys[part]
    key = old.key ^ t.key_side
    if old.en_passant >= 0:
        key ^= t.key_en_passant[old.en_passant]
    new.en_passant = -1
    new.castling = old.castling
    new.clock = old.clock + 1
    new.key = key
    new.psq = old.psq
    new.null_distance = 0
    new.side = 1 - old.side
    new.fullmove = old.fullmove


@kernel
def publish(S, T, f):
    """Make ``f`` the current frame, and write the header's fields."""
    frame = L.FRAME(S, f)
    side = frame.side
    check = 1 if in_check(L.TABLES(T), frame, side) else 0
    frame.checked = check
    HEADER(S).frame = f
    HEADER(S).side = side
    HEADER(S).key = frame.key
    HEADER(S).check = check
