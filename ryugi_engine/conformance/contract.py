"""Check a game against the contract of games: random games, compared move by move.

What the kernels list, order, make and unmake is compared with the reference rules, with the limits
of :mod:`ryugi_engine.kernel.abi` and with a position set up from its text. Every fault is one line
that names the game and what is wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ryugi_engine.conformance.data_files import count_faults, fact_faults
from ryugi_engine.errors import GameError, UserError
from ryugi_engine.games.game import NAMES, Game, Reference, counted
from ryugi_engine.games.packages import describe_error
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel.abi import (
    ALL,
    DRAWN,
    EVAL_LIMIT,
    HISTORY_LIMIT,
    LOST,
    LOST_EXCHANGE,
    MAX_CODE,
    MAX_MOVES,
    MAX_ORDER_SCORE,
    MAX_SLOT,
    MOVE_CAPACITY,
    ONGOING,
    PROMISING,
    SEARCH_PLIES,
    TACTICAL,
    TACTICAL_SCORE,
    WON,
    copy_state,
    list_moves,
    used_words,
)
from ryugi_engine.kernel.block import Block
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

#: Positions that a check looks at, and maximum plies of a random game.
POSITIONS, _PLIES = 300, 400
_SEARCH_DEPTH = 4
_STATUS = (ONGOING, DRAWN, LOST, WON)
_KINDS = {TACTICAL: "TACTICAL", PROMISING: "PROMISING"}
#: Texts that no game accepts as a position.
_NONSENSE = ("", "x", "8", "/ w", "%s %s")


class Report(NamedTuple):
    """The faults, one line each, and the number of positions looked at."""

    faults: list[str]
    positions: int


class _Unplayable(Exception):
    """A fault after which the random games cannot go on."""


class _RandomGames:
    """Plays random games of one game and collects faults."""

    def __init__(self, game: Game, source: random.Random) -> None:
        self.game = game
        self._source = source
        self._pairs = Block(MOVE_CAPACITY)
        self.faults: dict[str, str] = {}
        self.positions = 0

    def _fault(self, what: str, reason: str) -> None:
        """Note a fault, unless one of the same kind has been noted."""
        self.faults.setdefault(what, f"{what}: {reason}")

    def _expect(self, fine: bool, what: str, position: Position, reason: str) -> None:
        if not fine:
            self._fault(what, f"{reason} in {position.text()}")

    # ---- one game ----------------------------------------------------------------------------

    def play(self, text: str, wanted: int) -> None:
        """Play a random game, until it ends or ``wanted`` positions have been looked at in all."""
        game = self.game
        position = Position(game, text)
        reference = None if game.reference is None else game.reference(position.text())
        lists: list[int] = []
        for _ in range(_PLIES):
            if self.positions >= wanted:
                break
            self.positions += 1
            codes = self._legal_codes(position)
            lists.append(len(codes))
            listed = sum(lists[-SEARCH_PLIES:])
            if listed > MOVE_CAPACITY:
                self._fault(
                    "generate",
                    f"a line's lists hold {counted(listed, 'move')}, more than {MOVE_CAPACITY},"
                    " abi.MOVE_CAPACITY",
                )
            after = self._compare_moves(position, reference)
            self._compare_with_text(position)
            self._check_outcome(position, reference, codes)
            self._check_capacity(position)
            self._check_displays(position)
            if not codes:
                break
            self._check_kinds(position, codes)
            self._check_order(position, codes)
            self._check_null_move(position)
            code = self._source.choice(codes)
            self._check_unmake(position, code)
            move = position.move_text(code)
            position.push(code)
            if after is not None and move in after:
                reference = after[move]
                self._expect(
                    position.text() == reference.text(),
                    "make",
                    position,
                    f"the reference rules have '{reference.text()}' after {move}, not the kernels",
                )
            if game.longest and len(position.moves) > game.longest:
                self._fault("longest", f"a game went on after ply {game.longest}")
        self._unmake_all(position)

    def _legal_codes(self, position: Position) -> list[int]:
        """Return the legal moves after checking codes and texts; else _Unplayable."""
        count = position.kernels.generate(
            position.state.address, ALL, int(position.header["moves"])
        )
        if not 0 <= count <= MAX_MOVES:
            self._fault(
                "generate",
                f"{counted(count, 'move')} in {position.text()}, at most {MAX_MOVES} are"
                " allowed, abi.MAX_MOVES",
            )
            raise _Unplayable
        codes = position.legal_codes()
        for code in codes:
            if not 1 <= code <= MAX_CODE:
                self._fault(
                    "generate",
                    f"the move code {code} is not in 1..{MAX_CODE},"
                    f" abi.MAX_CODE, in {position.text()}",
                )
                raise _Unplayable
        if len(set(codes)) != len(codes):
            twice = next(code for code in codes if codes.count(code) > 1)
            self._fault(
                "generate", f"{position.move_text(twice)} is listed twice in {position.text()}"
            )
        texts = [position.move_text(code) for code in codes]
        if len(set(texts)) != len(set(codes)):
            self._fault("move_text", f"two moves have one name in {position.text()}")
        for text in texts:
            spelled = position.rules.normal_move(position.state, text)
            self._expect(spelled == text, "normal_move", position, f"'{text}' becomes '{spelled}'")
            shaped = self.game.looks_like_move(text)
            self._expect(shaped, "move_shape", position, f"'{text}' does not look like a move")
        return codes

    def _compare_moves(
        self, position: Position, reference: Reference | None
    ) -> dict[str, Reference] | None:
        if reference is None:
            return None
        after = dict(reference.legal_moves())
        moves = set(position.legal_moves())
        for missing in sorted(set(after) - moves)[:1]:
            self._expect(False, "generate", position, f"{missing} is missing")
        for extra in sorted(moves - set(after))[:1]:
            self._expect(False, "generate", position, f"{extra} is not legal")
        return after

    # ---- one position -------------------------------------------------------------------------

    def _compare_with_text(self, position: Position) -> None:
        """Compare what make updates incrementally with a position set up from its text."""
        again = Position(self.game, position.text())
        for what, here, there in (
            ("text", position.text(), again.text()),
            ("key", position.key(), again.key()),
            ("correction_keys", position.correction_keys(), again.correction_keys()),
            ("side", position.side, again.side),
            ("check", position.in_check(), again.in_check()),
            ("evaluate", position.evaluate(), again.evaluate()),
        ):
            self._expect(
                here == there,
                what,
                position,
                f"{here} after {counted(len(position.moves), 'move')}, {there} from the text",
            )
        self._expect(
            abs(position.evaluate()) <= EVAL_LIMIT,
            "evaluate",
            position,
            f"{position.evaluate()} is beyond {EVAL_LIMIT}, abi.EVAL_LIMIT,",
        )

    def _check_outcome(
        self, position: Position, reference: Reference | None, codes: list[int]
    ) -> None:
        """``status``, ``no_moves``, ``outcome`` and the reference rules must agree."""
        address, kernels = position.state.address, position.kernels
        status = kernels.status(address, 0)
        self._expect(status in _STATUS, "status", position, f"{status} is no answer")
        if status == ONGOING and not codes:
            status = kernels.no_moves(address)
            self._expect(status in _STATUS[1:], "no_moves", position, f"{status} is no answer")
        outcome = position.outcome()
        if status in (LOST, WON):
            winner = position.side if status == WON else 1 - position.side
            self._expect(
                outcome is not None and outcome.winner == winner,
                "status",
                position,
                "the kernels know a winner, and the outcome is another",
            )
        expected = None if reference is None else reference.result()
        result = None if outcome is None else (outcome.result, outcome.reason)
        decided = (
            result is not None and result[0] != "1/2-1/2"
        )  # a draw may need the game's history
        if reference is not None and result != expected and (expected is not None or decided):
            self._expect(
                False, "outcome", position, f"{result}, and {expected} by the reference rules,"
            )

    def _check_capacity(self, position: Position) -> None:
        """``capacity`` must leave a search its plies."""
        header = position.header
        frame, size = int(header["frame"]), int(header["frame_words"])
        lists = int(header["moves"]) // 2
        end = lists if lists > frame else len(position.state.words)
        if size <= 0 or frame + size > end:
            self._fault("header", "the current frame reaches into the move lists")
            raise _Unplayable
        left = (end - frame) // size - 1
        capacity = position.rules.capacity(position.state)
        self._expect(
            capacity >= 0 or bool(self.game.longest),
            "capacity",
            position,
            f"it is {capacity}: make and unmake leave the field of frames",
        )
        needed = capacity + SEARCH_PLIES
        if self.game.longest:
            needed = min(needed, self.game.longest - len(position.moves))
        if left < needed:
            self._fault(
                "capacity",
                f"{counted(needed - SEARCH_PLIES, 'move')} more and {SEARCH_PLIES} of a"
                f" search, abi.SEARCH_PLIES, do not fit: there are {counted(left, 'frame')} left",
            )

    def _check_kinds(self, position: Position, codes: list[int]) -> None:
        for kind, name in _KINDS.items():
            listed = list_moves(position.kernels.generate, position.state, kind)
            strange = sorted(set(listed) - set(codes))
            self._expect(
                not strange, "generate", position, f"{name} lists {strange[:1]}, which is not legal"
            )

    def _check_order(self, position: Position, codes: list[int]) -> None:
        """Scores and history slots of ``order`` must be within their limits."""
        out, state = int(position.header["moves"]), position.state
        position.state.words.view("int32")[out : out + len(codes)] = codes
        position.kernels.order(state.address, out, len(codes), self._pairs.address, 0)
        pairs = self._pairs.words.view("int32")[: 2 * len(codes)].reshape(-1, 2).tolist()
        for code, (score, slot) in zip(codes, pairs, strict=True):
            move = position.move_text(code)
            self._expect(
                0 <= score <= MAX_ORDER_SCORE,
                "order",
                position,
                f"{move} has the score {score}, which is not in 0..{MAX_ORDER_SCORE},"
                " abi.MAX_ORDER_SCORE,",
            )
            self._expect(
                0 <= slot <= MAX_SLOT,
                "slot",
                position,
                f"order gives {move} the history slot {slot}, which is not in 0..{MAX_SLOT},"
                " abi.MAX_SLOT,",
            )
            if score >= TACTICAL_SCORE and position.kernels.exchange(state.address, code, 0) == 0:
                self._expect(
                    score < LOST_EXCHANGE - HISTORY_LIMIT,
                    "exchange",
                    position,
                    f"{move} loses material and its score {score} would still put it first",
                )

    def _check_null_move(self, position: Position) -> None:
        if position.in_check():  # nobody passes then, and the header's check need not be kept
            return
        kernels, state = position.kernels, copy_state(position.state)
        used = used_words(state)
        before = used.copy()
        if kernels.make_null(state.address):
            kernels.unmake_null(state.address)
        self._expect(
            bool((used == before).all()),
            "unmake_null",
            position,
            "the state is another than before the null move",
        )

    def _check_unmake(self, position: Position, code: int) -> None:
        state = copy_state(position.state)
        used = used_words(state)
        before = used.copy()
        position.kernels.make(state.address, code)
        position.kernels.unmake(state.address)
        different = (used != before).nonzero()[0]
        self._expect(
            not len(different),
            "unmake",
            position,
            f"word {different[:1]} of the state is another after {position.move_text(code)}",
        )
        out = int(position.header["moves"])
        for bulk in (0, 1):
            count = position.kernels.perft(position.state.address, 1, bulk, out)
            moves = len(position.legal_codes())
            self._expect(
                count == moves, "perft", position, f"{count} at depth 1, {moves} are listed"
            )

    def _check_displays(self, position: Position) -> None:
        outcome = position.outcome()
        name = NAMES[position.side]
        wanted = f"{name}[^\n<]* to " if outcome is None else re.escape(outcome.describe())
        reason = f"{name} to move" if outcome is None else outcome.describe()
        shown = position.board_text(mark=True)
        drawn = position.draw().svg()
        for what, text in (("board_text", shown), ("draw", drawn)):
            shows = not text or re.search(wanted, text) is not None
            self._expect(shows, what, position, f"it does not say '{reason}'")
        letters = "".join(self.game.pieces)
        figures = [position.rules.figure(letter) for letter in letters + letters.lower()]
        own = len(set(figures)) == len(figures) and "\n" not in "".join(figures)
        self._expect(own, "figure", position, "pieces look alike, or take more than a line")
        position.objection("a1a1")
        position.rules.claim(position.state)
        for odd in ("", "zz", "0000", "a1a1q"):
            position.rules.normal_move(position.state, odd)

    def _unmake_all(self, position: Position) -> None:
        """Unmake the whole game; ``compact`` must keep the current position."""
        text, moves = position.text(), list(position.moves)
        if not self.game.longest:
            state = copy_state(position.state)
            position.rules.compact(state)
            left = position.rules.text(state)
            self._expect(left == text, "compact", position, f"'{left}' is left of '{text}'")
        for _ in moves:
            position.pop()
        self._expect(
            position.text() == position.root_text,
            "unmake",
            position,
            f"'{position.root_text}' is not reached again",
        )


def _search_faults(game: Game, source: random.Random) -> Iterator[str]:
    """Yield faults of short searches: they need a move and must leave the position unchanged."""
    searcher = Searcher(1)
    for text in (game.start, *game.positions("bench")[:2]):
        position = Position(game, text)
        searcher.prepare(position, Limits(depth=min(_SEARCH_DEPTH, game.bench_depth)))
        result = searcher.run(position, lambda report: None)
        if position.text() != Position(game, text).text():
            yield f"search: the position is another than before in {text}"
        if not result.best and position.legal_codes() and position.outcome() is None:
            yield f"search: no move in {text}"


def _parse_faults(game: Game) -> Iterator[str]:
    """Yield texts that are accepted as positions and should not be."""
    for text in _NONSENSE:
        try:
            Position(game, text)
        except UserError:
            continue
        yield f"new_state: the text '{text}' is taken for a position"


def examine(game: Game, source: random.Random, positions: int = POSITIONS) -> Report:
    """Check a game and return a report; ``positions`` is how many positions to look at.

    With ``RYUGI_BOUNDSCHECK=1`` the process stops at a kernel's access beyond its block.
    """
    walk = _RandomGames(game, source)

    def walk_faults() -> Iterator[str]:
        roots = [game.start, *game.positions("openings")]
        rest = 0
        try:
            while walk.positions < positions and rest < positions:
                walk.play(game.start if rest % 2 == 0 else source.choice(roots), positions)
                rest += 1
        except _Unplayable:
            pass
        yield from walk.faults.values()

    parts: tuple[tuple[Callable[[], Iterator[str]], ...], ...] = (
        (lambda: _load_faults(game),),
        (lambda: fact_faults(game), lambda: _parse_faults(game), walk_faults),
        (
            lambda: count_faults(game),
            lambda: _search_faults(game, source),
        ),  # what is broken may not end
    )
    faults: dict[str, None] = {}
    for step in parts:
        for part in step:
            faults |= dict.fromkeys(_collect(game, part))
        if faults:
            break
    return Report([f"{game.name}: {fault}" for fault in faults], walk.positions)


def _load_faults(game: Game) -> Iterator[str]:
    """Load all kernels; their faults are errors."""
    for kernel in rules_of(game).kernels:
        kernel.load()
    yield from ()


def _collect(game: Game, part: Callable[[], Iterator[str]]) -> list[str]:
    """Return the faults of a part; an error of the game's code is a fault."""
    faults: list[str] = []
    try:
        faults.extend(part())
    except GameError as error:
        faults.append(str(error).removeprefix(f"{game.name}: "))
    except Exception as error:
        faults.append(describe_error(error))
    return faults
