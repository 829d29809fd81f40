"use strict";
// The legal moves

const movesOf = (spot) => JSON.parse(spot.getAttribute("data-moves"));
const canMove = () => online() && settled() && looking === null && view !== sent && view.legal.length > 0;
const words = (move) => view.words[move] || move;

function moveButton(move, label = words(move)) {
  const stops = view.stops.includes(move) && view.legal.length > 1;
  const button = element("button", { "data-move": move, class: stops ? "stop" : "", onclick: () => play(move, 1, mayOnlyReveal(move)) }, ...pictured(label));
  if (showsNotation()) button.append(element("span", { class: "notation" }, move));
  button.onmouseenter = () => point(move, true);
  button.onfocus = () => button.matches(":focus-visible") && point(move, true);
  button.onmouseleave = button.onblur = () => point(move, false);
  return button;
}

// What can be done several times in a row, at one go
function repeated(move, say = words) {
  const times = view.again[move] ?? 1, result = (text = "") => /\((.*)\)$/.exec(text)?.[1] ?? "", once = result(say(move));
  return Array.from({ length: times - 1 }, (_, k) => {
    const then = once && result(view.then[move]?.[k]);
    const label = `×${k + 2}${then && then !== once ? `: ${then.slice(commonStart([once, then]).length)}` : ""}`;
    return element("button", { class: "times", "aria-label": `${words(move)}, ${k + 2} times`, onclick: () => play(move, k + 2) }, ...pictured(label));
  });
}

// Moves that say the same before a colon share a line
function moveList(moves, several) {
  const lines = new Map();
  for (const move of moves) {
    const [, what = move, how] = /^(.*): (.*)$/.exec(words(move)) ?? [];
    lines.set(what, [...(lines.get(what) ?? []), [move, how]]);
  }
  return [...lines].map(([what, all]) => {
    const [[move]] = all, alone = all.length < 2, times = alone && several ? repeated(move) : [];
    if (alone && !times.length) return moveButton(move);
    const first = alone ? moveButton(move) : element("span", {}, ...pictured(`${what}:`));
    return element("div", { class: "row" }, first, ...(alone ? times : all.map((one) => moveButton(...one))));
  });
}

let repeating = null; // what gives the next move, how many more, by whom and from which decision on
let cameFrom = null; // id of the spot whose choices are shown
const MOST_NAMED = 8;
let sent = null; // the position in which a move was sent that is not answered yet

let proposed = null; // a move to confirm, and the decision it is for
function propose(move) {
  proposed = move === null ? null : { move, number: view.number };
  point(move, true);
  showMoves();
  byId("confirm")?.focus();
}

function confirmation() {
  const confirm = { id: "confirm", class: "strong", "aria-describedby": "prompt", onclick: () => proposed && play(proposed.move, 1, true) };
  return [element("button", confirm, "confirm"), element("button", { id: "not-yet", onclick: () => propose(null) }, "cancel")];
}

// What gives something up; what ends the turn, unless nothing else can be done, not even undo; and what shows something hidden
const asks = (move) => byId("confirms").checked && (move in view.forgoes || ((view.legal.length > 1 || (view.undo && !view.stops.includes(move))) && [...view.ends, ...view.lasting].includes(move)));
const mayOnlyReveal = (move) => !(move in view.forgoes || view.ends.includes(move)); // which a button says
function whyAsked({ move }) {
  if (view.forgoes[move]) return view.forgoes[move];
  if (view.stops.includes(move) && view.gain > 0) return `You could still score ${view.gain} point${view.gain > 1 ? "s" : ""}`;
  return `This ${view.ends.includes(move) ? "ends your turn" : "reveals something hidden and cannot be undone"}`;
}
const MANY = 2; // moves that can be undone at one go
let together = null; // the number of the position where moves at one go began: they are undone together
function play(move, times = 1, confirmed = false) {
  if (!confirmed && asks(move)) {
    advice.hidden = true;
    closeChoices();
    closeMoves();
    if (canMove()) propose(move);
    return;
  }
  proposed = null;
  together = times > 1 ? view.number : null;
  repeating = { next: () => move, left: times - 1, seat: view.seat, from: view.number };
  closeChoices();
  closeMoves();
  if (!canMove() || !view.legal.includes(move)) return;
  send({ do: "move", move, number: view.number });
  [sent, sentAt] = [view, Date.now()]; // a second touch plays nothing
}

// A click while the answer is on its way counts when it has come, unless it was a double click
const DOUBLE_CLICK = 400; // milliseconds
let sentAt = 0, waiting = null; // the id of what was clicked
function playWaiting() {
  const spot = waiting && canMove() ? byId(waiting) : null;
  waiting = null;
  if (spot?.hasAttribute("data-moves")) choose(spot);
}

const FEW = 5, FEW_ON_A_PHONE = 3; // moves that are buttons beside the table, too, where there is room

