// The board of one's own game: its size, the start position, castling.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { draft, change, given, setKey } from "web/own_draft.js";
import { isTyped, pictureOf } from "web/own_fields.js";
import { showGrid, squaresOf } from "web/own_grid.js";
import { SIDES } from "web/position.js";
import { state } from "web/state.js";

/** The piece that a press puts; "" erases. */
let brush = "";

/** The side of a piece, by its letter's case. @param {string} sign */
const sideOf = sign => Number(/^\+?[a-z]/.test(sign));

/** The name of a piece: "White Rook". @param {string} sign */
function nameOf(sign) {
  const piece = draft.shown.pieces.find(one => one.letter === sign.replace("+", "").toUpperCase());
  const name = word(piece?.name || sign.toUpperCase()), side = word(draft.shown.board.sides[sideOf(sign)]);
  return t("coloured", side, sign.startsWith("+") ? t("promoted-piece", name) : name);
}

/** @param {string} square */
function press(square) {
  const there = draft.shown?.board?.letters[square];
  const mirror = draft.mirror;
  // the piece that stands there already is taken away
  if (!brush || there === brush) {
    if (there) change({ do: "erase", cell: square, mirror }, "start");
  } else change({ do: "put", piece: brush, cell: square, mirror }, "start");
}

export function showBoard() {
  const { board } = draft.shown ?? {};
  if (!board) return;
  for (const name of /** @type {const} */ (["files", "ranks"]))
    if (!isTyped(byId(`own-${name}`))) byId(`own-${name}`).value = `${given(name) ?? board[name]}`;
  const host = byId("own-squares");
  showGrid(host, board.files, board.ranks, press);
  for (const one of squaresOf(host)) {
    const square = one.dataset.square, sign = board.walls.includes(square) ? "*" : board.letters[square] ?? "";
    if (one.dataset.shows === `${sign} ${board.figures[sign]?.length}`) continue;
    one.dataset.shows = `${sign} ${board.figures[sign]?.length}`;
    one.innerHTML = board.figures[sign] ? pictureOf(board.figures[sign]) : sign;
  }
  for (const one of squaresOf(host)) {
    const sign = board.letters[one.dataset.square];
    one.setAttribute("aria-label", sign ? t("on-cell", one.dataset.square, nameOf(sign)) : t("empty", one.dataset.square));
  }
  byId("own-not-whole").hidden = board.whole;
  showPalette(board);
  showHands(board);
  for (const button of byId("own-side").querySelectorAll("button")) {
    const side = Number(button.dataset.number);
    button.textContent = t("to-move", word(board.sides[side]));
    button.setAttribute("aria-pressed", board.side === side);
  }
  const castling = byId("own-castling"), steps = draft.shown.castling;
  const other = given("castling") && !steps;
  castling.replaceChildren(element("option", { value: 0 }, t("no-castling")),
    ...draft.form.steps.map(number => element("option", { value: number }, t("castling-by", number))),
    ...(other ? [element("option", { value: "other" }, t("castling-own"))] : []));
  castling.value = other ? "other" : `${steps}`;
  if (!isTyped(byId("own-start"))) byId("own-start").value = `${given("start") ?? ""}`;
  byId("own-mirror").checked = draft.mirror;
}

/** @param {OwnBoard} board */
function showPalette(board) {
  const host = byId("own-palette"), signs = Object.keys(board.figures);
  const shows = `${state.language} ${signs.map(sign => sign + board.figures[sign].length)} ${board.sides}`;
  if (host.dataset.shows !== shows) {
    host.dataset.shows = shows;
    if (!signs.includes(brush)) brush = signs.find(sign => sign !== draft.shown.royal) ?? "";
    const made = [...signs, ""].map(sign => {
      const name = sign ? nameOf(sign) : t("erase");
      const button = element("button", { type: "button", class: "piece", title: name, "aria-label": name,
        ...(sign ? { "data-piece": sign.toUpperCase(), "data-side": SIDES[sideOf(sign)] } : { "data-action": "erase" }) });
      button.innerHTML = sign ? pictureOf(board.figures[sign]) : "\u2715";
      button.addEventListener("click", () => {
        brush = sign;
        mark();
      });
      button.dataset.sign = sign;
      return button;
    });
    // a row for each side
    host.replaceChildren(...[0, 1].map(side => element("span", {},
      ...made.filter(one => sideOf(one.dataset.sign) === side && one.dataset.sign))), made.at(-1));
  }
  mark();

  function mark() {
    for (const one of host.querySelectorAll("button")) one.setAttribute("aria-pressed", one.dataset.sign === brush);
  }
}

/** @param {OwnBoard} board */
function showHands(board) {
  const host = byId("own-hands");
  const held = board.hands.flatMap((hand, side) => Object.entries(hand)
    .filter(([letter]) => letter !== draft.shown.royal)
    .map(([letter, count]) => ({ sign: side ? letter.toLowerCase() : letter, count, side })));
  byId("own-in-hand").hidden = !held.length;
  const shows = `${state.language} ${held.map(one => one.sign + board.figures[one.sign].length)}`;
  if (host.dataset.shows !== shows) {
    host.dataset.shows = shows;
    host.replaceChildren(...held.map(({ sign, side }) => {
      const row = element("span", { class: "piece", "data-piece": sign.toUpperCase(), "data-side": SIDES[side] });
      row.innerHTML = pictureOf(board.figures[sign]);
      row.prepend(step(sign, -1));
      row.append(element("output", {}), step(sign, 1));
      return row;
    }));
  }
  for (const [at, { count }] of held.entries())
    host.children[at].querySelector("output").textContent = `${count}`;
}

/** @param {string} sign @param {number} by */
function step(sign, by) {
  const label = t(by > 0 ? "one-more" : "one-less", nameOf(sign));
  const button = element("button", { type: "button", class: "small", "data-action": by > 0 ? "one-more" : "one-less",
    title: label, "aria-label": label }, by > 0 ? "+" : "\u2212");
  button.addEventListener("click", () => change({ do: "hold", piece: sign, by, mirror: draft.mirror }, "start"));
  return button;
}

for (const side of [0, 1]) {
  const button = element("button", { type: "button", "data-number": side, "data-side": SIDES[side] });
  button.addEventListener("click", () => change({ do: "turn", side }, "start"));
  byId("own-side").append(button);
}

/** Ask for the size that the fields say. @param {"files" | "ranks"} name the one that has changed */
const resize = name => change({ do: "size", files: Number(byId("own-files").value), ranks: Number(byId("own-ranks").value) }, name);
for (const name of /** @type {const} */ (["files", "ranks"])) {
  byId(`own-${name}`).addEventListener("change", () => resize(name));
  for (const [action, by] of /** @type {const} */ ([["fewer", -1], ["more", 1]]))
    byId(`own-${name}-${action}`).addEventListener("click", () => {
      byId(`own-${name}`).value = `${Number(byId(`own-${name}`).value) + by}`;
      resize(name);
    });
}
byId("own-mirror").addEventListener("change", () => {
  draft.mirror = byId("own-mirror").checked;
});
byId("own-clear").addEventListener("click", () => change({ do: "clear" }, "start"));
byId("own-castling").addEventListener("change", () => {
  const steps = Number(byId("own-castling").value);
  if (!Number.isNaN(steps)) change({ do: "castle", steps }, "castling");
});
byId("own-start").addEventListener("change", () => setKey("start", byId("own-start").value));
