"""A game of the general chess family as plain data.

``Rules`` is the list of everything that a definition can say beside board, pieces and castling.
A rule's key in a definition file is the name of its field here. Fairy-Stockfish's
``variants.ini`` has the same names, written ``camelCase``; that is the source of their meanings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ryugi_engine.games.notation import square_name

#: Steps of a rider whose range is not limited: no board is larger.
UNLIMITED = 15
#: Maximum number of a piece's moves, of a move's legs, and of the ways that all moves together may
#: go: a move of several riding legs goes as many ways as the product of their ranges.
MAX_MOVES, MAX_LEGS, MAX_TRAILS = 400, 6, 100_000


class Leg(NamedTuple):
    """A part of a move of several legs: a step, or up to ``steps`` of them, in one direction."""

    dx: int
    dy: int
    steps: int
    #: What may stand where it ends: m nothing, c an enemy and d an own piece, which are captured,
    #: p an enemy and o an own piece, which are passed over.
    enter: str
    #: Squares at its beginning that are left out, whatever stands there.
    skip: int = 0
    #: Offset of a square on each step that must be empty, or occupied; (0, 0) for none.
    middle: tuple[int, int] = (0, 0)
    jump: bool = False


class Move(NamedTuple):
    """One direction of a piece's movement, as White sees it."""

    dx: int
    dy: int
    #: Maximum number of steps; 1 is a leap.
    steps: int
    quiet: bool
    capture: bool
    #: Only from the squares where the piece has its initial moves.
    initial: bool = False
    #: Only from the squares in front of those.
    late: bool = False
    #: "p" leaps over one piece and goes on, "g" lands behind it; "" does not leap.
    hop: str = ""
    #: Offsets of squares that must be empty.
    path: tuple[tuple[int, int], ...] = ()
    #: Whether a square of ``path`` must be occupied instead.
    jump: bool = False
    #: Whether it takes en passant.
    takes_passing: bool = False
    #: All legs of a move that has several, or one that cannot be said otherwise; ``dx`` and ``dy``
    #: are then those of the first.
    legs: tuple[Leg, ...] = ()
    #: Whether the left and the right edge of the board are joined.
    wraps: bool = False
    #: Whether it does not capture royal pieces.
    tame: bool = False

    @property
    def passes(self) -> tuple[tuple[int, int], ...]:
        """Offsets of squares on which the piece can be taken en passant after this move."""
        if not self.initial or self.jump or self.legs:
            return ()
        if self.path:
            return self.path
        return tuple((i * self.dx, i * self.dy) for i in range(1, self.steps))


class Castling(NamedTuple):
    """Castling: the king goes ``width`` squares towards a partner."""

    #: "r", "l" or both.
    sides: str
    width: int
    #: Squares between the partner and the edge.
    inset: int


class Movement(NamedTuple):
    """The moves of a piece."""

    moves: tuple[Move, ...]
    castling: tuple[Castling, ...] = ()

    def takes_passing(self, move: Move) -> bool:
        """Return whether a move of it takes en passant: not where the piece also goes quietly.

        As in Fairy-Stockfish; else two moves would have one text.
        """
        quietly = any(m.quiet and (m.dx, m.dy) == (move.dx, move.dy) for m in self.moves)
        return move.capture and not move.quiet and not quietly


Square = tuple[int, int]  # (file, rank) from 0
Region = frozenset[Square]
#: By colour: White's value and Black's.
Regions = tuple[Region, Region]
Letters = frozenset[str]
Sets = tuple[Letters, Letters]

NOWHERE: Regions = (frozenset(), frozenset())
NONE: Sets = (frozenset(), frozenset())
#: Stands for all pieces, and for all squares; :mod:`variants.fairy.reading` replaces it.
ALL = "*"


def _flag(default: bool = False) -> Any:
    return field(default=default, metadata={"kind": "flag"})


def _flags(default: bool = False) -> Any:
    """Return a flag by colour."""
    return field(default=(default, default), metadata={"kind": "flags"})


def _number(low: int, high: int, default: int) -> Any:
    return field(default=default, metadata={"kind": "number", "limits": (low, high)})


def _choice(*names: str) -> Any:
    """Return one of some names, the first by default."""
    return field(default=names[0], metadata={"kind": "choice", "names": names})


def _rights() -> Any:
    """Return rights to castle, as in position texts."""
    return field(default="", metadata={"kind": "rights"})


def _set(default: str = "") -> Any:
    """Return a set of pieces by colour; letters, or all."""
    return field(default=(frozenset(default), frozenset(default)), metadata={"kind": "set"})


def _region(default: str = "") -> Any:
    """Return squares by colour; a text such as ``a1 *8 b*`` or all squares."""
    return field(default=(default, default), metadata={"kind": "region"})


def _map(kind: str) -> Any:
    return field(default_factory=dict, metadata={"kind": kind})


