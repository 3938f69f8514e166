// The bot's calls per chat against Telegram's limits, asked every second while it is looked at.

import { fetchLimits } from "./api.js";
import { h } from "./dom.js";

export class Limits {
  constructor() {
    this.problem = h("p", { class: "answer bad", role: "status" });
    this.body = h("tbody");
    this.el = h("div", { class: "limits" }, this.problem,
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Chat"), h("th", { scope: "col" }, "Last second"), h("th", { scope: "col" }, "Last minute"))), this.body),
      h("p", { class: "none" }, "Telegram allows a bot about 30 messages a second in all, one a second in a chat and 20 a minute in a group; edits count."));
  }

  watch(wanted) {
    if (wanted === Boolean(this.timer)) return;
    clearInterval(this.timer);
    this.timer = wanted ? setInterval(() => this.#ask(), 1000) : null;
    if (wanted) this.#ask();
  }

  async #ask() {
    try {
      const rows = await fetchLimits();
      this.problem.textContent = "";
      this.body.replaceChildren(...rows.map(limitRow));
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

function limitRow(row) {
  return h("tr", {}, h("th", { scope: "row", dir: "auto" }, row.chat_id === null ? "All chats" : row.title ?? String(row.chat_id)),
    cell(row.last_second, row.per_second), cell(row.last_minute, row.per_minute));
}

function cell(used, allowed) {
  if (allowed === null) return h("td", {}, String(used));
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--used", Math.min(1, used / allowed));
  return h("td", { class: used > allowed ? "over" : used >= allowed * 0.8 ? "near" : "" }, `${used} of ${allowed}`, bar);
}
