import type { EventError, RunEndReason } from "../agent/mod.ts";
import type { TempStore } from "../builtins/mod.ts";
import type { ChatClient, Quota, Usage } from "../llm/mod.ts";
import type { FdTable } from "../streams/mod.ts";
import type { LlmcmdLimits } from "./limits.ts";

/** Options of one run of llmcmd. */
export interface LlmcmdOptions {
  /** The task, in the user's words. It is sent verbatim as the only user message. */
  instructions: string;
  /**
   * The open descriptors, which the run uses but does not close: their owner disposes of the table
   * when the run is over (the run ends the sources that it read from).
   *
   * - 0: a source, standard input. An empty source if there is none. It is limited while it is
   *   read, even if it is a file.
   * - 1: a sink, the output. Its name (`stdout`, or the name of the output file) is in the prompt.
   *   The run never closes it: the owner does, once it knows how the run ended.
   * - 2: its name is in the prompt; nothing is ever written to it here.
   * - 3 and above: sources, the input files in command-line order, each with its name.
   *
   * A source with `at` (a regular file) is seekable: it can be read and piped any number of times,
   * and is neither read nor opened before the model asks for it if `at` opens lazily. A source
   * without is a stream, consumed once. Two descriptors that share one source (`fds.dup(0)` for
   * `-`) share its state too.
   */
  fds: FdTable;
  /** The client of the model's endpoint. */
  client: ChatClient;
  /** The model's name, such as `gpt-4o-mini`. */
  model: string;
  /** Budgets; what is not given has its default from {@linkcode defaultLimits}. */
  limits?: Partial<LlmcmdLimits>;
  /** A budget that the run shares with others: it holds beside the run's own. Default: none. */
  quota?: Quota | undefined;
  /** Stops the run: the request in flight, the pipes and the writes. */
  signal?: AbortSignal;
  /** True when descriptor 0 is a terminal that is not read: the prompt says that it is empty. */
  terminal?: boolean;
  /** True when the instructions were read from descriptor 0: the prompt says that it is at its end. */
  instructionsFromInput?: boolean;
  /** Sampling temperature. Default 0.1. */
  temperature?: number;
  /** Most tokens of one answer. Default 4096. */
  maxTokens?: number;
  /** Temporary storage for `sort` beyond its memory. Without it everything stays in memory. */
  temp?: () => Promise<TempStore>;
}

/** The result of a run of llmcmd. */
export interface LlmcmdResult {
  /**
   * `stop` (a final answer) and `tool` (the `exit` tool) are the normal ends. `length` and
   * `content_filter`: the model's answer was cut. `abort`: the signal fired, or the time was over
   * (then `error.limit` is `seconds`). `error`: see `error`.
   */
  reason: RunEndReason;
  /** On a normal end: the exit tool's code, 0 to 255, or 0 for a final answer. Else absent. */
  exitCode?: number;
  /**
   * The reason for an end with `error` or `abort`. `limit` is one of the names in {@linkcode LlmcmdLimits}
   * when a budget was spent; `status` and `name: "LlmError"` describe a failure of the endpoint;
   * `name: "OutputError"` says that descriptor 1 could not be written (a full disk, a closed pipe).
   */
  error?: EventError;
  /** True when the reader of descriptor 1 has gone: shells expect a silent exit with 141. */
  outputClosed: boolean;
  /** The error of descriptor 1's sink, if that ended the run. */
  outputError?: unknown;
  /** Content of the last message, if it was *not* written to descriptor 1. Else empty. */
  text: string;
  /** Bytes written to descriptor 1. */
  outputBytes: number;
  /** API calls made, retries included. */
  apiCalls: number;
  /** Tokens of all answers. */
  usage: Usage;
  /** Tokens as the budget counts them. */
  weightedTokens: number;
  /** Duration of the run. */
  seconds: number;
}
