// The study of a game: begun, stopped, and its page opened.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { state } from "web/state.js";

/** Minutes in all, and seconds that may be missing of them when a study is over. */
const MINUTES = [5, 30, 120], MISSING = 15;

/** What is known of the game's study. @type {Messages["study"] | null} */
let shown = null;
let variant = "", stopping = false;

/** @param {string} name of the game */
export function openStudy(name) {
  variant = name;
  shown = null;
  showStudy();
  if (!byId("study-dialog").open) byId("study-dialog").showModal();
  ask("study", { variant });
}
byId("rules-study").addEventListener("click", () => openStudy(byId("rules-dialog").dataset.variant));

/** Something has changed. */
export function studied() {
  if (byId("study-dialog").open) ask("study", { variant });
}

/** @param {Messages["study"]} message */
export function studyHasCome(message) {
  if (message.game !== variant) return;
  shown = message;
  showStudy();
}

/** Show what there is, in the reader's language. */
export function showStudy() {
  const running = shown?.running ?? null, own = running?.game === shown?.game;
  const spent = shown?.spent ?? 0, fault = shown?.fault ?? "";
  if (!running) stopping = false;
  byId("study-heading").textContent = t("study-of", word(shown?.title ?? ""));
  byId("study-other").hidden = !running || own;
  byId("study-other").textContent = running ? t("study-runs", word(running.title)) : "";
  listTimes(spent);
  byId("study-for").hidden = byId("study-start").hidden = !shown || Boolean(running);
  byId("study-stop").hidden = !running;
  byId("study-stop").disabled = stopping;
  byId("study-start").textContent = t(spent ? "study-resume" : "study-start");
  byId("study-start").disabled = !byId("study-time").value;
  byId("study-page").hidden = !shown?.address;
  if (shown?.address) byId("study-page").setAttribute("href", shown.address);
  byId("study-fault").textContent = running ? "" : word(fault);
  byId("study-line").textContent = running ? stopping ? t("study-stopping") : shown.line ? word(shown.line) : t("study-begins")
    : !shown ? "" : spent ? t("study-so-far", lengthOf(spent)) : "";
}

/** The times that are not over yet. @param {number} spent seconds */
function listTimes(spent) {
  const select = byId("study-time"), before = select.value;
  const left = MINUTES.filter(minutes => 60 * minutes - MISSING > spent);
  const shows = `${state.language} ${left}`;
  if (select.dataset.shows === shows) return;
  select.dataset.shows = shows;
  select.replaceChildren(...left.map(minutes => element("option", { value: minutes }, lengthOf(60 * minutes))));
  if (left.includes(Number(before))) select.value = before;
}

/** @param {number} seconds */
function lengthOf(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return t("study-seconds", Math.round(seconds));
  return minutes < 120 ? t("study-minutes", minutes) : t("study-hours", Math.round(minutes / 6) / 10);
}

byId("study-start").addEventListener("click", () => ask("beginstudy", { variant, minutes: Number(byId("study-time").value) }));
byId("study-stop").addEventListener("click", () => {
  stopping = true;
  ask("stopstudy");
  showStudy();
});
