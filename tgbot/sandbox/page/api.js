// The page's way to the sandbox server. Every call either gives its answer or throws an Error with a sentence for the person.

async function getJson(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" }, cache: "no-store" });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${url}.`);
  return response.json();
}

export const fetchState = () => getJson("/api/state");
export const fetchLimits = () => getJson("/api/limits");
export const fetchCommands = (person, chatId) => getJson(`/api/commands?person=${person}&chat=${chatId}`);

/** One act of a person or a developer; gives `result`. */
export async function act(what, args = {}) {
  let response;
  try {
    response = await fetch("/api/act", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ do: what, ...args }),
    });
  } catch (error) {
    throw new Error("The sandbox does not answer. Is it still running?", { cause: error });
  }
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("json")) throw new Error(`The sandbox answered ${response.status}.`);
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error ?? "The sandbox refused.");
  return answer.result ?? {};
}

/**
 * Follows the event stream until `stop()`. `onEvent` gets each event; `onLost` is called once when the stream breaks:
 * the caller then fetches the state again and follows from its `seq` (the browser's own retry could miss a reset).
 */
export function followEvents(since, onEvent, onLost) {
  const source = new EventSource(`/api/events?since=${since}`);
  let ended = false;
  const stop = () => {
    ended = true;
    source.close();
  };
  source.addEventListener("message", (message) => {
    if (!ended) onEvent(JSON.parse(message.data));
  });
  source.addEventListener("error", () => {
    if (ended) return;
    stop();
    onLost();
  });
  return stop;
}
