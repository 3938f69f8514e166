// Times and dates as a messenger writes them, in the browser's time zone.

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const short = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "2-digit", year: "2-digit" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });

const date = (seconds) => new Date(seconds * 1000);

export const hourMinute = (seconds) => clock.format(date(seconds));
export const hourMinuteSecond = (seconds) => exact.format(date(seconds));
export const wholeDate = (seconds) => whole.format(date(seconds));

/** Names the local day; equal for two times of one day. */
export function dayKey(seconds) {
  const at = date(seconds);
  return `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`;
}

function daysBetween(earlier, later) {
  const start = (seconds) => date(seconds).setHours(0, 0, 0, 0);
  return Math.round((start(later) - start(earlier)) / 86_400_000);
}

/** The words of a date separator. */
export function dayName(seconds, now) {
  const ago = daysBetween(seconds, now);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return date(seconds).getFullYear() === date(now).getFullYear() ? dayMonth.format(date(seconds)) : withYear.format(date(seconds));
}

/** The time in the chat list: hours today, the weekday in the last week, else the date. */
export function listTime(seconds, now) {
  const ago = daysBetween(seconds, now);
  if (ago <= 0) return hourMinute(seconds);
  return ago < 7 ? weekday.format(date(seconds)) : short.format(date(seconds));
}

/** A clock's offset as words: "1 h 10 min"; empty when there is none. */
export function span(seconds) {
  const rest = Math.round(seconds);
  if (rest === 0) return "";
  const parts = [[Math.floor(rest / 86400), "d"], [Math.floor((rest % 86400) / 3600), "h"], [Math.floor((rest % 3600) / 60), "min"], [rest % 60, "s"]];
  return `${parts.filter(([n]) => n).map(([n, unit]) => `${n} ${unit}`).join(" ")}`;
}
