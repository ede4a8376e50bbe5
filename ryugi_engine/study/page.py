"""The page of a study: one HTML file that needs nothing else.

Source: HTML Living Standard.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ryugi_engine import about
from ryugi_engine.games.registry import start_of
from ryugi_engine.records.webpage import theme
from ryugi_engine.study import plots
from ryugi_engine.study.findings import Finding, findings
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, number, percent
from ryugi_engine.text.progress import duration

_STYLE = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--bg); color: var(--ink); }
h1 { font-size: 1.6rem; margin: .5rem 0 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
.about, .note, caption { color: var(--muted); font-size: .88rem; }
ul.findings { margin: 1rem 0; padding: .8rem 1rem .8rem 2rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 10px; font-size: 1.08rem; }
ul.findings li { margin: .35rem 0; }
ul.findings .why { display: block; color: var(--muted); font-size: .85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; background: var(--surface);
  border: 1px solid var(--line); border-radius: 10px; margin: .5rem 0; }
caption { text-align: left; padding: .2rem 0; }
th, td { padding: .3rem .7rem; text-align: left; white-space: nowrap; vertical-align: top; }
td { border-top: 1px solid var(--line); }
td.wrap { white-space: normal; min-width: 12rem; }
th { color: var(--muted); font-size: .85rem; font-weight: 600; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
svg.plot { display: block; width: 100%; max-width: 46rem; height: auto; margin: .6rem 0;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px;
  font: 14px system-ui, sans-serif; fill: var(--ink); }
svg.plot .small { font-size: 12px; fill: var(--muted); }
svg.plot .grid { stroke: var(--line); }
svg.plot .win { fill: var(--good); opacity: .75; }
svg.plot .draw { fill: var(--muted); opacity: .4; }
svg.plot .loss { fill: var(--bad); opacity: .75; }
svg.plot .bar { fill: var(--accent); opacity: .8; }
svg.plot .whisker { stroke: var(--ink); stroke-width: 3; }
svg.plot .dot { fill: var(--surface); stroke: var(--ink); stroke-width: 2.5; }
svg.plot .line { stroke: var(--accent); stroke-width: 3; }
svg.plot .point { fill: var(--accent); }
.key span { display: inline-block; margin-right: 1.2rem; white-space: nowrap; }
.key i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.key .win { background: var(--good); } .key .loss { background: var(--bad); }
.key .draw { background: var(--muted); }
.start svg { display: block; max-width: 24rem; width: 100%; height: auto; margin: 1rem 0; }
.diagrams { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr));
  gap: 1rem; }
.diagrams figure { margin: 0; } .diagrams svg { width: 100%; height: auto; }
iframe { width: 100%; height: 46rem; border: 1px solid var(--line); border-radius: 10px; }
@media (max-width: 600px) { body { padding: .7rem; } svg.plot { font-size: 20px; }
  svg.plot .small { font-size: 18px; } }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
"""
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
    " script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:;"
    " frame-src 'self'\">"
)


def page(study: Study) -> str:
    """Return the page of a study."""
    title = f"Study of {study.game.title}"
    sections = [("Balance", _balance(study)), ("Games", _course(study))]
    body = "\n".join(
        f"<section>\n<h2>{heading}</h2>\n{content}\n</section>"
        for heading, content in sections
        if content
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="ryugi-engine">
<meta name="viewport" content="width=device-width, initial-scale=1">
{_POLICY}
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{theme()}{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="about">{escape(_about(study))}</p>
{_findings(findings(study))}
<div class="start">{start_of(study.game).svg(captions=False)}</div>
{body}
</main>
</body>
</html>
"""


def _about(study: Study) -> str:
    return (
        f"{games(study.games)} that {about.engine()} played against itself, in"
        f" {duration(study.seconds)}, up to {study.date}. Each figure is followed by its 95 %"
        " interval: the true value lies outside in one case of twenty."
    )


def _findings(found: Sequence[Finding]) -> str:
    lines = "\n".join(
        f'<li>{escape(one.text)}<span class="why">{escape(one.reason)}</span></li>' for one in found
    )
    return f'<ul class="findings">\n{lines}\n</ul>'


def table(identity: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of HTML cells; a column whose head ends in ``#`` holds numbers."""
    kinds = [' class="n"' if word.endswith("#") else "" for word in head]
    lines = [f'<div class="scroll"><table id="{identity}">', "<thead><tr>"]
    lines += [f"<th{k}>{escape(w.rstrip('#'))}</th>" for k, w in zip(kinds, head, strict=True)]
    lines.append("</tr></thead>\n<tbody>")
    for row in rows:
        cells = (f"<td{k}>{cell}</td>" for k, cell in zip(kinds, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>\n</table></div>"])


def _balance(study: Study) -> str:
    first = escape(study.first)
    rows = [
        [
            f"{balance.nodes:,}",
            percent(balance.first),
            percent(balance.wins),
            percent(balance.draws),
            percent(balance.losses),
            f"{balance.first.games:,}",
        ]
        for balance in study.balances
    ]
    head = (
        "Nodes a move#", f"{study.first}'s score#", "Wins#", "Draws#", "Losses#", "Games#",
    )  # fmt: skip
    bars = [
        (
            f"{balance.nodes:,} nodes",
            [
                ("win", balance.wins.value),
                ("draw", balance.draws.value),
                ("loss", balance.losses.value),
            ],
            balance.first,
        )
        for balance in study.balances
    ]
    key = "".join(
        f'<span><i class="{kind}"></i>{text}</span>'
        for kind, text in (("win", f"{first} wins"), ("draw", "draw"), ("loss", f"{first} loses"))
    )
    return (
        f"<p>{first} moves first. More nodes a move are stronger play."
        f" The dot is {first}'s score, the line its interval.</p>"
        f"{plots.stacked('Results by strength', bars)}"
        f'<p class="key">{key}</p>{table("balance", head, rows)}'
    )


def _course(study: Study) -> str:
    course = study.course
    if course is None:
        return ""
    low, middle, high = course.quantiles
    rows = [
        ("Length in plies (moves of one side)", number(course.length)),
        ("Lengths of 10, 50 and 90 % of the games", f"up to {low}, {middle} and {high} plies"),
        ("Legal moves in a position", number(course.branching)),
        ("Captures in a game", number(course.captures)),
        ("Drops in a game", number(course.drops)),
        ("Decided after the opening: expected score beyond 80 %", percent(course.decided)),
        ("Comebacks: a side with less than 20 % does not lose", percent(course.comebacks)),
        ("Sharpness: expected score that the second-best move loses", percent(course.sharpness)),
        ("Positions with an only move: all others lose 20 % or more", percent(course.only_moves)),
    ]
    facts = table("course", ("Figure", "Value#"), [[escape(a), escape(b)] for a, b in rows])
    ends = table(
        "ends",
        ("End", "Share of games#"),
        [[escape(reason), percent(figure)] for reason, figure in course.ends],
    )
    return (
        f"<p>From {games(course.games)} of the stronger kinds.</p>{facts}"
        f"{plots.histogram('Lengths of games', course.lengths, 'plies')}<h3>How they end</h3>{ends}"
    )
