"""What an evaluation says of recorded positions, many a call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.game import Game
from ryugi_engine.games.nets import Net
from ryugi_engine.games.training import Trainable
from ryugi_engine.kernel.abi import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import call1, call3, store64
from ryugi_engine.train.positions import Records
from ryugi_engine.train.subject import own_rules

_AT_ONCE = 20_000


@entry(7, late=True)
def judge(S: int, R: int, count: int, words: int, V: int, recall: int, evaluate: int) -> int:
    """Evaluate records of a block in a state, for the side to move, into words of block V."""
    for number in range(count):
        call3(recall, S, R, number * words)
        store64(V, number, call1(evaluate, S))
    return 0


def values(
    game: Game, rules: Trainable, held: Records, threads: int = 1, *, learnt: bool = False
) -> NDArray[np.int64]:
    """Evaluations for the side to move by a game's rules, as these are set; or what is learnt."""
    training = rules.training()
    found = np.zeros(len(held), dtype=np.int64)

    def part(first: int) -> None:
        some = np.ascontiguousarray(held[first : first + _AT_ONCE])
        records = Block.holding(some.view(np.uint8).reshape(-1).view(np.int64))
        out = Block(len(some))
        state = rules.new_state(game.start)
        recall = training.recall.address
        evaluate = (training.learnt if learnt else rules.kernels.evaluate).address
        judge(
            state.address, records.address, len(some), training.words, out.address, recall, evaluate
        )
        found[first : first + len(some)] = out.words

    firsts: Any = range(0, len(held), _AT_ONCE)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, firsts))
    return found


def judgements(
    game: Game, net: Net | None, held: Records, threads: int = 1, *, learnt: bool = False
) -> NDArray[np.int16]:
    """Centipawns for the side to move by a net, or by the game's own evaluation without one.

    As positions are evaluated, or as that is learnt, see :class:`Training`.
    """
    found = values(game, own_rules(game, net), held, threads, learnt=learnt)
    return np.clip(found, -32_767, 32_767).astype(np.int16)
