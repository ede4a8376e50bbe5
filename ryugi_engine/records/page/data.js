// What the page was given (pagedata.py), as trees of positions.
//
// A node is a position with the move that led to it: `children[0]` goes on with its line, the
// others are variations. Pictures are lists of numbers of `data.parts`, and a node has only how
// its list differs from that of the node before.

/** @type {PageData} */
const data = JSON.parse(document.getElementById("data").textContent);

/** The element with an id. @template {string} Id @param {Id} id */
const byId = id => /** @type {ElementOf<Id>} */ (document.getElementById(id));

/** The element that an event has come to. @param {Event} event */
const targetOf = event => /** @type {HTMLInputElement} */ (event.target);

/** A new element with attributes and children; texts become text.
 *  @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag
 *  @param {Record<string, unknown>} attributes @param {...(Node | string)} children */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(name, `${value}`);
  made.append(...children);
  return made;
}

/** The first position of a game, with all others behind it; made when it is first asked for.
 *  @param {Game} game @returns {PageNode} */
function treeOf(game) {
  if (game.root) return game.root;
  /** @type {PageNode} */
  const root = { ...game.start, game, ply: 0, line: 0, parent: null, children: [], side: null };
  grow(root, game.line, 0);
  game.root = root;
  return root;
}

/** Let moves follow a node, with their variations; returns the last.
 *  @param {PageNode} parent @param {GivenNode[]} moves @param {number} line */
function grow(parent, moves, line) {
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
function lineOf(node) {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The numbers of the elements that a position is drawn with. @param {PageNode} node */
function pictureOf(node) {
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

/** What stands below the board: what is in hand, whose turn it is or who has won.
 *  @param {PageNode} node */
function captionsOf(node) {
  let at = node;
  while (!at.h) at = at.parent;
  return at.h.map(number => word(data.texts[number]));
}

/** "12." or "12...", "" for the first position. @param {PageNode} node */
function numberOf(node) {
  return node.parent ? node.count + (node.second ? "..." : ".") : "";
}

/** The move with its number. @param {PageNode} node */
function labelOf(node) {
  return node.parent ? `${numberOf(node)} ${node.m}` : t("start-here");
}

/** @type {Record<number, string>} */
const nags = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "\u25a1", 10: "=", 13: "\u221e", 14: "\u2a72",
  15: "\u2a71", 16: "\u00b1", 17: "\u2213", 18: "+\u2212", 19: "\u2212+", 22: "\u2a00", 23: "\u2a00",
  32: "\u27f3", 36: "\u2191", 40: "\u2192", 132: "\u21c6", 138: "\u2295", 146: "N",
};

/** What a sign behind a move means. @param {number} nag */
function nagText(nag) {
  return t(`nag${nag}`, coloured(0), coloured(1));
}

/** The signs behind a move, and in words what they mean. @param {PageNode} node */
function signsOf(node) {
  return (node.g ?? []).map(nag => nags[nag] ? [nags[nag], nagText(nag)] : [`$${nag}`, t("note", nag)]);
}

/** Whether evaluations are shown; on a page on which one plays they are not while a game is on. */
let judging = true;

/** "+0.35", "#-3", a proven win in three moves as "\u2713\u22123", or "" where nobody has said anything.
 *  @param {PageNode} node */
function scoreText(node) {
  return judging ? scoreOf(node.game, node.e, node.M) : "";
}

/** @param {Game} game @param {number} [cp] @param {number | null} [mate] */
function scoreOf(game, cp, mate) {
  if (mate !== undefined && mate !== null)
    return data.views[game.view].proves ? `\u2713${signed(mate, 0)}` : `#${mate}`;
  return cp === undefined ? "" : signed(cp / 100, 2);
}

/** @param {number} value @param {number} digits */
function signed(value, digits) {
  return (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(digits);
}

/** The side that wins by force, and in how many moves; null where that is not known.
 *  @param {PageNode} node */
function forced(node) {
  if (node.M === undefined) return null;
  // 0: the game is over, won by whoever has moved last
  const white = node.M ? node.M > 0 : !node.side;
  return { winner: white ? 0 : 1, moves: Math.abs(node.M) };
}

/** The name of a side, in a game. @param {number} side @param {View} [view] */
function coloured(side, view) {
  // the current game may be one that others have just taken the place of
  const shown = view ?? data.views[current?.game.view ?? ""] ?? data.views[data.games[0].view];
  return word(shown.sides[side]);
}

/** Whether forced wins of a node's game are proofs. @param {PageNode} node */
function provesOf(node) {
  return Boolean(data.views[node.game.view].proves);
}

/** The evaluation in words where it is a proof, else its text. @param {PageNode} node */
function scoreWords(node) {
  const win = judging && provesOf(node) ? forced(node) : null;
  if (!win) return scoreText(node);
  return t(["proven-end", "proven-in-one"][win.moves] ?? "proven-in", coloured(win.winner), win.moves);
}

/** White's chances of winning, from -1 to 1; undefined where there is no evaluation.
 *  @param {PageNode} node */
function chance(node) {
  if (!judging) return undefined;
  const win = forced(node);
  if (win) return win.winner ? -1 : 1;
  if (node.e !== undefined) return 2 / (1 + Math.exp(-0.00368208 * node.e)) - 1;
  return undefined;
}

/** The last that a side's clock said up to a node, in seconds; undefined if it never did.
 *  @param {PageNode} node @param {number} side */
function clockOf(node, side) {
  for (let at = node; at; at = at.parent) if (at.side === side && at.k !== undefined) return at.k;
  return undefined;
}

/** Seconds that a side's last move took. @param {PageNode} node @param {number} side */
function spentOf(node, side) {
  for (let at = node; at; at = at.parent) if (at.side === side) return at.t;
  return undefined;
}

/** Seconds that a move took: as the record says, or by its player's clock.
 *  @param {PageNode} node */
function tookOf(node) {
  if (node.t !== undefined || node.k === undefined) return node.t;
  const before = node.parent && clockOf(node.parent, node.side);
  return before === undefined ? undefined : Math.max(before - node.k, 0);
}

/** "1:02:03", "2:03", below ten seconds "0:03.4". @param {number} seconds */
function clockText(seconds) {
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
function takenBy(node, side) {
  let taken = "";
  for (let at = node; at; at = at.parent) if (at.side === side && at.x) taken += at.x;
  return [...taken].sort().join("");
}