// What leads to something that cannot be done at once, as one choice
function offerAll({ text, moves, offer }) {
  const button = element("button", { class: "strong", "data-move": moves[0], onclick: () => playAll(moves) }, ...pictured(offer));
  byId("actions").replaceChildren(button, element("button", { id: "not-now", onclick: closeChoices }, "cancel"));
  byId("prompt").replaceChildren(...pictured(text));
  decision.classList.add("choosing");
}
function playAll([first, ...then]) {
  if (!canMove()) return;
  play(first, 1, true);
  Object.assign(repeating, { next: () => then.shift(), left: then.length });
  together = view.number;
}

// Moves about what other players have, which a wide window shows in brief; on a phone a few moves elsewhere on the page, unless it goes there
function outOfSight() {
  if (narrow.matches) {
    const [top, bottom] = [byId("purse").getBoundingClientRect().bottom, decision.getBoundingClientRect().top];
    const seen = [...table.querySelectorAll("svg .legal")].some((spot) => {
      const box = spot.getBoundingClientRect();
      return spot.closest("#purse, #decision") || (box.bottom > top + LINE / 2 && box.top < bottom - LINE / 2);
    });
    return seen || goThere() || view.legal.length > MOST_NAMED ? [] : view.legal.filter((move) => !view.others.includes(move));
  }
  if (byId("own").hidden) return [];
  const inSight = new Set([...board.querySelectorAll(".zone:not([hidden]) [data-moves]"), ...byId("status").querySelectorAll("[data-moves]")].flatMap(movesOf));
  return view.legal.filter((move) => !inSight.has(move) && !view.others.includes(move));
}

// Goes to what can be clicked, once for each decision; tells whether it did so now
let wentFor = -1; // a decision
function goThere() {
  const spot = table.querySelector("svg .legal");
  if (!spot || wentFor === view.number) return false;
  wentFor = view.number;
  jumped = null;
  rollTo(spot.closest(".part"), "center");
  return true;
}

// The next of several moves, while it is the mover's turn; what ends that is confirmed
function repeat() {
  const { next, left, seat, from } = repeating, move = left > 0 ? next() : null;
  const sameTurn = view.seat === seat && log.slice(from).every((line) => line.seat === seat);
  const more = sameTurn && view.legal.includes(move);
  repeating.left -= 1;
  if (!more || asks(move)) repeating = null;
  if (repeating) send({ do: "move", move, number: view.number });
  else if (more) propose(move);
}

function showMoves() {
  const legal = canMove() ? view.legal : [], finished = view.ending !== null && settled();
  decision.classList.toggle("ended", finished);
  byId("choose").hidden = !legal.length && (narrow.matches || view.ending !== null);
  decision.classList.toggle("turn", legal.length > 0);
  decision.hidden = view.covered || looking !== null;
  byId("looking").hidden = looking === null;
  showPlayer();
  if (proposed && (proposed.number !== view.number || !legal.includes(proposed.move))) proposed = null;
  decision.classList.toggle("asking", proposed !== null);
  byId("prompt").textContent = proposed ? `${brief(words(proposed.move))}. ${whyAsked(proposed)}.` : legal.length ? view.prompt || "Your turn" : finished ? view.prompt : statusText();
  byId("undo").disabled = !canMove() || !(view.undo || proposed);
  byId("undo").title = byId("undo").disabled ? "nothing to undo, or something hidden was revealed" : "undo your last move (u)";
  byId("undo-all").disabled = !canMove() || view.undo < MANY;
  byId("hint").disabled = !canMove() || hinting !== null;
  byId("all-moves").disabled = !legal.length;
  byId("save").hidden = !view.ending;
  const advised = advice.dataset; // others who share the page must not see it
  if (advised.number !== String(view.number) || advised.seat !== String(view.seat)) {
    advice.hidden = true;
    for (const spot of table.querySelectorAll(".advised")) spot.classList.remove("advised");
  }
  const at = document.activeElement;
  if (at?.closest?.("#moves, #choices, #actions") && at.matches(":focus-visible")) [keyboard, refocus] = [true, at.dataset.move];
  const free = legal.length > 0 && !proposed;
  const rest = free && view.rest ? [element("button", { "data-move": view.rest[0], onclick: () => play(view.rest[0], Infinity) }, view.rest[1])] : [];
  const others = free ? [...view.others, ...outOfSight()] : [];
  const few = free && !rest.length && legal.length <= (narrow.matches ? FEW_ON_A_PHONE : FEW) ? legal.filter((move) => !others.includes(move)) : [];
  const fill = (moves) => byId("actions").replaceChildren(...(proposed ? confirmation() : []), ...rest, ...moves.map((move) => moveButton(move)), ...(finished && !narrow.matches ? podium() : []));
  fill([...few, ...others]);
  if (few.length && !fits()) fill(others);
  const back = narrow.matches && !byId("undo-all").disabled ? [element("button", { onclick: () => takeBack(view.undo) }, "undo all")] : [];
  byId("moves").replaceChildren(...moveList(legal), ...back);
  const still = inBar() && offered.length > 0 && offered.every((move) => legal.includes(move));
  if (inBar() && !(still && offerInBar())) restoreBar();
  if (keyboard && legal.length) { // the keyboard stays in the list, on the same move if it is there again
    const again = byId("moves").querySelector(`[data-move="${CSS.escape(refocus ?? "")}"]`);
    (again ?? byId("moves").querySelector("button")).focus();
    keyboard = false;
  }
  for (const button of document.querySelectorAll("#jump button")) {
    const lit = legal.length && byId(button.dataset.to)?.querySelector(".legal");
    button.classList.toggle("lit", Boolean(lit));
  }
}

