"use strict";
// Rules at hand: the guide, and why something cannot be done.

let game = { cards: {}, letters: {}, guide: "", title: "" };

function receiveGame(message) {
  game = message;
  dress(message.look);
  byId("guide-text").innerHTML = message.guide; // made by the server
  withTokens(byId("guide-text"));
  byId("help").hidden = !message.guide;
  byId("hint").hidden = message.hints === false;
  byId("react").replaceChildren(...message.reactions.map((said, what) => element("button", { class: "link", title: said, onclick: () => send({ do: "react", what }) }, [...said][0])));
}

byId("all-cards").ontoggle = ({ target }) => target.open && !target.lastChild.firstChild && send({ do: "cards" });

// Pictures of cards with their words, in which tokens are drawn
function withTokens(place) {
  for (const words of place.querySelectorAll("figcaption")) words.replaceChildren(...pictured(words.textContent));
}
function receiveCards({ html }) {
  const place = byId("all-cards").lastChild;
  place.innerHTML = html; // made by the server
  withTokens(place);
}

const showGuide = () => byId("guide").showModal();
byId("help").onclick = showGuide;

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
  if (message.moves.length) offerAll(message);
  byId("why").textContent = message.text;
  if (message.moves.length && narrow.matches) return; // the card would lie over the offer
  const extra = [];
  const known = explained(asked.key).length > 0; // which says what is in parentheses
  if (message.text) extra.push(element("p", {}, element("strong", {}, known ? brief(message.text) : message.text)));
  if (message.paragraph) extra.push(element("p", { class: "paragraph" }, message.paragraph));
  if (extra.length || known) showLens(asked.card, asked.key, extra);
}
