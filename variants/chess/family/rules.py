"""``FamilyRules``: what the rules of chess-like games share, whichever kernels play them."""

from __future__ import annotations

import copy
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import (
    PASS,
    ExplainingReference,
    Game,
    MoveParts,
    Outcome,
    Rules,
    TablebasePosition,
    is_pass,
)
from ryugi_engine.games.notation import Board, square_name, squares_of
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.games.training import Training
from ryugi_engine.kernel.abi import DRAWN, HEADER, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.nnue.file_format import read_head, read_net
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net
from ryugi_engine.processes import process
from ryugi_engine.train import trial
from variants.chess.definition.definition import Definition, has_locusts
from variants.chess.definition.values import magnitude, piece_values
from variants.chess.family import kinship
from variants.chess.family.exposed import read_position
from variants.chess.family.first_net import first_net
from variants.chess.family.material import Material
from variants.chess.notation.text import PositionData, format_text, has_hands
from variants.chess.pictures import figures, pieces
from variants.chess.tablebase.tablebase import Tablebase

if TYPE_CHECKING:
    import subprocess

#: Plies in which any mate comes.
_UNBOUNDED = 1_000_000
#: A move over a square.
_LEGS = re.compile("([a-z][0-9]+)([a-z][0-9]+),\\2([a-z][0-9]+)")


