import assert from "node:assert/strict";
import { UsageError } from "../../command_line/mod.ts";
import { LlmError } from "../../llm/mod.ts";
import type { LlmcmdResult } from "../../llmcmd/mod.ts";
import { LimitError } from "../../streams/mod.ts";
import { FileError, PermissionError } from "../../sys/mod.ts";
import { ConfigError } from "../settings/mod.ts";
import { failureOf, failureOfRun } from "./exit_status.ts";

Deno.test("failureOf gives every class of error its status and keeps its message", () => {
  const limit = (name: string) => new LimitError({ name, max: 1 }, "over");
  const cases: [unknown, number, string | undefined][] = [
    [new UsageError("usage"), 2, "usage"],
    [new ConfigError("config"), 2, "config"],
    [new LlmError("api"), 3, "api"],
    [new FileError("read a", "a", "no"), 4, "Cannot read a: no"],
    [limit("LLMCMD_MAX_INPUT_BYTES"), 4, "over"],
    [limit("LLMCMD_MAX_OUTPUT_BYTES"), 4, "over"],
    [
      new PermissionError("read a", "--allow-read=a"),
      5,
      "Cannot read a: permission --allow-read=a is missing (add it to the flags of deno run; if this was installed, install it again with the flag)",
    ],
    [
      new Deno.errors.NotCapable(
        `Requires net access to "h:1", run again with the --allow-net flag`,
      ),
      5,
      "Cannot go on: permission --allow-net=h:1 is missing (add it to the flags of deno run; if this was installed, install it again with the flag)",
    ],
    [limit("LLMCMD_TIMEOUT"), 6, "over"],
    [limit("LLMCMD_MAX_API_CALLS"), 7, "over"],
    [limit("LLMCMD_MAX_TOKENS_BUDGET"), 7, "over"],
    [new Deno.errors.BrokenPipe("gone"), 141, undefined],
    [new Error("bug"), 1, "Internal error: bug"],
    ["text", 1, "Internal error: text"],
  ];
  for (const [error, status, message] of cases) {
    assert.deepEqual(failureOf(error), {
      status,
      ...(message === undefined ? {} : { message }),
    });
  }
});

const END: LlmcmdResult = {
  reason: "stop",
  outputClosed: false,
  text: "",
  outputBytes: 0,
  apiCalls: 1,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  weightedTokens: 0,
  seconds: 0,
};

Deno.test("failureOfRun tells normal ends from others", () => {
  const cases: [Partial<LlmcmdResult>, ReturnType<typeof failureOfRun>][] = [
    [{ reason: "stop", exitCode: 0 }, { status: 0, done: true }],
    [{ reason: "tool", exitCode: 3 }, { status: 3, done: false }],
    [
      { reason: "tool", exitCode: 1, text: "No way\n" },
      { status: 1, done: false, message: "No way" },
    ],
    [{ reason: "length" }, { status: 3 }],
    [{ reason: "content_filter" }, { status: 3 }],
    [{ reason: "abort", error: { name: "AbortError", message: "SIGINT" } }, { status: 1 }],
    [
      { reason: "abort", error: { name: "LimitError", message: "late", limit: "LLMCMD_TIMEOUT" } },
      { status: 6, message: "late" },
    ],
    [{ reason: "error", error: { name: "LlmError", message: "500" } }, {
      status: 3,
      message: "500",
    }],
    [
      { reason: "error", outputClosed: true, error: { name: "OutputError", message: "EPIPE" } },
      { status: 141 },
    ],
    [
      { reason: "error", error: { name: "OutputError", message: "full" } },
      { status: 4, message: "full" },
    ],
    [
      {
        reason: "error",
        error: { name: "OutputError", message: "no" },
        outputError: new PermissionError("write a", "--allow-write=a"),
      },
      { status: 5, message: "no" },
    ],
    // The text of a message does not matter: a file may have any name.
    [
      {
        reason: "error",
        error: { name: "OutputError", message: "Cannot write permission --allow-read=.: full" },
        outputError: new FileError("write permission --allow-read=.", "permission", "full"),
      },
      { status: 4, message: "Cannot write permission --allow-read=.: full" },
    ],
  ];
  for (const [part, failure] of cases) {
    assert.deepEqual(failureOfRun({ ...END, ...part }), failure);
  }
});
