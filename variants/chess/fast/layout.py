"""Layouts of the chess family's blocks: frame, state and tables.

A square is ``rank * 16 + file``. A bitboard's low word holds ranks 1-4, its high word 5-8; files
beyond the board's last stay empty, so that shifts need no file masks. A piece is
``16 * colour + type`` (White 0, Black 1; type 1 is the pawn, 2 the king, 0 an empty square).

A *component* is a type of movement. A piece belongs to the bitboards of all its components: a queen
to ORTHO and DIAG, a Ryugi dragon to DIAG and RIDER. Generator and attacks work by component and do
not know the pieces of any game.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import CORRECTION_KEYS, HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.views import Layout, bitboard, i16, i64, u8, u16, u32
from ryugi_engine.nnue.architecture import CHUNK
from variants.chess.definition.definition import MAX_WAYS
from variants.chess.fast.game import MAX_LEAPER_SETS, MAX_PROMOTIONS

SQUARES = 128
PIECES = 32
#: Piece types with fixed numbers.
PAWN_TYPE, KING_TYPE = 1, 2

# ---- components -----------------------------------------------------------------------------
PAWN, KING, ORTHO, DIAG, RIDER, LEAPER = range(6)  # LEAPER + g: the g-th leaper movement
COMPONENTS = LEAPER + MAX_LEAPER_SETS

# ---- frame: everything a move changes but the mailbox, one frame a ply -------------------------
FRAME = Layout(
    "frame",
    by_type=bitboard[COMPONENTS],  # pieces of both colours by component
    by_color=bitboard[2],  # all pieces of a colour; directly after by_type, see MEMBERS
    king=i64[2],  # squares
    en_passant=i64,  # en passant square, or -1
    castling=i64,  # bits 0-3: K Q k q
    clock=i64,  # halfmove clock: plies since a capture or pawn move
    key=i64,
    correction_keys=i64[CORRECTION_KEYS],  # of the pawns, of White's other pieces, of Black's
    psq=i64,  # material and squares, White minus Black, in centipawns
    moved=i64,  # piece that made the last move
    captured=i64,  # piece it captured, or 0
    move=i64,  # the last move
    checked=i64,  # 1 if the side to move is in check
    null_distance=i64,  # plies since a null move or the first position; bounds repetitions
    side=i64,
    fullmove=i64,
)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words
#: by_type and by_color are so many consecutive bitboards, which a move changes together.
MEMBERS = COMPONENTS + 2
OCCUPIED = COMPONENTS  # + colour: index of by_color among them

# ---- accumulators of the plies of a line, see ``nnue.py`` ---------------------------------------
#: Chunks of both perspectives that are kept; wider nets are refreshed at every node.
KEPT_CHUNKS = 8
#: Frames so many plies apart share a place.
KEPT_PLIES = 128
KEPT = Layout("kept", tag=i64, values=i16[KEPT_CHUNKS, 2, CHUNK])

#: How checks can be given to the enemy's king, see ``may_check.py``.
CHECKS = Layout(
    "checks",
    key=i64,  # of the position that this is about
    squares=bitboard[COMPONENTS],  # from which a component attacks the king
    shields=bitboard,  # own pieces that may open a line
)

# ---- state block -------------------------------------------------------------------------------
MAX_PLIES = 6144
STATE = Layout(
    "state",
    header=HEADER.element(),
    tables=i64,  # address of the table block
    mailbox=u8[SQUARES],
    frames=FRAME[MAX_PLIES],
    moves=u32[MOVE_CAPACITY],
    kept=KEPT[KEPT_PLIES],
    rows=i64[SQUARES],  # scratch of ``net.py``
    checks=CHECKS.element(),
)
#: Word offset of the first frame in a state.
FIRST_FRAME = STATE.word("frames")
MAX_MOVES = 4096  # more than 80 pieces can have

# ---- moves: from | to << 7 | kind << 14 | promotion type or castle index << 17 ------------------
NORMAL, DOUBLE, EN_PASSANT_CAPTURE, CASTLE, PROMOTION = range(5)

# ---- table block -------------------------------------------------------------------------------
_WAY = Layout(
    "way",
    right=i64,  # bit of the frame's castling rights
    king=i64,  # squares: from, to
    king_to=i64,
    rook=i64,
    rook_to=i64,
    empty=bitboard,  # squares that must be empty
    path=bitboard,  # squares that must not be attacked
    lifted=bitboard,  # squares of king and rook
)
#: Attacks from a square on the empty board.
_RAYS = Layout("rays", ortho=bitboard, diag=bitboard, rider=bitboard, king=bitboard)
_MAGIC = Layout(
    "magic",
    mask=bitboard,
    factor_lo=i64,
    factor_hi=i64,
    shift=i64,
    first=i64,  # its first attack set among ``magic_sets``
)
#: The table block, writable, for the builder.
DRAFT = Layout(
    "tables",
    files=i64,
    ranks=i64,
    leaper_sets=i64,
    promotions=i64,  # how many
    promotion_type=i64[MAX_PROMOTIONS],
    board=bitboard,  # all squares
    light=bitboard,  # light squares
    last_rank=bitboard[2],  # by colour, here and below
    double=bitboard[2],  # squares of a possible double step
    ways=i64[2],  # how many ways to castle
    way=_WAY[2, MAX_WAYS],
    claim_plies=i64,  # halfmove clock at which a draw can be claimed,
    draw_plies=i64,  # and at which the game is drawn
    claim_repetition=i64,
    draw_repetition=i64,
    lister=i64[2],  # address of the entry that lists moves
    net=i64,  # address of the block of a net, see ``net.py``, or 0
    rays=_RAYS[SQUARES],
    pawn_attacks=bitboard[2, SQUARES],
    leaps=bitboard[MAX_LEAPER_SETS, SQUARES],
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
    psq=i64[PIECES, SQUARES],  # centipawns, Black's negative
    value=i64[PIECES],  # centipawns
    minor=i64,  # centipawns of the most valuable piece that cannot mate alone
    power=i64[16],  # by type: what it can do for a mate, see ``material``
    lone_minor=i64[16],  # by type: 1 if it cannot mate alone
    colourbound=i64[16],  # by type: 1 if it never changes the colour of its square
    magic_sets=bitboard[20_000],  # attack sets of the magics
)
#: The same, constant, for all other kernels.
TABLES = DRAFT.as_constant()
