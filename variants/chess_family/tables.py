"""Building the table block of a game from its definition."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np

from ryugi_engine.abi import Block, Words
from variants.chess_family import layout as L
from variants.chess_family import magics, movegen, values
from variants.chess_family.definition import Definition
from variants.chess_family.reference import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS, Square

_FILES_PER_ROW = 16


def square_index(at: Square) -> int:
    """Kernel number of a (file, rank) square."""
    return at[1] * _FILES_PER_ROW + at[0]


def signed(word: int) -> int:
    """An unsigned 64-bit number as the int64 with the same bits."""
    return word - (1 << 64) if word >> 63 else word


def words_of(squares: Iterable[Square]) -> tuple[int, int]:
    """Bitboard (lo, hi) of some squares."""
    bits = 0
    for at in squares:
        bits |= 1 << square_index(at)
    return signed(bits & (1 << 64) - 1), signed(bits >> 64)


def piece_codes(game: Definition) -> dict[str, int]:
    """Piece code of every letter, upper case for White."""
    codes = {}
    for kind, letter in enumerate(game.letters, start=1):
        codes[letter] = kind
        codes[letter.lower()] = 16 + kind
    return codes


def leaper_sets(game: Definition) -> list[str]:
    """The different leaper movements of the pieces other than the king."""
    found: list[str] = []
    for letter, move in game.pieces.items():
        if letter != game.royal and move.leaps and move.leaps not in found:
            found.append(move.leaps)
    return found


def _reach(origin: int, length: int, occupied: int) -> int:
    """Cells of a line that a slider on ``origin`` reaches, as bits; blockers included."""
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
    def __init__(self, game: Definition) -> None:
        self.game = game
        self.table: Words = np.zeros(L.T_MAGIC_SETS + L.MAGIC_WORDS_LIMIT, dtype=np.int64)
        self.squares = [(f, r) for r in range(game.ranks) for f in range(game.files)]
        self.inside = frozenset(self.squares)

    def put(self, offset: int, squares: Iterable[Square]) -> None:
        self.table[offset : offset + 2] = words_of(squares)

    def ray(self, at: Square, step: Square) -> list[Square]:
        found = []
        to = (at[0] + step[0], at[1] + step[1])
        while to in self.inside:
            found.append(to)
            to = (to[0] + step[0], to[1] + step[1])
        return found

    def leaps(self, at: Square, offsets: Iterable[Square]) -> list[Square]:
        targets = ((at[0] + x, at[1] + y) for x, y in offsets)
        return [to for to in targets if to in self.inside]

    def scalars(self) -> None:
        game, table = self.game, self.table
        table[L.T_FILES], table[L.T_RANKS] = game.files, game.ranks
        table[L.T_LEAPER_SETS] = len(leaper_sets(game))
        codes = piece_codes(game)
        table[L.T_PROMOTIONS] = len(game.promotion)
        for i, letter in enumerate(game.promotion):
            table[L.T_PROMOTION_TYPE + i] = codes[letter]
        self.put(L.T_BOARD, self.squares)
        self.put(L.T_LIGHT, (s for s in self.squares if (s[0] + s[1]) % 2))
        for colour, last in ((0, game.ranks - 1), (1, 0)):
            self.put(L.T_LAST_RANK + 2 * colour, (s for s in self.squares if s[1] == last))
            self.put(L.T_DOUBLE + 2 * colour, game.double_step[colour])
        table[L.T_CLAIM_PLIES] = 2 * game.claim_moves
        table[L.T_DRAW_PLIES] = 2 * game.draw_moves
        table[L.T_CLAIM_REPETITION] = game.claim_repetition
        table[L.T_DRAW_REPETITION] = game.draw_repetition
        for letter in game.lone_minors:
            table[L.T_LONE_MINOR + codes[letter]] = 1
        for letter, move in game.pieces.items():
            table[L.T_COLOURBOUND + codes[letter]] = move.colourbound and letter != game.royal

    def castles(self) -> None:
        table = self.table
        table[L.T_KEEP_RIGHTS : L.T_KEEP_RIGHTS + 128] = 15
        for bit, letter in enumerate("KQkq"):
            for way in self.game.castling.get(letter, ()):
                colour = int(letter.islower())
                at = (
                    L.T_CASTLE_ENTRIES + (8 * colour + table[L.T_CASTLES + colour]) * L.CASTLE_WORDS
                )
                table[L.T_CASTLES + colour] += 1
                rank = way.king_from[1]
                files = [s[0] for s in (way.king_from, way.king_to, way.rook_from, way.rook_to)]
                spanned = {(f, rank) for f in range(min(files), max(files) + 1)}
                low, high = sorted((way.king_from[0], way.king_to[0]))
                table[at + L.CASTLE_RIGHT] = 1 << bit
                table[at + L.CASTLE_KING] = square_index(way.king_from)
                table[at + L.CASTLE_KING_TO] = square_index(way.king_to)
                table[at + L.CASTLE_ROOK] = square_index(way.rook_from)
                table[at + L.CASTLE_ROOK_TO] = square_index(way.rook_to)
                self.put(at + L.CASTLE_EMPTY, spanned - {way.king_from, way.rook_from})
                path = {(f, rank) for f in range(low, high + 1)}
                # the king's own square is checked apart: castling out of check is not tried
                self.put(at + L.CASTLE_PATH, path - {way.king_from})
                self.put(at + L.CASTLE_LIFTED, (way.king_from, way.rook_from))
                for home in (way.king_from, way.rook_from):
                    table[L.T_KEEP_RIGHTS + square_index(home)] &= ~(1 << bit)

    def rays_and_leaps(self) -> None:
        game = self.game
        offsets = game.pieces[game.royal].offsets()
        sets = leaper_sets(game)
        by_leaps = {m.leaps: m.offsets() for m in game.pieces.values()}
        families = (ROOK_STEPS, BISHOP_STEPS, KNIGHT_STEPS)
        for at in self.squares:
            i = square_index(at)
            for family, steps in enumerate(families):
                rays = [self.ray(at, step) for step in steps]
                self.put(L.T_KING_RAYS + 8 * i + 2 * family, (s for ray in rays for s in ray))
                for ray in rays:
                    for n, to in enumerate(ray):
                        self.put(L.T_BETWEEN + (i * 128 + square_index(to)) * 2, ray[:n])
            self.put(L.T_KING_RAYS + 8 * i + 6, self.leaps(at, offsets))
            for colour, up in ((0, 1), (1, -1)):
                base = 256 * colour + 2 * i
                self.put(L.T_PAWN_ATTACKS + base, self.leaps(at, ((-1, up), (1, up))))
            for g, leaps in enumerate(sets):
                self.put(L.T_LEAPS + 256 * g + 2 * i, self.leaps(at, by_leaps[leaps]))

    def lines(self) -> None:
        """What a rook reaches on its rank and on its file, by the inner squares' occupancy."""
        fills = self.table[L.T_ROW_FILL : L.T_COLUMN].view(np.uint16)
        for file in range(self.game.files):
            for inner in range(256):
                fills[file * 256 + inner] = _reach(file, self.game.files, inner << 1)
        for rank in range(self.game.ranks):
            for inner in range(64):
                reach = _reach(rank, self.game.ranks, inner << 1)
                found = [(0, to) for to in range(self.game.ranks) if reach >> to & 1]
                self.put(L.T_COLUMN + (rank * 64 + inner) * 2, found)

    def memberships(self) -> None:
        game = self.game
        codes = piece_codes(game)
        sets = leaper_sets(game)
        for letter in game.letters:
            if letter == game.pawn:
                member = {L.PAWN}
            elif letter == game.royal:
                member = {L.KING}
            else:
                move = game.pieces[letter]
                member = {L.ORTHO} if move.rook else set()
                member |= {L.DIAG} if move.bishop else set()
                member |= {L.RIDER} if move.nightrider else set()
                member |= {L.LEAPER + sets.index(move.leaps)} if move.leaps else set()
            for colour, code in ((0, codes[letter]), (1, codes[letter.lower()])):
                for component in (*member, L.OCCUPIED + colour):
                    self.table[L.T_MEMBERSHIP + code * L.BOARDS + component] = -1
                    self.table[L.T_MEMBERSHIP + code * L.BOARDS + L.HALF + component] = -1

    def keys(self) -> None:
        # A fixed seed: keys, and with them node counts, are the same in every process.
        source = random.Random(f"ryugi-engine keys {self.game.name}")
        table = self.table

        def fill(offset: int, count: int) -> None:
            for i in range(count):
                table[offset + i] = signed(source.getrandbits(64))

        fill(L.T_KEY_PIECE + 128, 15 * 128)
        fill(L.T_KEY_PIECE + 17 * 128, 15 * 128)
        for bit in range(4):
            table[L.T_KEY_CASTLING + (1 << bit)] = signed(source.getrandbits(64))
        for rights in range(16):
            if rights & (rights - 1):
                low = rights & -rights
                table[L.T_KEY_CASTLING + rights] = (
                    table[L.T_KEY_CASTLING + low] ^ table[L.T_KEY_CASTLING + (rights ^ low)]
                )
        fill(L.T_KEY_EN_PASSANT, 128)
        fill(L.T_KEY_SIDE, 1)


def build(game: Definition) -> Block:
    """The table block of a game, magics included."""
    builder = _Builder(game)
    builder.scalars()
    builder.castles()
    builder.rays_and_leaps()
    builder.lines()
    builder.memberships()
    builder.keys()
    values.fill(builder.table, game)
    block = Block.holding(builder.table)
    magics.fill(block, game)
    movegen.connect(block)
    return block
