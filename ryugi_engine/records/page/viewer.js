// What the page does: one position is shown, and everything else follows it.

/** @type {PageNode | null} */
let current = null; // the node that is shown
/** @type {Map<PageNode, HTMLElement>} */
let buttons = new Map(); // of the game's nodes
/** @type {PageNode[]} */
let line = []; // the nodes that forward and last go along
let playing = 0; // the timer of the next move
let settling = 0; // the timer after which the address says where the board stands

const board = new Board(byId("board"), by => step(by));
const openList = prepareList(number => go(treeOf(data.games[number]), true));

/** Show a position. `jump`: the browser's Back leads to where one was before.
 *  @param {PageNode} node @param {boolean} [jump] */
function go(node, jump = false) {
  if (!node) return;
  const game = node.game;
  if (jump) settle();
  if (game !== current?.game) open(game);
  current = node;
  if (!line.includes(node)) line = lineOf(node);
  const signs = signsOf(node).map(sign => sign[0]).join("");
  const captions = captionsOf(node);
  const over = isEnd(node) && game.tags.Result;
  const says = [labelOf(node) + signs, scoreWords(node), node.s && word(node.s), node.c, over, captions.at(-1)].filter(Boolean);
  byId("status").textContent = says.join(" \u00b7 ");
  board.show(node, t("board-at", labelOf(node), captions.at(-1)));
  byId("captions").replaceChildren(...captions.map(words => element("li", {}, words)));
  drawGauge(node, board.turned);
  drawCurve();
  players();
  mark();
  for (const name of ["first", "back"]) enable(name, node.parent !== null);
  for (const name of ["forward", "last"]) enable(name, node !== line.at(-1));
  Object.assign(document.body.dataset, { ply: node.ply, line: node.line, game: number() });
  if (playing && node === line.at(-1)) pause();
  shown(node);
  if (jump) history.pushState(null, "", address());
  else {
    clearTimeout(settling);
    settling = setTimeout(settle, 300);
  }
}

/** What else is to follow the position; on a page on which one plays there is something. */
/** @type {Choose} */
let shown = () => {};

/** The graph as wide as it is now; it has the game itself, whatever variation is shown. */
function drawCurve() {
  drawGraph(lineOf(treeOf(current.game)), trunk(current), one => go(one, true));
}

/** Whether a game that has a result ends here. @param {PageNode} node */
function isEnd(node) {
  return !node.line && !node.children.length && node.game.tags.Result !== "*";
}

/** The position of the game itself that a variation's position goes back to.
 *  @param {PageNode} node */
function trunk(node) {
  while (node.line) node = node.parent;
  return node;
}

// not "disabled", which would take the keyboard's focus away
/** @param {string} name @param {boolean} can */
function enable(name, can) {
  byId(name).setAttribute("aria-disabled", !can);
}

function number() {
  return data.games.indexOf(current.game) + 1;
}

/** The moves, title and tags of a game. @param {Game} game */
function open(game) {
  pause();
  line = [];
  game.decided ??= /^(1-0|0-1)$/.test(game.tags.Result);
  const root = treeOf(game);
  buttons = drawMoves(byId("moves"), game, node => go(node, true));
  drawSummary(byId("summary"), game, node => go(node, true));
  const { Date = "?" } = game.tags, [White, Black] = [0, 1].map(side => nameOf(game, side));
  byId("title").textContent = `${White} \u2013 ${Black}`;
  byId("about").textContent = describe(game);
  document.title = `${White} - ${Black}, ${word(data.views[game.view].title)}, ${Date}`;
  byId("tag-list").replaceChildren(...Object.entries(game.tags).flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", {}, value)]));
  const at = data.games.indexOf(game) + 1, all = data.games.length;
  byId("games").hidden = all === 1;
  byId("shogi-files").hidden = !data.views[game.view].turning;
  byId("western").hidden = !Object.keys(data.views[game.view].western).length;
  byId("which").textContent = `${at} / ${all}`;
  byId("games").setAttribute("aria-label", t("games-of", at, all));
  byId("games").title = t("games-key");
  const line0 = lineOf(root);
  document.body.classList.toggle("judged", line0.filter(one => chance(one) !== undefined).length > 1);
  document.body.classList.toggle("pointing", hasArrows(root));
  byId("as-played").hidden = !line0.some(one => tookOf(one) !== undefined);
  if (byId("as-played").hidden && byId("speed").value === "played") byId("speed").value = "1";
}

/** A player's name; the side's where nobody knows it. @param {Game} game @param {number} side */
function nameOf(game, side) {
  return calledBy(game.tags[["White", "Black"][side]] ?? "?", side);
}
/** @param {string} name @param {number} side */
function calledBy(name, side) {
  return name === "?" ? coloured(side) : name === "You" ? t("you") : spelled(name);
}
/** @param {string} name */
let spelled = name => name;

/** @param {PageNode} root */
function hasArrows(root) {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.a) return true;
    left.push(...node.children);
  }
  return false;
}

