// One's own game as a text: kept, opened, sent to others, in other formats.

import { byId, download } from "records/dom.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { openNew } from "web/newgame.js";
import { draft, takeText } from "web/own_draft.js";
import { isTyped } from "web/own_fields.js";
import { listOwned } from "web/own_list.js";

/** Whether the game is to be played as soon as it is kept. */
let playing = false;

export function showText() {
  if (!draft.shown) return;
  if (!isTyped(byId("own-text"))) byId("own-text").value = draft.text;
  byId("own-ini").disabled = !draft.shown.ini || !playable();
  byId("own-diagram").disabled = !draft.shown.diagram || !playable();
  byId("own-family").textContent = word(draft.shown.family ?? "");
}

/** Whether the definition has no fault. */
export const playable = () => Boolean(draft.shown?.board) && !draft.refused
  && draft.shown.faults.every(fault => fault.warning);

byId("own-text").addEventListener("change", () => takeText(byId("own-text").value));

// ---- the own file ------------------------------------------------------------------------------

/** The games of the own file have come, perhaps after one was kept.
 *  @param {Messages["owned"]} message */
export function ownedHaveCome(message) {
  byId("own-path").textContent = t("own-path", message.path);
  listOwned(message);
  byId("own-kept").textContent = message.fault ? word(message.fault) : message.name ? t("is-kept") : "";
  byId("own-kept").classList.toggle("fault", Boolean(message.fault));
  if (message.name && playing) {
    byId("own-dialog").close();
    openNew(message.name);
  }
  playing = false;
}

/** @param {boolean} play */
function keepGame(play) {
  playing = play;
  byId("own-kept").textContent = "";
  ask("keep", { text: draft.text });
}
byId("own-save").addEventListener("click", () => keepGame(false));
byId("own-play").addEventListener("click", () => keepGame(true));

// ---- files -------------------------------------------------------------------------------------

byId("own-download").addEventListener("click", () => download(`${draft.shown.name}.toml`, draft.text));
byId("own-open").addEventListener("change", async () => {
  const [file] = byId("own-open").files;
  byId("own-open").value = "";
  if (file) takeText((await file.text()).slice(0, 60000), "open");
});
for (const [id, format] of /** @type {const} */ ([["own-ini", "ini"], ["own-diagram", "diagram"]]))
  byId(id).addEventListener("click", () => ask("export", { text: draft.text, format }));

/** @param {Messages["exported"]} message */
export function exported(message) {
  byId("own-export-fault").textContent = word(message.fault);
  if (!message.fault) download(message.name + { ini: ".ini", diagram: "-diagram.txt" }[message.format], message.text);
}
