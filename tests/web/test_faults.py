"""What cannot be done is refused by a line, and nothing of it is done: the page under faults.

A table without server and browser; what a page asks is derived from the code.
"""

from __future__ import annotations

import json
import queue
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import GameError
from ryugi_engine.files import writing
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import load_kernels, registry
from ryugi_engine.kernel import compile_progress
from ryugi_engine.records.pgn import format_record, read_records
from ryugi_engine.web import room as room_module
from ryugi_engine.web.actions import Actions
from ryugi_engine.web.live_game import LiveGame, Player
from ryugi_engine.web.record_folder import RecordFolder, open_game
from ryugi_engine.web.table import Table
from ryugi_engine.web.thinker import Thinker
from ryugi_engine.web.workshop import Workshop
from tests.conftest import GAMES
from tests.support.helpers import patient

RECORD = """[White "Ann"]
[Black "Bob"]
[Result "*"]
[Variant "chess"]
[TimeControl "60+1"]

1. e4 (1. d4 d5) 1... e5 *
"""
SIDE = {"engine": False}
SIDES = {"white": SIDE, "black": SIDE, "control": "inf"}
#: Requests for everything that a page can ask.
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "analyse": [{"on": True, "line": 0, "ply": 1}],
    "annotate": [{"tenths": 1}],
    "comment": [{"line": 1, "ply": 2, "text": "so", "glyph": 1}],
    "diagrams": [{}],
    "draw": [{}],
    "files": [{}],
    "hint": [{"line": 0, "ply": 2}],
    "legal": [{"line": 0, "ply": 1}],
    "load": [{"text": RECORD}],
    "move": [{"ply": 2, "move": "g1f3"}, {"ply": 1, "move": "c7c5"}],
    "new": [{"variant": "gorogo", **SIDES}],
    "objection": [{"line": 0, "ply": 2, "move": "e4e5"}],
    "open": [{"name": "game.pgn"}],
    "players": [{"white": SIDE, "black": {"engine": False, "level": 3}}],
    "reload": [{}],
    "remove": [{"line": 1}],
    "resign": [{}],
    "setup": [{"text": "", "line": 0, "ply": 2}],
    "threats": [{"line": 0, "ply": 2}],
    "undo": [{}],
}
#: What takes the file as somebody else has written it.
READ_AGAIN = ("annotate", "open", "reload")
ACTIONS = sorted(
    name.removeprefix("do_")
    for owner in (Actions, Workshop)
    for name in dir(owner)
    if name.startswith("do_") and name != "do_pause"  # it writes nothing
)


class Seat:
    """A page at a table of this process, on a folder of its own."""

    def __init__(self, folder: Path, variants: str = "") -> None:
        self.folder, self.away = folder, folder.with_name("away")
        folder.mkdir()
        self.table = Table(folder, "chess", None, variants)
        self._messages: queue.Queue[Any] = queue.Queue()
        self.table.start()
        self.table.join(self)
        self.wait("all")

    def send(self, message: Any) -> None:
        self._messages.put(message)

    def wait(
        self,
        kind: str,
        wanted: Callable[[Any], bool] = lambda message: True,
        seen: Sequence[Any] = (),
    ) -> list[Any]:
        """The messages up to one of a kind, that one too, which may be among those seen before."""
        for number, message in enumerate(seen):
            if message["type"] == kind and wanted(message):
                return list(seen[: number + 1])
        seen = list(seen)
        while True:
            try:
                message = self._messages.get(timeout=patient(10))
            except queue.Empty:
                raise AssertionError(f"no '{kind}', but {str(seen)[-2000:]}") from None
            seen.append(message)
            if message["type"] == kind and wanted(message):
                return seen

    def do(self, work: Callable[[], Any]) -> list[Any]:
        """Do something on the table's thread; the messages that it has led to by then."""
        done = threading.Event()
        self.table.do(work)
        self.table.do(done.set)
        assert done.wait(patient(60))
        return [self._messages.get() for _ in range(self._messages.qsize())]

    def ask(self, what: str, **given: Any) -> list[Any]:
        """What a request is answered."""
        self.table.ask(self, json.dumps({"do": what, **given}))
        messages = self.do(lambda: None)
        if what == "annotate" and not errors(messages):
            last = "100 %"
            messages += self.wait_for_end(last)
        return messages

    def wait_for_end(self, last: str) -> list[Any]:
        seen: list[Any] = []
        while not errors(seen) and not any(one.get("text") == last for one in seen):
            seen.append(self._messages.get(timeout=patient(30)))
        return seen + self.do(lambda: None)

    def open(self) -> Path:
        """Put a game onto the table that lies in a new file."""
        path = self.folder / "game.pgn"
        path.write_text(RECORD, encoding="utf-8")

        def begin() -> None:
            game, read = open_game(path, 1, registry(), print)
            self.table.room.put_new(game, lambda: LiveGame.resumed(*read()))

        self.do(begin)
        return path

    def stands(self) -> list[Any]:
        """Everything that is known of the game in memory."""
        game = self.table.room.live
        record = format_record(game.playback.record)
        position = game.playback.position
        return [record, position.moves, position.text(), game.file, game.players]

    def take_folder(self) -> None:
        """Move the folder away and put a file in its place: no superuser can write into it."""
        self.folder.rename(self.away)
        self.folder.write_text("not a folder", encoding="utf-8")

    def bring_folder(self) -> None:
        self.folder.unlink()
        self.away.rename(self.folder)


