// What is said of a position: number, signs, evaluation, clocks.

import { state } from "records/state.js";
import { t, word } from "records/texts.js";

/** What stands below the board: what is in hand, whose turn it is or who has won.
 *  @param {PageNode} node */
export function captionsOf(node) {
  let at = node;
  while (!at.h) at = at.parent;
  return at.h.map(number => word(state.data.texts[number]));
}

/** "12." or "12...", "" for the first position. @param {PageNode} node */
function numberOf(node) {
  return node.parent ? node.count + (node.second ? "..." : ".") : "";
}

/** The move with its number. @param {PageNode} node */
export function labelOf(node) {
  return node.parent ? `${numberOf(node)} ${node.m}` : t("start-here");
}

/** @type {Record<number, string>} */
export const nags = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "\u25a1", 10: "=", 13: "\u221e", 14: "\u2a72",
  15: "\u2a71", 16: "\u00b1", 17: "\u2213", 18: "+\u2212", 19: "\u2212+", 22: "\u2a00", 23: "\u2a00",
  32: "\u27f3", 36: "\u2191", 40: "\u2192", 132: "\u21c6", 138: "\u2295", 146: "N",
};

/** What a sign behind a move means. @param {number} nag */
export function nagText(nag) {
  return t(`nag${nag}`, coloured(0), coloured(1));
}

/** The signs behind a move, and in words what they mean. @param {PageNode} node */
export function signsOf(node) {
  return (node.g ?? []).map(nag => nags[nag] ? [nags[nag], nagText(nag)] : [`$${nag}`, t("note", nag)]);
}

/** "+0.35", "#-3", a proven win in three moves as "\u2713\u22123", or "" where nobody has said anything.
 *  @param {PageNode} node */
export function scoreText(node) {
  return state.judging ? scoreOf(node.game, node.e, node.M) : "";
}

/** @param {Game} game @param {number} [cp] @param {number | null} [mate] */
export function scoreOf(game, cp, mate) {
  if (mate !== undefined && mate !== null)
    return state.data.views[game.view].proves ? `\u2713${signed(mate, 0)}` : `#${mate}`;
  return cp === undefined ? "" : signed(cp / 100, 2);
}

/** @param {number} value @param {number} digits */
function signed(value, digits) {
  return (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(digits);
}

/** The side that wins by force, and in how many moves; null where that is not known.
 *  @param {PageNode} node */
export function forced(node) {
  if (node.M === undefined) return null;
  // 0: the game is over, won by whoever has moved last
  const white = node.M ? node.M > 0 : !node.side;
  return { winner: white ? 0 : 1, moves: Math.abs(node.M) };
}

/** The name of a side, in a game. @param {number} side @param {View} [view] */
export function coloured(side, view) {
  const { data } = state;
  // the current game may be one that others have just taken the place of
  const shown = view ?? data.views[state.current?.game.view ?? ""] ?? data.views[data.games[0].view];
  return word(shown.sides[side]);
}

/** Whether forced wins of a node's game are proofs. @param {PageNode} node */
export function provesOf(node) {
  return Boolean(state.data.views[node.game.view].proves);
}

/** The evaluation in words where it is a proof, else its text. @param {PageNode} node */
export function scoreWords(node) {
  const win = state.judging && provesOf(node) ? forced(node) : null;
  if (!win) return scoreText(node);
  return t(["proven-end", "proven-in-one"][win.moves] ?? "proven-in", coloured(win.winner), win.moves);
}

/** White's chances of winning, from -1 to 1; undefined where there is no evaluation.
 *  @param {PageNode} node */
export function chance(node) {
  if (!state.judging) return undefined;
  const win = forced(node);
  if (win) return win.winner ? -1 : 1;
  if (node.e !== undefined) return 2 / (1 + Math.exp(-0.00368208 * node.e)) - 1;
  return undefined;
}

/** The last that a side's clock said up to a node, in seconds; undefined if it never did.
 *  @param {PageNode} node @param {number} side */
export function clockOf(node, side) {
  for (let at = node; at; at = at.parent) if (at.side === side && at.k !== undefined) return at.k;
  return undefined;
}

/** Seconds that a side's last move took. @param {PageNode} node @param {number} side */
export function spentOf(node, side) {
  for (let at = node; at; at = at.parent) if (at.side === side) return at.t;
  return undefined;
}

/** Seconds that a move took: as the record says, or by its player's clock.
 *  @param {PageNode} node */
export function tookOf(node) {
  if (node.t !== undefined || node.k === undefined) return node.t;
  const before = node.parent && clockOf(node.parent, node.side);
  return before === undefined ? undefined : Math.max(before - node.k, 0);
}

/** "1:02:03", "2:03", below ten seconds "0:03.4". @param {number} seconds */
export function clockText(seconds) {
  const [whole, tenths] = seconds < 10 ? [Math.floor(seconds), Math.floor((seconds % 1) * 10)]
    : [Math.floor(seconds), null];
  /** @param {number} number */
  const pad = number => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const text = hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}`
    : `${minutes}:${pad(whole % 60)}`;
  return tenths === null ? text : `${text}.${tenths}`;
}

/** Letters of the pieces that a side has taken up to a node.
 *  @param {PageNode} node @param {number} side */
export function takenBy(node, side) {
  let taken = "";
  for (let at = node; at; at = at.parent) if (at.side === side && at.x) taken += at.x;
  return [...taken].sort().join("");
}
