// A game as a tree of positions, made of what the page was given (pagedata.py).
//
// A node is a position with the move that led to it: `children[0]` goes on with its line, the
// others are variations. Pictures are lists of numbers of `data.parts`, and a node has only how
// its list differs from that of the node before.

import { state } from "records/state.js";

/** The first position of a game, with all others behind it; made when it is first asked for.
 *  @param {Game} game @returns {PageNode} */
export function treeOf(game) {
  if (game.root) return game.root;
  /** @type {PageNode} */
  const root = { ...game.start, game, ply: 0, line: 0, parent: null, children: [], side: null };
  grow(root, game.line, 0);
  game.root = root;
  return root;
}

/** Let moves follow a node, with their variations; returns the last.
 *  @param {PageNode} parent @param {GivenNode[]} moves @param {number} line */
export function grow(parent, moves, line) {
  const { game } = parent;
  let at = parent;
  for (const given of moves) {
    /** @type {PageNode} */
    const node = { ...given, game, ply: at.ply + 1, line, parent: at, children: [] };
    const half = at.ply + game.black;
    node.second = half % 2;
    node.side = given.o ?? node.second;
    node.count = game.number + Math.floor(half / 2);
    at.children.push(node);
    for (const variation of given.v ?? []) grow(at, variation.l, variation.k);
    at = node;
  }
  return at;
}

/** The nodes from the first position to a node. @param {PageNode} node */
function pathTo(node) {
  const path = [];
  for (let at = node; at; at = at.parent) path.unshift(at);
  return path;
}

/** The nodes of a line: those that lead to a node, and how it goes on. @param {PageNode} node */
export function lineOf(node) {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The numbers of the elements that a position is drawn with. @param {PageNode} node */
export function pictureOf(node) {
  const missing = [];
  let at = node;
  while (at && !at.picture) {
    missing.unshift(at);
    at = at.parent;
  }
  for (const next of missing) next.picture = spliced(next.parent?.picture ?? [], next.d);
  return node.picture;
}

/** A list changed as list_diff.py has it: how many stay, how many go, how many come, and those.
 *  @param {number[]} old @param {number[]} changes */
function spliced(old, changes) {
  const list = [];
  let from = 0;
  for (let at = 0; at < changes.length; ) {
    const [stay, go, come] = changes.slice(at, at + 3);
    list.push(...old.slice(from, from + stay), ...changes.slice(at + 3, at + 3 + come));
    from += stay + go;
    at += 3 + come;
  }
  list.push(...old.slice(from));
  return list;
}

/** The position of the game itself that a variation's position goes back to.
 *  @param {PageNode} node */
export function trunk(node) {
  while (node.line) node = node.parent;
  return node;
}

/** Whether a game that has a result ends here. @param {PageNode} node */
export function isEnd(node) {
  return !node.line && !node.children.length && node.game.tags.Result !== "*";
}

export function number() {
  return state.data.games.indexOf(state.current.game) + 1;
}
