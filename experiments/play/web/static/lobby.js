"use strict";
// The lobby: set up a game, find those that are on, look at those that are over.

let lobby = null;
const connected = () => (byId("page-status").textContent = "");
const disconnected = () => {};
function receive(message) {
  if (message.type === "lobby") show(message);
  else if (message.type === "error") toast(message.text);
  else if (message.type === "created") enter(message.room);
}

// Goes to a new game of one person; several find their links here.
function enter(room) {
  remember([room]);
  const places = room.links.filter((link) => link.seats.length);
  if (places.length === 1) location.assign(places[0].path);
  else toast("its links are under “games in progress”");
}

function show(message) {
  const first = lobby === null;
  lobby = message;
  if (first) {
    byId("tiles").replaceChildren(...lobby.games.map(tileElement));
    const before = lobby.games.find((one) => one.id === localStorage.getItem("game")) ?? lobby.games[0];
    byId(before.id).checked = true;
    byId("clock").replaceChildren(...lobby.clocks.map((one) => element("option", { value: one[0] }, one[1])));
    chooseGame();
    byId("start").disabled = false;
    if (location.hash) send({ do: "rematch", room: location.hash.slice(1) });
    history.replaceState(null, "", location.pathname);
  }
  Object.assign(home, { path: location.pathname, rooms: {} });
  remember(lobby.rooms);
  const on = lobby.rooms.filter((room) => !room.over), over = lobby.rooms.filter((room) => room.over);
  showRooms(byId("on"), on, "none");
  byId("on").parentElement.classList.toggle("some", on.length > 0);
  showRooms(byId("over"), over, "none");
}

// A room that has not changed keeps its element, and so the focus
const shownRooms = new Map(); // what was told of a room, and its element, by id
function showRooms(list, rooms, none) {
  const made = rooms.map((room) => {
    const told = JSON.stringify(room);
    if (shownRooms.get(room.id)?.told !== told) shownRooms.set(room.id, { told, made: roomElement(room) });
    return shownRooms.get(room.id).made;
  });
  const wanted = made.length ? made : [element("p", { class: "faint" }, none)];
  const same = list.children.length === wanted.length && wanted.every((one, k) => one === list.children[k]);
  if (!same) list.replaceChildren(...wanted);
}

const chosenGame = () => lobby.games.find((one) => byId(one.id).checked);

// A game at a glance: a click chooses it, its button starts it
function tileElement({ id, title, emblem, look, brief, effort, seats: [least, most] }) {
  const radio = element("input", { type: "radio", name: "game", id, onchange: () => {
    chooseGame();
    byId("new-title").scrollIntoView({ block: "nearest" });
  } });
  const picture = element("div", { class: "emblem", onclick: () => radio.click() });
  picture.innerHTML = emblem; // drawn by the server
  const start = () => {
    if (!radio.checked) radio.click();
    byId("new").requestSubmit();
  };
  const tile = element("div", { class: "tile sheet" }, picture,
    element("label", {}, radio, element("strong", {}, title), element("span", {}, brief),
      element("span", { class: "faint" }, `${least < most ? `${least} to ` : ""}${most} players; ${effort}`)),
    element("button", { onclick: start }));
  dress(look, picture, tile);
  return tile;
}

function chooseGame() {
  const game = chosenGame();
  const [least, most] = game.seats;
  byId("new-title").textContent = `new game of ${game.title}`;
  byId("start").textContent = `start ${game.title}`;
  byId("about").textContent = game.about;
  byId("players").replaceChildren(...Array.from({ length: most - least + 1 }, (_, k) => element("option", {}, String(least + k))));
  byId("option-list").replaceChildren(...game.options.map(optionElement));
  chooseSeats();
}

function optionElement(option) {
  let input;
  if (option.allowed.every((value) => typeof value === "boolean")) {
    input = element("input", { type: "checkbox" });
    input.checked = option.default;
    input.read = () => input.checked;
  } else if (option.range) {
    input = element("input", { type: "number", min: option.allowed[0], max: option.allowed[1], value: option.default });
    input.read = () => Number(input.value);
  } else {
    input = element("select", {}, ...option.allowed.map((value) => element("option", { value: JSON.stringify(value) }, String(value).replaceAll("_", " "))));
    input.value = JSON.stringify(option.default);
    input.read = () => JSON.parse(input.value);
  }
  input.dataset.option = option.name;
  return element("label", {}, `${option.name.replaceAll("_", " ")} `, input, element("small", {}, option.meaning));
}

// What the buttons of the games start: the form for the chosen one, as few players as can be for the others
function showOffers() {
  const seats = [...byId("seats").children].map((seat) => seat.read());
  for (const game of lobby.games) {
    const chosen = byId(game.id).checked, against = chosen ? seats.at(-1).agent : opponent(game);
    const alone = against && against !== "human" && (!chosen || seats.length === 2);
    const button = byId(game.id).closest(".tile").lastChild;
    button.textContent = alone ? `play against ${against.replace(":", " ")}` : `play with ${chosen ? seats.length : game.seats[0]} players`;
    button.setAttribute("aria-label", `${game.title}: ${button.textContent}`);
  }
}

