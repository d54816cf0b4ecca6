import { type Chunk, turnEventLoop, TurnGuard } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { InPlace } from "./in_place.ts";
import { LineCursor } from "./cursor.ts";
import { fileOperand, longestLine, SedInput } from "./input.ts";
import { Machine } from "./machine.ts";
import {
  type Channel,
  channel,
  createFile,
  flushChannel,
  FULL,
  SedOutput,
  UnwritableOutput,
} from "./output.ts";
import type { Appended } from "./printer.ts";
import type { SedOptions, SedProgram } from "./program.ts";
import { SedError } from "./script.ts";

/** Status if an input file could not be opened. */
const CANNOT_READ = 2;

/** Runs a program on files: provides what the machine needs, and passes on its output. */
export class Run {
  readonly #program: SedProgram;
  readonly #options: SedOptions;
  readonly #io: BuiltinIo;
  readonly #stdout: Channel = channel("stdout");
  readonly #channels: Channel[] = [];
  readonly #input: SedInput;
  readonly #turns = new TurnGuard();
  readonly #inPlace: InPlace | undefined;
  #status = 0;

  /** Creates a run over the named files, or over standard input if there are none. */
  constructor(
    program: SedProgram,
    options: SedOptions,
    files: readonly string[],
    io: BuiltinIo,
  ) {
    this.#program = program;
    this.#options = options;
    this.#io = io;
    if (options.inPlace !== undefined) this.#inPlace = new InPlace(options, io);
    const names = options.inPlace === undefined ? files : files.map(fileOperand);
    this.#input = new SedInput(names, io, options, {
      beforeFill: () => {
        this.#machine?.editor.own();
      },
      cannotOpen: (name, why) => {
        if (options.followLinks) return new SedError(`couldn't readlink ${name}: ${why}`, 4);
        io.warn(`sed: can't read ${name}: ${why}`);
        this.#status = CANNOT_READ;
        return undefined;
      },
    });
  }

  #machine: Machine | undefined;

  /** Yields standard output; returns the exit status. */
  async *lines(): AsyncGenerator<Chunk, number, void> {
    const outputs: SedOutput[] = [];
    for (const name of this.#program.outputs) outputs.push(await this.#openOutput(name));
    const main = new SedOutput(this.#stdout, this.#options.separator);
    const machine = new Machine(
      this.#program,
      this.#options,
      this.#input,
      main,
      outputs,
      longestLine(this.#io),
    );
    this.#machine = machine;
    try {
      yield* this.#loop(machine);
      await this.#input.close();
      yield* this.#endFile();
    } catch (error) {
      if (!(error instanceof SedError)) throw error;
      yield* this.#flush(true);
      throw error;
    }
    yield* this.#flush(true);
    for (const { to } of this.#channels) if (typeof to === "object") await to.close();
    return this.#status === 0 ? machine.status : this.#status;
  }

  async *#loop(machine: Machine): AsyncGenerator<Chunk, void, void> {
    for (;;) {
      switch (machine.step()) {
        case "line":
          yield* this.#flush(false);
          if (await this.#advance()) break;
          if (!(yield* this.#nextFile(machine))) return;
          break;
        case "look":
          yield* this.#flush(false);
          await this.#input.look(false);
          break;
        case "next":
          yield* this.#flush(false);
          await this.#input.look(true);
          break;
        case "flush":
          yield* this.#flush(false);
          await this.#turn();
          break;
        case "append":
          yield* this.#append(machine);
          break;
        case "file":
          await this.#readNext(machine, machine.wanted);
          break;
        case "insert":
          yield* this.#putFile(machine, machine.wanted);
          break;
        case "turn":
          await turnEventLoop();
          this.#checkAbort();
          break;
        case "quit":
          return;
      }
    }
  }

  async #turn(): Promise<void> {
    await this.#turns.tick();
    this.#checkAbort();
  }

  #checkAbort(): void {
    if (this.#io.signal.aborted) throw this.#io.signal.reason;
  }

  async #advance(): Promise<boolean> {
    try {
      return await this.#input.advance();
    } catch (error) {
      if (!(error instanceof SedError) || this.#inPlace === undefined) throw error;
      throw this.#inPlace.cannotEdit(error);
    }
  }

  /** Moves to the next file; false if there is none. */
  async *#nextFile(machine: Machine): AsyncGenerator<Chunk, boolean, void> {
    yield* this.#endFile();
    const name = await this.#input.nextFile();
    if (name === undefined) return false;
    if (this.#options.separate) machine.startFile();
    if (this.#inPlace !== undefined) machine.editor.printer.main = await this.#inPlace.begin(name);
    return true;
  }

  async *#endFile(): AsyncGenerator<Chunk, void, void> {
    if (this.#inPlace === undefined) return;
    yield* this.#flush(false);
    await this.#inPlace.end();
  }

  async *#flush(atEnd: boolean): AsyncGenerator<Chunk, void, void> {
    const { buffer } = this.#stdout;
    if (buffer.length > 0) {
      yield buffer.bytes.subarray(buffer.start, buffer.end);
      buffer.clear();
    }
    for (const each of this.#channels) {
      const late = typeof each.to === "object" && !this.#options.unbuffered && !atEnd;
      if (!late || each.buffer.length >= FULL) await flushChannel(each, this.#io, atEnd);
    }
    await this.#inPlace?.flush();
  }

  async #openOutput(name: string): Promise<SedOutput> {
    const { separator } = this.#options;
    if (name === "/dev/stdout") return new SedOutput(this.#stdout, separator);
    if (name === "/dev/stdin") return new UnwritableOutput(channel("stderr"), separator);
    let made: Channel;
    if (name === "/dev/stderr") made = channel("stderr");
    else {
      try {
        made = channel(await createFile(name, this.#io));
      } catch (error) {
        if (isFatal(error, this.#io.signal)) throw error;
        if (error instanceof SedError) throw error;
        throw new SedError(`couldn't open file ${name}: ${errorText(error)}`, 4);
      }
    }
    this.#channels.push(made);
    return new SedOutput(made, separator);
  }

  /** Prints the queue of `a`, `r` and `R`. As POSIX demands, unreadable files are skipped. */
  async *#append(machine: Machine): AsyncGenerator<Chunk, void, void> {
    const queue: Appended[] = machine.editor.queue.splice(0);
    for (const item of queue) {
      const buffer = machine.editor.printer.main.begin();
      if (typeof item !== "number") {
        buffer.append(item);
        continue;
      }
      yield* this.#putFile(machine, item);
    }
  }

  async *#putFile(machine: Machine, file: number): AsyncGenerator<Chunk, void, void> {
    for await (const chunk of this.#fileChunks(file)) {
      machine.editor.printer.main.channel.buffer.append(chunk);
      yield* this.#flush(false);
    }
  }

  async *#fileChunks(file: number): AsyncGenerator<Chunk, void, void> {
    const name = this.#program.inputs[file] ?? "";
    let source: AsyncIterable<Chunk, void, void>;
    try {
      source = name === "/dev/stdin" ? this.#input.restOfStdin() : await openFile(name, this.#io);
    } catch (error) {
      this.#skip(name, error);
      return;
    }
    try {
      yield* source;
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw readError(name, error);
    }
  }

  /** Makes a line of a file of `R` available, or records its end. */
  async #readNext(machine: Machine, file: number): Promise<void> {
    const name = this.#program.inputs[file] ?? "";
    let reader = machine.editor.readers[file];
    if (name === "/dev/stdout" || name === "/dev/stderr") {
      throw new SedError(`read error on ${name.slice(5)}: Bad file descriptor`, 4);
    }
    try {
      if (reader === undefined) {
        reader = name === "/dev/stdin" ? this.#input.stdin.lines : new LineCursor(
          await openFile(name, this.#io),
          this.#options.separator,
          longestLine(this.#io),
        );
      }
      if (reader === this.#input.cursor) {
        machine.editor.own();
      }
      machine.editor.readers[file] = reader !== null && (reader.ready || await reader.fill())
        ? reader
        : null;
    } catch (error) {
      this.#skip(name, error);
      machine.editor.readers[file] = null;
    }
  }

  /**
   * Treats a file of `r` or `R` that cannot be opened as empty. Errors are a folder, which can be
   * opened but not read, and that files are not available at all.
   */
  #skip(name: string, error: unknown): void {
    if (isFatal(error, this.#io.signal)) throw error;
    if (this.#io.open === undefined) {
      throw new SedError(`couldn't open file ${name}: ${errorText(error)}`, 4);
    }
    if (errorText(error) === "Is a directory") throw readError(name, error);
  }
}

function readError(name: string, error: unknown): SedError {
  return new SedError(`read error on ${name}: ${errorText(error)}`, 4);
}
