"""Dead positions, and who loses on time: what material cannot mate."""

from __future__ import annotations

import random
from collections import Counter

import pyffish
import pytest

from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from tests.fairy.test_rules import THEIRS
from tests.support.effort import effort
from tests.support.helpers import rounds
from variants import chess as chess_games
from variants.chess.family.material import NONE, WEAK, Material
from variants.chess.family.rules import FamilyRules
from variants.chess.fast.rules import FastRules
from variants.chess.notation.text import PositionData, format_text

#: Games with pieces that cannot mate alone; Fairy-Stockfish does not know what they can do.
_CAUTIOUS = ("grasshopper", "opulent", "tencubed", "omicron")
#: Games in which one piece can mate alone that it does not count among those: RNF, one that
#: captures as a rook, and a bishop against a royal knight.
_MATING = ("ai-wok", "newzealand", "knightmate")


def _definition(name: str) -> chess_games.Definition:
    rules = rules_of(registry().game(name))
    assert isinstance(rules, FamilyRules)
    return rules.definition


def _sparse(definition: chess_games.Definition, royal: str, source: random.Random) -> PositionData:
    """Return a position of both royal pieces and at most three others."""
    letters = [kind.sign for kind in definition.kinds() if kind.sign != royal]
    squares = iter(source.sample(definition.on_board(), 6))
    board = {next(squares): royal, next(squares): royal.lower()}
    for _ in range(source.choice((0, 1, 1, 2, 2, 3))):
        letter = source.choice(letters)
        board[next(squares)] = letter if source.random() < 0.5 else letter.lower()
    checks = (3, 3) if definition.rules.check_counting else (0, 0)
    return PositionData(board, checks=checks)


@pytest.mark.parametrize("name", chess_games.catalogue())
def test_material_that_cannot_win_is_that_of_pyffish(name: str, source: random.Random) -> None:
    """In all games in which only checks and mates win."""
    definition = _definition(name)
    material = Material(definition)
    if material.dead == NONE or name not in pyffish.variants():
        return
    for _ in range(effort(100, 2000)):
        data = _sparse(definition, material.royal, source)
        text = format_text(definition, data)
        own = tuple(not material.can_win(data, side) for side in (0, 1))
        theirs = pyffish.has_insufficient_material(name, text, [])
        if name in _CAUTIOUS:
            assert all(mine or not other for mine, other in zip(own, theirs, strict=True)), text
        elif name in _MATING:
            assert all(other or not mine for mine, other in zip(own, theirs, strict=True)), text
        else:
            assert own == theirs, text
        assert material.is_dead(data) == all(own)


@pytest.mark.parametrize("name", [game.name for game in THEIRS] + ["chess", "nocastle", "gardner"])
def test_kernels_and_reference_end_dead_positions(name: str, source: random.Random) -> None:
    """With the same result and reason; all others go on."""
    definition = _definition(name)
    material, game = Material(definition), registry().game(name)
    if material.dead == NONE:
        return
    seen: Counter[str] = Counter()
    for _ in rounds(effort(12, 300), seen, dead=1):
        data = _sparse(definition, material.royal, source)
        last = (0, definition.ranks - 1)  # where the fast kernels have no pawns
        for at in [at for at, sign in data.board.items() if at[1] in last]:
            if data.board[at].upper() == definition.pawn:
                del data.board[at]
        text = format_text(definition, data)
        try:
            position = Position(game, text)
        except PositionError:  # the side not to move is in check
            continue
        reference = game.reference(text)
        outcome = position.outcome()
        assert (outcome and (outcome.result, outcome.reason)) == reference.result(), text
        if material.is_dead(data):
            seen["dead"] += 1
            assert outcome is not None
            assert outcome.result == "1/2-1/2"
            assert outcome.reason in ("dead position", "stalemate")


