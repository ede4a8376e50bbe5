"""Reading definitions of chess-like games; errors carry line and key.

The rules' keys are the fields of ``definition.game_rules``. A value that may differ
by colour is White's, mirrored for Black, or a list of White's and Black's.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from ryugi_engine.games.definitions import Reader
from variants.chess.definition import betza
from variants.chess.definition.appearance import read_appearance
from variants.chess.definition.castling import read_ways
from variants.chess.definition.definition import (
    Definition,
    Letters,
    Movement,
    Region,
    Square,
    has_locusts,
)
from variants.chess.definition.game_rules import ALL, Rules
from variants.chess.definition.regions import mirrored, parse_region
from variants.chess.family.exposed import read_position
from variants.chess.notation.castling_text import castling_texts, ends
from variants.chess.notation.text import board_of, format_text

MAX_FILES = MAX_RANKS = 16
#: Kinds of pieces with those that promotion makes; a code has six bits.
MAX_KINDS = 60
#: Letters of a start position: a board of 16 x 16 with full hands.
_MAX_START = 2000
#: What the choice of a move that captures on its way has room for.
MAX_LOCUST_PROMOTIONS = 13
#: Files of a board that is two boards.
TWO_BOARDS = 16
#: Rules that two boards do not go with.
_ONE_BOARD = frozenset({
    "piece_drops", "seirawan_gating", "walling_rule", "blast_on_capture", "flip_enclosed_pieces",
    "petrify_on_capture_types", "extinction_pseudo_royal", "flying_general", "bikjang_rule",
    "cambodian_moves", "sittuyin_promotion", "opposite_castling", "diagonal_lines", "checking",
    "makpong_rule", "check_counting", "flag_region",
})  # fmt: skip
_PAWN = "fmWfceF"
#: Whose Betza notation a definition may have.
DIALECTS = ("xboard", "fairy-stockfish")
#: Keys that are no rules, in the order of the documentation.
KEYS = (
    "title", "about", "group", "aliases", "files", "ranks", "start", "pieces", "betza", "royal",
    "pawn", "soldier", "cannons", "castling", "values", "board", "river", "piece_set", "signs",
    "names", "sides", "net",
)  # fmt: skip
#: Keys of the table ``rules`` of earlier versions, with their names today.
_RENAMED = {
    "claim_moves": "n_move_rule", "draw_moves": "n_move_limit", "claim_repetition": "n_fold_rule",
    "draw_repetition": "n_fold_limit", "lone_minors": "lone_minors",
}  # fmt: skip


class _Draft:
    """What is known of a game while its rules are read."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        _refuse_old_keys(reader)
        reader.known |= {*KEYS, *(field.name for field in dataclasses.fields(Rules))}
        reader.finish()  # a misspelt key comes before faults that follow from it
        self.files = reader.number("files", 1, MAX_FILES, 8)
        self.ranks = reader.number("ranks", 1, MAX_RANKS, 8)
        #: Whether K and Q have eight directions, as in XBoard, or are WF and RB.
        self.of_eight = reader.choice("betza", DIALECTS) != DIALECTS[1]
        self.betza: dict[str, str] = {}
        self.pieces: dict[str, Movement] = {}
        table: dict[str, Any] = reader.get("pieces", dict)
        for letter, text in table.items():
            self._add(f"pieces.{letter}", letter, text)
        self.royal = self._named("royal", "K")
        self.pawn: str = reader.get("pawn", str, "P")
        if re.fullmatch("[A-Z]", self.pawn) and self.pawn not in self.pieces:
            if (
                "pawn" in reader.table
                or self.pawn.lower() in str(reader.table.get("start", "")).lower()
            ):
                self._add("pawn", self.pawn, _PAWN)
        if self.pawn not in self.pieces:
            self.pawn = self._named("pawn", "")
        self.soldier = self._named("soldier", "")
        self.cannons = reader.letters("cannons", "".join(self.pieces), "")
        self.start: str = reader.text("start", _MAX_START)
        self.board = self._board()

    def _add(self, key: str, letter: str, text: object) -> None:
        if not re.fullmatch(r"\+?[A-Z]", letter):
            raise self.reader.fail(key, "a piece is one letter A-Z, or + and that of another piece")
        if not isinstance(text, str):
            raise self.reader.fail(key, "must be a text")
        try:
            self.pieces[letter] = betza.parse(text, of_eight=self.of_eight)
        except ValueError as error:
            raise self.reader.fail(key, str(error)) from None
        self.betza[letter] = text

    def _board(self) -> dict[Square, str]:
        """Return the signs on the squares of the start position."""
        if not self.start.split():
            raise self.reader.fail("start", "is empty")
        rows = self.start.split()[0].split("[")[0]
        try:
            return board_of(rows, self.files, self.ranks, "".join(self.pieces).replace("+", ""))
        except ValueError as error:
            raise self.reader.fail("start", str(error)) from None

    def _named(self, key: str, default: str) -> str:
        """Return a piece's letter; "" if the table does not name one and the default is none."""
        letter: str = self.reader.get(key, str, default)
        if letter in self.pieces or letter in ("", "-"):
            return letter.strip("-")
        if key in self.reader.table:
            raise self.reader.fail(key, f"'{letter[:20]}' is not one of the pieces")
        return ""

    # ---- values

    def pair(self, key: str, value: object) -> tuple[str, str | None]:
        """Return White's and Black's text of a value; None for Black's if it mirrors White's."""
        if isinstance(value, str):
            return value, None
        if isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value):
            return value[0], value[1]
        raise self.reader.fail(key, "must be a text, or a list of White's and Black's")

    def region(self, key: str, value: object) -> tuple[Region, Region]:
        white, black = self.pair(key, value)
        try:
            first = parse_region(white, self.files, self.ranks)
            if black is None:
                return first, mirrored(first, self.ranks)
            return first, parse_region(black, self.files, self.ranks)
        except ValueError as error:
            raise self.reader.fail(key, str(error)) from None

    def letters(self, key: str, text: str) -> Letters:
        wanted = text.replace(" ", "").upper()
        if wanted == "-":
            return frozenset()
        if wanted == ALL:  # of the extinction rule: all pieces together
            return frozenset(ALL if key == "extinction_piece_types" else self.pieces)
        for letter in wanted:
            if letter not in self.pieces:
                known = "".join(self.pieces)
                raise self.reader.fail(key, f"'{letter}' is not one of the pieces {known}")
        return frozenset(wanted)

    def sets(self, key: str, value: object) -> tuple[Letters, Letters]:
        white, black = self.pair(key, value)
        first = self.letters(key, white)
        return first, first if black is None else self.letters(key, black)

    def flags(self, key: str, value: object) -> tuple[bool, bool]:
        if isinstance(value, bool):
            return value, value
        if isinstance(value, list) and len(value) == 2 and all(isinstance(v, bool) for v in value):
            return value[0], value[1]
        raise self.reader.fail(key, "must be true or false, or a list of two")

    def rights(self, key: str, value: object) -> str:
        if not isinstance(value, str) or value.strip("KQkq-"):
            raise self.reader.fail(key, "must be rights to castle, as KQkq")
        return value

    def by_piece(self, key: str, read: Callable[[str, object], Any]) -> dict[str, Any]:
        """Return a value that is a table by piece letter; ``read`` reads each entry."""
        found = {}
        for letter, value in self.reader.get(key, dict).items():
            if letter not in self.pieces:
                raise self.reader.fail(f"{key}.{letter}", "is not one of the pieces")
            found[letter] = read(f"{key}.{letter}", value)
        return found

    def limit(self, key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 255:
            raise self.reader.fail(key, "must be a whole number in 0..255")
        return value

    def piece(self, key: str, value: object) -> str:
        if not isinstance(value, str) or value not in self.pieces:
            raise self.reader.fail(key, "must be the letter of a piece")
        return value

    # ---- defaults

    def default(self, value: Any, kind: str) -> Any:
        """Return a rule's default: its names of sets and regions are replaced by these."""
        if kind == "set":
            text = value[0]
            if text == frozenset(ALL):
                return frozenset(self.pieces), frozenset(self.pieces)
            if text == frozenset("pawn"):
                pawns = frozenset(self.pawn)
                return pawns, pawns
        if kind == "region":
            named = {
                "last": frozenset((file, self.ranks - 1) for file in range(self.files)),
                ALL: parse_region("**", self.files, self.ranks),
                "": frozenset(),
            }
            if value[0] == "starts":
                return self._starts(str.upper), self._starts(str.lower)
            return named[value[0]], mirrored(named[value[0]], self.ranks)
        return value

    def _starts(self, of_side: Callable[[str], str]) -> Region:
        """Return where a side's pieces with initial moves begin, and its pawns."""
        initial = {p for p, moves in self.pieces.items() if any(m.initial for m in moves.moves)}
        signs = {of_side(letter) for letter in initial | {self.pawn}}
        return frozenset(at for at, sign in self.board.items() if sign in signs)


def _read_rules(draft: _Draft) -> Rules:
    """Return the rules; DefinitionError for the first fault."""
    reader = draft.reader
    readers: Mapping[str, Callable[[str, Any], Any]] = {
        "set": draft.sets,
        "region": draft.region,
        "flags": draft.flags,
    }
    values: dict[str, Any] = {}
    plain = Rules()
    for field in dataclasses.fields(Rules):
        key, kind = field.name, field.metadata["kind"]
        default = getattr(plain, key)
        if key not in reader.table:
            values[key] = draft.default(default, kind)
            continue
        value = reader.table[key]
        if kind in readers:
            values[key] = readers[kind](key, value)
        elif kind == "flag":
            values[key] = reader.flag(key, default)
        elif kind == "number":
            values[key] = reader.number(key, *field.metadata["limits"])
        elif kind == "rights":
            values[key] = "".join(right for right in "KQkq" if right in draft.rights(key, value))
        elif kind == "choice":
            values[key] = reader.choice(key, field.metadata["names"])
        else:
            read = {"limits": draft.limit, "pieces": draft.piece, "regions": draft.region}[kind]
            values[key] = draft.by_piece(key, read)
    for rule, limit in (("n_move_rule", "n_move_limit"), ("n_fold_rule", "n_fold_limit")):
        if 0 < values[limit] < values[rule]:
            raise reader.fail(limit, f"is less than {rule}, {values[rule]}")
    return Rules(**values)


def _refuse_old_keys(reader: Reader) -> None:
    """Refuse the keys of earlier versions by their new names."""
    squares, rules = reader.table.get("double_step"), reader.table.get("rules")
    if isinstance(squares, list):
        region = " ".join(map(str, squares))[:120] or "-"
        raise reader.fail("double_step", f'is now double_step_region = "{region}"')
    for key in rules if isinstance(rules, dict) else ():
        if key in _RENAMED:
            raise reader.fail(f"rules.{key}", f"is now {_RENAMED[key]} in the game's own table")


def _read_values(draft: _Draft) -> dict[str, int]:
    values: dict[str, int] = {}
    for letter, value in draft.reader.get("values", dict, {}).items():
        if letter not in draft.pieces or letter == draft.royal:
            raise draft.reader.fail(f"values.{letter}", "is not one of the pieces")
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 5000:
            raise draft.reader.fail(f"values.{letter}", "must be a whole number in 0..5000")
        values[letter] = value
    return values


def _refuse(draft: _Draft, game: Definition) -> None:
    """Raise DefinitionError for what the kernels have no place for."""
    reader, rules = draft.reader, game.rules
    if len(game.kinds()) > MAX_KINDS:
        raise reader.fail("pieces", f"more than {MAX_KINDS} kinds of piece with promoted ones")
    for sign in game.pieces:
        if sign[0] == "+" and rules.promoted_piece_type.get(sign[1:]) != sign:
            raise reader.fail(f"pieces.{sign}", f"needs promoted_piece_type.{sign[1:]} = '{sign}'")
        if sign[0] == "+" and (rules.drop_loop or rules.piece_demotion):
            raise reader.fail(f"pieces.{sign}", "needs a letter with drop_loop or piece_demotion")
    if rules.first_turn_moves and not game.has_long_turns():
        raise reader.fail("first_turn_moves", "needs moves_a_turn of 2 or more")
    if rules.alice_boards:
        _refuse_with_two_boards(reader, game)
    if rules.progressive and max(game.turn_moves()) > 1:
        raise reader.fail("progressive", "not together with moves_a_turn")
    if game.has_many_marks() and any(
        x for piece in game.pieces.values() for move in piece.moves for x, _ in move.passes
    ):
        reason = "more than two do not go with pieces that are taken en passant beside their files"
        raise reader.fail("progressive" if rules.progressive else "moves_a_turn", reason)
    if len(rules.promotion[0]) > 15 or len(rules.promotion[1]) > 15:
        raise reader.fail("promotion", "more than 15 pieces")
    if game.has_long_turns() and rules.perpetual_check_illegal:
        raise reader.fail("moves_a_turn", "not together with perpetual_check_illegal")
    if rules.walling_rule != "none" and rules.seirawan_gating:
        raise reader.fail("walling_rule", "not together with seirawan_gating, see LIMITS.md")
    stays = any(
        move.legs and (0, 0) in ends(move, (0, 0), game.files)
        for piece in game.pieces.values()
        for move in piece.moves
    )
    if stays and (any(rules.passing) or rules.walling_rule != "none"):
        raise reader.fail("pieces", "moves that come back do not go with passing or walls")
    if has_locusts(game):
        if rules.walling_rule != "none" or rules.seirawan_gating:
            raise reader.fail("pieces", "captures on the way do not go with walls or gates")
        if max(map(len, rules.promotion)) > MAX_LOCUST_PROMOTIONS:
            raise reader.fail("promotion", "too many pieces where pieces capture on the way")


def _refuse_with_two_boards(reader: Reader, game: Definition) -> None:
    """Refuse what the kernels do not play on two boards."""
    if game.files != TWO_BOARDS:
        raise reader.fail("alice_boards", f"needs files = {TWO_BOARDS}, eight of each board")
    if any(game.rules.en_passant_region):
        raise reader.fail("alice_boards", 'needs en_passant_region = "-"')
    if any(move.legs for piece in game.pieces.values() for move in piece.moves):
        raise reader.fail("alice_boards", "not together with moves of several legs")
    for key in game.unusual_rules():
        if key in _ONE_BOARD:
            raise reader.fail("alice_boards", f"not together with {key}")


def _first_turn(start: str, moves: int) -> str:
    """Return a start position in which the first turn has so many moves, if that is not 0."""
    words = start.split()
    if moves and len(words) > 1:
        words[1] = words[1][:1] + str(moves)
    return " ".join(words)


def read_game(reader: Reader) -> Definition:
    """Return the definition in a table; DefinitionError for the first fault."""
    draft = _Draft(reader)
    rules = _read_rules(draft)
    game = Definition(
        name=reader.name,
        title=reader.get("title", str, reader.name),
        aliases=reader.aliases(),
        files=draft.files,
        ranks=draft.ranks,
        start=_first_turn(draft.start, rules.first_turn_moves),
        pieces=draft.pieces,
        betza=draft.betza,
        royal=draft.royal,
        pawn=draft.pawn,
        soldier=draft.soldier,
        cannons=frozenset(draft.cannons),
        ways=read_ways(reader, draft.files, draft.ranks, draft.board, draft.pieces, draft.royal),
        rules=rules,
        values=_read_values(draft),
        net=reader.get("net", str, ""),
        appearance=read_appearance(reader, "".join(draft.pieces).replace("+", "")),
    )
    _refuse(draft, game)
    try:
        texts = castling_texts(game, draft.board)
    except ValueError as error:
        raise reader.fail("castling", str(error)) from None
    begins = {at for way in game.ways for at in (way.king_from, way.rook_from)}
    board = draft.board
    game = dataclasses.replace(
        game,
        castling_texts=texts,
        castlers={at: board[at].strip("~").upper() for at in begins if at in board},
        idle_rights=_idle_rights(draft, game),
    )
    try:
        return dataclasses.replace(game, start=format_text(game, read_position(game, game.start)))
    except ValueError as error:
        raise reader.fail("start", str(error)) from None


def _idle_rights(draft: _Draft, game: Definition) -> str:
    """Return the castling rights in a start position's text for which there is no way to castle."""
    field = "".join(draft.start.split()[2:3])
    there = {w.right for w in game.ways if {w.king_from, w.rook_from} <= draft.board.keys()}
    return "".join(right for right in "KQkq" if right in field and right not in there)
