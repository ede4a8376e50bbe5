// Layers over the board's picture: marks, places to press, the piece that is dragged.

import { SVG } from "records/drawing.js";
import { state } from "web/state.js";

const { board } = state;

export const places = document.createElementNS(SVG, "g");
places.id = "places";
export const marks = document.createElementNS(SVG, "g");
marks.id = "marks";
marks.setAttribute("pointer-events", "none");
export const ghost = document.createElementNS(SVG, "g");
ghost.id = "ghost";
ghost.setAttribute("pointer-events", "none");
board.svg.append(marks, places, ghost);
board.svg.setAttribute("role", "group");
