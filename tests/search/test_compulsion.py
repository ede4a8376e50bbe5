"""Games whose captures are compulsory: both sides are pressed again and again, without an end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher
from tests.support.effort import effort

_PIECES = ("N", "B", "R", "Q", "NN", "BN", "RN", "mRcpR", "WF", "AD", "KAD", "mQcN", "BD", "fRbB")
_PAWNS = ("mfWcfF", "fmWfceFifmnD", "fW", "fFmfW", "WfF")
_FLAGS = (
    "captures_to_hand = true\npiece_drops = true",
    'flag_piece = "K"\nflag_region = "*{ranks}"',
    'stalemate_value = "win"',
)
#: Nodes within which any game's first iteration has to end.
_NODES = 400_000


def _definition(source: random.Random) -> str:
    """A crowded board, and captures that never come to an end where pieces are dropped again."""
    files, ranks = source.randint(6, 16), source.randint(6, 12)
    letters = source.sample("ABCDEFGHIJLMNOQ", source.randint(2, 5))
    back = [source.choice(letters) for _ in range(files)]
    back[files // 2] = "K"
    rows = ["".join(back).lower(), "p" * files]
    rows += [str(files)] * (ranks - 4) + ["P" * files, "".join(back)]
    flags = [flag.format(ranks=ranks) for flag in _FLAGS if source.random() < 0.7]
    hand = "[]" if any("drops" in flag for flag in flags) else ""
    pieces = {letter: source.choice(_PIECES) for letter in letters}
    pieces |= {"P": source.choice(_PAWNS), "K": "K"}
    lines = [
        "[mine]",
        f"files = {files}",
        f"ranks = {ranks}",
        f'start = "{"/".join(rows)}{hand} w - - 0 1"',
        f'promotion = "{letters[0]}"',
        "must_capture = true",
        *flags,
        "pieces = { " + ", ".join(f'{name} = "{moves}"' for name, moves in pieces.items()) + " }",
    ]
    return "\n".join(lines) + "\n"


def _load(text: str, path: Path) -> Game:
    path.write_text(text)
    (game,) = Registry().load_file(str(path))
    return game


#: A search of depth 1 of this one had not ended after ten minutes.
_ARCHERS = """\
[archers]
files = 10
ranks = 8
start = "rnacqkcanr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNACQKCANR[] w KQkq - 0 1"
promotion = "QAC"
promotion_region = "*7 *8"
mandatory_pawn_promotion = false
flag_piece = "K"
flag_region = "*8"
flag_piece_safe = true
captures_to_hand = true
piece_drops = true
drop_region = "*1 *2 *3"
stalemate_value = "win"
must_capture = true
pieces = { P = "fmWfceFifmnD", N = "NN", R = "R", A = "BN", C = "mRcpR", Q = "Q", K = "K" }
[archers.castling]
K = ["f1 i1 j1 h1"]
Q = ["f1 c1 a1 d1"]
"""


@pytest.mark.more
def test_preparing_and_searching_end(tmp_path: Path, source: random.Random) -> None:
    definitions = [_ARCHERS, *(_definition(source) for _ in range(effort(3, 60)))]
    for text in definitions:
        try:
            game = _load(text, tmp_path / "mine.toml")
        except UserError:
            assert text is not _ARCHERS
            continue  # the side not to move is in check
        position = Position(game)
        Searcher.rehearse(position)
        for _ in range(source.randrange(12)):
            moves = position.legal_moves()
            if not moves or position.outcome() is not None:
                break
            position.push(source.choice(moves))
        reports: list[Report] = []
        searcher = Searcher(hash_megabytes=1)
        searcher.prepare(position, Limits(depth=2, nodes=_NODES))
        result = searcher.run(position, reports.append)
        assert result.nodes <= _NODES, text
        # many crowded leaves may take all nodes before the first iteration is complete
        legal = position.legal_moves()
        assert result.best in legal or not legal, text
        assert result.depth >= 1 or not legal or result.nodes == _NODES, text


@pytest.mark.parametrize("limits", [Limits(move_time=0.1), Limits(nodes=1000), Limits(depth=1)])
def test_a_search_of_such_a_game_is_short(tmp_path: Path, limits: Limits) -> None:
    position = Position(_load(_ARCHERS, tmp_path / "archers.toml"))
    searcher = Searcher(hash_megabytes=1)
    searcher.prepare(position, limits)
    assert searcher.run(position, lambda report: None).best in position.legal_moves()


@pytest.mark.parametrize(
    "moves",
    [
        "f2f4 a7a5 c2c4 c7c5 a2a4 f7f5 g2g3 d7d5 c4d5 d8d5",
        "e2e3 f7f6 h2h3 e7e5 h3h4 e8e7 e1e2 e7e6 b2b4",
        "b2b3 d7d6 h2h3 c8h3 h1h3 b7b5 h3h7 h8h7 b3b4 g8h6",
    ],
)
def test_a_leaf_does_not_take_all_nodes(moves: str) -> None:
    """Where the leaves followed all captures, the depth was 1, 4 and 5."""
    position = Position(registry().game("antichess"))
    for move in moves.split():
        position.push(position.parse_move(move))
    searcher = Searcher(hash_megabytes=16)
    searcher.prepare(position, Limits(nodes=20_000))
    assert searcher.run(position, lambda report: None).depth >= 6
