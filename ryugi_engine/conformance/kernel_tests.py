"""Tests of single kernels in a position: what they must not write, and what they must not read.

Each yields (what, reason) of a fault, without the position.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.training import Trainable
from ryugi_engine.kernel.abi import (
    ALL,
    HEADER,
    HISTORY_LIMIT,
    LOST,
    LOST_EXCHANGE,
    MAX_ORDER_SCORE,
    MAX_SLOT,
    PROMISING,
    TACTICAL,
    TACTICAL_SCORE,
    WON,
    copy_state,
    list_moves,
    used_words,
)
from ryugi_engine.kernel.block import Block

Fault = tuple[str, str]

_KINDS = {TACTICAL: "TACTICAL", PROMISING: "PROMISING"}
#: Words that are written around what a kernel may write.
_SENTINEL, _MARGIN = -0x5E5E5E5E, 16
#: Moves after which it is looked whether they lose at once.
_TRIED = 40


def side_effects(position: Position, codes: list[int]) -> Iterator[Fault]:
    """Yield kernels that change a position that they should only read."""
    kernels, state = position.kernels, position.state
    address, out = state.address, int(position.header["moves"])
    words = used_words(state)
    before = words.copy()
    calls: dict[str, Callable[[], object]] = {
        "generate": lambda: [kernels.generate(address, k, out) for k in (ALL, TACTICAL, PROMISING)],
        "status": lambda: kernels.status(address, 0),
        "evaluate": lambda: kernels.evaluate(address),
        "exchange": lambda: [kernels.exchange(address, code, 0) for code in codes[:_TRIED]],
    }
    for name, call in calls.items():
        call()
        different = (words != before).nonzero()[0]
        if len(different):
            yield name, f"it changes word {different[0]} of the state"
            words[:] = before


def order_faults(position: Position, codes: list[int]) -> Iterator[Fault]:
    """Yield scores and slots of ``order`` beyond their limits, and writes outside its pairs."""
    state, out, count = position.state, int(position.header["moves"]), len(codes)
    pairs = Block(count + 2 * _MARGIN)
    space = pairs.words.view(np.int32).reshape(-1, 2)
    space[:] = _SENTINEL
    moves = state.words.view(np.int32)[out : out + count]
    moves[:] = codes
    position.kernels.order(state.address, out, count, pairs.address, _MARGIN)
    end = _MARGIN + count
    if (space[:_MARGIN] != _SENTINEL).any() or (space[end:] != _SENTINEL).any():
        yield "order", f"it writes beside the {counted(count, 'pair')} that it is asked for"
    if moves.tolist() != codes:
        yield "order", "it changes the list of moves"
        moves[:] = codes
    for code, (score, slot) in zip(codes, space[_MARGIN:end].tolist(), strict=True):
        move = position.move_text(code)
        if _SENTINEL in (score, slot):
            yield "order", f"{move} gets no score or no slot"
            return
        if not 0 <= score <= MAX_ORDER_SCORE:
            yield (
                "order",
                f"{move} has the score {score}, which is not in 0..{MAX_ORDER_SCORE},"
                " abi.MAX_ORDER_SCORE,",
            )
        if not 0 <= slot <= MAX_SLOT:
            yield (
                "slot",
                f"order gives {move} the history slot {slot}, which is not in 0..{MAX_SLOT},"
                " abi.MAX_SLOT,",
            )
        loses = score >= TACTICAL_SCORE and not position.kernels.exchange(state.address, code, 0)
        if loses and score >= LOST_EXCHANGE - HISTORY_LIMIT:
            yield (
                "exchange",
                f"{move} loses material and its score {score} would still put it first",
            )


def order_scores(position: Position, codes: list[int]) -> dict[str, int]:
    """Return the score of every move by ``order``, by its text."""
    state, out, count = position.state, int(position.header["moves"]), len(codes)
    pairs = Block(max(count, 1))
    state.words.view(np.int32)[out : out + count] = codes
    position.kernels.order(state.address, out, count, pairs.address, 0)
    scores = pairs.words.view(np.int32).reshape(-1, 2)[:count, 0].tolist()
    return {position.move_text(code): score for code, score in zip(codes, scores, strict=True)}


def reads_behind_the_frame(
    position: Position, codes: list[int], source: random.Random
) -> Iterator[Fault]:
    """Yield kernels whose result depends on the memory after the current frame."""
    header = position.header
    frame, size = int(header["frame"]), int(header["frame_words"])
    kernels, state = position.kernels, copy_state(position.state)
    there = state.words[frame + size : frame + 2 * size]
    results = []
    for _ in range(2):
        there[:] = [source.getrandbits(63) for _ in there]
        results.append(
            {
                "evaluate": kernels.evaluate(state.address),
                "status": kernels.status(state.address, 0),
                "generate": list_moves(kernels.generate, state),
            }
        )
    for name, value in {**results[0], "generate": codes}.items():
        if any(result[name] != value for result in results):
            yield name, "its result depends on what lies behind the current frame"


def keys_after(position: Position, codes: list[int]) -> Iterator[Fault]:
    """Yield pairs of moves that lead to different positions with the same key."""
    kernels = position.kernels
    state = copy_state(position.state)  # an unmake that is wrong is looked for elsewhere
    header = HEADER.of(state)
    known: dict[int, int] = {}
    for code in codes:
        kernels.make(state.address, code)
        key = int(header["key"])
        kernels.unmake(state.address)
        other = known.setdefault(key, code)
        if other != code and _after(position, other) != _after(position, code):
            pair = f"{position.move_text(other)} and {position.move_text(code)}"
            yield "key", f"it is the same after {pair}, and the positions are not,"
            return


def _after(position: Position, code: int) -> str:
    position.push(code)
    text = position.text()
    position.pop()
    return without_clocks(text)


def without_clocks(text: str) -> str:
    """Return a position text without the numbers at its end."""
    words = text.split()
    while words and words[-1].isdecimal():
        words.pop()
    return " ".join(words)


def with_other_side(text: str) -> str:
    """Return a position text with the other side to move; "" if the text has no side to move."""
    words = text.split(" ")
    for at, word in enumerate(words[1:], 1):
        if word in ("w", "b"):
            words[at] = "b" if word == "w" else "w"
            return " ".join(words)
    return ""


def check_faults(position: Position, codes: list[int]) -> Iterator[Fault]:
    """Yield a move that gives check although ``may_check`` says that it surely does not."""
    kernels = position.kernels
    state = copy_state(position.state)
    header = HEADER.of(state)
    for code in codes:
        possible = kernels.may_check(state.address, code)
        kernels.make(state.address, code)
        check = int(header["check"])
        kernels.unmake(state.address)
        if check and not possible:
            yield "may_check", f"it is 0 for {position.move_text(code)}, which gives check,"
            return


def kind_faults(position: Position, codes: list[int]) -> Iterator[Fault]:
    """Yield illegal TACTICAL and PROMISING moves, and PROMISING lists that lack every good move."""
    for kind, name in _KINDS.items():
        listed = list_moves(position.kernels.generate, position.state, kind)
        strange = sorted(set(listed) - set(codes))
        if strange:
            yield "generate", f"{name} lists {strange[:1]}, which is not legal"
    if listed:  # those of PROMISING, the last kind
        return
    for code in codes[:_TRIED]:
        if not _loses_at_once(position, code):
            move = position.move_text(code)
            yield "generate", f"PROMISING lists nothing, and {move} does not lose at once"
            return


def _loses_at_once(position: Position, code: int) -> bool:
    """Return whether the opponent has won after a move, or can win by one reply."""
    kernels, state = position.kernels, copy_state(position.state)
    kernels.make(state.address, code)
    found = kernels.status(state.address, 1) == WON
    if not found:
        for reply in list_moves(kernels.generate, state):
            kernels.make(state.address, reply)
            found = kernels.status(state.address, 2) == LOST
            kernels.unmake(state.address)
            if found:
                break
    return found


def training_faults(position: Position) -> Iterator[Fault]:
    """Yield what a training record loses of a position, in games with a net's inputs."""
    if not isinstance(position.rules, Trainable):
        return
    try:
        training = position.rules.training()
    except UserError:  # a form of a game that is trained as another one
        return
    block = Block(training.words)
    training.record(position.state.address, block.address, 0)
    again = Position(position.game, position.game.start, position.rules)
    training.recall(again.state.address, block.address, 0)
    if again.side != position.side or again.legal_moves() != position.legal_moves():
        yield "training", "its record, recalled, has other legal moves"
        return
    before, after = training.learnt(position.state.address), training.learnt(again.state.address)
    if before != after:
        yield "training", f"its record, recalled, is evaluated as {after} and not {before}"
