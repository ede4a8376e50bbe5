"""Standard Algebraic Notation for chess-like games: read, and written as the export format has it.

Any game whose pieces move from square to square and have letters is read by its own legal moves.
Source: S. J. Edwards, "Portable Game Notation Specification", 1994, section 8.2.3. Which moves
of a king XBoard calls castling is in the source of its version 4.9 (``CoordsToAlgebraic``).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping

from ryugi_engine.games.game import PASS, Game, IllegalMove
from ryugi_engine.games.notation import Board, square_name, squares_of
from ryugi_engine.games.position import NULL_CODE, NULL_MOVE, Position
from ryugi_engine.records.pgn_tokens import NULL_WORDS

_CASTLING = re.compile(r"(?P<name>([O0])-\2(?:-\2)?)(?P<gate>[/,].*)?")
_MOVE = re.compile(
    r"""(?P<piece>\+?[A-Z])?
        (?P<file>[a-wyz])?(?P<rank>[0-9]+)?(?P<between>[x:-])?
        (?P<to>[a-z][0-9]+)
        (?:=?\(?(?P<promotion>\+?[A-Z])\)?|(?P<sign>[+=-]))?
        (?:/(?P<gate>[A-Z]))?
        (?:,(?P<wall>[a-z][0-9]+))?""",
    re.VERBOSE,
)
_DROP = re.compile(r"(?P<piece>\+?[A-Z])?[@*](?P<to>[a-z][0-9]+)(?:,(?P<wall>[a-z][0-9]+))?")
#: A move in the engine's notation, with a promotion or a gate, and a wall.
_SQUARES = re.compile(
    "(?P<begin>[a-z][0-9]++)(?P<end>[a-z][0-9]++)(?P<rest>[^,]*+)"
    "(?:,[a-z][0-9]++(?P<wall>[a-z][0-9]++))?"
)
#: Castling in Betza notation, with its direction: right, left or sideways.
_CASTLING_MOVES = re.compile("i([rls])j*O[0-9]")
#: The tag that XBoard alone writes: how the pieces of a game move that an engine has described.
_XBOARD = "VariantMen"
_CASTLINGS = ("O-O", "O-O-O")
#: Figurines, a sign of multiplication, dashes.
_LETTERS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟×–—‑−", "KQRBNPKQRBNPx----")
#: What stands after a move that says nothing about where it goes.
_TAIL = re.compile(r"(?:[^\w)]++|[(]?e\.?p\.?[)]?)++\Z")
_ANY_CASTLING = re.compile(r"[Oo0]-[Oo0](-[Oo0])?")
_LOOSE = re.compile(
    r"""(?P<move>(?:\+?[A-Z])?(?P<file>[a-wyz])?(?P<rank>[0-9]+)?[x:-]?(?P<to>[a-z][0-9]+))
        =?\(?(?P<promotion>\+?[A-Za-z])?\)?""",
    re.VERBOSE,
)
#: Letters of a word beyond which it is no move of anybody's.
_LONGEST = 24
#: Letters of Xiangqi's horse and elephant that others write where a game has not given them away.
_OTHER_LETTERS = {"H": "N", "E": "B"}


def by_xboard(tags: Mapping[str, str]) -> bool:
    """Return whether a record was written by XBoard, with its own castling notation."""
    return _XBOARD in tags


def has_san(game: Game) -> bool:
    """Return whether a game's moves are written in SAN: pieces with letters that move."""
    return bool(game.san)


