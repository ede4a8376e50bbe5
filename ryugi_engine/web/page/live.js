// What the server says, and what can be seen of it: state of the game, places of the board.

const SIDES = ["white", "black"];
/** @type {State | null} */
let table = null; // the state of the game at its end
/** @type {Messages["legal"] | null} */
let looked = null; // moves and board of another position that is shown, once they have come
let askedFor = ""; // the position that has been asked for
/** @type {Map<string, Messages["lines"]>} */
const seenLines = new Map(); // best lines by position

board.pressable = true;
board.host.tabIndex = -1;
document.body.classList.add("live");

/** Whether the end of the game itself is shown. */
function atEnd() {
  return current && !current.line && !current.children.length;
}

/** The name of a position in messages. @param {PageNode} node */
function placeOf(node) {
  return { line: node.line, ply: node.ply };
}

/** @param {Place} place */
function nodeAt({ line, ply }) {
  return named(new URLSearchParams({ line: `${line}`, ply: `${ply}` }));
}

/** @param {Place} given */
function keyOf(given) {
  return `${given.line}/${given.ply}`;
}

/** Moves, letters and hands of the position that is shown; null until they are known. */
function here() {
  if (!table || !current) return null;
  if (atEnd()) return table;
  return looked && keyOf(looked) === keyOf(current) ? looked.state : null;
}

/** Whether a person may move in the position that is shown. */
function mayMove() {
  const state = here();
  if (!state || !state.moves.length) return false;
  return !atEnd() || !table.players[table.turn].engine;
}

/** @param {any} message */
function receive(message) {
  const action = /** @type {Record<string, (message: any) => void>} */ (receivers)[message.type];
  if (action) action(message);
}

/** @type {Receivers} */
const receivers = {
  games: message => {
    const first = !knownGames.length;
    listGames(message.games);
    if (first && table.choosing && !table.ply) openNew();
  },
  start: message => startHasCome(message),
  rules: message => showRules(message),
  all: message => {
    unsay();
    const asked = !message.state.compiling.game && gameHasCome();
    dropPremove();
    const before = current && begunOnce ? { line: current.line, ply: current.ply, end: atEnd() } : null;
    if (!begunOnce) ask("games");
    const old = data.games[0];
    message.page.token = token;
    Object.assign(data, message.page);
    if (begunOnce) keepScores(treeOf(old), treeOf(data.games[0]));
    takeState(message.state);
    seenLines.clear();
    looked = null;
    askedFor = "";
    const game = data.games[0];
    let node = lineOf(treeOf(game)).at(-1);
    if (before && !before.end && before.ply < node.ply)
      node = nodeAt(before);
    go(node);
    byId("moves").scrollTop = byId("moves").scrollHeight;
    begunOnce = true;
    if (asked) focusBoard();
  },
  step: message => {
    unsay();
    const { step, state } = message, game = data.games[0];
    data.parts.push(...step.parts);
    data.figures.push(...step.figures);
    data.texts.push(...step.texts);
    const end = lineOf(treeOf(game)).at(-1), follows = current === end;
    const made = grow(end, [step.node], 0);
    takeState(state);
    open(game);
    go(follows ? made : current);
    byId("moves").scrollTop = byId("moves").scrollHeight;
    playPremove();
  },
  state: message => {
    const before = judging;
    takeState(message.state);
    if (judging === before) return showState();
    open(current.game);
    go(current);
  },
  legal: message => {
    looked = message;
    showState();
  },
  go: message => go(nodeAt(message), true),
  lines: message => takeLines(message),
  objection: message => objected(message),
  error: message => {
    asking = null;
    annotating = false;
    notice(message.text, true);
    showActs();
    allowStart();
  },
  fault: message => notice(message.text, true),
  note: message => {
    notice(message.text);
    clearTimeout(noticed); // it may take long, until the game comes
  },
  files: message => listFiles(message.files),
  setup: message => setupAnswered(message),
  defined: message => defined(message),
  diagrams: message => drawDiagrams(message),
  progress: message => progressed(message),
  compiling: message => {
    showCompiling(message);
    allowStart();
  },
};
let begunOnce = false;

