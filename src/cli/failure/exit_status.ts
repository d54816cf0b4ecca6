import type { EventError } from "../../agent/mod.ts";
import type { LlmcmdResult } from "../../llmcmd/mod.ts";
import { isBrokenPipe, missingFlag, PermissionError } from "../../sys/mod.ts";
import { READER_GONE } from "../pages/pages.ts";
import { nameOf, SETTINGS } from "../settings/mod.ts";

/** The exit statuses of docs/configuration.md. A shell reports 141 for SIGPIPE. */
export const STATUS = {
  general: 1,
  configuration: 2,
  api: 3,
  file: 4,
  security: 5,
  timeout: 6,
  calls: 7,
  readerGone: READER_GONE,
} as const;

/** The exit status and the message of a failure. */
export interface Failure {
  readonly status: number;
  /** The message to the user; absent if a shell expects silence. */
  readonly message?: string;
  /** True if the task was done: by the exit tool with code 0, or by an answer. */
  readonly done?: boolean;
}

const BY_LIMIT: ReadonlyMap<string, number> = new Map([
  [nameOf(SETTINGS.turnCalls, "agent"), STATUS.calls],
  [nameOf(SETTINGS.turnTokens, "agent"), STATUS.calls],
  [nameOf(SETTINGS.apiCalls, "llmcmd"), STATUS.calls],
  [nameOf(SETTINGS.inputBytes, "llmcmd"), STATUS.file],
  [nameOf(SETTINGS.outputBytes, "llmcmd"), STATUS.file],
  [nameOf(SETTINGS.tokens, "llmcmd"), STATUS.calls],
  [nameOf(SETTINGS.seconds, "llmcmd"), STATUS.timeout],
]);

const BY_NAME: Readonly<Record<string, number>> = {
  CommandStartError: STATUS.general,
  ConfigError: STATUS.configuration,
  FileError: STATUS.file,
  IncompleteError: STATUS.general,
  ListenError: STATUS.general,
  LlmError: STATUS.api,
  NotCapable: STATUS.security,
  OutputError: STATUS.file,
  PermissionError: STATUS.security,
  SessionError: STATUS.configuration,
  UsageError: STATUS.configuration,
  VfsError: STATUS.file,
  WindowError: STATUS.general,
};

/** Maps a thrown value to an exit status and a message. */
export function failureOf(error: unknown): Failure {
  if (isBrokenPipe(error)) return { status: STATUS.readerGone };
  return failureOfData(
    error instanceof Error
      ? {
        name: error.name,
        message: error.message,
        ...("limit" in error && typeof error.limit === "string" ? { limit: error.limit } : {}),
      }
      : { name: "Error", message: String(error) },
  );
}

/** The fields of a run's result that decide its exit status. */
export type RunEnd =
  & Pick<LlmcmdResult, "reason" | "error">
  & Partial<Pick<LlmcmdResult, "outputClosed" | "outputError" | "exitCode" | "text">>;

/** Maps the end of a run to an exit status and a message. */
export function failureOfRun(end: RunEnd): Failure {
  const { reason, error, outputClosed, outputError, exitCode, text = "" } = end;
  if (outputClosed) return { status: STATUS.readerGone };
  if (reason === "stop" || reason === "tool") {
    const status = exitCode ?? 0;
    // With another code the model's text explains why it gave up.
    const why = status === 0 ? "" : text.trim();
    return { status, done: status === 0, ...(why === "" ? {} : { message: why }) };
  }
  if (reason === "length" || reason === "content_filter") {
    return { status: STATUS.api, ...(error === undefined ? {} : { message: error.message }) };
  }
  // A signal ended the run: its sender needs no message.
  if (reason === "abort" && error?.limit === undefined) return { status: STATUS.general };
  if (error !== undefined && outputError instanceof PermissionError) {
    return { status: STATUS.security, message: error.message };
  }
  return failureOfData(error ?? { name: "Error", message: `The run ended with ${reason}` });
}

function failureOfData({ name, message, limit }: EventError): Failure {
  if (limit !== undefined) return { status: BY_LIMIT.get(limit) ?? STATUS.general, message };
  if (name === "NotCapable") {
    const { message: how } = new PermissionError("go on", missingFlag(message));
    return { status: STATUS.security, message: how };
  }
  const status = BY_NAME[name];
  if (status !== undefined) return { status, message };
  return { status: STATUS.general, message: `Internal error: ${message}` };
}
