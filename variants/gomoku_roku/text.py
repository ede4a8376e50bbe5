"""Gomoku Roku's position text and move names.

``board[holdings] side - - 0 1``: S is a white stone, s a black one, ``*`` a square outside the
hexagon. A stone on the outermost ring is its side's track stone. Stones neither on the board nor in
hand have been removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ryugi_engine.games.game import PASS, counted
from ryugi_engine.games.notation import (
    Board,
    PositionError,
    format_board,
    parse_board,
    parse_constants,
    parse_holdings,
    parse_side,
    split_holdings,
    square_name,
    squares_of,
)
from variants.gomoku_roku.board import CIRCLE_OF, HOLES, SIZE, TRACK, TRACK_OF, Square, stretches
from variants.gomoku_roku.definition import BOTH, WHITE_MAY, Definition

NAMES = ("White", "Black")
#: What a turn is for. The first four come before play, in this order where a rule set has them.
BLACK_PLACES, WHITE_PLACES, WHITE_MAY_PLACE, BLACK_SETS_UP, WHITE_SETS_UP, PLAY = range(6)
NOWHERE = -1
#: A move in capitals.
MOVE = re.compile(r"S@([A-K])(\d{1,2})(?:X([A-K])(\d{1,2})([A-K])(\d{1,2}))?")


@dataclass
class PositionData:
    """A position as plain data; the pairs hold White's, then Black's."""

    stones: tuple[set[Square], set[Square]] = field(default_factory=lambda: (set(), set()))
    #: Track circle of each side's track stone; NOWHERE before the setup.
    track: list[int] = field(default_factory=lambda: [NOWHERE, NOWHERE])
    hands: list[int] = field(default_factory=lambda: [0, 0])
    side: int = 1
    #: What the side to move does, one of the constants above.
    phase: int = BLACK_SETS_UP

    def removals(self, game: Definition) -> tuple[int, int]:
        """Pairs that White and Black have removed."""
        lost = [
            game.stones - self.hands[side] - len(self.stones[side]) - (self.track[side] >= 0)
            for side in range(2)
        ]
        return lost[1] // 2, lost[0] // 2


def first_phase(game: Definition) -> int:
    """Return the phase of the game's first turn."""
    return {BOTH: BLACK_PLACES, WHITE_MAY: WHITE_MAY_PLACE}.get(game.preplacement, BLACK_SETS_UP)


def side_of(phase: int) -> int:
    """Return the side to move in a phase of the setup."""
    return 1 if phase in (BLACK_PLACES, BLACK_SETS_UP) else 0


def is_behind(own: int, other: int) -> bool:
    """Return whether a stone on track circle ``own`` is further back, on a clockwise track."""
    return (other - own) % len(TRACK) < len(TRACK) // 2


def start_text(game: Definition) -> str:
    """Return the start position."""
    phase = first_phase(game)
    return format_text(PositionData(hands=[game.stones] * 2, side=side_of(phase), phase=phase))


def _phase(game: Definition, data: PositionData) -> int:
    """Return the phase that follows from the stones on the board; else PositionError."""
    on_track = [at >= 0 for at in data.track]
    if on_track == [True, True]:
        return PLAY
    placed = (len(data.stones[0]), len(data.stones[1]))
    before_play = {BOTH: [(1, 1)], WHITE_MAY: [(0, 0), (1, 0)]}.get(game.preplacement, [(0, 0)])
    if on_track == [False, True]:
        if placed in before_play:
            return WHITE_SETS_UP
    elif on_track == [False, False]:
        if game.preplacement == BOTH and placed in ((0, 0), (0, 1)):
            return WHITE_PLACES if placed[1] else BLACK_PLACES
        if game.preplacement == WHITE_MAY and placed == (0, 0) and data.side == 0:
            return WHITE_MAY_PLACE
        if placed in before_play:
            return BLACK_SETS_UP
    else:
        raise PositionError("board", "Black has no track stone, though White has one")
    who = "White has no" if on_track[1] else "neither side has a"
    raise PositionError("board", f"stones on the cost circles, but {who} track stone yet")


def has_five(data: PositionData, side: int) -> bool:
    """Return whether a side has five stones in a row, its track stone included."""
    at = data.track[side]
    stones = data.stones[side] | ({TRACK[at]} if at >= 0 else set())
    return any(stones.issuperset(five) for five in stretches(5))


def ended_by(game: Definition, data: PositionData) -> tuple[int, str] | None:
    """Return (winner or -1, reason) if the last turn has ended the game, else None."""
    for side in range(2):
        if has_five(data, side):
            return side, "five in a row"
        if game.removals_to_win and data.removals(game)[side] >= game.removals_to_win:
            return side, f"{counted(game.removals_to_win, 'removal')}"
    if len(data.stones[0] | data.stones[1]) == len(CIRCLE_OF):
        return -1, "board full"
    return None


