"use strict";
// Rules at hand: the guide, and why something cannot be done.

let game = { cards: {}, letters: {}, guide: "", title: "" };

function receiveGame(message) {
  game = message;
  byId("guide-text").replaceChildren(...markdown(message.guide));
  byId("help").hidden = !message.guide;
  byId("hint").hidden = message.hints === false;
  byId("react").replaceChildren(...message.reactions.map((said, what) => element("button", { class: "link", title: said, onclick: () => send({ do: "react", what }) }, [...said][0])));
}

// The little Markdown of the guides: headings, paragraphs, lists in lists, bold.
function markdown(text) {
  const root = element("div");
  const lists = []; // [indentation, list]
  let open = null; // the element that a continued line belongs to
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    const item = /^\s*(-|\d+\.) (.*)$/.exec(line);
    if (line.startsWith("## ")) {
      lists.length = 0;
      root.append((open = element("h2", {}, line.slice(3))));
      open = null;
    } else if (item) {
      while (lists.length && lists[lists.length - 1][0] > indent) lists.pop();
      if (!lists.length || lists[lists.length - 1][0] < indent) {
        const list = element(item[1] === "-" ? "ul" : "ol");
        (lists.length ? lists[lists.length - 1][1].lastElementChild : root).append(list);
        lists.push([indent, list]);
      }
      open = element("li", { "data-text": item[2] });
      lists[lists.length - 1][1].append(open);
    } else if (!line.trim()) open = null;
    else if (open) open.dataset.text += ` ${line.trim()}`;
    else {
      if (indent === 0) lists.length = 0;
      root.append((open = element("p", { "data-text": line.trim() })));
    }
  }
  for (const each of root.querySelectorAll("[data-text]")) {
    each.prepend(...each.dataset.text.split("**").map((piece, k) => (k % 2 ? element("strong", {}, piece) : piece)));
    delete each.dataset.text;
  }
  return [...root.childNodes];
}

function toggleGuide() {
  const guide = byId("guide");
  if (guide.open) guide.close();
  else guide.showModal();
  byId("help").setAttribute("aria-expanded", String(guide.open));
}
byId("help").onclick = toggleGuide;
byId("guide").addEventListener("close", () => byId("help").setAttribute("aria-expanded", "false"));

// A click on something illegal: the card explained, and why it cannot be used.
let asked = null;
function askWhy(target) {
  const [card, key] = cardOf(target);
  const spot = target.closest("#table svg [id]");
  if (!spot) return;
  asked = { id: spot.id, card: card ?? spot, key };
  send({ do: "why", id: spot.id });
}

function showWhy(message) {
  if (!asked || asked.id !== message.id || !asked.card.isConnected) return;
  const extra = [];
  if (message.text) extra.push(element("p", {}, element("strong", {}, message.text)));
  if (message.paragraph) extra.push(element("p", { class: "paragraph" }, `${message.rule}: ${message.paragraph}`));
  if (extra.length || explained(asked.key).length) showLens(asked.card, asked.key, extra);
  byId("why").textContent = message.text;
}
document.body.append(element("div", { id: "why", role: "status", class: "unseen" }));
