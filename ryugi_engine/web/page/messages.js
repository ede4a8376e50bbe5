"use strict";
// Everything that the page says, in English and Japanese.

/** @type {Record<string, Record<string, string>>} */
const MESSAGES = {
  en: {
    new: "New game", records: "Records", setup: "Set up a position", language: "日本語",
    game: "Game", undo: "Take back (u)", pass: "Pass", draw: "Draw: claim or offer",
    resign: "Resign", hint: "Hint (h)", threats: "Threats: what the other side would play (t)", threat: "Threat",
    analyse: "Analyse (e)", "type-move": "Type a move",
    piece: "Piece", "turn-left": "Turn left (Q)", "turn-right": "Turn right (E)",
    mirror: "Mirror (S)", place: "Place (Enter)", "put-back": "Put back (Escape)",
    "half-turn": "Half a turn (Z)", "best-lines": "Best lines", glyph: "Mark of the move",
    comment: "Comment", keep: "Save", "remove-variation": "Remove variation", close: "Close",
    variant: "Game", who: "Players", "you-white": "You play White", "you-black": "You play Black",
    "two-people": "Two people at this screen", "two-engines": "Watch the engine play itself",
    strength: "Strength", time: "Time", "time-text": "Minutes:seconds+increment, or st=seconds a move",
    position: "Position", "start-position": "The start", start: "Start", load: "Load a file",
    download: "Download", send: "Send the file", reload: "Read the file again",
    "analyse-game": "Analyse the whole game", "play-from-here": "Play from here",
    "empty-board": "Empty board", "own-game": "A game of your own (TOML)", try: "Try it",
    "piece-moves": "How the pieces move", pieces: "Pieces", "no-clock": "No clock",
    "own-time": "Other …", white: "White", black: "Black", engine: "engine", you: "you",
    "to-move": "{0} to move", thinking: "{0} is thinking …", "white-wins": "White wins",
    "black-wins": "Black wins", drawn: "Draw", empty: "{0}, empty", "on-cell": "{1}, {0}",
    coloured: "{0} {1}", target: "{0}, can be reached", "in-hand": "{0}, {1} in hand",
    hand: "{0}: pieces in hand", loading: "Loading; the first start compiles for some seconds …",
    closed: "The connection is closed. Is the engine still running?", again: "Connect again",
    "no-token": "Open the address that the command has printed, with all that stands behind #.",
    "file-now": "This game is kept in {0}", "file-none": "This game is kept in {0} from its first move on",
    "a-move": "{0} s a move", "lost-turn": "a turn whose time is over is lost",
    "legal-here": "legal here", "no-mark": "no mark", "offer-sure": "Agree on a draw?",
    "resign-sure": "Resign?", "choose-piece": "Choose a piece of your tray", promote: "promote",
    stay: "do not promote", removes: "removes {0}", castle: "castle", move: "move", takes: "takes {0}",
    erase: "Erase", depth: "depth {0}", "proven-in": "proven: {0} wins in {1} moves",
    "proven-in-one": "proven: {0} wins in a move", analysing: "Analysing …",
    "as-variation": "Moves here become variations", board: "Board", legal: "This position is legal",
    "loads-here": "Drop a record (PGN) on the page to load it", step: "step", slide: "slide",
    capture: "captures only", quiet: "moves only", hop: "leaps over a piece", first: "first move only",
  },
  ja: {
    new: "新しい対局", records: "棋譜", setup: "局面を作る", language: "English",
    game: "対局", undo: "待った (u)", pass: "パス", draw: "引き分けの請求・提案",
    resign: "投了", hint: "ヒント (h)", threats: "狙い: 相手番ならどう指すか (t)", threat: "狙い", analyse: "検討 (e)", "type-move": "手を入力",
    piece: "駒", "turn-left": "左に回す (Q)", "turn-right": "右に回す (E)",
    mirror: "裏返す (S)", place: "置く (Enter)", "put-back": "戻す (Esc)",
    "half-turn": "半回転 (Z)", "best-lines": "最善の手順", glyph: "手の評価",
    comment: "コメント", keep: "保存", "remove-variation": "変化を消す", close: "閉じる",
    variant: "ゲーム", who: "対局者", "you-white": "あなたが白", "you-black": "あなたが黒",
    "two-people": "この画面で二人", "two-engines": "エンジン同士を見る",
    strength: "強さ", time: "持ち時間", "time-text": "分:秒+加算、または st=一手の秒数",
    position: "局面", "start-position": "初期局面", start: "開始", load: "ファイルを開く",
    download: "ダウンロード", send: "ファイルを送る", reload: "ファイルを読み直す",
    "analyse-game": "全局を検討", "play-from-here": "ここから指す",
    "empty-board": "空の盤", "own-game": "自作のゲーム (TOML)", try: "試す",
    "piece-moves": "駒の動き", pieces: "駒", "no-clock": "時計なし",
    "own-time": "その他 …", white: "白", black: "黒", engine: "エンジン", you: "あなた",
    "to-move": "{0}の番", thinking: "{0}が考えています …", "white-wins": "白の勝ち",
    "black-wins": "黒の勝ち", drawn: "引き分け", empty: "{0}、空き", "on-cell": "{1}、{0}",
    coloured: "{0}の{1}", target: "{0}、行けます", "in-hand": "{0}、持ち駒 {1}",
    hand: "{0}の持ち駒", loading: "読み込み中。初回は数秒間コンパイルします …",
    closed: "接続が切れました。エンジンは動いていますか。", again: "再接続",
    "no-token": "コマンドが表示したアドレスを、# の後ろも含めて開いてください。",
    "file-now": "この対局は {0} に保存されます", "file-none": "この対局は最初の手から {0} に保存されます",
    "a-move": "一手 {0} 秒", "lost-turn": "時間切れの手番は失われます",
    "legal-here": "ここに置けます", "no-mark": "なし", "offer-sure": "引き分けにしますか。",
    "resign-sure": "投了しますか。", "choose-piece": "駒台から駒を選んでください", promote: "成る",
    stay: "成らない", removes: "{0} を取り除く", castle: "キャスリング", move: "移動", takes: "{0} を取る",
    erase: "消す", depth: "深さ {0}", "proven-in": "証明済み: {1}手以内で{0}の勝ち",
    "proven-in-one": "証明済み: 一手で{0}の勝ち", analysing: "検討中 …",
    "as-variation": "ここでの手は変化になります", board: "盤", legal: "正しい局面です",
    "loads-here": "棋譜 (PGN) をページに落とすと開きます", step: "一歩", slide: "走り",
    capture: "取るときだけ", quiet: "取らないときだけ", hop: "駒を飛び越す", first: "初手だけ",
  },
};
/** Names of pieces, and reasons of ends, that have one in Japanese. */
/** @type {Record<string, Record<string, string>>} */
const WORDS = {
  ja: {
    King: "キング", Queen: "クイーン", Rook: "ルーク", Bishop: "ビショップ", Knight: "ナイト",
    Pawn: "ポーン", Marshall: "マーシャル", Chancellor: "チャンセラー", Archbishop: "アークビショップ",
    Janus: "ヤヌス", Dragon: "ドラゴン", Unicorn: "ユニコーン", Kirin: "麒麟", Lion: "獅子",
    stone: "石", Henge: "ヘンジ", checkmate: "詰み", stalemate: "ステイルメイト",
    resignation: "投了", "time forfeit": "時間切れ", "draw agreed": "合意",
    "five in a row": "五連", "more captured stones": "取った石の数", "no legal move": "手なし",
    "touchdown at distance 1": "距離1のタッチダウン", "dead position": "駒不足",
    "board full": "盤が埋まった", "threefold repetition": "千日手",
  },
};
/** Labels of the replay page's own buttons, by their ids. */
/** @type {Record<string, Record<string, string>>} */
const LABELS = {
  ja: {
    first: "最初の局面", back: "戻る", play: "再生", forward: "進む", last: "最後の局面",
    flip: "盤を回す", arrows: "矢印", in: "拡大", out: "縮小", fit: "盤全体", dark: "暗い色",
    help: "キーの説明", save: "PGN で保存", link: "この局面へのリンク",
  },
};

