"""What a person may type in a game in the terminal: moves and commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import AGREED_DRAW, NAMES, IllegalMove, resignation
from ryugi_engine.games.notation import square_name, squares_of
from ryugi_engine.games.rules_page import rules_page
from ryugi_engine.records.san import engine_move, has_san, to_san
from ryugi_engine.search import levels
from ryugi_engine.terminal.moves_text import moves_text
from ryugi_engine.terminal.opponent import engine_tags
from ryugi_engine.terminal.terminal_game import TerminalGame
from ryugi_engine.text.plain_text import plain

_HELP = """\
  a move      as 'moves' lists it; in chess-like games from square to square (e2e4) too
  moves [P]   the legal moves; with P those that begin so, or go from or to a square P
  board       show the board again (also: Enter)
  flip        turn the board round
  hint        what the engine would play at full strength
  level [N]   play against level N of 12 from now on, 1 is the weakest; the present one
  rules       the rules of the game, with diagrams of how the pieces move
  undo        take your last move back, and the engine's answer, or how the game ended
  draw        claim a draw, or offer one
  resign      give up
  save FILE   write the game so far; 'record' goes on from there
  new         begin another game, when this one is over
  quit        leave"""
#: What can still be said when the game is over.
_AFTERWARDS = ("help", "rules", "board", "flip", "undo", "level", "save", "new", "quit")


class Left(Exception):
    """The person leaves."""


class TypedGame(TerminalGame):
    """A game in which a person types: ``_do_WORD`` is what a command does."""

    def _read(self, prompt: str) -> str:
        """Read a line of the person.

        Raises TurnLost if the time of its turn is over, Left at the end of the input.
        """
        try:
            if self.outcome() is not None:
                return self._read_line(prompt)
            with self._turn_clock.running():
                return self._read_line(prompt)
        except EOFError:
            self._write("")
            raise Left from None

    def take_line(self) -> None:
        """Read a line and do what it says. Raises Left where the person leaves."""
        over = self.outcome() is not None
        number = len(self.position.moves) // 2 + 1
        line = self._read(
            "Game over> " if over else f"{number}. {self.position.game.sides[self._side]}> "
        ).strip()
        word, _, rest = line.partition(" ")
        action = getattr(self, f"_do_{word.lower()}", None) if word.isalpha() else None
        if over and word.lower() not in _AFTERWARDS:
            self._write("The game is over: 'undo', 'save FILE', 'new', 'board' or 'quit'")
        elif not line:
            self._show()
        elif action is not None:
            action(rest.strip())
        else:
            self._push(line)

    def completions(self) -> list[str]:
        """Return what can be typed now: legal moves and commands."""
        words = [name.removeprefix("_do_") for name in dir(self) if name.startswith("_do_")]
        if self.outcome() is not None:
            return [word for word in words if word in _AFTERWARDS]
        if self.position.side != self._side:
            return words
        return words + [to_san(self.position, code) for code in self.position.legal_codes()]

    # ---- moves ---------------------------------------------------------------------------------

    def _push(self, typed: str) -> None:
        try:
            move = engine_move(self.position, typed)
            if move == typed:  # no SAN, unless a piece's letter is small
                move = engine_move(self.position, typed[:1].upper() + typed[1:])
        except IllegalMove as error:  # several moves are written so
            self._write(str(error).partition(" in ")[0])
            return
        try:
            code = self.position.parse_move(move)
        except IllegalMove:
            if promotions := self._promotions(typed):
                self._choose("Promote to", promotions)
            elif longer := self._longer(typed):
                self._choose(f"{typed}, then", longer)
            else:
                self._write(f"'{typed[:40]}' is no legal move: {self.position.objection(move)}")
            return
        san = to_san(self.position, code)
        self.position.push(code)
        if self.outcome() is None and self.position.side != self._side:
            self._write(f"You play {san}, the engine thinks")  # the board comes with its reply
        else:
            self._show()
        self._keep()

    def _promotions(self, typed: str) -> dict[str, str]:
        """Return the legal moves by the piece whose letter a promotion lacks."""
        result = {}
        for letter in self.position.game.pieces if has_san(self.position.game) else ():
            try:
                move = engine_move(self.position, typed + letter)
                result[letter] = self.position.move_text(self.position.parse_move(move))
            except IllegalMove:
                continue
        return result

    def _longer(self, typed: str) -> dict[str, str]:
        """Return the squares of a move that was begun with the next one, by that one."""
        if not self.position.game.legs or not re.fullmatch("([a-z][0-9]{1,2}){1,2}", typed.lower()):
            return {}
        begun = [square_name(at) for at in squares_of(typed.lower())]
        found = set()
        for move in self.position.legal_moves():
            squares = [square_name(at) for at in squares_of(move)]
            del squares[2:3]  # the second leg begins where the first one ends
            if squares[: len(begun)] == begun:
                found.update(squares[len(begun) : len(begun) + 1])
        return {square: typed.lower() + square for square in sorted(found)}

    def _choose(self, question: str, moves: Mapping[str, str]) -> None:
        """Play the move of the answer; any other answer plays none."""
        answer = self._read(f"{question} {', '.join(moves)}? ").strip().lower()
        known = {name.lower(): move for name, move in moves.items()}
        if answer in known:
            self._push(known[answer])
        else:
            self._write("No move was made")

    # ---- commands ------------------------------------------------------------------------------

    def _do_help(self, rest: str) -> None:
        self._write(_HELP)

    def _do_rules(self, rest: str) -> None:
        for line in rules_page(self.position.game).lines():
            self._write(line)

    def _do_board(self, rest: str) -> None:
        self._show()

    def _do_flip(self, rest: str) -> None:
        before, ink = self._board(), self._ink
        self._ink = ink._replace(turned=not ink.turned)
        if self._board() == before:
            self._ink = ink
            self._write("This game's board is not turned")
        else:
            self._show()

    def _do_quit(self, rest: str) -> None:
        raise Left

    def _do_new(self, rest: str) -> None:
        if self.outcome() is None:
            self._write("The game is not over: 'resign' ends it")
            return
        if self._file.path is not None:
            self._write(f"{self._file.path} keeps the last game; 'save FILE' will keep this one")
        self._file.leave()
        self._ended = None
        self._opponent.begin_anew()
        self._opponent.session.set_position(self.position.root_text)
        self._show()

    def _do_moves(self, rest: str) -> None:
        for line in moves_text(self.position, rest):
            self._write(line)

    def _do_hint(self, rest: str) -> None:
        self._write(f"The engine would play {self._written(self._opponent.advise().best)}")

    def _do_level(self, rest: str) -> None:
        if rest:
            try:
                self._opponent.set_level(rest)
            except UserError as error:
                self._write(str(error))
                return
            renamed = {NAMES[1 - self._side]: str(self._opponent)}
            self._file.tags |= engine_tags(renamed, self._file.tags)
            self._keep()
        level = self._opponent.level
        self._write(
            f"The engine plays at level {level} of {levels.FULL}: {levels.NAMES[level - 1]}"
        )

    def _do_undo(self, rest: str) -> None:
        position = self.position
        if self._ended is not None:
            self._write(f"No longer {self._ended.result} ({self._ended.reason})")
            self._ended = None
            self._show()
            self._keep()
            return
        own = [i for i, side in enumerate(self._sides()) if side == self._side]
        if not own:
            self._write("There is no move of yours to take back")
            return
        while len(position.moves) > own[-1]:
            position.pop()
        self._show()
        self._keep()

    def _do_resign(self, rest: str) -> None:
        self._ended = resignation(self._side)

    def _do_draw(self, rest: str) -> None:
        claim = self.position.claim()
        if claim is not None:
            self._ended = claim
        elif not self.position.game.draws:
            self._write(f"{self.position.game.title} has no draws")
        elif self._opponent.takes_a_draw:
            self._ended = AGREED_DRAW
        else:
            self._write("The engine wants to play on")

    def _do_save(self, rest: str) -> None:
        if not rest:
            self._write("save needs a file's name")
            return
        if self._keep(Path(rest)):
            self._write(f"Kept in {plain(rest)} from now on")
