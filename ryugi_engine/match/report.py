"""A match as web pages that need nothing else and work from the disk.

``index.html`` has the tables, how the estimates came about, and how the games ended. On the other
pages the games can be replayed, some hundred on each. Source: HTML Living Standard.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading, writing
from ryugi_engine.files.output import PAGE
from ryugi_engine.games.game import Game, counted
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.ratings import Standings, place_cells, standings
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.statistics import Score, rounded
from ryugi_engine.match.summary import duration, summary_lines
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.webpage import page, theme
from ryugi_engine.text.chart import Line, chart
from ryugi_engine.text.html_table import html_table
from ryugi_engine.text.plain_text import plain

#: How many games are replayed on one page: a page of so many has some megabytes.
GAMES_A_PAGE = 400
#: How many points a line of a chart has at most.
_POINTS = 120
#: Bytes of a page that has been written by somebody.
_LARGEST = 1 << 30

_STYLE = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1100px; background: var(--bg); color: var(--ink); }
h1 { font-size: 1.15rem; font-weight: 650; margin: 0; }
h1 + p { margin: 0; font-size: .85rem; color: var(--muted); }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; }
.scroll { overflow-x: auto; }
table, pre, svg { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: separate; border-spacing: 0; }
th, td { padding: .3rem .7rem; text-align: left; white-space: nowrap; }
td { border-top: 1px solid var(--line); }
th { color: var(--muted); font-size: .85rem; font-weight: 600; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { padding: .7rem; overflow-x: auto; margin: 0; }
svg { display: block; width: 100%; height: auto; fill: var(--ink); }
svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--muted); }
svg [stroke="#000000"] { stroke: var(--ink); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
"""


@dataclass(frozen=True)
class Tournament:
    """The games of a match, and the other data of its report."""

    game: Game
    #: All engines, those without a game too.
    names: Sequence[str]
    games: Sequence[FinishedGame]
    #: Game and time control.
    what: str
    #: A test of the first engine against the second.
    test: Sprt | None = None


def write_report(folder: Path, tournament: Tournament) -> Path:
    """Write the pages and return the first one; UserError for what cannot be written.

    Pages of an earlier report are replaced; a page whose games are the same is not drawn again.
    """
    games = sorted(tournament.games, key=lambda game: game.number)
    with reading.naming(folder):
        folder.mkdir(exist_ok=True)
        (folder / "games").mkdir(exist_ok=True)
    for begin in range(0, len(games), GAMES_A_PAGE):
        some = games[begin : begin + GAMES_A_PAGE]
        path = folder / _page_of(begin)
        records = "".join(game.record for game in some)
        mark = f"<!-- {hashlib.sha256(records.encode('utf-8')).hexdigest()} -->\n"
        with reading.naming(path):
            if not _begins(path, mark):
                writing.write_whole(path, mark + _replay(tournament.game, some), PAGE)
    index = folder / "index.html"
    with reading.naming(index):
        writing.write_whole(index, _index(tournament, games), PAGE)
    return index


def report_match(folder: Path, plan: MatchPlan, journal: Journal) -> str:
    """Write the pages of a match from its journal, games of earlier runs too; return a line."""
    games = journal.read().games
    tournament = Tournament(plan.game, plan.names, games, plan.description, plan.test)
    return f"Report: {plain(str(write_report(folder, tournament)))}"


def _page_of(number: int) -> str:
    """Return the path of the page of a game, by its index from 0."""
    return f"games/{number // GAMES_A_PAGE + 1}.html"


def _link_to(number: int) -> str:
    return f"{_page_of(number)}#game={number % GAMES_A_PAGE + 1}"


def _begins(path: Path, mark: str) -> bool:
    """Return whether a page exists and begins with the digest of the same games."""
    try:
        with reading.opened(path, _LARGEST) as handle:
            return handle.read(len(mark)) == mark.encode("ascii")
    except FileNotFoundError:
        return False


def _replay(game: Game, some: Sequence[FinishedGame]) -> str:
    return page((_played(game, finished) for finished in some), home="../index.html")


def _played(game: Game, finished: FinishedGame) -> Playback:
    records = parse_records(finished.record)
    if len(records) != 1:
        raise UserError(f"game {finished.number} has {counted(len(records), 'record')}")
    return Playback(game, records[0])


# ---- the first page ---------------------------------------------------------------------------


