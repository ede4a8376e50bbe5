// Choosing a game: groups of cards with a picture of the start, and a search.

import { byId, element } from "records/dom.js";
import { t, word } from "records/texts.js";
import { ask } from "web/connection.js";
import { notice } from "web/notice.js";
import { allowStart } from "web/request.js";
import { state } from "web/state.js";

/** What the field named that is not listed; "" once it has changed. */
let unlisted = "";
/** Pictures of starts by game, once they have come. @type {Map<string, string>} */
const starts = new Map();

/** All cards, in the order of their groups. @type {HTMLElement[]} */
let cards = [];

/** @param {GameTitle[]} games */
export function listGames(games) {
  state.knownGames = games;
  const groups = [...new Set(games.map(game => game.group))];
  cards = groups.flatMap(group => games.filter(game => game.group === group).map(cardOf));
  byId("group-names").replaceChildren(...groups.map((group, at) => {
    const button = element("button", { type: "button" }, word(group));
    button.addEventListener("click", () =>
      byId("game-groups").children[at].scrollIntoView({ block: "start" }));
    return button;
  }));
  filterGames();
}

/** @param {GameTitle} game */
function cardOf(game) {
  const card = element("button", { type: "button", class: "card", "data-variant": game.name },
    element("img", { alt: "" }), ...textsOf(game));
  /** @param {string[]} texts */
  const words = texts => texts.flatMap(text => [text, word(text)]).join(" ").toLowerCase();
  card.dataset.group = game.group;
  card.dataset.title = [game.title, word(game.title)].join("\n").toLowerCase();
  card.dataset.names = words([game.name, ...game.aliases, game.title]);
  card.dataset.words = words([game.about, game.group]);
  card.addEventListener("click", () => chooseGame(game.name));
  if (starts.has(game.name)) showStart(game.name, card);
  else inSight.observe(card);
  return card;
}

/** What a card says of a game. @param {GameTitle} game */
function textsOf(game) {
  const own = game.about && word(game.about);
  return [element("b", {}, word(game.title)), element("small", {}, own || game.size),
    ...(game.well ? [element("em", {}, t("played-well"))] : [])];
}

/** Starts are drawn by the server, and only those that are seen. */
const inSight = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries)
    if (isIntersecting) {
      inSight.unobserve(target);
      ask("start", { variant: /** @type {HTMLElement} */ (target).dataset.variant });
    }
}, { root: byId("game-groups"), rootMargin: "300px" });

/** @param {string} name @param {ParentNode} place */
function showStart(name, place) {
  place.querySelector("img").src = starts.get(name);
}

/** A game's start, and what is known of one that is not listed. @param {Messages["start"]} message */
export function startHasCome(message) {
  const { game, fault } = message;
  if (fault) {
    if (message.variant === unlisted) notice(fault, true);
    return;
  }
  starts.set(game.name, `data:image/svg+xml,${encodeURIComponent(message.svg)}`);
  const card = byId("game-groups").querySelector(`[data-variant="${game.name}"]`);
  if (card) showStart(game.name, card);
  if (state.chosenGame === game.name) showStart(game.name, byId("chosen-game"));
  else if (message.variant === unlisted) {
    if (!state.knownGames.some(one => one.name === game.name)) state.knownGames.push(game);
    chooseGame(game.name);
  }
}

/** What is in the field, as names are written. */
function searched() {
  return byId("new-variant").value.trim().toLowerCase();
}

/** How well a card's names fit what is searched: a title, one's beginning, a word's, or less.
 *  @param {HTMLElement} card @param {string} text */
function rankOf(card, text) {
  const titles = card.dataset.title.split("\n");
  if (titles.includes(text)) return 0;
  if (titles.some(title => title.startsWith(text))) return 1;
  return ` ${card.dataset.names}`.includes(` ${text}`) ? 2 : 3;
}

/** Show the games with all words of the field in their names, or else in what is said of them. */
function filterGames() {
  const text = searched(), words = text.split(/\s+/);
  /** @param {string} names */
  const fits = names => words.every(one => names.includes(one));
  const named = cards.some(card => fits(card.dataset.names));
  const found = cards.filter(card => fits(named ? card.dataset.names : card.dataset.names + card.dataset.words));
  if (text) found.sort((one, other) => rankOf(one, text) - rankOf(other, text));
  /** @param {string} label @param {HTMLElement[]} members */
  const section = (label, members) => element("section", { "aria-label": label },
    ...(text ? [] : [element("h3", {}, label)]), element("div", { class: "cards" }, ...members));
  const groups = [...new Set(cards.map(card => card.dataset.group))];
  byId("game-groups").replaceChildren(...(text ? [section(t("found-games"), found)] : groups.map(group =>
    section(word(group), cards.filter(card => card.dataset.group === group)))));
  byId("group-names").hidden = Boolean(text);
  byId("none-found").hidden = found.length > 0 || !cards.length;
  byId("game-groups").hidden = !found.length;
}
byId("new-variant").addEventListener("input", () => {
  byId("new-fault").textContent = unlisted = "";
  filterGames();
});

/** Choose what the field names, or else the first game that is shown. */
export function chooseSearched() {
  const text = searched();
  const named = state.knownGames.find(game => [game.name, ...game.aliases, game.title, word(game.title)]
    .some(name => name.toLowerCase() === text));
  const first = byId("game-groups").querySelector(".card");
  if (named) chooseGame(named.name);
  else if (first && text) chooseGame(first.dataset.variant);
  else if (text) chooseGame(text);
}

/** Choose a game: what else a game needs is asked for then. @param {string} name */
export function chooseGame(name) {
  const game = state.knownGames.find(one => one.name === name);
  if (!game) {
    unlisted = name;
    ask("start", { variant: name });
    return;
  }
  state.chosenGame = name;
  byId("choosing").hidden = true;
  byId("chosen").hidden = false;
  byId("chosen-texts").replaceChildren(...textsOf(game));
  byId("chosen-game").querySelector("img").removeAttribute("src");
  if (starts.has(name)) showStart(name, byId("chosen-game"));
  else ask("start", { variant: name });
  followGame();
  for (const [side, option] of [...byId("new-who").options].slice(0, 2).entries())
    option.textContent = t("you-play", word(game.sides[side]));
  allowStart();
  byId("new-start").focus();
}

/** Let another game be chosen. */
export function chooseAnew() {
  state.chosenGame = "";
  if (state.asking) state.asking.dialog = null; // another game is being chosen when that one comes
  byId("choosing").hidden = false;
  byId("chosen").hidden = true;
  byId("new-variant").value = "";
  byId("new-fault").textContent = unlisted = "";
  filterGames();
  byId("new-variant").focus();
}
byId("other-game").addEventListener("click", chooseAnew);

// ---- the rules -------------------------------------------------------------------------------

/** The position that is offered, and the game that the dialog's position is of. */
let offered = { game: "", text: "" }, positionOf = "";

/** Offer a position of a game. @param {string} game @param {string} text */
export function offer(game, text) {
  offered = { game, text };
  positionOf = "";
}

/** Another game has been chosen: its position is the start, but for one that has been set up. */
function followGame() {
  const game = state.chosenGame;
  if (game === positionOf) return;
  positionOf = game;
  byId("new-fen").value = game === offered.game ? offered.text : "";
}
