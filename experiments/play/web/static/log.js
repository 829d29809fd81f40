"use strict";
// The log by round and turn; each turn leads back to its position.

let log = []; // the decisions: { seat, move, words, round, remarks, said, first, events }
let chosen = null; // the line whose opinion is shown
const replaying = document.body.classList.contains("replaying"); // then all rounds are open
const folded = new Map(); // round -> whether the reader closed or opened it

// Words for tokens become pictures; the words stay for readers
function pictured(text) {
  const icons = game.icons ?? {}, names = Object.keys(icons);
  if (!names.length) return [text];
  return text.split(new RegExp(`(\\(?(?:\\d+ )?\\b(?:${names.join("|")})\\b[,.;:)]*)`)).map((piece, k) => {
    if (k % 2 === 0) return piece;
    const word = names.find((name) => piece.includes(name)), [before, after] = piece.split(word);
    return element("span", { class: "icon" }, before, pictureOf(icons[word]), element("span", { class: "unseen" }, word), after);
  });
}

function receiveLog(from, lines) {
  log = [...log.slice(0, from), ...lines];
  if (chosen !== null && chosen > log.length) chosen = null;
}

// The turns of the log up to a decision: lists of [line, number].
function turnsUpTo(upTo) {
  const turns = [];
  log.slice(0, Math.max(0, upTo)).forEach((line, k) => {
    if (line.first || !turns.length) turns.push([]);
    turns.at(-1).push([line, k + 1]);
  });
  return turns;
}

function showLog(upTo, at) {
  const list = byId("log");
  const rounds = new Map();
  for (const turn of turnsUpTo(upTo)) {
    const { round } = turn[0][0];
    rounds.set(round, [...(rounds.get(round) ?? []), turn]);
  }
  const last = [...rounds.keys()].pop();
  const made = [...rounds].map(([round, turns]) => {
    const block = element("details", {}, element("summary", {}, round ? `round ${round}` : "moves"),
      element("ol", {}, ...turns.map((turn) => turnElement(turn, at))));
    block.open = folded.get(round) ?? (replaying || round >= last - 1 || turns.some((turn) => holds(turn, at)));
    block.querySelector("summary").addEventListener("click", () => folded.set(round, !block.open));
    return block;
  });
  const late = upTo === log.length && looking === null ? view?.late ?? [] : [];
  if (late.length) made.push(element("ol", {}, element("li", { class: "turn-of" }, ...eventElements(late))));
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.number : undefined;
  list.replaceChildren(...made);
  if (focused) list.querySelector(`[data-number="${focused}"]`)?.focus({ preventScroll: true });
  byId("since-mine")?.replaceChildren(...sinceMine(upTo, late).flatMap((each) => [each, ". "]));
  followLog();
}

// What others did since one's last turn, or before the turn that is on, in brief
function sinceMine(upTo, late) {
  const events = [...turnsUpTo(upTo).slice(-4 * view.names.length).flatMap((turn) => turn.at(-1)[0].events), ...late];
  while (events.length && events.at(-1)[0] === view.seat) events.pop();
  const others = events.slice(events.findLastIndex(([seat]) => seat === view.seat) + 1).slice(1 - view.names.length);
  return eventElements(others.map(([seat, text]) => [seat, newestPart(brief(text), others.length)]));
}

// The newest part of a long turn, as there is room for in the bar; less if that of others is told beside it
const LONGEST_TOLD = 130, LONGEST_ON_A_PHONE = 80; // characters
function newestPart(text, ofSo = 1) {
  const parts = text.split(/, (?=(?:[a-z]+ed|built|bought|drew|gave|made|paid|put|sold|took) )/), most = (narrow.matches ? LONGEST_ON_A_PHONE : LONGEST_TOLD) / ofSo;
  while (parts.length > 1 && parts.join(", ").length > most) parts.splice(0, 2, `… ${parts[1]}`);
  return parts.join(", ");
}
const eventsOf = (turn) => eventElements(turn.at(-1)[0].events);
const eventElements = (events) => events.map(([seat, text]) => element("span", { class: "event" }, element("b", { class: `seat-${seat}` }, view.names[seat]), " ", ...pictured(text)));
const valueElement = (value) => element("span", { class: "value" }, value === undefined ? "" : chance(value));
const saidOf = (number) => log[number - 1].words || log[number - 1].move;
const brief = (text) => text.replace(/ \(.*?\)/g, "");
const holds = (turn, number) => turn[0][1] <= number && number <= turn.at(-1)[1];

// A turn in the past tense; its single moves if they are wanted
function turnElement(turn, at) {
  const number = turn.at(-1)[1], told = eventsOf(turn);
  const button = element("button", { "data-number": number, title: `see the table after move ${number}`, onclick: () => look(number) }, ...told);
  const value = turn.map(([each]) => each.remarks.value).filter((each) => each !== undefined).pop();
  const made = element("li", { class: "turn-of" }, button, valueElement(value));
  made.classList.toggle("now", holds(turn, at));
  const wanted = showsNotation() || (chosen !== null && holds(turn, chosen));
  return wanted ? element("li", {}, element("ol", {}, made), element("ol", { class: "single" }, ...turn.map(([each, k]) => lineElement(each, k, at)))) : made;
}

// The newest line stays in sight unless the reader has scrolled back
let following = true;
function followLog() {
  if (following && looking === null) byId("log").scrollTop = byId("log").scrollHeight;
}
byId("log").addEventListener("scroll", ({ target }) => {
  const room = target.clientHeight;
  if (room === target.lastRoom) following = target.scrollTop + room > target.scrollHeight - 60;
  target.lastRoom = room;
}, { passive: true });

function lineElement(line, number, at) {
  const button = element("button", { title: `move ${number}: ${line.move}`, "data-number": `single-${number}`, onclick: () => look(number) },
    ...pictured(line.words || line.move || "a hidden choice"));
  if (showsNotation()) button.append(element("span", { class: "notation" }, line.move));
  const made = element("li", {}, element("span", { class: "n" }, String(number)), button, valueElement(line.remarks.value));
  made.classList.toggle("now", number === at);
  return made;
}

function showThought(upTo) {
  let number = chosen ?? upTo;
  const thinks = ({ remarks }) => remarks.visits || remarks.preferences || remarks.value !== undefined;
  while (chosen === null && number > 0 && !thinks(log[number - 1])) number -= 1;
  const line = log[number - 1];
  byId("thought").hidden = !line || !fillThought(byId("thought").querySelector("table"), line.remarks, null, line.said);
  if (line) byId("thinker").textContent = `${view.names[line.seat]} on move ${number}: ${saidOf(number)}`;
}
