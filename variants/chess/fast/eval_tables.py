"""Filling a game's evaluation tables from the family's ``weights``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from variants.chess.definition.definition import Square
from variants.chess.definition.squares import bitboard_of, square_index
from variants.chess.fast import layout as L
from variants.chess.fast.game import FastGame
from variants.chess.fast.values import (
    crowded_mobility,
    end_values,
    exchange_values,
    mean_mobility,
    middle_values,
    phase_units,
)
from variants.chess.fast.weights import CENTIPAWN_TERMS, PACKED_TERMS, UNIT_TERMS, WEIGHTS

_KINDS = {"ortho": L.ORTHO, "diag": L.DIAG, "rider": L.RIDER}


def pack(middle: int, end: int) -> int:
    """Pack a middle-game and an end-game score into one word; packed scores can be added."""
    return middle + (end << 32)


def _both(name: str, times: float = 1.0) -> int:
    """Return ``times`` a weight's middle-game and end-game shares, packed."""
    middle, end = getattr(WEIGHTS, f"{name}_middle"), getattr(WEIGHTS, f"{name}_end")
    return pack(round(times * middle), round(times * end))


def _centre(game: FastGame, at: Square) -> float:
    """Return the closeness to the centre: 1 on the centre squares, 0 in the corners."""
    x = abs(2 * at[0] - game.files + 1) / (game.files - 1)
    y = abs(2 * at[1] - game.ranks + 1) / (game.ranks - 1)
    return 1 - (x + y) / 2


class _Filler:
    """Fills a table block with centipawns."""

    def __init__(self, table: Any, game: FastGame) -> None:
        self.table, self.game = table, game
        self.squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
        self.codes = game.codes

    def _pawn(self, at: Square) -> tuple[float, float]:
        w, advance, centre = WEIGHTS, at[1] / (self.game.ranks - 1), _centre(self.game, at)
        middle = w.pawn_advance_middle * advance * (0.5 + centre) + w.pawn_centre_middle * centre
        end = w.pawn_advance_end * advance**2 + w.pawn_centre_end * centre
        return middle + w.pawn_middle, end + w.pawn_end

    def _king(self, at: Square) -> tuple[float, float]:
        # a king's constant score would cancel out
        w, advance, centre = WEIGHTS, at[1] / (self.game.ranks - 1), _centre(self.game, at)
        middle = w.king_advance_middle * advance + w.king_centre_middle * centre
        return middle, w.king_advance_end * advance + w.king_centre_end * centre

    def _other(self, letter: str) -> Callable[[Square], tuple[float, float]]:
        w, game, mean = WEIGHTS, self.game, mean_mobility(self.game, letter)

        def bonus(at: Square) -> tuple[float, float]:
            gain = crowded_mobility(game, letter, at) - mean
            advance, centre = at[1] / (game.ranks - 1), _centre(game, at)
            middle = w.gain_middle * gain + w.advance_middle * advance + w.centre_middle * centre
            return middle, w.gain_end * gain + w.advance_end * advance + w.centre_end * centre

        return bonus

    def pieces(self) -> None:
        """Fill values, phase units and piece-square tables."""
        game, table = self.game, self.table
        values = middle_values(game)
        ends = end_values(game)
        exchanged = exchange_values(game)
        for letter in game.letters:
            value, end_value = values.get(letter, 0), ends.get(letter, 0)
            named = {game.pawn: self._pawn, game.royal: self._king}
            bonus = named.get(letter) or self._other(letter)
            bonuses = {at: bonus(at) for at in self.squares}
            for code, sign in ((self.codes[letter], 1), (self.codes[letter.lower()], -1)):
                table["value"][code] = exchanged.get(letter, 0)
                table["phase"][code] = phase_units(game, letter)
                for at in self.squares:
                    seen = at if sign > 0 else (at[0], game.ranks - 1 - at[1])
                    middle, end = (round(share) for share in bonuses[seen])
                    packed = sign * pack(value + middle, end_value + end)
                    table["psq"][code, square_index(at)] = packed
        minors = game.ordered(game.rules.lone_minors[0])
        table["minor"] = max((exchanged.get(letter, 0) for letter in minors), default=0)
        pieces = filter(str.isalpha, game.start.split()[0])
        table["max_phase"] = max(1, sum(phase_units(game, letter.upper()) for letter in pieces))

    def single_terms(self) -> None:
        """Fill the terms that are one number."""
        for name in PACKED_TERMS:
            self.table[name] = _both(name)
        for name in CENTIPAWN_TERMS:
            self.table[name] = round(getattr(WEIGHTS, name))
        for name in UNIT_TERMS:
            self.table[name] = round(getattr(WEIGHTS, name))

    def activity(self) -> None:
        """Fill mobility and king danger."""
        w, table = WEIGHTS, self.table
        table["danger"] = round(w.danger * (1 << L.DANGER_BITS) / 10_000)
        for component in range(L.ORTHO, L.COMPONENTS):
            kind = next((k for k, c in _KINDS.items() if c == component), "leap")
            for count in range(L.MOST_TARGETS):
                more = 4 * math.sqrt(count) - 8
                linear, rooted = _both(kind, count - 4), _both(f"{kind}_root", more)
                table["mobility"][component, count] = linear + rooted
            table["danger_square"][component] = round(getattr(w, f"danger_{kind}"))

    def passed_pawns(self) -> None:
        """Fill the terms of passed pawns."""
        table, w = self.table, WEIGHTS
        for advance in range(8):
            square = advance * advance
            table["passed_gain"][advance] = _both("passed", square)
            table["passed_free"][advance] = _both("passed_free", square)
            for steps in range(16):
                for whose, weight in enumerate((w.passed_own_king_end, w.passed_other_king_end)):
                    near = round(weight * advance * steps)
                    table["king_near"][whose, advance, steps] = pack(0, near)

    def threats(self) -> None:
        """Fill the terms of threats."""
        table, game = self.table, self.game
        for letter, value in exchange_values(game).items():
            hundreds = value / 100
            for code in (self.codes[letter], self.codes[letter.lower()]):
                if letter == game.pawn:
                    table["hanging"][code] = _both("hanging_pawn")
                    continue
                for name in ("pawn_threat", "hanging"):
                    more = _both(f"{name}_value", hundreds)
                    table[name][code] = _both(name) + more


def fill(table: Any, game: FastGame) -> None:
    """Fill a ``layout.DRAFT`` from the family's weights, and its masks."""
    filler = _Filler(table, game)
    filler.pieces()
    filler.single_terms()
    filler.activity()
    filler.passed_pawns()
    filler.threats()
    squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
    for at in squares:
        near = [f for f in (at[0] - 1, at[0], at[0] + 1) if 0 <= f < game.files]
        for colour, up in ((0, 1), (1, -1)):
            ahead = [r for r in range(game.ranks) if (r - at[1]) * up > 0]
            shield = [r for r in (at[1] + up, at[1] + 2 * up) if 0 <= r < game.ranks]
            place = colour, square_index(at)
            table["passed"][place] = bitboard_of((f, r) for f in near for r in ahead)
            table["shield"][place] = bitboard_of((f, r) for f in near for r in shield)
    for at in squares:
        x, y = min(max(at[0], 1), game.files - 2), min(max(at[1], 1), game.ranks - 2)
        ring = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        table["ring"][square_index(at)] = bitboard_of(ring)
    for file in range(game.files):
        beside = [f for f in (file - 1, file + 1) if 0 <= f < game.files]
        table["file_neighbours"][file] = bitboard_of(
            (f, r) for f in beside for r in range(game.ranks)
        )
