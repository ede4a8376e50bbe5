// The fields of a form of rules: each shows what holds, and asks for a change.

import { element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { draft, change, given, holds, setKey } from "web/own_draft.js";
import { regionOf, showGrid, squaresOf } from "web/own_grid.js";

/** A field: what to show, and what shows again after a change.
 *  @typedef {{ node: HTMLElement, show: () => void }} Field */

/** Whether a person is typing there. @param {Element} node */
export const isTyped = node => document.activeElement === node;

/** Name the side of a value. @param {number} side */
const sideName = side => word(draft.shown?.board?.sides[side] ?? ["White", "Black"][side]);

/** A value without what is the default: that needs no key. @param {OwnKey} key @param {unknown} value */
const unlessUsual = (key, value) => `${value}` === (key.default || (key.kind === "flag" ? "false" : "")) ? null : value;

/** @param {OwnKey} key @returns {Field} */
function flag(key) {
  const box = element("input", { type: "checkbox", id: `own-${key.key}` });
  box.addEventListener("change", () => setKey(key.key, unlessUsual(key, box.checked)));
  return { node: box, show: () => {
    box.checked = given(key.key) ?? holds(key.key) ?? key.default === "true";
  } };
}

/** @param {OwnKey} key @returns {Field} */
function flags(key) {
  const select = element("select", { id: `own-${key.key}` });
  const values = [false, true, [true, false], [false, true]];
  select.addEventListener("change", () => setKey(key.key, select.value === "0" ? null : values[Number(select.value)]));
  return { node: select, show: () => {
    const names = [t("nobody"), t("both-sides"), sideName(0), sideName(1)];
    select.replaceChildren(...names.map((name, at) => element("option", { value: at }, name)));
    const both = [given(key.key) ?? holds(key.key) ?? false].flat();
    select.value = `${values.findIndex(value => `${[value, value].flat().slice(0, 2)}` === `${[...both, ...both].slice(0, 2)}`)}`;
  } };
}

/** @param {OwnKey} key @returns {Field} */
function choice(key) {
  const names = key.names.map(name => element("option", { value: name }, word(name)));
  const select = element("select", { id: `own-${key.key}` }, ...names);
  select.addEventListener("change", () => setKey(key.key, unlessUsual(key, select.value)));
  return { node: select, show: () => {
    for (const [at, option] of names.entries()) option.textContent = word(key.names[at]);
    select.value = given(key.key) ?? holds(key.key) ?? key.names[0];
  } };
}

/** @param {OwnKey} key @returns {Field} */
function number(key) {
  const box = element("input", { type: "number", inputmode: "numeric", min: key.low, max: key.high, id: `own-${key.key}` });
  box.addEventListener("change", () => {
    // what is no number is for the server to refuse
    const value = box.value === "" ? (box.validity.badInput ? "?" : null) : Number(box.value);
    setKey(key.key, unlessUsual(key, value));
  });
  return { node: box, show: () => {
    if (!isTyped(box)) box.value = given(key.key) ?? holds(key.key) ?? key.default;
  } };
}

/** Texts, and lists of texts. @param {OwnKey} key @returns {Field} */
function text(key) {
  const list = key.kind === "list";
  const box = element("input", { autocomplete: "off", spellcheck: "false", id: `own-${key.key}`,
    placeholder: list || !key.default ? "" : word(key.default) });
  box.addEventListener("change", () => {
    const words = box.value.split(/[,\s]+/).filter(Boolean);
    setKey(key.key, !box.value.trim() ? null : list ? words : box.value.trim());
  });
  return { node: box, show: () => {
    if (!isTyped(box)) box.value = [given(key.key) ?? ""].flat().join(", ");
  } };
}

/** The pieces of the game as options. @param {string[]} [without] */
const pieceOptions = (without = []) => (draft.shown?.pieces ?? []).filter(piece => !without.includes(piece.letter))
  .map(piece => element("option", { value: piece.letter }, piece.name ? `${piece.letter} \u00b7 ${word(piece.name)}` : piece.letter));

/** One piece, or none. @param {OwnKey} key @returns {Field} */
function letter(key) {
  const select = element("select", { id: `own-${key.key}` });
  select.addEventListener("change", () => setKey(key.key, select.value));
  return { node: select, show: () => {
    select.replaceChildren(element("option", { value: "-" }, "\u2013"), ...pieceOptions());
    const shown = { royal: draft.shown?.royal, pawn: draft.shown?.pawn };
    select.value = /** @type {Record<string, any>} */ (shown)[key.key] || given(key.key) || "-";
  } };
}

/** The value of a side: what the table says, or else what holds. @param {string} key @param {number} side */
function ofSide(key, side) {
  const own = given(key);
  if (own !== undefined) return Array.isArray(own) ? own[side] : own;
  return (holds(key) ?? [])[side];
}

/** White's and Black's values, one for both unless the table has two. `make` makes a side's field.
 *  @param {string} key @param {(side: number) => Field} make @returns {Field} */
function bySide(key, make) {
  const both = [make(0), make(1)], labels = both.map(() => element("small", {}));
  const split = element("button", { type: "button", class: "small", "data-action": "split" });
  split.addEventListener("click", () => change({ do: "split", key, value: (holds(key) ?? [""])[0] }, key));
  const node = element("div", { class: "sides" },
    ...both.flatMap((field, side) => [labels[side], field.node]), split);
  return { node, show: () => {
    const two = Array.isArray(given(key));
    both[1].node.hidden = labels[0].hidden = labels[1].hidden = !two;
    for (const side of [0, 1]) labels[side].textContent = sideName(side);
    split.textContent = t(two ? "one-for-both" : "each-its-own");
    for (const field of two ? both : [both[0]]) field.show();
  } };
}

/** @param {string} key @param {number} side @param {unknown} value */
function setSide(key, side, value) {
  const own = given(key);
  setKey(key, Array.isArray(own) ? own.map((one, at) => at === side ? value : one) : value);
}

/** Pieces to choose from. @param {OwnKey} key @returns {Field} */
function letters(key) {
  return bySide(key.key, side => {
    const node = element("span", { class: "chips" });
    const all = key.example === '"*"'; // all pieces together are something else than each of them
    return { node, show: () => {
      const pieces = draft.shown?.pieces ?? [], value = `${ofSide(key.key, side) ?? ""}`;
      const chosen = new Set(value === "*" && !all ? pieces.map(piece => piece.letter) : [...value]);
      const shows = `${state()} ${pieces.map(piece => piece.letter + piece.figure.length)}`;
      if (node.dataset.shows !== shows) {
        node.dataset.shows = shows;
        node.replaceChildren(...pieces.map(piece => chip(piece.letter, piece.name, piece.figure)),
          ...(all ? [chip("*", t("all-together"), "")] : []));
      }
      for (const one of node.querySelectorAll("button"))
        one.setAttribute("aria-pressed", chosen.has(one.dataset.letter));
    } };

    /** @param {string} sign @param {string} name @param {string} figure */
    function chip(sign, name, figure) {
      const label = name ? `${sign} \u00b7 ${word(name)}` : sign;
      const made = element("button", { type: "button", class: "piece", "data-letter": sign, title: label, "aria-label": label });
      if (figure) made.innerHTML = pictureOf(figure);
      made.append(element("small", {}, figure ? sign : `${sign} ${name}`));
      made.addEventListener("click", () => {
        const pressed = made.getAttribute("aria-pressed") === "true";
        const old = [...node.querySelectorAll("[aria-pressed=true]")].map(one => one.dataset.letter);
        const now = pressed ? old.filter(one => one !== sign) : sign === "*" ? ["*"] : [...old.filter(one => one !== "*"), sign];
        const order = (draft.shown?.pieces ?? []).map(piece => piece.letter);
        now.sort((one, other) => order.indexOf(one) - order.indexOf(other));
        setSide(key.key, side, now.join("") || "-");
      });
      return made;
    }
  });
}
const state = () => document.documentElement.lang;

/** A piece's picture. @param {string} figure */
export const pictureOf = figure => `<svg viewBox="2 2 44 44" font-family="sans-serif" stroke="none" aria-hidden="true">${figure}</svg>`;

/** Squares, as text and on a board. @param {string} key @param {string} [id] @returns {Field} */
function squares(key, id = "") {
  return bySide(key, side => {
    const box = element("input", { autocomplete: "off", spellcheck: "false", autocapitalize: "off",
      "aria-label": t("squares"), ...(id && !side ? { id } : {}) });
    const open = element("button", { type: "button", class: "small", "aria-expanded": "false", "data-action": "squares" });
    const grid = element("div", { class: "squares" });
    grid.hidden = true;
    box.addEventListener("change", () => setSide(key, side, box.value.trim() || null));
    open.addEventListener("click", () => {
      grid.hidden = !grid.hidden;
      open.setAttribute("aria-expanded", !grid.hidden);
      show();
    });
    const node = element("div", { class: "region" }, box, open, grid);
    return { node, show };

    function show() {
      const { board } = draft.shown ?? {};
      open.textContent = t("squares");
      const value = `${ofSide(key, side) ?? ""}`;
      if (!isTyped(box)) box.value = value === "-" ? "" : value;
      if (grid.hidden || !board) return;
      showGrid(grid, board.files, board.ranks, at =>
        change({ do: "region", key, side, word: at, value: (holds(key) ?? [""])[0] }, key), true);
      const chosen = regionOf(value, board.files, board.ranks);
      for (const one of squaresOf(grid)) one.setAttribute("aria-pressed", chosen.has(one.dataset.square));
    }
  });
}

/** A value for each piece that has one. @param {OwnKey} key @returns {Field} */
function byPiece(key) {
  const rows = element("div", { class: "by-piece" }), add = element("select", { id: `own-${key.key}` });
  /** @type {Field[]} */
  let fields = [];
  add.addEventListener("change", () => {
    const first = draft.shown?.pieces.find(piece => piece.letter !== add.value)?.letter ?? add.value;
    setKey(`${key.key}.${add.value}`, { limits: 1, regions: "**", pieces: first }[key.kind] ?? add.value);
  });
  return { node: element("div", {}, rows, add), show: () => {
    const table = { ...(given(key.key) ?? {}) }, has = Object.keys(table);
    const shows = `${state()} ${has} ${draft.shown?.pieces.map(piece => piece.letter)}`;
    if (rows.dataset.shows !== shows) {
      rows.dataset.shows = shows;
      const made = has.map(one => rowOf(one));
      fields = made.map(row => row.field);
      rows.replaceChildren(...made.map(row => row.node));
      add.replaceChildren(element("option", { value: "" }, t("add-piece")), ...pieceOptions(has));
    }
    add.value = "";
    for (const field of fields) field.show();
  } };

  /** @param {string} sign */
  function rowOf(sign) {
    const own = `${key.key}.${sign}`;
    const remove = element("button", { type: "button", class: "small", title: t("remove"), "aria-label": `${t("remove")} ${sign}` }, "\u2715");
    remove.addEventListener("click", () => setKey(own, null));
    const field = key.kind === "regions" ? squares(own) : one(own);
    return { field, node: element("div", { class: "row", "data-field": own }, element("b", {}, sign), field.node, remove,
      element("p", { class: "fault", role: "status" })) };
  }

  /** A number, a text or a piece. @param {string} own @returns {Field} */
  function one(own) {
    if (key.kind === "pieces") {
      const select = element("select", { "aria-label": own });
      select.addEventListener("change", () => setKey(own, select.value));
      return { node: select, show: () => {
        select.replaceChildren(...pieceOptions());
        select.value = given(own) ?? "";
      } };
    }
    const limits = key.kind === "limits";
    const box = element("input", { "aria-label": own, ...(limits ? { type: "number", min: 0, max: 255 } : {}) });
    box.addEventListener("change", () => setKey(own, limits && box.value !== "" ? Number(box.value) : box.value || null));
    return { node: box, show: () => {
      if (!isTyped(box)) box.value = given(own) ?? "";
    } };
  }
}

/** @type {Record<string, (key: OwnKey) => Field>} */
export const FIELDS = {
  flag, flags, choice, number, text, list: text, rights: text, letter, set: letters, letters: text,
  region: key => squares(key.key, `own-${key.key}`), regions: byPiece, limits: byPiece, pieces: byPiece, table: byPiece,
};
