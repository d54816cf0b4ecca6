import type { Survivors } from "./command.ts";

/**
 * What a keeper reports on its standard error, one line each: `ready`: the command starts now;
 * `exit CODE LEFT`: it ended, and LEFT is 1 when processes it started are still there; `dead
 * COUNT`: all were killed except COUNT, a number or `unknown`. Everything else is a message for
 * people.
 */
export class ControlLines {
  /** Fires once the keeper is ready; false when it ended before that. */
  readonly ready: Promise<boolean>;
  /** How the command ended; `undefined` when the keeper ended without saying so. */
  readonly exit: Promise<{ code: number; left: boolean } | undefined>;
  /** Settles at the end of the lines. */
  readonly done: Promise<void>;
  /** The number of processes that are left; `undefined` until the keeper has reported it. */
  survivors: Survivors | undefined;
  readonly #messages: string[] = [];
  #settleReady: (ready: boolean) => void = () => {};
  #settleExit: (exit: { code: number; left: boolean } | undefined) => void = () => {};

  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.getReader();
    this.ready = new Promise((resolve) => this.#settleReady = resolve);
    this.exit = new Promise((resolve) => this.#settleExit = resolve);
    this.done = this.#read();
  }

  /** Stops reading, even though others may still hold the other end of the pipe. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
    await this.done;
  }

  /** Its messages for people, such as why it could not start; at most the last 20 lines. */
  get messages(): string {
    return this.#messages.join("\n");
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = (lines.pop() ?? "").slice(-MOST_CHARACTERS);
        for (const line of lines) this.#line(line);
      }
      if (rest !== "") this.#line(rest);
    } catch {
      // A broken pipe counts as its end.
    }
    this.#settleReady(false);
    this.#settleExit(undefined);
  }

  #line(line: string): void {
    const [word, first, second] = line.split(" ");
    if (line === "ready") this.#settleReady(true);
    else if (word === "exit") this.#settleExit({ code: Number(first), left: second === "1" });
    else if (word === "dead") this.survivors = survivorsOf(first);
    else {
      this.#messages.push(line);
      if (this.#messages.length > MOST_MESSAGES) this.#messages.shift();
    }
  }
}

const MOST_MESSAGES = 20;
const MOST_CHARACTERS = 4096;

/** The number that a keeper has reported, or `unknown`. */
export function survivorsOf(word: string | undefined): Survivors {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : "unknown";
}
