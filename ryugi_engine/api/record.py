"""``Record``: a recorded game, read from PGN and written as PGN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ryugi_engine.api.game import Game
from ryugi_engine.api.position import Position
from ryugi_engine.errors import UserError
from ryugi_engine.files import reading, writing
from ryugi_engine.files.output import CHANGED
from ryugi_engine.games.game import Outcome
from ryugi_engine.games.registry import registry
from ryugi_engine.records import pgn
from ryugi_engine.records.editing import begin, end
from ryugi_engine.records.encoding import encoded
from ryugi_engine.records.playback import Playback

_RESULTS = ("1-0", "0-1", "1/2-1/2")


class Record:
    """A recorded game: headers, moves, result.

    ``Record(position, headers)`` records the moves that led to a position. Its result is that of
    the position, or of the header Result, such as ``1-0`` for a resignation. Raises UserError for a
    game that is over before its first move, and for a Result that is none.
    ``str()`` is the game as PGN, with a blank line at its end.

    >>> position = Position("crazyhouse")
    >>> position.push("e4")
    >>> record = Record(position, {"White": "Ann", "Black": "Bob", "Date": "2026.11.28"})
    >>> print(str(record)[-39:].strip())
    [Termination "unterminated"]
    <BLANKLINE>
    1. e4 *
    """

    __slots__ = ("_playback",)

    def __init__(self, position: Position, headers: Mapping[str, str] | None = None) -> None:
        inner = position._position
        given = {name: str(value) for name, value in (headers or {}).items()}
        result = given.pop("Result", pgn.UNFINISHED)
        if result not in (*_RESULTS, pgn.UNFINISHED):
            raise UserError(f"the result is {result[:20]!r}, and not 1-0, 0-1, 1/2-1/2 or *")
        record = begin(position.game._game, given, inner.root_text)
        self._playback = Playback(position.game._game, record)
        self._playback.branch(inner.moves, refereed=True)
        outcome = inner.outcome()
        if outcome is None and result != pgn.UNFINISHED:
            outcome = Outcome(result, "normal")
        if outcome is not None:
            end(record, outcome)

    @classmethod
    def _of(cls, playback: Playback) -> Record:
        made = object.__new__(cls)
        made._playback = playback
        return made

    @property
    def game(self) -> Game:
        """The game that is played, by the header Variant; chess without one.

        >>> Record(Position("shogi")).game.name
        'shogi'
        """
        return Game(self._playback.game)

    @property
    def headers(self) -> dict[str, str]:
        """The headers (PGN's tags), texts by names; a copy.

        >>> Record(Position("shogi"), {"White": "Ann"}).headers["White"]
        'Ann'
        """
        record = self._playback.record
        return {**record.tags, "Result": record.result}

    @property
    def result(self) -> str:
        """The result: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``.

        >>> Record(Position("chess"), {"Result": "0-1"}).result
        '0-1'
        """
        return self._playback.record.result

    @property
    def moves(self) -> list[str]:
        """The moves of the game, without variations, as texts of UCI.

        >>> read_records("1. e4 e5 2. Nf3 *")[0].moves
        ['e2e4', 'e7e5', 'g1f3']
        """
        return [step.move for step in self._playback.record.steps]

    @property
    def san(self) -> list[str]:
        """The moves of the game in SAN.

        >>> read_records("1. e2e4 e7e5 *")[0].san
        ['e4', 'e5']
        """
        return [step.san for step in self._playback.record.steps]

    @property
    def comments(self) -> list[str]:
        """The comments: before the first move, then after each move; "" where there is none.

        >>> read_records("1. e4 {best by test} e5 *")[0].comments
        ['', 'best by test', '']
        """
        record = self._playback.record
        return [record.comment, *(step.comment for step in record.steps)]

    @property
    def errors(self) -> list[str]:
        """What is wrong with the text: a line for each fault, with its line and column in the text.

        The game then ends before the first move that is not legal.

        >>> read_records("1. e4 e5 2. Ke3 *")[0].errors  # doctest: +ELLIPSIS
        ["1:13: illegal move 'Ke3' in ..."]
        """
        return [str(fault) for fault in self._playback.record.faults]

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first move, and after every move; each is a copy.

        >>> [position.turn for position in read_records("1. e4 e5 *")[0].positions()]
        [True, False, True]
        """
        playback = self._playback.copy()
        for ply in range(len(playback.steps) + 1):
            playback.to(ply)
            yield Position._of(self.game, playback.position.copy())

    def end(self) -> Position:
        """Return the last position.

        >>> read_records("1. f3 e5 2. g4 Qh4#")[0].end().reason()
        'checkmate'
        """
        return Position._of(self.game, self._playback.position.copy())

    def __str__(self) -> str:
        return pgn.format_record(self._playback.record)

    def __repr__(self) -> str:
        return f"<Record: {self._playback.heading()}, {len(self.moves)} plies, {self.result}>"


def read_records(source: str | Path) -> list[Record]:
    """Return the games of a PGN text, or of the file of a Path.

    Every dialect is read that ``ryugi-engine record`` reads: SAN, the moves of UCI, comments and
    variations. A game of which nothing can be read raises UserError, with line and column. Later
    faults are in :attr:`Record.errors`. A text without a game gives an empty list; a file without
    one raises UserError.

    >>> record, = read_records('[Variant "3check"]\\n\\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0')
    >>> record.game.name, record.result, record.san[-1]
    ('3check', '1-0', 'Qxe5#')
    """
    if isinstance(source, Path):
        records = pgn.read_records(source)
        with pgn.in_file(source):
            return [Record._of(Playback.of(record, registry())) for record in records]
    return [Record._of(Playback.of(record, registry())) for record in pgn.parse_records(source)]


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write games to a file as PGN, in UTF-8; it is replaced whole, or left as it is.

    Raises UserError if it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_records(Path(folder, "games.pgn"), read_records("1. e4 e5 *"))
    ...     read_records(Path(folder, "games.pgn"))[0].moves
    ['e2e4', 'e7e5']
    """
    target = Path(path)
    raw = encoded("".join(map(str, records)), None)
    with reading.naming(target), writing.replacing(target, CHANGED) as handle:
        handle.write(raw)
