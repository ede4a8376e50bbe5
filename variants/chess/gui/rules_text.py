"""The rules of a definition in sentences, for people who play the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain

from ryugi_engine.games.game import counted
from ryugi_engine.games.look import LINES
from variants.chess.definition.definition import Definition
from variants.chess.family.exposed import read_position
from variants.chess.gui import rules_words as words
from variants.chess.gui.rules_drops import drops, effects
from variants.chess.gui.rules_lions import bare_king, lions
from variants.chess.gui.rules_moves import first_moves, promotion

#: Results of the side that is spoken of.
_VERBS = {"loss": "loses", "draw": "draws", "win": "wins"}
_COUNTING = {
    "janggi": "The points of the pieces left decide a game that is drawn otherwise.",
    "unweighted": "A game that is drawn otherwise is won by the side with more pieces.",
    "whitedrawodds": "A game that is drawn otherwise is won by {0}.",
    "blackdrawodds": "A game that is drawn otherwise is won by {1}.",
}
#: Moves to mate a bare king by the pieces left to the other side, by their moves; the first counts.
_HONOUR = {
    "makruk": {"RR": 8, "R": 16, "SS": 22, "NN": 32, "S": 44, "": 64},
    "cambodian": {"RR": 7, "R": 15, "SS": 21, "NN": 31, "S": 43, "": 63},
    "asean": {"R": 16, "S": 44, "N": 64},
}
_COUNTED = {"R": "R", "S": "FfW", "N": "N"}


def sentences(game: Definition) -> Iterator[str]:
    """Yield headings, which begin with ``## ``, and what a player must know, a sentence each."""
    for heading, parts in _SECTIONS.items():
        said = [*chain.from_iterable(part(game) for part in parts)]
        if heading == _AIM and not said:
            said = [*_stalemate(game)][:1]
        if said:
            yield f"## {heading}"
            yield from (f"{sentence[0].upper()}{sentence[1:]}" for sentence in said)


# ---- the aim -------------------------------------------------------------------------------------


def _mate(game: Definition) -> Iterator[str]:
    rules = game.rules
    if not game.royal or rules.extinction_pseudo_royal:
        return
    king = words.name(game, game.royal)
    ends = {
        "loss": f"Checkmate wins: attack the enemy {king} so that no move saves it.",
        "draw": f"Checkmate is a draw: the {king} is attacked and no move saves it.",
        "win": f"Whoever is checkmated wins: the own {king} is attacked and no move saves it.",
    }
    yield ends[rules.checkmate_value]


def _extinction(game: Definition) -> Iterator[str]:
    rules = game.rules
    if rules.extinction_value == "none":
        return
    verb, few = _VERBS[rules.extinction_value], rules.extinction_piece_count
    for whose, letters in words.by_side(game, rules.extinction_piece_types):
        if not letters:
            continue
        side = whose or "A side"
        if "*" in letters:
            left = "no pieces" if not few else f"at most {counted(few, 'piece')}"
            yield f"{side} with {left} left {verb}."
        elif few:
            kinds = words.listed(game, letters, "or", words.plural)
            yield f"{side} with at most {few} {kinds} left {verb}."
        else:
            which = words.listed(game, letters, "or", words.name)
            yield f"{side} without {'any ' if len(letters) > 1 else 'a '}{which} left {verb}."
    for letter, becomes in rules.promoted_piece_type.items():
        if becomes in rules.extinction_piece_types[0] and f"+{letter}" in game.appearance.names:
            yield f"{words.a(game, f'+{letter}')} counts as {words.a(game, becomes)}."
    if rules.extinction_opponent_piece_count:
        yield f"That counts if the other side has at least {rules.extinction_opponent_piece_count}."
    yield from words.chosen(
        (rules.extinction_claim, "Only the side to move can win in this way."),
        (
            rules.extinction_pseudo_royal,
            "A move must not leave the last of them attacked: checkmate wins.",
        ),
        (rules.duple_check, "Check is an attack on all of a side's royal pieces at once."),
    )


