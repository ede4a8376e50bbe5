"""The registry of games: those of :mod:`ryugi_engine.games.packages`, and a user's own.

A fault in a game's rules is a GameError of one line, raised when the rules are loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ryugi_engine.errors import GameError, UserError, did_you_mean
from ryugi_engine.games.definitions import file_text, read_text
from ryugi_engine.games.drawing import Drawing
from ryugi_engine.games.game import Game, Rules, counted
from ryugi_engine.games.groups import DEFAULT, GROUPS, OWN
from ryugi_engine.games.move_diagram import RADIUS
from ryugi_engine.games.packages import call_game, discover
from ryugi_engine.processes import process

#: Family of a user's definition that names none.
DEFAULT_FAMILY = "chess"


class Registry:
    """The built-in games, and those of a user's definition file."""

    def __init__(self) -> None:
        discovery = discover()
        self._games = dict(discovery.games)
        #: Why games of RYUGI_GAMES have been left out, one line each.
        self.faults = tuple(discovery.faults)
        self._own: dict[str, Game] = {}
        #: The game of the definition file, if it has one only.
        self.only_own: Game | None = None

    def load_file(self, path: str, keep: bool = False) -> list[Game]:
        """Add the games of a definition file and return them; "" removes them.

        They replace those of an earlier file; with ``keep``, only those of the same name. Of a
        Fairy-Stockfish file the games that are built in are left out, and those with a fault, if
        others have none. A line says why. UserError names file, line and key; the registry is then
        unchanged.
        """
        own: dict[str, Game] = {}
        only: Game | None = None
        if path:
            games, faults, remarks = read_with_faults(path)
            for remark in remarks:
                process.complain(str(remark))
            for fault in faults:
                process.complain(f"{fault} (this game is left out)")
            beside = Path(path).absolute().parent
            for game in games:
                own[game.name] = _with_files(game, beside)
            only = next(iter(own.values())) if len(games) == 1 and not faults else None
            self._refuse_taken(own, path)
            if _is_ini(path):
                # what was written for Fairy-Stockfish may leave out what the game has here
                own = {name: game for name, game in own.items() if name not in self._games}
        self._own, self.only_own = self._own | own if keep else own, only
        return list(own.values())

    def load_text(self, text: str, where: str) -> list[Game]:
        """Add the games of a definition's text and return them; ``where`` names it in errors.

        They replace those of the same name. UserError leaves the registry unchanged.
        """
        own = {game.name: game for game in read_definition(text, where)}
        self._refuse_taken(own, where)
        self._own = self._own | own
        return list(own.values())

    def forget(self, name: str) -> None:
        """Remove a user's game, if there is one of this name."""
        self._own = {key: game for key, game in self._own.items() if key != name}

    def _refuse_taken(self, own: Mapping[str, Game], where: str) -> None:
        """Raise UserError if a user's game has the name of a built-in one with another start."""
        for game in own.values():
            for name in (game.name, *game.aliases):
                taken = self._games.get(name) or self._alias(self._games, name)
                if taken is not None and taken.start != game.start:
                    raise UserError(f"{where}: '{name}' is the name of a built-in game")

    @staticmethod
    def _alias(games: dict[str, Game], name: str) -> Game | None:
        return next((game for game in games.values() if name in game.aliases), None)

    def names(self) -> list[str]:
        """Return all names and aliases, those of catalogues too, sorted."""
        return sorted({*self._listed(), *catalogue()})

    def _listed(self) -> set[str]:
        """Return the names and aliases of :meth:`games`."""
        games = (*self._games.values(), *self._own.values())
        return {name for game in games for name in (game.name, *game.aliases)}

    def games(self) -> list[Game]:
        """Return every game once, sorted by name."""
        games = {**self._games, **self._own}
        return [games[name] for name in sorted(games)]

    def groups(self) -> dict[str, list[Game]]:
        """Return every game with those of catalogues by group: the default first, then by title."""
        found: dict[str, list[Game]] = {name: [] for name in (OWN, *GROUPS)}
        for game in self._own.values():
            found[OWN].append(game)
        names = {*self._games, *catalogue()} - {*self._own}
        for game in (self._games.get(name) or self.game(name) for name in names):
            found[game.group].append(game)
        by_title = {
            name: sorted(games, key=lambda g: (g.name != DEFAULT, g.title))
            for name, games in found.items()
        }
        return {name: games for name, games in by_title.items() if games}

    def game(self, name: str) -> Game:
        """Return the game of a name or alias, in any letter case; UserError if there is none."""
        wanted = name.lower()
        for games in (self._own, self._games):
            game = games.get(wanted) or self._alias(games, wanted)
            if game is not None:
                return game
            for twin in (game.chess960() for game in games.values() if game.chess960 is not None):
                if wanted in (twin.name, *twin.aliases):
                    return twin
        for family in _families().values() if wanted not in discover().left_out else ():
            found: Game | None = family.find(wanted) if hasattr(family, "find") else None
            if found is not None:
                return found
        base = wanted.removesuffix("960")
        if base != wanted and base in (*self._own, *self._games, *catalogue()):
            reason = f"{base} has no Chess960: {self.game(base).no_chess960}"
            raise UserError(f"unknown variant '{name[:40]}': {reason}")
        hint = "" if self._own else "; --variants FILE or VariantPath adds your own"
        near = did_you_mean(name[:40], self.names())
        message = f"unknown variant '{name[:40]}'" + (f", {near}" if near else "")
        more = "; 'ryugi-engine games' lists more" if catalogue() else ""
        raise UserError(f"{message} (known: {', '.join(sorted(self._listed()))}{more}{hint})")

    def comes_with_engine(self, name: str) -> bool:
        """Return whether a name is one of a game of the engine, which no other game can have."""
        taken = name in self._games or self._alias(self._games, name) is not None
        return taken or name in catalogue()


