// Links in messages, buttons and callback answers. Telegram's own are followed in the sandbox; others are asked about first.

import { act } from "./api.js";
import { ask } from "./dialogs.js";
import { safeUrl } from "./entities.js";
import { openChat } from "./ui.js";

const TELEGRAM = /^(?:(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)(?:\/|$)|tg:)/i;

/** Follows a link as this person. `tell(text)` shows what went wrong. */
export async function followLink(person, raw, tell) {
  if (!TELEGRAM.test(raw)) return followOutside(raw, tell);
  try {
    const result = await act("open_link", { person, url: raw });
    if (result.external) await followOutside(result.external, tell);
    else openChat(person, result.chat_id, result.message_id ?? null);
  } catch (error) {
    tell(error.message);
  }
}

async function followOutside(raw, tell) {
  const url = safeUrl(raw);
  if (!url) return tell("This link can't be opened.");
  if (await ask("Open this link?", url, "Open")) window.open(url, "_blank", "noopener,noreferrer");
}

export async function copyText(text, tell) {
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied to the clipboard.");
  } catch (error) {
    console.warn("The clipboard refused.", error);
    tell(`The browser does not let the page copy. The text: ${text}`);
  }
}
