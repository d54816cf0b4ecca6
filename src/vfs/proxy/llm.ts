import type { ByteSink, ByteSource } from "../../streams/mod.ts";

/** A budget: what was used of it, and what is left; `null` where there is no limit. */
export interface LlmBudget {
  /** What was used. */
  readonly used: number;
  /** What may be used. */
  readonly limit: number | null;
  /** What is left. */
  readonly remaining: number | null;
}

/** The answer to `QUOTA`. */
export interface LlmQuota {
  /** Tokens, each kind by its weight. */
  readonly weighted_tokens: LlmBudget;
  /** Calls of the API, retries included. */
  readonly api_calls: LlmBudget;
}

/** What a client asks of `LLMCMD`. */
export interface LlmTask {
  /** The task, in the user's words. */
  readonly prompt: string;
  /** False for work below other work, which a small model may do. */
  readonly topLevel: boolean;
  /** Standard input; nothing if absent. */
  readonly stdin: ByteSource | undefined;
  /** Where the output goes while it is made. */
  readonly stdout: ByteSink;
  /** Where warnings and the reason of a failure go, a line each. */
  readonly stderr: ByteSink | undefined;
  /** The input files, whoever runs the task ends them. */
  readonly files: readonly { readonly name: string; readonly source: ByteSource }[];
  /** Stops it: the client is gone, or has closed its output. */
  readonly signal: AbortSignal;
}

/** How a task ended. */
export interface LlmOutcome {
  /** 0 if it was done; otherwise as the command `llmcmd` would have ended. */
  readonly exitCode: number;
  /** Why it was not done. */
  readonly message?: string | undefined;
  /** Tokens of the task. */
  readonly usage: Readonly<Record<string, unknown>>;
}

/** The LLM of a server: what serves the operations `QUOTA` and `LLMCMD`. */
export interface ProxyLlm {
  /** The budget that all tasks share, as it is now. */
  quota(): LlmQuota | Promise<LlmQuota>;
  /**
   * Runs a task to its end, and ends its sources. Never opens files.
   *
   * @throws {ProxyError} Nothing is left of the budget (`E_RANGE`), or another server refused it.
   */
  run(task: LlmTask): Promise<LlmOutcome>;
}
