"""Static exchange evaluation against a naive one, and moves that win at once."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ryugi_engine.games.notation import squares_of
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.kernel.abi import TACTICAL, list_moves
from tests.fairy.test_checks import definition_of
from tests.support.effort import effort
from variants.chess.definition.squares import square_index
from variants.chess.general.memory import layout as L
from variants.chess.reference.board import Board, owner
from variants.chess.reference.position import Reference

_ROYAL = 1 << 24


class _Exchange:
    """The exchanges on a square by the reference rules' attacks, as a recursion."""

    def __init__(self, rules: Any) -> None:
        table = L.TABLE.of(rules._tables)
        self.game = rules.definition
        self.values = {sign: int(table["value"][code]) for sign, code in rules._codes.items()}

    def price(self, sign: str) -> int:
        return _ROYAL if sign.upper() == self.game.royal else self.values[sign]

    def attackers(self, position: Board, target: Any, side: int) -> list[Any]:
        found = []
        for at in position.own(side):
            tame = position.is_cannon(at) and position.is_cannon(target)
            reached = [to for to, move in position.reach(at) if move.capture and not tame]
            if target in reached + [to for to, _, _ in position.by_legs(at)]:
                found.append(at)
        return sorted(found, key=lambda at: (self.price(position.data.board[at]), square_index(at)))

    def won(self, position: Board, target: Any, side: int) -> int:
        """Return what a side wins by taking on a square, or not."""
        attackers = self.attackers(position, target, side)
        if not attackers:
            return 0
        board = dict(position.data.board)
        taken, taker = board[target], board.pop(attackers[0])
        after = position.on({**board, target: taker})
        if taker.upper() == self.game.royal and self.attackers(after, target, 1 - side):
            return 0
        return max(0, self.price(taken) - self.won(after, target, 1 - side))

    def of(self, position: Board, move: str) -> int:
        """Return what a move wins by its exchange."""
        board, side = dict(position.data.board), position.data.side
        target = squares_of(move)[-1]
        if "@" in move:
            letter = move.partition("@")[0]
            board[target] = letter if side == 0 else letter.lower()
            return -self.won(position.on(board), target, 1 - side)
        origin = squares_of(move)[0]
        gain = self.values.get(board.get(target, ""), 0)
        board[target] = board.pop(origin)
        assert owner(board[target]) == side
        return gain - self.won(position.on(board), target, 1 - side)


@pytest.mark.parametrize("name", ["crazyhouse", "xiangqi", "shogi", "janggi", "makruk", "grand"])
def test_what_an_exchange_wins(name: str, source: random.Random) -> None:
    """Of every move without promotion, at a threshold that it reaches and the next that is not."""
    game = registry().game(name)
    rules: Any = rules_of(game)
    exchange = _Exchange(rules)
    reference, compared = game.reference(game.start), 0
    while compared < effort(150, 5000):
        if not reference.legal_moves():
            reference = game.reference(game.start)
        reference = source.choice(list(reference.legal_moves().values()))
        text = reference.text()
        state = rules.new_state(text)
        position = Reference.parse(definition_of(game), text)
        for move in list_moves(rules.kernels.generate, state):
            kind = move >> 16 & 7
            if kind in (L.NORMAL, L.DROP) and source.random() < 0.2:
                words = rules.move_text(state, move)
                won = exchange.of(position, words)
                answers = [rules.kernels.exchange(state.address, move, won + n) for n in (0, 1)]
                assert answers == [1, 0], (name, text, words, won)
                compared += 1


@pytest.mark.parametrize(
    ("name", "fen", "wins"),
    [
        ("kingofthehill", "k7/8/8/8/8/2K5/8/8 w - - 0 1", {"c3d4"}),
        ("racingkings", "8/4K3/8/8/8/8/k7/8 w - - 0 1", {"e7d8", "e7e8", "e7f8"}),
        ("3check", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", {"a1a8"}),
        ("3check", "4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1", {"a1a8"}),
        ("5check", "4k3/8/8/8/8/8/8/R3K3 w - - 4+5 0 1", set()),
        ("atomic", "4k3/3p4/8/8/8/8/3R4/4K3 w - - 0 1", {"d2d7"}),
        ("duck", "4k3/8/8/4R3/8/8/8/4K3 w - - 0 1", {"e5e8"}),
    ],
)
def test_what_wins_at_once_is_tactical(name: str, fen: str, wins: set[str]) -> None:
    """It comes first, and exchanges do not look further. So are checks, where few are left."""
    rules: Any = rules_of(registry().game(name))
    state = rules.new_state(fen)
    moves = list_moves(rules.kernels.generate, state, TACTICAL)
    assert {rules.move_text(state, move)[:4] for move in moves} == wins
