// The position that is shown, and what may be done in it.

import { named } from "records/address.js";
import { state } from "web/state.js";

const { board } = state;

export const SIDES = ["white", "black"];

/** Whether the end of the game itself is shown. */
export function atEnd() {
  const { current } = state;
  return current && !current.line && !current.children.length;
}

/** The name of a position in messages. @param {PageNode} node */
export function placeOf(node) {
  return { line: node.line, ply: node.ply };
}

/** @param {Place} place */
export function nodeAt({ line, ply }) {
  return named(new URLSearchParams({ line: `${line}`, ply: `${ply}` }));
}

/** @param {Place} given */
export function keyOf(given) {
  return `${given.line}/${given.ply}`;
}

/** Moves, letters and hands of the position that is shown; null until they are known. */
export function here() {
  if (!state.table || !state.current) return null;
  if (atEnd()) return state.table;
  return state.looked && keyOf(state.looked) === keyOf(state.current) ? state.looked.state : null;
}

/** Whether a person may move in the position that is shown. */
export function mayMove() {
  const position = here();
  if (!position || !position.moves.length) return false;
  return !atEnd() || !state.table.players[state.table.turn].engine;
}

/** Whether the game is looked at: it is over, was opened to be studied, or is analysed. */
export function studying() {
  const { table } = state;
  return Boolean(table.result || table.study || table.analysis);
}
export const watching = () => state.table.players.every(player => player.engine);

/** The side of the only person; undefined where there is none or two. */
export function ownSide() {
  const persons = [0, 1].filter(side => !state.table.players[side].engine);
  return persons.length === 1 ? persons[0] : undefined;
}

/** Whether a person may say now what is played after the engine's move. */
export function mayPremove() {
  const { table } = state;
  const own = ownSide();
  return own !== undefined && atEnd() && own !== table.turn && !table.result && !table.placed
    && !board.view.names?.["*"] && !Object.keys(board.view.shapes ?? {}).length;
}

/** The side whose pieces may be picked now. */
export const mover = () => mayPremove() ? ownSide() : here().turn;

/** Whether a piece of the side stands there that may be picked. @param {string} cell */
export function isOwn(cell) {
  const letter = here()?.letters[cell];
  if (!letter || state.table.neutral?.includes(letter)) return false;
  return (letter === letter.toLowerCase()) === Boolean(mover());
}
