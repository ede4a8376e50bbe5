"""Tracing the race's fastest ways back from their landings, for move ordering."""

from __future__ import annotations

from ryugi_engine.kernel.copying import clear, copy
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, shr
from ryugi_engine.kernel.vectors import (
    and_words,
    any_word,
    load_words,
    no_words,
    or_words,
    shift_words,
    store_words,
)
from variants.goryujin import layout as L
from variants.goryujin.race import (
    UNBOUNDED,
    Ends,
    band_at,
    fitting,
    fitting_band,
    growths_within,
    landing_row,
    reach,
    rows_after,
    runner_of,
)


@kernel
def _add_band(rows, at, band):
    store_words(rows, at, or_words(load_words(rows, at), band))


@kernel
def _mark(race, path, row, files):
    """Add the squares of a join's pieces to the squares of fastest ways."""
    _add_band(race.cells, row, files)
    for i in range(4):
        away = path.files[i]
        _add_band(race.cells, row + path.ranks[i], shift_words(files, max(away, 0), max(-away, 0)))


@kernel
def _mark_landing(race, path, row, files):
    """Add the squares of landings from a row's ends to the squares of fastest ways."""
    race.cells[row] |= files
    for i in range(4):
        away = path.files[i]
        covered = files << away if away >= 0 else shr(files, -away)
        race.cells[row + path.ranks[i]] |= covered


@kernel
def _trace_landings(runner, direction, reached):
    """Mark the ends from which the nearest P lands in the fewest turns."""
    race = runner.race
    k = reached.turns - 1
    for i in range(L.LANDINGS):
        path = runner.t.landing_path[direction][i]
        row = landing_row(runner, path, reached.distance)
        if shr(race.rows[k][direction], row) & 1 != 0:
            ends = Ends(direction, row, race.layer[k][direction][row])
            files = fitting(runner, path, ends)
            if files != 0:
                race.critical[k & 1][direction][row] |= files
                if k <= 1:
                    _mark_landing(race, path, row, files)


@kernel
def _trace_growths(runner, direction, files, row, k, growths):
    """Mark the ends after ``k`` turns with a growth to an end marked after ``k + 1``."""
    race = runner.race
    after = race.critical[(k + 1) & 1]
    while growths != 0:
        path = runner.t.growth_path[direction][ctz(growths)]
        growths &= growths - 1
        leading = no_words()
        for number in range(path.outs):
            out = path.out[number]
            there = load_words(after[out.direction], row + out.ranks)
            leading = or_words(leading, shift_words(there, out.left, out.right))
        leading = and_words(leading, files)
        if any_word(leading):
            leading = fitting_band(runner, path, leading, row)
            if any_word(leading):
                _add_band(race.critical[k & 1][direction], row, leading)
                if k <= 1:
                    _mark(race, path, row, leading)


@routine
def trace(position, us):
    """Trace the fastest ways of ``reach``: their first ends, squares of the next two turns."""
    reached = reach(position, us)
    runner = runner_of(position, us)
    race = runner.race
    if race.traced == race.stamp:
        return
    race.traced = race.stamp
    clear(race.cells)
    clear(race.first)
    if reached.distance == L.NO_DISTANCE:
        return
    for k in range(reached.turns - 1, -1, -1):
        left = reached.turns - k - 1 if reached.distance <= 1 else UNBOUNDED
        clear(race.critical[k & 1])
        for direction in range(L.DIRECTIONS):
            if k == reached.turns - 1:
                _trace_landings(runner, direction, reached)
                continue
            rows = race.rows[k][direction]
            while rows != 0:
                files, row = band_at(race.layer[k][direction], rows)
                after = rows_after(rows, row)
                growths = growths_within(runner, direction, rows ^ after, left)
                _trace_growths(runner, direction, files, row, k, growths)
                rows = after
        if k == 1:
            copy(race.first, race.critical[1])
