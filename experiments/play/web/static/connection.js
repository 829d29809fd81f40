"use strict";
// What the server says, and when it is silent.

function connected() {
  shownParts.clear();
  document.body.classList.remove("offline");
}

function disconnected() {
  sent = null;
  document.body.classList.add("offline");
  closeChoices();
  endHint();
  endFinish(true);
  if (view) showMoves();
}

function receive(message) {
  const answers = { game: receiveGame, view: receiveView, hint: showHint, look: showLook, why: showWhy,
    cards: receiveCards, finish: receiveFinish, analysis: receiveAnalysis, progress: showProgress,
    notice: (news) => toast(news.text),
    compiling: (news) => showCompiling(news.functions) };
  if (message.type in answers) answers[message.type](message);
  else if (message.type === "record") saveFile(message.name, message.text);
  else if (message.type === "error") {
    sent = null;
    endHint();
    endFinish(false);
    toast(message.text);
  }
}
