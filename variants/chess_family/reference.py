"""The chess family's reference rules: simple and slow.

Every piece is moved square by square, and every move is tried on a copy of the board. A property
test compares the kernels with this, and the engine plays by it while they are being compiled. It
shares nothing with them but the game's definition, and expects valid definitions and texts.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from variants.chess_family.definition import Castle, Definition

Square = tuple[int, int]
#: One leap of every leaper atom; the others are its reflections.
_LEAPS = {"W": (0, 1), "F": (1, 1), "D": (0, 2), "N": (1, 2), "A": (2, 2), "H": (0, 3)}
_LEAPS |= {"C": (1, 3), "Z": (2, 3), "G": (3, 3)}


def _all_ways(x: int, y: int) -> set[Square]:
    """Return a step reflected in every direction."""
    return {(sx * a, sy * b) for a, b in ((x, y), (y, x)) for sx in (1, -1) for sy in (1, -1)}


def _movement(text: str) -> tuple[set[Square], set[Square]]:
    """Parse Betza notation to (leaps, steps of riders)."""
    text = text.replace("N0", "NN").replace("K", "WF").replace("Q", "RB")
    jumps: set[Square] = set()
    rides: set[Square] = set()
    for atom in text.replace("NN", "M"):
        if atom in _LEAPS:
            jumps |= _all_ways(*_LEAPS[atom])
        else:
            rides |= _all_ways(*{"R": (0, 1), "B": (1, 1), "M": (1, 2)}[atom])
    return jumps, rides


def _name(at: Square) -> str:
    return f"{chr(ord('a') + at[0])}{at[1] + 1}"


def _square(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


class _Paths(NamedTuple):
    """A piece's attacks from a square of the empty board."""

    jumps: tuple[Square, ...]
    rays: tuple[tuple[Square, ...], ...]
    squares: frozenset[Square]  # all of these


