"""The chess family's hand-crafted evaluation once more: plain, slow, and in floats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from variants.chess.fast.game import FastGame
from variants.chess.fast.movement import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS
from variants.chess.fast.values import (
    crowded_mobility,
    end_values,
    exchange_values,
    mean_mobility,
    middle_values,
    phase_units,
)
from variants.chess.fast.weights import WEIGHTS
from variants.chess.notation.text import PositionData

Square = tuple[int, int]
_NEAR = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class _Side:
    """One side, as it sees the board: its own first rank is 0."""

    def __init__(self, game: FastGame, board: dict[Square, str]) -> None:
        """``board`` has its own pieces in upper case."""
        self.game, self.board, self.w = game, board, WEIGHTS
        self.middle = self.end = 0.0
        self.own = {at: p for at, p in board.items() if p.isupper()}
        self.pawns = {at for at, p in self.own.items() if p == game.pawn}
        self.enemies = {at for at, p in board.items() if p == game.pawn.lower()}
        self.king = next(at for at, p in self.own.items() if p == game.royal)
        self.other = next(at for at, p in board.items() if p == game.royal.lower())
        #: Squares by how often they are attacked, pawns together counting once.
        self.attacks: Counter[Square] = Counter()
        self.checks: set[Square] = set()
        self.units = 0
        self.heavy = False

    def add(self, name: str, times: float = 1.0) -> None:
        self.middle += times * getattr(self.w, f"{name}_middle")
        self.end += times * getattr(self.w, f"{name}_end")

    def inside(self, at: Square) -> bool:
        return 0 <= at[0] < self.game.files and 0 <= at[1] < self.game.ranks

    def _slide(self, at: Square, steps: tuple[Square, ...]) -> Iterator[Square]:
        for x, y in steps:
            to = (at[0] + x, at[1] + y)
            while self.inside(to):
                yield to
                if to in self.board:
                    break
                to = (to[0] + x, to[1] + y)

    def reaches(self, at: Square, letter: str = "") -> Iterator[tuple[str, set[Square]]]:
        """What a piece attacks, by the kind of movement; another piece there if it is named."""
        move = self.game.movements[letter or self.own[at]]
        if move.leaps:
            tos = ((at[0] + x, at[1] + y) for x, y in move.offsets())
            yield "leap", {to for to in tos if self.inside(to)}
        for has, kind, steps in (
            (move.rook, "ortho", ROOK_STEPS),
            (move.bishop, "diag", BISHOP_STEPS),
            (move.nightrider, "rider", KNIGHT_STEPS),
        ):
            if has:
                yield kind, set(self._slide(at, steps))

    def _near(self, at: Square) -> set[Square]:
        return {to for x, y in _NEAR if self.inside(to := (at[0] + x, at[1] + y))}

    def _ring(self, at: Square) -> set[Square]:
        """Three by three squares of the board's, the king's among them."""
        x = min(max(at[0], 1), self.game.files - 2)
        y = min(max(at[1], 1), self.game.ranks - 2)
        return {(x, y), *self._near((x, y))}

    def pawn_attacks(self, pawns: set[Square], up: int) -> set[Square]:
        return {(x + s, y + up) for x, y in pawns for s in (-1, 1)}

    def activity(self) -> None:
        """Mobility, attacks, rooks' files, pairs: everything but what the other side's needs."""
        w, zone = self.w, self._near(self.other)
        ring = self._ring(self.other)
        self.attacks.update(self.pawn_attacks(self.pawns, 1))
        aiming = aims = 0
        safe = self.pawn_attacks(self.enemies, -1) | set(self.own)
        bound: set[int] = set()
        for at, letter in self.own.items():
            if letter in (self.game.pawn, self.game.royal):
                continue
            whole: set[Square] = set()
            sights: set[Square] = set()
            settings = 0
            reaches = list(self.reaches(at))
            self.heavy |= len(reaches) > 1
            for (kind, reach), (_, back) in zip(
                reaches, self.reaches(self.other, letter), strict=True
            ):
                count = len(reach - safe)
                self.add(kind, count - 4)
                self.add(f"{kind}_root", 4 * math.sqrt(count) - 8)
                self.units += round(w.danger_near) * len(reach & zone)
                settings += round(getattr(w, f"danger_{kind}")) if reach & ring else 0
                whole |= reach
                sights |= back
                if kind == "ortho" and not any(p[0] == at[0] and p[1] > at[1] for p in self.pawns):
                    self.add("half_open")
                    if not any(p[0] == at[0] and p[1] > at[1] for p in self.enemies):
                        self.add("open")
            self.attacks.update(whole)
            self.checks |= whole & sights
            aims += settings
            aiming += settings > 0
            if self.game.movements[letter].colourbound:
                bound.add(sum(at) % 2)
        self.units += aiming * aims
        if len(bound) == 2:
            self.add("pair")

    def against(self, other: _Side) -> None:
        """The danger to the other king, and threats; ``other`` sees the board from its side."""
        w, attacked = self.w, set(self.attacks)
        theirs = {self.turned(at) for at in other.attacks}
        near = self._near(self.other)
        loose = attacked - theirs
        checks = self.checks - set(self.own)
        safe = {at for at in checks & loose if at not in near or self.attacks[at] > 1}
        units = self.units + round(w.danger_weak) * len(self._ring(self.other) & loose)
        units += round(w.danger_first) * bool(safe) + round(w.danger_check) * min(len(safe), 3)
        units += round(w.danger_try) * len(checks - safe)
        units -= 0 if self.heavy else round(w.danger_light)
        units += round(w.danger_bare) * (3 - other.shelter()) - round(w.danger_calm)
        self.middle += min(max(units, 0) ** 2 * w.danger / 10_000, w.danger_most)
        self.add("shelter", self.shelter())
        values = exchange_values(self.game)
        for at, letter in self.board.items():
            if letter.isupper() or letter == self.game.royal.lower():
                continue
            hundreds = values[letter.upper()] / 100
            pawn = letter == self.game.pawn.lower()
            if not pawn and at in self.pawn_attacks(self.pawns, 1):
                self.add("pawn_threat")
                self.add("pawn_threat_value", hundreds)
            if at in loose - near:
                self.add("hanging_pawn" if pawn else "hanging")
                self.add("hanging_value", 0 if pawn else hundreds)

    def shelter(self) -> int:
        """Pawns before the own king, three at most."""
        x, y = self.king
        return min(3, sum(1 for p in self.pawns if abs(p[0] - x) <= 1 and 0 < p[1] - y <= 2))

    def turned(self, at: Square) -> Square:
        return at[0], self.game.ranks - 1 - at[1]

    def structure(self) -> None:
        for x, y in self.pawns:
            supported = (x, y) in self.pawn_attacks(self.pawns, 1)
            if supported:
                self.add("defended")
            if (x + 1, y) in self.pawns:
                self.add("beside")
            if not any(abs(p[0] - x) == 1 for p in self.pawns):
                self.add("isolated")
            if any(p[0] == x and p[1] > y for p in self.pawns):
                self.add("doubled")
            elif not any(abs(p[0] - x) <= 1 and p[1] > y for p in self.enemies):
                self.add("passed", y * y)
                if (x, y + 1) not in self.board:
                    self.add("passed_free", y * y)
                for king, weight in (
                    (self.king, self.w.passed_own_king_end),
                    (self.other, self.w.passed_other_king_end),
                ):
                    self.end += weight * y * max(abs(king[0] - x), abs(king[1] - y - 1))

    def squares(self) -> None:
        game, w = self.game, self.w
        values, ends = middle_values(game), end_values(game)
        for at, letter in self.own.items():
            x = abs(2 * at[0] - game.files + 1) / (game.files - 1)
            y = abs(2 * at[1] - game.ranks + 1) / (game.ranks - 1)
            centre, advance = 1 - (x + y) / 2, at[1] / (game.ranks - 1)
            self.middle += values.get(letter, 0)
            self.end += ends.get(letter, 0)
            if letter == game.pawn:
                self.add("pawn")
                self.middle += w.pawn_advance_middle * advance * (0.5 + centre)
                self.end += w.pawn_advance_end * advance**2
                self.add("pawn_centre", centre)
            elif letter == game.royal:
                self.add("king_advance", advance)
                self.add("king_centre", centre)
            else:
                self.add("gain", crowded_mobility(game, letter, at) - mean_mobility(game, letter))
                self.add("advance", advance)
                self.add("centre", centre)


def reference_share(game: FastGame, board: dict[Square, str]) -> float:
    """How much of an advantage counts of the side whose pieces are in upper case."""
    worth = exchange_values(game)
    minor = max((worth[p] for p in game.rules.lone_minors[0]), default=0)
    royal, pawn = game.royal, game.pawn
    own = {at: p for at, p in board.items() if p.isupper() and p not in (royal, pawn)}
    others = {
        at: p.upper() for at, p in board.items() if p.islower() and p.upper() not in (royal, pawn)
    }
    pawns = [at for at, p in board.items() if p == pawn]
    if len(own) > 3:
        return 1.0
    ours, theirs = (sum(worth[p] for p in side.values()) for side in (own, others))

    def bound(p: str) -> bool:
        return game.movements[p].colourbound

    if not pawns:
        if not own or ours <= minor:
            return 0.0
        if ours - theirs <= minor:
            return 4 / 64 if theirs <= minor else 14 / 64
        alike = len(own) == 2 and len(set(own.values())) == 1
        one = next(iter(own.values()))
        if alike and one in game.rules.lone_minors[0] and not bound(one):
            bare = not others and pawn.lower() not in board.values()
            return 0.0 if bare else 1.0
        return 1.0
    files = {file for file, _ in pawns}
    king = next(at for at, p in board.items() if p == royal.lower())
    if files in ({0}, {game.files - 1}):
        end = (pawns[0][0], game.ranks - 1)
        stopped = max(abs(king[0] - end[0]), abs(king[1] - end[1])) <= 1
        away = all(bound(p) and (sum(at) - sum(end)) % 2 for at, p in own.items())
        if stopped and away:
            return 0.0
    if len(own) == len(others) == 1:
        (mine,), (yours,) = own.items(), others.items()
        if bound(mine[1]) and bound(yours[1]) and (sum(mine[0]) - sum(yours[0])) % 2:
            return 28 / 64
    return 1.0


def reference_evaluation(game: FastGame, data: PositionData, full: int) -> float:
    """Centipawns for the side to move, before a row of quiet moves fades them.

    ``full`` is the phase of the starting position.
    """
    white = _Side(game, dict(data.board))
    black = _Side(game, {white.turned(at): p.swapcase() for at, p in data.board.items()})
    for side in (white, black):
        side.squares()
        side.structure()
        side.activity()
    white.against(black)
    black.against(white)
    phase = min(sum(phase_units(game, p.upper()) for p in data.board.values()), full)
    share = phase / full
    value = share * (white.middle - black.middle) + (1 - share) * (white.end - black.end)
    ahead = white if value > 0 else black
    value *= reference_share(game, ahead.board)
    return (-value if data.side else value) + WEIGHTS.tempo
