"use strict";
// The page to play on. The server decides what is legal.

let view = null; // the last view message
let frames = []; // tables still to show
let timer = null;
let movedUntil = 0; // when what moves on the table has come to rest
let shownNumber = -1; // number of the position on the table
let looking = null; // number of an earlier position that is looked at, or null
let current = null; // the table of the current position: its parts, points, stage and phases
let onTable = null; // that of the position which is shown
let hinting = null; // when the hint was asked for

const speed = byId("speed");
const advice = byId("advice");
const kept = (name, otherwise) => localStorage.getItem(name) ?? otherwise;
speed.value = kept("speed", "600");
if (new URLSearchParams(location.search).has("fast")) speed.value = "0";
speed.onchange = () => localStorage.setItem("speed", speed.value);
const usually = { confirms: speed.value === "0" ? "" : "yes" }; // who wants all at once is not asked either
for (const name of ["notation", "sounds", "confirms"]) {
  byId(name).checked = kept(name, usually[name] ?? "") === "yes";
  byId(name).onchange = () => {
    localStorage.setItem(name, byId(name).checked ? "yes" : "");
    if (view) refresh();
  };
}
const lobby = linkToLobby();
offerThemes();
byId("sharing").append(shareButton("anyone with the link can do what you can", "", "share this page"));
const showsNotation = () => byId("notation").checked;

// Compiling may take minutes
function showCompiling(functions) {
  const waits = hinting || !view?.legal.length;
  if (functions !== null && waits) byId("page-status").textContent = `one-time setup: step ${functions}…`;
  else if (view) showStatus();
}

// Positions

function receiveView(message) {
  const before = view;
  view = message;
  endedHere ||= before && !before.ending;
  document.body.classList.remove("waiting");
  clocksAt = Date.now();
  receiveLog(message.log_from, message.log);
  frames = frames.filter((frame) => frame.number <= log.length); // what was undone meanwhile is shown no more
  if (before && before.seat !== message.seat) lastRun = [];
  if (String(before?.names) !== String(view.names)) drawnParts.clear(); // what readers hear
  for (const frame of message.frames) frame.parts = receiveParts(frame.parts);
  frames.push(...message.frames);
  current = message.frames.at(-1);
  onTable ??= current;
  if (message.frames.length > 1 || message.number !== before?.number) {
    lastRun = message.frames;
    paused = false;
  }
  if (speed.value === "0" || document.hidden || !before || onlyTheEnd()) showLast();
  else if (timer === null && log.at(-1)?.seat === view.seat) showNext();
  else timer ??= setTimeout(showNext, movedUntil - Date.now()); // what others do waits until one's own move has come to rest
  if (!frames.length) paused = false;
  if (message.legal.length && !before?.legal.length && before) ring();
  jumps[1].textContent = game.look.common;
  if (repeating && before && message.number > before.number) repeat();
  if (!repeating) playWaiting();
}

// The game is being prepared, or cannot go on
function showProgress({ text, percent, replay }) {
  byId("page-status").textContent = view ? text : "";
  byId(view ? "prompt" : "doing").replaceChildren(replay ? element("a", { href: replay }, "game over: watch the replay") : text);
  for (const each of document.querySelectorAll("#waiting > :not(#doing)")) each.hidden = percent === undefined;
  byId("done").value = percent ?? 0;
}

// What happened last can be stopped, stepped through and shown again
let lastRun = []; // the tables of the last message that had several
let paused = false;

function showPlayer() {
  byId("player").hidden = lastRun.length < 2 || speed.value === "0";
  byId("pause").hidden = byId("step").hidden = !frames.length;
  byId("again").hidden = frames.length > 0;
  byId("pause").textContent = paused ? "resume" : "pause";
}
byId("pause").onclick = () => {
  paused = !paused;
  if (!paused && frames.length) showNext();
  else {
    clearTimeout(timer);
    timer = null;
  }
  showPlayer();
};
byId("step").onclick = () => {
  paused = true;
  clearTimeout(timer);
  showNext();
};
byId("again").onclick = () => {
  paused = false;
  frames = [...lastRun];
  showNext();
};

