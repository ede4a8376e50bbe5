// Going about: to other moves and games, by itself too.

import { byId } from "records/dom.js";
import { tookOf } from "records/node.js";
import { state } from "records/state.js";
import { number, treeOf } from "records/tree.js";
import { go, pause, sayPlaying } from "records/viewer.js";

/** @param {number} by */
export function step(by) {
  const at = state.line.indexOf(state.current) + by;
  go(state.line[Math.min(Math.max(at, 0), state.line.length - 1)]);
}

/** The next or previous alternative to the move that is shown. @param {number} by */
export function alternative(by) {
  const all = state.current.parent?.children ?? [state.current];
  const at = all.indexOf(state.current) + by;
  if (all.length > 1) go(all[(at + all.length) % all.length], true);
}

/** @param {number} by */
export function otherGame(by) {
  const game = state.data.games[number() - 1 + by];
  if (game) go(treeOf(game), true);
}

export function play() {
  if (state.playing) return pause();
  if (state.current === state.line.at(-1)) go(state.line[0]);
  state.playing = setTimeout(next, pace());
  sayPlaying();
}

export function next() {
  step(1);
  if (state.playing) state.playing = setTimeout(next, pace());
}

/** Milliseconds before the next move: as the reader chose, or what it took when it was played. */
export function pace() {
  const chosen = byId("speed").value;
  if (chosen !== "played") return Number(chosen) * 1000;
  const then = state.line[state.line.indexOf(state.current) + 1];
  return Math.max((then && tookOf(then)) ?? 1, 0.1) * 1000;
}
