// @ts-check

/**
 * A number of tokens, such as 1.2k.
 *
 * @param {number} n
 * @returns {string}
 */
export function short(n) {
  if (n < 1000) return String(n);
  return n < 1e6 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/**
 * A number of things: `1 turn`, `1,234 turns`.
 *
 * @param {number} n
 * @param {string} one What one of them is called.
 * @returns {string}
 */
export function count(n, one) {
  return `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
}

/**
 * A number of bytes, such as `1.5 KiB`.
 *
 * @param {number} bytes
 * @returns {string}
 */
export function size(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  const [n, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KiB"] : [bytes / 1024 ** 2, "MiB"];
  return `${n >= 10 || Number.isInteger(n) ? Math.round(n) : n.toFixed(1)} ${unit}`;
}

/**
 * The end of a path, if it is long, from the beginning of a name.
 *
 * @param {string} path
 * @param {number} most Characters.
 * @returns {string}
 */
export function endOf(path, most) {
  if (path.length <= most) return path;
  const end = path.slice(-most);
  const name = end.indexOf("/");
  return `\u2026${name >= 0 && name < end.length - 1 ? end.slice(name) : end}`;
}

/**
 * The time since something happened, such as `5 minutes ago`.
 *
 * @param {number} time Milliseconds since the epoch.
 * @param {number} [now] The same, of the present.
 * @returns {string}
 */
export function ago(time, now = Date.now()) {
  const minutes = Math.round((now - time) / 60_000);
  if (minutes < 1) return "just now";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (minutes < 60) return words.format(-minutes, "minute");
  if (minutes < 1440) return words.format(-Math.round(minutes / 60), "hour");
  return words.format(-Math.round(minutes / 1440), "day");
}

/**
 * A text with those characters shown as `\\u202e` that only change the direction of others: a
 * command must not look like another one.
 *
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The begin of a text, if it is long.
 *
 * @param {string} text
 * @param {number} most Characters.
 * @returns {string}
 */
export function cut(text, most) {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most).join("")}\u2026` : text;
}

/**
 * Which other program has a chat open: `open in llmcmd agent (pid 7)`.
 *
 * @param {{ program: string, pid: number }} writer
 * @returns {string}
 */
export function openIn({ program, pid }) {
  return `open in ${program} (pid ${pid})`;
}

/**
 * The message of whatever was thrown.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
