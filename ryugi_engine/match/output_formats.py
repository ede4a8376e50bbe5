"""The format of a match's output, by the options of ``match``.

A new format is a subclass of :class:`MatchOutput` and a line of :func:`create_output`.
"""

from __future__ import annotations

import sys
from pathlib import Path

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
    from ryugi_engine.match.live import LiveOutput, wants_live  # late: it imports rich

    output: MatchOutput
    if wants_live(live, quiet or as_json):
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
