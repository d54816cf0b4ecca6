import { settles } from "./_settles.ts";

/** For how many milliseconds and bytes outputs are still read after the shell has ended. */
const DRAIN_TIME = 100;
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_STEP = 5;

/** Reads an output to its end, and hands its chunks on. */
export class OutputPump {
  /** Settles when there is no more to read; never rejects. */
  readonly done: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #take: (chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>;
  /** Bytes that were read. */
  received = 0;
  /** Whether it waits for the next bytes. */
  waiting = false;

  /** Begins to read. `take` is given chunks until it throws or `done` settles. */
  constructor(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    take: (chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>,
  ) {
    this.#reader = stream.getReader();
    this.#take = take;
    this.done = this.#pump();
  }

  /** Reads no more, once what killed processes have written is read. */
  async end(): Promise<void> {
    // Nobody can write any more, except survivors that hold the pipe.
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
 * Reads what was in the pipes when the shell ended; `left`: processes in the background may hold
 * them. Such a process may write without end, so both time and bytes are limited.
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

/** Why a command was stopped. */
export type Stop = "timeout" | "abort" | "receiver";

/** Waits until a command has ended by itself (`undefined`) or is to be stopped. */
export async function untilStop(
  ended: Promise<unknown>,
  { timeout, signals, receiver }: {
    /** Milliseconds. */
    readonly timeout: number;
    /** Those that stop it. */
    readonly signals: readonly AbortSignal[];
    /** Settles when what its output goes to has failed. */
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
