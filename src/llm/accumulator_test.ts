import assert from "node:assert/strict";
import { DeltaAccumulator } from "./accumulator.ts";
import type { ChatDelta } from "./client.ts";

type CallDelta = Omit<Extract<ChatDelta, { type: "tool_call" }>, "type">;

/** The calls made of these pieces, as `id name arguments`. */
function calls(...pieces: CallDelta[]): string[] {
  const answer = new DeltaAccumulator();
  for (const piece of pieces) answer.add({ type: "tool_call", ...piece });
  return answer.toolCalls().map(({ id, function: f }) => `${id} ${f.name} ${f.arguments}`);
}

Deno.test("DeltaAccumulator joins text and has no tool_calls without calls", () => {
  const answer = new DeltaAccumulator();
  assert.deepEqual(answer.message(), { role: "assistant", content: null });
  answer.add({ type: "text", content: "a" });
  answer.add({ type: "retry", attempt: 1, delay: 0, error: "x" });
  answer.add({ type: "text", content: "\u3042" });
  answer.add({ type: "finish", reason: "stop" });
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  answer.add({ type: "usage", usage });
  assert.deepEqual(answer.message(), { role: "assistant", content: "a\u3042" });
  assert.equal(answer.finishReason, "stop");
  assert.deepEqual(answer.usage, usage);
});

Deno.test("DeltaAccumulator keeps a refusal apart from the text", () => {
  const answer = new DeltaAccumulator();
  answer.add({ type: "refusal", content: "I can't " });
  answer.add({ type: "refusal", content: "do that" });
  assert.equal(answer.text, "");
  assert.deepEqual(answer.message(), {
    role: "assistant",
    content: null,
    refusal: "I can't do that",
  });
});

Deno.test("DeltaAccumulator joins parallel calls whose pieces are mixed", () => {
  assert.deepEqual(
    calls(
      { index: 0, id: "a", name: "read", arguments: "" },
      { index: 1, id: "b", name: "write", arguments: '{"x' },
      { index: 0, arguments: '{"fd"' },
      { index: 1, arguments: '":1}' },
      { index: 0, arguments: ":3}" },
    ),
    ['a read {"fd":3}', 'b write {"x":1}'],
  );
});

Deno.test("DeltaAccumulator joins arguments that are split between any two characters", () => {
  const text = '{"data":"{\\"a\\": [1, 2]}\\n\u3042","n":-1.5e3}';
  for (let cut = 0; cut <= text.length; cut++) {
    assert.deepEqual(
      calls(
        { index: 0, id: "a", name: "write", arguments: text.slice(0, cut) },
        { index: 0, arguments: text.slice(cut) },
      ),
      [`a write ${text}`],
    );
  }
  assert.deepEqual(
    calls({ index: 0, id: "a", name: "w" }, ...[...text].map((c) => ({ index: 0, arguments: c }))),
    [`a w ${text}`],
  );
});

Deno.test("DeltaAccumulator takes whole calls in one piece, without index", () => {
  assert.deepEqual(
    calls(
      { id: "a", name: "read", arguments: '{"fd":3}' },
      { id: "b", name: "read", arguments: '{"fd":4}' },
    ),
    ['a read {"fd":3}', 'b read {"fd":4}'],
  );
});

Deno.test("DeltaAccumulator tells calls apart that share index 0", () => {
  assert.deepEqual(
    calls(
      { index: 0, id: "a", name: "read", arguments: '{"fd":3}' },
      { index: 0, id: "b", name: "read", arguments: '{"fd":4}' },
      { index: 0, name: "exit", arguments: "{}" },
    ),
    ['a read {"fd":3}', 'b read {"fd":4}', "call_3 exit {}"],
  );
});

Deno.test("DeltaAccumulator joins pieces that repeat id and name", () => {
  assert.deepEqual(
    calls(
      { index: 0, id: "a", name: "read", arguments: '{"fd"' },
      { index: 0, id: "a", name: "read", arguments: ":" },
      { index: 0, id: "a", name: "read", arguments: "3}" },
    ),
    ['a read {"fd":3}'],
  );
});

Deno.test("DeltaAccumulator joins pieces by id, or to the last call, when there is no index", () => {
  assert.deepEqual(
    calls(
      { id: "a", name: "read" },
      { arguments: '{"fd"' },
      { id: "b", name: "exit" },
      { id: "a", arguments: ":3}" },
      { arguments: "" },
      { id: "b", arguments: "{}" },
    ),
    ['a read {"fd":3}', "b exit {}"],
  );
});

Deno.test("DeltaAccumulator generates ids that are missing or taken, from firstCall on", () => {
  const answer = new DeltaAccumulator({ firstCall: 7 });
  answer.add({ type: "tool_call", index: 0, name: "read" });
  answer.add({ type: "tool_call", index: 1, id: "call_9", name: "read" });
  answer.add({ type: "tool_call", index: 2, id: "call_9", name: "read" });
  answer.add({ type: "tool_call", index: 3, id: "call_9", name: "read" });
  assert.deepEqual(answer.toolCalls().map((call) => call.id), [
    "call_7",
    "call_9",
    "call_9_2",
    "call_10",
  ]);
});

Deno.test("DeltaAccumulator takes a last piece that repeats id and name without arguments", () => {
  assert.deepEqual(
    calls(
      { index: 0, id: "a", name: "read", arguments: '{"fd":3}' },
      { index: 0, id: "a", name: "read", arguments: "" },
      { index: 0, id: "a", name: "read" },
    ),
    ['a read {"fd":3}'],
  );
});

Deno.test("DeltaAccumulator keeps the first id when every piece has another", () => {
  assert.deepEqual(
    calls(
      { index: 0, id: "a", name: "read", arguments: '{"fd"' },
      { index: 0, id: "b", arguments: ":" },
      { id: "c", arguments: "3}" },
      { index: 1, id: "d", name: "exit", arguments: "{}" },
    ),
    ['a read {"fd":3}', "d exit {}"],
  );
});

Deno.test("DeltaAccumulator tells whole calls apart that share an id", () => {
  assert.deepEqual(
    calls(
      { id: "x", name: "read", arguments: '{"fd":3}' },
      { id: "x", name: "read", arguments: '{"fd":4}' },
    ),
    ['x read {"fd":3}', 'call_2 read {"fd":4}'],
  );
});
