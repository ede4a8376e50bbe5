// Pieces that cover several squares (Goryujin): held under the pointer, turned, mirrored, placed.
// Keys are those of the game's original program.

/** @type {Held | null} */
let held = null; // { name, file, rank }: a shape, and the lower left corner of its box
/** @type {Shown | null} */
let legalFor = null; // the state that `legalPlaces` is of
/** @type {Map<string, string>} */
let legalPlaces = new Map(); // "P0@m1" -> the move

/** Whether pieces with shapes are placed now, by a person. */
function isPlacing() {
  return Boolean(board.view?.shapes && Object.keys(board.view.shapes).length) && mayMove();
}
function holding() {
  return held !== null;
}

/** @param {string} name */
const shapeOf = name => board.view.shapes[name];
/** @param {string} name */
const lettersOf = name => name[0];

/** File and rank of a place, and the place of both. @param {string} cell */
function squareOf(cell) {
  const [, letters, rank] = /^([a-z]+)(\d+)$/.exec(cell);
  let file = 0;
  for (const letter of letters) file = file * 26 + letter.charCodeAt(0) - 96;
  return [file - 1, Number(rank) - 1];
}
/** @param {number} file @param {number} rank */
function cellName(file, rank) {
  const letters = file < 26 ? "" : String.fromCharCode(96 + Math.floor(file / 26));
  return `${letters}${String.fromCharCode(97 + file % 26)}${rank + 1}`;
}

function legalHere() {
  const state = here();
  if (legalFor !== state) {
    legalFor = state;
    legalPlaces = new Map(state.moves.map(move => [move.replace(/\+$/, ""), move]));
  }
  return legalPlaces;
}

/** @param {string} name */
function sizeOf(name) {
  const cells = shapeOf(name).cells;
  return [1 + Math.max(...cells.map(cell => cell[0])), 1 + Math.max(...cells.map(cell => cell[1]))];
}

/** The board's number of files and ranks. */
function extent() {
  let files = 0, ranks = 0;
  for (const cell of cellsOf.keys()) {
    const [file, rank] = squareOf(cell);
    files = Math.max(files, file + 1);
    ranks = Math.max(ranks, rank + 1);
  }
  return [files, ranks];
}
let boardExtent = [0, 0];

function clamp() {
  const [width, height] = sizeOf(held.name), [files, ranks] = boardExtent;
  held.file = Math.min(Math.max(held.file, 0), files - width);
  held.rank = Math.min(Math.max(held.rank, 0), ranks - height);
}

/** Take a piece: it lies on the legal place that is nearest to where the last one lay.
 *  @param {string} letter */
function holdPiece(letter) {
  boardExtent = extent();
  const names = Object.keys(board.view.shapes).filter(name => lettersOf(name) === letter);
  if (!names.length) return;
  if (held && lettersOf(held.name) === letter) return putBack();
  const from = held ?? lastPlace();
  let best = null, least = Infinity;
  for (const place of legalHere().keys()) {
    const [name, cell] = place.split("@");
    if (!cell || lettersOf(name) !== letter) continue;
    const [file, rank] = squareOf(cell);
    const far = Math.abs(file - from.file) + Math.abs(rank - from.rank);
    if (far < least) [best, least] = [{ name, file, rank }, far];
  }
  held = best ?? { name: names[0], file: from.file, rank: from.rank };
  picked = { hand: letter, cells: [] };
  clamp();
  repaintHeld();
}

/** Where one's last piece lies, or the middle of the board. */
function lastPlace() {
  for (let at = current; at?.parent; at = at.parent) {
    const match = /@([a-z]+\d+)/.exec(at.m);
    if (match && at.side === here().turn) {
      const [file, rank] = squareOf(match[1]);
      return { file, rank };
    }
  }
  return { file: Math.floor(boardExtent[0] / 2), rank: here().turn ? boardExtent[1] - 1 : 0 };
}

function putBack() {
  held = null;
  picked = { hand: null, cells: [] };
  repaintHeld();
}

