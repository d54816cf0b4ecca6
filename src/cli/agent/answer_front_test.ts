import assert from "node:assert/strict";
import type { AgentEvent } from "../../agent/mod.ts";
import { Messages } from "../messages/messages.ts";
import { AnswerFront } from "./answer_front.ts";
import { styleOf } from "./screen/mod.ts";

const call = { id: "1", type: "function", function: { name: "bash", arguments: "{}" } } as const;
const said = (content: string): AgentEvent => ({ type: "text", content });
const TURN: readonly AgentEvent[] = [
  { type: "run_start", model: "m" },
  said("I look"),
  said(" first.\n"),
  { type: "message", message: { role: "assistant", content: "", tool_calls: [call] } },
  { type: "tool_start", id: "1", name: "bash", input: { command: "ls" } },
  { type: "message", message: { role: "tool", tool_call_id: "1", content: "" } },
  { type: "tool_end", id: "1", name: "bash", content: "", error: false },
  said("\nThe "),
  said("\u202eanswer.\n\n"),
  { type: "message", message: { role: "assistant", content: "The answer." } },
  { type: "run_end", reason: "stop", api_calls: 2, seconds: 1 },
];

/** The pieces that are written to standard output and to standard error. */
async function shown(
  events: readonly AgentEvent[],
  terminals: { stdout: boolean; stderr: boolean },
  quiet = false,
): Promise<{ out: string[]; err: string }> {
  const out: string[] = [];
  let err = "";
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const messages = new Messages({
    sink: {
      write: (bytes) => {
        err += decode(bytes);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
    ...{ terminal: terminals.stderr, color: false, columns: () => 80, name: "agent" },
  });
  using front = new AnswerFront({
    print: (bytes) => {
      out.push(decode(bytes));
      return Promise.resolve();
    },
    ...{ messages, terminals, quiet, style: styleOf(false), columns: () => 80, now: () => 0 },
  });
  for (const event of events) await front.event(event);
  await messages.flush();
  return { out, err };
}

Deno.test("AnswerFront prints the answer alone, as it is, and the rest on standard error", async () => {
  const { out, err } = await shown(TURN, { stdout: false, stderr: false });
  assert.deepEqual(out, ["The \u202eanswer.\n"]);
  assert.equal(err, 'Agent: I look first.\n[Tool: bash("ls")]\n');
});

Deno.test("AnswerFront with quiet prints nothing but the answer, and what went wrong", async () => {
  const warned = [...TURN, { type: "warning", message: "Careful" } as const];
  const { out, err } = await shown(warned, { stdout: false, stderr: true }, true);
  assert.deepEqual(out, ["The \u202eanswer.\n"]);
  assert.equal(err, "agent: warning: Careful\n");
});

Deno.test("AnswerFront shows an answer as it comes where all is a terminal, without control characters", async () => {
  const { out } = await shown(TURN, { stdout: true, stderr: true });
  assert.equal(out.join(""), "I look first.\nThe \\u202eanswer.\n");
  assert.equal(out.length > 3, true);
});

Deno.test("AnswerFront erases the status line before the answer, and draws no other one", async () => {
  const order: string[] = [];
  const keep = (name: string) => (bytes: Uint8Array) => {
    order.push(`${name} ${new TextDecoder().decode(bytes).trimEnd()}`);
    return Promise.resolve();
  };
  const messages = new Messages({
    sink: { write: keep("err"), close: () => Promise.resolve() },
    ...{ terminal: true, color: false, columns: () => 80, name: "agent" },
  });
  using front = new AnswerFront({
    print: keep("out"),
    ...{ messages, terminals: { stdout: false, stderr: true }, quiet: false },
    ...{ style: styleOf(false), columns: () => 80, now: () => 0 },
  });
  const events: readonly AgentEvent[] = [
    { type: "run_start", model: "m" },
    { type: "turn_start", turn: 1 },
    said("The answer."),
    { type: "message", message: { role: "assistant", content: "The answer." } },
    { type: "turn_end", turn: 1, finish_reason: "stop" },
    { type: "run_end", reason: "stop", api_calls: 1, seconds: 1 },
  ];
  for (const event of events) await front.event(event);
  await messages.flush();
  assert.deepEqual(order, ["err Waiting for m, Ctrl+C stops", "err ", "out The answer."]);
});

Deno.test("AnswerFront prints what came of an answer that broke off", async () => {
  const events: AgentEvent[] = [
    said("Half"),
    { type: "error", error: { name: "LlmError", message: "lost" } },
    { type: "run_end", reason: "error", api_calls: 1, seconds: 1 },
  ];
  assert.deepEqual((await shown(events, { stdout: false, stderr: false })).out, ["Half\n"]);
});
