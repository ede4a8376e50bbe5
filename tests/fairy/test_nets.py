"""Nets of the general family: kernels against a reference by texts, records, what is refused."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.commands import cli
from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.trainable_game import rules_with
from tests.nnue.test_nets import random_net, recorded
from tests.support.effort import effort
from variants.chess import catalogue
from variants.chess.family.exposed import read_position
from variants.chess.family.kinship import NETS
from variants.chess.notation.text import PositionData

#: Hands, gates, walls, checks to give, long turns, one goal for both, unlike sides, ends by count.
_KINDS = (
    "crazyhouse", "shogi", "seirawan", "duck", "3check", "marseillais", "racingkings", "horde",
    "placement", "atomic", "petrified", "janggi", "fox-and-hounds", "kyotoshogi", "amazons",
)  # fmt: skip


def _counters(data: PositionData, name: str) -> list[int]:
    """Return White's and Black's value of a counter."""
    if name.endswith(" in hand"):
        letter = name.split(maxsplit=1)[0]
        return [data.hands.get(letter.upper(), 0), data.hands.get(letter.lower(), 0)]
    if name == "moves left":
        return [data.moves_left * (data.side == side) for side in range(2)]
    holds = {letter.isupper() for letter, count in data.hands.items() if count}
    unmoved = [sign for at, sign in data.board.items() if at in data.gates]
    unmoved = [sign for sign in unmoved if sign.isupper() in holds]
    return {
        "checks left": list(data.checks),
        "castling rights": [sum(map(test, data.castling)) for test in (str.isupper, str.islower)],
        "gates": [sum(map(test, unmoved)) for test in (str.isupper, str.islower)],
        "White": [1, 0],
    }[name]


def _rows(game: Any, net: Net, data: PositionData, black: bool) -> list[int]:
    """Return the features of a perspective."""
    inputs, signs = net.inputs, [kind.sign for kind in game.kinds()]
    rows = []
    king = None
    for at, sign in data.board.items():
        if inputs.king and sign.upper() == game.royal and sign.islower() == black:
            king = at
    bucket, mirrored = 0, False
    if king is not None:
        file, rank = king
        seen = game.ranks - 1 - rank if black and inputs.reverses else rank
        bucket, mirrored = divmod(int(net.zones[seen * game.files + file]), 2)
    for (file, rank), sign in data.board.items():
        if sign != "*":
            plane = signs.index(sign.upper()) + len(signs) * (sign.islower() != black)
        elif inputs.walls:
            plane = 2 * len(signs)
        else:
            continue
        seen = game.ranks - 1 - rank if black and inputs.reverses else rank
        seen_file = game.files - 1 - file if mirrored else file
        rows.append((plane * game.ranks + seen) * game.files + seen_file)
    first = (2 * len(signs) + inputs.walls) * game.files * game.ranks
    for enemy in (False, True):
        for name, high in inputs.counters:
            rows += range(first, first + min(high, _counters(data, name)[black != enemy]))
            first += high
    return [bucket * first + row for row in rows]


def _reference(net: Net, game: Any, text: str) -> int:
    """Return a net's evaluation of a position text, for the side to move."""
    data = read_position(game, text)
    pieces = sum(sign != "*" for sign in data.board.values())
    bucket = min(max(pieces - 1, 0) * net.output_buckets // net.max_pieces, net.output_buckets - 1)
    output = net.output_biases[bucket]
    for half in range(2):
        rows = _rows(game, net, data, bool(data.side) != bool(half))
        sums = net.feature_biases + net.feature_weights[rows].astype(np.int64).sum(axis=0)
        output += int((np.clip(sums, 0, 255) ** 2 * net.output_weights[bucket, half]).sum())
    return output * round(400 * 2**32 / (255 * 255 * net.qb)) >> 32


def _walk(name: str, source: random.Random, plies: int) -> int:
    """Compare along a random walk with moves back and null moves; return how often."""
    game = registry().game(name)
    size, buckets = source.choice(((32, 1), (96, 4)))
    seed = source.randrange(1 << 30)
    zones = source.choice((0, 1, 3))
    plain: Any = rules_with(game, None)
    if not plain.training().inputs.king:
        zones = 0
    made = random_net(game, seed, size, 60, output_buckets=buckets, king_buckets=zones)
    net = dataclasses.replace(made, max_pieces=32)
    rules: Any = plain.with_net(net)
    training, kernels = rules.training(), rules.kernels
    position, compared = Position(game, rules=rules), 0
    for _ in range(plies):
        codes = position.legal_codes()
        if not codes or position.outcome() is not None:
            position = Position(game, rules=rules)
            continue
        position.push(source.choice(codes))
        if source.random() < 0.3:
            position.pop()
        if source.random() < 0.3:
            continue
        text, state = position.text(), position.state.address
        wanted = _reference(net, rules.definition, text)
        assert training.learnt(state) == wanted, text
        record = recorded(position)
        assert net.evaluate(record["cells"][None], record["side"][None])[0] == wanted, text
        if kernels.make_null(state):
            after = _reference(net, rules.definition, rules.text(position.state))
            assert training.learnt(state) == after, text
            kernels.unmake_null(state)
        compared += 1
    return compared


@pytest.mark.parametrize("name", _KINDS)
def test_updates_equal_the_reference(name: str, source: random.Random) -> None:
    """To the last bit, after any other evaluation."""
    assert _walk(name, source, effort(60, 600)) > 10


@pytest.mark.more
def test_updates_equal_the_reference_in_other_games(source: random.Random) -> None:
    for name in source.sample(sorted(catalogue()), effort(3, 40)):
        if registry().game(name).package == "variants.chess.general":
            assert _walk(name, source, 60) > 0, name


_MINE = """
[mine:minishogi]
customPiece1 = a:NW
startFen = rbsgk/4p/5/P4/KGSBR[Aa] w - - 0 1
"""


def test_a_game_of_a_file_is_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hands and a new piece; a definition that has changed since is noticed, and by which rule."""
    definition, data, net = (tmp_path / name for name in ("my.ini", "my.pos", "my.net"))
    definition.write_text(_MINE)
    words = ["train", "--variants", str(definition)]
    generate = ["generate", "--nodes", "10", "--positions", "2000", "--out", str(data)]
    assert cli.main([*words, *generate]) == 0
    learn = ["net", "--data", str(data), "--out", str(net), "--epochs", "1"]
    assert cli.main([*words, *learn]) == 0
    assert "the kernel agrees on" in capsys.readouterr().out
    (game,) = read_definitions(str(definition))
    rules: Any = rules_with(game, read_net(net))
    assert "A in hand" in {counter.name for counter in rules.net.inputs.counters}
    more = [*generate[:4], "2100", *generate[5:]]
    for old, new, difference in (
        ("custom", "stalemateValue = draw\ncustom", "its rules have stalemate_value loss, not"),
        ("[Aa]", "[]", "its counters is"),
        ("rbsgk", "rsbgk", "its start is"),
        ("a:NW", "a:NF", "its rules have piece A NW, not NF"),
    ):
        definition.write_text(_MINE.replace(old, new))
        assert cli.main([*words, *more]) == 2
        assert difference in capsys.readouterr().err, new


def test_a_net_for_other_rules_is_refused() -> None:
    """In a line that names the difference."""
    rules: Any = {name: rules_with(registry().game(name), None) for name in ("atomic", "5check")}
    crazyhouse: Any = rules_with(registry().game("crazyhouse"), None)
    atomic = random_net(registry().game("atomic"), 1)
    rules["atomic"].with_net(atomic)
    for other, message in (
        (registry().game("3check"), "counters checks left up to 3, castling rights"),
        (registry().game("janggi"), "board 9x10, not 8x8"),
    ):
        with pytest.raises(UserError, match=f"does not fit 5check: it has .*{message}"):
            rules["5check"].with_net(random_net(other, 1))
    with pytest.raises(UserError, match="does not fit crazyhouse: it has pieces PNBRQK, not P N B"):
        crazyhouse.with_net(atomic)
    calm = dataclasses.replace(atomic, rules={**atomic.rules, "blast_on_capture": "no"})
    with pytest.raises(UserError, match="it has blast_on_capture no, not True"):
        rules["atomic"].with_net(calm)


def test_all_nets_are_a_small_download() -> None:
    """With the hypernetwork 6 MB at most, half of what a wheel may have."""
    files = [path for path in NETS.iterdir() if path.suffix in (".net", ".npz")]
    assert len(files) > 40
    assert sum(path.stat().st_size for path in files) <= 6_000_000
