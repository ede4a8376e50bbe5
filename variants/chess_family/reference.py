"""The chess family's reference rules: simple and slow.

Every piece is moved square by square, and every move is tried on a copy of the board. A property
test compares the kernels with this, and the engine plays by it while they are being compiled. It
shares nothing with them but the game's definition, and expects valid definitions and texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from variants.chess_family.definition import Definition

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
    castling: str
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
        self.castling = castling.replace("-", "")
        self.en_passant = None if target == "-" else _square(target)
        self.clock, self.fullmove = int(clock), int(number)
        # cache, shared by all boards that are made from this one
        self._known: dict[tuple[Square, str], _Paths] = {}

    def normal_move(self, text: str) -> str:
        """Return a move in the notation of :meth:`legal_moves`."""
        return self.game.normal_move(
            text, white=self.white, piece_at=lambda at: self.board.get(at, "")
        )

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
        castling = self.castling or "-"
        return f"{'/'.join(rows)} {side} {castling} {target} {self.clock} {self.fullmove}"

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
        for letter in self.castling:
            if letter.isupper() != self.white:
                continue
            for way in self.game.castling[letter]:
                rank = way.king_from[1]
                files = [way.king_from[0], way.king_to[0], way.rook_from[0], way.rook_to[0]]
                crossed = {(f, rank) for f in range(min(files), max(files) + 1)}
                crossed -= {way.king_from, way.rook_from}
                low, high = sorted((way.king_from[0], way.king_to[0]))
                path = [(f, rank) for f in range(low, high + 1)]
                if crossed & self.board.keys():
                    continue
                if not any(self.attacked(s, not self.white) for s in path):
                    yield way.king_from, way.king_to

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
        game = self.game
        new = self._copy()
        letter = new.board.pop(at)
        kind = letter.upper()
        irreversible = to in new.board or kind == game.pawn
        new.en_passant = None
        if kind == game.pawn:
            if to == self.en_passant and to[0] != at[0] and to not in self.board:
                del new.board[to[0], at[1]]
            if abs(to[1] - at[1]) == 2 and not promoted:
                new.en_passant = (at[0], (at[1] + to[1]) // 2)
        new.board[to] = letter
        if promoted:
            new.board[to] = promoted.upper() if self.white else promoted.lower()
        if kind == game.royal:
            for right in self.castling:
                for way in game.castling[right]:
                    crossed = abs(to[0] - at[0]) > 1 and to[1] == at[1]
                    if crossed and (way.king_from, way.king_to) == (at, to):
                        new.board[way.rook_to] = new.board.pop(way.rook_from)
        kept = ""
        for right in self.castling:
            way = game.castling[right][0]
            if not {at, to} & {way.king_from, way.rook_from}:
                kept += right
        new.castling = kept
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
