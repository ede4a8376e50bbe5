"""Fairy-Stockfish's ``variants.ini``: what is written it reads as the same game, and back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyffish
import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, catalogue, read_definitions, registry, rules_of
from tests.conftest import FAMILY, OTHERS
from tests.support.effort import effort
from tests.support.helpers import command, wild_position

BUILT_IN = ("capablanca", "chess", "embassy", "gothic", "janus")


def ini_of(game: Game, name: str) -> str:
    """The game's section under a name that no one else has taken."""
    assert game.ini is not None
    assert game.ini().count(f"\n[{game.name}]\n") == 1
    return game.ini().replace(f"[{game.name}]", f"[{name}]")


def fast_game_of(game: Game) -> Any:
    rules: Any = rules_of(game)
    return rules.fast


def without_rights(text: str) -> str:
    board, side, _rights, *rest = text.split()
    return " ".join([board, side, "-", *rest])


def agree(name: str, position: Position) -> None:
    theirs = pyffish.legal_moves(name, position.text(), [])
    assert sorted(position.legal_moves()) == sorted(theirs), position.text()


def perft(name: str, text: str, depth: int) -> int:
    """As Fairy-Stockfish counts."""
    moves = pyffish.legal_moves(name, text, [])
    if depth == 1:
        return len(moves)
    return sum(perft(name, pyffish.get_fen(name, text, [move]), depth - 1) for move in moves)


@pytest.mark.more
@pytest.mark.parametrize("name", [name for name in FAMILY if name not in BUILT_IN])
def test_written_games_in_wild_positions(name: str, source: random.Random) -> None:
    """And with castling, where the king has one way to each side."""
    game = registry().game(name)
    theirs = f"{name}-wild"
    pyffish.load_variant_config(ini_of(game, theirs))
    looked = 0
    while looked < effort(8, 60):
        position = wild_position(game, source)
        if position is not None:
            agree(theirs, position)
            looked += 1
    one_way = all(len(ways) == 1 for ways in fast_game_of(game).castling.values())
    castled = 0
    for number in range(25):
        if number >= effort(6, 25) and (castled or not one_way):
            break
        position = Position(game, None if one_way else without_rights(game.start))
        for _ in range(60):
            moves = position.legal_moves()
            if not moves:
                break
            agree(theirs, position)
            kings = [move for move in moves if abs(ord(move[0]) - ord(move[2])) > 1]
            king = fast_game_of(game).castling["K" if position.side == 0 else "k"][0].king_from
            castling = [m for m in kings if m[:2] == f"{chr(97 + king[0])}{king[1] + 1}"]
            castled += bool(castling) and one_way
            position.push(source.choice(castling or moves))
    assert castled or not one_way


