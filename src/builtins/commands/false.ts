import type { Chunk } from "../../streams/mod.ts";
import { soleOption, standardOptions } from "../core/mod.ts";
import type { CommandSpec } from "../../command_line/mod.ts";

const command: CommandSpec = {
  name: "false",
  usage: ["[ARGUMENT]...", "OPTION"],
  summary: "Do nothing and fail: the exit status is 1 whatever the ARGUMENTs are.",
  options: standardOptions,
};

/** The command `false`; see {@linkcode Builtin}. */
export async function* falseCommand(
  args: readonly string[],
): AsyncGenerator<Chunk, number, void> {
  const text = soleOption(args, command);
  if (text !== undefined) yield text;
  return 1;
}
