"""Rules about the moves by which a position is repeated, in the reference rules.

Chases are those of the Asian Xiangqi Federation, http://www.asianxiangqi.org/English/AXF_rules_Eng.pdf,
as far as Fairy-Stockfish applies them. VARIANTS.md has where this reading is another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from variants.chess.definition.definition import Square
from variants.chess.reference.bare_kings import attacked_last
from variants.chess.reference.board import Board, owner
from variants.chess.reference.legality import Legality

#: How strong a piece is, by its moves: a weaker one chases it even if it is protected.
_STRENGTH = {"F": 1, "nA": 1, "nN": 2, "mRcpR": 2}
_STRONGEST = 3


def _line(position: Board, plies: int) -> Iterator[Board]:
    """Yield a position and those up to so many plies before it."""
    at: Board | None = position
    for _ in range(plies + 1):
        if at is None:
            return
        yield at
        at = at.before


# ---- checks and chases ---------------------------------------------------------------------------


def perpetual_checks(now: Board, back: int) -> tuple[bool, bool]:
    """Return whether the side that has moved, and the side to move, has given check all the time.

    The same position was ``back`` plies before.
    """
    if not now.game.rules.perpetual_check_illegal:
        return False, False
    checks = [Legality(at).in_check() for at in _line(now, back - 1)]
    return all(checks[::2]), all(checks[1::2])


def perpetual_chases(now: Board, back: int) -> tuple[bool, bool]:
    """Return the same of chases of one piece."""
    if now.game.rules.chasing_rule == "none":
        return False, False
    line = list(_line(now, back))
    # as in Fairy-Stockfish, the move that first led to the position must be a chase, too
    entered = line if line[-1].before is not None else line[:-1]
    return _has_victim(entered[::2]), _has_victim(line[1:-1:2])


def uncounted_plies(now: Board) -> int:
    """Return how many plies do not count for the n-move rule: a side's checks beyond the tenth.

    It is the side with more checks that counts, as in Fairy-Stockfish (its issue 405).
    """
    if now.game.rules.chasing_rule == "none":
        return 0
    moves = [at for at in _line(now, now.data.clock - 1) if at.before is not None]
    checks = [Legality(at).in_check() for at in moves]
    return 2 * max(sum(checks[::2]) - 10, sum(checks[1::2]) - 10, 0)


def perpetual_attacks(now: Board, back: int) -> tuple[bool, bool]:
    """Return the same of attacks of any kind."""
    if not now.game.rules.perpetual_attack_illegal:
        return False, False
    attacks = [attacked_last(at) for at in _line(now, back - 1)]
    return all(attacks[::2]), all(attacks[1::2])


def _has_victim(line: list[Board]) -> bool:
    """Return whether the moves that led to positions chase one and the same piece."""
    victims = chased(line[0])
    for after, at in pairwise(line):
        answer = after.before  # the victim's side has moved from ``at`` to here
        assert answer is not None
        assert answer.action is not None
        moved = answer.action
        victims = {moved.origin if v == moved.target else v for v in victims} & chased(at)
    return bool(victims)


def chased(after: Board) -> set[Square]:
    """Return the pieces of the side to move that the last move has begun to threaten."""
    before, action = after.before, after.action
    if before is None or action is None:
        return set()
    old = set(threats(before, before.data.side))
    moved = {action.target: action.origin}
    new = threats(after, before.data.side)
    return {victim for at, victim in new if (moved.get(at, at), victim) not in old}


def threats(position: Board, side: int) -> Iterator[tuple[Square, Square]]:
    """Yield (piece, victim): what a side could capture to its gain if it were to move."""
    board = position.data.board
    for at in position.own(side):
        if _kind(position, at) in ("king", "soldier"):
            continue
        targets = {to for to, move in position.reach(at) if move.capture}
        for to in targets:
            if owner(board.get(to, "*")) == 1 - side and _may_be_chased(position, to):
                if _gains(position, at, to):
                    yield at, to


def _kind(position: Board, at: Square) -> str:
    letter = position.letter(position.data.board[at])
    return {position.game.royal: "king", position.game.soldier: "soldier"}.get(letter, letter)


def _may_be_chased(position: Board, at: Square) -> bool:
    """Return whether a piece is no king, and no soldier before the river."""
    kind = _kind(position, at)
    if kind != "soldier":
        return kind != "king"
    rank = at[1] if owner(position.data.board[at]) == 0 else position.game.ranks - 1 - at[1]
    return rank + 1 >= position.game.rules.soldier_promotion_rank


def _gains(position: Board, at: Square, to: Square) -> bool:
    board = position.data.board
    if _is_pinned(position, at):
        return False  # even if it could take the pinning piece: diagrams 39 to 41 and 63
    attacker, victim = (position.letter(board[square]) for square in (at, to))
    if attacker == victim and at in _captures(position, to) and not _is_pinned(position, to):
        return False  # the victim could capture first
    strength, other = (
        _STRENGTH.get(position.game.betza[letter], _STRONGEST) for letter in (attacker, victim)
    )
    if _kind(position, to) != "soldier" and other > strength:
        return True
    taken = _moved(position, at, to)
    checked = position.in_check(owner(board[to]))
    defenders = [own for own in taken.own(owner(board[to])) if to in _captures(taken, own)]
    return not any(checked or _is_legal(taken, own, to) for own in defenders)


def _is_pinned(position: Board, at: Square) -> bool:
    """Return whether the king would be attacked, or face the other, without a piece."""
    side = owner(position.data.board[at])
    without = position.on({square: s for square, s in position.data.board.items() if square != at})
    facing = position.game.rules.flying_general and Legality(without).faces(without)
    return facing or (without.in_check(side) and not position.in_check(side))


def _captures(position: Board, at: Square) -> set[Square]:
    return {to for to, move in position.reach(at) if move.capture}


def _moved(position: Board, at: Square, to: Square) -> Board:
    board = dict(position.data.board)
    board[to] = board.pop(at)
    return position.on(board)


def _is_legal(position: Board, at: Square, to: Square) -> bool:
    """Return whether a capture leaves the own king unattacked, and not facing the other."""
    after = _moved(position, at, to)
    side = owner(position.data.board[at])
    facing = position.game.rules.flying_general and Legality(after).faces(after)
    return not facing and not after.in_check(side)


# ---- moves back and forth ------------------------------------------------------------------------


def goes_back_and_forth(now: Board) -> bool:
    """Return whether the side that has moved has moved a piece back and forth four times.

    It came to where it does so by the move before, which did not capture. Between the last two
    moves the side may have passed once. It was not in check, and the piece can reach the palace of
    the enemy. Source: Fairy-Stockfish's reading of Janggi on Kakao's server.
    """
    quiet = list(_line(now, now.data.clock))
    own = [at for at in quiet[::2] if at.action is not None and at.before is not None]
    if len(own) < 2 or own[0].action is None or own[0].action.kind != "move":
        return False
    game, side = now.game, 1 - now.data.side
    everywhere = (frozenset(game.on_board()),) * 2
    reach = game.rules.mobility_region.get(now.letter(own[0].action.sign), everywhere)[side]
    palace = game.rules.mobility_region.get(game.royal, everywhere)[1 - side]
    if not reach & palace:
        return False
    if own[1].action is not None and own[1].action.kind == "pass":
        if Legality(own[1].before or now).in_check():
            return False
        del own[1]
    if len(own) < 5:
        return False
    if any(at.before is not None and Legality(at.before).in_check() for at in own[:5]):
        return False
    steps = [(at.action.origin, at.action.target) for at in own[:5] if at.action is not None]
    kinds = {at.action.kind for at in own[:4] if at.action is not None}
    turned = all(a == (b[1], b[0]) for a, b in pairwise(steps[:4]))
    return kinds == {"move"} and turned and steps[4][1] == steps[3][0] and own[4].data.clock > 0
