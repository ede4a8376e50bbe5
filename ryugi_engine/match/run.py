"""A match from the command line: plan, games, records, table."""

from __future__ import annotations

import contextlib
import datetime
import gc
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.notation import parse_counter
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer, EngineFailure, EngineProcess
from ryugi_engine.match.openings import read_openings, schedule
from ryugi_engine.match.referee import (
    FAULTS,
    NEVER,
    Adjudication,
    PlayedGame,
    TimeControl,
    play_game,
)
from ryugi_engine.match.statistics import Tally
from ryugi_engine.records.pgn import Record, Step, format_record
from ryugi_engine.records.playback import first_number

_TERMINATIONS = {
    "time forfeit": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "resignation": "adjudication",
    "draw agreed": "adjudication",
}


#: The limits of --resign and --draw.
_MOST_MOVES, _MOST_CENTIPAWNS = 10_000, 100_000


class MatchError(Exception):
    """Why a match cannot be played, in one line."""


def _moves_and_score(text: str) -> tuple[int, int]:
    """From ``4:800``, four moves and 800 centipawns; ValueError if it is not like that."""
    if not text:
        return 0, 0
    moves, _, score = text.partition(":")
    if not (moves.isdigit() and score.isdigit() and moves.strip("0")):
        raise ValueError(f"'{text[:40]}' is not like 4:800 (moves:centipawns)")
    told = f"'{text[:40]}'"
    return (
        parse_counter(moves, f"{told}: moves", _MOST_MOVES),
        parse_counter(score, f"{told}: centipawns", _MOST_CENTIPAWNS),
    )


