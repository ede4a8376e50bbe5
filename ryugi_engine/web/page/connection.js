// The socket: it is opened with the token of the address, and brings what is to be shown.

const later = document.currentScript.dataset.later.split(" ");
const token = decodeURIComponent(location.hash.slice(1).split("&")[0]);
/** @type {WebSocket | null} */
let socket = null;
let begun = false; // whether the scripts that show the board are there
/** @type {any[]} */
let waiting = []; // messages that came before them

language = kept("ryugi-language") || (navigator.language.startsWith("ja") ? "ja" : "en");
if (!(language in MESSAGES)) language = "en";
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

/** The game whose kernels are compiled; "" for none. */
let compiling = "";

/** Show how far a game's kernels are compiled, in the dialog that covers the page too.
 *  @param {Messages["compiling"]} message */
function showCompiling({ game, title, done }) {
  const box = document.getElementById("compiling");
  const above = document.querySelector("dialog[open] .says") ?? document.getElementById("standing");
  compiling = game;
  box.hidden = !game;
  if (box.previousElementSibling !== above) above.after(box);
  box.querySelector("span").textContent = t("compiling", word(title), Math.floor(100 * done));
  box.querySelector("progress").value = done;
}

/** Ask the table for something. @param {string} what @param {object} [given] */
function ask(what, given = {}) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: what, ...given }));
}

/** @param {any} message */
function take(message) {
  if (begun) receive(message);
  else if (message.type === "all") {
    const before = waiting;
    waiting = [...before, message];
    if (before.some(one => one.type === "all")) return;
    message.page.token = token;
    document.getElementById("data").textContent = JSON.stringify(message.page);
    load(0);
  } else {
    waiting.push(message);
    if (message.type === "compiling") showCompiling(message);
    if (message.text) say(message.text);
  }
}

/** The scripts one behind the other: each uses what stands before it. @param {number} number */
function load(number) {
  if (number === later.length) {
    begun = true;
    for (const message of waiting) receive(message);
    waiting = [];
    return;
  }
  const script = document.createElement("script");
  script.src = later[number];
  script.addEventListener("load", () => load(number + 1));
  document.body.append(script);
}
