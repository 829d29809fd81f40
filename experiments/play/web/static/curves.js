"use strict";
// Curves over the decisions of a game, with marks; a click goes there.

// series: for each seat its [decision, value] pairs; marks: [{ number, seat, value, title }]; go: called with a decision.
function curve({ series, low, high, last, label, marks = [], at = null, go, shows = String }) {
  const wide = 280, tall = 120, left = 46, below = 18, end = wide - 8;
  const x = (number) => left + ((end - left) * number) / Math.max(1, last);
  const y = (value) => 8 + ((tall - below - 8) * (high - value)) / Math.max(1e-9, high - low);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const text = (across, down, anchor, what) => `<text x="${across}" y="${down}" font-size="13" text-anchor="${anchor}" fill="currentColor">${what}</text>`;
  const grid = [low, (low + high) / 2, high].map((value) => {
    const shown = Math.round(value);
    return `<line x1="${left}" x2="${end}" y1="${y(shown)}" y2="${y(shown)}" stroke="var(--line)"></line>${text(left - 4, y(shown) + 4, "end", shows(shown))}`;
  });
  const paths = series.map((points, seat) => {
    const course = points.map(([number, value], k) => `${k ? "L" : "M"}${x(number).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    return `<path d="${course}" fill="none" stroke-width="2" stroke="var(--seat-${seat})"></path>`;
  });
  const circles = marks.map(({ number, seat, value }) => `<circle data-number="${number}" cx="${x(number).toFixed(1)}" cy="${y(value).toFixed(1)}" r="4.5" fill="var(--seat-${seat})" stroke="var(--sheet)" stroke-width="1.5"><title></title></circle>`);
  const line = at === null ? "" : `<line class="at" x1="${x(at)}" x2="${x(at)}" y1="4" y2="${tall - below}" stroke="var(--accent)" stroke-width="1.5"></line>`;
  svg.innerHTML = `${grid.join("")}${paths.join("")}${line}${circles.join("")}${text(left, tall - 3, "start", "0")}${text(end, tall - 3, "end", `move ${last}`)}`;
  svg.querySelectorAll("title").forEach((title, k) => (title.textContent = marks[k].title)); // names may hold anything
  svg.addEventListener("click", (event) => {
    const mark = event.target.closest("circle");
    const box = svg.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * wide;
    go(mark ? Number(mark.dataset.number) : Math.max(0, Math.min(last, Math.round(((across - left) / (end - left)) * last))));
  });
  return svg;
}

const pointsCurve = (points, at, go) => curve({
  series: points[0].map((_, seat) => points.map((line, k) => [k, line[seat]])),
  low: Math.min(0, ...points.flat()), high: Math.max(1, ...points.flat()), last: points.length - 1,
  label: "each player's points by move", at, go,
});

// What was to be expected, once the game is over: beaten opponents less those who were better
const outcome = (ranks, seat) => ranks.reduce((sum, rank) => sum + Math.sign(rank - ranks[seat]), 0) / (ranks.length - 1);