let noticed = 0;

/** A line beside the state of the game, for some seconds, and in the dialog that covers it.
 *  @param {string} text @param {boolean} [bad] */
function notice(text, bad = false) {
  clearTimeout(noticed);
  for (const place of [byId("notice"), document.querySelector("dialog[open] .says")]) {
    if (!place) continue;
    place.textContent = word(text);
    place.classList.toggle("fault", bad);
  }
  noticed = setTimeout(unsay, 8000);
}

/** Take the line away: the game has changed since. */
function unsay() {
  clearTimeout(noticed);
  byId("notice").textContent = "";
}

/** Take the state in; the clocks go on from here. @param {State} state */
function takeState(state) {
  table = state;
  table.at = performance.now();
  parsedMoves.delete(state);
  receivers.compiling(state.compiling);
  judging = studying() || state.players.every(player => player.engine);
  for (const [name, on] of Object.entries({ study: studying(), wide: state.wide }))
    document.body.classList.toggle(name, on);
}

/** Let a game that has come again have the evaluations that it had before.
 *  @param {PageNode} old @param {PageNode} fresh */
function keepScores(old, fresh) {
  for (; old && fresh && old.m === fresh.m; [old, fresh] = [old.children[0], fresh.children[0]])
    if (fresh.e === undefined && fresh.M === undefined) Object.assign(fresh, { e: old.e, M: old.M });
}

/** Everything that follows the state or the position that is shown. */
function showState() {
  if (!table || !current) return;
  if (!atEnd() && !here() && askedFor !== keyOf(current)) {
    askedFor = keyOf(current);
    ask("legal", placeOf(current));
  }
  forget();
  showStanding();
  showPlaces();
  showHands();
  showActs();
  showClocks();
  showLines();
  showNote();
  showPlacing();
  mark(); // what has come may have made the list of moves lower
}
shown = () => showState();

// ---- the places of the board --------------------------------------------------------------------

const places = document.createElementNS(SVG, "g");
places.id = "places";
const marks = document.createElementNS(SVG, "g");
marks.id = "marks";
marks.setAttribute("pointer-events", "none");
const ghost = document.createElementNS(SVG, "g");
ghost.id = "ghost";
ghost.setAttribute("pointer-events", "none");
board.svg.append(marks, places, ghost);
board.svg.setAttribute("role", "group");

/** @type {Map<string, number[]>} */
let cellsOf = new Map(); // name -> centre, of the board that the places are of
/** @type {Map<string, SVGRectElement>} */
let cellNodes = new Map(); // name -> element
let placesFor = ""; // the view and the side that the places have been made for
/** @type {Map<string, string>} */
let labelled = new Map();

/** The elements of the places: made once for a board, moved when it is turned. */
function makePlaces() {
  const name = `${current.game.view}/${board.turned}`;
  if (name === placesFor) return;
  const view = board.view, size = view.unit;
  const sameBoard = placesFor.startsWith(`${current.game.view}/`);
  placesFor = name;
  cellsOf = new Map(view.cells.map(([cell, x, y]) => [cell, board.turnedPoint(x, y)]));
  if (!sameBoard) {
    labelled = new Map();
    cellNodes = new Map();
    places.replaceChildren();
    for (const cell of cellsOf.keys()) cellNodes.set(cell, placeNode(cell, size));
    places.append(...cellNodes.values());
    places.firstElementChild?.setAttribute("tabindex", "0");
  }
  for (const [cell, [x, y]] of cellsOf) movePlace(cellNodes.get(cell), x, y, size);
}

// a finger that rests on a piece is told its name
let resting = 0;
places.addEventListener("pointerdown", event => {
  const name = targetOf(event).querySelector("title")?.textContent;
  clearTimeout(resting);
  if (name && event.pointerType !== "mouse") resting = setTimeout(() => notice(name), 600);
});
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => clearTimeout(resting));

