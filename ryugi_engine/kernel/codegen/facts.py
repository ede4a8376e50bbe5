"""Facts: fields of constant blocks whose values are known when a kernel is compiled.

A template of ``kernel/jit.py`` is compiled for a game with such facts. Before numba infers types,
a pass replaces what a kernel reads of them by the values, and takes away what is never reached
then: nothing that only such code calls is compiled.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from numba import types
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions

from ryugi_engine.kernel.views import Element, Facts, Layout

_current: Facts | None = None
_fields: Mapping[Layout, Mapping[str, int]] = {}


@contextlib.contextmanager
def given(facts: Facts | None) -> Iterator[None]:
    """Context: compile with these facts."""
    global _current, _fields  # only one thread compiles
    before = _current, _fields
    _current, _fields = facts, facts.by_layout() if facts is not None else {}
    try:
        yield
    finally:
        _current, _fields = before


def current() -> Facts | None:
    """Return the facts that are compiled with."""
    return _current


def known(layout: Layout) -> Mapping[str, int]:
    """Return the known fields of a layout; of an array, the value that all elements have."""
    return _fields.get(layout, {})


# ---- the pass ------------------------------------------------------------------------------------

_UNARY = {operator.neg, operator.pos, operator.invert, operator.not_}
_BINARY = {
    operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor,
    operator.lshift, operator.rshift,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
}  # fmt: skip


class _Known:
    """What is known of a function's variables before their types are inferred."""

    def __init__(self, func_ir: Any, args: Any) -> None:
        self._definitions = func_ir._definitions
        self._args = args
        self._asked: set[str] = set()

    def _defined(self, var: Any) -> list[Any]:
        return list(self._definitions.get(var.name, ()))

    def value(self, item: Any) -> int | None:
        """Return the value of a variable or an expression; None if it is not known."""
        if isinstance(item, ir.Var):
            if item.name in self._asked:
                return None
            self._asked.add(item.name)
            found = {self.value(definition) for definition in self._defined(item)}
            self._asked.remove(item.name)
            return found.pop() if len(found) == 1 else None
        if isinstance(item, ir.Const | ir.Global | ir.FreeVar):
            return int(item.value) if isinstance(item.value, int) else None
        if not isinstance(item, ir.Expr):
            return None
        return self._evaluated(item)

    def _evaluated(self, expr: Any) -> int | None:
        if expr.op == "cast":
            return self.value(expr.value)
        if expr.op in ("getattr", "getitem", "static_getitem"):
            return self.field(expr)
        if expr.op == "unary" and expr.fn in _UNARY:
            value = self.value(expr.value)
            return None if value is None else int(expr.fn(value))
        if expr.op == "binop" and expr.fn in _BINARY:
            left, right = self.value(expr.lhs), self.value(expr.rhs)
            if expr.fn is operator.and_ and 0 in (left, right):
                return 0
            if left is None or right is None:
                return None
            return int(expr.fn(left, right))
        if expr.op == "call" and len(expr.args) == 1 and self._object(expr.func) is bool:
            value = self.value(expr.args[0])
            return None if value is None else int(value != 0)
        return None

    def field(self, expr: Any) -> int | None:
        """Return the value of a known field, of an element of one, or of a module's constant."""
        if expr.op == "getattr":
            layout = self._layout(expr.value)
            if layout is None:
                value = getattr(self._object(expr.value), expr.attr, None)
                return int(value) if isinstance(value, int) else None
            element = layout.fields.get(expr.attr)
            return known(layout).get(expr.attr) if element and not element.shape else None
        depth = 1
        inner = self._expression(expr.value)
        while inner is not None and inner.op in ("getitem", "static_getitem"):
            inner, depth = self._expression(inner.value), depth + 1
        if inner is None or inner.op != "getattr":
            return None
        layout = self._layout(inner.value)
        element = layout.fields.get(inner.attr) if layout is not None else None
        if layout is None or element is None or len(element.shape) != depth:
            return None
        return known(layout).get(inner.attr)

    def _expression(self, var: Any) -> Any:
        defined = self._defined(var)
        return defined[0] if len(defined) == 1 and isinstance(defined[0], ir.Expr) else None

    def _object(self, var: Any) -> Any:
        """Return the object that a variable names, if it is a global or a module's attribute."""
        defined = self._defined(var)
        if len(defined) != 1:
            return None
        if isinstance(defined[0], ir.Global | ir.FreeVar):
            return defined[0].value
        if isinstance(defined[0], ir.Expr) and defined[0].op == "getattr":
            module = self._object(defined[0].value)
            return (
                getattr(module, defined[0].attr, None) if isinstance(module, ModuleType) else None
            )
        return None

    def _made(self, var: Any, name: str) -> Any:
        """Return what a NamedTuple that is made in this function was given for a field."""
        call = self._expression(var)
        made = self._object(call.func) if call is not None and call.op == "call" else None
        fields = getattr(made, "_fields", ())
        place = fields.index(name) if name in fields else len(fields)
        return call.args[place] if place < len(fields) and place < len(call.args) else None

    def _layout(self, var: Any) -> Layout | None:
        """Return the layout that a variable is a view of."""
        kind = self._kind(var)
        return kind if isinstance(kind, Layout) else None

    def _kind(self, var: Any) -> Any:
        """Return the layout of a view, the Element of a field, or an argument's numba type."""
        defined = self._defined(var)
        if len(defined) != 1:
            return None
        if isinstance(defined[0], ir.Arg):
            return _plain(self._args[defined[0].index])
        if not isinstance(defined[0], ir.Expr):
            return None
        expr = defined[0]
        if expr.op == "call":
            made = self._object(expr.func)
            return made if isinstance(made, Layout) else None
        if expr.op == "getattr":
            made = self._made(expr.value, expr.attr)
            if made is not None:
                return self._kind(made)
            kind = self._kind(expr.value)
            if isinstance(kind, Layout):
                element = kind.fields.get(expr.attr)
                return None if element is None else _of_element(element)
            if isinstance(kind, types.NamedTuple) and expr.attr in kind.fields:
                return _plain(kind.types[kind.fields.index(expr.attr)])
            return None
        if expr.op in ("getitem", "static_getitem"):
            kind = self._kind(expr.value)
            return _of_element(kind.inner()) if isinstance(kind, Element) and kind.shape else None
        return None


