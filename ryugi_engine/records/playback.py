"""A record on the board: checked against the rules, walked through, continued."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, IllegalMove, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import start_of
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.records.dialect import read_dialect
from ryugi_engine.records.pgn import UNFINISHED, Record, RecordError, Step
from ryugi_engine.records.pgn_text import MAX_NESTING
from ryugi_engine.records.san import by_xboard, engine_move, recorded_code, to_san

#: Names of others for games, see :func:`_plain`: lichess's, python-chess's, PyChess's, BrainKing's,
#: those of FICS and of ICC. A record without the tag Variant is of chess, as in PGN.
_OTHER_NAMES = {
    name: game
    for game, names in {
        "chess": "chess classical standard normal illegal fromposition",
        "chess960": "fischerandom fischerrandom freestyle wild/fr wildfr wild22",
        "3check": "threecheck wild25",
        "5check": "fivecheck",
        "antichess": "anti losing",
        "giveaway": "wild26",
        "losers": "wild17",
        "atomic": "atom wild27",
        "kingofthehill": "koth",
        "racingkings": "racing race",
        "crazyhouse": "house zh wild23",
        "shatranj": "wild28",
        "seirawan": "s sharper",
        "capablanca960": "capablancarandom",
        "amazons": "gameoftheamazons",
        "gardner": "gardnermini mini",
        "centaur": "royalcourt",
        "dobutsu": "dobutsushogi",
        "gorogoro": "gorogoroshogi",
        "judkins": "judkinsshogi",
        "chu": "chushogi",
        "cambodian": "oukchaktrang",
        "cfour-anyside": "fourinarowfromanyside",
        "manchu": "manchuxiangqi",
        "micro": "microshogi",
        "makruk": "thai",
        "janggi": "korean",
        "shogi": "japanese",
        "xiangqi": "chinese",
        "nocastle": "chesswithoutcastling withoutcastling",
        "nocheckatomic": "atomicwithoutcheck",
        "pawnback": "backwardpawns",
        "pawnsideways": "sidewayspawns",
        "gustav3": "gustaviii",
        "clobber10": "clobber10x10",
        "flipello10": "flipello10x10",
    }.items()
    for name in names.split()
}
#: Start positions of FICS and ICC that are chess all the same.
_WILD = re.compile(r"wild/?([0-8]|8a)")


def first_number(position: Position) -> int:
    """Return the number of the game's first move."""
    number = position.text().split()[-1]
    return int(number) if number.isdecimal() else 1


def _copied(steps: Sequence[Step]) -> list[Step]:
    return [
        replace(step, glyphs=[*step.glyphs], variations=[_copied(line) for line in step.variations])
        for step in steps
    ]


@lru_cache(1000)
def _plain(name: str) -> str:
    """Return a game's name without blanks and signs, in lower case."""
    return re.sub(r"[^\w/]|_", "", name.lower())


def _find_name(plain: str, games: Registry) -> str:
    """Return the engine's name of a game by anybody's; "" if there is none."""
    names = {_plain(name): name for name in games.names()}
    for word in (plain, plain.removesuffix("chess")):
        found = names.get(word) or _OTHER_NAMES.get(word)
        if found:
            return found
    base = _find_name(plain.removesuffix("960"), games) if plain.endswith("960") else ""
    return f"{base}960" if base else ""


def game_name(record: Record, games: Registry | None = None) -> str:
    """Return the game of the tag Variant among ``games``; chess without one, as in PGN.

    Without ``games`` the engine's own registry is asked.
    """
    name = record.tags.get("Variant", "").strip().lower()
    plain = _plain(name)
    if plain == "" or _WILD.fullmatch(plain):
        return "chess"
    return _find_name(plain, games or registry()) or name.replace(" ", "")


