"""Nets: the kernel against the naive inference, the bounds of sums, files that are refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.core.events import Note
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError
from ryugi_engine.games.game import Game
from ryugi_engine.games.nets import LANES, ONE, Net, digest_of, read_net, stage, usual_seats
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.kernel.abi import Block
from ryugi_engine.train.positions import dtype
from ryugi_engine.train.subject import own_net, own_rules, training_of
from tests.conftest import FAMILY
from tests.helpers import ROOT, walked, wild_position
from variants.chess_family import layout as L


def random_net(
    game: Game, seed: int, lanes: int = LANES, spread: int = 150, stages: int = 1, buckets: int = 0
) -> Net:
    """A net whose numbers mean nothing; its lanes are often within 0..ONE and often beyond."""
    t = training_of(game)
    source = np.random.default_rng(seed)
    rows = max(buckets, 1) * 2 * len(t.letters) * t.squares

    def shorts(high: int, *shape: int) -> Any:
        return source.integers(-high, high + 1, shape, dtype=np.int16)

    return Net(
        game=game.name,
        files=t.files,
        ranks=t.ranks,
        letters=t.letters,
        correction=False,
        inputs=shorts(spread, rows, lanes),
        biases=shorts(spread, lanes),
        outputs=shorts(127 if lanes == LANES else 60, stages, 2, lanes),
        constants=tuple(int(c) for c in source.integers(-(10**7), 10**7, stages)),
        unit=128,
        men=sum(map(str.isalpha, game.start.split()[0])),
        seats=usual_seats(t.files, t.ranks, buckets),
    )


def recorded(position: Position) -> Any:
    """A position as a record."""
    t = training_of(position.game)
    block = Block(t.words)
    t.record(position.state.address, block.address, 0)
    return np.frombuffer(block.words.tobytes(), dtype=dtype(t.squares))[0]


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


@pytest.mark.parametrize("rules", FAMILY, indirect=True)
def test_the_kernel_is_the_naive_inference(rules: Any, source: random.Random) -> None:
    """To the last bit: walks with moves of all kinds, and pieces anywhere, for both sides."""
    game = registry().game(rules.definition.name)
    wide = L.KEPT_PARTS * LANES + LANES
    for lanes, stages, buckets in ((LANES, 1, 0), (3 * LANES, 4, 1), (LANES, 2, 4), (wide, 8, 2)):
        seed = source.randrange(2**32)
        net = random_net(game, seed, lanes, stages=stages, buckets=buckets)
        values = set()
        for number in range(40):
            found = wild_position(game, source) if number % 2 else walked(game, source, 60)
            if found is None:
                continue
            position = _at(found, rules)
            record = recorded(position)
            value = net.value(record["pieces"], position.side)
            fade = int(record["clock"]) > 20
            rules.use_net(None)
            hand_written = rules.training().learnt(position.state.address)
            rules.use_net(net)
            alone = rules.training().learnt(position.state.address)
            rules.use_net(dataclasses.replace(net, correction=True))
            corrected = rules.training().learnt(position.state.address)
            if not fade:
                assert (alone, corrected) == (value, value + hand_written), position.text()
                values.add(value)
        assert len(values) > 10
    rules.use_net(None)
    assert rules.training().learnt(position.state.address) == hand_written


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


@pytest.mark.parametrize("rules", ["ryugi", "chess", "janus"], indirect=True)
def test_what_is_kept_is_what_is_found_afresh(rules: Any, source: random.Random) -> None:
    """Whatever was looked at before: moves of all kinds, null moves, back, another net."""
    game = registry().game(rules.definition.name)
    kinds: set[int] = set()
    looked = 0
    number = 0
    while number < 24 or len(kinds) < 5:
        number += 1
        assert number < 400, kinds
        lanes, buckets = LANES * source.choice((1, 4)), source.choice((0, 1, 4))
        seed = source.randrange(2**32)
        net = random_net(game, seed, lanes, stages=3, buckets=buckets)
        rules.use_net(net)
        found = wild_position(game, source) if number % 2 else walked(game, source, 40)
        if found is None:
            continue
        position = _at(found, rules)
        for _ in _lines(rules, position, source, 20):
            if source.random() < 0.4:
                continue
            if source.random() < 0.05:
                net = random_net(game, source.randrange(2**32), net.lanes, stages=3)
                rules.use_net(net)
            frame = rules.current(position.state)
            kinds.add(int(frame["move"]) >> 14 & 7)
            record = recorded(position)
            if record["clock"] <= 20:
                wanted = net.value(record["pieces"], position.side)
                value = rules.training().learnt(position.state.address)
                assert value == wanted, position.text()
                looked += 1
    assert looked > 500


def test_colours_are_alike(ryugi: Game, source: random.Random) -> None:
    """A board turned round with its colours is worth the same to the other side."""
    net = random_net(ryugi, source.randrange(2**32))
    for _ in range(20):
        pieces = recorded(walked(ryugi, source, 60))["pieces"]
        turned = pieces.reshape(ryugi.ranks, ryugi.files)[::-1].reshape(-1).copy()
        turned[turned > 0] ^= 16
        assert net.value(pieces, 0) == net.value(turned, 1)
        assert net.value(pieces, 1) == net.value(turned, 0)


def test_bounds_hold_and_are_tight(ryugi: Game, source: random.Random) -> None:
    """Pieces put on a board one by one in any order stay within; the worst board comes there."""
    net = random_net(ryugi, source.randrange(2**32))
    low, high = net.highest()
    rows = net.inputs.astype(np.int64).reshape(-1, 80, net.lanes)
    for _ in range(20):
        sums = net.biases.astype(np.int64)
        for square in source.sample(range(80), 80):
            sums = sums + rows[source.randrange(len(rows)), square]
            assert (sums <= high).all()
            assert (sums >= low).all()
    lane = source.randrange(net.lanes)
    worst = np.maximum(rows[:, :, lane].max(axis=0), 0).sum() + max(int(net.biases[lane]), 0)
    assert high[lane] == worst


def test_nets_whose_sums_could_overflow_are_refused(ryugi: Game) -> None:
    net = random_net(ryugi, 1)

    def refused(why: str, **changes: Any) -> None:
        with pytest.raises(UserError, match=why):
            dataclasses.replace(net, **changes).check()

    net.check()
    inputs = net.inputs.copy()
    inputs[:, 7] = 32_767 // 80 + 1
    refused("a lane of the net could leave 16 bits", inputs=inputs)
    refused("a lane of the net could leave 16 bits", inputs=-inputs)
    outputs = net.outputs.copy()
    outputs[0, 1, 3] = -(32_767 // ONE) - 1
    refused("a weighed lane of the net could leave 16 bits", outputs=outputs)
    refused("the net's inputs are", biases=net.biases[:-1])
    refused("the net's outputs are", outputs=net.outputs.astype(np.int32))
    refused("could leave 64 bits", constants=(1 << 50,))
    refused("could leave 64 bits", unit=0)
    refused("1 to 8 stages, and a constant for each", constants=(0, 0))
    refused("1 to 8 stages", outputs=np.repeat(net.outputs, 9, axis=0), constants=(0,) * 9)
    refused("for 1 to 128 pieces, not 0", men=0)
    refused("a seat for each square, of 1 to 8 buckets", seats=net.seats[:-1])
    refused("a seat for each square, of 1 to 8 buckets", seats=np.full_like(net.seats, 16))
    refused("the net's inputs are", seats=np.full_like(net.seats, 2))


def test_a_file_is_the_net(tmp_path: Path, ryugi: Game) -> None:
    net = dataclasses.replace(random_net(ryugi, 2), card={"rounds": 3})
    path = tmp_path / "x.net"
    net.write(path)
    again = read_net(path)
    assert again.digest == net.digest
    assert again.card == {"rounds": 3}
    assert np.array_equal(again.inputs, net.inputs)
    assert dataclasses.replace(net, constants=(net.constants[0] + 1,)).digest != net.digest
    assert dataclasses.replace(net, correction=True).digest != net.digest


def test_stages_go_by_the_number_of_pieces() -> None:
    """As many numbers of pieces to each, the fullest board in the last, more pieces too."""
    found = [stage(count, 8, 32) for count in range(41)]
    assert found[1:33] == [number for number in range(8) for _ in range(4)]
    assert found[0] == 0
    assert set(found[33:]) == {7}
    assert {stage(count, 1, 40) for count in range(129)} == {0}


def test_files_without_stages_are_read(tmp_path: Path, ryugi: Game) -> None:
    """As version 0.2 wrote them: one constant, and nothing of pieces."""
    net = random_net(ryugi, 3)
    magic, line, body = net.packed()[:-32].split(b"\n", 2)
    head = json.loads(line)
    (head["bias"],) = head.pop("constants")
    del head["men"], head["seats"]
    old = magic + b"\n" + json.dumps(head).encode() + b"\n" + body
    path = tmp_path / "old.net"
    path.write_bytes(old + hashlib.sha256(old).digest())
    again = read_net(path)
    assert (again.stages, again.constants) == (1, net.constants)
    pieces = recorded(Position(ryugi))["pieces"]
    assert again.value(pieces, 0) == net.value(pieces, 0)


def test_files_that_are_no_nets(tmp_path: Path, ryugi: Game, source: random.Random) -> None:
    path = tmp_path / "x.net"
    net = random_net(ryugi, 2)
    net.write(path)
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
    outputs = net.outputs.copy()
    outputs[0, 0, 0] = 1000
    dataclasses.replace(net, outputs=outputs).write(path)
    with pytest.raises(UserError, match="x.net: the net cannot be used: a weighed lane"):
        read_net(path)


@pytest.mark.parametrize("rules", ["chess"], indirect=True)
def test_a_net_of_another_game_is_refused(rules: Any, ryugi: Game) -> None:
    own = random_net(registry().game("chess"), 1)
    rules.use_net(own)
    with pytest.raises(UserError, match=r"a net of ryugi \(10x8 with \w+\) does not fit chess"):
        rules.use_net(random_net(ryugi, 1))
    assert rules.net is own


def test_the_options(tmp_path: Path, ryugi: Game, source: random.Random) -> None:
    """EvalFile and Use NNUE take effect at once, and what was searched before is forgotten."""
    net = random_net(ryugi, source.randrange(2**32))
    path = tmp_path / "my.net"
    net.write(path)
    events: list[Any] = []
    session = Session(events.append)
    session.set_variant("ryugi")
    session.set_option("Use NNUE", "false")
    session.wait_ready()
    moves = walked(ryugi, source, 12).moves
    session.set_position(None, moves)

    def evaluation() -> int:
        session.wait_ready()
        return session.position.evaluate()

    record = recorded(session.position)
    own = evaluation()
    wanted = net.value(record["pieces"], session.position.side)
    session.set_option("EvalFile", str(path))
    assert evaluation() == own
    session.searcher.table.block.words[:] = 1
    session.set_option("Use NNUE", "true")
    assert evaluation() == wanted
    assert not session.searcher.table.block.words.any()
    assert (
        f"net {net.digest} takes the place" in [e for e in events if isinstance(e, Note)][-1].text
    )
    with pytest.raises(UserError, match="No such file"):
        session.set_option("EvalFile", str(tmp_path / "none.net"))
    assert evaluation() == wanted
    # another game goes by its own evaluation; the net is there again for its game
    session.set_variant("chess")
    session.wait_ready()
    assert any("does not fit chess" in e.text for e in events if isinstance(e, Note))
    assert session.position.evaluate() == Position(session.game).evaluate()
    session.set_variant("ryugi")
    session.set_position(None, moves)
    assert evaluation() == wanted
    session.set_option("EvalFile", "<empty>")
    rules: Any = session.position.rules
    assert evaluation() == own or rules.own_net is not None
    session.set_option("Use NNUE", "false")
    assert evaluation() == own


def test_the_net_that_comes_with_a_game(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken by itself; a damaged one is said in a line."""
    path = tmp_path / "ryugi.net"
    net = random_net(ryugi, 3)
    net.write(path)
    bare: Any = own_rules(ryugi, None)
    monkeypatch.setattr(type(bare), "own_net", property(lambda self: path))
    rules: Any = ryugi.load()
    assert rules.net.digest == net.digest
    text = ryugi.start
    pieces = recorded(Position(ryugi))["pieces"]
    state, other = rules.new_state(text), bare.new_state(text)
    assert rules.training().learnt(state.address) == net.value(pieces, 0)
    assert bare.training().learnt(other.address) != net.value(pieces, 0)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UserError, match="ryugi.net: the net is damaged"):
        ryugi.load()


def test_a_game_may_name_a_net(tmp_path: Path) -> None:
    """A shipped one, for the same board and pieces; other names and other pieces are refused."""
    shipped = ROOT / "variants/chess_family/definitions"
    text = (shipped / "gothic.toml").read_text().replace("[gothic", "[mine")
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
    (game,) = read_definitions(str(path))
    with pytest.raises(UserError, match="does not fit mine"):
        game.load()


def test_a_net_that_corrects_another_evaluation_is_refused(ryugi: Game) -> None:
    """One that says nothing of it is taken, as is one that stands alone."""
    rules: Any = own_rules(ryugi, None)
    net = dataclasses.replace(random_net(ryugi, 5), correction=True)
    other = {**rules.weights, "value_leap": 0.0}
    for card in ({}, {"weights": digest_of(rules.weights)}):
        rules.use_net(dataclasses.replace(net, card=card))
    foreign = dataclasses.replace(net, card={"weights": digest_of(other)})
    with pytest.raises(UserError, match="another version"):
        rules.use_net(foreign)
    rules.use_net(dataclasses.replace(foreign, correction=False))