_RESULTS = ("loss", "draw", "win")


@dataclass(frozen=True)
class Rules:
    """The rules of a game. Results are from the side to move's point of view."""

    # ---- promotion
    promotion: Sets = _set()
    promotion_region: Regions = _region("last")
    promotion_pawn_types: Sets = _set("pawn")
    promotion_limit: Mapping[str, int] = _map("limits")
    promoted_piece_type: Mapping[str, str] = _map("pieces")
    mandatory_pawn_promotion: bool = _flag(True)
    mandatory_piece_promotion: bool = _flag()
    piece_promotion_on_capture: bool = _flag()
    piece_demotion: bool = _flag()
    # ---- moves
    mobility_region: Mapping[str, Regions] = _map("regions")
    double_step_region: Regions = _region("starts")
    triple_step_region: Regions = _region()
    en_passant_region: Regions = _region(ALL)
    en_passant_types: Sets = _set("pawn")
    immobility_illegal: bool = _flag()
    must_capture: bool = _flag()
    passing: tuple[bool, bool] = _flags()
    pass_on_stalemate: tuple[bool, bool] = _flags()
    moves_a_turn: int = _number(1, 2, 1)
    black_moves_a_turn: int = _number(0, 2, 0)
    first_turn_moves: int = _number(0, 2, 0)
    check_ends_turn: bool = _flag()
    soldier_promotion_rank: int = _number(1, 16, 1)
    diagonal_lines: Regions = _region()
    # ---- drops
    piece_drops: bool = _flag()
    free_drops: bool = _flag()
    captures_to_hand: bool = _flag()
    drop_loop: bool = _flag()
    drop_promoted: bool = _flag()
    drop_region: Regions = _region(ALL)
    first_rank_pawn_drops: bool = _flag()
    promotion_zone_pawn_drops: bool = _flag()
    drop_no_doubled: Sets = _set()
    drop_no_doubled_count: int = _number(0, 16, 1)
    drop_checks: bool = _flag(True)
    must_drop: bool = _flag()
    must_drop_type: Sets = _set(ALL)
    drop_opposite_colored_bishop: bool = _flag()
    enclosing_drop: str = _choice(
        "none", "reversi", "ataxx", "quadwrangle", "snort", "anyside", "top"
    )
    enclosing_drop_start: Regions = _region()
    castling_dropped_piece: bool = _flag()
    castling_rook_pieces: Sets = _set()
    opposite_castling: bool = _flag()
    castling_wins: str = _rights()
    # ---- what a move does beside
    gating: bool = _flag()
    seirawan_gating: bool = _flag()
    blast_on_capture: bool = _flag()
    blast_immune_types: Sets = _set()
    mutually_immune_types: Sets = _set()
    petrify_on_capture_types: Sets = _set()
    flip_enclosed_pieces: str = _choice("none", "reversi", "ataxx", "quadwrangle")
    walling_rule: str = _choice("none", "arrow", "duck", "edge", "past", "static")
    walling_region: Regions = _region(ALL)
    wall_or_move: bool = _flag()
    # ---- royalty
    checking: bool = _flag(True)
    flying_general: bool = _flag()
    bikjang_rule: bool = _flag()
    makpong_rule: bool = _flag()
    extinction_pseudo_royal: bool = _flag()
    duple_check: bool = _flag()
    # ---- results
    extinction_value: str = _choice("none", *_RESULTS)
    extinction_claim: bool = _flag()
    extinction_piece_types: Sets = _set()
    extinction_piece_count: int = _number(0, 255, 0)
    extinction_opponent_piece_count: int = _number(0, 255, 0)
    stalemate_value: str = _choice("draw", "loss", "win")
    stalemate_piece_count: bool = _flag()
    checkmate_value: str = _choice(*_RESULTS)
    shogi_pawn_drop_mate_illegal: bool = _flag()
    flag_piece: Sets = _set(ALL)
    flag_region: Regions = _region()
    flag_piece_count: int = _number(1, 255, 1)
    flag_piece_blocked_win: bool = _flag()
    flag_move: bool = _flag()
    flag_piece_safe: bool = _flag()
    check_counting: bool = _flag()
    connect_n: int = _number(0, 16, 0)
    connect_piece_types: Sets = _set(ALL)
    connect_vertical: bool = _flag(True)
    connect_horizontal: bool = _flag(True)
    connect_diagonal: bool = _flag(True)
    connect_region1: Regions = _region()
    connect_region2: Regions = _region()
    connect_nxn: int = _number(0, 16, 0)
    collinear_n: int = _number(0, 16, 0)
    connect_value: str = _choice("win", "draw", "loss")
    material_counting: str = _choice(
        "none", "janggi", "unweighted", "whitedrawodds", "blackdrawodds"
    )
    adjudicate_full_board: bool = _flag()
    # ---- draws
    n_move_rule: int = _number(0, 1000, 50)
    n_move_rule_types: Sets = _set("pawn")
    n_fold_rule: int = _number(0, 100, 3)
    n_fold_value: str = _choice("draw", "loss", "win")
    n_fold_value_absolute: bool = _flag()
    perpetual_check_illegal: bool = _flag()


