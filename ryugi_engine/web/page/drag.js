// Moves by pressing and dragging.

import { targetOf } from "records/dom.js";
import { trays } from "web/hands.js";
import { isPlacing } from "web/held.js";
import { ghost, places } from "web/layers.js";
import { forget, objection, repaint } from "web/picking.js";
import { cellAt, lift, showMarks } from "web/places.js";
import { holdPiece, movePiece, pressWithPiece } from "web/placing.js";
import { choose, pickHand } from "web/play.js";
import { here, isOwn, mayMove, mayPremove, mover } from "web/position.js";
import { state } from "web/state.js";
import { parsed, targetCells } from "web/ways.js";

const { board } = state;

/** Whether a click only repeats what a pointer has just done. @param {MouseEvent} event */
function handled(event) {
  return event.detail > 0 && performance.now() - state.lastHandled < 400;
}

/** The letter of a piece that a person may take from a place. @param {string} cell */
function movable(cell) {
  const position = here();
  if (!(mayMove() || mayPremove()) || !position.letters[cell]) return null;
  return isOwn(cell) || parsed(position).some(move => move.hand === null && move.cells[0] === cell)
    ? position.letters[cell] : null;
}

/** @param {PointerEvent} event @param {Partial<Drag>} from */
function beginDrag(event, from) {
  state.drag = { ...from, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  const letter = from.hand ? (mover() ? from.hand.toLowerCase() : from.hand)
    : from.cell && movable(from.cell);
  state.drag.icon = letter ? board.view.icons?.[letter] : null;
  state.drag.able = Boolean(letter);
  board.held = state.drag.able;
}

board.host.addEventListener("pointerdown", event => {
  if (event.button || targetOf(event).closest("#choices")) return;
  if (state.drag) {
    // a second finger enlarges or moves the board
    endDrag();
    return;
  }
  if (isPlacing() && pressWithPiece(event)) return;
  const cell = cellAt(event.clientX, event.clientY);
  if (cell) beginDrag(event, { cell });
}, true);

addEventListener("pointermove", event => {
  if (isPlacing()) movePiece(event);
  if (!state.drag || event.pointerId !== state.drag.id) return;
  if (!state.drag.moved && Math.hypot(event.clientX - state.drag.x, event.clientY - state.drag.y) > 7) {
    state.drag.moved = true;
    if (state.drag.able) {
      if (state.drag.hand) {
        if (isPlacing()) {
          holdPiece(state.drag.hand);
          state.drag.able = false;
          movePiece(event);
          return;
        }
        state.picked = { hand: state.drag.hand, cells: [] };
      } else if (state.picked.cells.at(-1) !== state.drag.cell) state.picked = { hand: null, cells: [state.drag.cell] };
      repaint();
    }
  }
  if (state.drag.moved && state.drag.able) moveGhost(event);
});

/** The dragged piece under the pointer. @param {PointerEvent} event */
function moveGhost(event) {
  if (!state.drag.icon) return;
  const matrix = board.picture.getScreenCTM().inverse();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  const size = board.view.unit * 1.1;
  if (!ghost.firstChild) {
    ghost.innerHTML = `<g font-family="sans-serif" stroke="none">${state.drag.icon}</g>`;
  }
  ghost.setAttribute("transform",
    `translate(${point.x - size / 2} ${point.y - size / 2}) scale(${size / 48})`);
  state.pointedCells = [cellAt(event.clientX, event.clientY)].filter(cell => targetCells().has(cell));
  showMarks();
}

function endDrag() {
  state.drag = null;
  board.held = false;
  ghost.replaceChildren();
  ghost.removeAttribute("transform");
  state.pointedCells = [];
  lift();
}

addEventListener("pointerup", event => {
  if (!state.drag || event.pointerId !== state.drag.id) return;
  const { cell, hand, moved, able } = state.drag;
  endDrag();
  state.lastHandled = performance.now();
  const over = board.host.getBoundingClientRect();
  const inside = event.clientX >= over.left && event.clientX <= over.right
    && event.clientY >= over.top && event.clientY <= over.bottom;
  const target = inside ? cellAt(event.clientX, event.clientY) : null;
  if (!moved) {
    if (hand) pickHand(hand);
    else choose(cell);
  } else if (!able) {
    // a press on an empty place, or on an enlarged board, may be meant for the page or the view
    const piece = board.zoom === 1 && !state.table.placed && mayMove() && here().letters[cell];
    if (piece && target && target !== cell) objection(cell + target);
  } else if (target && target !== cell) choose(target, true);
  else {
    forget();
    repaint();
  }
});
addEventListener("pointercancel", () => {
  if (state.drag) endDrag();
});

// what no pointer has pressed: a screen reader, or a program
places.addEventListener("click", event => {
  const { cell } = targetOf(event).dataset;
  if (!handled(event) && cell) choose(cell);
});

for (const tray of trays) {
  tray.addEventListener("click", event => {
    const button = targetOf(event).closest("button");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (handled(event)) return;
    pickHand(button.dataset.piece);
  });
  tray.addEventListener("pointerdown", event => {
    const button = targetOf(event).closest("button");
    if (!button || event.button || button.getAttribute("aria-disabled") === "true") return;
    beginDrag(event, { hand: button.dataset.piece });
  });
}
