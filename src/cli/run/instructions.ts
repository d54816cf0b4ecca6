import { UsageError } from "../../command_line/mod.ts";

/** The instructions, or the file that holds them; `-` is standard input. */
export type Instructions = { readonly text: string } | { readonly file: string };

/** Names of standard input. Deno opens those in `/dev` and `/proc` only with all permissions. */
const STANDARD_INPUT: readonly string[] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/** True if a file of the command line is standard input. */
export function isStandardInput(name: string): boolean {
  return STANDARD_INPUT.includes(name);
}

/**
 * Reads the argument of `-p`: `@FILE` is a file, `-` and `@-` are standard input, `@@` stands for a
 * literal `@` at the beginning, and anything else is the instructions themselves.
 *
 * @throws {UsageError} The file's name is empty.
 */
export function instructionsOf(argument: string): Instructions {
  if (argument === "-") return { file: "-" };
  if (argument.startsWith("@@")) return { text: argument.slice(1) };
  if (!argument.startsWith("@")) return { text: argument };
  const file = argument.slice(1);
  if (file === "") throw new UsageError("the name of the file of instructions is empty");
  return { file: isStandardInput(file) ? "-" : file };
}
