// What the page says where one's own game is made, in both languages.

import { MESSAGES } from "records/texts.js";
import "web/japanese.js";
import "web/messages.js";

Object.assign(MESSAGES.en, {
  "own-games": "Your own games", "name-own": "Own games",
  "own-tab-game": "Game", "own-tab-board": "Board", "own-tab-pieces": "Pieces", "own-tab-rules": "Rules", "own-tab-file": "File",
  "own-begin": "A new game begins as a copy of another one. Then change what you like: board, pieces, rules.",
  "copy-of": "A copy of", "make-copy": "Make a copy", "or-open": "Or a file that somebody has sent you", "open-file": "Open a file …",
  "kept-games": "Games that you have saved", "this-own-game": "The game that you are making",
  "own-title": "Title", "own-about": "What is special, in a line", "own-name": "Name for programs: small letters, digits, hyphens",
  files: "Files (columns)", ranks: "Ranks (rows)", fewer: "Fewer", more: "More",
  "own-board-how": "Choose a piece, then press its squares. A second press takes it away.",
  "own-mirror": "Black's pieces follow White's", "not-whole": "The start position has a fault, so its board is empty here.",
  "own-in-hand": "Pieces in hand at the start", castling: "Castling", "no-castling": "None",
  "castling-by": "The king goes {0} squares towards its outermost pieces", "castling-own": "As the text says",
  "start-text": "The start position as text",
  "add-piece": "Add a piece", "find-piece": "Find a piece by name or moves", "own-moves": "A piece with moves of your own",
  "betza-how": "Betza notation: W, F, D, A, N, H are leaps; R, B, Q slide; NN rides on; f, b, l, r are directions; m only moves, c only captures.",
  "piece-letter": "Letter", "piece-name": "Name", "piece-moves-field": "Moves (Betza)", "piece-value": "Value",
  "piece-diagram": "Show the moves", add: "Add", remove: "Remove",
  "find-rule": "Find a rule", "in-words": "The rules in words", "as-usual": "As usual",
  nobody: "Nobody", "both-sides": "Both", "each-its-own": "Each side its own", "one-for-both": "One for both", squares: "Squares",
  "all-together": "all together",
  "own-path": "Saved games are kept in {0}. Other commands read them by --variants.",
  "own-download": "Download as TOML", "own-ini": "variants.ini", "own-diagram": "Interactive Diagram",
  "own-share": "The TOML file is the whole game. Another person opens it on this page.", "own-toml": "The game as text (TOML)",
  "own-play": "Play", "is-kept": "Saved", "can-be-played": "It can be played", "faults-left": "Faults: {0}",
});

Object.assign(MESSAGES.ja, {
  "own-games": "自作のゲーム", "name-own": "自作",
  "own-tab-game": "ゲーム", "own-tab-board": "盤", "own-tab-pieces": "駒", "own-tab-rules": "規則", "own-tab-file": "ファイル",
  "own-begin": "まずほかのゲームを写し、盤・駒・規則を好きに変えます。",
  "copy-of": "もとのゲーム", "make-copy": "写す", "or-open": "または、もらったファイル", "open-file": "ファイルを開く …",
  "kept-games": "保存したゲーム", "this-own-game": "作成中のゲーム",
  "own-title": "題名", "own-about": "特徴を一行で", "own-name": "プログラム用の名前（英小文字、数字、ハイフン）",
  files: "筋の数", ranks: "段の数", fewer: "減らす", more: "増やす",
  "own-board-how": "駒を選び、マスを押すと置けます。もう一度押すと取り除きます。",
  "own-mirror": "黒の駒を白に合わせる", "not-whole": "初期局面に誤りがあるため、ここでは空の盤です。",
  "own-in-hand": "最初の持ち駒", castling: "キャスリング", "no-castling": "なし",
  "castling-by": "キングが外側の駒へ{0}マス動く", "castling-own": "文のとおり",
  "start-text": "初期局面の文",
  "add-piece": "駒を加える", "find-piece": "名前や動きで駒を探す", "own-moves": "自分で動きを決める駒",
  "betza-how": "ベツァ記法。W・F・D・A・N・H は跳び、R・B・Q は走り、NN は跳び続ける。f・b・l・r は向き、m は移動のみ、c は捕獲のみ。",
  "piece-letter": "文字", "piece-name": "名前", "piece-moves-field": "動き (ベツァ)", "piece-value": "価値",
  "piece-diagram": "動きを見る", add: "加える", remove: "取り除く",
  "find-rule": "規則を探す", "in-words": "言葉で読む規則", "as-usual": "普通に戻す",
  nobody: "なし", "both-sides": "両方", "each-its-own": "側ごとに", "one-for-both": "両方同じ", squares: "マス",
  "all-together": "すべて合わせて",
  "own-path": "保存先は {0}。ほかのコマンドは --variants で読みます。",
  "own-download": "TOML で保存", "own-ini": "variants.ini", "own-diagram": "動く図 (Interactive Diagram)",
  "own-share": "TOML ファイルがゲームのすべてです。ほかの人もこのページで開けます。", "own-toml": "ゲームの文 (TOML)",
  "own-play": "対局", "is-kept": "保存しました", "can-be-played": "このまま指せます", "faults-left": "誤り: {0}",
});
