import { messageOf } from "../../base/mod.ts";
import { type ByteSource, LimitError } from "../../streams/mod.ts";
import type { Descriptors, PipeEnds, Writable } from "../descriptors/mod.ts";
import type { Input } from "../inputs/mod.ts";
import {
  type CheckedCommand,
  type OperandFiles,
  type Pipeline,
  refusal,
  waitsForModel,
} from "../pipeline/mod.ts";
import { fdInPath, inputNamed } from "./operand_names.ts";

/** The pipe that {@linkcode Operands} is for. */
export interface OperandsOptions {
  /** Stops reading ahead. */
  readonly signal: AbortSignal;
  /** The descriptor that the pipe writes to: its commands cannot read it. */
  readonly target: PipeTarget;
}

/** The destination of a pipe: an open descriptor, or a new one. */
export type PipeTarget = Writable | { kind: "new"; ends: PipeEnds };

/** A pipe's end that was taken for one of the commands, which has not opened it yet. */
interface Claim {
  readonly stage: number;
  readonly source: ByteSource;
}

/**
 * The descriptors that the commands of one pipe may open by name: those that were open when the pipe
 * was made. Later ones are refused, so no pipe can come to read its own output, however late its
 * commands open their files.
 */
export class Operands implements OperandFiles {
  readonly #descriptors: Descriptors;
  readonly #options: OperandsOptions;
  readonly #known: ReadonlySet<number>;
  readonly #claims = new Map<number, Claim>();
  readonly #pipelines: Pipeline[] = [];
  #where = "a pipe";

  /** For a pipe that is made now. */
  constructor(descriptors: Descriptors, options: OperandsOptions) {
    this.#descriptors = descriptors;
    this.#options = options;
    this.#known = new Set(descriptors.numbers());
  }

  /** The pipelines behind the operands that were opened. */
  get pipelines(): readonly Pipeline[] {
    return this.#pipelines;
  }

  /**
   * The descriptor that a path names.
   *
   * @throws An error that says what can be named, or why this cannot be read.
   */
  find(path: string): number {
    const fd = fdInPath(path);
    if (fd !== undefined && this.#known.has(fd)) {
      this.#input(fd);
      return fd;
    }
    const { target } = this.#options;
    if (target.kind === "new" && (fd === target.ends.in_fd || fd === target.ends.out_fd)) {
      throw new TypeError(`fd ${fd} is an end of this very pipe, which cannot read its own output`);
    }
    return inputNamed(path, this.#descriptors.namedInputs());
  }

  #input(fd: number): Input {
    return this.#descriptors.input(fd, "open");
  }

  /**
   * Takes the ends of pipes that the commands are known to open, as `in_fd` is taken: nobody else
   * can read them from now on. `taken` is the input behind `in_fd`, `where` names the pipe in later
   * errors. Nothing is taken if one of the operands cannot be opened, also one that can be opened
   * many times.
   */
  async claim(
    commands: readonly CheckedCommand[],
    taken: Input | undefined,
    where: string,
  ): Promise<void> {
    this.#where = where;
    const once = new Set(taken?.once === true ? [taken] : []);
    const claims: { stage: number; fd: number; input: Input }[] = [];
    for (const [stage, { name, opens }] of commands.entries()) {
      for (const { path, fd } of opens) {
        const input = this.#input(fd);
        try {
          if (once.has(input)) throw new TypeError(`fd ${fd} is a pipe: it can be read once only`);
          await this.#check(input);
        } catch (error) {
          // An error that ends the run must keep its class.
          if (error instanceof LimitError) throw error;
          throw new Error(refusal(name, path, messageOf(error)), { cause: error });
        }
        if (!input.once) continue;
        once.add(input);
        claims.push({ stage, fd, input });
      }
    }
    for (const { stage, fd, input } of claims) {
      this.#claims.set(fd, { stage, source: this.#take(input) });
    }
  }

  /** Throws if an input cannot be read from its beginning, or not without the model. */
  async #check(input: Input): Promise<void> {
    input.checkPipe();
    const fd = await input.waitsFor(this.#options.signal);
    if (fd === undefined) return;
    const { target } = this.#options;
    if (target.kind === "feed" && target.feed.fd === fd) {
      throw new TypeError(
        `it reads what this pipe writes to fd ${fd}: write to another descriptor`,
      );
    }
    throw new TypeError(waitsForModel(fd));
  }

  #take(input: Input): ByteSource {
    if (input.pipeline !== undefined) this.#pipelines.push(input.pipeline);
    return input.pipeTo(this.#where);
  }

  /** Opens what a path names, from its beginning. */
  async open(path: string): Promise<ByteSource> {
    const fd = this.find(path);
    const claim = this.#claims.get(fd);
    if (claim !== undefined) {
      this.#claims.delete(fd);
      return claim.source;
    }
    const input = this.#input(fd);
    await this.#check(input);
    return this.#take(input);
  }

  /** A stage has ended: closes what was taken for it and never opened. */
  async leave(stage: number): Promise<void> {
    const left = [...this.#claims].filter(([, claim]) => claim.stage === stage);
    for (const [fd] of left) this.#claims.delete(fd);
    await Promise.allSettled(left.map(([, { source }]) => source.return()));
  }
}
