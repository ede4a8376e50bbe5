"""The Python face of a game: a position that can be set, played on, taken back and asked."""

from __future__ import annotations

from collections.abc import Sequence

from ryugi_engine.games.drawing import PLAIN, Drawing, Ink
from ryugi_engine.games.game import Game, IllegalMove, Outcome
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel.abi import (
    ALL,
    H_CHECK,
    H_FRAME,
    H_KEY,
    H_MOVES,
    H_PARTS,
    H_SIDE,
    NO_PARTS,
    PARTS,
    Block,
    Words,
    copy_state,
)

__all__ = ["IllegalMove", "Position"]


class Position:
    """A position of a game with the moves that led to it."""

    def __init__(self, game: Game, text: str | None = None) -> None:
        """Set up a position text, or the start; ValueError if the text is wrong."""
        self.game = game
        self.rules = rules_of(game)
        self.kernels = self.rules.kernels
        self.state: Block = self.rules.new_state(game.start if text is None else text)
        self.root_text = self.rules.text(self.state)
        self.moves: list[str] = []
        self._undoable = 0

    @classmethod
    def start(cls, game: Game) -> Position:
        """The game's start position."""
        return cls(game)

    @classmethod
    def parse(cls, game: Game, text: str) -> Position:
        """A position from its text; ValueError if it is wrong."""
        return cls(game, text)

    def copy(self) -> Position:
        """An independent position with the same history."""
        other = object.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.state = copy_state(self.state)
        other.moves = list(self.moves)
        return other

    def legal_codes(self) -> list[int]:
        """The legal moves as the kernels' integers."""
        out = int(self.state.words[H_MOVES])
        count = self.kernels.generate(self.state.address, ALL, out)
        return [int(move) for move in self.state.words.view("int32")[out : out + count]]

    def legal_moves(self) -> list[str]:
        """The legal moves as text, in the generator's order."""
        return [self.rules.move_text(self.state, code) for code in self.legal_codes()]

    def parse_move(self, text: str, *, refereed: bool = False) -> int:
        """The code of a legal move, in any letter case and spelling; else IllegalMove.

        A list of moves that a referee vouches for may hold passes of sides whose time had run
        out, where that is what the game's rules make of it.
        """
        wanted = self.rules.normal_move(self.state, text)
        codes = self.legal_codes()
        if refereed and self.game.timeout_pass and codes:
            codes.append(self.game.timeout_pass)
        for code in codes:
            if self.rules.move_text(self.state, code) == wanted:
                return code
        raise IllegalMove(f"illegal move '{text[:40]}' in {self.text()}")

    def move_text(self, code: int) -> str:
        """A move code of this position as text."""
        return self.rules.move_text(self.state, code)

    def objection(self, move: str) -> str:
        """Why a move that is not legal is not, in a few words."""
        return self.rules.objection(self.state, move)

    def push(self, move: str | int, *, refereed: bool = False) -> None:
        """Play a move, given as text or as a legal code; IllegalMove if it is not one.

        ``refereed`` as for :meth:`parse_move`.
        """
        code = self.parse_move(move, refereed=refereed) if isinstance(move, str) else move
        text = self.rules.move_text(self.state, code)
        if self.rules.room(self.state) <= 0:
            self._undoable = self.rules.compact(self.state)
        self.kernels.make(self.state.address, code)
        self.moves.append(text)
        self._undoable += 1

    def pop(self) -> str:
        """Take the last move back and return it; IndexError if there is none."""
        move = self.moves.pop()
        if self._undoable > 0:
            self.kernels.unmake(self.state.address)
            self._undoable -= 1
        else:
            # forgotten to make room: play the game again up to here
            moves, self.moves = self.moves, []
            self.state = self.rules.new_state(self.root_text)
            for earlier in moves:
                self.push(earlier, refereed=True)
        return move

    def line(self, codes: Sequence[int]) -> tuple[list[str], str]:
        """A line of move codes as text, and the opponent's answer to the first in it.

        The answer is "" where the line ends before, or the same side plays on.
        """
        side, answer = self.side, ""
        texts: list[str] = []
        for code in codes:
            texts.append(self.move_text(code))
            if len(texts) == 2 and self.side != side:
                answer = texts[1]
            self.push(code)
        for _ in codes:
            self.pop()
        return texts, answer

    def text(self) -> str:
        """The canonical position text."""
        return self.rules.text(self.state)

    def key(self) -> int:
        """The 64-bit hash key, unsigned."""
        return int(self.state.words[H_KEY]) & 0xFFFF_FFFF_FFFF_FFFF

    def parts(self) -> tuple[int, ...]:
        """Keys of the parts of the position by which a search learns, signed; none: ()."""
        words = self.state.words
        word = int(words[H_PARTS])
        if word == NO_PARTS:
            return ()
        first = int(words[H_FRAME]) + word
        return tuple(int(key) for key in words[first : first + PARTS])

    @property
    def side(self) -> int:
        """Side to move: 0 White, 1 Black."""
        return int(self.state.words[H_SIDE])

    def in_check(self) -> bool:
        """Whether the side to move must answer a check."""
        return bool(self.state.words[H_CHECK])

    def outcome(self) -> Outcome | None:
        """The result if the game is over without a claim."""
        return self.rules.outcome(self.state, bool(self.legal_codes()))

    def claim(self) -> Outcome | None:
        """The draw that could be claimed here."""
        return self.rules.claim(self.state)

    def evaluate(self) -> int:
        """Static evaluation in centipawns for the side to move."""
        return self.kernels.evaluate(self.state.address)

    @property
    def last_move(self) -> str:
        """The move that led here; "" if none did."""
        return self.moves[-1] if self.moves else ""

    def board_text(
        self,
        ink: Ink = PLAIN,
        *,
        mark: bool = False,
        outcome: Outcome | None = None,
        lines: int = 0,
    ) -> str:
        """The board for a terminal, on request with the last move marked.

        ``outcome`` is how the game was ended where the rules would let it go on; in so many
        ``lines`` a large board shows the part around the last move, 0 for the whole.
        """
        last_move = self.last_move if mark else ""
        return self.rules.board_text(self.state, last_move, outcome or self.outcome(), ink, lines)

    def draw(self, outcome: Outcome | None = None) -> Drawing:
        """The board as a picture, the last move marked; ``outcome`` as for :meth:`board_text`."""
        return self.rules.draw(self.state, self.last_move, outcome or self.outcome())

    @property
    def words(self) -> Words:
        """The state block's words."""
        return self.state.words
