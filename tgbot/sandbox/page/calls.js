// The live list of what went over the wire: the bot's calls with the answers, and the updates that it was given.

import { h } from "./dom.js";
import { on, state } from "./state.js";
import { chatTitle, fullName, isPrivate } from "./people.js";
import { hourMinuteSecond } from "./time.js";

const KEPT = 400;

export class CallList {
  constructor() {
    this.paused = false;
    this.filter = h("input", { type: "search", placeholder: "Filter: method, chat, code", "aria-label": "Filter the calls", on: { input: () => this.#filter() } });
    this.pause = h("button", { type: "button", class: "control", "aria-pressed": "false", on: { click: () => this.#pause() } }, "Pause");
    this.list = h("ol", { class: "calls", "aria-label": "Calls, newest first" });
    this.none = h("p", { class: "none" }, "Nothing yet. Calls of the bot appear here as they come.");
    this.el = h("div", { class: "call-list" },
      h("div", { class: "row" }, this.filter, this.pause, h("button", { type: "button", class: "control", on: { click: () => this.#clear() } }, "Clear")), this.none, this.list);
    on("call", (call) => this.#add(callRow(call)));
    on("update", (update) => this.#add(updateRow(update)));
    on("reset", () => this.#clear());
  }

  #add(row) {
    if (this.paused) return;
    this.none.hidden = true;
    row.hidden = !this.#fits(row);
    this.list.prepend(row);
    while (this.list.children.length > KEPT) this.list.lastElementChild.remove();
  }

  #fits(row) {
    const wanted = this.filter.value.trim().toLowerCase();
    return !wanted || row.firstElementChild.firstElementChild.textContent.toLowerCase().includes(wanted);
  }

  #filter() {
    for (const row of this.list.children) row.hidden = !this.#fits(row);
  }

  #pause() {
    this.paused = !this.paused;
    this.pause.setAttribute("aria-pressed", String(this.paused));
    this.pause.textContent = this.paused ? "Go on" : "Pause";
  }

  #clear() {
    this.list.replaceChildren();
    this.none.hidden = false;
  }
}

function chatName(id) {
  if (id === null || id === undefined) return "";
  const chat = state.chats.get(Number(id));
  if (!chat) return String(id);
  return isPrivate(chat) ? fullName(state.people.get(chat.id)) : chatTitle(chat);
}

function row(kind, good, cells, details) {
  const summary = h("summary", {}, cells.map(([name, words]) => h("span", { class: `call-${name}` }, words)));
  return h("li", { class: `call call-from-${kind} ${good ? "good" : "bad"}` }, h("details", {}, summary, details));
}

function callRow({ method, chat_id: chatId, ok, code, description, ms, at, body }) {
  const cells = [["code", String(code)], ["name", method], ["chat", chatName(chatId)], ["ms", `${Math.round(ms)} ms`], ["at", hourMinuteSecond(at)]];
  return row("bot", ok, cells, [
    description ? h("p", {}, description) : null,
    h("pre", {}, typeof body === "string" ? body : JSON.stringify(body, null, 2)),
  ]);
}

function updateRow({ update_id: id, type, status, ms, at }) {
  const cells = [["code", status ? String(status) : "—"], ["name", `→ ${type}`], ["chat", "to the bot"], ["ms", `${Math.round(ms)} ms`], ["at", hourMinuteSecond(at)]];
  return row("sandbox", status >= 200 && status < 300, cells, [h("p", {}, status ? `Update ${id} was delivered.` : `Update ${id}: the bot could not be reached.`)]);
}
