// The line to write in: text, commands with completion, reply and edit. Its own Start, Join and Unblock buttons stand in its place.

import { attr, h, icon, iconButton } from "./dom.js";
import { commandsFor, matching } from "./commands.js";
import { drafts } from "./ui.js";

let count = 0;

export class Composer {
  /** `actions`: {say(text, replyTo), edit(messageId, text), leaveUp() → the focus goes to the newest keyboard, tell(text)}. */
  constructor({ person, chatId, label, isGroup, botName, actions }) {
    Object.assign(this, { person, chatId, isGroup, botName, actions });
    this.about = null; // {kind: "reply" | "edit", id}
    this.found = null; // the commands on offer, null when the list is closed
    this.picked = -1;
    this.id = `composer-${(count += 1)}`;
    this.input = h("textarea", {
      class: "composer-input", rows: "1", placeholder: "Message", "aria-label": `Message to ${label}`, dir: "auto",
      "aria-autocomplete": "list", "aria-controls": `${this.id}-list`, maxlength: "8192", enterkeyhint: "send",
    });
    this.input.value = drafts.get(this.#key()) ?? "";
    this.offers = h("ul", { class: "offers", role: "listbox", id: `${this.id}-list`, "aria-label": "Commands", hidden: true });
    this.banner = h("div", { class: "about", hidden: true });
    this.commands = h("button", { type: "button", class: isGroup ? "icon-button slash" : "menu-button", "aria-label": "Commands", "aria-expanded": "false", title: "Commands of the bot" },
      ...(isGroup ? [h("span", { "aria-hidden": "true" }, "/")] : [icon("menu", 18), h("span", { class: "menu-word" }, "Menu")]));
    this.send = iconButton("send", "Send", () => this.#submit(), { class: "send" });
    this.el = h("div", { class: "composer" }, this.offers, this.banner, h("div", { class: "composer-line" }, this.commands, this.input, this.send));
    this.#listen();
  }

  #key() {
    return `${this.person}:${this.chatId}`;
  }

  #listen() {
    this.input.addEventListener("input", () => this.#changed());
    this.input.addEventListener("keydown", (event) => this.#keys(event));
    this.input.addEventListener("blur", () => setTimeout(() => !this.el.contains(document.activeElement) && this.#close(), 120));
    this.commands.addEventListener("click", () => (this.found ? this.#close() : this.#offerAll()));
    this.commands.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
  }

  mounted() {
    this.#grow();
  }

  focus() {
    this.input.focus();
  }

  replyTo(message, words) {
    this.#setAbout({ kind: "reply", id: message.message_id }, `Reply to ${message.from?.name ?? ""}`, words);
  }

  editOf(message) {
    this.#setAbout({ kind: "edit", id: message.message_id }, "Edit message", message.text);
    this.input.value = message.text;
    this.#grow();
  }

  #setAbout(about, title, words) {
    this.about = about;
    this.banner.replaceChildren(icon(about.kind, 20), h("div", { class: "about-words" }, h("b", { dir: "auto" }, title), h("span", { dir: "auto" }, words)),
      iconButton("close", "Cancel", () => this.#forget()));
    this.banner.hidden = false;
    this.focus();
  }

  #forget() {
    if (this.about?.kind === "edit") this.#setText("");
    this.about = null;
    this.banner.hidden = true;
    this.focus();
  }

  #setText(text) {
    this.input.value = text;
    this.#changed();
  }

  #changed() {
    if (this.about?.kind !== "edit") drafts.set(this.#key(), this.input.value);
    this.#grow();
    this.#offer();
  }

  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 140)}px`;
  }

  async #offer() {
    const typed = this.input.value;
    if (!typed.startsWith("/")) return this.#close();
    const commands = await this.#ask();
    if (typed === this.input.value) this.#show(matching(commands, typed));
    return undefined;
  }

  async #offerAll() {
    const commands = await this.#ask();
    this.#show(commands);
    if (!commands.length) this.actions.tell("The bot has set no commands for this chat.");
    else if (matchMedia("(pointer: fine)").matches) this.focus();
  }

  async #ask() {
    try {
      return await commandsFor(this.person, this.chatId);
    } catch (error) {
      this.actions.tell(error.message);
      return [];
    }
  }

  #show(commands) {
    if (!commands?.length) return this.#close();
    this.found = commands;
    this.picked = 0;
    this.offers.replaceChildren(...commands.map(({ command, description }, index) =>
      h("li", { class: "offer", role: "option", id: `${this.id}-${index}`, on: { mousedown: (event) => event.preventDefault(), click: () => this.#take(index, true) } },
        h("b", {}, `/${command}`), h("span", { dir: "auto" }, description))));
    this.offers.hidden = false;
    this.commands.setAttribute("aria-expanded", "true");
    this.#pick(0);
    return undefined;
  }

  #pick(index) {
    this.picked = (index + this.found.length) % this.found.length;
    [...this.offers.children].forEach((offer, at) => offer.setAttribute("aria-selected", String(at === this.picked)));
    this.offers.children[this.picked].scrollIntoView({ block: "nearest" });
    attr(this.input, "aria-activedescendant", `${this.id}-${this.picked}`);
  }

  #close() {
    this.found = null;
    this.offers.hidden = true;
    this.offers.replaceChildren();
    this.commands.setAttribute("aria-expanded", "false");
    attr(this.input, "aria-activedescendant", null);
  }

  // In a group a command names its bot, as Telegram's own apps write it.
  #take(index, send) {
    const text = `/${this.found[index].command}${this.isGroup && send ? `@${this.botName}` : ""}`;
    this.#close();
    if (send) {
      this.#setText("");
      this.actions.say(text, null);
    } else {
      this.input.value = `${text} `;
      this.#changed();
    }
  }

  #keys(event) {
    if (event.isComposing) return;
    if (this.found && this.#offerKeys(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "Escape" && this.about) this.#forget();
    else if (event.key === "ArrowUp" && !this.input.value && this.actions.leaveUp()) event.preventDefault();
  }

  #offerKeys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#pick(this.picked + step);
    else if (event.key === "Enter" && !event.shiftKey) this.#take(this.picked, true);
    else if (event.key === "Tab" && !event.shiftKey && this.input.value.startsWith("/") && this.input.value.trim() !== `/${this.found[this.picked].command}`) this.#take(this.picked, false);
    else if (event.key === "Escape") this.#close();
    else return false;
    return true;
  }

  #submit() {
    const text = this.input.value.trim();
    if (!text) return;
    const { about } = this;
    this.about = null;
    this.banner.hidden = true;
    this.#setText("");
    if (about?.kind === "edit") this.actions.edit(about.id, text);
    else this.actions.say(text, about?.id ?? null);
    this.#close();
  }

  /** What could not be sent comes back into the line, unless something new is there. */
  giveBack(text) {
    if (!this.input.value) this.#setText(text);
  }
}
