// @ts-check
import { clear, exportChat, rename } from "./chat_menu.js";
import { note } from "./conversation.js";
import { byId } from "../../page/dom.js";
import { write } from "./message_box.js";

/**
 * The actions of the commands; each gets the text after the command's name.
 *
 * @type {Record<string, (rest: string) => void>}
 */
const COMMANDS = {
  help: () => byId("keys", HTMLDialogElement).showModal(),
  clear,
  rename: (rest) => rename(rest === "" ? undefined : rest),
  export: exportChat,
};

/**
 * Does what a line such as `/clear` says.
 *
 * @param {string} text
 * @returns {boolean} Whether it is a command, and no message.
 */
export function runCommand(text) {
  const [, name, rest = ""] = /^\/([a-z]+)(?:[ \t]+(.*))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return false;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) note(`There is no command /${name}: /help lists them`, true);
  else {
    write("");
    command(rest.trim());
  }
  return true;
}
