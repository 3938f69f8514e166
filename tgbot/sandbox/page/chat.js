// One open chat as one person sees it: header, pinned message, topics, messages, and the line to write in.

import { announce } from "./announce.js";
import { act } from "./api.js";
import { Composer } from "./composer.js";
import { showAlert, showMenu, showPhoto } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { copyText, followLink } from "./links.js";
import { MessageLog } from "./log.js";
import { plainText } from "./message.js";
import { avatar, chatTitle, fullName, isPrivate, memberOf, present, sees, visibleMessages } from "./people.js";
import { unreadCount } from "./reads.js";
import { state } from "./state.js";
import { showToast } from "./toast.js";
import { openThread, setThread } from "./ui.js";

const TYPING = 5000;

export class ChatPane {
  /** `forPerson`: the header shows whose chat it is (views with several people). */
  constructor({ person, chatId, forPerson = false }) {
    Object.assign(this, { person, chatId, forPerson });
    this.thread = openThread(chatId);
    this.sending = new Set(); // buttons pressed, not yet known to the server
    this.head = h("header", { class: "chat-head" });
    this.topics = h("div", { class: "topics", role: "toolbar", "aria-label": "Topics", hidden: true });
    this.pinned = h("div", { class: "pinned-place" });
    this.toasts = h("div", { class: "toasts" });
    this.foot = h("div", { class: "chat-foot" });
    this.body = h("div", { class: "chat-body" });
    this.el = h("section", { class: `chat ${isPrivate(this.chat) ? "chat-private" : "chat-group"}`, data: { chat: chatId, person }, "aria-label": this.#name() },
      this.head, this.topics, this.pinned, this.toasts, this.body, this.foot);
    this.#openLog();
    this.composer = this.#newComposer();
    this.refresh();
  }

  get chat() {
    return state.chats.get(this.chatId);
  }

  #name() {
    const title = chatTitle(this.chat);
    return this.forPerson ? `${title}, as ${fullName(state.people.get(this.person))}` : title;
  }

  destroy() {
    this.log.destroy();
    clearTimeout(this.typing);
  }

  // ---- what the parts of the chat may ask for

  tell = (text) => showToast(this.toasts, text, "page");

