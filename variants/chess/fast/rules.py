"""The chess family's Rules: positions and moves as text, results, and nets."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.notation import Board, square_name
from ryugi_engine.games.rules import BaseRules
from ryugi_engine.games.training import Training
from ryugi_engine.kernel.abi import HEADER, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net, weights_digest
from variants.chess.castling_rights import RIGHTS
from variants.chess.definition import Definition
from variants.chess.fast import entries, training
from variants.chess.fast import layout as L
from variants.chess.fast.eval_tables import fill_weights
from variants.chess.fast.game import FastGame, net_file, read_fast
from variants.chess.fast.nnue import net_block
from variants.chess.fast.squares import piece_codes, square_index
from variants.chess.fast.table_block import TableBlock, build
from variants.chess.fast.weights import WEIGHTS, Weights
from variants.chess.pictures import figures, pieces
from variants.chess.reasons import repetition
from variants.chess.text import PositionData, at_position, format_text

#: Table blocks of other castling that are kept.
_KEPT_TABLES = 8


class ChessRules(BaseRules):
    """One chess-like game, see :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def __init__(self, game: Game, fast: FastGame) -> None:
        super().__init__(game)
        self.fast, self.definition = fast, fast.definition
        self._tables = build(fast)
        self._codes = piece_codes(fast)
        self._letters = {code: letter for letter, code in self._codes.items()}
        #: Tables of other castling than the game's, of the last positions in Chess960.
        self._other_tables: dict[str, TableBlock] = {}
        self._names = figures.assign(fast.definition)
        self._weights = WEIGHTS
        self._net: Net | None = None
        if self.own_net is not None:
            self._use_net(read_net(self.own_net))

    def new_state(self, text: str) -> Block:
        data = read_fast(self.fast, text)
        state = self.new_block()
        whole = L.STATE.of(state)
        table_block = self._tables_for(data)
        whole["tables"] = table_block.address
        state.keeps = table_block
        for at, letter in data.board.items():
            whole["mailbox"][square_index(at)] = self._codes[letter]
        frame = self.current(state)
        frame["en_passant"] = next(map(square_index, data.passing), -1)
        frame["castling"] = sum(1 << RIGHTS.index(letter) for letter in data.castling)
        frame["side"], frame["clock"], frame["fullmove"] = data.side, data.clock, data.number
        entries.refresh(state.address)
        if data.passing and not self._takes_en_passant(state):
            frame["en_passant"] = -1
            entries.refresh(state.address)
        return state

    def _takes_en_passant(self, state: Block) -> bool:
        """Return whether a legal move captures en passant."""
        codes = list_moves(self.kernels.generate, state)
        return any(code >> 14 & 7 == L.EN_PASSANT_CAPTURE for code in codes)

    def _tables_for(self, data: PositionData) -> TableBlock:
        """Return the tables with the castling of a position."""
        if not self.definition.chess960:
            return self._tables
        known, key = self._other_tables, repr(data.ways)
        if key not in known:
            if len(known) == _KEPT_TABLES:
                del known[next(iter(known))]  # the oldest; its positions keep it alive
            known[key] = self._tables.with_castling(at_position(self.definition, data))
        return known[key]

    def _tables_of(self, state: Block) -> TableBlock:
        """Return the tables of a state; only in Chess960 they are not the same for all."""
        return state.keeps if isinstance(state.keeps, TableBlock) else self._tables

    def _definition(self, state: Block) -> Definition:
        """Return the game's definition, in Chess960 with the ways to castle of the position."""
        return self._tables_of(state).game.definition

    def _mailbox(self, state: Block) -> Any:
        return L.STATE.of(state)["mailbox"]

    def _data(self, state: Block) -> PositionData:
        frame, game = self.current(state), self._definition(state)
        target, rights = int(frame["en_passant"]), int(frame["castling"])
        return PositionData(
            board=self.board(state),
            side=int(frame["side"]),
            castling="".join(right for bit, right in enumerate(RIGHTS) if rights >> bit & 1),
            ways=game.ways if game.chess960 else (),
            passing=frozenset() if target < 0 else frozenset({(target & 15, target >> 4)}),
            clock=int(frame["clock"]),
            number=int(frame["fullmove"]),
        )

    def text(self, state: Block) -> str:
        return format_text(self.definition, self._data(state))

    def move_text(self, state: Block, move: int) -> str:
        table_block = self._tables_of(state)
        text = table_block.move_texts.get(move)
        if text is None:
            definition = table_block.game.definition
            text = table_block.move_texts[move] = self._spell(move, definition)
        return text

    def _spell(self, move: int, game: Definition) -> str:
        squares = (move & 127, move >> 7 & 127)
        if move >> 14 & 7 == L.CASTLE:
            texts = game.castling_texts.items()
            return next(
                text
                for way, text in texts
                if (square_index(way.king_from), square_index(way.king_to)) == squares
            )
        text = "".join(square_name((s & 15, s >> 4)) for s in squares)
        if move >> 14 & 7 == L.PROMOTION:
            text += self._letters[move >> 17].lower()
        return text

    def normal_move(self, state: Block, text: str) -> str:
        def is_legal(step: str) -> bool:
            codes = list_moves(self.kernels.generate, state)
            return any(self.move_text(state, code) == step for code in codes)

        text = text.lower().replace("=", "")
        data, game = self._data(state), self._definition(state)
        return game.read_castling(text, data.side, data.castling, data.board, is_legal) or text

    def objection(self, state: Block, text: str) -> str:
        frame = self.current(state)
        if frame["checked"]:
            return "the king is in check"
        for way, castling in self._definition(state).castling_texts.items():
            if text.lower() == castling and way.right.islower() == bool(frame["side"]):
                return "no right to castle there, a piece between, or an attack on the king's way"
        return "no such move"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        frame = self.current(state)
        if not has_moves:
            if frame["checked"]:
                return Outcome("0-1" if frame["side"] == 0 else "1-0", "checkmate")
            return Outcome("1/2-1/2", "stalemate")
        if entries.dead(state.address):
            return Outcome("1/2-1/2", "dead position")
        if frame["clock"] >= 2 * self.fast.draw_moves:
            return Outcome("1/2-1/2", f"{self.fast.draw_moves}-move rule")
        times = self.fast.draw_repetition
        if entries.repetition_count(state.address) >= times:
            return Outcome("1/2-1/2", repetition(times))
        return None

    def claim(self, state: Block) -> Outcome | None:
        if self.current(state)["clock"] >= 2 * self.fast.claim_moves:
            return Outcome("1/2-1/2", f"{self.fast.claim_moves}-move rule", claimed=True)
        times = self.fast.claim_repetition
        if entries.repetition_count(state.address) >= times:
            return Outcome("1/2-1/2", repetition(times), claimed=True)
        return None

    def compact(self, state: Block) -> int:
        words = state.words
        frame = self.current(state)
        plies = (int(frame["null_distance"]), int(frame["clock"]), 2 * self.fast.draw_moves)
        keep = min(plies)
        size = L.FRAME.words
        header = HEADER.of(state)
        last = int(header["frame"])
        kept = words[last - keep * size : last + size].copy()
        words[L.FIRST_FRAME : L.FIRST_FRAME + len(kept)] = kept
        header["frame"] = L.FIRST_FRAME + keep * size
        return keep

    def board(self, state: Block) -> Board:
        return {
            (square & 15, square >> 4): self._letters[code]
            for square, code in enumerate(self._mailbox(state).tolist())
            if code
        }

    def sign(self, letter: str) -> str:
        return pieces.sign_of(self._names, letter)

    def piece_name(self, letter: str) -> str:
        return self._names.get(letter.upper(), letter.upper())

    def figure(self, letter: str) -> str:
        return figures.figure_of(self.definition, self._names, letter)

    def training(self) -> Training:
        game = self.fast
        if self.definition.chess960:
            raise UserError(f"{game.name}: its net is that of {game.name.removesuffix('960')}")
        inputs = Inputs.of_letters(game.files, game.ranks, game.letters)
        return Training(inputs, training.record, training.recall, training.learnt)

    @property
    def net(self) -> Net | None:
        return self._net

    @property
    def own_net(self) -> Path | None:
        return net_file(self.fast.net)

    def with_net(self, net: Net | None) -> ChessRules:
        other = self._copy()
        other._use_net(net)
        return other

    def _copy(self) -> ChessRules:
        """Return equal rules with a table block of their own."""
        other = copy.copy(self)
        other._tables, other._other_tables = self._tables.copy(), {}
        return other

    def _use_net(self, net: Net | None) -> None:
        """Put a net's address into the table block, before a position is set up with it."""
        corrected = None if net is None else net.corrected
        if corrected not in (None, weights_digest(self.weights)):
            raise UserError(
                f"the net of {self.definition.name} corrects the hand-crafted evaluation of another"
                " version of the engine: train it again"
            )
        block = None if net is None else net_block(net, self.fast)
        L.DRAFT.of(self._tables)["net"] = 0 if block is None else block.address
        self._net, self._tables.keeps = net, block

    @property
    def weights(self) -> Mapping[str, float]:
        return self._weights._asdict()

    def with_weights(self, weights: Mapping[str, float], unit: int = 1) -> ChessRules:
        other = self._copy()
        other._weights = Weights(**weights)
        fill_weights(L.DRAFT.of(other._tables), self.fast, other._weights, unit)
        return other