/** A shape in another orientation. @param {string} shape @param {(cell: Point) => Point} change */
function turnedShape(shape, change) {
  const cells = shapeOf(shape).cells.map(change);
  const left = Math.min(...cells.map(cell => cell[0])), low = Math.min(...cells.map(cell => cell[1]));
  const wanted = cells.map(([x, y]) => `${x - left},${y - low}`).sort().join(" ");
  return Object.keys(board.view.shapes).find(other => lettersOf(other) === lettersOf(shape)
    && shapeOf(other).cells.map(cell => cell.join(",")).sort().join(" ") === wanted);
}

/** Another orientation of the held piece, its middle staying where it is.
 *  @param {(cell: Point) => Point} change */
function turnTo(change) {
  if (!held) return;
  const name = turnedShape(held.name, change);
  const before = sizeOf(held.name), after = sizeOf(name);
  held = { name, file: held.file + Math.round((before[0] - after[0]) / 2),
    rank: held.rank + Math.round((before[1] - after[1]) / 2) };
  clamp();
  repaintHeld();
}
// a board that is seen from the other side turns as it is seen: half a turn changes nothing of that
/** @type {Record<string, (cell: Point) => Point>} */
const TURNS = {
  "turn-left": ([x, y]) => [-y, x], "turn-right": ([x, y]) => [y, -x],
  "half-turn": ([x, y]) => [-x, -y], mirror: ([x, y]) => [-x, y],
};
const turnRight = () => turnTo(TURNS["turn-right"]);
const turnLeft = () => turnTo(TURNS["turn-left"]);
const turnHalf = () => turnTo(TURNS["half-turn"]);
const mirror = () => turnTo(TURNS.mirror);

/** @param {number} dx @param {number} dy */
function nudge(dx, dy) {
  if (!held) return;
  const sign = board.turned ? -1 : 1;
  held.file += sign * dx;
  held.rank += sign * dy;
  clamp();
  showHeld();
}

/** The next legal place of the held piece, in any orientation. */
function nextPlace() {
  const all = [...legalHere().keys()].filter(place => lettersOf(place) === lettersOf(held.name));
  if (!all.length) return;
  const [name, cell] = all[(all.indexOf(heldMove()) + 1) % all.length].split("@");
  const [file, rank] = squareOf(cell);
  held = { name, file, rank };
  repaintHeld();
}

const heldMove = () => `${held.name}@${cellName(held.file, held.rank)}`;

function put() {
  if (!held) return;
  const move = legalHere().get(heldMove());
  if (!move) {
    objection(heldMove());
    return;
  }
  held = null;
  playMove(move);
}

/** Place the held piece with its middle on a square. @param {string} cell */
function putOn(cell) {
  if (!held) return;
  const [file, rank] = squareOf(cell), [width, height] = sizeOf(held.name);
  held.file = file - Math.floor((width - 1) / 2);
  held.rank = rank - Math.floor((height - 1) / 2);
  clamp();
  showHeld();
  put();
}

/** @param {Messages['objection']} message */
function placingObjected(message) {
  if (held && message.move === heldMove()) byId("placing-text").textContent = word(message.text);
  else if (message.text) notice(`${message.move}: ${word(message.text)}`);
}

// ---- how it is drawn ------------------------------------------------------------------------

const FIRE_AND_WATER = ["#cf4a2c", "#2f6db3"];

/** A shape as a path of unit squares, its lower left corner at 0, 0, upward.
 *  @param {Point[]} cells */
function shapePath(cells) {
  return cells.map(([x, y]) => `M${x} ${-y}h1v-1h-1z`).join("");
}

