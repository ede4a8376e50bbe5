"""numba's passes that a kernel needs, a third fewer than a Python function needs."""

from __future__ import annotations

from typing import Any

from numba.core import compiler, typed_passes, untyped_passes
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass

#: Passes for what no kernel has: closures, context managers, exceptions, unrolled loops over
#: tuples, arrays; and one that prunes what LLVM prunes as well.
_NOT_NEEDED = frozenset(
    {
        untyped_passes.WithLifting,
        untyped_passes.DeadBranchPrune,
        untyped_passes.InlineClosureLikes,
        untyped_passes.RewriteDynamicRaises,
        untyped_passes.MakeFunctionToJitFunction,
        untyped_passes.InlineInlinables,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,
        typed_passes.InlineOverloads,
        typed_passes.NopythonRewrites,
        typed_passes.DumpParforDiagnostics,
    }
)


@register_pass(mutates_CFG=False, analysis_only=True)
class _NoAnnotation(AnalysisPass):
    """Leave out the annotated source, which later passes only hand on."""

    _name = "kernel_without_annotation"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.type_annotation = None
        return False


class KernelPipeline(compiler.Compiler):
    """Compiles a kernel."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes, in numba's order."""
        whole = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager("kernel")
        for wanted, text in whole.passes:
            if wanted is typed_passes.AnnotateTypes:
                passes.add_pass(_NoAnnotation, text)
            elif wanted not in _NOT_NEEDED:
                passes.add_pass(wanted, text)
        passes.finalize()
        return [passes]
