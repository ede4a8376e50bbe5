"""Whole games on one table of proofs: a proven win is kept, move by move, to the end."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.game import Game, Prover
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.kernel.abi import LOST, PROMISING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.proving.solve import solve
from tests.support.effort import effort
from tests.support.exhaustive_search import forced_win, gorogo_margin, winner
from tests.support.helpers import codes_of, late_position, rounds
from variants.gorogo.text import parse_text

HEXAGONS = [game.name for game in registry().games() if game.name.startswith("gomokuroku")]
NEVER = Block(8)
#: Nodes for a proof in these games, and positions that a proof may be spelt out in.
EFFORT, SPELT_OUT = 400_000, 4_000
#: A game in which Black's best answer to a win in five stones is S@c7.
MOVES = "S@e10 S@f11 S@h8 S@e8 S@b2 S@f10 S@j6 S@d3 S@b5 S@b3 S@b6"
#: Winner's moves up to which everything is tried; more are spelt out.
TRIED = 1


def new_prover(game: Game, entries: int | None = None) -> Prover:
    """A prover; with so many entries of its table in use, so that it forgets all the time."""
    prover = Position(game).rules.prover(1)
    assert prover is not None
    if entries is not None:
        anything: Any = prover
        assert anything._task["mask"] >= entries
        anything._task["mask"] = entries - 1
    return prover


def ended(position: Position, side: int) -> bool | None:
    """Whether a side has won; None while the game goes on."""
    outcome = position.outcome()
    return None if outcome is None else outcome.result == ("1-0", "0-1")[side]


class TooLarge(Exception):
    """A proof has more positions than a test has time for."""


class SpeltOut:
    """A proof as a tree: the winner's move from the table, every legal move of the other side.

    Nothing of it is believed: each line has to end in a game won by the rules, after at most as
    many of the winner's moves as were claimed.
    """

    def __init__(self, prover: Prover, attacker: int) -> None:
        self._prover, self._attacker = prover, attacker
        self._seen: dict[int, int] = {}

    def check(self, position: Position, stones: int) -> None:
        """AssertionError if the attacker does not win with so many stones."""
        won = ended(position, self._attacker)
        if won is not None:
            assert won, position.text()
            return
        assert stones > 0, position.text()
        if self._seen.get(position.key(), 99) <= stones:
            return
        if len(self._seen) > SPELT_OUT:
            raise TooLarge
        self._seen[position.key()] = stones
        if position.side == self._attacker:
            value = self._prover.prove(position.state, 20 * EFFORT, NEVER)
            assert value == WON, position.text()
            assert (self._prover.plies(position.state) + 1) // 2 <= stones, position.text()
            position.push(self._prover.line(position.state, NEVER)[0])
            self._on(position, stones - 1)
        else:
            for code in position.legal_codes():
                position.push(code)
                self._on(position, stones)

    def _on(self, position: Position, stones: int) -> None:
        try:
            self.check(position, stones)
        finally:
            position.pop()


def play_hexagon(position: Position, prover: Prover, source: random.Random) -> tuple[int, int, int]:
    """Play a game: who has a proof plays by it, the other mostly what is hardest to answer.

    (moves from a proven win, those of them tried by brute force, those spelt out).
    """
    proven = tried = spelt_out = 0
    claims: dict[int, int] = {}
    expected: list[int] = []
    while position.outcome() is None:
        side = position.side
        value = prover.prove(position.state, EFFORT, NEVER)
        if value != WON:
            assert side not in claims, f"the win is gone: {position.text()}"
            if not expected or source.random() < 0.2:
                expected = [source.choice(position.legal_codes())]
            position.push(expected.pop(0))
            continue
        stones = (prover.plies(position.state) + 1) // 2
        assert 0 < stones <= claims.get(side, 99), position.text()
        before = position.text()
        line = prover.line(position.state, NEVER)
        position.push(line[0])
        expected = line[1:]
        claims[side] = stones - 1
        proven += 1
        if stones - 1 <= TRIED:
            tried += 1
            assert forced_win(position, stones - 1, side), before
        else:
            try:
                SpeltOut(prover, side).check(position.copy(), stones - 1)
                spelt_out += 1
            except TooLarge:
                pass
    for side in claims:
        assert ended(position, side), position.moves
    return proven, tried, spelt_out


def test_a_win_found_before_is_not_forgotten() -> None:
    """Looked for in vain with fewer stones, the win with more still has its move."""
    position = Position(registry().game("gomokuroku"))
    prover = new_prover(position.game)
    for move in MOVES.split():
        position.push(move)
    assert prover.prove(position.state, 1 << 60, NEVER) == WON
    position.push("S@b4")
    position.push("S@c7")
    assert prover.prove(position.state, 1 << 60, NEVER) == WON
    line = prover.line(position.state, NEVER)
    assert position.move_text(line[0]) in ("S@d8", "S@e9")


@pytest.mark.more
@pytest.mark.parametrize(
    ("name", "games", "entries"),
    [*((name, effort(2, 5), None) for name in HEXAGONS), ("gomokuroku", 2, 4096)],
)
def test_won_games_of_gomoku_roku_are_won(
    name: str, games: int, entries: int | None, source: random.Random
) -> None:
    prover = new_prover(registry().game(name), entries)
    proven = checked = 0
    for _ in range(games):
        moves, tried, spelt_out = play_hexagon(Position(registry().game(name)), prover, source)
        proven += moves
        checked += tried + spelt_out
    assert proven >= games
    # a few random games have now and then a long win that is too large to be spelt out
    assert checked >= 0.4 * proven


@pytest.mark.parametrize("entries", [None, 64])
def test_won_games_of_gorogo_are_won(entries: int | None, source: random.Random) -> None:
    """Also where margins were asked for between, and where the table forgets."""
    prover = new_prover(registry().game("gorogo"), entries)
    for _ in range(40):
        position = late_position(source, 7)
        begun = winner(position)
        side = position.side if begun == WON else 1 - position.side
        while position.outcome() is None:
            if source.random() < 0.3:
                prover.margin(position.state, NEVER)
            value = prover.prove(position.state, 1 << 60, NEVER)
            assert value == (WON if position.side == side else LOST), position.text()
            line = prover.line(position.state, NEVER)
            played = position.copy()
            for code in line:
                mine = played.side == side
                played.push(code)
                if mine and played.outcome() is None:
                    assert winner(played) == LOST, played.text()
            assert ended(played, side), played.text()
            move = line[0] if position.side == side else source.choice(position.legal_codes())
            position.push(move)
        assert ended(position, side), position.moves


def gorogo_end(position: Position) -> str:
    """What a margin says of a finished game."""
    data = parse_text(position.text())
    if sum(data.stones) + sum(data.henges) > 0:
        return f"{('White', 'Black')[data.side]} is left without a legal move"
    more = data.captured[0] - data.captured[1]
    if more == 0:
        return "as many captures on both sides"
    return f"{'White' if more > 0 else 'Black'} captures {abs(more)} more"


@pytest.mark.parametrize("pieces", [1, 2, 3, 4, 5, 6, 9])
def test_the_line_to_a_margin_reaches_it(pieces: int, source: random.Random) -> None:
    """Of 20 positions each, those with few pieces by trying everything."""
    for _ in range(20):
        position = late_position(source, pieces)
        text = position.text()
        output = solve(position, megabytes=1, with_margin=True, progress=lambda nodes, s: None)
        for move in output.line:
            position.push(move)
        outcome = position.outcome()
        assert outcome is not None, text
        assert outcome.result == output.result, text
        assert gorogo_end(position) == output.margin, text
        if pieces <= 6:
            assert gorogo_margin(Position(position.game, text)) == output.margin, text


@pytest.mark.more
@pytest.mark.parametrize("ninuki", ["false", "true"])
def test_a_side_without_stones_threatens_nothing(
    ninuki: str, tmp_path: Path, source: random.Random
) -> None:
    """Who has none left for its turn has lost: neither search nor proof may believe its fours."""
    file = tmp_path / "few.toml"
    file.write_text(f'[few]\nfamily = "gomokuroku"\nstones = 10\nninuki = {ninuki}\n')
    (game,) = read_definitions(str(file))
    seen: Counter[str] = Counter()
    for _ in rounds(effort(60, 200), seen, wins=2, left_out=3):
        position = Position(game)
        for _ in range(source.randrange(14, 20)):
            if position.outcome() is None:
                position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None:
            continue
        promising = codes_of(position, PROMISING)
        for code in set(position.legal_codes()) - set(promising):
            seen["left_out"] += 1
            assert not wins_by(position, [code]) or wins_by(position, promising), position.text()
        prover = new_prover(game)
        if prover.prove(position.state, EFFORT, NEVER) == WON:
            seen["wins"] += 1
            stones = (prover.plies(position.state) + 1) // 2
            assert stones > 2 or forced_win(position, stones), position.text()


def wins_by(position: Position, codes: list[int]) -> bool:
    """Whether one of the moves wins at once."""
    side = position.side
    for code in codes:
        position.push(code)
        won = ended(position, side)
        position.pop()
        if won:
            return True
    return False
