"""Correction history: the keys of a position, and the kernel against a reference."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel import bundle
from ryugi_engine.kernel.abi import CORRECTION_KEYS, EVAL_LIMIT, HEADER, NO_CORRECTION_KEYS
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.views import Layout, i64
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.correction_history import corrected_eval, update_correction
from tests.conftest import FAMILY
from tests.support.effort import effort

_STATE = Layout("state", header=HEADER.element(), value=i64, correction_keys=i64[CORRECTION_KEYS])


@pytest.fixture
def _nobody_loads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of a test are not the engine's."""
    monkeypatch.setattr(bundle, "bundles", [])


def _placed(position: Position) -> tuple[str, str, str]:
    """Pawns, White's other pieces and Black's, by the position's text."""
    pawn = position.rules.definition.pawn  # type: ignore[attr-defined]
    board = position.text().split()[0].replace("[]", "")
    squares = "".join("." * int(run) if run.isdigit() else run for run in _runs(board))
    pawns = (pawn, pawn.lower())
    return (
        "".join(c if c in pawns else "." for c in squares),
        "".join(c if c.isupper() and c not in pawns else "." for c in squares),
        "".join(c if c.islower() and c not in pawns else "." for c in squares),
    )


def _runs(board: str) -> list[str]:
    runs: list[str] = []
    for c in board:
        if c.isdigit() and runs and runs[-1].isdigit():
            runs[-1] += c
        else:
            runs.append(c)
    return runs


@pytest.mark.more
@pytest.mark.parametrize("name", FAMILY)
def test_a_part_has_a_key_of_its_own(name: str, source: random.Random) -> None:
    keys: list[dict[str, set[int]]] = [defaultdict(set) for _ in range(CORRECTION_KEYS)]
    for _ in range(effort(4, 12)):
        position = Position(registry().game(name))
        for _ in range(120):
            moves = position.legal_moves()
            if not moves or position.outcome() is not None:
                break
            position.push(source.choice(moves))
            assert (
                position.correction_keys()
                == Position(position.game, position.text()).correction_keys()
            )
            for part, (placed, key) in enumerate(
                zip(_placed(position), position.correction_keys(), strict=True)
            ):
                keys[part][placed].add(key)
            address = position.state.address
            if not position.in_check() and position.kernels.make_null(address):
                passed = position.correction_keys()
                position.kernels.unmake_null(address)
                assert passed == position.correction_keys()
    for seen in keys:
        assert all(len(of_one) == 1 for of_one in seen.values())
        assert len(seen) > 10
        assert len(set.union(*seen.values())) == len(seen)


def test_a_game_without_correction_keys() -> None:
    assert Position(registry().game("gorogo")).correction_keys() == ()


class _Reference:
    """Correction history in Python: one table per key number and side."""

    def __init__(self) -> None:
        self.learnt: dict[tuple[object, ...], int] = defaultdict(int)

    def correct(self, active: list[tuple[object, ...]], depth: int, error: int) -> None:
        step = error * depth // P.CORRECTION_DIVISOR
        step = max(-P.CORRECTION_BONUS_LIMIT, min(P.CORRECTION_BONUS_LIMIT, step))
        for key in active:
            self.learnt[key] += step - self.learnt[key] * abs(step) // 1024

    def corrected(self, active: list[tuple[object, ...]], value: int) -> int:
        most = [P.CORRECTION_KEY_WEIGHT] * CORRECTION_KEYS + [P.CORRECTION_CONTINUATION_WEIGHT]
        total = sum(m * self.learnt[like] for m, like in zip(most, active, strict=True))
        return max(-EVAL_LIMIT, min(EVAL_LIMIT, value + total // 1024))


def _apart(source: random.Random) -> list[int]:
    """Return three moves' slots of which no two pairs share a place in the table."""
    while True:
        made = [source.randrange(2 * L.HISTORY_SLOTS) for _ in range(3)]
        pairs = {(last, before) for last in (0, *made) for before in (0, *made)}
        mixed = [
            (last * 2 * L.HISTORY_SLOTS + before) * 6364136223846793005 % (1 << 64) >> 40
            for last, before in pairs
        ]
        if len({place % L.CORRECTIONS for place in mixed}) == len(pairs):
            return made


@pytest.mark.usefixtures("_nobody_loads_them")
def test_corrections_equal_the_reference(source: random.Random) -> None:
    @entry(1)
    def evaluate(S: int) -> int:
        return int(_STATE(S).value)

    @entry(2)
    def ask(W: int, ply: int) -> int:
        return int(corrected_eval(L.WORKER(W), ply))

    @entry(4)
    def learn(W: int, ply: int, depth: int, error: int) -> int:
        update_correction(L.WORKER(W), ply, depth, error)
        return 0

    worker, state = Block(L.WORKER.words), Block(_STATE.words)
    w, s = L.WORKER.of(worker), _STATE.of(state)
    w["game"]["state"], w["game"]["evaluate"] = state.address, evaluate.address
    s["header"]["correction_keys"] = _STATE.word("correction_keys")
    reference = _Reference()
    # few of each, apart in the table, so that keys come again; plies before the second
    # have no two moves before them
    parts = [[source.getrandbits(40) << 14 | (1000 * p + n) for n in range(4)] for p in range(3)]
    made = _apart(source)
    for _ in range(4000):
        now = [source.choice(keys) for keys in parts]
        side, ply = source.randrange(2), source.randrange(5)
        line = [source.choice(made) for _ in range(ply)]
        s["header"]["side"], s["correction_keys"] = side, now
        s["value"] = value = source.choice((0, source.randrange(-3000, 3000), 28_990, -28_990))
        w["move_slots"][:ply] = line
        last = ([0, 0] + line)[-2:]
        active: list[tuple[object, ...]] = [(n, side, key) for n, key in enumerate(now)]
        active.append(("line", side, *last))
        assert ask(worker.address, ply) == reference.corrected(active, value)
        if source.random() < 0.7:
            depth, error = source.randrange(1, 40), source.randrange(-600, 600)
            learn(worker.address, ply, depth, error)
            reference.correct(active, depth, error)
    assert max(abs(v) for v in reference.learnt.values()) > 300

    # without keys nothing is learnt
    s["header"]["correction_keys"] = NO_CORRECTION_KEYS
    before = worker.words.copy()
    learn(worker.address, 3, 20, 500)
    assert (worker.words == before).all()
    assert ask(worker.address, 3) == s["value"]
