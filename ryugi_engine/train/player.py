"""A player of self-play games: the memory for one game, and the kernel calls."""

from __future__ import annotations

import random
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import EVAL_LIMIT
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.net import Net
from ryugi_engine.search import layout as L
from ryugi_engine.search.root import search_root
from ryugi_engine.search.transposition_table import TranspositionTable
from ryugi_engine.search.worker import Worker
from ryugi_engine.train.openings import Openings
from ryugi_engine.train.selfplay import PLAY, PLAYED, STOPPED, play
from ryugi_engine.train.settings import SelfPlaySettings
from ryugi_engine.train.trainable_game import rules_with

_TABLE_MEGABYTES = 2
#: A search may have so many times the nodes after which it begins no new iteration.
_HARD = 8
#: Plies, and records of one game that there is room for.
_LONGEST = 400
#: Centipawns: a game that begins with a larger score is decided already.
_EVEN = 1200
#: Centipawns: a game without progress is a draw if its score is within.
UNDECIDED = 400
_STOP = L.CONTROL.word("stop")


class Player:
    """The memory for one game at a time."""

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySettings,
        seed: int,
        net: Net | None = None,
        even: int = _EVEN,
    ) -> None:
        """``net`` None: the evaluation without a net, even if the game comes with a net.

        Games whose first score is beyond ``even`` centipawns are void. Bounds of scores are those
        of chess, see ``Training.magnitude``.
        """
        rules = rules_with(game, net)
        training = rules.training()
        even *= training.magnitude
        self._seed, self._settings = seed, settings.times(training.magnitude)
        self.openings = Openings(game, rules, settings.odds)
        self.worker, self._table = Worker(), TranspositionTable(_TABLE_MEGABYTES)
        self.control = Block(L.CONTROL.words)
        position = Position(game, rules=rules)
        self.worker.prepare(position, self._table, self.control, [])
        assert self.worker.state is not None
        self._state = self.worker.state
        self._records = Block(_LONGEST * training.words)
        self.block = Block(PLAY.words)
        self.seen: Any = PLAY.of(self.block)
        # where material does not decide, its score says nothing of the end
        by_score = net is not None or training.decided_by_material
        # an evaluation that calls the start decided, like a foreign net in horde, does not know
        knows = abs(int(training.learnt(self._state.address))) <= even
        longest = min(_LONGEST, rules.capacity(self._state) - settings.random_high)
        for name, value in {
            "worker": self.worker.block.address,
            "search": search_root.address,
            "record": training.record.address,
            "deepest": L.MAX_PLY // 2,
            "decided": self._settings.decided if by_score and knows else EVAL_LIMIT,
            "even": even if knows else EVAL_LIMIT,
            "decided_plies": settings.decided_plies,
            "bounded": self._settings.bounded,
            "undecided": training.magnitude * UNDECIDED,
            "longest": longest,
            "out": self._records.address,
            "record_words": training.words,
            "capacity": _LONGEST,
        }.items():
            self.seen[name] = value
        self.seen["soft_nodes"] = settings.nodes
        self.worker.view["root_args"]["node_limit"] = _HARD * settings.nodes

    def begin(self, text: str, plies: int, randomness: int) -> None:
        """Forget all games, and set up a position from which so many plies are random."""
        image = self.openings.image(text)
        self.worker.clear()
        self._table.clear()
        self._state.words[: len(image)] = image
        self.seen["opening"], self.seen["random"] = plies, randomness

    def drawn(self, number: int) -> tuple[str, int, int]:
        """Draw the start of game ``number``: the arguments of :meth:`begin`."""
        source = random.Random(f"{self._seed} {number}")
        low, high = self._settings.random_low, self._settings.random_high
        text, plies = self.openings.draw(source, low, high)
        return text, plies, source.getrandbits(63)

    def play(self, number: int) -> bytes | None:
        """Play game ``number``; return its records, None if it was stopped."""
        self.begin(*self.drawn(number))
        self.seen["game"] = number
        end = play(self.block.address)
        if end == STOPPED:
            return None
        words = int(self.seen["records"]) * int(self.seen["record_words"])
        return self._records.words[:words].tobytes() if end == PLAYED else b""

    def stop(self) -> None:
        """Stop the running game; called from another thread."""
        self.control.words[_STOP] = 1
