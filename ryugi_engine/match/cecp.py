"""An engine that speaks CECP, XBoard's protocol, version 2.

Sources: T. Mann and H. G. Muller, "Chess Engine Communication Protocol"; for games whose pieces
are placed, and for turns that do not alternate, ``xboard/EXTENSION.md``.
"""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path

from ryugi_engine.games.game import PASS, Game, Outcome, read_move
from ryugi_engine.games.notation import parse_board, square_name
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import (
    MATE,
    Answer,
    Engine,
    EngineFailure,
    EngineHang,
    FalseClaim,
    Turn,
    Unfair,
)
from ryugi_engine.match.timecontrol import TimeControl
from ryugi_engine.records.pgn import score_text

#: The protocol's name for the game that an engine begins with.
_PLAIN = {"chess": "normal"}
#: Seconds without a feature after which an engine is taken for one of the first version.
_SILENT = 60.0
_FEATURE = re.compile(r"(\w+)=(\"[^\"]*\"|\S+)")
_THOUGHT = re.compile(r"\s*(\d{1,5})[.+]?\s+(-?\d{1,9})\s+\d+\s+\d+")
_RESULTS = ("1-0", "0-1", "1/2-1/2")
_UNDERSTOOD = frozenset(
    """
    ping setboard usermove time draw sigint sigterm reuse myname variants colors nps name option
    done playother san analyze debug memory smp exclude pause ics egt highlight
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


def edit_lines(game: Game, text: str) -> list[str] | None:
    """The lines of ``edit`` that set a position up where ``setboard`` is not known.

    None if they cannot say what the text says: they have White on move, every right to castle
    that the pieces' places allow, and no pawn that may be taken in passing.
    """
    fields = text.split()
    if not game.royal or len(fields) < 4 or fields[1] != "w" or fields[3] != "-":
        return None
    rights = ""
    for right in game.start.split()[2].strip("-"):
        with contextlib.suppress(ValueError):
            Position(game, " ".join([*fields[:2], right, *fields[3:]]))
            rights += right
    if (rights or "-") != fields[2]:
        return None
    board = parse_board(fields[0], game.files, game.ranks, "".join(game.pieces))
    white = [letter + square_name(at) for at, letter in board.items() if letter.isupper()]
    black = [letter.upper() + square_name(at) for at, letter in board.items() if letter.islower()]
    return ["edit", "#", *white, "c", *black, "."]


class CecpEngine(Engine):
    """Speaks CECP with an engine."""

    _info = ""
    _thinking = False
    _offers = False
    _pings = 0
    _claim = ""

    # ---- lines of the engine ---------------------------------------------------------------

    def _line(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word == "move" or line.startswith("My move is:"):
            self._moved(rest.rpartition(":")[2].strip())
        elif (line[:1].isdigit() and word not in _RESULTS) or line[:1] in " \t":
            if self._thinking and _THOUGHT.match(line):
                self._info = line
        elif word == "pong":
            if rest.strip() == str(self._pings) and self._due == "pong":
                self._found(None)
        elif word == "feature":
            self._learn(rest)
        elif word == "resign":
            self._claimed("resign")
        elif word in _RESULTS:
            self._claimed(line.strip())
        elif line.strip() == "offer draw":
            self._offers = True
        elif line.lower().startswith("illegal move"):
            self._fail(FalseClaim(f"it refuses a legal move: {line[:100]}"))
        elif word == "tellusererror" and "illegal position" in rest.lower():
            self._fail(FalseClaim(f"it refuses a position: {rest[:100]}"))

    _due = ""

    def _moved(self, move: str) -> None:
        if not self._thinking:
            self._fail(Unfair(f"'move {move[:40]}' out of turn"))
            return
        self._thinking = False
        self._found((move, time.perf_counter()))

    def _claimed(self, text: str) -> None:
        """The engine gives up or says how the game has ended; between moves that can wait."""
        if self._thinking:
            self._thinking = False
            self._found((f"!{text}", time.perf_counter()))
        else:
            self._claim = text

    def _learn(self, words: str) -> None:
        for name, quoted in _FEATURE.findall(words):
            value = quoted.strip('"')
            if name == "option":
                option = value.partition(" -")
                self._options[option[0].lower()] = (option[0], option[2].partition(" ")[0])
            else:
                self._features[name] = value
            if name == "done":
                if self._due == "done":
                    self._found(None)
            else:
                taken = name in _UNDERSTOOD and not (name == "san" and value == "1")
                self.wire.send(f"{'accepted' if taken else 'rejected'} {name}")
        self._told_name = self._features.get("myname", "")

    # ---- words to the engine ---------------------------------------------------------------

    async def _introduce(self) -> None:
        self._options: dict[str, tuple[str, str]] = {}
        self._features: dict[str, str] = {}
        self._due = "done"
        self.wire.send("xboard", "protover 2")
        await self._wait_features()
        given = dict(self.spec.options)
        lower = {name.lower() for name in given}
        if self._variants_file and "variantpath" in self._options and "variantpath" not in lower:
            given = {"VariantPath": str(Path(self._variants_file).resolve()), **given}
        for name, value in given.items():
            self._set(name, value)
        await self._ping()
        self._choose_game()

    async def _wait_features(self) -> None:
        """Wait for the engine's features, as long as it asks for."""
        silent = min(_SILENT, self.patience.start)
        while self._features.get("done") != "1":
            asked = "done" in self._features
            try:
                await self._wait(self.patience.start if asked else silent, "no 'feature done=1'")
            except EngineHang:
                if self._features:
                    raise
                self._fault = None  # an engine of the protocol's first version says nothing
                return

    def _set(self, name: str, value: str) -> None:
        lower = name.lower()
        known = self._options.get(lower) or self._options.get(lower.replace(" ", ""))
        if known is not None:
            if known[1] == "check":
                value = {"true": "1", "on": "1", "false": "0", "off": "0"}.get(value, value)
            bare = known[1] in ("button", "save", "reset")
            self.wire.send(f"option {known[0]}" + ("" if bare else f"={value}"))
        elif lower in ("hash", "memory") and self._features.get("memory") == "1":
            self.wire.send(f"memory {value}")
        elif lower in ("threads", "cores") and self._features.get("smp") == "1":
            self.wire.send(f"cores {value}")
        else:
            raise EngineFailure(f"it has no option '{name[:60]}'")

    def _choose_game(self) -> None:
        name = self.spec.variant or _PLAIN.get(self.game.name, self.game.name)
        told = self._features.get("variants", "normal")
        games = [game.strip() for game in told.split(",")]
        if name not in games and self.game.files <= 16 and self.game.ranks <= 17:
            # larger boards an engine need not announce: no GUI could show them
            raise EngineFailure(f"it does not play '{name}', it plays {told[:300]}")
        self._variant = name

    async def _ping(self) -> None:
        if self._features.get("ping") == "1":
            self._pings += 1
            self._due = "pong"
            self.wire.send(f"ping {self._pings}")
            await self._wait(self.patience.start, "no answer to 'ping'")

    @property
    def reusable(self) -> bool:
        """Whether the process can play another game."""
        return super().reusable and self._features.get("reuse") != "0"

    async def _begin(self, position: Position) -> None:
        self._thinking = self._offers = False
        self._claim = ""
        lines = ["new"]
        if self._variant != "normal":
            lines.append(f"variant {self._variant}")
        lines += ["force", "hard" if self.spec.ponder else "easy", "post", "computer"]
        self._level: TimeControl | None = None
        self._known: list[str] = []
        self._answered: str | None = None
        #: Whose turn it is where turns alternate, and whether the engine plays by itself.
        self._order = position.side
        self._playing = False
        if position.root_text != position.game.start:
            lines += self._place(position.root_text)
        else:
            # where Black begins, White passes first: the order is the GUI's
            self._order = 0
        self.wire.send(*lines)
        await self._ping()

    def takes(self, text: str) -> bool:
        """Whether a game can begin for the engine with a position text."""
        if self._features.get("setboard") == "1" or text == self.game.start:
            return True
        return edit_lines(self.game, text) is not None

    def _place(self, text: str) -> list[str]:
        if self._features.get("setboard") == "1":
            return [f"setboard {text}"]
        lines = edit_lines(self.game, text)
        if lines is None:
            raise EngineFailure("it cannot be given this position")
        return lines

    async def _move(self, turn: Turn, patience: float) -> Answer:
        position, side = turn.position, turn.position.side
        lines = []
        if self._level is not turn.control:
            self._level = turn.control
            lines += self._limits(turn.control)
        taken_back = self._own_move(position)
        news = self._news(turn)
        goes_on = self._playing and len(news) == 1 and not taken_back
        if not goes_on:
            lines += ["force"] * self._playing + ["undo"] * taken_back
            lines += [self._usermove(move) for move in news]
        if not (turn.control.endless or turn.control.per_move):
            own, other = turn.clocks[side], turn.clocks[1 - side]
            times = [own.left, own.left if other.control.endless else other.left]
            lines += [
                f"{word} {max(1, round(left * 100))}"
                for word, left in zip(("time", "otim"), times, strict=True)
            ]
        lines.append(self._usermove(news[0]) if goes_on else "go")
        if self._claim:
            raise FalseClaim(f"'{self._claim[:60]}' in a game that goes on")
        self._info, self._offers, self._playing, self._thinking = "", False, True, True
        self.wire.send(*lines)
        began = time.perf_counter()
        text, ended = await self._wait(patience, "no answer")
        return self._answer(text, max(ended - began, 0.0), side)

    def _own_move(self, position: Position) -> bool:
        """Take note of the engine's last move; whether the referee has passed instead of it."""
        answered, self._answered = self._answered, None
        if answered is None:
            return False
        passed = position.moves[len(self._known)] == PASS
        if passed and read_move(answered) != PASS:
            return True
        self._known.append(position.moves[len(self._known)])
        self._order ^= 1
        return False

    def _news(self, turn: Turn) -> list[str]:
        """The moves that the engine does not know yet, in an order where turns alternate.

        What a side has not played that the order is at, it passes; at last the engine is on move.
        """
        news: list[str] = []
        moves = turn.position.moves
        for ply in range(len(self._known), len(moves)):
            if self._order != turn.story.sides[ply]:
                news.append(PASS)
                self._order ^= 1
            news.append(moves[ply])
            self._order ^= 1
        self._known = list(moves)
        if self._order != turn.position.side:
            news.append(PASS)
            self._order ^= 1
        return news

    def _usermove(self, move: str) -> str:
        word = "usermove " if self._features.get("usermove") == "1" else ""
        return word + ("@@@@" if move == PASS else move)

    def _limits(self, control: TimeControl) -> list[str]:
        lines = []
        if control.per_move:
            lines.append(f"st {control.per_move:g}")
        elif not control.endless:
            seconds = max(1, round(control.base))
            lines.append(
                f"level {control.moves} {seconds // 60}:{seconds % 60:02d} {control.increment:g}"
            )
        if control.depth:
            lines.append(f"sd {control.depth}")
        if control.nodes:
            if self._features.get("nps") != "1" or not control.endless:
                raise EngineFailure("this engine's nodes cannot be limited")
            lines += [f"nps {control.nodes}", "st 1"]
        return lines

    def _answer(self, text: str, seconds: float, side: int) -> Answer:
        if text.startswith("!"):
            if text == "!resign" or text.startswith("!" + ("0-1", "1-0")[side]):
                return Answer("", seconds, resigns=True)
            raise FalseClaim(f"'{text[1:60]}' in a game that goes on")
        self._answered = text
        move = read_move(text.split(maxsplit=1)[0]) if text else ""
        found = _THOUGHT.match(self._info)
        if found is None:
            return Answer(move, seconds, offers=self._offers)
        depth, number = int(found[1]), int(found[2])
        mate = None
        if abs(number) > MATE:
            mate = number - MATE if number > 0 else number + MATE
        score = score_text(number, mate)
        return Answer(move, seconds, score, depth, number, offers=self._offers)

    async def end_game(self, outcome: Outcome) -> None:
        """Tell the engine how it ended."""
        self._thinking = False
        if not self.wire.ended:
            self.wire.send("force", f"result {outcome.result} {{{outcome.reason}}}")
