"""The inputs of nets for games of this family, and the rules that a net belongs to."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from ryugi_engine.games.notation import square_name
from ryugi_engine.nnue.inputs import Counter, Inputs
from variants.chess.definition.definition import Definition, Region, Way
from variants.chess.definition.game_rules import Rules
from variants.chess.definition.regions import mirrored
from variants.chess.family.exposed import read_position
from variants.chess.general.memory import layout as L
from variants.chess.notation.text import PositionData, has_hands

#: Pieces of a kind in hand that are told apart, at most.
_MOST_HELD = 8


class Seen(NamedTuple):
    """A net's inputs, and where kernels find them."""

    inputs: Inputs
    #: White's and Black's cell of each counter, as numbers of the kernels' cells.
    places: tuple[tuple[int, int], ...]


def _kinds_held(game: Definition, start: PositionData) -> dict[str, int]:
    """Return the pieces that may be in hand, and how many of them a net tells apart."""
    if not has_hands(game):
        return {}
    kinds = {kind.sign: kind for kind in game.kinds()}
    total: Bag[str] = Bag()
    for letter, count in start.hands.items():
        total[letter.upper()] += count
    if game.rules.captures_to_hand:
        for sign in start.board.values():
            if sign != "*":
                total[kinds[sign.upper()].held_as.upper()] += 1
        for kind in kinds.values():
            total[kind.held_as.upper()] += 0
    del total[""]
    if not start.hands.get(game.royal):  # it is not captured
        del total[game.royal]
    return {
        letter: max(1, min(total[letter], _MOST_HELD)) for letter in game.pieces if letter in total
    }


def seen_of(game: Definition) -> Seen:
    """Return the inputs of a game's nets: only those that the game has."""
    rules, start = game.rules, read_position(game, game.start)
    signs = [kind.sign for kind in game.kinds()]
    counters, places = [], []
    for letter, high in _kinds_held(game, start).items():
        code = signs.index(letter) + 1
        counters.append(Counter(f"{letter} in hand", high))
        places.append((L.SQUARES + code, L.SQUARES + L.BLACK + code))

    def add(name: str, high: int, place: int) -> None:
        counters.append(Counter(name, high))
        places.append((place, place + 1))

    if rules.check_counting:
        add("checks left", max(*start.checks, 1), L.CHECKS_LEFT)
    if game.ways:
        add("castling rights", 2, L.RIGHTS)
    if game.has_long_turns():
        most = _MOST_HELD if rules.progressive else max(game.turn_moves())
        add("moves left", most, L.MOVES_LEFT)
    if rules.gating or rules.seirawan_gating:
        add("gates", min(game.files, _MOST_HELD), L.GATES)
    if not _colors_are_alike(game, start):
        add("White", 1, L.COLOR)
    inputs = Inputs(
        game.files,
        game.ranks,
        tuple(signs),
        tuple(counters),
        walls=rules.walling_rule != "none" or rules.makes_stones(),
        unmoved=rules.gating or rules.seirawan_gating,
        king=_king_of(game, start),
        reverses=not _go_the_same_way(game),
    )
    return Seen(inputs, tuple(places))


def _king_of(game: Definition, start: PositionData) -> int:
    """Return the code of the royal piece; 0 if there is none, or a side may have several."""
    royal = game.royal
    signs = [kind.sign for kind in game.kinds()]
    number: Bag[str] = Bag(sign for sign in start.board.values() if sign.upper() == royal)
    number.update({letter: n for letter, n in start.hands.items() if letter.upper() == royal})
    becomes = {*frozenset().union(*game.rules.promotion), *game.rules.promoted_piece_type.values()}
    if not royal or max(number.values(), default=0) > 1 or royal in becomes:
        return 0
    return signs.index(royal) + 1


def _go_the_same_way(game: Definition) -> bool:
    """Return whether both sides have the same goal, at one end of the board."""
    white, black = game.rules.flag_region
    return white == black != mirrored(white, game.ranks)


