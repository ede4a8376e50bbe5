"""The race: how far a side's dragons get in how few turns, by breadth-first search over rows.

A layer is the set of ends that the side's dragons can have after n turns; an end is its joint with
a direction. Successors are computed for all files of a row at once.

The result is a lower bound: pieces of one way that block each other, and letters that run out on
the way, are ignored. Only squares that the lifted P frees, near the home row, can make a way
shorter than the bound.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.copying import clear, copy
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount, shr
from variants.goryujin import layout as L
from variants.goryujin.board import (
    first_rank,
    home_rank,
    joint_at,
    may_join,
    placement_at,
    shape_of,
)
from variants.goryujin.moves import new_row


class Reach(NamedTuple):
    """The nearest landing of a side: distance, turns to it, and number of ends."""

    distance: int  # NO_DISTANCE if it cannot land at all
    turns: int
    ways: int  # at most MAX_WAYS


MAX_WAYS = 31
_NEVER = 31  # turns


class _Runner(NamedTuple):
    """A side in the race."""

    t: object  # the game's tables
    frame: object
    us: int
    race: object  # the side's scratch


class _Ends(NamedTuple):
    """The ends of one row and direction."""

    direction: int
    row: int
    files: int  # a row of the board


@kernel
def _runner(position, us):
    return _Runner(position.t, position.frame, us, position.state.race[us])


@kernel
def _shift_rows(race, rows, home):
    """Compute the free squares shifted by -4..4 files; the side's first row is not free."""
    for row in range(L.ROWS):
        free = 0 if row == home else rows[row]
        race.free[row] = free
        for files in range(L.WINDOW_HALF + 1):
            race.shifted[(L.WINDOW_HALF - files) * L.ROWS + row] = free << files
            race.shifted[(L.WINDOW_HALF + files) * L.ROWS + row] = shr(free, files)


@kernel
def _begin(position, us):
    """Compute shifted rows, layer 0 (the dragons' ends) and layer 1 (new dragons' ends)."""
    t, frame, us, race = _runner(position, us)
    home = home_rank(us)
    _shift_rows(race, frame.free[us], L.PAD + home)
    clear(race.seen)
    clear(race.layer[0])
    clear(race.layer[1])
    for number in range(frame.begun[us]):
        dragon = frame.dragon[us][number]
        if dragon.finished != 0:
            continue
        for end in range(shape_of(t, dragon.tip).ends):
            if end != dragon.used:
                joint = joint_at(t, dragon.tip, end)
                if may_join(frame, us, joint) and joint.rank != home:
                    row = L.PAD + joint.rank
                    race.layer[0][joint.direction][row] |= 1 << (L.PAD + joint.file)
    if frame.hand[us][L.P] != 0:
        for number in range(t.first_p, t.first_p + L.P_SHAPES):
            corner = placement_at(number, 0, first_rank(us, t.shape[number]))
            joint = joint_at(t, corner, 0)
            if joint.rank >= 0 and joint.rank < L.RANKS:
                fits = new_row(position, us, number)
                ends = fits << joint.file if joint.file >= 0 else shr(fits, 1)
                row = L.PAD + joint.rank
                race.layer[1][joint.direction][row] |= ends & race.free[row]


@kernel
def _fitting(runner, path, ends):
    """Return the files of the ends that a join's piece fits on."""
    files = ends.files
    for i in range(4):
        files &= runner.race.shifted[ends.row + path.shifted[i]]
    return files


@kernel
def _growing(runner, path, ends):
    """Return the files that a growth fits on; none if its letter has run out."""
    fitting = _fitting(runner, path, ends)
    if fitting != 0 and runner.frame.hand[runner.us][path.letter] == 0:
        fitting = 0
    return fitting


@kernel
def _distance_of(runner, path, row):
    """Return the distance of a P that joins an end in a row."""
    if runner.us == 0:
        return L.RANKS + L.PAD - row - path.up
    return row - L.PAD + path.down + 1


@kernel
def _landing(runner, ends):
    """Return (nearest distance at which a P lands from the ends, number of such ends).

    (NO_DISTANCE, 0) if it cannot land.
    """
    nearest = L.NO_DISTANCE
    count = 0
    for i in range(L.LANDINGS):
        path = runner.t.landing_path[ends.direction][i]
        fitting = _fitting(runner, path, ends)
        if fitting != 0:
            distance = _distance_of(runner, path, ends.row)
            if distance < nearest:
                nearest = distance
                count = 0
            if distance == nearest:
                count += popcount(fitting)
    return nearest, count


