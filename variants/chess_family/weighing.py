"""A game's tables of what things are worth, made of the family's ``weights``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ryugi_engine.games.notation import parse_board
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition
from variants.chess_family.squares import Square, piece_codes, square_index, words_of
from variants.chess_family.values import (
    end_values,
    exchange_values,
    mean_mobility,
    mobility,
    phase_units,
    piece_values,
)
from variants.chess_family.weights import WEIGHTS, Weights

_KINDS = {"ortho": L.ORTHO, "diag": L.DIAG, "rider": L.RIDER}


def pack(middle: int, end: int) -> int:
    """Middle- and end-game score in one word that adds like two."""
    return middle + (end << 32)


def _centre(game: Definition, at: Square) -> float:
    """1 on the centre squares, falling to 0 in the corners."""
    x = abs(2 * at[0] - game.files + 1) / (game.files - 1)
    y = abs(2 * at[1] - game.ranks + 1) / (game.ranks - 1)
    return 1 - (x + y) / 2


class _Scales:
    """Fills a table block: whole numbers of so many parts of a centipawn."""

    def __init__(self, table: Any, game: Definition, weights: Weights, unit: int) -> None:
        self.table, self.game, self.w, self.unit = table, game, weights, unit
        self.squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
        self.codes = piece_codes(game)

    def both(self, name: str, times: float = 1.0) -> int:
        """A weight's two shares, packed."""
        middle, end = getattr(self.w, f"{name}_middle"), getattr(self.w, f"{name}_end")
        return pack(round(self.unit * times * middle), round(self.unit * times * end))

    def _pawn(self, at: Square) -> tuple[float, float]:
        w, advance, centre = self.w, at[1] / (self.game.ranks - 1), _centre(self.game, at)
        middle = w.pawn_advance_middle * advance * (0.5 + centre) + w.pawn_centre_middle * centre
        end = w.pawn_advance_end * advance**2 + w.pawn_centre_end * centre
        return middle + w.pawn_middle, end + w.pawn_end

    def _king(self, at: Square) -> tuple[float, float]:
        # what a king has everywhere cancels out
        w, advance, centre = self.w, at[1] / (self.game.ranks - 1), _centre(self.game, at)
        middle = w.king_advance_middle * advance + w.king_centre_middle * centre
        return middle, w.king_advance_end * advance + w.king_centre_end * centre

    def _other(self, letter: str) -> Callable[[Square], tuple[float, float]]:
        w, game, mean = self.w, self.game, mean_mobility(self.game, letter)

        def bonus(at: Square) -> tuple[float, float]:
            gain = mobility(game, letter, at) - mean
            advance, centre = at[1] / (game.ranks - 1), _centre(game, at)
            middle = w.gain_middle * gain + w.advance_middle * advance + w.centre_middle * centre
            return middle, w.gain_end * gain + w.advance_end * advance + w.centre_end * centre

        return bonus

    def pieces(self) -> None:
        """Values, phases, and piece-square scores."""
        game, table = self.game, self.table
        values = piece_values(game, self.w, self.unit)
        ends = end_values(game, self.w, self.unit)
        exchanged = exchange_values(game, self.w)
        for letter in game.letters:
            value, end_value = values.get(letter, 0), ends.get(letter, 0)
            named = {game.pawn: self._pawn, game.royal: self._king}
            bonus = named.get(letter) or self._other(letter)
            found = {at: bonus(at) for at in self.squares}
            for code, sign in ((self.codes[letter], 1), (self.codes[letter.lower()], -1)):
                table["value"][code] = exchanged.get(letter, 0)
                table["phase"][code] = phase_units(game, letter)
                for at in self.squares:
                    seen = at if sign > 0 else (at[0], game.ranks - 1 - at[1])
                    middle, end = (round(self.unit * share) for share in found[seen])
                    packed = sign * pack(value + middle, end_value + end)
                    table["psq"][code, square_index(at)] = packed
        table["minor"] = max((exchanged.get(letter, 0) for letter in game.lone_minors), default=0)
        start = parse_board(game.start.split()[0], game.files, game.ranks, game.letters)
        phases = [int(table["phase"][self.codes[letter]]) for letter in start.values()]
        table["max_phase"] = max(1, sum(phases))

    def activity(self) -> None:
        """Mobility and danger to kings."""
        w, table = self.w, self.table
        table["danger"] = round(self.unit * w.danger * (1 << L.DANGER_BITS) / 10_000)
        table["danger_most"] = round(self.unit * w.danger_most)
        for name in ("near", "weak", "first", "check", "try", "bare", "light", "calm"):
            table[f"danger_{name}"] = round(getattr(w, f"danger_{name}"))
        for component in range(L.ORTHO, L.COMPONENTS):
            kind = next((k for k, c in _KINDS.items() if c == component), "leap")
            for count in range(L.MOST_TARGETS):
                more = 4 * math.sqrt(count) - 8
                linear, rooted = self.both(kind, count - 4), self.both(f"{kind}_root", more)
                table["mobility"][component, count] = linear + rooted
            table["danger_square"][component] = round(getattr(w, f"danger_{kind}"))

    def pawns(self) -> None:
        """What is worth the same for pawns of all games."""
        table, w = self.table, self.w
        for name in ("isolated", "doubled", "defended", "beside", "shelter"):
            table[name] = self.both(name)
        for name in ("half_open", "open", "pair"):
            table[name] = self.both(name)
        for advance in range(8):
            square = advance * advance
            table["passed_gain"][advance] = self.both("passed", square)
            table["passed_free"][advance] = self.both("passed_free", square)
            for steps in range(16):
                for whose, weight in enumerate((w.passed_own_king_end, w.passed_other_king_end)):
                    near = round(self.unit * weight * advance * steps)
                    table["king_near"][whose, advance, steps] = pack(0, near)
        table["tempo"] = round(self.unit * w.tempo)

    def threats(self) -> None:
        """What a piece loses by being attacked."""
        table, game = self.table, self.game
        for letter, value in exchange_values(game, self.w).items():
            hundreds = value / 100
            for code in (self.codes[letter], self.codes[letter.lower()]):
                if letter == game.pawn:
                    table["hanging"][code] = self.both("hanging_pawn")
                    continue
                for name in ("pawn_threat", "hanging"):
                    more = self.both(f"{name}_value", hundreds)
                    table[name][code] = self.both(name) + more


