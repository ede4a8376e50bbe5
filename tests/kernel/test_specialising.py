"""Bundles that are specialised: compiled for a game with what its tables hold."""

from __future__ import annotations

import ctypes
import random
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from ryugi_engine.kernel import targets
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.bundle import Bundle
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.codegen import compiler, specialising
from ryugi_engine.kernel.jit import Entry, kernel, routine, template
from ryugi_engine.kernel.object_code import load_functions
from ryugi_engine.kernel.views import Layout, Values, i32, i64, values_of
from tests.support.effort import effort
from tests.support.random_kernels import FIELDS, ROW, Writer

_STEP = Layout("step", align=8, form=i32, delta=i32)
_FILLED = Layout("rules", drops=i64, turns=i64[2], uneven=i64[2], steps=_STEP[3], address=i64)
_RULES = _FILLED.as_specialisable()
_BUNDLE = Bundle(f"{__name__}.sums", layout=_RULES)


class _Where(NamedTuple):
    rules: Any
    side: int


@kernel
def _drops(at):
    return 100 if at.rules.drops != 0 else 0


#: A number that machine code shows.
_MARK = 0x5EED1234


@routine
def _never(block, side):
    return _RULES(block).uneven[side] + _RULES(block).turns[side] + _MARK


@template(2, _BUNDLE)
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


@template(2, _BUNDLE)
def _difference(block: int, side: int) -> int:
    rules = _RULES(block)
    return rules.uneven[1] - side * rules.drops + 0 * _drops(_Where(rules, side))


def _block() -> Block:
    block = Block(_FILLED.words)
    record = _FILLED.of(block)
    record["drops"], record["turns"], record["uneven"] = 1, 2, (5, 6)
    record["steps"]["form"], record["steps"]["delta"] = 7, (1, 2, 3)
    record["address"] = block.address
    return block


def _own(values: Values) -> Entry:
    """Return the entry `_sum` with machine code in which these values are known."""
    entry = _sum.given(values)
    entry.bundle.load(own=True)
    return entry


def test_what_a_block_holds_everywhere_is_known() -> None:
    values = values_of(_RULES, _block(), frozenset(["address"]))
    assert values == (("drops", 1), ("turns", 2), ("steps.form", 7))


@pytest.mark.parametrize("known", [True, False])
def test_the_result_is_the_same(known: bool) -> None:
    block = _block()
    entry = _own(values_of(_RULES, block, frozenset(["address"])) if known else ())
    assert [entry(block.address, side) for side in range(2)] == [125, 126]
    other = _BUNDLE.given((("drops", 0),))
    assert entry.bundle.key("x86-64") != other.key("x86-64")


def test_what_is_never_reached_is_not_compiled() -> None:
    """With turns everywhere `_never` is not called."""
    values, code = values_of(_RULES, _block(), frozenset(["address"])), _BUNDLE.bitcode()
    (whole,) = specialising.machine_code(code.code, (), [targets.target()])
    (known,) = specialising.machine_code(code.code, values, [targets.target()])
    mark = _MARK.to_bytes(4, "little")
    assert mark in whole
    assert mark not in known


def test_a_bundle_s_entries_are_in_one_file() -> None:
    """Both are there, and each calls what is its own."""
    made = _BUNDLE.given((("drops", 0),))
    made.load(own=True)
    block = _block()
    for number, wanted in enumerate((0 + 20 + 6 + 5, 6)):
        call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
        assert call(made.address(number))(block.address, 1 - number) == wanted + 1 - number


def test_games_that_differ_in_nothing_that_is_read_share_a_bundle() -> None:
    values = (("drops", 1), ("steps.form", 7))
    assert _sum.given((*values, ("address", 3))) is _sum.given((*values, ("address", 4)))
    assert _sum.given((*values, ("turns", 3))) is not _sum.given((*values, ("turns", 4)))
    assert _sum.given((("address", 3),)) is _sum.given(())


def test_a_known_value_stands_for_the_block_s() -> None:
    block = _block()
    assert _own((("drops", 0),))(block.address, 0) == 0 + 20 + 6 + 5


# ---- random kernels ------------------------------------------------------------------------------

_READ = Layout("read", row=i64[3], **dict.fromkeys(FIELDS, i64)).as_specialisable()
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


def _results(code: Machine, values: Values, block: Block) -> list[int]:
    """Return the results of a function of (block, pair), with what is known."""
    (content,) = specialising.machine_code(code.code, values, [targets.target()])
    loaded = load_functions(Machine(code.symbols, content))
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(loaded.addresses[0])
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
    code = compiler.compile_functions([(entry, 2)])
    for names in ((), some, values):
        known = tuple((name, values[name]) for name in values if name in names)
        assert _results(code, known, block) == wanted, f"{known}\n{helper}\n{text}"


@pytest.mark.more
@pytest.mark.parametrize("level", ["0", "3"])
def test_random_kernels_have_the_same_results(
    level: str, source: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is known: those of Python."""
    monkeypatch.setenv("NUMBA_OPT", level)
    for _ in range(effort(5, 250)):
        helper = Writer(source, []).text("helper", 1)
        text = Writer(source, ["helper"]).text("kernel", 4)
        values = {field: source.choice((0, 0, 1, 2)) for field in (*FIELDS, ROW)}
        _compare(text, helper, values, set(source.sample([*values], source.randrange(4))))