@kernel
def _grow(runner, ends, following):
    """Add the ends after a growth to the next layer; return nonzero if any are new."""
    race = runner.race
    grown = 0
    for i in range(L.GROWTHS):
        path = runner.t.growth_path[ends.direction][i]
        fitting = _growing(runner, path, ends)
        if fitting != 0:
            for number in range(path.outs):
                out = path.out[number]
                to = ends.row + out.ranks
                there = shr(fitting << out.right, out.left)
                there &= race.free[to] & ~race.seen[out.direction][to]
                following[out.direction][to] |= there
                grown |= there
    return grown


@routine
def reach(position, us):
    """Return a side's nearest landing, as a :class:`Reach`."""
    _begin(position, us)
    runner = _runner(position, us)
    race = runner.race
    best = L.NO_DISTANCE
    turns = _NEVER
    ways = 0
    for k in range(L.MAX_LAYERS):
        layer = race.layer[k]
        # landings first: turns after a landing on the last row do not matter
        for direction in range(L.DIRECTIONS):
            for row in range(L.ROWS):
                files = layer[direction][row] & ~race.seen[direction][row]
                layer[direction][row] = files
                if files != 0:
                    race.seen[direction][row] |= files
                    distance, count = _landing(runner, _Ends(direction, row, files))
                    if distance < best:
                        best = distance
                        turns = k + 1
                        ways = 0
                    if distance == best and turns == k + 1:
                        ways += count
        if best <= 1:
            break
        following = race.layer[k + 1]
        if k > 0:
            clear(following)
        grown = 0
        for direction in range(L.DIRECTIONS):
            for row in range(L.ROWS):
                files = layer[direction][row]
                if files != 0:
                    grown |= _grow(runner, _Ends(direction, row, files), following)
        if grown == 0 and k > 0:
            break
    return Reach(best, turns, min(ways, MAX_WAYS))


@kernel
def _mark(race, path, row, fitting):
    """Add the squares of a join's pieces to the squares of fastest ways."""
    race.cells[row] |= fitting
    for i in range(4):
        files = path.files[i]
        covered = fitting << files if files >= 0 else shr(fitting, -files)
        race.cells[row + path.ranks[i]] |= covered


@kernel
def _trace_landings(runner, ends, reached):
    """Mark the ends from which the nearest P lands in the fewest turns."""
    race = runner.race
    for i in range(L.LANDINGS):
        path = runner.t.landing_path[ends.direction][i]
        fitting = _fitting(runner, path, ends)
        if fitting != 0 and _distance_of(runner, path, ends.row) == reached.distance:
            race.critical[(reached.turns - 1) & 1][ends.direction][ends.row] |= fitting
            if reached.turns <= 2:
                _mark(race, path, ends.row, fitting)


@kernel
def _trace_growths(runner, ends, k):
    """Mark the ends after ``k`` turns with a growth to an end marked after ``k + 1``."""
    race = runner.race
    after = race.critical[(k + 1) & 1]
    for i in range(L.GROWTHS):
        path = runner.t.growth_path[ends.direction][i]
        fitting = _growing(runner, path, ends)
        if fitting != 0:
            leading = 0
            for number in range(path.outs):
                out = path.out[number]
                there = after[out.direction][ends.row + out.ranks]
                leading |= shr(there, out.right) << out.left
            leading &= fitting
            if leading != 0:
                race.critical[k & 1][ends.direction][ends.row] |= leading
                if k <= 1:
                    _mark(race, path, ends.row, leading)


@routine
def trace(position, us, reached):
    """Trace the fastest ways of :func:`reach`: their first ends, squares of the next two turns."""
    runner = _runner(position, us)
    race = runner.race
    clear(race.cells)
    clear(race.first)
    if reached.distance == L.NO_DISTANCE:
        return
    for k in range(reached.turns - 1, -1, -1):
        clear(race.critical[k & 1])
        for direction in range(L.DIRECTIONS):
            for row in range(L.ROWS):
                ends = _Ends(direction, row, race.layer[k][direction][row])
                if ends.files == 0:
                    continue
                if k == reached.turns - 1:
                    _trace_landings(runner, ends, reached)
                else:
                    _trace_growths(runner, ends, k)
        if k == 1:
            copy(race.first, race.critical[1])
