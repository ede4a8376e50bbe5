"""Nets of simple games: records, the kernel against the reference evaluation, the commands."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from tests.simple_game.test_games import ENVIRONMENT
from tests.simple_game.test_mistakes import mistaken
from tests.support.effort import effort
from tests.support.helpers import command, completed

_NETS = """
import random, sys
import numpy as np
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.kernel.block import Block
from ryugi_engine.train.positions import dtype
from tests.nnue.test_nets import random_net

source, plies = random.Random(int(sys.argv[1])), int(sys.argv[2])
game = registry().game(sys.argv[3])
nets = [
    random_net(game, source.randrange(1 << 30), size, spread=60, output_buckets=buckets)
    for size, buckets in ((32, 1), (96, 4))
]
own = rules_of(game)
texts = [game.start, *game.positions("openings")]
texts += [line.partition(";")[0].strip() for line in game.positions("perft")]
training = own.training()
blocks = Block(training.words)


def compare(position, net):
    address = position.state.address
    training.record(address, blocks.address, 0)
    record = np.frombuffer(blocks.words.tobytes(), dtype=dtype(training.inputs.cells))[0]
    board = {}
    for square, code in enumerate(record["cells"].tolist()):
        if code:
            letter = training.inputs.letters[code % 16 - 1]
            board[divmod(square, game.files)[::-1]] = letter.lower() if code >= 16 else letter
    assert board == position.rules.board(position.state)
    clock = position.text().split()[2]
    assert clock in ("-", str(record["clock"]))
    expected = int(net.evaluate(record["cells"][None], record["side"][None])[0])
    # the accumulators of another position are there already
    assert position.evaluate() == expected, (position.text(), position.evaluate(), expected)


for number in range(plies):
    if number % 40 == 0:
        net = nets[number // 40 % len(nets)]
        position = Position(game, source.choice(texts), own.with_net(net))
    codes = position.legal_codes()
    if position.outcome() is not None or not codes:
        position = Position(game, rules=own.with_net(net))
        continue
    position.push(source.choice(codes))
    compare(position, net)
    if source.random() < 0.3:
        position.pop()
        compare(position, net)
assert own.net is None
"""


@pytest.mark.parametrize("name", ["ataxx", "breakthrough"])
def test_the_kernel_is_the_reference_evaluation(name: str) -> None:
    seed, plies = random.randrange(2**31), effort(240, 4000)
    print(f"seed {seed}")
    done = completed([sys.executable, "-c", _NETS, str(seed), str(plies), name], env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_net_is_trained_and_used(tmp_path: Path) -> None:
    data, net = tmp_path / "positions", tmp_path / "own.net"
    words = ("--variant", "breakthrough", "--threads", "1", "--seed", "1")
    done = command(
        *("train", "generate", *words, "--out", str(data), "--positions", "3000", "--nodes", "40"),
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stderr
    done = command(
        *("train", "net", *words, "--data", str(data), "--out", str(net), "--epochs", "2"),
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stderr
    assert "the kernel agrees on" in done.stdout + done.stderr
    # next to the game's file it is the game's own
    environment = mistaken(tmp_path / "games", "breakthrough", "longest=224", "longest=224")
    (tmp_path / "games" / "breakthrough" / "nets").mkdir()
    net.rename(tmp_path / "games" / "breakthrough" / "nets" / "breakthrough.net")
    done = command("bench", "--variant", "breakthrough", "--depth", "2", env=environment)
    plain = command("bench", "--variant", "breakthrough", "--depth", "2", env=ENVIRONMENT)
    counts = [re.findall("searched.*", run.stdout) for run in (done, plain)]
    assert counts[0]
    assert counts[0] != counts[1]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ('["pieces", "stock"]', "inputs: stock: a Hand cannot be recorded"),
        ('["pieces", "peices"]', "inputs: there is no field 'peices'"),
        ('["clock"]', "inputs: 0 sets of squares, not 1 to 15"),
        ('["walls", "walls"]', "inputs: a field is named twice"),
        # what the net does not see is not recorded either
        ('"walls"', "training: its record, recalled, has other legal moves"),
    ],
)
def test_wrong_inputs_are_named(inputs: str, message: str, tmp_path: Path) -> None:
    old = 'inputs=["pieces", "walls", "clock"]'
    environment = mistaken(tmp_path, "ataxx", old, f"inputs={inputs}")
    done = command("check", "--game", "ataxx", "--positions", "30", "--seed", "1", env=environment)
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_what_cannot_be_trained_says_what_is_missing(tmp_path: Path) -> None:
    out = str(tmp_path / "positions")
    words = ("train", "generate", "--out", out, "--positions", "10", "--variant", "amazons")
    done = command(*words, env=ENVIRONMENT)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        "amazons: its evaluation cannot be learnt: its 'define' has no 'inputs', the fields that a"
        " net sees"
    )
    done = command(
        *("train", "net", "--variant", "ataxx", "--data", out, "--out", out, "--king-buckets", "1"),
        env=ENVIRONMENT,
    )
    assert "--king-buckets: ataxx has no king" in done.stderr
