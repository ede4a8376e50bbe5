"""The move picker on the lists of an artificial game, against a sort in Python."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from ryugi_engine.kernel import bundle
from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.calls import header
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.views import Layout, i32, i64, u32
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.move_picker import (
    Moves,
    list_moves,
    next_move,
    update_quiet_histories,
    without_quiets,
)

_ROOM = 200
_OFFER = Layout("offer", hint=i32[_ROOM], slot=i32[_ROOM], wins=i64[_ROOM], count=i64)
_STATE = Layout("state", header=HEADER.element(), offer=_OFFER.element(), moves=u32[MOVE_CAPACITY])
_PICKED = Layout("picked", move=i64[_ROOM], slot=i64[_ROOM], quiet=i64[_ROOM])
#: What a game's ``order`` writes: 32-bit words, a hint and a slot a move.
_GAMES = Layout("hints", align=8, word=i32[2 * _ROOM])
_SIDE = 1


def _continuation_index(earlier: int, back: int, slot: int) -> int:
    """Return the place of a move in the continuation history, as the kernels reckon it."""
    row = (2 * earlier + back - 1) * 6364136223846793005 % (1 << 64) >> 40
    return (row ^ slot) % L.CONTINUATIONS


@pytest.fixture(autouse=True)
def _nobody_loads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of a test are not the engine's."""
    monkeypatch.setattr(bundle, "bundles", [])


def test_best_first_each_once(source: random.Random) -> None:
    @entry(3)
    def generate(S: int, kind: int, out: int) -> int:
        state = _STATE(S)
        for i in range(state.offer.count):
            state.moves[out - state.header.moves + i] = i + 1
        return int(state.offer.count)

    @entry(5)
    def order(S: int, moves: int, n: int, W: int, out: int) -> int:
        offer = _STATE(S).offer
        pairs = _GAMES(W, out)
        for i in range(n):
            pairs.word[2 * i] = offer.hint[i]
            pairs.word[2 * i + 1] = offer.slot[i]
        return 0

    @entry(3)
    def exchange(S: int, move: int, threshold: int) -> int:
        return int(_STATE(S).offer.wins[move - 1])

    @entry(4)
    def run(W: int, P: int, ply: int, hash_move: int) -> int:
        w = L.WORKER(W)
        picked = _PICKED(P)
        moves = list_moves(w, 0, 64 * header(w).side, ply, hash_move)
        for number in range(moves.size):
            pick = next_move(w, moves, number, ply)
            picked.move[number] = pick.move
            picked.slot[number] = pick.slot
            picked.quiet[number] = 1 if pick.quiet else 0
        return int(moves.size)

    worker, state, result = Block(L.WORKER.words), Block(_STATE.words), Block(_PICKED.words)
    w, s, picked = L.WORKER.of(worker), _STATE.of(state), _PICKED.of(result)
    s["header"]["side"], s["header"]["moves"] = _SIDE, 2 * _STATE.word("moves")
    game, args = w["game"], w["root_args"]
    game["state"], game["moves"] = state.address, s["header"]["moves"]
    game["generate"], game["order"] = generate.address, order.address
    game["exchange"], args["block"] = exchange.address, worker.address
    history = [source.randrange(-16_384, 16_385) for _ in range(L.HISTORY_SLOTS)]
    w["history"][_SIDE] = history
    # only what few earlier moves lead to: the whole table would take long to fill
    earlier = [source.randrange(2 * L.HISTORY_SLOTS) for _ in range(3)]
    continuation = w["continuation_history"]
    for before in earlier:
        for slot in range(L.HISTORY_SLOTS):
            for back in (1, 2):
                continuation[_continuation_index(before, back, slot)] = source.randrange(
                    -9999, 9999
                )

    for _ in range(300):
        n = source.choice((0, 1, 2, source.randrange(_ROOM + 1)))
        # negative hints, which a game must not give, count as none
        tactical = [source.random() < 0.3 for _ in range(n)]
        hints = [
            source.randrange(1 << 20, 1 << 21) if t else source.randrange(-3000, 3000)
            for t in tactical
        ]
        wins = [source.random() < 0.6 for _ in range(n)]
        slots = [source.randrange(L.HISTORY_SLOTS) for _ in range(n)]
        # a slot's bits above the 13th count for nothing
        beyond = [source.choice((0, 1 << 13, 1 << 16, 1 << 20)) for _ in range(n)]
        offer = s["offer"]
        offer["count"] = n
        offer["hint"][:n], offer["wins"][:n] = hints, wins
        offer["slot"][:n] = [slot | more for slot, more in zip(slots, beyond, strict=True)]
        first, second, counter, hash_move = (source.randrange(2 * n + 2) for _ in range(4))
        w["killers"][3] = first, second
        last, before = source.choice(earlier), source.choice(earlier)
        w["move_slots"][1:3] = before, last
        w["counter_moves"][last] = counter

        scores = {}
        for i in range(n):
            move = i + 1
            if move == hash_move:
                scores[move] = 1 << 30
            elif tactical[i]:
                scores[move] = hints[i] - (0 if wins[i] else 1 << 21)
            elif move == first:
                scores[move] = (1 << 19) + 1
            elif move == second:
                scores[move] = 1 << 19
            elif move == counter:
                scores[move] = (1 << 18) + 50_000
            else:
                continued = int(continuation[_continuation_index(last, 1, slots[i])])
                continued += int(continuation[_continuation_index(before, 2, slots[i])])
                scores[move] = max(hints[i], 0) + history[slots[i]]
                scores[move] += continued * P.CONTINUATION_WEIGHT >> 6

        assert run(worker.address, result.address, 3, hash_move) == n
        actual = picked["move"][:n].tolist()
        assert sorted(actual) == list(range(1, n + 1))
        assert [scores[m] for m in actual] == sorted(scores.values(), reverse=True)
        assert picked["slot"][:n].tolist() == [slots[m - 1] for m in actual]
        assert picked["quiet"][:n].tolist() == [not tactical[m - 1] for m in actual]


