// The record: comments and marks, files of the folder, loading and saving.

import { byId, download, element } from "records/dom.js";
import { actions } from "records/keys.js";
import { fileName } from "records/list.js";
import { nagText, nags } from "records/node.js";
import { calledBy } from "records/players.js";
import { t, word } from "records/texts.js";
import { trunk } from "records/tree.js";
import { go } from "records/viewer.js";
import { ask } from "web/connection.js";
import { notice } from "web/notice.js";
import { keyOf, placeOf } from "web/position.js";
import { askFrom } from "web/request.js";
import { showActs } from "web/standing.js";
import { state } from "web/state.js";

const GLYPHS = [0, 1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19];

/** The marks of moves, in the reader's language. */
function listGlyphs() {
  if (byId("glyph").dataset.language === state.language) return;
  byId("glyph").dataset.language = state.language;
  byId("glyph").replaceChildren(...GLYPHS.map(number => element("option", { value: number },
    number ? `${nags[number]} ${nagText(number)}` : "\u2013")));
  delete byId("note").dataset.shows;
}

/** The comment and the mark of the position that is shown. */
export function showNote() {
  const { table, current } = state;
  byId("note").hidden = false;
  listGlyphs();
  const key = `${keyOf(current)}/${current.c ?? ""}/${(current.g ?? [])[0] ?? 0}`;
  if (byId("note").dataset.shows !== key) {
    byId("note").dataset.shows = key;
    byId("note-text").value = current.c ?? "";
    byId("glyph").value = `${(current.g ?? [])[0] ?? 0}`;
  }
  byId("glyph").disabled = !current.parent;
  byId("remove-line").hidden = !current.line;
  byId("file-now").textContent = table.file ? t("file-now", `${table.folder}/${table.file}`)
    : t("file-none", table.folder);
}

byId("note-save").addEventListener("click", () => ask("comment", {
  text: byId("note-text").value, glyph: Number(byId("glyph").value), ...placeOf(state.current),
}));
byId("note-text").addEventListener("keydown", event => {
  if (event.key === "Enter") byId("note-save").click();
});
byId("remove-line").addEventListener("click", () => {
  const { line } = state.current;
  go(trunk(state.current));
  ask("remove", { line });
});

byId("files").addEventListener("click", () => {
  ask("files");
  byId("file-progress").textContent = "";
  byId("files-dialog").showModal();
});

/** @param {Messages["files"]["files"]} files */
export function listFiles(files) {
  byId("file-names").replaceChildren(...files.map(({ name, White, Black, Variant, Result, Date }) => {
    const button = element("button", { "data-name": name, title: name,
      "aria-current": name === state.table.file ? "true" : null });
    if (Variant) {
      const title = state.knownGames.find(game => game.name === Variant)?.title ?? Variant;
      button.append(
        element("span", { class: "who" }, [White, Black].map((who, side) => calledBy(who, side)).join(" \u2013 ")),
        element("span", { class: "score" }, Result === "*" ? t("unfinished") : Result.replace("1/2-1/2", "\u00bd-\u00bd")),
        element("span", { class: "what" }, [word(title), Date].filter(text => text !== "?").join(" \u00b7 ")));
    } else button.append(name);
    button.addEventListener("click", () => askFrom("files-dialog", "open", { name }));
    return element("li", {}, button);
  }));
}

/** Return a file's text: UTF-16 by its mark, else UTF-8, else Windows-1252. @param {File} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  const mark = first << 8 | second;
  if (mark === 0xfffe || mark === 0xfeff)
    return new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Send a record's text to the table. @param {File} file */
async function loadFile(file) {
  if (!file) return;
  askFrom("files-dialog", "load", { text: await textOf(file) });
}
byId("file-chosen").addEventListener("change", () => {
  loadFile(byId("file-chosen").files[0]);
  byId("file-chosen").value = "";
});
for (const type of /** @type {const} */ (["dragover", "drop"]))
  addEventListener(type, event => {
    if (![...event.dataTransfer?.types ?? []].includes("Files")) return;
    event.preventDefault();
    if (type === "drop") loadFile(event.dataTransfer.files[0]);
  });

byId("file-download").addEventListener("click", () => actions.save());
byId("file-reload").addEventListener("click", () => askFrom("files-dialog", "reload"));
byId("file-send").addEventListener("click", async () => {
  const name = fileName(document.title), text = state.current.game.pgn;
  const file = new File([text], name, { type: "text/plain" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: document.title });
    } catch {
      // the person has thought better of it
    }
  } else download(name, text);
});
export function annotate() {
  ask("annotate", { tenths: 3 });
}
byId("file-analyse").addEventListener("click", annotate);

/** @param {Messages['progress']} message */
export function progressed(message) {
  state.annotating = message.text !== "100 %";
  notice(message.all ? t("analysed", message.done, message.all) : message.text);
  if (state.annotating) clearTimeout(state.noticed); // until the next one comes
  showActs();
}
