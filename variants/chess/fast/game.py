"""Games as the fast kernels play them, and the choice of kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.notation import PositionError, square_name
from variants.chess.definition import betza
from variants.chess.definition.definition import Definition, Letters, Region, Way
from variants.chess.definition.regions import mirrored
from variants.chess.family.exposed import read_position
from variants.chess.fast.movement import Movement, simplified
from variants.chess.notation.text import PositionData, parse_text

#: The smallest and the largest board, (files, ranks).
SMALLEST, LARGEST = (3, 3), (10, 8)
#: Maximum number of different leaper movements, except the king's.
MAX_LEAPER_SETS = 5
MAX_PIECE_TYPES = 15
MAX_PROMOTIONS = 12
#: Rules that are looked at here, or that mean nothing without others.
_LOOKED_AT = {
    "promotion", "n_move_rule", "n_move_limit", "n_fold_rule", "n_fold_limit", "lone_minors",
    "castling_rook_pieces", "promotion_zone_pawn_drops", "first_rank_pawn_drops",
}  # fmt: skip
#: Moves and repetitions after which FIDE's Laws end a game, unless a definition says otherwise.
_N_MOVE_LIMIT, _N_FOLD_LIMIT = 75, 5


@dataclass(frozen=True)
class FastGame(Definition):
    """A definition that the fast kernels play, with all limits of draws and a net's name."""

    #: All pieces but the pawn.
    movements: Mapping[str, Movement] = field(default_factory=dict)
    #: The ways to castle by right, a letter of KQkq.
    castling: Mapping[str, tuple[Way, ...]] = field(default_factory=dict)

    @property
    def letters(self) -> str:
        """All piece letters: pawn, king, then the others in the order of the definition."""
        others = "".join(p for p in self.movements if p != self.royal)
        return self.pawn + self.royal + others

    @property
    def codes(self) -> dict[str, int]:
        """The kernels' code of every letter, upper case for White."""
        sides = ((self.letters, 1), (self.letters.lower(), 17))
        return {letter: code for row, first in sides for code, letter in enumerate(row, first)}

    def ordered(self, letters: Letters) -> str:
        """Return some pieces' letters in the order of the definition."""
        return "".join(p for p in self.movements if p in letters)

    @property
    def double_step(self) -> tuple[Region, Region]:
        """The squares of both sides from which there is room for a double step."""
        first, second = self.rules.double_step_region
        return (
            frozenset(at for at in first if at[1] + 2 < self.ranks),
            frozenset(at for at in second if at[1] >= 2),
        )


class KernelChoice(NamedTuple):
    """The kernels that play a game: fast ones, or tables with the reasons."""

    #: The game as the fast kernels play it; None where the general family does.
    fast: FastGame | None
    #: ``fast kernels``, or ``tables`` with all reasons.
    name: str


def kernels_of(game: Definition) -> KernelChoice:
    """Return the kernels that play a game."""
    reasons = [*dict.fromkeys(_obstacles(game))]
    if not reasons:
        fast = _fast_game(game)
        try:
            _refuse(fast, parse_text(game, game.start))
        except PositionError as error:
            reasons = [f"in its start {error}"]
        else:
            return KernelChoice(fast, "fast kernels")
    return KernelChoice(None, f"general kernels: {'; '.join(reasons)}")


def _obstacles(game: Definition) -> Iterator[str]:
    """Yield all reasons why the fast kernels cannot play a game, as clauses."""
    yield from _rule_obstacles(game)
    yield from _piece_obstacles(game)
    yield from _pawn_obstacles(game)
    yield from _castling_obstacles(game)


def _fast_game(game: Definition) -> FastGame:
    """Convert a game for the fast kernels, which can play it."""
    rules = replace(
        game.rules,
        n_move_limit=game.rules.n_move_limit or max(game.rules.n_move_rule, _N_MOVE_LIMIT),
        n_fold_limit=game.rules.n_fold_limit or max(game.rules.n_fold_rule, _N_FOLD_LIMIT),
    )
    own = {field.name: getattr(game, field.name) for field in fields(Definition)}
    own |= {
        "rules": rules,
        "values": {letter: value for letter, value in game.values.items() if value},
        "net": game.net or game.name,
    }
    movements = {p: simplified(m.moves) for p, m in game.pieces.items() if p != game.pawn}
    return FastGame(**own, movements=movements, castling=_castling(game))


def read_fast(game: FastGame, text: str) -> PositionData:
    """Parse a position for the fast kernels; PositionError names field and reason.

    They need a king of each side, no walls, and no pawns on the first and the last rank.
    """
    data = read_position(game, text)
    _refuse(game, data)
    return data


def _refuse(game: FastGame, data: PositionData) -> None:
    """Raise PositionError for a position that the fast kernels cannot play."""
    signs = set(data.board.values())
    for royal, owner in ((game.royal, "White"), (game.royal.lower(), "Black")):
        if royal not in signs:
            raise PositionError("board", f"{owner} has no king")
    if "*" in signs:
        raise PositionError("board", f"{game.name} has no walls")
    for at, sign in data.board.items():
        if sign.upper() == game.pawn and at[1] in (0, game.ranks - 1):
            raise PositionError("board", f"pawn on {square_name(at)}")
    most = 2 * game.rules.n_move_limit
    if data.clock > most:
        raise PositionError("halfmove clock", f"{data.clock} is more than {most}")


