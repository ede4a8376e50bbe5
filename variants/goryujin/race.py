"""The race: in how few turns a side's dragons reach how far, by a search over whole rows at once.

A layer is the set of ends that some dragon of the side can have after so many turns, each named
by the square that the next piece would begin on and the way there. A layer's successors are found
for all files of a row together.

It is a lower bound: that a way's own pieces can be in each other's way, and that a letter runs
out on the way, is left out. Only squares that the first P frees by being lifted can make a way
shorter than told, and they lie at home.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount, shr
from ryugi_engine.kernel.whole import clear, copy
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
    """The nearest distance at which a side can land, in how few turns, and on how many ends."""

    distance: int  # NO_DISTANCE if it cannot land at all
    turns: int
    ways: int  # at most MAX_WAYS


MAX_WAYS = 31
_NEVER = 31  # turns


class _Runner(NamedTuple):
    """A side in its race."""

    t: object  # the game's tables
    frame: object
    us: int
    race: object  # the side's scratch


class _Ends(NamedTuple):
    """Ends of one row and direction."""

    direction: int
    row: int
    files: int  # a row of the board


@kernel
def _runner(position, us):
    return _Runner(position.t, position.frame, us, position.state.race[us])


@kernel
def _shift_rows(race, rows, home):
    """The free squares, moved to all sides; nothing may lie on the side's own first row again."""
    for row in range(L.ROWS):
        free = 0 if row == home else rows[row]
        race.free[row] = free
        for files in range(L.WINDOW_HALF + 1):
            race.shifted[(L.WINDOW_HALF - files) * L.ROWS + row] = free << files
            race.shifted[(L.WINDOW_HALF + files) * L.ROWS + row] = shr(free, files)


@kernel
def _begin(position, us):
    """Shifted rows, the dragons' ends as layer 0, new dragons' as layer 1."""
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
    """Files of those ends that a join's piece fits on."""
    files = ends.files
    for i in range(4):
        files &= runner.race.shifted[ends.row + path.shifted[i]]
    return files


@kernel
def _growing(runner, path, ends):
    """The same for a growth, whose letter must not have run out."""
    fitting = _fitting(runner, path, ends)
    if fitting != 0 and runner.frame.hand[runner.us][path.letter] == 0:
        fitting = 0
    return fitting


@kernel
def _distance_of(runner, path, row):
    """The distance of a P that is joined to an end in a row."""
    if runner.us == 0:
        return L.RANKS + L.PAD - row - path.up
    return row - L.PAD + path.down + 1


@kernel
def _landing(runner, ends):
    """The nearest distance at which a P lands on one of some ends, and on how many of them.

    NO_DISTANCE and 0 if it lands nowhere.
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
    """Add the ends that a growth on some leads to; a word that is not 0 if any are new."""
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
    """How far a side can get, as a :class:`Reach`."""
    _begin(position, us)
    runner = _runner(position, us)
    race = runner.race
    best = L.NO_DISTANCE
    turns = _NEVER
    ways = 0
    for k in range(L.MAX_LAYERS):
        layer = race.layer[k]
        # a P first: nothing beyond the turn that lands on the last row matters
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
    """Add the squares of a join's pieces, and of the joints, to the squares of fastest ways."""
    race.cells[row] |= fitting
    for i in range(4):
        files = path.files[i]
        covered = fitting << files if files >= 0 else shr(fitting, -files)
        race.cells[row + path.ranks[i]] |= covered


@kernel
def _trace_landings(runner, ends, reached):
    """Keep the ends on which the nearest P lands in the fewest turns."""
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
    """Keep the ends after ``k`` turns with a growth that leads to an end kept after the next."""
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
    """After :func:`reach`: ends that begin a fastest way, and the squares of its next two turns."""
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