def _index(tournament: Tournament, games: Sequence[FinishedGame]) -> str:
    names, test = tournament.names, tournament.test
    title = f"{names[0]} - {names[1]}" if len(names) == 2 else counted(len(names), "engine")
    took = max((game.seconds for game in games), default=0.0)
    head = f"{tournament.what}; {counted(len(games), 'game')} in {duration(took)}"
    table = standings(names, games)
    sections = [
        ("Standings", _standings(table)),
        ("Cross table", _crosstable(table)),
        ("Numbers", _numbers(tournament, games)),
        *_charts(names, games, test),
        ("Terminations", _terminations(names, games)),
        ("Games", _games(games)),
    ]
    body = "\n".join(
        f'<section>\n<h2>{heading}</h2>\n<div class="scroll">\n{content}\n</div>\n</section>'
        for heading, content in sections
        if content
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="ryugi-engine">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{theme()}{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p>{escape(head)}</p>
{body}
</main>
</body>
</html>
"""


def _standings(table: Standings) -> str:
    rows = [[escape(cell) for cell in row] for row in place_cells(table)]
    head = ("Rank#", "Engine", "Elo#", "\N{PLUS-MINUS SIGN}#", "Games#", "Points#", "Score#")
    return html_table("standings", head, rows)


def _crosstable(table: Standings) -> str:
    """Points of the row's engine of so many games against the column's."""
    names = [place.name for place in table.places]
    rows = []
    for number, name in enumerate(names, start=1):
        row = [str(number), escape(name)]
        for other in names:
            score = table.scores.get((name, other))
            row.append("" if score is None else f"{score[0]:.1f} / {score[1]}")
        rows.append(row)
    return html_table(
        "crosstable", ("Rank#", "Engine", *(f"{n}#" for n in range(1, len(names) + 1))), rows
    )


def _numbers(tournament: Tournament, games: Sequence[FinishedGame]) -> str:
    """Return the terminal's block of results for two engines."""
    if len(tournament.names) != 2:
        return ""
    lines = summary_lines(tournament.names, games, tournament.what, tournament.test)[1:-1]
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _moments(count: int) -> list[int]:
    """After how many games a chart is drawn on."""
    step = max(1, math.ceil(count / _POINTS))
    return sorted({*range(step, count + 1, step), count} - {0})


def _charts(
    names: Sequence[str], games: Sequence[FinishedGame], test: Sprt | None
) -> list[tuple[str, str]]:
    """Elo, and a test's ratio, after each game or each few games, in the order of their ends."""
    ended = sorted(games, key=lambda game: (game.seconds, game.number))
    moments = _moments(len(ended))
    across = "games"
    if len(names) == 2:
        elo, llr = Line(""), Line("")
        for count in moments:
            sample = Score.of(ended[:count], *names).sample
            estimate = sample.elo()
            elo.points.append((count, estimate.value))
            elo.errors.append(estimate.error)
            if test is not None:
                llr.points.append((count, test.llr(sample)))
        charts = [("Elo over time", chart("Elo over time", across, [elo]))]
        if test is not None:
            low, high = test.bounds
            levels = [(low, f"H0 {rounded(low)}"), (high, f"H1 {rounded(high)}")]
            charts.append(("LLR over time", chart("LLR over time", across, [llr], levels)))
        return charts
    lines = {name: Line(name) for name in names}
    for count in moments:
        for place in standings(names, ended[:count]).places:
            lines[place.name].points.append((count, place.rating.value))
    return [("Elo over time", chart("Elo over time", across, list(lines.values())))]


def _terminations(names: Sequence[str], games: Sequence[FinishedGame]) -> str:
    """Return a table of terminations with each engine's wins and losses by them."""
    reasons = Counter(game.reason for game in games)
    won: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    for game in games:
        if game.result != "1/2-1/2":
            winner, loser = game.white, game.black
            if game.result == "0-1":
                winner, loser = loser, winner
            won[game.reason, winner] += 1
            lost[game.reason, loser] += 1
    rows = [
        [
            escape(reason),
            str(number),
            *(f"{won[reason, name]} : {lost[reason, name]}" for name in names),
        ]
        for reason, number in reasons.most_common()
    ]
    head = ("Reason", "Games#", *(f"{name} (won : lost)#" for name in names))
    return html_table("terminations", head, rows) if rows else ""


def _games(games: Sequence[FinishedGame]) -> str:
    """Return the table of games; a game's number is the tag Round of its record."""
    rows = [
        [
            f'<a href="{_link_to(at)}">{game.number}</a>',
            escape(game.white),
            escape(game.black),
            game.result,
            escape(game.reason),
            str(game.plies),
            duration(game.seconds),
        ]
        for at, game in enumerate(games)
    ]
    head = ("Round#", "White", "Black", "Result", "Reason", "Plies#", "Ended#")
    return html_table("games", head, rows) if rows else ""
