"""Batches: what they say of each position is what the position says of itself."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable

import numpy as np
import pytest

from ryugi_engine import Batch, IllegalMove, Position, UserError, game
from ryugi_engine.games.registry import catalogue, registry
from tests.support.effort import by_turns, effort
from tests.support.helpers import ROOT, SUPPORT, completed

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": 0}
#: One of each kind: both families, drops, walls, legs, gates, turns, placement, no records.
GAMES = ("chess", "ryugi", "crazyhouse", "shogi", "duck", "seirawan", "monster", "clobber")
GAMES += ("gorogo", "gomokuroku-ninuki", "goryujin", "chess960")
MASK = (1 << 64) - 1


def compared(batch: Batch, positions: list[Position]) -> None:
    """Compare a batch with positions."""
    chosen, mask, actions = batch.game, batch.legal_mask(), batch.legal_actions()
    planes, names = batch.planes(), batch.game.plane_names
    assert mask.shape == (len(positions), chosen.action_size)
    assert planes.shape == (len(positions), len(names), chosen.ranks, chosen.files)
    for number, position in enumerate(positions):
        texts = position.legal_moves.uci()
        wanted = [chosen.action(text) for text in texts]
        assert actions[number, : len(wanted)].tolist() == wanted, position.fen()
        assert (actions[number, len(wanted) :] == -1).all()
        assert [chosen.action_text(action) for action in wanted] == texts
        over = position.is_game_over()
        assert set(np.nonzero(mask[number])[0].tolist()) == (set() if over else set(wanted))
        assert batch.over()[number] == over, position.fen()
        assert batch.results()[number] == RESULTS[position.result()], position.fen()
        assert batch.turns()[number] == position.turn
        assert planes[number, -1].all() == planes[number, -1].any() == (not position.turn)
        assert pieces_of(batch, planes[number]) == position.pieces, position.fen()
        assert batch[number] == position


def pieces_of(batch: Batch, planes: np.ndarray) -> dict[str, str]:
    """The pieces that the planes show."""
    found = {}
    for name, plane in zip(batch.game.plane_names, planes, strict=True):
        if len(name.strip("+~")) == 1:
            for rank, file in np.argwhere(plane).tolist():
                text = chr(ord("a") + file) if file < 26 else f"{chr(ord('a') + file // 26 - 1)}"
                text += chr(ord("a") + file % 26) if file >= 26 else ""
                found[f"{text}{rank + 1}"] = name.strip("~")
    return found


@pytest.mark.more
@pytest.mark.parametrize("name", GAMES)
def test_a_batch_says_what_its_positions_say(name: str, source: random.Random) -> None:
    count = 3
    batch = Batch(name, count, threads=2)
    positions = [Position(name) for _ in range(count)]
    for ply in range(effort(24, 200)):
        if ply % 6 == 0:
            compared(batch, positions)
        chosen = []
        for position in positions:
            over = position.is_game_over() or source.random() < 0.1
            move = "" if over else position.uci(source.choice(position.legal_moves))
            chosen.append(batch.game.action(move) if move else -1)
            if move:
                position.push(move)
        batch.push(chosen)
    compared(batch, positions)
    batch.reset([1])
    positions[1] = Position(name)
    compared(batch, positions)


@pytest.mark.parametrize("name", ["hex", "ataxx", "amazons"])
def test_games_of_one_file(name: str) -> None:
    """In a process of its own, where the registry knows them."""
    code = (
        "import random\n"
        "from ryugi_engine import Batch, Position\n"
        "from tests.api.test_batch import compared\n"
        f"batch, position = Batch('{name}', 1), Position('{name}')\n"
        "for ply in range(12):\n"
        "    compared(batch, [position])\n"
        "    text = position.uci(random.Random(ply).choice(position.legal_moves))\n"
        "    batch.push([batch.game.action(text)])\n"
        "    position.push(text)\n"
        "assert batch.playout(seed=1)[1][0] > 0\n"
    )
    environment = {**os.environ, "RYUGI_GAMES": str(SUPPORT / "games")}
    done = completed([sys.executable, "-c", code], env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_batches_of_positions_with_a_history() -> None:
    """A third repetition is no end; a fifth one is, and it is seen after a reset, too."""
    position = Position("chess")
    for _ in range(3):
        for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
            position.push(move)
    assert position.result(claim_draw=True) == "1/2-1/2"
    batch = Batch.of([position, Position("chess")])
    assert batch.over().tolist() == [False, False]
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            batch.push([batch.game.action(move)] * 2)
        assert batch.over().tolist() == [True, False]
        batch.reset()
    assert not batch.legal_mask()[0].any() or not batch.over()[0]


def expected(name: str, number: int, count: int, seed: int) -> tuple[int, int]:
    """The random game of a position of a batch, in plain Python: splitmix64 and MurmurHash3."""
    state = int(np.random.default_rng(seed).integers(1 << 63, size=count, dtype=np.int64)[number])
    position = Position(name)
    while not position.is_game_over(claim_draw=True):
        state = state + 0x9E3779B97F4A7C15 & MASK
        word = state
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            word = (word ^ word >> 33) * factor & MASK
        word ^= word >> 33
        position.push(position.legal_moves[(word >> 33) % len(position.legal_moves)])
    return RESULTS[position.result(claim_draw=True)], position.ply()


@pytest.mark.parametrize("name", ["chess", "3check", "shogi", "gorogo"])
def test_random_games_are_those_of_plain_python(name: str) -> None:
    batch = Batch(name, 40, threads=2)
    results, plies = batch.playout(seed=7)
    again = Batch(name, 40).playout(seed=7)
    assert (results == again[0]).all()
    assert (plies == again[1]).all()
    shortest = sorted(range(40), key=lambda number: plies[number])[:3]
    for number in shortest:
        assert (results[number], plies[number]) == expected(name, number, 40, 7)
    assert len({*plies.tolist()}) > 1
    assert all(batch[number] == Position(name) for number in range(40))
    bounded, plies = batch.playout(longest=5, seed=7)
    assert plies.max() <= 5
    assert not bounded[plies == 5].any() or name == "3check"


def test_threads_change_nothing(source: random.Random) -> None:
    one, two = Batch("crazyhouse", 64), Batch("crazyhouse", 64, threads=3)
    for _ in range(20):
        assert (one.legal_actions() == two.legal_actions()).all()
        assert (one.planes() == two.planes()).all()
        legal = one.legal_actions()
        counts = (legal >= 0).sum(axis=1)
        picks = [
            int(row[source.randrange(n)]) if n else -1 for row, n in zip(legal, counts, strict=True)
        ]
        one.push(picks)
        two.push(picks)
        one.reset(one.over())
        two.reset(two.over())


def test_planes_of_a_known_position() -> None:
    fen = "r3k2r/8/8/8/3pP3/8/8/R3K2R[Pp] b Kq e3 0 1"
    batch = Batch("crazyhouse", 1, fen)
    planes = dict(zip(batch.game.plane_names, batch.planes()[0], strict=True))
    assert np.argwhere(planes["p"]).tolist() == [[3, 3]]
    assert np.argwhere(planes["K"]).tolist() == [[0, 4]]
    assert (planes["White P in hand"] == 1).all()
    assert not planes["White Q in hand"].any()
    rights = [planes[f"castling {right}"].min() for right in "KQkq"]
    assert rights == [1, 0, 0, 1]
    assert np.argwhere(planes["en passant"]).tolist() == [[2, 4]]
    assert planes["Black to move"].all()


MISUSES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no position": (lambda: Batch("chess", 0), UserError, "at least one position"),
    "no thread": (lambda: Batch("chess", 1, threads=0), UserError, "one thread"),
    "no positions": (lambda: Batch.of([]), UserError, "at least one position"),
    "two games": (lambda: Batch.of([Position("chess"), Position("shogi")]), UserError, "one game"),
    "an unknown game": (lambda: Batch("nothing", 2), UserError, "unknown variant 'nothing'"),
    "an illegal move": (
        lambda: Batch("chess", 2).push([game("chess").action("e2e4"), 1]),
        IllegalMove,
        "position 1: action 1, a1b1, is illegal",
    ),
    "no action": (
        lambda: Batch("chess", 1).push([-2]),
        IllegalMove,
        "position 0: action -2 is illegal",
    ),
    "too few": (lambda: Batch("chess", 2).push([1]), UserError, "2 whole numbers are needed"),
    "no numbers": (lambda: Batch("chess", 1).push([0.5]), UserError, "1 whole numbers? "),
    "no such position": (lambda: Batch("chess", 2).reset([2]), UserError, r"needed, 0\.\.1"),
    "no positions by words": (lambda: Batch("chess", 2).reset(["a"]), UserError, r"needed, 0\.\.1"),
    "no seed": (lambda: Batch("chess", 2).playout(seed=-1), UserError, "and not negative"),
    "no index": (lambda: game("chess").action_text(20481), UserError, "20481 is not in 0..20480"),
    "no text": (lambda: game("chess").action("e2e9"), UserError, "'e2e9' is the text of no move"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_one_clear_line(misuse: str) -> None:
    act, kind, message = MISUSES[misuse]
    with pytest.raises(kind, match=message) as raised:
        act()
    assert "\n" not in str(raised.value)


def test_an_illegal_move_changes_nothing() -> None:
    batch = Batch("chess", 2)
    with pytest.raises(IllegalMove):
        batch.push([batch.game.action("e2e4"), batch.game.action("e2e5")])
    assert batch[0] == batch[1] == Position("chess")


@pytest.mark.more
def test_every_games_moves_have_an_index_of_their_own(source: random.Random) -> None:
    """There and back, in random games; a move's text is that of its index."""
    names = sorted({*catalogue(), *(one.name for one in registry().games())})
    for name in by_turns(names, 20):
        position = Position(name)
        while not position.is_game_over() and position.ply() < 30:
            texts = position.legal_moves.uci()
            texts = texts if len(texts) < 100 else source.sample(texts, 100)
            indices = [position.game.action(text) for text in texts]
            assert [position.game.action_text(index) for index in indices] == texts, position.fen()
            assert max(indices) < position.game.action_size
            position.push(source.choice(texts))
