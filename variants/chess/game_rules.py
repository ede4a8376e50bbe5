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


@dataclass(frozen=True)
class Rules:
    """The rules of a game. Results are from the side to move's point of view."""

    # ---- Promotion
    #: What pawns become.
    promotion: Sets = _set()
    #: Where they promote.
    promotion_region: Regions = _region("last")
    #: The pieces that promote as pawns do.
    promotion_pawn_types: Sets = _set("pawn")
    #: No promotion to a piece of which a side has this many.
    promotion_limit: Mapping[str, int] = _map("limits")
    #: The pieces that promote as in shogi, written `+P`, and what they move as then.
    promoted_piece_type: Mapping[str, str] = _map("pieces")
    #: Pawns must promote.
    mandatory_pawn_promotion: bool = _flag(True)
    #: Pieces that promote as in shogi must do so.
    mandatory_piece_promotion: bool = _flag()
    #: Pieces promote by captures only.
    piece_promotion_on_capture: bool = _flag()
    #: Promoted pieces may turn back.
    piece_demotion: bool = _flag()
    # ---- Moves
    #: The squares that a piece may move to.
    mobility_region: Mapping[str, Regions] = _map("regions")
    #: Where pieces have their initial moves, and pawns their double step.
    double_step_region: Regions = _region("starts")
    #: Where pawns may go three squares.
    triple_step_region: Regions = _region()
    #: The squares on which en passant is allowed.
    en_passant_region: Regions = _region(ALL)
    #: The pieces that capture en passant.
    en_passant_types: Sets = _set("pawn")
    #: No piece may go where it can never move again.
    immobility_illegal: bool = _flag()
    #: A side that can capture must capture.
    must_capture: bool = _flag()
    #: A side may pass.
    passing: tuple[bool, bool] = _flags()
    #: A side without a move passes.
    pass_on_stalemate: tuple[bool, bool] = _flags()
    #: The moves of a turn.
    moves_a_turn: int = _number(1, 2, 1)
    #: The moves of Black's turn; 0: as many as White's.
    black_moves_a_turn: int = _number(0, 2, 0)
    #: The moves of White's first turn; 0: as many as later.
    first_turn_moves: int = _number(0, 2, 0)
    #: A check ends the turn.
    check_ends_turn: bool = _flag()
    #: The rank from which a soldier moves sideways.
    soldier_promotion_rank: int = _number(1, 16, 1)
    #: The squares with a palace's diagonal lines.
    diagonal_lines: Regions = _region()
    # ---- Drops
    #: Pieces in hand are dropped.
    piece_drops: bool = _flag()
    #: Hands are never empty: every piece may be dropped.
    free_drops: bool = _flag()
    #: Captured pieces go to the hand.
    captures_to_hand: bool = _flag()
    #: Captured promoted pieces stay promoted.
    drop_loop: bool = _flag()
    #: Pieces may be dropped promoted.
    drop_promoted: bool = _flag()
    #: Where pieces are dropped.
    drop_region: Regions = _region(ALL)
    #: Pawns may be dropped on the first rank.
    first_rank_pawn_drops: bool = _flag()
    #: Pawns may be dropped where they promote.
    promotion_zone_pawn_drops: bool = _flag()
    #: The pieces of which a drop must not put too many on a file.
    drop_no_doubled: Sets = _set()
    #: How many of them a file may have.
    drop_no_doubled_count: int = _number(0, 16, 1)
    #: Drops may give check.
    drop_checks: bool = _flag(True)
    #: Drops come before all other moves.
    must_drop: bool = _flag()
    #: The pieces that `must_drop` concerns.
    must_drop_type: Sets = _set(ALL)
    #: Bishops are dropped on squares of both colours by turns.
    drop_opposite_colored_bishop: bool = _flag()
    #: A drop must enclose pieces or touch some, as in Reversi, Ataxx, Quadwrangle or Snort, or
    #: falls from a side, as in Connect Four (`top`).
    enclosing_drop: str = _choice(
        "none", "reversi", "ataxx", "quadwrangle", "snort", "anyside", "top"
    )
    #: The squares on which the first drops need not enclose.
    enclosing_drop_start: Regions = _region()
    #: Dropped kings and rooks may castle.
    castling_dropped_piece: bool = _flag()
    #: The partners of castling among dropped pieces.
    castling_rook_pieces: Sets = _set()
    #: A side may not castle to the side of the other king.
    opposite_castling: bool = _flag()
    #: These castlings win, and who has lost the rights to all of them loses.
    castling_wins: str = _rights()
    # ---- Other effects of a move
    #: Pieces may be gated in: position texts have the files of pieces that have not moved.
    gating: bool = _flag()
    #: A piece in hand may come onto a square that is left for the first time.
    seirawan_gating: bool = _flag()
    #: A capture blasts the pieces around it, as in Atomic.
    blast_on_capture: bool = _flag()
    #: The pieces that a blast spares.
    blast_immune_types: Sets = _set()
    #: The pieces that do not capture their like.
    mutually_immune_types: Sets = _set()
    #: The pieces that become a wall when they capture.
    petrify_on_capture_types: Sets = _set()
    #: Enclosed pieces change their colour.
    flip_enclosed_pieces: str = _choice("none", "reversi", "ataxx", "quadwrangle")
    #: Where a move puts a wall.
    walling_rule: str = _choice("none", "arrow", "duck", "edge", "past", "static")
    #: The squares for walls.
    walling_region: Regions = _region(ALL)
    #: A turn is a wall or a move.
    wall_or_move: bool = _flag()
    # ---- Kings
    #: Kings may be in check.
    checking: bool = _flag(True)
    #: Kings must not face one another.
    flying_general: bool = _flag()
    #: Janggi's rule about facing kings.
    bikjang_rule: bool = _flag()
    #: A king in check may not move away.
    makpong_rule: bool = _flag()
    #: The last piece of `extinction_piece_types` is royal.
    extinction_pseudo_royal: bool = _flag()
    #: A side is in check only if all its royal pieces are attacked.
    duple_check: bool = _flag()
    # ---- Results
    #: The result for a side with too few pieces.
    extinction_value: str = _choice("none", *_RESULTS)
    #: Only the side to move can win by it.
    extinction_claim: bool = _flag()
    #: The pieces that count; `"*"` counts all together.
    extinction_piece_types: Sets = _set()
    #: Too few are this many or less.
    extinction_piece_count: int = _number(0, 255, 0)
    #: How many the other side must have.
    extinction_opponent_piece_count: int = _number(0, 255, 0)
    #: The result of having no move.
    stalemate_value: str = _choice("draw", "loss", "win")
    #: Stalemate is decided by the number of pieces.
    stalemate_piece_count: bool = _flag()
    #: The result of checkmate.
    checkmate_value: str = _choice(*_RESULTS)
    #: Mate by a pawn's drop loses.
    shogi_pawn_drop_mate_illegal: bool = _flag()
    #: The pieces that win by reaching squares.
    flag_piece: Sets = _set(ALL)
    #: These squares.
    flag_region: Regions = _region()
    #: How many pieces must be there.
    flag_piece_count: int = _number(1, 255, 1)
    #: Fewer are enough if all other squares of the region are taken.
    flag_piece_blocked_win: bool = _flag()
    #: Black has one more move to reach them too.
    flag_move: bool = _flag()
    #: The piece must not be attacked there.
    flag_piece_safe: bool = _flag()
    #: A number of checks wins, see [Notation](#notation).
    check_counting: bool = _flag()
    #: A row of this length wins.
    connect_n: int = _number(0, 16, 0)
    #: The pieces that make rows.
    connect_piece_types: Sets = _set(ALL)
    #: Rows may be vertical.
    connect_vertical: bool = _flag(True)
    #: Rows may be horizontal.
    connect_horizontal: bool = _flag(True)
    #: Rows may be diagonal.
    connect_diagonal: bool = _flag(True)
    #: Joining this region with the next wins.
    connect_region1: Regions = _region()
    #: Joining this region with the one before wins.
    connect_region2: Regions = _region()
    #: A square block of this size wins.
    connect_nxn: int = _number(0, 16, 0)
    #: This many pieces on a line win, also with gaps.
    collinear_n: int = _number(0, 16, 0)
    #: The result for the side that has connected.
    connect_value: str = _choice("win", "draw", "loss")
    #: How material decides.
    material_counting: str = _choice(
        "none", "janggi", "unweighted", "whitedrawodds", "blackdrawodds"
    )
    #: Material decides when the board is full.
    adjudicate_full_board: bool = _flag()
    # ---- Draws
    #: Moves of both sides without progress after which the game is drawn, or a draw is claimed; 0:
    #: none.
    n_move_rule: int = _number(0, 1000, 50)
    #: The pieces whose moves are progress, as captures are.
    n_move_rule_types: Sets = _set("pawn")
    #: Moves after which that draw needs no claim; 0: `n_move_rule`, with the fast kernels 75 if
    #: that is more.
    n_move_limit: int = _number(0, 1000, 0)
    #: Occurrences of a position that end the game, or with which a draw is claimed; 0: none.
    n_fold_rule: int = _number(0, 100, 3)
    #: Occurrences with which that draw needs no claim; 0: `n_fold_rule`, with the fast kernels 5
    #: if that is more.
    n_fold_limit: int = _number(0, 100, 0)
    #: The result of repetition.
    n_fold_value: str = _choice("draw", "loss", "win")
    #: That result is White's.
    n_fold_value_absolute: bool = _flag()
    #: Perpetual check loses.
    perpetual_check_illegal: bool = _flag()
    #: Pieces of which one alone cannot mate: the fast kernels know that position as drawn.
    lone_minors: Sets = _set()
