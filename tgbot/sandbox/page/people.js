// People, chats and what a person may see of them: questions to the state, and avatars.

import { h } from "./dom.js";
import { state } from "./state.js";

const PALETTE = ["#d45246", "#c9701f", "#7b5fd0", "#3d8b37", "#1f8a98", "#c2457f"];

export const isPrivate = (chat) => chat.type === "private";
export const present = (member) => ["creator", "administrator", "member", "restricted"].includes(member?.status);
export const memberOf = (chat, personId) => chat.members.find((member) => member.id === personId);

export function fullName(person) {
  if (!person) return "Deleted account";
  if (person.deleted) return "Deleted account";
  return [person.first_name, person.last_name].filter(Boolean).join(" ");
}

/** A chat's name for the person who looks: a private chat is called after the other side, the bot. */
export function chatTitle(chat) {
  return isPrivate(chat) ? state.bot.name : chat.title;
}

/** The chats of a person's list: his private chat with the bot, and the groups that he is or was in. */
export function chatsOf(personId) {
  return [...state.chats.values()].filter((chat) => (isPrivate(chat) ? chat.id === personId : memberOf(chat, personId) && !chat.upgraded_to));
}

/** The group a person's split view opens with: the newest-used one that he is in, or null. */
export function firstGroupOf(personId) {
  const groups = chatsOf(personId).filter((chat) => !isPrivate(chat));
  return groups.find((chat) => present(memberOf(chat, personId))) ?? groups[0] ?? null;
}

/** The messages of a chat that a person sees, oldest first. `thread`: undefined for all, null for the general topic. */
export function visibleMessages(chatId, personId, thread = undefined) {
  const all = [...(state.messages.get(chatId)?.values() ?? [])];
  return all.filter((message) => sees(message, personId) && (thread === undefined || (message.thread_id ?? null) === thread));
}

export function sees(message, personId) {
  return !message.deleted && (message.receiver === null || message.receiver === undefined || message.receiver === personId || message.from?.id === personId);
}

/** Does the message call this person, by @username, by a mention with his id, or by a reply to what he wrote? */
export function callsPerson(message, person) {
  if (!person || message.from?.id === person.id) return false;
  if (mentions(message, person)) return true;
  const answered = message.reply_to ? state.messages.get(message.chat_id)?.get(message.reply_to) : null;
  const chat = state.chats.get(message.chat_id);
  return Boolean(answered && answered.from?.id === person.id && chat && !isPrivate(chat));
}

function mentions(message, person) {
  const text = message.text || message.caption || "";
  const entities = message.text ? message.entities : message.caption_entities;
  return (entities ?? []).some((entity) => isMentionOf(entity, text, person));
}

export function isMentionOf(entity, text, person) {
  if (entity.type === "text_mention") return entity.user?.id === person.id;
  if (entity.type !== "mention" || !person.username) return false;
  return text.slice(entity.offset, entity.offset + entity.length).toLowerCase() === `@${person.username}`.toLowerCase();
}

export function colorOf(id) {
  const given = state.people.get(id)?.color;
  if (/^#[0-9a-f]{6}$/i.test(given ?? "")) return given;
  if (id === state.bot.id) return "#2f7fc4";
  return PALETTE[Math.abs(Number(id)) % PALETTE.length];
}

const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const firstSign = (word) => [...segments.segment(word)][0]?.segment ?? "";

export function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map(firstSign).join("").toUpperCase() || "?";
}

/** A round avatar with initials. It is decoration: the name stands beside it in words. */
export function avatar(id, name, size = "m") {
  const el = h("span", { class: `avatar avatar-${size}`, "aria-hidden": "true" }, initials(name));
  el.style.setProperty("--person", colorOf(id));
  return el;
}
