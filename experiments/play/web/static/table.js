"use strict";
// The table: its parts, sized to the window; a lens on what is pointed at.

const board = byId("board");
const table = byId("table");
const decision = byId("decision");
const style = (name, value) => table.style.setProperty(name, value);
const narrow = matchMedia("(max-width: 900px)");
const shownParts = new Map(); // name -> the part as last received, with its svg

// The colors of cards, from above to below; table.css says whose
const TINTS = {
  paper: ["#ffffff", "#eee9df"], violet: ["#f8f5ff", "#ddd3f2"], steel: ["#f8fafb", "#d8dde5"],
  parchment: ["#fff9e8", "#f0e0b8"], slate: ["#5b6780", "#39424f"], floor: ["#e9eff4", "#d9e2ea"],
};
const tint = ([name, [above, below]]) => `<linearGradient id="tint-${name}" x2="0" y2="1"><stop stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>`;
document.body.insertAdjacentHTML("beforeend", `<svg class="unseen" aria-hidden="true">${Object.entries(TINTS).map(tint).join("")}</svg>`);

// Parts without svg are as they were.
function receiveParts(parts) {
  const whole = parts.map((part) => (part.svg === null ? { ...part, svg: shownParts.get(part.name)?.svg ?? "" } : part));
  shownParts.clear();
  for (const part of whole) shownParts.set(part.name, part);
  return whole;
}

function partElement(part) {
  const made = element("div", { class: "part", id: `part-${part.name}` });
  const sizes = { w: part.width, h: part.height, dw: part.drawn[0], touch: part.touch };
  for (const [name, size] of Object.entries(sizes)) made.style.setProperty(`--${name}`, size);
  made.classList.toggle("longer", part.drawn[0] > part.width + 1 || part.drawn[1] > part.height + 1);
  made.classList.toggle("taller", part.zone === "status" && part.drawn[1] > part.height + 1);
  made.innerHTML = part.svg;
  if (made.firstElementChild) made.firstElementChild.setAttribute("focusable", "false");
  made.addEventListener("scroll", () => markMore(made), { passive: true });
  flow(made, part);
  describe(made, part);
  made.classList.toggle("blank", !made.querySelector("rect, path, circle, text"));
  return made;
}

// What a screen reader says: a sentence for each card and pile, one for the rest of a part.
const SAID = "[data-card], [data-says], [data-count][id], [data-moves]";
function describe(node, part) {
  const svg = node.firstElementChild;
  if (!svg) return;
  const texts = (of, but = "") => [...of.querySelectorAll("text")].filter((text) => text.textContent.trim() && (!but || text.closest(but) === null)).map((text) => spelled(text.textContent.trim())).join(", ").replace(/(\d), (?=[a-zA-Z]+\b)/g, "$1 ");
  for (const spot of svg.querySelectorAll(SAID)) {
    const within = spot.querySelector(SAID);
    const cards = explained(spot.getAttribute("data-says") || spot.getAttribute("data-card")).join(" ");
    const count = spot.getAttribute("data-count");
    const more = cards || within ? "" : texts(spot);
    const named = placeName(spot.id);
    const told = [named, count === null || more.includes(count) ? "" : count, more.replace(new RegExp(`^${named.split(" ").pop()}, `), "")].filter(Boolean).join(": ");
    spot.setAttribute("role", within ? "group" : "img");
    spot.setAttribute("aria-label", cards ? `${cards}${spot.id ? ` ${placeName(spot.id)}.` : ""}` : `${told || "nothing"}.`);
  }
  svg.setAttribute("role", "group");
  const whose = part.seat === null ? "" : `${view.names[part.seat]}: `;
  const rest = texts(svg, SAID);
  svg.setAttribute("aria-label", `${whose}${part.name.replace(/^seat-\d-?/, "").replaceAll("-", " ") || "all"}${rest ? `: ${rest}` : ""}.`);
  for (const text of svg.querySelectorAll("text")) text.setAttribute("aria-hidden", "true");
  for (const title of svg.querySelectorAll("title")) title.remove(); // the lens says more, and readers have the sentence
}

