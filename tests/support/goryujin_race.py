"""A naive reference of Goryujin's race, over single ends in sets, and the kernels' result."""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.games.position import Position
from variants.goryujin import layout as L
from variants.goryujin.shapes import SHAPES, Cell, neighbour
from variants.goryujin.text import FILES, HOME, RANKS, Placement, parse_text

#: An end: its joint, and the direction to it.
End = tuple[Cell, int]


class Race(NamedTuple):
    """What the race of a side leads to."""

    distance: int
    turns: int
    ways: int
    first: set[End]  # ends that the first turn of a fastest way leads to
    cells: set[Cell]  # squares of the first two turns of fastest ways


class _Join(NamedTuple):
    """A piece that joins an end."""

    others: list[Cell]  # its cells without the joint
    outs: list[End]  # where it leads to


def _joins(letters: str) -> dict[int, list[_Join]]:
    """Return the pieces of some letters that join an end at (0, 0), by its direction."""
    joins: dict[int, list[_Join]] = {direction: [] for direction in range(4)}
    for shape in SHAPES:
        for end in shape.ends if shape.letter in letters else ():
            left, low = end.cell
            cells = [(x - left, y - low) for x, y in shape.cells]
            outs = [
                (neighbour((o.cell[0] - left, o.cell[1] - low), o.direction), o.direction)
                for o in shape.ends
                if o != end
            ]
            joins[end.direction ^ 2].append(_Join([c for c in cells if c != (0, 0)], outs))
    return joins


def _moved(cell: Cell, by: Cell) -> Cell:
    return cell[0] + by[0], cell[1] + by[1]


def naive_race(text: str, side: int) -> Race:
    """Return a side's race by breadth-first search over single ends."""
    data = parse_text(text)
    board = data.board()
    hand = data.hand(side)
    own = {cell for cell, (owner, _, _) in board.items() if owner == side}
    on_board = {(x, y) for x in range(FILES) for y in range(RANKS)}
    empty = on_board - board.keys()
    clear = {c for c in empty if not any(neighbour(c, d) in own for d in range(4))}
    free = {cell for cell in clear if cell[1] != HOME[side]}
    growths = _joins("".join(letter for letter, left in hand.items() if letter != "P" and left))
    landings = _joins("P")

    layers: list[set[End]] = [set()]
    for dragon in data.dragons[side]:
        for end in [] if dragon.finished else dragon.free_ends():
            joint = neighbour(end.cell, end.direction)
            alone = sum(neighbour(joint, d) in own for d in range(4)) == 1
            if joint in empty and joint[1] != HOME[side] and alone:
                layers[0].add((joint, end.direction))
    begun: set[End] = set()
    for shape in SHAPES:
        for file in range(FILES if shape.letter == "P" and hand["P"] else 0):
            rank = 0 if side == 0 else RANKS - shape.height
            piece = Placement(shape, file, rank)
            joint = neighbour(piece.ends[0].cell, piece.ends[0].direction)
            if joint in free and clear.issuperset(piece.cells):
                begun.add((joint, piece.ends[0].direction))

    def fitting(end: End, joins: dict[int, list[_Join]]) -> list[_Join]:
        joint, direction = end
        placed = (
            _Join([_moved(c, joint) for c in j.others], [(_moved(c, joint), d) for c, d in j.outs])
            for j in joins[direction]
        )
        return [join for join in placed if free.issuperset(join.others)]

    def distance(end: End, landing: _Join) -> int:
        ranks = [rank for _file, rank in [end[0], *landing.others]]
        return RANKS - max(ranks) if side == 0 else 1 + min(ranks)

    seen: set[End] = set()
    best = (L.NO_DISTANCE, 31)
    ways = 0
    while len(layers) <= L.MAX_LAYERS:
        ends = layers[-1] - seen
        layers[-1] = ends
        seen |= ends
        for end in ends:
            for landing in fitting(end, landings):
                found = (distance(end, landing), len(layers))
                ways = 0 if found < best else ways
                best = min(best, found)
                ways += found == best
        if best[0] == 1 or (not ends and len(layers) > 1):
            break
        outs = {out for end in ends for join in fitting(end, growths) for out in join.outs}
        following = {out for out in outs if out[0] in free}
        layers.append(following | begun if len(layers) == 1 else following)

    first: set[End] = set()
    cells: set[Cell] = set()
    critical: set[End] = set()
    for k in range(best[1] - 1 if ways else -1, -1, -1):
        after, critical = critical, set()
        for end in layers[k]:
            if k == best[1] - 1:
                leading = [j for j in fitting(end, landings) if distance(end, j) == best[0]]
            else:
                leading = [j for j in fitting(end, growths) if after.intersection(j.outs)]
            if leading:
                critical.add(end)
            if leading and k <= 1:
                cells.add(end[0])
                cells.update(cell for join in leading for cell in join.others)
        first = critical if k == 1 else first
    return Race(*best, min(ways, 31), first, cells)


def _squares(rows: Any) -> set[Cell]:
    """Return the squares of rows of a board in a state."""
    return {
        (file, row - L.RACE_PAD)
        for row in range(L.RACE_ROWS)
        for file in range(FILES)
        if int(rows[row]) >> (L.PAD + file) & 1
    }


def kernels_race(position: Position, side: int) -> Race:
    """Return a side's race as the kernels have it after ``order`` has traced it."""
    from variants.goryujin import entries

    entries.order(position.state.address, 0, 0, position.state.address, 0)
    race = L.STATE.of(position.state)["race"][side]
    first = {(c, d) for d in range(L.DIRECTIONS) for c in _squares(race["first"][d])}
    numbers = (int(race[name]) for name in ("distance", "turns", "ways"))
    return Race(*numbers, first, _squares(race["cells"]))
