"""Positions with more legal moves than a list holds: refused in a line, and no list is overrun."""

from __future__ import annotations

import pytest

from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import CrowdingMove, Game
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.kernel.abi import (
    ALL,
    HEADER,
    MAX_MOVES,
    MOVE_CAPACITY,
    TACTICAL,
    UNCOUNTED,
    CrowdedPosition,
)
from ryugi_engine.kernel.block import Block
from ryugi_engine.perft.count import Perft
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from tests.support.helpers import command
from variants.chess import define

#: Five queens and a duck.
_QUEENS = "7k/8/2Q5/5Q2/3Q4/1Q4*1/4Q3/K7 w - - 0 1"
_BIG = """[big]
files = 16
ranks = 16
start = "{start}"
{rules}

[big.pieces]
M = "K"
W = "W"
R = "QNNAADDCCZZ"
"""
_WAZIRS = "m15/16/16/16/16/16/16/16/16/16/16/16/16/w15/7M8/3W12 w - - 0 1"
_LINE = f"more than {MAX_MOVES:,} legal moves"


def _big(rules: str, start: str = _WAZIRS) -> Game:
    text = _BIG.format(start=start, rules=rules)
    if "drops" in rules:
        text += "\n".join(f'{letter} = "W"' for letter in "ABCDEFGHIJKLNOPQST")
    (reader,) = read_text(text, "big.toml")
    return define(reader)


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        ('walling_rule = "duck"', "RRRRRR10/7M8"),
        ('walling_rule = "static"', "R15/7M8"),
        ("piece_drops = true\nfree_drops = true", "7M8"),
        (
            'promotion = "RWM"\npromotion_pawn_types = "R"\npromotion_region = "*2 *4 *6 *8 *10"',
            "RRRRRRRRRRRRRRRR/16/" * 6 + "7M8",
        ),
    ],
)
def test_a_crowded_position_is_refused_where_it_is_set_up(rules: str, board: str) -> None:
    """And its lists stay in the move buffer, wherever they begin."""
    game = _big(rules)
    text = "m15/" + "16/" * (14 - board.count("/")) + board + " w - - 0 1"
    with pytest.raises(PositionError, match=_LINE):
        Position(game, text)
    kernels = rules_of(game).kernels
    state = rules_of(game).new_state(text)
    # the same state with other memory after its move buffer
    larger = Block(len(state.words) + MOVE_CAPACITY)
    larger.words[: len(state.words)] = state.words
    first = int(HEADER.of(state)["moves"])
    beyond = larger.words.view("int32")[first + MOVE_CAPACITY :]
    for out in (0, MOVE_CAPACITY // 2, MOVE_CAPACITY - 5000, MOVE_CAPACITY - 1):
        assert kernels.generate(larger.address, ALL, first + out) > MAX_MOVES
        kernels.generate(larger.address, TACTICAL, first + out)
        for bulk in (0, 1):
            assert kernels.perft(larger.address, 2, bulk, first + out) == UNCOUNTED
        assert not beyond.any()


def test_a_move_to_a_crowded_position_is_refused() -> None:
    """The position stays as it was; a search goes on, and perft has no number."""
    game = registry().game("duck")
    position = Position(game, "7k/8/2QQ4/5Q2/3Q4/1Q4*1/8/1R1rQn1K b - - 0 1")
    before = position.text()
    with pytest.raises(CrowdingMove, match=f"h8g8,g8h8 leads to {_LINE}"):
        position.push("h8g8,g8h8")
    assert position.text() == before
    assert not position.moves
    with pytest.raises(CrowdedPosition, match=_LINE):
        Perft(position, 2).run()
    with pytest.raises(CrowdedPosition, match=_LINE):
        Perft(position, 3, hash_megabytes=1).run()
    searcher = Searcher(1)
    searcher.prepare(position, Limits(depth=3))
    assert searcher.run(position, lambda report: None).best in position.legal_moves()


def test_a_line_of_long_lists_ends_where_the_buffer_does() -> None:
    """2,000 moves in every position: the buffer has room for 64 plies of 128."""
    position = Position(_big('walling_rule = "duck"'))
    assert 1000 < len(position.legal_codes()) <= MAX_MOVES
    searcher = Searcher(1)
    searcher.prepare(position, Limits(nodes=20_000))
    assert searcher.run(position, lambda report: None).best in position.legal_moves()


def test_the_protocol_and_commands_refuse_them_in_a_line() -> None:
    lines = f"setoption name UCI_Variant value duck\nposition fen {_QUEENS}\nquit\n"
    assert _LINE in command("uci", input=lines).stdout
    result = command("perft", "--variant", "duck", "--fen", _QUEENS, "--depth", "1")
    assert result.returncode != 0
    assert len(result.stderr.splitlines()) == 1
    assert _LINE in result.stderr
