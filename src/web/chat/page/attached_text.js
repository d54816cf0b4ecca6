// @ts-check

// Files in the text of a message, as the model reads them and as the page shows them again.

/**
 * A text file.
 *
 * @typedef {object} AttachedFile
 * @property {string} name
 * @property {string} text
 */

/** The beginning of each file. */
const HEAD = "Attached file ";

/**
 * A message with its files. Each stands in a fence that is longer than any in its text.
 *
 * @param {string} text
 * @param {readonly AttachedFile[]} files
 * @returns {string}
 */
export function withFiles(text, files) {
  const parts = text.trim() === "" ? [] : [text];
  for (const { name, text } of files) {
    const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    const end = text === "" || text.endsWith("\n") ? "" : "\n";
    parts.push(`${HEAD}${name.replace(/\p{Cc}+/gu, " ")}:\n\n${fence}\n${text}${end}${fence}`);
  }
  return parts.join("\n\n");
}

/**
 * The text of a message, and its files.
 *
 * @param {string} message
 * @returns {{ text: string, files: AttachedFile[] }}
 */
export function splitFiles(message) {
  const start = message.startsWith(HEAD) ? 0 : message.indexOf(`\n\n${HEAD}`);
  if (start < 0) return { text: message, files: [] };
  const files = filesIn(message.slice(start).trimStart());
  return files === undefined
    ? { text: message, files: [] }
    : { text: message.slice(0, start), files };
}

/**
 * The files that a text is made of; `undefined` if it is not.
 *
 * @param {string} text
 * @returns {AttachedFile[] | undefined}
 */
function filesIn(text) {
  const files = [];
  for (let rest = text; rest !== "";) {
    const head = /^Attached file ([^\n]+):\n\n(`{3,})\n/.exec(rest);
    if (head === null) return undefined;
    const [begin, name = "", fence = ""] = head;
    const body = rest.slice(begin.length);
    const end = body.startsWith(fence) ? 0 : body.indexOf(`\n${fence}`) + 1;
    if (end === 0 && !body.startsWith(fence)) return undefined;
    files.push({ name, text: body.slice(0, end) });
    const after = body.slice(end + fence.length);
    if (after !== "" && !after.startsWith("\n\n")) return undefined;
    rest = after.slice(2);
  }
  return files;
}
