"use strict";
// The end: who won, points by source, curves, and the decisions that mattered most.

let finish = null; // the answer of the server
let asking = false;
let ended = false; // whether the last position has been shown

function showFinish() {
  const box = byId("finish");
  ended = view.ending !== null && (ended || settled());
  box.hidden = !ended;
  if (box.hidden) {
    finish = null;
    asking = false;
    return;
  }
  if (finish === null) {
    if (!asking) send({ do: "finish" });
    asking = true;
    box.replaceChildren(element("h2", {}, "game over"), element("p", {}, view.ending.told));
    return;
  }
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.number ?? document.activeElement.id : undefined;
  const moments = finish.moments.map(({ number, swing }) => element("li", {}, element("button", { class: "link", "data-number": `moment-${number}`, onclick: () => look(number) },
    `${view.names[log[number - 1].seat]}: ${brief(saidOf(number))} (${signed(swing)})`)));
  const values = evaluations();
  box.replaceChildren(element("h2", {}, resultForMe()), element("p", { class: "winner" }, view.ending.winner), ...(view.ending.how === "over" ? [] : [element("p", {}, view.ending.told)]), sourcesTable(), onwards(),
    element("h2", {}, "points"), pointsCurve(finish.points, looking, look),
    ...(values.some((each) => each.length) ? [element("h2", {}, chanceTo(view.names.length)), evaluationCurve(values)] : []),
    ...(moments.length ? [element("h2", {}, "turning points"), element("ul", {}, ...moments)] : []),
    analysisElement());
  if (focused) box.querySelector(`[data-number="${focused}"], [id="${focused}"]`)?.focus({ preventScroll: true });
}

// Of a page's only player
function resultForMe() {
  const { ranks } = view.ending, [mine] = view.mine;
  if (view.mine.length !== 1) return "game over";
  if (ranks[mine] > 1) return "game over: you lost";
  return ranks.filter((rank) => rank === 1).length > 1 ? "game over: a draw" : "game over: you won";
}

const ranked = () => [...view.names.keys()].sort((one, other) => view.ending.ranks[one] - view.ending.ranks[other]);

// The players in order, in the bar of a wide window
const podium = () => ranked().map((seat) => {
  const rank = view.ending.ranks[seat], first = rank === 1;
  return element("span", { class: `plate seat-${seat}${first ? " first" : ""}` }, `${first ? "★" : `${rank}.`} ${view.names[seat]}: ${view.points[seat]}`);
});

// For winners tokens rain, once, in a wide window
function celebrate() {
  if (calm.matches || narrow.matches || speed.value === "0" || !view.mine.some((seat) => view.ending.ranks[seat] === 1)) return;
  const tokens = Object.keys(game.icons), at = (top) => ({ left: innerWidth * Math.random(), top, width: 0, height: 0 });
  for (let k = 0; k < 24; k += 1) flyToken(tokens[k % tokens.length], at(-30), at(innerHeight + 30), 2400, k);
}

// Points by source: a column for each player, the best first
function sourcesTable() {
  const order = ranked();
  const names = [...new Set(order.flatMap((seat) => Object.keys(finish.sources[seat])))];
  const row = (label, cells, attributes = {}) => element("tr", attributes, element("th", { scope: "row" }, label), ...cells.map((cell) => element("td", { class: "number" }, String(cell))));
  return element("table", { id: "sources" },
    element("tr", {}, element("th", {}, "points for"), ...order.map((seat) => element("th", { class: `number seat-${seat}`, scope: "col" }, `${view.ending.ranks[seat]}. ${view.names[seat]}`))),
    ...names.map((name) => row(name, order.map((seat) => finish.sources[seat][name] ?? "–"))),
    row("total", order.map((seat) => view.points[seat]), { class: "total" }));
}

// Evaluations by seat, of agents at play and of the analysis, as [decision, value] pairs
function evaluations() {
  const found = finish.values.map((values) => new Map(values));
  for (const [number, line] of Object.entries(analysis?.lines ?? {})) {
    if (line.value !== null) found[log[number - 1].seat].set(Number(number), line.value);
  }
  for (const [seat, values] of found.entries()) { // in the end it is certain
    if (values.size && analysis?.done === analysis?.of) values.set(finish.points.length - 1, outcome(view.ending.ranks, seat));
  }
  return found.map((values) => [...values].sort((one, other) => one[0] - other[0]));
}

function evaluationCurve(values) {
  const worst = Object.values(analysis?.lines ?? {}).filter((line) => line.loss > 0 && line.value !== null).sort((one, other) => other.loss - one.loss).slice(0, 5);
  const told = (number) => `${view.names[log[number - 1].seat]}: ${saidOf(number)}`;
  const at = (number) => new Map(values[log[number - 1].seat]).get(number);
  const marks = [...finish.moments.map(({ number, swing }) => ({ number, title: `${told(number)} (${signed(swing)})` })),
    ...worst.map(({ number, words: better }) => ({ number, title: `${told(number)}; better: ${better}` }))];
  return curve({ series: values, low: -1, high: 1, shows: chance, last: finish.points.length - 1, at: looking, go: look,
    label: `${chanceTo(view.names.length)} by move and player, with turning points`,
    marks: marks.map((mark) => ({ ...mark, seat: log[mark.number - 1].seat, value: at(mark.number) })) });
}

// What to do next: a rematch, if this browser knows the lobby
function onwards() {
  const replay = element("a", { class: "button", href: location.pathname.replace("/play/", "/replay/") }, "replay");
  const again = lobby ? [element("a", { class: "button", id: "rematch", href: `${lobby}#${roomHere}` }, "rematch")] : [];
  const analyze = view.mine.length && !analysis ? [element("button", { id: "analyze", title: "find better moves than mine", onclick: startAnalysis }, "analyze")] : [];
  return element("p", { class: "row" }, ...again, replay, ...analyze);
}

function receiveFinish(message) {
  finish = message;
  shownEnd = false; // it is longer now
  if (message.analysis && !analysis) { // from before the page was left
    analysis = message.analysis;
    if (analysis.done < analysis.of) send({ do: "analyze" });
  }
  refresh();
}

// What an agent would have played, and how far each own decision fell short
let analysis = null; // { done, of, lines: { number: { move, words, loss, value } } }

function analysisElement() {
  if (!view.mine.length || !analysis) return "";
  const worth = ([, { loss }]) => Math.round(50 * loss) > 3; // less is noise, and so is what is not known
  const found = Object.entries(analysis.lines).filter(worth).sort((one, other) => other[1].loss - one[1].loss);
  const told = analysis.done < analysis.of ? `checking ${analysis.done} of ${analysis.of} moves…` : `${analysis.of} moves checked by ${analysis.agent}`;
  const items = found.slice(0, 12).map(([number, { words: better, loss }]) => {
    const said = saidOf(number), short = brief(better) === brief(said) ? String : brief;
    return element("li", {}, element("button", { class: "link", "data-number": `decision-${number}`, onclick: () => look(Number(number) - 1) },
      `${number}. ${short(better)} (${signed(loss)})`), element("div", { class: "faint" }, `instead of: ${short(said)}`));
  });
  return element("div", { id: "analysis" }, element("h2", {}, "better moves"), element("p", { class: "faint" }, told), element("ul", {}, ...items));
}

function startAnalysis() {
  analysis = { done: 0, of: 0, lines: {}, agent: "" };
  send({ do: "analyze" });
  refresh();
  rollTo(byId("analysis"), "start");
}

// The connection is gone, or the server refuses
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
