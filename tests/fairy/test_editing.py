"""Definitions that are copied, changed, checked and kept: what the page's form stands on."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import file_text
from ryugi_engine.games.registry import catalogue, definition_editor, read_definitions, registry
from ryugi_engine.web.own_file import OwnFile, replaced
from tests.support.effort import effort
from variants.chess.definition.game_rules import Rules, meanings

EDITOR = definition_editor()


def copy_of(name: str) -> str:
    """A game's definition under the name ``own``."""
    game = registry().game(name)
    assert game.toml is not None
    return str(EDITOR.renamed(game.toml(), name, "own"))


class Made:
    """A definition that is changed."""

    def __init__(self, name: str) -> None:
        self.text = copy_of(name)

    def change(self, do: str, **wanted: Any) -> dict[str, Any]:
        """What is shown after a change."""
        self.text = EDITOR.changed(self.text, "own", {"do": do, **wanted})
        return self.shown

    @property
    def shown(self) -> dict[str, Any]:
        return dict(EDITOR.shown(self.text, "own"))

    @property
    def table(self) -> dict[str, Any]:
        return dict(tomllib.loads(self.text)["own"])

    def faults(self) -> dict[str, str]:
        """What is wrong, by key, without warnings."""
        return {one["key"]: one["text"] for one in self.shown["faults"] if not one["warning"]}


@pytest.mark.parametrize("name", [*catalogue(), "chess", "ryugi", "unicorngreat"])
def test_a_copy_is_the_same_game(name: str, tmp_path: Path) -> None:
    """In TOML without what goes without saying, whatever the game was read from."""
    game, path = registry().game(name), tmp_path / "own.toml"
    path.write_text(copy_of(name), encoding="utf-8")
    (own,) = read_definitions(str(path))
    for fact in ("files", "ranks", "start", "pieces", "promoted", "look", "names"):
        assert getattr(own, fact) == getattr(game, fact), fact
    assert own.family.replace("own", name) == game.family
    assert game.sentences is not None
    assert own.sentences is not None
    assert list(own.sentences()) == list(game.sentences())
    shown = EDITOR.shown(path.read_text(encoding="utf-8"), "own")
    assert not [fault for fault in shown["faults"] if not fault["warning"]]


def test_all_faults_at_once() -> None:
    """Each beside its key; what follows from another fault is not told."""
    made = Made("crazyhouse")
    wrong = {
        "must_capture": (3, "true or false"),
        "n_move_rule": (5000, "5000 is not in 0..1000"),
        "promotion": ("QX", "'X' is not one of the pieces"),
        "flag_region": ("z99x", "not a square"),
        "pieces.N": ("NY", "not a piece atom"),
        "castling.K": (["e1 g1"], "each way is"),
        "foo": (1, "not a known key"),
        "values.Q": (9999, "0..5000"),
        "start": ("8/8 w", "2 ranks instead of 8"),
    }
    for key, (value, _text) in wrong.items():
        made.change("set", key=key, value=value)
    found = made.faults()
    # where pieces stand is not known, so castling is not judged
    assert found.keys() == wrong.keys() - {"castling.K"}
    for key, text in found.items():
        assert wrong[key][1] in text
    start = registry().game("crazyhouse").start
    made.change("set", key="start", value=start)
    assert made.faults().keys() == wrong.keys() - {"start"}
    for key in wrong:
        value = {"start": start, "pieces.N": "N", "castling.K": ["e1 g1 h1 f1"]}.get(key)
        made.change("set", key=key, value=value)
    assert made.shown["faults"] == []


def test_squares_beyond_the_board_are_named() -> None:
    """Rules leave them out: a game without them is shown, in words too."""
    for key, value, word in (
        ("promotion_region", "z99", "z99"),
        ("flag_region", ["*8", "e4 *9"], "*9"),
        ("mobility_region", {"K": "a1 q1"}, "q1"),
        ("en_passant_region", "e6 i6", "i6"),
    ):
        shown = Made("chess").change("set", key=key, value=value)
        about = f"{key}.K" if isinstance(value, dict) else key
        told = {"key": about, "text": f"'{word}' is not on the board", "warning": True}
        assert told in shown["faults"]
        assert shown["sentences"]
    assert not Made("chess").change("set", key="double_step_region", value="-")["faults"]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("betza", "mine", "must be one of xboard, fairy-stockfish"),
        ("n_fold_rule", 2.5, "must be a whole number"),
    ],
)
def test_values_that_cannot_be(key: str, value: Any, message: str) -> None:
    made = Made("chess")
    made.change("set", key=key, value=value)
    assert made.faults() == {key: message}


