"use strict";
// The connection to the server; it is taken up again when it is lost.

let socket = null;
let patience = 300; // milliseconds until the next try to connect

function connect() {
  socket = socketOf(location.pathname);
  socket.onopen = () => {
    patience = 300;
    shownParts.clear();
    document.body.classList.remove("offline");
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    document.body.classList.add("offline");
    byId("page-status").textContent = event.reason ? `${event.reason}; trying again …` : "no connection; trying again …";
    closeChoices();
    endHint();
    endFinish(true);
    if (view) showMoves();
    setTimeout(connect, patience);
    patience = Math.min(5000, patience * 1.6);
  };
}

const online = () => socket !== null && socket.readyState === WebSocket.OPEN;

function send(message) {
  if (online()) socket.send(JSON.stringify(message));
  else toast("no connection");
}

function receive(message) {
  const answers = { game: receiveGame, view: receiveView, hint: showHint, thinking: () => {}, look: showLook, why: showWhy,
    finish: receiveFinish, analysis: receiveAnalysis, progress: showProgress,
    notice: (news) => toast(news.text),
    compiling: (news) => showCompiling(news.functions) };
  if (message.type in answers) answers[message.type](message);
  else if (message.type === "record") saveFile(message.name, message.text);
  else if (message.type === "error") {
    endHint();
    endFinish(false);
    toast(message.text);
  }
}

