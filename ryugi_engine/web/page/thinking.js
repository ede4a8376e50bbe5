// What the engine thinks: the bar, the graph, the best lines as arrows and in words.

import { byId, element, targetOf } from "records/dom.js";
import { pointed } from "records/drawing.js";
import { drawGauge } from "records/graph.js";
import { coloured, provesOf, scoreOf } from "records/node.js";
import { t } from "records/texts.js";
import { drawCurve } from "records/viewer.js";
import { ask } from "web/connection.js";
import { playMove } from "web/picking.js";
import { SIDES, keyOf, mayMove, nodeAt, placeOf } from "web/position.js";
import { cellName, squareOf } from "web/shapes.js";
import { state } from "web/state.js";
import { wayOf } from "web/ways.js";

const { board } = state;

/** @type {Map<string, Messages["lines"]>} */
const seenThreats = new Map(); // what the other side would play, by position

/** Take the lines of a search in. @param {Messages["lines"]} message */
export function takeLines(message) {
  const key = keyOf(message);
  if (!message.lines.length) return;
  if (message.kind === "threats") seenThreats.set(key, message);
  else {
    state.seenLines.set(key, message);
    const node = nodeAt(message);
    if (node && keyOf(node) === key) {
      const best = message.lines[0];
      delete node.e;
      delete node.M;
      if (best.mate !== null) node.M = best.mate;
      else node.e = best.cp;
    }
  }
  showLines();
}

/** @typedef {{ kind: string, move: string, score: string, text: string, note: string, proof?: string }} Item */

/** A line in words: its score, its moves, how deep it is; a proof says so.
 *  @param {BestLine} one @param {string} kind @returns {Item} */
function itemOf(one, kind) {
  const proven = one.mate !== null && provesOf(state.current), winner = one.mate > 0 ? 0 : 1;
  return {
    kind, move: one.moves[0] ?? "", score: scoreOf(state.current.game, one.cp, one.mate),
    text: (kind === "threats" ? `${t("threat")}: ` : "") + one.sans.join(" "),
    note: proven ? t(Math.abs(one.mate) === 1 ? "proven-in-one" : "proven-in", coloured(winner),
      Math.abs(one.mate)) : t("depth", one.depth),
    proof: proven ? SIDES[winner] : undefined,
  };
}

/** Show items. Those that are there are changed: one that is being pressed stays where it is.
 *  @param {Item[]} items */
function listItems(items) {
  const list = byId("best-lines");
  list.hidden = !items.length;
  while (list.children.length > items.length) list.lastElementChild.remove();
  while (list.children.length < items.length)
    list.append(element("li", {}, element("button", {}, element("b"), element("span"), element("small"))));
  items.forEach((item, at) => {
    const button = list.children[at].querySelector("button");
    button.dataset.kind = item.kind;
    button.dataset.move = item.move;
    if (item.proof) button.dataset.proof = item.proof;
    else delete button.dataset.proof;
    [item.score, item.text, item.note].forEach((text, part) => {
      if (button.children[part].textContent !== text) button.children[part].textContent = text;
    });
  });
}

byId("best-lines").addEventListener("click", event => {
  const { kind, move } = targetOf(event).closest("button")?.dataset ?? {};
  if (move && kind !== "threats" && mayMove()) playMove(move);
});

/** The lines of the position that is shown; arrows for the first moves. */
export function showLines() {
  const { table, current } = state;
  if (!table || !current) return;
  const key = keyOf(current), message = state.seenLines.get(key), threats = seenThreats.get(key);
  const shows = message && (table.analysis || message.kind === "hint");
  const analysed = table.analysis && keyOf({ line: table.analysis[0], ply: table.analysis[1] });
  if (table.analysis && analysed !== key && asked !== key) {
    asked = key;
    ask("analyse", { on: true, lines: table.analysis[2], ...placeOf(current) });
  }
  const lines = shows ? message.lines.slice(0, message.kind === "hint" ? 1 : undefined) : [];
  const items = lines.map(one => itemOf(one, message.kind));
  if (table.analysis && !shows)
    items.push({ kind: "analysis", move: "", score: "", text: t("analysing"), note: "" });
  listItems([...items, ...(threats?.lines ?? []).map(one => itemOf(one, "threats"))]);
  board.extra = lines.map((one, at) => pointTo(one.moves[0], at)).reverse().join("")
    + (threats?.lines ?? []).map(one => pointTo(one.moves[0], 0, true)).join("");
  board.pointers.innerHTML = (board.arrows
    ? (current.a ?? []).map(one => pointed(one, board.view, board.turned)).join("") : "") + board.extra;
  if (state.judging && state.seenLines.size) document.body.classList.add("judged");
  drawGauge(current, board.turned);
  drawCurve();
}
let asked = "";

/** A move as an arrow, a ring or the outline of a piece; `rank` 0 is the best, a threat is red.
 *  @param {string} move @param {number} rank @param {boolean} [threat] */
function pointTo(move, rank, threat = false) {
  if (!move) return "";
  const one = wayOf(move), type = threat ? "ghost-move threat" : "ghost-move";
  const opacity = [0.95, 0.6, 0.4][rank] ?? 0.3, unit = board.view.unit;
  const shape = one.shape && board.view.shapes?.[one.shape];
  if (shape) {
    const [file, rank0] = squareOf(one.cells[0]);
    const path = shape.cells.map(([x, y]) => {
      const at = state.cellsOf.get(cellName(file + x, rank0 + y));
      return `M${at[0] - unit / 2} ${at[1] - unit / 2}h${unit}v${unit}h${-unit}z`;
    }).join("");
    return `<path class="${type}" opacity="${opacity}" d="${path}"/>`;
  }
  const ends = one.cells.slice(0, 2).map(cell => state.cellsOf.get(cell)).filter(Boolean);
  if (ends.length === 2)
    return `<g opacity="${opacity}">${pointed([threat ? "R>" : "B>", ...ends.flat()], board.view, false)}</g>`;
  if (!ends.length) return "";
  const [[x, y]] = ends;
  return `<circle class="${type}" opacity="${opacity}" cx="${x}" cy="${y}" r="${unit * 0.36}"/>`;
}
