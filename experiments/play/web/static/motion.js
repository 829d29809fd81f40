"use strict";
// What just happened: cards move, and tokens between places whose counts change.

const MOST_FLYING = 14;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// At once for those who want no motion
const gently = (where) => ({ ...where, behavior: calm.matches ? "auto" : "smooth" });
const rollTo = (node, block) => node.scrollIntoView(gently({ block }));

// What lies where: { cards: id -> card, counts: id -> [count, token], boxes: id -> rectangle }.
function lieOfTheTable() {
  const cards = new Map(), counts = new Map(), boxes = new Map();
  for (const spot of document.querySelectorAll("#table svg [id]")) {
    const card = spot.getAttribute("data-card");
    const count = spot.getAttribute("data-count");
    if (card) cards.set(spot.id, card);
    if (count !== null) counts.set(spot.id, [Number(count), spot.id.split("-").pop()]);
    for (const cube of spot.querySelectorAll(":scope > g [data-cube]")) {
      const token = cube.getAttribute("data-cube");
      if (cube.closest("[id]") === spot) counts.set(`${spot.id}/${token}`, [Number(cube.getAttribute("data-count")), token]);
    }
    if (card || count !== null || counts.size) boxes.set(spot.id, spot.getBoundingClientRect());
  }
  return { cards, counts, boxes };
}

// Returns the first card that moved, where it lies now
function animate(before, duration) {
  if (calm.matches || duration === 0 || document.hidden) return null;
  const after = lieOfTheTable();
  let flying = 0, first = null;
  const gone = [...before.cards].filter(([id, card]) => after.cards.get(id) !== card);
  const piles = [...before.counts].filter(([id, [count]]) => (after.counts.get(id)?.[0] ?? 0) < count && /deck|pile|market/.test(id));
  for (const [id, card] of after.cards) {
    if (before.cards.get(id) === card || flying >= MOST_FLYING) continue;
    const k = gone.findIndex(([, other]) => other === card);
    const from = k >= 0 ? gone.splice(k, 1)[0][0] : piles[0]?.[0];
    if (from && before.boxes.has(from)) {
      flyCard(byId(id), before.boxes.get(from), duration);
      first ??= byId(id);
      flying += 1;
    }
  }
  const lost = [], won = [];
  for (const id of new Set([...before.counts.keys(), ...after.counts.keys()])) {
    const [was, token] = before.counts.get(id) ?? [0, after.counts.get(id)[1]];
    const is = after.counts.get(id)?.[0] ?? 0;
    const box = before.boxes.get(id.split("/")[0]) ?? after.boxes.get(id.split("/")[0]);
    if (box?.width && was !== is) (is < was ? lost : won).push([id, token, Math.abs(is - was), box]);
  }
  for (const [id, token, number, box] of won) {
    const from = lost.find(([other, same, left]) => same === token && left > 0 && other !== id);
    if (!from) continue;
    for (let k = 0; k < Math.min(number, from[2], 4) && flying < MOST_FLYING; k += 1, flying += 1) {
      flyToken(token, from[3], box, duration, k);
    }
    from[2] -= number;
  }
  return first;
}

function flyCard(spot, from, duration) {
  if (!spot) return;
  const to = spot.getBoundingClientRect();
  if (!to.width || !spot.ownerSVGElement) return;
  const unit = spot.parentElement.getScreenCTM?.()?.a || 1;
  const move = from.width ? `translate(${(from.left - to.left) / unit}px, ${(from.top - to.top) / unit}px)` : ""; // from out of sight it comes as if from above
  const there = spot.getAttribute("transform") ?? "";
  const base = there.replace(/translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, "translate($1px, $2px)");
  spot.animate([{ transform: `${move} ${base}${move ? "" : " scale(3)"}`, opacity: 0.4 }, { transform: base || "none", opacity: 1 }],
    { duration, easing: "ease-out" });
}

function flyToken(token, from, to, duration, k) {
  const icon = game.icons?.[spelled(token)];
  if (!icon) return;
  const made = pictureOf(icon);
  made.className = "flying token";
  const at = (box) => `translate(${box.left + box.width / 2 - 10}px, ${box.top + box.height / 2 - 10}px)`;
  made.style.left = made.style.top = "0";
  document.body.append(made);
  made.animate([{ transform: at(from) }, { transform: at(to) }], { duration, delay: 60 * k, easing: "ease-in-out", fill: "both" })
    .finished.finally(() => made.remove());
}