def to_san(position: Position, code: int) -> str:
    """Return a legal move in SAN, or in the engine's notation in a game that has no SAN.

    Where a king can castle in two ways to one side, as in Ryugi, castling is written as its move.
    Gates and walls are written as Fairy-Stockfish does: ``Na3/H``, ``O-O/He1``, ``e4,d4``. Where
    pieces promote as in shogi a plus sign says that one does (``Bxg7+``) or has (``+Bg7``), and
    checks are not marked.
    """
    text = position.move_text(code)
    if not has_san(position.game) or text in (PASS, NULL_MOVE):
        return text
    move = _SQUARES.fullmatch(text)
    before = position.rules.board(position.state)
    side = position.side
    position.push(code, trial=True)
    after = position.rules.board(position.state)
    checked = position.in_check()
    sign = "" if not checked else "+" if position.has_moves() else "#"
    position.pop()
    if position.game.san == "shogi":
        sign = sign.strip("+")
    if move is None:
        head, comma, wall = text.partition(",")
        return head + (f",{_last_square(wall)}" if comma else "") + sign
    head, wall = text.partition(",")[0], f",{move['wall']}" if move["wall"] else ""
    return (
        (_castling(position, before, head) or _stepped(position, move, before, after, side))
        + wall
        + sign
    )


def _last_square(text: str) -> str:
    return square_name(squares_of(text)[-1])


def _stepped(
    position: Position, move: re.Match[str], before: Board, after: Board, side: int
) -> str:
    """Return a move from square to square, without a sign of check."""
    begin, end, rest = move["begin"], move["end"], move["rest"]
    (at,), (to,) = squares_of(begin), squares_of(end)
    lost, gained = (_count(after, who) - _count(before, who) for who in (1 - side, side))
    takes = at != to and (to in before or lost < 0 >= gained)
    suffix = _suffix(rest, after.get(at))
    letter = before[at].upper()
    if letter == position.game.pawn:
        return (f"{begin[0]}x{end}" if takes else end) + suffix
    sources = (other["begin"] for other in _moves_to(position, before, before[at], end))
    others = [source for source in sources if source != begin]
    from_ = ""
    if others:
        from_ = begin
        if all(other[0] != begin[0] for other in others):
            from_ = begin[0]
        elif all(other[1:] != begin[1:] for other in others):
            from_ = begin[1:]
    return f"{letter}{from_}{'x' * takes}{end}{suffix}"


def _suffix(rest: str, left: str | None) -> str:
    """Return a promotion or a gate; ``left`` is what stands on the square that was left."""
    if rest in ("", "+", "-"):
        return rest
    gated = left is not None and left.upper() == rest.upper()
    return f"{'/' if gated else '='}{rest.upper()}"


def _count(board: Board, side: int) -> int:
    return sum(letter.islower() == bool(side) for letter in board.values())


def in_san(position: Position, moves: Iterable[str]) -> list[str]:
    """Return moves from a position on in SAN; the position is restored."""
    result = []
    for move in moves:
        code = position.parse_move(move, refereed=True)
        result.append(to_san(position, code))
        position.push(code)
    for _ in result:
        position.pop()
    return result


def _moves_to(position: Position, board: Board, piece: str, end: str) -> Iterator[re.Match[str]]:
    """Yield the legal moves of a player's pieces of one kind to a square."""
    for move in position.legal_moves():
        if end not in move:
            continue
        squares = _SQUARES.fullmatch(move)
        if squares is not None and squares["end"] == end:
            if board.get(squares_of(squares["begin"])[0]) == piece:
                yield squares


def _castling(position: Position, board: Board, text: str) -> str:
    """Return ``O-O`` or ``O-O-O`` for a castling that is the only one to its side, else "".

    A gate is written with its square: ``O-O/He1``; the engine's text begins with that square.
    """
    game = position.game
    at, to = squares_of(text)[:2]
    gate = text[-1].upper() if text[-1].isalpha() else ""
    king = game.royal or "K"
    kings = (board[at].upper(), board.get(to, "").upper() if gate else "")
    if king not in kings:
        return ""
    directions = _CASTLING_MOVES.findall(game.pieces.get(king, ""))
    if any(sum(to in (side, "s") for to in directions) > 1 for side in "rl"):
        return ""
    bare = text[:-1] if gate else text
    for name in _CASTLINGS:
        way = position.rules.normal_move(position.state, name)
        if way == bare:
            return name + (f"/{gate}{square_name(at)}" if gate else "")
        if gate and kings[0] != king and squares_of(way)[:1] == [to]:
            right = squares_of(way)[-1][0] > to[0]
            if board[at].islower() == board[to].islower() and (at[0] > to[0]) == right:
                return f"{name}/{gate}{square_name(at)}"
    return ""


