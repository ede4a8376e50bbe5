"""What a game is. Nothing here needs numba, so that an engine can introduce itself at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ryugi_engine.errors import UserError

if TYPE_CHECKING:
    from ryugi_engine.games.drawing import Drawing, Ink
    from ryugi_engine.kernel.abi import Block, Kernels, Words


class GameError(UserError):
    """A game that does not keep to the contract: one line that names it and what is wrong."""


NAMES = ("White", "Black")
#: How a pass is written in records and displays; UCI writes 0000, CECP @@@@.
PASS = "pass"


class IllegalMove(UserError):
    """A move that the position does not have."""


def read_move(word: str) -> str:
    """A move of either protocol's wire as the engine writes it."""
    return PASS if word.lower() in ("0000", "@@@@", PASS) else word


#: How most games write moves: from a square to a square, and what a piece becomes.
COORDINATES = "[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z]?"


def counted(number: int, thing: str, things: str = "") -> str:
    """``1 move``, ``2 moves``; ``things`` is the plural where it is not made by an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


@dataclass(frozen=True)
class Outcome:
    """How a game ended, or could be ended: ``result`` is 1-0, 0-1 or 1/2-1/2."""

    result: str
    reason: str
    claimed: bool = False

    @property
    def winner(self) -> int | None:
        """0 White, 1 Black, None of a draw."""
        return {"1-0": 0, "0-1": 1}.get(self.result)

    def told(self) -> str:
        """Who has won, and why where that is known: ``White wins: checkmate``."""
        words = "Draw" if self.winner is None else f"{NAMES[self.winner]} wins"
        return words if self.reason in ("", "normal") else f"{words}: {self.reason}"


def standing(side: int, outcome: Outcome | None) -> str:
    """Whose turn it is, or who has won and why."""
    return f"{NAMES[side]} to move" if outcome is None else outcome.told()


def resignation(side: int) -> Outcome:
    """A side, 0 White, 1 Black, has given up."""
    return Outcome("0-1" if side == 0 else "1-0", "resignation")


AGREED_DRAW = Outcome("1/2-1/2", "draw agreed")


class Prover(Protocol):
    """An exact search of a game's own: proofs of a win or a loss, no guesses.

    What one call finds out the next one knows, so that a proof can be had in parts.
    """

    #: Nodes of the last call.
    nodes: int

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        """WON or LOST for the side to move, or ONGOING if ``nodes`` are not enough.

        The call ends early when the first word of ``stop`` is set.
        """

    def is_promising(self, state: Block) -> bool:
        """Whether a search with little time does well to look for a proof here."""

    def exhausted(self) -> bool:
        """Whether the last ONGOING was final: more nodes would not help."""

    def line(self, state: Block, stop: Block, nodes: int = ...) -> list[int]:
        """Moves to the end of the game after a proof, every one of the winner's proven to win.

        Fewer if stopped, or if ``nodes`` more do not show the next one; the first is known after
        a proof. The loser's are those that are the hardest to answer.
        """

    def plies(self, state: Block) -> int:
        """In how many plies a proven win or loss comes about at the latest."""

    def margin(self, state: Block, stop: Block) -> tuple[str, list[int]]:
        """After a proof: how large a win the winner can reach, in words, and moves that lead to it,
        both sides playing for it; nothing if it has no size.
        """

    def clear(self) -> None:
        """Forget everything."""

    def table(self) -> Mapping[str, Words]:
        """What has been found out, as arrays that :meth:`restore` takes back."""

    def restore(self, table: Mapping[str, Words]) -> None:
        """Know again what :meth:`table` gave; UserError if it is not that."""


class Placer(Protocol):
    """A piece that a person turns and moves over the board until it lies where it is to go."""

    #: The keys, in a line or two.
    help: str
    #: Columns and lines that :meth:`board_text` needs at least.
    least: tuple[int, int]

    def press(self, key: str) -> None:
        """A key as ``terminal.keys`` names it; others than those of ``help`` do nothing."""

    def move(self) -> str:
        """The move that places the piece where it lies, whether it is legal or not."""

    def board_text(self, ink: Ink, lines: int = 0) -> str:
        """The board with the piece on it, and what can be said of it.

        In so many lines it shows the part where the piece is; 0 for the whole.
        """


class Rules(Protocol):
    """A game's kernels and the text around them; made on first use, since it needs numba."""

    @property
    def kernels(self) -> Kernels:
        """The entries that search, perft and positions call."""

    def new_state(self, text: str) -> Block:
        """A state block at a position; PositionError if the text is wrong."""

    def text(self, state: Block) -> str:
        """The canonical text of the current position."""

    def move_text(self, state: Block, move: int) -> str:
        """A move of the current position in the engine's notation."""

    def normal_move(self, state: Block, text: str) -> str:
        """What a GUI sent, in the spelling of :meth:`move_text`."""

    def objection(self, state: Block, text: str) -> str:
        """Why a move that is not legal is not, in a few words."""

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """The result if the game is over without anybody's claim."""

    def claim(self, state: Block) -> Outcome | None:
        """The draw that the side to move could claim."""

    def room(self, state: Block) -> int:
        """How many more moves the state can hold."""

    def compact(self, state: Block) -> int:
        """Forget positions that no rule asks for any more; returns how many moves remain."""

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        """The board for a terminal, White below, the move that led here marked; "" for none.

        Below it stands whose turn it is, or who has won: ``outcome`` is how the game has ended, if
        it has. A large board shows the part around the last move in so many ``lines``; 0 for the
        whole.
        """

    def draw(self, state: Block, last_move: str, outcome: Outcome | None) -> Drawing:
        """The board as a picture, marked likewise; below it whose turn it is, or who has won."""

    def figure(self, letter: str) -> str:
        """A piece's picture, White's in upper case: SVG elements in a box of ``drawing.BOX``.

        It is one line, and made of what the simplest renderers understand.
        """

    def squares(self, move: str) -> list[tuple[int, int]]:
        """What a move is pointed out by: whence and whither, or all that a placed piece covers."""

    def placer(self, state: Block) -> Placer | None:
        """A cursor for the side to move; None in games whose moves are easily typed."""

    def prover(self, megabytes: int) -> Prover | None:
        """A new prover with a table of at most that size; None if the game has none."""


