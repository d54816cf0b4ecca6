import {
  BadFdError,
  type ByteSource,
  type Fd,
  type FdTable,
  type Limit,
  limitSource,
  type TempStore,
} from "../../streams/mod.ts";
import { FileInput, type Input, KeptInput, StreamInput } from "../inputs/mod.ts";
import { limitOf, type LlmcmdLimits } from "../limits.ts";
import type { Feed, Pipeline } from "../pipeline/mod.ts";
import type { Flow } from "./flow.ts";
import { Output } from "./output.ts";

/** Pipes never get numbers up to this one, even where they are not open. */
const HIGHEST_STANDARD = 2;

/** The highest number that the model may ask for. */
const HIGHEST = 65_535;

/** The kinds of descriptors. */
export type Descriptor =
  /** Something to read: an input, or the read end of a pipe. */
  | {
    kind: "input";
    name: string;
    readonly input: Input;
    readEnd: boolean;
    /** The same for duplicates; absent for the end of a pipe. */
    source?: ByteSource;
  }
  /** Descriptor 1. */
  | { kind: "output"; name: string; output: Output }
  /** The write end of a pipe that the model feeds; `readFd` is the other end, unless it flows. */
  | { kind: "feed"; name: string; feed: Feed; readFd?: number; flow?: Flow }
  /** The write end of a pipe that gets its input from a descriptor. */
  | { kind: "writeEnd"; name: string; readFd: number }
  /** Standard error, which can be neither read nor written. */
  | { kind: "reserved"; name: string };

/** A descriptor that `write` and `pipe` may write to. */
export type Writable = Extract<Descriptor, { kind: "output" | "feed" }>;

/** The numbers of a pipe's ends: the one written to, and the one to read next. */
export interface PipeEnds {
  in_fd: number;
  out_fd: number;
}

/** An input that a command may name as if it were a file. */
export interface NamedInput {
  readonly fd: number;
  readonly name: string;
  /** The source of its bytes; the same for duplicates of a descriptor. */
  readonly source?: ByteSource | undefined;
  /** True for the end of a pipe, which has a number but no name of its own. */
  readonly readEnd: boolean;
}

/**
 * The descriptors that the model can name: those that the run was given, and the pipes that the
 * model makes. The numbers come from the caller's table, so none is used twice.
 */
export class Descriptors {
  /** Descriptor 1. */
  readonly output: Output;
  readonly #fds: FdTable;
  readonly #byNumber = new Map<number, Descriptor>();
  /** By source, so that duplicates of a descriptor share its read position. */
  readonly #inputs = new Map<ByteSource, Input>();
  readonly #made: number[] = [];
  readonly #streams: (StreamInput | KeptInput)[] = [];
  readonly #storage: (() => Promise<TempStore>) | undefined;
  readonly #flows: Flow[] = [];

  /**
   * Takes over the descriptors of the table. What memory does not hold of a stream goes to
   * `storage`. Throws a `TypeError` when descriptor 1 is no sink.
   */
  constructor(fds: FdTable, limits: LlmcmdLimits, storage?: () => Promise<TempStore>) {
    this.#fds = fds;
    this.#storage = storage;
    const { name, sink } = fds.get(1);
    if (sink === undefined) throw new TypeError(`Cannot run: fd 1 (${name}) must be a sink`);
    this.output = new Output(name, sink, limitOf(limits, "outputBytes"));
    for (const fd of fds.list()) this.#byNumber.set(fd.number, this.#describe(fd, limits));
  }

