"""How numba learns of our kernels and operations: as types of the objects that name them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba import types
from numba.core import registry
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model, typeof_impl

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


class KernelType(types.Dispatcher):
    """The numba type of a kernel: literals among its arguments are integers like all others.

    LLVM sees them where a kernel is inlined; numba would infer its types again for each literal.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_type(context, tuple(map(types.unliteral, args)), plain)


register_model(KernelType)(models.OpaqueModel)


@lower_constant(KernelType)
def _constant(context: Any, builder: Any, kind: Any, kernel: Any) -> Any:
    """Return no value: what is called is known by its type, and numba would keep its address."""
    return context.get_dummy_value()


@cache
def _dispatcher(kernel: Kernel) -> Any:
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
    return KernelType(_dispatcher(kernel))
