"""The race: a side's fastest ways to the far edge, by breadth-first search over rows.

A layer is the set of ends that the side's dragons can have after n turns; an end is its joint with
a direction. Successors are computed for all files of eight rows at once: a *band* of rows is a
vector of words.

The result is a lower bound: pieces of one way that block each other, and letters that run out on
the way, are ignored. Only squares that the lifted P frees, near the home row, can make a way
shorter than the bound.

The search has a bound, as in iterative deepening A*: at first the last position's result. An end is
left out if it needs more turns than that even on an empty board (``least``). If the far edge is not
reached, the bound is raised, in the end to no bound at all. Bounds cost time, they never change the
result. The result of the last position of each side is kept.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.copying import clear
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, popcount, shr
from ryugi_engine.kernel.vectors import (
    and_not_words,
    and_words,
    any_word,
    load_words,
    or_words,
    shift_words,
    store_words,
)
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
#: A bound that leaves out nothing.
UNBOUNDED = L.MAX_LAYERS
#: A bound is raised by 1 until it is so much more than the first one, then to no bound.
_RAISED = 2
_BAND_ROWS = (1 << L.BAND) - 1
#: Part of a stamp: that of a board without pieces is not the 0 of fresh memory.
_STAMP = 0x5DEECE66D


class Runner(NamedTuple):
    """A side in the race."""

    t: object  # the game's tables
    frame: object
    us: int
    race: object  # the side's scratch


class Ends(NamedTuple):
    """The dragons' ends in one row with one direction, as file bits."""

    direction: int
    row: int
    files: int  # a row of the board


@kernel
def runner_of(position, us):
    return Runner(position.t, position.frame, us, position.state.race[us])


@kernel
def stamp_of(frame):
    """Return the key of a position's cached results; it ignores the side to move."""
    return frame.pieces_key ^ _STAMP


@kernel
def _shift_rows(race, rows, home):
    """Compute the free squares shifted by -4..4 files; the side's first row is not free."""
    for rank in range(L.RANKS):
        row = L.RACE_PAD + rank
        free = 0 if rank == home else rows[L.PAD + rank]
        race.free[row] = free
        for files in range(L.WINDOW_HALF + 1):
            race.shifted[(L.WINDOW_HALF - files) * L.RACE_ROWS + row] = free << files
            race.shifted[(L.WINDOW_HALF + files) * L.RACE_ROWS + row] = shr(free, files)


@kernel
def _add_ends(race, k, direction, row, files):
    """Add ends to a layer."""
    race.layer[k][direction][row] |= files
    race.rows[k][direction] |= 1 << row


@kernel
def _clear_layer(race, k):
    clear(race.layer[k])
    clear(race.rows[k])


@kernel
def _prepare(runner):
    """Compute shifted rows and the growths with a piece left."""
    t, frame, us, race = runner
    _shift_rows(race, frame.free[us], home_rank(us))
    for direction in range(L.DIRECTIONS):
        available = 0
        for letter in range(L.LETTERS):
            if frame.hand[us][letter] != 0:
                available |= t.letter_growths[direction][letter]
        race.available[direction] = available


@kernel
def _begin(runner):
    """Compute layer 0, the dragons' ends, and layer 1, new dragons' ends.

    Return the fewest turns that any of them needs.
    """
    t, frame, us, race = runner
    home = home_rank(us)
    clear(race.seen)
    _clear_layer(race, 0)
    _clear_layer(race, 1)
    fewest = _NEVER
    for number in range(frame.begun[us]):
        dragon = frame.dragon[us][number]
        if dragon.finished != 0:
            continue
        for end in range(shape_of(t, dragon.tip).ends):
            if end != dragon.used:
                joint = joint_at(t, dragon.tip, end)
                if may_join(frame, us, joint) and joint.rank != home:
                    row = L.RACE_PAD + joint.rank
                    _add_ends(race, 0, joint.direction, row, 1 << (L.PAD + joint.file))
                    fewest = min(fewest, t.least[us][joint.direction][row])
    if frame.hand[us][L.P] != 0:
        for number in range(t.first_p, t.first_p + L.P_SHAPES):
            corner = placement_at(number, 0, first_rank(us, t.shape[number]))
            joint = joint_at(t, corner, 0)
            if joint.rank >= 0 and joint.rank < L.RANKS:
                fits = new_row(runner, us, number)
                ends = fits << joint.file if joint.file >= 0 else shr(fits, 1)
                row = L.RACE_PAD + joint.rank
                ends &= race.free[row]
                if ends != 0:
                    _add_ends(race, 1, joint.direction, row, ends)
                    fewest = min(fewest, 1 + t.least[us][joint.direction][row])
    return fewest


@kernel
def fitting(runner, path, ends):
    """Return, as file bits, the ends at which a joining piece has room."""
    files = ends.files
    for i in range(4):
        files &= runner.race.shifted[ends.row + path.shifted[i]]
    return files


@kernel
def band_at(ends, rows):
    """Return (band, row): the ends of the eight rows from the lowest row with ends on."""
    row = min(ctz(rows), L.RACE_ROWS - L.RACE_PAD - L.BAND)
    return load_words(ends, row), row


@kernel
def rows_after(rows, row):
    """Return the rows beyond the band that begins at a row."""
    return rows & (-1 << (row + L.BAND))


@kernel
def growths_within(runner, direction, rows, turns):
    """Return the growths, as bits, that can lead to a landing in so many further turns.

    ``rows`` are those of the ends; ``turns`` is ``UNBOUNDED`` if it does not matter. Letters that
    have run out are left out.
    """
    available = runner.race.available[direction]
    if turns >= UNBOUNDED:
        return available
    useful = 0
    while rows != 0:
        useful |= runner.t.useful[runner.us][direction][ctz(rows)][turns]
        rows &= rows - 1
    return available & useful


