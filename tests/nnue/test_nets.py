"""Nets: the kernel against the reference inference, the bounds of sums, files that are refused."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.commands import cli
from ryugi_engine.core.events import Note
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.architecture import CHUNK, QA, king_zones
from ryugi_engine.nnue.file_format import read_net, to_bytes, write_net
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.positions import dtype
from ryugi_engine.train.trainable_game import own_net, rules_with, trainable, training_of
from tests.conftest import FAMILY
from tests.support.effort import effort
from tests.support.helpers import ROOT, command, walked, wild_position
from variants.chess.family import kinship
from variants.chess.fast import layout as L


def random_net(
    game: Game,
    seed: int,
    hidden_size: int = CHUNK,
    spread: int = 150,
    output_buckets: int = 1,
    king_buckets: int = 0,
) -> Net:
    """Return a random net; its activations are often clipped and often not."""
    t = training_of(game)
    source = np.random.default_rng(seed)
    inputs = t.inputs
    rows = max(king_buckets, 1) * inputs.features

    def shorts(high: int, *shape: int) -> Any:
        return source.integers(-high, high + 1, shape, dtype=np.int16)

    return Net(
        game=game.name,
        inputs=inputs,
        rules=t.rules,
        feature_weights=shorts(spread, rows, hidden_size),
        feature_biases=shorts(spread, hidden_size),
        output_weights=shorts(127 if hidden_size == CHUNK else 60, output_buckets, 2, hidden_size),
        output_biases=tuple(int(b) for b in source.integers(-(10**7), 10**7, output_buckets)),
        qb=128,
        max_pieces=sum(map(str.isalpha, game.start.split()[0])),
        zones=king_zones(t.inputs.files, t.inputs.ranks, king_buckets),
    )


def evaluate(net: Net, pieces: Any, side: int) -> int:
    """Return the reference evaluation of one position, in centipawns."""
    return int(net.evaluate(pieces[None, :], np.array([side]))[0])


def recorded(position: Position) -> Any:
    """A position as a record."""
    t = training_of(position.game)
    block = Block(t.words)
    t.record(position.state.address, block.address, 0)
    return np.frombuffer(block.words.tobytes(), dtype=dtype(t.inputs.cells))[0]


@pytest.fixture
def rules(request: pytest.FixtureRequest) -> Any:
    """Rules of their own, so that a net stays with the test."""
    return registry().game(request.param).load()


def _at(position: Position, rules: Any) -> Position:
    """The same position in a state of other rules."""
    other = position.copy()
    other.rules = rules
    other.state = rules.new_state(position.text())
    return other


def _learnt(position: Position) -> int:
    rules: Any = position.rules
    return int(rules.training().learnt(position.state.address))


@pytest.mark.slow
@pytest.mark.parametrize("rules", FAMILY, indirect=True)
def test_the_kernel_equals_the_reference(rules: Any, source: random.Random) -> None:
    """To the last bit: walks with moves of all kinds, and pieces anywhere, for both sides."""
    game = registry().game(rules.definition.name)
    wide = L.KEPT_CHUNKS * CHUNK + CHUNK
    for hidden_size, output_buckets, king_buckets in (
        (CHUNK, 1, 0),
        (3 * CHUNK, 4, 1),
        (CHUNK, 2, 4),
        (wide, 8, 2),
    ):
        seed = source.randrange(2**32)
        net = random_net(
            game, seed, hidden_size, output_buckets=output_buckets, king_buckets=king_buckets
        )
        learnt = rules.with_net(net)
        values = set()
        for number in range(30):
            result = wild_position(game, source) if number % 2 else walked(game, source, 60)
            if result is None:
                continue
            record = recorded(result)
            value = evaluate(net, record["cells"], result.side)
            assert _learnt(_at(result, learnt)) == value, result.text()
            values.add(value)
        assert len(values) > 5


def _lines(rules: Any, position: Position, source: random.Random, plies: int) -> Iterator[None]:
    """Walk a tree of moves and null moves, with a stop wherever it comes to."""
    kernels, state = rules.kernels, position.state.address
    for _ in range(plies):
        codes = position.legal_codes()
        if not codes:
            return
        for code in source.sample(codes, min(4, len(codes))):
            kernels.make(state, code)
            yield
            deeper = 0
            for _ in range(source.randrange(5)):
                replies = position.legal_codes()
                if not position.in_check() and source.random() < 0.3:
                    if not kernels.make_null(state):
                        break
                    yield
                    kernels.unmake_null(state)
                elif replies:
                    kernels.make(state, source.choice(replies))
                    deeper += 1
                    yield
            for _ in range(deeper):
                kernels.unmake(state)
                yield
            kernels.unmake(state)
            yield
        special = [code for code in codes if code >> 14 & 7]
        kernels.make(state, source.choice(special or codes))
        if source.random() < 0.02:
            rules.compact(position.state)


@pytest.mark.more
@pytest.mark.parametrize("rules", ["ryugi", "chess", "janus"], indirect=True)
def test_updates_equal_refreshes(rules: Any, source: random.Random) -> None:
    """Whatever was looked at before: moves of all kinds, null moves, back, another net."""
    game = registry().game(rules.definition.name)
    kinds: set[int] = set()
    looked = 0
    number = 0
    while number < effort(4, 24) or len(kinds) < effort(3, 5) or looked <= effort(100, 500):
        number += 1
        assert number < 400, kinds
        hidden_size, king_buckets = CHUNK * source.choice((1, 4)), source.choice((0, 1, 4))
        seed = source.randrange(2**32)
        net = random_net(game, seed, hidden_size, output_buckets=3, king_buckets=king_buckets)
        rules = rules.with_net(net)
        result = wild_position(game, source) if number % 2 else walked(game, source, 40)
        if result is None:
            continue
        position = _at(result, rules)
        for _ in _lines(rules, position, source, effort(5, 20)):
            if source.random() < 0.4:
                continue
            if source.random() < 0.05:
                net = random_net(game, source.randrange(2**32), net.hidden_size, output_buckets=3)
                other = rules.with_net(net).new_state(game.start)
                position.state.keeps = other.keeps
                L.STATE.of(position.state)["tables"] = L.STATE.of(other)["tables"]
            frame = rules.current(position.state)
            kinds.add(int(frame["move"]) >> 14 & 7)
            record = recorded(position)
            if record["clock"] <= 20:
                wanted = evaluate(net, record["cells"], position.side)
                value = rules.training().learnt(position.state.address)
                assert value == wanted, position.text()
                looked += 1


def test_colours_are_alike(ryugi: Game, source: random.Random) -> None:
    """A board turned round with its colours is worth the same to the other side."""
    net = random_net(ryugi, source.randrange(2**32))
    for _ in range(20):
        pieces = recorded(walked(ryugi, source, 60))["cells"]
        turned = pieces.reshape(ryugi.ranks, ryugi.files)[::-1].reshape(-1).copy()
        turned[turned > 0] ^= 16
        assert evaluate(net, pieces, 0) == evaluate(net, turned, 1)
        assert evaluate(net, pieces, 1) == evaluate(net, turned, 0)


def test_bounds_hold_and_are_tight(ryugi: Game, source: random.Random) -> None:
    """Pieces put on a board one by one in any order stay within; the worst board comes there."""
    net = random_net(ryugi, source.randrange(2**32))
    low, high = net.accumulator_range()
    rows = net.feature_weights.astype(np.int64).reshape(-1, 80, net.hidden_size)
    for _ in range(20):
        sums = net.feature_biases.astype(np.int64)
        for square in source.sample(range(80), 80):
            sums = sums + rows[source.randrange(len(rows)), square]
            assert (sums <= high).all()
            assert (sums >= low).all()
    lane = source.randrange(net.hidden_size)
    worst = np.maximum(rows[:, :, lane].max(axis=0), 0).sum() + max(
        int(net.feature_biases[lane]), 0
    )
    assert high[lane] == worst


def test_nets_whose_sums_could_overflow_are_refused(ryugi: Game) -> None:
    net = random_net(ryugi, 1)

    def refused(why: str, **changes: Any) -> None:
        with pytest.raises(UserError, match=why):
            dataclasses.replace(net, **changes).check()

    net.check()
    inputs = net.feature_weights.copy()
    inputs[:, 7] = 32_767 // 80 + 1
    refused("an accumulator of the net could overflow 16 bits", feature_weights=inputs)
    refused("an accumulator of the net could overflow 16 bits", feature_weights=-inputs)
    outputs = net.output_weights.copy()
    outputs[0, 1, 3] = -(32_767 // QA) - 1
    refused("a weighted activation of the net could overflow 16 bits", output_weights=outputs)
    refused("the net's feature (weights|biases) are", feature_biases=net.feature_biases[:-1])
    refused("the net's output weights are", output_weights=net.output_weights.astype(np.int32))
    refused("could overflow 64 bits", output_biases=(1 << 50,))
    refused("could overflow 64 bits", qb=0)
    refused("1 to 8 output buckets, and a bias for each", output_biases=(0, 0))
    refused(
        "1 to 8 output buckets",
        output_weights=np.repeat(net.output_weights, 9, axis=0),
        output_biases=(0,) * 9,
    )
    refused("for 1 to 128 pieces, not 0", max_pieces=0)
    refused("the scale of a net is 1 to 100000, not 0", scale=0)
    refused("a king zone per square and 1 to 8 buckets", zones=net.zones[:-1])
    refused("a king zone per square and 1 to 8 buckets", zones=np.full_like(net.zones, 16))
    refused("the net's feature (weights|biases) are", zones=np.full_like(net.zones, 2))


def test_a_file_is_the_net(tmp_path: Path, ryugi: Game) -> None:
    net = dataclasses.replace(random_net(ryugi, 2), metadata={"rounds": 3})
    path = tmp_path / "x.net"
    write_net(net, path)
    again = read_net(path)
    assert again.digest == net.digest
    assert again.metadata == {"rounds": 3}
    assert np.array_equal(again.feature_weights, net.feature_weights)
    assert dataclasses.replace(net, output_biases=(net.output_biases[0] + 1,)).digest != net.digest


def _file(first_line: bytes, net: Net, weights: bytes) -> bytes:
    head = net.content().split(b"\n", 2)[1]
    content = first_line + b"\n" + head + b"\n" + weights
    return content + hashlib.sha256(content).digest()


def test_files_of_older_versions_and_streams_that_break_off(tmp_path: Path, ryugi: Game) -> None:
    """Weights are read as they are, and compressed by zlib; what does not fit is refused."""
    net = random_net(ryugi, 2, spread=40)
    magic, _, weights = net.content().split(b"\n", 2)
    by_zlib = zlib.compress(weights[::2] + weights[1::2])
    path = tmp_path / "x.net"
    for line, older in ((magic, weights), (b"ryugi-engine net 3", by_zlib)):
        path.write_bytes(_file(line, net, older))
        assert read_net(path).content() == net.content()
    write_net(net, path)
    now = path.read_bytes()[:-32].split(b"\n", 2)[2]
    assert len(now) < len(by_zlib)
    for line, stream in ((b"ryugi-engine net 3", by_zlib), (b"ryugi-engine net 4", now)):
        for broken in (stream[:-3], stream[: len(stream) // 2], stream + b"\0", b"", stream[9:]):
            path.write_bytes(_file(line, net, broken))
            with pytest.raises(UserError, match=r"x\.net: the net cannot be used: its weights are"):
                read_net(path)


def test_a_file_keeps_every_weight(tmp_path: Path, ryugi: Game) -> None:
    """All of int16, by its own reading of the format; such a net could not be used."""
    net = random_net(ryugi, 2)
    extremes = np.resize(np.arange(-(1 << 15), 1 << 15).astype(np.int16), net.feature_weights.shape)
    extreme = dataclasses.replace(net, feature_weights=extremes)
    content = to_bytes(extreme)
    planes = zlib.decompress(content[:-32].split(b"\n", 2)[2])
    half = len(planes) // 2
    for n, weight in enumerate(extremes.ravel().tolist()):
        folded = planes[n] | planes[half + n] << 8
        assert weight == (-(folded + 1) // 2 if folded % 2 else folded // 2), n


def test_a_net_has_a_scale(tmp_path: Path, ryugi: Game, source: random.Random) -> None:
    """Its file and its kernel keep it: three times the centipawns for an output of 1.0."""
    net = random_net(ryugi, 4)
    assert b'"scale"' not in net.content()
    path = tmp_path / "x.net"
    write_net(dataclasses.replace(net, scale=1200), path)
    large = read_net(path)
    assert large.scale == 1200
    assert large.digest != net.digest
    rules = ryugi.load().with_net(large)
    for _ in range(20):
        position = walked(ryugi, source, 40)
        record = recorded(position)
        value = evaluate(large, record["cells"], position.side)
        assert abs(value - 3 * evaluate(net, record["cells"], position.side)) <= 3
        assert _learnt(_at(position, rules)) == value, position.text()


def test_files_that_are_no_nets(tmp_path: Path, ryugi: Game, source: random.Random) -> None:
    path = tmp_path / "x.net"
    net = random_net(ryugi, 2)
    write_net(net, path)
    raw = path.read_bytes()
    broken = {"this is no net": b"PNG" + raw, "damaged": raw[:-1000], "no net": b""}
    at = source.randrange(20, len(raw))
    damaged = raw[:at] + bytes([raw[at] ^ 1 << source.randrange(8)]) + raw[at + 1 :]
    for why, content in [*broken.items(), ("damaged", damaged), ("damaged", raw + b"\0")]:
        path.write_bytes(content)
        with pytest.raises(UserError, match=f"x.net: .*{why}"):
            read_net(path)
    with pytest.raises(UserError, match="No such file"):
        read_net(tmp_path / "none.net")
    outputs = net.output_weights.copy()
    outputs[0, 0, 0] = 1000
    write_net(dataclasses.replace(net, output_weights=outputs), path)
    with pytest.raises(UserError, match="x.net: the net cannot be used: a weighted activation"):
        read_net(path)


@pytest.mark.parametrize("king_buckets", [0, 2])
def test_a_net_becomes_one_of_another_game(source: random.Random, king_buckets: int) -> None:
    capablanca, janus = (registry().game(name) for name in ("capablanca", "janus"))
    net = random_net(capablanca, 3, output_buckets=4, king_buckets=king_buckets)
    own = trainable(janus).adapted(net, trainable(registry().game(net.game)))
    own.check()
    assert (own.game, own.max_pieces) == ("janus", net.max_pieces)
    assert own.metadata["begun as"] == f"capablanca {net.digest}"
    kinds = net.inputs.kinds
    codes = [kinds.index("A" if kind == "J" else kind) + 1 for kind in own.inputs.kinds]
    for _ in range(effort(10, 200)):
        record = recorded(walked(janus, source, 60))
        pieces, side = record["cells"], int(record["side"])
        theirs = [0 if c == 0 else codes[c % 16 - 1] + c // 16 * 16 for c in pieces]
        assert evaluate(own, pieces, side) == evaluate(net, np.array(theirs, np.uint8), side)
    same = trainable(registry().game("gothic")).adapted(net, trainable(registry().game(net.game)))
    assert np.array_equal(same.feature_weights, net.feature_weights)
    # ten ranks: the middle ones have two places
    larger = trainable(registry().game("grand")).adapted(net, trainable(registry().game(net.game)))
    theirs, ours = (
        one.feature_weights[one.inputs.kinds.index("K") * one.inputs.squares :][
            : one.inputs.squares
        ].reshape(one.inputs.ranks, one.inputs.files, -1)
        for one in (net, larger)
    )
    assert np.array_equal(ours[[0, 1, 8, 9]], theirs[[0, 1, 6, 7]])
    assert np.array_equal(ours[4], theirs[3])


def _facts(name: str) -> tuple[Any, Any]:
    """The definition of a game, and the inputs of its nets."""
    rules: Any = trainable(registry().game(name))
    return rules.definition, rules.training().inputs


def test_the_nearest_net_is_that_of_the_game_with_most_in_common() -> None:
    """Piece for piece, hands and aims; a piece that it lacks begins as one of its value."""
    pairs = [("5check", "3check"), ("loop", "crazyhouse"), ("nocheckatomic", "atomic")]
    pairs += [(name, "antichess") for name in ("suicide", "giveaway", "codrus", "losers")]
    pairs += [(name, "chess") for name in ("nocastle", "torpedo", "coregal")]
    for name, other in pairs:
        found = kinship.nearest(kinship.likeness(*_facts(name)), name)
        assert found is not None
        assert found[0] == other, name
    # other kinds have to be taken; pieces that turn over at each move
    for name, other in (("threekings", "extinction"), ("kyotoshogi", "shogi")):
        like = kinship.likeness(*_facts(name))
        assert kinship.kinship(like, kinship.likeness(*_facts(other)), 0).share < 0.9, name
    chess, game = own_net(registry().game("chess")), registry().game("amazon")
    assert chess is not None
    net = trainable(game).adapted(chess, trainable(registry().game("chess")))
    amazon, queen = (
        one.feature_weights[one.inputs.kinds.index(kind) * one.inputs.squares :][:64]
        for one, kind in ((net, "A"), (chess, "Q"))
    )
    assert np.array_equal(amazon, queen)


@pytest.mark.parametrize("rules", ["chess"], indirect=True)
def test_a_net_of_another_game_is_refused(rules: Any, ryugi: Game) -> None:
    own = random_net(registry().game("chess"), 1)
    rules = rules.with_net(own)
    with pytest.raises(
        UserError, match=r"a net of ryugi does not fit chess: it has board 10x8, not 8x8"
    ):
        rules.with_net(random_net(ryugi, 1))
    assert rules.net is own


def test_the_options(tmp_path: Path, ryugi: Game, source: random.Random) -> None:
    """EvalFile and Use NNUE take effect at once, and what was searched before is forgotten."""
    net = random_net(ryugi, source.randrange(2**32))
    path = tmp_path / "my.net"
    write_net(net, path)
    events: list[Any] = []
    session = Session(events.append)
    session.set_variant("ryugi")
    session.options.set("Use NNUE", "false")
    session.wait_ready()
    moves = walked(ryugi, source, 12).moves
    session.set_position(None, moves)

    def evaluation() -> int:
        session.wait_ready()
        return session.position.evaluate()

    record = recorded(session.position)
    own = evaluation()
    wanted = evaluate(net, record["cells"], session.position.side)
    session.options.set("EvalFile", str(path))
    assert evaluation() == own
    table = session.searcher.table
    table.block.words[:], table.used = 1, True
    session.options.set("Use NNUE", "true")
    assert evaluation() == wanted
    assert not table.block.words.any()
    assert f"net {net.digest} evaluates" in [e for e in events if isinstance(e, Note)][-1].text
    with pytest.raises(UserError, match="No such file"):
        session.options.set("EvalFile", str(tmp_path / "none.net"))
    assert evaluation() == wanted
    # another game goes by its own evaluation; the net is there again for its game
    session.set_variant("chess")
    session.wait_ready()
    assert any("does not fit chess" in e.text for e in events if isinstance(e, Note))
    assert session.position.evaluate() == Position(session.game).evaluate()
    session.set_variant("ryugi")
    session.set_position(None, moves)
    assert evaluation() == wanted
    position_before = session.position
    session.options.set("EvalFile", "<empty>")
    rules: Any = session.position.rules
    assert evaluation() == own or rules.net is not None
    assert position_before.evaluate() == wanted  # it keeps the net that it began with
    session.options.set("Use NNUE", "false")
    assert evaluation() == own


#: A game of the fast kernels, and one that tables play.
_FAST = """
[mini]
files = 5
ranks = 6
start = "kqbnr/ppppp/5/5/PPPPP/KQBNR w - - 0 1"
promotion = "Q"
double_step_region = ""
pieces = { K = "K", Q = "Q", B = "B", N = "N", R = "R" }
"""
_GENERAL = _FAST.replace('"Q",', '"mRcpR",')


@pytest.fixture(params=[_FAST, _GENERAL], ids=["fast", "general"])
def mini(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A definition, in a folder with two nets for it, and one for another game."""
    path = tmp_path / "mini.toml"
    path.write_text(request.param)
    (game,) = read_definitions(str(path))
    for number in (1, 2):
        write_net(random_net(game, number), tmp_path / f"{number}.net")
    write_net(random_net(registry().game("ryugi"), 3), tmp_path / "other.net")
    return path


