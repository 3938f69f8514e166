// The developers' drawer: controls, the live list of calls, and calls against Telegram's limits.

import { CallList } from "./calls.js";
import { Controls } from "./controls.js";
import { attr, h, iconButton } from "./dom.js";
import { Limits } from "./limits.js";
import { look, ui } from "./ui.js";

export class Drawer {
  constructor() {
    this.parts = { controls: ["Controls", new Controls()], calls: ["Calls", new CallList()], limits: ["Limits", new Limits()] };
    this.tab = "controls";
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Developer tools" });
    this.panels = h("div", { class: "panels" });
    for (const [name, [words, part]] of Object.entries(this.parts)) {
      this.tabs.append(h("button", { type: "button", class: "tab", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, on: { click: () => this.#open(name) } }, words));
      this.panels.append(h("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" }, part.el));
    }
    this.tabs.addEventListener("keydown", (event) => this.#keys(event));
    this.el = h("aside", { class: "drawer", "aria-label": "Developer tools", hidden: true },
      h("div", { class: "drawer-head" }, h("h2", {}, "Developer tools"), iconButton("close", "Close developer tools", () => this.#close())), this.tabs, this.panels);
    this.#open(this.tab);
  }

  refresh() {
    this.el.hidden = !ui.drawer;
    this.parts.limits[1].watch(ui.drawer && this.tab === "limits");
    if (ui.drawer) this.parts.controls[1].refresh();
  }

  #open(name) {
    this.tab = name;
    for (const tab of this.tabs.children) {
      const chosen = tab.id === `tab-${name}`;
      attr(tab, "aria-selected", String(chosen));
      attr(tab, "tabindex", chosen ? "0" : "-1");
    }
    for (const panel of this.panels.children) panel.hidden = panel.id !== `panel-${name}`;
    this.parts.limits[1].watch(ui.drawer && name === "limits");
  }

  #keys(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = Object.keys(this.parts);
    const next = (names.indexOf(this.tab) + step + names.length) % names.length;
    this.#open(names[next]);
    this.tabs.children[next].focus();
  }

  #close() {
    look({ drawer: false });
    document.querySelector(".tools")?.focus();
  }
}