def test_quiet_moves_that_give_no_check_are_dropped(source: random.Random) -> None:
    """From a place on; the others keep their order, scores and slots."""

    @entry(2)
    def may_check(S: int, move: int) -> int:
        return move % 3 // 2

    @entry(4)
    def drop(W: int, first: int, size: int, number: int) -> int:
        return int(without_quiets(L.WORKER(W), Moves(first, size), number).size)

    worker, state = Block(L.WORKER.words), Block(_STATE.words)
    w, s = L.WORKER.of(worker), _STATE.of(state)
    w["game"]["state"], w["game"]["may_check"] = state.address, may_check.address
    w["game"]["moves"] = 2 * _STATE.word("moves")
    for _ in range(100):
        first, size = source.randrange(20), source.randrange(1, 60)
        number = source.randrange(size + 1)
        moves = [source.randrange(1, 1000) for _ in range(size)]
        scores = [source.randrange(-(1 << 21), 1 << 21) for _ in moves]
        flags = [source.choice((0, L.TACTICAL_FLAG, L.TACTICAL_FLAG | L.SEE_FLAG)) for _ in moves]
        listed, scored = s["moves"][first : first + size], w["move_scores"][first : first + size]
        listed[:], scored["score"], scored["slot"], scored["flags"] = moves, scores, moves, flags
        kept = [at for at in range(size) if at < number or flags[at] or moves[at] % 3 == 2]
        assert drop(worker.address, first, size, number) == len(kept)
        assert listed[: len(kept)].tolist() == [moves[at] for at in kept]
        rows = zip(*(scored[name].tolist() for name in ("score", "slot", "flags")), strict=True)
        assert [*rows][: len(kept)] == [(scores[at], moves[at], flags[at]) for at in kept]


def test_a_cutoff_is_learnt(source: random.Random) -> None:
    @entry(6)
    def learn(W: int, number: int, side: int, ply: int, depth: int, move: int) -> int:
        update_quiet_histories(L.WORKER(W), Moves(0, 40), number, side, ply, depth, move)
        return 0

    worker = Block(L.WORKER.words)
    w = L.WORKER.of(worker)
    history: dict[tuple[int, int], int] = defaultdict(int)
    continuation: dict[int, int] = defaultdict(int)

    def add(table: dict[Any, int], key: Any, bonus: int) -> None:
        table[key] += bonus - table[key] * abs(bonus) // P.HISTORY_LIMIT

    for _ in range(500):
        number, side, ply = source.randrange(20), source.randrange(2), source.randrange(4)
        slots = [source.randrange(6) for _ in range(20)]
        tactical = [source.random() < 0.3 for _ in range(20)]
        line = [source.choice((3, 4, L.HISTORY_SLOTS + 3)) for _ in range(ply)]
        depth, move = source.randrange(1, 30), source.randrange(1, 1000)
        w["move_slots"][:ply] = line
        w["move_scores"]["slot"][:20] = slots
        w["move_scores"]["flags"][:20] = [L.TACTICAL_FLAG if t else 0 for t in tactical]
        learn(worker.address, number, side, ply, depth, move)
        most = P.HISTORY_BONUS_LIMIT
        bonus = min(P.HISTORY_BONUS_SQUARE * depth * depth + P.HISTORY_BONUS * depth, most)
        for at in (number, *(n for n in range(number) if not tactical[n])):
            change = bonus if at == number else -bonus
            add(history, (side, slots[at]), change)
            for back, earlier in ((1, ([0, 0, *line])[-1]), (2, ([0, 0, *line])[-2])):
                add(continuation, _continuation_index(earlier, back, slots[at]), change)
        assert w["killers"][ply][0] == move
        if ply > 0:
            assert w["counter_moves"][line[-1]] == move
    for (side, slot), value in history.items():
        assert w["history"][side][slot] == value
    for index, value in continuation.items():
        assert w["continuation_history"][index] == value
    assert np.count_nonzero(w["continuation_history"]) <= len(continuation)
    assert max(map(abs, continuation.values())) > P.HISTORY_LIMIT // 4
