import type { Chunk } from "../../streams/mod.ts";
import { soleOption, standardOptions } from "../core/mod.ts";
import { EscapeReader, escapesHelp, utf8 } from "../text/mod.ts";
import type { CommandSpec } from "../../command_line/mod.ts";

const command: CommandSpec = {
  name: "echo",
  usage: ["[SHORT-OPTION]... [STRING]...", "LONG-OPTION"],
  summary: "Write the STRINGs, separated by spaces, and a newline.",
  options: [
    { name: "n", short: "n", help: "write no newline at the end" },
    { name: "e", short: "e", help: "interpret backslash escapes" },
    { name: "E", short: "E", help: "print backslashes unchanged (the default)" },
    ...standardOptions,
  ],
  epilogue: "With -e:\n" +
    "\n" +
    escapesHelp +
    "  \\0NNN    the byte with this octal number of up to 3 digits\n" +
    "  \\xHH     the byte with this hexadecimal number of up to 2 digits",
};

/** The command `echo` as GNU's program, not as a shell's builtin; see {@linkcode Builtin}. */
export async function* echo(args: readonly string[]): AsyncGenerator<Chunk, number, void> {
  const text = soleOption(args, command);
  if (text !== undefined) {
    yield text;
    return 0;
  }
  let newline = true;
  let escapes = false;
  let first = 0;
  for (; /^-[neE]+$/.test(args[first] ?? ""); first++) {
    for (const letter of (args[first] ?? "").slice(1)) {
      if (letter === "n") newline = false;
      else escapes = letter === "e";
    }
  }
  const line = args.slice(first).join(" ");
  if (!escapes) {
    yield utf8(newline ? `${line}\n` : line);
    return 0;
  }
  const reader = new EscapeReader("echo");
  const ended = reader.append(utf8(line));
  if (newline && !ended) reader.push(10);
  yield reader.take();
  return 0;
}