def _castlings_of_xboard(position: Position, short: bool) -> list[str]:
    """Return the legal moves that XBoard writes as ``O-O`` or as ``O-O-O``.

    XBoard has no list of castlings. A king that starts right of the middle, or on it, goes to the
    last file but one by ``O-O``, to the third by ``O-O-O``. One that starts left of the middle, or
    on it, goes the other way round. Every other castling is written as the king's move, ``Kh1``.
    """
    game = position.game
    board = position.rules.board(position.state)
    king = game.royal if position.side == 0 else game.royal.lower()
    right, left = game.files // 2, (game.files - 1) // 2
    ways = {(right, game.files - 2), (left, 1)} if short else {(right, 2), (left, game.files - 3)}
    home = 0 if position.side == 0 else game.ranks - 1
    results = []
    for move in position.legal_moves():
        begin, end = squares_of(move)[:2]
        if (
            board.get(begin) == king
            and begin[1] == end[1] == home
            and abs(begin[0] - end[0]) > 1
            and (begin[0], end[0]) in ways
        ):
            results.append(move)
    return results


def _one_of(matches: list[str], word: str, position: Position) -> str:
    """Return the only move, or the word if there is none; IllegalMove for several."""
    if len(matches) > 1:
        raise IllegalMove(f"'{word[:40]}' can be {' or '.join(matches)} in {position.text()}")
    return matches[0] if matches else word


def engine_move(position: Position, word: str, xboard: bool = False) -> str:
    """Return the engine's notation of a move in SAN; any other text unchanged.

    ``xboard``: XBoard has written it (:func:`by_xboard`). The move is not checked for legality.
    IllegalMove for an ambiguous word.
    """
    game = position.game
    if not has_san(game):
        return word
    bare = word.rstrip("#!?") if game.san == "shogi" else word.rstrip("+#!?")
    castling = _CASTLING.fullmatch(bare.rstrip("+"))
    if castling is not None:
        return _castling_move(position, bare.rstrip("+"), castling, xboard)
    drop = _DROP.fullmatch(bare) or _DROP.fullmatch(bare.rstrip("+"))
    if drop is not None:
        head = f"{drop['piece'] or game.pawn}@{drop['to']}"
        return f"{head},{drop['to']}{drop['wall']}" if drop["wall"] else head
    match = _MOVE.fullmatch(bare) or _MOVE.fullmatch(bare.rstrip("+"))
    if match is None:
        return word
    if match["piece"] is None and match["file"] and match["rank"] and not match["between"]:
        return word  # both squares: the engine's notation
    results = _named(position, match, match["sign"] or "")
    if not results and match["sign"] == "+":
        results = _named(position, match, "")  # the plus sign of a check
    return _one_of(results, word, position)


def recorded_code(position: Position, word: str, xboard: bool = False) -> int:
    """Return the code of a move as any program writes it; IllegalMove if it is not legal.

    ``xboard`` as for :func:`engine_move`. A null move is NULL_CODE.
    """
    first = None
    null = word.lower() in NULL_WORDS
    for spelling in (PASS,) if null else _spellings(position.game, word):
        try:
            return position.parse_move(engine_move(position, spelling, xboard), refereed=True)
        except IllegalMove as error:
            first = first or error
    if null:
        return NULL_CODE
    other = other_castling(word)
    if other != word and left_is_near(position):  # BrainKing's short castling
        with contextlib.suppress(IllegalMove):
            return position.parse_move(engine_move(position, other))
    assert first is not None
    raise first


