"""How numba learns of our kernels and operations: as types of the objects that name them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import types
from numba.core import registry
from numba.extending import intrinsic, typeof_impl

from ryugi_engine.kernel.codegen.pipeline import KernelPipeline
from ryugi_engine.kernel.declarations import Kernel, Operation

_intrinsics: dict[Operation, Any] = {}


def implements(operation: Operation) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function of a typing context and numba types as an operation's implementation.

    It returns the signature and a code generator, as for :func:`numba.extending.intrinsic`.
    """

    def register(declare: Callable[..., Any]) -> Callable[..., Any]:
        declare.__name__ = operation.__name__  # in messages
        _intrinsics[operation] = intrinsic(declare)
        return declare

    return register


@typeof_impl.register(Operation)
def _type_of_operation(operation: Operation, purpose: Any) -> Any:
    context: Any = registry.cpu_target.typing_context
    return context.resolve_value_type(_intrinsics[operation])


@cache
def dispatcher(kernel: Kernel) -> Any:
    """Return what numba compiles in place of a kernel, the same object at every call."""
    # Kernels are never called from Python: without the wrappers that numba would add for that,
    # compiling takes half the time. A routine takes the inlining of its caller.
    options: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if kernel.inline:
        options["forceinline"] = True
    return numba.njit(**options, pipeline_class=KernelPipeline)(kernel.function)


@typeof_impl.register(Kernel)
def _type_of_kernel(kernel: Kernel, purpose: Any) -> Any:
    return types.Dispatcher(dispatcher(kernel))
