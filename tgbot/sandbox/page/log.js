// The list of messages of one open chat: days, runs of one sender, and scrolling that sticks to the bottom.

import { h, iconButton } from "./dom.js";
import { MessageView } from "./message.js";
import { visibleMessages, sees } from "./people.js";
import { markRead, unreadCount } from "./reads.js";
import { now } from "./state.js";
import { dayKey, dayName } from "./time.js";

const NEAR = 48; // pixels from the bottom that still count as being there
const PAGE = 250; // messages drawn at once; older ones on demand
const RUN = 300; // seconds within which messages of one sender belong together

export class MessageLog {
  constructor({ chatId, viewer, thread, label, actions }) {
    Object.assign(this, { chatId, viewer, thread, actions });
    this.views = new Map();
    this.days = new Map();
    this.shown = PAGE;
    this.stuck = true;
    this.lastTop = 0;
    this.list = h("div", { class: "days" });
    this.older = h("button", { type: "button", class: "older", hidden: true, on: { click: () => this.#showOlder() } }, "Show earlier messages");
    this.scroller = h("div", { class: "scroller", role: "log", "aria-live": "off", "aria-label": label, tabindex: "0" }, this.older, this.list);
    this.badge = h("span", { class: "badge", "aria-hidden": "true" });
    this.down = iconButton("down", "Go to the newest message", () => this.toBottom(true), { class: "to-bottom", hidden: true });
    this.down.append(this.badge);
    this.el = h("div", { class: "log" }, this.scroller, this.down);
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.#keys(event));
    this.watcher = new ResizeObserver(() => this.#hold());
    this.watcher.observe(this.scroller);
    this.watcher.observe(this.list);
    this.redraw();
  }

  destroy() {
    this.watcher.disconnect();
    clearTimeout(this.calm);
  }

  /** Draws what differs from the state: after a reconnect most messages are the same objects and stay as they are. */
  redraw() {
    const all = visibleMessages(this.chatId, this.viewer, this.thread);
    this.older.hidden = all.length <= this.shown;
    const wanted = all.slice(-this.shown);
    const ids = new Set(wanted.map((message) => message.message_id));
    for (const id of [...this.views.keys()]) if (!ids.has(id)) this.#drop(id);
    for (const message of wanted) this.#place(message);
    this.#arrange(wanted);
    this.#hold();
  }

  /** A new message, or one as it is now. */
  put(message) {
    const known = this.views.get(message.message_id);
    if (known) known.update(message);
    else if (this.#belongs(message)) {
      this.redraw();
      if (message.from?.id === this.viewer) this.toBottom();
    }
    for (const view of this.views.values()) if (view.message.reply_to === message.message_id) view.refreshReply();
    this.#hold();
  }

  /** Deleted messages leave. True when the focus was in one of them: the caller gives it a new place. */
  remove(ids) {
    const hadFocus = ids.some((id) => this.views.get(id)?.el.contains(document.activeElement));
    if (ids.some((id) => this.views.has(id))) this.redraw();
    if (hadFocus) this.scroller.focus({ preventScroll: true });
    return hadFocus;
  }

  #belongs(message) {
    return sees(message, this.viewer) && (this.thread === undefined || (message.thread_id ?? null) === this.thread);
  }

  #drop(id) {
    this.views.get(id).el.remove();
    this.views.delete(id);
  }

  #place(message) {
    const known = this.views.get(message.message_id);
    if (known) known.update(message);
    else this.views.set(message.message_id, new MessageView(message, this.viewer, this.actions));
  }

  // Puts every view into its day and place, moving only what stands elsewhere, and marks the runs.
  #arrange(wanted) {
    const keys = [];
    const cursor = new Map();
    wanted.forEach((message, index) => {
      const key = dayKey(message.date);
      if (!this.days.has(key)) this.days.set(key, newDay(message.date));
      const day = this.days.get(key);
      if (!cursor.has(key)) {
        cursor.set(key, day.firstElementChild);
        keys.push(key);
      }
      const { el } = this.views.get(message.message_id);
      if (cursor.get(key).nextElementSibling !== el) cursor.get(key).after(el);
      cursor.set(key, el);
      this.views.get(message.message_id).group(!sameRun(wanted[index - 1], message), !sameRun(message, wanted[index + 1]));
    });
    for (const [key, day] of [...this.days]) {
      if (!cursor.has(key)) {
        day.remove();
        this.days.delete(key);
      }
    }
    keys.forEach((key, index) => {
      const day = this.days.get(key);
      if (this.list.children[index] !== day) this.list.insertBefore(day, this.list.children[index] ?? null);
    });
  }

