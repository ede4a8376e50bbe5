// Pieces with shapes are held under the pointer, turned, mirrored, placed. Keys are those of the game's
// original program.

import { byId, enable, targetOf } from "records/dom.js";
import { t, word } from "records/texts.js";
import { showHands } from "web/hands.js";
import { drawHeld, heldMove, isPlacing, legalHere, showHeld } from "web/held.js";
import { notice } from "web/notice.js";
import { objection, playMove } from "web/picking.js";
import { showMarks } from "web/places.js";
import { here } from "web/position.js";
import { TURNS, extent, lettersOf, sizeOf, squareOf, turnedShape } from "web/shapes.js";
import { state } from "web/state.js";

const { board } = state;

let boardExtent = [0, 0];

function clamp() {
  const { held } = state;
  const [width, height] = sizeOf(held.name), [files, ranks] = boardExtent;
  held.file = Math.min(Math.max(held.file, 0), files - width);
  held.rank = Math.min(Math.max(held.rank, 0), ranks - height);
}

/** Take a piece: it lies on the legal place that is nearest to where the last one lay.
 *  @param {string} letter */
export function holdPiece(letter) {
  boardExtent = extent();
  const names = Object.keys(board.view.shapes).filter(name => lettersOf(name) === letter);
  if (!names.length) return;
  if (state.held && lettersOf(state.held.name) === letter) return putBack();
  const from = state.held ?? lastPlace();
  let best = null, least = Infinity;
  for (const place of legalHere().keys()) {
    const [name, cell] = place.split("@");
    if (!cell || lettersOf(name) !== letter) continue;
    const [file, rank] = squareOf(cell);
    const far = Math.abs(file - from.file) + Math.abs(rank - from.rank);
    if (far < least) [best, least] = [{ name, file, rank }, far];
  }
  state.held = best ?? { name: names[0], file: from.file, rank: from.rank };
  state.picked = { hand: letter, cells: [] };
  clamp();
  repaintHeld();
}

/** Where one's last piece lies, or the middle of the board. */
function lastPlace() {
  for (let at = state.current; at?.parent; at = at.parent) {
    const match = /@([a-z]+\d+)/.exec(at.m);
    if (match && at.side === here().turn) {
      const [file, rank] = squareOf(match[1]);
      return { file, rank };
    }
  }
  return { file: Math.floor(boardExtent[0] / 2), rank: here().turn ? boardExtent[1] - 1 : 0 };
}

export function putBack() {
  state.held = null;
  state.picked = { hand: null, cells: [] };
  repaintHeld();
}

/** Another orientation of the held piece, its middle staying where it is.
 *  @param {(cell: Point) => Point} change */
function turnTo(change) {
  if (!state.held) return;
  const name = turnedShape(state.held.name, change);
  const before = sizeOf(state.held.name), after = sizeOf(name);
  state.held = { name, file: state.held.file + Math.round((before[0] - after[0]) / 2),
    rank: state.held.rank + Math.round((before[1] - after[1]) / 2) };
  clamp();
  repaintHeld();
}

export const turnRight = () => turnTo(TURNS["turn-right"]);
export const turnLeft = () => turnTo(TURNS["turn-left"]);
export const turnHalf = () => turnTo(TURNS["half-turn"]);
export const mirror = () => turnTo(TURNS.mirror);

/** @param {number} dx @param {number} dy */
function nudge(dx, dy) {
  const { held } = state;
  if (!held) return;
  const sign = board.turned ? -1 : 1;
  held.file += sign * dx;
  held.rank += sign * dy;
  clamp();
  showHeld();
}

/** The next legal place of the held piece, in any orientation. */
function nextPlace() {
  const all = [...legalHere().keys()].filter(place => lettersOf(place) === lettersOf(state.held.name));
  if (!all.length) return;
  const [name, cell] = all[(all.indexOf(heldMove()) + 1) % all.length].split("@");
  const [file, rank] = squareOf(cell);
  state.held = { name, file, rank };
  repaintHeld();
}

export function put() {
  if (!state.held) return;
  const move = legalHere().get(heldMove());
  if (!move) {
    objection(heldMove());
    return;
  }
  state.held = null;
  playMove(move);
}

