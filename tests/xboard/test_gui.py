"""A real XBoard with the engine: matches, mouse, pictures. Needs the programs that gui.py names."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from ryugi_engine.commands import gui_xboard
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.commands.test_doctor_and_gui import FORMS
from tests.support.gui import XBoard, engine_command, needs_xboard, virtual_screen, xboard
from tests.support.helpers import ROOT, command, patient

pytestmark = [needs_xboard, pytest.mark.slow]

#: No rule of XBoard's own ends a game.
OUR_RULES = ("-ruleMoves", "0", "-repeatsToDraw", "0")


def letters_by_square(position: Position) -> dict[str, str]:
    board, rows = {}, position.text().split()[0].split("/")
    for number, row in enumerate(rows):
        file = 0
        for token in re.findall(r"\d+|.", row):
            if token.isdigit():
                file += int(token)
            else:
                board[square_name((file, len(rows) - 1 - number))] = token.upper()
                file += 1
    return board


def by_san(position: Position, word: str) -> list[str]:
    """The legal moves that XBoard's notation may mean.

    A capture in two legs is ``e5xf5-f4``; castling is ``O-O`` however far the king goes.
    """
    legs = re.fullmatch(r"([a-j]\d)x[a-j]\d-([a-j]\d)[+#]?", word)
    if legs is not None:
        return [legs.group(1) + legs.group(2)]
    wanted = re.sub(r"[x+#=]", "", word)
    board = letters_by_square(position)
    results = []
    for move in position.legal_moves():
        start, end, promotion = move[:2], move[2:4], move[4:].upper()
        letter = "" if board[start] == "P" else board[start]
        hints = ("", start[0], start[1], start)
        steps = ord(end[0]) - ord(start[0])
        castles = letter == "K" and abs(steps) > 1
        if wanted in {f"{letter}{hint}{end}{promotion}" for hint in hints} or (
            castles and wanted == ("O-O" if steps > 0 else "O-O-O")
        ):
            results.append(move)
    return results


def replay(position: Position, words: list[str]) -> Position | None:
    """The position after moves in XBoard's notation; None if they cannot be played."""
    for number, word in enumerate(words):
        moves = by_san(position, word)
        if not moves:
            return None
        for other in moves[1:]:
            branch = position.copy()
            branch.push(other)
            end = replay(branch, words[number + 1 :])
            if end is not None:
                return end
        position.push(moves[0])
    return position


def confirm(text: str) -> str:
    """Read a game of XBoard's back; its result must be what our rules say of the last position."""
    tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', text))
    body = re.sub(r"\{[^}]*\}", " ", text[text.rindex('"]') + 2 :])
    words = [word.split(".")[-1] for word in body.split()]
    words = [word for word in words if word and word not in ("1-0", "0-1", "1/2-1/2", "*")]
    assert len(words) > 20
    position = replay(Position(registry().game(tags["Variant"]), tags.get("FEN")), words)
    assert position is not None, text
    outcome = position.outcome() or position.claim()
    assert outcome is not None, (tags["Result"], position.text(), text[-300:])
    assert outcome.result == tags["Result"], (outcome, tags["Result"])
    return outcome.reason


def test_a_match_without_hands(tmp_path: Path) -> None:
    """Two copies, two games; results by our rules."""
    games = tmp_path / "games.pgn"
    second = tmp_path / "second"
    second.mkdir()
    arguments = ("-noGUI", "-scp", engine_command(second), "-variant", "ryugi", "-mm", "-mg", "2")
    arguments += ("-xexit", "-timeControl", "0:01", "-timeIncrement", "0.01", *OUR_RULES)
    with xboard(tmp_path, *arguments, "-sgf", str(games)) as window:
        window.process.wait(400)
        log = window.log
    assert "llegal move" not in log
    assert "forfeit" not in log.lower()
    played = re.split(r"(?=\[Event )", games.read_text())[1:]
    assert len(played) == 2
    for game in played:
        assert confirm(game)


def edit_mode(window: XBoard) -> None:
    """Moves of both sides come from the mouse."""
    window.wait("first : pong 1")
    window.find_board(10, 8)
    window.key("ctrl+e")
    window.wait("first : force")


def play(window: XBoard, moves: str) -> None:
    for move in moves.split():
        window.move(move)
        window.wait(f"usermove.*{move}", 10)


def test_castling_by_mouse(tmp_path: Path) -> None:
    with xboard(tmp_path, "-variant", "ryugi", "-depth", "3") as window:
        edit_mode(window)
        # three squares and two, then the engine plays on with the board that both believe in
        play(window, "g2g4 g7g5 h1g2 h8g7 g1h3 g8h6 i1i3 i8i6 f1i1 f8h8")
        window.key("ctrl+w")
        window.wait("<first : move")
        window.key("ctrl+e")
        window.wait("first : force")
        assert "llegal" not in window.log


