// Pieces that cover several squares (Goryujin): their squares, orientations and pictures.

import { state } from "web/state.js";

const { board } = state;

export const hasShapes = () => Object.keys(board.view.shapes).length > 0;

/** @param {string} name */
export const shapeOf = name => board.view.shapes[name];
/** @param {string} name */
export const lettersOf = name => name[0];

/** File and rank of a place, and the place of both. @param {string} cell */
export function squareOf(cell) {
  const [, letters, rank] = /^([a-z]+)(\d+)$/.exec(cell);
  let file = 0;
  for (const letter of letters) file = file * 26 + letter.charCodeAt(0) - 96;
  return [file - 1, Number(rank) - 1];
}
/** @param {number} file @param {number} rank */
export function cellName(file, rank) {
  const letters = file < 26 ? "" : String.fromCharCode(96 + Math.floor(file / 26));
  return `${letters}${String.fromCharCode(97 + file % 26)}${rank + 1}`;
}

/** @param {string} name */
export function sizeOf(name) {
  const cells = shapeOf(name).cells;
  return [1 + Math.max(...cells.map(cell => cell[0])), 1 + Math.max(...cells.map(cell => cell[1]))];
}

/** The board's number of files and ranks. */
export function extent() {
  let files = 0, ranks = 0;
  for (const cell of state.cellsOf.keys()) {
    const [file, rank] = squareOf(cell);
    files = Math.max(files, file + 1);
    ranks = Math.max(ranks, rank + 1);
  }
  return [files, ranks];
}

/** A shape in another orientation. @param {string} shape @param {(cell: Point) => Point} change */
export function turnedShape(shape, change) {
  const cells = shapeOf(shape).cells.map(change);
  const left = Math.min(...cells.map(cell => cell[0])), low = Math.min(...cells.map(cell => cell[1]));
  const wanted = cells.map(([x, y]) => `${x - left},${y - low}`).sort().join(" ");
  return Object.keys(board.view.shapes).find(other => lettersOf(other) === lettersOf(shape)
    && shapeOf(other).cells.map(cell => cell.join(",")).sort().join(" ") === wanted);
}

// a board that is seen from the other side turns as it is seen: half a turn changes nothing of that
/** @type {Record<string, (cell: Point) => Point>} */
export const TURNS = {
  "turn-left": ([x, y]) => [-y, x], "turn-right": ([x, y]) => [y, -x],
  "half-turn": ([x, y]) => [-x, -y], mirror: ([x, y]) => [-x, y],
};

export const FIRE_AND_WATER = ["#cf4a2c", "#2f6db3"];

/** A shape as a path of unit squares, its lower left corner at 0, 0, upward.
 *  @param {Point[]} cells */
export function shapePath(cells) {
  return cells.map(([x, y]) => `M${x} ${-y}h1v-1h-1z`).join("");
}

/** A shape for a tray. @param {string} letter @param {number} side */
export function shapePicture(letter, side) {
  const name = Object.keys(board.view.shapes).find(one => lettersOf(one) === letter);
  return name ? orientedPicture(name, side) : "";
}
/** @param {string} name @param {number} side */
export function orientedPicture(name, side) {
  const [width, height] = sizeOf(name);
  return `<svg class="shape" viewBox="-0.1 ${-height - 0.1} ${width + 0.2} ${height + 0.2}"`
    + ` aria-hidden="true"><path d="${shapePath(shapeOf(name).cells)}" fill="${FIRE_AND_WATER[side]}"`
    + ` stroke="#2b2620" stroke-width=".06"/></svg>`;
}
