// The inline keyboard under a message. Buttons are changed in place on an edit: a press that is under way and the focus survive.

import { attr, h, icon, withSigns } from "./dom.js";

const STYLES = new Set(["success", "danger", "primary"]);

/** What a button does, for its icon and its description to screen readers. */
function kindOf(button) {
  if (button.disabled) return "disabled";
  if (button.url) return "url";
  if (button.copy_text) return "copy";
  if (button.web_app || button.login_url || button.pay || button.switch_inline_query !== undefined
    || button.switch_inline_query_current_chat !== undefined) return "other";
  return "callback";
}

const ICONS = { url: "link", copy: "copy", other: "app" };
const WORDS = { url: "Opens a link", copy: "Copies text", disabled: "Switched off", other: "Not possible in the sandbox" };

/**
 * Shows `markup` (a Message's reply_markup or null) in `container`.
 * `context`: {onPress(row, col, button), isPending(row, col)}.
 */
export function renderKeyboard(container, markup, context) {
  const rows = markup?.inline_keyboard ?? [];
  const focus = focusedPlace(container);
  rows.forEach((buttons, row) => renderRow(container, row, buttons, context));
  while (container.children.length > rows.length) container.lastElementChild.remove();
  container.hidden = rows.length === 0;
  container.classList.toggle("dense", rows.some((row) => row.length > 4));
  if (focus) focusNear(container, focus);
}

function focusedPlace(container) {
  const button = document.activeElement;
  if (!container.contains(button) || button === container) return null;
  return { row: Number(button.dataset.row), col: Number(button.dataset.col) };
}

// The focused button may be gone: the nearest of its row, else of the last row, takes the focus.
function focusNear(container, { row, col }) {
  if (container.contains(document.activeElement) || !container.children.length) return;
  const buttons = (container.children[row] ?? container.lastElementChild).children;
  (buttons[col] ?? buttons[buttons.length - 1])?.focus({ preventScroll: true });
}

function renderRow(container, row, buttons, context) {
  const line = container.children[row] ?? container.appendChild(h("div", { class: "kb-row" }));
  buttons.forEach((button, col) => {
    const el = line.children[col] ?? line.appendChild(newButton(row, col));
    dress(el, button, context.isPending(row, col));
    el.press = () => context.onPress(row, col, button);
  });
  while (line.children.length > buttons.length) line.lastElementChild.remove();
}

function newButton(row, col) {
  const el = h("button", { type: "button", class: "kb", data: { row, col } }, h("span", { class: "kb-text", dir: "auto" }));
  el.addEventListener("click", () => {
    if (el.getAttribute("aria-disabled") !== "true" && el.getAttribute("aria-busy") !== "true") el.press();
  });
  return el;
}

function dress(el, button, pending) {
  const kind = kindOf(button);
  const label = el.querySelector(".kb-text");
  if (label.textContent !== button.text) label.replaceChildren(...withSigns(button.text));
  const wanted = `kb kb-${STYLES.has(button.style) ? button.style : "plain"} kb-is-${kind}`;
  if (el.className !== wanted) el.className = wanted;
  // aria-disabled, not disabled: a button that is switched off by an edit must not drop the focus.
  attr(el, "aria-disabled", kind === "disabled" ? "true" : null);
  attr(el, "aria-description", WORDS[kind]);
  attr(el, "title", button.url ?? (button.text.length > 24 ? button.text : null));
  attr(el, "aria-busy", pending ? "true" : null);
  replaceMark(el, ICONS[kind]);
}

function replaceMark(el, name) {
  const old = el.querySelector(".icon");
  if (old?.classList.contains(`icon-${name}`)) return;
  old?.remove();
  if (name) el.append(icon(name, 12));
}

/** Shows or ends the progress sign of one button. */
export function markPending(container, row, col, pending) {
  const el = container.children[row]?.children[col];
  if (el) attr(el, "aria-busy", pending ? "true" : null);
}

/** Arrow keys walk through the keyboard as through a grid; Tab works as everywhere. */
export function walkWithArrows(event, container) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const step = steps[event.key];
  const place = focusedPlace(container);
  if (!step || !place) return;
  const line = container.children[place.row + step[0]];
  const target = line?.children[step[0] ? Math.min(place.col, line.children.length - 1) : place.col + step[1]];
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
}
