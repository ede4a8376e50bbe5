"""What a game's kinds of piece and its squares are like, as numbers that a hypernetwork reads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.training import Training
from variants.chess.definition.definition import Definition, Move, Square
from variants.chess.definition.likeness import aims_of, class_of, kings
from variants.chess.definition.values import mean_targets, piece_values
from variants.chess.family.exposed import read_position

Floats = NDArray[np.float32]

#: Kinds of movement, and directions from White's side; quiet moves and captures are counted apart.
_MOVEMENTS = (
    "step", "diagonal step", "knight's leap", "leap", "rook", "bishop", "rider", "hopper", "legs",
)  # fmt: skip
_DIRECTIONS = ("forward", "sideways", "back")
_MOBILITIES = 2 * len(_DIRECTIONS) * len(_MOVEMENTS)
#: Facts of a kind besides its mobility.
_FACTS = 12
KIND_FEATURES = _FACTS + _MOBILITIES
#: Points of a side of the board between which weights are interpolated, on any board.
GRID = 8
#: Distances to the edges that are told apart: to the last ranks, the first ones, the nearest file.
_EDGES = (4, 3, 3)
SQUARE_FEATURES = 1 + 2 * GRID + sum(_EDGES) + 1
#: Those of a class: each point of the grid, and the edges.
CLASS_SQUARES = GRID * GRID + sum(_EDGES) + 1
#: Distances to promotion, and to squares that win, that are told apart.
_TO_PROMOTE, _TO_GOAL = 6, 4
#: Features of a kind on a square: its mobility there, and these distances.
PLACE_FEATURES = _MOBILITIES + _TO_PROMOTE + _TO_GOAL
#: Pieces, squares and material, as logarithms; the colour-blind aims of the game.
_AIMS = (
    "to take all pieces", "to take all of a kind", "to give checks", "to reach squares",
    "to stalemate", "captures explode", "captured pieces are dropped", "no check is given",
    "several moves make a turn", "the armies differ",
)  # fmt: skip
GAME_FEATURES = 3 + len(_AIMS)
#: Counters besides hands, and so many levels of each.
COUNTERS, LEVELS = ("castling rights", "checks left", "moves left", "gates", "White"), 8
#: Features of the nth piece of a kind in hand: it, and its number.
HAND_FEATURES = 2


def _movement(move: Move) -> int:
    """Return the number of a move's kind of movement."""
    if move.legs:
        return _MOVEMENTS.index("legs")
    if move.hop:
        return _MOVEMENTS.index("hopper")
    small, large = sorted((abs(move.dx), abs(move.dy)))
    if move.steps > 1:
        return 4 + (0 if small == 0 else 1 if small == large else 2)
    steps = {(0, 1): 0, (1, 1): 1, (1, 2): 2}
    return steps.get((small, large), 3)


def _mobility(game: Definition, letter: str) -> Floats:
    """Return the mean moves of White's piece, shape (squares, mobilities)."""
    found = np.zeros((game.ranks, game.files, _MOBILITIES), np.float32)
    for move in game.pieces[letter].moves:
        direction = 0 if move.dy > 0 else 1 if move.dy == 0 else 2
        first = 2 * (len(_DIRECTIONS) * _movement(move) + direction)
        ways = (move.quiet or bool(move.legs), move.capture or bool(move.legs))
        for file, rank in game.on_board():
            reached = mean_targets(game, move, file, rank)
            for capture in np.flatnonzero(ways):
                found[rank, file, first + capture] += reached
    return found.reshape(-1, _MOBILITIES)


def _hats(places: NDArray[np.float64]) -> Floats:
    """Return weights of the grid's points for places from 0 to 1: linear interpolation."""
    at = np.clip(places, 0, 1) * (GRID - 1)
    return np.maximum(0, 1 - np.abs(at[:, None] - np.arange(GRID))).astype(np.float32)


def _hull(game: Definition, walls: set[Square]) -> tuple[int, int, int, int]:
    """Return the first and last file, the first and last rank on which pieces can stand."""
    files, ranks = zip(*(at for at in game.on_board() if at not in walls), strict=True)
    return min(files), max(files), min(ranks), max(ranks)


class _Squares(NamedTuple):
    """Features of squares, of shape (squares, features): for all kinds, and for classes."""

    common: Floats
    of_class: Floats


def _squares(game: Definition, walls: set[Square]) -> _Squares:
    first_file, last_file, first_rank, last_rank = _hull(game, walls)
    ranks, files = (
        _hats((np.arange(count) - first) / max(1, last - first))
        for count, first, last in (
            (game.ranks, first_rank, last_rank),
            (game.files, first_file, last_file),
        )
    )
    common, of_class = [], []
    for rank in range(game.ranks):
        for file in range(game.files):
            edges = [
                *(last_rank - rank == n for n in range(_EDGES[0])),
                *(rank - first_rank == n for n in range(_EDGES[1])),
                *(min(file - first_file, last_file - file) == n for n in range(_EDGES[2])),
            ]
            off = 2 * rank - first_rank - last_rank, 2 * file - first_file - last_file
            further = [*map(float, edges), float(np.hypot(*off)) / 8]
            common.append([1.0, *ranks[rank], *files[file], *further])
            of_class.append([*np.outer(ranks[rank], files[file]).reshape(-1), *further])
    return _Squares(np.array(common, np.float32), np.array(of_class, np.float32))


