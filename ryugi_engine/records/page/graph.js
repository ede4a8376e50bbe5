// The evaluation graph: White's chances over the game's plies, to click on.

import { byId } from "records/dom.js";
import { chance, forced, labelOf, provesOf, scoreWords } from "records/node.js";

const graph = byId("graph");
/** @type {Record<string, number>} */
export const WINNERS = { "1-0": 1, "0-1": -1 };

/** Draw a line's evaluations; nothing where it has fewer than two.
 *  @param {PageNode[]} line @param {PageNode} node @param {Choose} chosen */
export function drawGraph(line, node, chosen) {
  const last = line.length - 1;
  const known = line.map(chance);
  const end = line[last];
  // a game that is over is won or lost, whatever was said before
  const over = WINNERS[end.game.tags.Result];
  if (end.line === 0 && known[last] === undefined && over && end.game.decided) known[last] = over;
  graph.hidden = known.filter(value => value !== undefined).length < 2;
  if (graph.hidden) return;
  const { width, height } = graph.getBoundingClientRect();
  /** @param {number} ply */
  const x = ply => last ? (ply / last) * width : 0;
  /** @param {number} value */
  const y = value => (1 - value) / 2 * (height - 4) + 2;
  /** @type {number[][]} */
  const points = [];
  known.forEach((value, ply) => {
    if (value !== undefined) points.push([x(ply), y(value)]);
  });
  const path = points.map(point => point.map(number => number.toFixed(1)).join(",")).join(" L");
  const from = points[0][0].toFixed(1), to = points.at(-1)[0].toFixed(1);
  const dots = line.map((one, ply) => {
    const bad = (one.g ?? []).find(nag => nag === 2 || nag === 4 || nag === 6);
    return bad && known[ply] !== undefined
      ? `<circle class="nag${bad}" cx="${x(ply).toFixed(1)}" cy="${y(known[ply]).toFixed(1)}" r="3"/>` : "";
  });
  // forced wins lie on the edge of who wins, as bars of their own
  const step = last ? width / last : width;
  const bars = line.map((one, ply) => {
    const win = forced(one);
    return win ? `<rect class="${provesOf(one) ? "proof" : "forced"}" data-ply="${ply}"`
      + ` x="${(x(ply) - step / 2).toFixed(1)}" y="${win.winner ? height - 6 : 0}"`
      + ` width="${step.toFixed(1)}" height="6"/>` : "";
  });
  const here = Math.min(line.indexOf(node), last);
  graph.innerHTML = `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">`
    + `<path class="area" d="M${from},${height} L${path} L${to},${height} Z"/>`
    + `<line class="even" x1="0" x2="${width}" y1="${height / 2}" y2="${height / 2}"/>`
    + `<path class="curve" d="M${path}"/>${dots.join("")}`
    + `<line class="here" x1="${x(here)}" x2="${x(here)}" y1="0" y2="${height}"/>${bars.join("")}</svg>`;
  graph.setAttribute("aria-valuemin", 0);
  graph.setAttribute("aria-valuemax", last);
  graph.setAttribute("aria-valuenow", here);
  graph.setAttribute("aria-valuetext", `${labelOf(node)} ${scoreWords(node)}`.trim());
  /** @param {MouseEvent} event */
  const at = event => {
    const box = graph.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    return line[Math.min(Math.max(Math.round(part * last), 0), last)];
  };
  graph.onclick = event => chosen(at(event));
  graph.onpointermove = event => {
    const one = at(event);
    graph.title = `${labelOf(one)} ${scoreWords(one)}`.trim();
  };
}

/** The bar beside the board: how much of it is White's.
 *  @param {PageNode} node @param {boolean} turned */
export function drawGauge(node, turned) {
  let at = node;
  while (at && chance(at) === undefined) at = at.parent;
  const gauge = byId("gauge");
  const value = at ? chance(at) : 0;
  gauge.classList.toggle("turned", turned);
  const proof = at && provesOf(at) ? forced(at) : null;
  gauge.classList.toggle("proven", proof !== null);
  gauge.title = at ? scoreWords(at) : "";
  gauge.querySelector("div").style.blockSize = `${50 + 50 * value}%`;
}
