// How the sides have played, by the record's own glyphs and evaluations.

import { element } from "records/dom.js";
import { WINNERS } from "records/graph.js";
import { chance, coloured } from "records/node.js";
import { state } from "records/state.js";
import { t } from "records/texts.js";
import { lineOf, treeOf } from "records/tree.js";

/** @type {[number, string, string][]} */
const KINDS = [[6, "inaccuracy", "inaccuracies"], [2, "mistake", "mistakes"],
  [4, "blunder", "blunders"]];

/** Centipawns for White, a forced win and a won game being 1000, as nothing is more; undefined if
 *  unknown. A last position in which the rules end the game needs no evaluation.
 *  @param {PageNode} node @param {PageNode[]} line */
export function centipawns(node, line) {
  if (node === line.at(-1) && node.game.over)
    return 1000 * (WINNERS[node.game.tags.Result] ?? 0);
  if (node.M !== undefined) return 1000 * chance(node);
  return node.e === undefined ? undefined : Math.min(Math.max(node.e, -1000), 1000);
}

/** What a side's moves have lost on average, where it is known before and behind them.
 *  @param {PageNode[]} line @param {(number | undefined)[]} values @param {number} side */
export function averageLoss(line, values, side) {
  /** @type {number[]} */
  const lost = [];
  line.forEach((node, ply) => {
    const [before, after] = [values[ply - 1], values[ply]];
    if (ply && node.side === side && before !== undefined && after !== undefined)
      lost.push(Math.max(side ? after - before : before - after, 0));
  });
  return lost.length ? lost.reduce((sum, one) => sum + one, 0) / lost.length : undefined;
}

/** @param {number[]} numbers */
const mean = numbers => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Each side's accuracy, 0 to 100, as analysis/judgement.py has it; undefined unless all is known.
 *  @param {PageNode[]} line @param {(number | undefined)[]} values */
export function accuracies(line, values) {
  if (line.length < 2 || values.includes(undefined)) return [undefined, undefined];
  const percents = values.map(value => 100 / (1 + Math.exp(-0.00368208 * value)));
  const moves = line.slice(1), size = Math.max(2, Math.min(8, Math.trunc(moves.length / 10)));
  const weights = moves.map((_, ply) => {
    const first = Math.max(0, ply - size + 2), around = percents.slice(first, first + size);
    const middle = mean(around);
    return Math.max(0.5, Math.min(12, Math.sqrt(mean(around.map(one => (one - middle) ** 2)))));
  });
  return [0, 1].map(side => {
    const plies = moves.map((_, ply) => ply).filter(ply => moves[ply].side === side);
    if (!plies.length) return undefined;
    const own = plies.map(ply => {
      const lost = (percents[ply] - percents[ply + 1]) * (side ? -1 : 1);
      const fitted = 103.1668100711649 * Math.exp(-0.04354415386753951 * lost) - 2.166924740191411;
      return lost <= 0 ? 100 : Math.min(100, Math.max(0, fitted));
    });
    const total = plies.reduce((sum, ply) => sum + weights[ply], 0);
    const weighted = own.reduce((sum, one, at) => sum + one * weights[plies[at]], 0) / total;
    const harmonic = 1 / mean(own.map(one => 1 / Math.max(1, one)));
    return (weighted + harmonic) / 2;
  });
}

/** A line for each side; a click on "2 blunders" leads to the next one.
 *  @param {HTMLElement} host @param {Game} game @param {Choose} chosen */
export function drawSummary(host, game, chosen) {
  const line = lineOf(treeOf(game));
  host.hidden = !line.some(node => KINDS.some(([nag]) => node.g?.includes(nag)));
  host.replaceChildren();
  if (host.hidden) return;
  const values = line.map(node => centipawns(node, line));
  const accuracy = accuracies(line, values);
  for (const side of [0, 1]) {
        const row = element("div", { role: "group", "aria-label": t("moves-of", coloured(side)) },
      element("i", { class: side ? "disc black" : "disc" }));
    for (const [nag, one, many] of KINDS) {
      const nodes = line.filter(node => node.side === side && node.g?.includes(nag));
      const made = element("button", { class: nodes.length ? `nag${nag}` : "",
        "aria-disabled": !nodes.length }, `${nodes.length} ${t(nodes.length === 1 ? one : many)}`);
      made.addEventListener("click", () =>
        chosen(nodes.find(node => node.ply > state.current.ply) ?? nodes[0]));
      row.append(made);
    }
    const loss = averageLoss(line, values, side);
    if (loss !== undefined)
      row.append(element("span", { title: t("loss-title") }, t("loss", Math.round(loss))));
    if (accuracy[side] !== undefined)
      row.append(element("span", { title: t("accuracy") }, `${accuracy[side].toFixed(1)} %`));
    host.append(row);
  }
}
