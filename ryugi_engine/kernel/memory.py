"""Raw memory and bit operations for kernels.

A kernel sees its data as *blocks*: flat memory made by :class:`ryugi_engine.kernel.block.Block` and
named by its address, an ``int64``. An index counts elements of the width in the function's name.
All kernel arithmetic is ``int64``. With numba's flags LLVM assumes that ``+ - *`` on int64 never
overflow. So code on whole 64-bit patterns uses :func:`mul` and :func:`add`, which wrap, and
:func:`shr`, which shifts logically.

With ``RYUGI_BOUNDSCHECK=1`` in the environment every access is compared with the size in front of
the block. A violation stops the process with an illegal-instruction trap.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.declarations import Operation, operation

#: ``loadN(address, index)`` returns an element of N bits, zero-extended.
load64, load32, load8 = Operation("load64"), Operation("load32"), Operation("load8")
#: A load that is never optimised away: another thread may write the word.
shared64 = Operation("shared64")
#: ``prefetch(address, index)`` asks for the cache line of a 64-bit element, without waiting for it.
prefetch = Operation("prefetch")
#: ``storeN(address, index, value)`` writes the low N bits of a value.
store64, store32, store8 = Operation("store64"), Operation("store32"), Operation("store8")


@operation
def shr(value: Any, count: Any) -> Any:
    """Return ``value`` shifted right by ``count`` in 0..63, zeros shifted in."""


@operation
def mul(a: Any, b: Any) -> Any:
    """Return the product modulo 2**64."""


@operation
def add(a: Any, b: Any) -> Any:
    """Return the sum modulo 2**64."""


@operation
def popcount(value: Any) -> Any:
    """Return the number of set bits."""


@operation
def ctz(value: Any) -> Any:
    """Return the index of the lowest set bit of a value that is not 0."""


@operation
def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return ``yes if condition else no``, both evaluated, without a branch."""


#: ``callN(address, ...)`` calls the compiled entry at an address with N int64 arguments.
call1, call2, call3 = Operation("call1"), Operation("call2"), Operation("call3")
call4, call5, call6 = Operation("call4"), Operation("call5"), Operation("call6")
#: ``recurseN(...)`` calls the routine that it stands in, which has N int64 arguments and an int64
#: result. If a routine called itself by name, numba would infer the types of all of it again for
#: each call.
recurse3, recurse4, recurse5 = Operation("recurse3"), Operation("recurse4"), Operation("recurse5")
recurse6, recurse7, recurse8 = Operation("recurse6"), Operation("recurse7"), Operation("recurse8")
