"""What a study plays: units of work, each a game that follows from its number and the seed.

Units come in rounds. A round holds games of all kinds in the same proportions, the long ones first,
so that a study of any length has some of each. What a round plays follows from the results of the
rounds before it alone: after any end of the process the same call plays the same games.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game

#: Nodes of a move at the three strengths, if there is time for them, and at least.
STRENGTHS, LEAST = (500, 5_000, 50_000), (200, 800, 3_000)
#: Games of a round at each strength: the stronger, the longer they take.
_GAMES = (20, 10, 2)
#: Pairs of odds games of a round, and nodes of a move in them.
_ODDS_PAIRS, _ODDS_NODES = 12, 2_000
#: Nodes of a move in games against a bare king at most.
MATE_NODES = 5_000
#: Rounds that a study should have: fewer leave too few games of the strongest play.
_ROUNDS = 12
#: Plies of an opening at most, as a share of the game's longest.
_OPENING, _OPENING_SHARE = 6, 0.1
#: Plies of a game whose length nobody has measured.
_PLIES = 80
_FORMAT = 1

PLAY, ODDS, MATE = "play", "odds", "mate"


class Unit(NamedTuple):
    """A game to play.

    ``kind`` PLAY has a strength by its index; ODDS has the pieces that White and Black lack; MATE
    has those that White has against a bare king, as the first of ``pieces``.
    """

    kind: str
    number: int
    strength: int = 0
    pieces: tuple[str, str] = ("", "")

    @property
    def key(self) -> str:
        """What the unit is called in a log."""
        return f"{self.kind} {self.strength} {self.number}"


@dataclass(frozen=True)
class Plan:
    """What all games of a study have in common; the first line of its log."""

    game: str
    #: Digest of the rules: games by other rules do not count.
    rules: str
    seed: int
    #: Nodes of a move at each strength.
    nodes: tuple[int, int, int]
    odds_nodes: int
    #: Games of a round at each strength; pairs of odds games.
    games: tuple[int, int, int]
    odds_pairs: int

    @property
    def mate_nodes(self) -> int:
        """Nodes of a move against a bare king: mates need depth, and those games are short."""
        return min(MATE_NODES, self.nodes[2])

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {"study": self.game, "format": _FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, entry: Any) -> Plan:
        """Return the plan of a log's first line; UserError if it is none."""
        try:
            if entry["format"] != _FORMAT:
                raise UserError(f"format {str(entry['format'])[:20]} is not {_FORMAT}")
            low, middle, high = map(int, entry["nodes"])
            few, more, most = map(int, entry["games"])
            return cls(
                str(entry["game"]),
                str(entry["rules"]),
                int(entry["seed"]),
                (low, middle, high),
                int(entry["odds_nodes"]),
                (few, more, most),
                int(entry["odds_pairs"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"this is no study: {error!r}") from None


def digest_of(game: Game, text: str) -> str:
    """Return a digest of a game's rules; ``text`` is that of a user's definition file."""
    said = "\n".join(game.sentences()) if game.sentences is not None else ""
    parts = (game.name, game.start, game.size, repr(sorted(game.pieces.items())), said, text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def plan_of(
    game: Game,
    text: str,
    *,
    seed: int,
    seconds: float,
    processes: int,
    speed: float,
    nodes: tuple[int, int, int] | None = None,
) -> Plan:
    """Return the plan of a new study.

    Parameters
    ----------
    text
        The user's definition file; "" for a game that comes with the engine.
    seconds, processes, speed
        Time of the study, games at a time, and nodes a second of each. Where not even a few rounds
        fit into it all strengths have fewer nodes.
    nodes
        Nodes of a move at the three strengths, whatever the time.
    """
    odds_pairs = _ODDS_PAIRS if odds_are_possible(game) else 0
    odds_nodes = _ODDS_NODES
    plies = 2 * game.length or min(_PLIES, game.longest or _PLIES)
    if nodes is None:
        wanted = sum(n * count for n, count in zip(STRENGTHS, _GAMES, strict=True))
        wanted += 2 * odds_pairs * odds_nodes
        share = min(1.0, seconds * processes * speed / (_ROUNDS * wanted * plies))
        # the strongest play takes most of the time, and gives up most of its nodes
        low, middle, high = (
            max(least, round(share ** (number / 3) * n))
            for number, (n, least) in enumerate(zip(STRENGTHS, LEAST, strict=True), start=1)
        )
        nodes = low, middle, high
        odds_nodes = max(LEAST[1], round(share ** (1 / 3) * odds_nodes))
    else:
        odds_nodes = min(odds_nodes, nodes[1])
    # no process waits for the last games of a round while there are others to play
    times = max(1, processes // 2)
    few, more, most = (times * count for count in _GAMES)
    return Plan(
        game.name,
        digest_of(game, text),
        seed,
        nodes,
        odds_nodes,
        (few, more, most),
        times * odds_pairs,
    )


def opening_plies(game: Game) -> int:
    """Return how many plies of a game between equals are drawn from good moves."""
    return min(_OPENING, int(_OPENING_SHARE * game.longest) or _OPENING)


def odds_are_possible(game: Game) -> bool:
    """Return whether pieces of the start position can be left out."""
    return bool(game.pieces) and not game.placed
