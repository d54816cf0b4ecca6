/**
 * Messages on standard error, with a status line below them on terminals.
 *
 * @module
 */
export { Messages, type MessagesOptions } from "./messages.ts";
export { besideStatusLine } from "./shared_terminal.ts";
export { stderrMessages } from "./stderr_messages.ts";
