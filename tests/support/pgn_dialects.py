"""Games in the manners of other programs: random trees of chess, written in many dialects."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
import chess.pgn

#: Tags as ChessBase, lichess, FICS and hands write them, with the values that are meant.
TAGS = (
    ('[Event "Rated {mode} game"]', "Event", "Rated {mode} game"),
    ('[Event  "Club; 1-0 $4 (x)"]', "Event", "Club; 1-0 $4 (x)"),
    ('[ECO"A02"]', "ECO", "A02"),
    ('[ White "Müller, J\xf6rg" ]', "White", "Müller, J\xf6rg"),
    ('[Black "O\\"Neil \\\\ x"]', "Black", 'O"Neil \\ x'),
    ('[Black "The "Rock" himself"]', "Black", 'The "Rock" himself'),
    ('[Site "C:\\"]', "Site", "C:\\"),
    ('[White-Elo: "2000"]', "White-Elo:", "2000"),
    ('[X+#=_y "1"]', "X+#=_y", "1"),
    ('[Annotator ""]', "Annotator", ""),
    ('[Source "unclosed]', "Source", "unclosed"),
    ("[Round 3.1]", "Round", "3.1"),
)
COMMENTS = (
    "good", "two\nlines", "[%clk 0:01:02]", "[%eval 0.25,12] [%clk 1:02:03.4]", "a { b", "%x ; y",
    "[%csl Ra4,Gb5][%cal Gb1c3]", "[%evp 0,3,19,-22,31]", "1-0 (1. e4) $4 e5", "caf\xe9 \u2013", "",
    "(0:12)", "[%emt 0:00:05]",
)  # fmt: skip
WORDS = ("N", "D", "+-", "\xb1", "mate", "+/=", "-/+", "ch", "TN")


@dataclass
class Node:
    """A move with what stands at it, and other moves in its place."""

    move: chess.Move
    comments: list[str] = field(default_factory=list)
    glyphs: list[int] = field(default_factory=list)
    variations: list[list[Node]] = field(default_factory=list)


@dataclass
class Tree:
    """A game."""

    board: chess.Board
    nodes: list[Node]
    tags: dict[str, str] = field(default_factory=dict)
    result: str = "*"


def random_line(board: chess.Board, source: random.Random, plies: int, depth: int) -> list[Node]:
    """A random line from a position; rare moves are preferred, null moves stand in variations."""
    nodes = []
    board = board.copy()
    for _ply in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        move = source.choice(rare if rare and source.random() < 0.7 else moves)
        if depth and source.random() < 0.1 and not board.is_check():
            move = chess.Move.null()
        node = Node(move)
        while source.random() < 0.15:
            node.comments.append(source.choice(COMMENTS))
        if source.random() < 0.15:
            node.glyphs.append(source.choice([1, 2, 3, 4, 5, 6, 14, 146]))
        while depth < 3 and source.random() < 0.08:
            line = random_line(board, source, source.randrange(1, 6), depth + 1)
            node.variations += [line] if line else []
        nodes.append(node)
        board.push(move)
    return nodes


def random_tree(source: random.Random, plies: int = 40) -> Tree:
    """A random game, from the start or a later position."""
    board = chess.Board()
    if source.random() < 0.2:
        for _ply in range(source.randrange(1, 20)):
            if board.is_game_over():
                break
            board.push(source.choice(list(board.legal_moves)))
        board = chess.Board(board.fen())
    nodes = random_line(board, source, source.randrange(2, plies), 0)
    if not nodes:
        return random_tree(source, plies)
    return Tree(board, nodes, result=source.choice(["1-0", "0-1", "1/2-1/2", "*"]))


class Dialect:
    """A way to write games, chosen by chance; ``text`` collects what is written."""

    def __init__(self, source: random.Random, games: int) -> None:
        choose = source.choice
        self._source = source
        self.newline = choose(["\n", "\n", "\r\n", "\r"])
        self.encoding = choose(["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
        self._number = choose(["{n}. ", "{n}.", "{n} . ", "{n} ", ""])
        self._black = choose(["{n}... ", "{n}...", "{n}. ... ", "{n}\u2026 ", "... ", ""])
        self._moves = choose(["san", "san", "lan", "uci", "full", "figurines"])
        self._castle = choose(["O-O", "0-0", "o-o"])
        self._promotion = choose(["=Q", "Q", "=q", "q", "(Q)"])
        self._check = choose(["+", "", "++", "\u2020"])
        if not self.encoding.startswith("utf"):
            self._moves = "san" if self._moves == "figurines" else self._moves
            self._check = "+" if self._check == "\u2020" else self._check
            self._black = "" if "\u2026" in self._black else self._black
        self._passing = choose(["", "e.p.", " e.p.", "ep"])
        self._glyph = choose([" ${g}", "${g}", "sign"])
        self._comment = choose(["{%s}", "{ %s }", "{%s}"])
        self._null = choose(["--", "Z0", "0000", "@@@@"])
        self._words = choose([0.0, 0.0, 0.1])
        self._asides = choose([0.0, 0.0, 0.1])
        self._wrap = choose([" ", "\n", "\t"])
        self._after_tags = choose(["\n\n", "\n\n", "\n", " "])
        self._between = choose(
            ["\n\n", "\n", "\n\n\n", "\n\n; club\n\n", "\n\n{club}\n\n", "\n\n\ufeff"]
        )
        if self._between[-1] == "\ufeff" and not self.encoding.startswith("utf"):
            self._between = "\n\n"
        self._end = choose(["\n", "", "\n\n\x1a"])
        self._headers = choose([True, True, True, False])
        self._result = choose(["right", "right", "missing", "wrong tag", "said after"])
        if not self._headers:
            self._between = "\n\n"
        self.trees = [random_tree(source) for _ in range(games)]

    def raw(self) -> bytes:
        """The file; trees get the tags, comments and results that it should be read with."""
        text = self._between.join(self._game(tree) for tree in self.trees) + self._end
        return text.replace("\n", self.newline).encode(self.encoding, "replace")

    def _game(self, tree: Tree) -> str:
        source = self._source
        lines = []
        start = tree.board.fen() == chess.STARTING_FEN
        if self._headers or not start:
            for line, name, value in source.sample(TAGS, source.randrange(1, 6)):
                if name not in tree.tags:
                    lines.append(line)
                    tree.tags[name] = value
            # right after moves a tag without quotation marks could be anything: never the first
            lines.sort(key=lambda line: '"' not in line)
            if not start:
                lines.append(f'[FEN "{tree.board.fen()}"]')
            result = "0-1" if self._result == "wrong tag" else tree.result
            lines = ['[Date "?"]'] * ('"' not in lines[0]) + [*lines, f'[Result "{result}"]']
        head = "\n".join(lines) + (self._after_tags if lines else "")
        words = list(self._line(tree.board, tree.nodes, False))
        if self._result == "missing":
            tree.result = tree.result if lines else "*"
        else:
            word = tree.result
            words.append("1/2" if word == "1/2-1/2" and self._number == "{n}." else word)
        if self._result == "said after":
            words.append("{said after}")
            tree.nodes[-1].comments.append("said after")
        return head + self._wrap.join(words)

    def _line(self, board: chess.Board, nodes: list[Node], numbered: bool) -> Iterator[str]:
        source = self._source
        board = board.copy()
        # a file without tags is divided by its move numbers
        white = self._number or ("" if self._headers else "{n}. ")
        for node in nodes:
            number = white if board.turn else "" if numbered else self._black
            word = self._word(board, node.move)
            if node.move.promotion and self._promotion == "(Q)":
                word += " "  # or a variation that follows would be glued to it
            numbered = True
            told = []
            for glyph in node.glyphs:
                sign = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}.get(glyph)
                word += sign if sign and self._glyph == "sign" else f" ${glyph}"
            for comment in node.comments:
                told.append(self._comment.replace("%s", comment))
                numbered = False
            yield number.format(n=board.fullmove_number) + word
            yield from told
            if source.random() < self._words:
                yield source.choice(WORDS)
            if source.random() < self._asides:
                yield source.choice(["; aside ) { (\n", "\n% escaped ( {\n"])
            for variation in node.variations:
                inner = " ".join(self._line(board, variation, False))
                yield f"({inner})"
                numbered = False
            board.push(node.move)

    def _word(self, board: chess.Board, move: chess.Move) -> str:
        if not move:
            return self._null
        if board.is_castling(move):
            san = board.san(move).rstrip("+#")
            word = san.replace("O", self._castle[0])
        elif self._moves == "uci":
            return move.uci()
        elif self._moves == "lan":
            word = board.lan(move).rstrip("+#")
        else:
            word = board.san(move).rstrip("+#")
            piece = board.piece_at(move.from_square)
            if self._moves == "full" and word[0] in "NBRQ":
                takes = "x" if board.is_capture(move) else ""
                word = word[0] + chess.square_name(move.from_square) + takes + move.uci()[2:4]
            elif self._moves == "figurines" and word[0] in "NBRQK" and piece is not None:
                word = piece.unicode_symbol() + word[1:]
        if move.promotion:
            letter = chess.piece_symbol(move.promotion).upper()
            form = self._promotion.replace("Q", letter).replace("q", letter.lower())
            word = word.partition("=")[0] + form
        if board.is_en_passant(move):
            word += self._passing
        if board.gives_check(move):
            word += self._check
        return word