@dataclass(frozen=True)
class MatchPlan:
    """Everything that fixes a match."""

    game: Game
    engines: Sequence[str]
    games: int
    control: TimeControl
    openings: Sequence[str]
    max_plies: int
    pgn_out: Path | None = None
    variants_file: str = ""
    adjudication: Adjudication = NEVER

    @classmethod
    def read(
        cls,
        game: Game,
        *,
        engines: Sequence[str],
        games: int,
        time_control: str,
        pgn_out: Path | None,
        openings: Path | None,
        seed: int,
        max_plies: int,
        variants_file: str = "",
        resign: str = "",
        draw: str = "",
        time_margin: int = 0,
    ) -> MatchPlan:
        """From the command line's words; MatchError says what is wrong with them."""
        try:
            control = replace(TimeControl.read(time_control), margin=time_margin / 1000)
            adjudication = Adjudication(*_moves_and_score(resign), *_moves_and_score(draw))
            texts = read_openings(game, openings)
            if pgn_out is not None:
                pgn_out.parent.mkdir(parents=True, exist_ok=True)
                files.append(pgn_out, "")
        except OSError as error:
            raise MatchError(files.fault(error.filename, error)) from None
        except ValueError as error:
            raise MatchError(str(error)) from None
        order = schedule(texts, (games + 1) // 2, seed)
        return cls(
            game, engines, games, control, order, max_plies, pgn_out, variants_file, adjudication
        )


def _aside(line: str) -> None:
    print(f"ryugi-engine: {line}", file=sys.stderr, flush=True)


class _Screen:
    """Live progress: one line a move on a terminal, overwritten; plain lines elsewhere."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._live = verbose and sys.stdout.isatty()

    def begin(self, label: str) -> None:
        if self._verbose:
            print(label, flush=True)

    def move(self, position: Position, answer: Answer, clocks: tuple[float, float]) -> None:
        if not self._verbose:
            return
        ply = len(position.moves)
        thought = f"{answer.score}/{answer.depth}" if answer.score else "-"
        side = "White" if position.side == 1 else "Black"
        line = (
            f"  ply {ply:3d}  {side} {answer.move:6s} {thought:>9s}  "
            f"clocks {clocks[0]:6.2f} {clocks[1]:6.2f}"
        )
        if self._live:
            print(f"\r{line}\x1b[K", end="", flush=True)
        elif ply % 10 == 0:
            print(line, flush=True)

    def end(self, line: str) -> None:
        print(("\r\x1b[K" if self._live else "") + line, flush=True)


def _names(engines: Sequence[EngineProcess]) -> list[str]:
    names = [engine.name for engine in engines]
    if names[0] == names[1]:
        names = [f"{names[0]} ({letter})" for letter in "AB"]
    return names


def _record(plan: MatchPlan, played: PlayedGame, number: int, names: Sequence[str]) -> Record:
    now = datetime.datetime.now()
    root = Position(plan.game, played.root_text)
    tags = {
        "Event": f"{plan.game.title} engine match",
        "Site": "?",
        "Date": now.strftime("%Y.%m.%d"),
        "Round": str(number),
        "White": names[0],
        "Black": names[1],
        "Result": played.outcome.result,
        "Variant": plan.game.name,
    }
    if played.root_text != plan.game.start:
        tags |= {"SetUp": "1", "FEN": played.root_text}
    tags["TimeControl"] = str(plan.control)
    tags["Termination"] = _TERMINATIONS.get(played.outcome.reason, "normal")
    comments = [
        f"{a.score}/{a.depth} {a.seconds:.3f}s" if a.score else f"{a.seconds:.3f}s"
        for a in played.answers
    ]
    if comments:
        detail = f": {played.detail}" if played.detail else ""
        comments[-1] += f", {played.outcome.reason}{detail}"
    return Record(
        tags=tags,
        steps=[Step(*both) for both in zip(played.moves, comments, strict=True)],
        result=played.outcome.result,
        white_first=root.side == 0,
        first_number=first_number(root),
    )


class _Games:
    """A match's records, each written as its game ends; what cannot be is tried again later."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._waiting: list[Record] = []

    def add(self, record: Record) -> None:
        """Keep a game; a line on standard error where that does not work."""
        if self._path is not None:
            self._waiting.append(record)
            self._write(self._path)

    def _write(self, path: Path) -> None:
        try:
            with files.locked(path, _aside):
                while self._waiting:
                    files.append(path, format_record(self._waiting[0]))
                    del self._waiting[0]
        except OSError as error:
            waiting = counted(len(self._waiting), "game is", "games are")
            _aside(f"{files.fault(path, error)}: {waiting} not written yet")

    def close(self) -> None:
        """Write what is left, and say where the games are."""
        if self._path is None:
            return
        if self._waiting:
            self._write(self._path)
        for record in self._waiting:
            print(format_record(record))  # better here than nowhere
        print(f"Games written to {self._path}")


def _keep_transcripts(
    plan: MatchPlan, engines: Sequence[EngineProcess], names: Sequence[str], number: int
) -> list[Path]:
    """Write what was said before a fault beside the games; nothing without a PGN file."""
    if plan.pgn_out is None:
        return []
    paths = []
    for engine, name, letter in zip(engines, names, "ab", strict=True):
        path = plan.pgn_out.with_suffix(f".game{number}{letter}.log")
        path.write_text(f"# {name}\n" + "\n".join(engine.transcript()) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def _table(plan: MatchPlan, names: Sequence[str], tally: Tally, reasons: Counter[str]) -> str:
    points = tally.wins + tally.draws / 2
    lines = [
        "--------------------------------------------------",
        f"Results of {names[0]} vs {names[1]} ({plan.game.name}, {plan.control}):",
        f"Elo: {tally.elo()}",
        f"Games: {tally.games}, Wins: {tally.wins}, Losses: {tally.losses}, "
        f"Draws: {tally.draws}, Points: {points:g} ({100 * tally.score:.1f} %)",
        "Endings: " + ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()),
        "Faults: " + ", ".join(f"{fault} {reasons[fault]}" for fault in FAULTS),
        "--------------------------------------------------",
    ]
    return "\n".join(lines)


class Terminated(KeyboardInterrupt):
    """The process is asked to end: a match does so as after Ctrl-C."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: As shells count signals; fastchess and cutechess-cli say 0 or 1.
_INTERRUPTED, _TERMINATED = 128 + 2, 128 + 15


def _terminate(number: int, frame: object) -> None:
    raise Terminated


def _be_deaf() -> None:
    """Engines are being ended: a second Ctrl-C or SIGTERM must not leave them behind."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def _undivided() -> Iterator[None]:
    """Signals that come in the block are felt at its end."""
    came: list[int] = []
    before = [signal.signal(n, lambda number, frame: came.append(number)) for n in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler or signal.SIG_DFL)
    for one in came:
        signal.raise_signal(one)


def play_match(plan: MatchPlan, verbose: bool = True) -> int:
    """Play all games and print the table; returns 0, or 1 if an engine was at fault.

    Ctrl-C and SIGTERM end it early, with the table: 130 and 143. They are ignored from then on.
    """
    before = [signal.getsignal(number) for number in _SIGNALS]
    signal.signal(signal.SIGTERM, _terminate)
    code = 1
    try:
        code = _play(plan, verbose)
    finally:
        if code not in (_INTERRUPTED, _TERMINATED):
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler or signal.SIG_DFL)
    return code