// A finger touches the whole image, and then chooses a line.
function movesUnder(spot) {
  const whole = narrow.matches && spot.closest("[data-touch='whole']");
  const spots = whole ? [...whole.querySelectorAll("[data-moves]")] : [spot];
  return [...new Set(spots.flatMap(movesOf))];
}

function mark(kind, move) {
  for (const spot of table.querySelectorAll("svg [data-moves]")) spot.classList.toggle(kind, movesOf(spot).includes(move));
}
function point(move, on) {
  mark("pointed", on && move);
}

// A click on another spot picks from the moves that are offered, if one of them is there: a card, then its place
let offered = []; // the moves in the list
function choose(spot, among = []) {
  if (!settled()) {
    showLast();
    return;
  }
  const here = canMove() ? movesUnder(spot).filter((move) => view.legal.includes(move)) : [];
  const both = here.filter((move) => among.includes(move));
  const moves = both.length && both.length < among.length ? both : here;
  if (!moves.length) return;
  hideLens();
  const again = both.length === 1 && spot.id === cameFrom; // a second click on what can be done several times
  const elsewhere = among.length > 0 && !both.length; // it does not complete what was begun: so nothing is played unasked
  if (again || (moves.length === 1 && !view.again[moves[0]] && (!elsewhere || asks(moves[0])))) {
    play(moves[0]);
    return;
  }
  spot.classList.add("pointed");
  offer(moves, spot);
  markOffered();
}

// On a phone, what the sheet is about stays in sight
let scrolled = null; // from where, until the sheet closes
function aboveSheet(spot, sheet) {
  if (!narrow.matches || !spot) return;
  const { top, bottom } = spot.getBoundingClientRect(), high = byId("purse").getBoundingClientRect().bottom;
  if (top > high && bottom < sheet.getBoundingClientRect().top) return;
  scrolled ??= scrollY;
  scrollBy(gently({ top: top - high - LINE }));
}

const flash = (list) => list.animate({ boxShadow: ["0 0 0 4px var(--accent)", "0 0 0 4px transparent"] }, 900);

// Where there is room beside what is to be decided, and else in a list
const inBar = () => decision.classList.contains("choosing");
const offerInBar = () => [words, (move) => brief(words(move)), (move) => brief(words(move)).split(": ")[0]].some(fillBar);
function fillBar(say) {
  const texts = offered.map(say), begin = texts.length > 1 ? commonStart(texts) : "";
  if (new Set(texts).size < texts.length) return false;
  const buttons = offered.flatMap((move, k) => [moveButton(move, texts[k].slice(begin.length)), ...repeated(move, say)]);
  byId("actions").replaceChildren(...buttons, element("button", { id: "not-now", onclick: closeChoices }, "cancel"));
  byId("prompt").replaceChildren(...pictured(whichOf(texts)));
  decision.classList.add("choosing");
  return fits();
}
function fits() {
  const row = byId("actions"), cards = byId("status").querySelectorAll(".part:not(.blank) [id]");
  const over = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const boxes = [...cards].map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
  const covers = [...row.children].some((button) => boxes.some((box) => over(button.getBoundingClientRect(), box)));
  return !covers && row.scrollWidth <= row.clientWidth && decision.scrollHeight <= decision.clientHeight;
}

const whichOf = (texts) => ((texts.length > 1 && commonStart(texts)) || "Which move?").replace(/ $/, "…");

// The whole words that all begin with, without half a parenthesis
function commonStart(texts) {
  const [one] = texts;
  let same = 0;
  while (same < one.length && texts.every((text) => text[same] === one[same])) same += 1;
  const start = one.slice(0, one.lastIndexOf(" ", same - 1) + 1);
  return start.replace(/\([^)]*$/, "");
}