def _digest(path: Path) -> str:
    return read_net(path).digest


def test_options_come_in_any_order(mini: Path) -> None:
    """A net is compared with the game that is played in the end; what does not fit is one line."""
    folder = mini.parent
    for net in ("1.net", "other.net"):
        given = {"VariantPath": mini, "UCI_Variant": "mini", "EvalFile": folder / net}
        for names in itertools.permutations(given):
            if names.index("UCI_Variant") < names.index("VariantPath"):
                continue  # it is not known yet
            events: list[Any] = []
            session = Session(events.append)
            session.begin_loading()
            for name in names:
                session.options.set(name, str(given[name]))
            session.wait_ready()
            session.wait_ready()
            notes = [event.text for event in events if "EvalFile" in event.text]
            rules: Any = session.position.rules
            if net == "1.net":
                assert notes == [], names
                assert rules.net.digest == _digest(folder / net)
            else:
                (note,) = notes
                assert "other.net: a net of ryugi does not fit mini: it has board" in note
                assert rules.net.origin, "it is played without a net"
            session.stop()


def test_which_net_a_users_game_is_played_by(mini: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The option before the definition's, that before the one beside it; none makes it fail."""
    folder = mini.parent

    def played() -> str:
        session = Session(lambda event: None, str(mini))
        session.set_variant("mini")
        rules: Any = session.position.rules
        assert session.game.trained == (session.game.net is not None)
        return "" if rules.net.origin else str(rules.net.digest)

    def complaint() -> str:
        return capfd.readouterr().err

    assert played() == ""
    beside = folder / "mini.net"
    beside.write_bytes((folder / "1.net").read_bytes())
    assert played() == _digest(folder / "1.net")
    assert complaint() == ""
    for wrong in ((folder / "other.net").read_bytes(), beside.read_bytes()[:-9], b"1. e4 e5"):
        beside.write_bytes(wrong)
        assert played() == ""
        assert re.search(r"mini\.net: .*\(the net is not used\)", complaint())
    beside.write_bytes((folder / "1.net").read_bytes())
    text = mini.read_text()
    mini.write_text(text.replace("files =", 'net = "2.net"\nfiles ='))
    assert played() == _digest(folder / "2.net")
    words = ["--variants", str(mini), "bench", "--depth", "2"]
    counts = set()
    for more in ([], ["--net", str(folder / "1.net")]):
        capfd.readouterr()
        assert cli.main([*words, *more]) == 0
        counts |= {*re.findall(r"Nodes searched  : (\d+)", capfd.readouterr().out)}
    assert len(counts) == 2
    for name, reason in (
        ("other.net", "the net of ryugi does not fit: it has board 10x8, not 5x6"),
        ("none.net", "No such file"),
        ("ryugi", "the net of ryugi does not fit"),
        ("ryuji", "'ryuji' is not a net that comes with the engine"),
    ):
        mini.write_text(text.replace("files =", f'net = "{name}"\nfiles ='))
        with pytest.raises(UserError, match=rf"mini\.toml:3: mini\.net: .*{reason}"):
            read_definitions(str(mini))


def test_a_net_of_the_command_line(mini: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command that plays takes it; a net that does not fit is refused in a line."""
    folder, own = mini.parent, ["--variants", str(mini)]
    record = folder / "mini.pgn"
    assert cli.main([*own, "record", "new", str(record)]) == 0
    assert cli.main([*own, "record", "add", str(record), "a2a3"]) == 0
    analyse = ["record", "analyse", str(record), "--depth", "1", "--threads", "1"]
    assert cli.main([*own, *analyse, "--net", str(folder / "1.net")]) == 0
    assert "not used" not in capsys.readouterr().err
    assert cli.main([*own, *analyse, "--net", str(folder / "other.net")]) == 0
    reason = "does not fit mini: it has board 10x8, not 5x6: it is not used"
    assert reason in capsys.readouterr().err
    for name in ("bench", "play"):
        assert cli.main([*own, name, "--net", str(folder / "other.net")]) == 2
        fault = capsys.readouterr().err.splitlines()[-1]
        assert "other.net: a net of ryugi does not fit mini" in fault
    for name in ("play", "web", "uci", "xboard", "bench"):
        done = command(*own, name, "--net", str(folder / "none.net"), input="protover 2\nuci\n")
        assert done.returncode == 2
        assert "none.net: " in done.stderr
    done = command("bench", "--net", str(folder / "1.net"))
    assert (done.returncode, "--net goes with --variant" in done.stderr) == (2, True)


def test_the_net_that_comes_with_a_game(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken by itself; a damaged one is reported in a line."""
    path = tmp_path / "ryugi.net"
    net = random_net(ryugi, 3)
    write_net(net, path)
    bare: Any = rules_with(ryugi, None)
    monkeypatch.setattr(type(bare), "shipped_net", property(lambda self: path))
    rules: Any = ryugi.load()
    assert rules.net.digest == net.digest
    text = ryugi.start
    pieces = recorded(Position(ryugi))["cells"]
    state, other = rules.new_state(text), bare.new_state(text)
    assert rules.training().learnt(state.address) == evaluate(net, pieces, 0)
    assert bare.training().learnt(other.address) != evaluate(net, pieces, 0)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UserError, match="ryugi.net: the net is damaged"):
        ryugi.load().new_state(text)


def test_a_game_may_name_a_net(tmp_path: Path) -> None:
    """A shipped one, for the same board and pieces; other names and other pieces are refused."""
    shipped = ROOT / "variants/chess/definitions"
    text = (shipped / "embassy.toml").read_text().replace("[embassy", "[mine")
    path = tmp_path / "mine.toml"
    path.write_text(text)
    (game,) = read_definitions(str(path))
    mine, theirs = own_net(game), own_net(registry().game("capablanca"))
    assert mine is not None
    assert theirs is not None
    assert mine.digest == theirs.digest
    for name in ("nothing", "../nets/chess", "janus "):
        path.write_text(text.replace('net = "capablanca"', f'net = "{name}"'))
        with pytest.raises(DefinitionError, match="is not a net that comes with the engine"):
            read_definitions(str(path))
    path.write_text(text.replace('net = "capablanca"', 'net = "chess"'))
    with pytest.raises(DefinitionError, match="mine.net: the net of chess does not fit"):
        read_definitions(str(path))


@pytest.mark.parametrize(
    "change",
    [
        {"lanes": 32.0},
        {"files": 10**400},
        {"letters": ["P"]},
        {"correction": True},
        {"unit": 0},
        {"men": []},
        {"constants": [1 << 80]},
        {"seats": [300] * 80},
        {"card": [1]},
        {"game": "\ud800\n"},
        {"lanes": None, "files": None},
    ],
    ids=lambda change: ",".join(f"{k}={v!r:.20}" for k, v in change.items()),
)
def test_hostile_heads(change: dict[str, Any], tmp_path: Path, ryugi: Game) -> None:
    """A value of another type or range is refused in one line, or does not matter."""
    magic, line, body = to_bytes(random_net(ryugi, 2))[:-32].split(b"\n", 2)
    for head in ({**json.loads(line), **change}, {**json.loads(line), **dict.fromkeys(change)}):
        content = magic + b"\n" + json.dumps(head).encode() + b"\n" + body
        path = tmp_path / "x.net"
        path.write_bytes(content + hashlib.sha256(content).digest())
        if set(change) <= {"card", "game"}:
            assert isinstance(read_net(path).metadata, dict)
        else:
            with pytest.raises(UserError, match=r"x\.net: the net cannot be used: .+"):
                read_net(path)
