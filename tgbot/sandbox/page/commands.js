// The bot's command menus, per person and chat, asked from the server and forgotten when they may have changed.

import { fetchCommands } from "./api.js";
import { on } from "./state.js";

const menus = new Map();

for (const kind of ["commands", "sync", "person", "chat"]) on(kind, () => menus.clear());

/** The commands that this person is offered in this chat: [{command, description}]. */
export function commandsFor(person, chatId) {
  const key = `${person}:${chatId}`;
  if (!menus.has(key)) {
    const asked = fetchCommands(person, chatId);
    asked.catch(() => menus.delete(key)); // the caller gets the error; the next asker tries again
    menus.set(key, asked);
  }
  return menus.get(key);
}

/** Those that begin with what is typed ("/st"); null when it is no command any more. */
export function matching(commands, typed) {
  const found = /^\/([a-z0-9_]*)$/i.exec(typed);
  if (!found) return null;
  return commands.filter(({ command }) => command.startsWith(found[1].toLowerCase()));
}
