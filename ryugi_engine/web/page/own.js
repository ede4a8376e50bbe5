// "Your own games": the dialog in which a game is made, with the faults beside their fields.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { answered, askAnew, beginDraft, draft, change, given, setKey } from "web/own_draft.js";
import { showBoard } from "web/own_board.js";
import { isTyped } from "web/own_fields.js";
import { playable, showText } from "web/own_file.js";
import { showForm } from "web/own_form.js";
import { showPieces } from "web/own_pieces.js";
import { state } from "web/state.js";

const TABS = ["game", "board", "pieces", "rules", "file"];

export function openOwn() {
  byId("own-dialog").showModal();
  listModels();
  beginDraft();
  showTab(draft.shown ? draft.tab : "game");
  showOwn();
}
byId("own").addEventListener("click", openOwn);

/** The games that a new one can be a copy of. */
export function listModels() {
  const models = state.knownGames.filter(game => game.copies), select = byId("own-model");
  const groups = [...new Set(models.map(game => game.group))], before = select.value || "chess";
  select.replaceChildren(...groups.map(group => element("optgroup", { label: word(group) },
    ...models.filter(game => game.group === group).map(game => element("option", { value: game.name }, word(game.title))))));
  select.value = before;
}
byId("own-copy").addEventListener("click", () => askAnew("copy", "model", { game: byId("own-model").value }));

// ---- tabs ----------------------------------------------------------------------------------------

/** @param {string} name */
function showTab(name) {
  draft.tab = name;
  for (const tab of TABS) {
    const button = byId(`own-tab-${tab}`);
    button.setAttribute("aria-selected", tab === name);
    button.setAttribute("tabindex", tab === name ? "0" : "-1");
    byId(`own-${tab}-part`).hidden = tab !== name;
  }
  byId("own-inside").scrollTop = 0;
}
for (const [at, tab] of TABS.entries()) {
  byId(`own-tab-${tab}`).addEventListener("click", () => draft.shown && showTab(tab));
  byId(`own-tab-${tab}`).addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !draft.shown) return;
    event.preventDefault();
    const to = TABS[(at + by + TABS.length) % TABS.length];
    showTab(to);
    byId(`own-tab-${to}`).focus();
  });
}

// ---- what is shown -------------------------------------------------------------------------------

/** @param {Messages["form"]} message */
export function formHasCome(message) {
  draft.form = message;
  showOwn();
}

/** @param {Messages["own"]} message */
export function ownHasCome(message) {
  const before = draft.shown?.name;
  if (!answered(message)) return;
  showOwn();
  // another game was begun: what comes next is its board
  if (draft.shown && before === undefined && !draft.refused && ["model", "open"].includes(draft.field)) showTab("board");
}

export function showOwn() {
  const { shown } = draft, made = Boolean(shown && draft.form);
  byId("own-dialog").classList.toggle("begun", made);
  for (const tab of TABS.slice(1)) byId(`own-tab-${tab}`).setAttribute("aria-disabled", !made);
  if (made) {
    for (const name of /** @type {const} */ (["title", "about"]))
      if (!isTyped(byId(`own-${name}`))) byId(`own-${name}`).value = `${given(name) ?? ""}`;
    if (!isTyped(byId("own-name"))) byId("own-name").value = shown.name;
    showBoard();
    showPieces();
    showForm();
  }
  showText();
  showFaults();
}

/** Put every fault beside its field, the others above the buttons. */
function showFaults() {
  const dialog = byId("own-dialog");
  const faults = [...(draft.refused ? [{ key: draft.refused.field, text: draft.refused.text, warning: false }] : []),
    ...(draft.shown?.faults ?? [])];
  for (const place of dialog.querySelectorAll("[data-field]")) {
    const line = place.matches("p") ? place : place.querySelector(":scope > .fault");
    line.textContent = "";
    line.classList.remove("warning");
    place.classList.remove("wrong");
  }
  /** @type {Record<string, number>} */
  const counts = {};
  const rest = [];
  for (const { key, text, warning } of faults) {
    const place = placeOf(key);
    if (!place) {
      rest.push(`${key}: ${word(text)}`);
      continue;
    }
    const line = place.matches("p") ? place : place.querySelector(":scope > .fault");
    line.textContent += `${line.textContent ? "; " : ""}${word(text)}`;
    line.classList.toggle("warning", warning);
    place.classList.toggle("wrong", !warning);
    const tab = place.closest("[role=tabpanel]")?.id.split("-")[1];
    if (tab && !warning) counts[tab] = (counts[tab] ?? 0) + 1;
    const section = place.closest("details");
    if (section && !warning) section.open = true;
  }
  for (const tab of TABS) byId(`own-tab-${tab}`).dataset.faults = counts[tab] ? `${counts[tab]}` : "";
  byId("own-rest").textContent = rest.join(" ");
  const ready = playable(), wrong = faults.filter(fault => !fault.warning).length;
  byId("own-says").textContent = !draft.shown ? "" : ready ? t("can-be-played") : t("faults-left", Math.max(wrong, 1));
  byId("own-says").classList.toggle("fault", Boolean(draft.shown) && !ready);
  byId("own-save").disabled = byId("own-play").disabled = !ready;
}

/** The field of a key, or of the table that it is in. @param {string} key
 *  @returns {HTMLElement | null} */
function placeOf(key) {
  const dialog = byId("own-dialog");
  for (const one of [key, key.split(".")[0]]) {
    const found = dialog.querySelector(`[data-field="${CSS.escape(one)}"]`);
    if (found) return found;
  }
  return null;
}

// the first fault, where there are some
byId("own-says").addEventListener("click", () => {
  const first = byId("own-dialog").querySelector(".wrong");
  const tab = first?.closest("[role=tabpanel]")?.id.split("-")[1];
  if (tab) showTab(tab);
  first?.scrollIntoView({ block: "center" });
  first?.querySelector("input, select, button, textarea")?.focus({ preventScroll: true });
});

byId("own-title").addEventListener("change", () => setKey("title", byId("own-title").value.trim() || null));
byId("own-about").addEventListener("change", () => setKey("about", byId("own-about").value.trim() || null));
byId("own-name").addEventListener("change", () => change({ do: "name", value: byId("own-name").value.trim() }, "name"));