let language = "en";
try {
  language = localStorage.getItem("ryugi-language")
    ?? (navigator.language.startsWith("ja") ? "ja" : "en");
} catch {
  // a browser that keeps nothing still has a language
  if (navigator.language.startsWith("ja")) language = "ja";
}
if (!(language in MESSAGES)) language = "en";

/** A message, with what is to stand in it.
 *  @param {string} key @param {...(string | number)} given */
function t(key, ...given) {
  const text = MESSAGES[language][key] ?? MESSAGES.en[key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, number) => `${given[number] ?? ""}`);
}

/** A word that the rules know, where there is one in the reader's language.
 *  @param {string} english */
function word(english) {
  return WORDS[language]?.[english] ?? english;
}

/** Put the messages into the page: text, title, label, placeholder. */
function translate() {
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = t(one.dataset.text);
  for (const one of document.querySelectorAll("[data-title]")) {
    one.title = t(one.dataset.title);
    one.setAttribute("aria-label", t(one.dataset.title));
  }
  for (const one of document.querySelectorAll("[data-label]"))
    one.setAttribute("aria-label", t(one.dataset.label));
  for (const one of document.querySelectorAll("[data-placeholder]"))
    one.placeholder = t(one.dataset.placeholder);
  for (const [id, text] of Object.entries(LABELS[language] ?? {})) {
    const one = document.getElementById(id);
    if (!one) continue;
    one.setAttribute("aria-label", text);
    one.title = text;
  }
}
