// What the server knows, as the page knows it: filled from /api/state, kept true by events. The only place that changes it.

export const state = {
  bot: { id: 0, name: "", username: "" },
  clock: { now: 0, offset: 0, heard: 0 },
  people: new Map(),
  chats: new Map(),
  messages: new Map(), // chat id → Map of message id → Message; insertion order is the order in the chat
  faults: [],
  limitsEnforced: false,
  process: null,
  pending: new Map(), // query id → the press that waits for its answer
  seq: 0,
  online: false,
};

const listeners = new Map();

/** Calls `listener(detail)` for each change of a kind: the event kinds of the server, "sync" (everything), "online". Gives the way to stop. */
export function on(kind, listener) {
  if (!listeners.has(kind)) listeners.set(kind, new Set());
  listeners.get(kind).add(listener);
  return () => listeners.get(kind).delete(listener);
}

export function emit(kind, detail = {}) {
  for (const listener of [...(listeners.get(kind) ?? [])]) listener(detail);
}

/** Takes the whole state of the server. Messages that did not change stay the same objects, so that views can skip them. */
export function load(fresh) {
  const before = state.messages;
  state.bot = fresh.bot;
  setClock(fresh.clock);
  state.people = new Map(fresh.people.map((person) => [person.id, person]));
  state.chats = new Map(fresh.chats.map((chat) => [chat.id, chat]));
  state.messages = new Map();
  for (const message of fresh.messages) {
    const old = before.get(message.chat_id)?.get(message.message_id);
    put(old && JSON.stringify(old) === JSON.stringify(message) ? old : message);
  }
  state.faults = fresh.faults ?? [];
  state.limitsEnforced = Boolean(fresh.limits_enforced);
  state.process = fresh.process ?? null;
  state.pending.clear();
  state.seq = fresh.seq;
  emit("sync");
}

function put(message) {
  if (!state.messages.has(message.chat_id)) state.messages.set(message.chat_id, new Map());
  state.messages.get(message.chat_id).set(message.message_id, message);
}

function setClock(clock) {
  state.clock = { ...clock, heard: performance.now() };
}

const appliers = {
  message: (event) => put(event.message),
  edit: (event) => put(event.message),
  delete: (event) => event.message_ids.forEach((id) => state.messages.get(event.chat_id)?.delete(id)),
  chat: (event) => state.chats.set(event.chat.id, event.chat),
  person: (event) => state.people.set(event.person.id, event.person),
  query: (event) => state.pending.set(event.query_id, event),
  clock: (event) => setClock(event),
  faults: (event) => {
    state.faults = event.faults;
    state.limitsEnforced = event.limits_enforced;
  },
  process: (event) => {
    state.process = event.process;
  },
};

/** Applies one event of the server and tells the views. A toast's `press` is the press that it answers, when it is known. */
export function apply(event) {
  state.seq = event.seq;
  appliers[event.kind]?.(event);
  if (event.kind === "toast") {
    const press = state.pending.get(event.query_id) ?? null;
    state.pending.delete(event.query_id);
    emit("toast", { ...event, press });
  } else emit(event.kind, event);
}

/** The sandbox's time in Unix seconds; a developer may have advanced it. */
export function now() {
  return state.clock.now + (performance.now() - state.clock.heard) / 1000;
}
