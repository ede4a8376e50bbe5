"""Files of openings: a position a line, or games in PGN, of any size.

A file is looked through once for where its openings begin. Each is read when it is used.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import MAX_RECORDS, naming, opened, read_bytes
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import read_epd, start_of
from ryugi_engine.records.dialect import read_dialect
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import Record, RecordError, parse_records
from ryugi_engine.records.playback import game_name
from ryugi_engine.records.san import by_xboard, recorded_code

_CHUNK, _ANY_SIZE = 1 << 20, 1 << 62
#: Bytes that show whether a file has games.
_HEAD = 1 << 16
#: Comments, and lines that readers skip, before the first tag of a file.
_OUTSIDE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|[;%][^\r\n]*+|\{[^}]*+\})*+")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NEWLINE, _RETURN = b"\n\r"
_Cells = npt.NDArray[np.uint8]
_Flags = npt.NDArray[np.bool_]


class OpeningFile:
    """The openings of a file, by their numbers from 0."""

    def __init__(self, game: Game, path: Path, plies: int = 0) -> None:
        """Find the openings; ``plies`` are those taken from a game, 0 for all.

        UserError for what cannot be read, or has none.
        """
        self._game, self._path, self._plies = game, path, plies
        #: The content, of a file in UTF-16 alone.
        self._content = b""
        with naming(path):
            with opened(path, _ANY_SIZE) as handle:
                head = handle.read(_HEAD)
            if head.startswith(_UTF16):
                self._content = decoded(path, read_bytes(path, MAX_RECORDS)).encode()
                head = self._content[:_HEAD]
            self._games = path.suffix.lower() in (".pgn", ".kif") or _has_tag(head)
            self._find()
        if not len(self):
            raise UserError(f"{path}: no {'games' if self._games else 'positions'}")

    def _find(self) -> None:
        """Find where openings begin: offsets, which end with the file's, and numbers of lines."""
        begin = _Games() if self._games else _Lines()
        offsets, numbers, at, line = [], [], 0, 1
        for block, size in self._blocks():
            cells = np.frombuffer(block, np.uint8, size)
            ends = cells == _NEWLINE
            if b"\r" in block:
                alone = cells[:-1] == _RETURN
                alone &= cells[1:] != _NEWLINE
                ends[:-1] |= alone
                ends[-1] |= cells[-1] == _RETURN
            starts = np.append(0, np.flatnonzero(ends)[: None if not ends[-1] else -1] + 1)
            second = np.minimum(starts + 1, len(cells) - 1)
            found = np.flatnonzero(begin.among(cells[starts], cells[second]))
            offsets.append(starts[found] + at)
            numbers.append((found + line).astype(np.uint32))
            at += size
            line += len(starts)
        self._offsets = np.concatenate([*offsets, [at]])
        self._numbers = np.concatenate([*numbers, [0]])
        #: A number that shows whether lines of the file have been added, removed or moved.
        self.digest = zlib.crc32(self._offsets.tobytes())

    def _blocks(self) -> Iterator[tuple[bytes, int]]:
        """Yield the content in blocks, each with the bytes of it that are whole lines."""
        with self._open() as handle:
            left = b""
            while part := handle.read(_CHUNK):
                left += part
                end = left.rfind(b"\n") + 1 or left.rfind(b"\r", 0, -1) + 1
                if end:
                    yield left, end
                elif len(left) > MAX_RECORDS:
                    raise UserError(f"{self._path}: a line is larger than {MAX_RECORDS >> 20} MB")
                left = left[end:]
            if left:
                yield left, len(left)

    def _open(self) -> BinaryIO:
        if self._content:
            return io.BytesIO(self._content)
        return open(self._path, "rb", buffering=0)

    def __len__(self) -> int:
        """Return how many openings there may be: comments after blanks are among them."""
        return len(self._offsets) - 1

    def place(self, number: int) -> str:
        """Return ``FILE:LINE: `` of an opening, for a message."""
        return f"{self._path}:{self._numbers[number]}: "

    def read(self, number: int) -> Position | None:
        """Set up an opening: None for a comment; UserError names file and line."""
        begin, end = (int(offset) for offset in self._offsets[number : number + 2])
        with naming(self._path), self._open() as handle:
            handle.seek(begin)
            raw = handle.read(min(end - begin, MAX_RECORDS))
        text = decoded(self._path, raw)
        try:
            return self._of_game(text) if self._games else self._of_line(text)
        except RecordError as error:
            line = error.line + int(self._numbers[number]) - 1
            raise UserError(f"{self._path}:{line}:{error.column}: {error.reason}") from None
        except UserError as error:
            raise UserError(f"{self.place(number)}{error}") from None

    def _of_line(self, text: str) -> Position | None:
        """Return the position of the first line of a text; see :func:`read_epd`."""
        text = (text.splitlines() or [""])[0].strip()
        if not text.split(";")[0].strip() or text.startswith(("#", "%")):
            return None
        return _started(self._game, read_epd(text)[0])

    def _of_game(self, text: str) -> Position | None:
        """Return the position after the first plies of a game."""
        records = parse_records(text)
        return _after(self._game, records[0], self._plies) if records else None


class _Lines:
    """Finds the lines of positions."""

    def among(self, first: _Cells, second: _Cells) -> _Flags:
        """Return which lines have one, by their first two bytes."""
        return np.isin(first, np.frombuffer(b"\r\n#%", np.uint8), invert=True)


class _Games:
    """Finds the lines by which games begin: a tag after no tag, or ``1.`` after a blank line."""

    #: Whether the last line that was not blank is a tag, and whether the last line is blank.
    _tag, _blank = False, True

    def among(self, first: _Cells, second: _Cells) -> _Flags:
        """Return which lines begin a game, by their first two bytes."""
        blank = np.isin(first, np.frombuffer(b"\r\n", np.uint8))
        letter = ((second | 32) >= ord("a")) & ((second | 32) <= ord("z"))
        tag = (first == ord("[")) & letter
        number = (first == ord("1")) & (second == ord("."))
        filled = np.flatnonzero(~blank)
        after_tag = np.zeros(len(first), bool)
        after_tag[filled] = np.append(self._tag, tag[filled])[:-1]
        after_blank = np.append(self._blank, blank)[:-1]
        if len(filled):
            self._tag = bool(tag[filled[-1]])
        self._blank = bool(blank[-1])
        begins: _Flags = ~blank & ~after_tag & (tag | (number & after_blank))
        return begins


def _has_tag(head: bytes) -> bool:
    """Return whether a file begins with the tag of a game."""
    begin = _OUTSIDE.match(head)
    return begin is not None and head.startswith(b"[", begin.end())


def _started(game: Game, text: str | None) -> Position:
    """Return a game's position, read as :func:`start_of` does."""
    found, position = start_of(game, text)
    if found.name != game.name:
        raise UserError(f"a position of {found.name}, not of {game.name}")
    return position


def _after(game: Game, record: Record, plies: int) -> Position:
    """Return the position after the first plies of a record; RecordError if they are illegal."""
    name = game_name(record)
    if "Variant" in record.tags and name.lower() not in (game.name, *game.aliases):
        message = f"a game of '{name[:40]}', not of {game.name}"
        raise RecordError(*record.place("Variant"), message)
    try:
        position = _started(game, record.tags.get("FEN"))
    except UserError as error:
        raise RecordError(*record.place("FEN"), str(error)) from None
    read_dialect(position, record)
    for step in record.steps[: plies or None]:
        try:
            position.push(recorded_code(position, step.move, by_xboard(record.tags)))
        except UserError as error:
            raise RecordError(*step.place, str(error)) from None
    return position
