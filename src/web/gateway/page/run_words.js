// @ts-check
import { count, short } from "../../page/words.js";

/** @import { Run } from "./api.js" */

/**
 * A time span, such as `0.4 s` or `3 min 20 s`.
 *
 * @param {number} milliseconds
 * @returns {string}
 */
export function span(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/**
 * The time that a run waited for its place.
 *
 * @param {Run} run
 * @param {number} now
 * @returns {string}
 */
export function waited({ queued, started, ended }, now) {
  return span((started ?? ended ?? now) - queued);
}

/**
 * The time that the CLI has run; empty if it was not started.
 *
 * @param {Run} run
 * @param {number} now
 * @returns {string}
 */
export function ran({ started, ended }, now) {
  return started === undefined ? "" : span((ended ?? now) - started);
}

/**
 * The tokens of a run, where the CLI tells them.
 *
 * @param {Run} run
 * @returns {string}
 */
export function tokens({ usage }) {
  return usage === undefined ? "" : `${short(usage.inputTokens)}, ${short(usage.outputTokens)}`;
}

/**
 * The changes of a run, such as `2 files +10 \u22123`.
 *
 * @param {Run} run
 * @returns {string}
 */
export function changes({ stat }) {
  if (stat === undefined || stat.files === 0) return "";
  return `${count(stat.files, "file")} +${stat.insertions} \u2212${stat.deletions}`;
}

/**
 * The facts of a run that are not in the table, as pairs of a name and a text.
 *
 * @param {Run} run
 * @returns {[string, string][]}
 */
export function facts(run) {
  const { id, conversation, exitCode, error, branch, refused = [], note } = run;
  /** @type {[string, string | undefined][]} */
  const all = [
    ["Run", id],
    ["Conversation", conversation],
    ["Exit status", exitCode === undefined ? undefined : String(exitCode)],
    ["Error", error?.message],
    ["Detail", error?.detail],
    ["Branch", branch],
    ["Not committed", refused.length === 0 ? undefined : refused.join("\n")],
    ["Note", note],
  ];
  return all.flatMap(([name, text]) => text === undefined || text === "" ? [] : [[name, text]]);
}

/**
 * The kind of each line of a patch, and its text. A header is told by its place: a line that was
 * removed may begin with `-- ` and so look like one.
 *
 * @param {string} patch
 * @param {number} most Lines that are looked at.
 * @returns {{ lines: { kind: "head" | "hunk" | "added" | "removed" | "same", text: string }[],
 *   more: boolean }} `more`: whether there are further lines.
 */
export function patchLines(patch, most) {
  const texts = patch.split("\n", most + 2);
  // The end of the last line begins no line.
  if (texts.length <= most + 1 && texts.at(-1) === "") texts.pop();
  let inHunk = false;
  const lines = texts.slice(0, most).map((text) => {
    if (text.startsWith("diff --git ")) inHunk = false;
    else if (text.startsWith("@@ ")) inHunk = true;
    return { kind: kindOf(text, inHunk), text };
  });
  return { lines, more: texts.length > most };
}

/**
 * @param {string} text
 * @param {boolean} inHunk
 * @returns {"head" | "hunk" | "added" | "removed" | "same"}
 */
function kindOf(text, inHunk) {
  if (!inHunk) return "head";
  if (text.startsWith("@@ ")) return "hunk";
  if (text.startsWith("+")) return "added";
  return text.startsWith("-") ? "removed" : "same";
}
