"""The hexagon: circles, rings, the track, and the rows on which stones count.

Source: S. Hasuike's rule book, vol. 3. A square is (file, rank) from 0, the centre is (5, 5).
"""

from __future__ import annotations

from functools import cache

Square = tuple[int, int]

SIZE = 11
CENTRE = 5
RINGS = 4
_DIRECTIONS = ((0, 1), (1, 0), (1, 1))


def ring(at: Square) -> int:
    """Return the distance from the centre in steps; 5 is the track, 6 off the board."""
    df, dr = at[0] - CENTRE, at[1] - CENTRE
    return max(abs(df), abs(dr), abs(df - dr))


def cost(at: Square) -> int:
    """Return a circle's cost, the track stone's steps: 4 in ring 1, 1 in ring 4."""
    return RINGS + 1 - ring(at)


_ALL = [(file, rank) for rank in range(SIZE) for file in range(SIZE)]
#: Squares of the 11x11 array that the hexagon does not have.
HOLES = frozenset(at for at in _ALL if ring(at) > CENTRE)
#: The 60 cost circles, from the inmost ring outward, each ring by rank and file.
CIRCLES = tuple(sorted((at for at in _ALL if 1 <= ring(at) <= RINGS), key=ring))


def _track() -> tuple[Square, ...]:
    """Return the 30 circles of the outermost ring, clockwise from f11."""
    steps = ((1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1), (1, 1))
    at = (CENTRE, SIZE - 1)
    circles = []
    for df, dr in steps:
        for _ in range(CENTRE):
            circles.append(at)
            at = (at[0] + df, at[1] + dr)
    return tuple(circles)


TRACK = _track()
#: Numbers of cost circles, and of track circles.
CIRCLE_OF = {at: number for number, at in enumerate(CIRCLES)}
TRACK_OF = {at: number for number, at in enumerate(TRACK)}


def _line(start: Square, step: Square) -> list[Square]:
    """Return the circles of the line through a square, from edge to edge."""
    at = start
    while ring((at[0] - step[0], at[1] - step[1])) <= CENTRE:
        at = (at[0] - step[0], at[1] - step[1])
    line = []
    while ring(at) <= CENTRE:
        line.append(at)
        at = (at[0] + step[0], at[1] + step[1])
    return line


@cache
def rows() -> tuple[tuple[Square, ...], ...]:
    """Return the 60 rows; fives and removals count on them only."""
    distinct: dict[frozenset[Square], tuple[Square, ...]] = {}

    def add(line: list[Square]) -> None:
        if line:
            distinct.setdefault(frozenset(line), tuple(line))

    for at in (*CIRCLES, *TRACK):
        df, dr = at[0] - CENTRE, at[1] - CENTRE
        # along neighbours: the index is the distance of the line from the centre
        for step, index in zip(_DIRECTIONS, (df, dr, df - dr), strict=True):
            line = _line(at, step)
            if index == 0:
                middle = line.index((CENTRE, CENTRE))
                add(line[:middle])
                add(line[middle + 1 :])
            elif abs(index) < CENTRE:
                add(line)
        # the blind spots between neighbours
        for step, index in (((1, -1), df + dr), ((2, 1), df - 2 * dr), ((1, 2), 2 * df - dr)):
            if 1 <= abs(index) <= CENTRE:
                add(_line(at, step))
    return tuple(sorted(distinct.values()))


@cache
def stretches(length: int) -> tuple[tuple[Square, ...], ...]:
    """Return all stretches of ``length`` consecutive circles along the rows."""
    return tuple(
        row[first : first + length] for row in rows() for first in range(len(row) - length + 1)
    )
