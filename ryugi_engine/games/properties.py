"""The properties of a game, by who asks for them; :class:`ryugi_engine.games.game.Game` has all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ryugi_engine.games.groups import GROUPS
from ryugi_engine.games.look import USUAL, Look

#: Moves in coordinate notation: origin, target and the piece promoted to.
COORDINATES = "[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z]?"


@dataclass(frozen=True)
class Identity:
    """What the game is, and where its rules and files are."""

    name: str
    title: str
    files: int
    ranks: int
    start: str
    aliases: tuple[str, ...] = ()
    #: One of ``groups.GROUPS``, and in a line what is special; both for lists of games.
    group: str = GROUPS[-1]
    about: str = ""
    #: What pieces are called in English, by their letters.
    names: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: Returns the rules in sentences, for games whose RULES.md does not have them.
    sentences: Callable[[], Iterable[str]] | None = field(default=None, repr=False, compare=False)
    #: Returns what makes a definition unplayable, and what is hardly meant in it, a clause each.
    mistakes: Callable[[], tuple[Sequence[str], Sequence[str]]] | None = field(
        default=None, repr=False, compare=False
    )
    #: Returns the game without one of its rules each, by what that rule is called.
    without: Callable[[], Mapping[str, Identity]] | None = field(
        default=None, repr=False, compare=False
    )
    #: Folder of the data files KIND/NAME.epd; None for a user's own game.
    folder: Path | None = None
    #: The name of the game of which this is Chess960; "" if it is none.
    setup_of: str = ""
    #: Why it has no Chess960, as a clause.
    no_chess960: str = "there is no castling"
    #: Returns the openings of a game that has no file of them.
    openings: Callable[[], Sequence[str]] | None = field(default=None, repr=False, compare=False)

    @property
    def size(self) -> str:
        """Files and ranks, as ``8x8``."""
        return f"{self.files}x{self.ranks}"

    def data_file(self, kind: str) -> Path | None:
        """Return the file of a kind (perft, bench, openings); None without a folder."""
        return None if self.folder is None else self.folder / kind / f"{self.name}.epd"

    def positions(self, kind: str) -> tuple[str, ...]:
        """Return the lines of a data file without blank lines and comments; () if there is none."""
        path = self.data_file(kind)
        if path is None or not path.exists():
            return tuple(self.openings()) if kind == "openings" and self.openings else ()
        lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
        return tuple(line for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True)
class GuiFacts:
    """What GUIs, protocols and pictures ask for."""

    look: Look = USUAL
    #: What the sides are called, the first to move first.
    sides: tuple[str, str] = ("White", "Black")
    #: What moves put on a further square, such as a duck; "" for nothing.
    wall: str = ""
    #: For ``info string variant``, besides the size: kinds of pieces in hand, and the template.
    pocket: int = 0
    template: str = "fairy"
    #: Every piece's letter with its moves in Betza's notation, "" for those that do not move. A GUI
    #: that does not know the game needs nothing else.
    pieces: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: The letters of the royal piece and of the piece that moves as chess's pawn does, for GUIs;
    #: "" if there is none.
    royal: str = ""
    pawn: str = ""
    #: What pieces become that promote as in shogi, by their letters.
    promoted: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: Moves in Betza's notation, by sign (``+P``), of promoted pieces that move as no letter does.
    turned: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: The letter of the piece that becomes another at the far end, if that is not the pawn.
    promotes: str = ""
    #: XBoard's own variant whose rules of captures, drops and promotion the game has.
    parent: str = "fairy"
    #: How SAN writes the game's moves: "chess", "shogi" where a plus sign is a promotion and no
    #: check, or "" if the game has no SAN.
    san: str = ""
    #: Regular expression of a move's text, passes aside, in any letter case; it tells moves from
    #: commands where a GUI sends moves without ``usermove``.
    move_shape: str = COORDINATES
    #: Whether pieces are placed, and never move.
    placed: bool = False
    #: Letters of pieces that belong to no side, written upper-case in position texts.
    neutral: str = ""
    #: Whether moves remove pieces in ways that a GUI without the rules cannot know.
    captures: bool = False
    #: Whether moves act on a further square after their own, ``d1d4,d4d6``.
    legs: bool = False
    #: Writes the game's section of Fairy-Stockfish's ``variants.ini``; None if it has none.
    ini: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    #: Writes the game's definition in TOML; None if it has none.
    toml: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    #: Writes the game as an Interactive Diagram; None if that cannot say its rules.
    diagram: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @property
    def corrected(self) -> bool:
        """Whether XBoard does not know what its moves do, and is sent boards besides."""
        return self.placed or self.captures or self.legs


@dataclass(frozen=True)
class RefereeFacts:
    """What clocks and agreements may do to a game."""

    #: Whether draws by agreement are allowed.
    draws: bool = True
    #: Code of the pass that a referee plays for a side that has overstepped its time; 0 where that
    #: loses the game. Only a referee may play it.
    timeout_pass: int = 0
    #: Upper bound of a game's length in plies; 0 if there is none, or it is not known.
    longest: int = 0


@dataclass(frozen=True)
class SearchFacts:
    """What the search and the evaluation ask for."""

    #: Which kernels play it, and why not others, where a package has several.
    family: str = ""
    #: Whether a net of its own evaluates it.
    trained: bool = False
    #: Whether the game has an exact solver, :meth:`Rules.prover`: its forced wins are proofs.
    proves: bool = False
    #: Moves that a side is assumed to have left, for time management; 0: as many as in chess.
    horizon: int = 0
    #: Mean moves of a side in a game, as measured (``scripts/game_lengths.py``); 0: not known.
    length: int = 0
    #: Centipawns beyond which the search counts evaluations less (``search.saturation``); 0: none.
    saturation: int = 0
    #: Table of the levels of a game without a folder; it need not be there.
    levels: Path | None = field(default=None, repr=False, compare=False)
    #: File of the net of a user's game, named by its definition or found next to it. None: the net
    #: that comes with the engine, if one fits.
    net: Path | None = field(default=None, repr=False, compare=False)
    bench_depth: int = 6
    #: Beam width: the search tries only so many moves of a position below the root, those first in
    #: its move ordering; 0: all. For games with hundreds of moves.
    beam: int = 0

    @property
    def played_well(self) -> bool:
        """Whether a net of its own or an exact solver plays it."""
        return self.trained or self.proves
