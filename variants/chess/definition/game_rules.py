"""The rules of a chess-like game: every key of a definition that is a rule, with its meaning.

A rule's key is the name of its field here. Fairy-Stockfish's ``variants.ini`` has the same names,
written ``camelCase``; that is the source of their meanings. ``scripts/write_keys.py`` writes the
comments of the fields into VARIANTS.md, and a page of rules has those that a game uses.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

Square = tuple[int, int]  # (file, rank) from 0
Region = frozenset[Square]
#: By colour: White's value and Black's.
Regions = tuple[Region, Region]
Letters = frozenset[str]
Sets = tuple[Letters, Letters]

NOWHERE: Regions = (frozenset(), frozenset())
NONE: Sets = (frozenset(), frozenset())
#: Stands for all pieces, and for all squares; :mod:`variants.chess.formats.toml` replaces it.
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


@cache
def sections() -> Mapping[str, Mapping[str, str]]:
    """Return the meaning of every rule by its key, by the heading under which it stands."""
    found: dict[str, dict[str, str]] = {}
    names = {rule.name for rule in fields(Rules)}
    heading, comment = "", ""
    for line in inspect.getsource(Rules).splitlines():
        text = line.strip()
        if text.startswith("# ---- "):
            heading = text.removeprefix("# ---- ")
            found[heading] = {}
        elif text.startswith("#: "):
            comment = f"{comment} {text.removeprefix('#: ')}".strip()
        elif (name := text.partition(":")[0]) in names:
            found[heading][name] = comment
            comment = ""
    return found


def meanings() -> Mapping[str, str]:
    """Return the meaning of every rule by its key."""
    return {key: text for rules in sections().values() for key, text in rules.items()}


_RESULTS = ("loss", "draw", "win")
COUNTING_RULES = ("none", "makruk", "cambodian", "asean")


@dataclass(frozen=True)
class Rules:
    """The rules of a game. Results are from the side to move's point of view."""

    # ---- Promotion
    #: Pawns become one of these pieces.
    promotion: Sets = _set()
    #: Pieces promote on these squares.
    promotion_region: Regions = _region("last")
    #: These pieces promote as pawns do.
    promotion_pawn_types: Sets = _set("pawn")
    #: No piece promotes to one of which its side has this many.
    promotion_limit: Mapping[str, int] = _map("limits")
    #: These pieces turn over when they promote, as in shogi, and then move as others.
    promoted_piece_type: Mapping[str, str] = _map("pieces")
    #: Pawns must promote.
    mandatory_pawn_promotion: bool = _flag(True)
    #: Pieces that can turn over must do so.
    mandatory_piece_promotion: bool = _flag()
    #: Pieces turn over only when they capture.
    piece_promotion_on_capture: bool = _flag()
    #: A piece that is already where pieces promote turns over only when it captures, or comes where
    #: it can never move again.
    piece_promotion_on_entry: bool = _flag()
    #: Pieces that have turned over may turn back.
    piece_demotion: bool = _flag()
    #: A pawn promotes instead of moving: where it stands, or one quiet move of the new piece away.
    #: It must be on a promotion square, unless it is the last one, and then attack no piece and
    #: give no check.
    sittuyin_promotion: bool = _flag()
    # ---- Moves
    #: These pieces move only to these squares.
    mobility_region: Mapping[str, Regions] = _map("regions")
    #: Pawns may go two squares, and other pieces make initial moves, from these squares.
    double_step_region: Regions = _region("starts")
    #: Pawns may go three squares from these squares.
    triple_step_region: Regions = _region()
    #: Captures en passant end on these squares.
    en_passant_region: Regions = _region(ALL)
    #: These pieces capture en passant.
    en_passant_types: Sets = _set("pawn")
    #: A king's first move may be a knight's leap aside and ahead, but not out of check. A ferz's
    #: may be one of two squares straight ahead. A rook that comes to a king's line ends its right.
    cambodian_moves: bool = _flag()
    #: The board is two boards, side by side. A piece that has moved goes on to the same square of
    #: the other one, which must be empty (Alice Chess).
    alice_boards: bool = _flag()
    #: No piece may go where it can never move again.
    immobility_illegal: bool = _flag()
    #: A side that can capture must capture.
    must_capture: bool = _flag()
    #: A side may pass instead of moving.
    passing: tuple[bool, bool] = _flags()
    #: A side without a move passes.
    pass_on_stalemate: tuple[bool, bool] = _flags()
    #: A turn has this many moves.
    moves_a_turn: int = _number(1, 16, 1)
    #: Black's turn has this many moves; 0: as many as White's.
    black_moves_a_turn: int = _number(0, 16, 0)
    #: White's first turn has this many moves; 0: as many as later.
    first_turn_moves: int = _number(0, 16, 0)
    #: Each turn has one move more than the one before: White's first has one, Black's two.
    progressive: bool = _flag()
    #: A check ends the turn.
    check_ends_turn: bool = _flag()
    #: A soldier also moves sideways from this rank on.
    soldier_promotion_rank: int = _number(1, 16, 1)
    #: These squares have a palace's diagonal lines.
    diagonal_lines: Regions = _region()
    # ---- Drops
    #: Pieces in hand may be dropped.
    piece_drops: bool = _flag()
    #: Hands are never empty: every piece may be dropped.
    free_drops: bool = _flag()
    #: A captured piece goes to the hand of the side that captures it.
    captures_to_hand: bool = _flag()
    #: A captured piece that has turned over stays so.
    drop_loop: bool = _flag()
    #: Pieces may be dropped turned over.
    drop_promoted: bool = _flag()
    #: Pieces are dropped on these squares.
    drop_region: Regions = _region(ALL)
    #: Pawns may be dropped on the first rank.
    first_rank_pawn_drops: bool = _flag()
    #: Pawns may be dropped where they promote.
    promotion_zone_pawn_drops: bool = _flag()
    #: No more of these pieces are dropped on a file that has enough of them.
    drop_no_doubled: Sets = _set()
    #: A file has enough with this many of `drop_no_doubled`.
    drop_no_doubled_count: int = _number(0, 16, 1)
    #: Rooks are dropped on the first rank.
    sittuyin_rook_drop: bool = _flag()
    #: Drops may give check.
    drop_checks: bool = _flag(True)
    #: Drops come before all other moves.
    must_drop: bool = _flag()
    #: Only these pieces must be dropped before all other moves.
    must_drop_type: Sets = _set(ALL)
    #: Bishops are dropped on squares of both colours by turns.
    drop_opposite_colored_bishop: bool = _flag()
    #: A drop must enclose or touch pieces, as in Reversi, Ataxx, Quadwrangle or Snort. Or it falls
    #: from a side, as in Connect Four (`top`).
    enclosing_drop: str = _choice(
        "none", "reversi", "ataxx", "quadwrangle", "snort", "anyside", "top"
    )
    #: The first drops go to these squares, and need not enclose.
    enclosing_drop_start: Regions = _region()
    #: Dropped kings and rooks may castle.
    castling_dropped_piece: bool = _flag()
    #: Dropped kings castle with these pieces.
    castling_rook_pieces: Sets = _set()
    #: A side may not castle towards the edge to which the other has castled.
    opposite_castling: bool = _flag()
    #: These castlings win, and who has lost the rights to all of them loses.
    castling_wins: str = _rights()
    # ---- Other effects of a move
    #: Pieces that have not moved may gate: position texts have their files.
    gating: bool = _flag()
    #: A piece in hand may come onto a square that is left for the first time.
    seirawan_gating: bool = _flag()
    #: A capture blasts the pieces around it, as in Atomic.
    blast_on_capture: bool = _flag()
    #: A blast spares these pieces.
    blast_immune_types: Sets = _set()
    #: These pieces do not capture their like.
    mutually_immune_types: Sets = _set()
    #: These pieces are not traded, as the lions of Chu Shogi. One captures another that is not next
    #: to it only if no enemy can capture back. When another piece has captured one, the reply may
    #: not capture one elsewhere with such another piece.
    lion_types: Sets = _set()
    #: One of `lion_types` that captures on its way may capture a protected one, too, but not if it
    #: captures these pieces on its way.
    lion_bait_types: Sets = _set()
    #: These pieces become a wall when they capture.
    petrify_on_capture_types: Sets = _set()
    #: Pieces that a blast removes become walls, but for the one that captures.
    petrify_blast_pieces: bool = _flag()
    #: Enclosed pieces change their colour.
    flip_enclosed_pieces: str = _choice("none", "reversi", "ataxx", "quadwrangle")
    #: A move also puts a wall on a square.
    walling_rule: str = _choice("none", "arrow", "duck", "edge", "past", "static")
    #: Walls stand on these squares.
    walling_region: Regions = _region(ALL)
    #: A turn is a wall or a move.
    wall_or_move: bool = _flag()
    # ---- Kings
    #: Moves may give check.
    checking: bool = _flag(True)
    #: Kings must not face one another.
    flying_general: bool = _flag()
    #: Kings that have faced one another for two moves end the game, as in Janggi.
    bikjang_rule: bool = _flag()
    #: A king in check may not move away.
    makpong_rule: bool = _flag()
    #: The last piece of `extinction_piece_types` is royal.
    extinction_pseudo_royal: bool = _flag()
    #: A side is in check only if all its royal pieces are attacked.
    duple_check: bool = _flag()
    # ---- Results
    #: A side with too few pieces has this result.
    extinction_value: str = _choice("none", *_RESULTS)
    #: Only the side to move can win because the other has too few pieces.
    extinction_claim: bool = _flag()
    #: A side can have too few of these pieces; `"*"`: of all together.
    extinction_piece_types: Sets = _set()
    #: This many pieces, or fewer, are too few.
    extinction_piece_count: int = _number(0, 255, 0)
    #: Too few pieces count only if the other side has this many.
    extinction_opponent_piece_count: int = _number(0, 255, 0)
    #: A side loses whose last piece is one of `extinction_piece_types`, if the other has another
    #: piece. It does not while that piece is next to the only other one, or attacks a royal one.
    #: Two such sides draw. Pieces that can never move again do not count.
    bare_king_rule: bool = _flag()
    #: These pieces of the other side do not count for `bare_king_rule`.
    bare_king_minor_types: Sets = _set()
    #: A side without a legal move has this result.
    stalemate_value: str = _choice("draw", "loss", "win")
    #: Stalemate is decided by the number of pieces.
    stalemate_piece_count: bool = _flag()
    #: A side that is checkmated has this result.
    checkmate_value: str = _choice(*_RESULTS)
    #: A mate by knights alone loses. Another is a draw without a check by rook, bers (RF) or knight
    #: in the row of checks that ends with it.
    shatar_mate_rule: bool = _flag()
    #: A mate by the drop of a pawn loses. That is a piece that moves as shogi's pawn, or the game's
    #: pawn if there is none.
    shogi_pawn_drop_mate_illegal: bool = _flag()
    #: These pieces win by reaching squares.
    flag_piece: Sets = _set(ALL)
    #: A side wins by reaching these squares.
    flag_region: Regions = _region()
    #: A side needs this many pieces on the squares that win.
    flag_piece_count: int = _number(1, 255, 1)
    #: Fewer pieces are enough if all other squares that win are taken.
    flag_piece_blocked_win: bool = _flag()
    #: Black has one more move to reach the squares that win, too.
    flag_move: bool = _flag()
    #: A piece does not win on a square where it is attacked.
    flag_piece_safe: bool = _flag()
    #: A number of checks wins, see [Notation](#notation).
    check_counting: bool = _flag()
    #: A row of this many pieces wins.
    connect_n: int = _number(0, 16, 0)
    #: These pieces make rows.
    connect_piece_types: Sets = _set(ALL)
    #: Rows may be vertical.
    connect_vertical: bool = _flag(True)
    #: Rows may be horizontal.
    connect_horizontal: bool = _flag(True)
    #: Rows may be diagonal.
    connect_diagonal: bool = _flag(True)
    #: A side wins by joining these squares with those of the second region.
    connect_region1: Regions = _region()
    #: These squares are the second region that a side has to join.
    connect_region2: Regions = _region()
    #: A square block of this size wins.
    connect_nxn: int = _number(0, 16, 0)
    #: This many pieces on a line win, also with gaps.
    collinear_n: int = _number(0, 16, 0)
    #: A side that has connected its pieces has this result.
    connect_value: str = _choice("win", "draw", "loss")
    #: Material decides a game that is drawn otherwise.
    material_counting: str = _choice(
        "none", "janggi", "unweighted", "whitedrawodds", "blackdrawodds"
    )
    #: A full board ends the game.
    adjudicate_full_board: bool = _flag()
    # ---- Draws
    #: After this many moves of both sides without progress the game is drawn, or a draw is claimed;
    #: 0: never.
    n_move_rule: int = _number(0, 1000, 50)
    #: Moves of these pieces are progress, as captures are.
    n_move_rule_types: Sets = _set("pawn")
    #: After this many moves without progress the draw needs no claim; 0: `n_move_rule`, with the
    #: fast kernels 75 if that is more.
    n_move_limit: int = _number(0, 1000, 0)
    #: A position that occurs this many times ends the game, or lets a draw be claimed; 0: never.
    n_fold_rule: int = _number(0, 100, 3)
    #: A position that occurs this many times ends the game without a claim; 0: `n_fold_rule`, with
    #: the fast kernels 5 if that is more.
    n_fold_limit: int = _number(0, 100, 0)
    #: The side to move has this result by repetition.
    n_fold_value: str = _choice("draw", "loss", "win")
    #: The result by repetition is White's.
    n_fold_value_absolute: bool = _flag()
    #: Draws by count in Makruk, Cambodian chess and ASEAN chess: so many moves of a bare king, or
    #: without pawns, see [Notation](#notation).
    counting_rule: str = _choice(*COUNTING_RULES)
    #: A side that gives perpetual check loses.
    perpetual_check_illegal: bool = _flag()
    #: A side that chases one piece perpetually loses, by the rules of the Asian Xiangqi Federation.
    #: Of each side's checks only ten count for `n_move_rule`.
    chasing_rule: str = _choice("none", "axf")
    #: A side loses that moves a piece back and forth four times, as in Janggi on Kakao's server.
    move_repetition_illegal: bool = _flag()
    #: A side loses that repeats a position by moves that all give check, or attack by the piece
    #: that moves. If both sides do, neither loses.
    perpetual_attack_illegal: bool = _flag()
    #: One of these pieces alone cannot mate. Pieces whose moves show that need not be named.
    lone_minors: Sets = _set()

    def makes_stones(self) -> bool:
        """Return whether captures leave walls."""
        return any(self.petrify_on_capture_types) or self.petrify_blast_pieces
