import type { AgentEvent } from "../../agent/mod.ts";
import { type ByteSink, encodeNdjson } from "../../streams/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { Progress } from "./progress.ts";
import { VerboseLog } from "./verbose.ts";

/** Options of a {@linkcode RunWatch}. */
export interface WatchOptions {
  readonly messages: Messages;
  readonly verbose: boolean;
  /**
   * Receives every event but `message` as a line of JSON; `"messages"` is standard error.
   *
   * A `message` repeats `text`, `tool_start` and `tool_end`: with it the file would hold every
   * answer and every result twice.
   */
  readonly events?: ByteSink | "messages";
  /** Bytes written to descriptor 1 so far. */
  readonly outputBytes: () => number;
  /** True to show progress. */
  readonly progress: boolean;
}

/** Milliseconds between two updates of the progress line. */
const FRAME = 100;

/** Shows a run: its progress, the log of `-v`, the events of `--events`, and warnings. */
export class RunWatch implements Disposable {
  readonly #options: WatchOptions;
  readonly #progress = new Progress(Date.now());
  readonly #verbose: VerboseLog | undefined;
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /** Begins to show progress. */
  constructor(options: WatchOptions) {
    this.#options = options;
    const { messages, verbose, progress, events } = options;
    if (verbose) this.#verbose = new VerboseLog((text) => messages.say(text));
    if (progress && !verbose && events !== "messages") {
      this.#timer = setInterval(() => this.#show(), FRAME);
    }
  }

  /** Shows an event. Rejects if the file of `--events` can't be written. */
  async show(event: AgentEvent): Promise<void> {
    const { messages, events } = this.#options;
    if (events !== undefined && event.type !== "message") {
      const line = messages.redact(encodeNdjson(event));
      if (events === "messages") await messages.raw(line);
      else await events.write(new TextEncoder().encode(line));
    }
    if (event.type === "warning" && events !== "messages") messages.warn(event.message);
    this.#verbose?.update(event);
    this.#progress.update(event);
  }

  #show(): void {
    const { messages, outputBytes } = this.#options;
    messages.status(this.#progress.line(Date.now(), outputBytes()));
  }

  /** Ends the progress line. */
  [Symbol.dispose](): void {
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#options.messages.status("");
  }
}
