// Modal dialogs: alerts of the bot, questions, pictures, and the small menu of a message. `<dialog>` keeps the focus and Escape right.

import { h, icon } from "./dom.js";

function open(dialog) {
  const before = document.activeElement;
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // a click beside it
  });
  dialog.showModal();
}

/** The alert of a callback answer. */
export function showAlert(title, text) {
  const dialog = h("dialog", { class: "dialog", role: "alertdialog", "aria-label": title, "aria-describedby": "alert-text" },
    h("h2", { dir: "auto" }, title), h("p", { id: "alert-text", dir: "auto" }, text),
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "text-button", autofocus: true }, "OK")));
  open(dialog);
}

/** Asks; gives true when the person agrees. */
export function ask(title, text, yes) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "dialog", "aria-label": title },
      h("h2", {}, title), h("p", { dir: "auto", class: "breaking" }, text),
      h("form", { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "text-button", value: "" }, "Cancel"), h("button", { class: "text-button", value: "yes", autofocus: true }, yes)));
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
    open(dialog);
  });
}

export function showPhoto(photo, caption) {
  const dialog = h("dialog", { class: "lightbox", "aria-label": caption || "Photo" },
    h("form", { method: "dialog" }, h("button", { class: "icon-button", "aria-label": "Close", autofocus: true }, icon("close"))),
    h("img", { src: photo.url, alt: caption || "Photo" }),
    caption ? h("p", { dir: "auto" }, caption) : null);
  open(dialog);
}

/** A menu at a point of the window; `items` are [icon name, words, what to do]. */
export function showMenu(label, items, x, y) {
  const menu = h("div", { class: "menu", role: "menu", "aria-label": label });
  const dialog = h("dialog", { class: "menu-dialog", "aria-label": label }, menu);
  for (const [name, words, chosen] of items) {
    menu.append(h("button", { type: "button", role: "menuitem", class: "menu-item", on: { click: () => { dialog.close(); chosen(); } } }, icon(name, 20), words));
  }
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = [...menu.children].indexOf(document.activeElement);
    menu.children[(at + step + menu.children.length) % menu.children.length].focus();
  });
  open(dialog);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
}
