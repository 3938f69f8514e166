// What a developer can do to the world: time, people, groups, faults, the bot's process, the session.

import { act } from "./api.js";
import { ask } from "./dialogs.js";
import { attr, h } from "./dom.js";
import { fullName, isPrivate, memberOf, present } from "./people.js";
import { now, state } from "./state.js";
import { span, wholeDate } from "./time.js";
import { look, ui } from "./ui.js";

const FAULTS = [
  ["429", "429 Too Many Requests"],
  ["403", "403 Forbidden"],
  ["500", "500 Internal Server Error"],
  ["502", "502 Bad Gateway"],
  ["timeout", "No answer, nothing done"],
  ["drop", "Done, but the connection breaks"],
  ["delay", "Slow answer"],
];
const STEPS = [[10, "10 s"], [60, "1 min"], [600, "10 min"], [3600, "1 h"], [86400, "1 day"]];

export class Controls {
  constructor() {
    this.person = h("select", { "aria-label": "Person", on: { change: () => this.refresh() } });
    this.group = h("select", { "aria-label": "Group", on: { change: () => this.refresh() } });
    this.answer = h("p", { class: "answer", role: "status" });
    this.clock = h("p", { class: "clock" });
    this.faults = h("ul", { class: "faults" });
    this.enforce = h("input", { type: "checkbox", on: { change: () => this.#do("enforce_limits", { on: this.enforce.checked }) } });
    this.process = h("p", { class: "process" });
    this.el = h("div", { class: "controls" }, this.answer,
      this.#time(), this.#people(), this.#groups(), this.#trouble(), this.#bot(), this.#session());
    setInterval(() => this.#tick(), 1000);
  }

  async #do(what, args = {}, words = "Done.") {
    try {
      const result = await act(what, args);
      this.#tell(words);
      return result;
    } catch (error) {
      this.#tell(error.message, true);
      return null;
    }
  }

  #tell(words, bad = false) {
    this.answer.textContent = words;
    this.answer.classList.toggle("bad", bad);
  }

  get #who() {
    return Number(this.person.value);
  }

  get #where() {
    return Number(this.group.value);
  }

  // ---- the groups of controls

  #time() {
    return set("Clock", this.clock, h("div", { class: "row" }, STEPS.map(([seconds, words]) => button(`+${words}`, () => this.#do("advance", { seconds }, `The clock went on by ${words}.`)))));
  }

  #people() {
    const here = () => ({ person: this.#who, chat_id: this.#where });
    this.language = h("input", { "aria-label": "Language code", size: "4", maxlength: "8", placeholder: "en" });
    const name = h("input", { "aria-label": "Name of a new person", placeholder: "First name", maxlength: "64" });
    const add = async (event) => {
      event.preventDefault();
      if (await this.#do("add_person", { first_name: name.value, ...(this.group.value ? { chat_id: this.#where } : {}) }, `${name.value} is here.`)) name.value = "";
    };
    this.blocking = button("", () => {
      const chat = state.chats.get(this.#who);
      this.#do(chat?.blocked ? "unblock" : "block", { person: this.#who });
    });
    this.leaving = button("", () => this.#do(this.#member() ? "leave" : "join", here()));
    this.promoting = button("", () => this.#do("promote", { chat_id: this.#where, user: this.#who, admin: !this.#isAdmin() }));
    this.hiding = button("", () => this.#do("anonymous", { ...here(), on: !memberOf(this.#chat() ?? { members: [] }, this.#who)?.anonymous }));
    return set("Person", h("label", { class: "row" }, this.person),
      h("div", { class: "row" }, this.blocking, this.leaving, this.promoting, this.hiding, button("Clear private history", () => this.#do("clear_history", { person: this.#who })),
        button("Delete account", () => this.#sure("Delete this account?", "The bot then sees a deleted account.", "Delete", "delete_account", { person: this.#who }))),
      h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); this.#do("language", { person: this.#who, language_code: this.language.value }); } } },
        h("span", {}, "Language"), this.language, submit("Set")),
      h("form", { class: "row", on: { submit: add } }, name, submit("Add a person")));
  }

  #groups() {
    const here = () => ({ person: this.#who, chat_id: this.#where });
    const title = h("input", { "aria-label": "Title of a new group", placeholder: "Title", maxlength: "128" });
    const topic = h("input", { "aria-label": "Name of a new topic", placeholder: "Topic", maxlength: "128" });
    const addGroup = async (event) => {
      event.preventDefault();
      const made = await this.#do("add_group", { person: this.#who, title: title.value }, `${title.value} is made; the bot is not in it yet.`);
      if (!made) return;
      title.value = "";
      look({ person: this.#who, group: made.chat_id });
      this.refresh(made.chat_id);
    };
    const addTopic = async (event) => {
      event.preventDefault();
      if (await this.#do("create_topic", { ...here(), name: topic.value })) topic.value = "";
    };
    const upgrade = async () => {
      const made = await this.#do("supergroup", here(), "It is a supergroup now, with another id.");
      if (made) this.refresh(made.chat_id);
    };
    this.botHere = button("", () => this.#do(present({ status: this.#chat()?.bot_status }) ? "remove_bot" : "add_bot", here()));
    this.botMute = button("", () => this.#do("restrict_bot", { ...here(), can_write: !this.#chat()?.bot_can_write }));
    this.botAdmin = button("", () => this.#do("promote", { chat_id: this.#where, user: state.bot.id, admin: this.#chat()?.bot_status !== "administrator" }));
    this.upgrade = button("Make it a supergroup", upgrade);
    this.forum = button("", () => this.#do("topics", { ...here(), on: !this.#chat()?.is_forum }));
    return set("Group", h("label", { class: "row" }, this.group),
      h("div", { class: "row" }, this.botHere, this.botMute, this.botAdmin, this.upgrade, this.forum),
      h("form", { class: "row", on: { submit: addTopic } }, topic, submit("Create a topic")),
      h("form", { class: "row", on: { submit: addGroup } }, title, submit("New group")));
  }

  #trouble() {
    const kind = h("select", { "aria-label": "Fault" }, FAULTS.map(([value, words]) => h("option", { value }, words)));
    const method = h("input", { "aria-label": "Bot API method, * for all", value: "*", size: "16", spellcheck: "false" });
    const count = h("input", { "aria-label": "How many times; empty: until cleared", type: "number", min: "1", value: "1" });
    const seconds = h("input", { "aria-label": "Seconds: retry_after, or length of a delay", type: "number", min: "0", step: "any", value: "3" });
    const inject = (event) => {
      event.preventDefault();
      const args = { kind: kind.value, method: method.value || "*", seconds: Number(seconds.value) };
      if (count.value) args.count = Number(count.value);
      this.#do("fault", args, "The fault waits for the bot's next call.");
    };
    return set("Faults", h("form", { class: "fault-form", on: { submit: inject } }, kind,
      h("label", {}, "Method", method), h("label", {}, "Times", count), h("label", {}, "Seconds", seconds), submit("Inject")),
    this.faults, h("div", { class: "row" }, button("Clear all faults", () => this.#do("clear_faults"))),
    h("label", { class: "check" }, this.enforce, "Enforce Telegram's limits (429 when the bot is too fast)"));
  }

  #bot() {
    this.processButtons = [button("Restart", () => this.#do("bot_restart")), button("Kill", () => this.#do("bot_kill", {}, "Killed.")), button("Start", () => this.#do("bot_start"))];
    return set("Bot", this.process, h("div", { class: "row" }, button("Resend the last update", () => this.#do("resend", {}, "Sent once more.")), this.processButtons));
  }

  #session() {
    return set("Session", h("div", { class: "row" },
      h("a", { class: "control", href: "/api/export", download: "session.jsonl" }, "Export as JSON lines"),
      button("Start the world anew", () => this.#sure("Start the world anew?", "All messages and people that were added go.", "Start anew", "reset", {}))));
  }

  async #sure(title, text, yes, what, args) {
    if (await ask(title, text, yes)) await this.#do(what, args);
  }

  // ---- following the state

  #chat() {
    return state.chats.get(this.#where);
  }

  #member() {
    const chat = this.#chat();
    return Boolean(chat && present(memberOf(chat, this.#who)));
  }

  #isAdmin() {
    const chat = this.#chat();
    return Boolean(chat && ["creator", "administrator"].includes(memberOf(chat, this.#who)?.status));
  }

  refresh(groupId = null) {
    fill(this.person, [...state.people.values()].filter((one) => !one.deleted).map((one) => [one.id, fullName(one)]), ui.person, this.seenPerson !== ui.person);
    this.seenPerson = ui.person;
    const groups = [...state.chats.values()].filter((chat) => !isPrivate(chat) && !chat.upgraded_to);
    fill(this.group, groups.map((chat) => [chat.id, `${chat.title} (${chat.id})`]), groupId ?? ui.group, groupId !== null || this.seenGroup !== ui.group);
    this.seenGroup = ui.group;
    const chat = this.#chat();
    const person = state.people.get(this.#who);
    if (document.activeElement !== this.language) this.language.value = person?.language_code ?? "";
    this.blocking.textContent = state.chats.get(this.#who)?.blocked ? "Unblock the bot" : "Block the bot";
    this.leaving.textContent = this.#member() ? "Leave the group" : "Join the group";
    this.promoting.textContent = this.#isAdmin() ? "Make a plain member" : "Make an admin";
    this.hiding.textContent = chat && memberOf(chat, this.#who)?.anonymous ? "Show as himself" : "Be an anonymous admin";
    this.botHere.textContent = present({ status: chat?.bot_status }) ? "Remove the bot" : "Add the bot";
    this.botMute.textContent = chat && !chat.bot_can_write ? "Let the bot write" : "Forbid the bot to write";
    this.botAdmin.textContent = chat?.bot_status === "administrator" ? "Bot: no admin" : "Bot: make admin";
    this.upgrade.disabled = chat?.type !== "group";
    this.forum.textContent = chat?.is_forum ? "Topics off" : "Topics on";
    this.enforce.checked = state.limitsEnforced;
    this.process.textContent = { running: "The bot's process runs.", stopped: "The bot's process is stopped." }[state.process] ?? "The bot was not started by the sandbox.";
    for (const one of this.processButtons) one.disabled = state.process === null;
    this.faults.replaceChildren(...state.faults.map((fault) => this.#fault(fault)));
    this.#tick();
  }

  #fault(fault) {
    const words = `${fault.kind} for ${fault.method === "*" ? "every method" : fault.method}, ${fault.count === null ? "until cleared" : `${fault.count} more`}${fault.seconds ? `, ${fault.seconds} s` : ""}`;
    return h("li", {}, words, button("Clear", () => this.#do("clear_faults", { id: fault.id })));
  }

  #tick() {
    if (!ui.drawer) return;
    const words = wholeDate(now()) + (span(state.clock.offset) ? `, ${span(state.clock.offset)} ahead` : "");
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }
}

const set = (words, ...children) => h("fieldset", {}, h("legend", {}, words), children);
const button = (words, does) => h("button", { type: "button", class: "control", on: { click: does } }, words);
const submit = (words) => h("button", { class: "control" }, words);

// Refills a select, keeping the choice unless `follow` (then `wanted` is chosen).
function fill(select, options, wanted, follow) {
  const chosen = follow || !select.value ? String(wanted) : select.value;
  const look = JSON.stringify(options);
  if (select.dataset.look !== look) {
    select.dataset.look = look;
    select.replaceChildren(...options.map(([value, words]) => h("option", { value }, words)));
  }
  if (options.some(([value]) => String(value) === chosen)) select.value = chosen;
  attr(select, "disabled", options.length === 0);
}
