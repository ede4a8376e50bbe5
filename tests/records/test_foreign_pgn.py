"""PGN as the world writes it: read like python-chess, faults cost one game, bytes are kept."""

from __future__ import annotations

import codecs
import io
import json
import logging
import queue
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.core.events import BestMove, Event
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.position import MAX_NULLS
from ryugi_engine.games.registry import registry
from ryugi_engine.records import editing
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import Record, Step, parse_records, read_records
from ryugi_engine.records.playback import Playback, game_name
from ryugi_engine.search.limits import Limits
from ryugi_engine.web.record_folder import RecordFolder
from tests.support.books import texts_in
from tests.support.effort import effort
from tests.support.helpers import command, patient
from tests.support.pgn_dialects import Dialect, Node, Tree, random_tree

Shape = list[Any]


@pytest.fixture(autouse=True)
def quiet() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def shape(steps: list[Step]) -> Shape:
    """Moves, glyphs, words and variations as plain lists."""
    return [[s.move, sorted(s.glyphs), s.comment, [shape(v) for v in s.variations]] for s in steps]


def shape_of_tree(nodes: list[Node]) -> Shape:
    return [
        [
            node.move.uci() if node.move else "--",
            sorted(node.glyphs),
            " ".join(" ".join(node.comments).split()),
            [shape_of_tree(line) for line in node.variations],
        ]
        for node in nodes
    ]


def shape_of_theirs(node: chess.pgn.GameNode, first: chess.pgn.ChildNode | None = None) -> Shape:
    """A game of python-chess; ``first`` begins a variation."""
    result: Shape = []
    child = first or (node.variations[0] if node.variations else None)
    while child is not None:
        others = [] if first is not None and not result else child.parent.variations[1:]
        move = child.move.uci() if child.move else "--"
        lines = [shape_of_theirs(child.parent, other) for other in others]
        result.append([move, sorted(child.nags), " ".join(child.comment.split()), lines])
        child = child.variations[0] if child.variations else None
    return result


def moves_of(lines: Shape) -> Shape:
    return [[move, [moves_of(line) for line in others]] for move, _, _, others in lines]


def as_game(tree: Tree) -> chess.pgn.Game:
    """A tree as a game of python-chess."""
    game = chess.pgn.Game()
    game.setup(tree.board)

    def add(parent: chess.pgn.GameNode, nodes: list[Node]) -> None:
        for node in nodes:
            child = parent.add_variation(node.move)
            child.comment, child.nags = " ".join(node.comments), set(node.glyphs)
            for line in node.variations:
                add(parent, line)
            parent = child

    add(game, tree.nodes)
    game.headers["Result"] = tree.result
    return game


def read(text: str) -> list[Record]:
    """The games of a text, each played through."""
    records = parse_records(text)
    for record in records:
        Playback.of(record, registry())
    return records


@pytest.mark.more
def test_dialects_are_read_whole(source: random.Random) -> None:
    """Every move, glyph, comment, tag and result, however it is written."""
    for _ in range(effort(25, 300)):
        dialect = Dialect(source, source.randrange(1, 4))
        records = read(decoded("x", dialect.raw()))
        assert [moves_of(shape(record.steps)) for record in records] == [
            moves_of(shape_of_tree(tree.nodes)) for tree in dialect.trees
        ]
        for record, tree in zip(records, dialect.trees, strict=True):
            assert not record.faults
            assert record.result == tree.result

            def spelled(text: str, encoding: str = dialect.encoding) -> str:
                return text.encode(encoding, "replace").decode(encoding)

            read_shape = json.dumps(shape(record.steps)).replace("aside ) { (", " ")
            wanted = spelled(json.dumps(shape_of_tree(tree.nodes), ensure_ascii=False))
            assert _plain(json.loads(read_shape)) == _plain(json.loads(wanted))
            for name, value in tree.tags.items():
                assert record.tags[name] == spelled(value)


def _plain(lines: Shape) -> Shape:
    return [[m, g, " ".join(c.split()), [_plain(v) for v in vs]] for m, g, c, vs in lines]


