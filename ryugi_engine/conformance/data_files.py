"""Check a game's properties and data files: whether they are there and right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.perft.count import Perft, read_suite, suite_position

KINDS = ("perft", "bench", "openings")
#: Counts of the perft file up to this are recounted.
_PERFT_NODES = 4_000_000


def _piece_faults(game: Game) -> Iterator[str]:
    for letter in game.pieces:
        if len(letter) != 1 or not "A" <= letter <= "Z":
            yield f"pieces: '{letter}' is not a letter of A to Z"
    for what, letter in (("royal", game.royal), ("pawn", game.pawn)):
        if letter and letter not in game.pieces:
            yield f"{what}: '{letter}' is none of the pieces {''.join(game.pieces)}"
    moving = [letter for letter, moves in game.pieces.items() if moves]
    if game.placed and moving:
        yield f"placed: pieces are placed, and '{moving[0]}' moves"
    if not game.placed and not moving:
        yield "placed: no piece moves, and the game does not say that they are placed"


def _hand_faults(game: Game) -> Iterator[str]:
    """Yield faults of the hands that GUIs drag pieces from, written after the text's board."""
    if not game.placed:
        return
    if game.pocket < len(game.pieces):
        kinds = counted(len(game.pieces), "kind")
        yield f"pocket: pieces are placed, of {kinds}, and the hand has {game.pocket}"
    rows, bracket, hands = game.start.split()[0].partition("[")
    if rows.count("/") + 1 != game.ranks:
        return  # a text of the game's own, which no GUI reads
    missing = [letter for letter in game.pieces if letter not in hands.upper()]
    if not bracket or missing:
        lacks = f"no {missing[0]}" if bracket else "no '[...]' behind the board"
        yield f"start: pieces are placed, and '{game.start}' has {lacks}: none could be dragged"


def _move_faults(game: Game) -> Iterator[str]:
    try:
        re.compile(game.move_shape)
    except re.error as error:
        yield f"move_shape: '{game.move_shape}' is no regular expression: {error}"


def file_faults(game: Game, tracer: Tracer) -> Iterator[str]:
    """Yield positions in files that are illegal or not in canonical form."""
    for kind in KINDS:
        path = game.data_file(kind)
        if path is None or not path.is_file():
            continue
        if not game.positions(kind):
            yield f"{kind}: the file {kind}/{path.name} holds no position"
        elif kind != "perft":
            yield from _canonical(game, kind, tracer)


def missing_files(game: Game) -> Iterator[str]:
    """Yield the files that a game may have and has not: it can be played without."""
    if game.folder is None:  # a definition's game
        return
    if not (game.folder / "RULES.md").is_file():
        yield f"RULES.md is missing in {game.folder}: 'rules' shows it"
    paths = {kind: game.folder / kind / f"{game.name}.epd" for kind in KINDS}
    missing = [f"{kind}/{path.name}" for kind, path in paths.items() if not path.is_file()]
    if missing:
        names = ", ".join(missing)
        yield f"missing in {game.folder}: {names}; 'ryugi-engine positions' makes them"


def _canonical(game: Game, kind: str, tracer: Tracer) -> Iterator[str]:
    for text in game.positions(kind):
        try:
            tracer.at(text)
            actual = tracer.position(game, text).text()
        except ValueError as error:
            yield f"{kind}: {error} in '{text}'"
            return
        if actual != text:
            yield f"{kind}: '{text}' is written '{actual}'"
            return


def count_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with the perft file."""
    path = game.data_file("perft")
    if path is None or not path.is_file():
        return
    try:
        for line in read_suite(path):
            position = suite_position(game, path, line)
            for depth, expected in line.counts.items():
                if expected <= _PERFT_NODES:
                    fault = _count_fault(position, line.number, depth, expected)
                    if fault:
                        yield fault
                        break
    except UserError as error:
        yield f"perft: {error}"


def _count_fault(position: Position, line: int, depth: int, expected: int) -> str:
    for bulk, how in ((True, "in bulk"), (False, "leaf by leaf")):
        actual = Perft(position, depth, bulk=bulk).run().nodes
        if actual != expected:
            return f"perft: line {line}: {actual} at depth {depth} {how}, not {expected}"
    return ""


def fact_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with a game's properties, without the game's name."""
    if game.reference is None:
        yield "reference: the game has no reference rules to compare its kernels with"
    if not 1 <= game.files <= 702 or not 1 <= game.ranks <= 99:
        yield f"files, ranks: no board of {game.files}x{game.ranks}"
    if not game.title or not game.title.isprintable():
        yield "title: the game needs a name for people"
    yield from _piece_faults(game)
    yield from _hand_faults(game)
    yield from _move_faults(game)


def start_faults(game: Game, tracer: Tracer) -> Iterator[str]:
    """Yield what is wrong with the start position."""
    try:
        tracer.at(game.start)
        actual = tracer.position(game, game.start).text()
    except ValueError as error:
        yield f"start: {error}"
        return
    if actual != game.start:
        yield f"start: '{game.start}' is written '{actual}'"
    elif not tracer.position(game, game.start).legal_codes():
        yield "start: there is no legal move"
    if game.reference is not None and game.reference(game.start).text() != game.start:
        yield f"reference: its rules write the start '{game.reference(game.start).text()}'"
