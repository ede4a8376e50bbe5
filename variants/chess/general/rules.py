"""``GeneralRules``: positions, moves and results of the general family as text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ryugi_engine.games import lettered
from ryugi_engine.games.drawing import Drawing, Ink
from ryugi_engine.games.game import Game, Outcome, turn_or_result
from ryugi_engine.games.notation import Board, squares_of
from ryugi_engine.games.training import Training
from ryugi_engine.kernel.abi import DRAWN, HEADER, ONGOING, WON, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.kernels import check_fit
from ryugi_engine.nnue.net import Net
from variants.chess.definition.definition import Definition, Square
from variants.chess.definition.squares import square_at, square_index, words_of
from variants.chess.family.exposed import read_position
from variants.chess.family.rules import FamilyRules, reason_of, repetition
from variants.chess.general import entries, training
from variants.chess.general.encoding import net_inputs, table_block
from variants.chess.general.evaluate import nnue
from variants.chess.general.memory import layout as L
from variants.chess.general.move_text import spelled
from variants.chess.notation.castling_rights import bits_of, rights_of
from variants.chess.notation.text import PositionData, has_hands

#: Why a repetition is won or lost.
_REPEATS = {
    L.PERPETUAL_CHECK: "perpetual check",
    L.PERPETUAL_CHASE: "perpetual chase",
    L.REPEATED_MOVES: "repeated moves",
    L.PERPETUAL_ATTACK: "perpetual attack",
}

#: Word of a state that says who is to move.
_SIDE = HEADER.word("side")


class GeneralRules(FamilyRules):
    """One game of the family, see :class:`ryugi_engine.games.game.Rules`."""

    layout, frame = L.STATE, L.FRAME

    def __init__(self, game: Game, definition: Definition) -> None:
        self._tables = table_block.build(definition)
        super().__init__(game, definition, self._tables.codes)
        self._known = table_block.known(self._tables)
        self.kernels = entries.kernels(self._known)
        self._refresh = entries.refresh.given(self._known)
        self._block: Block | None = None

    # ---- nets

    def _recording(self) -> Training:
        return Training(
            self._inputs,
            training.record.given(self._known),
            training.recall.given(self._known),
            training.learnt.given(self._known),
            symmetric=net_inputs.is_symmetric(self.definition),
            decided_by_material=net_inputs.is_decided_by_material(self.definition),
            most_pieces=self._most_pieces(),
            rules=self._net_rules,
            values=self._values(),
            magnitude=self._magnitude(),
        )

    @cached_property
    def _seen(self) -> net_inputs.Seen:
        return net_inputs.seen_of(self.definition)

    @property
    def _inputs(self) -> Inputs:
        return self._seen.inputs

    @cached_property
    def _net_rules(self) -> Mapping[str, str]:
        return net_inputs.rules_of(self.definition)

    def _use_net(self, net: Net | None) -> None:
        block = None
        if net is not None:
            check_fit(net, self.game.name, self._inputs, self._net_rules)
            block = nnue.net_block(net, self._seen)
            block.keeps = self._tables
        self._net, self._block = net, block

    def entries(self) -> list[Entry]:
        return [self._refresh, *super().entries()]

    # ---- positions

    def new_state(self, text: str) -> Block:
        self._choose_net()
        data = read_position(self.definition, text)
        state = self.new_block()
        L.STATE.of(state)["tables"] = self._tables.address
        state.keeps = self._tables
        if self._block is not None:
            L.STATE.of(state)["net"] = self._block.address
            state.keeps = self._block
        frame = self.current(state)
        for at, sign in data.board.items():
            frame["board"][square_index(at)] = L.WALL if sign == "*" else self._codes[sign]
        for letter, count in data.hands.items():
            frame["hand"][self._codes[letter]] = count
        frame["gates"] = words_of(data.gates)
        self._write_en_passant(frame, data)
        frame["lion"] = 0 if data.lion is None else square_index(data.lion) + 1
        frame["moves_left"] = data.moves_left
        frame["castling"] = bits_of(data.castling)
        frame["side"], frame["checks"] = data.side, data.checks
        frame["clock"], frame["number"] = data.clock, data.number
        frame["counting"] = data.counted, data.count_limit
        self._refresh(state.address)
        return state

    def _write_en_passant(self, frame: Any, data: PositionData) -> None:
        """Write the squares of en passant, and the pieces that can be taken there."""
        victims: dict[int, set[Square]] = {}
        for at in data.en_passant:
            victims.setdefault(self._victim(data, at), set()).add(at)
        if self.definition.has_many_marks():
            frame["older_victim"] = frame["victim"] = -1
            frame["older"] = words_of(at for at in data.en_passant if at not in data.board)
            return
        by_age = sorted(victims, reverse=True)
        frame["victim"] = by_age[0] if by_age else -1
        frame["en_passant"] = words_of(victims.get(int(frame["victim"]), ()))
        frame["older_victim"] = by_age[1] if len(by_age) > 1 else -1
        frame["older"] = words_of(victims[by_age[1]] if len(by_age) > 1 else ())

    def _victim(self, data: PositionData, square: Square) -> int:
        """Return the square of the piece that can be taken en passant; -1 if there is none."""
        for at in data.en_passant:
            if at in data.board:
                return square_index(at)
        mover = data.side
        length = self.definition.turn_length(mover, data.number)
        if self.definition.has_long_turns() and data.moves_left < length:
            mover = 1 - mover  # marks of the side's own earlier move
        step = -1 if mover == 0 else 1
        for file, rank in (square, *sorted(data.en_passant)):
            at = file, rank
            while 0 <= at[1] < self.definition.ranks:
                if at in data.board:
                    return square_index(at)
                at = file, at[1] + step
        return -1

    def _data(self, state: Block) -> PositionData:
        frame = self.current(state)
        board = {}
        for square, code in enumerate(frame["board"].tolist()):
            if code:
                sign = "*" if code == L.WALL else self._signs[code]
                board[square_at(square)] = sign
        hands = {
            self._signs[code]: count for code, count in enumerate(frame["hand"].tolist()) if count
        }
        en_passant = _set_of(frame["en_passant"]) | _set_of(frame["older"])
        victim = int(frame["victim"])
        if not any(frame["older"]) and any(at[0] != (victim & 15) for at in en_passant):
            en_passant |= {square_at(victim)}
        return PositionData(
            board=board,
            hands=hands,
            side=int(frame["side"]),
            moves_left=int(frame["moves_left"]),
            castling=rights_of(int(frame["castling"])),
            gates=_set_of(frame["gates"]),
            en_passant=en_passant,
            checks=(int(frame["checks"][0]), int(frame["checks"][1])),
            clock=int(frame["clock"]),
            number=int(frame["number"]),
            counted=int(frame["counting"][0]),
            count_limit=int(frame["counting"][1]),
            lion=square_at(int(frame["lion"]) - 1) if frame["lion"] else None,
        )

    # ---- pictures

    def _shown(self, state: Block) -> tuple[Board, Mapping[str, int] | None]:
        """Return the signs on squares with walls, and the pieces in hand; None without hands."""
        data = self._data(state)
        board = {at: sign.strip("~") for at, sign in data.board.items()}
        return board, data.hands if has_hands(self.definition) else None

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        status, marked = self._status(state, outcome), squares_of(last_move)
        board, hands = self._shown(state)
        text = lettered.board_text(self.game, board, marked, status, ink, self.sign)
        return (
            text if hands is None else f"{text}\n{lettered.hands_text(hands, ink, self.game.sides)}"
        )

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        status, marked = self._status(state, outcome), squares_of(last_move)
        board, held = self._shown(state)
        held = held if hands else None
        return lettered.draw(self.game, board, marked, status, self.figure, held)

    def _status(self, state: Block, outcome: Outcome | None) -> str:
        status = turn_or_result(int(HEADER.of(state)["side"]), outcome, self.game.sides)
        plies, limit = self.current(state)["counting"].tolist()
        if limit:
            status = f"{status} (count {(plies + 1) // 2} of {limit // 2})"
        if not self.definition.rules.check_counting:
            return status
        left = self.current(state)["checks"].tolist()
        each = ", ".join(f"{side} {n}" for side, n in zip(self.game.sides, left, strict=True))
        return f"{status} (checks left: {each})"

    # ---- moves

    def move_text(self, state: Block, move: int) -> str:
        return spelled(self._tables, move, int(state.words[_SIDE]))

    # ---- results

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        value = self.kernels.status(state.address, 0)
        if value == DRAWN and self._material.is_dead(self._data(state)):
            return Outcome("1/2-1/2", "dead position" if has_moves else "stalemate")
        if value == DRAWN and has_moves and self._need_not_promote(state):
            return Outcome("1/2-1/2", "stalemate")
        mated = value == ONGOING and not has_moves
        if mated:
            value = self.kernels.no_moves(state.address)
        if value == ONGOING:
            return None
        reason = reason_of(self.definition, self.current(state), mated=mated, result=value)
        if not mated and self.definition.rules.bare_king_rule and self._both_have_royals(state):
            folds = self.definition.rules.n_fold_limit or self.definition.rules.n_fold_rule
            reason = repetition(folds) if self._is_at_limit(state) else "bare king"
        if self.definition.rules.chasing_rule != "none" and reason.endswith("move rule"):
            # checks that do not count may leave the repetition alone
            folds = self.definition.rules.n_fold_limit or self.definition.rules.n_fold_rule
            reason = repetition(folds) if 0 < folds <= self.occurrences(state) else reason
        repeats = int(L.STATE.of(state)["scratch"]["repeats"])
        if repeats and reason.endswith("repetition"):
            reason = _REPEATS[repeats]
        if value == DRAWN:
            waits = has_moves and self.claim(state) is not None and not self._is_at_limit(state)
            return None if waits else Outcome("1/2-1/2", reason)
        side = int(HEADER.of(state)["side"])
        return Outcome("1-0" if (value == WON) == (side == 0) else "0-1", reason)

    def _need_not_promote(self, state: Block) -> bool:
        """Return whether a side with a king and a pawn can only promote, which is optional."""
        frame, side = self.current(state), int(HEADER.of(state)["side"])
        if not self.definition.rules.sittuyin_promotion or frame["pieces"][side] != 2:
            return False
        moves = [self.move_text(state, code) for code in list_moves(self.kernels.generate, state)]
        return not frame["checked"] and all(text[-1].isalpha() for text in moves)

    def _both_have_royals(self, state: Block) -> bool:
        """Return whether no side has lost all pieces of the extinction rule."""
        table, count = L.TABLE.of(self._tables), self.current(state)["count"]
        kinds = zip(table["kinds_to_lose"], table["numbers_to_lose"], strict=True)
        return all(any(count[code] for code in codes[:number]) for codes, number in kinds)

    def _is_at_limit(self, state: Block) -> bool:
        """Return whether the n-move rule or repetition ends the game without a claim."""
        rules, clock = self.definition.rules, int(self.current(state)["clock"])
        by_moves = 0 < 2 * (rules.n_move_limit or rules.n_move_rule) <= clock
        times = rules.n_fold_limit or rules.n_fold_rule
        plies, limit = self.current(state)["counting"].tolist()
        return by_moves or 0 < limit < plies or 0 < times <= self.occurrences(state)


def _set_of(words: Any) -> frozenset[tuple[int, int]]:
    bits = sum((int(word) & (1 << 64) - 1) << 64 * at for at, word in enumerate(words))
    return frozenset(square_at(n) for n in range(256) if bits >> n & 1)
