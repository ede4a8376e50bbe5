// A piece with a shape that is held over the board: where it is legal, and how it is drawn.

import { byId } from "records/dom.js";
import { ghost } from "web/layers.js";
import { here, mayMove } from "web/position.js";
import { FIRE_AND_WATER, cellName, shapeOf, shapePath, squareOf } from "web/shapes.js";
import { state } from "web/state.js";

const { board } = state;
/** @type {Shown | null} */
let legalFor = null; // the state that `legalPlaces` is of
/** @type {Map<string, string>} */
let legalPlaces = new Map(); // "P0@m1" -> the move

/** Whether pieces with shapes are placed now, by a person. */
export function isPlacing() {
  return Boolean(board.view?.shapes && Object.keys(board.view.shapes).length) && mayMove();
}

export function holding() {
  return state.held !== null;
}

export function legalHere() {
  const position = here();
  if (legalFor !== position) {
    legalFor = position;
    legalPlaces = new Map(position.moves.map(move => [move.replace(/\+$/, ""), move]));
  }
  return legalPlaces;
}

export const heldMove = () => `${state.held.name}@${cellName(state.held.file, state.held.rank)}`;

/** Squares of all legal places of the held orientation, lit. */
export function heldMarks() {
  if (!state.held || !isPlacing()) return "";
  const unit = board.view.unit, lit = new Set();
  for (const place of legalHere().keys()) {
    const [name, cell] = place.split("@");
    if (name !== state.held.name) continue;
    const [file, rank] = squareOf(cell);
    for (const [x, y] of shapeOf(name).cells) lit.add(cellName(file + x, rank + y));
  }
  let path = "";
  for (const cell of lit) {
    const at = state.cellsOf.get(cell);
    path += `M${at[0] - unit / 2} ${at[1] - unit / 2}h${unit}v${unit}h${-unit}z`;
  }
  return `<path class="lit" d="${path}"/>`;
}

const DIRECTION_STEPS = [[0.5, 1], [1, 0.5], [0.5, 0], [0, 0.5]];

/** The held piece: drawn when it is taken or turned, after that only moved. */
export function drawHeld() {
  if (!state.held) {
    ghost.replaceChildren();
    ghost.removeAttribute("transform");
    ghost.removeAttribute("class");
    delete byId("placing").dataset.held;
    delete byId("placing").dataset.legal;
    return;
  }
  const shape = shapeOf(state.held.name), side = here().turn;
  const ends = shape.ends.map(([[x, y], direction]) => {
    const [dx, dy] = DIRECTION_STEPS[direction];
    return `<circle class="end" cx="${x + dx}" cy="${-(y + dy)}" r=".2"/>`;
  });
  ghost.innerHTML = `<path class="held" d="${shapePath(shape.cells)}" fill="${FIRE_AND_WATER[side]}"/>`
    + ends.join("");
}

export function showHeld() {
  const { held } = state;
  if (!held) return;
  const unit = board.view.unit, corner = state.cellsOf.get(cellName(held.file, held.rank));
  const half = board.turned ? 1 : -1;
  const turned = board.turned ? " rotate(180)" : "";
  ghost.setAttribute("transform", `translate(${corner[0] + half * unit / 2}`
    + ` ${corner[1] - half * unit / 2}) scale(${unit})${turned}`);
  const legal = legalHere().has(heldMove());
  ghost.setAttribute("class", legal ? "legal" : "illegal");
  byId("placing").dataset.held = heldMove();
  byId("placing").dataset.legal = `${legal}`;
  byId("placing-text").textContent = legal ? `${heldMove()} \u2713` : heldMove();
}
