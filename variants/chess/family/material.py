"""What material cannot mate, by the moves of a game's pieces: dead positions, and sides that cannot
win.

A royal piece never attacks the other one, which would attack it, too. So a bare one cannot mate.
Where kings step to all eight neighbours, a king in check has two neighbours at right angles of the
other square colour. No king that stands apart attacks both. So one piece that never attacks squares
of both colours at once cannot mate, nor can any number of pieces that stay on one colour. Nor can a
single hopper: it attacks along a line through its own king, and the king in check steps aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from variants.chess.definition.definition import Definition, Square
from variants.chess.definition.placed_moves import placed_moves
from variants.chess.notation.text import PositionData

#: What a piece can do: the royal one; one that stays on its colour; one that cannot mate alone.
ROYAL, BOUND, LONE, MATES = range(4)
#: Which positions are dead: none; those of bare kings, and with a piece that the game's definition
#: calls too weak. The third also tests how the pieces move.
NONE, BARE, WEAK = range(3)
_STEPS = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y}


class Force(NamedTuple):
    """The pieces on a board besides the royal ones."""

    pieces: tuple[int, int]  # numbers by side
    powers: frozenset[int]
    colours: frozenset[int]


class Material:
    """The material of a game that cannot mate."""

    def __init__(self, game: Definition) -> None:
        self.game = game
        self.royal = _royal(game)
        self._moves_as = {kind.sign: kind.moves_as for kind in game.kinds()}

    @cached_property
    def dead(self) -> int:
        """Which positions are dead, NONE to WEAK."""
        game, rules = self.game, self.game.rules
        if not self.royal or not _only_mate_wins(game):
            return NONE
        moves = game.pieces[self.royal].moves
        captures = {(m.dx, m.dy) for m in moves if m.capture}
        seen = all(
            not (m.initial or m.path or m.hop or m.legs or m.wraps) for m in moves if m.capture
        )
        if not seen or self.royal in rules.mobility_region or any(rules.diagonal_lines):
            return NONE
        quiet = {(m.dx, m.dy) for m in moves if m.quiet and not m.initial}
        steps = all(m.steps == 1 for m in moves if m.capture) and captures == _STEPS <= quiet
        if not steps or min(game.files, game.ranks) < 2:
            return BARE
        wraps = any(move.wraps for piece in game.pieces.values() for move in piece.moves)
        others = rules.makpong_rule or rules.flying_general or rules.blast_on_capture
        return BARE if wraps or others or rules.check_counting else WEAK

    @cached_property
    def powers(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """What White's and Black's pieces can do, ROYAL to MATES, by letter."""
        return self._powers(0), self._powers(1)

    def _powers(self, side: int) -> dict[str, int]:
        game, rules = self.game, self.game.rules
        alone = {p: _power(game, p, side) if self.dead == WEAK else MATES for p in game.pieces}
        alone |= {p: min(alone[p], LONE) for p in rules.lone_minors[side]}
        becomes: dict[str, set[str]] = {p: set() for p in game.pieces}
        for letter in rules.promotion_pawn_types[side]:
            becomes[letter] |= rules.promotion[side]
        for letter, turned in rules.promoted_piece_type.items():
            becomes[letter].add(turned)
            if rules.piece_demotion:
                becomes[turned].add(letter)
        found = {}
        for letter in game.pieces:
            reached, new = {letter}, [letter]
            while new:
                more = becomes[new.pop()] - reached
                reached |= more
                new += more
            found[letter] = max(alone[p] for p in reached)
        return found | {self.royal: ROYAL}

    def _force(self, data: PositionData) -> Force | None:
        """Return the pieces besides one royal piece of each side; None if there are not these."""
        pieces, royals = [0, 0], [0, 0]
        powers, colours = set(), set()
        for at, sign in data.board.items():
            if sign == "*":
                powers.add(MATES)
                continue
            letter, side = self._moves_as[sign.upper()], int(sign.strip("+~").islower())
            if letter == self.royal:
                royals[side] += 1
                continue
            pieces[side] += 1
            powers.add(self.powers[side][letter])
            colours.add(sum(at) % 2)
        if royals != [1, 1] or any(data.hands.values()):
            return None
        return Force((pieces[0], pieces[1]), frozenset(powers), frozenset(colours))

    def is_dead(self, data: PositionData) -> bool:
        """Return whether no sequence of moves mates, as far as the material says it."""
        force = self._force(data) if self.dead else None
        if force is None:
            return False
        total = sum(force.pieces)
        if total == 0:
            return True
        if MATES in force.powers:
            return False
        return total == 1 or (LONE not in force.powers and len(force.colours) == 1)

    def can_win(self, data: PositionData, side: int) -> bool:
        """Return whether a side may win by some sequence of moves, as far as is known."""
        force = self._force(data) if self.dead else None
        if force is None:
            return True
        return force.pieces[side] > 0 and not self.is_dead(data)


def _royal(game: Definition) -> str:
    """Return the only piece of a side that can be mated; "" if there are several, or none."""
    rules = game.rules
    if rules.extinction_value == "none":
        return "" if rules.duple_check else game.royal
    white, black = rules.extinction_piece_types
    as_king = rules.extinction_pseudo_royal and rules.extinction_value == "loss"
    alone = len(white) == 1 and white == black and "*" not in white
    few = rules.extinction_piece_count == rules.extinction_opponent_piece_count == 0
    others = bool(game.royal) or rules.duple_check or rules.extinction_claim
    return "".join(white) if as_king and alone and few and not others else ""


def _only_mate_wins(game: Definition) -> bool:
    """Return whether only checks and mates win, and no rule makes pieces or walls."""
    rules = game.rules
    goals = (
        rules.checkmate_value != "loss", rules.stalemate_value != "draw",
        rules.stalemate_piece_count, any(rules.flag_region), rules.castling_wins,
        rules.connect_n, rules.connect_nxn, rules.collinear_n,
        any(rules.connect_region1), rules.material_counting != "none", rules.bikjang_rule,
        rules.n_fold_value != "draw", rules.perpetual_check_illegal,
    )  # fmt: skip
    others = (
        rules.captures_to_hand, rules.free_drops, game.has_long_turns(), rules.alice_boards,
        rules.walling_rule != "none", rules.makes_stones(),
        rules.flip_enclosed_pieces != "none",
    )  # fmt: skip
    becomes = {*rules.promotion[0], *rules.promotion[1], *rules.promoted_piece_type.values()}
    return not any(goals) and not any(others) and _royal(game) not in becomes


def _parity(step: Square) -> int:
    return sum(step) % 2


def _power(game: Definition, letter: str, side: int) -> int:
    """Return what a piece can do that stays what it is."""
    moves = [placed.move for placed in placed_moves(game, letter, side)]
    steps = [[(leg.dx, leg.dy) for leg in m.legs] or [(m.dx, m.dy)] for m in moves]
    if not any(_parity(step) for way in steps for step in way):
        return BOUND
    captures = [m for m in moves if m.capture]
    odd = {_parity((m.dx, m.dy)) for m in captures}
    rides = any(m.steps > 1 and _parity((m.dx, m.dy)) for m in captures)
    hops = all(m.hop for m in captures)  # over its own king, which then stands apart
    return MATES if any(m.legs for m in moves) or ((rides or len(odd) > 1) and not hops) else LONE
