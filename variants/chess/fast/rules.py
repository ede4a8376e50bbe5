"""The chess family's Rules: positions and moves as text, results, and nets."""

from __future__ import annotations

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.training import Training
from ryugi_engine.kernel.abi import list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net
from variants.chess.definition.definition import Definition
from variants.chess.definition.squares import square_at, square_index
from variants.chess.family.rules import FamilyRules, repetition
from variants.chess.fast import entries, training
from variants.chess.fast import layout as L
from variants.chess.fast.game import FastGame, read_fast
from variants.chess.fast.nnue import net_block
from variants.chess.fast.table_block import TableBlock, build
from variants.chess.notation.castling_rights import bits_of, rights_of
from variants.chess.notation.text import PositionData, at_position

#: Table blocks of other castling that are kept.
_KEPT_TABLES = 8


class FastRules(FamilyRules):
    """One chess-like game, see :class:`ryugi_engine.games.game.Rules`."""

    kernels = entries.KERNELS
    layout, frame = L.STATE, L.FRAME

    def __init__(self, game: Game, fast: FastGame) -> None:
        super().__init__(game, fast, fast.codes)
        self.fast = fast
        self._tables = build(fast)
        #: Tables of other castling than the game's, of the last positions in Chess960.
        self._other_tables: dict[str, TableBlock] = {}

    def new_state(self, text: str) -> Block:
        self._choose_net()
        data = read_fast(self.fast, text)
        state = self.new_block()
        whole = L.STATE.of(state)
        table_block = self._tables_for(data)
        whole["tables"] = table_block.address
        state.keeps = table_block
        for at, letter in data.board.items():
            whole["mailbox"][square_index(at)] = self._codes[letter]
        frame = self.current(state)
        frame["en_passant"] = next(map(square_index, data.en_passant), -1)
        frame["castling"] = bits_of(data.castling)
        frame["side"], frame["clock"], frame["fullmove"] = data.side, data.clock, data.number
        entries.refresh(state.address)
        if data.en_passant and not self._takes_en_passant(state):
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
            known[key] = self._tables.with_castling(at_position(self.fast, data))
        return known[key]

    def _tables_of(self, state: Block) -> TableBlock:
        """Return the tables of a state; only in Chess960 they are not the same for all."""
        return state.keeps if isinstance(state.keeps, TableBlock) else self._tables

    def _definition(self, state: Block) -> Definition:
        """Return the game's definition, in Chess960 with the ways to castle of the position."""
        return self._tables_of(state).game

    def _data(self, state: Block) -> PositionData:
        frame, game = self.current(state), self._definition(state)
        mailbox = L.STATE.of(state)["mailbox"].tolist()
        target = int(frame["en_passant"])
        return PositionData(
            board={square_at(at): self._signs[code] for at, code in enumerate(mailbox) if code},
            side=int(frame["side"]),
            castling=rights_of(int(frame["castling"])),
            ways=game.ways if game.chess960 else (),
            en_passant=frozenset() if target < 0 else frozenset({square_at(target)}),
            clock=int(frame["clock"]),
            number=int(frame["fullmove"]),
        )

    def move_text(self, state: Block, move: int) -> str:
        table_block = self._tables_of(state)
        text = table_block.move_texts.get(move)
        if text is None:
            text = table_block.move_texts[move] = self._spell(move, table_block.game)
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
        text = "".join(square_name(square_at(s)) for s in squares)
        if move >> 14 & 7 == L.PROMOTION:
            text += self._signs[move >> 17].lower()
        return text

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        frame = self.current(state)
        if not has_moves:
            if frame["checked"]:
                return Outcome("0-1" if frame["side"] == 0 else "1-0", "checkmate")
            return Outcome("1/2-1/2", "stalemate")
        if entries.dead(state.address):
            return Outcome("1/2-1/2", "dead position")
        moves, times = self.fast.rules.n_move_limit, self.fast.rules.n_fold_limit
        if frame["clock"] >= 2 * moves:
            return Outcome("1/2-1/2", f"{moves}-move rule")
        if self.occurrences(state) >= times:
            return Outcome("1/2-1/2", repetition(times))
        return None

    def training(self) -> Training:
        name = self.fast.name
        if self.definition.chess960:
            raise UserError(f"{name}: its net is that of {name.removesuffix('960')}")
        return self._recording()

    @property
    def _inputs(self) -> Inputs:
        return Inputs.of_letters(self.fast.files, self.fast.ranks, self.fast.letters)

    def _recording(self) -> Training:
        return Training(
            self._inputs,
            training.record,
            training.recall,
            training.learnt,
            most_pieces=self._most_pieces(),
            values=self._values(),
            magnitude=self._magnitude(),
        )

    def _use_net(self, net: Net | None) -> None:
        """Put a net's address into a new table block, before a position is set up with it."""
        self._tables, self._other_tables = self._tables.copy(), {}
        block = None if net is None else net_block(net, self.fast)
        L.DRAFT.of(self._tables)["net"] = 0 if block is None else block.address
        self._net, self._tables.keeps = net, block
