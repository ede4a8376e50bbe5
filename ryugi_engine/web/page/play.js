// Moves by pressing, dragging and keys. A move is a way: a piece of the hand or a square, the next
// squares, and what is left to choose; whoever goes along it sees where it may lead.

/** @type {Picked} */
let picked = { hand: null, cells: [] };
/** @type {WeakMap<Shown, Way[]>} */
const parsedMoves = new WeakMap();

/** A move as a way. @param {string} text @returns {Way} */
function wayOf(text) {
  const drop = /^(\+?[A-Za-z])(\d?)@(.*)$/.exec(text);
  const rest = drop ? drop[3] : text;
  const cells = rest.match(table.wide ? /[a-z]{1,2}\d{1,2}/g : /[a-z]\d{1,2}/g) ?? [];
  const tail = cells.length ? rest.slice(rest.lastIndexOf(cells.at(-1)) + cells.at(-1).length) : "";
  // what a placed stone removes is chosen, not gone to; "e2e4,e4d4" goes on from where it was
  const way = rest.includes("x") && drop ? cells.slice(0, 1)
    : cells.filter((cell, at) => at !== 2 || cell !== cells[1] || cells.length < 4);
  return { text, hand: drop ? drop[1] : null, shape: drop ? drop[1] + drop[2] : "", cells: way,
    removed: drop ? cells.slice(1) : [], tail };
}

/** A state's moves as ways. @param {Shown} state */
function parsed(state) {
  if (parsedMoves.has(state)) return parsedMoves.get(state);
  const list = state.moves.map(wayOf);
  parsedMoves.set(state, list);
  return list;
}

/** The moves that go on with what is picked. @param {Picked} [way] */
function fitting(way = picked) {
  const state = here();
  if (!state || !mayMove()) return [];
  return parsed(state).filter(move => (move.hand ?? null) === way.hand
    && way.cells.every((cell, at) => move.cells[at] === cell));
}

/** The places that go on with what is picked; where nothing is, all in games of placing. */
function targetCells() {
  if (board.view?.shapes && Object.keys(board.view.shapes).length) return new Set();
  if (table.placed) {
    const all = here() && mayMove() ? parsed(here()) : [];
    return new Set(all.filter(move => (picked.hand ?? move.hand) === move.hand).map(move => move.cells[0]));
  }
  if (picked.hand === null && !picked.cells.length) return new Set();
  const at = picked.cells.length;
  return new Set(fitting().map(move => move.cells[at]).filter(Boolean));
}

function forget() {
  picked = { hand: null, cells: [] };
  pointedCells = [];
  closeChoices();
}

function repaint() {
  showPlaces();
  showHands();
  showStanding();
}

/** @param {string} letter */
function pickHand(letter) {
  if (isPlacing()) return holdPiece(letter);
  const again = picked.hand === letter;
  forget();
  if (!again) picked.hand = letter;
  return repaint();
}

/** The side whose pieces may be picked now. */
const mover = () => mayPremove() ? ownSide() : here().turn;

/** Whether a piece of the side stands there that may be picked. @param {string} cell */
function isOwn(cell) {
  const letter = here()?.letters[cell];
  if (!letter || table.neutral?.includes(letter)) return false;
  return (letter === letter.toLowerCase()) === Boolean(mover());
}

/** A place has been pressed, or a piece dropped on it. @param {string} cell @param {boolean} [dropped] */
function choose(cell, dropped = false) {
  if (!byId("choices").hidden) {
    forget();
    return repaint();
  }
  if (mayPremove()) return choosePremove(cell, dropped);
  if (!mayMove()) return;
  if (isPlacing()) {
    putOn(cell);
    return;
  }
  const state = here();
  // in games of placing the piece may be chosen behind the place
  if (table.placed) {
    const moves = parsed(state).filter(move => move.cells[0] === cell
      && (picked.hand === null || move.hand === picked.hand));
    if (moves.length) finish(moves, cell);
    else objection(`${picked.hand ?? "S"}@${cell}`);
    return;
  }
  if (picked.cells.length === 1 && picked.cells[0] === cell
    && !fitting({ ...picked, cells: [cell, cell] }).length) {
    forget();
    repaint();
    return;
  }
  const next = { hand: picked.hand, cells: [...picked.cells, cell] };
  const moves = fitting(next);
  if (moves.length && (next.hand !== null || next.cells.length > 1)) {
    const done = moves.filter(move => move.cells.length === next.cells.length);
    if (done.length) return finish(moves, cell);
    picked = next;
  } else {
    const begins = !dropped && (isOwn(cell)
      || parsed(state).some(move => move.hand === null && move.cells[0] === cell));
    const tried = begins ? "" : picked.hand !== null ? `${picked.hand}@${cell}`
      : picked.cells.length === 1 ? picked.cells[0] + cell : "";
    picked = { hand: null, cells: begins ? [cell] : [] };
    if (tried) objection(tried);
  }
  repaint();
}

