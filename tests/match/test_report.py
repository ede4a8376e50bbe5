"""The report of a match, in a real Chromium that opens it from the disk."""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.match import report
from ryugi_engine.match.report import Tournament, write_report
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.records.pgn import Record, Step, format_record
from tests.support.books import texts_in
from tests.support.helpers import command, read_journal


def played(
    variant: str, names: tuple[str, ...], rounds: int, plies: int, source: random.Random
) -> Tournament:
    """A round robin of random moves and random results."""
    game = registry().game(variant)
    games: list[FinishedGame] = []
    pair = 0
    for number in range(rounds):
        for one, other in itertools.combinations(names, 2):
            pair += 1
            for white, black in ((one, other), (other, one)):
                position = Position(game)
                while len(position.moves) < plies and position.outcome() is None:
                    position.push(source.choice(position.legal_moves()))
                ended = position.outcome()
                result = source.choices(("1-0", "1/2-1/2", "0-1"), (4, 2, 3))[0]
                reason = source.choice(("resignation", "time forfeit"))
                if ended is not None:
                    result, reason = ended.result, ended.reason
                elif result == "1/2-1/2":
                    reason = "draw agreed"
                tags = {"White": white, "Black": black, "Variant": variant, "Result": result}
                record = Record(tags, [Step(move) for move in position.moves], result)
                games.append(
                    FinishedGame(
                        number=len(games) + 1, round=number + 1, pair=pair, white=white,
                        black=black, result=result, reason=reason, opening=game.start,
                        plies=len(position.moves), seconds=3.5 * (len(games) + 1),
                        record=format_record(record),
                    )
                )  # fmt: skip
    return Tournament(game, names, games, f"{variant}, 10+0.1", Sprt() if len(names) == 2 else None)


def test_a_report_needs_nothing_else(
    source: random.Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No address but the namespace's; texts are only texts; a second report draws what is new."""
    monkeypatch.setattr(report, "GAMES_A_PAGE", 4)
    tournament = played("gorogo", ("<b>A & B</b>", 'C"D'), 3, 12, source)
    index = write_report(tmp_path / "report", tournament)
    assert index == tmp_path / "report" / "index.html"
    text = index.read_text()
    assert text.count("http") == text.count("http://www.w3.org/2000/svg")
    assert "<b>" not in text
    assert "&lt;b&gt;A &amp; B&lt;/b&gt;" in text
    pages = sorted((tmp_path / "report" / "games").iterdir())
    assert [path.name for path in pages] == ["1.html", "2.html"]
    places = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2)]
    links = [f"games/{page}.html#game={game}" for page, game in places]
    assert re.findall(r'href="(games/[^"]*)"', text) == links
    before = {path: path.stat().st_mtime_ns for path in pages}
    longer = played("gorogo", ("<b>A & B</b>", 'C"D'), 1, 5, source)
    other = longer.games[0]
    changed = Tournament(
        tournament.game, tournament.names, [other, *tournament.games[1:]], tournament.what
    )
    write_report(tmp_path / "report", changed)
    again = {path: path.stat().st_mtime_ns for path in pages}
    assert [path.name for path in pages if again[path] != before[path]] == ["1.html"]