class Way(NamedTuple):
    """A way to castle: squares of king and partner before and after."""

    right: str  # K, Q, k or q
    king_from: Square
    king_to: Square
    rook_from: Square
    rook_to: Square


class Kind(NamedTuple):
    """A kind of piece on the board: a piece, or what it has become."""

    #: As in position texts: ``P``, ``+P`` or ``Q~``.
    sign: str
    #: The letter of the piece whose moves it has.
    moves_as: str
    #: The letter that it has in hand when captured.
    held_as: str


@dataclass(frozen=True)
class Definition:
    """A validated game. Letters are in upper case; squares are (file, rank) from 0."""

    name: str
    title: str
    aliases: tuple[str, ...]
    files: int
    ranks: int
    start: str
    pieces: Mapping[str, Movement]
    betza: Mapping[str, str]
    #: The letter of the piece that must not be captured; "" if there is none.
    royal: str
    #: The letter of the piece that moves as chess's pawn; "" if there is none.
    pawn: str
    #: The letter of the soldier, whose sideways moves depend on its rank; "" if there is none.
    soldier: str
    #: Pieces of the kind of Janggi's cannon, which neither leaps over nor takes its like.
    cannons: Letters
    ways: tuple[Way, ...]
    rules: Rules
    values: Mapping[str, int]
    #: How each way is written, see :mod:`variants.fairy.castling_text`.
    castling_texts: Mapping[Way, str] = field(default_factory=dict)
    #: What stands where a way begins, at the start of a game: letters by squares.
    castlers: Mapping[Square, str] = field(default_factory=dict)
    #: Rights of which the start position's text speaks and that nobody has there: they are read
    #: and mean nothing, as GUIs send that text.
    idle_rights: str = ""

    @property
    def letters(self) -> str:
        """All piece letters in the order of the definition."""
        return "".join(self.pieces)

    def kinds(self) -> tuple[Kind, ...]:
        """Return all kinds of pieces, those of the letters first and in the same order."""
        rules = self.rules
        found = [Kind(letter, letter, letter) for letter in self.pieces]
        for letter, becomes in rules.promoted_piece_type.items():
            held = becomes if rules.drop_loop else letter
            found.append(Kind("+" + letter, becomes, held))
        if rules.captures_to_hand and not rules.drop_loop:
            for side in range(2):
                pawn = self.main_pawn(side)
                for letter in sorted(rules.promotion[side] if pawn else ()):
                    if all(kind.sign != letter + "~" for kind in found):
                        found.append(Kind(letter + "~", letter, pawn))
        return tuple(found)

    def turn_moves(self) -> tuple[int, int]:
        """Return how many moves White and Black have in a turn."""
        rules = self.rules
        return rules.moves_a_turn, rules.black_moves_a_turn or rules.moves_a_turn

    def has_long_turns(self) -> bool:
        """Return whether a side moves several times in a turn."""
        return max(self.turn_moves()) > 1

    def main_pawn(self, side: int) -> str:
        """Return the letter that a captured promoted pawn has in hand; "" if there is none."""
        pawns = self.rules.promotion_pawn_types[side]
        return next((letter for letter in self.pieces if letter in pawns), "")

    def read_castling(
        self, text: str, side: int, board: Mapping[Square, str], is_legal: Callable[[str], bool]
    ) -> str:
        """Return the notation of a castling written in another way; "" for other texts.

        Read are ``O-O``, the king taking its partner, and the king's move where that is no step.
        """
        ways = [(w, to) for w, to in self.castling_texts.items() if w.right.islower() == bool(side)]
        if any(text == written for _, written in ways):
            return text
        wanted = {"o-o": "K", "0-0": "K", "o-o-o": "Q", "0-0-0": "Q"}.get(text, "")
        for way, written in ways:
            partner = board.get(way.rook_from, "*").strip("+~")
            stands = partner != "*" and partner.isupper() == (side == 0)
            if wanted == way.right.upper():
                return written
            if text == square_name(way.king_from) + square_name(way.rook_from) and stands:
                return written
            if text == square_name(way.king_from) + square_name(way.king_to):
                return "" if is_legal(text) else written
        return ""

    def on_board(self) -> list[Square]:
        """Return all squares."""
        return [(file, rank) for rank in range(self.ranks) for file in range(self.files)]


def has_locusts(game: Definition) -> bool:
    """Return whether a piece captures on its way."""
    ways = (leg.enter for piece in game.pieces.values() for m in piece.moves for leg in m.legs[:-1])
    return any("c" in enter or "d" in enter for enter in ways)