const usual = (game) => (game.agents[2] ?? game.agents[0]).name; // level 3
function opponent(game) {
  const who = kept[1]?.who, known = who === "human" || game.offered[game.seats[0]].some(([value]) => value === who);
  return known ? who : usual(game);
}
const kept = JSON.parse(localStorage.getItem("seats") ?? "[]"); // what was chosen by hand; the rest follows from the game
function keep(seat, chosen) {
  kept[seat] = { ...kept[seat], ...chosen };
  localStorage.setItem("seats", JSON.stringify(kept.map((one) => ({ ...one, name: undefined }))));
}
function chooseSeats() {
  const game = chosenGame();
  const count = Number(byId("players").value);
  byId("seats").replaceChildren(...Array.from({ length: count }, (_, seat) => seatElement(game, seat)));
  showSharing();
  showOffers();
}

// What matters between people only
function showSharing() {
  const people = [...byId("seats").children].filter((seat) => !seat.read().agent).length;
  for (const name of ["together", "hints"]) byId(name).parentElement.hidden = people < 2;
}

function seatElement(game, seat) {
  const best = usual(game);
  const before = { who: seat ? best : "human", name: seat ? "" : (localStorage.getItem("name") ?? "").slice(0, 20), time: 1, ...kept[seat] };
  const who = element("select", { "aria-label": `player ${seat + 1}` }, element("option", { value: "human" }, "human"),
    ...game.offered[byId("players").value].map(([value, label]) => element("option", { value }, label)));
  who.value = before.who;
  if (!who.value) who.value = best;
  const name = element("input", { type: "text", maxlength: 20, placeholder: "name (optional)", "aria-label": `player ${seat + 1}'s name`, value: before.name });
  const time = element("select", { "aria-label": `player ${seat + 1}'s thinking time` }, ...lobby.times.map((one) => element("option", { value: one }, `${one} s per move`)));
  time.value = before.time;
  const showFields = () => {
    name.hidden = who.value !== "human";
    time.hidden = !game.agents.find((one) => one.name === who.value)?.timed;
  };
  who.oninput = () => {
    keep(seat, { who: who.value });
    showFields();
    showSharing();
    showOffers();
  };
  for (const each of [name, time]) each.oninput = () => keep(seat, { name: name.value, time: Number(time.value) });
  showFields();
  const box = element("div", { class: "seat-choice row" }, element("span", { class: `seat-${seat}` }, `player ${seat + 1}`), who, name, time);
  box.read = () => (who.value === "human" ? { name: name.value.trim() } : { agent: who.value, time: time.hidden ? null : Number(time.value) });
  return box;
}

byId("players").onchange = chooseSeats;
byId("new").onsubmit = (event) => {
  event.preventDefault();
  const game = chosenGame();
  const seats = [...byId("seats").children].map((seat) => seat.read());
  localStorage.setItem("game", game.id);
  const options = {}, me = seats.find((seat) => !seat.agent); // whose name is remembered
  if (me && (me.name || me === seats[0])) localStorage.setItem("name", me.name);
  for (const input of byId("option-list").querySelectorAll("[data-option]")) options[input.dataset.option] = input.read();
  send({ do: "create", game: game.id, options, seats, separate: !byId("together").checked, hints: byId("hints").checked, clock: byId("clock").value });
};

function roomElement(room) {
  const who = room.who.map(([seat, text]) => element("span", { class: `seat-${seat}` }, text));
  const began = new Date(room.began * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  const alone = room.links.length < 3; // who plays against computers shares no seat
  const links = room.links.map((link) => {
    const name = link.seats.length ? `play as ${link.seats.map((seat) => room.seats[seat]).join(" and ")}` : "watch";
    return element("span", {}, element("a", { href: link.path }, name), alone && link.seats.length ? "" : shareButton(`share the link to ${name}`, link.path));
  });
  const shown = (alone ? room.links[0] : room.links.at(-1)).path;
  const finished = room.over && !room.failed ? [element("a", { href: shown.replace("/play/", "/replay/") }, "replay")] : [];
  const ask = (what) => () => send({ do: what, room: room.id });
  const again = room.over ? [element("button", { onclick: ask("rematch") }, "rematch"), twice("delete", "delete for good?", ask("delete"))]
    : [twice("end game", "end it for everyone?", ask("abandon"))];
  return element("div", { class: "room", "data-room": room.id }, element("div", {}, element("strong", {}, room.title), " ", ...who),
    element("div", { class: "faint" }, [began, room.state].filter(Boolean).join(" — ")),
    element("div", { class: "row" }, ...(room.over ? [] : links), ...finished, ...again));
}

offerThemes();
connect();