def _check_side(game: Definition, data: PositionData) -> None:
    if data.phase == PLAY:
        white, black = data.track
        if (white - black) % len(TRACK) == len(TRACK) // 2:
            raise PositionError("board", "the track stones are opposite each other")
        if ended_by(game, data) is not None:
            return  # the turn did not pass, and the text does not tell whose it was
        expected, why = (0 if is_behind(white, black) else 1), "track stone is behind"
    else:
        expected, why = side_of(data.phase), "turn it is before play"
    if data.side != expected:
        raise PositionError("side to move", f"it is {NAMES[expected]} whose {why}")


def parse_text(game: Definition, text: str) -> PositionData:
    """Parse a position; PositionError names the field and the reason."""
    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise PositionError("position", f"{counted(len(fields), 'field')} instead of 6")
    rows, hands = split_holdings(fields[0])
    try:
        board = parse_board(rows, SIZE, SIZE, "S", HOLES)
    except ValueError as error:
        raise PositionError("board", str(error)) from None
    data = PositionData()
    for at, letter in board.items():
        side = "Ss".index(letter)
        if at in CIRCLE_OF:
            data.stones[side].add(at)
        elif at not in TRACK_OF:
            raise PositionError("board", f"a stone on the mark {square_name(at)}")
        elif data.track[side] >= 0:
            raise PositionError("board", f"{NAMES[side]} has two stones on the track")
        else:
            data.track[side] = TRACK_OF[at]
    held = parse_holdings(hands, "S")
    data.hands = [held.get("S", 0), held.get("s", 0)]
    for side, name in enumerate(NAMES):
        there = data.hands[side] + len(data.stones[side]) + (data.track[side] >= 0)
        if there > game.stones:
            raise PositionError(
                "holdings", f"{name} has {counted(there, 'stone')}, more than {game.stones}"
            )
        missing = game.stones - there
        if missing and not game.ninuki:
            raise PositionError(
                "holdings", f"{name} has {counted(there, 'stone')} instead of {game.stones}"
            )
        if missing % 2:
            raise PositionError(
                "holdings", f"{name} has lost {counted(missing, 'stone')}, but they go in pairs"
            )
    if has_five(data, 0) and has_five(data, 1):
        raise PositionError("board", "both sides have five in a row")
    data.side = parse_side(fields[1])
    data.phase = _phase(game, data)
    _check_side(game, data)
    parse_constants(fields)
    return data


def format_text(data: PositionData) -> str:
    """Return the canonical text."""
    board: Board = {}
    for side, letter in enumerate("Ss"):
        board |= dict.fromkeys(data.stones[side], letter)
        at = data.track[side]
        if at >= 0:
            board[TRACK[at]] = letter
    hands = "S" * data.hands[0] + "s" * data.hands[1]
    rows = format_board(board, SIZE, SIZE, HOLES)
    return f"{rows}[{hands}] {'wb'[data.side]} - - 0 1"


def move_name(at: Square, removed: Sequence[Square] = ()) -> str:
    """Return a move's name: ``S@e5``, with a removal ``S@e5xc5d5``."""
    text = "S@" + square_name(at)
    if removed:
        text += "x" + "".join(map(square_name, sorted(removed)))
    return text


def normal_name(text: str) -> str:
    """Return a move in the spelling of :func:`move_name`; other texts are returned unchanged."""
    match = MOVE.fullmatch(text.upper())
    if match is None:
        return PASS if text.lower() in (PASS, "0000", "@@@@") else text

    def read(file: str, rank: str) -> Square:
        return ord(file) - ord("A"), int(rank) - 1

    parts = match.groups()
    removed = [] if parts[2] is None else [read(parts[2], parts[3]), read(parts[4], parts[5])]
    return move_name(read(parts[0], parts[1]), removed)


def objection(data: PositionData, text: str) -> str:
    """Return why a turn is not legal, as a short phrase."""
    squares = squares_of(text.lower())[:1]
    taken = data.stones[0] | data.stones[1] | {TRACK[at] for at in data.track if at >= 0}
    if any(at in taken for at in squares):
        return "the circle is taken"
    on_track = any(at in TRACK_OF for at in squares)
    if data.phase == BLACK_SETS_UP:
        return "place your track stone on the rim first: any circle of the outermost ring"
    if data.phase == WHITE_SETS_UP:
        return "place your track stone on the rim first: beside Black's"
    if on_track:
        return "a stone goes on a circle inside the rim, which is the track"
    if squares and not any(at in CIRCLE_OF for at in squares):
        return "there is no such circle"
    return "no such turn"
