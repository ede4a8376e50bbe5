"""A person against the engine in the terminal: the course of games."""

from __future__ import annotations

from ryugi_engine.games.game import Outcome
from ryugi_engine.records.san import has_san, to_san
from ryugi_engine.terminal.turn_clock import TurnLost
from ryugi_engine.terminal.typed_game import Left, TypedGame


class Play(TypedGame):
    """Games in a row."""

    def run(self) -> Outcome | None:
        """Play until the user quits; return the last game's outcome, None if unfinished."""
        self._write(
            f"You are {self.position.game.sides[self._side]}{self._look()}. {self._invitation()}"
        )
        self._do_level("")
        self._write("")
        if self._turn_clock.seconds:
            self._write(f"You have {self._turn_clock.seconds:g} s a turn; then the turn is lost\n")
        self._show()
        try:
            while True:
                if self.outcome() is not None:
                    self._finish()
                elif self.position.side == self._side:
                    self._take_turn()
                else:
                    self._think()
        except Left:
            self._keep()
            return self.outcome()
        finally:
            self._opponent.session.stop()

    def _take_turn(self) -> None:
        """Do what the person says; pass for a person whose time for the turn is over."""
        self._turn_clock.begin((self.position.root_text, *self.position.moves))
        try:
            self.take_line()
        except TurnLost:
            self.position.push(self.position.game.timeout_pass)
            self._show()
            self._write("Your time is over: the turn is lost")
            self._keep()

    def _invitation(self) -> str:
        """Return how moves are typed, by an example where there are two ways."""
        usual = "'moves' lists the moves, 'help' what else you can say."
        if not has_san(self.position.game):
            return usual
        middle = self.position.game.files // 2
        codes = self.position.legal_codes()
        texts = {to_san(self.position, code): self.position.move_text(code) for code in codes}
        if not texts:
            return usual
        example = min(texts, key=lambda san: (len(san), abs(ord(san[0]) - ord("a") - middle)))
        return f"Type {texts[example]} or {example}; {usual}"

    def _finish(self) -> None:
        """Say how the game has ended, and wait until it goes on or another one begins."""
        outcome = self.outcome()
        assert outcome is not None
        self._keep()
        winner = {None: "", self._side: ": you win"}.get(outcome.winner, ": the engine wins")
        self._write(f"{outcome.result} ({outcome.reason}){winner}")
        while self.outcome() is not None:
            self.take_line()