def test_a_position_loaded_in_a_game(tmp_path: Path) -> None:
    """It stays, though XBoard asks for the game's start again, and its castling rights count."""
    file = tmp_path / "p.fen"
    file.write_text("r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQ - 0 1\n")
    with xboard(tmp_path, "-variant", "ryugi", "-depth", "3") as window:
        window.wait("<first : pong 1")
        window.find_board(10, 8)
        play(window, "e3e4")
        window.wait("<first : move")
        window.load_position(file)
        window.wait("first : setboard r4k3r")
        window.wait("<first : setup .* r4k3r/.* KQ - 0 1")
        window.wait("<first : pong")
        window.find_board(10, 8)
        play(window, "f1h1")
        assert "llegal" not in window.log


def test_en_passant_by_mouse_and_by_the_engine(tmp_path: Path) -> None:
    with xboard(tmp_path, "-variant", "ryugi", "-depth", "3") as window:
        edit_mode(window)
        play(window, "d2d4 a7a6 a2a3 e6e4 d4e5")  # XBoard leaves the pawn on e4 standing
        window.key("ctrl+b")
        window.wait("<first : move")
        window.move("b2b3")
        window.wait("usermove.*b2b3")
        window.wait("<first : move")
        # the engine's first move took the pawn off the picture too: both boards agree again
        position = Position(registry().game("ryugi"))
        moves = re.findall(r"usermove \d+ >first : (\w+)|<first : move (\w+,?)", window.log)
        legs = ""
        for user, own in moves:
            if own.endswith(","):
                legs = own[:2]
                continue
            position.push(user or (legs + own[2:] if legs else own))
            legs = ""
        assert "e4" not in [m[2:] for m in position.legal_moves() if m.startswith("x")]
        assert "llegal" not in window.log


def test_every_promotion_by_mouse(tmp_path: Path) -> None:
    with xboard(tmp_path, "-variant", "ryugi", "-depth", "3", "-sweepPromotions", "true") as window:
        edit_mode(window)
        play(window, "h2h4 a7a5 h4h5 a5a4 h5h6 a4a3 h6i7 a3b2")
        chosen = set()
        for steps in range(7):
            window.promote("i7h8", steps)
            chosen.add(window.wait("usermove.*i7h8", 10).group()[-1])
            window.key("alt+Left")
            window.wait("first : undo", 10)
        assert chosen == set("qdmrnbi")
        assert "llegal" not in window.log


def test_another_variant_and_analysis(tmp_path: Path) -> None:
    with xboard(tmp_path, "-depth", "4") as window:
        window.wait("first : variant ryugi")  # plain XBoard opens the engine's own game
        window.wait("first : pong 2")
        window.find_board(10, 8)
        window.move("e3e5")
        window.wait("<first : move")
        window.key("ctrl+a")
        window.wait("first : analyze")
        window.wait(r"<first : 4 -?\d+ \d+ \d+ ")
        window.wait(r"<first : stat01: \d+ \d+ \d+ \d+ \d+")
        window.key("ctrl+e")
        window.wait("first : (exit|force)")
    with xboard(tmp_path, "-depth", "4", "-variant", "gothic") as window:
        window.wait("first : variant gothic")
        window.wait("first : pong 1")
        window.find_board(10, 8)
        window.move("e2e4")
        window.wait("<first : move")
        assert "llegal" not in window.log


def test_a_game_of_the_engine_list(tmp_path: Path) -> None:
    """What ``gui --write`` puts there, as XBoard reads it: command, game and options of a line."""
    home = {**os.environ, "HOME": str(tmp_path)}
    assert command("gui", "xboard", "--write", env=home).returncode == 0
    listed = ("-settingsFile", str(tmp_path / ".xboardrc"))
    with xboard(tmp_path, *listed, "-fe", "Unicorn Great Chess (ryugi-engine)") as window:
        window.wait(r"StartChildProcess .*/scripts/engine xboard --variant unicorngreat$")
        window.wait("first : variant unicorngreat")
        window.wait("first : pong 1")
        window.find_board(10, 8)
        window.move("e2e4")
        window.wait("<first : move")
        assert "llegal" not in window.log


@pytest.mark.parametrize("form", FORMS[::4])
def test_xboard_finds_the_users_engines_and_ours(form: str, tmp_path: Path) -> None:
    """XBoard itself says so: what it saves of the settings that we have changed."""
    path, saved = tmp_path / ".xboardrc", tmp_path / "saved"
    path.write_bytes(form.encode("latin-1"))
    home = {**os.environ, "HOME": str(tmp_path)}
    assert command("gui", "xboard", "--write", env=home).returncode == 0
    written = gui_xboard.engines(path.read_bytes().decode("latin-1"))
    words = ["-ncp", "-settingsFile", str(path), "-saveSettingsFile", str(saved), "-autoClose"]
    with virtual_screen() as environment:
        subprocess.run(["xboard", *words], env=environment, timeout=patient(60), check=True)
    kept = gui_xboard.engines(saved.read_bytes().decode("latin-1"))
    assert kept is not None
    assert written is not None
    # it adds engines that the system has announced
    assert kept.value.startswith(written.value)
    assert "(ryugi-engine)" in written.value


