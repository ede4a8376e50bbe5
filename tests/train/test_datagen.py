"""Positions made by self-play: what a record says, and the files that hold them."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import format_board, square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.games.training import NO_SQUARE, RECORD
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.inputs import BLACK
from ryugi_engine.train import datagen
from ryugi_engine.train.datagen import decided_share, generate, nodes_to_decide
from ryugi_engine.train.dataset import load
from ryugi_engine.train.player import Player
from ryugi_engine.train.positions import (
    HEADER,
    Writer,
    dtype,
    facts_of,
    last_game,
    read_facts,
    records,
)
from ryugi_engine.train.record_check import check_records
from ryugi_engine.train.settings import SelfPlaySettings
from ryugi_engine.train.summary import summary
from ryugi_engine.train.trainable_game import training_of
from tests.conftest import FAMILY
from tests.support.helpers import ROOT, patient, walked

_QUICK = SelfPlaySettings(nodes=20)
_OWN = """
[tiny]
files = 5
ranks = 6
start = "kqbnr/ppppp/5/5/PPPPP/KQBNR w - - 0 1"
promotion = "Q"
double_step_region = ""
[tiny.pieces]
K = "K"
Q = "Q"
B = "B"
N = "N"
R = "R"
"""


def decoded(record: Any, game: Game) -> list[str]:
    """A record's board, side, rights and en passant square as a position text has them."""
    letters = training_of(game).inputs.letters
    board = {}
    for square, code in enumerate(record["cells"].tolist()):
        if code:
            letter = letters[code % BLACK - 1]
            at = (square % game.files, square // game.files)
            board[at] = letter.lower() if code >= BLACK else letter
    rights = "".join(c for bit, c in enumerate("KQkq") if int(record["rights"]) >> bit & 1)
    target = int(record["en_passant"])
    return [
        format_board(board, game.files, game.ranks),
        "wb"[record["side"]],
        rights or "-",
        "-" if target == NO_SQUARE else square_name((target & 15, target >> 4)),
        str(record["clock"]),
    ]


@pytest.mark.parametrize("name", FAMILY)
def test_a_record_is_its_position(name: str, source: random.Random) -> None:
    game = registry().game(name)
    training = training_of(game)
    block = Block(3 * training.words)
    for _ in range(30):
        position = walked(game, source)
        training.record(position.state.address, block.address, training.words)
        raw = block.words[training.words : 2 * training.words]
        record = np.frombuffer(raw.tobytes(), dtype=dtype(training.inputs.cells))[0]
        assert decoded(record, game) == position.text().split()[:5]
    assert not block.words[: training.words].any()
    assert not block.words[2 * training.words :].any()


def _games(game: Game, numbers: list[int], seed: int) -> dict[int, bytes]:
    player = Player(game, _QUICK, seed)
    return {number: player.play(number) or b"" for number in numbers}


def test_a_game_depends_on_seed_and_number_only(ryugi: Game) -> None:
    numbers = list(range(8))
    forward = _games(ryugi, numbers, 5)
    assert _games(ryugi, numbers[::-1], 5) == forward
    assert len(set(forward.values())) > 6
    assert _games(ryugi, numbers, 6) != forward


def test_what_is_recorded(source: random.Random) -> None:
    """No checks, no captures or promotions as best moves, bounded scores, one result a game."""
    game = registry().game("chess")
    seed = source.randrange(1000)
    raw = b"".join(_games(game, list(range(30)), seed).values())
    held = np.frombuffer(raw, dtype=dtype(64))
    assert len(held) > 500
    assert np.abs(held["score"]).max() <= _QUICK.bounded
    assert set(np.unique(held["result"]).tolist()) <= {-1, 0, 1}
    pairs = 0
    for number in range(30):
        mine = held[held["game"] == number]
        white = mine["result"] * (1 - 2 * mine["side"].astype(np.int8))
        assert len(set(white.tolist())) <= 1
        assert (np.diff(mine["ply"].astype(int)) > 0).all()
        for before, after in itertools.pairwise(mine):
            if before["ply"] + 1 == after["ply"]:
                pairs += 1
                assert np.array_equal(np.sort(before["cells"]), np.sort(after["cells"]))
    assert pairs > 200
    for record in held[:: len(held) // 50]:
        position = Position(game, " ".join([*decoded(record, game), "1"]))
        assert not position.in_check()
        assert position.outcome() is None
    full = np.count_nonzero(held["cells"], axis=1).max()
    assert full >= 28


@pytest.mark.parametrize(
    ("name", "times"), [("chu", 3), ("ryugi", 1), ("shogi", 1), ("opulent", 1)]
)
def test_bounds_of_scores_grow_with_the_pieces(tmp_path: Path, name: str, times: int) -> None:
    """In Chu Shogi a side has 16,500 centipawns of pieces, in chess 4,089."""
    game, path = registry().game(name), tmp_path / "a.pos"
    seen = Player(game, _QUICK, 1).seen
    bounds = [int(seen[bound]) for bound in ("decided", "bounded", "even", "undecided")]
    assert bounds == [times * bound for bound in (1400, 2500, 1200, 400)]
    generate(game, path, 20, _QUICK, threads=1, seed=1, report=lambda line: None)
    facts = read_facts(path)
    assert (facts["decided"], facts["bounded"]) == (1400 * times, 2500 * times)
    check_records(path, training_of(game))


def test_games_that_repeat_moves_get_more_nodes(
    ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred nodes are a ply or two of Chu Shogi: its players find no plan."""
    assert nodes_to_decide(ryugi, None, 100) == 100
    assert decided_share(registry().game("chu"), None, 100) < 0.25
    shares = {100: 0.05, 200: 0.2, 400: 0.4}
    monkeypatch.setattr(datagen, "decided_share", lambda game, net, nodes, **_: shares[nodes])
    assert nodes_to_decide(ryugi, None, 100) == 400
    shares[400] = 0.1
    assert nodes_to_decide(ryugi, None, 100) == 800


def test_some_games_begin_without_a_piece(ryugi: Game, source: random.Random) -> None:
    seed = source.randrange(1000)
    player = Player(ryugi, SelfPlaySettings(nodes=1, odds=100), seed)
    counts = set()
    for number in range(12):
        raw = player.play(number) or b""
        held = np.frombuffer(raw, dtype=dtype(80))
        counts |= {np.count_nonzero(record["cells"]) for record in held[:1]}
    whole = sum(letter.isalpha() for letter in ryugi.start.split()[0])
    assert max(counts) < whole


def test_a_users_game(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(_OWN)
    game = read_definitions(str(tmp_path / "tiny.toml"))[0]
    lines: list[str] = []
    out = tmp_path / "tiny.pos"
    number = generate(game, out, 200, _QUICK, threads=2, seed=None, report=lines.append)
    held = records(out)
    assert len(held) == number >= 200
    assert held["cells"].shape[1] == 30
    assert "a second" in lines[-1]


def test_where_all_moves_capture_positions_are_recorded_too(tmp_path: Path) -> None:
    game, out = registry().game("clobber"), tmp_path / "clobber.pos"
    number = generate(game, out, 200, _QUICK, threads=2, seed=None, report=lambda line: None)
    assert len(records(out)) == number >= 200


def test_a_file_is_gone_on_with(tmp_path: Path, ryugi: Game) -> None:
    out = tmp_path / "ryugi.pos"
    first = generate(ryugi, out, 60, _QUICK, threads=1, seed=3, report=lambda line: None)
    games = last_game(out)
    with out.open("ab") as handle:  # what a killed process has left of a record
        handle.write(b"torn")
    second = generate(
        ryugi, out, first + 60, _QUICK, threads=2, seed=None, report=lambda line: None
    )
    held = records(out)
    assert len(held) == second >= first + 60
    assert out.stat().st_size == HEADER + second * held.dtype.itemsize
    assert (held["game"][:first] <= games).all()
    assert (held["game"][first:] > games).all()
    with pytest.raises(UserError, match=r"ryugi\.pos: its nodes is 20, not 30: name another file"):
        generate(ryugi, out, 10**6, SelfPlaySettings(nodes=30), threads=1, seed=None, report=print)
    with pytest.raises(UserError, match="its seed is 3, not 4"):
        generate(ryugi, out, 10**6, _QUICK, threads=1, seed=4, report=print)
    chess = registry().game("chess")
    with pytest.raises(UserError, match="its game is ryugi, not chess"):
        generate(chess, out, 10**6, _QUICK, threads=1, seed=None, report=print)
    assert len(records(out)) == second


def test_what_is_no_file_of_positions_is_left_alone(tmp_path: Path, ryugi: Game) -> None:
    for number, text in enumerate((b"1. e4 e5\n", b"{}".ljust(HEADER), b"\0" * 5000)):
        path = tmp_path / f"{number}.pgn"
        path.write_bytes(text)
        with pytest.raises(UserError, match="is not a file of positions"):
            generate(ryugi, path, 10, _QUICK, threads=1, seed=None, report=print)
        assert path.read_bytes() == text
    with pytest.raises(UserError, match="is a folder, not a file"):
        generate(ryugi, tmp_path, 10, _QUICK, threads=1, seed=None, report=print)
    other = registry().game("gorogo")
    with pytest.raises(UserError, match="gorogo"):
        generate(other, tmp_path / "x", 10, _QUICK, threads=1, seed=None, report=print)
    assert not (tmp_path / "x").exists()


def _file_of(game: Game, path: Path, source: random.Random, count: int) -> Any:
    """Write positions of random games to a file; return its records, to be changed in place."""
    training = training_of(game)
    block = Block(training.words)
    with Writer(path, facts_of(game, training), {}) as writer:
        for _ in range(count):
            position = walked(game, source)
            training.record(position.state.address, block.address, 0)
            writer.add(block.words.tobytes())
    return np.memmap(path, dtype(training.inputs.cells), "r+", offset=HEADER)


@pytest.mark.parametrize("name", ["chess", "crazyhouse", "5check", "seirawan"])
def test_what_no_game_has_written_is_refused(
    name: str, tmp_path: Path, source: random.Random
) -> None:
    """A record with any field damaged is named by its number; what games have is not."""
    game = registry().game(name)
    training = training_of(game)
    inputs, path = training.inputs, tmp_path / "some.pos"
    held = _file_of(game, path, source, 40)
    for known in (training, None):
        check_records(path, known)
    free = {0, *inputs.codes(), 63}
    free |= {128 + code for code in free} if inputs.unmoved else set()
    wrong = source.choice([code for code in range(256) if code not in free])
    damages = [
        ("side", source.randrange(2, 256), "side"),
        ("result", source.choice([-128, -2, 2, 127]), "result"),
        ("score", source.choice([-32768, 32767]), "score"),
        ("rights", source.randrange(16, 256), "castling rights"),
        ("en_passant", source.randrange(0x80, 255), "en passant on"),
    ]
    for field, value, words in damages:
        at = source.randrange(len(held))
        before = held[field][at]
        held[field][at] = value
        with pytest.raises(UserError, match=rf"some\.pos: record {at + 1}: {words} .*{value}"):
            check_records(path)
        held[field][at] = before
    at, square = source.randrange(len(held)), source.randrange(inputs.squares - 1)
    before = held["cells"][at].copy()
    for value, words in ((wrong, f"{wrong}, which is no piece"), (inputs.king, "kings of White")):
        held["cells"][at, square : square + 2] = value
        with pytest.raises(UserError, match=f"record {at + 1}: .*{words}"):
            check_records(path, training)
        held["cells"][at] = before
    held["cells"][at, : inputs.squares] = np.where(before == 0, 1, before)[: inputs.squares]
    with pytest.raises(UserError, match=rf"record {at + 1}: \d+ pieces, of \d+ at the"):
        check_records(path, training)
    held["cells"][at] = before
    check_records(path, training)


def test_every_reader_looks_at_a_file_first(
    tmp_path: Path, ryugi: Game, source: random.Random
) -> None:
    path = tmp_path / "some.pos"
    held = _file_of(ryugi, path, source, 30)
    readers: list[Callable[[], object]] = [
        lambda: list(summary(path, registry())),
        lambda: load(ryugi, [path]),
        lambda: generate(ryugi, path, 99, _QUICK, threads=1, seed=None, report=print),
    ]
    held["cells"][6, 3] = 200
    for read in readers[:2]:
        with pytest.raises(UserError, match=r"some\.pos: record 7: a square with 200"):
            read()
    held["cells"][6, 3] = 0
    with path.open("ab") as handle:
        handle.write(b"torn")
    for read in readers[:2]:
        with pytest.raises(UserError, match=r"some\.pos: record 31: cut off after 4 bytes of 96"):
            read()
    # what is resumed is looked at as it was written
    made = generate(ryugi, tmp_path / "made.pos", 20, _QUICK, threads=1, seed=5, report=print)
    held = np.memmap(tmp_path / "made.pos", dtype(80), "r+", offset=HEADER)
    held["side"][made - 1] = 7
    with pytest.raises(UserError, match=rf"made\.pos: record {made}: side 7, not 0 or 1"):
        generate(ryugi, tmp_path / "made.pos", 99, _QUICK, threads=1, seed=5, report=print)


def test_one_writer_at_a_time(tmp_path: Path, ryugi: Game) -> None:
    out = tmp_path / "ryugi.pos"
    facts = facts_of(ryugi, training_of(ryugi))
    with Writer(out, facts, {}), pytest.raises(UserError, match="another process is adding to it"):
        Writer(out, facts, {})
    with Writer(out, facts, {}) as writer, pytest.raises(ValueError, match="no whole records"):
        writer.add(b"12345")


@pytest.mark.slow
def test_an_interrupt_loses_nothing_that_was_played(tmp_path: Path) -> None:
    out = tmp_path / "chess.pos"
    command = [sys.executable, "-m", "ryugi_engine", "train", "generate", "--variant", "chess"]
    command += ["--out", str(out), "--positions", "100000000", "--threads", "2", "--nodes", "50"]
    for end, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        before = out.stat().st_size if out.exists() else HEADER
        limit = time.monotonic() + patient(120)
        while not out.exists() or out.stat().st_size <= before:
            if time.monotonic() > limit:
                process.kill()
            assert process.poll() is None, process.communicate(timeout=patient(20))
            time.sleep(0.1)
        process.send_signal(end)
        _, output = process.communicate(timeout=patient(60))
        assert process.returncode == code
        assert "Traceback" not in output
        if end == signal.SIGINT:
            assert output.splitlines()[-1] == f"{out}: stopped; the same command resumes it"
            assert (out.stat().st_size - HEADER) % dtype(64).itemsize == 0
            played = np.array(records(out))
    held = records(out)
    assert len(held) > len(played) > 0
    assert np.array_equal(held[: len(played)], played)
    assert RECORD.bytes == 16
