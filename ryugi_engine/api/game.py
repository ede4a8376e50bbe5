"""``game``, ``game_names`` and ``define``: the games that there are, and a user's own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ryugi_engine.api.planes import Planes
from ryugi_engine.errors import UserError
from ryugi_engine.games import game as inner
from ryugi_engine.games.actions import ActionSpace
from ryugi_engine.games.game import Rules
from ryugi_engine.games.registry import registry, rules_of

#: Held while a game's rules are made: each keeps tables of megabytes.
_LOCK = threading.Lock()


class Game:
    """A game: its name, board and pieces. :func:`game` finds it by name.

    >>> chosen = game("capablanca")
    >>> chosen.name, chosen.title, chosen.files, chosen.ranks
    ('capablanca', 'Capablanca Chess', 10, 8)
    """

    __slots__ = ("_game",)

    def __init__(self, inner_game: inner.Game) -> None:
        """Create it from the engine's own; :func:`game` and :func:`define` do."""
        self._game = inner_game

    @property
    def name(self) -> str:
        """The name, lower-case letters, digits and hyphens.

        >>> game("ShoGi").name
        'shogi'
        """
        return self._game.name

    @property
    def title(self) -> str:
        """The name for people.

        >>> game("kingofthehill").title
        'King of the Hill'
        """
        return self._game.title

    @property
    def files(self) -> int:
        """The width of the board in squares.

        >>> game("xiangqi").files
        9
        """
        return self._game.files

    @property
    def ranks(self) -> int:
        """The height of the board in squares.

        >>> game("xiangqi").ranks
        10
        """
        return self._game.ranks

    @property
    def start(self) -> str:
        """The text of the start position.

        >>> game("micro").start
        'kb+r+l/p3/4/3P/+L+RBK[] w - - 0 1'
        """
        return self._game.start

    @property
    def sides(self) -> tuple[str, str]:
        """What the sides are called, the first to move first.

        >>> game("shogi").sides
        ('Sente', 'Gote')
        """
        return self._game.sides

    @property
    def pieces(self) -> Mapping[str, str]:
        """The pieces' moves in Betza's notation by their letters, "" for those that do not move.

        >>> game("capablanca").pieces["A"]
        'BN'
        """
        return dict(self._game.pieces)

    @property
    def action_size(self) -> int:
        """The number of action indices: of all moves that the game could ever have.

        For S squares they are S * S times the promotions and gates that there are, with none, one
        more. In games with walls or second legs they are S + 1 times as many. Drops follow, S for
        each piece, and the pass is the last one. So a move's index is rank by rank from a1
        ``(suffix * S + origin) * S + target``; see ``ryugi_engine/games/actions.py``.

        >>> game("chess").action_size == 5 * 64 * 64 + 1
        True
        """
        return self._actions.size

    def action(self, text: str) -> int:
        """Return the action index of a move's text, as UCI has it.

        It is the same in every position. Raises UserError if no move of the game has such a text.

        >>> game("chess").action("a1b1"), game("chess").action("e2e4")
        (1, 796)
        """
        return self._actions.index(text)

    def action_text(self, action: int) -> str:
        """Return the text of an action index; raises UserError for a number out of range.

        >>> game("chess").action_text(796)
        'e2e4'
        """
        return self._actions.text(action)

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What the planes of :meth:`Batch.planes` are, in their order.

        A letter is a piece, Black's in lower case. Others are named: pieces in hand, castling
        rights, the square of en passant, the halfmove clock, whether Black is to move.

        >>> game("chess").plane_names[:7], game("chess").plane_names[-3:]
        (('P', 'K', 'Q', 'R', 'B', 'N', 'p'), ('en passant', 'halfmove clock', 'Black to move'))
        """
        return planes_of(self._game).names

    @property
    def _rules(self) -> Rules:
        """The rules, made once for all threads: each keeps tables of megabytes."""
        with _LOCK:
            return rules_of(self._game)

    @property
    def _actions(self) -> ActionSpace:
        return action_space(self._game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._game.name)

    def __repr__(self) -> str:
        return f"<Game: {self.name}>"


@lru_cache(maxsize=64)
def action_space(chosen: inner.Game) -> ActionSpace:
    """Return the action indices of a game."""
    return ActionSpace(chosen, rules_of(chosen).move_parts())


@lru_cache(maxsize=64)
def planes_of(chosen: inner.Game) -> Planes:
    """Return how positions of a game become planes."""
    return Planes(chosen, rules_of(chosen))


def game(name: str) -> Game:
    """Return the game of a name or an alias, in any letter case.

    Raises UserError if there is none; the error names similar ones.

    >>> game("standard") == game("chess")
    True
    >>> game("no-such-game")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ryugi_engine.errors.UserError: unknown variant 'no-such-game'...
    """
    if not isinstance(name, str):
        raise UserError(f"the name of a game is a text, not {type(name).__name__}")
    return Game(registry().game(name))


def game_names() -> list[str]:
    """Return the names and aliases of all games, sorted; those of :func:`define`, too.

    >>> {"chess", "shogi", "duck"} <= set(game_names())
    True
    """
    return registry().names()


def define(source: str | Path) -> list[Game]:
    """Add games of one's own, and return them; :func:`game` finds them by name from then on.

    ``source`` is the text of a definition, in TOML or as an Interactive Diagram, or the path of a
    file: that, or Fairy-Stockfish's ``variants.ini``. A game replaces an earlier one of its name,
    but none that is built in. Raises UserError with line and key of a fault.

    >>> own, = define('''
    ... [centaurs]
    ... files = 8
    ... ranks = 8
    ... start = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w - - 0 1"
    ... promotion = "CRBN"
    ... pieces = { K = "K", C = "KN", R = "R", B = "B", N = "N" }
    ... ''')
    >>> own.name, own == game("centaurs")
    ('centaurs', True)
    """
    if isinstance(source, Path):
        added = registry().load_file(str(source), keep=True)
    elif not isinstance(source, str):
        raise UserError(f"a definition is a text or a Path, not {type(source).__name__}")
    else:
        added = registry().load_text(source, "(text)")
    return [Game(one) for one in added]