const spelled = (text) => game.letters[text] ?? text;

// Where something lies, in words, from its id: "Ann, storage Y"
function placeName(id) {
  const [, seat, place] = /^(?:seat-(\d)-?)?(.*)$/.exec(id);
  const words = place.replaceAll("_", " ").split("-").map(spelled).join(" ");
  return [seat === undefined ? "" : view.names[Number(seat)], words].filter(Boolean).join(", ");
}

// On a phone a row wraps, and what another player has is stacked.
const GAP = 4;
const LEAST_TEXT = 12, LEAST_TOUCH = 40;
const LINE = 52; // height of a line of the bar, in pixels
function flow(node, part) {
  const svg = node.firstElementChild;
  const blocks = [...(svg?.querySelectorAll("[data-block]") ?? [])];
  const row = svg?.querySelector("[data-flow]");
  if (!narrow.matches || !(row || blocks.length)) return;
  const inBar = part.zone === "status";
  let unit = blocks.length && !inBar ? 1 : (part.drawn[0] / svg.viewBox.baseVal.width) * part.touch; // pixels
  const room = (innerWidth - ({ common: 18, own: 29 }[part.zone] ?? 32)) / unit;
  let size;
  if (inBar) {
    size = stacked(blocks, Infinity); // in one line, if what can be chosen is in sight then
    if (size[1] * unit > LINE || (svg.querySelector("[data-moves]") && size[0] * unit > innerWidth - 130)) size = stacked(blocks, room);
  } else if (blocks.length) size = stacked(blocks, room);
  else {
    let [width, high] = flowed(row, room);
    const [wider, lower] = flowed(row, room / Math.max(LEAST_TOUCH / 44, LEAST_TEXT / part.text / part.touch));
    if (lower <= high && wider > room) [width, high, unit] = [wider, lower, (unit * room) / wider]; // a little smaller, in fewer lines
    else flowed(row, room);
    size = [Math.max(width, Math.min(room, svg.viewBox.baseVal.width)), topIn(row, svg) + high];
  }
  svg.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  [svg.width.baseVal.value, svg.height.baseVal.value] = size;
  node.style.setProperty("--dw", (size[0] * unit) / part.touch);
}

const numbers = (text) => text.split(" ").map(Number);
function topIn(each, within) {
  let top = 0;
  for (; each !== within; each = each.parentElement) top += Number(/translate\([-\d.]+[ ,]+([-\d.]+)\)/.exec(each.getAttribute("transform") ?? "")?.[1] ?? 0);
  return top;
}

// Lays out cells in rows of this width; the size of them all.
function flowed(row, room) {
  const [wide, high, scale] = numbers(row.dataset.flow);
  let x = 0, y = 0, most = 0;
  for (const cell of row.children) {
    const each = wide || Number(cell.getAttribute("data-wide")) + GAP;
    if (x && x + each - GAP > room) [x, y] = [0, y + high];
    const rest = scale ? `scale(${scale})` : (cell.getAttribute("transform") ?? "").replace(/translate\([^)]*\)/, "").trim();
    cell.setAttribute("transform", `translate(${x} ${y}) ${rest}`);
    x += each;
    most = Math.max(most, x);
  }
  return [most, y + high];
}

// Lays out blocks beside each other while there is room
function stacked(blocks, room) {
  let x = 0, y = 0, tall = 0, widest = 0;
  for (const block of blocks) {
    let [wide, high, fill] = numbers(block.dataset.block);
    const row = block.querySelector("[data-flow]");
    if (row) {
      const [most, low] = flowed(row, room);
      [wide, high] = [Math.max(most, room < Infinity ? Math.min(wide, room) : 0), topIn(row, block) + (row.children.length ? low : 0)];
    }
    const scale = fill ? room / wide : Math.min(1, room / wide);
    if (x && x + wide * scale > room) [x, y, tall] = [0, y + tall + 2 * GAP, 0];
    block.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    x += wide * scale + 2 * GAP;
    widest = Math.max(widest, x);
    tall = Math.max(tall, high * scale);
  }
  return [room < Infinity ? room : widest, y + tall];
}

