"use strict";
// Shared by both pages.

const byId = (id) => document.getElementById(id);

// Light or dark: as was chosen in this browser, or else as the system is
const theme = () => (location.protocol !== "file:" && localStorage.getItem("theme")) || "";
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
function showTheme() {
  document.documentElement.classList.toggle("dark", theme() ? theme() === "dark" : darkSystem.matches);
}
function offerThemes() {
  byId("theme").value = theme();
  byId("theme").onchange = ({ target }) => {
    localStorage.setItem("theme", target.value);
    showTheme();
  };
}
darkSystem.addEventListener("change", showTheme);
addEventListener("storage", showTheme);
showTheme();

// What a game gives its pages: the color of the header, and a pattern behind all of a place
function dress({ band, backdrop }, place = document.body, colored = document.documentElement) {
  colored.style.setProperty("--band", band);
  place.querySelector(":scope > .backdrop")?.remove();
  const behind = element("div", { class: "backdrop", "aria-hidden": "true" });
  behind.innerHTML = backdrop; // drawn by the server
  place.append(behind);
}

// A small picture, from its SVG
const pictureOf = (svg) => element("img", { alt: "", src: `data:image/svg+xml,${encodeURIComponent(svg)}` });

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (byId("toast").hidden = true), 5000);
}

let socket = null;
let patience = 300; // milliseconds until the next try to connect
function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}${location.pathname}/socket`);
  socket.onopen = () => {
    patience = 300;
    connected();
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    byId("page-status").textContent = `${event.reason || "no connection"}; reconnecting…`;
    disconnected();
    setTimeout(connect, patience);
    patience = Math.min(5000, patience * 1.6);
  };
}

const online = () => socket?.readyState === WebSocket.OPEN;
function send(message) {
  if (online()) socket.send(JSON.stringify(message));
  else toast("no connection");
}

// A button that shares a link, by the system or else by copying it
function shareButton(label, path, text = "share") {
  return element("button", { class: "share", title: label, "aria-label": label, onclick: async () => {
    const url = new URL(path, location.href).href;
    if (navigator.share) return navigator.share({ url }).catch(() => {}); // one may think better of it
    try {
      await navigator.clipboard.writeText(url);
      toast("link copied");
    } catch { // only pages of this computer, or encrypted ones, may copy
      prompt("copy this link:", url);
    }
    return undefined;
  } }, text);
}

// A button that asks before it acts: the second click counts.
function twice(label, question, act, attributes = {}) {
  const button = element("button", attributes, label);
  let timer = null;
  const calm = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = label;
    button.classList.remove("asking");
  };
  button.addEventListener("click", () => {
    if (timer !== null) {
      calm();
      act();
      return;
    }
    button.textContent = question;
    button.classList.add("asking");
    timer = setTimeout(calm, 4000);
  });
  return button;
}

// The lobby that this browser knows, and its games by their paths; guests know none
const home = JSON.parse((location.protocol !== "file:" && localStorage.getItem("lobby")) || "{}");
const roomHere = home.rooms?.[location.pathname.replace("/replay/", "/play/")];
function linkToLobby() {
  const lobby = roomHere && home.path;
  byId("lobby").hidden = !lobby;
  if (lobby) byId("lobby").href = lobby;
  return lobby;
}

// So that a game's page finds the lobby and can ask for a rematch.
function remember(rooms) {
  for (const room of rooms) for (const link of room.links) home.rooms[link.path] = room.id;
  localStorage.setItem("lobby", JSON.stringify(home));
}

// Expectations go from −1, last, to 1, first, in equal steps; people read chances.
const chanceTo = (players) => `chance to ${players > 2 ? "beat an opponent" : "win"}`;
const chance = (value) => `${Math.round(50 + 50 * value)}%`;
const signed = (swing) => `${swing > 0 ? "+" : "−"}${Math.round(50 * Math.abs(swing))}%`;

// Fills a table with an agent's opinion: moves with visits or preferences, and values.
// The move that it chose comes first, even if another has a better mean.
function fillThought(table, remarks, onMove, said = {}, choice = null) {
  table.replaceChildren();
  const liked = Object.entries(remarks.visits || remarks.preferences || {});
  if (choice !== null && !liked.some(([move]) => move === choice)) liked.push([choice, 0]);
  const most = Math.max(1e-9, ...liked.map(([, weight]) => weight));
  const named = liked.map(([move]) => said[move] || move);
  liked.sort(([one], [other]) => (other === choice) - (one === choice));
  const heads = ["", remarks.visits ? "tried" : "preferred", remarks.values ? "chance" : ""];
  if (liked.length) table.append(element("tr", { class: "faint" }, ...heads.map((text) => element("td", {}, text))));
  for (const [move, weight] of liked) {
    const bar = element("i");
    bar.style.width = `${(100 * weight) / most}%`;
    const value = typeof remarks.values?.[move] === "number" ? chance(remarks.values[move]) : "";
    const words = said[move] || move;
    const name = named.filter((one) => one === words).length > 1 ? `${words} (${move})` : words; // no two lines are alike
    const label = onMove ? element("button", { class: "link" }, name) : name;
    const row = element("tr", {}, element("td", {}, label), element("td", { class: "bar" }, bar), element("td", { class: "faint" }, value));
    if (onMove) {
      row.className = "link";
      row.addEventListener("click", () => onMove(move)); // the button's click too
    }
    table.append(row);
  }
  return liked.length > 0;
}