def _goal(game: Definition) -> Iterator[str]:
    rules = game.rules
    if not any(rules.flag_region):
        return
    where = words.region(game, rules.flag_region)
    for whose, letters in words.by_side(game, rules.flag_piece):
        every = letters >= set(game.pieces)
        count = rules.flag_piece_count
        piece = "piece" if every else words.listed(game, letters, "or", words.name)
        pieces = f"a {piece}" if count == 1 else f"{count} {piece}s"
        yield f"{whose or 'A side'} wins by bringing {pieces} to {where}."
    yield from words.chosen(
        (rules.flag_piece_safe, "The square reached must not be attacked."),
        (rules.flag_piece_blocked_win, "Fewer are enough where the other squares are taken."),
        (rules.flag_move, "The second side has one more move to reach the goal too: then a draw."),
    )


def _checks(game: Definition) -> Iterator[str]:
    if game.rules.check_counting:
        wanted = read_position(game, game.start).checks
        for whose, number in words.by_side(game, (wanted[0], wanted[1])):
            times = {1: "once", 2: "twice"}.get(number, f"{number} times")
            yield f"{whose or 'A side'} wins by giving check {times}."


def _rows(game: Definition) -> Iterator[str]:
    rules = game.rules
    verb = _VERBS[rules.connect_value]
    ways = {
        "vertical": rules.connect_vertical,
        "horizontal": rules.connect_horizontal,
        "diagonal": rules.connect_diagonal,
    }
    used = [way for way, holds in ways.items() if holds]
    which = "" if len(used) == len(ways) else f" ({' or '.join(used)})"
    for whose, letters in words.by_side(game, rules.connect_piece_types):
        every = letters >= set(game.pieces)
        kind = "pieces" if every else words.listed(game, letters, "or", words.plural)
        side = whose or "A side"
        yield from words.chosen(
            (rules.connect_n, f"{side} with {rules.connect_n} {kind} in a row{which} {verb}."),
            (
                rules.connect_nxn,
                f"{side} with a block of {rules.connect_nxn} by {rules.connect_nxn} {kind} {verb}.",
            ),
            (
                rules.collinear_n,
                f"{side} with {rules.collinear_n} {kind} on one line, also with gaps, {verb}.",
            ),
        )
    if any(rules.connect_region1):
        one, other = (
            words.region(game, both) for both in (rules.connect_region1, rules.connect_region2)
        )
        yield f"A side that joins {one} with {other} by its pieces {verb}."


def _castling_wins(game: Definition) -> Iterator[str]:
    if game.rules.castling_wins:
        yield "Castling wins, and a side that can no longer castle loses."


def _most(game: Definition) -> Iterator[str]:
    if game.rules.material_counting == "unweighted":
        yield "The side with more pieces at the end wins."


# ---- board and pieces ----------------------------------------------------------------------------


def _board(game: Definition) -> Iterator[str]:
    size = f"{counted(game.files, 'file')} and {counted(game.ranks, 'rank')}"
    yield f"The board has {size}."
    if game.rules.alice_boards:
        yield f"That is two boards of {game.files // 2} files, side by side."
        yield "A piece that has moved goes on to the same square of the other board."
        yield "That square must be empty. Pieces block, attack and capture on their own board only."
        yield "A king must be safe after both steps, and on its way."
    look = game.appearance
    first = game.appearance.sides[game.start.split()[1][:1] == "b"]
    yield from words.chosen(
        (look.board == LINES, "Pieces stand on the crossings of the lines."),
        (look.river, "A river lies across the middle."),
    )
    yield f"{first} moves first."
    homes = game.rules.mobility_region
    palace = homes.get(game.royal)
    for letter, squares in homes.items():
        where = f"on {words.region(game, squares)}"
        if squares == palace:
            where = f"in its palace: {where[3:]}" if letter == game.royal else "in the palace"
        yield f"{words.a(game, letter)} stays {where}."


