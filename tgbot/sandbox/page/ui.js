// What this browser tab looks at: who the person is, which chats are open, how they are laid out. Kept over a reload.

import { emit, state } from "./state.js";
import { chatsOf, firstGroupOf, isPrivate } from "./people.js";

const KEY = "sandbox.ui";
const VIEWS = ["split", "single", "four"];

export const ui = {
  person: null, // whose eyes
  group: null, // the group pane's chat, null when he is in none
  single: null, // the one chat of the single view
  view: "split",
  threads: {}, // chat id → topic that is open: absent for all, null for the general one
  ratio: 0.5, // the share of the first pane in the split view
  listOpen: false, // the chat list, where it lies over the chats
  drawer: false,
};

export const drafts = new Map(); // "person:chat" → text not sent yet

function stored(storage, key) {
  try {
    return JSON.parse(storage.getItem(key)) ?? {};
  } catch (error) {
    console.warn(`${key} can't be read; starting afresh.`, error);
    return {};
  }
}

function keep() {
  const { person, group, single, view, threads, ratio, drawer } = ui;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ person, group, single, view, threads, ratio, drawer }));
  } catch (error) {
    console.warn("The view can't be kept.", error);
  }
}

/** Reads what the tab looked at before. Call once, before the first `settle`. */
export function restore() {
  const old = stored(sessionStorage, KEY);
  for (const name of ["person", "group", "single", "threads", "drawer"]) if (old[name] !== undefined) ui[name] = old[name];
  if (VIEWS.includes(old.view)) ui.view = old.view;
  if (old.ratio >= 0.2 && old.ratio <= 0.8) ui.ratio = old.ratio;
}

/** Makes the view fit what exists: people and groups may be new, gone or upgraded. */
export function settle() {
  if (!state.people.has(ui.person)) ui.person = [...state.people.keys()][0] ?? null;
  ui.group = current(ui.group);
  const mine = chatsOf(ui.person).map((chat) => chat.id);
  if (!mine.includes(ui.group) || isPrivate(state.chats.get(ui.group))) ui.group = firstGroupOf(ui.person)?.id ?? null;
  ui.single = current(ui.single);
  if (!mine.includes(ui.single)) ui.single = ui.group ?? ui.person;
  keep();
}

function current(chatId) {
  const next = state.chats.get(chatId)?.upgraded_to;
  return next ? current(next) : chatId;
}

/** Changes the view and tells everybody. */
export function look(changes) {
  Object.assign(ui, changes);
  settle();
  emit("look");
}

/** Opens a chat for a person, as a tap on it in the list or a link does; `messageId` is shown when given. */
export function openChat(personId, chatId, messageId = null) {
  const chat = state.chats.get(current(chatId));
  if (!chat) return;
  const changes = { listOpen: false };
  if (personId !== ui.person && ui.view !== "four") changes.person = personId;
  if (isPrivate(chat)) changes.single = chat.id;
  else Object.assign(changes, { group: chat.id, single: chat.id });
  look(changes);
  emit("open", { person: personId, chatId: chat.id, messageId });
}

export function openThread(chatId) {
  return ui.threads[chatId];
}

export function setThread(chatId, thread) {
  const threads = { ...ui.threads };
  if (thread === undefined) delete threads[chatId];
  else threads[chatId] = thread;
  look({ threads });
}