/** The move that is shown, in the table; not scrollIntoView: the page itself stays where it is. */
function mark() {
  const moves = byId("moves");
  for (const old of moves.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const chosen = buttons.get(current);
  chosen.setAttribute("aria-current", "step");
  if (moves.contains(document.activeElement)) chosen.focus({ preventScroll: true });
  const box = chosen.getBoundingClientRect(), around = moves.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom)
    moves.scrollTop += box.top - around.top - moves.clientHeight / 2;
}

/** Names, what was taken, clocks; whose clock runs is marked. */
function players() {
  const { game } = current, view = data.views[game.view];
  const over = isEnd(current);
  const scores = { "1-0": "1 0", "0-1": "0 1", "1/2-1/2": "\u00bd \u00bd" }[game.tags.Result];
  for (const side of [0, 1]) {
    const colour = ["White", "Black"][side];
    const place = byId((side === 1) !== board.turned ? "top" : "bottom");
    const taken = takenBy(current, side);
    const pieces = element("span", { class: "taken", role: "img",
      "aria-label": t("taken", coloured(side), [...taken].join(" ") || t("nothing")) });
    pieces.innerHTML = [...taken].map((letter, at) =>
      `<svg viewBox="2 2 44 44" stroke="none" font-family="sans-serif"`
      + ` class="${taken[at - 1] === letter ? "again" : ""}">${view.pieces[letter] ?? ""}</svg>`).join("");
    const clock = clockOf(current, side), spent = spentOf(current, side);
    const time = clock !== undefined ? clockText(clock)
      : spent !== undefined ? `${spent.toFixed(spent < 10 ? 2 : 0)} s` : "";
    const elo = game.tags[`${colour}Elo`];
    place.replaceChildren(
      element("i", { class: side ? "disc black" : "disc", role: "img", "aria-label": coloured(side) }),
      element("span", { class: "name" }, nameOf(game, side)),
      ...(elo && elo !== "?" ? [element("span", { class: "elo" }, elo)] : []),
      ...(over && scores ? [element("b", { class: "points" }, scores.split(" ")[side])] : []),
      ...(taken ? [pieces] : []),
      ...(time ? [element("span", { class: clock === undefined ? "clock spent" : "clock",
        "aria-label": clock === undefined ? t("spent", coloured(side), time)
          : t("clock", coloured(side), time), role: "img" }, time)] : []));
  }
}

// ---- going about ------------------------------------------------------------------------------

/** @param {number} by */
function step(by) {
  const at = line.indexOf(current) + by;
  go(line[Math.min(Math.max(at, 0), line.length - 1)]);
}

/** The next or previous alternative to the move that is shown. @param {number} by */
function alternative(by) {
  const all = current.parent?.children ?? [current];
  const at = all.indexOf(current) + by;
  if (all.length > 1) go(all[(at + all.length) % all.length], true);
}