const CALMLY = 6; // so many tables are shown at the chosen speed; of more, each as much faster
let resting = false; // what others did last stays in the bar before one's own turn begins
function showNext() {
  timer = null;
  if (!frames.length) return endRest();
  const frame = frames.shift();
  const begins = frame.round > onTable.round && frame.number > shownNumber; // a round
  const ends = frames.length > 0 && frames[0].round > frame.round;
  const time = speed.value * (frame.step ? 0.8 : ends || (begins && frames.length) ? 2 : 1) * Math.min(1, CALMLY / frames.length);
  if (begins && isLong(frame)) announce(frame);
  resting = !paused && !frames.length && (isLate() || (frame.number > shownNumber && log[frame.number - 1]?.seat !== view.seat));
  told = String(view.late);
  show(frame, Math.min(700, time));
  if ((frames.length || resting) && !paused) timer = setTimeout(showNext, resting ? 2 * time : time);
  return undefined;
}
// Whether the round that is over had more than a turn for each player
const isLong = ({ number, round }) => turnsUpTo(number).filter(([[line]]) => line.round === round - 1).length > view.names.length;
let told = ""; // what others did after the last decision that is known here, as it was shown
const ofOthers = () => view.late.filter(([seat]) => seat !== view.seat);
const isLate = () => ofOthers().length > 0 && told !== String(view.late);
let announced = null; // a timer
function announce({ round, stage }) {
  byId("banner").textContent = stage || `round ${round}`;
  byId("banner").hidden = false;
  clearTimeout(announced);
  announced = setTimeout(() => (byId("banner").hidden = true), 2 * speed.value);
}
function endRest() {
  if (!resting) return;
  resting = false;
  comeBack();
  prepareSpots();
  refresh();
}

const onlyTheEnd = () => view.ending && narrow.matches; // a phone shows the result, not how it came about
function showLast() {
  clearTimeout(timer);
  timer = null;
  if (!frames.length) return endRest();
  const frame = frames.at(-1);
  frames = [];
  resting = false;
  show(frame, onlyTheEnd() ? 0 : Math.min(400, speed.value));
  return undefined;
}

let watching = null; // a timer
function show(frame, duration) {
  shownNumber = frame.number;
  const seat = log[frame.number - 1]?.seat ?? view.seat;
  if (frame.step === "mover" && seat !== view.seat) {
    clearTimeout(watching);
    watching = setTimeout(() => paused || watch(null), 2000 + duration);
    watch(seat);
  } else if (seat === view.seat || (view.legal.length && !frames.length)) watch(null);
  movedUntil = Date.now() + duration;
  if (looking === null || settled()) {
    looking = null;
    draw(frame, duration);
  }
  refresh();
}

function draw(position, duration) {
  decision.classList.remove("asking"); // which hides things that are measured
  onTable = position;
  const focus = document.activeElement;
  const focusId = focus?.id;
  const before = duration ? lieOfTheTable() : null;
  drawParts(position.parts);
  prepareSpots();
  if (before) bringIntoSight(animate(before, duration));
  if (!focus?.isConnected && focusId) byId(focusId)?.focus?.({ preventScroll: true });
}
// A phone shows where another player's card went, and one's own area again when one's turn begins
let wandered = false;
function bringIntoSight(spot) {
  if (!narrow.matches || !spot || log[shownNumber - 1]?.seat === view.seat) return;
  const { top, bottom } = spot.getBoundingClientRect();
  if (bottom > byId("purse").getBoundingClientRect().bottom + LINE && top < decision.getBoundingClientRect().top - LINE) return;
  wandered = true;
  rollTo(spot.closest(".part"), "center");
}
function comeBack() {
  if (wandered) byId("own").scrollIntoView({ block: "start" });
  wandered = false;
}
let keyboard = false; // whether the keyboard was in a list of moves that is gone
let refocus = null; // the move it was on

