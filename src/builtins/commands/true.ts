import type { Chunk } from "../../streams/mod.ts";
import { soleOption, standardOptions } from "../core/mod.ts";
import type { CommandSpec } from "../../command_line/mod.ts";

const command: CommandSpec = {
  name: "true",
  usage: ["[ARGUMENT]...", "OPTION"],
  summary: "Do nothing and succeed: the exit status is 0 whatever the ARGUMENTs are.",
  options: standardOptions,
};

/** The command `true`; see {@linkcode Builtin}. */
export async function* trueCommand(
  args: readonly string[],
): AsyncGenerator<Chunk, number, void> {
  const text = soleOption(args, command);
  if (text !== undefined) yield text;
  return 0;
}
