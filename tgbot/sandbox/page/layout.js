// Which chats are open side by side. A chat that stays open keeps its element, and so its scroll place and what is typed.

import { ChatPane } from "./chat.js";
import { attr, h } from "./dom.js";
import { isPrivate, present } from "./people.js";
import { state } from "./state.js";
import { look, ui } from "./ui.js";

const STEP = 0.04;
const [LEAST, MOST] = [0.2, 0.8];

export class Layout {
  constructor() {
    this.panes = new Map();
    this.separator = h("div", { class: "separator", role: "separator", tabindex: "0", "aria-label": "Size of the two chats", "aria-valuemin": LEAST * 100, "aria-valuemax": MOST * 100 });
    this.el = h("main", { class: "panes", "aria-label": "Open chats" });
    this.separator.addEventListener("keydown", (event) => this.#keys(event));
    this.separator.addEventListener("pointerdown", (event) => this.#drag(event));
    this.stacked = matchMedia("(max-width: 759px)");
    this.stacked.addEventListener("change", () => this.#size());
  }

  /** Opens and closes panes until they are those that the view asks for. */
  refresh() {
    const wanted = wantedPanes();
    const keys = new Set(wanted.map(keyOf));
    for (const [key, pane] of this.panes) {
      if (!keys.has(key)) {
        pane.destroy();
        pane.el.remove();
        this.panes.delete(key);
      }
    }
    this.el.dataset.view = ui.view;
    const order = wanted.map((spec) => {
      const key = keyOf(spec);
      if (!this.panes.has(key)) this.panes.set(key, new ChatPane(spec));
      return this.panes.get(key).el;
    });
    if (ui.view === "split" && order.length === 2) order.splice(1, 0, this.separator);
    else this.separator.remove();
    order.forEach((el, index) => {
      if (this.el.children[index] !== el) this.el.insertBefore(el, this.el.children[index] ?? null);
    });
    this.#size();
    for (const pane of this.panes.values()) pane.refresh();
  }

  each(what) {
    for (const pane of this.panes.values()) what(pane);
  }

  /** A callback answer goes to the pane where the button was pressed; to one pane only. */
  toast(event) {
    const panes = [...this.panes.values()];
    if (event.press) panes.find((pane) => pane.hearToast(event));
    else [...panes].reverse().find((pane) => pane.hearToast(event));
  }

  open({ person, chatId, messageId }) {
    const pane = [...this.panes.values()].find((one) => one.person === person && one.chatId === chatId);
    if (!pane) return;
    pane.el.scrollIntoView({ block: "nearest" });
    // What the person himself just sent by the link (/start) needs no showing.
    const message = state.messages.get(chatId)?.get(messageId);
    if (message && message.from?.id !== person) pane.showMessage(messageId);
    else pane.focus();
  }

  #size() {
    this.el.style.setProperty("--ratio", ui.ratio);
    attr(this.separator, "aria-orientation", this.stacked.matches ? "horizontal" : "vertical");
    attr(this.separator, "aria-valuenow", Math.round(ui.ratio * 100));
  }

  #setRatio(ratio) {
    look({ ratio: Math.min(MOST, Math.max(LEAST, ratio)) });
  }

  #keys(event) {
    const step = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[event.key];
    const end = { Home: LEAST, End: MOST }[event.key];
    if (step === undefined && end === undefined) return;
    event.preventDefault();
    this.#setRatio(end ?? ui.ratio + step);
  }

  #drag(event) {
    event.preventDefault();
    this.separator.setPointerCapture(event.pointerId);
    const box = this.el.getBoundingClientRect();
    const move = (at) => {
      ui.ratio = Math.min(MOST, Math.max(LEAST, this.stacked.matches ? (at.clientY - box.top) / box.height : (at.clientX - box.left) / box.width));
      this.#size();
    };
    const end = () => {
      this.separator.removeEventListener("pointermove", move);
      this.#setRatio(ui.ratio);
    };
    this.separator.addEventListener("pointermove", move);
    this.separator.addEventListener("lostpointercapture", end, { once: true });
  }
}

const keyOf = ({ person, chatId, forPerson }) => `${person}:${chatId}:${Boolean(forPerson)}`;

function wantedPanes() {
  const { person, group, single, view } = ui;
  if (person === null) return [];
  if (view === "single") return [{ person, chatId: single }];
  const table = group === null ? [] : [{ person, chatId: group, forPerson: view === "four" }];
  if (view === "split") return [...table, { person, chatId: person }];
  return [...table, ...fourHands().map((id) => ({ person: id, chatId: id, forPerson: true }))];
}

// The first four people of the open group, else of the world.
function fourHands() {
  const group = state.chats.get(ui.group);
  const members = group && !isPrivate(group) ? group.members.filter(present).map((member) => member.id) : [];
  const all = [...state.people.keys()];
  const first = all.filter((id) => members.includes(id));
  return [...first, ...all.filter((id) => !members.includes(id))].slice(0, 4);
}
