"""From a bundle's LLVM bitcode to its machine code, with what is known of a game.

In bitcode a number of a specialisable block is read by a call of a function without a body,
``field.i32.descriptors.form``. Here each gets one: what is known is returned as a constant, the
rest is loaded. Then LLVM removes what is never reached, and optimises. numba is not needed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from llvmlite import binding, ir

from ryugi_engine.kernel import targets
from ryugi_engine.kernel.views import Element, Values

WORD = ir.IntType(64)
_BYTE = ir.IntType(8)
_PREFIX = "field."
_LOADS = {"i": "sext", "u": "zext"}


def reader(module: Any, element: Element, path: str) -> Any:
    """Return the function that reads a field or an element of one, declared in an LLVM module."""
    sign = "i" if element.signed else "u"
    name = f"{_PREFIX}{sign}{8 * element.size}.{path}"
    found = module.globals.get(name)
    if found is None:
        found = ir.Function(module, ir.FunctionType(WORD, [_BYTE.as_pointer()]), name)
        for attribute in ("nounwind", "readonly"):
            found.attributes.add(attribute)
    return found


def _bodies(names: Sequence[str], values: Values) -> str:
    """Return an LLVM module with the functions of these names."""
    module, known = ir.Module("fields"), dict(values)
    for name in names:
        kind, _, path = name.removeprefix(_PREFIX).partition(".")
        function = ir.Function(module, ir.FunctionType(WORD, [_BYTE.as_pointer()]), name)
        function.linkage = "linkonce_odr"
        for attribute in ("alwaysinline", "nounwind"):
            function.attributes.add(attribute)
        builder = ir.IRBuilder(function.append_basic_block())
        if path in known:
            builder.ret(ir.Constant(WORD, known[path]))
            continue
        size = int(kind[1:])
        pointer = builder.bitcast(function.args[0], ir.IntType(size).as_pointer())
        value = builder.load(pointer, align=size // 8)
        value.set_metadata("invariant.load", module.add_metadata([]))
        builder.ret(value if size == 64 else getattr(builder, _LOADS[kind[0]])(value, WORD))
    return str(module)


def _level() -> int:
    """Return the level of optimisation, by numba's setting."""
    text = os.environ.get("NUMBA_OPT", "3")
    return 3 if text == "max" else int(text)


@cache
def initialise() -> None:
    """Make LLVM ready to emit machine code."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


@cache
def _machine(target: str, level: int) -> Any:
    """Return LLVM's target machine; that of numba, for the processor that there is, for NATIVE."""
    initialise()
    if target == targets.NATIVE:
        from numba.core import registry  # late: it takes long

        codegen: Any = registry.cpu_target.target_context.codegen()
        return codegen._tm
    return binding.Target.from_default_triple().create_target_machine(
        cpu=target, opt=level, reloc="static", codemodel="jitdefault", jit=True
    )


def _passes(machine: Any, level: int) -> Any:
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = level > 0
    options.slp_vectorization = False
    return binding.create_pass_builder(machine, options)


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _simplify(module: Any, builder: Any, passes: Any = None) -> None:
    """Run passes on each function, by default those of the builder's level."""
    passes = passes or builder.getFunctionPassManager()
    for function in _defined(module):
        passes.run(function, builder)


def _specialise(module: Any, names: Sequence[str], values: Values, machine: Any) -> None:
    """Give the functions that read fields their bodies; remove what is never reached then."""
    builder = _passes(machine, 1)
    if names:
        module.link_in(binding.parse_assembly(_bodies(names, values)))
        inlining = binding.create_new_module_pass_manager()
        inlining.add_always_inliner_pass()
        inlining.run(module, builder)
    removing = binding.create_new_module_pass_manager()
    removing.add_global_dead_code_eliminate_pass()
    # cheap passes come first: what no game like this reaches is not worth more
    cheap = binding.create_new_function_pass_manager()
    cheap.add_sroa_pass()
    cheap.add_sccp_pass()
    cheap.add_simplify_cfg_pass()
    _simplify(module, builder, cheap)
    removing.run(module, builder)
    level = _level()
    if level:
        _simplify(module, _passes(machine, level))
        removing.run(module, builder)


def simplified(bitcode: bytes) -> bytes:
    """Return a bundle's bitcode with each function simplified by itself, for any processor.

    What is done once need not be done for each game.
    """
    initialise()
    module = binding.parse_bitcode(bitcode)
    _simplify(module, _passes(_machine("", 3), 3))
    result: bytes = module.as_bitcode()
    return result


#: Instructions of a kernel, in the bundle of all games and in one game's. A larger one is inlined
#: only into a single caller, or where LLVM wants it. All games' kernels inlined everywhere were ten
#: times as long, and took six times as long to compile.
_ALL_GAMES, _ONE_GAME = 400, 2500
#: How bitcode marks a kernel; a routine has no such mark.
KERNEL = b"inlinehint"


def _kernels_within(module: Any, limit: int) -> list[Any]:
    """Return the kernels that are inlined wherever they are called."""
    functions = {function.name: function for function in _defined(module)}
    calls: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    for name, function in functions.items():
        found = [one for block in function.blocks for one in block.instructions]
        sizes[name] = len(found)
        called = ([*one.operands][-1].name for one in found if one.opcode == "call")
        calls[name] = [callee for callee in called if callee in functions]
    callers = Counter(callee for callees in calls.values() for callee in callees)

    @cache
    def size(name: str) -> int:
        return sizes[name] + sum(size(callee) for callee in calls[name] if is_inlined(callee))

    @cache
    def is_inlined(name: str) -> bool:
        kernel = KERNEL in functions[name].attributes
        return kernel and (callers[name] == 1 or size(name) <= limit)

    return [function for name, function in functions.items() if is_inlined(name)]


def _optimise(module: Any, inlined: Iterable[Any], machine: Any, level: int) -> None:
    for function in inlined:
        function.add_function_attribute("alwaysinline")
    first = _passes(machine, 0)
    inlining = first.getModulePassManager()
    # rotated loops are vectorised
    inlining.add_loop_rotate_pass()
    inlining.add_instruction_combine_pass()
    inlining.add_jump_threading_pass()
    inlining.run(module, first)
    builder = _passes(machine, level)
    builder.getModulePassManager().run(module, builder)


def machine_code(bitcode: bytes, values: Values, names: Sequence[str]) -> list[bytes]:
    """Return the object file for each of the targets that are named.

    The first one's optimisations are those of all: most of the time goes before any instruction is
    chosen. ValueError if it is no bitcode that this version of LLVM reads.
    """
    initialise()
    try:
        module = binding.parse_bitcode(bitcode)
    except RuntimeError as error:
        raise ValueError(f"bitcode: {error}") from None
    level = _level()
    machine = _machine(names[0], level)
    readers = [f.name for f in module.functions if f.name.startswith(_PREFIX)]
    _specialise(module, readers, values, machine)
    if level:
        if readers:
            inlined = _kernels_within(module, _ONE_GAME if values else _ALL_GAMES)
        else:
            inlined = [function for function in _defined(module) if KERNEL in function.attributes]
        _optimise(module, inlined, machine, level)
    # emitting changes a module
    return [_machine(name, level).emit_object(module.clone()) for name in names]
