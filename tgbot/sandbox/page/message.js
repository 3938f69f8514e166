// One message as a bubble. `update` changes only what differs, so that an edit neither jumps nor drops a press.

import { h, icon } from "./dom.js";
import { isJumbo, renderText } from "./entities.js";
import { markPending, renderKeyboard, walkWithArrows } from "./keyboard.js";
import { avatar, callsPerson, colorOf, isPrivate } from "./people.js";
import { state } from "./state.js";
import { hourMinute, wholeDate } from "./time.js";

/** The words of a message in one line, for previews, replies and screen readers. */
export function plainText(message) {
  if (message.service) return message.service.text;
  const words = hideSpoilers(message.text || message.caption || "", message.text ? message.entities : message.caption_entities);
  if (message.photo) return words ? `Photo, ${words}` : "Photo";
  return words.replace(/\s+/g, " ").trim();
}

function hideSpoilers(text, entities) {
  let shown = text;
  for (const { type, offset, length } of entities ?? []) {
    if (type === "spoiler") shown = shown.slice(0, offset) + "▒".repeat(length) + shown.slice(offset + length);
  }
  return shown;
}

/**
 * A view of `message` for the person `viewer`. `actions`: {press(message, row, col, button), isPending(message, row, col),
 * openLink(url), sendCommand(text), showMessage(id), openPhoto(photo, caption), openMenu(message, x, y)}.
 */
export class MessageView {
  constructor(message, viewer, actions) {
    this.viewer = viewer;
    this.actions = actions;
    this.revealed = false;
    this.el = h("article", { class: "msg", tabindex: "-1", data: { id: message.message_id } });
    this.el.addEventListener("contextmenu", (event) => this.#menu(event));
    this.el.addEventListener("keydown", (event) => {
      if (event.target === this.el && event.key === "Enter") this.#menu(event);
    });
    this.update(message);
  }

  update(message) {
    const before = this.message;
    if (before === message) return;
    this.message = message;
    if (message.service) return this.#service();
    if (!this.bubble) this.#frame();
    if (before && spoilersOf(before) !== spoilersOf(message)) this.revealed = false;
    if (!before || looksOf(before) !== looksOf(message)) this.#content();
    renderKeyboard(this.keyboard, message.reply_markup, {
      onPress: (row, col, button) => this.actions.press(this.message, row, col, button),
      isPending: (row, col) => this.actions.isPending(this.message, row, col),
    });
    const chat = state.chats.get(message.chat_id);
    const own = this.#own();
    this.el.classList.toggle("out", own);
    this.el.classList.toggle("in", !own);
    this.el.classList.toggle("has-kb", !this.keyboard.hidden);
    this.el.classList.toggle("calls-me", callsPerson(message, state.people.get(this.viewer)));
    this.el.classList.toggle("in-group", Boolean(chat && !isPrivate(chat)));
    this.el.classList.toggle("has-photo", Boolean(message.photo));
    const edited = message.edit_date ? ", edited" : "";
    this.el.setAttribute("aria-label", `${own ? "You" : message.from?.name ?? ""}, ${hourMinute(message.date)}${edited}`);
  }

  #own() {
    return this.message.from?.id === this.viewer;
  }

  /** First and last of a run of one sender: the name stands over the first, avatar and tail at the last. */
  group(first, last) {
    this.el.classList.toggle("first", first);
    this.el.classList.toggle("last", last);
    if (this.author) this.author.hidden = !first || this.#own() || !this.el.classList.contains("in-group");
  }

  setPending(row, col, pending) {
    if (this.keyboard) markPending(this.keyboard, row, col, pending);
  }

  /** The reply quote is redrawn: the message that it answers may have changed. */
  refreshReply() {
    if (this.message.reply_to && this.bubble) this.#content();
  }

