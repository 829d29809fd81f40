"use strict";
// A recorded game, from the data in the page: table, steps, jumps, autoplay, curves.

const data = JSON.parse(byId("data").textContent);
const game = data;
dress(game.look);
const last = data.moves.length;
let at = 0;
let timer = null;
let looking = null, current = null, onTable = null; // as on the page to play on
const showsNotation = () => false;
const view = { names: data.seats, mine: [], seat: data.seat, points: data.points[0], ending: null, to_move: null, covered: false, number: last };

// Tables come as they are drawn. Drawings are lists of pieces, each stored as the number of pieces shared with the last
// one, at the front and end.
const tables = []; // functions that give the parts
function more({ parts, pictures, frames }) {
  const drawings = [];
  for (const [front, end, ...middle] of pictures.frames) {
    const before = drawings.length ? drawings.at(-1) : [];
    drawings.push([...before.slice(0, front), ...middle, ...before.slice(before.length - end)]);
  }
  const drawn = (drawing) => drawings[drawing].map((piece) => pictures.parts[piece]).join("");
  for (const frame of frames) tables.push(() => frame.map(([part, drawing]) => ({ ...parts[part], svg: drawn(drawing) })));
  if (missing) show(at);
}

byId("title").textContent = data.title;
linkToLobby();
byId("back-to-table").hidden = !location.pathname.startsWith("/replay/");
byId("back-to-table").href = location.pathname.replace("/replay/", "/play/");
data.seats.forEach((name, seat) => {
  byId("people").append(element("span", { class: `seat-${seat}`, id: `person-${seat}` }, name));
});
byId("slider").max = byId("at").max = last;
byId("of").textContent = `of ${last}`;
byId("note").textContent = data.note;
byId("note").hidden = !data.note;
receiveLog(0, data.moves);

let missing = false; // whether the table to show is still to come
function draw(frame, duration) {
  missing = !tables[frame];
  if (missing) return;
  const before = duration ? lieOfTheTable() : null;
  drawParts(receiveParts(tables[frame]()));
  if (before) animate(before, duration);
}

// What a decision changed: the smallest things that are drawn otherwise than before it.
function changedBy(number) {
  const before = new Map(tables[data.shown[number - 1]]().map(({ name, svg }) => [name, svg]));
  return tables[data.shown[number]]().filter(({ name, svg }) => before.get(name) !== svg).flatMap(({ name, svg }) => {
    const [was, is] = [before.get(name) ?? "", svg].map((text) => [...new DOMParser().parseFromString(text, "text/html").querySelectorAll("[id]")]);
    const old = new Map(was.map((one) => [one.id, one.outerHTML]));
    const changed = is.filter((one) => old.get(one.id) !== one.outerHTML);
    return changed.filter((one) => !changed.some((other) => one !== other && one.contains(other))).map((one) => one.id);
  });
}

// Marks what changed, and on a phone goes there: first to what the seat has that decided
function showChange() {
  for (const one of document.querySelectorAll("#table .pointed")) {
    one.classList.remove("pointed");
    if (!one.classList.length) one.removeAttribute("class");
  }
  if (missing) return;
  const spots = at ? changedBy(at).map(byId).filter((spot) => spot?.closest("#table")) : [];
  for (const spot of spots) spot.classList.add("pointed");
  if (!narrow.matches || !at) return; // a replay begins at the top
  const seat = data.moves[at - 1].seat;
  const home = seat === data.seat ? "#own" : `#others [data-seat="${seat}"]`;
  (spots.find((spot) => spot.closest(home)) ?? spots[0] ?? byId("common")).scrollIntoView({ block: "center" });
}

function followLine() {
  const log = byId("log"), line = log.querySelector("li.now"); // the page itself stays where it is
  log.scrollTop = line ? log.scrollTop + line.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 2 : 0;
}

// How a machine of another seat runs
function watchRun(number) {
  const seat = data.moves[number - 1]?.seat, runs = data.shown[number] - data.shown[number - 1] > 1;
  watch(runs && seat !== data.seat ? seat : null);
}

