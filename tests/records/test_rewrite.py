"""Changed records: a changed game is rewritten, all others keep their bytes."""

from __future__ import annotations

import codecs
import io
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import chess.pgn
import pytest

from ryugi_engine.analysis import annotate
from ryugi_engine.commands.cli import main
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records import editing
from ryugi_engine.records.pgn import Record, Step, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.rewrite import rewritten
from tests.conftest import GAMES

#: Tags as users and other programs write them, in no standard's order.
TAGS = (
    '[Site "C:\\new\\x"]',
    '[Event "a \\"quoted\\" \\\\ name"]',
    '[ White  "Ännchen"  ]',
    '[UnknownTag "1-0 {no comment} ; % $4"]',
    '[Black ""]',
    '[Annotator "a\\tb"]',
)
GAPS = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    "\n ",
    " ; to the line's end } { (\n",
    "\n% [escaped} ;(\n",
)
COMMENTS = (
    "{good}", "{ spaced  out }", "{two\nlines}", "{[%clk 0:01:02] [%eval 0.25,3]}", "{}",
    "{a ; b % c (d) $9 1-0 \\}", "{ [%eval #-3] }", "{1-0 by luck, 0-1 by force}", "{é\u3000ü}",
)  # fmt: skip
GLYPHS = ("$1", "$146", " $2", "!?", "??", "!!!!")


def messy(game: Game, source: random.Random, plies: int) -> str:
    """A game's text, as no program writes it."""

    def gap() -> str:
        return source.choice(GAPS)

    def remarks(glyphs: Sequence[str] = GLYPHS) -> str:
        words = ""
        if source.random() < 0.2:
            words += source.choice(glyphs)
        while source.random() < 0.3:
            words += gap() + source.choice(COMMENTS)
        return words

    def line(length: int, depth: int) -> str:
        words = ""
        begun = len(position.moves)
        for _ply in range(length):
            moves = position.legal_moves()
            if not moves or position.outcome() is not None:
                break
            number, white = (len(position.moves) + (not first_white)) // 2, position.side == 0
            if game.name == "chess" and (source.random() < 0.5 or not words):
                words += f"{number + 1}{'.' if white else '...'}{source.choice(['', gap()])}"
            move = source.choice(moves)
            words += move + remarks()
            if depth < 3 and source.random() < 0.15:
                words += gap() + "(" + source.choice(["", "{before}", " "])
                words += line(source.randrange(1, 4), depth + 1) + source.choice([")", " )"])
                words += source.choice(["", remarks(GLYPHS[:-1])])
            position.push(move)
            words += gap()
        if depth:
            while len(position.moves) > begun:
                position.pop()
        return words.rstrip(" \t")

    position = Position(game)
    first_white = position.side == 0
    tags = [*source.sample(TAGS, source.randrange(len(TAGS))), f'[Variant "{game.name}"]']
    if source.random() < 0.8:
        tags.append('[Result "*"]')
    if source.random() < 0.5:
        tags.append('[Termination "unterminated"]')
    source.shuffle(tags)
    begin = source.choice(["", "{begins here} ", "% escaped\n", "; begins\n{there}\n"])
    body = line(plies, 0)
    return "\n".join(tags) + f"\n\n{begin}{body}" + ("\n*" if body else "*")


def shape(record: Record) -> object:
    """All that a record says."""

    def line(steps: list[Step]) -> list[object]:
        return [
            (s.move, said(s.before), sorted(s.glyphs), said(s.comment), [*map(line, s.variations)])
            for s in steps
        ]

    def said(comment: str) -> str:
        return comment.replace("}", ")")  # those of ';' may have one

    tags = {name: value for name, value in record.tags.items() if name != "Result"}
    return tags, record.result, said(record.comment), line(record.steps)