  async #try(what, args, onFailure = null) {
    try {
      return await act(what, { person: this.person, ...args });
    } catch (error) {
      this.tell(error.message);
      onFailure?.();
      return null;
    }
  }

  say(text, replyTo = null) {
    const args = { chat_id: this.chatId, text };
    if (this.thread) args.thread_id = this.thread;
    if (replyTo) args.reply_to = replyTo;
    return this.#try("say", args, () => this.composer.giveBack(text));
  }

  #press = async (message, row, col, button) => {
    if (button.copy_text) return copyText(button.copy_text.text, this.tell);
    if (button.url) return followLink(this.person, button.url, this.tell);
    const key = `${message.message_id}:${row}:${col}`;
    this.sending.add(key);
    this.log.setPending(message.message_id, row, col, true);
    const result = await this.#try("press", { chat_id: this.chatId, message_id: message.message_id, row, col });
    this.sending.delete(key);
    this.log.setPending(message.message_id, row, col, this.#isPending(message, row, col));
    if (result?.url) await followLink(this.person, result.url, this.tell);
    return undefined;
  };

  #isPending = (message, row, col) => {
    if (this.sending.has(`${message.message_id}:${row}:${col}`)) return true;
    return [...state.pending.values()].some((press) => this.#isOurs(press) && press.message_id === message.message_id && press.row === row && press.col === col);
  };

  #isOurs(press) {
    return press.person === this.person && press.chat_id === this.chatId;
  }

  #menu = (message, x, y) => {
    const own = message.from?.id === this.person;
    const items = [["reply", "Reply", () => this.composer.replyTo(message, plainText(message))]];
    const text = message.text || message.caption;
    if (text) items.push(["copy", "Copy text", () => copyText(text, this.tell)]);
    if (own && message.text) items.push(["edit", "Edit", () => this.composer.editOf(message)]);
    if (own || isPrivate(this.chat) || memberOf(this.chat, this.person)?.status !== "member") {
      items.push(["trash", "Delete", () => this.#try("delete_message", { chat_id: this.chatId, message_id: message.message_id })]);
    }
    showMenu("Message", items, x, y);
  };

  #command = (command, message) => {
    const bare = !command.includes("@") && message.from?.is_bot && !isPrivate(this.chat);
    this.say(bare ? `${command}@${state.bot.username}` : command);
  };

  // ---- drawing

  #openLog() {
    this.log?.destroy();
    this.log = new MessageLog({
      chatId: this.chatId, viewer: this.person, thread: this.thread, label: `Messages in ${this.#name()}`,
      actions: {
        press: this.#press, isPending: this.#isPending, openMenu: this.#menu, openPhoto: showPhoto, sendCommand: this.#command,
        openLink: (url) => followLink(this.person, url, this.tell), showMessage: (id) => this.showMessage(id),
      },
    });
    this.body.replaceChildren(this.log.el);
  }

  #newComposer() {
    return new Composer({
      person: this.person, chatId: this.chatId, label: this.#name(), isGroup: !isPrivate(this.chat), botName: state.bot.username,
      actions: {
        say: (text, replyTo) => this.say(text, replyTo),
        edit: (id, text) => this.#try("edit_message", { chat_id: this.chatId, message_id: id, text }),
        leaveUp: () => this.log.focusKeyboard(),
        tell: this.tell,
      },
    });
  }

  /** Header, topics, foot and pinned message follow the chat; the messages are drawn by events. */
  refresh() {
    if (!this.chat) return;
    this.el.setAttribute("aria-label", this.#name());
    this.#drawHead();
    this.#drawTopics();
    this.#drawPinned();
    this.#drawFoot();
    this.#drawEmpty();
  }

  redraw() {
    this.refresh();
    this.log.redraw();
  }

  #drawHead() {
    const { chat } = this;
    const alone = isPrivate(chat);
    const who = state.people.get(this.person);
    const title = this.forPerson && alone ? fullName(who) : chatTitle(chat);
    const face = this.forPerson && alone ? this.person : alone ? state.bot.id : chat.id;
    this.head.replaceChildren(avatar(face, title, "m"),
      h("div", { class: "chat-names" }, h("h2", {}, h("bdi", {}, title)), this.#subtitle(alone, who)));
  }

  #subtitle(alone, who) {
    if (this.doing) return h("p", { class: "typing" }, `${state.bot.name} is ${this.doing}…`);
    if (alone) return h("p", {}, this.forPerson ? `with ${state.bot.name}` : "bot");
    const members = this.chat.members.filter((member) => present(member) && member.id !== state.bot.id).length + (present({ status: this.chat.bot_status }) ? 1 : 0);
    const words = `${members} ${members === 1 ? "member" : "members"}`;
    return h("p", {}, this.forPerson ? `${words} · as ${fullName(who)}` : words);
  }

  #drawTopics() {
    const { chat } = this;
    this.topics.hidden = !chat.is_forum;
    if (!chat.is_forum) {
      if (this.thread !== undefined) this.#setThread(undefined);
      return;
    }
    const tabs = [[undefined, "All"], [null, "General"], ...chat.topics.map((topic) => [topic.id, topic.name])];
    const look = JSON.stringify([tabs, this.thread, tabs.map(([id]) => unreadCount(this.chatId, this.person, id))]);
    if (this.topics.dataset.look === look) return;
    this.topics.dataset.look = look;
    const focused = [...this.topics.children].indexOf(document.activeElement);
    this.topics.replaceChildren(...tabs.map(([id, name]) => {
      const unread = unreadCount(this.chatId, this.person, id);
      return h("button", { type: "button", class: "topic", "aria-pressed": String(id === this.thread), on: { click: () => this.#setThread(id) } },
        h("span", { dir: "auto" }, name), unread ? h("span", { class: "badge" }, String(unread), h("span", { class: "unseen" }, " unread")) : null);
    }));
    this.topics.children[focused]?.focus({ preventScroll: true });
  }

  /** The unread counts of the topics. */
  count() {
    if (this.chat?.is_forum) this.#drawTopics();
  }

  #setThread(thread) {
    this.thread = thread;
    this.#openLog();
    setThread(this.chatId, thread);
    this.log.toBottom();
  }

  #drawPinned() {
    const message = visibleMessages(this.chatId, this.person, this.thread).findLast((one) => one.pinned);
    this.pinned.replaceChildren(...(message ? [h("button", { type: "button", class: "pinned", on: { click: () => this.showMessage(message.message_id) } },
      h("span", { class: "pinned-words" }, h("b", {}, "Pinned message"), h("span", {}, h("bdi", {}, plainText(message)))), icon("pin", 18))] : []));
  }

  #drawFoot() {
    const { chat, person } = this;
    const [words, does] = isPrivate(chat) ? privateFoot(chat, person) : groupFoot(chat, person);
    if (this.footWords === words && this.foot.childElementCount) return;
    this.footWords = words;
    const hadFocus = this.foot.contains(document.activeElement);
    if (does) {
      this.foot.replaceChildren(h("button", { type: "button", class: "foot-button", on: { click: () => this.#try(...does) } }, words));
    } else if (words) this.foot.replaceChildren(h("p", { class: "foot-note" }, words));
    else {
      this.foot.replaceChildren(this.composer.el);
      this.composer.mounted();
    }
    if (hadFocus) this.#takeFocus();
  }

  // Where there is no keyboard, the line to write in would bring up the one on the screen, over the chat.
  #takeFocus() {
    const place = matchMedia("(pointer: coarse)").matches ? this.log.scroller : this.foot.querySelector("textarea, .foot-button");
    (place ?? this.log.scroller).focus({ preventScroll: true });
  }

  #drawEmpty() {
    this.body.querySelector(".empty")?.remove();
    if (visibleMessages(this.chatId, this.person, this.thread).length) return;
    const words = isPrivate(this.chat) && !this.chat.started
      ? [h("b", {}, `What can ${state.bot.name} do?`), h("p", {}, "It deals your cards here. Press Start, so that it may write to you.")]
      : [h("b", {}, "No messages here yet"), h("p", {}, "Write something, or press / for the bot's commands.")];
    this.body.append(h("div", { class: "empty" }, h("div", { class: "empty-card" }, words)));
  }

  // ---- events

  hearMessage(message, isNew) {
    if (!this.#mine(message)) return;
    this.log.put(message);
    this.count();
    if (isNew) this.#stopTyping();
    this.#drawEmpty();
    if (message.pinned || this.pinned.childElementCount) this.#drawPinned();
    if (!this.chat.is_forum || this.thread === undefined || this.thread === (message.thread_id ?? null)) this.#announce(message, isNew);
    if (isNew && this.orphan && message.reply_markup && document.activeElement === this.log.scroller) this.#adopt();
  }

  #mine(message) {
    return message.chat_id === this.chatId && sees(message, this.person);
  }

  #announce(message, isNew) {
    if (message.from?.id === this.person) return;
    const who = message.service ? "" : `${message.from?.name ?? ""}: `;
    const words = `${this.#name()}. ${who}${plainText(message)}`;
    if (isNew) announce(words);
    else announce(`Changed. ${words}`, `${this.person}:${this.chatId}:${message.message_id}`);
  }

  hearDelete(chatId, ids) {
    if (chatId !== this.chatId) return;
    const hadFocus = this.log.remove(ids);
    // The bot replaces a hand by sending a new one: who played by keyboard goes on there.
    if (hadFocus) {
      this.orphan = true;
      setTimeout(() => { this.orphan = false; }, 3000);
    }
    this.#drawPinned();
    this.#drawEmpty();
  }

  #adopt() {
    this.orphan = false;
    this.log.focusKeyboard();
  }

  hearQuery(press) {
    if (this.#isOurs(press)) this.log.setPending(press.message_id, press.row, press.col, true);
  }

  /** The answer to a press. True when it belongs to this pane. */
  hearToast(toast) {
    const { press } = toast;
    if (press ? !this.#isOurs(press) : toast.person !== this.person) return false;
    if (press) {
      const message = state.messages.get(this.chatId)?.get(press.message_id);
      if (message) this.log.setPending(press.message_id, press.row, press.col, this.#isPending(message, press.row, press.col));
    }
    if (toast.url) followLink(this.person, toast.url, this.tell);
    else if (toast.text && toast.alert) showAlert(this.forPerson ? `${state.bot.name}, to ${fullName(state.people.get(this.person))}` : state.bot.name, toast.text);
    else if (toast.text) showToast(this.toasts, toast.text);
    else if (toast.timeout) this.tell("The bot did not answer.");
    return true;
  }

  hearAction(event) {
    if (event.chat_id !== this.chatId) return;
    this.doing = String(event.action).replaceAll("_", " ");
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.#stopTyping(), TYPING);
    this.#drawHead();
  }

  #stopTyping() {
    clearTimeout(this.typing);
    if (!this.doing) return;
    this.doing = null;
    this.#drawHead();
  }

  /** Shows a message, changing the topic when it is in another. */
  showMessage(id) {
    if (this.log.show(id)) return;
    const message = state.messages.get(this.chatId)?.get(id);
    if (message && sees(message, this.person)) {
      this.#setThread(undefined);
      this.log.shown = Number.POSITIVE_INFINITY;
      this.log.redraw();
      this.log.show(id);
    } else this.tell("This message is no longer here.");
  }

  focus() {
    this.#takeFocus();
    this.el.classList.add("called");
    setTimeout(() => this.el.classList.remove("called"), 1600);
  }
}

function privateFoot(chat) {
  if (chat.blocked) return ["Unblock and restart", ["unblock", {}]];
  return chat.started ? [null, null] : ["Start", ["start", {}]];
}

function groupFoot(chat, person) {
  if (chat.upgraded_to) return ["This group was upgraded to a supergroup.", null];
  const member = memberOf(chat, person);
  if (member?.status === "kicked") return ["You can't write here: you were removed from this group.", null];
  return present(member) ? [null, null] : ["Join group", ["join", { chat_id: chat.id }]];
}
