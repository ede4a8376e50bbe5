"""Without optimisation: functions that games share although they call what differs.

With optimisation a function is inlined into its callers, so it is compiled for each game that
differs in anything that it reaches. Without, a function's machine code depends on those facts alone
that it reads by itself. It is compiled once for the games that agree on these, under one name, and
each game's entries are linked with the functions that are right for this game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import config, ir

from ryugi_engine.kernel import cache_key
from ryugi_engine.kernel.codegen import facts
from ryugi_engine.kernel.declarations import Kernel
from ryugi_engine.kernel.views import Facts

_config: Any = config
#: The kernel of each of numba's dispatchers.
kernels: dict[Any, Kernel] = {}
#: Of each function's library: its kernel, the function's arguments and its result.
_made: dict[Any, tuple[Any, Any, Any]] = {}
#: The number in the name of each Python function that returns such a type.
_numbers: dict[tuple[Any, Any], int] = {}


def read_facts(kernel: Kernel) -> Facts | None:
    """Return the current facts that a kernel is compiled with."""
    known = facts.current()
    if known is None:
        return None
    if _config.OPT:
        return known.read_by(cache_key.names_of(kernel.function))
    return known.read_by(cache_key.own_names_of(kernel.function))


def name(function: Any) -> None:
    """Give a function its name, by numba's state after its types are inferred.

    Callers of other games may not know that it always returns one value here.
    """
    if not _config.OPT:
        _hide_value(function)
        identity = function.func_id
        key = identity.func, function.return_type
        identity.unique_id = _numbers.setdefault(key, len(_numbers) + 1)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"


def _hide_value(function: Any) -> None:
    """Let what is returned be of a plain type: what is returned is cast to it last."""
    plain = types.unliteral(function.return_type)
    if plain != function.return_type:
        function.return_type = plain
        for block in function.func_ir.blocks.values():
            if isinstance(block.body[-1], ir.Return):
                name = block.body[-1].value.name
                del function.typemap[name]
                function.typemap[name] = plain


def note(dispatcher: Any) -> None:
    """Note the libraries of what has been compiled of a kernel."""
    if _config.OPT:
        return
    for arguments, made in dispatcher.overloads.items():
        _made[made.library] = kernels[dispatcher], arguments, made.signature.return_type


def reached(entry: Any, dispatcher_of: Callable[..., Any]) -> list[Any]:
    """Return the libraries of what is called from an entry, in the game whose facts are current.

    ``dispatcher_of`` returns a kernel's dispatcher; another one for each type that it must return.
    """
    found: dict[Any, None] = {}  # in the order of the walk
    waiting = list(entry._linking_libraries)
    while waiting:
        library = waiting.pop()
        if library in _made:  # else numba's own, the same for all
            library = _in_this_game(*_made[library], dispatcher_of)
        if library not in found:
            found[library] = None
            waiting += library._linking_libraries
    return list(found)


def _in_this_game(
    kernel: Kernel, arguments: Any, result: Any, dispatcher_of: Callable[..., Any]
) -> Any:
    for must in (None, result):
        dispatcher = dispatcher_of(kernel, must)
        dispatcher.compile(arguments if must is None else result(*arguments))
        note(dispatcher)
        made = dispatcher.overloads[arguments]
        if made.signature.return_type == result:
            return made.library
    raise TypeError(f"{kernel.function.__qualname__} does not return {result} in this game")
