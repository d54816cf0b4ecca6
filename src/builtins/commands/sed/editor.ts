import { LimitError } from "../../../streams/mod.ts";
import { Space, utf8 } from "../../text/mod.ts";
import type { LineCursor } from "./cursor.ts";
import type { SedInput } from "./input.ts";
import type { SedOutput } from "./output.ts";
import { type Appended, SedPrinter } from "./printer.ts";
import type { SedCommand, SedOptions, SedProgram, Substitution } from "./program.ts";
import { Selector } from "./range.ts";
import { SedError } from "./script.ts";
import { invalidReference } from "./substitute.ts";
import { Substituter } from "./substituter.ts";
import { transliterate } from "./transliterate.ts";

/** Maximum number of texts queued for the end of a cycle. */
const MOST_QUEUED = 1_000_000;

/**
 * Runs the commands that change the spaces or print something, but do not affect the control flow.
 */
export class Editor {
  /** The pattern space. */
  readonly pattern: Space;
  /** The hold space. */
  readonly hold: Space;
  /** Texts and files to print at the end of the cycle. */
  readonly queue: Appended[] = [];
  /** Files that `R` reads; `null` at the end of a file. */
  readonly readers: (LineCursor | null | undefined)[] = [];
  /** Prints the output of the script. */
  readonly printer: SedPrinter;
  /** Decides which commands are selected. */
  readonly selector: Selector;
  /** True if `s` has replaced something since the last line was read or `t` was run. */
  replaced = false;
  readonly #options: SedOptions;
  readonly #input: SedInput;
  readonly #outputs: readonly SedOutput[];
  readonly #substituter: Substituter;
  /** The position in the script for messages. */
  readonly #end: string;

  /** Creates an editor whose spaces hold up to `most` bytes each. */
  constructor(
    program: SedProgram,
    options: SedOptions,
    input: SedInput,
    main: SedOutput,
    outputs: readonly SedOutput[],
    most: number,
  ) {
    this.pattern = new Space(256, most);
    this.hold = new Space(256, most);
    this.printer = new SedPrinter(this.pattern, options, main);
    this.selector = new Selector(program.end);
    this.#substituter = new Substituter(most);
    this.#options = options;
    this.#input = input;
    this.#outputs = outputs;
    this.#end = program.end;
  }

  /** Copies the parts of a block that the spaces refer to, before the block becomes invalid. */
  own(): void {
    this.pattern.own();
    this.hold.own();
  }

  /** Resets the state for the next file (`-s`, `-i`). */
  startFile(): void {
    // As in GNU sed, the hold space is emptied, but keeps its mark for a missing newline.
    this.hold.clear();
    this.readers.length = 0;
  }

  /** Reads the next line into the pattern space, replacing its contents or appending. */
  take(append: boolean): void {
    this.#input.take(this.pattern, append);
    this.replaced = false;
  }

  /** Prints the queue; false if that needs a file. */
  dump(): boolean {
    if (!this.printer.append(this.queue)) return false;
    this.queue.length = 0;
    return true;
  }

  /** Runs a command. */
  run(command: SedCommand): void {
    const { pattern, hold } = this;
    const { separator } = this.#options;
    switch (command.name) {
      case "s":
        if (command.substitution !== undefined) this.#substitute(command.substitution);
        return;
      case "p":
        return this.printer.pattern();
      case "g":
        return pattern.copyFrom(hold);
      case "G":
        return append(pattern, hold, separator);
      case "h":
        return hold.copyFrom(pattern);
      case "H":
        return append(hold, pattern, separator);
      case "x":
        return pattern.swap(hold);
      case "P": {
        const end = pattern.indexOf(separator);
        return this.printer.pattern(end < 0 ? undefined : end);
      }
      case "z":
        return pattern.clear();
      case "a":
        return this.#enqueue(command.text);
      case "i":
        return this.printer.text(command.text);
      default:
        return this.#runRare(command);
    }
  }

  #enqueue(item: Appended): void {
    if (this.queue.length >= MOST_QUEUED) {
      const limit = { name: "queuedTexts", max: MOST_QUEUED };
      throw new LimitError(limit, `The script appends more than ${MOST_QUEUED} texts to a line`);
    }
    this.queue.push(item);
  }

  #runRare(command: SedCommand): void {
    const { pattern } = this;
    const { separator } = this.#options;
    switch (command.name) {
      case "=":
        return this.printer.number(this.#input.line);
      case "F":
        return this.printer.text(utf8(`${this.#input.name}\n`));
      case "l": {
        const width = command.number < 0 ? this.#options.lineLength : command.number;
        return this.printer.listing(width);
      }
      case "r":
        return this.#enqueue(command.file);
      case "R": {
        const reader = this.readers[command.file];
        if (reader === null || reader === undefined) return;
        const start = reader.at;
        this.#enqueue(reader.block.slice(start, reader.take()));
        return this.#input.takenFrom(reader);
      }
      case "w":
        return this.printer.patternTo(this.#outputs[command.file] as SedOutput);
      case "W": {
        const output = this.#outputs[command.file] as SedOutput;
        const end = pattern.indexOf(separator);
        return this.printer.patternTo(output, end < 0 ? undefined : end);
      }
      case "y":
        if (command.transliteration !== undefined) transliterate(pattern, command.transliteration);
        return;
      default:
        throw new SedError(`Cannot run the command ${command.name}`, 4);
    }
  }

  #substitute(substitution: Substitution): void {
    const { pattern } = this;
    const used = this.selector.resolve(substitution.regex);
    const { regex } = used;
    const { groups } = substitution.replacement;
    if (used.lacksGroups && groups > regex.groups && !this.#options.posix) {
      throw new SedError(`${this.#end}: ${invalidReference(groups)}`);
    }
    used.lacksGroups = false;
    if (!this.#substituter.substitute(pattern, regex, substitution)) return;
    this.replaced = true;
    if (substitution.print) this.printer.pattern();
    const output = this.#outputs[substitution.output];
    if (output !== undefined) this.printer.patternTo(output);
  }
}

/** Appends the contents of one space to another as a separate line. */
function append(to: Space, from: Space, separator: number): void {
  to.appendByte(separator);
  to.append(from.bytes, from.start, from.end);
  to.complete = from.complete;
}