def last_position(window: XBoard, game_name: str) -> Position:
    """What the engine has last shown, in whichever colours."""
    texts = re.findall(r"<first : setboard (\S+) (\w)", window.log)
    board, _ = texts[-1]
    for fields in (board, board.swapcase()):
        for side in "wb":
            try:
                return Position(registry().game(game_name), f"{fields} {side} - - 0 1")
            except ValueError:
                continue
    raise AssertionError(texts[-1])


def test_gorogo_is_played_to_its_end(tmp_path: Path) -> None:
    with xboard(tmp_path, "-variant", "gorogo", "-depth", "1") as window:
        window.wait("first : pong 1")
        window.find_board(5, 5, holdings=True)
        position = Position(registry().game("gorogo"))
        while position.outcome() is None:
            move = position.legal_moves()[-1]
            window.drop(0, "SH".index(move[0]), move[2:])
            window.wait(f"usermove.*{move}", 10)
            position.push(move)
            if position.outcome() is not None:
                break
            position.push(window.wait(r"<first : move (\S+)").group(1))
            window.settled()
        outcome = position.outcome()
        assert outcome is not None
        window.wait(f"first : result {outcome.result} ")
        assert "setboard" in window.log  # stones were captured, and XBoard told
        assert "llegal" not in window.log.replace("LegalDrop", "")


def test_gomoku_roku_is_played_to_its_end(tmp_path: Path) -> None:
    with xboard(tmp_path, "-variant", "gomokuroku-ninuki", "-depth", "1", "-st", "0:01") as window:
        window.wait("first : pong 1")
        window.find_board(11, 11, holdings=True)
        window.drop(0, 0, "f11")  # Black begins: White in the window
        window.wait("<first : move")
        for _ in range(40):
            window.settled()
            if re.search(r">first : result (1-0|0-1|1/2)", window.log):
                break
            if "setboard" in window.log:
                square = last_position(window, "gomokuroku-ninuki").legal_moves()[0][2:]
            else:
                square = "e5"
            seen = len(window.log)
            window.drop(0, 0, square[:3].rstrip("x"))
            end = time.monotonic() + patient(30)
            while time.monotonic() < end and "<first : setboard" not in window.log[seen:]:
                time.sleep(0.05)
            window.wait("first : (pong|ping)")
        window.wait("first : result (1-0|0-1|1/2)")
        # the user's next drops would be refused: the game is over for both
        assert re.search("Illegal", window.log) is None


def test_a_move_of_two_legs_by_mouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XBoard asks where a piece and its arrow may go, and its board is corrected."""
    monkeypatch.setenv("RYUGI_GAMES", str(ROOT / "tests" / "support" / "games"))
    arguments = "-variant", "amazons", "-depth", "2", "-showTargetSquares", "true"
    with xboard(tmp_path, *arguments) as window:
        window.wait("<first : pong")
        window.find_board(6, 6)
        window.press("d1")
        window.wait("<first : highlight 3C2/")
        window.release("d4")
        window.wait("<first : highlight .*Y")
        window.press("d4")
        window.release("d6")
        window.wait("usermove.*d1d4,d4d6")
        window.wait("<first : setboard 3A2/.* w - - 0 2")
        assert "llegal" not in window.log


def test_a_match_with_captures_is_stopped_before_it_begins(tmp_path: Path) -> None:
    """XBoard would forfeit it when a stone is placed where another was captured."""
    second = tmp_path / "second"
    second.mkdir()
    arguments = ("-scp", engine_command(second), "-variant", "gorogo", "-mm", "-mg", "1")
    with xboard(tmp_path, *arguments, *OUR_RULES) as window:
        window.wait("first : computer")
        window.wait("tellusererror XBoard cannot take captured stones off")
        window.wait(r"first : result \* ")
        time.sleep(1.0)
        assert "orfeit" not in window.log
        assert not re.search("(first|second)?: move ", window.log)


@pytest.mark.parametrize("name", ["ryugi"])
def test_figures_are_those_of_the_page(name: str, tmp_path: Path) -> None:
    """Each piece has the picture written for it: a colour is put on each to tell them apart."""
    folder = tmp_path / "pieces"
    done = command("show", "--variant", name, "--pieces", str(folder))
    assert done.returncode == 0, done.stderr
    game = registry().game(name)
    assert len(list(folder.iterdir())) == 2 * len(game.pieces)
    colours = {}
    for number, path in enumerate(sorted(folder.iterdir())):
        text = path.read_text()
        (letter,) = re.findall(": (.)</title>", text)
        colours[letter] = (10 * number, 255 - 10 * number, 40)
        square = '<rect x="4" y="4" width="16" height="16" fill="#%02x%02x%02x"/>'
        path.write_text(text.replace("</svg>", square % colours[letter] + "</svg>"))
    with xboard(
        tmp_path, "-variant", name, "-trueColors", "true", "-pieceImageDirectory", str(folder)
    ) as window:
        window.wait("first : pong 1")
        window.find_board(game.files, game.ranks)
        board = Position(game).rules.board(Position(game).state)
        seen = {letter: window.pixel(at, 0.25, 0.25) for at, letter in board.items()}
    for letter, seen_colour in seen.items():  # XBoard scales the pictures
        assert seen_colour == pytest.approx(colours[letter], abs=4), letter
