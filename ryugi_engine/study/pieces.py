"""What the pieces and the rules do in games between equals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from ryugi_engine.games.game import Game
from ryugi_engine.study.activity import AT_HOME, BEGAN, CAPTURES, MOVES, PROMOTIONS, TAKEN
from ryugi_engine.study.balance import Games
from ryugi_engine.study.estimates import Figure, mean, mean_share, share
from ryugi_engine.study.odds import START_PAWN, Army, by_net, scores_without, values_of
from ryugi_engine.study.rule_use import POSSIBLE, USED


class Piece(NamedTuple):
    """Figures of a kind of piece; values in units, counts a game of both sides together."""

    sign: str
    name: str
    #: By odds games; None for a piece that no side can lack.
    value: Figure | None
    #: The same where an average pawn is 1, as in textbooks; None without pawns like those of chess.
    textbook: Figure | None
    #: The score of a side that lacks one.
    without: Figure | None
    net: float | None
    by_moves: float | None
    moves: Figure
    captures: Figure
    promotions: Figure
    taken: Figure
    #: Share of those of the start that never move; None without any at the start.
    at_home: Figure | None
    #: Share of games in which one moves.
    moving: Figure

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            name: part.to_json() if isinstance(part, Figure) else part
            for name, part in zip(self._fields, self, strict=True)
        }


def pieces_of(game: Game, army: Army | None, games: Games, odds: Games) -> list[Piece]:
    """Return the figures of all pieces, the most valuable first."""
    if not game.pieces or game.placed or not games:
        return []
    values = values_of(army, odds) if army is not None else {}
    without = scores_without(army, odds) if army is not None else {}
    pawns = army is not None and army.pawns
    net = by_net(game, army) if army is not None else {}
    by_moves: Mapping[str, float] = army.moves if army is not None else {}
    seen = {sign for one in games for sign in one["pieces"]}
    found = []
    for sign in [sign for sign in game.signs if sign in seen]:
        counts = [one["pieces"].get(sign, [0] * 6) for one in games]
        homes = [each[AT_HOME] / each[BEGAN] for each in counts if each[BEGAN]]
        found.append(
            Piece(
                sign,
                game.called(sign),
                values.get(sign),
                values[sign].scaled(START_PAWN) if pawns and sign in values else None,
                without.get(sign),
                net.get(sign),
                by_moves.get(sign),
                moves=mean([each[MOVES] for each in counts]),
                captures=mean([each[CAPTURES] for each in counts]),
                promotions=mean([each[PROMOTIONS] for each in counts]),
                taken=mean([each[TAKEN] for each in counts]),
                at_home=mean_share(homes) if homes else None,
                moving=share(sum(each[MOVES] > 0 for each in counts), len(counts)),
            )
        )
    return sorted(found, key=lambda piece: -(piece.by_moves or 0.0))


class Choice(NamedTuple):
    """A piece that others promote to, with its share of all promotions."""

    sign: str
    share: Figure


def promotions_of(games: Games) -> list[Choice]:
    """Return what pieces become, the most frequent first; the games are those with promotions."""
    became: Counter[str] = Counter()
    for game in games:
        became.update(game["became"])
    total = sum(became.values())
    promoting = sum(bool(game["became"]) for game in games)
    return [
        Choice(sign, share(count, total)._replace(games=promoting))
        for sign, count in became.most_common()
    ]


class Rule(NamedTuple):
    """In how many games a rule was possible, and used; see :mod:`.rule_use`."""

    name: str
    possible: Figure
    used: Figure

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"possible": self.possible.to_json(), "used": self.used.to_json()}


def rules_of_games(games: Games) -> list[Rule]:
    """Return how often each rule mattered, the rarest last."""
    counts: dict[str, list[int]] = defaultdict(list)
    for game in games:
        for name, use in game.get("rules", {}).items():
            counts[name].append(int(use))
    found = [
        Rule(
            name,
            share(sum(use >= POSSIBLE for use in uses), len(uses)),
            share(uses.count(USED), len(uses)),
        )
        for name, uses in counts.items()
    ]
    return sorted(found, key=lambda rule: -rule.used.value)