def test_the_board_grows_and_shrinks() -> None:
    """Files at the right, ranks in the middle; pawns, goals and castling go with it."""
    made = Made("chess")
    made.change("region", key="flag_region", word="*8", value="-")
    made.change("size", files=10, ranks=10)
    board = "rnbqkbnr2/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKBNR2"
    assert made.table["start"] == f"{board} w KQkq - 0 1"
    assert made.table["flag_region"] == "*10"
    made.change("put", piece="R", cell="j1", mirror=True)
    made.change("erase", cell="h1", mirror=True)
    assert made.table["castling"] == {"K": ["e1 g1 j1 f1"], "Q": ["e1 c1 a1 d1"]}
    made.change("castle", steps=3)
    assert made.table["castling"]["K"] == ["e1 h1 j1 g1"]
    made.change("size", files=8, ranks=6)
    assert made.table["start"] == "rnbqkbn1/pppppppp/8/8/PPPPPPPP/RNBQKBN1 w Qq - 0 1"
    assert made.table["flag_region"] == "*6"
    made.change("castle", steps=0)
    assert "castling" not in made.table
    assert made.faults() == {}
    with pytest.raises(UserError, match="1 to 16 files"):
        made.change("size", files=17, ranks=8)


def test_illegal_starts_can_be_changed() -> None:
    """Two kings while one is moved: nothing else is lost."""
    made = Made("chess")
    made.change("put", piece="K", cell="d1", mirror=True)
    assert "2 kings" in made.faults()["start"]
    made.change("put", piece="Q", cell="e1", mirror=True)
    assert made.table["start"] == "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1"
    assert made.table["castling"] == {"K": ["d1 f1 h1 e1"], "Q": ["d1 b1 a1 c1"]}
    assert made.shown["faults"] == []


def test_a_piece_goes_by_another_letter() -> None:
    """Wherever it is named; without it nothing names it any more."""
    made = Made("shogi")
    made.change("letter", letter="P", to="X")
    table = made.table
    assert made.shown["faults"] == []
    assert table["promoted_piece_type"]["X"] == "G"
    assert table["drop_no_doubled"] == "X"
    assert table["names"]["X"] == "Pawn"
    assert "XXXXXXXXX" in table["start"]
    made.change("unpiece", letter="X")
    assert made.faults() == {}
    assert "X" not in made.text
    made = Made("chess")
    made.change("letter", letter="P", to="S")
    assert made.shown["pawn"] == "S"
    assert made.shown["faults"] == []
    with pytest.raises(UserError, match="a piece Q already"):
        made.change("letter", letter="N", to="Q")


def test_values_of_each_side() -> None:
    made = Made("chess")
    made.change("set", key="flag_region", value="*8 a1")
    made.change("split", key="flag_region")
    assert made.table["flag_region"] == ["*8 a1", "*1 a8"]
    made.change("region", key="flag_region", side=1, word="a*", value="")
    assert made.table["flag_region"] == ["*8 a1", "*1 a*"]
    made.change("region", key="flag_region", side=1, word="a*", value="")
    assert made.table["flag_region"][1] == "b1 c1 d1 e1 f1 g1 h1"
    made.change("split", key="flag_region")
    assert made.table["flag_region"] == "*8 a1"


def test_the_form_has_every_rule_from_the_code() -> None:
    """Its sentences are the comments of the fields; each kind of value is known to the page."""
    form = EDITOR.form()
    keys = {key["key"]: key for part in form["sections"] for key in part["keys"]}
    for key, meaning in meanings().items():
        assert keys[key]["meaning"] == meaning
        assert keys[key]["kind"] == Rules.__dataclass_fields__[key].metadata["kind"]
    script = Path("ryugi_engine/web/page/own_fields.js").read_text(encoding="utf-8")
    fields = script[script.index("export const FIELDS") :]
    for one in keys.values():
        assert f"{one['kind']}," in fields or f"{one['kind']}:" in fields or not one["kind"]


