"use strict";
// The end: places, where the points came from, how they grew, and the decisions that mattered most.

let finish = null; // the answer of the server
let asking = false;

function showFinish() {
  const box = byId("finish");
  if (!view.ending) {
    box.hidden = true;
    finish = null;
    asking = false;
    return;
  }
  box.hidden = false;
  if (finish === null) {
    if (!asking) send({ do: "finish" });
    asking = true;
    box.replaceChildren(element("h2", {}, "the end"), element("p", {}, ending()));
    return;
  }
  const order = view.names.map((_, seat) => seat).sort((one, other) => view.ending.ranks[one] - view.ending.ranks[other]);
  const rows = order.map((seat) => element("tr", {},
    element("td", { class: "number" }, `${view.ending.ranks[seat]}.`),
    element("td", { class: `seat-${seat}` }, view.names[seat]),
    element("td", { class: "number" }, String(view.points[seat])),
    element("td", {}, sourcesText(finish.sources[seat]))));
  const head = element("tr", {}, ...["", "player", "points", "from"].map((text) => element("th", {}, text)));
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.number ?? document.activeElement.id : undefined;
  const moments = finish.moments.map(({ number, swing }) => element("li", {}, element("button", { class: "link", "data-number": `moment-${number}`, onclick: () => look(number) },
    `${view.names[log[number - 1].seat]}: ${log[number - 1].words || log[number - 1].move} (${signed(swing)})`)));
  box.replaceChildren(element("h2", {}, "the end"), element("table", {}, head, ...rows), pointsGraph(finish.points),
    ...(moments.length ? [element("h2", {}, "largest swings of an agent's evaluation"), scaleElement(), element("ul", {}, ...moments)] : []),
    analysisElement(), onwards());
  if (focused) box.querySelector(`[data-number="${focused}"], [id="${focused}"]`)?.focus({ preventScroll: true });
}

// What to do next; a rematch, if this tab came from the lobby
function onwards() {
  const replay = element("a", { class: "button", href: location.pathname.replace("/play/", "/replay/") }, "replay");
  const room = sessionStorage.getItem(`room of ${location.pathname}`);
  if (!lobby || !room) return element("p", { class: "row" }, replay);
  return element("p", { class: "row" }, element("button", { id: "rematch", onclick: () => askRematch(room) }, "rematch"), replay);
}

let rematch = null; // the connection on which one is asked for
function askRematch(room) {
  if (rematch !== null) return;
  const answers = { created: (message) => enter(message.room, () => location.assign(lobby)), error: (message) => toast(message.text) };
  rematch = socketOf(lobby);
  rematch.onopen = () => rematch.send(JSON.stringify({ do: "rematch", room }));
  rematch.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (!(message.type in answers)) return; // the lobby's own news
    rematch.close();
    answers[message.type](message);
  };
  rematch.onerror = () => toast("the lobby does not answer");
  rematch.onclose = () => (rematch = null);
}

const scaleElement = () => element("p", { class: "faint" }, "evaluations go from −1, lost, to +1, won");
const sourcesText = (sources) => Object.entries(sources).map(([name, points]) => `${name}: ${points}`).join(", ");

function receiveFinish(message) {
  finish = message;
  refresh();
}

// Points by decision: a line for each seat, with axes; a click goes to that position.
function pointsGraph(points) {
  const wide = 280, high = 130, left = 26, low = 18;
  const last = Math.max(1, points.length - 1);
  const most = Math.max(1, ...points.flat()), least = Math.min(0, ...points.flat());
  const x = (number) => left + ((wide - left - 6) * number) / last;
  const y = (value) => 6 + ((high - low - 6) * (most - value)) / (most - least);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "points of every player by decision");
  const text = (at, down, anchor, what) => `<text x="${at}" y="${down}" font-size="10" text-anchor="${anchor}" fill="currentColor">${what}</text>`;
  const grid = [least, Math.round((least + most) / 2), most].map((value) =>
    `<line x1="${left}" x2="${wide - 6}" y1="${y(value)}" y2="${y(value)}" stroke="var(--line)"></line>${text(left - 4, y(value) + 3, "end", value)}`);
  const paths = view.names.map((_, seat) => {
    const course = points.map((line, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(line[seat]).toFixed(1)}`).join("");
    return `<path d="${course}" fill="none" stroke-width="2" stroke="var(--seat-${seat})"></path>`;
  });
  svg.innerHTML = `${grid.join("")}${paths.join("")}${text(left, high - 4, "start", "0")}${text(wide - 6, high - 4, "end", `decision ${last}`)}`;
  svg.style.cursor = "pointer";
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * wide;
    look(Math.max(0, Math.min(last, Math.round(((at - left) / (wide - left - 6)) * last))));
  });
  return svg;
}

// What an agent would have played, and by how much each own decision fell short of it
let analysis = null; // { done, of, lines: { number: { move, words, loss } } }

function analysisElement() {
  if (!view.mine.length) return "";
  if (!analysis) {
    return element("p", {}, element("button", { id: "analyse", onclick: startAnalysis }, "analyse"),
      " what the agent of hints would have played");
  }
  const worse = ({ same, loss }) => (same ? -1 : loss ?? 0);
  const found = Object.entries(analysis.lines).filter(([, line]) => !line.same && line.loss !== 0).sort((one, other) => worse(other[1]) - worse(one[1]));
  const better = (line) => (line.loss === null ? "" : ` (better by ${line.loss.toFixed(2)})`);
  const told = analysis.done < analysis.of ? `looking at decision ${analysis.done} of ${analysis.of} …` : `${analysis.of} decisions looked at by ${analysis.agent}`;
  const items = found.slice(0, 12).map(([number, line]) =>
    element("li", {}, element("button", { class: "link", "data-number": `decision-${number}`, onclick: () => look(Number(number) - 1) },
      `${number}. ${line.words}${better(line)} instead of: ${log[number - 1].words}`)));
  return element("div", { id: "analysis" }, element("h2", {}, "your decisions"), element("p", { class: "faint" }, told), scaleElement(), element("ul", { class: "scrolling" }, ...items));
}

function startAnalysis() {
  analysis = { done: 0, of: 0, lines: {}, agent: "" };
  send({ do: "analyse" });
  refresh();
}

// What was asked for does not come: the connection is gone, or the server refuses
function endFinish(gone) {
  asking = false;
  if (analysis && (!analysis.agent || (gone && analysis.done < analysis.of))) analysis = null;
}

function receiveAnalysis(message) {
  analysis ??= { lines: {} };
  Object.assign(analysis, { done: message.done, of: message.of, agent: message.agent });
  if (message.line) analysis.lines[message.line.number] = message.line;
  refresh();
}
