"""What LLVM makes of :class:`ryugi_engine.kernel.declarations.Variable`: a load."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_constant

from ryugi_engine.kernel.declarations import Variable


@lower_constant(types.int64)
def _integer(context: Any, builder: Any, kind: Any, value: int) -> Any:
    """Lower an integer that a kernel refers to by name: numba sees any ``int`` as a constant."""
    word = context.get_value_type(kind)
    if isinstance(value, Variable):
        address = ir.Constant(word, value.address)
        return builder.load(builder.inttoptr(address, word.as_pointer()))
    return word(value)
