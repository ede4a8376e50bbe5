"""The kernels' move descriptors of every piece, and which of them can attack which distances.

A piece's moves are those of its definition; rules add the double step of pawns, the lines of a
palace and the ranks of soldiers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from variants.chess.definition.definition import Definition, Kind, Move, Region, Square
from variants.chess.definition.placed_moves import Placed, placed_moves, turned
from variants.chess.definition.squares import words_of
from variants.chess.general.encoding.lines import Lines, fills
from variants.chess.general.memory import layout as L


def _form(move: Move) -> int:
    if move.legs:
        return L.CHAIN
    if move.path:
        return L.JUMP if move.jump else L.LAME
    if move.hop:
        return L.GRASSHOPPER if move.hop == "g" else L.HOP
    return L.SLIDE if move.steps > 1 else L.LEAP


def _covers(wide: Placed, narrow: Placed) -> bool:
    """Return whether a rider's move makes a leap along its line redundant."""
    a, b = wide.move, narrow.move
    return (
        wide is not narrow
        and (a.dx, a.dy) == (b.dx, b.dy)
        and (a.steps, a.quiet, a.capture) >= (b.steps, b.quiet, b.capture)
        and a.quiet >= b.quiet
        and a.capture >= b.capture
        and not (a.hop or b.hop or a.path or b.path or a.legs or b.legs or b.initial)
        and wide.start in (None, narrow.start)
        and wide.end in (None, narrow.end)
    )


def _needed(moves: list[Placed]) -> list[Placed]:
    """Return the moves without those that another one covers."""
    lines: dict[Square, list[Placed]] = {}
    for placed in dict.fromkeys(moves):
        lines.setdefault((placed.move.dx, placed.move.dy), []).append(placed)
    return [
        placed
        for placed in dict.fromkeys(moves)
        if not any(_covers(other, placed) for other in lines[placed.move.dx, placed.move.dy])
    ]


def _overlap(moves: list[Placed]) -> bool:
    """Return whether two moves may have the same target, and the same kind of it."""
    taken: dict[tuple[int, int, str], int] = {}
    for number, placed in enumerate(moves):
        move = placed.move
        if move.legs:
            return True
        for step in range(1, move.steps + 1):
            for sort in ("m" * move.quiet, "c" * move.capture):
                key = (step * move.dx, step * move.dy, sort)
                if sort and taken.setdefault(key, number) != number:
                    return True
    return False


#: The most moves of pieces that are counted at once; with more it is faster one by one.
_HERD_MOVES = 4


class _Nowhere:
    """A table that keeps nothing."""

    def __getitem__(self, key: object) -> _Nowhere:
        return self

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __or__(self, other: object) -> _Nowhere:
        return self


def capacity_fault(game: Definition) -> str:
    """Return which limit of the tables a game exceeds, as a phrase; "" if it fits."""
    try:
        Writer(game, _Nowhere(), None, None).write(game.kinds())
    except ValueError as error:
        return str(error)
    return ""


