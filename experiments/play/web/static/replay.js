"use strict";
// A recorded game, from the data in the page: steps, jumps, autoplay, graphs.

const game = JSON.parse(byId("data").textContent);
const last = game.moves.length;
let at = 0;
let timer = null;

// Pictures are lists of parts. Each is stored as the number of parts shared with the last one, at the front and end.
const pictures = [];
for (const [front, end, ...middle] of game.pictures.frames) {
  const before = pictures.length ? pictures[pictures.length - 1] : [];
  pictures.push([...before.slice(0, front), ...middle, ...before.slice(before.length - end)]);
}
const svgOf = (number) => pictures[number].map((part) => game.pictures.parts[part]).join("");

byId("title").textContent = game.title;
linkToLobby();
game.seats.forEach((name, seat) => {
  byId("people").append(element("span", { class: `seat-${seat}`, id: `person-${seat}` }, `${seat}: ${name}`));
});
byId("slider").max = byId("at").max = last;
byId("of").textContent = `of ${last}`;
byId("note").textContent = game.note;
byId("note").hidden = !game.note;

let round = 0;
const lines = game.moves.map((move, k) => {
  if (move.round !== round) byId("log").append(element("li", { class: "round" }, `round ${(round = move.round)}`));
  const line = logLine(k + 1, move.seat, `${game.seats[move.seat]}: ${move.move}`, move.words || move.move || "a hidden choice", move.remarks.value);
  line.classList.add("link");
  line.addEventListener("click", () => show(k + 1));
  byId("log").append(line);
  return line;
});

function show(number, shown = game.shown[number]) {
  at = Math.round(Math.max(0, Math.min(last, number)));
  if (number !== at) shown = game.shown[at];
  byId("board").innerHTML = svgOf(shown);
  fitBoard();
  byId("slider").value = byId("at").value = at;
  lines.forEach((line, k) => line.classList.toggle("now", k + 1 === at));
  if (at) {
    const log = byId("log");
    const line = lines[at - 1];
    log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
  } else byId("log").scrollTop = 0;
  const move = at ? game.moves[at - 1] : null;
  game.seats.forEach((name, seat) => {
    const person = byId(`person-${seat}`);
    person.textContent = `${seat}: ${name} (${game.points[at][seat]})`;
    person.classList.toggle("turn", move !== null && move.seat === seat);
  });
  byId("page-status").textContent = move ? `${at}. ${move.words || move.move}` + (at === last && game.ending ? ` — ${game.ending}` : "") : "the beginning";
  byId("thought").hidden = !move || !fillThought(byId("thought").querySelector("table"), move.remarks, null, move.said);
  document.querySelectorAll(".graph line.at").forEach((line) => {
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  });
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("next").disabled = byId("last").disabled = at === last;
}

// Forward goes through the pictures between two decisions, back does not.
let between = 0;
function forward() {
  if (at === last) return stop();
  const from = game.shown[at];
  const steps = game.shown[at + 1] - from - 1;
  if (timer !== null && between < steps) {
    between += 1;
    byId("board").innerHTML = svgOf(from + between);
    return undefined;
  }
  between = 0;
  return show(at + 1);
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
byId("first").onclick = () => goTo(0);
byId("back").onclick = () => goTo(at - 1);
byId("next").onclick = () => goTo(at + 1);
byId("last").onclick = () => goTo(last);
byId("play").onclick = toggle;
byId("zoom").onclick = nextSize;
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

// Graphs: a line for each seat, of [decision, value]; a click jumps there.
function graph(holder, series, low, high) {
  const svg = holder.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${Math.max(1, last)} 100`);
  const y = (value) => 96 - (92 * (value - low)) / Math.max(1e-9, high - low);
  const zero = `<line x1="0" x2="${last}" y1="${y(0)}" y2="${y(0)}"></line>`;
  const paths = series.map((points, seat) => {
    const text = points.map(([x, value], k) => `${k ? "L" : "M"}${x} ${y(value).toFixed(1)}`).join("");
    return `<path d="${text}" stroke="var(--seat-${seat})"></path>`;
  });
  svg.innerHTML = `${zero}${paths.join("")}<line class="at" x1="0" x2="0" y1="0" y2="100"></line>`;
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    goTo(Math.round((last * (event.clientX - box.left)) / box.width));
  };
}

const values = game.seats.map((_, seat) =>
  game.moves.flatMap((move, k) => (move.seat === seat && move.remarks.value !== undefined ? [[k + 1, move.remarks.value]] : [])));
if (values.some((points) => points.length)) {
  byId("values").hidden = false;
  graph(byId("values"), values, -1, 1);
}
const most = Math.max(1, ...game.points.flat());
graph(byId("points"), game.seats.map((_, seat) => game.points.map((points, k) => [k, points[seat]])), Math.min(0, ...game.points.flat()), most);
show(Math.min(last, Number(location.hash.slice(1)) || 0));
