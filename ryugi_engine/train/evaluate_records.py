"""Static evaluations of recorded positions, many per kernel call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.game import Game
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import call1, call3, store64
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.positions import Records
from ryugi_engine.train.trainable_game import rules_with

_CHUNK = 20_000


@entry(7, late=True)
def evaluate_block(
    S: int, R: int, count: int, words: int, V: int, recall: int, evaluate: int
) -> int:
    """Evaluate the records of block R, of ``words`` words each, into the words of block V."""
    for number in range(count):
        call3(recall, S, R, number * words)
        store64(V, number, call1(evaluate, S))
    return 0


def evaluations(
    game: Game, net: Net | None, records: Records, threads: int = 1
) -> NDArray[np.int16]:
    """Evaluate n records; return centipawns for the side to move, shape (n,).

    What the game does to an evaluation after the net is left out: scale factors of endgames and of
    the halfmove clock.
    """
    rules = rules_with(game, net)
    training = rules.training()
    evaluated = np.zeros(len(records), dtype=np.int64)

    def part(first: int) -> None:
        some = np.ascontiguousarray(records[first : first + _CHUNK])
        block = Block.holding(some.view(np.uint8).reshape(-1).view(np.int64))
        out = Block(len(some))
        state = rules.new_state(game.start)
        recall, evaluate = training.recall.address, training.learnt.address
        evaluate_block(
            state.address, block.address, len(some), training.words, out.address, recall, evaluate
        )
        evaluated[first : first + len(some)] = out.words

    firsts: Any = range(0, len(records), _CHUNK)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, firsts))
    return np.clip(evaluated, -32_767, 32_767).astype(np.int16)