/** Place the held piece with its middle on a square. @param {string} cell */
export function putOn(cell) {
  const { held } = state;
  if (!held) return;
  const [file, rank] = squareOf(cell), [width, height] = sizeOf(held.name);
  held.file = file - Math.floor((width - 1) / 2);
  held.rank = rank - Math.floor((height - 1) / 2);
  clamp();
  showHeld();
  put();
}

/** @param {Messages['objection']} message */
export function placingObjected(message) {
  if (state.held && message.move === heldMove()) byId("placing-text").textContent = word(message.text);
  else if (message.text) notice(`${message.move}: ${word(message.text)}`);
}

function repaintHeld() {
  drawHeld();
  showHeld();
  showMarks();
  showHands();
  byId("placing-text").textContent = state.held ? byId("placing-text").textContent : t("choose-piece");
  for (const id of ["turn-left", "turn-right", "turn-over", "put", "put-back"]) enable(id, state.held !== null);
}

/** Called when another position is shown. */
export function showPlacing() {
  const placing = isPlacing();
  byId("placing").hidden = !placing;
  document.body.classList.toggle("placing", placing);
  state.held = null;
  drawHeld();
  if (placing) repaintHeld();
}

/** @type {{ x: number, y: number, id: number } | null} */
let pressing = null;

/** The held piece's middle to a point of the window. @param {number} x @param {number} y */
function heldTo(x, y) {
  const { held } = state;
  const matrix = board.picture.getScreenCTM();
  if (!matrix) return;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  const unit = board.view.unit, [width, height] = sizeOf(held.name);
  const origin = state.cellsOf.get("a1"), sign = board.turned ? -1 : 1;
  held.file = Math.round(sign * (point.x - origin[0]) / unit - (width - 1) / 2);
  held.rank = Math.round(sign * (origin[1] - point.y) / unit - (height - 1) / 2);
  clamp();
  showHeld();
}

/** @param {PointerEvent} event */
export function movePiece(event) {
  if (!state.held || (event.pointerType !== "mouse" && !pressing)) return;
  const box = board.host.getBoundingClientRect();
  if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top
    || event.clientY > box.bottom) return;
  if (pressing && event.pointerType === "mouse" && board.zoom > 1) return;
  heldTo(event.clientX, event.clientY);
}

/** Whether a press is the held piece's business. @param {PointerEvent} event */
export function pressWithPiece(event) {
  if (!state.held) return false;
  pressing = { x: event.clientX, y: event.clientY, id: event.pointerId };
  board.held = event.pointerType !== "mouse";
  if (event.pointerType !== "mouse") heldTo(event.clientX, event.clientY);
  return true;
}
addEventListener("pointerup", event => {
  if (!pressing || event.pointerId !== pressing.id) return;
  const still = Math.hypot(event.clientX - pressing.x, event.clientY - pressing.y) < 7;
  pressing = null;
  board.held = false;
  state.lastHandled = performance.now();
  if (state.held && still && event.pointerType === "mouse") {
    heldTo(event.clientX, event.clientY);
    put();
  }
});
addEventListener("pointercancel", () => { pressing = null; });

const placingActs = {
  "turn-left": turnLeft, "turn-right": turnRight, "turn-over": mirror, put, "put-back": putBack,
};
for (const [id, act] of Object.entries(placingActs)) byId(id).addEventListener("click", () => act());

/** @type {Record<string, () => void>} */
const placingKeys = {
  w: () => nudge(0, 1), x: () => nudge(0, -1), a: () => nudge(-1, 0), d: () => nudge(1, 0),
  ArrowUp: () => nudge(0, 1), ArrowDown: () => nudge(0, -1), ArrowLeft: () => nudge(-1, 0),
  ArrowRight: () => nudge(1, 0), q: turnLeft, e: turnRight, z: turnHalf, c: turnHalf, s: mirror,
  n: nextPlace, Enter: put, Escape: putBack,
};
addEventListener("keydown", event => {
  if (!isPlacing() || event.ctrlKey || event.altKey || event.metaKey) return;
  if (targetOf(event).closest("input, select, textarea, dialog")) return;
  if (event.key === "Enter" && targetOf(event).closest("button:not(.piece)")) return;
  let act = state.held ? placingKeys[event.key] : null;
  if (/^[A-Z]$/.test(event.key)) act = () => holdPiece(event.key);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}, true);
