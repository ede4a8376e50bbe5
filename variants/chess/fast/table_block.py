"""Building the table block of a game from its definition."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ryugi_engine.kernel.bits import signed
from ryugi_engine.kernel.block import Block
from variants.chess.definition.definition import Square, Way
from variants.chess.definition.squares import bitboard_of, square_index
from variants.chess.definition.values import piece_values, square_values
from variants.chess.family.material import Material
from variants.chess.fast import layout as L
from variants.chess.fast import magics, movegen
from variants.chess.fast.game import FastGame
from variants.chess.fast.movement import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS
from variants.chess.notation.castling_rights import RIGHTS


def leaper_sets(game: FastGame) -> list[str]:
    """Return the different leaper movements of the pieces, except the king."""
    movements = (move.leaps for letter, move in game.movements.items() if letter != game.royal)
    return list(dict.fromkeys(leaps for leaps in movements if leaps))


def _reach(origin: int, length: int, occupied: int) -> int:
    """Return the cells of a line that a slider on ``origin`` attacks, as bits."""
    reach = 0
    for step in (1, -1):
        to = origin + step
        while 0 <= to < length:
            reach |= 1 << to
            if occupied >> to & 1:
                break
            to += step
    return reach


class _Builder:
    def __init__(self, block: TableBlock) -> None:
        self.game = game = block.game
        self.table = L.DRAFT.of(block)
        self.squares = [(f, r) for r in range(game.ranks) for f in range(game.files)]
        self.inside = frozenset(self.squares)

    def ray(self, at: Square, step: Square) -> list[Square]:
        squares = []
        to = (at[0] + step[0], at[1] + step[1])
        while to in self.inside:
            squares.append(to)
            to = (to[0] + step[0], to[1] + step[1])
        return squares

    def leaps(self, at: Square, offsets: Iterable[Square]) -> list[Square]:
        targets = ((at[0] + x, at[1] + y) for x, y in offsets)
        return [to for to in targets if to in self.inside]

    def scalars(self) -> None:
        game, table = self.game, self.table
        table["files"], table["ranks"] = game.files, game.ranks
        table["leaper_sets"] = len(leaper_sets(game))
        codes = game.codes
        table["promotions"] = len(game.rules.promotion[0])
        for i, letter in enumerate(game.ordered(game.rules.promotion[0])):
            table["promotion_type"][i] = codes[letter]
        table["board"] = bitboard_of(self.squares)
        table["light"] = bitboard_of(s for s in self.squares if (s[0] + s[1]) % 2)
        for colour, last in ((0, game.ranks - 1), (1, 0)):
            table["last_rank"][colour] = bitboard_of(s for s in self.squares if s[1] == last)
            table["double"][colour] = bitboard_of(game.double_step[colour])
        table["claim_plies"] = 2 * game.rules.n_move_rule
        table["draw_plies"] = 2 * game.rules.n_move_limit
        table["claim_repetition"] = game.rules.n_fold_rule
        table["draw_repetition"] = game.rules.n_fold_limit
        for letter, power in Material(game).powers[0].items():
            table["power"][codes[letter]] = power
        for letter in game.ordered(game.rules.lone_minors[0]):
            table["lone_minor"][codes[letter]] = 1
        for letter, move in game.movements.items():
            table["colourbound"][codes[letter]] = move.colourbound and letter != game.royal

    def rays_and_leaps(self) -> None:
        game = self.game
        offsets = game.movements[game.royal].offsets()
        sets = leaper_sets(game)
        by_leaps = {m.leaps: m.offsets() for m in game.movements.values()}
        table = self.table
        families = {"ortho": ROOK_STEPS, "diag": BISHOP_STEPS, "rider": KNIGHT_STEPS}
        for at in self.squares:
            i = square_index(at)
            for family, steps in families.items():
                rays = [self.ray(at, step) for step in steps]
                table["rays"][i][family] = bitboard_of(s for ray in rays for s in ray)
                for ray in rays:
                    for n, to in enumerate(ray):
                        table["between"][i, square_index(to)] = bitboard_of(ray[:n])
            table["rays"][i]["king"] = bitboard_of(self.leaps(at, offsets))
            for colour, up in ((0, 1), (1, -1)):
                attacks = self.leaps(at, ((-1, up), (1, up)))
                table["pawn_attacks"][colour, i] = bitboard_of(attacks)
            for g, leaps in enumerate(sets):
                table["leaps"][g, i] = bitboard_of(self.leaps(at, by_leaps[leaps]))

    def lines(self) -> None:
        """Fill the rook's attacks on ranks and files, by the occupancy of the inner squares."""
        for file in range(self.game.files):
            for inner in range(256):
                self.table["row_fill"][file, inner] = _reach(file, self.game.files, inner << 1)
        for rank in range(self.game.ranks):
            for inner in range(64):
                reach = _reach(rank, self.game.ranks, inner << 1)
                squares = [(0, to) for to in range(self.game.ranks) if reach >> to & 1]
                self.table["column"][rank, inner] = bitboard_of(squares)

    def memberships(self) -> None:
        game = self.game
        codes = game.codes
        sets = leaper_sets(game)
        for letter in game.letters:
            if letter == game.pawn:
                member = {L.PAWN}
            elif letter == game.royal:
                member = {L.KING}
            else:
                move = game.movements[letter]
                member = {L.ORTHO} if move.rook else set()
                member |= {L.DIAG} if move.bishop else set()
                member |= {L.RIDER} if move.nightrider else set()
                member |= {L.LEAPER + sets.index(move.leaps)} if move.leaps else set()
            for colour, code in ((0, codes[letter]), (1, codes[letter.lower()])):
                for component in (*member, L.OCCUPIED + colour):
                    self.table["membership"][code, component] = -1

    def values(self) -> None:
        """Fill piece values, and the scores of pieces on squares."""
        game, table = self.game, self.table
        values = piece_values(game)
        for letter in game.letters:
            scores = square_values(game, letter)
            for code, sign in ((game.codes[letter], 1), (game.codes[letter.lower()], -1)):
                table["value"][code] = values[letter]
                for at in self.squares:
                    seen = at if sign > 0 else (at[0], game.ranks - 1 - at[1])
                    table["psq"][code, square_index(at)] = sign * (values[letter] + scores[seen])
        minors = game.ordered(game.rules.lone_minors[0])
        table["minor"] = max((values[letter] for letter in minors), default=0)

    def keys(self) -> None:
        # a fixed seed: keys, and with them node counts, are the same in every process
        source = random.Random(f"ryugi-engine keys {self.game.name}")
        table = self.table

        def words(count: int) -> list[int]:
            return [signed(source.getrandbits(64)) for _ in range(count)]

        pieces = table["key_piece"].reshape(-1)
        for first in (1, 17):
            pieces[first * 128 : (first + 15) * 128] = words(15 * 128)
        castling = table["key_castling"]
        for bit in range(4):
            castling[1 << bit] = words(1)[0]
        for rights in range(16):
            if rights & (rights - 1):
                low = rights & -rights
                castling[rights] = castling[low] ^ castling[rights ^ low]
        table["key_en_passant"] = words(128)
        table["key_side"] = words(1)[0]


