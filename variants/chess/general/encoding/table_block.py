"""The table block of a game: everything that its kernels read, filled from the definition."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ryugi_engine.kernel import vectors
from ryugi_engine.kernel.abi import DRAWN, LOST, ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.views import Values, values_of
from variants.chess.definition.definition import Definition, Kind, Square
from variants.chess.definition.game_rules import Rules
from variants.chess.definition.placed_moves import placed_moves, without_initial
from variants.chess.definition.squares import square_index, words_of
from variants.chess.definition.values import piece_values, square_values
from variants.chess.family.material import Material
from variants.chess.general.encoding.descriptors import Writer
from variants.chess.general.encoding.net_inputs import seen_of
from variants.chess.general.memory import layout as L

#: The numbers of results in the tables.
RESULTS = {"none": ONGOING, "draw": DRAWN, "loss": LOST, "win": WON}
#: Pieces that counting rules name, by their moves.
_COUNTED = {L.ROOK: "R", L.KHON: "FfW", L.KNIGHT: "N"}
#: Strength of pieces for chases, by their moves; others are STRONG.
_STRENGTH = {"F": L.WEAK, "nA": L.WEAK, "nN": L.MEDIUM, "mRcpR": L.MEDIUM}
#: Points of pieces at the end of a game of Janggi, by their moves.
_JANGGI_POINTS = {"R": 13, "pR": 7, "nN": 5, "nZ": 3, "W": 3}


def codes_of(game: Definition) -> dict[str, int]:
    """Return the code of every sign in position texts: ``P``, ``p``, ``+P``, ``q~``."""
    codes = {}
    for number, kind in enumerate(game.kinds(), start=1):
        codes[kind.sign] = number
        codes[kind.sign.lower()] = number + L.BLACK
    return codes


class TableBlock(Block):
    """The tables of a game."""

    def __init__(self, game: Definition) -> None:
        super().__init__(L.TABLE.words)
        kinds = len(game.kinds())
        self.targets = Block(L.TARGETS.words * 2 * kinds * game.ranks * 16)
        self.lines = Block(1)
        words = (game.ranks * 16 + 63) // 64
        self.bearing = Block(2 * game.ranks * 16 * words * _row(kinds))
        self.game = game
        self.codes = codes_of(game)
        #: Texts of moves by their codes.
        self.move_texts: dict[int, str] = {}


def build(game: Definition) -> TableBlock:
    """Build the table block of a game; ValueError if the game exceeds a limit of the tables."""
    block = TableBlock(game)
    _fill(block)
    L.TABLE.of(block)["targets"] = block.targets.address
    L.TABLE.of(block)["lines"] = block.lines.address
    L.TABLE.of(block)["bearing"] = block.bearing.address
    return block


def known(block: TableBlock) -> Values:
    """Return the table values that kernels for this game may treat as constants.

    Nothing with ``RYUGI_KERNELS=general``, which lets all games have the same kernels.
    """
    if os.environ.get("RYUGI_KERNELS") == "general":
        return ()
    return values_of(L.TABLES, block, frozenset(("targets", "lines", "bearing", "key_side")))


def _row(kinds: int) -> int:
    """Return how many kinds there are with those that fill a vector."""
    return -(-kinds // vectors.WORDS) * vectors.WORDS


def _fill(block: TableBlock) -> None:
    game, table = block.game, L.TABLE.of(block)
    table["files"], table["ranks"] = game.files, game.ranks
    table["words"] = (game.ranks * 16 + 63) // 64
    kinds = game.kinds()
    table["kinds"] = len(kinds)
    targets = block.targets.words.view(L.TARGETS.dtype)
    shape = 2, game.ranks * 16, int(table["words"]), _row(len(kinds))
    writer = Writer(game, table, targets, block.bearing.words.reshape(shape))
    writer.write(kinds)
    block.lines = writer.lines.block()
    _rules(game, table, kinds)
    _pieces(game, table, kinds)
    _zones(game, table, kinds)
    _castling(game, table)
    _keys(table)
    _evaluation(game, table, kinds)
    counters = [place for pair in seen_of(game).places for place in pair]
    table["counters"] = len(counters)
    table["counter"][: len(counters)] = counters


def _rules(game: Definition, table: Any, kinds: tuple[Kind, ...]) -> None:
    """Write the rules, and what follows from them."""
    rules = game.rules
    for rule in fields(Rules):
        if rule.name in L.RULES:
            value, kind = getattr(rules, rule.name), rule.metadata["kind"]
            if kind == "set":
                for code, side, of in _both(kinds):
                    table[rule.name][code] = int(of.moves_as in value[side])
            elif kind == "region":
                table[rule.name] = [words_of(region) for region in value]
            elif kind == "rights":
                table[rule.name] = sum(1 << "KQkq".index(right) for right in value)
            elif kind == "choice":
                names = rule.metadata["names"]
                table[rule.name] = RESULTS[value] if "loss" in names else names.index(value)
            else:
                table[rule.name] = value
    table["long_turns"] = game.has_long_turns()
    table["turn_moves"] = game.turn_moves() if game.has_long_turns() else 0
    table["many_marks"] = game.has_many_marks()
    table["lions"] = any(rules.lion_types)
    table["immune"] = any(rules.mutually_immune_types) or table["lions"]
    table["petrify"] = rules.makes_stones()
    table["extinction_total"] = "*" in rules.extinction_piece_types[0]
    table["flag_regions"] = any(rules.flag_region)
    table["connect_regions"] = any(rules.connect_region1) and any(rules.connect_region2)
    royal = {game.royal} if game.royal else set()
    table["flag_royal"] = bool(royal) and rules.flag_piece[0] | rules.flag_piece[1] == royal
    bishops = (n for n, kind in enumerate(kinds, start=1) if game.betza.get(kind.sign) == "B")
    table["bishop_kind"] = next(bishops, 0)
    table["move_rules"] = bool(
        rules.drop_opposite_colored_bishop or rules.makpong_rule or table["immune"]
    )
    table["plain"] = rules.checking and rules.drop_checks and not (
        rules.must_capture or rules.must_drop or rules.flying_general or rules.bikjang_rule
        or rules.extinction_pseudo_royal or any(rules.pass_on_stalemate) or table["move_rules"]
        or rules.sittuyin_promotion
    )  # fmt: skip
    table["ends"] = bool(
        (rules.extinction_value != "none"
         and (not rules.extinction_pseudo_royal or rules.blast_on_capture))
        or rules.castling_wins or table["flag_regions"] or rules.check_counting
        or rules.connect_n or rules.connect_nxn or rules.collinear_n or any(rules.connect_region1)
        or rules.bare_king_rule
        or rules.bikjang_rule or rules.adjudicate_full_board or any(rules.passing)
        or any(rules.pass_on_stalemate)
    )  # fmt: skip
    quiet = any(move.quiet for piece in game.pieces.values() for move in piece.moves)
    table["only_captures"] = not (quiet or rules.piece_drops)
    material = Material(game)
    table["dead"] = material.dead
    signs = [kind.sign for kind in kinds]
    table["royal_kind"] = signs.index(material.royal) + 1 if material.dead else 0
    for code, side, of in _both(kinds):
        table["power"][code] = material.powers[side][of.moves_as] if material.dead else 0
    if rules.counting_rule != "none":
        moves = [game.betza.get(sign, "") for sign in signs]
        for piece, betza in _COUNTED.items():
            table["counted"][piece] = moves.index(betza) + 1 if betza in moves else 0
        table["counted"][L.PAWN] = signs.index(game.pawn) + 1 if game.pawn else 0
    steps = [(rules.connect_horizontal, 1), (rules.connect_vertical, 16)]
    steps += [(rules.connect_diagonal, 17), (rules.connect_diagonal, 15)]
    table["connect_step"] = [step if wanted else 0 for wanted, step in steps]


def _both(kinds: Iterable[Kind]) -> list[tuple[int, int, Kind]]:
    """Return (code, side, kind) of all kinds of both sides."""
    return [
        (number + L.BLACK * side, side, kind)
        for side in range(2)
        for number, kind in enumerate(kinds, start=1)
    ]


def _mobile(game: Definition, letter: str, side: int) -> set[Square]:
    """Return where a piece has a move on the empty board."""
    everywhere = set(game.on_board())
    steps = {(m.dx, m.dy) for m in without_initial(game, letter, side) if m.quiet}
    return {at for at in everywhere if any((at[0] + x, at[1] + y) in everywhere for x, y in steps)}


def _pieces(game: Definition, table: Any, kinds: tuple[Kind, ...]) -> None:
    """Write what concerns single kinds of pieces, by code."""
    rules = game.rules
    everywhere = set(game.on_board())
    numbers = {kind.sign: number for number, kind in enumerate(kinds, start=1)}
    for code, side, kind in _both(kinds):
        letter, other = kind.moves_as, L.BLACK * (1 - side)
        points = 2 if letter == game.soldier else _JANGGI_POINTS.get(game.betza[letter], 0)
        table["janggi"][code] = points
        strength = _STRENGTH.get(game.betza[letter], L.STRONG)
        strength = L.SOLDIER if letter == game.soldier else strength
        table["strength"][code] = L.NEVER_CHASED if letter == game.royal else strength
        whole = (frozenset(everywhere),) * 2
        palace = rules.mobility_region.get(game.royal, whole)[1 - side]
        reach = rules.mobility_region.get(letter, whole)[side]
        table["reaches_palace"][code] = bool(reach & palace)
        own = placed_moves(game, letter, side)
        table["marks"][code] = int(any(placed.move.passes for placed in own))
        table["royal"][code] = int(letter == game.royal)
        table["moves_as"][code] = numbers[letter] + L.BLACK * side
        table["held_as"][code] = numbers[kind.held_as] + other if kind.held_as else 0
        table["cannon"][code] = int(letter in game.cannons)
        table["mates_in_vain"][code] = int(
            rules.shogi_pawn_drop_mate_illegal and letter in game.shogi_pawns()
        )
        table["explodes"][code] = int(
            letter != game.pawn and letter not in rules.blast_immune_types[0]
        )
        table["promotion_limit"][code] = rules.promotion_limit.get(letter, 0)
        table["is_promoted"][code] = int(kind.sign[0] == "+")
        moves_of = game.betza[letter]
        if rules.cambodian_moves:
            parts = {"F": L.LEAPS_AHEAD, "R": L.ENDS_LEAP}
            part = L.LEAPS_ASIDE if letter == game.royal else parts.get(moves_of, 0)
            table["cambodian"][code] = part
        if rules.shatar_mate_rule:
            table["shak"][code] = {"N": L.OF_KNIGHT, "R": L.OF_ROOK, "RF": L.OF_ROOK}.get(
                moves_of, 0
            )
        becomes, before = "+" + letter, kind.sign[1:]
        table["promoted"][code] = numbers[becomes] + L.BLACK * side if becomes in numbers else 0
        if kind.sign[0] == "+" and rules.piece_demotion:
            table["turned_back"][code] = numbers[before] + L.BLACK * side
        turns = bool(table["promoted"][code] or table["turned_back"][code])
        table["turns"][code] = turns
        becomes_at_will = (
            rules.piece_promotion_on_capture or rules.piece_promotion_on_entry
            or rules.piece_demotion
        )  # fmt: skip
        limited = turns and (becomes_at_will or rules.promotion_limit)
        table["special"][code] = int(
            letter == game.royal or table["extinction_piece_types"][code] or table["overlaps"][code]
            or table["chains"][code] or bool(limited)
            or bool(table["promotion_pawn_types"][code]
                    and (turns or (rules.extinction_pseudo_royal
                         and rules.promotion[side] & rules.extinction_piece_types[side])))
        )  # fmt: skip
        table["plain_moves"][code] &= not (
            table["special"][code] or table["promotion_pawn_types"][code] or turns
            or table["immune"]
            or (rules.immobility_illegal and _mobile(game, letter, side) != everywhere)
        )  # fmt: skip
        backward = any(
            move.quiet and (move.dy < 0) == (side == 0) and move.dy
            for move in without_initial(game, letter, side)
        )
        table["irreversible"][code] = int(letter in rules.n_move_rule_types[side] and not backward)
    for side in range(2):
        types = rules.extinction_piece_types[side]
        lost = [numbers[p] + L.BLACK * side for p in game.pieces if p in types]
        table["kinds_to_lose"][side, : len(lost)] = lost
        table["numbers_to_lose"][side] = len(lost)
        offered = [p for p in game.pieces if p in rules.promotion[side]]
        table["promotions"][side] = len(offered)
        for at, letter in enumerate(offered):
            sign = letter + "~" if letter + "~" in numbers else letter
            table["promotion"][side, at] = numbers[sign] + L.BLACK * side


def _zones(game: Definition, table: Any, kinds: tuple[Kind, ...]) -> None:
    """Write the sets of squares that depend on the board or a piece."""
    rules = game.rules
    everywhere = frozenset(game.on_board())
    table["squares"] = words_of(everywhere)
    table["dark"] = words_of(at for at in everywhere if (at[0] + at[1]) % 2 == 0)
    for code, side, kind in _both(kinds):
        letter = kind.moves_as
        table["mobile"][code] = words_of(_mobile(game, letter, side))
        area = rules.drop_region[side]
        first = 0 if side == 0 else game.ranks - 1
        if letter in rules.mobility_region:
            area &= rules.mobility_region[letter][side]
        if kind.sign == game.pawn:
            if not rules.promotion_zone_pawn_drops:
                area -= rules.promotion_region[side]
            if not rules.first_rank_pawn_drops:
                area = frozenset(at for at in area if at[1] != first)
        if rules.sittuyin_rook_drop and game.betza[letter] == "R":
            area = frozenset(at for at in area if at[1] == first)
        table["drop_zone"][code] = words_of(area)


def _castling(game: Definition, table: Any) -> None:
    rights = sorted({way.right for way in game.ways}, key="KQkq".index)
    table["keep_rights"] = -1
    for side in range(2):
        own = [way for way in game.ways if way.right.islower() == bool(side)]
        table["ways"][side] = len(own)
        for at, way in enumerate(own):
            entry = table["way"][side, at]
            bit = 1 << "KQkq".index(way.right)
            squares = [square_index(square) for square in way[1:]]
            entry["right"] = bit
            entry["king"], entry["king_to"], entry["rook"], entry["rook_to"] = squares
            way_there = range(min(squares), max(squares) + 1)
            entry["empty"] = words_of(
                (at & 15, at >> 4) for at in way_there if at not in (squares[0], squares[2])
            )
            table["keep_rights"][squares[0]] &= ~bit
            table["keep_rights"][squares[2]] &= ~bit
    assert len(rights) <= 4


def _keys(table: Any) -> None:
    source = random.Random(20_261_124)

    def fill(words: Any) -> None:
        flat = words.reshape(-1)
        flat[:] = [source.getrandbits(64) - (1 << 63) for _ in range(len(flat))]

    for name in ("piece", "hand", "castling", "en_passant", "gate", "checks", "left", "turn"):
        fill(table[f"key_{name}"])
    table["key_left"][0] = 0
    table["key_side"] = source.getrandbits(63)
    table["key_piece"][0] = 0
    fill(table["key_counting"])


def _evaluation(game: Definition, table: Any, kinds: tuple[Kind, ...]) -> None:
    values = piece_values(game)
    squares = {letter: square_values(game, letter) for letter in game.pieces}
    for code, side, kind in _both(kinds):
        letter = kind.moves_as
        value = values[letter]
        table["value"][code] = value
        table["held_value"][code] = value + value // 8
        for (file, rank), extra in squares[letter].items():
            own = rank if side == 0 else game.ranks - 1 - rank
            table["psq"][code, own * 16 + file] = value + extra
