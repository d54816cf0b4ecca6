// @ts-check

// Text files that are sent with the next message.
import { splitFiles } from "./attached_text.js";
import { note } from "./conversation.js";
import { announce, byId, make } from "../../page/dom.js";
import { input, write } from "./message_box.js";
import { size, visible } from "../../page/words.js";

/** @import { AttachedFile } from "./attached_text.js" */

/** Bytes of a file, and of all files of a message. The server takes bodies of 1 MiB. */
const MOST_ONE = 256 * 1024;
const MOST_ALL = 512 * 1024;

const list = byId("attached", HTMLElement);
const picker = byId("files", HTMLInputElement);

/**
 * The files that wait for the message.
 *
 * @type {(AttachedFile & { bytes: number })[]}
 */
let waiting = [];

/**
 * The files, which then wait no more.
 *
 * @returns {AttachedFile[]}
 */
export function takeFiles() {
  const files = waiting;
  waiting = [];
  showFiles();
  return files;
}

/**
 * Puts a message back into the box, before what was written meanwhile, and its files back to those
 * that wait.
 *
 * @param {string} message
 */
export function putBack(message) {
  const { text, files } = splitFiles(message);
  write([text, input.value].filter((it) => it.trim() !== "").join("\n"));
  const encoder = new TextEncoder();
  waiting = [
    ...files.map((file) => ({ ...file, bytes: encoder.encode(file.text).length })),
    ...waiting,
  ];
  showFiles();
}

/** True if a file is attached. */
export function hasFiles() {
  return waiting.length > 0;
}

function showFiles() {
  list.hidden = waiting.length === 0;
  list.replaceChildren(...waiting.map((file) => {
    const name = visible(file.name);
    const onclick = () => {
      waiting = waiting.filter((it) => it !== file);
      showFiles();
      input.focus();
    };
    return make(
      "li",
      {},
      make("span", { text: name, title: name }),
      make("small", { text: size(file.bytes) }),
      make("button", {
        type: "button",
        "aria-label": `Remove the file ${name}`,
        text: "\u00d7",
        onclick,
      }),
    );
  }));
}

/**
 * Attaches files, or says why one is not.
 *
 * @param {Iterable<File>} files
 */
export async function attach(files) {
  for (const file of files) {
    const why = await added(file);
    if (why === undefined) announce(`Attached ${file.name}`);
    else note(`${visible(file.name)} can't be attached: ${why}`, true);
  }
  showFiles();
  input.focus();
}

/**
 * @param {File} file
 * @returns {Promise<string | undefined>} Why it can't be attached.
 */
async function added(file) {
  if (file.size > MOST_ONE) {
    return `it has ${size(file.size)}, and the most is ${size(MOST_ONE)}; ` +
      "put it into the agent's folder and name it";
  }
  const all = waiting.reduce((sum, { bytes }) => sum + bytes, file.size);
  if (all > MOST_ALL) return `all files together may have ${size(MOST_ALL)}`;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) return "it is not text";
    waiting.push({ name: file.name, text, bytes: file.size });
    return undefined;
  } catch (error) {
    return error instanceof TypeError ? "it is not text in UTF-8" : "it can't be read";
  }
}

byId("attach", HTMLButtonElement).addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
  attach([...picker.files ?? []]);
  picker.value = "";
});
input.addEventListener("paste", (event) => {
  const files = [...event.clipboardData?.files ?? []];
  if (files.length === 0) return;
  event.preventDefault();
  attach(files);
});
document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const files = [...event.dataTransfer?.files ?? []];
  if (files.length === 0) return;
  event.preventDefault();
  attach(files);
});
