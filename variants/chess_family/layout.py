"""Where everything lies in the blocks of the chess family's kernels.

A square is ``rank * 16 + file``. A bitboard's low word holds ranks 1-4, its high word 5-8; files
beyond the board's last stay empty, so that a shift needs no file mask. A piece is
``16 * colour + type`` (White 0, Black 1; type 1 is the pawn, 2 the king, 0 an empty square).

A piece is a member of *component* sets: what it moves like. A queen is in ORTHO and DIAG, a
Ryugi dragon in DIAG and RIDER. Moves are counted and attacks are found by component, so that
the generator does not know the pieces of any game.
"""

from __future__ import annotations

from ryugi_engine.games.nets import LANES
from ryugi_engine.kernel.abi import GAME_WORDS, MOVE_ROOM, PARTS
from ryugi_engine.kernel.views import Layout, bitboard, i16, i64, u8, u16, u32

SQUARES = 128
PIECES = 32
#: The types that have numbers of their own.
PAWN_TYPE, KING_TYPE = 1, 2

# ---- components -----------------------------------------------------------------------------
PAWN, KING, ORTHO, DIAG, RIDER, LEAPER = range(6)  # LEAPER + g for the g-th leaper set
LEAPER_SETS = 5
COMPONENTS = LEAPER + LEAPER_SETS
#: More squares than a component reaches from one.
MOST_TARGETS = 64
DANGER_BITS = 16

# ---- frame: everything a move changes but the mailbox, one frame a ply -------------------------
FRAME = Layout(
    "frame",
    sets=bitboard[COMPONENTS],  # what moves like that, of both colours
    men=bitboard[2],  # all pieces of a colour; behind the sets, see MEMBERS
    king=i64[2],  # squares
    en_passant=i64,  # square passed over, or -1
    castling=i64,  # bits 0-3: K Q k q
    clock=i64,  # plies since a capture or pawn move
    key=i64,
    parts=i64[PARTS],  # of the pawns, of White's other pieces, of Black's
    psq=i64,  # White minus Black, middle game in the low half, end game << 32
    phase=i64,  # material on the board in phase units
    moved=i64,  # piece that made the last move
    captured=i64,  # piece it captured, or 0
    move=i64,  # the last move
    checked=i64,  # 1 if the side to move is in check
    null_distance=i64,  # plies since a null move or the root; bounds the search for repetitions
    side=i64,
    fullmove=i64,
)
#: From a frame to the next one.
FRAME_WORDS = FRAME.words
#: The sets and the men of a frame are so many bitboards in a row, which a move changes together.
MEMBERS = COMPONENTS + 2
OCCUPIED = COMPONENTS  # + colour: the men's place in that row

# ---- lanes of a net, kept for the positions of a line, see ``net.py`` ---------------------------
#: So many times LANES of both views; wider nets are added up afresh.
KEPT_PARTS = 8
#: Frames so many plies apart share a place.
KEPT_PLIES = 128
KEPT = Layout("kept", tag=i64, lanes=i16[KEPT_PARTS, 2, LANES])

# ---- state block -------------------------------------------------------------------------------
MAX_PLIES = 6144
STATE = Layout(
    "state",
    header=i64[GAME_WORDS],  # what every game has, see ryugi_engine.kernel.abi
    tables=i64,  # address of the table block
    mailbox=u8[SQUARES],
    frames=FRAME[MAX_PLIES],
    moves=u32[MOVE_ROOM],
    kept=KEPT[KEPT_PLIES],
    rows=i64[SQUARES],  # room for a list of places, see ``net.py``
)
#: The word of a state in which the first frame begins.
FIRST_FRAME = STATE.word("frames")
MAX_MOVES = 4096  # more than 80 pieces can have

# ---- moves: from | to << 7 | kind << 14 | promotion type or castle index << 17 ------------------
NORMAL, DOUBLE, EN_PASSANT_CAPTURE, CASTLE, PROMOTION = range(5)