  #showOlder() {
    const first = this.list.querySelector("article");
    const before = first.getBoundingClientRect().top;
    this.shown += PAGE;
    this.redraw();
    this.scroller.scrollTop += first.getBoundingClientRect().top - before; // at the very top the browser keeps no anchor
    this.scroller.focus({ preventScroll: true });
  }

  #distance() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight;
  }

  #scrolled() {
    // Content that grows also moves away from the bottom; only going up is leaving it.
    const top = this.scroller.scrollTop;
    if (this.#distance() <= NEAR) this.stuck = true;
    else if (top < this.lastTop - 1) this.stuck = false;
    this.lastTop = top;
    this.scroller.classList.add("scrolling");
    clearTimeout(this.calm);
    this.calm = setTimeout(() => this.scroller.classList.remove("scrolling"), 1500);
    this.#float();
    this.read();
  }

  // A date that floats over messages of its day is shown only while they are scrolled.
  #float() {
    const { top } = this.scroller.getBoundingClientRect();
    for (const day of this.days.values()) day.classList.toggle("floating", day.getBoundingClientRect().top < top);
  }

  // At the bottom the newest stays in sight whatever grows; elsewhere the browser's scroll anchoring keeps the place.
  #hold() {
    if (this.stuck) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#float();
    this.read();
  }

  /** What is in sight is read, unless the tab is hidden. */
  read() {
    this.down.hidden = this.stuck || this.#distance() <= NEAR;
    if (this.stuck && document.visibilityState === "visible" && this.scroller.clientHeight > 0) markRead(this.chatId, this.viewer, this.thread);
    const unread = unreadCount(this.chatId, this.viewer, this.thread);
    this.badge.textContent = unread || "";
    this.down.setAttribute("aria-label", unread ? `Go to the newest message, ${unread} unread` : "Go to the newest message");
  }

  toBottom(smooth = false) {
    this.stuck = true;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.scroller.scrollTo({ top: this.scroller.scrollHeight, behavior: smooth && !calm ? "smooth" : "instant" });
    this.read();
  }

  /** Brings a message into sight and marks it for a moment; false when it is not here. */
  show(id) {
    const view = this.views.get(id);
    if (!view) return false;
    this.stuck = false;
    view.el.scrollIntoView({ block: "center" });
    view.el.classList.add("found");
    setTimeout(() => view.el.classList.remove("found"), 1800);
    view.el.focus({ preventScroll: true });
    return true;
  }

  /** The first button of the newest keyboard gets the focus; false when there is none. */
  focusKeyboard() {
    const keyboards = this.list.querySelectorAll(".keyboard:not([hidden])");
    const button = keyboards[keyboards.length - 1]?.querySelector("button");
    button?.focus();
    return Boolean(button);
  }

  setPending(messageId, row, col, pending) {
    this.views.get(messageId)?.setPending(row, col, pending);
  }

  renameDays() {
    for (const day of this.days.values()) day.querySelector(".day-name").textContent = dayName(Number(day.dataset.date), now());
  }

  // Up and down walk from message to message; Enter on one opens its menu.
  #keys(event) {
    const articles = [...this.list.querySelectorAll("article")];
    const at = articles.indexOf(document.activeElement);
    if (event.target !== this.scroller && at < 0) return;
    const target = { ArrowUp: at < 0 ? articles.at(-1) : articles[at - 1], ArrowDown: at < 0 ? null : articles[at + 1], Home: articles[0], End: articles.at(-1) }[event.key];
    if (!target) return;
    event.preventDefault();
    target.focus();
  }
}

const newDay = (date) =>
  h("section", { class: "day", data: { date } }, h("div", { class: "day-line" }, h("span", { class: "pill day-name" }, dayName(date, now()))));

function sameRun(one, other) {
  if (!one || !other || one.service || other.service) return false;
  return one.from?.id === other.from?.id && dayKey(one.date) === dayKey(other.date) && other.date - one.date < RUN
    && (one.receiver ?? null) === (other.receiver ?? null);
}