/** Play the move, or let the person choose among several.
 *  @param {Way[]} moves @param {string} cell */
function finish(moves, cell) {
  if (moves.length === 1) playMove(moves[0].text);
  else offerChoices(moves, cell);
}

/** @param {string} text */
function playMove(text) {
  ask("move", { move: text, ...placeOf(current) });
  forget();
  repaint();
}

/** @param {string} move */
function objection(move) {
  ask("objection", { move, ...placeOf(current) });
}

/** @param {Messages['objection']} message */
function objected(message) {
  if (isPlacing()) placingObjected(message);
  else if (message.text) notice(`${message.move}: ${word(message.text)}`);
}

// ---- a premove: one move of the person's, made while the engine thinks ---------------------------

/** @type {Picked | null} */
let premove = null;

/** Whether a person may say now what is played after the engine's move. */
function mayPremove() {
  const own = ownSide();
  return own !== undefined && atEnd() && own !== table.turn && !table.result && !table.placed
    && !board.view.names?.["*"] && !Object.keys(board.view.shapes ?? {}).length;
}

/** @param {string} cell @param {boolean} dropped */
function choosePremove(cell, dropped) {
  const again = picked.cells[0] === cell;
  if ((picked.hand !== null || picked.cells.length) && !again && (dropped || !isOwn(cell))) {
    premove = { hand: picked.hand, cells: [...picked.cells, cell] };
    forget();
  } else {
    forget();
    if (!again && isOwn(cell)) picked.cells = [cell];
  }
  repaint();
}

/** The premove as a move is written, "" for none. */
function premoveText() {
  return premove ? (premove.hand === null ? "" : `${premove.hand}@`) + premove.cells.join("") : "";
}

function dropPremove() {
  if (!premove) return;
  premove = null;
  repaint();
}

/** Play the premove if it is legal now, a promotion to what is offered first. */
function playPremove() {
  if (!premove || mayPremove()) return;
  const { length } = premove.cells, fits = atEnd() ? fitting(premove) : [];
  const move = fits.find(one => one.cells.length === length);
  dropPremove();
  if (move) playMove(move.text);
}
addEventListener("pointerdown", dropPremove, true);
addEventListener("keydown", event => event.key === "Escape" && dropPremove());
board.host.addEventListener("contextmenu", event => mayPremove() && event.preventDefault());

// ---- pointers -------------------------------------------------------------------------------

/** @type {Drag | null} */
let drag = null; // what the pointer has pressed
let lastHandled = 0;

/** Whether a click only repeats what a pointer has just done. @param {MouseEvent} event */
function handled(event) {
  return event.detail > 0 && performance.now() - lastHandled < 400;
}

/** The letter of a piece that a person may take from a place. @param {string} cell */
function movable(cell) {
  const state = here();
  if (!(mayMove() || mayPremove()) || !state.letters[cell]) return null;
  return isOwn(cell) || parsed(state).some(move => move.hand === null && move.cells[0] === cell)
    ? state.letters[cell] : null;
}

