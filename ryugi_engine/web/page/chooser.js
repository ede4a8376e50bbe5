// Choosing a game: groups of cards with a picture of the start, and a search.

/** @type {GameTitle[]} */
let knownGames = [];
/** The game that has been chosen; "" while none is. */
let chosenGame = "";
/** What the field named that is not listed; "" once it has changed. */
let unlisted = "";
/** Pictures of starts by game, once they have come. @type {Map<string, string>} */
const starts = new Map();

/** All cards, in the order of their groups. @type {HTMLElement[]} */
let cards = [];

/** @param {GameTitle[]} games */
function listGames(games) {
  knownGames = games;
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
function startHasCome(message) {
  const { game, fault } = message;
  if (fault) {
    if (message.variant === unlisted) notice(fault, true);
    return;
  }
  starts.set(game.name, `data:image/svg+xml,${encodeURIComponent(message.svg)}`);
  const card = byId("game-groups").querySelector(`[data-variant="${game.name}"]`);
  if (card) showStart(game.name, card);
  if (chosenGame === game.name) showStart(game.name, byId("chosen-game"));
  else if (message.variant === unlisted) {
    if (!knownGames.some(one => one.name === game.name)) knownGames.push(game);
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
function chooseSearched() {
  const text = searched();
  const named = knownGames.find(game => [game.name, ...game.aliases, game.title, word(game.title)]
    .some(name => name.toLowerCase() === text));
  const first = byId("game-groups").querySelector(".card");
  if (named) chooseGame(named.name);
  else if (first && text) chooseGame(first.dataset.variant);
  else if (text) chooseGame(text);
}

/** Choose a game: what else a game needs is asked for then. @param {string} name */
function chooseGame(name) {
  const game = knownGames.find(one => one.name === name);
  if (!game) {
    unlisted = name;
    ask("start", { variant: name });
    return;
  }
  chosenGame = name;
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
function chooseAnew() {
  chosenGame = "";
  if (asking) asking.dialog = null; // another game is being chosen when that one comes
  byId("choosing").hidden = false;
  byId("chosen").hidden = true;
  byId("new-variant").value = "";
  byId("new-fault").textContent = unlisted = "";
  filterGames();
  byId("new-variant").focus();
}
byId("other-game").addEventListener("click", chooseAnew);

// ---- the rules -------------------------------------------------------------------------------

/** @param {string} variant */
function askForRules(variant) {
  byId("rules-text").replaceChildren(t("loading-rules"));
  byId("rules-title").textContent = t("rules");
  byId("rules-dialog").showModal();
  ask("rules", { variant });
}
byId("rules").addEventListener("click", () => askForRules(table.game));
byId("chosen-rules").addEventListener("click", () => askForRules(chosenGame));
byId("new-dialog").addEventListener("keydown", event => {
  if (event.key === "?" && chosenGame && !taken(event)) askForRules(chosenGame);
});

/** @param {Messages["rules"]} message */
function showRules(message) {
  byId("rules-title").textContent = word(message.title);
  byId("rules-text").innerHTML = message.html;
  translateTexts(byId("rules-text"), "text, h3, p, li");
  byId("rules-text").scrollTop = 0;
}
