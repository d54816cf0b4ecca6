import { settles } from "./_settles.ts";

/** Limits, in milliseconds and bytes, of reading outputs after the shell has ended. */
const DRAIN_TIME = 100;
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_STEP = 5;

/** Reads an output to its end, and passes its chunks on. */
export class OutputPump {
  /** Settles when there is no more to read; never rejects. */
  readonly done: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #take: (chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** Bytes that were read. */
  received = 0;
  /** True while it waits for the next bytes. */
  waiting = false;

  /** Begins to read. `take` receives chunks until it throws or `done` settles. */
  constructor(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    take: (chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>,
  ) {
    this.#reader = stream.getReader();
    this.#take = take;
    this.done = this.#pump();
  }

  /** Stops reading, after the output of killed processes was read. */
  async end(): Promise<void> {
    // Only survivors that hold the pipe can still write.
    await settles(this.done, DRAIN_TIME);
    await this.#reader.cancel().catch(() => {});
    await this.done;
  }

  async #pump(): Promise<void> {
    try {
      for (;;) {
        this.waiting = true;
        const { done, value } = await this.#reader.read();
        this.waiting = false;
        if (done) return;
        this.received += value.length;
        await this.#take(value);
      }
    } catch {
      // A broken pipe counts as its end.
    }
  }
}

/**
 * Reads the rest of the pipes after the shell has ended. `left`: true if background processes may
 * hold them. These may write without end, so both time and bytes are limited.
 */
export async function drainPumps(pumps: readonly OutputPump[], left: boolean): Promise<void> {
  const done = Promise.all(pumps.map((pump) => pump.done));
  if (!left) await settles(done, DRAIN_TIME);
  const end = performance.now() + (left ? DRAIN_TIME : 0);
  const received = () => pumps.reduce((sum, pump) => sum + pump.received, 0);
  const most = received() + DRAIN_BYTES;
  while (received() < most) {
    if (performance.now() > end && pumps.every((pump) => pump.waiting)) return;
    if (await settles(done, DRAIN_STEP)) return;
  }
}

/** Reasons for stopping a command; `receiver`: the receiver of its output has failed. */
export type Stop = "timeout" | "abort" | "receiver";

/** Waits until a command has ended by itself (`undefined`), or until a reason to stop it. */
export async function untilStop(
  ended: Promise<unknown>,
  { timeout, signals, receiver }: {
    /** Most milliseconds to wait. */
    readonly timeout: number;
    /** Signals that stop it. */
    readonly signals: readonly AbortSignal[];
    /** Settles when the receiver of its output has failed. */
    readonly receiver?: Promise<void> | undefined;
  },
): Promise<Stop | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = () => {};
  const stop = new Promise<Stop>((resolve) => {
    timer = setTimeout(() => resolve("timeout"), timeout);
    abort = () => resolve("abort");
    receiver?.then(() => resolve("receiver"));
    for (const signal of signals) {
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    }
  });
  try {
    return await Promise.race([stop, ended.then(() => undefined)]);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