function offer(moves, from) {
  const list = byId("choices").querySelector(".list");
  if (proposed) propose(null);
  offered = moves;
  cameFrom = from.id;
  if (!narrow.matches && from.id !== "more") {
    if (offerInBar()) return byId("actions").querySelector("button").focus();
    restoreBar();
  }
  list.replaceChildren(...moveList(moves, true));
  byId("prompt").replaceChildren(...pictured(whichOf(moves.map(words))));
  byId("choices").hidden = false;
  flash(byId("choices"));
  return list.querySelector("button").focus();
}

// Where a move can be completed that is offered, other spots are dimmed
function markOffered() {
  const spots = [...table.querySelectorAll("svg .legal")];
  const fits = (spot) => movesOf(spot).some((move) => offered.includes(move));
  for (const spot of spots) spot.classList.toggle("idle", offered.length > 0 && !fits(spot));
  const from = byId(cameFrom)?.closest(".part");
  if (offered.length) aboveSheet(spots.find((spot) => fits(spot) && !from?.contains(spot)), byId("choices"));
}

// Buttons that do not fit wait in a list, except what ends the turn.
function foldActions() {
  const row = byId("actions");
  markBar();
  const { classList } = decision;
  classList.remove("crowded");
  const over = () => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight;
  const gives = narrow.matches ? !proposed && !byId("status").querySelector(".legal, [data-card]") : !byId("since-mine").hidden;
  classList.toggle("crowded", gives && over()); // moves matter more
  if (proposed || inBar() || !view.legal.length || !over()) return;
  shorten([...row.children].filter(({ dataset: { move } }) => move && !view.stops.includes(move)));
  if (!over()) return;
  const folded = [];
  const more = element("button", { id: "more", onclick: () => offer(folded, more) }, "9 more"); // as wide as it may become
  row.append(more);
  for (const button of [...row.children].reverse().filter(({ dataset: { move } }) => move && !view.stops.includes(move))) {
    if (!over()) return;
    folded.unshift(button.dataset.move);
    button.hidden = true;
    more.textContent = `${folded.length} more`;
  }
  if (narrow.matches && !byId("status").querySelector(".legal")) classList.toggle("crowded", over());
}

// Of choices between numbers, the numbers
function shorten(buttons) {
  const numbers = buttons.map((button) => /^\d+/.exec(button.textContent)?.[0]);
  if (buttons.length < 3 || numbers.includes(undefined) || new Set(numbers).size < buttons.length) return;
  buttons.forEach((button, k) => {
    button.title = button.textContent;
    button.replaceChildren(numbers[k]);
  });
}

function restoreBar() {
  decision.classList.remove("choosing");
  showMoves();
  foldActions();
}

function closeChoices() {
  const focused = byId(inBar() ? "actions" : "choices").contains(document.activeElement);
  const open = offered.length;
  byId("choices").hidden = true;
  offered = [];
  if (open || inBar()) restoreBar();
  if (scrolled !== null) scrollTo(gently({ top: scrolled }));
  scrolled = null;
  markOffered();
  if (cameFrom) byId(cameFrom)?.classList.remove("pointed");
  if (focused && cameFrom) byId(cameFrom)?.focus({ preventScroll: true });
}

function closeMoves() {
  byId("choose").classList.remove("open");
  byId("all-moves").setAttribute("aria-expanded", "false");
}

let dismissed = false; // whether the click that comes closes the sheet of moves, and so does nothing else
table.addEventListener("click", (event) => {
  if (!event.target.closest("svg") || dismissed) return;
  const whole = narrow.matches && event.target.closest("[data-touch='whole']");
  const spot = event.target.closest("[data-moves]") ?? (whole && whole.querySelector("[data-moves]"));
  const among = proposed ? [proposed.move] : offered;
  closeChoices();
  if (looking !== null) return;
  if (spot?.id && view === sent && Date.now() - sentAt > DOUBLE_CLICK) waiting = spot.id;
  const passing = frames.length > 0;
  if (!settled()) showLast();
  if (passing) return;
  if (spot && canMove()) choose(spot, among);
  else if (!event.target.closest("#briefs")) askWhy(event.target);
});
let swallowed = false; // whether the touch that comes only closes the lens, instead of what is in the sheet below it
document.addEventListener("click", (event) => {
  if (swallowed) event.stopPropagation();
  swallowed = false;
}, true);
document.addEventListener("pointerdown", (event) => {
  swallowed = narrow.matches && !byId("lens").hidden && Boolean(event.target.closest("aside"));
  keyboard = false;
  if (!event.target.closest("#choices, #board, #decision, #jump, #choose")) closeChoices();
  const beside = !event.target.closest("#choose, #all-moves");
  dismissed = beside && narrow.matches && byId("choose").classList.contains("open"); // elsewhere the list covers nothing
  if (beside) closeMoves();
  if (!event.target.closest("#settings")) byId("settings").open = false;
  if (!event.target.closest("#player")) watch(null);
  hideLens();
});