def _colors_are_alike(game: Definition, start: PositionData) -> bool:
    """Return whether Black has what White has: the rules and the start, ranks reversed."""
    white, black = (
        {(at[0], at[1]): sign.upper() for at, sign in start.board.items() if sign.isupper() == own}
        for own in (True, False)
    )
    alike = [Bag(white.values()) == Bag(black.values())]
    promotes = any(game.rules.promotion_pawn_types) or game.rules.promoted_piece_type
    for field in fields(Rules):
        value = getattr(game.rules, field.name)
        if field.name == "promotion_region" and not promotes:
            continue
        if field.metadata.get("kind") == "region":
            alike.append(value[1] in (mirrored(value[0], game.ranks), value[0]))
        elif field.metadata.get("kind") in ("set", "flags"):
            alike.append(value[0] == value[1])
    return all(alike) and len(set(game.turn_moves())) == 1


#: Rules about the course of a game, of which no single position and no net knows.
_OF_GAMES = frozenset({"counting_rule", "chasing_rule", "move_repetition_illegal"})


def rules_of(game: Definition) -> dict[str, str]:
    """Return the rules that a net belongs to, as texts by name, without default rules."""
    usual = Rules()
    texts = {f"piece {letter}": betza for letter, betza in game.betza.items()}
    texts |= {"royal piece": game.royal, "cannons": _text(game, game.cannons)}
    texts["castling"] = ", ".join(sorted(_text(game, way) for way in game.ways))
    for field in fields(Rules):
        value = getattr(game.rules, field.name)
        if value != getattr(usual, field.name) and field.name not in _OF_GAMES:
            texts[field.name] = _text(game, value)
    return {name: text for name, text in texts.items() if text}


def _text(game: Definition, value: Any) -> str:
    """Return a rule's value as a text, "" if it says nothing."""
    if isinstance(value, frozenset):
        if value in (frozenset(game.pieces), frozenset(game.on_board())):
            return ""
        if any(isinstance(member, tuple) for member in value):
            return _region_text(game, value)
        return "".join(sorted(map(str, value)))
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_text(game, value[key]) or 'all'}" for key in sorted(value))
    if isinstance(value, tuple) and (not value or type(value[0]) is not int):
        texts = [_text(game, part) for part in value]
        return " ".join(texts) if isinstance(value, Way) else " / ".join(texts).strip(" /")
    return square_name(value) if isinstance(value, tuple) else str(value)


def _region_text(game: Definition, region: Region) -> str:
    """Return a set of squares, whole runs of a rank as ``a1-h1``."""
    runs = []
    for rank in range(game.ranks):
        files = sorted(file for file, other in region if other == rank)
        while files:
            count = sum(file == files[0] + number for number, file in enumerate(files))
            first, last = square_name((files[0], rank)), square_name((files[count - 1], rank))
            runs.append(first if count == 1 else f"{first}-{last}")
            files = files[count:]
    return " ".join(runs)


def is_symmetric(game: Definition) -> bool:
    """Return whether mirroring a position left to right keeps its value, castling aside."""
    last = game.files - 1

    def symmetric(value: Any) -> bool:
        if isinstance(value, Mapping):
            return all(map(symmetric, value.values()))
        if isinstance(value, tuple):
            return all(map(symmetric, value))
        if isinstance(value, frozenset) and value and isinstance(next(iter(value)), tuple):
            return frozenset((last - file, rank) for file, rank in value) == value
        return True

    if not all(symmetric(getattr(game.rules, field.name)) for field in fields(Rules)):
        return False
    for piece in game.pieces.values():
        moves = set(piece.moves)
        if {move.scaled(-1, 1) for move in moves} != moves:
            return False
    return True


def is_decided_by_material(game: Definition) -> bool:
    """Return whether a large lead in material usually decides a game."""
    rules = game.rules
    goals = (
        rules.extinction_value == "win",
        rules.stalemate_value != "draw" and rules.must_capture,
        rules.checkmate_value != "loss",
        any(rules.flag_region),
        rules.connect_n > 0,
        rules.connect_nxn > 0,
        rules.collinear_n > 0,
        any(rules.connect_region1),
    )
    return bool(game.royal or rules.extinction_value != "none") and not any(goals)
