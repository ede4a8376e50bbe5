"""Memory of the general family: frames, state and tables, and how a move is coded.

A square is ``rank * 16 + file``. A piece's code is its kind, from 1, and 64 for Black; 0 is an
empty square and WALL one that no piece can enter. Sets of squares are four words.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ryugi_engine.kernel import vectors
from ryugi_engine.kernel.abi import HEADER, MAX_MOVES, MOVE_CAPACITY, SEARCH_PLIES
from ryugi_engine.kernel.views import Layout, i16, i32, i64, u8, u16, u32
from ryugi_engine.nnue.inputs import MAX_COUNTED
from ryugi_engine.nnue.kernels import VALUES
from variants.chess.definition import definition
from variants.chess.definition.game_rules import Rules

SQUARES, WORDS = 256, 4
CODES, BLACK, WALL = 128, 64, 63

# ---- frame: a whole position; a move is made on a copy ------------------------------------------
_FIELDS: dict[str, Any] = {
    "board": u8[SQUARES],
    "hand": u8[CODES],  # by code
    "count": u16[CODES],  # pieces on the board by code of the kind whose moves they have
    "by_color": i64[2, WORDS],
    "occupied": i64[WORDS],  # squares with a piece or a wall
    "gates": i64[WORDS],  # where pieces have not moved, in games with gating
    "en_passant": i64[WORDS],  # squares on which a piece can be taken en passant
    "victim": i64,  # that piece's square
    "older": i64[WORDS],  # of those squares: after an earlier move of the same turn
    "older_victim": i64,  # -1: for each of those squares the piece ahead of it
    "lion": i64,  # 1 + the square where a piece that is no lion has just captured one, else 0
    "king": i64[2],  # square of the royal piece, -1 if there is none
    "pieces": i64[2],  # number of pieces on the board by colour
    "held": i64[2],  # and in hand
    "side": i64,
    "moves_left": i64,  # of the side's turn, the next one included; 0 where a turn is one move
    "castling": i64,  # a bit for every right
    "checks": i64[2],  # checks that each side still has to give
    "clock": i64,
    "counting": i32[2],  # plies counted by the counting rule, and its limit, 0 where none counts
    "number": i64,
    "null_distance": i64,  # moves since a null move or the beginning
    "last": i64,  # the last move; 0 if there is none
    "checked": i64,  # 1 if the side to move is in check: its king or a pseudo-royal piece
    "pressed": i64,  # IN_CHECK, COMPELLED (it has to capture) or 0
    "captured": i64,  # code that the last move has captured
    "psq": i64[2],  # sum of the pieces' values by colour
    "key": i64,
}
#: The part of a frame before ``by_kind``, of which only the game's kinds are copied.
HEAD = Layout("head", **_FIELDS)
FRAME = Layout(
    "frame",
    **_FIELDS,
    by_kind=i64[WORDS, BLACK + vectors.WORDS],  # squares of both sides' pieces
)
FRAME_WORDS = FRAME.words
MAX_PLIES = 2048
#: Cells that a net may see: the bytes of board and hand, and a few counters, two cells for each.
CHECKS_LEFT = SQUARES + CODES
RIGHTS, MOVES_LEFT, GATES, COLOR = (CHECKS_LEFT + 2 * number for number in range(1, 5))
CELL_WORDS = CHECKS_LEFT // 8 + 2
#: Positions of a line whose accumulators are kept: a power of two.
KEPT_PLIES = 32
#: Rows that a net's accumulator may gain or lose at once.
MAX_ROWS = 3 * SQUARES + 2 * MAX_COUNTED + 8

# ---- moves: from | to << 8 | kind << 16 | choice << 19 | square << 23 ----------------------------
#: A drop's ``from`` is the kind of piece. ``choice`` is a promotion's index, 1 for a piece dropped
#: promoted, or where a piece is gated. ``square`` is where a wall is placed, or the gated piece's
#: kind. A piece's promotion has the ``choice`` BECOMES or TURNS_BACK. A LOCUST captures on
#: ``square``, which is its ``from`` if nothing is captured there. Its ``choice`` is 0, a pawn's
#: promotion's index from 1, BECOMES or TURNS_BACK.
NORMAL, DROP, EN_PASSANT, CASTLE, PROMOTION, PIECE_PROMOTION, PASS, LOCUST = range(8)
BECOMES, TURNS_BACK = 15, 14
AT_ORIGIN, AT_PARTNER = 1, 2
#: Difference, as an exclusive or, of a square of one of two boards and that of the other.
OTHER = 8
#: What a kind of piece does by the rules of Cambodian chess.
LEAPS_ASIDE, LEAPS_AHEAD, ENDS_LEAP = 1, 2, 3
#: What a check by a kind of piece counts for a mate in Shatar.
OF_KNIGHT, OF_ROOK = 1, 2

# ---- descriptors of moves ------------------------------------------------------------------------
QUIET, CAPTURE, TAKES_EN_PASSANT, MARKS_EN_PASSANT = 1, 2, 4, 8
#: A piece takes en passant by moves that no shift of a set of squares makes.
NOT_BY_LEAPS = 3
SHOOTS = 16  # the way of an arrow, in all zones
LEAP, LAME, JUMP, SLIDE, HOP, GRASSHOPPER, CHAIN = range(7)
MAX_DESCRIPTORS, MAX_DIRECTIONS, MAX_ZONES, MAX_HITS = 8192, 256, 255, 32_000
DESCRIPTOR = Layout(
    "descriptor",
    align=8,
    delta=i16,  # of squares, for a step
    steps=i16,  # maximum number of steps
    direction=u8,  # index in ``room``
    form=u8,  # LEAP to CHAIN, whose ``steps`` is the number of its legs
    flags=u8,  # QUIET to SHOOTS
    path=i16[2],  # offsets of squares that must be empty, 0 for none; a CHAIN's first leg
    from_zone=u8,  # zones that origin and target must lie in, 0 for none
    to_zone=u8,
    cannon=u8,  # 1 if it neither leaps over nor takes a piece of its own kind
    tame=u8,  # 1 if it takes no royal piece
    wraps=u8,  # 1 if the left and the right edge are joined
    ray=i32,  # index of the LINE of square 0: all squares in its direction; of SLIDE to GRASSHOPPER
)
#: What may stand where a leg of a CHAIN ends. Nothing; captured, an enemy or an own piece; passed
#: over, an enemy or an own piece.
EMPTY, TAKE_ENEMY, TAKE_OWN, PASS_ENEMY, PASS_OWN = 1, 2, 4, 8, 16
LEG = Layout(
    "leg",
    align=8,
    line=i32,  # index in ``next``
    steps=i32,
    skip=i32,
    enter=i32,  # EMPTY to PASS_OWN
    middle=i32,  # offset of the square on each step that must be empty, or occupied; 0 for none
    jump=i32,
)
MAX_LEGS, MAX_LINES, CHAIN_LEGS = 4096, 96, definition.MAX_LEGS
#: A descriptor by which a piece attacks a square at some distance.
HIT = Layout("hit", align=8, descriptor=i32, steps=i16, more=i16)
#: How a slider or hopper goes along a line, both ways or one.
TRACK = Layout(
    "track",
    align=8,
    line=i32,  # index of the LINE of square 0
    flags=u8,  # QUIET and CAPTURE
    hops=u8,  # 1 if it leaps over one piece
    upright=u8,  # 1 if the line is a file
    to_zone=u8,
)
MAX_TRACKS = 2048
#: Squares of a line without the slider's own, on which it may go.
LINE = Layout("line", align=32, squares=i64[WORDS]).as_constant()
#: From where pieces of eight kinds attack a square if nothing is in their way: a word of each set.
ORIGINS = Layout("origins", align=8, words=i64[vectors.WORDS]).as_constant()
#: Differences of squares in a board of 32 files: ``far(to) - far(from) + DELTAS // 2``.
DELTAS = 1024
WAY = Layout(
    "way",
    right=i64,
    king=i64,
    king_to=i64,
    rook=i64,
    rook_to=i64,
    empty=i64[WORDS],  # squares on which no piece may stand
)

#: How a rule stands in the tables, by the kind of its value. Results are those of ``kernel.abi``,
#: other choices are numbered in their order, rights are bits in the order of KQkq.
_FORMS: dict[str, Any] = {
    "flag": i64, "number": i64, "choice": i64, "rights": i64, "flags": i64[2], "set": u8[CODES],
    "region": i64[2, WORDS],
}  # fmt: skip
#: The rules, each under its own name; ``promotion`` is a list below.
RULES = {
    rule.name: _FORMS[rule.metadata["kind"]]
    for rule in fields(Rules)
    if rule.metadata["kind"] in _FORMS and rule.name != "promotion"
}
#: What follows from them.
_FACTS: dict[str, Any] = dict.fromkeys(
    (
        "move_rules",  # 1 if rules besides royal pieces concern single moves
        "plain",  # whether a king and en passant are all that legality depends on
        "ends",  # whether a rule but repetition and the n-move rule may end the game
        "only_captures",  # whether no move is quiet: none is tactical then
        "lions",  # whether there are pieces that are not traded
        "immune",  # whether a rule forbids some captures
        "petrify", "extinction_total", "connect_regions", "flag_regions", "flag_royal",
        "bishop_kind",
        "dead",  # which positions are dead, see :mod:`variants.chess.family.material`
        "royal_kind",  # the kind of piece that is mated there
    ),
    i64,
)  # fmt: skip
#: The pieces of which the limits of counting rules speak, as indices of ``counted``.
PAWN, ROOK, KHON, KNIGHT = range(4)
#: How strong pieces are for chases: a weaker one also chases what is protected.
NEVER_CHASED, SOLDIER, WEAK, MEDIUM, STRONG = range(5)
#: Plies before a count's limit from which on the search tells positions apart by them.
COUNT_KEYS = 64

TABLE = Layout(
    "tables",
    files=i64,
    ranks=i64,
    words=i64,  # words of a set that the board reaches into
    kinds=i64,
    **RULES,
    **_FACTS,
    long_turns=i64,  # 1 if a side moves several times in a turn
    turn_moves=i64[2],
    many_marks=i64,  # 1 if several pieces may be taken en passant after a turn of many moves
    first=i32[CODES + 1],  # descriptors of a code: first[code] to first[code + 1]
    others=i32[CODES],  # first descriptor of a code that is neither in the leaps nor a slide
    targets=i64,  # address of the block of TARGETS
    first_targets=i32[CODES],  # index of a code's TARGETS of square 0
    special=u8[CODES],  # 1 if its moves are always looked at one by one
    track=TRACK[MAX_TRACKS],
    plain_moves=u8[CODES],  # 1 if its moves are leaps and tracks by which it also captures
    sees_back=u8[CODES],  # 1 if it attacks a square where the enemy's, on that square, attacks it
    first_track=i32[CODES + 1],  # tracks of a code: first_track[code] to first_track[code + 1]
    lines=i64,  # address of the block of LINE
    bearing=i64,  # address of the block of ORIGINS, by side, square attacked, word and kinds
    fill_bits=i64,  # squares of a line that can block it: those not at the edge
    fills=u16[16 << 14],  # what a slider reaches, by its place on the line and what stands there
    herd=u8[CODES],  # 1 if all pieces of the code are counted at once
    walks=u8[CODES],  # 1 if a royal piece only leaps: its moves are counted by their targets
    takes_en_passant=u8[CODES],  # 1 if it takes en passant, or NOT_BY_LEAPS
    descriptors=DESCRIPTOR[MAX_DESCRIPTORS],
    room=u8[SQUARES, MAX_DIRECTIONS],  # steps from a square to the edge
    legs=LEG[MAX_LEGS],
    next=i16[MAX_LINES, SQUARES],  # the square one step further, -1 beyond the edge
    zones=i64[MAX_ZONES + 1, WORDS],
    reach=u16[CODES, DELTAS],  # first hit of a code at a distance, 0 for none
    hits=HIT[MAX_HITS],
    royal=u8[CODES],  # 1 for royal pieces
    kinds_to_lose=u8[2, CODES],  # codes of the kinds of the extinction rule
    numbers_to_lose=i64[2],
    moves_as=u8[CODES],  # code of the piece whose moves it has
    held_as=u8[CODES],  # code that it has in hand of the other side when captured
    promoted=u8[CODES],  # code that it promotes to, 0 for none
    turned_back=u8[CODES],  # code that it is demoted to, 0 for none
    turns=u8[CODES],  # 1 if it has one of these
    is_promoted=u8[CODES],
    irreversible=u8[CODES],  # 1 if its moves reset the halfmove clock
    cannon=u8[CODES],
    chains=u8[CODES],  # 1 if it has moves of several legs
    strength=u8[CODES],  # NEVER_CHASED to STRONG
    reaches_palace=u8[CODES],  # 1 if it may stand where the enemy's king may
    power=u8[CODES],  # what a piece can do for a mate
    janggi=u8[CODES],  # points of Janggi's material counting
    overlaps=u8[CODES],  # 1 if two of its moves may have the same target
    marks=u8[CODES],  # 1 if it has moves after which it can be taken en passant
    mates_in_vain=u8[CODES],  # 1 for pawns whose drop must not mate
    explodes=u8[CODES],  # 1 if a blast removes it
    cambodian=u8[CODES],  # LEAPS_ASIDE to ENDS_LEAP
    shak=u8[CODES],  # OF_KNIGHT, OF_ROOK
    promotion_limit=u8[CODES],  # maximum number for promotion, 0: no limit
    counted=i64[4],  # kinds of PAWN to KNIGHT for counting rules, 0 for none
    promotions=i64[2],
    promotion=u8[2, 16],
    mobile=i64[CODES, WORDS],  # where it has a move on the empty board
    drop_zone=i64[CODES, WORDS],
    squares=i64[WORDS],  # all squares
    dark=i64[WORDS],
    ways=i64[2],
    way=WAY[2, definition.MAX_WAYS],
    keep_rights=i64[SQUARES],  # castling rights that survive a move from or to a square
    connect_step=i64[4],  # directions of rows, 0 for none
    psq=i32[CODES, SQUARES],
    held_value=i32[CODES],
    value=i32[CODES],
    key_piece=i64[CODES, SQUARES],
    key_hand=i64[CODES, 64],
    key_castling=i64[256],
    key_en_passant=i64[SQUARES],
    key_gate=i64[SQUARES],
    key_checks=i64[2, 16],
    key_left=i64[64],
    key_turn=i64[64],  # of the length of a turn, in progressive games
    key_counting=i64[COUNT_KEYS],  # by the plies that are left to count
    key_side=i64,
    counters=i64,  # cells of a training record after the squares
    counter=i32[2 * CODES],  # which cells of the kernels they are
)
TABLES = TABLE.as_specialisable()

#: What a piece reaches from a square. The others are the moves that are no leaps.
TARGETS = Layout(
    "targets",
    quiet=i64[WORDS],  # of moves that nothing on the way hinders
    capture=i64[WORDS],
    entrances=i64[WORDS],  # squares of which one must be open for any of the others
    align=64,
)
REACH = TARGETS.as_constant()
TARGET_WORDS = TARGETS.words

#: A move of several legs on its way.
WALK = Layout("walk", at=i64[CHAIN_LEGS], left=i64[CHAIN_LEGS], skip=i64[CHAIN_LEGS],
              victim=i64[CHAIN_LEGS])  # fmt: skip
#: A piece that shields a royal one from a slider, and where it still does so or takes the slider.
PIN = Layout("pin", square=i64, line=i64[WORDS])
MAX_PINS = 32
#: How the enemy's pieces bear on a royal piece.
PINS = Layout(
    "pins",
    sensitive=i64[WORDS],  # squares whose pieces may shield it, or open a line
    opening=i64[WORDS],  # squares onto which a move may open a line, for example as a hurdle
    shields=i64[WORDS],  # in games with blasts, all pieces between it and the enemy's sliders
    evasion=i64[WORDS],  # targets that answer a single check
    checkers=i64,
    checked=i64,  # 1 if the king is attacked
    slow=i64,  # 1 if every move has to be tried
    pinned=i64,
    pin=PIN[MAX_PINS],
    doubtful=i64,  # 1 if some pieces on sensitive squares have no pin
)
SCRATCH = Layout(
    "scratch",
    align=64,
    pins=PINS[3],  # of the side to move's royal pieces; of the enemy's king; those of may_check.py
    royal_square=i64,  # to which the last of them belong,
    lines_of=i64,  # and the key of the position
    pseudo=i64[2, SQUARES],  # squares of pseudo-royal pieces by colour
    pseudos=i64[2],
    walk=WALK.element(),
    changed=i64[16],  # squares of a move that is tried on the board, and what stood there
    before=i64[16],
    wall_worth=i64[SQUARES],  # centipawns that a wall is worth to the side to move
    repeats=i64,  # why a repetition that status() has seen is no draw, 0 for none
)
#: Why a repetition is won or lost.
PERPETUAL_CHECK, PERPETUAL_CHASE, REPEATED_MOVES, PERPETUAL_ATTACK = 1, 2, 3, 4
#: The accumulators of a position, and the cells that they belong to.
KEPT = Layout(
    "kept accumulators",
    tag=i64,
    kings=i64,  # what the net sees of where they are
    cells=i64[CELL_WORDS],
    values=VALUES,
)
STATE = Layout(
    "state",
    header=HEADER.element(),
    tables=i64,
    net=i64,  # address of the net's block, 0 without a net
    frames=FRAME[MAX_PLIES + SEARCH_PLIES],
    # after the frames: looking at a position does not change it
    scratch=SCRATCH.element(),
    kept=KEPT[KEPT_PLIES],
    added=i32[2, MAX_ROWS],  # rows by perspective
    removed=i32[2, MAX_ROWS],
    aside=u32[4 * MAX_MOVES],  # moves that are listed for a look only, while the search has others
    moves=u32[MOVE_CAPACITY],
)
FIRST_FRAME = STATE.word("frames")
#: Where moves are listed aside, in 32-bit words of the state.
LISTS_ASIDE = 2 * STATE.word("aside")
#: The move buffer's end, in 32-bit words of the state.
LISTS_END = 2 * STATE.word("moves") + MOVE_CAPACITY