class Playback:
    """A record's game, checked against the rules, at some ply."""

    def __init__(self, game: Game, record: Record) -> None:
        """Play the record through, variations and all.

        Moves are put into the engine's spelling, those in SAN too. A line ends before a move that
        is not legal, which is a fault of the record; RecordError if nothing can be read. The board
        stands at the end.
        """
        self.record = record
        try:
            self.game, self.position = start_of(game, record.tags.get("FEN"))
        except UserError as error:
            raise RecordError(*record.place("FEN"), str(error)) from None
        self._dialect = read_dialect(self.position, record)
        record.white_first = self.position.side == 0
        record.first_number = first_number(self.position)
        self.steps = record.steps
        #: Whether the record is in the engine's notation: moves that are added are, too.
        self.in_coordinates = False
        #: Why the game itself is shown to a part, or None.
        self.cut: RecordError | None = self._check(record.steps, by_xboard(record.tags))
        if self.cut is not None and not record.steps:
            raise self.cut
        for line in (record.steps, *(steps for _, steps in record.variations())):
            for step in line:
                step.written = step.written or self._notation(step)
        self.to(len(self.steps))

    @classmethod
    def of(cls, record: Record, games: Registry) -> Playback:
        """Return a playback; the game is that of :func:`game_name`."""
        try:
            game = games.game(game_name(record, games))
        except UserError as error:
            raise RecordError(*record.place("Variant"), str(error)) from None
        return cls(game, record)

    def copy(self) -> Playback:
        """Return an independent playback whose board stands at the same ply of the game itself."""
        other = copy.copy(self)
        record = self.record
        steps = _copied(record.steps)
        other.record = replace(record, tags=dict(record.tags), steps=steps)
        other.steps, other.position = steps, self.position.copy()
        return other

    def _check(self, steps: list[Step], xboard: bool) -> RecordError | None:
        """Play a line from the present position, which is restored; return what has cut it off."""
        position = self.position
        begun, fault = len(position.moves), None
        for ply, step in enumerate(steps):
            for variation in step.variations:
                self._check(variation, xboard)
            step.variations = [variation for variation in step.variations if variation]
            try:
                code = recorded_code(position, step.move, xboard)
                san = to_san(position, code)
                position.push(code)
            except IllegalMove as error:
                fault = RecordError(*step.place, str(error))
                self.record.faults.append(fault)
                del steps[ply:]
                break
            step.code, step.san = code, san
            if step.place != (0, 0):
                self.in_coordinates |= step.san != step.move == position.last_move
                step.written = step.written or step.move  # as it was read
            step.move = position.last_move
        while len(position.moves) > begun:
            position.pop()
        return fault

    def heading(self) -> str:
        """Return players, game and date in one line."""
        tags = self.record.tags
        players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
        return f"{players}, {self.game.title}, {tags.get('Date', '?')}"

    @property
    def ply(self) -> int:
        """The number of plies from the start to the present position."""
        return len(self.position.moves)

    def to(self, ply: int) -> None:
        """Go to the position after so many plies, or to the nearest one."""
        ply = max(0, min(ply, len(self.steps)))
        while self.ply > ply:
            self.position.pop()
        while self.ply < ply:
            self.position.push(self.steps[self.ply].code)

    def mover(self) -> int | None:
        """Return the side that made the last move, 0 White, 1 Black; None at the start."""
        if not self.ply:
            return None
        self.position.pop()
        side = self.position.side
        self.position.push(self.steps[self.ply].code)
        return side

    def choose(self, number: int) -> None:
        """Follow a variation, numbered from 1 in the order of the text; 0: the game's own line.

        UserError if there is no such variation.
        """
        result = self.record.variations()
        if number > len(result):
            raise UserError(f"no variation {number}, the game has {len(result)}")
        steps = self.record.steps
        line: list[Step] = []
        if number:
            way = result[number - 1][0]
            for ply, variation in zip(way[::2], way[1::2], strict=True):
                line += steps[:ply]
                steps = steps[ply].variations[variation]
        before, self.steps = self.steps, line + steps
        same = takewhile(lambda pair: pair[0] is pair[1], zip(before, self.steps, strict=False))
        self.to(min(self.ply, sum(1 for _ in same)))
        self.to(len(self.steps))

    @property
    def at_end(self) -> bool:
        """Whether the board stands at the end of the game itself."""
        return self.ply == len(self.record.steps) and all(
            mine is main for mine, main in zip(self.steps, self.record.steps, strict=False)
        )

    def outcome(self) -> Outcome | None:
        """Return how the game has ended at the present position, or None."""
        outcome = self.position.outcome()
        if outcome is None and self.at_end and self.record.result != UNFINISHED:
            return Outcome(self.record.result, self._told_reason())
        return outcome

    def _told_reason(self) -> str:
        """Return the reason of the end by the last comment or the tag Termination."""
        comment = self.steps[-1].comment if self.steps else self.record.comment
        _, result, reason = comment.rpartition(f"{self.record.result} by ")
        return reason if result else self.record.tags.get("Termination", "normal")

    def status(self) -> str:
        """Return whose turn it is, or how the game has ended."""
        outcome = self.outcome()
        if outcome is not None:
            why = "" if outcome.reason == "normal" else f" ({outcome.reason})"
            return outcome.result + why
        return f"{self.game.sides[self.position.side]} to move"

    def label(self, ply: int) -> str:
        """Return the last of so many moves with its number: ``12. P0@m1``, ``12... P0@a28``."""
        if ply == 0:
            return "Start"
        half = ply - 1 + (not self.record.white_first)
        dots = "..." if half % 2 else "."
        return f"{self.record.first_number + half // 2}{dots} {self.steps[ply - 1].san}"

    def _notation(self, step: Step) -> str:
        """Return a step's move in the record's notation."""
        return self._dialect.write(step.move if self.in_coordinates else step.san)

    def branch(self, moves: Sequence[str], *, refereed: bool = False) -> None:
        """Play moves from the current position; moves that the record lacks are added to it.

        They continue a line at its end, and are a new variation elsewhere. UserError for an illegal
        move, or variations nested too deep; nothing is added then. ``refereed`` as in
        ``Position.push``.
        """
        begun, line = self.ply, self.steps
        try:
            codes, sans = [], []
            for move in moves:
                code = self.position.parse_move(engine_move(self.position, move), refereed=refereed)
                codes.append(code)
                sans.append(to_san(self.position, code))
                self.position.push(code)
            texts = self.position.moves[begun:]
            for ply, text in enumerate(texts, start=begun):
                if ply == len(self.steps) or not self._follow(ply, text):
                    new = [*zip(texts, sans, codes, strict=True)][ply - begun :]
                    steps = [Step(move, san=san, code=code) for move, san, code in new]
                    for step in steps:
                        step.written = self._notation(step)
                    self._grow(ply, steps)
                    return
        except UserError:
            self.steps = line
            self.to(begun)
            raise

    def _follow(self, ply: int, move: str) -> bool:
        """Return whether the line, or a variation entered then, continues with a move."""
        step = self.steps[ply]
        lines = [line for line in step.variations if line[0].move == move]
        if step.move != move and lines:
            self.steps = self.steps[:ply] + lines[0]
        return step.move == move or bool(lines)

    def _grow(self, ply: int, steps: list[Step]) -> None:
        """Add steps at the end of the line, or as a variation in the midst of it."""
        if ply < len(self.steps):
            if self._home(ply)[1] == MAX_NESTING:
                raise UserError(f"variations stand at most {MAX_NESTING} deep in one another")
            self.steps[ply].variations.append(steps)
        elif ply:
            self._home(ply - 1)[0].extend(steps)
        else:
            self.record.steps.extend(steps)
        self.steps = self.steps[:ply] + steps

    def _home(self, ply: int) -> tuple[list[Step], int]:
        """Return the list that holds a step of the present line, and its depth in variations."""
        wanted = self.steps[ply]
        lines = [((), self.record.steps), *self.record.variations()]
        return next(
            (steps, len(way) // 2) for way, steps in lines if any(step is wanted for step in steps)
        )
