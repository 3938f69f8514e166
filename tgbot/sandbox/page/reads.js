// What each person has read, so that the rest can be counted as unread. Kept in the browser, like a messenger on a phone.

import { emit, state } from "./state.js";
import { callsPerson, visibleMessages } from "./people.js";

const KEY = "sandbox.reads";
let marks = {};

/** Reads the marks; marks of another world (after a reset, message ids begin anew) are forgotten by `forgetReads`. */
export function restoreReads() {
  try {
    marks = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch (error) {
    console.warn("What was read can't be known; everything is new.", error);
    marks = {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(marks));
  } catch (error) {
    console.warn("What was read can't be kept.", error);
  }
}

export function forgetReads() {
  marks = {};
  keep();
  emit("reads");
}

const keyOf = (personId, chatId, thread) => `${personId}:${chatId}:${thread ?? 0}`;

// Ephemeral messages have negative ids, so they are compared by their date.
function isNew(message, mark) {
  if (!mark) return true;
  return message.message_id > 0 ? message.message_id > mark.id : message.date > mark.date;
}

/** The messages of others that the person has not seen yet. */
export function unreadMessages(chatId, personId, thread = undefined) {
  return visibleMessages(chatId, personId, thread).filter(
    (message) => message.from?.id !== personId && isNew(message, marks[keyOf(personId, chatId, message.thread_id)]),
  );
}

export function unreadCount(chatId, personId, thread = undefined) {
  return unreadMessages(chatId, personId, thread).length;
}

export function unreadCalls(chatId, personId) {
  const person = state.people.get(personId);
  return unreadMessages(chatId, personId).some((message) => callsPerson(message, person));
}

/** Everything that the person sees in the chat (in the topic) is read now. */
export function markRead(chatId, personId, thread = undefined) {
  const unread = unreadMessages(chatId, personId, thread);
  if (!unread.length) return;
  for (const message of unread) {
    const key = keyOf(personId, chatId, message.thread_id);
    const mark = marks[key] ?? { id: 0, date: 0 };
    marks[key] = { id: Math.max(mark.id, message.message_id), date: Math.max(mark.date, message.date) };
  }
  keep();
  emit("reads");
}
