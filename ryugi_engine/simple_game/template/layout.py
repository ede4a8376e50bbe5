"""Layouts of a simple game's frame and state, made of its fields."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY, SEARCH_PLIES
from ryugi_engine.kernel.views import Element, Layout, bitboard, i64, u32
from ryugi_engine.simple_game.definition import definition_of
from ryugi_engine.simple_game.fields import Counter, Field, Neutral, Pieces
from ryugi_engine.simple_game.nnue import KEPT, plane_codes

DEFINITION = definition_of(__name__.rpartition(".")[0])
#: Frames of a game whose length is not bounded: earlier positions are dropped, see BaseRules.
_FRAMES = 384


def _element(field: Field) -> Element:
    if isinstance(field, Pieces):
        return bitboard[2]
    if isinstance(field, Neutral):
        return bitboard
    return i64 if isinstance(field, Counter) else i64[2]


def _sets_first() -> dict[str, Element]:
    """Return the fields in the order of their sizes, bitboards first."""
    elements = {name: _element(field) for name, field in DEFINITION.fields.items()}
    return dict(sorted(elements.items(), key=lambda item: item[1].name != bitboard.name))


_FIELDS = _sets_first()
FRAME = Layout("frame", align=8, constant=False, **_FIELDS, key=i64, side=i64, number=i64)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words
#: Words of a frame that hold bitboards, which come first, and those of all fields of the game.
SET_WORDS = sum(e.bytes for e in _FIELDS.values() if e.name == bitboard.name) // 8
FIELD_WORDS = sum(e.bytes for e in _FIELDS.values()) // 8
#: On boards of up to 64 squares every second word of a bitboard is 0.
SET_STEP = 2 if DEFINITION.board.files * DEFINITION.board.ranks <= 64 else 1
#: What the game's function ``moves`` adds to. The state's address, the indices of the next move and
#: of the move buffer's last among its 32-bit words, and 1 for tactical moves only.
FOUND = Layout("found", state=i64, next=i64, last=i64, tactical=i64)
#: The piece code of each of a frame's bitboards in the inputs of a net; [] without inputs.
PLANES = plane_codes([*_FIELDS], DEFINITION.inputs, DEFINITION.fields) if DEFINITION.inputs else []
_NET: dict[str, Any] = {"net": i64} if PLANES else {}  # address of the net's block, 0 for none
_KEPT: dict[str, Any] = {"kept": KEPT.element()} if PLANES else {}
STATE = Layout(
    "state",
    header=HEADER.element(),
    found=FOUND.element(),
    **_NET,
    frames=FRAME[max(DEFINITION.longest, _FRAMES) + SEARCH_PLIES + 2],
    moves=u32[MOVE_CAPACITY],
    **_KEPT,
)
