"use strict";
// The table: its parts, laid out and sized to the window; a lens on what is pointed at.

const board = byId("board");
const table = byId("table");
const narrow = matchMedia("(max-width: 900px)");
const shownParts = new Map(); // name -> the part as last received, with its svg

// Takes the parts of a frame; those without svg are as they were.
function receiveParts(parts) {
  const whole = parts.map((part) => (part.svg === null ? { ...part, svg: shownParts.get(part.name)?.svg ?? "" } : part));
  shownParts.clear();
  for (const part of whole) shownParts.set(part.name, part);
  return whole;
}

function partElement(part) {
  const made = element("div", { class: "part", id: `part-${part.name}` });
  made.style.setProperty("--w", part.width);
  made.style.setProperty("--touch", part.touch);
  made.innerHTML = part.svg;
  if (made.firstElementChild) made.firstElementChild.setAttribute("focusable", "false");
  made.addEventListener("scroll", () => markMore(made), { passive: true });
  return made;
}

// A part that goes on at the right fades out there
const markMore = (node) => node.classList.toggle("more", narrow.matches && node.scrollLeft + node.clientWidth < node.scrollWidth - 2);

// Shows parts; those whose drawing is as before keep their elements, and so their scroll position.
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
  }
  fit();
  for (const [, node] of nodes) markMore(node);
  for (const [part, node] of nodes) { // what scrolls can be reached by keyboard
    if (narrow.matches && node.scrollWidth > node.clientWidth + 1) {
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", part.name.replaceAll("-", " "));
    } else node.removeAttribute("tabindex");
  }
}

function arrange(nodes) {
  const common = [], status = [], others = [], columns = new Map();
  let owner = null;
  for (const [part, node] of nodes) {
    if (part.zone === "status") status.push(node);
    else if (part.zone === "other") others.push(seatBox(part, node));
    else if (part.zone === "own") {
      owner = part.seat;
      columns.set(part.column, [...(columns.get(part.column) ?? []), node]);
    } else common.push(node);
  }
  place(byId("others"), others);
  place(byId("common"), common);
  place(byId("status"), status);
  const inside = [...columns].sort((one, other) => one[0] - other[0])
    .map(([number, parts]) => element("div", { class: number ? "column side" : columns.size > 1 ? "column" : "column side" }, ...parts));
  place(byId("own"), [...(owner === null ? [] : [seatTitle(owner)]), ...inside]);
  byId("own").hidden = inside.length === 0;
  byId("others").hidden = others.length === 0;
}

function place(holder, nodes) {
  const same = holder.children.length === nodes.length && nodes.every((node, k) => holder.children[k] === node);
  if (!same) holder.replaceChildren(...nodes);
}

function seatTitle(seat) {
  const mine = view.mine.includes(seat) ? " (you)" : "";
  return element("h2", { class: `seat-${seat}` }, element("span", {}, `${view.names[seat]}${mine}`),
    element("span", { class: "faint" }, `seat ${seat}`),
    element("span", { class: "points", id: `points-${seat}` }, pointsText(seat)));
}

const pointsOf = (seat) => (looking === null ? view.points[seat] : pointsThen[seat]);
const pointsText = (seat) => `${pointsOf(seat)} ${pointsOf(seat) === 1 ? "point" : "points"}`;

function seatBox(part, node) {
  return element("div", { class: `seat${toMoveNow() === part.seat ? " turn" : ""}`, "data-seat": part.seat }, seatTitle(part.seat), node);
}

const toMoveNow = () => (view.ending ? null : view.to_move);