def _rule_obstacles(game: Definition) -> Iterator[str]:
    """Yield a board, and rules, that the fast kernels do not have."""
    rules = game.rules
    sizes = zip(SMALLEST, LARGEST, (game.files, game.ranks), strict=True)
    if any(not low <= size <= high for low, high, size in sizes):
        yield f"its board is {game.files}x{game.ranks}"
    for rule in game.unusual_rules():
        if rule not in _LOOKED_AT:
            yield f"it has {rule}"
    for what, there in (("soldier", game.soldier), ("cannons", game.cannons)):
        if there:
            yield f"it has {'a ' if what == 'soldier' else ''}{what}"
    if not rules.n_move_rule:
        yield "it has no n_move_rule"
    if rules.n_fold_rule < 2:
        yield "it has no n_fold_rule"


def _piece_obstacles(game: Definition) -> Iterator[str]:
    """Yield what is wrong with the pieces except the pawn."""
    if not game.royal:
        yield "it has no royal piece"
    if not game.pawn:
        yield "it has no pawn"
    pieces: dict[str, Movement] = {}
    for letter, movement in game.pieces.items():
        if letter != game.pawn:
            try:
                pieces[letter] = simplified(movement.moves)
            except ValueError as error:
                yield f"{letter} {error}"
    if game.royal in pieces and pieces[game.royal].steps():
        yield "its royal piece is a rider"
    if len(pieces) >= MAX_PIECE_TYPES:
        yield f"it has more than {MAX_PIECE_TYPES} kinds of piece"
    leaps = {m.leaps for letter, m in pieces.items() if m.leaps and letter != game.royal}
    if len(leaps) > MAX_LEAPER_SETS:
        yield f"it has more than {MAX_LEAPER_SETS} kinds of leaper"


def _pawn_obstacles(game: Definition) -> Iterator[str]:
    """Yield in what the pawn, or what it becomes, is not that of chess."""
    if not game.pawn:
        return
    rules, pawn = game.rules, frozenset(game.pawn)
    own, chess = set(game.pieces[game.pawn].moves), set(betza.parse("fmWfcF").moves)
    if own - set(betza.parse("ifmnD").moves) != chess:
        yield f"{game.pawn} is no pawn of chess"
    for key in ("promotion_pawn_types", "en_passant_types", "n_move_rule_types"):
        if getattr(rules, key) != (pawn, pawn):
            yield f"it has {key}"
    last = frozenset((file, game.ranks - 1) for file in range(game.files))
    if rules.promotion_region != (last, mirrored(last, game.ranks)):
        yield "it has promotion_region"
    if rules.promotion[0] != rules.promotion[1]:
        yield "its sides promote to different pieces"
    if not rules.promotion[0]:
        yield "its pawns promote to nothing"
    if {game.royal, game.pawn} & rules.promotion[0]:
        yield "its pawns become kings or pawns"
    if len(rules.promotion[0]) > MAX_PROMOTIONS:
        yield f"more than {MAX_PROMOTIONS} pieces to become"
    everywhere = frozenset(game.on_board())
    if rules.en_passant_region != (everywhere, everywhere):
        yield "it has en_passant_region"


def _castling_obstacles(game: Definition) -> Iterator[str]:
    """Yield what is unusual in the ways to castle."""
    by_right = {right: tuple(way for way in game.ways if way.right == right) for right in "KQkq"}
    for right in "KQ":
        own = by_right[right]
        if {way.mirrored(game.ranks) for way in own} != set(by_right[right.lower()]):
            yield "its sides castle in different ways"
        if len({way.rook_from for way in own}) > 1:
            yield f"its castling {right} has several rooks"
        if len({way.king_to for way in own}) != len(own):
            yield f"its castling {right} is ambiguous"
    for way in game.ways:
        king, rook = (game.castlers.get(at, "") for at in (way.king_from, way.rook_from))
        if king != (game.royal or king) or not rook:
            yield "a piece castles that is no king"
        across = (way.rook_from[0], game.ranks - 1 - way.rook_from[1])
        if game.castlers.get(across) != rook:
            yield "its sides castle with different pieces"


def _castling(game: Definition) -> Mapping[str, tuple[Way, ...]]:
    """Return the ways to castle by right; Black's are White's mirrored."""
    castling: dict[str, tuple[Way, ...]] = {}
    for right in "KQ":
        own = tuple(way for way in game.ways if way.right == right)
        if own:
            mirror = tuple(way.mirrored(game.ranks) for way in own)
            castling |= {right: own, right.lower(): mirror}
    return castling


def net_fault(game: Definition, fast: FastGame | None, path: Path) -> str:
    """Return why a file cannot be a game's net, as a clause; "" if it can."""
    from ryugi_engine.nnue.file_format import read_net
    from ryugi_engine.nnue.inputs import Inputs
    from ryugi_engine.nnue.net import rules_difference

    try:
        net = read_net(path)
    except UserError as error:
        return str(error)
    if fast is not None:
        own, rules = Inputs.of_letters(game.files, game.ranks, fast.letters), net.rules
    else:
        from variants.chess.general.encoding import net_inputs

        own, rules = net_inputs.seen_of(game).inputs, net_inputs.rules_of(game)
    difference = own.difference(net.inputs) or rules_difference(net.rules, rules)
    return f"the net of {net.game} does not fit: it has {difference}" if difference else ""
