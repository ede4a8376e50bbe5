"""``Position``: a game's position with its legal moves, for programs that import the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from ryugi_engine.api.game import Game, game
from ryugi_engine.errors import UserError
from ryugi_engine.games import position as inner
from ryugi_engine.games.game import IllegalMove, Outcome
from ryugi_engine.games.notation import square_name
from ryugi_engine.kernel.abi import ALL, MAX_MOVES, list_moves
from ryugi_engine.records.san import recorded_code, to_san

if TYPE_CHECKING:
    from ryugi_engine.kernel.block import Block

#: The sides, as python-chess has them: White moves first, or is what the game calls its first side.
WHITE, BLACK = True, False


class LegalMoves(Sequence[int]):
    """The legal moves of a position: a sequence of ints, in an order that is always the same.

    It is a view: after ``push`` it has the moves of the new position. ``in`` takes an int, or a
    text in any notation.

    >>> moves = Position("chess").legal_moves
    >>> len(moves), "e2e4" in moves, "Nf3" in moves, "e5" in moves
    (20, True, True, False)
    >>> moves
    <LegalMoves: b1a3 b1c3 g1f3 g1h3 a2a4 b2b4 c2c4 d2d4 e2e4 f2f4 ... 20 moves>
    """

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        """Create the view of a position; :attr:`Position.legal_moves` does."""
        self._position = position

    def __len__(self) -> int:
        return len(self._position._codes())

    def __iter__(self) -> Iterator[int]:
        return iter(self._position._codes())

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        return self._position._codes()[index]

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return move in self._position._codes()
        try:
            self._position.parse(move)
        except IllegalMove:
            return False
        return True

    def count(self, value: int | None = None) -> int:
        """Return the number of legal moves, as python-chess does; of a value: 1 or 0.

        >>> Position("shogi").legal_moves.count()
        30
        """
        codes = self._position._codes()
        return len(codes) if value is None else codes.count(value)

    def uci(self) -> list[str]:
        """Return the moves as texts of UCI, in the same order.

        >>> Position("amazons").legal_moves.uci()[:3]
        ['d1d2,d2c1', 'd1d2,d2d1', 'd1d2,d2e1']
        """
        return [self._position._position.move_text(code) for code in self]

    def __repr__(self) -> str:
        texts = self.uci()
        more = f" ... {len(texts)} moves" if len(texts) > 10 else ""
        return f"<LegalMoves: {' '.join(texts[:10])}{more}>"


class Position:
    """A position of a game, with the moves that led to it.

    ``game`` is a :class:`Game` or a game's name, ``fen`` a position text, None for the start.
    Raises UserError for an unknown game or a text that is wrong; the error names the field.

    A move is an int, legal in this position. :meth:`uci` and :meth:`san` are its texts, and
    :meth:`parse` reads them. A thread may use any positions, each by one thread at a time.

    >>> position = Position("crazyhouse")
    >>> for move in ("e4", "d5", "exd5", "Qxd5"):
    ...     position.push(move)
    >>> position.hands[WHITE]
    {'P': 1}
    >>> "P@e4" in position.legal_moves
    True
    >>> Position("chess", "8/8/8 w - - 0 1")
    Traceback (most recent call last):
    ryugi_engine.games.notation.PositionError: board: 3 ranks instead of 8
    """

    __slots__ = ("_first", "_game", "_legal", "_lists", "_position", "_state")
    __hash__ = None  # type: ignore[assignment]  # positions change

    def __init__(self, game: Game | str = "chess", fen: str | None = None) -> None:
        if not isinstance(fen, str | None):
            raise UserError(f"a position is a text, not {type(fen).__name__}")
        chosen = game_of(game)
        chosen._rules  # noqa: B018 - made once for all threads
        self._take(chosen, inner.Position(chosen._game, fen))

    @classmethod
    def _of(cls, game: Game, position: inner.Position) -> Position:
        """Return a public position around one of the engine's."""
        made = object.__new__(cls)
        made._take(game, position)
        return made

    def _take(self, game: Game, position: inner.Position) -> None:
        self._game, self._position = game, position
        self._state: Block | None = None
        self._legal: list[int] | None = None

    def _codes(self) -> list[int]:
        """Return the legal moves, kept until the next move; callers must not change the list."""
        found = self._legal
        if found is not None:
            return found
        position = self._position
        state = position.state
        if state is not self._state:  # a new one: its views are kept
            self._state, self._first = state, int(position.header["moves"])
            self._lists = state.words.view(np.int32)
        first = self._first
        number = position.kernels.generate(state.address, ALL, first)
        if number > MAX_MOVES:
            list_moves(position.kernels.generate, state)  # raises the error
        found = [*self._lists[first : first + number].tolist()]
        self._legal = found
        return found

    # ---- moves -------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The position's game.

        >>> Position("shogi").game.title
        'Shogi'
        """
        return self._game

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, a view of ints; see :class:`LegalMoves`.

        >>> position = Position("chess")
        >>> [position.san(move) for move in position.legal_moves][:4]
        ['Na3', 'Nc3', 'Nf3', 'Nh3']
        """
        return LegalMoves(self)

    def parse(self, text: str) -> int:
        """Return the legal move of a text: UCI, SAN, or what other programs write for them.

        Raises IllegalMove if it is not legal, or means several moves.

        >>> position = Position("chess")
        >>> position.parse("Nf3") == position.parse("g1f3") == position.parse("Ng1-f3")
        True
        >>> position.parse("e5")
        Traceback (most recent call last):
        ryugi_engine.games.game.IllegalMove: illegal move 'e5' in \
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        """
        code = recorded_code(self._position, text)
        if code == inner.NULL_CODE:
            raise IllegalMove(f"illegal move '{text[:40]}' in {self.fen()}")
        return code

    def uci(self, move: int | str) -> str:
        """Return a legal move as UCI has it: ``e2e4``, ``e7e8q``, ``P@e4``, ``pass``.

        Raises IllegalMove if it is not legal.

        >>> Position("chess").uci("Nf3")
        'g1f3'
        """
        return self._position.move_text(self._checked(move))

    def san(self, move: int | str) -> str:
        """Return a legal move in SAN, or as :meth:`uci` in games whose pieces do not move.

        Raises IllegalMove if it is not legal.

        >>> Position("chess", "k7/8/8/8/8/8/8/K5RR w - - 0 1").san("g1g8")
        'Rg8+'
        """
        return to_san(self._position, self._checked(move))

    def push(self, move: int | str) -> None:
        """Play a move, an int of :attr:`legal_moves` or a text that :meth:`parse` reads.

        Raises IllegalMove, with nothing played, if it is not legal.

        >>> position = Position("xiangqi")
        >>> position.push("Hc3")
        >>> position.moves
        ['b1c3']
        """
        code = self._checked(move)
        self._legal = None
        self._position.push(code)

    def _checked(self, move: int | str) -> int:
        """Return a legal move; IllegalMove for any other."""
        if isinstance(move, str):
            return self.parse(move)
        if move not in self._codes():
            raise IllegalMove(f"illegal move {move!r:.40} in {self.fen()}")
        return int(move)

    def pop(self) -> str:
        """Take the last move back and return its text. Raises IndexError if there is none.

        >>> position = Position("chess")
        >>> position.push("e4")
        >>> position.pop()
        'e2e4'
        >>> position.pop()
        Traceback (most recent call last):
        IndexError: there is no move to take back
        """
        if not self._position.moves:
            raise IndexError("there is no move to take back")
        self._legal = None
        return self._position.pop()

    @property
    def moves(self) -> list[str]:
        """The moves played since the position was set up, as texts of UCI.

        >>> position = Position("chess")
        >>> position.push("e4")
        >>> position.push("c5")
        >>> position.moves
        ['e2e4', 'c7c5']
        """
        return list(self._position.moves)

    def ply(self) -> int:
        """Return the number of moves played since the position was set up.

        >>> Position("chess").ply()
        0
        """
        return len(self._position.moves)

    # ---- what stands where -------------------------------------------------------------------

    @property
    def turn(self) -> bool:
        """The side to move: WHITE (True) or BLACK (False). Sides need not alternate.

        >>> Position("chess").turn == WHITE
        True
        """
        return self._position.side == 0

    @property
    def pieces(self) -> dict[str, str]:
        """The pieces: letters by squares, White's in upper case; a promoted one is ``+P``.

        >>> pieces = Position("chess").pieces
        >>> pieces["e1"], pieces["d8"], len(pieces)
        ('K', 'q', 32)
        """
        board = self._position.rules.board(self._position.state)
        return {square_name(at): letter for at, letter in board.items()}

    @property
    def hands(self) -> dict[bool, dict[str, int]]:
        """The pieces in hand by sides: numbers by letters in upper case.

        >>> Position("placement").hands[BLACK]
        {'N': 2, 'B': 2, 'R': 2, 'Q': 1, 'K': 1}
        """
        white, black = self._position.rules.hands(self._position.state)
        return {WHITE: _held(white), BLACK: _held(black)}

    def is_check(self) -> bool:
        """Return whether the side to move is in check, or must answer another threat.

        >>> Position("chess", "k6R/8/8/8/8/8/8/K7 b - - 0 1").is_check()
        True
        """
        return self._position.in_check()

    def fen(self) -> str:
        """Return the position text; ``Position(game, text)`` reads it.

        >>> Position("micro").fen()
        'kb+r+l/p3/4/3P/+L+RBK[] w - - 0 1'
        """
        return self._position.text()

    def key(self) -> int:
        """Return a hash of the position: 0 to 2**64 - 1, without clocks and history.

        It is the same in every process of one version.

        >>> one, other = Position("chess"), Position("chess")
        >>> for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        ...     one.push(move)
        >>> one.key() == other.key(), one == other
        (True, False)
        """
        return self._position.key()

    # ---- the end -----------------------------------------------------------------------------

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Return whether the game is over; with ``claim_draw`` also if a draw can be claimed.

        >>> Position("chess").is_game_over()
        False
        """
        return self._outcome(claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if the game is not over.

        >>> mate = Position("chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")
        >>> mate.result()
        '1-0'
        """
        outcome = self._outcome(claim_draw)
        return "*" if outcome is None else outcome.result

    def reason(self, *, claim_draw: bool = False) -> str:
        """Return why the game is over in a few words, "" if it is not.

        >>> Position("chess", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1").reason()
        'stalemate'
        """
        outcome = self._outcome(claim_draw)
        return "" if outcome is None else outcome.reason

    def _outcome(self, claim_draw: bool) -> Outcome | None:
        position = self._position
        outcome = position.rules.outcome(position.state, bool(self._codes()))
        return position.claim() if outcome is None and claim_draw else outcome

    # ---- copies, texts, pictures -------------------------------------------------------------

    def copy(self) -> Position:
        """Return an independent position with the same moves behind it.

        >>> position = Position("chess")
        >>> other = position.copy()
        >>> other.push("e4")
        >>> position.ply(), other.ply()
        (0, 1)
        """
        return Position._of(self._game, self._position.copy())

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Return whether game and position text are the same, clocks included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._game == other._game and self.fen() == other.fen()

    def svg(self, *, captions: bool = True) -> str:
        """Return the board as an SVG file, the last move marked.

        ``captions``: whether a line on the state of the game and the pieces in hand stand below.

        >>> Position("chess").svg().startswith("<svg")
        True
        """
        return self._position.draw().svg(captions)

    def _repr_svg_(self) -> str:
        return self.svg()  # notebooks show it

    def __str__(self) -> str:
        return self._position.board_text()

    def __repr__(self) -> str:
        return f"Position({self._game.name!r}, {self.fen()!r})"


def game_of(chosen: Game | str) -> Game:
    """Return a game by itself or its name."""
    return chosen if isinstance(chosen, Game) else game(chosen)


def _held(hand: Mapping[str, int]) -> dict[str, int]:
    return {letter: number for letter, number in hand.items() if number}