function show(number, duration = 0) {
  at = Math.round(Math.max(0, Math.min(last, number)));
  watchRun(at);
  view.points = data.points[at];
  onTable = view;
  view.to_move = data.moves[at]?.seat ?? null;
  draw(data.shown[at], duration);
  byId("slider").value = byId("at").value = at;
  const move = at ? data.moves[at - 1] : null;
  data.seats.forEach((name, seat) => {
    const person = byId(`person-${seat}`);
    person.textContent = `${name}: ${data.points[at][seat]}`;
    person.classList.toggle("turn", move !== null && move.seat === seat);
    for (const points of document.querySelectorAll(`.points-of-${seat}`)) points.textContent = pointsText(seat);
  });
  byId("page-status").textContent = data.stages[at];
  const told = move ? `${at}. ${data.seats[move.seat]}: ${move.words || move.move || "a hidden choice"}` : "the start";
  byId("prompt").textContent = told + (missing ? " — drawing…" : at === last && data.ending ? ` — ${data.ending}` : "");
  chosen = at || null;
  showLog(last, at);
  followLine();
  showThought(at);
  showBetter(move?.remarks.judged ?? {});
  showCurves();
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("next").disabled = byId("last").disabled = at === last;
  showChange();
}

// What the analysis found
function showBetter({ words, loss, same }) {
  if (typeof words !== "string" || same || loss === 0) return;
  byId("thought").hidden = false;
  byId("thinker").textContent = `better${loss > 0 ? ` (${signed(loss)})` : ""}: ${words}`;
}

// Forward goes through the tables between two decisions, back does not.
let between = 0;
function forward() {
  if (missing) return undefined;
  if (at === last) return stop();
  const from = data.shown[at];
  const steps = data.shown[at + 1] - from - 1;
  const pace = Math.min(600, Number(byId("speed").value) * 0.7);
  if (timer !== null && between < steps) {
    between += 1;
    watchRun(at + 1);
    draw(from + between, pace);
    return undefined;
  }
  between = 0;
  return show(at + 1, pace);
}

function stop() {
  if (timer !== null) clearInterval(timer);
  timer = null;
  between = 0;
  byId("play").textContent = "▶ play";
  return undefined;
}

function start() {
  stop();
  if (at === last) show(0);
  timer = setInterval(forward, Number(byId("speed").value));
  byId("play").textContent = "◼ stop";
}

const toggle = () => (timer === null ? start() : stop());
const goTo = (number) => {
  stop();
  show(number);
};
const look = goTo;
const toNow = () => show(at); // when a window becomes narrow or wide
current = true;
byId("first").onclick = () => goTo(0);
byId("back").onclick = () => goTo(at - 1);
byId("next").onclick = () => goTo(at + 1);
byId("last").onclick = () => goTo(last);
byId("play").onclick = toggle;
byId("speed").onchange = () => timer !== null && start();
byId("slider").oninput = (event) => goTo(Number(event.target.value));
byId("at").onchange = (event) => goTo(Number(event.target.value) || 0);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  if (event.key === " " && event.target.closest("button")) return;
  const keys = {
    ArrowRight: () => goTo(at + 1), ArrowLeft: () => goTo(at - 1), Home: () => goTo(0), End: () => goTo(last),
    PageDown: () => goTo(at + 10), PageUp: () => goTo(at - 10), " ": toggle,
  };
  if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
});

const values = data.seats.map((_, seat) =>
  data.moves.flatMap((move, k) => {
    const value = move.remarks.value ?? move.remarks.judged?.value; // of an agent at play, or of the analysis
    return move.seat === seat && typeof value === "number" ? [[k + 1, value]] : [];
  }).filter(([number]) => number < last || !data.ranks.length));
for (const [seat, each] of values.entries()) if (each.length && data.ranks.length) each.push([last, outcome(data.ranks, seat)]);
function showCurves() {
  byId("points").querySelector("div").replaceChildren(pointsCurve(data.points, at, goTo));
  if (!values.some((each) => each.length)) return;
  byId("values").hidden = false;
  const told = chanceTo(data.seats.length);
  byId("values").querySelector("h2").textContent = told;
  byId("values").querySelector("div").replaceChildren(
    curve({ series: values, low: -1, high: 1, shows: chance, last, at, go: goTo, label: `${told} by move and player` }));
}
more(data);
show(Math.min(last, Number(location.hash.slice(1)) || 0));
