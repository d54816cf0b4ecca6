import type { Chunk } from "../../streams/mod.ts";
import { builtinOf, operandsOf, standardOptions } from "../core/mod.ts";
import type { Builtin } from "../builtin.ts";
import type { CommandSpec } from "../../command_line/mod.ts";
import { utf8 } from "../text/mod.ts";

const command: CommandSpec<"help" | "version"> = {
  name: "yes",
  usage: ["[STRING]...", "OPTION"],
  summary:
    "Print a line with the STRINGs, separated by spaces, or y, until the reader stops reading.",
  options: standardOptions,
};

/** Size of the repeated block, in bytes. */
const BLOCK = 64 * 1024;

/** The command `yes`; see {@linkcode Builtin}. It ends when its reader stops reading. */
export const yes: Builtin = builtinOf(command, operandsOf, run);

async function* run(words: readonly string[]): AsyncGenerator<Chunk, number, void> {
  const line = utf8(`${words.length === 0 ? "y" : words.join(" ")}\n`);
  const times = Math.max(1, Math.floor(BLOCK / line.length));
  const block = new Uint8Array(times * line.length);
  for (let i = 0; i < times; i++) block.set(line, i * line.length);
  for (;;) yield block;
}
