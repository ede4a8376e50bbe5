"""One look at all records of a file of positions: kernels and trainer trust what they read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.training import NO_SQUARE, Training
from ryugi_engine.kernel.abi import EVAL_LIMIT
from ryugi_engine.nnue.inputs import BLACK, UNMOVED, WALL, Inputs
from ryugi_engine.train.positions import Records, read_facts, records, torn_bytes

#: Records looked at together: what is made of them fits a processor's cache.
_CHUNK = 1 << 13
_MOST_RIGHTS = 15
#: Fields of the sum of a position's :func:`_signs`, of so many bits each.
_BITS = 16
_PIECES, _WHITE_KINGS, _BLACK_KINGS, _UNKNOWN = (_BITS * number for number in range(4))


class _Fault(NamedTuple):
    """A kind of fault: which records have it, and how it reads for one of them."""

    wrong: NDArray[np.bool_]
    text: str
    values: NDArray[Any]


def _signs(inputs: Inputs) -> NDArray[np.int64]:
    """Return what a square's byte adds to the counts of pieces, kings and unknown bytes."""
    signs = np.full(256, 1 << _UNKNOWN, dtype=np.int64)
    codes = inputs.codes()
    if inputs.black != BLACK:
        signs[WALL] = 0
        codes = [code for code in codes if code != WALL]
    signs[0] = 0
    signs[codes] = 1 << _PIECES
    if inputs.king:
        signs[inputs.king] += 1 << _WHITE_KINGS
        signs[inputs.black + inputs.king] += 1 << _BLACK_KINGS
    if inputs.unmoved:
        signs[UNMOVED:] = signs[:UNMOVED]
    return signs


class _Look:
    """What the records of a file may hold."""

    def __init__(self, path: Path, training: Training | None) -> None:
        facts = read_facts(path)
        bounded = facts.get("bounded")
        self.most_score = bounded if isinstance(bounded, int) else EVAL_LIMIT
        self.inputs = Inputs.of_facts(facts) if training is None else training.inputs
        # a file does not say which piece is the king
        self.king = 0 if training is None else self.inputs.king
        self.most_pieces = 0 if training is None else training.most_pieces
        self.signs = _signs(self.inputs)

    def faults(self, part: Records) -> Iterator[_Fault]:
        """Yield what may be wrong with some records."""
        inputs, cells = self.inputs, part["cells"]
        side = part["side"]
        result, score = part["result"].astype(np.int32), part["score"].astype(np.int32)
        yield _Fault(side > 1, "side {}, not 0 or 1", side)
        yield _Fault(abs(result) > 1, "result {}, not -1, 0 or 1", result)
        yield _Fault(abs(score) > self.most_score, f"score {{}}, beyond {self.most_score}", score)
        rights, square = part["rights"], part["en_passant"]
        yield _Fault(rights > _MOST_RIGHTS, "castling rights {}", rights)
        outside = (square >> 4 >= inputs.ranks) | (square & 15 >= inputs.files)
        yield _Fault(outside & (square != NO_SQUARE), "en passant on square {}", square)
        board = cells[:, : inputs.squares]
        counts = self.signs[board].sum(axis=1)
        unknown = self._field(counts, _UNKNOWN) > 0
        places = np.argmax(self.signs[board[unknown]] >> _UNKNOWN, axis=1)
        shown = np.zeros(len(part), dtype=np.int64)
        shown[unknown] = board[unknown, places]
        yield _Fault(unknown, "a square with {}, which is no piece of the game", shown)
        if self.king:
            least = 1 if inputs.black == BLACK else 0
            for name, field in (("White", _WHITE_KINGS), ("Black", _BLACK_KINGS)):
                kings = self._field(counts, field)
                wrong = (kings > 1) | (kings < least)
                yield _Fault(wrong, f"{{}} kings of {name}", kings)
        if self.most_pieces:
            yield from self._too_many(self._field(counts, _PIECES), cells[:, inputs.squares :])

    def _too_many(self, pieces: NDArray[np.int64], counters: NDArray[np.uint8]) -> Iterator[_Fault]:
        held = [counter.name.endswith(" in hand") for counter in self.inputs.counters for _ in "wb"]
        pieces = pieces + counters[:, np.array(held, dtype=bool)].sum(axis=1, dtype=np.int64)
        most = self.most_pieces
        yield _Fault(pieces > most, f"{{}} pieces, of {most} at the start", pieces)
        for number, counter in enumerate(self.inputs.counters):
            for values in counters[:, 2 * number : 2 * number + 2].T:
                yield _Fault(values > max(counter.high, most), f"{counter.name}: {{}}", values)

    @staticmethod
    def _field(counts: NDArray[np.int64], shift: int) -> NDArray[np.int64]:
        return counts >> shift & (1 << _BITS) - 1


def check_records(path: Path, training: Training | None = None) -> None:
    """Raise UserError with the number of the first record that no game can have written.

    ``training`` is that of the file's game, where it is known: then kings and pieces are counted,
    too.
    """
    look, held = _Look(path, training), records(path)
    for first in range(0, len(held), _CHUNK):
        faults = [fault for fault in look.faults(held[first : first + _CHUNK]) if fault.wrong.any()]
        if faults:
            fault = min(faults, key=lambda fault: int(np.argmax(fault.wrong)))
            at = int(np.argmax(fault.wrong))
            reason = fault.text.format(fault.values[at])
            raise UserError(f"{path}: record {first + at + 1}: {reason}")
    torn = torn_bytes(path)
    if torn:
        raise UserError(
            f"{path}: record {len(held) + 1}: cut off after {torn} bytes of {held.itemsize};"
            " 'train generate' resumes the file before it"
        )
