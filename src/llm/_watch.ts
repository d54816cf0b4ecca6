import { Alarm } from "../streams/mod.ts";
import { connectionError } from "./_failure.ts";
import { MAX_TIMEOUT } from "./clock.ts";
import { LlmError } from "./errors.ts";

/** Limits of one answer. */
export interface WatchLimits {
  firstTokenTimeout: number;
  /** Its name in errors. */
  firstTokenName: string;
  idleTimeout: number;
  /** The limit that errors name for it. */
  idleName: string;
  maxAnswerBytes: number;
}

/** The limits of an answer, as a client's options have them. */
export interface WatchOptions {
  firstTokenTimeout?: number | undefined;
  idleTimeout?: number | undefined;
  maxAnswerBytes?: number | undefined;
  names?: { readonly firstTokenTimeout?: string } | undefined;
}

/** The limits of an answer, with their defaults. */
export function watchLimits(options: WatchOptions): WatchLimits {
  const { firstTokenTimeout = 120_000, idleTimeout, maxAnswerBytes = 64 * 1024 * 1024 } = options;
  const firstTokenName = options.names?.firstTokenTimeout ?? "firstTokenTimeout";
  return {
    firstTokenTimeout,
    firstTokenName,
    // While a server holds back a long call, it is as silent as before an answer.
    idleTimeout: idleTimeout ?? Math.max(60_000, firstTokenTimeout),
    idleName: idleTimeout === undefined ? firstTokenName : "idleTimeout",
    maxAnswerBytes,
  };
}

/** Watches one request: ends it when the endpoint is silent for too long or says too much. */
export class Watch {
  readonly #request: AbortController;
  readonly #limits: WatchLimits;
  #idle: number;
  #begun = false;
  readonly #alarm = new Alarm();

  constructor(request: AbortController, limits: WatchLimits) {
    this.#request = request;
    this.#limits = limits;
    this.#idle = limits.idleTimeout;
    this.#arm(
      limits.firstTokenTimeout,
      "Endpoint did not begin its answer within",
      `; raise ${limits.firstTokenName} to wait longer`,
    );
  }

  /**
   * The first token is there: from now on it counts how long the body is silent. Until then there
   * is one limit for all; comments and events without a token do not change it.
   */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#alarm.clear();
  }

  /** From now on the body may be silent for `milliseconds` at most. */
  hurry(milliseconds: number): void {
    this.#idle = Math.min(this.#idle, milliseconds);
  }

  /** Ends the watch. */
  stop(): void {
    this.#alarm.clear();
  }

  #arm(milliseconds: number, what: string, hint = ""): void {
    if (milliseconds > MAX_TIMEOUT) return;
    this.#alarm.set(milliseconds, () => {
      const message = `${what} ${milliseconds / 1000} s${hint}`;
      this.#request.abort(new LlmError(message, { code: "timeout" }));
    });
  }

  #tooMuch(): LlmError {
    const error = new LlmError(
      `Endpoint sent more than ${this.#limits.maxAnswerBytes} bytes in one answer`,
      { code: "protocol" },
    );
    this.#request.abort(error);
    return error;
  }

  /** The answer with its body under watch. Time that the reader takes does not count. */
  over(response: Response, url: URL): Response {
    if (response.body === null) return response;
    const reader = response.body.getReader();
    const { signal } = this.#request;
    let bytes = 0;
    const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
      if (this.#begun) {
        this.#arm(
          this.#idle,
          "Endpoint stopped in the middle of its answer for",
          `; raise ${this.#limits.idleName} to wait longer`,
        );
      }
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return undefined;
          bytes += value.length;
          if (bytes > this.#limits.maxAnswerBytes) throw this.#tooMuch();
          if (value.length > 0) return value;
        }
      } catch (error) {
        throw signal.aborted ? signal.reason : connectionError(url, error);
      } finally {
        if (this.#begun) this.stop();
      }
    };
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        const value = await next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}