class Writer:
    """Writes descriptors, directions and zones into a table block.

    Without ``targets`` only what the table has room for is looked at. ValueError names the limit.
    """

    def __init__(self, game: Definition, table: Any, targets: Any, bearing: Any) -> None:
        self.game, self.table, self.targets, self.bearing = game, table, targets, bearing
        self._directions: dict[Square, int] = {}
        self._zones: dict[tuple[int, ...], int] = {}
        self._legs_lines: dict[tuple[int, int, bool], int] = {}
        self._count, self._hits, self._legs, self._tracks = 0, 1, 0, 0
        self._origin_sets: dict[int, Any] = {}
        self.lines = Lines(game)

    def zone(self, region: Region | None) -> int:
        """Return the number of a zone, 0 for everywhere."""
        if region is None:
            return 0
        words = tuple(words_of(region))
        if words not in self._zones:
            self._zones[words] = len(self._zones) + 1
            if len(self._zones) > L.MAX_ZONES:
                raise ValueError(f"more than {L.MAX_ZONES} different regions")
            self.table["zones"][len(self._zones)] = words
        return self._zones[words]

    def _direction(self, step: Square) -> int:
        if step not in self._directions:
            number = self._directions[step] = len(self._directions)
            if number >= L.MAX_DIRECTIONS:
                raise ValueError(f"more than {L.MAX_DIRECTIONS} directions")
            for file, rank in self.game.on_board():
                steps, x, y = 0, file + step[0], rank + step[1]
                while self._reaches((file, rank), (x, y)):
                    steps, x, y = steps + 1, x + step[0], y + step[1]
                self.table["room"][rank * 16 + file, number] = steps
        return self._directions[step]

    def _line(self, step: Square, wraps: bool) -> int:
        """Return the number of a step whose squares are listed one after the other."""
        key = (*step, wraps)
        if key not in self._legs_lines:
            number = self._legs_lines[key] = len(self._legs_lines)
            if number >= L.MAX_LINES:
                raise ValueError(f"more than {L.MAX_LINES} directions of legs")
            self.table["next"][number] = -1
            for file, rank in self.game.on_board():
                x, y = file + step[0], rank + step[1]
                x = x % self.game.files if wraps else x
                if 0 <= x < self.game.files and 0 <= y < self.game.ranks:
                    self.table["next"][number, rank * 16 + file] = y * 16 + x
        return self._legs_lines[key]

    def _write_legs(self, move: Move) -> int:
        """Write a move's legs; return the index of the first."""
        first = self._legs
        if first + len(move.legs) > L.MAX_LEGS:
            raise ValueError(f"more than {L.MAX_LEGS} legs of moves")
        signs = {"m": L.EMPTY, "c": L.TAKE_ENEMY, "d": L.TAKE_OWN, "p": L.PASS_ENEMY,
                 "o": L.PASS_OWN}  # fmt: skip
        for leg in move.legs:
            entry = self.table["legs"][self._legs]
            entry["line"] = self._line((leg.dx, leg.dy), move.wraps)
            entry["steps"], entry["skip"], entry["jump"] = leg.steps, leg.skip, leg.jump
            entry["enter"] = sum(signs[sign] for sign in leg.enter)
            entry["middle"] = leg.middle[0] + 16 * leg.middle[1]
            self._legs += 1
        return first

    def write(self, kinds: Iterable[Kind]) -> None:
        """Write the descriptors of all kinds of pieces, and their hits."""
        kinds = list(kinds)
        self.table["first"][:] = 0
        length = max(self.game.files, self.game.ranks, 3)
        self.table["fill_bits"] = length - 2
        if self.targets is not None:
            self.table["fills"][: length << (length - 2)] = fills(length)
        for code in range(L.CODES):
            side, number = divmod(code, L.BLACK)
            if 1 <= number <= len(kinds):
                row = number - 1 + side * len(kinds)
                self.table["first_targets"][code] = row * self.game.ranks * 16
        for code in range(L.CODES):
            side, number = divmod(code, L.BLACK)
            self.table["first"][code] = self._count
            self.table["first_track"][code] = self._tracks
            if 1 <= number <= len(kinds):
                self._write_kind(code, kinds[number - 1], side)
        self.table["first"][L.CODES] = self._count
        self.table["first_track"][L.CODES] = self._tracks

    def _write_bearing(self, code: int, deltas: Iterable[int]) -> None:
        """Write from where a piece may attack each square, by the distances of its attacks."""
        side, number = divmod(code, L.BLACK)
        entries = self.bearing[side, :, :, number - 1]
        if self.table["chains"][code]:
            entries[:] = words_of(self.game.on_board())[: entries.shape[1]]
        for delta in deltas:
            entries |= self._origins(delta)

    def _origins(self, delta: int) -> Any:
        """Return the set of the square at a distance before each square."""
        if delta not in self._origin_sets:
            x, y = (delta + 16) % 32 - 16, (delta + 16) // 32 - L.DELTAS // 64
            sets = np.zeros_like(self.bearing[0, :, :, 0])
            for file, rank in self.game.on_board():
                if self._reaches((file, rank), (file - x, rank - y)):
                    words = words_of([(file - x, rank - y)])
                    sets[rank * 16 + file] = words[: sets.shape[1]]
            self._origin_sets[delta] = sets
        return self._origin_sets[delta]

    def _write_targets(self, code: int, moves: list[Placed], side: int) -> None:
        """Write what a piece reaches by square, so that moves need not be tried one by one."""
        first = self.table["first_targets"][code]
        everywhere = self.game.on_board()
        own = [(placed, turned(placed.move, side), self._is_leap(placed)) for placed in moves]
        for file, rank in everywhere:
            quiet: list[Square] = []
            capture: list[Square] = []
            entrances: set[Square] = set()
            for placed, move, is_leap in own:
                if placed.start is not None and (file, rank) not in placed.start:
                    continue
                if is_leap:
                    to = (file + move.dx, rank + move.dy)
                    if self._reaches((file, rank), to) and (placed.end is None or to in placed.end):
                        quiet += [to] * move.quiet
                        capture += [to] * move.capture
                elif len(entrances) < len(everywhere):
                    found = self._entrances(move, (file, rank))
                    entrances.update(everywhere if found is None else found)
            entry = self.targets[first + rank * 16 + file]
            entry["quiet"], entry["capture"] = words_of(quiet), words_of(capture)
            entry["entrances"] = words_of(entrances)

    def _entrances(self, move: Move, at: Square) -> list[Square] | None:
        """Return squares of which one must have no own piece for a move that is no leap.

        None: any square of the board.
        """
        form = _form(move)
        if form == L.SLIDE:
            squares = [(at[0] + move.dx, at[1] + move.dy)]
        elif form == L.LAME:
            squares = [(at[0] + x, at[1] + y) for x, y in move.path[:1]]
        else:
            return None
        return [square for square in squares if self._reaches(at, square)]

    def _is_herd(self, moves: list[Placed]) -> bool:
        """Return whether the moves of all pieces of a kind can be counted at once, by shifts."""
        return len(moves) <= _HERD_MOVES and all(
            _form(placed.move) in (L.LEAP, L.LAME, L.JUMP)
            and not placed.cannon
            and self._is_shift(placed.move.dx, placed.move.dy)
            and all(self._is_shift(x, y) for x, y in placed.move.path)
            for placed in moves
        )

    def _is_shift(self, dx: int, dy: int) -> bool:
        """Return whether a set of squares is moved by a step as one number."""
        return abs(dx) + self.game.files <= 16 and 0 < abs(dx + 16 * dy) < 64

    def _is_leap(self, placed: Placed) -> bool:
        """Return whether a move is one of those that are kept as sets of targets."""
        return _form(placed.move) == L.LEAP and not placed.cannon

    def _is_slide(self, placed: Placed, letter: str, side: int) -> bool:
        """Return whether a move goes along one of the lines of ``slides``."""
        form = _form(placed.move)
        return form in (L.SLIDE, L.HOP) and not self._takes_en_passant(placed, letter, side)

    def _takes_en_passant(self, placed: Placed, letter: str, side: int) -> bool:
        takes = self.game.pieces[letter].takes_en_passant(placed.move)
        return takes and letter in self.game.rules.en_passant_types[side]

    def _write_slides(self, slides: list[Placed], side: int) -> None:
        """Write a piece's moves along lines."""
        for line, move, placed in self.lines.of_moves(slides, side):
            if self._tracks >= L.MAX_TRACKS:
                raise ValueError("more lines of moves than there is room for")
            entry = self.table["track"][self._tracks]
            entry["line"], entry["upright"] = line, move.dx == 0
            entry["flags"] = L.QUIET * move.quiet | L.CAPTURE * move.capture
            entry["hops"], entry["to_zone"] = bool(move.hop), self.zone(placed.end)
            self._tracks += 1

    def _reaches(self, at: Square, to: Square) -> bool:
        """Return whether a square is on the board, and on the same one of two."""
        return self._on_board(to) and self.game.together(at, to)

    def _on_board(self, at: Square) -> bool:
        return 0 <= at[0] < self.game.files and 0 <= at[1] < self.game.ranks

    def _write_kind(self, code: int, kind: Kind, side: int) -> None:
        reach: dict[int, list[tuple[int, int]]] = {}
        moves = _needed(placed_moves(self.game, kind.moves_as, side))
        cannon = kind.moves_as in self.game.cannons
        moves = [placed._replace(cannon=cannon) for placed in moves]
        slides = [placed for placed in moves if self._is_slide(placed, kind.moves_as, side)]
        moves.sort(key=lambda placed: 0 if self._is_leap(placed) else 1 if placed in slides else 2)
        if self.targets is not None:
            self._write_targets(code, moves, side)
        self._write_slides(slides, side)
        self.table["plain_moves"][code] = all(
            placed.move.quiet and placed.move.capture and not placed.move.hop
            and not placed.cannon and (self._is_leap(placed) or placed in slides)
            for placed in moves
        )  # fmt: skip
        self.table["sees_back"][code] = not any(placed.start or placed.end for placed in moves)
        self.table["others"][code] = self._count + sum(map(self._is_leap, moves)) + len(slides)
        self.table["overlaps"][code] = int(_overlap(moves))
        self.table["herd"][code] = int(self._is_herd(moves))
        self.table["walks"][code] = int(all(map(self._is_leap, moves)))
        for placed in moves:
            if self._count >= L.MAX_DESCRIPTORS:
                raise ValueError("more moves than there is room for")
            move = turned(placed.move, side)
            self._write_one(code, kind.moves_as, side, move, placed)
            self.table["chains"][code] |= int(bool(move.legs))
            if move.capture and not move.legs:
                for steps in range(1, min(move.steps, 15) + 1):
                    delta = steps * (move.dx + 32 * move.dy) + L.DELTAS // 2
                    if max(abs(move.dx), abs(move.dy)) * steps < 16:
                        reach.setdefault(delta, []).append((self._count, steps))
            self._count += 1
        if self.targets is not None:
            self._write_bearing(code, reach)
        for delta, hits in reach.items():
            if self._hits + len(hits) > L.MAX_HITS:
                raise ValueError("more attacks than there is room for")
            self.table["reach"][code, delta] = self._hits
            for at, (descriptor, steps) in enumerate(hits, start=1):
                hit = self.table["hits"][self._hits]
                hit["descriptor"], hit["steps"] = descriptor, steps
                hit["more"] = int(at < len(hits))
                self._hits += 1

    def _write_one(self, code: int, letter: str, side: int, move: Move, placed: Placed) -> None:
        entry = self.table["descriptors"][self._count]
        takes = self._takes_en_passant(placed, letter, side)
        if takes:
            by_leap = self._is_leap(placed) and self._is_shift(move.dx, move.dy)
            self.table["takes_en_passant"][code] |= 1 if by_leap else L.NOT_BY_LEAPS
        flags = L.QUIET * move.quiet | L.CAPTURE * move.capture
        flags |= L.TAKES_EN_PASSANT * takes | L.MARKS_EN_PASSANT * bool(move.passes)
        shoots = move.quiet and not (move.initial or move.legs or placed.on_line)
        flags |= L.SHOOTS * shoots
        entry["delta"] = move.dx + 16 * move.dy
        entry["steps"], entry["flags"], entry["form"] = move.steps, flags, _form(move)
        entry["direction"] = self._direction((move.dx, move.dy))
        if entry["form"] in (L.SLIDE, L.HOP, L.GRASSHOPPER):
            entry["ray"] = self.lines.ray(move.dx, move.dy)
        entry["path"] = 0
        for number, (x, y) in enumerate(move.path):
            entry["path"][number] = x + 16 * y
        entry["from_zone"] = self.zone(placed.start)
        entry["to_zone"] = self.zone(placed.end)
        entry["cannon"] = placed.cannon
        entry["tame"], entry["wraps"] = move.tame, move.wraps
        if move.legs:
            entry["steps"], entry["path"][0] = len(move.legs), self._write_legs(move)
