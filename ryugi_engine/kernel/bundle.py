"""Bundles: what is compiled together, into one object file.

Most are a single entry. The entries of a family of games call the same kernels and are one bundle,
which all its games can be played by. It may be specialised: compiled for one game, with the values
of its tables as constants. numba infers a bundle's types once, for all games. Its result, LLVM's
bitcode, is kept; with that no game needs numba. While a game has no machine code of its own it is
played by that of all games.

Only bundles are cached on disk, in a folder that only the user can write
(:mod:`ryugi_engine.kernel.cache`). Their key changes with everything that the machine code depends
on (:mod:`ryugi_engine.kernel.cache_key`). Those of a wheel are found first
(:mod:`ryugi_engine.kernel.packaged`).
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import cache, cache_key, compile_progress, lint, packaged, targets
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.object_code import LOCK, Loaded, load_functions
from ryugi_engine.kernel.views import Layout, Values, read_by

#: The package of the entries that all games use.
_ENGINE = __name__.partition(".")[0]
#: Messages about compiling and damaged files; whoever owns the process's output listens.
log = logging.getLogger("ryugi_engine.kernel.jit")
#: The bundles that had to be compiled, not loaded, in this process.
compiled: list[str] = []
#: All bundles that are not made for one game, in the order of their definition.
bundles: list[Bundle] = []


@functools.cache
def announce() -> None:
    """Log that kernels are being compiled; once in a process."""
    log.info("compiling the kernels, once for this version; this takes a while")


class Bundle:
    """Functions of ``int64`` arguments and results that are compiled into one object file.

    They are compiled, or loaded from the cache, by :meth:`load`. ``late`` ones are not loaded
    before their use. With a specialisable ``layout`` :meth:`given` makes more of them.
    """

    def __init__(self, name: str, *, late: bool = False, layout: Layout | None = None) -> None:
        self.name, self.late, self.layout = name, late, layout
        self.functions: list[Callable[..., int]] = []
        self._arities: list[int] = []
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None
        self._special: dict[Values, Bundle] = {}
        #: What is known of one game's tables, and the bundle for all games.
        self.values: Values = ()
        self.general: Bundle = self
        #: Whether it was loaded as that of all games.
        self.borrowed = False
        bundles.append(self)

    def add(self, function: Callable[..., int], arity: int) -> int:
        """Add a function before anything is compiled; return its number."""
        lint.check_arity(function, arity)
        self.functions.append(function)
        self._arities.append(arity)
        return len(self.functions) - 1

    def given(self, values: Values) -> Bundle:
        """Return the bundle for games of which these values are known.

        Games have the same one if they differ in nothing that it reads.
        """
        known = read_by(self._names, values)
        if not known:
            return self
        if known not in self._special:
            made = Bundle(self.name, late=self.late)
            bundles.remove(made)
            made.functions, made._arities = self.functions, self._arities
            made.values, made.general = known, self
            self._special[known] = made
        return self._special[known]

    # ---- what it is --------------------------------------------------------------------------

    @cached_property
    def _names(self) -> frozenset[str]:
        """Every name that its kernels may look up: asked for each entry of each game."""
        return cache_key.names_of(self.functions)

    @cached_property
    def package(self) -> str:
        """Name of the package that its module lies in."""
        return self.name.rpartition(".")[0].rpartition(".")[0]

    @property
    def extent(self) -> int:
        """Number of kernels that are compiled into it."""
        return len(cache_key.functions_of(self.functions))

    def belongs_to(self, modules: Iterable[str]) -> bool:
        """Return whether it is the engine's, or below a package of one of these modules."""
        packages = tuple(module.rpartition(".")[0] + "." for module in modules)
        return self.name.startswith((*packages, f"{_ENGINE}."))

    @functools.cache  # noqa: B019 - bundles live as long as the process
    def content_key(self, target: str) -> str:
        """Return the key of its content, see :mod:`ryugi_engine.kernel.cache_key`."""
        return cache_key.content_key_of(self.functions, target, self.values)

    @functools.cache  # noqa: B019
    def key(self, target: str) -> str:
        """Return its key in the cache."""
        return cache_key.key_of(self.functions, self.content_key(target))

    def is_ready(self, *names: str) -> bool:
        """Return whether it is loaded or can be loaded; or is cached for all these targets."""
        if names:
            return all(cache.is_kept(self.name, self.key(name)) for name in names)
        if self._loaded is not None and not self.borrowed:
            return True
        target = targets.target()
        return packaged.is_there(target, self.name, self.content_key(target)) or self.is_ready(
            target
        )

    # ---- loading -----------------------------------------------------------------------------

    @property
    def in_use(self) -> Bundle:
        """The bundle whose machine code is loaded: that for all games until its own is there."""
        return self if self.is_ready() else self.general

    def load(self, *, wait: bool = True, own: bool = False) -> bool:
        """Load it from package or cache, or compile it; return whether it is loaded.

        A game is played by the machine code of all games while there is none of its own; with
        ``own`` that is compiled. What is loaded stays. With ``wait`` False it is left alone while
        another process compiles it.
        """
        with self._lock:
            source = self if own else self.in_use
            if own and self.borrowed:
                self._loaded, self.borrowed = None, False
            if self._loaded is None and source is not self:
                self.borrowed = source.load(wait=wait)
                self._loaded = source._loaded
            elif self._loaded is None:
                target = targets.target()
                brought = packaged.read(target, self.name, self.content_key(target))
                found = [brought] if brought else self.machines(target, wait=wait)
                if found:
                    self._loaded = load_functions(found[0])
        return self._loaded is not None

    def address(self, number: int) -> int:
        """Return the C address of one of its functions; compiles or loads it first."""
        self.load()
        assert self._loaded is not None
        return self._loaded.addresses[number]

    def machines(self, *names: str, wait: bool = True) -> list[Machine]:
        """Return the machine code for targets, from the cache or compiled.

        With ``wait`` False, none while another process compiles it.
        """
        with cache.claim(f"{self.name} {self.key(names[0])}", wait=wait) as mine:
            if not mine:
                return []
            kept = [self._kept(self.key(name)) for name in names]
            found = [machine for machine in kept if machine is not None]
            return found if len(found) == len(names) else self._compile_shown(names)

    def bitcode(self) -> Machine:
        """Return it as bitcode; a specialisable one's is kept."""
        if self.layout is None:
            return self._infer()
        key = self.content_key(targets.BITCODE)
        brought = packaged.read(targets.BITCODE, self.name, key)
        if brought is not None:
            return brought
        key = self.key(targets.BITCODE)
        with cache.claim(f"{self.name} {key}", wait=True):
            kept = self._kept(key)
            if kept is None:
                from ryugi_engine.kernel.codegen import specialising  # late: it imports LLVM

                made = self._infer()
                kept = Machine(made.symbols, specialising.simplified(made.code))
                self._keep(key, kept)
        return kept

    def _kept(self, key: str) -> Machine | None:
        try:
            return cache.read(self.name, key)
        except cache.Damaged as error:
            log.warning("%s: it is compiled anew", error)
        except OSError as error:
            log.warning("%s: %s: it is compiled instead", self.name, error.strerror or error)
        return None

    def _keep(self, key: str, machine: Machine) -> None:
        try:
            cache.write(self.name, key, machine)
        except OSError as error:
            reason = error.strerror or error
            log.warning("%s: compiled, but could not be kept: %s", self.name, reason)

    # ---- compiling ---------------------------------------------------------------------------

    def _compile_shown(self, names: Sequence[str]) -> list[Machine]:
        others = [one for one in bundles if one.package == self.package and not one.late]
        with compile_progress.compiling(self, others):
            return self._compile(names)

    def _compile(self, names: Sequence[str]) -> list[Machine]:
        from ryugi_engine.kernel.codegen import specialising  # late: it imports LLVM

        announce()
        compiled.append(self.name)
        code = self.general.bitcode()
        with LOCK:
            objects = specialising.machine_code(code.code, self.values, names)
        machines = [Machine(code.symbols, content) for content in objects]
        for name, machine in zip(names, machines, strict=True):
            self._keep(self.key(name), machine)
        cache.trim()
        return machines

    def _infer(self) -> Machine:
        """Let numba infer the types of what is compiled, for all games."""
        from ryugi_engine.kernel.codegen import compiler  # late: they import numba
        from ryugi_engine.kernel.codegen.signature_cache import signatures_kept

        try:
            for function in cache_key.functions_of(self.functions):
                lint.check_source(function)
            with LOCK, signatures_kept():
                pairs = zip(self.functions, self._arities, strict=True)
                return compiler.compile_functions([*pairs])
        except (compiler.CompileError, GameError) as error:
            bundles[:] = [item for item in bundles if item is not self]  # other games go on
            name = "" if isinstance(error, GameError) else f"{self.name}: "
            raise GameError(f"{name}{error}") from None