def test_what_python_chess_writes(source: random.Random) -> None:
    """Its own export is read as it reads it."""
    for _ in range(20):
        text = "\n\n".join(str(as_game(random_tree(source))) for _ in range(3)) + "\n"
        handle = io.StringIO(text)
        for record in read(text):
            theirs = chess.pgn.read_game(handle)
            assert theirs is not None
            assert not theirs.errors + record.faults
            assert shape(record.steps) == shape_of_theirs(theirs)


def test_illegal_moves_cut_where_python_chess_does(source: random.Random) -> None:
    """The line ends there; the reason has its place. A variation that is cut ends alone."""
    cut = 0
    for _ in range(40):
        tree = random_tree(source)
        for node in tree.nodes:  # after a fault in one python-chess is on the wrong board
            node.variations.clear()
        words = str(as_game(tree)).split(" ")
        at = source.randrange(len(words) // 2, len(words))
        words.insert(at, source.choice(["Qh9xa1", "Ke4", "a1a1", "Bxb2", "Nxe7+"]))
        text = " ".join(words)
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        if theirs.errors and theirs.variations:
            (record,) = read(text)
            cut += 1
            (fault,) = record.faults
            assert text.splitlines()[fault.line - 1][fault.column - 1 :].split()[0] in words
            assert shape(record.steps) == shape_of_theirs(theirs)
    assert cut
    (record,) = read("1. e4 (1. d4 d5 2. d5 (2. c4) Nf6) e5 (1... e4 c5) 2. Nf3")
    assert moves_of(shape(record.steps)) == [
        ["e2e4", [[["d2d4", []], ["d7d5", []]]]],
        ["e7e5", []],
        ["g1f3", []],
    ]
    assert [(fault.line, fault.column) for fault in record.faults] == [(1, 20), (1, 45)]


#: What others write among moves, and what nobody but a typist does.
ASIDES = """Diagram Diagram1 D1 #1 ECO=C40 ECO:B12 C40 A00/B01 e.p. ++ += +/= N TN mate ch Elo2500
    Fritz11 Komodo8 Chart7 v1.0 GM1 Position7 T/O""".split()  # noqa: SIM905 - words
MISTYPED = """Qh9 Nf9 NF3 Nff3 e44 e2e9 E2E5 Qxi4 ♘h8 0-0-0 Qa1=Q e9=Q Pe5@e5 N@e4 P-K4 Z@e4 h7h1
    C2=5 O–O Sf3 Крf1 nf6g8 b1d2f3""".split()  # noqa: SIM905 - words


def test_words_among_moves_are_passed_over_and_mistyped_moves_are_not(
    source: random.Random,
) -> None:
    """Only what can be a move is one, as python-chess has it."""
    for _ in range(40):
        game = as_game(random_tree(source))
        head, blank, movetext = str(game).rpartition("\n\n")
        words = re.findall(r"\{[^}]*\}|\S+", movetext)
        for _ in range(source.randint(1, 6)):
            words.insert(source.randrange(len(words)), source.choice(ASIDES))
        text = head + blank + " ".join(words)
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        (record,) = read(text)
        assert not record.faults, text
        assert moves_of(shape(record.steps)) == moves_of(shape_of_theirs(theirs)), text
    for word in MISTYPED:
        (record,) = read(f"1. e4 e5 2. {word} d6 3. d4 *")
        (fault,) = record.faults
        assert (fault.line, fault.column) == (1, 13), word
        assert [step.move for step in record.steps] == ["e2e4", "e7e5"], word


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("; a\n[Event \"a\"]\n\n1. e4 *\n; a\n\n{a}\n\n[Event \"b\"]\n\n1. d4 *", "e2e4/d2d4"),
        ("1. e4 e5\n\n1. d4 d5\n\n2. c4", "e2e4 e7e5/d2d4 d7d5 c2c4"),
        ('[Event "a"]\n1. e4\n[Event "b"]\n1. d4', "e2e4/d2d4"),
        ('[Event "a"]\n[Result "1-0"]\n\n[Event "b"]\n\n1. d4 *', "/d2d4"),
        ("1. e4 (1. d4 1-0) e5 1-0", "e2e4 e7e5"),
        ("1. e4 (1. d4) e5 White resigns 1-0 {after} ; end", "e2e4 e7e5"),
        ("1.e4{a}e5$1(1...c5)2.Nf3", "e2e4 e7e5 g1f3"),
        ("1. e4 {x\n\n[Event \"b\"]\n\n1. d4 {y} *", "e2e4/d2d4"),
        ("1. e4 (1. d4 (1. c4\n\n[Event \"b\"]\n\n1. d4 *", "e2e4/d2d4"),
        ("{x} 1. e4 e5 (1... c5) *", "e2e4 e7e5"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 6"]\n\nKd8\n\n7. Kd1 *', "e8d8 e1d1"),
        ("1. e4 e5 2. Nf3N d6?! 3. Bc4 +/= *", "e2e4 e7e5 g1f3 d7d6 f1c4"),
        ("((1. e4 e5)) 2. d4) *", "e2e4 e7e5 d2d4"),
        ("1. e4 e5 2. -- d5 3. Z0 *", "e2e4 e7e5 -- d7d5 --"),
        ('[Variant "From Position"]\n[FEN "8/P6k/8/8/8/8/8/K7 w"]\n\n1. a8=q *', "a7a8q"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 w KQkq e3 - -"]\n\n1. Kd1 *', "e1d1"),
        ('[FEN "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"]\n\n1. O-O *', "b1h1"),
    ],
)  # fmt: skip
def test_where_games_begin_and_end(text: str, moves: str) -> None:
    records = read(text)
    assert "/".join(" ".join(step.move for step in record.steps) for record in records) == moves
    broken = "(1. c4" in text or "{x\n" in text
    assert any(record.faults for record in records) == broken


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("Three-check", "3check"), ("3-check", "3check"), ("Three check chess", "3check"),
        ("Give away chess", "giveaway"), ("KOTH", "kingofthehill"), ("Race", "racingkings"),
        ("ZH", "crazyhouse"), ("Crazy House", "crazyhouse"), ("Anti", "antichess"),
        ("Atom", "atomic"), ("chess 960", "chess960"), ("Fischerandom", "chess960"),
        ("wild/8a", "chess"), ("wild/fr", "chess960"), ("Normal", "chess"), ("?", "chess"),
        ("S-Chess", "seirawan"), ("Duck Chess", "duck"), ("Janus Chess", "janus"),
        ("Gothic chess", "gothic"), ("Grand_Chess", "grand"), ("SPARTAN CHESS", "spartan"),
        ("Capablanca Chess", "capablanca"), ("Hoppel-Poppel", "hoppelpoppel"),
        ("Loser's", "losers"), ("Loser's Chess", "losers"), ("Los Alamos", "losalamos"),
        ("Seirawan-Chess", "seirawan"), ("Fox and Hounds", "fox-and-hounds"),
        ("Capablanca Random Chess", "capablanca960"), ("Embassy Chess", "embassy"),
        ("Mini Xiangqi", "minixiangqi"), ("Tori Shogi", "torishogi"), ("ASEAN chess", "asean"),
        ("Chess Without Castling", "nocastle"), ("Atomic chess 960", "atomic960"),
        ("Illegal", "chess"), ("Horde chess", "horde"), ("gomokuroku-ninuki", "gomokuroku-ninuki"),
    ],
)  # fmt: skip
def test_names_of_games(tag: str, name: str) -> None:
    (record,) = parse_records(f'[Variant "{tag}"]\n\n*')
    if not name.endswith("960") or name in ("chess960", "capablanca960"):
        assert Playback.of(record, registry()).game.name == name
        return
    with pytest.raises(UserError, match="has no Chess960: "):
        Playback.of(record, registry())


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        (
            "KIF",
            "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n手数----指手---------消費時間--\n",
            "utf-8",
        ),
        ("KIF", "開始日時：2020/01/01\n手合割：平手\n先手：a\n   1 ７六歩(77)\n", "cp932"),
        ("KIF", "先手：a\n後手：b\n▲７六歩 △３四歩\n", "utf-8"),
        ("CSA", "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n-3334FU\n", "ascii"),
        ("CSA", "'a comment\nPI\n+\n+2726FU\nT10\n", "ascii"),
        ("WXF", "FORMAT\tWXF\nGAME\ta\nSTART{\n1. C2=5 H8+7\n}END\n", "ascii"),
    ],
)
def test_other_formats_are_named(name: str, text: str, encoding: str, tmp_path: Path) -> None:
    for end in ("\n", "\r\n"):
        path = tmp_path / "game.pgn"
        path.write_bytes(text.replace("\n", end).encode(encoding))
        with pytest.raises(UserError, match=f"game.pgn:1:1: this file is {name}, and only PGN"):
            read_records(path)


