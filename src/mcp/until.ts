import type { SessionUntil } from "../ports/mod.ts";
import type { HostPort } from "./host_port.ts";

/** Help on the parameter `until`, for the model. */
export const UNTIL_HELP = "What to wait for, instead of a pause of the output: exit (the program " +
  "has ended), input (a program waits for input), prompt (the shell is back at its prompt) or " +
  "/regex/ (output that matches, without the echo of the input)";

/**
 * Reads the parameter `until`.
 *
 * @throws {SyntaxError} The text is neither a known word nor a regular expression.
 */
export function readUntil(text: string, host: HostPort): SessionUntil {
  if (text === "exit" || text === "input" || text === "prompt") return { kind: text };
  const [, source, flags] = /^\/(.+)\/([ims]*)$/s.exec(text) ?? [];
  if (source === undefined) {
    throw new SyntaxError(
      `Cannot wait for ${JSON.stringify(text)}: give exit, input, prompt or /regex/, ` +
        "optionally with the flags i, m and s",
    );
  }
  return { kind: "output", matches: host.pattern(flags === "" ? source : `(?${flags}:${source})`) };
}
