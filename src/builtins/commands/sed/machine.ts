import { RegexPause } from "../../../regex/mod.ts";
import { BlockSubstituter } from "./block.ts";
import { Budget } from "./budget.ts";
import { Editor } from "./editor.ts";
import { Gate } from "./gate.ts";
import type { SedInput } from "./input.ts";
import type { Need } from "./need.ts";
import type { SedOutput } from "./output.ts";
import { RangeState, type SedCommand, type SedOptions, type SedProgram } from "./program.ts";

type Phase = "next" | "run" | "dump" | "replace" | "append" | "quit";

/** Runs a script line by line. It never waits: it stops and returns what it needs. */
export class Machine {
  /** Modifies the spaces. */
  readonly editor: Editor;
  /** The exit status. */
  status = 0;
  /** The file that `R` or `0r` needs. */
  wanted = 0;
  readonly #commands: readonly SedCommand[];
  readonly #options: SedOptions;
  readonly #input: SedInput;
  readonly #quiet: boolean;
  /** Not needed if whole blocks are processed. */
  readonly #gate: Gate | undefined;
  readonly #block: BlockSubstituter | undefined;
  #phase: Phase = "next";
  #after: Phase = "next";
  #pc = 0;
  readonly #budget: Budget;
  /** True if the command at `#pc` was selected and then had to wait. */
  #waited = false;

  /** Creates a machine that has read no line. A space holds up to `most` bytes. */
  constructor(
    program: SedProgram,
    options: SedOptions,
    input: SedInput,
    main: SedOutput,
    outputs: readonly SedOutput[],
    most: number,
  ) {
    this.editor = new Editor(program, options, input, main, outputs, most);
    this.#commands = program.commands;
    this.#options = options;
    this.#input = input;
    this.#budget = new Budget(program.commands);
    this.#quiet = options.quiet || program.silent;
    this.#block = BlockSubstituter.of(program, options);
    if (this.#block === undefined) this.#gate = Gate.of(program, options.separator);
  }

  /** Resets the state for the next file (`-s`, `-i`). */
  startFile(): void {
    this.#input.line = 0;
    this.editor.startFile();
    for (const command of this.#commands) {
      const atZero = command.from?.type === "line" && command.from.line === 0;
      command.range = atZero ? RangeState.active : RangeState.inactive;
    }
  }

  /** Runs until it needs something. */
  step(): Need {
    for (;;) {
      switch (this.#phase) {
        case "next":
          if (this.editor.printer.takeFull()) return "flush";
          if (!this.#input.cursor.ready) return "line";
          if (this.#block?.run(this.#input.cursor, this.editor.printer.main) === true) {
            return "flush";
          }
          if (this.#gate !== undefined && this.#skip(this.#gate)) break;
          this.editor.take(false);
          this.#pc = 0;
          this.#phase = "run";
          break;
        case "run": {
          const need = this.#runPatiently();
          if (need !== undefined) return need;
          break;
        }
        case "dump":
          if (this.editor.queue.length > 0 && !this.editor.dump()) return "append";
          this.#phase = this.#after;
          break;
        case "replace":
        case "append":
          this.editor.take(this.#phase === "append");
          this.#phase = "run";
          break;
        case "quit":
          return "quit";
      }
    }
  }

  /** Prints or drops lines that no command selects; false if there are none. */
  #skip(gate: Gate): boolean {
    const { block } = this.#input.cursor;
    const run = gate.skip(this.#input);
    if (run === undefined) return false;
    if (!this.#quiet) this.editor.printer.lines(block, run.from, run.to);
    return true;
  }

  /** Prints the queue, then continues with `after`. */
  #dumpThen(after: Phase): void {
    this.#phase = this.editor.queue.length > 0 ? "dump" : after;
    this.#after = after;
  }

  #endCycle(after: Phase): void {
    if (!this.#quiet) this.editor.printer.pattern();
    this.#dumpThen(after);
  }

  /**
   * Runs commands; `undefined` when another phase begins. A long search yields to the event loop.
   */
  #runPatiently(): Need | undefined {
    try {
      return this.#run();
    } catch (error) {
      if (!(error instanceof RegexPause)) throw error;
      return "turn";
    }
  }

  /** Runs commands; `undefined` when another phase begins. */
  #run(): Need | undefined {
    const commands = this.#commands;
    const input = this.#input;
    const { pattern, printer, selector } = this.editor;
    for (;;) {
      if (this.#budget.spent()) return "turn";
      // Subtracted after the check, so that at least one command runs in each turn, even with a
      // long pattern space.
      this.#budget.take(pattern.length);
      if (printer.takeFull()) return "flush";
      const command = commands[this.#pc];
      if (command === undefined) {
        this.#endCycle("next");
        return undefined;
      }
      // A range must not be evaluated twice for the same line.
      const { from } = command;
      if (command.looksAhead && from !== undefined && input.more === undefined && !this.#waited) {
        if (selector.looksAhead(command, input, pattern)) return "look";
      }
      const selected = from === undefined || this.#waited ||
        selector.selects(command, input, pattern);
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

  /** The input that a selected command needs before it can run, if any. */
  #wants(command: SedCommand): Need | undefined {
    if (command.name !== "R") {
      this.#input.asked = true;
      if (this.#input.more !== undefined) return undefined;
      return command.name === "n" ? "next" : "look";
    }
    const reader = this.editor.readers[command.file];
    if (reader === null || reader?.ready === true) return undefined;
    this.wanted = command.file;
    return "file";
  }

  #execute(command: SedCommand): void {
    const { editor } = this;
    switch (command.name) {
      case "s":
        return this.#substitute(command);
      case "{":
        return;
      case "d":
        return this.#dumpThen("next");
      case "b":
        this.#pc = command.target;
        return;
      case "t":
        if (editor.replaced) this.#pc = command.target;
        editor.replaced = false;
        return;
      case "T":
        if (!editor.replaced) this.#pc = command.target;
        editor.replaced = false;
        return;
      case "n":
        if (this.#input.more === false) return this.#endCycle("next");
        if (!this.#quiet) this.editor.printer.pattern();
        return this.#dumpThen("replace");
      case "N":
        if (this.#input.more === true) return this.#dumpThen("append");
        if (this.#options.posix) return this.#dumpThen("next");
        return this.#endCycle("next");
      case "D": {
        const end = editor.pattern.indexOf(this.#options.separator);
        if (end < 0) return this.#dumpThen("next");
        editor.pattern.start = end + 1;
        this.#pc = 0;
        return;
      }
      case "c":
        if (command.range !== RangeState.active) this.editor.printer.text(command.text);
        return this.#dumpThen("next");
      case "q":
        this.status = Math.max(0, command.number) % 256;
        this.#endCycle("quit");
        // Before the end of the input, a last line gets its missing newline.
        this.editor.printer.main.begin();
        return;
      case "Q":
        this.status = Math.max(0, command.number) % 256;
        this.#phase = "quit";
        return;
      default:
        return editor.run(command);
    }
  }

  #substitute(command: SedCommand): void {
    try {
      this.editor.run(command);
    } catch (error) {
      // The command was selected but has not run yet.
      this.#pc--;
      this.#waited = true;
      throw error;
    }
  }
}