#: Games that the format cannot say, with the keys that it has no words for.
UNSAID = {
    "ataxx": "free_drops", "cylinder": "pieces.P", "marseillais": "moves_a_turn",
    "mightylion": "pieces.L", "monster": "moves_a_turn", "janggi": "diagonal_lines",
    "janggicasual": "diagonal_lines", "janggimodern": "diagonal_lines",
    "janggitraditional": "diagonal_lines", "sittuyin": "start",
    "alice": "alice_boards", "progressive": "progressive", "chu": "piece_promotion_on_entry",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_games_of_all_kernels(name: str, source: random.Random) -> None:
    """Rules, pieces and castling: in random games Fairy-Stockfish has the moves that we have."""
    game, theirs = registry().game(name), f"{name}-written"
    assert game.ini is not None
    if game.family.startswith("fast"):
        return  # above
    if name in UNSAID:
        with pytest.raises(UserError, match=f"cannot say this game: {UNSAID[name]}"):
            game.ini()
        return
    pyffish.load_variant_config(ini_of(game, theirs))
    for _ in range(effort(1, 20)):
        position = Position(game)
        for _ in range(effort(12, 60)):
            moves = position.legal_moves()
            if not moves or position.outcome() is not None:
                break
            # where its own game ends it lists no moves
            found = pyffish.legal_moves(theirs, position.text(), [])
            assert sorted(moves) == sorted(found) or not found, position.text()
            position.push(source.choice(moves))


def test_gaps_are_named() -> None:
    """What the format cannot say stands in comments, with the moves that are meant."""
    text = registry().game("ryugi").ini
    assert text is not None
    comments = [line for line in text().splitlines() if line.startswith("#")]
    assert [c for c in comments if "f1i1" in c]
    assert [c for c in comments if "f1c1" in c]
    assert [c for c in comments if "64-move rule" in c and "96" in c]
    for name in BUILT_IN:
        section = registry().game(name).ini
        assert section is not None
        assert section() == f"# {name}: Fairy-Stockfish has this game itself.\n"
        assert name in pyffish.variants()
    for name in OTHERS:
        assert registry().game(name).ini is None


_ATOMS = ("W", "F", "D", "N", "A", "H", "C", "Z", "G")


def random_definition(source: random.Random, name: str) -> str:
    """A user's game in TOML: any size, pieces, royal piece, promotion and double steps."""
    files, ranks = source.randrange(3, 11), source.randrange(3, 9)
    royal = source.choice(["WF", "WF", "N", "WFN", "FD"])
    pieces = {"K": royal}
    kinds = ["R", "B", "RB", "RN", "BN", "N", "NN", "BNN", "WF", "WFN", "F", "W"]
    kinds += ["".join(source.sample(_ATOMS, source.randrange(1, 4))) for _ in range(2)]
    for letter in source.sample("ABCDEFGHIJLMNOQRSTUVWXYZ", source.randrange(2, 6)):
        pieces[letter] = source.choice(kinds)
    others = [letter for letter in pieces if letter != "K"]
    king = source.randrange(files)
    back = "".join("K" if f == king else source.choice(others) for f in range(files))
    if ranks == 3:
        between = ["".join(source.choice("PpPp1") for _ in range(files))]
    else:
        between = ["p" * files, *[str(files)] * (ranks - 4), "P" * files]
    start = "/".join([back.lower(), *between, back])
    steps = [
        f"{chr(97 + f)}{rank}"
        for f in range(files)
        for rank in range(2, ranks - 1)
        if source.random() < (0.7 if rank == 2 else 0.2)
    ]
    lines = [
        f"[{name}]", f"files = {files}", f"ranks = {ranks}", f'start = "{start} w - - 0 1"',
        f'promotion = "{"".join(others)}"', f'double_step_region = "{" ".join(steps) or "-"}"',
        "n_move_rule = 40",
        f"[{name}.pieces]", *(f'{letter} = "{text}"' for letter, text in pieces.items()),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_users_games_there_and_back(source: random.Random, tmp_path: Path) -> None:
    """Written, loaded by Fairy-Stockfish and read again they are the same game."""
    done = 0
    while done < 5:
        name = f"own{source.randrange(10**9)}"
        path = tmp_path / f"{name}.toml"
        path.write_text(random_definition(source, name))
        try:
            game = read_definitions(str(path))[0]
        except ValueError:
            continue  # a start in check
        if not game.family.startswith("fast"):
            continue  # a leap along a rider: a game of the general family
        text = ini_of(game, name)
        pyffish.load_variant_config(text)
        assert pyffish.start_fen(name) == game.start
        back = tmp_path / f"{name}.ini"
        back.write_text(text)
        again = fast_game_of(read_definitions(str(back))[0])
        mine = fast_game_of(game)
        for key in ("name", "start", "royal", "pawn", "double_step", "castling"):
            assert getattr(again, key) == getattr(mine, key), key
        assert again.rules.promotion == mine.rules.promotion
        assert again.rules.n_move_rule == mine.rules.n_move_rule
        assert again.rules.n_fold_rule == mine.rules.n_fold_rule
        assert dict(again.movements) == dict(mine.movements)
        position = Position(game)
        for _ in range(80):
            moves = position.legal_moves()
            agree(name, position)
            if not moves or position.outcome() is not None:
                break
            position.push(source.choice(moves))
        done += 1


# ---- reading ----------------------------------------------------------------------------------


def read(text: str, tmp_path: Path) -> Any:
    """The definition of a file's last game."""
    path = tmp_path / "games.ini"
    path.write_text(text)
    return fast_game_of(read_definitions(str(path))[-1])


@pytest.mark.parametrize(
    ("section", "moves_like"),
    [
        ("[own1:chess]\n", "chess"),
        ("[own2:capablanca]\n", "capablanca"),
        ("[own3:janus]\n# nothing else\n", "janus"),
        (
            "[own4:capablanca]\n; Gothic's pieces stand otherwise\n"
            "startFen = rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1\n",
            "gothic",
        ),
        (
            "[own5:capablanca]\ncastlingKingFile = e\ncastlingKingsideFile = h\n"
            "castlingQueensideFile = b\n"
            "startFen = rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1\n",
            "embassy",
        ),
    ],
)
def test_parents(section: str, moves_like: str, tmp_path: Path) -> None:
    result = read(section, tmp_path)
    mine = fast_game_of(registry().game(moves_like))
    assert result.start == mine.start
    assert dict(result.movements) == dict(mine.movements)
    assert result.castling == mine.castling
    assert result.double_step == mine.double_step


def test_sections_begin_with_earlier_ones(tmp_path: Path) -> None:
    """A parent of the same file; a piece taken away, a rook that stands elsewhere."""
    text = (
        "[first:chess]\nqueen = -\nchancellor = c\npromotionPieceTypes = crbn\n"
        "startFen = rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1\n"
        "[second:first]\nnMoveRule = 30\ndoubleStep = false\n"
        "startFen = 1rbck1r1/pppppppp/8/8/8/8/PPPPPPPP/1RBCK1R1 w KQkq -\n"
    )
    result = read(text, tmp_path)
    assert set(result.movements) == set("KCRBN")
    assert result.rules.n_move_rule == 30
    assert not any(result.double_step)
    assert [result.castling[right][0].rook_from for right in "KQ"] == [(6, 0), (1, 0)]
    pyffish.load_variant_config(text.replace("first", "firstread").replace("second", "secondread"))
    games = Registry()
    games.load_file(str(tmp_path / "games.ini"))
    agree("secondread", Position(games.game("second")))
    agree("firstread", Position(games.game("first")))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a:chess]\ntwoBoards = true\n", ":2: a.twoBoards: can only be false, see LIMITS.md"),
        ("[a:chess]\nmaxFile = 17\n", ":2: a.maxFile: 17 is not in 1..16"),
        ("[a:chess]\nmaxFile = 12\n", "a.startFen: rank 8: 8 squares instead of 12"),
        ("[a:chess]\nmaxRank = ten\n", ":2: a.maxRank: 'ten' is not a whole number"),
        ("[a:nochess]\n", ":1: a: no game 'nochess' to begin with is known here"),
        ("[a]\nrook = r\n", "a.startFen: rank 8: unknown letter 'n'"),
        ("[a:chess]\nking = k:zR\n", ":2: a.king: 'z' in 'zR': crooked riders cannot"),
        ("[a:chess]\ncustomPiece1 = m\n", ":2: a.customPiece1: needs its moves, as in m:RN"),
        ("[a:chess]\nrook = t\n", ":1: a.startFen: "),
        ("[a:chess]\nstartFen = 8/8 w - -\n", ":2: a.startFen: "),
        ("[a:chess]\nnFoldRule = -1\n", ":2: a.nFoldRule: '-1' is not a whole number"),
        ("[a:chess]\ncastlingKingsideFile = 9\n", ":2: a.castlingKingsideFile: lies beyond"),
        ("[a:chess]\n[a:chess]\n", ":2: a: stands here twice"),
        ("[a:chess\n", ":1: (syntax): a section is like [name]"),
        ("[a b:chess]\n", ":1: a b: a game's name is letters, digits, hyphens and low lines"),
        ("[a:chess]\nrook = 5\n", ":2: a.rook: '5' is not a letter"),
        ("king = k\n", ":1: (file): defines no game"),
        ("# nothing\n", ":1: (file): defines no game"),
    ],
)
def test_what_cannot_be_said_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    """By line and key of the file, in one line."""
    path = tmp_path / "wrong.ini"
    path.write_text(text)
    with pytest.raises(ValueError, match="wrong.ini:") as error:
        read_definitions(str(path))
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_the_commands(tmp_path: Path) -> None:
    """``variants-ini`` prints what ``check`` and ``--variants`` take."""
    path = tmp_path / "own.toml"
    path.write_text(random_definition(random.Random(3), "mine"))
    done = command("variants-ini", "--variants", str(path), "ryugi", "mine")
    assert done.returncode == 0, done.stderr
    written = tmp_path / "variants.ini"
    written.write_text(done.stdout)
    assert "[ryugi]" in done.stdout
    checked = command("check", str(written))
    assert [line.split(":")[0] for line in checked.stdout.splitlines()] == ["ryugi", "mine"]
    shown = command("show", "--variants", str(written), "--variant", "mine")
    assert shown.returncode == 0, shown.stderr
    everything = command("variants-ini")
    assert everything.stdout.count("\n[") == 2
    refused = command("variants-ini", "gorogo")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "ryugi-engine: gorogo: Fairy-Stockfish's variants.ini cannot say this game\n"
    )