class FamilyRules(BaseRules):
    """One game of the family, see :class:`ryugi_engine.games.game.Rules`.

    Frames have the fields ``side``, ``checked``, ``clock``, ``null_distance``, ``king`` and
    ``key``.
    """

    needs_net = "material and squares"

    def __init__(self, game: Game, definition: Definition, codes: Mapping[str, int]) -> None:
        super().__init__(game)
        self.definition = definition
        self._codes = codes
        self._signs = {code: sign for sign, code in codes.items()}
        self._names = figures.assign(definition)
        # read when it is first asked for: pictures of a game need none
        self._net: Net | None = None
        self._has_chosen = False
        #: A net that may be worse than none.
        self._doubted: Net | None = None
        self._material = Material(definition)
        self._tablebase = Tablebase(definition)

    @abstractmethod
    def _data(self, state: Block) -> PositionData:
        """Return the current position as plain data."""

    @abstractmethod
    def _use_net(self, net: Net | None) -> None:
        """Evaluate by a net from now on, without one for None."""

    @property
    def shipped_net(self) -> Path | None:
        """The file of the net that comes with the engine for the game; None if none fits."""
        name = self.definition.net or self.game.name
        path = kinship.net_file(name)
        if path is None or not kinship.moves_alike(self.definition, self._inputs, name):
            return None
        facts = {**self._inputs.facts(), "rules": self._net_rules}
        head = {"rules": {}, **read_head(path)}
        return path if all(head.get(key) == value for key, value in facts.items()) else None

    @property
    @abstractmethod
    def _inputs(self) -> Inputs:
        """The inputs of the game's nets."""

    @property
    def _net_rules(self) -> Mapping[str, str]:
        """The rules that the game's nets belong to, as texts by name."""
        return {}

    @abstractmethod
    def _recording(self) -> Training:
        """Return how positions are recorded, also of a game that has another's net."""

    def _values(self) -> dict[str, int]:
        """Return the value of each kind of piece in centipawns."""
        values = piece_values(self.definition)
        return {kind.sign: values[kind.moves_as] for kind in self.definition.kinds()}

    def _magnitude(self) -> int:
        """Return how many times a side's pieces at the start are worth those in chess."""
        start = read_position(self.definition, self.game.start)
        return magnitude(self._values(), start.board.values())

    def _choose_net(self) -> None:
        """Use the net that comes with the engine for the game, else one that is made for it."""
        if self._has_chosen:
            return
        path = self.shipped_net
        if path is None:
            self._use_made_net()
        else:
            self._use_net(read_net(path))
        # not before: another thread would play without, and a damaged net is reported once only
        self._has_chosen = True

    def _use_made_net(self) -> None:
        """Use the net that is made for the game, unless none is better; see :mod:`.first_net`."""
        try:
            made = first_net(self.definition, self._recording())
            if made is None:
                return
            if made.doubtful:
                self._doubted = made.net
            if not made.doubtful or trial.is_better(made.net) is not False:
                self._use_net(made.net)
        except UserError as error:  # a board or an army that no net can have
            process.complain(f"{self.game.name}: {error} (no net is used)")

    def with_net(self, net: Net | None) -> Self:
        """Return the same rules with another net, or none; UserError if it does not fit."""
        other = copy.copy(self)
        other._has_chosen, other._doubted = True, None
        other._use_net(net)
        return other

    def trial(self) -> Callable[[], subprocess.Popen[bytes] | None] | None:
        """Return what decides whether the net is better than none; None if that is known."""
        self._choose_net()
        net = self._doubted
        if net is None or self.definition.chess960 or trial.is_better(net) is not None:
            return None
        return partial(trial.start, partial(_game_of, self.definition), net)

    def training(self) -> Training:
        """Return how positions are recorded."""
        return self._recording()

    def first_net(self) -> Net | None:
        """Return the net that the game would have if none came with it; None if none would help."""
        made = first_net(self.definition, self._recording(), self.game.name)
        return None if made is None else made.net

    def adapted(self, net: Net, other: Rules) -> Net:
        """Return a net of the other rules' game, made to fit; UserError if it is not one."""
        if not isinstance(other, FamilyRules):
            raise UserError(f"a net of {net.game}: its pieces are not known")
        return kinship.adapted(net, other.definition, self.definition, self._recording())

    def _definition(self, state: Block) -> Definition:
        """Return the game's definition, in Chess960 with the ways to castle of the position."""
        return self.definition

    def _most_pieces(self) -> int:
        """Return how many pieces there are at the start; 0 if there may be more."""
        if self.definition.rules.free_drops:
            return 0
        start = read_position(self.definition, self.game.start)
        on_board = sum(sign != figures.WALL_SIGN for sign in start.board.values())
        return on_board + sum(start.hands.values())

    @property
    def net(self) -> Net | None:
        self._choose_net()
        return self._net

    # ---- positions

    def text(self, state: Block) -> str:
        return format_text(self.definition, self._data(state))

    def board(self, state: Block) -> Board:
        board = self._data(state).board
        return {at: sign.strip("~") for at, sign in board.items() if sign != figures.WALL_SIGN}

    def sign(self, letter: str) -> str:
        return pieces.sign_of(self._names, letter)

    def figure(self, letter: str) -> str:
        return figures.figure_of(self.definition, self._names, letter)

    def lettered_figure(self, letter: str) -> str:
        return figures.figure_of(self.definition, self._names, letter, lettered=True)

    # ---- moves

    def normal_move(self, state: Block, text: str) -> str:
        if "@" in text:
            piece, _, rest = text.partition("@")
            return f"{piece.upper()}@{rest.lower()}"

        def legal() -> Iterator[str]:
            codes = list_moves(self.kernels.generate, state)
            return (self.move_text(state, code) for code in codes)

        if text.lower() == PASS:
            return next(filter(is_pass, legal()), PASS)

        def is_legal(step: str) -> bool:
            return step in legal()

        text = text.lower().replace("=", "")
        data, game = self._data(state), self._definition(state)
        legs = _LEGS.fullmatch(text) if has_locusts(game) else None
        if legs and all(square_name(at) != legs[2] for at in data.board):
            return legs[1] + legs[3]  # nothing is captured on the way
        return game.read_castling(text, data.side, data.castling, data.board, is_legal) or text

    def move_parts(self) -> MoveParts:
        definition, rules = self.definition, self.definition.rules
        letters = definition.letters
        promotions = [letter for letter in letters if any(letter in to for to in rules.promotion)]
        if rules.gating or rules.seirawan_gating:
            promotions = [*letters]
        turned = [f"+{letter}" for letter in rules.promoted_piece_type]
        suffixes = ["", *(letter.lower() for letter in promotions)]
        suffixes += ["+"] * bool(turned) + ["-"] * rules.piece_demotion
        drops = [*letters] if has_hands(definition) else []
        drops += turned if rules.drop_promoted or rules.drop_loop else []
        return MoveParts(suffixes, drops, third=bool(self.game.wall or self.game.legs))

    def in_check(self, state: Block) -> bool:
        # kernels also take a capture that is a duty for an answer to a threat
        return bool(self.current(state)["checked"])

    def objection(self, state: Block, text: str) -> str:
        position = self.game.reference(self.text(state))
        assert isinstance(position, ExplainingReference)
        return position.objection(text)

    # ---- tablebase

    def entries(self) -> list[Entry]:
        return [*self.kernels, *self._tablebase.entries()]

    def tablebase_position(self, state: Block) -> TablebasePosition | None:
        return self._tablebase.ending(self._data(state), lambda: self._plies_left(state))

    def _plies_left(self, state: Block) -> int:
        """Return within how many plies a mate comes before the move rule or a count draws."""
        data, rules = self._data(state), self.definition.rules
        left = _UNBOUNDED
        if rules.n_move_rule:
            left = 2 * rules.n_move_rule - data.clock
        if rules.counting_rule == "none":
            return left
        # a count that has not begun does with a move of the strong side
        made = 0
        while not data.count_limit and made < 2 and (move := self._quiet_move(state, data)):
            self.kernels.make(state.address, move)
            made, data = made + 1, self._data(state)
        for _ in range(made):
            self.kernels.unmake(state.address)
        if data.count_limit:
            left = min(left, made + data.count_limit + 1 - data.counted)
        return left

    def _quiet_move(self, state: Block, data: PositionData) -> int:
        """Return a move that captures nothing, 0 if there is none."""
        for code in list_moves(self.kernels.generate, state):
            if squares_of(self.move_text(state, code))[-1] not in data.board:
                return code
        return 0

    # ---- draws

    def can_win(self, state: Block, side: int) -> bool:
        return self._material.can_win(self._data(state), side)

    def claim(self, state: Block) -> Outcome | None:
        rules, clock = self.definition.rules, int(self.current(state)["clock"])
        if rules.n_move_rule < rules.n_move_limit and clock >= 2 * rules.n_move_rule > 0:
            return Outcome("1/2-1/2", f"{rules.n_move_rule}-move rule", claimed=True)
        times = rules.n_fold_rule
        if 0 < times < rules.n_fold_limit and rules.n_fold_value == "draw":
            if self.occurrences(state) >= times:
                return Outcome("1/2-1/2", repetition(times), claimed=True)
        return None

    def occurrences(self, state: Block) -> int:
        """Return how many times the position has occurred since the last null move, now too."""
        last, first, size = self._frames(state)
        plies = min(int(self.current(state)["null_distance"]), (last - first) // size)
        key = self.frame.word("key")
        keys = [int(state.words[last - ply * size + key]) for ply in range(plies + 1)]
        return keys.count(keys[0])

    def compact(self, state: Block) -> int:
        """Drop the positions that no rule looks back to; return how many are left before this."""
        last, first, size = self._frames(state)
        capacity = self.layout.fields["frames"].bytes // (8 * size)
        keep = min(int(self.current(state)["null_distance"]), capacity // 2, (last - first) // size)
        kept = state.words[last - keep * size : last + size].copy()
        state.words[first : first + len(kept)] = kept
        HEADER.of(state)["frame"] = first + keep * size
        return keep

    def _frames(self, state: Block) -> tuple[int, int, int]:
        """Return the words of the current and of the first frame, and a frame's size in words."""
        return int(HEADER.of(state)["frame"]), self.layout.word("frames"), self.frame.words


def _game_of(definition: Definition) -> Game:
    """Return the game of a definition, in another process."""
    from variants.chess import game_of
    from variants.chess.fast.game import kernels_of

    return game_of(definition, kernels_of(definition))


# ---- reasons of results, as records and displays name them ---------------------------------------


def reason_of(game: Definition, frame: Any, *, mated: bool, result: int) -> str:
    """Return why the position in a frame has this result."""
    rules = game.rules
    if mated:
        return "checkmate" if frame["checked"] else "stalemate"
    if rules.extinction_value == "draw" and result == DRAWN and _is_extinct(game, frame):
        return "no pieces left of a kind"
    if rules.check_counting and frame["checks"][1 - int(frame["side"])] == 0:
        return "checks given"
    if rules.castling_wins and result != DRAWN:
        return "castling decides"
    if rules.counting_rule != "none" and result == DRAWN:
        plies, limit = frame["counting"].tolist()
        if 0 < limit < plies:
            return "counting rule"
    if rules.n_move_rule and frame["clock"] >= 2 * rules.n_move_rule and result == DRAWN:
        return f"{rules.n_move_limit or rules.n_move_rule}-move rule"
    if any(rules.flag_region) and result != DRAWN:
        return "goal reached"
    if rules.extinction_value != "none" and result != DRAWN:
        return "no pieces left of a kind"
    if (rules.connect_n or rules.connect_nxn or rules.collinear_n) and result != DRAWN:
        return "row completed"
    if rules.n_fold_rule and frame["null_distance"] >= 4:
        return repetition(rules.n_fold_limit or rules.n_fold_rule)
    return "normal"


def _is_extinct(game: Definition, frame: Any) -> bool:
    """Return whether a side has too few pieces in a game that this draws."""
    rules, kinds = game.rules, game.kinds()
    for side, types in enumerate(rules.extinction_piece_types):
        groups = [list(range(1, len(kinds) + 1))] if "*" in types else [
            [number for number, kind in enumerate(kinds, start=1) if kind.sign == letter]
            for letter in types
        ]  # fmt: skip
        for group in groups:
            codes = [number + 64 * side for number in group]
            held = sum(int(frame["count"][code]) + int(frame["hand"][code]) for code in codes)
            if held <= rules.extinction_piece_count:
                return True
    return False


def repetition(times: int) -> str:
    """Return the name of a repetition: ``threefold repetition`` for 3 times."""
    names = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
    return f"{names.get(times, f'{times}-fold')} repetition"
