import assert from "node:assert/strict";
import type { AgentEvent } from "../agent/mod.ts";
import { Completion, type Verdict } from "./completion.ts";

const turn: AgentEvent = { type: "turn_start", turn: 1 };

/** A call that failed, as the loop tells of it. */
function failed(name: string, input: unknown, content: string): AgentEvent[] {
  return [
    { type: "tool_start", id: "a", name, input },
    { type: "tool_end", id: "a", name, content, error: true },
  ];
}

function says(content: string): AgentEvent {
  return { type: "message", message: { role: "assistant", content } };
}

function kinds(...verdicts: Verdict[]): string[] {
  return verdicts.map(({ kind }) => kind);
}

function noted(...events: AgentEvent[]): Completion {
  const completion = new Completion();
  for (const event of events) completion.note(event);
  return completion;
}

Deno.test("Completion lets a run end when nothing failed and every pipe was read", () => {
  assert.deepEqual(noted(turn).judge(undefined, false), { kind: "end" });
});

Deno.test("Completion refuses once while a call of the message failed, and tells what", () => {
  const completion = noted(turn, ...failed("read", { fd: 9 }, '{"error":"Cannot read fd 9"}'));
  const verdict = completion.judge(undefined, false);
  assert.equal(
    verdict.kind === "refused" && verdict.message.split(". ")[0],
    "Not ended: read failed: Cannot read fd 9",
  );
  completion.note({ type: "turn_start", turn: 2 });
  completion.says("There is no such input.");
  assert.deepEqual(completion.judge(undefined, false), { kind: "end" });
});

Deno.test("Completion fails at the second end with nothing written or said after a failed call", () => {
  const events = [turn, ...failed("write", { fd: 3, data: "x" }, "No"), turn];
  const silent = noted(...events);
  silent.says(" \n");
  const verdicts = [silent.judge(undefined, false), silent.judge(undefined, false)];
  assert.deepEqual(kinds(...verdicts), ["refused", "failed"]);
  const better = noted(...events, {
    type: "tool_end",
    id: "b",
    name: "read",
    content: "{}",
    error: false,
  });
  assert.deepEqual(better.judge(undefined, false), { kind: "end" });
  const written = noted(...events);
  written.hasOutput();
  assert.deepEqual(written.judge(undefined, false), { kind: "end" });
});

Deno.test("Completion tells once of a pipe to descriptor 1 that nobody wrote to", () => {
  const completion = noted(turn);
  assert.equal(completion.judgeUnfed(undefined, false), undefined);
  assert.deepEqual(completion.judgeUnfed(4, false), {
    kind: "refused",
    message: "Not ended: nothing was written to fd 4, so its pipe gave nothing to fd 1. If fd 1 " +
      "has the whole output all the same, end again, which drops that pipe; else call pipe with " +
      "in_fd, or write the data to fd 4, with eof true at the end",
  });
  assert.equal(completion.judgeUnfed(4, false), undefined);
  assert.equal(noted(turn).judgeUnfed(4, true)?.kind, "refused");
  const written = noted(turn);
  written.hasOutput();
  assert.equal(written.judgeUnfed(4, true), undefined);
});

Deno.test("Completion fails at the second end without anything written since a failed transfer", () => {
  for (
    const [name, input] of [
      ["pipe", { cmd: "awk", in_fd: 3, out_fd: 1 }],
      ["pipe", { cmd: "awk", in_fd: 3, out_fd: "1" }],
      ["write", { text: "x" }],
      ["write", { fd: 1 }],
      ["write", "no JSON"],
      ["pipe", "no JSON"],
      ["pipe", { cmd: "sort", in_fd: 3, output_fd: 1 }],
      ["pipe", { cmd: "sort", in_fd: 3, out_fd: "stdout" }],
    ] as const
  ) {
    const completion = noted(turn, ...failed(name, input, "No"), { type: "turn_start", turn: 2 });
    const verdicts = [completion.judge(undefined, false), completion.judge(undefined, false)];
    assert.deepEqual(kinds(...verdicts), ["refused", "failed"], JSON.stringify(input));
    completion.delivered();
    assert.deepEqual(completion.judge(undefined, false), { kind: "end" });
  }
});

