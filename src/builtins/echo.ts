import type { Chunk } from "../streams/mod.ts";
import { standardOptions } from "./_command.ts";
import { EscapeReader } from "./_escapes.ts";
import type { CommandSpec } from "./options.ts";
import { utf8 } from "./_output.ts";
import { soleOption } from "./_sole_option.ts";

const command: CommandSpec = {
  name: "echo",
  usage: ["[SHORT-OPTION]... [STRING]...", "LONG-OPTION"],
  summary: "Echo the STRING(s) to standard output.",
  options: [
    { name: "n", short: "n", help: "do not output the trailing newline" },
    { name: "e", short: "e", help: "enable interpretation of backslash escapes" },
    { name: "E", short: "E", help: "disable interpretation of backslash escapes (default)" },
    ...standardOptions,
  ],
  epilogue: "If -e is in effect, the following sequences are recognized:\n\n" +
    "  \\\\      backslash\n  \\a      alert (BEL)\n  \\b      backspace\n" +
    "  \\c      produce no further output\n  \\e      escape\n  \\f      form feed\n" +
    "  \\n      new line\n  \\r      carriage return\n  \\t      horizontal tab\n" +
    "  \\v      vertical tab\n  \\0NNN   byte with octal value NNN (1 to 3 digits)\n" +
    "  \\xHH    byte with hexadecimal value HH (1 to 2 digits)",
};

/** The command `echo`, as GNU's program, not as a shell's own; see {@linkcode Builtin}. */
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