/** @param {number} by */
function otherGame(by) {
  const game = data.games[number() - 1 + by];
  if (game) go(treeOf(game), true);
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  sayPlaying();
}

function sayPlaying() {
  const play = byId("play");
  play.setAttribute("aria-pressed", playing !== 0);
  play.setAttribute("aria-label", t(playing ? "pause" : "play"));
  play.querySelector("span")?.replaceChildren(t(playing ? "pause" : "play"));
  play.querySelector("use").setAttribute("href", playing ? "#i-pause" : "#i-play");
}

function play() {
  if (playing) return pause();
  if (current === line.at(-1)) go(line[0]);
  playing = setTimeout(next, pace());
  sayPlaying();
}

function next() {
  step(1);
  if (playing) playing = setTimeout(next, pace());
}

/** Milliseconds before the next move: as the reader chose, or what it took when it was played. */
function pace() {
  const chosen = byId("speed").value;
  if (chosen !== "played") return Number(chosen) * 1000;
  const then = line[line.indexOf(current) + 1];
  return Math.max((then && tookOf(then)) ?? 1, 0.1) * 1000;
}

function flip() {
  board.turned = !board.turned;
  byId("flip").setAttribute("aria-pressed", board.turned);
  board.draw();
  drawGauge(current, board.turned);
  players();
}

function shogiFiles() {
  board.shogiFiles = !board.shogiFiles;
  byId("shogi-files").setAttribute("aria-pressed", board.shogiFiles);
  board.draw();
}
byId("shogi-files").addEventListener("click", shogiFiles);

/** @param {boolean} on whether pieces have letters instead of characters */
function westernPieces(on) {
  board.western = on;
  byId("western").setAttribute("aria-pressed", on);
  keep("ryugi-western", on ? "on" : "");
}
westernPieces(Boolean(kept("ryugi-western")));
byId("western").addEventListener("click", () => {
  westernPieces(!board.western);
  go(current);
});

function arrows() {
  board.arrows = !board.arrows;
  byId("arrows").setAttribute("aria-pressed", board.arrows);
  board.draw();
}

// ---- the address ------------------------------------------------------------------------------

function address() {
  // a page that is served begins with its token
  const words = data.token ? [data.token] : [];
  if (data.games.length > 1) words.push(`game=${number()}`);
  words.push(`ply=${current.ply}`);
  if (current.line) words.push(`line=${current.line}`);
  return "#" + words.join("&");
}

/** Let the address say where the board stands. */
function settle() {
  clearTimeout(settling);
  if (current && location.hash !== address()) history.replaceState(null, "", address());
}

/** The node that words like game=2&ply=14 name, or as near as there is one.
 *  @param {URLSearchParams} words */
function named(words) {
  /** @param {string} name @param {number} or */
  const whole = (name, or) => /^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : or;
  const game = data.games[whole("game", 1) - 1] ?? data.games[0];
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

function follow() {
  clearTimeout(settling);
  const words = new URLSearchParams(location.hash.slice(1));
  const says = ["game", "ply", "line"].some(name => words.has(name));
  const node = named(says ? words : new URLSearchParams(data.start));
  if (node !== current) go(node);
}

async function copyLink() {
  settle();
  try {
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = t("link-copied");
  } catch {
    byId("status").textContent = location.href;
  }
}

// ---- light and dark ---------------------------------------------------------------------------

const night = matchMedia("(prefers-color-scheme: dark)");

/** As chosen before, "" to follow the system. */
const chosenTheme = () => kept("ryugi-theme");

/** @param {string} chosen "light" or "dark", "" to follow the system */
function theme(chosen) {
  const dark = chosen ? chosen === "dark" : night.matches;
  document.documentElement.style.colorScheme = chosen || "light dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("dark").setAttribute("aria-pressed", dark);
}

function otherTheme() {
  const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  // what the system has is followed again
  const other = (chosen === "dark") === night.matches ? "" : chosen;
  keep("ryugi-theme", other);
  theme(other);
}