def _of_element(element: Element) -> Any:
    return element if element.shape or element.layout is None else element.layout


def _plain(kind: Any) -> Any:
    """Return the layout of a view's type, the element of a field's type, or the type itself."""
    layout, element = getattr(kind, "layout", None), getattr(kind, "element", None)
    if isinstance(layout, Layout):
        return layout
    return element if isinstance(element, Element) else kind


@register_pass(mutates_CFG=True, analysis_only=False)
class UseFacts(FunctionPass):
    """Replace fields by their known values; remove what is never reached then."""

    _name = "kernel_facts"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        if _current is None:
            return False
        func_ir, changed = state.func_ir, False
        while True:
            kinds = _Known(func_ir, state.args)
            if not (_replace(func_ir, kinds) | _prune(func_ir, kinds)):
                break
            changed = True
            func_ir._definitions = build_definitions(func_ir.blocks)
        return changed


def _replace(func_ir: Any, kinds: _Known) -> bool:
    changed = False
    for block in func_ir.blocks.values():
        for assign in block.find_insts(ir.Assign):
            expr = assign.value
            if isinstance(expr, ir.Expr) and expr.op in ("getattr", "getitem", "static_getitem"):
                value = kinds.field(expr)
                if value is not None:
                    assign.value, changed = ir.Const(value, expr.loc), True
    return changed


def _prune(func_ir: Any, kinds: _Known) -> bool:
    """Make jumps of branches whose condition is known; remove the blocks that nothing reaches."""
    changed = False
    for block in func_ir.blocks.values():
        last = block.body[-1]
        if isinstance(last, ir.Branch):
            value = kinds.value(last.cond)
            if value is not None:
                target = last.truebr if value else last.falsebr
                block.body[-1], changed = ir.Jump(target, last.loc), True
    if changed:
        flow = compute_cfg_from_blocks(func_ir.blocks)
        for label in flow.dead_nodes():
            del func_ir.blocks[label]
        for label, block in func_ir.blocks.items():
            before = {source for source, _ in flow.predecessors(label)}
            for phi in block.find_exprs(op="phi"):
                _keep_incoming(phi, before)
        _remove_undefined(func_ir.blocks)
    return changed


def _keep_incoming(phi: Any, blocks: set[int]) -> None:
    """Let a phi take values from these blocks alone: those of the others are defined nowhere."""
    came = zip(phi.incoming_values, phi.incoming_blocks, strict=True)
    kept = [(value, block) for value, block in came if block in blocks]
    phi.incoming_values[:] = [value for value, _ in kept]
    phi.incoming_blocks[:] = [block for _, block in kept]


def _remove_undefined(blocks: dict[int, Any]) -> None:
    """Take away the phis of what no block assigns any more, for which numba finds no type.

    Where such a variable is read all the same it is 0.
    """
    phis = {
        assign.target.name: assign
        for block in blocks.values()
        for assign in block.find_insts(ir.Assign)
        if isinstance(assign.value, ir.Expr) and assign.value.op == "phi"
    }
    # those that get their values from one another alone are undefined, too
    undefined = dict(phis)
    while defined := [
        name
        for name, assign in undefined.items()
        if any(v is not ir.UNDEFINED and v.name not in undefined for v in _incoming(assign))
    ]:
        for name in defined:
            del undefined[name]
    for name, assign in phis.items():
        if name not in undefined:
            assign.value.incoming_values[:] = [
                ir.UNDEFINED if v is not ir.UNDEFINED and v.name in undefined else v
                for v in _incoming(assign)
            ]
    for block in blocks.values():
        block.body = [line for line in block.body if _target(line) not in undefined]
    lines = [line for block in blocks.values() for line in block.body]
    read = {var.name: var for line in lines for var in line.list_vars()}
    for name in read.keys() - {_target(line) for line in lines}:
        # read where it is never reached, which is not known here
        zero = ir.Assign(ir.Const(0, read[name].loc), read[name], read[name].loc)
        blocks[min(blocks)].body.insert(0, zero)


def _incoming(assign: Any) -> list[Any]:
    values: list[Any] = assign.value.incoming_values
    return values


def _target(line: Any) -> str:
    return line.target.name if isinstance(line, ir.Assign) else ""