Deno.test("Completion refuses a failure that it did not tell of yet", () => {
  const completion = noted(turn);
  completion.failed("pipe", "base64 failed with status 1\nmore");
  const first = completion.judge(undefined, false);
  completion.failed("pipe", "sed failed with status 4");
  const second = completion.judge(undefined, false);
  assert.deepEqual(kinds(first, second, completion.judge(undefined, false)), [
    "refused",
    "refused",
    "failed",
  ]);
});

Deno.test("Completion does not take a failed pipe to another pipe for a lost output", () => {
  const completion = noted(turn, ...failed("pipe", { cmd: "awk", in_fd: 3 }, "No"));
  completion.note({ type: "turn_start", turn: 2 });
  completion.hasOutput();
  assert.deepEqual(completion.judge(undefined, false), { kind: "end" });
});

Deno.test("Completion takes a pipe that was not understood for corrected when another one begins", () => {
  const corrected: AgentEvent = {
    type: "tool_end",
    id: "b",
    name: "pipe",
    content: "{}",
    error: false,
  };
  const unclear = failed("pipe", { cmd: "head", input: 3 }, "No");
  const next: AgentEvent = { type: "turn_start", turn: 2 };
  assert.equal(noted(turn, ...unclear, next, corrected).judge(undefined, false).kind, "end");
  const sure = failed("pipe", { cmd: "awk", out_fd: 1 }, "No");
  for (const events of [[...sure, ...unclear], [...unclear, ...sure]]) {
    const completion = noted(turn, ...events, next, corrected);
    assert.equal(completion.judge(undefined, false).kind, "refused");
  }
});

Deno.test("Completion tells once of a pipe that nobody read, on the last call only if there is no output", () => {
  const completion = noted(turn);
  const verdict = completion.judge(5, false);
  assert.match(
    verdict.kind === "refused" ? verdict.message : "",
    /^Not ended: fd 5 was never read/,
  );
  assert.deepEqual(completion.judge(5, false), { kind: "end" });
  assert.equal(noted(turn).judge(5, true).kind, "refused");
  const written = noted(turn, says("Done"));
  assert.deepEqual(written.judge(5, true), { kind: "end" });
});

Deno.test("Completion takes no thought for what the model says", () => {
  for (const thought of ["<think>So\n</think>\n\n", "So\n</think>\n\n"]) {
    assert.equal(noted(turn, says(thought)).judge(5, true).kind, "refused");
    assert.equal(noted(turn, says(`${thought}3`)).judge(5, true).kind, "end");
    const empty = noted(turn);
    empty.delivered();
    for (const event of [turn, says(thought)]) empty.note(event);
    assert.deepEqual(empty.judge(undefined, false, true), { kind: "end" });
    for (const event of [turn, says(`${thought}3`)]) empty.note(event);
    assert.equal(empty.judge(undefined, false, true).kind, "refused");
  }
});

Deno.test("Completion refuses an end that other calls of its message follow", () => {
  const call = (id: string, name: string) => ({
    id,
    type: "function" as const,
    function: { name, arguments: "{}" },
  });
  const message = (...names: string[]): AgentEvent => ({
    type: "message",
    message: {
      role: "assistant",
      content: null,
      tool_calls: names.map((name) => call(name, name)),
    },
  });
  const exit: AgentEvent = { type: "tool_start", id: "exit", name: "exit", input: {} };
  const early = noted(turn, message("exit", "pipe", "exit"), exit);
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.deepEqual(early.judgeOrder(), {
      kind: "refused",
      message: "Not ended: pipe comes after exit in this message and runs now. " +
        "Look at its result, then call exit again",
    });
  }
  const pipe: AgentEvent = { type: "tool_start", id: "pipe", name: "pipe", input: {} };
  assert.equal(noted(turn, message("pipe", "exit", "exit"), pipe, exit).judgeOrder(), undefined);
  assert.equal(noted(turn, message("exit", "pipe"), exit, pipe).judgeOrder(), undefined);
});