// Strips, usually 180 wide, are as large as there is room for the most
function enlarge() {
  const row = !narrow.matches && byId("own").querySelector("[data-most]");
  if (!row) return;
  const node = row.closest(".part"), svg = node.firstElementChild, top = topIn(row, svg);
  const wide = Number(node.style.getPropertyValue("--w")), high = numbers(row.dataset.flow)[1];
  const rows = (scale) => Math.max(high * Math.ceil(row.dataset.most / Math.floor(wide / scale / 180)), flowed(row, wide / scale)[1]);
  const fits = (scale) => scale * (top + rows(scale)) * node.offsetWidth <= node.offsetHeight * wide;
  const room = wide / ([1.6, 1.5, 1.4, 1.3, 1.2, 1.1].find(fits) ?? 1);
  const size = [room, top + flowed(row, room)[1]];
  svg.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  [svg.width.baseVal.value, svg.height.baseVal.value] = size;
}

// A part that goes on at the right fades out there
const markMore = (node) => node.classList.toggle("more", narrow.matches && node.scrollLeft + node.clientWidth < node.scrollWidth - 2);

const BESIDE = 80; // pixels: what something is put beside stays in sight
// A part whose spots to click go on at the right goes as far as the first stays in sight; if none is in sight, to them
function reveal(node) {
  if (!narrow.matches || node.scrollWidth <= node.clientWidth + 1) return;
  const room = node.getBoundingClientRect();
  const boxes = [...node.querySelectorAll("[data-moves]")].map((spot) => spot.getBoundingClientRect());
  const first = Math.min(...boxes.map(({ left }) => left)) - BESIDE - room.left, last = Math.max(...boxes.map(({ right }) => right)) + GAP - room.right;
  const seen = boxes.some(({ left, right }) => left >= room.left && right <= room.right);
  if (boxes.length) node.scrollLeft += seen ? Math.max(0, Math.min(first, last)) : first;
}

// What may reach below a short status
function markBar() {
  const svg = byId("status").querySelector("svg"), box = svg?.getBoundingClientRect(), bar = decision.classList;
  bar.toggle("below", !svg || box.top + svg.low * box.height <= byId("actions").getBoundingClientRect().top);
  bar.toggle("blank", !svg?.low);
  bar.toggle("drawer", narrow.matches && Boolean(svg?.low) && box.height > LINE + 1);
}

// What is drawn as before keeps its element and scroll position.
const drawnParts = new Map(); // name -> { svg, node }
function drawParts(parts) {
  const kept = new Map();
  const nodes = parts.map((part) => {
    const before = drawnParts.get(part.name);
    let node = before?.node;
    if (!before || before.svg !== part.svg) {
      const scrolled = node?.scrollLeft ?? 0;
      const made = partElement(part);
      if (node) node.replaceWith(made);
      node = made;
      node.dataset.scrolled = scrolled;
    }
    kept.set(part.name, { svg: part.svg, node });
    return [part, node];
  });
  drawnParts.clear();
  for (const [name, entry] of kept) drawnParts.set(name, entry);
  arrange(nodes);
  for (const [, node] of nodes) if (node.dataset.scrolled) {
    node.scrollLeft = Number(node.dataset.scrolled);
    delete node.dataset.scrolled;
    const svg = node.firstElementChild, box = svg?.getBBox();
    if (svg) svg.low = (box.y + box.height) / svg.viewBox.baseVal.height; // before anything moves
  }
  markBar();
  fit();
  enlarge();
  for (const [, node] of nodes) {
    reveal(node);
    markMore(node);
  }
  for (const [part, node] of nodes) { // what scrolls can be reached by keyboard
    if (narrow.matches && node.scrollWidth > node.clientWidth + 1) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", part.name.replaceAll("-", " "));
    } else node.removeAttribute("tabindex");
  }
}

