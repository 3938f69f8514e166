// Toasts: a dark line in the chat that it belongs to, gone after some seconds. The live region says it to screen readers.

import { announce } from "./announce.js";
import { h } from "./dom.js";

/** Shows `text` in `host` (an element with class "toasts"). `kind`: "bot" for a callback answer, "page" for what the page itself says. */
export function showToast(host, text, kind = "bot") {
  const toast = h("div", { class: `toast toast-${kind}`, dir: "auto" }, text);
  host.replaceChildren(toast);
  announce(text);
  setTimeout(() => toast.remove(), 3000 + 45 * text.length);
}