def _with_files(game: Game, folder: Path) -> Game:
    """Return a user's game with its levels and its net in the folder of its definition."""
    beside, twin = folder / f"{game.name}.net", game.chess960
    net = beside if game.net is None and beside.is_file() else game.net
    if net is None:
        return replace(game, levels=folder / f"{game.name}.levels.json")
    return replace(
        game,
        levels=folder / f"{game.name}.levels.json",
        net=net,
        trained=True,
        chess960=None if twin is None else cache(lambda: replace(twin(), net=net)),
    )


@cache
def catalogue() -> tuple[str, ...]:
    """Return the names of catalogue games: :meth:`Registry.game` finds them, though unlisted."""
    modules = _families().values()
    # one that somebody writes, and that has a fault, is not replaced by another of its name
    listed = {*discover().games, *discover().left_out}
    names = [n for m in modules if hasattr(m, "catalogue") for n in m.catalogue()]
    return tuple(sorted({name for name in names if name not in listed}))


def _families() -> dict[str, ModuleType]:
    """Return the packages whose games a user can define, keyed by family."""
    return {module.FAMILY: module for module in discover().packages if hasattr(module, "FAMILY")}


def move_marks(betza: str) -> dict[tuple[int, int], str]:
    """Return the signs of a diagram of a piece's moves, see :mod:`ryugi_engine.games.move_diagram`.

    UserError for moves that have no diagram.
    """
    family = _families()[DEFAULT_FAMILY]
    try:
        marks: dict[tuple[int, int], str] = family.move_marks(betza, RADIUS)
    except ValueError as error:
        raise UserError(f"no diagram of these moves: {error}") from None
    return marks


def definition_editor() -> Any:
    """Return what edits definitions of the default family, ``variants.chess.editing.editor``."""
    return _families()[DEFAULT_FAMILY].definition_editor()


def family_modules() -> list[str]:
    """Return the names of the families' rules modules; each imports all kernels of its family."""
    modules = _families().values()
    return [name for m in modules for name in getattr(m, "RULES", (f"{m.__name__}.rules",))]


def _is_ini(path: str) -> bool:
    return Path(path).suffix.lower() == ".ini"


class DefinitionFile(NamedTuple):
    """A definition file's games, and warnings: sections left out, lines ignored."""

    games: list[Game]
    faults: list[UserError]
    remarks: list[UserError]


def read_with_faults(path: str) -> DefinitionFile:
    """Read a definition file; UserError if it defines no game."""
    families = _families()
    games: list[Game] = []
    faults: list[UserError] = []
    remarks: list[UserError] = []
    if _is_ini(path):
        for family in families.values():
            if hasattr(family, "read_ini"):
                found, wrong, passed_over = family.read_ini(Path(path))
                games += found
                faults += wrong
                remarks += passed_over
        return DefinitionFile(games, faults, remarks)
    return DefinitionFile(read_definition(file_text(Path(path)), path), [], [])


