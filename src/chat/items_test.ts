import assert from "node:assert/strict";
import type { Message } from "../llm/mod.ts";
import { itemsOf } from "./items.ts";

Deno.test("itemsOf shows what a model says, not what it thinks before", () => {
  const time = "2026-11-27T10:00:00Z";
  const answer = (content: string): Message => ({ role: "assistant", content });
  const messages = [answer("<think>Hm</think>\n\nDone"), answer("<think>Hm</think>")];
  assert.deepEqual(itemsOf(messages.map((message) => ({ type: "message", time, message }))), [
    { type: "text", content: "Done" },
  ]);
});
