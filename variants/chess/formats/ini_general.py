"""Any game of the family as a section of ``variants.ini``, where the format can say it.

What is written is read back: a game is refused that would become another one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError
from ryugi_engine.games.notation import file_name
from variants.chess.definition import betza
from variants.chess.definition.definition import Definition, Movement
from variants.chess.definition.game_rules import ALL, Rules
from variants.chess.definition.placed_moves import ON_LINES
from variants.chess.definition.regions import region_text
from variants.chess.formats.ini_keys import (
    CUSTOM,
    NOT_THEIRS,
    OF_CLAIMS,
    ONE_FOR_BOTH,
    PIECES,
    camel_case,
)
from variants.chess.formats.ini_reading import read_sections, reader_of
from variants.chess.formats.ini_writing import castling_keys
from variants.chess.formats.toml import read_game

#: Names that mean more than moves, and what tells a definition's piece of that kind.
_SPECIAL = {"pawn": "pawn", "soldier": "soldier", "janggiCannon": "cannons"}
#: Rules that can name one piece there.
_OF_ONE = ("must_drop_type", "drop_no_doubled")
_CASTLING = re.compile("[a-z]*O[0-9]+")
_SIDES = ("White", "Black")


def write(game: Definition) -> str:
    """Return a game's section; UserError names what the format has no words for."""
    unsaid = [key for key in NOT_THEIRS if getattr(game.rules, key) != getattr(Rules(), key)]
    if unsaid:
        raise _refused(game, ", ".join(unsaid))
    if any(game.rules.diagonal_lines) and game.betza.get(game.royal) in ON_LINES:
        raise _refused(game, "diagonal_lines")  # its custom kings know none
    names = dict(_names(game))
    values = {"maxFile": file_name(game.files - 1), "maxRank": f"{game.ranks}"}
    values |= dict(_pieces(game, names))
    values["startFen"] = game.start
    gaps: list[str] = []
    ways = {right: [w for w in game.ways if w.right == right] for right in "KQ"}
    given = {right: some for right, some in ways.items() if some}
    if given:
        values |= castling_keys(given, game.castlers, gaps)
        kings = {game.castlers.get(way.king_from, game.royal) for way in game.ways}
        rooks = {game.castlers.get(way.rook_from, "R") for way in game.ways}
        values["castlingRookPieces"] = "".join(sorted(rooks)).lower()
        if kings != {game.royal}:
            values["castlingKingPiece"] = "".join(sorted(kings)).lower()
    if gaps:
        raise _refused(game, f"castling: {gaps[0]}")
    rules = [*_rules(game, names)]
    _compare(game, _read(game, values | {key: text for _rule, key, text in rules}))
    # of the rules those are kept that a section without any does not have
    start = {"startFen": f"{game.start.split('[')[0].split()[0]} w - - 0 1"}  # for any rules
    usual, wanted = _facts(_read(game, values | start)), _facts(game)
    values |= {
        key: text for rule, key, text in rules if rule not in usual or usual[rule] != wanted[rule]
    }
    _compare(game, _read(game, values))
    comments = [f"# {game.title}", *(f"# Not said here: {gap}." for gap in _claims(game))]
    lines = [*comments, f"[{game.name}]", *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def _refused(game: Definition, what: str) -> UserError:
    return UserError(f"{game.name}: Fairy-Stockfish's variants.ini cannot say this game: {what}")


def _claims(game: Definition) -> Iterator[str]:
    """Yield which draws come without a claim, which the format cannot say."""
    rules = game.rules
    if rules.n_move_limit not in (0, rules.n_move_rule):
        yield f"after {rules.n_move_limit} moves the draw needs no claim"
    if rules.n_fold_limit not in (0, rules.n_fold_rule):
        yield f"the same position {rules.n_fold_limit} times is a draw without a claim"


# ---- pieces --------------------------------------------------------------------------------------


def _names(game: Definition) -> Iterator[tuple[str, str]]:
    """Yield a piece's letter, and its name in the format."""
    named = {name: betza.parse(text, of_eight=False) for name, text in PIECES.items()}
    taken: set[str] = set()
    custom = iter(CUSTOM)
    for letter, movement in game.pieces.items():
        if letter == game.royal:
            yield letter, "king"
            continue
        moves = frozenset(movement.moves)
        fits = (
            name
            for name, usual in named.items()
            if name != "king" and name not in taken and frozenset(usual.moves) == moves
            and (name not in _SPECIAL or letter in getattr(game, _SPECIAL[name]))
        )  # fmt: skip
        name = next(fits, "") or next(custom, "")
        special = {"pawn": game.pawn, "soldier": game.soldier}
        if not name or any(letter == which and name != kind for kind, which in special.items()):
            raise _refused(game, f"pieces.{letter}")
        if letter in game.cannons and name != "janggiCannon":
            raise _refused(game, "cannons")
        taken.add(name)
        yield letter, name


def _pieces(game: Definition, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for letter, name in names.items():
        text = _CASTLING.sub("", game.betza[letter])
        plain = name != "king" and name not in CUSTOM
        moves = frozenset(game.pieces[letter].moves)
        if not plain and not _is_theirs(text, moves):
            raise _refused(game, f"pieces.{letter}: {text}")
        usual = plain or (name == "king" and moves == frozenset(betza.parse("WF").moves))
        yield name, letter.lower() if usual else f"{letter.lower()}:{text}"
    if not game.royal:
        yield "king", "-"
    if not game.pawn:
        yield "pawn", "-"


def _is_theirs(text: str, moves: frozenset[Any]) -> bool:
    """Return whether moves in Betza notation mean the same to Fairy-Stockfish."""
    try:
        theirs: Movement = betza.parse(text, of_eight=False)
    except ValueError:
        return False
    unknown = any(move.legs or move.wraps or move.tame or move.late or move.jump for move in moves)
    return frozenset(theirs.moves) == moves and not unknown


# ---- rules ---------------------------------------------------------------------------------------


def _rules(game: Definition, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield every rule, with its key and its value in the format."""
    for field in dataclasses.fields(Rules):
        key, kind = field.name, field.metadata["kind"]
        value, name = getattr(game.rules, key), camel_case(field.name)
        if key in NOT_THEIRS or key in OF_CLAIMS:
            continue
        if key == "castling_rook_pieces" and not game.rules.castling_dropped_piece:
            continue  # they follow from the ways to castle
        if kind in ("set", "region", "flags"):
            texts = [_text(game, one) for one in value]
            if kind == "set" and set(value) == {frozenset(game.pieces)}:
                if getattr(Rules(), key)[0] == frozenset(ALL):
                    texts = [ALL, ALL]
            elif key in _OF_ONE and len(texts[0]) > 1:
                raise _refused(game, key)
            if key in ONE_FOR_BOTH:
                if texts[0] != texts[1]:
                    raise _refused(game, key)
                yield key, name, texts[0]
            elif texts[0] == texts[1] and kind != "region":
                yield key, name, texts[0]
            else:
                for side, one in zip(_SIDES, texts, strict=True):
                    yield key, f"{name}{side}", one
        elif kind == "regions":
            for letter, both in value.items():
                piece = names[letter][0].upper() + names[letter][1:]
                for side, region in zip(_SIDES, both, strict=True):
                    yield key, f"mobilityRegion{side}{piece}", _text(game, region)
        elif kind in ("pieces", "limits"):
            pairs = (f"{one.lower()}:{f'{other}'.lower()}" for one, other in value.items())
            if text := " ".join(pairs):
                yield key, name, text
        else:
            yield key, name, _text(game, value) if isinstance(value, bool) else f"{value}" or "-"


def _text(game: Definition, value: Any) -> str:
    """Return a flag, a set of pieces or a region as the format has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value and isinstance(next(iter(value)), tuple):
        text = region_text(value, game.files, game.ranks)
        # Fairy-Stockfish reads no ** as all squares
        return text if text != "**" else " ".join(f"*{rank + 1}" for rank in range(game.ranks))
    return "*" if "*" in value else "".join(p for p in game.pieces if p in value).lower() or "-"


# ---- reading back --------------------------------------------------------------------------------


def _read(game: Definition, values: Mapping[str, str]) -> Definition | None:
    """Return the game of a section; None if that has a fault."""
    text = "\n".join([f"[{game.name}]", *(f"{key} = {value}" for key, value in values.items())])
    sections, faults, _remarks = read_sections(text, "", lambda name: None)
    if faults:
        return None
    try:
        return read_game(reader_of(sections[game.name]))
    except DefinitionError:
        return None


def _facts(game: Definition | None) -> dict[str, Any]:
    """Return what makes a game, by key; nothing for one that could not be read."""
    if game is None:
        return {}
    facts = {field.name: getattr(game.rules, field.name) for field in dataclasses.fields(Rules)}
    for key in OF_CLAIMS:
        del facts[key]
    if not game.rules.castling_dropped_piece:
        del facts["castling_rook_pieces"]
    if not any(game.shogi_pawns()):
        del facts["shogi_pawn_drop_mate_illegal"]
    pieces = {f"pieces.{p}": frozenset(moves.moves) for p, moves in game.pieces.items()}
    kinds = {"royal": game.royal, "pawn": game.pawn, "soldier": game.soldier}
    size = {"files": game.files, "ranks": game.ranks, "start": game.start}
    return {**facts, **pieces, **kinds, **size, "castling": frozenset(game.ways)}


def _compare(game: Definition, other: Definition | None) -> None:
    """Raise UserError for the first key in which a game that was read back differs."""
    if other is None:
        raise _refused(game, "its pieces or its start position")
    mine, theirs = _facts(game), _facts(other)
    for key, value in mine.items():
        if theirs.get(key, value) != value:
            raise _refused(game, key)