  #service() {
    this.el.className = "msg service";
    this.el.setAttribute("aria-label", `Notice, ${hourMinute(this.message.date)}`);
    this.el.replaceChildren(h("span", { class: "pill", dir: "auto", title: wholeDate(this.message.date) }, this.message.service.text));
  }

  #frame() {
    const from = this.message.from;
    this.author = from ? h("div", { class: "author" }, h("bdi", {}, from.name)) : null;
    this.author?.style.setProperty("--person", colorOf(from.id));
    this.bubble = h("div", { class: "bubble" });
    this.keyboard = h("div", { class: "keyboard", role: "group", "aria-label": "Buttons of this message" });
    this.keyboard.addEventListener("keydown", (event) => walkWithArrows(event, this.keyboard));
    this.el.replaceChildren(
      from ? avatar(from.id, from.name, "s") : "",
      h("div", { class: "stack" }, this.bubble, this.keyboard),
    );
  }

  #content() {
    const { message } = this;
    const text = message.text || message.caption || "";
    const entities = message.text ? message.entities : message.caption_entities;
    const jumbo = !message.photo && isJumbo(text, entities);
    const body = h("div", { class: "text", dir: "auto" });
    body.append(...renderText(text, entities, {
      person: state.people.get(this.viewer),
      revealed: this.revealed,
      onReveal: () => { this.revealed = true; },
      onLink: (url) => this.actions.openLink(url),
      onCommand: (command) => this.actions.sendCommand(command, message),
    }));
    const meta = this.#meta();
    body.append(meta);
    this.bubble.classList.toggle("jumbo", jumbo);
    this.bubble.classList.toggle("bare", Boolean(message.photo) && !text);
    this.bubble.replaceChildren(
      ...[this.author, this.#reply(), this.#photo(), body, reactionsOf(message), message.receiver ? onlyYou() : null].filter(Boolean),
    );
  }

  #meta() {
    const { date, edit_date: edited, pinned } = this.message;
    return h("span", { class: "meta", title: wholeDate(date) + (edited ? `\nEdited: ${wholeDate(edited)}` : "") },
      pinned && icon("pin", 12), edited && h("span", { class: "edited" }, "edited"), h("time", { datetime: new Date(date * 1000).toISOString() }, hourMinute(date)));
  }

  #reply() {
    const id = this.message.reply_to;
    if (!id) return null;
    const answered = state.messages.get(this.message.chat_id)?.get(id);
    const name = answered ? answered.from?.name ?? "" : "Deleted message";
    const quote = h("button", { type: "button", class: "quote", on: { click: () => this.actions.showMessage(id) } },
      h("span", { class: "quote-name" }, h("bdi", {}, name)), h("span", { class: "quote-text" }, h("bdi", {}, answered ? plainText(answered) : "It is no longer here")));
    quote.style.setProperty("--person", colorOf(answered?.from?.id ?? 0));
    return quote;
  }

  #photo() {
    const { photo, caption } = this.message;
    if (!photo) return null;
    // The size is known before the picture is: nothing jumps when it comes.
    this.bubble.style.setProperty("--photo", `${Math.max(140, Math.min(photo.width, 440, (400 * photo.width) / photo.height))}px`);
    const image = h("img", { src: photo.url, width: photo.width, height: photo.height, alt: caption || "Photo", loading: "lazy" });
    return h("button", { type: "button", class: "photo", "aria-label": `Open the photo${caption ? `: ${caption}` : ""}`, on: { click: () => this.actions.openPhoto(photo, caption) } }, image);
  }

  #menu(event) {
    if (event.target.closest?.("a") && event.type === "contextmenu") return;
    event.preventDefault();
    const box = this.bubble?.getBoundingClientRect();
    if (!box) return;
    const byMouse = event.type === "contextmenu" && event.clientX > 0;
    this.actions.openMenu(this.message, byMouse ? event.clientX : box.left + 24, byMouse ? event.clientY : box.top + 24);
  }
}

const onlyYou = () => h("div", { class: "only-you" }, icon("eye", 13), "Only visible to you");
const reactionsOf = ({ reactions }) => reactions?.length ? h("div", { class: "reactions", "aria-label": "Reactions", role: "group" }, reactions.map((emoji) => h("span", { class: "reaction" }, emoji))) : null;
const looksOf = (m) => JSON.stringify([m.reactions, m.text, m.entities, m.caption, m.caption_entities, m.photo, m.edit_date, m.pinned, m.reply_to, m.receiver, m.from]);
const spoilersOf = (m) => JSON.stringify([m.text, m.caption]);
