"""The game as the GUI has it: whose turn it is there, in which colours, what its window shows.

The player plays on the session's position; where the GUI's idea of it differs, it is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import Wire
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import PASS, Outcome
from xboard.correction import Correction
from xboard.order import Order
from xboard.screen import Screen

if TYPE_CHECKING:
    from ryugi_engine.core.standin import StandIn
    from ryugi_engine.games.position import Position


class View:
    """Order, colours and picture of the GUI. Sides are 0 and 1 in its colours."""

    def __init__(self, wire: Wire, session: Session) -> None:
        self._session = session
        #: The side that the engine plays.
        self.engine_side = 1
        #: Whether the opponent is an engine: then XBoard judges claims, and cannot be corrected.
        self.computer = False
        self.order = Order()
        self.correction = Correction(wire)
        self._screen = Screen()

    @property
    def position(self) -> Position | StandIn:
        """The position on the board."""
        return self._session.board

    # ---- whose turn it is --------------------------------------------------------------------

    @property
    def side(self) -> int:
        """The side to move by the game's rules, which the GUI's order need not have."""
        return self.order.gui_colour(self.position.side)

    @property
    def engines_turn(self) -> bool:
        """Whether the GUI holds the engine to be on move."""
        return self.order.side == self.engine_side

    @property
    def must_pass(self) -> bool:
        """Whether the side that the GUI holds to be on move is not, by the game's rules."""
        return self.side != self.order.side

    @property
    def engines_colour(self) -> int:
        """The side of the position that the engine plays, and whose clock is its own."""
        return self.order.gui_colour(self.engine_side)

    def is_pass(self, text: str, side: int) -> bool:
        """Whether ``setboard`` with this text, ``side`` to move, stands for a pass here.

        In place of a pass XBoard sends the position with the other side on move.
        """
        if side == self.order.side or not self._screen.is_position(text):
            return False
        return self.must_pass or PASS in self.position.legal_moves()

    # ---- what the GUI does -------------------------------------------------------------------

    def begin(self, gui_side: int | None) -> None:
        """The GUI begins to count at the present position; None for the side that it lets begin."""
        position = self.position
        if gui_side is None:
            # GUIs let White begin; a game with a turn order of its own may have Black do so
            gui_side = 0 if position.game.placed else position.side
        self.order.begin(gui_side)
        self.shown()
        self.correction.over()

    def shown(self) -> None:
        """The GUI shows the position as it is."""
        self._screen.set(self.position.game, self._text())

    def first_move(self) -> None:
        """A move of the opponent is coming: XBoard lets White begin where the rules let Black.

        Its White is Black then.
        """
        if not self.computer and self.order.untouched and self.must_pass:
            self.order.mirrored = self.position.game.placed

    def played(self, move: str, victim: str) -> None:
        """The GUI has carried out a move, and emptied the square ``victim`` besides, or none.

        Called before its order knows of the move.
        """
        self._screen.play(move, self.order.side, victim)

    # ---- what the GUI is told ----------------------------------------------------------------

    def _text(self) -> str:
        position = self.position
        return self.order.gui_text(position.text(), placed=position.game.placed)

    def legs(self, move: str) -> list[str]:
        """An own move, which has led to the position, as the GUI has to be told of it."""
        return self._screen.legs(move, self.engine_side, self._text(), match=self.computer)

    def told(self, count: int) -> None:
        """The GUI has been told of a move, by so many of the position; what it shows is mended."""
        self.order.moved(count)
        if not self.computer and (count > 1 or not self._screen.shows(self._text())):
            self.correct()

    def correct(self) -> None:
        """Show the GUI the board as it is, the opponent on move.

        XBoard (4.9.1) makes its user White then, whatever the text says: an opponent who is Black
        goes on with the colours exchanged.
        """
        mirrored = self.order.mirrored
        if self.engine_side == 0:
            if not self.position.game.placed:
                return
            self.engine_side, mirrored = 1, not mirrored
        self.order.begin(0, mirrored=mirrored)
        text = self._text()
        self.correction.show(text, self.position.game)
        self._screen.set(self.position.game, text)

    def result(self, outcome: Outcome) -> Outcome:
        """An outcome in the GUI's colours."""
        return self.order.gui_result(outcome)
