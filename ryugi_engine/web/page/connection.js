// The socket: it is opened with the token of the address, and brings what is to be shown.

import { MESSAGES, kept, t, translate, word } from "records/texts.js";
import { state } from "web/state.js";
import "web/messages.js";
import "web/japanese_games.js";
import "web/japanese_rules.js";
import "web/own_messages.js";

export const token = decodeURIComponent(location.hash.slice(1).split("&")[0]);
/** @type {WebSocket | null} */
let socket = null;
/** Takes messages, once there are data to be shown. @type {((message: any) => void) | null} */
let receive = null;
/** @type {any[]} */
const waiting = []; // messages that came before

state.language = kept("ryugi-language") || (navigator.language.startsWith("ja") ? "ja" : "en");
if (!(state.language in MESSAGES)) state.language = "en";
translate();
/** @param {string} text */
const say = text => {
  document.getElementById("status").textContent = text;
};
if (/^[\w-]{20,}$/.test(token)) connect();
else say(t("no-token"));

function connect() {
  say(t("loading"));
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => socket.send(token));
  socket.addEventListener("message", event => take(JSON.parse(event.data)));
  socket.addEventListener("close", lost);
}

/** @param {CloseEvent} event */
function lost(event) {
  document.body.classList.add("offline");
  const status = document.getElementById("status");
  status.textContent = event.reason === "token" ? t("no-token") : t("closed");
  const button = document.createElement("button");
  button.id = "again";
  button.textContent = t("again");
  button.addEventListener("click", () => {
    document.body.classList.remove("offline");
    connect();
  });
  status.append(" ", button);
}

/** Show how far a game's kernels are compiled, in the dialog that covers the page too.
 *  @param {Messages["compiling"]} message */
export function showCompiling({ game, title, done }) {
  const box = document.getElementById("compiling");
  const above = document.querySelector("dialog[open] .says") ?? document.getElementById("standing");
  state.compiling = game;
  box.hidden = !game;
  if (box.previousElementSibling !== above) above.after(box);
  box.querySelector("span").textContent = t("compiling", word(title), Math.floor(100 * done));
  box.querySelector("progress").value = done;
}

/** Ask the table for something. @param {string} what @param {object} [given] */
export function ask(what, given = {}) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: what, ...given }));
}

/** @param {any} message */
function take(message) {
  if (receive) receive(message);
  else if (message.type === "all") {
    waiting.push(message);
    if (state.data) return;
    state.data = message.page;
    state.data.token = token;
    // these modules count on the data
    import("web/live.js").then(live => {
      receive = live.receive;
      for (const one of waiting) receive(one);
    });
  } else {
    waiting.push(message);
    if (message.type === "compiling") showCompiling(message);
    if (message.text) say(message.text);
  }
}