def rewrite(text: str, number: int, change: Callable[[Playback], object]) -> str:
    """A file's text after a change of one of its games; it says what the changed record says."""
    records = parse_records(text)
    record = records[number]
    change(Playback.of(record, registry()))
    after = rewritten(text, [record])
    begin, end = record.span
    assert after.startswith(text[:begin])
    assert after.endswith(text[end:])
    assert after.count("\r\n") in (0, after.count("\n"))
    again = parse_records(after)
    for one, other in zip(again, records, strict=True):
        for each in (one, other):
            Playback.of(each, registry())  # moves are spelt alike then
        assert shape(one) == shape(other)
    return after


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_game_says_what_it_should(name: str, source: random.Random) -> None:
    """Moves added and taken back, a variation, an end and its undoing, in a file of three games."""
    game = registry().game(name)
    for _ in range(3):
        texts = [messy(game, source, source.randrange(9)) for _ in range(3)]
        text = source.choice(["\n\n", "\n", " "]).join(texts)
        text = text.replace("\n", source.choice(["\n", "\r\n"]))
        text = rewrite(text, 1, lambda _playback: None)
        assert rewrite(text, 1, lambda _playback: None) == text
        position = Playback.of(parse_records(text)[1], registry()).position
        if position.outcome() is not None:
            continue
        longer, added = text, 0
        while added < 2:
            move = source.choice(position.legal_moves())
            position.push(move)
            if position.outcome() is not None:
                break
            longer = rewrite(longer, 1, partial(editing.add_moves, moves=[move]))
            added += 1
        for _move in range(added):
            longer = rewrite(longer, 1, editing.undo)
        assert longer == text

        rewrite(text, 1, partial(vary, moves=[source.choice(Position(game).legal_moves())]))

        tagged = rewrite(text, 1, lambda p: p.record.tags.update(Termination="unterminated"))
        ended = rewrite(tagged, 1, partial(editing.add_moves, moves=["resign"]))
        assert rewrite(ended, 1, editing.undo) == tagged


def vary(playback: Playback, moves: Sequence[str]) -> None:
    playback.to(0)
    playback.branch(moves)


def clear(playback: Playback) -> None:
    annotate.clear(playback.record)
    del playback.record.tags[annotate.TAG]


def test_python_chess_reads_the_same(source: random.Random) -> None:
    """Nothing but what was added is new to another program."""
    for _ in range(60):
        text = messy(registry().game("chess"), source, source.randrange(9))
        text = rewrite(text, 0, lambda _playback: None)
        move = source.choice(Playback.of(parse_records(text)[0], registry()).position.legal_moves())
        before = chess.pgn.read_game(io.StringIO(text))
        after = chess.pgn.read_game(
            io.StringIO(rewrite(text, 0, partial(editing.add_moves, moves=[move])))
        )
        assert before is not None
        assert after is not None
        assert not before.errors + after.errors
        before.end().add_variation(chess.Move.from_uci(move))
        for game in (before, after):
            game.headers.pop("Termination", None)
            game.headers["Result"] = "*"
            game.end().comment = ""
        assert str(after) == str(before)


ODD = '[Site "C:\\new\\x"]\r\n[X ""]\r\n\r\n1.e4! e5 ; why\r\n% escaped\r\n2. Nf3 {mine} 0-1'
OTHER = '[Event  "x"]\r\n\r\n1.e2-e4   c7c5 ; d\r\n0-1\r\n\r\n'


def test_other_games_keep_their_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the commands: byte order mark, line endings; moves keep their spelling."""
    path = tmp_path / "game.pgn"
    for mark in (b"", codecs.BOM_UTF8):
        path.write_bytes(mark + (OTHER + ODD).encode())
        before = mark + OTHER.encode()

        def record(*words: str, before: bytes = before) -> str:
            assert main(["record", words[0], str(path), *words[1:], "--game", "2"]) == 0
            raw = path.read_bytes()
            assert raw.startswith(before)
            assert raw.count(b"\r\n") == raw.count(b"\n")
            return raw[len(before) :].decode()

        undone = record("undo")
        tags = '[Site "C:\\\\new\\\\x"]\r\n[Result "*"]\r\n[X ""]\r\n\r\n'
        assert undone == tags + "1. e4 $1 e5 {why} 2. Nf3 {mine} *"
        assert record("add", "b8c6") == undone.replace("mine} *", "mine} Nc6 *")
        assert record("undo") == undone
        ended = record("add", "resign")
        assert ended.endswith("2. Nf3 {mine} {1-0 by resignation} 1-0")
        assert '[Termination "normal"]' in ended
    capsys.readouterr()


@pytest.mark.parametrize(
    "said",
    ["a comment", "0-1 by force", "10-1 by resignation", "0-1 by resignation, he said", "0-1"],
)
def test_undoing_an_end_takes_its_words_alone(said: str) -> None:
    for moves in ("1. e4 ", ""):
        text = f'[Result "*"]\n[Termination "unterminated"]\n\n{moves}{{{said}}} *'
        ended = rewrite(text, 0, partial(editing.add_moves, moves=["resign"]))
        assert rewrite(ended, 0, editing.undo) == text
        other = text.replace("*", "0-1" if not moves else "1-0")
        assert rewrite(other, 0, editing.undo) == text
