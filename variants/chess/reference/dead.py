"""Dead positions in the reference rules: material with which no sequence of moves mates."""

from __future__ import annotations

from functools import lru_cache

from variants.chess.definition.definition import Definition, Move, Square
from variants.chess.reference.board import WALL, Board, Pieces, owner

#: Rules with which a bare king cannot but draw against another one.
_ONLY_MATE: dict[str, object] = {
    "checkmate_value": "loss", "stalemate_value": "draw", "stalemate_piece_count": False,
    "castling_wins": "", "connect_n": 0, "connect_nxn": 0, "collinear_n": 0, "n_fold_value": "draw",
    "material_counting": "none", "bikjang_rule": False, "perpetual_check_illegal": False,
    "captures_to_hand": False, "free_drops": False, "walling_rule": "none", "duple_check": False,
    "flip_enclosed_pieces": "none",
}  # fmt: skip
#: What a piece can do: it stays on one colour, cannot mate alone, or mates.
_BOUND, _LONE, _MATES = 1, 2, 3


def is_dead(position: Board) -> bool:
    """Return whether no sequence of moves mates, as far as the material says it."""
    royal, powers = _facts(position.pieces)
    if not royal or any(position.data.hands.values()):
        return False
    kings: list[int] = []
    others: dict[Square, int] = {}
    for at, sign in position.data.board.items():
        side = owner(sign)
        letter = "" if sign == WALL else position.letter(sign)
        if letter == royal:
            kings.append(side)
        else:
            others[at] = _MATES if sign == WALL else powers[letter, side]
    if sorted(kings) != [0, 1] or _MATES in others.values():
        # a wall may take squares from a king, but no bare king gives check
        signs = set(position.data.board.values())
        return sorted(kings) == [0, 1] and signs <= {royal, royal.lower(), WALL}
    colours = {sum(at) % 2 for at in others}
    return len(others) <= 1 or (_LONE not in others.values() and len(colours) == 1)


@lru_cache(maxsize=32)
def _facts(pieces: Pieces) -> tuple[str, dict[tuple[str, int], int]]:
    """Return the royal piece, "" where no dead position is known, and what the others can do."""
    game, rules = pieces.game, pieces.game.rules
    royal = _royal(game)
    others = any(rules.flag_region) or any(rules.connect_region1) or game.has_long_turns()
    others = others or rules.alice_boards
    others = others or rules.makes_stones() or any(rules.diagonal_lines)
    becomes = {*rules.promotion[0], *rules.promotion[1], *rules.promoted_piece_type.values()}
    if not royal or others or royal in becomes or royal in rules.mobility_region:
        return "", {}
    if any(getattr(rules, key) != value for key, value in _ONLY_MATE.items()):
        return "", {}
    takes = [move for move in game.pieces[royal].moves if move.capture]
    if any(m.initial or m.path or m.hop or m.legs or m.wraps for m in takes):
        return "", {}
    looked_at = _kings_step(game, takes) and not (
        rules.makpong_rule or rules.flying_general or rules.blast_on_capture
        or rules.check_counting
        or any(move.wraps for piece in game.pieces.values() for move in piece.moves)
    )  # fmt: skip
    powers = {}
    for side in (0, 1):
        alone = {}
        for letter in game.pieces:
            moves = [seen for seen, _, _ in pieces.moves(letter, side)]
            alone[letter] = _alone(moves) if looked_at else _MATES
            if letter in rules.lone_minors[side]:
                alone[letter] = min(alone[letter], _LONE)
        for letter in game.pieces:
            powers[letter, side] = max(alone[to] for to in _may_become(game, letter, side))
    return royal, powers


def _royal(game: Definition) -> str:
    """Return the only piece of a side that can be mated; "" if there are several, or none."""
    rules, types = game.rules, game.rules.extinction_piece_types
    if rules.extinction_value == "none":
        return game.royal
    as_king = rules.extinction_value == "loss" and rules.extinction_pseudo_royal
    counts = rules.extinction_piece_count or rules.extinction_opponent_piece_count
    if game.royal or not as_king or counts or rules.extinction_claim:
        return ""
    return "".join(types[0]).strip("*") if types[0] == types[1] and len(types[0]) == 1 else ""


def _kings_step(game: Definition, takes: list[Move]) -> bool:
    """Return whether royal pieces go and take on all eight neighbours, and on nothing else."""
    royal = game.pieces[_royal(game)]
    around = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
    goes = {(m.dx, m.dy) for m in royal.moves if m.quiet and not m.initial}
    taken = {(m.dx, m.dy) for m in takes}
    steps = taken == around and around <= goes and all(move.steps == 1 for move in takes)
    return steps and game.files > 1 and game.ranks > 1


def _alone(moves: list[Move]) -> int:
    """Return what a piece with these moves can do."""
    steps = [(leg.dx, leg.dy) for m in moves for leg in m.legs]
    steps += [(m.dx, m.dy) for m in moves if not m.legs]
    if all((x + y) % 2 == 0 for x, y in steps):
        return _BOUND
    takes = [move for move in moves if move.capture]
    if any(move.legs for move in moves):
        return _MATES
    colours = {step * (m.dx + m.dy) % 2 for m in takes for step in range(1, m.steps + 1)}
    return _LONE if len(colours) < 2 or all(move.hop for move in takes) else _MATES


def _may_become(game: Definition, letter: str, side: int) -> set[str]:
    """Return a piece and all that it may become, by any number of promotions."""
    rules, found, more = game.rules, {letter}, {letter}
    while more:
        new: set[str] = set()
        for one in more:
            if one in rules.promotion_pawn_types[side]:
                new |= rules.promotion[side]
            new |= {to for by, to in rules.promoted_piece_type.items() if by == one}
            if rules.piece_demotion:
                new |= {by for by, to in rules.promoted_piece_type.items() if to == one}
        more = new - found
        found |= more
    return found