def test_every_title_is_a_name() -> None:
    for games in registry().groups().values():
        for game in games:
            (record,) = parse_records(f'[Variant "{game.title}"]\n\n*')
            assert game_name(record) == game.name, game.title


FILE = """; a club's games
[Event "caf\xe9"]
[Result "0-1"]

1. e4 e5 1-0 {said after}

[Event "broken"]

1. e4 e5 2. Qh6 Nc6 {left alone \x93} *

[Variant "halma"]

1. a1a2 *
; between
[Event "good"]

1. d4 d5 *
"""


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A file in Latin-1 with games of which two cannot be read, one of these in part."""
    path = tmp_path / "club.pgn"
    path.write_bytes(FILE.encode("latin-1").replace(b"\n", b"\r\n"))
    return path


LEFT_OUT = ("9:13: illegal move 'Qh6'", "11:1: unknown variant 'halma'")


def test_the_others_are_used(club: Path, tmp_path: Path) -> None:
    """By show, replay, pages, openings and the analysis; each fault has its line."""
    shown = command("record", "show", str(club), "--game", "4")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "1... d5" in shown.stdout
    shown = command("record", "show", str(club), "--game", "2")
    assert shown.returncode == 2
    assert "1... e5   (ply 2 of 2)" in shown.stdout
    assert f"{club}:{LEFT_OUT[0]}" in shown.stderr
    first = command("record", "show", str(club), "--game", "1")
    assert "{said after}\n1-0" in first.stdout

    done = command("record", "replay", str(club), "--html", str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    assert all(f"{club}:{fault}" in done.stderr for fault in LEFT_OUT)
    assert "caf\xe9" in (tmp_path / "page.html").read_text()

    game = registry().game("chess")
    assert len(texts_in(game, club)) == 2
    assert len(texts_in(game, club, plies=2)) == 3

    before = club.read_bytes()
    done = command("record", "analyse", str(club), "--nodes", "50", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert all(f"{club}:{fault}" in done.stderr for fault in LEFT_OUT)
    after = club.read_bytes()
    middle = slice(before.index(b'[Event "broken"]'), before.index(b"1. d4 d5"))
    assert before[middle].partition(b"; between")[0] in after
    assert after.count(b"RyugiAnalysis") == 2
    assert b"\xe9" in after
    assert after.count(b"\n") == after.count(b"\r\n")


def test_a_faulty_game_opens_on_the_page_and_is_kept_elsewhere(club: Path) -> None:
    told: list[str] = []
    folder = RecordFolder(club.parent, told.append)
    before = club.read_bytes()
    playback, file = folder.open_named(club.name, 2, registry())[1]()
    assert (playback.ply, file.path) == (2, None)
    assert told == [f"{club}:{playback.record.faults[0]} (the game is read up to here)"]
    playback.branch(["g1f3"])
    file = folder.keep(file, playback.record)
    assert club.read_bytes() == before
    assert file.path not in (None, club)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig", "utf-16", "mixed"])
def test_what_adds_keeps_every_byte_of_other_games(encoding: str, club: Path) -> None:
    """New words are written as the file writes them."""
    raw = FILE.encode("utf-8" if encoding == "mixed" else encoding)
    if encoding == "mixed":
        raw = raw.replace("caf\xe9".encode(), b"caf\xe9")
    club.write_bytes(raw)
    assert main(["record", "add", str(club), "c4", "--game", "4", "--comment", "\xfc \u200c"]) == 0
    assert read_records(club)[3].steps[-1].comment == "\xfc \u200c"
    assert (b"\xfc \xe2\x80\x8c" in club.read_bytes()) == (encoding == "latin-1")
    assert main(["record", "undo", str(club), "--game", "4"]) == 0
    start = read_records(club)[3].span[0]
    text = raw.decode("utf-8" if encoding in ("mixed", "utf-8-sig") else encoding, "replace")
    head = text.removeprefix("\ufeff")[:start].encode("utf-16" if encoding == "utf-16" else "utf-8")
    assert encoding in ("latin-1", "mixed") or club.read_bytes().removeprefix(
        codecs.BOM_UTF8
    ).startswith(head)
    raw = club.read_bytes()
    assert main(["record", "add", str(club), "Nf3", "--game", "1"]) == 2  # it is over: 1-0
    assert main(["record", "add", str(club), "Nf3", "--game", "2"]) == 2
    assert club.read_bytes() == raw
    assert main(["record", "new", str(club), "--variant", "chess", "--white", "\u200cA\u200d"]) == 0
    assert club.read_bytes().startswith(raw)
    assert len(read_records(club)) == 5
    assert read_records(club)[4].tags["White"] == "\u200cA\u200d"
    mark = codecs.BOM_UTF8
    assert club.read_bytes().startswith(mark) == (encoding == "utf-8-sig")


def test_a_comment_after_the_result_belongs_to_the_last_move() -> None:
    from tests.records.test_rewrite import rewrite, vary

    text = '[Result "*"]\n\n1. e4 e5 * {after} $1\n\n{club}\n\n*'
    longer = rewrite(text, 0, lambda playback: playback.branch(["g1f3"]))
    assert "1. e4 e5 {after} 2. Nf3 *" in longer
    varied = rewrite(text, 0, lambda playback: vary(playback, ["d2d4"]))
    assert "1. e4 (1. d4) 1... e5 {after} *" in varied


@pytest.mark.parametrize("text", ["1. e4 e5", "1. e4 ; the end", '[Result "1-0"]', '[Event "x"]\n'])
def test_a_result_that_was_missing(text: str) -> None:
    from tests.records.test_rewrite import rewrite

    assert parse_records(rewrite(text, 0, lambda playback: None))[0].result == "*" or "1-0" in text
    if "1-0" in text:
        assert parse_records(rewrite(text, 0, editing.undo))[0].result == "*"
    else:
        ended = rewrite(text, 0, partial(editing.add_moves, moves=["resign"]))
        assert parse_records(ended)[0].result in ("1-0", "0-1")


def test_a_position_after_null_moves_is_searched() -> None:
    """It is handed over: no protocol has such moves."""
    (record,) = read("1. e4 -- 2. d4 -- 3. Nf3 d5 *")
    position = Playback.of(record, registry()).position
    assert position.moves.count("--") == 2
    found: queue.Queue[Event] = queue.Queue()
    session = Session(found.put)
    session.set_game(position.game)
    session.take_position(position)
    session.go(Limits(depth=2))
    events = iter(lambda: found.get(timeout=patient(60)), None)
    best = next(event for event in events if isinstance(event, BestMove))
    assert best.result.best in position.legal_moves()


def test_null_moves_are_counted() -> None:
    """Each keeps a state: a small file of them must not fill the memory."""
    (record,) = read("-- " * (MAX_NULLS + 1))
    assert len(record.steps) == MAX_NULLS
    assert record.faults[0].reason == f"more than {MAX_NULLS} null moves in one line"
    (record,) = read("1. e4 e5 " + "Nf3 (-- d5) Nf6 (-- d4) Ng1 Ng8 " * MAX_NULLS)
    assert not record.faults


def test_control_characters_are_shown_escaped(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[White "\x1b[2J"]\n\n1. e4 {a\x1b[31m\u200cb} *')
    shown = command("record", "show", str(path))
    assert shown.returncode == 0
    assert "\x1b" not in shown.stdout
    assert "{a\\x1b[31m\u200cb}" in shown.stdout
