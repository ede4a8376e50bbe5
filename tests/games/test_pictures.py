"""The pieces' pictures: every shipped piece has one, and a browser draws them right."""

from __future__ import annotations

import base64
import itertools
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ryugi_engine.games.definitions import read_file
from ryugi_engine.games.drawing import BOX, DARK, LIGHT, Drawing
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry, rules_of, start_of
from tests.conftest import FAMILY, GAMES
from tests.support.helpers import ROOT, completed
from variants.chess.definition.definition import Definition
from variants.chess.formats.toml import read_game
from variants.chess.pictures import figures as figures_of_games
from variants.chess.pictures import pieces, sets
from variants.chess.pictures.shapes import SHAPES

NAMES = [piece.name for piece in pieces.NAMED]
BOTH = [(name, side) for name in NAMES for side in (0, 1)]
#: What a picture may be made of: each element with what it must say, and what it may say.
PLAIN = {
    "svg": ("width height viewBox stroke font-family", ""),
    "title": ("", ""),
    "g": ("transform", ""),
    "rect": ("x y width height fill", ""),
    "line": ("x1 y1 x2 y2 stroke stroke-width", "stroke-linecap"),
    "circle": ("cx cy r fill stroke stroke-width", ""),
    "polygon": ("points fill stroke", ""),
    "text": ("x y font-size fill", "text-anchor"),
    "path": ("d fill", "stroke stroke-width stroke-linejoin stroke-linecap"),
}
NUMBER = r"-?\d+(\.\d+)?"
PATH = rf"(M{NUMBER} {NUMBER}([MLCl]{NUMBER}( {NUMBER})+|[hv]{NUMBER}|[Zz])+)+"


def check_plain(text: str) -> None:
    """Well-formed, of few elements, and nothing is left to a renderer's defaults."""
    colour = re.compile("none|#[0-9a-f]{6}")
    for part in ElementTree.fromstring(text).iter():
        tag, output = part.tag.split("}")[-1], dict(part.attrib)
        must, may = (set(words.split()) for words in PLAIN[tag])
        assert must <= set(output) <= must | may, (tag, output)
        for name in ("fill", "stroke"):
            assert colour.fullmatch(output.get(name, "none")), output
        if tag == "svg":
            assert output["stroke"] == "none"  # ImageMagick outlines what names no stroke
        elif tag == "path":
            assert re.fullmatch(PATH, output["d"]), output["d"]
            assert ("stroke" in output) == ("stroke-width" in output)
        elif tag == "g":
            # Black's pieces of shogi point down
            shifted = rf"translate\({NUMBER} {NUMBER}\)( scale\({NUMBER}\))?|rotate\(180 24 24\)"
            assert re.fullmatch(shifted, output["transform"])


def drawn(figures: list[str], square: str, size: int = 48) -> str:
    """Figures in a row on squares of one colour."""
    picture = Drawing(len(figures) * size, size, "Figures", scale=1)
    for number, figure in enumerate(figures):
        picture.rectangle(number * size, 0, size, size, square)
        picture.figure(number * size, 0, figure, size)
    return picture.svg()


def user_game(folder: Path, text: str, start: str) -> Definition:
    file = folder / "mine.toml"
    file.write_text(
        f'[mine]\nfiles = 8\nranks = 8\nstart = "{start} w - - 0 1"\npromotion = "Q"\n'
        f"[mine.pieces]\n{text}\n"
    )
    return read_game(next(iter(read_file(file))))


# ---- which picture ---------------------------------------------------------------------------