/** @param {PointerEvent} event @param {Partial<Drag>} from */
function beginDrag(event, from) {
  drag = { ...from, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  const letter = from.hand ? (mover() ? from.hand.toLowerCase() : from.hand)
    : from.cell && movable(from.cell);
  drag.icon = letter ? board.view.icons?.[letter] : null;
  drag.able = Boolean(letter);
  board.held = drag.able;
}

board.host.addEventListener("pointerdown", event => {
  if (event.button || targetOf(event).closest("#choices")) return;
  if (drag) {
    // a second finger enlarges or moves the board
    endDrag();
    return;
  }
  if (isPlacing() && pressWithPiece(event)) return;
  const cell = cellAt(event.clientX, event.clientY);
  if (cell) beginDrag(event, { cell });
}, true);

addEventListener("pointermove", event => {
  if (isPlacing()) movePiece(event);
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 7) {
    drag.moved = true;
    if (drag.able) {
      if (drag.hand) {
        if (isPlacing()) {
          holdPiece(drag.hand);
          drag.able = false;
          movePiece(event);
          return;
        }
        picked = { hand: drag.hand, cells: [] };
      } else if (picked.cells.at(-1) !== drag.cell) picked = { hand: null, cells: [drag.cell] };
      repaint();
    }
  }
  if (drag.moved && drag.able) moveGhost(event);
});

/** The dragged piece under the pointer. @param {PointerEvent} event */
function moveGhost(event) {
  if (!drag.icon) return;
  const matrix = board.picture.getScreenCTM().inverse();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  const size = board.view.unit * 1.1;
  if (!ghost.firstChild) {
    ghost.innerHTML = `<g font-family="sans-serif" stroke="none">${drag.icon}</g>`;
  }
  ghost.setAttribute("transform",
    `translate(${point.x - size / 2} ${point.y - size / 2}) scale(${size / 48})`);
  pointedCells = [cellAt(event.clientX, event.clientY)].filter(cell => targetCells().has(cell));
  showMarks();
}

function endDrag() {
  drag = null;
  board.held = false;
  ghost.replaceChildren();
  ghost.removeAttribute("transform");
  pointedCells = [];
  lift();
}

addEventListener("pointerup", event => {
  if (!drag || event.pointerId !== drag.id) return;
  const { cell, hand, moved, able } = drag;
  endDrag();
  lastHandled = performance.now();
  const over = board.host.getBoundingClientRect();
  const inside = event.clientX >= over.left && event.clientX <= over.right
    && event.clientY >= over.top && event.clientY <= over.bottom;
  const target = inside ? cellAt(event.clientX, event.clientY) : null;
  if (!moved) {
    if (hand) pickHand(hand);
    else choose(cell);
  } else if (!able) {
    // a press on an empty place, or on an enlarged board, may be meant for the page or the view
    const piece = board.zoom === 1 && !table.placed && mayMove() && here().letters[cell];
    if (piece && target && target !== cell) objection(cell + target);
  } else if (target && target !== cell) choose(target, true);
  else {
    forget();
    repaint();
  }
});
addEventListener("pointercancel", () => {
  if (drag) endDrag();
});

// what no pointer has pressed: a screen reader, or a program
places.addEventListener("click", event => {
  const { cell } = targetOf(event).dataset;
  if (!handled(event) && cell) choose(cell);
});

// ---- keys -----------------------------------------------------------------------------------

/** @type {Record<string, number[]>} */
const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
places.addEventListener("keydown", event => {
  const { cell } = targetOf(event).dataset;
  if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
  if (DIRECTIONS[event.key] && !holding()) {
    event.preventDefault();
    const [dx, dy] = DIRECTIONS[event.key], next = neighbourOf(cell, dx, dy);
    if (next) focusCell(next);
  } else if ((event.key === "Enter" || event.key === " ") && !isPlacing()) {
    event.preventDefault();
    choose(cell);
  } else if (event.key === "Escape") {
    event.preventDefault();
    forget();
    repaint();
  }
});

// ---- typed moves ----------------------------------------------------------------------------

byId("say").addEventListener("submit", event => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (!text) return;
  byId("typed").value = "";
  ask("move", { move: text, ...placeOf(current) });
});
byId("typed").addEventListener("input", event => {
  // a move chosen from the list is played at once
  const text = byId("typed").value, moves = here()?.moves ?? [];
  if (text.length > 3 && moves.includes(text) && !moves.some(move => move !== text
    && move.startsWith(text)) && /** @type {InputEvent} */ (event).inputType === "insertReplacementText") {
    byId("typed").value = "";
    playMove(text);
  }
});
