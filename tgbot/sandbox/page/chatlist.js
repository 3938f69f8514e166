// The chats of the person, newest first, with what was said last and how much is unread.

import { attr, h } from "./dom.js";
import { plainText } from "./message.js";
import { avatar, chatsOf, chatTitle, isPrivate, memberOf, present, visibleMessages } from "./people.js";
import { unreadCalls, unreadCount } from "./reads.js";
import { now, state } from "./state.js";
import { listTime } from "./time.js";
import { openChat, ui } from "./ui.js";

export class ChatList {
  constructor() {
    this.items = new Map();
    this.list = h("ul", { class: "chat-items" });
    this.el = h("nav", { class: "chat-list", "aria-label": "Chats" }, this.list);
    this.el.addEventListener("keydown", (event) => this.#keys(event));
  }

  refresh() {
    const rows = chatsOf(ui.person).map((chat) => ({ chat, newest: visibleMessages(chat.id, ui.person).at(-1) }));
    rows.sort((a, b) => (b.newest?.date ?? 0) - (a.newest?.date ?? 0));
    const ids = new Set(rows.map(({ chat }) => chat.id));
    for (const [id, item] of this.items) {
      if (!ids.has(id)) {
        item.remove();
        this.items.delete(id);
      }
    }
    rows.forEach((row, index) => {
      const item = this.#item(row);
      if (this.list.children[index] !== item) this.#moveTo(item, index);
    });
  }

  // Moving an element takes the focus away from it: it is given back.
  #moveTo(item, index) {
    const hadFocus = item.contains(document.activeElement);
    this.list.insertBefore(item, this.list.children[index] ?? null);
    if (hadFocus) item.firstElementChild.focus({ preventScroll: true });
  }

  #item({ chat, newest }) {
    if (!this.items.has(chat.id)) {
      const button = h("button", { type: "button", class: "chat-item", data: { chat: chat.id }, on: { click: () => openChat(ui.person, chat.id) } });
      this.items.set(chat.id, h("li", {}, button));
    }
    const item = this.items.get(chat.id);
    const button = item.firstElementChild;
    const open = ui.view === "single" ? ui.single === chat.id : ui.view === "split" && [ui.group, ui.person].includes(chat.id);
    attr(button, "aria-current", open ? "true" : null);
    const title = chatTitle(chat);
    const unread = unreadCount(chat.id, ui.person);
    const look = JSON.stringify([title, newest, unread, chat.blocked, now() - (newest?.date ?? 0) > 86400]);
    if (button.dataset.look === look) return item;
    button.dataset.look = look;
    button.replaceChildren(
      avatar(isPrivate(chat) ? state.bot.id : chat.id, title, "l"),
      h("span", { class: "chat-item-title" }, h("bdi", {}, title)),
      h("time", { class: "chat-item-time" }, newest ? listTime(newest.date, now()) : ""),
      h("span", { class: "chat-item-last" }, ...preview(chat, newest)),
      h("span", { class: "chat-item-marks" },
        unreadCalls(chat.id, ui.person) ? h("span", { class: "badge" }, h("span", { "aria-hidden": "true" }, "@"), h("span", { class: "unseen" }, "You were mentioned, ")) : null,
        unread ? h("span", { class: "badge" }, String(unread), h("span", { class: "unseen" }, " unread")) : null),
    );
    return item;
  }

  #keys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }
}

function preview(chat, message) {
  if (chat.blocked) return ["You blocked this bot"];
  if (!message) return [isPrivate(chat) && !chat.started ? "Press Start" : "No messages"];
  const words = h("bdi", {}, plainText(message));
  if (message.service) return [h("i", {}, words)];
  if (message.from?.id === ui.person) return [h("span", { class: "chat-item-who" }, "You: "), words];
  const named = !isPrivate(chat) && message.from && (message.from.is_bot || present(memberOf(chat, message.from.id)));
  return named ? [h("span", { class: "chat-item-who" }, h("bdi", {}, message.from.name), ": "), words] : [words];
}
