"""``may_check``: a move of which it says no gives no check, in any game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from ryugi_engine.conformance.kernel_tests import check_faults
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.effort import by_turns, effort
from tests.support.helpers import codes_of, walked

#: By how a check may come about: sliders, cannons, blasts, drops, gates, hoppers, several kings.
_KINDS = [
    *("chess", "ryugi", "xiangqi", "atomic", "crazyhouse", "seirawan", "grasshopper", "spartan"),
    *("janggi", "shogi", "marseillais", "makpong", "petrified"),
]
_OTHERS = [name for name in registry().names() if name not in _KINDS]


@pytest.mark.parametrize("name", [*_KINDS, *by_turns(_OTHERS, 12)])
def test_no_means_no_check(name: str, source: random.Random) -> None:
    game = registry().game(name)
    for _ in range(effort(12, 300)):
        position = walked(game, source, source.randrange(2, 60))
        kernels, address = position.kernels, position.state.address
        for _ in range(2):  # what is kept of a position must not serve another
            for code in codes_of(position, 0):
                possible = kernels.may_check(address, code)
                kernels.make(address, code)
                check = int(position.header["check"])
                for reply in codes_of(position, 0)[:3]:
                    kernels.may_check(address, reply)
                kernels.unmake(address)
                assert possible or not check, f"{position.text()}: {position.move_text(code)}"


def test_a_wrong_no_is_found() -> None:
    """As ``check --game`` looks for it."""
    position = Position(registry().game("chess"), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    codes = codes_of(position, 0)
    assert not [*check_faults(position, codes)]
    kernels: Any = position.kernels
    position.kernels = kernels._replace(may_check=lambda state, move: 0)
    ((kernel, fault),) = check_faults(position, codes)
    assert kernel == "may_check"
    assert fault == "it is 0 for a1a8, which gives check,"


@pytest.mark.parametrize("name", ["chess", "ryugi", "crazyhouse", "seirawan", "atomic", "xiangqi"])
def test_most_moves_are_known_to_give_none(name: str, source: random.Random) -> None:
    """Else the search makes them all."""
    seen: Counter[int] = Counter()
    for _ in range(20):
        position = walked(registry().game(name), source, source.randrange(2, 40))
        for code in codes_of(position, 0):
            seen[position.kernels.may_check(position.state.address, code)] += 1
    assert seen[0] > 0.5 * seen.total()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        # the rook arrives on the other board, before the king
        ("rnQqk11/3p12/8pp6/5p4p3pp/P4PP5P2n/10P4r/1P1P8B1b1/RNB1K1NR8 b KQq - 0 21", {"p3m3"}),
        # the queen and what it captures leave the rook's line, both at once
        ("8k7/16/8p7/16/8Q7/16/16/4K3R7 w - - 0 1", {"i4i6"}),
    ],
)
def test_checks_across_two_boards(text: str, moves: set[str]) -> None:
    position = Position(registry().game("alice"), text)
    kernels, address = position.kernels, position.state.address
    checks = set()
    for code in codes_of(position, 0):
        name = position.move_text(code)
        possible = kernels.may_check(address, code)
        kernels.make(address, code)
        if position.header["check"]:
            checks.add(name)
            assert possible, name
        kernels.unmake(address)
    assert moves <= checks
