// The board of a position that is set up.

import { byId, element } from "records/dom.js";
import { SVG } from "records/drawing.js";
import { t } from "records/texts.js";
import { pieceName, sideOf } from "web/pieces.js";
import { movePlace, placeNode } from "web/places.js";
import { translateTexts } from "web/rules.js";
import {
  FIRE_AND_WATER, cellName, extent, hasShapes, shapeOf, shapePath, sizeOf, squareOf,
} from "web/shapes.js";
import { state } from "web/state.js";

const { board } = state;

/** The chosen shape's name, and the lower left corner of its box if its middle is on a place.
 *  @param {string} cell */
export function shapeOver(cell) {
  const name = state.setup.brush[0].toUpperCase() + state.setup.brush.slice(1);
  const [width, height] = sizeOf(name), [files, ranks] = extent(), [file, rank] = squareOf(cell);
  return { name,
    file: Math.min(Math.max(file - Math.floor((width - 1) / 2), 0), files - width),
    rank: Math.min(Math.max(rank - Math.floor((height - 1) / 2), 0), ranks - height) };
}

export function showSetupGhost() {
  const { setup } = state;
  const host = byId("setup-board").querySelector(".ghost");
  if (!host) return;
  host.replaceChildren();
  if (!setup.brush || !setup.over || !hasShapes()) return;
  const { name, file, rank } = shapeOver(setup.over), unit = board.view.unit;
  const [, x, y] = board.view.cells.find(([cell]) => cell === cellName(file, rank));
  host.setAttribute("transform", `translate(${x - unit / 2} ${y + unit / 2}) scale(${unit})`);
  host.innerHTML = `<path d="${shapePath(shapeOf(name).cells)}"`
    + ` fill="${FIRE_AND_WATER[sideOf(setup.brush)]}"/>`;
}

/** @type {SVGGElement | null} */
let setupPlaces = null; // an element a place, kept as long as the board has the same places
/** @type {View | null} */
let setupPlacesFor = null;

/** Draw the board below its places. These stay where they are, like every button that an answer
 *  changes: one that is being pressed would lose its click.
 *  @param {string} svg */
export function showSetupBoard(svg) {
  const host = byId("setup-board"), view = board.view;
  const drawn = element("div", {});
  drawn.innerHTML = svg;
  translateTexts(drawn);
  if (setupPlacesFor !== view || !setupPlaces) {
    setupPlacesFor = view;
    setupPlaces = document.createElementNS(SVG, "g");
    for (const [cell, x, y] of view.cells) {
      const made = placeNode(cell, view.unit);
      movePlace(made, x, y, view.unit);
      setupPlaces.append(made);
    }
    setupPlaces.firstElementChild?.setAttribute("tabindex", "0");
  }
  for (const node of setupPlaces.querySelectorAll("[data-cell]")) {
    const cell = node.dataset.cell, letter = state.setup.letters[cell];
    node.setAttribute("aria-label", letter ? t("on-cell", cell, pieceName(letter)) : t("empty", cell));
  }
  if (host.contains(setupPlaces)) {
    const floating = host.querySelector(".ghost"), picture = drawn.querySelector("svg");
    while (floating.previousSibling) floating.previousSibling.remove();
    floating.before(...picture.childNodes);
    host.querySelector("svg").setAttribute("viewBox", picture.getAttribute("viewBox"));
  } else {
    const floating = document.createElementNS(SVG, "g");
    floating.setAttribute("class", "ghost");
    drawn.querySelector("svg").append(floating, setupPlaces);
    host.replaceChildren(...drawn.childNodes);
  }
  host.classList.toggle("wide", extent()[0] > 26);
  showSetupGhost();
}
