"""An engine that speaks CECP, XBoard's protocol, version 2.

Sources: T. Mann and H. G. Muller, "Chess Engine Communication Protocol"; for games whose pieces
are placed, and for turns that do not alternate, ``xboard/EXTENSION.md``.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Collection

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import PASS, Game, IllegalMove, Outcome, read_move
from ryugi_engine.games.notation import own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.match.cecp_text import (
    MoveReader,
    Thought,
    castling_spelled,
    game_name,
    option_lines,
    read_thought,
    refuses,
    usermove,
)
from ryugi_engine.match.engine import (
    MATE,
    Answer,
    Engine,
    EngineFailure,
    EngineHang,
    FalseClaim,
    ProtocolViolation,
    Turn,
    Unsupported,
)
from ryugi_engine.match.engine_options import cecp_option
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.records.pgn import score_text
from ryugi_engine.records.san import engine_move

#: Seconds without a feature after which an engine is taken for one of the first version.
_SILENT = 60.0
#: Seconds without a feature after which an engine gets a ``ping``, again and again. GNU Chess can
#: miss a line until another one comes.
_NUDGE = 2.0
#: First moves whose thoughts are kept.
_MOST_THOUGHTS = 256
_FEATURE = re.compile(r"\b(\w+)=(\"[^\"]*\"|\S+)")
_RESULTS = ("1-0", "0-1", "1/2-1/2")
_UNDERSTOOD = frozenset(
    """
    ping setboard usermove time draw sigint sigterm reuse myname variants colors nps name option
    done playother san analyze debug memory smp exclude pause ics egt highlight
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


