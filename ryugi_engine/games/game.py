"""The interface of a game. Nothing here needs numba, so that the engine answers `uci` at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from ryugi_engine.errors import UserError
from ryugi_engine.games.properties import GuiFacts, Identity, RefereeFacts, SearchFacts

if TYPE_CHECKING:
    import subprocess

    from ryugi_engine.games.drawing import Drawing, Ink
    from ryugi_engine.games.editor import Editor
    from ryugi_engine.kernel.abi import Kernels
    from ryugi_engine.kernel.block import Block
    from ryugi_engine.kernel.jit import Entry


#: What the sides are called in records' tags, and in games that do not say otherwise.
NAMES = ("White", "Black")
#: A pass in records and displays; UCI writes 0000, CECP @@@@.
PASS = "pass"


class IllegalMove(UserError):
    """A move that is not legal in the position."""


class CrowdingMove(IllegalMove):
    """A legal move to a position with more legal moves than the engine can list."""


def read_move(word: str) -> str:
    """Return a move; a pass of either protocol (``0000``, ``@@@@``) becomes PASS."""
    return PASS if word.lower() in ("0000", "@@@@", PASS) else word


def is_pass(move: str) -> bool:
    """Return whether a move is a pass; a king that passes goes to its own square, ``e1e1``."""
    return move == PASS or re.fullmatch(r"([a-z]+[0-9]+)\1", move) is not None


def counted(number: int, thing: str, things: str = "") -> str:
    """Return ``1 move`` or ``2 moves``; ``things`` is the plural if it is not ``thing`` + s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


class Outcome(NamedTuple):
    """Result and reason of a finished game; ``claimed`` marks a draw that has to be claimed.

    ``result`` is 1-0, 0-1 or 1/2-1/2.
    """

    result: str
    reason: str
    claimed: bool = False

    @property
    def winner(self) -> int | None:
        """The winning side: 0 White, 1 Black, None for a draw."""
        return {"1-0": 0, "0-1": 1}.get(self.result)

    def describe(self, sides: tuple[str, str] = NAMES) -> str:
        """Return a text like ``White wins: checkmate``; the reason is left out if it is normal."""
        sentence = "Draw" if self.winner is None else f"{sides[self.winner]} wins"
        return sentence if self.reason in ("", "normal") else f"{sentence}: {self.reason}"


def turn_or_result(side: int, outcome: Outcome | None, sides: tuple[str, str] = NAMES) -> str:
    """Return ``White to move``, or the outcome's description."""
    return f"{sides[side]} to move" if outcome is None else outcome.describe(sides)


def resignation(side: int) -> Outcome:
    """Return the outcome of a resignation; ``side`` is 0 White, 1 Black."""
    return Outcome("0-1" if side == 0 else "1-0", "resignation")


def time_over(side: int, can_win: bool) -> Outcome:
    """Return the outcome for a side whose time is over; ``can_win``: whether the other still can.

    Source: FIDE Laws of Chess, article 6.9.
    """
    if can_win:
        return resignation(side)._replace(reason=TIME_OVER[0])
    return Outcome("1/2-1/2", TIME_OVER[1])


#: Reasons of games that end as a side's time is over.
TIME_OVER = ("time forfeit", "timeout against insufficient material")
AGREED_DRAW = Outcome("1/2-1/2", "draw agreed")


class Prover(Protocol):
    """An exact solver of a game: it proves wins and losses.

    Later calls reuse the results of earlier ones. A call for the same position resumes where the
    last one was interrupted. So a proof in parts takes no more nodes than a whole one.
    """

    #: Nodes searched by the last call.
    nodes: int

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        """Return WON or LOST for the side to move, ONGOING if ``nodes`` are not enough.

        The call returns early when the first word of ``stop`` is set.
        """

    def is_promising(self, state: Block) -> bool:
        """Return whether a proof is likely even in little time."""

    def exhausted(self) -> bool:
        """Return whether the last ONGOING is final: more nodes would not help."""

    def line(self, state: Block, stop: Block, nodes: int = ...) -> list[int]:
        """Return the moves from a proven position to the end of the game.

        Each of the winner's moves is proven to win; the loser's are the hardest to refute. The line
        is shorter if stopped, or if ``nodes`` more do not find the next move; after a proof it has
        at least one.
        """

    def plies(self, state: Block) -> int:
        """Return an upper bound of the plies to a proven win or loss."""

    def margin(self, state: Block, stop: Block) -> tuple[str, list[int]]:
        """Return (text, moves) of the largest win that a proven position allows.

        The moves are a line in which both sides play for the margin; ("", []) in games whose wins
        have no size.
        """

    def clear(self) -> None:
        """Forget everything."""