function prepareSpots() {
  const usable = settled() && looking === null;
  for (const spot of table.querySelectorAll("svg [data-moves]")) {
    if (!usable || !canMove()) {
      spot.classList.remove("legal");
      continue;
    }
    spot.classList.add("legal");
    const moves = movesOf(spot);
    spot.setAttribute("tabindex", "0");
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", `${moves.map(words).join("; or: ")}.`);
  }
}

function refresh() {
  document.title = `${view.title}${view.legal.length ? " — your turn" : ""}`;
  byId("title").textContent = view.title;
  byId("curtain").hidden = !view.covered;
  for (const id of ["board", "decision"]) byId(id).classList.toggle("covered", view.covered);
  byId("own").classList.toggle("turn", settled() && toMoveNow() !== null && toMoveNow() === view.seat);
  byId("board").classList.toggle("past", looking !== null);
  if (view.covered) byId("whose").textContent = `${view.names[view.to_move]} to move. Everyone else, look away.`;
  for (const each of view.names.keys()) {
    for (const points of document.querySelectorAll(`.points-of-${each}`)) points.textContent = pointsText(each);
  }
  byId("react").hidden = !view.mine.length;
  byId("leaving").hidden = !view.mine.length || view.ending !== null;
  showPeople();
  showNames();
  showStatus();
  showPhases();
  showMoves();
  byId("since-mine").hidden = !canMove();
  showLog(shownNumber, looking ?? shownNumber);
  showThought(shownNumber);
  showFinish();
  fit();
  foldActions();
  markPlace();
  if (view.ending && settled() && looking === null && !shownEnd) {
    if (endedHere) celebrate();
    shownEnd = true;
    if (narrow.matches) byId("finish").scrollIntoView({ block: "start" });
  }
}
let shownEnd = false, endedHere = false; // whether this page saw the game go on before

const settled = () => frames.length === 0 && !resting && view !== null && shownNumber === view.number;

function showPhases() {
  const { names, now } = onTable.phases;
  byId("phases").replaceChildren(...names.map((name, k) => element("li", k === now ? { "aria-current": "step" } : {}, name)));
}

function showPeople() {
  byId("people").replaceChildren(...view.names.map((name, seat) => {
    const clock = view.clocks[seat] === null ? [] : [" ", element("span", { class: "clock", role: "timer", id: `clock-${seat}` })];
    const asks = view.mine.includes(seat) && view.humans.length > 1 && nameless(seat);
    const called = element("span", { class: !asks && view.mine.length === 1 && view.mine[0] === seat ? "name me" : "name" }, asks ? element("button", { title: "your name", onclick: askName }, name) : name);
    const mine = element("span", { class: "you" }, !view.mine.includes(seat) ? "" : narrow.matches ? "you" : " (you)");
    const turn = settled() ? view.to_move === seat : log[shownNumber - 1]?.seat === seat;
    return element("span", { class: `seat-${seat}${turn ? " turn" : ""}`, id: `person-${seat}` }, called, mine, `: ${pointsOf(seat)}`, ...clock);
  }));
  showClocks();
}

// Names, kept for the next game
const nameless = (seat) => view.names[seat] === `Player ${seat + 1}`;
let askedFor = "";
function showNames() {
  if (askedFor === String(view.mine)) return;
  askedFor = String(view.mine);
  byId("naming").replaceChildren(...view.mine.map((seat) => {
    const name = element("input", { maxlength: 20, placeholder: view.names[seat], "aria-label": `rename ${view.names[seat]}` });
    return element("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (view.mine.length === 1) localStorage.setItem("name", name.value.trim());
      send({ do: "name", seat, name: name.value.trim() });
    } }, name, element("button", {}, "rename"));
  }));
  const [mine] = view.mine, before = kept("name", "");
  if (before && view.mine.length === 1 && nameless(mine) && !log.some((line) => line.seat === mine)) send({ do: "name", seat: mine, name: before });
}
function askName() {
  byId("settings").open = true;
  byId("naming").querySelector("input").focus();
}