function arrange(nodes) {
  const common = [], status = [], others = [], briefs = [], columns = new Map();
  let owner = null, headed = null;
  const own = nodes.filter(([part]) => part.zone === "own").map(([part]) => part);
  const first = narrow.matches ? own.find((part) => part.headed) ?? own[0] : null; // what one pays with stays in sight
  place(byId("purse"), nodes.filter(([part]) => part === first).map(([, node]) => node));
  for (const [part, node] of nodes) {
    if (part === first) continue;
    if (part.zone === "status") status.push(node);
    else if (part.zone === "other") others.push(seatBox(part, node));
    else if (part.zone === "brief") briefs.push(briefBox(part, node));
    else if (part.zone === "own") {
      owner = part.seat;
      if (part.headed) headed = part.column;
      columns.set(part.column, [...(columns.get(part.column) ?? []), node]);
    } else if (narrow.matches && part.first) common.unshift(node);
    else common.push(node);
  }
  place(byId("briefs"), briefs);
  place(byId("others"), others);
  place(byId("common"), common);
  place(byId("status"), status);
  const title = owner === null ? [] : [seatTitle(owner)];
  const inside = [...columns].sort((one, other) => one[0] - other[0])
    .map(([number, parts]) => element("div", { class: "column" }, ...(number === headed ? title : []), ...parts));
  place(byId("own"), [...(headed === null ? title : []), ...inside]);
  const mine = inside.length > 0;
  byId("own").hidden = !mine;
  byId("briefs").hidden = !mine || briefs.length === 0;
  inBrief = mine;
  showOthers();
  const bar = Math.max(56, ...nodes.filter(([part]) => part.zone === "status").map(([part]) => part.height));
  style("--bar-height", bar);
}

// In a wide window others are in brief above one's own area, unless it is watched how a machine of theirs runs: over it
let inBrief = false, watched = null; // a seat
function showOthers() {
  const others = byId("others"), own = byId("own"), over = inBrief && !narrow.matches;
  for (const box of others.children) box.hidden = over && Number(box.dataset.seat) !== watched;
  others.hidden = !others.querySelector(".seat:not([hidden])");
  others.classList.toggle("watched", over && !others.hidden);
  others.removeAttribute("style");
  if (!over || others.hidden) return;
  const part = [...shownParts.values()].find((one) => one.zone === "other" && one.seat === watched);
  others.style.setProperty("--other", Math.min((own.clientWidth - 24) / part.width, (own.clientHeight - 40) / part.height));
  for (const side of ["Left", "Top", "Width", "Height"]) others.style[side.toLowerCase()] = `${own[`offset${side}`]}px`;
}
function watch(seat) {
  watched = seat;
  showOthers();
}

function briefBox(part, node) {
  const box = seatBox(part, node, { role: "button", tabindex: 0, title: "show this player's area", onclick: () => showSeat(part.seat) });
  box.addEventListener("keydown", (event) => event.key === "Enter" && showSeat(part.seat));
  return box;
}

// All that another player has
const areaOf = (seat) => [...shownParts.values()].find((one) => one.zone === "other" && one.seat === seat);
function areaElement(part) {
  const whole = partElement(part);
  whole.removeAttribute("id");
  for (const each of whole.querySelectorAll("[id]")) each.removeAttribute("id");
  return whole;
}

// Under what is pointed at, for as long as that is
function showArea(box) {
  const lens = byId("lens"), part = box.isConnected && areaOf(Number(box.dataset.seat));
  if (!part) return;
  const whole = areaElement(part), { left, bottom } = box.getBoundingClientRect();
  const [wide, high] = part.drawn;
  whole.style.setProperty("--z", Math.min(1, (innerWidth - 2 * left - 20) / wide, (innerHeight - bottom - 40) / high));
  lens.replaceChildren(whole);
  lens.classList.add("area");
  lens.hidden = false;
  lens.style.left = `${left}px`;
  lens.style.top = `${bottom + 6}px`;
}

