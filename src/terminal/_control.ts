import type { Survivors } from "../ports/mod.ts";
import type { Duplex } from "../sys/mod.ts";

/** How a command ended: its exit code, and whether processes it started are still there. */
export interface CommandExit {
  readonly code: number;
  readonly left: boolean;
}

/** How a keeper began: what it runs starts now, there is no such program, or it ended before. */
export type Beginning = "ready" | "missing" | "ended";

/**
 * The connection to a keeper: its end is the order to kill everything, and the keeper reports on
 * it, one line each. `keepers/main.sh` says what.
 */
export class ControlLines {
  /** How it began. */
  readonly beginning: Promise<Beginning>;
  /** How the command ended; `undefined` when the keeper ended without saying so. */
  readonly exit: Promise<CommandExit | undefined>;
  /** Settles at the end of the lines. */
  readonly done: Promise<void>;
  /** The number of processes that are left; `undefined` until the keeper has reported it. */
  survivors: Survivors | undefined;
  readonly #writable: WritableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #begin: (beginning: Beginning) => void = () => {};
  #settleExit: (exit: CommandExit | undefined) => void = () => {};
  #ended: Promise<void> | undefined;

  constructor({ readable, writable }: Duplex) {
    this.#writable = writable;
    this.#reader = readable.getReader();
    this.beginning = new Promise((resolve) => this.#begin = resolve);
    this.exit = new Promise((resolve) => this.#settleExit = resolve);
    this.done = this.#read();
  }

  /** Orders the keeper to kill everything. Never rejects. */
  end(): Promise<void> {
    return this.#ended ??= this.#writable.close().catch(() => {});
  }

  /** Stops reading, even though others may still hold the other end. */
  async close(): Promise<void> {
    await this.end();
    await this.#reader.cancel().catch(() => {});
    await this.done;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#line(line);
      }
    } catch {
      // A broken connection counts as its end.
    }
    this.#begin("ended");
    this.#settleExit(undefined);
    await this.end();
  }

  #line(line: string): void {
    const [word, first, second] = line.split(" ");
    if (word === "ready" || word === "missing") this.#begin(word);
    else if (word === "exit") this.#settleExit({ code: Number(first), left: second === "1" });
    else if (word === "dead") this.survivors = survivorsOf(first);
  }
}

/** The number that a keeper has reported, or `unknown`. */
export function survivorsOf(word: string | undefined): Survivors {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : "unknown";
}

/** Reads a stream to its end, and gives the last characters of it, at most 4,096. */
export async function tailOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of stream) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-MOST_CHARACTERS);
    }
  } catch {
    // A broken pipe counts as its end.
  }
  return text;
}

const MOST_CHARACTERS = 4096;