def test_every_shipped_piece_has_a_picture() -> None:
    """Named by the letters of the games' definitions; none has a disc, no two are alike."""
    met = set()
    for name in FAMILY:
        rules: Any = rules_of(registry().game(name))
        names = figures_of_games.assign(rules.definition)
        assert names.keys() == set(rules.definition.letters), name
        assert len(set(names.values())) == len(names), name
        letters = "".join(names)
        figures = {rules.figure(letter) for letter in letters + letters.lower()}
        assert len(figures) == 2 * len(letters), name
        met |= set(names.values())
        for letter in letters:  # the rules' document and the picture call it the same
            named = next(piece for piece in pieces.NAMED if piece.name == names[letter])
            assert named.letter == letter, name
    assert met == set(NAMES) == SHAPES.keys() - {*pieces.BY_NAME}
    figures = {pieces.figure(*one) for one in BOTH}
    assert len(figures) == 2 * len(NAMES)


def test_a_picture_says_how_a_piece_moves(tmp_path: Path) -> None:
    """Letters of a user's game mean what they mean there."""
    start = "rekqmkze/pppppppp/8/8/8/8/PPPPPPPP/REKQMKZE".replace("k", "n", 1).replace("K", "N", 1)
    game = user_game(
        tmp_path,
        'K = "FW"\nQ = "R"\nR = "RB"\nE = "NR"\nZ = "RN"\nB = "N"\nN = "RBN"\nM = "WF"\n'
        'D = "BN"\nA = "NNB"\nI = "FDH"\nC = "BNN"',
        start,
    )
    names = figures_of_games.assign(game)
    assert names == {
        "P": "Pawn", "K": "King", "Q": "Rook", "R": "Queen", "E": "Chancellor", "Z": "Marshall",
        "B": "Knight", "D": "Archbishop", "A": "Dragon", "I": "Lion", "C": "Unicorn",
    }  # fmt: skip
    assert figures_of_games.figure_of(game, names, "q") == pieces.figure("Rook", 1)
    # no king though it steps like one, and what no shipped piece does
    for letter in "MNmn":
        assert f">{letter.upper()}</text>" in figures_of_games.figure_of(game, names, letter)


def test_a_third_of_a_kind_and_another_royal_have_discs(tmp_path: Path) -> None:
    game = user_game(
        tmp_path,
        'K = "N"\nN = "N"\nQ = "RN"\nM = "RN"\nX = "RN"',
        "qmxnknxq/pppppppp/8/8/8/8/PPPPPPPP/QMXNKNXQ",
    )
    names = figures_of_games.assign(game)
    assert names == {"P": "Pawn", "N": "Knight", "M": "Marshall", "Q": "Chancellor"}
    figures = [figures_of_games.figure_of(game, names, letter) for letter in "XK"]
    assert [figure.count("<circle") for figure in figures] == [9, 10]  # with a ring


# ---- how it is drawn -------------------------------------------------------------------------


