"""The games that a page can choose from: titles, pictures of their starts, rules."""

from __future__ import annotations

from html import escape
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, figures, start_of
from ryugi_engine.games.rules_page import rules_page
from ryugi_engine.web.audience import Page
from ryugi_engine.web.requests import Request
from ryugi_engine.web.rules_html import rules_html
from ryugi_engine.web.worker import Worker

Data = dict[str, Any]


def listed(registry: Registry) -> list[Data]:
    """Return what a page lists: all games, in the order of their groups."""
    return [_described(game, group) for group, games in registry.groups().items() for game in games]


def _described(game: Game, group: str) -> Data:
    return {
        "name": game.name,
        "aliases": game.aliases,
        "title": game.title,
        "group": group,
        "about": game.about,
        "size": game.size,
        "sides": game.sides,
        "well": game.played_well,
        "copies": game.toml is not None,
    }


class Library:
    """Requests of pages, as in :class:`ryugi_engine.web.actions.Actions`.

    A thread of its own answers them: a hundred pictures do not keep the game waiting.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._worker = Worker("the library")

    def do_games(self, page: Page, request: Request) -> None:
        """Answer with all games."""
        self._worker.put(page, lambda: {"type": "games", "games": listed(self._registry)})

    def do_start(self, page: Page, request: Request) -> None:
        """Answer with a picture of a game's start, or with what is wrong with the game."""
        name = request.text("variant")
        self._worker.put(page, lambda: {"type": "start", "variant": name} | self._start(name))

    def do_rules(self, page: Page, request: Request) -> None:
        """Answer with the page of a game's rules."""
        name = request.text("variant")
        self._worker.put(page, lambda: {"type": "rules"} | self._rules(name))

    def _rules(self, name: str) -> Data:
        try:
            game = self._registry.game(name)
            html = rules_html(rules_page(game), start_of(game).svg(captions=False), figures(game))
        except UserError as error:
            return {"title": name, "html": escape(str(error))}
        return {"title": game.title, "html": html}

    def _start(self, name: str) -> Data:
        try:
            game = self._registry.game(name)
            svg = start_of(game).svg(captions=False)
        except UserError as error:
            # the known games stand on the page already
            return {"fault": str(error).partition(" (known")[0]}
        return {"fault": "", "svg": svg, "game": _described(game, game.group)}
