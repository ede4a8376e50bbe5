// What the server says, and what follows.

import { byId } from "records/dom.js";
import { keep, translate } from "records/texts.js";
import { grow, lineOf, treeOf } from "records/tree.js";
import { go, mark, open } from "records/viewer.js";
import { listGames, startHasCome } from "web/chooser.js";
import { showClocks } from "web/clocks.js";
import { ask, token } from "web/connection.js";
import { drawDiagrams } from "web/diagrams.js";
import "web/drag.js";
import { showHands } from "web/hands.js";
import "web/menu.js";
import { openNew } from "web/newgame.js";
import { notice, unsay } from "web/notice.js";
import { formHasCome, listModels, ownHasCome, showOwn } from "web/own.js";
import { draftFailed } from "web/own_draft.js";
import { exported, ownedHaveCome } from "web/own_file.js";
import { diagramHasCome } from "web/own_pieces.js";
import { forget } from "web/picking.js";
import { focusBoard, showPlaces } from "web/places.js";
import { showPlacing } from "web/placing.js";
import { objected, playPremove } from "web/play.js";
import "web/player.js";
import { atEnd, here, keyOf, nodeAt, placeOf, studying } from "web/position.js";
import { dropPremove } from "web/premove.js";
import { listFiles, progressed, showNote } from "web/records.js";
import { allowStart, gameHasCome, takeCompiling } from "web/request.js";
import { showRules } from "web/rules.js";
import { setupAnswered } from "web/setup.js";
import { showActs, showStanding } from "web/standing.js";
import { state } from "web/state.js";
import { showStudy, studied, studyHasCome } from "web/study.js";
import { showLines, takeLines } from "web/thinking.js";

const { board } = state;

board.pressable = true;
board.host.tabIndex = -1;
document.body.classList.add("live");

/** @param {any} message */
export function receive(message) {
  const action = /** @type {Record<string, (message: any) => void>} */ (receivers)[message.type];
  if (action) action(message);
}

/** @type {Receivers} */
export const receivers = {
  games: message => {
    const first = !state.knownGames.length;
    listGames(message.games);
    listModels();
    if (first && state.table.choosing && !state.table.ply) openNew();
  },
  start: message => startHasCome(message),
  rules: message => showRules(message),
  all: message => {
    unsay();
    const asked = !message.state.compiling.game && gameHasCome();
    dropPremove();
    const before = state.current && { ...placeOf(state.current), end: atEnd() };
    if (!before) ask("games");
    const old = state.data.games[0];
    message.page.token = token;
    Object.assign(state.data, message.page);
    if (before) keepScores(treeOf(old), treeOf(state.data.games[0]));
    takeState(message.state);
    state.seenLines.clear();
    state.looked = null;
    state.askedFor = "";
    const game = state.data.games[0];
    let node = lineOf(treeOf(game)).at(-1);
    if (before && !before.end && before.ply < node.ply)
      node = nodeAt(before);
    go(node);
    byId("moves").scrollTop = byId("moves").scrollHeight;
    if (asked) focusBoard();
  },
  step: message => {
    unsay();
    const { step } = message, game = state.data.games[0];
    state.data.parts.push(...step.parts);
    state.data.figures.push(...step.figures);
    state.data.texts.push(...step.texts);
    const end = lineOf(treeOf(game)).at(-1), follows = state.current === end;
    const made = grow(end, [step.node], 0);
    takeState(message.state);
    open(game);
    go(follows ? made : state.current);
    byId("moves").scrollTop = byId("moves").scrollHeight;
    playPremove();
  },
  state: message => {
    const before = state.judging;
    takeState(message.state);
    if (state.judging === before) return showState();
    open(state.current.game);
    go(state.current);
  },
  legal: message => {
    state.looked = message;
    showState();
  },
  go: message => go(nodeAt(message), true),
  lines: message => takeLines(message),
  objection: message => objected(message),
  error: message => {
    state.asking = null;
    state.annotating = false;
    draftFailed();
    notice(message.text, true);
    showActs();
    allowStart();
  },
  fault: message => notice(message.text, true),
  note: message => {
    notice(message.text);
    clearTimeout(state.noticed); // it may take long, until the game comes
  },
  files: message => listFiles(message.files),
  setup: message => setupAnswered(message),
  form: message => formHasCome(message),
  own: message => ownHasCome(message),
  owned: message => ownedHaveCome(message),
  piece: message => diagramHasCome(message),
  exported: message => exported(message),
  diagrams: message => drawDiagrams(message),
  progress: message => progressed(message),
  study: message => studyHasCome(message),
  studied,
  compiling: takeCompiling,
};

/** Take the state in; the clocks go on from here. @param {TableState} given */
function takeState(given) {
  state.table = given;
  state.table.at = performance.now();
  takeCompiling(given.compiling);
  state.judging = studying() || given.players.every(player => player.engine);
  for (const [name, on] of Object.entries({ study: studying(), wide: given.wide }))
    document.body.classList.toggle(name, on);
}

/** Let a game that has come again have the evaluations that it had before.
 *  @param {PageNode} old @param {PageNode} fresh */
function keepScores(old, fresh) {
  for (; old && fresh && old.m === fresh.m; [old, fresh] = [old.children[0], fresh.children[0]])
    if (fresh.e === undefined && fresh.M === undefined) Object.assign(fresh, { e: old.e, M: old.M });
}

/** Everything that follows the state or the position that is shown. */
function showState() {
  const { current } = state;
  if (!state.table || !current) return;
  if (!atEnd() && !here() && state.askedFor !== keyOf(current)) {
    state.askedFor = keyOf(current);
    ask("legal", placeOf(current));
  }
  forget();
  showStanding();
  showPlaces();
  showHands();
  showActs();
  showClocks();
  showLines();
  showNote();
  showPlacing();
  mark(); // what has come may have made the list of moves lower
}
state.shown = () => showState();

byId("language").addEventListener("click", () => {
  state.language = state.language === "en" ? "ja" : "en";
  keep("ryugi-language", state.language);
  translate();
  state.labelled = new Map();
  listGames(state.knownGames);
  listModels();
  showOwn();
  showStudy();
  open(state.current.game);
  go(state.current);
});