def _own_ways(game: Definition) -> Iterator[str]:
    rules = game.rules
    if game.soldier and rules.soldier_promotion_rank > 1:
        rank = rules.soldier_promotion_rank
        yield f"From rank {rank} on {words.a(game, game.soldier)} also moves sideways."
    if game.cannons:
        cannons = words.listed(game, game.cannons, "and", words.plural)
        yield f"{cannons} neither leap over nor capture one another."
    alike = rules.mutually_immune_types[0] | rules.mutually_immune_types[1]
    if alike:
        yield f"{words.listed(game, alike, 'and', words.plural)} do not capture their like."
    yield from lions(game)
    if any(rules.diagonal_lines):
        yield "In the palaces pieces also move along the diagonal lines."


def _castling(game: Definition) -> Iterator[str]:
    rules = game.rules
    ways = [way for way in game.ways if way.right in "KQ"]
    if ways and game.chess960:
        yield "Castling ends as in the game itself, from any files of king and rook."
    for way in () if game.chess960 else ways:
        squares = [words.square(at) for at in way[1:]]
        king, partner = (
            words.name(game, game.castlers[at]) if at in game.castlers else usual
            for at, usual in ((way.king_from, "King"), (way.rook_from, "Rook"))
        )
        yield (
            f"{game.appearance.sides[0]} castles once with {king} {squares[0]}-{squares[1]}"
            f" and {partner} {squares[2]}-{squares[3]}."
        )
    yield from words.chosen(
        (rules.opposite_castling, "Both sides may not castle towards the same edge."),
        (rules.castling_dropped_piece, "Dropped pieces may castle."),
    )


def _duties(game: Definition) -> Iterator[str]:
    rules = game.rules
    yield from words.chosen(
        (rules.must_capture, "If you can capture, you must capture."),
        (not rules.checking, "No move may give check."),
        (rules.makpong_rule, "A king in check may not move away: block or capture."),
        (rules.immobility_illegal, "No piece may go where it could never move again."),
    )
    if rules.flying_general:
        yield f"The two {words.plural(game, game.royal)} must not face one another on an open line."
    for flags, text in (
        (rules.passing, "may pass instead of moving"),
        (rules.pass_on_stalemate, "without a legal move passes"),
    ):
        for whose, holds in words.by_side(game, flags):
            yield from [f"{whose or 'A side'} {text}."] if holds else ()


def _turns(game: Definition) -> Iterator[str]:
    rules = game.rules
    for whose, number in words.by_side(game, game.turn_moves()):
        if number > 1:
            yield f"{whose or 'A side'} makes {number} moves in a turn."
    if rules.first_turn_moves:
        first = counted(rules.first_turn_moves, "move")
        yield f"The first turn of {game.appearance.sides[0]} has {first}."
    yield from words.chosen(
        (rules.progressive, "The first turn has one move, and each later turn one more."),
        (rules.check_ends_turn, "Giving check ends the turn."),
        (
            game.has_long_turns() and any(rules.en_passant_types),
            "En passant is a turn's first move, after any of the other side's moves.",
        ),
    )


# ---- the end -------------------------------------------------------------------------------------


def _stalemate(game: Definition) -> Iterator[str]:
    rules = game.rules
    counting = _COUNTING.get(rules.material_counting, "").format(*game.appearance.sides)
    if rules.stalemate_piece_count:
        who = {"loss": "more", "win": "fewer"}.get(rules.stalemate_value)
        then = f"the side with {who} pieces wins" if who else "a draw"
        yield f"A side to move without a legal move ends the game: {then}."
    else:
        verb = {"draw": "is a draw", "loss": "loses", "win": "wins"}[rules.stalemate_value]
        if verb == "is a draw":
            yield "A side to move without a legal move is stalemated: a draw."
        else:
            yield f"A side to move without a legal move {verb}."
    yield from words.chosen(
        (
            rules.shogi_pawn_drop_mate_illegal,
            f"A {words.name(game, game.pawn or 'P')} may not be dropped to give mate at once.",
        ),
        (rules.sittuyin_promotion, "A side with a king and a pawn need not promote: a draw."),
        (rules.shatar_mate_rule, "A mate by knights alone loses."),
        (
            rules.shatar_mate_rule,
            "A row of checks that mates without rook, bers or knight is a draw.",
        ),
        (rules.bikjang_rule, "If the two generals face one another for two moves, the game ends."),
        (rules.adjudicate_full_board, "A full board ends the game."),
        (counting, counting),
    )