/** A shape for a tray. @param {string} letter @param {number} side */
function shapePicture(letter, side) {
  const name = Object.keys(board.view.shapes).find(one => lettersOf(one) === letter);
  return name ? orientedPicture(name, side) : "";
}
/** @param {string} name @param {number} side */
function orientedPicture(name, side) {
  const [width, height] = sizeOf(name);
  return `<svg class="shape" viewBox="-0.1 ${-height - 0.1} ${width + 0.2} ${height + 0.2}"`
    + ` aria-hidden="true"><path d="${shapePath(shapeOf(name).cells)}" fill="${FIRE_AND_WATER[side]}"`
    + ` stroke="#2b2620" stroke-width=".06"/></svg>`;
}

/** Squares of all legal places of the held orientation, lit. */
function heldMarks() {
  if (!held || !isPlacing()) return "";
  const unit = board.view.unit, lit = new Set();
  for (const place of legalHere().keys()) {
    const [name, cell] = place.split("@");
    if (name !== held.name) continue;
    const [file, rank] = squareOf(cell);
    for (const [x, y] of shapeOf(name).cells) lit.add(cellName(file + x, rank + y));
  }
  let path = "";
  for (const cell of lit) {
    const at = cellsOf.get(cell);
    path += `M${at[0] - unit / 2} ${at[1] - unit / 2}h${unit}v${unit}h${-unit}z`;
  }
  return `<path class="lit" d="${path}"/>`;
}

const DIRECTION_STEPS = [[0.5, 1], [1, 0.5], [0.5, 0], [0, 0.5]];

/** The held piece: drawn when it is taken or turned, after that only moved. */
function drawHeld() {
  if (!held) {
    ghost.replaceChildren();
    ghost.removeAttribute("transform");
    ghost.removeAttribute("class");
    delete byId("placing").dataset.held;
    delete byId("placing").dataset.legal;
    return;
  }
  const shape = shapeOf(held.name), side = here().turn;
  const ends = shape.ends.map(([[x, y], direction]) => {
    const [dx, dy] = DIRECTION_STEPS[direction];
    return `<circle class="end" cx="${x + dx}" cy="${-(y + dy)}" r=".2"/>`;
  });
  ghost.innerHTML = `<path class="held" d="${shapePath(shape.cells)}" fill="${FIRE_AND_WATER[side]}"/>`
    + ends.join("");
}

function showHeld() {
  if (!held) return;
  const unit = board.view.unit, corner = cellsOf.get(cellName(held.file, held.rank));
  const half = board.turned ? 1 : -1;
  const turned = board.turned ? " rotate(180)" : "";
  ghost.setAttribute("transform", `translate(${corner[0] + half * unit / 2}`
    + ` ${corner[1] - half * unit / 2}) scale(${unit})${turned}`);
  const legal = legalHere().has(heldMove());
  ghost.setAttribute("class", legal ? "legal" : "illegal");
  byId("placing").dataset.held = heldMove();
  byId("placing").dataset.legal = `${legal}`;
  byId("placing-text").textContent = legal ? `${heldMove()} \u2713` : heldMove();
}

function repaintHeld() {
  drawHeld();
  showHeld();
  showMarks();
  showHands();
  byId("placing-text").textContent = held ? byId("placing-text").textContent : t("choose-piece");
  for (const id of ["turn-left", "turn-right", "turn-over", "put", "put-back"]) enable(id, held !== null);
}

/** Called when another position is shown. */
function showPlacing() {
  const placing = isPlacing();
  byId("placing").hidden = !placing;
  document.body.classList.toggle("placing", placing);
  held = null;
  drawHeld();
  if (placing) repaintHeld();
}

// ---- pointers and keys ----------------------------------------------------------------------

/** @type {{ x: number, y: number, id: number } | null} */
let pressing = null;

/** The held piece's middle to a point of the window. @param {number} x @param {number} y */
function heldTo(x, y) {
  const matrix = board.picture.getScreenCTM();
  if (!matrix) return;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  const unit = board.view.unit, [width, height] = sizeOf(held.name);
  const origin = cellsOf.get("a1"), sign = board.turned ? -1 : 1;
  held.file = Math.round(sign * (point.x - origin[0]) / unit - (width - 1) / 2);
  held.rank = Math.round(sign * (origin[1] - point.y) / unit - (height - 1) / 2);
  clamp();
  showHeld();
}

