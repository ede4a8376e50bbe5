"""The format of a match's output, by the options of ``match``.

A new format is a subclass of :class:`MatchOutput` and a line of :data:`FORMATS`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.match_output import MatchOutput, OutputGroup
from ryugi_engine.match.output_writers import JsonOutput, PlainOutput, TerminalOutput, VerboseOutput


def _live() -> MatchOutput:
    from ryugi_engine.match.live import LiveOutput  # late: it imports rich

    return LiveOutput()


#: What makes each format, by its name.
FORMATS: dict[str, Callable[[], MatchOutput]] = {
    "live": _live,
    "json": JsonOutput,
    "quiet": PlainOutput,
    "terminal": TerminalOutput,
    "lines": VerboseOutput,
}


def create_output(
    name: str, report: Path | None = None, journal: Journal | None = None
) -> MatchOutput:
    """Return the output of a name of :data:`FORMATS`, and a report that is made from a journal."""
    output = FORMATS[name]()
    if report is None or journal is None:
        return output
    from ryugi_engine.match.report import ReportOutput  # late: it takes a fifth of a start

    return OutputGroup(output, ReportOutput(report, journal, output.note))


def format_of(*, quiet: bool = False, as_json: bool = False, live: str = "never") -> str:
    """Return the name of the format that ``match``'s options of these names ask for.

    UserError if ``live`` is "always" and cannot be.
    """
    if _wants_live(live, quiet or as_json):
        return "live"
    if quiet or as_json:
        return "json" if as_json else "quiet"
    return "terminal" if sys.stdout.isatty() else "lines"


def _wants_live(choice: str, plain_output: bool) -> bool:
    """Return whether to show the live table; UserError if it is required and impossible.

    ``plain_output``: lines alone are asked for.
    """
    if choice == "never":
        return False
    why = _hindrance(plain_output)
    if why and choice == "always":
        raise UserError(f"--live always: {why}")
    return not why


def _hindrance(plain_output: bool) -> str:
    if plain_output:
        return "not with --quiet or --json"
    if not sys.stdout.isatty():
        return "standard output is no terminal"
    try:
        from rich.console import Console
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "rich":
            raise
        return "it needs rich: pip install 'ryugi-engine[live]'"
    return "" if not Console().is_dumb_terminal else "the terminal cannot show it (TERM)"