def _play(plan: MatchPlan, verbose: bool) -> int:
    engines: list[EngineProcess] = []
    games = _Games(plan.pgn_out)
    tally = Tally()
    reasons: Counter[str] = Counter()
    names = ["", ""]
    try:
        try:
            for command in plan.engines:
                engine = EngineProcess(command)
                engines.append(engine)
                if plan.variants_file and engine.has_option("VariantPath"):
                    engine.set_option("VariantPath", str(Path(plan.variants_file).resolve()))
                engine.warm(Position(plan.game))
        except EngineFailure as error:
            raise MatchError(str(error)) from None
        names = _names(engines)
        gc.freeze()  # a collection of numba's heap would come on top of some engine's move
        screen = _Screen(verbose)
        for number in range(1, plan.games + 1):
            swapped = number % 2 == 0
            order = [1, 0] if swapped else [0, 1]
            pair = [engines[i] for i in order]
            pair_names = [names[i] for i in order]
            screen.begin(f"Game {number} of {plan.games}: {pair_names[0]} - {pair_names[1]}")
            opening = plan.openings[(number - 1) // 2]
            played = play_game(
                plan.game,
                pair,
                plan.control,
                opening,
                plan.max_plies,
                screen.move,
                plan.adjudication,
            )
            detail = f": {played.detail}" if played.detail else ""
            if any(played.lost_turns):
                white_late, black_late = played.lost_turns
                detail += f", turns lost on time {white_late}-{black_late}"
            with _undivided():
                white = {"1-0": 1.0, "0-1": 0.0}.get(played.outcome.result, 0.5)
                tally.add(1 - white if swapped else white)
                reasons[played.outcome.reason] += 1
                if any(played.lost_turns):
                    reasons["turns lost on time"] += sum(played.lost_turns)
                games.add(_record(plan, played, number, pair_names))
                screen.end(
                    f"Game {number}: {played.outcome.result} ({played.outcome.reason}{detail}), "
                    f"{counted(len(played.moves), 'ply', 'plies')}; "
                    f"{names[0]}: +{tally.wins} -{tally.losses} ={tally.draws}"
                )
            if played.outcome.reason in FAULTS:
                for path in _keep_transcripts(plan, pair, pair_names, number):
                    print(f"  transcript: {path}")
            if played.broken:
                for engine in pair:
                    engine.restart()
    except Terminated:
        print("\nterminated")
        return _TERMINATED
    except KeyboardInterrupt:
        print("\ninterrupted")
        return _INTERRUPTED
    except EngineFailure as error:
        raise MatchError(str(error)) from None
    finally:
        _be_deaf()
        if tally.games:
            print(_table(plan, names, tally, reasons), flush=True)
            games.close()
        for engine in engines:
            engine.close()
    return 1 if any(reasons[fault] for fault in FAULTS) else 0