// Large
function showSeat(seat) {
  const part = areaOf(seat);
  if (!part) return;
  const whole = areaElement(part);
  byId("seat-view").replaceChildren(element("h2", { class: `seat-${seat}` }, `${view.names[seat]}: ${pointsText(seat)}`), whole);
  hideLens();
  byId("seat").showModal();
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", ({ target }) => (target === dialog || target.matches(".close")) && dialog.close());
}

function place(holder, nodes) {
  const same = holder.children.length === nodes.length && nodes.every((node, k) => holder.children[k] === node);
  if (!same) holder.replaceChildren(...nodes);
}

function seatTitle(seat) {
  const mine = view.mine.includes(seat) ? " (you)" : "";
  return element("h2", { class: `seat-${seat}` }, element("span", {}, `${view.names[seat]}${mine}`),
    element("span", { class: `points points-of-${seat}` }, pointsText(seat)));
}

const pointsOf = (seat) => onTable.points[seat];
const pointsText = (seat) => `${pointsOf(seat)} ${pointsOf(seat) === 1 ? "point" : "points"}`;

function seatBox(part, node, more = {}) {
  return element("div", { class: `seat${toMoveNow() === part.seat ? " turn" : ""}`, "data-seat": part.seat, ...more }, seatTitle(part.seat), node);
}

const toMoveNow = () => (view.ending ? null : view.to_move);

// The largest size at which everything fits into the window.
const LONGEST = ".column:last-child > .part:last-child";
const MADE_FOR = 972; // the width at which the parts of every game fill their rows
let fitted = "", under = 0;
function fit() {
  const sizes = [...shownParts.values()].map((part) => `${part.name}:${part.zone === "other" && !inBrief ? part.width : ""}`).join(" ");
  const key = `${sizes} ${innerWidth} ${innerHeight} ${view.covered}`;
  if (narrow.matches) {
    const drawer = decision.classList.contains("drawer") ? byId("status").offsetHeight : 0;
    under = Math.max(under, drawer); // lest the page jump when it closes
    document.body.style.setProperty("--bar", `${decision.offsetHeight + under + 64}px`);
    document.documentElement.style.setProperty("--purse", `${byId("purse").offsetHeight}px`);
    return;
  }
  if (key === fitted || view.covered) return;
  fitted = key;
  const hidden = decision.hidden; // its room is kept while an earlier position is looked at
  decision.hidden = false;
  if (byId("own").hidden) { // a spectator: the seats matter most
    largest(0.3, 1.3, (one) => {
      style("--z", (0.75 * one).toFixed(3));
      style("--other", one.toFixed(3));
    });
    table.classList.remove("scrolls"); // text stays large enough to be read, even if not all fits then
    for (const [zone, name, now] of [["others", "--other", 1], ["common", "--z", 0.75]]) {
      const small = Math.min(...[...byId(zone).querySelectorAll("svg text")].map((text) => text.getScreenCTM().a * parseFloat(text.getAttribute("font-size") ?? "12")));
      if (small >= LEAST_TEXT) continue;
      style(name, ((Number(table.style.getPropertyValue(name)) || now) * LEAST_TEXT / small * 1.005).toFixed(3));
      table.classList.toggle("scrolls", true);
    }
  } else {
    for (const name of ["--rest", "--spare"]) style(name, "0px");
    style("--more", 1);
    largest(0.5, Math.max(0.5, table.clientWidth / MADE_FOR), (one) => style("--z", one.toFixed(3)));
    const low = (each) => each.getBoundingClientRect().bottom, own = byId("own");
    const left = (below) => `${Math.max(0, low(own) - Math.max(...[...own.querySelectorAll(below)].map(low)) - 8)}px`;
    style("--spare", left(".part")); // of the window: for gaps
    const { right, width, height } = own.querySelector(LONGEST).getBoundingClientRect();
    const more = Math.min((own.getBoundingClientRect().right - 10 - right) / width, parseFloat(left(LONGEST)) / height);
    style("--more", (1 + Math.max(0, more)).toFixed(3));
    style("--rest", left(LONGEST));
  }
  decision.hidden = hidden;
}

const fitsNow = () => table.scrollHeight <= table.clientHeight + 1 && table.scrollWidth <= table.clientWidth + 1;