def errors(messages: list[Any]) -> list[str]:
    return [message["text"] for message in messages if message["type"] == "error"]


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    seat = Seat(tmp_path_factory.mktemp("home") / "games")
    yield seat
    seat.table.stop()


@pytest.fixture
def seat(seats: Seat) -> Iterator[Seat]:
    yield seats
    if seats.away.exists():
        seats.bring_folder()


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "_RETRY_SECONDS", 0.05)


@pytest.mark.parametrize("what", ACTIONS)
def test_what_cannot_be_written_is_not_done(seat: Seat, what: str) -> None:
    """With the folder away, and with a file that somebody else has written."""
    for given in EXAMPLES[what]:
        path = seat.open()
        assert not errors(seat.ask(what, **given))
        writes = path.read_text(encoding="utf-8") != RECORD
        for fault in ("folder", "file"):
            path = seat.open()
            before = seat.stands()
            if fault == "folder":
                seat.take_folder()
            else:
                path.write_text(RECORD.replace("Ann", "Eve"), encoding="utf-8")
            answer = seat.ask(what, **given)
            after = seat.stands()
            if fault == "folder":
                seat.bring_folder()
            else:
                assert "Eve" in path.read_text(encoding="utf-8")
                if what in READ_AGAIN:
                    assert '"Eve"' in after[0]
                    continue
                path.write_text(RECORD, encoding="utf-8")
            if writes or errors(answer):
                assert errors(answer), (fault, given)
                assert [str(seat.folder) in line for line in errors(answer)] == [True]
                assert after == before
                assert not [one for one in answer if one["type"] in ("all", "step", "go")]
                assert not errors(seat.ask(what, **given)), (fault, given)
            if writes:
                assert seat.stands() != before
                kept = format_record(read_records(path)[0])
                assert kept == format_record(seat.table.room.live.playback.record)


def test_a_game_is_not_begun_where_it_cannot_be_kept(seat: Seat) -> None:
    seat.open()
    before = seat.stands()
    seat.take_folder()
    assert str(seat.folder) in errors(seat.ask("new", variant="gorogo", **SIDES))[0]
    assert seat.stands() == before
    seat.bring_folder()
    assert not errors(seat.ask("new", variant="gorogo", **SIDES))


def test_a_move_of_the_engines_is_kept_as_soon_as_it_can_be(seat: Seat) -> None:
    """Pages are told once, no one is shown to think, and nothing else is done before."""
    game = registry().game("chess")
    live = LiveGame.begin(game, None, (Player(True), Player()), TimeControl.read("depth=1"))

    def begin() -> None:
        seat.take_folder()
        seat.table.room.put_new(game, lambda: live)

    seat.table.do(begin)
    seat.wait("error", lambda message: str(seat.folder) in message["text"])
    state = seat.wait("state")[-1]["state"]
    assert not state["thinking"]
    assert state["turn"] == 0
    for what in ("resign", "undo", "players"):
        assert errors(seat.ask(what, **EXAMPLES[what][0]))
    assert seat.table.room.live.playback.record.result == "*"
    seat.bring_folder()
    seen = seat.wait("step")
    assert not errors(seen)
    path = seat.table.room.live.file.path
    assert path is not None
    assert len(read_records(path)[0].steps) == 1
    seen = seat.ask("move", ply=1, move="e7e5")
    assert not errors(seen)
    seat.wait("step", lambda message: message["state"]["ply"] == 3, seen)


