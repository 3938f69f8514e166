// One live region for the whole page: what is new is said once, in short, and never interrupts.

import { h } from "./dom.js";

const KEPT = 8000;
const waiting = new Map();

/** Says `text` to screen readers. Announcements of one `topic` that come in a burst are said as the last of them. */
export function announce(text, topic = null) {
  if (!topic) {
    say(text);
    return;
  }
  clearTimeout(waiting.get(topic));
  waiting.set(topic, setTimeout(() => {
    waiting.delete(topic);
    say(text);
  }, 700));
}

function say(text) {
  const line = h("p", {}, text);
  document.getElementById("announcer").append(line);
  setTimeout(() => line.remove(), KEPT);
}
