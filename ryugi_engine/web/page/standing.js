// Whose turn it is, how the game has ended, and what can be done now.

import { byId, element, enable } from "records/dom.js";
import { captionsOf, coloured } from "records/node.js";
import { t, word } from "records/texts.js";
import { notice } from "web/notice.js";
import { SIDES, atEnd, here, keyOf, mayMove, ownSide, watching } from "web/position.js";
import { state } from "web/state.js";
import { premoveText } from "web/ways.js";

const { board } = state;

/** How the game has ended, for its only person or for everybody. */
function resultText() {
  const { table } = state;
  const winner = { "1-0": 0, "0-1": 1 }[table.result], own = table.study ? undefined : ownSide();
  const text = winner === undefined ? t("drawn") : own === undefined
    ? t("wins", coloured(winner)) : t(winner === own ? "you-win" : "you-lose");
  return table.reason && table.reason !== "normal" ? `${text} \u00b7 ${word(table.reason)}` : text;
}

/** Whose turn it is, or how the game has ended; where tests and screen readers find it. */
export function showStanding() {
  const { table } = state;
  const place = byId("standing"), wall = board.view.names?.["*"];
  let text = table.result ? resultText() : table.paused ? t("paused")
    : table.thinking ? t("thinking", coloured(table.turn))
      : wall && state.picked.cells.length > 1 ? t("now-put", word(wall).toLowerCase()) : captionsOf(state.current).at(-1);
  if (!atEnd()) text += ` \u00b7 ${t("as-variation")}`;
  if (state.premove) text += ` \u00b7 ${t("premove", premoveText())}`;
  if (byId("standing-text").textContent !== text) byId("standing-text").textContent = text;
  if (table.unkept) {
    notice(`${word(table.unkept)} \u00b7 ${t("tried-again")}`, true);
    clearTimeout(state.noticed); // as long as it cannot be written
  }
  place.classList.toggle("over", Boolean(table.result) && atEnd());
  place.dataset.last = table.last;
  place.dataset.turn = SIDES[table.turn];
  place.dataset.result = table.result;
  place.dataset.ply = `${table.ply}`;
  place.dataset.premove = premoveText();
  if (table.study) return;
  byId("title").textContent = word(table.title);
  byId("about").textContent = controlText(table.control);
}

/** What can be done now. */
export function showActs() {
  const { table } = state;
  const position = here(), going = !table.result, alone = watching() && going;
  /** @param {string} name @param {boolean} shown */
  const show = (name, shown) => {
    byId(name).hidden = !shown;
  };
  show("act-pass", mayMove() && position.moves.includes("pass"));
  show("act-draw", table.draws && going && !alone);
  show("act-resign", going && !alone);
  show("act-undo", !alone);
  show("say", !alone);
  show("act-pause", alone);
  for (const name of ["act-rematch", "act-new"]) show(name, !going && !table.study);
  for (const name of ["act-hint", "act-threats"]) {
    show(name, !alone);
    enable(name, Boolean(position?.moves.length) && !table.thinking);
  }
  show("act-annotate", !going);
  enable("act-annotate", Boolean(table.file) && !state.annotating);
  enable("act-undo", table.ply > 0 || table.ended_by_player);
  byId("act-pause").setAttribute("aria-pressed", table.paused);
  byId("act-analyse").setAttribute("aria-pressed", Boolean(table.analysis));
  byId("typed").disabled = !mayMove();
  const list = byId("legal-moves");
  const moves = mayMove() && position.moves.length <= 1500 ? position.moves : [];
  const shows = `${keyOf(state.current)}/${moves.length}/${table.ply}`;
  if (list.dataset.shows !== shows) {
    list.dataset.shows = shows;
    list.replaceChildren(...moves.map(move => element("option", { value: move })));
  }
}

/** @param {string} control */
export function controlText(control) {
  if (control === "inf") return t("no-clock");
  if (control.startsWith("st=")) return t("a-move", control.slice(3));
  return control;
}