/** The element of a place, which can be pressed. @param {string} cell @param {number} size */
function placeNode(cell, size) {
  const made = document.createElementNS(SVG, "rect");
  made.dataset.cell = cell;
  for (const [name, value] of Object.entries({ class: "place", width: size, height: size,
    role: "button", tabindex: "-1" }))
    made.setAttribute(name, `${value}`);
  return made;
}

/** @param {SVGRectElement} node @param {number} x @param {number} y @param {number} size */
function movePlace(node, x, y, size) {
  node.setAttribute("x", `${x - size / 2}`);
  node.setAttribute("y", `${y - size / 2}`);
}

/** A piece's picture; "" for one without. @param {string} sign */
function iconPicture(sign) {
  const icon = board.inScript(board.view.icons?.[sign]);
  return icon ? `<svg viewBox="2 2 44 44" font-family="sans-serif" stroke="none" aria-hidden="true">${icon}</svg>` : "";
}

/** The name of a piece by its letter, without its side. @param {string} letter */
function plainName(letter) {
  const plain = letter.replace("+", "").toUpperCase();
  const name = word(board.view.names[plain] ?? plain);
  return letter.startsWith("+") ? t("promoted-piece", name) : name;
}

/** What is shown where a pointer rests on a piece: "Silver, Sente". @param {string} letter */
function hoverName(letter) {
  const name = plainName(letter);
  return table.neutral?.includes(letter) ? name
    : t("piece-of", name, coloured(letter === letter.toUpperCase() ? 0 : 1));
}

/** The name of a piece by its letter: "white pawn".
 *  @param {string} letter @param {State} [game] */
function pieceName(letter, game = table) {
  const name = plainName(letter);
  if (game.neutral?.includes(letter)) return name;
  const lower = language === "en" && name.length > 1 ? name.toLowerCase() : name;
  const colour = coloured(letter === letter.toUpperCase() ? 0 : 1);
  return t("coloured", language === "en" ? colour.toLowerCase() : colour, lower);
}

function showPlaces() {
  makePlaces();
  const state = here(), targets = targetCells();
  for (const [cell, node] of cellNodes) {
    const letter = state?.letters[cell];
    let label = letter ? t("on-cell", cell, pieceName(letter)) : t("empty", cell);
    if (targets.has(cell)) label = t("target", label);
    if (labelled.get(cell) === label) continue;
    labelled.set(cell, label);
    node.setAttribute("aria-label", label);
    const title = document.createElementNS(SVG, "title");
    title.textContent = letter ? hoverName(letter) : "";
    node.replaceChildren(...letter ? [title] : []);
  }
  showMarks();
}

/** What is picked, and where it may go. */
function showMarks() {
  const state = here(), unit = board.view?.unit ?? 1, lines = [];
  /** @param {string} cell @param {string} type */
  const square = (cell, type) => {
    const at = cellsOf.get(cell);
    if (at) lines.push(`<rect class="${type}" x="${at[0] - unit / 2}" y="${at[1] - unit / 2}"`
      + ` width="${unit}" height="${unit}" rx="${unit * 0.08}"/>`);
  };
  for (const cell of picked.cells) square(cell, "picked");
  for (const cell of premove?.cells ?? []) square(cell, "premove");
  lift();
  // where a piece stands that has moved, while a further square is chosen
  const mover = board.view?.icons?.[state?.letters[picked.cells[0]]], at = cellsOf.get(picked.cells[1]);
  if (mover && at) lines.push(`<g class="moved" transform="translate(${at[0] - unit / 2} ${at[1] - unit / 2})`
    + ` scale(${unit / 48})">${mover}</g>`);
  for (const cell of targetCells()) {
    const at = cellsOf.get(cell);
    if (!at) continue;
    const taken = state?.letters[cell] && !liftedCells().includes(cell);
    const [type, size] = taken ? ["target", 0.44] : table.placed ? ["target spot", 0.3] : ["target dot", 0.16];
    lines.push(`<circle class="${type}" cx="${at[0]}" cy="${at[1]}" r="${unit * size}"/>`);
  }
  for (const cell of pointedCells) square(cell, "pointed");
  marks.innerHTML = lines.join("") + heldMarks();
}
/** @type {string[]} */
let pointedCells = [];

