// The places of the board, which can be pressed, and the marks on them.

import { targetOf } from "records/dom.js";
import { SVG } from "records/drawing.js";
import { t } from "records/texts.js";
import { heldMarks } from "web/held.js";
import { marks, places } from "web/layers.js";
import { notice } from "web/notice.js";
import { hoverName, pieceName } from "web/pieces.js";
import { here, studying } from "web/position.js";
import { state } from "web/state.js";
import { targetCells } from "web/ways.js";

const { board } = state;

/** The elements of the places: made once for a board, moved when it is turned. */
function makePlaces() {
  const name = `${state.current.game.view}/${board.turned}`;
  if (name === state.placesFor) return;
  const view = board.view, size = view.unit;
  const sameBoard = state.placesFor.startsWith(`${state.current.game.view}/`);
  state.placesFor = name;
  state.cellsOf = new Map(view.cells.map(([cell, x, y]) => [cell, board.turnedPoint(x, y)]));
  if (!sameBoard) {
    state.labelled = new Map();
    state.cellNodes = new Map();
    places.replaceChildren();
    for (const cell of state.cellsOf.keys()) state.cellNodes.set(cell, placeNode(cell, size));
    places.append(...state.cellNodes.values());
    places.firstElementChild?.setAttribute("tabindex", "0");
  }
  for (const [cell, [x, y]] of state.cellsOf) movePlace(state.cellNodes.get(cell), x, y, size);
}

// a finger that rests on a piece is told its name
let resting = 0;
places.addEventListener("pointerdown", event => {
  const name = targetOf(event).querySelector("title")?.textContent;
  clearTimeout(resting);
  if (name && event.pointerType !== "mouse") resting = setTimeout(() => notice(name), 600);
});
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => clearTimeout(resting));

/** The element of a place, which can be pressed. @param {string} cell @param {number} size */
export function placeNode(cell, size) {
  const made = document.createElementNS(SVG, "rect");
  made.dataset.cell = cell;
  for (const [name, value] of Object.entries({ class: "place", width: size, height: size,
    role: "button", tabindex: "-1" }))
    made.setAttribute(name, `${value}`);
  return made;
}

/** @param {SVGRectElement} node @param {number} x @param {number} y @param {number} size */
export function movePlace(node, x, y, size) {
  node.setAttribute("x", `${x - size / 2}`);
  node.setAttribute("y", `${y - size / 2}`);
}

export function showPlaces() {
  makePlaces();
  const position = here(), targets = targetCells();
  for (const [cell, node] of state.cellNodes) {
    const letter = position?.letters[cell];
    let label = letter ? t("on-cell", cell, pieceName(letter)) : t("empty", cell);
    if (targets.has(cell)) label = t("target", label);
    if (state.labelled.get(cell) === label) continue;
    state.labelled.set(cell, label);
    node.setAttribute("aria-label", label);
    const title = document.createElementNS(SVG, "title");
    title.textContent = letter ? hoverName(letter) : "";
    node.replaceChildren(...letter ? [title] : []);
  }
  showMarks();
}

/** What is picked, and where it may go. */
export function showMarks() {
  const { cellsOf, picked } = state;
  const position = here(), unit = board.view?.unit ?? 1, lines = [];
  /** @param {string} cell @param {string} type */
  const square = (cell, type) => {
    const at = cellsOf.get(cell);
    if (at) lines.push(`<rect class="${type}" x="${at[0] - unit / 2}" y="${at[1] - unit / 2}"`
      + ` width="${unit}" height="${unit}" rx="${unit * 0.08}"/>`);
  };
  for (const cell of picked.cells) square(cell, "picked");
  for (const cell of state.premove?.cells ?? []) square(cell, "premove");
  lift();
  // where a piece stands that has moved, while a further square is chosen
  const mover = board.view?.icons?.[position?.letters[picked.cells[0]]], at = cellsOf.get(picked.cells[1]);
  if (mover && at) lines.push(`<g class="moved" transform="translate(${at[0] - unit / 2} ${at[1] - unit / 2})`
    + ` scale(${unit / 48})">${mover}</g>`);
  for (const cell of targetCells()) {
    const at = cellsOf.get(cell);
    if (!at) continue;
    const taken = position?.letters[cell] && !liftedCells().includes(cell);
    const [type, size] = taken ? ["target", 0.44] : state.table.placed ? ["target spot", 0.3] : ["target dot", 0.16];
    lines.push(`<circle class="${type}" cx="${at[0]}" cy="${at[1]}" r="${unit * size}"/>`);
  }
  for (const cell of state.pointedCells) square(cell, "pointed");
  marks.innerHTML = lines.join("") + heldMarks();
}

/** The places whose pieces are drawn elsewhere: of a drag, or of a move with a further square. */
function liftedCells() {
  const { picked } = state;
  if (state.drag?.moved && state.drag.icon && state.drag.cell) return [state.drag.cell];
  return picked.hand === null && picked.cells.length > 1 ? picked.cells.slice(0, 2) : [];
}

/** Draw the board without the pieces that are drawn elsewhere. */
export function lift() {
  const points = board.view.cells.filter(([cell]) => liftedCells().includes(cell))
    .map(([, x, y]) => [x, y]);
  if (`${points}` === `${board.lifted}`) return;
  board.lifted = points;
  const pointers = board.pointers.innerHTML;
  board.draw();
  board.pointers.innerHTML = pointers; // lines of the analysis among them
}

/** The place under a point of the window; null beside the board.
 *  @param {number} x @param {number} y */
export function cellAt(x, y) {
  const matrix = board.picture.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  let best = null, least = (board.view.unit * 0.72) ** 2;
  for (const [cell, at] of state.cellsOf) {
    const far = (at[0] - point.x) ** 2 + (at[1] - point.y) ** 2;
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}

/** The place that lies next in a direction of the screen.
 *  @param {string} cell @param {number} dx @param {number} dy */
export function neighbourOf(cell, dx, dy) {
  const from = state.cellsOf.get(cell);
  let best = null, least = Infinity;
  for (const [other, at] of state.cellsOf) {
    const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
    const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
    if (along < board.view.unit * 0.3 || aside > along) continue;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

/** @param {string} cell */
export function focusCell(cell) {
  const node = state.cellNodes.get(cell);
  if (!node) return;
  places.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  node.setAttribute("tabindex", "0");
  node.focus({ preventScroll: true });
  if (board.zoom > 1) {
    const [x, y] = state.cellsOf.get(cell);
    board.follow(board.turnedPoint(x, y));
  };
}

/** Give the keyboard to the board: to its places, or in a game that is looked at to its replay. */
export function focusBoard() {
  const cell = studying() ? null : places.querySelector('[tabindex="0"]');
  (cell ?? board.host).focus({ preventScroll: true });
}