let clocksAt = 0; // when the last view came
function showClocks() {
  for (const [seat, left] of view.clocks.entries()) {
    const clock = byId(`clock-${seat}`);
    if (!clock) continue;
    const gone = seat === view.running ? view.elapsed + (Date.now() - clocksAt) / 1000 : 0;
    const now = Math.max(0, Math.ceil(left - gone));
    clock.textContent = `${Math.floor(now / 60)}:${String(now % 60).padStart(2, "0")}`;
    clock.classList.toggle("short", now < 60);
  }
}

function statusText() {
  const line = log[shownNumber - 1];
  if (resting && ofOthers().length) return ofOthers().map(([seat, text]) => `${view.names[seat]} ${brief(text)}`).join(". ");
  if (!settled()) return line ? newest(line) : "";
  if (view.ending) return looking === null ? "the game is over" : "";
  if (view.legal.length) return "your turn";
  if (view.covered) return "";
  if (view.to_move === null) return "the others are choosing";
  const name = view.names[view.to_move];
  if (view.humans.includes(view.to_move)) return `${name} to move`;
  return `${name} is thinking…`;
}

// What a turn has come to, its newest part if it is long
function newest({ seat, events, words: said, move }) {
  const told = events.filter(([who]) => who === seat).map(([, text]) => text).join("; ") || said || move;
  return `${view.names[seat]} ${newestPart(brief(told))}`;
}

let turnSince = Date.now();
let turnOf = "";
const seconds = (since) => (Date.now() - since < 1000 ? "" : ` ${Math.floor((Date.now() - since) / 1000)} s`);
function showStatus() {
  const turn = `${view.number} ${view.to_move}`;
  if (turn !== turnOf) [turnOf, turnSince] = [turn, Date.now()];
  const stage = onTable.stage || (onTable.round ? `round ${onTable.round}` : "");
  const said = statusText(), text = [stage, said].filter(Boolean).join(" — ");
  if (byId("page-status").textContent !== text) { // it is read out; moves of others stand below
    byId("page-status").replaceChildren(stage, element("span", { class: settled() ? "said" : "unseen" }, text.slice(stage.length)));
  }
  const thinks = settled() && !view.ending && !view.legal.length && view.to_move !== null && !view.humans.includes(view.to_move);
  byId("since").textContent = thinks ? seconds(turnSince) : "";
}
setInterval(() => {
  if (view && online() && settled() && !view.ending && !view.legal.length) showStatus();
  if (hinting) byId("hint").textContent = `…${seconds(hinting)}`;
  if (view && view.running !== null) showClocks();
}, 500);

// Earlier positions

function look(number) {
  chosen = number;
  if (number === view.number) toNow();
  else send({ do: "look", number });
}

function showLook(message) {
  showLast();
  looking = message.number;
  draw(message, 0);
  byId("looking-at").textContent = `after move ${message.number} of ${view.number}`;
  refresh();
  if (!narrow.matches) byId("log").querySelector(".now")?.scrollIntoView(false);
}

function toNow() {
  looking = null;
  following = true;
  if (current) draw(current, 0);
  refresh();
}
byId("now").onclick = () => {
  chosen = null;
  toNow();
};

// Hints

function showHint(hint) {
  endHint();
  if (!view || hint.number !== view.number) return;
  byId("adviser").textContent = `Hint: ${hint.said[hint.move] || hint.move}`;
  byId("because").replaceChildren(...pictured(hint.because));
  mark("advised", hint.move);
  for (const button of document.querySelectorAll("#actions button, #moves button")) button.classList.toggle("advised", button.dataset.move === hint.move);
  advice.dataset.number = String(hint.number);
  advice.dataset.seat = String(view.seat);
  advice.hidden = !fillThought(advice.querySelector("table"), hint.remarks, play, hint.said, hint.move);
  closeChoices(); // which lie over it
  advice.scrollTop = 0;
  aboveSheet(table.querySelector("svg .advised"), advice);
  scrolled = null;
}

