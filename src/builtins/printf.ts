import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { standardOptions } from "./_command.ts";
import { EscapeError } from "./_escapes.ts";
import { type CommandSpec, tryHelp } from "./options.ts";
import { Printer, PrintfError } from "./_printer.ts";
import { quote } from "./_quote.ts";
import { soleOption } from "./_sole_option.ts";

const command: CommandSpec = {
  name: "printf",
  usage: ["FORMAT [ARGUMENT]...", "OPTION"],
  summary: "Print ARGUMENT(s) according to FORMAT, or execute according to OPTION:",
  options: standardOptions,
  epilogue: "FORMAT controls the output as in C printf. Interpreted sequences are:\n\n" +
    '  \\"      double quote\n  \\\\      backslash\n  \\a      alert (BEL)\n' +
    "  \\b      backspace\n  \\c      produce no further output\n  \\e      escape\n" +
    "  \\f      form feed\n  \\n      new line\n  \\r      carriage return\n" +
    "  \\t      horizontal tab\n  \\v      vertical tab\n" +
    "  \\NNN    byte with octal value NNN (1 to 3 digits)\n" +
    "  \\xHH    byte with hexadecimal value HH (1 to 2 digits)\n" +
    "  \\uHHHH  Unicode (ISO/IEC 10646) character with hex value HHHH (4 digits)\n" +
    "  \\UHHHHHHHH  Unicode character with hex value HHHHHHHH (8 digits)\n  %%      a single %\n" +
    "  %b      ARGUMENT as a string with '\\' escapes interpreted, except that octal escapes " +
    "are of the form \\0 or \\0NNN\n" +
    "  %q      ARGUMENT is printed in a format that can be reused as shell input\n\n" +
    "and all C format specifications ending with one of diouxXfeEgGaAcs, with ARGUMENTs " +
    "converted to proper type first. Variable widths are handled.",
};

/** The command `printf`, as GNU's program, not as a shell's own; see {@linkcode Builtin}. */
export async function* printf(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const text = soleOption(args, command, true);
  if (text !== undefined) {
    yield text;
    return 0;
  }
  const [format, ...values] = args[0] === "--" ? args.slice(1) : args;
  if (format === undefined) {
    io.warn("printf: missing operand");
    io.warn(tryHelp("printf"));
    return 1;
  }
  const printer = new Printer(values, (message) => io.warn(`printf: ${message}`));
  try {
    do {
      const before = printer.used;
      const ended = printer.print(format);
      if (printer.out.length > 0) yield printer.out.take();
      // \c is an end without regard to what went wrong before it, as in GNU's.
      if (ended) return 0;
      if (printer.used === before) break;
    } while (printer.used < values.length);
  } catch (error) {
    if (!(error instanceof EscapeError) && !(error instanceof PrintfError)) throw error;
    if (printer.out.length > 0) yield printer.out.take();
    io.warn(`printf: ${error.message}`);
    return 1;
  }
  const extra = values[printer.used];
  if (extra !== undefined) {
    io.warn(`printf: warning: ignoring excess arguments, starting with ${quote(extra)}`);
  }
  return printer.status;
}
