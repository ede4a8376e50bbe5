"""Tracing the race's fastest ways back from their landings, for move ordering."""

from __future__ import annotations

from ryugi_engine.kernel.copying import clear, copy
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, shr
from variants.goryujin import layout as L
from variants.goryujin.race import Ends, distance_of, fitting, growths_within, reach, runner_of


@kernel
def _mark(race, path, row, files):
    """Add the squares of a join's pieces to the squares of fastest ways."""
    race.cells[row] |= files
    for i in range(4):
        away = path.files[i]
        covered = files << away if away >= 0 else shr(files, -away)
        race.cells[row + path.ranks[i]] |= covered


@kernel
def _trace_landings(runner, ends, reached):
    """Mark the ends from which the nearest P lands in the fewest turns."""
    race = runner.race
    for i in range(L.LANDINGS):
        path = runner.t.landing_path[ends.direction][i]
        files = fitting(runner, path, ends)
        if files != 0 and distance_of(runner, path, ends.row) == reached.distance:
            race.critical[(reached.turns - 1) & 1][ends.direction][ends.row] |= files
            if reached.turns <= 2:
                _mark(race, path, ends.row, files)


@kernel
def _trace_growths(runner, ends, k, growths):
    """Mark the ends after ``k`` turns with a growth to an end marked after ``k + 1``."""
    race = runner.race
    after = race.critical[(k + 1) & 1]
    while growths != 0:
        path = runner.t.growth_path[ends.direction][ctz(growths)]
        growths &= growths - 1
        leading = 0
        for number in range(path.outs):
            out = path.out[number]
            there = after[out.direction][ends.row + out.ranks]
            leading |= shr(there, out.right) << out.left
        if (leading & ends.files) != 0:
            leading &= fitting(runner, path, ends)
            if leading != 0:
                race.critical[k & 1][ends.direction][ends.row] |= leading
                if k <= 1:
                    _mark(race, path, ends.row, leading)


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
        left = reached.turns - k - 1 if reached.distance <= 1 else L.MAX_LAYERS
        clear(race.critical[k & 1])
        for direction in range(L.DIRECTIONS):
            rows = race.rows[k][direction]
            while rows != 0:
                row = ctz(rows)
                rows &= rows - 1
                ends = Ends(direction, row, race.layer[k][direction][row])
                if k == reached.turns - 1:
                    _trace_landings(runner, ends, reached)
                else:
                    _trace_growths(runner, ends, k, growths_within(runner, ends, left))
        if k == 1:
            copy(race.first, race.critical[1])
