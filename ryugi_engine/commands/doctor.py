"""``doctor``: check machine, installation, cache and start; print faults and remedies."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from ryugi_engine import about
from ryugi_engine.commands.common import MISMATCH
from ryugi_engine.commands.gui import find_program
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted

#: Seconds to the first answer and until ready that no GUI waits longer for.
INTRODUCTION_LIMIT, READY_LIMIT = 5.0, 10.0
#: Nodes a second below which something must be wrong.
SLOW = 150_000
_PACKAGES = ("numba", "llvmlite", "numpy", "chess")
_HANG = 300.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Run all checks and print the findings; return MISMATCH if there is a fault."""
    return MISMATCH if examine(lambda line: print(line, flush=True)) else 0


@dataclass
class Findings:
    """Prints findings and counts faults."""

    write: Callable[[str], None]
    faults: int = field(default=0)

    def say(self, what: str, text: str) -> None:
        """Print a finding that is in order."""
        self.write(f"{what + ':' * bool(what):13}{text}")

    def fault(self, what: str, text: str, cure: str) -> None:
        """Print a fault and its remedy."""
        self.faults += 1
        self.write(f"{what + ':' * bool(what):13}{text}")
        self.write(f"  fault {self.faults}: {cure}")


def _versions(findings: Findings) -> None:
    findings.say("engine", about.engine())
    findings.say("Python", f"{platform.python_version()}, {sys.executable}")
    for package in _PACKAGES:
        try:
            findings.say(package, version(package))
        except PackageNotFoundError:
            findings.fault(package, "missing", f"{sys.executable} -m pip install {package}")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        findings.fault("numba", "NUMBA_DISABLE_JIT is set", "unset it: kernels must be compiled")


def _nets(findings: Findings) -> None:
    findings.say("nets", about.nets())


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _machine(findings: Findings) -> None:
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    findings.say("CPU", f"{_processor()}, {counted(cores, 'core')} for this process")


def _cache(findings: Findings) -> None:
    from ryugi_engine.kernel import cache, packaged, targets

    folder, objection = cache.place()
    kept = len(cache.files())
    state = f"{counted(kept, 'kernel')}, {cache.size() / 1e6:.1f} MB" if kept else "empty"
    try:
        state += f", limit {cache.limit()} MB"
    except UserError as error:
        findings.fault("cache", str(error), "set it to megabytes, or unset it")
    brought = packaged.folder(targets.target())
    if brought is not None:
        number = len(list(brought.iterdir()))
        findings.say("kernels", f"{counted(number, 'kernel')} for {brought.name} in the package")
    else:
        findings.say("kernels", "none in the package: they are compiled into the cache")
    if objection:
        findings.fault(
            "cache",
            f"{folder or 'none'}, {state}",
            f"{objection}, so kernels are compiled at every start: mend that, or set"
            " RYUGI_CACHE_DIR to a folder of yours",
        )
    else:
        findings.say("cache", f"{folder}, {state}")
    if not kept and brought is None:
        findings.say("", "compiling now; 'ryugi-engine warmup' does it for all games")


def _guis(findings: Findings) -> None:
    # none is needed, and an engine for another machine has no use for one
    for title, program in (("XBoard", "xboard"), ("Cute Chess", "cutechess")):
        findings.say(title, find_program(program) or "not found")


def _start(command: list[str]) -> tuple[float, float, str]:
    """Return (seconds to uciok, seconds to readyok, error) of a new engine process."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    introduced = ready = 0.0
    wrong = ""
    try:
        process.stdin.write("uci\nisready\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("uciok"):
                introduced = time.perf_counter() - began
            elif line.startswith("readyok"):
                ready = time.perf_counter() - began
                break
            elif line.startswith("info string error"):
                wrong = line.removeprefix("info string error:").strip()
        process.stdin.write("quit\n")
        process.stdin.close()
        process.wait(_HANG)
    except (OSError, subprocess.TimeoutExpired) as error:
        wrong = wrong or str(error)
    finally:
        process.kill()
        process.wait()
    if not ready and not wrong:
        assert process.stderr is not None
        wrong = " ".join(process.stderr.read().split())[-200:] or "the engine ended at once"
    return introduced, ready, wrong


def _starts(findings: Findings) -> bool:
    command = [sys.executable, "-P", "-m", "ryugi_engine"]
    introduced, ready, wrong = _start(command)  # the first may have to compile
    if not wrong:
        findings.say("first start", f"{introduced:.2f} s to uciok, {ready:.2f} s to readyok")
        used = os.times()
        before = used.children_user + used.children_system
        introduced, ready, wrong = _start(command)
    if wrong:
        cure = "install it anew; if that does not help, this line belongs into a bug report"
        findings.fault("start", wrong, cure)
        return False
    text = f"{introduced:.2f} s to uciok, {ready:.2f} s to readyok"
    used = os.times()
    busy = used.children_user + used.children_system - before
    if introduced <= INTRODUCTION_LIMIT and ready <= READY_LIMIT:
        findings.say("warm start", text)
    elif busy < READY_LIMIT / 2:
        findings.say("warm start", f"{text}, {busy:.2f} s of them its own: the machine is busy")
        findings.say("", "GUIs give up after 10 s: try again when other programs have ended")
    else:
        cure = "GUIs give up after 10 s: look for what slows Python down, a debugger or a slow CPU"
        findings.fault("warm start", text, cure)
    return True


def _page(findings: Findings) -> None:
    """Start the server of ``web``, and ask it for its page."""
    try:
        version("aiohttp")
    except PackageNotFoundError:
        findings.say("web page", "needs aiohttp: pip install 'ryugi-engine[web]'")
        return
    import asyncio

    from ryugi_engine.web.trial import try_page

    began = time.perf_counter()
    try:
        size = asyncio.run(try_page())
    except (OSError, UserError) as error:
        cure = "a firewall, or no address 127.0.0.1? 'ryugi-engine web --port N' tries another port"
        findings.fault("web page", str(error), cure)
        return
    seconds = time.perf_counter() - began
    findings.say("web page", f"aiohttp {version('aiohttp')}, {size} bytes in {seconds:.2f} s")


def _speed(findings: Findings) -> None:
    from ryugi_engine.games.groups import DEFAULT
    from ryugi_engine.games.registry import registry
    from ryugi_engine.search.bench import run_bench

    lines: list[str] = []
    began, used = time.perf_counter(), time.process_time()
    run_bench([registry().game(DEFAULT)], None, lines.append)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    rate = int(lines[-1].split(":")[1])
    # another program's share of the processor says nothing of this one
    own = int(rate * seconds / max(used, 0.001))
    if own < SLOW:
        cure = "a CPU that saves power, or an emulated one? 'numba -s' shows what numba detects"
        findings.fault("search", f"{rate} nodes/second", cure)
    elif used < seconds / 2:
        findings.say("search", f"{rate} nodes/second; {own} without what else runs here")
    else:
        findings.say("search", f"{rate} nodes/second")


def examine(write: Callable[[str], None]) -> int:
    """Run all checks, writing a line for each; return the number of faults."""
    result = Findings(write)
    _versions(result)
    _nets(result)
    _machine(result)
    _guis(result)
    _page(result)
    if not result.faults:
        try:
            _cache(result)
            if _starts(result):
                _speed(result)
        except Exception as error:  # any error is a finding
            result.fault("kernels", f"{error!r}"[:300], "remove the cache folder and try again")
    result.write("")
    result.write(
        "no faults" if not result.faults else f"{counted(result.faults, 'fault')}, see above"
    )
    return result.faults