function endHint() {
  hinting = null;
  byId("hint").textContent = "hint";
  if (view) byId("hint").disabled = !canMove();
}

// Buttons and keys

function askUndo() {
  if (proposed !== null) {
    propose(null);
    return;
  }
  takeBack(together !== null && together < view.number ? view.number - together : 1);
}
function takeBack(moves) {
  closeChoices();
  together = null;
  for (let k = 0; k < moves; k += 1) send({ do: "undo" });
}
function askHint() {
  hinting = Date.now();
  byId("hint").textContent = "…";
  byId("hint").disabled = true;
  send({ do: "hint" });
}
function toggleMoves() {
  byId("choose").classList.toggle("open");
  byId("all-moves").setAttribute("aria-expanded", String(byId("choose").classList.contains("open")));
  byId("moves").querySelector("button")?.focus();
  flash(byId("choose")); // wide windows always show it
}
byId("leaving").append(twice("resign", "really resign?", () => {
  byId("settings").open = false;
  send({ do: "resign" });
}, { id: "resign" }));
byId("undo").onclick = askUndo;
byId("undo-all").onclick = () => takeBack(view.undo);
byId("hint").onclick = askHint;
byId("all-moves").onclick = toggleMoves;
byId("close-moves").onclick = closeMoves;
byId("close-choices").onclick = closeChoices;
byId("ready").onclick = () => send({ do: "ready" });
byId("close-advice").onclick = () => (advice.hidden = true);
byId("save").onclick = () => send({ do: "record" });
let jumped = null; // the button that was touched last, until a finger scrolls
const jumps = [...document.querySelectorAll("#jump button")];
for (const button of jumps) {
  button.onclick = () => {
    jumped = button;
    rollTo(byId(button.dataset.to), "start");
    markPlace();
  };
}
// Which part of the table is in the middle of a phone's window
function markPlace() {
  if (!narrow.matches) return;
  const middle = innerHeight * 0.4;
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const here = jumped ?? (atEnd ? jumps.at(-1) : jumps.find((button) => {
    const box = byId(button.dataset.to).getBoundingClientRect();
    return box.top <= middle && box.bottom > middle;
  }));
  for (const button of jumps) button.setAttribute("aria-current", String(button === here));
}
addEventListener("scroll", markPlace, { passive: true });
addEventListener("touchmove", () => (jumped = null), { passive: true });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && byId("settings").open) {
    byId("settings").open = false;
    byId("settings").querySelector("summary").focus();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select") || byId("guide").open) return;
  const spot = document.activeElement?.closest?.("#table svg [data-moves]");
  const menu = document.activeElement?.closest?.("#choices, #moves");
  if (event.key === "Escape") {
    if (proposed) propose(null);
    closeChoices();
    hideLens();
    closeMoves();
    if (looking !== null) toNow();
  } else if (spot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(spot, offered);
  } else if (menu && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const all = [...menu.querySelectorAll("[data-move]")];
    all[all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  } else if (event.key === "u" && !byId("undo").disabled) askUndo();
  else if (event.key === "h" && !byId("hint").disabled && !byId("hint").hidden) askHint();
  else if (event.key === "m" && !byId("all-moves").disabled) toggleMoves();
  else if (event.key === "?" && game.guide) showGuide();
});

// A short tone, if wanted
let audio = null;
function ring() {
  if (!byId("sounds").checked) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}

function saveFile(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

addEventListener("resize", () => view && refresh());
new ResizeObserver(followLog).observe(byId("log"));
connect();
