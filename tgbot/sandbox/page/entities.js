// A message's text with its entities (Telegram's formatting by UTF-16 offsets) as DOM.

import { h, withSigns } from "./dom.js";
import { state } from "./state.js";
import { isMentionOf } from "./people.js";

const SAFE = new Set(["http:", "https:", "tg:", "mailto:", "tel:"]);

/** The address if it is of a kind that may be opened, else null: never javascript: or data:. */
export function safeUrl(raw) {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(raw) ? raw : `https://${raw}`;
  try {
    const url = new URL(text);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null; // not an address at all: it is shown as text
  }
}

const wrap = (tag, kind) => (children) => h(tag, kind ? { class: kind } : {}, children);

const BUILD = {
  bold: wrap("strong"),
  italic: wrap("em"),
  underline: wrap("u"),
  strikethrough: wrap("s"),
  code: wrap("code"),
  hashtag: wrap("span", "tag"),
  cashtag: wrap("span", "tag"),
  pre: (children, entity) => h("pre", entity.language ? { data: { language: entity.language } } : {}, h("code", {}, children)),
  blockquote: wrap("blockquote"),
  expandable_blockquote: expandable,
  spoiler,
  mention,
  text_mention: mention,
  bot_command: (children, entity, text, context) => {
    const command = slice(text, entity);
    return h("button", { type: "button", class: "inline-link", on: { click: () => context.onCommand(command) } }, children);
  },
  url: (children, entity, text, context) => link(children, slice(text, entity), context),
  text_link: (children, entity, _text, context) => link(children, entity.url, context),
  email: (children, entity, text, context) => link(children, `mailto:${slice(text, entity)}`, context),
  phone_number: (children, entity, text, context) => link(children, `tel:${slice(text, entity).replace(/[^+\d]/g, "")}`, context),
};

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const slice = (text, entity) => text.slice(entity.offset, entity.offset + entity.length);

function link(children, raw, context) {
  const href = safeUrl(raw ?? "");
  if (!href) return h("span", {}, children);
  const follow = (event) => {
    event.preventDefault();
    context.onLink(raw);
  };
  return h("a", { href, rel: "noreferrer noopener", target: "_blank", title: raw, on: { click: follow } }, children);
}

function mention(children, entity, text, context) {
  const name = slice(text, entity);
  if (name.toLowerCase() === `@${state.bot.username}`.toLowerCase()) return link(children, `https://t.me/${state.bot.username}`, context);
  const mine = context.person && isMentionOf(entity, text, context.person);
  return h("span", { class: mine ? "mention mention-me" : "mention" }, children);
}

function spoiler(children, _entity, _text, context) {
  const hidden = h("span", { class: "spoiler-text" }, children);
  const el = h("span", { class: "spoiler" }, hidden);
  if (context.revealed) reveal(el);
  else {
    hidden.setAttribute("aria-hidden", "true");
    hidden.inert = true;
    // The button has no size of its own, since a spoiler may run over several lines: the mouse presses the text itself.
    el.append(h("button", { type: "button", class: "spoiler-cover", "aria-label": "Hidden text: show" }));
    el.addEventListener("click", () => {
      if (el.classList.contains("revealed")) return;
      context.onReveal();
      el.closest(".text")?.querySelectorAll(".spoiler").forEach(reveal);
    });
  }
  return el;
}

function reveal(el) {
  const hadFocus = el.contains(document.activeElement);
  el.classList.add("revealed");
  el.querySelector(".spoiler-cover")?.remove();
  const hidden = el.firstElementChild;
  hidden.inert = false;
  hidden.removeAttribute("aria-hidden");
  if (hadFocus) el.closest("article")?.focus({ preventScroll: true });
}

function expandable(children, entity, text) {
  const quoted = slice(text, entity);
  if (quoted.length < 160 && quoted.split("\n").length <= 3) return h("blockquote", {}, children);
  const quote = h("blockquote", { class: "folded" }, h("div", { class: "fold" }, children));
  const toggle = h("button", { type: "button", class: "fold-toggle", "aria-expanded": "false" }, "Show more");
  toggle.addEventListener("click", () => {
    const folded = quote.classList.toggle("folded");
    toggle.setAttribute("aria-expanded", String(!folded));
    toggle.textContent = folded ? "Show more" : "Show less";
  });
  quote.append(toggle);
  return quote;
}

/**
 * The text as nodes. `context`: {person (who reads), revealed (spoilers are open), onReveal(), onLink(url), onCommand(text)}.
 * Entities may nest; where two overlap by halves, the later is cut in two, as Telegram does.
 */
export function renderText(text, entities, context) {
  const sorted = (entities ?? []).filter((entity) => entity.length > 0 && BUILD[entity.type]).map((entity) => ({ ...entity }));
  sorted.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return nest(text, 0, text.length, sorted, context);
}

function nest(text, start, end, entities, context) {
  const nodes = [];
  const queue = [...entities];
  let at = start;
  const say = (until) => {
    if (until > at) nodes.push(...withSigns(text.slice(at, until)));
    at = Math.max(at, until);
  };
  while (queue.length) {
    const entity = queue.shift();
    if (entity.offset >= end) break;
    const stop = Math.min(entity.offset + entity.length, end);
    if (stop <= at) continue;
    say(entity.offset);
    const [inner, rest] = splitAt(queue, stop);
    nodes.push(BUILD[entity.type](nest(text, at, stop, inner, context), entity, text, context));
    at = stop;
    queue.splice(0, queue.length, ...rest);
    // A block ends its own line: the line break that follows it in the text would leave an empty one.
    if (BLOCKS.has(entity.type) && text[at] === "\n" && at < end) at += 1;
  }
  say(end);
  return nodes;
}

function splitAt(entities, stop) {
  const inner = [];
  const rest = [];
  for (const entity of entities) {
    const until = entity.offset + entity.length;
    if (entity.offset >= stop) rest.push(entity);
    else if (until <= stop) inner.push(entity);
    else {
      inner.push({ ...entity, length: stop - entity.offset });
      rest.push({ ...entity, offset: stop, length: until - stop });
    }
  }
  rest.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return [inner, rest];
}

const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}(?:\uFE0F|\u200D|\p{Extended_Pictographic}|\p{Emoji_Modifier})*\s?){1,3}$/u;

/** One to three emoji and nothing else are shown large. */
export const isJumbo = (text, entities) => !entities?.length && text.length < 40 && EMOJI_ONLY.test(text);