class Reference(Protocol):
    """A position of a game's naive rules, which the kernels are compared with.

    It needs no numba: while the kernels are being compiled the engine plays by it.
    """

    def legal_moves(self) -> Mapping[str, Reference]:
        """The positions after every legal move, by the move's text."""

    def text(self) -> str:
        """The canonical position text."""

    def result(self) -> tuple[str, str] | None:
        """(result, reason) of a finished game."""


@dataclass(frozen=True)
class Game:
    """A game's name and facts. ``start`` is a canonical position text."""

    name: str
    title: str
    files: int
    ranks: int
    start: str
    load: Callable[[], Rules] = field(repr=False)
    #: The naive rules at a position text; PositionError if the text is wrong.
    reference: Callable[[str], Reference] = field(repr=False)
    aliases: tuple[str, ...] = ()
    #: What ``info string variant`` tells a GUI besides the size: pocket, template.
    pocket: int = 0
    template: str = "fairy"
    #: Every piece's letter with its moves in Betza's notation, "" for those that do not move. A
    #: GUI that knows nothing of the game needs no more.
    pieces: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: The letters of the piece that is lost with the game, and of one that steps, takes and
    #: promotes as chess's pawn does; "" where there is none. They are what GUIs show them as.
    royal: str = ""
    pawn: str = ""
    #: What any move looks like, in any letter case, passes aside: a regular expression. GUIs that
    #: send moves without a word before them are understood by it.
    move_shape: str = COORDINATES
    #: Whether pieces are placed and do not move.
    placed: bool = False
    #: Whether turns take placed pieces off the board, which a GUI without the rules does not.
    captures: bool = False
    #: Whether the players may agree on a draw.
    draws: bool = True
    #: Code of the pass that a referee plays for a side whose time has run out; 0 where that
    #: loses the game. No other voluntary pass is legal by it.
    timeout_pass: int = 0
    #: Plies of the longest game that there can be; 0 where nobody knows, or there is no such bound.
    longest: int = 0
    #: Where the game's data files lie, KIND/NAME.epd; None for a user's own game.
    folder: Path | None = None
    bench_depth: int = 6
    #: Moves that a search looks at in a position below the root, those that the game's hints and
    #: the search's histories put first; 0: all of them. For games with hundreds of moves.
    beam: int = 0
    #: The game's section of Fairy-Stockfish's ``variants.ini``; None where that cannot say it.
    ini: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @property
    def package(self) -> str:
        """The package that the game lies in."""
        return self.load.__module__

    @property
    def rules_module(self) -> str:
        """What is imported, with all its kernels, before the game is played."""
        return f"{self.package}.rules"

    def looks_like_move(self, word: str) -> bool:
        """Whether a word has the shape of a move of this game, legal or not; passes count."""
        shaped = re.fullmatch(self.move_shape, word, re.IGNORECASE) is not None
        return shaped or read_move(word) == PASS

    def data_file(self, kind: str) -> Path | None:
        """The file of a kind of positions: perft, bench or openings; None without a folder."""
        return None if self.folder is None else self.folder / kind / f"{self.name}.epd"

    def positions(self, kind: str) -> tuple[str, ...]:
        """The lines of a data file, blank ones and comments aside; () if there is none."""
        path = self.data_file(kind)
        if path is None or not path.exists():
            return ()
        lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
        return tuple(line for line in lines if line and not line.startswith("#"))
