"""Writing games as Interactive Diagrams: H. G. Muller's format, in which web pages show games.

A line is ``key=value``, or a piece: ``name:ID:moves:image:squares``. Source: the article
"Interactive diagrams" of the Chess Variant Pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Definition, Square
from variants.chess.definition.game_rules import NOWHERE
from variants.chess.fast.game import FastGame
from variants.chess.gui.descriptions import describe
from variants.chess.notation.text import board_of

#: Moves of pieces by their names, which a line may leave out.
MOVES: Mapping[str, str] = {
    "pawn": "fmWfceFifmnD", "knight": "N", "bishop": "B", "rook": "R", "queen": "RB",
    "king": "KisO2", "archbishop": "BN", "cardinal": "BN", "princess": "BN", "chancellor": "RN",
    "marshall": "RN", "empress": "RN", "amazon": "RBN", "ferz": "F", "wazir": "W",
    "commoner": "K", "man": "K", "centaur": "KN", "elephant": "FA", "alfil": "A",
    "dabbaba": "D", "camel": "C", "zebra": "Z", "nightrider": "NN", "grasshopper": "gQ",
    "cannon": "mRcpR", "gold": "WfF", "silver": "FfW", "lance": "fR", "unicorn": "BNN",
}  # fmt: skip
#: Rules that a diagram has in a form of its own, or that are not its matter.
_SAID = {
    "promotion", "promoted_piece_type", "mandatory_pawn_promotion", "piece_drops",
    "captures_to_hand", "castling_rook_pieces", "n_fold_rule", "n_move_rule", "n_move_limit",
    "n_fold_limit", "lone_minors",
}  # fmt: skip


def writer(game: Definition, fast: FastGame | None) -> Callable[[], str] | None:
    """Return the writer of a game's diagram; None if a diagram cannot express the rules."""
    rules = game.rules
    if game.chess960 or not _SAID.issuperset(game.unusual_rules()):
        return None
    region = rules.promotion_region[0]
    ranks = sorted({at[1] for at in region})
    promotes = any(rules.promotion) or rules.promoted_piece_type
    far = ranks == list(range(game.ranks))[-len(ranks) :] if ranks else not promotes
    both = rules.promotion[0] == rules.promotion[1]
    twice = any(rules.promotion) and rules.promoted_piece_type
    hands = rules.piece_drops == rules.captures_to_hand and "[" not in game.start.replace("[]", "")
    whole = len(region) == len(ranks) * game.files
    usual = rules.mandatory_pawn_promotion == (len(ranks) == 1) or not any(rules.promotion)
    if not (far and both and whole and usual and hands) or twice or game.soldier or game.cannons:
        return None
    if "*" in game.start or not _begins_where_it_steps(game):
        return None
    everywhere = frozenset(game.on_board())
    en_passant, drops = rules.en_passant_region, rules.drop_region
    if en_passant not in (NOWHERE, (everywhere, everywhere)):
        return None
    if rules.piece_drops and drops != (everywhere, everywhere):
        return None
    return lambda: _written(game, describe(game, fast), len(ranks) or 1)


def _board(game: Definition) -> Mapping[Square, str]:
    """Return what stands on the squares in the start position."""
    rows = game.start.split()[0].partition("[")[0]
    return board_of(rows, game.files, game.ranks, game.letters)


def _begins_where_it_steps(game: Definition) -> bool:
    """Return whether pieces have their initial moves just where they begin."""
    if not any(game.rules.double_step_region[0]):
        return True
    letters = {p for p, moves in game.pieces.items() if any(m.initial for m in moves.moves)}
    letters |= {game.pawn} if game.pawn else set()
    begins = {at for at, sign in _board(game).items() if sign in letters}
    return begins == game.rules.double_step_region[0]


def _written(game: Definition, pieces: Mapping[str, str], zone: int) -> str:
    """Return a game's diagram: pieces that promote first, then the others, then what they become.

    ``pieces`` are the moves in Betza notation, ``zone`` the ranks on which pieces promote.
    """
    rules, board = game.rules, _board(game)
    promoted = rules.promoted_piece_type
    pawns = [p for p in game.pieces if p in rules.promotion_pawn_types[0] and any(rules.promotion)]
    first = [*promoted] or pawns
    rest = [p for p in pieces if p not in first and p not in promoted.values()]
    order = first + rest
    lines = [f"files={game.files}", f"ranks={game.ranks}"]
    if first:
        lines += [f"promoZone={zone}", f"maxPromote={len(first)}"]
        choice = "".join(p for p in game.pieces if p in rules.promotion[0])
        lines.append(f"promoOffset={len(order)}" if promoted else f"promoChoice={choice}")
    if rules.captures_to_hand:
        lines.append("holdingsType=1")
    lines += ["graphicsDir=/graphics.dir/alfaerie/", "whitePrefix=w", "blackPrefix=b"]
    lines += ["graphicsType=gif", "symmetry=none"]
    if game.royal:
        lines.append(f"royal={order.index(game.royal) + 1}")
    names: dict[str, str] = {}
    for letter in order:
        usual = _name(pieces[letter], letter == game.royal, names.values())
        other = "pawn" if letter in pawns else f"piece-{letter.lower()}"
        names[letter] = usual or other
        squares = [
            ",".join(square_name(at) for at, sign in sorted(board.items()) if sign == wanted)
            for wanted in (letter, letter.lower())
        ]
        lines.append(f"{names[letter]}:{letter}:{pieces[letter]}::{':'.join(squares)}")
    for letter in promoted:
        lines.append(f"promoted-{names[letter]}:+{letter}:{pieces[promoted[letter]]}:::")
    return "\n".join(lines) + "\n"


def _name(moves: str, royal: bool, taken: Collection[str]) -> str:
    """Return the usual name of a piece with these moves, which tells its picture; "" for none."""
    fits = (n for n, usual in MOVES.items() if usual == moves or (n == "king" and royal))
    return next((name for name in fits if name not in taken), "")