def _quiet(game: Definition) -> Iterator[str]:
    rules = game.rules
    if not rules.n_move_rule:
        return
    movers = rules.n_move_rule_types[0] | rules.n_move_rule_types[1]
    without = "a capture"
    if movers:
        without += f" or a move of {words.listed(game, movers, 'or', words.a)}"
    after = f"After {rules.n_move_rule} moves of both sides without {without}"
    limit = rules.n_move_limit
    if limit and limit != rules.n_move_rule:
        yield f"{after} a draw may be claimed."
        yield f"After {limit} such moves the game is drawn."
    else:
        yield f"{after} the game is drawn."
    if rules.chasing_rule != "none":
        yield "Of each side's checks only ten count as such moves."


def _repetition(game: Definition) -> Iterator[str]:
    rules = game.rules
    if not rules.n_fold_rule:
        return
    times = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
    nth = times.get(rules.n_fold_rule, f"{rules.n_fold_rule}th")
    if rules.n_fold_value == "draw":
        limit = rules.n_fold_limit
        if limit and limit != rules.n_fold_rule:
            yield f"When a position occurs for the {nth} time, a draw may be claimed."
            yield f"At the {times.get(limit, f'{limit}th')} time the game is drawn."
        else:
            yield f"When a position occurs for the {nth} time, the game is drawn."
    else:
        who = game.appearance.sides[0] if rules.n_fold_value_absolute else "the side to move"
        yield f"When a position occurs for the {nth} time, {who} {_VERBS[rules.n_fold_value]}."
    yield from words.chosen(
        (rules.perpetual_check_illegal, "A side that repeats a position by checks alone loses."),
        (
            rules.chasing_rule != "none",
            "A side that repeats it by chasing one piece all the time loses, too. If both do, it is"
            " a draw.",
        ),
        (
            rules.move_repetition_illegal,
            "A side that moves a piece back and forth four times running loses.",
        ),
        (
            rules.perpetual_attack_illegal,
            "A side that repeats it by attacks alone loses, if the other does not attack, too.",
        ),
    )


def _counts(game: Definition) -> Iterator[str]:
    rule = game.rules.counting_rule
    if rule == "none":
        return
    letters = {betza: letter for letter, betza in game.betza.items()}
    if rule == "makruk":
        yield "Once no pawns are left, the game is drawn after 64 moves."
    if rule == "cambodian":
        yield "Once a side has three pieces or fewer, the game is drawn after 63 moves."
    parts = []
    for pieces, moves in _HONOUR[rule].items():
        letter = letters.get(_COUNTED.get(pieces[:1], ""), "")
        if letter:
            army = words.a if len(pieces) == 1 else words.plural
            several = "two " if len(pieces) > 1 else ""
            parts.append(f"{moves} against {several}{army(game, letter)}")
        elif not pieces:
            parts.append(f"{moves} against others")
    yield "Without pawns a bare king must be mated while its moves are counted, or draws."
    yield f"The count ends at {', '.join(parts)}."
    if rule != "asean":
        yield "It begins with the number of pieces on the board."


_AIM = "Aim"
_Part = Callable[[Definition], Iterator[str]]
_SECTIONS: dict[str, Collection[_Part]] = {
    _AIM: (_mate, _extinction, bare_king, _goal, _checks, _rows, _castling_wins, _most),
    "Board and pieces": (_board, _own_ways),
    "Special moves": (first_moves, promotion, _castling, drops, effects, _duties, _turns),
    "The end": (_stalemate, _quiet, _repetition, _counts),
}
#: Rules that only kernels, notation or position texts look at.
UNSAID = frozenset({"lone_minors", "castling_rook_pieces", "gating"})