class CecpEngine(Engine):
    """Speaks CECP with an engine."""

    _offers = False
    _pings = 0
    _claim = ""
    #: The moves that the engine was sent for this turn.
    _sent: Collection[str] = ()

    def __init__(self, spec: EngineSpec, game: Game, variants_file: str, timeouts: Timeouts):
        super().__init__(spec, game, variants_file, timeouts)
        # some engines say something before they are asked
        self.features: dict[str, str] = {}
        self._moves = MoveReader()
        #: The last thought of each first move, in the order in which they came.
        self._thoughts: dict[str, Thought] = {}

    # ---- lines of the engine ---------------------------------------------------------------

    def _handle_line(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        move = self._moves.read(line)
        if move is not None and self.thinking:
            self._moved(move, line)
        elif move is not None:
            self._fail(ProtocolViolation(f"'move {move[:40]}' out of turn"))
        elif (line[:1].isdigit() and word not in _RESULTS) or line[:1] in " \t":
            self._keep(read_thought(line) if self.thinking else None)
        elif word == "pong":
            self._resolve(f"pong {rest.strip()}")
        elif word == "feature":
            self._read_features(rest)
        elif word == "resign":
            self._claimed("resign")
        elif word in _RESULTS:
            self._claimed(line.strip())
        elif line.strip() == "offer draw":
            self._offers = True
        elif self.thinking and refuses(line, self._sent):
            self._fail(FalseClaim(f"it refuses a legal move: {line[:100]}"))
        elif word in ("Error", "Illegal") and ("protover" in rest or "ping" in rest):
            self._resolve("done")  # an engine of the protocol's first version
        elif word == "tellusererror" and "illegal position" in rest.lower():
            self._fail(FalseClaim(f"it refuses a position: {rest[:100]}"))

    def _keep(self, thought: Thought | None) -> None:
        """Keep a thought, but no bound where a score of the same move is known."""
        if thought is not None:
            known = self._thoughts.get(thought.first)
            if thought.exact or known is None or not known.exact:
                self._thoughts.pop(thought.first, None)
                self._thoughts[thought.first] = thought
                if len(self._thoughts) > _MOST_THOUGHTS:
                    del self._thoughts[next(iter(self._thoughts))]

    def _thought_of(self, move: str, position: Position) -> Thought | None:
        """Return the last thought about a move; if none is, the last one, an exact one first.

        With several lines of a search the last is the worst of them.
        """
        thoughts = [*reversed(self._thoughts.values())]
        for thought in thoughts:
            with contextlib.suppress(IllegalMove):
                if engine_move(position, own_ranks(thought.first, position.game.ranks)) == move:
                    return thought
        return next((thought for thought in thoughts if thought.exact), next(iter(thoughts), None))

    def _claimed(self, text: str) -> None:
        """Keep a resignation or a claimed result until the engine is asked for its move."""
        if self.thinking:
            self._moved(f"!{text}", text)
        else:
            self._claim = text

    def _read_features(self, features: str) -> None:
        for name, quoted in _FEATURE.findall(features):
            value = quoted.strip('"')
            taken = name in _UNDERSTOOD and not (name == "san" and value == "1")
            if name == "option":
                self._add_option(cecp_option(value))
            elif taken:
                self.features[name] = value
            if name == "done":
                self._resolve("done")
                self._resolve(f"done={value}")
            else:
                self.process.reply(f"{'accepted' if taken else 'rejected'} {name}")
        self._reported_name = self.features.get("myname", "")

    # ---- lines to the engine ---------------------------------------------------------------

    async def handshake(self) -> None:
        """Send ``protover`` and read the features."""
        self.process.send("xboard", "protover 2")
        await self._wait_features()

    async def configure(self) -> None:
        """Set the options, and find the engine's name of the game."""
        self.process.send(
            *option_lines(self.spec, self.options, self.features, self._variants_file)
        )
        await self.ready()
        self.variant = game_name(self.spec, self.game, self.features)

    async def _wait_features(self) -> None:
        """Wait for the engine's features; longer only if it asks for that by ``done=0``."""
        nudging = asyncio.ensure_future(self._nudge())
        try:
            await self._wait("done", min(_SILENT, self.timeouts.start / 2), "no 'feature done'")
        except EngineHang:
            self.fault = None  # an engine of the protocol's first version says nothing
        finally:
            nudging.cancel()
        if self.features.get("done") == "0":
            await self._wait("done=1", self.timeouts.start, "no 'feature done=1'")

    async def _nudge(self) -> None:
        while not self.features:
            await asyncio.sleep(_NUDGE)
            self._send_ping()

    def _send_ping(self) -> None:
        self._pings += 1
        self.process.send(f"ping {self._pings}")

    async def ready(self, timeout: float = 0.0) -> None:
        """Wait for the answer to a ``ping``, if the engine has that."""
        if self.features.get("ping") == "1":
            self._send_ping()
            pong = f"pong {self._pings}"
            await self._wait(pong, timeout or self.timeouts.start, "no answer to 'ping'")

    @property
    def reusable(self) -> bool:
        """Whether the process can play another game."""
        return super().reusable and self.features.get("reuse") != "0"

    async def _begin(self, position: Position) -> None:
        self.thinking = False
        self._sent = []
        lines = ["new"]
        if self.variant != "normal":
            lines.append(f"variant {self.variant}")
        lines += ["force", "hard" if self.spec.ponder else "easy", "post"]
        # else Fairy-Max takes it for a move, and crashes one time in four
        if self.features.get("name") == "1":
            lines.append("computer")
        self._level: TimeControl | None = None
        self._known: list[str] = []
        self._answered: str | None = None
        #: Whose turn it is where turns alternate, and whether the engine plays by itself.
        self._order = position.side
        self._playing = False
        if position.root_text != position.game.start:
            if not self.takes_positions:
                raise EngineFailure("it cannot be given this position")
            lines.append(f"setboard {position.root_text}")
        else:
            # where Black begins, White passes first: the order is the GUI's
            self._order = 0
        self.process.send(*lines)
        await self.ready()
        # a claim or an offer that has come until now was one of the game before
        self._claim, self._offers = "", False

    def check_control(self, control: TimeControl) -> None:
        if control.nodes and self.features.get("nps") != "1":
            raise Unsupported("its nodes cannot be limited: it has no feature nps")
        if control.nodes and not control.endless:
            raise Unsupported("CECP has no limit of nodes beside a clock")

    @property
    def takes_positions(self) -> bool:
        """Whether the engine can begin a game at another position than the start."""
        return self.features.get("setboard") == "1"

    async def _move(self, turn: Turn, timeout: float) -> Answer:
        position, side = turn.position, turn.position.side
        lines = []
        if self._level is not turn.control:
            self._level = turn.control
            lines += self._limits(turn.control)
        taken_back = self._own_move(position)
        news = self._news(turn)
        goes_on = self._playing and len(news) == 1 and not taken_back
        if not goes_on:
            lines += ["force"] * self._playing + ["undo"] * taken_back + news
        if not (turn.control.endless or turn.control.per_move):
            own, other = turn.clocks[side], turn.clocks[1 - side]
            times = [own.left, own.left if other.control.endless else other.left]
            lines += [
                f"{word} {max(1, round(left * 100))}"
                for word, left in zip(("time", "otim"), times, strict=True)
            ]
        lines.append(news[0] if goes_on else "go")
        if self._claim:
            return self._read_answer(f"!{self._claim}", 0.0, position)
        self._think(*lines)
        return await self.answer(turn, time.perf_counter(), timeout)

    def _think(self, *lines: str) -> None:
        """Send lines that start a search: the last is ``go`` or the opponent's move."""
        self._thoughts.clear()
        self._offers, self._playing, self.thinking = False, True, True
        self.process.send(*lines)

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
        """Return the lines of moves not sent yet; the sides alternate in them.

        A side passes where the same side moves twice, and at the end if the engine is not on move.
        """
        news: list[str] = []
        moves = turn.position.moves
        for ply in range(len(self._known), len(moves)):
            if self._order != turn.sent.sides[ply]:
                news.append(PASS)
                self._order ^= 1
            news.append(moves[ply])
            self._order ^= 1
        self._known = list(moves)
        if self._order != turn.position.side:
            news.append(PASS)
            self._order ^= 1
        self._sent = news
        spelled = castling_spelled(turn.position, news)
        return [usermove(move, self.game, self.features) for move in spelled]

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
            lines += [f"nps {control.nodes}", "st 1"]
        return lines

    def _read_answer(self, best: str, seconds: float, position: Position) -> Answer:
        text = best
        if text.startswith("!"):
            if text == "!resign" or text.startswith("!" + ("0-1", "1-0")[position.side]):
                return Answer("", seconds, resigns=True)
            raise FalseClaim(f"'{text[1:60]}' in a game that goes on")
        text = own_ranks(text, position.game.ranks)
        self._answered = text
        with contextlib.suppress(IllegalMove):  # the protocol lets engines write SAN, too
            text = engine_move(position, text)
        move = read_move(text)
        thought = self._thought_of(move, position)
        if thought is None:
            return Answer(move, seconds, offers=self._offers)
        number = thought.score
        mate = None
        if abs(number) > MATE:
            mate = number - MATE if number > 0 else number + MATE
        score = score_text(number, mate)
        return Answer(move, seconds, score, thought.depth, number, offers=self._offers)

    async def end_game(self, outcome: Outcome) -> None:
        """Tell the engine how it ended."""
        self.thinking = False
        if not self.process.ended:
            self.process.send("force", f"result {outcome.result} {{{outcome.reason}}}")
