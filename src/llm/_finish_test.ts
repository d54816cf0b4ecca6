import assert from "node:assert/strict";
import { readFinishReason } from "./_finish.ts";

Deno.test("readFinishReason knows what endpoints call the ways in which an answer ends", () => {
  const known: Record<string, string> = {
    stop: "stop eos end_turn STOP COMPLETE eos_token stop_sequence FINISH_REASON_STOP",
    length: "length max_tokens MAX_TOKENS model_length max_output_tokens",
    tool_calls: "tool_calls tool_use TOOL_CALL",
    function_call: "function_call",
    content_filter: "content_filter SAFETY RECITATION PROHIBITED_CONTENT refusal",
  };
  for (const [reason, names] of Object.entries(known)) {
    for (const name of names.split(" ")) assert.equal(readFinishReason(name), reason, name);
  }
  assert.equal(readFinishReason("content_filter: RECITATION"), "content_filter");
});

Deno.test("readFinishReason takes nothing, and the name of nothing, for an answer that goes on", () => {
  for (const value of [undefined, null, "", "null"]) {
    assert.equal(readFinishReason(value), undefined);
  }
});

Deno.test("readFinishReason refuses what failed and what it does not know", () => {
  const failed = [
    "error",
    "abort",
    "insufficient_system_resource",
    "MALFORMED_FUNCTION_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
    "OTHER",
    "cancelled",
    "pause_turn",
    "constructor",
  ];
  for (const name of failed) {
    assert.throws(() => readFinishReason(name), {
      name: "LlmError",
      code: "protocol",
      message: `Endpoint ended its answer with finish_reason "${name}": it may be incomplete`,
    });
  }
  for (const value of [7, {}, true]) {
    assert.throws(() => readFinishReason(value), { code: "protocol" });
  }
});
