"""Random games whose positions and moves are checked against the contract of games."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ryugi_engine.conformance import kernel_tests
from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import (
    CrowdingMove,
    Game,
    Reference,
    ScoringReference,
    counted,
    turn_or_result,
)
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import (
    ALL,
    DRAWN,
    EVAL_LIMIT,
    LOST,
    MAX_CODE,
    MAX_MOVES,
    ONGOING,
    SEARCH_PLIES,
    WON,
    copy_state,
    used_words,
)

#: Maximum plies of a random game.
_PLIES = 400
_STATUS = (ONGOING, DRAWN, LOST, WON)
#: Minimum number of pairs, of a position and the one after a move, whose evaluations are compared.
#: The share of them that may have the same sign: a score is that of the side to move.
_PAIRS, _SAME_SIGN = 60, 0.85


class Unplayable(Exception):
    """A fault after which the random games cannot go on."""


class RandomGames:
    """Random games of one game, and their faults."""

    def __init__(
        self, game: Game, source: random.Random, tracer: Tracer, report: Callable[[str], None]
    ) -> None:
        """Prepare to play; ``report`` is called with each fault at once: a crash may follow."""
        self.game, self._report = game, report
        self._source = source
        self._tracer = tracer
        # position texts without clocks, by hash key
        self._texts: dict[int, str] = {}
        # moves whose evaluations before and after are not 0, and those of equal sign
        self._compared = self._same_sign = 0
        self.faults: dict[str, str] = {}
        self.positions = 0

    def _fault(self, what: str, reason: str) -> None:
        """Note a fault, unless one of the same kind has been noted."""
        if what not in self.faults:
            self.faults[what] = f"{what}: {reason}"
            self._report(self.faults[what])

    def _expect(self, fine: bool, what: str, position: Position, reason: str) -> None:
        if not fine:
            self._fault(what, f"{reason} in {position.text()}")

    # ---- one game ----------------------------------------------------------------------------

    def play(self, text: str, wanted: int) -> None:
        """Play a random game, until it ends or ``wanted`` positions have been checked in all."""
        game = self.game
        position = self._tracer.position(game, text)
        reference = None if game.reference is None else game.reference(position.text())
        for _ in range(_PLIES):
            if self.positions >= wanted:
                break
            self.positions += 1
            self._tracer.at(position.text())
            codes = self._legal_codes(position)
            after = self._compare_moves(position, reference)
            self._compare_with_text(position)
            self._check_outcome(position, reference, codes)
            self._check_capacity(position)
            self._check_displays(position)
            if not codes:
                break
            self._check_kernels(position, codes)
            self._compare_scoring(position, reference, codes)
            self._check_key(position)
            self._check_null_move(position)
            code = self._source.choice(codes)
            self._check_unmake(position, code)
            move = position.move_text(code)
            score = position.evaluate()
            try:
                position.push(code)
            except CrowdingMove:
                break
            self._compare_scores(score, position)
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
        """Return the legal moves after checking codes and texts; else Unplayable."""
        count = position.kernels.generate(
            position.state.address, ALL, int(position.header["moves"])
        )
        if not 0 <= count <= MAX_MOVES:
            self._fault(
                "generate",
                f"it returns {count if count < 0 else 'more'} instead of 0 to {MAX_MOVES},"
                f" abi.MAX_MOVES, in {position.text()}",
            )
            raise Unplayable
        codes = position.legal_codes()
        for code in codes:
            if not 1 <= code <= MAX_CODE:
                self._fault(
                    "generate",
                    f"the move code {code} is not in 1..{MAX_CODE},"
                    f" abi.MAX_CODE, in {position.text()}",
                )
                raise Unplayable
        if len(set(codes)) != len(codes):
            twice = next(code for code in codes if codes.count(code) > 1)
            self._fault(
                "generate", f"{position.move_text(twice)} is listed twice in {position.text()}"
            )
        texts = [position.move_text(code) for code in codes]
        if len(set(texts)) != len(set(codes)):
            same = next(text for text in texts if texts.count(text) > 1)
            self._fault("move_text", f"two moves are {same} in {position.text()}")
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
        again = self._tracer.position(self.game, position.text())
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
        self._expect(
            outcome is None or outcome.result != "1/2-1/2" or self.game.draws,
            "status",
            position,
            "a draw, in a game that has none (draws),",
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
            raise Unplayable
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

    def _check_kernels(self, position: Position, codes: list[int]) -> None:
        """Look at what each kernel writes and reads, by itself."""
        for what, reason in (
            *kernel_tests.kind_faults(position, codes),
            *kernel_tests.side_effects(position, codes),
            *kernel_tests.order_faults(position, codes),
            *kernel_tests.reads_behind_the_frame(position, codes, self._source),
            *kernel_tests.keys_after(position, codes),
            *kernel_tests.check_faults(position, codes),
            *kernel_tests.training_faults(position),
        ):
            self._expect(False, what, position, reason)

    def _compare_scoring(
        self, position: Position, reference: Reference | None, codes: list[int]
    ) -> None:
        """Compare ``evaluate`` and ``order`` with a reference that has them."""
        has_net = getattr(position.rules, "net", None) is not None
        if not isinstance(reference, ScoringReference) or has_net:
            return
        expected = max(-EVAL_LIMIT, min(reference.evaluate(), EVAL_LIMIT))
        value = position.evaluate()
        self._expect(
            value == expected,
            "evaluate",
            position,
            f"{value}, and {expected} by the reference rules,",
        )
        scores = kernel_tests.order_scores(position, codes)
        for move, wanted in reference.order_scores().items():
            score = scores.get(move, wanted)
            self._expect(
                score == wanted,
                "order",
                position,
                f"{move} has the score {score}, and {wanted} by the reference rules,",
            )

    def _check_key(self, position: Position) -> None:
        """Positions that differ must have keys that do; so must the sides to move."""
        text, key = position.text(), position.key()
        short = kernel_tests.without_clocks(text)
        other = self._texts.setdefault(key, short)
        self._expect(other == short, "key", position, f"it is also that of {other}")
        swapped = kernel_tests.with_other_side(text)
        try:
            same = bool(swapped) and self._tracer.position(self.game, swapped).key() == key
        except UserError:  # a position that cannot be
            return
        self._expect(not same, "key", position, "it does not depend on the side to move")

    def _compare_scores(self, before: int, position: Position) -> None:
        """Count the moves that keep the evaluation's sign.

        Too many show that it is always one side's, not that of the side to move.
        """
        after = position.evaluate()
        if before and after:
            self._compared += 1
            self._same_sign += (before > 0) == (after > 0)
        if self._compared >= _PAIRS and self._same_sign > _SAME_SIGN * self._compared:
            self._fault(
                "evaluate",
                f"its sign stays in {self._same_sign} of {counted(self._compared, 'move')}:"
                " it has to be the score of the side to move",
            )

    def _check_null_move(self, position: Position) -> None:
        if position.in_check():  # there are no passes then, and the header's check need not be kept
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
        name, sides = position.game.sides[position.side], position.game.sides
        wanted = f"{name}[^\n<]* to " if outcome is None else re.escape(outcome.describe(sides))
        reason = turn_or_result(position.side, outcome, sides)
        shown = position.board_text(mark=True)
        drawn = position.draw().svg()
        for what, text in (("board_text", shown), ("draw", drawn)):
            shows = not text or re.search(wanted, text) is not None
            self._expect(shows, what, position, f"it does not say '{reason}'")
        letters = "".join(self.game.pieces)
        both = [letter for letter in letters if letter not in self.game.neutral]
        figures = [position.rules.figure(letter) for letter in letters + "".join(both).lower()]
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
