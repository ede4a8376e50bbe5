"""Whether a game keeps to the contract: random games, looked at move by move.

What kernels list, hint, make and take back is read and compared with the naive rules, with the
limits of :mod:`ryugi_engine.kernel.abi` and with what the position's text alone gives. Every fault
is a line that names the game and what is wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.games.facts import count_faults, fact_faults
from ryugi_engine.games.game import NAMES, Game, GameError, Reference, counted
from ryugi_engine.games.packages import told
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel.abi import (
    ALL,
    DRAWN,
    EVAL_LIMIT,
    H_CHECK,
    H_FRAME,
    H_FRAME_WORDS,
    H_MOVES,
    HISTORY_LIMIT,
    LOST,
    LOST_EXCHANGE,
    MAX_CODE,
    MAX_HINT,
    MAX_MOVES,
    MAX_SLOT,
    MOVE_ROOM,
    ONGOING,
    PROMISING,
    SEARCH_PLIES,
    TACTICAL,
    TACTICAL_HINT,
    WON,
    Block,
    copy_state,
)
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

#: Positions that a check looks at, and plies after which a random game is left.
POSITIONS, _PLIES = 300, 400
_SEARCH_DEPTH = 4
_STATUS = (ONGOING, DRAWN, LOST, WON)
_KINDS = {TACTICAL: "TACTICAL", PROMISING: "PROMISING"}
#: What no game takes for a position.
_NONSENSE = ("", "x", "8", "/ w", "%s %s")


class Verdict(NamedTuple):
    """The faults, a line each, and how many positions were looked at."""

    faults: list[str]
    positions: int


class _Broken(Exception):
    """A fault after which the walk cannot go on."""


class _Walk:
    """Random games of one game."""

    def __init__(self, game: Game, source: random.Random) -> None:
        self.game = game
        self._source = source
        self._pairs = Block(MOVE_ROOM)
        self.faults: dict[str, str] = {}
        self.positions = 0

    def _fault(self, what: str, told_as: str) -> None:
        """Note a fault; of each kind the first is enough."""
        self.faults.setdefault(what, f"{what}: {told_as}")

    def _expect(self, fine: bool, what: str, position: Position, told_as: str) -> None:
        if not fine:
            self._fault(what, f"{told_as} in {position.text()}")

    # ---- one game ----------------------------------------------------------------------------

    def play(self, text: str, wanted: int) -> None:
        """A random game from a position, until it ends or so many positions were looked at."""
        game = self.game
        position = Position(game, text)
        naive = None if game.reference is None else game.reference(position.text())
        lists: list[int] = []
        for _ in range(_PLIES):
            if self.positions >= wanted:
                break
            self.positions += 1
            codes = self._codes(position)
            lists.append(len(codes))
            room = sum(lists[-SEARCH_PLIES:])
            if room > MOVE_ROOM:
                self._fault(
                    "generate",
                    f"the lists of a line hold {counted(room, 'move')}, more than {MOVE_ROOM},"
                    " abi.MOVE_ROOM",
                )
            after = self._same_as_naive(position, naive)
            self._whole(position)
            self._result(position, naive, codes)
            self._space(position)
            self._pictures(position)
            if not codes:
                break
            self._kinds(position, codes)
            self._hints(position, codes)
            self._null(position)
            code = self._source.choice(codes)
            self._make_and_unmake(position, code)
            move = position.move_text(code)
            position.push(code)
            if after is not None and move in after:
                naive = after[move]
                self._expect(
                    position.text() == naive.text(),
                    "make",
                    position,
                    f"the naive rules have '{naive.text()}' after {move}, the kernels another",
                )
            if game.longest and len(position.moves) > game.longest:
                self._fault("longest", f"a game went on after ply {game.longest}")
        self._take_back(position)

    def _codes(self, position: Position) -> list[int]:
        """The legal moves, after a look at how they are listed."""
        count = position.kernels.generate(position.state.address, ALL, int(position.words[H_MOVES]))
        if not 0 <= count <= MAX_MOVES:
            self._fault(
                "generate",
                f"{counted(count, 'move')} in {position.text()}, at most {MAX_MOVES} are"
                " allowed, abi.MAX_MOVES",
            )
            raise _Broken
        codes = position.legal_codes()
        for code in codes:
            if not 1 <= code <= MAX_CODE:
                self._fault(
                    "generate",
                    f"the move code {code} is not in 1..{MAX_CODE},"
                    f" abi.MAX_CODE, in {position.text()}",
                )
                raise _Broken
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

    def _same_as_naive(
        self, position: Position, naive: Reference | None
    ) -> dict[str, Reference] | None:
        if naive is None:
            return None
        after = dict(naive.legal_moves())
        moves = set(position.legal_moves())
        for missing in sorted(set(after) - moves)[:1]:
            self._expect(False, "generate", position, f"{missing} is missing")
        for extra in sorted(moves - set(after))[:1]:
            self._expect(False, "generate", position, f"{extra} is not legal")
        return after

    # ---- one position -------------------------------------------------------------------------

    def _whole(self, position: Position) -> None:
        """What make keeps up to date is what the text alone gives."""
        again = Position(self.game, position.text())
        for what, here, there in (
            ("text", position.text(), again.text()),
            ("key", position.key(), again.key()),
            ("parts", position.parts(), again.parts()),
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

    def _result(self, position: Position, naive: Reference | None, codes: list[int]) -> None:
        """``status``, ``no_moves`` and ``outcome`` agree, and with the naive rules."""
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
        expected = None if naive is None else naive.result()
        found = None if outcome is None else (outcome.result, outcome.reason)
        decided = found is not None and found[0] != "1/2-1/2"  # a draw may need the game's history
        if naive is not None and found != expected and (expected is not None or decided):
            self._expect(False, "outcome", position, f"{found}, and {expected} by the naive rules,")

    def _space(self, position: Position) -> None:
        """Whether ``room`` leaves the search its plies."""
        words = position.words
        frame, size = int(words[H_FRAME]), int(words[H_FRAME_WORDS])
        lists = int(words[H_MOVES]) // 2
        end = lists if lists > frame else len(words)
        if size <= 0 or frame + size > end:
            self._fault("header", "the current frame reaches into the move lists")
            raise _Broken
        left = (end - frame) // size - 1
        room = position.rules.room(position.state)
        self._expect(
            room >= 0 or bool(self.game.longest),
            "room",
            position,
            f"it is {room}: make and unmake leave the field of frames",
        )
        needed = room + SEARCH_PLIES
        if self.game.longest:
            needed = min(needed, self.game.longest - len(position.moves))
        if left < needed:
            self._fault(
                "room",
                f"{counted(needed - SEARCH_PLIES, 'move')} more and {SEARCH_PLIES} of a"
                f" search, abi.SEARCH_PLIES, do not fit: there are {counted(left, 'frame')} left",
            )

    def _kinds(self, position: Position, codes: list[int]) -> None:
        out = int(position.words[H_MOVES])
        for kind, name in _KINDS.items():
            count = position.kernels.generate(position.state.address, kind, out)
            listed = position.words.view("int32")[out : out + count].tolist()
            strange = sorted(set(listed) - set(codes))
            self._expect(
                not strange, "generate", position, f"{name} lists {strange[:1]}, which is not legal"
            )

    def _hints(self, position: Position, codes: list[int]) -> None:
        """What ``order`` says of every move is within its limits."""
        out, state = int(position.words[H_MOVES]), position.state
        position.words.view("int32")[out : out + len(codes)] = codes
        position.kernels.order(state.address, out, len(codes), self._pairs.address, 0)
        pairs = self._pairs.words.view("int32")[: 2 * len(codes)].reshape(-1, 2).tolist()
        for code, (hint, slot) in zip(codes, pairs, strict=True):
            move = position.move_text(code)
            self._expect(
                0 <= hint <= MAX_HINT,
                "order",
                position,
                f"{move} has the hint {hint}, which is not in 0..{MAX_HINT}, abi.MAX_HINT,",
            )
            self._expect(
                0 <= slot <= MAX_SLOT,
                "slot",
                position,
                f"order gives {move} the history slot {slot}, which is not in 0..{MAX_SLOT},"
                " abi.MAX_SLOT,",
            )
            if hint >= TACTICAL_HINT and position.kernels.exchange(state.address, code, 0) == 0:
                self._expect(
                    hint < LOST_EXCHANGE - HISTORY_LIMIT,
                    "exchange",
                    position,
                    f"{move} loses material and its hint {hint} would still put it first",
                )

    def _null(self, position: Position) -> None:
        if position.words[H_CHECK]:  # nobody passes then, and H_CHECK need not be kept
            return
        kernels, state = position.kernels, copy_state(position.state)
        used = int(state.words[H_FRAME] + state.words[H_FRAME_WORDS])
        before = state.words[:used].copy()
        if kernels.make_null(state.address):
            kernels.unmake_null(state.address)
        self._expect(
            bool((state.words[:used] == before).all()),
            "unmake_null",
            position,
            "the state is another than before the null move",
        )

    def _make_and_unmake(self, position: Position, code: int) -> None:
        state = copy_state(position.state)
        used = int(state.words[H_FRAME] + state.words[H_FRAME_WORDS])
        before = state.words[:used].copy()
        position.kernels.make(state.address, code)
        position.kernels.unmake(state.address)
        different = (state.words[:used] != before).nonzero()[0]
        self._expect(
            not len(different),
            "unmake",
            position,
            f"word {different[:1]} of the state is another after {position.move_text(code)}",
        )
        out = int(position.words[H_MOVES])
        for bulk in (0, 1):
            found = position.kernels.perft(position.state.address, 1, bulk, out)
            moves = len(position.legal_codes())
            self._expect(
                found == moves, "perft", position, f"{found} at depth 1, {moves} are listed"
            )

    def _pictures(self, position: Position) -> None:
        outcome = position.outcome()
        name = NAMES[position.side]
        wanted = f"{name}[^\n<]* to " if outcome is None else re.escape(outcome.told())
        told_as = f"{name} to move" if outcome is None else outcome.told()
        shown = position.board_text(mark=True)
        drawn = position.draw().svg()
        for what, text in (("board_text", shown), ("draw", drawn)):
            said = not text or re.search(wanted, text) is not None
            self._expect(said, what, position, f"it does not say '{told_as}'")
        letters = "".join(self.game.pieces)
        figures = [position.rules.figure(letter) for letter in letters + letters.lower()]
        own = len(set(figures)) == len(figures) and "\n" not in "".join(figures)
        self._expect(own, "figure", position, "pieces look alike, or take more than a line")
        position.objection("a1a1")
        position.rules.claim(position.state)
        for odd in ("", "zz", "0000", "a1a1q"):
            position.rules.normal_move(position.state, odd)

    def _take_back(self, position: Position) -> None:
        """The game backwards, and what remains when early positions are forgotten."""
        text, moves = position.text(), list(position.moves)
        if not self.game.longest:
            state = copy_state(position.state)
            position.rules.compact(state)
            found = position.rules.text(state)
            self._expect(found == text, "compact", position, f"'{found}' is left of '{text}'")
        for _ in moves:
            position.pop()
        self._expect(
            position.text() == position.root_text,
            "unmake",
            position,
            f"'{position.root_text}' is not reached again",
        )


def _searched(game: Game, source: random.Random) -> Iterator[str]:
    """Faults of a short search: its line has to be legal."""
    searcher = Searcher(1)
    for text in (game.start, *game.positions("bench")[:2]):
        position = Position(game, text)
        searcher.prepare(position, Limits(depth=min(_SEARCH_DEPTH, game.bench_depth)))
        result = searcher.run(position, lambda report: None)
        if position.text() != Position(game, text).text():
            yield f"search: the position is another than before in {text}"
        if not result.best and position.legal_codes() and position.outcome() is None:
            yield f"search: no move in {text}"


def _refused(game: Game) -> Iterator[str]:
    """Faults of the reading of positions."""
    for text in _NONSENSE:
        try:
            Position(game, text)
        except UserError:
            continue
        yield f"new_state: the text '{text}' is taken for a position"


def examine(game: Game, source: random.Random, positions: int = POSITIONS) -> Verdict:
    """Look at a game; its faults, a line each.

    ``RYUGI_BOUNDSCHECK=1`` stops at a kernel that reads or writes beyond its block.
    """
    walk = _Walk(game, source)

    def walked() -> Iterator[str]:
        roots = [game.start, *game.positions("openings")]
        rest = 0
        try:
            while walk.positions < positions and rest < positions:
                walk.play(game.start if rest % 2 == 0 else source.choice(roots), positions)
                rest += 1
        except _Broken:
            pass
        yield from walk.faults.values()

    parts: tuple[tuple[Callable[[], Iterator[str]], ...], ...] = (
        (lambda: _loaded(game),),
        (lambda: fact_faults(game), lambda: _refused(game), walked),
        (lambda: count_faults(game), lambda: _searched(game, source)),  # what is broken may not end
    )
    faults: dict[str, None] = {}
    for step in parts:
        for part in step:
            faults |= dict.fromkeys(_without_error(game, part))
        if faults:
            break
    return Verdict([f"{game.name}: {fault}" for fault in faults], walk.positions)


def _loaded(game: Game) -> Iterator[str]:
    """Faults that keep the kernels from being loaded."""
    for kernel in rules_of(game).kernels:
        kernel.load()
    yield from ()


def _without_error(game: Game, part: Callable[[], Iterator[str]]) -> list[str]:
    """The faults of a part; an error of the game's code is one."""
    found: list[str] = []
    try:
        found.extend(part())
    except GameError as error:
        found.append(str(error).removeprefix(f"{game.name}: "))
    except Exception as error:
        found.append(told(error))
    return found