/** @param {PointerEvent} event */
function movePiece(event) {
  if (!held || (event.pointerType !== "mouse" && !pressing)) return;
  const box = board.host.getBoundingClientRect();
  if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top
    || event.clientY > box.bottom) return;
  if (pressing && event.pointerType === "mouse" && board.zoom > 1) return;
  heldTo(event.clientX, event.clientY);
}

/** Whether a press is the held piece's business. @param {PointerEvent} event */
function pressWithPiece(event) {
  if (!held) return false;
  pressing = { x: event.clientX, y: event.clientY, id: event.pointerId };
  board.held = event.pointerType !== "mouse";
  if (event.pointerType !== "mouse") heldTo(event.clientX, event.clientY);
  return true;
}
addEventListener("pointerup", event => {
  if (!pressing || event.pointerId !== pressing.id) return;
  const still = Math.hypot(event.clientX - pressing.x, event.clientY - pressing.y) < 7;
  pressing = null;
  board.held = false;
  lastHandled = performance.now();
  if (held && still && event.pointerType === "mouse") {
    heldTo(event.clientX, event.clientY);
    put();
  }
});
addEventListener("pointercancel", () => { pressing = null; });

const placingActs = {
  "turn-left": turnLeft, "turn-right": turnRight, "turn-over": mirror, put, "put-back": putBack,
};
for (const [id, act] of Object.entries(placingActs)) byId(id).addEventListener("click", () => act());

/** @type {Record<string, () => void>} */
const placingKeys = {
  w: () => nudge(0, 1), x: () => nudge(0, -1), a: () => nudge(-1, 0), d: () => nudge(1, 0),
  ArrowUp: () => nudge(0, 1), ArrowDown: () => nudge(0, -1), ArrowLeft: () => nudge(-1, 0),
  ArrowRight: () => nudge(1, 0), q: turnLeft, e: turnRight, z: turnHalf, c: turnHalf, s: mirror,
  n: nextPlace, Enter: put, Escape: putBack,
};
addEventListener("keydown", event => {
  if (!isPlacing() || event.ctrlKey || event.altKey || event.metaKey) return;
  if (targetOf(event).closest("input, select, textarea, dialog")) return;
  if (event.key === "Enter" && targetOf(event).closest("button:not(.piece)")) return;
  let act = held ? placingKeys[event.key] : null;
  if (/^[A-Z]$/.test(event.key)) act = () => holdPiece(event.key);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}, true);

// ---- the menu -------------------------------------------------------------------------------

board.host.addEventListener("contextmenu", event => {
  if (!isPlacing()) return;
  event.preventDefault();
  const menu = byId("menu");
  /** @type {[string, () => void][]} */
  const entries = held ? [["turn-left", turnLeft], ["turn-right", turnRight], ["half-turn", turnHalf],
    ["mirror", mirror], ["place", put], ["put-back", putBack]]
    : Object.entries(here().hands[here().turn]).filter(([, count]) => count > 0)
      .map(([letter]) => [letter, () => void holdPiece(letter)]);
  menu.replaceChildren(...entries.map(([name, act]) => {
    const button = element("button", { role: "menuitem", "data-action": name }, t(name));
    button.addEventListener("click", () => {
      menu.hidden = true;
      act();
    });
    return button;
  }));
  menu.hidden = false;
  const own = menu.getBoundingClientRect();
  menu.style.left = `${Math.min(event.clientX, innerWidth - own.width - 4) + scrollX}px`;
  menu.style.top = `${Math.min(event.clientY, innerHeight - own.height - 4) + scrollY}px`;
  menu.querySelector("button")?.focus({ preventScroll: true });
});
addEventListener("pointerdown", event => {
  if (!targetOf(event).closest("#menu")) byId("menu").hidden = true;
}, true);
byId("menu").addEventListener("keydown", event => {
  if (event.key === "Escape") byId("menu").hidden = true;
});
