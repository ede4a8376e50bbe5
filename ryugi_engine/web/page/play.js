// Moves by what is picked, by keys and by words.

import { byId, targetOf } from "records/dom.js";
import { word } from "records/texts.js";
import { offerChoices } from "web/choices.js";
import { ask } from "web/connection.js";
import { holding, isPlacing } from "web/held.js";
import { places } from "web/layers.js";
import { notice } from "web/notice.js";
import { forget, objection, playMove, repaint } from "web/picking.js";
import { focusCell, neighbourOf } from "web/places.js";
import { holdPiece, placingObjected, putOn } from "web/placing.js";
import { atEnd, here, isOwn, mayMove, mayPremove, placeOf } from "web/position.js";
import { choosePremove, dropPremove } from "web/premove.js";
import { state } from "web/state.js";
import { fitting, parsed } from "web/ways.js";

/** @param {string} letter */
export function pickHand(letter) {
  if (isPlacing()) return holdPiece(letter);
  const again = state.picked.hand === letter;
  forget();
  if (!again) state.picked.hand = letter;
  return repaint();
}

/** A place has been pressed, or a piece dropped on it. @param {string} cell @param {boolean} [dropped] */
export function choose(cell, dropped = false) {
  if (!byId("choices").hidden) {
    forget();
    return repaint();
  }
  if (mayPremove()) return choosePremove(cell, dropped);
  if (!mayMove()) return;
  if (isPlacing()) {
    putOn(cell);
    return;
  }
  const position = here();
  // in games of placing the piece may be chosen behind the place
  if (state.table.placed) {
    const moves = parsed(position).filter(move => move.cells[0] === cell
      && (state.picked.hand === null || move.hand === state.picked.hand));
    if (moves.length) finish(moves, cell);
    else objection(`${state.picked.hand ?? "S"}@${cell}`);
    return;
  }
  if (state.picked.cells.length === 1 && state.picked.cells[0] === cell
    && !fitting({ ...state.picked, cells: [cell, cell] }).length) {
    forget();
    repaint();
    return;
  }
  const next = { hand: state.picked.hand, cells: [...state.picked.cells, cell] };
  const moves = fitting(next);
  if (moves.length && (next.hand !== null || next.cells.length > 1)) {
    const done = moves.filter(move => move.cells.length === next.cells.length);
    if (done.length && done.length < moves.length) return offerChoices(done, cell, next.cells);
    if (done.length) return finish(moves, cell);
    state.picked = next;
  } else {
    const begins = !dropped && (isOwn(cell)
      || parsed(position).some(move => move.hand === null && move.cells[0] === cell));
    const tried = begins ? "" : state.picked.hand !== null ? `${state.picked.hand}@${cell}`
      : state.picked.cells.length === 1 ? state.picked.cells[0] + cell : "";
    state.picked = { hand: null, cells: begins ? [cell] : [] };
    if (tried) objection(tried);
  }
  repaint();
}

/** Play the move, or let the person choose among several.
 *  @param {Way[]} moves @param {string} cell */
function finish(moves, cell) {
  if (moves.length === 1) playMove(moves[0].text);
  else offerChoices(moves, cell);
}

/** @param {Messages['objection']} message */
export function objected(message) {
  if (isPlacing()) placingObjected(message);
  else if (message.text) notice(`${message.move}: ${word(message.text)}`);
}

/** @type {Record<string, number[]>} */
const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
places.addEventListener("keydown", event => {
  const { cell } = targetOf(event).dataset;
  if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
  if (DIRECTIONS[event.key] && !holding()) {
    event.preventDefault();
    const [dx, dy] = DIRECTIONS[event.key], next = neighbourOf(cell, dx, dy);
    if (next) focusCell(next);
  } else if ((event.key === "Enter" || event.key === " ") && !isPlacing()) {
    event.preventDefault();
    choose(cell);
  } else if (event.key === "Escape") {
    event.preventDefault();
    forget();
    repaint();
  }
});

byId("say").addEventListener("submit", event => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (!text) return;
  byId("typed").value = "";
  ask("move", { move: text, ...placeOf(state.current) });
});
byId("typed").addEventListener("input", event => {
  // a move chosen from the list is played at once
  const text = byId("typed").value, moves = here()?.moves ?? [];
  if (text.length > 3 && moves.includes(text) && !moves.some(move => move !== text
    && move.startsWith(text)) && /** @type {InputEvent} */ (event).inputType === "insertReplacementText") {
    byId("typed").value = "";
    playMove(text);
  }
});

/** Play the premove if it is legal now, a promotion to what is offered first. */
export function playPremove() {
  if (!state.premove || mayPremove()) return;
  const { length } = state.premove.cells, fits = atEnd() ? fitting(state.premove) : [];
  const move = fits.find(one => one.cells.length === length);
  dropPremove();
  if (move) playMove(move.text);
}