// The largest size of the parts at which everything fits into the window.
let fitted = "";
function fit() {
  const sizes = [...drawnParts.keys()].map((name) => `${name}:${shownParts.get(name)?.width}:${shownParts.get(name)?.height}`).join(" ");
  const key = `${sizes} ${innerWidth} ${innerHeight} ${byId("decision").offsetHeight}`;
  if (narrow.matches) {
    document.body.style.setProperty("--bar", `${byId("decision").offsetHeight + 64}px`);
    return;
  }
  if (key === fitted) return;
  fitted = key;
  const set = (sizes) => Object.entries(sizes).forEach(([name, unit]) => table.style.setProperty(name, unit.toFixed(3)));
  const sizesNow = () => Object.fromEntries(["--u", "--own", "--other"].map((name) => [name, Number(table.style.getPropertyValue(name))]));
  const before = sizesNow();
  if (byId("own").hidden) { // a spectator: the seats matter most
    largest(0.3, 1.3, (one) => set({ "--u": 0.75 * one, "--other": one }));
  } else fillWindow(set);
  const sameWindow = fittedFor === `${innerWidth} ${innerHeight}`;
  fittedFor = `${innerWidth} ${innerHeight}`;
  const best = sizesNow();
  const tooSmall = before["--other"] < Math.min(best["--other"], readableSize());
  if (!sameWindow || tooSmall || Object.entries(best).some(([name, unit]) => unit > WORTH_MOVING * before[name])) return;
  set(before); // what was big enough stays where it is, if there is still room for it
  if (!fitsNow()) set(best);
}
const WORTH_MOVING = 1.15; // by how much larger everything could be before the table is laid out anew
let fittedFor = "";

function fillWindow(set) {
  const all = (unit) => ({ "--u": unit, "--own": unit, "--other": 0.6 * unit });
  const unit = largest(0.4, 1.1, (one) => set(all(one)));
  const least = largest(0.6 * unit, Math.max(0.6 * unit, readableSize()), (one) => set({ "--other": one })); // before the own area grows
  const own = largest(unit, Math.min(1.35, 1.5 * unit), (one) => set({ "--own": one }));
  largest(least, Math.max(least, Math.min(own, 1.1 * unit)), (one) => set({ "--other": one }));
}

// The size at which text of the others' areas has 9 px
const readableSize = () => Math.min(1.1, 0.75 * Math.max(0, ...[...shownParts.values()].filter((part) => part.zone === "other").map((part) => part.touch)));

const fitsNow = () => table.scrollHeight <= table.clientHeight + 1 && table.scrollWidth <= table.clientWidth + 1;

// The largest number in a range with which nothing overflows, if it is set.
function largest(low, high, set) {
  const fits = (one) => {
    set(one);
    return fitsNow();
  };
  if (fits(high)) return high;
  for (let round = 0; round < 6; round += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  set(low);
  return low;
}
addEventListener("resize", () => drawnParts.size && fit());

// The lens: a card, enlarged, and what it does in words

let lensTimer = null;
const cardOf = (target) => {
  const card = target.closest?.("[data-says], [data-card]");
  const key = card?.getAttribute("data-says") || card?.getAttribute("data-card");
  return key ? [card, key] : [null, null];
};

// What is known of the cards that an element names; one element may name several.
const explained = (key) => (key ?? "").split(", ").map((name) => game.cards[name]).filter(Boolean);

function showLens(card, key, extra = []) {
  const lens = byId("lens");
  const from = card.getBoundingClientRect();
  const parts = [];
  const svg = card.ownerSVGElement;
  const box = card.getBBox?.();
  if (svg && box && box.width) {
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
  lens.style.top = `${Math.max(8, Math.min(from.top, innerHeight - lens.offsetHeight - 8))}px`;
}

function hideLens() {
  clearTimeout(lensTimer);
  byId("lens").hidden = true;
}

for (const holder of [table]) {
  holder.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const [card, key] = cardOf(event.target);
    hideLens();
    if (card) lensTimer = setTimeout(() => card.isConnected && showLens(card, key), 450);
  });
  holder.addEventListener("pointerleave", hideLens);
  holder.addEventListener("contextmenu", (event) => { // a long press on a touch screen
    const [card, key] = cardOf(event.target);
    if (!card || event.pointerType === "mouse") return;
    event.preventDefault();
    showLens(card, key);
  });
}
addEventListener("scroll", hideLens, { passive: true });