/** The places whose pieces are drawn elsewhere: of a drag, or of a move with a further square. */
function liftedCells() {
  if (drag?.moved && drag.icon && drag.cell) return [drag.cell];
  return picked.hand === null && picked.cells.length > 1 ? picked.cells.slice(0, 2) : [];
}

/** Draw the board without the pieces that are drawn elsewhere. */
function lift() {
  const points = board.view.cells.filter(([cell]) => liftedCells().includes(cell))
    .map(([, x, y]) => [x, y]);
  if (`${points}` === `${board.lifted}`) return;
  board.lifted = points;
  const pointers = board.pointers.innerHTML;
  board.draw();
  board.pointers.innerHTML = pointers; // lines of the analysis among them
}

/** The place under a point of the window; null beside the board.
 *  @param {number} x @param {number} y */
function cellAt(x, y) {
  const matrix = board.picture.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  let best = null, least = (board.view.unit * 0.72) ** 2;
  for (const [cell, at] of cellsOf) {
    const far = (at[0] - point.x) ** 2 + (at[1] - point.y) ** 2;
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}

/** The place that lies next in a direction of the screen.
 *  @param {string} cell @param {number} dx @param {number} dy */
function neighbourOf(cell, dx, dy) {
  const from = cellsOf.get(cell);
  let best = null, least = Infinity;
  for (const [other, at] of cellsOf) {
    const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
    const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
    if (along < board.view.unit * 0.3 || aside > along) continue;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

/** @param {string} cell */
function focusCell(cell) {
  const node = cellNodes.get(cell);
  if (!node) return;
  places.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  node.setAttribute("tabindex", "0");
  node.focus({ preventScroll: true });
  if (board.zoom > 1) {
    const [x, y] = cellsOf.get(cell);
    board.follow(board.turnedPoint(x, y));
  };
}

/** Give the keyboard to the board: to its places, or in a game that is looked at to its replay. */
function focusBoard() {
  const cell = studying() ? null : places.querySelector('[tabindex="0"]');
  (cell ?? board.host).focus({ preventScroll: true });
}

// ---- clocks ---------------------------------------------------------------------------------

/** The clocks as the server has them; between its messages they go on here. */
function showClocks() {
  if (!table.clocks || !atEnd()) return;
  for (const side of [0, 1]) {
    const place = byId((side === 1) !== board.turned ? "top" : "bottom");
    let node = place.querySelector(".clock");
    if (!node) {
      node = element("span", { class: "clock", role: "timer" });
      place.append(node);
    }
    node.classList.remove("spent");
    node.classList.add("live-clock");
    node.dataset.side = SIDES[side];
    node.classList.toggle("running", table.running === side);
  }
  tick();
}

function tick() {
  if (!table?.clocks) return;
  for (const node of document.querySelectorAll(".live-clock")) {
    const side = SIDES.indexOf(node.dataset.side);
    const spent = table.running === side ? (performance.now() - table.at) / 1000 : 0;
    const left = Math.max(table.clocks[side] - spent, 0);
    const text = clockText(left);
    if (node.textContent !== text) node.textContent = text;
    node.classList.toggle("short", left < 10);
  }
}
setInterval(tick, 100);

// ---- language -------------------------------------------------------------------------------

byId("language").addEventListener("click", () => {
  language = language === "en" ? "ja" : "en";
  keep("ryugi-language", language);
  translate();
  labelled = new Map();
  listGames(knownGames);
  open(current.game);
  go(current);
});

addEventListener("resize", () => showClocks());
