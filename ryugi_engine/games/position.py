"""``Position``: a game's position in Python, with moves made and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.drawing import PLAIN, Drawing, Ink
from ryugi_engine.games.game import CrowdingMove, Game, IllegalMove, Outcome, Rules, time_over
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel.abi import (
    ALL,
    CORRECTION_KEYS,
    HEADER,
    NO_CORRECTION_KEYS,
    CrowdedPosition,
    copy_state,
    list_moves,
)
from ryugi_engine.kernel.block import Block

__all__ = ["NULL_CODE", "NULL_MOVE", "IllegalMove", "Position"]

#: A move of annotators that gives the turn away, as text and as a code of no move.
NULL_MOVE, NULL_CODE = "--", -1
#: Null moves in a line: each keeps the state before it, three megabytes.
MAX_NULLS = 20


class Position:
    """A position of a game, with the moves that led to it."""

    def __init__(
        self,
        game: Game,
        text: str | None = None,
        rules: Rules | None = None,
        *,
        unchecked: bool = False,
    ) -> None:
        """Set up a position text, None for the start position; ValueError if it is wrong.

        ``rules`` are the game's with another evaluation; its own by default. With too many legal
        moves it is refused, unless it is ``unchecked``: then its moves are not looked at.
        """
        self.game = game
        self.rules = rules or rules_of(game)
        self.kernels = self.rules.kernels
        self.state: Block = self.rules.new_state(game.start if text is None else text)
        self.root_text = self.rules.text(self.state)
        self.moves: list[str] = []
        self._undoable = 0
        #: Before each null move: moves played, state, and how many can be unmade in it.
        self._before_nulls: list[tuple[int, Block, int]] = []
        try:
            if not unchecked:
                self.legal_codes()
        except CrowdedPosition as error:
            raise PositionError("position", str(error)) from None

    def copy(self, into: Block | None = None) -> Position:
        """Return an independent position with the same history; ``into`` as for ``copy_state``."""
        other = object.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.state = copy_state(self.state, into, huge=False)
        other.moves = list(self.moves)
        other._before_nulls = []
        return other

    @property
    def header(self) -> Any:
        """numpy's view of the state's header, see ``abi.HEADER``."""
        return HEADER.of(self.state)

    def legal_codes(self) -> list[int]:
        """Return the legal moves as move codes; CrowdedPosition if there are too many."""
        return list_moves(self.kernels.generate, self.state)

    def has_moves(self) -> bool:
        """Return whether there is a legal move."""
        first = int(self.header["moves"])
        return self.kernels.generate(self.state.address, ALL, first) > 0

    def legal_moves(self) -> list[str]:
        """Return the legal moves as text, in the generator's order."""
        return [self.rules.move_text(self.state, code) for code in self.legal_codes()]

    def parse_move(self, text: str, *, refereed: bool = False) -> int:
        """Return the code of a legal move, given in any letter case and spelling; else IllegalMove.

        ``refereed`` allows the pass of a side that has overstepped its time, see
        ``Game.timeout_pass``.
        """
        codes = self.legal_codes()
        if refereed and self.game.timeout_pass and codes:
            codes.append(self.game.timeout_pass)
        wanted = text  # most are in the engine's own spelling
        for _ in range(2):
            for code in codes:
                if self.rules.move_text(self.state, code) == wanted:
                    return code
            wanted = self.rules.normal_move(self.state, text)
        raise IllegalMove(f"illegal move '{text[:40]}' in {self.text()}")

    def move_text(self, code: int) -> str:
        """Return a move code of this position as text."""
        return NULL_MOVE if code == NULL_CODE else self.rules.move_text(self.state, code)

    def objection(self, move: str) -> str:
        """Return why a move is illegal, in a few words."""
        return self.rules.objection(self.state, move)

    def push(self, move: str | int, *, refereed: bool = False, trial: bool = False) -> None:
        """Play a move, given as text or as a legal code; IllegalMove if it is not one.

        CrowdingMove, with nothing played, if it leads to more moves than can be listed, but for a
        ``trial`` whose moves are not needed. ``refereed`` as for :meth:`parse_move`. NULL_CODE
        gives the turn away; IllegalMove if the game has no such position.
        """
        if move == NULL_CODE:
            self._push_null()
            return
        code = self.parse_move(move, refereed=refereed) if isinstance(move, str) else move
        text = self.rules.move_text(self.state, code)
        if self.rules.capacity(self.state) <= 0:
            self._undoable = self.rules.compact(self.state)
        self.kernels.make(self.state.address, code)
        self.moves.append(text)
        self._undoable += 1
        if not trial:
            self._check_crowd()

    def _check_crowd(self) -> None:
        """Take the last move back and raise CrowdingMove if it leads to too many moves."""
        try:
            self.legal_codes()
        except CrowdedPosition as error:
            raise CrowdingMove(f"{self.pop()} leads to {error}") from None

    def _push_null(self) -> None:
        """Set up the position with the other side to move."""
        if len(self._before_nulls) == MAX_NULLS:
            raise IllegalMove(f"more than {MAX_NULLS} null moves in one line")
        fields = self.text().split()
        if not self.game.san or len(fields) < 6 or fields[1] not in ("w", "b"):
            raise IllegalMove(f"no null move in {self.text()}")
        black = fields[1] == "b"
        fields[1], fields[3] = "wb"[not black], "-"
        fields[-2:] = str(int(fields[-2]) + 1), str(int(fields[-1]) + black)
        try:
            state = self.rules.new_state(" ".join(fields))
        except UserError as error:
            raise IllegalMove(f"no null move in {self.text()}: {error}") from None
        self._before_nulls.append((len(self.moves), self.state, self._undoable))
        self.state, self._undoable = state, 0
        self.moves.append(NULL_MOVE)
        self._check_crowd()

    def pop(self) -> str:
        """Take the last move back and return it; IndexError if there is none."""
        move = self.moves.pop()
        if self._before_nulls and self._before_nulls[-1][0] == len(self.moves):
            _ply, self.state, self._undoable = self._before_nulls.pop()
        elif self._undoable > 0:
            self.kernels.unmake(self.state.address)
            self._undoable -= 1
        else:
            # the frames were dropped by compact: replay the game up to here
            moves, self.moves, self._before_nulls = self.moves, [], []
            self.state = self.rules.new_state(self.root_text)
            for earlier in moves:
                self.push(NULL_CODE if earlier == NULL_MOVE else earlier, refereed=True)
        return move

    def line(self, codes: Sequence[int]) -> tuple[list[str], str]:
        """Return a line of move codes as text, and the opponent's reply to its first move.

        The reply is "" if the line is shorter, or the same side moves again.
        """
        side, answer = self.side, ""
        texts: list[str] = []
        for code in codes:
            texts.append(self.move_text(code))
            if len(texts) == 2 and self.side != side:
                answer = texts[1]
            self.push(code, trial=True)
        for _ in codes:
            self.pop()
        return texts, answer

    def time_over(self, side: int) -> Outcome:
        """Return the outcome if the time of a side is over."""
        return time_over(side, self.rules.can_win(self.state, 1 - side))

    def text(self) -> str:
        """Return the canonical position text."""
        return self.rules.text(self.state)

    def key(self) -> int:
        """Return the 64-bit hash key, unsigned."""
        return int(self.header["key"]) & 0xFFFF_FFFF_FFFF_FFFF

    def correction_keys(self) -> tuple[int, ...]:
        """Return the correction keys, signed; () if the game has none."""
        header = self.header
        if header["correction_keys"] == NO_CORRECTION_KEYS:
            return ()
        first = int(header["frame"] + header["correction_keys"])
        return tuple(self.state.words[first : first + CORRECTION_KEYS].tolist())

    @property
    def side(self) -> int:
        """Side to move: 0 White, 1 Black."""
        return int(self.header["side"])

    def in_check(self) -> bool:
        """Return whether the side to move is in check."""
        return self.rules.in_check(self.state)

    def outcome(self) -> Outcome | None:
        """Return the result if the game is over without a claim, else None."""
        return self.rules.outcome(self.state, self.has_moves())

    def claim(self) -> Outcome | None:
        """Return the draw that could be claimed, else None."""
        return self.rules.claim(self.state)

    def evaluate(self) -> int:
        """Return the static evaluation in centipawns for the side to move."""
        return self.kernels.evaluate(self.state.address)

    @property
    def last_move(self) -> str:
        """The last move; "" if there is none."""
        return self.moves[-1] if self.moves else ""

    def board_text(
        self,
        ink: Ink = PLAIN,
        *,
        mark: bool = False,
        outcome: Outcome | None = None,
        lines: int = 0,
    ) -> str:
        """Return the board for a terminal, with the last move marked if ``mark``.

        ``outcome`` is a result that the rules do not know, such as a resignation. If ``lines`` is
        not 0 a large board shows the part around the last move in that many lines.
        """
        last_move = self.last_move if mark else ""
        return self.rules.board_text(self.state, last_move, outcome or self.outcome(), ink, lines)

    def draw(self, outcome: Outcome | None = None, hands: bool = True) -> Drawing:
        """Return the board as a picture; ``outcome`` as for :meth:`board_text`.

        Without ``hands`` neither the picture nor its captions have the pieces in hand.
        """
        return self.rules.draw(self.state, self.last_move, outcome or self.outcome(), hands)
