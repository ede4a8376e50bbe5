"""The page of a study: one HTML file that needs nothing else.

Source: HTML Living Standard.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from ryugi_engine import about
from ryugi_engine.games.move_diagram import draw_diagram
from ryugi_engine.games.registry import figures, start_of
from ryugi_engine.games.rules_page import diagrams
from ryugi_engine.records.webpage import theme
from ryugi_engine.study import replays
from ryugi_engine.study.course_section import balance_section, course_section
from ryugi_engine.study.findings import Finding, findings
from ryugi_engine.study.html import POLICY, link_to
from ryugi_engine.study.opening_section import mates_section, openings_section
from ryugi_engine.study.piece_section import pieces_section, rules_section
from ryugi_engine.study.plan import opening_plies
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games
from ryugi_engine.text.progress import duration

_STYLE = Path(__file__).parent / "page" / "study.css"


def page(study: Study) -> str:
    """Return the page of a study."""
    title = f"Study of {study.game.title}"
    sections = [
        ("Balance", balance_section(study)),
        ("Games", course_section(study)),
        ("Moves of the pieces", _diagrams(study)),
        ("Pieces", pieces_section(study)),
        ("Rules", rules_section(study)),
        ("Openings", openings_section(study)),
        ("Mates", mates_section(study)),
        ("Games to replay", _replay(study)),
    ]
    sections = [section for section in sections if section[1]]
    links = " ".join(
        f'<a href="#{link_to(heading)}">{escape(heading)}</a>' for heading, _ in sections
    )
    body = "\n".join(
        f'<section id="{link_to(heading)}">\n<h2>{escape(heading)}</h2>\n{content}\n</section>'
        for heading, content in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="ryugi-engine">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{theme()}{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="about">{escape(_about(study))}</p>
<div class="top">
<div class="start">{start_of(study.game).svg(captions=False)}</div>
{_findings(findings(study))}
</div>
<nav>{links}</nav>
{body}
{_unmeasured(study)}</main>
</body>
</html>
"""


def _about(study: Study) -> str:
    more = len(study.odds) + len(study.endings)
    besides = f", and {games(more)} for pieces and mates" if more else ""
    if study.repeated:
        besides += f" ({games(study.repeated)} more repeated others move by move and are left out)"
    return (
        f"{games(study.games)} that {about.engine()} played against itself{besides}, in"
        f" {duration(study.seconds)}, up to {study.date}. The first {opening_plies(study.game)}"
        " moves of a game, both sides' together, are drawn from the ten best, or from more where"
        " those are as good. The better ones are likelier. So games differ. A range in brackets"
        " has what very many such games would give, in 95 of 100 cases. Better players may differ."
    )


def _findings(found: Sequence[Finding]) -> str:
    lines = "\n".join(
        f'<li>{escape(one.text)}<span class="why">{escape(one.reason)}</span></li>' for one in found
    )
    return f'<ul class="findings">\n{lines}\n</ul>'


def _unmeasured(study: Study) -> str:
    """Return what the page lacks, and why."""
    lacking = [
        ("values of pieces, as none stands at the start", study.army is None),
        ("single rules, which are known in chess-like games alone", not study.rules),
        ("mates of a bare king", not study.mates),
    ]
    said = [what for what, lacks in lacking if lacks]
    return f'<p class="note">Not measured in this game: {"; ".join(said)}.</p>\n' if said else ""


def _replay(study: Study) -> str:
    if not study.shown:
        return ""
    whole = replays.replay(study.game, study.shown, study.first_side)
    names = ", ".join(name.lower() for name, _ in study.shown)
    return (
        f"<p>Of the games at {study.plan.nodes[study.shown_strength]:,} nodes a move:"
        f" {escape(names)}. The list above the board chooses.</p>"
        f'<iframe title="Games to replay" loading="lazy" srcdoc="{escape(whole)}"></iframe>'
    )


def _diagrams(study: Study) -> str:
    figure, board = figures(study.game), study.game.look.board
    drawn = "".join(
        f"<figure>{draw_diagram(one.title, figure(one.letter), one.marks, board).svg()}</figure>"
        for one in diagrams(study.game)
    )
    return f'<div class="diagrams">{drawn}</div>' if drawn else ""