class Board:
    """A position with its legal moves."""

    game: Definition
    board: dict[Square, str]
    white: bool
    #: The ways to castle by the rights that are left, letters of KQkq.
    castling: Mapping[str, tuple[Castle, ...]]
    en_passant: Square | None
    clock: int
    fullmove: int

    def __init__(self, game: Definition, text: str) -> None:
        """Set up a valid position text."""
        self.game = game
        rows, side, castling, target, clock, number = text.split()
        self.board = {}
        for rank, row in enumerate(reversed(rows.split("/"))):
            # two digits are one number: 10 empty squares are not 1 and none
            spaced = "".join(c if c.isdigit() else f" {c} " for c in row).split()
            file = 0
            for word in spaced:
                if word.isdigit():
                    file += int(word)
                else:
                    self.board[file, rank] = word
                    file += 1
        self.white = side == "w"
        self.castling = dict(self._ways(letter) for letter in castling.replace("-", ""))
        self.en_passant = None if target == "-" else _square(target)
        self.clock, self.fullmove = int(clock), int(number)
        # cache, shared by all boards that are made from this one
        self._known: dict[tuple[Square, str], _Paths] = {}

    def _ways(self, letter: str) -> tuple[str, tuple[Castle, ...]]:
        """Return a right of KQkq and its ways to castle: in Chess960 of the rook on a file."""
        if not self.game.chess960:
            return letter, self.game.castling[letter]
        royal = self.game.royal if letter.isupper() else self.game.royal.lower()
        king = next(at for at, piece in self.board.items() if piece == royal)
        rook = (string.ascii_lowercase.index(letter.lower()), king[1])
        right = "Q" if rook < king else "K"
        if letter.islower():
            right = right.lower()
        ways = self.game.castling[right]
        return right, tuple(way._replace(king_from=king, rook_from=rook) for way in ways)

    def _castling_by(self, at: Square, to: Square) -> Castle | None:
        """Return the castling that a king's move is; None if it is none."""
        if self.board[at].upper() != self.game.royal:
            return None
        for right, ways in self.castling.items():
            for way in ways:
                castles = (at, to) == (way.king_from, self._goal(way))
                if castles and right.isupper() == self.white:
                    return way
        return None

    def _goal(self, way: Castle) -> Square:
        """Return the square by which a castling is written: the rook's, where a step goes there."""
        step = (way.king_to[0] - way.king_from[0], way.king_to[1] - way.king_from[1])
        steps = step in self.game.pieces[self.game.royal].offsets()
        return way.rook_from if self.game.chess960 or steps else way.king_to

    def text(self) -> str:
        """Return the position text."""
        rows = []
        for rank in reversed(range(self.game.ranks)):
            row = [self.board.get((file, rank), ".") for file in range(self.game.files)]
            text = "".join(row)
            for empty in range(self.game.files, 0, -1):
                text = text.replace("." * empty, str(empty))
            rows.append(text)
        side = "w" if self.white else "b"
        target = "-" if self.en_passant is None else _name(self.en_passant)
        castling = "".join(self.castling)
        if self.game.chess960:
            files = {right: _name(ways[0].rook_from)[0] for right, ways in self.castling.items()}
            castling = "".join(f.upper() if r.isupper() else f for r, f in files.items())
        return f"{'/'.join(rows)} {side} {castling or '-'} {target} {self.clock} {self.fullmove}"

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) of a finished game, without repetition and dead positions."""
        if not self.legal_moves():
            if self.in_check(self.white):
                return ("0-1" if self.white else "1-0"), "checkmate"
            return "1/2-1/2", "stalemate"
        if self.clock >= 2 * self.game.draw_moves:
            return "1/2-1/2", f"{self.game.draw_moves}-move rule"
        return None

    def _inside(self, at: Square) -> bool:
        return 0 <= at[0] < self.game.files and 0 <= at[1] < self.game.ranks

    def _paths(self, at: Square, letter: str) -> _Paths:
        paths = self._known.get((at, letter))
        if paths is None:
            paths = self._known[at, letter] = self._new_paths(at, letter)
        return paths

    def _new_paths(self, at: Square, letter: str) -> _Paths:
        file, rank = at
        kind = letter.upper()
        steps: set[Square] = set()
        if kind == self.game.pawn:
            up = 1 if letter.isupper() else -1
            jumps = [(file - 1, rank + up), (file + 1, rank + up)]
        else:
            leaps, steps = _movement(self.game.betza[kind])
            jumps = [(file + x, rank + y) for x, y in leaps]
        inside = tuple(to for to in jumps if self._inside(to))
        rays = []
        for x, y in steps:
            ray, to = [], (file + x, rank + y)
            while self._inside(to):
                ray.append(to)
                to = (to[0] + x, to[1] + y)
            rays.append(tuple(ray))
        return _Paths(inside, tuple(rays), frozenset(inside).union(*rays))

    def _reach(self, at: Square, letter: str) -> Iterator[Square]:
        """Yield the squares that the piece on ``at`` attacks, own pieces included."""
        paths = self._paths(at, letter)
        yield from paths.jumps
        for ray in paths.rays:
            for to in ray:
                yield to
                if to in self.board:
                    break

    def attacked(self, target: Square, by_white: bool) -> bool:
        """Return whether a colour attacks a square."""
        return any(
            target in self._reach(at, letter)
            for at, letter in self.board.items()
            if letter.isupper() == by_white and target in self._paths(at, letter).squares
        )

    def in_check(self, white: bool) -> bool:
        """Return whether a colour's king is attacked."""
        royal = self.game.royal if white else self.game.royal.lower()
        king = next(at for at, letter in self.board.items() if letter == royal)
        return self.attacked(king, not white)

    def _copy(self) -> Board:
        other = object.__new__(Board)
        other.__dict__.update(self.__dict__)
        other.board = dict(self.board)
        return other

    def _pawn_moves(self, at: Square, letter: str) -> Iterator[tuple[Square, str]]:
        game = self.game
        up = 1 if letter.isupper() else -1
        targets = []
        one = (at[0], at[1] + up)
        if one not in self.board:
            targets.append(one)
            two = (at[0], at[1] + 2 * up)
            if at in game.double_step[up < 0] and two not in self.board:
                targets.append(two)  # on a low board it may be on the last rank
        for to in self._reach(at, letter):
            victim = self.board.get(to)
            if victim is not None and victim.isupper() != letter.isupper():
                targets.append(to)
            elif victim is None and to == self.en_passant:
                behind = self.board.get((to[0], at[1]))
                pawn = game.pawn.lower() if letter.isupper() else game.pawn
                if behind == pawn:
                    targets.append(to)
        last = game.ranks - 1 if up > 0 else 0
        for to in targets:
            if to[1] == last:
                for piece in game.promotion:
                    yield to, piece.lower()
            else:
                yield to, ""

    def _castles(self) -> Iterator[tuple[Square, Square]]:
        for letter, ways in self.castling.items():
            if letter.isupper() != self.white:
                continue
            for way in ways:
                rank = way.king_from[1]
                files = [way.king_from[0], way.king_to[0], way.rook_from[0], way.rook_to[0]]
                crossed = {(f, rank) for f in range(min(files), max(files) + 1)}
                crossed -= {way.king_from, way.rook_from}
                low, high = sorted((way.king_from[0], way.king_to[0]))
                path = [(f, rank) for f in range(low, high + 1)]
                if crossed & self.board.keys():
                    continue
                if not any(self.attacked(s, not self.white) for s in path):
                    yield way.king_from, self._goal(way)

    def _candidates(self) -> Iterator[tuple[Square, Square, str]]:
        for at, letter in list(self.board.items()):
            if letter.isupper() != self.white:
                continue
            if letter.upper() == self.game.pawn:
                for to, promoted in self._pawn_moves(at, letter):
                    yield at, to, promoted
                continue
            for to in self._reach(at, letter):
                victim = self.board.get(to)
                if victim is None or victim.isupper() != self.white:
                    yield at, to, ""
        for at, to in self._castles():
            yield at, to, ""

    def legal_moves(self) -> dict[str, Board]:
        """Return the boards after every legal move, keyed by the move in coordinate notation."""
        moves = {}
        for at, to, promoted in self._candidates():
            after = self.after(at, to, promoted)
            if not after.in_check(self.white):
                moves[_name(at) + _name(to) + promoted] = after
        return moves

    def after(self, at: Square, to: Square, promoted: str = "") -> Board:
        """Return the board after a pseudo-legal move."""
        new = self._copy()
        way = self._castling_by(at, to)
        letter = new.board.pop(at)
        kind = letter.upper()
        irreversible = kind == self.game.pawn or (way is None and to in new.board)
        new.en_passant = None
        if kind == self.game.pawn:
            if to == self.en_passant and to[0] != at[0] and to not in self.board:
                del new.board[to[0], at[1]]
            if abs(to[1] - at[1]) == 2 and not promoted:
                new.en_passant = (at[0], (at[1] + to[1]) // 2)
        if way is not None:
            rook = new.board.pop(way.rook_from)
            new.board[way.king_to], new.board[way.rook_to] = letter, rook
        else:
            new.board[to] = letter
        if promoted:
            new.board[to] = promoted.upper() if self.white else promoted.lower()
        new.castling = {
            right: ways
            for right, ways in self.castling.items()
            if not {at, to} & {ways[0].king_from, ways[0].rook_from}
        }
        new.clock = 0 if irreversible else self.clock + 1
        new.white = not self.white
        new.fullmove = self.fullmove + (not self.white)
        if new.en_passant is not None and not new.en_passant_is_legal():
            new.en_passant = None
        return new

    def en_passant_is_legal(self) -> bool:
        """Return whether the side to move can capture on the en passant square."""
        target = self.en_passant
        if target is None or target in self.board:
            return False
        up = 1 if self.white else -1
        own = self.game.pawn if self.white else self.game.pawn.lower()
        enemy = self.game.pawn.lower() if self.white else self.game.pawn
        start = (target[0], target[1] + up)
        stands = (target[0], target[1] - up)
        # the pawn came from `start`, over the target, to the square it stands on
        if self.board.get(stands) != enemy or start in self.board:
            return False
        if start not in self.game.double_step[self.white]:
            return False
        for file in (target[0] - 1, target[0] + 1):
            if self.board.get((file, target[1] - up)) == own:
                after = self._copy()
                del after.board[file, target[1] - up]
                del after.board[stands]
                after.board[target] = own
                if not after.in_check(self.white):
                    return True
        return False


def perft(board: Board, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal moves."""
    moves = board.legal_moves()
    if depth <= 1:
        return len(moves) if depth == 1 else 1
    return sum(perft(after, depth - 1) for after in moves.values())
