import { type Regex, RegexPause } from "../regex/mod.ts";
import { LimitError } from "../streams/mod.ts";
import { utf8 } from "./_output.ts";
import { BlockSubstituter } from "./sed_block.ts";
import { Gate } from "./sed_gate.ts";
import type { LineCursor } from "./sed_cursor.ts";
import type { SedInput } from "./sed_input.ts";
import type { SedOutput } from "./sed_output.ts";
import { type Appended, SedPrinter } from "./sed_printer.ts";
import {
  type Command,
  RangeState,
  type SedOptions,
  type SedProgram,
  type Substitution,
} from "./sed_program.ts";
import { Selector } from "./sed_range.ts";
import { SedError } from "./sed_script.ts";
import { Space } from "./_space.ts";
import { invalidReference } from "./sed_substitute.ts";
import { Substituter } from "./sed_substituter.ts";
import { transliterate } from "./sed_transliterate.ts";

/** What the machine needs before it can go on. */
export type Need =
  /** A line for the next cycle. */
  | "line"
  /** To know whether a line follows. */
  | "look"
  /** The same for `n`, which puts out its line even if the next file cannot be opened. */
  | "next"
  /** A line of the file that {@linkcode Machine.wanted} tells, for `R`. */
  | "file"
  /** That file to be put out at once, for `0r`. */
  | "insert"
  /** The queue of appended text and files to be put out. */
  | "append"
  /** Its output to be passed on. */
  | "flush"
  /** The event loop to turn. */
  | "turn"
  /** Nothing: it has ended. */
  | "quit";

/** Commands between two turns of the event loop; one on 256 bytes more counts for two. */
const BUDGET = 50_000;
/** So many steps of a search with back-references count for a command. */
const STEPS = 8;

/** Texts that may wait for the end of a cycle. */
const MOST_QUEUED = 1_000_000;

type Phase = "next" | "run" | "dump" | "replace" | "append" | "quit";

/** Runs a script line by line. Never waits: it stops and says what it needs. */
export class Machine {
  /** The pattern space. */
  readonly pattern: Space;
  /** The hold space. */
  readonly hold: Space;
  /** What is put out at the end of the cycle. */
  readonly queue: Appended[] = [];
  /** The exit status. */
  status = 0;
  /** The file that `R` or `0r` wants to read. */
  wanted = 0;
  /** Files that `R` reads; `null` where there is nothing more. */
  readonly readers: (LineCursor | null | undefined)[] = [];
  /** Puts out what the script says. */
  readonly printer: SedPrinter;

  readonly #commands: readonly Command[];
  readonly #options: SedOptions;
  readonly #input: SedInput;
  readonly #outputs: readonly SedOutput[];
  readonly #selector: Selector;
  readonly #substituter: Substituter;
  /** The place that messages name. */
  readonly #end: string;
  readonly #quiet: boolean;
  /** Not needed where whole blocks are worked on. */
  readonly #gate: Gate | undefined;
  readonly #block: BlockSubstituter | undefined;
  #phase: Phase = "next";
  #after: Phase = "next";
  #pc = 0;
  #budget = BUDGET;
  /** Regular expressions with back-references, and the steps that they had taken. */
  readonly #referring: readonly Regex[];
  #steps = 0;
  #replaced = false;
  /** Whether the command at `#pc` has been selected and then had to wait. */
  #waited = false;

  /** Makes a machine that has not yet read a line. A space holds `most` bytes. */
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
    this.#substituter = new Substituter(most);
    this.#commands = program.commands;
    this.#options = options;
    this.#input = input;
    this.printer = new SedPrinter(this.pattern, options, main);
    this.#outputs = outputs;
    this.#selector = new Selector(program.end);
    this.#end = program.end;
    this.#referring = program.commands
      .flatMap(({ from, to, substitution }) => [
        from?.type === "regex" ? from.regex?.regex : undefined,
        to?.type === "regex" ? to.regex?.regex : undefined,
        substitution?.regex?.regex,
      ])
      .filter((regex) => regex?.backReferences === true)
      .filter((regex) => regex !== undefined);
    this.#quiet = options.quiet || program.silent;
    this.#block = BlockSubstituter.of(program, options);
    if (this.#block === undefined) this.#gate = Gate.of(program, options.separator);
  }

