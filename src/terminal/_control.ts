import type { Survivors } from "../ports/mod.ts";
import type { Duplex } from "../sys/mod.ts";

/**
 * End of a command: its exit code, and true in `left` if processes that it started may still run.
 */
export interface CommandExit {
  readonly code: number;
  readonly left: boolean;
}

/**
 * Beginning of a keeper: its command starts now, its program is missing, or the keeper ended
 * before.
 */
export type Beginning = "ready" | "missing" | "ended";

/**
 * The connection to a keeper. Closing it orders the keeper to kill everything. The keeper reports
 * on it, one report a line; `keepers/main.sh` lists them.
 */
export class ControlLines {
  /** Beginning of the keeper. */
  readonly beginning: Promise<Beginning>;
  /** End of the command; `undefined` if the keeper ended without reporting it. */
  readonly exit: Promise<CommandExit | undefined>;
  /** Settles at the end of the reports. */
  readonly done: Promise<void>;
  /** Number of surviving processes; `undefined` until the keeper has reported it. */
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

  /** Stops reading, even if other processes still hold the other end. */
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

/** Reads a stream to its end, and returns its last characters, at most 4,096. */
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
