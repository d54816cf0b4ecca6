import { type ByteSink, type ByteSource, drain } from "../../streams/mod.ts";
import { hasCode } from "../errors.ts";
import type { Vfs } from "../types.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { isProxyClient, type ProxyClient } from "./client.ts";
import { ProxyError } from "./errors.ts";
import type { LlmBudget, LlmOutcome, LlmTask, ProxyLlm } from "./llm.ts";
import { openFileBehind } from "./_llm_streams.ts";
import { isParams, type Params } from "./protocol.ts";
import { type RemoteHandle, remoteOf } from "./_remote_handles.ts";

/**
 * Bytes of one write to a pipe: in base64, with the rest of the request, less than a frame may
 * have.
 */
const PIECE = 32 * 1024;

/** Exit status of a task whose output could not be written here. */
const NOT_WRITTEN = 4;

/**
 * The LLM of the server that has the files, if the Vfs is a client of one: a proxy between two
 * others passes on `QUOTA` and `LLMCMD`.
 *
 * A handle of that server is passed on by its number. A local stream, such as standard output, is
 * connected through a pipe of that server, so that data still streams.
 */
export function upstreamLlm(vfs: Vfs): ProxyLlm | undefined {
  if (!isProxyClient(vfs)) return undefined;
  return {
    async quota() {
      const result = await vfs.request("QUOTA");
      return {
        weighted_tokens: budgetOf(result["weighted_tokens"]),
        api_calls: budgetOf(result["api_calls"]),
      };
    },
    run: (task) => new UpstreamTask(vfs, task).run(),
  };
}

/** A task that runs on the server of a client. */
class UpstreamTask {
  readonly #client: ProxyClient;
  readonly #task: LlmTask;
  /** Ends the copying of input. */
  readonly #done = new AbortController();
  /** Cleanup after the task. None of these rejects. */
  readonly #after: (() => Promise<void>)[] = [];
  /** Resolves when the task is stopped. */
  readonly #stopped: Promise<void>;
  /** The error of writing its output here. */
  #failed: unknown;

  constructor(client: ProxyClient, task: LlmTask) {
    this.#client = client;
    this.#task = task;
    const { signal } = task;
    this.#stopped = new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  async run(): Promise<LlmOutcome> {
    try {
      return this.#outcome(await this.#request());
    } finally {
      await this.#end();
    }
  }

  /** Runs the task to its end, and until its output is written. */
  async #request(): Promise<Params> {
    const { prompt, topLevel, stdin, stdout, stderr, files, signal } = this.#task;
    const inputs: number[] = [];
    for (const { name, source } of files) inputs.push(await this.#input(source, name));
    const streams: Record<string, number> = {};
    if (stdin !== undefined) streams["stdin"] = await this.#input(stdin, "stdin");
    if (stderr !== undefined) streams["stderr"] = (await this.#output(stderr, "stderr")).handle;
    const output = await this.#output(stdout, "stdout", (error) => this.#failed = error);
    // Closing a task's standard output stops it.
    const stop = () => void output.cut();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      const params = { prompt, top_level: topLevel, files: inputs, ...streams };
      return await this.#client.request("LLMCMD", { ...params, stdout: output.handle });
    } finally {
      await this.#end();
      signal.removeEventListener("abort", stop);
    }
  }

  async #end(): Promise<void> {
    this.#done.abort(new ProxyError("E_IO", "the task has ended"));
    for (const after of this.#after.splice(0)) await after();
  }

  #outcome(result: Params): LlmOutcome {
    const { exit_code: exitCode, message, usage } = result;
    if (typeof exitCode !== "number") {
      throw new ProxyError("E_IO", "the answer to LLMCMD has no exit_code");
    }
    const told = typeof message === "string" ? { message } : {};
    const outcome = { exitCode, ...told, usage: isParams(usage) ? usage : {} };
    const failed = this.#failed;
    if (failed === undefined || hasCode(failed, "EPIPE")) return outcome;
    const why = failed instanceof Error ? failed.message : String(failed);
    return { ...outcome, exitCode: NOT_WRITTEN, message: why };
  }

  /** Returns the server's handle for an input. */
  async #input(source: ByteSource, name: string): Promise<number> {
    const handle = await this.#near(source);
    if (handle !== undefined) return handle.handle;
    const { read, write } = await this.#pipe(name);
    const sink = { write: (chunk: Uint8Array) => this.#write(write, chunk), close: async () => {} };
    const passed = drain(source, sink, this.#done.signal)
      .then(() => this.#close(write), () => this.#close(write, true));
    this.#after.push(async () => {
      await this.#close(read);
      await passed;
    });
    return read;
  }

  /** Returns the server's handle for an output, and a function that cuts the output off. */
  async #output(
    sink: ByteSink,
    name: string,
    failed: (error: unknown) => void = () => {},
  ): Promise<{ readonly handle: number; cut(): Promise<void> }> {
    const near = await this.#near(sink);
    if (near !== undefined) {
      return { handle: near.handle, cut: () => near.discard().catch(() => {}) };
    }
    const { read, write } = await this.#pipe(name);
    const cut = async () => {
      await this.#close(read);
      await this.#close(write, true);
    };
    const passed = this.#passOn(read, sink).catch((error) => {
      failed(error);
      return cut();
    });
    this.#after.push(async () => {
      await this.#close(write);
      // A stuck sink does not delay the end of a stopped task.
      await Promise.race([passed, this.#stopped]);
      await this.#close(read);
    });
    return { handle: write, cut };
  }

  /** Returns the handle behind a stream, if it is one of the same server. */
  async #near(stream: object): Promise<RemoteHandle | undefined> {
    const file = openFileBehind(stream);
    const opened = file?.opened;
    const at = opened?.kind === "file" ? opened : { file: stream, offset: 0 };
    const remote = remoteOf(opened?.kind === "replacement" ? opened.output : at.file);
    if (remote?.client !== this.#client) return undefined;
    await remote.align(at.offset);
    this.#after.push(async () => {
      at.offset = await remote.settle(at.offset).catch(() => at.offset);
    });
    return remote;
  }

  async #pipe(name: string): Promise<{ readonly read: number; readonly write: number }> {
    if (!this.#client.extensions.has("pipe")) {
      throw new ProxyError(
        "E_UNSUPPORTED",
        `${name} needs a pipe, which the server does not support`,
      );
    }
    const { read, write } = await this.#client.request("pipe", { name });
    if (typeof read === "number" && typeof write === "number") return { read, write };
    throw new ProxyError("E_IO", "the answer to pipe has no handles");
  }

  async #passOn(handle: number, sink: ByteSink): Promise<void> {
    for (;;) {
      const { data, eof } = await this.#client.request("read", {
        h: handle,
        max: this.#client.chunk,
      });
      const bytes = typeof data === "string" ? fromBase64(data) : undefined;
      if (bytes === undefined) throw new ProxyError("E_IO", "the answer to read has no data");
      if (eof === true) return;
      await sink.write(bytes);
    }
  }

  async #write(h: number, chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += PIECE) {
      await this.#client.request("write", { h, data: toBase64(chunk.subarray(at, at + PIECE)) });
    }
  }

  /** Closes a handle of the server, which may be closed already. */
  async #close(h: number, discard = false): Promise<void> {
    await this.#client.request("close", { h, discard }).catch(() => {});
  }
}

function budgetOf(value: unknown): LlmBudget {
  const fields = isParams(value) ? value : {};
  const number = (name: string) => {
    const found = fields[name];
    return typeof found === "number" ? found : null;
  };
  return { used: number("used") ?? 0, limit: number("limit"), remaining: number("remaining") };
}