@pytest.mark.parametrize("fonts", [True, False])
def test_asian_boards(fonts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards as the definitions ask for, pieces with characters where a font has them."""
    monkeypatch.setattr(sets, "_has_font", lambda signs: fonts)
    for name, signs, lines in (
        ("shogi", "歩王", 20), ("xiangqi", "帥卒", 30), ("janggi", "楚漢", 23), ("makruk", "", 18),
    ):  # fmt: skip
        game = registry().game(name)
        picture = start_of(game).svg()
        check_plain(picture)
        assert picture.count("<line") == lines
        assert not re.search(f'<rect[^>]*fill="({DARK}|{LIGHT})"', picture)
        assert all((sign in picture) == fonts for sign in signs)
        turning = [part for part in start_of(game).board_parts() if "rotate(180" in part.line]
        assert bool(turning) == (name == "shogi")
        assert all(part.turned for part in turning)
        letters = [*game.pieces, *map(str.lower, game.pieces)]
        figures = {game.load().figure(letter) for letter in letters}
        assert len(figures) == len(letters)
        assert name != "makruk" or "<text" not in "".join(figures)


@pytest.mark.parametrize("name", GAMES)
def test_boards_are_plain(name: str) -> None:
    game = registry().game(name)
    for text in (game.start, *game.positions("bench")[:3]):
        check_plain(Position(game, text).draw().svg())


def test_figures_are_plain_and_small() -> None:
    """A piece on a square is a line of the picture, and a page keeps many of them."""
    figures = [pieces.figure(*one) for one in BOTH]
    figures += [figures_of_games.made("X", side, False, True, frozenset()) for side in (0, 1)]
    check_plain(drawn(figures, LIGHT))
    for figure in figures:
        assert len(figure) < 1000
        assert "\n" not in figure
        numbers = re.findall(r"-?[\d.]+", " ".join(re.findall(' d="([^"]+)"', figure)))
        assert all(0 < float(number) < BOX for number in numbers)
    text = drawn(figures[:1], DARK)
    assert sum(figures[0] in line for line in text.splitlines()) == 1


def test_the_sheet_is_up_to_date(tmp_path: Path) -> None:
    """RULES.md shows it; scripts/draw_pieces.py draws it again."""
    folder, file = ROOT / "variants" / "chess", tmp_path / "pieces.svg"
    done = completed([sys.executable, ROOT / "scripts" / "draw_pieces.py", file])
    assert done.returncode == 0, done.stderr
    text = file.read_text(encoding="utf-8")
    assert (folder / "pictures" / "pieces.svg").read_text(encoding="utf-8") == text
    assert "](pictures/pieces.svg)" in (folder / "RULES.md").read_text()
    check_plain(text)
    for name, side in BOTH:
        assert text.count(pieces.figure(name, side)) == 4  # two sizes, two squares
        assert f">{name}</text>" in text


# ---- in a browser -----------------------------------------------------------------------------


def by_chromium(browser: Any, text: str) -> np.ndarray:
    """A picture as Chromium draws it: (rows, columns, red green blue)."""
    browser.get("about:blank")
    script = """
        const [source, done] = arguments, picture = new Image();
        picture.onload = () => {
            const canvas = document.createElement("canvas");
            canvas.width = picture.width;
            canvas.height = picture.height;
            const context = canvas.getContext("2d");
            context.drawImage(picture, 0, 0);
            const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
            done([canvas.height, canvas.width, Array.from(pixels.data)]);
        };
        picture.src = "data:image/svg+xml;base64," + source;
    """
    source = base64.b64encode(text.encode()).decode()
    height, width, pixels = browser.execute_async_script(script, source)
    return np.array(pixels, dtype=np.int64).reshape(height, width, 4)[:, :, :3]


def cells(picture: np.ndarray) -> list[np.ndarray]:
    """The squares of a row."""
    size = picture.shape[0]
    return [picture[:, at : at + size] for at in range(0, picture.shape[1], size)]


@pytest.mark.parametrize(("side", "square"), [(0, DARK), (0, LIGHT), (1, DARK), (1, LIGHT)])
def test_white_is_light_and_black_dark(side: int, square: str, browser: Any) -> None:
    text = drawn([pieces.figure(name, side) for name in NAMES], square)
    for name, cell in zip(NAMES, cells(by_chromium(browser, text)), strict=True):
        light = (cell.min(axis=2) > 240).mean()
        dark = (cell.max(axis=2) < 60).mean()
        own, other = (dark, light) if side else (light, dark)
        assert own > 0.08, (name, own)
        assert own > 0.8 * other, (name, own, other)


def test_silhouettes_differ_when_small(browser: Any) -> None:
    """At 24 pixels a seventh of what any two pieces cover is covered by one of them alone."""
    figures = [pieces.figure(name, 1) for name in NAMES]
    masks = [
        cell.max(axis=2) < 128
        for cell in cells(by_chromium(browser, drawn(figures, "#ffffff", 24)))
    ]
    for (one, first), (two, second) in itertools.combinations(zip(NAMES, masks, strict=True), 2):
        apart = (first ^ second).sum() / (first | second).sum()
        assert apart > 1 / 7, (one, two, apart)