def weigh(table: Any, game: Definition, weights: Weights = WEIGHTS, unit: int = 1) -> None:
    """Write what weights say into ``layout.DRAFT``'s fields; psq of states are to be made anew."""
    scales = _Scales(table, game, weights, unit)
    scales.pieces()
    scales.activity()
    scales.pawns()
    scales.threats()


def fill(table: Any, game: Definition) -> None:
    """The same with the family's own, and the masks that go with them."""
    weigh(table, game)
    squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
    for at in squares:
        near = [f for f in (at[0] - 1, at[0], at[0] + 1) if 0 <= f < game.files]
        for colour, up in ((0, 1), (1, -1)):
            ahead = [r for r in range(game.ranks) if (r - at[1]) * up > 0]
            shield = [r for r in (at[1] + up, at[1] + 2 * up) if 0 <= r < game.ranks]
            place = colour, square_index(at)
            table["passed"][place] = words_of((f, r) for f in near for r in ahead)
            table["shield"][place] = words_of((f, r) for f in near for r in shield)
    for at in squares:
        x, y = min(max(at[0], 1), game.files - 2), min(max(at[1], 1), game.ranks - 2)
        ring = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        table["ring"][square_index(at)] = words_of(ring)
    for file in range(game.files):
        beside = [f for f in (file - 1, file + 1) if 0 <= f < game.files]
        table["file_neighbours"][file] = words_of((f, r) for f in beside for r in range(game.ranks))
