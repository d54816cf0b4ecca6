import type { ByteSink, ByteSource } from "../../streams/mod.ts";

/** A budget. `limit` and `remaining` are `null` if there is no limit. */
export interface LlmBudget {
  /** Amount used. */
  readonly used: number;
  /** Amount allowed. */
  readonly limit: number | null;
  /** Amount left. */
  readonly remaining: number | null;
}

/** The answer to `QUOTA`. */
export interface LlmQuota {
  /** Tokens, weighted by kind. */
  readonly weighted_tokens: LlmBudget;
  /** Calls of the API, including retries. */
  readonly api_calls: LlmBudget;
}

/** A task of a client's `LLMCMD`. */
export interface LlmTask {
  /** The task, in the user's words. */
  readonly prompt: string;
  /** False for work that is part of other work, for which a small model may do. */
  readonly topLevel: boolean;
  /** Standard input; empty if absent. */
  readonly stdin: ByteSource | undefined;
  /** Sink of the output, which is written while the task runs. */
  readonly stdout: ByteSink;
  /** Sink of warnings and of the reason for a failure, one line each. */
  readonly stderr: ByteSink | undefined;
  /** The input files. `run` closes them. */
  readonly files: readonly { readonly name: string; readonly source: ByteSource }[];
  /** Stops the task: the client has disconnected, or has closed the task's output. */
  readonly signal: AbortSignal;
}

/** The result of a task. */
export interface LlmOutcome {
  /** 0 if it succeeded; otherwise the exit status of the command `llmcmd`. */
  readonly exitCode: number;
  /** Reason for a failure. */
  readonly message?: string | undefined;
  /** Tokens of the task. */
  readonly usage: Readonly<Record<string, unknown>>;
}

/** The LLM of a server: serves the operations `QUOTA` and `LLMCMD`. */
export interface ProxyLlm {
  /** The current budget, which all tasks share. */
  quota(): LlmQuota | Promise<LlmQuota>;
  /**
   * Runs a task to its end, and closes its sources. Never opens files.
   *
   * @throws {ProxyError} If the budget is used up (`E_RANGE`), or another server refused the task.
   */
  run(task: LlmTask): Promise<LlmOutcome>;
}