@pytest.mark.parametrize(
    ("name", "text", "dead"),
    [
        ("atomic", "8/8/8/8/3K4/3k4/8/8 b - - 0 1", True),
        ("atomic", "8/8/8/8/3K4/3k4/8/R7 b - - 0 1", False),
        ("makruk", "8/8/8/4k3/8/8/3K4/8 w - - 0 1", True),
        ("makruk", "8/8/8/4k3/8/8/3KM3/8 w - - 0 1", True),
        ("makruk", "8/8/8/4k3/8/8/3KS3/8 w - - 0 1", False),
        ("grand", "10/10/4k5/10/10/10/10/10/3K6/10 w - - 0 1", True),
        ("seirawan", "8/8/8/4k3/8/8/3K4/8[] w - - 0 1", True),
        ("seirawan", "8/8/8/4k3/8/8/3K4/8[H] w - - 0 1", False),
        ("placement", "8/8/8/4k3/8/8/3K4/8[n] w - - 0 1", False),
        ("3check", "8/8/8/4k3/8/8/3K4/8 w - - 3+3 0 1", True),
        ("3check", "8/8/8/4k3/8/8/3KN3/8 w - - 3+3 0 1", False),
        ("kingofthehill", "8/8/8/7k/8/8/K7/8 w - - 0 1", False),
        ("racingkings", "8/8/8/8/8/8/k7/7K w - - 0 1", False),
        ("crazyhouse", "8/8/8/4k3/8/8/3K4/8[] w - - 0 1", False),
        ("shatranj", "8/8/8/4k3/8/8/3K3R/8 w - - 0 1", False),
    ],
)
def test_where_only_mate_wins(name: str, text: str, dead: bool) -> None:
    outcome = Position(registry().game(name), text).outcome()
    assert (outcome is not None and outcome.reason == "dead position") == dead


# ---- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "white", "black"),
    [
        ("chess", "8/8/8/8/8/k7/8/KQ6 w - - 0 1", "1/2-1/2", "1-0"),
        ("chess", "8/8/8/8/8/k7/8/K1N5 w - - 0 1", "1/2-1/2", "1/2-1/2"),
        ("chess", "8/8/8/8/8/k6p/8/K1N5 w - - 0 1", "0-1", "1-0"),
        ("ryugi", "5k4/10/10/10/10/10/3D6/5K4 w - - 0 1", "1/2-1/2", "1-0"),
        ("capablanca", "5k4/10/10/10/10/10/3r6/5K4 w - - 0 1", "0-1", "1/2-1/2"),
        ("atomic", "8/8/8/8/3K4/3k4/8/R7 b - - 0 1", "1/2-1/2", "1-0"),
        ("makruk", "8/8/8/4k3/8/8/3KS3/8 w - - 0 1", "1/2-1/2", "1-0"),
        ("crazyhouse", "8/8/8/4k3/8/8/3K3R/8[] w - - 0 1", "0-1", "1-0"),
        ("kingofthehill", "8/8/8/4k3/8/8/3K3R/8 w - - 0 1", "0-1", "1-0"),
        ("antichess", "8/8/8/4k3/8/8/3K3R/8 w - - 0 1", "0-1", "1-0"),
        ("breakthrough", "", "0-1", "1-0"),
        ("gomokuroku", "", "0-1", "1-0"),
    ],
)
def test_time_is_over(name: str, text: str, white: str, black: str) -> None:
    """A side whose time is over loses only to a side that can still win (FIDE 6.9)."""
    position = Position(registry().game(name), text or None)
    outcomes = position.time_over(0), position.time_over(1)
    assert [outcome.result for outcome in outcomes] == [white, black]
    for outcome in outcomes:
        draw = outcome.result == "1/2-1/2"
        reason = "timeout against insufficient material" if draw else "time forfeit"
        assert outcome.reason == reason


def test_the_fast_kernels_know_the_same_lone_pieces() -> None:
    """Those that definitions name, and those of games that name none."""
    for game in registry().games():
        rules = game.load() if game.package == "variants.chess.fast" else None
        if isinstance(rules, FastRules):
            minors = rules.definition.rules.lone_minors[0]
            material = Material(rules.definition)
            alone = {p for p, power in material.powers[0].items() if 0 < power < 3}
            assert material.dead == WEAK
            assert alone == minors, game.name
