// Pieces as pictures and in words.

import { coloured } from "records/node.js";
import { t, word } from "records/texts.js";
import { SIDES } from "web/position.js";
import { state } from "web/state.js";

const { board } = state;

/** A piece's picture; "" for one without. @param {string} sign */
export function iconPicture(sign) {
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
export function hoverName(letter) {
  const name = plainName(letter);
  return state.table.neutral?.includes(letter) ? name
    : t("piece-of", name, coloured(letter === letter.toUpperCase() ? 0 : 1));
}

/** The name of a piece by its letter: "white pawn".
 *  @param {string} letter @param {TableState} [game] */
export function pieceName(letter, game = state.table) {
  const name = plainName(letter);
  if (game.neutral?.includes(letter)) return name;
  const lower = state.language === "en" && name.length > 1 ? name.toLowerCase() : name;
  const colour = coloured(letter === letter.toUpperCase() ? 0 : 1);
  return t("coloured", state.language === "en" ? colour.toLowerCase() : colour, lower);
}

/** The side that a piece is of, by its letter's case. @param {string} piece */
export const sideOf = piece => Number(/^\+?[a-z]/.test(piece));

/** What names a piece for programs. @param {string} piece */
export function pieceData(piece) {
  const neutral = state.table.neutral?.includes(piece);
  return { "data-piece": piece.toUpperCase(), "data-side": neutral ? undefined : SIDES[sideOf(piece)] };
}