  /** Starts anew for another file (`-s`, `-i`). */
  startFile(): void {
    this.#input.line = 0;
    // As GNU's, which forgets what is held, but not whether it had a newline.
    this.hold.clear();
    this.readers.length = 0;
    for (const command of this.#commands) {
      const atZero = command.from?.type === "line" && command.from.line === 0;
      command.range = atZero ? RangeState.active : RangeState.inactive;
    }
  }

  /** Goes on until something is needed. */
  step(): Need {
    for (;;) {
      switch (this.#phase) {
        case "next":
          if (this.printer.takeFull()) return "flush";
          if (!this.#input.cursor.ready) return "line";
          if (this.#block?.run(this.#input.cursor, this.printer.main) === true) return "flush";
          if (this.#gate !== undefined && this.#skip(this.#gate)) break;
          this.#input.take(this.pattern, false);
          this.#replaced = false;
          this.#pc = 0;
          this.#phase = "run";
          break;
        case "run": {
          const need = this.#runPatiently();
          if (need !== undefined) return need;
          break;
        }
        case "dump":
          if (this.queue.length > 0 && !this.#dump()) return "append";
          this.#phase = this.#after;
          break;
        case "replace":
        case "append":
          this.#input.take(this.pattern, this.#phase === "append");
          this.#replaced = false;
          this.#phase = "run";
          break;
        case "quit":
          return "quit";
      }
    }
  }

  /** Lets lines pass that no command selects; says whether there were any. */
  #skip(gate: Gate): boolean {
    const { block } = this.#input.cursor;
    const run = gate.skip(this.#input);
    if (run === undefined) return false;
    if (!this.#quiet) this.printer.lines(block, run.from, run.to);
    return true;
  }

  /** Puts out the queue if that needs no file. */
  #dump(): boolean {
    if (!this.printer.append(this.queue)) return false;
    this.queue.length = 0;
    return true;
  }

  /** Puts the queue out, then goes on with `after`. */
  #dumpThen(after: Phase): void {
    this.#phase = this.queue.length > 0 ? "dump" : after;
    this.#after = after;
  }

  #endCycle(after: Phase): void {
    if (!this.#quiet) this.printer.pattern();
    this.#dumpThen(after);
  }

  /** Runs commands; `undefined` when another phase has begun. A long search lets others go first. */
  #runPatiently(): Need | undefined {
    try {
      return this.#run();
    } catch (error) {
      if (!(error instanceof RegexPause)) throw error;
      return "turn";
    }
  }

  /** Runs commands; `undefined` when another phase has begun. */
  #run(): Need | undefined {
    const commands = this.#commands;
    const input = this.#input;
    for (;;) {
      if (this.#budget <= 0) {
        this.#budget = BUDGET;
        return "turn";
      }
      // Only now, so that each turn gets on by one command however long the pattern space is.
      this.#budget -= 1 + (this.pattern.length >> 8);
      if (this.#referring.length > 0) this.#countSteps();
      if (this.printer.takeFull()) return "flush";
      const command = commands[this.#pc];
      if (command === undefined) {
        this.#endCycle("next");
        return undefined;
      }
      // A range must not be asked twice about the same line.
      const { from } = command;
      if (command.looksAhead && from !== undefined && input.more === undefined && !this.#waited) {
        if (this.#selector.looksAhead(command, input, this.pattern)) return "look";
      }
      const selected = from === undefined || this.#waited ||
        this.#selector.selects(command, input, this.pattern);
      if (selected === command.negate && !this.#waited) {
        this.#pc = command.name === "{" ? command.target : this.#pc + 1;
        continue;
      }
      const wants = command.waits ? this.#wants(command) : undefined;
      if (wants !== undefined) {
        this.#waited = true;
        return wants;
      }
      this.#waited = false;
      this.#pc++;
      if (command.name === "r" && command.from?.type === "line" && command.from.line === 0) {
        if (command.to === undefined) {
          this.wanted = command.file;
          return "insert";
        }
      }
      this.#execute(command);
      if (this.#phase !== "run") return undefined;
    }
  }

  /** Takes what back-references have cost since the last time from the budget. */
  #countSteps(): void {
    let steps = 0;
    for (const regex of this.#referring) steps += regex.steps;
    this.#budget -= Math.floor((steps - this.#steps) / STEPS);
    this.#steps = steps;
  }

  /** What a command that has been selected needs before it can run. */
  #wants(command: Command): Need | undefined {
    if (command.name !== "R") {
      this.#input.asked = true;
      if (this.#input.more !== undefined) return undefined;
      return command.name === "n" ? "next" : "look";
    }
    const reader = this.readers[command.file];
    if (reader === null || reader?.ready === true) return undefined;
    this.wanted = command.file;
    return "file";
  }

  #execute(command: Command): void {
    const { pattern, hold } = this;
    const { separator } = this.#options;
    switch (command.name) {
      case "s":
        this.#substitute(command.substitution as Substitution);
        return;
      case "p":
        return this.printer.pattern();
      case "d":
        return this.#dumpThen("next");
      case "b":
        this.#pc = command.target;
        return;
      case "t":
        if (this.#replaced) this.#pc = command.target;
        this.#replaced = false;
        return;
      case "T":
        if (!this.#replaced) this.#pc = command.target;
        this.#replaced = false;
        return;
      case "g":
        return pattern.copyFrom(hold);
      case "G":
        pattern.appendByte(separator);
        pattern.append(hold.bytes, hold.start, hold.end);
        pattern.complete = hold.complete;
        return;
      case "h":
        return hold.copyFrom(pattern);
      case "H":
        hold.appendByte(separator);
        hold.append(pattern.bytes, pattern.start, pattern.end);
        hold.complete = pattern.complete;
        return;
      case "x":
        return pattern.swap(hold);
      case "n":
        if (this.#input.more === false) return this.#endCycle("next");
        if (!this.#quiet) this.printer.pattern();
        return this.#dumpThen("replace");
      case "N":
        if (this.#input.more === true) return this.#dumpThen("append");
        if (this.#options.posix) return this.#dumpThen("next");
        return this.#endCycle("next");
      case "D":
      case "P": {
        const end = pattern.indexOf(separator);
        if (command.name === "P") {
          this.printer.pattern(end < 0 ? undefined : end);
        } else if (end < 0) {
          this.#dumpThen("next");
        } else {
          pattern.start = end + 1;
          this.#pc = 0;
        }
        return;
      }
      case "z":
        return pattern.clear();
      case "a":
        return this.#enqueue(command.text);
      case "i":
        return this.printer.text(command.text);
      case "c":
        if (command.range !== RangeState.active) this.printer.text(command.text);
        return this.#dumpThen("next");
      case "q":
        this.status = Math.max(0, command.number) % 256;
        this.#endCycle("quit");
        // Other than at the end of the input, a last line gets the end that it lacks.
        this.printer.main.begin();
        return;
      case "Q":
        this.status = Math.max(0, command.number) % 256;
        this.#phase = "quit";
        return;
      default:
        return this.#executeRare(command);
    }
  }

  #enqueue(item: Appended): void {
    if (this.queue.length >= MOST_QUEUED) {
      const limit = { name: "queuedTexts", max: MOST_QUEUED };
      throw new LimitError(limit, `A line has more than ${MOST_QUEUED} texts to append`);
    }
    this.queue.push(item);
  }

  #executeRare(command: Command): void {
    const { pattern } = this;
    const { separator } = this.#options;
    switch (command.name) {
      case "=":
        return this.printer.text(utf8(`${this.#input.line}\n`));
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
      case "{":
        return;
      default:
        throw new SedError(`Cannot run the command ${command.name}`, 4);
    }
  }

  #substitute(substitution: Substitution): void {
    const { pattern } = this;
    const used = this.#selector.resolve(substitution.regex);
    const { regex } = used;
    const { groups } = substitution.replacement;
    if (used.lacksGroups && groups > regex.groups && !this.#options.posix) {
      throw new SedError(`${this.#end}: ${invalidReference(groups)}`);
    }
    used.lacksGroups = false;
    let replaced: boolean;
    try {
      replaced = this.#substituter.substitute(pattern, regex, substitution);
    } catch (error) {
      // The command has been selected, and is yet to be done.
      this.#pc--;
      this.#waited = true;
      throw error;
    }
    if (!replaced) return;
    this.#replaced = true;
    if (substitution.print) this.printer.pattern();
    const output = this.#outputs[substitution.output];
    if (output !== undefined) this.printer.patternTo(output);
  }
}
