"""Counting rules of Makruk and ASEAN chess: published examples, and what players see.

Sources: https://en.wikipedia.org/wiki/Makruk (board's honour and pieces' honour), and the Laws of
ASEAN Chess, https://aseanchess.org/laws-of-asean-chess/.
"""

from __future__ import annotations

import pytest

from ryugi_engine.games.game import Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from tests.support.helpers import command

#: Black has four moves left to survive, and White cannot mate in three.
LATE = "8/8/8/3k4/8/8/R7/K7 b - 32 30 60"
#: The king may come back to e6, while the rook goes to a3 and back.
BACK_AND_FORTH = ("d5e6", "a2a3", "e6d5")
#: The next move mates, and is the last of the count.
LAST = "7k/8/6K1/8/8/8/8/R7 w - 32 32 60"


def played(name: str, text: str, *moves: str) -> Position:
    position = Position(registry().game(name), text)
    for move in moves:
        position.push(position.parse_move(move))
    return position


@pytest.mark.parametrize(
    ("army", "limit"),
    [("RR", 8), ("RRN", 8), ("RS", 16), ("SS", 22), ("NN", 32), ("SNN", 32), ("SN", 44), ("N", 64),
     ("M", 64)],
)  # fmt: skip
def test_pieces_honour_begins_at_the_number_of_pieces(army: str, limit: int) -> None:
    """The last piece of a side is captured. Two rooks and a knight have 8 - 5 moves: 3."""
    text = f"7k/8/8/8/8/4m3/4K3/{army}{8 - len(army)} w - - 0 60"
    position = played("makruk", text, "e2e3")
    pieces = len(army) + 2
    assert position.text().split()[3:5] == [str(2 * limit), str(2 * pieces)]
    assert f"(count {pieces} of {limit})" in position.board_text()


@pytest.mark.parametrize(("army", "limit"), [("RRBN", 16), ("BBNN", 44), ("NN", 64)])
def test_asean_chess_counts_from_the_first_move(army: str, limit: int) -> None:
    text = f"7k/8/8/8/8/4q3/4K3/{army}{8 - len(army)} w - - 0 60"
    assert played("asean", text, "e2e3").text().split()[3:5] == [str(2 * limit), "0"]


def test_a_met_alone_is_not_counted_in_asean_chess() -> None:
    position = played("asean", "7k/8/8/8/8/4q3/4K3/Q7 w - - 0 60", "e2e3")
    assert position.text().split()[3:5] == ["-", "0"]


def test_boards_honour_begins_without_pawns_and_gives_way_to_pieces_honour() -> None:
    text = "7k/m7/8/8/8/1R2p3/4K3/8 w - - 0 60"
    position = played("makruk", text, "e2e3", "h8g8")
    assert position.text().split()[3:5] == ["128", "1"]
    for move in ("b3b7", "g8f8", "b7a7"):
        position.push(move)
    assert position.text().split()[3:5] == ["32", "6"]


def test_a_captured_rook_does_not_change_the_count() -> None:
    text = "7k/8/8/8/8/4m3/4K3/RR6 w - - 0 60"
    position = played("makruk", text, "e2e3", "h8g8", "b1b8", "g8f7", "b8f8", "f7f8")
    assert position.text().split()[3:5] == ["16", "13"]


def test_promotion_of_the_last_pawn_begins_the_count() -> None:
    """Makruk's pawns promote on the sixth rank."""
    assert played("makruk", "8/8/8/P6k/8/8/4K3/8 w - - 0 60", "a5a6m").text().split()[3:5] == [
        "128",
        "6",
    ]


def test_the_game_is_drawn_when_the_count_exceeds_its_limit() -> None:
    position = played("makruk", LATE, *BACK_AND_FORTH[:2])
    assert position.outcome() is None
    assert "(count 16 of 16)" in position.board_text()
    position.push("e6d5")
    assert position.outcome() == Outcome("1/2-1/2", "counting rule")


def test_mate_by_the_last_move_wins() -> None:
    outcome = played("makruk", LAST, "a1a8").outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("1-0", "checkmate")


def test_the_text_of_a_count_is_read_as_it_is_written() -> None:
    for text in (LATE, LAST):
        assert Position(registry().game("makruk"), text).text() == text
    refused = command("show", "--variant", "makruk", "--fen", LATE.replace(" 32 ", " 32000 "))
    assert refused.returncode != 0
    assert "count's limit" in refused.stderr


# ---- search --------------------------------------------------------------------------------------

#: Two khons against a bare king, mate in 20 moves and 22 to count: the distance by retrograde
#: analysis of all positions.
WON = [
    "8/2S5/8/8/8/5S2/k7/3K4 w - 44 0 60",
    "8/8/3S4/8/kS6/4K3/8/8 w - 44 0 60",
    "8/8/8/K7/4k3/1S6/5S2/8 w - 44 0 60",
]
#: A rook and a khon, with the longest count that two pieces may have.
ROOK_AND_KHON = "8/8/4k3/8/8/2S5/8/R2K4 w - 32 4 60"
#: No tablebase has three pieces.
ROOK_AND_TWO = "8/8/4k3/8/8/2SN4/8/R2K4 w - 32 5 60"
#: Two khons without the time: mate in 31 moves and 22 to count.
DRAWN = "6K1/8/1S6/4S3/8/8/8/3k4 w - 44 0 60"


def result_by_search(text: str, nodes: int) -> str:
    """Return the result of a game of the engine against itself."""
    position, searcher = Position(registry().game("makruk"), text), Searcher(16)
    while (outcome := position.outcome()) is None:
        limits = Limits(nodes=nodes)
        searcher.prepare(position, limits)
        position.push(searcher.run(position, lambda report: None).best)
    return f"{outcome.result} {outcome.reason}"


@pytest.mark.parametrize("text", [*WON, ROOK_AND_KHON, ROOK_AND_TWO])
def test_a_won_ending_is_won_in_time(text: str) -> None:
    """50,000 nodes are a tenth of a second at 500,000 nodes a second."""
    assert result_by_search(text, 50_000) == "1-0 checkmate"


def test_an_ending_that_is_not_won_in_time_is_defended() -> None:
    assert result_by_search(DRAWN, 5_000) == "1/2-1/2 counting rule"


@pytest.mark.parametrize(
    ("text", "turned"),
    [(WON[0], "3k4/K7/5s2/8/8/8/2s5/8 b - 44 0 60"), (LATE, "k7/r7/8/8/3K4/8/8/8 w - 32 30 60")],
)
def test_the_value_of_a_bare_king_is_the_same_with_colours_changed(text: str, turned: str) -> None:
    game = registry().game("makruk")
    assert Position(game, text).evaluate() == Position(game, turned).evaluate()


def test_a_bare_king_is_worth_less_the_nearer_its_mate_is() -> None:
    game = registry().game("makruk")
    corner = Position(game, "7k/8/5K2/4SS2/8/8/8/8 w - 44 4 60").evaluate()
    middle = Position(game, "8/8/8/4k3/8/8/8/KSS5 w - 44 4 60").evaluate()
    assert corner > middle > 0
