"""Searches without any cleverness, over a game's own entries: what the provers are held to."""

from __future__ import annotations

from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import ALL, DRAWN, HEADER, LOST, ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry, routine
from ryugi_engine.kernel.memory import call1, call2, call3, load32, load64, popcount
from variants.gorogo import layout as GOROGO

_GENERATE, _MAKE, _UNMAKE, _STATUS, _NO_MOVES = range(5)


@routine
def _winner(C, S, out):
    """1 if the side to move wins a game without draws, played to the very end."""
    outcome = call2(load64(C, _STATUS), S, out)
    if outcome != ONGOING:
        return 1 if outcome == WON else 0
    n = call3(load64(C, _GENERATE), S, ALL, out)
    if n == 0:
        return 1 if call1(load64(C, _NO_MOVES), S) == WON else 0
    side = HEADER(S).side
    for i in range(n):
        call2(load64(C, _MAKE), S, load32(S, out + i))
        value = _winner(C, S, out + n)
        if HEADER(S).side != side:
            value = 1 - value
        call1(load64(C, _UNMAKE), S)
        if value == 1:
            return 1
    return 0


@entry(2)
def _winner_entry(C: int, S: int) -> int:
    return _winner(C, S, HEADER(S).moves)


@routine
def _forced(C, S, attacker, stones, out):
    """1 if the attacker wins with at most so many moves of its own against every defence."""
    outcome = call2(load64(C, _STATUS), S, out)
    attacking = HEADER(S).side == attacker
    if outcome != ONGOING:
        if outcome == DRAWN:
            return 0
        return 1 if (outcome == WON) == attacking else 0
    if stones == 0:
        return 0
    n = call3(load64(C, _GENERATE), S, ALL, out)
    left = stones - 1 if attacking else stones
    for i in range(n):
        call2(load64(C, _MAKE), S, load32(S, out + i))
        value = _forced(C, S, attacker, left, out + n)
        call1(load64(C, _UNMAKE), S)
        if attacking and value == 1:
            return 1
        if not attacking and value == 0:
            return 0
    return 0 if attacking else 1


@entry(4)
def _forced_entry(C: int, S: int, attacker: int, stones: int) -> int:
    return _forced(C, S, attacker, stones, HEADER(S).moves)


#: More than captures make up for.
_NO_MOVE = 100


@routine
def _margin(C, S, out):
    """How many more stones than it loses the side to move takes in all, both playing for that."""
    side = HEADER(S).side
    if call2(load64(C, _STATUS), S, out) != ONGOING:
        stones = GOROGO.FRAME(S, HEADER(S).frame).stones
        return popcount(stones[side]) - popcount(stones[1 - side])
    n = call3(load64(C, _GENERATE), S, ALL, out)
    best = -_NO_MOVE
    for i in range(n):
        call2(load64(C, _MAKE), S, load32(S, out + i))
        value = -_margin(C, S, out + n)
        call1(load64(C, _UNMAKE), S)
        best = max(best, value)
    return best


@entry(2)
def _margin_entry(C: int, S: int) -> int:
    return _margin(C, S, HEADER(S).moves)


def _control(position: Position) -> Block:
    kernels = position.kernels
    control = Block(8)
    control.words[:5] = [
        kernels.generate.address,
        kernels.make.address,
        kernels.unmake.address,
        kernels.status.address,
        kernels.no_moves.address,
    ]
    return control


def winner(position: Position) -> int:
    """WON or LOST for the side to move, by trying everything to the end of the game."""
    control = _control(position)
    return WON if _winner_entry(control.address, position.state.address) == 1 else LOST


def forced_win(position: Position, moves: int, attacker: int | None = None) -> bool:
    """Whether a side wins within so many moves of its own, by trying everything.

    The side to move if no other is named.
    """
    control = _control(position)
    side = position.side if attacker is None else attacker
    return bool(_forced_entry(control.address, position.state.address, side, moves))


def gorogo_margin(position: Position) -> str:
    """How large a win can be made, by trying everything, in the words of ``solve``."""
    value = _margin_entry(_control(position).address, position.state.address)
    white = value if position.side == 0 else -value
    if abs(white) == _NO_MOVE:
        return f"{'Black' if white > 0 else 'White'} is left without a legal move"
    if white == 0:
        return "as many captures on both sides"
    return f"{'White' if white > 0 else 'Black'} captures {abs(white)} more"
