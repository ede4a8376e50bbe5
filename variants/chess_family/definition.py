"""Definitions of chess-like games as plain data, and their pieces' moves for GUIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.games.notation import parse_board, square_name
from variants.chess_family import betza


class Castle(NamedTuple):
    """One way to castle: the king's and the rook's squares as (file, rank) from 0."""

    king_from: tuple[int, int]
    king_to: tuple[int, int]
    rook_from: tuple[int, int]
    rook_to: tuple[int, int]


@dataclass(frozen=True)
class Definition:
    """A validated game. Letters are in upper case; squares are (file, rank) from 0."""

    name: str
    title: str
    aliases: tuple[str, ...]
    files: int
    ranks: int
    start: str
    pieces: Mapping[str, betza.Movement]
    betza: Mapping[str, str]
    royal: str
    pawn: str
    promotion: str
    double_step: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
    castling: Mapping[str, tuple[Castle, ...]]
    claim_moves: int
    draw_moves: int
    claim_repetition: int
    draw_repetition: int
    lone_minors: str
    values: Mapping[str, int]
    #: The shipped net that it comes with; one of its own name needs no word.
    net: str = ""
    #: Whether king and rooks may begin on any files (Chess960): the ways to castle are then those
    #: of a position, and castling is written as the king taking its rook.
    chess960: bool = False

    @property
    def letters(self) -> str:
        """All piece letters: pawn, king, then the others in the order of the file."""
        others = "".join(p for p in self.pieces if p != self.royal)
        return self.pawn + self.royal + others

    def normal_move(
        self, text: str, *, white: bool, piece_at: Callable[[tuple[int, int]], str]
    ) -> str:
        """Return a move in coordinates, lower case, as the rules write it.

        Read are ``e7e8=q``, ``O-O`` and ``0-0``, and castling as the king taking its own rook, as
        GUIs write it in Chess960. ``piece_at`` returns the letter on a square, "" for none.
        """
        text = text.lower().replace("=", "")
        wanted = {"o-o": "K", "0-0": "K", "o-o-o": "Q", "0-0-0": "Q"}.get(text, "")
        own = [(r, w) for r, ways in self.castling.items() if r.isupper() == white for w in ways]
        if any(text == self.castling_text(way) for _, way in own):
            return text
        for right, way in own:
            rook = piece_at(way.rook_from)
            takes = text == square_name(way.king_from) + square_name(way.rook_from)
            if wanted == right.upper() or (takes and rook and rook.isupper() == white):
                return self.castling_text(way)
        return text

    def castling_goal(self, way: Castle) -> tuple[int, int]:
        """Return the second square of a castling's text.

        That is the rook's in Chess960, and where the king's own is one that it can step to.
        """
        step = way.king_to[0] - way.king_from[0], way.king_to[1] - way.king_from[1]
        steps = step in self.pieces[self.royal].offsets()
        return way.rook_from if self.chess960 or steps else way.king_to

    def castling_text(self, way: Castle) -> str:
        """Return a castling in coordinates, as Fairy-Stockfish writes it."""
        return square_name(way.king_from) + square_name(self.castling_goal(way))


_SHIPPED = Path(__file__).parent / "nets"

#: Centipawns, about a queen, beyond which the search of chess-like games counts evaluations less:
#: of 40 positions with a mate in 4 to 9 moves, 36 are solved in 700,000 nodes instead of 27.
SATURATION = 1000


def net_file(name: str) -> Path | None:
    """Return the path of a shipped net by its name; None if there is none."""
    path = _SHIPPED / f"{name}.net"
    return path if name.isidentifier() and path.is_file() else None


def _castling_moves(game: Definition) -> str:
    """Return castling in Betza notation: ``isO3isO2`` for two or three squares."""
    sides: list[dict[int, str]] = []
    for right in "KQ":
        steps = {}
        for way in game.castling.get(right, ()):
            edge = min(way.rook_from[0], game.files - 1 - way.rook_from[0])
            steps[abs(way.king_to[0] - way.king_from[0])] = "j" * edge
        sides.append(steps)
    if sides[0] == sides[1]:
        return "".join(f"is{sides[0][n]}O{n}" for n in sorted(sides[0], reverse=True))
    return "".join(
        f"i{direction}{steps[n]}O{n}"
        for direction, steps in zip("rl", sides, strict=True)
        for n in sorted(steps, reverse=True)
    )


def describe(game: Definition) -> dict[str, str]:
    """Return every piece's moves in Betza notation, for ``Game.pieces``.

    ``i`` marks initial moves, ``O`` castling, each ``j`` before it a file between rook and edge.
    """
    starts = parse_board(game.start.split()[0], game.files, game.ranks, game.letters)
    home = frozenset(at for at, letter in starts.items() if letter == game.pawn)
    pawn = "fmWfceF" + ("ifmnD" if home and home <= game.double_step[0] else "")
    moves = {game.pawn: pawn}
    moves |= {p: m.betza() for p, m in game.pieces.items() if p != game.royal}
    moves[game.royal] = game.pieces[game.royal].betza()
    if not game.chess960:  # Betza's notation has no castling from any files
        moves[game.royal] += _castling_moves(game)
    return moves