class ExactMove(NamedTuple):
    """A move with its exact result, for the side that makes it."""

    move: str
    #: WON, DRAWN or LOST.
    value: int
    #: Plies to mate, the move itself among them, even if that comes too late; None for no mate.
    plies: int | None


class TablebasePosition(Protocol):
    """A position that a tablebase has. Repetitions are not considered."""

    @property
    def defends(self) -> bool:
        """Whether only the other side can mate."""

    def is_ready(self, seconds: float, *, whole: bool) -> bool:
        """Wait at most so many seconds for the tables; return whether they are there.

        Without the ``whole`` of them the best move and its value are right, if there is a mate in
        time. Otherwise only the values of moves are.
        """

    def exact_moves(self, moves: Sequence[str]) -> list[ExactMove]:
        """Return some of the moves, the best first; [] if one is not known."""

    def line(self, move: str) -> list[str]:
        """Return a move and the best play after it."""


class PieceShape(NamedTuple):
    """A piece that covers several squares, in one orientation."""

    #: (file, rank) of its squares from the lower left corner of the bounding box.
    cells: Sequence[tuple[int, int]]
    #: Where it can join others: a square, and the side of it, 0 up, 1 right, 2 down, 3 left.
    ends: Sequence[tuple[tuple[int, int], int]]


class MoveParts(NamedTuple):
    """What the texts of a game's moves may be made of, besides squares and the pass."""

    #: What may follow origin and target, "" among it: a promotion, a gate.
    suffixes: Sequence[str] = ("",)
    #: What stands before the ``@`` of a drop.
    drops: Sequence[str] = ()
    #: What may follow the square of a drop, "" among it.
    drop_suffixes: Sequence[str] = ("",)
    #: Whether moves act on a third square: a wall, or the end of a second leg.
    third: bool = False