  #describe({ number, name, source }: Fd, limits: LlmcmdLimits): Descriptor {
    if (number === 1) return { kind: "output", name, output: this.output };
    if (number === 2 || source === undefined) return { kind: "reserved", name };
    const open = () => this.#open(source, limitOf(limits, "inputBytes"));
    // Only when it is used, because asking whether standard input is a file takes 20 ms.
    return {
      kind: "input",
      name,
      readEnd: false,
      source,
      get input() {
        return open();
      },
    };
  }

  #open(source: ByteSource, limit: Limit): Input {
    const opened = this.#inputs.get(source);
    if (opened !== undefined) return opened;
    const limited: ByteSource = limitSource(source, limit);
    const { at } = limited;
    const input = at === undefined ? new KeptInput(limited, this.#storage) : new FileInput(at);
    if (input instanceof KeptInput) this.#streams.push(input);
    this.#inputs.set(source, input);
    return input;
  }

  /** The descriptor of that number. `action` begins the error: `Cannot read fd 7: ...`. */
  get(fd: number, action: string): Descriptor {
    const descriptor = this.#byNumber.get(fd);
    if (descriptor === undefined) throw new BadFdError(action, fd, this.numbers());
    return descriptor;
  }

  /** The numbers of all descriptors. */
  numbers(): number[] {
    return [...this.#byNumber.keys()].sort((a, b) => a - b);
  }

  /** The input behind a number. */
  input(fd: number, action: string): Input {
    const descriptor = this.get(fd, action);
    if (descriptor.kind === "input") return descriptor.input;
    throw new TypeError(
      `Cannot ${action} fd ${fd} (${descriptor.name}): ${whyUnreadable(descriptor)}`,
    );
  }

  /** The descriptor behind a number, to write to. */
  writable(fd: number, action: string): Writable {
    const descriptor = this.get(fd, action);
    if (descriptor.kind === "output") return descriptor;
    if (descriptor.kind !== "feed") {
      throw new TypeError(
        `Cannot ${action} fd ${fd} (${descriptor.name}): ${whyUnwritable(descriptor)}`,
      );
    }
    const { feed } = descriptor;
    if (feed.readerLeft || feed.closed) {
      const why = feed.closed
        ? "it was closed with eof"
        : `${feed.reader} has ended and reads no more`;
      throw new TypeError(`Cannot ${action} fd ${fd} (${descriptor.name}): ${why}`);
    }
    return descriptor;
  }

  /** The write end at a number of a pipe that the model feeds, also one that is closed. */
  feedAt(fd: number | undefined): Extract<Descriptor, { kind: "feed" }> | undefined {
    const descriptor = fd === undefined ? undefined : this.#byNumber.get(fd);
    return descriptor?.kind === "feed" ? descriptor : undefined;
  }

  /** The numbers of all pipes that the model can feed now. */
  get openFeeds(): number[] {
    return [...this.#byNumber].flatMap(([fd, descriptor]) =>
      descriptor.kind === "feed" && descriptor.feed.open ? [fd] : []
    );
  }

  /** The descriptor to pipe to; `undefined` without a number, or with an unused one. */
  target(fd: number | undefined): Writable | undefined {
    if (fd === undefined) return undefined;
    if (fd < 0 || fd > HIGHEST) {
      throw new RangeError(`Cannot pipe to fd ${fd}: numbers go from 0 to ${HIGHEST}`);
    }
    if (fd > HIGHEST_STANDARD && !this.#fds.used(fd)) return undefined;
    return this.writable(fd, "pipe to");
  }

  /**
   * Chooses the numbers of a new pipe: the end written to first, `asked` or the lowest not yet
   * used, then the end to read, the lowest not yet used above it.
   */
  chooseEnds(asked: number | undefined): PipeEnds {
    const inFd = asked ?? this.#fds.nextNumber(HIGHEST_STANDARD);
    return { in_fd: inFd, out_fd: this.#fds.nextNumber(inFd) };
  }

  /** Opens both ends of a pipe that gets its input from a descriptor. */
  openPipe(
    ends: PipeEnds,
    name: string,
    source: ByteSource,
    pipeline: Pipeline,
    feed?: Feed,
  ): void {
    this.#add(ends.in_fd, { kind: "writeEnd", name: `write end of ${name}`, readFd: ends.out_fd });
    this.#openReadEnd(ends.out_fd, name, source, pipeline, feed);
  }

  /** Opens both ends of a pipe that the model feeds. */
  openFeed(ends: PipeEnds, feed: Feed, name: string, source: ByteSource, pipeline: Pipeline): void {
    const { in_fd: fd, out_fd: readFd } = ends;
    this.#add(fd, { kind: "feed", name: `input of ${name}`, feed, readFd });
    this.#openReadEnd(readFd, name, source, pipeline, feed);
  }

  /** Opens the write end of a pipe that the model feeds and that flows to descriptor 1. */
  openFlow(feed: Feed, name: string, flow: Flow): void {
    this.#flows.push(flow);
    this.#add(feed.fd, { kind: "feed", name: `input of ${name}`, feed, flow });
  }

  #openReadEnd(
    fd: number,
    name: string,
    source: ByteSource,
    pipeline: Pipeline,
    feed: Feed | undefined,
  ): void {
    const input = new StreamInput(source, { pipeline, feed });
    this.#streams.push(input);
    this.#add(fd, { kind: "input", name: `output of ${name}`, input, readEnd: true });
  }

  #add(fd: number, descriptor: Descriptor): void {
    this.#fds.open({ name: descriptor.name, number: fd });
    this.#made.push(fd);
    this.#byNumber.set(fd, descriptor);
  }

  /** The descriptor to read so that a model-fed pipe can go on. */
  readEndOf(feed: Feed): number | undefined {
    for (const [fd, descriptor] of this.#byNumber) {
      if (descriptor.kind !== "input" || !descriptor.readEnd) continue;
      const { input } = descriptor;
      if (input.feed === feed && input.went === undefined) return fd;
    }
    return undefined;
  }

  /** The lowest descriptor of a pipe whose output was neither read nor piped on. */
  get unread(): number | undefined {
    const unread = [...this.#byNumber].filter(([, descriptor]) =>
      descriptor.kind === "input" && descriptor.readEnd && !descriptor.input.touched
    );
    return unread.length === 0 ? undefined : Math.min(...unread.map(([fd]) => fd));
  }

  /** The lowest descriptor of a pipe to descriptor 1 that still waits for the model's first word. */
  get unfed(): number | undefined {
    const unfed = this.#flows.filter(({ feed }) => feed.open && !feed.begun);
    return unfed.length === 0 ? undefined : Math.min(...unfed.map(({ feed }) => feed.fd));
  }

  /** The inputs that can be read now, for commands that name files. */
  namedInputs(): NamedInput[] {
    return [...this.#byNumber].flatMap(([fd, descriptor]) => {
      if (descriptor.kind !== "input") return [];
      const { name, readEnd, source } = descriptor;
      return readEnd && descriptor.input.went !== undefined ? [] : [{ fd, name, readEnd, source }];
    });
  }

  /** The pipes that flow to descriptor 1, in the order they were made. */
  get flows(): readonly Flow[] {
    return this.#flows;
  }

  /** Releases all pipes and all inputs that were begun, even if some of that fails. */
  async close(): Promise<void> {
    await Promise.allSettled([
      ...this.#flows.map((flow) => flow.close()),
      ...this.#streams.map((stream) => stream.close()),
    ]);
    await Promise.allSettled(this.#made.splice(0).map((fd) => this.#fds.close(fd)));
  }
}

function whyUnreadable(descriptor: Exclude<Descriptor, { kind: "input" }>): string {
  switch (descriptor.kind) {
    case "output":
      return "it is for writing only";
    case "reserved":
      return "it is reserved for messages, neither to read nor to write";
    case "writeEnd":
      return `it is the end that is written to; read fd ${descriptor.readFd}`;
    case "feed":
      return descriptor.readFd === undefined
        ? "it is the end that is written to; its output goes to fd 1"
        : `it is the end that is written to; read fd ${descriptor.readFd}`;
  }
}

function whyUnwritable(descriptor: Exclude<Descriptor, Writable>): string {
  switch (descriptor.kind) {
    case "input":
      return descriptor.readEnd
        ? "it is the end of a pipe that is read"
        : "inputs are read-only; output goes to fd 1";
    case "reserved":
      return "it is reserved for messages; output goes to fd 1";
    case "writeEnd":
      return `it has its input already; read fd ${descriptor.readFd}`;
  }
}
