// The address of the page names the position that is shown.

import { byId } from "records/dom.js";
import { state } from "records/state.js";
import { t } from "records/texts.js";
import { lineOf, number, treeOf } from "records/tree.js";

export function address() {
  const { data, current } = state;
  // a page that is served begins with its token
  const words = data.token ? [data.token] : [];
  if (data.games.length > 1) words.push(`game=${number()}`);
  words.push(`ply=${current.ply}`);
  if (current.line) words.push(`line=${current.line}`);
  return "#" + words.join("&");
}

/** Let the address say where the board stands. */
export function settle() {
  clearTimeout(state.settling);
  if (location.protocol === "about:") return; // in a frame of another page, which has no address
  if (state.current && location.hash !== address()) history.replaceState(null, "", address());
}

/** The node that words like game=2&ply=14 name, or as near as there is one.
 *  @param {URLSearchParams} words */
export function named(words) {
  /** @param {string} name @param {number} or */
  const whole = (name, or) => /^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : or;
  const game = state.data.games[whole("game", 1) - 1] ?? state.data.games[0];
  const wanted = whole("line", 0);
  let node = treeOf(game);
  const left = wanted ? [node] : [];
  for (let one = left.pop(); one; one = left.pop()) {
    if (one.line === wanted) {
      node = one;
      break;
    }
    left.push(...one.children);
  }
  const way = lineOf(node);
  return way[Math.min(whole("ply", wanted ? node.ply : 0), way.length - 1)];
}

export async function copyLink() {
  settle();
  try {
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = t("link-copied");
  } catch {
    byId("status").textContent = location.href;
  }
}
