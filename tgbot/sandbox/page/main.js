// Puts the page together and carries events from the server to the views.

import { fetchState, followEvents } from "./api.js";
import { ChatList } from "./chatlist.js";
import { Drawer } from "./drawer.js";
import { h } from "./dom.js";
import { FirstRun } from "./firstrun.js";
import { Layout } from "./layout.js";
import { forgetReads, restoreReads } from "./reads.js";
import { apply, emit, load, on, state } from "./state.js";
import { TopBar } from "./topbar.js";
import { look, restore, settle, ui } from "./ui.js";

const RETRY = [300, 600, 1200, 2500, 5000]; // milliseconds between attempts to come back

const firstRun = new FirstRun();
const topBar = new TopBar();
const chatList = new ChatList();
const layout = new Layout();
const drawer = new Drawer();
const shade = h("div", { class: "shade", on: { click: () => look({ listOpen: false, drawer: false }) } });
const app = document.getElementById("app");
app.append(topBar.el, chatList.el, firstRun.el, layout.el, drawer.el, shade);

// Views that sum up many things are drawn once for a burst of events.
let drawn = true;
function drawSoon() {
  if (!drawn) return;
  drawn = false;
  queueMicrotask(() => {
    drawn = true;
    draw();
  });
}

// The list has a column of its own where there is room for it beside everything else that is open.
const wide = matchMedia("(min-width: 1180px)");
const veryWide = matchMedia("(min-width: 1600px)");
for (const width of [wide, veryWide]) width.addEventListener("change", drawSoon);

function draw() {
  const crowded = ui.drawer || ui.view === "four";
  app.classList.toggle("list-over", !wide.matches || (crowded && !veryWide.matches));
  app.classList.toggle("list-open", ui.listOpen);
  app.classList.toggle("drawer-open", ui.drawer);
  app.dataset.view = ui.view;
  app.dataset.connected = String(state.online);
  topBar.refresh();
  chatList.refresh();
  firstRun.refresh();
  drawer.refresh();
}

let stop = () => {};
let attempts = 0;

async function connect() {
  try {
    load(await fetchState());
  } catch (error) {
    console.warn("The sandbox can't be reached; trying again.", error);
    comeBack();
    return;
  }
  attempts = 0;
  state.online = true;
  emit("online");
  stop = followEvents(state.seq, hear, comeBack);
}

function hear(event) {
  if (event.kind === "reset") {
    stop();
    emit("reset");
    connect();
  } else apply(event);
}

function comeBack() {
  state.online = false;
  emit("online");
  setTimeout(connect, RETRY[Math.min(attempts, RETRY.length - 1)]);
  attempts += 1;
}

on("sync", () => {
  settle();
  layout.refresh();
  layout.each((pane) => pane.redraw());
  drawSoon();
});
on("look", () => {
  layout.refresh();
  drawSoon();
});
on("open", (chat) => layout.open(chat));
on("online", drawSoon);
on("reads", () => {
  layout.each((pane) => pane.count());
  drawSoon();
});
on("message", ({ message }) => {
  layout.each((pane) => pane.hearMessage(message, true));
  drawSoon();
});
on("edit", ({ message }) => {
  layout.each((pane) => pane.hearMessage(message, false));
  drawSoon();
});
on("delete", ({ chat_id: chatId, message_ids: ids }) => {
  layout.each((pane) => pane.hearDelete(chatId, ids));
  drawSoon();
});
for (const kind of ["chat", "person"]) {
  on(kind, () => {
    settle();
    layout.refresh();
    drawSoon();
  });
}
on("query", (press) => layout.each((pane) => pane.hearQuery(press)));
on("toast", (toast) => layout.toast(toast));
on("action", (event) => layout.each((pane) => pane.hearAction(event)));
on("reset", forgetReads);
on("clock", () => {
  layout.each((pane) => pane.log.renameDays());
  drawSoon();
});
for (const kind of ["faults", "process"]) on(kind, drawSoon);

document.addEventListener("visibilitychange", () => layout.each((pane) => pane.log.read()));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (ui.listOpen) look({ listOpen: false });
  else if (ui.drawer) look({ drawer: false });
});

restore();
restoreReads();
connect();