def test_any_change_is_answered(source: random.Random) -> None:
    """With right and wrong values: a definition that is shown as playable can be read."""
    keys = [key["key"] for part in EDITOR.form()["sections"] for key in part["keys"]]
    values: list[Any] = [None, True, False, 0, 1, 3, 10**6, "", "-", "Q", "QRBN", "*8", "e4 b*"]
    values += [["*8", "*1"], ["Q", "R"], [True, False], [], "draw", "loss", "reversi", "KQkq", "*"]
    squares = [f"{file}{rank}" for file in "acehj" for rank in (1, 2, 5, 8)]
    for _ in range(effort(4, 60)):
        made = Made(source.choice(["chess", "crazyhouse", "shogi", "xiangqi", "duck", "flipersi"]))
        for _ in range(12):
            letter = source.choice("KQRBNPGSX")
            wanted = source.choice(
                [
                    {"do": "set", "key": source.choice(keys), "value": source.choice(values)},
                    {"do": "set", "key": f"pieces.{letter}", "value": source.choice(["NN", "x"])},
                    {"do": "size", "files": source.randrange(4, 12), "ranks": source.randrange(18)},
                    {"do": "put", "piece": letter, "cell": source.choice(squares), "mirror": True},
                    {"do": "erase", "cell": source.choice(squares)},
                    {"do": "hold", "piece": letter, "by": 1},
                    {"do": "castle", "steps": source.randrange(6)},
                    {"do": "piece", "letter": letter, "moves": "BN", "name": "Bird"},
                    {"do": source.choice(["unpiece", "letter"]), "letter": letter, "to": "Y"},
                    {
                        "do": source.choice(["split", "region"]),
                        "key": source.choice(keys),
                        "word": "*3",
                    },
                    {"do": source.choice(["clear", "turn", "what"]), "side": 1},
                ]
            )
            before = made.text
            try:
                shown = made.change(**wanted)
            except UserError:
                assert made.text == before
                continue
            if all(fault["warning"] for fault in shown["faults"]) and shown["board"]:
                EDITOR.game(made.text, "own")


def test_the_own_file(tmp_path: Path) -> None:
    """A game is replaced or removed, and all else stays, comments too."""
    path = tmp_path / "here" / "variants.toml"
    file = OwnFile(path, print)
    assert file.games() == {}
    file.put("one", '[one]\ntitle = "One"\n\n[one.pieces]\nK = "K"\n')
    text = file_text(path) + '\n# mine\n[two]\ntitle = "Two"  # so\n\n[two.pieces]\nQ = "Q"\n'
    path.write_text(text, encoding="utf-8")
    file.put("one", '[one]\ntitle = "Other"\n')
    assert file.games() == {
        "one": {"title": "Other"},
        "two": {"title": "Two", "pieces": {"Q": "Q"}},
    }
    assert "# so" in file.text()
    file.put("three", "[three]\nfiles = 3\n")
    file.remove("two")
    assert list(file.games()) == ["one", "three"]
    path.write_text("[one.pieces]\nK = 'K'\n[two]\n[one]\ntitle = 'One'\n", encoding="utf-8")
    file.put("one", "[one]\nfiles = 8\n")
    assert file.games() == {"one": {"files": 8}, "two": {}}
    path.write_text("a.files = 8\n", encoding="utf-8")
    with pytest.raises(UserError, match="change it in an editor"):
        file.put("a", "[a]\nfiles = 9\n")
    assert file.text() == "a.files = 8\n"
    path.write_text("[one\n", encoding="utf-8")
    with pytest.raises(UserError, match="syntax"):
        file.put("one", "[one]\nfiles = 9\n")


def test_a_definition_takes_the_place_of_another() -> None:
    assert replaced("", "a", "[a]\n") == "[a]\n"
    assert replaced("[b]\n[a]\nx = 1\n[c]\n", "a", "[a]\n") == "[b]\n\n[a]\n\n[c]\n"
    assert replaced("[a]\n[b]\n", "a", "") == "[b]\n"
