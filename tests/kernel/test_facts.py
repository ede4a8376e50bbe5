"""Templates: entries that are compiled for a game with what its tables hold."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from ryugi_engine.kernel import targets
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.cache_key import functions_of
from ryugi_engine.kernel.codegen import compiler
from ryugi_engine.kernel.codegen.operations import _dispatcher
from ryugi_engine.kernel.jit import kernel, routine, template
from ryugi_engine.kernel.views import Facts, Layout, i32, i64, values_of

_STEP = Layout("step", align=8, form=i32, delta=i32)
_FILLED = Layout("rules", drops=i64, turns=i64[2], uneven=i64[2], steps=_STEP[3], address=i64)
_RULES = _FILLED.as_constant()


class _Where(NamedTuple):
    rules: Any
    side: int


@kernel
def _drops(at):
    return 100 if at.rules.drops != 0 else 0


@routine
def _never(block, side):
    return _RULES(block).uneven[side]


@template(2, _RULES)
def _sum(block: int, side: int) -> int:
    rules = _RULES(block)
    total = _drops(_Where(rules, side))
    if rules.turns[side] | rules.drops != 0:
        total += 10 * rules.turns[side]
    else:
        total += _never(block, side)
    for i in range(3):
        step = rules.steps[i]
        if step.form == 7 and not rules.drops:
            total += step.delta
    return total + rules.uneven[side]


def _block() -> Block:
    block = Block(_FILLED.words)
    record = _FILLED.of(block)
    record["drops"], record["turns"], record["uneven"] = 1, 2, (5, 6)
    record["steps"]["form"], record["steps"]["delta"] = 7, (1, 2, 3)
    record["address"] = block.address
    return block


def test_what_a_block_holds_everywhere_is_known() -> None:
    values = values_of(_RULES, _block(), frozenset(["address"]))
    assert values == (("drops", 1), ("turns", 2), ("steps.form", 7))


@pytest.mark.parametrize("known", [True, False])
def test_the_result_is_the_same(known: bool) -> None:
    block = _block()
    entry = _sum.given(values_of(_RULES, block, frozenset(["address"])) if known else ())
    assert [entry(block.address, side) for side in range(2)] == [125, 126]
    assert entry.key("x86-64") != _sum.given((("drops", 0),)).key("x86-64")


def test_what_is_never_reached_is_not_compiled() -> None:
    """Without drops the last loop is left; with turns everywhere `_never` is not called."""
    facts = Facts(_RULES, values_of(_RULES, _block(), frozenset(["address"])))
    compiler.compile_function(_sum._function, 2, [targets.target()], facts)
    assert _never.function in functions_of(_sum._function)
    assert not _dispatcher(_never, facts).overloads
    assert _dispatcher(_drops, facts).overloads


def test_a_known_value_stands_for_the_block_s() -> None:
    block = _block()
    assert _sum.given((("drops", 0),))(block.address, 0) == 0 + 20 + 6 + 5
