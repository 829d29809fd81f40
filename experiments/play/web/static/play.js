"use strict";
// The page to play on. The server decides what is legal; the page only sends requests.

let view = null; // the last view message
let log = []; // its decisions
let frames = []; // pictures still to show
let timer = null;
let shownNumber = -1; // number of the position on the board
let socket = null;
let patience = 300; // milliseconds until the next try to connect
let chosen = null; // the selected line of the log

const board = byId("board");
const speed = byId("speed");
speed.value = localStorage.getItem("speed") ?? "600";
if (new URLSearchParams(location.search).has("fast")) speed.value = "0";
speed.onchange = () => localStorage.setItem("speed", speed.value);

// The connection

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}${location.pathname}/socket`);
  socket.onopen = () => {
    patience = 300;
    document.body.classList.remove("offline");
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    document.body.classList.add("offline");
    byId("page-status").textContent = "no connection; trying again …";
    closeChoices();
    showMoves();
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
  if (message.type === "view") receiveView(message);
  else if (message.type === "hint") showHint(message);
  else if (message.type === "record") saveFile(message.name, message.text);
  else if (message.type === "error") toast(message.text);
}

function receiveView(message) {
  view = message;
  log = [...log.slice(0, message.log_from), ...message.log];
  if (chosen !== null && chosen > log.length) chosen = null;
  frames.push(...message.frames);
  if (speed.value === "0" || document.hidden || message.frames.length === 1) showLast();
  else if (timer === null) showNext();
}

// The board: pictures are shown in order; the last is the current position

function showNext() {
  timer = null;
  const frame = frames.shift();
  show(frame);
  if (frames.length) timer = setTimeout(showNext, frame.step ? Number(speed.value) * 0.8 : Number(speed.value));
}

function showLast() {
  clearTimeout(timer);
  timer = null;
  const frame = frames[frames.length - 1];
  frames = [];
  if (frame) show(frame);
}

function show(frame) {
  shownNumber = frame.number;
  board.innerHTML = frame.picture;
  fitBoard();
  closeChoices();
  for (const spot of board.querySelectorAll("[data-moves]")) {
    spot.setAttribute("tabindex", "0");
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", movesOf(spot).join(", "));
  }
  byId("curtain").hidden = !view.covered;
  byId("whose").textContent = view.covered ? `${view.names[view.to_move]} (seat ${view.to_move}) is to move; nobody else should look.` : "";
  showPeople();
  showStatus();
  showMoves();
  showLog();
  showThought();
}

const settled = () => frames.length === 0 && view !== null && shownNumber === view.number;

function showPeople() {
  document.title = `${view.title}${view.legal.length ? " — your turn" : ""}`;
  byId("title").textContent = view.title;
  byId("people").replaceChildren(...view.names.map((name, seat) => {
    const mine = view.mine.includes(seat) ? " (you)" : "";
    const turn = settled() ? view.to_move === seat : log[shownNumber - 1]?.seat === seat;
    return element("span", { class: `seat-${seat}${turn ? " turn" : ""}`, id: `person-${seat}` },
      `${seat}: ${name}${mine}: ${view.points[seat]}`);
  }));
}

function showStatus() {
  const status = byId("page-status");
  const line = log[shownNumber - 1];
  const move = line ? `${view.names[line.seat]}: ${line.move}` : "";
  if (!settled()) status.textContent = move;
  else if (view.ending) status.textContent = ending();
  else if (view.legal.length) status.textContent = "your turn";
  else if (view.covered) status.textContent = "";
  else if (view.to_move === null) status.textContent = "the others are choosing in secret";
  else status.textContent = `${view.names[view.to_move]} ${view.humans.includes(view.to_move) ? "is to move" : "is thinking …"}`;
}

function ending() {
  const { how, ranks, loser, reason } = view.ending;
  const order = view.names.map((name, seat) => [ranks[seat], `${ranks[seat]}. ${name} ${view.points[seat]}`]);
  order.sort((one, other) => one[0] - other[0]);
  const why = loser === null ? "" : `: ${view.names[loser]} ${reason}`;
  return `${how === "forfeited" ? "forfeited" : "the game is over"}${why} — ${order.map((entry) => entry[1]).join(", ")}`;
}

// Moves

const movesOf = (spot) => JSON.parse(spot.getAttribute("data-moves"));
const canMove = () => online() && settled() && view.legal.length > 0;

function play(move) {
  closeChoices();
  if (canMove() && view.legal.includes(move)) send({ do: "move", move, number: view.number });
}

function showMoves() {
  const box = byId("moves");
  box.replaceChildren();
  const legal = canMove() ? view.legal : [];
  byId("choose").hidden = legal.length === 0;
  byId("undo").disabled = !canMove() || !view.undo;
  byId("hint").disabled = !canMove();
  byId("save").hidden = !(view && view.ending);
  if (!view || byId("advice").dataset.number !== String(view.number)) byId("advice").hidden = true;
  const groups = new Map();
  for (const move of legal) {
    const verb = move.split(" ")[0];
    groups.set(verb, [...(groups.get(verb) || []), move]);
  }
  for (const [verb, moves] of groups) {
    const many = moves.length > 3;
    const row = many ? element("div", { class: "group" }, element("span", {}, verb)) : box;
    for (const move of moves) {
      const button = element("button", { "data-move": move, onclick: () => play(move) },
        many ? move.slice(verb.length + 1) || move : move);
      button.onmouseenter = () => point(move, true);
      button.onmouseleave = () => point(move, false);
      row.append(button);
    }
    if (many) box.append(row);
  }
}

// Highlights a move's spots on the board.
function point(move, on) {
  for (const spot of board.querySelectorAll("[data-moves]")) {
    spot.classList.toggle("pointed", on && movesOf(spot).includes(move));
  }
}

function choose(spot, x, y) {
  if (!settled()) return showLast();
  const moves = movesOf(spot).filter((move) => view.legal.includes(move));
  if (!canMove() || moves.length === 0) return undefined;
  if (moves.length === 1) return play(moves[0]);
  const box = byId("choices");
  box.replaceChildren(...moves.map((move) => element("button", { role: "menuitem", "data-move": move, onclick: () => play(move) }, move)));
  box.hidden = false;
  box.style.left = `${Math.max(4, Math.min(x, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(4, Math.min(y, innerHeight - box.offsetHeight - 8))}px`;
  box.firstChild.focus();
  return undefined;
}

function closeChoices() {
  byId("choices").hidden = true;
}

board.addEventListener("click", (event) => {
  const spot = event.target.closest("[data-moves]");
  closeChoices();
  if (spot) choose(spot, event.clientX, event.clientY);
  else if (!settled()) showLast();
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#choices, #board")) closeChoices();
});

// The log and agents' opinions

function showLog() {
  const list = byId("log");
  list.replaceChildren(...log.slice(0, Math.max(0, shownNumber)).map((line, k) => {
    const made = logLine(k + 1, line.seat, view.names[line.seat], line.move, line.remarks.value);
    if (Object.keys(line.remarks).length) {
      made.classList.add("link");
      made.addEventListener("click", () => {
        chosen = chosen === k + 1 ? null : k + 1;
        showLog();
        showThought();
      });
    }
    made.classList.toggle("now", k + 1 === (chosen ?? shownNumber));
    return made;
  }));
  if (chosen === null) list.scrollTop = list.scrollHeight;
}

function showThought() {
  let number = chosen ?? shownNumber;
  while (chosen === null && number > 0 && Object.keys(log[number - 1].remarks).length === 0) number -= 1;
  const line = log[number - 1];
  byId("thought").hidden = !line || !fillThought(byId("thought").querySelector("table"), line.remarks);
  if (line) byId("thinker").textContent = `opinion of ${view.names[line.seat]} on decision ${number}, ${line.move}`;
}

function showHint(hint) {
  if (!view || hint.number !== view.number) return;
  const told = Object.keys(hint.remarks.visits || hint.remarks.preferences || {}).length ? hint.remarks : { preferences: { [hint.move]: 1 } };
  byId("adviser").textContent = `${hint.agent} would play ${hint.move}`;
  byId("advice").dataset.number = String(hint.number);
  byId("advice").hidden = !fillThought(byId("advice").querySelector("table"), told, play);
  byId("hint").textContent = "hint";
}

// Buttons and keys

byId("zoom").onclick = nextSize;

const askUndo = () => send({ do: "undo" });
function askHint() {
  byId("hint").textContent = "thinking …";
  setTimeout(() => (byId("hint").textContent = "hint"), 8000);
  send({ do: "hint" });
}
byId("undo").onclick = askUndo;
byId("hint").onclick = askHint;
byId("ready").onclick = () => send({ do: "ready" });
byId("save").onclick = () => send({ do: "record" });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const spot = document.activeElement?.closest?.("#board [data-moves]");
  if (event.key === "Escape") closeChoices();
  else if (spot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    const box = spot.getBoundingClientRect();
    choose(spot, box.left, box.bottom);
  } else if (event.key === "u" && !byId("undo").disabled) askUndo();
  else if (event.key === "h" && !byId("hint").disabled) askHint();
});

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").hidden = false;
  byId("hint").textContent = "hint";
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (byId("toast").hidden = true), 5000);
}

function saveFile(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

connect();