class Features(NamedTuple):
    """A game as the hypernetwork sees it; all arrays are of float32."""

    #: Keys of the kinds' classes, in the order of the net's inputs.
    classes: tuple[str, ...]
    kinds: Floats  # (kinds, KIND_FEATURES)
    places: Floats  # (kinds, squares, PLACE_FEATURES)
    squares: Floats  # (squares, SQUARE_FEATURES)
    class_squares: Floats  # (squares, CLASS_SQUARES)
    game: Floats  # (GAME_FEATURES,)
    #: Pieces at the start, on the board and in hand.
    pieces: int


def features_of(game: Definition, training: Training) -> Features:
    """Return the features of a game."""
    inputs, values = training.inputs, piece_values(game)
    kinds = {kind.sign: kind for kind in game.kinds()}
    pawns = game.rules.promotion_pawn_types[0] | game.rules.promotion_pawn_types[1]
    start = read_position(game, game.start)
    walls = {at for at, sign in start.board.items() if sign == "*"}
    signs = [sign.upper() for sign in start.board.values() if sign != "*"]
    signs += [letter.upper() for letter, n in start.hands.items() for _ in range(n)]
    best = max((values[x] for side in game.rules.promotion for x in side if x in values), default=0)
    facts = np.zeros((len(inputs.kinds), KIND_FEATURES), np.float32)
    places = np.zeros((len(inputs.kinds), inputs.squares, PLACE_FEATURES), np.float32)
    for number, sign in enumerate(inputs.kinds):
        letter = kinds[sign].moves_as
        royal, pawn = letter in kings(game), sign in pawns
        mobility = _mobility(game, letter)
        mean = mobility.mean(axis=0)
        facts[number] = _facts(
            game, letter, values[letter] / 500, pawn,
            signs.count(sign) / max(1, len(signs)), (best - values[letter]) / 1000, mean,
        )  # fmt: skip
        places[number, :, :_MOBILITIES] = (mobility - mean) / 3 * (0.3 if royal else 1)
        distances = places[number, :, _MOBILITIES:]
        if pawn:
            _mark(distances[:, :_TO_PROMOTE], game, _ranks_to(game, game.rules.promotion_region[0]))
        goal = game.rules.flag_region[0]
        if goal and sign in game.rules.flag_piece[0]:
            _mark(distances[:, _TO_PROMOTE:], game, _steps_to(game, goal))
    material = sum(values[kinds[sign].moves_as] for sign in signs if sign in kinds)
    sizes = len(signs) / 32, (inputs.squares - len(walls)) / 64, max(material, 1) / 8000
    own = aims_of(game)
    aims = [float(aim in own) for aim in _AIMS]
    common, of_class = _squares(game, walls)
    return Features(
        tuple(class_of(game, kinds[sign]) for sign in inputs.kinds),
        facts,
        places,
        common,
        of_class,
        np.array([*np.log(sizes), *aims], np.float32),
        len(signs),
    )


def _facts(
    game: Definition, letter: str, value: float, pawn: bool, share: float, gain: float, mean: Floats
) -> Floats:
    """Return the features of a kind; ``value`` is in units of 500 centipawns."""
    royal = letter in kings(game)
    moves = game.pieces[letter].moves
    colors = {(move.dx + move.dy) % 2 for move in moves if not move.legs}
    plain = not royal and not pawn
    values = [0.0] * 3 if royal else [value, value * value / 2, max(value, 0.0) ** 0.5]
    facts = [
        1.0, float(royal), float(pawn), *values,
        gain if pawn else 0.0,
        float(mean.sum()) / 10 if royal else 0.0,
        float(not royal and colors == {0}),
        float(plain),
        share * 8 * plain,
        float(plain and value < 0.9),
    ]  # fmt: skip
    mobile: Any = np.zeros_like(mean) if royal else np.log1p(mean)
    return np.array([*facts, *mobile], np.float32)


def _ranks_to(game: Definition, zone: frozenset[Square]) -> dict[Square, int]:
    """Return how far each square is from one of a zone on its file, for White."""
    found = {}
    for file, rank in game.on_board():
        ahead = [y - rank for x, y in zone if x == file and y >= rank]
        if ahead:
            found[file, rank] = min(ahead)
    return found


def _steps_to(game: Definition, zone: frozenset[Square]) -> dict[Square, int]:
    """Return how many steps of a king each square is from a zone."""
    return {
        (file, rank): min(max(abs(x - file), abs(y - rank)) for x, y in zone)
        for file, rank in game.on_board()
    }


def _mark(into: Floats, game: Definition, distances: dict[Square, int]) -> None:
    """Write 1 at each square's distance, if it is one of those that are told apart."""
    for (file, rank), distance in distances.items():
        if distance < into.shape[1]:
            into[rank * game.files + file, distance] = 1.0
