// Building the page. Text always enters as text nodes: nothing that a message holds is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element. `props`: "class", "data" (object), "on" (event → listener), booleans, any other attribute; null ones are left out. */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") el.className = value;
    else if (name === "data") Object.assign(el.dataset, value);
    else if (name === "on") for (const [event, listener] of Object.entries(value)) el.addEventListener(event, listener);
    else el.setAttribute(name, value === true ? "" : String(value));
  }
  append(el, children);
  return el;
}

function append(el, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(el, child);
    else el.append(child);
  }
}

/** Sets or removes one attribute; null, undefined and false remove it. */
export function attr(el, name, value) {
  if (value === null || value === undefined || value === false) el.removeAttribute(name);
  else if (el.getAttribute(name) !== String(value === true ? "" : value)) el.setAttribute(name, value === true ? "" : String(value));
}

const LOOKS = { "♥": "sign sign-red", "♦": "sign sign-red", "➕": "plus" };
const SIGNS = /([♠♥♦♣➕])(\uFE0F?)/u;

/**
 * Text with the suits of cards, and the plus, as letters of a text font: dark emoji would vanish on dark ground.
 * The variation selector stays in the document, so that what is copied is what was sent.
 */
export function withSigns(text) {
  const parts = text.split(SIGNS);
  const nodes = [];
  for (let at = 0; at < parts.length; at += 3) {
    if (parts[at]) nodes.push(document.createTextNode(parts[at]));
    const [sign, selector] = [parts[at + 1], parts[at + 2]];
    if (sign) nodes.push(h("span", { class: LOOKS[sign] ?? "sign" }, sign, selector ? h("span", { class: "selector" }, selector) : null));
  }
  return nodes;
}

const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  more: "M12 5h.01M12 12h.01M12 19h.01",
  send: "M4 12l16-8-6 16-3-7z",
  close: "M6 6l12 12M18 6L6 18",
  down: "M6 10l6 6 6-6M12 4v11",
  link: "M8 16L17 7M9 7h8v8",
  copy: "M9 9h10v10H9zM5 15V5h10",
  tools: "M8 6l-6 6 6 6M16 6l6 6-6 6",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  single: "M5 4h14v16H5z",
  split: "M4 5h16v14H4zM12 5v14",
  four: "M4 5h16v14H4zM12 5v14M4 12h16",
  reply: "M10 7L4 12l6 5M5 12h8c4 0 6 2 7 5",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  eye: "M2.5 12C5 7.5 8.5 6 12 6s7 1.5 9.5 6C19 16.5 15.5 18 12 18s-7-1.5-9.5-6zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  app: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z",
};

/** A line icon; it says nothing to screen readers, the control around it has the words. */
export function icon(name, size = 22) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": 1.8,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", class: `icon icon-${name}`,
  })) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A round button with an icon only; `label` is its name for screen readers and its tooltip. */
export function iconButton(name, label, onClick, props = {}) {
  const { class: extra, ...rest } = props;
  return h("button", { type: "button", class: `icon-button ${extra ?? ""}`.trim(), "aria-label": label, title: label, on: { click: onClick }, ...rest }, icon(name));
}