class Rules(Protocol):
    """A game's kernels, and its positions and moves as text; needs numba, so made on first use."""

    @property
    def kernels(self) -> Kernels:
        """The entries that search, perft and Position call."""

    def entries(self) -> Sequence[Entry]:
        """Return the entries that are needed to play, besides those of the rules' module."""

    def trial(self) -> Callable[[], subprocess.Popen[bytes] | None] | None:
        """Return what decides in the background how to evaluate; None if that is known."""

    @property
    def not_trainable(self) -> str:
        """Why no net can be trained, as a phrase; unused in Trainable rules."""

    def new_state(self, text: str) -> Block:
        """Return a new state block at a position; PositionError if the text is wrong."""

    def text(self, state: Block) -> str:
        """Return the canonical text of the current position."""

    def move_text(self, state: Block, move: int) -> str:
        """Return a move code of the current position in the engine's notation."""

    def normal_move(self, state: Block, text: str) -> str:
        """Return a GUI's move text in the spelling of :meth:`move_text`."""

    def objection(self, state: Block, text: str) -> str:
        """Return why a move is illegal, in a few words."""

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """Return the result if the game is over without a claim, else None."""

    def claim(self, state: Block) -> Outcome | None:
        """Return the draw that the side to move could claim, else None."""

    def can_win(self, state: Block, side: int) -> bool:
        """Return whether a side may still win by some sequence of moves, as far as is known."""

    def capacity(self, state: Block) -> int:
        """Return how many moves can still be made, leaving room for a search's line."""

    def in_check(self, state: Block) -> bool:
        """Return whether the side to move is in check, or must answer another threat."""

    def compact(self, state: Block) -> int:
        """Drop early positions that no rule needs; return how many moves can still be unmade."""

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        """Return the board for a terminal, White at the bottom, with a status line below.

        ``last_move`` is marked, "" for none; ``outcome`` is the game's result if it is over. If
        ``lines`` is not 0 a large board shows the part around the last move in that many lines.
        """

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        """Return the board as a picture, with the last move marked and a status line."""

    def figure(self, letter: str) -> str:
        """Return a piece's picture as SVG elements in a box of ``drawing.BOX`` pixels, on one line.

        White's letters are in upper case. Only what the simplest renderers support is used.
        """

    def lettered_figure(self, letter: str) -> str:
        """Return a piece's picture by its letter, where :meth:`figure` has another script."""

    def board(self, state: Block) -> dict[tuple[int, int], str]:
        """Return the pieces: letter by (file, rank), White's in upper case."""

    def editor(self, text: str) -> Editor:
        """Return an editor of a position text; UserError if it cannot be read at all."""

    def places(self) -> list[tuple[int, int]]:
        """Return all squares of the board as (file, rank)."""

    def hands(self, state: Block) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return White's and Black's pieces in hand: numbers by letters in upper case."""

    def move_parts(self) -> MoveParts:
        """Return what the texts of moves may be made of."""

    def shapes(self) -> Mapping[str, PieceShape]:
        """Return the pieces that cover several squares, by their names in moves ``NAME@SQUARE``.

        SQUARE is the lower left corner of the piece's bounding box.
        """

    def squares(self, move: str) -> list[tuple[int, int]]:
        """Return the squares that mark a move: origin and target, or all that a piece covers."""

    def prover(self, megabytes: float) -> Prover | None:
        """Return a new prover with a table of at most so many MiB; None if the game has none."""

    def tablebase_position(self, state: Block) -> TablebasePosition | None:
        """Return the position as the game's tablebase has it, None if it does not.

        Tables that are not there yet are generated in a thread of their own.
        """


class Reference(Protocol):
    """A position of a game's reference rules, slow and simple: kernels are checked against it."""

    def legal_moves(self) -> Mapping[str, Reference]:
        """Return the positions after every legal move, keyed by the move's text."""

    def text(self) -> str:
        """Return the canonical position text."""

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) if the game is over, else None."""


@runtime_checkable
class ScoringReference(Reference, Protocol):
    """Reference rules that know the evaluation and the move ordering, too."""

    def evaluate(self) -> int:
        """Return the evaluation for the side to move, centipawns, without limits."""

    def order_scores(self) -> Mapping[str, int]:
        """Return the score of every legal move, by its text."""


@runtime_checkable
class ExplainingReference(Reference, Protocol):
    """Reference rules that know why a move is illegal."""

    def objection(self, text: str) -> str:
        """Return why a move is illegal, in a few words."""


@dataclass(frozen=True)
class Game(SearchFacts, RefereeFacts, GuiFacts, Identity):
    """A game's name and properties. ``start`` is a canonical position text."""

    load: Callable[[], Rules] = field(repr=False, kw_only=True)
    #: Returns the reference rules at a position text; PositionError if the text is wrong.
    reference: Callable[[str], Reference] = field(repr=False, kw_only=True)
    #: Returns the game in which king and rooks begin on any files; None if it has none.
    chess960: Callable[[], Game] | None = field(default=None, repr=False, compare=False)

    @property
    def package(self) -> str:
        """The package that the game lies in."""
        return self.load.__module__

    @property
    def rules_module(self) -> str:
        """The module with the game's rules; importing it marks all its kernels."""
        return f"{self.package}.rules"

    def looks_like_move(self, word: str) -> bool:
        """Return whether a word has the form of a move of this game, or of a pass."""
        shaped = re.fullmatch(self.move_shape, word, re.IGNORECASE) is not None
        return shaped or read_move(word) == PASS

    @property
    def signs(self) -> tuple[str, ...]:
        """The letters of the pieces, and of what they become that promote as in shogi (``+P``)."""
        return (*self.pieces, *(f"+{letter}" for letter in self.promoted))

    def moves_of(self, sign: str) -> str:
        """Return the moves of a piece, ``P`` or ``+P``, in Betza's notation."""
        as_what = self.promoted[sign[1:]] if sign[0] == "+" else sign
        return self.turned[as_what] if as_what in self.turned else self.pieces[as_what]

    def called(self, sign: str) -> str:
        """Return what a piece is called, by its letter, or ``+P`` for a promoted one."""
        if sign.startswith("+") and sign.upper() in self.names:
            return self.names[sign.upper()]
        letter = sign[-1:].upper()
        name = self.names.get(letter, letter)
        return f"Promoted {name}" if sign.startswith("+") else name

    @property
    def levels_file(self) -> Path | None:
        """The table of the game's levels, which need not be there; None if there is no place."""
        if self.levels is not None or self.folder is None:
            return self.levels
        return self.folder / "levels" / f"{self.name}.json"
