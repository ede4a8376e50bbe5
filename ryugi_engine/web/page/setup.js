// A position set up by hand. The server changes the text and draws it; legal or not, the board shows it.

import { byId, element, targetOf } from "records/dom.js";
import { coloured } from "records/node.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { openNew } from "web/newgame.js";
import { iconPicture, pieceData, pieceName, sideOf } from "web/pieces.js";
import { SIDES, placeOf } from "web/position.js";
import { shapeOver, showSetupBoard, showSetupGhost } from "web/setup_board.js";
import {
  TURNS, cellName, hasShapes, lettersOf, orientedPicture, shapePicture, squareOf, turnedShape,
} from "web/shapes.js";
import { state } from "web/state.js";

const { board } = state;

byId("setup").addEventListener("click", () => {
  byId("setup-dialog").showModal();
  state.setup = { letters: {}, brush: null, over: null, edits: [], editing: false };
  byId("setup-text").value = ""; // else the answer would be taken for that to an older text
  byId("palette").dataset.shows = "";
  byId("setup-hands").dataset.shows = "";
  showSetupSide(0); // until the answer comes, so that its buttons have names
  showTurns();
  ask("setup", { text: "", ...placeOf(state.current) });
  ask("diagrams");
});
// the board's places have names that the game's own board has, too
byId("setup-dialog").addEventListener("close", () => byId("setup-board").replaceChildren());

/** What the server says of a text: the board, and what is wrong with it.
 *  @param {Messages['setup']} message */
export function setupAnswered(message) {
  const { setup } = state;
  if (!setup || !byId("setup-dialog").open) return;
  const text = byId("setup-text");
  if (message.edited) {
    setup.editing = false;
    if (message.text !== undefined && text.value === message.given) text.value = message.text;
  } else if (text.value !== message.given) return;
  else if (!message.given) text.value = message.text;
  const fault = byId("setup-fault");
  fault.textContent = word(message.fault) || t("legal");
  fault.classList.toggle("fault", Boolean(message.fault));
  byId("setup-play").disabled = Boolean(message.fault);
  if (message.svg !== undefined) {
    setup.letters = message.letters;
    showPalette(message.palette);
    showSetupHands(message.hands);
    showSetupSide(message.side);
    showSetupBoard(message.svg);
  }
  nextEdit();
}

/** Change the position. @param {object} change */
export function edit(change) {
  state.setup.edits.push(change);
  nextEdit();
}
function nextEdit() {
  const { setup } = state;
  if (setup.editing || !setup.edits.length) return;
  setup.editing = true;
  clearTimeout(trying);
  ask("setup", { text: byId("setup-text").value, edit: setup.edits.shift(), ...placeOf(state.current) });
}

/** A piece as a picture, a shape in its orientation. @param {string} piece */
function setupPicture(piece) {
  if (hasShapes()) {
    return piece.length > 1 ? orientedPicture(piece[0].toUpperCase() + piece.slice(1), sideOf(piece))
      : shapePicture(piece.toUpperCase(), sideOf(piece));
  }
  return iconPicture(piece);
}

/** @param {string[]} pieces */
function showPalette(pieces) {
  const host = byId("palette"), shows = `${state.language} ${pieces}`;
  if (host.dataset.shows === shows) return;
  host.dataset.shows = shows;
  /** @param {string} piece @param {string} name @param {object} data @param {string} inside */
  const button = (piece, name, data, inside) => {
    const made = element("button", { "aria-label": name, title: name, "aria-pressed": "false", ...data });
    made.innerHTML = inside;
    made.addEventListener("click", () => {
      state.setup.brush = piece && hasShapes() ? firstShape(piece) : piece;
      for (const other of host.children) other.setAttribute("aria-pressed", other === made);
      showTurns();
    });
    return made;
  };
  host.replaceChildren(...pieces.map(piece =>
    button(piece, pieceName(piece), pieceData(piece), setupPicture(piece))),
  button("", t("erase"), { "data-action": "erase" }, "\u2715"));
}

/** The first orientation of a piece. @param {string} piece */
function firstShape(piece) {
  const name = Object.keys(board.view.shapes).find(one => lettersOf(one) === piece.toUpperCase());
  return piece + name.slice(1);
}

// ---- pieces with shapes: turned as on the board, held over a place -------------------------------

for (const [action, change] of Object.entries(TURNS)) {
  const button = element("button", { "data-action": action });
  button.addEventListener("click", () => {
    const letter = state.setup.brush[0], name = letter.toUpperCase() + state.setup.brush.slice(1);
    state.setup.brush = letter + turnedShape(name, change).slice(1);
    showTurns();
    showSetupGhost();
  });
  byId("setup-turns").append(button);
}