def left_is_near(position: Position) -> bool:
    """Return whether the king stands left of the middle, as at the start of Embassy Chess."""
    board, game = position.rules.board(position.state), position.game
    king = game.royal if position.side == 0 else game.royal.lower()
    return any(letter == king and 2 * at[0] < game.files - 1 for at, letter in board.items())


def other_castling(word: str) -> str:
    """Return the castling to the other side for ``O-O`` or ``O-O-O``, other words unchanged."""
    match = _ANY_CASTLING.match(word)
    return word if match is None else _CASTLINGS[match[1] is None] + word[match.end() :]


def _spellings(game: Game, word: str) -> Iterator[str]:
    """Yield a word of a record, then what SAN has for it: ``e8=Q`` for ``e8q``, ``e8(Q)``."""
    yield word
    if not has_san(game) or len(word) > _LONGEST:
        return
    plain = _TAIL.sub("", word.translate(_LETTERS))
    yield plain
    castling = _ANY_CASTLING.fullmatch(plain)
    if castling is not None:
        yield _CASTLINGS[castling[1] is not None]
    move = _LOOSE.match(plain)
    if move is None or any(letter.isdigit() for letter in plain[move.end() :]):
        return
    promotion = (move["promotion"] or "").upper()
    if move["file"] and move["rank"]:
        yield f"{move['file']}{move['rank']}{move['to']}{promotion.lower()}"
    yield move["move"] + (f"={promotion}" if promotion else "")
    if "=" not in plain:  # a letter that says something else, such as N for a novelty
        yield move["move"]


def _named(position: Position, match: re.Match[str], sign: str) -> list[str]:
    """Return the legal moves that a match of :data:`_MOVE` can mean."""
    game, board = position.game, position.rules.board(position.state)
    letter = match["piece"] or game.pawn or "P"  # pawns that never promote are pawns to XBoard
    if letter not in game.pieces:
        letter = _OTHER_LETTERS.get(letter, letter)

    def named(letter: str, wanted: set[str]) -> list[str]:
        mine = letter if position.side == 0 else letter.lower()
        return [
            move[0]
            for move in _moves_to(position, board, mine, match["to"])
            if match["file"] in (None, move["begin"][0])
            and match["rank"] in (None, move["begin"][1:])
            and move["rest"].upper() in wanted
            and move["wall"] == match["wall"]
        ]

    promotion, turned = match["promotion"], {"+", "-"}
    wanted = {promotion or match["gate"] or (sign if sign in "+-" else "")}
    if game.san != "shogi":
        return named(letter, wanted)
    found = named(letter, wanted | (turned if promotion else set()))
    # Lishogi and PyChess name promoted pieces by what they move like, and no piece that must turn
    likes = [piece for piece, other in game.promoted.items() if other == letter]
    found = found or [
        move
        for piece in likes
        if promotion in (None, piece)
        for move in named(f"+{piece}", wanted | ({"-"} if promotion else set()))
    ]
    if found or sign or promotion:
        return found
    return [move for piece in (letter, *(f"+{p}" for p in likes)) for move in named(piece, turned)]


def _castling_move(position: Position, bare: str, castling: re.Match[str], xboard: bool) -> str:
    """Return the engine's notation of a castling, with a gate or without."""
    name, gate = castling["name"], castling["gate"]
    if gate:
        board = position.rules.board(position.state)
        wanted = f"{name.replace('0', 'O')}{gate}"
        results = []
        for move in filter(_SQUARES.fullmatch, position.legal_moves()):
            head, comma, wall = move.partition(",")
            end = f",{_last_square(wall)}" if comma else ""
            if wanted.endswith(end) and _castling(position, board, head) + end == wanted:
                results.append(move)
        return _one_of(results, bare, position)
    results = _castlings_of_xboard(position, len(name) == len("O-O")) if xboard else []
    return _one_of(results, bare, position)