@pytest.mark.parametrize("fault", ["after it is written", "of the program"])
def test_a_move_of_the_engines_is_kept_after_any_fault(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Also where the file has been written before the fault, and of one that no one expects."""
    path = seat.open()
    before, left = seat.table.room.live, [2]

    def fail(act: Callable[..., Any], error: Exception) -> Callable[..., Any]:
        def failing(*arguments: Any) -> Any:
            left[0] -= 1
            if left[0] >= 0:
                raise error
            return act(*arguments)

        return failing

    if fault == "of the program":
        failing = fail(RecordFolder.keep, RuntimeError("unforeseen"))
        monkeypatch.setattr(RecordFolder, "keep", failing)
    else:
        failing = fail(writing._sync_folder, OSError(5, "Input/output error"))
        monkeypatch.setattr(writing, "_sync_folder", failing)
    players, control = (Player(True), Player()), TimeControl.read("depth=1")
    live = LiveGame(before.playback, players, control, before.file)
    seat.table.do(lambda: seat.table.room.put_new(live.game, lambda: live))
    seen = seat.wait("state", lambda message: message["state"]["unkept"])
    seat.wait("step", lambda message: message["state"]["ply"] == 3, seen)
    assert left[0] < 0
    assert len(read_records(path)[0].steps) == 3


def test_the_old_game_goes_on_while_a_game_is_compiled(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages see the share that is done, one that comes later too; another game does not wait."""
    compiled = threading.Event()

    def load(game: Game, *modules: str, wanted: Callable[[], bool] = lambda: True) -> bool:
        if game.name == "shogi":
            while wanted() and not compiled.wait(0.01):
                pass
            if not compiled.is_set():
                return False
        return load_kernels(game, *modules, wanted=wanted)

    monkeypatch.setattr(room_module, "load_kernels", load)
    monkeypatch.setattr(room_module, "_PROGRESS_SECONDS", 0.02)
    share = compile_progress.Progress("negamax", 5, 10, 0.5)
    monkeypatch.setattr(compile_progress, "progress", lambda: share)
    seat.open()
    shogi = {"type": "compiling", "game": "shogi", "title": "Shogi", "done": 0.5}
    assert shogi in seat.ask("new", variant="shogi", **SIDES)
    assert seat.wait("compiling")[-1] == shogi
    seen = seat.ask("move", ply=2, move="g1f3")
    assert not errors(seen)
    assert seat.wait("step", seen=seen)[-1]["state"]["compiling"] == shogi
    seat.table.join(seat)  # as a page does that is loaded again
    assert seat.wait("all")[-1]["state"]["compiling"] == shogi
    seat.table.leave(seat)
    state = seat.wait("all", seen=seat.ask("new", variant="gorogo", **SIDES))[-1]["state"]
    assert (state["game"], state["compiling"]["game"]) == ("gorogo", "")
    seat.ask("new", variant="shogi", **SIDES)
    compiled.set()
    state = seat.wait("all", lambda message: message["state"]["game"] == "shogi")[-1]["state"]
    assert state["compiling"]["game"] == ""
    compiled.clear()
    path = seat.folder / "shogi.pgn"
    path.write_text('[Variant "shogi"]\n\n1. c3c4 *\n', encoding="utf-8")
    assert not errors(seat.ask("new", variant="gorogo", **SIDES))
    assert shogi in seat.ask("open", name="shogi.pgn")
    compiled.set()
    seat.wait("all", lambda message: message["state"]["game"] == "shogi")
    assert seat.table.room.live.playback.position.moves == ["c3c4"]


def test_a_game_whose_kernels_fail_is_told(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one stays, and nothing is shown as compiled any more."""
    asked: list[bool] = []

    def load(game: Game, *modules: str, wanted: Callable[[], bool] = lambda: True) -> bool:
        asked.append(wanted())
        if asked[-1]:
            raise GameError("a kernel fails")
        return False

    def change(thinker: Thinker, game: Game) -> None:
        if game.name == "shogi":
            raise GameError("a kernel fails")

    monkeypatch.setattr(room_module, "load_kernels", load)
    monkeypatch.setattr(Thinker, "change_game", change)
    before = seat.table.room.live
    seen = seat.wait("error", seen=seat.ask("new", variant="shogi", **SIDES))
    assert seen[-1]["text"] == "a kernel fails"
    assert asked == [False, True]
    assert seat.table.room.live is before
    seat.table.join(seat)
    assert seat.wait("all")[-1]["state"]["compiling"]["game"] == ""
    seat.table.leave(seat)


# ---- games that come and go ----------------------------------------------------------------------

#: Of other sizes, so that one cannot be taken for another.
ONE = """[one]
files = 5
ranks = 9
start = "rnbkr/ppppp/5/5/5/5/5/PPPPP/RNBKR w - - 0 1"
promotion = "R"
pieces = { K = "K", R = "R", B = "B", N = "N" }
"""
TWO = ONE.replace("[one]", "[two]").replace("ranks = 9", "ranks = 8").replace("/5/PPPPP", "/PPPPP")
MINE = """[mine:chess]
startFen = rnbqkbnr/pppppppp/8/8/8/8/8/RNBQKBNR w KQkq - 0 1
"""


def test_games_of_ones_own_stay(tmp_path: Path) -> None:
    """A definition takes no other away, of any file, and no game that is being played."""
    path = tmp_path / "mine.ini"
    path.write_text(MINE, encoding="utf-8")
    seat = Seat(tmp_path / "games", str(path))
    for text in (ONE, "[x]\nfiles = 3", TWO):
        seat.ask("keep", text=text)
    for name in ("mine", "two", "one"):
        assert not errors(seat.ask("new", variant=name, **SIDES)), name
    moves = seat.table.room.live.playback.position.legal_moves()
    other = TWO.replace("[two]", "[one]")
    assert not seat.wait("owned", seen=seat.ask("keep", text=other))[-1]["fault"]
    engine = {"white": SIDE, "black": {"engine": True}}
    assert not errors(seat.ask("players", **engine))
    seen = seat.ask("move", ply=0, move=moves[0])
    assert not errors(seen)
    seen += seat.ask("new", variant="chess", fen="8/8 w", **SIDES)
    assert len(errors(seen)) == 1
    seat.wait("step", lambda message: message["state"]["ply"] == 2, seen)
    assert seat.table.room.live.game.ranks == 9
    seat.table.stop()


def test_a_game_that_cannot_be_begun_leaves_the_engine_thinking(seat: Seat) -> None:
    """It thinks of the old one, which has another board."""
    game = registry().game("chess")
    control = TimeControl.read("st=0.5")
    live = LiveGame.begin(game, None, (Player(True), Player()), control)
    seat.table.do(lambda: seat.table.room.put_new(game, lambda: live))
    request = {"do": "new", "variant": "shogi", "fen": "8/8 w - - 0 1", **SIDES}
    seat.table.ask(seat, json.dumps(request))
    seen = seat.wait("error")
    assert "board" in seen[-1]["text"]
    assert len(errors(seat.wait("step", seen=seen))) <= 1
    assert seat.table.room.live is not live
    assert seat.table.room.live.playback.record.steps


@pytest.mark.parametrize("name", [*GAMES, "flipello", "breakthrough", "duck"])
def test_positions_that_nobody_can_read(seat: Seat, name: str, source: random.Random) -> None:
    """A letter that the game has not, and worse: the answer says what is wrong."""
    assert not errors(seat.ask("new", variant=name, **SIDES))
    text = seat.table.room.live.playback.position.text()
    letters = "KkQZz+?~*[]/-1 9\u00e9"
    for number in range(40):
        board = len(text.split()[0].partition("[")[0])
        at = source.randrange(board if number % 2 else len(text))
        letter = letters[number] if number < len(letters) else source.choice(letters)
        wrong = text[:at] + letter + text[at + source.randrange(2) :]
        (answer,) = seat.ask("setup", text=wrong)
        assert answer["type"] == "setup", (wrong, answer)
        assert "svg" in answer or answer["fault"], wrong
