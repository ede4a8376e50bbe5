"""Values that the evaluation needs, derived from what the pieces of a game can do on its board.

A piece's *crowded mobility* is the number of squares it reaches, averaged over the board, when
each square on the way is empty with probability 0.7 (R. Betza, "About the values of chess
pieces"). The value follows from it by a parabola that gives the usual figures for N, B, R, Q;
a definition file can override it.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.games.notation import parse_board
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition
from variants.chess_family.squares import Square, piece_codes, square_index, words_of

EMPTY = 0.7
PAWN_VALUE = 100
_MINOR, _ROOK = 450, 700  # below: one phase unit, two; four from there on


def pack(middle: int, end: int) -> int:
    """Middle- and end-game score in one word that adds like two."""
    return middle + (end << 32)


def mobility(game: Definition, letter: str, at: Square) -> float:
    """Expected number of targets of a piece on a square."""
    move = game.pieces[letter]

    def inside(to: Square) -> bool:
        return 0 <= to[0] < game.files and 0 <= to[1] < game.ranks

    total = float(sum(inside((at[0] + x, at[1] + y)) for x, y in move.offsets()))
    for x, y in move.steps():
        to, chance = (at[0] + x, at[1] + y), 1.0
        while inside(to):
            total += chance
            chance *= EMPTY
            to = (to[0] + x, to[1] + y)
    return total


def piece_values(game: Definition) -> dict[str, int]:
    """Centipawns of every letter but the king's."""
    squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
    found = {game.pawn: PAWN_VALUE}
    for letter in game.pieces:
        if letter == game.royal:
            continue
        mean = sum(mobility(game, letter, at) for at in squares) / len(squares)
        found[letter] = round(55 * mean + 0.9 * mean * mean)
    found.update(game.values)
    return found


def phase_units(value: int) -> int:
    """Weight of a piece in the game phase."""
    return 1 if value < _MINOR else 2 if value < _ROOK else 4


def _centre(game: Definition, at: Square) -> float:
    """1 on the centre squares, falling to 0 in the corners."""
    x = abs(2 * at[0] - game.files + 1) / (game.files - 1)
    y = abs(2 * at[1] - game.ranks + 1) / (game.ranks - 1)
    return 1 - (x + y) / 2


def _square_bonus(game: Definition, letter: str, at: Square, mean: float) -> tuple[int, int]:
    """Middle- and end-game bonus of White's piece on a square."""
    advance = at[1] / (game.ranks - 1)
    centre = _centre(game, at)
    if letter == game.pawn:
        return round(14 * advance * (0.5 + centre) + 10 * centre - 8), round(50 * advance**2 - 6)
    if letter == game.royal:
        return round(-60 * advance - 26 * centre + 15), round(46 * centre - 23)
    gain = mobility(game, letter, at) - mean
    return round(5 * gain + 6 * advance), round(4 * gain + 4 * centre)


def fill(table: Any, game: Definition) -> None:
    """Write values, phases, piece-square scores and pawn masks into ``layout.DRAFT``'s fields."""
    codes = piece_codes(game)
    squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
    values = piece_values(game)
    for letter in game.letters:
        value = values.get(letter, 0)
        mean = 0.0
        if letter != game.pawn:
            mean = sum(mobility(game, letter, at) for at in squares) / len(squares)
        unit = 0 if letter in (game.pawn, game.royal) else phase_units(value)
        for code, sign in ((codes[letter], 1), (codes[letter.lower()], -1)):
            table["value"][code] = value
            table["phase"][code] = unit
            for at in squares:
                seen = at if sign > 0 else (at[0], game.ranks - 1 - at[1])
                middle, end = _square_bonus(game, letter, seen, mean)
                packed = sign * pack(value + middle, value + end + value // 16)
                table["psq"][code, square_index(at)] = packed
    start = parse_board(game.start.split()[0], game.files, game.ranks, game.letters)
    phases = [int(table["phase"][codes[letter]]) for letter in start.values()]
    table["max_phase"] = max(1, sum(phases))
    table["mobility"][L.ORTHO] = pack(3, 4)
    table["mobility"][L.DIAG] = pack(4, 4)
    table["mobility"][L.RIDER] = pack(4, 4)
    table["mobility"][L.LEAPER :] = pack(4, 4)
    for at in squares:
        near = [f for f in (at[0] - 1, at[0], at[0] + 1) if 0 <= f < game.files]
        for colour, up in ((0, 1), (1, -1)):
            ahead = [r for r in range(game.ranks) if (r - at[1]) * up > 0]
            shield = [r for r in (at[1] + up, at[1] + 2 * up) if 0 <= r < game.ranks]
            place = colour, square_index(at)
            table["passed"][place] = words_of((f, r) for f in near for r in ahead)
            table["shield"][place] = words_of((f, r) for f in near for r in shield)
    for file in range(game.files):
        beside = [f for f in (file - 1, file + 1) if 0 <= f < game.files]
        table["file_neighbours"][file] = words_of((f, r) for f in beside for r in range(game.ranks))
