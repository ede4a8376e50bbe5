"""A chess-like game as plain data: board, pieces, castling and rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ryugi_engine.games.notation import square_name
from variants.chess.definition import game_rules
from variants.chess.definition.appearance import PLAIN_APPEARANCE, Appearance
from variants.chess.definition.game_rules import Rules

Square = game_rules.Square
Region = game_rules.Region
Letters = game_rules.Letters
#: Steps of a rider whose range is not limited: no board is larger.
UNLIMITED = 15
#: Maximum number of a piece's moves, of a move's legs, and of the ways that all moves together may
#: go. A move of riding legs goes as many ways as the product of their ranges.
MAX_MOVES, MAX_LEGS, MAX_TRAILS = 400, 6, 100_000
#: Maximum number of moves of a turn; that of progressive games grows no further.
MAX_TURN = 63
#: Maximum number of ways to castle of a side.
MAX_WAYS = 8


class Leg(NamedTuple):
    """A part of a move of several legs: a step, or up to ``steps`` of them, in one direction."""

    dx: int
    dy: int
    steps: int
    #: What may stand where it ends: m nothing. Captured: c an enemy, d an own piece. Passed over: p
    #: an enemy, o an own piece.
    enter: str
    #: Squares at its beginning that are left out, occupied or not.
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
    #: "p" leaps over one piece and goes on, "g" lands after it; "" does not leap.
    hop: str = ""
    #: Offsets of squares that must be empty.
    path: tuple[tuple[int, int], ...] = ()
    #: Whether a square of ``path`` must be occupied instead.
    jump: bool = False
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

    def scaled(self, x: int, y: int) -> Move:
        """Return the move with its steps times ``x`` and ``y``; -1 turns a direction round."""
        legs = tuple(
            leg._replace(
                dx=x * leg.dx, dy=y * leg.dy, middle=(x * leg.middle[0], y * leg.middle[1])
            )
            for leg in self.legs
        )
        path = tuple((x * dx, y * dy) for dx, dy in self.path)
        return self._replace(dx=x * self.dx, dy=y * self.dy, path=path, legs=legs)


class Castling(NamedTuple):
    """Castling: the king goes ``width`` squares towards a partner."""

    #: "r", "l" or both.
    sides: str
    width: int
    #: Squares between the partner and the edge.
    inset: int


class Movement(NamedTuple):
    """The moves of a piece, one for each direction and kind."""

    moves: tuple[Move, ...]
    castling: tuple[Castling, ...] = ()

    def takes_en_passant(self, move: Move) -> bool:
        """Return whether a move captures en passant: not if the piece can also go there quietly.

        This is Fairy-Stockfish's rule; otherwise two moves would have one text.
        """
        quietly = any(m.quiet and (m.dx, m.dy) == (move.dx, move.dy) for m in self.moves)
        return move.capture and not move.quiet and not quietly


class Way(NamedTuple):
    """A way to castle: squares of king and partner before and after."""

    right: str  # K, Q, k or q
    king_from: Square
    king_to: Square
    rook_from: Square
    rook_to: Square

    def mirrored(self, ranks: int) -> Way:
        """Return White's way as Black's."""
        return Way(self.right.lower(), *((file, ranks - 1 - rank) for file, rank in self[1:]))


class Kind(NamedTuple):
    """A kind of piece on the board: a piece, or what it has become."""

    #: As in position texts: ``P``, ``+P`` or ``Q~``.
    sign: str
    #: The letter of the piece whose moves it has; its sign if no letter has them.
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
    #: By letter, and by sign (``+T``) of what a piece becomes that has no letter.
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
    #: How each way is written, see :mod:`variants.chess.notation.castling_text`.
    castling_texts: Mapping[Way, str] = field(default_factory=dict)
    #: What stands where a way begins, at the start of a game: letters by squares.
    castlers: Mapping[Square, str] = field(default_factory=dict)
    #: Rights of which the start position's text speaks and that do not exist there: they are read
    #: and mean nothing, as GUIs send that text.
    idle_rights: str = ""
    #: The shipped net that it comes with; one of its own name needs no word.
    net: str = ""
    appearance: Appearance = PLAIN_APPEARANCE
    #: Whether king and rooks may begin on any files (Chess960). The ways to castle are then those
    #: of a position, and castling is written as the king taking its rook.
    chess960: bool = False

    @property
    def letters(self) -> str:
        """All piece letters in the order of the definition, without what has none (``+T``)."""
        return "".join(letter for letter in self.pieces if letter[0] != "+")

    def kinds(self) -> tuple[Kind, ...]:
        """Return all kinds of pieces, those of the letters first and in the same order."""
        rules = self.rules
        found = [Kind(letter, letter, letter) for letter in self.letters]
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

    def unusual_rules(self) -> list[str]:
        """Return the keys of rules that differ from their defaults and have an effect.

        Rules whose default depends on pieces or board are left out.
        """
        found, plain = [], Rules()
        for rule in dataclasses.fields(Rules):
            value, default = getattr(self.rules, rule.name), getattr(plain, rule.name)
            depends = rule.metadata["kind"] in ("region", "set")
            if value != default and (not depends or (not any(default) and any(value))):
                found.append(rule.name)
        return found

    def turn_moves(self) -> tuple[int, int]:
        """Return how many moves White and Black have in a turn."""
        rules = self.rules
        return rules.moves_a_turn, rules.black_moves_a_turn or rules.moves_a_turn

    def has_long_turns(self) -> bool:
        """Return whether a side moves several times in a turn."""
        return self.rules.progressive or max(self.turn_moves()) > 1

    def turn_length(self, side: int, number: int) -> int:
        """Return how many moves a side's turn has, in a move of this number."""
        if self.rules.progressive:
            return min(2 * number - 1 + side, MAX_TURN)
        return self.turn_moves()[side]

    def has_many_marks(self) -> bool:
        """Return whether several pieces may be taken en passant after one turn of many moves."""
        return self.rules.progressive or max(self.turn_moves()) > 2

    def main_pawn(self, side: int) -> str:
        """Return the letter that a captured promoted pawn has in hand; "" if there is none."""
        pawns = self.rules.promotion_pawn_types[side]
        return next((letter for letter in self.pieces if letter in pawns), "")

    def shogi_pawns(self) -> Letters:
        """Return the pieces that move as shogi's pawn; without any the game's pawn."""
        step = (Move(0, 1, 1, quiet=True, capture=True),)
        found = {letter for letter, piece in self.pieces.items() if piece.moves == step}
        return frozenset(found or {self.pawn} - {""})

    def read_castling(
        self, text: str, side: int, rights: str, board: Mapping[Square, str],
        is_legal: Callable[[str], bool],
    ) -> str:  # fmt: skip
        """Convert another spelling of a castling to the engine's; "" for other texts.

        Read are ``O-O``, the king taking its partner, and the king's move where that is no step.
        ``rights`` are those that are left: in Chess960 a king may step to where its rook stood.
        """
        ways = [(w, to) for w, to in self.castling_texts.items() if w.right.islower() == bool(side)]
        ways = [(w, to) for w, to in ways if w.right in rights or not self.chess960]
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

    def together(self, a: Square, b: Square) -> bool:
        """Return whether two squares are on the same board, where the game has two."""
        half = self.files // 2
        return not self.rules.alice_boards or a[0] // half == b[0] // half

    def other_board(self, at: Square) -> Square:
        """Return the same square of the other one of two boards."""
        return (at[0] + self.files // 2) % self.files, at[1]

    def on_board(self) -> list[Square]:
        """Return all squares."""
        return [(file, rank) for rank in range(self.ranks) for file in range(self.files)]


def has_locusts(game: Definition) -> bool:
    """Return whether a piece of the game captures on squares that it passes."""
    ways = (leg.enter for piece in game.pieces.values() for m in piece.moves for leg in m.legs[:-1])
    return any("c" in enter or "d" in enter for enter in ways)
