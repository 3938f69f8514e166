// The bar over everything: whose eyes the page looks with, how the chats are laid out, the theme, the developers' drawer.

import { showMenu } from "./dialogs.js";
import { attr, h, icon, iconButton } from "./dom.js";
import { avatar, chatsOf, fullName } from "./people.js";
import { unreadCount } from "./reads.js";
import { state } from "./state.js";
import { setTheme, theme, THEMES } from "./theme.js";
import { look, ui } from "./ui.js";

const VIEWS = [
  ["split", "Group and private chat together"],
  ["single", "One chat"],
  ["four", "Four hands: all private chats"],
];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };
const THEME_WORDS = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

export const unreadOf = (personId) => chatsOf(personId).reduce((sum, chat) => sum + unreadCount(chat.id, personId), 0);

export class TopBar {
  constructor() {
    this.list = iconButton("menu", "Chats", () => look({ listOpen: !ui.listOpen }), { class: "list-toggle" });
    this.people = h("div", { class: "people", role: "toolbar", "aria-label": "Whose eyes you look with" });
    this.views = h("div", { class: "views", role: "group", "aria-label": "Layout" },
      ...VIEWS.map(([name, words]) => iconButton(name, words, () => look({ view: name }), { "data-view": name })));
    this.theme = iconButton("auto", "", () => this.#nextTheme(), { class: "theme" });
    this.tools = iconButton("tools", "Developer tools", () => look({ drawer: !ui.drawer }), { class: "tools" });
    this.more = iconButton("more", "Layout, theme and tools", () => this.#menu(), { class: "more" });
    this.status = h("span", { class: "status", role: "status" }, "Connecting…");
    this.el = h("header", { class: "topbar" }, this.list, h("h1", { class: "unseen" }, "Goat sandbox"), this.people, this.status,
      h("div", { class: "topbar-tools" }, this.views, this.theme, this.tools, this.more));
    this.#drawTheme();
  }

  refresh() {
    const people = [...state.people.values()].filter((person) => !person.deleted);
    if (this.people.childElementCount !== people.length) this.people.replaceChildren(...people.map(() => this.#chip()));
    people.forEach((person, index) => this.#dress(this.people.children[index], person));
    attr(this.list, "aria-expanded", String(ui.listOpen));
    const unread = unreadOf(ui.person);
    this.list.classList.toggle("marked", unread > 0);
    attr(this.list, "aria-label", unread ? `Chats, ${unread} unread` : "Chats");
    for (const button of this.views.children) attr(button, "aria-pressed", String(button.dataset.view === ui.view));
    attr(this.tools, "aria-expanded", String(ui.drawer));
    const status = state.online ? (state.process === "stopped" ? "The bot is stopped" : "") : "Connecting…";
    if (this.status.textContent !== status) this.status.textContent = status;
    document.title = unread ? `(${unread}) Goat sandbox` : "Goat sandbox";
  }

  #chip() {
    const chip = h("button", { type: "button", class: "person" }, h("span", { class: "person-face" }), h("span", { class: "person-name", dir: "auto" }), h("span", { class: "badge" }));
    chip.addEventListener("click", () => {
      const person = Number(chip.dataset.person);
      look({ person, single: ui.single === ui.person ? person : ui.single });
    });
    return chip;
  }

  #dress(chip, person) {
    const [face, name, badge] = chip.children;
    const title = fullName(person);
    chip.dataset.person = person.id;
    attr(chip, "aria-pressed", String(person.id === ui.person));
    attr(chip, "title", `Be ${title}`);
    if (face.textContent === "" || name.dataset.full !== title) face.replaceChildren(avatar(person.id, title, "xs"));
    name.dataset.full = title;
    name.textContent = person.first_name;
    const unread = person.id === ui.person ? 0 : unreadOf(person.id);
    badge.replaceChildren(String(unread), h("span", { class: "unseen" }, " unread"));
    badge.hidden = !unread;
  }

  // On a phone the buttons of the bar are one menu.
  #menu() {
    const box = this.more.getBoundingClientRect();
    const views = VIEWS.map(([name, words]) => [ui.view === name ? "check" : name, words, () => look({ view: name })]);
    const themes = THEMES.map((name) => [theme() === name ? "check" : THEME_ICONS[name], THEME_WORDS[name], () => this.#setTheme(name)]);
    showMenu("Layout, theme and tools", [...views, ...themes, ["tools", "Developer tools", () => look({ drawer: !ui.drawer })]], box.right, box.bottom);
  }

  #setTheme(name) {
    setTheme(name);
    this.#drawTheme();
  }

  #nextTheme() {
    this.#setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
  }

  #drawTheme() {
    const words = THEME_WORDS[theme()];
    this.theme.replaceChildren(icon(THEME_ICONS[theme()]));
    attr(this.theme, "aria-label", words);
    attr(this.theme, "title", words);
  }
}
