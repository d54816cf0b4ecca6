import type { Chunk } from "../streams/mod.ts";
import { standardOptions } from "./_command.ts";
import type { CommandSpec } from "./options.ts";
import { soleOption } from "./_sole_option.ts";

const command: CommandSpec = {
  name: "true",
  usage: ["[ignored command line arguments]", "OPTION"],
  summary: "Exit with a status code indicating success.",
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