/** The buttons that turn a chosen shape, and how it lies. */
function showTurns() {
  const host = byId("setup-turns"), shape = Boolean(state.setup.brush) && hasShapes();
  host.hidden = !shape;
  if (!shape) return;
  for (const button of host.querySelectorAll("button")) button.textContent = t(button.dataset.action).replace(/ ?[(（].*/, "");
  const chosen = byId("palette").querySelector("[aria-pressed=true]");
  if (chosen) chosen.innerHTML = setupPicture(state.setup.brush);
}

/** Pieces in hand, each with a button for one less and one more.
 *  @param {Record<string, number>[]} hands */
function showSetupHands(hands) {
  const host = byId("setup-hands"), shows = `${state.language} ${hands.map(hand => Object.keys(hand))}`;
  const held = hands.flatMap((hand, side) => Object.entries(hand)
    .map(([letter, count]) => ({ piece: side ? letter.toLowerCase() : letter, count, side })));
  host.hidden = !held.length;
  if (host.dataset.shows !== shows) {
    host.dataset.shows = shows;
    host.replaceChildren(...held.map(({ piece, side }) => {
      const row = element("span", { "data-piece": piece.toUpperCase(), "data-side": SIDES[side] });
      const name = `${coloured(side)}: ${pieceName(piece)}`;
      row.innerHTML = setupPicture(piece);
      row.prepend(stepButton(piece, -1, name));
      row.append(element("output", {}), stepButton(piece, 1, name));
      return row;
    }));
  }
  held.forEach(({ count }, number) => {
    host.children[number].querySelector("output").textContent = `${count}`;
  });
}

/** @param {string} piece @param {number} by @param {string} name */
function stepButton(piece, by, name) {
  const label = t(by > 0 ? "one-more" : "one-less", name);
  const button = element("button", { "data-action": by > 0 ? "one-more" : "one-less",
    "aria-label": label, title: label }, by > 0 ? "+" : "\u2212");
  button.addEventListener("click", () => edit({ do: "hold", piece, by }));
  return button;
}

for (const [side, name] of SIDES.entries()) {
  const button = element("button", { "data-action": "side", "data-side": name });
  button.addEventListener("click", () => edit({ do: "turn", side }));
  byId("setup-side").append(button);
}

/** @param {number} side */
function showSetupSide(side) {
  for (const [one, button] of [...byId("setup-side").children].entries()) {
    button.setAttribute("aria-pressed", `${one === side}`);
    button.textContent = t("to-move", coloured(one));
  }
}

let trying = 0;
export function tryText() {
  clearTimeout(trying);
  trying = setTimeout(() => ask("setup", { text: byId("setup-text").value, ...placeOf(state.current) }), 200);
}
byId("setup-text").addEventListener("input", tryText);
byId("setup-clear").addEventListener("click", () => edit({ do: "clear" }));

byId("setup-play").addEventListener("click", () => {
  const text = byId("setup-text").value;
  byId("setup-dialog").close();
  openNew(state.table.game, text);
});

/** Put the chosen piece on a place, or remove what lies there. @param {string} cell */
function paint(cell) {
  const { setup } = state;
  if (setup.brush === null) return;
  setup.over = null;
  if (!setup.brush) edit({ do: "erase", cell });
  else if (hasShapes()) {
    const { file, rank } = shapeOver(cell);
    edit({ do: "put", piece: setup.brush, cell: cellName(file, rank) });
  } else edit({ do: "put", piece: setup.brush, cell });
}

/** The place that an event is on; "" for none. @param {Event} event */
const placeUnder = event => targetOf(event).closest("[data-cell]")?.getAttribute("data-cell") ?? "";

byId("setup-board").addEventListener("click", event => {
  if (placeUnder(event)) paint(placeUnder(event));
});

byId("setup-board").addEventListener("pointermove", event => {
  const cell = event.pointerType === "mouse" ? placeUnder(event) : "";
  if (cell === (state.setup.over ?? "")) return;
  state.setup.over = cell || null;
  showSetupGhost();
});

byId("setup-board").addEventListener("pointerleave", () => {
  state.setup.over = null;
  showSetupGhost();
});

/** @type {Record<string, Point>} */
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

byId("setup-board").addEventListener("keydown", event => {
  const cell = placeUnder(event);
  if (!cell) return;
  const step = ARROWS[event.key];
  if (event.key === "Enter" || event.key === " ") paint(cell);
  else if (!step) return;
  else {
    const [file, rank] = squareOf(cell);
    const host = byId("setup-board");
    const to = host.querySelector(`[data-cell='${cellName(file + step[0], rank + step[1])}']`);
    if (to) {
      host.querySelector("[tabindex='0']").setAttribute("tabindex", "-1");
      to.setAttribute("tabindex", "0");
      to.focus();
      state.setup.over = to.dataset.cell;
      showSetupGhost();
    }
  }
  event.preventDefault();
  event.stopPropagation();
});