// The largest number with which nothing overflows
function largest(low, high, set) {
  const fits = (one) => {
    set(one);
    return fitsNow();
  };
  if (fits(high)) return high;
  for (let round = 0; round < 9; round += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  set(low);
  return low;
}
addEventListener("resize", () => drawnParts.size && (fit(), enlarge()));
narrow.addEventListener("change", () => {
  drawnParts.clear();
  if (current) toNow();
});

// The lens: a card, enlarged, and what it does in words

let lensTimer = null;
const cardOf = (target) => {
  const card = target.closest?.("[data-says], [data-card]");
  const key = card?.getAttribute("data-says") || card?.getAttribute("data-card");
  return key ? [card, key] : [null, null];
};

// What is known of the cards that an element names.
const explained = (key) => (key ?? "").split(", ").map((name) => game.cards[name]).filter(Boolean);

function showLens(card, key, extra = []) {
  const lens = byId("lens");
  lens.classList.remove("area");
  const from = card.getBoundingClientRect();
  const parts = [];
  const svg = card.ownerSVGElement;
  const box = card.getBBox?.();
  if (svg && box?.width && key) {
    const scale = Math.min(2.2, 300 / box.width, 200 / box.height);
    const copy = card.cloneNode(true);
    copy.removeAttribute("transform");
    for (const each of [copy, ...copy.querySelectorAll("[id], [tabindex]")]) {
      for (const name of ["id", "tabindex", "role", "data-moves", "class"]) each.removeAttribute(name);
    }
    const large = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    large.setAttribute("viewBox", `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`);
    large.setAttribute("width", box.width * scale);
    large.setAttribute("font-family", svg.getAttribute("font-family") ?? "sans-serif");
    large.append(copy);
    parts.push(element("div", { class: "part" }, large));
  }
  parts.push(...explained(key).map((text) => element("p", {}, text)));
  lens.replaceChildren(...parts, ...extra);
  lens.hidden = false;
  const left = from.right + 10 + lens.offsetWidth < innerWidth ? from.right + 10 : Math.max(8, from.left - lens.offsetWidth - 10);
  lens.style.left = `${Math.min(left, innerWidth - lens.offsetWidth - 8)}px`;
  lens.style.top = `${besideBar(from.top, lens)}px`;
}

// The moves that a click on it makes or offers, if they are few
function movesIn(card) {
  const spot = card.closest("#board .legal"), moves = spot ? movesOf(spot) : [];
  return moves.length > 3 ? [] : moves.map((move) => element("p", {}, element("strong", {}, ...pictured(brief(words(move))))));
}

// In the window, and where there is room not over what has to be decided
function besideBar(wanted, lens) {
  const high = lens.offsetHeight, bar = decision.getBoundingClientRect(), within = Math.max(8, Math.min(wanted, innerHeight - high - 8));
  const fits = (top) => top >= 8 && top + high <= innerHeight - 8 && (top + high <= bar.top || top >= bar.bottom);
  return [within, bar.top - high - 8, bar.bottom + 8].find(fits) ?? within;
}

function hideLens() {
  clearTimeout(lensTimer);
  byId("lens").hidden = true;
}

let pointerAt = ""; // cards move under a pointer that rests
const hasMoved = ({ clientX, clientY }) => pointerAt !== (pointerAt = `${clientX} ${clientY}`);
table.addEventListener("pointermove", hasMoved);
table.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch" || !hasMoved(event)) return;
  const [card, key] = cardOf(event.target), box = card ? null : event.target.closest("#briefs .seat");
  hideLens();
  if (card || box) lensTimer = setTimeout(() => (card ? card.isConnected && showLens(card, key, movesIn(card)) : showArea(box)), 450);
});
table.addEventListener("pointerleave", hideLens);
table.addEventListener("contextmenu", (event) => { // a long press on a touch screen
  const [card, key] = cardOf(event.target);
  if (!card || event.pointerType === "mouse") return;
  event.preventDefault();
  showLens(card, key);
});
addEventListener("scroll", hideLens, { passive: true });