def test_a_report_of_nothing(tmp_path: Path) -> None:
    """A match without a finished game has a page too; a file in the folder's place is refused."""
    tournament = Tournament(registry().game("chess"), ("A", "B"), [], "chess, 1+0", Sprt())
    text = write_report(tmp_path / "none", tournament).read_text()
    assert "0 games" in text
    assert "<svg" not in text
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file: "):
        write_report(tmp_path / "file", tournament)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "names", "rounds"),
    [
        ("ryugi", ("new", "old"), 20),
        ("chess", ("Ryugi UCI", "Ryugi CECP", "Stockfish", "Fairy-Max"), 3),
    ],
)
def test_a_report_in_a_browser(
    variant: str,
    names: tuple[str, ...],
    rounds: int,
    browser: Any,
    source: random.Random,
    tmp_path: Path,
) -> None:
    """Every table and chart is there, fits the window, and a game is replayed two clicks away."""
    tournament = played(variant, names, rounds, 20, source)
    browser.get(write_report(tmp_path, tournament).as_uri())

    def rows(name: str) -> list[list[str]]:
        result: Any = browser.execute_script(
            "return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)]"
            ".map(row => [...row.children].map(cell => cell.textContent));",
            name,
        )
        return list(result)

    standing = rows("standings")
    assert {row[1] for row in standing} == set(names)
    assert sum(int(row[4]) for row in standing) == 2 * len(tournament.games)
    assert sum(float(row[5]) for row in standing) == len(tournament.games)
    cross = rows("crosstable")
    for number, row in enumerate(cross):
        assert row[number + 2] == ""
        points = sum(float(cell.split(" / ")[0]) for cell in row[2:] if cell)
        assert points == float(standing[number][5])
    assert sum(int(row[1]) for row in rows("terminations")) == len(tournament.games)
    listed = rows("games")
    assert [row[3] for row in listed] == [game.result for game in tournament.games]
    charts = browser.find_elements("tag name", "svg")
    assert len(charts) == (2 if len(names) == 2 else 1)
    for drawn in charts:
        assert drawn.size["height"] > 150
        assert drawn.find_elements("css selector", "path[stroke-width='2']")
    for box in ("body", "section:has(svg) .scroll"):
        assert browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".every(box => box.scrollWidth <= box.clientWidth)",
            box,
        ), box
    folder = os.environ.get("RYUGI_SCREENSHOTS")
    height = browser.execute_script("return document.body.scrollHeight")
    window = browser.get_window_size()
    browser.set_window_size(1200, min(height + 150, 2600))
    assert browser.save_screenshot(str(Path(folder or tmp_path) / f"report-{variant}.png"))
    browser.set_window_size(window["width"], window["height"])
    browser.find_element("link text", "3").click()
    finished = tournament.games[2]
    assert browser.title.startswith(f"{finished.white} - {finished.black}")
    browser.find_element("id", "last").click()
    assert int(browser.execute_script("return document.body.dataset.ply")) == finished.plies
    assert finished.result in browser.find_element("id", "status").text
    browser.find_element("link text", "All games").click()
    assert len(rows("games")) == len(tournament.games)
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_a_match_writes_its_report(tmp_path: Path) -> None:
    """With the games of earlier runs too; openings in the order that was asked for."""
    engine = f"'{sys.executable}' -m ryugi_engine"
    folder = tmp_path / "report"
    book = tmp_path / "book.pgn"
    gorogo = registry().game("gorogo")
    for first in Position(gorogo).legal_moves()[:3]:
        position = Position(gorogo)
        for move in (first, *[""] * 3):
            position.push(move or position.legal_moves()[0])
        with book.open("a") as handle:
            moves = " ".join(position.moves)
            handle.write(f'[Variant "gorogo"]\n[Result "*"]\n\n{moves} *\n\n')
    words = ["match", "--variant", "gorogo", "--engine", engine, "--engine", engine]
    done = command(
        *(*words, "--games", "4", "--tc", "nodes=30", "--openings", str(book), "--plies", "2"),
        *("--order", "sequential", "--start", "2", "--report", str(folder), "--quiet"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"Report: {folder / 'index.html'}\n")
    (page,) = (folder / "games").iterdir()
    assert page.name == "1.html"
    saved = read_journal(folder / "match.journal")
    openings = [game.opening for game in sorted(saved.games, key=lambda game: game.number)]
    order = texts_in(gorogo, book, 2)
    assert openings == [order[1], order[1], order[2], order[2]]
    again = command("match", "--resume", str(folder / "match.journal"), "--report", str(folder))
    assert again.returncode == 0, again.stderr
    taken = tmp_path / "taken"
    taken.write_text("")
    done = command(*words, "--report", str(taken))
    assert done.returncode == 2
    assert done.stderr.startswith(f"ryugi-engine: {taken}")
    assert "Game 1" not in done.stdout


def test_a_report_names_the_time_controls_that_were_played(tmp_path: Path) -> None:
    """Each engine's own, in the order of the engines; the terminal says the same, on resuming too.

    Not those of ``--tc``, which no one has here.
    """
    scripted = Path(__file__).parents[1] / "support" / "match_engine.py"
    run = f"cmd='{sys.executable}' '{scripted}' none"
    words = ["match", "--variant", "chess", "--games", "1", "--max-plies", "4", "--quiet"]
    for limit in ("nodes=300", "tc=5+1"):
        words += ["--engine", f"name={limit[:2]}", run, limit]
    done = command(*words, "--report", str(tmp_path))
    assert done.returncode == 0, done.stderr
    resumed = ["match", "--resume", str(tmp_path / "match.journal"), "--report", str(tmp_path)]
    for output in (done, command(*resumed, "--quiet")):
        assert "Results of no vs tc (chess, nodes=300 - 5+1):" in output.stdout
        page = (tmp_path / "index.html").read_text()
        assert "chess, nodes=300 - 5+1; 1 game in" in page
        assert "10+0.1" not in page
