"""Templates: entries that are compiled for a game with what its tables hold."""

from __future__ import annotations

import ctypes
import random
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from numba.core import config, registry

from ryugi_engine.kernel import targets
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.cache_key import functions_of
from ryugi_engine.kernel.codegen import compiler
from ryugi_engine.kernel.codegen.operations import _dispatcher
from ryugi_engine.kernel.jit import kernel, routine, template
from ryugi_engine.kernel.object_code import load_function
from ryugi_engine.kernel.views import Facts, Layout, Values, i32, i64, values_of
from tests.support.effort import effort
from tests.support.random_kernels import FIELDS, ROW, Writer

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
    return _RULES(block).uneven[side] + _RULES(block).turns[side]


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
    assert not _dispatcher(_never, facts.read_by({"turns"}), None).overloads
    assert _dispatcher(_drops, facts.read_by({"drops"}), None).overloads


def test_games_share_what_does_not_read_where_they_differ() -> None:
    values = (("drops", 1), ("steps.form", 7))
    assert _sum.given((*values, ("address", 3))) is _sum.given((*values, ("address", 4)))
    assert _sum.given((*values, ("turns", 3))) is not _sum.given((*values, ("turns", 4)))


def test_a_known_value_stands_for_the_block_s() -> None:
    block = _block()
    assert _sum.given((("drops", 0),))(block.address, 0) == 0 + 20 + 6 + 5


# ---- random kernels ------------------------------------------------------------------------------

_READ = Layout("read", constant=True, row=i64[3], **dict.fromkeys(FIELDS, i64))
_ENTRY = """
def entry(block, pair):
    return kernel(LAYOUT(block), (pair >> 4) & 7, pair & 7)
"""


class _Pair(NamedTuple):
    rules: Any
    value: int


def _function(text: str, name: str, **known: Any) -> FunctionType:
    names = {"__name__": __name__, "Pair": _Pair, **known}
    exec(text, names)
    found = names[name]
    assert isinstance(found, FunctionType)
    return found


def _results(function: FunctionType, values: Values, block: Block) -> list[int]:
    """Compile a function of (block, pair) with what is known; return its results."""
    facts = Facts(_READ, values)
    machine = compiler.compile_function(function, 2, [targets.target()], facts)[0]
    loaded = load_function(machine)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(loaded.address)
    return [call(block.address, pair) for pair in _PAIRS]


#: Two numbers each, in bits 0 to 2 and 4 to 6.
_PAIRS = [16 * x + y for x in range(4) for y in range(4)]


def _compare(text: str, helper: str, values: dict[str, int], some: set[str]) -> None:
    """Compare a kernel's results where no value, some and all are known with Python's."""
    block, row = Block(_READ.words), {ROW: [values[ROW]] * 3}
    for field, value in values.items():
        _READ.of(block)[field] = value

    def kernels(mark: Any) -> Any:
        known = {"helper": mark(_function(helper, "helper"))} if helper else {}
        return mark(_function(text, "kernel", **known))

    plain, rules = kernels(lambda function: function), SimpleNamespace(**values | row)
    wanted = [int(plain(rules, pair >> 4, pair & 7)) for pair in _PAIRS]
    entry = _function(_ENTRY, "entry", kernel=kernels(kernel), LAYOUT=_READ)
    for names in ((), some, values):
        known = tuple((name, values[name]) for name in values if name in names)
        assert _results(entry, known, block) == wanted, f"{known}\n{helper}\n{text}"


@pytest.fixture
def unoptimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile soon; only what no other test compiles, for numba keeps it."""
    assert registry.cpu_target.target_context  # with the level of the others' compiling
    compiler._target_machine(targets.target())
    monkeypatch.setattr(config, "OPT", type(config.OPT)(0))


_OR = """
def kernel(rules, x, y):
    found = rules.drops == 1 or x
    if not found:
        found = y
    return found + 10
"""
_LOOP = """
def kernel(rules, x, y):
    count = rules.drops
    while x < 5:
        x += 1
        if rules.walls and x == 4:
            count = y
            break
        if not rules.drops:
            continue
        count += 1
    if not count and rules.walls:
        count = 7
    return 100 * x + count
"""
_NOWHERE = """
def kernel(rules, x, y):
    y = ((Pair(rules, 0 + 0).value if y else x)) & 7
    v2 = 0
    while v2 < 3 and ((not y) and (x if y else 2)):
        v2 += 1
        v3 = 0
        while v3 < 3 and Pair(rules, Pair(rules, 0 + 0).value + 0).value:
            v3 += 1
            if rules.drops:
                v5 = (y) & 7
            if rules.drops:
                y = v5
        if (not (not 0)):
            v6 = (((rules.turns or y) and y)) & 7
        elif 2:
            y = (2) & 7
            if rules.turns:
                break
        else:
            x = ((rules.turns or rules.walls)) & 7
    return x + y + v2
"""
_HELPER = """
def helper(rules, x, y):
    return rules.drops
"""
_ELSEWHERE = """
def kernel(rules, x, y):
    if rules.drops:
        found = y + 1
    if helper(rules, x, y):
        x = found
    return 10 * x + y
"""


@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize("drops", [0, 1])
def test_a_variable_that_is_read_where_another_kernel_says_so(drops: int) -> None:
    """The reader is compiled although nothing assigns the variable, and is never reached."""
    _compare(_ELSEWHERE, _HELPER, {"drops": drops, "walls": 1, "turns": 0, ROW: 0}, {"drops"})


@pytest.mark.usefixtures("unoptimised")
@pytest.mark.parametrize("drops", [0, 1])
@pytest.mark.parametrize("text", [_OR, _LOOP, _NOWHERE], ids=["or", "loop", "nowhere"])
def test_a_variable_of_a_removed_block(text: str, drops: int) -> None:
    """What is assigned in branches that are taken away is defined by the others."""
    _compare(text, "", {"drops": drops, "walls": 1, "turns": 0, ROW: 0}, {"drops", "walls"})


@pytest.mark.more
@pytest.mark.usefixtures("unoptimised")
def test_random_kernels_have_the_same_results(source: random.Random) -> None:
    """Whatever is known: those of Python."""
    for _ in range(effort(10, 500)):
        helper = Writer(source, []).text("helper", 1)
        text = Writer(source, ["helper"]).text("kernel", 4)
        values = {field: source.choice((0, 0, 1, 2)) for field in (*FIELDS, ROW)}
        _compare(text, helper, values, set(source.sample([*values], source.randrange(4))))
