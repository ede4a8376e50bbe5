"""The format of a match's output, by the options of ``match``.

A new format is a subclass of :class:`MatchOutput` and a line of :func:`create_output`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.match_output import MatchOutput, OutputGroup
from ryugi_engine.match.output_writers import JsonOutput, PlainOutput, TerminalOutput, VerboseOutput


def create_output(
    *,
    quiet: bool = False,
    as_json: bool = False,
    live: str = "never",
    report: Path | None = None,
    journal: Journal | None = None,
) -> MatchOutput:
    """Return the output that ``match``'s options of the same names ask for.

    A report is made from the journal. UserError if ``live`` is "always" and cannot be.
    """
    output: MatchOutput
    if _wants_live(live, quiet or as_json):
        from ryugi_engine.match.live import LiveOutput  # late: it imports rich

        output = LiveOutput()
    elif as_json:
        output = JsonOutput()
    elif quiet:
        output = PlainOutput()
    else:
        output = TerminalOutput() if sys.stdout.isatty() else VerboseOutput()
    if report is not None and journal is not None:
        from ryugi_engine.match.report import ReportOutput  # late: it takes a fifth of a start

        return OutputGroup(output, ReportOutput(report, journal, output.note))
    return output


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
