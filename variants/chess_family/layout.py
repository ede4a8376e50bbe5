"""Where everything lies in the blocks of the chess family's kernels. All offsets count words.

A square is ``rank * 16 + file``. A bitboard is two words: ``lo`` holds ranks 1-4, ``hi`` ranks
5-8; files beyond the board's last stay empty, so that a shift needs no file mask. A piece is
``16 * colour + type`` (White 0, Black 1; type 1 is the pawn, 2 the king, 0 an empty square).

A piece is a member of *component* sets: what it moves like. A queen is in ORTHO and DIAG, a
Ryugi dragon in DIAG and RIDER. Moves are counted and attacks are found by component, so that
the generator does not know the pieces of any game.
"""

from __future__ import annotations

from ryugi_engine.abi import GAME_WORDS, MOVE_ROOM

# ---- components -----------------------------------------------------------------------------
PAWN, KING, ORTHO, DIAG, RIDER, LEAPER = range(6)  # LEAPER + g for the g-th leaper set
LEAPER_SETS = 5
COMPONENTS = LEAPER + LEAPER_SETS

# ---- frame: everything a move changes but the mailbox, one frame a ply -------------------------
# words 0..11: component sets and occupancy by colour, lo; 12..23: the same, hi
BOARDS = 24
HALF = 12
OCCUPIED = COMPONENTS  # + colour
KING_SQUARE = 24  # + colour
EN_PASSANT = 26  # square passed over, or -1
CASTLING = 27  # bits 0-3: K Q k q
CLOCK = 28  # plies since a capture or pawn move
KEY = 29
PSQ = 30  # White minus Black, middle game in the low half, end game << 32
PHASE = 31  # material on the board in phase units
MOVED = 32  # piece that made the last move
CAPTURED = 33  # piece it captured, or 0
MOVE = 34  # the last move
CHECKED = 35  # 1 if the side to move is in check
NULL_DISTANCE = 36  # plies since a null move or the root; bounds the search for repetitions
SIDE = 37
FULLMOVE = 38
FRAME = 40  # a whole number of cache lines

# ---- state block -------------------------------------------------------------------------------
# words below GAME_WORDS are the header every game has, see ryugi_engine.abi
TABLES = GAME_WORDS  # address of the table block
MAILBOX = GAME_WORDS + 8  # 128 bytes
FRAMES = MAILBOX + 16
MAX_PLIES = 6144
MOVES = FRAMES + MAX_PLIES * FRAME
STATE_WORDS = MOVES + MOVE_ROOM // 2
MAX_MOVES = 4096  # more than 80 pieces can have

# ---- moves: from | to << 7 | kind << 14 | promotion type or castle index << 17 ------------------
NORMAL, DOUBLE, EN_PASSANT_CAPTURE, CASTLE, PROMOTION = range(5)

# ---- table block -------------------------------------------------------------------------------
T_FILES = 0
T_RANKS = 1
T_LEAPER_SETS = 2
T_PROMOTIONS = 3  # how many; the types from T_PROMOTION_TYPE on
T_BOARD = 4  # all squares, lo and hi
T_LAST_RANK = 6  # + 2 * colour
T_DOUBLE = 10  # + 2 * colour: squares of a possible double step
T_CASTLES = 14  # + colour: how many ways
T_PROMOTION_TYPE = 16  # 12 words
T_CLAIM_PLIES = 28
T_DRAW_PLIES = 29
T_CLAIM_REPETITION = 30
T_DRAW_REPETITION = 31
T_LIGHT = 32  # light squares, lo and hi
T_MAX_PHASE = 34
T_LIST = 38  # + colour: address of the entry that lists moves
T_CASTLE_ENTRIES = 40  # 16 entries of CASTLE_WORDS, White's from 0, Black's from 8
CASTLE_RIGHT, CASTLE_KING, CASTLE_KING_TO, CASTLE_ROOK, CASTLE_ROOK_TO = range(5)
CASTLE_EMPTY = 5  # must be empty, lo and hi
CASTLE_PATH = 7  # must not be attacked, lo and hi
CASTLE_LIFTED = 9  # king and rook, lo and hi
CASTLE_WORDS = 12
T_KING_RAYS = 256  # + 8 * square: rook, bishop and nightrider rays, king's leaps; lo and hi each
T_PAWN_ATTACKS = T_KING_RAYS + 128 * 8  # + 256 * colour + 2 * square
T_LEAPS = T_PAWN_ATTACKS + 512  # + 256 * set + 2 * square
T_DIAG_MAGIC = T_LEAPS + 256 * LEAPER_SETS  # + 8 * square
T_RIDER_MAGIC = T_DIAG_MAGIC + 128 * 8
MAGIC_MASK = 0  # lo and hi
MAGIC_FACTOR = 2  # lo and hi
MAGIC_SHIFT = 4
MAGIC_TABLE = 5  # word offset of the attack sets
T_ROW_FILL = T_RIDER_MAGIC + 128 * 8  # 16-bit: file * 256 + inner occupancy
T_COLUMN = T_ROW_FILL + 10 * 256 // 4  # (rank * 64 + inner occupancy) * 2, on file a
T_BETWEEN = T_COLUMN + 8 * 64 * 2  # (a * 128 + b) * 2
T_MEMBERSHIP = T_BETWEEN + 128 * 128 * 2  # piece * 24: all-ones where the piece is a member
T_KEEP_RIGHTS = T_MEMBERSHIP + 32 * BOARDS  # + square: castling bits that survive a move
T_KEY_PIECE = T_KEEP_RIGHTS + 128  # + piece * 128 + square
T_KEY_CASTLING = T_KEY_PIECE + 32 * 128  # + rights
T_KEY_EN_PASSANT = T_KEY_CASTLING + 16  # + square
T_KEY_SIDE = T_KEY_EN_PASSANT + 128
T_PSQ = T_KEY_SIDE + 8  # + piece * 128 + square
T_VALUE = T_PSQ + 32 * 128  # + piece: centipawns
T_PHASE = T_VALUE + 32  # + piece: phase units
T_MOBILITY = T_PHASE + 32  # + component: weight of a square, packed as PSQ
T_LONE_MINOR = T_MOBILITY + 16  # + type: 1 if it cannot mate alone
T_COLOURBOUND = T_LONE_MINOR + 16  # + type: 1 if it never leaves its colour
T_PASSED = T_COLOURBOUND + 16  # + 512: mask in front of a pawn, + 256 * colour + 2 * square
T_SHIELD = T_PASSED + 512  # + 256 * colour + 2 * square: pawns that shelter a king
T_FILE_NEIGHBOURS = T_SHIELD + 512  # + 2 * file: the files beside, lo and hi
T_MAGIC_SETS = T_FILE_NEIGHBOURS + 32  # attack sets of the magics, to the end of the block
MAGIC_WORDS_LIMIT = 40_000