@kernel
def fitting_band(runner, path, files, row):
    """Return the ends of a band at which a joining piece has room."""
    squares = runner.race.shifted
    files = and_words(files, load_words(squares, row + path.shifted[0]))
    files = and_words(files, load_words(squares, row + path.shifted[1]))
    files = and_words(files, load_words(squares, row + path.shifted[2]))
    return and_words(files, load_words(squares, row + path.shifted[3]))


@kernel
def _distance_of(runner, path, row):
    """Return the distance of a P that joins an end in a row."""
    if runner.us == 0:
        return L.RANKS + L.RACE_PAD - row - path.up
    return row - L.RACE_PAD + path.down + 1


@kernel
def landing_row(runner, path, distance):
    """Return the row of the ends from which a P lands at a distance."""
    if runner.us == 0:
        return L.RANKS + L.RACE_PAD - distance - path.up
    return distance - 1 + L.RACE_PAD - path.down


@kernel
def _landing(runner, ends):
    """Return (nearest distance at which a P lands from the ends, number of such ends).

    (NO_DISTANCE, 0) if it cannot land.
    """
    nearest = L.NO_DISTANCE
    count = 0
    for i in range(L.LANDINGS):
        path = runner.t.landing_path[ends.direction][i]
        files = fitting(runner, path, ends)
        if files != 0:
            distance = _distance_of(runner, path, ends.row)
            if distance < nearest:
                nearest = distance
                count = 0
            if distance == nearest:
                count += popcount(files)
    return nearest, count


@kernel
def _grow(runner, direction, files, row, k, growths):
    """Add the ends after growths from a band to layer ``k + 1``; return nonzero if any are new."""
    race = runner.race
    grown = 0
    while growths != 0:
        path = runner.t.growth_path[direction][ctz(growths)]
        growths &= growths - 1
        fits = fitting_band(runner, path, files, row)
        if not any_word(fits):
            continue
        for number in range(path.outs):
            out = path.out[number]
            to = row + out.ranks
            there = and_words(shift_words(fits, out.right, out.left), load_words(race.free, to))
            there = and_not_words(there, load_words(race.seen[out.direction], to))
            if any_word(there):
                following = race.layer[k + 1][out.direction]
                store_words(following, to, or_words(load_words(following, to), there))
                race.rows[k + 1][out.direction] |= _BAND_ROWS << to
                grown = 1
    return grown


@kernel
def _land_layer(runner, k, bound, best):
    """Remove from layer ``k`` what was seen before or is beyond the bound; land from the others.

    Return the nearest landing of this layer or an earlier one, as a Reach.
    """
    t, _frame, us, race = runner
    distance, turns, ways = best
    for direction in range(L.DIRECTIONS):
        rows = race.rows[k][direction]
        while rows != 0:
            row = ctz(rows)
            rows &= rows - 1
            least = t.least[us][direction][row]
            files = race.layer[k][direction][row] & ~race.seen[direction][row]
            if bound < UNBOUNDED and k + least > bound:
                files = 0
            race.layer[k][direction][row] = files
            if files == 0:
                race.rows[k][direction] &= ~(1 << row)
                continue
            race.seen[direction][row] |= files
            if bound >= UNBOUNDED or least == 1:
                nearest, count = _landing(runner, Ends(direction, row, files))
                if nearest < distance:
                    distance = nearest
                    turns = k + 1
                    ways = 0
                if nearest == distance and turns == k + 1:
                    ways += count
    return Reach(distance, turns, ways)


@kernel
def _grow_layer(runner, k, bound):
    """Fill layer ``k + 1``, to which new dragons' ends belong already if k is 0."""
    race = runner.race
    if k > 0:
        _clear_layer(race, k + 1)
    grown = 0
    left = bound - k - 1 if bound < UNBOUNDED else UNBOUNDED
    for direction in range(L.DIRECTIONS):
        rows = race.rows[k][direction]
        while rows != 0:
            files, row = band_at(race.layer[k][direction], rows)
            after = rows_after(rows, row)
            growths = growths_within(runner, direction, rows ^ after, left)
            grown |= _grow(runner, direction, files, row, k, growths)
            rows = after
    return grown != 0 or k == 0


@routine
def _search(runner, bound):
    """Return the nearest landing; with a bound, only one on the far edge within so many turns."""
    best = Reach(L.NO_DISTANCE, _NEVER, 0)
    for k in range(min(bound, L.MAX_LAYERS)):
        best = _land_layer(runner, k, bound, best)
        if best.distance <= 1 or not _grow_layer(runner, k, bound):
            break
    return best


@routine
def reach(position, us):
    """Return a side's nearest landing, as a :class:`Reach`."""
    runner = runner_of(position, us)
    race = runner.race
    stamp = stamp_of(position.frame)
    if race.stamp == stamp:
        return Reach(race.distance, race.turns, race.ways)
    _prepare(runner)
    bound = max(_begin(runner), race.hint)
    highest = bound + _RAISED
    while True:
        if bound > highest or bound > UNBOUNDED:
            bound = UNBOUNDED
        best = _search(runner, bound)
        if best.distance <= 1 or bound >= UNBOUNDED:
            break
        bound += 1
        _begin(runner)
    race.stamp = stamp
    race.distance = best.distance
    race.turns = best.turns
    race.hint = best.turns if best.distance <= 1 else UNBOUNDED
    race.ways = min(best.ways, MAX_WAYS)
    return Reach(race.distance, race.turns, race.ways)
