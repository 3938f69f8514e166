// The card of the first visit: what to do, with the first steps done by one button.

import { act } from "./api.js";
import { h, icon, iconButton } from "./dom.js";
import { visibleMessages } from "./people.js";
import { on, state } from "./state.js";
import { ui } from "./ui.js";

const KEY = "sandbox.card";
const PATIENCE = 4000;

function recalled() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch (error) {
    console.warn("How far the card was can't be known.", error);
    return {};
  }
}

// Cards lie side by side; what else the bot sends in private has a button to a row.
const isHand = (message) => message.from?.is_bot && message.reply_markup?.inline_keyboard.some((row) => row.filter((button) => button.callback_data).length > 1);

export class FirstRun {
  constructor() {
    const { dismissed = false, seated = false, presses = 0 } = recalled();
    this.dismissed = dismissed;
    this.seated = seated; // a hand was seen; it has no buttons while others play
    this.presses = presses; // in the private chat: a card, then what to do with it
    this.problem = h("p", { class: "card-problem", role: "alert" });
    this.go = h("button", { type: "button", class: "card-go", on: { click: () => this.#openTable() } }, "Open a table");
    this.note = h("p", { class: "card-note" }, "It does steps 1 and 2 for you.");
    this.pitch = h("p", { class: "card-pitch" }, "New here? Play a deal against computers."); // in place of the steps where there is no room
    this.steps = h("ol", { class: "card-steps" });
    this.el = h("aside", { class: "card", "aria-label": "How to play", hidden: true },
      h("div", { class: "card-head" }, h("h2", {}, "Play your first deal"), iconButton("close", "Close this card", () => this.#dismiss())),
      this.pitch, this.steps, this.go, this.note, this.problem);
    on("query", (press) => {
      if (press.person !== ui.person || press.chat_id !== press.person) return;
      this.presses += 1;
      this.#keep();
      this.refresh();
    });
    on("reset", () => {
      this.seated = false;
      this.presses = 0;
      this.#keep();
    });
  }

  refresh() {
    const chat = state.chats.get(ui.person);
    const started = Boolean(chat?.started);
    const opened = ui.group !== null && visibleMessages(ui.group, ui.person).some((message) => message.text?.startsWith("/goat"));
    if (!this.seated && opened && visibleMessages(ui.person, ui.person).some(isHand)) {
      this.seated = true;
      this.#keep();
    }
    const { seated } = this;
    const played = seated && this.presses > 1;
    this.el.hidden = this.dismissed || played || ui.group === null;
    this.go.hidden = opened;
    this.note.hidden = opened || started;
    this.pitch.hidden = opened;
    const group = state.chats.get(ui.group)?.title ?? "the group";
    const steps = [
      [started, "Press Start in the private chat: the bot may then deal you cards."],
      [opened, `Send /goat to ${group}: it opens a table.`],
      [seated, "Under it, press “Play now with computers”: they take the other seats and the deal begins."],
      [played, "Your cards are in the private chat: choose, then press Lead, Beat or Pass."],
    ];
    const next = steps.findIndex(([done]) => !done);
    this.steps.replaceChildren(...steps.map(([done, words], index) =>
      h("li", { class: done ? "done" : index === next ? "next" : "", "aria-current": index === next ? "step" : null },
        h("span", { class: "card-mark", "aria-hidden": "true" }, done ? icon("check", 14) : String(index + 1)),
        h("span", {}, words, done ? h("span", { class: "unseen" }, " Done.") : null))));
  }

  async #openTable() {
    this.go.disabled = true;
    this.problem.textContent = "";
    try {
      if (!state.chats.get(ui.person)?.started) {
        const answered = this.#botAnswers(ui.person);
        await act("start", { person: ui.person });
        await answered; // the bot knows the person before he opens a table
      }
      await act("say", { person: ui.person, chat_id: ui.group, text: "/goat" });
    } catch (error) {
      this.problem.textContent = error.message;
    } finally {
      this.go.disabled = false;
    }
  }

  // Resolves at the bot's next message in the chat, or when patience ends.
  #botAnswers(chatId) {
    return new Promise((resolve) => {
      const stop = on("message", ({ message }) => {
        if (message.chat_id === chatId && message.from?.is_bot) end();
      });
      const timer = setTimeout(() => end(), PATIENCE);
      const end = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ dismissed: this.dismissed, seated: this.seated, presses: this.presses }));
    } catch (error) {
      console.warn("How far the card is can't be kept.", error);
    }
  }

  #dismiss() {
    this.dismissed = true;
    this.#keep();
    this.el.hidden = true;
    document.querySelector(".chat-item, .person")?.focus();
  }
}