def _fill_castling(table: Any, castling: Mapping[str, Sequence[Way]]) -> None:
    """Write the ways to castle, and which squares' pieces have a right."""
    table["ways"], table["way"], table["keep_rights"] = 0, 0, 15
    for bit, letter in enumerate(RIGHTS):
        for way in castling.get(letter, ()):
            colour = int(letter.islower())
            entry = table["way"][colour][table["ways"][colour]]
            table["ways"][colour] += 1
            rank = way.king_from[1]
            files = [s[0] for s in (way.king_from, way.king_to, way.rook_from, way.rook_to)]
            spanned = {(f, rank) for f in range(min(files), max(files) + 1)}
            low, high = sorted((way.king_from[0], way.king_to[0]))
            entry["right"] = 1 << bit
            entry["king"] = square_index(way.king_from)
            entry["king_to"] = square_index(way.king_to)
            entry["rook"] = square_index(way.rook_from)
            entry["rook_to"] = square_index(way.rook_to)
            entry["empty"] = bitboard_of(spanned - {way.king_from, way.rook_from})
            path = {(f, rank) for f in range(low, high + 1)}
            # castling out of check is not tried; a king that stays may lose its rook's shelter
            entry["path"] = bitboard_of(path - {way.king_from} | {way.king_to})
            entry["lifted"] = bitboard_of((way.king_from, way.rook_from))
            for home in (way.king_from, way.rook_from):
                table["keep_rights"][square_index(home)] &= ~(1 << bit)


class TableBlock(Block):
    """The tables of a game whose castling is that of ``game``."""

    def __init__(self, game: FastGame) -> None:
        super().__init__(L.DRAFT.words)
        self.game = game
        #: Texts of moves by their codes.
        self.move_texts: dict[int, str] = {}

    def copy(self) -> TableBlock:
        """Return an independent copy, which keeps the same net."""
        other = TableBlock(self.game)
        other.words[:] = self.words
        other.keeps = self.keeps
        return other

    def with_castling(self, game: FastGame) -> TableBlock:
        """Return the tables for the game's ways to castle in a position, one for each right."""
        other = self.copy()
        castling = {way.right: (way,) for way in game.ways}
        other.game = replace(game, castling=castling)
        _fill_castling(L.DRAFT.of(other), castling)
        return other


def build(game: FastGame) -> TableBlock:
    """Return the table block of a game."""
    block = TableBlock(game)
    _compute(block)
    movegen.connect(block)  # addresses are of this process
    return block


def _compute(block: TableBlock) -> None:
    """Fill the tables of a game, addresses excepted."""
    game = block.game
    builder = _Builder(block)
    builder.scalars()
    _fill_castling(builder.table, game.castling)
    builder.rays_and_leaps()
    builder.lines()
    builder.memberships()
    builder.values()
    builder.keys()
    magics.fill(block, game)
