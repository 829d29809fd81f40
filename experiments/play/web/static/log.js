"use strict";
// The log by round and turn; each line leads back to its position.

let log = []; // the decisions: { seat, move, words, round, remarks, said }
let chosen = null; // the line whose opinion is shown
const folded = new Map(); // round -> whether the reader closed or opened it

function receiveLog(from, lines) {
  log = [...log.slice(0, from), ...lines];
  if (chosen !== null && chosen > log.length) chosen = null;
}

function showLog(upTo, at) {
  const list = byId("log");
  const rounds = new Map();
  log.slice(0, Math.max(0, upTo)).forEach((line, k) => {
    rounds.set(line.round, [...(rounds.get(line.round) ?? []), [line, k + 1]]);
  });
  const last = [...rounds.keys()].pop();
  const made = [...rounds].map(([round, lines]) => {
    const items = [];
    let seat = null;
    for (const [line, number] of lines) {
      if (line.seat !== seat) {
        seat = line.seat;
        items.push(element("li", { class: `turn-of seat-${seat}` }, view.names[seat]));
      }
      items.push(lineElement(line, number, at));
    }
    const block = element("details", {}, element("summary", {}, round ? `round ${round}` : "moves"), element("ol", {}, ...items));
    block.open = folded.get(round) ?? (round >= last - 1 || lines.some(([, number]) => number === at));
    block.querySelector("summary").addEventListener("click", () => folded.set(round, !block.open));
    return block;
  });
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.number : undefined;
  list.replaceChildren(...made);
  if (focused) list.querySelector(`[data-number="${focused}"]`)?.focus({ preventScroll: true });
  followLog();
}

// The newest line stays in sight, also when the log has less room, unless the reader has scrolled back
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
  const button = element("button", { title: `decision ${number}: ${line.move}`, "data-number": number, onclick: () => look(number) },
    line.words || line.move || "a hidden choice");
  if (showsNotation()) button.append(element("span", { class: "notation" }, line.move));
  const value = line.remarks.value === undefined ? "" : signed(line.remarks.value);
  const made = element("li", {}, element("span", { class: "n" }, String(number)), button, element("span", { class: "value" }, value));
  made.classList.toggle("now", number === at);
  return made;
}

function showThought(upTo) {
  let number = chosen ?? upTo;
  const thinks = ({ remarks }) => remarks.visits || remarks.preferences || remarks.value !== undefined;
  while (chosen === null && number > 0 && !thinks(log[number - 1])) number -= 1;
  const line = log[number - 1];
  byId("thought").hidden = !line || !fillThought(byId("thought").querySelector("table"), line.remarks, null, line.said);
  if (line) byId("thinker").textContent = `opinion of ${view.names[line.seat]} on decision ${number}, ${line.words || line.move}`;
}