# ---- table block -------------------------------------------------------------------------------
CASTLE_WAYS = 8
_CASTLE = Layout(
    "castle",
    right=i64,  # bit of the frame's castling rights
    king=i64,  # squares: from, to
    king_to=i64,
    rook=i64,
    rook_to=i64,
    empty=bitboard,  # must be empty
    path=bitboard,  # must not be attacked
    lifted=bitboard,  # king and rook
)
#: What a piece alone on the board reaches from a square.
_RAYS = Layout("rays", ortho=bitboard, diag=bitboard, rider=bitboard, king=bitboard)
_MAGIC = Layout(
    "magic",
    mask=bitboard,
    factor_lo=i64,
    factor_hi=i64,
    shift=i64,
    first=i64,  # its first attack set among ``magic_sets``
)
#: The table block while it is being filled.
DRAFT = Layout(
    "tables",
    files=i64,
    ranks=i64,
    leaper_sets=i64,
    promotions=i64,  # how many
    promotion_type=i64[12],
    board=bitboard,  # all squares
    light=bitboard,  # light squares
    last_rank=bitboard[2],  # by colour, here and below
    double=bitboard[2],  # squares of a possible double step
    castles=i64[2],  # how many ways
    castle=_CASTLE[2, CASTLE_WAYS],
    claim_plies=i64,
    draw_plies=i64,
    claim_repetition=i64,
    draw_repetition=i64,
    max_phase=i64,
    lister=i64[2],  # address of the entry that lists moves
    net=i64,  # address of the block of a net, see ``net.py``, or 0
    rays=_RAYS[SQUARES],
    pawn_attacks=bitboard[2, SQUARES],
    leaps=bitboard[LEAPER_SETS, SQUARES],
    diag_magic=_MAGIC[SQUARES],
    rider_magic=_MAGIC[SQUARES],
    row_fill=u16[16, 256],  # by file and inner occupancy
    column=bitboard[8, 64],  # by rank and inner occupancy, on file a
    between=bitboard[SQUARES, SQUARES],
    membership=bitboard[PIECES, MEMBERS],  # all ones where a piece is a member
    keep_rights=i64[SQUARES],  # castling bits that survive a move from or to a square
    key_piece=i64[PIECES, SQUARES],
    key_castling=i64[16],
    key_en_passant=i64[SQUARES],
    key_side=i64,
    psq=i64[PIECES, SQUARES],
    value=i64[PIECES],  # centipawns
    phase=i64[PIECES],  # phase units
    # what the evaluation adds, packed as psq unless said otherwise
    mobility=i64[COMPONENTS, MOST_TARGETS],  # by squares reached
    half_open=i64,  # no own pawn before what moves like a rook,
    open=i64,  # no pawn at all
    pair=i64,  # colour-bound pieces on both colours
    isolated=i64,
    doubled=i64,
    defended=i64,
    beside=i64,
    passed_gain=i64[8],  # by ranks advanced, here and below
    passed_free=i64[8],
    king_near=i64[2, 8, 16],  # own king and the other one, by steps to the square before the pawn
    shelter=i64,
    danger=i64,  # of squared units in the middle game, 1 << DANGER_BITS to a centipawn
    danger_most=i64,  # centipawns
    danger_square=i64[COMPONENTS],  # units for a movement that attacks the ring around a king
    danger_near=i64,  # for an attacked square beside it
    danger_weak=i64,  # for one of the ring that only the king defends
    danger_first=i64,  # for a check that costs nothing,
    danger_check=i64,  # for each square of one,
    danger_try=i64,  # and of another
    danger_bare=i64,  # for each pawn of three that does not stand before the king
    danger_light=i64,  # less where no piece joins movements
    danger_calm=i64,  # units that are no danger
    pawn_threat=i64[PIECES],
    hanging=i64[PIECES],
    tempo=i64,  # centipawns
    changes_colour=bitboard[LEAPER_SETS],  # all ones if such a leaper is not colour-bound
    minor=i64,  # centipawns of the most valuable piece that cannot mate alone
    lone_minor=i64[16],  # by type: 1 if it cannot mate alone
    colourbound=i64[16],  # by type: 1 if it never leaves its colour
    passed=bitboard[2, SQUARES],  # in front of a pawn
    ring=bitboard[SQUARES],  # around a king that stands there, and before it
    shield=bitboard[2, SQUARES],  # pawns that shelter a king
    file_neighbours=bitboard[16],  # the files beside
    magic_sets=bitboard[20_000],  # attack sets of the magics
)
#: The same, as games are played with it: no kernel writes it.
TABLES = DRAFT.as_constant()