def test_the_engine_says_what_it_takes(tmp_path: Path) -> None:
    """``check FILE`` as Fairy-Stockfish answers it: pychess's bridge compares it with the file."""
    path = tmp_path / "own games.ini"
    path.write_text("".join(ini_of(registry().game("ryugi"), name) for name in ("one", "two")))
    done = command(input=f"check {path}\nquit\n")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Parsing variant: one\nParsing variant: two\n"
    # what VariantPath would refuse is refused here, and nothing of the file is named
    path.write_text("[one]\ntwoBoards = true\n")
    drops = f"info string error: {path}:2: one.twoBoards: "
    for file, fault in ((path, drops), (tmp_path, f"info string error: {tmp_path}: ")):
        refused = command(input=f"uci\ncheck {file}\nquit\n")
        assert refused.stderr == ""
        assert any(line.startswith(fault) for line in refused.stdout.splitlines()), refused.stdout
    path.write_text(ini_of(registry().game("ryugi"), "chess"))
    taken = command(input=f"check {path}\nquit\n")
    assert (taken.stdout, taken.stderr) == (
        f"info string error: {path}: 'chess' is the name of a built-in game\n",
        "",
    )


def test_built_in_games_stay_as_they_are(tmp_path: Path) -> None:
    """A file for Fairy-Stockfish says less of Ryugi: the king still castles three squares here."""
    game = registry().game("ryugi")
    assert game.ini is not None
    path = tmp_path / "variants.ini"
    path.write_text(game.ini() + game.ini().replace("[ryugi]", "[short]"))
    games = Registry()
    assert [own.name for own in games.load_file(str(path))] == ["short"]
    text = "4k5/10/10/10/10/10/10/R4K3R w KQ - 0 1"
    assert "f1i1" in Position(games.game("ryugi"), text).legal_moves()
    assert "f1i1" not in Position(games.game("short"), text).legal_moves()
