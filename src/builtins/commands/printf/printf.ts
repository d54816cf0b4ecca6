import type { Chunk } from "../../../streams/mod.ts";
import { soleOption, standardOptions } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { EscapeError, escapesHelp, quote } from "../../text/mod.ts";
import { type CommandSpec, tryHelp } from "../../../command_line/mod.ts";
import { Printer, PrintfError } from "./printer.ts";

const command: CommandSpec = {
  name: "printf",
  usage: ["FORMAT [ARGUMENT]...", "OPTION"],
  summary: "Print FORMAT with an ARGUMENT in place of each conversion. FORMAT is used again as " +
    "long as ARGUMENTs are left.",
  options: standardOptions,
  epilogue: "FORMAT may contain:\n" +
    "\n" +
    escapesHelp +
    '  \\"       a double quote\n' +
    "  \\NNN     the byte with this octal number of up to 3 digits\n" +
    "  \\xHH     the byte with this hexadecimal number of up to 2 digits\n" +
    "  \\uHHHH   the character with this code point of 4 digits\n" +
    "  \\UHHHHHHHH  the same with 8 digits\n" +
    "  %%       a percent sign\n" +
    "  %b       ARGUMENT with its backslash sequences; octal ones may begin with \\0\n" +
    "  %q       ARGUMENT, quoted for a shell\n" +
    "  %d %i %o %u %x %X  ARGUMENT as a whole number\n" +
    "  %a %A %e %E %f %F %g %G  ARGUMENT as a floating-point number\n" +
    "  %c %s    the first byte of ARGUMENT, or all of it\n" +
    "\n" +
    "Flags, a width and a precision work as in C; * takes a width or precision from the " +
    "ARGUMENTs. A missing ARGUMENT is 0 or empty. Numbers may be 0x1F or 017, and " +
    "'A is the number of the character A.",
};

/** The command `printf`: GNU's program, not a shell's builtin; see {@linkcode Builtin}. */
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
  /** Reports a field that was too wide, as C does at the end of the process. */
  const exit = (status: number): number => {
    if (!printer.failed) return status;
    io.warn("printf: write error");
    return 1;
  };
  try {
    do {
      const before = printer.used;
      const ended = printer.print(format);
      while (printer.out.length > 0) yield printer.out.take();
      // As in GNU printf, \c ends the command with status 0 even after an error.
      if (ended) return exit(0);
      if (printer.used === before) break;
    } while (printer.used < values.length);
  } catch (error) {
    if (!(error instanceof EscapeError) && !(error instanceof PrintfError)) throw error;
    while (printer.out.length > 0) yield printer.out.take();
    io.warn(`printf: ${error.message}`);
    return exit(1);
  }
  const extra = values[printer.used];
  if (extra !== undefined) {
    io.warn(`printf: warning: ignoring excess arguments, starting with ${quote(extra)}`);
  }
  return exit(printer.status);
}
