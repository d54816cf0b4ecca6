import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { parseCommand, standardOptions } from "./_command.ts";
import type { CommandSpec } from "./options.ts";
import { utf8 } from "./_output.ts";

const command: CommandSpec<"help" | "version"> = {
  name: "yes",
  usage: ["[STRING]...", "OPTION"],
  summary: "Repeatedly output a line with all specified STRING(s), or 'y'.",
  options: standardOptions,
};

/** Size of the block that is repeated, in bytes. */
const BLOCK = 64 * 1024;

/** The command `yes`; see {@linkcode Builtin}. It ends when its reader leaves. */
export async function* yes(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const parsed = parseCommand<never, string[]>(
    args,
    io,
    command,
    (items) => Array.from(items, (item) => item.value),
  );
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const words = parsed.settings;
  const line = utf8(`${words.length === 0 ? "y" : words.join(" ")}\n`);
  const times = Math.max(1, Math.floor(BLOCK / line.length));
  const block = new Uint8Array(times * line.length);
  for (let i = 0; i < times; i++) block.set(line, i * line.length);
  for (;;) yield block;
}
