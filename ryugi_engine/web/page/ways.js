// A move is a way: a piece of the hand or a square, the next squares, and what is left to choose;
// whoever goes along it sees where it may lead.

import { here, mayMove } from "web/position.js";
import { state } from "web/state.js";

const { board } = state;

/** @type {WeakMap<Shown, Way[]>} */
const parsedMoves = new WeakMap();

/** A move as a way. @param {string} text @returns {Way} */
export function wayOf(text) {
  const drop = /^(\+?[A-Za-z])(\d?)@(.*)$/.exec(text);
  const rest = drop ? drop[3] : text;
  const cells = rest.match(state.table.wide ? /[a-z]{1,2}\d{1,2}/g : /[a-z]\d{1,2}/g) ?? [];
  const tail = cells.length ? rest.slice(rest.lastIndexOf(cells.at(-1)) + cells.at(-1).length) : "";
  // what a placed stone removes is chosen, not gone to; "e2e4,e4d4" goes on from where it was
  const way = rest.includes("x") && drop ? cells.slice(0, 1)
    : cells.filter((cell, at) => at !== 2 || cell !== cells[1] || cells.length < 4);
  return { text, hand: drop ? drop[1] : null, shape: drop ? drop[1] + drop[2] : "", cells: way,
    removed: drop ? cells.slice(1) : [], tail };
}

/** A position's moves as ways. @param {Shown} position */
export function parsed(position) {
  if (parsedMoves.has(position)) return parsedMoves.get(position);
  const list = position.moves.map(wayOf);
  parsedMoves.set(position, list);
  return list;
}

/** The moves that go on with what is picked. @param {Picked} [way] */
export function fitting(way = state.picked) {
  const position = here();
  if (!position || !mayMove()) return [];
  return parsed(position).filter(move => (move.hand ?? null) === way.hand
    && way.cells.every((cell, at) => move.cells[at] === cell));
}

/** The places that go on with what is picked; where nothing is, all in games of placing. */
export function targetCells() {
  const { picked } = state;
  if (board.view?.shapes && Object.keys(board.view.shapes).length) return new Set();
  if (state.table.placed) {
    const all = here() && mayMove() ? parsed(here()) : [];
    return new Set(all.filter(move => (picked.hand ?? move.hand) === move.hand).map(move => move.cells[0]));
  }
  if (picked.hand === null && !picked.cells.length) return new Set();
  const at = picked.cells.length;
  return new Set(fitting().map(move => move.cells[at]).filter(Boolean));
}

/** The premove as a move is written, "" for none. */
export function premoveText() {
  return state.premove ? (state.premove.hand === null ? "" : `${state.premove.hand}@`) + state.premove.cells.join("") : "";
}
