"""The command line. Without a command the engine waits for ``uci`` or ``xboard``."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from types import SimpleNamespace

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import fault
from ryugi_engine.processes import process
from ryugi_engine.text.plain_text import plain


def _check_tuning() -> None:
    """Refuse a developer's wish for other numbers in the search, before anything has begun."""
    if os.environ.get("RYUGI_TUNE"):
        importlib.import_module("ryugi_engine.search.parameters")


def _serve() -> int:
    """Wait for a GUI. No parser is imported: GUIs measure how long the first answer takes."""
    from ryugi_engine.commands import serve

    return serve.run(SimpleNamespace(command=None, variants=""))


def _run(command_line: list[str]) -> int:
    from ryugi_engine.commands.command_line import module_of, parser_of
    from ryugi_engine.files import output

    arguments = parser_of(command_line).parse_args(command_line)
    try:
        with output.running(arguments):
            exit_code: int = module_of(arguments.command).run(arguments)
    finally:
        progress = sys.modules.get("ryugi_engine.kernel.compile_progress")
        if progress is not None:
            progress.watch(None)
    return exit_code


def main(command_line: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's; return the exit code."""
    command_line = list(sys.argv[1:] if command_line is None else command_line)
    if command_line[:1] == ["help"]:
        command_line = [*command_line[1:], "--help"]
    elif command_line == ["version"]:
        command_line = ["--version"]
    try:
        _check_tuning()
        return _run(command_line) if command_line else _serve()
    except UserError as error:
        print(f"ryugi-engine: {plain(str(error))}", file=sys.stderr)
        return process.WRONG
    except KeyboardInterrupt:
        print("ryugi-engine: interrupted", file=sys.stderr)
        return process.INTERRUPTED
    except BrokenPipeError:
        return 0  # whoever was reading has seen enough
    except OSError as error:
        message = fault(error.filename, error) if error.filename else error.strerror or error
        print(f"ryugi-engine: {plain(str(message))}", file=sys.stderr)
        return process.WRONG