def read_definition(text: str, where: str) -> list[Game]:
    """Return the games of a definition's text; UserError names ``where``, line and key."""
    families, path = _families(), Path(where)
    for family in families.values():
        diagram = family.read_diagram(text, path) if hasattr(family, "read_diagram") else None
        if diagram is not None:
            return [diagram]
    games = []
    for reader in read_text(text, where):
        family = reader.get("family", str, DEFAULT_FAMILY)
        if family not in families:
            raise reader.fail("family", f"'{family[:40]}' is none of {', '.join(sorted(families))}")
        games.append(families[family].define(reader))
    return games


def read_definitions(path: str) -> list[Game]:
    """Return the games of a user's definition file; UserError names file, line and key.

    ``NAME.ini`` is read as Fairy-Stockfish's ``variants.ini``, a file that holds an Interactive
    Diagram as that, other files as TOML.
    """
    file = read_with_faults(path)
    if file.faults:
        raise file.faults[0]
    return file.games


@cache
def registry() -> Registry:
    """Return the process's registry; games left out are reported on standard error."""
    games = Registry()
    for fault in games.faults:
        process.complain(fault)
    return games


@cache
def _rules(game: Game) -> Rules:
    rules = call_game(game.name, game.load)
    fault = _kernels_fault(rules) or _frames_fault(game, rules)
    if fault:
        raise GameError(f"{game.name}: {fault}")
    return rules if game.net is None else _with_net(game, rules, game.net)


def _with_net(game: Game, rules: Rules, path: Path) -> Rules:
    """Return a game's rules with its net; where that does not fit a line says so."""
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.nnue.file_format import read_net

    try:
        net = read_net(path)
        return rules.with_net(net) if isinstance(rules, Trainable) else rules
    except UserError as error:
        # nobody need have asked for it: it may lie there from before a change of the rules
        text = str(error).removeprefix(f"{path}: ")
        process.complain(f"{path}: {text} (the net is not used)")
        return rules


def _kernels_fault(rules: Rules) -> str:
    """Return what is wrong with the entries of rules, in a few words; "" if nothing is."""
    from ryugi_engine.kernel.abi import ARITIES, Kernels
    from ryugi_engine.kernel.jit import Entry

    kernels = getattr(rules, "kernels", None)
    if not isinstance(kernels, Kernels):
        return f"{type(rules).__name__}.kernels must be an abi.Kernels"
    for name, entry, arity in zip(Kernels._fields, kernels, ARITIES, strict=True):
        if not isinstance(entry, Entry):
            return f"kernels.{name} is not marked with @entry({arity})"
        if entry.arity != arity:
            return f"kernels.{name} must take {arity} arguments, {entry.name} takes {entry.arity}"
    return ""


def _frames_fault(game: Game, rules: Rules) -> str:
    """Return how many frames a search needs if the layout has fewer; "" if it has enough.

    A kernel would not notice: what follows the field ``frames`` belongs to the state, too.
    """
    from ryugi_engine.games.rules import BaseRules
    from ryugi_engine.kernel.abi import SEARCH_PLIES

    if not isinstance(rules, BaseRules):
        return ""
    for name in ("header", "frames", "moves"):
        if name not in rules.layout.fields:
            return f"layout: {rules.layout.name} has no field {name}"
    frames = rules.layout.fields["frames"].bytes // (8 * rules.frame.words)
    needed, why = SEARCH_PLIES + 2, "abi.SEARCH_PLIES and two more"
    if game.longest and game.longest + 1 < needed:
        needed, why = game.longest + 1, "one for each ply of the longest game and one more"
    if frames >= needed:
        return ""
    return f"layout: {counted(frames, 'frame')}, at least {needed} are needed: {why}"


def start_of(game: Game) -> Drawing:
    """Return a picture of a game's start, without its kernels; GameError for a faulty game."""
    # not the rules of all games that are looked at: each keeps its tables
    return call_game(game.name, lambda: game.load().editor(game.start).draw())


def figures(game: Game) -> Callable[[str], str]:
    """Return what draws a game's pieces by their letters, without its kernels."""
    return call_game(game.name, game.load).figure


def load_kernels(
    game: Game, *modules: str, own: bool = False, wanted: Callable[[], bool] = lambda: True
) -> bool:
    """Compile or load a game's kernels, and those of further modules; see ``kernel.jit.load``."""
    from ryugi_engine.kernel import jit

    entries = rules_of(game).entries()
    return jit.load(game.rules_module, *modules, entries=entries, own=own, wanted=wanted)


def rules_of(game: Game) -> Rules:
    """Return a game's rules; the first call imports numba and the game's kernels."""
    return _rules(game)
